"""What a player said and pushed, when that was no plain action: the dealer says it as it was, the house reads it (TDA 40 to 45)."""

from __future__ import annotations

from typing import Final, Literal

from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import Irregular
from dealer_assist.domain.zones import SEATS
from dealer_assist.station.i18n import Translator
from dealer_assist.station.sheet import Row, Sheet, padded
from dealer_assist.station.theme import Metrics

_Word = Literal["", "call", "bet", "raise", "all_in"]
_WORDS: Final[tuple[_Word, ...]] = ("", "call", "bet", "raise", "all_in")
#: chips that one motion can hold; more are counted by their sum
_MOST_CHIPS: Final = 20


class AmountSheet(Sheet):
    """Opened from the report sheet. Chips are typed on the keypad, each added by a key; a second motion is told apart."""

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, "amount", metrics)
        self.entry = ""
        self.seat: int | None = None
        self._word: _Word = ""
        self._motions: list[list[int]] = [[], []]
        self._second = False
        for seat in SEATS:
            self.add_key(f"seat-{seat}", size=30)
        for word in _WORDS:
            self.add_key(f"word-{word or 'none'}", size=26)
        for code in ("chip", "second", "clear", "read"):
            self.add_key(code, role="amber" if code == "read" else "plain", size=28)

    def open_for(self, seat: int | None, entry: str) -> None:
        """Open for the seat whose turn it is, with what is typed on the keypad."""
        self.seat, self.entry, self._word, self._second = seat, entry, "", False
        self._motions = [[], []]
        self.open_sheet()

    def set_entry(self, entry: str) -> None:
        """Follow the keypad."""
        self.entry = entry
        if self.isVisible():
            self.arrange()

    def rows(self, tr: Translator, columns: int) -> list[Row]:
        """Whose it was, the word that was said, the chips of each motion, and the key that reads them."""
        self.title = tr("sheet.amount")
        seats = [fact.seat for fact in self.state.seats if fact.hand == "live"]
        keys = []
        for seat in seats:
            key = self.keys[f"seat-{seat}"]
            key.say(str(seat), name=tr("ui.seat", seat=seat))
            key.set_role("chosen" if seat == self.seat else "plain")
            keys.append(key)
        words = []
        for word in _WORDS:
            key = self.keys[f"word-{word or 'none'}"]
            key.say(tr(f"action.{word}") if word else tr("sheet.no_word"))
            key.set_role("chosen" if word == self._word else "plain")
            words.append(key)
        amount = self._typed()
        self.keys["chip"].say(tr("sheet.add_chip", amount=amount) if amount else tr("sheet.add_chip_none"))
        self.keys["chip"].setEnabled(bool(amount) and len(self._motions[self._second]) < _MOST_CHIPS)
        self.keys["second"].say(tr("sheet.second_motion"))
        self.keys["second"].set_role("chosen" if self._second else "plain")
        self.keys["clear"].say(tr("sheet.clear_chips"))
        self.keys["read"].say(tr("sheet.read_amount"))
        self.keys["read"].setEnabled(self.ready and self.command_now() is not None)
        return [
            *padded(keys, columns),
            (tr("sheet.said_first"), 24),
            words,
            (self._chips_text(tr), 24),
            [self.keys["chip"], self.keys["second"], self.keys["clear"]],
            [self.keys["read"]],
        ]

    def command_now(self) -> Irregular | None:
        """What would be sent: without chips, the number typed is what was said."""
        first, second = self._motions
        amount = None if first or second else self._typed()
        if self.seat is None or not (self._word or first or amount):
            return None
        return Irregular(self.seat, self._word, amount, tuple(first), tuple(second))

    def on_key(self, code: str) -> None:
        """Gather what was said and pushed; the last key sends it and closes."""
        kind, _, rest = code.partition("-")
        if kind == "seat":
            self.seat = int(rest)
        elif kind == "word":
            self._word = next(word for word in _WORDS if word == ("" if rest == "none" else rest))
        elif code == "chip":
            amount = self._typed()
            if amount:
                self._motions[self._second].append(amount)
        elif code == "second":
            self._second = not self._second
        elif code == "clear":
            self._motions, self._second = [[], []], False
        elif code == "read":
            command = self.command_now()
            if command is not None:
                self.command.emit(command)
            self.close_sheet()
            return
        else:
            super().on_key(code)
            return
        self.arrange()

    def _typed(self) -> int | None:
        return int(self.entry) if self.entry and int(self.entry) else None

    def _chips_text(self, tr: Translator) -> str:
        first, second = [" + ".join(tr.number(chip) for chip in chips) for chips in self._motions]
        if not first and not second:
            return tr("sheet.no_chips_yet")
        if not second:
            return tr("sheet.pushed_chips", chips=first)
        return tr("sheet.pushed_twice", chips=first or "0", more=second)
