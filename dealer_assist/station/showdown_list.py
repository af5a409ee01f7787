"""At the showdown the keypad gives way to the seats that show or muck, and then to the pots and who gets them."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import Mucked, Tabled
from dealer_assist.station import lettering, theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.keys import Key
from dealer_assist.station.theme import Metrics
from dealer_assist.station.viewmodel import ViewState
from dealer_assist.station.wording import push_text

_LEFT = Qt.AlignmentFlag.AlignLeft


class ShowdownList(QWidget):
    """Rows of a seat with Tabled and Mucked, in one or two columns; below them the awards, once they are known."""

    command = Signal(object)
    cards_wanted = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("showdown-list")
        self.rows: dict[int, tuple[Key, Key]] = {}
        self.labels: list[tuple[QRectF, str]] = []
        self.pushes: list[tuple[QRectF, str, str]] = []
        self._metrics: Metrics | None = None

    def arrange(self, metrics: Metrics) -> None:
        """Follow the pad's size."""
        self._metrics = metrics

    def show_state(self, tr: Translator, state: ViewState, *, ready: bool) -> None:
        """Show the seats of the showdown, and the pushes."""
        metrics = self._metrics
        assert metrics is not None
        seats = state.showdown_seats
        now = state.now
        pushes = now.pushes if now is not None and now.code == "push" else ()
        self._keep_rows(seats, metrics)
        columns = 2 if len(seats) > 5 - min(len(pushes), 3) or len(seats) > 4 else 1
        lines = -(-len(seats) // columns)
        gap = metrics.gap
        width = (self.width() - (columns - 1) * 2 * gap) / columns
        row_h = metrics.key_h
        if lines * (row_h + gap) > self.height():
            row_h = int(self.height() / lines) - gap
        self.labels = []
        for index, seat in enumerate(seats):
            left = (index // lines) * (width + 2 * gap)
            top = (index % lines) * (row_h + gap)
            label_w = width * (0.3 if columns == 1 else 0.16)
            text = tr("ui.seat", seat=seat) if columns == 1 else str(seat)
            self.labels.append((QRectF(left, top, label_w - gap, row_h), text))
            self._place_row(tr, state, seat, QRectF(left + label_w, top, width - label_w, row_h), ready=ready)
        self._place_pushes(tr, state, lines * (row_h + gap), metrics)
        self.update()

    def _keep_rows(self, seats: tuple[int, ...], metrics: Metrics) -> None:
        for seat in [seat for seat in self.rows if seat not in seats]:
            for key in self.rows.pop(seat):
                key.hide()
                key.deleteLater()
        for seat in seats:
            if seat not in self.rows:
                pair = (
                    Key(self, f"tabled-{seat}", role="go", px=metrics.px(26)),
                    Key(self, f"mucked-{seat}", px=metrics.px(26)),
                )
                pair[0].chosen.connect(partial(self._on_tabled, seat))
                pair[1].chosen.connect(partial(self._on_mucked, seat))
                self.rows[seat] = pair
                for key in pair:
                    key.show()

    def _place_row(self, tr: Translator, state: ViewState, seat: int, box: QRectF, *, ready: bool) -> None:
        tabled, mucked = self.rows[seat]
        metrics = self._metrics
        assert metrics is not None
        half = (box.width() - metrics.gap) / 2
        tabled.setGeometry(round(box.left()), round(box.top()), round(half), round(box.height()))
        mucked.setGeometry(
            round(box.left() + half + metrics.gap), round(box.top()), round(half), round(box.height())
        )
        fact = state.seat(seat)
        hand = fact.hand if fact is not None else "none"
        unread = fact is not None and hand == "tabled" and len(fact.tabled) < fact.due
        tabled.px = mucked.px = metrics.px(26)
        spoken = tr("ui.seat", seat=seat)
        if unread:
            tabled.say(tr("pad.enter_cards"), name=f"{spoken}: {tr('sheet.enter_card')}")
        else:
            text = tr("pad.tabled_done" if hand == "tabled" else "pad.tabled")
            tabled.say(text, name=f"{spoken}: {text}")
        tabled.set_role("amber" if unread else "go")
        tabled.setEnabled(ready and (unread or (hand != "tabled" and seat in state.pad.showdown)))
        text = tr("pad.mucked_done" if hand == "mucked" else "pad.mucked")
        mucked.say(text, name=f"{spoken}: {text}")
        mucked.setEnabled(ready and hand not in ("tabled", "mucked") and seat in state.pad.showdown)
        self._unread = {**getattr(self, "_unread", {}), seat: unread}

    def _place_pushes(self, tr: Translator, state: ViewState, top: float, metrics: Metrics) -> None:
        now = state.now
        pushes = now.pushes if now is not None and now.code == "push" else ()
        self.pushes = []
        if not pushes:
            return
        count = max(len(state.pot.pots), max(push.pot for push in pushes) + 1)
        height = min(metrics.px(84), (self.height() - top) / len(pushes))
        for index, push in enumerate(pushes):
            box = QRectF(0, top + index * height, self.width(), height)
            self.pushes.append((box, *push_text(tr, push, count)))

    def _on_tabled(self, seat: int, _code: str) -> None:
        if self._unread.get(seat):
            self.cards_wanted.emit(seat)
        else:
            self.command.emit(Tabled(seat))

    def _on_mucked(self, seat: int, _code: str) -> None:
        self.command.emit(Mucked(seat))

    def _layout(self) -> list[tuple[lettering.Fitted, QRectF, str]]:
        metrics = self._metrics
        assert metrics is not None
        placed = [
            (lettering.fit(text, box.width(), box.height(), metrics.px(28), weight=600), box, theme.TEXT)
            for box, text in self.labels
        ]
        for box, line, hand in self.pushes:
            upper = QRectF(box.left() + 10, box.top() + 3, box.width() - 20, box.height() * 0.52 - 3)
            lower = QRectF(box.left() + 10, upper.bottom(), box.width() - 20, box.height() * 0.42)
            placed.append(
                (
                    lettering.fit(line, upper.width(), upper.height(), metrics.px(30), weight=700),
                    upper,
                    theme.GOLD,
                )
            )
            placed.append(
                (lettering.fit(hand, lower.width(), lower.height(), metrics.px(24)), lower, theme.TEXT)
            )
        return placed

    def text_fits(self) -> bool:
        """Whether every label is inside its box."""
        return all(fitted.fits for fitted, _, _ in self._layout())

    def paintEvent(self, event: QPaintEvent) -> None:
        """The labels; the awards on dark wells."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.WELL))
        for box, _, _ in self.pushes:
            painter.drawRoundedRect(box.adjusted(0, 0, 0, -4), 10, 10)
        for fitted, box, ink in self._layout():
            lettering.paint(painter, fitted, box, ink, _LEFT)
        painter.end()
