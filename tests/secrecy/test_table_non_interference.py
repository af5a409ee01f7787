"""The same hands with the hidden faces exchanged, through sealer, journal, session and socket: all that is not sealed is the same."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.link import Result
from dealer_assist.station.app import application
from dealer_assist.station.window import StationWindow
from tests.secrecy.hands import EACH_SCENARIO, ON_ONE_WORKER, Dealt, exchanged
from tests.secrecy.replayed import scenario_replayed
from tests.secrecy.search import differences, faces_in, tags_in
from tests.secrecy.table_run import run

SCREENS = 10


@ON_ONE_WORKER
def test_two_hundred_hands_leave_the_same(two_runs) -> None:
    first = two_runs.first
    refused = {message.code for message in first.messages() if isinstance(message, Result)}
    assert refused == {"", "bad_seat"}, (
        "the hands were played as they were dealt, apart from the test's own pings"
    )
    assert len(first.checkpoints) == len(two_runs.hands)
    assert len(first.log) > 1_000_000
    assert {size for _, _, size in first.seals} == {112}
    assert len(first.seals) >= sum(len(hand.read()) for hand in two_runs.hands)
    assert differences(first, two_runs.second) == set()


@pytest.fixture
def windows(qapp: QApplication) -> Iterator[tuple[StationWindow, StationWindow]]:
    """Two stations, one for each run."""
    application()
    both = [StationWindow(language="en", animated=False, clock=lambda: "21:47") for _ in range(2)]
    for window in both:
        window.show()
    yield both[0], both[1]
    for window in both:
        window.shut()
    qapp.processEvents()


@ON_ONE_WORKER
def test_screens_before_a_showdown_are_the_same_pictures(two_runs, windows, tmp_path, qapp) -> None:
    first, second = two_runs.first, two_runs.second
    assert first.moments == second.moments
    shown = [hand.name for hand in two_runs.hands if _has_showdown(hand)][:SCREENS]
    assert len(shown) == SCREENS
    pictures = set()
    done = 0
    for name in shown:
        until = first.moments[name]
        for window, left in zip(windows, (first, second), strict=True):
            window.receive(left.messages(until)[done:])
            qapp.processEvents()
        ours, theirs = (window.grab().toImage() for window in windows)
        assert windows[0].state.hand is not None and windows[0].state.hand.hand == name
        assert ours == theirs
        pictures.add(windows[0].grab_png(tmp_path / "screen.png").read_bytes())
        done = until
    assert len(pictures) == SCREENS, "pictures that are all alike show nothing"


def _has_showdown(hand: Dealt) -> bool:
    return any(isinstance(entry.what, cmd.Tabled) for entry in hand.entries)


@EACH_SCENARIO
def test_irregularities_leave_the_same_and_no_identity(name: str, tmp_path, key_folder) -> None:
    hand, shown = scenario_replayed(name)
    other = exchanged(hand.cards, set(shown.public), seed=1)
    first, second = (
        run(tmp_path / run_name, key_folder(), [hand], cards)
        for run_name, cards in (("a", hand.cards), ("b", other))
    )
    assert first.rows and first.seals
    assert differences(first, second) == set()
    assert tags_in(first, [hand]) == []
    assert faces_in(first, [hand]) == []
