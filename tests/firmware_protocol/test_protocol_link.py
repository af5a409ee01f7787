"""Host and device through lines of every kind: each event once, in order, or an overflow that says how many are missing."""

from __future__ import annotations

import gc

import pytest

from firmware_protocol import frames
from firmware_protocol.device import DeviceLink, DeviceState
from firmware_protocol.errors import BadField, QueueFull, WrongDirection
from firmware_protocol.events import (
    DeviceRestarted,
    ForbiddenReceived,
    HeartbeatLost,
    HeartbeatRegained,
    HostConnected,
    HostRefused,
    IdentityRefused,
    LinkFailed,
    Ready,
    SnapshotComplete,
    VersionRefused,
)
from firmware_protocol.frames import data_frame, parse
from firmware_protocol.framing import Framer, encode_frame
from firmware_protocol.host import HostLink, HostState
from firmware_protocol.messages import (
    MAJOR,
    MINOR,
    DeviceKind,
    Heartbeat,
    Identify,
    IdentifyRequest,
    Inventory,
    InventoryDone,
    InventoryRequest,
    LogText,
    Overflow,
    ScanFailed,
    ScanFailure,
    ShufflerState,
    ShufflerStatus,
    TagArrived,
    decode,
    encode,
)
from firmware_protocol.probe import WAKE, WHO_IS_THERE, Probe
from tests.firmware_protocol.c_kit import CDeviceLink, close_all
from tests.firmware_protocol.kit import (
    BOOT,
    LINES,
    NONCE,
    UID,
    Bench,
    Line,
    arrived,
    identity,
    lossy,
)

SEEDS = [1, 2, 3]


@pytest.fixture(params=["python", "c"])
def device_link(request: pytest.FixtureRequest):
    """Both devices there are: what firmware authors get in C keeps to the same."""
    yield DeviceLink if request.param == "python" else CDeviceLink
    close_all()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", LINES)
def test_every_event_arrives_once_and_in_order(name, seed, device_link):
    bench = Bench(LINES[name](seed), LINES[name](seed + 100), link=device_link)
    bench.emit(0, 60, every_ms=7)
    bench.emit(60, 200)
    bench.emit(260, 60, every_ms=3)
    bench.until(lambda: len(bench.scans()) >= 320)
    bench.run(3000)
    assert bench.scans() == list(range(320))
    assert bench.lost() == 0
    assert bench.told(SnapshotComplete)
    assert not bench.told(LinkFailed)
    assert bench.device.unacknowledged == 0


@pytest.mark.parametrize("name", ["lossy", "noisy", "bursts"])
def test_the_bad_lines_are_bad(name, device_link):
    bench = Bench(LINES[name](1), LINES[name](2), link=device_link)
    bench.emit(0, 300, every_ms=7)
    bench.run(5000)
    assert bench.host.counters.gaps > 0
    for counters in (bench.host.counters, bench.device.counters):
        if name != "lossy":
            assert counters.crc_errors + counters.malformed > 5 and counters.garbage_bytes > 100
    assert bench.device.counters.retransmits > 30


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", LINES)
def test_the_inventory_on_connect_is_complete_and_right(name, seed, device_link):
    bench = Bench(LINES[name](seed), LINES[name](seed + 100), link=device_link)
    bench.until(lambda: bool(bench.told(SnapshotComplete)))
    request_id = bench.told(SnapshotComplete)[0].request_id
    seen: dict[int, list[bytes]] = {}
    for message in bench.host_messages(Inventory):
        if message.request_id == request_id:
            seen.setdefault(message.antenna, []).extend(message.uids)
    assert seen == bench.tags


@pytest.mark.parametrize("loss", [0.05, 0.1, 0.2])
@pytest.mark.parametrize("seed", range(10))
def test_loss_of_5_to_20_percent_loses_nothing(loss, seed, device_link):
    bench = Bench(lossy(seed, loss), lossy(seed + 1000, loss), link=device_link)
    bench.emit(0, 150, every_ms=20)
    bench.until(lambda: len(bench.scans()) >= 150)
    assert bench.scans() == list(range(150))
    assert bench.host.counters.retransmits + bench.device.counters.retransmits > 0


def test_an_undisturbed_line_needs_no_retransmission(device_link):
    bench = Bench(Line(lambda data: [(16, data)]), Line(lambda data: [(16, data)]), link=device_link)
    bench.emit(0, 300, every_ms=5)
    bench.run(2000)
    assert bench.scans() == list(range(300))
    for side in (bench.host, bench.device):
        counters = side.counters
        assert (counters.retransmits, counters.naks, counters.duplicates, counters.garbage_bytes) == (
            0,
            0,
            0,
            0,
        )


def test_a_host_that_starts_first_waits_for_its_device(device_link):
    bench = Bench(link=device_link)
    device, bench.device = bench.device, None
    bench.run(60_000)
    assert bench.host.state is HostState.CONNECTING
    assert bench.host.identity is None
    bench.down.queue.clear()
    bench.device = device
    bench.run(600)
    assert bench.host.state is HostState.READY
    assert bench.told(Ready) == [Ready(bench.host.identity)]
    assert bench.host.identity.serial == "R1-0001"


def test_a_device_that_starts_first_keeps_its_events(device_link):
    bench = Bench(link=device_link)
    bench.host = None
    bench.emit(0, 100, every_ms=100)
    assert bench.device.state is DeviceState.WAITING
    bench.host = HostLink(bench.now, nonce=NONCE)
    bench.up.queue.clear()
    bench.run(2000)
    assert bench.scans() == list(range(100))
    assert bench.device.state is DeviceState.READY


def test_a_host_that_comes_back_takes_over_and_loses_no_unacknowledged_event(device_link):
    bench = Bench(link=device_link)
    bench.run(500)
    bench.emit(0, 10, every_ms=10)
    bench.run(100)
    bench.host = None
    bench.emit(10, 50, every_ms=10)
    before = bench.scans()
    bench.host_events.clear()
    bench.host = HostLink(bench.now, nonce=NONCE + 77)
    bench.run(1000)
    assert before == list(range(10))
    assert bench.scans() == list(range(10, 60))
    assert [event.nonce for event in bench.device_events if isinstance(event, HostConnected)] == [
        NONCE,
        NONCE + 77,
    ]
    assert bench.told(SnapshotComplete)


def test_what_an_old_host_left_in_the_line_reaches_no_new_one(device_link):
    bench = Bench(link=device_link)
    bench.run(500)
    bench.emit(0, 5)
    bench.device.outgoing(bench.now)
    old = bench.device.outgoing(bench.now + 500)
    assert old
    fresh = HostLink(bench.now, nonce=NONCE + 1)
    assert fresh.receive(old, bench.now) == []
    assert fresh.state is HostState.CONNECTING


def test_a_device_that_restarts_is_told_and_asked_for_everything(device_link):
    bench = Bench(link=device_link)
    bench.run(500)
    bench.emit(0, 5)
    bench.run(100)
    bench.host_events.clear()
    bench.device = device_link(bench.now, identity=identity(boot_id=BOOT + 1))
    bench.emit(100, 3)
    bench.run(1500)
    assert bench.told(DeviceRestarted) == [DeviceRestarted(BOOT, BOOT + 1)]
    assert bench.host.state is HostState.READY
    assert bench.host.identity.boot_id == BOOT + 1
    assert bench.scans() == [100, 101, 102]
    assert len(bench.told(SnapshotComplete)) == 1


@pytest.mark.parametrize("seed", range(5))
def test_restarts_of_the_device_on_a_bad_line(seed, device_link):
    bench = Bench(LINES["noisy"](seed), LINES["lossy"](seed), link=device_link)
    for boot in range(1, 6):
        bench.device = device_link(bench.now, identity=identity(boot_id=BOOT + boot))
        bench.until(
            lambda boot=boot: bench.host.identity is not None and bench.host.identity.boot_id == BOOT + boot
        )
        bench.host_events.clear()
        bench.emit(boot * 100, 20, every_ms=5)
        bench.until(lambda: len(bench.scans()) >= 20)
        assert bench.scans() == list(range(boot * 100, boot * 100 + 20))


def test_a_pulled_cable_is_told_within_a_second_and_nothing_is_lost(device_link):
    bench = Bench(link=device_link)
    bench.run(500)
    for away_ms in (1000, 60_000):
        bench.host_events.clear()
        bench.device_events.clear()
        bench.up.cut = bench.down.cut = True
        bench.run(800)
        assert bench.told(HeartbeatLost) == [HeartbeatLost()]
        assert bench.host.state is HostState.STALE
        assert bench.device.state is DeviceState.STALE
        bench.emit(0, 30)
        bench.run(away_ms)
        bench.up.cut = bench.down.cut = False
        bench.run(600)
        assert bench.told(HeartbeatRegained) == [HeartbeatRegained()]
        assert bench.scans() == list(range(30))
        assert bench.host.state is HostState.READY
        assert not bench.told(LinkFailed)


def test_a_cable_pulled_in_the_middle_of_a_frame(device_link):
    bench = Bench(link=device_link)
    bench.run(500)
    bench.emit(0, 1)
    half = bench.device.outgoing(bench.now)[:17]
    bench.host_events += bench.host.receive(half, bench.now)
    bench.run(3000)
    assert bench.scans() == [0]


def test_overflow_is_told_with_its_number_and_forces_a_full_inventory(device_link):
    bench = Bench(link=device_link)
    bench.run(500)
    bench.host_events.clear()
    bench.up.cut = bench.down.cut = True
    bench.run(1000)
    bench.emit(0, 2000)
    bench.up.cut = bench.down.cut = False
    bench.run(3000)
    scans = bench.scans()
    assert len(scans) + bench.lost() == 2000
    assert scans == sorted(set(scans))
    assert scans[-1] == 1999
    assert bench.lost() == bench.device.counters.overflows == bench.host.counters.overflows
    assert bench.told(SnapshotComplete)
    # The overflow stands where the messages are missing, and its numbers are theirs.
    kinds = [type(event.message) for event in bench.host_events if hasattr(event, "message")]
    assert kinds.index(Overflow) == 0
    overflow = bench.host_messages(Overflow)[0]
    assert overflow.last_seq - overflow.first_seq + 1 == overflow.lost


@pytest.mark.parametrize("name", ["lossy", "noisy", "duplicated"])
@pytest.mark.parametrize("seed", range(4))
def test_overflows_on_a_bad_line_add_up(name, seed, device_link):
    bench = Bench(LINES[name](seed), LINES[name](seed + 50), link=device_link)
    bench.device = device_link(0, identity=identity(), capacity=40)
    bench.run(1500)
    bench.host_events.clear()
    sent = 0
    for _ in range(6):
        bench.emit(sent, 150)
        sent += 150
        bench.run(300)
    bench.until(lambda: bench.device.unacknowledged == 0)
    scans = bench.scans()
    assert scans == sorted(set(scans))
    # Answers to inventory requests may be among what was dropped.
    assert len(scans) + bench.lost() >= sent
    assert len(scans) < sent
    bench.until(lambda: bool(bench.told(SnapshotComplete)))


def test_events_lost_before_any_host_came(device_link):
    bench = Bench(link=device_link)
    bench.host = None
    bench.emit(0, 20_000)
    bench.host = HostLink(0, nonce=NONCE)
    bench.run(4000)
    # That many or more; the answer to the first inventory request may have pushed out a few others.
    assert bench.host_messages(Overflow)[0].lost == 16384
    scans = bench.scans()
    assert scans == sorted(set(scans)) and scans[-1] == 19_999
    assert 512 - 30 <= len(scans) < 1000
    assert bench.told(SnapshotComplete)


def test_sequence_numbers_wrap(device_link):
    bench = Bench(link=device_link)
    bench.run(500)
    for first in range(0, 70_000, 500):
        bench.emit(first, 500)
        bench.run(40)
        if first % 10_000 == 0:
            bench.run(1000)
    bench.run(2000)
    assert len(bench.scans()) + bench.lost() == 70_000
    assert bench.scans()[-1] == 69_999


def test_a_deaf_peer_that_still_beats_is_a_failed_link():
    def only_plain(data: bytes) -> list[tuple[int, bytes]]:
        return [(0, encode_frame(body)) for body in Framer().feed(data) if body[0] == frames.PLAIN]

    bench = Bench(down=Line(only_plain))
    bench.run(40_000)
    assert bench.told(LinkFailed) == [LinkFailed("unacknowledged")]
    assert bench.host.state is HostState.FAILED
    assert bench.host.next_deadline_ms() is None
    bench.down.mangle = lambda data: [(0, data)]
    bench.run(5000)
    assert bench.host.state is HostState.FAILED
    bench.host.restart(bench.now)
    bench.run(1000)
    assert bench.host.state is HostState.READY


def test_a_device_whose_events_nobody_acknowledges_recovers_with_the_next_session(device_link):
    bench = Bench(link=device_link)
    bench.run(500)
    bench.emit(0, 5)
    deaf = HostLink(bench.now, nonce=bench.host._nonce)
    bench.host_events.clear()
    while bench.device.state is not DeviceState.FAILED:
        bench.now += 100
        assert bench.now < 60_000
        bench.device.receive(deaf_heartbeat(deaf, bench.now), bench.now)
        bench.device.outgoing(bench.now)
    bench.host = HostLink(bench.now, nonce=NONCE + 9)
    bench.run(1000)
    assert bench.device.state is DeviceState.READY
    assert bench.scans() == list(range(5))


def deaf_heartbeat(host: HostLink, now_ms: int) -> bytes:
    return frames.plain_frame(encode(Heartbeat(now_ms, host._nonce, 0)))


def test_a_device_that_lost_its_session_gets_a_new_one_and_nothing_twice():
    bench = Bench()
    bench.run(500)
    bench.emit(0, 10)
    bench.run(50)
    # The device forgets the session; its acknowledgements of the last events are lost too.
    bench.emit(10, 10)
    bench.host_events += bench.host.receive(bench.device.outgoing(bench.now), bench.now)
    bench.host.outgoing(bench.now)
    bench.device._end()
    bench.emit(20, 10)
    bench.run(1500)
    assert bench.host.state is HostState.READY
    assert bench.scans() == list(range(30))
    assert bench.host.counters.sessions == 2
    assert not bench.told(DeviceRestarted)


@pytest.mark.parametrize("major", [0, 2])
def test_another_major_version_is_refused_with_both_versions_and_the_device(major, device_link):
    bench = Bench(device=identity(major=major, minor=7), link=device_link)
    bench.run(10_000)
    assert bench.host.state is HostState.REFUSED
    (refused,) = bench.told(VersionRefused)
    error = refused.error
    assert (error.model, error.serial, error.firmware) == ("TR-12", "R1-0001", "1.0.0")
    assert (error.host, error.device) == ((MAJOR, MINOR), (major, 7))
    assert "TR-12 R1-0001" in str(error) and f"{major}.7" in str(error) and f"{MAJOR}.{MINOR}" in str(error)
    assert not bench.host_messages(object)
    bench.device = device_link(bench.now, identity=identity(boot_id=BOOT + 1))
    bench.run(3000)
    assert bench.host.state is HostState.READY


def test_a_newer_minor_version_is_taken(device_link):
    bench = Bench(device=identity(minor=9), link=device_link)
    bench.run(500)
    assert bench.host.state is HostState.READY


def test_a_device_refuses_a_host_of_another_major_and_says_who_it_is():
    device = DeviceLink(0, identity=identity())
    request = frames.plain_frame(encode(IdentifyRequest(2, 0, 5)))
    assert device.receive(request, 0) == [HostRefused(2, 0)]
    assert device.receive(request, 1) == []
    assert device.state is DeviceState.REFUSED
    (body,) = Framer().feed(device.outgoing(1))
    answer = decode(body[1:])
    assert isinstance(answer, Identify) and answer.nonce == 5 and answer.major == 1


@pytest.mark.parametrize("message_id", range(0xD0, 0xE0))
@pytest.mark.parametrize("sequenced", [True, False])
def test_card_order_is_dropped_unread_and_told(message_id, sequenced):
    bench = Bench()
    bench.run(500)
    bench.host_events.clear()
    secret = bytes((37 * place + 11) % 251 for place in range(52))  # nobody else has these in this order
    payload = bytes([message_id]) + secret
    if sequenced:
        seq = bench.host._expected
        frame = frames.data_frame(bench.host._session, seq, bench.host._outbox.last_sent, payload)
    else:
        frame = frames.plain_frame(payload)
    events = bench.host.receive(frame, bench.now)
    assert events == [ForbiddenReceived(message_id, 53)]
    assert bench.host.counters.forbidden == 1
    assert bench.host.state is HostState.READY
    assert secret not in repr(events).encode() and secret[:4].hex() not in repr(events)
    # Nothing that the link holds has the bytes.
    del payload, frame
    held = [thing for thing in gc.get_objects() if isinstance(thing, (list, tuple, dict))]
    assert not any(
        isinstance(item, bytes) and item is not secret and secret in item
        for box in held
        for item in (box.values() if isinstance(box, dict) else box)
    )


def test_a_shuffler_that_tells_cards_is_as_forbidden():
    bench = Bench(device=identity(kind=DeviceKind.SHUFFLER, antennas=0))
    bench.run(500)
    assert bench.host_messages(ShufflerState)
    assert bench.told(SnapshotComplete)
    with pytest.raises(WrongDirection) as refused:
        bench.device.send(arrived(1), bench.now)
    assert (refused.value.message, refused.value.sender) == ("tag_arrived", "shuffler")
    for message in (arrived(1), Inventory(0, 1, 0, 0, 50, 1, 1, (UID,))):
        bench.device._outbox.push(encode(message))
    bench.run(100)
    assert [event.message_id for event in bench.told(ForbiddenReceived)] == [0x20, 0x11]
    assert not bench.host_messages(TagArrived)


def test_messages_of_the_wrong_side_are_counted_not_told():
    bench = Bench()
    bench.run(500)
    bench.host_events.clear()
    bench.device._outbox.push(encode(InventoryRequest(1, 255)))
    bench.device._outbox.push(encode(ShufflerState(1, ShufflerStatus.IDLE)))
    bench.device._outbox.push(b"\x7fnew in a later minor version")
    bench.device._outbox.push(encode(LogText("fine")))
    bench.run(100)
    assert bench.host_messages(object) == [LogText("fine")]
    assert (bench.host.counters.malformed, bench.host.counters.unknown) == (2, 1)


def test_what_a_side_does_not_send_is_refused_at_once():
    host, device = HostLink(0, nonce=1), DeviceLink(0, identity=identity())
    for link, message in (
        (host, arrived(1)),
        (host, Heartbeat(0, 0, 0)),
        (device, InventoryRequest(1)),
        (device, Overflow(1, 1, 1)),
        (device, identity()),
    ):
        with pytest.raises(WrongDirection):
            link.send(message, 0)
    with pytest.raises(BadField):
        device.send(TagArrived(0, 0, 0, 50, UID), 0)


def test_a_host_with_nobody_there_refuses_the_65th_message():
    host = HostLink(0, nonce=1)
    for number in range(64):
        host.send(InventoryRequest(number + 1), 0)
    with pytest.raises(QueueFull):
        host.send(InventoryRequest(99), 0)


def test_inventory_of_one_antenna_and_parts(device_link):
    bench = Bench(link=device_link)
    bench.run(500)
    bench.host_events.clear()
    request_id = bench.host.request_inventory(bench.now, 3)
    bench.run(100)
    parts = bench.host_messages(Inventory)
    assert [(part.antenna, part.part, part.parts, len(part.uids)) for part in parts] == [
        (3, 1, 3, 16),
        (3, 2, 3, 16),
        (3, 3, 3, 8),
    ]
    assert bench.told(SnapshotComplete) == [SnapshotComplete(request_id)]


def test_an_antenna_that_cannot_scan_does_not_hold_up_the_inventory(device_link):
    bench = Bench(link=device_link)
    del bench.tags[2]
    bench.device.send(ScanFailed(2, 0, 1, 50, ScanFailure.OVERLOAD), 0)
    answer = bench._answer
    bench._answer = lambda request: (
        bench.device.send(ScanFailed(2, 0, 1, 50, ScanFailure.OVERLOAD), bench.now),
        answer(request),
    )
    bench.run(500)
    assert len(bench.told(SnapshotComplete)) == 1


@pytest.mark.parametrize("silent", [True, False])
def test_a_device_that_never_answers_completely_is_a_failed_link(silent):
    bench = Bench()
    bench.answers = not silent
    if not silent:
        del bench.tags[2]
    bench.run(30_000)
    assert bench.told(LinkFailed) == [LinkFailed("inventory")]
    assert not bench.told(SnapshotComplete)
    assert bench.host.state is HostState.FAILED


def test_both_sides_beat_in_their_period_and_carry_their_ids():
    bench = Bench()
    bench.run(5000)
    beats = [frame for frame in Framer().feed(bench.down.written) if frame[:2] == b"\x05\x03"]
    assert len(beats) in (20, 21)
    assert bench.host.last_heartbeat.boot_id == BOOT
    assert bench.device.last_heartbeat.boot_id == NONCE
    assert 4500 <= bench.host.last_heartbeat.uptime_ms <= 5000


def test_a_lost_tail_is_asked_for_by_the_next_heartbeat():
    bench = Bench()
    bench.run(500)
    bench.emit(0, 3)
    bench.device.outgoing(bench.now)
    # All three are lost, and the time-out is long because the line was slow before.
    bench.device._outbox._rtt_ms = 1500.0
    bench.run(300)
    assert bench.scans() == [0, 1, 2]


def test_frames_of_another_session_are_ignored_and_a_device_refuses_them():
    bench = Bench()
    bench.run(500)
    bench.host_events.clear()
    other = bench.host._session + 1
    payload = encode(arrived(1))
    assert bench.host.receive(frames.data_frame(other, bench.host._expected, 0, payload), bench.now) == []
    assert bench.host.receive(frames.nak_frame(other, 0), bench.now) == []
    assert bench.host.receive(frames.reset_frame(other), bench.now) == []
    assert bench.host.counters.stale == 3
    assert bench.host.state is HostState.READY
    request = encode(InventoryRequest(9, 1))
    assert bench.device.receive(frames.data_frame(other, bench.device._expected, 0, request), bench.now) == []
    assert Framer().feed(bench.device.outgoing(bench.now))[0] == b"\x04" + other.to_bytes(2, "big")
    assert bench.device.state is DeviceState.READY


def test_noise_on_an_idle_line_does_not_take_the_next_frame_with_it():
    bench = Bench()
    bench.run(500)
    bench.host_events.clear()
    bench.host.receive(b"\x55\xaa\x55", bench.now)
    bench.emit(0, 1)
    bench.run(5)
    assert bench.scans() == [0]
    assert bench.device.counters.retransmits == 0


def test_another_boot_id_in_a_heartbeat_is_a_restart_and_nothing_more_is_needed():
    bench = Bench()
    bench.run(500)
    beat = frames.plain_frame(encode(Heartbeat(5, BOOT + 1, 0)))
    assert bench.host.receive(beat, bench.now) == [DeviceRestarted(BOOT, BOOT + 1)]
    assert bench.host.state is HostState.CONNECTING
    assert bench.host.receive(beat, bench.now) == []


def test_a_request_repeated_in_its_session_is_a_sign_of_life_and_begins_nothing(device_link):
    device = device_link(0, identity=identity())
    request = frames.plain_frame(encode(IdentifyRequest(1, 0, NONCE)))
    told = [event for now in range(0, 5000, 250) for event in device.receive(request, now)]
    assert told == [HostConnected(NONCE)]
    assert device.state is DeviceState.READY


def test_noise_makes_a_side_ask_at_once_but_not_without_end():
    bench = Bench()
    bench.run(500)
    host = bench.host
    frame = frames.data_frame(host._session, host._expected, 0, encode(arrived(1)))
    damaged = bytes([frame[0] ^ 1]) + frame[1:]
    asked = 0
    for now in range(bench.now, bench.now + 100):
        host.receive(damaged, now)
        bodies = Framer().feed(host.outgoing(now))
        asked += sum(body[0] == frames.NAK for body in bodies)
        if now == bench.now:
            assert asked == 1
    assert asked == 5


@pytest.mark.parametrize("order", [(1, 3), (2, 3), (3,), (1, 2), (2, 1), (1, 1, 3), ()])
def test_an_inventory_with_parts_missing_is_asked_for_again(order):
    bench = Bench(device=identity(antennas=1))
    bench.answers = False
    bench.run(300)
    (first,) = [event.message for event in bench.device_events if hasattr(event, "message")]
    for part in order:
        bench.device.send(Inventory(first.request_id, 1, 0, 1, 50, part, 3, (UID,)), bench.now)
    bench.device.send(InventoryDone(first.request_id), bench.now)
    bench.run(100)
    assert not bench.told(SnapshotComplete)
    second = [event.message for event in bench.device_events if hasattr(event, "message")][-1]
    assert second.request_id != first.request_id
    for part in (1, 2, 3):
        bench.device.send(Inventory(second.request_id, 1, 0, 1, 50, part, 3, (UID,)), bench.now)
    bench.device.send(InventoryDone(second.request_id), bench.now)
    bench.run(100)
    assert bench.told(SnapshotComplete) == [SnapshotComplete(second.request_id)]


# ---------------------------------------------------------------- waking up, and a ring of the last frames


@pytest.mark.parametrize("lost", [0, 1, 31])
def test_a_device_that_loses_what_wakes_it_answers_the_first_request(lost):
    host, device = HostLink(0, nonce=NONCE), DeviceLink(0, identity=identity())
    first = host.outgoing(0)
    assert device.receive(first[lost:], 0) == [HostConnected(NONCE)]


def test_what_a_broken_session_left_half_said_does_not_take_the_first_request_with_it():
    host, device = HostLink(0, nonce=NONCE), DeviceLink(0, identity=identity())
    half = data_frame(1, 1, 0, encode(arrived(1)))[:-4]
    device.receive(half, 0)
    assert device.receive(host.outgoing(0), 0) == [HostConnected(NONCE)]


def test_a_host_that_was_answered_wakes_nobody():
    bench = Bench()
    bench.run(1000)
    said = []
    bench.host.tap(lambda incoming, body: said.append((incoming, body[0])))
    assert WAKE not in bench.host.outgoing(bench.now + 250)
    assert said == [(False, 0x05)]


def test_every_frame_both_ways_can_be_heard_in_the_clear(device_link):
    bench = Bench(link=device_link)
    heard = []
    bench.host.tap(lambda incoming, body: heard.append((incoming, parse(body))))
    bench.run(600)
    bench.emit(1, 1)
    bench.run(400)
    kinds = [(incoming, frame.kind.name) for incoming, frame in heard]
    assert kinds[:2] == [(False, "PLAIN"), (True, "PLAIN")]
    assert (False, "DATA") in kinds and (True, "DATA") in kinds and (False, "ACK") in kinds
    told = [decode(frame.payload) for incoming, frame in heard if incoming and frame.kind.name == "DATA"]
    assert arrived(1) in told
    bench.host.tap(None)
    count = len(heard)
    bench.run(600)
    assert len(heard) == count


# ---------------------------------------------------------------- who is there?


def test_who_is_there_is_answered_without_a_session(device_link):
    device = device_link(0, identity=identity())
    probe = Probe(0, nonce=7)
    assert device.receive(probe.outgoing(0), 0) == []
    found = probe.receive(device.outgoing(0))
    assert (found.serial, found.nonce) == (identity().serial, 7)
    assert device.state is DeviceState.WAITING


def test_who_is_there_changes_nothing_for_the_device_s_own_host(device_link):
    """What that host has taken is not told again, although somebody asked in between."""
    bench = Bench(link=device_link)
    bench.run(600)
    bench.emit(1, 3)
    bench.until(lambda: bench.scans() == [1, 2, 3])
    bench.down.cut = True  # its acknowledgements are lost
    bench.emit(4, 2)
    bench.until(lambda: bench.scans() == [1, 2, 3, 4, 5])
    probe = Probe(bench.now, nonce=99)
    bench.device.receive(probe.outgoing(bench.now), bench.now)
    probe.receive(bench.device.outgoing(bench.now))
    bench.down.cut = False
    bench.host.restart(bench.now)
    bench.emit(6, 1)
    bench.run(3000)
    assert bench.scans() == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("other", [b"", b"\x00" * 40, b"\x02\x55noise\x00", bytes(range(256))])
def test_who_is_there_is_asked_again_and_only_its_own_answer_counts(other):
    device = DeviceLink(0, identity=identity())
    probe = Probe(0, nonce=7)
    assert probe.outgoing(0)
    assert probe.outgoing(100) == b""
    stray = DeviceLink(0, identity=identity(serial="X-9"))
    stray.receive(Probe(0, nonce=8).outgoing(0), 0)
    assert probe.receive(other + stray.outgoing(0)) is None
    assert probe.next_deadline_ms() == 250
    device.receive(probe.outgoing(250), 250)
    answer = device.outgoing(250)
    assert probe.receive(answer[:9]) is None
    assert probe.receive(answer[9:]).serial == identity().serial


def test_a_device_of_another_major_version_still_says_who_it_is():
    device = DeviceLink(0, identity=identity(major=MAJOR + 1))
    probe = Probe(0, nonce=7)
    device.receive(probe.outgoing(0), 0)
    assert probe.receive(device.outgoing(0)).major == MAJOR + 1
    assert WHO_IS_THERE != MAJOR


def test_a_host_takes_its_own_device_only_and_says_who_is_there_instead():
    host = HostLink(0, nonce=NONCE, accepts=lambda found: found.serial == "OURS")
    other = DeviceLink(0, identity=identity(serial="OTHER"))
    other.receive(host.outgoing(0), 0)
    [told] = host.receive(other.outgoing(0), 1)
    assert isinstance(told, IdentityRefused) and told.identity.serial == "OTHER"
    assert host.state is HostState.REFUSED
    assert host.outgoing(2) == b""
    other.receive(host.outgoing(host.next_deadline_ms()), 2500)
    assert host.receive(other.outgoing(2500), 2500) == []  # told once
    ours = DeviceLink(0, identity=identity(serial="OURS"))
    ours.receive(host.outgoing(host.next_deadline_ms()), 5000)
    assert Ready in [type(event) for event in host.receive(ours.outgoing(5000), 5000)]
