"""Posts and the first seat to act."""

from __future__ import annotations

import pytest

from dealer_assist.betting import (
    BadSetup,
    HandSetup,
    Post,
    Pot,
    hand_over,
    live,
    no_more_betting,
    pending,
    pots,
    round_complete,
    start,
    uncalled,
)
from tests.betting.kit import options, play, settled, table


def test_blinds_are_in_the_pot_before_play() -> None:
    """T-01."""
    state = table(100, 100, 100, blinds=(1, 2))
    assert options(state).pot == 3
    assert state.bets == (1, 2, 0)
    assert state.stacks == (99, 98, 100)
    assert state.to_act == 3
    assert pending(state) == (3, 1, 2)


def test_heads_up_the_button_has_the_small_blind_and_acts_first_before_the_flop_last_after() -> None:
    state = table(100, 100)
    assert state.bets == (2, 1)
    assert state.to_act == 2
    flop = play(state, "2 call", "1 check", "next")
    assert flop.to_act == 1


def test_a_limped_big_blind_has_the_option() -> None:
    state = play(table(100, 100, 100), "3 fold", "1 call")
    assert state.to_act == 2
    assert options(state).can_check and options(state).can_raise
    assert not round_complete(state)
    assert round_complete(play(state, "2 check"))


def test_dead_small_blind_and_dead_button() -> None:
    """Seat 3 was the last to leave: no small blind, the button stands at an empty seat."""
    setup = HandSetup((4, 5, 6), 3, (100, 100, 100), (Post(4, 2, "big_blind"),), 2)
    state = start(setup)
    assert state.to_act == 5
    assert play(state, "5 call", "6 call", "4 check", "next").to_act == 4


def test_antes_do_not_count_toward_the_bet() -> None:
    state = table(100, 100, 100, ante=1)
    assert state.bets == (1, 2, 0)
    assert options(state).call == 2
    assert options(state).pot == 6


def test_antes_alone_begin_left_of_the_button_with_a_check() -> None:
    state = table(100, 100, 100, posts=tuple(Post(seat, 5, "ante") for seat in (1, 2, 3)))
    assert state.to_act == 1
    assert options(state).can_check
    assert options(state).is_bet
    assert options(state).min_to == 2


def test_dead_post_counts_for_the_pot_and_live_post_for_the_bet() -> None:
    """T-SO: seat 5 missed both blinds at 1/2 and posts 2 live, 1 dead; it acts in turn and may check."""
    posts = (
        Post(1, 1, "small_blind"),
        Post(2, 2, "big_blind"),
        Post(5, 2, "big_blind"),
        Post(5, 1, "dead"),
    )
    state = table(100, 100, 100, 100, 100, 100, posts=posts)
    assert state.to_act == 3
    assert options(state).pot == 6
    state = play(state, "3 call", "4 fold")
    assert state.to_act == 5
    assert options(state).can_check and options(state).can_raise


def test_small_blind_that_also_posts_a_live_blind_is_not_the_big_blind() -> None:
    """A returning player in the small blind posts half dead, and makes the rest a full live blind."""
    posts = (Post(1, 1, "small_blind"), Post(2, 2, "big_blind"), Post(1, 1, "dead"), Post(1, 1, "big_blind"))
    state = table(100, 100, 100, posts=posts)
    assert pending(state) == (3, 1, 2)
    assert options(play(state, "3 fold")).can_check


STRADDLED = (Post(1, 1, "small_blind"), Post(2, 2, "big_blind"), Post(3, 4, "straddle"))


def test_straddler_acts_last_and_a_call_is_the_straddle() -> None:
    """S001-05."""
    state = table(100, 100, 100, 100, posts=STRADDLED)
    assert state.to_act == 4
    assert options(state).call == 4
    state = play(state, "4 call", "1 call", "2 call")
    assert state.to_act == 3
    assert options(state).can_check and options(state).can_raise


def test_smallest_raise_over_a_straddle_is_as_the_house_has_it() -> None:
    assert options(table(100, 100, 100, 100, posts=STRADDLED)).min_to == 6
    assert options(table(100, 100, 100, 100, posts=STRADDLED, straddle_raise="whole")).min_to == 8


def test_after_a_button_straddle_the_small_blind_is_first_and_the_button_last() -> None:
    posts = (Post(1, 1, "small_blind"), Post(2, 2, "big_blind"), Post(4, 4, "straddle"))
    state = table(100, 100, 100, 100, posts=posts)
    assert pending(state) == (1, 2, 3, 4)


def test_after_a_second_straddle_the_first_to_act_is_left_of_it() -> None:
    posts = (
        Post(1, 1, "small_blind"),
        Post(2, 2, "big_blind"),
        Post(3, 4, "straddle"),
        Post(4, 8, "straddle"),
    )
    state = table(100, 100, 100, 100, 100, posts=posts)
    assert pending(state) == (5, 1, 2, 3, 4)
    assert options(state).min_to == 12


def test_straddle_that_the_stack_does_not_cover_is_no_straddle() -> None:
    state = table(100, 100, 3, 100, posts=STRADDLED)
    assert pending(state) == (4, 1, 2), "seat 3 is all-in; the others act in their places"
    assert options(state).call == 3
    assert options(state).min_to == 5


def test_short_small_blind_is_all_in() -> None:
    state = table(1, 100, 100, blinds=(5, 10))
    assert state.bets == (1, 10, 0)
    assert state.is_all_in(1)
    assert pending(state) == (3, 2)


def test_behind_a_short_big_blind_the_others_owe_the_full_one() -> None:
    """PEERS D1, WLA 154."""
    state = table(100, 3, 100, blinds=(5, 10))
    assert options(state).call == 10
    assert options(state).min_to == 20
    state = play(state, "3 call")
    assert options(state).call == 5
    assert round_complete(play(state, "1 call"))


def test_alone_against_a_short_big_blind_nobody_owes_more_than_can_be_won() -> None:
    state = play(table(100, 3, 100, blinds=(5, 10)), "3 fold")
    assert state.to_act is None, "the small blind already covers the three chips"
    assert no_more_betting(state)
    assert uncalled(state) == (1, 2)
    state = play(table(100, 7, 100, blinds=(5, 10)), "3 fold")
    assert options(state).call == 2
    assert not options(state).can_raise
    called = play(state, "1 call")
    assert uncalled(called) is None
    assert [pot.amount for pot in pots(called)] == [14]
    full = play(state, "1 call 10")
    assert uncalled(full) == (1, 3)
    assert pots(full) == pots(called)


def test_heads_up_short_blinds_need_no_action() -> None:
    state = table(100, 1)
    assert state.to_act is None
    assert no_more_betting(state)
    assert uncalled(state) == (1, 1)
    state = table(1, 100)
    assert state.to_act is None
    assert uncalled(state) is None
    assert [pot.amount for pot in pots(state)] == [2]


def test_all_stacks_gone_with_the_antes_runs_the_board_out() -> None:
    state = table(5, 5, 5, ante=5)
    assert no_more_betting(state)
    for street in (1, 2, 3):
        state = play(state, "next")
        assert state.street == street
        assert state.to_act is None
    assert settled(state, {1: 3, 2: 1, 3: 2}).stacks == {1: 0, 2: 15, 3: 0}


def test_the_order_of_posts_decides_what_a_short_stack_pays_first() -> None:
    """PEERS D8: big blind before big-blind ante (TDA RP-11); a table may have it the other way."""
    blind, ante = Post(2, 10, "big_blind"), Post(2, 10, "ante")
    small = Post(1, 5, "small_blind")
    assert table(100, 12, 100, blinds=(5, 10), posts=(small, blind, ante)).bets == (5, 10, 0)
    assert table(100, 12, 100, blinds=(5, 10), posts=(small, ante, blind)).bets == (5, 2, 0)


def test_everyone_folds_to_the_big_blind() -> None:
    state = play(table(100, 100, 100), "3 fold", "1 fold")
    assert hand_over(state) and round_complete(state)
    assert live(state) == (2,)
    assert not no_more_betting(state)
    outcome = settled(state)
    assert outcome.returned == ((2, 1),)
    assert outcome.awards == {2: 2}
    assert outcome.stacks == {1: 99, 2: 101, 3: 100}


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"seats": (1,), "stacks": (5,), "button": 1}, "too_few_seats"),
        ({"seats": (1, 1, 2)}, "seat_twice"),
        ({"stacks": (1, 2)}, "stacks_do_not_match_seats"),
        ({"stacks": (1, 0, 2)}, "no_chips"),
        ({"big_blind": 0}, "not_positive"),
        ({"unit": 0}, "not_positive"),
        ({"button": 1}, "button_not_last"),
        ({"posts": (Post(9, 1, "dead"),)}, "post_of_absent_seat"),
        ({"posts": (Post(1, -1, "dead"),)}, "negative_post"),
    ],
)
def test_impossible_set_up_is_refused_by_name(changed: dict[str, object], code: str) -> None:
    fields: dict[str, object] = {
        "seats": (1, 2, 3),
        "button": 3,
        "stacks": (10, 10, 10),
        "posts": (),
        "big_blind": 2,
    }
    with pytest.raises(BadSetup) as caught:
        start(HandSetup(**{**fields, **changed}))  # type: ignore[arg-type]
    assert caught.value.code == code


def test_ante_that_nobody_else_can_pay_goes_back_at_once() -> None:
    """An ante of 100; 64 is the largest stack but one of 150: 36 come back, 64 of each are matched."""
    state = table(58, 64, 150, posts=tuple(Post(seat, 100, "ante") for seat in (1, 2, 3)))
    assert (state.antes, state.returned, state.stacks) == ((58, 64, 64), ((3, 36),), (0, 0, 86))
    assert pots(state) == (Pot(174, (1, 2, 3)), Pot(12, (2, 3)))
    assert state.to_act is None
    assert sum(settled(state, {1: 1, 2: 2, 3: 3}).stacks.values()) == 58 + 64 + 150


def test_ante_of_one_for_all_is_matched_by_nobody_and_stays() -> None:
    posts = (Post(1, 1, "small_blind"), Post(2, 2, "big_blind"), Post(2, 2, "ante"))
    state = table(100, 100, 100, posts=posts)
    assert (state.antes, state.returned) == ((0, 2, 0), ())
