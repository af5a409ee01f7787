"""Straddles: who may, for how much, who acts first, and what a house without them says."""

from __future__ import annotations

import pytest

from dealer_assist.betting import (
    HandSetup,
    Post,
    Refusal,
    blinds_and_antes,
    pending,
    start,
    straddle_offers,
    with_straddle,
)
from tests.betting.kit import options, play

SIX = (1, 2, 3, 4, 5, 6)


def hand(rule: str = "under_the_gun_or_button", seats: tuple[int, ...] = SIX, **more: object) -> HandSetup:
    """Blinds 1 and 2, 100 chips each, the button at the last seat."""
    fields = {
        "seats": seats,
        "button": seats[-1],
        "stacks": (100,) * len(seats),
        "posts": blinds_and_antes(seats, 1, 2),
        "big_blind": 2,
        "straddle": rule,
        **more,
    }
    return HandSetup(**fields)  # type: ignore[arg-type]


def straddled(setup: HandSetup, *straddles: tuple[int, int]) -> HandSetup:
    for seat, amount in straddles:
        after = with_straddle(setup, seat, amount)
        assert isinstance(after, HandSetup), after
        setup = after
    return setup


def who(setup: HandSetup) -> dict[int, int]:
    """Seat → least amount, of the seats that may straddle now."""
    return {offer.seat: offer.least for offer in straddle_offers(setup)}


def test_only_the_seats_that_the_house_names_may_straddle() -> None:
    assert who(hand("none")) == {}
    assert who(hand("under_the_gun")) == {3: 4}
    assert who(hand("under_the_gun_or_button")) == {3: 4, 6: 4}
    assert who(hand("any_seat")) == dict.fromkeys(SIX, 4)


@pytest.mark.parametrize(
    ("setup", "seat", "amount", "refusal"),
    [
        (hand("none"), 3, 4, Refusal("no_straddles")),
        (hand("under_the_gun"), 6, 4, Refusal("straddle_not_from_here", {"seat": 6})),
        (hand("under_the_gun"), 4, 0, Refusal("straddle_not_from_here", {"seat": 4})),
        (hand(), 3, 5, Refusal("straddle_is", {"amount": 4})),
        (hand(), 6, 3, Refusal("straddle_is", {"amount": 4})),
        (hand("any_seat"), 5, 3, Refusal("straddle_at_least", {"amount": 4})),
        (hand("any_seat"), 5, 101, Refusal("straddle_above_stack", {"amount": 101, "stack": 100})),
        (
            hand(stacks=(100, 100, 3, 100, 100, 100)),
            3,
            0,
            Refusal("straddle_above_stack", {"amount": 4, "stack": 3}),
        ),
        (
            hand(posts=tuple(Post(seat, 2, "ante") for seat in SIX)),
            3,
            4,
            Refusal("no_blinds_to_straddle"),
        ),
        (hand(first_street=1), 3, 4, Refusal("no_blinds_to_straddle")),
        (hand(structure="fixed_limit"), 6, 4, Refusal("straddle_not_from_here", {"seat": 6})),
        (hand(button=11), 6, 4, Refusal("straddle_not_from_here", {"seat": 6})),
    ],
)
def test_refused_with_the_reason(setup: HandSetup, seat: int, amount: int, refusal: Refusal) -> None:
    """The last two: no button straddle in limit games (WSOP live action), none of a dead button."""
    assert with_straddle(setup, seat, amount) == refusal


def test_under_the_gun_straddle_acts_last_and_the_seat_left_of_it_first() -> None:
    """S001-05."""
    state = start(straddled(hand(), (3, 0)))
    assert state.bets == (1, 2, 4, 0, 0, 0)
    assert pending(state) == (4, 5, 6, 1, 2, 3)
    assert options(state).call == 4
    assert options(play(state, "4 fold", "5 fold", "6 fold", "1 fold", "2 call")).can_check


def test_behind_the_buttons_straddle_the_small_blind_opens_and_the_button_is_last() -> None:
    """WLA 22."""
    state = start(straddled(hand(), (6, 4)))
    assert pending(state) == (1, 2, 3, 4, 5, 6)
    assert options(state).call == 3


def test_mississippi_straddle_begins_left_of_it_and_may_be_more_than_twice() -> None:
    state = start(straddled(hand("any_seat"), (5, 7)))
    assert pending(state) == (6, 1, 2, 3, 4, 5)
    assert (options(state).call, options(state).min_to) == (7, 12)
    whole = start(straddled(hand("any_seat", straddle_raise="whole"), (5, 7)))
    assert options(whole).min_to == 14


def test_a_blind_may_straddle_where_any_seat_may() -> None:
    """The amount is the seat's total: 3 more over the small blind of 1."""
    setup = straddled(hand("any_seat"), (1, 4))
    assert setup.posts[-1] == Post(1, 3, "straddle")
    assert pending(start(setup)) == (2, 3, 4, 5, 6, 1)


def test_one_straddle_is_all_where_the_house_knows_no_second() -> None:
    setup = straddled(hand("under_the_gun"), (3, 4))
    assert with_straddle(setup, 4, 8) == Refusal("straddle_stands", {"by": 3})
    assert who(setup) == {}
    assert with_straddle(straddled(hand("any_seat"), (5, 6)), 4, 12) == Refusal("straddle_stands", {"by": 5})


def test_the_buttons_straddle_comes_first() -> None:
    """WLA 22: it takes off the one under the gun; that one cannot be put on top of it."""
    setup = straddled(hand(), (3, 4))
    assert who(setup) == {6: 4}
    setup = straddled(setup, (6, 0))
    assert [post.seat for post in setup.posts if post.kind == "straddle"] == [6]
    assert start(setup).stacks == (99, 98, 100, 100, 100, 96)
    assert with_straddle(setup, 3, 0) == Refusal("straddle_stands", {"by": 6})


def test_restraddles_go_on_to_the_left_each_twice_the_one_before() -> None:
    setup = straddled(hand("under_the_gun", restraddle=True), (3, 4))
    assert who(setup) == {4: 8}
    setup = straddled(setup, (4, 0), (5, 0), (6, 32))
    assert [post.amount for post in setup.posts if post.kind == "straddle"] == [4, 8, 16, 32]
    assert who(setup) == {}, "the chain ends before the blinds"
    assert pending(start(setup)) == (1, 2, 3, 4, 5, 6)


def test_the_first_seat_may_straddle_the_buttons_straddle_where_that_is_known() -> None:
    setup = straddled(hand(restraddle=True), (6, 4))
    assert who(setup) == {3: 8}
    state = start(straddled(setup, (3, 0)))
    assert pending(state) == (4, 5, 6, 1, 2, 3)
    assert options(state).min_to == 12


def test_the_button_may_straddle_a_chain_where_that_is_known() -> None:
    setup = straddled(hand(restraddle=True), (3, 4))
    assert who(setup) == {4: 8, 6: 8}
    assert pending(start(straddled(setup, (6, 8)))) == (1, 2, 3, 4, 5, 6)


def test_heads_up_the_button_straddles_and_the_big_blind_opens() -> None:
    setup = straddled(hand(seats=(2, 6)), (6, 0))
    assert setup.posts[-1] == Post(6, 3, "straddle"), "4 in all, the small blind included"
    state = start(setup)
    assert pending(state) == (2, 6)
    assert options(state).call == 2
    assert who(setup) == {}


def test_three_handed_the_button_is_under_the_gun() -> None:
    setup = hand(seats=(1, 2, 6))
    assert who(setup) == {6: 4}
    assert pending(start(straddled(setup, (6, 0)))) == (1, 2, 6)


def test_dead_small_blind_moves_nothing() -> None:
    setup = hand(posts=(Post(2, 2, "big_blind"),), seats=(2, 3, 4, 6))
    assert who(setup) == {3: 4, 6: 4}


def test_straddle_that_takes_the_whole_stack_is_all_in() -> None:
    state = start(straddled(hand(stacks=(100, 100, 4, 100, 100, 100)), (3, 0)))
    assert state.is_all_in(3)
    assert pending(state) == (4, 5, 6, 1, 2)


def test_antes_are_not_there_to_straddle_with() -> None:
    setup = hand(stacks=(100, 100, 5, 100, 100, 100), posts=blinds_and_antes(SIX, 1, 2, 2))
    assert with_straddle(setup, 3) == Refusal("straddle_above_stack", {"amount": 4, "stack": 3})


def test_straddle_over_a_live_post_counts_it() -> None:
    posts = (*blinds_and_antes(SIX, 1, 2), Post(3, 2, "big_blind"), Post(3, 1, "dead"))
    setup = straddled(hand(posts=posts), (3, 0))
    assert setup.posts[-1] == Post(3, 2, "straddle")
    assert start(setup).bets[2] == 4


def test_pot_bet_over_a_straddle() -> None:
    """7 in the middle, 4 to call: 4 + 11; with antes of 1 each six more (TDA 54)."""
    assert options(start(straddled(hand(structure="pot_limit"), (3, 0)))).max_to == 15
    with_antes = hand(structure="pot_limit", posts=blinds_and_antes(SIX, 1, 2, 1))
    assert options(start(straddled(with_antes, (3, 0)))).max_to == 21
    rounded = hand(structure="pot_limit", round_small_blind=True)
    assert options(start(straddled(rounded, (3, 0)))).max_to == 16, "WLA 191: the small blind as a big one"


def test_limit_straddle_is_raised_by_one_bet_and_is_none_of_the_cap() -> None:
    """WLA 130: a bet and three raises over the straddle's 4 are 6, 8 and 10 with four bets a round."""
    state = start(straddled(hand(structure="fixed_limit"), (3, 0)))
    assert (options(state).min_to, options(state).max_to) == (6, 6)
    state = play(state, "4 raise 6", "5 raise 8", "6 raise 10", "1 fold", "2 fold")
    assert not options(state).can_raise
