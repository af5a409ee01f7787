"""Past hands from a journal that another thread writes. The file is opened for each question: one that was put aside is let go of."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from dealer_assist.domain.history import HandLine, HandsPage
from dealer_assist.formats.finished import FinishedHand
from dealer_assist.journal.errors import JournalError
from dealer_assist.journal.reader import JournalReader, StoredRow
from dealer_assist.table.change import Change
from dealer_assist.table.chronicle import Chronicle, Shown
from dealer_assist.table.core import Core
from dealer_assist.table.hand_history import HandHistory, HistoryFailed
from dealer_assist.table.session import HAND_PLAYED, HAND_SHOWN

_NS_PER_S: Final = 1_000_000_000
#: The marks of a hand's end are stored together, ``hand_closed`` last.
_MARKS: Final = 3


class _LineOnly(msgspec.Struct):
    """The line of a stored hand; its steps are passed over."""

    line: HandLine


class JournalHands:
    """A :class:`~dealer_assist.table.hand_history.PastHands` on the journal at ``path``."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def hands(self, before: int, count: int) -> HandsPage:
        """The newest hands; one that has no replay, or whose replay another version wrote, is listed without."""
        try:
            with contextlib.closing(JournalReader(self._path)) as journal:
                rows = journal.closings(before, count + 1)
                lines = [_line(row, _marks(journal, row)) for row in rows[:count]]
        except JournalError as error:
            raise HistoryFailed(getattr(error, "reason", error.code)) from error
        return HandsPage(tuple(lines), rows[count - 1] if len(rows) > count else 0)

    def shown(self, row: int) -> Shown | None:
        """A hand with its steps; None where the journal has none that this version can show."""
        try:
            with contextlib.closing(JournalReader(self._path)) as journal:
                marks = _marks(journal, row)
        except JournalError as error:
            raise HistoryFailed(getattr(error, "reason", error.code)) from error
        if HAND_SHOWN not in marks:
            return None
        try:
            shown = msgspec.json.decode(marks[HAND_SHOWN].payload, type=Shown)
        except msgspec.MsgspecError:
            return None
        return replace(shown, line=replace(shown.line, row=row))


def _marks(journal: JournalReader, row: int) -> dict[str, StoredRow]:
    """The marks that were stored with the end of a hand; none when ``row`` is no end of one."""
    rows = journal.rows_between(max(1, row - _MARKS + 1), row)
    if not rows or (rows[-1].seq, rows[-1].kind, rows[-1].name) != (row, "mark", "hand_closed"):
        return {}
    return {mark.name: mark for mark in rows if mark.kind == "mark" and mark.hand == rows[-1].hand}


def _line(row: int, marks: dict[str, StoredRow]) -> HandLine:
    """A hand's line: as it was stored, or what else is known."""
    closed = marks["hand_closed"]
    ended_s = closed.t_utc_ns // _NS_PER_S
    with contextlib.suppress(KeyError, msgspec.MsgspecError):
        line = msgspec.json.decode(marks[HAND_SHOWN].payload, type=_LineOnly).line
        return replace(line, row=row)
    with contextlib.suppress(KeyError, msgspec.MsgspecError):
        played = msgspec.json.decode(marks[HAND_PLAYED].payload, type=FinishedHand)
        return HandLine(row, closed.hand, played.result, ended_s, ended_s, played.game)
    return HandLine(row, closed.hand, "", ended_s, ended_s)


def history_from(
    core: Core, resume: Callable[[], list[Change]], rows_ns: Sequence[int], path: Path
) -> HandHistory:
    """The history of a table whose journal lies at ``path``; the hand that ``resume`` takes up again is told from its first card.

    ``rows_ns``: when the journal's rows of that hand were written (UTC), the oldest first.
    """
    chronicle = Chronicle(core.snapshot(), lambda: time.time_ns() // _NS_PER_S)
    chronicle.add(resume(), rows_ns[0] // _NS_PER_S if rows_ns else None)
    chronicle.stored()
    return HandHistory(chronicle, JournalHands(path))
