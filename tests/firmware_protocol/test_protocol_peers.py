"""The other side keeps to the frames and not to the rules: the link raises nothing and mends itself."""

from __future__ import annotations

import pytest

from firmware_protocol.errors import BadField, QueueFull
from firmware_protocol.events import ForbiddenReceived, LinkFailed, MessageReceived, Ready
from firmware_protocol.frames import SEQ_MASK, FrameKind, data_frame, parse, plain_frame
from firmware_protocol.framing import Framer
from firmware_protocol.host import HostLink, HostState
from firmware_protocol.messages import (
    IdentifyRequest,
    InventoryRequest,
    LogText,
    Message,
    Overflow,
    decode,
    encode,
)
from tests.firmware_protocol.kit import NONCE, Bench, arrived, identity


def sent(data: bytes) -> list[Message]:
    """The messages in what a link wrote."""
    frames = [parse(body) for body in Framer().feed(data)]
    return [decode(frame.payload) for frame in frames if frame is not None and frame.payload]


def ready_host(nonce: int = NONCE) -> HostLink:
    host = HostLink(0, nonce=nonce)
    host.outgoing(0)
    host.receive(plain_frame(encode(identity(nonce=nonce))), 1)
    host.outgoing(1)
    assert host.state is HostState.READY
    return host


def test_a_device_that_overflows_without_end_and_acknowledges_nothing_gets_a_new_session():
    host = ready_host()
    for number in range(1, 200):
        host.receive(data_frame(NONCE & SEQ_MASK, number, 0, encode(Overflow(number, number, 1))), 2)
        written = host.outgoing(2)
        if host.state is HostState.CONNECTING:
            break
    assert host.state is HostState.CONNECTING
    assert number <= 64
    (request,) = [message for message in sent(written) if isinstance(message, IdentifyRequest)]
    # Everything it took is named, so that a device that still knows the session tells nothing twice.
    assert (request.nonce, request.last_nonce, request.last_seq) == (NONCE + 1, NONCE, number)
    (ready,) = host.receive(plain_frame(encode(identity(nonce=request.nonce))), 3)
    assert isinstance(ready, Ready)
    assert [type(message) for message in sent(host.outgoing(3))].count(InventoryRequest) == 1


def test_overflow_while_the_queue_is_full_of_requests_of_the_user():
    bench = Bench()
    bench.run(500)
    for _ in range(64):
        bench.host.request_inventory(bench.now, 1)
    with pytest.raises(QueueFull):
        bench.host.request_inventory(bench.now, 1)
    bench.host_events.clear()
    bench.device._outbox._lost = 5
    bench.run(2000)
    assert bench.lost() == 5
    assert not bench.told(LinkFailed)
    bench.device.send(LogText("still there"), bench.now)
    bench.run(100)
    assert bench.host_messages(LogText) == [LogText("still there")]


def test_a_request_that_was_refused_is_not_asked_later():
    host = ready_host()
    for antenna in (0, 256):
        with pytest.raises(BadField):
            host.request_inventory(2, antenna)
    refused = HostLink(0, nonce=NONCE)
    for _ in range(64):
        refused.send(InventoryRequest(9, 1), 0)
    with pytest.raises(QueueFull):
        refused.request_inventory(0)
    assert len(host._snapshots._open) == 1
    assert not refused._snapshots._open


def numbered(payload: bytes, seq: int) -> bytes:
    return data_frame(NONCE & SEQ_MASK, seq, 0, payload)


@pytest.mark.parametrize(
    "unreadable",
    [b"", b"\x00", encode(Overflow(7, 7, 1)), encode(InventoryRequest(1)), b"\x7fnew"],
    ids=["short", "long", "overflow of another number", "not a device's", "unknown"],
)
def test_damage_that_the_crc_missed_costs_no_event(unreadable: bytes):
    good = encode(arrived(1))
    damaged = {b"": good[:-1], b"\x00": good + b"\x00"}.get(unreadable, unreadable)
    host = ready_host()
    assert host.receive(numbered(damaged, 1), 2) == []
    assert host.counters.malformed + host.counters.unknown == 1
    (answer,) = [parse(body) for body in Framer().feed(host.outgoing(2)) if parse(body).kind is FrameKind.NAK]
    assert answer.ack == 0
    assert host.receive(numbered(good, 1), 3) == [MessageReceived(arrived(1))]


def test_what_stays_unreadable_is_skipped_and_does_not_stop_the_link():
    host = ready_host()
    for at in (2, 3):
        assert host.receive(numbered(b"\x20\x00", 1), at) == []
        host.outgoing(at)
    assert host.receive(numbered(encode(arrived(1)), 2), 4) == [MessageReceived(arrived(1))]
    assert host.counters.malformed == 1


def test_card_order_is_told_the_first_time_it_comes():
    host = ready_host()
    assert host.receive(numbered(b"\xd3" + bytes(52), 1), 2) == [ForbiddenReceived(0xD3, 53)]
    assert host.receive(numbered(encode(arrived(1)), 2), 3) == [MessageReceived(arrived(1))]
