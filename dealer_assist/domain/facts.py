"""Facts: what may be shown. The whole screen is a set of sections; each fact replaces one section by its new value.

Sections are keyed by kind and, where there are several, by ``seat`` or ``id``. A snapshot is every section once. No fact holds a
card that is not public: the table service has nothing else to put in.
"""

from __future__ import annotations

from typing import Any, Final, Literal, get_args

import msgspec

from dealer_assist.domain.alerts import Alert, Saves
from dealer_assist.domain.equipment import EquipmentFact
from dealer_assist.domain.floor import FloorFact
from dealer_assist.domain.shift import ShiftFact
from dealer_assist.domain.table import AnteKind, Kill, Tracking
from dealer_assist.domain.zones import SEATS

SeatStatus = Literal["in", "away", "out", "empty"]
HandStatus = Literal["none", "live", "all_in", "folded", "tabled", "mucked"]


class TableFact(msgspec.Struct, frozen=True, tag="table", tag_field="kind"):
    """The table's set-up. ``unit`` names the smallest unit; ``simulated`` devices must be unmistakable on the screen."""

    name: str
    house: str
    game: str
    small_blind: int
    big_blind: int
    ante: int
    unit: str
    seats: tuple[int, ...]
    entry: str
    simulated: bool
    language: str
    #: games of the table, its own first; more than one: the next hand can be another
    games: tuple[str, ...] = ()
    ante_kind: AnteKind = "each"
    #: the kill that the table plays: the next hand can be one
    kill: Kill = ""
    tracking: Tracking = "full"
    #: what a player may sit down with, in the smallest unit; 0: no limit
    buy_in_min: int = 0
    buy_in_max: int = 0
    #: how the first button is found: high_card, high_card_by_suit, right_of_dealer
    first_button: str = ""
    #: the kinds of chips in play, in the smallest unit; none where the table does not say
    chips: tuple[int, ...] = ()
    #: houses that the table may play by
    houses: tuple[str, ...] = ()
    #: how long a seat has on which the clock was called, in seconds; 0: the house has no clock
    clock_s: int = 0


class HandFact(msgspec.Struct, frozen=True, tag="hand", tag_field="kind"):
    """Where the hand is. ``phase``: idle, deal, betting, runout, showdown, award, misdeal, void, chopped, closed. ``game``: played by.

    ``kill``: its pot is killed.
    """

    hand: str
    attempt: int
    phase: str
    street: str
    button: int | None
    small_blind_seat: int | None
    big_blind_seat: int | None
    game: str = ""
    kill: Kill = ""


class SeatFact(msgspec.Struct, frozen=True, tag="seat", tag_field="kind"):
    """One seat. ``stack`` None: not known. ``cards`` backs seen of ``due``; ``tabled`` public faces; ``marks`` quiet mark codes."""

    seat: int
    status: SeatStatus
    hand: HandStatus
    stack: int | None
    bet: int
    cards: int
    due: int
    to_act: bool
    last_action: str = ""
    tabled: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    won: int = 0


class BoardCard(msgspec.Struct, frozen=True):
    """A card on a board: its face, or None while it must be shown as a back; ``early`` when it does not play."""

    face: str | None
    early: bool = False
    board: int = 1


class BoardFact(msgspec.Struct, frozen=True, tag="board", tag_field="kind"):
    """The board from left to right, and the counters beside it.

    ``runs``: how many times the rest of it is dealt; ``common``: the cards that all of them begin with, which lie on the first.
    """

    cards: tuple[BoardCard, ...]
    burns: int
    mucked: int
    runs: int = 1
    common: int = 0


class PotView(msgspec.Struct, frozen=True):
    """One pot, the main one first, with the seats that can win it."""

    amount: int
    eligible: tuple[int, ...]


class PotFact(msgspec.Struct, frozen=True, tag="pot", tag_field="kind"):
    """Chips in the middle: gathered pots, the bets still in front of the seats, and the sum of both.

    ``rake``, ``drops`` (name and amount): what the house takes of the pots as they are now; no longer in ``pots`` and ``total``, so
    that pots, rake, drops and what is returned are all that was put in.
    """

    pots: tuple[PotView, ...]
    in_front: int
    total: int
    rake: int = 0
    drops: tuple[tuple[str, int], ...] = ()


class Push(msgspec.Struct, frozen=True):
    """An award: ``amount`` from pot number ``pot`` (0 = main) to ``seat``; ``name`` is the winning hand as code and parameters.

    ``board``: 0 where there is one board, else the board it was won on; ``fund``: from the unfold pot. ``odd``: what this seat gets
    more than the others who share it: the odd chip.
    """

    pot: int
    seat: int
    amount: int
    name: str = ""
    params: dict[str, Any] = {}
    board: int = 0
    fund: bool = False
    odd: int = 0


class NowFact(msgspec.Struct, frozen=True, tag="now", tag_field="kind"):
    """The one big line: what comes next.

    ``code``: idle, deck_not_ready (deck), deal (seat), act (seat, call), burn (street), board (street, count, board), discard (seats,
    count), point (seats), window (seats, price), show (seats), cards_unread (seats), board_unread, push (pushes),
    step (the current step of a recovery: step, params), unavailable (reason). While the clock runs on the seat to act, act and betting have
    ``clock`` (another number each time it is called), ``clock_s`` and ``clock_over``: whether its time is up.
    """

    code: str
    params: dict[str, Any] = {}
    pushes: tuple[Push, ...] = ()


class StraddleOffer(msgspec.Struct, frozen=True):
    """A straddle that may be posted now: by which seat, for how much in front of it at least and at most.

    ``most`` None: its stack is not known and nothing else limits it.
    """

    seat: int
    least: int
    most: int | None


class AheadOffer(msgspec.Struct, frozen=True):
    """By exception: what a seat may do that is entered ahead of its turn; those before it have folded, checked or called.

    ``min_to`` None: it may not raise. ``max_to`` None: its stack is not known. ``pot_to``, ``half_pot_to``: of the pot as it is when
    those before it have called.
    """

    seat: int
    can_check: bool
    call: int
    min_to: int | None
    max_to: int | None
    pot_to: int | None = None
    half_pot_to: int | None = None
    third_pot_to: int | None = None
    three_quarter_pot_to: int | None = None


class PadFact(msgspec.Struct, frozen=True, tag="pad", tag_field="kind"):
    """The legal actions of the seat to act, amounts in the smallest unit; ``seat`` None: nobody is to act.

    ``run_it``: the most times that the rest of the board may be run, 0 where that is not to be asked. ``may_show``: by exception, the
    seats whose hand, turned up now, says that the last round is over: those still to act have checked or called. ``ahead``: the seats
    behind the one to act that may be entered first, none where every action is entered.
    """

    seat: int | None
    can_check: bool = False
    call: int = 0
    min_to: int | None = None
    max_to: int | None = None
    pot_to: int | None = None
    half_pot_to: int | None = None
    is_bet: bool = False
    can_push: bool = False
    can_open: bool = False
    showdown: tuple[int, ...] = ()
    straddles: tuple[StraddleOffer, ...] = ()
    run_it: int = 0
    may_show: tuple[int, ...] = ()
    ahead: tuple[AheadOffer, ...] = ()
    third_pot_to: int | None = None
    three_quarter_pot_to: int | None = None


class UndoFact(msgspec.Struct, frozen=True, tag="undo", tag_field="kind"):
    """What Undo would take back now: a code and parameters; empty code: nothing."""

    code: str = ""
    params: dict[str, Any] = {}


class AlertFact(msgspec.Struct, frozen=True, tag="alert", tag_field="kind"):
    """One alert as it stands; a section per alert id of the hand."""

    alert: Alert


class SavesFact(msgspec.Struct, frozen=True, tag="saves", tag_field="kind"):
    """What alerts came to at this table, the running hand included. Survives a restart of the table service."""

    saves: Saves = Saves()


class DeviceFact(msgspec.Struct, frozen=True, tag="device", tag_field="kind"):
    """A device lamp. ``state``: ok, connecting, stale, lost, refused, fault, tap (its zones are entered by hand)."""

    id: str
    role: str
    state: str
    zones: tuple[str, ...] = ()
    detail: str = ""
    params: dict[str, Any] = {}


class NoticeFact(msgspec.Struct, frozen=True, tag="notice", tag_field="kind"):
    """A quiet notice of the table: floor called, unknown card at a zone, journal fault. ``code`` empty clears it."""

    id: str
    code: str
    params: dict[str, Any] = {}


Fact = (
    TableFact
    | HandFact
    | SeatFact
    | BoardFact
    | PotFact
    | NowFact
    | PadFact
    | UndoFact
    | AlertFact
    | SavesFact
    | DeviceFact
    | NoticeFact
    | EquipmentFact
    | FloorFact
    | ShiftFact
)


_TAGS: Final = {kind: str(kind.__struct_config__.tag) for kind in get_args(Fact)}
_SEATS: Final = {seat: ("seat", str(seat)) for seat in SEATS}
_SINGLE: Final = {
    kind: (tag, "")
    for kind, tag in _TAGS.items()
    if kind not in (SeatFact, AlertFact, DeviceFact, NoticeFact)
}


def section(fact: Fact) -> tuple[str, str]:
    """The key of the section that ``fact`` replaces."""
    single = _SINGLE.get(type(fact))
    if single is not None:
        return single
    if isinstance(fact, SeatFact):
        return _SEATS[fact.seat]
    if isinstance(fact, AlertFact):
        return "alert", fact.alert.id
    return _TAGS[type(fact)], fact.id  # type: ignore[union-attr]
