"""The odds that no card was burned, when board cards lie there and no burn was read."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from dealer_assist.procedure.alignment.density import UNIT, unread
from dealer_assist.procedure.alignment.sensing import WHOLE, SensingParameters

#: Streets on which no card is burned, in 1/1,000,000: as for the departures of a deal [unverified].
NO_BURN: Final = 3000
MILLION: Final = 1_000_000


def unburned(antenna: SensingParameters, lain_ms: int, *, glimpsed: bool, hears: bool) -> int:
    """The share of "no card was burned" against "it was, and was not read", in 1/10,000.

    ``lain_ms``: how long it would have lain there by now. ``glimpsed``: a card that lies nowhere was read there once. ``hears``: the
    antenna reads an older burn now, so that nothing covers it.
    """
    antenna = replace(antenna, lifted=0, deaf=0 if hears else antenna.deaf)
    burned = unread(antenna, max(0, lain_ms) // antenna.period_ms)
    if glimpsed:
        burned = max(burned, UNIT * antenna.bad // WHOLE)
        missing = NO_BURN * antenna.ghost // WHOLE
    else:
        missing = NO_BURN
    against = burned * (MILLION - NO_BURN) // UNIT
    return missing * WHOLE // max(1, missing + against)
