"""Kill pots and bomb pots: the table's limits as one hand changes them."""

from __future__ import annotations

from typing import TypedDict

from msgspec.structs import replace

from dealer_assist.betting import Killer, PostsKind
from dealer_assist.betting.posts import raised
from dealer_assist.domain.commands import OpenHand, Refused
from dealer_assist.domain.table import HandOpening, Limits
from dealer_assist.table.hand import Hand


class Bets(TypedDict):
    """The sizes of a hand's bets, as its set-up takes them."""

    small_bet: int
    big_bet: int
    kill: int


def limits_of(limits: Limits, *, bomb: bool) -> Limits:
    """The limits that the posts of a hand follow. ``bomb``: a hand of antes at a table that plays with blinds."""
    if not bomb:
        return limits
    each = limits.ante if limits.ante_kind == "each" else 0
    return replace(limits, ante=limits.bomb_ante or each or limits.big_blind)


def killer_of(opening: HandOpening) -> Killer | None:
    """The seat that kills this hand, if one does."""
    return Killer(opening.killer, opening.kill) if opening.kill and opening.killer is not None else None


def bets_of(limits: Limits, opening: HandOpening, unit: int) -> Bets:
    """The bets of a fixed-limit hand, 0 where the table says nothing of them, and the whole blind of a killer (RROP kill pots)."""
    if not opening.kill:
        return Bets(small_bet=limits.small_bet, big_bet=limits.big_bet, kill=0)
    small, big = limits.fixed_bets()
    return Bets(
        small_bet=raised(small, opening.kill, unit),
        big_bet=raised(big, opening.kill, unit),
        kill=raised(limits.big_blind, opening.kill, unit),
    )


def as_told(opening: HandOpening, command: OpenHand, last: Hand | None) -> HandOpening | Refused:
    """The opening by the game that the command names, and as a kill pot; what it says itself goes before.

    ``last``: the hand before; who won it kills where nobody is named.
    """
    if command.game and not opening.game:
        opening = replace(opening, game=command.game)
    if not command.kill or opening.kill:
        return opening
    killer = _winner(last) if command.killer is None else command.killer
    if killer is None or all(record.seat != killer for record in opening.seats):
        return Refused("no_killer")
    return replace(opening, kill=command.kill, killer=killer)


def refused(opening: HandOpening, kind: PostsKind) -> Refused | None:
    """Why the pot of such a hand cannot be killed."""
    if not opening.kill:
        return None
    if kind not in ("blinds", "unfold"):
        return Refused("no_blinds_to_kill")
    if all(record.seat != opening.killer for record in opening.seats):
        return Refused("no_killer")
    return None


def _winner(last: Hand | None) -> int | None:
    """Who won most of the last hand; nobody where the most was shared: then the kill button is neutral (RROP kill pots 1)."""
    if last is None or last.settlement is None or last.chips_back:
        return None
    awards = last.settlement.awards
    most = max(
        awards.values(), default=0
    )  # a big blind behind a dead small one that everybody folds to wins nothing
    seats = [seat for seat, amount in awards.items() if amount == most]
    return seats[0] if len(seats) == 1 else None
