"""Deadlines that are moved, put off and called off far more often than they come."""

from __future__ import annotations

import heapq
from typing import Final

NEVER: Final = 1 << 62
"""A deadline that does not come."""


class Timed:
    """Something with a deadline. ``queued`` is the earliest time at which the heap will look at it.

    ``deadline`` may be raised, or set to NEVER, by plain assignment: the heap finds out when it looks. Of two that are due at
    one moment the lower ``rank`` comes first, so that the order of messages does not matter.
    """

    __slots__ = ("deadline", "queued", "rank")

    def __init__(self, rank: int) -> None:
        self.rank = rank
        self.deadline = NEVER
        self.queued = NEVER


class Deadlines:
    """A heap of deadlines, each entry no later than what it stands for; what is no longer meant is dropped as it comes up."""

    __slots__ = ("_heap", "_seq")

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, int, Timed]] = []
        self._seq = 0

    def at(self, timed: Timed, deadline_ms: int) -> None:
        """Set a deadline, earlier or later than the one before."""
        timed.deadline = deadline_ms
        if deadline_ms < timed.queued:
            timed.queued = deadline_ms
            self._seq += 1
            heapq.heappush(self._heap, (deadline_ms, timed.rank, self._seq, timed))

    def first_ms(self) -> int:
        """The earliest deadline, or NEVER."""
        heap = self._heap
        while heap:
            due, _, _, timed = heap[0]
            if due == timed.queued:
                deadline = timed.deadline
                if deadline == due:
                    return due
                timed.queued = NEVER
                heapq.heappop(heap)
                if deadline != NEVER:
                    self.at(timed, deadline)
            else:
                heapq.heappop(heap)
        return NEVER

    def pop(self) -> Timed:
        """What the earliest deadline belongs to; it has none now. Only after :meth:`first_ms` gave one."""
        timed = heapq.heappop(self._heap)[3]
        timed.queued = NEVER
        timed.deadline = NEVER
        return timed
