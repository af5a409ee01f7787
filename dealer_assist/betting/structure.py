"""Betting structures: what may be bet, what counts as a full raise, when a short all-in reopens the betting.

The rounds ask these questions and know no other difference between no-limit, pot-limit and fixed-limit.
"""

from __future__ import annotations

from typing import Protocol

from dealer_assist.betting.values import BettingState, HandSetup, StructureName


class Structure(Protocol):
    """The questions a betting round asks. Amounts in the smallest unit."""

    def opening(self, setup: HandSetup, street: int) -> int:
        """The least bet of a street."""

    def least_to(self, state: BettingState) -> int:
        """The smallest total in front that is a full bet or raise."""

    def most_to(self, state: BettingState, index: int) -> int:
        """The largest total that the seat at ``index`` may reach, its whole stack at most."""

    def after_raise(self, state: BettingState, to: int) -> tuple[int, bool]:
        """After a bet or raise to ``to``: the least by which it must be exceeded, and whether it counts as a full one."""

    def reopens(self, state: BettingState, faced: int) -> bool:
        """Whether a seat that has acted may raise again when ``faced`` more chips are asked of it."""


class NoLimit:
    """Any amount from the largest bet or raise of the round upwards (TDA 43), a whole stack at any time."""

    def opening(self, setup: HandSetup, street: int) -> int:
        """The big blind, or the blind that kills the pot."""
        return max(setup.big_blind, setup.kill)

    def least_to(self, state: BettingState) -> int:
        """The current bet and the largest full bet or raise of the round again."""
        return state.current_bet + state.last_full_raise

    def most_to(self, state: BettingState, index: int) -> int:
        """The whole stack."""
        return state.bets[index] + state.stacks[index]

    def after_raise(self, state: BettingState, to: int) -> tuple[int, bool]:
        """By the raise just made, when it is no less than the largest full one of the round; otherwise by that, as before."""
        raised = to - state.current_bet
        least = state.last_full_raise
        return (raised, True) if raised >= least else (least, False)

    def reopens(self, state: BettingState, faced: int) -> bool:
        """TDA 47: several short all-ins reopen when together they make a full raise for the seat that faces them."""
        return faced >= state.last_full_raise


class PotLimit(NoLimit):
    """As no-limit, but no raise by more than what the pot holds once the raiser has called (WLA, TDA 54)."""

    def most_to(self, state: BettingState, index: int) -> int:
        """The current bet and the pot after calling it; the least bet may exceed the pot and is allowed."""
        bet = state.bets[index]
        pot = sum(state.contributed) + (missing_blinds(state) if state.street == 0 else 0)
        most = max(state.current_bet + pot + state.current_bet - bet, self.least_to(state))
        return min(most, bet + state.stacks[index])


class FixedLimit(NoLimit):
    """One bet at a time, the small bet before the turn and the big bet from it on, and so many bets a round.

    ``last_full_raise`` of the state is what completes the next bet: the whole bet over a full one, less over a short all-in.
    """

    def opening(self, setup: HandSetup, street: int) -> int:
        """The small or the big bet."""
        return bet_size(setup, street)

    def most_to(self, state: BettingState, index: int) -> int:
        """The one legal raise, or the whole stack when that is less."""
        return min(self.least_to(state), state.bets[index] + state.stacks[index])

    def after_raise(self, state: BettingState, to: int) -> tuple[int, bool]:
        """By a whole bet over an all-in of half a bet or more over the last full bet (RROP; or of a whole one, by the house).

        A shorter all-in does not count: the next seat may complete it to the full bet.
        """
        size = bet_size(state.setup, state.street)
        level = self.least_to(state)
        over = to - (level - size)
        if (2 * over if state.setup.half_raise else over) >= size:
            return size, True
        return level - to, False

    def reopens(self, state: BettingState, faced: int) -> bool:
        """Half a bet or more faced reopens (TDA 47: 50 %); a whole one where the house counts only whole raises."""
        size = bet_size(state.setup, state.street)
        return 2 * faced >= size if state.setup.half_raise else faced >= size


def capped(state: BettingState) -> bool:
    """Whether a fixed-limit round has had all its bets, and no exception for two seats holds."""
    setup = state.setup
    if state.bets_made < setup.max_bets:
        return False
    seats = len(state.folded) - state.folded.count(True)
    if setup.uncapped_headsup == "round_starts":
        seats += sum([taken.kind == "fold" for taken in state.actions_on(state.street)])
    return setup.uncapped_headsup == "never" or seats > 2


def bet_size(setup: HandSetup, street: int) -> int:
    """The bet of a fixed-limit street: the small bet before the turn, the big bet from it on."""
    small = setup.small_bet or setup.big_blind
    return small if street < 2 else setup.big_bet or 2 * small


def least_bet(setup: HandSetup, street: int) -> int:
    """The least bet of a street: of fixed limit the only one."""
    return STRUCTURES[setup.structure].opening(setup, street)


def missing_blinds(state: BettingState) -> int:
    """What the pot before the flop counts beyond the chips in it (TDA 54-B): short and dead blinds, and the rounding (WLA 191).

    Nothing in a hand of antes alone, where no blind is missing; with a button blind, what that one lacks.
    """
    setup = state.setup
    posted: dict[str, int] = {}
    for post in setup.posts:
        if post.kind not in posted:
            posted[post.kind] = state.bets[setup.seats.index(post.seat)]
    full = {}
    if "big_blind" in posted:
        full = {"small_blind": small_blind_counted(setup), "big_blind": setup.big_blind}
    elif "button_blind" in posted:
        full = {"button_blind": setup.big_blind}
    if "kill" in posted:
        full["kill"] = setup.kill
    return sum([max(0, amount - posted.get(kind, 0)) for kind, amount in full.items()])


def small_blind_counted(setup: HandSetup) -> int:
    """The small blind as the pot counts it."""
    if setup.round_small_blind:
        return setup.big_blind
    if setup.small_blind:
        return setup.small_blind
    wanted = [post.amount for post in setup.posts if post.kind == "small_blind"]
    return wanted[0] if wanted else setup.big_blind // 2


STRUCTURES: dict[StructureName, Structure] = {
    "no_limit": NoLimit(),
    "pot_limit": PotLimit(),
    "fixed_limit": FixedLimit(),
}
