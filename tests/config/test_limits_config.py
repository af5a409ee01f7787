"""[limits] of a table's file: fixed-limit bets, kinds of antes, kill and bomb pots; mistakes with their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_assist.config.table import ConfigError, load_table_config
from dealer_assist.domain.table import Limits

EXAMPLE = (Path(__file__).parents[2] / "docs/examples/table.toml").read_text(encoding="utf-8")
START = EXAMPLE.index("[limits]")
REST = EXAMPLE.index("[journal]")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which everything lies that the example names."""
    for name in ("keys/surveillance.pub", "keys/table.key", "decks/red.deck", "decks/blue.deck"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("0f" * 32 + "\n")
    return tmp_path


def written(folder: Path, limits: str) -> Path:
    path = folder / "table.toml"
    path.write_text(f"{EXAMPLE[:START]}[limits]\n{limits}\n\n{EXAMPLE[REST:]}", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("limits", "stakes"),
    [
        ("small_blind = 1\nbig_blind = 2", Limits(1, 2)),
        ("small_blind = 0\nbig_blind = 2", Limits(0, 2)),
        ("small_bet = 300", Limits(150, 300, small_bet=300)),
        ("small_bet = 3\nbig_bet = 6", Limits(1, 3, small_bet=3, big_bet=6)),
        ("small_bet = 75\nchips = [25, 100]", Limits(25, 75, small_bet=75, chips=(25, 100))),
        ("small_blind = 50\nbig_blind = 100\nsmall_bet = 200", Limits(50, 100, small_bet=200)),
        (
            'small_blind = 5\nbig_blind = 10\nante = 10\nante_kind = "big_blind"',
            Limits(5, 10, 10, ante_kind="big_blind"),
        ),
        ('small_blind = 5\nbig_blind = 10\nkill = "half"', Limits(5, 10, kill="half")),
        ("small_blind = 5\nbig_blind = 10\nbomb_ante = 50", Limits(5, 10, bomb_ante=50)),
    ],
)
def test_what_the_keys_come_to(folder: Path, limits: str, stakes: Limits) -> None:
    """S000-05, S003-02: by custom the small blind is half the small bet, the big blind the whole."""
    assert load_table_config(written(folder, limits), simulate=False).stakes() == stakes


@pytest.mark.parametrize(
    ("limits", "line", "complaint"),
    [
        (
            "small_blind = 3\nbig_blind = 2",
            1,
            "key 'limits.small_blind': expected at most the big blind of 2",
        ),
        (
            "small_blind = 3\nsmall_bet = 2",
            1,
            "key 'limits.small_blind': expected at most the big blind of 2",
        ),
        ("ante = 1\nsmall_blind = 1", 0, "expected the big blind, or small_bet of a fixed-limit table"),
        ("big_blind = 2", 0, "expected the small blind; 0 for none"),
        ("small_bet = 4\nbig_bet = 3", 2, "key 'limits.big_bet': expected at least the small bet of 4"),
        (
            "small_blind = 1\nbig_blind = 2\nbig_bet = 3",
            3,
            "key 'limits.big_bet': expected small_bet beside it",
        ),
        (
            'small_blind = 1\nbig_blind = 2\nante_kind = "button"',
            3,
            "key 'limits.ante_kind': expected an ante above 0 that this seat pays",
        ),
        (
            'small_blind = 1\nbig_blind = 2\nante_kind = "dealer"',
            3,
            "key 'limits.ante_kind': expected one of",
        ),
        ('small_blind = 1\nbig_blind = 2\nkill = "twice"', 3, "key 'limits.kill': expected one of"),
        (
            "small_blind = 1\nbig_blind = 2\nbomb_ante = -1",
            3,
            "key 'limits.bomb_ante': expected a whole number",
        ),
        (
            "small_bet = 50\nbig_bet = 110\nchips = [25]",
            2,
            "key 'limits.big_bet': expected a multiple of the smallest chip of 25",
        ),
    ],
)
def test_each_mistake_is_told_with_its_place(folder: Path, limits: str, line: int, complaint: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load_table_config(written(folder, limits), simulate=False)
    [problem] = raised.value.problems
    assert complaint in str(raised.value)
    if line:
        assert problem.line == EXAMPLE[:START].count("\n") + 1 + line
