"""What holds for every hand, whatever is tried: chips, pots, turns and refusals."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer_assist.betting import (
    Action,
    ActionRefused,
    BettingState,
    HandSetup,
    Post,
    Settlement,
    act,
    award,
    fold_out_of_turn,
    gathered_pots,
    hand_over,
    kill,
    legal,
    live,
    next_street,
    pending,
    pots,
    round_complete,
    showdown_order,
    start,
    uncalled,
    unfold,
    unfold_fund,
    unfold_refusal,
    verify,
    with_straddle,
)

KINDS = ("fold", "check", "call", "bet", "raise", "all_in")
#: More steps than any hand of these stacks needs: nobody can raise more often than there are chips.
MANY = 2000


@st.composite
def setups(draw: st.DrawFn) -> HandSetup:
    """Any seats, stacks, posts and limits, most stacks too small for what is wanted."""
    seats = tuple(draw(st.lists(st.integers(1, 11), min_size=2, max_size=11, unique=True)))
    big = draw(st.integers(1, 12))
    stacks = tuple(draw(st.lists(st.integers(1, 60), min_size=len(seats), max_size=len(seats))))
    kinds = st.sampled_from(
        ("ante", "small_blind", "big_blind", "straddle", "dead", "button_blind", "unfold_ante", "kill")
    )
    post = st.builds(Post, st.sampled_from(seats), st.integers(0, 15), kinds)
    posts = tuple(draw(st.lists(post, max_size=8)))
    unit = draw(st.sampled_from((1, 1, 5)))
    straddle = draw(st.sampled_from(("whole", "difference")))
    setup = HandSetup(
        seats,
        seats[-1],
        stacks,
        posts,
        big,
        unit,
        structure=draw(st.sampled_from(("no_limit", "pot_limit", "fixed_limit"))),
        straddle_raise=straddle,
        small_bet=draw(st.sampled_from((0, 0, 3))),
        big_bet=draw(st.sampled_from((0, 0, 7))),
        max_bets=draw(st.integers(1, 5)),
        uncapped_headsup=draw(st.sampled_from(("never", "players_left", "round_starts"))),
        half_raise=draw(st.booleans()),
        round_small_blind=draw(st.booleans()),
        first_street=draw(st.sampled_from((0, 0, 1))),
        kill=draw(st.sampled_from((0, 0, 2 * big))),
        straddle=draw(st.sampled_from(("none", "under_the_gun", "under_the_gun_or_button", "any_seat"))),
        restraddle=draw(st.booleans()),
    )
    for seat in draw(st.lists(st.sampled_from(seats), max_size=3)):
        after = with_straddle(setup, seat, draw(st.sampled_from((0, 0, 25))))
        if isinstance(after, HandSetup):
            setup = after
    return setup


def check_state(state: BettingState) -> None:
    total = sum(state.setup.stacks)
    back = sum(amount for _, amount in state.returned)
    excess = uncalled(state)
    formed = pots(state)
    assert sum(state.stacks) + sum(state.contributed) + unfold_fund(state) == total
    assert min(state.stacks) >= 0 and min(state.bets) >= 0 and back >= 0
    assert sum(pot.amount for pot in formed) + (excess[1] if excess else 0) == sum(state.contributed)
    assert sum(pot.amount for pot in gathered_pots(state)) == sum(state.contributed) - sum(state.bets)
    alive = live(state)
    for pot in formed:
        assert pot.amount > 0
        assert pot.eligible and set(pot.eligible) <= set(alive)
        assert list(pot.eligible) == [seat for seat in state.setup.seats if seat in pot.eligible]
    assert len({pot.eligible for pot in formed}) == len(formed)
    assert sorted(showdown_order(state)) == sorted(alive)
    waiting = pending(state)
    assert (state.to_act is None) == round_complete(state) == (not waiting) == (legal(state) is None)
    if waiting:
        assert waiting[0] == state.to_act
        assert not any(
            state.is_folded(seat) or state.is_all_in(seat) or not state.stack_of(seat) for seat in waiting
        )
    if hand_over(state):
        assert not waiting


def check_legal(state: BettingState) -> None:
    options = legal(state)
    assert options is not None
    seat = options.seat
    assert 0 <= options.call <= state.stack_of(seat)
    assert options.can_check == (verify(state, Action(seat, "check")) is None) == (options.call == 0)
    assert (options.call > 0) == (verify(state, Action(seat, "call")) is None)
    assert verify(state, Action(seat, "fold")) is None
    if options.can_raise:
        assert options.min_to is not None and options.max_to is not None
        assert options.pot_to is not None and options.half_pot_to is not None
        assert state.current_bet < options.min_to <= options.half_pot_to <= options.pot_to <= options.max_to
        if state.setup.structure == "fixed_limit":
            assert options.min_to == options.max_to
        for to in (options.min_to, options.max_to, options.pot_to, options.half_pot_to):
            assert verify(state, Action(seat, "raise", to)) is None
        for to in (options.min_to - 1, options.max_to + 1):
            assert verify(state, Action(seat, "raise", to)) is not None
    else:
        assert options.min_to is None and options.max_to is None and options.pot_to is None
        assert verify(state, Action(seat, "raise", state.bet_of(seat) + state.stack_of(seat) + 1)) is not None


@settings(deadline=None, max_examples=120)
@given(setups(), st.data())
def test_every_hand_keeps_its_chips_and_ends(setup: HandSetup, data: st.DataObject) -> None:
    state = start(setup)
    check_state(state)
    choose = data.draw(st.randoms(use_true_random=False))
    for _ in range(MANY):
        if state.to_act is None:
            if hand_over(state) or state.street == 3:
                break
            if choose.random() < 0.1:
                state = kill(state, choose.choice(live(state)))
            elif choose.random() < 0.3 and (buyers := _buyers(state)):
                state = unfold(state, choose.choice(buyers))
            else:
                state = next_street(state)
        elif choose.random() < 0.05 and not hand_over(state):
            state = kill(state, choose.choice(live(state)))
        elif choose.random() < 0.3 and (buyers := _buyers(state)):
            state = unfold(state, choose.choice(buyers))
        elif choose.random() < 0.05:
            state = fold_out_of_turn(state, choose.choice(live(state)))
        else:
            check_legal(state)
            # Anything may be tried; what is refused leaves another try.
            to = choose.choice((None, choose.randint(-1, 70)))
            action = Action(choose.choice((state.to_act, state.to_act, 1)), choose.choice(KINDS), to)
            refusal = verify(state, action)
            if refusal is not None:
                with pytest.raises(ActionRefused) as refused:
                    act(state, action)
                assert refused.value.refusal == refusal
                continue
            after = act(state, action)
            assert after.log[-1].seat == state.to_act
            assert after != state
            state = after
        check_state(state)
    else:
        raise AssertionError("the hand does not end")
    if len(live(state)) > 1 and choose.random() < 0.2:
        state = kill(state, choose.choice(live(state)))
        check_state(state)
    boards = [{seat: choose.randint(1, 3) for seat in live(state)} for _ in range(choose.randint(1, 3))]
    fund = {seat: choose.randint(1, 3) for seat in setup.seats}
    check_settlement(state, award(state, boards, 0, fund))
    assert len(boards) > 1 or award(state, boards, 0, fund) == award(state, boards[0], 0, fund)


def check_settlement(state: BettingState, outcome: object) -> None:
    setup = state.setup
    assert isinstance(outcome, Settlement)
    assert sum(outcome.stacks.values()) == sum(setup.stacks)
    assert min(outcome.stacks.values()) >= 0
    assert set(outcome.awards) <= set(live(state))
    assert sum(outcome.awards.values()) == sum(each.pot.amount for each in outcome.pots)
    assert sum(each.pot.amount for each in outcome.fund) + sum(
        amount for _, amount in outcome.fund_returned
    ) == unfold_fund(state)
    for each in (*outcome.pots, *outcome.fund):
        assert sum(each.shares) == each.pot.amount
        assert set(each.winners) <= set(each.pot.eligible)
        assert max(each.shares) - min(each.shares) < 2 * setup.unit
    for number, pot in enumerate(pots(state)):
        parts = [each for each in outcome.pots if each.number == number]
        assert sum(each.pot.amount for each in parts) == pot.amount
        assert [each.board for each in parts] in ([0], [1, 2], [1, 2, 3])
        # Every odd chip, and what is less than a chip, is the first board's (WLA 217).
        spread = max(each.pot.amount for each in parts) - min(each.pot.amount for each in parts)
        assert spread < len(parts) * setup.unit


def _buyers(state: BettingState) -> list[int]:
    return [seat for seat in state.setup.seats if unfold_refusal(state, seat) is None]


@settings(deadline=None, max_examples=60)
@given(setups(), st.data())
def test_actions_without_folds_go_round_and_stop(setup: HandSetup, data: st.DataObject) -> None:
    """The round ends only when every live seat has the bet matched or is all-in."""
    state = start(setup)
    choose = data.draw(st.randoms(use_true_random=False))
    while state.to_act is not None:
        options = legal(state)
        assert options is not None
        if options.can_raise and choose.random() < 0.3:
            assert options.min_to is not None and options.max_to is not None
            state = act(state, Action(options.seat, "raise", choose.choice((options.min_to, options.max_to))))
        else:
            state = act(state, Action(options.seat, "check" if options.can_check else "call"))
    facing = [bet for bet, shoved in zip(state.bets, state.all_in, strict=True) if not shoved]
    if len(facing) > 1:
        assert set(facing) == {state.current_bet}
    elif facing:
        assert facing[0] >= min(state.current_bet, max(state.bets))
