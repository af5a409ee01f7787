"""The secured session: on every kind of line, with every kind of wrong key, and with somebody on the cable."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_protocol.device import DeviceLink, DeviceState
from firmware_protocol.events import HostConnected, LinkFailed, Ready, SecurityRefused, SnapshotComplete
from firmware_protocol.frames import (
    PLAIN,
    SECURED,
    SECURED_BYTES,
    ack_frame,
    data_frame,
    parse,
    plain_frame,
    reset_frame,
)
from firmware_protocol.framing import Framer, encode_frame
from firmware_protocol.host import MAX_ANSWERS, HostLink, HostState
from firmware_protocol.messages import (
    Heartbeat,
    IdentifyRequest,
    Inventory,
    InventoryRequest,
    SecureAnswer,
    SecureChallenge,
    SecureReady,
    TagArrived,
    decode,
    encode,
)
from firmware_protocol.secure import BadKeys, Channel, Opening, session_keys
from tests.firmware_protocol.kit import BOOT, LINES, NONCE, UID, Bench, Line, arrived, identity

SPEC = Path(__file__).parents[2] / "firmware_protocol" / "spec.md"
KEY = bytes(range(32))
OTHER = bytes(range(32, 64))


def dice(seed: int) -> Callable[[int], bytes]:
    return random.Random(seed).randbytes


def secured(
    up: Line | None = None,
    down: Line | None = None,
    *,
    device: dict[int, bytes] | None = None,
    host: dict[int, bytes] | None = None,
    **options,
) -> Bench:
    """Both ends with keys, by default the same one."""
    return Bench(
        up,
        down,
        link=partial(DeviceLink, keys={1: KEY} if device is None else device, random=dice(1)),
        host=partial(HostLink, keys={1: KEY} if host is None else host, random=dice(2), **options),
    )


def bodies(written: bytes) -> list[bytes]:
    return Framer().feed(written)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", LINES)
def test_every_event_arrives_once_and_in_order(name, seed):
    bench = secured(LINES[name](seed), LINES[name](seed + 100))
    bench.emit(0, 60, every_ms=7)
    bench.emit(60, 200)
    bench.emit(260, 60, every_ms=3)
    bench.until(lambda: len(bench.scans()) >= 320)
    bench.run(3000)
    assert bench.scans() == list(range(320))
    assert bench.lost() == 0
    assert bench.told(SnapshotComplete)
    assert not bench.told(LinkFailed)
    assert not bench.told(SecurityRefused)
    assert bench.host.secured
    assert bench.device.secured


def test_nothing_of_a_session_is_readable_on_the_line():
    bench = secured()
    bench.emit(0, 50, every_ms=10)
    bench.run(2000)
    assert bench.scans() == list(range(50))
    for line in (bench.up, bench.down):
        clear = [decode(body[1:]) for body in bodies(line.written) if body[0] == PLAIN]
        allowed = (IdentifyRequest, SecureChallenge, SecureAnswer, SecureReady)
        assert all(isinstance(message, allowed) or type(message).__name__ == "Identify" for message in clear)
        assert {body[0] for body in bodies(line.written)} == {PLAIN, SECURED}
        assert UID not in line.written
        assert KEY not in line.written


def test_two_sessions_have_no_sealed_frame_in_common():
    first, second = secured(), secured()
    second.host = HostLink(0, nonce=NONCE, keys={1: KEY}, random=dice(99))
    for bench in (first, second):
        bench.emit(0, 5)
        bench.run(1000)
    sealed = [{body for body in bodies(bench.up.written) if body[0] == SECURED} for bench in (first, second)]
    assert sealed[0] and sealed[1] and not sealed[0] & sealed[1]


# ---------------------------------------------------------------- keys that do not fit


def refused(bench: Bench) -> tuple[str, int]:
    bench.run(20_000)
    (event,) = bench.told(SecurityRefused)
    assert bench.host.state is HostState.REFUSED
    assert not bench.told(Ready)
    assert not bench.host_messages(object)
    assert "TR-12 R1-0001" in str(event.error)
    return event.error.reason, event.error.key_id


def test_a_device_with_a_key_and_a_host_without_one():
    bench = secured(host={})
    assert refused(bench) == ("no_key", 1)
    assert bench.device.state is DeviceState.WAITING


def test_a_host_with_a_key_and_a_device_without_one():
    assert refused(secured(device={})) == ("not_offered", 0)


def test_a_host_with_another_key():
    bench = secured(host={1: OTHER})
    assert refused(bench) == ("wrong_key", 1)
    assert bench.device.counters.forged >= MAX_ANSWERS
    assert bench.device.state is DeviceState.WAITING


def test_a_host_with_keys_of_other_numbers():
    assert refused(secured(host={2: KEY, 3: OTHER})) == ("unknown_key", 1)


def test_a_refused_device_is_tried_again_and_works_once_it_has_the_key():
    bench = secured(device={1: OTHER})
    refused(bench)
    bench.device = DeviceLink(bench.now, identity=identity(boot_id=BOOT + 1), keys={1: KEY}, random=dice(3))
    bench.emit(0, 3)
    bench.run(6000)
    assert bench.host.state is HostState.READY
    assert bench.scans() == [0, 1, 2]


def test_rotation_new_key_at_the_host_then_at_the_device_then_the_old_one_goes():
    bench = secured(device={4: KEY}, host={4: KEY, 5: OTHER})
    bench.emit(0, 5)
    bench.run(1000)
    bench.device = DeviceLink(
        bench.now, identity=identity(boot_id=BOOT + 1), keys={4: KEY, 5: OTHER}, random=dice(3)
    )
    bench.emit(5, 5)
    bench.run(3000)
    bench.host = HostLink(bench.now, nonce=NONCE + 50, keys={5: OTHER}, random=dice(4))
    bench.emit(10, 5)
    bench.run(3000)
    assert bench.scans() == list(range(15))
    assert bench.host.secured


@pytest.mark.parametrize("keys", [{0: KEY}, {256: KEY}, {1: KEY[:31]}, {1: KEY + b"x"}])
def test_keys_that_cannot_be(keys):
    for make in (
        lambda: HostLink(0, nonce=1, keys=keys, random=dice(1)),
        lambda: DeviceLink(0, identity=identity(), keys=keys, random=dice(1)),
    ):
        with pytest.raises(BadKeys, match="32 bytes"):
            make()
    with pytest.raises(ValueError, match="random"):
        HostLink(0, nonce=1, keys={1: KEY})
    with pytest.raises(ValueError, match="random"):
        DeviceLink(0, identity=identity(), keys={1: KEY})


# ---------------------------------------------------------------- coming back


def test_a_host_that_comes_back_loses_nothing_and_gets_nothing_twice():
    bench = secured()
    bench.run(500)
    for away in range(5):
        first = away * 20
        bench.emit(first, 10, every_ms=5)
        bench.host._connect(bench.now)
        bench.emit(first + 10, 10, every_ms=5)
    bench.run(3000)
    assert bench.scans() == list(range(100))


def test_a_restarted_device_is_known_by_its_next_word():
    bench = secured()
    bench.run(500)
    bench.device = DeviceLink(bench.now, identity=identity(boot_id=BOOT + 1), keys={1: KEY}, random=dice(9))
    bench.emit(0, 3)
    bench.run(700)
    assert bench.host.state is HostState.READY
    assert bench.host.identity.boot_id == BOOT + 1
    assert bench.scans() == [0, 1, 2]


@pytest.mark.parametrize("name", ["whole", "lossy", "noisy", "delayed"])
def test_a_long_session_is_replaced_before_its_numbers_run_out_and_nothing_is_lost(name):
    bench = secured(LINES[name](3), LINES[name](4), rekey_frames=40)
    bench.emit(0, 300, every_ms=25)
    bench.until(lambda: len(bench.scans()) >= 300)
    assert bench.scans() == list(range(300))
    assert bench.host.counters.sessions > 3


def test_a_pulled_cable():
    bench = secured()
    bench.run(500)
    bench.up.cut = bench.down.cut = True
    bench.emit(0, 30)
    bench.run(30_000)
    assert bench.host.state is HostState.STALE
    bench.up.cut = bench.down.cut = False
    bench.run(1000)
    assert bench.scans() == list(range(30))
    assert bench.host.counters.sessions == 1


# ---------------------------------------------------------------- somebody on the cable


def test_a_recorded_session_played_again_opens_nothing():
    bench = secured()
    bench.run(500)
    bench.emit(0, 5)
    bench.run(500)
    for frame in bench.down.written.split(b"\0"):
        bench.device.receive(b"\0" + frame + b"\0", bench.now)
    for frame in bench.up.written.split(b"\0"):
        bench.host_events += bench.host.receive(b"\0" + frame + b"\0", bench.now)
    bench.emit(5, 5)
    bench.run(2000)
    assert bench.scans() == list(range(10))
    assert bench.host.counters.forged > 5
    assert bench.host.counters.sessions == 1
    fresh = DeviceLink(0, identity=identity(), keys={1: KEY}, random=dice(77))
    fresh.receive(bench.down.written, 0)
    assert fresh.state is DeviceState.WAITING
    assert not any(isinstance(event, HostConnected) for event in fresh.receive(bench.down.written, 1))


def test_messages_in_the_clear_are_not_taken_in_a_secured_session():
    bench = secured()
    bench.run(500)
    bench.host_events.clear()
    session = NONCE & 0xFFFF
    said = [
        data_frame(session, bench.host._expected, 0, encode(arrived(1))),
        ack_frame(session, 3),
        plain_frame(encode(Heartbeat(1, BOOT + 5, 900))),
    ]
    for frame in said:
        assert bench.host.receive(frame, bench.now) == []
    assert bench.host.counters.unsecured == 3
    asked = data_frame(session, bench.device._expected, 0, encode(InventoryRequest(5, 255)))
    bench.device_events.clear()
    assert bench.device.receive(asked, bench.now) == []
    assert bench.device.counters.unsecured == 1
    bench.emit(0, 2)
    bench.run(500)
    assert bench.scans() == [0, 1]
    assert bench.host.counters.sessions == 1


def test_a_request_of_somebody_else_ends_no_session():
    bench = secured()
    bench.run(500)
    for nonce in (NONCE, NONCE + 1, 99):
        # Pretending to have taken everything, so that the device forgets what it keeps.
        forged = IdentifyRequest(1, 1, nonce, NONCE, 0xFFFF)
        bench.device.receive(plain_frame(encode(forged)), bench.now)
        bench.device.receive(plain_frame(encode(SecureAnswer(nonce, bytes(16), bytes(16)))), bench.now)
    bench.device.receive(plain_frame(encode(IdentifyRequest(9, 0, 5, 0, 0))), bench.now)
    assert bench.device.state is DeviceState.READY
    assert bench.device.counters.forged > 0
    bench.emit(0, 3)
    bench.run(1000)
    assert bench.scans() == [0, 1, 2]
    assert bench.host.counters.sessions == 1


def test_what_was_acknowledged_cannot_be_changed_on_the_way():
    """A host comes back; on the way its request is changed to acknowledge all that the device still keeps."""

    def lying(data: bytes) -> list[tuple[int, bytes]]:
        out = b""
        for body in Framer().feed(data):
            said = decode(body[1:]) if body[0] == PLAIN else None
            if isinstance(said, IdentifyRequest):
                out += plain_frame(encode(IdentifyRequest(said.major, said.minor, said.nonce, NONCE, 40)))
            else:
                out += encode_frame(body)
        return [(0, out)]

    bench = secured()
    bench.run(500)
    bench.up.cut = True
    bench.emit(0, 30)
    bench.run(100)
    bench.up.cut = False
    bench.down.mangle = lying
    bench.host = HostLink(bench.now, nonce=NONCE + 1, keys={1: KEY}, random=dice(5))
    bench.run(3000)
    assert not bench.scans()
    assert bench.host.state is not HostState.READY
    bench.down.mangle = lambda data: [(0, data)]
    bench.run(8000)
    assert bench.scans() == list(range(30))


def test_another_device_does_not_pass_for_this_one():
    """The identity is in the keys: a device that has the key of its own and says another's name gets no session."""

    def renamed(data: bytes) -> list[tuple[int, bytes]]:
        out = b""
        for body in Framer().feed(data):
            out += encode_frame(body.replace(b"R1-0001", b"R1-0002"))
        return [(0, out)]

    bench = secured(Line(renamed))
    bench.run(10_000)
    assert bench.host.state is HostState.REFUSED
    assert bench.told(SecurityRefused)[0].error.reason == "wrong_key"


def test_a_reset_by_somebody_else_costs_time_and_nothing_more():
    bench = secured()
    bench.run(500)
    for _ in range(5):
        bench.emit(10 * _, 10)
        bench.host.receive(reset_frame(bench.host._session or 0), bench.now)
        bench.run(400)
    bench.run(2000)
    assert bench.scans() == list(range(50))


@given(st.integers(0, 2**31), st.integers(1, 229))
def test_a_changed_frame_is_never_opened(seed, size):
    rng = random.Random(seed)
    seal, open_ = Channel(7, seal_key=KEY, open_key=OTHER), Channel(7, seal_key=OTHER, open_key=KEY)
    body = rng.randbytes(size)
    frames = [seal.seal(body) for _ in range(3)]
    assert all(len(frame) == size + SECURED_BYTES for frame in frames)
    assert len({frame[7:] for frame in frames}) == 3
    for _ in range(10):
        changed = bytearray(frames[1])
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
        assert open_.open(bytes(changed)) is None
        assert open_.open(frames[1][: rng.randrange(len(frames[1]))]) is None
    # In order, each once; one that was lost may be missing.
    assert open_.open(frames[1]) == body
    assert open_.open(frames[1]) is None
    assert open_.open(frames[0]) is None
    assert open_.open(frames[2]) == body


def test_a_direction_does_not_open_its_own_frames():
    keys = session_keys(KEY, Opening(b"r", b"i", 1, bytes(16), bytes(16)))
    assert len({keys.from_host, keys.from_device, keys.host_proof, keys.device_proof, KEY}) == 5
    host = Channel(1, seal_key=keys.from_host, open_key=keys.from_device)
    assert host.open(host.seal(b"\x05hello")) is None


@given(st.data())
def test_all_that_was_said_is_in_the_keys(data):
    parts = {
        "request": data.draw(st.binary(min_size=1, max_size=20)),
        "identify": data.draw(st.binary(min_size=1, max_size=20)),
        "key_id": data.draw(st.integers(1, 255)),
        "challenge": data.draw(st.binary(min_size=16, max_size=16)),
        "answer": data.draw(st.binary(min_size=16, max_size=16)),
    }
    name = data.draw(st.sampled_from(sorted(parts)))
    other = dict(parts)
    other[name] = parts[name] % 255 + 1 if name == "key_id" else parts[name] + b"x"
    assert session_keys(KEY, Opening(**parts)) != session_keys(KEY, Opening(**other))
    # Nothing can move from one part to the next.
    moved = {**parts, "request": parts["request"] + parts["identify"][:1], "identify": parts["identify"][1:]}
    assert session_keys(KEY, Opening(**parts)) != session_keys(KEY, Opening(**moved))


def test_the_worked_session_of_the_specification():
    """The same numbers as in spec.md: a firmware author can check each step."""
    request = encode(IdentifyRequest(1, 1, NONCE, 0, 0))
    answer = encode(identity(minor=1, antennas=12, nonce=NONCE))
    opening = Opening(request, answer, 1, bytes(range(16)), bytes(range(16, 32)))
    keys = session_keys(KEY, opening)
    channel = Channel(NONCE & 0xFFFF, seal_key=keys.from_device, open_key=keys.from_host)
    body = (
        b"\x01"
        + (NONCE & 0xFFFF).to_bytes(2, "big")
        + b"\0\1\0\0"
        + encode(TagArrived(3, 60100, 1202, 50, UID))
    )
    steps = {
        "transcript": opening.transcript(),
        "from host": keys.from_host,
        "from device": keys.from_device,
        "proof of host": keys.host_proof,
        "proof of device": keys.device_proof,
        "body": body,
        "secured body": channel.seal(body),
    }
    spec = SPEC.read_text("utf-8")
    for name, value in steps.items():
        assert f"{name:16}{value.hex()}" in spec, f"{name:16}{value.hex()}"
    assert parse(steps["secured body"]).session == NONCE & 0xFFFF


def test_repr_tells_no_key():
    bench = secured()
    bench.run(500)
    keys = session_keys(KEY, Opening(b"r", b"i", 1, bytes(16), bytes(16)))
    for thing in (keys, bench.host._channel, Opening(b"r", b"i", 1, bytes(16), bytes(16)), BadKeys(3)):
        assert KEY.hex() not in repr(thing)
        assert keys.from_host.hex() not in repr(thing)
        assert repr(keys.from_host) not in repr(thing)
    assert isinstance(bench.host_messages(Inventory), list)
