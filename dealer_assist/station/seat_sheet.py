"""A seat: in, away or out, its stack, its last action put right, and what the game asks of it alone."""

from __future__ import annotations

from typing import Final, Literal

from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import (
    Act,
    Command,
    Correct,
    PostNow,
    SetPoint,
    SetSeat,
    SetStack,
    SitDown,
    Straddle,
    Tabled,
    TapZone,
    TopUp,
    Unfold,
    WaitForBlind,
)
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
#: buying in, coming back, buying more, and what is done about a blind that is owed
_AT_THE_TABLE: Final = ("sit_down", "came_back", "top_up", "posts_now", "waits")


class SeatSheet(Sheet):
    """Opened by a tap on a seat's plate."""

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, "seat", metrics)
        self.seat = 1
        self.entry = ""
        self.wants_card = False
        self._back = 0
        self._ruled = False
        for code in (
            *_STATUSES,
            "stack",
            "unknown_stack",
            "tap",
            "cards",
            "unfold",
            "straddle",
            *_AT_THE_TABLE,
            "back-0",
            "back-1",
            "ruled",
        ):
            self.add_key(code, size=30)
        for action in _ACTIONS:
            self.add_key(f"correct-{action}", role="outline", size=28)
        for action in ("raise", "all_in"):
            self.add_key(f"act-{action}", role=action, size=30)
        self.add_key("tabled", role="go", size=30)
        for card in range(1, _MAX_HOLE + 1):
            self.add_key(f"point-{card}", role="amber", size=30)

    def open_for(self, seat: int, entry: str) -> None:
        """Open for a seat, with what is typed on the keypad."""
        self.seat, self.entry, self.wants_card, self._back = seat, entry, False, 0
        self._ruled = False
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
        if self.state.tracking != "full" or status == "empty":
            chips = []  # who sits down brings his chips
        rows_of_seat = self._at_the_table(tr, fact)
        more = []
        if seat_zone(self.seat) in self.state.tap_zones:
            self.keys["tap"].say(tr("sheet.tap_card"))
            more.append(self.keys["tap"])
        if fact is not None and fact.hand == "tabled" and len(fact.tabled) < fact.due:
            self.keys["cards"].say(tr("sheet.enter_card"))
            more.append(self.keys["cards"])
        when = "sheet.seat_dealt" if self.state.phase == "deal" else "sheet.seat_more"
        rows: list[Row] = [
            *self._asked(tr, fact),
            *self._acting(tr, fact),
            *self._turning_up(tr),
            *self._amended(tr, fact, columns),
        ]
        rows += [(tr(when), 24), [self.keys[code] for code in _STATUSES]]
        if chips:
            rows.append(chips)
        rows += rows_of_seat
        return [*rows, more] if more else rows

    def _at_the_table(self, tr: Translator, fact: SeatFact | None) -> list[Row]:
        """A buy-in with its limits, a top-up, a blind that is owed: posted or waited for."""
        amount = int(self.entry) if self.entry else None
        seated = fact is not None and fact.status in ("in", "away")
        codes = ["top_up"] if seated else ["sit_down"]
        if not seated and fact is not None and fact.stack:
            codes.append("came_back")
        for code in codes:
            none = f"sheet.{'sit_down' if code == 'came_back' else code}_none"
            self.keys[code].say(tr(f"sheet.{code}", amount=amount) if amount is not None else tr(none))
            self.keys[code].setEnabled(self.ready and amount is not None)
        rows: list[Row] = []
        table = self.state.table
        if table is not None and table.buy_in_min:
            limits = {"least": table.buy_in_min, "most": table.buy_in_max}
            rows.append((tr("sheet.buy_in_between" if table.buy_in_max else "sheet.buy_in_from", limits), 22))
        rows.append([self.keys[code] for code in codes])
        marks = fact.marks if fact is not None else ()
        chosen = {"posts": "posts_now", "waits_for_blind": "waits"}
        if chosen.keys() & set(marks):
            for mark, code in chosen.items():
                self.keys[code].say(tr(f"sheet.{code}"))
                self.keys[code].set_role("chosen" if mark in marks else "plain")
                self.keys[code].setEnabled(self.ready)
            rows.append([self.keys[code] for code in chosen.values()])
        return rows

    def _of_the_table(self, code: str) -> Command | None:
        """The command of one of those keys, with what is typed."""
        amount = int(self.entry) if self.entry else 0
        match code:
            case "sit_down":
                return SitDown(self.seat, amount)
            case "came_back":
                return SitDown(self.seat, amount, returned_from=self.seat)
            case "top_up":
                return TopUp(self.seat, amount)
            case "posts_now":
                return PostNow(self.seat)
            case "waits":
                return WaitForBlind(self.seat)
            case _:
                return None

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

    def _acting(self, tr: Translator, fact: SeatFact | None) -> list[Row]:
        """By exception: a bet, raise or all-in of a seat that is not next; those before it have folded, checked or called."""
        table, pad = self.state.table, self.state.pad
        by_exception = table is not None and table.entry == "by_exception"
        if not by_exception or fact is None or fact.hand != "live" or pad.seat in (None, self.seat):
            return []
        amount = int(self.entry) if self.entry else None
        cards_only = self.state.tracking == "cards"
        word = "bet" if pad.is_bet else "raise"
        raising = self.keys["act-raise"]
        raising.say(
            tr(f"pad.{word}_none") if amount is None or cards_only else tr(f"pad.{word}", amount=amount)
        )
        raising.setEnabled(self.ready and (amount is not None or cards_only))
        shove = self.keys["act-all_in"]
        shove.say(tr("pad.all_in") if amount is None or cards_only else tr("pad.all_in_to", amount=amount))
        shove.setEnabled(self.ready)
        return [[raising, shove]]

    def _turning_up(self, tr: Translator) -> list[Row]:
        """By exception: who turns up his hand says that the last round is over; the seats still to act have checked or called."""
        if self.seat not in self.state.pad.may_show:
            return []
        key = self.keys["tabled"]
        key.say(tr("pad.tabled"), name=f"{tr('ui.seat', seat=self.seat)}: {tr('pad.tabled')}")
        key.setEnabled(self.ready)
        return [[key]]

    def _act(self, action: str) -> Act:
        amount = int(self.entry) if self.entry and self.state.tracking != "cards" else None
        if action == "all_in":
            return Act(self.seat, "all_in", amount, counted=amount is not None)
        return Act(self.seat, "bet" if self.state.pad.is_bet else "raise", amount)

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
        self.keys["ruled"].say(tr("sheet.ruled_stands"))
        self.keys["ruled"].set_role("chosen" if self._ruled else "plain")
        self.keys["ruled"].setEnabled(self.ready)
        label = tr("sheet.correct_before") if self._back else tr("sheet.correct", action=last)
        keys = [self.keys[f"correct-{action}"] for action in _ACTIONS]
        across = 6 if columns > 7 else 3
        rows: list[Row] = [(label, 24), [self.keys["back-0"], self.keys["back-1"], self.keys["ruled"]]]
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
        if code == "ruled":
            self._ruled = not self._ruled
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
        elif (command := self._of_the_table(code)) is not None:
            self.command.emit(command)
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
        elif code == "tabled":
            self.command.emit(Tabled(self.seat))
        elif kind == "act":
            self.command.emit(self._act(rest))
        elif kind == "correct":
            action = next(action for action in _ACTIONS if action == rest)
            to = int(self.entry) if self.entry and action in ("bet", "raise", "all_in") else None
            self.command.emit(
                Correct(
                    self.seat,
                    action,
                    to,
                    self._back,
                    counted=action == "all_in" and to is not None,
                    ruled=self._ruled,
                )
            )
        self.close_sheet()
