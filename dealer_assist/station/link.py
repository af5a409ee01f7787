"""The local socket: one reader thread, messages to the GUI thread as queued signals, requests from the GUI thread.

The thread owns the connection. It reconnects with a growing pause (0.1 s to 1 s), and drops a connection whose updates have a gap: the
snapshot of the next one is the whole state again.
"""

from __future__ import annotations

import contextlib
import logging
import select
import socket
import threading
from pathlib import Path
from typing import Final

import msgspec
from PySide6.QtCore import QObject, Signal

from dealer_assist.domain.commands import Actor, Command
from dealer_assist.domain.link import LINK_VERSION, Hello, Request, ServerMessage, Snapshot, Update

log = logging.getLogger(__name__)

#: Pauses between attempts to connect, in seconds; the last one repeats.
PAUSES_S: Final = (0.1, 0.2, 0.4, 0.8, 1.0)
#: A line longer than this is no message of ours.
MAX_LINE: Final = 4_000_000
_WAIT_S: Final = 0.2


class TableLink(QObject):
    """A client of the table service. Signals arrive in the thread of their receiver, in the order of the socket."""

    #: a tuple of server messages, oldest first
    received = Signal(object)
    #: the connection is gone; the reason for the log
    lost = Signal(str)

    def __init__(
        self, path: str | Path, *, id_prefix: str, actor: Actor = "dealer", parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._path = str(path)
        self._prefix = id_prefix
        self._actor: Actor = actor
        self._count = 0
        self._decoder = msgspec.json.Decoder(ServerMessage)
        self._encoder = msgspec.json.Encoder()
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to connect."""
        self._thread = threading.Thread(target=self._run, name="station-link", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Close the connection and wait for the thread. Safe to call twice."""
        self._stop.set()
        self._hang_up()
        if self._thread is not None:
            self._thread.join(timeout=5)
            self._thread = None

    def send(self, command: Command, *, after: int, actor: Actor | None = None) -> str | None:
        """Send a command as seen at ``after``; the id of the request, or None when it could not be sent. ``actor`` None: the link's own."""
        self._count += 1
        request = Request(f"{self._prefix}-{self._count}", actor or self._actor, after, command)
        data = self._encoder.encode(request) + b"\n"
        with self._lock:
            connection = self._socket
            if connection is None:
                return None
            try:
                # Never wait in the GUI thread: a service that reads nothing for this long is lost.
                if connection.send(data, socket.MSG_DONTWAIT) == len(data):
                    return request.id
            except OSError as error:
                log.warning("request_not_sent", extra={"reason": type(error).__name__})
        self._hang_up()
        return None

    # -- the thread ----------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        failures = 0
        while not self._stop.is_set():
            connection = self._connect()
            if connection is None:
                self._stop.wait(PAUSES_S[min(failures, len(PAUSES_S) - 1)])
                failures += 1
                continue
            reason = self._read(connection)
            failures = 0 if reason != "version" else len(PAUSES_S)
            self._hang_up()
            if self._stop.is_set():
                return
            self.lost.emit(reason)
            self._stop.wait(PAUSES_S[min(failures, len(PAUSES_S) - 1)])

    def _connect(self) -> socket.socket | None:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.connect(self._path)
        except OSError:
            connection.close()
            return None
        with self._lock:
            self._socket = connection
        return connection

    def _hang_up(self) -> None:
        with self._lock:
            connection, self._socket = self._socket, None
        if connection is not None:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()

    def _read(self, connection: socket.socket) -> str:
        """Read until the connection ends; the reason why it did."""
        buffer = bytearray()
        seq: int | None = None
        while not self._stop.is_set():
            try:
                ready, _, _ = select.select([connection], [], [], _WAIT_S)
                if not ready:
                    continue
                data = connection.recv(65536)
            except (OSError, ValueError):  # closed by stop() or by a failed send
                return "closed"
            if not data:
                return "closed"
            buffer += data
            *lines, rest = bytes(buffer).split(b"\n")
            if len(rest) > MAX_LINE:
                return "line too long"
            buffer[:] = rest
            messages: list[ServerMessage] = []
            fault = ""
            for line in lines:
                try:
                    message = self._decoder.decode(line)
                except msgspec.DecodeError as error:
                    log.warning("message_not_understood", extra={"reason": str(error)})
                    fault = "not understood"
                    break
                match message:
                    case Hello(version=version) if version != LINK_VERSION:
                        messages.append(message)
                        fault = "version"
                        break
                    case Snapshot():
                        seq = message.seq
                    case Update() if seq is None or message.seq != seq + 1:
                        fault = "gap"
                        break
                    case Update():
                        seq = message.seq
                messages.append(message)
            if messages:
                self.received.emit(tuple(messages))
            if fault:
                return fault
        return "stopped"
