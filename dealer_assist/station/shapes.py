"""Vector shapes: suits, levels, lamps and the few signs on keys. Each fits the unit square around its centre."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from dealer_assist.station import theme


def _polygon(*points: tuple[float, float]) -> QPainterPath:
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in points]))
    path.closeSubpath()
    return path


def _heart() -> QPainterPath:
    path = QPainterPath(QPointF(0, 0.5))
    path.cubicTo(-0.18, 0.28, -0.52, 0.08, -0.5, -0.2)
    path.cubicTo(-0.48, -0.52, -0.1, -0.55, 0, -0.24)
    path.cubicTo(0.1, -0.55, 0.48, -0.52, 0.5, -0.2)
    path.cubicTo(0.52, 0.08, 0.18, 0.28, 0, 0.5)
    return path


def _stem() -> QPainterPath:
    path = QPainterPath(QPointF(-0.17, 0.5))
    path.cubicTo(-0.03, 0.42, -0.03, 0.3, -0.03, 0.12)
    path.lineTo(0.03, 0.12)
    path.cubicTo(0.03, 0.3, 0.03, 0.42, 0.17, 0.5)
    path.closeSubpath()
    return path


def _spade() -> QPainterPath:
    path = QPainterPath(QPointF(0, -0.5))
    path.cubicTo(0.16, -0.26, 0.47, -0.1, 0.46, 0.12)
    path.cubicTo(0.44, 0.38, 0.1, 0.4, 0, 0.16)
    path.cubicTo(-0.1, 0.4, -0.44, 0.38, -0.46, 0.12)
    path.cubicTo(-0.47, -0.1, -0.16, -0.26, 0, -0.5)
    return path.united(_stem())


def _club() -> QPainterPath:
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for x, y in ((0.0, -0.26), (-0.25, 0.1), (0.25, 0.1)):
        path.addEllipse(QPointF(x, y), 0.235, 0.235)
    path.addEllipse(QPointF(0, 0), 0.14, 0.14)
    return path.united(_stem())


@lru_cache(maxsize=32)
def path_of(name: str) -> QPainterPath:
    """The outline of a shape by name; an unknown one is a circle."""
    match name:
        case "h":
            return _heart()
        case "d":
            return _polygon((0, -0.5), (0.37, 0), (0, 0.5), (-0.37, 0))
        case "s":
            return _spade()
        case "c":
            return _club()
        case "triangle":
            return _polygon((0, -0.45), (0.5, 0.42), (-0.5, 0.42))
        case "diamond":
            return _polygon((0, -0.5), (0.5, 0), (0, 0.5), (-0.5, 0))
        case "square":
            path = QPainterPath()
            path.addRoundedRect(QRectF(-0.42, -0.42, 0.84, 0.84), 0.12, 0.12)
            return path
        case "cross":
            return _polygon(
                (-0.18, -0.45),
                (0.18, -0.45),
                (0.18, -0.18),
                (0.45, -0.18),
                (0.45, 0.18),
                (0.18, 0.18),
                (0.18, 0.45),
                (-0.18, 0.45),
                (-0.18, 0.18),
                (-0.45, 0.18),
                (-0.45, -0.18),
                (-0.18, -0.18),
            )
        case "bell":
            path = QPainterPath(QPointF(0, -0.48))
            path.cubicTo(0.34, -0.46, 0.28, 0.0, 0.44, 0.26)
            path.lineTo(-0.44, 0.26)
            path.cubicTo(-0.28, 0.0, -0.34, -0.46, 0, -0.48)
            path.addEllipse(QPointF(0, 0.36), 0.13, 0.11)
            return path
        case "back":
            return _polygon((-0.5, 0), (-0.2, -0.32), (0.5, -0.32), (0.5, 0.32), (-0.2, 0.32))
        case _:
            path = QPainterPath()
            path.addEllipse(QPointF(0, 0), 0.45, 0.45)
            return path


def draw(
    painter: QPainter,
    name: str,
    centre: QPointF,
    size: float,
    colour: str,
    mark: str = "",
    ink: str = theme.INK,
) -> None:
    """Draw a filled shape, with a letter or a tick in it."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(centre)
    painter.scale(size, size)
    if name in ("ring", "outline"):
        painter.setPen(QPen(QColor(colour), 0.16 if name == "ring" else 0.07))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(0, 0), 0.37 if name == "ring" else 0.42, 0.37 if name == "ring" else 0.42)
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.drawPath(path_of(name))
    painter.scale(1 / size, 1 / size)
    if mark == "tick":
        _stroke(painter, size, ink, 0.1, (-0.2, 0.02), (-0.05, 0.17), (0.22, -0.14))
    elif mark:
        painter.setFont(theme.font(round(size * 0.54), 800))
        painter.setPen(QColor(ink))
        shift = size * 0.1 if name == "triangle" else 0
        painter.drawText(QRectF(-size / 2, -size / 2 + shift, size, size), Qt.AlignmentFlag.AlignCenter, mark)
    painter.restore()


def _stroke(painter: QPainter, size: float, colour: str, width: float, *points: tuple[float, float]) -> None:
    pen = QPen(QColor(colour), size * width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF([QPointF(x * size, y * size) for x, y in points]))


def sign(painter: QPainter, name: str, centre: QPointF, size: float, colour: str) -> None:
    """A sign on a key: ``delete``, ``undo``, ``bell`` or ``bell_off``."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(centre)
    if name == "delete":
        pen = QPen(QColor(colour), size * 0.07)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.save()
        painter.scale(size, size)
        pen.setWidthF(0.07)
        painter.setPen(pen)
        painter.drawPath(path_of("back"))
        painter.restore()
        _stroke(painter, size, colour, 0.07, (-0.03, -0.12), (0.23, 0.14))
        _stroke(painter, size, colour, 0.07, (-0.03, 0.14), (0.23, -0.12))
    elif name.startswith("bell"):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.save()
        painter.scale(size, size)
        painter.drawPath(path_of("bell"))
        painter.restore()
        if name == "bell_off":
            _stroke(painter, size, theme.PANEL, 0.2, (-0.46, -0.42), (0.46, 0.46))
            _stroke(painter, size, colour, 0.09, (-0.46, -0.42), (0.46, 0.46))
    elif name == "undo":
        pen = QPen(QColor(colour), size * 0.1)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        box = QRectF(-size * 0.34, -size * 0.26, size * 0.68, size * 0.62)
        painter.drawArc(box, -60 * 16, 210 * 16)
        _stroke(painter, size, colour, 0.1, (-0.36, -0.3), (-0.32, 0.0), (-0.04, -0.06))
    painter.restore()
