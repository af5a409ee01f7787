"""[rake] and the kinds of chips in a table's file: what they come to, and each mistake with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_assist.betting import Drop, RakeSchedule
from dealer_assist.cli import main
from dealer_assist.composition import check_file, load_house, table_rules
from dealer_assist.config.files import ConfigError
from dealer_assist.config.table import load_table_config
from dealer_assist.table.opening import Rules

EXAMPLE = (Path(__file__).parents[2] / "docs" / "examples" / "table.toml").read_text(encoding="utf-8")
#: The example up to its rake, and what follows it.
HEAD, _, REST = EXAMPLE.partition("[rake]\n")
REST = REST[REST.index("[journal]") :]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which everything lies that the example names."""
    for name in ("keys/surveillance.pub", "keys/table.key", "decks/red.deck", "decks/blue.deck"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("0f" * 32 + "\n")
    return tmp_path


def written(folder: Path, rake: str, *, house: str = "seed", chips: str = "") -> Path:
    path = folder / "table.toml"
    head = HEAD.replace('house = "seed"', f'house = "{house}"')
    if chips:
        head = head.replace("chips = [25, 100, 500, 2500]", f"chips = {chips}")
    path.write_text(f"{head}{rake}\n\n{REST}", encoding="utf-8")
    return path


def rules(folder: Path, rake: str, *, house: str = "seed", chips: str = "") -> Rules:
    return table_rules(load_table_config(written(folder, rake, house=house, chips=chips), simulate=False))


def test_nothing_is_raked_without_the_section(folder: Path) -> None:
    assert rules(folder, "").rake is None
    assert rules(folder, '[rake]\nschedule = "none"').rake is None


@pytest.mark.parametrize(
    ("house", "schedule"),
    [
        ("seed", RakeSchedule(500, 300, 25)),
        ("roberts", RakeSchedule(1000, 600, 100)),
        ("wsop_cash", RakeSchedule(1000, 600, 100)),
        ("tda2024", RakeSchedule(0, 600, 100)),
        ("wsop_tournament", RakeSchedule(0, 600, 100)),
    ],
)
def test_schedule_of_each_house_in_cents(folder: Path, house: str, schedule: RakeSchedule) -> None:
    assert rules(folder, '[rake]\nschedule = "house"\nper_money_unit = 100', house=house).rake == schedule


def test_own_schedule(folder: Path) -> None:
    found = rules(
        folder,
        """[rake]
schedule = "own"
percent = 5.55
cap = 300
caps_by_players = [{ players = 2, cap = 100 }, { players = 4, cap = 200 }]
drops = [{ name = "jackpot", amount = 100, from_pot = 1000 }, { name = "promotion", amount = 25, needs_flop = false }]
time = 600""",
    )
    assert found.rake == RakeSchedule(
        555,
        300,
        25,
        True,
        ((2, 100), (4, 200)),
        (Drop("jackpot", 100, 1000), Drop("promotion", 25, 0, False)),
    )
    assert found.time_rake == 600


def test_house_of_one_s_own_with_caps_drops_and_time(folder: Path) -> None:
    (folder / "mine.toml").write_text(
        'name = "mine"\ntitle = "Mine"\nextends = "seed"\n[parameters]\n'
        'rake_caps_by_players = { value = [{ players = 3, cap = 1.5 }], source = "x" }\n'
        'drops = { value = [{ name = "jackpot", amount = 0.5, from_pot = 10 }], source = "x" }\n'
        'time_rake = { value = 6.5, source = "x" }\n',
        encoding="utf-8",
    )
    found = rules(folder, '[rake]\nschedule = "house"\nper_money_unit = 100', house="mine.toml")
    assert found.rake == RakeSchedule(500, 300, 25, True, ((3, 150),), (Drop("jackpot", 50, 1000),))
    assert found.time_rake == 650


@pytest.mark.parametrize(
    "line",
    [
        'drops = { value = [{ name = "jackpot", amount = 0.6, from_pot = 10 }], source = "x" }',
        'time_rake = { value = 6.1, source = "x" }',
    ],
)
def test_what_a_house_takes_is_paid_in_the_chips_of_the_table(folder: Path, line: str) -> None:
    (folder / "mine.toml").write_text(f"{MINE}{line}\n", encoding="utf-8")
    path = written(folder, '[rake]\nschedule = "house"\nper_money_unit = 100', house="mine.toml")
    with pytest.raises(ConfigError) as raised:
        check_file(path, simulate=False)
    name = line.partition(" ")[0]
    assert f"key 'rake.per_money_unit': expected one that makes the house's {name} of" in str(raised.value)


@pytest.mark.parametrize(
    ("rake", "complaint"),
    [
        ('schedule = "hause"', '12: key \'rake.schedule\': expected one of "house", "none", "own" (did you mean'),
        ('schedule = "house"\npercent = 5', "11: key 'rake.percent': expected nothing, or schedule = \"own\""),
        ("percent = 5", "11: key 'rake.percent': expected nothing, or schedule = \"own\": this one is \"none\", found 5"),
        ('schedule = "own"\nper_money_unit = 100', "18: key 'rake.per_money_unit': expected nothing, or schedule = \"house\""),
        ('schedule = "own"\npercent = 25', "11: key 'rake.percent': expected a number from 0 to 20, found 25"),
        ('schedule = "own"\npercent = 5.125', "11: key 'rake.percent': expected two decimals at most, found 5.125"),
        ('schedule = "own"\nstep = 10', "8: key 'rake.step': expected a multiple of the smallest chip of 25, found 10"),
        (
            'schedule = "own"\ndrops = [{ name = "jackpot", amount = 110 }]',
            "key 'rake.drops[1].amount': expected a multiple of the smallest chip of 25, found 110",
        ),
        ('schedule = "own"\ntime = 610', "8: key 'rake.time': expected a multiple of the smallest chip of 25, found 610"),
        ('schedule = "own"\ndrops = [{ amount = 100 }]', "key 'rake.drops[1].name': expected a name of 1 to 30 characters"),
        (
            'schedule = "own"\ncaps_by_players = [{ players = 4, cap = 2 }, { players = 2, cap = 1 }]',
            "19: key 'rake.caps_by_players': expected rising numbers of players, found [4, 2]",
        ),
        (
            'schedule = "house"\nper_money_unit = 10',
            "18: key 'rake.per_money_unit': expected one in which the house's rake_step of 0.25 is a whole number, found 10",
        ),
        (
            'schedule = "house"\nper_money_unit = 40',
            "18: key 'rake.per_money_unit': expected one that makes the house's rake_step of 0.25 a multiple of the smallest chip of 25",
        ),
    ],
)  # fmt: skip
def test_each_mistake_is_told_with_its_place(folder: Path, rake: str, complaint: str) -> None:
    path = written(folder, f"[rake]\n{rake}")
    with pytest.raises(ConfigError) as raised:
        check_file(path, simulate=False)
    first = HEAD.count("\n") + 1
    last = first + 1 + rake.count("\n")
    lines = str(raised.value).split("\n")
    assert any(complaint in line and first < int(line.split(":")[1]) <= last for line in lines), lines


@pytest.mark.parametrize(
    ("chips", "complaint"),
    [
        ("[25, 100, 25]", "key 'limits.chips[3]': expected each kind of chip once"),
        ("[0, 100]", "key 'limits.chips[1]': expected a whole number from 1 to"),
        ("[500]", "key 'limits.small_blind': expected a multiple of the smallest chip of 500, found 100"),
    ],
)
def test_chips_that_cannot_be_are_told(folder: Path, chips: str, complaint: str) -> None:
    with pytest.raises(ConfigError) as raised:
        check_file(written(folder, "", chips=chips), simulate=False)
    assert complaint in str(raised.value)


@pytest.mark.parametrize(
    ("house", "unit"),
    [("seed", 25), ("roberts", 25), ("tda2024", 25), ("wsop_tournament", 25), ("wsop_cash", 100)],
)
def test_the_chip_that_pots_are_split_in(folder: Path, house: str, unit: int) -> None:
    """Blinds of 100 and 200 are posted in hundreds: WLA26 152 splits down to those, TDA 20 to the smallest in the game."""
    assert rules(folder, "", house=house).unit == unit
    assert rules(folder, "", house=house, chips="[]").unit == 1


MINE = 'name = "mine"\ntitle = "Mine"\nextends = "seed"\n[parameters]\n'


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('rake_percent = { value = 5.125, source = "x" }', "rake_percent.value': expected two decimals at most"),
        (
            'rake_caps_by_players = { value = [{ players = 4, cap = 2 }, { players = 2, cap = 1 }], source = "x" }',
            "rake_caps_by_players.value': expected rising numbers of players",
        ),
        (
            'rake_caps_by_players = { value = [{ players = 1, cap = 2 }], source = "x" }',
            "rake_caps_by_players.value': expected 2 to 11 players and caps of 0 or more",
        ),
        ('drops = { value = [{ name = "", amount = 1 }], source = "x" }', "drops.value': expected a name and amounts of 0 or more"),
        ('drops = { value = [{ name = "jackpot" }], source = "x" }', "amount"),
        ('time_rake = { value = -1.0, source = "x" }', "time_rake.value': expected 0 to 1000"),
    ],
)  # fmt: skip
def test_rake_of_a_house_that_cannot_be_is_told_with_its_place(
    tmp_path: Path, line: str, complaint: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f"{MINE}{line}\n", encoding="utf-8")
    with pytest.raises(ConfigError) as raised:
        load_house(str(path))
    assert raised.value.line == 5
    assert complaint in str(raised.value)


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", ["1.5 with 3 players or fewer; 2 with 5 players or fewer", "jackpot 0.5 from a pot of 10 (without a flop too)"]),
        ("uk", ["1.5, якщо гравців 3 або менше; 2, якщо гравців 5 або менше", "jackpot 0.5 з банку від 10 (і без флопу)"]),
    ],
)  # fmt: skip
def test_caps_and_drops_of_a_house_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, lines: list[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        f"{MINE}rake_caps_by_players = {{ value = [{{ players = 3, cap = 1.5 }}, {{ players = 5, cap = 2 }}], source = 'x' }}\n"
        "drops = { value = [{ name = 'jackpot', amount = 0.5, from_pot = 10, needs_flop = false }], source = 'x' }\n",
        encoding="utf-8",
    )
    assert main(["houses", "show", str(path), "--lang", language]) == 0
    shown = capsys.readouterr().out
    for line in lines:
        assert f": {line}\n" in shown
    assert main(["houses", "diff", "seed", str(path), "--lang", language]) == 1
    differ = capsys.readouterr().out
    assert "1.5" in differ
    assert "jackpot" in differ


def test_a_trace_whose_rake_cannot_be_paid_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(
        '{"trace":1,"house":"seed","game":"nlhe","limits":{"small_blind":1,"big_blind":2},"devices":[],"rake":{"schedule":"house"}}\n',
        encoding="utf-8",
    )
    assert main(["replay", str(path)]) == 2
    assert "rake.per_money_unit: expected one in which" in capsys.readouterr().err
