"""The rare ways through the rules: cards that go where none expects them while something else is being put right."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.procedure.events import HandOpened
from dealer_assist.procedure.evolve import evolve
from dealer_assist.table.ports import TagPlaced, TagRemoved
from tests.table.driver import Driver, uid
from tests.table.test_deck_rows import PHONE, TwoDecks
from tests.table.test_rules import dealt, on_flop, play_to_end


def kinds(table: Driver) -> tuple[str, str]:
    step = table.hand.procedure.step
    return step.kind, step.street


def to_flop(**setup: object) -> Driver:
    table = dealt(**setup)
    table.check_down()
    return table


def appear(table: Driver, face: str, zone: str) -> None:
    """A card is read at a zone before it was missed where it lay."""
    table.where[face] = zone
    table.move(TagPlaced(zone, uid(face), table.t_ms - 100, table.t_ms, table.t_ms + 100))


def rules(table: Driver) -> list[str]:
    return [alert.rule for alert in table.alerts()]


# -- burns ----------------------------------------------------------------------------------------------------------------


def test_of_two_burns_one_is_laid_on_the_board() -> None:
    """The dealer slips: the second burn was the board card. It plays, and the question falls away with it."""
    table = on_flop()
    table.check_down()
    table.burn()
    second = table.burn()
    assert table.said() == [("N5", "probable", "open")]
    appear(table, second, "board")
    assert table.hand.procedure.board[-1].street == "turn"
    assert len(table.hand.procedure.burns) == 2
    table.wait(3000)
    assert "K11" not in rules(table)


def test_a_missed_burn_of_the_river_has_no_next_street_to_make_up_for_it() -> None:
    table = on_flop()
    table.check_down()
    table.street(1)
    table.check_down()
    table.board(1)
    table.wait(4000)
    assert table.alert("N3").evidence == "probable"
    table.act("9 check")
    table.answer("no")
    assert table.alerts()[-1].rule == "N4"
    assert table.alerts()[-1].steps == ()
    assert table.alerts()[-1].state == "closed"
    play_to_end(table)


def test_a_missed_burn_that_was_dealt_on_is_not_asked_about_on_the_river_either() -> None:
    table = on_flop()
    table.check_down()
    table.board(1)
    table.wait(4000)
    assert table.tell(cmd.Respond("N3", "deal_on")) is None
    table.check_down()
    assert kinds(table) == ("burn", "river")
    table.board(1)
    table.wait(4000)
    assert rules(table) == ["N3"]
    play_to_end(table)


def test_two_burns_of_which_one_is_taken_back_before_the_board() -> None:
    table = to_flop()
    table.burn()
    second = table.burn()
    table.answer("no")
    assert table.alert("N5").evidence == "proven"
    table.take(second)
    assert table.alerts()[0].state == "closed"
    table.board(3)
    table.wait(1500)
    assert rules(table) == ["N5"]
    assert table.hand.procedure.preset_burn is None
    play_to_end(table)


# -- the board ------------------------------------------------------------------------------------------------------------


def test_a_fifth_card_makes_four_cards_five() -> None:
    table = to_flop()
    table.burn()
    table.board(4)
    table.wait(1500)
    assert table.said() == [("F1", "probable", "open")]
    table.board(1)
    table.wait(1500)
    assert table.said() == [("F1", "probable", "withdrawn"), ("F2", "probable", "open")]
    assert table.alert("F2").params == {"count": 5, "extra": 2, "next": "flop"}


def test_a_fifth_card_while_four_are_being_put_right_says_nothing_more() -> None:
    table = to_flop(house="tda2024")
    table.burn()
    table.board(4)
    table.wait(1500)
    table.answer("yes")
    assert table.alert("F1").evidence == "proven"
    table.board(1)
    table.wait(3000)
    assert "F2" not in rules(table)


def test_f2_reported_takes_the_place_of_what_was_asked() -> None:
    table = to_flop()
    table.burn()
    table.board(4)
    table.wait(1500)
    table.report("F2")
    assert table.said() == [("F1", "probable", "withdrawn"), ("F2", "proven", "open")]


@pytest.mark.parametrize(("street", "row"), [("flop", "F2"), ("turn", "R6")])
def test_cards_too_many_that_are_bet_on_are_asked_about_no_more(street: str, row: str) -> None:
    """What a person does about the board counts more than a count of tags."""
    table = to_flop()
    if street == "turn":
        table.street(3)
        table.check_down()
    table.burn()
    table.board(5 if street == "flop" else 2)
    table.wait(1500)
    assert table.said() == [(row, "probable", "open")]
    table.act("9 check")
    assert table.said() == [(row, "probable", "withdrawn")]
    assert kinds(table) == ("bet", street)


def test_a_scrambled_flop_that_was_a_misread_is_drawn_from_no_more() -> None:
    table = to_flop(house="tda2024")
    table.burn()
    table.board(4)
    table.wait(1500)
    table.answer("yes")
    assert table.hand.procedure.pick_due
    assert table.tell(cmd.Respond("F1", "misread")) is None
    assert not table.hand.procedure.pick_due
    assert table.hand.procedure.preset_burn is None
    table.wait(5000)
    assert rules(table) == ["F1"]


def test_r4_while_the_early_card_is_being_put_right_only_ends_the_betting() -> None:
    table = on_flop()
    table.act("9 check")
    table.burn()
    table.board(1)
    table.wait(6000)
    table.answer("no")
    assert table.alert("R2").evidence == "proven"
    table.report("R4", 1)
    assert table.tell(cmd.Rule("R4", "redo_street")) is None
    assert [step.code for step in table.alert("R4").steps] == ["finish_betting"]


def test_an_early_card_that_is_left_lying_gives_way_to_the_street_itself() -> None:
    table = on_flop(house="roberts")
    table.act("9 check")
    table.burn()
    early = table.board(1)[0]
    table.wait(6000)
    table.answer("no")
    table.answer("no") if any(alert.question for alert in table.alerts()) else None
    table.check_down()
    fresh = table.next_card()
    table.put(fresh, "board")
    playing = [slot.ref for slot in table.hand.procedure.board if not slot.early]
    assert len(playing) <= 4
    assert early != fresh


def test_the_report_answers_the_question_about_an_early_card() -> None:
    table = on_flop()
    table.act("9 check")
    table.burn()
    table.board(1)
    table.wait(6000)
    assert table.alert("R2").question == "acted"
    table.report("early_card")
    assert (table.alert("R2").evidence, table.alert("R2").answered) == ("proven", "no")


def test_a_card_that_is_shown_to_the_single_card_reader_when_nobody_asks_is_a_burn() -> None:
    table = to_flop()
    face = table.next_card()
    table.put(face, "gate")
    assert len(table.hand.procedure.burns) == 1
    table.take(face)
    assert len(table.hand.procedure.burns) == 1
    table.board(3)
    table.wait(1500)
    play_to_end(table)


@pytest.mark.parametrize("house", ["seed", "roberts", "tda2024"])
def test_four_cards_of_a_flop_that_was_bet_on_and_may_lie_are_three(house: str) -> None:
    """F4, ruled play on: the first three are the flop, the fourth does not play."""
    table = to_flop(house=house)
    table.burn()
    flop = table.board(4)
    table.act("9 check")
    table.wait(3000)
    alert = table.alert("F4")
    if alert.evidence == "probable":
        table.answer("yes")
    assert "play_on" in table.alert("F4").options
    assert table.tell(cmd.Rule("F4", "play_on")) is None
    early = [slot for slot in table.hand.procedure.board if slot.early]
    playing = [slot for slot in table.hand.procedure.board if not slot.early]
    assert (len(playing), len(early)) == (3, 1)
    table.take(flop[3])
    table.wait(3000)
    assert table.hand.board_faces() == tuple(flop[:3])
    play_to_end(table)


def test_a_missed_burn_that_the_floor_lets_stand_is_passed_over(tmp_path: Path) -> None:
    house = tmp_path / "mine.toml"
    house.write_text(
        'name = "mine"\ntitle = "Mine"\nextends = "seed"\n[rules]\n'
        'N1 = { remedy = "floor", options = ["play_on", "reflop_burn_first"], source = "house", priority = "high" }\n'
        'N3 = { remedy = "floor", options = ["play_on", "wrong_card_is_burn"], source = "house", priority = "high" }\n'
    )
    table = to_flop(house=str(house))
    flop = table.board(3)
    table.wait(1500)
    table.answer("no")
    assert table.tell(cmd.Rule("N1", "play_on")) is None
    table.wait(1500)
    assert table.hand.board_faces() == tuple(flop)
    table.check_down()
    table.street(1)
    table.check_down()
    river = table.board(1)
    table.wait(4000)
    assert table.alerts()[-1].rule == "N3"
    table.answer("no")
    assert table.tell(cmd.Rule("N3", "play_on")) is None
    table.wait(1500)
    assert table.hand.board_faces()[-1:] == tuple(river)
    play_to_end(table)


# -- cards on their way ---------------------------------------------------------------------------------------------------


def test_a_mucked_card_that_falls_silent_has_not_left() -> None:
    table = dealt()
    face = next(face for face, zone in table.where.items() if zone == "seat2")
    table.put(face, "muck")
    table.act("2 fold")
    mucked = table.hand.procedure.mucked
    table.take(face)
    assert table.hand.procedure.mucked == mucked
    assert table.said() == []


def test_a_card_that_left_a_zone_where_it_is_no_more_is_nothing() -> None:
    table = dealt()
    face = next(face for face, zone in table.where.items() if zone == "seat2")
    appear(table, face, "muck")
    before = table.hand.procedure
    table.move(TagRemoved("seat2", uid(face), table.t_ms, table.t_ms + 500))
    assert table.hand.procedure.where == before.where
    assert table.hand.procedure.mucked == before.mucked


def test_a_strange_card_that_is_moved_is_said_once() -> None:
    table = Driver(game="short")
    table.deck = iter([face for face in table.deck if face[0] not in "2345"])
    table.pitch(9)
    table.wait(600)
    table.put("2c", "seat1")
    appear(table, "2c", "seat2")
    assert rules(table) == ["K3"]
    appear(table, "2c", "muck")
    assert rules(table) == ["K3"]


def test_a_strange_tag_among_cards_that_go_back_is_no_matter() -> None:
    table = TwoDecks()
    table.shuffler("ready", 52)
    table.open()
    table.pitch(9, 1)
    table.report("misdeal")
    table.tag_at(PHONE, "seat3")
    assert "K2" not in rules(table)


def test_a_void_hand_hears_of_no_deck_and_no_tag() -> None:
    table = TwoDecks()
    table.shuffler("ready", 52)
    table.open()
    table.deal()
    table.wait(1000)
    table.tag_at(PHONE, "seat3")
    table.report("K1")
    table.tell(cmd.Answer("K1", "yes"))
    assert table.hand.procedure.ended == "void"
    alerts = table.alerts()
    table.tag_gone(PHONE, "seat3")
    table.shuffler("shuffling")
    table.wait(5000)
    assert table.alerts() == alerts
    assert table.tell(cmd.PushPots()) is None
    assert [alert.state for alert in table.alerts() if alert.rule == "K2"] == ["withdrawn"]


def test_a_shorter_count_of_the_same_deck_is_the_same_alert() -> None:
    table = TwoDecks()
    table.shuffler("ready", 52)
    table.open()
    table.pitch(9)
    for count in (51, 50):
        table.shuffler("ready", count)
    told = [alert for alert in table.alerts() if alert.rule == "K5"]
    assert len(told) <= 1
    if told:
        assert told[0].params == {"count": 50, "expected": 52}


# -- action ---------------------------------------------------------------------------------------------------------------


def test_a1_of_the_seat_whose_turn_it_is_only_stops_the_action() -> None:
    table = dealt()
    assert table.hand.betting.to_act == 2
    table.report("A1", 2)
    assert [step.code for step in table.alert("A1").steps][:1] == ["stop_action"]
    assert "acts_in_turn" not in [step.code for step in table.alert("A1").steps]


def test_a_report_of_another_extra_card_takes_the_place_of_the_question() -> None:
    table = Driver()
    table.deal()
    table.pitch(3)
    table.wait(1000)
    asked = table.alerts()[-1]
    assert asked.question == "extra_card"
    other = "D10" if asked.rule == "D8" else "D8"
    table.report(other, 3)
    living = [alert for alert in table.alerts() if alert.state in ("open", "fixing")]
    assert [alert.evidence for alert in living] == ["proven"]
    assert {alert.seat for alert in table.alerts()} == {3}


# -- state ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", ["seed", "tda2024"])
def test_folding_the_events_of_a_hand_is_the_hand(house: str) -> None:
    table = Driver(house=house)
    table.deal()
    table.check_down()
    table.burn()
    table.board(4)
    table.wait(1500)
    table.answer("yes")
    table.wait(3000)
    events = [event for change in table.changes for event in change.events]
    opened = next(event for event in events if isinstance(event, HandOpened))
    state = evolve(None, opened)
    for event in events[events.index(opened) + 1 :]:
        if type(event).__module__ == HandOpened.__module__:
            state = evolve(state, event)
    assert state == table.hand.procedure
