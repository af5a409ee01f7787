"""A dealer at the station's own keys: what has to be pressed so that the station sends a command, in the state that it shows.

Nothing is counted by a formula. The window's pad, its list of the showdown and its seat sheet are told the facts, their keys are
clicked, and the command that comes out is the station's own. A key that is not on the screen, or does nothing now, is refused.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Final

import msgspec

from dealer_assist.domain.commands import Act, Command, Mucked, PushPots, RunIt, Straddle, Tabled
from dealer_assist.domain.facts import Fact, SeatFact
from dealer_assist.domain.link import Result, Snapshot
from dealer_assist.station.keys import Key
from dealer_assist.station.viewmodel import ViewState, fold

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from dealer_assist.station.app import application
from dealer_assist.station.pad_means import asked_of, ready_of
from dealer_assist.station.pad_place import PRESETS
from dealer_assist.station.window import StationWindow

#: The name of a tap on a seat's plate on the felt.
TAP_ON_SEAT: Final = "seat"


class NoKey(AssertionError):
    """The station has no keys for this here."""


class Pressed(msgspec.Struct, frozen=True):
    """The keys that were pressed, by name, and what the station sent."""

    keys: tuple[str, ...]
    sent: Command


class Presser:
    """One window, never shown, for any number of states."""

    def __init__(self) -> None:
        application()
        self._window = StationWindow(language="en", animated=False, size=(1280, 800))
        self._sent: list[Command] = []
        self._window.set_sender(self._take)
        self._state = ViewState()
        self._pressed: list[str] = []

    def close(self) -> None:
        """Let the window go."""
        self._window.shut()

    def _take(self, command: Command, _after: int) -> str:
        self._sent.append(command)
        return "1"

    def look(self, facts: Iterable[Fact]) -> ViewState:
        """The station is told the whole state."""
        self._state = fold(self._state, Snapshot(self._state.seq + 1, tuple(facts)))
        self._window.state = self._state
        self._window.pad.show_state(self._window.tr_, self._state)
        return self._state

    def press(self, wanted: Command) -> Pressed:
        """Press what it takes to say ``wanted`` in the state of the last look. Raises NoKey."""
        self._pressed, self._sent = [], []
        self._say(wanted)
        if len(self._sent) != 1:
            raise NoKey(f"{wanted}: pressed {self._pressed}, sent {self._sent}")
        self._window.receive((Result("1", ok=True),))
        return Pressed(tuple(self._pressed), self._sent[0])

    def knows(self, wanted: Command) -> bool:
        """Whether the station shows already what the dealer would say: the cards of a fold are in the muck."""
        match wanted:
            case Act(seat=seat, action="fold") | Mucked(seat):
                return self._seat(seat).hand in ("folded", "mucked")
            case _:
                return False

    def first(self, wanted: Command) -> Command | None:
        """What has to be said before: that the all-in was called, before it is asked how often to run it."""
        acting = self._state.pad.seat
        if isinstance(wanted, RunIt) and acting is not None and wanted not in asked_of(self._state):
            return Act(acting, "call")
        return None

    def offers(self, wanted: Command) -> bool:
        """Whether the station can be told so now: a dealer looks before he taps, and a fold is read a moment after it is made."""
        pad = self._state.pad
        match wanted:
            case Act(seat=seat):
                return pad.seat == seat or any(each.seat == seat for each in pad.ahead)
            case Tabled(seat) | Mucked(seat):
                return seat in pad.showdown or seat in pad.may_show
            case PushPots():
                return pad.can_push
            case _:
                return True

    def _seat(self, seat: int) -> SeatFact:
        fact = self._state.seat(seat)
        assert fact is not None
        return fact

    def _say(self, wanted: Command) -> None:
        pad = self._window.pad
        match wanted:
            case Act():
                self._act(wanted)
            case Tabled(seat) | Mucked(seat):
                row = pad.showdown.rows.get(seat)
                if row is not None and not pad.showdown.isHidden():
                    self._click(row[isinstance(wanted, Mucked)])
                else:
                    self._tap_seat(seat)
                    self._click(self._window.seat_sheet.keys["tabled"])
            case PushPots():
                self._click(pad.keys["go"])
            case Straddle() | RunIt():
                asks = asked_of(self._state)
                if wanted not in asks:
                    raise NoKey(f"{wanted}: asked {asks}")
                self._click(pad.keys[f"ask-{asks.index(wanted)}"])
            case _:
                raise NoKey(str(wanted))

    # -- actions -----------------------------------------------------------------------------------------------------------

    def _act(self, wanted: Act) -> None:
        to = wanted.to
        fact = self._seat(wanted.seat)
        # the last chips of a seat whose stack is known need no amount
        behind = None if fact.stack is None else fact.bet + fact.stack
        all_in = wanted.action == "all_in" or (to is not None and to == behind)
        word = "all_in" if all_in else {"check": "call", "bet": "raise"}.get(wanted.action, wanted.action)
        pad = self._window.pad
        if self._state.pad.seat != wanted.seat:
            self._tap_seat(wanted.seat)
            if pad.legal.seat != wanted.seat:
                raise NoKey(f"{wanted}: the pad is seat {pad.legal.seat}'s")
        if word == "raise" and to is not None and self._amount(to):
            return
        self._click(pad.keys[word])

    def _amount(self, to: int) -> bool:
        """Say a bet or raise to ``to`` in as few taps as the pad allows; whether that has sent it."""
        pad = self._window.pad
        if to == pad.legal.min_to:
            return False  # the key says it while nothing is typed
        for code, ready in zip(PRESETS, ready_of(self._state, pad.legal), strict=False):
            if ready.to == to:
                self._click(pad.keys[code], ready.kind)
                return True
        for key in digits(to):
            self._click(pad.keys[key])
        if pad.entry != str(to):
            raise NoKey(f"{to}: the display says {pad.entry!r}")
        return False

    def _tap_seat(self, seat: int) -> None:
        self._pressed.append(TAP_ON_SEAT)
        self._window.table.seat_tapped.emit(seat)

    def _click(self, key: Key, name: str = "") -> None:
        if key.isHidden() or not key.isEnabled():
            raise NoKey(f"{key.code} is {'not there' if key.isHidden() else 'off'}")
        self._pressed.append(name or key.code)
        key.click()


def digits(amount: int) -> list[str]:
    """The keys of an amount, pairs of noughts by the key that has two."""
    text = str(amount)
    bare = text.rstrip("0")
    noughts = len(text) - len(bare)
    inner: list[str] = []
    at = 0
    while at < len(bare):
        step = 2 if bare[at : at + 2] == "00" else 1
        inner.append(bare[at : at + step])
        at += step
    return [*inner, *["00"] * (noughts // 2), *["0"] * (noughts % 2)]
