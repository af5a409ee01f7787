"""2,860 hands of home games in which side pots, dead posts, straddles and short blinds are real: settled as their source settled them.

The sample in tests/data, and the whole file where it is at hand. docs/cash_hands.md explains each hand that is named here.
"""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dealer_assist.betting import pots
from hw_sim.houses import Habits
from tests.betting.cash import ROOM, SAMPLE, WHOLE, cash_hands, replayed, side_pots

FILES = [path for path in (SAMPLE, WHOLE) if path.exists()]

#: In the source a raise ends at what the last opponent holds, and is no raise by any rule.
CUT_RAISES = {
    "1618103414117",
    "1622955348829",
    "1630198886606",
    "1631435349503",
    "1631924638359",
    "1645240106001",
    "1650858259368",
    "1659226555182",
}
#: A raise over a straddle by what the straddle was more than the blind: too small where the whole straddle counts (WLA26).
SMALL_OVER_STRADDLE = "1662336282200"


def sources(path: Path) -> dict[str, dict[str, Any]]:
    """The objects of a file as they are, by hand."""
    lines = path.read_text().splitlines()
    return {
        hand["game_number"]: hand for hand in (json.loads(line, parse_float=Decimal)["ohh"] for line in lines)
    }


def by_seat(hand: dict[str, Any]) -> dict[int, int]:
    return {player["id"]: player["seat"] for player in hand["players"]}


def put_in(hand: dict[str, Any], *names: str) -> dict[int, int]:
    """Cents that each seat put in, of the actions of these names or of all."""
    seats = by_seat(hand)
    chips = dict.fromkeys(seats.values(), 0)
    for part in hand["rounds"]:
        for action in part["actions"]:
            if not names or action["action"] in names:
                chips[seats[action["player_id"]]] += int(action.get("amount", 0) * 100)
    return chips


def won(hand: dict[str, Any]) -> dict[int, int]:
    """Cents that each seat won by the source."""
    seats = by_seat(hand)
    chips: Counter[int] = Counter()
    for pot in hand["pots"]:
        for win in pot["player_wins"]:
            chips[seats[win["player_id"]]] += int(win["win_amount"] * 100)
    return {seat: amount for seat, amount in chips.items() if amount}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_pots_returned_bets_and_awards_are_those_of_the_source(path: Path) -> None:
    raw = sources(path)
    hands = cash_hands(path)
    assert [hand.name for hand in hands] == list(raw)
    differ: dict[str, set[str]] = {}
    for hand in hands:
        source = raw[hand.name]
        _, outcome = replayed(hand)
        returned: Counter[int] = Counter()
        for seat, amount in outcome.returned:
            returned[seat] += amount
        put, wins = put_in(source), won(source)
        total = sum(int(pot["amount"] * 100) for pot in source["pots"])
        told: set[str] = set()
        if sum(award.pot.amount for award in outcome.pots) != total:
            told.add("pots")
        if sum(returned.values()) != sum(put.values()) - total:
            told.add("returned")
        if outcome.awards != wins:
            told.add("awards")  # to the cent: the odd ones go where the source has them
        if told:
            differ[hand.name] = told
        start = {p["seat"]: int(p["starting_stack"] * 100) for p in source["players"]}
        assert sum(outcome.stacks.values()) == sum(start.values()), hand.name
        assert outcome.rake == 0
    here = raw.keys()
    assert differ == {hand: {"returned"} for hand in CUT_RAISES & here}
    if path == WHOLE:
        assert len(hands) == 2860


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_cut_raise_changes_what_comes_back_and_no_stack(path: Path) -> None:
    """What was put in more than the source has comes back whole: the seats end with the source's chips."""
    raw = sources(path)
    for hand in cash_hands(path):
        if hand.name not in CUT_RAISES:
            continue
        source = raw[hand.name]
        _, outcome = replayed(hand)
        put, wins = put_in(source), won(source)
        back = sum(put.values()) - sum(wins.values())
        for player in source["players"]:
            seat = player["seat"]
            rest = int(player["starting_stack"] * 100) - put[seat] + wins.get(seat, 0)
            assert abs(outcome.stacks[seat] - rest) <= max(back, 1), hand.name
        assert sum(dict(outcome.returned).values()) > back


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_side_pots_are_those_that_a_count_chip_by_chip_gives(path: Path) -> None:
    """The source writes all pots as one. Their parts are counted here another way than the betting does."""
    raw = sources(path)
    several = 0
    for hand in cash_hands(path):
        state, outcome = replayed(hand)
        returned: Counter[int] = Counter()
        for seat, amount in outcome.returned:
            returned[seat] += amount
        counted = side_pots(state, returned, put_in(raw[hand.name], "Post Dead"))
        ours = [(pot.amount, frozenset(pot.eligible)) for pot in pots(state)]
        assert ours == counted or sum(amount for amount, _ in ours) == 0, hand.name
        several += len(ours) > 1
    assert several >= 8 if path == SAMPLE else several == 23


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_house_that_counts_the_whole_straddle_takes_the_smallest_raise_that_it_allows(path: Path) -> None:
    raw = sources(path)
    differ = set()
    for hand in cash_hands(path, Habits(run_it=3, whole_straddle=True)):
        if not any(post["kind"] == "straddle" for post in hand.opening["posts"]):
            continue
        setup_raise = {"straddle_raise": "whole"}
        _, outcome = replayed(hand, **setup_raise)
        if outcome.awards != won(raw[hand.name]):
            differ.add(hand.name)
            assert outcome.awards == {4: 19}
    assert differ == {SMALL_OVER_STRADDLE}


def test_the_sample_says_where_it_comes_from() -> None:
    told = (SAMPLE.parent / "README.md").read_text(encoding="utf-8")
    row = next(line for line in told.splitlines() if SAMPLE.name in line)
    assert "MIT" in row and "home-game" in row


def test_the_sample_has_every_kind_of_hand() -> None:
    raw = sources(SAMPLE)
    kinds: Counter[str] = Counter()
    for hand in raw.values():
        named = {action["action"] for part in hand["rounds"] for action in part["actions"]}
        kinds.update(named | set(hand["flags"]))
        kinds["missing SB"] += "Post SB" not in named
        kinds["dead button"] += hand["dealer_seat"] not in by_seat(hand).values()
    assert min(kinds[name] for name in ("Post Dead", "Post Extra Blind", "Straddle", "missing SB")) >= 3
    assert kinds["Run_It_Twice"] >= 3
    assert kinds["dead button"] == 2
    assert ROOM.run_it == 3 and SMALL_OVER_STRADDLE in raw
