"""A game that cannot be played is refused when it is loaded: with file, line, column, and what was expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_assist.composition import load_game
from firmware_protocol.toml_errors import ConfigError

GAME = """\
name = "mine"
title = "Mine"
deck = "standard52"
betting = "no_limit"
hole = 2
max_seats = 9
use = "any"

[[street]]
name = "preflop"

[[street]]
name = "flop"
burn = 1
board = 3

[[street]]
name = "turn"
burn = 1
board = 1

[[street]]
name = "river"
burn = 1
board = 1
"""


def load(folder: Path, *changes: tuple[str, str]) -> None:
    text = GAME
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path = folder / "mine.toml"
    path.write_text(text)
    load_game(str(path))


def test_the_game_that_the_mistakes_are_made_in_is_good(tmp_path: Path) -> None:
    load(tmp_path)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([("burn = 1", "burn = 2")], "14:8: key 'street[2].burn': expected 0 or 1 cards"),
        ([("board = 3", "board = 4")], "15:9: key 'street[2].board': expected 0 to 3 cards"),
        ([('name = "preflop"', 'name = "preflop"\nburn = 1')], "burn"),
        ([('name = "preflop"', 'name = "preflop"\nboard = 1\nburn = 1')], "before the flop"),
        (
            [('name = "preflop"', 'name = "preflop"\ndiscard = 5')],
            "11:11: key 'street[1].discard': expected 0 to 4 cards",
        ),
        ([("hole = 2", "hole = 6")], "5:8: key 'hole': expected 1 to 5 cards"),
        ([("max_seats = 9", "max_seats = 12")], "6:13: key 'max_seats': expected 2 to 11"),
        ([("max_seats = 9", "max_seats = 1")], "6:13: key 'max_seats': expected 2 to 11"),
        ([("hole = 2", "hole = 2\nboards = 3")], "6:10: key 'boards': expected 1 or 2"),
        ([('name = "preflop"', 'name = "flop"')], "first street"),
        ([('name = "turn"', 'name = "flop"')], "each street once"),
        ([("hole = 2", "hole = 5"), ("max_seats = 9", "max_seats = 11")], "the plan needs 63"),
        ([("board = 3", "board = 2")], "5 board cards in all, the plan turns 4"),
        ([('name = "preflop"', 'name = "preflop"\ndiscard = 1')], "two cards or more to keep"),
        ([('"any"', '"point_and_one"')], "point_and_one exactly"),
        (
            [("hole = 2", 'hole = 2\nranking = "short_trips_over_straight"')],
            "6:11: key 'ranking': expected standard for the whole deck",
        ),
        ([("hole = 2", "hole = 2\nposts = 'unfold'")], "window"),
    ],
)
def test_a_plan_that_cannot_be_dealt(tmp_path: Path, changes: list[tuple[str, str]], expected: str) -> None:
    with pytest.raises(ConfigError) as told:
        load(tmp_path, *changes)
    assert str(told.value).startswith(f"{tmp_path / 'mine.toml'}:")
    assert expected in str(told.value)


def test_a_street_without_betting_has_its_discards_before_it(tmp_path: Path) -> None:
    streetless = ('name = "flop"', 'name = "flop"\nbet = false\ndiscard = 1\ndiscard_when = "after_bet"')
    with pytest.raises(ConfigError, match=r"16:16: key 'street\[2\]\.discard_when': expected before_bet"):
        load(tmp_path, ("hole = 2", "hole = 3"), streetless)


def test_a_game_without_a_betting_round(tmp_path: Path) -> None:
    silent = [
        (f'name = "{street}"\n', f'name = "{street}"\nbet = false\n')
        for street in ("preflop", "flop", "turn", "river")
    ]
    with pytest.raises(ConfigError, match="expected a betting round"):
        load(tmp_path, *silent)


def child(folder: Path, extends: str) -> Path:
    path = folder / "child.toml"
    path.write_text(f'name = "child"\ntitle = "Child"\nextends = {extends}\n')
    return path


def test_a_game_may_extend_another_and_says_where_that_is_missing(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(GAME)
    parent = str(tmp_path / "mine.toml")
    assert load_game(str(child(tmp_path, f'"{parent}"'))).hole == 2
    with pytest.raises(ConfigError, match=r"child\.toml:3.*a game that there is"):
        load_game(str(child(tmp_path, '"no_such_game"')))
    with pytest.raises(ConfigError, match=r"child\.toml:3.*does not extend this one"):
        load_game(str(child(tmp_path, f'"{tmp_path / "child.toml"}"')))
    with pytest.raises(ConfigError, match=r"child\.toml:3"):
        load_game(str(child(tmp_path, "7")))


def test_a_mistake_in_the_game_that_is_extended_is_told(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(GAME.replace("max_seats = 9", 'max_seats = "nine"'))
    with pytest.raises(ConfigError, match=r"key 'max_seats': expected a whole number, found \"nine\""):
        load_game(str(child(tmp_path, f'"{tmp_path / "mine.toml"}"')))
