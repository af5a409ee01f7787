"""Frames on the wire: COBS, a zero byte as delimiter, CRC-16/CCITT-FALSE over everything before the CRC.

    00? cobs(body, crc high, crc low) 00

A body has at most :data:`MAX_BODY` bytes, so COBS adds exactly one and its code 0xFF (a run without a zero) never occurs. Zeros
between frames mean nothing: a sender may put one before a frame to end whatever noise stands before it.
"""

from __future__ import annotations

from binascii import crc_hqx
from typing import Final

import msgspec

MAX_BODY: Final = 250
"""Bytes of a body, without the CRC."""
MAX_ENCODED: Final = MAX_BODY + 3
"""Bytes between two delimiters: body, two of CRC, one of COBS."""
_CRC_INIT: Final = 0xFFFF
_CRC_BYTES: Final = 2
_NO_RUN: Final = 0xFF


class Counters(msgspec.Struct):
    """What a link has seen and done since it was made; all counts only grow.

    ``frames``: good frames. ``garbage_bytes``: bytes that belong to no good frame. ``crc_errors``, ``oversize``, ``malformed``:
    why, in frames (malformed: no COBS, too short, or a good frame whose message or link header is not as declared). ``unknown``:
    messages of a newer minor version. ``forbidden``: messages that must not exist. ``stale``: frames of another session.
    ``unsecured``: frames in the clear where the session is secured. ``forged``: secured frames and proofs that the other side did
    not make, or made before. ``duplicates``, ``gaps``: sequenced frames seen again, or seen too early. ``naks``, ``retransmits``:
    sent by this side. ``overflows``: messages lost by the sender's overflow, as told by either side. ``sessions``: sessions
    begun.
    """

    frames: int = 0
    garbage_bytes: int = 0
    crc_errors: int = 0
    oversize: int = 0
    malformed: int = 0
    unknown: int = 0
    forbidden: int = 0
    stale: int = 0
    unsecured: int = 0
    forged: int = 0
    duplicates: int = 0
    gaps: int = 0
    naks: int = 0
    retransmits: int = 0
    overflows: int = 0
    sessions: int = 0

    def as_dict(self) -> dict[str, int]:
        """The counts by name."""
        counts: dict[str, int] = msgspec.structs.asdict(self)
        return counts


class BodyTooLong(ValueError):
    """A body that no frame can hold. ``size``: its bytes."""

    def __init__(self, size: int) -> None:
        self.size = size
        super().__init__(f"a body of {size} bytes: a frame holds at most {MAX_BODY}")


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xFFFF, nothing reflected, nothing added at the end."""
    return crc_hqx(data, _CRC_INIT)


def cobs_encode(data: bytes) -> bytes:
    """``data`` without its zeros, one byte longer. Runs without a zero must be shorter than 254 bytes."""
    return b"".join([bytes((len(run) + 1,)) + run for run in data.split(b"\0")])


def cobs_decode(data: bytes) -> bytes | None:
    """What :func:`cobs_encode` was given, or None when nothing gives ``data``. ``data`` holds no zero."""
    runs = []
    at = 0
    size = len(data)
    while at < size:
        code = data[at]
        runs.append(data[at + 1 : at + code])
        if code == _NO_RUN:
            return None
        at += code
    return b"\0".join(runs) if at == size and runs else None


def encode_frame(body: bytes) -> bytes:
    """The frame of ``body`` with the delimiter at its end; raise :class:`BodyTooLong`."""
    if len(body) > MAX_BODY:
        raise BodyTooLong(len(body))
    crc = crc_hqx(body, _CRC_INIT)
    return cobs_encode(body + crc.to_bytes(_CRC_BYTES, "big")) + b"\0"


class Framer:
    """Bytes in any portions become bodies. Whatever is no good frame is counted and dropped; nothing raises.

    Memory is bounded: of a frame that is too long nothing is kept.
    """

    __slots__ = ("_partial", "_skipping", "counters")

    def __init__(self, counters: Counters | None = None) -> None:
        self.counters = Counters() if counters is None else counters
        self._partial = b""
        self._skipping = False

    def feed(self, data: bytes) -> list[bytes]:
        """The bodies, without CRC, of the frames that end within ``data``."""
        pieces = (self._partial + data if self._partial else data).split(b"\0")
        self._partial = pieces.pop()
        bodies = []
        for piece in pieces:
            if self._skipping:
                self._skipping = False
                self.counters.garbage_bytes += len(piece)
            elif piece:
                body = self._body(piece)
                if body is not None:
                    bodies.append(body)
        if self._skipping:
            self.counters.garbage_bytes += len(self._partial)
            self._partial = b""
        elif len(self._partial) > MAX_ENCODED:
            self._skipping = True
            self.counters.oversize += 1
            self.counters.garbage_bytes += len(self._partial)
            self._partial = b""
        return bodies

    def reset(self) -> None:
        """Forget a frame that has begun: the port was closed."""
        self.counters.garbage_bytes += len(self._partial)
        self._partial = b""
        self._skipping = False

    def _body(self, piece: bytes) -> bytes | None:
        counters = self.counters
        if len(piece) > MAX_ENCODED:
            counters.oversize += 1
        else:
            # The CRC of a body with its own CRC behind it is zero.
            whole = cobs_decode(piece)
            if whole is None or len(whole) <= _CRC_BYTES:
                counters.malformed += 1
            elif crc_hqx(whole, _CRC_INIT):
                counters.crc_errors += 1
            else:
                counters.frames += 1
                return whole[:-_CRC_BYTES]
        counters.garbage_bytes += len(piece)
        return None
