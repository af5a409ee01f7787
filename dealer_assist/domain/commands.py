"""Commands: what a person at the table tells the product. Imperative; the schema of the local socket.

Each is refused with a :class:`Refused` code and parameters, never with an exception, when it cannot be carried out.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from dealer_assist.domain.equipment import EquipmentCommand
from dealer_assist.domain.floor import FloorCommand
from dealer_assist.domain.history import HistoryCommand
from dealer_assist.domain.shift import ShiftCommand
from dealer_assist.domain.table import HandOpening, Kill
from dealer_assist.domain.terms import SetTable

Actor = Literal["dealer", "floor", "simulated"]


class OpenHand(msgspec.Struct, frozen=True, tag="open_hand", tag_field="kind"):
    """Begin a hand. Without ``opening`` the table's next one: button moved, blinds by the limits, stacks carried over.

    ``game``: the next hand is played by another game of the table, as a bomb pot; the opening's own ``game`` goes before it.
    ``kill``: the next hand is a kill pot, of the seat ``killer``; None: of who won the hand before.
    """

    opening: HandOpening | None = None
    game: str = ""
    kill: Kill = ""
    killer: int | None = None


class Act(msgspec.Struct, frozen=True, tag="act", tag_field="kind"):
    """A player's action. ``to`` is the total in front of the seat after a bet or raise, in the smallest unit; all-in: as counted.

    ``counted``: the amount is more than the product believes the seat has, and was counted: the seat is re-based. ``ruled``: a wrong
    bet or raise that stands by a ruling (TDA 52).
    """

    seat: int
    action: Literal["fold", "check", "call", "bet", "raise", "all_in"]
    to: int | None = None
    counted: bool = False
    ruled: bool = False


class Irregular(msgspec.Struct, frozen=True, tag="irregular", tag_field="kind"):
    """What a seat said and pushed, when that was no plain action: the house reads it, and what it comes to is its action (TDA 40–45, 51).

    ``said``: the word, "" for none; ``amount``: the number that was said, the total in front. ``chips``: the value of each chip of the
    first motion; ``more``: of a second one. Of a seat whose turn it is not, it is kept until it is (TDA 53-A). ``unclear``: the number
    can mean several amounts, or nobody can say what the words or the gesture meant (TDA 57).
    """

    seat: int
    said: Literal["", "check", "call", "bet", "raise", "all_in"] = ""
    amount: int | None = None
    chips: tuple[int, ...] = ()
    more: tuple[int, ...] = ()
    unclear: bool = False


class SetStack(msgspec.Struct, frozen=True, tag="set_stack", tag_field="kind"):
    """The chips that are behind a seat now, in the smallest unit, at any time: they win over what was believed. None: not known."""

    seat: int
    behind: int | None


class Straddle(msgspec.Struct, frozen=True, tag="straddle", tag_field="kind"):
    """A seat straddles, until somebody has acted. ``amount``: its total in front, in the smallest unit; 0: twice the bet before it."""

    seat: int
    amount: int = 0


class CallClock(msgspec.Struct, frozen=True, tag="call_clock", tag_field="kind"):
    """Somebody asks for the clock on a seat: it has the house's seconds to act; then the dealer and the screen say that they are over."""

    seat: int


class Report(msgspec.Struct, frozen=True, tag="report", tag_field="kind"):
    """The dealer reports what no reader sees.

    ``row``: a row of the catalogue ("D6"), or one of the words exposed, early_card, misdeal, boxed, scrap, dead_hand, chop.
    ``by``: who turned an exposed card up. ``count``: how many cards it is about, where that matters.
    """

    row: str
    seat: int | None = None
    by: Literal["dealer", "player"] = "dealer"
    count: int = 1


class Rule(msgspec.Struct, frozen=True, tag="rule", tag_field="kind"):
    """The floor's choice among an alert's options; ``alert`` "": the one that waits for it. The dealer may enter it for the floor."""

    alert: str
    option: str


class Correct(msgspec.Struct, frozen=True, tag="correct", tag_field="kind"):
    """Amend an earlier action: what was entered or assumed for this seat becomes ``action``; all that followed is judged again.

    ``back``: 0 the last action of the seat, 1 the one before it. The dealer within the street, the floor in the whole hand.
    ``counted``, ``ruled``: as of :class:`Act`.
    """

    seat: int
    action: Literal["fold", "check", "call", "bet", "raise", "all_in"]
    to: int | None = None
    back: int = 0
    counted: bool = False
    ruled: bool = False


class SetPoint(msgspec.Struct, frozen=True, tag="set_point", tag_field="kind"):
    """A seat names its point card: ``card`` counts the seat's cards from 1 in the order they came."""

    seat: int
    card: int


class Unfold(msgspec.Struct, frozen=True, tag="unfold", tag_field="kind"):
    """A seat that folded before the flop buys its hand back."""

    seat: int


class LogEvent(msgspec.Struct, frozen=True, tag="event", tag_field="kind"):
    """Something of the game's own that is only logged: a power card. ``target``: the seat it was played on."""

    seat: int
    name: str
    target: int | None = None


class Shuffled(msgspec.Struct, frozen=True, tag="shuffled", tag_field="kind"):
    """The deck was shuffled by hand, or the other deck taken."""


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
    """The pots were pushed: the hand is closed. ``to``: seat → amount, when they went otherwise than the product said."""

    to: dict[int, int] = {}


class EnterCard(msgspec.Struct, frozen=True, tag="enter_card", tag_field="kind"):
    """A face-up card that no reader saw, entered by hand: on the board, or of a tabled hand (``seat``)."""

    face: str
    seat: int | None = None


class TapZone(msgspec.Struct, frozen=True, tag="tap_zone", tag_field="kind"):
    """``count`` cards were put at a zone that has no working reader."""

    zone: str
    count: int = 1


class SetSeat(msgspec.Struct, frozen=True, tag="set_seat", tag_field="kind"):
    """Change a seat's status, and its stack if given, in the smallest unit.

    While the cards are being dealt it also says who is dealt in: in a returned player, away or out an absent one.
    """

    seat: int
    status: Literal["in", "away", "out"]
    stack: int | None = None


class RunIt(msgspec.Struct, frozen=True, tag="run_it", tag_field="kind"):
    """All players left agree: the rest of the board is run ``times`` times, 1 to 3; 1 takes it back. Final with the next card."""

    times: int


class SitDown(msgspec.Struct, frozen=True, tag="sit_down", tag_field="kind"):
    """A player takes an empty seat with ``buy_in`` chips, in the smallest unit, within the house's limits.

    ``returned_from``: the seat that he left before: the house's return rule applies.
    """

    seat: int
    buy_in: int
    returned_from: int | None = None


class TopUp(msgspec.Struct, frozen=True, tag="top_up", tag_field="kind"):
    """A player buys ``amount`` chips more. While he has cards they wait for the end of the hand; 0 takes back what waits."""

    seat: int
    amount: int


class PostNow(msgspec.Struct, frozen=True, tag="post_now", tag_field="kind"):
    """A player who owes a blind, or is new, posts it as soon as the button lets him."""

    seat: int


class WaitForBlind(msgspec.Struct, frozen=True, tag="wait_for_blind", tag_field="kind"):
    """A player who owes a blind, or is new, waits for the big blind."""

    seat: int


class FirstButton(msgspec.Struct, frozen=True, tag="first_button", tag_field="kind"):
    """The cards drawn for the first button, seat → face: of every seat that plays, or of those that draw again."""

    cards: dict[int, str] = {}


class DealerPush(msgspec.Struct, frozen=True, tag="dealer_push", tag_field="kind"):
    """Another dealer takes over, at any time; where the house takes time, each seat that plays pays it."""

    dealer: str


class CallFloor(msgspec.Struct, frozen=True, tag="call_floor", tag_field="kind"):
    """Ask the floor to the table."""


class Void(msgspec.Struct, frozen=True, tag="void", tag_field="kind"):
    """The floor ends the running hand as if it had not been played: every chip goes back, whatever was bet or shown. Not the dealer's."""


class Undo(msgspec.Struct, frozen=True, tag="undo", tag_field="kind"):
    """Take the last tap of this street back; everything after it is judged again."""


Command = (
    OpenHand
    | Act
    | SetStack
    | Irregular
    | CallClock
    | Report
    | Answer
    | Respond
    | Tabled
    | Mucked
    | PushPots
    | EnterCard
    | TapZone
    | SetSeat
    | SitDown
    | TopUp
    | PostNow
    | WaitForBlind
    | FirstButton
    | DealerPush
    | CallFloor
    | RunIt
    | Void
    | Undo
    | Rule
    | Correct
    | SetPoint
    | Unfold
    | Straddle
    | LogEvent
    | Shuffled
    | EquipmentCommand
    | HistoryCommand
    | FloorCommand
    | ShiftCommand
    | SetTable
)


class Refused(msgspec.Struct, frozen=True):
    """Why a command was not carried out: a code and the parameters of its text."""

    code: str
    params: dict[str, Any] = {}
