"""Random hands of every game, played by our engine and by PokerKit side by side, every decision compared.

``python -m tests.betting.differential 20000 [0]`` (``make differential``) plays that many, from that seed, on all cores, and prints at how
many decisions something was waived, and in how many hands each known deviation of PokerKit showed. What is waived, and how narrowly,
says :mod:`tests.betting.pokerkit_side`; what our engine settles is besides held against the chip-by-chip oracle, always.
"""

from __future__ import annotations

import multiprocessing
import random
import sys
import time
from collections import Counter

from dealer_assist.betting import (
    Action,
    BettingState,
    Settlement,
    StructureName,
    act,
    award,
    hand_over,
    legal,
    live,
    next_street,
    no_more_betting,
    pots,
    start,
    verify,
)
from tests.betting.games import Game, GameName, random_action, random_game
from tests.betting.oracle import chip_by_chip
from tests.betting.pokerkit_side import Beside

#: Hands that a worker plays before it reports.
PART = 100


class Difference(AssertionError):
    """The engines disagree where PokerKit is right as far as we know."""


def play_one(seed: int, seen: Counter[str], only: tuple[GameName, StructureName] | None = None) -> None:
    """Play one random hand in both; raise :class:`Difference` with its seed where they differ and PokerKit is right."""
    rng = random.Random(seed)
    game = random_game(rng, only)
    try:
        play_both(rng, game, seen)
    except AssertionError as error:
        raise Difference(f"seed {seed}: {game.name} {game.setup}: {error}") from error


def play_both(rng: random.Random, game: Game, seen: Counter[str]) -> None:
    """Play ``game`` in both. ``seen``: hands, decisions, and hands and decisions in which a waiver was needed."""
    met: Counter[str] = Counter()
    ours, theirs = start(game.setup), Beside(game, met)
    theirs.deal()
    while True:
        options = legal(ours)
        if options is None:
            theirs.nobody_to_act(ours)
            if hand_over(ours) or ours.street == 3:
                break
            ours = next_street(ours)
            theirs.next_street(ours)
            continue
        seen["decisions"] += 1
        waived = met.total()
        if theirs.skips(ours, options):
            seen["decisions with a waiver"] += 1
            ours = act(ours, Action(options.seat, "check"))
            continue
        may_raise = theirs.compare(ours, options)
        seen["decisions with a waiver"] += met.total() > waived
        action = random_action(rng, options)
        if action.kind == "raise" and not _follows(theirs, ours, action, may_raise):
            action = Action(action.seat, "check" if options.can_check else "call")
        assert verify(ours, action) is None
        after = act(ours, action)
        theirs.act(ours, action, after, may_raise)
        ours = after
    strengths = game.strengths(live(ours)) if len(live(ours)) > 1 else [{}]
    outcome = settle(game, ours, strengths)
    assert not theirs.state.status, "PokerKit's hand is not over"
    paid = dict(zip(game.setup.seats, theirs.state.stacks, strict=True))
    if paid != outcome.stacks:
        assert paid == theirs.expected(ours, strengths), f"{outcome.stacks} is not {paid}"
        met["D6"] += 1
    seen["hands"] += 1
    for name in met:
        seen[name] += 1


def _follows(theirs: Beside, ours: BettingState, action: Action, may_raise: bool) -> bool:
    """Whether PokerKit can make this raise, or it is an idle one, which its call stands for."""
    if may_raise:
        return bool(theirs.state.can_complete_bet_or_raise_to(action.to))
    index = theirs.state.actor_index
    return all(total <= max(theirs.state.bets) for _, total in theirs._totals(ours, index))


def settle(game: Game, state: BettingState, strengths: list[dict[int, int]]) -> Settlement:
    """Settle the hand and hold it against the chip-by-chip oracle."""
    setup = game.setup
    outcome = award(state, strengths)
    assert isinstance(outcome, Settlement)
    before = dict(zip(setup.seats, setup.stacks, strict=True))
    back: Counter[int] = Counter()
    for seat, amount in state.returned:
        back[seat] += amount
    antes = dict(zip(setup.seats, state.antes, strict=True))
    apart = {seat: ante + dead for seat, ante, dead in zip(setup.seats, state.antes, state.dead, strict=True)}
    total = dict(zip(setup.seats, state.contributed, strict=True))
    stakes = {seat: total[seat] + back[seat] - apart[seat] for seat in setup.seats}
    payers = {post.seat for post in setup.posts if post.kind == "ante"}
    common = sum(state.dead)
    if len(payers) == 1:
        common, antes = common + sum(antes.values()), {}
    folded = set(setup.seats) - set(live(state))
    expected = chip_by_chip(setup, stakes, antes, folded, strengths, common)
    for seat in setup.seats:
        put_in = stakes[seat] + apart[seat]
        assert outcome.stacks[seat] == before[seat] - put_in + expected.get(seat, 0), "settlement"
    assert sum(outcome.stacks.values()) == sum(setup.stacks), "chips"
    assert sum(each.pot.amount for each in outcome.pots) == sum(outcome.awards.values()), "pots"
    assert sum(pot.amount for pot in pots(state)) == sum(outcome.awards.values())
    assert hand_over(state) or no_more_betting(state) or state.street == 3
    return outcome


def play_some(seeds: range) -> Counter[str]:
    """Play the hands of these seeds; what was seen."""
    seen: Counter[str] = Counter()
    for seed in seeds:
        play_one(seed, seen)
    return seen


def main(count: int, first: int = 0) -> None:
    """Play ``count`` hands, print what was seen, and fail at the first difference."""
    seen: Counter[str] = Counter()
    begin = time.perf_counter()
    parts = [range(at, min(at + PART, first + count)) for at in range(first, first + count, PART)]
    with multiprocessing.get_context("spawn").Pool() as workers:
        for number, part in enumerate(workers.imap_unordered(play_some, parts), 1):
            seen += part
            if not number % 20:
                print(f"{seen['hands']} hands", flush=True)
    hands, decisions, waived = (seen.pop(name) for name in ("hands", "decisions", "decisions with a waiver"))
    print(
        f"{hands} hands, seeds {first} to {first + count - 1}, in {time.perf_counter() - begin:.0f} s: no difference. "
        f"{decisions} decisions, {waived} of them ({waived / decisions:.1%}) with a waiver. "
        f"Hands with each: {dict(sorted(seen.items()))}"
    )


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:3]]
    main(*(numbers or [1000]))
