"""Bugs that were reported in public about other engines, as cases: what is right here, by the number of PEERS 5.1.

A report that is about dealing, seating or ranking has its case here too where the pure parts can show it; which scenario plays the dealing
cases of 5.2 says the table at the end.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dealer_assist.betting import (
    Action,
    HandSetup,
    Pot,
    RakeSchedule,
    Refusal,
    blinds_and_antes,
    hand_rank,
    live,
    pots,
    round_complete,
    start,
    taken,
    verify,
)
from tests.betting.kit import options, play, settled, table

DEEP: Final = 100_000
SCENARIOS: Final = Path(__file__).parents[1] / "scenarios"


def test_1_short_all_in_after_a_full_one_does_not_reopen_for_the_caller() -> None:
    """PokerKit 45."""
    state = play(table(19, 1000, 16, 1000), "3 all_in", "4 call", "1 all_in", "2 call")
    assert (options(state).seat, options(state).call, options(state).can_raise) == (4, 3, False)
    assert verify(state, Action(4, "raise", 100)) == Refusal("not_reopened", {"call": 3})


@pytest.mark.parametrize("tabled", [(1, 2, 4, 6, 7), (1, 2, 6), (1, 2, 4, 6)])
def test_2_what_losers_table_changes_nothing_for_the_winners(tabled: tuple[int, ...]) -> None:
    """PokerKit 46: its 143 and 113 give both odd chips of two pots to one winner; each pot has its own (TDA 20-A, 21)."""
    stacks = (76, 181, 300, 117, 5, 66, 27)
    state = play(
        table(*stacks, blinds=(1, 2), ante=1),
        "3 raise 114",
        "4 raise 116",
        "5 fold",
        "6 call",
        "7 call",
        "1 call",
        "2 call",
        "3 fold",
    )
    ranks = {1: 1, 2: 5, 4: 7, 6: 1, 7: 9}
    outcome = settled(state, {seat: ranks[seat] for seat in tabled})
    assert [outcome.stacks[seat] - stack for seat, stack in enumerate(stacks, 1)] == [
        144,
        4,
        -115,
        -117,
        -1,
        112,
        -27,
    ]


def test_3_least_raise_is_not_cut_by_the_opponents_stack() -> None:
    """PokerKit 40: heads-up 10/20, 100, 180 with 20 behind: to 260, and the excess comes back."""
    state = play(table(200, 1000, blinds=(10, 20)), "2 raise 100", "1 raise 180")
    assert options(state).min_to == 260
    done = play(state, "2 raise 260", "1 call", "next")
    assert done.returned == ((2, 60),) and pots(done) == (Pot(400, (1, 2)),)


def test_7_all_in_player_stays_eligible_for_the_main_pot() -> None:
    """poker-ts 18: later streets are checked or bet by the others; who folds to the side bet has lost every pot."""
    state = play(table(100, 500, 500, posts=()), "1 all_in", "2 call", "3 call", "next", "2 check", "3 check")
    assert pots(state) == (Pot(300, (1, 2, 3)),)
    state = play(state, "next", "2 bet 200", "3 fold")
    assert settled(state, {1: 2, 2: 1}).awards == {2: 300}
    assert settled(state, {1: 1, 2: 2}).awards == {1: 300}
    assert live(state) == (1, 2)


def test_8_each_pot_is_judged_among_those_who_can_win_it() -> None:
    """rlcard 286: the best hand has the shortest stack; the side pot is the second best's, or is split."""
    state = play(table(100, 200, 300, 400, posts=()), "1 all_in", "2 all_in", "3 all_in", "4 call")
    assert [pot.amount for pot in pots(state)] == [400, 300, 200]
    assert settled(state, {1: 1, 2: 2, 3: 2, 4: 3}).awards == {1: 400, 2: 150, 3: 350}
    assert settled(state, {1: 4, 2: 2, 3: 3, 4: 3}).awards == {2: 700, 3: 100, 4: 100}


def test_10_odd_chips_go_one_each_from_the_buttons_left() -> None:
    """private_poker 20."""
    state = play(table(5, 5, 5, 5), "3 call", "4 call", "1 fold", "2 check")
    for _ in range(3):
        state = play(state, "next", "2 check", "3 check", "4 check")
    assert settled(state, {2: 1, 3: 1, 4: 1}).awards == {2: 3, 3: 2, 4: 2}


def test_11_a_flop_bet_of_two_is_raised_to_four() -> None:
    """pangea-poker 36."""
    flop = play(table(100, 100), "2 call", "1 check", "next", "1 bet 2")
    assert options(flop).min_to == 4


def test_13_raise_of_just_the_last_increment() -> None:
    """slumbot2019 28: 50/100, to 200, to 2179, to 4200."""
    state = play(table(DEEP, DEEP, blinds=(50, 100)), "2 raise 200", "1 raise 2179")
    assert options(state).min_to == 4158
    assert verify(state, Action(2, "raise", 4200)) is None
    assert verify(state, Action(2, "raise", 4157)) == Refusal("below_minimum", {"min_to": 4158})


def test_14_heads_up_the_button_has_the_small_blind() -> None:
    """PyPokerEngine 82, PokerKit 24: it acts first before the flop and last after it."""
    state = table(100, 100)
    assert (state.bets, state.to_act) == ((2, 1), 2)
    assert play(state, "2 call", "1 check", "next").to_act == 1


def test_17_big_blind_is_asked_when_the_small_blind_limps() -> None:
    """pokerwars 5."""
    state = play(table(100, 100, 100), "3 fold", "1 call")
    assert not round_complete(state)
    assert (options(state).seat, options(state).can_check, options(state).min_to) == (2, True, 4)


def test_20_pot_limit_opening_of_five_and_ten() -> None:
    """Bitcoin-Poker-Room 95: 35, not 25."""
    seats = (1, 2, 3, 4)
    setup = HandSetup(seats, 4, (DEEP,) * 4, blinds_and_antes(seats, 5, 10), 10, structure="pot_limit")
    assert options(start(setup)).max_to == 35


def test_21_no_rake_without_a_flop() -> None:
    """Bitcoin-Poker-Room 8."""
    schedule = RakeSchedule(1000, cap=600)
    assert taken(schedule, 5000, 6, flop_seen=False) == (0, ())
    assert taken(schedule, 5000, 6, flop_seen=True) == (500, ())


def test_24_overbet_goes_back_before_the_hand_is_settled_and_is_no_win() -> None:
    """PokerServer 7."""
    state = play(table(200, 900, blinds=(5, 10)), "2 raise 500", "1 all_in", "next", "next", "next")
    outcome = settled(state, {1: 1, 2: 2})
    assert outcome.returned == ((2, 300),)
    assert outcome.awards == {1: 400} and outcome.stacks == {1: 400, 2: 700}


@pytest.mark.parametrize("hole", [("As", "As"), ("Kd", "Qh")])
def test_26_the_same_card_twice_is_no_hand(hole: tuple[str, str]) -> None:
    """PiedPoker 4; on the table it is K1, and the hand is void (WLA 112)."""
    with pytest.raises(ValueError, match="twice"):
        hand_rank(hole, ("Kd", "2c", "7h", "9s", "Jd"))


def test_25_call_behind_a_short_all_in_has_an_amount() -> None:
    """PokerKit 25."""
    state = play(table(1000, 1000, 1000, 3), "3 call", "4 all_in", "1 call")
    assert (options(state).seat, options(state).call) == (2, 1)


def test_31_only_the_big_blind_is_posted_heads_up() -> None:
    """PokerKit 31: the button acts first all the same."""
    seats = (1, 2)
    posts = blinds_and_antes(seats, 0, 2)
    assert start(HandSetup(seats, 2, (100, 100), posts, 2)).to_act == 2


def test_35_last_hand_standing_by_folds_to_nothing_wins_every_pot() -> None:
    """PokerKit 35: folds that need not be; no chips are burned."""
    state = play(table(100, 200, 300, posts=()), "1 all_in", "2 call", "3 call", "next", "2 bet 50", "3 call")
    state = play(state, "next", "2 fold", "3 fold!")
    assert live(state) == (1,)
    assert settled(state).awards == {1: 400}


#: PEERS 5.1 → where it is a matter of dealing or seating, the file that shows it; 5.2 → the scenarios of each dealing case.
PLAYED: Final[dict[str, tuple[str, ...]]] = {
    "5.1 #5 cards of folded players come again": ("k1_same_card_twice", "k1_hand_and_board"),
    "5.1 #26 the same card twice": ("k1_reported", "k1_same_card_twice"),
    "WLA 104 misdeal list": (
        "x1_first_card_exposed",
        "d3_seat_skipped",
        "d9_two_extra_cards",
        "x4_two_cards_exposed",
    ),
    "WLA 105 substantial action": (
        "d2_found_after_action",
        "d6_too_few_after_action",
        "d12_found_after_action",
    ),
    "WLA 112 duplicate card voids": ("k1_same_card_twice", "k1_hand_and_board"),
    "WLA 118 extra card becomes the burn": ("d8_extra_card_first_seat", "d8_extra_card_other_seat"),
    "WLA 122 no burn": ("n1_no_burn_faced", "n1_no_burn_not_faced", "n3_no_burn_turn"),
    "WLA 164 double burn": ("n5_double_burn", "n6_double_burn_flop", "n6_double_burn_turn"),
    "WLA 165 burn found late": ("n2_no_burn_acted_on", "n4_no_burn_turn_acted_on", "n7_double_burn_acted_on"),
    "WLA 163 four-card flop": ("f1_four_cards_down", "f1_four_cards_up"),
    "WLA 166 premature flop": ("r1_early_flop",),
    "WLA 167 premature turn and river": ("r2_early_turn", "r3_early_river"),
    "WLA 149 last formed pot first": ("clean_side_pots", "i10_side_pot_to_short_stack"),
    "WLA 150 short big blind": ("d13_short_blind_near",),
    "WLA 161/170 straddle": ("clean_ante_straddle_free", "straddle_under_the_gun", "straddle_button"),
}


@pytest.mark.parametrize("case", PLAYED)
def test_dealing_cases_of_the_rule_book_are_played(case: str) -> None:
    assert [name for name in PLAYED[case] if not (SCENARIOS / f"{name}.toml").is_file()] == []
