"""The action pad: keypad first, then the actions, undo, report and floor. Its keys never move, whatever else happens."""

from __future__ import annotations

from typing import Final, Literal

from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import (
    Act,
    CallFloor,
    Command,
    OpenHand,
    PushPots,
    RunIt,
    SetPoint,
    Shuffled,
    Straddle,
    Undo,
    Unfold,
)
from dealer_assist.station import lettering, theme
from dealer_assist.station.entry import raise_to, typed
from dealer_assist.station.i18n import Translator
from dealer_assist.station.keys import Key
from dealer_assist.station.showdown_list import ShowdownList
from dealer_assist.station.theme import Metrics
from dealer_assist.station.viewmodel import ViewState
from dealer_assist.station.wording import game_name, run_it_text, undo_text

DIGITS: Final = ("7", "8", "9", "4", "5", "6", "1", "2", "3", "0", "00", "delete")
PRESETS: Final = ("min", "half_pot", "whole_pot")
#: keys that stand in the place of the presets while nobody acts
_ASKS: Final = ("ask-0", "ask-1", "ask-2")
EXTRAS: Final = (*_ASKS, "shuffled", "game-0", "game-1", "other_game", "kill", "pushed_otherwise")
_SHORTCUTS: Final = {
    "fold": "F",
    "call": "C",
    "raise": "R",
    "all_in": "A",
    "go": "D",
    "undo": "U",
    "report": "I",
    "call_floor": "L",
    "min": "M",
    "half_pot": "H",
    "whole_pot": "P",
}


def asked_of(state: ViewState) -> tuple[SetPoint | Unfold | Straddle | RunIt, ...]:
    """What one tap answers now: the point card of the seat in turn, who buys his hand back, who straddles, how often to run it.

    More seats or cards than the presets' place has room for are reached by a tap on the seat.
    """
    now = state.now
    if state.pad.run_it:  # all agreed; until the next card they may change their minds
        runs = [times for times in range(1, state.pad.run_it + 1) if times != state.board.runs]
        return tuple([RunIt(times) for times in runs])
    if state.pad.straddles and state.pad.seat is None and len(state.pad.straddles) <= len(_ASKS):
        return tuple([Straddle(offer.seat, offer.least) for offer in state.pad.straddles])
    seats = tuple(now.params.get("seats") or ()) if now is not None else ()
    if now is None or not seats:
        return ()
    acting = state.pad.seat
    if now.code == "window" and acting is None:
        return tuple([Unfold(int(seat)) for seat in seats[: len(_ASKS)]])
    if now.code != "point" or (acting is not None and acting not in seats):
        return ()
    fact = state.seat(int(seats[0]) if acting is None else acting)
    return (
        tuple([SetPoint(fact.seat, card) for card in range(1, min(fact.due, len(_ASKS)) + 1)]) if fact else ()
    )


class Display(QWidget):
    """The amount being typed, and beside it what the limits are or what became of the last tap."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("display")
        self.value = ""
        self.hint = ""
        self.trouble = False
        self.faint = False

    def say(self, value: str, hint: str, *, trouble: bool, faint: bool) -> None:
        """Show an amount and a hint."""
        if (value, hint, trouble, faint) != (self.value, self.hint, self.trouble, self.faint):
            self.value, self.hint, self.trouble, self.faint = value, hint, trouble, faint
            self.setAccessibleName(f"{value} {hint}".strip())
            self.update()

    def text_fits(self) -> bool:
        """Whether amount and hint are inside."""
        return all(fitted.fits for fitted, _ in self._layout())

    def _layout(self) -> tuple[tuple[lettering.Fitted, QRectF], tuple[lettering.Fitted, QRectF]]:
        box = QRectF(self.rect()).adjusted(self.height() * 0.25, 2, -self.height() * 0.25, -2)
        value = lettering.fit(
            self.value, box.width() * 0.55, box.height(), round(self.height() * 0.6), weight=700
        )
        used = value.font.pixelSize() * 0.62 * len(self.value) + 16 if self.value else 0
        left = QRectF(box.left(), box.top(), box.width() - used, box.height())
        hint = lettering.fit(
            self.hint,
            left.width(),
            left.height(),
            round(self.height() * 0.34),
            weight=600,
            max_lines=3,
            min_px=11,
        )
        return (value, box), (hint, left)

    def paintEvent(self, event: QPaintEvent) -> None:
        """A dark well; the hint gold, or red with a word when something was refused."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(theme.HIGH if self.trouble else theme.WELL))
        painter.setBrush(QColor(theme.WELL))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
        (value, box), (hint, left) = self._layout()
        lettering.paint(
            painter, value, box, theme.QUIET if self.faint else theme.TEXT, Qt.AlignmentFlag.AlignRight
        )
        lettering.paint(
            painter, hint, left, "#ff9aa4" if self.trouble else theme.GOLD, Qt.AlignmentFlag.AlignLeft
        )
        painter.end()


class Pad(QWidget):
    """The keys of the dealer. ``command`` carries what was tapped; ``report_wanted`` opens the report sheet."""

    command = Signal(object)
    report_wanted = Signal()
    cards_wanted = Signal(int)
    entry_changed = Signal(str)
    games_wanted = Signal()
    push_wanted = Signal()

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent)
        self.setObjectName("pad")
        self.entry = ""
        self._state = ViewState()
        self._tr: Translator | None = None
        self._message = ""
        self._waiting = False
        px = metrics.px
        self.display = Display(self)
        self.keys: dict[str, Key] = {}
        for code in DIGITS:
            sign = "delete" if code == "delete" else ""
            self._add(Key(self, code, role="digit", px=px(34), weight=600, sign=sign))
        for code in PRESETS:
            self._add(Key(self, code, px=px(26), shortcut=_SHORTCUTS[code], max_lines=1))
        for code in ("fold", "call", "raise", "all_in"):
            self._add(Key(self, code, role=code, px=px(34), weight=800, shortcut=_SHORTCUTS[code]))
        self._add(Key(self, "go", role="go", px=px(40), weight=800, shortcut=_SHORTCUTS["go"]))
        self._add(Key(self, "undo", role="outline", px=px(26), sign="undo", shortcut=_SHORTCUTS["undo"]))
        for code in ("report", "call_floor"):
            self._add(Key(self, code, px=px(26), shortcut=_SHORTCUTS[code]))
        for code in EXTRAS:
            self._add(Key(self, code, role="amber" if code in ("shuffled", *_ASKS) else "plain", px=px(26)))
            self.keys[code].hide()
        self.showdown = ShowdownList(self)
        self.showdown.command.connect(self._send)
        self.showdown.cards_wanted.connect(self.cards_wanted)
        self.place(metrics)

    def _add(self, key: Key) -> None:
        key.chosen.connect(self._on_key)
        self.keys[key.code] = key

    # -- geometry ----------------------------------------------------------------------------------------------------------

    def place(self, metrics: Metrics) -> None:
        """Put every key in its place: a function of the window's size alone."""
        gap, width = metrics.gap, metrics.pad_w - 2 * metrics.margin
        key_h, action_h = metrics.key_h, metrics.action_h
        self.display.setGeometry(0, 0, width, metrics.display_h)
        top = metrics.display_h + gap
        self._row([self.keys[code] for code in DIGITS[:3]], top, width, key_h, gap)
        for row in range(1, 4):
            self._row(
                [self.keys[code] for code in DIGITS[3 * row : 3 * row + 3]],
                top + row * (key_h + gap),
                width,
                key_h,
                gap,
            )
        top += 4 * (key_h + gap)
        self._row([self.keys[code] for code in PRESETS], top, width, key_h, gap)
        top += key_h + gap
        actions = top
        self._row([self.keys["fold"], self.keys["call"]], top, width, action_h, gap)
        top += action_h + gap
        self._row([self.keys["raise"], self.keys["all_in"]], top, width, action_h, gap)
        self.keys["go"].setGeometry(0, actions, width, 2 * action_h + gap)
        top += action_h + gap
        self._row([self.keys["undo"]], top, width, key_h, gap)
        top += key_h + gap
        self._row([self.keys["report"], self.keys["call_floor"]], top, width, key_h, gap)
        self._extras = QRect(0, actions - gap - key_h, width, key_h)
        self._listing = QRect(0, metrics.display_h + gap, width, actions - gap - metrics.display_h - gap)
        self._gap = gap
        self.showdown.setGeometry(self._listing)
        self.showdown.arrange(metrics)
        for code, key in self.keys.items():
            size = {"go": 40, "undo": 26, "report": 26, "call_floor": 26}.get(
                code, 26 if code in (*PRESETS, *EXTRAS) else 34
            )
            key.px = metrics.px(size)

    @staticmethod
    def _row(keys: list[Key], top: int, width: int, height: int, gap: int) -> None:
        count = len(keys)
        for index, key in enumerate(keys):
            left = round(index * (width + gap) / count)
            right = round((index + 1) * (width + gap) / count) - gap
            key.setGeometry(QRect(left, top, right - left, height))

    # -- state -------------------------------------------------------------------------------------------------------------

    def show_state(self, tr: Translator, state: ViewState) -> None:
        """Show what may be done now."""
        before = (self._state.pad.seat, self._state.hand and (self._state.hand.hand, self._state.hand.street))
        after = (state.pad.seat, state.hand and (state.hand.hand, state.hand.street))
        if state.seq != self._state.seq or state.link != self._state.link:
            self._waiting = False
        if before != after:
            self._set_entry("")
            self._message = ""
        self._tr, self._state = tr, state
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
        pad, ready = state.pad, state.link == "ready" and not self._waiting
        acting = pad.seat is not None and ready
        amount, verdict = raise_to(self.entry, pad)
        for code in DIGITS:
            key = self.keys[code]
            key.say("" if code == "delete" else code, name=tr("pad.delete") if code == "delete" else code)
        for code, to in zip(PRESETS, (pad.min_to, pad.half_pot_to, pad.pot_to), strict=True):
            self.keys[code].say(tr(f"pad.{code}"), tr.number(to) if to is not None else "")
            self.keys[code].setEnabled(acting and to is not None)
        self.keys["fold"].say(tr("pad.fold"))
        self.keys["fold"].setEnabled(acting)
        call = self.keys["call"]
        if pad.can_check:
            call.say(tr("pad.check"))
        else:
            call.say(tr("pad.call", amount=pad.call) if pad.call else tr("pad.call_none"))
        call.setEnabled(acting and (pad.can_check or pad.call > 0))
        word = "bet" if pad.is_bet else "raise"
        beyond = self._beyond_stack(verdict)
        counted = "_counted" if beyond else ""
        self.keys["raise"].say(
            tr(f"pad.{word}{counted}", amount=amount) if amount is not None else tr(f"pad.{word}_none")
        )
        cards_only = state.tracking == "cards"
        self.keys["raise"].setEnabled(acting and (verdict in ("ok", "default") or beyond or cards_only))
        self.keys["all_in"].say(self._all_in_text(tr))
        self.keys["all_in"].setEnabled(acting)
        if cards_only:
            for code in ("fold", "call"):  # the cards say it
                self.keys[code].setEnabled(False)
        self.keys["undo"].say(undo_text(tr, state))
        self.keys["undo"].setEnabled(ready and bool(state.undo.code))
        self.keys["report"].say(tr("pad.report"))
        self.keys["call_floor"].say(tr("pad.call_floor"))
        self.keys["call_floor"].setEnabled(state.link == "ready")
        self._refresh_mode(tr, ready=ready)
        self._refresh_display(tr, amount, verdict)

    def _refresh_mode(self, tr: Translator, *, ready: bool) -> None:
        state = self._state
        pad = state.pad
        listing = bool(state.showdown_seats) or (pad.can_push and pad.seat is None)
        going = listing or pad.can_open
        go = self.keys["go"]
        go.say(tr("pad.next_hand" if pad.can_open else "pad.push"))
        go.setEnabled(ready and (pad.can_open or pad.can_push))
        go.setVisible(going)
        for code in ("fold", "call", "raise", "all_in"):
            self.keys[code].setVisible(not going)
        extras = self._refresh_extras(tr, ready=ready, listing=listing)
        for code in DIGITS:
            self.keys[code].setVisible(not listing)
        for code in PRESETS:
            self.keys[code].setVisible(not listing and not extras)
        self.showdown.setVisible(listing)
        room = self._listing
        if listing and extras:
            room = room.adjusted(0, 0, 0, -self._extras.height() - self._gap)
        self.showdown.setGeometry(room)
        if listing:
            self.showdown.show_state(tr, state, ready=ready)

    def _refresh_extras(self, tr: Translator, *, ready: bool, listing: bool) -> bool:
        """Keys that only count while nobody acts, in the presets' place; whether there are any."""
        state = self._state
        pad, games = state.pad, state.other_games
        shown: list[str] = []
        asks = asked_of(state)
        for code, ask in zip(_ASKS, asks, strict=False):
            match ask:
                case SetPoint():
                    self.keys[code].say(tr("pad.point_key", seat=ask.seat, card=ask.card))
                case RunIt():
                    self.keys[code].say(run_it_text(tr, ask.times))
                case Straddle():
                    self.keys[code].say(tr("pad.straddle_key", seat=ask.seat), tr.number(ask.amount))
                case _:
                    self.keys[code].say(tr("pad.unfold_key", seat=ask.seat))
            shown.append(code)
        if pad.seat is None:
            if state.deck_waits and not listing:
                shown.append("shuffled")
            if pad.can_open and games:
                shown += ["game-0", "game-1"][: len(games)] if len(games) <= 2 else ["other_game"]
            if pad.can_open and state.kill:
                shown.append("kill")
            if listing and pad.can_push:
                shown.append("pushed_otherwise")
        for code in EXTRAS:
            self.keys[code].setVisible(code in shown)
            self.keys[code].setEnabled(ready)
        self.keys["shuffled"].say(tr("pad.shuffled"))
        self.keys["other_game"].say(tr("pad.other_game"))
        if state.kill:
            self.keys["kill"].say(tr(f"pad.kill_{state.kill}"))
        self.keys["pushed_otherwise"].say(tr("pad.pushed_otherwise"))
        for index, game in enumerate(games[:2]):
            self.keys[f"game-{index}"].say(tr("pad.next_game", game=game_name(tr, game)))
        if shown:
            keys = [self.keys[code] for code in shown]
            self._row(keys, self._extras.top(), self._extras.width(), self._extras.height(), self._gap)
        return bool(shown)

    def _refresh_display(self, tr: Translator, amount: int | None, verdict: str) -> None:
        pad = self._state.pad
        shown = tr.number(int(self.entry)) if self.entry else ""
        if self._message:
            self.display.say(shown, self._message, trouble=not self._waiting, faint=False)
            return
        if self._state.link != "ready":
            self.display.say(shown, "", trouble=False, faint=True)
            return
        match verdict:
            case "low":
                hint = tr("pad.hint_min", amount=pad.min_to)
            case "high":
                code = "hint_counted" if self._beyond_stack(verdict) else "hint_max"
                hint = tr(f"pad.{code}", amount=pad.max_to)
            case "default" | "ok" if pad.max_to is None:
                hint = tr("pad.hint_min", amount=pad.min_to)
            case "default" | "ok":
                hint = tr("pad.hint_limits", min_to=pad.min_to, max_to=pad.max_to)
            case _ if pad.seat is not None and not self.entry:
                hint = tr("pad.hint_no_raise")
            case _:
                hint = tr("pad.showdown") if self._state.pad.showdown else ""
        self.display.say(shown, hint, trouble=verdict in ("low", "high"), faint=False)

    # -- taps --------------------------------------------------------------------------------------------------------------

    def _set_entry(self, entry: str) -> None:
        if entry != self.entry:
            self.entry = entry
            self.entry_changed.emit(entry)

    def clear_entry(self) -> None:
        """Forget what was typed."""
        self._set_entry("")
        self.refresh()

    def _send(self, command: Command) -> None:
        self.command.emit(command)

    def _on_key(self, code: str) -> None:
        if code in DIGITS:
            self._message = ""
            self._set_entry(typed(self.entry, code))
            self.refresh()
        elif code in PRESETS:
            pad = self._state.pad
            to = {"min": pad.min_to, "half_pot": pad.half_pot_to, "whole_pot": pad.pot_to}[code]
            self._message = ""
            if to is not None:
                self._set_entry(str(to))
            self.refresh()
        elif code == "report":
            self.report_wanted.emit()
        elif code == "other_game":
            self.games_wanted.emit()
        elif code == "pushed_otherwise":
            self.push_wanted.emit()
        else:
            command = self._command(code)
            if command is not None:
                self._send(command)

    def _command(self, code: str) -> Command | None:
        pad = self._state.pad
        match code:
            case "undo":
                return Undo()
            case "call_floor":
                return CallFloor()
            case "go":
                return OpenHand() if pad.can_open else PushPots()
            case "shuffled":
                return Shuffled()
            case "ask-0" | "ask-1" | "ask-2":
                asks = asked_of(self._state)
                return asks[int(code[-1])] if int(code[-1]) < len(asks) else None
            case "kill" if self._state.kill:
                return OpenHand(kill=self._state.kill)
            case "game-0" | "game-1":
                return OpenHand(game=self._state.other_games[int(code[-1])])
            case _ if pad.seat is None:
                return None
            case "fold":
                return Act(pad.seat, "fold")
            case "call":
                return Act(pad.seat, "check" if pad.can_check else "call")
            case "all_in":
                return self._all_in(pad.seat)
            case _:
                amount, verdict = raise_to(self.entry, pad)
                action: Literal["bet", "raise"] = "bet" if pad.is_bet else "raise"
                if self._state.tracking == "cards":
                    return Act(pad.seat, action)
                beyond = self._beyond_stack(verdict)
                if verdict not in ("ok", "default") and not beyond:
                    return None
                return Act(pad.seat, action, amount, counted=beyond)

    def _beyond_stack(self, verdict: str) -> bool:
        """Whether what is typed is more than the seat is believed to have, and nothing else forbids it: the chips win."""
        pad = self._state.pad
        fact = None if pad.seat is None else self._state.seat(pad.seat)
        if verdict != "high" or fact is None or fact.stack is None:
            return False
        return pad.max_to == fact.bet + fact.stack

    def _all_in(self, seat: int) -> Act:
        """All-in for what is typed, which was counted; for what the seat is believed to have when nothing is."""
        if not self.entry or self._state.tracking == "cards":
            return Act(seat, "all_in")
        return Act(seat, "all_in", int(self.entry), counted=True)

    def _all_in_text(self, tr: Translator) -> str:
        seat = self._state.pad.seat
        if self._state.tracking == "cards":
            return tr("pad.all_in")
        if self.entry:
            return tr("pad.all_in_to", amount=int(self.entry))
        fact = None if seat is None else self._state.seat(seat)
        return tr("pad.all_in_count" if fact is not None and fact.stack is None else "pad.all_in")
