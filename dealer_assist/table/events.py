"""What the table decided beyond the procedure: betting, showdown, awards, the end of the hand. Past tense."""

from __future__ import annotations

from typing import Literal

import msgspec

from dealer_assist.betting import Action, HandSetup, Settlement
from dealer_assist.domain.commands import Irregular
from dealer_assist.domain.facts import Push
from dealer_assist.domain.table import ForcedBet, HandResult
from dealer_assist.procedure.events import ProcedureEvent


class BettingStarted(msgspec.Struct, frozen=True, tag="betting_started", tag_field="event"):
    """Posts were taken; all numbers of the hand start from this set-up. Also after a misdeal: every chip is back."""

    setup: HandSetup


class ActionTaken(msgspec.Struct, frozen=True, tag="action_taken", tag_field="event"):
    """A seat acted. ``assumed`` in the action: concluded from cards and burns, not entered."""

    action: Action
    t_ms: int


RebasedWhy = Literal["set", "counted"]


class StackRebased(msgspec.Struct, frozen=True, tag="stack_rebased", tag_field="event"):
    """The chips on the table win: so much lies behind a seat now, None when nobody knows.

    ``believed``: what was thought to be there. ``why``: somebody set it, or an action was counted.
    """

    seat: int
    behind: int | None
    believed: int | None
    why: RebasedWhy


class ClockCalled(msgspec.Struct, frozen=True, tag="clock_called", tag_field="event"):
    """The clock runs on the seat to act until ``until_ms``; ``after``: so many actions were entered before."""

    seat: int
    seconds: int
    until_ms: int
    after: int


class ClockRanOut(msgspec.Struct, frozen=True, tag="clock_ran_out", tag_field="event"):
    """The seat on which the clock was called has not acted in time."""

    seat: int


class AllInSaid(msgspec.Struct, frozen=True, tag="all_in_said", tag_field="event"):
    """A seat that had acted already is all-in, at a table that tells no amounts."""

    seat: int


class AmountRuled(msgspec.Struct, frozen=True, tag="amount_ruled", tag_field="event"):
    """What a seat said or pushed was read by the house (A4 to A8): ``action`` None, the floor rules on it.

    ``to``: the total in front that it comes to; ``back``: chips that go back to the player; ``owes``: what he still puts in;
    ``reason``, ``rule``: why, and where that stands; ``string``: a second motion did not count.
    """

    seat: int
    action: str | None
    to: int
    back: int
    owes: int
    reason: str
    rule: str
    string: bool = False


class RulingEntered(msgspec.Struct, frozen=True, tag="ruling_entered", tag_field="event"):
    """A ruling of the floor was entered, ``by`` whom: what the dealer enters for the floor is to be signed.

    ``alert``: its id, ``rule`` its row; "": an amount of ``seat`` that stands by a ruling (TDA 52). ``option``: what was chosen.
    """

    alert: str
    rule: str
    option: str
    seat: int | None
    by: Literal["dealer", "floor"]


class ActionKept(msgspec.Struct, frozen=True, tag="action_kept", tag_field="event"):
    """A seat acted before its turn: it is held to that if the bet is still ``level`` when its turn comes (TDA 53-A)."""

    seat: int
    command: Irregular
    level: int


class KeptActionDue(msgspec.Struct, frozen=True, tag="kept_action_due", tag_field="event"):
    """The turn of a seat that had acted before it has come. ``binding`` False: the bet to it has changed, it acts anew."""

    seat: int
    binding: bool


class RaiseGivenUp(msgspec.Struct, frozen=True, tag="raise_given_up", tag_field="event"):
    """The seats that a ruling offers no raise on this street (A1, A2, A7, A8)."""

    seats: tuple[int, ...]


class FoldedOutOfTurn(msgspec.Struct, frozen=True, tag="folded_out_of_turn", tag_field="event"):
    """A hand reached the muck before its turn: binding (TDA 58)."""

    seat: int
    assumed: bool


class HandDead(msgspec.Struct, frozen=True, tag="hand_dead", tag_field="event"):
    """A ruling killed the hand of a seat; its chips stay in the pot."""

    seat: int


class Straddled(msgspec.Struct, frozen=True, tag="straddled", tag_field="event"):
    """A seat straddled, ``amount`` in front of it. ``posts``, ``setup``: the forced bets and what the hand starts from, as they are now."""

    seat: int
    amount: int
    posts: tuple[ForcedBet, ...]
    setup: HandSetup


class Unfolded(msgspec.Struct, frozen=True, tag="unfolded", tag_field="event"):
    """A seat bought its folded hand back and plays for the unfold fund."""

    seat: int


class EventLogged(msgspec.Struct, frozen=True, tag="event_logged", tag_field="event"):
    """Something of the game's own: a power card."""

    seat: int
    name: str
    target: int | None


class AwardTakenBack(msgspec.Struct, frozen=True, tag="award_taken_back", tag_field="event"):
    """A ruling changed who can win: the pots are open again."""


class StreetBegun(msgspec.Struct, frozen=True, tag="street_begun", tag_field="event"):
    """Bets were gathered; the next street's betting begins."""

    street: int


class FoldAwaited(msgspec.Struct, frozen=True, tag="fold_awaited", tag_field="event"):
    """The cards of the seat to act lie in the muck: a fold, at this time, unless a tap says so before. None: no longer."""

    t_ms: int | None


class SeatTabled(msgspec.Struct, frozen=True, tag="seat_tabled", tag_field="event"):
    """A seat turned its hand face up; these cards are public."""

    seat: int
    refs: tuple[str, ...]


class SeatMucked(msgspec.Struct, frozen=True, tag="seat_mucked", tag_field="event"):
    """A seat gave up its hand at showdown."""

    seat: int


class CardEntered(msgspec.Struct, frozen=True, tag="card_entered", tag_field="event"):
    """A face-up card that no reader saw, as entered by hand; ``seat`` None: on the board."""

    face: str
    seat: int | None


class PotsAwarded(msgspec.Struct, frozen=True, tag="pots_awarded", tag_field="event"):
    """Who gets what, and with which hand."""

    settlement: Settlement
    pushes: tuple[Push, ...]


class FloorCalled(msgspec.Struct, frozen=True, tag="floor_called", tag_field="event"):
    """The floor was asked to the table."""


class HandClosed(msgspec.Struct, frozen=True, tag="hand_closed", tag_field="event"):
    """The hand is over; ``stacks`` are the chips of its seats now, in the smallest unit, None where they are not known."""

    hand: str
    result: HandResult
    stacks: tuple[tuple[int, int | None], ...]


class DealerPushed(msgspec.Struct, frozen=True, tag="dealer_pushed", tag_field="event"):
    """Another dealer took over, the ``number``-th time at this table."""

    dealer: str
    number: int


class TimePaid(msgspec.Struct, frozen=True, tag="time_paid", tag_field="event"):
    """Seats paid for time: (seat, amount) in the smallest unit."""

    seats: tuple[tuple[int, int], ...]


class ChipsBought(msgspec.Struct, frozen=True, tag="chips_bought", tag_field="event"):
    """Chips that a seat bought during the hand came on the table; ``back``: those that were too many."""

    seat: int
    amount: int
    back: int


TableEvent = (
    ProcedureEvent
    | BettingStarted
    | ActionTaken
    | StackRebased
    | ClockCalled
    | ClockRanOut
    | AllInSaid
    | AmountRuled
    | RulingEntered
    | ActionKept
    | KeptActionDue
    | RaiseGivenUp
    | FoldedOutOfTurn
    | StreetBegun
    | FoldAwaited
    | SeatTabled
    | SeatMucked
    | CardEntered
    | PotsAwarded
    | FloorCalled
    | HandClosed
    | HandDead
    | Straddled
    | Unfolded
    | EventLogged
    | AwardTakenBack
    | DealerPushed
    | TimePaid
    | ChipsBought
)
