"""Short ways to set up a hand and to play it: ``play(table(100, 100), "1 raise 6", "2 call", "next")``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dealer_assist.betting import (
    Action,
    BettingState,
    HandSetup,
    Legal,
    Post,
    Settlement,
    act,
    award,
    blinds_and_antes,
    fold_out_of_turn,
    legal,
    next_street,
    start,
)


def table(
    *stacks: int,
    blinds: tuple[int, int] = (1, 2),
    ante: int = 0,
    posts: tuple[Post, ...] | None = None,
    unit: int = 1,
    straddle_raise: str = "difference",
) -> BettingState:
    """A hand of seats 1, 2, … with these stacks; the last seat has the button. ``posts`` instead of blinds and antes."""
    seats = tuple(range(1, len(stacks) + 1))
    if posts is None:
        posts = blinds_and_antes(seats, *blinds, ante)
    return start(
        HandSetup(
            seats,
            seats[-1],
            stacks,
            posts,
            blinds[1],
            unit,
            straddle_raise=straddle_raise,  # type: ignore[arg-type]
        )
    )


def play(state: BettingState, *lines: str) -> BettingState:
    """Carry out lines such as "3 fold", "4 raise 20", "5 all_in", "6 fold!" (out of turn), "next"."""
    for line in lines:
        words = line.split()
        if words[0] == "next":
            state = next_street(state)
        elif words[1] == "fold!":
            state = fold_out_of_turn(state, int(words[0]))
        else:
            to = int(words[2]) if len(words) > 2 else None
            state = act(state, Action(int(words[0]), words[1], to))  # type: ignore[arg-type]
    return state


def options(state: BettingState) -> Legal:
    """What the seat to act may do; there must be one."""
    found = legal(state)
    assert found is not None
    return found


def settled(
    state: BettingState,
    strength: Mapping[int, int] | Sequence[Mapping[int, int]] | None = None,
    rake: int = 0,
) -> Settlement:
    """The settlement; there must be one."""
    outcome = award(state, {} if strength is None else strength, rake)
    assert isinstance(outcome, Settlement)
    return outcome
