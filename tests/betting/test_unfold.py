"""The unfold fund: who pays into it, who may buy a hand back, who gets it, and when it goes back."""

from __future__ import annotations

import pytest

from dealer_assist.betting import (
    ActionRefused,
    BettingState,
    HandSetup,
    Pot,
    Refusal,
    Settlement,
    Unawardable,
    award,
    forced_bets,
    kill,
    legal,
    pots,
    start,
    unfold,
    unfold_fund,
    unfold_refusal,
)
from dealer_assist.domain.table import Limits
from tests.betting.kit import options, play, settled


def hand(*stacks: int, ante: int = 2) -> BettingState:
    """Blinds 3 and 6, ``ante`` of each into the fund; the last seat has the button."""
    seats = tuple(range(1, len(stacks) + 1))
    return start(HandSetup(seats, seats[-1], stacks, forced_bets("unfold", seats, Limits(3, 6, ante)), 6))


def flop() -> BettingState:
    """Seats 3 and 4 folded; seats 5, 1 and 2 saw the flop for 6."""
    return play(hand(*[100] * 5), "3 fold", "4 fold", "5 call", "1 call", "2 check", "next")


def refused(state: BettingState, seat: int) -> Refusal | None:
    """Why the seat may not buy its hand back; ``unfold`` agrees."""
    refusal = unfold_refusal(state, seat)
    if refusal is not None:
        with pytest.raises(ActionRefused) as caught:
            unfold(state, seat)
        assert caught.value.refusal == refusal
    return refusal


def test_fund_is_no_pot_and_asks_for_nothing() -> None:
    state = hand(100, 100, 100)
    assert unfold_fund(state) == 6
    assert pots(state) == (Pot(9, (1, 2, 3)),)
    assert (options(state).call, options(state).pot) == (6, 9)
    assert state.stacks == (95, 92, 98)


def test_other_games_have_no_fund() -> None:
    state = start(HandSetup((1, 2), 2, (100, 100), forced_bets("blinds", (1, 2), Limits(1, 2, 1)), 2))
    assert (unfold_fund(state), state.fund) == (0, None)
    assert refused(state, 1) == Refusal("no_fund")


def test_hand_is_bought_back_for_the_fund_as_it_stood_and_stays_out_of_the_betting() -> None:
    state = unfold(unfold(flop(), 3), 4)
    assert unfold_fund(state) == 10 + 10 + 10
    assert (state.stack_of(3), state.stack_of(4)) == (88, 88)
    assert state.is_folded(3) and state.to_act == 1
    assert pots(state) == (Pot(18, (1, 2, 5)),)
    state = play(state, "1 bet 6", "2 fold", "5 fold")
    outcome = award(state, {}, 0, {3: 7, 4: 2})
    assert isinstance(outcome, Settlement)
    assert outcome.awards == {1: 18}
    assert [(each.winners, each.shares) for each in outcome.fund] == [((4,), (30,))]
    assert outcome.stacks == {1: 98 - 6 + 18, 2: 92, 3: 88, 4: 118, 5: 92}
    assert sum(outcome.stacks.values()) == 500


def test_fund_does_not_go_to_a_hand_that_never_folded() -> None:
    state = unfold(flop(), 4)
    for _ in range(3):
        state = play(state, "1 check", "2 check", "5 check")
        state = play(state, "next") if state.street < 3 else state
    outcome = settled(state, {1: 1, 2: 2, 5: 3})
    assert outcome.awards == {1: 18}
    assert [each.winners for each in outcome.fund] == [(4,)]
    assert outcome.stacks[4] == 88 + 20


def test_contested_fund_needs_a_tabled_hand() -> None:
    state = play(unfold(unfold(flop(), 3), 4), "1 bet 6", "2 fold", "5 fold")
    assert award(state, {}) == Unawardable(Pot(30, (3, 4)), "fund_nothing_tabled")
    tied = award(state, {}, 0, {3: 5, 4: 5})
    assert isinstance(tied, Settlement)
    assert [each.shares for each in tied.fund] == [(15, 15)]


def test_shorter_stack_pays_all_it_has_and_wins_that_of_each() -> None:
    """Unverified rule, by table stakes: seat 4 has 3 left against a price of 10."""
    state = play(hand(100, 100, 100, 5, 100), "3 fold", "4 fold", "5 call", "1 call", "2 check", "next")
    state = unfold(unfold(state, 4), 3)
    assert (state.stack_of(4), unfold_fund(state)) == (0, 10 + 3 + 10)
    state = play(state, "1 bet 6", "2 fold", "5 fold")
    outcome = award(state, {}, 0, {3: 7, 4: 2})
    assert isinstance(outcome, Settlement)
    assert [(each.number, each.pot, each.winners) for each in outcome.fund] == [
        (1, Pot(7, (3,)), (3,)),
        (0, Pot(16, (3, 4)), (4,)),
    ]
    assert (outcome.stacks[3], outcome.stacks[4]) == (88 + 7, 16)
    assert sum(outcome.stacks.values()) == 405


def test_all_in_for_the_fund_alone() -> None:
    """Seat 3 has 2: all of it is in the fund, and it plays for no pot."""
    state = hand(100, 100, 2)
    assert state.is_all_in(3)
    state = play(state, "1 call", "2 check")
    assert pots(state) == (Pot(12, (1, 2)),)


def test_blind_is_paid_before_the_fund() -> None:
    state = hand(100, 7, 100)
    assert (state.bet_of(2), state.fund and state.fund.antes) == (6, (2, 1, 2))


def test_who_may_not_buy_back() -> None:
    preflop = play(hand(*[100] * 5), "3 fold", "4 fold")
    assert refused(preflop, 3) == Refusal("window_closed")
    state = flop()
    assert refused(state, 1) == Refusal("not_folded_preflop", {"seat": 1})
    assert refused(unfold(state, 3), 3) == Refusal("already_unfolded", {"seat": 3})
    assert refused(play(state, "1 bet 6", "2 fold"), 2) == Refusal("not_folded_preflop", {"seat": 2})
    turn = play(state, "1 check", "2 check", "5 check", "next")
    assert refused(turn, 3) == Refusal("window_closed")
    one = play(hand(*[100] * 4), "3 fold", "4 call", "1 call", "2 check", "next")
    assert refused(one, 3) == Refusal("too_few_folders")
    assert refused(hand(100, 100, ante=0), 1) == Refusal("no_fund")


def test_folder_without_chips_and_dead_hands_may_not_buy_back() -> None:
    """Seat 1 has nothing left behind its small blind and its part of the fund."""
    state = hand(9, 100, 100, 100, 100, ante=6)
    assert state.is_all_in(1)
    state = play(state, "3 fold", "4 call", "5 call", "2 check")
    assert refused(play(state, "1 fold!", "next"), 1) == Refusal("no_chips", {"seat": 1})
    dead = play(kill(kill(state, 1), 5), "next")
    assert refused(dead, 5) == Refusal("not_folded_preflop", {"seat": 5}), "a dead hand was not folded"
    assert refused(dead, 3) == Refusal("too_few_folders")


@pytest.mark.parametrize("case", ["no flop", "nobody unfolded", "one folder", "the unfolded hand is dead"])
def test_everything_goes_back(case: str) -> None:
    if case == "no flop":
        state = play(hand(100, 100, 100), "3 fold", "1 fold")
    elif case == "one folder":
        state = play(hand(100, 100, 100), "3 fold", "1 call", "2 check", "next", "1 bet 6", "2 fold")
    else:
        state = flop()
        if case == "the unfolded hand is dead":
            state = kill(unfold(state, 3), 3)
        state = play(state, "1 bet 6", "2 fold", "5 fold")
    outcome = settled(state)
    assert outcome.fund == ()
    paid = 12 if case == "the unfolded hand is dead" else 2
    assert outcome.fund_returned == tuple((seat, paid if seat == 3 else 2) for seat in state.setup.seats)
    assert sum(outcome.stacks.values()) == 100 * len(state.setup.seats)
    assert outcome.stacks[3] == 100


def test_dead_hand_leaves_what_it_paid_to_the_other() -> None:
    state = kill(unfold(unfold(flop(), 3), 4), 4)
    with pytest.raises(ActionRefused):
        kill(state, 4)
    outcome = settled(play(state, "1 bet 6", "2 fold", "5 fold"))
    assert [(each.pot, each.winners) for each in outcome.fund] == [(Pot(30, (3,)), (3,))]


def test_window_is_open_when_all_players_are_all_in() -> None:
    state = play(hand(50, 50, 100, 100), "3 fold", "4 fold", "1 all_in", "2 all_in", "next")
    assert legal(state) is None
    state = play(unfold(state, 4), "next", "next")
    outcome = settled(state, {1: 2, 2: 1})
    assert outcome.stacks[4] == 100 - 2 - 8 + 16


def test_rake_and_the_fund_are_apart() -> None:
    state = play(unfold(flop(), 4), "1 bet 6", "2 fold", "5 fold")
    outcome = settled(state, rake=3)
    assert outcome.awards == {1: 15}
    assert sum(outcome.stacks.values()) == 497


def test_actions_keep_the_fund() -> None:
    state = unfold(flop(), 3)
    for line in ("1 bet 6", "2 call", "5 fold"):
        after = play(state, line)
        assert after.fund == state.fund
        state = after
    assert play(state, "next").fund == state.fund
