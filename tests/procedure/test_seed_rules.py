"""Rules of the seed documents (docs/seed_rules.md) that no other test shows, and that the page names what there is."""

from __future__ import annotations

import ast
import re
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Final

import pytest

from dealer_assist.betting import (
    Action,
    BettingState,
    Refusal,
    act,
    hand_rank,
    legal,
    next_street,
    start,
    verify,
)
from dealer_assist.composition import load_game, load_house
from dealer_assist.domain.cards import STANDARD_52
from dealer_assist.domain.table import HandOpening, Limits, SeatStack
from dealer_assist.procedure.house import Parameters
from dealer_assist.table.opening import Rules, deal_order, hand_setup

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "seed_rules.md"
SCENARIOS: Final = ROOT / "tests" / "scenarios"

#: Every id of the extraction, document by document.
IDS: Final = (
    *(f"S000-{number:02}" for number in range(1, 35)),
    *(f"S001-{number:02}" for number in range(1, 13)),
    *(f"E{number}" for number in range(1, 10)),
    *(f"S002-{number:02}" for number in range(1, 13)),
    *(f"S003-{number:02}" for number in range(1, 13)),
    *(f"S004-{number:02}" for number in range(1, 17)),
    *(f"AX{number}" for number in range(1, 14)),
    "T-01",
    *(f"T-NL{number}" for number in range(1, 7)),
    *(f"T-FL{number}" for number in range(1, 5)),
    *(f"T-PL{number}" for number in range(1, 6)),
    *("T-SP1", "T-SP2", "T-RK", "T-BI", "T-SO", "T-EV1", "T-ST"),
)
#: Where a seed is wrong, or can be read in two ways.
FLAGGED: Final = frozenset(
    [
        *(f"S000-{number:02}" for number in (3, 7, 10, 16, 18, 20, 33)),
        *("S001-12", "E2", "E6", "S002-08", "S002-10"),
        *(f"S003-{number:02}" for number in (1, 3, 5, 8, 11)),
        *(f"S004-{number:02}" for number in (3, 6, 7, 9, 13, 16)),
        *("AX6", "T-PL1"),
    ]
)


# -- the page --------------------------------------------------------------------------------------------------------------


def rows() -> dict[str, tuple[str, ...]]:
    """The lines of the page's tables by id, without the mark."""
    found: dict[str, tuple[str, ...]] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = tuple(cell.strip() for cell in line.strip("|").split(" | "))
        if line.startswith("| ") and re.match(r"(S00\d-\d\d|E\d|AX\d+|T-\w+)( ⚑)?$", cells[0]):
            name = cells[0].removesuffix(" ⚑")
            assert name not in found, name
            found[name] = cells
    return found


@cache
def functions_of(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def test_every_rule_has_its_line() -> None:
    assert tuple(rows()) == IDS
    assert {name for name, cells in rows().items() if cells[0].endswith("⚑")} == FLAGGED


def test_a_line_says_the_rule_what_the_product_does_and_what_shows_it() -> None:
    for name, cells in rows().items():
        assert len(cells) == 4, name
        assert all(cells), name
        assert "::" in cells[3] or ".toml" in cells[3] or cells[3].startswith("–"), name


def test_every_test_and_scenario_that_the_page_names_exists() -> None:
    text = PAGE.read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)
    assert len(named) > 40
    for file, test in named:
        assert (ROOT / file).is_file(), file
        assert test in functions_of(ROOT / file), f"{file}::{test}"
    scenarios = re.findall(r"`(\w+\.toml)`", text)
    for scenario in scenarios:
        places = (SCENARIOS, ROOT / "dealer_assist" / "procedure" / "games")
        assert any((place / scenario).is_file() for place in places), scenario
    unknown = set(re.findall(r"`(tests/[^`]*\.[^`]*)`", text)) - {f"{file}::{test}" for file, test in named}
    assert not unknown


# -- the deal --------------------------------------------------------------------------------------------------------------


def opening(*seats: int, button: int, stack: int = 10_000) -> HandOpening:
    return HandOpening("hand", button, tuple([SeatStack(seat, stack) for seat in seats]))


def betting(
    house: str, game: str, *seats: int, button: int, limits: tuple[int, int] = (1, 2), ante: int = 0
) -> BettingState:
    """The betting of a hand as the table starts it by a house and a game."""
    start_of = opening(*seats, button=button)
    rules = Rules(load_house(house), load_game(game), Limits(limits[0], limits[1], ante=ante))
    return start(hand_setup(start_of, deal_order(start_of), rules))


def acted(state: BettingState, *kinds: str) -> tuple[BettingState, list[int]]:
    """After these actions of the seats whose turn it is; and which seats those were."""
    seats = []
    for kind in kinds:
        assert state.to_act is not None
        seats.append(state.to_act)
        state = act(state, Action(state.to_act, kind))  # type: ignore[arg-type]
    return state, seats


def test_two_cards_down_then_three_one_and_one_each_behind_a_burn() -> None:
    """S000-01, S000-02, S001-08, S004-14: and no burn before the hole cards."""
    steps = [(step.kind, step.street, step.count) for step in load_game("nlhe").plan()]
    assert steps == [
        ("deal", "preflop", 2),
        ("bet", "preflop", 0),
        ("burn", "flop", 1),
        ("board", "flop", 3),
        ("bet", "flop", 0),
        ("burn", "turn", 1),
        ("board", "turn", 1),
        ("bet", "turn", 0),
        ("burn", "river", 1),
        ("board", "river", 1),
        ("bet", "river", 0),
        ("show", "river", 0),
    ]


def test_the_deal_begins_left_of_the_button_and_ends_with_it() -> None:
    """S000-04, S004-06: the small blind has the first card."""
    assert deal_order(opening(1, 2, 3, 5, 7, 9, button=7)) == (9, 1, 2, 3, 5, 7)
    state = betting("seed", "nlhe", 1, 2, 3, 5, 7, 9, button=7)
    assert [(post.seat, post.kind) for post in state.setup.posts] == [(9, "small_blind"), (1, "big_blind")]


def test_heads_up_the_big_blind_has_the_first_card_and_the_button_the_last() -> None:
    """S002-04, S004-07; S004-06 is wrong for two players (TDA 34-B), in cash games too (WLA 157)."""
    assert deal_order(opening(3, 8, button=3)) == (8, 3)
    for house in ("seed", "wsop_cash", "tda2024"):
        state = betting(house, "nlhe", 3, 8, button=3)
        assert [(post.seat, post.kind) for post in state.setup.posts] == [
            (3, "small_blind"),
            (8, "big_blind"),
        ]
        state, preflop = acted(state, "call", "check")
        state, flop = acted(next_street(state), "check", "check")
        assert (preflop, flop) == ([3, 8], [8, 3])


def test_left_of_the_big_blind_acts_first_and_the_big_blind_last() -> None:
    """S000-06, S002-05, S003-03 (which names the seat left of it), AX6; later streets begin left of the button (S000-31)."""
    state = betting("seed", "nlhe", 1, 2, 3, 5, 7, 9, button=7)
    state, preflop = acted(state, *["call"] * 5, "check")
    assert preflop == [2, 3, 5, 7, 9, 1]
    state, flop = acted(next_street(state), *["check"] * 6)
    assert flop == [9, 1, 2, 3, 5, 7]


def test_only_the_big_blind_may_check_before_the_flop() -> None:
    """S003-03 lists a check for everybody."""
    state = betting("seed", "nlhe", 1, 2, 3, button=1)
    for seat in (1, 2):
        assert state.to_act == seat
        assert verify(state, Action(seat, "check")) == Refusal("no_check", {"call": 2 if seat == 1 else 1})
        state, _ = acted(state, "call")
    assert verify(state, Action(3, "check")) is None


@pytest.mark.parametrize(
    ("players", "stub"),
    [(10, (32, 28, 26, 24)), (9, (34, 30, 28, 26)), (2, (48, 44, 42, 40))],
)
def test_the_stub_after_each_street(players: int, stub: tuple[int, ...]) -> None:
    """T-ST."""
    left, found = len(STANDARD_52), []
    for step in load_game("nlhe").plan():
        left -= step.count * (players if step.kind == "deal" else 1)
        if step.kind == "bet":
            found.append(left)
    assert tuple(found) == stub


def test_how_many_players_a_deck_holds() -> None:
    """S004-02: 22 with burns, 23 without; the table takes 11 at most (10 in S000 and S002: AX4)."""
    plan = load_game("nlhe").plan()
    board = sum(step.count for step in plan if step.kind == "board")
    burns = sum(step.count for step in plan if step.kind == "burn")
    assert ((52 - board - burns) // 2, (52 - board) // 2) == (22, 23)
    assert load_game("nlhe").max_seats == load_house("seed").parameters.max_seats.value == 11


def test_one_pays_what_another_has_bet_and_nobody_raises_himself() -> None:
    """S004-08: the round is closed once all others have called or folded."""
    state = betting("seed", "nlhe", 1, 2, 3, button=1)
    state = act(state, Action(1, "raise", 6))
    state, _ = acted(state, "call", "fold")
    assert state.to_act is None


# -- limits ----------------------------------------------------------------------------------------------------------------


def most(state: BettingState) -> int:
    """Raise as long as anybody may; what a seat then has in front."""
    while True:
        found = legal(state)
        assert found is not None
        if not found.can_raise:
            return state.current_bet
        state = act(state, Action(state.to_act, "raise", found.max_to))  # type: ignore[arg-type]


@pytest.mark.parametrize(("house", "bets"), [("seed", 4), ("roberts", 4), ("wsop_cash", 5), ("tda2024", 4)])
def test_bets_of_a_limit_round_by_house(house: str, bets: int) -> None:
    """AX1: four raises and three are the same number once the opening bet counts; WLA 130 has one more."""
    parameters = load_house(house).parameters
    if house == "tda2024":
        bets = parameters.fl_max_bets.value
    state = betting(house, "flhe", 1, 2, 3, button=1, limits=(5, 10))
    assert most(state) == bets * 10


def test_uncapped_with_two_players_left_in_the_house_of_the_seeds() -> None:
    """S000-07, S004-09, AX2; WLA 131 only for rounds that begin with two."""
    for house, capped in (("seed", False), ("wsop_cash", True)):
        state, _ = acted(betting(house, "flhe", 1, 2, 3, button=1, limits=(50, 100)), "fold")
        for _ in range(8):
            found = legal(state)
            assert found is not None
            if not found.can_raise:
                break
            state = act(state, Action(state.to_act, "raise", found.max_to))  # type: ignore[arg-type]
        assert (state.current_bet == 500) is capped
        assert (state.current_bet == 900) is not capped


@pytest.mark.parametrize(("house", "first"), [("seed", 35), ("roberts", 35), ("wsop_cash", 40)])
def test_the_largest_opening_of_pot_limit_by_house(house: str, first: int) -> None:
    """AX3, T-PL5: the pot after the call; WLA 191 counts the small blind as a big one."""
    found = legal(betting(house, "plhe", 1, 2, 3, 4, button=1, limits=(5, 10)))
    assert found is not None
    assert found.max_to == first


def test_no_limit_has_no_number_of_raises() -> None:
    """S003-09, S004-09."""
    state = betting("seed", "nlhe", 1, 2, 3, button=1)
    for _ in range(12):
        found = legal(state)
        assert found is not None
        assert found.can_raise
        state = act(state, Action(state.to_act, "raise", found.min_to))  # type: ignore[arg-type]


# -- parameters and games --------------------------------------------------------------------------------------------------


def test_parameters_that_the_seeds_name() -> None:
    """Kept with their source; docs/seed_rules.md says which of them nothing applies yet."""
    named = {
        "exposed_misdeal_first_n": 1,  # E1
        "exposed_total_misdeal": 2,  # E3
        "first_button": "high_card",  # S004-03
        "buyin_min_limit": 10,  # S003-01
        "buyin_min_limit_of": "small_bet",
        "buyin_min_nl": 20,  # S000-17
        "buyin_max_nl": 100,
        "return_within_min": 90,  # S003-11
        "return_rule": "maximum",
        "new_player_posts": "post_or_wait",  # S000-13
        "missed_blinds": "one_and_a_half",  # S000-14
        "straddle": "under_the_gun",  # S001-05
        "rake_percent": 5.0,  # S003-12
        "rake_cap": 3.0,
        "rake_step": 0.25,
        "fl_max_bets": 4,  # AX1
        "fl_uncapped_headsup": "players_left",  # AX2
        "pl_round_small_blind": False,  # S000-33
    }
    parameters = load_house("seed").parameters
    for name, value in named.items():
        setting = getattr(parameters, name)
        assert (setting.value, setting.gap) == (value, False), name
        assert re.match(r"S00\d", setting.source), name


def test_parameters_that_nothing_applies_are_listed() -> None:
    """docs/houses.md, last section: a parameter that some code begins to read has to leave it."""
    modules = [path for path in (ROOT / "dealer_assist").rglob("*.py") if path.name != "house.py"]
    code = "\n".join(path.read_text(encoding="utf-8") for path in modules)
    applied = {name for name in Parameters.__struct_fields__ if re.search(rf"parameters\.{name}\b", code)}
    assert applied
    page = (ROOT / "docs" / "houses.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"`(\w+)`", page.split("## Written down, and applied by nothing yet")[1]))
    assert set(Parameters.__struct_fields__) - applied == listed


@pytest.mark.parametrize(
    ("game", "steps"),
    [
        ("irish", "deal 4, bet, burn 1, board 3, bet, discard 2, burn 1, board 1, bet, burn 1, board 1, bet"),
        ("double", "deal 3, bet, burn 1, board 3, point 1, bet, burn 1, board 1, bet, burn 1, board 1, bet"),
        ("flopmania", "deal 2, board 3, bet, burn 1, board 1, bet, burn 1, board 1, bet"),
        (
            "split",
            "deal 2, bet, burn 1, board 3, board2 3, bet, burn 1, board 1, board2 1, bet, burn 1, board 1, board2 1, bet",
        ),
        ("unfold", "deal 2, bet, burn 1, board 3, window 0, bet, burn 1, board 1, bet, burn 1, board 1, bet"),
    ],
)
def test_the_plan_of_the_other_games(game: str, steps: str) -> None:
    """S000-19 to S000-24."""
    plan = [
        f"{step.zone if step.kind == 'board' else step.kind}{'' if step.kind == 'bet' else f' {step.count}'}"
        for step in load_game(game).plan()
        if step.kind != "show"
    ]
    assert ", ".join(plan) == steps


def test_what_else_a_game_says_of_itself() -> None:
    """S000-18, S000-21, S000-23, S000-25."""
    short = load_game("short")
    assert len(short.faces) == 36
    assert short.posts == "antes_and_button_blind"
    assert load_game("flopmania").posts == "antes"
    assert load_game("showtime").folded == "face_up"
    assert len(load_game("power_up").events) == 9


# -- hands -----------------------------------------------------------------------------------------------------------------

BOARD: Final = ("2c", "7d", "9h", "Jc", "Ks")


def rank(cards: str) -> int:
    faces = cards.split()
    return hand_rank(faces[:2], faces[2:])


def test_kinds_of_hands_from_the_best_down() -> None:
    """S002-02, S004-11."""
    hands = [
        "As Ks Qs Js Ts",
        "9h 8h 7h 6h 5h",
        "8s 8d 8h 8c 2d",
        "3s 3d 3h 2c 2d",
        "2s 8s 9s Js Qs",
        "As 2d 3h 4c 5s",
        "2s 2d 2h 3c 4d",
        "3s 3d 2h 2c 4d",
        "2s 2d 3h 4c 5d",
        "2s 3d 4h 5c 7d",
    ]
    ranks = [rank(cards) for cards in hands]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) == len(hands)


def test_suits_have_no_rank() -> None:
    """S002-02, S004-03: a split, whatever the suits."""
    assert rank("As Ks Qs Js Ts") == rank("Ah Kh Qh Jh Th") == rank("Ac Kc Qc Jc Tc")
    assert hand_rank(("As", "Qd"), BOARD) == hand_rank(("Ah", "Qc"), BOARD)


def test_any_five_of_the_seven() -> None:
    """S000-12, S001-04, S003-05 (which leaves out the board alone), AX5: two, one or none of the hole cards."""
    board = ("As", "Ks", "Qs", "2d", "3d")
    both = hand_rank(("Js", "Ts"), board)
    assert both == rank("As Ks Qs Js Ts")
    one = hand_rank(("4s", "9h"), ("As", "Ks", "Qs", "2s", "3d"))
    assert one == rank("As Ks Qs 4s 2s")
    none = hand_rank(("2c", "3h"), ("As", "Ks", "Qs", "Js", "Ts"))
    assert none == rank("As Ks Qs Js Ts")


def test_a_kicker_counts_within_the_best_five_alone() -> None:
    """S001-12, S004-12: the sixth and the seventh card decide nothing."""
    board = ("Ks", "Kd", "Qh", "Jc", "9d")
    assert hand_rank(("Ac", "8c"), board) == hand_rank(("Ad", "2c"), board)
    assert hand_rank(("Ac", "8c"), board) < hand_rank(("8d", "2d"), board)
    assert hand_rank(("3c", "4c"), ("As", "Ad", "Kh", "Kc", "Qd")) == hand_rank(
        ("Jh", "5c"), ("As", "Ad", "Kh", "Kc", "Qd")
    )


@pytest.mark.parametrize(
    ("house", "trips_first"), [("seed", True), ("wsop_cash", False), ("roberts", None), ("tda2024", None)]
)
def test_short_deck_ranks_as_the_house_has_it(house: str, trips_first: bool | None) -> None:
    """S000-18 against WLA 369; a house that is silent takes the game's own."""
    game = load_game("short")
    rules = Rules(load_house(house), game, Limits(1, 2, ante=1))
    ranking = rules.ranking(game)
    trips = hand_rank(("9s", "9d"), ("9h", "Jc", "Kd", "6h", "7s"), ranking=ranking)
    straight = hand_rank(("Ts", "Jd"), ("Qh", "Kc", "As", "6h", "6s"), ranking=ranking)
    if trips_first is None:
        assert ranking == game.ranking
    else:
        assert (trips < straight) is trips_first


# -- figures ---------------------------------------------------------------------------------------------------------------

RANKS: Final = "23456789TJQKA"


def test_figures_of_the_starting_hands() -> None:
    """S002-12, S004-16: how many of the 1,326 starting hands are of each kind; the page says where a seed has another figure."""
    hands = list(combinations(STANDARD_52, 2))

    def count(ranks: str = RANKS, *, suited: bool | None = None, apart: int | None = None) -> int:
        return sum(
            (suited is None or (one[1] == other[1]) is suited)
            and (apart is None or abs(RANKS.index(one[0]) - RANKS.index(other[0])) in {apart, 13 - apart})
            and one[0] in ranks
            and other[0] in ranks
            for one, other in hands
        )

    def named(high: str, low: str, *, suited: bool) -> int:
        return sum(
            (one[1] == other[1]) is suited
            and {one[0], other[0]} & set(high) != set()
            and {one[0], other[0]} & set(low) != set()
            and one[0] != other[0]
            for one, other in hands
        )

    assert len(hands) == 1326
    assert len({(*sorted(one[0] + other[0]), one[1] == other[1]) for one, other in hands}) == 169
    pairs = sum(one[0] == other[0] for one, other in hands)
    assert pairs == 78
    assert count("A", apart=0) == 6
    assert count(suited=True) == 312
    assert count(suited=True, apart=1) == 13 * 4
    assert count(suited=False, apart=1) == 13 * 12
    assert named("A", "K", suited=True) == 4
    assert named("A", "K", suited=False) == 12
    assert named("A", "23456789T", suited=True) == 36
    assert named("A", "23456789T", suited=False) == 108
    assert round(100 * 36 / 1326, 2) == 2.71
    assert round(1326 / 36 - 1, 1) == 35.8
