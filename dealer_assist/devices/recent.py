"""The last things a device said, for the log of a fault. Never a UID, never bytes that could not be decoded."""

from __future__ import annotations

from collections import deque
from typing import Final

from firmware_protocol import messages as wire

SIZE: Final = 32
_BLANKED: Final = frozenset(("uid", "uids", "text"))


class Recent:
    """A ring of descriptions, each made only when somebody asks."""

    def __init__(self, size: int = SIZE) -> None:
        self._ring: deque[tuple[int, wire.Message | str]] = deque(maxlen=size)

    def add(self, host_ms: int, what: wire.Message | str) -> None:
        """Remember a message, or a note of the link itself."""
        self._ring.append((host_ms, what))

    def lines(self) -> list[str]:
        """Oldest first: host time in ms, the message's name and its harmless fields."""
        return [
            f"{host_ms} {what if isinstance(what, str) else describe(what)}" for host_ms, what in self._ring
        ]


def describe(message: wire.Message) -> str:
    """A message without the fields that may hold a UID or a device's free text."""
    fields = (
        f"{name}={'-' if name in _BLANKED else getattr(message, name)}" for name in message.__struct_fields__
    )
    return f"{type(message).__name__}({', '.join(fields)})"
