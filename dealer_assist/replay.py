"""Replay: a trace through zones, vault, engine, betting and facts in memory, at full speed, one object a source hand."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from typing import Any, Final, get_args

import msgspec

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.facts import SeatFact
from dealer_assist.domain.table import HandOpening
from dealer_assist.replay_checks import HandResult, compare, difference, spelled
from dealer_assist.table.change import Change
from dealer_assist.table.core import Core
from dealer_assist.table.hand import Hand, final_stacks
from dealer_assist.table.ports import Observation
from dealer_assist.table.trace import Entry, Expect, Header, Lamps, Sensed

#: what devices say: nearly all lines of a trace
_SEEN: Final = frozenset(get_args(Observation))


class Replay:
    """Feeds a trace to cores, one a header. ``build`` makes the core of a header."""

    def __init__(
        self, build: Callable[[Header], Core], *, watch: Callable[[Change], None] | None = None
    ) -> None:
        self._build = build
        self._watch = watch
        self._core: Core | None = None
        self._source = ""
        self._unit = ""
        self._recorded = False
        self._hand: str | None = None
        self._differences: list[str] = []
        self._marks: set[tuple[int, str]] = set()

    def feed(self, entries: Iterable[Entry]) -> Iterable[HandResult]:
        """Yield a result for each hand, in order, whatever happened."""
        for entry in entries:
            what = entry.what
            if type(what) in _SEEN:
                if self._recorded:
                    self._take(self._table().tick(entry.t_ms))
                self._take(self._table().observe(what))  # type: ignore[arg-type]
                continue
            match what:
                case Header():
                    yield from self._finish(None)
                    self._core = self._build(what)
                    self._source = what.source
                    self._unit = what.unit
                    self._recorded = what.recorded is not None
                case Sensed():
                    self._take(self._table().tick(entry.t_ms))
                    self._table().sensing = dict(what.sensing)
                case Lamps():
                    core = self._table()
                    self._take(core.tick(entry.t_ms))
                    self._take(core.set_devices(what.facts, what.readers))
                case HandOpening():
                    yield from self._finish(None)
                    self._open(entry, what)
                case Expect():
                    yield from self._finish(entry)
                case dict():
                    self._take(self._table().tick(entry.t_ms))
                    self._check_now(entry, what)
                case _:
                    assert isinstance(what, cmd.Command)
                    self._tap(entry, what)
        yield from self._finish(None)

    @property
    def house(self) -> str:
        """The house by whose rules the hands of the last header are judged."""
        return self._table().rules.house.name

    def _table(self) -> Core:
        assert self._core is not None, "a trace starts with a header"
        return self._core

    def _take(self, changes: list[Change]) -> None:
        for change in changes:
            if self._watch is not None:
                self._watch(change)
            for fact in change.facts:
                if isinstance(fact, SeatFact) and fact.marks:
                    self._marks.update((fact.seat, mark) for mark in fact.marks if mark != "assumed")

    def _open(self, entry: Entry, opening: HandOpening) -> None:
        core = self._table()
        self._hand = opening.hand
        self._differences = []
        self._marks = set()
        if self._recorded:
            self._take(core.tick(entry.t_ms))
            if core.hand_running() and core.hand is not None and core.hand.procedure.hand == opening.hand:
                return  # its first card has opened it
        core.close()
        refused, changes = core.tell(cmd.OpenHand(opening), "simulated", entry.t_ms)
        if refused is not None:
            self._differences.append(
                f"line {entry.line}: the hand was not opened: {refused.code} ({spelled(refused.params)})"
            )
        self._take(changes)

    def _tap(self, entry: Entry, command: cmd.Command) -> None:
        refused, changes = self._table().tell(command, entry.actor, entry.t_ms)
        if entry.refused:
            code = "" if refused is None else refused.code
            if code != entry.refused:
                said = code or "taken"
                self._differences.append(
                    f"line {entry.line}: tap {_in_words(command)}: {said}, expected it to be refused as {entry.refused}"
                )
        elif refused is not None:
            why = {key: value for key, value in refused.params.items() if value != ""}
            self._differences.append(
                f"line {entry.line}: tap {_in_words(command)}: refused, {refused.code}{f' ({spelled(why)})' if why else ''}"
            )
        elif isinstance(command, cmd.OpenHand) and (hand := self._table().hand) is not None:
            self._hand = hand.procedure.hand
        self._take(changes)

    # -- checks in the hand --------------------------------------------------------------------------------------------------------

    def _check_now(self, entry: Entry, wanted: dict[str, Any]) -> None:
        core = self._table()
        hand = core.hand
        problem = "no hand is open" if hand is None else difference(hand, wanted, core.snapshot())
        if problem:
            script = f" ({self._source}:{entry.scenario_line})" if entry.scenario_line else ""
            self._differences.append(f"line {entry.line}{script}: expected {spelled(wanted)}: {problem}")

    # -- the end of a hand -----------------------------------------------------------------------------------------------------------

    def _finish(self, entry: Entry | None) -> Iterable[HandResult]:
        if self._hand is None:
            return
        core = self._table()
        if entry is not None:
            self._take(core.tick(entry.t_ms))
        hand = core.before
        if (
            hand is None or hand.procedure.hand != self._hand
        ):  # else the first cards of the next one have ended it
            core.close()
            self._take(core.tick(core.t_ms))
            hand = core.hand
        if hand is None or hand.procedure.hand != self._hand:
            result = HandResult(
                self._source, self._hand, "void", 0, self._unit, [], 0, [], {}, {}, 0, {}, self._differences
            )
        else:
            result = self._result(hand)
        if entry is not None and isinstance(entry.what, Expect):
            compare(result, entry.what, entry.line)
        self._hand = None
        yield result

    def _result(self, hand: Hand) -> HandResult:
        state = hand.procedure
        settlement = hand.settlement if hand.result == "completed" else None
        pots = sorted(settlement.pots, key=lambda award: award.number) if settlement else []
        return HandResult(
            source=self._source,
            hand=state.hand,
            result=hand.result,
            attempts=state.attempt,
            unit=self._unit,
            alerts=[_alert_json(alert) for alert in state.alerts.values() if alert.evidence != "possible"],
            marks=len(self._marks),
            pots=[{"amount": award.pot.amount, "eligible": list(award.pot.eligible)} for award in pots],
            awards={str(seat): amount for seat, amount in sorted(settlement.awards.items())}
            if settlement
            else {},
            returned=_by_seat(settlement.returned) if settlement else {},
            rake=settlement.rake if settlement else 0,
            drops=dict(settlement.drops) if settlement else {},
            stacks={str(seat): stack for seat, stack in sorted(final_stacks(hand).items())},
            differences=self._differences,
        )


def _in_words(command: cmd.Command) -> str:
    """Its kind and what it says of itself: ``act (seat 4, action raise, to 30)``."""
    told = msgspec.to_builtins(command)
    kind = told.pop("kind")
    said = {key: value for key, value in told.items() if value not in (None, "", False, [], {})}
    return f"{kind} ({spelled(said)})" if said else kind


def _by_seat(chips: Iterable[tuple[int, int]]) -> dict[str, int]:
    total: dict[int, int] = {}
    for seat, amount in chips:
        total[seat] = total.get(seat, 0) + amount
    return {str(seat): amount for seat, amount in sorted(total.items())}


def _alert_json(alert: Alert) -> dict[str, Any]:
    return {
        "rule": alert.rule,
        "evidence": alert.evidence,
        "answered": alert.answered,
        "priority": alert.priority,
        "remedy": alert.remedy,
        "street": alert.street,
        "seat": alert.seat,
    }


def run_timed(
    replay: Replay, entries: list[Entry], clock_s: Callable[[], float]
) -> tuple[list[HandResult], float]:
    """Feed a parsed trace and time it: for the comparison with another engine, both after parsing."""
    gc.collect()
    begin = clock_s()
    results = list(replay.feed(entries))
    return results, clock_s() - begin
