"""Ports are found by serial number and fail in one way, at whatever moment the cable is pulled."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from dealer_assist.devices.faults import LinkLost, mapping
from dealer_assist.devices.serial_port import SerialPort, Waker, find_ports, is_simulated_folder


@pytest.fixture
def waker() -> Iterator[Waker]:
    waker = Waker()
    yield waker
    waker.close()


@pytest.fixture
def pair() -> Iterator[tuple[int, Path]]:
    master, slave = os.openpty()
    path = Path(os.ttyname(slave))
    os.close(slave)
    yield master, path
    os.close(master)


def reason_of(action) -> str:
    with pytest.raises(LinkLost) as lost:
        action()
    return lost.value.reason


def test_bytes_go_both_ways(pair, waker) -> None:
    master, path = pair
    port = SerialPort(path, 115_200, waker)
    every = bytes(range(256))
    os.write(master, every)
    got = b""
    while len(got) < 256:
        got += port.read(1000)
    assert got == every
    port.write(every)
    back = b""
    while len(back) < 256:
        back += os.read(master, 256)
    assert back == every
    assert port.read(0) == b""
    port.close()
    port.close()


def test_a_second_opening_is_refused(pair, waker) -> None:
    _, path = pair
    port = SerialPort(path, 115_200, waker)
    assert reason_of(lambda: SerialPort(path, 115_200, waker)) == "in_use"
    port.close()
    SerialPort(path, 115_200, waker).close()


def test_unplugged_while_idle_reading_and_writing(waker) -> None:
    for use in (lambda p: p.read(1000), lambda p: [p.write(b"x" * 64) for _ in range(3)]):
        master, slave = os.openpty()
        port = SerialPort(Path(os.ttyname(slave)), 115_200, waker)
        os.close(slave)
        os.close(master)
        assert reason_of(lambda use=use, port=port: use(port)) == "unplugged"
        port.close()


def test_unplugged_while_a_read_waits(waker) -> None:
    master, slave = os.openpty()
    port = SerialPort(Path(os.ttyname(slave)), 115_200, waker)
    os.close(slave)
    timer = threading.Timer(0.05, os.close, [master])
    timer.start()
    assert reason_of(lambda: port.read(30_000)) == "unplugged"
    timer.join()
    port.close()


def test_a_closed_port_says_so_in_the_same_way(pair, waker) -> None:
    port = SerialPort(pair[1], 115_200, waker)
    port.close()
    assert reason_of(lambda: port.write(b"x")) == "unplugged"


def test_a_peer_that_does_not_read_is_a_lost_link(pair, waker) -> None:
    port = SerialPort(pair[1], 115_200, waker)
    assert reason_of(lambda: [port.write(b"x" * 4096) for _ in range(100)]) == "write_timeout"
    port.close()


def test_a_waiting_read_is_woken(pair, waker) -> None:
    port = SerialPort(pair[1], 115_200, waker)
    timer = threading.Timer(0.05, waker.wake)
    timer.start()
    assert port.read(30_000) == b""
    timer.join()
    port.close()


def test_what_is_no_port_is_told_apart(tmp_path, waker) -> None:
    plain = tmp_path / "file"
    plain.write_text("x")
    assert reason_of(lambda: SerialPort(plain, 115_200, waker)) == "bad_port"
    assert reason_of(lambda: SerialPort(tmp_path / "none", 115_200, waker)) == "no_port"


def test_every_kind_of_error_is_mapped() -> None:
    import termios

    import serial

    for error in (
        serial.SerialException("x"),
        OSError(5, "x"),
        termios.error(5, "x"),
        TypeError("x"),
        serial.PortNotOpenError(),
    ):
        with pytest.raises(LinkLost) as lost, mapping("unplugged"):
            raise error
        assert lost.value.reason == "unplugged"


def test_ports_are_found_by_serial_number(tmp_path) -> None:
    assert reason_of(lambda: find_ports(tmp_path / "none", "A1")) == "no_port"
    assert reason_of(lambda: find_ports(tmp_path, "A1")) == "no_port"
    (tmp_path / "usb-Maker_Reader_A1-if00").touch()
    (tmp_path / "usb-Maker_Reader_A12-if00-port0").touch()
    assert [port.name for port in find_ports(tmp_path, "A1")] == ["usb-Maker_Reader_A1-if00"]
    assert [port.name for port in find_ports(tmp_path, "A12")] == ["usb-Maker_Reader_A12-if00-port0"]
    assert reason_of(lambda: find_ports(tmp_path, "1")) == "no_port"
    (tmp_path / "usb-Other_Reader_A1-if00").touch()
    assert [port.name for port in find_ports(tmp_path, "A1")] == sorted(
        port.name for port in tmp_path.iterdir() if "_A1-" in port.name
    )
    (tmp_path / "A1").touch()
    assert [port.name for port in find_ports(tmp_path, "A1")] == ["A1"]


def test_a_simulated_folder_says_so(tmp_path) -> None:
    assert not is_simulated_folder(tmp_path)
    (tmp_path / "SIMULATED").touch()
    assert is_simulated_folder(tmp_path)
