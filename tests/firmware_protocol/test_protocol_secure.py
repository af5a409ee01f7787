"""The secured session: on every kind of line, with every kind of wrong key, and with somebody on the cable."""

from __future__ import annotations

import hmac
import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.bindings import crypto_aead_chacha20poly1305_ietf_encrypt

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
from tests.firmware_protocol.c_kit import CDeviceLink, Driver, close_all
from tests.firmware_protocol.kit import BOOT, LINES, NONCE, UID, Bench, Line, arrived, identity

SPEC = Path(__file__).parents[2] / "firmware_protocol" / "spec.md"
KEY = bytes(range(32))
OTHER = bytes(range(32, 64))


#: The device of the test that runs: the Python one, or what firmware authors get in C.
DEVICE: list[type] = [DeviceLink]


@pytest.fixture(params=[DeviceLink, CDeviceLink], ids=["python", "c"])
def each_device(request: pytest.FixtureRequest) -> Iterator[None]:
    DEVICE[0] = request.param
    yield
    DEVICE[0] = DeviceLink
    close_all()


both_devices = pytest.mark.usefixtures("each_device")


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
        link=partial(DEVICE[0], keys={1: KEY} if device is None else device, random=dice(1)),
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


@pytest.mark.parametrize("name", LINES)
def test_every_event_of_the_device_in_c_arrives_once_and_in_order(name):
    DEVICE[0] = CDeviceLink
    try:
        bench = secured(LINES[name](3), LINES[name](103))
        bench.emit(0, 40, every_ms=7)
        bench.emit(40, 120)
        bench.until(lambda: len(bench.scans()) >= 160)
        bench.run(2000)
        assert bench.scans() == list(range(160))
        assert bench.lost() == 0
        assert bench.told(SnapshotComplete)
        assert not bench.told(LinkFailed)
        assert bench.host.secured and bench.device.secured
    finally:
        DEVICE[0] = DeviceLink
        close_all()


@both_devices
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


@both_devices
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


@both_devices
def test_a_device_with_a_key_and_a_host_without_one():
    bench = secured(host={})
    assert refused(bench) == ("no_key", 1)
    assert bench.device.state is DeviceState.WAITING


@both_devices
def test_a_host_with_a_key_and_a_device_without_one():
    assert refused(secured(device={})) == ("not_offered", 0)


@both_devices
def test_a_host_with_another_key():
    bench = secured(host={1: OTHER})
    assert refused(bench) == ("wrong_key", 1)
    assert bench.device.counters.forged >= MAX_ANSWERS
    assert bench.device.state is DeviceState.WAITING


@both_devices
def test_a_refused_device_stays_refused_while_it_is_tried_again():
    """Its next tries begin with a challenge, too: that is no news for the lamp."""
    bench = secured(host={1: OTHER})
    refused(bench)
    for _ in range(300):
        bench.run(50)
        assert bench.host.state is HostState.REFUSED
        assert not bench.host.securing


@both_devices
def test_a_host_with_keys_of_other_numbers():
    assert refused(secured(host={2: KEY, 3: OTHER})) == ("unknown_key", 1)


@both_devices
def test_a_refused_device_is_tried_again_and_works_once_it_has_the_key():
    bench = secured(device={1: OTHER})
    refused(bench)
    bench.device = DEVICE[0](bench.now, identity=identity(boot_id=BOOT + 1), keys={1: KEY}, random=dice(3))
    bench.emit(0, 3)
    bench.run(6000)
    assert bench.host.state is HostState.READY
    assert bench.scans() == [0, 1, 2]


@both_devices
def test_rotation_new_key_at_the_host_then_at_the_device_then_the_old_one_goes():
    bench = secured(device={4: KEY}, host={4: KEY, 5: OTHER})
    bench.emit(0, 5)
    bench.run(1000)
    bench.device = DEVICE[0](
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


@both_devices
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


@both_devices
def test_a_restarted_device_is_known_by_its_next_word():
    bench = secured()
    bench.run(500)
    bench.device = DEVICE[0](bench.now, identity=identity(boot_id=BOOT + 1), keys={1: KEY}, random=dice(9))
    bench.emit(0, 3)
    bench.run(700)
    assert bench.host.state is HostState.READY
    assert bench.host.identity.boot_id == BOOT + 1
    assert bench.scans() == [0, 1, 2]


@both_devices
@pytest.mark.parametrize("name", ["whole", "lossy", "noisy", "delayed"])
def test_a_long_session_is_replaced_before_its_numbers_run_out_and_nothing_is_lost(name):
    bench = secured(LINES[name](3), LINES[name](4), rekey_frames=40)
    bench.emit(0, 300, every_ms=25)
    bench.until(lambda: len(bench.scans()) >= 300)
    assert bench.scans() == list(range(300))
    assert bench.host.counters.sessions > 3


@both_devices
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


@both_devices
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
    fresh = DEVICE[0](0, identity=identity(), keys={1: KEY}, random=dice(77))
    fresh.receive(bench.down.written, 0)
    assert fresh.state is DeviceState.WAITING
    assert not any(isinstance(event, HostConnected) for event in fresh.receive(bench.down.written, 1))


@both_devices
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
    asked = data_frame(session, bench.host._outbox.last_sent + 1, 0, encode(InventoryRequest(5, 255)))
    bench.device_events.clear()
    assert bench.device.receive(asked, bench.now) == []
    assert bench.device.counters.unsecured == 1
    bench.emit(0, 2)
    bench.run(500)
    assert bench.scans() == [0, 1]
    assert bench.host.counters.sessions == 1


@both_devices
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


@both_devices
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


@both_devices
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


@both_devices
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


# ---------------------------------------------------------------- the cryptography in C


@pytest.fixture
def driver() -> Iterator[Driver]:
    made = Driver()
    yield made
    made.close()


def hashed(driver: Driver, key: bytes, data: bytes) -> bytes:
    return driver.ask(b"h" + bytes((len(key),)) + key + len(data).to_bytes(2, "big") + data, 32)


def sealed(driver: Driver, key: bytes, nonce: bytes, ad: bytes, text: bytes) -> bytes:
    return driver.ask_bytes(b"x" + key + nonce + bytes((len(ad),)) + ad + len(text).to_bytes(2, "big") + text)


def opened(driver: Driver, key: bytes, nonce: bytes, ad: bytes, text: bytes) -> bytes | None:
    right = driver.ask(b"y" + key + nonce + bytes((len(ad),)) + ad + len(text).to_bytes(2, "big") + text, 1)
    data = driver.read(int.from_bytes(driver.read(2), "big"))
    return data if right == b"\1" else None


def test_hmac_in_c_has_the_values_of_rfc_4231(driver):
    """Cases 1 to 4 of section 4; case 2 and the digest of the empty message hold the padding."""
    cases = [
        (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        (
            b"Jefe",
            b"what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        ),
        (b"\xaa" * 20, b"\xdd" * 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        (
            bytes(range(1, 26)),
            b"\xcd" * 50,
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
        ),
    ]
    for key, data, digest in cases:
        assert hashed(driver, key, data).hex() == digest


@pytest.mark.parametrize("size", [0, 1, 55, 56, 63, 64, 65, 119, 120, 127, 128, 1000])
def test_hmac_in_c_is_the_standard_librarys_at_every_edge_of_a_block(driver, size):
    data = random.Random(size).randbytes(size)
    assert hashed(driver, KEY, data) == hmac.digest(KEY, data, "sha256")


def test_the_aead_in_c_has_the_value_of_rfc_8439(driver):
    """Section 2.8.2."""
    key = bytes(range(0x80, 0xA0))
    nonce = bytes.fromhex("070000004041424344454647")
    ad = bytes.fromhex("50515253c0c1c2c3c4c5c6c7")
    text = (
        b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
        b"sunscreen would be it."
    )
    out = sealed(driver, key, nonce, ad, text)
    assert out[:16].hex() == "d31a8d34648e60db7b86afbc53ef7ec2"
    assert out[-16:].hex() == "1ae10b594f09e26a7e902ecbd0600691"
    assert opened(driver, key, nonce, ad, out) == text


def poly1305(key: bytes, data: bytes) -> bytes:
    """The definition, in whole numbers (RFC 8439, section 2.5.1)."""
    r = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    total = 0
    for at in range(0, len(data), 16):
        total = (total + int.from_bytes(data[at : at + 16] + b"\1", "little")) * r % (2**130 - 5)
    return ((total + int.from_bytes(key[16:], "little")) % 2**128).to_bytes(16, "little")


#: Sums just below, at and above the prime, and carries through every limb (RFC 8439, appendix A.3, cases 7 to 11, and more).
EDGES = [
    (2, 0, b"\xff" * 16),
    (2, 2**128 - 1, b"\x02" + bytes(15)),
    (1, 0, b"\xff" * 16 + b"\xf0" + b"\xff" * 15 + b"\x11" + bytes(15)),
    (1, 0, b"\xff" * 16 + b"\xfb" + b"\xfe" * 15 + b"\x01" * 16),
    (2, 0, b"\xfd" + b"\xff" * 15),
    *[(1, 0, b"\xff" * 16 + bytes((low,)) + b"\xff" * 15 + b"\xff" * 16) for low in range(0xF6, 0x100)],
    *[(1, 0, bytes((low,)) + b"\xff" * 15 + b"\xff" * 16 + b"\xff" * 16) for low in range(0xF6, 0x100)],
]


@pytest.mark.parametrize(("r", "s", "data"), EDGES)
def test_poly1305_in_c_is_right_at_the_edges_of_its_numbers(driver, r, s, data):
    key = r.to_bytes(16, "little") + s.to_bytes(16, "little")
    assert driver.ask(b"p" + key + len(data).to_bytes(2, "big") + data, 16) == poly1305(key, data)


def test_the_aead_in_c_is_libsodiums(driver):
    """Keys, texts and sizes of many kinds."""
    rng = random.Random(1)
    for number in range(400):
        key = rng.randbytes(32) if number % 3 else bytes(32)
        nonce = rng.randbytes(12) if number % 5 else b"\xff" * 12
        ad = rng.choice((b"", b"\xff" * 16, rng.randbytes(rng.randrange(40))))
        text = rng.choice((b"", b"\xff" * 64, b"\0" * 63, rng.randbytes(rng.randrange(250))))
        expected = crypto_aead_chacha20poly1305_ietf_encrypt(text, ad, nonce, key)
        assert sealed(driver, key, nonce, ad, text) == expected
        assert opened(driver, key, nonce, ad, expected) == text
        if expected:
            changed = bytearray(expected)
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
            assert opened(driver, key, nonce, ad, bytes(changed)) is None
            assert opened(driver, key, nonce, ad + b"x", expected) is None
