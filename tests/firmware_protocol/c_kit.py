"""The C reference as a device: compiled with the sanitizers that stop it at the first wrong step, driven over pipes in virtual time."""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import ClassVar

from firmware_protocol.device import DeviceState
from firmware_protocol.errors import WrongDirection
from firmware_protocol.events import HostConnected, MessageReceived
from firmware_protocol.messages import NAMES, Identify, InventoryRequest, Message, encode

SOURCES = Path(__file__).parents[2] / "firmware_protocol" / "c"
DRIVER = Path(__file__).with_name("c_device.c")
WARNINGS = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror")
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
STATES = tuple(DeviceState)
#: of compiled programs; they go with this process
_FOLDERS: list[TemporaryDirectory[str]] = []
COUNTERS = (
    "frames",
    "garbage_bytes",
    "crc_errors",
    "oversize",
    "malformed",
    "unknown",
    "forbidden",
    "stale",
    "duplicates",
    "gaps",
    "naks",
    "retransmits",
    "overflows",
    "sessions",
)
#: Times in C begin so shortly before they wrap that they do in every test of more than 3 s.
WRAPS_MS = 2**32 - 3000


@cache
def compiled(*options: str) -> Path:
    """The driver, made once a process."""
    return _made(DRIVER, *options)


@cache
def compiled_example() -> Path:
    """The example firmware, made once a process."""
    return _made(SOURCES / "example" / "posix_reader.c")


def _made(main: Path, *options: str) -> Path:
    folder = TemporaryDirectory(prefix="c-device-")
    _FOLDERS.append(folder)
    program = Path(folder.name) / main.stem
    sources = [str(main), *map(str, sorted(SOURCES.glob("*.c")))]
    command = [
        "gcc",
        *WARNINGS,
        *SANITIZERS,
        "-g",
        "-O1",
        *options,
        f"-I{SOURCES}",
        *sources,
        "-o",
        str(program),
    ]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    return program


class Driver:
    """A process that answers operations. What the sanitizers find ends it, and the test with their report."""

    def __init__(self, *options: str) -> None:
        self._process = subprocess.Popen(
            [compiled(*options)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def ask(self, operation: bytes, size: int) -> bytes:
        """Send an operation and read an answer of ``size`` bytes."""
        process = self._process
        assert process.stdin is not None
        process.stdin.write(operation)
        process.stdin.flush()
        return self.read(size)

    def read(self, size: int) -> bytes:
        process = self._process
        assert process.stdout is not None and process.stderr is not None
        answer = process.stdout.read(size)
        assert len(answer) == size, process.stderr.read().decode()
        return answer

    def ask_bytes(self, operation: bytes, size_bytes: int = 2) -> bytes:
        """Send an operation whose answer begins with its size."""
        return self.read(int.from_bytes(self.ask(operation, size_bytes), "big"))

    def close(self) -> None:
        self._process.communicate(timeout=20)
        assert self._process.returncode == 0


class CDeviceLink:
    """The same face as :class:`firmware_protocol.device.DeviceLink`. ``capacity``: messages of a tag that may wait."""

    #: those that are open; the fixture that made them closes them
    open: ClassVar[list[CDeviceLink]] = []

    def __init__(
        self,
        now_ms: int,
        *,
        identity: Identify,
        capacity: int | None = None,
        keys: Mapping[int, bytes] | None = None,
        random: Callable[[int], bytes] | None = None,
    ) -> None:
        options = () if capacity is None else (f"-DTP_WAITING_BYTES={capacity * 24}u",)
        self.driver = Driver(*options)
        self.identity = identity
        self._now_ms = now_ms
        self._sessions = 0
        data = encode(identity)
        assert self.driver.ask(b"b" + bytes((len(data),)) + data + self._time(now_ms), 1) == b"\1"
        if keys:
            newest = max(keys)  # a device asks for no other
            assert random is not None
            operation = b"k" + bytes((newest,)) + keys[newest] + random(4)
            assert self.driver.ask(operation, 1) == b"\1"
        CDeviceLink.open.append(self)

    def _time(self, now_ms: int) -> bytes:
        self._now_ms = now_ms
        return ((now_ms + WRAPS_MS) % 2**32).to_bytes(4, "big")

    def receive(self, data: bytes, now_ms: int) -> list[object]:
        events: list[object] = []
        for at in range(0, max(len(data), 1), 60_000):
            part = data[at : at + 60_000]
            operation = b"r" + self._time(now_ms) + len(part).to_bytes(2, "big") + part
            (count,) = self.driver.ask(operation, 1)
            answer = self.driver.read(3 * count)
            sessions = self._numbers()["sessions"]
            if sessions != self._sessions:
                self._sessions = sessions
                events.append(HostConnected(self._numbers()["nonce"]))
            events += [
                MessageReceived(InventoryRequest(*parts)) for parts in struct.iter_unpack(">HB", answer)
            ]
        return events

    def outgoing(self, now_ms: int) -> bytes:
        data = b""
        # Little room, so that what does not fit has to wait for the next call.
        while part := self.driver.ask_bytes(b"o" + self._time(now_ms) + (600).to_bytes(2, "big")):
            data += part
        return data

    def send(self, message: Message, now_ms: int) -> None:
        payload = encode(message)
        taken = self.driver.ask(b"s" + self._time(now_ms) + bytes((len(payload),)) + payload, 1)
        if taken != b"\1":
            raise WrongDirection(NAMES[type(message)], self.identity.kind.value)

    def next_deadline_ms(self) -> int:
        idle = int.from_bytes(self.driver.ask(b"i" + self._time(self._now_ms), 4), "big")
        return self._now_ms + idle

    def _numbers(self) -> dict[str, int]:
        state, *numbers = struct.unpack(">B20I", self.driver.ask(b"q", 1 + 20 * 4))
        names = (*COUNTERS, "flight", "waiting", "nonce", "forged", "unsecured", "secured")
        return {"state": state, **dict(zip(names, numbers, strict=True))}

    @property
    def state(self) -> DeviceState:
        return STATES[self._numbers()["state"]]

    @property
    def counters(self) -> SimpleNamespace:
        return SimpleNamespace(**self._numbers())

    @property
    def secured(self) -> bool:
        return bool(self._numbers()["secured"])

    @property
    def unacknowledged(self) -> int:
        """Messages in flight and bytes that wait: 0 when there are none."""
        numbers = self._numbers()
        return numbers["flight"] + numbers["waiting"]


def close_all() -> None:
    """End the processes; each must end well."""
    while CDeviceLink.open:
        CDeviceLink.open.pop().driver.close()
