"""The items of the table scene. Each draws one thing from plain values; none knows a fact, a text or a rule."""

from __future__ import annotations

from typing import Any, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QLinearGradient, QPainter, QPen, QRadialGradient
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
            box = box.translated(0, -box.height() * 0.1)
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
