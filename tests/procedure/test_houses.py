"""The houses as data: complete, each ruling that of its set of rules, every mistake in a file placed; and the command that reads them."""

from __future__ import annotations

import ast
import inspect
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from dealer_assist import houses_command
from dealer_assist.cli import main
from dealer_assist.composition import load_house
from dealer_assist.domain.languages import LANGUAGES
from dealer_assist.procedure.catalogue import ROWS
from dealer_assist.procedure.house import House, Parameters
from dealer_assist.procedure.remedies import REMEDIES, action, board, burns, deal, deck
from dealer_assist.station.i18n import placeholders
from firmware_protocol.toml_errors import ConfigError

ROOT = Path(__file__).parents[2]
HOUSES = ("seed", "roberts", "tda2024", "wsop_cash", "wsop_tournament")
LOADED = {name: load_house(name) for name in HOUSES}
#: What may say STOP (DESIGN §4).
STOP = {"X1", "X2", "X4", "D4", "D9", "F1", "F2", "N1", "N3", "R1", "R2", "R3", "K2", "K11", "A9"}


# -- complete --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOUSES)
def test_a_house_rules_on_every_row_with_a_source(name: str) -> None:
    house = LOADED[name]
    assert house.name == name
    assert set(house.rules) == set(ROWS)
    assert all(ruling.source.strip() for ruling in house.rules.values())
    for key in Parameters.__struct_fields__:
        assert getattr(house.parameters, key).source.strip(), key


@pytest.mark.parametrize("name", HOUSES)
def test_stop_is_said_where_it_may_be_and_nowhere_else(name: str) -> None:
    assert {row for row, ruling in LOADED[name].rules.items() if ruling.stop} == STOP


@pytest.mark.parametrize("name", HOUSES)
def test_a_misdeal_has_a_time_limit(name: str) -> None:
    """Substantial action ends the time for a misdeal in every set; K7 and K3 of the cash sets end it with any action."""
    for row, ruling in LOADED[name].rules.items():
        if ruling.remedy in ("misdeal", "correct_button"):
            assert ruling.after_sa or ruling.after_action, row


@pytest.mark.parametrize("name", HOUSES)
def test_a_house_stands_on_no_book_but_its_own_where_there_is_no_gap(name: str) -> None:
    tags = {
        "seed": "S00",
        "roberts": "RROP",
        "tda2024": "TDA",
        "wsop_cash": "WLA26",
        "wsop_tournament": "WT26",
    }
    for row, ruling in LOADED[name].rules.items():
        if not ruling.gap:
            assert ruling.source.startswith(tags[name]), row


# -- rulings (PROCEDURES B1–B6) --------------------------------------------------------------------------------------------

#: row: remedy in seed, roberts, tda2024, wsop_cash, wsop_tournament; in brackets what a gap is filled with.
TABLE = """
X1  misdeal            misdeal              misdeal             misdeal             misdeal
X2  replace_exposed    misdeal              misdeal             misdeal             misdeal
X3  replace_exposed    replace_exposed      (replace_exposed)   replace_exposed     (replace_exposed)
X3b replace_exposed    replace_exposed      replace_exposed     (replace_exposed)   (replace_exposed)
X4  misdeal            misdeal              misdeal             misdeal             misdeal
X5  (floor)            floor                floor               (floor)             (floor)
D2  (misdeal)          misdeal              misdeal             (misdeal)           misdeal
D4  (misdeal)          misdeal              (misdeal)           misdeal             (misdeal)
D5  (deal_missing)     deal_missing         misdeal             deal_missing        (misdeal)
D6  (kill_hand)        kill_hand            kill_hand           kill_hand           (kill_hand)
D7  (deal_missing)     deal_missing         deal_missing        (deal_missing)      deal_missing
D8  extra_to_burn      extra_to_burn        misdeal             extra_to_burn       (misdeal)
D9  misdeal            misdeal              misdeal             misdeal             misdeal
D10 (kill_hand)        kill_hand            kill_hand           kill_hand           (kill_hand)
D11 (misdeal)          misdeal              kill_hand           kill_hand           kill_hand
D12 (correct_button)   correct_button       correct_button      correct_button      (correct_button)
K1  (void)             void                 void                void                void
K3  (scrap)            scrap                misdeal             scrap               (misdeal)
K6  (scrap)            scrap                (scrap)             scrap               (scrap)
K7  (misdeal)          misdeal              misdeal             void                misdeal
K8  (floor)            (floor)              floor               (floor)             (floor)
N1  (reflop_burn_first) reflop_burn_first   scramble_three      reflop_burn_first   scramble_three
N2  (stands_burn_two)  stands_burn_two      play_on             stands_burn_two     play_on
N3  (wrong_card_is_burn) wrong_card_is_burn floor               wrong_card_is_burn  (floor)
N4  (stands_burn_two)  stands_burn_two      play_on             stands_burn_two     (play_on)
N5  (put_burn_back)    put_burn_back        (put_burn_back)     put_burn_back       (put_burn_back)
N7  (extra_is_next_burn) extra_is_next_burn play_on             extra_is_next_burn  (play_on)
N10 (keep_burn)        (keep_burn)          keep_burn           (keep_burn)         (keep_burn)
F1  reflop_no_burn     reflop_no_burn       scramble_four       scramble_four       scramble_four
F2  reflop_no_burn     reflop_no_burn       (reflop_no_burn)    reflop_no_burn      (reflop_no_burn)
F4  floor              floor                floor               floor               scramble_four
R1  early_flop         early_flop           early_flop          early_flop          early_flop
R2  river_as_turn      river_as_turn        reshuffle_turn      reshuffle_turn      reshuffle_turn
R3  reshuffle_river    reshuffle_river      reshuffle_river     reshuffle_river     reshuffle_river
R4  (floor)            floor                floor               floor               (floor)
A1  (passive_only)     passive_only         back_up             back_up             back_up
A9  (floor)            floor                floor               floor               (floor)
A10 (kill_hand)        kill_hand            floor               (kill_hand)         (floor)
A12 (play_on)          play_on              turn_up             play_on             turn_up
A13 (play_on)          play_on              play_on             show_all            (play_on)
P6  (table_both)       (table_both)         table_both          table_both          (table_both)
P9  stop_dealing       (stop_dealing)       stop_dealing        stop_dealing        (stop_dealing)
"""


def _cells() -> Iterator[tuple[str, str, str]]:
    for line in TABLE.strip().splitlines():
        row, *remedies = line.split()
        assert len(remedies) == len(HOUSES), line
        yield from ((row, house, remedy) for house, remedy in zip(HOUSES, remedies, strict=True))


@pytest.mark.parametrize(("row", "house", "remedy"), list(_cells()))
def test_ruling(row: str, house: str, remedy: str) -> None:
    ruling = LOADED[house].rules[row]
    found = f"({ruling.remedy})" if ruling.gap else ruling.remedy
    assert found == remedy


@pytest.mark.parametrize(
    ("house", "row", "key", "expected"),
    [
        # RROP (i), TDA 35-D: after substantial action that hand is dead, the rest plays on.
        ("roberts", "D2", "after_sa", "kill_hand"),
        ("tda2024", "X1", "after_sa", "play_on"),
        # S001 E8 speaks of the first player; WLA 122 of any.
        ("roberts", "D5", "elsewhere", "misdeal"),
        ("wsop_cash", "D5", "elsewhere", "misdeal"),
        ("tda2024", "D5", "elsewhere", None),
        ("seed", "D8", "elsewhere", "misdeal"),
        ("seed", "D8", "mixed", "floor"),
        ("roberts", "D8", "mixed", "floor"),
        ("wsop_cash", "D8", "elsewhere", None),
        # TDA 37: even after substantial action, unless the button has acted.
        ("tda2024", "D7", "after_action", "kill_hand"),
        # TDA 35-A6: a misdeal before substantial action, later a scrap. WLA 119: dead for whoever acted on it.
        ("tda2024", "K3", "after_sa", "scrap"),
        ("wsop_cash", "K3", "after_action", "kill_hand"),
        # RROP (c) before action; WLA 23 at any time.
        ("roberts", "K7", "after_action", "scrap"),
        ("wsop_cash", "K7", "after_action", None),
        ("tda2024", "K8", "options", ("rebuild_stub", "reshuffle_stub", "reshuffle_all")),
        # RROP #4: put right if nothing was exposed; TDA 39-B scrambles either way, and a check ends the time.
        ("roberts", "N1", "not_faced", "top_is_burn"),
        ("tda2024", "N1", "not_faced", None),
        # RROP #5: on turn and river the extra burn is the board card. A flop that was turned up goes back (#4).
        ("roberts", "N6", "remedy", "extra_burn_is_board"),
        ("roberts", "N6", "on_flop", "reflop_no_burn"),
        ("wsop_cash", "N6", "on_flop", "reflop_no_burn"),
        ("tda2024", "N6", "on_flop", None),
        ("roberts", "N8", "after_action", "extra_is_next_burn"),
        ("tda2024", "N8", "after_action", "play_on"),
        # TDA 39-A: exposed or not.
        ("tda2024", "F1", "not_faced", None),
        ("seed", "F1", "not_faced", "put_back_in_order"),
        ("seed", "F4", "options", ("reflop_no_burn", "play_on")),
        ("tda2024", "F3", "after_action", "floor"),
        ("tda2024", "A9", "options", ("hand_live", "kill_hand")),
    ],
)
def test_conditions_of_a_ruling(house: str, row: str, key: str, expected: object) -> None:
    assert getattr(LOADED[house].rules[row], key) == expected


#: Part D: seed, roberts, tda2024, wsop_cash, wsop_tournament.
PARAMETERS: dict[str, tuple[object, ...]] = {
    "exposed_misdeal_first_n": (1, 2, 2, 2, 2),
    "exposed_total_misdeal": (2, 2, 2, 2, 2),
    "substantial_action": ("roberts", "roberts", "tda", "wsop_cash", "tda"),
    "burn_order_compensation": (True, True, False, True, False),
    "away_is_dealt_in": (False, False, True, False, True),
    "button_type": ("moving", "moving", "dead", "dead", "dead"),
    "first_button": ("high_card", "high_card_by_suit", "right_of_dealer", "high_card_by_suit", "right_of_dealer"),
    "allin_faceup": (False, False, True, False, True),
    "short_deck_ranking": ("short_trips_over_straight", *["short_straight_over_trips"] * 4),
    "fl_max_bets": (4, 4, 4, 5, 4),
    "run_it": (3, 3, 1, 3, 1),
    "run_it_players": (11, 11, 11, 11, 11),
    "straddle": ("under_the_gun", "under_the_gun_or_button", "none", "under_the_gun_or_button", "none"),
    "buyin_min_limit_of": ("small_bet", "big_bet", "big_bet", "small_bet", "big_bet"),
    "return_within_min": (90, 60, 60, 60, 60),
    "rake_percent": (5.0, 10.0, 0.0, 10.0, 0.0),
    "rake_cap": (3.0, 6.0, 6.0, 6.0, 6.0),
    "tap_grace_s": (4.0,) * 5,
}  # fmt: skip


@pytest.mark.parametrize("key", PARAMETERS)
def test_parameter(key: str) -> None:
    assert tuple(getattr(LOADED[name].parameters, key).value for name in HOUSES) == PARAMETERS[key]


def test_gaps_are_marked_and_filled_in_their_order() -> None:
    seed = LOADED["seed"]
    assert (seed.rules["X1"].gap, seed.rules["X1"].source) == (False, "S001 E1; time limit: RROP")
    # Robert's Rules come first, then the cash rules, then the TDA, then common practice.
    assert (seed.rules["D3"].gap, seed.rules["D3"].source) == (True, "RROP misdeals (j)")
    assert (seed.rules["D13"].gap, seed.rules["D13"].source[:9]) == (True, "WLA26 154")
    assert (seed.rules["K8"].gap, seed.rules["K8"].source) == (True, "TDA24 RP-4")
    assert (seed.rules["A17"].gap, seed.rules["A17"].source) == (True, "habit of cash rooms")
    assert seed.parameters.tap_grace_s.gap
    # The two tournament sets fill each other's gaps without going round in circles.
    assert LOADED["tda2024"].rules["K2"].source.startswith("WT26")
    assert LOADED["wsop_tournament"].rules["D8"].source.startswith("TDA24 35-A5")


# -- houses of one's own ---------------------------------------------------------------------------------------------------

CUSTOM = (ROOT / "docs" / "houses.md").read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]


def _house(folder: Path, text: str, name: str = "mine.toml") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def _mistake(folder: Path, text: str) -> ConfigError:
    with pytest.raises(ConfigError) as raised:
        load_house(_house(folder, text))
    return raised.value


def test_the_example_of_the_documentation_is_a_house(tmp_path: Path) -> None:
    house = load_house(_house(tmp_path, CUSTOM))
    base = LOADED["wsop_cash"]
    changed = {row for row, ruling in house.rules.items() if ruling != base.rules[row]}
    assert changed == set(tomllib.loads(CUSTOM)["rules"])
    assert house.parameters.rake_percent.value != base.parameters.rake_percent.value
    assert house.rules["K8"].gap, "what the base fills stays a gap"
    assert not house.rules["F1"].gap


def test_a_house_of_one_s_own_may_build_on_another_file(tmp_path: Path) -> None:
    first = _house(tmp_path, CUSTOM, "first.toml")
    second = load_house(_house(tmp_path, f'name = "second"\ntitle = "Second"\nextends = "{first}"\n'))
    assert second.name == "second"
    assert second.rules == load_house(first).rules


HEAD = 'name = "mine"\ntitle = "Mine"\nextends = "seed"\n'
BAD = [
    # text after the head (three lines), line of the mistake, words of the expectation
    ("[rules]\nX1 = { remedee = 'misdeal', source = 'x', priority = 'high' }", 5, "remedy"),
    ("[rules]\nX1 = { remedy = 'pray', source = 'x', priority = 'high' }", 5, "one of"),
    ("[rules]\nX1 = { remedy = 'scramble_four', source = 'x', priority = 'high' }", 5, "could not be verified"),
    ("[rules]\nX1 = { remedy = 'floor', source = 'x', priority = 'high' }", 5, "two remedies or more"),
    ("[rules]\nX1 = { remedy = 'floor', options = ['misdeal', 'floor'], source = 'x', priority = 'high' }", 5, "the floor is who"),
    ("[rules]\nX1 = { remedy = 'misdeal', priority = 'high' }", 5, "source"),
    ("[rules.X1]\nremedy = 'misdeal'\nsource = 'x'\npriority = 'urgent'", 7, "high"),
    ("[rules.K1]\nremedy = 'void'\nsource = 'x'\npriority = 'high'\nstop = true", 8, "may say STOP"),
    ("[rules.X1]\nremedy = 'misdeal'\nsource = 'x'\npriority = 'high'\nnot_faced = 'play_on'", 8, "does not ask"),
    ("[rules.X99]\nremedy = 'misdeal'\nsource = 'x'\npriority = 'high'", 4, "row of the catalogue"),
    ("[rules.X1]\nremedy = 'misdeal'\nsource = 'x'\npriority = 'high'\ngap = true", 8, "marked when it is filled in"),
    ("[parameters]\nmax_seets = { value = 9, source = 'x' }", 5, "max_seats"),
    ("[parameters]\nmax_seats = { value = 99, source = 'x' }", 5, "2 to 11"),
    ("[parameters]\nmax_seats = 9", 5, "a table"),
    ("[parameters]\nmax_seats = { value = 9 }", 5, "source"),
    ("[parameters]\nsubstantial_action = { value = 'never', source = 'x' }", 5, "roberts"),
    ("seats = 9", 4, "a known key"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "expected"), BAD)
def test_a_mistake_is_placed(tmp_path: Path, text: str, line: int, expected: str) -> None:
    mistake = _mistake(tmp_path, HEAD + text)
    assert mistake.file == str(tmp_path / "mine.toml")
    assert mistake.line == line, str(mistake)
    assert expected in str(mistake)


def test_a_house_without_a_base_must_be_complete(tmp_path: Path) -> None:
    said = str(_mistake(tmp_path, 'name = "mine"\ntitle = "Mine"\n'))
    assert len(said.splitlines()) == 1
    assert "expected every parameter, or `extends` with the house that has the rest" in said
    gaps = 'name = "mine"\ntitle = "Mine"\ngaps = ["roberts", "wsop_cash", "practice"]\n'
    assert "a ruling for K8, K12, N9, N10, F3, R7" in str(_mistake(tmp_path, gaps))


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ('name = "m"\ntitle = "M"\nextends = "sead"', 3, "a house that there is"),
        ('name = "m"\ntitle = "M"\nextends = 5', 3, "the name of a house"),
        ('name = "m"\ntitle = "M"\n\ngaps = ["roberts", "nobody"]', 4, "a house that there is"),
        ('name = "m"\ntitle = "M"\ngaps = "roberts"', 3, "a list of names"),
    ],
)
def test_a_house_that_builds_on_none_is_placed(tmp_path: Path, text: str, line: int, expected: str) -> None:
    mistake = _mistake(tmp_path, text)
    assert (mistake.file, mistake.line) == (str(tmp_path / "mine.toml"), line)
    assert expected in str(mistake)


def test_houses_do_not_extend_each_other_in_a_circle(tmp_path: Path) -> None:
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    _house(tmp_path, f'name = "first"\ntitle = "First"\nextends = "{second}"', "first.toml")
    _house(tmp_path, f'name = "second"\ntitle = "Second"\nextends = "{first}"', "second.toml")
    for start in (first, second):
        with pytest.raises(ConfigError, match="does not extend this one"):
            load_house(str(start))
    alone = f'name = "m"\ntitle = "M"\nextends = "{tmp_path / "mine.toml"}"'
    assert "does not extend this one" in str(_mistake(tmp_path, alone))


# -- the command -----------------------------------------------------------------------------------------------------------


def _said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(["houses", *words]) == code
    out, err = capsys.readouterr()
    assert not (out and err)
    return out or err


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    lines = _said(capsys, "list").splitlines()
    assert [line.split()[0] for line in lines] == sorted(HOUSES)
    own = sum(not ruling.gap for ruling in LOADED["seed"].rules.values())
    assert f"{own} rulings of {len(ROWS)}" in lines[1]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", HOUSES)
def test_show_has_every_row_in_words(name: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = _said(capsys, "show", name, "--lang", language)
    gap = houses_command.Words(language).word("gap", name="")
    lines = said.splitlines()
    for row, ruling in LOADED[name].rules.items():
        at = next(index for index, line in enumerate(lines) if line.startswith(f"{row:<4}"))
        assert len(lines[at]) > 6, "the row's name"
        end = next((index for index in range(at, len(lines)) if not lines[index]), len(lines))
        block = "\n".join(lines[at:end])
        assert f"[{ruling.source}]" in block
        assert (("STOP" in lines[at]) or ("СТОП" in lines[at])) == ruling.stop
        assert (f"({gap}" in block) == ruling.gap, block
        assert "{" not in block
        assert not any(f"{name} " in block for name in REMEDIES if "_" in name), "words, not codes"


def test_show_says_what_is_done_when_and_from_where(capsys: pytest.CaptureFixture[str]) -> None:
    said = _said(capsys, "show", "seed")
    early = said[said.index("\nR2 ") : said.index("\nR3 ")]
    assert "The river card becomes the turn" in early
    assert "Nothing turned up: " in early
    assert "1. Set the card aside" in early
    assert "5. Deal the river without burning" in early
    assert "[S001 E6]\n" in early
    stub = said[said.index("\nK8 ") : said.index("\nK9 ")]
    assert "The floor chooses:" in stub
    assert "(gap: from tda2024)" in stub
    assert "Seats at most: 11\n    [S004-02 " in said


def test_show_of_a_house_of_one_s_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = _said(capsys, "show", _house(tmp_path, CUSTOM))
    assert "It builds on wsop_cash." in said
    assert "(gap: from roberts)" in said[said.index("\nX5 ") : said.index("\nX6 ")]
    assert "gap" not in said[said.index("\nF1 ") : said.index("\nF2 ")]


def test_diff_has_what_differs_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    said = _said(capsys, "diff", "seed", "tda2024", code=1)
    one, other = LOADED["seed"].rules, LOADED["tda2024"].rules
    rows = {line.split()[0] for line in said.splitlines() if line.split() and line.split()[0] in ROWS}
    keys = ("remedy", "options", "not_faced", "mixed", "elsewhere", "after_action", "after_sa", "stop")
    must = {row for row in ROWS if any(getattr(one[row], key) != getattr(other[row], key) for key in keys)}
    assert rows == must
    assert "R2" in rows
    assert "R1" not in rows
    assert max(len(line) for line in said.splitlines()) <= 100
    assert _said(capsys, "diff", "seed", "seed") == "The two do not differ.\n"


def test_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "house card_room, in order" in _said(capsys, "check", _house(tmp_path, CUSTOM))
    bad = _house(
        tmp_path, HEAD + "[rules]\nX1 = { remedy = 'pray', source = 'x', priority = 'high' }", "bad.toml"
    )
    said = _said(capsys, "check", bad, code=2)
    assert said.startswith(f"{bad}:5:")
    assert '"pray"' in said
    missing = str(tmp_path / "none.toml")
    assert _said(capsys, "check", missing, code=2).startswith(f"{missing}:1:1: ")


@pytest.mark.parametrize("words", [("show", "nobody"), ("show", "practice"), ("diff", "seed", "nobody")])
def test_an_unknown_house_is_told_which_there_are(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    said = _said(capsys, *words, code=2)
    assert "expected one of roberts, seed, tda2024, wsop_cash, wsop_tournament" in said


def test_the_words_are_complete() -> None:
    folder = ROOT / "dealer_assist" / "house_words"
    words = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*.toml")}
    assert set(words) == set(LANGUAGES)
    own = words["en"]
    assert set(own["parameter"]) == set(Parameters.__struct_fields__)
    values = {
        setting.value
        for house in LOADED.values()
        for setting in (getattr(house.parameters, key) for key in Parameters.__struct_fields__)
        if isinstance(setting.value, str)
    }
    assert values <= set(own["value"])
    for language, sections in words.items():
        for name, texts in own.items():
            assert set(sections[name]) == set(texts), (language, name)
            for code, text in sections[name].items():
                assert text, (language, code)
                assert placeholders(text) == placeholders(texts[code]), (language, code)


# -- the steps of the book are those of the remedies -----------------------------------------------------------------------


def _functions() -> dict[str, ast.AST]:
    """Everything at the top of the modules of remedies, by name: functions, and the entry of each remedy."""
    found: dict[str, ast.AST] = {}
    for module in (deal, deck, burns, board, action):
        for node in ast.parse(inspect.getsource(module)).body:
            if isinstance(node, ast.FunctionDef):
                found[node.name] = node
            elif isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict):
                for key, value in zip(node.value.keys, node.value.values, strict=True):
                    assert isinstance(key, ast.Constant)
                    assert isinstance(key.value, str)
                    found[f"remedy:{key.value}"] = value
    return found


def _strings(name: str, functions: dict[str, ast.AST], seen: set[str]) -> set[str]:
    """All texts in a function and in those that it names."""
    if name in seen or name not in functions:
        return set()
    seen.add(name)
    texts: set[str] = set()
    for node in ast.walk(functions[name]):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.add(node.value)
        elif isinstance(node, ast.Name):
            texts |= _strings(node.id, functions, seen)
    return texts


def test_the_book_has_the_steps_of_every_remedy() -> None:
    functions = _functions()
    assert set(houses_command.STEPS) == set(REMEDIES)
    source = ROOT / "dealer_assist/station/texts/alerts.en.toml"
    texts = tomllib.loads(source.read_text(encoding="utf-8"))["step"]
    #: a step for what cannot be carried out, the last step where no later street is left, a card that lies at a seat
    unusual = {"call_floor", "shown_is_dead", "turn_no_burn", "river_no_burn", "card_out", "missing_card_to"}
    for name, steps in houses_command.STEPS.items():
        there = _strings(f"remedy:{name}", functions, set()) & set(texts)
        assert set(steps) <= there, name
        assert there - set(steps) <= unusual | {name}, name


def test_loading_gives_a_house() -> None:
    assert isinstance(LOADED["seed"], House)


@pytest.mark.parametrize(
    ("row", "steps"),
    [
        ("F1", ("put_back",)),
        ("R6", ("put_back",)),
        ("R2", ("put_back", "finish_betting")),
        ("N6", ("put_back", "put_back_burn", "street_no_burn")),
    ],
)
def test_cards_put_back_in_order_have_the_steps_of_their_row(row: str, steps: tuple[str, ...]) -> None:
    assert houses_command.steps_of("put_back_in_order", row) == steps
