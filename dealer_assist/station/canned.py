"""Facts of a few telling moments of a table, for the contact sheet and for looking at the screen without one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from dealer_assist.domain.facts import (
    AlertFact,
    BoardCard,
    BoardFact,
    DeviceFact,
    Fact,
    HandFact,
    NoticeFact,
    NowFact,
    PadFact,
    PotFact,
    PotView,
    Push,
    SeatFact,
    StraddleOffer,
    TableFact,
    UndoFact,
    section,
)
from dealer_assist.station.canned_alerts import (
    BOXED,
    EARLY_TURN,
    EARLY_TURN_ASKED,
    EARLY_TURN_TURNED_UP,
    EXPOSED,
    FLOOR_CHOICE,
    FLOOR_RULED,
    FOUR_CARD_FLOP,
    MISDEAL,
    NOTE,
    SEAT_IN,
)

Facts = tuple[Fact, ...]
SEATS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9)
_ZONES: Final = (*(f"seat{seat}" for seat in SEATS), "board", "muck")


def _table(*, simulated: bool = False, seats: tuple[int, ...] = SEATS) -> TableFact:
    return TableFact("7", "seed", "nlhe", 5, 10, 0, "1 chip", seats, "every_action", simulated, "en")


def _hand(phase: str, street: str, *, attempt: int = 1) -> HandFact:
    return HandFact("10482", attempt, phase, street, 7, 8, 9)


def _board(*faces: str | None, early: str | None = None, burns: int = 1, mucked: int = 6) -> BoardFact:
    cards = tuple(BoardCard(face) for face in faces)
    if early is not None:
        cards = (*cards, BoardCard(early or None, early=True))
    return BoardFact(cards, burns, mucked)


def _seats(**changes: SeatFact) -> Facts:
    base = {
        1: SeatFact(1, "in", "live", 380, 0, 2, 2, to_act=False),
        2: SeatFact(2, "in", "live", 1215, 45, 2, 2, to_act=False, last_action="bet"),
        3: SeatFact(3, "in", "folded", 640, 0, 0, 2, to_act=False),
        4: SeatFact(4, "away", "none", 220, 0, 0, 2, to_act=False),
        5: SeatFact(5, "in", "live", 910, 0, 2, 2, to_act=True),
        6: SeatFact(6, "empty", "none", None, 0, 0, 2, to_act=False),
        7: SeatFact(7, "in", "folded", 2040, 0, 0, 2, to_act=False),
        8: SeatFact(8, "out", "none", None, 0, 0, 2, to_act=False),
        9: SeatFact(9, "in", "folded", 75, 0, 0, 2, to_act=False),
    }
    base.update({fact.seat: fact for fact in changes.values()})
    return tuple(base[seat] for seat in sorted(base))


def _devices(*changes: DeviceFact) -> Facts:
    base: dict[str, DeviceFact] = {
        "reader-1": DeviceFact("reader-1", "reader", "ok", _ZONES),
        "burn-1": DeviceFact("burn-1", "reader", "ok", ("burn",)),
        "shuffler-1": DeviceFact("shuffler-1", "shuffler", "ok"),
    }
    base.update({fact.id: fact for fact in changes})
    return tuple(base.values())


_ACT_PAD: Final = PadFact(5, False, 45, 90, 910, 270, 158, False, third_pot_to=120, three_quarter_pot_to=213)
_PLAY: Final[Facts] = (
    _table(),
    _hand("betting", "flop"),
    *_seats(),
    _board("Kh", "7s", "2d"),
    PotFact((PotView(180, (1, 2, 5)),), 45, 225),
    NowFact("act", {"seat": 5, "call": 45}),
    _ACT_PAD,
    UndoFact("act", {"seat": 2, "action": "bet", "to": 45}),
    *_devices(),
)


def _with(facts: Facts, *changes: Fact) -> Facts:
    """Facts with some sections replaced; seats and the rest by their kind."""
    merged = {section(fact): fact for fact in facts}
    merged.update({section(fact): fact for fact in changes})
    return tuple(merged.values())


_EARLY_BOARD: Final = _board("Kh", "7s", "2d", early="", burns=2)


def _full_ring() -> Facts:
    seats = tuple(range(1, 11))
    actions = ("call", "raise", "call", "all_in", "call", "fold", "call", "check", "call", "bet")
    facts: list[Fact] = [_table(seats=seats), HandFact("3120077", 1, "betting", "turn", 10, 1, 2)]
    for seat, action in zip(seats, actions, strict=True):
        gone = action == "fold"
        facts.append(
            SeatFact(
                seat,
                "in",
                "folded" if gone else "all_in" if action == "all_in" else "live",
                12_040 + seat * 111,
                0 if gone else 1_250,
                0 if gone else 2,
                2,
                to_act=seat == 2,
                last_action=action,
                marks=("assumed",) if seat == 7 else ("doubtful",) if seat == 9 else (),
            )
        )
    facts += [
        BoardFact(tuple(BoardCard(face) for face in ("As", "Td", "9c", "9h")), 2, 2),
        PotFact(
            (PotView(12_600, (1, 2, 3, 4, 5)), PotView(8_240, (1, 2, 3, 5)), PotView(1_600, (2, 3))),
            11_250,
            33_690,
        ),
        NowFact("act", {"seat": 2, "call": 3_750}),
        PadFact(2, False, 3_750, 7_500, 12_262, 21_050, 12_262, False),
        UndoFact("act", {"seat": 10, "action": "bet", "to": 1_250}),
        *_devices(
            DeviceFact("reader-1", "reader", "ok", (*(f"seat{seat}" for seat in seats), "board", "muck"))
        ),
        NoticeFact("floor", "floor_called"),
    ]
    return tuple(facts)


def _dealing() -> Facts:
    seats = [
        replace(
            fact,
            hand="live",
            cards=2 if fact.seat in (8, 9, 1) else 1,
            due=2,
            to_act=False,
            bet=0,
            last_action="",
        )
        for fact in _seats()
        if isinstance(fact, SeatFact) and fact.status in ("in", "out")
    ]
    blinds = {8: 5, 9: 10}
    seats = [
        replace(fact, status="in", stack=fact.stack or 500, bet=blinds.get(fact.seat, 0)) for fact in seats
    ]
    seats = [replace(fact, marks=("short",), cards=1) if fact.seat == 7 else fact for fact in seats]
    return _with(
        _PLAY,
        _hand("deal", "preflop"),
        *seats,
        BoardFact((), 0, 0),
        PotFact((), 15, 15),
        NowFact("deal", {"seat": 2}),
        PadFact(None),
        UndoFact(),
    )


def _showdown() -> Facts:
    return _with(
        _PLAY,
        _hand("showdown", "river"),
        SeatFact(1, "in", "live", 0, 0, 2, 2, to_act=False),
        SeatFact(2, "in", "tabled", 835, 0, 2, 2, to_act=False, tabled=("Kd", "7d")),
        SeatFact(5, "in", "tabled", 0, 0, 2, 2, to_act=False, tabled=("As",)),
        _board("Kh", "7s", "2d", "9c", "Jd", burns=3),
        PotFact((PotView(1140, (1, 2, 5)), PotView(380, (2, 5))), 0, 1520),
        NowFact("show", {"seats": [1]}),
        PadFact(None, showdown=(1,)),
        UndoFact("tabled", {"seat": 5}),
    )


def _award() -> Facts:
    return _with(
        _showdown(),
        _hand("award", "river"),
        SeatFact(1, "in", "mucked", 0, 0, 0, 2, to_act=False),
        SeatFact(2, "in", "tabled", 2355, 0, 2, 2, to_act=False, tabled=("Kd", "7d"), won=1520),
        SeatFact(5, "in", "tabled", 0, 0, 2, 2, to_act=False, tabled=("As", "Ks")),
        NowFact(
            "push",
            {},
            (
                Push(1, 2, 380, "two_pair", {"high": "K", "low": "7"}),
                Push(0, 2, 1140, "two_pair", {"high": "K", "low": "7"}),
            ),
        ),
        PadFact(None, can_push=True),
        UndoFact("mucked", {"seat": 1}),
    )


def _idle() -> Facts:
    seats = [
        replace(fact, hand="none", cards=0, bet=0, to_act=False, last_action="")
        for fact in _seats()
        if isinstance(fact, SeatFact)
    ]
    return _with(
        _PLAY,
        _hand("closed", "river"),
        *seats,
        BoardFact((), 0, 0),
        PotFact((), 0, 0),
        NowFact("idle"),
        PadFact(None, can_open=True),
        UndoFact(),
        _table(simulated=True),
    )


def _trouble() -> Facts:
    return _with(
        _PLAY,
        NowFact("burn", {"street": "turn"}),
        PadFact(None),
        *_seats(
            five=SeatFact(
                5, "in", "live", 910, 45, 2, 2, to_act=False, last_action="call", marks=("doubtful",)
            )
        ),
        *_devices(
            DeviceFact("burn-1", "reader", "lost", ("burn",), "no_reader"),
            DeviceFact("seat-reader-9", "reader", "stale", ("seat9",)),
            DeviceFact("shuffler-1", "shuffler", "connecting"),
        ),
        NoticeFact("unknown/board", "unknown_card", {"zone": "board"}),
        NoticeFact("restart/reader-1", "device_restarted", {"device": "reader-1"}),
    )


def _two_boards() -> Facts:
    first = tuple(BoardCard(face) for face in ("Kh", "7s", "2d", "Tc"))
    second = tuple(BoardCard(face, board=2) for face in ("As", "9h", "9d"))
    return _with(
        _PLAY,
        replace(_hand("betting", "turn"), game="bomb_pot_two_boards"),
        BoardFact((*first, *second), 2, 6),
        NowFact("board", {"street": "turn", "count": 1, "board": 2}),
        PadFact(None),
    )


def _all_in() -> Facts:
    """Seats 2 and 5 are all-in on the flop with their hands up."""
    seats = {
        seat: SeatFact(seat, "in", "tabled", 0, 0, 2, 2, to_act=False, last_action="all_in", tabled=faces)
        for seat, faces in ((2, ("Ah", "Kd")), (5, ("9s", "9c")))
    }
    seats[1] = SeatFact(1, "in", "folded", 380, 0, 0, 2, to_act=False)
    return _with(
        _PLAY,
        _hand("runout", "turn"),
        *seats.values(),
        PotFact((PotView(1990, (2, 5)),), 0, 1990),
        NowFact("burn", {"street": "turn"}),
        PadFact(None, run_it=3),
        UndoFact("tabled", {"seat": 5}),
    )


def _run_twice() -> Facts:
    first = tuple(BoardCard(face) for face in ("Kh", "7s", "2d", "Tc", "4h"))
    return _with(
        _all_in(),
        _hand("runout", "river"),
        BoardFact((*first, BoardCard("As", board=2)), 4, 6, runs=2, common=3),
        NowFact("burn", {"street": "river", "run": 2}),
        PadFact(None),
        UndoFact(),
    )


def _run_three_times() -> Facts:
    faces = (("Kh", "7s", "2d", "Tc", "4h"), ("As", "9h", "9d", "3c", "8s"), ("Qd", "Js", "6h", "5c", "Kc"))
    laid = [BoardCard(face, board=number) for number, board in enumerate(faces, 1) for face in board]
    return _with(
        _all_in(),
        _hand("award", "river"),
        BoardFact(tuple(laid), 9, 6, runs=3),
        NowFact(
            "push",
            {},
            (
                Push(0, 2, 664, "pair", {"rank": "K"}, board=1),
                Push(0, 5, 663, "quads", {"rank": "9"}, board=2),
                Push(0, 2, 663, "pair", {"rank": "K"}, board=3),
            ),
        ),
        PadFact(None, can_push=True),
        UndoFact(),
    )


def _point() -> Facts:
    seats = [
        replace(fact, due=3, cards=3, to_act=False) if fact.hand == "live" else fact
        for fact in _seats()
        if isinstance(fact, SeatFact)
    ]
    return _with(_PLAY, *seats, NowFact("point", {"seats": [1, 2, 5]}), PadFact(None))


def _window() -> Facts:
    seats = [replace(fact, to_act=False) for fact in _seats() if isinstance(fact, SeatFact)]
    return _with(_PLAY, *seats, NowFact("window", {"seats": [3, 9], "price": 30}), PadFact(None))


def _deck() -> Facts:
    return _with(
        _idle(),
        replace(_table(), games=("nlhe", "bomb_pot_two_boards")),
        NowFact("deck_not_ready", {"deck": "used"}),
        NoticeFact("deck", "deck_not_shuffled"),
    )


def _games() -> Facts:
    games = ("nlhe", "omaha", "bomb_pot", "double", "pineapple")
    return _with(_idle(), replace(_table(), games=games), NoticeFact("deck", "deck_not_shuffled"))


STATES: Final[dict[str, Callable[[], Facts]]] = {
    "play": lambda: _PLAY,
    "deal": _dealing,
    "straddles": lambda: _with(
        _dealing(), PadFact(None, straddles=(StraddleOffer(1, 20, 20), StraddleOffer(7, 20, 20)))
    ),
    "full-ring": _full_ring,
    "question": lambda: _with(_PLAY, _EARLY_BOARD, AlertFact(EARLY_TURN_ASKED)),
    "stop": lambda: _with(_PLAY, _EARLY_BOARD, AlertFact(EARLY_TURN), _table(simulated=True)),
    "stop-question": lambda: _with(_PLAY, _EARLY_BOARD, AlertFact(EARLY_TURN_TURNED_UP)),
    "several": lambda: _with(
        _PLAY, _EARLY_BOARD, AlertFact(EXPOSED), AlertFact(BOXED), AlertFact(EARLY_TURN_TURNED_UP)
    ),
    "exposed": lambda: _with(
        _dealing(),
        AlertFact(EXPOSED),
        NowFact("step", {"step": "take_exposed", "seat": 3}),
        UndoFact("report", {"row": "exposed", "seat": 3}),
    ),
    "misdeal": lambda: _with(
        _dealing(), AlertFact(MISDEAL), _hand("misdeal", "preflop"), NowFact("step", {"step": "gather_all"})
    ),
    "four-card-flop": lambda: _with(
        _PLAY,
        _board("Kh", "7s", "2d", None),
        AlertFact(FOUR_CARD_FLOP),
        NowFact("step", {"step": "gather_board"}),
    ),
    "seat-in": lambda: _with(_dealing(), AlertFact(SEAT_IN)),
    "floor-choice": lambda: _with(_PLAY, AlertFact(FLOOR_CHOICE)),
    "floor-ruled": lambda: _with(_PLAY, AlertFact(FLOOR_RULED)),
    "note": lambda: _with(_PLAY, AlertFact(NOTE), NoticeFact("fell", "alert_fell_away", {"rule": "R2"})),
    "two-boards": _two_boards,
    "two-boards-alert": lambda: _with(_two_boards(), AlertFact(BOXED)),
    "run-it": _all_in,
    "run-twice": _run_twice,
    "run-three-times": _run_three_times,
    "point": _point,
    "window": _window,
    "deck": _deck,
    "games": _games,
    "showdown": _showdown,
    "award": _award,
    "award-raked": lambda: _with(
        _award(),
        PotFact((PotView(1126, (2, 5)), PotView(376, (2, 5))), 0, 1502, 15, (("jackpot", 3),)),
        NowFact(
            "push",
            {},
            (
                Push(1, 2, 376, "two_pair", {"high": "K", "low": "7"}),
                Push(0, 2, 563, "two_pair", {"high": "K", "low": "7"}),
                Push(0, 5, 563, "two_pair", {"high": "K", "low": "7"}),
            ),
        ),
    ),
    "left-unsettled": lambda: _with(
        STATES["deal"](), NoticeFact("unsettled", "hand_unsettled", {"hand": "10481", "seats": [2, 5]})
    ),
    "idle": _idle,
    "trouble": _trouble,
    "unavailable": lambda: _with(
        _PLAY,
        NowFact("unavailable", {"reason": "disk_full"}),
        PadFact(None),
        NoticeFact("journal", "journal_unavailable", {"reason": "disk_full"}),
    ),
}
