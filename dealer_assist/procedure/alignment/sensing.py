"""How well an antenna reads, in integers: what calibration and deck check learn, and what is taken where nobody has measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from dealer_assist.domain.zones import Zone

#: Shares are counted in parts of so many.
WHOLE: Final = 10_000
#: An antenna that reads less than this of its scans, or places more than this badly, says nothing by its silence.
POOR_HIT: Final = 7000
POOR_BAD: Final = 400


class SensingParameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One antenna. Shares in 1/10,000, the time between two scans in ms.

    ``hit``: scans that read a card which lies well. ``bad``: cards that lie badly, ``bad_hit``: scans that read such a card.
    ``ghost``: cards that are read once where they do not come to lie. ``deaf``: cards that come while the antenna reads nothing for
    seconds (a hand, chips, a phone above it). ``lifted``: cards that a player takes up before they were read twice.
    """

    hit: int = 9500
    bad: int = 50
    bad_hit: int = 500
    ghost: int = 50
    deaf: int = 90
    lifted: int = 70
    period_ms: int = 200

    @property
    def poor(self) -> bool:
        """Whether what this antenna does not read says nothing: reduced checking."""
        return self.hit < POOR_HIT or self.bad > POOR_BAD


#: Families of antennas by how well they read; ``table`` is what a real one is taken for until it was measured.
CLEAN: Final = SensingParameters(hit=9990, bad=5, ghost=5, deaf=5, lifted=5, period_ms=100)
FINE: Final = SensingParameters(hit=9800, bad=5, ghost=25, deaf=30)
TABLE: Final = SensingParameters()
BAD: Final = SensingParameters(hit=8000, bad=200, ghost=200, deaf=300)
FAMILIES: Final[dict[str, SensingParameters]] = {"clean": CLEAN, "fine": FINE, "table": TABLE, "bad": BAD}

#: Zone → its antenna; a zone that is not in it reads like ``table``.
Sensing = Mapping[Zone, SensingParameters]


def sensing_of(sensing: Sensing, zone: Zone) -> SensingParameters:
    """How well the antenna of a zone reads."""
    return sensing.get(zone, TABLE)
