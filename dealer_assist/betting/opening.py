"""The start of a hand: set-up checked, posts taken, first seat to act."""

from __future__ import annotations

from dealer_assist.betting.structure import least_bet
from dealer_assist.betting.turn import first_pending
from dealer_assist.betting.values import LAST_STREET, BadSetup, BettingState, HandSetup, UnfoldFund


def start(setup: HandSetup) -> BettingState:
    """Take the posts and find the first seat to act. Raises :class:`BadSetup`.

    First is the seat left of the big blind, or of the highest full straddle, wherever that sits: with the button's the small blind
    (WLA 22); with no live post (antes only) or a button blind the seat left of the button. The first ``big_blind`` posted is the big
    blind, later ones are live posts of new players. A short big blind or kill does not lower what the others owe (WLA 154). The killer
    acts in his turn (RROP kill pots 2). When the betting begins on a later street, live posts are chips of the pot. What nobody else
    could pay of the largest ante goes back at once.
    """
    _check(setup)
    seats = setup.seats
    count = len(seats)
    stacks = list(setup.stacks)
    bets, antes, dead, fund = [0] * count, [0] * count, [0] * count, [0] * count
    current_bet = 0
    last_full_raise = max(setup.big_blind, setup.kill)
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
        if kind == "unfold_ante":
            fund[index] += paid
            continue
        bets[index] += paid
        live = index
        before = max(current_bet, setup.big_blind)
        current_bet = max(before, bets[index])
        if kind in {"big_blind", "button_blind"}:
            if big < 0:
                big = index
        elif kind == "kill":
            current_bet = max(current_bet, setup.kill)
        elif kind == "straddle" and paid == post.amount and current_bet > before:
            straddler = index
            # Whole: a straddle is a larger big blind. Difference: it is a raise of the bet before it.
            by = current_bet if setup.straddle_raise == "whole" else current_bet - before
            last_full_raise = max(last_full_raise, by)
    unmatched = _unmatched_ante(setup, antes)
    for index, amount in unmatched:
        antes[index] -= amount
        stacks[index] += amount
    after = straddler if straddler >= 0 else big if big >= 0 else live
    folded = acted = (False,) * count
    all_in = tuple([stack == 0 for stack in stacks])
    contributed = tuple([whole - rest for whole, rest in zip(setup.stacks, stacks, strict=True)])
    if any(fund):
        contributed = tuple([put - kept for put, kept in zip(contributed, fund, strict=True)])
    street = setup.first_street
    if street:
        bets, current_bet, after = [0] * count, 0, -1
    if street or setup.structure == "fixed_limit":
        last_full_raise = least_bet(setup, street)
    in_front = tuple(bets)
    turn = first_pending(in_front, folded, all_in, acted, current_bet, after + 1)
    return BettingState(
        setup,
        street,
        tuple(stacks),
        in_front,
        contributed,
        folded,
        all_in,
        acted,
        None if turn is None else seats[turn],
        current_bet,
        last_full_raise,
        None,
        tuple(antes),
        tuple(dead),
        tuple([(seats[index], amount) for index, amount in unmatched]),
        street_starts=(0,) * (street + 1),
        bets_made=1 if current_bet else 0,
        fund=UnfoldFund(tuple(fund)) if any(post.kind == "unfold_ante" for post in setup.posts) else None,
    )


def _unmatched_ante(setup: HandSetup, antes: list[int]) -> tuple[tuple[int, int], ...]:
    """Index and amount of what one seat anted more than any other could: nobody can win it, and it is not raked.

    An ante that one seat pays for all is matched by nobody, and is the pot's.
    """
    if len({post.seat for post in setup.posts if post.kind == "ante"}) < 2:
        return ()
    *_, second, top = sorted(antes)
    return ((antes.index(top), top - second),) if top > second else ()


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
    if setup.max_bets < 1 or min(setup.small_bet, setup.big_bet, setup.small_blind, setup.kill) < 0:
        raise BadSetup(
            "bad_limits", small_bet=setup.small_bet, big_bet=setup.big_bet, max_bets=setup.max_bets
        )
    if not 0 <= setup.first_street <= LAST_STREET:
        raise BadSetup("no_such_street", first_street=setup.first_street)
    if setup.button in seats and setup.button != seats[-1]:
        raise BadSetup("button_not_last", button=setup.button, seats=seats)
    for post in setup.posts:
        if post.seat not in seats:
            raise BadSetup("post_of_absent_seat", seat=post.seat)
        if post.amount < 0:
            raise BadSetup("negative_post", seat=post.seat, amount=post.amount)
