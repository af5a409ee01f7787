"""Two irregularities of one hand, or one that is not put right: the hand is played to its end all the same."""

from __future__ import annotations

import pytest

from dealer_assist.domain import commands as cmd
from tests.table.driver import Driver, uid
from tests.table.test_rules import play_to_end

HOUSES = ("seed", "roberts", "tda2024", "wsop_cash", "wsop_tournament")
SCRAMBLING = ("tda2024", "wsop_cash", "wsop_tournament")


def exposed_replaced(house: str) -> tuple[Driver, str]:
    """Seat 3's first card is exposed and replaced (X3); before the flop everybody is in. The exposed card waits to be the burn."""
    table = Driver(house=house)
    exposed = table.pitch(9, 1, 2, 3)[-1]
    table.report("exposed", 3)
    table.pitch(5, 7, 9, 1, 2, 3, 5, 7)
    table.take(exposed)
    table.pitch(3)
    table.check_down()
    return table, exposed


def rules(table: Driver) -> list[str]:
    return [alert.rule for alert in table.alerts()]


def live(table: Driver) -> list[str]:
    return [alert.rule for alert in table.alerts() if alert.state in ("open", "fixing")]


# -- an exposed card as the burn, then a scrambled flop (X3, F1) ------------------------------------------------------------


@pytest.mark.parametrize("house", SCRAMBLING)
def test_four_are_scrambled_after_an_exposed_card_was_the_burn(house: str) -> None:
    table, exposed = exposed_replaced(house)
    table.put(exposed, "burn")
    flop = table.board(4)
    table.wait(1500)
    table.answer("yes")
    assert table.said() == [("X3", "proven", "closed"), ("F1", "proven", "open")]
    assert table.steps("F1")["floor_picks"] == "pending"
    assert table.steps("F1")["picked_is_burn"] == "pending"
    for face in flop:
        table.take(face)
    table.wait(1500)
    for face in flop[:3]:
        table.put(face, "board")
    table.wait(4000)
    assert table.steps("F1") == {
        "call_floor": "done",
        "turn_down": "done",
        "scramble": "done",
        "floor_picks": "done",
        "picked_is_burn": "current",
    }
    assert table.hand.board_faces() == tuple(flop[:3])
    table.check_down()
    table.put(flop[3], "burn")
    assert live(table) == []
    table.board(1)
    table.wait(1500)
    assert len(table.hand.board_faces()) == 4
    play_to_end(table)
    assert rules(table) == ["X3", "F1"]


@pytest.mark.parametrize("house", SCRAMBLING)
def test_a_scramble_called_a_misread_after_an_exposed_burn_leaves_no_burn_set(house: str) -> None:
    table, exposed = exposed_replaced(house)
    table.put(exposed, "burn")
    flop = table.board(4)
    table.wait(1500)
    table.answer("yes")
    table.take(flop[3])
    assert table.tell(cmd.Respond("F1", "misread")) is None
    table.wait(3000)
    assert table.hand.board_faces() == tuple(flop[:3])
    play_to_end(table)
    assert rules(table) == ["X3", "F1"]


@pytest.mark.parametrize("house", ["seed", "roberts"])
def test_four_are_dealt_again_after_an_exposed_card_was_the_burn(house: str) -> None:
    table, exposed = exposed_replaced(house)
    table.put(exposed, "burn")
    flop = table.board(4)
    table.wait(1500)
    table.answer("yes")
    for face in flop:
        table.take(face)
    table.board(3)
    table.wait(1500)
    assert live(table) == []
    play_to_end(table)
    assert rules(table) == ["X3", "F1"]


# -- the burn that was set is forgotten, and the street is dealt (N8, case E-10) --------------------------------------------


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("acts_at_once", [False, True])
def test_a_flop_after_another_burn_than_the_exposed_card_stands(house: str, acts_at_once: bool) -> None:
    table, exposed = exposed_replaced(house)
    burned = table.burn()
    assert table.said()[-1] == ("N8", "proven", "open")
    flop = table.board(3)
    if acts_at_once:
        table.act("9 check")
    table.wait(1500)
    assert table.said() == [("X3", "proven", "closed"), ("N8", "proven", "closed")]
    assert table.steps("X3")["exposed_is_burn"] == "skipped"
    assert table.hand.board_faces() == tuple(flop)
    assert table.hand.procedure.burns == (table.core.vault.ref(uid(burned)),)
    table.put(exposed, "burn")  # put with the burns: it is none
    table.wait(6000)
    play_to_end(table)
    assert rules(table) == ["X3", "N8"]
    assert len(table.hand.procedure.burns) == 3


@pytest.mark.parametrize("house", HOUSES)
def test_a_fourth_flop_card_after_another_burn_than_the_exposed_card(house: str) -> None:
    table, _ = exposed_replaced(house)
    table.burn()
    flop = table.board(4)
    table.wait(1500)
    assert table.said()[1:] == [("N8", "proven", "closed"), ("F1", "probable", "open")]
    table.answer("yes")
    if house in SCRAMBLING:
        table.take(flop[3])
        table.wait(3000)
        table.check_down()
        table.put(flop[3], "burn")
    else:
        for face in flop:
            table.take(face)
        table.board(3)
        table.wait(1500)
    assert live(table) == []
    play_to_end(table)
    assert rules(table) == ["X3", "N8", "F1"]


@pytest.mark.parametrize("house", SCRAMBLING)
def test_a_turn_after_another_burn_than_the_drawn_card_stands(house: str) -> None:
    table = Driver(house=house)
    table.deal()
    table.check_down()
    table.burn()
    flop = table.board(4)
    table.wait(1500)
    table.answer("yes")
    table.take(flop[3])
    table.wait(3000)
    table.check_down()
    table.street(1)
    assert table.said() == [("F1", "proven", "closed"), ("N8", "proven", "closed")]
    assert table.steps("F1")["picked_is_burn"] == "skipped"
    table.put(flop[3], "burn")
    table.wait(6000)
    play_to_end(table)
    assert rules(table) == ["F1", "N8"]


@pytest.mark.parametrize("house", HOUSES)
def test_the_exposed_card_and_another_one_burned_before_the_flop_are_two_burns(house: str) -> None:
    table, exposed = exposed_replaced(house)
    table.burn()
    table.put(exposed, "burn")
    table.board(3)
    table.wait(1500)
    assert rules(table) == ["X3", "N8", "N6"]
    assert table.alert("N8").state == "withdrawn"


# -- one card too many that is not put right (F1, R6) -----------------------------------------------------------------------


def one_too_many(house: str, row: str) -> tuple[Driver, list[str]]:
    table = Driver(house=house)
    table.deal()
    table.check_down()
    if row == "R6":
        table.street(3)
        table.check_down()
    table.burn()
    faces = table.board(4 if row == "F1" else 2)
    table.wait(1500)
    assert table.said() == [(row, "probable", "open")]
    return table, faces


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("row", ["F1", "R6"])
@pytest.mark.parametrize("said", ["misread", "deal_on"])
@pytest.mark.parametrize("taken", ["at once", "after an action", "on the next street"])
def test_one_card_too_many_that_is_let_pass_and_taken_away(
    house: str, row: str, said: str, taken: str
) -> None:
    table, faces = one_too_many(house, row)
    assert table.tell(cmd.Respond(row, said)) is None  # type: ignore[arg-type]
    right = tuple(faces[:-1])
    if taken == "at once":
        table.take(faces[-1])
        table.wait(1500)
    table.act("9 check")
    table.wait(1500)
    if taken == "after an action":
        table.take(faces[-1])
        table.wait(1500)
    if taken != "on the next street":
        assert table.hand.board_faces()[-len(right) :] == right
    table.check_down()
    table.street(1)
    if taken == "on the next street":
        table.take(faces[-1])
        table.wait(1500)
        assert set(right) <= set(table.hand.board_faces())
    play_to_end(table)
    assert live(table) == []


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("row", ["F1", "R6"])
def test_dealt_on_with_one_card_too_many_the_first_ones_are_the_board(house: str, row: str) -> None:
    table, faces = one_too_many(house, row)
    assert table.tell(cmd.Respond(row, "deal_on")) is None
    table.wait(1500)
    assert table.hand.board_faces()[-len(faces) + 1 :] == tuple(faces[:-1])
    play_to_end(table)
    assert faces[-1] not in table.hand.board_faces()
    assert rules(table) == [row]


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("row", ["F1", "R6"])
def test_a_misread_card_that_stays_leaves_the_street_to_be_entered(house: str, row: str) -> None:
    table, faces = one_too_many(house, row)
    assert table.tell(cmd.Respond(row, "misread")) is None
    table.wait(1500)
    table.act("9 check")
    table.wait(1500)
    assert set(faces).isdisjoint(table.hand.board_faces()), "nobody knows which of them is none of the board"
    assert rules(table) == [row, "K10"]
    for face in faces[1:]:
        assert table.tell(cmd.EnterCard(face)) is None
    assert live(table) == []
    assert set(faces[1:]) <= set(table.hand.board_faces())
    play_to_end(table)
    assert rules(table) == [row, "K10"]


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("row", ["F1", "R6"])
@pytest.mark.parametrize("taken", [True, False])
def test_one_card_too_many_that_was_not_turned_up(house: str, row: str, taken: bool) -> None:
    table, faces = one_too_many(house, row)
    table.answer("no")
    remedy = table.alert(row).remedy
    if remedy == "scramble_four":
        table.take(faces[-1])
        table.wait(3000)
        table.put(faces[-1], "burn")
    else:
        assert remedy == "put_back_in_order"
        if taken:
            table.take(faces[-1])
        else:
            table.act("9 check")
        table.wait(1500)
        assert table.hand.board_faces()[-len(faces) + 1 :] == tuple(faces[:-1])
    table.wait(1500)
    play_to_end(table)
    left_lying = remedy == "put_back_in_order" and row == "F1" and not taken
    assert rules(table) == (["F1", "F4"] if left_lying else [row])


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("row", ["F1", "R6"])
@pytest.mark.parametrize("said", ["misread", "deal_on"])
@pytest.mark.parametrize("answer", ["yes", "no"])
def test_a_ruling_on_one_card_too_many_that_is_called_off(
    house: str, row: str, said: str, answer: str
) -> None:
    table, faces = one_too_many(house, row)
    table.answer(answer)
    assert table.tell(cmd.Respond(row, said)) is None  # type: ignore[arg-type]
    if said == "misread":
        table.take(faces[-1])
    table.wait(2500)
    assert table.hand.board_faces()[-len(faces) + 1 :] == tuple(faces[:-1])
    play_to_end(table)
    assert rules(table) == [row]


@pytest.mark.parametrize("house", HOUSES)
def test_two_turn_cards_that_nobody_answers_for_and_a_player_acts(house: str) -> None:
    table, faces = one_too_many(house, "R6")
    table.act("9 check")
    table.wait(1500)
    assert table.hand.board_faces()[-1] == faces[0]
    play_to_end(table)
    assert rules(table) == ["R6"]


# -- two burns and too many cards of a street (N5 with F1, F2, R6) ----------------------------------------------------------


def packet(house: str, count: int) -> tuple[Driver, str, list[str]]:
    table = Driver(house=house)
    table.deal()
    table.check_down()
    if count == 2:
        table.street(3)
        table.check_down()
    table.burn()
    extra = table.burn()
    faces = table.board(count)
    table.wait(1500)
    assert rules(table) == ["N5", {2: "R6", 4: "F1", 5: "F2"}[count]]
    return table, extra, faces


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("count", [2, 4, 5])
@pytest.mark.parametrize("order", ["burn, cards", "cards, burn", "cards"])
@pytest.mark.parametrize("goes_with_it", [True, False])
def test_two_burns_and_a_card_too_many_get_one_ruling(
    house: str, count: int, order: str, goes_with_it: bool
) -> None:
    table, extra, faces = packet(house, count)
    row = rules(table)[-1]
    if order == "burn, cards":
        assert table.tell(cmd.Answer("N5", "no")) is None
        assert rules(table) == ["N5", row]
    assert table.tell(cmd.Answer(row, "yes")) is None
    if order == "cards, burn":
        assert table.tell(cmd.Answer("N5", "no")) is not None, "nobody asks any more"
    assert live(table) == [row]
    plan = [(step.kind, step.street) for step in table.hand.procedure.plan]
    assert len([step for step in plan if step[0] in ("gather", "shuffle")]) <= 2
    if table.alert(row).options:
        assert table.tell(cmd.Rule(row, table.alert(row).options[0])) is None
    if table.alert(row).remedy == "scramble_four":
        table.take(faces[-1])
        table.wait(3000)
        drawn = faces[-1]
    else:
        for face in faces:
            table.take(face)
        if goes_with_it:
            table.take(extra)
            table.wait(3000)
            table.put(extra, "board")  # it comes again, as any card of the stub can
            table.board(2 if count > 2 else 0)
        else:
            table.wait(3000)
            table.board(3 if count > 2 else 1)
        drawn = None
    table.wait(2500)
    assert len(table.hand.board_faces()) == (3 if count > 2 else 4)
    table.check_down()
    if drawn is not None:
        table.put(drawn, "burn")
        table.board(1)
        table.wait(1500)
    assert live(table) == []
    play_to_end(table)
    assert rules(table) == ["N5", row]


@pytest.mark.parametrize("house", HOUSES)
def test_two_burns_and_a_fourth_card_that_is_put_back_are_two_burns(house: str) -> None:
    table, _, faces = packet(house, 4)
    assert table.tell(cmd.Answer("N5", "no")) is None
    table.take(faces[-1])
    table.wait(2000)
    assert rules(table) == ["N5", "F1", "N6"]
    assert table.alert("F1").state == "closed"
    assert table.alert("N5").state == "withdrawn"


@pytest.mark.parametrize("house", HOUSES)
def test_a_reported_fourth_card_takes_the_place_of_two_burns(house: str) -> None:
    table = Driver(house=house)
    table.deal()
    table.check_down()
    table.burn()
    table.burn()
    table.board(3)
    table.wait(1500)
    assert live(table) == ["N5"]
    assert table.tell(cmd.Report("F2")) is None
    assert live(table) == ["F2"]
    plan = [(step.kind, step.street) for step in table.hand.procedure.plan]
    assert plan.count(("shuffle", "flop")) <= 1


# -- a card that was acted on although it came early (R4) -------------------------------------------------------------------


def acted_on_early(house: str, street: str) -> tuple[Driver, list[str]]:
    """The street comes while seats still have to act; they act, and only then somebody says that it came early."""
    table = Driver(house=house)
    table.deal()
    if street == "flop":
        table.act("2 call, 3 call")
        table.burn()
        faces = table.board(3)
        table.wait(100)
        table.act("5 call, 7 call, 9 call, 1 check")
    else:
        table.check_down()
        table.street(3)
        if street == "river":
            table.check_down()
            table.street(1)
        table.act("9 check, 1 check, 2 check, 3 check")
        table.burn()
        faces = table.board(1)
        table.wait(100)
        table.act("5 check, 7 check")
    table.wait(1500)
    assert table.alerts() == []
    assert table.hand.procedure.step.kind == "bet"
    assert table.hand.procedure.step.street == street
    return table, faces


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("street", ["flop", "turn", "river"])
def test_r4_of_a_card_that_plays_already_is_about_its_street(house: str, street: str) -> None:
    table, faces = acted_on_early(house, street)
    assert table.tell(cmd.Report("R4")) is None
    alert = table.alert("R4")
    before = {"flop": "preflop", "turn": "flop", "river": "turn"}[street]
    assert (alert.street, alert.params["next"]) == (before, street)
    if alert.options:
        assert table.tell(cmd.Rule("R4", "redo_street")) is None
    assert table.alert("R4").remedy in ("redo_street", "floor")
    for face in faces:
        table.take(face)
    assert table.steps("R4")["set_aside"] == "done"
    assert table.steps("R4")["finish_betting"] == "done"
    table.wait(2000)
    play_to_end(table)
    assert live(table) == []
    assert rules(table) == ["R4"]
    assert len(table.hand.board_faces()) == 5
    assert set(faces).isdisjoint(table.hand.board_faces())


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("street", ["flop", "turn"])
def test_r4_called_off_leaves_the_card_that_plays(house: str, street: str) -> None:
    table, faces = acted_on_early(house, street)
    assert table.tell(cmd.Report("R4")) is None
    if table.alert("R4").options:
        assert table.tell(cmd.Rule("R4", "redo_street")) is None
    assert table.tell(cmd.Respond("R4", "misread")) is None
    table.wait(1500)
    play_to_end(table)
    assert set(faces) <= set(table.hand.board_faces())
    assert rules(table) == ["R4"]


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("seats", [(1, 2), (1, 2, 3, 5, 7, 9)])
def test_r4_before_any_board_card_is_refused(house: str, seats: tuple[int, ...]) -> None:
    table = Driver(house=house, seats=seats, button=seats[0])
    table.deal()
    refused = table.tell(cmd.Report("R4"))
    assert refused is not None
    assert refused.params == {"reason": "no_board_yet"}
    table.check_down()
    refused = table.tell(cmd.Report("R4"))
    assert refused is not None
    play_to_end(table)
    assert table.alerts() == []


@pytest.mark.parametrize("house", HOUSES)
def test_r4_while_the_early_flop_waits_for_the_betting(house: str) -> None:
    table = Driver(house=house)
    table.deal()
    table.act("2 call, 3 call")
    table.burn()
    faces = table.board(3)
    table.wait(500)
    assert table.tell(cmd.Report("R4")) is None
    alert = table.alert("R4")
    assert (alert.street, alert.params["next"]) == ("preflop", "flop")
    if alert.options:
        assert table.tell(cmd.Rule("R4", "redo_street")) is None
    for face in faces:
        table.take(face)
    table.act("5 call, 7 call, 9 call, 1 check")
    play_to_end(table)
    assert rules(table) == ["R4"]
    assert live(table) == []


# -- cards that everybody has seen and that go into no stub -----------------------------------------------------------------


@pytest.mark.parametrize("house", SCRAMBLING)
def test_a_flop_that_was_shown_is_scrambled_with_the_card_under_it(house: str) -> None:
    table = Driver(house=house)
    table.deal()
    table.check_down()
    flop = table.street(3)
    table.wait(1500)
    assert table.hand.board_faces() == tuple(flop)
    flop += table.board(1)  # it lay under the first
    table.wait(1500)
    table.answer("yes")
    assert table.alert("F1").remedy == "scramble_four"
    for face in flop:
        table.take(face)
    table.wait(1000)
    for face in flop[1:]:
        table.put(face, "board")
    table.put(flop[0], "burn")
    table.wait(2500)
    assert table.said() == [("F1", "proven", "closed")]
    assert set(table.hand.board_faces()) == set(flop[1:])
    play_to_end(table)
    assert rules(table) == ["F1"]
