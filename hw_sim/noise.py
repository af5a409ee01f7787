"""Reads that fail: an antenna whose scans now and then miss a card that lies well. Everything else it reports as it is."""

from __future__ import annotations

import heapq
import random
from typing import Literal

from hw_sim.antennas import SCAN_PERIOD_MS, Field, TagEvent

_Key = tuple[int, bytes]


class NoisyField(Field):
    """A :class:`Field` of which each scan misses each card with probability ``miss_rate``, drawn from ``rng``.

    A miss shows as a tag that left, and arrived again at the next scan that sees it. No miss is drawn for the first scan of a card:
    a card that comes later is a ``late_ms`` of its movement.
    """

    def __init__(
        self, antennas: dict[str, int], tags: dict[str, bytes], *, miss_rate: float, rng: random.Random
    ) -> None:
        if not 0.0 < miss_rate < 1.0:
            raise ValueError("a miss rate lies between 0 and 1")
        super().__init__(antennas, tags)
        self._miss_rate = miss_rate
        self._rng = rng
        #: what becomes of a card at a scan, for cards that lie in a field: time, order, whether it is missed, which card, its stay
        self._due: list[tuple[int, int, bool, _Key, int]] = []
        self._drawn = 0
        #: the stays of the cards that lie in a field, and the cards that the last scan missed
        self._stays: dict[_Key, int] = {}
        self._missed: set[_Key] = set()

    def due_ms(self) -> int | None:
        """When the next report may be due."""
        times = [
            time for time in (super().due_ms(), self._due[0][0] if self._due else None) if time is not None
        ]
        return min(times, default=None)

    def until(self, t_ms: int) -> list[TagEvent]:
        """The reports up to ``t_ms``, in order."""
        out: list[TagEvent] = []
        for event in super().until(t_ms):
            self._flicker(event.t_ms - 1, out)
            key = (event.antenna, event.uid)
            if event.kind == "tag_arrived":
                self._drawn += 1
                self._stays[key] = self._drawn
                self._draw(key, event.t_ms, missed=False)
                out.append(event)
            else:
                del self._stays[key]
                if key in self._missed:
                    self._missed.remove(key)  # it was told as gone already
                else:
                    out.append(event)
        self._flicker(t_ms, out)
        return out

    def inventory(self, antenna: int) -> tuple[bytes, ...]:
        """The tags an antenna reads now."""
        return tuple(uid for uid in super().inventory(antenna) if (antenna, uid) not in self._missed)

    def _flicker(self, to_ms: int, out: list[TagEvent]) -> None:
        while self._due and self._due[0][0] <= to_ms:
            when, _, misses, key, stay = heapq.heappop(self._due)
            if self._stays.get(key) != stay:
                continue
            (self._missed.add if misses else self._missed.remove)(key)
            kind: Literal["tag_arrived", "tag_left"] = "tag_left" if misses else "tag_arrived"
            out.append(TagEvent(when, kind, key[0], key[1], when // SCAN_PERIOD_MS))
            self._draw(key, when, missed=misses)

    def _draw(self, key: _Key, from_ms: int, *, missed: bool) -> None:
        """When the next scan after ``from_ms`` comes that sees a card otherwise than the one then."""
        rate = 1.0 - self._miss_rate if missed else self._miss_rate
        scans = 1
        while self._rng.random() >= rate:
            scans += 1
        self._drawn += 1
        heapq.heappush(
            self._due, (from_ms + scans * SCAN_PERIOD_MS, self._drawn, not missed, key, self._stays[key])
        )


def field_of(antennas: dict[str, int], tags: dict[str, bytes], *, miss_rate: float, seed: int) -> Field:
    """The antennas of a reader, clean where ``miss_rate`` is 0; misses are drawn by ``seed``."""
    if miss_rate:
        return NoisyField(antennas, tags, miss_rate=miss_rate, rng=random.Random(f"misses/{seed}"))
    return Field(antennas, tags)
