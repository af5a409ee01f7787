"""One hand: the procedure and the betting side by side. State, and the fold of events into it. No judgement here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from dealer_assist import betting
from dealer_assist.betting import BettingState, Settlement
from dealer_assist.domain.facts import Push
from dealer_assist.domain.table import STREETS, HandResult, SeatStack
from dealer_assist.domain.zones import BOARD, BOARDS, seat_zone
from dealer_assist.procedure import events as pe
from dealer_assist.procedure.evolve import evolve as evolve_procedure
from dealer_assist.procedure.state import NO_BETS, Bets, State
from dealer_assist.table import events as te
from dealer_assist.table.events import TableEvent

#: Readings of an action that leave a seat only a call or a fold.
CALL_OR_FOLD: Final = ("undercall_floor", "check_facing_bet")


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
    #: when the last action was entered, in table ms
    entered_ms: int = 0
    floor_called: bool = False
    #: once the hand is closed: seat → chips, as the pots were pushed
    chips: dict[int, int | None] = {}
    #: seats whose stack turned out to be another in this hand
    rebased: tuple[int, ...] = ()
    #: what a seat did before its turn, and what it faced then
    kept: dict[int, te.ActionKept] = {}
    #: seats that may only call or fold, as what they said or pushed was read; until they have, on this street
    call_or_fold: tuple[int, ...] = ()
    #: the clock as it was called last, and whether it ran out
    clock: te.ClockCalled | None = None
    clock_over: bool = False
    result: HandResult | Literal[""] = ""
    #: the floor's rulings, the last one about each alert
    rulings: tuple[te.RulingEntered, ...] = ()

    def faces_of(self, seat: int) -> tuple[str, ...]:
        """The public faces of a tabled hand, read or entered."""
        state = self.procedure
        refs = self.tabled.get(seat, ())
        if (
            len(refs) > state.kept
        ):  # tabled before the discards: what the player has given up since is not of the hand
            refs = tuple([ref for ref in refs if ref in state.held.get(seat, ())])
            here = tuple([ref for ref in refs if state.where.get(ref) == seat_zone(seat)])
            refs = here if len(here) == state.kept else refs
        read = tuple([state.faces[ref] for ref in refs if ref in state.faces])
        return (*read, *(face for face in self.entered.get(seat, ()) if face not in read))

    def board_faces(self, zone: str = BOARD) -> tuple[str, ...]:
        """The public faces of the cards of a board that play, from left to right."""
        state = self.procedure
        return tuple(
            [
                state.faces[slot.ref]
                for slot in state.slots
                if not slot.early and slot.ref in state.faces
                if slot.zone == zone or (state.run_from is not None and state.common(slot.street))
            ]
        )

    def board_public(self) -> list[str]:
        """The public face of every board card that plays, each card once."""
        state = self.procedure
        return [state.faces[slot.ref] for slot in state.slots if not slot.early and slot.ref in state.faces]

    def boards(self) -> tuple[str, ...]:
        """The zones of the boards that award the pots: of this game, or as often as the rest is dealt."""
        if self.procedure.times > 1:
            return BOARDS[: 1 if self.procedure.first_only else self.procedure.times]
        return tuple(dict.fromkeys([step.zone for step in self.procedure.base if step.kind == "board"]))

    def point_of(self, seat: int) -> str | None:
        """The face of a seat's point card, once it is public."""
        chosen = self.procedure.chosen.get(seat, ())
        return self.procedure.faces.get(chosen[0]) if chosen else None

    def may_show(self) -> tuple[int, ...]:
        """By exception: the seats whose hand, turned up now, closes the round, because no burn will or because somebody is all-in."""
        state = self.procedure
        if state.entry != "by_exception" or state.step.kind != "bet" or not self.bets.pending:
            return ()
        if state.step != state.plan[-2] and not self.bets.all_in:
            return ()
        return tuple([seat for seat in self.bets.live if seat not in self.tabled and seat not in self.mucked])

    def for_the_fund(self) -> tuple[int, ...]:
        """Seats that bought their hands back and play for the unfold fund."""
        fund = self.betting.fund
        if fund is None:
            return ()
        return tuple([seat for seat, _ in fund.paid if seat not in fund.dead])

    def pushed_more(self, seat: int) -> int:
        """How many chips more a seat got at the push than it was awarded; less than 0 for fewer."""
        chips = self.chips.get(seat)
        if self.settlement is None or chips is None or self.chips_back:
            return 0
        return chips - self.settlement.stacks.get(seat, chips)

    def next_deadline_ms(self) -> int | None:
        """When the passing of time alone changes this hand, or None."""
        if self.result:
            return None
        due = [*self.procedure.deadlines.values()]
        if self.fold_due_ms is not None:
            due.append(self.fold_due_ms)
        clock = self.running_clock()
        if clock is not None and not self.clock_over:
            due.append(clock.until_ms)
        return min(due, default=None)

    def running_clock(self) -> te.ClockCalled | None:
        """The clock on the seat to act, run out or not; None where none was called, or it has acted since."""
        clock = self.clock
        if clock is None or clock.seat != self.betting.to_act or clock.after != len(self.betting.log):
            return None
        return clock

    @property
    def flop_seen(self) -> bool:
        """Whether the hand has come to the flop: a pot that has not is no rake's (no flop, no drop)."""
        bets = self.betting
        acted_on = bets.street > bets.setup.first_street or (bets.street > 0 and bool(bets.log))
        return acted_on or any(slot.street == "flop" and not slot.early for slot in self.procedure.board)

    def chop_paid(self) -> dict[int, int]:
        """Seat → what the house takes of its bet because the hand was chopped (A17); nothing in any other hand."""
        return betting.chop_taken(self.betting) if self.procedure.ended == "chopped" else {}

    @property
    def chips_back(self) -> bool:
        """Whether every contribution goes back: void, chopped, or a misdeal."""
        return self.procedure.ended in ("void", "chopped", "misdeal") or self.procedure.misdeal

    @property
    def phase(self) -> str:
        """Where the hand is, as the screen names it."""
        state = self.procedure
        if self.result:
            return "closed" if self.result in ("completed", "unsettled") else self.result
        if state.ended in ("void", "chopped"):
            return state.ended
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


def bets_view(
    state: BettingState,
    *,
    shown: Iterable[int] = (),
    awarded: bool = False,
    entered_ms: int = 0,
    playing_on: bool = False,
) -> Bets:
    """What the procedure needs to know of a betting state."""
    over = betting.hand_over(state)
    here = state.log[state.street_starts[-1] :]
    in_turn = [taken for taken in here if taken.in_turn and not taken.killed]
    return Bets(
        street=STREETS[state.street],
        complete=state.to_act is None,
        over=over,
        pending=() if state.to_act is None else betting.pending(state),
        live=betting.live(state),
        actions=tuple([taken.kind for taken in in_turn]),
        actors=tuple([taken.seat for taken in in_turn]),
        all_in=tuple([seat for seat, out in zip(state.setup.seats, state.all_in, strict=True) if out])
        if True in state.all_in
        else (),
        runout=betting.no_more_betting(state) and not over,
        shown=tuple(shown),
        awarded=awarded,
        entered_ms=entered_ms,
        aggressor=next((taken.seat for taken in reversed(here) if taken.kind in ("bet", "raise")), None),
        playing_on=playing_on,
    )


def _view(hand: Hand) -> Hand:
    bets = bets_view(
        hand.betting,
        shown=hand.tabled,
        awarded=hand.settlement is not None,
        entered_ms=hand.entered_ms,
        playing_on=len(hand.for_the_fund()) > 1,
    )
    return replace(hand, bets=bets)


def _with_betting(hand: Hand, state: BettingState, fold_due_ms: int | None = None) -> Hand:
    return _view(replace(hand, betting=state, fold_due_ms=fold_due_ms))


def evolve(hand: Hand, event: TableEvent) -> Hand:
    """Return the hand after ``event``."""
    match event:
        case te.ActionTaken():
            if not event.action.assumed:
                hand = replace(hand, entered_ms=event.t_ms)
            if hand.call_or_fold:
                hand = replace(hand, call_or_fold=_others(hand, event.action.seat))
            return _with_betting(hand, betting.act(hand.betting, event.action))
        case te.StackRebased():
            return _rebased(hand, event)
        case te.AllInSaid():
            return _with_betting(hand, betting.said_all_in(hand.betting, event.seat))
        case te.ClockCalled():
            return replace(hand, clock=event, clock_over=False)
        case te.ClockRanOut():
            return replace(hand, clock_over=True)
        case te.ActionKept():
            return replace(hand, kept={**hand.kept, event.seat: event})
        case te.KeptActionDue():
            kept = {seat: kept for seat, kept in hand.kept.items() if seat != event.seat}
            return replace(hand, kept=kept)
        case te.RaiseGivenUp():
            return _with_betting(hand, replace(hand.betting, passive=event.seats), hand.fold_due_ms)
        case te.AmountRuled():
            if event.action is not None or event.reason not in CALL_OR_FOLD:
                return hand
            return replace(hand, call_or_fold=(*_others(hand, event.seat), event.seat))
        case te.RulingEntered():
            others = [ruling for ruling in hand.rulings if not event.alert or ruling.alert != event.alert]
            return replace(hand, rulings=(*others, event))
        case te.HandDead():
            return _with_betting(hand, betting.kill(hand.betting, event.seat))
        case te.Straddled():
            opening = replace(hand.procedure.opening, posts=event.posts)
            hand = replace(hand, procedure=replace(hand.procedure, opening=opening))
            return _with_betting(hand, betting.start(event.setup))
        case te.Unfolded():
            return _with_betting(hand, betting.unfold(hand.betting, event.seat))
        case te.EventLogged() | te.DealerPushed() | te.TimePaid() | te.ChipsBought():
            return hand
        case te.StreetBegun():
            return _with_betting(replace(hand, kept={}, call_or_fold=()), betting.next_street(hand.betting))
        case te.FoldedOutOfTurn():
            return _with_betting(hand, betting.fold_out_of_turn(hand.betting, event.seat, event.assumed))
        case te.FoldAwaited():
            return replace(hand, fold_due_ms=event.t_ms)
        case te.BettingStarted():
            return _with_betting(replace(hand, kept={}, call_or_fold=()), betting.start(event.setup))
        case te.SeatTabled():
            return _view(replace(hand, tabled={**hand.tabled, event.seat: event.refs}))
        case te.SeatMucked():
            return replace(hand, mucked=(*hand.mucked, event.seat))
        case te.CardEntered(seat=int(seat)):
            return replace(hand, entered={**hand.entered, seat: (*hand.entered.get(seat, ()), event.face)})
        case te.CardEntered():
            return hand
        case te.PotsAwarded():
            return _view(replace(hand, settlement=event.settlement, pushes=event.pushes))
        case te.AwardTakenBack():
            return _view(replace(hand, settlement=None, pushes=()))
        case te.FloorCalled():
            return replace(hand, floor_called=True)
        case te.HandClosed():
            return replace(hand, result=event.result, chips=dict(event.stacks))
        case pe.HandRevived():
            hand = replace(hand, mucked=tuple([seat for seat in hand.mucked if seat != event.seat]))
            return replace(hand, procedure=evolve_procedure(hand.procedure, event))
        case _:
            return replace(hand, procedure=evolve_procedure(hand.procedure, event))


def _others(hand: Hand, seat: int) -> tuple[int, ...]:
    """The seats that may only call or fold, but for one."""
    return tuple([other for other in hand.call_or_fold if other != seat])


def _rebased(hand: Hand, event: te.StackRebased) -> Hand:
    """The stack as it is now; what the seat began the hand with follows, so that a misdeal gives back what was there."""
    state = betting.rebase(hand.betting, event.seat, event.behind)
    setup = state.setup
    began = None if event.seat in setup.unknown else setup.stacks[setup.seats.index(event.seat)]
    opening = hand.procedure.opening
    seats = tuple(
        [SeatStack(event.seat, began) if record.seat == event.seat else record for record in opening.seats]
    )
    rebased = hand.rebased if event.seat in hand.rebased else (*hand.rebased, event.seat)
    procedure = replace(hand.procedure, opening=replace(opening, seats=seats))
    return _with_betting(replace(hand, procedure=procedure, rebased=rebased), state, hand.fold_due_ms)


def final_stacks(hand: Hand) -> dict[int, int | None]:
    """Seat → chips after the hand, of every seat it was opened with, None where they are not known.

    A misdeal or void gives every chip back. Of a hand that nobody settled only those who had folded are known.
    """
    if hand.chips:
        return dict(hand.chips)
    stacks = {record.seat: record.stack for record in hand.procedure.opening.seats}
    if hand.settlement is not None and not hand.chips_back:
        stacks.update(hand.settlement.stacks)
    paid_in = dict(hand.chop_paid())
    if hand.result == "unsettled":
        stacks.update(dict.fromkeys(hand.bets.live))
        paid_in = dict(zip(hand.betting.setup.seats, hand.betting.contributed, strict=True))
    for seat, paid in paid_in.items():
        stack = stacks.get(seat)
        stacks[seat] = None if stack is None else stack - paid
    return stacks
