"""Hands in Open Hand History: how they are dealt, what must come of them, and where a file is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from phevaluator import evaluate_cards

from firmware_protocol.toml_errors import ConfigError
from hw_sim import steps as st
from hw_sim.cli import main
from hw_sim.hands import load_hands
from hw_sim.houses import Habits
from hw_sim.ohh import load_ohh

DATA = Path(__file__).parents[1] / "data"
PLAIN = Habits()
Change = Callable[[dict[str, Any]], None]


def action(player: int, name: str, amount: float | None = None, **more: Any) -> dict[str, Any]:
    money = {} if amount is None else {"amount": amount}
    return {"player_id": player, "action": name, **money, **more}


def three() -> dict[str, Any]:
    """Three players, 0.10/0.25: P0 in seat 2 has the button, P1 in seat 5 and P2 in seat 9 the blinds."""
    return {
        "game_number": "4711",
        "game_type": "Holdem",
        "bet_limit": {"bet_type": "NL"},
        "currency": "USD",
        "dealer_seat": 2,
        "small_blind_amount": 0.1,
        "big_blind_amount": 0.25,
        "players": [
            {"id": 0, "seat": 2, "starting_stack": 20.0},
            {"id": 1, "seat": 5, "starting_stack": 10.5},
            {"id": 2, "seat": 9, "starting_stack": 30.25},
        ],
        "rounds": [
            {
                "street": "Preflop",
                "actions": [
                    action(1, "Dealt Cards", cards=["7h", "7d"]),
                    action(1, "Post SB", 0.1),
                    action(2, "Post BB", 0.25),
                    action(0, "Raise", 0.75),
                    action(1, "Call", 0.65),
                    action(2, "Fold"),
                ],
            },
            {
                "street": "Flop",
                "cards": ["2c", "8d", "Jh"],
                "actions": [action(1, "Check"), action(0, "Bet", 1.0), action(1, "Call", 1.0)],
            },
            {"street": "Turn", "cards": ["Js"], "actions": [action(1, "Check"), action(0, "Check")]},
            {
                "street": "River",
                "cards": ["3s"],
                "actions": [action(1, "Bet", 8.75, is_allin=True), action(0, "Raise", 18.25, is_allin=True)],
            },
            {"street": "Showdown", "actions": [action(0, "Shows Cards", cards=["As", "Ad"])]},
        ],
        "pots": [{"number": 0, "amount": 21.25, "player_wins": [{"player_id": 0, "win_amount": 21.25}]}],
    }


def read(folder: Path, hand: dict[str, Any], habits: Habits = PLAIN) -> st.Hand:
    path = folder / "hand.ohh"
    path.write_text(json.dumps({"ohh": hand}, indent=1))
    [played] = load_ohh(path, habits)
    return played


def taps(hand: st.Hand) -> list[dict[str, Any]]:
    return [step.command for step in hand.steps if isinstance(step, st.Tap)]


def acts(hand: st.Hand) -> list[tuple[Any, ...]]:
    return [(tap["seat"], tap["action"], tap.get("to")) for tap in taps(hand) if tap["kind"] == "act"]


def test_seats_button_money_and_posts_are_those_of_the_source(tmp_path: Path) -> None:
    hand = read(tmp_path, three())
    assert hand.opening == {
        "hand": "4711",
        "button": 2,
        "seats": [{"seat": 2, "stack": 2000}, {"seat": 5, "stack": 1050}, {"seat": 9, "stack": 3025}],
        "posts": [
            {"seat": 5, "amount": 10, "kind": "small_blind"},
            {"seat": 9, "amount": 25, "kind": "big_blind"},
        ],
    }
    assert (hand.small_blind, hand.big_blind, hand.unit, hand.game) == (10, 25, "0.01 USD", "nlhe")


def test_raises_are_told_by_the_chips_that_they_add(tmp_path: Path) -> None:
    assert acts(read(tmp_path, three())) == [
        (2, "raise", 75),
        (5, "call", None),
        (9, "fold", None),
        (5, "check", None),
        (2, "bet", 100),
        (5, "call", None),
        (5, "check", None),
        (2, "check", None),
        (5, "bet", 875),
        (2, "raise", 1825),
    ]


def test_what_the_source_says_of_the_end_is_expected(tmp_path: Path) -> None:
    assert read(tmp_path, three()).expect == {
        "result": "completed",
        "attempts": 1,
        "alerts": [],
        "pots": [2125],
        "returned": {"2": 950},
        "awards": {"2": 2125},
        "rake": 0,
        "drops": {},
        "stacks": {"2": 3075, "5": 0, "9": 3000},
        "odd_chips": 0,
    }


def test_known_cards_are_dealt_and_unknown_ones_are_others(tmp_path: Path) -> None:
    hand = read(tmp_path, three())
    assert sorted(hand.deck) == sorted(set(hand.deck))
    assert len(hand.deck) == 52
    assert (hand.deck[0], hand.deck[3]) == ("7h", "7d")  # seat 5 gets the first card
    assert (hand.deck[2], hand.deck[5]) == ("As", "Ad")
    assert hand.deck[7:10] == ("2c", "8d", "Jh")
    assert (hand.deck[11], hand.deck[13]) == ("Js", "3s")


def test_a_hand_that_nobody_saw_beats_none_that_won(tmp_path: Path) -> None:
    source = three()
    source["rounds"][0]["actions"].pop(0)  # nobody knows what seat 5 had
    source["rounds"][-1]["actions"] = [action(0, "Shows Cards", cards=["9s", "4d"])]
    hand = read(tmp_path, source, Habits(allin_faceup=True))
    assert [tap["seat"] for tap in taps(hand) if tap["kind"] == "tabled"] == [2]
    board = ["2c", "8d", "Jh", "Js", "3s"]
    beaten, won = ([*hand.deck[at : at + 4 : 3], *board] for at in (0, 2))
    assert (won[0], won[1]) == ("9s", "4d")
    assert evaluate_cards(*beaten) > evaluate_cards(*won)  # higher is worse


@pytest.mark.parametrize("faceup", [False, True])
def test_all_in_hands_are_tabled_as_the_house_wants_it(tmp_path: Path, faceup: bool) -> None:
    source = three()
    source["rounds"][1]["actions"] = [action(1, "Bet", 9.75, is_allin=True), action(0, "Call", 9.75)]
    source["rounds"][2]["actions"] = source["rounds"][3]["actions"] = []
    hand = read(tmp_path, source, Habits(allin_faceup=faceup))
    marks = [
        step.count if isinstance(step, st.Board) else step.command["kind"]
        for step in hand.steps
        if isinstance(step, st.Board)
        or (isinstance(step, st.Tap) and step.command["kind"] in ("tabled", "mucked"))
    ]
    assert marks == ([3, "tabled", "tabled", 1, 1] if faceup else [3, 1, 1, "tabled", "mucked"])


def test_dead_and_extra_posts_and_straddles(tmp_path: Path) -> None:
    source = three()
    source["rounds"][0]["actions"][3:3] = [
        action(0, "Post Dead", 0.1),
        action(0, "Post Extra Blind", 0.25),
        action(1, "Straddle", 0.5),
    ]
    source["rounds"][0]["actions"][6] = action(0, "Raise", 1.0)
    source["rounds"] = source["rounds"][:1]
    hand = read(tmp_path, source)
    assert [(post["seat"], post["amount"], post["kind"]) for post in hand.opening["posts"]][2:] == [
        (2, 10, "dead"),
        (2, 25, "big_blind"),
        (5, 50, "straddle"),
    ]
    assert acts(hand)[0] == (2, "raise", 125)


def test_a_short_blind_is_told_in_full_and_called_in_full(tmp_path: Path) -> None:
    source = three()
    source["players"][2]["starting_stack"] = 0.2
    source["rounds"][0]["actions"] = [
        action(1, "Post SB", 0.1),
        action(2, "Post BB", 0.2, is_allin=True),
        action(0, "Fold"),
        action(1, "Call", 0.15),
    ]
    source["rounds"][1]["actions"] = source["rounds"][2]["actions"] = source["rounds"][3]["actions"] = []
    source["pots"] = [{"number": 0, "amount": 0.4, "player_wins": [{"player_id": 2, "win_amount": 0.4}]}]
    hand = read(tmp_path, source)
    assert hand.opening["posts"][1] == {"seat": 9, "amount": 25, "kind": "big_blind"}
    assert acts(hand) == [(2, "fold", None), (5, "call", 25)]
    assert hand.expect["returned"] == {"5": 5}


@pytest.mark.parametrize(("added", "to", "ruled"), [(1.0, 125, None), (0.85, 110, True), (0.5, None, None)])
def test_raises_that_are_too_small_stand_by_a_ruling_and_those_that_raise_nothing_are_calls(
    tmp_path: Path, added: float, to: int | None, ruled: bool | None
) -> None:
    source = three()
    source["rounds"][0]["actions"][5] = action(2, "Raise", added)
    source["rounds"] = source["rounds"][:1]
    [*_, last] = [tap for tap in taps(read(tmp_path, source)) if tap["kind"] == "act"]
    assert (last["action"], last.get("to"), last.get("ruled")) == ("raise" if to else "call", to, ruled)


@pytest.mark.parametrize(("whole", "ruled"), [(False, None), (True, True)])
def test_how_much_a_straddle_must_be_raised_by_is_the_houses_matter(
    tmp_path: Path, whole: bool, ruled: bool | None
) -> None:
    source = three()
    source["rounds"][0]["actions"][3:] = [
        action(0, "Straddle", 0.5),
        action(1, "Raise", 0.65),
        action(2, "Fold"),
        action(0, "Fold"),
    ]
    source["rounds"] = source["rounds"][:1]
    first = next(
        tap for tap in taps(read(tmp_path, source, Habits(whole_straddle=whole))) if tap["kind"] == "act"
    )
    assert (first["to"], first.get("ruled")) == (75, ruled)


@pytest.mark.parametrize("times", [1, 2])
def test_a_board_is_run_twice_where_the_house_does_that(tmp_path: Path, times: int) -> None:
    source = three()
    source["rounds"][2]["actions"] = [action(1, "Bet", 8.75, is_allin=True), action(0, "Call", 8.75)]
    source["rounds"][3]["actions"] = []
    source["rounds"].insert(4, {"street": "River", "cards": ["9s"], "actions": []})
    hand = read(tmp_path, source, Habits(run_it=times))
    boards = [(step.count, step.zone) for step in hand.steps if isinstance(step, st.Board)]
    asked = [tap["times"] for tap in taps(hand) if tap["kind"] == "run_it"]
    if times == 1:
        assert (boards, asked) == ([(3, "board"), (1, "board"), (1, "board")], [])
        assert "awards" not in hand.expect and "stacks" not in hand.expect
    else:
        assert (boards, asked) == ([(3, "board"), (1, "board"), (1, "board"), (1, "board2")], [2])
        assert hand.expect["awards"] == {"2": 2125}
    assert (hand.deck[13], hand.deck[15]) == ("3s", "9s")


def test_the_blinds_that_were_paid_say_where_the_button_is(tmp_path: Path) -> None:
    source = three()
    source["dealer_seat"] = 9
    assert read(tmp_path, source).opening["button"] == 2


def test_rake_and_drop_are_those_of_the_source(tmp_path: Path) -> None:
    source = three()
    source["pots"][0] |= {"rake": 1.0, "jackpot": 0.5}
    source["pots"][0]["player_wins"][0]["win_amount"] = 19.75
    path = tmp_path / "hand.ohh"
    path.write_text(json.dumps({"ohh": source}))
    assert main(["trace", str(path), "-o", str(tmp_path / "trace.jsonl")]) == 0
    header = json.loads((tmp_path / "trace.jsonl").read_text().splitlines()[0])
    assert header["rake"]["cap"] == 100
    assert header["rake"]["drops"] == [{"name": "jackpot", "amount": 50, "needs_flop": True}]
    [hand] = load_hands([path], None, None)
    assert (hand.expect["rake"], hand.expect["drops"]) == (100, {"jackpot": 50})


@pytest.mark.parametrize(
    ("amounts", "unit"), [("whole", "1 chip"), ("cents", "0.01"), ("thousandths", "0.001")]
)
def test_the_smallest_unit_is_what_the_amounts_need(tmp_path: Path, amounts: str, unit: str) -> None:
    factor = {"whole": 100, "cents": 1, "thousandths": 0.1}[amounts]
    source = three()
    source["currency"] = "XPM"
    text = json.dumps(source, default=str)
    scaled = json.loads(text, parse_float=lambda digits: round(float(digits) * factor, 6))
    assert read(tmp_path, scaled).unit == unit


def test_many_hands_in_a_file_one_a_line_or_one_after_the_other(tmp_path: Path) -> None:
    for name, gap in (("a.ohh.jsonl", "\n"), ("b.ohh", "\n\n"), ("c.json", "")):
        path = tmp_path / name
        path.write_text(gap.join(json.dumps({"ohh": three()}) for _ in range(3)))
        assert len(list(load_hands([path], None, None))) == 3
        assert len(list(load_hands([path], None, 2))) == 2


def test_the_sample_is_read_whole_with_its_own_numbers() -> None:
    path = DATA / "cash_sample.ohh.jsonl"
    raw = [json.loads(line)["ohh"] for line in path.read_text().splitlines()]
    hands = list(load_hands([path], None, None))
    assert [hand.name for hand in hands] == [source["game_number"] for source in raw]
    for hand in hands:
        start = sum(record["stack"] for record in hand.opening["seats"])
        assert sum(hand.expect["stacks"].values()) == start


# -- mistakes ----------------------------------------------------------------------------------------------------------------------


def at(*path: str | int, value: Any) -> Change:
    def change(hand: dict[str, Any]) -> None:
        inside: Any = hand
        for step in path[:-1]:
            inside = inside[step]
        if value is None:
            del inside[path[-1]]
        else:
            inside[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "path", "expected"),
    [
        (at("game_type", value="Stud"), "ohh.game_type", "Holdem"),
        (at("bet_limit", "bet_type", value="XX"), "ohh.bet_limit.bet_type", "one of NL, PL, FL"),
        (at("dealer_seat", value=12), "ohh.dealer_seat", "a seat from 1 to 11"),
        (at("dealer_seat", value="two"), "ohh.dealer_seat", "a value of type int"),
        (at("players", value=None), "ohh.players", "it"),
        (at("big_blind_amount", value=0), "ohh.big_blind_amount", "the big blind"),
        (at("players", 1, "seat", value=2), "ohh.players[2].seat", "a seat from 1 to 11, each once"),
        (at("players", 1, "id", value=0), "ohh.players[2].id", "each player once"),
        (at("players", 1, "starting_stack", value=0), "ohh.players[2].starting_stack", "chips"),
        (
            at("players", 1, "starting_stack", value=0.1 + 0.2),
            "ohh.players[2].starting_stack",
            "an amount of money",
        ),
        (
            at("rounds", 0, "actions", 1, "player_id", value=7),
            "ohh.rounds[1].actions[2].player_id",
            "one of the players",
        ),
        (
            at("rounds", 0, "actions", 3, "action", value="Jump"),
            "ohh.rounds[1].actions[4].action",
            "an action of a hand",
        ),
        (
            at("rounds", 0, "actions", 3, "amount", value=99),
            "ohh.rounds[1].actions[4].amount",
            "at most what the player has",
        ),
        (
            at("rounds", 0, "actions", 1, "amount", value=-1),
            "ohh.rounds[1].actions[2].amount",
            "an amount of money",
        ),
        (at("rounds", 1, "cards", 0, value="1c"), "ohh.rounds[2].cards", "cards as rank and suit, like AsKd"),
        (at("rounds", 1, "cards", value=["2c"]), "ohh.rounds[2].cards", "3 cards of the flop"),
        (at("rounds", 1, "cards", 0, value="7h"), "ohh.rounds", "each card once"),
        (at("rounds", 2, "street", value="Ocean"), "ohh.rounds[3].street", "a street of hold'em"),
        (
            at("rounds", 1, "actions", 0, "player_id", value=2),
            "ohh.rounds[2].actions[1]",
            "a player who has not folded",
        ),
        (
            at("pots", 0, "player_wins", 0, "player_id", value=9),
            "ohh.pots[1].player_wins[1].player_id",
            "one of the players",
        ),
    ],
)
def test_a_mistake_is_told_with_file_line_and_column(
    tmp_path: Path, change: Change, path: str, expected: str
) -> None:
    source = three()
    change(source)
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, source)
    assert caught.value.path == path
    assert caught.value.expected.startswith(expected)
    assert caught.value.file == str(tmp_path / "hand.ohh")
    lines = (tmp_path / "hand.ohh").read_text().splitlines()
    assert 1 <= caught.value.line <= len(lines)
    assert 1 <= caught.value.column <= len(lines[caught.value.line - 1])


def test_the_line_and_the_column_are_those_of_the_value(tmp_path: Path) -> None:
    source = three()
    source["rounds"][0]["actions"][3]["amount"] = 99.5
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, source)
    line = (tmp_path / "hand.ohh").read_text().splitlines()[caught.value.line - 1]
    assert line[caught.value.column - 1 :].startswith("99.5")


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("", 1, "a hand as"),
        ("{", 1, "JSON"),
        ('{"ohh":{}}\n{"ohh":', 1, "it"),
        ("[]", 1, "a value of type object"),
        ('\n\n{"ohh": 1}', 3, "a value of type object"),
        ("[" * 100_000, 1, "lists and objects nested less deep"),
    ],
)
def test_what_is_no_such_file_is_told(tmp_path: Path, text: str, line: int, expected: str) -> None:
    path = tmp_path / "hands.ohh"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        list(load_ohh(path, PLAIN))
    assert caught.value.line == line
    assert caught.value.expected.startswith(expected)


def test_a_file_that_is_no_text_or_not_there_is_told(tmp_path: Path) -> None:
    path = tmp_path / "hands.ohh"
    path.write_bytes(b'{"ohh":\n"\xff"}')
    with pytest.raises(ConfigError, match=r":2:2: expected text in UTF-8, found byte 0xff"):
        list(load_ohh(path, PLAIN))
    with pytest.raises(ConfigError, match="expected a readable file"):
        list(load_ohh(tmp_path / "none.ohh", PLAIN))


def test_a_mistake_in_a_later_hand_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = three()
    wrong["rounds"][0]["actions"][3]["action"] = "Jump"
    path = tmp_path / "hands.jsonl"
    path.write_text(f"{json.dumps({'ohh': three()})}\n{json.dumps({'ohh': wrong})}\n")
    assert main(["trace", str(path)]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith(f"{path}:2:")
