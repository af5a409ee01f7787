"""The C reference beside the Python: the same bytes, the same refusals, clean under the sanitizers; and over a real port."""

from __future__ import annotations

import json
import os
import random
import select
import subprocess
import threading
import time
import tty
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_protocol.errors import ProtocolError
from firmware_protocol.events import MessageReceived, SnapshotComplete
from firmware_protocol.framing import MAX_BODY, Framer, encode_frame
from firmware_protocol.host import HostLink
from firmware_protocol.messages import (
    DeviceKind,
    Heartbeat,
    Inventory,
    InventoryRequest,
    Overflow,
    ShoeExit,
    ShoeFace,
    ShoeState,
    ShoeStatus,
    ShufflerState,
    ShufflerStatus,
    TagArrived,
    TagLeft,
    decode,
    encode,
)
from tests.firmware_protocol.c_kit import SANITIZERS, SOURCES, WARNINGS, Driver, compiled_example
from tests.firmware_protocol.kit import LINES, UID, Line, identity

VECTORS = Path(__file__).parents[2] / "firmware_protocol" / "vectors"
MAX_MESSAGE = MAX_BODY - 7


@pytest.fixture(scope="module")
def driver():
    driver = Driver()
    yield driver
    driver.close()


def vectors(name: str):
    return json.loads((VECTORS / name).read_text("utf-8"))


def through_c(driver: Driver, payload: bytes) -> bytes:
    """A message read and written by the C; empty when it refuses it."""
    return driver.ask_bytes(b"m" + bytes((len(payload),)) + payload, 1)


def bodies(driver: Driver, data: bytes) -> list[bytes]:
    count = int.from_bytes(driver.ask(b"f" + len(data).to_bytes(2, "big") + data, 2), "big")
    return [driver.read(int.from_bytes(driver.read(2), "big")) for _ in range(count)]


def test_every_declared_message_is_read_and_written_alike(driver):
    for vector in vectors("messages.json"):
        payload = bytes.fromhex(vector["payload"])
        assert through_c(driver, payload) == payload, vector["message"]


def test_what_the_python_refuses_the_c_refuses(driver):
    for vector in vectors("refused.json"):
        payload = bytes.fromhex(vector["payload"])
        if len(payload) < 256:
            assert through_c(driver, payload) == b"", vector


def test_frames_are_the_golden_ones(driver):
    for vector in vectors("frames.json"):
        frame = bytes.fromhex(vector["frame"])
        (body,) = bodies(driver, frame)
        assert driver.ask_bytes(b"e" + len(body).to_bytes(2, "big") + body) == frame


@given(st.binary(min_size=1, max_size=MAX_MESSAGE))
def test_any_bytes_are_taken_or_refused_by_both(driver, data):
    """Also with the id of a real message in front, which random bytes rarely have."""
    for payload in (
        data,
        *(bytes((message_id,)) + data[1:] for message_id in (0x02, 0x10, 0x11, 0x20, 0x41)),
    ):
        try:
            expected = encode(decode(payload))
        except ProtocolError:
            expected = b""
        assert through_c(driver, payload) == expected


@given(st.data())
def test_damaged_messages_are_taken_or_refused_by_both(driver, data):
    payload = bytearray.fromhex(data.draw(st.sampled_from(vectors("messages.json")))["payload"])
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(payload) - 1))
        change = data.draw(st.sampled_from(("set", "cut", "double")))
        if change == "set":
            payload[at] = data.draw(st.integers(0, 255))
        elif change == "double" and len(payload) < MAX_MESSAGE:
            payload.insert(at, payload[at])
        elif len(payload) > 1:
            del payload[at]
    try:
        expected = encode(decode(bytes(payload)))
    except ProtocolError:
        expected = b""
    assert through_c(driver, bytes(payload)) == expected


@given(st.binary(min_size=1, max_size=MAX_BODY))
def test_any_body_has_the_same_frame(driver, body):
    assert driver.ask_bytes(b"e" + len(body).to_bytes(2, "big") + body) == encode_frame(body)


def test_a_body_that_no_frame_holds_is_refused(driver):
    for size in (0, MAX_BODY + 1, 5000):
        assert driver.ask_bytes(b"e" + size.to_bytes(2, "big") + b"\1" * size) == b""


@pytest.mark.parametrize("seed", range(20))
def test_noise_and_frames_give_the_same_bodies(driver, seed):
    rng = random.Random(seed)
    driver.ask(b"f\0\1\0", 2)
    framer = Framer()
    for _ in range(200):
        body = rng.randbytes(rng.randint(1, MAX_BODY))
        frame = bytearray(encode_frame(body))
        if rng.random() < 0.4:
            frame[rng.randrange(len(frame))] = rng.choice((0, 1, 0xFF, rng.randrange(256)))
        data = bytes(frame) + rng.randbytes(rng.choice((0, 0, 1, 40, 600)))
        at = rng.randint(0, len(data))
        for part in (data[:at], data[at:]):
            assert bodies(driver, part) == framer.feed(part)


def test_a_device_refuses_what_it_does_not_send():
    for kind, message, taken in (
        (DeviceKind.READER, TagArrived(1, 0, 0, 50, UID), True),
        (DeviceKind.SHUFFLER, TagArrived(1, 0, 0, 50, UID), False),
        (DeviceKind.SHUFFLER, ShufflerState(0, ShufflerStatus.IDLE), True),
        (DeviceKind.READER, ShufflerState(0, ShufflerStatus.IDLE), False),
        (DeviceKind.SHOE, ShoeExit(0, 1, ShoeFace.UP), True),
        (DeviceKind.SHOE, ShoeState(0, ShoeStatus.COUNTING, 1), True),
        (DeviceKind.READER, ShoeExit(0, 1, ShoeFace.UP), False),
        (DeviceKind.READER, Heartbeat(0, 0, 0), False),
        (DeviceKind.READER, InventoryRequest(1), False),
        (DeviceKind.READER, Overflow(1, 1, 1), False),
    ):
        device = Driver()
        who, data = encode(identity(kind=kind)), encode(message)
        device.ask(b"b" + bytes((len(who),)) + who + bytes(4), 1)
        assert device.ask(b"s" + bytes(4) + bytes((len(data),)) + data, 1) == bytes((taken,))
        device.close()


def test_the_sources_compile_for_small_machines(tmp_path):
    """A window of one message and little memory: what a small controller would set; no allocation is called."""
    options = ["-DTP_WINDOW=1", "-DTP_WAITING_BYTES=512", "-Os"]
    for source in sorted(SOURCES.glob("*.c")):
        made = tmp_path / (source.stem + ".o")
        subprocess.run(["gcc", *WARNINGS, *options, "-c", str(source), "-o", str(made)], check=True)
        symbols = subprocess.run(["nm", "-u", str(made)], check=True, capture_output=True, text=True).stdout
        outside = {line.split()[-1] for line in symbols.splitlines()}
        assert {name for name in outside if not name.startswith("tp_")} <= {
            "memcpy",
            "memset",
            "__stack_chk_fail",
        }


def test_the_sanitizers_are_awake(tmp_path):
    """A compiler without them would make the other tests of this folder weaker without a word."""
    source = tmp_path / "wrong.c"
    source.write_text("int main(int n, char **a) { int x[2] = {0, 0}; (void)a; return x[n + 1]; }\n", "utf-8")
    subprocess.run(["gcc", *SANITIZERS, "-w", str(source), "-o", str(tmp_path / "wrong")], check=True)
    ended = subprocess.run([tmp_path / "wrong"], capture_output=True, text=True, check=False)
    assert ended.returncode != 0 and "out of bounds" in ended.stderr


# ---------------------------------------------------------------- the example over a real port


class Relay:
    """Two pseudo-terminals joined by two of the kit's lines, in real time: host ↔ here ↔ device."""

    def __init__(self, up: Line, down: Line) -> None:
        self.pairs = [os.openpty(), os.openpty()]
        for pair in self.pairs:
            for end in pair:
                tty.setraw(end)
                os.set_blocking(end, False)
        self._lines = (down, up)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def host(self) -> int:
        """The host's end."""
        return self.pairs[0][1]

    @property
    def device_port(self) -> str:
        return os.ttyname(self.pairs[1][1])

    def _run(self) -> None:
        masters = [pair[0] for pair in self.pairs]
        while not self._ended.is_set():
            ready, _, _ = select.select(masters, [], [], 0.002)
            now_ms = time.monotonic_ns() // 1_000_000
            for index, line in enumerate(self._lines):
                if masters[index] in ready:
                    line.write(os.read(masters[index], 4096), now_ms)
                for portion in line.read(now_ms):
                    _write_all(masters[1 - index], portion)

    def close(self) -> None:
        self._ended.set()
        self._thread.join()
        for pair in self.pairs:
            for end in pair:
                os.close(end)


def _write_all(port: int, data: bytes) -> None:
    written = 0
    while written < len(data):
        try:
            written += os.write(port, data[written:])
        except BlockingIOError:
            time.sleep(0.001)


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("key", [b"", bytes(range(32))], ids=["open", "secured"])
def test_the_example_over_a_port_tells_every_event_once_and_in_order(name, key, tmp_path):
    count = 150
    key_file = tmp_path / "key"
    key_file.write_text(key.hex(), "utf-8")
    relay = Relay(LINES[name](5), LINES[name](6))
    reader = subprocess.Popen(
        [compiled_example(), relay.device_port, "C-0001", str(count), "4", *([str(key_file)] if key else [])],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    host = HostLink(0, nonce=7, keys={1: key} if key else None, random=os.urandom)
    told: list[object] = []
    started = time.monotonic()

    def now_ms() -> int:
        return int((time.monotonic() - started) * 1000)

    def changes() -> list[object]:
        messages = [event.message for event in told if isinstance(event, MessageReceived)]
        return [message for message in messages if isinstance(message, (TagArrived, TagLeft))]

    try:
        while len(changes()) < count or not any(isinstance(event, SnapshotComplete) for event in told):
            assert time.monotonic() - started < 60, f"{len(changes())} events after a minute"
            assert reader.poll() is None, reader.stderr.read().decode()
            if data := host.outgoing(now_ms()):
                os.write(relay.host, data)
            due = host.next_deadline_ms()
            wait_s = 0.05 if due is None else min(max(due - now_ms(), 0) / 1000, 0.05)
            ready, _, _ = select.select([relay.host], [], [], wait_s)
            told += host.receive(os.read(relay.host, 4096) if ready else b"", now_ms())
    finally:
        _, errors = reader.communicate(timeout=20)
        relay.close()
    assert (reader.returncode, errors) == (0, b"")
    assert [message.scan for message in changes()] == list(range(1, count + 1))
    assert all(isinstance(message, TagArrived) == bool(message.scan % 2) for message in changes())
    assert host.secured == bool(key)
    assert host.identity is not None and host.identity.serial == "C-0001"
    seen = [event.message for event in told if isinstance(event, MessageReceived)]
    last = {message.antenna: message.uids for message in seen if isinstance(message, Inventory)}
    assert (len(last[2]), len(last[3])) == (1, 0)
