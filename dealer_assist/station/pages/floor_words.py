"""What the floor's page says of alerts and rulings, line by line. Pure: no Qt."""

from __future__ import annotations

from typing import Any, Final

from dealer_assist.domain.floor import SeatAction, ShiftAlert, UnsignedRuling
from dealer_assist.station import theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.pages.pin_pad import clock_time

#: state of an alert that is over → shape, colour and mark in front of it
SIGNS: Final = {
    "closed": ("circle", theme.GOOD, "tick"),
    "withdrawn": ("outline", theme.QUIET, ""),
    "dealt_on": ("diamond", theme.MEDIUM, "!"),
    "open": ("triangle", theme.HIGH, "!"),
    "fixing": ("triangle", theme.HIGH, "!"),
}


def rule_name(tr: Translator, rule: str, seat: int | None, params: dict[str, Any] | None = None) -> str:
    """The irregularity's name, and the seat where it has one."""
    if not rule:
        name = tr("floor.amount")
    else:
        code = f"rule.{rule}.title"
        filled = {"count": 1, "seat": seat, "seats": [seat] if seat else [], **(params or {})}
        name = tr(code, filled) if tr.has(code) else rule
    return name if seat is None else tr("floor.at_seat", what=name, seat=seat)


def remedy_name(tr: Translator, option: str, seat: int | None) -> str:
    """What was ruled."""
    return tr.coded("remedy", option, {"count": 1, "seat": seat, "seats": [seat] if seat else []})


def shift_line(tr: Translator, alert: ShiftAlert) -> tuple[str, str]:
    """An alert of the shift: when and what, and what came of it."""
    what = rule_name(tr, alert.rule, alert.seat, alert.params)
    first = tr("floor.shift_line", when=clock_time(alert.t_utc_s), hand=alert.hand, what=what)
    return first, outcome(tr, alert)


def outcome(tr: Translator, alert: ShiftAlert) -> str:
    """What came of an alert."""
    said = tr(f"floor.outcome_{alert.state}")
    if alert.answered:
        said = tr("floor.answered", answer=alert.answered, what=said)
    if alert.steps and alert.state == "closed":
        said = tr("floor.steps", what=said, done=alert.steps_done, of=alert.steps)
    if alert.ruled:
        by = "floor.ruled_by_floor" if alert.ruled_by == "floor" else "floor.ruled_by_dealer"
        ruled = tr(by, what=remedy_name(tr, alert.ruled, alert.seat))
        said = tr("floor.and", what=said, more=ruled)
    return said


def unsigned_line(tr: Translator, ruling: UnsignedRuling) -> tuple[str, str]:
    """A ruling that waits: what was ruled, and when, in which hand and about what."""
    what = rule_name(tr, ruling.rule, ruling.seat)
    about = tr("floor.shift_line", when=clock_time(ruling.t_utc_s), hand=ruling.hand, what=what)
    return remedy_name(tr, ruling.option, ruling.seat), about


def action_line(tr: Translator, action: SeatAction) -> tuple[str, str, str]:
    """An action: its street, what it was, and whether it was assumed."""
    word = "all_in" if action.all_in and action.action in ("bet", "raise") else action.action
    said = tr(f"action.{word}")
    if action.to and action.action not in ("fold", "check"):
        said = tr("floor.action_to", action=word, to=action.to)
    return tr(f"street_cap.{action.street}"), said, tr("mark.assumed") if action.assumed else ""
