"""A serial device on a real pseudo-terminal: what it says arrives, whatever happens to the cable, the device or the line."""

from __future__ import annotations

import contextlib
import os
import random
import select
import threading
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dealer_assist.devices.supervisor import DeviceSupervisor
from dealer_assist.devices.values import DevicesConfig, SerialDevice
from dealer_assist.table.ports import (
    DeviceRestarted,
    ForbiddenData,
    InventorySeen,
    LinkChanged,
    ScanFailed,
    ShoeChanged,
    ShoeExit,
    ShufflerChanged,
    TagArrived,
    TagLeft,
)
from firmware_protocol import messages as wire
from firmware_protocol.device import DeviceLink, inventory_messages
from firmware_protocol.frames import data_frame, plain_frame

A = bytes.fromhex("E0040150A1B2C3D4")
B = bytes.fromhex("E0040150A1B2C3D5")
PERIOD = 50


def identity(**changes: Any) -> wire.Identify:
    fields: dict[str, Any] = {
        "major": wire.MAJOR,
        "minor": wire.MINOR,
        "boot_id": 1,
        "kind": wire.DeviceKind.READER,
        "model": "SIM-R3",
        "serial": "R1",
        "firmware": "1.0.0",
        "antennas": 3,
        "scan_period_ms": PERIOD,
    }
    return wire.Identify(**(fields | changes))


class FakeDevice:
    """The device's role of the protocol on the master side of a pty; a link in the folder names the slave side."""

    def __init__(self, link: Path, who: wire.Identify, keys: dict[int, bytes]) -> None:
        self._path = link
        self._who = who
        self._keys = keys
        self._lock = threading.RLock()
        self._boot_s = time.monotonic()
        self.link = DeviceLink(0, identity=who, keys=keys, random=os.urandom)
        self.tags: dict[int, list[bytes]] = {k + 1: [] for k in range(who.antennas)}
        self.mute = False
        self.corrupt: Callable[[bytes], bytes] = lambda data: data
        self._ends: tuple[int, int] | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.plug()
        self._thread.start()

    def now(self) -> int:
        return int((time.monotonic() - self._boot_s) * 1000)

    def plug(self) -> None:
        with self._lock:
            master, slave = os.openpty()
            tty.setraw(slave)
            os.set_blocking(master, False)
            self._ends = (master, slave)
            self._path.unlink(missing_ok=True)
            self._path.symlink_to(os.ttyname(slave))

    def unplug(self) -> None:
        with self._lock:
            if self._ends is not None:
                for end in self._ends:
                    os.close(end)
                self._ends = None
            self._path.unlink(missing_ok=True)

    def reboot(self) -> None:
        with self._lock:
            self._boot_s = time.monotonic()
            self._who = wire.Identify(
                **{name: getattr(self._who, name) for name in self._who.__struct_fields__}
                | {"boot_id": self._who.boot_id + 1}
            )
            self.link = DeviceLink(0, identity=self._who, keys=self._keys, random=os.urandom)

    def say(self, message: wire.Message) -> None:
        with self._lock:
            self.link.send(message, self.now())
            self._flush()

    def place(self, uid: bytes, antenna: int = 1) -> None:
        self.tags[antenna].append(uid)
        t_ms = self.now()
        self.say(wire.TagArrived(antenna, t_ms, t_ms // PERIOD, PERIOD, uid))

    def take(self, uid: bytes, antenna: int = 1) -> None:
        self.tags[antenna].remove(uid)
        t_ms = self.now()
        self.say(wire.TagLeft(antenna, t_ms, t_ms // PERIOD, PERIOD, uid))

    def raw(self, data: bytes) -> None:
        with self._lock:
            self._write(data)

    def close(self) -> None:
        self._over.set()
        self._thread.join()
        self.unplug()

    def _write(self, data: bytes) -> None:
        if self._ends is None or self.mute:
            return
        with contextlib.suppress(BlockingIOError):
            os.write(self._ends[0], data)

    def _flush(self) -> None:
        if self._ends is not None and (data := self.link.outgoing(self.now())):
            self._write(self.corrupt(data))

    def _run(self) -> None:
        while not self._over.is_set():
            with self._lock:
                ends = self._ends
            if ends is None:
                self._over.wait(0.01)
                continue
            select.select([ends[0]], [], [], 0.01)
            with self._lock:
                if self._ends is not ends:
                    continue
                try:
                    data = os.read(ends[0], 4096)
                except BlockingIOError:
                    data = b""
                for event in self.link.receive(data, self.now()):
                    message = getattr(event, "message", None)
                    if isinstance(message, wire.InventoryRequest):
                        self._answer(message)
                self._flush()

    def _answer(self, request: wire.InventoryRequest) -> None:
        t_ms = self.now()
        for antenna, uids in self.tags.items():
            if request.antenna in (antenna, wire.ALL_ANTENNAS):
                for part in inventory_messages(
                    request.request_id,
                    antenna,
                    t_ms=t_ms,
                    scan=t_ms // PERIOD,
                    scan_period_ms=PERIOD,
                    uids=uids,
                ):
                    self.link.send(part, t_ms)
        self.link.send(wire.InventoryDone(request.request_id), t_ms)


class Bench:
    """A folder of ports, devices on them, and the supervisor under test."""

    def __init__(self, folder: Path, heard: Any, clock: Any) -> None:
        self.folder = folder
        self._heard = heard
        self._clock = clock
        self._open: list[Any] = []

    def device(self, name: str = "R1", *, keys: dict[int, bytes] | None = None, **changes: Any) -> FakeDevice:
        device = FakeDevice(self.folder / name, identity(**changes), keys or {})
        self._open.append(device.close)
        return device

    def host(self, *devices: SerialDevice, allow: bool = True) -> DeviceSupervisor:
        config = DevicesConfig(
            serial=devices or (SerialDevice(id="reader-1", serial="R1", folder=str(self.folder)),),
            allow_simulated=allow,
        )
        supervisor = DeviceSupervisor(config, self._heard, self._clock)
        supervisor.start()

        def stop() -> None:
            assert supervisor.stop()

        self._open.append(stop)
        return supervisor

    def close(self) -> None:
        # The host goes first or last, as it was opened: here the other way round.
        for close in reversed(self._open):
            close()


@pytest.fixture
def bench(tmp_path: Path, heard: Any, clock: Any) -> Iterator[Bench]:
    before = set(threading.enumerate())
    descriptors = len(os.listdir("/proc/self/fd"))
    bench = Bench(tmp_path, heard, clock)
    yield bench
    bench.close()
    assert set(threading.enumerate()) == before, "a thread was left"
    assert len(os.listdir("/proc/self/fd")) == descriptors, "a descriptor was left"


def arrived(uid: bytes, antenna: int = 1):
    return lambda o: isinstance(o, TagArrived) and o.uid == uid and o.antenna == antenna


def left(uid: bytes):
    return lambda o: isinstance(o, TagLeft) and o.uid == uid


def seen(antenna: int, *uids: bytes):
    return lambda o: isinstance(o, InventorySeen) and o.antenna == antenna and set(o.uids) == set(uids)


def restarted(o: Any) -> bool:
    return isinstance(o, DeviceRestarted)


def test_everything_a_reader_says_arrives_in_order_and_in_table_time(bench, heard, clock) -> None:
    device = bench.device()
    device.tags[2] = [A]
    host = bench.host()
    k = heard.until(seen(3), heard.until(seen(2, A), heard.until(seen(1), heard.link("ok"))))
    device.place(B)
    k = heard.until(arrived(B), k)
    device.say(wire.ScanFailed(3, device.now(), 7, PERIOD, wire.ScanFailure.CRC))
    k = heard.until(lambda o: isinstance(o, ScanFailed) and (o.antenna, o.reason) == (3, "crc"), k)
    device.take(B)
    heard.until(left(B), k)
    now = clock.table_ms()
    assert all(o.t_ms <= now for o in heard.all)
    assert [o.state for o in heard.of(LinkChanged)] == ["connecting", "ok"]
    status = host.status()[0]
    assert (status.state, status.model, status.serial, status.firmware) == ("ok", "SIM-R3", "R1", "1.0.0")


def test_inventories_in_parts_are_put_together_and_come_on_request(bench, heard) -> None:
    device = bench.device()
    pile = [b"\xe0\x04" + k.to_bytes(6, "big") for k in range(52)]
    device.tags[3] = pile
    host = bench.host()
    k = heard.until(seen(3, *pile))
    host.request_inventory()
    heard.until(seen(3, *pile), k)
    assert len(heard.of(InventorySeen)) == 6


def test_a_shuffler_says_states_and_counts(bench, heard) -> None:
    device = bench.device("S1", serial="S1", kind=wire.DeviceKind.SHUFFLER, antennas=0, scan_period_ms=0)
    bench.host(SerialDevice(id="shuffler-1", serial="S1", role="shuffler", folder=str(bench.folder)))
    heard.link("ok")
    device.say(wire.ShufflerState(device.now(), wire.ShufflerStatus.READY))
    device.say(wire.ShufflerVerdict(device.now(), wire.ShufflerResult.SHORT, 51, 52))
    k = heard.until(lambda o: isinstance(o, ShufflerChanged) and o.state == "ready")
    heard.until(
        lambda o: isinstance(o, ShufflerChanged) and (o.state, o.count, o.expected) == ("short", 51, 52), k
    )


def test_a_shoe_says_what_left_it(bench, heard) -> None:
    device = bench.device("H1", serial="H1", kind=wire.DeviceKind.SHOE, antennas=0, scan_period_ms=0)
    bench.host(SerialDevice(id="shoe", serial="H1", role="shoe", folder=str(bench.folder)))
    heard.link("ok")
    device.say(wire.ShoeState(device.now(), wire.ShoeStatus.COUNTING, 7))
    device.say(wire.ShoeExit(device.now(), 8, wire.ShoeFace.UP))
    heard.until(lambda o: isinstance(o, ShoeExit))
    [state], [exit_] = heard.of(ShoeChanged), heard.of(ShoeExit)
    assert (state.device, state.state, state.exits) == ("shoe", "counting", 7)
    assert (exit_.device, exit_.number, exit_.face) == ("shoe", 8, "up")


@pytest.mark.parametrize(
    "moment", ["before it answers", "in the first inventory", "at rest", "while it speaks"]
)
def test_unplugged_at_any_moment_and_plugged_again_nothing_is_lost_or_told_twice(
    bench, heard, moment
) -> None:
    device = bench.device()
    device.mute = moment == "before it answers"
    host = bench.host()
    k = 0
    if moment == "before it answers":
        heard.link("connecting")
        time.sleep(0.1)
    elif moment == "in the first inventory":
        k = heard.until(seen(1))
    else:
        k = heard.until(seen(3))
    if moment == "while it speaks":
        for n in range(20):
            device.place(b"\xe0\x04" + n.to_bytes(6, "big"))
    device.unplug()
    k = heard.link("lost", after=k)
    for n in range(20, 24):
        device.place(b"\xe0\x04" + n.to_bytes(6, "big"))
    device.mute = False
    device.plug()
    k = heard.link("ok", after=k)
    heard.until(seen(3), k)
    device.place(A, 2)
    heard.until(arrived(A, 2), k)
    told = [o.uid for o in heard.of(TagArrived)]
    assert len(told) == len(set(told))
    if moment == "while it speaks":
        assert told[:24] == [b"\xe0\x04" + n.to_bytes(6, "big") for n in range(24)]
    assert host.status()[0].losses == (moment != "before it answers")
    assert not heard.of(DeviceRestarted)


def test_a_device_that_falls_silent_is_stale_and_goes_on(bench, heard) -> None:
    device = bench.device()
    bench.host()
    k = heard.until(seen(3))
    device.mute = True
    k = heard.link("stale", "no_heartbeat", k)
    device.place(A)
    device.mute = False
    k = heard.link("ok", after=k)
    heard.until(arrived(A))
    assert len(heard.of(TagArrived)) == 1
    assert not heard.of(DeviceRestarted)


def test_a_restart_is_told_before_anything_the_device_says_after_it(bench, heard) -> None:
    device = bench.device()
    bench.host()
    k = heard.until(seen(3))
    device.reboot()
    device.tags[1] = [A]
    after = heard.until(restarted, k)
    heard.until(seen(1, A), after)
    assert not any(isinstance(o, InventorySeen) for o in heard.all[k : after - 1])
    assert len(heard.of(DeviceRestarted)) == 1


def test_a_restart_while_unplugged_is_noticed(bench, heard) -> None:
    device = bench.device()
    bench.host()
    k = heard.until(seen(3))
    device.unplug()
    k = heard.link("lost", after=k)
    device.reboot()
    device.plug()
    k = heard.until(restarted, k)
    heard.until(seen(3), heard.link("ok", after=k))


def test_a_stranger_on_our_port_is_refused_and_says_nothing(bench, heard) -> None:
    device = bench.device(serial="R9")
    device.tags[1] = [A]
    device.place(B)
    host = bench.host()
    heard.link("refused", "wrong_serial")
    assert host.status()[0].params == {"found": "R9"}
    assert all(isinstance(o, LinkChanged) for o in heard.all)


def test_the_right_device_in_place_of_the_stranger_is_taken(bench, heard) -> None:
    stranger = bench.device(serial="R9")
    bench.host()
    k = heard.link("refused", "wrong_serial")
    stranger.unplug()
    bench.device().tags[1] = [A]
    heard.until(seen(1, A), heard.link("ok", after=k))
    assert not heard.of(DeviceRestarted)


@pytest.mark.parametrize("kind", [wire.DeviceKind.SHUFFLER, wire.DeviceKind.SHOE])
def test_another_kind_of_device_where_a_reader_should_be_is_refused(bench, heard, kind) -> None:
    bench.device(kind=kind, antennas=0)
    bench.host()
    heard.link("refused", "wrong_kind")


def test_another_protocol_version_is_refused(bench, heard) -> None:
    bench.device(major=wire.MAJOR + 1)
    host = bench.host()
    heard.link("refused", "protocol_version")
    assert host.status()[0].params["device"] == f"{wire.MAJOR + 1}.{wire.MINOR}"


def test_simulated_devices_are_not_found_without_being_allowed(bench, heard) -> None:
    bench.device(model="TR-12").place(A)
    host = bench.host(allow=False)
    heard.link("refused", "simulated_not_allowed")
    assert host.status()[0].state == "refused"
    assert all(isinstance(o, LinkChanged) and o.state in ("connecting", "refused") for o in heard.all)


def test_a_folder_marked_simulated_is_not_even_looked_into(bench, heard, tmp_path) -> None:
    (tmp_path / "SIMULATED").touch()
    bench.host(allow=False)
    heard.link("refused", "simulated_not_allowed")


def test_a_simulated_model_is_refused_on_any_port(bench, heard, monkeypatch) -> None:
    monkeypatch.setattr("dealer_assist.devices.port_thread._PTY", Path("/nowhere"))
    device = bench.device()
    device.tags[1] = [A]
    bench.host(allow=False)
    heard.link("refused", "simulated_not_allowed")
    assert not heard.of(InventorySeen)


def test_garbage_is_counted_and_never_a_card(bench, heard) -> None:
    device = bench.device()
    host = bench.host()
    k = heard.until(seen(3))
    noise = random.Random(7)
    for size in (1, 3, 50, 251, 400, 2000):
        device.raw(noise.randbytes(size))
        time.sleep(0.01)
    device.place(A)
    k = heard.until(arrived(A), k)
    assert {o.uid for o in heard.of(TagArrived)} == {A}
    counters = host.status()[0].counters
    assert counters["garbage_bytes"] > 1000
    assert host.status()[0].state in ("ok", "stale")


def test_a_noisy_line_loses_and_doubles_nothing(bench, heard) -> None:
    device = bench.device()
    noise = random.Random(11)

    def corrupt(data: bytes) -> bytes:
        spoiled = bytearray(data)
        for k in range(len(spoiled)):
            if noise.random() < 0.003:
                spoiled[k] ^= 1 << noise.randrange(8)
        return bytes(spoiled)

    host = bench.host()
    heard.until(seen(3))
    device.corrupt = corrupt
    uids = [b"\xe0\x04" + n.to_bytes(6, "big") for n in range(100)]
    for uid in uids:
        device.place(uid)
        time.sleep(0.002)
    heard.until(arrived(uids[-1]))
    assert [o.uid for o in heard.of(TagArrived)] == uids
    assert host.status()[0].counters["garbage_bytes"] > 0


def test_card_order_is_refused_unread(bench, heard) -> None:
    device = bench.device()
    bench.host()
    heard.until(seen(3))
    device.raw(b"\0" + plain_frame(bytes((wire.FORBIDDEN_FIRST,)) + b"\x01\x02\x03"))
    heard.until(lambda o: isinstance(o, ForbiddenData) and o.device == "reader-1")


def test_a_shuffler_that_tells_a_card_is_told_on(bench, heard) -> None:
    device = bench.device("S1", serial="S1", kind=wire.DeviceKind.SHUFFLER, antennas=0)
    bench.host(SerialDevice(id="shuffler-1", serial="S1", role="shuffler", folder=str(bench.folder)))
    heard.link("ok")
    time.sleep(0.1)
    # What no DeviceLink would send: a frame of the running session made by hand.
    session, seq = device.link._session, device.link._outbox.last_sent + 1
    assert session is not None
    device.raw(b"\0" + data_frame(session, seq, 1, wire.encode(wire.TagArrived(1, 5, 5, PERIOD, A))))
    heard.until(lambda o: isinstance(o, ForbiddenData))
    assert not heard.of(TagArrived)


def test_a_port_on_which_nobody_answers_is_lost_and_opened_anew(bench, heard, monkeypatch) -> None:
    monkeypatch.setattr("dealer_assist.devices.serial_reader.ANSWER_MS", 400)
    device = bench.device()
    device.mute = True
    bench.host()
    k = heard.link("lost", "no_answer")
    device.mute = False
    k = heard.until(seen(3), heard.link("ok", after=k))
    device.mute = True
    k = heard.link("lost", "silent", heard.link("stale", after=k))
    device.mute = False
    heard.link("ok", after=k)


def test_an_error_of_our_own_is_a_fault_that_mends_itself_and_loses_nothing(bench, heard, logged) -> None:
    device = bench.device()
    host = bench.host()
    k = heard.until(seen(3))
    heard.fail_on = TagArrived
    device.place(A)
    k = heard.link("fault", "failed", k)
    k = heard.link("ok", after=k)
    heard.until(arrived(A), k - 1)
    assert host.status()[0].state == "ok"
    assert '"event":"device_thread_failed"' in logged.getvalue()


def test_no_port_then_a_port(bench, heard) -> None:
    bench.host()
    k = heard.link("lost", "no_port")
    bench.device()
    heard.until(seen(3), heard.link("ok", after=k))


def test_a_port_in_use_by_another_process_is_told(bench, heard, tmp_path) -> None:
    import fcntl

    bench.device()
    descriptor = os.open(tmp_path / "R1", os.O_RDWR | os.O_NOCTTY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    bench.host()
    k = heard.link("lost", "in_use")
    os.close(descriptor)
    heard.link("ok", after=k)


def test_several_devices_stop_together_while_one_is_missing(bench, heard) -> None:
    bench.device("R1")
    bench.device("R2", serial="R2")
    host = bench.host(
        *(SerialDevice(id=name.lower(), serial=name, folder=str(bench.folder)) for name in ("R1", "R2", "R3"))
    )
    heard.until(lambda o: isinstance(o, LinkChanged) and o.device == "r1" and o.state == "ok")
    heard.until(lambda o: isinstance(o, LinkChanged) and o.device == "r2" and o.state == "ok")
    heard.until(lambda o: isinstance(o, LinkChanged) and o.device == "r3" and o.state == "lost")
    assert [s.state for s in host.status()] == ["ok", "ok", "lost"]


def test_two_devices_of_one_name_are_a_mistake(heard, clock) -> None:
    twice = DevicesConfig(serial=(SerialDevice(id="a", serial="1"), SerialDevice(id="a", serial="2")))
    with pytest.raises(ValueError, match="two devices with the id 'a'"):
        DeviceSupervisor(twice, heard, clock)
    twice = DevicesConfig(serial=(SerialDevice(id="a", serial="1"), SerialDevice(id="b", serial="1")))
    with pytest.raises(ValueError, match="two devices with the serial number '1'"):
        DeviceSupervisor(twice, heard, clock)


def test_no_uid_is_ever_logged(bench, heard, logged) -> None:
    device = bench.device()
    bench.host()
    heard.until(seen(3))
    device.place(A)
    k = heard.until(arrived(A))
    device.raw(A * 40)
    device.unplug()
    heard.link("lost", after=k)
    out = logged.getvalue()
    assert "link_last_frames" in out
    assert "TagArrived(antenna=1" in out
    for form in (A.hex(), A.hex().upper(), repr(A), str(list(A))):
        assert form not in out


# ---------------------------------------------------------------- secured sessions

KEY, OTHER = bytes(range(32)), bytes(range(32, 64))


def with_keys(bench: Bench, keys: dict[int, bytes]) -> DeviceSupervisor:
    return bench.host(SerialDevice(id="reader-1", serial="R1", folder=str(bench.folder), keys=keys))


def test_a_device_without_a_key_works_and_says_that_it_is_not_secured(bench, heard) -> None:
    bench.device()
    host = bench.host()
    heard.link("ok", "not_secured")
    assert host.status()[0].detail == "not_secured"


def test_a_secured_device_works_through_a_pulled_cable_and_a_restart(bench, heard) -> None:
    device = bench.device(keys={3: KEY})
    device.tags[2] = [A]
    host = with_keys(bench, {3: KEY})
    k = heard.until(seen(3), heard.until(seen(2, A), heard.link("ok")))
    assert host.status()[0].detail == ""
    device.place(B)
    k = heard.until(arrived(B), k)
    device.unplug()
    k = heard.link("lost", after=k)
    device.tags[1].remove(B)
    device.plug()
    k = heard.until(seen(1), heard.link("ok", after=k))
    device.reboot()
    k = heard.until(restarted, k)
    device.place(B)
    heard.until(arrived(B), k)
    assert sum(isinstance(o, TagArrived) for o in heard.all) == 2


@pytest.mark.parametrize(
    ("of_device", "of_host", "reason", "key"),
    [
        ({3: KEY}, {}, "no_key", 3),
        ({}, {3: KEY}, "not_offered", 0),
        ({3: KEY}, {3: OTHER}, "wrong_key", 3),
        ({3: KEY}, {2: KEY}, "unknown_key", 3),
    ],
)
def test_keys_that_do_not_fit_are_named_and_tell_nothing(
    bench, heard, of_device, of_host, reason, key
) -> None:
    device = bench.device(keys=of_device)
    device.tags[1] = [A]
    host = with_keys(bench, of_host)
    heard.link("refused", reason)
    assert host.status()[0].params == {"key": key}
    assert not heard.of(InventorySeen)
    assert KEY.hex() not in repr(host._readers[0]._device)
    assert repr(KEY) not in repr(host._readers[0]._device)
