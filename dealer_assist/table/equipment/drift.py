"""Watching the antennas while cards are dealt: how often a card that lies flickers, over the last scans of each antenna."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dealer_assist.domain.zones import BURN, MUCK
from dealer_assist.procedure.alignment.sensing import POOR_HIT, WHOLE
from dealer_assist.table.equipment.reads import AntennaKey, Ended

#: So many scans are looked back; older ones count half, a quarter, …
WINDOW_SCANS: Final = 2_000
#: With fewer nothing is said.
ENOUGH_SCANS: Final = 200
#: So much better than poor an antenna must be before it is no longer called poor.
_RELIEF: Final = 200
#: In a pile cards fall silent that lie well.
_PILES: Final = frozenset({MUCK, BURN})


class Drift:
    """A rolling estimate of each antenna's hit rate. ``antennas``: antenna → zone."""

    def __init__(self, antennas: Mapping[AntennaKey, str]) -> None:
        self._antennas = {key: zone for key, zone in antennas.items() if zone not in _PILES}
        self._counts: dict[AntennaKey, tuple[int, int]] = {}
        self._poor: set[AntennaKey] = set()

    def add(self, ended: Ended) -> None:
        """A card has left an antenna."""
        if ended.antenna not in self._antennas or not ended.scans:
            return
        hits, scans = self._counts.get(ended.antenna, (0, 0))
        hits, scans = hits + ended.hits, scans + ended.scans
        while scans > WINDOW_SCANS:
            hits, scans = hits // 2, scans // 2
        self._counts[ended.antenna] = hits, scans
        if scans < ENOUGH_SCANS:
            return
        rate = WHOLE * hits // scans
        if rate < POOR_HIT:
            self._poor.add(ended.antenna)
        elif rate >= POOR_HIT + _RELIEF:
            self._poor.discard(ended.antenna)

    def rate(self, antenna: AntennaKey) -> int | None:
        """How many of 10,000 scans read a card lately; None: too few to say."""
        hits, scans = self._counts.get(antenna, (0, 0))
        return None if scans < ENOUGH_SCANS else WHOLE * hits // scans

    def poor_rates(self) -> dict[str, int]:
        """Zone → how many of 10,000 scans read a card lately, where that is too few."""
        rates: dict[str, int] = {}
        for key in sorted(self._poor):
            rate, zone = self.rate(key), self._antennas[key]
            if rate is not None:
                rates[zone] = min(rate, rates.get(zone, rate))
        return rates

    def poor(self) -> frozenset[str]:
        """Zones of antennas that read too little."""
        return frozenset(self._antennas[key] for key in self._poor)
