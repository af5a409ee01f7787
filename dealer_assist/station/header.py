"""Above the felt: which table, game and hand; the time; the languages, each by its own name; and whether devices are simulated."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QWidget

from dealer_assist.station import lettering, theme
from dealer_assist.station.i18n import LANGUAGES, Translator
from dealer_assist.station.keys import Key
from dealer_assist.station.theme import Metrics
from dealer_assist.station.viewmodel import ViewState
from dealer_assist.station.wording import game_name

_LEFT = Qt.AlignmentFlag.AlignLeft


class Header(QWidget):
    """The head line. ``language_chosen`` carries a language's code; ``table_wanted``: the table's own sheet."""

    language_chosen = Signal(str)
    table_wanted = Signal()

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent)
        self.setObjectName("header")
        self._metrics = metrics
        self._texts: tuple[tuple[str, int, str], ...] = ()
        self.clock = ""
        self._placed: list[tuple[lettering.Fitted, QRectF, str]] = []
        self.table_key = Key(self, "table", role="outline", px=metrics.px(24))
        self.table_key.chosen.connect(self._on_table)
        self.keys: dict[str, Key] = {}
        for code, name in LANGUAGES.items():
            key = Key(self, f"language-{code}", role="outline", px=metrics.px(21))
            key.say(name)
            key.chosen.connect(self._on_language)
            self.keys[code] = key

    def show_state(self, tr: Translator, state: ViewState) -> None:
        """Table, game, stakes, hand."""
        texts: list[tuple[str, int, str]] = []
        table, hand = state.table, state.hand
        if table is not None:
            texts.append((tr("ui.table", name=table.name), 700, theme.TEXT))
            stakes = f"{tr.number(table.small_blind)}/{tr.number(table.big_blind)}"
            if table.ante:
                stakes = f"{stakes}/{tr.number(table.ante)}"
            other = hand is not None and hand.game not in ("", table.game)
            game = game_name(tr, hand.game) if hand is not None and other else table.game.upper()
            texts.append((f"{game} {stakes}", 700 if other else 500, theme.GOLD if other else theme.QUIET))
        if hand is not None and hand.kill:
            texts.append((tr(f"ui.kill_{hand.kill}"), 700, theme.GOLD))
        if hand is not None and hand.hand:
            number = f"#{hand.hand}"
            if hand.attempt > 1:
                number = f"{number} · {tr('ui.attempt', count=hand.attempt)}"
            texts.append((number, 500, theme.QUIET))
        if table is not None and state.setup.what:
            # cards that are laid down are no hand's meanwhile: that goes before all else, on whatever page
            texts = [texts[0], (tr(f"page_set_up.going_{state.setup.what}"), 700, theme.MEDIUM)]
        elif table is not None and state.shift is not None and not state.shift.open:
            texts = [texts[0], (tr("page_shift.closed"), 700, theme.MEDIUM), texts[1]]
        self._texts = tuple(texts)
        self.table_key.say(tr("ui.the_table"))
        self.table_key.setEnabled(state.link == "ready")
        for code, key in self.keys.items():
            key.set_role("chosen" if code == tr.language else "outline")
        self.setAccessibleName(" ".join(text for text, _, _ in texts))
        self._arrange()

    def set_metrics(self, metrics: Metrics) -> None:
        """Follow the window's size."""
        self._metrics = metrics
        self._arrange()

    def set_clock(self, text: str) -> None:
        """The time of day as it is to be shown."""
        if text != self.clock:
            self.clock = text
            self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out anew."""
        super().resizeEvent(event)
        self._arrange()

    def text_fits(self) -> bool:
        """Whether every text is inside."""
        return all(fitted.fits for fitted, _, _ in self._placed)

    def _arrange(self) -> None:
        metrics = self._metrics
        height = self.height()
        right = float(self.width() - metrics.margin)
        for code in reversed(LANGUAGES):
            key = self.keys[code]
            key.px = metrics.px(21)
            width = metrics.px(136)
            right -= width
            key.setGeometry(round(right), 0, width, height)
            right -= metrics.gap / 2
        self.table_key.px = metrics.px(24)
        width = metrics.px(130)
        right -= width
        self.table_key.setGeometry(round(right), 0, width, height)
        right -= metrics.gap
        clock = lettering.fit(self.clock, 400, height, metrics.px(26), weight=600, scaled=False)
        clock_w = QFontMetricsF(clock.font).horizontalAdvance(self.clock) + 2
        right -= clock_w + metrics.gap
        self._placed = [(clock, QRectF(right, 0, clock_w, height), theme.QUIET)]
        room = right - metrics.margin - metrics.gap * 2
        between = metrics.px(30)
        rows: list[Sequence[tuple[str, int, str]]] = [self._texts]
        size = self._size_of(rows, room, between, height)
        if len(self._texts) > 1:
            # Where one row would be too small to read there are two: table and hand above, what is played below.
            middle = self._texts[1:-1] or self._texts[1:]
            two = [[text for text in self._texts if text not in middle], middle]
            larger = self._size_of(two, room, between, height / 2)
            if larger > size + 1:
                rows, size = two, larger
        tall = height / len(rows)
        for number, row in enumerate(rows):
            x = float(metrics.margin)
            for text, weight, ink in row:
                left = max(10.0, room + metrics.margin - x)
                shown = lettering.fit(
                    text, left, tall, metrics.px(size), weight=weight, scaled=False, min_px=9
                )
                wide = QFontMetricsF(shown.font).horizontalAdvance(text)
                self._placed.append((shown, QRectF(x, number * tall, wide + 2, tall), ink))
                x += wide + between
        self.update()

    def _size_of(
        self, rows: Sequence[Sequence[tuple[str, int, str]]], room: float, between: float, tall: float
    ) -> int:
        """The largest size, as drawn, at which every row goes into its room."""
        for size in range(round(28 * lettering.text_scale()), 9, -1):
            px = self._metrics.px(size)
            fitted = [
                [lettering.fit(text, 1e6, tall, px, weight=weight, scaled=False) for text, weight, _ in row]
                for row in rows
            ]
            widest = max(
                sum(QFontMetricsF(item.font).horizontalAdvance(item.lines[0]) for item in row)
                + between * (len(row) - 1)
                for row in fitted
            )
            if widest <= room and all(item.font.pixelSize() == px for row in fitted for item in row):
                return size
        return 9

    def _on_table(self, _code: str) -> None:
        self.table_wanted.emit()

    def _on_language(self, code: str) -> None:
        self.language_chosen.emit(code.removeprefix("language-"))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The texts."""
        painter = QPainter(self)
        for fitted, box, ink in self._placed:
            lettering.paint(painter, fitted, box, ink, _LEFT)
        painter.end()


class SimulatedBanner(QWidget):
    """Unmistakable: hazard stripes, and the words in capitals."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("simulated-banner")
        self.text = ""
        self.hide()

    def say(self, text: str) -> None:
        """What the banner says."""
        self.text = text
        self.setAccessibleName(text)
        self.update()

    def text_fits(self) -> bool:
        """Whether the words are inside."""
        return self._fitted().fits

    def _fitted(self) -> lettering.Fitted:
        return lettering.fit(
            self.text, self.width() * 0.8, self.height(), round(self.height() * 0.66), weight=800
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Black on amber between stripes."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(theme.MEDIUM))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.INK))
        height = self.height()
        x = -height
        while x < self.width():
            stripe = [
                QPointF(x, height),
                QPointF(x + height, 0),
                QPointF(x + height * 1.5, 0),
                QPointF(x + height * 0.5, height),
            ]
            painter.drawPolygon(QPolygonF(stripe))
            x += height
        fitted = self._fitted()
        width = QFontMetricsF(fitted.font).horizontalAdvance(self.text) + height * 1.2
        middle = QRectF((self.width() - width) / 2, 0, width, height)
        painter.fillRect(middle, QColor(theme.MEDIUM))
        lettering.paint(painter, fitted, middle, theme.INK)
        painter.end()
