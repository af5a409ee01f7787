"""Who is served when: seats passed over, cards that show late, a dealer who is fast, and what a wrong count is once the play goes on."""

from __future__ import annotations

import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.alerts import Alert
from dealer_assist.procedure.alignment.sensing import TABLE
from tests.table.driver import ORDER, Driver
from tests.table.test_rules import dealt


def asked(table: Driver) -> list[tuple[str, str | None, int | None]]:
    """What is being asked, of which seat."""
    return [(alert.rule, alert.question, alert.seat) for alert in table.alerts() if alert.question]


def short_deck() -> Driver:
    table = Driver(game="short")
    table.deck = iter([face for face in table.deck if face[0] not in "2345"])
    return table


# -- who was passed over --------------------------------------------------------------------------------------------------


def test_two_cards_before_the_first_seats_ask_whether_it_was_the_first() -> None:
    """One alone can be the first seat's card read late, where the antennas are no better than that."""
    table = Driver(sensing=TABLE)
    table.pitch(1, 9)
    assert table.said() == []
    table = Driver()
    table.pitch(1, 9)
    assert asked(table) == [("D1", "first_card", 9)]
    table = Driver()
    table.pitch(1, 2, 9)
    table.wait(1000)
    assert asked(table) == [("D1", "first_card", 9)]


def test_the_second_round_begins_with_two_seats_unserved() -> None:
    """Two cards in a row are not missed so easily: the card came out of turn, the first seat without one was due."""
    table = Driver()
    table.pitch(9, 1, 2, 3, 9)
    table.wait(1000)
    assert asked(table) == [("D4", "out_of_turn", 9)]
    assert table.alert("D4").params == {"seat": 9, "due": 5}


def test_cards_in_the_middle_of_a_round_that_had_their_time_are_unread() -> None:
    table = Driver()
    table.pitch(9)
    table.wait(table.pace_ms)  # seat 1's
    table.pitch(2)
    table.wait(table.pace_ms)  # seat 3's
    table.pitch(5, 7, 9)
    assert table.said() == []


def test_of_two_seats_without_a_card_the_one_that_had_no_time_for_it_is_asked_about() -> None:
    table = Driver()
    table.pitch(9)
    table.wait(table.pace_ms)  # seat 1's was not read
    table.pitch(2, 5, 7, 9)  # nobody could have served seat 3
    assert asked(table) == [("D3", "seat_in", 3)]


def test_a_seat_that_waits_for_its_card_does_not_hide_another_one_that_was_passed_over() -> None:
    """Seat 1's joker is laid aside, its card comes after the round; seat 3 was skipped."""
    table = short_deck()
    table.pitch(9)
    table.wait(300)
    table.put("2c", "seat1")
    table.pace_ms = 400
    table.pitch(2, 5, 7, 9)
    assert ("D3", "seat_in", 3) in asked(table)
    assert not any(seat == 1 for _, _, seat in asked(table))


def test_the_first_seats_second_card_that_was_not_read_is_no_matter() -> None:
    table = Driver()
    table.pitch(*ORDER)
    table.wait(table.pace_ms)
    table.pitch(1, 2)
    assert table.said() == []


@pytest.mark.parametrize("fixing", [False, True])
def test_the_card_in_place_of_one_that_does_not_play_comes_when_it_comes(fixing: bool) -> None:
    table = short_deck()
    table.pitch(9)
    table.wait(300)
    table.put("2c", "seat1")
    if fixing:
        assert table.tell(cmd.Respond("K3", "fixing")) is None
    table.pace_ms = 300
    table.pitch(2)
    table.pace_ms = 600
    table.take("2c")
    table.pitch(3, 5, 7, 1, *ORDER)
    assert [(alert.rule, alert.state) for alert in table.alerts()] == [("K3", "closed")]


def test_what_is_put_right_at_a_seat_does_not_excuse_its_missing_card() -> None:
    """Seat 3's exposed card waits to be replaced; in the second round it gets none at all."""
    table = Driver()
    table.pitch(9, 1, 2, 3)
    table.report("exposed", 3)
    table.pitch(5, 7, 9, 1, 2, 5, 7)
    table.wait(2000)
    assert ("D5", "one_short", 3) in asked(table)


# -- cards that show late -------------------------------------------------------------------------------------------------


def test_the_first_seats_card_that_shows_late_settles_that_question() -> None:
    table = Driver()
    table.pitch(1, 2, 3, 5, 7, 1)
    assert asked(table) == [("D1", "seat_in", 9)]
    table.pitch(2)
    assert asked(table) == [("D1", "seat_in", 9)]
    table.pitch(9)
    assert table.said()[0] == ("D1", "probable", "withdrawn")


def test_the_card_of_the_seat_that_is_short_lies_at_its_neighbours() -> None:
    """The question about the short seat stands, and the third card is one of its own."""
    table = Driver()
    table.pitch(*ORDER, 9, 1, 2, 5, 7)
    table.wait(2000)
    assert asked(table) == [("D5", "one_short", 3)]
    table.pitch(5)
    assert asked(table) == [("D5", "one_short", 3), ("D4", "out_of_turn", 5)]
    third = table.alert("D4")
    assert third.params == {"seat": 5}
    assert third.evidence == "probable"
    assert [(why.code, why.reads) for why in third.why] == [
        ("third_card", (table.hand.procedure.held[5][2],))
    ]


def test_a_seat_short_of_a_card_is_no_question_once_somebody_acts() -> None:
    table = Driver(sensing=TABLE)
    table.pitch(*ORDER, 9, 1, 2)
    table.pace_ms = 900
    table.pitch(5)
    table.pace_ms = 600
    table.pitch(7)
    table.act("2 call")
    table.wait(3000)
    assert asked(table) == []
    assert table.hand.procedure.marks[3] == ("short",)


def test_the_last_seat_goes_out_while_the_deal_waits_for_a_late_card() -> None:
    """Nobody behind seat 5 has a card now: it is simply next."""
    table = Driver()
    table.pitch(*ORDER, 9, 1, 2, 3, 7)
    table.wait(300)
    assert table.tell(cmd.SetSeat(7, "out")) is None
    table.wait(3000)
    assert asked(table) == []
    table.pitch(5)
    assert table.hand.procedure.step.kind == "bet"


def test_a_seat_without_any_card_is_not_one_that_is_short_of_its_second() -> None:
    """In the first round there was time for its card; whoever asks about the second round would ask about a seat that may be out."""
    table = Driver()
    table.pitch(9, 1, 2)
    table.wait(table.pace_ms)
    table.pitch(5, 7, 9, 1, 2, 5, 7)
    table.wait(3000)
    assert "D5" not in {alert.rule for alert in table.alerts()}


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_the_answer_about_a_seat_that_is_short_is_kept(answer: str) -> None:
    table = Driver()
    table.pitch(*ORDER, 9, 1, 2, 5, 7)
    table.wait(2000)
    table.answer(answer)
    assert table.alerts()[-1].answered == answer
    assert table.alerts()[-1].question is None


# -- how fast the dealer is -----------------------------------------------------------------------------------------------


def test_a_dealer_who_is_fast_is_measured_by_his_own_pace() -> None:
    """At 350 ms a card a gap of 700 ms had room for the one that was not read; three gaps before it are enough to know."""
    table = Driver(seats=(1, 3, 5, 7, 9))
    table.pace_ms = 350
    table.pitch(9, 1, 3, 5)
    table.wait(table.pace_ms)  # seat 7's was not read
    table.pitch(9, 1, 3)
    assert asked(table) == []


def test_a_dealer_whose_pace_is_not_known_yet_has_the_usual_one() -> None:
    table = Driver(seats=(3, 5, 7, 9))
    table.pace_ms = 350
    table.pitch(9)
    table.wait(350)  # too soon after, at the usual pace, for seat 3's to lie between
    table.pitch(5, 7, 9)
    assert asked(table) == [("D3", "seat_in", 3)]


# -- the seat is out ------------------------------------------------------------------------------------------------------


def test_one_of_three_players_is_not_there_and_the_two_play() -> None:
    table = Driver(seats=(1, 3, 7))
    table.pitch(1, 7, 1)
    assert asked(table) == [("D3", "seat_in", 3)]
    table.answer("no")
    assert table.hand.procedure.order == (1, 7)
    assert not table.hand.procedure.marks.get(3)
    assert not table.hand.procedure.misdeal
    table.pitch(7)
    assert table.hand.procedure.step.kind == "bet"


def test_cards_of_a_seat_that_came_in_late_are_cards_of_the_deal() -> None:
    """They came when the seat was found to be in: what comes after them is judged like any other card."""
    table = Driver()
    table.pitch(9, 1, 2, 3)
    table.wait(600)
    table.put(table.next_card(), "seat4")
    assert table.tell(cmd.SetSeat(4, "in", 150)) is None
    table.wait(5000)
    table.pitch(5, 9)  # seat 7's card comes late
    table.pitch(7)
    assert not any(alert.seat == 4 for alert in table.alerts() if alert.question)
    table.pitch(1, 2, 3, 4, 5, 7)
    assert table.hand.procedure.step.kind == "bet"


# -- wrong counts ---------------------------------------------------------------------------------------------------------


def extra(table: Driver, rule: str, seat: int) -> Alert:
    """The alert about a third card: it rests on that card alone."""
    alert = table.alert(rule)
    assert (alert.seat, alert.params) == (seat, {"seat": seat, "count": 1})
    assert alert.why[0].reads == (table.hand.procedure.held[seat][2],)
    return alert


def test_a_third_card_while_a_seat_beside_it_is_not_read() -> None:
    """What an unread seat holds nobody knows: the count of the cards that are read says that there is one too many."""
    table = Driver(unread=("seat5",))
    table.pitch(9, 1, 2, 3, 7, 9, 1, 2, 3, 7)
    table.pitch(3)
    assert extra(table, "D8", 3).question == "extra_card"


def test_a_third_card_after_substantial_action() -> None:
    table = dealt()
    table.act("2 call, 3 call")
    table.pitch(3)
    assert extra(table, "D10", 3).question == "extra_card"


def test_an_extra_card_that_is_answered_on_the_flop_is_still_one_of_the_deal() -> None:
    table = dealt()
    table.pitch(3)
    assert table.alert("D8").question == "extra_card"
    table.check_down()
    table.street(3)
    assert table.tell(cmd.Answer("D8", "yes")) is None
    assert extra(table, "D10", 3).street == "preflop"
    assert table.alert("D10").evidence == "proven"


def test_a_report_about_another_seat_leaves_the_question_where_it_was() -> None:
    table = dealt()
    table.pitch(3)
    table.report("D9", 5)
    assert ("D8", "extra_card", 3) in asked(table)
    assert table.alert("D9").seat == 5


@pytest.mark.parametrize(("asked_about", "reported"), [("D8", "D9"), ("D8", "D10")])
def test_a_report_of_the_same_seat_takes_the_place_of_the_question(asked_about: str, reported: str) -> None:
    table = dealt()
    table.pitch(3)
    if reported == "D10":
        table.act("2 call, 3 call")
    assert asked(table) == [(asked_about, "extra_card", 3)]
    table.report(reported, 3)
    assert [(alert.rule, alert.evidence, alert.state) for alert in table.alerts()] == [
        (asked_about, "probable", "withdrawn"),
        (reported, "proven", table.alerts()[-1].state),
    ]


def test_a_short_hand_is_no_extra_one() -> None:
    """What is asked about a missing card has nothing to do with a report of one too many at the same seat."""
    table = Driver()
    table.pitch(*ORDER, 9, 1, 2, 5, 7)
    table.wait(2000)
    assert asked(table) == [("D5", "one_short", 3)]
    table.report("D9", 3)
    assert asked(table) == [("D5", "one_short", 3)]


# -- exposed cards --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["before", "after", "never"])
def test_an_exposed_card_on_the_burn_spot_is_given_back_to_its_seat(said: str) -> None:
    """It was no exposed card after all: the hand has it again, whether or not the dealer says so; no card came back from the dead."""
    table = Driver()
    face = table.pitch(9, 1, 2)[2]
    table.report("exposed", 2)
    table.put(face, "burn")
    assert len(table.hand.procedure.burns) == 1
    if said == "before":
        assert table.tell(cmd.Respond("X3", "misread")) is None
    table.put(face, "seat2")
    if said == "after":
        assert table.tell(cmd.Respond("X3", "misread")) is None
    assert table.hand.procedure.burns == ()
    table.pitch(3, 5, 7, *ORDER)
    assert [alert.rule for alert in table.alerts()] == ["X3"]
    assert len(table.hand.procedure.held[2]) == 2
    assert table.hand.procedure.step.kind == "bet"
    assert table.hand.procedure.preset_burn == ("?" if said == "never" else None)
    table.check_down()
    if said != "never":
        table.street(3)
        assert table.hand.procedure.step.kind == "bet"


def test_an_extra_card_on_the_burn_spot_stays_the_burn() -> None:
    """It comes back to a seat that has all its cards: nothing is wrong with the hand, and it is still to be burned."""
    table = Driver()
    table.deal()
    third = table.pitch(9)[0]
    table.answer("yes")
    assert table.alert("D8").remedy == "extra_to_burn"
    table.put(third, "burn")
    burns = table.hand.procedure.burns
    assert len(burns) == 1
    assert len(table.hand.procedure.held[9]) == 2


# -- a card too many is given back ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("late", [False, True])
def test_a_third_card_that_is_given_back_before_the_answer_is_the_dealers_save(late: bool) -> None:
    table = dealt()
    if late:
        table.act("2 call, 3 call")
    [third] = table.pitch(3)
    row = "D10" if late else "D8"
    assert asked(table) == [(row, "extra_card", 3)]
    table.take(third)
    assert table.said() == [(row, "probable", "closed")]
    assert len(table.hand.procedure.held[3]) == 2


def test_a_hand_of_three_that_is_taken_up_is_mixed_and_asked_about_again() -> None:
    """Which of the three was the extra one nobody can tell any more; the alert says no more than that."""
    table = dealt()
    table.pitch(3)
    hand = [face for face, zone in table.where.items() if zone == "seat3"]
    for face in hand:
        table.take(face)
    assert asked(table) == [("D8", "extra_card", 3)]
    assert table.alert("D8").params == {"seat": 3, "count": 1, "mixed": 1}
    assert len(table.hand.procedure.held[3]) == 3
    table.pitch(9)  # the deal is judged as before, with the card that was counted again
    assert [alert.rule for alert in table.alerts()] == ["D8", "D9"]


# -- by exception ---------------------------------------------------------------------------------------------------------


def test_hands_that_are_gone_need_no_time_to_act() -> None:
    """Four of six have thrown their cards away: two can have acted in the three seconds before the burn."""
    table = Driver(entry="by_exception")
    table.deal()
    table.wait(200)
    for seat in (3, 5, 7, 9):
        table.put(next(face for face, zone in table.where.items() if zone == f"seat{seat}"), "muck")
    table.wait(2900)
    table.put(table.next_card(), "burn")
    assert table.said() == []
    assert table.hand.procedure.step.kind == "board"


def test_nobody_has_acted_between_a_flop_and_the_burn_at_its_heels() -> None:
    table = Driver(entry="by_exception")
    table.deal()
    table.wait(9000)
    table.put(table.next_card(), "burn")
    table.board(3)
    table.wait(1500)
    table.put(table.next_card(), "burn")
    table.wait(100)
    assert asked(table) == [("N10", "acted", None)]
    assert table.alert("N10").params["seats"] == [9, 1, 2, 3, 5, 7]


@pytest.mark.parametrize(
    ("pitched", "best", "rival"),
    [
        ((*ORDER, 9, 1, 2, 5, 7), "skip", "late"),
        ((9, 1, 2, 5, 7, 9), "skip", "out_of_turn"),
        ((9, 2, 1, 3, 5, 7, 9, 1, 2, 3, 5, 7), "swap", "as_planned"),
        ((9, 1, 2, 3, 3, 5, 7, 9), "out_of_turn", "unexplained"),
    ],
)
def test_a_question_tells_its_two_best_explanations_with_what_all_courses_of_each_come_to(
    pitched: tuple[int, ...], best: str, rival: str
) -> None:
    table = Driver(sensing=TABLE)
    table.pitch(*pitched)
    table.wait(2500)
    alert = next(alert for alert in table.alerts() if alert.question)
    first, second = alert.explanations
    assert (first.code, second.code) == (best, rival)
    odds = next(why for why in alert.why if why.code == "odds")
    assert first.share // 100 == odds.params["share"]  # what the question rests on, not one course of it
    assert first.params["seat"] == alert.seat and 0 < second.share <= 10_000 - first.share


# -- what the last review of the looks found -------------------------------------------------------------------------------


def test_a_card_given_in_answer_to_the_question_about_it_is_no_card_out_of_turn() -> None:
    """The table asked a tenth of a second behind the last card; a second and a half later the dealer has put it right."""
    table = Driver()
    table.pitch(*ORDER, 9, 1, 2, 5, 7)
    table.wait(1500)
    assert asked(table) == [("D5", "one_short", 3)]
    table.pitch(3)
    assert asked(table) == []
    assert "D4" not in {alert.rule for alert in table.alerts()}


def test_a_deal_begun_at_the_wrong_seat_is_asked_about_though_a_seat_has_no_reader() -> None:
    table = Driver(seats=(3, 7, 9), sensing=TABLE, unread=("seat7",))
    first, second, third = table.hand.procedure.order
    table.pitch(*(second, third, first) * 2)
    table.wait(1500)
    assert [rule for rule, _, _ in asked(table)] == ["D1"]
