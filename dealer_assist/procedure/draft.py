"""The working copy of one decision: the state so far, the events decided, and the few verbs that rules speak in.

A rule never changes the state: it emits events, and :func:`evolve` applies each at once, so that a later rule of the same
decision sees it.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec.structs import replace

from dealer_assist.domain.alerts import Alert, Evidence, Explanation, Why
from dealer_assist.domain.table import STREETS, Street
from dealer_assist.domain.zones import seat_zone
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.catalogue import ROWS
from dealer_assist.procedure.evolve import evolve
from dealer_assist.procedure.house import House
from dealer_assist.procedure.remedies import REMEDIES
from dealer_assist.procedure.remedies.checks import checked
from dealer_assist.procedure.rulings import chosen, may_stop
from dealer_assist.procedure.state import Bets, BoardSlot, PlanStep, State

_LIVE_STATES = ("open", "fixing")
#: Notes that stay until what they are about is put right.
_LASTING = ("K10", "K13")
#: Rows about one seat's action or hand, mended at that seat alone: two seats, two irregularities. A count or an order is the deal's.
_OF_EACH_SEAT = frozenset(
    ["A1", "A2", "A4", "A5", "A6", "A7", "A8", "A9", "A10", "A11", "A13", "A14", "A15", "P6"]
)
#: Steps that the next card passes, whether or not a reader saw them done.
_UNSURE = ("shuffle", "discard", "point", "window")


def silence_of(rule: str, seat: int | None) -> str:
    """What is silenced with an alert: its rule, and of a rule that is each seat's own matter only this seat ("A9 5")."""
    return f"{rule} {seat}" if rule in _OF_EACH_SEAT and seat is not None else rule


class Draft:
    """One decision being made about one hand."""

    __slots__ = ("assume_closed", "bets", "closed_by_card", "events", "house", "now_ms", "state")

    def __init__(self, state: State, bets: Bets, house: House) -> None:
        self.state: State = state
        self.bets: Bets = bets
        self.house: House = house
        #: when what is judged happened, in table ms, where that is known
        self.now_ms = state.t_ms
        self.events: list[ev.ProcedureEvent] = []
        #: set when the dealer said that the seats still pending have acted: the betting closes the round, marked assumed
        self.assume_closed = False
        #: set when the card that was placed says so (by exception): it is judged once the round is closed, nothing of this holds
        self.closed_by_card = False

    def emit(self, event: ev.ProcedureEvent) -> None:
        """Apply an event and keep it."""
        self.state = evolve(self.state, event)
        self.events.append(event)

    @property
    def round_complete(self) -> bool:
        """Whether the betting of the plan's current street is complete."""
        return self.bets.complete and self.bets.street == self.state.street

    # -- the plan --------------------------------------------------------------------------------------------------------

    def advance(self) -> None:
        """Move past every step that is fulfilled by what is already known."""
        while self._fulfilled():
            self.emit(ev.StepReached(self.state.at + 1))

    def pass_unseen(self) -> None:
        """The next card has come: what no reader can be sure of lies behind it (a shuffle, discards in a pile, points, a window)."""
        while (step := self.state.step).kind in _UNSURE and self.state.at + 1 < len(self.state.plan):
            if step.kind == "shuffle":
                self.emit(ev.StubShuffled())
            self.emit(ev.StepReached(self.state.at + 1))

    @property
    def done(self) -> bool:
        """Whether the current step is fulfilled by what is known."""
        return self._fulfilled()

    def _fulfilled(self) -> bool:
        state = self.state
        step = state.plan[state.at]
        if state.at + 1 >= len(state.plan):
            return False
        match step.kind:
            case "deal":
                return bool(self.bets.actions) or self._dealt()
            case "bet":
                # a plan that comes back may be at a round that is long closed
                passed = STREETS.index(self.bets.street) > STREETS.index(step.street)
                return self.round_complete or self.bets.over or passed
            case "burn":
                return self._burned(step)
            case "board":
                on_board = self.laid(step)
                if len(on_board) != step.count:
                    return False
                # what any antenna reads is judged with its face
                read = [slot for slot in on_board if {step.zone, state.where.get(slot.ref)} & state.readers]
                return all(slot.ref in state.faces for slot in read)
            case "gather":
                return not any(True for slot in state.board if slot.early)
            case "discard":
                return self._discarded(step) or self.bets.over
            case "point":
                return self.bets.over or all(seat in state.chosen for seat in self.bets.live)
            case _:
                return False  # no reader sees it: see pass_unseen

    def laid(self, step: PlanStep) -> list[BoardSlot]:
        """The cards of a board step that lie on its board and play."""
        return [
            slot
            for slot in self.state.board
            if slot.street == step.street and slot.zone == step.zone and not slot.early
        ]

    def _discarded(self, step: PlanStep) -> bool:
        """Whether every live seat was seen to give up its cards."""
        state = self.state
        keeps = state.due - step.count
        return all(0 < len(state.held.get(seat, ())) <= keeps for seat in self.bets.live)

    def _dealt(self) -> bool:
        """Whether every dealt-in seat that a reader sees has its hole cards; False when no reader sees any."""
        state = self.state
        if state.misdeal:
            return False
        seen = False
        for seat in state.order:
            if seat_zone(seat) in state.readers:
                if len(state.held.get(seat, ())) < state.hole:
                    return False
                seen = True
        return seen

    def _burned(self, step: PlanStep) -> bool:
        """Whether the street's burn lies there: burns that count ≥ burn steps up to this one."""
        due = sum(earlier.count for earlier in self.state.plan[: self.state.at + 1] if earlier.kind == "burn")
        return len(self.state.burns) >= due

    def rewrite(self, tail: tuple[PlanStep, ...], *, keep: int) -> None:
        """Keep the first ``keep`` steps of the plan and put ``tail`` behind them; the current step stays within."""
        plan = (*self.state.plan[:keep], *tail)
        self.emit(ev.PlanRewritten(plan, min(self.state.at, keep)))

    # -- alerts ----------------------------------------------------------------------------------------------------------

    def alert(self, rule: str, *, open_only: bool = True) -> Alert | None:
        """The newest alert of a rule in this attempt."""
        for alert in reversed(self.state.alerts.values()):
            if alert.rule == rule and (not open_only or alert.state in _LIVE_STATES):
                return alert
        return None

    def raise_alert(
        self,
        rule: str,
        evidence: Evidence,
        *,
        question: str | None = None,
        seat: int | None = None,
        street: Street | None = None,
        params: dict[str, Any] | None = None,
        why: tuple[Why, ...] = (),
        answered: Literal["yes", "no"] | None = None,
        explanations: tuple[Explanation, ...] = (),
    ) -> Alert | None:
        """Say something, unless this rule is silenced or already speaks. Proven: the remedy begins at once; a note is only possible.

        Of a rule that is each seat's own matter another seat is another irregularity, told beside the one that is open.
        """
        if silence_of(rule, seat) in self.state.silenced or self._speaks(rule, seat):
            return None
        ruling = self.house.rules[rule]
        params = {**self._which_board(street or self.state.street, params or {}), **(params or {})}
        if ROWS[rule].note:
            evidence = "possible"
        alert = Alert(
            id=f"{self.state.hand}/{len(self.state.alerts) + 1}",
            rule=rule,
            evidence="probable" if evidence == "proven" else evidence,
            priority=ruling.priority,
            state="closed" if ROWS[rule].note and rule not in _LASTING else "open",
            stop=False,
            street=street or self.state.street,
            seat=seat,
            house=self.house.name,
            source=ruling.source,
            gap=ruling.gap,
            params=params,
            question=question,
            answered=answered,
            why=why,
            explanations=explanations,
        )
        self.emit(ev.AlertSet(alert))
        if rule in _LASTING:
            return self.begin_remedy(alert, chosen(self, alert))
        if evidence == "proven":
            return self.prove(alert)
        return alert

    def _speaks(self, rule: str, seat: int | None) -> bool:
        if rule not in _OF_EACH_SEAT or seat is None:
            return self.alert(rule) is not None
        return any(
            alert.rule == rule and alert.state in _LIVE_STATES and alert.seat in (None, seat)
            for alert in self.state.alerts.values()
        )

    def note(
        self,
        rule: str,
        why: Why,
        *,
        seat: int | None = None,
        params: dict[str, Any] | None = None,
    ) -> None:
        """Put down something that is no alert, with what it rests on."""
        self.raise_alert(rule, "possible", seat=seat, params=params, why=(why,))

    def _which_board(self, street: Street, params: dict[str, Any]) -> dict[str, int]:
        """Which board a street is of, where there are several of it: ``run``, and ``next_run`` of the street after it."""
        state = self.state
        if state.times == 1 or state.common(street):
            return {}
        last = street == state.plan[-1].street and params.get("next", street) != street
        return {"run": state.run, "next_run": state.run + (last and state.runs_left > 0)}

    def set_alert(self, alert: Alert, **changes: Any) -> Alert:
        """Change fields of an alert."""
        changed = replace(alert, **changes)
        if changed != alert:
            self.emit(ev.AlertSet(changed))
        return changed

    def prove(self, alert: Alert, *, remedy: str | None = None, question: str | None = None) -> Alert:
        """The departure is certain: the remedy of the house rewrites the plan and gives its checklist."""
        remedy = remedy or chosen(self, alert)
        stop = self.house.rules[alert.rule].stop and may_stop(self, alert, remedy)
        alert = self.set_alert(alert, evidence="proven", stop=stop, question=question)
        return self.begin_remedy(alert, remedy)

    def begin_remedy(self, alert: Alert, name: str) -> Alert:
        """Let a remedy rewrite the plan for this alert; the plan before it is kept."""
        if alert.remedy is not None:
            self.cancel_remedy(alert)
        options = self._options(alert) if name == "floor" else ()
        if len(options) == 1:
            name, options = options[0], ()  # nothing is left to choose
        before = self.state.plan
        self.emit(ev.RemedyBegun(alert.id, self.bets.street, len(self.bets.actions)))
        steps = REMEDIES[name].begin(self, alert)
        board = {name: alert.params[name] for name in ("run",) if name in alert.params}
        steps = tuple(
            [
                replace(step, params={**step.params, **board}) if "street" in step.params else step
                for step in steps
            ]
        )
        if self.state.plan != before:
            self.emit(ev.PlanShelved(alert.id, before))
        alert = self.set_alert(alert, remedy=name, steps=steps, options=options)
        if not steps and alert.question is None:
            return self.set_alert(alert, state="closed")  # it stands: nothing is to be done
        return self.set_alert(alert, steps=checked(self, alert))

    def _options(self, alert: Alert) -> tuple[str, ...]:
        """What the floor may choose from: a remedy about a hand only where it is known whose."""
        options = self.house.rules[alert.rule].options
        return tuple([name for name in options if alert.seat is not None or not REMEDIES[name].of_seat])

    def cancel_remedy(self, alert: Alert) -> None:
        """The alert falls away: the plan as it was before, and whatever else its remedy had set aside."""
        if alert.remedy is None:
            return
        REMEDIES[alert.remedy].cancel(self, alert)
        plan = self.state.shelved.get(alert.id)
        if plan is not None:
            self.emit(ev.PlanRewritten(plan, self._place_in(plan)))

    def _place_in(self, plan: tuple[PlanStep, ...]) -> int:
        """Where another plan is when this one is where it is: at the first step to come that both have."""
        places = {(step.kind, step.street): index for index, step in enumerate(plan)}
        for step in self.state.plan[self.state.at :]:
            index = places.get((step.kind, step.street))
            if index is not None and step.kind not in ("gather", "shuffle"):
                return index
        return len(plan) - 1

    def withdraw(self, alert: Alert) -> None:
        """The question or alert falls away; it says so by its state."""
        self.set_alert(alert, state="withdrawn", question=None)

    def withdraw_asked(self, rule: str) -> bool:
        """What is only asked by this rule falls away, what is proven or a mere note stays. Returns whether there was something."""
        alert = self.alert(rule)
        if alert is None or alert.evidence != "probable":
            return False
        self.withdraw(alert)
        return True

    # -- small things ----------------------------------------------------------------------------------------------------

    def deadline(self, name: str, t_ms: int | None) -> None:
        """Set or clear a deadline, in table milliseconds."""
        if self.state.deadlines.get(name) != t_ms:
            self.emit(ev.DeadlineSet(name, t_ms))

    def mark(self, seat: int, mark: str, on: bool) -> None:
        """Set or clear one quiet mark of a seat."""
        marks = self.state.marks.get(seat, ())
        if on and mark not in marks:
            self.emit(ev.SeatMarked(seat, (*marks, mark)))
        elif not on and mark in marks:
            self.emit(ev.SeatMarked(seat, tuple(other for other in marks if other != mark)))
