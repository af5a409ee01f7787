"""Straddles: blinds that a player posts of his own will before the first action, as the house allows them.

A straddle is live, its seat acts last before the flop and the seat left of it first; with the button's straddle that is the small
blind (WLA 22). Amounts are the seat's total in front, a blind of its own included.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from dealer_assist.betting.posts import in_front
from dealer_assist.betting.values import HandSetup, Post, Refusal


class StraddleOffer(msgspec.Struct, frozen=True):
    """A seat that may straddle now, the least total that it takes, and the most: the same where the house knows one size."""

    seat: int
    least: int
    most: int


@lru_cache(maxsize=8)
def straddle_offers(setup: HandSetup) -> tuple[StraddleOffer, ...]:
    """The seats that may straddle now and for how much; the button behind the first seat to act.

    Kept from one call to the next: a screen asks at every card of the deal.
    """
    if setup.straddle == "none" or all(post.kind != "big_blind" for post in setup.posts):
        return ()
    offers = []
    for seat in _seats(setup, _standing(setup)):
        found = _offer(setup, seat)
        if isinstance(found, StraddleOffer):
            offers.append(found)
    return tuple(offers)


def with_straddle(setup: HandSetup, seat: int, amount: int = 0) -> HandSetup | Refusal:
    """The hand with one straddle more, or why there is none. ``amount``: total in front; 0 for twice the bet before it.

    Where one straddle is allowed, the button's comes before that of the first seat to act, which it takes off (WLA 22).
    Codes: no_straddles, no_blinds_to_straddle, straddle_not_from_here (seat), straddle_stands (by), straddle_is (amount),
    straddle_at_least (amount), straddle_above_stack (amount, stack).
    """
    offer = _offer(setup, seat)
    if isinstance(offer, Refusal):
        return offer
    if amount == 0:
        amount = offer.least
    if amount < offer.least or (amount > offer.most and offer.most == offer.least):
        exact = offer.most == offer.least
        return Refusal("straddle_is" if exact else "straddle_at_least", {"amount": offer.least})
    if amount > offer.most:
        return Refusal("straddle_above_stack", {"amount": amount, "stack": offer.most})
    posts = _before(setup, seat)
    posts = (*posts, Post(seat, amount - in_front(posts, seat), "straddle"))
    return msgspec.structs.replace(setup, posts=posts)


def _offer(setup: HandSetup, seat: int) -> StraddleOffer | Refusal:
    if setup.straddle == "none":
        return Refusal("no_straddles")
    if setup.first_street or all(post.kind != "big_blind" for post in setup.posts):
        return Refusal("no_blinds_to_straddle")
    standing = _standing(setup)
    if standing and not setup.restraddle and not _takes_off(setup, seat):
        return Refusal("straddle_stands", {"by": standing[-1]})
    if seat not in _seats(setup, standing):
        return Refusal("straddle_not_from_here", {"seat": seat})
    posts = _before(setup, seat)
    least = 2 * _level(setup, posts)
    index = setup.seats.index(seat)
    whole = setup.stacks[index] - sum(
        [post.amount for post in posts if post.seat == seat and post.kind in {"ante", "dead", "unfold_ante"}]
    )
    if whole < least:
        return Refusal("straddle_above_stack", {"amount": least, "stack": max(0, whole)})
    free = setup.straddle == "any_seat" and setup.structure != "fixed_limit"
    return StraddleOffer(seat, least, whole if free else least)


def _seats(setup: HandSetup, standing: tuple[int, ...]) -> tuple[int, ...]:
    """The seats that may be the next to straddle, whatever their chips."""
    if setup.straddle == "any_seat":
        return tuple([seat for seat in setup.seats if seat not in standing[-1:]])
    seats = setup.seats
    # the first big blind is the hand's, later ones are live posts of who enters
    big = next(seats.index(post.seat) for post in setup.posts if post.kind == "big_blind")
    # a chain of re-straddles goes on to the left and ends before the blinds
    in_chain = [seat for seat in standing if seat != _button(setup)]
    following = seats[((seats.index(in_chain[-1]) if in_chain else big) + 1) % len(seats)]
    blinds = {post.seat for post in setup.posts if post.kind == "small_blind"} | {seats[big]}
    ends = following in standing or (following in blinds and len(seats) > 2)
    chain = () if ends else (following,)
    button = _button(setup)
    if setup.straddle == "under_the_gun" or button is None or button in (*chain, *standing):
        return chain
    return (*chain, button)


def _button(setup: HandSetup) -> int | None:
    """The seat of the button, where it may straddle for being the button: not in limit games (WSOP live action), not when it is dead."""
    if setup.straddle != "under_the_gun_or_button" or setup.structure == "fixed_limit":
        return None
    return setup.button if setup.button == setup.seats[-1] else None


def _takes_off(setup: HandSetup, seat: int) -> bool:
    """Whether ``seat`` has the button and its straddle takes off the one that stands: that of the first seat to act."""
    standing = _standing(setup)
    return len(standing) == 1 and seat == _button(setup) and seat not in standing and not setup.restraddle


def _before(setup: HandSetup, seat: int) -> tuple[Post, ...]:
    """The posts that a straddle of ``seat`` comes after."""
    if _takes_off(setup, seat):
        return tuple([post for post in setup.posts if post.kind != "straddle"])
    return setup.posts


def _standing(setup: HandSetup) -> tuple[int, ...]:
    return tuple([post.seat for post in setup.posts if post.kind == "straddle"])


def _level(setup: HandSetup, posts: tuple[Post, ...]) -> int:
    """The bet before the next straddle."""
    kill = setup.kill if any(post.kind == "kill" for post in posts) else 0
    return max([setup.big_blind, kill, *[in_front(posts, post.seat) for post in posts]])
