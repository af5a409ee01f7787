"""The sending half of a link: messages that wait, messages in flight, and when to send them again.

Numbers are given when a message is first sent in a session; a new session numbers everything that is not acknowledged anew, from
1. The receiver keeps nothing out of order, so what is sent again is everything in flight.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

import msgspec

from firmware_protocol.errors import QueueFull
from firmware_protocol.frames import SEQ_HALF, SEQ_MASK
from firmware_protocol.framing import Counters

WINDOW: Final = 16
"""Messages in flight."""
WINDOW_BYTES: Final = 1024
"""Bytes of messages in flight, beyond the first: some 90 ms at 115200 baud, so that a NAK is not stuck in a queue."""
MAX_TIMEOUTS: Final = 10
"""Time-outs in a row, with the other side there and nothing acknowledged, until the link has failed."""
FIRST_RTO_MS: Final = 400
MIN_RTO_MS: Final = 150
MAX_RTO_MS: Final = 2000
"""Retransmission time-out: before anything was measured, and its limits. It doubles with every time-out in a row."""
MAX_LOST: Final = 16384
"""The most that one overflow says. It must stay below half of the sequence numbers."""

OverflowPayload = Callable[[int, int, int], bytes]
"""Makes the message that stands for lost ones, of the first and last of their numbers and their count."""


class _Entry(msgspec.Struct):
    """A message. ``lost``: how many others it stands for, 0 for a message of its own."""

    payload: bytes
    lost: int = 0
    first: int = 0
    last: int = 0
    sent_ms: int = 0
    sent: int = 0


class Outbox:
    """Messages on their way out. ``overflow``: what to say of those dropped; without it a full outbox refuses instead."""

    def __init__(self, counters: Counters, capacity: int, overflow: OverflowPayload | None) -> None:
        self._counters = counters
        self._capacity = max(capacity, WINDOW + 1)
        self._overflow = overflow
        self._waiting: deque[_Entry] = deque()
        self._flight: deque[_Entry] = deque()
        self._lost = 0
        self._next = 1
        self._acked = 0
        self._resend = False
        self._timer_ms = 0
        self._timeouts = 0
        self._rtt_ms: float | None = None
        self._rtt_spread_ms = 0.0

    def __len__(self) -> int:
        return len(self._waiting) + len(self._flight)

    @property
    def last_sent(self) -> int:
        """The newest number given in this session, 0 if none."""
        return (self._next - 1) & SEQ_MASK

    @property
    def has_due(self) -> bool:
        """Whether :meth:`due` would give something."""
        return self._resend or ((bool(self._waiting) or self._lost > 0) and self._has_room())

    def push(self, payload: bytes) -> None:
        """Queue a message; raise :class:`QueueFull`, or drop the oldest that waits where that can be told."""
        if len(self) >= self._capacity:
            if self._overflow is None:
                raise QueueFull(self._capacity)
            dropped = self._waiting.popleft()
            count = dropped.lost or 1
            self._lost = min(self._lost + count, MAX_LOST)
            if not dropped.lost:
                self._counters.overflows += 1
        self._waiting.append(_Entry(payload))

    def clear(self) -> None:
        """Drop everything."""
        self._waiting.clear()
        self._flight.clear()
        self._lost = 0

    def begin(self, now_ms: int) -> None:
        """A new session: what is not acknowledged is numbered anew."""
        if self._flight and self._lost:
            # What was lost lies between the messages in flight and those that wait.
            self._flight.append(_Entry(b"", lost=self._lost))
            self._lost = 0
        for entry in reversed(self._flight):
            entry.sent = 0
            self._waiting.appendleft(entry)
        self._flight.clear()
        self._next = 1
        self._acked = 0
        self._resend = False
        self._timeouts = 0
        self._timer_ms = now_ms
        self._rtt_ms = None

    def acknowledge(self, ack: int, now_ms: int) -> bool:
        """The other side has everything up to ``ack``. False when it cannot have: that was never sent."""
        if ack == self._acked:
            return True
        ahead = (ack - self._acked) & SEQ_MASK
        if ahead > ((self._next - 1 - self._acked) & SEQ_MASK):
            # Older than what is known already, or impossible.
            return ahead >= SEQ_HALF
        flight = self._flight
        while flight and ((ack - flight[0].last) & SEQ_MASK) < SEQ_HALF:
            entry = flight.popleft()
            if entry.sent == 1:
                self._measure(now_ms - entry.sent_ms)
        self._acked = ack
        self._timeouts = 0
        self._timer_ms = now_ms
        if not flight:
            self._resend = False
        return True

    def resend(self) -> None:
        """Send everything in flight again at the next chance."""
        self._resend = bool(self._flight)

    def resume(self, now_ms: int) -> None:
        """The other side is back: do not wait for a time-out, and count none for its absence."""
        self._timeouts = 0
        self._timer_ms = now_ms
        self.resend()

    def expire(self, now_ms: int) -> bool:
        """Note a time-out if there is one; True when it was one too many."""
        if not self._flight or now_ms < self._timer_ms + self._rto_ms():
            return False
        self._timeouts += 1
        self._timer_ms = now_ms
        self._resend = True
        return self._timeouts > MAX_TIMEOUTS

    def deadline_ms(self) -> int | None:
        """When the next time-out is."""
        return self._timer_ms + self._rto_ms() if self._flight else None

    def due(self, now_ms: int) -> list[tuple[int, bytes]]:
        """What to send now, as numbers and messages: again what has to be sent again, and new ones as far as the window goes."""
        sending = []
        if self._resend:
            self._resend = False
            self._counters.retransmits += len(self._flight)
            for entry in self._flight:
                sending.append(self._send(entry, now_ms))
        while (self._lost or self._waiting) and self._has_room():
            if self._lost:
                entry = _Entry(b"", lost=self._lost)
                self._lost = 0
            else:
                entry = self._waiting.popleft()
            if not self._flight:
                self._timer_ms = now_ms
            self._number(entry)
            self._flight.append(entry)
            sending.append(self._send(entry, now_ms))
        return sending

    def _has_room(self) -> bool:
        flight = self._flight
        if not flight:
            return True
        if len(flight) >= WINDOW or sum(len(entry.payload) for entry in flight) >= WINDOW_BYTES:
            return False
        # Two overflows in flight could span more than half of the numbers.
        lost_next = self._lost or self._waiting[0].lost
        return not (lost_next and any(entry.lost for entry in flight))

    def _number(self, entry: _Entry) -> None:
        entry.first = self._next
        entry.last = (self._next + max(entry.lost, 1) - 1) & SEQ_MASK
        self._next = (entry.last + 1) & SEQ_MASK
        if entry.lost and self._overflow is not None:
            entry.payload = self._overflow(entry.first, entry.last, entry.lost)

    def _send(self, entry: _Entry, now_ms: int) -> tuple[int, bytes]:
        entry.sent += 1
        entry.sent_ms = now_ms
        return entry.first, entry.payload

    def _measure(self, rtt_ms: int) -> None:
        if self._rtt_ms is None:
            self._rtt_ms = float(rtt_ms)
            self._rtt_spread_ms = rtt_ms / 2
        else:
            self._rtt_spread_ms += (abs(rtt_ms - self._rtt_ms) - self._rtt_spread_ms) / 4
            self._rtt_ms += (rtt_ms - self._rtt_ms) / 8

    def _rto_ms(self) -> int:
        rto = FIRST_RTO_MS if self._rtt_ms is None else int(self._rtt_ms + 4 * self._rtt_spread_ms)
        return min(max(rto, MIN_RTO_MS) << self._timeouts, MAX_RTO_MS)
