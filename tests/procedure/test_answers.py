"""Answers, keys and reports: what is refused and why, and what each "no" leaves behind."""

from __future__ import annotations

from typing import Any

import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.commands import Refused
from tests.table.driver import Driver
from tests.table.test_deck_rows import TwoDecks
from tests.table.test_rules import dealt, on_flop, play_to_end


def four_on_the_flop(**setup: Any) -> Driver:
    table = dealt(**setup)
    table.check_down()
    table.burn()
    table.board(4)
    table.wait(1500)
    assert table.said() == [("F1", "probable", "open")]
    return table


# -- refused --------------------------------------------------------------------------------------------------------------


def test_an_answer_names_an_alert_that_asks() -> None:
    table = four_on_the_flop()
    alert = table.alert("F1").id
    assert table.tell(cmd.Answer("D3", "yes")) == Refused("unknown_alert", {"alert": "D3"})
    assert table.tell(cmd.Answer(alert, "yes")) is None
    assert table.alert("F1").evidence == "proven"
    assert table.alert("F1").answered == "yes"
    assert table.tell(cmd.Answer(alert, "yes")) == Refused("no_question", {"alert": alert})
    assert table.tell(cmd.Answer("", "yes")) == Refused("unknown_alert", {"alert": ""})


def test_the_question_that_matters_most_is_answered_first() -> None:
    table = dealt()
    table.check_down()
    table.burn()
    table.burn()
    table.board(4)
    table.wait(1500)
    asked = {alert.rule: alert for alert in table.alerts() if alert.question}
    assert set(asked) == {"N5", "F1"}
    assert asked["F1"].priority == "high"
    table.answer("yes")
    assert table.alert("F1").answered == "yes"
    assert table.alert("N5").answered is None


@pytest.mark.parametrize("row", ["Z9", "", "exposed card"])
def test_a_report_names_a_row_of_the_catalogue(row: str) -> None:
    table = dealt()
    assert table.tell(cmd.Report(row)) == Refused("bad_row", {"row": row})
    assert table.said() == []


@pytest.mark.parametrize("row", ["exposed", "X1", "A9", "D8"])
def test_a_report_about_a_hand_names_a_seat_that_is_dealt_in(row: str) -> None:
    table = dealt()
    assert table.tell(cmd.Report(row)) == Refused("bad_seat", {"seat": 0})
    assert table.tell(cmd.Report(row, 4)) == Refused("bad_seat", {"seat": 4})
    assert table.said() == []


@pytest.mark.parametrize("row", ["early_card", "R2", "A3"])
def test_no_card_is_early_once_the_betting_is_over(row: str) -> None:
    table = on_flop()
    for _ in range(2):
        table.check_down()
        table.street(1)
    table.check_down()
    assert table.tell(cmd.Report(row)) == Refused("betting_over", {})
    assert table.said() == []


def test_a_ruling_is_one_of_the_options() -> None:
    table = dealt()
    assert table.tell(cmd.Rule("", "play_on")) == Refused("no_options", {"alert": ""})
    table.report("A9", 3)
    alert = table.alert("A9")
    assert alert.options
    assert table.tell(cmd.Rule("A9", "misdeal it")) == Refused(
        "bad_option", {"option": "misdeal it", "options": list(alert.options)}
    )
    assert table.tell(cmd.Rule("K2", alert.options[0])) == Refused("no_options", {"alert": "K2"})
    assert table.alert("A9").ruled is None
    assert table.tell(cmd.Rule(alert.id, alert.options[-1])) is None
    assert table.alert("A9").ruled == alert.options[-1]
    assert table.alert("A9").options == alert.options


def test_a_ruling_can_be_changed_for_another_one() -> None:
    table = dealt()
    table.report("A9", 3)
    first, *_, last = table.alert("A9").options
    assert table.tell(cmd.Rule("", first)) is None
    if table.alert("A9").state in ("open", "fixing"):
        assert table.tell(cmd.Rule("A9", last)) is None
        assert (table.alert("A9").ruled, table.alert("A9").remedy) == (last, last)


# -- keys of an alert -----------------------------------------------------------------------------------------------------


def test_calling_the_floor_changes_nothing_at_the_table() -> None:
    table = four_on_the_flop()
    before = table.hand.procedure
    assert table.tell(cmd.Respond("F1", "call_floor")) is None
    assert table.hand.procedure == before


def test_fixing_is_for_what_is_proven() -> None:
    table = four_on_the_flop()
    assert table.tell(cmd.Respond("", "fixing")) is None
    assert table.alert("F1").state == "open"
    table.answer("yes")
    assert table.tell(cmd.Respond("", "fixing")) is None
    assert table.alert("F1").state == "fixing"


def test_a_key_of_an_alert_that_is_closed_is_refused() -> None:
    table = four_on_the_flop()
    alert = table.alert("F1").id
    assert table.tell(cmd.Respond(alert, "misread")) is None
    assert table.alerts()[0].state == "withdrawn"
    assert table.tell(cmd.Respond(alert, "misread")) == Refused("unknown_alert", {"alert": alert})
    assert table.tell(cmd.Respond("", "deal_on")) == Refused("unknown_alert", {"alert": ""})


@pytest.mark.parametrize(("response", "state"), [("misread", "withdrawn"), ("deal_on", "dealt_on")])
def test_what_was_dealt_on_is_silent_for_the_rest_of_the_hand(response: Any, state: str) -> None:
    table = four_on_the_flop()
    assert table.tell(cmd.Respond("", response)) is None
    alert = table.alerts()[0]
    assert (alert.state, alert.question, alert.options) == (state, None, ())
    table.take(next(face for face, zone in table.where.items() if zone == "board"))
    table.wait(1500)
    table.board(1)
    table.wait(3000)
    assert [alert.rule for alert in table.alerts()] == ["F1"]


def test_misdeal_is_declared_once() -> None:
    table = Driver()
    table.pitch(9, 1)
    table.report("misdeal")
    assert table.hand.procedure.misdeal
    before = table.hand.procedure
    table.report("misdeal")
    assert table.hand.procedure.misdeal
    assert table.hand.procedure.alerts == before.alerts


def test_two_players_are_left_in_whatever_the_status_of_their_seats() -> None:
    table = Driver(seats=(3, 9), button=3)
    table.pitch(9)
    assert table.tell(cmd.SetSeat(3, "out")) is None
    assert set(table.hand.procedure.order) == {3, 9}


# -- the answer no --------------------------------------------------------------------------------------------------------


def test_no_the_board_was_only_squared() -> None:
    table = on_flop()
    flop = [face for face, zone in table.where.items() if zone == "board"]
    table.put(flop[0], "muck")
    alert = table.alert("R7")
    assert (alert.evidence, alert.question, alert.params) == ("probable", "board_swept", {"zone": "muck"})
    table.answer("no")
    assert (table.alerts()[0].state, table.alerts()[0].answered) == ("closed", "no")
    assert table.alerts()[0].remedy is None
    table.put(flop[0], "board")
    play_to_end(table)
    assert [alert.rule for alert in table.alerts()] == ["R7"]


def test_nobody_asks_about_a_board_that_one_live_hand_is_left_to_see() -> None:
    """One of two hands lies in the muck, its fold not tapped yet: whoever collects the cards sweeps the board."""
    table = on_flop(seats=(3, 9), button=3)
    hand = [face for face, zone in table.where.items() if zone == "seat9"]
    for face in hand:
        table.put(face, "muck")
    flop = [face for face, zone in table.where.items() if zone == "board"]
    table.put(flop[0], "muck")
    assert "R7" not in {alert.rule for alert in table.alerts()}


def test_no_a_hand_that_lies_at_its_seat_again_is_not_claimed() -> None:
    table = dealt()
    held = [face for face, zone in table.where.items() if zone == "seat3"]
    table.check_down()
    for count in (3, 1, 1):
        table.street(count)
        table.check_down()
    for face in held:
        table.put(face, "muck")
    table.put(held[0], "seat3")
    alert = table.alert("A11")
    assert (alert.seat, alert.question, alert.params) == (3, "hand_back", {"seat": 3})
    table.answer("no")
    assert (table.alerts()[-1].state, table.alerts()[-1].answered) == ("closed", "no")
    assert table.alerts()[-1].remedy is None


def test_yes_the_deck_was_shuffled_by_hand() -> None:
    table = TwoDecks()
    table.shuffler("ready", 52)
    table.play()
    table.open()
    table.pitch(9)
    alert = table.alert("K12")
    assert (alert.evidence, alert.question, alert.street) == ("probable", "deck_shuffled", "preflop")
    table.answer("yes")
    assert (table.alerts()[-1].state, table.alerts()[-1].answered) == ("closed", "yes")
    table.pitch(1, 2, 3)
    assert [alert.rule for alert in table.alerts()] == ["K12"]


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_a_card_with_another_back_is_said_once(answer: str) -> None:
    """Reported twice, it is one alert: the second report is no second card."""
    table = TwoDecks()
    table.shuffler("ready", 52)
    table.open()
    table.pitch(9, 1)
    table.report("K2")
    told = [alert for alert in table.alerts() if alert.rule == "K2"]
    assert len(told) == 1
    assert told[0].evidence == "proven"
    assert told[0].why[0].code == "dealer_reported"
    assert told[0].why[0].params == {"row": "K2"}
    table.report("K2")
    assert [alert for alert in table.alerts() if alert.rule == "K2"] == told
    if told[0].question:
        table.answer(answer)
        assert table.alerts()[-1].answered == answer
