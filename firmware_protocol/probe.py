"""Who hangs on a line: a host's question that begins no session and changes nothing of one that the device had with its own host."""

from __future__ import annotations

from typing import Final

from firmware_protocol import messages
from firmware_protocol.errors import ProtocolError
from firmware_protocol.frames import FrameKind, parse, plain_frame
from firmware_protocol.framing import Framer
from firmware_protocol.link import U32_MASK
from firmware_protocol.messages import Identify, IdentifyRequest

WAKE: Final = bytes(32)
"""Goes before each request of a session, until a word of the device is heard: it may sleep and lose the first bytes of what wakes it,
and whatever a broken session left half said ends there. Zeros between frames mean nothing."""
WHO_IS_THERE: Final = 0
"""The major version of who only wants to know who is there."""
ASK_MS: Final = 250


class Probe:
    """One question. ``nonce``: a random number from 1 to 2**32 - 1; only the answer to this very question counts."""

    def __init__(self, now_ms: int, *, nonce: int) -> None:
        self._nonce = nonce & U32_MASK or 1
        self._framer = Framer()
        self._ask_ms = now_ms

    def outgoing(self, now_ms: int) -> bytes:
        """The question, repeated until the device answers; empty between."""
        if now_ms < self._ask_ms:
            return b""
        self._ask_ms = now_ms + ASK_MS
        return WAKE + plain_frame(messages.encode(IdentifyRequest(WHO_IS_THERE, 0, self._nonce)))

    def next_deadline_ms(self) -> int:
        """When to ask again."""
        return self._ask_ms

    def receive(self, data: bytes) -> Identify | None:
        """Who is there, once that has come. Never raises, whatever ``data`` holds."""
        for body in self._framer.feed(data):
            frame = parse(body)
            if frame is None or frame.kind is not FrameKind.PLAIN:
                continue
            try:
                message = messages.decode(frame.payload)
            except ProtocolError:
                continue
            if isinstance(message, Identify) and message.nonce == self._nonce:
                return message
        return None
