"""Stacks that nobody has counted, and stacks that turn out to be others than believed: the chips on the table win."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as hs
from msgspec.structs import replace

from dealer_assist.betting import (
    UNKNOWN_STACK,
    Action,
    ActionRefused,
    BettingState,
    HandSetup,
    Post,
    Pot,
    Refusal,
    Settlement,
    act,
    award,
    hand_over,
    legal,
    live,
    next_street,
    pots,
    rebase,
    recount,
    start,
    uncalled,
    verify,
)
from tests.betting.kit import options, play, table


def uncounted(*stacks: int | None) -> BettingState:
    """Seats 1, 2, … with blinds 1 and 2, None for a stack that nobody knows."""
    whole = table(*[UNKNOWN_STACK if stack is None else stack for stack in stacks])
    unknown = tuple([seat for seat, stack in enumerate(stacks, 1) if stack is None])
    return start(replace(whole.setup, unknown=unknown))


def counted(state: BettingState, action: Action, *, sure: bool = False) -> BettingState:
    """As the table takes an action: re-based first where its amount says so."""
    other, behind = recount(state, action, counted=sure)
    if other:
        state = rebase(state, action.seat, behind)
        if action.kind == "all_in" or behind is not None:
            action = Action(action.seat, "all_in")
    return act(state, action)


def whole(state: BettingState) -> int:
    """All chips of the hand."""
    return sum(state.stacks) + sum(state.contributed)


def test_unknown_stacks_bet_and_call_any_amount() -> None:
    state = uncounted(None, None, None)
    assert options(state).min_to == 4
    assert options(state).max_to is None
    assert options(state).can_raise
    state = play(state, "3 raise 700", "1 call", "2 fold", "next", "1 check", "3 bet 900", "1 call")
    assert pots(state) == (Pot(3202, (1, 3)),)
    assert not any(state.all_in)


def test_the_pot_limits_a_bet_although_the_stack_is_not_known() -> None:
    state = uncounted(None, None, None)
    state = start(replace(state.setup, structure="pot_limit"))
    assert options(state).max_to == 7


def test_all_in_of_an_unknown_stack_needs_its_count() -> None:
    state = uncounted(None, None, None)
    assert verify(state, Action(3, "all_in")) == Refusal("count_needed", {"call": 2})
    done = counted(state, Action(3, "all_in", 175))
    assert done.is_all_in(3)
    assert done.known_stack_of(3) == 0
    assert done.setup.unknown == (1, 2)
    assert done.setup.stacks[2] == 175
    assert done.current_bet == 175


def test_side_pots_and_the_uncalled_bet_follow_from_a_count() -> None:
    state = counted(uncounted(None, None, None), Action(3, "all_in", 175))
    state = play(state, "1 raise 500")
    state = counted(state, Action(2, "all_in", 300))
    assert uncalled(state) == (1, 200)
    assert pots(state) == (Pot(525, (1, 2, 3)), Pot(250, (1, 2)))
    result = award(state, {3: 1, 2: 2, 1: 3})
    assert isinstance(result, Settlement)
    assert result.awards == {3: 525, 2: 250}
    assert result.stacks == {2: 250, 3: 525}, "what seat 1 has left nobody knows"


def test_all_in_for_less_than_believed_is_what_was_counted() -> None:
    state = counted(table(200, 200, 200), Action(3, "all_in", 120))
    assert state.current_bet == 120
    assert state.setup.stacks == (200, 200, 120)
    assert whole(state) == sum(state.setup.stacks)


def test_more_than_believed_needs_a_count() -> None:
    state = table(200, 200, 200)
    assert recount(state, Action(3, "all_in", 260), counted=False) == (False, None)
    assert verify(state, Action(3, "raise", 260)) == Refusal("above_stack", {"max_to": 200})
    done = counted(state, Action(3, "all_in", 260), sure=True)
    assert done.setup.stacks == (200, 200, 260)
    assert done.is_all_in(3)


def test_a_counted_raise_above_the_stack_leaves_behind_what_nobody_knows() -> None:
    done = counted(table(200, 200, 200), Action(3, "raise", 260), sure=True)
    assert done.current_bet == 260
    assert done.known_stack_of(3) is None
    assert not done.is_all_in(3)


def test_a_counted_call_is_whole_or_as_much_as_was_counted() -> None:
    state = play(table(200, 200, 90), "3 call", "1 raise 120", "2 fold")
    assert play(state, "3 call").is_all_in(3)
    full = counted(state, Action(3, "call"), sure=True)
    assert full.bet_of(3) == 120
    assert full.known_stack_of(3) is None
    short = counted(state, Action(3, "call", 100), sure=True)
    assert short.is_all_in(3)
    assert uncalled(short) == (1, 20)
    assert pots(short) == (Pot(202, (1, 3)),)


def test_re_basing_moves_what_the_hand_began_with_and_nothing_else() -> None:
    state = play(table(200, 200, 200), "3 raise 6", "1 call")
    for behind in (150, 300):
        moved = rebase(state, 3, behind)
        assert moved.stack_of(3) == behind
        assert moved.setup.stacks == (200, 200, 6 + behind)
        assert whole(moved) == sum(moved.setup.stacks)
        assert (moved.bets, moved.contributed, moved.to_act) == (state.bets, state.contributed, state.to_act)


def test_a_seat_with_nothing_behind_is_all_in_and_the_turn_goes_on() -> None:
    state = play(table(200, 200, 200), "3 raise 6")
    assert state.to_act == 1
    moved = rebase(state, 1, 0)
    assert moved.is_all_in(1)
    assert moved.to_act == 2
    done = play(moved, "2 call")
    assert pots(done) == (Pot(3, (1, 2, 3)), Pot(10, (2, 3)))


def test_who_has_put_nothing_in_cannot_be_all_in() -> None:
    with pytest.raises(ActionRefused) as refused:
        rebase(table(200, 200, 200), 3, 0)
    assert refused.value.refusal.code == "no_chips"


def test_chips_behind_a_seat_that_said_all_in_do_not_play() -> None:
    state = play(table(200, 200, 50), "3 all_in", "1 call", "2 call")
    moved = rebase(state, 3, 75)
    assert moved.is_all_in(3)
    assert moved.stack_of(3) == 75
    after = play(
        moved, "next", "1 bet 20", "2 call", "next", "1 check", "2 check", "next", "1 check", "2 check"
    )
    result = award(after, {3: 1, 1: 2, 2: 3})
    assert isinstance(result, Settlement)
    assert result.stacks == {1: 130 + 40, 2: 130, 3: 75 + 150}


def test_a_bet_of_all_that_was_believed_was_no_all_in_when_there_is_more_behind() -> None:
    state = play(table(200, 200, 50), "3 raise 50", "1 call", "2 call")
    assert state.is_all_in(3)
    moved = rebase(state, 3, 75)
    assert not moved.is_all_in(3)
    street = next_street(moved)
    assert play(street, "1 check", "2 check").to_act == 3


def test_chips_that_were_bet_without_a_seat_are_not_asked_of_it_later() -> None:
    state = play(table(200, 200, 50), "3 raise 50", "1 call", "2 call", "next", "1 bet 30", "2 call", "next")
    assert rebase(state, 3, 75).is_all_in(3)
    quiet = play(table(200, 200, 50), "3 raise 50", "1 call", "2 call", "next", "1 check", "2 check", "next")
    moved = rebase(quiet, 3, 75)
    assert play(moved, "1 check", "2 check").to_act == 3


def test_a_call_that_was_cut_to_the_belief_is_for_the_call_to_say() -> None:
    state = play(table(200, 200, 50), "3 call", "1 raise 80", "2 call", "3 call")
    with pytest.raises(ActionRefused) as refused:
        rebase(state, 3, 75)
    assert refused.value.refusal == Refusal("call_was_short", {"seat": 3})


@pytest.mark.parametrize("seat", [9, 0])
def test_only_a_seat_of_the_hand_is_re_based(seat: int) -> None:
    with pytest.raises(ActionRefused):
        rebase(table(200, 200, 200), seat, 10)


@settings(max_examples=150, deadline=None)
@given(hs.integers(0, 10**9))
def test_chips_are_conserved_whatever_is_counted(seed: int) -> None:
    rng = random.Random(seed)
    stacks = [rng.choice([None, rng.randint(2, 300)]) for _ in range(rng.randint(2, 7))]
    state = uncounted(*stacks)
    for _ in range(200):
        if rng.random() < 0.15:
            seat = rng.choice(state.setup.seats)
            try:
                state = rebase(state, seat, rng.choice([None, 0, rng.randint(1, 300)]))
            except ActionRefused:
                continue
        elif state.to_act is not None:
            state = _acts(rng, state)
        elif hand_over(state) or state.street == 3:
            break
        else:
            state = next_street(state)
        assert whole(state) == sum(state.setup.stacks)
        assert min(state.stacks) >= 0
        assert all(
            behind > 0 or state.all_in[index] or state.folded[index]
            for index, behind in enumerate(state.stacks)
        )
        for pot in pots(state):
            assert pot.amount > 0
            assert pot.eligible
            assert set(pot.eligible) <= set(live(state))
    else:
        raise AssertionError("the hand does not end")
    result = award(state, {seat: rng.randint(1, 3) for seat in live(state)})
    assert isinstance(result, Settlement)
    assert sum(result.awards.values()) + sum(amount for _, amount in result.returned) <= sum(
        state.contributed
    ) + sum(amount for _, amount in state.returned)
    assert set(result.stacks) == set(state.setup.seats) - set(state.setup.unknown)
    assert all(0 <= stack < UNKNOWN_STACK // 2 for stack in result.stacks.values())


def _acts(rng: random.Random, state: BettingState) -> BettingState:
    can = legal(state)
    assert can is not None
    choices = [Action(can.seat, "fold"), Action(can.seat, "check" if can.can_check else "call")]
    if can.min_to is not None:
        top = can.max_to if can.max_to is not None else can.min_to + 200
        choices.append(Action(can.seat, "raise", rng.randint(can.min_to, max(can.min_to, top))))
    bet = state.bet_of(can.seat)
    choices.append(Action(can.seat, "all_in", bet + rng.randint(1, 200)))
    action = rng.choice(choices)
    try:
        return counted(state, action, sure=rng.random() < 0.3)
    except ActionRefused:
        return state


def test_so_is_a_call_of_the_killers_blind() -> None:
    posts = (Post(1, 1, "small_blind"), Post(2, 2, "big_blind"), Post(1, 3, "kill"))
    killed = HandSetup((1, 2, 3), 3, (200, 200, 3), posts, big_blind=2, kill=4)
    state = play(start(killed), "3 call")
    with pytest.raises(ActionRefused) as refused:
        rebase(state, 3, 75)
    assert refused.value.refusal == Refusal("call_was_short", {"seat": 3})
