"""Irregular action: what a player said and pushed, as it was; the house reads it, and the sheet says what it comes to (TDA 40 to 57).

One sheet from the key on the pad to the ruling: what was wrong, what it takes to tell it, and then the action, what goes back and why.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import Act, CallFloor, Command, Irregular, Undo
from dealer_assist.domain.facts import NoticeFact
from dealer_assist.domain.link import Result
from dealer_assist.domain.zones import SEATS
from dealer_assist.station.i18n import Translator
from dealer_assist.station.keys import Key
from dealer_assist.station.ruling import reading_of, ruling_rows
from dealer_assist.station.sheet import Row, Sheet, padded
from dealer_assist.station.theme import Metrics
from dealer_assist.station.viewmodel import ViewState
from dealer_assist.station.wording import refusal

_Word = Literal["", "check", "call", "bet", "raise", "all_in"]
_WORDS: Final[tuple[_Word, ...]] = ("", "check", "call", "bet", "raise", "all_in")
_Leaf = Literal["kinds", "entry", "seat", "ruling"]
#: chips that one motion can hold; more are counted by their sum
_MOST_CHIPS: Final = 20
#: kinds of chips that a row has keys for, the largest first
_CHIP_KEYS: Final = 6


class Kind(NamedTuple):
    """What it takes to tell one sort of irregular action."""

    words: tuple[_Word, ...] = ()
    chips: bool = False
    second: bool = False
    number: bool = False


#: what can be wrong with an action, the commonest first → what is to be told
KINDS: Final[dict[str, Kind]] = {
    "overchip": Kind(chips=True),
    "mismatch": Kind(_WORDS, chips=True, number=True),
    "too_small": Kind(("", "call", "bet", "raise"), chips=True),
    "second_motion": Kind(("", "raise"), chips=True, second=True),
    "out_of_turn": Kind(_WORDS, chips=True, number=True),
    "check_facing_bet": Kind(),
    "unclear": Kind(("bet", "raise"), number=True),
}


class IrregularSheet(Sheet):
    """Opened by a key of the pad, for the seat in turn. Chips are tapped by their kinds, or typed where the table does not name any."""

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, "irregular", metrics)
        self.seat: int | None = None
        self.wants_rows = False
        self.corrects: int | None = None
        self._leaf: _Leaf = "kinds"
        self._kind = "overchip"
        self._word: _Word = ""
        self._motions: list[list[int]] = [[], []]
        self._second = False
        self._note = ""
        for kind in KINDS:
            self.add_key(f"kind-{kind}", size=28)
        for seat in SEATS:
            self.add_key(f"seat-{seat}", role="amber", size=30)
        for word in _WORDS:
            self.add_key(f"word-{word or 'none'}", size=26)
        for index in range(_CHIP_KEYS):
            self.add_key(f"chip-{index}", size=30)
        for code in ("typed_chip", "second", "clear", "back", "other_seat", "rows", "undo", "call_floor"):
            self.add_key(code, size=26)
        for code in ("nobody_knows", "floor_call", "floor_fold", "otherwise"):
            self.add_key(code, size=28)
        self.add_key("read", role="amber", size=32)
        self.add_key("done", role="go", size=34)

    def open_for(self, seat: int | None) -> None:
        """Open for the seat whose turn it is."""
        self.seat = seat
        self.wants_rows, self.corrects = False, None
        self._leaf, self._note = "kinds", ""
        self._forget()
        self.open_sheet()

    def _forget(self) -> None:
        self._word, self._second, self._motions = "", False, [[], []]
        self.use_number()

    def show_state(self, tr: Translator, state: ViewState, *, ready: bool) -> None:
        """Go away with the hand."""
        super().show_state(tr, state, ready=ready)
        if not self.isHidden() and state.between_hands:
            self.close_sheet()

    # -- leaves --------------------------------------------------------------------------------------------------------------

    def rows(self, tr: Translator, columns: int) -> list[Row]:
        """The leaf that is open."""
        self.enter = ""
        self.keys["back"].say(tr("sheet.back"))
        match self._leaf:
            case "seat":
                return self._seats(tr, columns)
            case "entry":
                return self._entry(tr, columns)
            case "ruling":
                return self._ruling(tr)
            case _:
                return self._kinds(tr, columns)

    def _kinds(self, tr: Translator, columns: int) -> list[Row]:
        """What was wrong."""
        self.title = self._titled(tr, tr("irregular.title"))
        in_turn = self.state.pad
        amounts = self.state.tracking != "cards"
        keys = []
        for kind in KINDS:
            key = self.keys[f"kind-{kind}"]
            key.say(tr(f"irregular.{kind}"))
            usable = self.seat is not None or kind == "out_of_turn"
            if kind == "check_facing_bet":
                usable = usable and not in_turn.can_check
            key.setEnabled(self.ready and amounts and usable)
            keys.append(key)
        self.keys["rows"].say(tr("irregular.rows"))
        self.keys["rows"].setEnabled(self.ready)
        return [*padded([*keys, self.keys["rows"]], 2)]

    def _titled(self, tr: Translator, text: str) -> str:
        return text if self.seat is None else f"{tr('ui.seat', seat=self.seat)}: {text}"

    def _seats(self, tr: Translator, columns: int) -> list[Row]:
        """Whose action it was."""
        self.title = tr("sheet.which_seat")
        keys = []
        for fact in self.state.seats:
            if fact.hand == "live":
                key = self.keys[f"seat-{fact.seat}"]
                key.say(str(fact.seat), name=tr("ui.seat", seat=fact.seat))
                key.set_role("chosen" if fact.seat == self.seat else "amber")
                keys.append(key)
        return [*padded(keys, columns), [self.keys["back"]]]

    def _entry(self, tr: Translator, columns: int) -> list[Row]:
        """What was said and pushed."""
        kind = KINDS[self._kind]
        self.title = self._titled(tr, tr(f"irregular.{self._kind}"))
        if self.seat is not None:
            purpose = "number_said" if kind.number else "number_chip"
            self.number_for = tr(f"irregular.{purpose}", seat=self.seat)
        rows: list[Row] = []
        if kind.words:
            rows += [(tr("irregular.said"), 24), *padded(self._words(tr, kind.words), columns)]
        if kind.number and self._kind != "unclear":
            rows.append((tr("irregular.type_said"), 24))
        if kind.chips:
            rows += [(self._chips_text(tr), 26), *self._chip_rows(tr, kind, columns)]
        if self._kind == "unclear":
            rows.append((tr("irregular.type_unclear"), 24))
            self.keys["nobody_knows"].say(tr("irregular.nobody_knows"))
            self.keys["nobody_knows"].setEnabled(self.ready)
        read = self.keys["read"]
        read.say(tr("irregular.read"))
        read.setEnabled(self.ready and self.command_now() is not None)
        self.enter = "read"
        rows.append([self.keys["nobody_knows"], read] if self._kind == "unclear" else [read])
        self.keys["other_seat"].say(tr("irregular.other_seat"))
        self.keys["clear"].say(tr("sheet.clear_chips"))
        last = [self.keys["back"], self.keys["other_seat"]]
        rows.append([last[0], self.keys["clear"], last[1]] if kind.chips else last)
        if self._note:
            rows.insert(0, (self._note, 28))
        return rows

    def _words(self, tr: Translator, words: tuple[_Word, ...]) -> list[Key]:
        keys = []
        for word in words:
            key = self.keys[f"word-{word or 'none'}"]
            key.say(tr(f"action.{word}") if word else tr("sheet.no_word"))
            key.set_role("chosen" if word == self._word else "plain")
            keys.append(key)
        return keys

    def _chip_rows(self, tr: Translator, kind: Kind, columns: int) -> list[Row]:
        """A key a kind of chip; a chip that was typed; the second motion."""
        room = self.ready and len(self._motions[self._second]) < _MOST_CHIPS
        rows: list[Row] = []
        keys = []
        for index, value in enumerate(self._chip_values()):
            key = self.keys[f"chip-{index}"]
            key.say(tr.number(value), name=tr("sheet.add_chip", amount=value))
            key.setEnabled(room)
            keys.append(key)
        rows += padded(keys, columns)
        tools: list[Key] = []
        if kind.second:
            self.keys["second"].say(tr("sheet.second_motion"))
            self.keys["second"].set_role("chosen" if self._second else "plain")
            tools.insert(0, self.keys["second"])
        if not kind.number:
            typed = self.typed
            key = self.keys["typed_chip"]
            key.say(tr("sheet.add_chip", amount=typed) if typed else tr("sheet.add_chip_none"))
            key.setEnabled(room and typed is not None)
            tools.insert(0, key)
        elif (
            not keys
        ):  # nobody named the chips of this table: what is typed is a chip or the number that was said
            key = self.keys["typed_chip"]
            key.say(tr("irregular.as_chip", amount=self.typed) if self.typed else tr("sheet.add_chip_none"))
            key.setEnabled(room and self.typed is not None)
            tools.insert(0, key)
        return [*rows, tools] if tools else rows

    def _chip_values(self) -> tuple[int, ...]:
        table = self.state.table
        return tuple(sorted(table.chips, reverse=True)[:_CHIP_KEYS])[::-1] if table is not None else ()

    def _chips_text(self, tr: Translator) -> str:
        first, second = [" + ".join(tr.number(chip) for chip in chips) for chips in self._motions]
        if not first and not second:
            return tr("irregular.one_chip" if self._kind == "overchip" else "irregular.tap_chips")
        if not second:
            return tr("sheet.pushed_chips", chips=first)
        return tr("sheet.pushed_twice", chips=first or "0", more=second)

    def _reading(self) -> NoticeFact | None:
        """How the house read this seat's action, as the facts say it."""
        return None if self.seat is None else reading_of(self.state, self.seat)

    def _ruling(self, tr: Translator) -> list[Row]:
        """What it comes to, and what is left to do."""
        self.title = self._titled(tr, tr("ruling.title"))
        reading = self._reading()
        keys = self.keys
        keys["done"].say(tr("ruling.done"))
        keys["undo"].say(tr("ruling.undo"))
        keys["call_floor"].say(tr("pad.call_floor"))
        for code in ("undo", "call_floor", "floor_call", "floor_fold", "otherwise"):
            keys[code].setEnabled(self.ready)
        if reading is None:
            return [(tr("pad.hint_sent"), 30), [keys["undo"], keys["done"]]]
        rows = ruling_rows(tr, self.state, reading)
        reason = reading.params.get("reason")
        if not reading.params.get("action") and reason != "unclear":
            keys["floor_call"].say(tr("ruling.floor_call", amount=self.state.pad.call))
            keys["floor_fold"].say(tr("ruling.floor_fold"))
            rows.append([keys["floor_call"], keys["floor_fold"]])
        elif reading.params.get("action"):
            keys["otherwise"].say(tr("ruling.otherwise"))
            rows.append([keys["otherwise"], keys["call_floor"]])
        self.enter = "done"
        return [*rows, [keys["undo"], keys["done"]]]

    # -- what is sent --------------------------------------------------------------------------------------------------------

    def command_now(self) -> Irregular | None:
        """What would be sent: the number that is typed is what was said, where this sort of action has one."""
        kind = KINDS[self._kind]
        first, second = self._motions
        amount = self.typed if kind.number else None
        if self.seat is None:
            return None
        if self._kind == "unclear":
            return None if amount is None else Irregular(self.seat, self._word, amount, unclear=True)
        if not (self._word or first or amount):
            return None
        return Irregular(self.seat, self._word, amount, tuple(first), tuple(second))

    def answered(self, command: Command, result: Result) -> None:
        """The house has read it, or it could not be read; before its turn the alert says what is to be done."""
        if self.isHidden() or not isinstance(command, Irregular) or command.seat != self.seat:
            return
        if not result.ok:
            assert self.tr_ is not None
            self._note = refusal(self.tr_, result.code, result.params)
            self.arrange()
        elif any(alert.rule == "A1" and alert.seat == self.seat for alert in self.state.alerts):
            self.close_sheet()
        else:
            self._leaf = "ruling"
            self.arrange()

    def on_key(self, code: str) -> None:
        """Gather what was said and pushed, send it, and act on the ruling."""
        kind, _, rest = code.partition("-")
        self._note = ""
        if kind == "kind":
            self._choose(rest)
        elif kind == "seat":
            self.seat = int(rest)
            self._leaf = "entry"
        elif kind == "word":
            self._word = next(word for word in _WORDS if word == ("" if rest == "none" else rest))
        elif kind == "chip":
            self._add(self._chip_values()[int(rest)])
        elif code == "typed_chip" and self.typed is not None:
            value = self.typed
            self.use_number()
            self._add(value)
        elif code == "second":
            self._second = not self._second
        elif code == "clear":
            self._motions, self._second = [[], []], False
            self.use_number()
        elif code == "back":
            self._leaf = "entry" if self._leaf == "seat" and self.seat is not None else "kinds"
        elif code == "other_seat":
            self._leaf = "seat"
        elif code == "read":
            self._emit(self.command_now())
        elif code == "nobody_knows" and self.seat is not None:
            self._emit(Irregular(self.seat, unclear=True))
        else:
            self._after_ruling(code)
            return
        if not self.isHidden():
            self.arrange()

    def _choose(self, kind: str) -> None:
        self._kind = kind
        self._forget()
        if kind == "check_facing_bet" and self.seat is not None:
            self._emit(Irregular(self.seat, "check"))
        elif kind == "out_of_turn" or self.seat is None:
            self._leaf = "seat"
        else:
            self._leaf = "entry"

    def _add(self, value: int) -> None:
        """One chip more; a single chip without a word is all that there is to tell."""
        self._motions[self._second].append(value)
        if self._kind == "overchip":
            self._emit(self.command_now())

    def _emit(self, command: Command | None) -> None:
        if command is not None:
            self.command.emit(command)

    def _after_ruling(self, code: str) -> None:
        seat = self.seat
        if code == "undo":
            self.command.emit(Undo())
        elif code == "call_floor":
            self.command.emit(CallFloor())
            return
        elif code == "floor_call" and seat is not None:
            self.command.emit(Act(seat, "call", ruled=True))
        elif code == "floor_fold" and seat is not None:
            self.command.emit(Act(seat, "fold", ruled=True))
        elif code == "otherwise":
            self.corrects = seat
        elif code == "rows":
            self.wants_rows = True
        self.close_sheet()
