"""The items of the table scene. Each draws one thing from plain values, once; none knows a fact, a text or a rule."""

from __future__ import annotations

from typing import Any, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen, QPolygonF, QRadialGradient
from PySide6.QtWidgets import QGraphicsPixmapItem

from dealer_assist.station import lettering, shapes, theme
from dealer_assist.station.scene.pixmaps import Pixmaps

_CENTRE = Qt.AlignmentFlag.AlignCenter
_LEFT = Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignRight


class Item(QGraphicsPixmapItem):
    """A picture of ``value`` in ``box`` on the felt; drawn anew when value or size changes. Invisible while the value is None.

    ``box`` is where it belongs; ``centre`` where it is seen, which differs while it moves.
    """

    #: pixels around the box for outlines, shadow and glow
    margin = 12

    def __init__(self, pixmaps: Pixmaps) -> None:
        super().__init__()
        self._pixmaps = pixmaps
        self.box = QRectF(0, 0, 1, 1)
        self.scale_px = 1.0
        self.value: Any = None
        self.fits = True
        self._shown: tuple[Any, ...] = ()
        self.setVisible(False)

    @property
    def centre(self) -> QPointF:
        """Where the middle of it is seen."""
        return self.pos() + QPointF(self.box.width() / 2 + self.margin, self.box.height() / 2 + self.margin)

    def put(self, box: QRectF, scale: float, value: Any) -> None:
        """Where it belongs, and what to draw there."""
        self.box, self.scale_px, self.value = QRectF(box), scale, value
        if value is None:
            self.setVisible(False)
            self._shown = ()
            return
        width, height = round(box.width(), 2), round(box.height(), 2)
        shown = (value, width, height, scale, self._pixmaps.ratio, lettering.text_scale())
        if shown != self._shown:
            self._shown = shown
            drawn = self._pixmaps.get(
                (type(self), value, scale), width + 2 * self.margin, height + 2 * self.margin, self._paint
            )
            self.setPixmap(drawn.pixmap)
            self.fits = drawn.fits
        self.show_at(box.center())
        self.setVisible(True)

    def show_at(self, centre: QPointF) -> None:
        """Be seen there, on whole pixels of the screen."""
        ratio = self._pixmaps.ratio
        x = centre.x() - self.box.width() / 2 - self.margin
        y = centre.y() - self.box.height() / 2 - self.margin
        self.setPos(round(x * ratio) / ratio, round(y * ratio) / ratio)

    def forget(self) -> None:
        """The next time it is put it is drawn anew."""
        self._shown = ()

    def _paint(self, painter: QPainter) -> bool:
        self.fits = True
        painter.translate(self.margin, self.margin)
        self.draw(painter, QRectF(0, 0, self.box.width(), self.box.height()))
        return self.fits

    def draw(self, painter: QPainter, box: QRectF) -> None:
        """What a subclass draws, in ``box``."""
        raise NotImplementedError

    def px(self, size: float) -> int:
        """A size at the scene's scale, never too small to read."""
        return max(11, round(size * self.scale_px))

    def words(
        self,
        painter: QPainter,
        text: str,
        box: QRectF,
        size: float,
        ink: str,
        *,
        weight: int = 500,
        align: Qt.AlignmentFlag = _CENTRE,
        max_lines: int = 1,
    ) -> None:
        """Fitted text in a box."""
        fitted = lettering.fit(
            text, box.width(), box.height(), self.px(size), weight=weight, max_lines=max_lines, min_px=9
        )
        self.fits = self.fits and fitted.fits
        lettering.paint(painter, fitted, box, ink, align)


class Tray(Item):
    """The dealer's chip tray: it says which side of the picture is his."""

    def draw(self, painter: QPainter, box: QRectF) -> None:
        """A dark tray with the word."""
        painter.setBrush(QColor("#0a1a13"))
        painter.setPen(QPen(theme.colour("#ffffff", 0.16), 1))
        painter.drawRoundedRect(box, 6, 6)
        room = box.adjusted(box.height(), 0, -box.height() * 0.4, 0)
        self.words(painter, str(self.value), room, 19, theme.QUIET, weight=700)


def draw_table(painter: QPainter, felt: QRectF, radius: float, scale: float) -> None:
    """Rail, cloth with its light in the middle, and the line on it."""
    rail_w = 13 * scale + 3
    rail = felt.adjusted(-rail_w, -rail_w, rail_w, rail_w)
    wood = QLinearGradient(rail.topLeft(), rail.bottomLeft())
    wood.setColorAt(0, QColor("#3a271c"))
    wood.setColorAt(0.5, QColor(theme.RAIL))
    wood.setColorAt(1, QColor("#1d130d"))
    painter.setPen(QPen(QColor(theme.RAIL_EDGE), 2))
    painter.setBrush(wood)
    painter.drawRoundedRect(rail, radius + rail_w, radius + rail_w)
    painter.setPen(QPen(theme.colour("#ffffff", 0.05), 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    sheen = rail.adjusted(rail_w * 0.35, rail_w * 0.35, -rail_w * 0.35, -rail_w * 0.35)
    painter.drawRoundedRect(sheen, radius + rail_w * 0.65, radius + rail_w * 0.65)
    cloth = QRadialGradient(felt.center(), max(felt.width(), felt.height()) * 0.58)
    cloth.setColorAt(0, QColor("#1f7550"))
    cloth.setColorAt(0.45, QColor(theme.FELT_LIGHT))
    cloth.setColorAt(1, QColor(theme.FELT_DARK))
    painter.setBrush(cloth)
    painter.setPen(QPen(QColor("#06200f"), 4))
    painter.drawRoundedRect(felt.adjusted(2, 2, -2, -2), radius, radius)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inset = 26 * scale
    painter.setPen(QPen(theme.colour("#ffffff", 0.08), 2))
    painter.drawRoundedRect(felt.adjusted(inset, inset, -inset, -inset), radius - inset, radius - inset)


class PlateValue(NamedTuple):
    """What a seat's plate says. ``tone``: live, turn, folded, away, empty, won. ``blind``: the word for a posted blind."""

    seat: int
    stack: str
    caption: str
    mark: str
    tone: str
    narrow: bool
    blind: str = ""


class Plate(Item):
    """A seat: its number, stack, and a line for the last action or a quiet mark."""

    def draw(self, painter: QPainter, box: QRectF) -> None:
        """By its tone. Whose turn it is has its number on a filled gold field and a pointer, not only another colour."""
        value: PlateValue = self.value
        turn, gone = value.tone == "turn", value.tone in ("away", "empty")
        radius = min(12 * self.scale_px, box.height() * 0.2)
        if turn:
            for spread, alpha in ((10, 0.1), (6, 0.22)):
                painter.setBrush(theme.colour(theme.GOLD, alpha))
                painter.drawRoundedRect(
                    box.adjusted(-spread, -spread, spread, spread), radius + spread, radius + spread
                )
        else:
            painter.setBrush(theme.colour("#000000", 0.28))
            painter.drawRoundedRect(box.adjusted(-1, 1, 1, 4), radius, radius)
        edge = {"turn": theme.GOLD, "won": theme.GOOD}.get(value.tone, theme.LINE)
        pen = QPen(QColor(edge), 3 if value.tone in ("turn", "won") else 1.5)
        if gone:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(QColor("#2a2416" if turn else "#10241b" if value.tone == "won" else theme.PLATE))
        painter.drawRoundedRect(box, radius, radius)
        if value.narrow:
            self._narrow(painter, value, box)
        else:
            self._wide(painter, value, box)

    def _wide(self, painter: QPainter, value: PlateValue, box: QRectF) -> None:
        """The number on the left, as tall as the plate; right of it stack and caption. A mark has the lower line to itself."""
        lower = self._has_lower(value)
        split = box.top() + box.height() * (0.58 if lower else 1.0)
        tall = (split if value.mark else box.bottom()) - box.top()
        tile = QRectF(box.left(), box.top(), box.width() * 0.23, tall)
        self._number(painter, value, tile.adjusted(4, 4, 0, -2 if value.mark else -4), 34)
        pointer = box.height() * 0.12 if value.tone == "turn" else 0.0
        left, right = tile.right() + 5 * self.scale_px, box.right() - 8 * self.scale_px
        upper = QRectF(left + pointer, box.top() + 2, right - left - pointer, split - box.top() - 2)
        self.words(painter, value.stack, upper, 34, _stack_ink(value), weight=700, align=_RIGHT)
        if lower:
            left = box.left() + 7 * self.scale_px if value.mark else left + pointer
            self._lower(painter, value, QRectF(left, split - 1, right - left, box.bottom() - split - 1))

    def _narrow(self, painter: QPainter, value: PlateValue, box: QRectF) -> None:
        """Number and stack in the first line, the caption below, as wide as the plate."""
        lower = self._has_lower(value)
        first = QRectF(box.left(), box.top(), box.width(), box.height() * (0.58 if lower else 1.0))
        tile = QRectF(first.left() + 3, first.top() + 3, box.width() * 0.28, first.height() - 6)
        self._number(painter, value, tile, 30)
        stack = QRectF(tile.right() + 3, first.top(), box.right() - tile.right() - 7, first.height())
        self.words(painter, value.stack, stack, 34, _stack_ink(value), weight=700, align=_RIGHT)
        if lower:
            rest = QRectF(box.left() + 5, first.bottom() - 2, box.width() - 10, box.bottom() - first.bottom())
            self._lower(painter, value, rest)

    def _number(self, painter: QPainter, value: PlateValue, tile: QRectF, size: float) -> None:
        turn = value.tone == "turn"
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.GOLD) if turn else theme.colour("#ffffff", 0.06))
        painter.drawRoundedRect(tile, min(9.0, tile.height() * 0.16), min(9.0, tile.height() * 0.16))
        ink = theme.INK if turn else theme.TEXT if value.tone in ("live", "won") else theme.QUIET
        room = tile
        if turn and not value.narrow:
            # A pointer to what is to be said here, at the field's edge.
            middle, tip = tile.center().y(), tile.right() + tile.height() * 0.13
            tall = tile.height() * 0.16
            painter.drawPolygon(
                QPolygonF(
                    [
                        QPointF(tile.right() - 1, middle - tall),
                        QPointF(tip, middle),
                        QPointF(tile.right() - 1, middle + tall),
                    ]
                )
            )
        self.words(painter, str(value.seat), room.adjusted(1, 0, -1, 0), size, ink, weight=800)

    @staticmethod
    def _has_lower(value: PlateValue) -> bool:
        return bool(value.mark or value.caption or value.blind)

    def _lower(self, painter: QPainter, value: PlateValue, box: QRectF) -> None:
        if value.blind:
            width = min(box.width() * 0.42, 46 * self.scale_px)
            badge = QRectF(box.right() - width, box.top() + 1, width, box.height() - 2)
            painter.setPen(QPen(QColor(theme.QUIET), 1.2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(badge, 5, 5)
            self.words(painter, value.blind, badge.adjusted(2, 0, -2, 0), 19, theme.TEXT, weight=700)
            box = box.adjusted(0, 0, -width - 4, 0)
        if value.mark:
            size = min(box.height() * 0.6, 12 * self.scale_px + 3)
            shapes.draw(
                painter, "diamond", QPointF(box.left() + size / 2, box.center().y()), size, theme.MEDIUM
            )
            room = box.adjusted(size + 3, 0, 0, 0)
            self.words(painter, value.mark, room, 21, theme.MEDIUM, weight=600, align=_LEFT)
        elif value.caption:
            ink = theme.GOOD if value.tone == "won" else theme.QUIET
            align = _LEFT if value.blind else _RIGHT
            self.words(painter, value.caption, box, 22, ink, weight=600, align=align)


def _stack_ink(value: PlateValue) -> str:
    return theme.QUIET if value.tone in ("folded", "away", "empty") else theme.GOLD


def draw_chip(painter: QPainter, centre: QPointF, size: float, ground: str = "#d7263d") -> None:
    """A chip with its edge spots."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour("#000000", 0.35))
    painter.drawEllipse(centre + QPointF(0, size * 0.06), size / 2, size / 2)
    painter.setBrush(QColor(ground))
    painter.drawEllipse(centre, size / 2, size / 2)
    painter.setPen(QPen(QColor(theme.TEXT), size * 0.13, Qt.PenStyle.DotLine))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(centre, size * 0.4, size * 0.4)


class Bet(Item):
    """Chips in front of a seat."""

    def draw(self, painter: QPainter, box: QRectF) -> None:
        """Two chips and the amount on a dark pill."""
        radius = box.height() / 2
        painter.setBrush(QColor(theme.PILL))
        painter.drawRoundedRect(box, radius, radius)
        size = box.height() * 0.66
        centre = QPointF(box.left() + radius, box.center().y())
        draw_chip(painter, centre + QPointF(0, size * 0.1), size, "#8f1426")
        draw_chip(painter, centre - QPointF(0, size * 0.06), size)
        text = box.adjusted(radius + size / 2 + 2, 0, -radius * 0.5, 0)
        self.words(painter, str(self.value), text, 30, theme.TEXT, weight=700)


class Chip(Item):
    """A chip by itself: it is only seen on its way."""

    def draw(self, painter: QPainter, box: QRectF) -> None:
        """The chip."""
        draw_chip(painter, box.center(), box.height())


class Disc(Item):
    """The dealer button."""

    def draw(self, painter: QPainter, box: QRectF) -> None:
        """A white disc with a D, thick at its lower edge."""
        painter.setBrush(theme.colour("#000000", 0.35))
        painter.drawEllipse(box.translated(0, box.height() * 0.08))
        painter.setBrush(QColor(theme.TEXT))
        painter.setPen(QPen(QColor("#8b95a3"), 2))
        painter.drawEllipse(box)
        painter.setPen(QPen(QColor("#c3cad4"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        rim = box.width() * 0.1
        painter.drawEllipse(box.adjusted(rim, rim, -rim, -rim))
        self.words(painter, "D", box, 23, theme.INK, weight=800)
