"""Zones: the places of a table that read cards, by name.

``seat1`` … ``seat11``, ``board``, ``board2`` (the second board of a two-board game, or of one that is run twice), ``board3`` (the
third of one that is run three times), ``burn``, ``muck``, ``stub``, ``gate`` (a burn shown to a single-card reader), ``shoe`` (a card on
its way out of it), ``check`` (where a deck is checked card by card), ``button``, ``badge`` (of people: no card lies there).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

Zone = str

MAX_SEATS: Final = 11
#: The seats that a table can have.
SEATS: Final = tuple(range(1, MAX_SEATS + 1))
BOARD: Final[Zone] = "board"
BOARD2: Final[Zone] = "board2"
BOARD3: Final[Zone] = "board3"
#: The boards as they lie, one below the other.
BOARDS: Final = (BOARD, BOARD2, BOARD3)
BURN: Final[Zone] = "burn"
MUCK: Final[Zone] = "muck"
STUB: Final[Zone] = "stub"
GATE: Final[Zone] = "gate"
SHOE: Final[Zone] = "shoe"
CHECK: Final[Zone] = "check"
BADGE: Final[Zone] = "badge"
#: Where a card is shown or passes and does not lie: one reading counts, leaving is no movement.
SHOWN: Final = frozenset({GATE, SHOE, CHECK})
#: Of these the ones that say nothing of where a card of the hand is.
PASSED: Final = frozenset({SHOE, CHECK})

_SEAT_ZONES: Final = {seat: f"seat{seat}" for seat in SEATS}
_SEAT_OF: Final = {zone: seat for seat, zone in _SEAT_ZONES.items()}
ZONES: Final = frozenset(_SEAT_OF) | {*BOARDS, BURN, MUCK, STUB, GATE, SHOE, CHECK, "button", BADGE}


def seat_zone(seat: int) -> Zone:
    """The zone of a seat, 1 to 11."""
    return _SEAT_ZONES[seat]


def seat_of(zone: Zone) -> int | None:
    """The seat of a seat zone, or None for any other zone."""
    return _SEAT_OF.get(zone)


def distance(start: int, seat: int) -> int:
    """Seats clockwise from ``start`` to ``seat``, 0 to 10."""
    return (seat - start) % MAX_SEATS


def clockwise(start: int, seats: Iterable[int]) -> tuple[int, ...]:
    """``seats`` in the order of play: the first one behind ``start`` first, ``start`` itself last."""
    return tuple(sorted(seats, key=lambda seat: distance(start + 1, seat)))
