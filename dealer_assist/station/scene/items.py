"""The items of the table scene. Each draws one thing from plain values; none knows a fact, a text or a rule."""

from __future__ import annotations

from typing import Any, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QRadialGradient
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from dealer_assist.station import lettering, shapes, theme

_CENTRE = Qt.AlignmentFlag.AlignCenter
_LEFT = Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignRight


class Item(QGraphicsItem):
    """A box on the felt that draws ``value``; repainted when that changes. Invisible while it is None."""

    def __init__(self) -> None:
        super().__init__()
        self.box = QRectF(0, 0, 1, 1)
        self.scale_px = 1.0
        self.value: Any = None
        self.fits = True
        self.setVisible(False)

    def put(self, box: QRectF, scale: float, value: Any) -> None:
        """Place the item and tell it what to draw."""
        if (box, scale) != (self.box, self.scale_px):
            self.prepareGeometryChange()
            self.box, self.scale_px = QRectF(box), scale
            self.update()
        if value != self.value:
            self.value = value
            self.update()
        self.setVisible(value is not None)

    def boundingRect(self) -> QRectF:
        """The box and a little for outlines and glow."""
        return self.box.adjusted(-14, -14, 14, 14)

    def px(self, size: float) -> int:
        """A size at the scene's scale, never too small to read."""
        return max(11, round(size * self.scale_px))

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Draw the value."""
        if self.value is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        self.draw(painter)

    def draw(self, painter: QPainter) -> None:
        """What a subclass draws."""
        raise NotImplementedError

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

    def draw(self, painter: QPainter) -> None:
        """A dark tray with the word."""
        painter.setBrush(QColor("#0a1a13"))
        painter.setPen(QPen(theme.colour("#ffffff", 0.14), 1))
        painter.drawRoundedRect(self.box, 6, 6)
        self.words(painter, str(self.value), self.box.adjusted(6, 0, -6, 0), 17, theme.QUIET, weight=700)


class Felt(Item):
    """The table: rail and cloth. Its value is the corner radius."""

    def draw(self, painter: QPainter) -> None:
        """Rail, cloth, line."""
        radius = float(self.value)
        rail = self.box.adjusted(-11, -11, 11, 11)
        painter.setPen(QPen(QColor(theme.RAIL_EDGE), 2))
        painter.setBrush(QColor(theme.RAIL))
        painter.drawRoundedRect(rail, radius + 11, radius + 11)
        cloth = QRadialGradient(self.box.center(), max(self.box.width(), self.box.height()) * 0.56)
        cloth.setColorAt(0, QColor(theme.FELT_LIGHT))
        cloth.setColorAt(1, QColor(theme.FELT_DARK))
        painter.setBrush(cloth)
        painter.setPen(QPen(QColor("#072519"), 3))
        painter.drawRoundedRect(self.box.adjusted(3, 3, -3, -3), radius, radius)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        inset = 26 * self.scale_px
        painter.setPen(QPen(theme.colour("#ffffff", 0.07), 2))
        painter.drawRoundedRect(
            self.box.adjusted(inset, inset, -inset, -inset), radius - inset, radius - inset
        )


class PlateValue(NamedTuple):
    """What a seat's plate says. ``tone``: live, turn, folded, away, empty, won."""

    seat: int
    stack: str
    caption: str
    mark: str
    tone: str
    narrow: bool


class Plate(Item):
    """A seat: its number, stack, and a line for the last action or a quiet mark."""

    def draw(self, painter: QPainter) -> None:
        """The plate by its tone; whose turn it is has a gold frame and a pointer, not only a colour."""
        value: PlateValue = self.value
        self.fits = True
        turn, gone = value.tone == "turn", value.tone in ("away", "empty")
        radius = 12 * self.scale_px
        if turn:
            painter.setBrush(theme.colour(theme.GOLD, 0.22))
            painter.drawRoundedRect(self.box.adjusted(-6, -6, 6, 6), radius + 6, radius + 6)
        edge = {"turn": theme.GOLD, "won": theme.GOOD}.get(value.tone, theme.LINE)
        pen = QPen(QColor(edge), 3 if value.tone in ("turn", "won") else 1.5)
        if gone:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(QColor("#2a2416" if turn else "#10241b" if value.tone == "won" else theme.PLATE))
        painter.drawRoundedRect(self.box, radius, radius)
        number_ink = theme.GOLD if turn else theme.QUIET
        stack_ink = theme.QUIET if gone or value.tone == "folded" else theme.GOLD
        inner = self.box.adjusted(10 * self.scale_px, 3, -10 * self.scale_px, -3)
        lower = value.mark or value.caption
        if value.narrow:
            self._narrow(painter, value, inner, number_ink, stack_ink, lower)
            return
        upper = QRectF(inner.left(), inner.top(), inner.width(), inner.height() * (0.6 if lower else 1.0))
        self.words(
            painter,
            str(value.seat),
            QRectF(upper.left(), upper.top(), upper.width() * 0.26, upper.height()),
            32,
            number_ink,
            weight=700,
            align=_LEFT,
        )
        rest = QRectF(upper.left() + upper.width() * 0.27, upper.top(), upper.width() * 0.73, upper.height())
        self.words(painter, value.stack, rest, 32, stack_ink, weight=700, align=_RIGHT)
        if lower:
            self._lower(
                painter,
                value,
                QRectF(inner.left(), upper.bottom() - 1, inner.width(), inner.bottom() - upper.bottom()),
                lower,
            )

    def _narrow(
        self, painter: QPainter, value: PlateValue, inner: QRectF, number_ink: str, stack_ink: str, lower: str
    ) -> None:
        third = inner.height() / 3
        self.words(
            painter,
            str(value.seat),
            QRectF(inner.left(), inner.top(), inner.width(), third),
            30,
            number_ink,
            weight=700,
        )
        middle = QRectF(inner.left(), inner.top() + third, inner.width(), third if lower else third * 1.5)
        self.words(painter, value.stack, middle, 30, stack_ink, weight=700)
        if lower:
            self._lower(painter, value, QRectF(inner.left(), middle.bottom(), inner.width(), third), lower)

    def _lower(self, painter: QPainter, value: PlateValue, box: QRectF, text: str) -> None:
        if value.mark:
            size = min(box.height() * 0.6, 14 * self.scale_px + 4)
            shapes.draw(
                painter, "diamond", QPointF(box.left() + size / 2, box.center().y()), size, theme.MEDIUM
            )
            box = box.adjusted(size + 4, 0, 0, 0)
            self.words(painter, text, box, 19, theme.MEDIUM, weight=600, align=_LEFT)
        else:
            align = _CENTRE if value.narrow else _LEFT
            self.words(painter, text, box, 20, theme.QUIET, weight=500, align=align)


class Bet(Item):
    """Chips in front of a seat."""

    def draw(self, painter: QPainter) -> None:
        """A chip and the amount on a dark pill."""
        self.fits = True
        radius = self.box.height() / 2
        painter.setBrush(QColor(theme.PILL))
        painter.drawRoundedRect(self.box, radius, radius)
        size = self.box.height() * 0.66
        centre = QPointF(self.box.left() + radius, self.box.center().y())
        painter.setBrush(QColor("#d7263d"))
        painter.drawEllipse(centre, size / 2, size / 2)
        painter.setPen(QPen(QColor(theme.TEXT), size * 0.13, Qt.PenStyle.DotLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(centre, size * 0.4, size * 0.4)
        text = self.box.adjusted(radius + size / 2 + 2, 0, -radius * 0.5, 0)
        self.words(painter, str(self.value), text, 28, theme.TEXT, weight=700)


class Disc(Item):
    """The dealer button."""

    def draw(self, painter: QPainter) -> None:
        """A white disc with a D."""
        painter.setBrush(QColor(theme.TEXT))
        painter.setPen(QPen(QColor("#8b95a3"), 2))
        painter.drawEllipse(self.box)
        self.words(painter, "D", self.box, 22, theme.INK, weight=800)
