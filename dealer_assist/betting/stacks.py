"""Stacks as they turn out to be: the chips on the table win over what was believed (DESIGN §5). Re-basing, and what a count says."""

from __future__ import annotations

import msgspec

from dealer_assist.betting.opening import start
from dealer_assist.betting.rounds import hand_over
from dealer_assist.betting.turn import first_pending
from dealer_assist.betting.values import (
    UNKNOWN_STACK,
    Action,
    ActionRefused,
    BettingState,
    Refusal,
    Taken,
)


def rebase(state: BettingState, seat: int, behind: int | None) -> BettingState:
    """``behind`` chips lie behind ``seat`` now, whatever was believed; None: nobody knows.

    What the seat has put in stays; what it began the hand with follows. Nothing behind a live seat is an all-in. Chips found
    behind an all-in seat do not play in this hand (TDA 63, table stakes), unless nobody said all-in and the hand has not gone on
    without it: then it was none. Raises :class:`ActionRefused`: bad_seat, no_chips, call_was_short (seat: its call was taken for
    all-in and less than the bet; that is for the call to say).
    """
    setup = state.setup
    if seat not in setup.seats or (behind is not None and behind < 0):
        raise ActionRefused(Refusal("bad_seat", {"seat": seat}))
    index = setup.seats.index(seat)
    put_in = setup.stacks[index] - state.stacks[index]
    if behind == 0 and put_in <= 0:
        raise ActionRefused(Refusal("no_chips", {"seat": seat}))
    unknown = tuple([other for other in setup.unknown if other != seat])
    if behind is None:
        unknown = (*unknown, seat)
    before = UNKNOWN_STACK if behind is None else put_in + behind
    left = before - put_in
    all_in = state.all_in
    if not state.folded[index]:
        shoved = left == 0 or (all_in[index] and not _plays(state, index))
        all_in = (*all_in[:index], shoved, *all_in[index + 1 :])
    stacks = (*setup.stacks[:index], before, *setup.stacks[index + 1 :])
    moved = msgspec.structs.replace(
        state,
        setup=msgspec.structs.replace(setup, stacks=stacks, unknown=unknown),
        stacks=(*state.stacks[:index], left, *state.stacks[index + 1 :]),
        all_in=all_in,
    )
    return moved if all_in == state.all_in else _turn_again(state, moved)


def said_all_in(state: BettingState, seat: int) -> BettingState:
    """``seat`` is all-in, whoever is to act: without amounts that is all there is to say. Raises :class:`ActionRefused`: not_in_hand."""
    if seat not in state.setup.seats or state.is_folded(seat):
        raise ActionRefused(Refusal("not_in_hand", {"seat": seat}))
    index = state.setup.seats.index(seat)
    all_in = (*state.all_in[:index], True, *state.all_in[index + 1 :])
    return _turn_again(state, msgspec.structs.replace(state, all_in=all_in))


def recount(state: BettingState, action: Action, *, counted: bool) -> tuple[bool, int | None]:
    """Whether the seat of ``action`` is to be re-based before it acts, and to how much behind it (None: not known any more).

    All-in for a counted amount fixes the stack where it is not known, or is less than believed; more needs ``counted``. A bet, raise
    or call for more than believed, if counted, leaves behind what nobody knows; a counted call for less than the bet is all-in.
    """
    seat, to = action.seat, action.to
    if seat != state.to_act or not state.setup.amounts:
        return False, None
    index = state.setup.seats.index(seat)
    bet = state.bets[index]
    whole = bet + state.stacks[index]
    if action.kind == "all_in":
        if to is None or to == whole or to <= bet or (to > whole and not counted):
            return False, None
        return True, to - bet
    if not counted or action.kind not in ("call", "bet", "raise"):
        return False, None
    if action.kind == "call":
        if to is not None and bet < to < state.current_bet:
            return to != whole, to - bet
        to = state.current_bet
    return (to is not None and to > whole), None


def _plays(state: BettingState, index: int) -> bool:
    """Whether chips found behind an all-in seat play: nobody said all-in, and nothing was bet without it."""
    seat = state.setup.seats[index]
    last = next((taken for taken in reversed(state.log) if taken.seat == seat), None)
    if last is not None and last.declared:
        return False
    if last is None or last.street == state.street:
        if last is not None and last.kind == "call" and last.to < _level_before(state, last):
            raise ActionRefused(Refusal("call_was_short", {"seat": seat}))
        return state.to_act is not None or state.bets[index] == state.current_bet
    stakes = [
        put - ante - dead for put, ante, dead in zip(state.contributed, state.antes, state.dead, strict=True)
    ]
    most = max([stake for stake, out in zip(stakes, state.folded, strict=True) if not out])
    return stakes[index] == most and state.to_act is not None and not hand_over(state)


def _level_before(state: BettingState, call: Taken) -> int:
    """What the seat had to call when it called."""
    level = start(state.setup).current_bet if state.street == 0 else 0
    for taken in state.actions_on(state.street):
        if taken is call:
            break
        level = max(level, taken.to)
    return level


def _turn_again(before: BettingState, state: BettingState) -> BettingState:
    """Whose turn it is now that a seat is all-in, or is not after all. A round that was complete stays so."""
    if before.to_act is None:
        return state
    start = state.setup.seats.index(before.to_act)
    turn = first_pending(state.bets, state.folded, state.all_in, state.acted, state.current_bet, start)
    return msgspec.structs.replace(state, to_act=None if turn is None else state.setup.seats[turn])
