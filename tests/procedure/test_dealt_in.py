"""Who is dealt in while the cards go out: blinds that move on, cards that belong to nobody yet, hands that are shown one by one."""

from __future__ import annotations

import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.facts import NoticeFact
from tests.table.driver import Driver
from tests.table.test_rules import dealt, on_flop, play_to_end


def posts(table: Driver) -> list[tuple[int, str, int]]:
    return [(post.seat, post.kind, post.amount) for post in table.hand.procedure.opening.posts]


def notices(table: Driver) -> list[tuple[str, dict[str, object]]]:
    return [
        (fact.code, fact.params)
        for change in table.changes
        for fact in change.facts
        if isinstance(fact, NoticeFact)
    ]


# -- out, and in ----------------------------------------------------------------------------------------------------------


def test_the_big_blind_of_a_seat_that_is_out_is_the_next_seats() -> None:
    table = Driver()
    assert posts(table) == [(9, "small_blind", 1), (1, "big_blind", 2)]
    table.pitch(9)
    assert table.tell(cmd.SetSeat(1, "out")) is None
    assert posts(table) == [(9, "small_blind", 1), (2, "big_blind", 2)]
    table.pitch(2, 3, 5, 7, 9, 2, 3, 5, 7)
    assert table.said() == []
    assert table.hand.betting.to_act == 3
    table.check_down()
    table.street(3)
    play_to_end(table)


def test_the_small_blind_of_a_seat_that_is_out_is_not_there() -> None:
    table = Driver()
    assert table.tell(cmd.SetSeat(9, "out")) is None
    assert posts(table) == [(1, "big_blind", 2)]
    table.pitch(1, 2, 3, 5, 7, 1, 2, 3, 5, 7)
    assert table.said() == []
    assert table.hand.betting.to_act == 2


def test_the_last_seats_big_blind_goes_round_to_the_first() -> None:
    table = Driver(seats=(3, 5, 9), button=3)
    assert posts(table) == [(5, "small_blind", 1), (9, "big_blind", 2)]
    table.pitch(5)
    assert table.tell(cmd.SetSeat(9, "out")) is None
    assert (3, "big_blind", 2) in posts(table)


def test_no_mark_is_left_at_a_seat_that_is_out() -> None:
    table = Driver()
    table.pitch(9, 2)
    assert table.hand.procedure.marks.get(1) == ("short",)
    assert table.tell(cmd.SetSeat(1, "out")) is None
    assert not table.hand.procedure.marks.get(1)
    assert table.hand.procedure.order == (9, 2, 3, 5, 7)


def test_a_seat_that_is_in_after_all_has_the_cards_that_lie_there_and_its_chips() -> None:
    table = Driver()
    table.pitch(9, 1, 2, 3)
    table.wait(600)
    face = table.put(table.next_card(), "seat4")
    table.wait(1000)
    assert table.tell(cmd.SetSeat(4, "in", 150)) is None
    assert table.hand.procedure.order == (9, 1, 2, 3, 4, 5, 7)
    ref = next(pitch.ref for pitch in table.hand.procedure.pitches if pitch.seat == 4)
    assert table.hand.procedure.held[4] == (ref,)
    assert posts(table) == [(9, "small_blind", 1), (1, "big_blind", 2)]
    assert table.hand.betting.stack_of(4) == 150
    table.pitch(5, 7, 9, 1, 2, 3, 4, 5, 7)
    assert face in table.where
    assert [alert for alert in table.alerts() if alert.state == "open"] == []
    table.wait(1000)
    table.act("2 fold, 3 fold, 4 raise 10")


def test_a_seat_that_was_out_and_comes_back_has_the_chips_it_had() -> None:
    table = Driver()
    table.pitch(9)
    assert table.tell(cmd.SetSeat(3, "out")) is None
    assert 3 not in table.hand.procedure.order
    assert table.tell(cmd.SetSeat(3, "in")) is None
    assert table.hand.procedure.order == (9, 1, 2, 3, 5, 7)
    assert table.hand.betting.stack_of(3) == 200
    table.pitch(1, 2, 3, 5, 7, 9, 1, 2, 3, 5, 7)
    assert table.said() == []


# -- whose hand is this ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", ["A9", "A10", "A11", "D8", "D10"])
@pytest.mark.parametrize("its", [True, False])
def test_a_card_shown_while_a_hand_is_asked_for_gets_a_yes_or_a_no(row: str, its: bool) -> None:
    table = dealt()
    zone = "seat3" if its else "seat5"
    face = next(face for face, where in table.where.items() if where == zone)
    table.put(face, "muck")
    table.report(row, 3)
    row = table.alerts()[-1].rule
    assert table.alert(row).evidence == "proven"
    before = table.hand.procedure
    table.put(face, "gate")
    said = [(code, params) for code, params in notices(table) if "hand" in code or "identified" in code]
    assert len(said) == 1
    assert said[0][1].get("seat") == 3
    assert table.hand.procedure.burns == before.burns
    assert table.hand.procedure.mucked == before.mucked
    assert table.hand.procedure.where == before.where  # shown there and taken away again
    assert ("not" in said[0][0] or said[0][1].get("is_hand") is False) is not its


def test_a_card_shown_while_a_third_one_is_only_asked_about_is_no_answer() -> None:
    table = dealt()
    table.pitch(3)
    assert table.alert("D8").evidence == "probable"
    face = next(face for face, zone in table.where.items() if zone == "seat3")
    table.put(face, "gate")
    assert [code for code, _ in notices(table) if "identified" in code or "hand" in code] == []


def test_a_card_shown_for_a_hand_of_three_after_substantial_action() -> None:
    table = dealt()
    table.act("2 call, 3 call")
    table.report("D10", 3)
    face = next(face for face, zone in table.where.items() if zone == "seat3")
    table.put(face, "muck")
    before = table.hand.procedure
    table.put(face, "gate")
    said = [(code, params) for code, params in notices(table) if "hand" in code or "identified" in code]
    assert len(said) == 1
    assert said[0][1].get("seat") == 3
    assert table.hand.procedure.where == before.where


@pytest.mark.parametrize("row", ["A14", "A6"])
def test_a_card_shown_while_something_else_is_put_right_is_no_answer(row: str) -> None:
    table = on_flop()
    table.report(row, 3)
    table.check_down()
    table.put(table.next_card(), "gate")
    assert [code for code, _ in notices(table) if "identified" in code] == []
    assert len(table.hand.procedure.burns) == 2


# -- boxed cards ----------------------------------------------------------------------------------------------------------


def test_one_boxed_card_is_a_note_and_the_second_a_matter_for_the_house() -> None:
    table = Driver()
    table.pitch(9, 1)
    table.report("boxed")
    assert table.said() == [("K6", "possible", "closed")]
    assert table.hand.procedure.scrap_due == 1
    assert table.alerts()[0].params == {"count": 1}
    table.report("boxed")
    assert table.alerts()[-1].rule == "K7"
    assert table.alerts()[-1].params["count"] == 2


def test_two_boxed_cards_at_once() -> None:
    table = Driver()
    table.pitch(9, 1)
    assert table.tell(cmd.Report("boxed", count=2)) is None
    assert table.alerts()[-1].rule == "K7"
    assert table.alerts()[-1].params["count"] == 2


def test_a_card_its_player_showed_is_a_note_with_and_without_his_seat() -> None:
    table = dealt()
    table.report("exposed", 3, by="player")
    assert (table.alerts()[-1].evidence, table.alerts()[-1].params) == ("possible", {"seat": 3})
    table.report("X6")
    assert {alert.evidence for alert in table.alerts()} == {"possible"}
    assert table.alerts()[-1].params in ({}, {"seat": 3})
