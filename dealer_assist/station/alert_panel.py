"""The alert panel: slides over the felt, never over the pad. Colour, shape and word; a sentence; steps that tick; the house's rule; why."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import QEasingCurve, QPoint, QPointF, QPropertyAnimation, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.commands import Answer, Respond, Rule
from dealer_assist.station import lettering, shapes, theme, wording
from dealer_assist.station.i18n import Translator
from dealer_assist.station.keys import Key
from dealer_assist.station.theme import Metrics

_LEFT = Qt.AlignmentFlag.AlignLeft
_TOP_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
RESPONSES: Final = ("fixing", "misread", "call_floor", "deal_on")
_SHORTCUTS: Final = {
    "fixing": "F1",
    "misread": "F2",
    "call_floor": "F3",
    "deal_on": "F4",
    "yes": "Y",
    "no": "N",
}
_MAX_TABS: Final = 4
#: Rulings that end the deal or the hand: their keys are held, like every key that cannot be lived with by mistake.
_HELD: Final = frozenset({"misdeal", "void", "correct_button", "chop"})
#: The panel's text shrinks in these steps until everything fits.
_SHRINKS: Final = (1.14, 1.07, 1.0, 0.95, 0.9, 0.86, 0.82, 0.78, 0.74, 0.7, 0.66, 0.62, 0.58)


class _Block(NamedTuple):
    """A piece of text in its place, with the number or tick of a step before it."""

    fitted: lettering.Fitted
    box: QRectF
    ink: str
    marker: str = ""
    state: str = ""


class AlertPanel(QWidget):
    """Shows one alert in full and the others as tabs above it. ``command`` carries answers and responses."""

    command = Signal(object)

    def __init__(self, parent: QWidget, metrics: Metrics, *, animated: bool) -> None:
        super().__init__(parent)
        self.setObjectName("alert-panel")
        self._animated = animated
        self._metrics = metrics
        self._tr: Translator | None = None
        self.alerts: tuple[Alert, ...] = ()
        self._selected = ""
        self._ready = True
        self._blocks: list[_Block] = []
        self._head: list[_Block] = []
        self.text_is_whole = True
        self.keys: dict[str, Key] = {}
        for code in ("yes", "no", *RESPONSES):
            role = {"yes": "go", "no": "chosen"}.get(code, "plain")
            size = 40 if code in ("yes", "no") else 26
            key = Key(
                self,
                code,
                role=role,
                px=metrics.px(size),
                weight=800 if size == 40 else 600,
                shortcut=_SHORTCUTS[code],
            )
            key.chosen.connect(self._on_key)
            self.keys[code] = key
        #: one key a ruling that the floor may choose, as many as there were ever needed
        self.options: list[Key] = []
        self.tabs: list[Key] = []
        for index in range(_MAX_TABS):
            tab = Key(self, f"tab-{index}", px=metrics.px(22), weight=600)
            tab.chosen.connect(self._on_tab)
            self.tabs.append(tab)
        self._slide = QPropertyAnimation(self, b"pos", self)
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._flash_left = 0
        self._flash = QTimer(self)
        self._flash.setInterval(500)  # one flash a second, three times: below 2 Hz
        self._flash.timeout.connect(self._on_flash)
        self.hide()

    # -- what is shown -----------------------------------------------------------------------------------------------------

    @property
    def alert(self) -> Alert | None:
        """The alert shown in full."""
        return next((alert for alert in self.alerts if alert.id == self._selected), None)

    def show_alerts(self, tr: Translator, alerts: tuple[Alert, ...], *, ready: bool) -> None:
        """Show these, the most urgent first. One that is new and more urgent than the one in front comes to the front."""
        known = {alert.id for alert in self.alerts}
        ids = [alert.id for alert in alerts]
        front = alerts[0] if alerts else None
        if front is not None and (
            self._selected not in ids or (front.id not in known and front.id != self._selected)
        ):
            self._selected = front.id
            if self._animated and front.priority == "high" and front.evidence == "proven":
                self._flash_left = 6
                self._flash.start()
        self._tr, self.alerts, self._ready = tr, alerts, ready
        if front is None:
            self._selected = ""
            self._flash.stop()
            return
        self._arrange()

    def set_metrics(self, metrics: Metrics) -> None:
        """Follow the window's size."""
        self._metrics = metrics
        for code, key in self.keys.items():
            key.px = metrics.px(40 if code in ("yes", "no") else 26)
        for key in self.options:
            key.px = metrics.px(26)
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
        return self.text_is_whole and all(block.fitted.fits for block in (*self._head, *self._blocks))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out anew."""
        super().resizeEvent(event)
        self._arrange()

    # -- layout ------------------------------------------------------------------------------------------------------------

    def _arrange(self) -> None:
        tr, alert, metrics = self._tr, self.alert, self._metrics
        if tr is None or alert is None or self.width() < 50:
            return
        margin, gap = metrics.margin + 2, metrics.gap
        box = QRectF(self.rect()).adjusted(margin, margin, -margin, -margin)
        top = self._place_tabs(tr, box, gap)
        bottom = self._place_keys(tr, alert, box, gap)
        room = QRectF(box.left(), top, box.width(), bottom - top)
        # Where it is crowded the reasons give way before the steps become hard to read.
        larger = [(scale, True) for scale in lettering.scales() if scale > 1]
        tries = [
            *larger,
            *((shrink, True) for shrink in _SHRINKS if shrink >= 0.82),
            *((shrink, False) for shrink in _SHRINKS if shrink <= 0.9),
        ]
        for shrink, whys in tries:
            head, blocks, used = self._flow(tr, alert, room, shrink, whys=whys)
            self.text_is_whole = used <= bottom
            if self.text_is_whole:
                break
        self._head, self._blocks = head, blocks
        self.setAccessibleName(f"{wording.alert_word(tr, alert)}: {wording.alert_title(tr, alert)}")
        self.setAccessibleDescription(" ".join(self._spoken(tr, alert)))
        self.update()

    @staticmethod
    def _spoken(tr: Translator, alert: Alert) -> list[str]:
        steps = [
            f"{index}. {wording.step_text(tr, step, alert)}: {tr(f'alert.step_{step.state}')}."
            for index, step in enumerate(alert.steps, 1)
        ]
        asked = wording.alert_question(tr, alert)
        return [wording.alert_sentence(tr, alert), wording.remedy_text(tr, alert), *steps, asked]

    def _place_tabs(self, tr: Translator, box: QRectF, gap: int) -> float:
        count = len(self.alerts)
        for tab in self.tabs:
            tab.setVisible(False)
        if count < 2:
            return box.top()
        shown = min(count, _MAX_TABS)
        width = (box.width() - (shown - 1) * gap) / shown
        for index in range(shown):
            tab, alert = self.tabs[index], self.alerts[index]
            last_of_more = index == _MAX_TABS - 1 and count > _MAX_TABS
            text = (
                tr("alert.more", count=count - _MAX_TABS + 1)
                if last_of_more
                else f"{alert.rule} {wording.alert_word(tr, alert)}"
            )
            tab.say(text, name=text if last_of_more else f"{alert.rule} {wording.alert_title(tr, alert)}")
            tab.px = self._metrics.px(22)
            chosen = alert.id == self._selected and not last_of_more
            tab.set_role("chosen" if chosen else "stop" if wording.alert_level(alert) == "high" else "amber")
            tab.setGeometry(
                round(box.left() + index * (width + gap)), round(box.top()), round(width), self._row_h()
            )
            tab.setVisible(True)
        return box.top() + self._row_h() + gap

    def _row_h(self) -> int:
        return max(56, self._metrics.px(72))

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
            key.setEnabled(self._ready)
        fixing = alert.state == "fixing"
        self.keys["fixing"].set_role("chosen" if fixing else "stop" if level == "high" else "amber")
        self.keys["fixing"].setEnabled(self._ready and not fixing)
        # To deal on over a STOP is to override the house: held, like a misdeal.
        self.keys["deal_on"].hold_ms = theme.HOLD_MS if alert.stop else 0
        self.keys["deal_on"].say(tr("alert.deal_on"), f"({tr('alert.hold')})" if alert.stop else "")
        asking = alert.question is not None
        for code in ("yes", "no"):
            self.keys[code].setVisible(asking)
            self.keys[code].setEnabled(self._ready)
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
            made = Key(self, f"option-{len(self.options)}", px=self._metrics.px(26), weight=600)
            made.chosen.connect(self._on_option)
            self.options.append(made)
        lines = -(-len(options) // 2)
        row_h = self._row_h()
        top = bottom - lines * (row_h + gap)
        width = (box.width() - gap) / 2
        for index, key in enumerate(self.options):
            key.setVisible(index < len(options))
            if index >= len(options):
                continue
            held = options[index] in _HELD
            key.hold_ms = theme.HOLD_MS if held else 0
            key.set_role("stop" if held else "chosen")
            text = tr.coded("remedy", options[index], wording.alert_params(alert))
            key.say(
                text, f"({tr('alert.hold')})" if held else "", name=f"{tr('alert.floor_decides')}: {text}"
            )
            key.setEnabled(self._ready)
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

    def _flow(
        self, tr: Translator, alert: Alert, room: QRectF, shrink: float, *, whys: bool
    ) -> tuple[list[_Block], list[_Block], float]:
        """Text from the top downwards, the question from the bottom upwards; the third value is where the text ends."""
        px = self._metrics.px
        level = wording.alert_level(alert)
        accent = theme.LEVELS[level][0]
        proven = alert.evidence == "proven"
        icon = px(70 * shrink)
        x = room.left() + icon + px(18)
        width = room.right() - x
        word = self._text(wording.alert_word(tr, alert), width, px(28 * shrink), 800)
        title = self._text(wording.alert_title(tr, alert), width, px(40 * shrink), 700)
        y = room.top()
        head = [
            _Block(word, QRectF(x, y, width, word.height), accent, marker="icon"),
            _Block(title, QRectF(x, y + word.height, width, title.height), theme.TEXT),
        ]
        y += max(word.height + title.height, icon) + px(14 * shrink)
        blocks: list[_Block] = []

        def add(
            text: str,
            size: float,
            weight: int,
            ink: str,
            *,
            after: float,
            indent: float = 0,
            marker: str = "",
            state: str = "",
        ) -> None:
            nonlocal y
            fitted = self._text(text, room.width() - indent, px(size * shrink), weight)
            height = max(fitted.height, px(34 * shrink) if marker else 0)
            blocks.append(
                _Block(
                    fitted, QRectF(room.left() + indent, y, room.width() - indent, height), ink, marker, state
                )
            )
            y += height + px(after * shrink)

        add(wording.alert_sentence(tr, alert), 28, 500, theme.TEXT, after=16)
        remedy = wording.remedy_text(tr, alert)
        if remedy:
            add(remedy, 28, 700, theme.GOLD, after=12)
        for number, step in enumerate(alert.steps, 1):
            current = step.state == "current"
            ink = theme.TEXT if current else theme.QUIET
            add(
                wording.step_text(tr, step, alert),
                27,
                700 if current else 500,
                ink,
                after=12,
                indent=px(52 * shrink),
                marker=str(number),
                state=step.state,
            )
        y += px(4)
        add(wording.rules_text(tr, alert), 20, 500, theme.QUIET, after=4)
        if whys and alert.why:
            add(
                f"{tr('alert.why')}: {'; '.join(wording.why_text(tr, why) for why in alert.why)}",
                20,
                500,
                theme.QUIET,
                after=4,
            )
        asked = wording.alert_question(tr, alert)
        if not asked and wording.waits_for_floor(alert):
            asked = tr("alert.floor_decides")
        if asked:
            text = self._text(asked, room.width(), px((36 if proven else 46) * shrink), 800)
            box = QRectF(room.left(), room.bottom() - text.height, room.width(), text.height)
            blocks.append(_Block(text, box, theme.GOLD))
            y += text.height + px(10)
        return head, blocks, y

    def _text(self, text: str, width: float, size: int, weight: int) -> lettering.Fitted:
        return lettering.fit(text, width, 10_000, size, weight=weight, max_lines=12, min_px=10, scaled=False)

    # -- taps --------------------------------------------------------------------------------------------------------------

    def _on_key(self, code: str) -> None:
        alert = self.alert
        if alert is None:
            return
        match code:
            case "yes":
                self.command.emit(Answer(alert.id, "yes"))
            case "no":
                self.command.emit(Answer(alert.id, "no"))
            case "fixing" | "misread" | "call_floor" | "deal_on":
                self.command.emit(Respond(alert.id, code))

    def _on_option(self, code: str) -> None:
        alert = self.alert
        index = int(code.removeprefix("option-"))
        if alert is not None and index < len(alert.options):
            self.command.emit(Rule(alert.id, alert.options[index]))

    def _on_tab(self, code: str) -> None:
        index = int(code.removeprefix("tab-"))
        ids = [alert.id for alert in self.alerts]
        if index == _MAX_TABS - 1 and len(ids) > _MAX_TABS:  # the last tab walks through the rest
            rest = ids[index:]
            index += (rest.index(self._selected) + 1) % len(rest) if self._selected in rest else 0
        self._selected = ids[index]
        self._arrange()

    def _on_flash(self) -> None:
        self._flash_left -= 1
        if self._flash_left <= 0:
            self._flash.stop()
        self.update()

    # -- painting ----------------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Frame and ground of the level, then the text with its markers."""
        alert = self.alert
        if alert is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        accent, ground, shape = theme.LEVELS[wording.alert_level(alert)]
        painter.setPen(QPen(QColor(accent), 7 if self._flash_left % 2 else 3))
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(3.5, 3.5, -3.5, -3.5), 16, 16)
        for block in self._head:
            if block.marker == "icon":
                room = block.box.left() - self._metrics.margin - 2 - self._metrics.px(18)
                mark = "!" if alert.evidence == "proven" else "?"
                centre = QPointF(self._metrics.margin + 2 + room / 2, block.box.top() + room / 2)
                shapes.draw(painter, shape, centre, room, accent, mark)
            lettering.paint(painter, block.fitted, block.box, block.ink, _TOP_LEFT)
        for block in self._blocks:
            if block.marker:
                self._paint_marker(painter, block)
                first = block.fitted.line_height
                lift = max(0.0, (self._marker_size(block) - first) / 2)
                lettering.paint(
                    painter, block.fitted, block.box.adjusted(0, lift, 0, 0), block.ink, _TOP_LEFT
                )
            else:
                lettering.paint(painter, block.fitted, block.box, block.ink, _TOP_LEFT)
        painter.end()

    @staticmethod
    def _marker_size(block: _Block) -> float:
        return block.fitted.font.pixelSize() * 1.42

    def _paint_marker(self, painter: QPainter, block: _Block) -> None:
        """Done: a green circle with a tick. Current: gold with its number. To do: an outline with its number."""
        size = self._marker_size(block)
        centre = QPointF(self._metrics.margin + 2 + size / 2, block.box.top() + size / 2)
        if block.state == "done":
            shapes.draw(painter, "circle", centre, size, theme.GOOD, "tick")
        elif block.state == "current":
            shapes.draw(painter, "circle", centre, size, theme.GOLD, block.marker)
        elif block.state == "skipped":
            shapes.draw(painter, "outline", centre, size, theme.OFF, "–", theme.QUIET)
        else:
            shapes.draw(painter, "outline", centre, size, theme.QUIET, block.marker, theme.TEXT)
