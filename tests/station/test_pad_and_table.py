"""The pad against a table that decides: what a finger does, what the service makes of it, and what the screen says then."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from dealer_assist.domain.commands import Command
from dealer_assist.domain.link import Result, Snapshot
from dealer_assist.station.keys import Key
from dealer_assist.station.pad_means import ready_of
from tests.table.driver import Driver


class Together:
    """A window whose commands go to a table, and whose state is the table's."""

    def __init__(self, window, qtbot, driver: Driver) -> None:
        self.window, self.qtbot, self.driver = window, qtbot, driver
        self.sent: list[Command] = []
        window.set_sender(self._send)
        self.look()

    def look(self) -> None:
        self.window.receive((Snapshot(self.window.state.seq + 1, self.driver.core.snapshot()),))

    def _send(self, command: Command, _after: int) -> str:
        self.sent.append(command)
        return str(len(self.sent))

    def tap(self, *keys: Key) -> None:
        """Tap keys one after the other; the table answers each command before the next tap."""
        for key in keys:
            assert key.isVisible() and key.isEnabled(), (key.objectName(), key.text())
            before = len(self.sent)
            self.qtbot.mouseClick(key, Qt.MouseButton.LeftButton)
            for number in range(before, len(self.sent)):
                refused = self.driver.tell(self.sent[number])
                self.look()
                code, params = ("", {}) if refused is None else (refused.code, refused.params)
                self.window.receive((Result(str(number + 1), refused is None, code, params),))

    def pad(self, *codes: str) -> None:
        self.tap(*(self.window.pad.keys[code] for code in codes))

    def ready(self, kind: str) -> None:
        """The key of a ready amount."""
        pad = self.window.pad
        kinds = [each.kind for each in ready_of(self.window.state, pad.legal)]
        self.pad(f"ready-{kinds.index(kind)}")

    def sheet(self, *codes: str) -> None:
        for code in codes:
            sheet = self.window.open_sheet
            assert sheet is not None, code
            self.tap(sheet.keys[code])

    def seat(self, seat: int) -> None:
        self.window.table.seat_tapped.emit(seat)

    @property
    def said(self) -> str:
        """All that the open sheet says."""
        sheet = self.window.open_sheet
        return "" if sheet is None else " | ".join(" ".join(fitted.lines) for fitted, _, _ in sheet._labels)

    @property
    def taken(self) -> list[tuple[int, str, int]]:
        state = self.driver.hand.betting
        return [(entry.seat, entry.kind, entry.to) for entry in state.actions_on(state.street)]


@pytest.fixture
def together(open_window, qtbot):
    def make(*, flop: bool = True, **keys: object) -> Together:
        driver = Driver(**keys)  # type: ignore[arg-type]
        if flop:
            driver.deal()
            driver.act("2 raise 6, 3 fold, 5 call, 7 fold, 9 fold, 1 call")
            driver.street(3)
        return Together(open_window(), qtbot, driver)

    return make


def test_a_round_by_the_keys_and_one_tap_takes_the_last_of_it_back(together):
    at = together()
    at.pad("call")  # seat 1 checks
    at.ready("half_pot")
    assert at.taken == [(1, "check", 0), (2, "bet", 9)]
    at.pad("1", "0")
    assert not at.window.pad.keys["raise"].isEnabled(), "10 is no raise over 9"
    assert at.window.pad.display.hint == "at least 18" and at.window.pad.display.trouble
    at.pad("delete", "delete", "fold")
    assert at.window.pad.keys["undo"].text() == "Undo: seat 5 fold"
    at.pad("undo", "call")
    assert at.taken == [(1, "check", 0), (2, "bet", 9), (5, "call", 9)]


def test_one_large_chip_is_read_and_the_sheet_says_what_goes_back(together):
    at = together(house="tda2024")
    at.pad("call")
    at.ready("whole_pot")
    at.pad("irregular")
    at.sheet("kind-overchip")
    at.pad("1", "00")
    at.sheet("typed_chip")
    assert at.taken[-1] == (5, "call", 19)
    assert "CALL: 19 IN FRONT" in at.said and "81 go back" in at.said
    assert "House tda2024 · TDA 44" in at.said
    at.sheet("undo")
    assert at.taken[-1] == (2, "bet", 19)


def test_a_check_against_a_bet_leaves_a_call_or_a_fold_on_the_pad(together):
    at = together()
    at.ready("whole_pot")
    at.pad("irregular")
    at.sheet("kind-check_facing_bet")
    assert "CALL OR FOLD" in at.said
    at.sheet("done")
    assert not at.window.pad.keys["raise"].isEnabled() and not at.window.pad.keys["ready-0"].isEnabled()
    assert at.window.pad.display.hint == "no raise possible"
    at.pad("irregular")
    at.pad("irregular")
    at.pad("call")
    assert at.taken[-1] == (2, "call", 19)


def test_out_of_turn_is_kept_and_the_alert_says_the_rest(together):
    at = together()
    at.pad("call", "irregular")
    at.sheet("kind-out_of_turn", "seat-5", "word-check", "read")
    assert at.window.open_sheet is None, "the alert says what is to be done"
    assert at.window.panel.alert is not None and at.window.panel.alert.rule == "A1"
    at.pad("call")
    assert at.taken == [(1, "check", 0), (2, "check", 0), (5, "check", 0)]


def test_by_exception_a_seat_further_on_is_two_taps_and_its_amount(together):
    at = together(entry="by_exception")
    at.seat(5)
    assert at.window.pad.display.shown.plate == "5" and at.window.now_line.line.title == "ACTION: SEAT 5"
    at.pad("1", "2", "raise")
    assert at.taken == [(1, "check", 0), (2, "check", 0), (5, "bet", 12)]
    assert at.window.open_sheet is None and at.window.pad.display.shown.plate == "1"
    at.seat(2)
    at.ready("whole_pot")
    assert at.taken[-2:] == [(1, "call", 12), (2, "raise", 67)], "12 and the pot of 55 that the calls make"


def test_a_stack_that_nobody_knows_is_counted_before_it_is_all_in(together):
    at = together(stacks={1: None})
    pad = at.window.pad
    assert pad.keys["all_in"].text() == "ALL-IN: COUNT"
    at.pad("all_in")
    assert at.sent == [] and pad.message == "Count the all-in and type it."
    at.pad("8", "0", "all_in")
    assert at.taken == [(1, "bet", 80)]
    assert at.driver.hand.betting.is_all_in(1)


def test_hands_are_tabled_mucked_and_the_pots_pushed(together):
    at = together()
    for _ in range(2):
        at.driver.check_down()
        at.driver.street(1)
    at.driver.check_down()
    at.look()
    rows = at.window.pad.showdown.rows
    at.tap(rows[1][0], rows[2][1])
    assert at.window.pad.keys["undo"].text() == "Undo: seat 2 mucked"
    at.pad("undo")
    at.tap(at.window.pad.showdown.rows[2][1], at.window.pad.showdown.rows[5][1])
    assert at.window.pad.showdown.takers == [1]
    at.pad("go")
    assert at.driver.hand.result == "completed"
    assert at.window.pad.keys["go"].text() == "NEXT HAND"


def test_while_the_board_is_run_out_hands_are_tabled_and_none_is_given_up(together):
    at = together()
    at.pad("call", "all_in", "all_in", "fold")
    rows = at.window.pad.showdown.rows
    assert at.window.state.phase == "runout" and set(rows) == {2, 5}
    assert not any(mucked.isEnabled() for _, mucked in rows.values())
    at.tap(rows[2][0])
    for _ in range(2):
        at.driver.street(1)
    at.look()
    assert at.window.state.phase == "showdown"
    at.tap(at.window.pad.showdown.rows[5][1])
    assert at.driver.hand.mucked == (5,)


def test_a_player_who_left_moves_to_another_seat_with_his_chips(together):
    at = together(flop=False)
    at.driver.deal()
    at.driver.act("2 fold, 3 fold, 5 fold, 7 fold, 9 fold")
    at.look()
    at.pad("go")
    at.seat(5)
    at.sheet("out")
    at.seat(6)
    at.sheet("moved-5")
    seats = {fact.seat: (fact.status, fact.stack) for fact in at.window.state.seats}
    assert seats[6] == ("in", 200) and seats[5][0] == "empty"
