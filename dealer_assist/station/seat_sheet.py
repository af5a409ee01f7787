"""A seat: in, away or out from the next hand, its stack, and what is entered by hand where no reader works."""

from __future__ import annotations

from typing import Final, Literal

from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import SetSeat, TapZone
from dealer_assist.domain.zones import seat_zone
from dealer_assist.station.i18n import Translator
from dealer_assist.station.sheet import Row, Sheet
from dealer_assist.station.theme import Metrics

_STATUSES: Final[tuple[Literal["in", "away", "out"], ...]] = ("in", "away", "out")


class SeatSheet(Sheet):
    """Opened by a tap on a seat's plate."""

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, "seat", metrics)
        self.seat = 1
        self.entry = ""
        self.wants_card = False
        for code in (*_STATUSES, "stack", "tap", "cards"):
            self.add_key(code, size=30)

    def open_for(self, seat: int, entry: str) -> None:
        """Open for a seat, with what is typed on the keypad."""
        self.seat, self.entry, self.wants_card = seat, entry, False
        self.open_sheet()

    def set_entry(self, entry: str) -> None:
        """Follow the keypad."""
        self.entry = entry
        if self.isVisible():
            self.arrange()

    def rows(self, tr: Translator, columns: int) -> list[Row]:
        """Status, stack, and what this seat needs now."""
        self.title = tr("sheet.seat", seat=self.seat)
        fact = self.state.seat(self.seat)
        status = fact.status if fact is not None else "empty"
        for code in _STATUSES:
            self.keys[code].say(tr(f"ui.{code}"))
            self.keys[code].set_role("chosen" if code == status else "plain")
            self.keys[code].setEnabled(self.ready)
        stack = self.keys["stack"]
        amount = int(self.entry) if self.entry else None
        stack.say(tr("sheet.stack_is", amount=amount) if amount is not None else tr("sheet.stack_none"))
        stack.setEnabled(self.ready and amount is not None)
        rows: list[Row] = [(tr("sheet.seat_more"), 24), [self.keys[code] for code in _STATUSES], [stack]]
        more = []
        if seat_zone(self.seat) in self.state.tap_zones:
            self.keys["tap"].say(tr("sheet.tap_card"))
            more.append(self.keys["tap"])
        if fact is not None and fact.hand == "tabled" and len(fact.tabled) < fact.due:
            self.keys["cards"].say(tr("sheet.enter_card"))
            more.append(self.keys["cards"])
        return [*rows, more] if more else rows

    def on_key(self, code: str) -> None:
        """Send and close."""
        fact = self.state.seat(self.seat)
        if code in _STATUSES:
            self.command.emit(SetSeat(self.seat, code))
        elif code == "stack" and self.entry:
            status = fact.status if fact is not None and fact.status != "empty" else "in"
            self.command.emit(SetSeat(self.seat, status, int(self.entry)))
        elif code == "tap":
            self.command.emit(TapZone(seat_zone(self.seat)))
        elif code == "cards":
            self.wants_card = True
        self.close_sheet()
