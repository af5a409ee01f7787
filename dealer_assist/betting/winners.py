"""Who wins where no amounts are told: one pot of unknown size, or its parts, one a board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dealer_assist.betting.pot_split import best
from dealer_assist.betting.rounds import live
from dealer_assist.betting.values import BettingState, Pot, PotAward, Settlement, Unawardable


def winners(
    state: BettingState,
    strength: Mapping[int, int] | Sequence[Mapping[int, int]],
    given_up: tuple[int, ...] = (),
) -> Settlement | Unawardable:
    """The best of the tabled hands of each board, every amount 0; arguments as of ``award``. Side pots cannot be told apart."""
    pot = Pot(0, live(state))
    left = tuple([seat for seat in pot.eligible if seat not in given_up]) or given_up[-1:]
    boards: Sequence[Mapping[int, int]] = (strength,) if isinstance(strength, Mapping) else strength
    if len(left) == 1:
        boards = ({left[0]: 1},)
    awarded: list[PotAward] = []
    for number, hands in enumerate(boards, 1):
        first = best(left, hands)
        if not first:
            return Unawardable(pot)
        awarded.append(PotAward(0, pot, first, (0,) * len(first), number if len(boards) > 1 else 0))
    return Settlement((), tuple(awarded), {seat: 0 for award in awarded for seat in award.winners}, {})
