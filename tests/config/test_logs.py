"""Logs hold what is on the list and nothing else: no UID, no card, no text of an exception or a device."""

from __future__ import annotations

import enum
import io
import json
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
import structlog

from dealer_assist import logs
from dealer_assist.domain.cards import HiddenCard

UID = bytes.fromhex("04a2b3c4d5e680")


class Reason(enum.StrEnum):
    CRC = "crc"


class TagArrived(msgspec.Struct):
    antenna: int
    uid: bytes
    uids: tuple[bytes, ...]
    text: str
    reason: Reason
    nothing: None = None
    inner: msgspec.Struct | None = None


@pytest.fixture
def lines() -> Iterator[Callable[..., list[dict[str, Any]]]]:
    """Configures JSON logs into memory; the call gives the lines so far."""
    stream = io.StringIO()

    def configure(level: logs.Level = "info", *, strict: bool = False) -> Callable[[], list[dict[str, Any]]]:
        logs.configure("json", level, strict=strict, stream=stream, now=lambda: "now")
        return lambda: [json.loads(line) for line in stream.getvalue().splitlines()]

    yield configure
    logs.configure("console", "warning", strict=True)


def test_a_line_is_time_level_part_event_and_fields(lines: Any) -> None:
    read = lines()
    logs.get("devices").bind(device="TR-000123").info("link_changed", state="lost", count=3)
    assert read() == [
        {
            "time": "now",
            "level": "info",
            "logger": "devices",
            "event": "link_changed",
            "device": "TR-000123",
            "state": "lost",
            "count": 3,
        }
    ]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("device", "00012345"),
        ("hand", "17"),
        ("state", ""),
        ("detail", "wrong_serial"),
        ("zone", "seat11"),
        ("t_ms", 10**10),
        ("ok", True),
        ("seat", None),
        ("counters", {"crc": 3, "lost": 0}),
        ("path", "/var/lib/dealer-assist/table-7/journal"),
        ("table", "Стіл 7"),
        ("where", "table/core.py:120"),
        ("version", "1.2.0"),
        ("direction", "in"),
        ("frames", ["12345678 TagLeft(antenna=3, uid=-, t_ms=4294967295)"]),
    ],
)
def test_listed_fields_of_the_right_type_pass(lines: Any, field: str, value: object) -> None:
    read = lines(strict=True)
    logs.get("x").info("event", **{field: value})
    assert read()[0][field] == value


REFUSED = [
    ("uid", "1"),
    ("card", "Ks"),
    ("face", "Ks"),
    ("device", "Ks"),
    ("hand", "10h"),
    ("reason", "Ks"),
    ("reason", "the reader said: no"),
    ("detail", UID.hex()),
    ("detail", UID.hex().upper()),
    ("state", UID.hex(":")),
    ("path", UID.hex()),
    ("zone", UID.hex("-")),
    ("what", UID),
    ("what", HiddenCard("Ks")),
    ("count", "3"),
    ("count", True),
    ("seq", int.from_bytes(UID)),
    ("seq", float("nan")),
    ("ok", 1),
    ("counters", {UID.hex(): 1}),
    ("counters", [1]),
    ("table", "x" * 300),
    ("table", "a\nb"),
    ("where", "somewhere"),
    ("direction", "up"),
    ("direction", ["in"]),
    ("frame", "TagArrived uid=1"),
    ("frames", [f"12 TagArrived(uid={UID.hex()})"]),
    ("frames", [f"12 TagArrived(uid={int.from_bytes(UID)})"]),
    ("frames", "12"),
]


@pytest.mark.parametrize(("field", "value"), REFUSED)
def test_anything_else_is_left_out_and_counted(lines: Any, field: str, value: object) -> None:
    read = lines()
    before = logs.refusals.count
    logs.get("x").info("event", **{field: value}, row=7)
    assert read() == [
        {"time": "now", "level": "info", "logger": "x", "event": "event", "row": 7, "refused": 1}
    ]
    assert logs.refusals.count == before + 1


@pytest.mark.parametrize(("field", "value"), REFUSED)
def test_anything_else_raises_in_tests_without_its_value(lines: Any, field: str, value: object) -> None:
    read = lines(strict=True)
    with pytest.raises(logs.FieldRefused) as raised:
        logs.get("x").info("event", **{field: value})
    assert (raised.value.event, raised.value.field) == ("event", field)
    assert repr(value) not in str(raised.value).replace(repr(field), "")
    assert read() == []


@pytest.mark.parametrize("event", ["Seat 3 has Ks", UID.hex(), "", 7, "a" * 61, "x\n"])
def test_an_event_that_is_put_together_is_refused(lines: Any, event: Any) -> None:
    read = lines()
    logs.get("x").info(event)
    assert read()[0]["event"] == "event_refused"
    lines(strict=True)
    with pytest.raises(logs.FieldRefused):
        logs.get("x").info(event)


def test_an_exception_is_its_type_and_place(lines: Any) -> None:
    read = lines(strict=True)
    try:
        raise ValueError(UID.hex())
    except ValueError as error:
        logs.get("x").error("thread_failed", **logs.failure(error))
        logs.get("x").error("thread_failed", exc_info=True)
        logs.get("x").error("thread_failed", exc_info=error)
    for line in read():
        assert line["error"] == "ValueError"
        assert line["where"].startswith("config/test_logs.py:")
    assert UID.hex() not in json.dumps(read())
    assert logs.failure(ValueError("never raised")) == {"error": "ValueError"}


def test_frames_show_numbers_and_no_bytes_or_texts() -> None:
    message = TagArrived(
        3, UID, (UID, UID[:4]), "Ks", Reason.CRC, None, TagArrived(1, b"", (), "", Reason.CRC)
    )
    text = logs.frame(message).text
    assert text == (
        "TagArrived antenna=3 uid=<7 bytes> uids=[<7 bytes>, <4 bytes>] text=<2 characters> reason=crc nothing=None "
        "inner=<TagArrived>"
    )
    assert logs.noise(UID * 3).text == "undecodable <21 bytes>"


def test_traffic_lies_below_debug(lines: Any) -> None:
    frame = logs.frame(TagArrived(3, UID, (), "", Reason.CRC))
    for level, shown in (("debug", 0), ("traffic", 1)):
        read = lines(level)
        logs.get("devices").traffic("frame", device="TR-1", direction="in", frame=frame)
        assert len(read()) == shown
    assert read()[0]["level"] == "traffic"
    assert "<7 bytes>" in read()[0]["frame"]


@pytest.mark.parametrize("level", ["traffic", "debug", "info", "warning", "error"])
def test_a_level_shows_itself_and_what_is_above(lines: Any, level: logs.Level) -> None:
    read = lines(level)
    logger = logs.get("x")
    for name in logs.LEVELS:
        getattr(logger, name)("event")
    assert [line["level"] for line in read()] == [
        name for name in logs.LEVELS if logs.LEVELS[name] >= logs.LEVELS[level]
    ]


def test_what_libraries_say_is_reduced_to_who_said_it(lines: Any) -> None:
    read = lines()
    library = logging.getLogger("smartcard.reader")
    library.warning("APDU %s", UID.hex())
    try:
        raise OSError(UID.hex())
    except OSError:
        library.exception("failed on %s", UID.hex())
    logging.getLogger("A name with Ks").error("x")
    said = read()
    assert [line["event"] for line in said] == ["library_message"] * 3
    assert [line["library"] for line in said] == ["smartcard.reader", "smartcard.reader", "unknown"]
    assert said[1]["error"] == "OSError"
    assert UID.hex() not in json.dumps(said)


def test_libraries_are_heard_once_however_often_logs_are_configured(lines: Any) -> None:
    lines()
    read = lines()
    logging.getLogger("library").warning("x")
    assert len(read()) == 1


def test_the_console_has_the_same_in_a_line() -> None:
    stream = io.StringIO()
    logs.configure("console", "info", strict=True, stream=stream, now=lambda: "12:00:00")
    logs.get("devices").warning("link_changed", device="TR-1", state="lost")
    assert stream.getvalue() == "12:00:00 WARNING devices    link_changed device=TR-1 state=lost\n"
    logs.configure("console", "warning", strict=True)


def test_a_logger_made_before_the_configuration_follows_it(lines: Any) -> None:
    early = structlog.get_logger("early")
    read = lines()
    early.info("event")
    assert read()[0]["logger"] == "early"


def test_without_configuration_warnings_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    structlog.reset_defaults()
    logger = logs.get("x")
    logger.info("quiet")
    logger.warning("loud", device="d")
    out, err = capsys.readouterr()
    assert out == ""
    assert "loud device=d" in err
    assert "quiet" not in err
    logs.configure("console", "warning", strict=True)


def test_a_log_that_cannot_be_written_stops_nothing(lines: Any) -> None:
    stream = io.StringIO()
    logs.configure("json", "info", stream=stream)
    stream.close()
    before = logs.refusals.count
    logs.get("x").error("event")
    assert logs.refusals.count == before + 1
    logs.configure("console", "warning", strict=True)


def test_the_clock_is_read_when_none_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("json", "info", stream=sys.stderr)
    logs.get("x").info("event")
    line = json.loads(capsys.readouterr().err)
    assert line["time"].endswith("Z")
    assert len(line["time"]) == len("2026-01-01T00:00:00.000Z")
    logs.configure("console", "warning", strict=True)


def test_lines_of_many_threads_stay_whole(lines: Any) -> None:
    read = lines()
    logger = logs.get("x")
    threads = [
        threading.Thread(target=lambda: [logger.info("event", count=number) for number in range(200)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(read()) == 800
