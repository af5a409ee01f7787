"""The forced bets of a hand in the order in which they are taken: antes, blinds, posts of who enters, the kill, straddles.

The order decides what a short stack pays first. Who owes what between the hands is the seating's matter; here it becomes posts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from dealer_assist.betting.values import Post
from dealer_assist.domain.table import LIVE_POSTS, Entering, Kill, Limits

PostsKind = Literal["blinds", "antes", "antes_and_button_blind", "unfold"]


class Killer(msgspec.Struct, frozen=True):
    """The seat that kills the pot, and by how much the limits go up."""

    seat: int
    kill: Kill


def usual_blinds(order: Sequence[int]) -> tuple[int | None, int]:
    """The seats of the small and the big blind where nobody is missing. Heads-up the button, last, has the small one (TDA 34-B)."""
    return (order[1], order[0]) if len(order) == 2 else (order[0], order[1])


def forced_bets(
    kind: PostsKind,
    order: Sequence[int],
    limits: Limits,
    *,
    button: int | None = None,
    blinds: tuple[int | None, int] | None = None,
    entering: Sequence[Entering] = (),
    killer: Killer | None = None,
    unit: int = 1,
) -> tuple[Post, ...]:
    """The forced bets of a hand, in the order in which they are taken.

    ``order``: the dealt-in seats clockwise, the first left of the button first. ``button``: the seat that has it, None where it stands at
    a seat that is not dealt in (dead button). ``blinds``: the seats of the small and the big blind, the small one None when it is dead;
    None: the usual ones. ``unit``: the smallest chip, in which a kill is rounded up.

    - blinds: the antes of all; small blind, big blind; a big-blind or button ante behind the blinds, so that a short stack covers its
      blind first (TDA RP-11; with a dead button nobody pays a button ante [inferred]); then each seat that enters, what is live
      before what is dead; then the kill.
    - antes: every seat antes and nothing else (Flopmania, bomb pot): nobody enters by a post, nobody kills.
    - antes_and_button_blind: the antes, then a blind of ``big_blind`` of the button (short deck; S000-18), of the last seat behind a
      dead one.
    - unfold: as blinds without an ante in the pot; then every seat's ante into the unfold fund.
    """
    each = tuple([Post(seat, limits.ante or limits.big_blind, "ante") for seat in order])
    if kind == "antes":
        return each
    if kind == "antes_and_button_blind":
        return (*each, Post(order[-1], limits.big_blind, "button_blind"))
    small, big = usual_blinds(order) if blinds is None else blinds
    posts: list[Post] = []
    if kind == "blinds" and limits.ante and limits.ante_kind == "each":
        posts += each
    if small is not None and limits.small_blind:
        posts.append(Post(small, limits.small_blind, "small_blind"))
    posts.append(Post(big, limits.big_blind, "big_blind"))
    if kind == "blinds" and limits.ante:
        payer = {"each": None, "big_blind": big, "button": button}[limits.ante_kind]
        if payer is not None and payer in order:
            posts.append(Post(payer, limits.ante, "ante"))
    for entry in entering:
        missing = entry.live - in_front(posts, entry.seat)
        if missing > 0:
            posts.append(Post(entry.seat, missing, "big_blind"))
        if entry.dead:
            posts.append(Post(entry.seat, entry.dead, "dead"))
    if killer is not None and killer.kill:
        missing = raised(limits.big_blind, killer.kill, unit) - in_front(posts, killer.seat)
        if missing > 0:
            posts.append(Post(killer.seat, missing, "kill"))
    if kind == "unfold" and limits.ante:
        posts += [Post(seat, limits.ante, "unfold_ante") for seat in order]
    return tuple(posts)


def entering_of(posts: Sequence[Post]) -> tuple[Entering, ...]:
    """Who entered with these posts, in their order, and with what: the later big blinds and the dead posts (:func:`forced_bets`)."""
    blinds = [post for post in posts if post.kind == "big_blind"]
    seats = dict.fromkeys(post.seat for post in posts if post in blinds[1:] or post.kind == "dead")
    live = {
        post.seat: in_front([each for each in posts if each.kind != "straddle"], post.seat)
        for post in blinds[1:]
    }
    dead = {post.seat: post.amount for post in posts if post.kind == "dead"}
    return tuple([Entering(seat, live.get(seat, 0), dead.get(seat, 0)) for seat in seats])


def blinds_and_antes(
    seats: Sequence[int], small_blind: int, big_blind: int, ante: int = 0
) -> tuple[Post, ...]:
    """The usual posts of ``seats``: antes of all, then the blinds. As :func:`forced_bets` without anything out of the ordinary."""
    return forced_bets("blinds", seats, Limits(small_blind, big_blind, ante))


def in_front(posts: Sequence[Post], seat: int) -> int:
    """What these posts ask of a seat that counts toward the bet."""
    return sum([post.amount for post in posts if post.seat == seat and post.kind in LIVE_POSTS])


def raised(amount: int, kill: Kill, unit: int = 1) -> int:
    """A bet of the limits as a kill makes it: twice, or one and a half times, rounded up to whole chips (RROP kill pots)."""
    if kill == "half":
        return -(-3 * amount // (2 * unit)) * unit
    return 2 * amount if kill else amount
