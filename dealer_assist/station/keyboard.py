"""The keyboard: which key of the screen a key of the keyboard stands for, on a Latin or a Cyrillic layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from dealer_assist.domain.cards import RANKS
from dealer_assist.station.keys import Key
from dealer_assist.station.showdown_list import seat_letter

if TYPE_CHECKING:
    from dealer_assist.station.pages.page import Page
    from dealer_assist.station.window import StationWindow

_PAD: Final = {
    "F": "fold",
    "C": "call",
    "R": "raise",
    "A": "all_in",
    "M": "ready-0",
    "H": "ready-1",
    "J": "ready-2",
    "P": "ready-3",
    "D": "go",
    "U": "undo",
    "X": "irregular",
    "I": "report",
    "L": "call_floor",
    "Q": "ask-0",
    "W": "ask-1",
    "E": "ask-2",
    "S": "shuffled",
    "B": "game-0",
    "G": "game-1",
    "K": "kill",
    "O": "pushed_otherwise",
}
#: letters that stand for another key where the first one is not there
_ELSE: Final = {"B": "other_game"}
_ALERT: Final = {"Y": "yes", "N": "no"}
_ALERT_KEYS: Final = {
    Qt.Key.Key_F1: "fixing",
    Qt.Key.Key_F2: "misread",
    Qt.Key.Key_F3: "call_floor",
    Qt.Key.Key_F4: "deal_on",
    Qt.Key.Key_F5: "why",
    Qt.Key.Key_F6: "next",
}
#: Rulings that the floor may choose from.
_OPTION_KEYS: Final = {
    Qt.Key.Key_F9: "F9",
    Qt.Key.Key_F10: "F10",
    Qt.Key.Key_F11: "F11",
}
#: The letter in the same place of a Ukrainian layout → the Latin one printed on the key.
_PLACES: Final = dict(zip("ФИСВУАПРШОЛДЬТЩЗЙКІЕГМЦЧНЯ", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", strict=True))
#: What Shift makes of the digits and the hyphen, on a Latin layout and, where it differs, on a Cyrillic one.
_SHIFTED: Final = {
    **dict(zip("!@#$%^&*()_", "1234567890-", strict=True)),
    **dict(zip('"№;:?', "23467", strict=True)),
}
_ENTER_KEYS: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_ERASE_KEYS: Final = (Qt.Key.Key_Backspace, Qt.Key.Key_Delete)
#: how the Enter key stands on a key that it presses
_ENTER: Final = "⏎"
_SUITS: Final = {"S": "s", "H": "h", "D": "d", "C": "c"}


def _types(code: int, letter: str) -> bool:
    """Whether a key types a number, takes a digit back or sends it."""
    return (letter != "" and letter in "0123456789") or code in _ENTER_KEYS or code in _ERASE_KEYS


def letter_of(event: QKeyEvent) -> str:
    """The Latin capital or digit of a key, whatever the layout; empty for other keys."""
    text = event.text().upper()
    if len(text) != 1:
        code = event.key()
        text = chr(code).upper() if 0x20 < code < 0x1000 else ""
    return _PLACES.get(text, text)


class Keyboard:
    """Finds the key on the screen and presses it. Works on what is visible and enabled, like a finger."""

    def __init__(self, window: StationWindow) -> None:
        self._window = window
        self._down: dict[int, Key] = {}

    def pressed(self, event: QKeyEvent) -> bool:
        """A key went down; whether it stood for something."""
        if event.isAutoRepeat():
            return event.key() in self._down
        if event.key() == Qt.Key.Key_Escape:
            return self._close()
        if event.key() == Qt.Key.Key_F7:
            self._window.felt_list.setFocus()
            return True
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and self._on_the_felt(event):
            return True
        key = self._find(event)
        if key is None or not key.isVisible():
            return False
        self._down[event.key()] = key
        key.press_by_key()
        return True

    def released(self, event: QKeyEvent) -> bool:
        """A key came up; whether it had been taken."""
        if event.isAutoRepeat():
            return event.key() in self._down
        key = self._down.pop(event.key(), None)
        if key is not None:
            key.release_by_key()
        return key is not None

    def _on_the_felt(self, event: QKeyEvent) -> bool:
        """Alt and a seat's number is a tap on the seat, Alt and B one on the board."""
        table, letter = self._window.table, letter_of(event)
        seat = next(
            (fact.seat for fact in self._window.state.seats if seat_letter(fact.seat) == letter), None
        )
        if seat is not None:
            table.seat_tapped.emit(seat)
        elif letter == "B":
            table.board_tapped.emit()
        return seat is not None or letter == "B"

    def _close(self) -> bool:
        sheet, page = self._window.open_sheet, self._window.pages.open
        if sheet is not None:
            sheet.close_sheet()
        elif page is not None:
            page.close_page()
        return sheet is not None or page is not None

    def _find(self, event: QKeyEvent) -> Key | None:
        window = self._window
        code, letter = event.key(), letter_of(event)
        if not window.card_sheet.isHidden():
            return self._card_key(code, letter)
        sheet, page = window.open_sheet, window.pages.open
        sign = _ENTER if code in _ENTER_KEYS else letter
        on_top = sheet.key_for(sign) if sheet is not None else page.key_for(sign) if page else None
        if on_top is None and sheet is None and page is not None:
            on_top = self._of_page(page, code)
        if on_top is not None:
            return on_top
        if sheet is None and page is not None and page.keeps_digits and _types(code, letter):
            return None
        if letter == "T":
            return window.header.table_key
        if code == Qt.Key.Key_F8:
            return window.lamps.sound_key
        if code in _OPTION_KEYS:
            return window.panel.option_for(_OPTION_KEYS[Qt.Key(code)])
        if code in _ALERT_KEYS:
            return window.panel.keys[_ALERT_KEYS[Qt.Key(code)]]
        if letter in _ALERT and not window.panel.isHidden():
            return window.panel.keys[_ALERT[letter]]
        pad = window.pad
        if not pad.showdown.isHidden() and (shown := self._showdown_key(event)) is not None:
            return shown
        if code in _ERASE_KEYS:
            return pad.keys["delete"]
        if code == Qt.Key.Key_Z and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return pad.keys["undo"]
        if code in _ENTER_KEYS:
            if pad.lent_for:
                return sheet.keys.get(sheet.enter) if sheet is not None else None
            return pad.keys["raise"] if pad.entry else None
        if letter and letter in "0123456789":
            return pad.keys[letter]
        return next(
            (
                pad.keys[name]
                for name in (_PAD.get(letter), _ELSE.get(letter))
                if name and pad.keys[name].isVisible()
            ),
            None,
        )

    def _showdown_key(self, event: QKeyEvent) -> Key | None:
        """At the showdown a seat's number says that it tabled; with Shift, that it mucked. By the place of the key on the keyboard."""
        code = event.key()
        number = _SHIFTED.get(event.text(), chr(code) if 0x20 < code < 0x7F else "")
        mucked = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        rows = self._window.pad.showdown.rows
        return next((pair[mucked] for seat, pair in rows.items() if seat_letter(seat) == number), None)

    @staticmethod
    def _of_page(page: Page, code: int) -> Key | None:
        """Enter and Backspace of a page that has keys for them."""
        name = ""
        if code in _ENTER_KEYS:
            name = page.enter
        elif code in _ERASE_KEYS:
            name = page.erase
        key = page.keys.get(name)
        return key if key is not None and key.isVisible() else None

    def _card_key(self, code: int, letter: str) -> Key | None:
        """In the card sheet letters are ranks first; D, H, S and C are suits."""
        keys = self._window.card_sheet.keys
        if code in _ENTER_KEYS:
            return keys["enter"]
        if letter in _SUITS:
            return keys[f"suit-{_SUITS[letter]}"]
        rank = "T" if letter in ("0", "1") else letter
        return keys.get(f"rank-{rank}") if rank and rank in RANKS else None
