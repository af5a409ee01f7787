"""What happens at a table, one step at a time: physical acts, taps, checks, waits. Scenarios and hand histories become these."""

from __future__ import annotations

from typing import Any

import msgspec


class Pitch(msgspec.Struct, frozen=True):
    """One card from the top of the stub to a seat. ``late_ms``: first read so much later; ``unread``: never read there."""

    seat: int
    unread: bool = False
    late_ms: int = 0


class DealRest(msgspec.Struct, frozen=True):
    """The deal from where it is to its end, one card at a time in the proper order."""

    late_ms: int = 0


class Burn(msgspec.Struct, frozen=True):
    """The top card to the burn spot."""

    unread: bool = False
    late_ms: int = 0


class Board(msgspec.Struct, frozen=True):
    """Cards from the top of the stub to the board; the last ``unread`` of them are never read."""

    count: int
    unread: int = 0
    late_ms: int = 0


class Move(msgspec.Struct, frozen=True):
    """Cards from one place to another: seatN, seatN:K, board, board:K, burn, muck, aside, stub (its top)."""

    source: str
    target: str
    count: int = 1


class Gather(msgspec.Struct, frozen=True):
    """Every card back into the deck."""


class Shuffle(msgspec.Struct, frozen=True):
    """The stub, with what was put back into it, in a new order."""


class Fold(msgspec.Struct, frozen=True):
    """A seat's cards to the muck."""

    seat: int


class Sweep(msgspec.Struct, frozen=True):
    """All cards are collected after the hand."""


class Tap(msgspec.Struct, frozen=True):
    """The dealer's tap: a command as the socket takes it. ``after_ms``: how long after the act before it."""

    command: dict[str, Any]
    after_ms: int = 0


class Check(msgspec.Struct, frozen=True):
    """Something must hold now, or within ``within_ms``; ``settle_ms``: let so much time pass first."""

    wanted: dict[str, Any]
    within_ms: int = 8000
    settle_ms: int = 0
    line: int = 0


class Wait(msgspec.Struct, frozen=True):
    """Let time pass."""

    ms: int


class Fault(msgspec.Struct, frozen=True):
    """Something happens to a device: unplug, plug, garbage (``count`` bytes)."""

    kind: str
    device: str
    count: int = 0


Step = Pitch | DealRest | Burn | Board | Move | Gather | Shuffle | Fold | Sweep | Tap | Check | Wait | Fault


class Hand(msgspec.Struct, frozen=True):
    """A hand to play: its opening as the socket takes it, the deck from the top, the steps, and what must come of it."""

    name: str
    source: str
    opening: dict[str, Any]
    deck: tuple[str, ...]
    steps: tuple[Step, ...]
    expect: dict[str, Any]
    small_blind: int
    big_blind: int
    ante: int = 0
    house: str = "seed"
    game: str = "nlhe"
    entry: str = "every_action"
    unit: str = "1 chip"
    registered: dict[str, str] = {}
    title: str = ""

    def seats(self) -> tuple[int, ...]:
        """Dealt-in seats, clockwise from the first left of the button."""
        button = self.opening["button"]
        return tuple(
            sorted(
                (record["seat"] for record in self.opening["seats"]),
                key=lambda seat: (seat - button - 1) % 11,
            )
        )

    def posts(self) -> list[dict[str, Any]]:
        """The forced bets: as the source has them, or by the hand's limits. Heads-up the button has the small blind."""
        if self.opening.get("posts"):
            return list(self.opening["posts"])
        seats = self.seats()
        blinds = seats[::-1] if len(seats) == 2 else seats[:2]
        antes = [{"seat": seat, "amount": self.ante, "kind": "ante"} for seat in seats if self.ante]
        return [
            *antes,
            {"seat": blinds[0], "amount": self.small_blind, "kind": "small_blind"},
            {"seat": blinds[1], "amount": self.big_blind, "kind": "big_blind"},
        ]
