"""What a table is, for as long as its service runs."""

from __future__ import annotations

import msgspec

from dealer_assist.domain.table import Limits, Tracking
from dealer_assist.procedure.alignment.sensing import SensingParameters


class Setup(msgspec.Struct, frozen=True):
    """What a table is. ``readers``: zones that a configured device reads; ``settle_ms``: how long a board card must lie still."""

    name: str
    house: str
    game: str
    limits: Limits
    entry: str
    unit: str
    simulated: bool
    language: str
    seats: tuple[int, ...]
    readers: frozenset[str]
    settle_ms: int = 600
    #: whether a shuffler is set up
    shuffler: bool = False
    #: names of the games of the table, its own first
    games: tuple[str, ...] = ()
    tracking: Tracking = "full"
    #: names of dealers by their badges
    dealers: dict[str, str] = {}
    #: badges of people who do not deal
    other_badges: frozenset[str] = frozenset()
    #: how well the antennas read, by zone; what is not in it reads like the family ``table``
    sensing: dict[str, SensingParameters] = {}
