"""A card that moves, as the antennas will see it."""

from __future__ import annotations

import msgspec


class ShoeExit(msgspec.Struct, frozen=True):
    """A card passes a shoe's exit at ``t_ms``. ``counts``: how often the sensor counts it."""

    t_ms: int
    up: bool = False
    counts: int = 1


class Movement(msgspec.Struct, frozen=True):
    """A card leaves ``source`` at ``left_ms`` and lies at ``target`` from ``laid_ms``; places without antenna are "".

    ``unread``: the target's antenna never sees it (badly placed); ``late_ms``: it sees it so much later. ``exit``: what a shoe
    sees of a card that comes off the stub.
    """

    face: str
    source: str
    target: str
    left_ms: int
    laid_ms: int
    unread: bool = False
    late_ms: int = 0
    exit: ShoeExit | None = None
