"""The antenna of the board is out: players act on cards that nothing has read, the cards show late or are entered, and nobody is asked."""

from __future__ import annotations

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.commands import Refused
from tests.table.driver import Driver
from tests.table.test_rules import dealt, on_flop


def unread(table: Driver) -> str:
    """A card is turned that the antenna does not read yet."""
    face = table.next_card()
    table.where[face] = "nowhere"
    table.wait(900)
    return face


def read(table: Driver, face: str) -> None:
    """The antenna reads it now."""
    del table.where[face]
    table.put(face, "board")


def noted(table: Driver) -> list[tuple[str, str, str]]:
    """What was said, but for a row that is only noted."""
    return [said for said in table.said() if said[1] != "possible"]


def on_unread_turn() -> tuple[Driver, str]:
    table = on_flop()
    table.check_down()
    table.burn()
    return table, unread(table)


def test_players_act_on_a_turn_that_nothing_has_read() -> None:
    table, turn = on_unread_turn()
    table.act("9 check, 1 bet 4")
    assert table.said() == [("K10", "possible", "open")]
    assert table.hand.procedure.step.kind == "bet"
    read(table, turn)
    table.wait(1500)
    assert table.hand.board_faces()[3] == turn
    assert table.said() == [("K10", "possible", "closed")]
    table.act("2 fold, 3 fold, 5 fold, 7 fold, 9 call")
    table.street(1)
    assert noted(table) == []
    assert len(table.hand.board_faces()) == 5


def test_nobody_acts_where_not_even_a_burn_was_read() -> None:
    table = on_flop()
    table.check_down()
    assert table.tell(cmd.Act(9, "check")) == Refused("round_complete")


def test_turn_and_river_that_are_read_together_are_no_turn_of_two_cards() -> None:
    table, turn = on_unread_turn()
    table.check_down_from(9)
    table.burn()
    river = unread(table)
    for face in (turn, river):
        read(table, face)
    table.wait(1500)
    assert noted(table) == []
    assert set(table.hand.board_faces()[3:]) == {turn, river}
    assert table.hand.procedure.step.kind == "bet"


def test_a_turn_that_is_never_read_is_not_taken_for_the_river() -> None:
    table, turn = on_unread_turn()
    table.check_down_from(9)
    table.street(1)
    table.check_down()
    assert table.hand.procedure.step.kind == "show"
    table.wait(1000)
    assert table.tell(cmd.EnterCard(turn)) is None
    table.wait(1500)
    assert turn in table.hand.board_faces()
    assert noted(table) == []
    table.showdown()
    assert table.hand.result == "completed"


def test_a_river_that_is_read_when_the_hands_are_shown_decides_the_hand() -> None:
    table = on_flop()
    table.check_down()
    table.street(1)
    table.check_down()
    table.burn()
    river = unread(table)
    table.check_down_from(9)
    assert table.hand.procedure.step.kind == "show"
    read(table, river)
    table.wait(1500)
    assert table.hand.board_faces()[4] == river
    table.showdown()
    assert (table.hand.result, noted(table)) == ("completed", [])


def test_a_flop_that_nothing_has_read() -> None:
    table = dealt()
    table.check_down()
    table.burn()
    flop = [unread(table) for _ in range(3)]
    table.check_down_from(9)
    table.burn()
    turn = unread(table)
    for face in (*flop, turn):
        read(table, face)
    table.wait(1500)
    assert noted(table) == []
    assert set(table.hand.board_faces()) == {*flop, turn}
