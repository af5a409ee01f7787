"""What systemd is told: ready when the table can be used, alive only as long as every part turns, stopping when asked."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dealer_assist.proof_of_life import ProofOfLife, ServiceManager
from tests.e2e.rig import PATIENCE_S, Rig
from tests.table.driver import Driver


@pytest.fixture
def listening(tmp_path: Path) -> Iterator[tuple[str, socket.socket]]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        name = f"@dealer-assist-{os.getpid()}-{time.monotonic_ns()}"
        manager.bind("\0" + name[1:])
        manager.settimeout(PATIENCE_S)
        yield name, manager


def test_a_part_that_stands_still_is_stuck_after_its_patience() -> None:
    proof = ProofOfLife(2.0)
    assert proof.stuck({"session": 1, "lamps": 1}, 0.0) == []
    assert proof.stuck({"session": 2, "lamps": 1}, 1.9) == []
    assert proof.stuck({"session": 3, "lamps": 1}, 2.1) == ["lamps"]
    assert proof.stuck({"session": 3, "lamps": 2}, 4.0) == []
    assert proof.stuck({"session": 3, "lamps": 3}, 4.2) == ["session"]


def test_without_a_manager_nothing_is_told_and_nothing_fails() -> None:
    manager = ServiceManager({}, 1)
    manager.ready("x")
    manager.lives(0.0)
    manager.stopping()
    assert manager.watchdog_s is None
    ServiceManager({"NOTIFY_SOCKET": "/nowhere/at/all"}, 1).ready("x")


def test_another_processs_watchdog_is_not_ours() -> None:
    environment = {"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "77"}
    assert ServiceManager(environment, 78).watchdog_s is None
    assert ServiceManager(environment, 77).watchdog_s == 10.0
    assert ServiceManager({"WATCHDOG_USEC": "0"}, 77).watchdog_s is None


def test_word_is_sent_several_times_within_the_watchdogs_time(
    listening: tuple[str, socket.socket],
) -> None:
    name, channel = listening
    manager = ServiceManager({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "10000000"}, 1)
    for tenths in range(100):
        manager.lives(tenths / 10)
    channel.settimeout(0)
    told = []
    while len(told) < 100:
        try:
            told.append(channel.recv(100))
        except BlockingIOError:
            break
    assert told == [b"WATCHDOG=1"] * 10
    # silence of a part and the pause between two words together stay within the watchdog's time
    assert manager.patience_s + 1.0 < 10.0


@pytest.mark.process
@pytest.mark.timeout(120)
def test_a_real_service_says_ready_lives_while_it_turns_and_falls_silent_when_it_is_stopped_in_its_tracks(
    listening: tuple[str, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    name, channel = listening
    monkeypatch.setenv("NOTIFY_SOCKET", name)
    monkeypatch.setenv("WATCHDOG_USEC", "1000000")
    with Rig() as rig:
        _, service = rig.table()
        assert channel.recv(200).startswith(b"READY=1\nSTATUS=ready on ")
        assert [channel.recv(100) for _ in range(5)] == [b"WATCHDOG=1"] * 5
        service.process.send_signal(signal.SIGTERM)
        while (word := channel.recv(100)) == b"WATCHDOG=1":
            pass
        assert word == b"STOPPING=1"
        assert service.process.wait(PATIENCE_S) == 0


def test_a_session_that_hangs_is_noticed_by_its_turns() -> None:
    """The same counters that the service shows: a session whose thread waits for ever makes no turn."""
    from dealer_assist.table.session import Session

    core = Driver().core
    gate = threading.Event()

    def hang() -> None:
        gate.wait()

    core.next_deadline_ms = hang  # type: ignore[method-assign]
    session = Session(core, None, None, now_ms=lambda: 0)  # type: ignore[arg-type]
    session.start()
    proof = ProofOfLife(1.0)
    assert proof.stuck({"session": session.turns}, 0.0) == []
    assert session.alive()
    assert proof.stuck({"session": session.turns}, 1.5) == ["session"]
    session._queue.put(_stop())
    gate.set()
    session._thread.join(PATIENCE_S)
    assert not session.alive()


def _stop() -> object:
    from dealer_assist.table import session

    return session._Stop()
