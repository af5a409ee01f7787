"""Pots that were pushed otherwise than the screen said: seat by seat, until every chip is shared out."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import PushPots
from dealer_assist.domain.zones import SEATS
from dealer_assist.station.entry import typed
from dealer_assist.station.i18n import Translator
from dealer_assist.station.sheet import Row, Sheet, padded
from dealer_assist.station.theme import Metrics
from dealer_assist.station.viewmodel import ViewState

_DIGITS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "00", "delete")


class PushSheet(Sheet):
    """Opened beside an award. It sends only when the amounts add up to what was to be pushed."""

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, "push", metrics)
        self._seat = 0
        self.to: dict[int, int] = {}
        for seat in SEATS:
            self.add_key(f"to-{seat}", size=28)
        for code in _DIGITS:
            self.add_key(f"digit-{code}", role="digit", size=32, sign="delete" if code == "delete" else "")
        for code in ("push_rest", "push_clear"):
            self.add_key(code)
        self.add_key("push_send", role="go", size=34)

    @property
    def total(self) -> int:
        """What is to be pushed, in the smallest unit: what the screen says in all."""
        return sum(push.amount for push in self.state.now.pushes) if self.state.now is not None else 0

    @property
    def left(self) -> int:
        """What is not shared out yet; negative when it is too much."""
        return self.total - sum(self.to.values())

    def open_sheet(self) -> None:
        """Nothing is shared out yet."""
        self._seat, self.to = 0, {}
        super().open_sheet()

    def show_state(self, tr: Translator, state: ViewState, *, ready: bool) -> None:
        """Go away with the award that it is about."""
        super().show_state(tr, state, ready=ready)
        if not self.isHidden() and not state.pad.can_push:
            self.close_sheet()

    def rows(self, tr: Translator, columns: int) -> list[Row]:
        """Seats with their amounts, what is left, digits, send."""
        self.title = tr("sheet.push")
        seats = []
        for fact in self.state.seats:
            if fact.status == "empty" or (fact.hand == "none" and not fact.won):
                continue
            key = self.keys[f"to-{fact.seat}"]
            amount = self.to.get(fact.seat)
            key.say(str(fact.seat), tr.number(amount) if amount else "", name=tr("ui.seat", seat=fact.seat))
            key.set_role("chosen" if fact.seat == self._seat else "plain")
            key.setEnabled(self.ready)
            seats.append(key)
        digits = []
        for code in _DIGITS:
            key = self.keys[f"digit-{code}"]
            key.say("" if code == "delete" else code, name=tr("pad.delete") if code == "delete" else code)
            key.setEnabled(bool(self._seat))
            digits.append(key)
        left = self.left
        self.keys["push_rest"].say(tr("sheet.push_rest"), tr.number(left) if left > 0 else "")
        self.keys["push_rest"].setEnabled(bool(self._seat) and left > 0)
        self.keys["push_clear"].say(tr("sheet.push_clear"))
        self.keys["push_clear"].setEnabled(bool(self.to))
        self.keys["push_send"].say(tr("sheet.push_send"))
        self.keys["push_send"].setEnabled(self.ready and left == 0 and bool(self.to))
        state = "push_left" if left > 0 else "push_over" if left < 0 else "push_whole"
        return [
            (tr("sheet.push_more"), 24),
            *padded(seats, min(columns, 6)),
            (tr(f"sheet.{state}", amount=abs(left) or self.total), 30),
            *padded(digits, 6 if columns > 5 else 3),
            [self.keys["push_rest"], self.keys["push_clear"]],
            [self.keys["push_send"]],
        ]

    def on_key(self, code: str) -> None:
        """Share out; nothing is sent before all of it is."""
        kind, _, rest = code.partition("-")
        if kind == "to":
            self._seat = int(rest)
        elif kind == "digit":
            amount = typed(str(self.to.get(self._seat) or ""), rest)
            self._give(int(amount) if amount else 0)
        elif code == "push_rest":
            self._give(self.to.get(self._seat, 0) + self.left)
        elif code == "push_clear":
            self.to = {}
        else:
            if code == "push_send" and self.left == 0:
                self.command.emit(PushPots(dict(self.to)))
            self.close_sheet()
            return
        self.arrange()

    def _give(self, amount: int) -> None:
        self.to = {seat: given for seat, given in self.to.items() if seat != self._seat}
        if amount:
            self.to[self._seat] = amount
