"""States of the pad and its sheets, for the contact sheet: what is typed, chosen and ruled."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from dealer_assist.domain.facts import (
    AheadOffer,
    DeviceFact,
    Fact,
    HandFact,
    NoticeFact,
    NowFact,
    PadFact,
    SeatFact,
    StraddleOffer,
    TableFact,
    UndoFact,
    section,
)
from dealer_assist.domain.link import Result
from dealer_assist.station import canned

if TYPE_CHECKING:
    from dealer_assist.station.window import StationWindow

Facts = tuple[Fact, ...]
_CHIPS: Final = (5, 25, 100, 500, 1000)


def changed(facts: Facts, *changes: Fact) -> Facts:
    """Facts with some sections replaced."""
    merged = {section(fact): fact for fact in facts}
    merged.update({section(fact): fact for fact in changes})
    return tuple(merged.values())


def _table(facts: Facts, **keys: object) -> TableFact:
    return replace(next(fact for fact in facts if isinstance(fact, TableFact)), **keys)


def _play() -> Facts:
    facts = canned.STATES["play"]()
    return changed(facts, _table(facts, chips=_CHIPS, buy_in_min=400, buy_in_max=1000))


def _seat(facts: Facts, seat: int) -> SeatFact:
    return next(fact for fact in facts if isinstance(fact, SeatFact) and fact.seat == seat)


def _by_exception() -> Facts:
    facts = _play()
    pad = next(fact for fact in facts if isinstance(fact, PadFact))
    ahead = AheadOffer(1, can_check=False, call=45, min_to=90, max_to=380)
    return changed(facts, _table(facts, entry="by_exception"), replace(pad, ahead=(ahead,)))


def _unknown_stack() -> Facts:
    facts = _play()
    return changed(facts, replace(_seat(facts, 5), stack=None), PadFact(5, False, 45, 90, None, 270, 158))


def _no_raise() -> Facts:
    return changed(_play(), PadFact(5, False, 45))


def _fixed_limit() -> Facts:
    """One legal raise: what half a pot and a pot would be is brought to it by the table service."""
    return changed(_play(), PadFact(5, False, 40, 80, 80, 80, 80))


def _ruled(**params: object) -> Facts:
    told = {"seat": 5, "to": 45, "back": 0, "owes": 0, "string": False, "rule": "TDA 44", **params}
    code = "amount_ruled" if told.get("action") else "amount_floor"
    undo = UndoFact("irregular", {"seat": 5})
    return changed(_play(), NoticeFact("amount/5", code, told), undo)


def _between(**keys: object) -> Facts:
    facts = canned.STATES["idle"]()
    return changed(facts, _table(facts, **keys), NoticeFact("deck", "deck_not_shuffled"))


def _shuffler_down() -> Facts:
    return changed(canned.STATES["idle"](), DeviceFact("shuffler-1", "shuffler", "lost", (), "no_device"))


def _clock(*, over: bool) -> Facts:
    facts = _play()
    params = {"seat": 5, "call": 45, "clock": 30_000, "clock_s": 30, "clock_over": over}
    return changed(facts, _table(facts, clock_s=30), NowFact("act", params))


def _straddle_waits() -> Facts:
    facts = canned.STATES["deal"]()
    offers = (StraddleOffer(1, 20, 500),)
    return changed(facts, PadFact(None, straddles=offers))


def _big_showdown() -> Facts:
    facts = canned.STATES["showdown"]()
    hand = next(fact for fact in facts if isinstance(fact, HandFact))
    seats = [
        SeatFact(seat, "in", "live" if seat != 3 else "tabled", 0, 0, 2, 2, to_act=False)
        for seat in range(1, 10)
    ]
    waiting = tuple(seat for seat in range(1, 10) if seat != 3)
    return changed(facts, hand, *seats, PadFact(None, showdown=waiting), NowFact("show", {"seats": [1]}))


STATES: Final[dict[str, Callable[[], Facts]]] = {
    "pad-play": _play,
    "pad-by-exception": _by_exception,
    "pad-unknown-stack": _unknown_stack,
    "pad-no-raise": _no_raise,
    "pad-fixed-limit": _fixed_limit,
    "pad-between": lambda: _between(games=("nlhe", "bomb_pot"), kill="half"),
    "pad-clock": lambda: _clock(over=False),
    "pad-clock-over": lambda: _clock(over=True),
    "pad-shuffler-down": _shuffler_down,
    "pad-showdown-many": _big_showdown,
}


def _type(window: StationWindow, amount: str) -> None:
    for digit in amount:
        window.pad.keys[digit].click()


def _typed(window: StationWindow) -> None:
    _type(window, "135")


def _ahead(window: StationWindow) -> None:
    window.table.seat_tapped.emit(1)
    _type(window, "150")


def _irregular(window: StationWindow) -> None:
    window.pad.keys["irregular"].click()


def _kind(kind: str) -> Callable[[StationWindow], None]:
    def act(window: StationWindow) -> None:
        _irregular(window)
        window.irregular_sheet.on_key(f"kind-{kind}")
        if kind == "mismatch":
            window.irregular_sheet.on_key("word-raise")
            window.irregular_sheet.on_key("chip-2")
            _type(window, "140")
        if kind == "second_motion":
            for code in ("chip-1", "chip-1", "second", "chip-2"):
                window.irregular_sheet.on_key(code)

    return act


def _read(window: StationWindow) -> None:
    window.set_sender(lambda _command, _after: "1")
    _irregular(window)
    window.irregular_sheet.on_key("kind-too_small")
    window.irregular_sheet.on_key("chip-0")
    window.irregular_sheet.on_key("read")
    window.receive((Result("1", ok=True),))


def _chips(seat: int, amount: str) -> Callable[[StationWindow], None]:
    def act(window: StationWindow) -> None:
        window.table.seat_tapped.emit(seat)
        if not window.seat_sheet.keys["chips"].isHidden():
            window.seat_sheet.keys["chips"].click()
        _type(window, amount)

    return act


def _clocked(window: StationWindow) -> None:
    window.table.seat_tapped.emit(5)


def _straddle(window: StationWindow) -> None:
    window.table.seat_tapped.emit(1)
    window.seat_sheet.keys["straddle_more"].click()
    _type(window, "60")


def _push(window: StationWindow) -> None:
    window.header.table_key.click()
    window.table_sheet.keys["dealer_push"].click()
    _type(window, "12")


def _correct(window: StationWindow) -> None:
    window.table.seat_tapped.emit(2)
    window.seat_sheet.keys["correct-raise"].click()
    _type(window, "90")


_OVERCHIP: Final = {"action": "call", "to": 45, "back": 455, "reason": "overchip"}
_HALF: Final = {"action": "raise", "to": 90, "owes": 20, "reason": "half_or_more", "rule": "TDA 43"}
_FLOOR: Final = {"action": "", "owes": 20, "reason": "undercall_floor", "rule": "TDA 51-B"}
_UNCLEAR: Final = {"action": "", "to": 0, "reason": "unclear", "rule": "TDA 57"}

#: states that need something done to the window: name → (facts, what is done)
ACTIONS: Final[dict[str, tuple[Callable[[], Facts], Callable[[StationWindow], None]]]] = {
    "pad-typed": (_play, _typed),
    "pad-ahead": (_by_exception, _ahead),
    "pad-mirrored": (_play, _typed),
    "irregular": (_play, _irregular),
    "irregular-overchip": (_play, _kind("overchip")),
    "irregular-mismatch": (_play, _kind("mismatch")),
    "irregular-second": (_play, _kind("second_motion")),
    "irregular-out-of-turn": (_play, _kind("out_of_turn")),
    "irregular-unclear": (_play, _kind("unclear")),
    "ruling-overchip": (lambda: _ruled(**_OVERCHIP), _read),
    "ruling-half": (lambda: _ruled(**_HALF), _read),
    "ruling-floor": (lambda: _ruled(**_FLOOR), _read),
    "ruling-unclear": (lambda: _ruled(**_UNCLEAR), _read),
    "seat-chips": (_play, _chips(4, "700")),
    "seat-sits-down": (_play, _chips(6, "500")),
    "seat-clock": (lambda: _clock(over=False), _clocked),
    "seat-straddle": (_straddle_waits, _straddle),
    "seat-amount": (_play, _correct),
    "dealer-push": (_play, _push),
}
