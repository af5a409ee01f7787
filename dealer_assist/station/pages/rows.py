"""Lines of a list as keys: a shape or a card's back, then columns. And the moments and the decks' names that stand in them."""

from __future__ import annotations

import datetime as dt
from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen

from dealer_assist.station import lettering, shapes, theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.keys import Key, side_of

_LEFT = Qt.AlignmentFlag.AlignLeft
#: Colours of backs by the word under which a deck's register has them.
BACKS: Final[dict[str, str]] = {
    "red": "#9c1f33",
    "blue": "#1f4f9c",
    "green": "#1c6b47",
    "black": "#2c3138",
    "gold": "#a87b1a",
    "purple": "#5b2f86",
}


class Cell(NamedTuple):
    """A column of a line: its text, its share of the width, how it is written."""

    text: str
    share: float
    ink: str = theme.TEXT
    weight: int = 500


class RowKey(Key):
    """A line of a list that can be tapped."""

    cells: tuple[Cell, ...] = ()
    shape: tuple[str, str] | None = None
    back: str = ""

    def show_row(
        self, cells: tuple[Cell, ...], *, shape: tuple[str, str] | None = None, back: str = "", name: str = ""
    ) -> None:
        """Set the columns; ``shape``: name and colour in front; ``back``: a colour of BACKS, drawn as a card's back."""
        self.cells, self.shape, self.back = cells, shape, back
        self.setAccessibleName(name or ". ".join(cell.text for cell in cells if cell.text))
        self.setAccessibleDescription(self.shortcut_hint)
        self.update()

    def _row(self) -> list[tuple[lettering.Fitted, QRectF, str]]:
        side = side_of(self)
        box = QRectF(self.rect()).adjusted(side, 2, -side, -2)
        if self.shape is not None or self.back:
            box.setLeft(box.left() + self.height() * 0.62)
        if self.shortcut_hint:
            box.setRight(box.right() - self.px * 0.6)
        gap = self.px * 0.4
        whole = sum(cell.share for cell in self.cells) or 1
        left, placed = box.left(), []
        for cell in self.cells:
            width = box.width() * cell.share / whole
            room = QRectF(left, box.top(), width - gap, box.height())
            fitted = lettering.fit(
                cell.text, room.width(), room.height(), self.px, weight=cell.weight, max_lines=2
            )
            placed.append((fitted, room, cell.ink))
            left += width
        return placed

    def text_fits(self) -> bool:
        """Whether every column is inside."""
        return all(fitted.fits for fitted, _, _ in self._row())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground, shape, columns, focus."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground, pressed, _ = theme.KEYS[self.role]
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        radius = min(12.0, self.height() * 0.18)
        painter.setPen(QPen(QColor(theme.GOLD if self.role == "chosen" else theme.LINE), 1.5))
        painter.setBrush(QColor(pressed if self.isDown() else ground))
        painter.drawRoundedRect(box, radius, radius)
        middle = QPointF(side_of(self) + self.height() * 0.28, self.height() / 2)
        if self.back:
            draw_swatch(painter, middle, self.height() * 0.62, self.back)
        elif self.shape is not None:
            name, colour = self.shape
            shapes.draw(painter, name, middle, self.height() * 0.42, colour)
        for fitted, room, ink in self._row():
            lettering.paint(painter, fitted, room, ink, _LEFT)
        if self.shortcut_hint and self.isEnabled():
            painter.setFont(theme.font(max(11, round(self.px * 0.5)), 600))
            painter.setPen(theme.colour(theme.TEXT, 0.7))
            painter.drawText(
                box.adjusted(0, 4, -9, 0),
                int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop),
                self.shortcut_hint,
            )
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.GOLD), 3))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(1.5, 1.5, -1.5, -1.5), radius, radius)
        painter.end()


def draw_swatch(painter: QPainter, middle: QPointF, height: float, back: str) -> None:
    """A small card back in a deck's colour; a colour that is not known is grey."""
    width = height * 0.7
    box = QRectF(middle.x() - width / 2, middle.y() - height / 2, width, height)
    painter.setPen(QPen(QColor("#f4efe6"), max(1.5, width * 0.07)))
    painter.setBrush(QColor(BACKS.get(back, theme.KEY_DOWN)))
    painter.drawRoundedRect(box, width * 0.12, width * 0.12)


class SwatchKey(Key):
    """A key that shows a back's colour beside its word."""

    def __init__(self, *args: object, back: str, **more: object) -> None:
        super().__init__(*args, **more)  # type: ignore[arg-type]
        self.back = back

    def paintEvent(self, event: QPaintEvent) -> None:
        """The key, and the back before its word."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = QFontMetricsF(theme.font(self.px, self.weight)).horizontalAdvance(self.text())
        left = max(side_of(self) + self.height() * 0.2, (self.width() - width) / 2 - self.height() * 0.35)
        draw_swatch(painter, QPointF(left, self.height() / 2), self.height() * 0.52, self.back)
        painter.end()


def moment(tr: Translator, seconds: int) -> str:
    """A moment of the wall clock as the language writes it, "" for never: Nov 30, 18:20 · 30.11. 18:20."""
    return dt.datetime.fromtimestamp(seconds).strftime(tr("format.moment")) if seconds else ""  # noqa: DTZ006


def deck_name(tr: Translator, name: str) -> str:
    """A deck as people call it: "red 3" in their language; any other name as it is."""
    colour, _, number = name.partition(" ")
    return f"{tr(f'back.{colour}')} {number}" if colour in BACKS and number.isdigit() else name


def house_name(tr: Translator, name: str) -> str:
    """A house by its title where it comes with the product; any other by its own name."""
    return tr(f"house.{name}") if tr.has(f"house.{name}") else name.replace("_", " ")
