"""A table that records itself while a trace is played at it, and what is left: its facts, and the trace that it has written."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from dealer_assist.composition import core_for_trace
from dealer_assist.domain import commands as cmd
from dealer_assist.domain.table import HandOpening
from dealer_assist.replay import Replay
from dealer_assist.replay_checks import HandResult
from dealer_assist.seating import Ledger, SeatRecord
from dealer_assist.table.change import Change
from dealer_assist.table.core import Core
from dealer_assist.table.recording import MOST_LINES, Recorder
from dealer_assist.table.trace import Entry, Expect, Header, read

#: What the screen shows of the hand; lamps and notices of devices are the devices' own.
OF_THE_HAND = ("hand", "seat", "board", "pot", "now", "pad", "undo", "alert")


class Recording(msgspec.Struct):
    """``live``, ``replayed``: facts in order; ``lines``: the trace; ``results``: of its replay; ``most_kept``: lines in memory, at most."""

    live: list[Any]
    replayed: list[Any]
    lines: list[bytes]
    results: list[HandResult]
    most_kept: int

    def __repr__(self) -> str:
        return f"Recording({len(self.lines)} lines)"


def _facts(changes: Iterable[Change]) -> list[Any]:
    """Facts as JSON, without the references of reads, which are random in each."""
    told = [
        msgspec.to_builtins(fact, str_keys=True)
        for change in changes
        for fact in change.facts
        if fact.__struct_config__.tag in OF_THE_HAND
    ]
    for fact in told:
        alert = fact.get("alert", {})
        for why in alert.get("why", ()):
            why["reads"] = len(why["reads"])
        parts = (*alert.get("why", ()), *alert.get("steps", ()))
        for params in (alert.get("params", {}), *[part["params"] for part in parts]):
            params.update({name: "" for name, value in params.items() if _is_ref(value)})
    return told


def _is_ref(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[0-9a-f]{16}", value) is not None


def recorded(
    entries: Iterable[Entry],
    *,
    opens_itself: bool = False,
    key: bytes = bytes(32),
    most_lines: int = MOST_LINES,
    plant: Callable[[Core], None] = lambda core: None,
) -> Recording:
    """Play a trace at a live table that records. ``opens_itself``: no hand is opened by a tap, each begins at its first card."""
    changes: list[Change] = []
    core: Core | None = None
    recorder: Recorder | None = None
    most_kept = 0

    def came(more: list[Change]) -> None:
        assert recorder is not None
        recorder.after(more)
        changes.extend(more)

    for entry in entries:
        what = entry.what
        if isinstance(what, Header):
            if core is not None:
                break  # another table
            core = core_for_trace(what, None)
            plant(core)
            bare = msgspec.structs.replace(what, deck=None, decks=(), seats=core.setup.seats)
            recorder = Recorder(core, bare, most_lines=most_lines)
            if opens_itself:
                core.seats.ledger = Ledger({seat: SeatRecord("in", 200) for seat in core.setup.seats})
            continue
        assert core is not None and recorder is not None
        if isinstance(what, Expect | dict):
            continue
        if isinstance(what, HandOpening | cmd.Command):
            if opens_itself and isinstance(what, HandOpening):
                continue
            command = cmd.OpenHand(what) if isinstance(what, HandOpening) else what
            recorder.before()
            refused, more = core.tell(command, "dealer", entry.t_ms)
            recorder.told(command, "dealer", entry.t_ms, "" if refused is None else refused.code)
            came(more)
        else:
            recorder.observed(what)
            came(core.observe(what))
        came(core.tick(entry.t_ms))
        most_kept = max(most_kept, recorder.kept)
    assert recorder is not None
    lines = list(recorder.taken().lines(key))
    again: list[Change] = []
    results = list(
        Replay(lambda header: core_for_trace(header, None), watch=again.append).feed(read("r", lines))
    )
    live = _facts(changes)
    # a hand that is not over when the recording ends is closed by the replay
    return Recording(live, _facts(again)[: len(live)], lines, results, most_kept)


def hand_lines(lines: Iterable[bytes]) -> list[dict[str, Any]]:
    """The lines as objects."""
    return [json.loads(line) for line in lines]


def random_key() -> bytes:
    """As the service takes it."""
    return os.urandom(32)
