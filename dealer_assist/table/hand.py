"""One hand: the procedure and the betting side by side. State, and the fold of events into it. No judgement here."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from dealer_assist import betting
from dealer_assist.betting import BettingState, Settlement
from dealer_assist.domain.facts import Push
from dealer_assist.domain.table import STREETS
from dealer_assist.procedure.evolve import evolve as evolve_procedure
from dealer_assist.procedure.state import NO_BETS, Bets, State
from dealer_assist.table import events as te
from dealer_assist.table.events import TableEvent


class Hand(msgspec.Struct, frozen=True):
    """A hand as it stands. ``bets`` is the procedure's view of ``betting``; ``result`` is empty while it runs."""

    procedure: State
    betting: BettingState
    bets: Bets = NO_BETS
    tabled: dict[int, tuple[str, ...]] = {}
    mucked: tuple[int, ...] = ()
    entered: dict[int, tuple[str, ...]] = {}
    settlement: Settlement | None = None
    pushes: tuple[Push, ...] = ()
    fold_due_ms: int | None = None
    floor_called: bool = False
    result: Literal["", "completed", "misdeal", "void"] = ""

    def faces_of(self, seat: int) -> tuple[str, ...]:
        """The public faces of a tabled hand, read or entered."""
        faces = self.procedure.faces
        read = tuple(faces[ref] for ref in self.tabled.get(seat, ()) if ref in faces)
        return (*read, *(face for face in self.entered.get(seat, ()) if face not in read))

    def board_faces(self) -> tuple[str, ...]:
        """The public faces of the board cards that play, from left to right."""
        state = self.procedure
        return tuple(
            state.faces[slot.ref] for slot in state.board if not slot.early and slot.ref in state.faces
        )

    def next_deadline_ms(self) -> int | None:
        """When the passing of time alone changes this hand, or None."""
        if self.result:
            return None
        deadlines = self.procedure.deadlines
        if not deadlines:
            return self.fold_due_ms
        first = min(deadlines.values())
        return first if self.fold_due_ms is None else min(first, self.fold_due_ms)

    @property
    def phase(self) -> str:
        """Where the hand is, as the screen names it."""
        state = self.procedure
        if self.result:
            return "closed" if self.result == "completed" else self.result
        if state.ended == "void":
            return "void"
        if state.misdeal:
            return "misdeal"
        if self.settlement is not None:
            return "award"
        match state.step.kind:
            case "deal":
                return "deal"
            case "show":
                return "showdown"
            case _:
                return "runout" if betting.no_more_betting(self.betting) else "betting"


def bets_view(state: BettingState) -> Bets:
    """What the procedure needs to know of a betting state."""
    over = betting.hand_over(state)
    return Bets(
        street=STREETS[state.street],
        complete=state.to_act is None,
        over=over,
        pending=() if state.to_act is None else betting.pending(state),
        live=betting.live(state),
        actions=tuple([taken.kind for taken in state.log[state.street_starts[-1] :] if taken.in_turn]),
    )


def _with_betting(hand: Hand, state: BettingState, fold_due_ms: int | None = None) -> Hand:
    return replace(hand, betting=state, bets=bets_view(state), fold_due_ms=fold_due_ms)


def evolve(hand: Hand, event: TableEvent) -> Hand:
    """Return the hand after ``event``."""
    match event:
        case te.ActionTaken():
            return _with_betting(hand, betting.act(hand.betting, event.action))
        case te.StreetBegun():
            return _with_betting(hand, betting.next_street(hand.betting))
        case te.FoldedOutOfTurn():
            return _with_betting(hand, betting.fold_out_of_turn(hand.betting, event.seat, event.assumed))
        case te.FoldAwaited():
            return replace(hand, fold_due_ms=event.t_ms)
        case te.BettingStarted():
            return _with_betting(hand, betting.start(event.setup))
        case te.SeatTabled():
            return replace(hand, tabled={**hand.tabled, event.seat: event.refs})
        case te.SeatMucked():
            return replace(hand, mucked=(*hand.mucked, event.seat))
        case te.CardEntered(seat=int(seat)):
            return replace(hand, entered={**hand.entered, seat: (*hand.entered.get(seat, ()), event.face)})
        case te.CardEntered():
            return hand
        case te.PotsAwarded():
            return replace(hand, settlement=event.settlement, pushes=event.pushes)
        case te.FloorCalled():
            return replace(hand, floor_called=True)
        case te.HandClosed():
            return replace(hand, result=event.result)
        case _:
            return replace(hand, procedure=evolve_procedure(hand.procedure, event))


def final_stacks(hand: Hand) -> dict[int, int]:
    """Seat → chips after the hand, of every seat it was opened with; a misdeal or void gives every chip back."""
    stacks = {record.seat: record.stack for record in hand.procedure.opening.seats}
    if hand.settlement is not None and hand.procedure.ended != "void" and hand.result != "misdeal":
        stacks.update(hand.settlement.stacks)
    return stacks
