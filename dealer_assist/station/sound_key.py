"""The key that pauses the sounds: a bell, and while they are paused the time that is left; it says so when no sound can be made."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from dealer_assist.station import lettering, shapes, theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.keys import Key


class SoundKey(Key):
    """One tap pauses, another one ends the pause. Without a sound to pause it can be tapped all the same: a loudspeaker may come back."""

    def __init__(self, parent: QWidget, *, px: int) -> None:
        super().__init__(parent, "sound", role="outline", px=px, shortcut="F8")
        self._silent = False

    def show_audio(self, tr: Translator, *, left_s: int, able: bool) -> None:
        """Say how it stands."""
        self._silent = left_s > 0 or not able
        if left_s:
            time = f"{left_s // 60}:{left_s % 60:02}"
            self.say(time, name=tr("sound.paused", time=time))
        elif able:
            self.say(tr("sound.on"), name=tr("sound.pause"))
        else:
            self.say(tr("sound.none"), name=tr("sound.none_more"))
        self.set_role("amber" if left_s else "outline")

    def _layout(self) -> list[tuple[lettering.Fitted, QRectF]]:
        if not self.text():
            return []
        box = QRectF(self.rect()).adjusted(self._bell() + 14, 3, -8, -3)
        fitted = lettering.fit(
            self.text(), box.width(), box.height(), self.px, weight=self.weight, max_lines=2
        )
        return [(fitted, box)]

    def _bell(self) -> float:
        return self.height() * 0.46

    def paintEvent(self, event: QPaintEvent) -> None:
        """The key with its bell, struck through when nothing is heard."""
        super().paintEvent(event)
        painter = QPainter(self)
        name = "bell_off" if self._silent else "bell"
        centre = QPointF(10 + self._bell() / 2, self.height() / 2)
        shapes.sign(painter, name, centre, self._bell(), theme.GOLD if self._silent else theme.TEXT)
        painter.end()
