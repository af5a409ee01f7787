"""What the tests of the formats share: hands that the product has played, and what people at the table could see of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import msgspec

from dealer_assist.composition import core_for_trace
from dealer_assist.formats import FinishedHand
from dealer_assist.replay import Replay
from dealer_assist.table.change import Change
from dealer_assist.table.trace import read
from hw_sim import steps as st
from hw_sim.director import play
from hw_sim.hands import load_hands
from hw_sim.trace import TraceWorld

DATA = Path(__file__).parents[1] / "data"
SCENARIOS = Path(__file__).parents[1] / "scenarios"
FACE = re.compile(rb'"([2-9TJQKA][cdhs])"')


class Played(msgspec.Struct):
    """``public``: every face that a screen ever showed during the hand."""

    hand: FinishedHand
    public: frozenset[str]


def trace_lines(hands: Iterable[st.Hand]) -> list[str]:
    """The recording of these hands, one after the other."""
    lines: list[str] = []
    world = TraceWorld(lines.append)
    now_ms = 1000
    for hand in hands:
        now_ms = play(hand, world, now_ms)
    return lines


def played(lines: Iterable[str]) -> list[Played]:
    """The hands of a recording as the product tells them."""
    out: list[Played] = []
    shown: set[str] = set()

    def watch(change: Change) -> None:
        shown.update(face.decode() for face in FACE.findall(msgspec.json.encode(change.facts)))
        if change.played is not None:
            out.append(Played(change.played, frozenset(shown)))
            shown.clear()

    replay = Replay(lambda header: core_for_trace(header, None), watch=watch)
    for _ in replay.feed(read("recording", lines)):
        pass
    return out


def played_file(path: Path) -> list[Played]:
    """The hands of a scenario or a history."""
    return played(trace_lines(load_hands([path], None, None)))
