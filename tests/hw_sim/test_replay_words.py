"""What `replay` prints: the house, the remedy, and each difference in words, with the line of the scenario that it is about."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_assist.cli import main as assist
from hw_sim.cli import main as simulator

SCENARIO = '''title = "A hand"
table = { seats = [1, 2, 3], button = 1, blinds = [1, 2], stacks = 200 }
house = "tda2024"
script = """
deal
report exposed 2
expect R2 proven
expect remedy X1 play_on
3 call
"""
'''


def test_a_replay_says_by_which_house_what_was_prescribed_and_which_line_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hand.toml"
    path.write_text(SCENARIO + '\n[expect]\nresult = "completed"\nstacks = { 1 = 200, 2 = 199, 3 = 201 }\n')
    trace = tmp_path / "hand.jsonl"
    assert simulator(["trace", str(path), "-o", str(trace)]) == 0
    assert assist(["replay", "--check", str(trace)]) == 1
    said = capsys.readouterr()
    assert "house tda2024" in said.out
    assert "awards none" in said.out
    assert "(hand.toml:7): expected rule R2, evidence proven: " in said.err
    assert "(hand.toml:8): expected rule X1, remedy play_on: " in said.err
    assert "{" not in said.err
    assert "expected completed" in said.err
    assert "stack of seat 2" in said.err


def test_a_replay_in_words_names_the_remedy_and_who_is_paid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = Path(__file__).parents[1] / "scenarios" / "r2_early_turn.toml"
    trace = tmp_path / "hand.jsonl"
    assert simulator(["trace", str(scenario), "-o", str(trace)]) == 0
    assert assist(["replay", "--check", str(trace)]) == 0
    said = capsys.readouterr().out
    assert "house seed, N10 probable, R2 proven (river_as_turn), awards seat 2 85" in said
