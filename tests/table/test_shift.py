"""A table's shift: opened, counted hand by hand, closed with what is still open; whole after a restart, and in nobody's way."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec
import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.alerts import Saves
from dealer_assist.domain.commands import Refused
from dealer_assist.domain.equipment import DecksFact, DeckView
from dealer_assist.domain.facts import DeviceFact, NoticeFact, SeatFact
from dealer_assist.domain.link import Request, Result
from dealer_assist.domain.rake import RakeTerms
from dealer_assist.domain.shift import CloseTable, Matter, OpenTable, ShiftFact, open_matters
from dealer_assist.journal.adapter import JournalStore, row
from dealer_assist.journal.store import Journal
from dealer_assist.table.equipment.set_ups import Outcome
from dealer_assist.table.session import Session
from dealer_assist.table.shift_desk import SHIFT, ShiftDesk
from tests.table.driver import Driver
from tests.table.test_rules import play_to_end
from tests.table.test_saves import four_on_the_flop, mended

NOON_S = 1_796_000_000


class Shift:
    """A desk beside a driven table. Outcomes go through the journal's JSON."""

    def __init__(self, table: Driver, mark: bytes | None = None) -> None:
        self.table = table
        self.now_s = NOON_S
        self.desk = ShiftDesk(table.core, mark, utc_s=lambda: self.now_s)
        self.heard = len(table.changes)
        self.mark = mark

    def keep(self, outcome: Outcome) -> Outcome:
        for name, value in outcome.marks:
            assert name == SHIFT
            self.mark = msgspec.json.encode(value)
        self.table.core.show(outcome.facts, outcome.marks)
        return outcome

    def tell(self, command: cmd.Command, actor: cmd.Actor = "dealer") -> Refused | None:
        self.hear()
        return self.keep(self.desk.tell(command, actor)).refused

    def hear(self) -> ShiftFact:
        changes = self.table.changes[self.heard :]
        self.heard = len(self.table.changes)
        self.keep(self.desk.hear(changes))
        return self.fact

    @property
    def fact(self) -> ShiftFact:
        (fact,) = [fact for fact in self.table.core.snapshot() if isinstance(fact, ShiftFact)]
        return fact


def hand_over(table: Driver) -> Driver:
    play_to_end(table)
    assert table.hand.result == "completed"
    return table


def test_it_opens_with_the_chips_in_the_tray_and_closes_between_hands() -> None:
    table = Driver()
    shift = Shift(table)
    assert shift.tell(OpenTable(5_000), "floor") is None
    assert (shift.fact.open, shift.fact.by, shift.fact.tray) == (True, "floor", 5_000)
    assert shift.tell(OpenTable()) == Refused("table_is_open")
    table.deal()
    assert shift.tell(CloseTable()) == Refused("in_a_hand")
    hand_over(table)
    shift.now_s += 3600
    table.core.seats.ledger = msgspec.structs.replace(table.core.seats.ledger, dealer="17")
    assert shift.tell(CloseTable(4_990)) is None
    closed = shift.fact
    assert (closed.open, closed.hands, closed.off, closed.closed_by) == (False, 1, 0, "17")
    assert closed.closed_s - closed.opened_s == 3600 and (closed.tray, closed.tray_closed) == (5_000, 4_990)
    assert shift.tell(CloseTable()) == Refused("table_is_closed")


def test_a_hand_that_is_dealt_at_a_closed_table_opens_it() -> None:
    table = Driver()
    shift = Shift(table)
    shift.heard = 0
    assert shift.hear().open
    assert (shift.fact.by, shift.fact.tray) == ("", None)


def test_what_was_said_in_the_hands_is_counted_once() -> None:
    table = four_on_the_flop()
    shift = Shift(table)
    shift.heard = 0
    hand_over(mended(table))
    fact = shift.hear()
    assert (fact.hands, fact.stops, fact.questions, fact.saves) == (1, 1, 0, Saves(told=1))


def test_what_was_taken_from_the_pots_adds_up() -> None:
    table = Driver(rake=RakeTerms(schedule="own", percent=10, cap=5))
    shift = Shift(table)
    shift.heard = 0
    table.deal()
    for count in (3, 1, 1):
        table.wait(1000)
        table.check_down()
        table.street(count)
    table.check_down()
    table.showdown()
    fact = shift.hear()
    (played,) = [change.played for change in table.changes if change.played is not None]
    assert fact.rake == played.rake == sum(pot.rake for pot in played.pots) > 0


def test_a_new_shift_counts_from_nought() -> None:
    table = four_on_the_flop()
    shift = Shift(table)
    shift.heard = 0
    hand_over(mended(table))
    assert shift.hear().saves == Saves(told=1)
    assert shift.tell(CloseTable()) is None
    assert shift.tell(OpenTable()) is None
    assert (shift.fact.hands, shift.fact.stops, shift.fact.saves) == (0, 0, Saves())


def test_it_is_whole_after_a_restart_in_mid_hand() -> None:
    table = four_on_the_flop()
    shift = Shift(table)
    shift.heard = 0
    before = shift.hear()
    again = Shift(table, shift.mark)
    assert again.fact == before
    hand_over(mended(table))
    assert again.hear().stops == 1  # it was said before the restart, and counts once


def test_what_is_open_at_the_close_is_named() -> None:
    seats = [
        SeatFact(1, "in", "none", 200, 0, 0, 0, to_act=False),
        SeatFact(2, "away", "none", None, 0, 0, 0, to_act=False),
        SeatFact(3, "out", "none", None, 0, 0, 0, to_act=False),
    ]
    decks = DecksFact(
        (DeckView("a", "", "in_use"), DeckView("b", "", "quarantine"), DeckView("c", "", "out"))
    )
    lamps = [DeviceFact("r1", "reader", "lost"), DeviceFact("r2", "reader", "ok")]
    notices = [
        NoticeFact("floor", "floor_called"),
        NoticeFact("reduced/muck", "reduced_checking"),
        NoticeFact("x", ""),
    ]
    assert open_matters([*seats, decks, *lamps, *notices]) == (
        Matter("floor_called"),
        Matter("players", {"seats": [1, 2]}),
        Matter("stacks_unknown", {"seats": [2]}),
        Matter("decks_in_use", {"count": 1}),
        Matter("decks_quarantine", {"count": 1}),
        Matter("devices", {"count": 1}),
        Matter("reduced", {"count": 1}),
    )
    assert open_matters([]) == ()


@pytest.fixture
def running(tmp_path: Path):
    """A session with a real journal, and how to start it again."""
    started: list[tuple[Session, Journal]] = []

    def start() -> Session:
        journal, _ = Journal.open_or_rotate(
            tmp_path / "journal.sqlite",
            clock_mono_ns=time.monotonic_ns,
            clock_utc_ns=time.time_ns,
            simulated=True,
            origin="table/test",
            signing_key=b"s" * 32,
        )
        marks = [kept.payload for kept in journal.read() if (kept.kind, kept.name) == ("mark", SHIFT)]
        core = Driver().core
        desk = ShiftDesk(core, marks[-1] if marks else None, utc_s=lambda: NOON_S)
        session = Session(core, JournalStore(journal), row, now_ms=lambda: core.t_ms, shift=desk)
        session.start()
        started.append((session, journal))
        return session

    def stop() -> None:
        while started:
            session, journal = started.pop()
            session.stop()
            journal.close()

    yield start, stop
    stop()


def test_the_journal_keeps_it(running) -> None:
    start, stop = running
    results: list[Result] = []
    session = start()
    session.ask(Request("1", "dealer", 0, OpenTable(700)), results.append)
    stop()
    snapshots: list[object] = []
    session = start()
    session.join(snapshots.append)
    session.ask(Request("2", "dealer", 0, OpenTable()), results.append)
    stop()
    assert [(result.ok, result.code) for result in results] == [(True, ""), (False, "table_is_open")]
    (shown,) = [fact for fact in snapshots[0].facts if isinstance(fact, ShiftFact)]  # type: ignore[attr-defined]
    assert (shown.open, shown.tray, shown.opened_s) == (True, 700, NOON_S)
