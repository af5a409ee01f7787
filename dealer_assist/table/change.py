"""What one input changes, and which kinds of events and observations the table treats apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from dealer_assist.domain import facts as fx
from dealer_assist.domain.zones import BOARDS, BURN, SEATS, seat_zone
from dealer_assist.formats.finished import FinishedHand
from dealer_assist.procedure import events as pe
from dealer_assist.seating import Ledger
from dealer_assist.table import events as te
from dealer_assist.table import inputs as inp
from dealer_assist.table.events import TableEvent
from dealer_assist.table.hand import Hand
from dealer_assist.table.ports import (
    DeviceRestarted,
    ForbiddenData,
    LinkChanged,
    ShoeChanged,
    ShufflerChanged,
)
from dealer_assist.table.project import Section

#: Events that change nothing beside the hand itself; most are of these.
QUIET: Final = frozenset(
    {
        pe.CardPitched,
        pe.CardLies,
        pe.CardGlimpsed,
        pe.AntennasKnown,
        pe.CardLeft,
        pe.CardBurned,
        pe.CardMucked,
        pe.StepReached,
        pe.BoardCardLaid,
        pe.DeadlineSet,
        pe.FaceShown,
        pe.CardExited,
        te.ActionTaken,
        te.StreetBegun,
        te.FoldAwaited,
    }
)
OF_THE_DEVICE: Final = (LinkChanged, DeviceRestarted, ForbiddenData, ShufflerChanged, ShoeChanged)
_ENDS_UNDO: Final = frozenset({te.StreetBegun, te.HandClosed})
#: with the next card it can no longer be taken back that the board is run more than once
_ENDS_AGREEMENT: Final = frozenset({pe.CardBurned, pe.BoardCardLaid})
FOR_THE_VAULT: Final = frozenset({pe.FaceAsked, te.SeatTabled})


WHERE_CARDS_LIE: Final = frozenset({*(seat_zone(seat) for seat in SEATS), *BOARDS, BURN})


def ends_undo(event: TableEvent, hand: Hand) -> bool:
    """Whether what Undo would take back may be another tap after this event."""
    kind = type(event)
    return kind in _ENDS_UNDO or (kind in _ENDS_AGREEMENT and hand.procedure.times > 1)


class Change(msgspec.Struct, frozen=True):
    """One input and all that came of it: the rows of one durable commit, and the facts to show after it.

    ``ledger``: the seats behind a hand that has ended, as the next one finds them. ``played``: that hand, as it may be told.
    ``over``: its state. ``marks``: what the journal keeps besides, by name: receipts, decks that come and go.
    """

    t_ms: int
    input: inp.Input | None
    events: tuple[TableEvent, ...]
    facts: tuple[fx.Fact, ...]
    gone: tuple[Section, ...] = ()
    ledger: Ledger | None = None
    played: FinishedHand | None = None
    marks: tuple[tuple[str, Any], ...] = ()
    over: Hand | None = None


class Changes:
    """The changes since they were last taken."""

    def __init__(self) -> None:
        self._kept: list[Change] = []

    def keep(
        self,
        t_ms: int,
        given: inp.Input | None,
        events: Iterable[TableEvent],
        facts: Iterable[fx.Fact],
        gone: Iterable[Section] = (),
        *,
        ledger: Ledger | None = None,
        played: FinishedHand | None = None,
        marks: Iterable[tuple[str, Any]] = (),
        over: Hand | None = None,
    ) -> None:
        """Keep a change, unless nothing has changed."""
        change = Change(
            t_ms, given, tuple(events), tuple(facts), tuple(gone), ledger, played, tuple(marks), over
        )
        if given is not None or change.events or change.facts or change.gone or change.marks:
            self._kept.append(change)

    def take(self) -> list[Change]:
        """All of them, oldest first; there are none then."""
        kept = self._kept
        if kept:
            self._kept = []
        return kept
