"""The table's own menu: its pages, another dealer who takes over, and the draw for the first button."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.cards import RANKS
from dealer_assist.domain.commands import DealerPush, FirstButton
from dealer_assist.domain.facts import TableFact
from dealer_assist.domain.zones import SEATS
from dealer_assist.station.i18n import Translator
from dealer_assist.station.sheet import Row, Sheet, padded
from dealer_assist.station.sound import LOUDEST
from dealer_assist.station.theme import Metrics

_SUITS: Final = "shdc"
_SIGNS: Final = str.maketrans("shdc", "♠♥♦♣")
#: letters of the keyboard for the pages, in the order of the menu
_LETTERS: Final = "QWERTYUIOP"
#: pages in a row of the menu
_ACROSS: Final = 3


class TableSheet(Sheet):
    """Opened from the head line.

    ``page_wanted`` carries a page's name, ``loudness_wanted`` how loud alerts are to be, 1 to 5; ``loudness`` 0: none can be heard.
    """

    page_wanted = Signal(str)
    loudness_wanted = Signal(int)

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, "table", metrics)
        self.drawn: dict[int, str] = {}
        self._seat = 0
        self._rank = ""
        self._pages: tuple[str, ...] = ()
        self._drawing = False
        self._pushing = False
        self.loudness = 0
        self.add_key("softer", size=26, shortcut="-")
        self.add_key("louder", size=26, shortcut="+")
        self.add_key("dealer_push", size=30, shortcut="K")
        self.add_key("push_send", role="go", size=34)
        self.add_key("draw", size=30, shortcut="B")
        for seat in SEATS:
            self.add_key(f"draw-{seat}", size=28)
        for rank in reversed(RANKS):
            self.add_key(f"rank-{rank}", role="digit", size=30)
        for suit in _SUITS:
            self.add_key(f"suit-{suit}", role="card", size=36, sign=f"suit-{suit}")
        self.add_key("draw_send", role="go", size=30)

    def open_for(self, pages: Sequence[str] = ()) -> None:
        """Open with the pages that there are; nothing is drawn yet, and no dealer named."""
        self.drawn, self._seat, self._rank = {}, 0, ""
        self._drawing, self._pushing, self._pages = False, False, tuple(pages)
        for letter, name in zip(_LETTERS, self._pages, strict=False):
            if f"page-{name}" not in self.keys:
                self.add_key(f"page-{name}", size=30, shortcut=letter)
        self.open_sheet()

    @property
    def drawing(self) -> tuple[int, ...]:
        """The seats that draw: those that play, or those whose cards were equal."""
        for notice in self.state.notices:
            if notice.id == "first_button" and notice.code == "draw_again":
                return tuple(notice.params.get("seats") or ())
        return tuple([fact.seat for fact in self.state.seats if fact.status == "in" and fact.stack != 0])

    def rows(self, tr: Translator, columns: int) -> list[Row]:
        """The pages and the push; between hands the draw: a seat, then its card."""
        self.title = tr("sheet.table")
        self.enter = ""
        if self._pushing:
            return self._push(tr)
        push = self.keys["dealer_push"]
        push.say(tr("sheet.dealer_push_wanted"))
        push.setEnabled(self.ready)
        table = self.state.table
        may_draw = table is not None and self.state.between_hands and len(self.drawing) >= 2
        if table is None or not may_draw or not self._drawing:
            draw = self.keys["draw"]
            draw.say(tr("sheet.draw"))
            draw.setEnabled(self.ready and may_draw)
            return [*self._menu(tr), [push, draw], self._sound(tr)]
        return self._draw(tr, columns, table)

    def _push(self, tr: Translator) -> list[Row]:
        """Another dealer by his number, where he has no badge with him; the keypad is his for that long."""
        self.title = tr("sheet.dealer_push_wanted")
        self.number_for = tr("sheet.number_dealer")
        send = self.keys["push_send"]
        send.say(tr("sheet.dealer_push", dealer=self.entry) if self.entry else tr("sheet.dealer_push_none"))
        send.setEnabled(self.ready and bool(self.entry))
        self.enter = "push_send"
        return [(tr("sheet.dealer_badge"), 26), [send]]

    def _menu(self, tr: Translator) -> list[Row]:
        """A key a page."""
        keys = []
        for name in self._pages:
            key = self.keys[f"page-{name}"]
            key.say(tr(f"page.{name}"))
            key.setEnabled(self.ready)
            keys.append(key)
        return [*padded(keys, _ACROSS)]

    def _sound(self, tr: Translator) -> Row:
        """Softer and louder; never silent, for that there is a pause that ends itself."""
        softer, louder = self.keys["softer"], self.keys["louder"]
        step = f"{self.loudness}/{LOUDEST}" if self.loudness else ""
        softer.say(tr("sound.softer"), step)
        louder.say(tr("sound.louder"), step)
        softer.setEnabled(self.loudness > 1)
        louder.setEnabled(0 < self.loudness < LOUDEST)
        return [softer, louder]

    def _draw(self, tr: Translator, columns: int, table: TableFact) -> list[Row]:
        """Seats, ranks and suits."""
        self.title = tr("sheet.draw")
        send = self.keys["draw_send"]
        if table.first_button == "right_of_dealer":
            send.say(tr("sheet.button_right"))
            send.setEnabled(self.ready)
            return [[send]]
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
            (tr(more), 24),
            *padded(seats, min(columns, 11)),
            *padded(ranks, min(7, columns)),
            suits,
            [send],
        ]

    def on_key(self, code: str) -> None:
        """Send and close; a card only fills in."""
        kind, _, rest = code.partition("-")
        if code in ("softer", "louder"):
            self.loudness_wanted.emit(self.loudness + (1 if code == "louder" else -1))
            return
        if code == "draw":
            self._drawing = True
        elif code == "dealer_push":
            self._pushing = True
        elif kind == "page":
            self.close_sheet()
            self.page_wanted.emit(rest)
            return
        elif kind == "draw" and rest.isdigit():
            self._seat, self._rank = int(rest), ""
        elif kind == "rank":
            self._rank = rest
        elif kind == "suit":
            self.drawn = {**self.drawn, self._seat: self._rank + rest}
            left = [seat for seat in self.drawing if seat not in self.drawn]
            self._seat, self._rank = (left[0] if left else 0), ""
        else:
            if code == "push_send" and self.entry:
                self.command.emit(DealerPush(self.entry))
            elif code == "draw_send":
                cards = {seat: face for seat, face in self.drawn.items() if seat in self.drawing}
                self.command.emit(FirstButton(cards))
            self.close_sheet()
            return
        self.arrange()
