"""No connection to the table: said large, over the felt, with what to do meanwhile."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from dealer_assist.station import lettering, shapes, theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.viewmodel import ViewState


class LostPanel(QWidget):
    """Shown while there is no connection, or none yet."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("lost-panel")
        self.title = ""
        self.more = ""
        self._level = "high"
        self.hide()

    def show_state(self, tr: Translator, state: ViewState) -> None:
        """Lost, another version, or still connecting."""
        match state.link:
            case "lost":
                self._level, self.title, self.more = "high", tr("ui.lost"), tr("ui.lost_more")
            case "version":
                self._level, self.title, self.more = (
                    "high",
                    tr("ui.lost"),
                    tr("ui.version", version=state.version),
                )
            case "simulated":
                self._level, self.title, self.more = "high", tr("ui.lost"), tr("ui.not_simulated")
            case _:
                self._level, self.title, self.more = "low", tr("ui.connecting"), ""
        self.setAccessibleName(f"{self.title}. {self.more}")
        self.update()

    def text_fits(self) -> bool:
        """Whether both texts are inside."""
        return all(fitted.fits for fitted, _ in self._layout())

    def _layout(self) -> tuple[tuple[lettering.Fitted, QRectF], ...]:
        box = QRectF(self.rect()).adjusted(self.height() * 0.5, 14, -24, -14)
        upper = QRectF(box.left(), box.top(), box.width(), box.height() * (0.5 if self.more else 1))
        lower = QRectF(box.left(), upper.bottom(), box.width(), box.height() * 0.5)
        title = lettering.fit(
            self.title, upper.width(), upper.height(), round(self.height() * 0.22), weight=800, max_lines=2
        )
        more = lettering.fit(
            self.more, lower.width(), lower.height(), round(self.height() * 0.14), max_lines=3
        )
        return (title, upper), (more, lower)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Frame, shape, words."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        accent, ground, shape = theme.LEVELS[self._level]
        painter.setPen(QPen(QColor(accent), 3))
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(2, 2, -2, -2), 16, 16)
        size = self.height() * 0.3
        mark = "!" if self._level == "high" else "i"
        shapes.draw(painter, shape, QPointF(self.height() * 0.26, self.height() / 2), size, accent, mark)
        (title, upper), (more, lower) = self._layout()
        lettering.paint(painter, title, upper, theme.TEXT, Qt.AlignmentFlag.AlignLeft)
        lettering.paint(painter, more, lower, theme.TEXT, Qt.AlignmentFlag.AlignLeft)
        painter.end()
