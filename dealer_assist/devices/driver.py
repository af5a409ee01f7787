"""What every bought serial reader is to the thread that runs it: bytes in, bytes out, and what was seen. No port, no clock, no log.

A driver asks its reader antenna by antenna, in its own order and at its own pace. It says of each antenna either that a scan was
complete and clean (:class:`Scanned`), or that a scan failed (:class:`Failed`): what lies there is then unknown, not gone. It never
says less than a scan: changes are made of scans elsewhere (:mod:`dealer_assist.devices.scans`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

import msgspec

NO_ANSWER: Final = "no_answer"
"""The reason of a :class:`Failed` that is no sign of life: the reader said nothing at all. Any other reason is one."""

Note = Callable[[str], None]
"""Takes a line for the ring of recent frames. It names the frame and harmless fields; never a UID or bytes that could hold one."""


class Scanned(msgspec.Struct, frozen=True):
    """A complete, clean scan of one antenna. ``t_ms``: when its last answer came, on the clock that the driver is called with.

    ``uids``: all tags that it saw, each as its standard writes it (ISO 15693: E0 first), in the reader's order; one that the reader
    lists twice may be in it twice.
    """

    antenna: int
    uids: tuple[bytes, ...]
    t_ms: int

    def __repr__(self) -> str:
        return f"Scanned(antenna {self.antenna}, {len(self.uids)} tags, t {self.t_ms} ms)"


class Failed(msgspec.Struct, frozen=True):
    """A scan of one antenna gave no usable answer. ``reason`` is a code: :data:`NO_ANSWER`, crc, malformed, reader_error."""

    antenna: int
    t_ms: int
    reason: str


class Identified(msgspec.Struct, frozen=True):
    """What the reader says it is; empty where it does not say."""

    model: str = ""
    serial: str = ""
    firmware: str = ""


Seen = Scanned | Failed | Identified


def canonical(uid: bytes) -> bytes:
    """A UID as its standard writes it, from a reader whose order of bytes is not known: one of ISO 15693 begins with E0."""
    return uid[::-1] if len(uid) == 8 and uid[0] != 0xE0 and uid[7] == 0xE0 else uid


def printable(text: bytes, most: int = 40) -> str:
    """What a reader says of itself, made harmless: ASCII that can be printed, at most so many characters."""
    return "".join(chr(byte) for byte in text[:most] if 32 <= byte < 127).strip()


class Driver(Protocol):
    """One reader. ``now_ms`` never runs back; between two calls of :meth:`opened` the same reader hangs on the line.

    Requests that stay without an answer are judged in :meth:`receive`, which is therefore called with no data too, at the latest at
    :meth:`next_deadline_ms`. No input raises.
    """

    def opened(self, now_ms: int) -> None:
        """A port was opened: whatever was under way is over, and a frame that had begun is not continued."""

    def receive(self, data: bytes, now_ms: int) -> list[Seen]:
        """Take what came, cut anywhere, or nothing (b""): time passes too. Returns what was seen, oldest first."""

    def outgoing(self, now_ms: int) -> bytes:
        """What is to be written now; b"" when nothing is due."""

    def next_deadline_ms(self) -> int | None:
        """When :meth:`outgoing` or :meth:`receive` has something to do though nothing came, or None."""

    def request_inventory(self, now_ms: int) -> None:
        """See everything anew, soon: forget what is held back as known already, and do what makes tags answer that keep quiet."""

    def counters(self) -> dict[str, int]:
        """Faults of the line and of the reader since the driver was made. Names as in our own protocol where they mean the same."""
