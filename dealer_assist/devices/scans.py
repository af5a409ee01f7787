"""Complete scans of a bought reader become the observations of the table: what came, what left, what failed."""

from __future__ import annotations

from collections import deque
from typing import Final

from dealer_assist.table.ports import InventorySeen, Observation, ScanFailed, TagArrived, TagLeft

INTERVALS: Final = 4
"""Of so many intervals between scans of an antenna the longest counts as its period: a reader that lists more tags takes longer,
and a period told too short would let one read count as two."""


class _Antenna:
    __slots__ = ("intervals", "last_ms", "scan", "told", "uids")

    def __init__(self) -> None:
        self.scan = 0
        self.last_ms: int | None = None
        self.intervals: deque[int] = deque(maxlen=INTERVALS)
        self.uids: tuple[bytes, ...] = ()
        self.told = False


class ScanDiff:
    """One device. ``period_ms``: how often each antenna is expected to be scanned, until that is measured (table time, as all here).

    The first scan of an antenna is told whole, as are those after :meth:`forget` and :meth:`tell_all`; of the others the changes.
    """

    def __init__(self, device: str, *, period_ms: int) -> None:
        self._device = device
        self._period_ms = max(1, period_ms)
        self._antennas: dict[int, _Antenna] = {}

    def forget(self) -> None:
        """The line was away: nothing that was seen or measured before it counts."""
        for antenna in self._antennas.values():
            antenna.told = False
            antenna.last_ms = None
            antenna.intervals.clear()

    def tell_all(self) -> None:
        """The next scan of each antenna is told whole, though nothing was interrupted."""
        for antenna in self._antennas.values():
            antenna.told = False

    def scanned(self, number: int, uids: tuple[bytes, ...], t_ms: int) -> list[Observation]:
        """A complete, clean scan. A UID that is listed more than once lies there once."""
        antenna, period_ms = self._count(number, t_ms)
        now = tuple(dict.fromkeys(uids))
        before, antenna.uids = antenna.uids, now
        device, scan = self._device, antenna.scan
        if not antenna.told:
            antenna.told = True
            return [InventorySeen(device, number, now, t_ms, scan, period_ms)]
        out: list[Observation] = [
            TagLeft(device, number, uid, t_ms, scan, period_ms) for uid in before if uid not in now
        ]
        out += [TagArrived(device, number, uid, t_ms, scan, period_ms) for uid in now if uid not in before]
        return out

    def failed(self, number: int, t_ms: int, reason: str) -> list[Observation]:
        """A scan without a usable answer: nothing came and nothing left by it."""
        antenna, period_ms = self._count(number, t_ms)
        return [ScanFailed(self._device, number, t_ms, antenna.scan, period_ms, reason)]

    def _count(self, number: int, t_ms: int) -> tuple[_Antenna, int]:
        antenna = self._antennas.get(number)
        if antenna is None:
            antenna = self._antennas[number] = _Antenna()
        antenna.scan += 1
        if antenna.last_ms is not None:
            antenna.intervals.append(max(1, t_ms - antenna.last_ms))
        antenna.last_ms = t_ms
        return antenna, max(antenna.intervals, default=self._period_ms)
