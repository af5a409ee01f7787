"""A seat: in, away or out, its stack, its last action put right, and what the game asks of it alone."""

from __future__ import annotations

from typing import Final, Literal

from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import Correct, SetPoint, SetSeat, SetStack, Straddle, TapZone, Unfold
from dealer_assist.domain.facts import SeatFact, StraddleOffer
from dealer_assist.domain.zones import seat_zone
from dealer_assist.station.i18n import Translator
from dealer_assist.station.sheet import Row, Sheet
from dealer_assist.station.theme import Metrics

_STATUSES: Final[tuple[Literal["in", "away", "out"], ...]] = ("in", "away", "out")
_Action = Literal["fold", "check", "call", "bet", "raise", "all_in"]
_ACTIONS: Final[tuple[_Action, ...]] = ("fold", "check", "call", "bet", "raise", "all_in")
#: phases in which an action of the hand can be amended
_PLAYED: Final = ("betting", "runout", "showdown", "award")
_MAX_HOLE: Final = 5


class SeatSheet(Sheet):
    """Opened by a tap on a seat's plate."""

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, "seat", metrics)
        self.seat = 1
        self.entry = ""
        self.wants_card = False
        self._back = 0
        for code in (
            *_STATUSES,
            "stack",
            "unknown_stack",
            "tap",
            "cards",
            "unfold",
            "straddle",
            "back-0",
            "back-1",
        ):
            self.add_key(code, size=30)
        for action in _ACTIONS:
            self.add_key(f"correct-{action}", role="outline", size=28)
        for card in range(1, _MAX_HOLE + 1):
            self.add_key(f"point-{card}", role="amber", size=30)

    def open_for(self, seat: int, entry: str) -> None:
        """Open for a seat, with what is typed on the keypad."""
        self.seat, self.entry, self.wants_card, self._back = seat, entry, False, 0
        self.open_sheet()

    def set_entry(self, entry: str) -> None:
        """Follow the keypad."""
        self.entry = entry
        if self.isVisible():
            self.arrange()

    def rows(self, tr: Translator, columns: int) -> list[Row]:
        """What the game asks of the seat now, its last action, then status and stack."""
        self.title = tr("sheet.seat", seat=self.seat)
        fact = self.state.seat(self.seat)
        status = fact.status if fact is not None else "empty"
        for code in _STATUSES:
            self.keys[code].say(tr(f"ui.{code}"))
            self.keys[code].set_role("chosen" if code == status else "plain")
            self.keys[code].setEnabled(self.ready)
        stack = self.keys["stack"]
        amount = int(self.entry) if self.entry else None
        stack.say(tr("sheet.stack_is", amount=amount) if amount is not None else tr("sheet.stack_none"))
        stack.setEnabled(self.ready and amount is not None)
        chips = [stack]
        if self._in_hand(fact):
            stack.say(tr("sheet.behind_is", amount=amount) if amount is not None else tr("sheet.stack_none"))
        if fact is not None and fact.stack is not None and status != "empty":
            self.keys["unknown_stack"].say(tr("sheet.behind_unknown"))
            self.keys["unknown_stack"].setEnabled(self.ready)
            chips.append(self.keys["unknown_stack"])
        if self.state.tracking != "full":
            chips = []
        more = []
        if seat_zone(self.seat) in self.state.tap_zones:
            self.keys["tap"].say(tr("sheet.tap_card"))
            more.append(self.keys["tap"])
        if fact is not None and fact.hand == "tabled" and len(fact.tabled) < fact.due:
            self.keys["cards"].say(tr("sheet.enter_card"))
            more.append(self.keys["cards"])
        when = "sheet.seat_dealt" if self.state.phase == "deal" else "sheet.seat_more"
        rows: list[Row] = [*self._asked(tr, fact), *self._amended(tr, fact, columns)]
        rows += [(tr(when), 24), [self.keys[code] for code in _STATUSES]]
        if chips:
            rows.append(chips)
        return [*rows, more] if more else rows

    def _in_hand(self, fact: SeatFact | None) -> bool:
        """Whether the seat plays the running hand: its chips are then those that are behind it now."""
        return fact is not None and fact.hand != "none" and self.state.phase not in ("idle", "closed")

    def _asked(self, tr: Translator, fact: SeatFact | None) -> list[Row]:
        """A straddle to post, a point card to name, or a hand to buy back."""
        offer = self._offer()
        if offer is not None:
            self.keys["straddle"].say(tr("sheet.straddle", amount=int(self.entry or offer.least)))
            self.keys["straddle"].set_role("amber")
            self.keys["straddle"].setEnabled(self.ready)
            return [[self.keys["straddle"]]]
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

    def _amended(self, tr: Translator, fact: SeatFact | None, columns: int) -> list[Row]:
        """What the seat did, and what it really did. Bets and raises take the amount that is typed."""
        done = fact is not None and (fact.last_action in _ACTIONS or fact.hand == "folded")
        if fact is None or not done or self.state.phase not in _PLAYED:
            return []
        last = fact.last_action if fact.last_action in _ACTIONS else "fold"
        amount = int(self.entry) if self.entry else None
        for action in _ACTIONS:
            key = self.keys[f"correct-{action}"]
            raising = action in ("bet", "raise")
            text = tr(f"action.{action}")
            key.say(f"{text} {tr.number(amount)}" if raising and amount is not None else text)
            key.setEnabled(self.ready and not (raising and amount is None))
        for back, word in enumerate(("sheet.back_last", "sheet.back_before")):
            key = self.keys[f"back-{back}"]
            key.say(tr(word))
            key.set_role("chosen" if back == self._back else "plain")
            key.setEnabled(self.ready)
        label = tr("sheet.correct_before") if self._back else tr("sheet.correct", action=last)
        keys = [self.keys[f"correct-{action}"] for action in _ACTIONS]
        across = 6 if columns > 7 else 3
        rows: list[Row] = [(label, 24), [self.keys["back-0"], self.keys["back-1"]]]
        rows += [keys[i : i + across] for i in range(0, len(keys), across)]
        return rows

    def on_key(self, code: str) -> None:
        """Send and close; which of two actions is meant only changes the sheet."""
        fact = self.state.seat(self.seat)
        kind, _, rest = code.partition("-")
        if kind == "back":
            self._back = int(rest)
            self.arrange()
            return
        if code in _STATUSES:
            self.command.emit(SetSeat(self.seat, code))
        elif code == "unknown_stack":
            self.command.emit(SetStack(self.seat, None))
        elif code == "stack" and self.entry and self._in_hand(fact):
            self.command.emit(SetStack(self.seat, int(self.entry)))
        elif code == "stack" and self.entry:
            status = fact.status if fact is not None and fact.status != "empty" else "in"
            self.command.emit(SetSeat(self.seat, status, int(self.entry)))
        elif code == "tap":
            self.command.emit(TapZone(seat_zone(self.seat)))
        elif code == "cards":
            self.wants_card = True
        elif code == "straddle":
            self.command.emit(Straddle(self.seat, int(self.entry or 0)))
        elif code == "unfold":
            self.command.emit(Unfold(self.seat))
        elif kind == "point":
            self.command.emit(SetPoint(self.seat, int(rest)))
        elif kind == "correct":
            action = next(action for action in _ACTIONS if action == rest)
            to = int(self.entry) if self.entry and action in ("bet", "raise", "all_in") else None
            self.command.emit(
                Correct(self.seat, action, to, self._back, counted=action == "all_in" and to is not None)
            )
        self.close_sheet()
