"""What a table plays by and may change between hands without a new configuration: house, game, blinds and ante."""

from __future__ import annotations

from typing import Annotated

import msgspec

_Chips = Annotated[int, msgspec.Meta(ge=0, le=10**12)]
_Chip = Annotated[int, msgspec.Meta(ge=1, le=10**12)]


class SetTable(msgspec.Struct, frozen=True, tag="set_table", tag_field="kind"):
    """From the next hand on the table plays by these; what is left out stays. ``house``, ``game``: names that the table fact lists.

    Blinds and ante in the smallest unit. Where the blinds change, the bets of a fixed-limit game follow from the big blind.
    """

    house: str = ""
    game: str = ""
    small_blind: _Chips | None = None
    big_blind: _Chip | None = None
    ante: _Chips | None = None
