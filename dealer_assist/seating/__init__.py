"""The seats of a table between hands: who sits where with how many chips, who owes which blind, and where the button goes next.

Pure: a ledger goes in, a ledger comes out. ``next_hand`` says who is dealt in, where the blinds stand and what those who enter post;
``opened`` and ``closed`` take it through a hand; ``sit_down``, ``set_status``, ``top_up``, ``choose``, ``first_button`` and ``dealer_push``
are what people do, each refused by :class:`SeatsRefused` when it cannot be done.
"""

from dealer_assist.seating.chips import (
    buy_in_limits,
    choose,
    dealer_push,
    set_status,
    sit_down,
    top_up,
)
from dealer_assist.seating.debts import entry_of, marks, may_choose
from dealer_assist.seating.draw import first_button
from dealer_assist.seating.hands import Closing, ToppedUp, closed, opened
from dealer_assist.seating.positions import next_hand, playing
from dealer_assist.seating.values import (
    Departure,
    Ledger,
    NextHand,
    Positions,
    SeatingRules,
    SeatRecord,
    SeatsRefused,
)

__all__ = [
    "Closing",
    "Departure",
    "Ledger",
    "NextHand",
    "Positions",
    "SeatRecord",
    "SeatingRules",
    "SeatsRefused",
    "ToppedUp",
    "buy_in_limits",
    "choose",
    "closed",
    "dealer_push",
    "entry_of",
    "first_button",
    "marks",
    "may_choose",
    "next_hand",
    "opened",
    "playing",
    "set_status",
    "sit_down",
    "top_up",
]
