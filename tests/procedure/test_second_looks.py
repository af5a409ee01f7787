"""What is looked at a second time: cards that go back where they lay, questions that are answered late, rows that are silent by then."""

from __future__ import annotations

import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.table import HandOpening, SeatStack
from tests.procedure.test_dealt_in import notices
from tests.procedure.test_edges import appear, kinds, rules, to_flop
from tests.table.driver import ORDER, Driver
from tests.table.test_rules import dealt, on_flop, play_to_end
from tests.table.test_run_it import lay, on_the_flop, run

# -- an exposed card and its seat -----------------------------------------------------------------------------------------


def exposed_on_the_burn_spot() -> tuple[Driver, str]:
    """Seat 2's second card was exposed and lies on the burn spot already; three seats still get theirs."""
    table = Driver()
    table.pitch(*ORDER)
    face = table.pitch(9, 1, 2)[2]
    table.report("exposed", 2)
    table.put(face, "burn")
    return table, face


def test_an_exposed_card_goes_to_its_seat_and_back_to_the_burn_spot() -> None:
    """It is still the one that is replaced: neither the way back nor the replacement is a card too many."""
    table, face = exposed_on_the_burn_spot()
    table.put(face, "seat2")
    table.put(face, "burn")
    table.pitch(3, 5, 7, 2)
    assert rules(table) == ["X3"]
    assert len(table.hand.procedure.held[2]) == 2
    assert len(table.hand.procedure.burns) == 1
    table.check_down()
    assert kinds(table) == ("board", "flop")  # it is the flop's burn


def test_an_exposed_card_that_is_laid_at_its_seat_beside_the_replacement_is_still_the_burn() -> None:
    table, face = exposed_on_the_burn_spot()
    table.pitch(2)
    held = table.hand.procedure.held[2]
    assert len(held) == 2
    table.put(face, "seat2")
    assert rules(table) == ["X3"]
    assert table.hand.procedure.held[2] == held
    assert len(table.hand.procedure.burns) == 1


def test_an_exposed_card_that_comes_back_after_the_deal_came_from_the_burns() -> None:
    table, face = exposed_on_the_burn_spot()
    table.pitch(3, 5, 7, 2)
    table.wait(2000)
    assert kinds(table)[0] == "bet"
    table.put(face, "seat2")
    assert rules(table) == ["X3", "K11"]


def test_a_card_off_the_table_that_was_burned_and_comes_to_its_seat_came_from_the_burns() -> None:
    """No reader has seen that it was dealt there, so it is not given back unasked."""
    table = Driver()
    table.pitch(9, 1)
    table.report("X7", 2)
    face = table.put(table.next_card(), "burn")
    assert len(table.hand.procedure.burns) == 1
    table.put(face, "seat2")
    assert rules(table) == ["X7", "K11"]


def test_a_read_card_that_fell_off_the_table_counts_once() -> None:
    for pitched in ((9,), ORDER):  # the first seat of the deal, and the last one
        table = Driver()
        table.pitch(*pitched)
        seat = pitched[-1]
        table.report("X7", seat)
        assert len(table.hand.procedure.held[seat]) == 1


def test_where_folded_hands_lie_face_up_an_exposed_card_of_a_live_hand_is_one() -> None:
    table = Driver(game="showtime")
    table.pitch(9, 1, 2)
    table.report("exposed", 2)
    assert rules(table) == ["X3"]


def test_the_exposed_card_of_a_hand_that_has_folded_is_ruled_on() -> None:
    """Elsewhere than in a game of folded hands that lie face up."""
    table = Driver()
    table.pitch(9, 1, 2)
    table.act("2 fold")
    table.report("exposed", 2)
    assert rules(table) == ["X3"]


# -- seats that are in after all ------------------------------------------------------------------------------------------


def test_of_two_strays_a_seat_that_is_in_gets_its_own() -> None:
    table = Driver()
    table.pitch(9, 1)
    mine = table.pitch(4)[0]
    other = table.pitch(6)[0]
    assert table.tell(cmd.SetSeat(4, "in", 150)) is None
    held = table.hand.procedure.held
    assert len(held[4]) == 1
    assert table.hand.procedure.where[held[4][0]] == "seat4"
    assert (table.where[mine], table.where[other]) == ("seat4", "seat6")
    assert 6 not in held


@pytest.mark.parametrize(("told", "chips"), [(None, 150), (90, 90)])
def test_a_bystander_that_is_in_after_all_has_its_chips(told: int | None, chips: int) -> None:
    """As they were known when the hand was opened, or as they are counted now."""
    table = dealt()
    play_to_end(table)
    table.gather()
    seats = tuple(SeatStack(seat, 200) for seat in sorted(ORDER))
    opening = HandOpening("h2", 7, seats, bystanders=(SeatStack(4, 150), SeatStack(6, 120)))
    assert table.tell(cmd.OpenHand(opening)) is None
    table.pitch(9, 1)
    assert table.tell(cmd.SetSeat(4, "in", told)) is None
    assert table.hand.procedure.order == (9, 1, 2, 3, 4, 5, 7)
    assert table.hand.betting.stack_of(4) == chips
    assert 6 not in table.hand.procedure.order


def test_the_order_is_watched_behind_a_card_that_fell_off_the_table() -> None:
    table = Driver()
    table.pitch(9, 1, 2)
    table.report("X7", 3)
    table.pitch(7, 5)
    assert rules(table) == ["X7", "D4"]
    assert table.alert("D4").params == {"seat": 7, "due": 5}


def test_the_other_card_of_a_seat_whose_card_fell_off_the_table_is_burned_for_it() -> None:
    """The one on the burn spot is taken from the hand; the fallen one counts as its card."""
    table = Driver()
    table.pitch(*ORDER, 9, 1)
    own = next(face for face, zone in table.where.items() if zone == "seat2")
    table.report("X7", 2)
    (first, fallen) = table.hand.procedure.held[2]
    table.put(own, "burn")
    assert table.hand.procedure.held[2] == (fallen,)
    assert table.hand.procedure.burns == (first,)


# -- burns ----------------------------------------------------------------------------------------------------------------


def test_a_missed_burn_that_is_dealt_on_is_not_asked_about_on_the_river() -> None:
    """Whoever deals on without a burn once has said enough: the river without one is silent, and the hand goes on."""
    table = on_flop()
    table.check_down()
    table.board(1)
    table.wait(4000)
    assert rules(table) == ["N3"]
    assert table.tell(cmd.Respond("N3", "deal_on")) is None
    table.check_down()
    table.board(1)
    table.wait(4000)
    assert rules(table) == ["N3"]
    assert kinds(table) == ("bet", "river")
    play_to_end(table)


def test_a_single_early_card_on_the_burn_spot_is_a_burn() -> None:
    table = dealt()
    face = table.board(1)[0]
    appear(table, face, "burn")  # read there before it was missed on the board
    assert table.hand.procedure.board == ()
    assert len(table.hand.procedure.spare_burns) == 1
    table.check_down()
    assert kinds(table) == ("board", "flop")
    assert [alert for alert in table.alerts() if alert.state != "withdrawn"] == []


@pytest.mark.parametrize("house", ["tda2024", "wsop_tournament"])
def test_where_two_burns_make_no_difference_nobody_is_asked_whether_the_flop_was_turned_up(
    house: str,
) -> None:
    table = dealt(house=house)
    table.check_down()
    table.burn()
    table.burn()
    table.answer("no")
    table.board(3)
    table.wait(1500)
    assert table.alert("N6").evidence == "proven"
    assert table.alert("N6").question is None


def test_two_burns_before_the_turn_do_not_ask_whether_it_was_turned_up() -> None:
    table = on_flop(house="roberts")
    table.check_down()
    table.burn()
    table.burn()
    table.answer("no")
    table.board(1)
    table.wait(1500)
    assert table.alert("N6").evidence == "proven"
    assert table.alert("N6").question is None


@pytest.mark.parametrize("house", ["roberts", "tda2024"])
def test_two_burns_that_were_acted_on_stay_so_when_everybody_is_all_in(house: str) -> None:
    """The answer comes in the run-out: nobody acts any more, but somebody has."""
    table = dealt(house=house)
    table.check_down()
    table.burn()
    table.burn()
    table.board(3)
    table.wait(1500)
    table.act("9 allin, 1 allin, 2 fold, 3 fold, 5 fold, 7 fold")
    assert rules(table)[-1] == "N7"
    table.answer("no")
    assert [(alert.rule, alert.evidence) for alert in table.alerts() if alert.state != "withdrawn"] == [
        ("N7", "proven")
    ]


def test_an_extra_burn_that_is_taken_back_in_a_run_out_leaves_the_next_street_its_burn() -> None:
    """Nobody acts between turn and river: the plan had taken the second burn for the river's."""
    table = on_the_flop()
    table.burn()
    extra = table.burn()
    table.board(1)
    table.wait(1500)
    assert kinds(table) == ("board", "river")
    table.take(extra)
    assert kinds(table) == ("burn", "river")


@pytest.mark.parametrize("burned", [True, False])
def test_an_early_card_that_is_dealt_on_once_its_round_is_over_plays(burned: bool) -> None:
    """The ruling held it back; the dealer deals on: it is the turn, and its burn the turn's."""
    table = on_flop()
    table.act("9 check")
    table.burn()
    if not burned:
        table.take(next(face for face, zone in table.where.items() if zone == "burn"))
    turn = table.board(1)[0]
    table.wait(6000)
    assert table.alert("R2").question == "acted"
    table.answer("no")
    assert table.alert("R2").evidence == "proven"
    table.check_down()
    assert kinds(table)[1] != "flop" or table.hand.procedure.board[-1].early
    assert table.tell(cmd.Respond("R2", "deal_on")) is None
    table.wait(2500)
    assert not any(slot.early for slot in table.hand.procedure.board)
    assert table.hand.board_faces("board")[-1] == turn
    assert kinds(table) == ("bet", "turn")
    assert table.hand.procedure.spare_burns == ()
    play_to_end(table)


def test_an_early_card_that_is_dealt_on_waits_for_the_end_of_its_round() -> None:
    table = on_flop()
    table.act("9 check")
    table.burn()
    table.board(1)
    table.wait(6000)
    assert table.tell(cmd.Respond("R2", "deal_on")) is None
    assert table.hand.procedure.board[-1].early
    assert len(table.hand.procedure.spare_burns) == 1
    table.check_down()
    assert not table.hand.procedure.board[-1].early
    assert len(table.hand.procedure.burns) == 2


@pytest.mark.parametrize("response", ["deal_on", "misread"])
def test_an_answer_about_something_else_uses_no_early_burn(response: str) -> None:
    table = dealt()
    table.report("K2")
    table.check_down()
    table.street(3)
    table.act("9 check")
    table.burn()
    table.wait(6000)
    assert table.alert("N10").question == "acted"
    assert table.tell(cmd.Respond("K2", response)) is None
    assert len(table.hand.procedure.spare_burns) == 1
    assert table.alert("N10").question == "acted"


def test_hands_are_not_asked_for_when_there_is_betting_to_come() -> None:
    """The burn of a run-out lies there; a count then shows that two seats have chips behind: no hand is turned up."""
    table = dealt(house="tda2024")
    table.act("2 allin, 3 call, 5 call, 7 fold, 9 fold, 1 fold")
    assert table.hand.bets.runout
    table.burn()
    for seat in (3, 5):
        assert table.tell(cmd.SetStack(seat, 80)) is None
    assert not table.hand.bets.runout
    table.wait(6000)
    assert rules(table) == []


# -- what a report says ---------------------------------------------------------------------------------------------------


def test_two_boxed_cards_are_two_whatever_lies_on_the_board() -> None:
    table = on_flop()
    for _ in range(2):
        table.report("K6")
    assert rules(table)[-1] == "K7"
    assert table.alert("K7").params["count"] == 2


def test_four_on_the_flop_that_are_reported_are_one_too_many() -> None:
    """The burn of the street is none of its cards."""
    table = to_flop()
    table.burn()
    table.board(4)
    table.report("F1")
    assert (table.alert("F1").params["count"], table.alert("F1").params["extra"]) == (4, 1)
    assert not table.alert("F1").question or table.alert("F1").evidence == "proven"


def test_an_early_card_that_was_acted_on_is_the_next_streets_although_the_round_is_over() -> None:
    table = on_flop()
    table.act("9 check")
    table.burn()
    table.board(1)
    table.wait(6000)
    table.answer("no")
    table.check_down()
    assert kinds(table)[0] != "bet"
    table.report("R4", 1)
    assert (table.alert("R4").street, table.alert("R4").params["next"]) == ("flop", "turn")


# -- too many, asked again ------------------------------------------------------------------------------------------------


def test_a_fifth_card_of_a_flop_that_was_bet_on_takes_the_place_of_the_fourth() -> None:
    """One question, about all that lie there: F4 is withdrawn."""
    table = to_flop()
    table.burn()
    table.board(4)
    table.act("9 check")
    table.wait(3000)
    assert rules(table)[-1] == "F4"
    assert table.alert("F4").evidence == "probable"
    table.board(1)
    table.wait(8000)
    assert table.alert("F4").state == "withdrawn"
    assert rules(table)[-1] == "F2"


def test_of_four_that_were_bet_on_the_one_that_stays_away_is_the_drawn_one() -> None:
    """As before the betting (F1): the floor need not lay it on the burn spot at once."""
    table = to_flop(house="wsop_tournament")
    table.burn()
    flop = table.board(4)
    table.act("9 check")
    table.wait(3000)
    if table.alert("F4").evidence == "probable":
        table.answer("yes")
    assert table.alert("F4").remedy == "scramble_four"
    table.take(flop[1])
    table.wait(3000)
    assert not table.hand.procedure.pick_due
    assert table.hand.procedure.preset_burn is not None


def test_by_exception_a_card_without_a_burn_is_one_too_many_of_the_flop() -> None:
    """It does not close the round, however long the players had: a burn would."""
    table = on_flop(entry="by_exception")
    table.wait(60_000)
    table.board(1)
    table.wait(1500)
    assert rules(table) == ["F1"]


def test_a_card_shown_while_a_third_one_is_only_asked_about_tells_nothing() -> None:
    table = dealt()
    table.pitch(9)
    assert table.said() == [("D8", "probable", "open")]
    before = len(notices(table))
    table.put(table.next_card(), "gate")
    assert not [code for code, _ in notices(table)[before:] if "hand" in code or "identified" in code]


def test_a_strange_card_whose_row_is_silenced_is_not_reported() -> None:
    table = dealt()
    table.report("K2")
    assert table.tell(cmd.Respond("K2", "misread")) is None
    said = table.said()
    table.tell(cmd.Report("K2"))
    assert table.said() == said


def test_a_mucked_card_that_crosses_its_seat_after_the_pot_is_no_claim() -> None:
    """Cards are collected over the seats; a claim brings the whole hand back."""
    table = dealt()
    for _ in range(3):
        table.check_down()
        table.street(3 if table.hand.procedure.street == "flop" else 1)
    table.check_down()
    faces = [face for face, zone in table.where.items() if zone == "seat2"]
    for seat in (9, 1, 3, 5, 7):
        table.wait(1000)
        assert table.tell(cmd.Tabled(seat)) is None
    for face in faces:
        table.put(face, "muck")
    table.wait(6000)
    assert table.hand.settlement is not None
    said = rules(table)
    table.put(faces[0], "seat2")
    assert rules(table) == said
    table.put(faces[1], "seat2")
    assert rules(table) == [*said, "A11"]


def test_a_card_whose_antenna_reads_too_far_lies_right() -> None:
    table = on_the_flop()
    assert run(table, 2) is None
    lay(table, "board", 1)
    lay(table, "board2", 1)
    table.wait(2500)
    assert table.alert("P8").question == "wrong_board"
    table.answer("yes")
    alert = table.alert("P8")
    assert (alert.state, alert.answered, alert.question) == ("closed", "yes", None)


def test_an_exposed_card_that_is_laid_on_the_burn_spot_at_once_is_nobodys_turn() -> None:
    """Its seat gets the second round's card and, behind the deal, the replacement: no order is broken."""
    table = Driver()
    face = table.pitch(9, 1, 2)[2]
    table.report("exposed", 2)
    table.put(face, "burn")
    table.pitch(3, 5, 7, *ORDER, 2)
    assert rules(table) == ["X3"]


@pytest.mark.parametrize("response", ["deal_on", "misread"])
def test_an_answer_about_something_else_lets_no_early_card_play(response: str) -> None:
    table = dealt()
    table.report("K2")
    table.check_down()
    table.street(3)
    table.act("9 check")
    table.burn()
    table.board(1)
    table.wait(6000)
    assert table.alert("R2").question == "acted"
    assert table.tell(cmd.Respond("K2", response)) is None
    assert table.hand.procedure.board[-1].early
    assert len(table.hand.procedure.spare_burns) == 1
