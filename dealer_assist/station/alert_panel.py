"""The alert panel: slides over the felt, never over the pad. One alert in full, how many wait behind it, and the keys that answer."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QEasingCurve, QElapsedTimer, QPoint, QPropertyAnimation, QRectF, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.commands import Answer, Respond, Rule
from dealer_assist.station import alert_paint, alert_words, pad, theme, wording
from dealer_assist.station.alert_queue import QueueKey
from dealer_assist.station.alert_text import Laid, lay_out
from dealer_assist.station.i18n import Translator
from dealer_assist.station.keys import Key
from dealer_assist.station.signals import Attention, signal_of
from dealer_assist.station.theme import Metrics

RESPONSES: Final = ("fixing", "misread", "call_floor", "deal_on")
_SHORTCUTS: Final = {
    "fixing": "F1",
    "misread": "F2",
    "call_floor": "F3",
    "deal_on": "F4",
    "why": "F5",
    "yes": "Y",
    "no": "N",
}
#: keys of the keyboard for the rulings that the floor may choose from: no house leaves more than three open
_OPTION_KEYS: Final = ("F9", "F10", "F11")
_SIZES: Final = {"yes": 40, "no": 40, "why": 24}
_PLAIN_SIZE: Final = 26
#: Rulings that end the deal or the hand: their keys are held, like every key that cannot be lived with by mistake.
HELD: Final = frozenset({"misdeal", "void", "correct_button", "chop"})


class AlertPanel(QWidget):
    """Shows one alert in full; a key above it says how many there are and brings up the next. ``command`` carries answers and responses.

    ``stale``: another alert, or another question of it, had come to the front while the finger was down: nothing was answered.
    To say *Fixing it* quiets an alert and does not clear it: it stays until it is put right.
    """

    command = Signal(object)
    stale = Signal()

    def __init__(
        self, parent: QWidget, metrics: Metrics, *, animated: bool, attention: Attention | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("alert-panel")
        self._animated = animated
        self._metrics = metrics
        self._attention = attention or Attention()
        self._tr: Translator | None = None
        self.alerts: tuple[Alert, ...] = ()
        self._selected = ""
        self._why = False
        self._ready = True
        self._over = False
        self._laid = Laid((), whole=True, told=False)
        self.keys: dict[str, Key] = {}
        for code in ("yes", "no", "why", *RESPONSES):
            size = _SIZES.get(code, _PLAIN_SIZE)
            key = Key(
                self,
                code,
                role={"yes": "go", "no": "chosen", "why": "outline"}.get(code, "plain"),
                px=metrics.px(size),
                weight=800 if size == 40 else 600,
                shortcut=_SHORTCUTS[code],
            )
            key.chosen.connect(self._on_key)
            key.pressed.connect(partial(self._on_pressed, code))
            self.keys[code] = key
        self.queue = QueueKey(self, px=metrics.px(24))
        self.queue.chosen.connect(self._on_next)
        self.keys["next"] = self.queue
        #: key → the alert in front, and what it asked, when the finger came down on it
        self._meant: dict[str, tuple[str, ...]] = {}
        #: the same before the table brought another one up, and how long ago that was
        self._before: tuple[str, ...] = ()
        self._changed = QElapsedTimer()
        #: one key a ruling that the floor may choose, as many as there were ever needed
        self.options: list[Key] = []
        self._slide = QPropertyAnimation(self, b"pos", self)
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self.bright = False
        self._flash = QTimer(self)
        self._flash.timeout.connect(self._on_flash)
        self.hide()

    # -- what is shown -----------------------------------------------------------------------------------------------------

    @property
    def alert(self) -> Alert | None:
        """The alert shown in full."""
        return next((alert for alert in self.alerts if alert.id == self._selected), None)

    @property
    def flash_ms(self) -> int:
        """Half the time of one flash, 0 while nothing flashes."""
        return self._flash.interval() if self._flash.isActive() else 0

    def show_alerts(
        self, tr: Translator, alerts: tuple[Alert, ...], *, ready: bool, over: bool = False
    ) -> None:
        """Show these, the most urgent first. One that is new and more urgent than the one in front comes to the front.

        ``over``: their hand has ended; the floor can still be called to one.
        """
        before = self._asked()
        known = {alert.id for alert in self.alerts}
        ids = [alert.id for alert in alerts]
        front = alerts[0] if alerts else None
        if front is not None and (
            self._selected not in ids or (front.id not in known and front.id != self._selected)
        ):
            self._bring_up(front.id)
        self._tr, self.alerts, self._ready, self._over = tr, alerts, ready, over
        if front is None:
            self._bring_up("")
        if self._asked() != before:
            self._before = before
            self._changed.start()
        self._set_flash()
        self._arrange()

    def option_for(self, shortcut: str) -> Key | None:
        """The ruling that a key of the keyboard stands for."""
        return next((key for key in self.options if key.shortcut_hint == shortcut), None)

    def set_metrics(self, metrics: Metrics) -> None:
        """Follow the window's size."""
        self._metrics = metrics
        for code, key in self.keys.items():
            key.px = metrics.px(24 if code == "next" else _SIZES.get(code, _PLAIN_SIZE))
        for key in self.options:
            key.px = metrics.px(_PLAIN_SIZE)
        self._arrange()

    def slide_in(self, place: QPoint) -> None:
        """Come in from the near side."""
        self.show()
        self.raise_()
        if not self._animated:
            self.move(place)
            return
        self._slide.stop()
        self._slide.setDuration(theme.SLIDE_MS)
        self._slide.setStartValue(QPoint(place.x() - self.width() // 4, place.y()))
        self._slide.setEndValue(place)
        self._slide.start()

    def text_fits(self) -> bool:
        """Whether every word is inside the panel."""
        return self._laid.whole and all(block.fitted.fits for block in self._laid.blocks)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out anew."""
        super().resizeEvent(event)
        self._arrange()

    def _bring_up(self, name: str) -> None:
        self._selected, self._why = name, False

    # -- layout ------------------------------------------------------------------------------------------------------------

    def _arrange(self) -> None:
        tr, alert, metrics = self._tr, self.alert, self._metrics
        if tr is None or alert is None or self.width() < 50:
            return
        margin, gap = metrics.margin + 2, metrics.gap
        box = QRectF(self.rect()).adjusted(margin, margin, -margin, -margin)
        top = self._place_queue(tr, alert, box, gap)
        bottom = self._place_keys(tr, alert, box, gap)
        room = QRectF(box.left(), top, box.width(), bottom - top)
        aside = self._place_why(tr, alert, room)
        self._laid = lay_out(tr, alert, room, metrics, aside=aside, why=self._why)
        if self._laid.told and not self._why:
            self.keys["why"].hide()  # it is said already
            self._laid = lay_out(tr, alert, room, metrics, aside=0, why=False)
        self.setAccessibleName(f"{wording.alert_word(tr, alert)}: {wording.alert_title(tr, alert)}")
        self.setAccessibleDescription(" ".join(alert_words.spoken(tr, alert)))
        self.update()

    def _row_h(self) -> int:
        return max(56, self._metrics.px(72))

    def _place_queue(self, tr: Translator, alert: Alert, box: QRectF, gap: int) -> float:
        self.queue.setVisible(len(self.alerts) > 1)
        if len(self.alerts) < 2:
            return box.top()
        self.queue.setGeometry(round(box.left()), round(box.top()), round(box.width()), self._row_h())
        self.queue.show_queue(tr, self.alerts, alert)
        return box.top() + self._row_h() + gap

    def _place_why(self, tr: Translator, alert: Alert, room: QRectF) -> float:
        """The key for the reasons, beside the title; the width that it takes from it."""
        key = self.keys["why"]
        key.setVisible(bool(alert.why or alert.explanations))
        if not key.isVisibleTo(self):
            return 0.0
        text = tr("alert.steps" if self._why and alert.steps else "alert.back" if self._why else "alert.why")
        key.say(text, name=text)
        key.set_role("chosen" if self._why else "outline")
        width = max(72, self._metrics.px(128))
        key.setGeometry(round(room.right()) - width, round(room.top()), width, self._row_h())
        return float(width + self._metrics.gap)

    def _place_keys(self, tr: Translator, alert: Alert, box: QRectF, gap: int) -> float:
        """Place the keys from the bottom upwards; return where the text must end."""
        row_h = self._row_h()
        proven = alert.evidence == "proven"
        waiting = wording.waits_for_floor(alert)
        taken = proven and not waiting
        shown = list(RESPONSES) if taken else list(RESPONSES[1:])
        columns = 2 if taken else 3
        rows = [shown[i : i + columns] for i in range(0, len(shown), columns)]
        top = box.bottom() - len(rows) * row_h - (len(rows) - 1) * gap
        for index, row in enumerate(rows):
            self._place_row(row, top + index * (row_h + gap), box, gap, row_h)
        level = wording.alert_level(alert)
        for code in RESPONSES:
            key = self.keys[code]
            key.setVisible(code in shown)
            key.say(tr(f"alert.{code}"))
            key.setEnabled(self._ready and (code == "call_floor" or not self._over))
        fixing = alert.state == "fixing"
        self.keys["fixing"].set_role("chosen" if fixing else "stop" if level == "high" else "amber")
        self.keys["fixing"].setEnabled(self._ready and not fixing and not self._over)
        # To deal on over a STOP is to override the house: held, like a misdeal.
        self.keys["deal_on"].hold_ms = theme.HOLD_MS if alert.stop else 0
        self.keys["deal_on"].say(tr("alert.deal_on"), f"({tr('alert.hold')})" if alert.stop else "")
        asking = alert.question is not None
        for code in ("yes", "no"):
            self.keys[code].setVisible(asking)
            self.keys[code].setEnabled(self._ready and not self._over)
            self.keys[code].say(
                tr(f"alert.{code}"), name=f"{wording.alert_question(tr, alert)} {tr(f'alert.{code}')}"
            )
        if asking:
            big = row_h if proven else round(row_h * 1.35)
            top -= big + gap
            self._place_row(["yes", "no"], top, box, gap, big)
        return self._place_options(tr, alert, top, box, gap) - gap

    def _place_options(self, tr: Translator, alert: Alert, bottom: float, box: QRectF, gap: int) -> float:
        """One key a ruling while the floor has to choose, two in a row, above the keys that are there already."""
        options = alert.options if wording.waits_for_floor(alert) else ()
        while len(self.options) < len(options):
            number = len(self.options)
            shortcut = _OPTION_KEYS[number] if number < len(_OPTION_KEYS) else ""
            made = Key(
                self, f"option-{number}", px=self._metrics.px(_PLAIN_SIZE), weight=600, shortcut=shortcut
            )
            made.chosen.connect(self._on_option)
            made.pressed.connect(partial(self._on_pressed, made.code))
            self.options.append(made)
        lines = -(-len(options) // 2)
        row_h = self._row_h()
        top = bottom - lines * (row_h + gap)
        width = (box.width() - gap) / 2
        for index, key in enumerate(self.options):
            key.setVisible(index < len(options))
            if index >= len(options):
                continue
            held = options[index] in HELD
            key.hold_ms = theme.HOLD_MS if held else 0
            key.set_role("stop" if held else "chosen")
            text = tr.coded("remedy", options[index], wording.alert_params(alert))
            key.say(
                text, f"({tr('alert.hold')})" if held else "", name=f"{tr('alert.floor_decides')}: {text}"
            )
            key.setEnabled(self._ready and not self._over)
            left = box.left() + (index % 2) * (width + gap)
            alone = index == len(options) - 1 and index % 2 == 0
            right = box.right() if alone else left + width
            y = top + index // 2 * (row_h + gap)
            key.setGeometry(round(left), round(y), round(right) - round(left), row_h)
        return top

    def _place_row(self, codes: list[str], top: float, box: QRectF, gap: int, height: int) -> None:
        width = (box.width() - (len(codes) - 1) * gap) / len(codes)
        for index, code in enumerate(codes):
            left = box.left() + index * (width + gap)
            self.keys[code].setGeometry(round(left), round(top), round(left + width) - round(left), height)

    # -- taps --------------------------------------------------------------------------------------------------------------

    def _asked(self) -> tuple[str, ...]:
        """What a key answers at this moment."""
        alert = self.alert
        return () if alert is None else (alert.id, alert.evidence, alert.question or "", *alert.options)

    def _on_pressed(self, code: str) -> None:
        """A finger that comes down sooner than people see was on its way to what was there before."""
        late = self._changed.isValid() and self._changed.elapsed() < pad.REACTION_MS
        self._meant[code] = self._before if late else self._asked()

    def _overtaken(self, code: str) -> bool:
        """Whether another alert is in front than when the finger came down: then nothing is answered, and it is said."""
        overtaken = self._meant.pop(code, self._asked()) != self._asked()
        if overtaken:
            self.stale.emit()
        return overtaken

    def _on_key(self, code: str) -> None:
        alert = self.alert
        if alert is None or (code != "why" and self._overtaken(code)):
            return
        match code:
            case "yes":
                self.command.emit(Answer(alert.id, "yes"))
            case "no":
                self.command.emit(Answer(alert.id, "no"))
            case "why":
                self._why = not self._why
                self._arrange()
            case "fixing" | "misread" | "call_floor" | "deal_on":
                self.command.emit(Respond(alert.id, code))

    def _on_option(self, code: str) -> None:
        alert = self.alert
        index = int(code.removeprefix("option-"))
        if alert is not None and index < len(alert.options) and not self._overtaken(code):
            self.command.emit(Rule(alert.id, alert.options[index]))

    def _on_next(self, _code: str) -> None:
        """Bring up the next one of the queue; behind the last comes the first."""
        ids = [alert.id for alert in self.alerts]
        if self._selected in ids:
            self._bring_up(ids[(ids.index(self._selected) + 1) % len(ids)])
            self._set_flash()
            self._arrange()

    # -- flashing ----------------------------------------------------------------------------------------------------------

    def follow_attention(self) -> None:
        """Something was taken in hand, or asks again."""
        self._set_flash()
        self.update()

    def _set_flash(self) -> None:
        """At the rate of the alert in front, until it is taken in hand."""
        alert = self.alert
        wanted = self._animated and alert is not None and self._attention.wanted(alert)
        half_ms = signal_of(alert).half_ms if alert is not None and wanted else 0
        if not half_ms:
            self._flash.stop()
            self.bright = False
        elif half_ms != self.flash_ms:
            self.bright = True
            self._flash.start(half_ms)

    def _on_flash(self) -> None:
        self.bright = not self.bright
        self.update()

    # -- painting ----------------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Frame and ground of the level, then the text with its markers."""
        alert = self.alert
        if alert is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        alert_paint.frame(painter, QRectF(self.rect()), wording.alert_level(alert), bright=self.bright)
        left = self._metrics.margin + 2
        alert_paint.blocks(painter, self._laid.blocks, alert, left, self._metrics)
        painter.end()
