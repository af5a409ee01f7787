"""Rulings that contradict themselves, the catalogue or a parameter are refused when the house is loaded, each with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_assist.cli import main
from dealer_assist.composition import UnknownName, load_game, load_house
from firmware_protocol.toml_errors import ConfigError
from hw_sim.houses import UnknownHouse, habits_of


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


def test_every_mistake_of_a_house_is_told_at_once(tmp_path: Path) -> None:
    """A ruling's, a parameter's place and a word that is nearly right, each on its line."""
    told = refused(
        tmp_path,
        "seed",
        "[rules]\n"
        'X2 = { remedy = "mis_deal", source = "house", priority = "high" }\n'
        'X3 = { remedy = "replace_exposed", source = " ", priority = "high" }\n'
        'K5 = { remedy = "floor", options = ["count_deck", "chnge_deck"], source = "house", priority = "high" }\n'
        'X33 = { remedy = "play_on", source = "house", priority = "high" }',
    ).splitlines()
    assert [line.split(":")[1] for line in told] == ["6", "7", "8", "9"]
    assert "(did you mean 'misdeal'?)" in told[0]
    assert "the rule that this stands on" in told[1]
    assert "(did you mean 'change_deck'?)" in told[2]
    assert "a row of the catalogue" in told[3]
    assert "(did you mean 'X3'?)" in told[3]


def test_every_parameter_out_of_range_is_told_at_once(tmp_path: Path) -> None:
    told = refused(
        tmp_path,
        "seed",
        '[parameters]\nrun_it = { value = 9, source = "house" }\nmax_seats = { value = 99, source = "house" }',
    )
    assert "'parameters.run_it.value': expected 1 to 3, found 9" in told
    assert "'parameters.max_seats.value': expected 2 to 11, found 99" in told


@pytest.mark.parametrize("kind", ["house", "game"])
def test_a_file_of_ones_own_has_a_name_of_its_own(tmp_path: Path, kind: str) -> None:
    name, load = ("seed", load_house) if kind == "house" else ("nlhe", load_game)
    path = tmp_path / "mine.toml"
    path.write_text(f'name = "{name}"\ntitle = "Mine"\nextends = "{name}"\n')
    with pytest.raises(
        ConfigError, match=rf"mine\.toml:1:8: key 'name': expected a name of its own, there is a {name}"
    ):
        load(str(path))


def test_what_only_fills_gaps_is_no_house_to_play_by(tmp_path: Path) -> None:
    with pytest.raises(UnknownName) as told:
        load_house("practice")
    assert told.value.known == ["roberts", "seed", "tda2024", "wsop_cash", "wsop_tournament"]
    with pytest.raises(UnknownName) as told:
        load_house("sead")
    assert "practice" not in str(told.value)
    with pytest.raises(UnknownHouse) as unknown:
        habits_of("sead")
    assert "practice" not in str(unknown.value)


def test_every_mistake_of_a_game_is_told_at_once_and_where_it_is_written(tmp_path: Path) -> None:
    base = tmp_path / "base.toml"
    base.write_text('name = "base"\ntitle = "Base"\nextends = "nlhe"\n\nmax_seats = 40\nhole = 9\n')
    path = tmp_path / "mine.toml"
    path.write_text(f'name = "mine"\ntitle = "Mine"\nextends = "{base}"\n')
    with pytest.raises(ConfigError) as told:
        load_game(str(path))
    lines = str(told.value).splitlines()
    assert {line.split("'")[1] for line in lines} >= {"max_seats", "hole"}
    assert all(line.startswith(f"{base}:") for line in lines)
    assert any(line.startswith(f"{base}:5:") for line in lines)
    assert any(line.startswith(f"{base}:6:") for line in lines)


def test_what_a_game_takes_over_and_does_not_fit_is_told_where_it_is_taken_over(tmp_path: Path) -> None:
    """Forty-five cards for nine hands of five and a board do not come from a deck of 36."""
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\ntitle = "Mine"\n\nextends = "nlhe"\nhole = 5\ndeck = "short36"\n')
    with pytest.raises(ConfigError, match=r"mine\.toml:4:11: key 'street': expected at most the 36 cards"):
        load_game(str(path))


def test_a_house_that_is_extended_and_not_there_is_told_where_it_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\ntitle = "Mine"\nextends = "nowhere.toml"\n')
    assert main(["houses", "check", str(path)]) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1
    assert told[0].startswith(f"{path}:3:11: key 'extends': expected a house that there is")
