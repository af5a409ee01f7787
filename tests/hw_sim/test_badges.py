"""Badges in the simulator: one after the other at the reader, left there and taken away, on the control channel and in the window."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest

from hw_sim.badges import AWAY_MS, TAP_MS, BadgeReader, badge_uid
from hw_sim.gate import BADGE_SLOT
from hw_sim.live import LiveWorld
from hw_sim.report import Reporter
from hw_sim.window.model import HandTable
from hw_sim.window.table_window import TableWindow


class Slots:
    """What lies on the virtual readers, and all that was laid there."""

    def __init__(self) -> None:
        self.lies: dict[int, bytes] = {}
        self.laid: list[bytes] = []

    def insert(self, uid: bytes, slot: int = 0) -> None:
        self.lies[slot] = uid
        self.laid.append(uid)

    def remove(self, slot: int = 0) -> None:
        self.lies.pop(slot)


@pytest.fixture
def slots() -> Slots:
    return Slots()


@pytest.fixture
def reader(slots: Slots) -> BadgeReader:
    return BadgeReader(slots, 1)  # type: ignore[arg-type]


def test_a_badge_has_one_uid_and_no_other_badge_has_it() -> None:
    names = ["floor", "olena", "dealer 1", "dealer 2"]
    assert len({badge_uid(name, 1) for name in names}) == len(names)
    assert badge_uid("floor", 1) == badge_uid("floor", 1) != badge_uid("floor", 2)
    assert all(len(badge_uid(name, 1)) == 7 and badge_uid(name, 1)[0] == 4 for name in names)


def test_badges_are_shown_one_after_the_other(reader: BadgeReader, slots: Slots) -> None:
    first = reader.tap("floor", 1000)
    second = reader.tap("olena", 1100)
    assert (first, second) == (1000 + TAP_MS, first + AWAY_MS + TAP_MS)
    seen = []
    for t_ms in range(1000, second + 10, 10):
        reader.tick(t_ms)
        if not seen or seen[-1] != reader.lies:
            seen.append(reader.lies)
    assert seen == ["floor", "", "olena", ""]
    assert slots.laid == [badge_uid("floor", 1), badge_uid("olena", 1)] and slots.lies == {}


def test_a_badge_lies_there_until_it_is_taken_or_another_one_is_shown(
    reader: BadgeReader, slots: Slots
) -> None:
    reader.lay("floor")
    reader.tick(10_000)
    assert slots.lies == {BADGE_SLOT: badge_uid("floor", 1)}
    reader.tap("olena", 10_000)
    reader.tick(10_000)
    assert slots.lies == {}, "the hand takes one away before it shows the other"
    reader.tick(10_000 + AWAY_MS)
    assert reader.lies == "olena"
    reader.lay("")
    assert slots.lies == {} and reader.lies == ""


@pytest.mark.parametrize("badge", ["", 7, None, "a/b", "x" * 41])
def test_a_badge_without_a_name_is_refused(reader: BadgeReader, slots: Slots, badge: object) -> None:
    for what in ("tap_badge", "lay_badge"):
        assert reader.asked({"do": what, "badge": badge}, 0) == {
            "ok": False,
            "expected": 'a badge\'s name, as "floor"',
        }
    assert slots.laid == []
    assert reader.asked({"do": "tap_badge", "badge": "floor"}, 5) == {"ok": True, "away_ms": TAP_MS}


def test_a_table_without_such_a_reader_says_so(tmp_path) -> None:
    world = LiveWorld(tmp_path, None, speed=20, seed=1, gate=False, reporter=Reporter(None, as_json=False))
    try:
        assert world.show_badge({"do": "tap_badge", "badge": "floor"})["ok"] is False
    finally:
        world.close()


def test_the_window_shows_badges_and_leaves_one_lying(
    qtbot, tmp_path, reader: BadgeReader, slots: Slots
) -> None:
    world = LiveWorld(tmp_path, None, speed=20, seed=1, gate=False, reporter=Reporter(None, as_json=False))
    world.badges = reader
    window = TableWindow(world, HandTable(world.seats, 1), seed=1, button=7)
    window.show()
    try:
        window.keys["badge-stays"].click()
        assert window.keys["badge-stays"].text() == "Take badge away: floor"
        assert slots.lies == {BADGE_SLOT: badge_uid("floor", 1)}
        window.keys["badge-stays"].click()
        assert slots.lies == {} and window.keys["badge-stays"].text() == "Floor: leave it lying there"
        window.keys["badge-dealer 1"].click()
        QTest.qWait(50)
        assert slots.laid[-1] == badge_uid("dealer 1", 1)
    finally:
        window.close()
        world.close()
