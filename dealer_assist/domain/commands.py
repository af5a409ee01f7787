"""Commands: what a person at the table tells the product. Imperative; the schema of the local socket.

Each is refused with a :class:`Refused` code and parameters, never with an exception, when it cannot be carried out.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from dealer_assist.domain.table import HandOpening

Actor = Literal["dealer", "floor", "simulated"]


class OpenHand(msgspec.Struct, frozen=True, tag="open_hand", tag_field="kind"):
    """Begin a hand. Without ``opening`` the table's next one: button moved, blinds by the limits, stacks carried over."""

    opening: HandOpening | None = None


class Act(msgspec.Struct, frozen=True, tag="act", tag_field="kind"):
    """A player's action. ``to`` is the total in front of the seat after a bet or raise, in the smallest unit."""

    seat: int
    action: Literal["fold", "check", "call", "bet", "raise", "all_in"]
    to: int | None = None


class Report(msgspec.Struct, frozen=True, tag="report", tag_field="kind"):
    """The dealer reports what no reader sees. ``row`` names it; ``by`` who turned an exposed card up."""

    row: Literal["exposed", "early_card", "misdeal"]
    seat: int | None = None
    by: Literal["dealer", "player"] = "dealer"


class Answer(msgspec.Struct, frozen=True, tag="answer", tag_field="kind"):
    """The answer to an alert's open question."""

    alert: str
    answer: Literal["yes", "no"]


class Respond(msgspec.Struct, frozen=True, tag="respond", tag_field="kind"):
    """One of an alert's keys: Fixing it, No – misread, Call floor, Deal on."""

    alert: str
    response: Literal["fixing", "misread", "call_floor", "deal_on"]


class Tabled(msgspec.Struct, frozen=True, tag="tabled", tag_field="kind"):
    """A seat turned its hand face up. Accepted only when no betting decision remains."""

    seat: int


class Mucked(msgspec.Struct, frozen=True, tag="mucked", tag_field="kind"):
    """A seat gave up its hand at showdown without showing it."""

    seat: int


class PushPots(msgspec.Struct, frozen=True, tag="push_pots", tag_field="kind"):
    """The pots were pushed as the product said: the hand is closed."""


class EnterCard(msgspec.Struct, frozen=True, tag="enter_card", tag_field="kind"):
    """A face-up card that no reader saw, entered by hand: on the board, or of a tabled hand (``seat``)."""

    face: str
    seat: int | None = None


class TapZone(msgspec.Struct, frozen=True, tag="tap_zone", tag_field="kind"):
    """``count`` cards were put at a zone that has no working reader."""

    zone: str
    count: int = 1


class SetSeat(msgspec.Struct, frozen=True, tag="set_seat", tag_field="kind"):
    """Change a seat's status for the next hand, and its stack if given, in the smallest unit."""

    seat: int
    status: Literal["in", "away", "out"]
    stack: int | None = None


class CallFloor(msgspec.Struct, frozen=True, tag="call_floor", tag_field="kind"):
    """Ask the floor to the table."""


class Undo(msgspec.Struct, frozen=True, tag="undo", tag_field="kind"):
    """Take the last tap of this street back; everything after it is judged again."""


Command = (
    OpenHand
    | Act
    | Report
    | Answer
    | Respond
    | Tabled
    | Mucked
    | PushPots
    | EnterCard
    | TapZone
    | SetSeat
    | CallFloor
    | Undo
)


class Refused(msgspec.Struct, frozen=True):
    """Why a command was not carried out: a code and the parameters of its text."""

    code: str
    params: dict[str, Any] = {}
