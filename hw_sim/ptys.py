"""A pseudo-terminal per device: linked by serial number like /dev/serial/by-id, paced at the line's baud rate, and unpluggable."""

from __future__ import annotations

import contextlib
import os
import tty
from pathlib import Path
from typing import Final

BITS_A_BYTE: Final = 10  # 8N1


class PtyPort:
    """One serial port. ``baud`` is what the line carries a second of virtual time, ``speed`` how fast that runs."""

    def __init__(self, link: Path, *, baud: int, speed: float) -> None:
        self._link = link
        self._rate = baud / BITS_A_BYTE * speed
        self._master = -1
        self._slave = -1
        self._waiting = bytearray()
        self._credit = 0.0
        self._last_s = 0.0
        self.plug()

    @property
    def plugged(self) -> bool:
        """Whether the cable is in."""
        return self._master >= 0

    def plug(self) -> None:
        """A new port appears, and the link to it."""
        if self.plugged:
            return
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        name = os.ttyname(self._slave)
        self._link.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            self._link.unlink()
        self._link.symlink_to(name)
        self._waiting.clear()

    def unplug(self) -> None:
        """The port is gone: whoever has it open gets an error, as with a USB adapter that is pulled."""
        if not self.plugged:
            return
        with contextlib.suppress(FileNotFoundError):
            self._link.unlink()
        os.close(self._slave)
        os.close(self._master)
        self._master = self._slave = -1
        self._waiting.clear()

    def read(self) -> bytes:
        """What the host has written; b"" when nothing, or when unplugged."""
        if not self.plugged:
            return b""
        try:
            return os.read(self._master, 4096)
        except (BlockingIOError, OSError):
            return b""

    def write(self, data: bytes) -> None:
        """Queue bytes for the line."""
        if self.plugged:
            self._waiting += data

    def pump(self, now_s: float) -> None:
        """Put on the line what its baud rate allows by now (real seconds, monotonic)."""
        if not self.plugged or not self._waiting:
            self._last_s = now_s
            self._credit = 0.0
            return
        self._credit = min(self._credit + (now_s - self._last_s) * self._rate, 512.0)
        self._last_s = now_s
        count = min(len(self._waiting), int(self._credit))
        if count <= 0:
            return
        try:
            written = os.write(self._master, bytes(self._waiting[:count]))
        except (BlockingIOError, OSError):
            return  # nobody reads: the line backs up, the device's link will see to it
        self._credit -= written
        del self._waiting[:written]
