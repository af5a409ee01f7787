"""Formats by hand-made hands: what the tables of the tests do not have, and what a format has no words for."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from decimal import Decimal
from typing import Any

import msgspec
import pytest

from dealer_assist.formats import (
    BoardCards,
    Drop,
    FinishedHand,
    Money,
    NotInFormat,
    PlayedAction,
    PlayedPost,
    PlayedPot,
    PlayedSeat,
    csv_table,
    ohh_line,
    phh_table,
)

HAND = FinishedHand(
    hand="17",
    table="Table 4",
    house="wsop_cash",
    game="nlhe",
    game_type="holdem",
    structure="no_limit",
    unit="0.50 EUR",
    simulated=False,
    result="completed",
    button=9,
    small_blind=2,
    big_blind=4,
    ante=0,
    bets=(4, 4),
    seats=(
        PlayedSeat(2, 400, 398, folded=True),
        PlayedSeat(5, 100, 141, shown=("As", "Kd")),
        PlayedSeat(9, None, None, mucked=True),
    ),
    posts=(PlayedPost(2, "small_blind", 2), PlayedPost(5, "big_blind", 4)),
    actions=(
        PlayedAction("preflop", 9, "raise", 12, 12),
        PlayedAction("preflop", 2, "fold"),
        PlayedAction("preflop", 5, "call", 8, 12),
        PlayedAction("flop", 5, "bet", 88, 88, all_in=True),
        PlayedAction("flop", 9, "raise", 120, 120, assumed=True),
    ),
    board=(
        BoardCards("flop", ("2c", "3c", "4c")),
        BoardCards("turn", ("5d",)),
        BoardCards("river", ("Ah",)),
    ),
    pots=(PlayedPot(0, 202, 4, 2, ((5, 196),)),),
    returned=((9, 32),),
    rake=4,
    drops=(Drop("jackpot", 2),),
    started_ms=1_700_000_000_000,
)


def changed(**fields: Any) -> FinishedHand:
    return msgspec.structs.replace(HAND, **fields)


def ohh(hand: FinishedHand = HAND) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(ohh_line(hand), parse_float=Decimal)["ohh"]
    return told


def phh(hand: FinishedHand = HAND) -> dict[str, Any]:
    return tomllib.loads(phh_table(hand, 3))["3"]


@pytest.mark.parametrize(
    ("unit", "worth", "currency"),
    [
        ("chip", "1", "XPM"),
        ("1 chip", "1", "XPM"),
        ("cent", "0.01", "XPM"),
        ("0.01 USD", "0.01", "USD"),
        ("0.50 EUR", "0.50", "EUR"),
        ("EUR", "1", "EUR"),
        ("25 chips", "25", "XPM"),
        ("0 USD", "1", "USD"),
        ("", "1", "XPM"),
    ],
)
def test_money_is_what_the_unit_says(unit: str, worth: str, currency: str) -> None:
    assert Money.of(unit) == Money(Decimal(worth), currency)


def test_money_is_exact() -> None:
    assert Money.of("0.05 USD").text(3) == "0.15"
    assert Money.of("chip").text(1_000_000) == "1000000"


# -- Open Hand History -------------------------------------------------------------------------------------------------------------


def test_pots_tell_rake_and_jackpot_and_raises_the_chips_added() -> None:
    told = ohh()
    assert told["pots"] == [
        {
            "number": 0,
            "amount": 101,
            "rake": 2,
            "jackpot": 1,
            "player_wins": [{"player_id": 1, "win_amount": 98}],
        }
    ]
    preflop = told["rounds"][0]["actions"]
    assert [(each["player_id"], each["action"], each.get("amount")) for each in preflop] == [
        (0, "Post SB", 1),
        (1, "Post BB", 2),
        (2, "Raise", 6),
        (0, "Fold", None),
        (1, "Call", 4),
    ]
    assert [each["action"] for each in told["rounds"][1]["actions"]] == ["Bet", "Raise"]
    assert told["start_date_utc"] == "2023-11-14T22:13:20Z"
    assert (told["currency"], told["dealer_seat"]) == ("EUR", 9)


def test_the_showdown_shows_what_was_tabled_and_of_the_others_that_they_mucked() -> None:
    assert ohh()["rounds"][-1] == {
        "id": 4,
        "street": "Showdown",
        "actions": [
            {"action_number": 0, "player_id": 1, "action": "Shows Cards", "cards": ["As", "Kd"]},
            {"action_number": 1, "player_id": 2, "action": "Mucks Cards"},
        ],
    }


def test_a_stack_that_nobody_knew_is_what_went_in_and_a_big_blind_unless_that_was_all() -> None:
    assert [player["starting_stack"] for player in ohh()["players"]] == [200, 50, 68]
    actions = (*HAND.actions[:-1], msgspec.structs.replace(HAND.actions[-1], all_in=True))
    assert [player["starting_stack"] for player in ohh(changed(actions=actions))["players"]] == [200, 50, 66]


def test_newcomers_post_an_extra_blind_and_dead_money_is_dead() -> None:
    posts = (
        *HAND.posts,
        PlayedPost(9, "dead", 2),
        PlayedPost(9, "big_blind", 4),
        PlayedPost(2, "straddle", 8),
        PlayedPost(2, "ante", 1),
    )
    names = [each["action"] for each in ohh(changed(posts=posts))["rounds"][0]["actions"]]
    assert names[:6] == ["Post SB", "Post BB", "Post Dead", "Post Extra Blind", "Straddle", "Post Ante"]


def test_another_run_of_the_board_is_the_same_streets_again() -> None:
    board = (
        BoardCards("flop", ("2c", "3c", "4c")),
        BoardCards("turn", ("5d",)),
        BoardCards("turn", ("6d",), 2),
        BoardCards("turn", ("6h",), 3),
        BoardCards("river", ("Ah",)),
        BoardCards("river", ("7h",), 2),
        BoardCards("river", ("8h",), 3),
    )
    told = ohh(changed(board=board, runs=3))
    assert [(part["street"], part.get("cards")) for part in told["rounds"]] == [
        ("Preflop", None),
        ("Flop", ["2c", "3c", "4c"]),
        ("Turn", ["5d"]),
        ("River", ["Ah"]),
        ("Turn", ["6d"]),
        ("River", ["7h"]),
        ("Turn", ["6h"]),
        ("River", ["8h"]),
        ("Showdown", None),
    ]
    assert told["flags"] == ["Observed", "Run_It_Twice"]


# -- PHH ---------------------------------------------------------------------------------------------------------------------------


def test_phh_hides_what_was_not_tabled_and_keeps_whole_units() -> None:
    told = phh()
    assert told["actions"][:3] == ["d dh p1 ????", "d dh p2 AsKd", "d dh p3 ????"]
    assert told["actions"][-2:] == ["p2 sm AsKd", "p3 sm"]
    assert told["starting_stacks"] == [400, 100, float("inf")]
    assert (told["_rake"], told["_drops"], told["_unit"]) == (4, 2, "0.50 EUR")
    assert "finishing_stacks" not in told
    assert (told["year"], told["month"], told["day"], str(told["time"])) == (2023, 11, 14, "22:13:20")


def test_a_newcomers_live_post_is_less_than_nothing_in_phh_and_a_dead_one_an_ante_of_its_own() -> None:
    posts = (*HAND.posts, PlayedPost(9, "dead", 2), PlayedPost(9, "big_blind", 4))
    told = phh(changed(posts=posts))
    assert told["blinds_or_straddles"] == [2, 4, -4]
    assert told["antes"] == [0, 0, 2]
    assert told["ante_trimming_status"] is False


def test_a_name_with_quotes_and_line_breaks_is_still_toml() -> None:
    assert phh(changed(table='The "Big"\n\x7f Game\\'))["table"] == 'The "Big"\n\x7f Game\\'


def test_fixed_limit_and_omaha_have_their_own_names() -> None:
    told = phh(changed(structure="fixed_limit", bets=(4, 10)))
    assert (told["variant"], told["small_bet"], told["big_bet"]) == ("FT", 4, 10)
    told = phh(changed(game_type="omaha", structure="pot_limit"))
    assert (told["variant"], told["actions"][0]) == ("PO", "d dh p1 ????????")


# -- what a format has no words for -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "of_ohh", "of_phh"),
    [
        ({"result": "misdeal"}, "result", "result"),
        ({"game_type": ""}, "game", "game"),
        ({"game_type": "short_deck"}, "game", None),
        ({"structure": "pot_limit"}, None, "game"),
        ({"boards": 2}, "game", "game"),
        ({"amounts": False}, "amounts", "amounts"),
        ({"runs": 2}, None, "runs"),
        ({"posts": (PlayedPost(2, "ante", 4),)}, "game", "game"),
        ({"board": (BoardCards("flop", ("2c", "??", "4c")),)}, "cards", None),
    ],
)
def test_hands_that_a_format_cannot_hold_are_refused_by_a_code(
    fields: dict[str, Any], of_ohh: str | None, of_phh: str | None
) -> None:
    hand = changed(**fields)
    for write, code in ((ohh_line, of_ohh), (lambda each: phh_table(each, 1), of_phh)):
        if code is None:
            assert write(hand)
            continue
        with pytest.raises(NotInFormat) as caught:
            write(hand)
        assert caught.value.code == code
    assert csv_table([hand])


# -- CSV ---------------------------------------------------------------------------------------------------------------------------


def test_a_line_of_csv_for_all_that_moved_chips_or_turned_cards() -> None:
    lines = list(csv.DictReader(io.StringIO(csv_table([HAND]), newline="")))
    told = [(line["street"], line["seat"], line["what"], line["in"], line["out"]) for line in lines]
    assert told[3:6] == [
        ("preflop", "2", "post small blind", "1.00", ""),
        ("preflop", "5", "post big blind", "2.00", ""),
        ("preflop", "9", "raise", "6.00", ""),
    ]
    assert told[-6:] == [
        ("", "9", "returned", "", "16.00"),
        ("", "5", "shows", "", ""),
        ("", "9", "mucks", "", ""),
        ("", "", "rake", "", "2.00"),
        ("", "", "drop jackpot", "", "1.00"),
        ("", "5", "wins main pot", "", "98.00"),
    ]
    assert [line["notes"] for line in lines if line["notes"]] == ["button", "all-in", "assumed"]
    assert [line["stack_after"] for line in lines if line["seat"] == "9" and line["what"] != "mucks"] == [
        ""
    ] * 4


def test_a_cell_of_csv_is_never_a_formula() -> None:
    line = next(csv.DictReader(io.StringIO(csv_table([changed(table="=1+1", hand="@x")]), newline="")))
    assert (line["table"], line["hand"]) == ("'=1+1", "'@x")
