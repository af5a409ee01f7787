"""What a table tells of its past hands: the steps are the screens as they were, and no card that nobody tabled is in any of them."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain import facts as fx
from dealer_assist.domain.history import AskHands, AskReplay, HandsPage, ReplayPage, ReplayStep
from dealer_assist.domain.link import Request, Result
from dealer_assist.journal.adapter import JournalStore, row
from dealer_assist.journal.past_hands import JournalHands
from dealer_assist.journal.store import Journal
from dealer_assist.table import hand_history
from dealer_assist.table.change import Change
from dealer_assist.table.chronicle import MOST_STEPS, Chronicle, Shown
from dealer_assist.table.core import Core
from dealer_assist.table.hand_history import HandHistory
from dealer_assist.table.screen import Screen
from dealer_assist.table.seats import Seats
from dealer_assist.table.session import HAND_SHOWN, Session, StoreFailed
from tests.journal.kit import settings
from tests.table.driver import Driver
from tests.table.test_resume import taken_up

KINDS = {"table", "hand", "seat", "board", "pot", "now", "alert", "notice"}
Section = tuple[str, str]


def first_screen(core: Core) -> tuple[fx.Fact, ...]:
    """What the screens show before the table's first hand."""
    seats = Seats({})
    seats.rules = core.seats.rules
    return Screen(core.setup, seats).facts()


def chronicle_of(core: Core) -> Chronicle:
    """A chronicle that begins there."""
    return Chronicle(first_screen(core), lambda: 1_700_000_000)


def shown_of(table: Driver) -> Shown:
    """The replay of the hand that a driver has played, or plays."""
    chronicle = chronicle_of(table.core)
    chronicle.add(table.changes)
    over = chronicle.over("h1")
    chronicle.stored()
    running = chronicle.running()
    assert (over is None) != (running is None)
    return over or running  # type: ignore[return-value]


def screens(steps: Iterable[ReplayStep]) -> Iterator[dict[Section, Any]]:
    """The screen at each step."""
    sections: dict[Section, Any] = {}
    for step in steps:
        for section in step.gone:
            del sections[section]
        sections.update({fx.section(fact): fact for fact in step.facts})
        yield dict(sections)


def to_the_river(table: Driver) -> dict[int, list[str]]:
    """Seats 2 and 5 play to the river."""
    held = table.deal()
    table.act("2 raise 6, 3 fold, 5 call, 7 fold, 9 fold, 1 fold")
    for count in (3, 1, 1):
        table.street(count)
        table.check_down()
    return held


def test_each_step_is_the_screen_as_it_was() -> None:
    table = Driver(seats=range(1, 12))
    to_the_river_of_eleven(table)
    seen: list[dict[Section, Any]] = []
    now = {fx.section(fact): fact for fact in first_screen(table.core)}
    for change in table.changes:
        for section in change.gone:
            now.pop(section, None)
        now.update({fx.section(fact): fact for fact in change.facts})
        shown = {section: fact for section, fact in now.items() if section[0] in KINDS}
        if not seen or seen[-1] != shown:
            seen.append(shown)
    shown = shown_of(table)
    assert list(screens(shown.steps)) == seen
    assert len(shown.steps) > 60
    assert shown.line.steps == len(shown.steps)
    times = [step.t_ms for step in shown.steps]
    assert times[0] == 0 and times == sorted(times)


def to_the_river_of_eleven(table: Driver) -> None:
    table.deal()
    table.act(", ".join(f"{seat} call" for seat in table.order[2:-1]))
    table.check_down()
    for count in (3, 1, 1):
        table.street(count)
        table.check_down()


def test_the_line_says_who_won_what_and_what_was_said() -> None:
    table = Driver()
    held = table.deal()
    table.report("exposed", 3)  # its last card: put right as a burn
    table.wait(1000)
    table.act("2 raise 6, 3 fold, 5 call, 7 fold, 9 fold, 1 fold")
    for count in (3, 1, 1):
        table.street(count)
        table.check_down()
    assert table.tell(cmd.Tabled(2)) is None
    assert table.tell(cmd.Mucked(5)) is None
    assert table.hand.settlement is not None
    assert table.tell(cmd.PushPots()) is None
    shown = shown_of(table)
    line = shown.line
    assert (line.hand, line.result, line.pot, line.winners) == ("h1", "completed", 15, ((2, 15),))
    assert (
        [alert.rule for alert in line.alerts]
        == [alert.rule for alert in table.alerts() if alert.evidence != "possible"]
        != []
    )
    assert held[5]


def test_a_mucked_hand_shows_its_backs_at_every_step() -> None:
    table = Driver()
    held = to_the_river(table)
    assert table.tell(cmd.Tabled(2)) is None
    assert table.tell(cmd.Mucked(5)) is None
    assert table.tell(cmd.PushPots()) is None
    shown = shown_of(table)
    text = msgspec.json.encode(shown)
    for seat, faces in held.items():
        for face in faces:
            assert (f'"{face}"'.encode() in text) == (seat == 2), f"{face} of seat {seat}"
    last = list(screens(shown.steps))[-1]
    assert set(last["seat", "2"].tabled) == set(held[2])


def test_what_was_tabled_by_a_slip_and_taken_back_was_never_tabled() -> None:
    table = Driver()
    held = to_the_river(table)
    assert table.tell(cmd.Tabled(2)) is None
    assert table.tell(cmd.Tabled(5)) is None  # the wrong seat: it had thrown its cards away
    assert any(held[5][0] in str(change.facts) for change in table.changes), "nothing to be taken back"
    assert table.tell(cmd.Undo()) is None
    running = msgspec.json.encode(shown_of(table))
    assert table.tell(cmd.Mucked(5)) is None
    assert table.tell(cmd.PushPots()) is None
    for text in (running, msgspec.json.encode(shown_of(table))):
        assert not any(f'"{face}"'.encode() in text for face in held[5])
        assert all(f'"{face}"'.encode() in text for face in held[2])


def test_causes_name_no_card() -> None:
    table = Driver(unread=("board",))
    to_the_river(table)
    steps = shown_of(table).steps
    causes = {step.cause for step in steps}
    assert {"open_hand", "card_placed", "act"} <= causes
    acted = next(step for step in steps if step.cause == "act")
    assert acted.params == {"seat": 2, "action": "raise", "to": 6}
    assert not any("face" in step.params or "ref" in step.params for step in steps)


def test_a_hand_that_goes_on_for_ever_keeps_its_end_and_stays_small() -> None:
    table = Driver()
    table.deal()
    for number in range(MOST_STEPS):
        assert table.tell(cmd.SetStack(2, 200 + number)) is None
    shown = shown_of(table)
    assert len(shown.steps) <= MOST_STEPS
    screen = list(screens(shown.steps))[-1]
    for fact in table.core.snapshot():
        if fx.section(fact)[0] in KINDS - {"table"}:
            assert screen[fx.section(fact)] == fact


def test_a_hand_taken_up_again_has_its_steps_from_its_beginning() -> None:
    table = Driver()
    to_the_river(table)
    before = shown_of(table)
    again = Driver()
    chronicle = chronicle_of(again.core)
    kept: list[Change] = []
    resume = again.core.resume
    again.core.resume = lambda *args, **named: kept.extend(resume(*args, **named)) or kept  # type: ignore[method-assign]
    taken_up(table, key=b"h1".ljust(32, b"k"), other=again)
    chronicle.add(kept, began_s=1_600_000_000)
    chronicle.stored()
    running = chronicle.running()
    assert running is not None and running.line.began_s == 1_600_000_000
    assert list(screens(running.steps))[-1] == list(screens(before.steps))[-1]
    assert len(running.steps) == len(before.steps)


# -- asked of a session ------------------------------------------------------------------------------------------------------------


class Table:
    """A driver's table behind a session, with a journal on the disk."""

    def __init__(self, folder: Path, failing: list[bool] | None = None) -> None:
        self.path = folder / "journal.sqlite"
        self.failing = failing or [False]
        self.journal = Journal.open(self.path, **settings())
        self.driver = Driver()
        self.history = HandHistory(chronicle_of(self.driver.core), JournalHands(self.path))
        self._owed = list(self.driver.changes)
        self.session = Session(
            self.driver.core,
            self,  # type: ignore[arg-type]
            row,
            now_ms=lambda: self.driver.t_ms,
            history=self.history,
        )
        self._store = JournalStore(self.journal)
        self.history.start()

    def append(self, rows: Any, seals: Any = ()) -> int:
        if self.failing[0]:
            raise StoreFailed("full")
        return self._store.append(rows, seals)

    def checkpoint(self, hand: str) -> None:
        self._store.checkpoint(hand)

    def commit(self) -> None:
        """As the session's thread does with what came."""
        changes, self.driver.changes = self.driver.changes, []
        self.session._commit(changes)

    def play(self, hand: str) -> None:
        """Another hand, to its end."""
        if self.driver.hand.result:
            opening = msgspec.structs.replace(self.driver.hand.procedure.opening, hand=hand, posts=())
            assert self.driver.tell(cmd.OpenHand(opening)) is None
        self.driver.act("2 raise 6, 3 fold, 5 fold, 7 fold, 9 fold, 1 fold")
        assert self.driver.tell(cmd.PushPots()) is None
        self.commit()

    def ask(self, command: cmd.Command) -> Result:
        told: queue.Queue[Result] = queue.Queue()
        self.session.ask(Request("q", "dealer", 0, command), told.put)
        return told.get(timeout=10)

    def hands(self, **asked: int) -> HandsPage:
        return msgspec.convert(self.ask(AskHands(**asked)).params, HandsPage)

    def close(self) -> None:
        self.history.stop()
        self.journal.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.close()


def test_hands_are_listed_page_by_page_and_replayed_from_the_journal(table: Table) -> None:
    for number in range(1, 6):
        table.play(f"h{number}")
    first = table.hands(count=2)
    assert [line.hand for line in first.hands] == ["h5", "h4"]
    second = table.hands(before=first.next, count=2)
    third = table.hands(before=second.next, count=2)
    assert [line.hand for line in (*second.hands, *third.hands)] == ["h3", "h2", "h1"]
    assert third.next == 0
    line = first.hands[0]
    assert (line.result, line.winners, line.began_s) == ("completed", ((2, 5),), 1_700_000_000)
    page = msgspec.convert(table.ask(AskReplay(line.row)).params, ReplayPage)
    assert (page.hand, page.of, len(page.steps)) == ("h5", line.steps, line.steps)
    last = list(screens(page.steps))[-1]
    assert last["hand", ""].phase == "closed"
    assert last["seat", "2"].won == 5


def test_a_long_replay_comes_in_pages(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_history, "PAGE_BYTES", 3000)
    table.play("h1")
    row_ = table.hands().hands[0].row
    steps: list[ReplayStep] = []
    pages = 0
    while True:
        page = msgspec.convert(table.ask(AskReplay(row_, len(steps))).params, ReplayPage)
        steps += page.steps
        pages += 1
        if len(steps) == page.of:
            break
    assert pages > 2
    monkeypatch.undo()
    assert tuple(steps) == msgspec.convert(table.ask(AskReplay(row_)).params, ReplayPage).steps


def test_the_running_hand_is_there_as_far_as_it_is_stored(table: Table) -> None:
    table.commit()
    [line] = table.hands().hands
    assert (line.row, line.hand, line.result) == (0, "h1", "")
    table.driver.act("2 raise 6")
    table.failing[0] = True
    table.commit()  # not durable: nobody sees it, here no more than on the screen
    assert table.hands().hands == (line,)
    table.failing[0] = False
    table.commit()
    [later] = table.hands().hands
    assert later.steps > line.steps and later.pot == 9
    page = msgspec.convert(table.ask(AskReplay(0, later.steps - 1, "h1")).params, ReplayPage)
    assert [step.cause for step in page.steps] == ["act"]


def test_a_hand_that_could_not_be_stored_at_its_end_is_stored_later(table: Table) -> None:
    table.failing[0] = True
    table.play("h1")
    table.failing[0] = False
    table.commit()
    [line] = table.hands().hands
    assert (line.hand, line.result) == ("h1", "completed") and line.steps > 3


def test_what_is_not_there_is_refused(table: Table, tmp_path: Path) -> None:
    table.play("h1")
    row_ = table.hands().hands[0].row
    for question in (AskReplay(0), AskReplay(row_ - 1), AskReplay(row_ + 99), AskReplay(row_, 0, "h2")):
        assert table.ask(question).code == "no_such_hand"
    assert table.hands(before=1).hands == ()
    JournalHands(tmp_path / "none")
    table.history._past = JournalHands(tmp_path / "none.sqlite")
    refused = table.ask(AskHands())
    assert (refused.ok, refused.code) == (False, "history_unavailable")


def test_a_row_that_no_journal_can_have_is_no_question() -> None:
    for command in ({"kind": "ask_hands", "before": 2**63}, {"kind": "ask_replay", "row": 2**63}):
        line = msgspec.json.encode({"id": "q", "actor": "dealer", "after": 0, "command": command})
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(line, type=Request)


def test_a_row_beyond_the_last_possible_one_is_not_there(table: Table) -> None:
    table.play("h1")
    assert len(table.hands(before=2**63 - 1).hands) == 1
    assert table.ask(AskReplay(2**63 - 1)).code == "no_such_hand"
    assert table.history.alive()


def test_a_table_without_a_history_says_so(table: Table) -> None:
    session = Session(table.driver.core, table, row, now_ms=lambda: 0)  # type: ignore[arg-type]
    told: queue.Queue[Result] = queue.Queue()
    session.start()
    session.ask(Request("q", "dealer", 0, AskHands()), told.put)
    session.stop()
    result = told.get(timeout=10)
    assert (result.ok, result.code) == (False, "history_unavailable")


def test_questions_that_pile_up_are_refused_and_hold_nobody_up(table: Table) -> None:
    table.play("h1")
    go_on = threading.Event()
    asked = threading.Event()
    past = table.history._past

    class Slow:
        def hands(self, before: int, count: int) -> HandsPage:
            asked.set()
            assert go_on.wait(10)
            return past.hands(before, count)

        def shown(self, row: int) -> Shown | None:
            return past.shown(row)

    table.history._past = Slow()
    told: queue.Queue[Result] = queue.Queue()
    table.session.ask(Request("first", "dealer", 0, AskHands()), told.put)
    assert asked.wait(10)
    for number in range(hand_history.MOST_WAITING + 3):
        table.session.ask(Request(str(number), "dealer", 0, AskHands()), told.put)
    refused = [told.get(timeout=10) for _ in range(3)]
    assert {result.code for result in refused} == {"history_busy"}
    go_on.set()
    assert all(told.get(timeout=10).ok for _ in range(hand_history.MOST_WAITING + 1))


def test_a_hand_of_another_version_is_listed_without_its_replay(table: Table) -> None:
    table.play("h1")
    strange = {"line": {"row": "?"}, "steps": []}
    played = {"hand": "h2"}
    table._store.append(
        [
            row("mark", "hand_played", "h2", played),
            row("mark", HAND_SHOWN, "h2", strange),
            row("mark", "hand_closed", "h2", {}),
        ]
    )
    newest, other = table.hands().hands
    assert (newest.hand, newest.steps, other.hand) == ("h2", 0, "h1")
    assert table.ask(AskReplay(newest.row)).code == "no_such_hand"
