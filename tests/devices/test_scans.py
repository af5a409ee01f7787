"""Complete scans become changes: a base first, then what came and what left, and never a period that is too short."""

from __future__ import annotations

from dealer_assist.devices.scans import ScanDiff
from dealer_assist.table.ports import InventorySeen, ScanFailed, TagArrived, TagLeft

A = bytes.fromhex("E0040150A1B2C3D4")
B = bytes.fromhex("E0040150A1B2C3D5")


def test_the_first_scan_is_told_whole_then_the_changes_leaving_first() -> None:
    diff = ScanDiff("r", period_ms=100)
    assert diff.scanned(3, (A,), 1000) == [InventorySeen("r", 3, (A,), 1000, 1, 100)]
    assert diff.scanned(3, (A,), 1100) == []
    assert diff.scanned(3, (B,), 1200) == [
        TagLeft("r", 3, A, 1200, 3, 100),
        TagArrived("r", 3, B, 1200, 3, 100),
    ]


def test_a_failed_scan_changes_nothing_and_antennas_are_their_own() -> None:
    diff = ScanDiff("r", period_ms=100)
    diff.scanned(1, (A,), 0)
    assert diff.failed(1, 100, "crc") == [ScanFailed("r", 1, 100, 2, 100, "crc")]
    assert diff.scanned(1, (A,), 200) == []
    assert diff.scanned(2, (), 210) == [InventorySeen("r", 2, (), 210, 1, 100)]


def test_a_uid_listed_three_times_lies_there_once() -> None:
    diff = ScanDiff("r", period_ms=100)
    assert diff.scanned(1, (A, B, A, A), 0) == [InventorySeen("r", 1, (A, B), 0, 1, 100)]
    assert diff.scanned(1, (A, A, B), 100) == []


def test_the_period_is_the_longest_of_the_last_intervals() -> None:
    diff = ScanDiff("r", period_ms=100)
    for t_ms in (0, 200, 520, 620):
        diff.scanned(1, (), t_ms)
    (arrived,) = diff.scanned(1, (A,), 720)
    assert isinstance(arrived, TagArrived)
    assert arrived.scan_period_ms == 320
    for t_ms in (820, 920, 1020):
        diff.scanned(1, (A,), t_ms)
    (left,) = diff.scanned(1, (), 1120)
    assert isinstance(left, TagLeft)
    assert left.scan_period_ms == 100


def test_after_the_line_was_away_the_next_scan_is_a_base_and_the_gap_no_period() -> None:
    diff = ScanDiff("r", period_ms=100)
    diff.scanned(1, (A,), 0)
    diff.forget()
    assert diff.scanned(1, (A,), 60_000) == [InventorySeen("r", 1, (A,), 60_000, 2, 100)]
    diff.tell_all()
    assert diff.scanned(1, (B,), 60_080) == [InventorySeen("r", 1, (B,), 60_080, 3, 80)]
