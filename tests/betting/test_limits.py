"""Pot limit and fixed limit: amounts, short all-ins, and the bets a round may have."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from dealer_assist.betting import (
    Action,
    BadSetup,
    BettingState,
    HandSetup,
    Post,
    Refusal,
    blinds_and_antes,
    forced_bets,
    start,
    verify,
)
from dealer_assist.domain.table import Limits
from tests.betting.kit import options, play

DEEP = 10_000


def hand(structure: str, *stacks: int, blinds: tuple[int, int] = (1, 2), **more: Any) -> BettingState:
    """A hand of seats 1, 2, … the last of which has the button."""
    seats = tuple(range(1, len(stacks) + 1))
    posts = more.pop("posts", blinds_and_antes(seats, *blinds))
    return start(HandSetup(seats, seats[-1], stacks, posts, blinds[1], structure=structure, **more))  # type: ignore[arg-type]


def pot_of(structure: str, dead: int, seats: int = 3, **more: Any) -> BettingState:
    """A round without blinds, ``dead`` chips in the pot."""
    return hand(structure, *[DEEP] * seats, posts=(Post(1, dead, "dead"),), **more)


# --- pot limit ---


def test_pot_bet_of_five_into_ten() -> None:
    """T-PL1: at least to 10, at most to 25 (the seed's 20 is what the raise adds)."""
    state = play(pot_of("pot_limit", 10, blinds=(1, 2)), "1 bet 5")
    assert (options(state).min_to, options(state).max_to) == (10, 25)
    assert verify(state, Action(2, "raise", 26)) == Refusal("above_maximum", {"max_to": 25})
    assert verify(state, Action(2, "all_in")) == Refusal("above_maximum", {"max_to": 25})


def test_pot_after_two_raises_for_each_position() -> None:
    """T-PL2: blinds 1 and 2, 4 and 4 in: 19 for a new player, 18 from the small blind, 17 from the big one."""
    state = play(hand("pot_limit", *[DEEP] * 5), "3 raise 4", "4 call")
    assert options(state).max_to == 19
    assert options(play(state, "5 fold")).max_to == 18
    assert options(play(state, "5 fold", "1 fold")).max_to == 17


def test_pot_bet_of_fifty_into_a_hundred() -> None:
    """T-PL3."""
    assert options(play(pot_of("pot_limit", 100), "1 bet 50")).max_to == 250


@pytest.mark.parametrize("case", ["full", "dead small blind", "short big blind"])
def test_pot_counts_short_and_dead_blinds_in_full(case: str) -> None:
    """T-PL4, TDA 54-B: at 100/200 the first seat may make it 700 whatever of the blinds is there."""
    stacks = [DEEP] * 4
    posts = [Post(1, 100, "small_blind"), Post(2, 200, "big_blind")]
    if case == "dead small blind":
        posts = posts[1:]
    if case == "short big blind":
        stacks[1] = 100
    state = hand("pot_limit", *stacks, blinds=(100, 200), posts=tuple(posts))
    assert (options(state).max_to, options(state).pot_to) == (700, 700)
    assert options(state).pot == {"full": 300, "dead small blind": 200, "short big blind": 200}[case]


def test_pot_counts_the_named_small_blind_when_it_is_dead() -> None:
    state = hand("pot_limit", *[DEEP] * 4, blinds=(1, 5), posts=(Post(2, 5, "big_blind"),), small_blind=1)
    assert options(state).max_to == 5 + 6 + 5


def test_flop_pot_is_what_is_there() -> None:
    state = hand("pot_limit", *[DEEP] * 4, blinds=(100, 200), posts=(Post(2, 200, "big_blind"),))
    state = play(state, "3 call", "4 fold", "1 fold", "2 check", "next")
    assert options(state).max_to == 400


def test_short_button_blind_counts_in_full() -> None:
    """Antes 3 x 1; the button has 2 of a blind of 4: 4 + 7 + 4."""
    posts = forced_bets("antes_and_button_blind", (1, 2, 3), Limits(0, 4, 1))
    state = hand("pot_limit", DEEP, DEEP, 3, blinds=(0, 4), posts=posts)
    assert (options(state).pot, options(state).max_to) == (5, 15)


def test_small_blind_rounded_up() -> None:
    """T-PL5, WLA 191: at 5/10 an opening raise of 40; 35 without the rounding; the small blind that called is counted once."""
    rounded = hand("pot_limit", *[DEEP] * 4, blinds=(5, 10), round_small_blind=True)
    assert options(rounded).max_to == 40
    assert options(hand("pot_limit", *[DEEP] * 4, blinds=(5, 10))).max_to == 35
    assert options(play(rounded, "3 fold", "4 fold", "1 call")).max_to == 10 + 20


def test_antes_alone_are_no_missing_blinds() -> None:
    seats = (1, 2, 3)
    state = hand("pot_limit", *[DEEP] * 3, posts=forced_bets("antes", seats, Limits(1, 2, 5)))
    assert (options(state).min_to, options(state).max_to) == (2, 15)


def test_least_bet_may_be_more_than_the_pot() -> None:
    state = hand("pot_limit", *[DEEP] * 3, blinds=(5, 10), posts=(Post(1, 3, "ante"),))
    assert (options(state).min_to, options(state).max_to) == (10, 10)


def test_whole_stack_below_the_pot() -> None:
    state = hand("pot_limit", DEEP, DEEP, 5, DEEP)
    assert options(state).max_to == 5
    done = play(state, "3 all_in")
    assert options(done).min_to == 8
    assert options(done).max_to == 5 + 8 + 5


# --- fixed limit ---


def cap(state: BettingState) -> int:
    """Raise until no one may, and say how much one seat then has in front."""
    while options(state).can_raise:
        assert options(state).min_to == options(state).max_to
        state = play(state, f"{state.to_act} raise {options(state).min_to}")
    assert state.to_act is not None
    refused = verify(state, Action(state.to_act, "raise", state.current_bet + 100))
    assert refused == Refusal("cap_reached", {"max_bets": state.setup.max_bets})
    top = state.current_bet
    while state.to_act is not None:
        state = play(state, f"{state.to_act} call")
    return top


@pytest.mark.parametrize(
    ("blinds", "bets", "caps"),
    [
        ((50, 100), (100, 100, 200, 200), (400, 400, 800, 800)),  # T-FL1: $1/$2 with blinds of $.50 and $1
        ((1, 2), (2, 2, 4, 4), (8, 8, 16, 16)),  # T-FL2
        ((1, 3), (3, 3, 6, 6), (12, 12, 24, 24)),  # T-FL3
        ((5, 10), (10, 10, 20, 20), (40, 40, 80, 80)),  # T-FL4
    ],
)
def test_bets_and_caps_of_each_street(
    blinds: tuple[int, int], bets: tuple[int, ...], caps: tuple[int, ...]
) -> None:
    state = hand("fixed_limit", DEEP, DEEP, DEEP, blinds=blinds)
    for street in range(4):
        if street:
            assert options(state).min_to == options(state).max_to == bets[street]
        assert cap(state) == caps[street]
        while state.to_act is not None:
            state = play(state, f"{state.to_act} {'check' if options(state).can_check else 'call'}")
        if street < 3:
            state = play(state, "next")


def test_other_sizes_and_another_cap() -> None:
    """WLA 130: a bet and four raises; a big bet that is not twice the small one."""
    state = hand("fixed_limit", DEEP, DEEP, DEEP, small_bet=2, big_bet=5, max_bets=5)
    assert cap(state) == 10
    state = play(state, "3 call", "1 call", "2 check", "next", "1 check", "2 check", "3 check", "next")
    assert options(state).min_to == 5
    assert cap(state) == 25


def test_one_amount_and_no_other() -> None:
    state = hand("fixed_limit", DEEP, DEEP, DEEP)
    assert verify(state, Action(3, "raise", 3)) == Refusal("below_minimum", {"min_to": 4})
    assert verify(state, Action(3, "raise", 5)) == Refusal("above_maximum", {"max_to": 4})
    assert verify(state, Action(3, "all_in")) == Refusal("above_maximum", {"max_to": 4})


def test_straddle_is_no_bet_of_the_cap() -> None:
    """WLA 130: straddle to 4, then 6, 8, 10, and no more."""
    posts = (Post(1, 1, "small_blind"), Post(2, 2, "big_blind"), Post(3, 4, "straddle"))
    assert cap(hand("fixed_limit", *[DEEP] * 5, posts=posts, straddle_raise="whole")) == 10


@pytest.mark.parametrize(
    ("rule", "preflop", "flop"),
    [("never", True, True), ("players_left", False, False), ("round_starts", True, False)],
)
def test_cap_of_two_players(rule: str, preflop: bool, flop: bool) -> None:
    """S000-07, TDA 48, WLA 131: seat 3 folds before the flop, and the other two go on raising."""
    state = hand("fixed_limit", DEEP, DEEP, DEEP, uncapped_headsup=rule)
    state = play(state, "3 fold", "1 raise 4", "2 raise 6", "1 raise 8")
    assert options(state).can_raise != preflop
    state = play(state, "2 call", "next", "1 bet 2", "2 raise 4", "1 raise 6", "2 raise 8")
    assert options(state).can_raise != flop


def test_hand_that_begins_with_two_is_heads_up_from_the_start() -> None:
    state = play(
        hand("fixed_limit", DEEP, DEEP, uncapped_headsup="round_starts"),
        "2 raise 4",
        "1 raise 6",
        "2 raise 8",
    )
    assert options(state).min_to == 10


@pytest.mark.parametrize(
    ("stack", "least", "reopened"), [(9, 20, False), (10, 30, True), (15, 35, True), (19, 39, True)]
)
def test_short_all_in_bet_of_half_or_more_counts(stack: int, least: int, reopened: bool) -> None:
    """RROP: on a 20 round, an all-in of 15 is raised to 35; one of 9 is completed to 20."""
    state = hand("fixed_limit", DEEP, stack, DEEP, blinds=(10, 20), posts=())
    state = play(state, "1 check", "2 all_in")
    assert options(state).min_to == options(state).max_to == least
    assert state.bets_made == int(reopened)
    state = play(state, "3 call")
    assert options(state).can_raise == reopened
    if not reopened:
        assert verify(state, Action(1, "raise", 20)) == Refusal("not_reopened", {"call": stack})


def test_short_all_in_raise_is_completed_by_whoever_has_not_acted() -> None:
    """Bet 20, all-in 25: a third seat completes to 40, which reopens; the bettor who faces 5 may only call."""
    state = play(hand("fixed_limit", DEEP, 25, DEEP, blinds=(10, 20), posts=()), "1 bet 20", "2 all_in")
    assert options(state).min_to == options(state).max_to == 40
    assert not options(play(state, "3 call")).can_raise
    state = play(state, "3 raise 40")
    assert state.bets_made == 2
    assert options(state).min_to == 60


def test_only_a_whole_bet_counts_by_the_house() -> None:
    state = hand("fixed_limit", DEEP, 19, DEEP, blinds=(10, 20), posts=(), half_raise=False)
    state = play(state, "1 check", "2 all_in")
    assert options(state).min_to == 20
    assert not options(play(state, "3 call")).can_raise
    state = hand("fixed_limit", DEEP, 20, DEEP, blinds=(10, 20), posts=(), half_raise=False)
    state = play(state, "1 check", "2 all_in", "3 call")
    assert options(state).min_to == 40


def test_several_short_all_ins_add_up() -> None:
    """TDA 47 in limit: 20, then 25 and 31 all-in: together half a bet over the 20."""
    state = hand("fixed_limit", DEEP, 25, DEEP, 31, DEEP, blinds=(10, 20), posts=())
    state = play(state, "1 bet 20", "2 all_in", "3 call", "4 all_in", "5 call")
    assert options(state).can_raise and options(state).min_to == 51
    assert not options(play(state, "1 call")).can_raise


def test_all_in_that_does_not_reach_the_one_raise_is_legal() -> None:
    state = hand("fixed_limit", DEEP, DEEP, 3, DEEP)
    assert options(state).min_to == options(state).max_to == 3
    assert replace(play(state, "3 all_in"), log=()) == replace(play(state, "3 raise 3"), log=())


def test_one_bet_a_round() -> None:
    """The big blind is it; on the flop one bet, and no raise."""
    state = hand("fixed_limit", DEEP, DEEP, blinds=(1, 1), max_bets=1)
    assert not options(state).can_raise
    state = play(state, "2 check", "1 check", "next", "1 bet 1")
    assert verify(state, Action(2, "raise", 2)) == Refusal("cap_reached", {"max_bets": 1})


def test_cap_holds_for_a_stack_that_has_more_than_the_call() -> None:
    state = hand("fixed_limit", DEEP, DEEP, DEEP, 9)
    state = play(state, "3 raise 4", "4 call", "1 raise 6", "2 raise 8", "3 call")
    assert options(state).call == 4
    assert verify(state, Action(4, "all_in")) == Refusal("cap_reached", {"max_bets": 4})
    assert verify(play(state, "4 call"), Action(1, "raise", 10)) == Refusal("cap_reached", {"max_bets": 4})


@pytest.mark.parametrize(
    "wrong", [{"max_bets": 0}, {"small_bet": -1}, {"big_bet": -1}, {"small_blind": -1}, {"first_street": 4}]
)
def test_limits_that_cannot_be(wrong: dict[str, int]) -> None:
    with pytest.raises(BadSetup):
        hand("fixed_limit", DEEP, DEEP, **wrong)


# --- posts of other games, and hands that begin on the flop ---


def test_posts_for_each_kind() -> None:
    order = (4, 7, 2)
    assert forced_bets("blinds", order, Limits(1, 2, 0)) == blinds_and_antes(order, 1, 2)
    assert forced_bets("blinds", order, Limits(1, 2, 1)) == blinds_and_antes(order, 1, 2, 1)
    assert forced_bets("antes", order, Limits(1, 2, 3)) == tuple(Post(seat, 3, "ante") for seat in order)
    assert forced_bets("antes_and_button_blind", order, Limits(1, 2, 1)) == (
        *(Post(seat, 1, "ante") for seat in order),
        Post(2, 2, "button_blind"),
    )
    assert forced_bets("unfold", order, Limits(3, 6, 2)) == (
        *blinds_and_antes(order, 3, 6),
        *(Post(seat, 2, "unfold_ante") for seat in order),
    )
    assert forced_bets("unfold", order, Limits(3, 6, 0)) == blinds_and_antes(order, 3, 6)


def test_short_deck_begins_left_of_the_button_and_ends_with_it() -> None:
    """S000-18."""
    posts = forced_bets("antes_and_button_blind", (1, 2, 3), Limits(0, 400, 200))
    state = hand("no_limit", *[DEEP] * 3, blinds=(0, 400), posts=posts)
    assert (state.to_act, state.current_bet, sum(state.contributed)) == (1, 400, 1000)
    assert options(state).min_to == 800
    state = play(state, "1 call", "2 call")
    assert (state.to_act, options(state).can_check, options(state).can_raise) == (3, True, True)
    assert play(state, "3 check", "next").to_act == 1


def test_short_button_blind_does_not_lower_the_bet() -> None:
    posts = forced_bets("antes_and_button_blind", (1, 2, 3), Limits(0, 400, 200))
    state = hand("no_limit", DEEP, DEEP, 300, blinds=(0, 400), posts=posts)
    assert options(state).call == 400


@pytest.mark.parametrize(("structure", "most"), [("no_limit", 9_995), ("pot_limit", 20), ("fixed_limit", 2)])
def test_hand_without_betting_before_the_flop(structure: str, most: int) -> None:
    """Flopmania, bomb pot: the first seat left of the button begins, on the flop, with the least bet of the table."""
    seats = (1, 2, 3, 4)
    posts = forced_bets("antes", seats, Limits(1, 2, 5))
    state = hand(structure, DEEP, DEEP, DEEP, DEEP, posts=posts, first_street=1)
    assert (state.street, state.to_act, options(state).min_to, options(state).max_to) == (1, 1, 2, most)
    assert options(state).is_bet
    state = play(state, "1 check", "2 bet 2", "3 fold", "4 call", "1 fold")
    assert state.actions_on(0) == ()
    assert [taken.seat for taken in state.actions_on(1)] == [1, 2, 3, 4, 1]
    state = play(state, "next")
    assert state.street == 2 and state.to_act == 2
    if structure == "fixed_limit":
        assert options(state).min_to == options(state).max_to == 4


def test_first_limit_bet_on_the_flop_is_the_small_bet() -> None:
    state = hand(
        "fixed_limit",
        DEEP,
        DEEP,
        posts=forced_bets("antes", (1, 2), Limits(1, 2, 5)),
        small_bet=3,
        first_street=1,
    )
    assert options(state).min_to == 3


def test_live_posts_of_a_hand_that_begins_on_the_flop_are_in_the_pot() -> None:
    state = hand("no_limit", *[DEEP] * 3, first_street=1)
    assert (state.bets, state.current_bet, sum(state.contributed)) == ((0, 0, 0), 0, 3)
    assert options(state).can_check


def test_straddle_of_the_first_seat_begins_left_of_it() -> None:
    posts = (Post(1, 1, "small_blind"), Post(2, 2, "big_blind"), Post(1, 4, "straddle"))
    assert hand("no_limit", *[DEEP] * 4, posts=posts).to_act == 2


def test_seat_without_chips_after_its_ante_is_passed_over() -> None:
    posts = forced_bets("antes", (1, 2, 3), Limits(1, 2, 5))
    assert hand("no_limit", 5, DEEP, DEEP, posts=posts, first_street=1).to_act == 2
