"""The keys: real push buttons, drawn by us, big enough for a thumb, with their text always whole."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QElapsedTimer, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QGuiApplication,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QPushButton, QWidget

from dealer_assist.station import lettering, shapes, theme
from dealer_assist.station.scene.cards import draw_face

#: Two taps on one key that come closer than this are a finger that shook, in ms.
BOUNCE_MS: Final = 150


def side_of(key: QPushButton) -> float:
    """The margin between a key's edge and its text."""
    return max(6.0, key.height() * 0.1)


class Key(QPushButton):
    """One key. ``chosen`` carries its code when it is tapped, or held long enough where ``hold_ms`` is set."""

    chosen = Signal(str)

    def __init__(
        self,
        parent: QWidget,
        code: str,
        *,
        role: str = "plain",
        px: int = 26,
        weight: int = 600,
        shortcut: str = "",
        sign: str = "",
        hold_ms: int = 0,
        max_lines: int = 2,
    ) -> None:
        super().__init__(parent)
        self.code = code
        self.role = role
        self.px = px
        self.weight = weight
        self.shortcut_hint = shortcut
        self.sign = sign
        self.hold_ms = hold_ms
        self.sub = ""
        #: whether a second tap that comes too fast is taken for a shaking finger
        self.bounces = role != "digit"
        self._pressed_ms: int | None = None
        self._max_lines = max_lines
        self._held = QElapsedTimer()
        self._holding = QTimer(self)
        self._holding.setInterval(33)
        self._holding.timeout.connect(self._on_hold_tick)
        self.setObjectName(f"key-{code}")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAutoDefault(False)
        self.clicked.connect(self._on_clicked)
        self.pressed.connect(self._on_pressed)
        self.released.connect(self._on_released)

    def say(self, text: str, sub: str = "", *, name: str = "") -> None:
        """Set what the key says, and its name for a screen reader."""
        if (text, sub) != (self.text(), self.sub):
            self.setText(text)
            self.sub = sub
            self.update()
        spoken = name or f"{text} {sub}".strip()
        if self.accessibleName() != spoken:
            self.setAccessibleName(spoken)
            self.setAccessibleDescription(self.shortcut_hint)

    def set_role(self, role: str) -> None:
        """Change the key's colours."""
        if role != self.role:
            self.role = role
            self.update()

    def set_shortcut(self, letter: str) -> None:
        """Change the key of the keyboard that presses this one."""
        if letter != self.shortcut_hint:
            self.shortcut_hint = letter
            self.setAccessibleDescription(letter)
            self.update()

    @property
    def progress(self) -> float:
        """How far a hold has come, 0 to 1."""
        if not self._holding.isActive():
            return 0.0
        return min(1.0, self._held.elapsed() / self.hold_ms)

    def text_fits(self) -> bool:
        """Whether everything the key says is inside it."""
        return all(fitted.fits for fitted, _ in self._layout())

    # -- holding -----------------------------------------------------------------------------------------------------------

    def _on_clicked(self) -> None:
        if not self.hold_ms:
            self.chosen.emit(self.code)

    def _on_pressed(self) -> None:
        if self.hold_ms:  # whether a key is held can change with what it says
            self._held.start()
            self._holding.start()

    def _on_released(self) -> None:
        if self._holding.isActive():
            self._holding.stop()
            self.update()

    def _on_hold_tick(self) -> None:
        self.update()
        if self._held.elapsed() >= self.hold_ms:
            self._holding.stop()
            self.setDown(False)
            self.chosen.emit(self.code)

    def press_by_key(self) -> None:
        """A key of the keyboard goes down: tap, or begin to hold."""
        if not self.isEnabled() or not self.isVisible():
            return
        if self.hold_ms:
            self.setDown(True)
            self.pressed.emit()
        elif not self.bounces:
            self.click()  # the same digit, or Enter, may come before an animation would be over
        else:
            self.animateClick()

    def release_by_key(self) -> None:
        """The key of the keyboard came up again."""
        if self.hold_ms and self._holding.isActive():
            self.setDown(False)
            self._on_released()

    def hideEvent(self, event: QHideEvent) -> None:
        """A key that goes away under the finger is not held any more."""
        self._holding.stop()
        super().hideEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A finger came down."""
        self._pressed_ms = event.timestamp()
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Two quick taps are two taps; not where the first one met the key that stood here before, nor where a finger shakes."""
        before = self._pressed_ms
        since = None if before is None else event.timestamp() - before
        if since is None or since > QGuiApplication.styleHints().mouseDoubleClickInterval():
            return
        if self.bounces and since < BOUNCE_MS:
            return
        self.mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space presses as Qt has it; Enter too."""
        if (
            event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and not event.isAutoRepeat()
            and not self.hold_ms
        ):
            self.animateClick()
            return
        super().keyPressEvent(event)

    # -- painting ----------------------------------------------------------------------------------------------------------

    def _layout(self) -> list[tuple[lettering.Fitted, QRectF]]:
        side = side_of(self)
        box = QRectF(self.rect()).adjusted(side, 3, -side, -3)
        if self.sign == "undo":
            box.setLeft(box.left() + self.px * 1.3)
        if self.sub:
            split = box.height() * 0.5
            upper = QRectF(box.left(), box.top() + box.height() * 0.05, box.width(), split)
            lower = QRectF(
                box.left(), upper.bottom() - box.height() * 0.03, box.width(), box.height() - split
            )
            px = round(self.px * 0.82)
            return [
                (lettering.fit(self.text(), upper.width(), upper.height(), px, weight=500), upper),
                (lettering.fit(self.sub, lower.width(), lower.height(), px, weight=700), lower),
            ]
        if not self.text():
            return []
        fitted = lettering.fit(
            self.text(), box.width(), box.height(), self.px, weight=self.weight, max_lines=self._max_lines
        )
        return [(fitted, box)]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground, hold progress, text, keyboard letter, focus."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        resting, pressed, text = theme.KEYS[self.role]
        enabled = self.isEnabled()
        ground = theme.KEY_OFF if not enabled else pressed if self.isDown() and not self.hold_ms else resting
        if not enabled:
            text = theme.OFF
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        radius = min(14.0, self.height() * 0.18)
        painter.setPen(QPen(QColor(theme.LINE if self.role == "outline" or not enabled else ground), 1.5))
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(box, radius, radius)
        if self.progress > 0:
            painter.save()
            painter.setClipRect(QRectF(0, 0, self.width() * self.progress, self.height()))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(pressed))
            painter.drawRoundedRect(box, radius, radius)
            painter.restore()
            bar = QRectF(box.left() + 8, box.bottom() - 8, (box.width() - 16) * self.progress, 4)
            painter.fillRect(bar, QColor(theme.TEXT))
        for fitted, place in self._layout():
            lettering.paint(painter, fitted, place, text)
        if self.sign == "delete":
            shapes.sign(painter, "delete", QPointF(self.rect().center()), self.px * 1.1, text)
        elif self.sign == "undo":
            self._paint_undo(painter, text)
        elif self.sign.startswith("suit-"):
            suit = self.sign[-1]
            ink = (
                theme.SUITS[suit] if enabled else theme.OFF
            )  # its own colour would drown in the dark of a key that is off
            shapes.draw(painter, suit, QPointF(self.rect().center()), self.height() * 0.6, ink)
        elif self.sign.startswith("face-"):
            draw_face(
                painter,
                QRectF(side_of(self) * 1.2, self.height() * 0.08, self.height() * 0.6, self.height() * 0.84),
                self.sign[5:],
            )
        if self.role == "card_chosen":
            painter.setPen(QPen(QColor(theme.GOLD), 5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(2, 2, -2, -2), radius, radius)
        if self.shortcut_hint and enabled and self._hint_has_room():
            painter.setFont(theme.font(max(11, round(self.px * 0.5)), 600))
            painter.setPen(theme.colour(theme.TEXT, 0.7))
            hint = box.adjusted(0, 4, -9, 0)
            painter.drawText(
                hint, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop), self.shortcut_hint
            )
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.GOLD), 3))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(1.5, 1.5, -1.5, -1.5), radius, radius)
        painter.end()

    def _hint_has_room(self) -> bool:
        """Whether the keyboard's letter fits in the corner beside the first line of the text."""
        layout = self._layout()
        if not layout:
            return True
        fitted, place = layout[0]
        metrics = QFontMetricsF(fitted.font)
        right = place.center().x() + metrics.horizontalAdvance(fitted.lines[0]) / 2
        top = place.center().y() - fitted.height / 2
        room = self.width() - right
        wanted = len(self.shortcut_hint) * max(11, self.px * 0.5) * 0.75 + 14
        return room >= wanted or top >= max(11, self.px * 0.5) * 1.3

    def _paint_undo(self, painter: QPainter, colour: str) -> None:
        layout = self._layout()
        width = 0.0
        if layout:
            painter.setFont(layout[0][0].font)
            metrics = painter.fontMetrics()
            width = max(metrics.horizontalAdvance(line) for line in layout[0][0].lines)
            centre = layout[0][1].center().x()
        else:
            centre = self.width() / 2
        spot = QPointF(centre - width / 2 - self.px * 0.75, self.height() / 2)
        shapes.sign(painter, "undo", spot, self.px * 0.85, colour)
