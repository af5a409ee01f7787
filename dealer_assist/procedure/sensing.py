"""How well each zone of a table reads cards: what calibration and deck checks have measured, as whole numbers.

Values only. They are what the likelihood of a read or a miss is computed from, in integers, so that a replay is bit-exact. Whoever
measures them (:mod:`dealer_assist.table.calibration`) rounds to these units.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import msgspec

#: The unit of ``hit_per_1024``.
HIT_UNIT: Final = 1024
#: The unit of the rare things.
RARE_UNIT: Final = 100_000
#: Below this share of scans (about .80) an antenna is too poor to tell a missed read from a missing card: "reduced checking".
POOR_HIT_PER_1024: Final = 819
#: More badly placed cards than this (2 %), and an unread card says little: "reduced checking".
POOR_PLACED_PER_100K: Final = 2_000


class ZoneSensing(msgspec.Struct, frozen=True):
    """How one zone reads.

    ``hit_per_1024``: how many of 1024 clean scans read a card that lies well (1 to 1024). ``badly_placed_per_100k``: how many of
    100,000 cards are laid so that they are hardly read at all. ``ghost_per_100k``: in how many of 100,000 scans a card is read that
    lies at a neighbour. ``scan_period_ms``: how often the zone is scanned. The defaults are a table as it usually is: 95 % of
    scans, 0.5 % badly placed, a scan every 200 ms.
    """

    hit_per_1024: int = 973
    badly_placed_per_100k: int = 500
    ghost_per_100k: int = 20
    scan_period_ms: int = 200

    @property
    def poor(self) -> bool:
        """Whether the zone is too poor for checks that rest on what was not read."""
        return self.hit_per_1024 < POOR_HIT_PER_1024 or self.badly_placed_per_100k > POOR_PLACED_PER_100K


#: A zone that nobody has measured.
USUAL: Final = ZoneSensing()


class SensingParameters(msgspec.Struct, frozen=True):
    """The zones of a table by name; a zone that is not named reads as ``usual`` does."""

    zones: Mapping[str, ZoneSensing] = MappingProxyType({})
    usual: ZoneSensing = USUAL

    def of(self, zone: str) -> ZoneSensing:
        """How a zone reads."""
        return self.zones.get(zone, self.usual)

    def poor(self) -> frozenset[str]:
        """The zones with reduced checking."""
        return frozenset(zone for zone, sensing in self.zones.items() if sensing.poor)
