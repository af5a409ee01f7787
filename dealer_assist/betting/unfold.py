"""The fund of an Unfold hand: who may buy a folded hand back, for how much, and who gets the fund (S000-24).

The fund is no pot: nothing in it counts toward a bet, and a hand that was bought back plays for it alone.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from dealer_assist.betting.pot_split import best, split
from dealer_assist.betting.values import (
    ActionRefused,
    BettingState,
    Pot,
    PotAward,
    Refusal,
    Unawardable,
    UnfoldFund,
)


def unfold(state: BettingState, seat: int) -> BettingState:
    """Buy back the hand that ``seat`` folded before the flop, once, for the fund as it stood when the window opened.

    The window is the flop. A stack that is shorter pays all it has and wins of each other payment no more than that
    [unverified: the sources do not treat a short stack; by TDA 21]. The hand is back for the fund alone: the seat stays out of the
    betting and of the pots. Raises :class:`ActionRefused`: no_fund, window_closed, not_folded_preflop (seat), too_few_folders,
    already_unfolded (seat), no_chips (seat).
    """
    refusal = unfold_refusal(state, seat)
    if refusal is not None:
        raise ActionRefused(refusal)
    fund = state.fund
    assert fund is not None
    index = state.setup.seats.index(seat)
    price = min(sum(fund.antes), state.stacks[index])
    stacks = (*state.stacks[:index], state.stacks[index] - price, *state.stacks[index + 1 :])
    paid = UnfoldFund(fund.antes, (*fund.paid, (seat, price)), fund.dead)
    return msgspec.structs.replace(state, stacks=stacks, fund=paid)


def unfold_refusal(state: BettingState, seat: int) -> Refusal | None:
    """Why :func:`unfold` would refuse ``seat``; None when it would not."""
    fund = state.fund
    if fund is None or not any(fund.antes):
        return Refusal("no_fund")
    if state.street != 1:
        return Refusal("window_closed")
    folders = _folders(state)
    if seat not in folders:
        return Refusal("not_folded_preflop", {"seat": seat})
    if len(folders) < 2:
        return Refusal("too_few_folders")
    if any(payer == seat for payer, _ in fund.paid):
        return Refusal("already_unfolded", {"seat": seat})
    if not state.stack_of(seat):
        return Refusal("no_chips", {"seat": seat})
    return None


def unfold_fund(state: BettingState) -> int:
    """All chips in the unfold fund; 0 in other games."""
    fund = state.fund
    return 0 if fund is None else sum(fund.antes) + sum([amount for _, amount in fund.paid])


def fund_awards(
    state: BettingState, fund: UnfoldFund, strength: Mapping[int, int] | None
) -> tuple[tuple[PotAward, ...], tuple[tuple[int, int], ...]] | Unawardable:
    """The awards of ``fund``, that of ``state``, and what goes back from it unplayed.

    The best of the hands bought back gets it. Everything goes back when there was no flop, when fewer than two seats folded before
    it, and when no hand that was bought back is alive.
    """
    seats = state.setup.seats
    payers = tuple([seat for seat in seats if seat not in fund.dead and seat in dict(fund.paid)])
    if state.street == 0 or not payers or len(_folders(state)) < 2:
        back = dict(zip(seats, fund.antes, strict=True))
        for seat, amount in fund.paid:
            back[seat] += amount
        return (), tuple([(seat, amount) for seat, amount in back.items() if amount])
    awards: list[PotAward] = []
    for number, pot in enumerate(_layers(fund, payers)):
        winners = pot.eligible if len(pot.eligible) == 1 else best(pot.eligible, strength or {})
        if not winners:
            return Unawardable(pot, "fund_nothing_tabled")
        awards.append(PotAward(number, pot, winners, split(pot.amount, len(winners), state.setup.unit)))
    awards.reverse()
    return tuple(awards), ()


def _folders(state: BettingState) -> tuple[int, ...]:
    """The seats that folded before the flop; a hand declared dead was not folded."""
    return tuple([taken.seat for taken in state.actions_on(0) if taken.kind == "fold" and not taken.killed])


def _layers(fund: UnfoldFund, payers: tuple[int, ...]) -> tuple[Pot, ...]:
    """The antes and the payments up to the shortest to all payers, what is above it to those that paid it. Dead payments stay."""
    amounts = dict(fund.paid)
    pots: list[Pot] = []
    below = 0
    amount = sum(fund.antes)
    top = max(amounts.values())
    for level in sorted({amounts[seat] for seat in payers}):
        can_win = tuple([seat for seat in payers if amounts[seat] >= level])
        # Above the last payer alive a dead payment has no other owner.
        upper = top if level == max([amounts[seat] for seat in payers]) else level
        amount += sum([min(paid, upper) - below for paid in amounts.values() if paid > below])
        pots.append(Pot(amount, can_win))
        amount, below = 0, level
    return tuple(pots)
