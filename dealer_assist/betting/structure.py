"""Betting structures: what may be bet, what counts as a full raise, when a short all-in reopens the betting.

The rounds ask these questions and know no other difference between no-limit, pot-limit and fixed-limit.
"""

from __future__ import annotations

from typing import Protocol

from dealer_assist.betting.values import BettingState, StructureName


class Structure(Protocol):
    """The questions a betting round asks. Amounts in the smallest unit."""

    def least_to(self, state: BettingState) -> int:
        """The smallest total in front that is a full bet or raise."""

    def most_to(self, state: BettingState, index: int) -> int:
        """The largest total that the seat at ``index`` may reach, its whole stack at most."""

    def is_full(self, state: BettingState, to: int) -> bool:
        """Whether a bet or raise to ``to`` counts as a full one: it sets the least raise for those after it."""

    def reopens(self, state: BettingState, faced: int) -> bool:
        """Whether a seat that has acted may raise again when ``faced`` more chips are asked of it."""


class NoLimit:
    """Any amount from the largest bet or raise of the round upwards (TDA 43), a whole stack at any time."""

    def least_to(self, state: BettingState) -> int:
        """The current bet and the largest full bet or raise of the round again."""
        return state.current_bet + state.last_full_raise

    def most_to(self, state: BettingState, index: int) -> int:
        """The whole stack."""
        return state.bets[index] + state.stacks[index]

    def is_full(self, state: BettingState, to: int) -> bool:
        """No less than the largest full bet or raise of the round."""
        return to - state.current_bet >= state.last_full_raise

    def reopens(self, state: BettingState, faced: int) -> bool:
        """TDA 47: several short all-ins reopen when together they make a full raise for the seat that faces them."""
        return faced >= state.last_full_raise


STRUCTURES: dict[StructureName, Structure] = {"no_limit": NoLimit()}
