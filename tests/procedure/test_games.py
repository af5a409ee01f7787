"""Games as data: each played end to end, the readings that the sources leave open, files that are refused, what stays hidden."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from dealer_assist.cli import main as assist
from dealer_assist.composition import core_for_trace, load_game
from dealer_assist.domain import commands as cmd
from dealer_assist.domain.commands import Refused
from dealer_assist.procedure.game import DECKS
from dealer_assist.replay import Replay
from dealer_assist.table import inputs as inp
from dealer_assist.table.change import Change
from dealer_assist.table.trace import read
from hw_sim.cli import main as simulator
from tests.table.driver import Driver

ROOT = Path(__file__).parents[2]
GAMES = sorted(path.stem for path in (ROOT / "dealer_assist" / "procedure" / "games").glob("*.toml"))
SCENARIOS = ROOT / "tests" / "scenarios"
ORDER = (9, 1, 2, 3, 5, 7)


def deck(holes: dict[int, str], rest: str) -> str:
    """A deck that deals these hands from seat 9 on, one card at a time, and then ``rest``."""
    hands = {seat: cards.split() for seat, cards in holes.items()}
    count = len(hands[9])
    return "order:" + " ".join(
        [hands[seat][number] for number in range(count) for seat in ORDER] + rest.split()
    )


def play(
    folder: Path,
    game: str,
    holes: dict[int, str],
    rest: str,
    script: str,
    *,
    house: str = "seed",
    entry: str = "every_action",
    ante: int = 0,
) -> Path:
    """The trace of a hand at a table of six, seat 7 on the button, blinds 1 and 2, 200 chips each."""
    posts = f"ante = {ante}, " if ante else ""
    path = folder / "hand.toml"
    path.write_text(
        f'title = "A hand"\nhouse = "{house}"\ngame = "{game}"\nentry = "{entry}"\n'
        f"table = {{ seats = [1, 2, 3, 5, 7, 9], button = 7, blinds = [1, 2], {posts}stacks = 200 }}\n"
        f'deck = "{deck(holes, rest)}"\nscript = """\n{script}"""\n'
    )
    to = folder / "hand.jsonl"
    assert simulator(["trace", str(path), "-o", str(to)]) == 0
    return to


def goes_as_it_says(trace: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert assist(["replay", "--check", "--json", str(trace)]) == 0, capsys.readouterr().err
    result: dict[str, Any] = json.loads(capsys.readouterr().out.splitlines()[-1])
    return result


def reading(folder: Path, base: str, *changes: tuple[str, str], **keys: str) -> str:
    """A game of one's own: that of a file of the product with these changes of its text and these keys."""
    text = (ROOT / "dealer_assist" / "procedure" / "games" / f"{base}.toml").read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    head, bracket, streets = text.partition("[[street]]")
    lines = [line for line in head.splitlines() if line.partition(" = ")[0] not in ("name", *keys)]
    lines += ['name = "own"', *(f"{key} = {value}" for key, value in keys.items())]
    path = folder / "own.toml"
    path.write_text("\n".join(lines) + f"\n{bracket}{streets}")
    return str(path)


# -- every game ----------------------------------------------------------------------------------------------------------------


def test_every_game_is_played_by_a_scenario() -> None:
    played = {tomllib.loads(path.read_text()).get("game", "nlhe") for path in SCENARIOS.glob("game_*.toml")}
    assert played >= set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_in_order(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = ROOT / "dealer_assist" / "procedure" / "games" / f"{name}.toml"
    assert assist(["config", "check", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: game {name}, in order\n"
    game = load_game(name)
    plan = game.plan()
    needed = game.hole * game.max_seats + sum(step.count for step in plan if step.kind in ("burn", "board"))
    assert needed <= len(DECKS[game.deck])
    assert plan[0].kind == "deal"
    assert plan[-1].kind == "show"


# -- readings that the sources leave open ------------------------------------------------------------------------------------------

FOUR = {
    9: "4h Qd 8h 8c",
    1: "Kd Qc 3h 3c",
    2: "As Ah 6h 6c",
    3: "7c 2c 5h 5c",
    5: "Ts Js 9h 9c",
    7: "2d 3d Td Jd",
}
TWO = {seat: " ".join(cards.split()[:2]) for seat, cards in FOUR.items()}
BOARD = "4c Kc 9s 8s  4d 7h  4s 2h"


@pytest.mark.parametrize("in_turn", [False, True])
def test_irish_with_the_discard_before_the_betting_on_the_flop(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], in_turn: bool
) -> None:
    """S000-20 says "on the flop": this is the reading that irish.toml does not take. All at once, or each before it acts."""
    own = reading(tmp_path, "irish", ('discard_when = "after_bet"', 'discard_when = "before_bet"'))
    discards = ["discard 1 2", "discard 2 2", "discard 5 2"]
    before, one, two, three = ([], *[[line] for line in discards]) if in_turn else (discards, [], [], [])
    script = [
        *[
            "deal",
            "2 raise 6",
            "3 fold",
            "5 call",
            "7 fold",
            "9 fold",
            "1 call",
            "burn",
            "board 3",
            "expect now discard",
        ],
        *before,
        *one,
        "1 check",
        *two,
        "2 bet 10",
        *three,
        "5 call",
        "expect hand 1 live",
        "expect hand 5 live",
        "1 fold",
        "expect now burn",
        *[
            "burn",
            "board 1",
            "2 check",
            "5 check",
            "burn",
            "board 1",
            "2 bet 20",
            "5 call",
            "show 2",
            "show 5",
            "push",
        ],
        *["expect silence", "expect stack 5 243", "expect stack 2 164", "expect end completed"],
    ]
    result = goes_as_it_says(play(tmp_path, own, FOUR, BOARD, "\n".join(script)), capsys)
    assert result["alerts"] == []


def test_irish_burns_only_after_the_discards_that_its_own_reading_has_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = (
        "deal\n2 raise 6\n3 fold\n5 call\n7 fold\n9 fold\n1 fold\nburn\nboard 3\nexpect now act\n"
        "2 check\n5 check\nexpect now discard\n"
    )
    goes_as_it_says(play(tmp_path, "irish", FOUR, BOARD, script), capsys)


def test_flopmania_with_a_burn_before_the_flop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Flopmania's first burn is not said (S000-21): flopmania.toml has none, as WLA 31; one is the other reading."""
    own = reading(tmp_path, "flopmania", ("burn = 0\nboard = 3", "burn = 1\nboard = 3"))
    script = (
        "deal\nexpect now burn\nburn\nboard 3\nexpect street flop\n9 check\n1 check\n2 bet 6\n3 fold\n5 fold\n"
        "7 fold\n9 fold\n1 fold\npush\nexpect silence\nexpect stack 2 210\nexpect end completed\n"
    )
    goes_as_it_says(play(tmp_path, own, TWO, BOARD, script, ante=2), capsys)


def test_flopmania_with_a_burn_asks_for_it_when_it_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = reading(tmp_path, "flopmania", ("burn = 0\nboard = 3", "burn = 1\nboard = 3"))
    script = "deal\nboard 3\nexpect N1 probable\nexpect question burned\nanswer yes\nexpect N1 closed\n"
    result = goes_as_it_says(play(tmp_path, own, TWO, BOARD, script, ante=2), capsys)
    assert [alert["rule"] for alert in result["alerts"]] == ["N1"]


SHORT = {9: "Th 9d", 1: "Kd Qc", 2: "As Ah", 3: "7c 6c", 5: "Ts Js", 7: "8d 7d"}
SHORT_BOARD = "6d Ad 9s 8s  6h 7h  6s Qd"


@pytest.mark.parametrize(
    ("house", "ranking", "winner"),
    [
        ("tda2024", "short_trips_over_straight", 2),  # the house says nothing: the game's own reading
        ("tda2024", "short_straight_over_trips", 5),
        ("seed", "short_straight_over_trips", 2),  # S000-18 is the house's rule, whatever the game
        ("wsop_cash", "short_trips_over_straight", 5),  # WLA 369
    ],
)
def test_short_deck_by_either_ranking(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], house: str, ranking: str, winner: int
) -> None:
    own = reading(tmp_path, "short", ranking=f'"{ranking}"')
    script = (
        "deal\n9 fold\n1 fold\n2 call\n3 fold\n5 call\n7 fold\nburn\nboard 3\n2 check\n5 check\nburn\nboard 1\n2 check\n"
        "5 check\nburn\nboard 1\n2 check\n5 check\nshow 2\nshow 5\npush\n"
    )
    trace = play(tmp_path, own, SHORT, SHORT_BOARD, script, house=house, ante=1)
    assert goes_as_it_says(trace, capsys)["awards"] == {str(winner): 12}


def test_a_hand_by_exception_where_folded_hands_stay_needs_its_folds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No muck tells of a fold in Showtime: it is tapped; checks and calls are assumed as ever."""
    script = (
        "deal\n2 raise 6\n3 fold\n5 call\n7 fold\n9 fold\n1 call\nburn\nboard 3\n1 check\n2 bet 10\n5 call\n1 fold\n"
        "burn\nboard 1\n2 check\n5 check\nburn\nboard 1\n2 check\n5 check\nshow 2\nshow 5\npush\n"
        "expect silence\nexpect stack 5 223\nexpect stack 2 184\nexpect stack 1 194\n"
    )
    trace = play(tmp_path, "showtime", TWO, BOARD, script, entry="by_exception")
    taps = [json.loads(line).get("tap") for line in trace.read_text().splitlines()]
    assert [tap["seat"] for tap in taps if tap and tap.get("action") == "fold"] == [3, 7, 9, 1]
    assert not [tap for tap in taps if tap and tap.get("action") in ("call", "check")]
    goes_as_it_says(trace, capsys)


# -- one hand of another game ----------------------------------------------------------------------------------------------------------


def table_with_bomb_pots() -> Driver:
    """A hold'em table whose single hands may be bomb pots; its first hand is over."""
    table = Driver()
    table.core.rules.games["bomb_pot_two_boards"] = load_game("bomb_pot_two_boards")
    table.deal()
    table.act("2 fold, 3 fold, 5 fold, 7 fold, 9 fold")
    assert table.tell(cmd.PushPots()) is None
    table.gather()
    return table


def test_the_next_hand_is_a_bomb_pot_and_the_one_after_it_is_not() -> None:
    table = table_with_bomb_pots()
    assert table.tell(cmd.OpenHand(game="bomb_pot_two_boards")) is None
    assert {post.kind for post in table.hand.procedure.opening.posts} == {"ante"}
    assert table.hand.boards() == ("board", "board2")
    table.order = table.hand.procedure.order
    table.deal()
    table.board(3)
    for _ in range(3):
        table.put(table.next_card(), "board2")
    table.wait(1500)
    assert table.hand.procedure.street == "flop"
    table.check_down()
    assert table.hand.betting.street == 1
    assert table.alerts() == []
    table.report("misdeal")
    table.core.close()
    table.gather()
    assert table.tell(cmd.OpenHand()) is None
    assert {post.kind for post in table.hand.procedure.opening.posts} == {"small_blind", "big_blind"}


def test_a_game_that_the_table_does_not_offer_is_refused() -> None:
    table = table_with_bomb_pots()
    assert table.tell(cmd.OpenHand(game="irish")) == Refused("bad_command", {"reason": "unknown_game"})


# -- what stays hidden --------------------------------------------------------------------------------------------------------------


def test_no_tap_reveals_a_folded_hand_in_showtime(tmp_path: Path) -> None:
    """Folded hands lie face up; no reader can see that, and no tap says it: their faces never enter the engine."""
    script = "deal\n2 raise 6\n3 fold\nreport exposed 3\n5 call\n7 fold\n9 fold\n1 fold\nburn\nboard 3\n2 bet 10\n5 fold\npush\n"
    trace = play(tmp_path, "showtime", TWO, BOARD, script)
    changes: list[Change] = []
    replay = Replay(lambda header: core_for_trace(header, None), watch=changes.append)
    [result] = replay.feed(read(str(trace), trace.read_bytes().splitlines()))
    assert (result.result, result.alerts) == ("completed", [])
    faces = [change.input.face for change in changes if isinstance(change.input, inp.FaceRevealed)]
    assert sorted(faces) == ["8s", "9s", "Kc"]
    shown = json.dumps([repr(fact) for change in changes for fact in change.facts])
    for cards in TWO.values():
        for face in cards.split():
            assert f"'{face}'" not in shown


# -- files that are refused -----------------------------------------------------------------------------------------------------------

STREETS = '\n[[street]]\nname = "preflop"\n\n[[street]]\nname = "flop"\nburn = 1\nboard = 3\n'
REST = '\n[[street]]\nname = "turn"\nburn = 1\nboard = 1\n\n[[street]]\nname = "river"\nburn = 1\nboard = 1\n'


@pytest.mark.parametrize(
    ("keys", "line", "told"),
    [
        ("colour = 1\n", 4, "key 'colour': expected a known key"),
        ("boarts = 2\n", 4, "key 'boarts': expected a known key (did you mean 'boards'?)"),
        ("hole = 0\n", 4, "key 'hole': expected 1 to 5 cards, found 0"),
        ("hole = 5\n", 1, "expected at most the 52 cards of the deck, the plan needs 63 for 11 seats"),
        ("max_seats = 12\n", 4, "key 'max_seats': expected 2 to 11, found 12"),
        ("boards = 3\n", 4, "key 'boards': expected 1 or 2, found 3"),
        ('deck = "short36"\nhole = 3\n', 1, "expected at most the 36 cards of the deck, the plan needs 41"),
        ('betting = "spread"\n', 4, 'expected one of "fixed_limit", "no_limit", "pot_limit", found "spread"'),
        ('ranking = "short_trips_over_straight"\n', 4, "expected standard for the whole deck"),
        ('use = "point_and_one"\n', 4, "expected point_and_one exactly where a street sets the point card"),
        ('posts = "unfold"\n', 4, "expected unfold exactly where a street has a window"),
        ('events = ["X ray"]\n', 4, "expected names of small letters, digits and _"),
        (STREETS, 5, "expected 5 board cards in all, the plan turns 3"),
        (STREETS + "discards = 1\n" + REST, 12, "expected a known key (did you mean 'discard'?)"),
        (STREETS + "discard = 1\n" + REST, 5, "expected two cards or more to keep, the discards leave 1"),
        (STREETS + "window = true\n" + REST, 1, "expected unfold exactly where a street has a window"),
        (STREETS + "point = true\n" + REST, 1, "expected point_and_one exactly where a street sets the point card"),
        (STREETS.replace("burn = 1", "burn = 2") + REST, 10, "expected 0 or 1 cards, found 2"),
        (STREETS.replace("board = 3", "board = 4") + REST, 11, "expected 0 to 3 cards, found 4"),
        (STREETS.replace("board = 3", "board = 0") + REST, 10, "expected a board card behind it"),
        (STREETS.replace('"flop"', '"river"') + REST, 5, "expected each street once, in the order preflop, flop, turn"),
        (REST, 5, "expected the first street to be 'preflop'"),
        (
            STREETS + 'bet = false\nhole = 3\ndiscard = 1\ndiscard_when = "after_bet"\n' + REST,
            13,
            "key 'street[2].hole': expected a known key",
        ),
        (
            "hole = 3\n" + STREETS + 'bet = false\ndiscard = 1\ndiscard_when = "after_bet"\n' + REST,
            15,
            "expected before_bet on a street without betting",
        ),
        (
            "hole = 3\nuse = 'point_and_one'\n" + STREETS + "bet = false\npoint = true\n" + REST,
            7,
            "expected betting on the street where the point card is named",
        ),
        (
            "posts = 'unfold'\n" + STREETS + "window = true\n" + REST,
            1,
            "expected kept where a window buys hands back",
        ),
        (
            "posts = 'unfold'\nfolded = 'kept'\n" + STREETS + REST.replace("board = 1\n", "board = 1\nwindow = true\n", 1),
            7,
            "expected the window on the flop alone, found it on turn",
        ),
        ("extends = 'nowhere'\n", 1, "key 'extends': expected"),
    ],
)  # fmt: skip
def test_a_bad_game_is_refused_with_its_line_and_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], keys: str, line: int, told: str
) -> None:
    path = tmp_path / "own.toml"
    head = 'extends = "nlhe"\nname = "own"\ntitle = "Own"\n'
    path.write_text(head.replace('extends = "nlhe"\n', "") + keys if "extends" in keys else head + keys)
    assert assist(["config", "check", str(path)]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert str(path) in error
    if "extends" not in keys:
        assert f"{path}:{line}:" in error, error


def test_a_game_without_its_choices_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.toml"
    path.write_text('name = "own"\ntitle = "Own"\ndeck = "standard52"\nhole = 2\n')
    assert assist(["config", "check", str(path)]) == 2
    error = capsys.readouterr().err
    for key in ("betting", "max_seats", "street", "use"):
        assert f"key '{key}': expected" in error
    assert "the key is missing" in error


def test_games_that_extend_one_another_in_a_circle_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, base in (("one", "two"), ("two", "one")):
        (tmp_path / f"{name}.toml").write_text(f'extends = "{base}.toml"\nname = "{name}"\ntitle = "T"\n')
    assert assist(["config", "check", str(tmp_path / "one.toml")]) == 2
    assert "extend" in capsys.readouterr().err


def test_a_scenario_of_a_game_that_there_is_not_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hand.toml"
    path.write_text(
        'title = "A hand"\ngame = "badugi"\ntable = { seats = [1, 2], button = 2, blinds = [1, 2], stacks = 9 }\nscript = "deal"\n'
    )
    assert simulator(["trace", str(path)]) == 2
    assert f"{path}:2:" in capsys.readouterr().err
