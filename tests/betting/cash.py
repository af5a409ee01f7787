"""Cash hands as the simulator deals them, replayed by the betting alone; and their side pots counted another way."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import msgspec

from dealer_assist.betting import (
    Action,
    BettingState,
    HandSetup,
    Post,
    Settlement,
    act,
    award,
    hand_over,
    hand_rank,
    live,
    next_street,
    start,
)
from hw_sim import steps as st
from hw_sim.houses import Habits
from hw_sim.ohh import load_ohh

SAMPLE = Path(__file__).parents[1] / "data" / "cash_sample.ohh.jsonl"
WHOLE = Path(__file__).parents[3] / "shared" / "data" / "cash.ohh.jsonl"
#: As a cash room plays: the raise over a straddle is what the straddle was more than the blind; two or three boards where all agree.
ROOM = Habits(run_it=3)


@lru_cache(maxsize=2)
def cash_hands(path: Path, habits: Habits = ROOM) -> tuple[st.Hand, ...]:
    """The hands of a file."""
    return tuple(load_ohh(path, habits))


def replayed(hand: st.Hand) -> tuple[BettingState, Settlement]:
    """Post, act and deal as the hand's steps say; settle by the hands that are tabled, on each of its boards."""
    state = start(_setup(hand))
    order = hand.seats()
    deck = list(hand.deck)
    holes: dict[int, list[str]] = {seat: [] for seat in order}
    boards: dict[str, list[str]] = {"board": []}
    tabled: set[int] = set()
    for step in hand.steps:
        match step:
            case st.DealRest():
                for _ in range(2):
                    for seat in order:
                        holes[seat].append(deck.pop(0))
            case st.Burn():
                deck.pop(0)
            case st.Board(count, zone=zone):
                if zone == "board":
                    state = next_street(state)
                board = boards.setdefault(zone, boards["board"][: 5 - _to_come(hand, zone)])
                board += [deck.pop(0) for _ in range(count)]
            case st.Tap({"kind": "act", "seat": seat, "action": kind, **rest}):
                state = act(state, Action(seat, kind, rest.get("to"), ruled=rest.get("ruled", False)))
            case st.Tap({"kind": "tabled", "seat": seat}):
                tabled.add(seat)
            case _:
                pass
    assert hand_over(state) or (state.to_act is None and state.street == 3), "the betting is not over"
    if hand_over(state):
        outcome = award(state, {})
    else:
        outcome = award(state, [_strength(holes, board, tabled) for board in boards.values()])
    assert isinstance(outcome, Settlement)
    return state, outcome


def _setup(hand: st.Hand) -> HandSetup:
    stacks = {record["seat"]: record["stack"] for record in hand.opening["seats"]}
    posts = tuple([msgspec.convert(post, Post) for post in hand.posts()])
    order = hand.seats()
    return HandSetup(
        order,
        hand.opening["button"],
        tuple([stacks[seat] for seat in order]),
        posts,
        hand.big_blind,
        small_blind=hand.small_blind,
    )


def _to_come(hand: st.Hand, zone: str) -> int:
    return sum(step.count for step in hand.steps if isinstance(step, st.Board) and step.zone == zone)


def _strength(holes: dict[int, list[str]], board: list[str], tabled: Iterable[int]) -> dict[int, int]:
    return {seat: hand_rank(holes[seat], board) for seat in tabled}


def side_pots(
    state: BettingState, returned: dict[int, int], dead: dict[int, int]
) -> list[tuple[int, frozenset[int]]]:
    """Amount and who can win it, main pot first: each chip of a seat goes to those who put in as many, dead posts to all.

    From the actions alone, one chip level after the other; written without a look at how the betting does it.
    """
    staked = dict.fromkeys(state.setup.seats, 0)
    for post in state.setup.posts:
        if post.kind != "dead":
            stack = dict(zip(state.setup.seats, state.setup.stacks, strict=True))[post.seat]
            staked[post.seat] += min(post.amount, stack)
    for taken in state.log:
        staked[taken.seat] += taken.added
    for seat, amount in returned.items():
        staked[seat] -= amount
    alive = set(live(state))
    found: dict[frozenset[int], int] = {}
    last = frozenset(alive)
    levels = sorted({0, *staked.values()})
    for low, high in pairwise(levels):
        payers = {seat for seat, chips in staked.items() if chips >= high}
        can_win = frozenset(payers & alive) or last
        last = can_win
        found[can_win] = found.get(can_win, 0) + (high - low) * len(payers)
    main = max(found, key=len, default=frozenset(alive))
    if sum(dead.values()):
        found[main] = found.get(main, 0) + sum(dead.values())
    return [(amount, who) for who, amount in sorted(found.items(), key=lambda each: -len(each[0]))]
