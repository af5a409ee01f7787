"""Every scenario through both commands, simulator and replay, each under one of its houses.

Under all its houses each is played by tests/procedure/scenario_replays.py, with the same expectations and without the commands.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dealer_assist.cli import main as assist
from hw_sim.cli import main as simulator
from tests.procedure.scenario_replays import plays

SCENARIOS = sorted((Path(__file__).parent.parent / "scenarios").glob("*.toml"))
SAMPLE = Path(__file__).parent.parent / "data" / "pluribus_sample.phhs"
RULES = ("x1 x2 x3 x4", "d1 d2 d3 d4 d8 d9", "k1", "n1 n5 n10", "f1 f2", "r1 r2 r3")


def trace(path: Path, to: Path) -> Path:
    assert simulator(["trace", str(path), "-o", str(to)]) == 0
    return to


def test_there_is_a_scenario_for_every_rule_and_a_near_miss_for_every_family() -> None:
    names = {path.stem.split("_")[0] for path in SCENARIOS}
    near = {path.stem[0] for path in SCENARIOS if path.stem.endswith("_near")}
    for family in RULES:
        assert set(family.split()) <= names
        assert family[0] in near


@pytest.mark.parametrize(("name", "house"), plays(one=True))
def test_scenario_goes_as_it_says(
    name: str, house: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = SCENARIOS[0].with_name(f"{name}.toml")
    to = tmp_path / "hand.jsonl"
    assert simulator(["trace", str(path), "--house", house, "-o", str(to)]) == 0
    assert assist(["replay", "--check", str(to)]) == 0, capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "line", "wrong", "told"),
    [
        ("clean_showdown", "expect pot 39", "expect pot 40", "pot is 39"),
        ("clean_showdown", "expect stack 2 243", "expect stack 2 244", "stack of seat 2 243, expected 244"),
        ("x1_first_card_exposed", "alerts = [", 'alerts = ["X2 proven", ', "alerts "),
        ("f2_five_cards_up", "expect F2 probable", "expect F1 probable", "F1 is not there"),
    ],
)
def test_an_expectation_that_does_not_hold_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, line: str, wrong: str, told: str
) -> None:
    text = (Path(__file__).parent.parent / "scenarios" / f"{name}.toml").read_text()
    path = tmp_path / "wrong.toml"
    path.write_text(text.replace(line, wrong))
    assert path.read_text() != text
    assert assist(["replay", "--check", str(trace(path, tmp_path / "hand.jsonl"))]) == 1
    assert told in capsys.readouterr().err


def test_real_hands_are_dealt_in_silence_and_paid_to_the_chip(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = trace(SAMPLE, tmp_path / "sample.jsonl")
    assert assist(["replay", "--check", "--json", str(out)]) == 0
    results = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(results) == 64
    assert all(result["alerts"] == [] and result["result"] == "completed" for result in results)
