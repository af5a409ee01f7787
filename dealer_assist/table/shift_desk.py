"""The shift of a table: opened, counted hand by hand from what is journalled anyway, closed with what is still open.

It belongs to the session's thread and hears every change. Its state goes into the journal as the mark :data:`SHIFT`, in the same commit
as the hand or the command that changed it, so that it is whole after a restart. It stops nothing: a hand that is dealt at a closed table
opens it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, get_args

import msgspec
from msgspec.structs import replace

from dealer_assist.domain import commands as cmd
from dealer_assist.domain import facts as fx
from dealer_assist.domain.alerts import Alert, Saves
from dealer_assist.domain.commands import Actor, Refused
from dealer_assist.domain.shift import CloseTable, OpenTable, ShiftCommand, ShiftFact, open_matters
from dealer_assist.table import inputs as inp
from dealer_assist.table.change import Change
from dealer_assist.table.core import Core
from dealer_assist.table.equipment.set_ups import Outcome

OF_THE_SHIFT: Final = get_args(ShiftCommand)
#: The mark that has the shift as it stands.
SHIFT: Final = "shift"
_COUNTED: Final = ("completed",)


class ShiftState(msgspec.Struct, frozen=True):
    """A shift, and what the table's running totals were when it began."""

    fact: ShiftFact = ShiftFact()
    saves_before: Saves = Saves()
    time_before: int = 0


class ShiftDesk:
    """``mark``: the last :data:`SHIFT` of the journal, shown from now on. ``utc_s``: the time of the day in seconds."""

    def __init__(self, core: Core, mark: bytes | None, *, utc_s: Callable[[], int]) -> None:
        self._core = core
        self._utc_s = utc_s
        self.state = ShiftState() if mark is None else msgspec.json.decode(mark, type=ShiftState)
        #: alerts of the running hand: id → whether it was ever proven
        self._alerts: dict[str, bool] = {}
        for fact in core.snapshot():
            if isinstance(fact, fx.AlertFact):
                self._seen(fact.alert)
        #: the table's running totals of saves and time when it was last looked at
        self._totals = (core.seats.ledger.saves, core.seats.ledger.time_taken)
        core.show([self.state.fact])

    def tell(self, command: cmd.Command, actor: Actor) -> Outcome:
        """Carry out a command, or say why not; a refused one changes nothing."""
        fact = self.state.fact
        match command:
            case OpenTable() if fact.open:
                return Outcome(refused=Refused("table_is_open"))
            case OpenTable():
                return self._kept(self._opened(self._who(actor), command.tray))
            case CloseTable() if not fact.open:
                return Outcome(refused=Refused("table_is_closed"))
            case CloseTable() if self._core.hand_running():
                return Outcome(refused=Refused("in_a_hand"))
            case CloseTable():
                closed = replace(
                    self._counted(),
                    open=False,
                    closed_s=self._utc_s(),
                    closed_by=self._who(actor),
                    tray_closed=command.tray,
                    matters=open_matters(self._core.snapshot()),
                )
                return self._kept(replace(self.state, fact=closed))
            case _:
                return Outcome(refused=Refused("bad_command", {"reason": "command"}))

    def hear(self, changes: Sequence[Change]) -> Outcome:
        """Take what came of inputs: a hand that begins, its alerts, a hand that is over."""
        state = self.state
        for change in changes:
            told = change.input
            if isinstance(told, inp.Told) and isinstance(told.command, cmd.OpenHand):
                self._alerts.clear()
                if not state.fact.open:
                    state = self._opened("", None)
            for fact in change.facts:
                if isinstance(fact, fx.AlertFact):
                    self._seen(fact.alert)
            if change.played is not None:
                state = replace(state, fact=self._with_hand(state.fact, change))
        self._totals = (self._core.seats.ledger.saves, self._core.seats.ledger.time_taken)
        if state is self.state:
            return Outcome()
        self.state = state
        return self._kept(replace(state, fact=self._counted()))

    def _with_hand(self, fact: ShiftFact, change: Change) -> ShiftFact:
        """A hand is over."""
        played = change.played
        assert played is not None
        proven = sum(self._alerts.values())
        drops = dict(fact.drops)
        for drop in played.drops:
            drops[drop.name] = drops.get(drop.name, 0) + drop.amount
        found = replace(
            fact,
            hands=fact.hands + 1,
            off=fact.off + (played.result not in _COUNTED),
            stops=fact.stops + proven,
            questions=fact.questions + len(self._alerts) - proven,
            rake=fact.rake + played.rake,
            drops=tuple(drops.items()),
        )
        self._alerts.clear()
        return found

    def _seen(self, alert: Alert) -> None:
        """An alert or a question, once; a possibility is only a mark at a seat."""
        if alert.evidence != "possible":
            self._alerts[alert.id] = self._alerts.get(alert.id, False) or alert.evidence == "proven"

    def _opened(self, by: str, tray: int | None) -> ShiftState:
        fact = ShiftFact(open=True, opened_s=self._utc_s(), by=by, tray=tray)
        return ShiftState(fact, *self._totals)

    def _counted(self) -> ShiftFact:
        """The shift with what the seats' ledger counts."""
        ledger, before = self._core.seats.ledger, self.state.saves_before
        saves = Saves(
            ledger.saves.told - before.told,
            ledger.saves.own - before.own,
            ledger.saves.misread - before.misread,
        )
        return replace(self.state.fact, saves=saves, time=ledger.time_taken - self.state.time_before)

    def _kept(self, state: ShiftState) -> Outcome:
        self.state = state
        return Outcome([state.fact], [(SHIFT, state)])

    def _who(self, actor: Actor) -> str:
        """The floor, or the dealer by his number where one is known."""
        return self._core.seats.ledger.dealer or actor if actor == "dealer" else actor
