"""What Undo takes back: the last tap of the running street. Reads are never undone, only judged again."""

from __future__ import annotations

from typing import Final

import msgspec

from dealer_assist.domain import commands as cmd
from dealer_assist.domain import facts as fx
from dealer_assist.table import inputs as inp
from dealer_assist.table.decide import decide
from dealer_assist.table.decision import Rules
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


class History:
    """The inputs of the running hand, each with the hand as it was before it."""

    def __init__(self) -> None:
        self._past: list[tuple[inp.Input, Hand]] = []

    def clear(self) -> None:
        """A new hand."""
        self._past = []

    def record(self, given: inp.Input, before: Hand) -> None:
        """An input was judged."""
        self._past.append((given, before))

    def undoable(self, hand: Hand | None) -> int | None:
        """The index of the input that Undo would take back now, or None."""
        if hand is None or hand.result:
            return None
        street, attempt = hand.betting.street, hand.procedure.attempt
        for index in range(len(self._past) - 1, -1, -1):
            given, before = self._past[index]
            if before.betting.street != street or before.procedure.attempt != attempt:
                return None
            if isinstance(given, inp.Told) and isinstance(given.command, _UNDOABLE):
                return index
        return None

    def fact(self, hand: Hand | None) -> fx.UndoFact:
        """What the Undo key says."""
        index = self.undoable(hand)
        if index is None:
            return fx.UndoFact()
        given = self._past[index][0]
        assert isinstance(given, inp.Told)
        params = {name: value for name, value in msgspec.to_builtins(given.command).items() if name != "kind"}
        return fx.UndoFact(type(given.command).__struct_config__.tag, params)  # type: ignore[arg-type]

    def supersede(self, index: int, rules: Rules) -> Hand:
        """Take one input out and judge the later ones again. Returns the hand as it is then."""
        later = self._past[index + 1 :]
        hand = self._past[index][1]
        del self._past[index:]
        for given, _ in later:
            after, _events, refused = decide(hand, given, rules)
            if refused is None:
                self._past.append((given, hand))
                hand = after
        return hand
