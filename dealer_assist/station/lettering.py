"""Text that fits: the largest size at which a text goes into its box, wrapped at words. Nothing on the screen is ever cut off."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from dealer_assist.station import theme


class Fitted(NamedTuple):
    """A text laid out. ``fits`` is False when even the smallest size was too large."""

    font: QFont
    lines: tuple[str, ...]
    line_height: float
    fits: bool

    @property
    def height(self) -> float:
        """Height of all lines, in pixels."""
        return self.line_height * len(self.lines)


def _wrap(metrics: QFontMetricsF, text: str, width: float) -> tuple[str, ...]:
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            longer = f"{line} {word}" if line else word
            if line and metrics.horizontalAdvance(longer) > width:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return tuple(lines)


@lru_cache(maxsize=4096)
def fit(
    text: str,
    width: float,
    height: float,
    px: int,
    *,
    weight: int = 500,
    max_lines: int = 1,
    min_px: int = 11,
) -> Fitted:
    """The largest font from ``px`` down to ``min_px`` at which the text fits ``width`` × ``height`` in ``max_lines``."""
    size = px
    while True:
        font = theme.font(size, weight)
        metrics = QFontMetricsF(font)
        lines = _wrap(metrics, text, width)
        spacing = metrics.height()
        wide = max(metrics.horizontalAdvance(line) for line in lines)
        fits = len(lines) <= max_lines and wide <= width and spacing * len(lines) <= height + 0.5
        if fits or size <= min_px:
            return Fitted(font, lines, spacing, fits)
        size -= 1


def paint(
    painter: QPainter,
    fitted: Fitted,
    box: QRectF,
    colour: str,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignCenter,
) -> None:
    """Draw fitted lines in a box, aligned left, right or centred, and vertically by Top or the middle."""
    painter.setFont(fitted.font)
    painter.setPen(QColor(colour))
    top = box.top() if align & Qt.AlignmentFlag.AlignTop else box.top() + (box.height() - fitted.height) / 2
    across = align & (
        Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignHCenter
    )
    for index, line in enumerate(fitted.lines):
        row = QRectF(box.left(), top + index * fitted.line_height, box.width(), fitted.line_height)
        painter.drawText(row, int(across | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip), line)
