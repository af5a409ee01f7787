"""States of the floor's page, for the contact sheet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from dealer_assist.domain.facts import AlertFact, Fact
from dealer_assist.domain.floor import (
    AskActions,
    AskShift,
    FloorModeFact,
    SeatAction,
    ShiftAlert,
    UnsignedRuling,
)
from dealer_assist.domain.link import Result
from dealer_assist.station import canned
from dealer_assist.station.canned_alerts import FLOOR_CHOICE
from dealer_assist.station.pages.page import Page

_DAY: Final = 1_796_000_000  # a morning in November 2026
_UNSIGNED: Final = (
    UnsignedRuling(3, "10479", "10479/2", "A9", "hand_live", 5, _DAY - 900),
    UnsignedRuling(4, "10481", "", "", "amount_stands", 2, _DAY - 400),
)
_OUT: Final = FloorModeFact(configured=True, unsigned=_UNSIGNED)
_SHOWN: Final = replace(_OUT, badge="Petar D.", badge_until_s=_DAY + 60, tries_left=3)
_IN: Final = replace(_OUT, name="Petar D.", number=40, since_s=_DAY, until_s=_DAY + 300)
_SHIFT: Final = (
    ShiftAlert(
        19, "10481", _DAY - 300, "R2", "proven", "closed", "turn", None, "no", "reshuffle_river", 3, 3
    ),
    ShiftAlert(
        18, "10479", _DAY - 900, "A9", "proven", "closed", "flop", 5, "", "floor", 2, 2, "hand_live", "dealer"
    ),
    ShiftAlert(17, "10477", _DAY - 1_500, "D4", "probable", "withdrawn", "preflop", 4, "yes"),
    ShiftAlert(
        16, "10470", _DAY - 4_000, "F1", "proven", "dealt_on", "flop", None, "yes", "reflop_no_burn", 4, 1
    ),
    ShiftAlert(
        15,
        "10466",
        _DAY - 5_100,
        "A2",
        "proven",
        "closed",
        "preflop",
        7,
        "",
        "floor",
        2,
        2,
        "kill_hand",
        "floor",
    ),
)
_ACTIONS: Final = (
    SeatAction("flop", "call", 40),
    SeatAction("preflop", "raise", 12),
    SeatAction("preflop", "call", 4, assumed=True),
)


def _at(name: str, *facts: Fact) -> Callable[[], tuple[Fact, ...]]:
    return lambda: (*canned.STATES[name](), *facts)


def _type(page: Page) -> None:
    for digit in "4711":
        page.keys[f"pin-{digit}"].click()


def _shift(page: Page) -> None:
    page.keys["tab-shift"].click()
    told = {"alerts": msgspec.to_builtins(_SHIFT), "of": len(_SHIFT)}
    page.answered(AskShift(), Result("1", ok=True, params=told))


def _correct(page: Page) -> None:
    page.keys["tab-correct"].click()
    seat = next(fact.seat for fact in page.state.seats if fact.hand == "live")
    page.keys[f"seat-{seat}"].click()
    told = {"seat": seat, "actions": msgspec.to_builtins(_ACTIONS)}
    page.answered(AskActions(seat), Result("1", ok=True, params=told))
    page.keys["line-1"].click()
    page.keys["action-raise"].click()


_CHOICE: Final = AlertFact(FLOOR_CHOICE)
#: name → (facts, what is done on the page)
STATES: Final[dict[str, tuple[Callable[[], tuple[Fact, ...]], Callable[[Any], None] | None]]] = {
    "page-floor-none": (_at("idle", FloorModeFact()), None),
    "page-floor-badge": (_at("idle", _OUT), None),
    "page-floor-pin": (_at("idle", _SHOWN), _type),
    "page-floor-locked": (
        _at("idle", replace(_SHOWN, locked_until_s=_DAY + 300, tries_left=1, note="locked")),
        None,
    ),
    "page-floor-pin-alert": (_at("play", _CHOICE, _SHOWN), _type),
    "page-floor-rulings": (_at("play", _IN), None),
    "page-floor-rule-alert": (_at("play", _CHOICE, replace(_IN, rule_on=(FLOOR_CHOICE.id,))), None),
    "page-floor-shift": (_at("idle", _IN), _shift),
    "page-floor-correct": (_at("play", _IN), _correct),
    "page-floor-wrong-file": (_at("idle", replace(_IN, unsigned=(), file_wrong="staff.toml:14")), None),
}
