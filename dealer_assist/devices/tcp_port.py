"""A reader's line over TCP, with the manners of a serial port: it opens or fails in a moment, and fails in one way only."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from dealer_assist.devices.faults import LinkLost
from dealer_assist.devices.serial_port import Waker

CONNECT_MS: Final = 2000
WRITE_MS: Final = 300
_READ_BYTES: Final = 4096
#: A peer that lost its power says nothing: these let the system notice within about four seconds though nothing is written.
_KEEP_ALIVE: Final = (
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 1),
    (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 1),
    (socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 3),
    (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 4000),
    # One short request at a time: none may wait for company.
    (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
)


@contextmanager
def _mapping(reason: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        raise LinkLost(reason) from error


class TcpPort:
    """An open connection. Every method raises LinkLost and nothing else; after that only :meth:`close` makes sense.

    ``address``: an IPv4 address and a port, "192.168.1.20:1234"; names are not looked up, for that may block. Raises LinkLost
    (unreachable) when nobody answers within two seconds, at once when ``waker`` calls.
    """

    def __init__(self, address: str, waker: Waker) -> None:
        host, _, port = address.rpartition(":")
        self._waker = waker
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            with _mapping("unreachable"):
                self._socket.setblocking(False)
                for level, option, value in _KEEP_ALIVE:
                    self._socket.setsockopt(level, option, value)
                self._connect((host, int(port)))
        except BaseException:
            self.close()
            raise
        self._poll = select.poll()
        self._poll.register(self._socket.fileno(), select.POLLIN)
        self._poll.register(waker.descriptor, select.POLLIN)

    def _connect(self, address: tuple[str, int]) -> None:
        began = self._socket.connect_ex(address)
        if began not in (0, errno.EINPROGRESS):
            raise OSError(began, os.strerror(began))
        poll = select.poll()
        poll.register(self._socket.fileno(), select.POLLOUT)
        poll.register(self._waker.descriptor, select.POLLIN)
        ready = dict(poll.poll(CONNECT_MS))
        if self._socket.fileno() not in ready:
            raise TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
        failed = self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if failed:
            raise OSError(failed, os.strerror(failed))

    def on_this_machine(self) -> bool:
        """Whether the other end is this machine itself, whichever of its addresses was named."""
        with _mapping("unplugged"):
            return bool(self._socket.getsockname()[0] == self._socket.getpeername()[0])

    def read(self, timeout_ms: int) -> bytes:
        """Bytes that came, waiting up to ``timeout_ms`` for the first; empty on timeout or when the waker calls."""
        with _mapping("unplugged"):
            data = b""
            for descriptor, _ in self._poll.poll(max(0, timeout_ms)):
                if descriptor == self._waker.descriptor:
                    self._waker.clear()
                    continue
                with contextlib.suppress(BlockingIOError):
                    data = self._socket.recv(_READ_BYTES)
                    if not data:
                        raise LinkLost("unplugged")  # the reader hung up
            return data

    def write(self, data: bytes) -> None:
        """Write all bytes, for at most 0.3 s: a peer that does not read is a lost link, not a stuck thread."""
        with _mapping("unplugged"):
            rest = memoryview(data)
            while rest:
                try:
                    rest = rest[self._socket.send(rest) :]
                except BlockingIOError:
                    poll = select.poll()
                    poll.register(self._socket.fileno(), select.POLLOUT)
                    if not poll.poll(WRITE_MS):
                        raise LinkLost("write_timeout") from None

    def close(self) -> None:
        """Hang up. Never raises."""
        with contextlib.suppress(OSError):
            self._socket.close()
