"""Saves: what alerts came to, counted once each, through undo, the end of the hand and a restart. And seats that are told apart."""

from __future__ import annotations

import msgspec
import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.alerts import Saves
from dealer_assist.domain.facts import SavesFact
from dealer_assist.seating import Ledger
from tests.table.driver import ORDER, Driver
from tests.table.test_action_rows import at_showdown
from tests.table.test_rules import dealt, on_flop, play_to_end


def saves(table: Driver) -> Saves:
    (fact,) = [fact for fact in table.core.snapshot() if isinstance(fact, SavesFact)]
    return fact.saves


def four_on_the_flop() -> Driver:
    table = dealt()
    table.check_down()
    table.burn()
    table.board(4)
    table.wait(1500)
    table.answer("yes")
    return table


def mended(table: Driver) -> Driver:
    for face in [face for face, zone in table.where.items() if zone == "board"]:
        table.take(face)
    table.wait(1500)
    table.board(3)
    table.wait(1500)
    return table


def test_what_is_said_and_mended_is_a_save_once_it_is_mended() -> None:
    table = four_on_the_flop()
    assert table.alert("F1").evidence == "proven"
    assert saves(table) == Saves()
    mended(table)
    assert (table.alert("F1").state, saves(table)) == ("closed", Saves(told=1))


def test_saves_outlast_the_hand_and_a_restart() -> None:
    table = mended(four_on_the_flop())
    play_to_end(table)
    assert table.hand.result == "completed"
    assert saves(table) == Saves(told=1)
    (ledger,) = [change.ledger for change in table.changes if change.ledger is not None]
    kept = msgspec.json.decode(msgspec.json.encode(ledger), type=Ledger)
    assert kept.saves == Saves(told=1)
    assert (
        msgspec.json.decode(b'{"hands": 4}', type=Ledger).saves == Saves()
    )  # a journal from before they were counted


def test_what_the_dealer_reports_and_mends_is_his_own() -> None:
    table = Driver()
    held = table.pitch(*ORDER)
    table.report("exposed", 2)
    table.pitch(*ORDER)
    table.take(held[2])
    table.pitch(2)
    table.check_down()
    table.wait(900)
    table.put(held[2], "burn")
    assert (table.alert("X3").state, saves(table)) == ("closed", Saves(own=1))


def test_a_card_taken_back_before_the_answer_is_his_own_too() -> None:
    table = dealt()
    table.check_down()
    table.burn()
    faces = table.board(4)
    table.wait(1500)
    assert table.alert("F1").question == "turned_up"
    table.take(faces[3])
    table.wait(1500)
    assert (table.alert("F1").state, saves(table)) == ("closed", Saves(own=1))


def test_a_question_that_is_answered_is_no_save_and_a_misread_is_counted_as_one() -> None:
    table = on_flop()
    table.check_down()
    table.burn()
    table.board(2)
    table.wait(1500)
    asked = table.alert("R6")
    assert asked.question == "turned_up" and saves(table) == Saves()
    table.answer("yes")
    assert table.tell(cmd.Respond("R6", "misread")) is None
    assert saves(table) == Saves(misread=1)


def test_undo_takes_a_save_back() -> None:
    table = dealt()
    table.act("2 raise 4, 3 call")
    table.report("A4", 2)
    assert table.tell(cmd.Correct(2, "raise", 6)) is None
    assert saves(table) == Saves(own=1)
    assert table.tell(cmd.Undo()) is None
    assert saves(table) == Saves()


def test_chips_that_are_pushed_wrong_all_the_same_are_no_save() -> None:
    table, _ = at_showdown()
    for seat in (2, 5):
        assert table.tell(cmd.Tabled(seat)) is None
    wrong = {5: sum(table.hand.settlement.awards.values())}  # type: ignore[union-attr]
    for _ in range(2):
        assert table.tell(cmd.PushPots(wrong)) is None
    assert table.hand.result == "completed"
    assert [(alert.rule, alert.state) for alert in table.alerts()] == [("P3", "closed")]
    assert saves(table) == Saves()


# -- one rule, two seats ---------------------------------------------------------------------------------------------------------


def test_the_same_thing_of_two_seats_is_told_of_both() -> None:
    table = dealt()
    table.report("A1", 5)
    table.report("A1", 5)
    table.report("A1", 7)
    told = [alert for alert in table.alerts() if alert.state == "open"]
    assert [(alert.rule, alert.seat) for alert in told] == [("A1", 5), ("A1", 7)]


@pytest.mark.parametrize("response", ["misread", "deal_on"])
def test_what_is_silenced_of_one_seat_is_told_of_another(response: str) -> None:
    table = dealt()
    table.report("A1", 5)
    assert table.tell(cmd.Respond(table.alert("A1").id, response)) is None  # type: ignore[arg-type]
    table.report("A1", 5)
    assert [(alert.seat, alert.state) for alert in table.alerts()][1:] == []
    table.report("A1", 7)
    assert table.alert("A1").seat == 7


def test_a_report_of_another_seat_than_was_asked_about_is_about_that_seat() -> None:
    table = Driver()
    table.pitch(*ORDER, 9, 1, 1)
    assert (table.alert("D4").question, table.alert("D4").seat) == ("out_of_turn", 1)
    table.report("D4", 2)
    assert [(alert.seat, alert.evidence, alert.state) for alert in table.alerts()] == [
        (1, "probable", "withdrawn"),
        (2, "proven", "open"),
    ]
