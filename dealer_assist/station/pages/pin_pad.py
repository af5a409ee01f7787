"""The part of the floor's page where he signs in: which badge was shown, and the digits of its PIN, of which only the number is told."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import Final

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.floor import PIN_MAX_DIGITS, PIN_MIN_DIGITS, FloorModeFact, SignIn, SignOut
from dealer_assist.station import theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.pages.page import CENTRE, Page
from dealer_assist.station.theme import Metrics

_ROWS: Final = (
    ("pin-1", "pin-2", "pin-3"),
    ("pin-4", "pin-5", "pin-6"),
    ("pin-7", "pin-8", "pin-9"),
    ("pin_delete", "pin-0", "pin_ok"),
)


def clock_time(seconds: int) -> str:
    """A time of the wall clock: 21:47."""
    return dt.datetime.fromtimestamp(seconds).strftime("%H:%M")  # noqa: DTZ006 - the clock on the wall


class PinPad(Page):
    """A page with a PIN pad. What is typed is kept here alone, goes out in one command, and is forgotten then."""

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, metrics)
        self._typed = ""
        for number in range(10):
            self.add_key(f"pin-{number}", role="digit", size=40, shortcut=str(number))
        self.add_key("pin_delete", size=26, shortcut="X")
        self.add_key("pin_ok", role="go", size=34, shortcut="G")
        self.add_key("other_badge", size=26, shortcut="B")

    def __repr__(self) -> str:
        return "PinPad()"

    def forget_pin(self) -> None:
        """Nothing is typed any more."""
        self._typed = ""

    @property
    def digits(self) -> int:
        """How many digits are typed."""
        return len(self._typed)

    def pin_key(self, code: str) -> bool:
        """Take a key of the pad; False for all others."""
        if code.startswith("pin-"):
            if len(self._typed) < PIN_MAX_DIGITS:
                self._typed += code.removeprefix("pin-")
        elif code == "pin_delete":
            self._typed = self._typed[:-1]
        elif code == "pin_ok":
            pin, self._typed = self._typed, ""
            if len(pin) >= PIN_MIN_DIGITS:
                self.command.emit(SignIn(pin))
        elif code == "other_badge":
            self.forget_pin()
            self.command.emit(SignOut())
        else:
            return False
        return True

    def lay_out_badge(self, tr: Translator, fact: FloorModeFact, box: QRectF) -> None:
        """No badge was shown yet: what to do, and what waits."""
        middle = QRectF(box.left(), box.top() + box.height() * 0.2, box.width(), self.px(170))
        self.write(tr("floor.show_badge"), middle, 44, weight=700, align=CENTRE, lines=3)
        waits = QRectF(box.left(), middle.bottom() + self.gap, box.width(), self.px(120))
        count = len(fact.unsigned)
        said = tr("floor.waits", count=count) if count else tr("floor.show_badge_why")
        ink = theme.GOLD if count else theme.QUIET
        self.write(said, waits, 28, ink=ink, align=CENTRE, lines=3, weight=600 if count else 500)

    def lay_out_pin(self, tr: Translator, fact: FloorModeFact, box: QRectF) -> None:
        """Whose badge it is, how many digits are typed, and the pad."""
        gap = self.gap
        width = min(box.width(), self.px(640))
        left = box.left() + (box.width() - width) / 2
        line_h = self.px(58)
        top = box.top()
        self.write(fact.badge, QRectF(left, top, width, line_h), 40, weight=700, align=CENTRE)
        top += line_h
        locked = fact.locked_until_s > 0  # the service takes it back when it is over
        said = (
            tr("floor.locked_until", when=clock_time(fact.locked_until_s))
            if locked
            else tr("floor.checking")
            if fact.checking
            else tr("floor.digits", count=self.digits)
            if self.digits
            else tr("floor.type_pin", least=PIN_MIN_DIGITS, most=PIN_MAX_DIGITS)
        )
        ink = theme.MEDIUM if locked else theme.QUIET
        self.write(said, QRectF(left, top, width, line_h), 26, ink=ink, align=CENTRE, lines=2)
        top += line_h
        self.draw(partial(self._draw_dots, QRectF(left, top, width, line_h), self.digits))
        top += line_h + gap
        rows = len(_ROWS) + 1
        key_h = min(self.px(120), (box.bottom() - top - gap * (rows - 1)) / rows)
        for row in _ROWS:
            self.put_row(row, QRectF(left, top, width, key_h))
            top += key_h + gap
        self.put("other_badge", QRectF(left, top, width, key_h))
        may = self.ready and not fact.checking and not locked
        for number in range(10):
            self.keys[f"pin-{number}"].say(str(number))
            self.keys[f"pin-{number}"].setEnabled(may)
        self.keys["pin_delete"].say(tr("floor.delete"))
        self.keys["pin_delete"].setEnabled(may and self.digits > 0)
        self.keys["pin_ok"].say(tr("floor.sign_in"))
        self.keys["pin_ok"].setEnabled(may and self.digits >= PIN_MIN_DIGITS)
        self.keys["other_badge"].say(tr("floor.other_badge"))
        self.keys["other_badge"].setEnabled(self.ready and not fact.checking)

    @staticmethod
    def _draw_dots(box: QRectF, count: int, painter: QPainter) -> None:
        """A filled circle a digit, and outlines up to the least there must be."""
        shown = max(count, PIN_MIN_DIGITS)
        size = min(box.height() * 0.42, box.width() / (shown * 1.7))
        left = box.center().x() - (shown - 1) * size * 1.7 / 2
        painter.setPen(QPen(QColor(theme.GOLD), max(1.5, size * 0.1)))
        for number in range(shown):
            painter.setBrush(QColor(theme.GOLD if number < count else theme.PANEL))
            spot = QPointF(left + number * size * 1.7, box.center().y())
            painter.drawEllipse(spot, size / 2, size / 2)
