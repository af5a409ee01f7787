"""Bytes of a line as text for people: one line a frame, without anything a card could be told from.

UIDs are shown as their length, bytes that are no frame and messages that are not declared as their count, and runs of hexadecimal
digits in a device's diagnostics are blanked. ``reveal_uids`` shows all of these, but never the content of a forbidden message.
"""

from __future__ import annotations

import re
from typing import Final

from firmware_protocol.errors import ForbiddenMessage, ProtocolError, UnknownMessage
from firmware_protocol.frames import FrameKind, LinkFrame, parse
from firmware_protocol.framing import Framer
from firmware_protocol.messages import NAMES, LogText, Message, decode

_HEX_RUN: Final = re.compile(r"(?:0x)?[0-9A-Fa-f]{2}(?:[ :.,_-]?(?:0x)?[0-9A-Fa-f]{2}){3,}")


def describe_message(message: Message, *, reveal_uids: bool = False) -> str:
    """``tag_arrived antenna=3 t_ms=60100 ... uid=<8 bytes>``."""
    fields = []
    for name in message.__struct_fields__:
        value = getattr(message, name)
        if isinstance(value, bytes):
            shown = value.hex() if reveal_uids else f"<{len(value)} bytes>"
        elif isinstance(value, tuple):
            shown = ",".join(uid.hex() for uid in value) if reveal_uids else f"<{len(value)} UIDs>"
        elif isinstance(message, LogText):
            shown = repr(value if reveal_uids else _HEX_RUN.sub("<hex>", value))
        else:
            shown = str(value)
        fields.append(f"{name}={shown}")
    return f"{NAMES[type(message)]} {' '.join(fields)}"


def describe_head(frame: LinkFrame) -> str:
    """``DATA session=0001 seq=17 ack=4``: all of a frame but its message."""
    head = frame.kind.name
    if frame.kind is not FrameKind.PLAIN:
        head += f" session={frame.session:04x}"
    if frame.kind is FrameKind.DATA:
        head += f" seq={frame.seq}"
    if frame.kind in (FrameKind.DATA, FrameKind.ACK, FrameKind.NAK):
        head += f" ack={frame.ack}"
    return head


class Describer:
    """Describes a stream that comes in portions."""

    def __init__(self, *, reveal_uids: bool = False) -> None:
        self._reveal_uids = reveal_uids
        self._framer = Framer()
        self._pending = b""

    def feed(self, data: bytes) -> list[str]:
        """The lines for what ends within ``data``: frames, and stretches of bytes that are none."""
        *pieces, self._pending = (self._pending + data).split(b"\0")
        return [self._piece(piece) for piece in pieces if piece]

    def end(self) -> list[str]:
        """The line for what has begun and will not end, if anything has."""
        rest, self._pending = self._pending, b""
        return [f"{self._undecodable(rest)}, no end of frame"] if rest else []

    def _piece(self, piece: bytes) -> str:
        bodies = self._framer.feed(piece + b"\0")
        if not bodies:
            return self._undecodable(piece)
        frame = parse(bodies[0])
        if frame is None:
            return f"no frame of this link: {self._undecodable(bodies[0])}"
        head = describe_head(frame)
        return f"{head} {self._payload(frame.payload)}" if frame.payload else head

    def _payload(self, payload: bytes) -> str:
        try:
            return describe_message(decode(payload), reveal_uids=self._reveal_uids)
        except ForbiddenMessage as error:
            return f"FORBIDDEN message 0x{error.message_id:02x}, {error.size} bytes dropped"
        except UnknownMessage as error:
            return f"unknown message 0x{error.message_id:02x}: {self._undecodable(payload)}"
        except ProtocolError as error:
            return f"malformed: {error}: {self._undecodable(payload)}"

    def _undecodable(self, data: bytes) -> str:
        return data.hex() if self._reveal_uids else f"<{len(data)} undecodable bytes>"
