"""The queue of alerts: how many there are, each by its shape, the most urgent first, and which one a tap brings up next."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.alerts import Alert
from dealer_assist.station import lettering, shapes, theme, wording
from dealer_assist.station.alert_paint import mark_of
from dealer_assist.station.i18n import Translator
from dealer_assist.station.keys import Key

#: so many are drawn as shapes; the number beside them counts all
_DRAWN: Final = 5


class _Waiting(NamedTuple):
    shape: str
    colour: str
    mark: str
    front: bool


class QueueKey(Key):
    """One key over the whole width, shown while there are two alerts or more."""

    def __init__(self, parent: QWidget, *, px: int) -> None:
        super().__init__(parent, "next", role="outline", px=px, weight=700, shortcut="F6")
        self._queue: tuple[_Waiting, ...] = ()
        self._edge = theme.LINE
        self.place = ""

    def show_queue(self, tr: Translator, alerts: tuple[Alert, ...], front: Alert) -> None:
        """These are up, ``front`` is shown in full. Its edge has the colour of the most urgent one that is not."""
        index = alerts.index(front)
        behind = alerts[(index + 1) % len(alerts)]
        self._queue = tuple(
            [
                _Waiting(
                    theme.LEVELS[wording.alert_level(alert)][2],
                    theme.LEVELS[wording.alert_level(alert)][0],
                    mark_of(alert),
                    alert is front,
                )
                for alert in alerts
            ]
        )
        self.place = f"{index + 1}/{len(alerts)}"
        word, title = wording.alert_word(tr, behind), wording.alert_title(tr, behind)
        text = tr("alert.next", word=word, title=title)
        self.say(text, name=f"{tr('alert.place', place=index + 1, count=len(alerts))}. {text}")
        rest = [wording.alert_level(alert) for alert in alerts if alert is not front]
        self._edge = theme.LEVELS[min(rest, key=("high", "medium", "low").index)][0]
        self.update()

    def _stack_w(self) -> float:
        drawn = min(len(self._queue), _DRAWN)
        return self._count_w() + drawn * self._shape() * 1.15

    def _count_w(self) -> float:
        return self.px * (0.75 + 0.62 * len(self.place))

    def _shape(self) -> float:
        return self.height() * 0.36

    def _layout(self) -> list[tuple[lettering.Fitted, QRectF]]:
        if not self.text():
            return []
        box = QRectF(self.rect()).adjusted(self._stack_w() + 8, 3, -30, -3)
        fitted = lettering.fit(
            self.text(), box.width(), box.height(), self.px, weight=self.weight, max_lines=2
        )
        return [(fitted, box)]

    def paintEvent(self, event: QPaintEvent) -> None:
        """The key, and the queue at its left: the one in front has a ring around it."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._edge), 2.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        radius = min(14.0, self.height() * 0.18)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5), radius, radius)
        middle, size = self.height() / 2, self._shape()
        painter.setFont(theme.font(round(self.px * 1.05), 800))
        painter.setPen(QColor(theme.TEXT))
        count = QRectF(6, 0, self._count_w() - 6, self.height())
        painter.drawText(count, int(Qt.AlignmentFlag.AlignCenter), self.place)
        for place, waiting in enumerate(self._queue[:_DRAWN]):
            centre = QPointF(self._count_w() + size * (0.55 + 1.15 * place), middle)
            shapes.draw(painter, waiting.shape, centre, size * 0.9, waiting.colour, waiting.mark)
            if waiting.front:
                painter.setPen(QPen(QColor(theme.TEXT), 2.5))
                painter.drawLine(
                    QPointF(centre.x() - size * 0.4, middle + size * 0.72),
                    QPointF(centre.x() + size * 0.4, middle + size * 0.72),
                )
        painter.end()
