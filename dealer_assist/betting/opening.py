"""The start of a hand: set-up checked, posts taken, first seat to act."""

from __future__ import annotations

from collections.abc import Sequence

from dealer_assist.betting.turn import first_pending
from dealer_assist.betting.values import BadSetup, BettingState, HandSetup, Post


def blinds_and_antes(
    seats: Sequence[int], small_blind: int, big_blind: int, ante: int = 0
) -> tuple[Post, ...]:
    """The usual posts for ``seats`` (clockwise, first left of the button first): antes of all, then the blinds.

    Heads-up the button, last in ``seats``, has the small blind (TDA 34-B, WLA 157). A dead small blind is the caller's matter.
    """
    small, big = (seats[1], seats[0]) if len(seats) == 2 else (seats[0], seats[1])
    antes = tuple(Post(seat, ante, "ante") for seat in seats) if ante else ()
    blinds = (Post(small, small_blind, "small_blind"), Post(big, big_blind, "big_blind"))
    return antes + tuple(post for post in blinds if post.amount)


def start(setup: HandSetup) -> BettingState:
    """Take the posts and find the first seat to act. Raises :class:`BadSetup`.

    First is the seat left of the big blind, or of the highest full straddle; with no live post (antes only) the seat left of the
    button. The first ``big_blind`` posted is the big blind, later ones are live posts of new players. A short big blind does
    not lower what the others owe (WLA 154).
    """
    _check(setup)
    seats = setup.seats
    count = len(seats)
    stacks = list(setup.stacks)
    bets, antes, dead = [0] * count, [0] * count, [0] * count
    current_bet = raised = 0
    last_full_raise = setup.big_blind
    straddler = big = live = -1
    for post in setup.posts:
        index = seats.index(post.seat)
        paid = min(post.amount, stacks[index])
        stacks[index] -= paid
        kind = post.kind
        if kind == "ante":
            antes[index] += paid
            continue
        if kind == "dead":
            dead[index] += paid
            continue
        bets[index] += paid
        live = index
        before = max(current_bet, setup.big_blind)
        current_bet = max(before, bets[index])
        if kind == "big_blind":
            if big < 0:
                big = index
        elif kind == "straddle" and bets[index] >= max(raised + 1, post.amount):
            straddler, raised = index, bets[index]
            # Whole: a straddle is a larger big blind. Difference: it is a raise of the bet before it.
            last_full_raise = max(
                last_full_raise, raised if setup.straddle_raise == "whole" else raised - before
            )
    after = straddler if straddler >= 0 else big if big >= 0 else live
    folded = acted = (False,) * count
    all_in = tuple([stack == 0 for stack in stacks])
    in_front = tuple(bets)
    turn = first_pending(in_front, folded, all_in, acted, current_bet, after + 1)
    return BettingState(
        setup,
        0,
        tuple(stacks),
        in_front,
        tuple([whole - rest for whole, rest in zip(setup.stacks, stacks, strict=True)]),
        folded,
        all_in,
        acted,
        None if turn is None else seats[turn],
        current_bet,
        last_full_raise,
        None,
        tuple(antes),
        tuple(dead),
    )


def _check(setup: HandSetup) -> None:
    seats = setup.seats
    if len(seats) < 2:
        raise BadSetup("too_few_seats", seats=seats)
    if len(set(seats)) != len(seats):
        raise BadSetup("seat_twice", seats=seats)
    if len(setup.stacks) != len(seats):
        raise BadSetup("stacks_do_not_match_seats", seats=seats, stacks=setup.stacks)
    if min(setup.stacks) < 1:
        raise BadSetup("no_chips", seat=seats[setup.stacks.index(min(setup.stacks))])
    if setup.big_blind < 1 or setup.unit < 1:
        raise BadSetup("not_positive", big_blind=setup.big_blind, unit=setup.unit)
    if setup.button in seats and setup.button != seats[-1]:
        raise BadSetup("button_not_last", button=setup.button, seats=seats)
    for post in setup.posts:
        if post.seat not in seats:
            raise BadSetup("post_of_absent_seat", seat=post.seat)
        if post.amount < 0:
            raise BadSetup("negative_post", seat=post.seat, amount=post.amount)
