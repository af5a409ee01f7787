"""A reader's line over TCP on this machine, with the face of a serial port (:class:`hw_sim.ptys.PtyPort`): one host at a time."""

from __future__ import annotations

import contextlib
import socket
from typing import Final

HOST: Final = "127.0.0.1"


class TcpLine:
    """Listens where the system finds room, and there again after it was unplugged. ``address``: "host:port"."""

    def __init__(self) -> None:
        self._number = 0
        self._listener: socket.socket | None = None
        self._host: socket.socket | None = None
        self._waiting = bytearray()
        self.plug()
        self.address = f"{HOST}:{self._number}"

    @property
    def plugged(self) -> bool:
        """Whether the cable is in."""
        return self._listener is not None

    def plug(self) -> None:
        """Listen."""
        if self.plugged:
            return
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, self._number))
        listener.listen(1)
        listener.setblocking(False)
        self._number = listener.getsockname()[1]
        self._listener = listener

    def unplug(self) -> None:
        """Nobody answers any more, and whoever is connected is hung up on."""
        if self._listener is not None:
            self._listener.close()
            self._listener = None
        self._hang_up()

    def _hang_up(self) -> None:
        if self._host is not None:
            self._host.close()
            self._host = None
        self._waiting.clear()

    def read(self) -> bytes:
        """What the host has written; b"" when nothing. A host that comes anew takes the place of the one before."""
        if self._listener is None:
            return b""
        with contextlib.suppress(BlockingIOError):
            host, _ = self._listener.accept()
            self._hang_up()
            host.setblocking(False)
            host.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._host = host
        if self._host is None:
            return b""
        try:
            data = self._host.recv(4096)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._hang_up()
        return data

    def write(self, data: bytes) -> None:
        """Queue bytes for the host."""
        if self._host is not None:
            self._waiting += data

    def pump(self, now_s: float) -> None:
        """Send what waits. A network is not paced."""
        if self._host is None or not self._waiting:
            return
        try:
            sent = self._host.send(self._waiting)
        except BlockingIOError:
            return
        except OSError:
            self._hang_up()
            return
        del self._waiting[:sent]
