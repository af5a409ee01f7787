"""Betting rounds: what is legal, one action at a time, folds out of turn, and the next street."""

from __future__ import annotations

import msgspec

from dealer_assist.betting.structure import STRUCTURES, capped, least_bet
from dealer_assist.betting.turn import first_pending, owed_level
from dealer_assist.betting.values import (
    LAST_STREET,
    Action,
    ActionKind,
    ActionRefused,
    BettingState,
    Legal,
    Refusal,
    Taken,
    TakenKind,
    UnfoldFund,
)


def live(state: BettingState) -> tuple[int, ...]:
    """The seats that have not folded, clockwise from the button."""
    return tuple([seat for seat, out in zip(state.setup.seats, state.folded, strict=True) if not out])


def hand_over(state: BettingState) -> bool:
    """Whether one live seat is left."""
    return len(state.folded) - state.folded.count(True) < 2


def round_complete(state: BettingState) -> bool:
    """Whether no seat owes an action this street."""
    return state.to_act is None


def no_more_betting(state: BettingState) -> bool:
    """Whether the round is complete, two or more seats are live and at most one of them has chips: the board is run out."""
    living = len(state.folded) - state.folded.count(True)
    return state.to_act is None and living > 1 and living - state.all_in.count(True) < 2


def pending(state: BettingState) -> tuple[int, ...]:
    """The live seats with chips that still owe an action, in the order of action."""
    if state.to_act is None:
        return ()
    seats = state.setup.seats
    first = seats.index(state.to_act)
    bets, folded, all_in, acted, level = (
        state.bets,
        state.folded,
        state.all_in,
        state.acted,
        state.current_bet,
    )
    if len(folded) - folded.count(True) - all_in.count(True) < 2:
        return (state.to_act,)  # the only seat with chips left, and it has something to call
    return tuple(
        [
            seats[index]
            for index in (*range(first, len(seats)), *range(first))
            if not folded[index] and not all_in[index] and (not acted[index] or bets[index] < level)
        ]
    )


def legal(state: BettingState) -> Legal | None:
    """What the seat to act may do; None when no one is to act."""
    seat = state.to_act
    if seat is None:
        return None
    index = state.setup.seats.index(seat)
    actors = len(state.bets) - state.folded.count(True) - state.all_in.count(True)
    bet = state.bets[index]
    owed = owed_level(state.bets, state.current_bet, actors, index) - bet
    call = min(owed, state.stacks[index])
    pot = sum(state.contributed)
    is_bet = state.current_bet == 0
    if seat in state.passive or _raise_refusal(state, index, actors) is not None:
        return Legal(seat, owed == 0, call, None, None, False, is_bet, pot)
    structure = STRUCTURES[state.setup.structure]
    most = structure.most_to(state, index)
    least = min(structure.least_to(state), most)
    counted = seat not in state.setup.unknown or most < bet + state.stacks[index]
    after_call = pot + state.current_bet - bet
    third, most_of_it = state.current_bet + after_call // 3, state.current_bet + 3 * after_call // 4
    pot_to = most if state.setup.structure == "pot_limit" else state.current_bet + after_call
    return Legal(
        seat,
        owed == 0,
        call,
        least,
        most if counted else None,
        True,
        is_bet,
        pot,
        min(max(pot_to, least), most),
        min(max(state.current_bet + after_call // 2, least), most),
        third if least <= third <= most else None,
        most_of_it if least <= most_of_it <= most else None,
    )


def verify(state: BettingState, action: Action) -> Refusal | None:
    """Why ``act`` would refuse ``action``; None when it would not. Never raises.

    Codes: hand_complete, round_complete, not_to_act (to_act), no_check (call), nothing_to_call, call_is (call, to),
    amount_missing, above_stack (max_to), above_maximum (max_to), below_minimum (min_to), not_reopened (call), nobody_to_raise,
    stack_too_short (call), cap_reached (max_bets), count_needed (the stack is not known), all_in_is (to).
    """
    resolved = _resolve(state, action)
    return resolved if isinstance(resolved, Refusal) else None


def act(state: BettingState, action: Action) -> BettingState:
    """Carry out the action of the seat to act. Raises :class:`ActionRefused`.

    Bet and raise mean the same. A call takes the whole stack when that is less. A bet or raise to the whole stack is an all-in.
    """
    resolved = _resolve(state, action)
    if isinstance(resolved, Refusal):
        raise ActionRefused(resolved)
    kind, index, to = resolved
    if kind == "fold":
        return _fold(state, index, action.assumed, in_turn=True)
    seat = action.seat
    stacks, bets, contributed, all_in = (state.stacks, state.bets, state.contributed, state.all_in)
    current_bet, last_full_raise, aggressor = (state.current_bet, state.last_full_raise, state.aggressor)
    bets_made = state.bets_made
    after = index + 1
    added = to - bets[index]
    shoved = False
    if added:
        behind = stacks[index] - added
        stacks = (*stacks[:index], behind, *stacks[after:])
        bets = (*bets[:index], to, *bets[after:])
        contributed = (*contributed[:index], contributed[index] + added, *contributed[after:])
        if behind == 0:
            shoved = True
            all_in = (*all_in[:index], True, *all_in[after:])
        if to > current_bet:
            last_full_raise, counts = STRUCTURES[state.setup.structure].after_raise(state, to)
            bets_made += counts
            current_bet = to
            aggressor = seat
    if action.kind == "all_in" and not shoved:  # without amounts: said, not counted
        shoved = True
        all_in = (*all_in[:index], True, *all_in[after:])
    acted = (*state.acted[:index], True, *state.acted[after:])
    turn = first_pending(bets, state.folded, all_in, acted, current_bet, after)
    return BettingState(
        state.setup,
        state.street,
        stacks,
        bets,
        contributed,
        state.folded,
        all_in,
        acted,
        None if turn is None else state.setup.seats[turn],
        current_bet,
        last_full_raise,
        aggressor,
        state.antes,
        state.dead,
        state.returned,
        (
            *state.log,
            Taken(
                seat,
                kind,
                to,
                added,
                shoved,
                state.street,
                action.assumed,
                declared=action.kind == "all_in",
            ),
        ),
        state.street_starts,
        bets_made,
        state.fund,
        state.passive,
    )


def fold_out_of_turn(state: BettingState, seat: int, assumed: bool = False) -> BettingState:
    """Fold ``seat`` whoever is to act: it binds (TDA 58).

    Raises :class:`ActionRefused`: not_in_hand (seat), hand_complete.
    """
    if seat not in state.setup.seats or state.is_folded(seat):
        raise ActionRefused(Refusal("not_in_hand", {"seat": seat}))
    if hand_over(state):
        raise ActionRefused(Refusal("hand_complete"))
    return _fold(state, state.setup.seats.index(seat), assumed, in_turn=seat == state.to_act)


def kill(state: BettingState, seat: int) -> BettingState:
    """Declare the hand of ``seat`` dead, in whatever round, all-in or not, also when the betting is over.

    Its chips stay in the pots they reached; what of its own bet nobody matched goes back as for any other (TDA 65). A hand bought
    back from an unfold fund is dead for the fund. Raises :class:`ActionRefused`: not_in_hand (seat), hand_complete (one seat is left).
    """
    fund = state.fund
    if fund is not None and seat not in fund.dead and any(payer == seat for payer, _ in fund.paid):
        return msgspec.structs.replace(state, fund=UnfoldFund(fund.antes, fund.paid, (*fund.dead, seat)))
    if seat not in state.setup.seats or state.is_folded(seat):
        raise ActionRefused(Refusal("not_in_hand", {"seat": seat}))
    if hand_over(state):
        raise ActionRefused(Refusal("hand_complete"))
    index = state.setup.seats.index(seat)
    excess = uncalled(state)
    if excess is not None and excess[0] == seat:
        stacks, contributed, all_in, returned = _give_back(state, excess)
        bets = (*state.bets[:index], state.bets[index] - excess[1], *state.bets[index + 1 :])
        state = msgspec.structs.replace(
            state, stacks=stacks, bets=bets, contributed=contributed, all_in=all_in, returned=returned
        )
    return _fold(state, index, False, in_turn=seat == state.to_act, killed=True)


def next_street(state: BettingState) -> BettingState:
    """Give the uncalled bet back, gather the bets, and begin the next street with the first live seat left of the button.

    Raises :class:`ActionRefused`: betting_open (to_act), hand_complete (one seat left, or the river is over).
    """
    if state.to_act is not None:
        raise ActionRefused(Refusal("betting_open", {"to_act": state.to_act}))
    if state.street == LAST_STREET or hand_over(state):
        raise ActionRefused(Refusal("hand_complete"))
    stacks, contributed, all_in, returned = (state.stacks, state.contributed, state.all_in, state.returned)
    excess = uncalled(state)
    if excess is not None:
        stacks, contributed, all_in, returned = _give_back(state, excess)
    none = (0,) * len(stacks)
    nobody = (False,) * len(stacks)
    turn = first_pending(none, state.folded, all_in, nobody, 0, 0)
    return BettingState(
        state.setup,
        state.street + 1,
        stacks,
        none,
        contributed,
        state.folded,
        all_in,
        nobody,
        None if turn is None else state.setup.seats[turn],
        0,
        least_bet(state.setup, state.street + 1),
        # Nobody can bet any more: who bet last still shows first (WLA 149).
        state.aggressor if turn is None else None,
        state.antes,
        state.dead,
        returned,
        state.log,
        (*state.street_starts, len(state.log)),
        0,
        state.fund,
    )


def uncalled(state: BettingState) -> tuple[int, int] | None:
    """The seat whose bet nobody matched and the amount to give back to it; None while a seat owes an action.

    Folded bets match too: against a raise to 300 over a bet of 100 that folds, 200 are uncalled. A seat whose hand was killed gets
    the uncalled part of its own bet or raise back (TDA 65); what a folded blind has too much is the pot's.
    """
    if state.to_act is not None:
        return None
    bets = state.bets
    top = max(bets)
    if top == 0 or bets.count(top) > 1:
        return None
    index = bets.index(top)
    if state.folded[index] and state.setup.seats[index] != state.aggressor:
        return None
    return state.setup.seats[index], top - max(bets[:index] + bets[index + 1 :])


def _give_back(
    state: BettingState, excess: tuple[int, int]
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[bool, ...], tuple[tuple[int, int], ...]]:
    """``stacks``, ``contributed``, ``all_in`` and ``returned`` once the uncalled bet is back with its seat."""
    seat, amount = excess
    index = state.setup.seats.index(seat)
    after = index + 1
    return (
        (*state.stacks[:index], state.stacks[index] + amount, *state.stacks[after:]),
        (*state.contributed[:index], state.contributed[index] - amount, *state.contributed[after:]),
        (*state.all_in[:index], False, *state.all_in[after:]),
        (*state.returned, excess),
    )


def _raise_refusal(state: BettingState, index: int, actors: int) -> Refusal | None:
    """Why the seat at ``index``, which is to act, may not raise at all."""
    faced = state.current_bet - state.bets[index]
    if actors < 2:
        return Refusal("nobody_to_raise")
    if state.stacks[index] <= faced:
        return Refusal("stack_too_short", {"call": state.stacks[index]})
    if state.acted[index] and not STRUCTURES[state.setup.structure].reopens(state, faced):
        return Refusal("not_reopened", {"call": faced})
    if state.setup.structure == "fixed_limit" and capped(state):
        return Refusal("cap_reached", {"max_bets": state.setup.max_bets})
    return None


def _resolve(state: BettingState, action: Action) -> Refusal | tuple[TakenKind, int, int]:
    """The action as (kind, index of its seat, total in front after it), or why it is refused."""
    seat = state.to_act
    if seat is None:
        done = hand_over(state) or state.street == LAST_STREET or no_more_betting(state)
        return Refusal("hand_complete" if done else "round_complete")
    if action.seat != seat:
        return Refusal("not_to_act", {"to_act": seat})
    index = state.setup.seats.index(seat)
    kind = action.kind
    bet = state.bets[index]
    if kind == "fold":
        return "fold", index, bet
    actors = len(state.bets) - state.folded.count(True) - state.all_in.count(True)
    level = owed_level(state.bets, state.current_bet, actors, index)
    if not state.setup.amounts:
        return _token(state, kind, actors, level, index)
    stack = state.stacks[index]
    call = min(level - bet, stack)
    if kind == "check":
        return ("check", index, bet) if call == 0 else Refusal("no_check", {"call": call})
    if kind == "call":
        if call == 0:
            return Refusal("nothing_to_call")
        if action.to is not None and action.to != bet + call:
            # Alone against a short big blind a seat may still put in the full one; the rest comes back.
            if action.to == min(state.current_bet, bet + stack):
                return "call", index, action.to
            return Refusal("call_is", {"call": call, "to": bet + call})
        return "call", index, bet + call
    whole = bet + stack
    if kind == "all_in":
        if seat in state.setup.unknown:
            return Refusal("count_needed", {"call": call})
        if action.to not in (None, whole):
            return Refusal("all_in_is", {"to": whole})
        to: int | None = whole
    else:
        to = action.to
    if to is None:
        return Refusal("amount_missing")
    if to > whole:
        return Refusal("above_stack", {"max_to": whole})
    if action.ruled and to > level and actors > 1:
        return "raise" if state.current_bet else "bet", index, to
    refusal = _raise_refusal(state, index, actors)
    if refusal is not None:
        # All-in for less than the bet, or against opponents who are all all-in, is a call.
        if to == whole and call and (whole <= level or (kind == "all_in" and actors < 2)):
            return "call", index, bet + call
        return refusal
    structure = STRUCTURES[state.setup.structure]
    most = structure.most_to(state, index)
    if to > most:
        return Refusal("above_maximum", {"max_to": most})
    least = min(structure.least_to(state), most)
    if to < least:
        return Refusal("below_minimum", {"min_to": least})
    return "raise" if state.current_bet else "bet", index, to


def _token(
    state: BettingState, kind: ActionKind, actors: int, level: int, index: int
) -> tuple[TakenKind, int, int]:
    """An action without an amount. An all-in after a bet is taken for a call: who may still answer it, the cards will say."""
    bet = state.bets[index]
    answered = kind == "all_in" and any(
        taken.kind in ("bet", "raise") for taken in state.actions_on(state.street)
    )
    if kind in ("check", "call") or answered or actors < 2:
        return ("check" if level <= bet else "call"), index, max(bet, level)
    return "raise" if state.current_bet else "bet", index, STRUCTURES["no_limit"].least_to(state)


def _fold(
    state: BettingState, index: int, assumed: bool, in_turn: bool, killed: bool = False
) -> BettingState:
    seats = state.setup.seats
    after = index + 1
    folded = (*state.folded[:index], True, *state.folded[after:])
    all_in = (*state.all_in[:index], False, *state.all_in[after:]) if state.all_in[index] else state.all_in
    if in_turn:
        start = after
    else:
        start = 0 if state.to_act is None else seats.index(state.to_act)
    turn = first_pending(state.bets, folded, all_in, state.acted, state.current_bet, start)
    return BettingState(
        state.setup,
        state.street,
        state.stacks,
        state.bets,
        state.contributed,
        folded,
        all_in,
        state.acted,
        None if turn is None else seats[turn],
        state.current_bet,
        state.last_full_raise,
        state.aggressor,
        state.antes,
        state.dead,
        state.returned,
        (
            *state.log,
            Taken(seats[index], "fold", state.bets[index], 0, False, state.street, assumed, in_turn, killed),
        ),
        state.street_starts,
        state.bets_made,
        state.fund,
        state.passive,
    )
