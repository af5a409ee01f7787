"""What each antenna reads, undebounced: how many cards it sees now, and of how many scans it missed one that was lying there.

A card that comes back after a short silence was missed by those scans; one that comes back later was lifted, or a pile lay on it, and
that is another stay. Failed scans count neither way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from dealer_assist.table.ports import (
    DeviceRestarted,
    InventorySeen,
    LinkChanged,
    Observation,
    ScanFailed,
    TagArrived,
    TagLeft,
)

#: An antenna: its device, its number.
AntennaKey = tuple[str, int]
#: More scans in a row without a card, and it was not there: hands and piles cover cards for longer than a reader misses one.
MAX_GAP_SCANS: Final = 3


class Stay(msgspec.Struct):
    """A card at an antenna. ``gap_ms``: since when it is not read; None: the last scan read it. ``missed``: scans within the stay."""

    uid: bytes
    first_ms: int
    period_ms: int
    missed: int = 0
    failed: int = 0
    gap_ms: int | None = None

    def __repr__(self) -> str:
        return f"Stay(from {self.first_ms} ms)"

    def counted(self, until_ms: int) -> tuple[int, int]:
        """Hits and scans up to ``until_ms``, without the first scan, which could only be a hit."""
        end_ms = self.gap_ms - self.period_ms if self.gap_ms is not None else until_ms
        scans = max(0, (end_ms - self.first_ms) // max(1, self.period_ms) - self.failed)
        return max(0, scans - self.missed), scans


class Ended(msgspec.Struct, frozen=True):
    """A stay that is over."""

    antenna: AntennaKey
    uid: bytes
    first_ms: int
    last_ms: int
    hits: int
    scans: int
    period_ms: int

    def __repr__(self) -> str:
        return f"Ended({self.antenna}, {self.hits} of {self.scans} scans)"


class Reads:
    """The stays at all antennas."""

    def __init__(self) -> None:
        self._stays: dict[AntennaKey, dict[bytes, Stay]] = {}
        self._ended: list[Ended] = []

    def hear(self, observation: Observation) -> None:
        """Take what a device says."""
        match observation:
            case TagArrived():
                self._arrived(observation, observation.uid)
            case TagLeft():
                stay = self._at(observation).get(observation.uid)
                if stay is not None and stay.gap_ms is None:
                    stay.gap_ms = observation.t_ms
            case InventorySeen():
                for uid, stay in self._at(observation).items():
                    if uid not in observation.uids and stay.gap_ms is None:
                        stay.gap_ms = observation.t_ms
                for uid in observation.uids:
                    self._arrived(observation, uid)
            case ScanFailed():
                for stay in self._at(observation).values():
                    stay.failed += 1
            case LinkChanged(state="ok") | LinkChanged(state="stale"):
                pass
            case LinkChanged() | DeviceRestarted():
                for key in [key for key in self._stays if key[0] == observation.device]:
                    del self._stays[key]
            case _:
                pass

    def _at(self, seen: TagArrived | TagLeft | InventorySeen | ScanFailed) -> dict[bytes, Stay]:
        return self._stays.setdefault((seen.device, seen.antenna), {})

    def _arrived(self, seen: TagArrived | InventorySeen, uid: bytes) -> None:
        stays = self._at(seen)
        stay = stays.get(uid)
        if stay is not None and stay.gap_ms is not None:
            missed = max(1, round((seen.t_ms - stay.gap_ms) / max(1, seen.scan_period_ms)))
            if missed <= MAX_GAP_SCANS:
                stay.missed += missed
                stay.gap_ms = None
            else:
                self._end((seen.device, seen.antenna), stay)
                stay = None
        if stay is None:
            stays[uid] = Stay(uid, seen.t_ms, seen.scan_period_ms)

    def _end(self, key: AntennaKey, stay: Stay) -> None:
        hits, scans = stay.counted(stay.first_ms)
        last_ms = stay.first_ms if stay.gap_ms is None else stay.gap_ms - stay.period_ms
        self._ended.append(Ended(key, stay.uid, stay.first_ms, last_ms, hits, scans, stay.period_ms))
        self._stays.get(key, {}).pop(stay.uid, None)

    def tick(self, t_ms: int) -> list[Ended]:
        """The stays that have ended by ``t_ms`` and were not told yet."""
        for key, stays in self._stays.items():
            for stay in [stay for stay in stays.values() if stay.gap_ms is not None]:
                if t_ms - (stay.gap_ms or 0) > MAX_GAP_SCANS * stay.period_ms:
                    self._end(key, stay)
        ended, self._ended = self._ended, []
        return ended

    def count(self, key: AntennaKey) -> int:
        """How many cards an antenna sees now."""
        return sum(stay.gap_ms is None for stay in self._stays.get(key, {}).values())

    def stays(self, key: AntennaKey) -> Iterator[Stay]:
        """The stays at an antenna that are not over."""
        yield from self._stays.get(key, {}).values()
