"""A table that is opened and closed: what people say, what may be shown of it, and what is still open when it closes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from dealer_assist.domain.alerts import Saves
from dealer_assist.domain.equipment import DecksFact
from dealer_assist.domain.floor import FloorModeFact

if TYPE_CHECKING:
    from dealer_assist.domain.facts import Fact

Chips = Annotated[int, msgspec.Meta(ge=0)]

# -- commands ------------------------------------------------------------------------------------------------------------------


class OpenTable(msgspec.Struct, frozen=True, tag="open_table", tag_field="kind"):
    """The table opens. ``tray``: the chips in the dealer's tray as counted, in the smallest unit; None: not counted.

    Nothing waits for it: a hand that is dealt at a closed table opens it.
    """

    tray: Chips | None = None


class CloseTable(msgspec.Struct, frozen=True, tag="close_table", tag_field="kind"):
    """The table closes, between hands. ``tray`` as of :class:`OpenTable`. What is still open is kept with it and stops nothing."""

    tray: Chips | None = None


ShiftCommand = OpenTable | CloseTable

# -- facts ---------------------------------------------------------------------------------------------------------------------


class Matter(msgspec.Struct, frozen=True):
    """Something that is open when a table closes: a code and parameters.

    alerts (count), floor_called, players (seats), stacks_unknown (seats), decks_in_use (count), decks_unfinished (count),
    decks_quarantine (count), devices (count), reduced (count), unsigned (count: rulings that no badge has signed), journal.
    """

    code: str
    params: dict[str, Any] = {}


class ShiftFact(msgspec.Struct, frozen=True, tag="shift", tag_field="kind"):
    """The table's shift: the one that goes on, or the last one. Times in seconds of UTC, 0: never. Amounts in the smallest unit.

    ``by``, ``closed_by``: who said it, an actor, or the dealer's number; ``by`` "": the first hand opened the table.
    ``hands`` were played, ``off`` of them misdealt, void or chopped. ``stops``: alerts that were proven; ``questions``: that were asked and
    never proven. ``rake``, ``drops``, ``time``: taken from finished hands. ``tray``, ``tray_closed``: None: not counted.
    ``matters``: what was open at the close.
    """

    open: bool = False
    opened_s: int = 0
    by: str = ""
    tray: int | None = None
    hands: int = 0
    off: int = 0
    stops: int = 0
    questions: int = 0
    saves: Saves = Saves()
    rake: int = 0
    drops: tuple[tuple[str, int], ...] = ()
    time: int = 0
    closed_s: int = 0
    closed_by: str = ""
    tray_closed: int | None = None
    matters: tuple[Matter, ...] = ()


_OPEN_ALERTS: Final = ("open", "fixing")
#: states of a lamp in which nothing has to be looked after
_WELL: Final = ("ok", "plain_line")


def open_matters(facts: Iterable[Fact]) -> tuple[Matter, ...]:
    """What is still open, by what the screens show. The service keeps it with the close; the page shows it before."""
    from dealer_assist.domain import facts as fx  # noqa: PLC0415 - a shift is one of the facts

    alerts = devices = reduced = unsigned = 0
    floor = journal = False
    seated: list[int] = []
    unknown: list[int] = []
    decks: dict[str, int] = {}
    for fact in facts:
        match fact:
            case fx.AlertFact():
                alerts += fact.alert.state in _OPEN_ALERTS and fact.alert.evidence != "possible"
            case fx.NoticeFact():
                floor = floor or fact.code == "floor_called"
                journal = journal or fact.code == "journal_unavailable"
                reduced += fact.code == "reduced_checking"
            case fx.SeatFact() if fact.status in ("in", "away"):
                seated.append(fact.seat)
                if fact.stack is None:
                    unknown.append(fact.seat)
            case fx.DeviceFact():
                devices += fact.state not in _WELL
            case FloorModeFact():
                unsigned = len(fact.unsigned)
            case DecksFact():
                for deck in fact.decks:
                    decks[deck.state] = decks.get(deck.state, 0) + 1
            case _:
                pass
    found = [
        Matter("journal") if journal else None,
        Matter("alerts", {"count": alerts}) if alerts else None,
        Matter("floor_called") if floor else None,
        Matter("unsigned", {"count": unsigned}) if unsigned else None,
        Matter("players", {"seats": sorted(seated)}) if seated else None,
        Matter("stacks_unknown", {"seats": sorted(unknown)}) if unknown else None,
        *[
            Matter(f"decks_{state}", {"count": decks[state]}) if decks.get(state) else None
            for state in ("in_use", "unfinished", "quarantine")
        ],
        Matter("devices", {"count": devices}) if devices else None,
        Matter("reduced", {"count": reduced}) if reduced else None,
    ]
    return tuple([matter for matter in found if matter is not None])
