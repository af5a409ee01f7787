"""A serial port that is found by the serial number of what hangs on it, opened for us alone, and that fails in one way only."""

from __future__ import annotations

import contextlib
import os
import re
import select
from pathlib import Path
from typing import Any, Final

import serial

from dealer_assist.devices.faults import LINK_ERRORS, LinkLost, mapping

BY_ID: Final = Path("/dev/serial/by-id")
"""Where the system links ports by make, model and serial number; the name ttyUSB0 is another device's after a re-plug."""

MARKER: Final = "SIMULATED"
"""The file that marks a folder of simulated ports."""

WRITE_TIMEOUT_S: Final = 0.3
_PARITIES: Final = {"none": serial.PARITY_NONE, "even": serial.PARITY_EVEN, "odd": serial.PARITY_ODD}
_READ_BYTES: Final = 4096


BY_PATH: Final = "by-path"
"""The name of a folder whose links say where a port is plugged in, not what hangs on it: udev's /dev/serial/by-path."""


def find_ports(folder: Path, serial_number: str) -> list[Path]:
    """The links in ``folder`` on which a device of this serial number may hang, in the order of their names.

    More than one where two adapters claim the same number; and in a folder that says where ports are and not what they are
    (``by-path``: for adapters that have no number of their own) all of them. Raises LinkLost no_port where there is none.
    """
    exact = folder / serial_number
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise LinkLost("no_port") from error
    if serial_number in names:
        return [exact]
    pattern = re.compile(rf"(?:^|[_-]){re.escape(serial_number)}(?:-if\w+)?(?:-port\d+)?$")
    found = [name for name in names if pattern.search(name)]
    if not found and folder.name == BY_PATH:
        found = [name for name in names if name != MARKER]
    if not found:
        raise LinkLost("no_port")
    return [folder / name for name in found]


def is_simulated_folder(folder: Path) -> bool:
    """Whether the folder of links says of itself that its ports are simulated."""
    return (folder / MARKER).exists()


class Waker:
    """Ends a wait in another thread. Lives as long as the thread that waits, so that it never writes to a descriptor used anew."""

    def __init__(self) -> None:
        self.descriptor, self._write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)

    def wake(self) -> None:
        """End the wait that goes on, or the next one. A full pipe already says so."""
        with contextlib.suppress(BlockingIOError):
            os.write(self._write, b"\0")

    def clear(self) -> None:
        """Take the wake-up calls off."""
        with contextlib.suppress(BlockingIOError):
            os.read(self.descriptor, 4096)

    def wait(self, timeout_ms: int) -> None:
        """Wait for a wake-up call."""
        poll = select.poll()
        poll.register(self.descriptor, select.POLLIN)
        poll.poll(timeout_ms)
        self.clear()

    def close(self) -> None:
        """After the thread has ended."""
        os.close(self.descriptor)
        os.close(self._write)


class SerialPort:
    """An open port. Every method raises LinkLost and nothing else; after that only :meth:`close` makes sense.

    ``parity``: none, even or odd; eight data bits and one stop bit always. A byte with a wrong parity comes all the same: the frame's
    check finds it. The port's own idea of being open says nothing about the cable and is never asked. Control lines are not touched.
    """

    def __init__(self, path: Path, baud: int, waker: Waker, *, parity: str = "none") -> None:
        with mapping("bad_port"):
            # flock: a second process that read along would steal bytes from us.
            self._serial: Any = serial.Serial(
                str(path),
                baud,
                parity=_PARITIES[parity],
                timeout=0,
                write_timeout=WRITE_TIMEOUT_S,
                exclusive=True,
            )
        self._waker = waker
        self._poll = select.poll()
        self._poll.register(self._serial.fileno(), select.POLLIN)
        self._poll.register(waker.descriptor, select.POLLIN)

    def read(self, timeout_ms: int) -> bytes:
        """Bytes that came, waiting up to ``timeout_ms`` for the first; empty on timeout or when the waker calls."""
        with mapping("unplugged"):
            ready = self._poll.poll(max(0, timeout_ms))
            data = b""
            for descriptor, _ in ready:
                if descriptor == self._waker.descriptor:
                    self._waker.clear()
                else:
                    # A hang-up is readable, too: the read is what raises then.
                    data = bytes(self._serial.read(_READ_BYTES))
            return data

    def write(self, data: bytes) -> None:
        """Write all bytes, for at most 0.3 s: a peer that does not read is a lost link, not a stuck thread."""
        with mapping("unplugged"):
            if self._serial.write(data) != len(data):
                raise LinkLost("write_timeout")

    def close(self) -> None:
        """Give the port back: a re-plugged adapter gets its old name only when the old descriptor is closed. Never raises."""
        with contextlib.suppress(*LINK_ERRORS):
            self._serial.cancel_read()
        with contextlib.suppress(*LINK_ERRORS):
            self._serial.cancel_write()
        with contextlib.suppress(*LINK_ERRORS):
            self._serial.close()
