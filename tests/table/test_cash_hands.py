"""Cash hands of home games through the whole core: nothing is said about them, and they end as their source says, in every house.

The sample in tests/data, and the whole file where it is at hand. docs/cash_hands.md says what is peculiar about which of them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_assist.composition import core_for_trace
from dealer_assist.replay import Replay
from dealer_assist.replay_checks import HandResult
from dealer_assist.table.trace import read
from hw_sim.director import play
from hw_sim.hands import load_hands
from hw_sim.trace import TraceWorld

SAMPLE = Path(__file__).parents[1] / "data" / "cash_sample.ohh.jsonl"
WHOLE = Path(__file__).parents[3] / "shared" / "data" / "cash.ohh.jsonl"
HOUSES = ("seed", "roberts", "wsop_cash", "tda2024", "wsop_tournament")


def results(path: Path, house: str, entry: str | None) -> list[HandResult]:
    """What comes of each hand of a file, dealt by a house."""
    lines: list[str] = []
    world = TraceWorld(lines.append)
    now_ms = 1000
    for hand in load_hands([path], house, None, entry):
        now_ms = play(hand, world, now_ms)
    replay = Replay(lambda header: core_for_trace(header, None))
    return list(replay.feed(read(path.name, lines)))


#: The whole file takes some seconds each time; under the other houses `make quiet HANDS=…` plays it.
RUNS = [
    *((SAMPLE, house, None) for house in HOUSES),
    (SAMPLE, "seed", "by_exception"),
    *((WHOLE, house, None) for house in ("seed", "wsop_tournament") if WHOLE.exists()),
]


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("path", "house", "entry"), RUNS, ids=lambda value: getattr(value, "stem", value))
def test_nothing_is_said_and_every_hand_ends_as_its_source_says(
    path: Path, house: str, entry: str | None
) -> None:
    found = results(path, house, entry)
    assert len(found) == (65 if path == SAMPLE else 2860)
    assert [result.hand for result in found if result.alerts] == []
    assert {result.hand: result.differences for result in found if result.differences} == {}
    assert [result.notes for result in found if result.notes] == []
