"""Whose turn it is, and what that seat owes."""

from __future__ import annotations


def owed_level(bets: tuple[int, ...], current_bet: int, actors: int, index: int) -> int:
    """What the seat at ``index`` must have in front to stay in.

    The current bet; but a seat whose opponents are all all-in owes no more than the most that any other seat has in front
    (behind a short big blind the current bet is more than that). Folded bets count: matching them wins them.
    """
    if actors > 1:
        return current_bet
    return min(current_bet, max(bets[:index] + bets[index + 1 :]))


def first_pending(
    bets: tuple[int, ...],
    folded: tuple[bool, ...],
    all_in: tuple[bool, ...],
    acted: tuple[bool, ...],
    current_bet: int,
    start: int,
) -> int | None:
    """The index of the first seat clockwise from index ``start`` that owes an action; None when the round is complete."""
    count = len(bets)
    out = folded.count(True)
    if count - out < 2:
        return None
    actors = count - out - all_in.count(True)
    if actors == 0:
        return None
    alone = actors == 1
    for position in range(start, start + count):
        index = position if position < count else position - count
        if folded[index] or all_in[index]:
            continue
        if alone:
            return index if bets[index] < owed_level(bets, current_bet, 1, index) else None
        if not acted[index] or bets[index] < current_bet:
            return index
    return None
