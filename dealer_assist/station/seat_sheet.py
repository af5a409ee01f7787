"""A seat: in, away or out, its last action put right, its hand declared dead, and what the game asks of it alone.

What needs a number has a leaf of its own: only there is the keypad borrowed, and the display says what for.
"""

from __future__ import annotations

from typing import Final, Literal

from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import (
    Act,
    CallClock,
    Command,
    Correct,
    Report,
    SetPoint,
    SetSeat,
    Straddle,
    Tabled,
    TapZone,
    Unfold,
)
from dealer_assist.domain.facts import SeatFact, StraddleOffer
from dealer_assist.domain.link import Result
from dealer_assist.domain.zones import SEATS, seat_zone
from dealer_assist.station import theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.seat_chips import CHIP_KEYS, chip_command, chip_rows
from dealer_assist.station.sheet import Row, Sheet
from dealer_assist.station.theme import Metrics

_STATUSES: Final[tuple[Literal["in", "away", "out"], ...]] = ("in", "away", "out")
_Action = Literal["fold", "check", "call", "bet", "raise", "all_in"]
_ACTIONS: Final[tuple[_Action, ...]] = ("fold", "check", "call", "bet", "raise", "all_in")
#: actions whose amount may have been another one
_WITH_AMOUNT: Final = ("bet", "raise", "all_in")
#: phases in which an action of the hand can be amended
_PLAYED: Final = ("betting", "runout", "showdown", "award")
_MAX_HOLE: Final = 5
_Leaf = Literal["main", "chips", "amount", "straddle"]
#: keys that turn a leaf → which
_TURNS: Final[dict[str, _Leaf]] = {"chips": "chips", "straddle_more": "straddle", "back": "main"}


class SeatSheet(Sheet):
    """Opened by a tap on a seat's plate."""

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, "seat", metrics)
        self.seat = 1
        self.wants_card = False
        self._leaf: _Leaf = "main"
        self._back = 0
        self._ruled = False
        self._action: _Action = "raise"
        for code in (
            *_STATUSES,
            "chips",
            "tap",
            "cards",
            "unfold",
            "straddle",
            "straddle_more",
            "clock",
            *CHIP_KEYS,
        ):
            self.add_key(code, size=30)
        for code in ("back-0", "back-1", "ruled", "back"):
            self.add_key(code, size=28)
        self.add_key("dead_hand", role="stop", size=28, hold_ms=theme.HOLD_MS)
        for code in ("correct_send", "tabled"):
            self.add_key(code, role="go", size=32)
        for seat in SEATS:
            self.add_key(f"moved-{seat}", size=28)
        for action in _ACTIONS:
            self.add_key(f"correct-{action}", role="outline", size=28)
        for card in range(1, _MAX_HOLE + 1):
            self.add_key(f"point-{card}", role="amber", size=30)

    def open_for(self, seat: int, *, ruled: bool = False) -> None:
        """Open for a seat; at an empty one there is nothing to do but to sit down. ``ruled``: the floor has ruled on its last action."""
        self.seat, self.wants_card, self._back = seat, False, 0
        self._ruled = ruled
        fact = self.state.seat(seat)
        self._leaf = "chips" if fact is None or fact.status == "empty" else "main"
        self.open_sheet()

    def rows(self, tr: Translator, columns: int) -> list[Row]:
        """The leaf that is open."""
        self.title = tr("sheet.seat", seat=self.seat)
        fact = self.state.seat(self.seat)
        self.keys["back"].say(tr("sheet.back"))
        self.enter = ""
        match self._leaf:
            case "chips":
                self.number_for = tr("sheet.number_chips", seat=self.seat)
                rows, self.enter = chip_rows(self, tr, fact)
                empty = fact is None or fact.status == "empty"
                return rows if empty else [*rows, [self.keys["back"]]]
            case "amount":
                return self._amount(tr)
            case "straddle":
                return self._straddle(tr)
            case _:
                return self._main(tr, fact, columns)

    # -- the first leaf ------------------------------------------------------------------------------------------------------

    def _main(self, tr: Translator, fact: SeatFact | None, columns: int) -> list[Row]:
        """What the game asks of the seat now, its last action, then status, chips, blinds owed."""
        status = fact.status if fact is not None else "empty"
        for code in _STATUSES:
            self.keys[code].say(tr(f"ui.{code}"))
            self.keys[code].set_role("chosen" if code == status else "plain")
            self.keys[code].setEnabled(self.ready)
        rows: list[Row] = [
            *self._timed(tr),
            *self._asked(tr, fact),
            *self._turning_up(tr),
            *self._amended(tr, fact, columns),
        ]
        when = "sheet.seat_dealt" if self.state.phase == "deal" else "sheet.seat_more"
        rows += [(tr(when), 24), [self.keys[code] for code in _STATUSES]]
        rows += self._owed(tr, fact)
        last = []
        if self.state.tracking == "full" or status not in ("in", "away"):
            self.keys["chips"].say(tr("sheet.chips"))
            last.append(self.keys["chips"])
        if fact is not None and fact.hand in ("live", "all_in", "tabled"):
            self.keys["dead_hand"].say(tr("sheet.dead_hand"), tr("sheet.misdeal_more"))
            self.keys["dead_hand"].setEnabled(self.ready)
            last.append(self.keys["dead_hand"])
        if seat_zone(self.seat) in self.state.tap_zones:
            self.keys["tap"].say(tr("sheet.tap_card"))
            last.append(self.keys["tap"])
        if fact is not None and fact.hand == "tabled" and len(fact.tabled) < fact.due:
            self.keys["cards"].say(tr("sheet.enter_card"))
            last.append(self.keys["cards"])
        return [*rows, last] if last else rows

    def _timed(self, tr: Translator) -> list[Row]:
        """Somebody asks for the clock on the seat whose turn it is, or may be by now (by exception)."""
        table, pad = self.state.table, self.state.pad
        acting = pad.seat == self.seat or any(each.seat == self.seat for each in pad.ahead)
        if table is None or not table.clock_s or not acting:
            return []
        self.keys["clock"].say(tr("sheet.clock", count=table.clock_s))
        self.keys["clock"].setEnabled(self.ready)
        return [[self.keys["clock"]]]

    def _owed(self, tr: Translator, fact: SeatFact | None) -> list[Row]:
        """A blind that is owed: posted as soon as it may be, or the big blind waited for."""
        marks = fact.marks if fact is not None else ()
        chosen = {"posts": "posts_now", "waits_for_blind": "waits"}
        if not chosen.keys() & set(marks):
            return []
        for mark, code in chosen.items():
            self.keys[code].say(tr(f"sheet.{code}"))
            self.keys[code].set_role("chosen" if mark in marks else "plain")
            self.keys[code].setEnabled(self.ready)
        return [[self.keys[code] for code in chosen.values()]]

    def _asked(self, tr: Translator, fact: SeatFact | None) -> list[Row]:
        """A straddle to post, a point card to name, or a hand to buy back."""
        offer = self._offer()
        if offer is not None:
            keys = [self.keys["straddle"]]
            keys[0].say(tr("sheet.straddle", amount=offer.least))
            if offer.most != offer.least:
                self.keys["straddle_more"].say(tr("sheet.straddle_more"))
                keys.append(self.keys["straddle_more"])
            for key in keys:
                key.set_role("amber")
                key.setEnabled(self.ready)
            return [keys]
        now = self.state.now
        if now is None or fact is None or self.seat not in (now.params.get("seats") or ()):
            return []
        if now.code == "point":
            keys = [self.keys[f"point-{card}"] for card in range(1, min(fact.due, _MAX_HOLE) + 1)]
            for card, key in enumerate(keys, 1):
                key.say(str(card), name=tr("sheet.point_card", card=card))
                key.setEnabled(self.ready)
            return [(tr("sheet.point"), 24), keys]
        if now.code == "window":
            price = now.params.get("price")
            self.keys["unfold"].say(tr("sheet.unfold"), tr.number(price) if isinstance(price, int) else "")
            self.keys["unfold"].set_role("amber")
            self.keys["unfold"].setEnabled(self.ready)
            return [[self.keys["unfold"]]]
        return []

    def _offer(self) -> StraddleOffer | None:
        """The straddle that this seat may post now."""
        return next((offer for offer in self.state.pad.straddles if offer.seat == self.seat), None)

    def _turning_up(self, tr: Translator) -> list[Row]:
        """By exception: who turns up his hand says that the last round is over; the seats still to act have checked or called."""
        if self.seat not in self.state.pad.may_show:
            return []
        key = self.keys["tabled"]
        key.say(tr("pad.tabled"), name=f"{tr('ui.seat', seat=self.seat)}: {tr('pad.tabled')}")
        key.setEnabled(self.ready)
        return [[key]]

    def _amended(self, tr: Translator, fact: SeatFact | None, columns: int) -> list[Row]:
        """What the seat did, and what it really did. Amounts are typed on a leaf of their own."""
        done = fact is not None and (fact.last_action in _ACTIONS or fact.hand == "folded")
        if fact is None or not done or self.state.phase not in _PLAYED:
            return []
        last = fact.last_action if fact.last_action in _ACTIONS else "fold"
        for action in _ACTIONS:
            key = self.keys[f"correct-{action}"]
            text = tr(f"action.{action}")
            key.say(f"{text}…" if action in _WITH_AMOUNT else text)
            key.setEnabled(self.ready)
        for back, word in enumerate(("sheet.back_last", "sheet.back_before")):
            key = self.keys[f"back-{back}"]
            key.say(tr(word))
            key.set_role("chosen" if back == self._back else "plain")
            key.setEnabled(self.ready)
        self.keys["ruled"].say(tr("sheet.ruled_stands"))
        self.keys["ruled"].set_role("chosen" if self._ruled else "plain")
        self.keys["ruled"].setEnabled(self.ready)
        label = tr("sheet.correct_before") if self._back else tr("sheet.correct", action=last)
        keys = [self.keys[f"correct-{action}"] for action in _ACTIONS]
        across = 6 if columns > 7 else 3
        rows: list[Row] = [(label, 24), [self.keys["back-0"], self.keys["back-1"], self.keys["ruled"]]]
        rows += [keys[i : i + across] for i in range(0, len(keys), across)]
        return rows

    # -- leaves with a number ------------------------------------------------------------------------------------------------

    def _amount(self, tr: Translator) -> list[Row]:
        """How much the bet, raise or all-in really was; of an all-in that nobody counted: what is believed."""
        action = tr(f"action.{self._action}")
        self.number_for = tr("sheet.number_action", seat=self.seat, action=self._action)
        send = self.keys["correct_send"]
        typed = self.typed
        send.say(f"{action} {tr.number(typed)}" if typed is not None else action)
        send.setEnabled(self.ready and (typed is not None or self._action == "all_in"))
        self.enter = "correct_send"
        self.keys["ruled"].say(tr("sheet.ruled_stands"))
        self.keys["ruled"].set_role("chosen" if self._ruled else "plain")
        return [(tr("sheet.type_total"), 26), [send], [self.keys["back"], self.keys["ruled"]]]

    def _straddle(self, tr: Translator) -> list[Row]:
        """A straddle of another size than the least."""
        offer = self._offer()
        self.number_for = tr("sheet.number_straddle", seat=self.seat)
        key = self.keys["straddle"]
        amount = self.typed or (offer.least if offer is not None else 0)
        key.say(tr("sheet.straddle", amount=amount))
        key.set_role("amber")
        key.setEnabled(self.ready and offer is not None)
        self.enter = "straddle"
        return [(tr("sheet.type_total"), 26), [key], [self.keys["back"]]]

    def answered(self, command: Command, result: Result) -> None:
        """The seat has acted: it was opened to enter that, or is done with."""
        if result.ok and isinstance(command, Act) and command.seat == self.seat and not self.isHidden():
            self.close_sheet()

    # -- taps ----------------------------------------------------------------------------------------------------------------

    def on_key(self, code: str) -> None:
        """Send and close; turning a leaf and choosing which of two actions is meant only change the sheet."""
        kind, _, rest = code.partition("-")
        if code in _TURNS:
            self._turn(_TURNS[code])
            return
        if kind == "correct" and rest in _WITH_AMOUNT:
            self._action = next(action for action in _ACTIONS if action == rest)
            self._turn("amount")
            return
        if kind == "back":
            self._back = int(rest)
            self.arrange()
            return
        if code == "ruled":
            self._ruled = not self._ruled
            self.arrange()
            return
        self._send(code, kind, rest)
        self.close_sheet()

    def _turn(self, leaf: _Leaf) -> None:
        self._leaf = leaf
        self.use_number()
        self.arrange()

    def _send(self, code: str, kind: str, rest: str) -> None:
        fact = self.state.seat(self.seat)
        if code in _STATUSES:
            status = next(each for each in _STATUSES if each == code)
            self.command.emit(SetSeat(self.seat, status))
        elif (command := chip_command(code, self.state, fact, self.seat, self.typed)) is not None:
            self.command.emit(command)
        elif code == "dead_hand":
            self.command.emit(Report("dead_hand", self.seat))
        elif code == "clock":
            self.command.emit(CallClock(self.seat))
        elif code == "tap":
            self.command.emit(TapZone(seat_zone(self.seat)))
        elif code == "cards":
            self.wants_card = True
        elif code == "straddle":
            self.command.emit(Straddle(self.seat, self.typed or 0))
        elif code == "unfold":
            self.command.emit(Unfold(self.seat))
        elif kind == "point":
            self.command.emit(SetPoint(self.seat, int(rest)))
        elif code == "tabled":
            self.command.emit(Tabled(self.seat))
        elif code == "correct_send":
            self._correct(self._action, self.typed)
        elif kind == "correct":
            self._correct(next(action for action in _ACTIONS if action == rest), None)

    def _correct(self, action: _Action, to: int | None) -> None:
        counted = action == "all_in" and to is not None
        self.command.emit(Correct(self.seat, action, to, self._back, counted=counted, ruled=self._ruled))
