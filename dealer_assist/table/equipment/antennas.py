"""The table's antennas: what calibration measured, what they see now, and how well they read while cards are dealt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace

from dealer_assist.domain import equipment as eq
from dealer_assist.domain.facts import Fact, NoticeFact
from dealer_assist.procedure.alignment.sensing import TABLE, SensingParameters
from dealer_assist.table.equipment.calibration import (
    Calibration,
    Measured,
    fingerprint,
    poor_zones,
    sensing_of,
)
from dealer_assist.table.equipment.drift import Drift
from dealer_assist.table.equipment.files import CalibrationFile, EquipmentFiles
from dealer_assist.table.equipment.reads import AntennaKey, Ended, Reads
from dealer_assist.table.ports import Observation

#: How often the live view is drawn anew, in table ms.
LOOK_MS = 200


class Antennas:
    """``antennas``: antenna → zone; ``links``: what is known of the devices now."""

    def __init__(
        self,
        antennas: Mapping[AntennaKey, str],
        files: EquipmentFiles,
        links: Callable[[], Sequence[eq.LinkView]],
    ) -> None:
        self.reads = Reads()
        self._zones = dict(antennas)
        self._files = files
        self._links = links
        kept = files.load_calibration()
        known = {one.key: one for one in kept.antennas} if kept is not None else {}
        self.measured = [
            known[key] if key in known and known[key].zone == zone else Measured(*key, zone)
            for key, zone in self._zones.items()
        ]
        self._fingerprint = "" if kept is None else kept.fingerprint
        self._poor = poor_zones(self.measured)
        self._drift = Drift(self._zones)
        self._told_poor: frozenset[str] = frozenset()
        self._drifted: frozenset[str] = frozenset()
        self._live_until_ms: int | None = None
        self._looked_ms = 0
        self.links_fact = eq.LinksFact()

    def zones(self) -> frozenset[str]:
        """The zones that have an antenna."""
        return frozenset(self._zones.values())

    def device_of(self, zone: str) -> str:
        """The device that reads a zone, "" for none."""
        return next((key[0] for key, found in self._zones.items() if found == zone), "")

    def links(self) -> Sequence[eq.LinkView]:
        """What is known of the devices now."""
        return self._links()

    def link_of(self, device: str) -> eq.LinkView:
        """What a device says that it is."""
        return next(
            (link for link in self._links() if link.device == device), eq.LinkView(device, "", "lost")
        )

    def sensing(self) -> dict[str, SensingParameters]:
        """How the zones read, as far as it was measured; a zone that reads poorly lately, as it does lately."""
        found = sensing_of(self.measured)
        for zone, hit in self._drift.poor_rates().items():
            known = found.get(zone, TABLE)
            found[zone] = replace(known, hit=min(known.hit, hit))
        return found

    def drifted(self) -> bool:
        """Whether a zone has become poor, or good again, by what it read lately, since this was asked last."""
        poor = self._drift.poor()
        changed, self._drifted = poor != self._drifted, poor
        return changed

    def wanted(self, zones: Iterable[str]) -> list[AntennaKey]:
        """The antennas of these zones, of all where none is named, in the order of their zones."""
        chosen = frozenset(zones) or self.zones()
        keys = [key for key, zone in self._zones.items() if zone in chosen]
        return sorted(keys, key=lambda key: (_rank(self._zones[key]), key))

    # -- what they read ------------------------------------------------------------------------------------------------------------

    def hear(self, observation: Observation) -> None:
        """Take what a device says."""
        self.reads.hear(observation)

    def tick(self, t_ms: int, *, dealt: bool) -> list[Ended]:
        """The stays that ended; ``dealt``: they belong to the game and say how well the antennas read."""
        ended = self.reads.tick(t_ms)
        if dealt:
            for stay in ended:
                self._drift.add(stay)
        return ended

    def notices(self) -> list[Fact]:
        """Reduced checking where an antenna reads too little, lately or by its calibration."""
        poor = self._drift.poor() | self._poor
        over = self._told_poor - poor
        self._told_poor = poor
        return [
            *[NoticeFact(f"reduced/{zone}", "reduced_checking", {"zone": zone}) for zone in sorted(poor)],
            *[NoticeFact(f"reduced/{zone}", "", {}) for zone in sorted(over)],
        ]

    # -- the live view -------------------------------------------------------------------------------------------------------------

    def diagnose(self, seconds: int, t_ms: int) -> list[Fact]:
        """Show what the antennas see for so long; 0: no longer."""
        self._live_until_ms = t_ms + 1000 * seconds if seconds else None
        self._looked_ms = t_ms
        return self.facts()

    def look(self, t_ms: int) -> list[Fact]:
        """The live view, when it is time for it."""
        if self._live_until_ms is None or t_ms - self._looked_ms < LOOK_MS:
            return []
        self._looked_ms = t_ms
        if t_ms > self._live_until_ms:
            self._live_until_ms = None
        return self.facts()

    def facts(self) -> list[Fact]:
        """The antennas, and the links while somebody diagnoses."""
        live = self._live_until_ms is not None
        views = [one.view(self.reads.count(one.key) if live else None) for one in self.measured]
        links = eq.LinksFact(tuple(self._links()) if live else ())
        return [eq.AntennasFact(tuple(views), self._fingerprint), links]

    # -- calibration ---------------------------------------------------------------------------------------------------------------

    def calibration(self, zones: Iterable[str], t_ms: int) -> Calibration:
        """Begin to calibrate."""
        return Calibration(self.measured, self.wanted(zones), t_ms)

    def keep(self, measured: Sequence[Measured], t_utc: str) -> CalibrationFile:
        """These figures are in force from now on. Raises NotStored, and nothing has changed then."""
        found = CalibrationFile(t_utc, fingerprint(measured), tuple(measured), sensing_of(measured))
        self._files.save_calibration(found)
        self.measured = list(measured)
        self._fingerprint = found.fingerprint
        self._poor = poor_zones(measured)
        return found


def _rank(zone: str) -> tuple[int, int, str]:
    """Seats in order, then the others."""
    return (0, int(zone[4:]), "") if zone.startswith("seat") and zone[4:].isdigit() else (1, 0, zone)
