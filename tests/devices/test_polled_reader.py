"""A bought reader on a real pseudo-terminal or TCP: what its thread says of cables, silence and strangers."""

from __future__ import annotations

import io
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dealer_assist.config.readers import EccelKeys, FeigKeys
from dealer_assist.devices.faults import LinkLost
from dealer_assist.devices.serial_port import Waker
from dealer_assist.devices.supervisor import DeviceSupervisor
from dealer_assist.devices.tcp_port import TcpPort
from dealer_assist.devices.values import DevicesConfig, SerialDevice
from dealer_assist.table.ports import InventorySeen, LinkChanged, TagArrived, TagLeft
from hw_sim.antennas import Field
from hw_sim.eccel import EccelBoard
from hw_sim.feig import FeigReader
from hw_sim.physics import Movement
from hw_sim.ptys import PtyPort
from hw_sim.readers import SimBoard
from hw_sim.tcp_line import TcpLine

UID = bytes.fromhex("E0040150A1B2C3D4")
OTHER = bytes.fromhex("E0040150A1B2C3D5")
TAGS = {"As": UID, "Kd": OTHER}
ANTENNAS = {"seat1": 1, "board": 2}
ECCEL = SerialDevice(
    id="reader", serial="R1", family="eccel", antennas=(1, 2), eccel=EccelKeys(dwell_ms=2, answer_ms=100)
)
FEIG = SerialDevice(
    id="reader",
    serial="R1",
    family="feig",
    antennas=(1, 2),
    feig=FeigKeys(multiplexer=True, settle_ms=2, answer_ms=100),
)


class Bench:
    """One simulated reader, served from a thread of its own, and the supervisor under test."""

    def __init__(self, folder: Path, heard: Any, clock: Any) -> None:
        self.folder = folder
        self._heard = heard
        self._clock = clock
        self._begin_s = time.monotonic()
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._mute = False
        self._board: SimBoard | None = None
        self._supervisors: list[DeviceSupervisor] = []
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def now(self) -> int:
        return int((time.monotonic() - self._begin_s) * 1000)

    def reader(self, make: Any = EccelBoard, *, tcp: bool = False) -> SimBoard:
        line = TcpLine() if tcp else PtyPort(self.folder / "R1", baud=115_200, speed=1.0)
        self._board = SimBoard("R1", line, Field(ANTENNAS, TAGS), make)
        return self._board

    def lay(self, face: str, zone: str, source: str = "") -> None:
        assert self._board is not None
        with self._lock:
            self._board.field.move(Movement(face, source, zone, self.now(), self.now()))

    def mute(self, on: bool) -> None:
        with self._lock:
            self._mute = on

    def unplug(self) -> None:
        assert self._board is not None
        with self._lock:
            self._board.port.unplug()

    def plug(self) -> None:
        assert self._board is not None
        with self._lock:
            self._board.port.plug()

    def host(self, device: SerialDevice, *, allow: bool = True) -> DeviceSupervisor:
        if not device.address:
            device = msgspec.structs.replace(device, folder=str(self.folder))
        supervisor = DeviceSupervisor(
            DevicesConfig(serial=(device,), allow_simulated=allow), self._heard, self._clock
        )
        self._supervisors.append(supervisor)
        supervisor.start()
        return supervisor

    def close(self) -> None:
        for supervisor in self._supervisors:
            assert supervisor.stop()
        self._over.set()
        self._thread.join()
        if self._board is not None:
            self._board.port.unplug()

    def _run(self) -> None:
        while not self._over.wait(0.001):
            with self._lock:
                if self._board is not None and not self._mute:
                    self._board.pump(self.now(), self.now())


@pytest.fixture
def bench(tmp_path: Path, heard: Any, clock: Any) -> Iterator[Bench]:
    before = set(threading.enumerate())
    descriptors = len(os.listdir("/proc/self/fd"))
    bench = Bench(tmp_path, heard, clock)
    yield bench
    bench.close()
    assert set(threading.enumerate()) == before, "a thread was left"
    assert len(os.listdir("/proc/self/fd")) == descriptors, "a descriptor was left"


def arrived(uid: bytes, antenna: int) -> Any:
    return lambda o: isinstance(o, TagArrived) and (o.uid, o.antenna) == (uid, antenna)


def left(uid: bytes) -> Any:
    return lambda o: isinstance(o, TagLeft) and o.uid == uid


def seen(antenna: int, *uids: bytes) -> Any:
    return lambda o: isinstance(o, InventorySeen) and o.antenna == antenna and set(o.uids) == set(uids)


@pytest.mark.parametrize(("device", "make"), [(ECCEL, EccelBoard), (FEIG, FeigReader)], ids=["eccel", "feig"])
def test_cards_come_and_go_and_the_line_is_said_to_be_plain(bench, heard, device, make) -> None:
    bench.reader(make)
    host = bench.host(device)
    k = heard.until(seen(2), heard.until(seen(1)))
    bench.lay("As", "seat1")
    k = heard.until(arrived(UID, 1), k)
    bench.lay("As", "board", "seat1")
    heard.until(arrived(UID, 2), k)
    heard.until(left(UID), k)
    status = host.status()[0]
    assert (status.state, status.detail) == ("ok", "plain_line")
    assert status.model in ("Pepper C1", "OBID i-scan")
    assert status.firmware
    assert [o.state for o in heard.of(LinkChanged)] == ["connecting", "ok"]


def test_an_inventory_on_request_is_told_whole_again(bench, heard) -> None:
    bench.reader()
    host = bench.host(ECCEL)
    heard.until(seen(1))
    bench.lay("As", "seat1")
    k = heard.until(arrived(UID, 1))
    host.request_inventory()
    heard.until(seen(1, UID), k)


def test_unplugged_and_plugged_again_tells_the_base_anew(bench, heard) -> None:
    bench.reader()
    host = bench.host(ECCEL)
    heard.until(seen(1))
    bench.lay("As", "seat1")
    k = heard.until(arrived(UID, 1))
    bench.unplug()
    k = heard.link("lost", "unplugged", k)
    bench.lay("As", "", "seat1")
    bench.lay("Kd", "seat1")
    time.sleep(0.15)  # the antenna's own scan
    bench.plug()
    k = heard.link("ok", after=k)
    heard.until(seen(1, OTHER), k)
    assert not heard.of(TagLeft), "what went while nobody looked is the inventory's to say"
    assert host.status()[0].losses == 1


def test_a_reader_that_is_seldom_asked_is_not_stale_in_between(bench, heard) -> None:
    bench.reader()
    keys = EccelKeys(dwell_ms=2, answer_ms=100, polling_ms=1000)
    bench.host(msgspec.structs.replace(ECCEL, antennas=(1,), eccel=keys))
    heard.until(seen(1))
    bench.lay("As", "seat1")
    k = heard.until(arrived(UID, 1))
    bench.lay("As", "", "seat1")
    heard.until(left(UID), k)
    assert [o.state for o in heard.of(LinkChanged)] == ["connecting", "ok"]


def test_a_silent_reader_is_stale_within_a_second_then_lost_and_comes_back(
    bench, heard, monkeypatch, logged: io.StringIO
) -> None:
    monkeypatch.setattr("dealer_assist.devices.polled_reader.ANSWER_MS", 1500)
    bench.reader()
    bench.host(ECCEL)
    bench.lay("As", "seat1")
    k = heard.until(seen(2))
    bench.mute(True)
    k = heard.link("stale", "no_heartbeat", k)
    k = heard.link("lost", "silent", k)
    bench.mute(False)
    k = heard.link("ok", after=k)
    heard.until(seen(1, UID), k)
    frames = [line for line in logged.getvalue().splitlines() if "link_last_frames" in line]
    assert len(frames) == 1
    assert "no answer" in frames[0]
    assert UID.hex() not in logged.getvalue().lower()


def test_over_tcp_the_same_and_an_address_that_nobody_answers_is_unreachable(bench, heard) -> None:
    board = bench.reader(tcp=True)
    assert isinstance(board.port, TcpLine)
    bench.host(msgspec.structs.replace(ECCEL, address=board.port.address))
    heard.until(seen(1))
    bench.lay("As", "seat1")
    k = heard.until(arrived(UID, 1))
    bench.unplug()
    k = heard.link("lost", "unplugged", k)
    k = heard.link("lost", "unreachable", k)
    bench.plug()
    k = heard.link("ok", after=k)
    heard.until(seen(1, UID), k)


def test_a_connection_that_is_under_way_ends_when_the_thread_is_to() -> None:
    waker = Waker()
    try:
        waker.wake()
        # An address of a network for documents: nobody is there, and nobody says so.
        with pytest.raises(LinkLost) as lost:
            TcpPort("192.0.2.1:1234", waker)
        assert lost.value.reason == "unreachable"
    finally:
        waker.close()


def test_simulated_readers_are_refused_without_the_flag(bench, heard) -> None:
    bench.reader()
    bench.host(ECCEL, allow=False)
    heard.link("refused", "simulated_not_allowed")


def test_one_on_this_machine_is_refused_without_the_flag(bench, heard) -> None:
    board = bench.reader(tcp=True)
    assert isinstance(board.port, TcpLine)
    bench.host(msgspec.structs.replace(ECCEL, address=board.port.address), allow=False)
    heard.link("refused", "simulated_not_allowed")


def test_one_on_this_machine_is_refused_by_whichever_address(bench, heard, monkeypatch) -> None:
    """This machine's own address in the house's network is no loopback: where the connection comes from says whose it is."""
    monkeypatch.setattr("dealer_assist.devices.port_thread.is_loopback", lambda address: False)
    board = bench.reader(tcp=True)
    assert isinstance(board.port, TcpLine)
    bench.host(msgspec.structs.replace(ECCEL, address=board.port.address), allow=False)
    heard.link("refused", "simulated_not_allowed")
    assert not heard.of(InventorySeen)


def test_a_version_that_says_it_is_simulated_is_refused_wherever_it_hangs(bench, heard, monkeypatch) -> None:
    monkeypatch.setattr("dealer_assist.devices.port_thread._PTY", Path("/nowhere"))
    bench.reader()
    bench.host(ECCEL, allow=False)
    heard.link("refused", "simulated_not_allowed")
    assert not heard.of(InventorySeen)


def test_no_log_and_no_lamp_names_a_card(bench, heard, logged: io.StringIO) -> None:
    bench.reader()
    host = bench.host(ECCEL)
    heard.until(seen(2))
    bench.lay("As", "seat1")
    bench.lay("Kd", "board")
    heard.until(arrived(UID, 1))
    heard.until(arrived(OTHER, 2))
    bench.unplug()
    heard.link("lost", "unplugged")
    said = logged.getvalue().lower() + repr(host.status()).lower()
    assert "link_last_frames" in said
    assert "tags" in said
    for uid in TAGS.values():
        for shown in (
            uid.hex(),
            uid.hex(" "),
            uid[::-1].hex(),
            str(int.from_bytes(uid, "big")),
            repr(uid).lower(),
        ):
            assert shown not in said
