"""Poker hand histories of the PHH kind, no-limit hold'em, replayed by our engine."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dealer_assist.betting import (
    Action,
    HandSetup,
    Post,
    Settlement,
    act,
    award,
    hand_over,
    hand_rank,
    legal,
    live,
    next_street,
    start,
)


def hands(path: Path) -> Iterator[dict[str, Any]]:
    """The hands of a .phhs file, one table at a time."""
    for block in path.read_text(encoding="utf-8").split("\n["):
        if "variant" in block:
            yield tomllib.loads(block.split("]", 1)[1])


def replay(hand: dict[str, Any]) -> Settlement:
    """Play the hand's actions and settle it, all live hands tabled. Player N sits in seat N, the last has the button."""
    count = len(hand["starting_stacks"])
    seats = tuple(range(1, count + 1))
    # Heads-up the source puts the big blind first, as we do, but names its blinds small, big.
    forced = hand["blinds_or_straddles"]
    kinds = ("small_blind", "big_blind")
    posts = tuple(
        [Post(seat, amount, kinds[seat - 1]) for seat, amount in zip(seats, forced, strict=True) if amount]
    )
    state = start(HandSetup(seats, count, tuple(hand["starting_stacks"]), posts, hand["min_bet"]))
    hole: dict[int, list[str]] = {}
    board: list[str] = []
    for line in hand["actions"]:
        words = line.split()
        if words[:2] == ["d", "dh"]:
            hole[int(words[2][1:])] = _cards(words[3])
        elif words[:2] == ["d", "db"]:
            board += _cards(words[2])
            state = next_street(state)
        elif words[1] != "sm":
            seat = int(words[0][1:])
            options = legal(state)
            assert options is not None and options.seat == seat, line
            if words[1] == "f":
                state = act(state, Action(seat, "fold"))
            elif words[1] == "cc":
                state = act(state, Action(seat, "check" if options.can_check else "call"))
            else:
                state = act(state, Action(seat, "raise", int(words[2])))
    assert hand_over(state) or (state.to_act is None and state.street == 3), "the betting is not over"
    strength = {} if hand_over(state) else {seat: hand_rank(hole[seat], board) for seat in live(state)}
    outcome = award(state, strength)
    assert isinstance(outcome, Settlement)
    return outcome


def _cards(text: str) -> list[str]:
    return [text[at : at + 2] for at in range(0, len(text), 2)]
