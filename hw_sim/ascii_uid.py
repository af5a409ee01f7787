"""The device's side of a hobby reader that writes UIDs as text: a board with a module an antenna, each of which reads one tag at a time.

``style``: what its sketch writes, each line as somebody's published sketch does. ``spaced``: one antenna, ``04 A1 B2 …`` again and again
while the tag lies there. ``numbered``: ``R2: 04A1B2…`` again and again, of several antennas. ``events``: ``R2: 04A1B2… arrived`` once,
``R2: 04A1B2… removed`` once. It never listens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal

Style = Literal["spaced", "numbered", "events"]

GREETING: Final = b"MFRC522 Software Version: 0x92 = v2.0\r\nScan PICC to see UID...\r\n"
#: How often the sketch's loop comes round (a delay of 200 ms is common), and how often an empty module is looked at before it counts.
LOOP_MS: Final = 200
EMPTY_LOOKS: Final = 2


class AsciiReader:
    """``tags`` says what an antenna reads at this moment; of several the one laid last is read. Times are virtual ms."""

    def __init__(
        self,
        tags: Callable[[int], tuple[bytes, ...]],
        *,
        antennas: Sequence[int] = (1,),
        style: Style = "numbered",
    ) -> None:
        self._tags = tags
        self._antennas = tuple(antennas)
        self._style = style
        self._next_ms = 0
        self._greeted = False
        self._told: dict[int, bytes] = {}
        self._empty: dict[int, int] = {}
        self._failing: set[int] = set()

    def receive(self, data: bytes, now_ms: int) -> None:
        """Whatever is sent to it goes unread."""

    def fail(self, antenna: int) -> None:
        """The next line of this antenna is cut off."""
        self._failing.add(antenna)

    def due_ms(self) -> int | None:
        """When the loop comes round."""
        return self._next_ms

    def outgoing(self, now_ms: int) -> bytes:
        """What the sketch has written by now."""
        out = b"" if self._greeted else GREETING
        self._greeted = True
        while self._next_ms <= now_ms:
            for antenna in self._antennas:
                line = self._look(antenna)
                if line and antenna in self._failing:
                    self._failing.remove(antenna)
                    line = line[: len(line) // 2] + b"\r\n"
                out += line
            self._next_ms += LOOP_MS
        return out

    def _look(self, antenna: int) -> bytes:
        lying = self._tags(antenna)
        uid = lying[-1] if lying else b""
        if self._style == "events":
            return self._changes(antenna, uid)
        if not uid:
            return b""
        if self._style == "spaced":
            return " ".join(f"{byte:02X}" for byte in uid).encode() + b"\n"
        return f"R{antenna}: {uid.hex().upper()}\r\n".encode()

    def _changes(self, antenna: int, uid: bytes) -> bytes:
        before = self._told.get(antenna, b"")
        self._empty[antenna] = 0 if uid else self._empty.get(antenna, 0) + 1
        if uid == before or (not uid and self._empty[antenna] < EMPTY_LOOKS):
            return b""
        self._told[antenna] = uid
        lines = [f"R{antenna}: {before.hex().upper()} removed\r\n"] if before else []
        lines += [f"R{antenna}: {uid.hex().upper()} arrived\r\n"] if uid else []
        return "".join(lines).encode()
