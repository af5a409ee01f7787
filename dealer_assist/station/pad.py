"""The action pad: keypad first, then the actions, undo, irregular action, report and floor. Its keys never move, whatever else happens.

The keypad has one owner at a time, and the display names it: the seat whose action it is, or the sheet that has borrowed it for a number
of its own. A number typed for one is never shown, or sent, as the other's.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Final

from PySide6.QtCore import QElapsedTimer, QRect, Signal
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import RunIt, SetPoint, Straddle
from dealer_assist.domain.facts import PadFact
from dealer_assist.station.entry import raise_to, typed
from dealer_assist.station.i18n import Translator
from dealer_assist.station.keys import Key
from dealer_assist.station.pad_display import Display, Shown
from dealer_assist.station.pad_means import (
    asked_of,
    asks_table,
    beyond_stack,
    command_of,
    legal_of,
    needs_count,
    ready_of,
    table_keys,
)
from dealer_assist.station.pad_place import ACTIONS, ASKS, DIGITS, FOOT, PRESETS, places
from dealer_assist.station.showdown_list import ShowdownList
from dealer_assist.station.theme import Metrics
from dealer_assist.station.viewmodel import ViewState
from dealer_assist.station.wording import game_name, run_it_text, undo_text

#: keys that stand in the place of the presets while nobody acts
EXTRAS: Final = (*ASKS, "shuffled", "game-0", "game-1", "other_game", "kill", "pushed_otherwise")
_SHORTCUTS: Final = {
    "fold": "F",
    "call": "C",
    "raise": "R",
    "all_in": "A",
    "go": "D",
    "undo": "U",
    "irregular": "X",
    "report": "I",
    "call_floor": "L",
    "ready-0": "M",
    "ready-1": "H",
    "ready-2": "J",
    "ready-3": "P",
    "ask-0": "Q",
    "ask-1": "W",
    "ask-2": "E",
    "shuffled": "S",
    "game-0": "B",
    "game-1": "G",
    "other_game": "B",
    "kill": "K",
    "pushed_otherwise": "O",
}
#: A finger that comes down sooner than this after the table changed on its own was on its way to what the key stood for before, in ms:
#: people need about 250 ms to react to what they see (Woods et al., Frontiers in Human Neuroscience 9 (2015) 131: 231 ms).
REACTION_MS: Final = 250
#: the keys whose meaning moves with the game
_MOVING: Final = (*ACTIONS, *PRESETS, "go", "undo")
#: sizes of the keys' texts at 1920 × 1080, where it is not that of a small key
_SIZES: Final = {"go": 40, **dict.fromkeys((*DIGITS, *ACTIONS), 34)}
_SMALL: Final = 26


class Pad(QWidget):
    """The keys of the dealer. ``command`` carries what was tapped; the others ask for a sheet.

    ``entry_changed``: what is typed for whoever has borrowed the keypad; ``ahead_changed``: the seat that is entered ahead of its turn.
    """

    command = Signal(object)
    report_wanted = Signal()
    irregular_wanted = Signal()
    cards_wanted = Signal(int)
    entry_changed = Signal(str)
    ahead_changed = Signal()
    games_wanted = Signal()
    push_wanted = Signal()

    def __init__(self, parent: QWidget, metrics: Metrics, *, mirrored: bool = False) -> None:
        super().__init__(parent)
        self.setObjectName("pad")
        self.entry = ""
        #: what the keypad is borrowed for, empty while it is the action's; and the number typed for that
        self.lent_for = ""
        self.lent_entry = ""
        self.digits_barred = False
        self.ahead: int | None = None
        self._state = ViewState()
        self._tr: Translator | None = None
        self._message = ""
        self._waiting = False
        self._mirrored = mirrored
        self._metrics = metrics
        self._meant: dict[str, object] = {}
        #: what the keys stood for before the table last changed on its own, "" for one that was not there; how long ago that was
        self._before: dict[str, object] = {}
        self._changed = QElapsedTimer()
        self.display = Display(self)
        self.keys: dict[str, Key] = {}
        for code in DIGITS:
            self._add(code, role="digit", sign="delete" if code == "delete" else "")
        for code in PRESETS:
            self._add(code, max_lines=1)
        for code in ACTIONS:
            self._add(code, role=code, weight=800)
        self._add("go", role="go", weight=800)
        self._add("undo", role="outline", sign="undo")
        for code in FOOT:
            self._add(code)
        for code in EXTRAS:
            self._add(code, role="amber" if code in ("shuffled", *ASKS) else "plain")
            self.keys[code].hide()
        self.showdown = ShowdownList(self)
        self.showdown.command.connect(self.command)
        self.showdown.cards_wanted.connect(self.cards_wanted)
        self.place(metrics)

    def _add(
        self, code: str, *, role: str = "plain", weight: int = 600, sign: str = "", max_lines: int = 2
    ) -> None:
        key = Key(
            self,
            code,
            role=role,
            weight=weight,
            sign=sign,
            shortcut=_SHORTCUTS.get(code, ""),
            max_lines=max_lines,
        )
        key.chosen.connect(self._on_key)
        key.pressed.connect(self._on_pressed)
        self.keys[code] = key

    # -- geometry ----------------------------------------------------------------------------------------------------------

    def place(self, metrics: Metrics) -> None:
        """Put every key in its place."""
        self._metrics = metrics
        for code, key in self.keys.items():
            key.px = metrics.text_px(_SIZES.get(code, _SMALL))
        self.showdown.arrange(metrics)
        self._place()

    def mirror(self, *, mirrored: bool) -> None:
        """For the left hand, or for the right one."""
        if mirrored != self._mirrored:
            self._mirrored = mirrored
            self._place()

    def _place(self) -> None:
        """A function of the window, the hand side and the table's set-up alone."""
        place = places(self._metrics, mirrored=self._mirrored, between=table_keys(self._state.table))
        for code, key in self.keys.items():
            if code in place:
                key.setGeometry(place[code])
        self.display.setGeometry(place["display"])
        self._listing = place["listing"]
        self._row = place["pushed_otherwise"]
        self.showdown.setGeometry(self._listing)

    # -- who has the keypad --------------------------------------------------------------------------------------------------

    def lend(self, purpose: str, *, barred: bool = False) -> None:
        """The keypad types a number for ``purpose``; empty: for the action; ``barred``: nothing, while a page asks for a secret."""
        if (purpose, barred) == (self.lent_for, self.digits_barred):
            return
        begins = bool(purpose) != bool(self.lent_for)
        self.lent_for, self.digits_barred = purpose, barred
        if begins:
            self._message = ""
            self._set_lent("")
        self.refresh()

    def choose(self, seat: int | None) -> None:
        """By exception: the next action is of this seat, ahead of the one in turn, as far as the facts offer it; None: of that one."""
        offered = any(each.seat == seat for each in self._state.pad.ahead)
        wanted = seat if offered else None
        if wanted != self.ahead:
            self.ahead = wanted
            self._message = ""
            self.entry = ""
            self.refresh()
            self.ahead_changed.emit()

    @property
    def legal(self) -> PadFact:
        """The legal actions of the seat that the pad is about."""
        return legal_of(self._state, self.ahead)

    # -- state -------------------------------------------------------------------------------------------------------------

    def show_state(self, tr: Translator, state: ViewState) -> None:
        """Show what may be done now."""
        before = (self._state.pad.seat, self._state.hand and (self._state.hand.hand, self._state.hand.street))
        after = (state.pad.seat, state.hand and (state.hand.hand, state.hand.street))
        if state.seq != self._state.seq or state.link != self._state.link:
            if self._waiting:  # the answer to a tap is what the dealer waits for
                self._changed.invalidate()
            elif self._live():
                self._before = {
                    code: self._meaning(code) if self.keys[code].isVisible() else "" for code in _MOVING
                }
                self._changed.start()
            self._waiting = False
        another_table = table_keys(state.table) != table_keys(self._state.table)
        self._tr, self._state = tr, state
        if another_table:
            self._place()
        if before != after:
            self.entry = ""
            self._message = ""
        if before != after or not any(each.seat == self.ahead for each in state.pad.ahead):
            self.choose(None)
        self.refresh()

    def say(self, message: str, *, waiting: bool = False) -> None:
        """Show what became of a tap in the display, until the next key or turn."""
        self._message = message
        self._waiting = waiting
        self.refresh()

    @property
    def message(self) -> str:
        """The message shown, empty when there is none."""
        return self._message

    def refresh(self) -> None:
        """Bring every key up to date."""
        tr, state = self._tr, self._state
        if tr is None:
            return
        ready = state.link == "ready" and not self._waiting
        for code in DIGITS:
            key = self.keys[code]
            key.say("" if code == "delete" else code, name=tr("pad.delete") if code == "delete" else code)
            key.set_role("digit_lent" if self.lent_for else "digit")
            key.setEnabled(not self.digits_barred)
        self._refresh_actions(tr, ready=ready)
        self.keys["undo"].say(undo_text(tr, state))
        self.keys["undo"].setEnabled(ready and bool(state.undo.code))
        for code in FOOT:
            self.keys[code].say(tr(f"pad.{code}"))
        self.keys["irregular"].setEnabled(ready and not state.between_hands)
        self.keys["call_floor"].setEnabled(state.link == "ready")
        self._refresh_mode(tr, ready=ready)
        self._refresh_display(tr)

    def _refresh_actions(self, tr: Translator, *, ready: bool) -> None:
        """Fold, call, raise, all-in and the ready amounts of the seat that the pad is about."""
        state, pad = self._state, self.legal
        acting = pad.seat is not None and ready
        own = acting and not self.lent_for
        amount, verdict = raise_to(self.entry, pad)
        ready_amounts = ready_of(state, pad)
        for code, each in zip_longest(PRESETS, ready_amounts):
            key = self.keys[code]
            key.say(*(("", "") if each is None else (tr(f"pad.{each.kind}"), tr.number(each.to))))
            key.set_role("plain" if each is None or self.entry else "raise")
            key.setEnabled(own and each is not None)
        self.keys["fold"].say(tr("pad.fold"))
        call = self.keys["call"]
        if pad.can_check:
            call.say(tr("pad.check"))
        else:
            call.say(tr("pad.call", amount=pad.call) if pad.call else tr("pad.call_none"))
        cards_only = state.tracking == "cards"
        self.keys["fold"].setEnabled(acting and not cards_only)  # the cards say it
        call.setEnabled(acting and not cards_only and (pad.can_check or pad.call > 0))
        word = "bet" if pad.is_bet else "raise"
        beyond = beyond_stack(state, pad, verdict)
        counted = "_counted" if beyond else ""
        told = amount is not None and not self.lent_for
        self.keys["raise"].say(tr(f"pad.{word}{counted}", amount=amount) if told else tr(f"pad.{word}_none"))
        self.keys["raise"].setEnabled(own and (verdict in ("ok", "default") or beyond or cards_only))
        self.keys["all_in"].say(self._all_in_text(tr, pad))
        self.keys["all_in"].setEnabled(own)

    def _refresh_mode(self, tr: Translator, *, ready: bool) -> None:
        """Which of the keys that share a place are there."""
        state = self._state
        pad = state.pad
        showdown = bool(state.showdown_seats) or (pad.can_push and pad.seat is None)
        listing = showdown and not self.lent_for
        going = showdown or pad.can_open
        go = self.keys["go"]
        go.say(tr("pad.next_hand" if pad.can_open else "pad.push"))
        go.setEnabled(ready and (pad.can_open or pad.can_push))
        go.setVisible(going)
        for code in ACTIONS:
            self.keys[code].setVisible(not going)
        shown = self._refresh_extras(tr, ready=ready, showdown=showdown)
        for code in DIGITS:
            self.keys[code].setVisible(not listing)
        amounts = len(ready_of(state, self.legal))
        for place, code in enumerate(PRESETS):
            self.keys[code].setVisible(not listing and not shown and place < amounts)
        self.showdown.setVisible(listing)
        room = self._listing if shown else QRect(self._listing).united(self._row)
        self.showdown.setGeometry(room)
        if listing:
            self.showdown.show_state(tr, state, ready=ready)

    def _refresh_extras(self, tr: Translator, *, ready: bool, showdown: bool) -> tuple[str, ...]:
        """The keys in the presets' place that count while nobody acts: those of the table, or what single seats are asked."""
        state = self._state
        shown: tuple[str, ...] = ()
        if asks_table(state, listing=showdown):
            shown = table_keys(state.table)
        elif asks := asked_of(state):
            shown = ASKS[: len(asks)]
        elif showdown and state.pad.can_push:
            shown = ("pushed_otherwise",)
        for code in EXTRAS:
            key = self.keys[code]
            key.setVisible(code in shown)
            key.setEnabled(ready)
            if code in shown:
                self._say_extra(tr, code, key)
        self.keys["shuffled"].setEnabled(ready and state.deck_waits)
        for code in ("game-0", "game-1", "other_game", "kill"):
            self.keys[code].setEnabled(ready and state.pad.can_open)
        return shown

    def _say_extra(self, tr: Translator, code: str, key: Key) -> None:
        state = self._state
        if code in ASKS:
            ask = asked_of(state)[ASKS.index(code)]
            key.set_role("amber")
            match ask:
                case SetPoint():
                    key.say(tr("pad.point_key", seat=ask.seat, card=ask.card))
                case RunIt():
                    stands = ask.times == state.board.runs
                    key.say(run_it_text(tr, ask.times))
                    key.set_role("chosen" if stands else "amber")
                    key.setEnabled(key.isEnabled() and not stands)
                case Straddle():
                    key.say(tr("pad.straddle_key", seat=ask.seat), tr.number(ask.amount))
                case _:
                    key.say(tr("pad.unfold_key", seat=ask.seat))
        elif code in ("game-0", "game-1"):
            key.say(tr("pad.next_game", game=game_name(tr, state.other_games[int(code[-1])])))
        else:
            key.say(tr(f"pad.kill_{state.kill}" if code == "kill" else f"pad.{code}"))

    def _refresh_display(self, tr: Translator) -> None:
        state, pad = self._state, self.legal
        entry = self.lent_entry if self.lent_for else self.entry
        value = tr.number(int(entry)) if entry else ""
        plate = self.lent_for or (str(pad.seat) if pad.seat is not None else "")
        lent = bool(self.lent_for)
        if self._message:
            self.display.say(Shown(plate, value, self._message, trouble=not self._waiting, lent=lent))
        elif state.link != "ready":
            self.display.say(Shown("", value, faint=True))
        elif lent:
            self.display.say(Shown(plate, value, lent=True))
        else:
            hint, trouble = self._hint(tr, pad)
            self.display.say(Shown(plate, value, hint, trouble=trouble))

    def _hint(self, tr: Translator, pad: PadFact) -> tuple[str, bool]:
        """What may be typed, and whether what is typed may not."""
        _, verdict = raise_to(self.entry, pad)
        match verdict:
            case "low":
                return tr("pad.hint_min", amount=pad.min_to), True
            case "high":
                code = "hint_counted" if beyond_stack(self._state, pad, verdict) else "hint_max"
                return tr(f"pad.{code}", amount=pad.max_to), True
            case "default" | "ok" if pad.max_to is None:
                return tr("pad.hint_min", amount=pad.min_to), False
            case "default" | "ok":
                return tr("pad.hint_limits", min_to=pad.min_to, max_to=pad.max_to), False
            case _ if pad.seat is not None and not self.entry:
                return tr("pad.hint_no_raise"), False
            case _:
                return tr("pad.showdown") if pad.showdown else "", False

    def _all_in_text(self, tr: Translator, pad: PadFact) -> str:
        if self._state.tracking == "cards" or self.lent_for:
            return tr("pad.all_in")
        if self.entry:
            return tr("pad.all_in_to", amount=int(self.entry))
        return tr("pad.all_in_count" if needs_count(self._state, pad, self.entry) else "pad.all_in")

    # -- taps --------------------------------------------------------------------------------------------------------------

    def _set_lent(self, entry: str) -> None:
        if entry != self.lent_entry:
            self.lent_entry = entry
            self.entry_changed.emit(entry)

    def clear_entry(self) -> None:
        """Forget what was typed for the action."""
        self.entry = ""
        self.refresh()

    def clear_lent(self) -> None:
        """What was typed for the borrower has been used."""
        self._set_lent("")
        self.refresh()

    def _live(self) -> bool:
        """Whether a finger may be on its way to a key that does something with the game."""
        return any(self.keys[code].isVisible() and self.keys[code].isEnabled() for code in (*ACTIONS, "go"))

    def _meaning(self, code: str) -> object:
        """All that a key stands for at this moment: what it sends, and what the screen says that this does."""
        state = self._state
        seen = {"undo": state.undo, "go": state.now, "call": self.legal.call}.get(code)
        return command_of(code, state, self.legal, self.entry), seen

    def _on_pressed(self) -> None:
        key = self.sender()
        if isinstance(key, Key):
            late = self._changed.isValid() and self._changed.elapsed() < REACTION_MS
            meaning = self._meaning(key.code)
            self._meant[key.code] = self._before.get(key.code, meaning) if late else meaning

    def _on_key(self, code: str) -> None:
        meant = self._meant.pop(code, None)
        if code in DIGITS:
            self._message = ""
            if self.lent_for:
                self._set_lent(typed(self.lent_entry, code))
            else:
                self._enter(typed(self.entry, code))
            self.refresh()
        elif code in PRESETS:
            self._on_ready(code, meant)
        elif code == "irregular":
            self.irregular_wanted.emit()
        elif code == "report":
            self.report_wanted.emit()
        elif code == "other_game":
            self.games_wanted.emit()
        elif code == "pushed_otherwise":
            self.push_wanted.emit()
        else:
            self._as_meant(code, meant)

    def _enter(self, entry: str) -> None:
        """The action's number, from the keypad or a ready amount: the dealer knows what that changes of other keys' meaning."""
        same = [name for name, before in self._before.items() if before == self._meaning(name)]
        self.entry = entry
        self._before.update({name: self._meaning(name) for name in same})

    def _as_meant(self, code: str, meant: object) -> None:
        if meant is not None and meant != self._meaning(code):
            assert self._tr is not None
            self.say(self._tr("refusal.stale"))  # the table moved on while the finger was down
        else:
            self._tapped(code)

    def _on_ready(self, code: str, meant: object) -> None:
        """A ready amount is sent; where something is typed already it only takes its place, so that a slip sends nothing."""
        found = ready_of(self._state, self.legal)[PRESETS.index(code) :]
        if not self.entry:
            self._as_meant(code, meant)
        elif found:
            self._message = ""
            self._enter(str(found[0].to))
            self.refresh()

    def _tapped(self, code: str) -> None:
        command = command_of(code, self._state, self.legal, self.entry)
        if command is not None:
            self.command.emit(command)
        elif code == "all_in" and needs_count(self._state, self.legal, self.entry) and self._tr is not None:
            self.say(self._tr("refusal.count_needed"))
