"""The floor's page: sign in with badge and PIN; rule, sign, look through the shift's alerts, correct any action of the hand, sign out."""

from __future__ import annotations

from functools import partial
from typing import Final, Literal

import msgspec
from PySide6.QtCore import QElapsedTimer, QPointF, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.commands import Command, Correct, Rule, Void
from dealer_assist.domain.floor import (
    AskActions,
    AskShift,
    FloorModeFact,
    SeatAction,
    ShiftAlert,
    SignIn,
    SignOff,
    SignOut,
    StaySignedIn,
    UnsignedRuling,
)
from dealer_assist.domain.link import Result
from dealer_assist.station import shapes, theme
from dealer_assist.station.alert_panel import HELD
from dealer_assist.station.i18n import Translator
from dealer_assist.station.pages import floor_words as words
from dealer_assist.station.pages.floor_correct import LINES, CorrectTab
from dealer_assist.station.pages.page import CENTRE, Leaves
from dealer_assist.station.pages.pin_pad import clock_time
from dealer_assist.station.pages.rows import Cell, RowKey
from dealer_assist.station.theme import HOLD_MS, Metrics
from dealer_assist.station.viewmodel import ViewState
from dealer_assist.station.wording import alert_params, alert_title, refusal

Tab = Literal["rulings", "shift", "correct"]
TABS: Final[tuple[Tab, ...]] = ("rulings", "shift", "correct")
#: Whoever reads is there: the service hears of it at most so often.
STAY_EVERY_MS: Final = 30_000
_OPTIONS: Final = 6
_OF_THE_PAGE: Final = (SignIn, SignOut, SignOff, Rule, Correct, Void, AskShift, AskActions)


class FloorPage(CorrectTab):
    """Opened from the table's menu, by a floor badge at the reader, and by a page that only the floor may open."""

    name = "floor"
    stays_in_hand = True
    beside_alert = True
    enter = "pin_ok"
    erase = "pin_delete"

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, metrics)
        self._tab: Tab = "rulings"
        self._leaves = Leaves()
        self._chosen = ""
        self._alerts: tuple[ShiftAlert, ...] | None = None
        self._shown: tuple[Alert | UnsignedRuling, ...] = ()
        self._stayed = QElapsedTimer()
        for tab, letter in zip(TABS, "QWE", strict=True):
            self.add_key(f"tab-{tab}", size=26, shortcut=letter)
        self.add_key("sign_out", size=26, shortcut="O")
        self.add_key("sign_off", role="go", size=28, shortcut="S")
        self.add_key("void", role="stop", size=26, shortcut="V", hold_ms=HOLD_MS)
        self.add_key("earlier", size=26, shortcut=",")
        self.add_key("later", size=26, shortcut=".")
        for number, letter in zip(range(_OPTIONS), "HJUZMP", strict=True):
            self.add_key(f"option-{number}", size=28, shortcut=letter)

    # -- for the window ----------------------------------------------------------------------------------------------------

    def opened(self) -> None:
        """Begin with what waits."""
        self.forget_pin()
        self._turn_to("rulings")

    def left(self) -> None:
        """A PIN that was begun is not kept."""
        self.forget_pin()

    @property
    def inside(self) -> bool:
        """Whether floor mode is open: somebody is signed in, or the table knows no badges."""
        return bool(self.state.floor.name) or not self.state.floor.configured

    @property
    def number_for(self) -> str:
        """The keypad types the amount of a correction; otherwise it stays with the hand."""
        if self._tab == "correct" and self.inside and self.tr_ is not None:
            return self.tr_("floor.amount_for")
        return ""

    @property
    def keeps_digits(self) -> bool:
        """Who types a PIN does not always wait until his badge was read; nothing of it is to be seen, or bet, on the pad."""
        return not self.inside

    def show_state(self, tr: Translator, state: ViewState, *, ready: bool) -> None:
        """Follow the state. Another badge, or another person: what was begun for the last one is forgotten."""
        before = self.state.floor
        super().show_state(tr, state, ready=ready)
        self.follow_seat()
        fact = state.floor
        if (fact.badge, fact.name) != (before.badge, before.name):
            self.forget_pin()
            self._turn_to("rulings")
            self.note = ""
            self.number_wanted.emit()
            if self.isVisible():
                self.arrange()
        if fact.note != before.note and fact.note:
            self.say(tr(f"floor_note.{fact.note}"))

    def answered(self, command: Command, result: Result) -> None:
        """What was asked for comes; a refusal is said."""
        if self.tr_ is None or not isinstance(command, _OF_THE_PAGE):
            return
        if not result.ok:
            self.say(refusal(self.tr_, result.code, result.params))
            return
        match command:
            case AskShift():
                self._alerts = tuple(
                    msgspec.convert(result.params.get("alerts", ()), list[ShiftAlert], str_keys=True)
                )
            case AskActions(seat=seat) if seat == self._seat:
                self._actions = tuple(msgspec.convert(result.params.get("actions", ()), list[SeatAction]))
            case SignOff():
                self.say(self.tr_("floor.signed", count=int(result.params.get("count", 0))))
            case Correct():
                self.choose_seat(0)
                self.say(self.tr_("floor.corrected"))
            case _:
                pass
        self.arrange()

    # -- what is shown -----------------------------------------------------------------------------------------------------

    def lay_out(self, tr: Translator, box: QRectF) -> None:
        """Badge, PIN, or what the floor does."""
        fact = self.state.floor
        if self.inside:
            self._lay_out_floor(tr, fact, box)
        elif fact.badge:
            self.lay_out_pin(tr, fact, box)
        else:
            self.lay_out_badge(tr, fact, box)

    def _lay_out_floor(self, tr: Translator, fact: FloorModeFact, box: QRectF) -> None:
        gap, key_h, line_h = self.gap, self.key_h, self.px(54)
        who = (
            tr("floor.who", name=fact.name, number=fact.number, when=clock_time(fact.until_s))
            if fact.name
            else tr("floor.no_badges")
        )
        top = box.top()
        if fact.file_wrong:
            wrong = tr("floor.file_wrong", where=fact.file_wrong)
            self.write(wrong, QRectF(box.left(), top, box.width(), line_h), 24, ink=theme.MEDIUM, lines=2)
            top += line_h
        self.write(
            who, QRectF(box.left(), top, box.width(), line_h), 26, ink=theme.QUIET, weight=600, lines=2
        )
        top += line_h
        codes = [*[f"tab-{tab}" for tab in TABS], *(["sign_out"] if fact.name else [])]
        narrow = box.width() < self.px(900)
        rows = (codes[:2], codes[2:]) if narrow else (codes,)
        for row in rows:
            self.put_row(row, QRectF(box.left(), top, box.width(), key_h))
            top += key_h + gap
        for tab in TABS:
            self.keys[f"tab-{tab}"].say(tr(f"floor.tab_{tab}"))
            self.keys[f"tab-{tab}"].set_role("chosen" if tab == self._tab else "plain")
        self.keys["sign_out"].say(tr("floor.sign_out"))
        self.keys["sign_out"].setEnabled(self.ready)
        body = QRectF(box.left(), top, box.width(), box.bottom() - top)
        match self._tab:
            case "rulings":
                self._lay_out_rulings(tr, fact, body)
            case "shift":
                self._lay_out_shift(tr, fact, body)
            case _:
                self.lay_out_correct(tr, body)

    def _waiting(self) -> list[Alert | UnsignedRuling]:
        """What waits: alerts of this hand to rule on, then rulings to sign."""
        alerts = [self.state.alert(name) for name in self.state.floor.rule_on]
        return [*[alert for alert in alerts if alert is not None], *self.state.floor.unsigned]

    def _lay_out_rulings(self, tr: Translator, fact: FloorModeFact, box: QRectF) -> None:
        gap, key_h = self.gap, self.key_h
        keys_top = box.bottom() - key_h
        waiting = self._waiting()
        chosen = next((each for each in waiting if isinstance(each, Alert) and each.id == self._chosen), None)
        options = () if chosen is None else chosen.options[:_OPTIONS]
        across = 3 if box.width() >= self.px(900) else 2
        option_rows = -(-len(options) // across)
        options_top = keys_top - option_rows * (key_h + gap)
        per_leaf = min(LINES, max(1, int((options_top - box.top()) / (key_h + 6))))
        shown = self._shown = self._leaves.cut(waiting, per_leaf)
        if not waiting:
            middle = QRectF(box.left(), box.top(), box.width(), keys_top - box.top())
            self.write(tr("floor.nothing"), middle, 34, ink=theme.QUIET, weight=600, align=CENTRE, lines=2)
        for number, each in enumerate(shown):
            line = QRectF(box.left(), box.top() + number * (key_h + 6), box.width(), key_h)
            self._show_waiting(tr, f"line-{number}", each, line)
        for number, option in enumerate(options):
            row, column = divmod(number, across)
            width = (box.width() - gap * (across - 1)) / across
            spot = QRectF(
                box.left() + column * (width + gap), options_top + row * (key_h + gap), width, key_h
            )
            key = self.put(f"option-{number}", spot)
            held = option in HELD
            key.set_role("stop" if held else "raise")
            key.hold_ms = HOLD_MS if held else 0
            name = tr.coded("remedy", option, alert_params(chosen) if chosen is not None else {})
            key.say(name, f"({tr('alert.hold')})" if held else "")
            key.setEnabled(self.ready)
        codes = self._turning(tr)
        if fact.configured:
            codes = ["sign_off", *codes]
            self._say_sign_off(tr, fact)
        if self.state.phase not in ("idle", "closed", "void", "chopped"):
            codes.append("void")
            self.keys["void"].say(tr("floor.void"))
            self.keys["void"].setEnabled(self.ready)
        if codes:
            self.put_row(codes, QRectF(box.left(), keys_top, box.width(), key_h))

    def _turning(self, tr: Translator) -> list[str]:
        codes = ["earlier", "later"] if self._leaves.count > 1 else []
        for code in codes:
            self.keys[code].say(tr(f"floor.{code}"))
        return codes

    def _say_sign_off(self, tr: Translator, fact: FloorModeFact) -> None:
        count = len(fact.unsigned)
        self.keys["sign_off"].say(tr("floor.sign_off", count=count) if count else tr("floor.sign_off_none"))
        self.keys["sign_off"].setEnabled(self.ready)

    def _show_waiting(self, tr: Translator, code: str, each: Alert | UnsignedRuling, box: QRectF) -> None:
        key = self.keys[code]
        assert isinstance(key, RowKey)
        self.put(code, box)
        if isinstance(each, Alert):
            key.set_role("chosen" if each.id == self._chosen else "outline")
            cells = (
                Cell(alert_title(tr, each), 0.6, weight=700),
                Cell(tr("floor.rule_now"), 0.4, theme.GOLD, 600),
            )
            key.show_row(cells, shape=("triangle", theme.HIGH))
            return
        key.set_role("outline")
        ruled, about = words.unsigned_line(tr, each)
        cells = (Cell(ruled, 0.45, weight=700), Cell(about, 0.55, theme.QUIET))
        key.show_row(cells, shape=("ring", theme.GOLD))

    def _lay_out_shift(self, tr: Translator, fact: FloorModeFact, box: QRectF) -> None:
        key_h, line_h = self.key_h, max(56, self.px(80))
        keys_top = box.bottom() - key_h
        room = keys_top - self.gap - box.top()
        if not self._alerts:
            said = tr("floor.shift_reading" if self._alerts is None else "floor.shift_none")
            middle = QRectF(box.left(), box.top(), box.width(), room)
            self.write(said, middle, 34, ink=theme.QUIET, weight=600, align=CENTRE, lines=2)
        else:
            for number, alert in enumerate(self._leaves.cut(self._alerts, max(1, int(room / line_h)))):
                top = box.top() + number * line_h
                self.draw(
                    partial(self._draw_sign, QPointF(box.left() + line_h * 0.4, top + line_h / 2), alert)
                )
                first, second = words.shift_line(tr, alert)
                left, width = box.left() + line_h * 0.9, box.width() - line_h * 0.9
                self.write(first, QRectF(left, top, width, line_h * 0.52), 26, weight=600)
                below = QRectF(left, top + line_h * 0.5, width, line_h * 0.46)
                self.write(second, below, 23, ink=theme.QUIET)
        codes = self._turning(tr) if self._alerts else []
        if fact.configured:
            codes = ["sign_off", *codes]
            self._say_sign_off(tr, fact)
        if codes:
            self.put_row(codes, QRectF(box.left(), keys_top, box.width(), key_h))

    @staticmethod
    def _draw_sign(spot: QPointF, alert: ShiftAlert, painter: QPainter) -> None:
        name, colour, mark = words.SIGNS[alert.state]
        shapes.draw(painter, name, spot, 26, colour, mark)

    # -- what is tapped ----------------------------------------------------------------------------------------------------

    def on_key(self, code: str) -> None:
        """Send, or show another part of the page."""
        self.note = ""
        kind, _, rest = code.partition("-")
        if self.pin_key(code) or self.correct_key(code):
            pass
        elif kind == "tab":
            self._turn_to(rest)
            self.number_wanted.emit()
        elif code in ("earlier", "later"):
            self._leaves.turn(-1 if code == "earlier" else 1)
        elif kind == "line":
            self._choose_line(int(rest))
        else:
            self._send(code)
        self._stay()
        self.arrange()

    def _send(self, code: str) -> None:
        kind, _, rest = code.partition("-")
        if code == "sign_out":
            self.command.emit(SignOut())
        elif code == "sign_off":
            self.command.emit(SignOff(tuple([ruling.number for ruling in self.state.floor.unsigned])))
        elif code == "void":
            self.command.emit(Void())
        elif kind == "option":
            alert = self.state.alert(self._chosen)
            if alert is not None and int(rest) < len(alert.options):
                self.command.emit(Rule(alert.id, alert.options[int(rest)]))
                self._chosen = ""

    def _turn_to(self, tab: str) -> None:
        self._tab = next(known for known in TABS if known == tab)
        self._leaves = Leaves()
        alerts = [name for name in self.state.floor.rule_on if self.state.alert(name) is not None]
        self._chosen = alerts[0] if len(alerts) == 1 else ""
        self.choose_seat(0)
        if tab == "shift":
            self._alerts = None
            self.command.emit(AskShift())

    def _choose_line(self, number: int) -> None:
        if self._tab == "correct":
            self.choose_action(number)
            return
        if number < len(self._shown) and isinstance(each := self._shown[number], Alert):
            self._chosen = "" if each.id == self._chosen else each.id

    def _stay(self) -> None:
        """Somebody touches the page: the service hears of it now and then."""
        if not self.state.floor.name:
            return
        if not self._stayed.isValid() or self._stayed.elapsed() > STAY_EVERY_MS:
            self._stayed.start()
            self.command.emit(StaySignedIn())
