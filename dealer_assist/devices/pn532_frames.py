"""The frames of a PN532 on its serial line (HSU), as its user manual (UM0701-02, 6.2.1) has them."""

from __future__ import annotations

from typing import Final

from dealer_assist.devices.resync import Resync

START: Final = b"\x00\xff"
TO_READER: Final = 0xD4
FROM_READER: Final = 0xD5
ACK: Final = b"\x00\xff"
"""Length and its check of an acknowledgement, which has nothing else; so these two stand for it among the payloads."""
NACK: Final = b"\xff\x00"
ERROR: Final = b"\x7f"
"""The payload of the frame by which the reader says that it did not understand."""
ACK_FRAME: Final = b"\x00\x00\xff\x00\xff\x00"
NACK_FRAME: Final = b"\x00\x00\xff\xff\x00\x00"
MAX_NORMAL: Final = 255
MAX_PAYLOAD: Final = 265
"""The most that an extended frame carries, its first byte (D4, D5) with it (UM0701-02, 6.2.1.2)."""
WAKE_UP: Final = b"\x55\x55" + bytes(14)
"""Rouses a reader that sleeps; it needs some ms before the frame that follows (UM0701-02, 7.2.11; 14 zeros as in common use)."""


def frame(payload: bytes) -> bytes:
    """A payload (D4 …) as it goes over the line: normal up to 255 bytes, extended above."""
    size = len(payload)
    if size <= MAX_NORMAL:
        head = bytes((size, -size & 0xFF))
    else:
        high, low = divmod(size, 256)
        head = bytes((0xFF, 0xFF, high, low, -(high + low) & 0xFF))
    return b"\x00" + START + head + payload + bytes((-sum(payload) & 0xFF, 0x00))


class Pn532Frames(Resync):
    """The payloads of the frames in a stream; ACK, NACK and ERROR are payloads too.

    Zeros between frames are no garbage.
    """

    def _garbage(self, size: int) -> int:
        return size - self._buffer.count(0, 0, size)

    def _cut(self) -> list[bytes]:
        buffer = self._buffer
        out: list[bytes] = []
        while True:
            start = buffer.find(START)
            if start < 0:
                # the last byte may be the first of a start
                self._drop(len(buffer) - (1 if buffer[-1:] == b"\x00" else 0))
                return out
            self._drop(start)
            if len(buffer) < 4:
                return out
            size, check = buffer[2], buffer[3]
            if bytes((size, check)) in (ACK, NACK):
                out.append(bytes((size, check)))
                del buffer[:4]
                continue
            begin = 4
            if (size, check) == (0xFF, 0xFF):
                begin = 7
                if len(buffer) < begin:
                    return out
                size = buffer[4] << 8 | buffer[5]
                sound = (buffer[4] + buffer[5] + buffer[6]) & 0xFF == 0 and 0 < size <= MAX_PAYLOAD
            else:
                sound = (size + check) & 0xFF == 0 and size > 0
            if not sound:
                self._drop(2)
                continue
            end = begin + size
            if len(buffer) <= end:
                return out
            payload = bytes(buffer[begin:end])
            if (sum(payload) + buffer[end]) & 0xFF or payload[0] not in (FROM_READER, ERROR[0]):
                self._counts["crc_errors"] = self._counts.get("crc_errors", 0) + 1
                self._drop(2)
                continue
            out.append(payload)
            del buffer[: end + 1]
