"""The session: the one thread that changes a table. Observations and requests come in by a queue, changes go out.

For each batch of waiting inputs: judge, one durable commit of all their rows, then show. **No row, no alert**: what could not be
stored is not shown; the table says that it is unavailable and goes on with the manual procedure until the journal is back.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Protocol

import msgspec

from dealer_assist.domain import commands as cmd
from dealer_assist.domain import facts as fx
from dealer_assist.domain.equipment import SetDeck
from dealer_assist.domain.link import Request, Result, ServerMessage, Snapshot, Update
from dealer_assist.domain.terms import SetTable
from dealer_assist.table import events as te
from dealer_assist.table import inputs as inp
from dealer_assist.table.change import Change
from dealer_assist.table.core import Core
from dealer_assist.table.equipment.desk import OF_THE_DESK, Desk
from dealer_assist.table.equipment.set_ups import Outcome
from dealer_assist.table.floor.desk import FloorDesk
from dealer_assist.table.floor.rights import OF_THE_FLOOR
from dealer_assist.table.hand_history import OF_THE_HISTORY, HandHistory
from dealer_assist.table.ports import Observation
from dealer_assist.table.recording import Recorder
from dealer_assist.table.shift_desk import OF_THE_SHIFT, ShiftDesk
from dealer_assist.table.tapped_on import tapped_on
from dealer_assist.table.terms_desk import TermsDesk

#: At most this long without looking at the time, in seconds.
IDLE_S: Final = 0.05
#: The mark that has a hand that is over as it may be told: what exports are made from.
HAND_PLAYED: Final = "hand_played"
#: The mark that has what the screens showed of a hand that is over, step by step: its replay.
HAND_SHOWN: Final = "hand_shown"
#: At most so many waiting inputs share one commit.
BATCH: Final = 64


class StoreRow(Protocol):
    """Makes a row of the journal: kind, name, hand, value."""

    def __call__(self, kind: str, name: str, hand: str, value: object) -> Any:
        """Return the row."""


class Store(Protocol):
    """Where rows go: durable when ``append`` returns."""

    def append(self, rows: Sequence[Any], seals: Sequence[tuple[str, bytes]] = ()) -> int:
        """Store in one commit."""

    def checkpoint(self, hand: str) -> None:
        """Sign where the chains stand."""


class StoreFailed(Exception):
    """The store refused; carries the code and reason to show. The composition maps the journal's errors to it."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class _Stop:
    pass


class _Asked(msgspec.Struct):
    request: Request
    reply: Callable[[Result], None]


class _Proved(msgspec.Struct):
    right: bool


class _Done(msgspec.Struct):
    asked: _Asked
    told: Outcome


class _Joined(msgspec.Struct):
    deliver: Callable[[ServerMessage], None]


class _Devices(msgspec.Struct):
    facts: tuple[fx.DeviceFact, ...]
    readers: frozenset[str]


class Session:
    """Owns a :class:`Core`. Every public method may be called from any thread; the work is done by the session's own."""

    def __init__(
        self,
        core: Core,
        store: Store,
        row: StoreRow,
        *,
        now_ms: Callable[[], int],
        speed: float = 1.0,
        on_hand_closed: Callable[[str], None] = lambda hand: None,
        desk: Desk | None = None,
        recorder: Recorder | None = None,
        history: HandHistory | None = None,
        floor: FloorDesk | None = None,
        shift: ShiftDesk | None = None,
        terms: TermsDesk | None = None,
    ) -> None:
        self._core = core
        self._floor = FloorDesk(core, source=None, prover=None, utc_s=lambda: 0) if floor is None else floor
        self._signing_in: _Asked | None = None
        self._store = store
        self._row = row
        self._now_ms = now_ms
        self._speed = speed
        self._on_hand_closed = on_hand_closed
        self._desk = desk
        self._recorder = recorder
        self._history = history
        self._shift = shift
        self._terms = terms
        self._queue: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._watchers: list[Callable[[ServerMessage], None]] = []
        self._seq = 0
        self._context: dict[tuple[str, str], int] = {}
        self._owed: list[Change] = []
        self._owed_seals: list[tuple[str, bytes]] = []
        self._unavailable = ""
        self._beside = ThreadPoolExecutor(1, "beside")  # what waits for a disk and not for the table
        self._thread = threading.Thread(target=self._run, name="session", daemon=True)
        self.failure: BaseException | None = None
        #: how often it has come round, with or without anything to judge
        self.turns = 0

    # -- any thread ----------------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to judge."""
        self._thread.start()

    def stop(self) -> None:
        """Judge what is waiting, then end. Returns when the thread has ended."""
        self._queue.put(_Stop())
        self._thread.join()
        self._floor.stop()
        self._beside.shutdown()

    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def observe(self, observation: Observation) -> None:
        """A device said something."""
        self._queue.put(observation)

    def ask(self, request: Request, reply: Callable[[Result], None]) -> None:
        """A person's command; ``reply`` is called once with its fate, from the session's thread, or the history's."""
        if self._history is not None and isinstance(request.command, OF_THE_HISTORY):
            self._history.ask(request, reply)
            return
        self._queue.put(_Asked(request, reply))

    def join(self, deliver: Callable[[ServerMessage], None]) -> None:
        """A screen: it gets a snapshot, then every update, from the session's thread."""
        self._queue.put(_Joined(deliver))

    def leave(self, deliver: Callable[[ServerMessage], None]) -> None:
        """A screen is gone."""
        self._queue.put(("leave", deliver))

    def devices(self, facts: Iterable[fx.DeviceFact], readers: frozenset[str]) -> None:
        """The lamps, and the zones that have a working reader."""
        self._queue.put(_Devices(tuple(facts), readers))

    # -- the session's thread --------------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while self._turn():
                self.turns += 1
        except BaseException as error:
            self.failure = error
            raise

    def _turn(self) -> bool:
        items = self._waiting()
        changes: list[Change] = []
        replies: list[tuple[Callable[[Result], None], Result]] = []
        joined: list[Callable[[ServerMessage], None]] = []
        going_on = True
        for item in items:
            match item:
                case _Stop():
                    going_on = False
                case _Asked():
                    result = self._asked(item, changes)
                    if result is not None:
                        replies.append((item.reply, result))
                case _Proved():
                    replies.append(self._proved(item.right, changes))
                case _Done():
                    replies.append(
                        (item.asked.reply, self._told_apart(item.told, item.asked.request, changes))
                    )
                case _Joined():
                    joined.append(item.deliver)
                case ("leave", deliver):
                    self._watchers = [watcher for watcher in self._watchers if watcher is not deliver]
                case _Devices():
                    if self._recorder is not None:
                        self._recorder.devices(item.facts, item.readers)
                    changes += self._came(self._core.set_devices(item.facts, item.readers))
                case _:
                    if self._recorder is not None:
                        self._recorder.observed(item)
                    changes += self._came(self._core.observe(item))
                    if self._desk is not None:
                        self._desk.hear(item)
                    self._floor.hear(item)
        now_ms = self._now_ms()
        changes += self._came(self._core.tick(now_ms))
        if self._desk is not None:
            changes += self._shown(self._desk.tick(now_ms))
        changes += self._core.show((), self._floor.after(changes))
        busy = self._desk is not None and self._desk.busy
        changes += self._shown(self._floor.tick(now_ms, busy=busy))
        if self._shift is not None and changes:
            changes += self._shown(self._shift.hear(changes))
        stored = self._commit(changes)
        self._show(stored)
        if self._signing_in is not None:
            if not self._unavailable:
                self._floor.begin_check(lambda right: self._queue.put(_Proved(right)))
            elif self._floor.leave_check():
                replies.append((self._signing_in.reply, self._unstored(self._signing_in.request.id)))
                self._signing_in = None
        for reply, result in replies:
            reply(self._unstored(result.id) if self._unavailable and result.ok else result)
        for deliver in joined:
            self._watchers.append(deliver)
            deliver(Snapshot(self._seq, self._core.snapshot() + self._fault_facts()))
        return going_on

    def _waiting(self) -> list[Any]:
        """Everything that waits, after at most the time to the next deadline."""
        deadline = self._core.next_deadline_ms()
        patience = IDLE_S
        if deadline is not None:
            patience = min(patience, max(0.0, (deadline - self._now_ms()) / 1000 / self._speed))
        items = []
        try:
            items.append(self._queue.get(timeout=patience) if patience > 0 else self._queue.get_nowait())
            while len(items) < BATCH:
                items.append(self._queue.get_nowait())
        except queue.Empty:
            pass
        return items

    def _asked(self, asked: _Asked, changes: list[Change]) -> Result | None:
        """What became of a request; None: that is told later."""
        request = asked.request
        if self._unavailable:
            return self._unstored(request.id)
        if isinstance(request.command, OF_THE_FLOOR):
            return self._asked_floor(asked, changes)
        if self._stale(request):
            return Result(request.id, ok=False, code="stale")
        forbidden = self._floor.forbids(request.command, request.actor)
        if forbidden is not None:
            return Result(request.id, ok=False, code=forbidden.code, params=forbidden.params)
        actor = self._floor.actor_of(request.command, request.actor)
        request = msgspec.structs.replace(request, actor=actor, command=self._floor.named(request.command))
        if isinstance(request.command, OF_THE_DESK):
            return self._asked_desk(_Asked(request, asked.reply), changes)
        if isinstance(request.command, OF_THE_SHIFT) and self._shift is not None:
            return self._told_apart(self._shift.tell(request.command, request.actor), request, changes)
        if isinstance(request.command, SetTable) and self._terms is not None:
            return self._told_apart(self._terms.tell(request.command), request, changes)
        if isinstance(request.command, OF_THE_HISTORY):
            return Result(request.id, ok=False, code="history_unavailable", params={"reason": ""})
        now_ms = self._now_ms()
        if isinstance(request.command, cmd.OpenHand) and self._desk is not None:
            changes += self._shown(self._desk.leave_off(now_ms))
        if self._recorder is not None:
            self._recorder.before()
        refused, more = self._core.tell(request.command, request.actor, now_ms)
        if self._recorder is not None:
            code = "" if refused is None else refused.code
            self._recorder.told(request.command, request.actor, now_ms, code)
        changes += self._came(more)
        if refused is not None:
            return Result(request.id, ok=False, code=refused.code, params=refused.params)
        return Result(request.id, ok=True)

    def _asked_floor(self, asked: _Asked, changes: list[Change]) -> Result | None:
        """What is asked about floor mode."""
        told = self._floor.tell(asked.request.command)
        if told is None:
            self._signing_in = asked
            return None
        changes += self._shown(told)
        return _result(asked.request.id, told)

    def _proved(self, right: bool, changes: list[Change]) -> tuple[Callable[[Result], None], Result]:
        """A PIN was checked: who gave it gets its answer."""
        asked, self._signing_in = self._signing_in, None
        assert asked is not None
        told = self._floor.proved(right)
        changes += self._shown(told)
        return asked.reply, _result(asked.request.id, told)

    def _asked_desk(self, asked: _Asked, changes: list[Change]) -> Result | None:
        """What is asked about decks and antennas."""
        request = asked.request
        if self._desk is None:
            return Result(request.id, ok=False, code="bad_command", params={"reason": "command"})
        now_ms = self._now_ms()
        changes += self._came(self._core.tick(now_ms))
        told = self._desk.tell(request.command, request.actor, now_ms)
        if self._recorder is not None and isinstance(request.command, SetDeck) and told.refused is None:
            self._recorder.interrupted()
        if (later := told.later) is not None:
            self._beside.submit(lambda: self._queue.put(_Done(asked, later())))
            return None
        return self._told_apart(told, request, changes)

    def _told_apart(self, told: Outcome, request: Request, changes: list[Change]) -> Result:
        """What came of a command that is none of the hand's."""
        changes += self._shown(told)
        return _result(request.id, told)

    def _came(self, changes: list[Change]) -> list[Change]:
        """What came of an input; the recording hears of it."""
        if self._recorder is not None and changes:
            self._recorder.after(changes)
        return changes

    def _shown(self, told: Outcome) -> list[Change]:
        return self._core.show(told.facts, told.marks) if told.facts or told.marks else []

    def _unstored(self, request: str) -> Result:
        return Result(request, ok=False, code="journal_unavailable", params={"reason": self._unavailable})

    def _stale(self, request: Request) -> bool:
        """A tap on a screen that was no longer true: the section it was made on has changed since."""
        section = tapped_on(request.command)
        return section is not None and request.after < self._context.get(section, 0)

    # -- rows, then facts ------------------------------------------------------------------------------------------------------------

    def _commit(self, changes: list[Change]) -> list[Change]:
        """Store the rows of all changes that wait; return those that may be shown."""
        self._owed += changes
        if self._history is not None:
            self._history.chronicle.add(changes)
        self._owed_seals += self._core.vault.take_boxes()
        if not self._owed and not self._owed_seals:
            return []
        rows = [row for change in self._owed for row in self._rows(change)]
        closed = [
            event.hand for change in self._owed for event in change.events if isinstance(event, te.HandClosed)
        ]
        try:
            if rows or self._owed_seals:
                self._store.append(rows, self._owed_seals)
            for hand in closed:
                self._store.checkpoint(hand)
        except StoreFailed as failure:
            self._fail(failure.reason)
            return []
        stored, self._owed, self._owed_seals = self._owed, [], []
        if self._history is not None:
            self._history.chronicle.stored()
        for hand in closed:
            self._on_hand_closed(hand)
        self._recover()
        return stored

    def _rows(self, change: Change) -> list[Any]:
        hand = self._core.hand.procedure.hand if self._core.hand is not None else ""
        rows = []
        if change.input is not None:
            rows.append(self._row("input", _tag(change.input), hand, change.input))
        for event in change.events:
            rows.append(self._row("event", _tag(event), hand, event))
            if isinstance(event, te.HandClosed):
                rows.append(self._row("mark", HAND_PLAYED, event.hand, change.played))
                shown = None if self._history is None else self._history.chronicle.over(event.hand)
                if shown is not None:
                    rows.append(self._row("mark", HAND_SHOWN, event.hand, shown))
                rows.append(self._row("mark", "hand_closed", event.hand, change.ledger))
        for fact in change.facts:
            if isinstance(fact, fx.DeviceFact):
                rows.append(self._row("mark", "device", hand, fact))
        rows += [self._row("mark", name, hand, value) for name, value in change.marks]
        return rows

    def _fail(self, reason: str) -> None:
        if not self._unavailable:
            self._unavailable = reason
            self._publish(self._fault_facts(), ())

    def _recover(self) -> None:
        """The journal is back: the screens get the whole state."""
        if self._unavailable:
            self._unavailable = ""
            self._seq += 1
            notice = fx.NoticeFact("journal", "", {})
            for deliver in self._watchers:
                deliver(Snapshot(self._seq, (*self._core.snapshot(), notice)))

    def _fault_facts(self) -> tuple[fx.Fact, ...]:
        if not self._unavailable:
            return ()
        params = {"reason": self._unavailable}
        return (
            fx.NoticeFact("journal", "journal_unavailable", params),
            fx.NowFact("unavailable", params),
            fx.PadFact(None),
        )

    def _show(self, changes: Iterable[Change]) -> None:
        for change in changes:
            if change.facts or change.gone:
                self._publish(change.facts, change.gone, change.t_ms)

    def _publish(
        self, facts: tuple[fx.Fact, ...], gone: tuple[tuple[str, str], ...], t_ms: int | None = None
    ) -> None:
        self._seq += 1
        for fact in facts:
            self._context[fx.section(fact)] = self._seq
        update = Update(self._seq, self._core.t_ms if t_ms is None else t_ms, facts, gone)
        for deliver in self._watchers:
            deliver(update)


def _result(request: str, told: Outcome) -> Result:
    if told.refused is not None:
        return Result(request, ok=False, code=told.refused.code, params=told.refused.params)
    return Result(request, ok=True, params=told.params)


def _tag(value: object) -> str:
    return str(type(value).__struct_config__.tag)  # type: ignore[attr-defined]


def resumable(rows: Iterable[tuple[str, str, bytes]]) -> list[inp.Input]:
    """The inputs among journal rows (kind, name, payload) since the last closed hand, in order."""
    decoder = msgspec.json.Decoder(inp.Input)
    return [decoder.decode(payload) for kind, _name, payload in rows if kind == "input"]


def running_hand(inputs: list[inp.Input]) -> str | None:
    """The hand that the last opening among these inputs began."""
    openings = [
        given.command.opening
        for given in inputs
        if isinstance(given, inp.Told) and isinstance(given.command, cmd.OpenHand)
    ]
    return openings[-1].hand if openings and openings[-1] is not None else None
