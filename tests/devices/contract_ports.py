"""The contract on real ports: the product's own threads on one end, a simulated reader on the other, in real time."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from dealer_assist.devices.clock import TableClock
from dealer_assist.devices.supervisor import DeviceSupervisor
from dealer_assist.devices.values import DevicesConfig
from dealer_assist.table.ports import LinkChanged, Observation
from hw_sim.ptys import PtyPort
from hw_sim.tcp_line import TcpLine
from tests.devices.contract import MISCHIEFS, Line, Mischief, Subject, Table, judge

BAUD = 115_200
MOVES = 3
BEGIN_MS = 600
#: Scans and clocks are that coarse on a machine that is busy with other things.
SLOP_MS = 600
PATIENCE_S = 20.0


def anything(chunk: bytes, rng: random.Random) -> list[tuple[int, bytes]]:
    """One mischief or another, chunk by chunk."""
    return rng.choice([*MISCHIEFS.values()])(chunk, rng)


class Rig:
    """One family on one port."""

    def __init__(self, subject: Subject, port: str, folder: Path, mischief: Mischief) -> None:
        self.subject = subject
        self._rng = random.Random(f"{subject.name}/{port}")
        self.heard: list[Observation] = []
        self._clock = TableClock(time.monotonic)
        stay_ms = subject.real_stay_ms
        self._table = Table(subject, self._rng, moves=MOVES, stay_ms=stay_ms, begin_ms=BEGIN_MS)
        self._twin = subject.twin(self._table.field)
        self._up, self._down = Line(mischief, self._rng), Line(mischief, self._rng)
        self._line: PtyPort | TcpLine
        if port == "pty":
            self._line = PtyPort(folder / subject.device.serial, baud=BAUD, speed=1.0)
            device = msgspec.structs.replace(subject.device, folder=str(folder))
        else:
            self._line = TcpLine()
            device = msgspec.structs.replace(subject.device, address=self._line.address)
        config = DevicesConfig(serial=(device,), allow_simulated=True)
        self._supervisor = DeviceSupervisor(config, self.heard.append, self._clock)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"twin {subject.name}")

    def start(self) -> None:
        self._thread.start()
        self._supervisor.start()

    def finish(self) -> None:
        """Wait for the end of the play, and stop everything."""
        while self._clock.host_ms() < self._table.end_ms:
            time.sleep(0.02)
        assert self._supervisor.stop()
        self._over.set()
        self._thread.join()
        self._line.unplug()

    def judge(self) -> None:
        lamps = [seen.state for seen in self.heard if isinstance(seen, LinkChanged)]
        assert "ok" in lamps, f"{self.subject.name}: {lamps}"
        try:
            judge(self._table, self.heard, self.subject, stay_ms=self.subject.real_stay_ms, slop_ms=SLOP_MS)
        except AssertionError as error:
            raise AssertionError(f"{self.subject.name}: {error}; heard {self.heard}") from None

    def _run(self) -> None:
        while not self._over.is_set():
            now_ms = self._clock.host_ms()
            self._down.send(self._line.read(), now_ms)
            for part in [*self._down.arrived(now_ms), b""]:
                self._up.send(self._twin.exchange(part, now_ms), now_ms)
            for part in self._up.arrived(now_ms):
                self._line.write(part)
            self._line.pump(time.monotonic())
            time.sleep(0.001)


def play(subjects: list[Subject], port: str, folder: Callable[[str], Path], mischief: Mischief) -> None:
    """All families at once, each on a port of its own: nothing of one may touch another."""
    rigs = [Rig(subject, port, folder(subject.name), mischief) for subject in subjects]
    for rig in rigs:
        rig.start()
    for rig in rigs:
        rig.finish()
    for rig in rigs:
        rig.judge()
