"""Burns and board (N1–N10, F1–F4, R1–R8): what the scenarios do not show, at the edges of each row."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_assist.domain import commands as cmd
from tests.table.driver import Driver
from tests.table.test_rules import dealt, on_flop, play_to_end

CASH = ("seed", "roberts", "wsop_cash")
TOURNAMENT = ("tda2024", "wsop_tournament")


def to_flop(**setup: object) -> Driver:
    """The betting before the flop is over."""
    table = dealt(**setup)
    table.check_down()
    return table


def kinds(table: Driver) -> tuple[str, str]:
    step = table.hand.procedure.step
    return step.kind, step.street


def missed_flop_burn(**setup: object) -> tuple[Driver, list[str]]:
    table = to_flop(**setup)
    flop = table.board(3)
    table.wait(1500)
    assert table.said() == [("N1", "probable", "open")]
    return table, flop


# -- a missed burn ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", CASH)
def test_n1_answered_after_a_check_is_n2_and_two_are_burned(house: str) -> None:
    table, _ = missed_flop_burn(house=house)
    table.act("9 check")
    table.answer("no")
    assert table.said()[-1] == ("N2", "proven", "open")
    table.check_down()
    table.burn()
    assert kinds(table) == ("burn", "turn")
    table.burn()
    table.board(1)
    table.wait(3000)
    assert table.said()[-1] == ("N2", "proven", "closed")
    play_to_end(table)
    assert [alert.rule for alert in table.alerts()] == ["N1", "N2"]


@pytest.mark.parametrize("house", TOURNAMENT)
def test_n2_of_a_tournament_changes_nothing(house: str) -> None:
    table, _ = missed_flop_burn(house=house)
    table.act("9 check")
    table.answer("no")
    assert table.said()[-1] == ("N2", "proven", "closed")
    table.check_down()
    table.burn()
    assert kinds(table) == ("board", "turn")
    table.board(1)
    table.wait(3000)
    play_to_end(table)


def test_n1_that_is_not_put_right_before_a_check_stands() -> None:
    """The flop should go back; it is left and acted on: the plan is as it was, and the missing burn is made up for."""
    table, flop = missed_flop_burn()
    table.answer("no")
    table.answer("yes")
    assert table.alert("N1").remedy == "reflop_burn_first"
    table.act("9 check")
    assert table.said() == [("N1", "proven", "withdrawn"), ("N2", "proven", "open")]
    table.wait(1500)
    assert table.hand.board_faces() == tuple(flop)
    assert [step.count for step in table.hand.procedure.plan if step.kind == "burn"] == [0, 2, 1]


def test_a_house_may_let_a_missed_burn_be_put_right_until_substantial_action(tmp_path: Path) -> None:
    house = tmp_path / "late.toml"
    house.write_text(
        'name = "late"\ntitle = "Late"\nextends = "tda2024"\n[parameters]\n'
        'no_burn_deadline = { value = "substantial_action", source = "house rule 1" }\n'
    )
    table, flop = missed_flop_burn(house=str(house))
    table.act("9 check")
    table.answer("no")
    assert table.alert("N1").remedy == "scramble_three"
    table.put(flop[1], "burn")
    assert kinds(table) == ("board", "flop")
    table.board(1)
    table.wait(1500)
    assert table.said() == [("N1", "proven", "closed")]
    assert len(table.hand.board_faces()) == 3
    play_to_end(table)

    table, _ = missed_flop_burn(house=str(house))
    table.act("9 check, 1 bet 4")
    assert table.said() == [("N1", "probable", "withdrawn"), ("N2", "probable", "open")]


def test_a_burn_that_is_read_after_the_question_ends_it() -> None:
    table, flop = missed_flop_burn()
    table.burn()
    table.wait(1500)
    assert table.said() == [("N1", "probable", "withdrawn")]
    assert table.hand.board_faces() == tuple(flop)
    table.act("9 check")
    assert table.said() == [("N1", "probable", "withdrawn")]


def test_a_burn_that_is_read_late_ends_the_question_after_action_too() -> None:
    table, _ = missed_flop_burn()
    table.act("9 check")
    table.burn()
    assert table.said() == [("N1", "probable", "withdrawn"), ("N2", "probable", "withdrawn")]
    table.check_down()
    assert kinds(table) == ("burn", "turn")


def test_a_burn_that_was_not_taken_is_not_read_late() -> None:
    """N2 is proven, so a card that is burned while seats are to act is the turn's, taken too early (N10)."""
    table, _ = missed_flop_burn()
    table.act("9 check")
    table.answer("no")
    table.burn()
    table.wait(5000)
    assert table.said()[-1] == ("N10", "probable", "open")


@pytest.mark.parametrize(("reported", "row"), [("N1", "N2"), ("N3", "N2"), ("N2", "N2")])
def test_a_report_is_the_row_that_it_is_by_now(reported: str, row: str) -> None:
    table = on_flop()
    table.act("9 check")
    table.report(reported)
    assert [alert.rule for alert in table.alerts()] == [row]
    table.check_down()
    table.street(1)
    table.report("N1")
    assert table.alerts()[-1].rule == "N3"


@pytest.mark.parametrize(
    "row", ["N1", "N2", "N3", "N4", "N6", "N7", "F1", "F2", "F3", "F4", "R6", "R7", "R8"]
)
def test_what_is_about_the_board_cannot_be_reported_before_there_is_one(row: str) -> None:
    table = dealt()
    refused = table.tell(cmd.Report(row))
    assert refused is not None
    assert (refused.code, refused.params) == ("bad_command", {"reason": "no_board_yet"})
    assert table.alerts() == []
    table.board(1)  # too early: it is none of the board's yet
    assert table.tell(cmd.Report(row)) is not None


@pytest.mark.parametrize("house", [*CASH, *TOURNAMENT])
@pytest.mark.parametrize("row", ["N5", "N8", "N9", "R4", "R5"])
@pytest.mark.parametrize("when", ["deal", "preflop", "flop", "river"])
def test_what_may_be_reported_at_any_time_breaks_nothing(house: str, row: str, when: str) -> None:
    table = Driver(house=house)
    if when != "deal":
        table.deal()
        table.wait(1000)
    for count in {"flop": (3,), "river": (3, 1, 1)}.get(when, ()):
        table.check_down()
        table.street(count)
    refused = table.tell(cmd.Report(row))
    if row == "R4" and when in ("deal", "preflop"):
        assert refused is not None
        assert refused.params == {"reason": "no_board_yet"}
        return
    assert refused is None
    options = table.alerts()[-1].options
    for option in options:
        table.tell(cmd.Rule("", option))
    table.wait(6000)


# -- a burn too many -------------------------------------------------------------------------------------------------------


def double_burn_on_turn(house: str) -> tuple[Driver, str, str]:
    table = on_flop(house=house)
    table.check_down()
    table.burn()
    extra = table.burn()
    table.answer("no")
    [shown] = table.board(1)
    table.wait(1500)
    assert table.alert("N6").evidence == "proven"
    return table, extra, shown


def test_n6_is_called_a_misread_and_everything_is_as_it_was() -> None:
    table, _, shown = double_burn_on_turn("seed")
    assert table.alert("N6").remedy == "extra_burn_is_board"
    assert table.hand.procedure.preset_burn is not None
    assert table.tell(cmd.Respond("", "misread")) is None
    assert table.hand.procedure.preset_burn is None
    table.wait(1500)
    assert table.hand.board_faces()[-1] == shown
    table.check_down()
    assert kinds(table) == ("burn", "river")
    table.street(1)
    play_to_end(table)


def test_n6_acted_on_is_n7_and_the_extra_burn_is_the_next_one() -> None:
    table, _, shown = double_burn_on_turn("roberts")
    table.act("9 check")
    assert table.said()[-2:] == [("N6", "proven", "withdrawn"), ("N7", "proven", "open")]
    table.wait(1500)
    assert table.hand.board_faces()[-1] == shown
    table.check_down()
    assert kinds(table) == ("board", "river")
    table.board(1)
    table.wait(1500)
    assert table.said()[-1] == ("N7", "proven", "closed")


@pytest.mark.parametrize("house", TOURNAMENT)
def test_a_burn_that_lies_dead_is_none_when_it_is_straightened(house: str) -> None:
    table, extra, _ = double_burn_on_turn(house)
    assert table.alert("N6").state == "closed"
    table.act("9 check")
    table.take(extra)
    table.wait(700)
    table.put(extra, "burn")
    table.wait(6000)
    table.check_down()
    assert kinds(table) == ("burn", "river")
    assert [alert.rule for alert in table.alerts()] == ["N5", "N6"]


@pytest.mark.parametrize("house", TOURNAMENT)
def test_a_board_that_stands_after_two_burns_is_shown_at_once(house: str) -> None:
    table, _, shown = double_burn_on_turn(house)
    assert table.alert("N6").remedy == "play_on"
    assert table.hand.board_faces()[-1] == shown
    assert kinds(table) == ("bet", "turn")


def test_two_burns_that_nobody_answers_for_leave_the_turn_its_own() -> None:
    table = to_flop()
    table.burn()
    table.burn()
    table.board(3)
    table.wait(1500)
    table.check_down()
    assert table.said() == [("N5", "probable", "withdrawn"), ("N7", "probable", "open")]
    assert kinds(table) == ("burn", "turn")
    table.street(1)
    play_to_end(table)


def test_n8_dealt_on_takes_the_card_that_was_burned() -> None:
    table = Driver()
    faces = table.pitch(9, 1, 2)
    table.report("exposed", 2)
    table.pitch(3, 5, 7, 9, 1, 2, 3, 5, 7)
    table.take(faces[2])
    table.pitch(2)
    table.check_down()
    table.burn()
    assert table.alert("N8").evidence == "proven"
    assert table.tell(cmd.Respond("N8", "deal_on")) is None
    assert kinds(table) == ("board", "flop")
    table.board(3)
    table.wait(1500)
    table.check_down()
    assert kinds(table) == ("burn", "turn")
    table.street(1)
    play_to_end(table)


def test_n9_after_the_board_changes_nothing() -> None:
    table = on_flop(house="tda2024")
    plan = table.hand.procedure.plan
    table.report("N9")
    assert table.tell(cmd.Rule("", "burn_again")) is None
    assert table.hand.procedure.plan == plan
    play_to_end(table)


def test_n9_of_a_burn_taken_too_early_is_that_burn() -> None:
    table = on_flop(house="tda2024")
    table.act("9 check")
    burned = table.burn()
    table.report("N9")
    assert table.tell(cmd.Rule("", "burn_again")) is None
    table.take(burned)
    table.check_down()
    table.burn()
    assert kinds(table) == ("board", "turn")


# -- the flop --------------------------------------------------------------------------------------------------------------


def test_no_face_of_a_scrambled_flop_is_shown_before_the_floor_has_drawn() -> None:
    table = to_flop(house="tda2024")
    table.burn()
    flop = table.board(4)
    table.wait(1500)
    table.answer("no")
    assert table.alert("F1").remedy == "scramble_four"
    for face in flop[:2]:
        table.take(face)
    table.wait(3000)
    for face in flop[:2]:
        table.put(face, "board")
        table.wait(300)
    table.take(flop[3])
    table.wait(1000)
    assert not table.hand.procedure.faces, "three lie there, and it is not known yet that one was drawn"
    table.put(flop[3], "board")
    table.wait(5000)
    assert not table.hand.procedure.faces
    table.put(flop[0], "burn")
    table.wait(1500)
    assert sorted(table.hand.board_faces()) == sorted(flop[1:])
    assert table.said() == [("F1", "proven", "closed")]
    table.check_down()
    assert kinds(table) == ("board", "turn")


def test_a_drawn_card_that_comes_back_was_not_drawn() -> None:
    table = to_flop(house="wsop_cash")
    table.burn()
    flop = table.board(4)
    table.wait(1500)
    table.answer("yes")
    table.take(flop[0])
    table.wait(2500)
    assert table.steps("F1")["floor_picks"] == "done"
    table.put(flop[0], "board")
    assert table.hand.procedure.preset_burn is None
    table.take(flop[1])
    table.wait(2500)
    table.check_down()
    table.put(flop[1], "burn")
    assert kinds(table) == ("board", "turn")
    assert table.said() == [("F1", "proven", "closed")]


def test_f1_that_is_bet_on_is_f4() -> None:
    table = to_flop()
    table.burn()
    table.board(4)
    table.wait(1500)
    table.act("9 bet 4")
    assert table.said() == [("F1", "probable", "withdrawn"), ("F4", "probable", "open")]
    table.answer("yes")
    assert table.alert("F4").options == ("reflop_no_burn", "play_on")


def test_a_flop_card_is_read_when_the_flop_has_been_bet_on() -> None:
    """The third card lies badly; it is read between the end of the betting and the burn: it is no turn without a burn."""
    table = to_flop()
    table.burn()
    table.board(2)
    third = table.next_card()
    table.where[third] = "nowhere"
    table.act("9 check")
    table.check_down()
    assert kinds(table) == ("burn", "turn")
    del table.where[third]
    table.put(third, "board")
    table.wait(4000)
    assert len(table.hand.board_faces()) == 3
    table.street(1)
    play_to_end(table)
    assert {alert.rule for alert in table.alerts()} <= {"K10"}


# -- the board -------------------------------------------------------------------------------------------------------------


def test_a_board_card_on_the_burn_spot_is_no_burn() -> None:
    table = to_flop()
    table.burn()
    flop = table.board(3)
    table.wait(1500)
    table.put(flop[1], "burn")
    assert table.alert("R7").question == "board_swept"
    assert len(table.hand.procedure.board) == 3
    table.answer("yes")
    table.put(flop[1], "board")
    assert table.said() == [("R7", "proven", "closed")]
    table.check_down()
    assert kinds(table) == ("burn", "turn")


def test_r4_without_a_seat_does_what_needs_none() -> None:
    table = on_flop(house="tda2024")
    table.act("9 check")
    table.burn()
    table.board(1)
    table.report("R4")
    assert (table.alert("R4").options, table.alert("R4").remedy) == ((), "redo_street")


@pytest.mark.parametrize("house", ["seed", "wsop_tournament"])
def test_r4_holds_the_early_card_until_the_floor_has_ruled(house: str) -> None:
    table = on_flop(house=house)
    table.act("9 check, 1 check, 2 check, 3 check, 5 check")
    table.burn()
    [early] = table.board(1)
    table.report("R4", 7)
    table.act("7 check")
    assert len(table.hand.board_faces()) == 3, "the card waits for the floor"
    assert table.tell(cmd.Rule("", "redo_street")) is None
    table.take(early)
    if house == "seed":
        table.burn()
    table.board(1)
    table.wait(1500)
    assert len(table.hand.board_faces()) == 4
    assert early not in table.hand.board_faces()


def test_r5_before_the_flop_leaves_its_burn_and_asks_for_no_other() -> None:
    table = dealt()
    table.burn()
    table.report("R5")
    assert table.alert("R5").params["next"] == "flop"
    table.check_down()
    table.board(3)
    table.wait(1500)
    assert table.said() == [("R5", "proven", "closed")]
    play_to_end(table)
