"""The table itself: another dealer takes over, and the draw for the first button."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QWidget

from dealer_assist.domain.cards import RANKS
from dealer_assist.domain.commands import DealerPush, FirstButton
from dealer_assist.domain.zones import SEATS
from dealer_assist.station.i18n import Translator
from dealer_assist.station.sheet import Row, Sheet, padded
from dealer_assist.station.theme import Metrics

_SUITS: Final = "shdc"
_SIGNS: Final = str.maketrans("shdc", "♠♥♦♣")
#: phases in which a button can be drawn for
_BETWEEN: Final = ("idle", "closed", "misdeal", "void", "chopped")


class TableSheet(Sheet):
    """Opened from the head line. A dealer is a number, typed on the keypad."""

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, "table", metrics)
        self.entry = ""
        self.drawn: dict[int, str] = {}
        self._seat = 0
        self._rank = ""
        self.add_key("dealer_push", size=30)
        for seat in SEATS:
            self.add_key(f"draw-{seat}", size=28)
        for rank in reversed(RANKS):
            self.add_key(f"rank-{rank}", role="digit", size=30)
        for suit in _SUITS:
            self.add_key(f"suit-{suit}", role="card", size=36, sign=f"suit-{suit}")
        self.add_key("draw_send", role="go", size=30)

    def open_for(self, entry: str) -> None:
        """Open with what is typed on the keypad; nothing is drawn yet."""
        self.entry, self.drawn, self._seat, self._rank = entry, {}, 0, ""
        self.open_sheet()

    def set_entry(self, entry: str) -> None:
        """Follow the keypad."""
        self.entry = entry
        if self.isVisible():
            self.arrange()

    @property
    def drawing(self) -> tuple[int, ...]:
        """The seats that draw: those that play, or those whose cards were equal."""
        for notice in self.state.notices:
            if notice.id == "first_button" and notice.code == "draw_again":
                return tuple(notice.params.get("seats") or ())
        return tuple([fact.seat for fact in self.state.seats if fact.status == "in" and fact.stack != 0])

    def rows(self, tr: Translator, columns: int) -> list[Row]:
        """The push; between hands the draw: a seat, then its card."""
        self.title = tr("sheet.table")
        push = self.keys["dealer_push"]
        push.say(tr("sheet.dealer_push", dealer=self.entry) if self.entry else tr("sheet.dealer_push_none"))
        push.setEnabled(self.ready and bool(self.entry))
        rows: list[Row] = [[push]]
        table = self.state.table
        if table is None or self.state.phase not in _BETWEEN or len(self.drawing) < 2:
            return rows
        send = self.keys["draw_send"]
        if table.first_button == "right_of_dealer":
            send.say(tr("sheet.button_right"))
            send.setEnabled(self.ready)
            return [*rows, (tr("sheet.draw"), 24), [send]]
        seats = []
        for seat in self.drawing:
            key = self.keys[f"draw-{seat}"]
            face = self.drawn.get(seat, "")
            key.say(str(seat), face.translate(_SIGNS), name=tr("ui.seat", seat=seat))
            key.set_role("chosen" if seat == self._seat else "plain")
            seats.append(key)
        ranks = []
        for rank in reversed(RANKS):
            key = self.keys[f"rank-{rank}"]
            key.say("10" if rank == "T" else rank, name=tr(f"rank.{rank}"))
            key.set_role("chosen" if rank == self._rank else "digit")
            key.setEnabled(bool(self._seat))
            ranks.append(key)
        suits = []
        for suit in _SUITS:
            key = self.keys[f"suit-{suit}"]
            key.say("", name=tr(f"suit.{suit}"))
            key.setEnabled(bool(self._seat and self._rank))
            suits.append(key)
        send.say(tr("sheet.draw_send"))
        send.setEnabled(self.ready and set(self.drawn) == set(self.drawing))
        more = "sheet.draw_suits" if table.first_button == "high_card_by_suit" else "sheet.draw_again"
        return [
            *rows,
            (tr(more), 24),
            *padded(seats, min(columns, 11)),
            *padded(ranks, min(7, columns)),
            suits,
            [send],
        ]

    def on_key(self, code: str) -> None:
        """Send and close; a card only fills in."""
        kind, _, rest = code.partition("-")
        if kind == "draw":
            self._seat, self._rank = int(rest), ""
        elif kind == "rank":
            self._rank = rest
        elif kind == "suit":
            self.drawn = {**self.drawn, self._seat: self._rank + rest}
            left = [seat for seat in self.drawing if seat not in self.drawn]
            self._seat, self._rank = (left[0] if left else 0), ""
        else:
            if code == "dealer_push" and self.entry:
                self.command.emit(DealerPush(self.entry))
            elif code == "draw_send":
                cards = {seat: face for seat, face in self.drawn.items() if seat in self.drawing}
                self.command.emit(FirstButton(cards))
            self.close_sheet()
            return
        self.arrange()
