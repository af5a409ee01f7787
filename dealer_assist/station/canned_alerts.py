"""Alerts and questions of a few telling moments, for the contact sheet."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from dealer_assist.domain.alerts import Alert, Step, Why

_TURN_STEPS: Final = (
    Step("set_aside", {"count": 1}, "done"),
    Step("finish_betting", {"street": "flop"}, "current"),
    Step("burn_and_turn"),
    Step("shuffle_with_aside", seen=False),
    Step("river_no_burn"),
)
_WHY: Final = (
    Why("read_at", {"zone": "board", "count": 4}, ("r1",), 400),
    Why("seats_pending", {"seats": [5, 1]}, (), 200),
)
EARLY_TURN_ASKED: Final = Alert(
    "10482/1",
    "R2",
    "probable",
    "high",
    "open",
    False,
    "flop",
    5,
    "seed",
    "S001 E6",
    {"seats": [5, 1], "count": 1, "next": "turn"},
    "acted",
    None,
    None,
    (),
    _WHY,
)
EARLY_TURN: Final = replace(
    EARLY_TURN_ASKED,
    evidence="proven",
    stop=True,
    question=None,
    answered="no",
    remedy="river_as_turn",
    steps=_TURN_STEPS,
)
EARLY_TURN_TURNED_UP: Final = replace(EARLY_TURN, question="turned_up")
EXPOSED: Final = Alert(
    "10482/2",
    "X3",
    "proven",
    "medium",
    "fixing",
    False,
    "preflop",
    3,
    "seed",
    "S001 E2",
    {"seat": 3},
    None,
    "yes",
    "replace_exposed",
    (
        Step("deal_on", {}, "done"),
        Step("take_exposed", {"seat": 3}, "current"),
        Step("top_card_to", {"seat": 3}),
        Step("exposed_is_burn"),
    ),
    (Why("dealer_reported", {"row": "exposed", "seat": 3}, (), 1000),),
)
FOUR_CARD_FLOP: Final = Alert(
    "10482/3",
    "F1",
    "proven",
    "high",
    "open",
    True,
    "flop",
    None,
    "seed",
    "S001 E4, E5",
    {"count": 4, "extra": 1, "next": "flop"},
    None,
    "yes",
    "reflop_no_burn",
    (Step("gather_board", {}, "current"), Step("shuffle_cut_stub", seen=False), Step("new_flop_no_burn")),
    (Why("read_at", {"zone": "board", "count": 4}, (), 500),),
)
MISDEAL: Final = Alert(
    "10482/4",
    "X1",
    "proven",
    "high",
    "open",
    True,
    "preflop",
    8,
    "seed",
    "S001 E1",
    {"seat": 8},
    None,
    "yes",
    "misdeal",
    (
        Step("stop_pitching", {}, "done", seen=False),
        Step("say_misdeal", {}, "done", seen=False),
        Step("gather_all", {}, "current"),
        Step("shuffle_cut", seen=False),
        Step("redeal", {"seat": 8}),
    ),
    (Why("dealer_reported", {"row": "exposed", "seat": 8}, (), 1000),),
)
BOXED: Final = Alert(
    "10482/5",
    "N5",
    "probable",
    "medium",
    "open",
    False,
    "turn",
    None,
    "seed",
    "RROP #4",
    {"street": "flop"},
    "boxed",
    None,
    None,
    (),
    (Why("read_at", {"zone": "burn", "count": 2}, (), 300),),
)
SEAT_IN: Final = Alert(
    "10482/6",
    "D3",
    "probable",
    "high",
    "open",
    False,
    "preflop",
    4,
    "seed",
    "RROP misdeals (j)",
    {"seat": 4},
    "seat_in",
    None,
    None,
    (),
    (Why("not_read", {"zone": "seat4"}, (), 200),),
)
