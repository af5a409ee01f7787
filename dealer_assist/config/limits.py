"""A table's stakes: what the keys of ``[limits]`` come to, and how they must fit together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from dealer_assist.domain.table import AnteKind, Kill, Limits

Chips = Annotated[int, msgspec.Meta(ge=0, le=10**12)]
Chip = Annotated[int, msgspec.Meta(ge=1, le=10**12)]


class LimitsSection(msgspec.Struct, frozen=True, kw_only=True):
    """Stakes in the smallest unit; ``max_seats`` is how many players the table takes.

    ``ante_kind``: each seat antes, or one of them pays the ante for all. ``small_bet``, ``big_bet``: of fixed-limit games; the blinds
    follow from the small bet where they are not given. ``bomb_ante``: what each seat antes in a bomb pot. ``kill``: the kill that the
    table plays; a key makes the next hand one. ``chips``: the kinds of chips in play; pots are split down to the smallest, or to the
    smallest of the blinds, as the house says.
    """

    small_blind: Chips | None = None
    big_blind: Chip | None = None
    ante: Chips = 0
    ante_kind: AnteKind = "each"
    small_bet: Chips = 0
    big_bet: Chips = 0
    bomb_ante: Chips = 0
    kill: Kill = ""
    max_seats: Annotated[int, msgspec.Meta(ge=2, le=11)] = 11
    chips: tuple[Chip, ...] = ()


def stakes(limits: LimitsSection) -> Limits:
    """The stakes as the table speaks of them.

    Where only the bets of a fixed-limit game are given, the big blind is the small bet and the small blind half of it, rounded down
    to whole chips (S000-05, S003-02).
    """
    big = limits.big_blind or limits.small_bet
    small = limits.small_blind
    if small is None:
        chip = min(limits.chips, default=1)
        small = big // 2 // chip * chip
    return Limits(
        small,
        big,
        limits.ante,
        ante_kind=limits.ante_kind,
        small_bet=limits.small_bet,
        big_bet=limits.big_bet,
        bomb_ante=limits.bomb_ante,
        kill=limits.kill,
        chips=limits.chips,
    )


def limit_mistakes(limits: LimitsSection) -> Iterator[tuple[str, str]]:
    """The keys that do not fit the others, each with what is expected of it."""
    big = limits.big_blind or limits.small_bet
    if not big:
        yield "big_blind", "the big blind, or small_bet of a fixed-limit table"
    if limits.small_blind is None and not limits.small_bet:
        yield "small_blind", "the small blind; 0 for none"
    if limits.small_blind is not None and big and limits.small_blind > big:
        yield "small_blind", f"at most the big blind of {big}"
    if limits.big_bet and not limits.small_bet:
        yield "big_bet", "small_bet beside it"
    if limits.big_bet and limits.big_bet < limits.small_bet:
        yield "big_bet", f"at least the small bet of {limits.small_bet}"
    if limits.ante_kind != "each" and not limits.ante:
        yield "ante_kind", "an ante above 0 that this seat pays"
    smallest = min(limits.chips, default=1)
    for key in ("small_blind", "big_blind", "ante", "small_bet", "big_bet", "bomb_ante"):
        if (getattr(limits, key) or 0) % smallest:
            yield key, f"a multiple of the smallest chip of {smallest}"
