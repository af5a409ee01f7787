"""Antennas: from where cards lie to what a reader reports, undebounced, on each antenna's scan grid.

Fidelity and its limits: a pile on the muck or burn antenna is read three cards deep, deeper ones fall silent; every other card that
lies well is read at every scan. Random misses are a fault to be injected, not a habit.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from hw_sim.physics import Movement

SCAN_PERIOD_MS: Final = 100
#: Cards of a pile that an antenna reads, from the top.
PILE_DEPTH: Final = 3
PILES: Final = frozenset(("muck", "burn"))


class TagEvent(msgspec.Struct, frozen=True):
    """What one scan of an antenna reports of one tag."""

    t_ms: int
    kind: Literal["tag_arrived", "tag_left"]
    antenna: int
    uid: bytes
    scan: int


class Field:
    """All antennas of one reader. ``antennas``: zone → antenna number; zones that are not in it are read by something else."""

    def __init__(self, antennas: Mapping[str, int], tags: Mapping[str, bytes]) -> None:
        self._antennas = dict(antennas)
        self._tags = dict(tags)
        self._queue: list[tuple[int, int, str, int, str]] = []
        self._count = 0
        self._seen: dict[int, list[str]] = {number: [] for number in antennas.values()}
        self._piles = {number for zone, number in antennas.items() if zone in PILES}

    def move(self, movement: Movement) -> None:
        """A card moves; its reports are due later."""
        source = self._antennas.get(movement.source)
        if source is not None:
            self._later(self._next_scan(source, movement.left_ms), "left", source, movement.face)
        target = self._antennas.get(movement.target)
        if target is not None and not movement.unread:
            self._later(
                self._next_scan(target, movement.laid_ms + movement.late_ms), "arrived", target, movement.face
            )

    def due_ms(self) -> int | None:
        """When the next report is due."""
        return self._queue[0][0] if self._queue else None

    def until(self, t_ms: int) -> list[TagEvent]:
        """The reports up to ``t_ms``, in order."""
        events: list[TagEvent] = []
        while self._queue and self._queue[0][0] <= t_ms:
            when, _, what, antenna, face = heapq.heappop(self._queue)
            if what == "arrived":
                self._arrive(when, antenna, face, events)
            elif face in self._seen[antenna]:
                self._seen[antenna].remove(face)
                events.append(self._event(when, "tag_left", antenna, face))
        return events

    def inventory(self, antenna: int) -> tuple[bytes, ...]:
        """The tags an antenna reads now."""
        return tuple(self._tags[face] for face in self._seen.get(antenna, ()))

    def _arrive(self, when: int, antenna: int, face: str, events: list[TagEvent]) -> None:
        seen = self._seen[antenna]
        if any(
            item[2] == "left" and item[3] == antenna and item[4] == face
            for item in self._queue
            if item[0] <= when
        ):
            return
        if antenna in self._piles and len(seen) >= PILE_DEPTH:
            events.append(self._event(when, "tag_left", antenna, seen.pop(0)))
        seen.append(face)
        events.append(self._event(when, "tag_arrived", antenna, face))

    def _event(
        self, when: int, kind: Literal["tag_arrived", "tag_left"], antenna: int, face: str
    ) -> TagEvent:
        return TagEvent(when, kind, antenna, self._tags[face], when // SCAN_PERIOD_MS)

    def _next_scan(self, antenna: int, t_ms: int) -> int:
        """The first scan of an antenna at or after a time; antennas are scanned one after the other."""
        phase = antenna * 7 % SCAN_PERIOD_MS
        return t_ms + (phase - t_ms) % SCAN_PERIOD_MS

    def _later(self, when: int, what: str, antenna: int, face: str) -> None:
        self._count += 1
        heapq.heappush(self._queue, (when, self._count, what, antenna, face))
