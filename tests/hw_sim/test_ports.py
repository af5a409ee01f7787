"""Simulated devices on pseudo-terminals, met from the host's side: our protocol over pyserial, pace, unplug, noise, restart."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial

from firmware_protocol import messages as fm
from firmware_protocol.events import DeviceRestarted, HostEvent, MessageReceived, Ready, SnapshotComplete
from firmware_protocol.host import HostLink, HostState
from hw_sim import steps as st
from hw_sim.antennas import Field
from hw_sim.cards import deck_of
from hw_sim.device import SimReader, SimShoe, SimShuffler
from hw_sim.physics import Movement, ShoeExit
from hw_sim.ptys import PtyPort
from hw_sim.shoe import ShoeSensor

TAGS = deck_of(1)
ANTENNAS = {"seat1": 1, "seat2": 2, "board": 3}
PATIENCE_S = 10.0
# What pyserial raises when the other end is gone depends on what it was doing.
HANG_UP = (OSError, TypeError)


class Bench:
    """A device, the port it hangs on and a host that has it open. Virtual time is moved by hand."""

    def __init__(self, folder: Path) -> None:
        self.link = folder / "by-id" / "R-1"
        self.port = PtyPort(self.link, baud=115_200, speed=1.0)
        self.field = Field(ANTENNAS, TAGS)
        self.device = SimReader("R-1", self.port, self.field, 3, self.now())
        self.virtual_ms = 0
        self.host = HostLink(self.now(), nonce=77)
        self.serial: serial.Serial | None = None
        self.heard: list[HostEvent] = []

    @staticmethod
    def now() -> int:
        return time.monotonic_ns() // 1_000_000

    def open(self) -> None:
        self.serial = serial.Serial(
            str(self.link.resolve()), 115_200, timeout=0, write_timeout=1, exclusive=True
        )
        self.host.restart(self.now())

    def turn(self) -> None:
        self.device.pump(self.now(), self.virtual_ms)
        if self.serial is not None:
            self.heard += self.host.receive(self.serial.read(4096), self.now())
            self.serial.write(self.host.outgoing(self.now()))
        time.sleep(0.001)

    def until(self, done: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not done():
            assert time.monotonic() < end, f"not within {PATIENCE_S} s; heard {self.heard}"
            self.turn()

    def hear(self, wanted: Callable[[HostEvent], bool]) -> HostEvent:
        self.until(lambda: any(wanted(event) for event in self.heard))
        return next(event for event in self.heard if wanted(event))

    def messages(self, kind: type) -> list[fm.Message]:
        return [
            event.message
            for event in self.heard
            if isinstance(event, MessageReceived) and isinstance(event.message, kind)
        ]

    def lay(self, face: str, place: str) -> None:
        self.field.move(Movement(face, "", place, self.virtual_ms, self.virtual_ms))
        self.virtual_ms += 200

    def close(self) -> None:
        if self.serial is not None:
            self.serial.close()
        self.port.unplug()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()


def connected(bench: Bench) -> None:
    bench.open()
    bench.hear(lambda event: isinstance(event, SnapshotComplete))


def test_the_port_is_found_by_its_serial_number(bench: Bench) -> None:
    assert bench.link.is_symlink()
    assert bench.link.resolve().is_char_device()


def test_the_device_says_what_it_is_and_that_it_is_simulated(bench: Bench) -> None:
    bench.open()
    ready = bench.hear(lambda event: isinstance(event, Ready))
    assert isinstance(ready, Ready)
    identity = ready.identity
    assert (identity.serial, identity.kind, identity.antennas) == ("R-1", fm.DeviceKind.READER, 3)
    assert identity.model.startswith("SIM")


def test_the_first_inventory_lists_every_antenna_and_what_lies_there(bench: Bench) -> None:
    bench.lay("As", "seat1")
    bench.until(lambda: bool(bench.field.inventory(1)))
    connected(bench)
    listed = {message.antenna: message.uids for message in bench.messages(fm.Inventory)}  # type: ignore[union-attr]
    assert listed == {1: (TAGS["As"],), 2: (), 3: ()}


def test_cards_are_told_as_they_come_and_go_with_the_devices_time(bench: Bench) -> None:
    connected(bench)
    bench.lay("Kd", "seat2")
    bench.until(lambda: bool(bench.messages(fm.TagArrived)))
    [arrived] = bench.messages(fm.TagArrived)
    assert isinstance(arrived, fm.TagArrived)
    assert (arrived.antenna, arrived.uid, arrived.scan_period_ms) == (2, TAGS["Kd"], 100)
    assert arrived.t_ms <= bench.virtual_ms
    bench.field.move(Movement("Kd", "seat2", "", bench.virtual_ms, bench.virtual_ms + 300))
    bench.virtual_ms += 300
    bench.until(lambda: bool(bench.messages(fm.TagLeft)))


def test_what_happens_while_nobody_listens_is_not_lost(bench: Bench) -> None:
    connected(bench)
    assert bench.serial is not None
    bench.serial.close()
    bench.serial = None
    bench.lay("2c", "board")
    for _ in range(50):
        bench.turn()
    bench.heard.clear()
    bench.open()
    bench.hear(lambda event: isinstance(event, SnapshotComplete))
    told = [uid for message in bench.messages(fm.Inventory) for uid in message.uids]  # type: ignore[union-attr]
    told += [message.uid for message in bench.messages(fm.TagArrived)]  # type: ignore[union-attr]
    assert TAGS["2c"] in told


def test_noise_on_the_line_invents_nothing_and_loses_nothing(bench: Bench) -> None:
    connected(bench)
    for round_no in range(5):
        bench.port.write(bytes((37 * number + round_no) % 256 for number in range(400)))
        bench.lay(("3c", "4c", "5c", "6c", "7c")[round_no], "board")
    bench.until(lambda: len(bench.messages(fm.TagArrived)) == 5)
    assert [message.uid for message in bench.messages(fm.TagArrived)] == [  # type: ignore[union-attr]
        TAGS[face] for face in ("3c", "4c", "5c", "6c", "7c")
    ]
    counters = bench.host.counters
    assert counters.crc_errors + counters.malformed + counters.garbage_bytes > 0


def test_a_restarted_device_has_a_new_boot_id_and_lists_everything_again(bench: Bench) -> None:
    bench.lay("As", "seat1")
    connected(bench)
    bench.heard.clear()
    bench.device.reboot(bench.now())
    bench.hear(lambda event: isinstance(event, DeviceRestarted))
    bench.hear(lambda event: isinstance(event, SnapshotComplete))
    assert TAGS["As"] in [uid for message in bench.messages(fm.Inventory) for uid in message.uids]  # type: ignore[union-attr]


def test_an_unplugged_port_is_gone_and_comes_back_by_the_same_name(bench: Bench) -> None:
    connected(bench)
    bench.port.unplug()
    assert not bench.link.exists()
    assert not bench.link.is_symlink()
    assert bench.serial is not None
    with pytest.raises(HANG_UP):
        _ = bench.serial.in_waiting
    with pytest.raises(HANG_UP):
        bench.serial.write(b"\0")
    bench.serial.close()
    bench.serial = None
    bench.lay("Qh", "board")
    bench.turn()
    bench.port.plug()
    bench.heard.clear()
    connected(bench)
    listed = [uid for message in bench.messages(fm.Inventory) for uid in message.uids]  # type: ignore[union-attr]
    told = [message.uid for message in bench.messages(fm.TagArrived)]  # type: ignore[union-attr]
    assert TAGS["Qh"] in listed + told
    assert bench.host.state is HostState.READY


def test_a_blocked_read_ends_when_the_cable_is_pulled(tmp_path: Path) -> None:
    port = PtyPort(tmp_path / "R-2", baud=115_200, speed=1.0)
    reader = serial.Serial(str((tmp_path / "R-2").resolve()), 115_200, timeout=None)
    ended = threading.Event()

    def read() -> None:
        try:
            reader.read(1)
        except HANG_UP:
            ended.set()

    thread = threading.Thread(target=read)
    thread.start()
    port.unplug()
    assert ended.wait(PATIENCE_S)
    thread.join()
    reader.close()


@pytest.mark.parametrize(
    ("baud", "speed", "seconds", "bytes_due"),
    [(9600, 1.0, 0.1, 96), (9600, 4.0, 0.1, 384), (115_200, 1.0, 0.02, 230)],
)
def test_the_line_carries_what_its_baud_rate_allows_at_the_speed_of_time(
    tmp_path: Path, baud: int, speed: float, seconds: float, bytes_due: int
) -> None:
    port = PtyPort(tmp_path / "R-3", baud=baud, speed=speed)
    host = serial.Serial(str((tmp_path / "R-3").resolve()), baud, timeout=0)
    try:
        port.pump(10.0)
        port.write(bytes(5000))
        port.pump(10.0)
        assert host.read(8192) == b""
        port.pump(10.0 + seconds)
        time.sleep(0.01)
        assert abs(len(host.read(8192)) - bytes_due) <= 1
        got = 0
        for step in range(1, 2000):
            port.pump(10.0 + seconds + step * 0.01)
            got += len(host.read(8192))
        assert got + bytes_due == pytest.approx(5000, abs=1)
    finally:
        host.close()
        port.unplug()


def test_a_shuffler_tells_states_and_counts_and_lists_nothing(tmp_path: Path) -> None:
    port = PtyPort(tmp_path / "S-1", baud=115_200, speed=1.0)
    shuffler = SimShuffler("S-1", port, 0)
    line = serial.Serial(str((tmp_path / "S-1").resolve()), 115_200, timeout=0)
    host = HostLink(0, nonce=5)
    heard: list[HostEvent] = []
    try:
        for now in range(1200):
            if now == 600:
                shuffler.says(st.ShufflerState("ready"), 52, now, 9000)
                shuffler.says(st.ShufflerVerdict(52), 52, now, 9000)
            shuffler.pump(now, 9000)
            heard += host.receive(line.read(4096), now)
            line.write(host.outgoing(now))
    finally:
        line.close()
        port.unplug()
    told = [event.message for event in heard if isinstance(event, MessageReceived)]
    assert fm.ShufflerVerdict(9000, fm.ShufflerResult.COMPLETE, 52, 52) in told
    assert fm.ShufflerState(9000, fm.ShufflerStatus.READY) in told
    assert not any(isinstance(message, (fm.TagArrived, fm.Inventory)) for message in told)


def test_a_shoe_tells_each_exit_and_its_state_and_lists_nothing(tmp_path: Path) -> None:
    port = PtyPort(tmp_path / "H-1", baud=115_200, speed=1.0)
    shoe = SimShoe("H-1", port, ShoeSensor(sees_faces=True), 0)
    line = serial.Serial(str((tmp_path / "H-1").resolve()), 115_200, timeout=0)
    host = HostLink(0, nonce=5)
    heard: list[HostEvent] = []
    for t_ms, up in ((9000, False), (9600, True)):
        shoe.sensor.move(Movement("As", "", "seat1", t_ms + 250, t_ms + 250, exit=ShoeExit(t_ms, up)))
    try:
        for now in range(1800):
            if now == 900:
                shoe.sensor.says("blocked", 9700)
                shoe.sensor.move(Movement("Kd", "", "", 9800, 9800, exit=ShoeExit(9800)))
            if now == 1200:
                shoe.sensor.well(9900)
            shoe.pump(now, 9000 if now < 600 else 9650 if now < 900 else 9900)
            heard += host.receive(line.read(4096), now)
            line.write(host.outgoing(now))
    finally:
        line.close()
        port.unplug()
    told = [event.message for event in heard if isinstance(event, MessageReceived)]
    exits = [message for message in told if isinstance(message, fm.ShoeExit)]
    assert exits == [fm.ShoeExit(9000, 1, fm.ShoeFace.DOWN), fm.ShoeExit(9600, 2, fm.ShoeFace.UP)]
    states = [(message.state, message.exits) for message in told if isinstance(message, fm.ShoeState)]
    assert (fm.ShoeStatus.COUNTING, 1) in states  # the answer to the inventory request
    # what left it while it did not count is in its number, and a host sees that it has missed one
    assert states[-2:] == [(fm.ShoeStatus.BLOCKED, 2), (fm.ShoeStatus.COUNTING, 3)]
    assert not any(isinstance(message, (fm.TagArrived, fm.Inventory)) for message in told)
