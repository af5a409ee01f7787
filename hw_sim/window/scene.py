"""The table as one sees it from above: places to lay cards, and cards to drag."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter, QPen, QRadialGradient
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsScene,
    QGraphicsSceneMouseEvent,
    QStyleOptionGraphicsItem,
    QWidget,
)

from hw_sim.window.model import STRANGERS, STUB, HandTable, Lying

WIDTH: Final = 1200.0
HEIGHT: Final = 780.0
CARD: Final = (58.0, 82.0)
_SUITS: Final = {
    "s": ("♠", "#14181f"),
    "h": ("♥", "#d7263d"),
    "d": ("♦", "#1769d1"),
    "c": ("♣", "#12824c"),
}
_WORDS: Final = {
    STUB: "Stub",
    "burn": "Burn",
    "muck": "Muck",
    "board": "Board",
    "aside": "Set aside, no antenna",
    STRANGERS: "Strange cards",
}


def place_boxes(seats: tuple[int, ...]) -> dict[str, QRectF]:
    """Where each place is on the scene: seat 1 at the dealer's left hand, then clockwise; the dealer sits at the bottom."""
    boxes = {
        "board": QRectF(WIDTH / 2 - 200, 300, 400, 112),
        "burn": QRectF(WIDTH / 2 - 320, 300, 100, 112),
        "muck": QRectF(WIDTH / 2 + 220, 300, 120, 112),
        STUB: QRectF(WIDTH / 2 - 45, 600, 90, 112),
        "aside": QRectF(20, HEIGHT - 130, 170, 112),
        STRANGERS: QRectF(WIDTH - 150, HEIGHT - 130, 130, 112),
    }
    first, last = (
        math.radians(122),
        math.radians(418),
    )  # from the dealer's left round to his right, 90° is the dealer
    for index, seat in enumerate(seats):
        share = index / max(1, len(seats) - 1)
        angle = first + (last - first) * share
        x, y = WIDTH / 2 + 500 * math.cos(angle), 360 + 300 * math.sin(angle)
        boxes[f"seat{seat}"] = QRectF(x - 75, y - 56, 150, 112)
    return boxes


class CardItem(QGraphicsItem):
    """One card. It is dragged with the left button and turned over by a double click."""

    def __init__(self, lying: Lying, scene: TableScene) -> None:
        super().__init__()
        self.lying = lying
        self._table = scene
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsMovable)
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def boundingRect(self) -> QRectF:
        """The card, around its own middle."""
        return QRectF(-CARD[0] / 2 - 2, -CARD[1] / 2 - 2, CARD[0] + 4, CARD[1] + 4)

    def paint(
        self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None
    ) -> None:
        """A face, or a back."""
        box = QRectF(-CARD[0] / 2, -CARD[1] / 2, *CARD)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.lying.face_up:
            strange = self.lying.card.startswith("foreign/")
            painter.setPen(QPen(QColor("#f4efe6"), 2.5))
            painter.setBrush(QColor("#1f4f8f" if strange else "#8f1d2e"))
            painter.drawRoundedRect(box, 6, 6)
            painter.setPen(QPen(QColor(255, 255, 255, 80), 1.5))
            painter.drawRoundedRect(box.adjusted(7, 7, -7, -7), 3, 3)
            return
        painter.setPen(QPen(QColor("#c9cdd3"), 1))
        painter.setBrush(QColor("#ffffff"))
        painter.drawRoundedRect(box, 6, 6)
        rank, suit = self.lying.card[0], self.lying.card[-1]
        sign, ink = _SUITS.get(suit, ("?", "#1f4f8f"))
        if self.lying.card.startswith("foreign/"):
            rank, sign, ink = "?", "", "#1f4f8f"
        painter.setPen(QColor(ink))
        painter.setFont(_font(28))
        painter.drawText(
            box.adjusted(0, 2, 0, -36), Qt.AlignmentFlag.AlignCenter, "10" if rank == "T" else rank
        )
        painter.setFont(_font(30))
        painter.drawText(box.adjusted(0, 36, 0, -2), Qt.AlignmentFlag.AlignCenter, sign)

    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        """The card is taken up."""
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.setZValue(1000)
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self._table.lifted(self)

    def mouseReleaseEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        """The card is laid down."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.setCursor(Qt.CursorShape.OpenHandCursor)
            self._table.laid(self)

    def mouseDoubleClickEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        """The card is turned over where it lies."""
        event.accept()
        self._table.turned(self)


class TableScene(QGraphicsScene):
    """All of it. ``lift``, ``lay`` and ``turn`` are told what a hand does; :meth:`show_cards` draws what came of it.

    ``lay`` gets the place under the card, or None.
    """

    def __init__(
        self,
        table: HandTable,
        *,
        lift: Callable[[str], None],
        lay: Callable[[str | None], None],
        turn: Callable[[str], None],
    ) -> None:
        super().__init__(0, 0, WIDTH, HEIGHT)
        self._table = table
        self._lift, self._lay, self._turn = lift, lay, turn
        self.boxes = place_boxes(table.seats)
        self.cards: dict[str, CardItem] = {}
        self.button = table.seats[0]
        self._held: CardItem | None = None
        self.show_cards()

    def drawBackground(self, painter: QPainter, _rect: QRectF | Any) -> None:
        """Felt, places and their names."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.sceneRect(), QColor("#20242b"))
        felt = QRectF(110, 60, WIDTH - 220, 610)
        light = QRadialGradient(felt.center(), 620)
        light.setColorAt(0, QColor("#2b4f7c"))
        light.setColorAt(1, QColor("#16304f"))
        painter.setPen(QPen(QColor("#3a2a1e"), 16))
        painter.setBrush(QBrush(light))
        painter.drawRoundedRect(felt, 300, 300)
        for place, box in self.boxes.items():
            self._draw_place(painter, place, box)

    def _draw_place(self, painter: QPainter, place: str, box: QRectF) -> None:
        unread = place in (STUB, "aside", STRANGERS)
        pen = QPen(QColor("#8fa3bd" if unread else "#7fd1a6"), 1.5)
        pen.setStyle(Qt.PenStyle.DashLine if unread else Qt.PenStyle.SolidLine)
        painter.setPen(pen)
        painter.setBrush(QColor(10, 16, 26, 110))
        painter.drawRoundedRect(box, 10, 10)
        count = len(self._table.places[place])
        word = _WORDS.get(place, f"Seat {place[4:]}")
        if place.startswith("seat") and int(place[4:]) in self._table.empty:
            word += ", empty"
        painter.setPen(QColor("#dfe8f3"))
        painter.setFont(_font(13))
        label = QRectF(box.left() - 20, box.top() - 22, box.width() + 40, 20)
        painter.drawText(label, Qt.AlignmentFlag.AlignCenter, f"{word} · {count}" if count else word)
        if place == f"seat{self.button}":
            spot = QPointF(box.right() - 4, box.top() - 2)
            painter.setPen(QPen(QColor("#20242b"), 1))
            painter.setBrush(QColor("#ffffff"))
            painter.drawEllipse(spot, 12, 12)
            painter.drawText(QRectF(spot.x() - 12, spot.y() - 12, 24, 24), Qt.AlignmentFlag.AlignCenter, "D")

    def show_cards(self) -> None:
        """Lay every card where the table has it. The one in the hand stays there."""
        alive = set()
        for place, cards in self._table.places.items():
            box = self.boxes[place]
            shown = cards[:3] if place == STUB else cards
            for index, lying in enumerate(reversed(shown) if place == STUB else shown):
                item = self.cards.get(lying.card)
                if item is None:
                    item = self.cards[lying.card] = CardItem(lying, self)
                    self.addItem(item)
                item.lying = lying
                alive.add(lying.card)
                item.setPos(_spot(box, index, len(shown), pile=place in (STUB, "muck", "burn")))
                item.setZValue(index + 1)
                item.update()
        for card in set(self.cards) - alive:
            if self.cards[card] is not self._held:
                self.removeItem(self.cards.pop(card))
        self.update()

    def set_button(self, seat: int) -> None:
        """The dealer button lies at a seat: the deal begins at its left."""
        self.button = seat
        self.update()

    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        """A click on the felt of a seat: somebody sits down there, or leaves."""
        super().mousePressEvent(event)
        place = self.place_at(event.scenePos())
        if self._held is None and place is not None and place.startswith("seat"):
            self._table.empty ^= {int(place[4:])}
            self.update()

    def place_at(self, point: QPointF) -> str | None:
        """The place under a point."""
        return next((place for place, box in self.boxes.items() if box.contains(point)), None)

    def lifted(self, item: CardItem) -> None:
        """A card was taken up."""
        self._held = item
        self._lift(item.lying.card)
        self.update()

    def laid(self, item: CardItem) -> None:
        """A card was laid down where it is now."""
        if self._held is item:
            self._held = None
            self._lay(self.place_at(item.pos()))
            self.show_cards()

    def turned(self, item: CardItem) -> None:
        """A card was turned over."""
        self._turn(item.lying.card)
        self.show_cards()


def _spot(box: QRectF, index: int, count: int, *, pile: bool) -> QPointF:
    """Where a card of a place lies: side by side as far as there is room, a pile nearly upon another."""
    room = box.width() - CARD[0] - 12
    step = min(3.0 if pile else CARD[0] + 10, room / max(1, count - 1))
    left = box.center().x() - step * (count - 1) / 2
    return QPointF(left + step * index, box.center().y())


def _font(pixels: int) -> QFont:
    font = QFont("Inter")
    font.setPixelSize(pixels)
    font.setWeight(QFont.Weight.DemiBold)
    return font
