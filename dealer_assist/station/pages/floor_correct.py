"""The part of the floor's page where any action of the running hand is corrected: a seat, one of its actions, and what it is instead."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import Correct
from dealer_assist.domain.floor import AskActions, SeatAction
from dealer_assist.domain.zones import SEATS
from dealer_assist.station import theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.pages import floor_words as words
from dealer_assist.station.pages.page import CENTRE
from dealer_assist.station.pages.pin_pad import PinPad
from dealer_assist.station.pages.rows import Cell, RowKey
from dealer_assist.station.theme import Metrics

ACTIONS: Final = ("fold", "check", "call", "bet", "raise", "all_in")
_AMOUNT: Final = ("bet", "raise", "all_in")
#: Lines of a list, as many as there are keys for.
LINES: Final = 5


class CorrectTab(PinPad):
    """What the floor's page has for corrections, and the lines that all its lists are made of."""

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, metrics)
        self._seat = 0
        self._actions: tuple[SeatAction, ...] = ()
        #: how seat and hand stood when its actions were asked for: they are counted from the last one
        self._stood: tuple[object, ...] = ()
        self._back = -1
        self._action = ""
        for number, letter in zip(range(LINES), "ADGKL", strict=True):
            self._row_key(f"line-{number}", letter)
        for seat, letter in zip(SEATS, "BFIRSVX,./;", strict=True):
            self.add_key(f"seat-{seat}", size=30, shortcut=letter)
        for action, letter in zip(ACTIONS, "HJUZMP", strict=True):
            self.add_key(f"action-{action}", size=26, shortcut=letter)
        self.add_key("correct", role="go", size=28, shortcut="C")

    def _row_key(self, code: str, letter: str) -> None:
        key = RowKey(self, code, px=self._metrics.text_px(25), shortcut=letter)
        key.chosen.connect(self._on_key)
        key.hide()
        self.keys[code], self._sizes[code] = key, 25

    def lay_out_correct(self, tr: Translator, box: QRectF) -> None:
        """The seats of the hand, the actions of the chosen one, and what the chosen action is to be."""
        gap, key_h = self.gap, self.key_h
        seats = [fact.seat for fact in self.state.seats if fact.hand != "none"]
        if not seats:
            self.write(tr("floor.no_hand"), box, 34, ink=theme.QUIET, weight=600, align=CENTRE, lines=2)
            return
        across = 9 if box.width() >= self.px(900) else 5
        top = box.top()
        for begin in range(0, len(seats), across):
            row = seats[begin : begin + across]
            width = (box.width() - gap * (across - 1)) / across
            for column, seat in enumerate(row):
                spot = QRectF(box.left() + column * (width + gap), top, width, key_h)
                key = self.put(f"seat-{seat}", spot)
                key.say(str(seat), name=tr("ui.seat", seat=seat))
                key.set_role("chosen" if seat == self._seat else "plain")
            top += key_h + gap
        keys_top = box.bottom() - key_h
        choosing = 0 <= self._back < len(self._actions)
        actions_h = (2 if choosing else 0) * (key_h + gap)
        room = keys_top - gap - actions_h - top if choosing else box.bottom() - top
        if not self._actions:
            said = tr("floor.choose_seat" if not self._seat else "floor.no_actions")
            self.write(
                said, QRectF(box.left(), top, box.width(), room), 30, ink=theme.QUIET, align=CENTRE, lines=2
            )
            return
        per_leaf = min(LINES, max(1, int(room / (key_h + 6))))
        for number, action in enumerate(self._actions[:per_leaf]):
            line = QRectF(box.left(), top + number * (key_h + 6), box.width(), key_h)
            key = self.put(f"line-{number}", line)
            assert isinstance(key, RowKey)
            key.set_role("chosen" if number == self._back else "outline")
            street, said, assumed = words.action_line(tr, action)
            key.show_row(
                (
                    Cell(street, 0.3, theme.QUIET, 600),
                    Cell(said, 0.45, weight=700),
                    Cell(assumed, 0.25, theme.QUIET),
                )
            )
        if choosing:
            self._lay_out_instead(
                tr, QRectF(box.left(), keys_top - actions_h, box.width(), actions_h), keys_top
            )

    def _lay_out_instead(self, tr: Translator, box: QRectF, keys_top: float) -> None:
        """What the action is to be instead."""
        gap, key_h = self.gap, self.key_h
        for row in range(2):
            codes = [f"action-{action}" for action in ACTIONS[row * 3 : row * 3 + 3]]
            self.put_row(codes, QRectF(box.left(), box.top() + row * (key_h + gap), box.width(), key_h))
        for action in ACTIONS:
            key = self.keys[f"action-{action}"]
            key.say(tr(f"floor.action_{action}"))
            key.set_role("chosen" if action == self._action else "plain")
        amount = int(self.entry) if self.entry else None
        if self._action in _AMOUNT and amount is not None:
            said = tr("floor.correct_to", action=self._action, to=amount)
        elif self._action in ("bet", "raise"):
            said = tr("floor.type_amount")
        elif self._action:
            said = tr("floor.correct_as", action=self._action)
        else:
            said = tr("floor.correct_none")
        key = self.put("correct", QRectF(box.left(), keys_top, box.width(), key_h))
        key.say(said)
        whole = self._action not in ("bet", "raise") or amount is not None
        key.setEnabled(self.ready and bool(self._action) and whole)

    def choose_seat(self, seat: int) -> None:
        """Ask what a seat has done; 0: none is chosen."""
        self._seat, self._actions, self._back, self._action = seat, (), -1, ""
        self._stood = self._stands()
        if seat:
            self.command.emit(AskActions(seat))

    def _stands(self) -> tuple[object, ...]:
        """What changes when the chosen seat acts, or the hand goes on."""
        fact, hand = self.state.seat(self._seat), self.state.hand
        where = (hand.hand, hand.attempt, hand.street) if hand is not None else ()
        return where if fact is None else (*where, fact.hand, fact.last_action, fact.bet, fact.stack)

    def follow_seat(self) -> None:
        """The chosen seat has done something since its actions were told: what was chosen may be another one by now."""
        if self._seat and self._stands() != self._stood:
            self.choose_seat(self._seat)
            self.arrange()

    def correct_key(self, code: str) -> bool:
        """Take a key of this part; False for all others."""
        kind, _, rest = code.partition("-")
        if kind == "seat":
            self.choose_seat(int(rest))
        elif kind == "action":
            self._action = rest
        elif code == "correct":
            amount = int(self.entry) if self.entry and self._action in _AMOUNT else None
            self.command.emit(Correct(self._seat, self._action, amount, self._back))  # type: ignore[arg-type]
        else:
            return False
        return True

    def choose_action(self, number: int) -> None:
        """One of the seat's actions is the one that is wrong."""
        self._back, self._action = number, ""
