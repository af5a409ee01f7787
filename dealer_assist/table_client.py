"""A plain client of the table service's socket, for the terminal: it waits, folds the facts, and sends one command after the other."""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from dealer_assist.domain.commands import Actor, Command
from dealer_assist.domain.facts import Fact, section
from dealer_assist.domain.link import LINK_VERSION, Hello, Request, Result, ServerMessage, Snapshot, Update

#: How long the service may take to answer.
PATIENCE_S: Final = 20.0
_F = TypeVar("_F", bound=Fact)


class NoTable(OSError):
    """No table service can be spoken with at this socket. Carries the path and why."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(0, why, str(path))


class TableClient:
    """One connection; ``facts`` are the sections as they are. Raises :class:`NoTable` when there is none, or when it ends."""

    def __init__(self, path: Path, *, actor: Actor, prefix: str = "terminal") -> None:
        self._path = path
        self._actor = actor
        self._prefix = prefix
        self._count = 0
        self._buffer = b""
        self._decoder = msgspec.json.Decoder(ServerMessage)
        self._results: dict[str, Result] = {}
        self.facts: dict[tuple[str, str], Fact] = {}
        self.seq = -1
        self.simulated = False
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            self._socket.close()
            why = (error.strerror or str(error)).lower()
            raise NoTable(path, f"no table service answers here ({why})") from None
        try:
            self._greet()
        except BaseException:
            self._socket.close()
            raise

    def _greet(self) -> None:
        """Wait for the first snapshot."""
        end = time.monotonic() + PATIENCE_S
        while self.seq < 0:
            if time.monotonic() > end:
                raise NoTable(self._path, "the table service says nothing")
            self.pump(0.2)

    def close(self) -> None:
        """Leave."""
        self._socket.close()

    def fileno(self) -> int:
        """For select."""
        return self._socket.fileno()

    def pump(self, timeout_s: float) -> list[Fact]:
        """Take what comes within ``timeout_s`` seconds; the facts that changed, in order."""
        ready, _, _ = select.select([self._socket], [], [], timeout_s)
        if not ready:
            return []
        try:
            data = self._socket.recv(1 << 16)
        except ConnectionError:
            data = b""
        if not data:
            raise NoTable(self._path, "the table service has ended")
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        changed: list[Fact] = []
        for line in lines:
            changed += self._take(self._decoder.decode(line))
        return changed

    def _take(self, message: ServerMessage) -> Iterable[Fact]:
        match message:
            case Hello():
                if message.version != LINK_VERSION:
                    why = f"the table service speaks version {message.version}, this program {LINK_VERSION}"
                    raise NoTable(self._path, why)
                self.simulated = message.simulated
                return ()
            case Snapshot():
                self.facts.clear()
            case Update():
                for kind, key in message.gone:
                    self.facts.pop((kind, key), None)
            case Result():
                self._results[message.id] = message
                return ()
        self.seq = message.seq
        self.facts.update({section(fact): fact for fact in message.facts})
        return message.facts

    def fact(self, kind: type[_F]) -> _F | None:
        """A section that there is once."""
        found = self.facts.get((str(kind.__struct_config__.tag), ""))
        return found if isinstance(found, kind) else None

    def tell(self, command: Command) -> Result:
        """Send a command as seen now, and wait for its fate."""
        self._count += 1
        name = f"{self._prefix}-{self._count}"
        request: Any = Request(name, self._actor, self.seq, command)
        self._socket.sendall(msgspec.json.encode(request) + b"\n")
        end = time.monotonic() + PATIENCE_S
        while name not in self._results:
            if time.monotonic() > end:
                raise NoTable(self._path, "the table service does not answer")
            self.pump(0.2)
        return self._results.pop(name)
