"""The fifty-two cards as a picture of four rows: what is registered, what comes next, what is still missing."""

from __future__ import annotations

from typing import Final, Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen

from dealer_assist.station import lettering, shapes, theme
from dealer_assist.station.keys import Key
from dealer_assist.station.scene.cards import draw_face

#: As decks come out of their box, a row a suit.
ROWS: Final = tuple(tuple(rank + suit for rank in "A23456789TJQK") for suit in "shcd")
FACES: Final = tuple(face for row in ROWS for face in row)

CardState = Literal["missing", "next", "done"]


class FaceKey(Key):
    """One of the fifty-two: ticked when it is registered, framed when it is the next."""

    state: CardState = "missing"

    def show_card(self, state: CardState, name: str) -> None:
        """How far the card is, and its name in words."""
        self.state = state
        self.setAccessibleName(name)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The card, dim until it is there."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        width = min(box.width(), box.height() * 0.74)
        card = QRectF(box.center().x() - width / 2, box.top(), width, box.height())
        draw_one(painter, card, self.code.removeprefix("face-"), self.state)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.GOLD), 3))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5), 8, 8)
        painter.end()


def draw_one(painter: QPainter, card: QRectF, face: str, state: CardState) -> None:
    """A card of the picture."""
    radius = card.width() * 0.1
    if state == "missing":
        pen = QPen(theme.colour(theme.QUIET, 0.5), 1.5)
        pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(QColor(theme.WELL))
        painter.drawRoundedRect(card, radius, radius)
        rank = "10" if face[0] == "T" else face[0]
        upper = QRectF(card.left(), card.top() + card.height() * 0.03, card.width(), card.height() * 0.5)
        fitted = lettering.fit(rank, upper.width(), upper.height(), round(card.height() * 0.36), weight=600)
        lettering.paint(painter, fitted, upper, theme.QUIET)
        spot = QPointF(card.center().x(), card.top() + card.height() * 0.72)
        shapes.draw(painter, face[1], spot, card.width() * 0.4, theme.QUIET)
        return
    draw_face(painter, card, face)
    if state == "next":
        painter.setPen(QPen(QColor(theme.GOLD), max(4.0, card.width() * 0.09)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(card, radius, radius)
        return
    size = card.width() * 0.42
    spot = QPointF(card.right() - size * 0.38, card.bottom() - size * 0.38)
    shapes.draw(painter, "circle", spot, size, theme.GOOD, "tick")


def draw_count(painter: QPainter, box: QRectF, done: int, of: int) -> None:
    """A check: as many backs as cards were read, none of them named, and an outline for each that was not."""
    columns = 13
    rows = max(1, -(-of // columns))
    step_x, step_y = box.width() / columns, box.height() / rows
    height = min(step_y * 0.88, step_x * 0.88 / 0.72)
    width = height * 0.72
    for number in range(of):
        left = box.left() + (number % columns) * step_x + (step_x - width) / 2
        top = box.top() + (number // columns) * step_y + (step_y - height) / 2
        card = QRectF(left, top, width, height)
        if number < done:
            painter.setPen(QPen(QColor("#f4efe6"), 2))
            painter.setBrush(QColor(theme.CARD_BACK))
            painter.drawRoundedRect(card, width * 0.1, width * 0.1)
            spot = QPointF(card.right() - width * 0.16, card.bottom() - width * 0.16)
            shapes.draw(painter, "circle", spot, width * 0.42, theme.GOOD, "tick")
        else:
            pen = QPen(theme.colour(theme.QUIET, 0.6), 1.5)
            pen.setStyle(Qt.PenStyle.DashLine)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(card, width * 0.1, width * 0.1)


def draw_progress(painter: QPainter, box: QRectF, done: int, of: int) -> None:
    """A bar."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.WELL))
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
    if of and done:
        filled = QRectF(box.left(), box.top(), max(box.height(), box.width() * done / of), box.height())
        painter.setBrush(QColor(theme.GOOD))
        painter.drawRoundedRect(filled, box.height() / 2, box.height() / 2)
