"""How a scenario's table rakes its pots: the key ``rake`` of its file, and of a trace's header."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

_Chips = Annotated[int, msgspec.Meta(ge=0, le=10**12)]


class CapSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The most of a hand with so many players dealt in or fewer."""

    players: Annotated[int, msgspec.Meta(ge=2, le=11)]
    cap: _Chips


class DropSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An amount beside the rake, from a pot of a certain size on."""

    name: str
    amount: _Chips
    from_pot: _Chips = 0
    needs_flop: bool = True


class RakeSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The keys are those of ``[rake]`` in a table's file (docs/rake.md); only what they are is checked here."""

    schedule: Literal["none", "house", "own"]
    per_money_unit: Annotated[int, msgspec.Meta(ge=1, le=10**6)] = 1
    percent: Annotated[float, msgspec.Meta(ge=0, le=20)] = 0.0
    cap: _Chips | None = None
    step: _Chips = 0
    no_flop_no_drop: bool = True
    caps_by_players: tuple[CapSpec, ...] = ()
    drops: tuple[DropSpec, ...] = ()
    time: _Chips = 0
    chop: _Chips = 0

    def as_header(self) -> dict[str, Any]:
        """What a trace's header says of it."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found
