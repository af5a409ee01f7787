"""The chronicle of a hand: step by step what the screens showed of it, kept while it runs and stored when it is over.

It is made of the facts themselves, so that it can tell no more than the screens did. One thing less: cards that a tap tabled and that
were taken back are no tabled cards, and stay backs in every step.

Written by the session's thread alone. ``running`` may be called from any thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from dealer_assist.domain import facts as fx
from dealer_assist.domain.history import AlertLine, HandLine, ReplayStep
from dealer_assist.formats.finished import FinishedHand
from dealer_assist.table import events as te
from dealer_assist.table import inputs as inp
from dealer_assist.table.change import Change

#: So many steps a hand has at most; neighbours are then put together, the oldest first.
MOST_STEPS: Final = 600
#: The sections that a replay draws. The pad is not of the past, and devices are not of the hand.
_SHOWN: Final = (
    fx.TableFact,
    fx.HandFact,
    fx.SeatFact,
    fx.BoardFact,
    fx.PotFact,
    fx.NowFact,
    fx.AlertFact,
    fx.NoticeFact,
)
_KINDS: Final = frozenset(str(kind.__struct_config__.tag) for kind in _SHOWN)
#: What a step says of the command that caused it. Not which card was entered: it may have been taken back.
_TOLD: Final = ("seat", "action", "to", "amount", "behind", "row", "answer", "response", "option", "zone", "count",
    "card", "times")  # fmt: skip
_Section = tuple[str, str]


class Shown(msgspec.Struct, frozen=True):
    """A hand as it is stored: its line in the list, and its steps. The line's ``row`` is known only once it is stored."""

    line: HandLine
    steps: tuple[ReplayStep, ...]


class _Running:
    """A hand that runs. Lists are only added to, or replaced whole: another thread may read them at any time."""

    def __init__(self, hand: str, t_ms: int, began_s: int, game: str) -> None:
        self.hand = hand
        self.t_ms = t_ms
        self.began_s = began_s
        self.game = game
        self.steps: list[ReplayStep] = []
        #: how many of them are durable and were shown
        self.stored = 0

    def add(self, step: ReplayStep) -> None:
        self.steps.append(step)
        if len(self.steps) > MOST_STEPS:
            half = len(self.steps) // 2
            thin = [self.steps[0], *_joined(self.steps[1:half])]
            self.stored = max(0, self.stored - (half - len(thin)))
            self.steps = [*thin, *self.steps[half:]]


class Chronicle:
    """``sections``: what the screens show before the first change. ``utc_s``: the time on the wall, in seconds."""

    def __init__(self, sections: Iterable[fx.Fact], utc_s: Callable[[], int]) -> None:
        self._utc_s = utc_s
        self._sections: dict[_Section, Any] = {
            fx.section(fact): fact for fact in sections if isinstance(fact, _SHOWN)
        }
        self._running: _Running | None = None
        self._cause: tuple[str, dict[str, Any]] = ("", {})
        self._over: dict[str, Shown] = {}

    # -- the session's thread ------------------------------------------------------------------------------------------------------

    def add(self, changes: Iterable[Change], began_s: int | None = None) -> None:
        """Take changes that are about to be stored. ``began_s``: when the hand that they open began, if that was not now."""
        for change in changes:
            self._add(change, began_s)

    def stored(self) -> None:
        """All that was taken is durable, and shown."""
        self._over.clear()
        if self._running is not None:
            self._running.stored = len(self._running.steps)

    def over(self, hand: str) -> Shown | None:
        """A hand that ended among the changes that were taken and not stored yet."""
        return self._over.get(hand)

    def _add(self, change: Change, began_s: int | None) -> None:
        opened = False
        ended: te.HandClosed | None = None
        if change.input is not None:
            self._cause = _cause_of(change.input)
            opened = self._cause[0] == "open_hand"
        for event in change.events:
            if isinstance(event, te.HandClosed):
                ended = event
        facts = tuple([fact for fact in change.facts if isinstance(fact, _SHOWN)])
        gone = tuple([section for section in change.gone if section[0] in _KINDS])
        for section in gone:
            self._sections.pop(section, None)
        for fact in facts:
            self._sections[fx.section(fact)] = fact
        if opened:
            shown = self._sections[("hand", "")]
            assert isinstance(shown, fx.HandFact)
            now_s = self._utc_s() if began_s is None else began_s
            self._running = _Running(shown.hand, change.t_ms, now_s, shown.game)
            facts, gone = tuple(self._sections.values()), ()
        running = self._running
        if running is not None and (facts or gone):
            cause, params = self._cause
            running.add(ReplayStep(change.t_ms - running.t_ms, cause, facts, gone, params))
            self._cause = ("", {})
        if running is not None and ended is not None:
            self._over[ended.hand] = self._closed(running, change.played)
            self._running = None

    def _closed(self, running: _Running, played: FinishedHand | None) -> Shown:
        steps = public(running.steps)
        line = _line(running, steps, self._utc_s())
        if played is not None:
            won: dict[int, int] = {}
            for pot in played.pots:
                for seat, share in pot.shares:
                    won[seat] = won.get(seat, 0) + share
            for paid in played.fund:
                if paid.what == "wins unfold fund":
                    won[paid.seat] = won.get(paid.seat, 0) + paid.amount
            line = replace(
                line,
                result=played.result,
                pot=sum(pot.amount for pot in played.pots),
                winners=tuple(sorted(won.items())),
                amounts=played.amounts,
            )
        return Shown(line, steps)

    # -- any thread ----------------------------------------------------------------------------------------------------------------

    def running(self) -> Shown | None:
        """The hand that is running, as far as it was shown; None between hands."""
        running = self._running
        if running is None or not running.stored:
            return None
        steps = public(running.steps[: running.stored])
        return Shown(_line(running, steps, 0), steps)


def _line(running: _Running, steps: Sequence[ReplayStep], ended_s: int) -> HandLine:
    """The hand's line, as its steps tell it."""
    pot = 0
    amounts = True
    alerts: dict[_Section, AlertLine] = {}
    for step in steps:
        for section in step.gone:
            alerts.pop(section, None)
        for fact in step.facts:
            match fact:
                case fx.PotFact():
                    pot = fact.total
                case fx.TableFact():
                    amounts = fact.tracking != "cards"
                case fx.AlertFact(alert=alert) if alert.evidence != "possible":
                    line = AlertLine(alert.rule, alert.evidence, alert.priority, alert.state, alert.seat)
                    alerts[fx.section(fact)] = line
    return HandLine(
        0,
        running.hand,
        "",
        running.began_s,
        ended_s,
        running.game,
        pot,
        (),
        tuple(alerts.values()),
        len(steps),
        amounts,
    )


def _joined(steps: Sequence[ReplayStep]) -> list[ReplayStep]:
    """Each two neighbours as one: what the second one shows is what is seen."""
    pairs = [steps[index : index + 2] for index in range(0, len(steps), 2)]
    return [pair[0] if len(pair) == 1 else _both(*pair) for pair in pairs]


def _both(first: ReplayStep, second: ReplayStep) -> ReplayStep:
    facts = {fx.section(fact): fact for fact in first.facts}
    gone = dict.fromkeys(first.gone)
    for section in second.gone:
        facts.pop(section, None)
        gone[section] = None
    for fact in second.facts:
        facts[fx.section(fact)] = fact
        gone.pop(fx.section(fact), None)
    said = second if second.cause else first
    return ReplayStep(second.t_ms, said.cause, tuple(facts.values()), tuple(gone), said.params)


# -- what was tabled ---------------------------------------------------------------------------------------------------------------


def public(steps: Sequence[ReplayStep]) -> tuple[ReplayStep, ...]:
    """The steps without cards that were tabled by a tap and are not at their last: it was taken back, and nobody turned them up."""
    last: dict[int, tuple[str, ...]] = {}
    taken_back: set[int] = set()
    for step in steps:
        for fact in step.facts:
            if isinstance(fact, fx.SeatFact):
                if not set(last.get(fact.seat, ())) <= set(fact.tabled):
                    taken_back.add(fact.seat)
                last[fact.seat] = fact.tabled
    if not taken_back:
        return tuple(steps)
    return tuple(
        [
            replace(step, facts=tuple([_without(fact, last, taken_back) for fact in step.facts]))
            for step in steps
        ]
    )


def _without(fact: fx.Fact, last: dict[int, tuple[str, ...]], taken_back: set[int]) -> fx.Fact:
    match fact:
        case fx.SeatFact() if fact.seat in taken_back:
            return replace(fact, tabled=tuple([face for face in fact.tabled if face in last[fact.seat]]))
        case fx.NowFact() if fact.pushes:
            pushes = [
                replace(push, name="", params={}) if push.seat in taken_back else push for push in fact.pushes
            ]
            return replace(fact, pushes=tuple(pushes))
        case _:
            return fact


# -- causes ------------------------------------------------------------------------------------------------------------------------


def _cause_of(given: inp.Input) -> tuple[str, dict[str, Any]]:
    """What a step says of its input: never which card it was."""
    match given:
        case inp.Told():
            return _told(given.command)
        case inp.Superseded(instead=None):
            return "undo", {}
        case inp.Superseded():
            code, params = _told(given.instead)
            return ("late" if given.before else "correct"), {"what": code, **params}
        case inp.CardPlaced() | inp.CardRemoved() | inp.CardGlimpsed() | inp.StrangeCard():
            return _tag(given), {"zone": given.zone}
        case inp.CardLeftLying():
            return _tag(given), {"seat": given.seat}
        case _:
            return _tag(given), {}


def _told(command: Any) -> tuple[str, dict[str, Any]]:
    params = {
        name: getattr(command, name) for name in _TOLD if getattr(command, name, None) not in (None, "")
    }
    return _tag(command), params


def _tag(value: Any) -> str:
    return str(type(value).__struct_config__.tag)
