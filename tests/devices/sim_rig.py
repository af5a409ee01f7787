"""Simulated devices on real pseudo-terminals, in a folder of links as udev makes it, and the supervisor under test on the other end."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dealer_assist.devices.clock import TableClock
from dealer_assist.devices.supervisor import DeviceSupervisor
from dealer_assist.devices.values import DevicesConfig, SerialDevice
from hw_sim.antennas import Field
from hw_sim.device import KEY_NUMBER, SimReader
from hw_sim.physics import Movement
from hw_sim.ptys import PtyPort

ANTENNAS = {"seat1": 1, "seat2": 2}
BAUD = 921_600
FACES = ("As", "Kd", "7c", "2h", "Ts", "9d", "Jc", "4h")


def tags(of: int = 0) -> dict[str, bytes]:
    """The tags of the cards of one device; no two devices have one in common."""
    return {face: bytes((0xE0, 0x04, of, number, 1, 2, 3, 4)) for number, face in enumerate(FACES)}


class SimDevices:
    """Readers, each on a port of its own, served from one thread. Virtual time is real time."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._devices: list[SimReader] = []
        self._deaf: set[str] = set()
        self._over = threading.Event()
        self._begin_s = time.monotonic()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def now(self) -> int:
        return int((time.monotonic() - self._begin_s) * 1000)

    def reader(self, serial: str, link: Path, *, key: bytes | None = None, of: int = 0) -> SimReader:
        with self._lock:
            port = PtyPort(link, baud=BAUD, speed=1.0)
            device = SimReader(serial, port, Field(ANTENNAS, tags(of)), 2, self.now(), key)
            self._devices.append(device)
            return device

    def plug(self, device: SimReader, link: Path | None = None) -> None:
        """Put the cable in, into another socket with ``link``."""
        with self._lock:
            if link is not None:
                device.port = PtyPort(link, baud=BAUD, speed=1.0)
            else:
                device.port.plug()

    def unplug(self, device: SimReader) -> None:
        with self._lock:
            device.port.unplug()

    def deaf(self, device: SimReader, *, on: bool) -> None:
        """The device does not run: it neither hears nor speaks."""
        with self._lock:
            (self._deaf.add if on else self._deaf.discard)(device.serial)

    def lay(self, device: SimReader, face: str, zone: str = "seat1") -> None:
        with self._lock:
            now_ms = self.now()
            device.field.move(Movement(face, "", zone, now_ms, now_ms))

    def close(self) -> None:
        self._over.set()
        self._thread.join()
        for device in self._devices:
            device.port.unplug()

    def _run(self) -> None:
        while not self._over.is_set():
            with self._lock:
                for device in self._devices:
                    if device.serial not in self._deaf:
                        device.pump(self.now(), self.now())
            time.sleep(0.001)


def wanted(serial: str, folder: Path, *, key: bytes | None = None) -> SerialDevice:
    keys = {} if key is None else {KEY_NUMBER: key}
    return SerialDevice(id=serial.lower(), serial=serial, folder=str(folder), keys=keys)


def supervised(sink: Callable[[Any], None], clock: TableClock, *devices: SerialDevice) -> DeviceSupervisor:
    supervisor = DeviceSupervisor(DevicesConfig(serial=devices, allow_simulated=True), sink, clock)
    supervisor.start()
    return supervisor


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))
