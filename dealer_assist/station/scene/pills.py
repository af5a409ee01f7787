"""Words and figures on dark pills: pots and who is in each, notices, the street, the boards' names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from dealer_assist.station import lettering, shapes, theme
from dealer_assist.station.scene.items import Item, draw_chip

_LEFT = Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignRight
_LABEL = 24.0
_SEATS = 23.0
_FIGURE = 38.0
_MOST_ROWS = 5


class Pill(NamedTuple):
    """A labelled figure; ``seats``: who can win it, where that is not everybody; ``chip``: chips lie there."""

    label: str
    figure: str
    seats: tuple[int, ...] = ()
    chip: bool = False


class Pills(Item):
    """Labelled figures on dark pills, in as many rows as they need."""

    def draw(self, painter: QPainter, box: QRectF) -> None:
        """Share the width out by what each pill has to say."""
        pills: tuple[Pill, ...] = self.value
        rows, size = self._rows(pills, box)
        gap = 8 * self.scale_px
        height = min((box.height() - gap * (len(rows) - 1)) / len(rows), 60 * self.scale_px)
        for index, row in enumerate(rows):
            widths = [self._wanted(pill, size) for pill in row]
            room = box.width() - gap * (len(row) - 1)
            squeeze = min(1.0, room / sum(widths))
            x = box.center().x() - (sum(widths) * squeeze + gap * (len(row) - 1)) / 2
            y = box.top() + index * (height + gap)
            for pill, wanted in zip(row, widths, strict=True):
                self._pill(painter, pill, QRectF(x, y, wanted * squeeze, height), size)
                x += wanted * squeeze + gap

    def _rows(self, pills: tuple[Pill, ...], box: QRectF) -> tuple[list[tuple[Pill, ...]], float]:
        """The division into rows in which the text is largest, and how large that is: 1.0 as drawn."""
        best: tuple[list[tuple[Pill, ...]], float] | None = None
        for count in range(1, min(_MOST_ROWS, len(pills)) + 1):
            each = -(-len(pills) // count)
            rows = [pills[at : at + each] for at in range(0, len(pills), each)]
            size = self._size_in(rows, box)
            if best is None or size > best[1] + 0.02:
                best = rows, size
        assert best is not None
        return best

    def _size_in(self, rows: list[tuple[Pill, ...]], box: QRectF) -> float:
        gap = 8 * self.scale_px
        height = (box.height() - gap * (len(rows) - 1)) / len(rows)
        largest = min(lettering.text_scale() * 1.1, height / (46 * self.scale_px))
        size = largest
        while size > 0.3:
            widest = max(sum(self._wanted(pill, size) for pill in row) + gap * (len(row) - 1) for row in rows)
            if widest <= box.width():
                break
            size -= 0.04
        return size

    def _fitted(self, text: str, size: float, weight: int) -> lettering.Fitted:
        return lettering.fit(text, 1e6, 1e6, max(9, round(size * self.scale_px)), weight=weight, scaled=False)

    def _parts(self, pill: Pill, size: float) -> list[tuple[str, lettering.Fitted, float]]:
        """What stands beside each other in a pill, with the width of each."""
        parts = []
        if pill.label:
            fitted = self._fitted(pill.label, _LABEL * size, 500)
            parts.append(("label", fitted, _advance(fitted)))
        if pill.seats:
            fitted = self._fitted("·".join(map(str, pill.seats)), _SEATS * size, 700)
            parts.append(("seats", fitted, _advance(fitted) + 14 * size * self.scale_px))
        if pill.figure:
            fitted = self._fitted(pill.figure, _FIGURE * size, 700)
            parts.append(("figure", fitted, _advance(fitted)))
        return parts

    def _wanted(self, pill: Pill, size: float) -> float:
        parts = self._parts(pill, size)
        inner = sum(width for _, _, width in parts) + 10 * size * self.scale_px * (len(parts) - 1)
        return inner + (28 + (30 if pill.chip else 0)) * size * self.scale_px

    def _pill(self, painter: QPainter, pill: Pill, box: QRectF, size: float) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.PILL))
        radius = min(10 * self.scale_px + 2, box.height() / 2)
        painter.drawRoundedRect(box, radius, radius)
        unit = size * self.scale_px
        x = box.left() + 14 * unit
        if pill.chip:
            draw_chip(painter, QPointF(x + 10 * unit, box.center().y()), 24 * unit)
            x += 30 * unit
        for kind, fitted, width in self._parts(pill, size):
            spot = QRectF(x, box.top(), width, box.height())
            if kind == "seats":
                field = QRectF(x, box.center().y() - fitted.height * 0.52, width, fitted.height * 1.04)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.colour("#ffffff", 0.14))
                painter.drawRoundedRect(field, 5, 5)
                lettering.paint(painter, fitted, field, theme.TEXT)
            else:
                ink = theme.QUIET if kind == "label" else theme.TEXT
                lettering.paint(painter, fitted, spot, ink, _LEFT)
            x += width + 10 * unit
        self.fits = self.fits and x - 10 * unit <= box.right() + 1 and size > 0.3


class Notice(NamedTuple):
    """A notice in one line, with the level that gives it shape and colour."""

    text: str
    level: str


#: What goes first where not all notices have room: what is wrong stays longest.
_GO_FIRST: Final = ("good", "low")


class Notices(Item):
    """Quiet notices below the table, each with a shape. ``hidden``: how many have no room; they are counted at the end of the row."""

    hidden = 0

    def draw(self, painter: QPainter, box: QRectF) -> None:
        """In one row, smaller until all are in; where they would be too small to read, those that say least are only counted."""
        notices: list[Notice] = list(self.value)
        height, gap = box.height(), 10 * self.scale_px
        pad = height * 1.3
        self.hidden = 0
        px, least = round(self.px(25) * lettering.text_scale()), round(self.px(18))
        while True:
            shown = [*notices, Notice(f"+{self.hidden}", "low")] if self.hidden else notices
            longest = box.width() - pad if px <= least else 1e6
            fitted = [_in_line(notice.text, px, longest) for notice in shown]
            widths = [_advance(item) + pad for item in fitted]
            whole = sum(widths) + gap * (len(widths) - 1) <= box.width()
            self.fits = whole and fitted[0].height <= height
            if self.fits:
                break
            if px > least:
                px -= 1
            elif len(notices) > 1:
                notices.pop(_least(notices))
                self.hidden += 1
            else:
                break
        x = box.center().x() - (sum(widths) + gap * (len(widths) - 1)) / 2
        for notice, item, width in zip(shown, fitted, widths, strict=True):
            accent, ground, shape = theme.LEVELS[notice.level]
            pill = QRectF(x, box.top(), width, height)
            painter.setPen(QPen(QColor(accent), 1.5))
            painter.setBrush(QColor(ground))
            painter.drawRoundedRect(pill, 9, 9)
            mark = "tick" if notice.level == "good" else "i" if notice.level == "low" else "!"
            shapes.draw(
                painter, shape, QPointF(x + height * 0.55, pill.center().y()), height * 0.6, accent, mark
            )
            lettering.paint(painter, item, pill.adjusted(height, 0, 0, 0), theme.TEXT, _LEFT)
            x += width + gap


def _in_line(text: str, px: int, width: float) -> lettering.Fitted:
    """On one line of this size; what is longer than a whole row ends in an ellipsis."""
    fitted = lettering.fit(text, 1e6, 1e6, px, weight=600, scaled=False)
    if _advance(fitted) <= width:
        return fitted
    short = QFontMetricsF(fitted.font).elidedText(text, Qt.TextElideMode.ElideRight, width)
    return lettering.fit(short, 1e6, 1e6, px, weight=600, scaled=False)


def _least(notices: Sequence[Notice]) -> int:
    """The place of the notice that says least: of those, the oldest."""
    for level in _GO_FIRST:
        for index, notice in enumerate(notices):
            if notice.level == level:
                return index
    return len(notices) - 1


def _advance(fitted: lettering.Fitted) -> float:
    return QFontMetricsF(fitted.font).horizontalAdvance(fitted.lines[0])


class BoardName(Item):
    """Which board a row of cards is, beside it."""

    def draw(self, painter: QPainter, box: QRectF) -> None:
        """On two lines where it must be."""
        fitted = lettering.fit(
            str(self.value), box.width(), box.height(), self.px(24), weight=700, max_lines=2, min_px=9
        )
        self.fits = fitted.fits
        lettering.paint(painter, fitted, box, theme.TEXT)


class StreetName(Item):
    """The name of the street above the board."""

    def draw(self, painter: QPainter, box: QRectF) -> None:
        """Capitals on a dark pill, so that they can be read on the cloth."""
        fitted = lettering.fit(
            str(self.value),
            box.width() - 24 * self.scale_px,
            box.height(),
            self.px(26),
            weight=700,
            min_px=9,
        )
        self.fits = fitted.fits
        pill = QRectF(box.left(), box.top(), _advance(fitted) + 24 * self.scale_px, box.height())
        painter.setBrush(QColor(theme.PILL))
        painter.drawRoundedRect(pill, 8, 8)
        lettering.paint(painter, fitted, pill, theme.TEXT)
