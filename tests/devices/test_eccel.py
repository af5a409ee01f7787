"""The driver of Eccel boards against what a line and a board can do, byte for byte; where a byte counts it is written out."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dealer_assist.config.readers import EccelKeys
from dealer_assist.devices.driver import Failed, Identified, Scanned, Seen
from dealer_assist.devices.eccel import EccelDriver, EccelFrames, frame
from hw_sim.eccel import EccelBoard, framed

A = bytes.fromhex("04A1B2C3D4E5F6")
B = bytes.fromhex("04A1B2C3D4E5F7")
ISO = bytes.fromhex("E0040150A1B2C3D4")


def ack(*payload: int, uid: bytes = b"") -> bytes:
    return frame(bytes((0x00, *payload)) + uid)


class Talk:
    """A driver that is answered by hand."""

    def __init__(self, *antennas: int, **keys: Any) -> None:
        self.notes: list[str] = []
        self.driver = EccelDriver(
            antennas, EccelKeys(**{"dwell_ms": 0, "answer_ms": 100, **keys}), note=self.notes.append
        )
        self.now = 0
        self.driver.opened(0)

    def asked(self) -> bytes:
        """What the driver asks now: the payload of the one frame that it writes."""
        data = self.driver.outgoing(self.now)
        due_ms = self.driver.next_deadline_ms()
        if not data and due_ms is not None:  # the rest of a short round
            self.now = due_ms
            assert self.driver.receive(b"", self.now) == []
            data = self.driver.outgoing(self.now)
        (payload,) = EccelFrames({}).feed(data)
        return payload

    def answer(self, data: bytes, wait_ms: int = 1) -> list[Seen]:
        self.now += wait_ms
        return self.driver.receive(data, self.now)

    def identified(self) -> None:
        assert self.asked() == b"\x0b"
        assert self.answer(ack(0x0B)[:0] + frame(b"\x00\x0bC1 2.3\x00")) == [
            Identified(model="Pepper C1", firmware="C1 2.3")
        ]


def test_antenna_by_antenna_select_count_and_list() -> None:
    talk = Talk(1, 3)
    talk.identified()
    assert talk.asked() == b"\x0f\x01"
    talk.answer(ack(0x0F))
    assert talk.asked() == b"\x02"
    talk.answer(ack(0x02, 2))
    assert talk.asked() == b"\x03\x00"
    talk.answer(ack(0x03, 1, 0x44, uid=A))
    assert talk.asked() == b"\x03\x01"
    assert talk.answer(ack(0x03, 1, 0x44, uid=B)) == [Scanned(1, (A, B), 5)]
    assert talk.asked() == b"\x0f\x03"


def test_the_dwell_is_kept_after_an_antenna_was_selected() -> None:
    talk = Talk(1, 2, dwell_ms=40)
    talk.identified()
    talk.asked()
    talk.answer(ack(0x0F))
    assert talk.driver.outgoing(talk.now) == b""
    assert talk.driver.next_deadline_ms() == talk.now + 40
    talk.answer(b"", 40)
    assert talk.asked() == b"\x02"


def test_an_event_glued_behind_an_acknowledgement_is_kept_and_so_is_what_follows_it() -> None:
    talk = Talk(1, 2)
    talk.identified()
    talk.asked()
    event = frame(b"\xfe\x05\x00" + A)
    talk.answer(ack(0x0F) + event)
    assert talk.driver.counters() == {"events": 1}
    assert talk.asked() == b"\x02"
    talk.answer(event + ack(0x02, 0))
    assert talk.driver.counters() == {"events": 2}
    assert "".join(talk.notes).upper().find(A.hex().upper()) < 0


def test_an_answer_to_another_command_is_none() -> None:
    talk = Talk(1, 2)
    talk.identified()
    talk.asked()
    talk.answer(ack(0x02, 5))
    assert talk.driver.outgoing(talk.now) == b""
    talk.answer(ack(0x0F))
    assert talk.asked() == b"\x02"
    assert talk.driver.counters() == {"stale_answers": 1}


def test_without_an_answer_the_line_is_cleared_and_the_request_sent_again() -> None:
    talk = Talk(1, 2)
    talk.identified()
    assert talk.asked() == b"\x0f\x01"
    assert talk.answer(b"", 100) == []
    assert talk.asked() == b"\x01"
    talk.answer(ack(0x0F) + ack(0x01))
    assert talk.asked() == b"\x0f\x01", "the answer that came late is not taken for that of the next"
    assert talk.driver.counters() == {"timeouts": 1, "stale_answers": 1, "retries": 1}


def test_a_reader_that_says_the_request_was_garbled_is_asked_again_at_once() -> None:
    talk = Talk(1, 2)
    talk.identified()
    talk.asked()
    talk.answer(frame(b"\xff\xff\x02"))
    assert talk.asked() == b"\x0f\x01"
    assert talk.driver.counters()["garbled_requests"] == 1


def test_a_request_that_is_never_answered_fails_the_scan_and_the_next_antenna_has_its_turn() -> None:
    talk = Talk(1, 2, tries=2)
    talk.identified()
    out: list[Seen] = []
    asked = []
    while not out:
        asked.append(talk.asked())
        out = talk.answer(b"", 100)
    assert asked == [b"\x0f\x01", b"\x01", b"\x0f\x01", b"\x01"]
    assert out == [Failed(1, talk.now, "no_answer")]
    assert talk.asked() == b"\x0f\x02"


def test_an_error_is_a_failed_scan_not_an_empty_one() -> None:
    talk = Talk(1, 2)
    talk.identified()
    talk.asked()
    talk.answer(ack(0x0F))
    talk.asked()
    assert talk.answer(frame(b"\xff\x02\x04\x00")) == [Failed(1, talk.now, "reader_error")]


def test_a_doubled_answer_does_not_take_the_place_of_another_card() -> None:
    talk = Talk(1, 2)
    talk.identified()
    talk.asked()
    talk.answer(ack(0x0F))
    talk.asked()
    talk.answer(ack(0x02, 2))
    talk.asked()
    first = ack(0x03, 1, 0x44, uid=A)
    talk.answer(first)
    talk.asked()
    assert talk.answer(first) == []  # the same once more: not the second card
    assert talk.asked() == b"\x01"
    talk.answer(ack(0x03, 1, 0x44, uid=B) + ack(0x01))
    assert talk.asked() == b"\x02"


def test_an_answer_cannot_come_before_its_question_was_written() -> None:
    talk = Talk(1, 2)
    talk.identified()
    talk.asked()
    talk.answer(ack(0x0F))
    talk.asked()
    talk.answer(ack(0x02, 2))
    talk.asked()
    first = ack(0x03, 1, 0x44, uid=A)
    talk.answer(first + first)
    assert talk.asked() == b"\x03\x01"
    assert talk.answer(ack(0x03, 1, 0x44, uid=B)) == [Scanned(1, (A, B), talk.now)]
    assert talk.driver.counters() == {"stale_answers": 1}


def test_a_board_without_a_multiplexer_is_used_as_its_one_antenna() -> None:
    talk = Talk(1)
    talk.identified()
    assert talk.asked() == b"\x0f\x01"
    talk.answer(frame(b"\xff\x0f\x01\x00"))
    assert talk.asked() == b"\x02"
    assert talk.answer(ack(0x02, 0)) == [Scanned(1, (), talk.now)]
    assert talk.asked() == b"\x01", "a dummy parts the scans"
    talk.answer(ack(0x01))
    assert talk.asked() == b"\x02"


def test_a_uid_of_iso_15693_is_written_with_its_e0_first_whatever_the_reader_sends() -> None:
    talk = Talk(1)
    talk.identified()
    talk.asked()
    talk.answer(ack(0x0F))
    talk.asked()
    talk.answer(ack(0x02, 1))
    talk.asked()
    assert talk.answer(ack(0x03, 5, 0, uid=ISO[::-1])) == [Scanned(1, (ISO,), talk.now)]


def test_a_board_that_polls_by_itself_brings_the_next_look_forward() -> None:
    board = EccelBoard(lambda _: tuple(lies), multiplexed=False)
    lies: list[bytes] = []
    driver = EccelDriver((1,), EccelKeys(answer_ms=100, polling_ms=400), note=lambda _: None)
    seen: list[Seen] = []
    driver.opened(0)
    for now in range(3000):
        seen += driver.receive(board.outgoing(now), now)
        data = driver.outgoing(now)
        if data:
            board.receive(data, now)
        if now == 2005:
            lies.append(A)
    scans = [one for one in seen if isinstance(one, Scanned)]
    assert 4 <= len([one for one in scans if one.t_ms < 2000]) <= 6, "a look each 400 ms"
    first = next(one for one in scans if one.uids)
    assert driver.counters()["events"] == 1
    assert first.t_ms - 2005 < 400 + 60


@settings(max_examples=60, deadline=None)
@given(
    st.binary(max_size=60), st.lists(st.binary(min_size=1, max_size=40), min_size=1, max_size=4), st.data()
)
def test_no_frame_is_lost_to_what_stands_before_it(noise: bytes, payloads: list[bytes], data: Any) -> None:
    """Garbage, also with false beginnings in it, costs no frame once the rest of a false frame is given up."""
    stream = noise + b"".join(framed(payload) for payload in payloads)
    frames = EccelFrames({})
    out: list[bytes] = []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        out += frames.feed(stream[:size])
        stream = stream[size:]
    out += frames.give_up()
    assert out[-len(payloads) :] == payloads


def test_a_true_frame_inside_a_rejected_one_is_found() -> None:
    inner = framed(b"\x00\x0f")
    false = b"\xf5" + bytes((20, 0, 235, 255)) + b"\x11" * 4 + inner
    counts: dict[str, int] = {}
    frames = EccelFrames(counts)
    assert frames.feed(false) == []
    assert frames.feed(b"\x00" * 8) == [b"\x00\x0f"]
    assert counts["crc_errors"] == 1
