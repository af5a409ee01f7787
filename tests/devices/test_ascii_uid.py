"""Readers that write UIDs as lines of text: what a line may be, when a card lies there, and when it is gone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as hs

from dealer_assist.config.line_pattern import LinePattern, pattern_mistake, read_uid
from dealer_assist.config.readers import AsciiKeys
from dealer_assist.devices.ascii_uid import AsciiUidDriver
from dealer_assist.devices.driver import Scanned
from hw_sim.ascii_uid import AsciiReader

WIRE: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "wire" / "ascii_uid.json").read_text()
)
A, B = bytes.fromhex("04A1B2C3D4E5F6"), bytes.fromhex("5A11C3D4")
NUMBERED = r"R(?P<antenna>\d): (?P<uid>[0-9A-F]{8,20})"
EVENTS = r"R(?P<antenna>\d): (?:(?P<uid>[0-9A-F]{8,20}) )?(?P<event>arrived|removed|empty)"
ENDLESS = "no repeat without an end of a group whose length may vary: on a line that nearly fits it may run for hours"


def driver(*antennas: int, **keys: Any) -> AsciiUidDriver:
    made = AsciiUidDriver(antennas or (1,), AsciiKeys(**keys), note=lambda _: None)
    made.opened(0)
    return made


def lying(made: AsciiUidDriver, now_ms: int, data: bytes = b"") -> dict[int, tuple[bytes, ...]]:
    """What lies where by ``now_ms``, when ``data`` came just before."""
    seen = made.receive(data, now_ms - 1) + made.receive(b"", now_ms)
    assert all(isinstance(one, Scanned) for one in seen)
    return {one.antenna: one.uids for one in seen if isinstance(one, Scanned)}


@pytest.mark.parametrize("vector", WIRE["lines"], ids=[vector["name"] for vector in WIRE["lines"]])
def test_lines(vector: dict[str, Any]) -> None:
    assert pattern_mistake(vector["pattern"]) is None
    read = LinePattern(vector["pattern"]).read(vector["line"])
    assert read is not None
    assert (read.antenna, read.uid, read.event) == (
        vector["antenna"],
        bytes.fromhex(vector["uid"]),
        vector["event"],
    )


@pytest.mark.parametrize(
    ("style", "pattern", "line"),
    [
        ("spaced", AsciiKeys().line, b"04 A1 B2 C3 D4 E5 F6\n"),
        ("numbered", NUMBERED, b"R3: 04A1B2C3D4E5F6\r\n"),
        ("events", EVENTS, b"R3: 04A1B2C3D4E5F6 arrived\r\n"),
    ],
)
def test_the_simulated_reader_writes_lines_that_their_pattern_fits(style, pattern, line) -> None:
    reader = AsciiReader(lambda _: (A,), antennas=(3,), style=style)
    written = reader.outgoing(0)
    assert written.endswith(line)
    made = driver(3, line=pattern, lines=1)
    assert lying(made, 200, written) == {3: (A,)}
    assert made.counters() == {"other_lines": 2}, "its greeting is no card"


@pytest.mark.parametrize(
    "text", ["", "04", "04A1B2", "04 A1 B2 C3 D4", "0G A1 B2 C3", "04A1B2C3D", "4 A1 B2 C33"]
)
def test_what_is_no_uid(text: str) -> None:
    assert read_uid(text) is None


@pytest.mark.parametrize(
    "text", ["04A1B2C3", "04 A1 B2 C3", "4 a1 b2 c3", "04:A1:B2:C3", "04-A1-B2-C3", " 04.A1.B2.C3 "]
)
def test_what_is_one(text: str) -> None:
    assert read_uid(text) == bytes.fromhex("04A1B2C3")


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("(?P<uid>[0-9A-F]+", "a regular expression: missing ), unterminated subpattern at character 1"),
        ("[0-9A-F]+", "a group (?P<uid>…) where the tag's UID stands"),
        ("(?P<uid>.+) (?P<zone>.+)", "groups of the names antenna, uid and event only, not 'zone'"),
        ("(?P<uid>(?:[0-9A-F]+ ?)+)", ENDLESS),
        ("(?P<uid>(?:[0-9A-F]* ?){4,})", ENDLESS),
        ("(?P<uid>(?:(?:[0-9A-F]+):?)*)", ENDLESS),
        ("(?P<uid>(?:AB|AB)*)", ENDLESS),
        ("(?P<uid>(?:[0-9A-F]?){60})", ENDLESS),
        ("x" * 201, "a pattern of at most 200 characters"),
    ],
)
def test_patterns_that_are_refused(pattern: str, expected: str) -> None:
    assert pattern_mistake(pattern) == expected


@pytest.mark.parametrize(
    "pattern",
    [
        AsciiKeys().line,
        NUMBERED,
        EVENTS,
        r".*UID[:=] *(?P<uid>(?:[0-9A-F]{2} ?){4,7}).*",
        r"(?P<uid>(?:[0-9A-F]{2})+)",
    ],
)
def test_patterns_that_are_right_are_quick_with_a_line_that_nearly_fits(pattern: str) -> None:
    assert pattern_mistake(pattern) is None
    compiled = LinePattern(pattern)
    for line in ("A" * 119 + "!", "A1 " * 39 + "!", "UID: " + "04 " * 38, "R2: " + "0" * 115):
        compiled.read(line)


def test_a_card_counts_from_its_second_line_and_until_its_lines_stay_away() -> None:
    made = driver()
    line = b"04 A1 B2 C3 D4 E5 F6\n"
    assert lying(made, 200, line) == {1: ()}
    assert lying(made, 400, line) == {1: (A,)}
    assert lying(made, 1800) == {1: (A,)}
    assert lying(made, 2000) == {1: ()}


def test_a_mangled_line_between_two_good_ones_is_no_card() -> None:
    made = driver()
    stream = b"04 A1 B2 C3 D4 E5 F6\n04 A1 B2 C3 D4 E5 E6\n04 A1 B2 C3 D4 E5 F6\n"
    assert lying(made, 200, stream) == {1: (A,)}


def test_events_say_when_a_card_comes_and_goes() -> None:
    made = driver(1, 2, line=EVENTS, lines=1, absent_ms=0)
    assert lying(made, 200, b"R2: 04A1B2C3D4E5F6 arrived\r\n") == {1: (), 2: (A,)}
    assert lying(made, 9_000_000) == {1: (), 2: (A,)}, "it lies there until it is said that it does not"
    assert lying(made, 9_000_200, b"R2: 5A11C3D4 arrived\r\nR2: 04A1B2C3D4E5F6 Removed\r\n") == {
        1: (),
        2: (A, B),
    }
    keyed = driver(
        1, 2, line=EVENTS.replace("removed", "[Rr]emoved"), lines=1, absent_ms=0, gone=("removed", "empty")
    )
    assert lying(keyed, 200, b"R2: 5A11C3D4 arrived\r\nR2: 04A1B2C3D4E5F6 arrived\r\n")[2] == (B, A)
    assert lying(keyed, 400, b"R2: 04A1B2C3D4E5F6 Removed\r\n")[2] == (B,)
    assert lying(keyed, 600, b"R2: empty\r\n")[2] == ()


def test_a_reader_that_tells_only_of_arrivals_keeps_the_last_card() -> None:
    made = driver(line=AsciiKeys().line, lines=1, absent_ms=0, single=True)
    assert lying(made, 200, b"04A1B2C3D4E5F6\n") == {1: (A,)}
    assert lying(made, 5000, b"5A11C3D4\n") == {1: (B,)}


def test_lines_of_an_antenna_that_is_not_used_are_counted() -> None:
    made = driver(1, line=NUMBERED, lines=1)
    assert lying(made, 200, b"R7: 5A11C3D4\nR1: 04A1B2C3D4E5F6\n") == {1: (A,)}
    assert made.counters() == {"unknown_antennas": 1}


def test_a_line_without_an_end_takes_no_room() -> None:
    made = driver(lines=1)
    for _ in range(1000):
        made.receive(b"04 A1 B2 C3 " * 100, 10)
    assert lying(made, 200, b"\n04A1B2C3D4E5F6\n") == {1: (A,)}
    assert made.counters() == {"long_lines": 1}


def test_a_port_that_is_opened_anew_knows_of_no_card_and_of_no_half_line() -> None:
    made = driver(lines=1)
    assert lying(made, 200, b"04A1B2C3D4E5F6\n5A11") == {1: (A,)}
    made.opened(300)
    assert lying(made, 500, b"C3D4\n") == {1: ()}
    assert made.counters() == {"other_lines": 1}


def test_the_grid_of_scans_stays_even_after_a_stall() -> None:
    made = driver()
    times = [seen.t_ms for now_ms in (200, 400, 1730, 1800, 2000) for seen in made.receive(b"", now_ms)]
    assert times == [200, 400, 1730, 1800, 2000]
    assert made.next_deadline_ms() == 2200


def test_an_iso_15693_uid_is_told_as_its_standard_writes_it() -> None:
    uid = bytes.fromhex("E004015011223344")
    assert lying(driver(lines=1), 200, uid[::-1].hex().encode() + b"\n") == {1: (uid,)}


@given(hs.lists(hs.binary(max_size=80), max_size=20))
def test_no_bytes_raise(chunks: list[bytes]) -> None:
    made = driver(1, 2, line=EVENTS, lines=1)
    for number, chunk in enumerate(chunks):
        made.receive(chunk, number * 50)
    assert set(made.counters()) <= {"garbage_lines", "other_lines", "long_lines", "unknown_antennas"}


def test_nothing_that_it_notes_holds_a_uid() -> None:
    notes: list[str] = []
    made = AsciiUidDriver((1,), msgspec.structs.replace(AsciiKeys(), lines=1), note=notes.append)
    made.opened(0)
    assert lying(made, 200, b"04A1B2C3D4E5F6\n") == {1: (A,)}
    assert notes == ["line, antenna 1, card"]
