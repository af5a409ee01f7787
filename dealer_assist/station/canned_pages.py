"""States of the full pages, for the contact sheet: facts, the page to open, and what is tapped on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from dealer_assist.domain.alerts import Saves
from dealer_assist.domain.commands import Command
from dealer_assist.domain.equipment import (
    AntennasFact,
    AntennaView,
    DecksFact,
    DeckView,
    LinksFact,
    LinkView,
    SetupFact,
    TouchState,
    TouchView,
)
from dealer_assist.domain.facts import DeviceFact, Fact, NoticeFact, SeatFact, TableFact
from dealer_assist.domain.history import AskHands, AskReplay, HandsPage, ReplayPage
from dealer_assist.domain.link import Result
from dealer_assist.domain.shift import Matter, ShiftFact
from dealer_assist.station import canned, canned_floor, canned_history
from dealer_assist.station.pages.faces import FACES
from dealer_assist.station.pages.page import Page

Facts = tuple[Fact, ...]


class PageState(NamedTuple):
    """``facts`` make the state, ``page`` is opened on it, then each code of ``taps`` is tapped; ``then`` does what no tap does."""

    page: str
    facts: Callable[[], Facts]
    taps: tuple[str, ...] = ()
    typed: str = ""
    then: Callable[[Any], None] | None = None


_DAY: Final = 1_796_000_000  # a morning in November 2026
_DECKS: Final = DecksFact(
    (
        DeckView("red 1", "red", "in_use", 52, _DAY, _DAY - 90_000, _DAY, _DAY - 3_600),
        DeckView("blue 1", "blue", "in_use", 52, _DAY, _DAY - 90_000, _DAY - 88_000, 0, True),
        DeckView("red 2", "red", "registered", 52, _DAY, _DAY - 7_000, 0, _DAY - 6_000),
        DeckView("blue 2", "blue", "registered", 52, _DAY, _DAY - 6_900, 0, _DAY - 5_000),
        DeckView("green 1", "green", "unfinished", 31, _DAY),
        DeckView("black 4", "black", "quarantine", 52, _DAY, 1, 0, 0, False, 2, "counted_wrong"),
        DeckView("red 0", "red", "retired", 52, _DAY, 1),
    )
)
_ZONES: Final = (*(f"seat{seat}" for seat in canned.SEATS), "board", "muck", "burn", "gate")


def _antennas() -> AntennasFact:
    return AntennasFact(
        tuple(
            [
                AntennaView("reader-1", number, zone, "good", None, 30, 9_700)
                for number, zone in enumerate(_ZONES)
            ]
        ),
        "4f1c09aa72de",
    )


def _table(*more: Fact) -> Facts:
    """Between hands, with decks and antennas."""
    return (*canned.STATES["idle"](), _DECKS, _antennas(), *more)


def _registering(note: str = "laid", **params: str | int) -> Facts:
    setup = SetupFact(
        "registration", "green 1", "muck", 31, 52, FACES[32], note, params, (*FACES[:20], *FACES[21:32])
    )
    return _table(setup)


def _show_receipt(page: Page) -> None:
    page.receipt = {  # type: ignore[attr-defined]
        "number": 17,
        "table": "7",
        "t_utc": "2026-11-30T18:20:00Z",
        "deck": "red 2",
        "back": "red",
        "dealer": "17",
        "maker": "FEIG",
        "model": "ID ISC.PR101",
        "serial": "0012345",
        "firmware": "02.05.00",
        "result": "not_complete",
        "read": 49,
        "of": 52,
        "dead": ["4h", "Td", "Kc"],
        "foreign": {"blue 1": 1, "": 2},
        "twice": 0,
        "simulated": False,
    }
    page.arrange()


def _tell(page: Page, told: HandsPage | ReplayPage) -> None:
    question: Command = (
        AskHands(0, 6) if isinstance(told, HandsPage) else AskReplay(told.row, told.first, told.hand)
    )
    page.answered(question, Result("1", ok=True, params=msgspec.to_builtins(told, str_keys=True)))


def _list_hands(page: Page) -> None:
    _tell(page, canned_history.HANDS)


def _replay(page: Page, step: int) -> None:
    _list_hands(page)
    page.keys["hand-1"].click()
    _tell(page, canned_history.REPLAY)
    page.go_to(step)  # type: ignore[attr-defined]


def _touched() -> Facts:
    """A calibration in which six are done, one of them missing, and the seventh is asked for."""
    states: tuple[TouchState, ...] = ("good", "good", "poor", "good", "missing", "good", "now")
    touches = tuple(
        [
            TouchView("reader-1", number, zone, states[number] if number < len(states) else "waiting")
            for number, zone in enumerate(_ZONES)
        ]
    )
    return _table(
        SetupFact(
            "calibration",
            "",
            "seat7",
            6,
            len(_ZONES),
            "seat7",
            "other_antenna",
            {"zone": "seat8", "antenna": 7},
            (),
            touches,
        )
    )


_BIG_ZONES: Final = (
    *(f"seat{seat}" for seat in range(1, 12)),
    *("board",) * 5,
    "board2",
    "muck",
    "burn",
    "gate",
    "stub",
    "check",
    "badge",
)


def _seen() -> Facts:
    """A table of eleven with five antennas on the board, as a technician sees it in mid-hand."""
    views = [
        AntennaView(
            "reader-1" if number < 16 else "burn-1",
            number,
            zone,
            "poor" if zone == "muck" else "good" if number % 7 else "unmeasured",
            2 if number < 6 else 1 if 11 <= number < 14 else 0,
            120 if number % 7 else 0,
            6_310 if zone == "muck" else 9_640,
            52,
            49,
            100,
            ("seat2",) if zone == "seat3" else (),
        )
        for number, zone in enumerate(_BIG_ZONES)
    ]
    links = (
        LinkView("reader-1", "reader", "ok", "", 0, "FEIG", "LRU1002", "00123", "2.5", {"crc_errors": 2}),
        LinkView(
            "burn-1", "burn_gate", "lost", "", 3, "ACS", "ACR1252U", "", "", {"timeouts": 41, "retries": 12}
        ),
        LinkView("shuffler-1", "shuffler", "ok", "", 0, "Shuffle Master", "DeckMate 2", "77-1", "8.1"),
    )
    return _with_devices(AntennasFact(tuple(views), "4f1c09aa72de"), LinksFact(links))


def _with_devices(*more: Fact) -> Facts:
    reduced = NoticeFact("reduced/muck", "reduced_checking", {"zone": "muck"})
    lost = DeviceFact("burn-1", "burn_gate", "lost", ("burn",))
    return (*canned.STATES["full-ring"](), lost, reduced, *more)


def _of_eleven() -> Facts:
    """Eleven seats between hands, two of them not counted."""
    table = canned.STATES["idle"]()
    seats = [
        SeatFact(
            seat,
            "away" if seat == 4 else "in",
            "none",
            None if seat in (2, 9) else 1_000 * seat,
            0,
            0,
            0,
            to_act=False,
        )
        for seat in range(1, 12)
    ]
    rest = [
        replace(fact, seats=tuple(range(1, 12))) if isinstance(fact, TableFact) else fact
        for fact in table
        if not isinstance(fact, SeatFact)
    ]
    return (*rest, *seats)


def _mixed() -> Facts:
    """A table that may play several games by several houses."""
    games = ("nlhe", "omaha", "plhe", "short", "double", "bomb_pot")
    houses = ("seed", "roberts", "tda2024", "wsop_cash", "wsop_tournament")
    return tuple(
        [
            replace(fact, games=games, houses=houses) if isinstance(fact, TableFact) else fact
            for fact in _table()
        ]
    )


_SHIFT: Final = ShiftFact(
    open=True,
    opened_s=_DAY,
    by="17",
    tray=5_000,
    hands=214,
    off=3,
    stops=4,
    questions=9,
    saves=Saves(told=3, own=7, misread=1),
    rake=4_180,
    drops=(("jackpot", 214), ("promotion", 180)),
    time=540,
)
_CLOSED: Final = replace(
    _SHIFT,
    open=False,
    closed_s=_DAY + 28_800,
    closed_by="floor",
    tray_closed=9_994,
    matters=(Matter("decks_quarantine", {"count": 1}), Matter("devices", {"count": 1})),
)


STATES: Final[dict[str, PageState]] = {
    "page-shift-first": PageState("shift", _table, typed="500"),
    "page-shift": PageState("shift", lambda: _table(_SHIFT)),
    "page-shift-closed": PageState("shift", lambda: _table(_CLOSED)),
    "page-set_up": PageState("set_up", _table),
    "page-set_up-typed": PageState("set_up", _of_eleven, typed="640"),
    "page-set_up-terms": PageState("set_up", _mixed, ("terms", "game-1", "big_blind"), typed="20"),
    "page-calibration": PageState("calibration", _table, ("antenna-3-reader-1", "antenna-10-reader-1")),
    "page-calibration-going": PageState("calibration", _touched),
    "page-diagnostics": PageState("diagnostics", _seen),
    "page-diagnostics-figures": PageState("diagnostics", _seen, ("figures",)),
    "page-diagnostics-devices": PageState("diagnostics", _seen, ("devices",)),
    "page-decks": PageState("decks", _table, ("deck-0",)),
    "page-decks-none": PageState("decks", canned.STATES["idle"]),
    "page-decks-new": PageState("decks", _table, ("new", "back-blue")),
    "page-decks-set": PageState("decks", _table, ("set",)),
    "page-decks-reason": PageState("decks", _table, ("deck-2", "quarantine")),
    "page-decks-register": PageState("decks", _registering),
    "page-decks-two": PageState("decks", lambda: _registering("two_at_once")),
    "page-decks-check": PageState(
        "decks",
        lambda: _table(SetupFact("check", "red 2", "", 31, 52, "", "other_deck", {"deck": "blue 1"})),
    ),
    "page-decks-receipt": PageState("decks", _table, then=_show_receipt),
    "page-history-none": PageState(
        "history", canned.STATES["idle"], then=lambda page: _tell(page, HandsPage(()))
    ),
    "page-history": PageState("history", canned.STATES["idle"], then=_list_hands),
    "page-history-first": PageState("history", canned.STATES["play"], then=lambda page: _replay(page, 0)),
    "page-history-alert": PageState("history", canned.STATES["play"], then=lambda page: _replay(page, 1)),
    "page-history-last": PageState("history", canned.STATES["play"], then=lambda page: _replay(page, 4)),
    **{name: PageState("floor", facts, then=then) for name, (facts, then) in canned_floor.STATES.items()},
}
