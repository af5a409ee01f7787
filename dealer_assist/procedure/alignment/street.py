"""The odds of a burn or a board card that was not read: against no burn at all, two burns, and a flop of two."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from dealer_assist.procedure.alignment.density import DEAF_MS, UNIT, unread
from dealer_assist.procedure.alignment.sensing import WHOLE, SensingParameters

#: Streets on which no card is burned, in 1/1,000,000: as for the departures of a deal [unverified].
NO_BURN: Final = 3000
MILLION: Final = 1_000_000
#: Streets on which a second card is burned after a pause, not at once behind the first one, in 1/1,000,000 [unverified].
BURNED_AGAIN: Final = 400
#: Flops that a dealer stops at the second card of, in 1/1,000,000 [unverified].
TWO_FLOP: Final = 2000
#: How long an antenna is deaf at least, once it is.
LEAST_DEAF_MS: Final = 1000
#: Any of the three cards can be the one that was not read.
FLOP: Final = 3


def unburned(antenna: SensingParameters, lain_ms: int, *, glimpsed: bool, hears: bool) -> int:
    """The share of "no card was burned" against "it was, and was not read", in 1/10,000.

    ``lain_ms``: how long it would have lain there by now. ``glimpsed``: a card that lies nowhere was read there once. ``hears``: the
    antenna reads an older burn now, so that nothing covers it.
    """
    burned = _unheard(antenna, max(0, lain_ms), hears=hears)
    if glimpsed:
        burned = max(burned, UNIT * antenna.bad // WHOLE)
        missing = NO_BURN * antenna.ghost // WHOLE
    else:
        missing = NO_BURN
    against = burned * (MILLION - NO_BURN) // UNIT
    return missing * WHOLE // max(1, missing + against)


def burned_twice(antenna: SensingParameters, between_ms: int, *, hears: bool) -> int:
    """The share of "two cards were burned" against "it is the next street's burn, whose board card was never read", in 1/10,000.

    ``between_ms``: from the one burn to the other. ``hears``: the ``antenna`` of the board reads other cards now.
    """
    unheard = _unheard(antenna, between_ms, hears=hears) * (MILLION - BURNED_AGAIN) // UNIT
    return BURNED_AGAIN * WHOLE // max(1, BURNED_AGAIN + unheard)


def short(antenna: SensingParameters, lain_ms: int) -> int:
    """The share of "the flop has two cards" against "one of three is not read", in 1/10,000; the ``antenna`` reads the two others now.

    ``lain_ms``: how long the third would have lain there by now.
    """
    unheard = FLOP * _unheard(antenna, lain_ms, hears=True) * (MILLION - TWO_FLOP) // UNIT
    return TWO_FLOP * WHOLE // max(1, TWO_FLOP + unheard)


def _unheard(antenna: SensingParameters, lain_ms: int, *, hears: bool) -> int:
    """The weight of a card that nobody takes up and that so long has not been read; ``hears``: the antenna reads other cards.

    A silence lasts from 1 to 10 s, any of these as often [unverified]: what is left of one that runs goes with the square of the rest.
    """
    lying = unread(replace(antenna, lifted=0, deaf=0), lain_ms // antenna.period_ms)
    if hears:
        return lying
    rest_ms = max(0, DEAF_MS - max(lain_ms, LEAST_DEAF_MS))
    return min(UNIT, lying + antenna.deaf * UNIT // WHOLE * rest_ms**2 // (DEAF_MS - LEAST_DEAF_MS) ** 2)
