"""The last frames of a line, both ways, for the log of a fault. Never a UID, never bytes that could not be decoded."""

from __future__ import annotations

import enum
from collections import deque
from typing import Final

from firmware_protocol import messages as wire
from firmware_protocol.describe import describe_head
from firmware_protocol.errors import ProtocolError
from firmware_protocol.frames import PLAIN, parse

SIZE: Final = 64
_HEARTBEAT: Final = bytes((PLAIN, 0x03))


class Recent:
    """A ring of frames and notes. A description is made only when somebody asks; frames of a secured session are kept opened."""

    def __init__(self, size: int = SIZE) -> None:
        self._ring: deque[tuple[int, str, str | bytes]] = deque(maxlen=size)

    def add(self, host_ms: int, what: str) -> None:
        """Remember a note of the link itself."""
        self._ring.append((host_ms, "", what))

    def frame(self, host_ms: int, body: bytes, *, incoming: bool) -> None:
        """Remember the body of a frame of our own protocol; of heartbeats in a row the last of each side."""
        ring = self._ring
        if len(ring) > 1 and all(_is_beat(what) for what in (body, ring[-1][2], ring[-2][2])):
            del ring[-2]
        self._ring.append((host_ms, "< " if incoming else "> ", body))

    def lines(self) -> list[str]:
        """Oldest first: host time in ms, ``<`` from the device or ``>`` to it, the frame, its message and that one's harmless fields."""
        return [
            f"{host_ms} {way}{what if isinstance(what, str) else describe_body(what)}"
            for host_ms, way, what in self._ring
        ]


def _is_beat(what: str | bytes) -> bool:
    return isinstance(what, bytes) and what.startswith(_HEARTBEAT)


def describe_body(body: bytes) -> str:
    """A frame without anything that a card could be told from."""
    frame = parse(body)
    if frame is None:
        return f"<{len(body)} undecodable bytes>"
    head = describe_head(frame)
    if not frame.payload:
        return head
    try:
        return f"{head} {describe(wire.decode(frame.payload))}"
    except ProtocolError as error:
        return f"{head} {type(error).__name__} <{len(frame.payload)} bytes>"


def describe(message: wire.Message) -> str:
    """A message without the fields that may hold a UID, random bytes or a device's free text."""
    fields = (f"{name}={_shown(getattr(message, name))}" for name in message.__struct_fields__)
    return f"{type(message).__name__}({', '.join(fields)})"


def _shown(value: object) -> str:
    if isinstance(value, enum.Enum):
        return str(value.value)
    return f"<{len(value)}>" if isinstance(value, bytes | str | tuple) else str(value)
