"""Rulings that contradict themselves, the catalogue or a parameter are refused when the house is loaded, each with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_assist.composition import load_house
from firmware_protocol.toml_errors import ConfigError


def refused(folder: Path, base: str, text: str) -> str:
    path = folder / "mine.toml"
    path.write_text(f'name = "mine"\ntitle = "Mine"\nextends = "{base}"\n\n{text}\n')
    with pytest.raises(ConfigError) as told:
        load_house(str(path))
    assert str(told.value).startswith(f"{path}:")
    return str(told.value)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (
            'F1 = { remedy = "reflop_no_burn", source = " ", priority = "high" }',
            "the rule that this stands on",
        ),
        (
            'D3 = { remedy = "misdeal", mixed = "misdeal", source = "house", priority = "high" }',
            "rules.D3.mixed",
        ),
        (
            'F4 = { remedy = "floor", options = ["play_on", "play_on"], source = "house", priority = "high" }',
            "expected each remedy once",
        ),
        (
            'F4 = { remedy = "floor", options = ["play_on", "floor"], source = "house", priority = "high" }',
            "the floor is who chooses it",
        ),
        (
            'F4 = { remedy = "floor", options = ["play_on"], source = "house", priority = "high" }',
            "two remedies or more",
        ),
        (
            'F4 = { remedy = "play_on", options = ["play_on", "reflop_no_burn"], source = "house", priority = "high" }',
            "nothing here is left to the floor",
        ),
        (
            'D3 = { remedy = "misdeal", not_faced = "play_on", source = "house", priority = "high" }',
            "D3 does not ask",
        ),
        (
            'F1 = { remedy = "reflop_no_burn", after_action = "play_on", source = "house", priority = "high" }',
            "F1 is F4 once somebody has acted",
        ),
        ('F9 = { remedy = "play_on", source = "house", priority = "high" }', "a row of the catalogue"),
    ],
)
def test_a_ruling_that_cannot_be_carried_out(tmp_path: Path, rule: str, expected: str) -> None:
    told = refused(tmp_path, "seed", f"[rules]\n{rule}")
    assert expected in told
    assert ":6:" in told or ":1:" in told


@pytest.mark.parametrize(
    ("base", "text", "expected"),
    [
        (
            "seed",
            '[parameters]\nburn_order_compensation = { value = false, source = "house" }',
            "expected another remedy, as parameters.burn_order_compensation says",
        ),
        (
            "tda2024",
            '[parameters]\nburn_order_compensation = { value = true, source = "house" }',
            "expected stands_burn_two, as parameters.burn_order_compensation says",
        ),
        (
            "roberts",
            '[parameters]\nallin_faceup = { value = true, source = "house" }',
            "expected turn_up, as parameters.allin_faceup says",
        ),
        ("seed", '[parameters]\nmax_seats = { value = 12, source = "house" }', "expected 2 to 11"),
        ("seed", "rules = 7", "expected a table"),
        ("seed", "parameters = []", "expected a table"),
    ],
)
def test_parameters_and_rulings_say_the_same(tmp_path: Path, base: str, text: str, expected: str) -> None:
    assert expected in refused(tmp_path, base, text)


def test_a_mistake_in_the_house_that_is_extended_is_placed_there(tmp_path: Path) -> None:
    base = tmp_path / "base.toml"
    base.write_text('name = "base"\ntitle = "Base"\nextends = \n')
    path = tmp_path / "mine.toml"
    path.write_text(f'name = "mine"\ntitle = "Mine"\nextends = "{base}"\n')
    with pytest.raises(ConfigError, match=r"base\.toml:3"):
        load_house(str(path))


def test_what_an_extended_house_leaves_to_others_stays_a_gap(tmp_path: Path) -> None:
    base = tmp_path / "base.toml"
    base.write_text(
        'name = "base"\ntitle = "Base"\ngaps = ["seed", "roberts", "wsop_cash", "tda2024", "practice"]\n'
    )
    path = tmp_path / "mine.toml"
    path.write_text(f'name = "mine"\ntitle = "Mine"\nextends = "{base}"\n')
    house = load_house(str(path))
    assert all(ruling.gap for ruling in house.rules.values())
