"""Hands through the product's replay, with everything that it can show or say kept as bytes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from io import StringIO

import msgspec

from dealer_assist import logs
from dealer_assist.composition import core_for_trace
from dealer_assist.replay import Replay
from dealer_assist.table import inputs as inp
from dealer_assist.table.change import Change
from dealer_assist.table.core import Core
from dealer_assist.table.trace import Entry, Header
from tests.secrecy.hands import Cards, Dealt, scenario


class Shown(msgspec.Struct, frozen=True):
    """What came of one hand: every change with inputs, events and facts, the snapshots, the result, the log; and what was revealed."""

    facts: bytes
    result: bytes
    log: str
    public: frozenset[str]


def replayed(hand: Dealt, cards: Cards, plant: Callable[[Core], None] = lambda core: None) -> Shown:
    """Replay ``hand`` with its tags registered as ``cards``. ``plant`` may put a leak into the core."""
    changes: list[Change] = []
    kept: list[bytes] = []
    cores: list[Core] = []

    def build(header: Header) -> Core:
        core = core_for_trace(header, None)
        plant(core)
        cores.append(core)
        return core

    def watch(change: Change) -> None:
        changes.append(change)
        kept.append(msgspec.json.encode(change))
        kept.append(msgspec.json.encode(cores[-1].snapshot()))

    log = StringIO()
    logs.configure("json", "traffic", stream=log, now=lambda: "")
    header = Entry(0, 1, hand.header_with(cards))
    results = list(Replay(build, watch=watch).feed([header, *hand.entries]))
    assert len(results) == 1
    kept.append(msgspec.json.encode(cores[-1].snapshot()))
    return Shown(b"\n".join(kept), msgspec.json.encode(results[0]), log.getvalue(), revealed(changes))


@functools.cache
def scenario_replayed(name: str) -> tuple[Dealt, Shown]:
    """A scenario as it was dealt, and what came of it."""
    hand = scenario(name)
    return hand, replayed(hand, hand.cards)


def revealed(changes: Iterable[Change]) -> frozenset[str]:
    """The faces that the vault gave, and those that a person entered."""
    faces = {change.input.face for change in changes if isinstance(change.input, inp.FaceRevealed)}
    entered = {getattr(event, "face", "") for change in changes for event in change.events}
    return frozenset(faces | entered - {""})
