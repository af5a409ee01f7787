"""The pad's display: whose number is being typed, the number, and what the limits are or what became of the last tap."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from dealer_assist.station import lettering, theme

_LEFT = Qt.AlignmentFlag.AlignLeft
#: the most of the width that the plate may take: a seat is a number, a borrower a few words
_PLATE_SHARE = 0.46


class Shown(NamedTuple):
    """What the display says. ``plate``: the seat that the number is for, or what else it is for (``lent``)."""

    plate: str = ""
    value: str = ""
    hint: str = ""
    trouble: bool = False
    faint: bool = False
    lent: bool = False


class Display(QWidget):
    """A dark well: a plate with the owner of the number, the hint, and the number at the right edge."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("display")
        self.shown = Shown()

    @property
    def value(self) -> str:
        """The number, as it is shown."""
        return self.shown.value

    @property
    def hint(self) -> str:
        """The words beside it."""
        return self.shown.hint

    @property
    def trouble(self) -> bool:
        """Whether they say that something was refused."""
        return self.shown.trouble

    def say(self, shown: Shown) -> None:
        """Show this."""
        if shown != self.shown:
            self.shown = shown
            self.setAccessibleName(f"{shown.plate} {shown.value} {shown.hint}".strip())
            self.update()

    def text_fits(self) -> bool:
        """Whether plate, number and hint are inside."""
        return all(fitted.fits for fitted, _ in self._layout() if fitted is not None)

    def _layout(self) -> tuple[tuple[lettering.Fitted | None, QRectF], ...]:
        shown, height = self.shown, self.height()
        side = height * 0.16
        box = QRectF(self.rect()).adjusted(side, 2, -height * 0.25, -2)
        plate: lettering.Fitted | None = None
        plate_box = QRectF()
        if shown.plate:
            tall = height * 0.68
            most = box.width() * _PLATE_SHARE
            plate = lettering.fit(
                shown.plate,
                most,
                tall,
                round(height * (0.34 if shown.lent else 0.46)),
                weight=700,
                max_lines=2,
            )
            metrics = QFontMetricsF(plate.font)
            wide = max(metrics.horizontalAdvance(line) for line in plate.lines) + height * 0.34
            plate_box = QRectF(box.left(), (height - tall) / 2, max(wide, tall), tall)
            box.setLeft(plate_box.right() + height * 0.16)
        else:
            box.setLeft(box.left() + height * 0.09)
        value = lettering.fit(shown.value, box.width() * 0.66, box.height(), round(height * 0.6), weight=700)
        used = (QFontMetricsF(value.font).horizontalAdvance(shown.value) + 14) if shown.value else 0.0
        left = QRectF(box.left(), box.top(), box.width() - used, box.height())
        hint = lettering.fit(
            shown.hint,
            left.width(),
            left.height(),
            round(height * 0.34),
            weight=600,
            max_lines=3,
            min_px=11,
        )
        return (plate, plate_box), (value, box), (hint, left)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The plate gold for a seat, blue for another owner; the hint gold, or red with a word when something was refused."""
        shown = self.shown
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = theme.HIGH if shown.trouble else theme.INFO if shown.lent else theme.WELL
        painter.setPen(QColor(edge))
        painter.setBrush(QColor(theme.WELL))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
        (plate, plate_box), (value, box), (hint, left) = self._layout()
        if plate is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.INFO if shown.lent else theme.GOLD))
            painter.drawRoundedRect(plate_box, 8, 8)
            lettering.paint(painter, plate, plate_box, theme.INK)
        if value is not None:
            ink = theme.QUIET if shown.faint else theme.TEXT
            lettering.paint(painter, value, box, ink, Qt.AlignmentFlag.AlignRight)
        if hint is not None:
            lettering.paint(painter, hint, left, "#ff9aa4" if shown.trouble else theme.GOLD, _LEFT)
        painter.end()
