"""Cards on the felt: faces that are public, and backs that say nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QLinearGradient, QPainter, QPen

from dealer_assist.station import lettering, shapes, theme
from dealer_assist.station.scene.items import Item

_CENTRE = Qt.AlignmentFlag.AlignCenter
_LEFT = Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignRight
#: width of a card by its height
_ASPECT = 0.72
_TILT = 4.0
#: how much of a card the next one leaves to be seen, of its width
_BACKS_SHIFT = 0.52
#: pixels between two faces, and how much more of the last of several is seen
_BESIDE = 4.0
_LAST = 0.3


def _shadow(painter: QPainter, box: QRectF, radius: float) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour("#000000", 0.26))
    painter.drawRoundedRect(box.translated(box.width() * 0.025, box.width() * 0.05), radius, radius)


def draw_back(painter: QPainter, box: QRectF) -> None:
    """A card back: nothing on it says which card it is."""
    radius = box.width() * 0.09
    _shadow(painter, box, radius)
    painter.setPen(QPen(QColor("#f4efe6"), max(1.5, box.width() * 0.045)))
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
        painter.drawLine(QPointF(x, inner.top()), QPointF(x + inner.height(), inner.bottom()))
        x += step
    painter.restore()


def draw_face(painter: QPainter, box: QRectF, face: str, seen: float = 1.0) -> None:
    """A public card: rank above suit, in the suit's colour, within the share of its width that is ``seen``."""
    ink = theme.SUITS.get(face[-1:], theme.INK)
    radius = box.width() * 0.1
    _shadow(painter, box, radius)
    painter.setPen(QPen(QColor("#c9cdd3"), 1))
    ground = QLinearGradient(box.topLeft(), box.bottomLeft())
    ground.setColorAt(0, QColor("#ffffff"))
    ground.setColorAt(1, QColor("#f1f2f0"))
    painter.setBrush(ground)
    painter.drawRoundedRect(box, radius, radius)
    rank = "10" if face[0] == "T" else face[0]
    strip = QRectF(box.left(), box.top(), box.width() * seen, box.height())
    upper = QRectF(strip.left(), strip.top() + strip.height() * 0.02, strip.width(), strip.height() * 0.52)
    size = min(strip.height() * 0.46, strip.width() * 1.1)
    fitted = lettering.fit(
        rank, strip.width() * 0.9, upper.height() * 1.25, round(size), weight=700, min_px=8, scaled=False
    )
    lettering.paint(painter, fitted, upper, ink)
    painter.setPen(Qt.PenStyle.NoPen)
    suit = min(strip.width() * (0.6 if seen == 1.0 else 0.78), strip.height() * 0.4)
    shapes.draw(
        painter, face[-1], QPointF(strip.center().x(), strip.top() + strip.height() * 0.73), suit, ink
    )


class CardsValue(NamedTuple):
    """A seat's cards: backs beside public faces."""

    backs: int
    faces: tuple[str, ...]


class CardLook(NamedTuple):
    """One card: its public face or None, how it is turned in degrees, and which share of it the next card leaves to be seen."""

    face: str | None
    tilt: float
    seen: float


class Card(Item):
    """One card of a hand."""

    def draw(self, painter: QPainter, box: QRectF) -> None:
        """Face or back."""
        value: CardLook = self.value
        if value.face is not None:
            draw_face(painter, box, value.face, value.seen)
            return
        painter.translate(box.center())
        painter.rotate(value.tilt)
        draw_back(painter, box.translated(-box.center()))


def fan(box: QRectF, value: CardsValue) -> list[tuple[QRectF, CardLook]]:
    """Where each card of a hand lies in its box: faces side by side as long as there is room, backs over each other."""
    count = value.backs + len(value.faces)
    if not count:
        return []
    height = box.height()
    if not value.faces:
        height *= 0.92
        width = height * _ASPECT
        shift = (
            width * _BACKS_SHIFT
            if count < 2
            else min(width * _BACKS_SHIFT, (box.width() - width) / (count - 1))
        )
        left = box.center().x() - (width + shift * (count - 1)) / 2
        top = box.center().y() - height / 2
        middle = (count - 1) / 2
        return [
            (
                QRectF(left + index * shift, top, width, height),
                CardLook(None, 2 * _TILT * (index - middle) / max(1, count - 1), 1.0),
            )
            for index in range(count)
        ]
    if count > 2:
        # As narrow as they must be for each to show its rank and suit as large as the others.
        shift = box.width() / (count + _LAST)
        width = min(height * _ASPECT, shift * (1 + _LAST))
    else:
        width = min(height * _ASPECT, (box.width() - _BESIDE) / 2)
        shift = width + _BESIDE
    left = box.center().x() - (width + shift * (count - 1)) / 2
    laid = [*value.faces, *[None] * value.backs]
    seen = min(1.0, round(shift / width, 3))
    return [
        (QRectF(left + index * shift, box.top(), width, height), CardLook(face, 0.0, seen))
        for index, face in enumerate(laid)
    ]


class Hand:
    """A seat's cards, each an item of its own."""

    def __init__(self, make: Callable[[], Card]) -> None:
        self._make = make
        self.items: list[Card] = []
        self.value: CardsValue | None = None

    def put(
        self,
        put: Callable[[Card, QRectF, float, CardLook | None], None],
        box: QRectF,
        scale: float,
        value: CardsValue | None,
    ) -> None:
        """Lay the cards; ``put`` places each."""
        self.value = value
        places = fan(box, value) if value is not None else []
        while len(self.items) < len(places):
            self.items.append(self._make())
        for index, item in enumerate(self.items):
            if index < len(places):
                spot, look = places[index]
                put(item, spot, scale, look)
            else:
                put(item, item.box, scale, None)


class BoardCardValue(NamedTuple):
    """One place of the board: a face, a back (None), or an empty place; ``early`` cards stand out and do not play."""

    kind: str
    face: str | None
    early: bool
    word: str


class BoardCard(Item):
    """A place of the board."""

    def draw(self, painter: QPainter, box: QRectF) -> None:
        """Dashes where nothing lies; an early card is raised, framed red and labelled."""
        value: BoardCardValue = self.value
        if value.kind == "empty":
            pen = QPen(theme.colour("#ffffff", 0.3), 1.5)
            pen.setStyle(Qt.PenStyle.DashLine)
            painter.setPen(pen)
            painter.setBrush(theme.colour("#000000", 0.08))
            painter.drawRoundedRect(box, box.width() * 0.1, box.width() * 0.1)
            return
        bottom = box.bottom()
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
            tag = QRectF(box.left() - 3, bottom - box.height() * 0.22, box.width() + 6, box.height() * 0.26)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor("#8f1d2e"))
            painter.drawRoundedRect(tag, 5, 5)
            self.words(painter, value.word, tag.adjusted(2, 0, -2, 0), 20, theme.TEXT, weight=700)


class PileValue(NamedTuple):
    """A pile of the dealer: how many cards of it to draw, in order or not, and the word and number beside it, if any.

    ``longest``: the longest of the words that piles have: all are written as large as that one.
    """

    cards: int
    tidy: bool
    label: str = ""
    figure: str = ""
    longest: str = ""


class Pile(Item):
    """Stub, burns or muck: a few backs, and how many there are in words."""

    def draw(self, painter: QPainter, box: QRectF) -> None:
        """The pile on the left, word and number right of it; an outline where none lies."""
        value: PileValue = self.value
        height = box.height() * 0.82
        width = height * _ASPECT
        spot = QRectF(box.left() + 2, box.center().y() - height / 2, width, height)
        if not value.label:
            spot.moveCenter(box.center())
        else:
            painter.setBrush(theme.colour(theme.PILL, 0.92))
            painter.drawRoundedRect(box, 9, 9)
            spot.moveLeft(box.left() + 5)
        if not value.cards:
            pen = QPen(theme.colour("#ffffff", 0.3), 1.3)
            pen.setStyle(Qt.PenStyle.DashLine)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(spot, 3, 3)
        for index in range(value.cards):
            painter.save()
            painter.translate(spot.center())
            if value.tidy:
                lift = (index - (value.cards - 1) / 2) * height * 0.06
                painter.translate(-lift, -lift)
            else:
                painter.rotate((-11, 8, -3, 14, 0)[index % 5])
            draw_back(painter, spot.translated(-spot.center()))
            painter.restore()
        if not value.label:
            return
        self._words(painter, value, box.adjusted(width + 12, 1, -8 * self.scale_px, -1))

    def _words(self, painter: QPainter, value: PileValue, room: QRectF) -> None:
        """Word and number beside each other, or below each other where the word is larger so."""
        number = self._fit(value.figure, room.width() * 0.4, room.height(), self.px(32), weight=700)
        taken = max(QFontMetricsF(number.font).horizontalAdvance(figure) for figure in (value.figure, "0"))
        word = QRectF(room.left(), room.top(), room.width() - taken - 5, room.height())
        across = QRectF(room.left(), room.top() + room.height() * 0.54, room.width(), room.height() * 0.46)
        beside = self._fit(value.longest, word.width(), word.height(), self.px(23))
        below = self._fit(value.longest, across.width(), across.height(), self.px(23))
        if not beside.fits or below.font.pixelSize() > beside.font.pixelSize() + 1:
            word, beside = across, below
            room = QRectF(room.left(), room.top(), room.width(), room.height() * 0.58)
            number = self._fit(value.figure, room.width(), room.height(), self.px(30), weight=700)
        fitted = lettering.fit(
            value.label, word.width(), word.height(), beside.font.pixelSize(), min_px=8, scaled=False
        )
        self.fits = beside.fits and fitted.fits and number.fits
        align = _LEFT if word is not across else _CENTRE
        lettering.paint(painter, fitted, word, theme.QUIET, align)
        lettering.paint(painter, number, room, theme.TEXT, _RIGHT if word is not across else _CENTRE)

    @staticmethod
    def _fit(text: str, width: float, height: float, px: int, *, weight: int = 500) -> lettering.Fitted:
        return lettering.fit(text, width, height, px, weight=weight, min_px=9)
