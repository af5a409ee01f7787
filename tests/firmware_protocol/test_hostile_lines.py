"""Both ends of a link on lines that delay, double, cut, damage and lose: every event once and in order."""

from __future__ import annotations

import pytest

from firmware_protocol.device import DeviceState
from firmware_protocol.events import LinkFailed, MessageReceived, Ready, SnapshotComplete
from firmware_protocol.host import HostState
from firmware_protocol.messages import Inventory, InventoryDone, TagArrived
from tests.firmware_protocol.lines import LINES, Line, Wire, arrived, corrupting, jittery, uid, whole


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_event_arrives_once_and_in_order(line: Line, seed: int) -> None:
    wire = Wire(line, seed=seed)
    for number in range(120):
        wire.device.send(arrived(number), wire.now)
        wire.run(15)
    assert wire.run(120_000, lambda: len(wire.arrivals()) >= 120 and wire.device.unacknowledged == 0)
    wire.run(3000)
    assert wire.arrivals() == list(range(120))
    assert all(
        message.uid == uid(message.t_ms) for message in wire.messages() if isinstance(message, TagArrived)
    )
    assert not wire.told(LinkFailed)


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_the_first_thing_after_the_handshake_is_a_complete_inventory(line: Line) -> None:
    wire = Wire(line, seed=7)
    wire.lying = (uid(1), uid(2))
    assert wire.run(60_000, lambda: bool(wire.told(SnapshotComplete)))
    assert wire.told(Ready)
    inventories = [message for message in wire.messages() if isinstance(message, Inventory)]
    assert [(message.antenna, message.uids) for message in inventories] == [(1, (uid(1), uid(2))), (2, ())]
    assert isinstance(wire.messages()[-1], InventoryDone)
    assert wire.host.state is HostState.READY and wire.device.state is DeviceState.READY


@pytest.mark.parametrize("line", [corrupting, jittery], ids=["corrupting", "jittery"])
@pytest.mark.parametrize("seed", [11, 12, 13, 14])
def test_requests_of_the_host_arrive_once_and_in_order_too(line: Line, seed: int) -> None:
    wire = Wire(line, seed=seed)
    assert wire.run(30_000, lambda: bool(wire.told(SnapshotComplete)))
    asked = [wire.host.request_inventory(wire.now, 1 + n % 2) for n in range(20)]
    assert wire.run(60_000, lambda: len(wire.told(SnapshotComplete)) == 21)
    got = [event.message.request_id for event in wire.device_events if isinstance(event, MessageReceived)]
    assert got[1:] == asked


@pytest.mark.parametrize("seed", range(5))
def test_a_line_that_is_cut_again_and_again_loses_nothing(seed: int) -> None:
    wire = Wire(corrupting, seed=seed)
    for number in range(100):
        wire.device.send(arrived(number), wire.now)
        wire.cut = number % 20 >= 15
        wire.run(300)
    wire.cut = False
    assert wire.run(120_000, lambda: len(wire.arrivals()) >= 100)
    assert wire.arrivals() == list(range(100))


def test_a_good_line_repeats_nothing_and_counts_no_damage() -> None:
    wire = Wire(whole)
    for number in range(200):
        wire.device.send(arrived(number), wire.now)
        wire.run(20)
    assert wire.arrivals() == list(range(200))
    for counters in (wire.host.counters, wire.device.counters):
        counts = counters.as_dict()
        assert counts.pop("frames") > 0 and counts.pop("sessions") == 1
        assert set(counts.values()) == {0}, counts


def test_garbage_before_and_between_costs_only_itself() -> None:
    wire = Wire(lambda data, rng: [(1, rng.randbytes(60)), (1, b"\0"), (1, data)], seed=5)
    for number in range(50):
        wire.device.send(arrived(number), wire.now)
        wire.run(20)
    wire.run(2000)
    assert wire.arrivals() == list(range(50))
    assert wire.host.counters.garbage_bytes > 0
