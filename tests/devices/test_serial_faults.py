"""What a cable can do, on real pseudo-terminals and the simulator's folder of links. Times are told (``-rP``), never judged."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dealer_assist.devices import port_thread
from dealer_assist.table.ports import DeviceRestarted, InventorySeen, LinkChanged, TagArrived
from tests.devices.sim_rig import SimDevices, descriptors, supervised, tags, wanted

KEY, OTHER = bytes(range(32)), bytes(range(32, 64))
PATHS = ("pci-0000:00:14.0-usb-0:1:1.0-port0", "pci-0000:00:14.0-usb-0:2:1.0-port0")


class Rig:
    """Devices, a supervisor and a stopwatch."""

    def __init__(self, folder: Path, heard: Any, clock: Any) -> None:
        self.folder = folder / "by-id"
        self.paths = folder / "by-path"
        for made in (self.folder, self.paths):
            made.mkdir()
        self.heard = heard
        self._clock = clock
        self.sim = SimDevices()
        self._supervisors: list[Any] = []

    def host(self, *devices: Any) -> Any:
        supervisor = supervised(self.heard, self._clock, *devices)
        self._supervisors.append(supervisor)
        return supervisor

    def close(self) -> None:
        for supervisor in self._supervisors:
            assert supervisor.stop()
        self.sim.close()


@pytest.fixture
def rig(tmp_path: Path, heard: Any, clock: Any) -> Iterator[Rig]:
    threads, open_before = set(threading.enumerate()), descriptors()
    made = Rig(tmp_path, heard, clock)
    yield made
    made.close()
    assert set(threading.enumerate()) == threads, "a thread was left"
    assert descriptors() == open_before, "a descriptor was left"


class Watch:
    """Tells how long something took, for whoever reads the report."""

    def __init__(self) -> None:
        self._since = time.monotonic()

    def tell(self, what: str) -> None:
        print(f"{what}: {1000 * (time.monotonic() - self._since):.0f} ms")
        self._since = time.monotonic()


def arrivals(heard: Any, device: str) -> list[bytes]:
    return [o.uid for o in heard.of(TagArrived) if o.device == device]


def link_of(device: str, state: str, detail: str = "") -> Any:
    return lambda o: (
        isinstance(o, LinkChanged)
        and (o.device, o.state) == (device, state)
        and (not detail or o.detail == detail)
    )


# -- unplugged in each state of the link --------------------------------------------------------------------------------------


def _connecting(rig: Rig, device: Any) -> int:
    rig.sim.deaf(device, on=True)
    rig.host(wanted("R-1", rig.folder, key=KEY))
    return rig.heard.link("connecting")


def _securing(rig: Rig, device: Any) -> int:
    """It has asked for a proof, and finds none that is right: for two seconds both go on trying."""
    rig.host(wanted("R-1", rig.folder, key=OTHER))
    return rig.heard.link("connecting", "securing")


def _ready(rig: Rig, device: Any) -> int:
    rig.host(wanted("R-1", rig.folder, key=KEY))
    return rig.heard.link("ok")


def _stale(rig: Rig, device: Any) -> int:
    after = _ready(rig, device)
    rig.sim.deaf(device, on=True)
    return rig.heard.link("stale", "no_heartbeat", after)


def _refused(rig: Rig, device: Any) -> int:
    """It has another key than the table service believes; then it is given the right one."""
    rig.host(wanted("R-1", rig.folder))
    return rig.heard.link("refused", "no_key")


@pytest.mark.parametrize("state", [_connecting, _ready, _stale], ids=lambda f: f.__name__[1:])
def test_unplugged_in_each_state_of_the_link_and_plugged_again(rig: Rig, state: Any) -> None:
    device = rig.sim.reader("R-1", rig.folder / "R-1", key=KEY)
    after = state(rig, device)
    watch = Watch()
    rig.sim.unplug(device)
    after = rig.heard.link("lost", after=after)
    watch.tell(f"{state.__name__[1:]}: unplugged -> shown")
    rig.sim.deaf(device, on=False)
    rig.sim.lay(device, "As")
    rig.sim.plug(device)
    watch = Watch()
    after = rig.heard.link("ok", after=after)
    watch.tell(f"{state.__name__[1:]}: plugged -> back")
    rig.heard.until(
        lambda o: isinstance(o, InventorySeen) and o.antenna == 1 and o.uids == (tags()["As"],), after
    )
    rig.sim.lay(device, "Kd", "seat2")
    rig.heard.until(lambda o: isinstance(o, TagArrived) and o.uid == tags()["Kd"], after)
    assert arrivals(rig.heard, "r-1").count(tags()["As"]) == 1
    assert not rig.heard.of(DeviceRestarted)


def test_unplugged_while_both_prove_that_they_have_the_key(rig: Rig) -> None:
    """Its own key was another one; it comes back with the right one."""
    device = rig.sim.reader("R-1", rig.folder / "R-1", key=KEY)
    after = _securing(rig, device)
    watch = Watch()
    rig.sim.unplug(device)
    after = rig.heard.link("lost", after=after)
    watch.tell("securing: unplugged -> shown")
    rig.sim.reader("R-1", rig.folder / "R-1", key=OTHER)
    watch = Watch()
    rig.heard.link("ok", after=after)
    watch.tell("securing: plugged -> back")


def test_unplugged_while_it_is_refused(rig: Rig) -> None:
    device = rig.sim.reader("R-1", rig.folder / "R-1", key=KEY)
    after = _refused(rig, device)
    rig.sim.unplug(device)
    after = rig.heard.link("lost", after=after)
    rig.sim.plug(device)
    rig.heard.link("refused", "no_key", after=after)


def test_plugged_and_unplugged_while_nobody_has_looked_for_it_again(rig: Rig) -> None:
    device = rig.sim.reader("R-1", rig.folder / "R-1")
    rig.host(wanted("R-1", rig.folder))
    after = rig.heard.link("ok")
    for _ in range(5):
        rig.sim.unplug(device)
        rig.sim.plug(device)
    after = rig.heard.link("ok", after=rig.heard.link("lost", after=after))
    rig.sim.lay(device, "As")
    rig.heard.until(lambda o: isinstance(o, TagArrived), after)


# -- ports that change ----------------------------------------------------------------------------------------------------------


def test_after_a_re_plug_the_port_has_another_number(rig: Rig) -> None:
    device = rig.sim.reader("R-1", rig.folder / "R-1")
    link = rig.folder / "R-1"
    rig.host(wanted("R-1", rig.folder))
    after = rig.heard.link("ok")
    first = str(link.readlink())
    watch = Watch()
    rig.sim.unplug(device)
    after = rig.heard.link("lost", after=after)
    watch.tell("unplugged -> shown")
    taken = []
    while not taken or os.ttyname(taken[-1][1]) != first:
        taken.append(os.openpty())  # somebody else's adapter gets the old number
    rig.sim.plug(device)
    assert str(link.readlink()) != first
    watch = Watch()
    rig.heard.link("ok", after=after)
    watch.tell("plugged in under another number -> back")
    for ends in taken:
        for end in ends:
            os.close(end)


def test_two_adapters_without_a_number_of_their_own_are_told_apart_by_what_hangs_on_them(rig: Rig) -> None:
    """udev can name them by their sockets only; the devices say which is which, also after the cables were swapped."""
    one = rig.sim.reader("R-1", rig.paths / PATHS[1], of=1)
    two = rig.sim.reader("R-2", rig.paths / PATHS[0], of=2)
    watch = Watch()
    rig.host(wanted("R-1", rig.paths), wanted("R-2", rig.paths))
    rig.heard.until(link_of("r-1", "ok"))
    rig.heard.until(link_of("r-2", "ok"))
    watch.tell("two ports, two devices -> both known")
    rig.sim.lay(one, "As")
    rig.sim.lay(two, "As")
    rig.heard.until(lambda o: isinstance(o, TagArrived) and o.device == "r-1")
    rig.heard.until(lambda o: isinstance(o, TagArrived) and o.device == "r-2")
    rig.sim.unplug(one)
    rig.sim.unplug(two)
    after = rig.heard.until(link_of("r-1", "lost"))
    rig.heard.until(link_of("r-2", "lost"))
    rig.sim.plug(one, rig.paths / PATHS[0])
    rig.sim.plug(two, rig.paths / PATHS[1])
    watch = Watch()
    rig.heard.until(link_of("r-1", "ok"), after)
    rig.heard.until(link_of("r-2", "ok"), after)
    watch.tell("cables swapped -> both known again")
    rig.sim.lay(one, "Kd")
    rig.sim.lay(two, "Kd")
    rig.heard.until(lambda o: isinstance(o, TagArrived) and o.uid == tags(1)["Kd"])
    rig.heard.until(lambda o: isinstance(o, TagArrived) and o.uid == tags(2)["Kd"])
    assert arrivals(rig.heard, "r-1") == [tags(1)["As"], tags(1)["Kd"]]
    assert arrivals(rig.heard, "r-2") == [tags(2)["As"], tags(2)["Kd"]]


def test_two_adapters_that_claim_one_number_are_told_apart_in_the_same_way(rig: Rig) -> None:
    rig.sim.reader("R-9", rig.folder / "usb-Maker_Adapter_R-1-if00-port0", of=1)
    ours = rig.sim.reader("R-1", rig.folder / "usb-Other_Adapter_R-1-if00-port0", of=2)
    rig.host(wanted("R-1", rig.folder))
    after = rig.heard.link("ok")
    rig.sim.lay(ours, "As")
    rig.heard.until(lambda o: isinstance(o, TagArrived) and o.uid == tags(2)["As"], after)
    assert not any(isinstance(o, LinkChanged) and o.state == "refused" for o in rig.heard.all)


def test_a_device_that_hangs_on_none_of_the_ports_is_told_and_found_when_it_comes(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(port_thread, "PROBE_MS", 300)
    rig.sim.reader("R-8", rig.paths / PATHS[0])
    silent = rig.sim.reader("R-9", rig.paths / PATHS[1])
    rig.sim.deaf(silent, on=True)
    rig.host(wanted("R-1", rig.paths))
    after = rig.heard.link("lost", "none_of_ports")
    rig.sim.reader("R-1", rig.paths / "pci-0000:00:14.0-usb-0:3:1.0-port0")
    rig.heard.link("ok", after=after)


# -- strangers and others at the port -------------------------------------------------------------------------------------------


def test_a_stranger_on_our_port_is_refused_and_ours_goes_on_where_it_was(rig: Rig) -> None:
    """Nothing of what the stranger reads is told, and nothing that our device has said is told twice when it is back."""
    ours = rig.sim.reader("R-1", rig.folder / "R-1", of=1)
    rig.host(wanted("R-1", rig.folder))
    after = rig.heard.link("ok")
    rig.sim.lay(ours, "As")
    after = rig.heard.until(lambda o: isinstance(o, TagArrived), after)
    rig.sim.unplug(ours)
    rig.sim.lay(ours, "Kd")
    after = rig.heard.link("lost", after=after)
    stranger = rig.sim.reader("X-7", rig.folder / "R-1", of=2)
    rig.sim.lay(stranger, "As")
    watch = Watch()
    after = rig.heard.link("refused", "wrong_serial", after)
    watch.tell("stranger plugged in -> refused")
    rig.sim.unplug(stranger)
    rig.sim.plug(ours)
    after = rig.heard.link("ok", after=after)
    rig.heard.until(lambda o: isinstance(o, TagArrived) and o.uid == tags(1)["Kd"], after)
    assert arrivals(rig.heard, "r-1") == [tags(1)["As"], tags(1)["Kd"]]
    assert not rig.heard.of(DeviceRestarted)


def test_a_port_that_another_process_has_open_is_told_and_taken_when_it_is_free(rig: Rig) -> None:
    rig.sim.reader("R-1", rig.folder / "R-1")
    other = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import serial, sys; port = serial.Serial(sys.argv[1], exclusive=True); print('open', flush=True); input()",
            str(rig.folder / "R-1"),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert other.stdout is not None and other.stdin is not None
    assert other.stdout.readline() == "open\n"
    rig.host(wanted("R-1", rig.folder))
    after = rig.heard.link("lost", "in_use")
    watch = Watch()
    other.communicate("\n")
    rig.heard.link("ok", after=after)
    watch.tell("the other process ended -> open")


# -- again and again ---------------------------------------------------------------------------------------------------------------


def test_a_thousand_reconnections_leave_no_thread_and_no_descriptor(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(port_thread, "BACK_OFF_MS", (0, 1, 2, 4, 8, 16))
    device = rig.sim.reader("R-1", rig.folder / "R-1")
    host = rig.host(wanted("R-1", rig.folder))
    after = rig.heard.link("ok")
    threads, open_now = threading.active_count(), descriptors()
    watch = Watch()
    for _ in range(1000):
        rig.sim.unplug(device)
        after = rig.heard.link("lost", after=after)
        rig.sim.plug(device)
        after = rig.heard.link("ok", after=after)
        rig.heard.all.clear()
        after = 0
    watch.tell("1,000 times unplugged and plugged in")
    assert threading.active_count() == threads
    assert descriptors() == open_now
    [lamp] = host.status()
    assert (lamp.state, lamp.losses) == ("ok", 1000)


def test_a_port_that_stays_away_is_looked_for_less_and_less_often(rig: Rig) -> None:
    """Nothing spins, and nothing is tried more often than every two seconds for long."""
    waits: list[int] = []
    enough = threading.Event()

    class Patient(port_thread.Waker):
        def wait(self, timeout_ms: int) -> None:
            waits.append(timeout_ms)
            if len(waits) >= 9:
                enough.set()
                super().wait(timeout_ms)

    original, port_thread.Waker = port_thread.Waker, Patient  # type: ignore[misc]
    try:
        rig.host(wanted("R-1", rig.folder))
        assert enough.wait(20)
    finally:
        port_thread.Waker = original  # type: ignore[misc]
    assert waits[:9] == [200, 400, 800, 1600, 2000, 2000, 2000, 2000, 2000]
    lost = [o for o in rig.heard.all if isinstance(o, LinkChanged) and o.state == "lost"]
    assert [o.detail for o in lost] == ["no_port"], "told once"
