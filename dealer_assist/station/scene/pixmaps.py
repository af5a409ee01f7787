"""What is on the felt is drawn once and then copied: a store of finished pictures, forgotten when screen or fonts change."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPixmap

from dealer_assist.station import lettering

#: memory that the pictures may take, in bytes; the ones not used longest go first
_LIMIT_BYTES: Final = 48 << 20


class Drawn(NamedTuple):
    """A finished picture, and whether all its words went in."""

    pixmap: QPixmap
    fits: bool


class Pixmaps:
    """Pictures by what they show. ``ratio``: device pixels of a pixel of the view; ``made`` counts what had to be drawn."""

    def __init__(self) -> None:
        self.ratio = 1.0
        self.made = 0
        self._store: OrderedDict[Hashable, Drawn] = OrderedDict()
        self._bytes = 0

    def get(self, look: Hashable, width: float, height: float, draw: Callable[[QPainter], bool]) -> Drawn:
        """The picture of ``look``, ``width`` × ``height`` pixels of the view large; ``draw`` makes it, and says whether its words fit."""
        key = (look, width, height, self.ratio, lettering.text_scale())
        found = self._store.get(key)
        if found is not None:
            self._store.move_to_end(key)
            return found
        pixmap = QPixmap(math.ceil(width * self.ratio), math.ceil(height * self.ratio))
        pixmap.setDevicePixelRatio(self.ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        drawn = Drawn(pixmap, draw(painter))
        painter.end()
        self.made += 1
        self._store[key] = drawn
        self._bytes += _bytes_of(pixmap)
        while self._bytes > _LIMIT_BYTES and len(self._store) > 1:
            _, old = self._store.popitem(last=False)
            self._bytes -= _bytes_of(old.pixmap)
        return drawn

    def forget(self) -> None:
        """Draw everything anew: another screen, other fonts."""
        self._store.clear()
        self._bytes = 0


def _bytes_of(pixmap: QPixmap) -> int:
    return pixmap.width() * pixmap.height() * 4
