"""Faults found by trying to break the table: odd commands, late reads, recoveries left half way, keys pressed at the wrong time."""

from __future__ import annotations

from typing import Any

import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.cards import STANDARD_52
from dealer_assist.domain.commands import Refused
from dealer_assist.domain.table import ForcedBet, HandOpening, SeatStack
from tests.table.driver import ORDER, Driver
from tests.table.test_rules import chips, dealt, on_flop, play_to_end


def showdown(**setup: object) -> Driver:
    """A hand checked down to the showdown; nobody has tabled yet."""
    table = dealt(**setup)
    table.check_down()
    for count in (3, 1, 1):
        table.street(count)
        table.check_down()
    assert table.hand.procedure.step.kind == "show"
    return table


# -- nothing raises ---------------------------------------------------------------------------------------------------------------


def test_heads_up_a_seat_that_is_out_gives_everything_back() -> None:
    table = Driver(seats=(1, 2), button=2)
    table.pitch(1, 1)
    table.wait(2500)  # a card out of turn, or one that was not read? time tells
    assert (table.alert("D3").question, table.alert("D3").seat) == ("seat_in", 2)
    table.answer("no")
    assert table.hand.procedure.misdeal
    assert table.tell(cmd.OpenHand()) is None
    assert table.hand.procedure.hand == "2"


def test_cards_tapped_at_a_seat_without_a_reader() -> None:
    table = Driver(unread=["seat3"])
    for seat in ORDER * 2:
        if seat == 3:
            table.wait(600)
            assert table.tell(cmd.TapZone("seat3")) is None
        else:
            table.pitch(seat)
    assert table.alerts() == []
    assert len(table.hand.procedure.held[3]) == 2
    assert table.hand.procedure.step.kind == "bet"


@pytest.mark.parametrize("count", [0, -1, 10**9])
def test_tap_of_an_impossible_number_of_cards_is_refused(count: int) -> None:
    table = Driver(unread=["board"])
    assert table.tell(cmd.TapZone("board", count)) == Refused("bad_command", {"reason": "count"})


@pytest.mark.parametrize(
    "opening",
    [
        HandOpening("2", 1, (SeatStack(12, 100), SeatStack(3, 100))),
        HandOpening("2", 1, (SeatStack(0, 100), SeatStack(3, 100))),
        HandOpening("2", 3, (SeatStack(1, 100), SeatStack(3, 100)), (ForcedBet(5, 2, "big_blind"),)),
        HandOpening("2", 3, (SeatStack(1, 100), SeatStack(3, 100)), (ForcedBet(1, -2, "big_blind"),)),
        HandOpening("2", 3, (SeatStack(1, 0), SeatStack(3, 100))),
        HandOpening("2", 3, (SeatStack(1, -5), SeatStack(3, 100))),
    ],
)
def test_hand_that_cannot_be_played_is_refused(opening: HandOpening) -> None:
    table = dealt()
    table.act("2 fold, 3 fold, 5 fold, 7 fold, 9 fold")
    refused = table.tell(cmd.OpenHand(opening))
    assert refused is not None
    assert refused.code == "bad_command"
    assert table.tell(cmd.OpenHand()) is None


def test_void_hand_takes_its_chips_back_and_nothing_else() -> None:
    table = dealt(registered={"3c": "2c"})
    table.check_down()
    table.answer("yes")
    for command in (
        cmd.EnterCard("Ah"),
        cmd.TapZone("board", 3),
        cmd.Report("exposed", 9),
        cmd.Report("misdeal"),
        cmd.Report("early_card"),
        cmd.Answer("", "no"),
        cmd.Respond("K1", "misread"),
        cmd.Tabled(9),
        cmd.Mucked(9),
        cmd.Act(9, "check"),
    ):
        assert table.tell(command) == Refused("hand_complete"), command
    table.wait(5000)  # an entered card would have left something to judge for ever
    assert table.tell(cmd.CallFloor()) is None
    assert table.tell(cmd.PushPots()) is None
    assert chips(table) == 1200


def test_tabled_hand_takes_no_third_card() -> None:
    table = showdown()
    assert table.tell(cmd.Tabled(9)) is None
    assert table.tell(cmd.EnterCard("As", 9)) == Refused("bad_command", {"reason": "hand_is_complete"})


def test_three_cards_at_a_seat_are_paid_by_nobody_but_the_floor() -> None:
    table = dealt()
    table.pitch(3)
    table.answer("no")
    table.check_down()
    for count in (3, 1, 1):
        table.street(count)
        table.check_down()
    for seat in ORDER:
        assert table.tell(cmd.Tabled(seat)) is None
    assert table.hand.settlement is None


def test_four_card_flop_that_was_played_on_has_three_faces() -> None:
    table = dealt()
    table.check_down()
    table.burn()
    flop = table.board(4)
    table.wait(1000)
    table.act("9 check")
    for face in flop[:3]:
        assert table.tell(cmd.EnterCard(face)) is None
    assert table.tell(cmd.EnterCard(flop[3])) is not None
    table.check_down()
    for _ in range(2):
        table.street(1)
        table.check_down()
    table.showdown()
    assert chips(table) == 1200


# -- a new deal -------------------------------------------------------------------------------------------------------------------


def test_questions_about_the_old_deal_end_with_it() -> None:
    table = dealt()
    table.pitch(3)
    assert table.alert("D8").question == "extra_card"
    table.report("misdeal")
    table.gather()
    table.deal()
    assert table.alert("D8").state == "withdrawn"
    assert table.tell(cmd.Answer("D8", "yes")) is not None
    play_to_end(table)


@pytest.mark.parametrize("response", ["misread", "deal_on", "fixing"])
def test_alert_of_the_old_deal_can_be_dismissed_in_the_new_one(response: Any) -> None:
    table = Driver()
    table.pitch(9, 1, 2)
    table.report("exposed", 2)
    table.report("misdeal")
    table.gather()
    table.pitch(9)
    table.tell(cmd.Respond("", response))
    table.pitch(1, 2, 3)
    table.report("exposed", 3)
    assert table.alert("X3").seat == 3


def test_new_irregularity_at_the_first_card_of_the_new_deal_is_said() -> None:
    table = Driver()
    table.pitch(11)
    table.answer("no")
    table.gather()
    table.pitch(11)
    assert table.hand.procedure.attempt == 2
    assert (table.alert("D1").question, table.alert("D1").state) == ("seat_in", "open")


def test_misdeal_told_after_the_cards_were_swept() -> None:
    table = dealt()
    table.act("2 raise 10")
    table.gather()
    table.report("misdeal")
    table.deal()
    assert (table.hand.procedure.attempt, table.hand.phase) == (2, "betting")
    assert table.hand.betting.contributed == (1, 2, 0, 0, 0, 0)
    play_to_end(table)


def test_misdeal_at_a_table_with_a_seat_without_a_reader() -> None:
    table = Driver(unread=["seat3"])
    table.pitch(9, 1, 2)
    assert table.tell(cmd.TapZone("seat3")) is None
    table.report("misdeal")
    table.gather()
    table.pitch(9)
    assert table.hand.procedure.attempt == 2


# -- undo -------------------------------------------------------------------------------------------------------------------------


def test_undone_tabling_leaves_no_face_behind() -> None:
    table = showdown()
    before = table.hand
    assert table.tell(cmd.Tabled(9)) is None
    assert table.tell(cmd.Undo()) is None
    assert table.hand == before


# -- keys pressed half way --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("response", ["misread", "deal_on"])
def test_flop_without_a_burn_is_dealt_on(response: Any) -> None:
    table = dealt()
    table.check_down()
    table.board(3)
    table.wait(1000)
    assert table.tell(cmd.Respond("N1", response)) is None
    table.wait(1000)
    assert len(table.hand.board_faces()) == 3
    play_to_end(table)


def test_new_burn_after_a_flop_without_one_is_not_read() -> None:
    table = dealt()
    table.check_down()
    flop = table.board(3)
    table.wait(1000)
    table.answer("no")
    table.answer("yes")
    for face in flop:
        table.take(face)
    table.wait(3000)
    table.board(3)
    table.wait(1500)
    assert len(table.hand.board_faces()) == 3
    assert table.alert("N1").state == "closed"
    play_to_end(table)


def test_packet_put_back_in_its_place_is_not_shown_while_its_top_card_is_to_be_burned() -> None:
    table = dealt()
    table.check_down()
    flop = table.board(3)
    table.wait(1000)
    table.answer("no")
    table.answer("no")
    for face in flop:
        table.take(face)
    for face in flop:
        table.put(face, "board")
    table.wait(2000)
    assert table.hand.board_faces() == ()


def test_dealt_on_between_the_bets_and_the_new_river() -> None:
    table = on_flop()
    table.check_down()
    table.street(1)
    table.act("9 check")
    table.burn()
    [early] = table.board(1)
    table.wait(4500)
    table.answer("no")
    table.take(early)
    table.check_down()
    assert table.tell(cmd.Respond("R3", "deal_on")) is None
    assert table.hand.procedure.step.kind == "board"
    table.board(1)
    table.wait(1500)
    table.check_down()
    table.showdown()
    assert chips(table) == 1200


def test_early_turn_left_lying_is_dealt_on_after_the_bets() -> None:
    table = on_flop()
    table.act("9 check, 1 check")
    table.burn()
    table.board(1)
    table.wait(4500)
    table.answer("no")
    table.answer("yes")
    table.check_down()
    table.wait(1500)
    assert table.tell(cmd.Respond("R2", "deal_on")) is None
    table.wait(1500)
    assert len(table.hand.board_faces()) == 4
    play_to_end(table)


def test_early_turn_not_faced_is_left_lying_and_turned_up_after_the_bets() -> None:
    table = on_flop()
    table.act("9 check, 1 check")
    table.burn()
    table.board(1)
    table.wait(4500)
    table.answer("no")
    table.answer("no")
    table.check_down()
    table.wait(3000)
    assert len(table.hand.board_faces()) == 3  # not before players act on it
    table.act("9 check")
    table.wait(1000)
    assert len(table.hand.board_faces()) == 4
    play_to_end(table)


def test_misread_of_one_alert_leaves_the_remedy_of_another() -> None:
    table = Driver()
    table.pitch(9, 1, 2)
    table.report("exposed", 2)
    table.pitch(3, 5, 7, *ORDER)
    table.wait(1000)
    table.act("2 call, 3 call")
    table.board(3)
    table.wait(4500)
    table.answer("no")
    assert table.alert("R1").remedy == "early_flop"
    plan = table.hand.procedure.plan
    assert table.tell(cmd.Respond("X3", "misread")) is None
    assert table.hand.procedure.plan == plan


# -- burns ------------------------------------------------------------------------------------------------------------------------


def test_burn_read_after_its_turn_is_silent() -> None:
    table = on_flop()
    table.check_down()
    burn = next(face for face in STANDARD_52 if face not in table.where)
    table.where[burn] = "burn"
    table.board(1)
    table.wait(1500)
    table.where.pop(burn)
    table.put(burn, "burn")
    table.wait(6000)
    assert table.alerts() == []
    play_to_end(table)


def test_burn_after_one_that_was_not_read_is_seen_as_this_streets() -> None:
    table = dealt()
    table.check_down()
    table.board(3)
    table.wait(1000)
    table.answer("yes")
    table.wait(1000)
    table.check_down()
    assert (table.hand.procedure.step.kind, table.hand.procedure.step.street) == ("burn", "turn")
    table.burn()
    assert table.hand.procedure.step.kind == "board"
    table.burn()  # the flop's, read late: that it was burned the dealer has said
    assert "N5" not in {alert.rule for alert in table.alerts()}
    table.burn()
    assert table.alert("N5").question == "boxed"


def test_late_third_flop_card_in_a_run_out_is_not_a_fourth() -> None:
    table = dealt()
    table.act("2 allin, 3 fold, 5 allin, 7 fold, 9 fold, 1 fold")
    for count in (3, 1, 1):  # each burn before the street before it has lain still
        table.wait(400)
        table.put(table.next_card(), "burn")
        for _ in range(count):
            table.wait(80)
            table.put(table.next_card(), "board")
    table.wait(1500)
    assert table.alerts() == []
    assert len(table.hand.board_faces()) == 5
    table.showdown()
    assert chips(table) == 1200


# -- the board --------------------------------------------------------------------------------------------------------------------


def test_flop_card_read_after_the_first_action_belongs_to_the_flop() -> None:
    table = dealt()
    table.check_down()
    table.burn()
    table.board(2)
    table.wait(1500)
    table.act("9 check")
    table.put(table.next_card(), "board")
    table.wait(6000)
    assert table.said() == [("K10", "possible", "closed")]
    assert len(table.hand.board_faces()) == 3


def test_board_entered_by_hand_is_read_afterwards() -> None:
    table = dealt()
    table.check_down()
    readers = table.core.readers
    table.core.set_devices([], readers - {"board"})
    table.burn()
    table.wait(900)
    for face in ("As", "Ah", "Ad"):
        assert table.tell(cmd.EnterCard(face)) is None
    table.act("9 check")
    table.core.set_devices([], readers)
    for face in ("As", "Ah", "Ad"):
        table.put(face, "board")
    table.wait(6000)
    assert table.alerts() == []
    assert table.hand.board_faces() == ("As", "Ah", "Ad")
    table.board(1)
    table.wait(6000)
    assert (
        table.alert("F4").question == "turned_up"
    )  # no burn lies between: a fourth flop card that shows itself


# -- exposed and extra cards ------------------------------------------------------------------------------------------------------


def test_exposed_card_of_the_first_seat_is_asked_about_when_its_cards_are_not_read() -> None:
    table = Driver(unread=["seat9"])
    table.pitch(1, 2, 3, 5, 7)
    table.wait(600)
    table.pitch(1)
    table.report("exposed", 9)
    assert table.alert("X1").question == "first_off_deck"


def test_exposed_key_pressed_twice_for_one_card_is_one_card() -> None:
    table = Driver()
    table.pitch(9, 1, 2)
    table.report("exposed", 2)
    table.report("exposed", 2)
    assert table.said() == [("X3", "proven", "open")]


def test_exposed_card_of_the_first_seat_is_replaced_after_substantial_action() -> None:
    table = dealt()
    table.act("2 call, 3 call")
    table.report("exposed", 9)
    assert (table.alert("X3").remedy, table.hand.procedure.misdeal) == ("replace_exposed", False)


def test_exposed_card_reported_on_the_flop_changes_nothing() -> None:
    table = on_flop()
    assert table.tell(cmd.Report("exposed", 3)) is not None
    table.act("9 check")
    assert table.alerts() == []
    play_to_end(table)


@pytest.mark.parametrize(("extra", "rule", "evidence"), [((9,), "D8", "probable"), ((9, 2), "D9", "proven")])
def test_extra_cards_at_a_table_with_a_seat_without_a_reader(
    extra: tuple[int, ...], rule: str, evidence: str
) -> None:
    table = Driver(unread=["seat3"])
    table.pitch(9, 1, 2, 5, 7, 9, 1, 2, 5, 7)
    table.wait(1000)
    table.pitch(*extra)
    assert table.alert(rule).evidence == evidence


def test_extra_card_is_asked_about_when_another_was_not_read() -> None:
    table = Driver()
    table.pitch(*ORDER, 9, 1, 2, 3, 5)
    table.wait(600)
    table.act("2 call")
    table.pitch(9)
    assert table.alert("D8").question == "extra_card"


def test_void_hand_shows_every_chip_back_in_its_stack() -> None:
    table = dealt(registered={"3c": "2c"})
    table.act("2 raise 20, 3 call")
    table.answer("yes")
    stacks = [
        (fact.stack, fact.bet)
        for fact in table.core.snapshot()
        if type(fact).__name__ == "SeatFact" and fact.status == "in"
    ]  # type: ignore[union-attr]
    assert stacks == [(200, 0)] * 6


def test_chips_of_a_dealt_in_seat_wait_for_the_end_of_the_hand() -> None:
    table = dealt()
    assert table.tell(cmd.SetSeat(3, "in", 500)) == Refused("hand_open")
    assert table.tell(cmd.SetSeat(3, "away")) is None
    assert table.tell(cmd.SetSeat(4, "in", 500)) is None
    table.act("2 fold, 3 fold, 5 fold, 7 fold, 9 fold")
    assert table.tell(cmd.PushPots()) is None
    assert table.tell(cmd.SetSeat(3, "in", 500)) is None
    assert table.core.seats.records[3].stack == 500
