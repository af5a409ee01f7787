"""The page of past hands: the list, and one of them step by step, drawn by the scene of live play. Public facts only."""

from __future__ import annotations

import datetime as dt
from typing import Final

import msgspec
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import Command
from dealer_assist.domain.history import AskHands, AskReplay, HandLine, HandsPage, HistoryCommand, ReplayPage
from dealer_assist.domain.link import Result
from dealer_assist.station import shapes, theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.pages.page import CENTRE, RIGHT, Page
from dealer_assist.station.pages.replay import StepSlider, Tape, happened, since_begin
from dealer_assist.station.pages.rows import Cell, RowKey
from dealer_assist.station.scene.view import TableView
from dealer_assist.station.theme import Metrics
from dealer_assist.station.viewmodel import ViewState
from dealer_assist.station.wording import alert_level, alert_title, alert_word, game_name, now_line, refusal

_ROWS: Final = 6
#: Letters that the pad's keys do not have: it goes on working beside this page.
_LETTERS: Final = "QWESGJ"
_MOST_ALERTS: Final = 2
#: phases in which no hand is played
_OVER: Final = ("closed", "misdeal", "void", "chopped")
_WORST: Final = {"high": 0, "medium": 1, "low": 2}


class PastHandsPage(Page):
    """Opened from the table's menu, also while a hand runs: the floor asks what was out and whose turn it was."""

    name = "history"
    stays_in_hand = True

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, metrics)
        self.hands: tuple[HandLine, ...] = ()
        self.tape: Tape | None = None
        self.at = 0
        self._pages: list[int] = [0]
        self._next = 0
        self._asked: HistoryCommand | None = None
        self._read = False
        self._follow = ""
        self._trouble = ""
        self._shapes: list[tuple[str, QPointF, float, str]] = []
        for number in range(_ROWS):
            key = RowKey(self, f"hand-{number}", px=metrics.text_px(26), shortcut=_LETTERS[number])
            key.chosen.connect(self._on_key)
            key.hide()
            self.keys[key.code], self._sizes[key.code] = key, 26
        self.add_key("newer", size=28, shortcut="K")
        self.add_key("older", size=28, shortcut="V")
        for code, letter in zip(("first", "back", "next", "last"), "QWES", strict=True):
            self.add_key(code, size=26, shortcut=letter)
        self.add_key("alert", size=26, shortcut="G")
        self.add_key("to_list", size=26, shortcut="J")
        self.scene = TableView(self)
        self.scene.setObjectName("replay-view")
        self.scene.hide()
        self.slider = StepSlider(self)
        self.slider.valueChanged.connect(self.go_to)

    # -- what is asked -----------------------------------------------------------------------------------------------------

    def opened(self) -> None:
        """Begin with the newest hands."""
        self.tape = self._asked = None
        self.hands, self._pages, self._read, self._trouble = (), [0], False, ""
        self._ask(AskHands(0, _ROWS))

    def show_state(self, tr: Translator, state: ViewState, *, ready: bool) -> None:
        """Follow the language and the link; what was asked of a table that is gone is asked again, the newest hands when there are more."""
        came_back = ready and not self.ready
        another = _hand_of(state) != _hand_of(self.state)
        super().show_state(tr, state, ready=ready)
        if not (self.isVisible() and ready):
            return
        newest = self.tape is None and self._pages == [0]
        if came_back and (self._asked is not None or not self._read):
            self._ask(self._asked or AskHands(0, _ROWS))
        elif another and newest and self._asked is None:
            self._ask(AskHands(0, _ROWS))

    def _ask(self, question: HistoryCommand) -> None:
        self._asked = question
        self.command.emit(question)

    def answered(self, command: Command, result: Result) -> None:
        """Hands, steps, or why there are none."""
        if command != self._asked:
            return
        self._asked = None
        if not result.ok:
            self._refused(result)
            return
        try:
            if isinstance(command, AskHands):
                page = msgspec.convert(result.params, HandsPage)
                self.hands, self._next, self._read = page.hands, page.next, True
            elif self.tape is not None:
                self.tape.add(msgspec.convert(result.params, ReplayPage))
                self._go_on(self.tape)
                if not self.tape.whole:
                    self._ask(AskReplay(self.tape.row, len(self.tape.states), self.tape.hand))
        except msgspec.ValidationError:  # written by another version
            self._refused(Result(result.id, ok=False, code="no_such_hand"))
            return
        self.arrange()

    def _go_on(self, tape: Tape) -> None:
        """Where the running hand was looked at to its end, what has come since follows."""
        wanted, self._follow = self._follow, ""
        if wanted:
            last = len(tape.states) - 1
            self.at = last if wanted == "last" else min(self.at + 1, last)

    def _refused(self, result: Result) -> None:
        self._read = True
        if self.tape is not None and not self.tape.states:
            self.tape = None
        if self.tr_ is not None:
            self._trouble = refusal(self.tr_, result.code, result.params)
        self.arrange()

    # -- what is tapped ----------------------------------------------------------------------------------------------------

    def on_key(self, code: str) -> None:
        """A hand, a leaf, a step."""
        self._trouble = ""
        if code.startswith("hand-"):
            line = self.hands[int(code.removeprefix("hand-"))]
            self.tape, self.at = Tape(line.row, line.hand), 0
            self._ask(AskReplay(line.row, 0, line.hand))
        elif code == "older" and self._next:
            self._pages.append(self._next)
            self._ask(AskHands(self._next, _ROWS))
        elif code == "newer" and len(self._pages) > 1:
            self._pages.pop()
            self._ask(AskHands(self._pages[-1], _ROWS))
        elif code == "to_list":
            self.tape = None
            self._ask(AskHands(self._pages[-1], _ROWS))
        elif self.tape is not None:
            self._step(code, self.tape)
        self.arrange()

    def _step(self, code: str, tape: Tape) -> None:
        last = len(tape.states) - 1
        ahead = code == "last" or (code == "next" and self.at == last)
        if tape.row == 0 and ahead and self._asked is None:
            self._follow = code
            self._ask(AskReplay(0, last + 1, tape.hand))  # the hand goes on: is there more?
        steps = {"first": 0, "back": self.at - 1, "next": self.at + 1, "last": last}
        if code == "alert":
            found = tape.next_alert(self.at)
            self.go_to(self.at if found is None else found)
        else:
            self.go_to(steps[code])

    def go_to(self, number: int) -> None:
        """Show a step."""
        tape = self.tape
        if tape is None or not tape.states:
            return
        number = max(0, min(number, len(tape.states) - 1))
        if number != self.at:
            self.at = number
            self.arrange()

    # -- what is shown -----------------------------------------------------------------------------------------------------

    def arrange(self) -> None:
        """Beside the title stands what was done, unless something went wrong here."""
        tape, tr = self.tape, self.tr_
        self.note = self._trouble
        if not self.note and tape is not None and tape.states and tr is not None:
            done = happened(tr, tape.steps[self.at], tape.states[self.at])
            self.note = f"#{tape.hand} · {done}" if done else f"#{tape.hand}"
        super().arrange()

    def lay_out(self, tr: Translator, box: QRectF) -> None:
        """The list, or the hand."""
        self._shapes = []
        replaying = self.tape is not None and bool(self.tape.states)
        self.scene.setVisible(replaying)
        self.slider.setVisible(replaying)
        if self.tape is not None and replaying:
            self._lay_out_hand(tr, box, self.tape)
        else:
            self._lay_out_list(tr, box)

    def _lay_out_list(self, tr: Translator, box: QRectF) -> None:
        gap, key_h = self.gap, self.key_h
        bottom = box.bottom() - key_h
        turning = len(self._pages) > 1 or bool(self._next)
        end = bottom - gap if turning else box.bottom()
        row_h = min(max(key_h, self.px(104)), (end - box.top() - gap * (_ROWS - 1)) / _ROWS)
        for number, line in enumerate(self.hands):
            if number >= _ROWS:
                break
            key = self.keys[f"hand-{number}"]
            assert isinstance(key, RowKey)
            self._show_line(tr, key, line)
            self.put(key.code, QRectF(box.left(), box.top() + number * (row_h + gap), box.width(), row_h))
        if not self.hands:
            said = tr("history.empty" if self._read else "history.reading")
            self.write(said, QRectF(box), 32, ink=theme.QUIET, align=CENTRE, lines=2, weight=600)
        if turning:
            self.put_row(["newer", "older"], QRectF(box.left(), bottom, box.width(), key_h))
            for code, there in (("newer", len(self._pages) > 1), ("older", bool(self._next))):
                self.keys[code].say(tr(f"history.{code}"))
                self.keys[code].setEnabled(self.ready and there)

    def _show_line(self, tr: Translator, key: RowKey, line: HandLine) -> None:
        begun = dt.datetime.fromtimestamp(line.began_s)  # noqa: DTZ006 - the clock on the wall
        newest = dt.datetime.fromtimestamp(self.hands[0].began_s)  # noqa: DTZ006
        time = begun.strftime("%H:%M" if begun.date() == newest.date() else "%d.%m. %H:%M")
        number = f"#{line.hand}" if not line.game else f"#{line.hand} {game_name(tr, line.game)}"
        pot = tr("history.pot", pot=line.pot) if line.amounts and line.pot else ""
        worst = min(
            (_level(alert.evidence, alert.priority) for alert in line.alerts),
            key=_WORST.__getitem__,
            default="",
        )
        shape = ("outline", theme.QUIET) if not worst else (theme.LEVELS[worst][2], theme.LEVELS[worst][0])
        rules = ", ".join(dict.fromkeys(alert.rule for alert in line.alerts))
        key.show_row(
            (
                Cell(number, 0.3, weight=700),
                Cell(time, 0.16, theme.QUIET),
                Cell(pot, 0.2, theme.GOLD, 600),
                Cell(_outcome(tr, line), 0.34),
                Cell(rules, 0.18, theme.QUIET, 600),
            ),
            shape=shape,
        )
        key.setEnabled(self.ready and line.steps > 0)

    def _lay_out_hand(self, tr: Translator, box: QRectF, tape: Tape) -> None:
        gap, key_h = self.gap, self.key_h
        state, step = tape.states[self.at], tape.steps[self.at]
        keys = QRectF(box.left(), box.bottom() - key_h, box.width(), key_h)
        codes = ["first", "back", "next", "last", "alert", "to_list"]
        self.put_row(codes, keys)
        for code in codes:
            self.keys[code].say(tr(f"history.{code}"))
        last = len(tape.states) - 1
        more = tape.row == 0 and self.ready
        ahead = {"first": self.at > 0, "back": self.at > 0, "next": self.at < last or more}
        for code in ("first", "back", "next", "last"):
            self.keys[code].setEnabled(ahead.get(code, self.at < last or more))
        self.keys["alert"].setEnabled(bool(tape.alerts))
        slider_h = max(46.0, self.px(64))
        count_w = self.px(250)
        line = QRectF(box.left(), keys.top() - gap - slider_h, box.width(), slider_h)
        self.slider.setGeometry(line.adjusted(0, 0, -count_w - gap, 0).toRect())
        self.slider.show_tape(tape, self.at)
        where = f"{self.at + 1} / {max(tape.of, last + 1)}"
        self.slider.setAccessibleName(where)
        counted = QRectF(line.right() - count_w, line.top(), count_w, slider_h)
        self.write(f"{where} · {since_begin(step)}", counted, 26, ink=theme.QUIET, align=RIGHT, weight=600)
        said_h = max(44.0, self.px(76))
        said = QRectF(box.left(), line.top() - gap / 2 - said_h, box.width(), said_h)
        self._lay_out_said(tr, said, tape)
        felt = QRectF(box.left(), box.top(), box.width(), said.top() - gap / 2 - box.top())
        self.scene.setGeometry(felt.adjusted(3, 0, -3, -3).toRect())
        self.scene.show_state(tr, state)
        self.draw(self._paint)

    def _lay_out_said(self, tr: Translator, box: QRectF, tape: Tape) -> None:
        """Left what came next; right the alerts of the step."""
        state = tape.states[self.at]
        alerts = state.alerts
        left = box if not alerts else QRectF(box.left(), box.top(), box.width() * 0.5, box.height())
        now = now_line(tr, state)
        said = f"{now.title} · {now.detail}" if now.detail else now.title
        if state.now is not None and state.now.code == "idle":  # what comes next is of another hand
            won = [tr("history.won", seat=seat.seat, amount=seat.won) for seat in state.seats if seat.won]
            said = ", ".join(won) or tr.coded("phase", state.phase)
        self.write(said, left, 32, weight=700, lines=2)
        if not alerts:
            return
        right = QRectF(
            left.right() + self.gap, box.top(), box.width() - left.width() - self.gap, box.height()
        )
        self.panel(right)
        shown = alerts[:_MOST_ALERTS]
        tall = right.height() / len(shown)
        for number, alert in enumerate(shown):
            level = alert_level(alert)
            accent, _, shape = theme.LEVELS[level]
            top = right.top() + number * tall
            size = min(tall * 0.6, self.px(44))
            self._shapes.append((shape, QPointF(right.left() + size * 0.8, top + tall / 2), size, accent))
            text = f"{alert_word(tr, alert)} · {alert.rule} {alert_title(tr, alert)}"
            if number == len(shown) - 1 and len(alerts) > len(shown):
                text = f"{text} +{len(alerts) - len(shown)}"
            room = QRectF(right.left() + size * 1.6, top, right.width() - size * 1.6 - self.gap, tall)
            self.write(text, room, 26, weight=600, lines=2)

    def _paint(self, painter: QPainter) -> None:
        """The shapes of the alerts; a frame around the felt, lest it be taken for the one that is being dealt on."""
        painter.setPen(QPen(QColor(theme.GOLD), 3))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(self.scene.geometry()).adjusted(-2, -2, 2, 2))
        for name, spot, size, colour in self._shapes:
            shapes.draw(painter, name, spot, size, colour)


def _hand_of(state: ViewState) -> tuple[str, bool]:
    """Which hand there is, and whether it is over."""
    return (state.hand.hand if state.hand is not None else "", state.phase in _OVER)


def _level(evidence: str, priority: str) -> str:
    """Whose colours an alert of the list wears: a question is never red."""
    return priority if evidence == "proven" else "low" if priority == "low" else "medium"


def _outcome(tr: Translator, line: HandLine) -> str:
    """Who won what; or how the hand was given back; or that it is running."""
    if not line.result:
        return tr("history.running")
    if line.result != "completed":
        return tr.coded("phase", line.result)
    if not line.amounts or len(line.winners) > _MOST_ALERTS:
        return tr.seats([seat for seat, _ in line.winners])
    return "\n".join(tr("history.won", seat=seat, amount=amount) for seat, amount in line.winners)
