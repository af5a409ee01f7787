"""At the showdown the keypad gives way to the seats that show or muck, and then to the pots and who gets them."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import Mucked, Tabled
from dealer_assist.domain.facts import Push
from dealer_assist.station import lettering, shapes, theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.keys import Key
from dealer_assist.station.theme import Metrics
from dealer_assist.station.viewmodel import ViewState
from dealer_assist.station.wording import push_text

_LEFT = Qt.AlignmentFlag.AlignLeft
_CENTRE = Qt.AlignmentFlag.AlignCenter


def seat_letter(seat: int) -> str:
    """The key of the keyboard that stands for a seat: its number, 0 and - for the tenth and eleventh."""
    return {10: "0", 11: "-"}.get(seat, str(seat))


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
        self.takers: list[int] = []
        self.done: list[tuple[QRectF, str, str]] = []
        self._unread: dict[int, bool] = {}
        self._metrics: Metrics | None = None

    def arrange(self, metrics: Metrics) -> None:
        """Follow the pad's size."""
        self._metrics = metrics

    def show_state(self, tr: Translator, state: ViewState, *, ready: bool) -> None:
        """Show the seats of the showdown until the awards are known, then these."""
        metrics = self._metrics
        assert metrics is not None
        now = state.now
        pushes = now.pushes if now is not None and now.code == "push" else ()
        seats = () if pushes else state.showdown_seats
        self._keep_rows(seats, metrics)
        columns = 2 if len(seats) > 5 else 1
        lines = -(-len(seats) // columns) or 1
        gap = metrics.gap
        width = (self.width() - (columns - 1) * 2 * gap) / columns
        row_h = min(metrics.key_h, int(self.height() / lines) - gap)
        self.labels, self.done = [], []
        for index, seat in enumerate(seats):
            left = (index // lines) * (width + 2 * gap)
            top = (index % lines) * (row_h + gap)
            label_w = width * (0.3 if columns == 1 else 0.16)
            text = tr("ui.seat", seat=seat) if columns == 1 else str(seat)
            self.labels.append((QRectF(left, top, label_w - gap, row_h), text))
            self._place_row(tr, state, seat, QRectF(left + label_w, top, width - label_w, row_h), ready=ready)
        self._place_pushes(tr, state, pushes, metrics)
        self.update()

    def _keep_rows(self, seats: tuple[int, ...], metrics: Metrics) -> None:
        for seat in [seat for seat in self.rows if seat not in seats]:
            for key in self.rows.pop(seat):
                key.hide()
                key.deleteLater()
        for seat in seats:
            if seat not in self.rows:
                pair = (
                    Key(self, f"tabled-{seat}", role="go", px=metrics.px(28)),
                    Key(self, f"mucked-{seat}", px=metrics.px(28)),
                )
                pair[0].set_shortcut(seat_letter(seat))
                pair[1].set_shortcut(f"⇧{seat_letter(seat)}")
                pair[0].chosen.connect(partial(self._on_tabled, seat))
                pair[1].chosen.connect(partial(self._on_mucked, seat))
                self.rows[seat] = pair

    def _place_row(self, tr: Translator, state: ViewState, seat: int, box: QRectF, *, ready: bool) -> None:
        """Two keys until the seat has decided; then what it did, and a key to enter faces that no reader saw."""
        tabled, mucked = self.rows[seat]
        metrics = self._metrics
        assert metrics is not None
        half = (box.width() - metrics.gap) / 2
        left = QRectF(box.left(), box.top(), half, box.height())
        right = QRectF(box.left() + half + metrics.gap, box.top(), half, box.height())
        tabled.px = mucked.px = metrics.px(28)
        fact = state.seat(seat)
        hand = fact.hand if fact is not None else "none"
        decided = hand in ("tabled", "mucked")
        unread = fact is not None and hand == "tabled" and len(fact.tabled) < fact.due
        spoken = tr("ui.seat", seat=seat)
        if decided:
            self.done.append((left, tr(f"pad.{hand}_done"), hand))
            tabled.setGeometry(right.toRect())
            tabled.say(tr("pad.enter_cards"), name=f"{spoken}: {tr('sheet.enter_card')}")
        else:
            tabled.setGeometry(left.toRect())
            tabled.say(tr("pad.tabled"), name=f"{spoken}: {tr('pad.tabled')}")
        mucked.setGeometry(right.toRect())
        mucked.say(tr("pad.mucked"), name=f"{spoken}: {tr('pad.mucked')}")
        tabled.set_role("amber" if decided else "go")
        tabled.setVisible(unread or not decided)
        mucked.setVisible(not decided)
        waits = seat in state.pad.showdown
        tabled.setEnabled(ready and (unread or waits))
        # a hand that is all-in is not given up before the board is out: that would be a fold, at the muck
        mucked.setEnabled(ready and waits and state.phase not in ("betting", "runout"))
        self._unread[seat] = unread

    def _place_pushes(
        self, tr: Translator, state: ViewState, pushes: tuple[Push, ...], metrics: Metrics
    ) -> None:
        self.pushes, self.takers = [], [push.seat for push in pushes]
        if not pushes:
            return
        count = max(len(state.pot.pots), max(push.pot for push in pushes) + 1)
        height = min(metrics.px(124), self.height() / len(pushes))
        for index, push in enumerate(pushes):
            box = QRectF(0, index * height, self.width(), height)
            self.pushes.append((box, *push_text(tr, push, count)))

    def _on_tabled(self, seat: int, _code: str) -> None:
        if self._unread[seat]:
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
        for box, text, _ in self.done:
            room = box.adjusted(metrics.px(34), 0, 0, 0)
            placed.append(
                (
                    lettering.fit(text, room.width(), room.height(), metrics.px(28), weight=600),
                    room,
                    theme.QUIET,
                )
            )
        for (box, line, hand), seat in zip(self.pushes, self.takers, strict=True):
            plate = self._plate(box)
            number = lettering.fit(
                str(seat), plate.width(), plate.height(), round(plate.height() * 0.66), weight=800
            )
            placed.append((number, plate, theme.INK))
            left = plate.right() + 12
            upper = QRectF(left, box.top() + 3, box.right() - left - 8, box.height() * 0.52 - 3)
            lower = QRectF(left, upper.bottom(), upper.width(), box.height() * 0.42)
            placed.append(
                (
                    lettering.fit(line, upper.width(), upper.height(), metrics.px(30), weight=700),
                    upper,
                    theme.GOLD,
                )
            )
            placed.append(
                (lettering.fit(hand, lower.width(), lower.height(), metrics.px(27)), lower, theme.TEXT)
            )
        return placed

    def _plate(self, box: QRectF) -> QRectF:
        """Where the winner's seat stands in an award's box."""
        tall = min(box.height() - 16, self.height() * 0.2)
        return QRectF(box.left() + 8, box.center().y() - tall / 2 - 2, max(tall * 0.82, 34), tall)

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
            painter.setBrush(QColor(theme.WELL))
            painter.drawRoundedRect(box.adjusted(0, 0, 0, -4), 10, 10)
            painter.setBrush(QColor(theme.GOLD))
            painter.drawRoundedRect(self._plate(box), 8, 8)
        for box, _, hand in self.done:
            size = box.height() * 0.34
            centre = QPointF(box.left() + size / 2, box.center().y())
            shapes.draw(
                painter,
                "circle" if hand == "tabled" else "outline",
                centre,
                size,
                theme.GOOD if hand == "tabled" else theme.QUIET,
                "tick",
                theme.INK if hand == "tabled" else theme.QUIET,
            )
        for fitted, box, ink in self._layout():
            lettering.paint(painter, fitted, box, ink, _CENTRE if ink == theme.INK else _LEFT)
        painter.end()
