"""The same questions answered another way: slowly, chip by chip, from the record of the hand alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dealer_assist.betting import BettingState, HandSetup
from dealer_assist.betting.structure import bet_size


def may_raise_again(state: BettingState) -> bool:
    """TDA 47 by walking the street's record: has the bet grown by a full raise since the seat to act acted?

    For a seat to act that has acted on this street. A straddle raises by what the house says if it is paid in full. In limit half a
    bet is a full raise where the house says so.
    """
    setup = state.setup
    left = dict(zip(setup.seats, setup.stacks, strict=True))
    bet, full = 0, max(setup.big_blind, setup.kill)
    for post in setup.posts:
        paid = min(post.amount, left[post.seat])
        left[post.seat] -= paid
        if state.street or post.kind in {"ante", "dead", "small_blind"}:
            continue
        before = max(bet, setup.big_blind)
        bet = max(before, setup.kill if post.kind == "kill" else paid)
        if post.kind == "straddle" and paid == post.amount:
            full = max(full, bet if setup.straddle_raise == "whole" else bet - before)
    seen: dict[int, int] = {}
    for taken in state.actions_on(state.street):
        if taken.to > bet and taken.kind in {"bet", "raise"}:
            full = max(full, taken.to - bet)
            bet = taken.to
        seen[taken.seat] = bet
    assert state.to_act is not None
    grown = bet - seen[state.to_act]
    if setup.structure == "fixed_limit":
        return grown * (2 if setup.half_raise else 1) >= bet_size(setup, state.street)
    return grown >= full


def has_acted(state: BettingState) -> bool:
    """Whether the seat to act has acted on this street."""
    return any(taken.seat == state.to_act for taken in state.actions_on(state.street))


def chip_by_chip(
    setup: HandSetup,
    stakes: Mapping[int, int],
    antes: Mapping[int, int],
    folded: set[int],
    strengths: Sequence[Mapping[int, int]],
    common: int = 0,
) -> dict[int, int]:
    """What each seat gets back in all, uncalled chips included: every level of one unit is a pot of its own, joined by who can win it.

    Antes uniform and paid first; ``common``: chips of one for all (a big-blind ante, dead posts), which belong to every live seat.
    ``strengths``: one a board; the odd chips of a pot are the first board's (WLA 217).
    Unit 1. A level that only one seat reached is its own again.
    """
    live = [seat for seat in setup.seats if seat not in folded]
    if len(live) == 1:
        return {live[0]: sum(stakes.values()) + sum(antes.values()) + common}
    joined: dict[tuple[int, ...], int] = {tuple(live): common}
    for chips in (antes, stakes):
        for level in range(max(chips.values(), default=0)):
            there = [seat for seat in setup.seats if chips.get(seat, 0) > level]
            winners = tuple([seat for seat in there if seat not in folded])
            key = winners or next(reversed(joined))
            joined[key] = joined.get(key, 0) + len(there)
    got: dict[int, int] = {}
    for can_win, amount in joined.items():
        if len(can_win) == 1:
            got[can_win[0]] = got.get(can_win[0], 0) + amount
            continue
        for board, strength in enumerate(strengths):
            tabled = [seat for seat in can_win if seat in strength]
            best = [s for s in tabled if strength[s] == min(strength[t] for t in tabled)]
            part = amount // len(strengths) + (0 if board else amount % len(strengths))
            for chip in range(part):
                seat = best[chip % len(best)]
                got[seat] = got.get(seat, 0) + 1
    return got
