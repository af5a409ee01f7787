"""The process that knows hidden cards leaves no core and cannot be looked into; a process that is not hardened does and can."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from nacl.public import PrivateKey

from dealer_assist import service
from dealer_assist.config.table import load_table_config
from dealer_assist.demo import table_toml
from hw_sim.cards import deck_map
from tests.secrecy.child import GROWTH, UID
from tests.secrecy.search import Tags

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]


class Child:
    """A child process in a folder of its own."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        folder.mkdir(mode=0o777)
        folder.chmod(0o777)  # a child that gives up its rights must be able to leave a core here
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.secrecy.child", *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def status(self) -> dict[str, Any]:
        """What it says of itself."""
        assert self.process.stdout is not None and self.process.stderr is not None
        for line in self.process.stdout:
            if line.startswith("{"):
                return dict(json.loads(line))
        raise AssertionError(self.process.stderr.read())

    def abort(self) -> list[Path]:
        """Let it abort; the cores that it left."""
        self.process.send_signal(signal.SIGABRT)
        self.process.communicate(timeout=30)
        assert self.process.returncode == -signal.SIGABRT
        return list(self.folder.glob("core*"))

    def close(self) -> None:
        """End it if it runs."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


@pytest.fixture
def child(tmp_path: Path) -> Iterator[Callable[..., Child]]:
    """Start children; they are ended."""
    children: list[Child] = []

    def start(*arguments: str) -> Child:
        children.append(Child(tmp_path / f"child{len(children)}", *arguments))
        return children[-1]

    yield start
    for made in children:
        made.close()


def leaves_files() -> bool:
    """Whether this system writes a core into the folder of the process, and lets it."""
    pattern = Path("/proc/sys/kernel/core_pattern").read_text().strip()
    return "/" not in pattern and "|" not in pattern and resource.getrlimit(resource.RLIMIT_CORE)[1] != 0


def test_a_process_that_is_not_hardened_can_be_dumped(child) -> None:
    plain = child("plain")
    status = plain.status()
    assert status["dumpable"] == 1
    assert bool(plain.abort()) == leaves_files()


def test_a_hardened_process_leaves_no_core(child) -> None:
    hardened = child("hardened")
    status = hardened.status()
    assert status["dumpable"] == 0
    assert status["core_limit"] == [0, 0]
    assert set(status["missing"]) <= {"mlockall"}
    assert hardened.abort() == []


def test_what_is_mapped_later_is_locked_too(child) -> None:
    status = child("hardened").status()
    locked = status["locked_kb"] * 1024 >= GROWTH
    assert locked != ("mlockall" in status["missing"]), "locked, or said to be missing"


def test_a_limit_on_locked_memory_is_told_and_ends_nothing(child) -> None:
    limited = child("limited")
    status = limited.status()
    assert status["missing"] == ["mlockall"]
    assert status["locked_kb"] == 0
    assert status["dumpable"] == 0
    # The kernel gives the files of a process that may not be looked into to root.
    assert Path(f"/proc/{limited.process.pid}/mem").stat().st_uid == 0


def test_the_table_service_is_hardened(child, tmp_path: Path) -> None:
    config, socket = _table(tmp_path)
    running = child("service", str(config), str(socket))
    try:
        status = running.status()
        assert status["dumpable"] == 0
        assert status["core_limit"] == [0, 0]
        limits = Path(f"/proc/{running.process.pid}/limits").read_text()
        core = next(line for line in limits.splitlines() if line.startswith("Max core file size"))
        assert core.split()[4:6] == ["0", "0"]
        assert running.abort() == []
    finally:
        shutil.rmtree(service._key_folder(load_table_config(config, simulate=True)), ignore_errors=True)


def test_a_fault_that_quotes_a_tag_is_printed_by_a_process_that_is_not_guarded(child) -> None:
    _, said = child("unguarded").process.communicate(timeout=30)
    assert repr(UID) in said


def test_a_table_service_that_dies_tells_where_and_not_of_what(child, tmp_path: Path) -> None:
    config, _ = _table(tmp_path)
    broken = child("broken_service", str(config))
    try:
        out, said = broken.process.communicate(timeout=30)
        assert broken.process.returncode == 1
        assert "unhandled error=KeyError where=secrecy/child.py:" in said
        assert "session_died error=KeyError" in said
        assert Tags([UID, UID[:4] + b"else"]).found((out + said).encode()) == []
    finally:
        shutil.rmtree(service._key_folder(load_table_config(config, simulate=True)), ignore_errors=True)


def _table(folder: Path) -> tuple[Path, Path]:
    """A table whose devices are not there: it runs all the same, with its deck loaded."""
    socket = folder / "t.sock"
    (folder / "by-id").mkdir()
    (folder / "surveillance.pub").write_text(bytes(PrivateKey.generate().public_key).hex())
    deck = {"deck": "A", "back": "red", "simulated": True, "cards": deck_map(1, {})}
    (folder / "deck.json").write_text(json.dumps(deck))
    antennas = {"1": "seat1", "2": "seat2", "12": "board"}
    reader = {"serial": "reader-1", "role": "reader", "transport": "serial", "antennas": antennas}
    config = folder / "table.toml"
    config.write_text(
        table_toml(f"Secrecy {os.getpid()}", folder, socket, {"speed": 1, "devices": [reader]}, language="en")
    )
    return config, socket
