"""Readers that write UIDs as plain lines of text: an Arduino with MFRC522 modules, a USB reader with a sketch of somebody's own.

There is no protocol, hence a pattern for a line (:mod:`dealer_assist.config.line_pattern`). Nothing is asked, nothing is checked, and
silence means no card or no reader: what such a reader says is as good as its cable. Known forms: ``AA BB CC DD`` and a line feed at
9600 baud (WohligTechnology/usb, app.js), ``Reader 1: Card UID: 04 A1 …`` (miguelbalboa/rfid, ReadUidMultiReader).

A card lies there from its line (or from so many of them) until it was not repeated for a while, until the reader says that it is gone, or
until the next card takes its place. What lies there is told as scans on an even grid, as of any other reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dealer_assist.config.line_pattern import LinePattern
from dealer_assist.config.readers import AsciiKeys
from dealer_assist.devices.driver import Note, Scanned, Seen, canonical

_LINE_END: Final = (0x0A, 0x0D)


class _Card:
    """A card that a line has named: how often, and when last. It counts once it was named often enough."""

    __slots__ = ("last_ms", "lines")

    def __init__(self) -> None:
        self.lines = 0
        self.last_ms = 0


class AsciiUidDriver:
    """The driver of one reader (see :class:`dealer_assist.devices.driver.Driver`). ``antennas``: those that its lines may name."""

    def __init__(self, antennas: Sequence[int], keys: AsciiKeys, *, note: Note) -> None:
        self._antennas = tuple(antennas) or (1,)
        self._keys = keys
        self._note = note
        self._pattern = LinePattern(keys.line)
        self._gone = frozenset(word.lower() for word in keys.gone)
        self._counts: dict[str, int] = {}
        self._line = bytearray()
        self._too_long = False
        self._cards: dict[int, dict[bytes, _Card]] = {number: {} for number in self._antennas}
        self._tick_ms: int | None = None

    # ------------------------------------------------------------ Driver

    def opened(self, now_ms: int) -> None:
        """Nothing lies anywhere until a line says so; the first line may have lost its beginning, and then does not fit."""
        self._line.clear()
        self._too_long = False
        for cards in self._cards.values():
            cards.clear()
        self._tick_ms = now_ms + self._keys.scan_ms

    def receive(self, data: bytes, now_ms: int) -> list[Seen]:
        """Take lines, cut anywhere; tell on the grid what lies where."""
        for byte in data:
            if byte in _LINE_END:
                self._end_of_line(now_ms)
            elif len(self._line) >= self._keys.max_line_bytes:
                self._too_long = True
            else:
                self._line.append(byte)
        seen: list[Seen] = []
        if self._tick_ms is not None and now_ms >= self._tick_ms:
            behind = (now_ms - self._tick_ms) // self._keys.scan_ms
            self._tick_ms += (behind + 1) * self._keys.scan_ms
            for number in self._antennas:
                seen.append(Scanned(number, self._lying(number, now_ms), now_ms))
        return seen

    def outgoing(self, now_ms: int) -> bytes:
        """Such a reader is never asked anything."""
        return b""

    def next_deadline_ms(self) -> int | None:
        """The next point of the grid."""
        return self._tick_ms

    def request_inventory(self, now_ms: int) -> None:
        """It cannot be asked; what its lines have said is told whole by the next scan."""

    def counters(self) -> dict[str, int]:
        """Lines that were of no use."""
        return dict(self._counts)

    # ------------------------------------------------------------ lines

    def _count(self, name: str) -> None:
        self._counts[name] = self._counts.get(name, 0) + 1

    def _end_of_line(self, now_ms: int) -> None:
        line, too_long = bytes(self._line), self._too_long
        self._line.clear()
        self._too_long = False
        if too_long:
            self._count("long_lines")
        elif line.strip():
            self._take(line, now_ms)

    def _take(self, line: bytes, now_ms: int) -> None:
        try:
            read = self._pattern.read(line.decode("ascii"))
        except UnicodeDecodeError:
            self._count("garbage_lines")
            return
        if read is None:
            self._count("other_lines")
            return
        number = self._antennas[0] if read.antenna is None else read.antenna
        cards = self._cards.get(number)
        if cards is None:
            self._count("unknown_antennas")
            return
        gone = read.event.lower() in self._gone
        self._note(f"line, antenna {number}, {'gone' if gone else 'card'}")
        if read.uid is None:
            if gone:
                cards.clear()
            return
        uid = canonical(read.uid)
        if gone:
            cards.pop(uid, None)
            return
        card = cards.setdefault(uid, _Card())
        card.lines += 1
        card.last_ms = now_ms
        if self._keys.single and card.lines >= self._keys.lines:
            for other in [other for other in cards if other != uid]:
                del cards[other]

    def _lying(self, number: int, now_ms: int) -> tuple[bytes, ...]:
        cards = self._cards[number]
        absent_ms = self._keys.absent_ms
        if absent_ms:
            for uid in [uid for uid, card in cards.items() if now_ms - card.last_ms > absent_ms]:
                del cards[uid]
        return tuple([uid for uid, card in cards.items() if card.lines >= self._keys.lines])
