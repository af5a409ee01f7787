"""What a table's file, a trace or a scenario says of its rake. What it comes to in chips is worked out by the table."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

_Chips = Annotated[int, msgspec.Meta(ge=0, le=10**12)]


class PlayersCap(msgspec.Struct, frozen=True, kw_only=True):
    """``cap``: the most that is raked of a hand with ``players`` dealt in or fewer, in the smallest unit."""

    players: Annotated[int, msgspec.Meta(ge=2, le=11)]
    cap: _Chips


class DropTerms(msgspec.Struct, frozen=True, kw_only=True):
    """``amount`` is taken beside the rake once the pots hold ``from_pot``, in the smallest unit; ``needs_flop``: not without a flop."""

    name: Annotated[
        str, msgspec.Meta(min_length=1, max_length=30, description="a name of 1 to 30 characters")
    ]
    amount: _Chips
    from_pot: _Chips = 0
    needs_flop: bool = True


class RakeTerms(msgspec.Struct, frozen=True, kw_only=True):
    """How a table rakes its pots.

    ``schedule``: ``none``; ``house``: by the house's parameters, whose amounts are units of money, each ``per_money_unit`` of the
    table's smallest unit; ``own``: by the other keys, amounts in the smallest unit. ``percent``: of the pots, with two decimals at
    most; ``cap``: the most of a hand, none without it; ``step``: the rake is a multiple of it, 0 for the smallest chip.
    ``time``: what each seat pays at a dealer push. ``chop``: taken when the blinds chop, from the largest blind first.
    """

    schedule: Literal["none", "house", "own"] = "none"
    per_money_unit: Annotated[int, msgspec.Meta(ge=1, le=10**6)] = 1
    percent: Annotated[float, msgspec.Meta(ge=0, le=20)] = 0.0
    cap: _Chips | None = None
    step: _Chips = 0
    no_flop_no_drop: bool = True
    caps_by_players: tuple[PlayersCap, ...] = ()
    drops: tuple[DropTerms, ...] = ()
    time: _Chips = 0
    chop: _Chips = 0


#: Pots are not raked.
NO_RAKE: Final = RakeTerms()
