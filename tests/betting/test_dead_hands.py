"""Hands declared dead in any round."""

from __future__ import annotations

import pytest

from dealer_assist.betting import ActionRefused, Pot, Refusal, Taken, hand_over, kill, live, pots, uncalled
from tests.betting.kit import options, play, settled, table


def test_dead_hand_of_another_seat_leaves_the_turn() -> None:
    state = kill(table(100, 100, 100, 100), 1)
    assert (state.to_act, live(state)) == (3, (2, 3, 4))
    assert state.log == (Taken(1, "fold", 1, 0, False, 0, in_turn=False, killed=True),)


def test_dead_hand_of_the_seat_to_act_passes_the_turn() -> None:
    state = kill(table(100, 100, 100, 100), 3)
    assert state.to_act == 4
    assert state.log[-1].in_turn and state.log[-1].killed


def test_dead_hand_after_the_round_leaves_its_chips() -> None:
    state = play(table(100, 100, 100), "3 call", "1 call", "2 check")
    state = play(kill(state, 2), "next")
    assert (state.to_act, live(state)) == (1, (1, 3))
    assert settled(play(state, "1 bet 2", "3 fold")).awards == {1: 6}


def test_dead_all_in_hand_leaves_its_chips_to_each_level_it_reached() -> None:
    state = play(table(50, 200, 200, posts=()), "1 all_in", "2 raise 120", "3 call", "next")
    state = kill(play(state, "2 check", "3 check", "next"), 1)
    assert pots(state) == (Pot(290, (2, 3)),)
    state = play(table(50, 200, 200, posts=()), "1 all_in", "2 all_in", "3 all_in")
    state = kill(play(state, "next", "next", "next"), 3)
    assert pots(state) == (Pot(150, (1, 2)), Pot(300, (2,)))
    assert settled(state, {1: 1, 2: 2}).stacks == {1: 150, 2: 300, 3: 0}


def test_dead_hand_at_the_showdown_wins_nothing() -> None:
    state = play(table(100, 100, 100), "3 call", "1 call", "2 check", "next", "1 bet 5", "2 call", "3 call")
    for _ in range(2):
        state = play(state, "next", "1 check", "2 check", "3 check")
    assert settled(kill(state, 1), {1: 1, 2: 5, 3: 9}).awards == {2: 21}


def test_bettor_whose_hand_dies_gets_back_what_nobody_calls() -> None:
    """TDA 65."""
    flop = play(table(100, 100, 100), "3 call", "1 call", "2 check", "next")
    state = kill(play(flop, "1 bet 20"), 1)
    assert options(state).call == 20
    outcome = settled(play(state, "2 fold"))
    assert outcome.returned == ((1, 20),)
    assert outcome.awards == {3: 6}


def test_excess_over_a_shorter_all_in_goes_back_to_a_dead_hand() -> None:
    state = play(table(100, 300, posts=()), "1 check", "2 bet 250", "1 all_in")
    outcome = settled(kill(state, 2))
    assert outcome.returned == ((2, 150),)
    assert outcome.stacks == {1: 200, 2: 200}


def test_excess_of_a_call_behind_a_short_blind_goes_back_to_a_dead_hand() -> None:
    """Seat 3 calls 10, where the big blind had 3 and the small blind folds: seven are nobody's but its own."""
    state = play(table(100, 3, 100, blinds=(2, 10)), "3 call", "1 fold")
    assert uncalled(state) == (3, 7)
    dead = kill(state, 3)
    assert (dead.stack_of(3), dead.returned, uncalled(dead)) == (97, ((3, 7),), None)
    assert settled(dead).stacks == {1: 98, 2: 8, 3: 97}


def test_last_hand_cannot_die() -> None:
    state = kill(kill(table(100, 100, 100), 3), 1)
    assert hand_over(state) and state.to_act is None
    for seat, refusal in ((2, Refusal("hand_complete")), (1, Refusal("not_in_hand", {"seat": 1}))):
        with pytest.raises(ActionRefused) as caught:
            kill(state, seat)
        assert caught.value.refusal == refusal
    with pytest.raises(ActionRefused) as caught:
        kill(table(100, 100), 7)
    assert caught.value.refusal == Refusal("not_in_hand", {"seat": 7})
