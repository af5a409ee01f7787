"""Exports of played hands: Open Hand History comes back as the same hand, PHH ends the same in PokerKit, CSV adds up, and no
format has a card that nobody tabled."""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
import warnings
from collections import Counter
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pokerkit
import pytest

from dealer_assist.composition import core_for_trace
from dealer_assist.formats import FinishedHand, NotInFormat, csv_table, ohh_line, phh_table
from dealer_assist.replay import Replay
from dealer_assist.table.trace import read
from firmware_protocol.toml_errors import ConfigError
from hw_sim import steps as st
from hw_sim.hands import load_hands
from tests.formats.export_kit import DATA, SCENARIOS, Played, played_file, trace_lines

CASH = DATA / "cash_sample.ohh.jsonl"
PLURIBUS = DATA / "pluribus_sample.phhs"

#: A raise that was smaller than a raise must be stood by a ruling: PokerKit has no rulings, and refuses it.
RULED = {"1618103414117", "1630198886606", "1650858259368"}


#: The tests of one scenario stay on one worker, where it is played once for all of them.
EACH_SCENARIO = pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=pytest.mark.xdist_group(f"exports_{path.stem}"))
        for path in sorted(SCENARIOS.glob("*.toml"))
    ],
)


@cache
def hands_of(path: Path) -> tuple[Played, ...]:
    return tuple(played_file(path))


def texts(hand: FinishedHand) -> list[str]:
    """The hand in every format that holds it."""
    out = [csv_table([hand])]
    for write in (ohh_line, lambda each: phh_table(each, 1)):
        try:
            out.append(write(hand))
        except NotInFormat:
            continue
    return out


def faces_in(text: str) -> set[str]:
    """Every card in an export: in lists of JSON, in runs of cards in CSV and PHH."""
    runs = re.findall(r"(?<![0-9A-Za-z])((?:(?:[2-9TJQKA][cdhs])|\?\?)+)(?![0-9A-Za-z])", text)
    return {run[at : at + 2] for run in runs for at in range(0, len(run), 2)} - {"??"}


# -- secrecy -----------------------------------------------------------------------------------------------------------------


@EACH_SCENARIO
def test_no_export_of_a_scenario_has_a_card_that_nobody_could_see(path: Path) -> None:
    for each in hands_of(path):
        for text in texts(each.hand):
            assert faces_in(text) <= each.public


@pytest.mark.parametrize("path", [CASH, PLURIBUS], ids=lambda path: path.stem)
def test_no_export_of_a_real_hand_has_a_card_that_nobody_tabled(path: Path) -> None:
    tabled = {hand.name: _tabled(hand) for hand in load_hands([path], None, None)}
    found = 0
    for each in hands_of(path):
        for text in texts(each.hand):
            assert faces_in(text) <= tabled[each.hand.hand]
            found += len(faces_in(text))
    assert found > 500  # the cards that were tabled are there


def _tabled(hand: st.Hand) -> set[str]:
    """Board cards, and hole cards of the seats whose tabling was tapped: counted off the deck in the order of the deal."""
    deck = list(hand.deck)
    order = hand.seats()
    holes: dict[int, list[str]] = {seat: [] for seat in order}
    for _ in range(2):
        for seat in order:
            holes[seat].append(deck.pop(0))
    public: set[str] = set()
    for step in hand.steps:
        match step:
            case st.Burn():
                deck.pop(0)
            case st.Board(count):
                public.update(deck.pop(0) for _ in range(count))
            case st.Tap({"kind": "tabled", "seat": seat}):
                public.update(holes[seat])
            case _:
                pass
    return public


def test_a_planted_card_would_be_found() -> None:
    """The search for cards sees one wherever a format writes cards."""
    assert faces_in('"cards":["As","Kd"]') == {"As", "Kd"}
    assert faces_in('"d dh p1 AsKd", "p2 sm ????"') == {"As", "Kd"}
    assert faces_in("12,flop,,board,,,,,7c8d9h,") == {"7c", "8d", "9h"}


# -- Open Hand History -------------------------------------------------------------------------------------------------------------

#: What the specification requires, with the types that it gives; a tuple has one of several.
HAND: dict[str, Any] = {
    "spec_version": str,
    "site_name": str,
    "network_name": str,
    "internal_version": str,
    "tournament": bool,
    "game_number": str,
    "start_date_utc": str,
    "table_name": str,
    "game_type": str,
    "bet_limit": {"bet_type": str, "bet_cap": (int, float)},
    "table_size": int,
    "currency": str,
    "dealer_seat": int,
    "small_blind_amount": (int, float),
    "big_blind_amount": (int, float),
    "ante_amount": (int, float),
    "hero_player_id": (int, type(None)),
    "flags": [str],
    "players": [{"id": int, "seat": int, "name": str, "display": str, "starting_stack": (int, float)}],
    "rounds": [
        {"id": int, "street": str, "actions": [{"action_number": int, "player_id": int, "action": str}]}
    ],
    "pots": [
        {
            "number": int,
            "amount": (int, float),
            "rake": (int, float),
            "jackpot": (int, float),
            "player_wins": [{"player_id": int, "win_amount": (int, float)}],
        }
    ],
}
OPTIONAL = {"cards", "amount", "is_allin"}
ACTIONS = {
    *(
        "Dealt Cards",
        "Mucks Cards",
        "Shows Cards",
        "Post Ante",
        "Post SB",
        "Post BB",
        "Straddle",
        "Post Dead",
    ),
    *("Post Extra Blind", "Fold", "Check", "Bet", "Raise", "Call"),
}


def check(value: Any, wanted: Any, path: str = "ohh") -> None:
    if isinstance(wanted, dict):
        assert isinstance(value, dict), path
        assert wanted.keys() <= value.keys(), path
        assert value.keys() - wanted.keys() <= OPTIONAL, path
        for name, kind in wanted.items():
            check(value[name], kind, f"{path}.{name}")
    elif isinstance(wanted, list):
        assert isinstance(value, list), path
        for number, each in enumerate(value):
            check(each, wanted[0], f"{path}[{number}]")
    else:
        assert isinstance(value, wanted), path


def ohh_hands(path: Path) -> list[tuple[FinishedHand, dict[str, Any]]]:
    return [(each.hand, json.loads(ohh_line(each.hand))["ohh"]) for each in hands_of(path)]


@pytest.mark.parametrize("path", [CASH, PLURIBUS], ids=lambda path: path.stem)
def test_open_hand_history_has_what_the_specification_requires(path: Path) -> None:
    for hand, told in ohh_hands(path):
        check(told, HAND)
        assert told["spec_version"] == "1.4.7"
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", told["start_date_utc"])
        ids = [player["id"] for player in told["players"]]
        assert len(set(ids)) == len(ids) == len(hand.seats)
        assert [part["id"] for part in told["rounds"]] == list(range(len(told["rounds"])))
        assert [pot["number"] for pot in told["pots"]] == list(range(len(told["pots"])))
        for part in told["rounds"]:
            assert [action["action_number"] for action in part["actions"]] == list(
                range(len(part["actions"]))
            )
            for action in part["actions"]:
                assert action["action"] in ACTIONS and action["player_id"] in ids
                assert (part["street"], action["action"]) != ("Preflop", "Bet")


@pytest.mark.parametrize("path", [CASH, PLURIBUS], ids=lambda path: path.stem)
def test_chips_of_open_hand_history_add_up(path: Path) -> None:
    for hand, told in ohh_hands(path):
        put = sum(
            Decimal(str(action.get("amount", 0))) for part in told["rounds"] for action in part["actions"]
        )
        pots = sum(Decimal(str(pot["amount"])) for pot in told["pots"])
        back = sum(amount for _, amount in hand.returned)
        assert put == pots + back * (Decimal("0.01") if path == CASH else 1), hand.hand
        for pot in told["pots"]:
            wins = sum(Decimal(str(win["win_amount"])) for win in pot["player_wins"])
            assert wins + Decimal(str(pot["rake"])) + Decimal(str(pot["jackpot"])) == Decimal(
                str(pot["amount"])
            )


@pytest.mark.parametrize("path", [CASH, PLURIBUS], ids=lambda path: path.stem)
def test_open_hand_history_comes_back_as_the_same_hand(path: Path, tmp_path: Path) -> None:
    """Exported and imported: same opening, same taps, and a replay of it ends with the same chips and nothing is said."""
    out = tmp_path / "hands.ohh.jsonl"
    out.write_text("".join(f"{ohh_line(each.hand)}\n" for each in hands_of(path)))
    first, again = list(load_hands([path], None, None)), list(load_hands([out], None, None))
    assert len(first) == len(again)
    for before, after in zip(first, again, strict=True):
        assert {**after.opening, "posts": None} == {**before.opening, "posts": None}
        assert _paid(after) == _paid(before)
        assert _taps(after) == _taps(before)
        assert (after.small_blind, after.big_blind, after.game) == (
            before.small_blind,
            before.big_blind,
            before.game,
        )
    replay = Replay(lambda header: core_for_trace(header, None))
    results = list(replay.feed(read("again", trace_lines(again))))
    assert [result.hand for result in results if result.differences or result.alerts or result.notes] == []
    for result, each in zip(results, hands_of(path), strict=True):
        assert result.stacks == {str(seat.seat): seat.end for seat in each.hand.seats}


#: Hands of scenarios that the import cannot play again from what Open Hand History says of them, and why.
NOT_AGAIN = {
    **dict.fromkeys(
        ("a9_all_in_hand_killed", "a9_not_his_card", "d10_burn_in_hand"), "a dead hand is a fold"
    ),
    **dict.fromkeys(
        ("a16_stub_too_short", "a16_ten_hands_near", "game_omaha"), "Omaha is not dealt from histories"
    ),
    "kill_full_limit": "the stakes of a kill pot are not told",
    "p5_odd_chip_of_five": "the chips in play are not told",
}


@EACH_SCENARIO
def test_hands_of_scenarios_come_back_with_the_same_chips(path: Path, tmp_path: Path) -> None:
    """Whatever went wrong on the way: what Open Hand History says of the hand is a hand that is played without a word to the same end."""
    for each in hands_of(path):
        try:
            text = ohh_line(each.hand)
        except NotInFormat:
            continue
        out = tmp_path / "hand.ohh"
        out.write_text(text)
        try:
            again = list(load_hands([out], None, None))
        except ConfigError:
            assert path.stem in NOT_AGAIN
            continue
        replay = Replay(lambda header: core_for_trace(header, None))
        [result] = replay.feed(read("again", trace_lines(again)))
        silent = not (result.differences or result.alerts or result.notes)
        assert silent is (path.stem not in NOT_AGAIN), result


def _paid(hand: st.Hand) -> list[tuple[int, int, str]]:
    stacks = {record["seat"]: record["stack"] for record in hand.opening["seats"]}
    return [(post["seat"], min(post["amount"], stacks[post["seat"]]), post["kind"]) for post in hand.posts()]


def _taps(hand: st.Hand) -> list[dict[str, Any]]:
    return [step.command for step in hand.steps if isinstance(step, st.Tap)]


# -- PHH ---------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [CASH, PLURIBUS], ids=lambda path: path.stem)
def test_phh_ends_in_pokerkit_with_the_same_chips(path: Path) -> None:
    written = 0
    refused = set()
    for each in hands_of(path):
        if each.hand.runs > 1:
            with pytest.raises(NotInFormat, match="runs"):
                phh_table(each.hand, 1)
            continue
        written += 1
        text = phh_table(each.hand, 1)
        told = tomllib.loads(text)["1"]
        assert told["_source"] == each.hand.hand
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                [history] = pokerkit.HandHistory.loads_all(text)
                *_, state = history
        except ValueError:
            refused.add(each.hand.hand)
            continue
        assert state.stacks == told["finishing_stacks"], each.hand.hand
    assert written == (59 if path == CASH else 64)
    assert refused == RULED & {each.hand.hand for each in hands_of(path)}


def test_phh_of_pluribus_comes_back_as_the_same_hands(tmp_path: Path) -> None:
    out = tmp_path / "hands.phhs"
    out.write_text("\n".join(phh_table(each.hand, at) for at, each in enumerate(hands_of(PLURIBUS), 1)))
    first, again = list(load_hands([PLURIBUS], None, None)), list(load_hands([out], None, None))
    for before, after in zip(first, again, strict=True):
        assert after.opening == before.opening
        assert _taps(after) == _taps(before)
        assert after.expect["stacks"] == {
            seat: round(chips) for seat, chips in before.expect["stacks"].items()
        }


# -- CSV ---------------------------------------------------------------------------------------------------------------------------


def test_phh_of_a_kill_pot_has_its_bets() -> None:
    (played,) = hands_of(SCENARIOS / "kill_full_limit.toml")
    told = tomllib.loads(phh_table(played.hand, 1))["1"]
    assert (told["small_bet"], told["big_bet"]) == (20, 40)


def test_csv_adds_up_by_hand_and_by_seat() -> None:
    hands = [each.hand for each in hands_of(CASH)]
    lines = list(csv.DictReader(io.StringIO(csv_table(hands), newline="")))
    assert list(dict.fromkeys(line["hand"] for line in lines)) == [hand.hand for hand in hands]
    for hand in hands:
        mine = [line for line in lines if line["hand"] == hand.hand]
        assert [int(line["line"]) for line in mine] == list(range(1, len(mine) + 1))
        moved: Counter[str] = Counter()
        for line in mine:
            moved["in"] += int(Decimal(line["in"] or 0) * 100)
            moved["out"] += int(Decimal(line["out"] or 0) * 100)
        assert moved["in"] == moved["out"]
        for seat in hand.seats:
            last = [
                line["stack_after"] for line in mine if line["seat"] == str(seat.seat) and line["stack_after"]
            ][-1]
            assert Decimal(last) * 100 == seat.end


@EACH_SCENARIO
def test_csv_holds_hands_of_every_game_and_end(path: Path) -> None:
    for each in hands_of(path):
        lines = list(csv.DictReader(io.StringIO(csv_table([each.hand]), newline="")))
        assert {line["result"] for line in lines} == {each.hand.result}
        went_in, came_out = (sum(Decimal(line[name] or 0) for line in lines) for name in ("in", "out"))
        assert went_in == came_out
