"""Observations as they come from threads, and a PC/SC service of our own."""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dealer_assist import logs
from dealer_assist.devices.clock import TableClock
from dealer_assist.table.ports import LinkChanged, Observation

PATIENCE_S = 20.0


class Heard:
    """A sink that can be waited on."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.all: list[Observation] = []
        self.fail_on: type | None = None

    def __call__(self, observation: Observation) -> None:
        if self.fail_on is not None and isinstance(observation, self.fail_on):
            self.fail_on = None
            raise RuntimeError("the table does not take it")
        with self._changed:
            self.all.append(observation)
            self._changed.notify_all()

    def until(self, wanted: Callable[[Observation], bool], after: int = 0) -> int:
        """Wait for an observation at or behind index ``after``; returns the index behind it."""
        deadline = time.monotonic() + PATIENCE_S
        k = after
        with self._changed:
            while True:
                while k < len(self.all):
                    k += 1
                    if wanted(self.all[k - 1]):
                        return k
                if not self._changed.wait(deadline - time.monotonic()):
                    raise AssertionError(f"not heard; after {after}: {self.all[after:]}")

    def link(self, state: str, detail: str = "", after: int = 0) -> int:
        return self.until(
            lambda o: isinstance(o, LinkChanged) and o.state == state and (not detail or o.detail == detail),
            after,
        )

    def of(self, kind: type) -> list[Observation]:
        with self._changed:
            return [o for o in self.all if isinstance(o, kind)]


@pytest.fixture(autouse=True)
def logged() -> Iterator[io.StringIO]:
    """Every line at every level, and a field that is not allowed raises: in a device's thread, a fault that the test sees."""
    stream = io.StringIO()
    logs.configure("json", "traffic", strict=True, stream=stream)
    yield stream
    logs.configure("console", "warning")


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def clock() -> TableClock:
    return TableClock(time.monotonic)


class PcscRig:
    def __init__(self, folder: Path) -> None:
        self.socket = str(folder / "run" / "pcscd.comm")
        self._process = subprocess.Popen(
            [
                "unshare",
                "-r",
                "-m",
                "-n",
                sys.executable,
                str(Path(__file__).parent / "pcsc_namespace.py"),
                str(folder),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def tell(self, line: str) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().strip()
        assert answer in ("ok", "bye"), f"{line}: {answer!r}"

    def close(self) -> None:
        try:
            self.tell("quit")
            self._process.wait(10)
        finally:
            if self._process.poll() is None:
                self._process.kill()
                self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                assert stream is not None
                stream.close()


@pytest.fixture(scope="session")
def pcsc_folder() -> Iterator[Path]:
    # The path of a Unix socket has room for some hundred characters, and a process reads it once.
    with tempfile.TemporaryDirectory(prefix="pcsc") as folder:
        yield Path(folder)


@pytest.fixture
def pcsc(pcsc_folder: Path) -> Iterator[PcscRig]:
    rig = PcscRig(pcsc_folder)
    try:
        yield rig
    finally:
        rig.close()
