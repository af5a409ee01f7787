"""A hand that is over, as it may be told to anybody. All amounts are integers of the table's smallest unit.

Hidden cards have no place in it: a seat has faces only when it tabled them.
"""

from __future__ import annotations

import datetime as dt
from typing import Literal

import msgspec

from dealer_assist.domain.cards import Face
from dealer_assist.domain.table import LIVE_POSTS, HandResult, Street

#: Which of the games that other programs know it is; "" for one of the house's own.
GameType = Literal["holdem", "omaha", "short_deck", ""]
Structure = Literal["no_limit", "pot_limit", "fixed_limit"]


class PlayedSeat(msgspec.Struct, frozen=True):
    """A dealt-in seat. ``stack``: before posting, None when it was never known; ``end``: after the hand.

    ``shown``: the faces that it tabled; ``folded``: before the showdown; ``mucked``: at the showdown.
    """

    seat: int
    stack: int | None
    end: int | None
    shown: tuple[Face, ...] = ()
    folded: bool = False
    mucked: bool = False


class PlayedPost(msgspec.Struct, frozen=True):
    """A forced bet as it was paid; ``all_in``: it took the last chip. Kinds as of :class:`~dealer_assist.domain.table.ForcedBet`."""

    seat: int
    kind: str
    paid: int
    all_in: bool = False


class PlayedAction(msgspec.Struct, frozen=True):
    """What a seat did. ``added``: chips it put in, ``to``: its total in front then; ``assumed``: concluded, not entered."""

    street: Street
    seat: int
    kind: Literal["fold", "check", "call", "bet", "raise"]
    added: int = 0
    to: int = 0
    all_in: bool = False
    assumed: bool = False


class BoardCards(msgspec.Struct, frozen=True):
    """The cards of a street on a board. ``run``: 1 for the first board; a card that nobody knows is "??"."""

    street: Street
    faces: tuple[str, ...]
    run: int = 1


class PlayedPot(msgspec.Struct, frozen=True):
    """A pot, 0 the main one. ``rake`` and ``drops`` came out of ``amount``; ``shares``: seat and what it got of it."""

    number: int
    amount: int
    rake: int
    drops: int
    shares: tuple[tuple[int, int], ...]


class Drop(msgspec.Struct, frozen=True):
    """What was taken beside the rake, by name."""

    name: str
    amount: int


class FundLine(msgspec.Struct, frozen=True):
    """Chips of the unfold fund: a hand was bought back (in), the fund was won, or chips came back unplayed."""

    seat: int
    what: Literal["unfold", "wins unfold fund", "returned from unfold fund"]
    amount: int


class FinishedHand(msgspec.Struct, frozen=True):
    """One hand from its opening to its end.

    ``result``: completed, or how it was given back. ``unit``: what the smallest unit is, as "chip", "cent" or "0.05 EUR".
    ``bets``: the least bet before the turn, and from it on. ``seats``: clockwise, the first left of the button first. ``posts``,
    ``actions``: in their order. ``returned``: uncalled bets back. ``fund``: what went into the unfold fund beside the posts, and what
    came out of it. ``boards``: how many boards the game has; ``runs``: how often the board was run. ``amounts`` False: chips were not
    tracked. ``started_ms``: since 1970.
    """

    hand: str
    table: str
    house: str
    game: str
    game_type: GameType
    structure: Structure
    unit: str
    simulated: bool
    result: HandResult
    button: int
    small_blind: int
    big_blind: int
    ante: int
    bets: tuple[int, int]
    seats: tuple[PlayedSeat, ...]
    posts: tuple[PlayedPost, ...] = ()
    actions: tuple[PlayedAction, ...] = ()
    board: tuple[BoardCards, ...] = ()
    pots: tuple[PlayedPot, ...] = ()
    returned: tuple[tuple[int, int], ...] = ()
    rake: int = 0
    drops: tuple[Drop, ...] = ()
    fund: tuple[FundLine, ...] = ()
    boards: int = 1
    runs: int = 1
    max_seats: int = 10
    amounts: bool = True
    started_ms: int | None = None

    def has_blind(self) -> bool:
        """Whether there is a forced bet to call: other programs know no hand of antes alone."""
        return any(post.kind in LIVE_POSTS for post in self.posts)

    def showdown(self) -> bool:
        """Whether the pots were fought out with cards."""
        return sum(not seat.folded for seat in self.seats) > 1


class NotInFormat(ValueError):
    """A hand that a format has no words for. ``code`` and ``params`` for its text."""

    def __init__(self, code: str, **params: str) -> None:
        self.code = code
        self.params = params
        super().__init__(f"{code} {params}")


def utc(t_ms: int) -> str:
    """A time in ms since 1970 as both Open Hand History and a spreadsheet read it: 2026-11-30T14:05:09Z."""
    return dt.datetime.fromtimestamp(t_ms / 1000, dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
