"""The same questions answered another way: slowly, chip by chip, from the record of the hand alone."""

from __future__ import annotations

from collections.abc import Mapping

from dealer_assist.betting import BettingState, HandSetup


def may_raise_again(state: BettingState) -> bool:
    """TDA 47 by walking the street's record: has the bet grown by a full raise since the seat to act acted?

    For a seat to act that has acted on this street, and straddles that were paid in full and are twice the big blind.
    """
    live_posts = [post for post in state.setup.posts if post.kind not in {"ante", "dead"}]
    bet = 0
    if state.street == 0 and live_posts:
        bet = max(state.setup.big_blind, *[post.amount for post in live_posts if post.kind == "straddle"], 0)
    full = state.setup.big_blind
    seen: dict[int, int] = {}
    for taken in state.actions_on(state.street):
        if taken.to > bet and taken.kind in {"bet", "raise"}:
            full = max(full, taken.to - bet)
            bet = taken.to
        seen[taken.seat] = bet
    assert state.to_act is not None
    return bet - seen[state.to_act] >= full


def has_acted(state: BettingState) -> bool:
    """Whether the seat to act has acted on this street."""
    return any(taken.seat == state.to_act for taken in state.actions_on(state.street))


def chip_by_chip(
    setup: HandSetup,
    stakes: Mapping[int, int],
    antes: Mapping[int, int],
    folded: set[int],
    strength: Mapping[int, int],
) -> dict[int, int]:
    """What each seat gets back in all, uncalled chips included: every level of one unit is a pot of its own, joined by who can win it.

    Antes uniform and paid first; unit 1. A level that only one seat reached is its own again.
    """
    live = [seat for seat in setup.seats if seat not in folded]
    if len(live) == 1:
        return {live[0]: sum(stakes.values()) + sum(antes.values())}
    joined: dict[tuple[int, ...], int] = {}
    for chips in (antes, stakes):
        for level in range(max(chips.values(), default=0)):
            there = [seat for seat in setup.seats if chips.get(seat, 0) > level]
            winners = tuple([seat for seat in there if seat not in folded])
            key = winners or next(reversed(joined))
            joined[key] = joined.get(key, 0) + len(there)
    got: dict[int, int] = {}
    for can_win, amount in joined.items():
        tabled = [seat for seat in can_win if seat in strength]
        best = (
            can_win
            if len(can_win) == 1
            else [s for s in tabled if strength[s] == min(strength[t] for t in tabled)]
        )
        for chip in range(amount):
            seat = best[chip % len(best)]
            got[seat] = got.get(seat, 0) + 1
    return got
