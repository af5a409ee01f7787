"""The local socket: JSON lines on a Unix socket of mode 0660. One thread accepts, two serve each client; all state is the session's.

A client that does not read is dropped rather than waited for: no screen can hold up the table.
"""

from __future__ import annotations

import contextlib
import errno
import os
import queue
import socket
import threading
from pathlib import Path
from typing import Any, Final

import msgspec

from dealer_assist.domain.link import LINK_VERSION, Hello, Request, Result, ServerMessage
from dealer_assist.table.session import Session

#: A request line is never longer.
MAX_LINE: Final = 64 * 1024
#: Messages that may wait for a slow client before it is dropped.
MAX_WAITING: Final = 4096


class SocketInUse(Exception):
    """Another table service answers on this socket. Carries the path."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(f"{path}: a table service is running there already")


class _Client:
    """One connection: a reader thread for requests, a writer thread for what the session sends."""

    def __init__(self, connection: socket.socket, session: Session, hello: Hello) -> None:
        self._connection = connection
        self._session = session
        self._out: queue.Queue[bytes | None] = queue.Queue(MAX_WAITING)
        self._encoder = msgspec.json.Encoder()
        self._decoder = msgspec.json.Decoder(Request)
        self.send(hello)
        self.deliver = self.send  # one bound method: the session recognises it when the client leaves
        self._threads = [
            threading.Thread(target=self._read, name="socket-read", daemon=True),
            threading.Thread(target=self._write, name="socket-write", daemon=True),
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()
        self._session.join(self.deliver)

    def send(self, message: ServerMessage) -> None:
        try:
            self._out.put_nowait(self._encoder.encode(message) + b"\n")
        except queue.Full:
            self.close()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)

    def _write(self) -> None:
        while (line := self._out.get()) is not None:
            try:
                self._connection.sendall(line)
            except OSError:
                break
        self.close()

    def _read(self) -> None:
        with self._connection, self._connection.makefile("rb") as lines:
            while True:
                try:
                    line = lines.readline(MAX_LINE)
                except OSError:
                    break
                if not line.endswith(b"\n"):
                    break
                self._take(line)
        self._session.leave(self.deliver)
        with contextlib.suppress(queue.Full):
            self._out.put_nowait(None)

    def _take(self, line: bytes) -> None:
        try:
            request = self._decoder.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            reason = "nested too deep" if isinstance(error, RecursionError) else str(error)
            self.send(Result(_id_of(line), ok=False, code="bad_command", params={"reason": reason}))
            return
        self._session.ask(request, self.send)


def _id_of(line: bytes) -> str:
    """The id of a request that could not be understood, so that its sender can tell which."""
    try:
        found: Any = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return ""
    name = found.get("id", "") if isinstance(found, dict) else ""
    return name if isinstance(name, str) else ""


class Server:
    """Listens on ``path``. A socket file that a dead service left is replaced; a living one is :class:`SocketInUse`.

    Raises OSError with the path where no socket can be made.
    """

    def __init__(self, path: Path, session: Session, *, table: str, simulated: bool) -> None:
        self._path = path
        self._session = session
        self._hello = Hello(LINK_VERSION, table, simulated)
        self._socket = _listen(path)
        self._clients: list[_Client] = []
        self._closing = False
        self._thread = threading.Thread(target=self._accept, name="socket-accept", daemon=True)

    def start(self) -> None:
        """Accept clients."""
        self._thread.start()

    def alive(self) -> bool:
        """Whether clients are accepted."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Close the socket and every connection."""
        self._closing = True
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        with contextlib.suppress(FileNotFoundError):
            self._path.unlink()
        for client in self._clients:
            client.close()

    def _accept(self) -> None:
        while not self._closing:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            client = _Client(connection, self._session, self._hello)
            self._clients = [*self._clients[-31:], client]
            client.start()


def _listen(path: Path) -> socket.socket:
    if path.exists() and not path.is_socket():
        raise FileExistsError(errno.EEXIST, "expected a socket, or nothing, found something else", str(path))
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    if path.exists():
        probe = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            probe.connect(str(path))
        except OSError:
            path.unlink()
        else:
            listener.close()
            raise SocketInUse(path)
        finally:
            probe.close()
    old = os.umask(0o117)
    try:
        listener.bind(str(path))
    except OSError as error:
        listener.close()
        raise OSError(error.errno, f"no socket can be made here: {error.strerror}", str(path)) from error
    finally:
        os.umask(old)
    listener.listen(8)
    return listener
