"""Floor mode: what a floor supervisor with badge and PIN tells the table, and what may be shown of it.

A PIN is in one command, and nowhere else: that command shows none when it is printed, and is never journalled.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec

from dealer_assist.domain.alerts import AlertState, Evidence
from dealer_assist.domain.languages import Language
from dealer_assist.domain.table import Street

#: How many digits a PIN has; its pattern says the same.
PIN_MIN_DIGITS: Final = 6
PIN_MAX_DIGITS: Final = 12
Pin = Annotated[str, msgspec.Meta(pattern=r"^[0-9]{6,12}\Z")]
#: Which side of the screen the keys are on.
HandSide = Literal["left", "right"]
StaffRole = Literal["dealer", "floor"]

# -- commands ------------------------------------------------------------------------------------------------------------------


class SignIn(msgspec.Struct, frozen=True, tag="sign_in", tag_field="kind"):
    """The PIN of the person whose badge was shown last. Its result comes when it has been checked."""

    pin: Pin

    def __repr__(self) -> str:
        return "SignIn(pin=...)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return []


class SignOut(msgspec.Struct, frozen=True, tag="sign_out", tag_field="kind"):
    """Floor mode ends; or the badge that was shown is forgotten."""


class StaySignedIn(msgspec.Struct, frozen=True, tag="stay_signed_in", tag_field="kind"):
    """The floor is still there: he reads, or somebody touches his page."""


class SignOff(msgspec.Struct, frozen=True, tag="sign_off", tag_field="kind"):
    """The floor signs the rulings that the dealer entered for him, all or those with these numbers, and that he saw the shift's alerts."""

    rulings: tuple[int, ...] = ()


class AskShift(msgspec.Struct, frozen=True, tag="ask_shift", tag_field="kind"):
    """The alerts of the shift, the last ones first, ``before`` one of them by its number; 0: from the last.

    The result's ``params`` hold them as :class:`ShiftAlert` in ``alerts``, and how many there are in ``of``.
    """

    before: Annotated[int, msgspec.Meta(ge=0)] = 0


class AskActions(msgspec.Struct, frozen=True, tag="ask_actions", tag_field="kind"):
    """What a seat has done in the running hand, the last action first: what :class:`Correct` counts back from.

    The result's ``params`` hold them as :class:`SeatAction` in ``actions``, and the ``seat``.
    """

    seat: int


FloorCommand = SignIn | SignOut | StaySignedIn | SignOff | AskShift | AskActions

# -- facts ---------------------------------------------------------------------------------------------------------------------


class ShiftAlert(msgspec.Struct, frozen=True):
    """An alert or question of a hand that is over, as it came out.

    ``number`` counts the table's alerts; ``ruled``: what the floor chose, ``ruled_by`` who entered it, "" where there was no ruling;
    ``params``: of its texts.
    ``t_utc_s``: when its hand ended, in seconds of UTC.
    """

    number: int
    hand: str
    t_utc_s: int
    rule: str
    evidence: Evidence
    state: AlertState
    street: Street
    seat: int | None = None
    answered: str = ""
    remedy: str = ""
    steps: int = 0
    steps_done: int = 0
    ruled: str = ""
    ruled_by: Literal["", "dealer", "floor"] = ""
    params: dict[str, Any] = {}


class SeatAction(msgspec.Struct, frozen=True):
    """An action of a seat: ``to`` is its total in front after it, in the smallest unit."""

    street: Street
    action: Literal["fold", "check", "call", "bet", "raise"]
    to: int = 0
    all_in: bool = False
    assumed: bool = False


class UnsignedRuling(msgspec.Struct, frozen=True):
    """A ruling that was entered for the floor and that no badge has signed.

    ``rule``: of the alert it was about; "" for an amount that stands by a ruling. ``number`` counts the table's rulings.
    ``nth``: a seat's amounts may stand more than once in a hand; this is which of them, from 1.
    """

    number: int
    hand: str
    alert: str
    rule: str
    option: str
    seat: int | None = None
    t_utc_s: int = 0
    nth: int = 1


class FloorModeFact(msgspec.Struct, frozen=True, tag="floor_mode", tag_field="kind"):
    """Who is signed in at the table, and what awaits the floor. Times in seconds of UTC, 0: none.

    ``configured``: the table has a staff file, and what is the floor's needs badge and PIN. ``badge``: the name on the floor badge that
    was shown and waits for its PIN until ``badge_until_s``; ``checking``: its PIN is being checked; ``locked_until_s``: it takes no PIN
    before; ``tries_left``: so many wrong PINs more lock it. ``name``, ``number``: of the person who is signed in, since ``since_s`` and
    until ``until_s`` when nobody touches anything. ``note``: why the last one left or was refused: wrong_pin, locked, signed_out,
    timed_out, badge_left, badge_timed_out, retired, restarted. ``file_wrong``: file and line where the staff file cannot be
    read as it is now; what it said before counts. ``rule_on``: alerts of this hand that wait for a ruling. ``unsigned``:
    what waits for a signature.
    """

    configured: bool = False
    badge: str = ""
    badge_until_s: int = 0
    checking: bool = False
    locked_until_s: int = 0
    tries_left: int = 0
    name: str = ""
    number: int = 0
    since_s: int = 0
    until_s: int = 0
    note: str = ""
    file_wrong: str = ""
    rule_on: tuple[str, ...] = ()
    unsigned: tuple[UnsignedRuling, ...] = ()


class DealerFact(msgspec.Struct, frozen=True, tag="dealer", tag_field="kind"):
    """Who deals, and what he has the screen like: ``language`` and ``hand`` None where the staff file does not say."""

    name: str = ""
    language: Language | None = None
    hand: HandSide | None = None


FloorFact = FloorModeFact | DealerFact
