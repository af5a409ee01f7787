"""The local socket: JSON lines on a Unix socket of mode 0660. One thread accepts, two serve each client; all state is the session's.

A client that does not read is dropped rather than waited for: no screen can hold up the table. One that asks without end waits for its
answers, and there are only so many clients at a time: neither memory nor files of the table run out because of them.
"""

from __future__ import annotations

import contextlib
import errno
import os
import queue
import socket
import threading
import time
from pathlib import Path
from typing import Any, Final

import msgspec

from dealer_assist.domain.link import LINK_VERSION, Hello, Request, Result, ServerMessage
from dealer_assist.table.session import Session

#: A request line is never longer.
MAX_LINE: Final = 64 * 1024
#: Messages that may wait for a slow client before it is dropped.
MAX_WAITING: Final = 4096
#: Clients at a time; one more is hung up on, so that a screen that is served goes on being served.
MAX_CLIENTS: Final = 32
#: Requests of one client that may be under way: the next one is read when the first one's answer has gone out.
MAX_UNDER_WAY: Final = 16
#: So long nobody is let in when the system has no more files or memory to give, in seconds.
BREATH_S: Final = 0.2
#: What ``accept`` says of this moment, and not of the socket.
_PASSING: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM, errno.ECONNABORTED})


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
        self._out: queue.Queue[tuple[bytes, bool] | None] = queue.Queue(MAX_WAITING)
        self._under_way = threading.Semaphore(MAX_UNDER_WAY)
        self._closed = False
        self._encoder = msgspec.json.Encoder()
        self._decoder = msgspec.json.Decoder(Request)
        self.send(hello)
        self.deliver = self.send  # one bound method: the session recognises it when the client leaves
        self._threads = [
            threading.Thread(target=self._read, name="socket-read", daemon=True),
            threading.Thread(target=self._write, name="socket-write", daemon=True),
        ]

    def start(self) -> None:
        """Raises RuntimeError where the system gives no more threads."""
        for thread in self._threads:
            thread.start()
        self._session.join(self.deliver)

    def alive(self) -> bool:
        """Whether it is still served."""
        return any(thread.is_alive() for thread in self._threads)

    def send(self, message: ServerMessage) -> None:
        self._put(message, asked=False)

    def _answer(self, result: Result) -> None:
        self._put(result, asked=True)

    def _put(self, message: ServerMessage, *, asked: bool) -> None:
        try:
            self._out.put_nowait((self._encoder.encode(message) + b"\n", asked))
        except queue.Full:
            self.close()

    def close(self) -> None:
        self._closed = True
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)

    def _write(self) -> None:
        while (waiting := self._out.get()) is not None:
            line, asked = waiting
            try:
                self._connection.sendall(line)
            except OSError:
                break
            if asked:
                self._under_way.release()
        self.close()

    def _read(self) -> None:
        with self._connection, self._connection.makefile("rb") as lines:
            while True:
                try:
                    line = lines.readline(MAX_LINE)
                except OSError:
                    break
                if not line.endswith(b"\n") or not self._may_ask():
                    break
                self._take(line)
        self._session.leave(self.deliver)
        with contextlib.suppress(queue.Full):
            self._out.put_nowait(None)

    def _may_ask(self) -> bool:
        """Wait until few enough of its requests are under way; False when it is gone."""
        while not self._under_way.acquire(timeout=1.0):
            if self._closed:
                return False
        return True

    def _take(self, line: bytes) -> None:
        try:
            request = self._decoder.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            reason = "nested too deep" if isinstance(error, RecursionError) else str(error)
            self._answer(Result(_id_of(line), ok=False, code="bad_command", params={"reason": reason}))
            return
        self._session.ask(request, self._answer)


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
            except OSError as error:
                if error.errno not in _PASSING:
                    return
                time.sleep(BREATH_S)
                continue
            self._clients = [client for client in self._clients if client.alive()]
            if len(self._clients) >= MAX_CLIENTS:
                connection.close()
                continue
            client = _Client(connection, self._session, self._hello)
            try:
                client.start()
            except RuntimeError:  # no thread is to be had
                client.close()
                connection.close()
                continue
            self._clients = [*self._clients, client]


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
    listener.listen(MAX_CLIENTS)
    return listener
