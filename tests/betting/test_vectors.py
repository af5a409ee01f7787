"""The worked examples of the reference (PROCEDURES A-T) and of the rule books as one table of what the seat to act may do.

Where a seed is wrong or ambiguous its line says so and gives the reading that the field has. Others of the examples are tables of their
own below: caps of limit rounds, pots, rake, buy-ins, blinds that were missed, straights, the stub.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
import pytest

from dealer_assist.betting import (
    BettingState,
    HandSetup,
    Legal,
    Post,
    Pot,
    RakeSchedule,
    blinds_and_antes,
    forced_bets,
    hand_name,
    pots,
    start,
    taken,
)
from dealer_assist.composition import load_game, load_house
from dealer_assist.domain.table import Limits
from dealer_assist.procedure.game import DECKS
from dealer_assist.seating.debts import entry_of
from dealer_assist.seating.values import SeatingRules, SeatRecord
from tests.betting.kit import options, play

DEEP: Final = 100_000
FIVE: Final = (DEEP,) * 5


class Vector(msgspec.Struct, frozen=True):
    """After ``lines`` the seat to act may do what ``expected`` says of :class:`Legal`. ``blinds`` are posted unless there are ``posts``."""

    id: str
    source: str
    stacks: tuple[int, ...]
    blinds: tuple[int, int]
    lines: tuple[str, ...]
    expected: dict[str, Any]
    posts: tuple[Post, ...] | None = None
    more: dict[str, Any] = {}


def dead(amount: int) -> tuple[Post, ...]:
    """A pot without blinds."""
    return (Post(1, amount, "dead"),)


PL: Final = {"structure": "pot_limit"}
FL: Final = {"structure": "fixed_limit"}
LIMPED: Final = ("3 call", "4 call", "5 call", "1 call", "2 check", "next")

NO_LIMIT: Final = (
    Vector("T-01", "S000", FIVE, (1, 2), (), {"pot": 3, "call": 2}),
    Vector("T-NL1", "S003: 3 is refused", FIVE, (1, 2), (), {"min_to": 4}),
    Vector(
        "T-NL2",
        "TDA 43 example 1",
        FIVE,
        (50, 100),
        (*LIMPED, "1 bet 600", "2 raise 1600", "3 raise 3600"),
        {"min_to": 5600},
    ),
    Vector(
        "T-NL3",
        "TDA 43 example 2",
        (DEEP, DEEP, 150, DEEP),
        (50, 100),
        ("3 all_in",),
        {"call": 150, "min_to": 250},
    ),
    Vector(
        "T-NL3b",
        "TDA 43 example 3: 300, to 1000; the raise was 700",
        FIVE,
        (100, 200),
        (*LIMPED, "1 bet 300", "2 raise 1000"),
        {"min_to": 1700},
    ),
    Vector(
        "T-NL4",
        "TDA 43 example 4-A",
        FIVE,
        (25, 50),
        ("3 raise 125", "4 raise 200", "5 raise 500"),
        {"min_to": 800},
    ),
    Vector(
        "T-NL4b", "TDA 43 example 4-B", FIVE, (25, 50), ("3 raise 500", "4 call", "5 call"), {"min_to": 950}
    ),
    Vector("S003-09", "raise at least the raise before", FIVE, (1, 2), ("3 raise 7",), {"min_to": 12}),
    Vector(
        "S000-30",
        "bet at least the big blind",
        FIVE,
        (1, 2),
        LIMPED,
        {"min_to": 2, "max_to": DEEP - 2, "can_check": True},
    ),
    # --- what reopens ---
    Vector(
        "T-NL5",
        "TDA 47 example 1",
        (1000, 125, 1000, 200, 1000),
        (50, 100),
        ("1 bet 100", "2 all_in", "3 call", "4 all_in", "5 call"),
        {"seat": 1, "call": 100, "can_raise": True, "min_to": 300},
        (),
    ),
    Vector(
        "T-NL5a",
        "TDA 47 example 1-A",
        (1000, 125, 1000, 200, 1000),
        (50, 100),
        ("1 bet 100", "2 all_in", "3 call", "4 all_in", "5 call", "1 call"),
        {"seat": 3, "call": 75, "can_raise": False},
        (),
    ),
    Vector(
        "T-NL5b",
        "TDA 47 example 1-B",
        (1000, 125, 1000, 200, 1000),
        (50, 100),
        ("1 bet 100", "2 all_in", "3 call", "4 all_in", "5 call", "1 raise 300"),
        {"seat": 3, "call": 175, "can_raise": True, "min_to": 400},
        (),
    ),
    Vector(
        "T-NL6",
        "TDA 47 example 2",
        (DEEP, DEEP, DEEP, DEEP, 7500),
        (2000, 4000),
        ("3 call", "4 fold", "5 all_in", "1 fold"),
        {"seat": 2, "call": 3500, "min_to": 11_500},
    ),
    Vector(
        "T-NL6a",
        "TDA 47 example 2-A, WLA 171",
        (DEEP, DEEP, DEEP, DEEP, 7500),
        (2000, 4000),
        ("3 call", "4 fold", "5 all_in", "1 fold", "2 call"),
        {"seat": 3, "call": 3500, "can_raise": False},
    ),
    Vector(
        "T-NL6b",
        "TDA 47 example 2-B",
        (DEEP, DEEP, DEEP, DEEP, 7500),
        (2000, 4000),
        ("3 call", "4 fold", "5 all_in", "1 fold", "2 raise 11500"),
        {"seat": 3, "call": 7500, "can_raise": True, "min_to": 15_500},
    ),
    Vector(
        "WT-96",
        "650 over 600 (of 200): the raiser may not",
        (650, 20_000, 20_000),
        (100, 200),
        ("3 raise 600", "1 all_in", "2 call"),
        {"seat": 3, "call": 50, "can_raise": False},
    ),
    Vector(
        "WT-96-pl",
        "pot-limit: 90, all-in 100; who raised to 30 faces 70",
        (1000, 100, 1000, 1000, 1000),
        (5, 10),
        ("3 raise 30", "4 raise 90", "5 fold", "1 fold", "2 all_in"),
        {"seat": 3, "call": 70, "can_raise": True, "min_to": 160},
        None,
        PL,
    ),
    Vector(
        "WT-96a",
        "500, 1000, call, all-in 1300, all-in 1700: the first faces 1200",
        (20_000, 20_000, 20_000, 1300, 1700),
        (1, 1),
        ("1 bet 500", "2 raise 1000", "3 call", "4 all_in", "5 all_in"),
        {"seat": 1, "call": 1200, "min_to": 2200, "max_to": 20_000},
        (),
    ),
    Vector(
        "WT-96a-2",
        "… and who made it 1000 faces 700 of 500",
        (20_000, 20_000, 20_000, 1300, 1700),
        (1, 1),
        ("1 bet 500", "2 raise 1000", "3 call", "4 all_in", "5 all_in", "1 call"),
        {"seat": 2, "call": 700, "min_to": 2200},
        (),
    ),
    Vector(
        "WLA-171",
        "check, all-in bet of 20 under 50: the checker",
        (DEEP, 20, DEEP),
        (25, 50),
        ("1 check", "2 all_in", "3 call"),
        {"seat": 1, "call": 20, "can_raise": False},
        (),
    ),
    Vector(
        "WLA-171b",
        "… who has not acted may raise by a bet",
        (DEEP, 20, DEEP),
        (25, 50),
        ("1 check", "2 all_in"),
        {"seat": 3, "call": 20, "min_to": 70},
        (),
    ),
    Vector(
        "WLA-171c",
        "check, short all-ins 20 and 55: 55 is a bet for the checker",
        (DEEP, 20, 55, DEEP),
        (25, 50),
        ("1 check", "2 all_in", "3 all_in", "4 call"),
        {"seat": 1, "call": 55, "can_raise": True, "min_to": 105},
        (),
    ),
    Vector(
        "WLA-171d",
        "check, short all-ins 20 and 45: together less than a bet",
        (DEEP, 20, 45, DEEP),
        (25, 50),
        ("1 check", "2 all_in", "3 all_in", "4 call"),
        {"seat": 1, "call": 45, "can_raise": False},
        (),
    ),
    Vector(
        "WLA-175",
        "a caller is not reopened by a short all-in",
        (DEEP, DEEP, DEEP, 125, DEEP),
        (25, 50),
        ("3 raise 100", "4 all_in", "5 call", "1 fold", "2 fold"),
        {"seat": 3, "call": 25, "can_raise": False},
    ),
    Vector(
        "WLA-177",
        "three short all-ins add up to a raise",
        (DEEP, 200, DEEP, 125, 160, DEEP),
        (25, 50),
        ("3 raise 100", "4 all_in", "5 all_in", "6 call", "1 fold", "2 all_in"),
        {"seat": 3, "call": 100, "can_raise": True, "min_to": 250},
    ),
    Vector(
        "WLA-177b",
        "… not for who called between them",
        (DEEP, 200, DEEP, 125, 160, DEEP),
        (25, 50),
        ("3 raise 100", "4 all_in", "5 all_in", "6 call", "1 fold", "2 all_in", "3 call"),
        {"seat": 6, "call": 40, "can_raise": False},
    ),
    Vector(
        "cumulative",
        "all-ins by 20 and 20 of 50, then by 10: the bettor faces exactly 50",
        (DEEP, 70, 90, 100, DEEP),
        (25, 50),
        ("1 bet 50", "2 all_in", "3 all_in", "4 all_in", "5 call"),
        {"seat": 1, "call": 50, "can_raise": True, "min_to": 150},
        (),
    ),
    Vector(
        "cumulative-1",
        "… one chip less",
        (DEEP, 70, 90, 99, DEEP),
        (25, 50),
        ("1 bet 50", "2 all_in", "3 all_in", "4 all_in", "5 call"),
        {"seat": 1, "call": 49, "can_raise": False},
        (),
    ),
    Vector(
        "option",
        "the big blind's option over a short all-in",
        (100, 100, 3),
        (1, 2),
        ("3 all_in", "1 call"),
        {"seat": 2, "call": 1, "can_raise": True, "min_to": 5},
    ),
    Vector(
        "WLA-154",
        "short big blind",
        (1000, 3, 1000, 1000),
        (5, 10),
        (),
        {"seat": 3, "call": 10, "min_to": 20},
    ),
    # --- straddles (S001-05; PEERS 1.1) ---
    Vector(
        "straddle",
        "S001-05, TDA 43: 4 over 2",
        (*FIVE,),
        (1, 2),
        (),
        {"seat": 4, "call": 4, "min_to": 6},
        (Post(1, 1, "small_blind"), Post(2, 2, "big_blind"), Post(3, 4, "straddle")),
    ),
    Vector(
        "straddle-wla",
        "WLA26: the whole straddle",
        (*FIVE,),
        (1, 2),
        (),
        {"seat": 4, "call": 4, "min_to": 8},
        (Post(1, 1, "small_blind"), Post(2, 2, "big_blind"), Post(3, 4, "straddle")),
        {"straddle_raise": "whole"},
    ),
)

POT_LIMIT: Final = (
    Vector(
        "T-PL1",
        "S000 ⚑: 10…20 is what the raise adds; raise to 10 at least, 25 at most",
        FIVE[:3],
        (1, 2),
        ("1 bet 5",),
        {"min_to": 10, "max_to": 25},
        dead(10),
        PL,
    ),
    Vector(
        "T-PL2",
        "S000: 1+2+4+4, a player with nothing in",
        FIVE,
        (1, 2),
        ("3 raise 4", "4 call"),
        {"max_to": 19},
        None,
        PL,
    ),
    Vector(
        "T-PL2 small blind",
        "the seed's formula would give 19",
        FIVE,
        (1, 2),
        ("3 raise 4", "4 call", "5 fold"),
        {"max_to": 18},
        None,
        PL,
    ),
    Vector(
        "T-PL2 big blind",
        "the seed's formula would give 19",
        FIVE,
        (1, 2),
        ("3 raise 4", "4 call", "5 fold", "1 fold"),
        {"max_to": 17},
        None,
        PL,
    ),
    Vector("T-PL3", "WLA: 50 into 100", FIVE[:3], (1, 2), ("1 bet 50",), {"max_to": 250}, dead(100), PL),
    Vector("T-PL4", "TDA 54-B: 100/200, nothing missing", FIVE, (100, 200), (), {"max_to": 700}, None, PL),
    Vector(
        "T-PL4 dead small blind",
        "TDA 54-B",
        FIVE,
        (100, 200),
        (),
        {"max_to": 700, "pot": 200},
        (Post(2, 200, "big_blind"),),
        PL,
    ),
    Vector(
        "T-PL4 short big blind",
        "TDA 54-B",
        (DEEP, 100, DEEP, DEEP),
        (100, 200),
        (),
        {"max_to": 700, "pot": 200},
        None,
        PL,
    ),
    Vector(
        "T-PL5",
        "WLA 191: the small blind counts as 10",
        FIVE,
        (5, 10),
        (),
        {"max_to": 40},
        None,
        {**PL, "round_small_blind": True},
    ),
    Vector("T-PL5 not rounded", "WLA 191", FIVE, (5, 10), (), {"max_to": 35}, None, PL),
    Vector(
        "S000-16 ⚑",
        "max = pot after the call: 10, bet 5",
        FIVE[:2],
        (1, 2),
        ("1 bet 5",),
        {"max_to": 25},
        dead(10),
        PL,
    ),
)

LIMIT: Final = (
    Vector(
        "WLA-129",
        "half a bet all-in counts: 16 over 10",
        (1000, 1000, 26, 1000),
        (5, 10),
        ("3 call", "4 call", "1 call", "2 check", "next", "1 bet 10", "2 call", "3 all_in", "4 call"),
        {"seat": 1, "call": 6, "min_to": 26, "max_to": 26},
        None,
        FL,
    ),
    Vector(
        "WLA-129b",
        "less than half does not: 13 over 10",
        (1000, 1000, 1000, 13),
        (5, 10),
        ("3 call", "4 all_in", "1 call", "2 call"),
        {"seat": 3, "call": 3, "can_raise": False},
        None,
        FL,
    ),
    Vector(
        "RROP",
        "an all-in of 15 in a 20 round is raised to 35",
        (1000, 15, 1000),
        (10, 20),
        ("1 check", "2 all_in"),
        {"min_to": 35, "max_to": 35},
        (),
        FL,
    ),
    Vector(
        "TDA-47-B",
        "limit: half of the bet reopens",
        (1000, 25, 1000, 31, 1000),
        (10, 20),
        ("1 bet 20", "2 all_in", "3 call", "4 all_in", "5 call"),
        {"seat": 1, "call": 11, "can_raise": True},
        (),
        FL,
    ),
    Vector(
        "TDA-47-B exactly",
        "limit: 25, then 30, which is half a bet over 20: it counts, and the bettor may raise over it",
        (1000, 25, 1000, 30, 1000),
        (10, 20),
        ("1 bet 20", "2 all_in", "3 call", "4 all_in", "5 call"),
        {"seat": 1, "call": 10, "can_raise": True, "min_to": 50, "max_to": 50},
        (),
        FL,
    ),
    Vector(
        "TDA-47-B one less",
        "limit: 29 is less than half a bet over 20: the bettor may call",
        (1000, 25, 1000, 29, 1000),
        (10, 20),
        ("1 bet 20", "2 all_in", "3 call", "4 all_in", "5 call"),
        {"seat": 1, "call": 9, "can_raise": False},
        (),
        FL,
    ),
    Vector(
        "WLA-130",
        "a bet and four raises",
        FIVE,
        (5, 10),
        ("3 raise 20", "4 raise 30", "5 raise 40"),
        {"min_to": 50},
        None,
        {**FL, "max_bets": 5},
    ),
    Vector(
        "AX1",
        "S000, S001: four bets with the blind",
        FIVE,
        (5, 10),
        ("3 raise 20", "4 raise 30", "5 raise 40"),
        {"can_raise": False, "call": 35},
        None,
        FL,
    ),
)


def hand(vector: Vector) -> BettingState:
    seats = tuple(range(1, len(vector.stacks) + 1))
    posts = blinds_and_antes(seats, *vector.blinds) if vector.posts is None else vector.posts
    more = {"structure": "no_limit", **vector.more}
    return start(HandSetup(seats, seats[-1], vector.stacks, posts, vector.blinds[1], **more))


@pytest.mark.parametrize("vector", [*NO_LIMIT, *POT_LIMIT, *LIMIT], ids=lambda vector: vector.id)
def test_what_the_seat_to_act_may_do(vector: Vector) -> None:
    found = options(play(hand(vector), *vector.lines))
    assert {name: getattr(found, name) for name in vector.expected} == vector.expected, vector.source
    assert set(vector.expected) <= set(Legal.__struct_fields__)


@pytest.mark.parametrize(
    ("id_", "blinds", "caps"),
    [
        ("T-FL1", (50, 100), (400, 400, 800, 800)),
        ("T-FL2", (1, 2), (8, 8, 16, 16)),
        ("T-FL3", (1, 3), (12, 12, 24, 24)),
        ("T-FL4", (5, 10), (40, 40, 80, 80)),
    ],
)
def test_most_that_a_limit_round_costs(id_: str, blinds: tuple[int, int], caps: tuple[int, ...]) -> None:
    state = hand(Vector(id_, "", FIVE[:3], blinds, (), {}, None, FL))
    for street, cap in enumerate(caps):
        if street:
            state = play(state, "next")
        while state.to_act is not None:
            offered = options(state)
            kind = f"raise {offered.min_to}" if offered.can_raise else "call"
            state = play(state, f"{offered.seat} {kind}")
        assert state.bets == (cap,) * 3


@pytest.mark.parametrize(
    ("id_", "stacks", "lines", "expected"),
    [
        (
            "T-SP1",
            (100, 1000, 1000),
            ("1 all_in", "2 raise 300", "3 call"),
            (Pot(300, (1, 2, 3)), Pot(400, (2, 3))),
        ),
        (
            "T-SP2",
            (100, 500, 500),
            ("1 all_in", "2 call", "3 call", "next", "2 bet 300", "3 call"),
            (Pot(300, (1, 2, 3)), Pot(600, (2, 3))),
        ),
    ],
)
def test_side_pots(
    id_: str, stacks: tuple[int, ...], lines: tuple[str, ...], expected: tuple[Pot, ...]
) -> None:
    assert pots(play(hand(Vector(id_, "", stacks, (1, 2), (), {}, ())), *lines)) == expected


@pytest.mark.parametrize(
    ("pot", "rake"),
    [
        (499, 0),
        (500, 25),
        (999, 25),
        (1000, 50),
        (1900, 75),
        (4700, 225),
        (5999, 275),
        (6000, 300),
        (100_000, 300),
    ],
)
def test_rake_of_five_percent_in_quarters(pot: int, rake: int) -> None:
    """T-RK: S003-12, in hundredths."""
    assert taken(RakeSchedule(500, cap=300, step=25), pot, 9, flop_seen=True)[0] == rake


@pytest.mark.parametrize(("bet", "least"), [(3, 30), (10, 100)])
def test_least_buy_in_of_limit(bet: int, least: int) -> None:
    """T-BI: 3/6 and 10/20; S003-01 says ten minimum bets, RROP ten maximum ones (⚑)."""
    for house, of_big_bet in (("seed", False), ("roberts", True), ("wsop_cash", False)):
        parameters = load_house(house).parameters
        assert (parameters.buyin_min_limit_of.value == "big_bet") == of_big_bet
        times = 2 if of_big_bet else 1
        assert parameters.buyin_min_limit.value * bet * times == least * times


@pytest.mark.parametrize(
    ("missed", "big", "small", "posts"),
    [
        ("one_and_a_half", True, True, (2, 1)),
        ("post_all", True, True, (2, 1)),
        ("post_all", False, True, (0, 1)),
    ],
)
def test_missed_blinds_at_one_and_two(missed: str, big: bool, small: bool, posts: tuple[int, int]) -> None:
    """T-SO: 3 are posted, of which 2 are live (S000-14 ⚑ has 1.5 big blinds); or the seat waits."""
    rules = SeatingRules(1, 2, missed_blinds=missed)  # type: ignore[arg-type]
    record = SeatRecord("in", 100, missed_small=small, missed_big=big, posts=True)
    entry = entry_of(4, record, rules)
    assert entry is not None and (entry.live, entry.dead) == posts
    found = forced_bets("blinds", (1, 2, 3, 4, 5), Limits(1, 2), entering=(entry,))
    assert sum(post.amount for post in found if post.seat == 4) == sum(posts)
    waits = SeatRecord("in", 100, missed_small=small, missed_big=big)
    assert entry_of(4, waits, rules) is None


@pytest.mark.parametrize(
    ("cards", "name"),
    [("Ac2d 3h4s5c Kd9h", "straight"), ("TcJd QhKsAc 2d3h", "straight"), ("QcKd Ah2s3c 7d9h", "high_card")],
)
def test_straights(cards: str, name: str) -> None:
    """T-EV1: S002-02."""
    text = cards.replace(" ", "")
    faces = [text[at : at + 2] for at in range(0, len(text), 2)]
    found = hand_name(faces[:2], faces[2:])
    assert found is not None and found[0] == name


@pytest.mark.parametrize(
    ("players", "stub"), [(10, (32, 28, 26, 24)), (9, (34, 30, 28, 26)), (2, (48, 44, 42, 40))]
)
def test_cards_left_in_the_stub(players: int, stub: tuple[int, ...]) -> None:
    """T-ST: of the game as the procedure deals it."""
    game = load_game("nlhe")
    left = len(DECKS[game.deck]) - players * game.hole
    found = []
    for street in game.street:
        left -= street.burn + street.board
        found.append(left)
    assert tuple(found) == stub
