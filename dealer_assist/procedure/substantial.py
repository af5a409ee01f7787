"""Substantial action: from when on a deal can no longer be called back. A strategy per house (PROCEDURES part B)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from dealer_assist.procedure.draft import Draft

_CHIPS: Final = frozenset({"call", "bet", "raise", "all_in"})


def roberts(actions: Sequence[str]) -> bool:
    """Robert's Rules: two players after the blinds have acted in turn."""
    return len(actions) >= 2


def tda(actions: Sequence[str]) -> bool:
    """TDA 36: two actions of which one puts chips in, or any three."""
    return len(actions) >= 3 or (len(actions) == 2 and any(action in _CHIPS for action in actions))


def wsop_cash(actions: Sequence[str]) -> bool:
    """WLA 109: three actions, or any two except two folds or two checks."""
    return len(actions) >= 3 or (len(actions) == 2 and (actions[0] != actions[1] or actions[0] in _CHIPS))


STRATEGIES: Final[dict[str, Callable[[Sequence[str]], bool]]] = {
    "roberts": roberts,
    "tda": tda,
    "wsop_cash": wsop_cash,
}


def reached(draft: Draft) -> bool:
    """Whether the deal can no longer be called back. Once a street is behind, it was reached there."""
    if draft.state.street != "preflop":
        return True
    return by_house(draft)(draft.bets.actions)


def behind(draft: Draft, seat: int | None, told: int) -> bool:
    """Whether there was substantial action on this street behind a seat that was passed over (A2).

    ``told``: how many have acted behind it, as reported: such actions are not entered before the seat has its turn.
    """
    bets = draft.bets
    last = max((place for place, actor in enumerate(bets.actors) if actor == seat), default=None)
    actions = () if last is None else bets.actions[last + 1 :]
    if len(actions) >= told:
        return by_house(draft)(actions)
    return told >= 2


def by_house(draft: Draft) -> Callable[[Sequence[str]], bool]:
    """The house's strategy. TDA's own example counts a check and a fold as two actions, its text does not: a house says which."""
    parameters = draft.house.parameters
    strategy = STRATEGIES[parameters.substantial_action.value]
    if not parameters.check_and_fold_is_action.value:
        return strategy
    return lambda actions: strategy(actions) or (len(actions) == 2 and actions[0] != actions[1])
