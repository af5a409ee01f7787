"""Scenario files: what is understood, and that every mistake names its file, line and column and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_protocol.toml_errors import ConfigError
from hw_sim.cli import main
from hw_sim.scenario import load_scenario

DESIGN_EXAMPLE = '''title = "Turn faced before the flop betting is over"
house = "seed"
game = "nlhe"
entry = "every_action"
table = { seats = [1, 2, 3, 5, 7, 9], button = 7, blinds = [1, 2], stacks = 200 }
deck = "seed:42"
script = """
deal                 # the whole deal, one card at a time; `deal 3` pitches one card to seat 3
2 call               # seat 2 is first to act: seat 9 posted the small blind, seat 1 the big blind
3 fold
5 raise 8
7 fold
9 fold
1 call
2 call
burn
board 3
1 check
2 bet 10
burn                 # seats 5 and 1 still have to act
expect N10 probable
board 1
expect R2 probable
answer no            # "Have seats 5 and 1 acted?"
expect R2 proven
"""
'''

HEAD = [
    'title = "A hand"',
    "table = { seats = [1, 2, 3], button = 1, blinds = [1, 2], stacks = 200 }",
    'deck = "seed:7"',
    'script = """',
]


def write(folder: Path, lines: list[str]) -> Path:
    path = folder / "hand.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


def script(folder: Path, *lines: str) -> Path:
    return write(folder, [*HEAD, *lines, '"""'])


def test_the_example_of_the_design_is_understood_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "example.toml"
    path.write_text(DESIGN_EXAMPLE)
    hand = load_scenario(path)
    assert hand.seats() == (9, 1, 2, 3, 5, 7)
    assert {record["stack"] for record in hand.opening["seats"]} == {200}
    assert len(set(hand.deck)) == 52


def test_an_explicit_order_lies_on_top_and_the_rest_of_the_deck_below_it(tmp_path: Path) -> None:
    hand = load_scenario(write(tmp_path, [*HEAD[:2], 'deck = "order:As Kd 2c"', 'script = "deal"']))
    assert hand.deck[:3] == ("As", "Kd", "2c")
    assert len(set(hand.deck)) == 52


def test_stacks_may_be_given_by_seat(tmp_path: Path) -> None:
    table = "table = { seats = [1, 2, 3], button = 1, blinds = [1, 2], stacks = { 1 = 10, 2 = 20, 3 = 30 } }"
    hand = load_scenario(write(tmp_path, [HEAD[0], table, HEAD[2], 'script = "deal"']))
    assert [(record["seat"], record["stack"]) for record in hand.opening["seats"]] == [
        (1, 10),
        (2, 20),
        (3, 30),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "deel",
        "deal 12",
        "2 call 5",
        "2 bet",
        "2 bet ten",
        "12 fold",
        "board",
        "board 9",
        "move seat1",
        "move seat12 stub",
        "move board:x stub",
        "show",
        "report exposed",
        "report nonsense",
        "answer maybe",
        "respond later",
        "enter 1x",
        "seat 1 gone",
        "wait 2",
        "wait soon",
        "garbage reader-1",
        "burn late",
        "expect",
        "expect R2",
        "expect r2 proven",
        "expect step burn",
        "expect pot much",
        "expect end soon",
        "shuffle now",
    ],
)
def test_a_line_that_is_no_step_is_told_with_file_line_and_column(tmp_path: Path, line: str) -> None:
    path = script(tmp_path, "deal", f"  {line}   # why not")
    with pytest.raises(ConfigError) as caught:
        load_scenario(path)
    assert (caught.value.file, caught.value.line, caught.value.column) == (str(path), 6, 3)
    assert caught.value.expected


def test_every_wrong_line_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_scenario(script(tmp_path, "deal", "bourn", "2 bett 4", "push"))
    assert [problem.line for problem in caught.value.problems] == [6, 7]


@pytest.mark.parametrize(
    ("number", "line"),
    [
        (1, 'title = "A hand'),
        (2, "table = { seats = [1, 2, 2], button = 1, blinds = [1, 2], stacks = 200 }"),
        (2, "table = { seats = [1], button = 1, blinds = [1, 2], stacks = 200 }"),
        (2, "table = { seats = [1, 2, 12], button = 1, blinds = [1, 2], stacks = 200 }"),
        (2, "table = { seats = [1, 2, 3], button = 12, blinds = [1, 2], stacks = 200 }"),
        (2, "table = { seats = [1, 2, 3], button = 1, blinds = [2, 1], stacks = 200 }"),
        (2, "table = { seats = [1, 2, 3], button = 1, blinds = [1, 2], stacks = 0 }"),
        (2, 'table = { seats = [1, 2, 3], button = 1, blinds = [1, 2], stacks = 9, ante_kind = "dealer" }'),
        (2, 'table = { seats = [1, 2, 3], button = 1, blinds = [1, 2], stacks = 9, kill = "full" }'),
        (
            2,
            'table = { seats = [1, 2, 3], button = 1, blinds = [1, 2], stacks = 9, kill = "full", killer = 4 }',
        ),
        (2, "table = { seats = [1, 2, 3], button = 1, blinds = [1, 2], stacks = 9, killer = 2 }"),
        (2, "table = { seats = [1, 2, 3], button = 1, blinds = [1, 2], stacks = 9, small_bet = -1 }"),
        (2, "table = { seats = [1, 2, 3], button = 1, blinds = [1, 2], stacks = { 1 = 200 } }"),
        (2, "table = { seats = [1, 2, 3], button = 1, blinds = [1, 2] }"),
        (2, "table = { seats = [1, 2, 3], button = 1, blinds = [1, 2], stacks = 200, colour = 1 }"),
        (3, 'deck = "seed:many"'),
        (3, 'deck = "order:As As"'),
        (3, 'deck = "order:Az"'),
        (3, 'dek = "seed:7"'),
    ],
)
def test_a_wrong_key_or_value_is_told_with_its_line(tmp_path: Path, number: int, line: str) -> None:
    lines = [*HEAD, "deal", '"""']
    lines[number - 1] = line
    with pytest.raises(ConfigError) as caught:
        load_scenario(write(tmp_path, lines))
    assert caught.value.line == number
    assert caught.value.column >= 1


@pytest.mark.parametrize(
    "lines",
    [
        ("move muck stub",),
        ("deal", "move seat2:3 stub"),
        ("deal", "move board burn"),
        ("deal", *["board 5"] * 12),
    ],
)
def test_an_act_that_the_cards_do_not_allow_is_told_before_anything_is_played(
    tmp_path: Path, lines: tuple[str, ...]
) -> None:
    path = script(tmp_path, *lines)
    with pytest.raises(ConfigError) as caught:
        load_scenario(path)
    assert 5 <= caught.value.line <= 4 + len(lines)


def test_bad_input_ends_with_2_names_the_place_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = script(tmp_path, "deal")
    bad = tmp_path / "bad.toml"
    bad.write_text("\n".join([*HEAD, "deal", "bourn", '"""']))
    out = tmp_path / "out.jsonl"
    assert main(["trace", str(good), str(bad), "-o", str(out)]) == 2
    assert f"{bad}:6:1: " in capsys.readouterr().err
    assert not out.exists()
    assert main(["trace", str(good), str(bad)]) == 2
    assert capsys.readouterr().out == ""


def test_a_file_that_is_not_there_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", str(tmp_path / "none.toml")]) == 2
    assert "none.toml" in capsys.readouterr().err


def test_an_unknown_house_ends_with_2_and_names_those_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trace", str(script(tmp_path, "deal")), "--house", "nowhere"]) == 2
    error = capsys.readouterr().err
    assert "nowhere" in error
    assert "seed" in error


@pytest.mark.parametrize("command", [[], ["trace"], ["run"]])
def test_help_says_what_to_do(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command, "--help"])
    assert ended.value.code == 0
    assert "usage: hw-sim" in capsys.readouterr().out


HOUSES = [
    'title = "A hand"',
    'houses = ["seed", "roberts", "tda2024"]',
    'rows = ["D6"]',
    'near = ["D5", "X3"]',
    'incident = "I6"',
    'case = "E-01"',
    "table = { seats = [1, 2, 3], button = 1, blinds = [1, 2], stacks = 200 }",
    'script = """',
    "deal",
    "when tda2024",
    "burn",
    "end",
    "report misdeal",
    '"""',
    "[expect]",
    'alerts = ["D6 proven"]',
    "[expect.roberts]",
    'alerts = ["D6 probable"]',
    'result = "void"',
    "stacks = { 1 = 199 }",
]


def test_a_file_is_played_as_one_of_its_houses_the_first_unless_another_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, HOUSES)
    seed, roberts, tda = (load_scenario(path, house) for house in (None, "roberts", "tda2024"))
    assert (seed.house, roberts.house, tda.house) == ("seed", "roberts", "tda2024")
    assert len(tda.steps) == len(seed.steps) + 1
    assert seed.expect == {
        "result": "misdeal",
        "attempts": 1,
        "alerts": [{"rule": "D6", "evidence": "proven"}],
    }
    assert roberts.expect == {
        "result": "void",
        "attempts": 1,
        "stacks": {"1": 199},
        "alerts": [{"rule": "D6", "evidence": "probable"}],
    }
    assert tda.expect == seed.expect


def test_a_file_says_which_rows_incident_and_case_it_shows(tmp_path: Path) -> None:
    hand = load_scenario(write(tmp_path, HOUSES))
    assert hand.houses == ("seed", "roberts", "tda2024")
    assert (hand.rows, hand.near, hand.incident, hand.case) == (("D6",), ("D5", "X3"), "I6", "E-01")
    assert hand.name == "hand"
    lines = [*HOUSES[:6], 'not_for = { wsop_cash = "it is silent there" }', *HOUSES[6:]]
    assert load_scenario(write(tmp_path, lines)).houses == hand.houses


def test_a_house_that_is_not_of_the_file_is_told_with_those_that_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, HOUSES)
    with pytest.raises(ConfigError) as caught:
        load_scenario(path, "wsop_cash")
    assert caught.value.line == 2
    assert "roberts" in caught.value.expected
    assert main(["trace", str(path), "--house", "wsop_cash"]) == 2
    assert f"{path}:2:" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("number", "line"),
    [
        (2, "houses = []"),
        (2, 'houses = ["seed", "seed"]'),
        (2, 'house = "seed"\nhouses = ["seed", "roberts", "tda2024"]'),
        (3, 'rows = ["Z9"]'),
        (4, 'near = ["d5"]'),
        (5, 'incident = "E-01"'),
        (6, 'case = "I6"'),
        (6, 'case = "E-1"'),
        (6, 'not_for = { seed = "it is played there" }'),
        (6, 'not_for = { wsop_cash = " " }'),
        (6, 'not_for = ["wsop_cash"]'),
        (10, "when wsop_cash"),
        (17, "[expect.wsop_cash]"),
        (18, 'alerts = ["D6 perhaps"]'),
        (18, "alert = []"),
        (19, 'result = "soon"'),
        (7, 'entry = "now and then"'),
        (7, 'shuffler = "sometimes"'),
    ],
)
def test_a_mistake_about_houses_is_told_with_its_line(tmp_path: Path, number: int, line: str) -> None:
    lines = [*HOUSES]
    lines[number - 1] = line if number != 7 else f"{line}\n{HOUSES[6]}"
    with pytest.raises(ConfigError) as caught:
        load_scenario(write(tmp_path, lines))
    assert caught.value.line in (number, number + line.count("\n"))


def test_an_act_that_only_another_house_cannot_do_is_told_too(tmp_path: Path) -> None:
    lines = [*HOUSES]
    lines[10] = "move muck stub"
    with pytest.raises(ConfigError) as caught:
        load_scenario(write(tmp_path, lines))
    assert caught.value.line == 11


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("expect R22 proven", "a rule that there is (did you mean 'R2'?)"),
        ("expect no N99", "a rule that there is"),
        ("expect remedy R2 river_as_tern", "a remedy that there is (did you mean 'river_as_turn'?)"),
        (
            "expect options F4 play_on reflop_no_burns",
            "a remedy that there is (did you mean 'reflop_no_burn'?)",
        ),
        ("expect ruled F4 playon", "a remedy that there is (did you mean 'play_on'?)"),
        ("expect step gather_al current", "a step of a checklist that there is (did you mean 'gather_all'?)"),
        ("expect now step new_flopp", "a step of a checklist that there is (did you mean 'new_flop'?)"),
        ("expect question burnd", "a question that there is (did you mean 'burned'?)"),
        ("expect mark 3 shrt", "a mark that there is (did you mean 'short'?)"),
        ("rule playon F4", "a remedy that there is (did you mean 'play_on'?)"),
    ],
)
def test_a_code_that_there_is_not_is_told_before_anything_is_played(
    tmp_path: Path, line: str, expected: str
) -> None:
    path = script(tmp_path, "deal", f"  {line}")
    with pytest.raises(ConfigError) as told:
        load_scenario(path)
    assert expected in str(told.value)
    assert str(told.value).startswith(f"{path}:6:")


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ('houses = ["seed", "robert"]', "(did you mean 'roberts'?)"),
        ('house = "sed"', "(did you mean 'seed'?)"),
        ('houses = ["seed", "practice"]', "a house, one of roberts, seed"),
        ('house = "no_such_house.toml"', "or the path of a .toml file"),
    ],
)
def test_a_house_that_there_is_not_is_told_with_its_line(tmp_path: Path, keys: str, expected: str) -> None:
    path = write(tmp_path, [keys, *HEAD, "deal", '"""'])
    with pytest.raises(ConfigError) as told:
        load_scenario(path, None)
    assert expected in str(told.value)
    assert str(told.value).startswith(f"{path}:1:")


def test_a_scenario_is_played_by_a_house_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A path goes from the folder in which the command runs; it names the house in `when` lines, too."""
    (tmp_path / "mine.toml").write_text('name = "mine"\ntitle = "Mine"\nextends = "roberts"\n')
    write(
        tmp_path,
        [
            'houses = ["seed", "mine.toml"]',
            *HEAD,
            "when mine.toml",
            "deal",
            "otherwise",
            "deal",
            "end",
            '"""',
        ],
    )
    monkeypatch.chdir(tmp_path)
    assert main(["trace", "hand.toml", "--house", "mine.toml", "-o", "-"]) == 0
    assert '"house":"mine.toml"' in capsys.readouterr().out.replace(" ", "")
    assert not (tmp_path / "-").exists()
