"""What the antennas report of moving cards: a tag that came into a field, a tag that left it; undebounced, scan by scan.

A pile reads only so deep: cards below fall silent although they have not moved, and speak again when the pile above them goes.
Changes only are reported, as a reader does; a card that came and went between two scans was never there.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from hw_sim.physics import BOARD, BURN, MUCK, Movement

#: How many cards of a pile an antenna reads (HF tags in a stack detune each other).
PILE_DEPTH: Final[Mapping[str, int]] = {MUCK: 3, BURN: 3}

#: Antenna numbers of the simulated reader: seats by their number, then board, burn and muck.
READER: Final = "reader-1"
ANTENNAS: Final[Mapping[str, tuple[str, int]]] = {
    **{f"seat{seat}": (READER, seat) for seat in range(1, 12)},
    BOARD: (READER, 12),
    BURN: (READER, 13),
    MUCK: (READER, 14),
}


class Read(msgspec.Struct, frozen=True):
    """A change in a field. ``t_ms``: the device's time of the scan; ``scan``: its number."""

    t_ms: int
    arrived: bool
    device: str
    antenna: int
    card: str
    scan: int


class Inventory(msgspec.Struct, frozen=True):
    """Everything in a field, as a device tells after it was plugged in."""

    t_ms: int
    device: str
    antenna: int
    cards: tuple[str, ...]
    scan: int


class Field:
    """The fields of a table's antennas. ``antennas``: place → device and antenna number; other places have none."""

    def __init__(
        self,
        antennas: Mapping[str, tuple[str, int]] = ANTENNAS,
        *,
        scan_period_ms: int = 100,
        pile_depth: Mapping[str, int] = PILE_DEPTH,
    ) -> None:
        self.scan_period_ms = scan_period_ms
        self._antennas = antennas
        self._depth = pile_depth
        self._queue: list[tuple[int, int, str, str, bool]] = []
        self._number = 0
        self._stays: dict[tuple[str, str], int] = {}
        self._lying: dict[str, list[str]] = {place: [] for place in antennas}
        self._told: dict[str, list[str]] = {place: [] for place in antennas}
        self._silent: set[str] = set()

    def move(self, movements: Sequence[Movement]) -> None:
        """Take note of movements; their time may lie ahead, never before the last scan that was asked for."""
        for move in movements:
            self._put(move.t_ms, move.card, move.source, comes=False)
            if move.late_ms is not None:
                self._put(move.t_ms + move.late_ms, move.card, move.target, comes=True)

    def _put(self, t_ms: int, card: str, place: str, *, comes: bool) -> None:
        if place not in self._antennas:
            return
        self._number += 1
        if comes:
            self._stays[card, place] = self._number
        else:
            pending = self._stays.pop((card, place), None)
            if pending is not None and card not in self._lying[place]:
                # It leaves before it was ever read there (late by more than it stayed), or both are still ahead.
                later = [item for item in self._queue if item[1] == pending]
                if later and later[0][0] >= t_ms:
                    self._queue.remove(later[0])
                    heapq.heapify(self._queue)
                    return
        heapq.heappush(self._queue, (t_ms, self._number, card, place, comes))

    def next_ms(self) -> int | None:
        """The time of the next scan that has something to tell, or None."""
        return self._scan_of(self._queue[0][0]) * self.scan_period_ms if self._queue else None

    def _scan_of(self, t_ms: int) -> int:
        return -(-t_ms // self.scan_period_ms)

    def advance(self, to_ms: int) -> list[Read]:
        """Scan up to ``to_ms`` and return what changed, oldest first."""
        reads: list[Read] = []
        queue = self._queue
        while queue:
            scan = self._scan_of(queue[0][0])
            scan_ms = scan * self.scan_period_ms
            if scan_ms > to_ms:
                break
            touched: dict[str, None] = {}
            while queue and queue[0][0] <= scan_ms:
                _, _, card, place, comes = heapq.heappop(queue)
                lying = self._lying[place]
                if card in lying:
                    lying.remove(card)
                if comes:
                    lying.append(card)
                touched[place] = None
            for place in touched:
                if self._antennas[place][0] not in self._silent:
                    reads += self._changes(place, scan, scan_ms)
        return reads

    def _seen(self, place: str) -> list[str]:
        depth = self._depth.get(place)
        return self._lying[place][-depth:] if depth is not None else list(self._lying[place])

    def _changes(self, place: str, scan: int, scan_ms: int) -> list[Read]:
        device, antenna = self._antennas[place]
        told, seen = self._told[place], self._seen(place)
        self._told[place] = seen
        gone = [Read(scan_ms, False, device, antenna, card, scan) for card in told if card not in seen]
        return gone + [Read(scan_ms, True, device, antenna, card, scan) for card in seen if card not in told]

    # -- the line to the device ------------------------------------------------------------------------------------------------

    def unplug(self, device: str) -> None:
        """The device tells nothing from now on."""
        self._silent.add(device)

    def plug(self, device: str, at_ms: int) -> list[Inventory]:
        """The device is back at ``at_ms`` and tells, antenna by antenna, all that it sees. Call :meth:`advance` to then first."""
        self._silent.discard(device)
        scan = self._scan_of(at_ms)
        told = []
        for place, (owner, antenna) in self._antennas.items():
            if owner == device:
                self._told[place] = self._seen(place)
                told.append(
                    Inventory(scan * self.scan_period_ms, device, antenna, tuple(self._told[place]), scan)
                )
        return told
