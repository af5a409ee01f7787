"""Least raises (TDA 43) and when a short all-in reopens the betting (TDA 47)."""

from __future__ import annotations

from dealer_assist.betting import Action, Post, Refusal, round_complete, verify
from tests.betting.kit import options, play, table

DEEP = 100_000


def test_first_raise_is_at_least_the_big_blind() -> None:
    """T-NL1."""
    state = table(100, 100, 100)
    assert verify(state, Action(3, "raise", 3)) == Refusal("below_minimum", {"min_to": 4})
    assert verify(state, Action(3, "raise", 4)) is None


def test_next_raise_is_at_least_the_last_one() -> None:
    """T-NL2: bet 600, raise to 1600, raise to 3600."""
    flop = play(table(*[DEEP] * 3, blinds=(50, 100)), "3 call", "1 call", "2 check", "next")
    assert options(play(flop, "1 bet 600", "2 raise 1600", "3 raise 3600")).min_to == 5600


def test_short_all_in_over_the_blind_leaves_the_least_raise() -> None:
    """T-NL3: big blind 100, all-in 150."""
    state = play(table(DEEP, DEEP, 150, DEEP, blinds=(50, 100)), "3 all_in")
    assert options(state).call == 150
    assert options(state).min_to == 250


def test_the_largest_raise_of_the_round_sets_the_least() -> None:
    """T-NL4: 25/50, raises to 125, 200, 500; and one raise to 500."""
    state = table(*[DEEP] * 6, blinds=(25, 50))
    assert options(play(state, "3 raise 125", "4 raise 200", "5 raise 500")).min_to == 800
    assert options(play(state, "3 raise 500")).min_to == 950


def test_two_short_all_ins_reopen_for_whom_they_make_a_full_raise() -> None:
    """T-NL5, TDA 47 example 1."""
    stacks = (DEEP, 125, DEEP, 200, DEEP)
    state = play(
        table(*stacks, blinds=(25, 50), posts=()),
        "1 bet 100",
        "2 all_in",
        "3 call",
        "4 all_in",
        "5 call",
    )
    assert options(state).call == 100 and options(state).can_raise
    called = play(state, "1 call")
    assert called.to_act == 3
    assert options(called).call == 75 and not options(called).can_raise
    assert verify(called, Action(3, "raise", 400)) == Refusal("not_reopened", {"call": 75})
    assert verify(called, Action(3, "all_in")) == Refusal("not_reopened", {"call": 75})
    raised = play(state, "1 raise 300")
    assert raised.to_act == 3
    assert options(raised).can_raise


def test_limper_behind_a_short_all_in_may_not_raise() -> None:
    """T-NL6, PEERS D2: 2k/4k, limp, all-in 7,500, the big blind calls."""
    state = play(table(DEEP, DEEP, DEEP, 7500, blinds=(2000, 4000)), "3 call", "4 all_in", "1 fold")
    assert state.to_act == 2
    assert options(state).min_to == 11_500
    state = play(state, "2 call")
    assert state.to_act == 3
    assert options(state).call == 3500
    assert not options(state).can_raise and options(state).min_to is None and options(state).max_to is None


def test_checker_behind_a_short_all_in_bet_may_not_raise() -> None:
    """PEERS D3: check, all-in 20 where 50 is the least bet, call."""
    state = table(DEEP, 20, DEEP, blinds=(25, 50), posts=())
    state = play(state, "1 check", "2 all_in", "3 call")
    assert state.to_act == 1
    assert options(state).call == 20 and not options(state).can_raise


def test_whoever_has_not_acted_may_raise_a_short_all_in() -> None:
    state = play(table(DEEP, 20, DEEP, blinds=(25, 50), posts=()), "1 check", "2 all_in")
    assert options(state).can_raise
    assert options(state).min_to == 70


def test_three_short_all_ins_reopen_for_the_first_raiser() -> None:
    """PEERS D4: raise to 100, all-in 125, all-in 160, call, small blind folds, big blind all-in 200."""
    stacks = (DEEP, 200, DEEP, 125, 160, DEEP)
    state = play(
        table(*stacks, blinds=(25, 50)),
        "3 raise 100",
        "4 all_in",
        "5 all_in",
        "6 call",
        "1 fold",
        "2 all_in",
    )
    assert state.to_act == 3
    assert options(state).call == 100
    assert options(state).can_raise and options(state).min_to == 250
    assert not options(play(state, "3 call")).can_raise, "seat 6 faces 40 of 50"


def test_full_all_in_then_short_one_does_not_reopen_for_the_caller() -> None:
    """A public report: 1/2, all-in 16 (full), the button calls, small blind all-in 19, big blind calls."""
    state = play(table(19, 1000, 16, 1000), "3 all_in", "4 call", "1 all_in", "2 call")
    assert state.to_act == 4
    assert options(state).call == 3 and not options(state).can_raise


def test_least_raise_is_not_cut_by_what_the_opponent_has() -> None:
    """A public report: heads-up 10/20, raise to 100, re-raise to 180 with 20 behind."""
    state = play(table(200, 1000, blinds=(10, 20)), "2 raise 100", "1 raise 180")
    assert options(state).min_to == 260
    state = play(state, "2 raise 260", "1 call")
    assert round_complete(state)
    assert play(state, "next").returned == ((2, 60),)


def test_flop_bet_of_the_big_blind_doubles() -> None:
    """A public report: flop bet 2, least raise to 4."""
    flop = play(table(100, 100), "2 call", "1 check", "next")
    assert options(play(flop, "1 bet 2")).min_to == 4


def test_raise_of_just_the_last_increment_is_legal() -> None:
    """A public report: 50/100, to 200… to 2179 and 4200: the least is 4158."""
    state = play(table(DEEP, DEEP, blinds=(50, 100)), "2 raise 200", "1 raise 2179")
    assert options(state).min_to == 4158
    assert verify(state, Action(2, "raise", 4200)) is None


def test_called_underraise_keeps_the_raiser_out_until_a_full_raise() -> None:
    """100, all-in 125: the caller between may raise to 225, which reopens for the first."""
    state = play(table(DEEP, DEEP, DEEP, 125, DEEP, blinds=(25, 50)), "3 raise 100", "4 all_in", "5 fold")
    assert options(state).min_to == 175, "the raise before was 50"
    state = play(state, "1 raise 175", "2 fold")
    assert options(state).can_raise and options(state).min_to == 225


def test_big_blind_keeps_the_option_over_a_short_all_in() -> None:
    state = play(table(100, 100, 3), "3 all_in", "1 call")
    assert state.to_act == 2
    assert options(state).call == 1
    assert options(state).can_raise and options(state).min_to == 5


def test_nobody_is_left_to_raise_when_all_others_are_all_in() -> None:
    state = play(table(100, 100, 30), "3 all_in", "1 fold")
    assert not options(state).can_raise
    assert verify(state, Action(2, "raise", 60)) == Refusal("nobody_to_raise")
    called = play(state, "2 all_in")
    assert called.log[-1].kind == "call" and called.log[-1].to == 30
    assert called.stacks == (99, 70, 0)


def test_one_cannot_raise_oneself() -> None:
    state = play(table(100, 100, 100), "3 raise 6", "1 call", "2 call")
    assert round_complete(state)


def test_pot_sized_raise_counts_the_call() -> None:
    """T-PL1 as the field has it, T-PL2: pot 10, bet 5, to 25; 1+2+4+4, to 19, from the small blind 18, from the big 17."""
    posts = tuple(Post(seat, 5, "ante") for seat in (1, 2))
    state = play(table(DEEP, DEEP, posts=posts, blinds=(1, 2)), "1 bet 5")
    assert options(state).pot_to == 25
    state = play(table(*[DEEP] * 6), "3 raise 4", "4 call")
    assert options(state).pot_to == 19
    state = play(state, "5 fold", "6 fold")
    assert options(state).pot_to == 18
    state = play(state, "1 fold")
    assert options(state).pot_to == 17
    assert options(state).half_pot_to == 4 + (11 + 2) // 2
    assert options(state).third_pot_to == 4 + (11 + 2) // 3
    assert options(state).three_quarter_pot_to == 4 + 3 * (11 + 2) // 4


def test_pot_sized_raise_stays_within_the_limits() -> None:
    assert options(table(100, 100, 5)).pot_to == 5
    state = play(table(100, 100, posts=()), "1 bet 50")
    assert options(state).half_pot_to == 100, "half the pot would be less than a raise"
    assert options(state).third_pot_to is None, "and a third even less: none is told"
