"""Pots, odd chips, awards and showdown order."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dealer_assist.betting import (
    HandSetup,
    Post,
    Pot,
    Unawardable,
    award,
    gathered_pots,
    pots,
    showdown_order,
    split,
    start,
)
from tests.betting.kit import play, settled, table


def run_out(*stacks: int, **kwargs: int) -> tuple[Pot, ...]:
    """The pots when everyone moves all-in with these stacks and no blinds."""
    state = table(*stacks, posts=(), **kwargs)  # type: ignore[arg-type]
    while state.to_act is not None:
        state = play(state, f"{state.to_act} all_in")
    return pots(state)


def test_side_pot_of_two_above_an_all_in() -> None:
    """T-SP1: A all-in 100; B and C 200 more each."""
    state = play(table(100, 1000, 1000, posts=()), "1 all_in", "2 raise 300", "3 call")
    assert pots(state) == (Pot(300, (1, 2, 3)), Pot(400, (2, 3)))


def test_side_pot_of_the_flop_bet() -> None:
    """T-SP2: A 100, B and C 500; A all-in, both call, then bet 300."""
    state = play(
        table(100, 500, 500, posts=()), "1 all_in", "2 call", "3 call", "next", "2 bet 300", "3 call"
    )
    assert pots(state) == (Pot(300, (1, 2, 3)), Pot(600, (2, 3)))
    assert state.stacks == (0, 100, 100)


def test_five_stacks_make_a_pot_for_each_level() -> None:
    assert [pot.amount for pot in run_out(50, 25, 125, 100, 75)] == [125, 100, 75, 50]


def test_folded_chips_stay_in_the_layers_they_reached() -> None:
    state = play(table(50, 200, 100, posts=()), "1 bet 30", "2 raise 60", "3 all_in", "1 fold", "2 call")
    assert pots(state) == (Pot(230, (2, 3)),)


def test_folded_chips_above_every_live_stack_are_in_the_last_pot() -> None:
    """Seat 4 bets 90, is called for less twice, and its hand is dead once seat 1 has called: 90 and 90 over the all-ins."""
    state = play(table(200, 20, 50, 200, posts=()), "1 check", "2 check", "3 check", "4 bet 90", "1 call")
    state = play(state, "2 call", "3 call", "4 fold!", "1 fold!")
    assert pots(state) == (Pot(80, (2, 3)), Pot(170, (3,)))


def test_layers_with_the_same_winners_are_one_pot() -> None:
    """Seat 2 folds with 40 in: its level makes no pot of its own."""
    state = play(table(100, 200, 100, posts=()), "1 bet 20", "2 raise 40", "3 all_in", "1 all_in", "2 fold")
    assert pots(state) == (Pot(240, (1, 3)),)


def test_side_pot_with_one_live_seat_needs_no_showdown() -> None:
    state = play(
        table(100, 500, 500, posts=()), "1 all_in", "2 call", "3 call", "next", "2 bet 300", "3 call"
    )
    state = play(state, "3 fold!")
    outcome = settled(state, {1: 5, 2: 9})
    assert outcome.awards == {1: 300, 2: 600}


def test_folder_to_a_side_bet_loses_every_pot() -> None:
    """A public report: an all-in player stays eligible for the main pot only; who folds to the side bet has lost both."""
    state = play(
        table(100, 500, 500, posts=()), "1 all_in", "2 call", "3 call", "next", "2 bet 300", "3 fold"
    )
    outcome = settled(state, {1: 5, 2: 9, 3: 1})
    assert outcome.returned == ((2, 300),)
    assert outcome.awards == {1: 300}


def test_each_pot_is_judged_on_its_own_seats() -> None:
    state = play(table(100, 200, 300, 400, posts=()), "1 check", "2 check", "3 check", "4 all_in")
    state = play(state, "1 call", "2 call", "3 call")
    outcome = settled(state, {1: 1, 2: 2, 3: 3, 4: 4})
    assert outcome.awards == {1: 400, 2: 300, 3: 200}
    assert outcome.returned == ((4, 100),)
    tied = settled(state, {1: 1, 2: 1, 3: 3, 4: 4})
    assert tied.awards == {1: 200, 2: 500, 3: 200}


def test_pots_are_awarded_last_formed_first() -> None:
    """WLA 153."""
    state = play(table(100, 200, 300, posts=()), "1 all_in", "2 all_in", "3 all_in")
    outcome = settled(state, {1: 1, 2: 2, 3: 3})
    assert [(each.number, each.pot.amount, each.winners) for each in outcome.pots] == [
        (1, 200, (2,)),
        (0, 300, (1,)),
    ]


def test_pots_of_an_open_round_follow_the_all_ins_alone() -> None:
    state = play(table(100, 100, 5, 100), "3 all_in", "4 raise 20")
    assert pots(state) == (Pot(5 + 5 + 1 + 2, (1, 2, 3, 4)), Pot(15, (1, 2, 4)))
    assert gathered_pots(state) == ()
    assert pots(table(100, 100, 100)) == (Pot(3, (1, 2, 3)),)


def test_gathered_pots_leave_out_what_is_in_front() -> None:
    state = play(table(100, 100, 100, ante=1), "3 call", "1 call", "2 check", "next", "1 bet 20")
    assert gathered_pots(state) == (Pot(9, (1, 2, 3)),)
    assert sum(pot.amount for pot in pots(state)) == 29


def test_big_blind_ante_belongs_to_all() -> None:
    """It is paid for the table, not matched: an all-in of 15 plays for 15 of every stack, and for the whole ante."""
    posts = (Post(1, 5, "small_blind"), Post(2, 10, "big_blind"), Post(2, 10, "ante"))
    state = play(table(200, 200, 15, blinds=(5, 10), posts=posts), "3 all_in", "1 fold", "2 call")
    assert pots(state) == (Pot(10 + 5 + 15 + 15, (2, 3)),)


def test_short_ante_wins_of_each_ante_only_its_own() -> None:
    """Seat 3 has 3 of an ante of 5."""
    state = play(table(200, 200, 3, ante=5), "1 call", "2 check")
    assert pots(state) == (Pot(9, (1, 2, 3)), Pot(4 + 4, (1, 2)))


def test_blind_paid_before_a_short_ante() -> None:
    """Seat 2 pays its blind of 10 and 4 of its ante of 5: all of the blind pot, four of each ante."""
    posts = (
        Post(2, 10, "big_blind"),
        Post(1, 5, "small_blind"),
        *(Post(seat, 5, "ante") for seat in (1, 2, 3)),
    )
    state = play(table(200, 14, 200, blinds=(5, 10), posts=posts), "3 call", "1 call")
    assert pots(state) == (Pot(12 + 30, (1, 2, 3)), Pot(2, (1, 3)))


def test_dead_post_is_in_the_main_pot() -> None:
    posts = (Post(1, 1, "small_blind"), Post(2, 2, "big_blind"), Post(4, 1, "dead"))
    state = play(table(100, 100, 5, 100, posts=posts), "3 all_in", "4 call", "1 fold", "2 fold")
    assert pots(state) == (Pot(1 + 2 + 5 + 5 + 1, (3, 4)),)


def test_excess_of_a_short_big_blinds_callers_is_a_side_pot() -> None:
    state = play(table(100, 3, 100, blinds=(5, 10)), "3 call", "1 call")
    assert pots(state) == (Pot(9, (1, 2, 3)), Pot(14, (1, 3)))


def test_losers_who_muck_do_not_change_what_tied_winners_get() -> None:
    """A public report (stacks 76/181/300/117/5/66/27, ante 1, seats 1 and 6 tie).

    Seat 7's all-in makes a main pot of 163 and a side pot of 195; each is split by itself (TDA 21) and each has an odd chip for
    seat 1, whether seat 7 tables its hand or not. A library that joins the two once seat 7 is beaten pays 1 chip differently.
    """
    stacks = (76, 181, 300, 117, 5, 66, 27)
    state = table(*stacks, blinds=(1, 2), ante=1)
    state = play(
        state, "3 raise 114", "4 raise 116", "5 fold", "6 call", "7 call", "1 call", "2 call", "3 fold"
    )
    assert [pot.amount for pot in pots(state)] == [163, 195, 40, 121]
    tabled = settled(state, {1: 1, 6: 1, 2: 5, 4: 7, 7: 9})
    assert tabled.awards == {1: 82 + 98 + 40, 6: 81 + 97, 2: 121}
    assert settled(state, {1: 1, 6: 1, 2: 5}) == tabled
    net = [tabled.stacks[seat] - stack for seat, stack in enumerate(stacks, 1)]
    assert net == [144, 4, -115, -117, -1, 112, -27]


def test_odd_chips_go_one_each_clockwise_from_the_button() -> None:
    """PEERS D6, TDA 20-A: 11 in three is 4, 4, 3."""
    assert split(11, 3, 1) == (4, 4, 3)
    posts = (Post(4, 2, "dead"),)
    state = table(3, 3, 3, 5, posts=posts)
    state = play(state, "1 all_in", "2 all_in", "3 all_in", "4 fold")
    assert settled(state, {1: 1, 2: 1, 3: 1}).awards == {1: 4, 2: 4, 3: 3}


def test_odd_chip_is_the_smallest_chip_in_play() -> None:
    """Chips of 5: 35 in two is 20 and 15; a broken amount is left with the first."""
    assert split(35, 2, 5) == (20, 15)
    assert split(55, 3, 5) == (20, 20, 15)
    assert split(37, 2, 5) == (22, 15)
    assert split(4, 2, 5) == (4, 0)


def test_odd_chip_goes_left_of_a_button_in_the_middle_of_the_seats() -> None:
    setup = HandSetup((7, 9, 2, 5), 5, (10, 10, 11, 10), (Post(2, 1, "dead"), Post(9, 4, "dead")), 2)
    state = play(start(setup), "7 check", "9 fold", "2 bet 2", "5 call", "7 fold")
    assert settled(state, {2: 1, 5: 1}).awards == {2: 5, 5: 4}


def test_pot_for_which_nothing_was_tabled_is_named() -> None:
    state = play(
        table(100, 500, 500, posts=()), "1 all_in", "2 call", "3 call", "next", "2 bet 300", "3 call"
    )
    assert award(state, {1: 5}) == Unawardable(Pot(600, (2, 3)))
    assert award(state, {}) == Unawardable(Pot(300, (1, 2, 3)))


def test_mucked_hand_cannot_win_from_a_tabled_one() -> None:
    state = play(table(100, 100), "2 call", "1 check")
    assert settled(state, {2: 7000}).awards == {2: 4}


def test_no_award_while_a_seat_has_to_act() -> None:
    assert award(table(100, 100), {1: 1, 2: 2}) == Unawardable(None, "betting_open")


def test_rake_is_taken_from_the_main_pot_first_and_never_from_the_uncalled_bet() -> None:
    state = play(table(100, 200, 400, posts=()), "1 check", "2 check", "3 all_in", "1 call", "2 call")
    outcome = settled(state, {1: 1, 2: 2, 3: 3}, rake=310)
    assert outcome.rake == 310
    assert [each.pot.amount for each in outcome.pots] == [200, 300]
    assert outcome.awards == {1: 0, 2: 190}
    assert outcome.returned == ((3, 200),)
    assert sum(outcome.stacks.values()) == 700 - 310
    for wrong in (-1, 501):
        with pytest.raises(ValueError, match="rake"):
            award(state, {1: 1, 2: 2, 3: 3}, rake=wrong)


def test_last_aggressor_shows_first_then_clockwise() -> None:
    """TDA 17-A."""
    state = play(table(100, 100, 100, 100), "3 call", "4 call", "1 call", "2 check")
    state = play(state, "next", "1 check", "2 check", "3 check", "4 check")
    state = play(state, "next", "1 bet 4", "2 call", "3 call", "4 call")
    river = play(state, "next")
    assert showdown_order(play(river, "1 check", "2 check", "3 check", "4 check")) == (1, 2, 3, 4)
    raised = play(river, "1 check", "2 check", "3 bet 10", "4 call", "1 fold", "2 call")
    assert showdown_order(raised) == (3, 4, 2)


def test_all_in_pusher_shows_first_when_the_board_is_run_out() -> None:
    """WLA 149."""
    state = play(table(100, 100, 100), "3 raise 6", "1 fold", "2 raise 20", "3 all_in", "2 call")
    for _ in range(3):
        state = play(state, "next")
    assert showdown_order(state) == (3, 2)


def test_side_pot_players_show_first_where_the_house_says_so() -> None:
    """RROP showdown: seat 1 is all-in for the main pot alone and shows after both who played on; its bet came in another round."""
    state = play(table(30, 100, 100), "3 raise 6", "1 all_in", "2 call", "3 call", "next")
    checked = play(state, "2 check", "3 check", "next", "2 check", "3 check", "next", "2 check", "3 check")
    assert showdown_order(checked) == (1, 2, 3)
    house = replace(checked, setup=replace(checked.setup, side_pots_show_first=True))
    assert showdown_order(house) == (1, 2, 3), "there is no side pot"
    played = play(state, "2 bet 20", "3 call", "next", "2 check", "3 check", "next", "2 check", "3 check")
    assert showdown_order(played) == (1, 2, 3)
    house = replace(played, setup=replace(played.setup, side_pots_show_first=True))
    assert showdown_order(house) == (2, 3, 1)
