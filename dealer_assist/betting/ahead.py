"""What the seats behind the one to act may do, where action is entered by exception: those between have folded, checked or called."""

from __future__ import annotations

from msgspec.structs import replace

from dealer_assist.betting.rounds import legal, pending
from dealer_assist.betting.values import BettingState, Legal


def ahead(state: BettingState) -> tuple[Legal, ...]:
    """The legal actions of each seat that still owes one, in the order of action and without the seat to act.

    A fold, check or call before it changes neither what it has to call nor the least raise. It changes the pot: ``max_to`` is None
    where the pot sets the limit, ``pot``, ``pot_to`` and ``half_pot_to`` say nothing.
    """
    found = []
    for seat in pending(state)[1:]:
        can = legal(replace(state, to_act=seat))
        assert can is not None
        if state.setup.structure == "pot_limit":
            whole = state.bet_of(seat) + state.stack_of(seat)
            limited = can.max_to is None or can.max_to < whole
            can = replace(can, max_to=None if limited else can.max_to)
        found.append(can)
    return tuple(found)
