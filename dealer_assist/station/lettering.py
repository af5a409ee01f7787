"""Text that fits: the largest size at which a text goes into its box, wrapped at words. Nothing on the screen is ever cut off."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from dealer_assist.station import theme

_LARGEST: Final = 1.5
_scale = 1.0


def set_text_scale(scale: float) -> None:
    """How large text is on this screen, 1.0 to 1.5 times what is drawn; it grows as far as its box lets it.

    For the whole process: one process is one screen. Windows show it from their next state on. Raises ValueError.
    """
    global _scale  # noqa: PLW0603 - as with the font: one for the screen, asked for wherever a text is laid out
    if not 1.0 <= scale <= _LARGEST:
        raise ValueError(f"text scale {scale}: 1.0 to {_LARGEST} expected")
    _scale = scale


def text_scale() -> float:
    """How large text is to be, 1.0 to 1.5."""
    return _scale


def scales() -> tuple[float, ...]:
    """Scales for a layout to try: the wanted one first, then smaller ones down to 1.0."""
    return (*[step / 100 for step in range(round(_scale * 100), 100, -10)], 1.0)


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


#: Widths are reckoned from one large size, where they are exact enough; lines are filled a little less than they could be.
_REFERENCE_PX: Final = 128
_SLACK: Final = 1.004
#: within this share of the width a line is measured
_SURE: Final = 0.97


@lru_cache(maxsize=8192)
def _share(word: str, weight: int) -> float:
    """A word's width as a share of the font's size: shaping every word again at every size is what layouts spend their time on."""
    return QFontMetricsF(theme.font(_REFERENCE_PX, weight)).horizontalAdvance(word) / _REFERENCE_PX * _SLACK


@lru_cache(maxsize=512)
def _line_height(size: int, weight: int) -> float:
    return QFontMetricsF(theme.font(size, weight)).height()


def _wrap(text: str, width: float, size: int, weight: int) -> tuple[tuple[str, ...], float]:
    """Lines, and the width of the widest in pixels, reckoned."""
    room = width / size
    space = _share(" ", weight)
    lines: list[str] = []
    widest = 0.0
    for paragraph in text.split("\n"):
        line: list[str] = []
        used = 0.0
        for word in paragraph.split(" "):
            wide = _share(word, weight)
            if line and used + space + wide > room:
                lines.append(" ".join(line))
                widest = max(widest, used)
                line, used = [word], wide
            else:
                used += wide + (space if line else 0.0)
                line.append(word)
        lines.append(" ".join(line))
        widest = max(widest, used)
    return tuple(lines), widest * size


def fit(
    text: str,
    width: float,
    height: float,
    px: int,
    *,
    weight: int = 500,
    max_lines: int = 1,
    min_px: int = 11,
    scaled: bool = True,
) -> Fitted:
    """The largest font from ``px`` down to ``min_px`` at which the text fits ``width`` × ``height`` in ``max_lines``.

    ``px`` is the size as drawn, which the text scale enlarges; ``scaled`` False: it has been enlarged already.
    """
    size = round(px * _scale) if scaled else px
    return _fit(text, width, height, size, weight, max_lines, min_px)


def forget() -> None:
    """Fonts changed: what was measured is measured again."""
    _fit.cache_clear()
    _share.cache_clear()
    _line_height.cache_clear()


@lru_cache(maxsize=4096)
def _fit(
    text: str, width: float, height: float, size: int, weight: int, max_lines: int, min_px: int
) -> Fitted:
    while True:
        font = theme.font(size, weight)
        lines, wide = _wrap(text, width, size, weight)
        if width * _SURE < wide < width / _SURE:  # too near to be reckoned
            metrics = QFontMetricsF(font)
            wide = max(metrics.horizontalAdvance(line) for line in lines)
        spacing = _line_height(size, weight)
        fits = len(lines) <= max_lines and wide <= width and spacing * len(lines) <= height + 0.5
        if fits or size <= min_px:
            return Fitted(font, lines, spacing, fits)
        # Text shrinks nearly as its size does; what is surely too large is not tried: each size costs shaping the text.
        share = min(1.0, height / spacing, width / wide if max_lines == 1 and wide else 1.0)
        size = max(min_px, min(size - 1, int(size * share) + 1))


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
