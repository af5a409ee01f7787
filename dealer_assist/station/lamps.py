"""The lamps of the devices: shape, colour and word. What is not well comes first; a zone without a reader is a key to tap."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import TapZone
from dealer_assist.station import lettering, shapes, theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.keys import Key
from dealer_assist.station.sound_key import SoundKey
from dealer_assist.station.theme import Metrics
from dealer_assist.station.viewmodel import ViewState
from dealer_assist.station.wording import Lamp, lamps, short_name, troubled_zones

_LEFT = Qt.AlignmentFlag.AlignLeft
#: Zones that have a key here when they have no reader; seats have theirs in the seat sheet.
_TAPPED: Final = ("burn", "board", "muck")


class LampBar(QWidget):
    """One row of lamps, and the key of the sounds. ``command`` carries taps at zones without a reader."""

    command = Signal(object)

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent)
        self.setObjectName("lamps")
        self._metrics = metrics
        self._tr: Translator | None = None
        self.lamps: tuple[Lamp, ...] = ()
        self.shown: list[tuple[QRectF, lettering.Fitted, Lamp]] = []
        self.keys: dict[str, Key] = {}
        for zone in _TAPPED:
            key = Key(self, f"tap-{zone}", role="amber", px=metrics.px(24))
            key.chosen.connect(self._on_tap)
            key.hide()
            self.keys[zone] = key
        self.sound_key = SoundKey(self, px=metrics.px(24))

    def show_state(self, tr: Translator, state: ViewState) -> None:
        """Follow the devices; in front, who is signed in as the floor."""
        self._tr = tr
        put_right = state.saves.told + state.saves.own
        saves = (Lamp(f"✓ {put_right}", "saves", tr("ui.saves", count=put_right)),) if put_right else ()
        name = tr("floor.on", name=state.floor.name)
        floor = (
            (Lamp(tr("floor.on", name=short_name(state.floor.name)), "floor", name),)
            if state.floor.name
            else ()
        )
        self.lamps = (*floor, *lamps(tr, state.devices, troubled_zones(state)), *saves)
        tapped = state.tap_zones
        for zone, key in self.keys.items():
            key.setVisible(zone in tapped)
            key.say(tr("lamps.tap_one", zone=zone))
            key.setEnabled(state.link == "ready")
        self.setAccessibleName(". ".join(lamp.name for lamp in self.lamps) or tr("lamps.none"))
        self._arrange()

    def show_audio(self, tr: Translator, *, left_s: int, able: bool) -> None:
        """Whether sounds are heard, and for how long they are not."""
        self.sound_key.show_audio(tr, left_s=left_s, able=able)

    def set_metrics(self, metrics: Metrics) -> None:
        """Follow the window's size."""
        self._metrics = metrics
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out anew."""
        super().resizeEvent(event)
        self._arrange()

    def text_fits(self) -> bool:
        """Whether every lamp is inside."""
        return all(fitted.fits and box.right() <= self.width() for box, fitted, _ in self.shown)

    def _arrange(self) -> None:
        tr, metrics = self._tr, self._metrics
        if tr is None:
            return
        gap, right = metrics.gap, float(self.width() - metrics.margin)
        width = metrics.px(176)
        right -= width
        self.sound_key.setGeometry(round(right), gap // 2, width, self.height() - gap)
        self.sound_key.px = metrics.px(24)
        right -= gap
        for zone in reversed(_TAPPED):
            key = self.keys[zone]
            if not key.isHidden():
                width = metrics.px(190)
                right -= width
                key.setGeometry(round(right), metrics.gap // 2, width, self.height() - metrics.gap)
                key.px = metrics.px(24)
                right -= gap
        room = right - metrics.margin
        lamps_ = self.lamps
        entries = [lamp for lamp in lamps_ if not (lamp.state == "tap" and lamp.zone in self.keys)]
        for size in (*(round(24 * scale) for scale in lettering.scales()), 22, 20):
            self.shown = self._row(entries, metrics.px(size), room)
            if not self.shown or self.shown[-1][0].right() <= metrics.margin + room:
                break
        while self.shown and self.shown[-1][0].right() > metrics.margin + room:
            entries = self._shorter(tr, entries)
            self.shown = self._row(entries, metrics.px(20), room)
        self.update()

    @staticmethod
    def _shorter(tr: Translator, entries: list[Lamp]) -> list[Lamp]:
        """One lamp less, counted at the end: what is well and comes last goes first."""
        hidden = 1
        if entries[-1].state == "more":
            hidden = int(entries[-1].zone) + 1
            entries = entries[:-1]
        else:
            hidden = 2
            entries = entries[:-1]
        text = tr("lamps.more", count=hidden)
        return [*entries[:-1], Lamp(text, "more", text, str(hidden))]

    def _row(self, entries: list[Lamp], px: int, room: float) -> list[tuple[QRectF, lettering.Fitted, Lamp]]:
        placed = []
        x = float(self._metrics.margin)
        for lamp in entries:
            trouble = lamp.state not in ("ok", "more", "saves", "not_secured", "plain_line")
            fitted = lettering.fit(
                lamp.text, 1e6, self.height(), px, weight=700 if trouble else 500, scaled=False
            )
            width = px * 1.15 + QFontMetricsF(fitted.font).horizontalAdvance(lamp.text)
            placed.append((QRectF(x, 0, width, self.height()), fitted, lamp))
            x += width + px * 1.1
        return placed

    def _on_tap(self, code: str) -> None:
        self.command.emit(TapZone(code.removeprefix("tap-")))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Each lamp: its shape, then its word."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.PANEL))
        painter.fillRect(0, 0, self.width(), 1, QColor(theme.LINE))
        for box, fitted, lamp in self.shown:
            size = fitted.font.pixelSize()
            text = box.adjusted(size * 1.15, 0, 2, 0)
            if lamp.state in ("more", "saves"):
                ink = theme.GOOD if lamp.state == "saves" else theme.QUIET
                lettering.paint(painter, fitted, box, ink, _LEFT)
                continue
            colour, shape = theme.DEVICE_STATES.get(lamp.state, (theme.MEDIUM, "diamond"))
            shapes.draw(
                painter, shape, QPointF(box.left() + size * 0.45, box.center().y()), size * 0.85, colour
            )
            lettering.paint(
                painter,
                fitted,
                text,
                theme.QUIET if lamp.state in ("ok", "not_secured", "plain_line") else theme.TEXT,
                _LEFT,
            )
        painter.end()
