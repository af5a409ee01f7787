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
        self._links: tuple[Path, ...] = (link,)
        self._baud = baud
        self._speed = speed
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
        self._waiting.clear()
        self._show()

    def _show(self) -> None:
        name = os.ttyname(self._slave)
        for link in self._links:
            link.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileNotFoundError):
                link.unlink()
            link.symlink_to(name)

    def rename(self, links: tuple[str, ...]) -> None:
        """From the next plug on it is linked under these names; without any under its own again. Only while it is unplugged."""
        self._links = tuple(self._link.with_name(name) for name in links) or (self._link,)

    def another(self, name: str) -> PtyPort:
        """Another port in the same folder, under this name; nobody speaks on it."""
        return PtyPort(self._link.with_name(name), baud=self._baud, speed=self._speed)

    def renumber(self) -> None:
        """Out and in at once: whoever has it open gets an error, and the new port has another number, for the old one is still taken."""
        master, slave = self._master, self._slave
        self._master = self._slave = -1
        self.plug()
        for descriptor in (slave, master):
            if descriptor >= 0:
                os.close(descriptor)

    def set_baud(self, baud: int | None) -> None:
        """What the line carries from now on; None: its own rate."""
        self._rate = (self._baud if baud is None else baud) / BITS_A_BYTE * self._speed

    def unplug(self) -> None:
        """The port is gone: whoever has it open gets an error, as with a USB adapter that is pulled."""
        if not self.plugged:
            return
        for link in self._links:
            with contextlib.suppress(FileNotFoundError):
                link.unlink()
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

    def pump(self, now_s: float, *, at_most: int | None = None) -> None:
        """Put on the line what its baud rate allows by now (real seconds, monotonic), and no more than ``at_most`` bytes."""
        if not self.plugged or not self._waiting:
            self._last_s = now_s
            self._credit = 0.0
            return
        self._credit = min(self._credit + (now_s - self._last_s) * self._rate, 512.0)
        self._last_s = now_s
        count = min(len(self._waiting), int(self._credit))
        if at_most is not None:
            count = min(count, at_most)
        if count <= 0:
            return
        try:
            written = os.write(self._master, bytes(self._waiting[:count]))
        except (BlockingIOError, OSError):
            return  # nobody reads: the line backs up, the device's link will see to it
        self._credit -= written
        del self._waiting[:written]
