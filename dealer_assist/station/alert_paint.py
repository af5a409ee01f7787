"""Draws what :mod:`alert_text` laid out: the icon of the level, steps that tick, bars of shares, dots of weights."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from dealer_assist.domain.alerts import Alert
from dealer_assist.station import lettering, shapes, theme, wording
from dealer_assist.station.alert_text import Block
from dealer_assist.station.theme import Metrics

_TOP_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
#: a weight is shown as so many dots, filled as far as it goes
_DOTS = 3


def frame(painter: QPainter, rect: QRectF, level: str, *, bright: bool) -> None:
    """Ground and frame of a level; ``bright`` while it flashes. The text on it stays as it is: it must be read meanwhile."""
    accent, ground, _ = theme.LEVELS[level]
    painter.setPen(QPen(QColor(accent), 8 if bright else 3))
    painter.setBrush(QColor(ground))
    painter.drawRoundedRect(rect.adjusted(4, 4, -4, -4), 16, 16)


def mark_of(alert: Alert) -> str:
    """The sign in the shape of an alert: what is certain, and what is asked."""
    return "!" if alert.evidence == "proven" else "?"


def blocks(painter: QPainter, laid: Iterable[Block], alert: Alert, left: float, metrics: Metrics) -> None:
    """Every text with its marker. ``left``: where the icon and the markers of steps stand."""
    for block in laid:
        box = block.box
        match block.marker:
            case "icon":
                _icon(painter, block, alert, left)
            case "step":
                size = _step_size(block)
                _step(painter, block, QPointF(left + size / 2, box.top() + size / 2), size)
                box = box.adjusted(0, max(0.0, (size - block.fitted.line_height) / 2), 0, 0)
            case "weight":
                _weight(painter, block, left)
            case "share":
                _share(painter, block, metrics)
        lettering.paint(painter, block.fitted, box, block.ink, _TOP_LEFT)


def _icon(painter: QPainter, block: Block, alert: Alert, left: float) -> None:
    size = float(block.value)
    accent, _, shape = theme.LEVELS[wording.alert_level(alert)]
    centre = QPointF(left + size / 2, block.box.top() + size / 2)
    shapes.draw(painter, shape, centre, size, accent, mark_of(alert))


def _step_size(block: Block) -> float:
    return block.fitted.font.pixelSize() * 1.42


def _step(painter: QPainter, block: Block, centre: QPointF, size: float) -> None:
    """Done: a green circle with a tick. Current: gold with its number. To do: an outline with its number."""
    if block.state == "done":
        shapes.draw(painter, "circle", centre, size, theme.GOOD, "tick")
    elif block.state == "current":
        shapes.draw(painter, "circle", centre, size, theme.GOLD, block.value)
    elif block.state == "skipped":
        shapes.draw(painter, "outline", centre, size, theme.OFF, "–", theme.QUIET)
    else:
        shapes.draw(painter, "outline", centre, size, theme.QUIET, block.value, theme.TEXT)


def _weight(painter: QPainter, block: Block, left: float) -> None:
    size = block.fitted.font.pixelSize() * 0.72
    middle = block.box.top() + block.fitted.line_height / 2
    for place in range(_DOTS):
        centre = QPointF(left + size * (0.5 + 1.15 * place), middle)
        filled = place < int(block.value)
        shapes.draw(
            painter, "circle" if filled else "outline", centre, size, theme.GOLD if filled else theme.QUIET
        )


def _share(painter: QPainter, block: Block, metrics: Metrics) -> None:
    """A bar as long as the share is of the whole."""
    height = max(5.0, metrics.px(9))
    top = block.box.top() + block.fitted.height + 2
    whole = QRectF(block.box.left(), top, block.box.width(), height)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.LINE))
    painter.drawRoundedRect(whole, height / 2, height / 2)
    part = QRectF(whole)
    part.setWidth(max(height, whole.width() * int(block.value) / 10_000))
    painter.setBrush(QColor(block.ink))
    painter.drawRoundedRect(part, height / 2, height / 2)
