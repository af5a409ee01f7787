"""Cards on the felt: faces that are public, and backs that say nothing."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen

from dealer_assist.station import lettering, shapes, theme
from dealer_assist.station.scene.items import Item

_LEFT = Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignRight


def draw_back(painter: QPainter, box: QRectF) -> None:
    """A card back: nothing on it says which card it is."""
    radius = box.width() * 0.09
    painter.setPen(QPen(QColor("#f4efe6"), max(1.5, box.width() * 0.035)))
    painter.setBrush(QColor(theme.CARD_BACK))
    painter.drawRoundedRect(box, radius, radius)
    painter.save()
    inner = box.adjusted(box.width() * 0.1, box.width() * 0.1, -box.width() * 0.1, -box.width() * 0.1)
    painter.setClipRect(inner)
    painter.setPen(QPen(QColor(theme.CARD_BACK_LINE), max(1.2, box.width() * 0.05)))
    step = box.width() * 0.16
    x = inner.left() - inner.height()
    while x < inner.right():
        painter.drawLine(QPointF(x, inner.bottom()), QPointF(x + inner.height(), inner.top()))
        x += step
    painter.restore()


def draw_face(painter: QPainter, box: QRectF, face: str) -> None:
    """A public card: rank above suit, in the suit's colour."""
    ink = theme.SUITS.get(face[-1:], theme.INK)
    painter.setPen(QPen(QColor("#c9cdd3"), 1))
    ground = QLinearGradient(box.topLeft(), box.bottomLeft())
    ground.setColorAt(0, QColor("#ffffff"))
    ground.setColorAt(1, QColor("#f1f2f0"))
    painter.setBrush(ground)
    radius = box.width() * 0.1
    painter.drawRoundedRect(box, radius, radius)
    rank = "10" if face[0] == "T" else face[0]
    upper = QRectF(box.left(), box.top() + box.height() * 0.03, box.width(), box.height() * 0.5)
    fitted = lettering.fit(
        rank, box.width() * 0.86, upper.height(), round(box.height() * 0.43), weight=700, min_px=8
    )
    lettering.paint(painter, fitted, upper, ink)
    painter.setPen(Qt.PenStyle.NoPen)
    size = min(box.width() * 0.56, box.height() * 0.38)
    shapes.draw(painter, face[-1], QPointF(box.center().x(), box.top() + box.height() * 0.735), size, ink)


class CardsValue(NamedTuple):
    """A seat's cards: public faces, or a number of backs. ``dim`` for a hand that gave up."""

    backs: int
    faces: tuple[str, ...]


class SeatCards(Item):
    """What lies in front of a seat: backs until they are tabled."""

    def draw(self, painter: QPainter) -> None:
        """Backs overlapping and a little turned; faces side by side."""
        value: CardsValue = self.value
        count = max(len(value.faces), value.backs if not value.faces else 0)
        if not count:
            return
        height = self.box.height()
        width = min(height * 0.72, (self.box.width() - 4) / 2)
        if value.faces:
            total = len(value.faces) * width + (len(value.faces) - 1) * 4
            left = self.box.center().x() - total / 2
            for index, face in enumerate(value.faces):
                draw_face(painter, QRectF(left + index * (width + 4), self.box.top(), width, height), face)
            return
        width, height = width * 0.9, height * 0.9
        shift = width * 0.52
        left = self.box.center().x() - (width + shift * (count - 1)) / 2
        for index in range(count):
            painter.save()
            centre = QPointF(left + index * shift + width / 2, self.box.center().y())
            painter.translate(centre)
            painter.rotate(-4 if index == 0 and count > 1 else 4 if count > 1 else 0)
            draw_back(painter, QRectF(-width / 2, -height / 2, width, height))
            painter.restore()


class BoardCardValue(NamedTuple):
    """One place of the board: a face, a back (None), or an empty place; ``early`` cards stand out and do not play."""

    kind: str
    face: str | None
    early: bool
    word: str


class BoardCard(Item):
    """A place of the board."""

    def draw(self, painter: QPainter) -> None:
        """Dashes where nothing lies; an early card is raised, framed red and labelled."""
        value: BoardCardValue = self.value
        box = self.box
        if value.kind == "empty":
            pen = QPen(theme.colour("#ffffff", 0.28), 1.5)
            pen.setStyle(Qt.PenStyle.DashLine)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, box.width() * 0.1, box.width() * 0.1)
            return
        if value.early:
            box = box.translated(0, -box.height() * 0.03)
        if value.face is None:
            draw_back(painter, box)
        else:
            draw_face(painter, box, value.face)
        if value.early:
            painter.setPen(QPen(QColor(theme.HIGH), 4))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 8, 8)
            tag = QRectF(
                box.left() - 3, self.box.bottom() - box.height() * 0.2, box.width() + 6, box.height() * 0.26
            )
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor("#8f1d2e"))
            painter.drawRoundedRect(tag, 5, 5)
            self.words(painter, value.word, tag.adjusted(2, 0, -2, 0), 20, theme.TEXT, weight=700)
