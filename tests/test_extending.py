"""docs/extending.md: its files load and are played, its names exist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from dealer_assist.cli import main as assist
from dealer_assist.composition import load_game, load_house
from dealer_assist.houses_command import STEPS
from dealer_assist.procedure import said
from dealer_assist.procedure.catalogue import ROWS, Row
from dealer_assist.procedure.game import Game, StreetPlan
from dealer_assist.procedure.remedies import REMEDIES
from dealer_assist.procedure.remedies.checks import CHECKS
from hw_sim.cli import main as simulator

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"```toml\n# (\w+\.toml)\n(.*?)```", PAGE, re.DOTALL))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_house_says_what_it_changes_and_nothing_else(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert assist(["houses", "check", "lakeside.toml"]) == 0
    own, base = load_house("lakeside.toml"), load_house("tda2024")
    changed = {row for row in ROWS if own.rules[row].source != base.rules[row].source}
    assert changed == {"K4"}
    capsys.readouterr()
    assert assist(["houses", "diff", "tda2024", "lakeside.toml"]) == 1
    assert "room rules 2" in capsys.readouterr().out


def test_a_trace_is_judged_by_the_house(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scenario = str(ROOT / "tests" / "scenarios" / "f1_four_cards_up.toml")
    assert simulator(["trace", scenario, "-o", "hand.jsonl"]) == 0
    assert assist(["replay", "hand.jsonl", "--house", "lakeside.toml"]) == 0
    assert "F1" in capsys.readouterr().out


def test_the_game_is_checked_and_its_hand_is_played_in_silence(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert assist(["config", "check", "lazy_pineapple.toml"]) == 0
    assert load_game("lazy_pineapple.toml").kept == 2
    assert simulator(["trace", "lazy_hand.toml", "-o", "hand.jsonl"]) == 0
    assert assist(["replay", "--check", "hand.jsonl"]) == 0, capsys.readouterr().err


def test_the_keys_of_a_game_are_all_there() -> None:
    section = PAGE.split("## A game")[1].split("## A row")[0]
    named = set(re.findall(r"`(\w+)`", section))
    assert set(Game.__struct_fields__) - {"name", "title", "street"} <= named
    assert set(StreetPlan.__struct_fields__) <= named
    game = set(re.findall(r"`(\w+)`", section.split("| `[[street]]`")[0].split("|---|---|")[1]))
    assert game <= {*Game.__struct_fields__, *_values()}


def _values() -> set[str]:
    """Every word that a key of a game may have as its value."""
    return {
        str(word)
        for hint in get_type_hints(Game).values()
        if get_origin(hint) is Literal
        for word in get_args(hint)
    }


def test_the_row_is_one_and_what_it_touches_is_where_the_page_says() -> None:
    [line] = re.findall(r"```python\n\s*(Row\(.*\))", PAGE)
    row = eval(line, {"Row": Row})  # noqa: S307 - the line is ours
    assert row.id not in ROWS
    assert row.question in said._ANSWERS
    codes = {code for steps in STEPS.values() for code in steps}
    assert codes & set(CHECKS)
    assert set(STEPS) == set(REMEDIES)


def test_every_file_that_the_page_names_is_there() -> None:
    places = (ROOT, ROOT / "dealer_assist", ROOT / "dealer_assist" / "procedure", ROOT / "docs")
    named = re.findall(r"`((?:[\w.]+/)+[\w.]*)`", PAGE)
    assert len(named) > 10
    for name in named:
        assert any((place / name).exists() for place in places), name
