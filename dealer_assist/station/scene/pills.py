"""Words and figures on dark pills: pots, counters, notices, the street."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from dealer_assist.station import lettering, shapes, theme
from dealer_assist.station.scene.items import Item

_LEFT = Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignRight


class Pill(NamedTuple):
    """A labelled figure."""

    label: str
    figure: str


class Pills(Item):
    """Labelled figures on dark pills, in as many rows as they need: pots, counters, notices."""

    #: text sizes of label and figure
    sizes = (24.0, 38.0)

    def draw(self, painter: QPainter) -> None:
        """Share the width out by what each pill has to say."""
        self.fits = True
        pills: tuple[Pill, ...] = self.value
        rows = self._rows(pills)
        gap = 8 * self.scale_px
        height = min((self.box.height() - gap * (len(rows) - 1)) / len(rows), 54 * self.scale_px)
        for index, row in enumerate(rows):
            widths = [self._wanted(pill) for pill in row]
            room = self.box.width() - gap * (len(row) - 1)
            squeeze = min(1.0, room / sum(widths))
            x = self.box.center().x() - (sum(widths) * squeeze + gap * (len(row) - 1)) / 2
            y = self.box.top() + index * (height + gap)
            for pill, wanted in zip(row, widths, strict=True):
                self._pill(painter, pill, QRectF(x, y, wanted * squeeze, height), squeeze)
                x += wanted * squeeze + gap

    def _rows(self, pills: tuple[Pill, ...]) -> list[tuple[Pill, ...]]:
        half = -(-len(pills) // 2)
        two = [pills[:half], pills[half:]]
        if len(pills) <= 1 or self._size_in([pills]) >= self._size_in(two):
            return [pills]
        return two

    def _size_in(self, rows: list[tuple[Pill, ...]]) -> float:
        """How large the text could be in these rows, 1.0 as designed."""
        widest = max(sum(self._wanted(pill) for pill in row) for row in rows)
        height = self.box.height() / len(rows)
        return min(1.0, self.box.width() / widest, height / (48 * self.scale_px))

    def _parts(self, pill: Pill) -> tuple[float, float]:
        label = lettering.fit(pill.label, 1e6, 1e6, self.px(self.sizes[0]))
        figure = lettering.fit(pill.figure, 1e6, 1e6, self.px(self.sizes[1]), weight=700)
        return _advance(label), _advance(figure)

    def _wanted(self, pill: Pill) -> float:
        label, figure = self._parts(pill)
        return label + figure + (40 if pill.label and pill.figure else 28) * self.scale_px + 4

    def _pill(self, painter: QPainter, pill: Pill, box: QRectF, squeeze: float) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.PILL))
        painter.drawRoundedRect(box, 10 * self.scale_px + 2, 10 * self.scale_px + 2)
        inner = box.adjusted(13 * self.scale_px, 0, -13 * self.scale_px, 0)
        label, figure = self._parts(pill)
        total = label + figure or 1.0
        between = (inner.width() - (label + figure) * squeeze) if label and figure else 0
        cut = inner.left() + (inner.width() - between) * label / total
        if pill.label:
            self.words(
                painter,
                pill.label,
                QRectF(inner.left(), box.top(), cut - inner.left() + 1, box.height()),
                self.sizes[0],
                theme.QUIET,
                align=_LEFT,
            )
        if pill.figure:
            self.words(
                painter,
                pill.figure,
                QRectF(cut + between - 1, box.top(), inner.right() - cut - between + 2, box.height()),
                self.sizes[1],
                theme.TEXT,
                weight=700,
                align=_RIGHT,
            )


class SmallPills(Pills):
    """Counters."""

    sizes = (24.0, 28.0)


class Notice(NamedTuple):
    """A notice in one line, with the level that gives it shape and colour."""

    text: str
    level: str


class Notices(Item):
    """Quiet notices below the table, each with a shape."""

    def draw(self, painter: QPainter) -> None:
        """In one row, shrunk until all are in."""
        notices: tuple[Notice, ...] = self.value
        height, gap = self.box.height(), 10 * self.scale_px
        for px in range(self.px(25), 8, -1):
            fitted = [lettering.fit(notice.text, 1e6, 1e6, px, weight=600) for notice in notices]
            widths = [_advance(item) + height * 1.3 for item in fitted]
            self.fits = sum(widths) + gap * (len(widths) - 1) <= self.box.width()
            if self.fits:
                break
        x = self.box.center().x() - (sum(widths) + gap * (len(widths) - 1)) / 2
        for notice, item, width in zip(notices, fitted, widths, strict=True):
            accent, ground, shape = theme.LEVELS[notice.level]
            pill = QRectF(x, self.box.top(), width, height)
            painter.setPen(QPen(QColor(accent), 1.5))
            painter.setBrush(QColor(ground))
            painter.drawRoundedRect(pill, 9, 9)
            mark = "tick" if notice.level == "good" else "i" if notice.level == "low" else "!"
            shapes.draw(
                painter, shape, QPointF(x + height * 0.55, pill.center().y()), height * 0.6, accent, mark
            )
            lettering.paint(painter, item, pill.adjusted(height, 0, 0, 0), theme.TEXT, _LEFT)
            x += width + gap


def _advance(fitted: lettering.Fitted) -> float:

    return QFontMetricsF(fitted.font).horizontalAdvance(fitted.lines[0])


class BoardName(Item):
    """Which board a row of cards is, beside it."""

    def draw(self, painter: QPainter) -> None:
        """On two lines where it must be."""
        fitted = lettering.fit(
            str(self.value),
            self.box.width(),
            self.box.height(),
            self.px(24),
            weight=700,
            max_lines=2,
            min_px=9,
        )
        self.fits = fitted.fits
        lettering.paint(painter, fitted, self.box, theme.TEXT)


class StreetName(Item):
    """The name of the street above the board."""

    def draw(self, painter: QPainter) -> None:
        """Capitals on a dark pill, so that they can be read on the cloth."""
        fitted = lettering.fit(
            str(self.value), self.box.width(), self.box.height(), self.px(24), weight=700, min_px=9
        )
        self.fits = fitted.fits
        pill = QRectF(
            self.box.left(), self.box.top(), _advance(fitted) + 24 * self.scale_px, self.box.height()
        )
        painter.setBrush(QColor(theme.PILL))
        painter.drawRoundedRect(pill, 8, 8)
        lettering.paint(painter, fitted, pill, theme.TEXT)
