"""What Undo takes back: the last tap of the running street. Reads are never undone, only judged again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dealer_assist.domain import commands as cmd
from dealer_assist.table import inputs as inp
from dealer_assist.table.hand import Hand

_UNDOABLE: Final = (
    cmd.Act,
    cmd.Report,
    cmd.Answer,
    cmd.Respond,
    cmd.Tabled,
    cmd.Mucked,
    cmd.EnterCard,
    cmd.TapZone,
)


def undoable(history: Sequence[tuple[inp.Input, Hand]], hand: Hand | None) -> int | None:
    """The index of the input that Undo would take back now, or None."""
    if hand is None or hand.result:
        return None
    for index in range(len(history) - 1, -1, -1):
        given, before = history[index]
        if before.betting.street != hand.betting.street or before.procedure.attempt != hand.procedure.attempt:
            return None
        if isinstance(given, inp.Told) and isinstance(given.command, _UNDOABLE):
            return index
    return None
