"""PN532 over HSU: what its frames may look like, and what such a reader does to its host."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as hs

from dealer_assist.config.readers import Pn532Keys
from dealer_assist.devices import pn532_frames as pf
from dealer_assist.devices.driver import Failed, Identified, Scanned, Seen
from dealer_assist.devices.pn532 import Pn532Driver, targets
from hw_sim import pn532 as twin

WIRE: dict[str, Any] = json.loads((Path(__file__).parents[1] / "data" / "wire" / "pn532.json").read_text())
A, B, C = (bytes.fromhex(f"04{n:02X}B2C3D4E5F6") for n in (0x11, 0x22, 0x33))
FOUR, TEN = bytes.fromhex("5A11C3D4"), bytes.fromhex("99112233445566778899")


def names(vectors: list[dict[str, Any]]) -> list[str]:
    return [vector["name"] for vector in vectors]


# ---------------------------------------------------------------- frames


@pytest.mark.parametrize("vector", WIRE["requests"], ids=names(WIRE["requests"]))
def test_requests(vector: dict[str, Any]) -> None:
    wire = bytes.fromhex(vector["wire"])
    assert pf.frame(bytes.fromhex(vector["payload"])) == wire
    reader = twin.Pn532Reader(lambda _: (A,))
    reader.receive(pf.WAKE_UP + wire, 0)
    assert reader.outgoing(1).startswith(twin.ACKNOWLEDGED), "the reader takes it for a request"


@pytest.mark.parametrize(
    "vector", WIRE["answers"] + WIRE["special"], ids=names(WIRE["answers"] + WIRE["special"])
)
def test_answers(vector: dict[str, Any]) -> None:
    payload, wire = bytes.fromhex(vector["payload"]), bytes.fromhex(vector["wire"])
    counts: dict[str, int] = {}
    assert pf.Pn532Frames(counts).feed(wire) == [payload]
    assert counts == {}
    if vector in WIRE["answers"]:
        assert twin.information(payload) == wire
    if "uids" in vector:
        uids = tuple(bytes.fromhex(uid) for uid in vector["uids"])
        assert targets(payload[2:]) == uids
        assert twin.listing(uids) == payload


def test_an_extended_frame() -> None:
    vector = WIRE["extended"]
    first = bytes.fromhex(vector["first"])
    payload = first + bytes(vector["size"] - len(first))
    wire = bytes.fromhex(vector["head"]) + payload + bytes.fromhex(vector["tail"])
    assert twin.information(payload) == wire
    with_limit = payload[: pf.MAX_PAYLOAD]
    assert pf.Pn532Frames({}).feed(twin.information(with_limit)) == [with_limit]
    assert pf.Pn532Frames({}).feed(wire) == [], "longer than the reader's longest"
    asked = bytes((pf.TO_READER,)) + with_limit[1:]
    assert pf.frame(asked)[:5] == b"\x00\x00\xff\xff\xff"
    assert sum(pf.frame(asked)[5:8]) % 256 == 0


@pytest.mark.parametrize("at", range(3, 9))
def test_a_frame_with_one_byte_changed_is_none_and_the_next_one_is(at: int) -> None:
    good = bytes.fromhex("0000FF03FDD54B00E000")
    bad = bytearray(good)
    bad[at] ^= 0x10
    counts: dict[str, int] = {}
    frames = pf.Pn532Frames(counts)
    got = frames.feed(bytes(bad) + good) + frames.feed(good) + frames.give_up()
    assert bytes.fromhex("D54B00") in got
    assert counts


@given(hs.lists(hs.binary(min_size=1, max_size=60), min_size=1, max_size=5), hs.data())
def test_frames_come_whole_however_they_are_cut(bodies: list[bytes], data: hs.DataObject) -> None:
    payloads = [b"\xd5" + body for body in bodies]
    stream = b"".join(twin.information(payload) for payload in payloads)
    cuts = sorted(data.draw(hs.lists(hs.integers(0, len(stream)), max_size=8)))
    counts: dict[str, int] = {}
    frames = pf.Pn532Frames(counts)
    got = [
        each
        for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)
        for each in frames.feed(stream[a:b])
    ]
    assert got == payloads
    assert counts == {}


@given(hs.binary(max_size=400))
def test_no_bytes_raise(noise: bytes) -> None:
    frames = pf.Pn532Frames({})
    frames.feed(noise)
    frames.give_up()
    targets(noise)
    reader = twin.Pn532Reader(lambda _: (A,))
    reader.receive(noise, 0)
    reader.outgoing(10)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "01",
        "0101004400",
        "010100440007040E3BD228",
        "0101004400 05 0102030405",
        "0001",
        "0101002020 04 01020304 09 78",
    ],
)
def test_a_listing_that_is_not_put_together_as_it_must_be(answer: str) -> None:
    assert targets(bytes.fromhex(answer.replace(" ", ""))) is None


def test_a_listing_with_the_ats_of_an_iso_14443_4_card() -> None:
    answer = bytes.fromhex("02" + "01 0344 20 07 04112233445566 06 7577810280" + "02 0004 08 04 5A11C3D4")
    assert targets(answer) == (bytes.fromhex("04112233445566"), FOUR)


# ---------------------------------------------------------------- driver and reader


class Play:
    """Driver and simulated reader on a line that loses nothing, unless told to."""

    def __init__(self, reader: twin.Pn532Reader, **keys: int) -> None:
        self.reader = reader
        self.driver = Pn532Driver((1,), Pn532Keys(**keys), note=lambda _: None)
        self.now_ms = 0
        self.seen: list[Seen] = []
        self.sent: list[bytes] = []
        self.lose: list[bytes] = []
        self.driver.opened(0)

    def run(self, ms: int) -> list[Seen]:
        end_ms, before = self.now_ms + ms, len(self.seen)
        while self.now_ms < end_ms:
            data = self.driver.outgoing(self.now_ms)
            if data:
                self.sent.append(data)
                self.reader.receive(data, self.now_ms)
            answer = self.reader.outgoing(self.now_ms)
            for part in self.lose:
                if part in answer:
                    answer = answer.replace(part, b"", 1)
                    self.lose.remove(part)
                    break
            self.seen += self.driver.receive(answer, self.now_ms)
            self.now_ms += 1
        return self.seen[before:]

    def scans(self, ms: int) -> list[tuple[bytes, ...]]:
        return [seen.uids for seen in self.run(ms) if isinstance(seen, Scanned)]


def test_it_is_woken_set_up_and_asked() -> None:
    play = Play(twin.Pn532Reader(lambda _: (A, FOUR)))
    seen = play.run(300)
    assert seen[0] == Identified(model="PN532", firmware="1.6")
    assert {frozenset(one.uids) for one in seen[1:] if isinstance(one, Scanned)} == {frozenset({A, FOUR})}
    assert play.sent[0] == pf.WAKE_UP + bytes.fromhex("0000FF05FBD414010000 1700".replace(" ", ""))
    assert play.driver.counters() == {}
    times = [one.t_ms for one in seen if isinstance(one, Scanned)]
    assert max(b - a for a, b in itertools.pairwise(times)) <= 110


@pytest.mark.parametrize("third", [C, FOUR, TEN])
def test_of_three_tags_one_that_was_known_is_asked_for_by_its_uid(third: bytes) -> None:
    lying = [third]
    play = Play(twin.Pn532Reader(lambda _: tuple(lying)))
    assert play.scans(300)[-1] == (third,)
    lying[:0] = [A]
    assert set(play.scans(300)[-1]) == {A, third}
    lying[:0] = [B]
    assert {frozenset(scan) for scan in play.scans(300)[1:]} == {frozenset({A, B, third})}
    lying.remove(third)
    assert set(play.scans(300)[-1]) == {A, B}
    assert play.driver.counters()["asked_by_uid"] > 0


def test_a_clone_that_lists_a_tag_three_times() -> None:
    play = Play(twin.Pn532Reader(lambda _: (A,), lists_each=3))
    assert set(play.scans(300)) == {(A,)}
    assert play.driver.counters()["repeated_uids"] > 0


def test_tags_that_stay_halted_answer_again_because_the_field_was_off() -> None:
    play = Play(twin.Pn532Reader(lambda _: (A, B), halts=True))
    assert {frozenset(scan) for scan in play.scans(500)} == {frozenset({A, B})}


def test_a_reader_that_freezes_on_a_stack_is_woken_and_set_up_again() -> None:
    lying = [A]
    reader = twin.Pn532Reader(lambda _: tuple(lying), freezes_above=1)
    play = Play(reader)
    assert play.scans(200)[-1] == (A,)
    lying.append(B)
    seen = play.run(6000)
    assert {one.reason for one in seen if isinstance(one, Failed)} == {"no_answer"}
    assert not [one for one in seen[3:] if isinstance(one, Scanned)], "what lies there is not known"
    assert play.driver.counters()["set_up_again"] >= 1
    lying.remove(B)
    assert play.scans(3000)[-1] == (A,)
    assert reader.wakes > 1


def test_a_lost_acknowledgement_has_the_request_repeated_behind_a_cancel() -> None:
    play = Play(twin.Pn532Reader(lambda _: (A,)))
    play.run(100)
    play.sent.clear()
    play.lose = [twin.ACKNOWLEDGED]
    assert play.scans(600)[-1] == (A,)
    assert any(sent.startswith(pf.ACK_FRAME) and len(sent) > 6 for sent in play.sent)
    assert play.driver.counters()["timeouts"] == 1


def test_a_lost_answer_is_had_again_by_a_nack() -> None:
    play = Play(twin.Pn532Reader(lambda _: (A,)))
    play.run(100)
    play.sent.clear()
    play.lose = [twin.information(twin.listing((A,)))]
    assert set(play.scans(600)) == {(A,)}
    assert pf.NACK_FRAME in play.sent
    assert play.driver.counters() == {"timeouts": 1}


def test_a_reader_that_does_not_understand() -> None:
    class Deaf(twin.Pn532Reader):
        def _obey(self, payload: bytes, now_ms: int) -> None:
            if payload[1] == 0x4A:
                self._due = [(now_ms + 1, twin.NOT_UNDERSTOOD)]
            else:
                super()._obey(payload, now_ms)

    play = Play(Deaf(lambda _: (A,)))
    seen = play.run(500)
    assert [one for one in seen if isinstance(one, Failed)]
    assert not [one for one in seen if isinstance(one, Scanned)]
    assert play.driver.counters()["reader_errors"] > 0


def test_a_port_that_says_nothing_is_asked_on_and_on() -> None:
    play = Play(twin.Pn532Reader(lambda _: ()))
    play.reader.receive = lambda data, now_ms: None  # type: ignore[method-assign]
    seen = play.run(3000)
    assert len(seen) > 2
    assert {type(one) for one in seen} == {Failed}


def test_nothing_that_it_notes_holds_a_uid() -> None:
    notes: list[str] = []
    driver = Pn532Driver((1,), Pn532Keys(), note=notes.append)
    play = Play(twin.Pn532Reader(lambda _: (A, B)))
    play.driver = driver
    driver.opened(0)
    play.run(300)
    assert notes
    assert not [
        note for note in notes if A.hex() in note.lower() or any(part in note for part in (repr(A), repr(B)))
    ]
