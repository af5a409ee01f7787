"""Moments of alerts for the contact sheet: a queue of three, the sounds paused, a question with what explains it, reasons, a ruling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from dealer_assist.domain.alerts import Alert, Explanation, Saves, Why
from dealer_assist.domain.facts import AlertFact, Fact, NowFact, SavesFact, section
from dealer_assist.station import canned
from dealer_assist.station.canned_alerts import EARLY_TURN, EXPOSED, FLOOR_RULED, MISDEAL, SEAT_IN

#: As the alignment of the reads asks about a seat that was passed over.
SKIPPED: Final = replace(
    SEAT_IN,
    id="10482/11",
    why=(
        Why("not_read", {"zone": "seat4"}, weight=420),
        Why("came_when", {"number": 5}, ("r5",), 160),
        Why("came_when", {"number": 6}, ("r6",), 70),
        Why("odds", {"share": 88, "ask": 62}, weight=199),
    ),
    explanations=(
        Explanation("skip", {"seat": 4, "due": 4}, 8_810),
        Explanation("as_planned", {"count": 1}, 1_130),
    ),
)
#: Three board cards lie there and no burn was read.
UNBURNED: Final = Alert(
    "10482/12",
    "N1",
    "probable",
    "high",
    "open",
    False,
    "flop",
    None,
    "seed",
    "S001 E3",
    {"street": "flop", "count": 3, "next": "flop"},
    "burned",
    why=(
        Why("read_at", {"zone": "board", "count": 3}, ("r1", "r2", "r3"), 300),
        Why("not_read", {"zone": "burn"}, weight=200),
        Why("odds", {"share": 74, "ask": 55}, weight=105),
    ),
    explanations=(
        Explanation("no_burn", {"street": "flop"}, 7_400),
        Explanation("burn_unread", {"street": "flop"}, 2_600),
    ),
)
#: The same, answered: a seat that was skipped is a misdeal, and its steps leave no room for the reasons.
SKIPPED_PROVEN: Final = replace(
    SKIPPED, evidence="proven", question=None, answered="yes", remedy="misdeal", steps=MISDEAL.steps
)
_SAVES: Final = SavesFact(Saves(told=2, own=1))


def _with(name: str, *changes: Fact) -> tuple[Fact, ...]:
    merged = {section(fact): fact for fact in canned.STATES[name]()}
    merged.update({section(fact): fact for fact in changes})
    return tuple(merged.values())


def _early(*alerts: Alert) -> tuple[Fact, ...]:
    return _with("question", *[AlertFact(alert) for alert in alerts], _SAVES)


STATES: Final[dict[str, Callable[[], tuple[Fact, ...]]]] = {
    "queue": lambda: _early(SKIPPED, EXPOSED, EARLY_TURN),
    "explained": lambda: _with("deal", AlertFact(SKIPPED)),
    "unburned": lambda: _with("play", AlertFact(UNBURNED)),
    "ruled": lambda: _with(
        "play", AlertFact(FLOOR_RULED), NowFact("step", {"step": "hand_back", "seat": 5}), _SAVES
    ),
    "why": lambda: _with("misdeal", AlertFact(replace(SKIPPED_PROVEN, id=MISDEAL.id))),
    "paused": lambda: _early(EARLY_TURN),
}
