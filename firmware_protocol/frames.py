"""What a frame's body holds below the messages: kinds of frames, sessions and sequence numbers.

    DATA   01 session seq ack message    a sequenced message
    ACK    02 session ack                the newest message taken in order
    NAK    03 session ack                the same, and: send what follows again
    RESET  04 session                    the device knows no such session
    PLAIN  05 message                    an unsequenced message
    SECURED 06 session counter sealed    one of the bodies above, encrypted and authenticated (spec.md, section 6)

Session, seq and ack are unsigned 16-bit numbers, the counter has 32 bits; most significant byte first.
"""

from __future__ import annotations

import enum
import struct
from typing import Final

import msgspec

from firmware_protocol.framing import encode_frame

SEQ_MASK: Final = 0xFFFF
SEQ_HALF: Final = 0x8000
"""A number up to this much ahead is newer, any other is older."""

DATA: Final = 0x01
ACK: Final = 0x02
NAK: Final = 0x03
RESET: Final = 0x04
PLAIN: Final = 0x05
SECURED: Final = 0x06
SECURED_BYTES: Final = 1 + 2 + 4 + 16
"""What a secured body is longer than the one within: kind, session, counter and the authentication tag."""

DATA_HEADER: Final = struct.Struct(">BHHH")
ACK_LAYOUT: Final = struct.Struct(">BHH")
RESET_LAYOUT: Final = struct.Struct(">BH")


class FrameKind(enum.IntEnum):
    """The first byte of a body."""

    DATA = DATA
    ACK = ACK
    NAK = NAK
    RESET = RESET
    PLAIN = PLAIN
    SECURED = SECURED


class LinkFrame(msgspec.Struct, frozen=True):
    """A body taken apart. Fields that a kind does not have are 0 or empty."""

    kind: FrameKind
    session: int = 0
    seq: int = 0
    ack: int = 0
    payload: bytes = b""

    def __repr__(self) -> str:
        return (
            f"LinkFrame({self.kind.name}, session={self.session}, seq={self.seq}, ack={self.ack},"
            f" payload=<{len(self.payload)} bytes>)"
        )


def data_body(session: int, seq: int, ack: int, payload: bytes) -> bytes:
    """A sequenced message."""
    return DATA_HEADER.pack(DATA, session, seq, ack) + payload


def ack_body(session: int, ack: int) -> bytes:
    """An acknowledgement."""
    return ACK_LAYOUT.pack(ACK, session, ack)


def nak_body(session: int, ack: int) -> bytes:
    """A request to send again what follows ``ack``."""
    return ACK_LAYOUT.pack(NAK, session, ack)


def reset_body(session: int) -> bytes:
    """A refusal of ``session``."""
    return RESET_LAYOUT.pack(RESET, session)


def plain_body(payload: bytes) -> bytes:
    """An unsequenced message."""
    return bytes((PLAIN,)) + payload


def data_frame(session: int, seq: int, ack: int, payload: bytes) -> bytes:
    """A sequenced message as it goes on an unsecured wire."""
    return encode_frame(data_body(session, seq, ack, payload))


def ack_frame(session: int, ack: int) -> bytes:
    """An acknowledgement as it goes on an unsecured wire."""
    return encode_frame(ack_body(session, ack))


def nak_frame(session: int, ack: int) -> bytes:
    """A request to send again what follows ``ack``, as it goes on an unsecured wire."""
    return encode_frame(nak_body(session, ack))


def reset_frame(session: int) -> bytes:
    """A refusal of ``session`` as it goes on the wire."""
    return encode_frame(reset_body(session))


def plain_frame(payload: bytes) -> bytes:
    """An unsequenced message as it goes on an unsecured wire."""
    return encode_frame(plain_body(payload))


def parse(body: bytes) -> LinkFrame | None:
    """The parts of ``body``, or None when it is no frame of this link."""
    kind, size = body[0], len(body)
    if kind == DATA and size > DATA_HEADER.size:
        _, session, seq, ack = DATA_HEADER.unpack_from(body)
        return LinkFrame(FrameKind.DATA, session, seq, ack, body[DATA_HEADER.size :])
    if kind in (ACK, NAK) and size == ACK_LAYOUT.size:
        _, session, ack = ACK_LAYOUT.unpack(body)
        return LinkFrame(FrameKind(kind), session, 0, ack)
    if kind == RESET and size == RESET_LAYOUT.size:
        return LinkFrame(FrameKind.RESET, RESET_LAYOUT.unpack(body)[1])
    if kind == PLAIN and size > 1:
        return LinkFrame(FrameKind.PLAIN, payload=body[1:])
    if kind == SECURED and size > SECURED_BYTES:
        return LinkFrame(FrameKind.SECURED, int.from_bytes(body[1:3], "big"), payload=body[3:])
    return None
