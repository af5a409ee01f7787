"""What fuzzing has found, each as small as it can be."""

from __future__ import annotations

import json

import pytest

from dealer_assist.table.trace import TraceError, read
from firmware_protocol.toml_errors import ConfigError
from hw_sim.hands import load_hands
from tests.fuzz.targets import ROOT, TARGETS

DEEP = b"[" * 100_000
HEADER = b'{"trace":1,"house":"seed","game":"nlhe","limits":{"small_blind":1,"big_blind":2},"devices":[]}'


def test_a_trace_line_nested_too_deep_is_refused_with_its_place():
    line = b'{"t":1,"expect_now":{"x":' + DEEP
    with pytest.raises(TraceError, match="fuzz:2: expected lists and objects nested less deep"):
        list(read("fuzz", [HEADER, line]))


def test_a_request_nested_too_deep_is_answered_and_its_client_still_served():
    """The thread that reads a client's requests ended without a word, and the client was never answered again."""
    TARGETS["command"].run(b'{"id":"2","actor":' + DEEP[:50_000])
    TARGETS["command"].run(DEEP[:50_000])


def test_a_request_to_the_simulator_nested_too_deep_is_answered():
    TARGETS["control"].run(DEEP[:2000])


@pytest.mark.parametrize(
    "line", [b'"touch","card":[]', b'"touch","card":{}', b'"lay","cards":["As",[]]', b'"lay","cards":[null]']
)
def test_a_card_that_is_no_text_is_refused_by_the_simulator(line):
    TARGETS["control"].run(b'{"zone":"board","do":' + line + b"}")


def _second_ohh(tmp_path, change):
    lines = (ROOT / "tests" / "data" / "cash_sample.ohh.jsonl").read_text("utf-8").splitlines(keepends=True)
    file = tmp_path / "hands.ohh.jsonl"
    file.write_text(lines[0] + change(lines[1]), "utf-8")
    with pytest.raises(ConfigError) as refused:
        list(load_hands([file], None, None))
    return refused.value


def test_half_a_surrogate_pair_in_a_hand_history_is_told_with_its_place(tmp_path):
    error = _second_ohh(tmp_path, lambda line: line.replace('"site_name":"', '"site_name":"é\\ud800', 1))
    assert error.line == 2
    assert error.expected == "JSON"
    assert error.found.startswith("a mistake in it: ")
    text = (tmp_path / "hands.ohh.jsonl").read_text("utf-8").splitlines()[1]
    assert abs(text.index("\\ud800") - error.column) < 8


def test_a_number_that_is_none_in_a_hand_history_is_told_with_its_place(tmp_path):
    error = _second_ohh(tmp_path, lambda line: line.replace('"table_size":10', '"table_size":NaN', 1))
    assert (error.line, error.expected) == (2, "JSON")
    assert json.loads("NaN") is not None  # Python's own reader takes it


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ((b'"1":"seat1"', b'"x":"seat1"'), "a number as"),
        ((b'"1":"seat1"', b'"1":"chair1"'), "a zone as"),
        ((b"E004015088C1A200", b"E004015088C1A20"), "UIDs of 4 to 10 bytes"),
        ((b'"As"', b'"A"'), "cards as rank and suit"),
    ],
)
def test_a_trace_header_that_cannot_be_is_refused_with_its_line(change, expected):
    header = (
        b'{"trace":1,"house":"seed","game":"nlhe","limits":{"small_blind":1,"big_blind":2},'
        b'"devices":[{"id":"r","role":"reader","antennas":{"1":"seat1"}}],'
        b'"deck":{"name":"A","simulated":true,"cards":{"E004015088C1A200":"As"}}}'
    )
    assert list(read("fuzz", [header]))
    with pytest.raises(TraceError, match=f"fuzz:1: expected .*{expected}") as refused:
        list(read("fuzz", [header.replace(*change)]))
    assert "E0040" not in str(refused.value)
