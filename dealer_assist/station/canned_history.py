"""A few past hands and one of them step by step, for the contact sheet and the tests of the page of past hands."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from dealer_assist.domain.facts import (
    AlertFact,
    BoardCard,
    BoardFact,
    Fact,
    HandFact,
    NowFact,
    PotFact,
    PotView,
    Push,
    SeatFact,
)
from dealer_assist.domain.history import AlertLine, HandLine, HandsPage, ReplayPage, ReplayStep
from dealer_assist.station import canned
from dealer_assist.station.canned_alerts import EXPOSED

_DAY: Final = 1_796_000_000
_D9: Final = AlertLine("D9", "proven", "high", "closed", 3)
_N10: Final = AlertLine("N10", "probable", "medium", "withdrawn")
HANDS: Final = HandsPage(
    (
        HandLine(0, "10482", "", _DAY, 0, pot=225, steps=31),
        HandLine(9120, "10481", "completed", _DAY - 190, _DAY - 20, "", 1480, ((5, 1480),), (), 84),
        HandLine(
            8801, "10480", "completed", _DAY - 420, _DAY - 230, "", 310, ((2, 155), (9, 155)), (_D9, _N10), 96
        ),
        HandLine(
            8530, "10479", "misdeal", _DAY - 480, _DAY - 450, alerts=(replace(_D9, rule="X1"),), steps=22
        ),
        HandLine(
            8412,
            "10478",
            "completed",
            _DAY - 700,
            _DAY - 520,
            "bomb_pot",
            2610,
            ((1, 870), (3, 870), (7, 870)),
            (_N10,),
            71,
        ),
        HandLine(8077, "10477", "chopped", _DAY - 90_000, _DAY - 89_900, steps=12),
    ),
    next=8077,
)


def _shown(name: str) -> tuple[Fact, ...]:
    """The sections of a canned state that a replay has."""
    kinds = ("table", "hand", "seat", "board", "pot", "now", "alert", "notice")
    return tuple([fact for fact in canned.STATES[name]() if type(fact).__struct_config__.tag in kinds])


def _steps() -> tuple[ReplayStep, ...]:
    """From the deal to a showdown in which seat 5 mucks; an exposed card is put right on the way."""
    turn = BoardFact(
        (BoardCard("Kh"), BoardCard("7s"), BoardCard("2d"), BoardCard("Tc"), BoardCard("4h")), 3, 6
    )
    closed = replace(EXPOSED, state="closed")
    return (
        ReplayStep(0, "open_hand", _shown("deal")),
        ReplayStep(
            4_100,
            "report",
            (AlertFact(EXPOSED), NowFact("step", {"step": "take_exposed", "seat": 3})),
            (),
            {"row": "exposed", "seat": 3},
        ),
        ReplayStep(
            9_800, "card_placed", (AlertFact(closed), NowFact("deal", {"seat": 9})), (), {"zone": "burn"}
        ),
        ReplayStep(31_000, "act", _shown("play"), (), {"seat": 2, "action": "bet", "to": 45}),
        ReplayStep(
            67_400,
            "mucked",
            (
                turn,
                HandFact("10481", 1, "award", "river", 7, 8, 9),
                SeatFact(2, "in", "tabled", 1170, 0, 2, 2, to_act=False, tabled=("Ks", "Kd")),
                SeatFact(5, "in", "mucked", 865, 0, 0, 2, to_act=False),
                PotFact((PotView(270, (2,)),), 0, 270),
                NowFact("push", {}, (Push(0, 2, 270, "trips", {"rank": "K"}),)),
            ),
            (),
            {"seat": 5},
        ),
    )


STEPS: Final = _steps()

REPLAY: Final = ReplayPage(9120, "10481", 0, len(STEPS), STEPS)
