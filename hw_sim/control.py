"""The control channel: a Unix socket beside the devices, JSON lines, so that a test or a person can pull cables while hands are dealt.

{"do": "status"} · {"do": "unplug", "device": "SIM-READER-1"} · plug · reboot · garbage (count) · pause · resume · quit
"""

from __future__ import annotations

import contextlib
import json
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hw_sim.live import LiveWorld


class Control:
    """Serves one request a line; never blocks."""

    def __init__(self, path: Path, world: LiveWorld) -> None:
        self._path = path
        self._world = world
        self.quitting = False
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
        self._server: socket.socket | None = None
        if len(str(path).encode()) <= 107:  # sun_path
            self._server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._server.bind(str(path))
            self._server.listen(4)
            self._server.setblocking(False)
        self._clients: list[tuple[socket.socket, bytearray]] = []

    def pump(self) -> None:
        """Take what has come."""
        if self._server is None:
            return
        with contextlib.suppress(BlockingIOError):
            client, _ = self._server.accept()
            client.setblocking(False)
            self._clients.append((client, bytearray()))
        for client, buffer in list(self._clients):
            try:
                data = client.recv(4096)
            except BlockingIOError:
                continue
            except OSError:
                data = b""
            if not data:
                client.close()
                self._clients.remove((client, buffer))
                continue
            buffer += data
            while b"\n" in buffer:
                line, _, rest = bytes(buffer).partition(b"\n")
                buffer[:] = rest
                with contextlib.suppress(OSError):
                    client.sendall(json.dumps(self._answer(line)).encode() + b"\n")

    def _answer(self, line: bytes) -> dict[str, Any]:
        try:
            request = json.loads(line)
            what = request["do"]
        except (ValueError, KeyError, TypeError):
            return {"ok": False, "expected": 'a JSON object with "do"'}
        match what:
            case "status":
                return {"ok": True, "t_ms": self._world.now_ms()}
            case "pause" | "resume":
                self._world.pause(what == "pause")
                return {"ok": True}
            case "quit":
                self.quitting = True
                return {"ok": True}
            case _:
                done = self._world.inject(
                    str(what), str(request.get("device", "")), int(request.get("count", 0))
                )
                return (
                    {"ok": done}
                    if done
                    else {"ok": False, "expected": "unplug, plug, reboot or garbage, and a device"}
                )

    def close(self) -> None:
        """Close the socket."""
        for client, _ in self._clients:
            client.close()
        if self._server is not None:
            self._server.close()
            with contextlib.suppress(FileNotFoundError):
                self._path.unlink()
