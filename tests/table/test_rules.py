"""Each irregularity of the catalogue that this version knows, and the near miss beside it that must stay silent."""

from __future__ import annotations

import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.procedure.alignment.sensing import TABLE
from tests.table.driver import ORDER, Driver


def chips(table: Driver) -> int:
    return sum(record.stack or 0 for record in table.core.seats.records.values())


def play_to_end(table: Driver) -> None:
    """From wherever the plan is, to the showdown, as it should be."""
    for _ in range(30):
        if table.hand.settlement is not None:
            break
        step = table.hand.procedure.step
        match step.kind:
            case "bet":
                table.check_down()
            case "burn":
                table.burn()
            case "board":
                table.board(step.count)
                table.wait(1500)
            case "shuffle":
                table.board(table.hand.procedure.plan[table.hand.procedure.at + 1].count)
                table.wait(1500)
            case _:
                break
    if table.hand.settlement is None:
        table.showdown()
    else:
        assert table.tell(cmd.PushPots()) is None
    assert table.hand.result == "completed"
    assert chips(table) == 200 * len(table.order)


def dealt(**setup: object) -> Driver:
    table = Driver(**setup)  # type: ignore[arg-type]
    table.deal()
    table.wait(1000)
    return table


def on_flop(**setup: object) -> Driver:
    table = dealt(**setup)
    table.check_down()
    table.street(3)
    return table


# -- clean ------------------------------------------------------------------------------------------------------------------------


def test_clean_hand_is_silent_and_pays() -> None:
    table = dealt()
    play_to_end(table)
    assert table.alerts() == []


def test_fold_known_from_one_card_in_the_muck() -> None:
    table = Driver()
    held = table.deal()
    table.put(held[2][0], "muck")
    table.wait(4500)
    assert table.hand.betting.is_folded(2)
    assert table.alerts() == []


# -- exposed cards ------------------------------------------------------------------------------------------------------------------


def test_x1_first_card_exposed_is_a_misdeal_and_the_hand_is_dealt_again() -> None:
    table = Driver()
    table.pitch(9)
    table.report("exposed", 9)
    assert table.said() == [("X1", "proven", "open")]
    assert table.alert("X1").remedy == "misdeal"
    assert table.alert("X1").stop
    table.gather()
    assert table.steps("X1")["gather_all"] == "done"
    table.deal()
    assert table.hand.procedure.attempt == 2
    assert table.said() == [("X1", "proven", "closed")]
    play_to_end(table)


def test_x1_is_asked_about_when_the_first_seat_has_both_cards() -> None:
    table = Driver()
    table.pitch(*ORDER, 9)
    table.report("exposed", 9)
    assert table.alert("X1").question == "first_off_deck"
    table.answer("no")
    assert table.alert("X3").evidence == "proven"


def test_x2_second_card_exposed_plays_on_in_the_seed_house() -> None:
    table = Driver()
    table.pitch(9, 1)
    table.report("exposed", 1)
    assert table.said() == [("X2", "proven", "open")]
    assert table.alert("X2").remedy == "replace_exposed"


def test_x3_exposed_card_is_replaced_and_becomes_the_burn() -> None:
    table = Driver()
    faces = table.pitch(9, 1, 2)
    table.report("exposed", 2)
    assert table.said() == [("X3", "proven", "open")]
    table.pitch(3, 5, 7, *ORDER)
    assert table.steps("X3")["deal_on"] == "done"
    table.wait(800)
    table.take(faces[2])
    table.pitch(2)
    assert table.steps("X3")["take_exposed"] == "done"
    assert table.steps("X3")["top_card_to"] == "done"
    table.wait(700)
    table.put(faces[2], "burn")
    assert table.said() == [("X3", "proven", "closed")]
    table.check_down()
    assert (
        table.hand.procedure.step.kind == "board"
    )  # the exposed card is the flop's burn, none comes off the stub
    table.board(3)
    table.wait(1500)
    play_to_end(table)
    assert [alert.rule for alert in table.alerts()] == ["X3"]


def test_x3_card_that_waits_for_the_flop_on_the_stub() -> None:
    table = Driver()
    faces = table.pitch(9, 1, 2)
    table.report("exposed", 2)
    table.pitch(3, 5, 7, *ORDER)
    table.take(faces[2])
    table.pitch(2)
    table.check_down()
    assert table.alert("X3").state == "open"
    table.put(faces[2], "burn")
    table.board(3)
    table.wait(1500)
    assert table.alert("X3").state == "closed"
    play_to_end(table)


def test_x4_two_exposed_cards_are_a_misdeal() -> None:
    table = Driver()
    table.pitch(9, 1, 2)
    table.report("exposed", 2)
    table.pitch(3)
    table.report("exposed", 3)
    assert table.said() == [("X3", "proven", "withdrawn"), ("X4", "proven", "open")]
    assert table.hand.procedure.misdeal


def test_x6_a_card_that_its_player_turned_up_is_nobodys_error() -> None:
    table = Driver()
    table.pitch(9, 1, 2)
    table.report("exposed", 2, by="player")
    assert table.said() == [("X6", "possible", "closed")]


# -- the order of the deal ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("answer", "end"), [("yes", "closed"), ("no", "open")])
def test_d1_first_card_to_a_seat_marked_out_asks_for_its_status(answer: str, end: str) -> None:
    table = Driver()
    table.pitch(11)
    assert table.alert("D1").question == "seat_in"
    table.answer(answer)
    assert table.alert("D1").state == end
    assert table.hand.procedure.misdeal is (answer == "no")
    if answer == "yes":
        assert 11 in table.hand.procedure.order


def test_d1_first_seat_passed_over_is_asked_about_when_the_round_is_over() -> None:
    table = Driver()
    table.pitch(1, 2, 3, 5, 7)
    assert table.alerts() == []
    table.pitch(1)
    assert (table.alert("D1").question, table.alert("D1").seat) == ("seat_in", 9)
    table.answer("yes")
    assert table.hand.procedure.misdeal


def test_d1_deal_that_began_at_the_wrong_seat() -> None:
    table = Driver()
    table.pitch(1, 2, 3, 5, 7, 9)
    assert table.alert("D1").question == "first_card"
    table.answer("no")
    assert table.alert("D1").remedy == "misdeal"


def test_d1_first_card_read_a_little_late_is_silent() -> None:
    """No dealer pitches two cards in 100 ms: the first one lay there before."""
    table = Driver(sensing=TABLE)
    first, second = table.next_card(), None
    table.where[first] = "seat9"
    table.wait(600)
    second = table.put(table.next_card(), "seat1")
    table.where.pop(first)
    table.wait(100)
    table.put(first, "seat9")
    table.pitch(2, 3, 5, 7, *ORDER)
    assert second
    assert table.alerts() == []


def test_d3_seat_passed_over_and_the_round_is_over() -> None:
    table = Driver()
    table.pitch(9, 1, 2)
    assert table.alerts() == []
    table.pitch(5, 7, 9)
    assert (table.alert("D3").question, table.alert("D3").seat) == ("seat_in", 3)
    table.answer("no")  # the player is away: the status was wrong
    assert 3 not in table.hand.procedure.order
    assert table.alert("D3").state == "closed"


def test_d3_card_that_was_pitched_but_not_read_only_leaves_a_mark() -> None:
    table = Driver()
    table.pitch(9, 1, 2)
    table.wait(600)
    table.pitch(5, 7, *ORDER)
    assert table.alerts() == []
    assert table.hand.procedure.marks[3] == ("short",)


def test_d4_two_seats_swapped() -> None:
    table = Driver()
    table.pitch(9, 1, 2, 5, 3)
    assert table.alert("D4").question == "out_of_turn"
    assert table.alert("D4").seat == 5
    table.answer("yes")
    assert table.alert("D4").stop
    assert table.alert("D4").remedy == "misdeal"


def test_d4_second_card_before_the_round_is_over() -> None:
    table = Driver()
    table.pitch(9, 1, 1)
    assert table.alert("D4").seat == 1
    table.answer("no")
    assert table.alert("D4").state == "closed"


def test_cards_of_one_scan_have_no_order() -> None:
    table = Driver(sensing=TABLE)
    table.pitch(9, 1)
    first, second = table.next_card(), None
    table.where[first] = "seat3"
    second = table.next_card()
    table.wait(1200)
    table.where.pop(first)
    table.put(first, "seat3")
    table.put(second, "seat2")
    table.pitch(5, 7, *ORDER)
    assert table.alerts() == []


# -- extra cards --------------------------------------------------------------------------------------------------------------------


def test_d8_extra_card_at_the_first_seat_goes_back_and_is_the_burn() -> None:
    table = dealt()
    [extra] = table.pitch(9)
    assert table.alert("D8").question == "extra_card"
    table.answer("yes")
    assert table.alert("D8").remedy == "extra_to_burn"
    table.wait(500)
    table.take(extra)
    assert table.steps("D8")["return_extra"] == "done"
    table.check_down()
    table.put(extra, "burn")
    table.board(3)
    table.wait(1500)
    assert table.alert("D8").state == "closed"
    play_to_end(table)


def test_d8_extra_card_at_another_seat_is_a_misdeal() -> None:
    table = dealt()
    table.pitch(3)
    table.answer("yes")
    assert table.alert("D8").remedy == "misdeal"


def test_d8_misread_is_withdrawn() -> None:
    table = dealt()
    table.pitch(3)
    table.answer("no")
    assert table.said() == [("D8", "probable", "withdrawn")]


def test_d8_extra_card_put_back_before_the_answer_is_a_save_and_may_be_burned() -> None:
    table = dealt()
    [extra] = table.pitch(3)
    assert table.alert("D8").question == "extra_card"
    table.wait(700)
    table.take(extra)
    assert table.said() == [("D8", "probable", "closed")]
    table.check_down()
    table.wait(900)
    table.put(extra, "burn")
    table.board(3)
    table.wait(1500)
    assert [alert.rule for alert in table.alerts()] == ["D8"]
    play_to_end(table)


def test_d8_card_put_back_after_no_belongs_to_nobody() -> None:
    table = dealt()
    [extra] = table.pitch(3)
    table.answer("no")
    table.wait(700)
    table.take(extra)
    table.check_down()
    table.put(extra, "burn")
    table.board(3)
    table.wait(1500)
    assert table.said() == [("D8", "probable", "withdrawn")]
    play_to_end(table)


def test_d9_two_extra_cards_are_a_fact() -> None:
    table = dealt()
    table.pitch(9, 1)
    assert table.said() == [("D8", "probable", "withdrawn"), ("D9", "proven", "open")]
    assert table.alert("D9").stop


# -- same card ----------------------------------------------------------------------------------------------------------------------


def test_k1_two_of_the_same_card_void_the_hand_after_the_floors_eye() -> None:
    table = Driver(registered={"3c": "2c"})
    table.deal()
    assert table.alert("K1").question == "same_card_twice"
    assert not table.alert("K1").stop
    table.answer("yes")
    assert table.tell(cmd.PushPots()) is None
    assert table.hand.result == "void"
    assert chips(table) == 1200


# -- burns --------------------------------------------------------------------------------------------------------------------------


def test_n1_flop_without_a_burn_faced_is_dealt_anew() -> None:
    table = dealt()
    table.check_down()
    flop = table.board(3)
    table.wait(1000)
    assert table.alert("N1").question == "burned"
    assert all(card.face is None for card in _board(table))
    table.answer("no")
    assert table.alert("N1").evidence == "proven"
    assert table.alert("N1").question == "turned_up"
    table.answer("yes")
    table.wait(1000)
    for face in flop:
        table.take(face)
    assert table.steps("N1")["gather_board"] == "done"
    table.wait(3000)
    table.burn()
    assert table.steps("N1")["burn_one"] == "done"
    table.board(3)
    table.wait(1500)
    assert table.alert("N1").state == "closed"
    assert len(table.hand.board_faces()) == 3
    play_to_end(table)


def test_n1_packet_not_turned_up_the_top_card_becomes_the_burn() -> None:
    table = dealt()
    table.check_down()
    flop = table.board(3)
    table.wait(1000)
    table.answer("no")
    table.answer("no")
    assert table.alert("N1").remedy == "top_is_burn"
    table.wait(1000)
    table.put(flop[0], "burn")
    assert table.steps("N1")["move_top_to_burn"] == "done"
    table.board(1)
    table.wait(1500)
    assert table.alert("N1").state == "closed"
    play_to_end(table)


def test_n1_burn_that_was_not_read_is_closed_by_yes() -> None:
    table = dealt()
    table.check_down()
    table.board(3)
    table.wait(1000)
    table.answer("yes")
    table.wait(1000)
    assert table.said() == [("N1", "probable", "closed")]
    assert len(table.hand.board_faces()) == 3
    play_to_end(table)


def test_n1_burn_read_late_is_silent() -> None:
    table = dealt()
    table.check_down()
    burn = table.next_card()
    table.where[burn] = "burn"
    table.board(3)
    table.where.pop(burn)
    table.put(burn, "burn")
    table.wait(1500)
    assert table.alerts() == []
    assert len(table.hand.board_faces()) == 3


def test_n1_is_n2_when_a_player_acts() -> None:
    table = dealt()
    table.check_down()
    table.board(3)
    table.wait(1000)
    table.act("9 check")
    assert table.said() == [("N1", "probable", "withdrawn"), ("N2", "probable", "open")]
    table.wait(1000)
    assert len(table.hand.board_faces()) == 3
    table.answer("yes")
    assert table.said()[-1] == ("N2", "probable", "closed")


def test_n5_second_burn_goes_back_on_the_stub() -> None:
    table = dealt()
    table.check_down()
    table.burn()
    second = table.burn()
    assert table.alert("N5").question == "boxed"
    table.answer("no")
    assert table.alert("N5").remedy == "put_burn_back"
    table.take(second)
    assert table.alert("N5").state == "closed"
    table.board(3)
    table.wait(1500)
    play_to_end(table)


def test_n5_boxed_card_set_aside_is_no_error() -> None:
    table = dealt()
    table.check_down()
    table.burn()
    table.burn()
    table.answer("yes")
    assert table.said() == [("N5", "probable", "closed"), ("K6", "possible", "closed")]
    table.board(3)
    table.wait(1500)
    play_to_end(table)


def test_n10_burn_while_a_seat_has_to_act_stays_as_this_streets_burn() -> None:
    table = on_flop()
    table.act("9 check")
    table.burn()
    assert table.alerts() == []
    table.wait(4500)
    assert table.alert("N10").question == "acted"
    assert table.alert("N10").params["seats"] == [1, 2, 3, 5, 7]
    table.answer("no")
    table.check_down()
    assert table.hand.procedure.step.kind == "board"
    table.board(1)
    table.wait(1500)
    assert table.alert("N10").state == "closed"
    play_to_end(table)


def test_n10_taps_within_the_grace_settle_it_silently() -> None:
    table = on_flop()
    table.act("9 check, 1 check, 2 check, 3 check, 5 check")
    table.burn()
    table.act("7 check")
    table.board(1)
    table.wait(5000)
    assert table.alerts() == []
    play_to_end(table)


def test_n10_yes_closes_the_round_with_assumed_actions() -> None:
    table = on_flop()
    table.burn()
    table.wait(4500)
    table.answer("yes")
    assert table.hand.procedure.step.kind == "board"
    assert all(taken.assumed for taken in table.hand.betting.actions_on(1))


# -- the flop's count ---------------------------------------------------------------------------------------------------------------


def test_f1_four_cards_turned_up_are_reshuffled_and_the_burn_stays() -> None:
    table = dealt()
    table.check_down()
    table.burn()
    flop = table.board(4)
    table.wait(1000)
    assert table.alert("F1").question == "turned_up"
    assert all(card.face is None for card in _board(table))
    table.answer("yes")
    assert table.alert("F1").stop
    for face in flop:
        table.take(face)
    table.wait(3000)
    table.board(3)
    table.wait(1500)
    assert table.alert("F1").state == "closed"
    assert len(table.hand.procedure.burns) == 1
    play_to_end(table)


def test_f1_packet_not_turned_up_gives_one_back() -> None:
    table = dealt()
    table.check_down()
    table.burn()
    flop = table.board(4)
    table.wait(1000)
    table.answer("no")
    assert table.alert("F1").remedy == "put_back_in_order"
    table.take(flop[3])
    table.wait(1500)
    assert table.alert("F1").state == "closed"
    assert len(table.hand.board_faces()) == 3
    play_to_end(table)


def test_f1_fourth_card_found_before_any_action() -> None:
    table = on_flop()
    table.board(1)
    table.wait(1000)
    assert table.alert("F1").question == "turned_up"


def test_f1_card_put_back_before_the_question_is_a_save() -> None:
    table = dealt()
    table.check_down()
    table.burn()
    flop = table.board(4)
    table.wait(1000)
    table.take(flop[3])
    assert table.said() == [("F1", "probable", "closed")]
    table.wait(1500)
    play_to_end(table)


def test_f2_five_cards() -> None:
    table = dealt()
    table.check_down()
    table.burn()
    flop = table.board(5)
    table.wait(1000)
    assert [alert.rule for alert in table.alerts()] == ["F2"]
    table.answer("yes")
    for face in flop:
        table.take(face)
    table.board(3)
    table.wait(1500)
    play_to_end(table)


# -- early cards --------------------------------------------------------------------------------------------------------------------


def test_r1_early_flop_is_shuffled_in_and_comes_again_without_a_burn() -> None:
    table = dealt()
    table.act("2 call, 3 call, 5 call")
    table.burn()
    flop = table.board(3)
    table.wait(4500)
    assert table.alert("R1").params["seats"] == [7, 9, 1]
    table.answer("no")
    assert (table.alert("R1").evidence, table.alert("R1").remedy) == ("proven", "early_flop")
    for face in flop:
        table.take(face)
    assert table.steps("R1")["set_aside"] == "done"
    table.check_down()
    assert table.steps("R1")["finish_betting"] == "done"
    table.wait(3000)
    table.board(3)
    table.wait(1500)
    assert table.alert("R1").state == "closed"
    assert len(table.hand.procedure.burns) == 1
    play_to_end(table)


def test_r1_packet_not_turned_up_goes_back_in_order() -> None:
    table = dealt()
    table.act("2 call, 3 call, 5 call")
    table.burn()
    flop = table.board(3)
    table.wait(4500)
    table.answer("no")
    table.answer("no")
    assert table.alert("R1").remedy == "put_back_in_order"
    for face in flop:
        table.take(face)
    table.check_down()
    for face in flop:
        table.put(face, "board")
    table.wait(1500)
    assert len(table.hand.board_faces()) == 3
    assert table.alert("R1").state == "closed"
    play_to_end(table)


def test_r2_early_turn_in_the_seed_house_river_card_as_turn_then_reshuffled_river() -> None:
    table = on_flop()
    table.act("9 check, 1 check, 2 bet 10")
    table.burn()
    table.wait(4500)
    assert table.alert("N10").evidence == "probable"
    [early] = table.board(1)
    table.wait(1500)
    assert table.alert("N10").state == "withdrawn"
    assert table.alert("R2").question == "acted"
    table.answer("no")
    assert (table.alert("R2").evidence, table.alert("R2").remedy) == ("proven", "river_as_turn")
    assert table.alert("R2").stop
    table.take(early)
    table.act("3 fold, 5 call, 7 fold, 9 fold, 1 call")
    assert table.steps("R2")["finish_betting"] == "done"
    table.burn()
    table.board(1)
    table.wait(1500)
    assert table.steps("R2")["burn_and_turn"] == "done"
    table.check_down()
    table.wait(3000)
    table.put(early, "board")  # shuffled in again, it may come
    table.wait(1500)
    assert table.alert("R2").state == "closed"
    assert (len(table.hand.procedure.burns), len(table.hand.procedure.dead_burns)) == (2, 1)
    play_to_end(table)


def test_r2_yes_assumes_the_taps_that_are_missing() -> None:
    table = on_flop()
    table.act("9 check, 1 check, 2 bet 10")
    table.burn()
    table.board(1)
    table.wait(4500)
    table.answer("yes")
    table.wait(1500)
    assert table.alert("R2").state == "closed"
    assert len(table.hand.board_faces()) == 4
    play_to_end(table)


def test_r2_late_taps_settle_it_silently() -> None:
    table = on_flop()
    table.act("9 check, 1 check, 2 check, 3 check")
    table.burn()
    table.board(1)
    table.act("5 check, 7 check")
    table.wait(5000)
    assert table.alerts() == []
    assert len(table.hand.board_faces()) == 4


def test_r3_early_river_is_reshuffled_without_a_burn() -> None:
    table = on_flop()
    table.check_down()
    table.street(1)
    table.act("9 check")
    table.burn()
    [early] = table.board(1)
    table.wait(4500)
    table.answer("no")
    assert table.alert("R3").remedy == "reshuffle_river"
    table.take(early)
    table.check_down()
    table.wait(3000)
    table.board(1)
    table.wait(1500)
    assert table.alert("R3").state == "closed"
    assert len(table.hand.procedure.burns) == 3
    play_to_end(table)


def test_misread_puts_the_plan_back() -> None:
    table = on_flop()
    table.act("9 check")
    table.burn()
    table.board(1)
    table.wait(4500)
    table.answer("no")
    plan = table.hand.procedure.plan
    assert table.tell(cmd.Respond("R2", "misread")) is None
    assert table.hand.procedure.plan != plan
    table.check_down()
    table.wait(1500)
    assert len(table.hand.board_faces()) == 4
    play_to_end(table)


def _board(table: Driver) -> tuple:  # type: ignore[type-arg]
    return next(fact for fact in table.core.snapshot() if type(fact).__name__ == "BoardFact").cards  # type: ignore[attr-defined]
