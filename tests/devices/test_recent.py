"""The ring of the last frames: what a mechanic needs of a fault, and nothing that names a card."""

from __future__ import annotations

import pytest

from dealer_assist import logs
from dealer_assist.devices.recent import Recent, describe_body
from firmware_protocol import messages as wire
from firmware_protocol.frames import ack_body, data_body, nak_body, plain_body, reset_body

UID = bytes.fromhex("E0040150A1B2C3D4")
TEXT = "card Ks is E0040150A1B2C3D4"
BEAT = plain_body(wire.encode(wire.Heartbeat(250, 1, 0)))


def test_frames_and_notes_come_out_in_their_order_both_ways() -> None:
    ring = Recent()
    ring.add(10, "port opened")
    ring.frame(12, plain_body(wire.encode(wire.IdentifyRequest(1, 2, 7))), incoming=False)
    ring.frame(20, data_body(7, 3, 1, wire.encode(wire.TagArrived(2, 900, 18, 50, UID))), incoming=True)
    ring.frame(21, ack_body(7, 3), incoming=False)
    ring.frame(22, nak_body(7, 3), incoming=True)
    ring.frame(23, reset_body(7), incoming=True)
    assert ring.lines() == [
        "10 port opened",
        "12 > PLAIN IdentifyRequest(major=1, minor=2, nonce=7, last_nonce=0, last_seq=0)",
        "20 < DATA session=0007 seq=3 ack=1 TagArrived(antenna=2, t_ms=900, scan=18, scan_period_ms=50, uid=<8>)",
        "21 > ACK session=0007 ack=3",
        "22 < NAK session=0007 ack=3",
        "23 < RESET session=0007",
    ]


@pytest.mark.parametrize(
    "body",
    [
        data_body(1, 1, 0, wire.encode(wire.TagArrived(1, 0, 0, 50, UID))),
        data_body(1, 1, 0, wire.encode(wire.Inventory(1, 1, 0, 0, 50, 1, 1, (UID, UID)))),
        data_body(1, 1, 0, wire.encode(wire.LogText(TEXT))),
        data_body(1, 1, 0, b"\xd0" + UID),  # card order
        data_body(1, 1, 0, b"\x7f" + UID),  # a message of another version
        data_body(1, 1, 0, wire.encode(wire.TagArrived(1, 0, 0, 50, UID))[:-1]),
        b"\x33" + UID,
        plain_body(wire.encode(wire.SecureAnswer(1, UID + UID, UID + UID))),
    ],
)
def test_a_description_names_no_card_and_may_be_logged(body: bytes) -> None:
    line = describe_body(body)
    for part in (UID.hex(), UID.hex().upper(), UID[2:].hex(), "Ks", repr(UID)[2:-1]):
        assert part not in line
    assert logs.FIELDS["frames"]([f"1 < {line}"])


def test_heartbeats_of_a_quiet_line_do_not_push_the_rest_out() -> None:
    ring = Recent(size=6)
    ring.frame(1, ack_body(1, 1), incoming=True)
    for t_ms in range(2, 200, 2):
        ring.frame(t_ms, BEAT, incoming=True)
        ring.frame(t_ms + 1, BEAT, incoming=False)
    ring.frame(300, ack_body(1, 2), incoming=True)
    assert [line.split()[0:3] for line in ring.lines()] == [
        ["1", "<", "ACK"],
        ["198", "<", "PLAIN"],
        ["199", ">", "PLAIN"],
        ["300", "<", "ACK"],
    ]
