"""The control channel: a Unix socket beside the devices, JSON lines, so that a test or a person can pull cables while hands are dealt.

One request a line, one answer a line: {"ok": true, …}, or {"ok": false, "expected": "…"}.

{"do": "fault", "component": "line", "fault": "wrong", "share": "5%"} (docs/faults.md)

{"do": "status"} · {"do": "unplug", "device": "SIM-READER-1"} · plug · reboot · {"do": "garbage", "device": …, "count": 40} ·
pause · step (one act or tap more of a paused hand) · resume · quit · lay and touch (:mod:`hw_sim.handling`)

{"do": "tap_badge", "badge": "floor"} · {"do": "lay_badge", "badge": "floor"} · {"do": "take_badge"} (:mod:`hw_sim.badges`)
"""

from __future__ import annotations

import contextlib
import json
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hw_sim.faults import from_request
from hw_sim.script_words import Bad

if TYPE_CHECKING:
    from hw_sim.live import LiveWorld


#: Bytes of noise at a time.
MAX_GARBAGE: Final = 100_000


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
            buffer.extend(data)
            while b"\n" in buffer:
                line, _, rest = bytes(buffer).partition(b"\n")
                buffer[:] = rest
                with contextlib.suppress(OSError):
                    client.sendall(json.dumps(self._answer(line)).encode() + b"\n")

    def _answer(self, line: bytes) -> dict[str, Any]:
        try:
            request = json.loads(line)
            what = request["do"]
        except (ValueError, KeyError, TypeError, RecursionError):
            return {"ok": False, "expected": 'a JSON object with "do"'}
        match what:
            case "status":
                return {"ok": True, **self._world.status()}
            case "step":
                self._world.step()
                return {"ok": True}
            case "pause" | "resume":
                self._world.pause(what == "pause")
                return {"ok": True}
            case "quit":
                self.quitting = True
                return {"ok": True}
            case "lay" | "touch":
                return self._world.handle(request)
            case "tap_badge" | "lay_badge" | "take_badge":
                return self._world.show_badge(request)
            case "fault":
                return self._fault(request)
            case _:
                return self._inject(what, request)

    def _fault(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            fault = from_request(request)
        except Bad as error:
            return {"ok": False, "expected": error.expected}
        refused = self._world.break_by(fault)
        return {"ok": False, "expected": refused} if refused else {"ok": True}

    def _inject(self, what: object, request: dict[str, Any]) -> dict[str, Any]:
        count = request.get("count", 0)
        if type(count) is not int or not 0 <= count <= MAX_GARBAGE:
            return {"ok": False, "expected": f"a count from 0 to {MAX_GARBAGE}"}
        if self._world.inject(str(what), str(request.get("device", "")), count):
            return {"ok": True}
        devices = ", ".join(self._world.status()["devices"])
        return {"ok": False, "expected": f"unplug, plug, reboot or garbage, and a device: {devices}"}

    def close(self) -> None:
        """Close the socket."""
        for client, _ in self._clients:
            client.close()
        if self._server is not None:
            self._server.close()
            with contextlib.suppress(FileNotFoundError):
                self._path.unlink()
