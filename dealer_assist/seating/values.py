"""Values of the seating: who sits where with how many chips, what he owes, and where button and blinds stand.

Amounts are integers of the table's smallest unit, times table milliseconds. All values are frozen; they go into the journal as JSON.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from dealer_assist.domain.alerts import Saves
from dealer_assist.domain.commands import Refused
from dealer_assist.domain.facts import SeatStatus
from dealer_assist.domain.table import Entering

ButtonType = Literal["dead", "moving"]
FirstButton = Literal["high_card", "high_card_by_suit", "right_of_dealer"]
NewPlayerPosts = Literal["post_or_wait", "dealt_in", "free"]
MissedBlinds = Literal["one_and_a_half", "post_all", "big_blind_live"]
ReturnRule = Literal["same_amount", "maximum", "none"]


class SeatingRules(msgspec.Struct, frozen=True):
    """What a house says about seats, blinds and buy-ins, in amounts of this table.

    ``button_type``: S000-04, RROP (moving or dead), TDA 32, WLA 155. ``first_button``: S004-03, RROP, WLA 95 and 151, WT 85.
    ``new_player_posts``: S000-13, RROP; dealt in at once in a tournament (TDA: not between small blind and button).
    ``missed_blinds``: S000-14, RROP, WLA 160. ``away_is_dealt_in``: TDA 30, WT 82. ``buy_in_min``, ``buy_in_max``: S003-01, S000-17,
    WLA 104; 0: no limit. ``return_within_min``, ``return_rule``: S003-11, WLA 62. ``max_seats``: how many players the table takes.
    ``time_rake``: what each seat pays at a dealer push, 0 for none. ``blinds``: the table's own game has them. ``unit``: the smallest chip.
    """

    small_blind: int
    big_blind: int
    button_type: ButtonType = "moving"
    first_button: FirstButton = "high_card"
    new_player_posts: NewPlayerPosts = "post_or_wait"
    missed_blinds: MissedBlinds = "one_and_a_half"
    away_is_dealt_in: bool = False
    fixed_limit: bool = False
    blinds: bool = True
    buy_in_min: int = 0
    buy_in_max: int = 0
    return_within_min: int = 0
    return_rule: ReturnRule = "none"
    max_seats: int = 11
    time_rake: int = 0
    unit: int = 1

    @property
    def tournament(self) -> bool:
        """Whether chips are not money: who is away is dealt in, nothing is bought, no time is paid."""
        return self.new_player_posts == "dealt_in"


class SeatRecord(msgspec.Struct, frozen=True):
    """A seat. ``stack``: its chips, None when not known.

    ``missed_small``, ``missed_big``: blinds that passed it while its player was away. ``new``: its player has not been dealt in since he
    sat down in a running game. ``posts``: who owes something posts it; otherwise he waits for the big blind. ``queued``: chips he
    bought that come on the table at the end of the hand; ``time_due``: time he pays then.
    """

    status: SeatStatus
    stack: int | None
    missed_small: bool = False
    missed_big: bool = False
    new: bool = False
    posts: bool = False
    queued: int = 0
    time_due: int = 0

    @property
    def seated(self) -> bool:
        """Whether somebody sits here, playing or away."""
        return self.status in ("in", "away")

    @property
    def has_chips(self) -> bool:
        """Whether there is something to play with; what is not known counts as something."""
        return self.stack is None or self.stack > 0

    @property
    def established(self) -> bool:
        """Whether nothing is owed: the seat is dealt in wherever the button stands."""
        return not (self.new or self.missed_small or self.missed_big)


EMPTY = SeatRecord("empty", None)


class Positions(msgspec.Struct, frozen=True):
    """Where button and blinds of a hand stand, as seat numbers. Button and small blind may be at a seat that is not dealt in (dead).

    ``small`` and ``big`` None: a hand of a game without blinds.
    """

    button: int
    small: int | None
    big: int | None


class NextHand(msgspec.Struct, frozen=True):
    """The next hand: where button and blinds stand, who is dealt in, in rising order, and what those who enter pay."""

    positions: Positions
    players: tuple[int, ...]
    entering: tuple[Entering, ...] = ()

    @property
    def small(self) -> int | None:
        """The seat that posts the small blind; None: it is dead, or there is none."""
        return self.positions.small if self.positions.small in self.players else None


class GivenBack(msgspec.Struct, frozen=True):
    """A hand whose chips went back: it is played again from these positions by its players, and by nobody else (TDA 35-C)."""

    positions: Positions
    players: tuple[int, ...]


class Departure(msgspec.Struct, frozen=True):
    """A player left ``seat`` with ``stack`` chips at ``t_ms``."""

    seat: int
    stack: int
    t_ms: int


class Ledger(msgspec.Struct, frozen=True):
    """The table between two hands, and what has to be known while one runs.

    ``last``: positions of the last hand that counts. ``next_button``: the next hand is played from here, whatever was before: after
    the draw, or where a wrong button is set right. ``again``: a hand that was given back, which is played again.
    ``drawing``: seats that draw again for the first button. ``before``: the ledger before the hand that is running; ``own``: that hand
    is the one that follows from it, not one that was said otherwise.
    ``pushes``: dealer pushes so far; ``time_taken``: time paid so far; ``saves``: what the alerts of all hands came to.
    ``t_ms``: when something last changed.
    """

    seats: dict[int, SeatRecord] = {}
    hands: int = 0
    last: Positions | None = None
    next_button: int | None = None
    again: GivenBack | None = None
    drawing: tuple[int, ...] = ()
    departed: tuple[Departure, ...] = ()
    dealer: str = ""
    pushes: int = 0
    time_taken: int = 0
    saves: Saves = Saves()
    t_ms: int = 0
    before: Ledger | None = None
    own: bool = True

    @property
    def begun(self) -> bool:
        """Whether a hand was played, or is to be played again: who sits down now comes into a game."""
        return self.last is not None or self.again is not None

    @property
    def running(self) -> bool:
        """Whether a game goes on: a hand was played, and two or more of those who played are here."""
        known = [record for record in self.seats.values() if record.seated and record.established]
        return self.last is not None and len([record for record in known if record.has_chips]) > 1

    def seat(self, seat: int) -> SeatRecord:
        """The record of a seat, empty where there is none."""
        return self.seats.get(seat, EMPTY)

    def with_seat(self, seat: int, record: SeatRecord) -> Ledger:
        """The ledger with this record at ``seat``."""
        return msgspec.structs.replace(self, seats={**self.seats, seat: record})


class SeatsRefused(Exception):
    """Something cannot be done at the seats; ``refusal``: why."""

    def __init__(self, code: str, **params: Any) -> None:
        self.refusal = Refused(code, params)
        super().__init__(f"{code} {params}")
