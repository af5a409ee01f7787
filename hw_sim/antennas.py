"""Antennas: from where cards lie to what a reader reports, undebounced, on each antenna's scan grid.

Fidelity and its limits: a pile on the muck or burn antenna is read three cards deep, deeper ones fall silent; every other card that
lies well is read at every scan. Noise is another kind of field (:mod:`hw_sim.noisy_field`).
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from hw_sim.noise import PILE_DEPTH, SCAN_PERIOD_MS
from hw_sim.physics import Movement

__all__ = ["PILES", "PILE_DEPTH", "SCAN_PERIOD_MS", "Field", "TagEvent"]

PILES: Final = frozenset(("muck", "burn"))
#: A card that is missed for no longer was not taken away.
_FLICKER_MS: Final = 500


class TagEvent(msgspec.Struct, frozen=True):
    """What one scan of an antenna reports: of one tag, or that it said nothing (``scan_failed``).

    ``restarted``: the reader did, ``antenna`` 0; behind it comes an ``inventory`` of each antenna with all that it reads (``uids``).
    """

    t_ms: int
    kind: Literal["tag_arrived", "tag_left", "scan_failed", "restarted", "inventory"]
    antenna: int
    uid: bytes
    scan: int
    uids: tuple[bytes, ...] = ()


class Field:
    """All antennas of one reader. ``antennas``: zone → antenna number; zones that are not in it are read by something else.

    A card of a pile that lies too deep is silent, and heard again when the cards above it are taken.
    """

    #: from one scan of an antenna to its next
    scan_period_ms: int = SCAN_PERIOD_MS

    def __init__(self, antennas: Mapping[str, int], tags: Mapping[str, bytes]) -> None:
        self._antennas = dict(antennas)
        self._tags = dict(tags)
        self._queue: list[tuple[int, int, bool, int, str]] = []
        self._count = 0
        #: the cards that an antenna could read, oldest first, and those of them it told of
        self._lying: dict[int, list[str]] = {number: [] for number in antennas.values()}
        self._told: dict[int, list[str]] = {number: [] for number in antennas.values()}
        self._piles = {number for zone, number in antennas.items() if zone in PILES}
        #: in this hand, card at an antenna → since when it is read but for flickers, until when it was, and for how long at the most
        self._since: dict[tuple[int, str], int] = {}
        self._until: dict[tuple[int, str], int] = {}
        self._longest: dict[tuple[int, str], int] = {}

    def begin_hand(self, now_ms: int) -> None:
        """A hand begins: what was read before is forgotten."""
        self._since.clear()
        self._until.clear()
        self._longest.clear()

    def read_for_ms(self, face: str, zone: str, now_ms: int) -> int:
        """For how long at the most the zone's antenna has read this card in this hand, but for flickers."""
        key = (self._antennas.get(zone, 0), face)
        longest = self._longest.get(key, 0)
        if key in self._since and face in self._told[key[0]]:
            return max(longest, now_ms - self._since[key])
        return longest

    def move(self, movement: Movement) -> None:
        """A card moves; its reports are due later."""
        source = self._antennas.get(movement.source)
        if source is not None:
            self._leave(source, movement.face, self._next_scan(source, movement.left_ms))
        target = self._antennas.get(movement.target)
        if target is not None and not movement.unread:
            self._later(
                self._next_scan(target, movement.laid_ms + movement.late_ms), True, target, movement.face
            )

    def due_ms(self) -> int | None:
        """When the next report may be due."""
        return self._queue[0][0] if self._queue else None

    def until(self, t_ms: int) -> list[TagEvent]:
        """The reports up to ``t_ms``, in order."""
        events: list[TagEvent] = []
        queue = self._queue
        while queue and queue[0][0] <= t_ms:
            when, _, _, antenna, _ = queue[0]
            lying = self._lying[antenna]
            while queue and queue[0][0] == when and queue[0][3] == antenna:
                _, _, comes, _, face = heapq.heappop(queue)
                if face in lying:
                    lying.remove(face)
                if comes:
                    lying.append(face)
            seen = lying[-PILE_DEPTH:] if antenna in self._piles else list(lying)
            self._tell(when, antenna, seen, events)
        return events

    def inventory(self, antenna: int) -> tuple[bytes, ...]:
        """The tags an antenna reads now."""
        return tuple(self._tags[face] for face in self._told.get(antenna, ()))

    def _tell(self, when: int, antenna: int, seen: list[str], events: list[TagEvent]) -> None:
        """What this scan sees otherwise than the one before."""
        told = self._told[antenna]
        self._told[antenna] = seen
        for face in told:
            if face not in seen:
                events.append(self._event(when, "tag_left", antenna, face))
                self._read_until(when, antenna, face)
        for face in seen:
            if face not in told:
                events.append(self._event(when, "tag_arrived", antenna, face))
                self._read_from(when, antenna, face)

    def _read_from(self, when: int, antenna: int, face: str) -> None:
        key = (antenna, face)
        if when - self._until.get(key, -_FLICKER_MS - 1) > _FLICKER_MS:
            self._since[key] = when

    def _read_until(self, when: int, antenna: int, face: str) -> None:
        key = (antenna, face)
        self._until[key] = when
        # the last read was a scan ago
        read_ms = when - self.scan_period_ms - self._since.get(key, when)
        self._longest[key] = max(read_ms, self._longest.get(key, 0))

    def _event(
        self, when: int, kind: Literal["tag_arrived", "tag_left"], antenna: int, face: str
    ) -> TagEvent:
        return TagEvent(when, kind, antenna, self._tags[face], when // self.scan_period_ms)

    def _next_scan(self, antenna: int, t_ms: int) -> int:
        """The first scan of an antenna at or after a time; antennas are scanned one after the other."""
        period_ms = self.scan_period_ms
        phase = antenna * 7 * period_ms // SCAN_PERIOD_MS % period_ms
        return t_ms + (phase - t_ms) % period_ms

    def _leave(self, antenna: int, face: str, when: int) -> None:
        """A card leaves: a late read that was still to come never does."""
        overdue = [
            item for item in self._queue if item[0] >= when and item[2] and item[3:] == (antenna, face)
        ]
        for item in overdue:
            self._queue.remove(item)
        if overdue:
            heapq.heapify(self._queue)
        self._later(when, False, antenna, face)

    def _later(self, when: int, comes: bool, antenna: int, face: str) -> None:
        self._count += 1
        heapq.heappush(self._queue, (when, self._count, comes, antenna, face))
