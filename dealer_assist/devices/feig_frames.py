"""Frames of FEIG OBID readers: two forms, one check, no sync byte.

Standard: length, COM-ADR, control byte, in answers a status, data, check; 6 to 255 bytes, the length counts all of them (ID ISC.PR101
manual p. 16). Advanced: 02, a length of two bytes, high byte first, then the same; from 8 bytes on (p. 16-17). A reader answers an advanced
request in that form, a standard one in either: longer answers than 255 bytes are advanced (p. 17). Check: CRC-16 0x8408, start
FFFF, over all bytes before it (ID ISC.MR200 manual p. 20). Its order of bytes: low first in both forms (ID ISC.MU02.02 manual p. 16);
one manual's text has the high byte first in advanced frames, so it can be configured [unverified on hardware].
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from dealer_assist.devices.resync import Resync

Form = Literal["standard", "advanced"]
Order = Literal["low_first", "high_first"]

STX: Final = 0x02
ANY_ADDRESS: Final = 255
MIN_STANDARD: Final = 6
MAX_STANDARD: Final = 255
MIN_ADVANCED: Final = 8
MAX_BYTES: Final = 4096
"""An advanced frame may have 65,535 bytes; none that lists the cards on an antenna comes near this."""


def _table() -> tuple[int, ...]:
    out = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
        out.append(crc)
    return tuple(out)


_TABLE: Final = _table()


def check(data: bytes | bytearray) -> int:
    """CRC-16 with the polynomial 0x8408, reflected, from FFFF, not inverted."""
    crc = 0xFFFF
    for byte in data:
        crc = crc >> 8 ^ _TABLE[(crc ^ byte) & 0xFF]
    return crc


def request(
    address: int, control: int, data: bytes = b"", *, form: Form = "standard", order: Order = "low_first"
) -> bytes:
    """A request to the reader with this COM-ADR."""
    body = bytes((address, control)) + data
    if form == "standard":
        whole = bytes((len(body) + 3,)) + body
    else:
        whole = bytes((STX,)) + (len(body) + 5).to_bytes(2, "big") + body
    return whole + check(whole).to_bytes(2, "little" if order == "low_first" else "big")


class Answer(msgspec.Struct, frozen=True):
    """What is in an answer. ``control`` is that of the request."""

    address: int
    control: int
    status: int
    data: bytes


def answer_of(frame: bytes) -> Answer:
    """The parts of a whole frame, as :class:`FeigFrames` cuts them."""
    head = 3 if frame[0] == STX else 1
    return Answer(frame[head], frame[head + 1], frame[head + 2], frame[head + 3 : -2])


class FeigFrames(Resync):
    """The answers in a stream. As there is no sync byte, the address and the control byte that are expected tell where one begins."""

    def __init__(self, address: int, order: Order, counts: dict[str, int]) -> None:
        super().__init__(counts)
        self._address = address
        self._order: Literal["little", "big"] = "little" if order == "low_first" else "big"
        self._control: int | None = None

    def expect(self, control: int) -> None:
        """A request with this control byte goes out: what came before it is no answer to it."""
        self._control = control
        self._drop(len(self._buffer))

    def _cut(self) -> list[bytes]:
        buffer = self._buffer
        out: list[bytes] = []
        while buffer:
            size = self._size()
            if size is None or len(buffer) < size:
                break
            if size == 0:
                self._drop(1)
                continue
            end = size - 2
            if check(buffer[:end]) != int.from_bytes(buffer[end:size], self._order):
                self._counts["crc_errors"] = self._counts.get("crc_errors", 0) + 1
                self._drop(1)
                continue
            out.append(bytes(buffer[:size]))
            del buffer[:size]
        return out

    def _size(self) -> int | None:
        """The size of the frame that begins here, 0 when none does, None while that cannot be told."""
        buffer = self._buffer
        advanced = buffer[0] == STX
        head = 3 if advanced else 1
        if len(buffer) < head:
            return None
        size = int.from_bytes(buffer[1:3], "big") if advanced else buffer[0]
        if not (MIN_ADVANCED <= size <= MAX_BYTES if advanced else size >= MIN_STANDARD):
            return 0
        if len(buffer) > head and self._address != ANY_ADDRESS and buffer[head] != self._address:
            return 0
        if len(buffer) > head + 1 and buffer[head + 1] != self._control:
            return 0
        return size
