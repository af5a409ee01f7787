"""The decks' page: the register, a deck's next state, a new set-up, and the registrations and checks of :mod:`deck_set_up`."""

from __future__ import annotations

from typing import Final, Literal

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import Command
from dealer_assist.domain.equipment import (
    AskReceipt,
    CheckDeck,
    DeckView,
    RegisterDeck,
    SetDeck,
    SetupStep,
)
from dealer_assist.domain.link import Result
from dealer_assist.station import theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.pages.deck_set_up import DeckSetUp
from dealer_assist.station.pages.page import CENTRE, Leaves
from dealer_assist.station.pages.rows import BACKS, Cell, RowKey, SwatchKey, deck_name, moment
from dealer_assist.station.theme import HOLD_MS, Metrics
from dealer_assist.station.viewmodel import ViewState
from dealer_assist.station.wording import refusal

Mode = Literal["list", "new", "reason", "new_set_up"]
#: Where decks are registered card by card, the best place first.
ZONES: Final = ("muck", "gate", "check", "board", "burn")
#: Why a deck is kept for an investigation, or comes out of it.
REASONS: Final = ("counted_wrong", "marked_card", "damaged", "floor_asked")
#: A deck's state → the shape and colour it is shown with.
_SHAPES: Final = {
    "unfinished": ("ring", theme.INFO),
    "registered": ("circle", theme.GOOD),
    "in_use": ("circle", theme.GOLD),
    "out": ("outline", theme.QUIET),
    "quarantine": ("triangle", theme.HIGH),
    "retired": ("cross", theme.OFF),
}
_LINES: Final = 6
#: states in which a deck may come into use with a new set-up
_READY: Final = ("registered", "out")


class DecksPage(DeckSetUp):
    """Opened from the table's menu."""

    name = "decks"

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, metrics)
        self._mode: Mode = "list"
        self._chosen = ""
        self._leaves = Leaves()
        self._back = "red"
        self._zone = ""
        self._set: tuple[str, ...] = ()
        self._shown: tuple[DeckView, ...] = ()
        for number in range(_LINES):
            self._row_key(f"deck-{number}", str(number + 1))
        for code, letter in (("check", "C"), ("use", "U"), ("out", "O"), ("quarantine", "Q"), ("last", "R")):
            self.add_key(code, size=26, shortcut=letter)
        self.add_key("retire", role="stop", size=26, shortcut="D", hold_ms=HOLD_MS)
        self.add_key("go_on", role="go", size=26, shortcut="G")
        self.add_key("again", size=26, shortcut="A")
        self.add_key("new", role="go", size=28, shortcut="N")
        self.add_key("set", size=28, shortcut="S")
        self.add_key("earlier", size=28, shortcut=",")
        self.add_key("later", size=28, shortcut=".")
        self.add_key("to_list", size=28, shortcut="L")
        self.add_key("begin", role="go", size=30, shortcut="⏎")
        for back, letter in zip(BACKS, "REGKYP", strict=True):
            code = f"back-{back}"
            key = SwatchKey(self, code, px=metrics.text_px(28), shortcut=letter, back=back)
            key.chosen.connect(self._on_key)
            key.hide()
            self.keys[code], self._sizes[code] = key, 28
        for zone in ZONES:
            self.add_key(f"zone-{zone}", size=28)
        for reason, letter in zip(REASONS, "CMDF", strict=True):
            self.add_key(f"reason-{reason}", size=30, shortcut=letter)

    def _row_key(self, code: str, shortcut: str) -> None:
        key = RowKey(self, code, px=self._metrics.text_px(26))
        key.chosen.connect(self._on_key)
        key.hide()
        self.keys[code], self._sizes[code] = key, 26

    def opened(self) -> None:
        """Begin with the register."""
        self._mode, self.receipt, self._chosen = "list", None, ""
        self._leaves = Leaves()

    def left(self) -> None:
        """What nobody looks at is left off; a registration is gone on with later."""
        self.leave_off("registration", "check")

    def show_state(self, tr: Translator, state: ViewState, *, ready: bool) -> None:
        """Follow the state; a check in which all cards are read is finished."""
        before = self.state.setup.what
        super().show_state(tr, state, ready=ready)
        if state.setup.what and not before:
            self._mode, self.receipt, self.note = "list", None, ""
        self.finish_when_all_read(state.setup)

    def answered(self, command: Command, result: Result) -> None:
        """A refusal is said; a receipt is shown."""
        if not result.ok and isinstance(command, RegisterDeck | CheckDeck | SetDeck | AskReceipt | SetupStep):
            if self.tr_ is not None:
                self.say(refusal(self.tr_, result.code, {**result.params}))
            if result.code == "floor_not_signed_in":
                self.badge_wanted.emit()
            return
        if isinstance(command, AskReceipt | SetupStep) and "receipt" in result.params:
            self.receipt = dict(result.params["receipt"])
            self.arrange()

    # -- what is shown -----------------------------------------------------------------------------------------------------

    def lay_out(self, tr: Translator, box: QRectF) -> None:
        """What is going on; else the receipt; else the register and what can be done."""
        fact = self.state.setup
        if fact.what == "registration":
            self.lay_out_registration(tr, box, fact)
        elif fact.what == "check":
            self.lay_out_check(tr, box, fact)
        elif self.receipt is not None:
            self.lay_out_receipt(tr, box, self.receipt)
        elif self._mode == "new":
            self._lay_out_new(tr, box)
        elif self._mode == "reason":
            self._lay_out_reason(tr, box)
        else:
            self._lay_out_list(tr, box)

    def _lay_out_list(self, tr: Translator, box: QRectF) -> None:
        gap, key_h = self.gap, self.key_h
        choosing = self._mode == "new_set_up"
        bottom = box.bottom() - key_h
        actions = bottom - gap - key_h
        help_h = self.px(56)
        decks = self.state.decks
        if choosing:
            decks = tuple([deck for deck in decks if deck.state in _READY])
        top = box.top() + help_h
        per_leaf = max(1, min(_LINES, int((actions - top) / (key_h + 6))))
        self._shown = self._leaves.cut(decks, per_leaf)
        said = self._said(tr, decks, choosing=choosing)
        self.write(said, QRectF(box.left(), box.top(), box.width(), help_h), 25, ink=theme.QUIET, lines=2)
        for number, deck in enumerate(self._shown):
            line = QRectF(box.left(), top + number * (key_h + 6), box.width(), key_h)
            self._row(tr, f"deck-{number}", deck, line)
        if not decks:
            middle = QRectF(box.left(), top, box.width(), actions - top)
            self.write(tr("page_decks.none"), middle, 32, ink=theme.QUIET, align=CENTRE, lines=2, weight=600)
        turning = ["earlier", "later"] if self._leaves.count > 1 else []
        for code in turning:
            self.keys[code].say(tr(f"page_decks.{code}"))
        last = QRectF(box.left(), bottom, box.width(), key_h)
        if choosing:
            self.put_row(["begin", "to_list", *turning], last)
            self.keys["begin"].say(tr("page_decks.bring_in", count=len(self._set)))
            self.keys["begin"].setEnabled(self.ready and bool(self._set))
            self.keys["to_list"].say(tr("page_decks.to_list"))
            return
        self._actions(tr, QRectF(box.left(), actions, box.width(), key_h))
        self.put_row(["new", "set", "last", *turning], last)
        for code in ("new", "set", "last"):
            self.keys[code].say(tr(f"page_decks.{code}"))
            self.keys[code].setEnabled(self.ready)
        self.keys["set"].setEnabled(self.ready and any(deck.state in _READY for deck in decks))

    def _said(self, tr: Translator, decks: tuple[DeckView, ...], *, choosing: bool) -> str:
        if choosing:
            return tr("page_decks.set_help")
        if self.state.setup.note in ("registered", "paused", "cancelled"):
            params = {
                key: deck_name(tr, str(value)) if key == "deck" else value
                for key, value in self.state.setup.params.items()
            }
            return tr.coded("setup_note", self.state.setup.note, params)
        return tr("page_decks.list_help") if decks else ""

    def _row(self, tr: Translator, code: str, deck: DeckView, box: QRectF) -> None:
        key = self.keys[code]
        assert isinstance(key, RowKey)
        self.put(code, box)
        picked = deck.deck in self._set if self._mode == "new_set_up" else deck.deck == self._chosen
        key.set_role("chosen" if picked else "outline")
        state = tr(f"deck_life.{deck.state}")
        if deck.state == "unfinished":
            state = f"{state}, {tr('page_decks.of', done=deck.cards, of=52)}"
        checked = moment(tr, deck.checked_s)
        marks = [tr("page_decks.long_in_use")] if deck.long_in_use else []
        marks += [tr("page_decks.wrong_counts", count=deck.wrong_counts)] if deck.wrong_counts else []
        if deck.reason:
            known = tr.has(f"deck_reason.{deck.reason}")
            marks.append(tr(f"deck_reason.{deck.reason}") if known else deck.reason)
        seen = tr("page_decks.checked", when=checked) if checked else tr("page_decks.never_checked")
        cells = (
            Cell(deck_name(tr, deck.deck), 0.2, weight=700),
            Cell(state, 0.22, _SHAPES[deck.state][1] if deck.state != "retired" else theme.QUIET, 600),
            Cell(seen, 0.33, theme.QUIET),
            Cell(" · ".join(marks), 0.25, theme.MEDIUM, 600),
        )
        key.show_row(cells, back=deck.back or "-")

    def _actions(self, tr: Translator, box: QRectF) -> None:
        """What can be done with the chosen deck."""
        deck = next((deck for deck in self._shown if deck.deck == self._chosen), None)
        if deck is None:
            return
        codes = {
            "unfinished": ["go_on", "retire"],
            "registered": ["use", "check", "quarantine", "again", "retire"],
            "in_use": ["out", "check", "quarantine", "retire"],
            "out": ["use", "check", "quarantine", "again", "retire"],
            "quarantine": ["check", "out", "retire"],
            "retired": [],
        }[deck.state]
        self.put_row(codes, box)
        for code in codes:
            word = "release" if code == "out" and deck.state == "quarantine" else code
            self.keys[code].say(tr(f"page_decks.{word}"))
            self.keys[code].setEnabled(self.ready)

    def _lay_out_new(self, tr: Translator, box: QRectF) -> None:
        """Name, back and antenna of a deck that is to be registered."""
        gap, key_h = self.gap, self.key_h
        line_h = self.px(64)
        top = box.top()
        name = deck_name(tr, self._new_name())
        self.write(
            tr("page_decks.new_name", deck=name), QRectF(box.left(), top, box.width(), line_h), 34, weight=700
        )
        top += line_h
        self.write(
            tr("page_decks.new_help"),
            QRectF(box.left(), top, box.width(), line_h),
            25,
            ink=theme.QUIET,
            lines=2,
        )
        top += line_h + gap
        self.write(tr("page_decks.new_back"), QRectF(box.left(), top, box.width(), line_h), 28, weight=600)
        top += line_h
        backs = [f"back-{back}" for back in BACKS]
        for row in (backs[:3], backs[3:]):
            self.put_row(row, QRectF(box.left(), top, box.width(), key_h))
            top += key_h + gap
        for back in BACKS:
            key = self.keys[f"back-{back}"]
            key.say(tr(f"back.{back}"))
            key.set_role("chosen" if back == self._back else "plain")
        zones = self._zones()
        if len(zones) > 1:
            self.write(
                tr("page_decks.new_zone"), QRectF(box.left(), top, box.width(), line_h), 28, weight=600
            )
            top += line_h
            self.put_row([f"zone-{zone}" for zone in zones], QRectF(box.left(), top, box.width(), key_h))
            for zone in zones:
                self.keys[f"zone-{zone}"].say(tr(f"zone_cap.{zone}"))
                self.keys[f"zone-{zone}"].set_role("chosen" if zone == self._at(zones) else "plain")
        self.put_row(["begin", "to_list"], QRectF(box.left(), box.bottom() - key_h, box.width(), key_h))
        self.keys["begin"].say(tr("page_decks.begin"))
        self.keys["begin"].setEnabled(self.ready and bool(zones))
        self.keys["to_list"].say(tr("page_decks.to_list"))

    def _lay_out_reason(self, tr: Translator, box: QRectF) -> None:
        """Why a deck is kept, or comes out."""
        gap, key_h = self.gap, self.key_h
        line_h = self.px(64)
        deck = next((deck for deck in self.state.decks if deck.deck == self._chosen), None)
        word = "reason_out" if deck is not None and deck.state == "quarantine" else "reason"
        title = tr(f"page_decks.{word}", deck=deck_name(tr, self._chosen))
        self.write(title, QRectF(box.left(), box.top(), box.width(), line_h), 32, weight=700)
        for number, reason in enumerate(REASONS):
            top = box.top() + line_h + gap + number * (key_h + gap)
            key = self.put(f"reason-{reason}", QRectF(box.left(), top, box.width(), key_h))
            key.say(tr(f"deck_reason.{reason}"))
            key.setEnabled(self.ready)
        back = self.put("to_list", QRectF(box.left(), box.bottom() - key_h, box.width(), key_h))
        back.say(tr("page_decks.to_list"))

    # -- what is chosen ----------------------------------------------------------------------------------------------------

    def _new_name(self) -> str:
        """The colour and the number that is typed, or the next one that is free."""
        names = {deck.deck for deck in self.state.decks}
        number = int(self.entry) if self.entry else 1
        while not self.entry and f"{self._back} {number}" in names:
            number += 1
        return f"{self._back} {number}"

    def _zones(self) -> tuple[str, ...]:
        """Where there is an antenna to lay cards on one by one."""
        there = {antenna.zone for antenna in self.state.antennas}
        return tuple([zone for zone in ZONES if zone in there])

    def _at(self, zones: tuple[str, ...]) -> str:
        return self._zone if self._zone in zones else next(iter(zones), "")

    def on_key(self, code: str) -> None:
        """Send, or show another part of the page."""
        if self.state.setup.what in ("registration", "check"):
            self.sets_up = True
            self.step(code, self.state.setup)
            return
        kind, _, rest = code.partition("-")
        self.note = ""
        if kind == "deck":
            self._choose(self._shown[int(rest)].deck)
        elif kind == "back":
            self._back = rest
        elif kind == "zone":
            self._zone = rest
        elif kind == "reason":
            self._sent_reason(rest)
        elif code in ("earlier", "later"):
            self._leaves.turn(-1 if code == "earlier" else 1)
        elif code in ("new", "to_list", "receipt_done", "set", "quarantine"):
            self._turn_to(code)
        else:
            self._do(code)
        self.arrange()

    def _turn_to(self, code: str) -> None:
        self.receipt = None
        modes: dict[str, Mode] = {"new": "new", "set": "new_set_up", "quarantine": "reason"}
        self._mode = modes.get(code, "list")
        if code == "set":
            self._leaves = Leaves()
            ready = [deck.deck for deck in self.state.decks if deck.state == "registered"]
            self._set = tuple(ready[-2:])

    def _choose(self, deck: str) -> None:
        if self._mode != "new_set_up":
            self._chosen = "" if deck == self._chosen else deck
        elif deck in self._set:
            self._set = tuple([one for one in self._set if one != deck])
        else:
            self._set = (*self._set, deck)

    def _sent_reason(self, reason: str) -> None:
        deck = next((deck for deck in self.state.decks if deck.deck == self._chosen), None)
        if deck is not None:
            self.command.emit(
                SetDeck(deck.deck, "out" if deck.state == "quarantine" else "quarantine", reason)
            )
        self._mode = "list"

    def _do(self, code: str) -> None:
        self.sets_up = self.sets_up or code in ("begin", "go_on", "again", "check")
        deck = next((deck for deck in self.state.decks if deck.deck == self._chosen), None)
        if code == "begin" and self._mode == "new_set_up":
            self._bring_in()
        elif code == "begin":
            self.command.emit(RegisterDeck(self._new_name(), self._back, self._at(self._zones())))
            self.number_used.emit()
        elif code == "last":
            self.command.emit(AskReceipt())
        elif deck is None:
            return
        elif code in ("go_on", "again"):
            zone = self._at(self._zones())
            self.command.emit(RegisterDeck(deck.deck, deck.back, zone, again=code == "again"))
        elif code == "check":
            self.command.emit(CheckDeck(deck.deck, dealer=self.entry))
            self.number_used.emit()
        elif code == "out" and deck.state == "quarantine":
            self._mode = "reason"
        elif code == "use":
            self.command.emit(SetDeck(deck.deck, "in_use"))
        elif code == "out":
            self.command.emit(SetDeck(deck.deck, "out"))
        elif code == "retire":
            self.command.emit(SetDeck(deck.deck, "retired"))

    def _bring_in(self) -> None:
        """A new set-up: the chosen decks come into use, those that were in use go off the table."""
        for deck in self.state.decks:
            if deck.state == "in_use":
                self.command.emit(SetDeck(deck.deck, "out"))
        for name in self._set:
            self.command.emit(SetDeck(name, "in_use"))
        self._mode, self._set = "list", ()
