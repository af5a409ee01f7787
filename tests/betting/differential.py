"""Random hands of no-limit hold'em, pot-limit Omaha and limit hold'em, played by our engine and by PokerKit side by side.

``python -m tests.betting.differential 20000 [0 [pot_limit]]`` plays that many, from that seed, and prints in how many of them each
known deviation of PokerKit showed. Where PokerKit deviates, :mod:`tests.betting.oracle` decides instead:

- D1: behind a short big blind PokerKit asks only for what was posted: such hands are compared in the settlement alone.
- D2, D3, D4: PokerKit's reopening: our answer must then be the walked record's.
- Idle check: PokerKit asks the last seat with chips to check to opponents who are all all-in; there is nothing to decide.
- Idle raise: PokerKit refuses a raise that no opponent has the chips to match; at a table it is made, and comes back.
- D6: PokerKit gives every odd chip to one winner, and joins pots once the hands between them are beaten: our settlement must be
  the chip-by-chip one, always; PokerKit's may differ by less than a chip a pot and winner among seats that tie.
- 54-B: before the flop PokerKit's pot holds a short small blind as it is; TDA 54-B counts it in full.
- Blind bet: PokerKit does not count the big blind as the first bet of a limited round.
- Half bets: PokerKit lets every all-in of a limited round count as a raise and never completes one: on such a street only calls
  are compared, and raises where both make the same one.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from typing import Any

from pokerkit import Automation, FixedLimitTexasHoldem, Mode, NoLimitTexasHoldem, PotLimitOmahaHoldem

from dealer_assist.betting import (
    Action,
    BettingState,
    HandSetup,
    Legal,
    Post,
    Settlement,
    StructureName,
    Use,
    act,
    award,
    blinds_and_antes,
    hand_over,
    hand_rank,
    legal,
    live,
    next_street,
    no_more_betting,
    pots,
    start,
    verify,
)
from dealer_assist.betting.structure import STRUCTURES
from dealer_assist.domain.cards import STANDARD_52
from tests.betting.oracle import chip_by_chip, has_acted, may_raise_again

AUTOMATIONS = tuple(
    set(Automation) - {Automation.CARD_BURNING, Automation.HOLE_DEALING, Automation.BOARD_DEALING}
)


class Difference(AssertionError):
    """The engines disagree where PokerKit is right as far as we know."""


def random_setup(rng: random.Random, structure: StructureName = "no_limit") -> HandSetup:
    """2 to 9 seats, small blinds of half, less or the whole of the big one, antes and a straddle at times, many short stacks."""
    count = rng.randint(2, 9)
    big = rng.choice((2, 10, 25, 100))
    # Heads-up with equal blinds PokerKit takes the wrong seat for the button.
    small = rng.choice((big // 2, max(1, big // 3), big // 2 if count == 2 else big))
    ante = rng.choice((0, 0, 0, 1, big // 2, big))
    depth = rng.choice((2, 6, 20, 200))
    stacks = tuple(
        [rng.randint(1, depth * big) if rng.random() < 0.8 else rng.randint(1, 3 * big) for _ in range(count)]
    )
    seats = tuple(sorted(rng.sample(range(1, 12), count)))
    turn = rng.randrange(count)
    seats = seats[turn:] + seats[:turn]
    posts = blinds_and_antes(seats, small, big, ante)
    # PokerKit has no limit straddle: it would raise by the whole of it.
    if count > 3 and rng.random() < 0.15 and structure != "fixed_limit":
        posts = (*posts, Post(seats[2], 2 * big, "straddle"))
    return HandSetup(seats, seats[-1], stacks, posts, big, structure=structure)


def random_action(rng: random.Random, options: Legal) -> Action:
    """A legal action: often a call, raises from the least to all-in."""
    dice = rng.random()
    if options.can_raise and dice < 0.35:
        assert options.min_to is not None and options.max_to is not None
        most = options.max_to
        kind = rng.choice(("least", "some", "some", "all"))
        to = options.min_to
        if kind == "some":
            to = min(most, options.min_to + int(rng.expovariate(1) * (options.pot or 1)))
        return Action(options.seat, "raise", most if kind == "all" else to)
    if options.can_check:
        return Action(options.seat, "check")
    return Action(options.seat, "fold" if dice > 0.8 else "call")


def short_blind(setup: HandSetup) -> bool:
    """D1: the big blind or a straddle is posted by a stack that does not cover it."""
    left = dict(zip(setup.seats, setup.stacks, strict=True))
    for post in setup.posts:
        left[post.seat] -= post.amount
        if left[post.seat] < 0 and post.kind in {"big_blind", "straddle"}:
            return True
    return False


def play_one(seed: int, seen: Counter[str], structure: StructureName = "no_limit") -> None:
    """Play one random hand in both; raise :class:`Difference` with its seed where they differ and PokerKit is right."""
    rng = random.Random(seed)
    met: Counter[str] = Counter()
    setup = random_setup(rng, structure)
    deck = list(STANDARD_52)
    rng.shuffle(deck)
    try:
        if short_blind(setup):
            met["D1"] += 1
            _finish(setup, _play_alone(rng, setup), deck)
        else:
            _play_both(rng, setup, deck, met)
    except AssertionError as error:
        raise Difference(f"seed {seed}: {setup}: {error}") from error
    seen.update(set(met))


def _play_alone(rng: random.Random, setup: HandSetup) -> BettingState:
    state = start(setup)
    while True:
        options = legal(state)
        if options is not None:
            if (
                setup.structure != "fixed_limit"
                and has_acted(state)
                and not any(post.kind == "straddle" for post in setup.posts)
            ):
                able = options.call < state.stack_of(options.seat) and not _alone(state)
                assert options.can_raise == (able and may_raise_again(state)), "reopening"
            state = act(state, random_action(rng, options))
        elif hand_over(state) or state.street == 3:
            return state
        else:
            state = next_street(state)


def _alone(state: BettingState) -> bool:
    return len(live(state)) - state.all_in.count(True) < 2


def _idle_raise(state: BettingState) -> bool:
    """Whether none of the others who could act has more than what is bet already."""
    others = [
        bet + stack
        for seat, bet, stack, out in zip(
            state.setup.seats, state.bets, state.stacks, state.folded, strict=True
        )
        if not out and seat != state.to_act
    ]
    return max(others) <= state.current_bet


def _theirs(setup: HandSetup) -> Any:
    wanted = {"small_blind": 0, "big_blind": 0}
    blinds = [0] * len(setup.seats)
    ante = 0
    for post in setup.posts:
        if post.kind == "ante":
            ante = post.amount
        else:
            wanted[post.kind] = post.amount
            blinds[setup.seats.index(post.seat)] = post.amount
    # Heads-up PokerKit reads its blinds as small, big and swaps them; index 0 is the big blind there as here.
    forced = (wanted["small_blind"], wanted["big_blind"]) if len(blinds) == 2 else tuple(blinds)
    big, rest = setup.big_blind, (setup.stacks, len(blinds))
    if setup.structure == "fixed_limit":
        return FixedLimitTexasHoldem.create_state(
            AUTOMATIONS, True, ante, forced, big, 2 * big, *rest, mode=Mode.CASH_GAME
        )
    game = NoLimitTexasHoldem if setup.structure == "no_limit" else PotLimitOmahaHoldem
    return game.create_state(AUTOMATIONS, True, ante, forced, big, *rest, mode=Mode.CASH_GAME)


def _hole(setup: HandSetup, deck: list[str], index: int) -> list[str]:
    count = 4 if setup.structure == "pot_limit" else 2
    return deck[count * index : count * (index + 1)]


def _half_bets(state: BettingState) -> bool:
    """Whether this limited round has an all-in bet or raise, which PokerKit treats by no-limit's rules."""
    return state.setup.structure == "fixed_limit" and any(
        taken.all_in and taken.kind in {"bet", "raise"} for taken in state.actions_on(state.street)
    )


def _short_small_blind(setup: HandSetup, state: BettingState) -> bool:
    if setup.structure != "pot_limit" or state.street:
        return False
    post = next((post for post in setup.posts if post.kind == "small_blind"), None)
    return post is not None and state.bet_of(post.seat) < post.amount


def _play_both(rng: random.Random, setup: HandSetup, deck: list[str], seen: Counter[str]) -> None:
    ours, theirs = start(setup), _theirs(setup)
    for index in range(len(setup.seats)):
        theirs.deal_hole("".join(_hole(setup, deck, index)))
    board = deck[-5:]
    while True:
        options = legal(ours)
        if options is None:
            if theirs.actor_index is not None and no_more_betting(ours):
                seen["idle check"] += 1
                assert theirs.checking_or_calling_amount == 0
                theirs.check_or_call()
            assert theirs.actor_index is None, f"we wait for nobody, PokerKit for index {theirs.actor_index}"
            if hand_over(ours) or ours.street == 3:
                break
            ours = next_street(ours)
            theirs.burn_card("??")
            cards = board[:3] if ours.street == 1 else board[ours.street + 1 : ours.street + 2]
            theirs.deal_board("".join(cards))
            continue
        assert theirs.actor_index is not None, f"we wait for seat {options.seat}, PokerKit for nobody"
        assert setup.seats[theirs.actor_index] == options.seat, "whose turn"
        assert theirs.checking_or_calling_amount == options.call, "to call"
        assert sum(theirs.bets) == sum(ours.bets), "in front"
        they_may = theirs.can_complete_bet_or_raise_to()
        if options.can_raise and not they_may and _idle_raise(ours):
            seen["idle raise"] += 1
        elif (
            they_may != options.can_raise
            and ours.bets_made == 4
            and ours.street == 0
            and not _half_bets(ours)
        ):
            assert setup.structure == "fixed_limit" and not options.can_raise, "the cap"
            seen["blind bet"] += 1
        elif they_may != options.can_raise and _half_bets(ours):
            seen["half bets"] += 1
        elif they_may != options.can_raise:
            assert setup.structure != "fixed_limit", "raising allowed"
            assert has_acted(ours), "raising allowed"
            assert may_raise_again(ours) == options.can_raise, "reopening"
            seen["D2-D4"] += 1
        action = random_action(rng, options)
        if action.kind == "raise" and not they_may:
            action = Action(action.seat, "call")
        if options.can_raise and they_may:
            least = theirs.min_completion_betting_or_raising_to_amount
            most = theirs.max_completion_betting_or_raising_to_amount
            assert options.max_to is not None
            if _half_bets(ours) and (least, most) != (options.min_to, options.max_to):
                seen["half bets"] += 1
                action = Action(action.seat, "call") if action.kind == "raise" else action
            else:
                assert least == options.min_to, "least raise"
                if _short_small_blind(setup, ours) and most != options.max_to:
                    assert 0 < options.max_to - most <= setup.big_blind, "54-B"
                    seen["54-B"] += 1
                    if action.kind == "raise" and action.to is not None and action.to > most:
                        action = Action(action.seat, "raise", most)
                else:
                    assert most == options.max_to, "most"
        assert verify(ours, action) is None
        ours = act(ours, action)
        if action.kind == "fold":
            theirs.fold()
        elif action.kind == "raise":
            theirs.complete_bet_or_raise_to(action.to)
        else:
            theirs.check_or_call()
    outcome = _finish(setup, ours, deck)
    assert not theirs.status, "PokerKit's hand is not over"
    paid = dict(zip(setup.seats, theirs.stacks, strict=True))
    if paid == outcome.stacks:
        return
    tied = {seat for each in outcome.pots if len(each.winners) > 1 for seat in each.winners}
    slack = sum(len(each.winners) for each in outcome.pots)
    for seat, stack in outcome.stacks.items():
        assert abs(stack - paid[seat]) < slack if seat in tied else stack == paid[seat], (
            f"{outcome.stacks} is not {paid}"
        )
    seen["D6"] += 1


def _finish(setup: HandSetup, state: BettingState, deck: list[str]) -> Settlement:
    """Settle the hand and hold it against the chip-by-chip oracle."""
    hands = {seat: _hole(setup, deck, index) for index, seat in enumerate(setup.seats)}
    use: Use = "two_and_three" if setup.structure == "pot_limit" else "any"
    strength = (
        {seat: hand_rank(hands[seat], deck[-5:], use) for seat in live(state)} if len(live(state)) > 1 else {}
    )
    outcome = award(state, strength)
    assert isinstance(outcome, Settlement)
    before = dict(zip(setup.seats, setup.stacks, strict=True))
    back: Counter[int] = Counter()
    for seat, amount in state.returned:
        back[seat] += amount
    antes = dict(zip(setup.seats, state.antes, strict=True))
    total = dict(zip(setup.seats, state.contributed, strict=True))
    stakes = {seat: total[seat] + back[seat] - antes[seat] for seat in setup.seats}
    folded = set(setup.seats) - set(live(state))
    expected = chip_by_chip(setup, stakes, antes, folded, strength)
    for seat in setup.seats:
        put_in = stakes[seat] + antes[seat]
        assert outcome.stacks[seat] == before[seat] - put_in + expected.get(seat, 0), "settlement"
    assert sum(outcome.stacks.values()) == sum(setup.stacks), "chips"
    assert sum(each.pot.amount for each in outcome.pots) == sum(outcome.awards.values()), "pots"
    assert tuple(each.pot for each in reversed(outcome.pots)) == pots(state)
    assert hand_over(state) or no_more_betting(state) or state.street == 3
    return outcome


def main(count: int, first: int = 0, structure: StructureName = "no_limit") -> None:
    """Play ``count`` hands, print what was seen, and fail at the first difference."""
    seen: Counter[str] = Counter()
    for seed in range(first, first + count):
        play_one(seed, seen, structure)
    print(
        f"{count} hands, seeds {first} to {first + count - 1}: no difference. PokerKit's deviations met: {dict(seen)}"
    )


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:3]]
    limits: dict[str, StructureName] = {
        name: name for name in STRUCTURES
    }  # a name of the command line, checked
    main(*(numbers or [1000]), structure=limits[sys.argv[3]] if len(sys.argv) > 3 else "no_limit")
