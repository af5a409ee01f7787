"""A whole table as processes: the simulated devices, the table service, stations, and a plain client on the service's socket.

Each rig has a folder of its own with a short path, and ends only what it started.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from nacl.public import PrivateKey

from dealer_assist.demo import program, table_toml

PATIENCE_S: Final = 60.0
#: How long a run of hands may take in real time.
RUN_S: Final = 150.0
STOP_S: Final = 15.0
LOOK_S: Final = 0.03
#: Nothing has changed for so long: nothing is under way any more.
QUIET_S: Final = 0.6

ROOT: Final = Path(__file__).parents[2]
SCENARIOS: Final = ROOT / "tests" / "scenarios"
PLURIBUS: Final = ROOT / "tests" / "data" / "pluribus_sample.phhs"


class PartFailed(AssertionError):
    """A part died or did not come to where it should be; says which, why, and the end of every log."""


def waited(holds: Callable[[], Any], timeout_s: float = PATIENCE_S) -> bool:
    """Whether something comes to hold in time."""
    end = time.monotonic() + timeout_s
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(LOOK_S)
    return True


def refused(program: list[str], *arguments: object) -> str:
    """Run a command that must be refused as bad input: what it says on standard error, and nothing on standard output."""
    command = [*program, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert (done.returncode, done.stdout) == (2, ""), done
    return done.stderr


class Part:
    """One process; standard output and error go to files of their own."""

    def __init__(
        self, name: str, command: list[str], folder: Path, env: dict[str, str] | None = None
    ) -> None:
        self.name = name
        self._out = folder / f"{name}.out"
        self._err = folder / f"{name}.err"
        with self._out.open("wb") as out, self._err.open("wb") as err:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=env
            )

    @property
    def out(self) -> str:
        """What it has written on standard output."""
        return self._out.read_text(errors="replace")

    @property
    def err(self) -> str:
        """What it has written on standard error."""
        return self._err.read_text(errors="replace")

    def lines(self) -> list[dict[str, Any]]:
        """Standard output's JSON lines."""
        return [json.loads(line) for line in self.out.splitlines() if line.startswith("{")]

    def alive(self) -> bool:
        """Whether it runs."""
        return self.process.poll() is None

    def kill(self) -> None:
        """As a power cut: no chance to tidy up."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Ask it to end; its exit code."""
        if self.alive():
            self.process.terminate()
            try:
                self.process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                self.kill()
        return self.process.returncode

    def tail(self, lines: int = 25) -> str:
        """The end of what it wrote, for a failure's message."""
        said = [*self.out.splitlines()[-lines:], *self.err.splitlines()[-lines:]]
        state = "running" if self.alive() else f"ended with {self.process.returncode}"
        return "\n".join([f"--- {self.name} ({state})", *said])


class Rig:
    """A table of its own. ``speed``: virtual time per real time; ``gate``: burns by a PC/SC reader; ``badges``: a reader of those."""

    def __init__(self, *, speed: float = 10.0, gate: bool = False, badges: bool = False) -> None:
        self.folder = Path(
            tempfile.mkdtemp(prefix="e2e-")
        )  # short: a Unix socket's path has room for 107 bytes
        self.name = "E2E " + re.sub(
            r"[^a-z0-9]", "x", self.folder.name
        )  # as it is, in the name of the key's folder
        self.socket = self.folder / "t.sock"
        #: where the simulated dealer looks for the table: nothing is dealt before :meth:`deal` puts it there
        self.dealer = self.folder / "d.sock"
        self.config = self.folder / "table.toml"
        self.journal = self.folder / "journal" / "journal.sqlite"
        self.shots = self.folder / "shots"
        self.parts: list[Part] = []
        self._speed = speed
        self._gate = gate
        self._badges = badges
        self.staff_file = self.folder / "staff.toml"
        self._clients: list[Client] = []
        key = bytes(PrivateKey.generate().public_key).hex()
        (self.folder / "surveillance.pub").write_text(key + "\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for client in self._clients:
            client.close()
        for part in reversed(self.parts):
            part.stop()
        shutil.rmtree(self.folder)
        for left in Path("/dev/shm").glob(f"dealer-assist-*{self.name.removeprefix('E2E ')}-*"):
            shutil.rmtree(left)  # where the hand's key was, empty once the hand is closed

    # -- parts -----------------------------------------------------------------------------------------------------------------------

    def _start(self, name: str, command: list[str], env: dict[str, str] | None = None) -> Part:
        number = sum(part.name.split("-")[0] == name for part in self.parts)
        part = Part(f"{name}-{number}", command, self.folder, env)
        self.parts.append(part)
        return part

    def deal(self) -> None:
        """Let the simulated dealer find the table."""
        self.dealer.symlink_to(self.socket)

    def simulator(self, *files: Path, arguments: Iterable[str] = (), hold: bool = False) -> Part:
        """Start ``hw-sim run``; returns when its ports are there. ``hold``: nothing is dealt before :meth:`deal`."""
        command = [*program("hw-sim"), "run", *map(str, files), "--folder", str(self.folder), "--json"]
        command += ["--socket", str(self.dealer), "--speed", str(self._speed), *arguments]
        if self._gate:
            command += ["--burn-gate", "pcsc"]
        if self._badges:
            command += ["--badges"]
        if not hold:
            self.deal()
        part = self._start("sim", command)
        self.until(lambda: part.out.startswith("ready"), "the simulator's ports", part)
        return part

    def devices(self) -> dict[str, Any]:
        """What the simulator says that it opened."""
        found: dict[str, Any] = json.loads((self.folder / "devices.json").read_text())
        return found

    def write_config(self, change: Callable[[str], str] = str) -> None:
        """Write the configuration of the table, by the product's own hand, and ``change`` it."""
        text = table_toml(self.name, self.folder, self.socket, self.devices(), language="en")
        if self._badges:
            (self.folder / "badge.key").write_text(secrets.token_bytes(32).hex() + "\n")
            text += f'\n[staff]\nfile = "{self.staff_file}"\n'
        self.config.write_text(change(text))

    def staff(self, *words: str, pin: str = "") -> str:
        """Run ``dealer-assist staff`` on the table's staff file; what it says."""
        command = [*program("dealer-assist"), "staff", *words, "--config", str(self.config)]
        done = subprocess.run(
            command, input=pin + "\n", capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
        if done.returncode != 0:
            self.fail(f"staff {words}: {done.stdout}{done.stderr}")
        return done.stdout

    def service(self, *, flags: tuple[str, ...] = ("--simulate",)) -> Part:
        """Start the table service; returns when it listens."""
        part = self._start("table", [*program("dealer-assist"), "table", str(self.config), *flags])
        self.until(lambda: "ready on" in part.out, "the table service's socket", part)
        return part

    def station(self) -> Part:
        """Start a dealer's station on no display; returns when its window is up."""
        command = [*program("dealer-assist"), "station", "--socket", str(self.socket), "--language", "en"]
        command += ["--simulate", "--shots", str(self.shots), "--size", "1280x800"]
        part = self._start("station", command, {**os.environ, "QT_QPA_PLATFORM": "offscreen"})
        self.until(lambda: "ready" in part.out, "the station's window", part)
        return part

    def table(self, *files: Path, hold: bool = False) -> tuple[Part, Part]:
        """The simulator and the table service, wired up."""
        simulator = self.simulator(*files, hold=hold)
        self.write_config()
        return simulator, self.service()

    def client(self) -> Client:
        """A client on the service's socket that has its snapshot."""
        client = Client(self.socket)
        self._clients.append(client)
        self.until(lambda: client.pump().seq >= 0, "a snapshot")
        return client

    # -- waiting ---------------------------------------------------------------------------------------------------------------------

    def until(self, holds: Callable[[], Any], what: str, part: Part | None = None) -> None:
        """Wait for something; fail at once when ``part`` dies instead."""
        end = time.monotonic() + PATIENCE_S
        while not holds():
            if part is not None and not part.alive() and not holds():
                self.fail(f"{part.name} ended while waiting for {what}")
            if time.monotonic() > end:
                self.fail(f"did not come: {what}")
            time.sleep(LOOK_S)

    def played(self, simulator: Part) -> None:
        """Wait for the simulator's end: every hand went as its source says."""
        try:
            code = simulator.process.wait(RUN_S)
        except subprocess.TimeoutExpired:
            self.fail("the hands did not come to their end")
        if code != 0:
            self.fail(f"not as scripted: exit code {code}")

    def fail(self, what: str) -> None:
        """Raise, with the end of every log."""
        raise PartFailed("\n".join([what, *(part.tail() for part in self.parts)]))

    # -- devices and journal ---------------------------------------------------------------------------------------------------------

    def control(self, do: str, **fields: Any) -> dict[str, Any]:
        """One request on the simulator's control channel; its answer."""
        with socket.socket(socket.AF_UNIX) as channel:
            channel.settimeout(PATIENCE_S)
            channel.connect(str(self.folder / "control"))
            channel.sendall(json.dumps({"do": do, **fields}).encode() + b"\n")
            with channel.makefile() as lines:
                answer: dict[str, Any] = json.loads(lines.readline())
        assert answer["ok"], answer
        return answer

    def verified(self) -> str:
        """What ``dealer-assist verify`` says of the journal; fails unless it is sound."""
        key = self.journal.with_name("signing.pub")
        command = [*program("dealer-assist"), "verify", str(self.journal), "--key", str(key)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        if done.returncode != 0:
            self.fail(f"journal: {done.stdout}{done.stderr}")
        return done.stdout


class Client:
    """Reads what the service says to a station: every line is kept, the sections are folded. Taps nothing but what a test asks for."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(path))
        self._socket.setblocking(False)
        self._buffer = b""
        self.seq = -1
        self.hello: dict[str, Any] = {}
        self.messages: list[dict[str, Any]] = []
        self.sections: dict[tuple[str, str], dict[str, Any]] = {}

    def close(self) -> None:
        """Leave."""
        self._socket.close()

    def pump(self) -> Client:
        """Take what has come."""
        while True:
            try:
                data = self._socket.recv(1 << 16)
            except (BlockingIOError, ConnectionError, OSError):
                break
            if not data:
                break
            self._buffer += data
        *lines, self._buffer = self._buffer.split(b"\n")
        for line in lines:
            self._take(json.loads(line))
        return self

    def ask(self, command: dict[str, Any]) -> dict[str, Any]:
        """Send a command as the floor; its result."""
        name = f"rig{len(self.messages)}"
        request = {"type": "request", "id": name, "actor": "floor", "after": self.seq, "command": command}
        self._socket.sendall(json.dumps(request).encode() + b"\n")
        answers: list[dict[str, Any]] = []

        def answered() -> bool:
            answers[:] = [
                message
                for message in self.pump().messages
                if message["type"] == "result" and message["id"] == name
            ]
            return bool(answers)

        assert waited(answered), f"no answer to {command}"
        return answers[0]

    def _take(self, message: dict[str, Any]) -> None:
        self.messages.append(message)
        if message["type"] == "hello":
            self.hello = message
        if message["type"] not in ("snapshot", "update"):
            return
        if message["type"] == "snapshot":
            self.sections.clear()
        else:
            assert message["seq"] == self.seq + 1, f"a gap: {self.seq}, then {message['seq']}"
        self.seq = message["seq"]
        for kind, key in message.get("gone", ()):
            self.sections.pop((kind, key), None)
        for fact in message["facts"]:
            self.sections[fact["kind"], _key(fact)] = fact

    def fact(self, kind: str, key: str = "") -> dict[str, Any]:
        """A section, {} while there is none."""
        return self.pump().sections.get((kind, key), {})

    def lamps(self) -> dict[str, str]:
        """The state of every device."""
        sections = self.pump().sections
        return {key: fact["state"] for (kind, key), fact in sections.items() if kind == "device"}

    def lamps_seen(self, device: str) -> list[str]:
        """Every state that a device's lamp showed, in order."""
        return [
            fact["state"]
            for message in self.pump().messages
            for fact in message.get("facts", ())
            if fact["kind"] == "device" and fact["id"] == device
        ]

    def screen(self) -> dict[tuple[str, str], dict[str, Any]]:
        """All sections once nothing has changed for a while."""
        end = time.monotonic() + PATIENCE_S
        seq, since = self.seq, time.monotonic()
        while time.monotonic() - since < QUIET_S:
            assert time.monotonic() < end, "the screen never comes to rest"
            time.sleep(LOOK_S)
            if self.pump().seq != seq:
                seq, since = self.seq, time.monotonic()
        return dict(self.sections)


def _key(fact: dict[str, Any]) -> str:
    match fact["kind"]:
        case "seat":
            return str(fact["seat"])
        case "alert":
            return str(fact["alert"]["id"])
        case _:
            return str(fact.get("id", ""))


def chosen_hands(folder: Path, names: Iterable[int]) -> Path:
    """A file with some hands of the sample, unchanged, in the order given."""
    parts = re.split(r"(?m)^(?=\[\d+\]$)", PLURIBUS.read_text())
    hands = {int(part[1 : part.index("]")]): part for part in parts[1:]}
    path = folder / "hands.phhs"
    path.write_text("".join(hands[name].rstrip() + "\n\n" for name in names))
    return path
