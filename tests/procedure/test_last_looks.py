"""What no test had looked at: a stub that runs short, rounds that late taps close, board cards at seats, steps of other games."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.alerts import Alert
from dealer_assist.procedure import engine, said
from dealer_assist.procedure.draft import Draft
from tests.procedure.test_edges import appear, kinds, rules
from tests.table.driver import Driver
from tests.table.test_action_rows import eleven_of_omaha, omaha, to_river
from tests.table.test_rules import dealt, on_flop, play_to_end
from tests.table.test_run_it import lay, on_the_flop, run

# -- the stub (A16) -------------------------------------------------------------------------------------------------------


def short_by(draft: Draft, count: int) -> None:
    """So many cards from the stub lie in the muck."""
    for number in range(count):
        engine.placed(draft, f"lost{number}", "muck", 0, 0, 5000)


def betting_over(draft: Draft, street: str, t_ms: int) -> None:
    draft.bets = replace(draft.bets, street=street, complete=True, pending=(), actions=("check",) * 3)
    engine.bets_changed(draft, t_ms)


def a16(draft: Draft) -> list[Alert]:
    return [alert for alert in draft.state.alerts.values() if alert.rule == "A16"]


def test_what_a_short_stub_is_known_from() -> None:
    draft = eleven_of_omaha()
    short_by(draft, 1)
    to_river(draft)
    (alert,) = a16(draft)
    (why,) = alert.why
    assert (why.code, why.params, why.weight) == ("stub_count", {"count": 1, "needed": 2}, 500)


def test_a_stub_with_nothing_left() -> None:
    draft = eleven_of_omaha()
    short_by(draft, 2)
    to_river(draft)
    (alert,) = a16(draft)
    assert (alert.params["count"], alert.params["needed"]) == (0, 2)


def test_a_short_stub_is_said_once_in_a_deal() -> None:
    """The floor lets the turn be dealt from what there is: that the river cannot be dealt either is nothing new."""
    draft = eleven_of_omaha()
    short_by(draft, 4)
    betting_over(draft, "preflop", 10_000)
    engine.placed(draft, "burn1", "burn", 0, 0, 11_000)
    for number in range(3):
        engine.placed(draft, f"flop{number}", "board", 0, 0, 12_000)
        engine.face_shown(draft, f"flop{number}", f"{2 + number}s", 13_000)
    betting_over(draft, "flop", 20_000)
    (alert,) = a16(draft)
    assert alert.street == "turn"
    assert said.rule(draft, "A16", "play_on", 21_000) is None
    assert draft.alert("A16") is None
    engine.placed(draft, "burn2", "burn", 0, 0, 22_000)
    engine.placed(draft, "turn", "board", 0, 0, 23_000)
    engine.face_shown(draft, "turn", "6s", 24_000)
    betting_over(draft, "turn", 30_000)
    assert draft.state.street == "river"
    assert len(a16(draft)) == 1


def test_cards_of_the_street_that_lie_there_are_not_needed_any_more() -> None:
    """Burned, and two of the flop turned up before the last taps: the one card that is left is the one that is needed."""
    draft = eleven_of_omaha()
    short_by(draft, 4)
    engine.placed(draft, "burn1", "burn", 0, 0, 9000)
    for number in range(2):
        engine.placed(draft, f"flop{number}", "board", 0, 0, 9100)
    betting_over(draft, "preflop", 10_000)
    assert (draft.state.step.kind, draft.state.street) == ("board", "flop")
    assert a16(draft) == []


def test_an_unread_burn_is_not_needed_once_more() -> None:
    """Two of the flop lie there and the burn was not read: it counts as in the stub, and is needed beside the third card."""
    draft = eleven_of_omaha()
    short_by(draft, 4)
    for number in range(2):
        engine.placed(draft, f"flop{number}", "board", 0, 0, 9100)
    betting_over(draft, "preflop", 10_000)
    assert (draft.state.step.kind, draft.state.street) == ("burn", "flop")
    assert a16(draft) == []


def test_a_hole_card_that_was_not_read_is_out_of_the_stub() -> None:
    """As long as its hand is live; of a hand that is dead it may lie anywhere."""
    for dead, count in ((False, 1), (True, 2)):
        draft = eleven_of_omaha(unread=1)
        if dead:
            draft.state = replace(draft.state, dead=frozenset({11}))
        short_by(draft, 1)
        to_river(draft)
        assert [alert.params["count"] for alert in a16(draft)] == ([] if count == 2 else [count])


def test_a_card_at_a_seat_that_is_not_in_is_out_of_the_stub() -> None:
    draft = omaha(10)
    engine.placed(draft, "stray", "seat11", 0, 0, 4000)
    short_by(draft, 4)
    to_river(draft)
    assert [alert.params["count"] for alert in a16(draft)] == [1]


# -- rounds that late taps close ------------------------------------------------------------------------------------------


def to_turn() -> Driver:
    table = on_flop()
    table.check_down()
    table.street(1)
    return table


@pytest.mark.parametrize(("street", "rule"), [("preflop", "R1"), ("flop", "R2"), ("turn", "R3")])
def test_taps_that_come_late_end_the_question_about_an_early_card(street: str, rule: str) -> None:
    table = {"preflop": dealt, "flop": on_flop, "turn": to_turn}[street]()
    table.burn()
    table.board(1)
    table.wait(6000)
    assert table.said()[-1] == (rule, "probable", "open")
    table.check_down()
    assert table.said()[-1] == (rule, "probable", "withdrawn")
    assert table.hand.procedure.spare_burns == ()
    assert not any(slot.early for slot in table.hand.procedure.board)


def test_taps_that_come_late_end_the_question_about_an_early_burn() -> None:
    table = on_flop()
    table.burn()
    table.wait(6000)
    assert table.said() == [("N10", "probable", "open")]
    table.check_down()
    assert table.said() == [("N10", "probable", "withdrawn")]
    assert kinds(table) == ("board", "turn")


def test_an_early_burn_is_the_next_streets_whatever_was_said_of_it() -> None:
    table = on_flop()
    table.burn()
    table.wait(6000)
    table.answer("no")
    assert table.alert("N10").evidence == "proven"
    table.check_down()
    assert table.hand.procedure.spare_burns == ()
    assert kinds(table) == ("board", "turn")


@pytest.mark.parametrize("ruling", ["", "redo_street"])
def test_a_card_that_was_acted_on_too_early_waits_for_the_floor(ruling: str) -> None:
    """Nothing else is said of it: the report alone holds it back when the round is over."""
    table = on_flop()
    table.act("9 check")
    table.burn()
    table.board(1)
    table.act("1 check")
    table.report("R4", 1)
    assert [alert.rule for alert in table.alerts() if alert.state != "withdrawn"] == ["R4"]
    assert table.alert("R4").ruled is None
    if ruling:
        assert table.tell(cmd.Rule("R4", ruling)) is None
    table.check_down()
    assert len(table.hand.procedure.spare_burns) == (0 if ruling else 1)
    assert table.hand.procedure.board[-1].early


# -- board cards at seats -------------------------------------------------------------------------------------------------


def test_a_board_card_at_a_seat_is_asked_about_and_named() -> None:
    table = on_flop()
    slot = table.hand.procedure.board[1]
    table.put(table.hand.board_faces()[1], "seat3")
    alert = table.alert("R7")
    assert (alert.question, alert.params["zone"]) == ("board_swept", "seat3")
    assert alert.why[0].reads == (slot.ref,)


def test_a_board_card_whose_face_is_not_public_yet_is_none_at_a_seat() -> None:
    """It was lifted again before it lay still."""
    table = on_flop()
    table.check_down()
    table.burn()
    turn = table.board(1)[0]
    appear(table, turn, "seat3")
    assert rules(table) == []


def test_a_hole_card_in_the_place_of_a_board_card_is_asked_about() -> None:
    """Also where the dealer has said that the card at the seat is none of the board's: now one of the seat's lies there."""
    table = on_flop()
    hole = next(face for face, zone in table.where.items() if zone == "seat3")
    ref = table.hand.procedure.held[3][0]
    table.put(table.hand.board_faces()[1], "seat3")
    table.answer("no")
    assert table.alert("R7").state not in ("open", "fixing")
    table.put(hole, "board")
    alert = table.alert("R7")
    assert (alert.question, alert.params["zone"]) == ("board_swept", "board")
    assert alert.why[0].reads == (ref,)


def test_a_hole_card_on_the_board_from_which_nothing_is_gone_is_no_card_of_it() -> None:
    table = on_flop()
    table.put(next(face for face, zone in table.where.items() if zone == "seat3"), "board")
    assert rules(table) == []
    assert len(table.hand.procedure.board) == 3


def test_a_hole_card_on_the_board_from_which_a_card_is_lifted_is_no_card_of_it() -> None:
    table = on_flop()
    hole = next(face for face, zone in table.where.items() if zone == "seat3")
    table.take(table.hand.board_faces()[1])
    table.put(hole, "board")
    assert "R7" not in rules(table)


# -- steps of other games -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "actions", "step"),
    [
        ("unfold", "2 call, 3 call, 5 call, 7 call, 9 call, 1 check", "window"),
        ("double", "2 call, 3 call, 5 call, 7 call, 9 call, 1 check", "point"),
        ("irish", "2 allin, 3 call, 5 call, 7 fold, 9 fold, 1 fold", "discard"),
    ],
)
def test_the_flop_is_judged_while_the_game_has_something_else_to_do(
    game: str, actions: str, step: str
) -> None:
    table = dealt(game=game)
    table.act(actions)
    table.burn()
    flop = table.board(3)
    table.wait(1500)
    assert kinds(table) == (step, "flop")
    assert table.hand.board_faces() == tuple(flop)
    if step != "discard":  # after it the next card is the turn's
        table.board(1)
        table.wait(1500)
        assert table.said() == [("F1", "probable", "open")]


# -- said before ----------------------------------------------------------------------------------------------------------


def test_a_burn_of_the_turn_that_is_read_after_the_question_ends_it() -> None:
    table = on_flop()
    table.check_down()
    turn = table.board(1)[0]
    table.wait(4000)
    assert table.said() == [("N3", "probable", "open")]
    table.burn()
    assert table.said() == [("N3", "probable", "withdrawn")]
    table.wait(1500)
    assert kinds(table) == ("bet", "turn")
    assert table.hand.board_faces()[-1] == turn
    play_to_end(table)


@pytest.mark.parametrize("answered", [False, True])
def test_a_card_that_goes_to_its_board_ends_the_question(answered: bool) -> None:
    table = on_the_flop()
    assert run(table, 2) is None
    lay(table, "board", 1)
    (river,) = lay(table, "board2", 1)  # board 1 is not finished
    table.wait(2500)
    assert table.alert("P8").question == "wrong_board"
    if answered:
        table.answer("no")
    table.put(river, "board")
    assert (table.alert("P8").state, table.alert("P8").question) == ("closed", None)


def test_a_question_about_a_wrong_board_stays_while_another_card_lies_wrong() -> None:
    table = on_the_flop()
    assert run(table, 2) is None
    lay(table, "board2", 1)
    table.wait(2500)
    assert table.alert("P8").question == "wrong_board"
    lay(table, "board", 1)  # the river lies right
    assert (table.alert("P8").state, table.alert("P8").question) == ("open", "wrong_board")


def test_a_card_on_the_wrong_board_has_time_to_be_slid_down() -> None:
    table = on_the_flop()
    assert run(table, 2) is None
    table.burn()
    table.wait(900)
    turn = table.put(table.next_card(), "board2")
    table.wait(1800)
    table.put(turn, "board")
    table.wait(4000)
    assert table.said() == []


def test_what_is_proven_is_reported_to_no_effect() -> None:
    """The dealer has answered that none was burned; his report says no more."""
    table = on_flop()
    table.check_down()
    table.board(1)
    table.wait(4000)
    table.answer("no")
    before = table.alerts()
    table.report("N3")
    assert table.alerts() == before
    assert before[0].answered == "no"
