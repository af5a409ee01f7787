from __future__ import annotations

import functools
import json
import threading
from pathlib import Path

import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain import equipment as eq
from dealer_assist.domain.table import HandOpening, Limits, SeatStack
from dealer_assist.table.equipment.set_ups import Outcome
from dealer_assist.table.recording import Recorder
from dealer_assist.table.trace import Entry, Header, read
from hw_sim.director import play
from hw_sim.hands import load_hands
from hw_sim.noise import misses
from hw_sim.trace import TraceWorld
from tests.table.driver import Driver
from tests.table.floor_rig import FloorRig
from tests.table.recorded import OF_THE_HAND, hand_lines, recorded

TESTS = Path(__file__).parents[1]
SCENARIOS = sorted((TESTS / "scenarios").glob("*.toml"))
HANDS = 4


@functools.cache
def trace(*files: Path, hands: int | None = None, miss_rate: float = 0.0) -> tuple[Entry, ...]:
    lines: list[str] = []
    world = TraceWorld(lines.append, seed=1, profile=misses(miss_rate))
    now_ms = 1000
    for hand in load_hands(list(files), None, hands):
        now_ms = play(hand, world, now_ms)
    return tuple(read("t", lines))


@pytest.mark.parametrize("path", SCENARIOS[::66], ids=lambda path: path.stem)
def test_a_recorded_trace_replays_identically(path):
    left = recorded(trace(path))
    assert left.live and {fact["kind"] for fact in left.live} <= set(OF_THE_HAND)
    assert left.replayed == left.live
    assert [result.differences for result in left.results] == [[]] * len(left.results)


def test_so_do_many_hands_in_a_row_with_reads_that_miss():
    left = recorded(trace(TESTS / "data" / "pluribus_sample.phhs", hands=HANDS, miss_rate=0.05))
    assert len(left.results) == HANDS
    assert left.replayed == left.live
    assert not any(result.differences for result in left.results)


def test_no_more_lines_are_kept_than_were_asked_for_while_a_hand_goes_on():
    entries = trace(TESTS / "data" / "pluribus_sample.phhs", hands=HANDS)
    most = 5 * recorded(entries).most_kept // HANDS // 4
    assert recorded(entries, most_lines=most).most_kept <= most


class SlowDesk:
    """A desk whose disk has not answered yet."""

    busy = False

    def __init__(self) -> None:
        self.disk = threading.Event()

    def tell(self, command: object, actor: str, t_ms: int) -> Outcome:
        return Outcome(later=self._write)

    def tick(self, t_ms: int) -> Outcome:
        return Outcome()

    def _write(self) -> Outcome:
        assert self.disk.wait(20)
        told = {"path": "here.jsonl", "hands": 1, "lines": 2}
        return Outcome(params=told, marks=[("trace_saved", told)])


def test_the_table_goes_on_while_a_recording_is_written(tmp_path):
    desk = SlowDesk()
    table = Driver()
    rig = FloorRig(tmp_path, table.core, staffed=False, equipment=desk)
    try:
        answers = rig.send(eq.SaveTrace())
        assert rig.ask(cmd.CallFloor()).ok
        assert answers == [] and rig.marks("trace_saved") == []
        desk.disk.set()
        rig.until(lambda: answers)
        assert answers[0].ok and answers[0].params["path"] == "here.jsonl"
        assert rig.marks("trace_saved") == ["trace_saved"]
    finally:
        desk.disk.set()
        rig.close()


def test_what_was_taken_stays_as_it_was_while_the_table_goes_on():
    table = Driver()
    recorder = Recorder(table.core, Header(1, "seed", "nlhe", Limits(1, 2), ()))
    recorder.after(table.core.tell(cmd.Void(), "floor", table.t_ms)[1])

    def a_hand(name: str) -> None:
        recorder.devices((), table.core.readers)
        opening = HandOpening(name, 7, tuple(SeatStack(seat, 200) for seat in (1, 2, 7)))
        refused, changes = table.core.tell(cmd.OpenHand(opening), "dealer", table.t_ms)
        assert refused is None
        recorder.after(changes)
        recorder.after(table.core.tell(cmd.Void(), "floor", table.t_ms)[1])

    a_hand("h2")
    taken = recorder.taken()
    before = list(taken.lines(bytes(32)))
    a_hand("h3")
    assert list(taken.lines(bytes(32))) == before
    assert len(list(recorder.taken().lines(bytes(32)))) > len(before)


def test_a_hand_that_its_first_card_opens_is_opened_by_it_again():
    left = recorded(trace(TESTS / "data" / "pluribus_sample.phhs", hands=3), opens_itself=True)
    opened = [line for line in hand_lines(left.lines) if "open_hand" in line]
    assert opened, "no hand was opened by its cards"
    assert left.replayed == left.live


def test_a_trace_names_no_card_that_was_not_public():
    entries = trace(TESTS / "data" / "pluribus_sample.phhs", hands=HANDS)
    lines = recorded(entries).lines
    text = b"".join(lines)
    head = json.loads(lines[0])
    named = [face for deck in head["decks"] for face in deck["cards"].values() if face[0] not in "#!"]
    shown = {
        face for line in hand_lines(lines) if "tap" in line for face in [line["tap"].get("face")] if face
    }
    public = _public(entries)
    assert named and set(named) | shown <= public
    for uid in entries[0].what.deck.cards:  # type: ignore[union-attr]
        assert uid.encode() not in text and bytes.fromhex(uid) not in text


def _public(entries: tuple[Entry, ...]) -> set[str]:
    from dealer_assist.composition import core_for_trace
    from dealer_assist.replay import Replay
    from tests.secrecy.replayed import revealed

    changes: list = []
    list(Replay(lambda header: core_for_trace(header, None), watch=changes.append).feed(entries))
    return set(revealed(changes))


def test_the_same_card_has_another_token_in_each_hand():
    lines = recorded(trace(TESTS / "data" / "pluribus_sample.phhs", hands=HANDS)).lines
    hand, hands_of = 0, {}
    for line in hand_lines(lines):
        if "expect" in line:
            hand += 1
        if line.get("msg") == "tag_arrived":
            hands_of.setdefault(line["uid"], set()).add(hand)
    assert hand == HANDS
    assert all(len(hands) == 1 for hands in hands_of.values())


def test_another_key_gives_other_tokens():
    entries = trace(SCENARIOS[0])
    first, second = (recorded(entries, key=bytes([byte]) * 32).lines for byte in (1, 2))
    uids = [{line["uid"] for line in hand_lines(lines) if "uid" in line} for lines in (first, second)]
    assert uids[0] and not uids[0] & uids[1]
