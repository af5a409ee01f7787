"""Decks, exposed cards and the muck off the beaten track: what is laid aside, what is said twice, what comes back."""

from __future__ import annotations

import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.commands import Refused
from dealer_assist.table.ports import TagPlaced
from tests.procedure.test_edges import rules
from tests.table.driver import ORDER, SEATS, Driver, uid
from tests.table.test_deck_rows import PHONE, TwoDecks
from tests.table.test_rules import dealt, on_flop, play_to_end


def used_deck(game: str = "nlhe") -> TwoDecks:
    """A table whose shuffler has not finished the deck that is about to be dealt."""
    table = TwoDecks(game=game)
    table.shuffler("shuffling")
    table.shuffler("jam")
    table.open()
    return table


# -- the deck -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_a_deck_that_was_shuffled_by_hand_is_ready(answer: str) -> None:
    table = used_deck()
    table.pitch(9)
    assert table.alert("K12").question == "deck_shuffled"
    table.answer(answer)
    alert = table.alert("K12")
    assert (alert.answered, alert.question) == (answer, None)
    assert (table.hand.procedure.deck == "ready") is (answer == "yes")
    if answer == "yes":
        assert alert.state == "closed"
        table.report("misdeal")
        table.gather()
        table.pitch(9)
        assert rules(table).count("K12") == 1  # it is known by now


@pytest.mark.parametrize("zone", ["seat9", "board"])
def test_a_strange_card_from_a_deck_that_was_not_shuffled(zone: str) -> None:
    """Dealt to a seat it is the first card of that deck; what lies on the board before the deal was never dealt."""
    table = used_deck("short")
    table.put("2c", zone)
    assert set(rules(table)) == ({"K12", "K3"} if zone == "seat9" else {"K3"})


def test_a_card_with_another_back_that_was_asked_about_is_certain_once_the_dealer_has_seen_it() -> None:
    table = TwoDecks(house="roberts")
    table.shuffler("ready", 52)
    table.open()
    table.deal()
    table.tag_at(PHONE, "seat3")
    assert (table.alert("K2").evidence, table.alert("K2").question) == ("probable", "foreign_card")
    table.report("K2")
    assert rules(table) == ["K2"]
    assert table.alert("K2").evidence == "proven"
    table.report("K2")
    assert rules(table) == ["K2"]


def test_each_card_that_was_reported_set_aside_is_one_on_the_burn_spot() -> None:
    """A boxed card and a joker: two that are laid there are no burns, the third one is."""
    table = TwoDecks()
    table.shuffler("ready", 52)
    table.open()
    table.pitch(9, 1)
    table.report("boxed")
    table.report("K3")
    assert table.hand.procedure.scrap_due == 2
    table.tag_at(PHONE, "burn")
    assert table.hand.procedure.scrap_due == 1
    assert "K2" not in rules(table)
    table.put(table.next_card(), "burn")
    assert table.hand.procedure.scrap_due == 0
    assert table.hand.procedure.burns == ()
    table.tag_at(b"\x04other\0\0", "burn")
    assert "K2" in rules(table)


def test_the_mark_of_the_last_hands_cards_goes_with_the_last_of_them() -> None:
    table = TwoDecks()
    table.shuffler("ready", 52)
    lying = tuple(sorted((uid("As"), uid("Kd"))))
    table.zones.lying = {"seat3": lying, "seat5": (uid("Qh"),)}  # type: ignore[attr-defined]
    table.open()
    marks = table.hand.procedure.marks
    assert "last_hand_card" in marks[3]
    assert "last_hand_card" in marks[5]
    table.tag_gone(uid("As"), "seat3")
    assert "last_hand_card" in table.hand.procedure.marks[3]
    table.tag_gone(uid("Kd"), "seat3")
    assert not table.hand.procedure.marks.get(3)
    assert "last_hand_card" in table.hand.procedure.marks[5]


# -- exposed cards --------------------------------------------------------------------------------------------------------


def test_one_card_each_and_the_first_seats_was_shown() -> None:
    """It may be its second one, which was not read yet: whether it was the first off the deck is asked."""
    table = Driver()
    table.pitch(*ORDER)
    table.report("exposed", 9)
    assert table.alert("X1").question == "first_off_deck"


@pytest.mark.parametrize("late", [False, True])
def test_an_answer_about_the_first_card_is_kept_and_is_about_the_deal(late: bool) -> None:
    table = Driver()
    table.pitch(*ORDER, 9)
    table.report("exposed", 9)
    assert table.alert("X1").question == "first_off_deck"
    table.pitch(1, 2, 3, 5, 7)
    if late:
        table.check_down()
        table.street(3)
    assert table.tell(cmd.Answer("X1", "yes" if late else "no")) is None
    asked = table.alert("X1")
    assert (asked.state, asked.question, asked.answered) == ("closed", None, "yes" if late else "no")
    assert (table.alert("X3").evidence, table.alert("X3").street) == ("proven", "preflop")


@pytest.mark.parametrize(
    ("row", "pitched", "seat", "off_table"),
    [
        ("X2", (9, 1), 1, False),
        ("X3", (9, 1, 2), 2, False),
        ("X3b", (*ORDER, *ORDER), 7, False),
        ("X7", (9, 1, 2), 2, True),
    ],
)
def test_a_second_exposed_card_takes_the_place_of_the_first(
    row: str, pitched: tuple[int, ...], seat: int, off_table: bool
) -> None:
    table = Driver()
    table.pitch(*pitched)
    table.report("X7" if off_table else "exposed", seat)
    assert rules(table) == [row]
    table.report("exposed", 9)
    assert table.said() == [(row, "proven", "withdrawn"), ("X4", "proven", "open")]
    assert table.hand.procedure.preset_burn is None


@pytest.mark.parametrize("unread", [False, True])
def test_a_card_off_the_table_that_is_burned_before_its_seat_has_another(unread: bool) -> None:
    table = Driver()
    table.pitch(9, 1, 2)
    if unread:
        fallen = table.next_card()
        table.where[fallen] = "floor"
        table.wait(600)
    else:
        fallen = table.pitch(3)[0]
        table.take(fallen)
    table.report("X7", 3)
    table.pitch(5, 7, *ORDER)
    if unread:
        table.where.pop(fallen)
    table.put(fallen, "burn")
    assert len(table.hand.procedure.held[3]) == 1
    table.pitch(3)
    assert len(table.hand.procedure.held[3]) == 2
    assert [(alert.rule, alert.state) for alert in table.alerts()] == [("X7", "closed")]


@pytest.mark.parametrize("round_no", [1, 2])
@pytest.mark.parametrize("seat", ORDER)
def test_a_card_off_the_table_counts_for_its_seat_and_the_deal_goes_on(seat: int, round_no: int) -> None:
    """Nobody is out of turn after it: it counts as dealt, whichever seat it fell from."""
    table = Driver()
    before = ORDER[: ORDER.index(seat)]
    if round_no == 2:
        table.pitch(*ORDER)
    table.pitch(*before)
    table.wait(600)
    table.report("X7", seat)
    if table.hand.procedure.misdeal:  # the first card off the deck
        assert (seat, round_no) == (9, 1)
        return
    if table.alerts()[-1].question == "first_off_deck":
        table.answer("no")
    said = rules(table)
    assert len(table.hand.procedure.held[seat]) == round_no
    rest = ORDER[ORDER.index(seat) + 1 :]
    table.pitch(*rest)
    if round_no == 1:
        table.pitch(*ORDER)
    assert rules(table) == said
    assert table.hand.procedure.step.kind == "bet"


# -- the muck -------------------------------------------------------------------------------------------------------------


def sweep(table: Driver, *seats: int) -> None:
    """The cards of these seats to the muck."""
    for seat in seats:
        for face in [face for face, zone in table.where.items() if zone == f"seat{seat}"]:
            table.put(face, "muck")


@pytest.mark.parametrize("seats", [(1, 7), SEATS])
def test_all_hands_in_the_muck_is_asked_about(seats: tuple[int, ...]) -> None:
    """Of two players as of six: somebody has called a misdeal, or all have folded."""
    table = dealt(seats=seats)
    sweep(table, *table.order)
    table.wait(6000)
    assert rules(table) == ["A18"]
    assert table.alert("A18").street == "preflop"


def test_all_hands_in_the_muck_within_the_deal() -> None:
    table = Driver(seats=(1, 3, 7))
    table.pitch(1, 3, 7, 1)
    sweep(table, 1, 3, 7)
    table.wait(6000)
    assert rules(table) == ["A18"]


def test_all_hands_in_the_muck_after_a_misdeal_are_being_gathered() -> None:
    table = dealt()
    table.report("misdeal")
    sweep(table, *ORDER)
    table.wait(6000)
    assert "A18" not in rules(table)


def test_all_hands_in_the_muck_before_a_street_are_no_misdeal() -> None:
    table = dealt()
    table.check_down()
    sweep(table, *ORDER)
    table.wait(6000)
    assert "A18" not in rules(table)


def test_the_last_hand_in_the_muck_is_the_winners() -> None:
    table = dealt()
    table.act("2 fold, 3 fold, 5 fold, 7 fold, 9 fold")
    sweep(table, *ORDER)
    table.wait(6000)
    assert table.said() == []


def test_a_question_about_all_hands_that_was_answered_is_not_asked_again() -> None:
    table = dealt()
    sweep(table, *ORDER)
    table.wait(6000)
    table.answer("no")
    assert table.alert("A18").state == "closed"
    table.wait(6000)
    lost = next(face for face, zone in table.where.items() if zone == "muck")
    table.put(lost, "seat3")
    table.put(lost, "muck")
    table.wait(6000)
    assert rules(table).count("A18") == 1


def at_showdown(**setup: object) -> Driver:
    table = on_flop(**setup)
    for _ in range(2):
        table.check_down()
        table.street(1)
    table.check_down()
    assert table.hand.procedure.step.kind == "show"
    return table


def test_the_board_that_is_swept_after_the_hand_was_won_is_no_matter() -> None:
    table = on_flop()
    table.act("9 bet 5, 1 fold, 2 fold, 3 fold, 5 fold, 7 fold")
    for face in [face for face, zone in table.where.items() if zone == "board"]:
        table.put(face, "muck")
    assert table.said() == []


def test_the_board_that_is_swept_after_a_misdeal_or_at_the_showdown_is_no_matter() -> None:
    table = at_showdown()
    for face in [face for face, zone in table.where.items() if zone == "board"]:
        table.put(face, "muck")
    assert table.said() == []


def test_a_tabled_hand_that_is_collected_after_the_pots_were_pushed_is_no_matter() -> None:
    table = at_showdown()
    table.showdown()
    sweep(table, *ORDER)
    table.wait(6000)
    assert table.said() == []


def test_a_hand_that_comes_back_while_the_floor_is_asked_about_it() -> None:
    """A9 stands: whether it is given back is the floor's ruling, not a claim of the player (A11)."""
    table = dealt(house="tda2024")
    table.act("2 allin, 3 call, 5 fold, 7 fold, 9 fold, 1 fold")
    hand = [face for face, zone in table.where.items() if zone == "seat2"]
    sweep(table, 2)
    table.wait(6000)
    assert table.alert("A9").evidence == "proven"
    play = table.hand.procedure
    while play.step.kind != "show":
        table.burn() if play.step.kind == "burn" else table.board(play.step.count)
        table.wait(1500)
        play = table.hand.procedure
    for face in hand:
        table.put(face, "seat2")
    table.wait(2000)
    assert "A11" not in rules(table)


# -- reports --------------------------------------------------------------------------------------------------------------


def test_a_report_of_two_twice_does_not_answer_for_the_floor() -> None:
    table = dealt()
    table.report("K1")
    table.report("K1")
    assert table.said() == [("K1", "probable", "open")]


def test_a_card_that_is_dealt_to_the_last_player_is_a_note_of_that_card() -> None:
    """Cards that lie there already, in hands, muck, burns or board, are only being collected."""
    table = on_flop()
    table.act("9 bet 5, 1 fold, 2 fold, 3 fold, 5 fold, 7 fold")
    for zone in ("seat9", "burn", "board"):
        face = next(face for face, where in table.where.items() if where == zone)
        table.move(
            TagPlaced(
                "board" if zone != "board" else "burn", uid(face), table.t_ms, table.t_ms, table.t_ms + 50
            )
        )
    assert table.said() == []
    table.board(1)
    assert [(alert.rule, alert.evidence, alert.params) for alert in table.alerts()] == [
        ("P9", "possible", {})
    ]


def test_a_seat_that_is_not_dealt_in_is_refused() -> None:
    table = dealt()
    assert table.tell(cmd.Report("D10", 4)) == Refused("bad_seat", {"seat": 4})
    play_to_end(table)


def test_a_deck_that_is_counted_again_says_the_newest_count() -> None:
    table = TwoDecks()
    table.shuffler("complete", 51)
    table.open()
    assert table.alert("K5").params == {"count": 51, "expected": 52}
    table.shuffler("shuffling")
    table.shuffler("complete", 50)
    assert rules(table) == ["K5"]
    assert table.alert("K5").params == {"count": 50, "expected": 52}


def test_a_joker_at_another_seat_leaves_the_question_about_a_strange_tag() -> None:
    table = TwoDecks()
    table.shuffler("ready", 52)
    table.open()
    table.deal()
    table.tag_at(PHONE, "seat3")
    assert table.alert("K2").question == "foreign_card"
    table.report("K3", 5)
    assert table.alert("K2").state == "open"
    table.report("misdeal")


def test_a_joker_at_that_seat_settles_it() -> None:
    table = TwoDecks()
    table.shuffler("ready", 52)
    table.open()
    table.deal()
    table.tag_at(PHONE, "seat3")
    table.report("K3", 3)
    assert table.said()[0] == ("K2", "probable", "withdrawn")


def test_what_is_proven_is_not_proven_again_by_a_report() -> None:
    """A ruling that the floor has given stands when somebody reports the same once more."""
    table = on_flop(house="tda2024")
    table.check_down()
    table.board(1)
    table.wait(4000)
    table.answer("no")
    assert table.tell(cmd.Rule("N3", "play_on")) is None
    before = table.alerts()
    table.report("N3")
    assert [alert for alert in table.alerts() if alert.rule == "N3"][: len(before)] == before


@pytest.mark.parametrize(
    ("asked", "reported", "count"), [("N1", "N2", 3), ("N3", "N4", 1), ("F1", "F2", 4), ("F1", "F4", 4)]
)
def test_a_report_takes_the_place_of_what_was_asked_about_the_same(
    asked: str, reported: str, count: int
) -> None:
    table = dealt()
    table.check_down()
    if asked == "N3":
        table.street(3)
        table.check_down()
    if asked[0] == "F":
        table.burn()
    table.board(count)
    table.wait(4000)
    assert rules(table) == [asked]
    table.report(reported)
    assert table.alerts()[0].state == "withdrawn"
    assert table.alerts()[0].question is None
    assert (table.alerts()[-1].rule, table.alerts()[-1].evidence) == (reported, "proven")


@pytest.mark.parametrize("proven", [False, True])
def test_an_early_card_that_was_acted_on_is_ruled_on_once(proven: bool) -> None:
    """Asked, the question falls away; already proven, the early card stays as it was ruled."""
    table = on_flop()
    table.act("9 check")
    table.burn()
    table.board(1)
    table.wait(6000)
    if proven:
        table.answer("no")
    table.report("R4", 1)
    assert rules(table)[-1] == "R4"
    assert table.alert("R4").params["next"] == "turn"
    assert (table.alert("R2").state == "withdrawn") is not proven


def test_a_river_without_a_burn_is_no_second_turn_card_by_exception() -> None:
    """S001 E6: the river comes unburned; nobody tapped a check on the turn, and still it is the next street."""
    table = Driver(entry="by_exception")
    table.deal()
    table.wait(9000)
    table.put(table.next_card(), "burn")
    table.board(3)
    table.wait(1500)
    table.put(table.next_card(), "burn")
    early = table.board(1)[0]
    table.wait(3000)
    table.answer("no")
    assert table.alert("R2").remedy == "river_as_turn"
    if table.alert("R2").question:
        table.answer("yes")
    table.take(early)
    table.wait(9000)
    table.put(table.next_card(), "burn")
    table.board(1)
    table.wait(9000)
    assert table.hand.procedure.step.street == "turn"
    said = rules(table)
    table.board(1)
    table.wait(1500)
    assert rules(table) == said
    assert table.hand.procedure.board[-1].street == "river"
