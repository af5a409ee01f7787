"""The driver of FEIG readers: quiet tags, pages, silence, the multiplexer, both forms of frame; where a byte counts it is written out."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer_assist.config.readers import FeigKeys
from dealer_assist.devices.driver import Failed, Identified, Scanned, Seen
from dealer_assist.devices.feig import FeigDriver
from dealer_assist.devices.feig_frames import FeigFrames, answer_of, check, request
from hw_sim.feig import FeigReader

A, B, C = (bytes.fromhex(f"E0040100000000{number:02X}") for number in (0xA1, 0xA2, 0xA3))


def answer(control: int, status: int, data: bytes = b"", address: int = 0) -> bytes:
    body = bytes((address, control, status)) + data
    whole = bytes((len(body) + 3,)) + body
    return whole + check(whole).to_bytes(2, "little")


def sets(*uids: bytes) -> bytes:
    return bytes((len(uids),)) + b"".join(b"\x03\x00" + uid for uid in uids)


class Talk:
    """A driver that is answered by hand."""

    def __init__(self, *antennas: int, **keys: Any) -> None:
        self.notes: list[str] = []
        settings = FeigKeys(**{"multiplexer": len(antennas) > 1, "settle_ms": 0, "answer_ms": 100, **keys})
        self.driver = FeigDriver(antennas, settings, note=self.notes.append)
        self.now = 0
        self.driver.opened(0)
        assert self.asked() == (0x65, b"")
        assert self.answer(answer(0x65, 0, b"\x03\x05\x00")) == [
            Identified(model="OBID i-scan", firmware="03.05")
        ]

    def asked(self) -> tuple[int, bytes]:
        """What the driver asks now: control byte and data."""
        data = self.driver.outgoing(self.now)
        due_ms = self.driver.next_deadline_ms()
        if not data and due_ms is not None:  # the rest of a short round
            self.now = due_ms
            assert self.driver.receive(b"", self.now) == []
            data = self.driver.outgoing(self.now)
        assert data[0] == len(data)
        assert check(data[:-2]) == int.from_bytes(data[-2:], "little")
        assert data[1] == 255
        return data[2], data[3:-2]

    def answer(self, data: bytes, wait_ms: int = 1) -> list[Seen]:
        self.now += wait_ms
        return self.driver.receive(data, self.now)

    def reset(self) -> None:
        assert self.asked() == (0x69, b"")
        self.answer(answer(0x69, 0))


def test_the_first_scan_is_made_in_a_reset_field_the_next_without() -> None:
    talk = Talk(1)
    talk.reset()
    assert talk.asked() == (0xB0, b"\x01\x00")
    assert talk.answer(answer(0xB0, 0, sets(A, B))) == [Scanned(1, (A, B), talk.now)]
    assert talk.asked() == (0xB0, b"\x01\x00")


def test_a_tag_that_falls_silent_is_only_gone_when_a_reset_field_misses_it_too() -> None:
    talk = Talk(1)
    talk.reset()
    talk.asked()
    talk.answer(answer(0xB0, 0, sets(A, B)))
    talk.asked()
    assert talk.answer(answer(0xB0, 1)) == []  # quiet, or gone?
    talk.reset()
    talk.asked()
    assert talk.answer(answer(0xB0, 0, sets(B))) == [Scanned(1, (B,), talk.now)]
    assert talk.driver.counters() == {"missed_without_reset": 1}


def test_the_field_is_reset_now_and_then_and_on_request() -> None:
    talk = Talk(1, reset_every_ms=500)
    talk.reset()
    talk.asked()
    talk.answer(answer(0xB0, 1))
    assert talk.asked()[0] == 0xB0
    talk.driver.request_inventory(talk.now)
    talk.answer(answer(0xB0, 1))
    talk.reset()
    reset_ms = talk.now
    assert talk.asked()[0] == 0xB0
    talk.answer(answer(0xB0, 1))
    while (control := talk.asked()[0]) == 0xB0:
        talk.answer(answer(0xB0, 1))
    assert control == 0x69
    assert 500 <= talk.now - reset_ms <= 600


def test_an_antenna_alone_is_looked_at_ten_times_a_second() -> None:
    talk = Talk(1)
    talk.reset()
    asked = []
    for _ in range(5):
        assert talk.asked()[0] == 0xB0
        asked.append(talk.now)
        talk.answer(answer(0xB0, 1))
    assert {after - before for before, after in itertools.pairwise(asked[1:])} == {100}


def test_pages_are_put_together() -> None:
    talk = Talk(1)
    talk.reset()
    assert talk.asked() == (0xB0, b"\x01\x00")
    assert talk.answer(answer(0xB0, 0x94, sets(A, B))) == []
    assert talk.asked() == (0xB0, b"\x01\x80")
    assert talk.answer(answer(0xB0, 0, sets(C))) == [Scanned(1, (A, B, C), talk.now)]


@pytest.mark.parametrize("second", [answer(0xB0, 1), answer(0xB0, 0x94, sets(A, B))], ids=["none", "doubled"])
def test_a_page_that_does_not_follow_the_one_before_begins_the_scan_anew(second: bytes) -> None:
    talk = Talk(1)
    talk.reset()
    talk.asked()
    talk.answer(answer(0xB0, 0x94, sets(A, B)))
    talk.asked()
    assert talk.answer(second) == []
    talk.reset()
    assert talk.asked() == (0xB0, b"\x01\x00")


def test_a_lost_page_is_not_asked_for_again_for_what_it_listed_is_quiet() -> None:
    talk = Talk(1)
    talk.reset()
    talk.asked()
    talk.answer(answer(0xB0, 0x94, sets(A, B)))
    talk.asked()
    talk.answer(b"", 100)
    talk.reset()


def test_silence_is_the_only_sign_of_a_garbled_request_and_ends_in_a_failed_scan() -> None:
    talk = Talk(1, tries=2)
    asked = []
    out: list[Seen] = []
    while not out:
        asked.append(talk.asked()[0])
        out = talk.answer(b"", 100)
    assert asked == [0x69, 0x69]
    assert out == [Failed(1, talk.now, "no_answer")]


@pytest.mark.parametrize(
    ("status", "data", "reason"),
    [
        (0x95, b"\x0f", "reader_error"),
        (0x11, b"", "reader_error"),
        (0x83, sets(A), "reader_error"),
        (0x00, b"\x02\x03\x00" + A, "malformed"),
        (0x00, b"\x01\x03\x00" + A[:5], "malformed"),
        (0x00, b"\x01\x04\x00" + A, "foreign_tag"),
        (0x00, b"", "malformed"),
    ],
)
def test_an_answer_that_is_no_clean_list_is_a_failed_scan(status: int, data: bytes, reason: str) -> None:
    talk = Talk(1, tries=1)
    for _ in range(2):
        talk.reset()
        talk.asked()
        out = talk.answer(answer(0xB0, status, data))
    assert out == [Failed(1, talk.now, reason)]


def test_channels_of_the_multiplexer_in_turn_with_time_to_settle() -> None:
    talk = Talk(2, 7, settle_ms=30, multiplexer_address=1)
    assert talk.asked() == (0xDD, b"\x01\x02\x00")
    talk.answer(answer(0xDD, 0))
    assert talk.driver.outgoing(talk.now) == b""
    assert talk.driver.next_deadline_ms() == talk.now + 30
    talk.answer(b"", 30)
    talk.reset()
    talk.asked()
    assert talk.answer(answer(0xB0, 1)) == [Scanned(2, (), talk.now)]
    assert talk.asked() == (0xDD, b"\x01\x07\x00")
    assert talk.answer(answer(0xDD, 0x11)) == [Failed(7, talk.now, "reader_error")]
    assert talk.asked() == (0xDD, b"\x01\x02\x00")


def test_an_answer_to_another_request_or_of_another_reader_is_none() -> None:
    talk = Talk(1, bus_address=255)
    talk.reset()
    talk.asked()
    assert talk.answer(answer(0x69, 0) + answer(0xB0, 0, sets(A))) == [Scanned(1, (A,), talk.now)]
    frames = FeigFrames(3, "low_first", {})
    frames.expect(0xB0)
    assert frames.feed(answer(0xB0, 1, address=4) + answer(0xB0, 1, address=3)) == [
        answer(0xB0, 1, address=3)
    ]


def test_what_came_before_a_request_does_not_answer_it() -> None:
    """No answer has a number: a second one to the last request would otherwise be taken for the first to this."""
    talk = Talk(1)
    talk.reset()
    talk.asked()
    late = answer(0xB0, 0, sets(A))
    assert talk.answer(late + late) == [Scanned(1, (A,), talk.now)]
    assert talk.answer(late) == []
    talk.asked()
    assert talk.answer(b"") == []
    assert talk.driver.counters()["stale_answers"] == 2


def test_half_an_answer_from_before_a_request_is_not_put_together_behind_it() -> None:
    talk = Talk(1)
    talk.reset()
    talk.asked()
    late = answer(0xB0, 0, sets(A))
    assert talk.answer(late + late[:9]) == [Scanned(1, (A,), talk.now)]
    talk.asked()
    assert talk.answer(late[9:]) == []
    assert talk.answer(answer(0xB0, 0, sets(A, B))) == [Scanned(1, (A, B), talk.now)]


@pytest.mark.parametrize("size", [24, 25, 60])
def test_a_list_that_needs_an_advanced_frame_comes_in_one_though_standard_ones_are_spoken(size: int) -> None:
    uids = tuple(b"\xe0\x04" + number.to_bytes(6, "big") for number in range(size))
    reader = FeigReader(lambda _: uids, page=100)
    reader.receive(request(255, 0xB0, b"\x01\x00"), 0)
    wire = reader.outgoing(10_000)
    assert (wire[0] == 0x02) == (size > 24)
    frames = FeigFrames(255, "low_first", {})
    frames.expect(0xB0)
    (frame,) = frames.feed(wire)
    assert answer_of(frame).data == sets(*uids)


@pytest.mark.parametrize("form", ["standard", "advanced"])
@pytest.mark.parametrize("change", range(9))
def test_the_simulated_reader_is_silent_about_every_garbled_request(form: Any, change: int) -> None:
    wire = bytearray(request(255, 0xB0, b"\x01\x00", form=form))
    if change >= len(wire):
        wire.insert(0, 0x44)
    else:
        wire[change] ^= 0x10
    reader = FeigReader(lambda _: (A,))
    reader.receive(bytes(wire), 0)
    assert reader.outgoing(1000) == b""
    reader.receive(request(255, 0xB0, b"\x01\x00", form=form), 5000)
    assert reader.outgoing(6000), "and hears the next"


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=40), st.data())
def test_noise_before_an_answer_costs_at_most_the_wait(noise: bytes, data: Any) -> None:
    stream = noise + answer(0xB0, 0, sets(A, B))
    frames = FeigFrames(255, "low_first", {})
    frames.expect(0xB0)
    out: list[bytes] = []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        out += frames.feed(stream[:size])
        stream = stream[size:]
    out += frames.give_up()
    assert out[-1:] == [answer(0xB0, 0, sets(A, B))]
