"""One action at a time: what is refused and why, folds out of turn, streets, and the record of actions."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dealer_assist.betting import (
    Action,
    ActionRefused,
    Refusal,
    Taken,
    act,
    fold_out_of_turn,
    hand_over,
    legal,
    live,
    next_street,
    pending,
    pots,
    round_complete,
    uncalled,
    verify,
)
from tests.betting.kit import options, play, settled, table


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        (Action(1, "call"), Refusal("not_to_act", {"to_act": 3})),
        (Action(99, "fold"), Refusal("not_to_act", {"to_act": 3})),
        (Action(3, "check"), Refusal("no_check", {"call": 2})),
        (Action(3, "raise"), Refusal("amount_missing")),
        (Action(3, "bet", 3), Refusal("below_minimum", {"min_to": 4})),
        (Action(3, "raise", 2), Refusal("below_minimum", {"min_to": 4})),
        (Action(3, "raise", -5), Refusal("below_minimum", {"min_to": 4})),
        (Action(3, "raise", 101), Refusal("above_stack", {"max_to": 100})),
        (Action(3, "call", 5), Refusal("call_is", {"call": 2, "to": 2})),
    ],
)
def test_refused_with_a_code_and_what_would_do(action: Action, refusal: Refusal) -> None:
    state = table(100, 100, 100)
    assert verify(state, action) == refusal
    with pytest.raises(ActionRefused) as caught:
        act(state, action)
    assert caught.value.refusal == refusal


def test_call_of_nothing_is_not_a_call() -> None:
    state = play(table(100, 100, 100), "3 call", "1 call")
    assert verify(state, Action(2, "call")) == Refusal("nothing_to_call")


def test_no_action_when_nobody_is_to_act() -> None:
    closed = play(table(100, 100, 100), "3 call", "1 call", "2 check")
    assert legal(closed) is None
    assert verify(closed, Action(1, "check")) == Refusal("round_complete")
    over = play(table(100, 100, 100), "3 fold", "1 fold")
    assert verify(over, Action(2, "check")) == Refusal("hand_complete")
    run_out = table(100, 1)
    assert verify(run_out, Action(1, "check")) == Refusal("hand_complete")


def test_bet_and_raise_mean_the_same() -> None:
    state = table(100, 100, 100)
    assert play(state, "3 bet 6") == play(state, "3 raise 6")
    assert play(state, "3 bet 6").log[-1].kind == "raise"


def test_raise_to_the_whole_stack_is_all_in_whatever_its_size() -> None:
    short = table(100, 100, 3)
    raised, shoved = play(short, "3 raise 3"), play(short, "3 all_in")
    assert shoved.log[-1].declared
    assert not raised.log[-1].declared
    assert replace(raised, log=()) == replace(shoved, log=())
    assert play(short, "3 raise 3").is_all_in(3)


def test_all_in_below_the_bet_is_a_call() -> None:
    state = play(table(100, 100, 100, 5), "3 raise 10")
    for line in ("4 all_in", "4 call", "4 raise 5"):
        done = play(state, line)
        declared = line == "4 all_in"
        assert done.log[-1] == Taken(4, "call", 5, 5, all_in=True, street=0, declared=declared)
        assert done.current_bet == 10
        assert done.aggressor == 3


def test_call_takes_what_the_stack_has() -> None:
    state = play(table(100, 100, 100, 5), "3 raise 10")
    assert options(state).call == 5
    assert not options(state).can_raise


def test_fold_out_of_turn_binds_and_the_turn_stays() -> None:
    """TDA 58."""
    state = play(table(100, 100, 100, 100), "1 fold!")
    assert state.to_act == 3
    assert pending(state) == (3, 4, 2)
    assert state.log[-1] == Taken(1, "fold", 1, 0, all_in=False, street=0, in_turn=False)
    assert play(state, "3 fold", "4 raise 6").to_act == 2


def test_fold_out_of_turn_of_the_seat_to_act_is_in_turn() -> None:
    state = table(100, 100, 100)
    assert fold_out_of_turn(state, 3) == act(state, Action(3, "fold"))


def test_fold_out_of_turn_can_end_the_hand_and_the_turn() -> None:
    state = play(table(100, 100, 100), "3 call", "2 fold!", "3 fold!")
    assert hand_over(state)
    assert state.to_act is None
    assert live(state) == (1,)


def test_nobody_folds_twice_or_after_the_hand() -> None:
    state = play(table(100, 100, 100), "3 fold")
    for seat in (3, 9):
        with pytest.raises(ActionRefused) as caught:
            fold_out_of_turn(state, seat)
        assert caught.value.refusal == Refusal("not_in_hand", {"seat": seat})
    with pytest.raises(ActionRefused) as caught:
        fold_out_of_turn(play(state, "1 fold"), 2)
    assert caught.value.refusal == Refusal("hand_complete")


def test_folded_bet_of_a_killed_hand_still_has_to_be_called() -> None:
    """The first bettor's hand is killed: the others owe his bet; what nobody calls goes back to him (TDA 65)."""
    flop = play(table(100, 100, 100), "3 call", "1 call", "2 check", "next")
    state = play(flop, "1 bet 20", "1 fold!")
    assert state.to_act == 2
    assert options(state).call == 20
    assert settled(play(state, "2 call", "3 fold")).awards == {2: 46}
    outcome = settled(play(state, "2 fold"))
    assert outcome.returned == ((1, 20),)
    assert outcome.awards == {3: 6}


def test_what_a_folded_blind_has_too_much_is_the_pots() -> None:
    state = play(table(100, 100, 100), "3 fold", "2 fold!")
    assert uncalled(state) is None
    assert settled(state).awards == {1: 3}


def test_seat_left_alone_with_all_in_players_by_a_fold_out_of_turn_owes_only_what_it_can_win() -> None:
    state = play(table(100, 100, 100, 6), "3 raise 20", "4 all_in", "1 fold")
    assert options(state).call == 18
    assert options(play(state, "3 fold!")).call == 18, "the folded raise can still be matched, and won"


def test_streets_begin_left_of_the_button_and_gather_the_bets() -> None:
    state = play(table(100, 100, 100, 100), "3 raise 6", "4 call", "1 fold", "2 call", "next")
    assert (state.street, state.to_act, state.current_bet) == (1, 2, 0)
    assert state.bets == (0, 0, 0, 0)
    assert state.contributed == (1, 6, 6, 6)
    assert options(state).min_to == 2
    assert pending(state) == (2, 3, 4)


def test_next_street_waits_for_the_betting_and_ends_with_the_river() -> None:
    state = table(100, 100)
    with pytest.raises(ActionRefused) as caught:
        next_street(state)
    assert caught.value.refusal == Refusal("betting_open", {"to_act": 2})
    state = play(state, "2 call", "1 check")
    for _ in range(3):
        state = play(state, "next", "1 check", "2 check")
    assert verify(state, Action(1, "check")) == Refusal("hand_complete")
    with pytest.raises(ActionRefused) as caught:
        next_street(state)
    assert caught.value.refusal == Refusal("hand_complete")
    with pytest.raises(ActionRefused):
        next_street(play(table(100, 100), "2 fold"))


def test_uncalled_bet_goes_back_before_the_next_street() -> None:
    """Table stakes: 500 against an all-in of 200."""
    state = play(table(200, 900, blinds=(5, 10)), "2 raise 500", "1 all_in")
    assert uncalled(state) == (2, 300)
    assert [pot.amount for pot in pots(state)] == [400]
    state = play(state, "next")
    assert state.stacks == (0, 700)
    assert state.returned == ((2, 300),)
    assert uncalled(state) is None
    assert [pot.amount for pot in pots(state)] == [400]
    outcome = settled(play(state, "next", "next"), {1: 1, 2: 2})
    assert outcome.returned == ((2, 300),)
    assert outcome.awards == {1: 400}
    assert outcome.stacks == {1: 400, 2: 700}


def test_nothing_is_uncalled_while_a_seat_has_to_act() -> None:
    assert uncalled(play(table(100, 100, 100), "3 raise 10")) is None


def test_bettor_with_chips_is_not_asked_again_when_all_callers_are_all_in() -> None:
    state = play(table(20, 100, 30), "3 all_in", "1 all_in", "2 call")
    assert round_complete(state)
    assert play(state, "next").to_act is None


def test_log_tells_the_actions_of_each_street() -> None:
    state = play(table(100, 100, 4), "3 call", "1 call", "2 check", "next", "1 bet 10")
    state = act(state, Action(2, "fold", assumed=True))
    state = play(state, "3 call")
    assert state.actions_on(0) == (
        Taken(3, "call", 2, 2, all_in=False, street=0),
        Taken(1, "call", 2, 1, all_in=False, street=0),
        Taken(2, "check", 2, 0, all_in=False, street=0),
    )
    assert state.actions_on(1) == (
        Taken(1, "bet", 10, 10, all_in=False, street=1),
        Taken(2, "fold", 0, 0, all_in=False, street=1, assumed=True),
        Taken(3, "call", 2, 2, all_in=True, street=1),
    )
    assert state.actions_on(2) == ()
    assert state.actions_on(0) + state.actions_on(1) == state.log


def test_questions_about_one_seat() -> None:
    state = play(table(100, 100, 3), "3 all_in", "1 fold")
    assert (state.stack_of(2), state.bet_of(2), state.is_folded(1), state.is_all_in(3)) == (98, 2, True, True)


def test_state_survives_json() -> None:
    """The journal keeps states as JSON."""
    import msgspec

    from dealer_assist.betting import BettingState

    state = play(table(100, 50, 100, 7, ante=1), "3 raise 8", "4 all_in", "1 fold", "2 call")
    assert msgspec.json.decode(msgspec.json.encode(state), type=BettingState) == state
