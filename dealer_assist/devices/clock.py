"""Table time, and how a device's own time is mapped to it.

Table time is the host's monotonic time in ms, times a speed that is 1 except with simulated devices whose clock runs fast.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

WINDOW_MS: Final = 30_000
"""How long a best sample counts alone (host time): crystals drift some 0.1 s an hour, a message is late for moments."""


_WRAP: Final = 1 << 32


class TableClock:
    """The clock of a table. ``monotonic_s``: the host's monotonic clock in seconds; ``speed``: simulated ms a host ms."""

    def __init__(self, monotonic_s: Callable[[], float], *, speed: float = 1.0, start_ms: int = 0) -> None:
        self._monotonic_s = monotonic_s
        self._origin_s = monotonic_s()
        self.speed = speed
        self._start_ms = start_ms

    def host_ms(self) -> int:
        """Host time in ms since the clock was made: what timeouts of links are counted in."""
        return int((self._monotonic_s() - self._origin_s) * 1000)

    def table_ms(self) -> int:
        """Table time now, in ms."""
        return self._start_ms + int((self._monotonic_s() - self._origin_s) * 1000 * self.speed)

    def at(self, host_ms: int) -> int:
        """The table time of a moment of :meth:`host_ms`."""
        return self._start_ms + int(host_ms * self.speed)


class DeviceClock:
    """Maps one device's time to table time.

    A message is never younger than its arrival, so of all samples (arrival - device time) the least is nearest to the truth.
    Two windows of samples keep the mapping with a crystal that runs slow. A device that restarted begins anew. Device time is a
    32-bit count that wraps after 49.7 days; it may run back by less than half of that (an event from the device's memory).
    """

    def __init__(self) -> None:
        self._newest = 0
        self._least: int | None = None
        self._before: int | None = None
        self._since_ms = 0

    def reset(self) -> None:
        """Forget all samples: the device's clock started again."""
        self._least = None
        self._before = None
        self._newest = 0

    def _unwrapped(self, device_ms: int) -> int:
        ahead = (device_ms - self._newest) % _WRAP
        return self._newest + (ahead if ahead < _WRAP // 2 else ahead - _WRAP)

    def sample(self, device_ms: int, table_ms: int) -> None:
        """A message that the device stamped ``device_ms`` came at ``table_ms``."""
        whole_ms = device_ms if self._least is None else self._unwrapped(device_ms)
        self._newest = whole_ms if self._least is None else max(self._newest, whole_ms)
        offset = table_ms - whole_ms
        if self._least is None:
            self._least = offset
            self._since_ms = table_ms
        elif table_ms - self._since_ms >= WINDOW_MS:
            self._before = self._least
            self._least = offset
            self._since_ms = table_ms
        else:
            self._least = min(self._least, offset)

    def to_table(self, device_ms: int, table_ms: int) -> int:
        """The table time of ``device_ms``; ``table_ms`` (now) without a sample, and never later than now."""
        if self._least is None:
            return table_ms
        offset = self._least if self._before is None else min(self._least, self._before)
        return min(self._unwrapped(device_ms) + offset, table_ms)
