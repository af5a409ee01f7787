"""A dealer's finger on a real window: an X display, touches by xdotool where the station says that its keys are, and a relay.

The simulator deals from its script. What its dealer would tap on the socket is touched on the station instead; what the station then sends
is compared with what the script wanted, and its answer goes back to the simulator.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tests.e2e.rig import PATIENCE_S, Part, PartFailed, Rig

SIZE: Final = (1280, 800)
#: How long a key may take to be where it can be touched.
KEY_S: Final = 20.0
LOOK_S: Final = 0.01
#: How far from each other two touches of one key are, in pixels: more than Qt's two clicks of a double one.
ASIDE: Final = 14
_CHUNK: Final = 1 << 16


class Display:
    """An X server of its own, without a window manager."""

    def __init__(self) -> None:
        read, write = os.pipe()
        command = [
            _tool("Xvfb"),
            "-displayfd",
            str(write),
            "-screen",
            "0",
            f"{SIZE[0]}x{SIZE[1]}x24",
            "-nolisten",
            "tcp",
        ]
        self._server = subprocess.Popen(
            command, pass_fds=(write,), stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(write)
        with os.fdopen(read) as told:
            number = told.readline().strip()
        assert number, "no X display came up"
        self.name = f":{number}"
        self.env = {**os.environ, "DISPLAY": self.name, "QT_QPA_PLATFORM": "xcb"}
        self.env.pop("WAYLAND_DISPLAY", None)
        # one for all touches: to start one for each takes longer than a finger does
        self._finger = subprocess.Popen(
            [_tool("xdotool"), "-"], env=self.env, stdin=subprocess.PIPE, text=True
        )

    def touch(self, x: int, y: int, *, hold_s: float = 0.0) -> None:
        """A finger goes down and comes up."""
        self._do(f"mousemove {x} {y}")
        if hold_s:
            self._do("mousedown 1")
            time.sleep(hold_s)
            self._do("mouseup 1")
        else:
            self._do("click 1")

    def _do(self, line: str) -> None:
        assert self._finger.stdin is not None
        self._finger.stdin.write(f"{line}\n")
        self._finger.stdin.flush()

    def close(self) -> None:
        """Take it down."""
        assert self._finger.stdin is not None
        self._finger.stdin.close()
        self._finger.wait(PATIENCE_S)
        self._server.terminate()
        self._server.wait(PATIENCE_S)


def _tool(name: str) -> str:
    found = shutil.which(name)
    assert found, f"{name} is not installed: scripts/setup.sh"
    return found


class Relay:
    """Between the service's socket and two clients.

    What the station says passes and is kept; what the simulator's dealer taps waits for a finger.
    """

    def __init__(self, service: Path, station: Path, simulator: Path) -> None:
        self._service = service
        self._listeners = {self._listen(station): "station", self._listen(simulator): "simulator"}
        self._pairs: dict[socket.socket, tuple[socket.socket, str, bool]] = {}
        self._buffers: dict[socket.socket, bytes] = {}
        self._wake = os.pipe()
        self._lock = threading.Lock()
        #: what the simulator's dealer wants tapped, in order
        self.wanted: list[dict[str, Any]] = []
        #: what the station sent, in order; id → answer
        self.sent: list[dict[str, Any]] = []
        self.answers: dict[str, dict[str, Any]] = {}
        #: the table as the station was told it
        self.sections: dict[tuple[str, str], dict[str, Any]] = {}
        self.seq = -1
        self._thread = threading.Thread(target=self._run, name="relay", daemon=True)
        self._thread.start()

    @staticmethod
    def _listen(path: Path) -> socket.socket:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(str(path))
        listener.listen(4)
        return listener

    def close(self) -> None:
        """Hang up on everybody."""
        os.write(self._wake[1], b"x")
        self._thread.join(PATIENCE_S)
        for one in (*self._listeners, *self._pairs):
            one.close()
        for end in self._wake:
            os.close(end)

    def answer(self, request: dict[str, Any], result: dict[str, Any]) -> None:
        """Tell the simulator what became of a tap that it wanted."""
        line = json.dumps({**result, "id": request["id"]}).encode() + b"\n"
        for client, (_, who, is_client) in list(self._pairs.items()):
            if who == "simulator" and is_client:
                client.sendall(line)

    def _run(self) -> None:
        while True:
            ready, _, _ = select.select([self._wake[0], *self._listeners, *self._pairs], [], [])
            if self._wake[0] in ready:
                return
            for one in ready:
                if one in self._listeners:
                    self._accept(one)
                elif one in self._pairs:
                    self._pass_on(one)

    def _accept(self, listener: socket.socket) -> None:
        client, _ = listener.accept()
        server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            server.connect(str(self._service))
        except OSError:
            client.close()
            server.close()
            return
        who = self._listeners[listener]
        self._pairs[client] = (server, who, True)
        self._pairs[server] = (client, who, False)

    def _pass_on(self, one: socket.socket) -> None:
        other, who, is_client = self._pairs[one]
        try:
            data = one.recv(_CHUNK)
        except OSError:
            data = b""
        if not data:
            for end in (one, other):
                self._pairs.pop(end, None)
                self._buffers.pop(end, None)
                end.close()
            return
        *lines, self._buffers[one] = (self._buffers.get(one, b"") + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            with self._lock:
                passes = self._hear(message, who, is_client=is_client)
            if passes:
                other.sendall(line + b"\n")

    def _hear(self, message: dict[str, Any], who: str, *, is_client: bool) -> bool:
        if is_client:
            (self.sent if who == "station" else self.wanted).append(message)
            return who == "station"
        if who == "station":
            self._fold(message)
        return True

    def _fold(self, message: dict[str, Any]) -> None:
        if message["type"] == "result":
            self.answers[message["id"]] = message
        if message["type"] not in ("snapshot", "update"):
            return
        if message["type"] == "snapshot":
            self.sections.clear()
        for kind, key in message.get("gone", ()):
            self.sections.pop((kind, key), None)
        for fact in message["facts"]:
            key = str(
                fact["alert"]["id"]
                if fact["kind"] == "alert"
                else fact.get("seat" if fact["kind"] == "seat" else "id", "")
            )
            self.sections[fact["kind"], key] = fact
        self.seq = message["seq"]

    def fact(self, kind: str, key: str = "") -> dict[str, Any]:
        """A section as the station was told it, {} while there is none."""
        with self._lock:
            return self.sections.get((kind, key), {})

    def alerts(self) -> list[dict[str, Any]]:
        """The alerts of the hand."""
        with self._lock:
            return [fact["alert"] for (kind, _), fact in self.sections.items() if kind == "alert"]


class Finger:
    """Touches the station of a rig."""

    def __init__(self, rig: Rig, display: Display, relay: Relay, places: Path) -> None:
        self._rig = rig
        self._display = display
        self._relay = relay
        self._places = places
        self._touches = 0

    def look(self) -> dict[str, Any]:
        """What the station says can be touched now."""
        with socket.socket(socket.AF_UNIX) as asking:
            asking.settimeout(PATIENCE_S)
            asking.connect(str(self._places))
            told = b""
            while data := asking.recv(_CHUNK):
                told += data
        found: dict[str, Any] = json.loads(told)
        return found

    def until(self, holds: Callable[[dict[str, Any]], Any], what: str) -> dict[str, Any]:
        """Wait until the station shows something."""
        end = time.monotonic() + KEY_S
        while True:
            seen = self.look()
            if seen["seq"] >= self._relay.seq and holds(seen):
                return seen
            if time.monotonic() > end:
                self._rig.fail(f"the station does not show {what}: {seen}")
            time.sleep(LOOK_S)

    def touch(self, *names: str, hold_s: float = 0.0) -> None:
        """Touch keys one after the other, each as soon as it can be."""
        for name in names:
            seen = self.until(lambda seen, name=name: name in seen["places"], name)  # type: ignore[misc]
            x, y = seen["places"][name]
            # no finger lands on one spot twice; one that does, that soon, is taken for a shaking one
            self._touches += 1
            self._display.touch(x + ASIDE * (self._touches % 2), y, hold_s=hold_s)

    def type(self, amount: int) -> None:
        """Type an amount on the keypad."""
        self.touch(*[f"pad/{digit}" for digit in str(amount)])

    def said(self, *names: str, hold_s: float = 0.0) -> dict[str, Any]:
        """Touch keys; the request that the station sends then, and what became of it under ``result``."""
        before = len(self._relay.sent)
        self.touch(*names, hold_s=hold_s)
        end = time.monotonic() + KEY_S
        while len(self._relay.sent) == before or self._relay.sent[before]["id"] not in self._relay.answers:
            if time.monotonic() > end:
                self._rig.fail(f"nothing came of touching {names}: {self.look()}")
            time.sleep(LOOK_S)
        request = self._relay.sent[before]
        return {**request["command"], "result": self._relay.answers[request["id"]]}


class TouchingDealer:
    """Does on the station what the simulator's dealer wants done."""

    def __init__(self, rig: Rig, finger: Finger, relay: Relay) -> None:
        self._rig = rig
        self._finger = finger
        self._relay = relay

    def deal(self, part: Part, hands: int, timeout_s: float) -> None:
        """Touch for the simulator until the pots of so many hands are pushed; fails when it ends before that."""
        end = time.monotonic() + timeout_s
        while hands:
            if self._relay.wanted:
                hands -= self._tap(self._relay.wanted.pop(0)) == "push_pots"
            elif not part.alive():
                self._rig.fail(f"not as scripted: exit code {part.process.returncode}")
            elif time.monotonic() > end:
                self._rig.fail("the hands did not come to their end")
            else:
                time.sleep(LOOK_S)

    def _tap(self, request: dict[str, Any]) -> str:
        """Do one thing; returns what, as far as it was taken."""
        wanted = request["command"]
        if (
            wanted.get("action") == "fold"
            and self._relay.fact("seat", str(wanted["seat"])).get("hand") == "folded"
        ):
            # the muck's antenna was faster than the finger: a dealer who looks has nothing left to tap
            self._relay.answer(request, {"type": "result", "ok": True, "code": "", "params": {}})
            return "act"
        names = self._names(wanted)
        said = self._finger.said(*names)
        answer = said.pop("result")
        for key, value in wanted.items():
            if key not in ("opening", "alert") and value not in (None, "", {}, ()) and said.get(key) != value:
                raise PartFailed(f"touched {names} for {wanted}: the station sent {said}")
        self._relay.answer(request, answer)
        return str(wanted["kind"]) if answer["ok"] else ""

    def _names(self, wanted: dict[str, Any]) -> list[str]:
        """The keys of a command, in the order in which they are touched."""
        match wanted:
            case {"kind": "open_hand"} | {"kind": "push_pots"}:
                return ["pad/go"]
            case {"kind": "shuffled"}:
                return ["pad/shuffled"]
            case {"kind": "undo"}:
                return ["pad/undo"]
            case {"kind": "act", "action": "fold"}:
                return ["pad/fold"]
            case {"kind": "act", "action": "check" | "call"}:
                return ["pad/call"]
            case {"kind": "act", "action": "bet" | "raise", "to": to}:
                return [*[f"pad/{digit}" for digit in str(to)], "pad/raise"]
            case {"kind": "act", "action": "all_in"}:
                return ["pad/all_in"]
            case {"kind": "tabled" | "mucked" as kind, "seat": seat}:
                return [f"showdown-list/{kind}-{seat}"]
            case {"kind": "answer", "answer": answer}:
                return [f"alert-panel/{answer}"]
            case {"kind": "respond", "response": response}:
                return [f"alert-panel/{response}"]
            case {"kind": "report", "row": "exposed", "seat": seat}:
                return ["pad/report", f"sheet-report/exposed-{seat}"]
            case {"kind": "report", "row": "boxed" | "early_card" | "chop" as row}:
                return ["pad/report", f"sheet-report/{row}"]
            case _:
                raise PartFailed(f"no key is known for {wanted}")
