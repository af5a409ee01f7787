"""What a table is set up as, and how one hand is opened."""

from __future__ import annotations

from typing import Literal

import msgspec

#: How action is entered, and how much is tracked; more ways come with their procedure.
Entry = Literal["every_action"]
Tracking = Literal["full"]
Street = Literal["preflop", "flop", "turn", "river"]
STREETS: tuple[Street, ...] = ("preflop", "flop", "turn", "river")


class Limits(msgspec.Struct, frozen=True):
    """Stakes in the smallest unit."""

    small_blind: int
    big_blind: int
    ante: int = 0


class SeatStack(msgspec.Struct, frozen=True):
    """A dealt-in seat, 1 to 11, and its chips before posting, in the smallest unit."""

    seat: int
    stack: int


class ForcedBet(msgspec.Struct, frozen=True):
    """A post that a seat makes before the first card, in the smallest unit."""

    seat: int
    amount: int
    kind: Literal["ante", "small_blind", "big_blind", "straddle", "dead"]


class HandOpening(msgspec.Struct, frozen=True):
    """Everything a hand starts from. ``seats`` are the dealt-in seats in any order; ``posts`` empty means: by the limits."""

    hand: str
    button: int
    seats: tuple[SeatStack, ...]
    posts: tuple[ForcedBet, ...] = ()
