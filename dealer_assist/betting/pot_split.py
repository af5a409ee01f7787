"""A pot and its winners: the best of the tabled hands, and their shares in whole chips."""

from __future__ import annotations

from collections.abc import Mapping


def best(eligible: tuple[int, ...], strength: Mapping[int, int]) -> tuple[int, ...]:
    """The seats of ``eligible`` with the best tabled hand, lower is better; none when none of them tabled one."""
    tabled = [seat for seat in eligible if seat in strength]
    if not tabled:
        return ()
    top = min([strength[seat] for seat in tabled])
    return tuple([seat for seat in tabled if strength[seat] == top])


def split(amount: int, ways: int, unit: int) -> tuple[int, ...]:
    """``amount`` in ``ways`` shares of whole units, an odd unit each to the first ones; what is less than a unit to the first."""
    if ways == 1:
        return (amount,)
    each, odd = divmod(amount // unit, ways)
    rest = amount % unit
    return tuple(
        [each * unit + (unit if place < odd else 0) + (0 if place else rest) for place in range(ways)]
    )


def by_board(amount: int, boards: int, unit: int) -> tuple[int, ...]:
    """``amount`` in equal parts of whole units, one a board; all that is odd goes to the first board (WLA 217)."""
    each = amount // unit // boards * unit
    return (amount - each * (boards - 1), *[each] * (boards - 1))
