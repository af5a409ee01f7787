"""What holds at any table: 2 to 11 seats, every game, every house, and everything that a floor may put right in between.

Hands start as the table starts them (posts, limits, kill and house parameters by :mod:`dealer_assist.table.opening`); what a seat does is
drawn, and so are straddles, rulings, dead hands, folds out of turn, hands bought back, stacks counted anew or not known, rake and drops.
"""

from __future__ import annotations

import random
from typing import Final

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from dealer_assist.betting import (
    Action,
    ActionRefused,
    AmountRules,
    BettingState,
    Drop,
    HandSetup,
    Pushed,
    RakeSchedule,
    Settlement,
    act,
    award,
    fold_out_of_turn,
    gathered_pots,
    hand_over,
    house_take,
    kill,
    legal,
    live,
    next_street,
    pots,
    rebase,
    recount,
    ruled_amount,
    start,
    straddle_offers,
    uncalled,
    unfold,
    unfold_fund,
    unfold_refusal,
    verify,
    with_straddle,
)
from dealer_assist.composition import load_game, load_house
from dealer_assist.domain.table import HandOpening, Limits, SeatStack
from dealer_assist.procedure.game import Game
from dealer_assist.procedure.house import House
from dealer_assist.table.opening import Rules, deal_order, hand_setup

HOUSES: Final = ("seed", "roberts", "tda2024", "wsop_cash", "wsop_tournament")
GAMES: Final = (
    "nlhe",
    "plhe",
    "flhe",
    "omaha",
    "short",
    "flopmania",
    "bomb_pot",
    "split",
    "unfold",
)
#: No hand of these stacks has more steps: nobody can raise more often than there are chips.
MANY: Final = 3000


def opened(rng: random.Random, house: House, game: Game) -> HandSetup:
    """A hand as the table opens it; most stacks are too short for what is wanted, some are not known."""
    count = rng.randint(2, min(11, game.max_seats))
    seats = sorted(rng.sample(range(1, 12), count))
    big = rng.choice((2, 10, 25))
    limits = Limits(
        rng.choice((big // 2, big)),
        big,
        rng.choice((0, 0, 1, big)),
        rng.choice(("each", "big_blind", "button")),
        kill=rng.choice(("", "", "half", "full")) if game.betting == "fixed_limit" else "",
        chips=rng.choice(((), (1, 5, 25), (5, 25, 100))),
    )
    known = rng.random() < 0.8
    stacks = tuple(
        [
            SeatStack(
                seat, rng.randint(1, rng.choice((3, 30)) * big) if known or rng.random() < 0.6 else None
            )
            for seat in seats
        ]
    )
    button = rng.choice(range(1, 12)) if rng.random() < 0.2 else rng.choice(seats)
    opening = HandOpening("1", button, stacks)
    if limits.kill and rng.random() < 0.5:
        opening = replace(opening, kill=limits.kill, killer=rng.choice(seats))
    rules = Rules(house, game, limits)
    setup = hand_setup(opening, deal_order(opening), rules)
    for _ in range(rng.choice((0, 0, 1, 3))):
        offers = straddle_offers(setup)
        if offers:
            offer = rng.choice(offers)
            found = with_straddle(setup, offer.seat, rng.choice((0, offer.least, offer.most)))
            setup = found if isinstance(found, HandSetup) else setup
    if rng.random() < 0.5:
        drops = (Drop("jackpot", rng.randint(0, 3), rng.randint(0, 50), rng.random() < 0.5),)
        schedule = RakeSchedule(
            rng.choice((0, 500, 1000, 10_000)),
            rng.choice((None, 0, 3)),
            rng.choice((1, 5)),
            rng.random() < 0.5,
            ((3, 2),),
            drops if rng.random() < 0.5 else (),
        )
        setup = replace(setup, rake=schedule)
    return setup


def check(state: BettingState) -> None:
    """Chips are conserved, none is negative, every pot has somebody who can win it, and the turn is somebody's who can act."""
    excess = uncalled(state)
    formed = pots(state)
    assert sum(state.stacks) + sum(state.contributed) + unfold_fund(state) == sum(state.setup.stacks)
    assert min((*state.stacks, *state.bets, *state.contributed)) >= 0
    assert sum(pot.amount for pot in formed) + (excess[1] if excess else 0) == sum(state.contributed)
    assert sum(pot.amount for pot in gathered_pots(state)) == sum(state.contributed) - sum(state.bets)
    alive = set(live(state))
    assert alive
    for pot in formed:
        assert pot.amount > 0 and pot.eligible and set(pot.eligible) <= alive
    if state.to_act is not None:
        assert state.to_act in alive and state.stack_of(state.to_act) > 0
        assert len(alive) > 1


def acted(rng: random.Random, state: BettingState) -> BettingState:
    """The seat to act does something, or what it said and pushed is read."""
    options = legal(state)
    assert options is not None
    seat, dice = options.seat, rng.random()
    whole = state.bet_of(seat) + state.stack_of(seat)
    top = min(whole, 5000)
    if dice > 0.9:
        chips = tuple([rng.choice((1, 5, 25)) for _ in range(rng.randint(0, 4))])
        said = rng.choice(("", "check", "call", "bet", "raise", "all_in"))
        found = ruled_amount(
            AmountRules(), state, Pushed(seat, said, rng.choice((None, rng.randint(0, top))), chips)
        )
        action = getattr(found, "action", None)
        if action is not None:
            # As the table takes it: what was counted is put right first.
            counted, behind = recount(state, action, counted=True)
            if counted:
                state = rebase(state, seat, behind)
            action = Action(seat, "all_in") if action.kind == "all_in" else action
            if verify(state, action) is None:
                return act(state, action)
    if dice > 0.85:
        wrong = Action(seat, "raise", rng.randint(0, top), ruled=True)
        if verify(state, wrong) is None:
            return act(state, wrong)
    if options.can_raise and dice > 0.5:
        assert options.min_to is not None
        most = options.min_to if options.max_to is None else options.max_to
        return act(
            state,
            Action(seat, "raise", rng.choice((options.min_to, most, rng.randint(options.min_to, most)))),
        )
    if options.can_check:
        return act(state, Action(seat, "check"))
    return act(state, Action(seat, "fold" if 0.35 < dice < 0.5 else "call"))


def corrected(rng: random.Random, state: BettingState) -> BettingState:
    """Something that is found wrong, or is done out of turn; what is refused leaves the hand as it is."""
    seat = rng.choice(state.setup.seats)
    kind = rng.choice(("kill", "fold", "count", "lost count", "unfold"))
    try:
        if kind == "kill":
            return kill(state, seat)
        if kind == "fold":
            return fold_out_of_turn(state, seat)
        if kind == "unfold":
            return unfold(state, seat) if unfold_refusal(state, seat) is None else state
        return rebase(state, seat, rng.randint(0, 80) if kind == "count" else None)
    except ActionRefused:
        return state


def settled(rng: random.Random, state: BettingState) -> None:
    """The settlement conserves what is there: contributions are pots, rake, drops and what goes back."""
    alive = live(state)
    boards = rng.choice((1, 1, 2, 3))
    strengths = [{seat: rng.randint(1, 3) for seat in alive} for _ in range(boards)]
    fund = {seat: rng.randint(1, 3) for seat in state.setup.seats}
    given_up = tuple(rng.sample(alive, rng.randint(0, len(alive) - 1))) if boards == 1 else ()
    for seat in given_up:
        del strengths[0][seat]
    rake, drops = house_take(state, flop_seen=state.street > 0)
    outcome = award(state, strengths, rake, fund, drops=drops, given_up=given_up)
    assert isinstance(outcome, Settlement)
    taken = outcome.rake + sum(amount for _, amount in outcome.drops)
    in_pots = sum(each.pot.amount for each in outcome.pots)
    excess = uncalled(state)
    assert (outcome.rake, outcome.drops) == (rake, drops)
    assert sum(outcome.awards.values()) + taken == in_pots
    assert in_pots + (excess[1] if excess else 0) == sum(state.contributed)
    assert set(outcome.awards) <= set(alive)
    assert min([*outcome.stacks.values(), *outcome.awards.values(), taken]) >= 0
    known = set(state.setup.seats) - set(state.setup.unknown)
    assert set(outcome.stacks) == known
    if known == set(state.setup.seats):
        assert sum(outcome.stacks.values()) + taken == sum(state.setup.stacks)
    for each in outcome.pots:
        assert set(each.winners) <= set(each.pot.eligible) and each.winners


@pytest.mark.parametrize("house", HOUSES)
# Without the phase that explains: it traces every line.
@settings(deadline=None, max_examples=25, phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink))
@given(rng=st.randoms(use_true_random=False))
def test_any_hand_of_any_game_ends_with_its_chips(house: str, rng: random.Random) -> None:
    play_out(rng, load_house(house), load_game(rng.choice(GAMES)))


def play_out(rng: random.Random, house: House, game: Game) -> None:
    """One hand, checked at every step."""
    state = start(opened(rng, house, game))
    check(state)
    for _ in range(MANY):
        if rng.random() > 0.92:  # rare things are large numbers, so that Hypothesis shrinks to plain hands
            state = corrected(rng, state)
        elif state.to_act is not None:
            state = acted(rng, state)
        elif hand_over(state) or state.street == 3:
            break
        else:
            state = next_street(state)
        check(state)
    else:
        raise AssertionError("the hand does not end")
    settled(rng, state)
