"""Corrections at the table: undo, amended actions, late taps, and what they leave on the screen and in the vault."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from dealer_assist.domain import facts as fx
from dealer_assist.domain.commands import Refused
from dealer_assist.table import inputs as inp
from dealer_assist.table.events import TableEvent
from dealer_assist.table.hand import Hand
from dealer_assist.table.opening import Rules
from dealer_assist.table.project import Section
from dealer_assist.table.reveals import Reveals
from dealer_assist.table.screen import Screen
from dealer_assist.table.undo import History, fallen_away
from dealer_assist.table.vault import Vault

#: So many late taps are put right after one input.
_TAPS_AT_ONCE: Final = 4


class Corrections:
    """The part of a table that changes what was entered before (see :class:`~dealer_assist.table.core.Core`)."""

    hand: Hand | None
    rules: Rules
    vault: Vault
    t_ms: int
    _history: History
    _screen: Screen
    _reveals: Reveals

    if TYPE_CHECKING:

        def _hand_running(self) -> Hand | None: ...

        def _judge(self, given: inp.Input, *, live: bool = True) -> Refused | None: ...

        def _reveal_tabled(self, seat: int, refs: Iterable[str]) -> None: ...

        def _show(
            self,
            given: inp.Input | None,
            events: Iterable[TableEvent],
            facts: Iterable[fx.Fact],
            *,
            gone: Iterable[Section] = (),
        ) -> None: ...

    def undoes_floor(self) -> bool:
        """Whether Undo would take back what the floor entered."""
        return self._history.entered_by(self.hand) == "floor"

    def _amend(self, given: inp.Superseded | Refused, told: inp.Told | None = None) -> Refused | None:
        """Carry out a correction; ``told``: the command that asked for it, where it counts as an input of its own."""
        if isinstance(given, Refused):
            return given
        refused = self._supersede(given)
        if refused is None and told is not None:
            self._judge(told)
        return refused

    def _late_after_all(self) -> None:
        """What has come since may say that a tap was late (by exception)."""
        for _ in range(_TAPS_AT_ONCE):
            hand = self._hand_running()
            if hand is None or self.rules.entry != "by_exception":
                return
            given = self._history.late_after_all(hand, self.rules)
            if given is None or self._supersede(given) is not None:
                return

    def _came_late(self, told: inp.Told) -> bool:
        """Whether a tap was late and counts now before something that made the product assume otherwise (by exception)."""
        hand = self._hand_running()
        if hand is None or self.rules.entry != "by_exception":
            return False
        given = self._history.late(hand, told, self.rules)
        return given is not None and self._supersede(given) is None

    def _supersede(self, given: inp.Superseded) -> Refused | None:
        before = self.hand
        assert before is not None
        hand = self._history.supersede(given, self.rules, before)
        if isinstance(hand, Refused):
            return hand
        self.vault.keep([slot.ref for slot in hand.procedure.slots])
        self._show(given, (), ())
        self._reveals.ask(hand.procedure.asked - hand.procedure.faces.keys(), self.t_ms)
        self._show_corrected(before, hand)
        for seat, refs in hand.tabled.items():
            self._reveal_tabled(seat, [ref for ref in refs if ref not in hand.procedure.faces])
        return None

    def _show_corrected(self, before: Hand, hand: Hand) -> None:
        """The hand as it is after a correction, all of it, and what fell away."""
        self.hand = hand
        told = fallen_away(before, hand)
        gone = self._screen.fallen_away(hand)
        self._show(None, (), [*self._screen.hand(hand), self._history.fact(hand), *told], gone=gone)
