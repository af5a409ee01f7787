"""What the seats behind the one to act may do, where action is entered by exception and those between are taken to have acted."""

from __future__ import annotations

from collections.abc import Collection

from dealer_assist.betting.rounds import act, legal, pending
from dealer_assist.betting.values import Action, BettingState, Legal


def ahead(state: BettingState, gone: Collection[int] = ()) -> tuple[Legal, ...]:
    """The legal actions of each seat that still owes one, in the order of action and without the seat to act.

    Of the seats before it those ``gone`` have folded and the others have checked or called, as the table takes it when a seat is
    entered ahead of its turn: the pot that sets limits and ready amounts is the one that will lie there then.
    """
    found: list[Legal] = []
    for seat in pending(state)[1:]:
        while state.to_act is not None and state.to_act != seat:
            can = legal(state)
            assert can is not None
            kind = "fold" if can.seat in gone else "check" if can.can_check else "call"
            state = act(state, Action(can.seat, kind))  # type: ignore[arg-type]
        can = legal(state)
        if can is None:
            break  # with those folds nobody is left to act
        found.append(can)
    return tuple(found)
