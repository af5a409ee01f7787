"""A face-up card that no reader saw, entered by hand: rank, suit, enter."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dealer_assist.domain.cards import RANKS
from dealer_assist.domain.commands import EnterCard
from dealer_assist.station.i18n import Translator
from dealer_assist.station.sheet import Row, Sheet, padded
from dealer_assist.station.theme import Metrics

_SUITS = "shdc"


class CardEntry(Sheet):
    """For a card of the board (``seat`` None) or of a seat's tabled hand. On the keyboard a rank and a suit are their own letters."""

    lettered = False

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, "card", metrics)
        self.seat: int | None = None
        self._rank = ""
        self._suit = ""
        for rank in reversed(RANKS):
            self.add_key(f"rank-{rank}", role="digit", size=36)
        for suit in _SUITS:
            self.add_key(f"suit-{suit}", role="card", size=44, sign=f"suit-{suit}")
        self.add_key("enter", role="go", size=36, shortcut="⏎")

    def open_for(self, seat: int | None) -> None:
        """Open for the board or for a seat."""
        self.seat, self._rank, self._suit = seat, "", ""
        self.open_sheet()

    @property
    def face(self) -> str:
        """The card so far; empty until both are chosen."""
        return self._rank + self._suit if self._rank and self._suit else ""

    def rows(self, tr: Translator, columns: int) -> list[Row]:
        """Ranks, suits, enter."""
        self.title = tr("sheet.card_board") if self.seat is None else tr("sheet.card_seat", seat=self.seat)
        ranks = []
        for rank in reversed(RANKS):
            key = self.keys[f"rank-{rank}"]
            key.say("10" if rank == "T" else rank, name=tr(f"rank.{rank}"))
            key.set_role("chosen" if rank == self._rank else "digit")
            ranks.append(key)
        suits = []
        for suit in _SUITS:
            key = self.keys[f"suit-{suit}"]
            key.say("", name=tr(f"suit.{suit}"))
            key.set_role("card_chosen" if suit == self._suit else "card")
            suits.append(key)
        enter = self.keys["enter"]
        enter.sign = f"face-{self.face}" if self.face else ""
        enter.say(tr("sheet.enter"))
        enter.setEnabled(self.ready and bool(self.face))
        return [(tr("sheet.card_more"), 24), *padded(ranks, min(7, columns)), suits, [enter]]

    def on_key(self, code: str) -> None:
        """Choose, or send and close."""
        if code.startswith("rank-"):
            self._rank = code.removeprefix("rank-")
            self.arrange()
        elif code.startswith("suit-"):
            self._suit = code.removeprefix("suit-")
            self.arrange()
        elif code == "enter" and self.face:
            self.command.emit(EnterCard(self.face, self.seat))
            self.close_sheet()
        elif code == "close":
            self.close_sheet()
