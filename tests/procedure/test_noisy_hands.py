"""Real hands as noisy antennas read them, with and without an irregularity: what the rules make of reads that come late, once, or never."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_assist.replay import Replay
from dealer_assist.replay_checks import HandResult
from dealer_assist.table.trace import read
from hw_sim.cli import main
from tests.procedure.scenario_replays import core, watch

#: Bad antennas are a quarter of a minute of work, under a trace and beside other work more than the suite's two minutes.
pytestmark = pytest.mark.timeout(400)

SAMPLE = Path(__file__).parents[1] / "data" / "pluribus_sample.phhs"


def played(folder: Path, *options: str) -> list[HandResult]:
    """Every hand of the sample, its alerts looked at one by one."""
    trace = folder / "trace.jsonl"
    assert main(["trace", str(SAMPLE), "-o", str(trace), *options]) == 0
    return list(Replay(core, watch=watch).feed(read("noisy", trace.read_bytes().splitlines())))


@pytest.mark.parametrize(("profile", "seed"), [("fine", 3), ("table", 4), ("table", 11)])
def test_nothing_is_proven_and_every_chip_is_paid_right(tmp_path: Path, profile: str, seed: int) -> None:
    results = played(tmp_path, "--noise", profile, "--seed", str(seed))
    assert len(results) == 64
    assert [alert for result in results for alert in result.alerts if alert["evidence"] == "proven"] == []
    assert [result.hand for result in results if result.result != "completed"] == []
    assert [line for result in results for line in result.differences if "alerts" not in line] == []


@pytest.mark.parametrize(("profile", "seed"), [("table", 21), ("bad", 22)])
def test_most_of_what_goes_wrong_is_spoken_of_and_every_hand_goes_back(
    tmp_path: Path, profile: str, seed: int
) -> None:
    results = played(
        tmp_path,
        "--noise",
        profile,
        "--seed",
        str(seed),
        "--hands",
        "20",
        "--irregular",
        "1",
        "--truth",
        str(tmp_path / "truth"),
    )
    assert {result.result for result in results} == {"void"}
    spoken = sum(any(alert["evidence"] != "possible" for alert in result.alerts) for result in results)
    assert spoken > len(results) * 3 // 4
