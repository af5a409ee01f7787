"""Frames: COBS, CRC, any split, any damage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import firmware_protocol
from firmware_protocol import frames
from firmware_protocol.device import DeviceLink
from firmware_protocol.framing import (
    MAX_BODY,
    MAX_ENCODED,
    BodyTooLong,
    Counters,
    Framer,
    cobs_decode,
    cobs_encode,
    crc16,
    encode_frame,
)
from firmware_protocol.host import HostLink
from tests.firmware_protocol.kit import NONCE, UID, Bench, arrived, identity

VECTORS = Path(firmware_protocol.__file__).parent / "vectors"
FRAMING = json.loads((VECTORS / "framing.json").read_text("utf-8"))
FRAMES = json.loads((VECTORS / "frames.json").read_text("utf-8"))

bodies = st.binary(min_size=1, max_size=MAX_BODY)


def test_the_check_value_of_the_crc():
    assert crc16(b"123456789") == 0x29B1


@pytest.mark.parametrize("vector", FRAMING["crc16"], ids=lambda vector: vector["crc"])
def test_golden_crcs(vector):
    assert f"{crc16(bytes.fromhex(vector['data'])):04x}" == vector["crc"]


@pytest.mark.parametrize("vector", FRAMING["cobs"], ids=lambda vector: vector["encoded"][:16])
def test_golden_cobs(vector):
    data, encoded = bytes.fromhex(vector["data"]), bytes.fromhex(vector["encoded"])
    assert cobs_encode(data) == encoded
    assert cobs_decode(encoded) == data


@pytest.mark.parametrize("vector", FRAMES, ids=lambda vector: vector["frame"][:20])
def test_golden_frames(vector):
    wire = bytes.fromhex(vector["frame"])
    (body,) = Framer().feed(wire)
    frame = frames.parse(body)
    assert frame is not None
    got = (frame.kind.name, frame.session, frame.seq, frame.ack, frame.payload.hex())
    assert got == tuple(vector[name] for name in ("kind", "session", "seq", "ack", "payload"))
    build = {
        "DATA": lambda: frames.data_frame(frame.session, frame.seq, frame.ack, frame.payload),
        "ACK": lambda: frames.ack_frame(frame.session, frame.ack),
        "NAK": lambda: frames.nak_frame(frame.session, frame.ack),
        "RESET": lambda: frames.reset_frame(frame.session),
        "PLAIN": lambda: frames.plain_frame(frame.payload),
    }[vector["kind"]]
    assert build() == wire


@given(st.binary(max_size=MAX_BODY + 2))
def test_cobs_round_trip(data):
    encoded = cobs_encode(data)
    assert 0 not in encoded
    assert len(encoded) == len(data) + 1
    assert cobs_decode(encoded) == data


@given(st.lists(bodies, max_size=8), st.data())
def test_any_split_gives_the_same_bodies(sent, data):
    wire = b"".join(map(encode_frame, sent))
    framer, got = Framer(), []
    while wire:
        size = data.draw(st.integers(1, 40))
        got += framer.feed(wire[:size])
        wire = wire[size:]
    assert got == sent
    assert framer.counters == Counters(frames=len(sent))


@given(bodies, st.binary(max_size=700).map(lambda noise: noise.replace(b"\0", b"\1")))
def test_a_frame_after_any_noise_and_a_delimiter_is_found(body, noise):
    framer = Framer()
    got = framer.feed(noise + b"\0" + encode_frame(body))
    assert got[-1] == body
    assert framer.counters.garbage_bytes == (len(noise) if len(got) == 1 else 0)


@given(st.binary(max_size=2000), st.integers(1, 300))
def test_memory_is_bounded_and_every_byte_accounted_for(noise, size):
    framer = Framer()
    for at in range(0, len(noise), size):
        framer.feed(noise[at : at + size])
        assert len(framer._partial) <= MAX_ENCODED
    for _ in range(10):
        framer.feed(b"\1" * size)
        assert len(framer._partial) <= MAX_ENCODED
    noise += b"\1" * size * 10
    framer.reset()
    zeros = noise.count(0)
    if not framer.counters.frames:
        assert framer.counters.garbage_bytes == len(noise) - zeros


def test_a_frame_too_long_is_dropped_whole_and_counted_once():
    framer = Framer()
    assert framer.feed(b"\x01" * 10_000) == []
    assert framer.feed(b"\x01" * 10_000 + b"\0") == []
    assert framer.counters == Counters(oversize=1, garbage_bytes=20_000)
    assert framer.feed(encode_frame(b"next")) == [b"next"]
    with pytest.raises(BodyTooLong):
        encode_frame(bytes(MAX_BODY + 1))
    assert framer.feed(encode_frame(bytes(MAX_BODY))) == [bytes(MAX_BODY)]
    assert framer.feed(encode_frame(b"\1" * MAX_BODY)) == [b"\1" * MAX_BODY]


def test_zeros_between_frames_mean_nothing():
    framer = Framer()
    assert framer.feed(b"\0\0" + encode_frame(b"a") + b"\0\0\0" + encode_frame(b"b")) == [b"a", b"b"]
    assert framer.counters == Counters(frames=2)


def test_every_single_flipped_bit_is_noticed():
    wire = frames.data_frame(1, 17, 4, b"\x20\x03" + bytes(10) + b"\x08" + UID)
    for bit in range((len(wire) - 1) * 8):
        damaged = bytearray(wire)
        damaged[bit // 8] ^= 1 << bit % 8
        assert Framer().feed(bytes(damaged)) == []


@settings(max_examples=300)
@given(st.data())
def test_a_damaged_line_never_raises_and_never_invents(data):
    """Good traffic, damaged anywhere: what the host is told is a part of what was sent."""
    bench = Bench()
    bench.run(500)
    sent = [arrived(number) for number in range(6)]
    for message in sent:
        bench.device.send(message, bench.now)
    wire = bytearray(bench.device.outgoing(bench.now))
    for _ in range(data.draw(st.integers(1, 12))):
        at = data.draw(st.integers(0, len(wire) - 1))
        match data.draw(st.sampled_from(["flip", "drop", "insert", "zero"])):
            case "flip":
                wire[at] ^= data.draw(st.integers(1, 255))
            case "drop":
                del wire[at]
            case "insert":
                wire.insert(at, data.draw(st.integers(0, 255)))
            case "zero":
                wire[at] = 0
    bench.host_events.clear()
    bench.host_events += bench.host.receive(bytes(wire), bench.now)
    told = [event.message for event in bench.host_events]
    assert told == sent[: len(told)]
    bench.run(3000)
    assert bench.scans() == [message.scan for message in sent]


@given(st.lists(st.binary(max_size=300), max_size=10))
def test_garbage_never_raises_in_any_state(portions):
    ready = Bench()
    ready.run(300)
    for link in (HostLink(0, nonce=NONCE), DeviceLink(0, identity=identity()), ready.host, ready.device):
        for number, portion in enumerate(portions):
            link.receive(portion, 1000 + number * 300)
            link.outgoing(1000 + number * 300)
            link.next_deadline_ms()


@given(
    st.lists(
        st.one_of(
            st.binary(min_size=1, max_size=30),
            st.binary(min_size=1, max_size=30).map(lambda b: b"\1\0\1" + b),
        ),
        max_size=10,
    )
)
def test_good_frames_with_any_content_never_raise(contents):
    ready = Bench()
    ready.run(300)
    for link in (HostLink(0, nonce=1), DeviceLink(0, identity=identity()), ready.host, ready.device):
        for number, body in enumerate(contents):
            link.receive(encode_frame(body), 300 + number * 100)
            link.outgoing(300 + number * 100)
