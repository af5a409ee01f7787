"""What is offered to seats ahead of their turn is what they may do when those before them have folded, checked or called."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as hs
from msgspec.structs import replace

from dealer_assist.betting import Action, BettingState, act, ahead, legal, live, next_street, start, verify
from tests.betting.kit import play, table


def test_the_seats_behind_and_their_limits() -> None:
    state = play(table(100, 100, 40, 100, blinds=(5, 10)), "3 raise 20")
    assert state.to_act == 4
    assert [(can.seat, can.call, can.min_to, can.max_to) for can in ahead(state)] == [
        (1, 15, 30, 100),
        (2, 10, 30, 100),
    ]


def test_the_pot_is_that_of_the_calls_between_and_without_those_who_are_gone() -> None:
    state = play(table(500, 500, 500, 500, blinds=(5, 10)), "3 raise 20")
    # seat 4 calls 20: 55 lie there, 70 when seat 1 has called, so that the pot is a raise to 20 + 70
    assert [(can.seat, can.pot_to, can.half_pot_to) for can in ahead(state)] == [(1, 90, 55), (2, 100, 60)]
    assert [(can.seat, can.pot_to, can.half_pot_to) for can in ahead(state, gone=(4,))] == [
        (1, 70, 45),
        (2, 80, 50),
    ]


@pytest.mark.parametrize("structure", ["no_limit", "fixed_limit", "pot_limit"])
@settings(max_examples=60, deadline=None)
@given(hs.integers(0, 10**9))
def test_an_offer_holds_when_its_turn_comes(structure: str, seed: int) -> None:
    """The seats before it check or call; then it may do what was offered, to the chip. Folds between change no more than the pot."""
    rng = random.Random(seed)
    state = table(*[rng.randint(60, 800) for _ in range(rng.randint(3, 6))], blinds=(5, 10))
    state = start(replace(state.setup, structure=structure))
    for _ in range(40):
        if state.to_act is None:
            if len(live(state)) < 2 or state.street == 3:
                return
            state = next_street(state)
            continue
        for offered in ahead(state):
            called = _passively_to(state, offered.seat, rng, folds=False)
            assert called is not None
            assert legal(called) == offered
            mixed = _passively_to(state, offered.seat, rng, folds=True)
            can = None if mixed is None else legal(mixed)
            if can is None:
                continue
            assert (can.seat, can.can_check, can.call) == (offered.seat, offered.can_check, offered.call)
            assert structure == "pot_limit" or (can.min_to, can.max_to) == (offered.min_to, offered.max_to)
        can = legal(state)
        assert can is not None
        raising = can.min_to is not None and rng.random() < 0.35
        kind = "raise" if raising else "check" if can.can_check else rng.choice(("call", "fold"))
        action = Action(can.seat, kind, can.min_to if raising else None)  # type: ignore[arg-type]
        assert verify(state, action) is None
        state = act(state, action)


def _passively_to(state: BettingState, seat: int, rng: random.Random, *, folds: bool) -> BettingState | None:
    """The state in which it is this seat's turn, those before it having called, checked or folded; None where nobody is left to raise."""
    while state.to_act is not None and state.to_act != seat:
        can = legal(state)
        assert can is not None
        kind = "check" if can.can_check else rng.choice(("call", "call", "fold" if folds else "call"))
        state = act(state, Action(can.seat, kind))  # type: ignore[arg-type]
    others = [other for other in live(state) if other != seat and not state.is_all_in(other)]
    return state if state.to_act == seat and (others or not folds) else None
