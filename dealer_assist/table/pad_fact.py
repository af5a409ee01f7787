"""The pad's section: the legal actions of the seat to act, and what else may be entered now. From public state alone."""

from __future__ import annotations

from typing import Final

from dealer_assist import betting
from dealer_assist.domain import facts as fx
from dealer_assist.domain.zones import seat_zone
from dealer_assist.procedure.rules import run_it as runs
from dealer_assist.procedure.rules.muck import holds_cards
from dealer_assist.table.hand import Hand
from dealer_assist.table.straddles import straddles

#: With so few cards to come the deal may be over and some not read: the pad opens.
_UNREAD_AT_MOST: Final = 2


def _cards_to_come(hand: Hand) -> int:
    state = hand.procedure
    to_come = 0
    for seat in state.order:
        if seat_zone(seat) in state.readers:
            missing = state.hole - len(state.held.get(seat, ()))
            if missing > 0:
                to_come += missing
    return to_come


def pad_fact(hand: Hand) -> fx.PadFact:
    """The legal actions."""
    state = hand.procedure
    if hand.result:
        return fx.PadFact(None, can_open=True)
    if state.ended:
        return fx.PadFact(None, can_push=True)
    if hand.settlement is not None:
        return fx.PadFact(None, can_push=True)
    if state.misdeal:
        return fx.PadFact(None)
    may_straddle = straddles(hand)
    if state.step.kind == "deal" and _cards_to_come(hand) > _UNREAD_AT_MOST:
        return fx.PadFact(None, straddles=may_straddle)
    legal = betting.legal(hand.betting)
    if legal is None:
        waiting: tuple[int, ...] = ()
        if state.step.kind == "show" or betting.no_more_betting(hand.betting):
            waiting = tuple(
                [
                    seat
                    for seat in (*betting.showdown_order(hand.betting), *hand.for_the_fund())
                    if seat not in hand.tabled and seat not in hand.mucked
                ]
            )
        return fx.PadFact(None, showdown=waiting, run_it=_run_it(hand))
    if not hand.betting.setup.amounts:
        return fx.PadFact(
            legal.seat,
            can_check=True,
            is_bet=legal.is_bet,
            may_show=hand.may_show(),
            ahead=_ahead(hand),
        )
    return fx.PadFact(
        legal.seat,
        can_check=legal.can_check,
        call=legal.call,
        min_to=legal.min_to,
        max_to=legal.max_to,
        pot_to=legal.pot_to,
        half_pot_to=legal.half_pot_to,
        is_bet=legal.is_bet,
        straddles=may_straddle,
        may_show=hand.may_show(),
        ahead=_ahead(hand),
        third_pot_to=legal.third_pot_to,
        three_quarter_pot_to=legal.three_quarter_pot_to,
    )


def _ahead(hand: Hand) -> tuple[fx.AheadOffer, ...]:
    """By exception: the seats whose action may be entered before that of the seat to act; without amounts any that is live."""
    if hand.procedure.entry != "by_exception":
        return ()
    if not hand.betting.setup.amounts:
        others = [seat for seat in hand.bets.live if seat != hand.betting.to_act]
        return tuple(
            [fx.AheadOffer(seat, can_check=True, call=0, min_to=None, max_to=None) for seat in others]
        )
    gone = [seat for seat in hand.bets.pending if not holds_cards(hand.procedure, seat)]
    return tuple(
        [
            fx.AheadOffer(
                can.seat,
                can.can_check,
                can.call,
                can.min_to,
                can.max_to,
                can.pot_to,
                can.half_pot_to,
                can.third_pot_to,
                can.three_quarter_pot_to,
            )
            for can in betting.ahead(hand.betting, gone)
        ]
    )


def _run_it(hand: Hand) -> int:
    """How many times the rest of the board may be run, 0 where it is not asked."""
    return runs.most_times(hand.procedure, hand.bets)
