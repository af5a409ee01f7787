"""Rows of the deal (X, D): which row and which ruling it is, and what is true of chips, button and cards afterwards."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.commands import Refused
from dealer_assist.domain.facts import HandFact
from dealer_assist.domain.table import ForcedBet
from dealer_assist.procedure.alignment.sensing import TABLE
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.state import NO_BETS
from dealer_assist.procedure.substantial import by_house
from tests.table.driver import ORDER, Driver

HOUSES = ("seed", "roberts", "tda2024", "wsop_cash", "wsop_tournament")
CASH = ("seed", "roberts", "wsop_cash")
TOURNAMENTS = ("tda2024", "wsop_tournament")
SA = "2 raise 6, 3 call"  # substantial action in every house


def dealt(house: str = "seed") -> Driver:
    table = Driver(house=house)
    table.deal()
    table.wait(1000)
    return table


def last(table: Driver) -> tuple[str, str | None]:
    """The newest alert: its row and its remedy."""
    alert = table.alerts()[-1]
    return alert.rule, alert.remedy


def in_front(table: Driver) -> int:
    return sum(table.hand.betting.contributed)


def put_back(table: Driver, face: str, zone: str) -> None:
    table.wait(600)
    table.put(face, zone)


def hand_fact(table: Driver) -> HandFact:
    return next(fact for fact in table.core.snapshot() if isinstance(fact, HandFact))


# -- substantial action --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "roberts", "tda", "wsop_cash"),
    [
        ("raise", False, False, False),
        ("fold", False, False, False),
        ("fold fold", True, False, False),
        ("check check", True, False, False),
        ("fold fold fold", True, True, True),
        ("check check check", True, True, True),
        ("call fold", True, True, True),
        ("raise fold", True, True, True),
        ("call call", True, True, True),
        (
            "check fold",
            True,
            False,
            True,
        ),  # TDA's body asks for chips, its "i.e." does not; the body is taken
        ("fold bet", True, True, True),
        ("all_in fold", True, True, True),
    ],
)
def test_substantial_action_by_house(actions: str, roberts: bool, tda: bool, wsop_cash: bool) -> None:
    words = tuple(actions.split())
    for house, expected in {
        "seed": roberts,
        "roberts": roberts,
        "tda2024": tda,
        "wsop_tournament": tda,
        "wsop_cash": wsop_cash,
    }.items():
        table = Driver(house=house)
        draft = Draft(table.hand.procedure, NO_BETS, table.core.rules.house)
        assert by_house(draft)(words) is expected, house


@pytest.mark.parametrize("house", HOUSES)
def test_posted_blinds_are_no_action(house: str) -> None:
    table = dealt(house)
    assert table.hand.bets.actions == ()
    table.report("D1", 9)
    assert last(table) == ("D1", "misdeal")


@pytest.mark.parametrize(
    ("house", "remedy"),
    [("seed", "play_on"), ("roberts", "play_on"), ("tda2024", "misdeal"), ("wsop_cash", "misdeal")],
)
def test_two_folds_end_the_time_for_a_misdeal_in_roberts_rules_only(house: str, remedy: str) -> None:
    table = dealt(house)
    table.act("2 fold, 3 fold")
    table.report("D4", 9)
    assert last(table) == ("D4", remedy)


# -- a misdeal ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSES)
def test_a_misdeal_gives_every_chip_back_and_keeps_button_and_blinds(house: str) -> None:
    table = dealt(house)
    table.act("2 raise 6")
    table.report("D1", 9)
    assert table.alert("D1").remedy == "misdeal"
    table.gather()
    assert in_front(table) == 3
    assert dict(zip(table.hand.betting.setup.seats, table.hand.betting.stacks, strict=True))[2] == 200
    table.deal()
    assert table.hand.procedure.attempt == 2
    assert hand_fact(table).button == 7
    assert (hand_fact(table).small_blind_seat, hand_fact(table).big_blind_seat) == (9, 1)
    assert table.hand.bets.actions == ()
    assert table.alert("D1").state == "closed"


def test_attempts_are_counted() -> None:
    table = dealt()
    for attempt in (2, 3):
        table.report("misdeal")
        table.gather()
        table.deal()
        assert table.hand.procedure.attempt == attempt


@pytest.mark.parametrize("house", HOUSES)
def test_a_misdeal_called_after_substantial_action_does_not_undo_the_deal(house: str) -> None:
    table = dealt(house)
    table.act(SA)
    table.report("misdeal")
    assert not table.hand.procedure.misdeal
    assert last(table) == ("A18", "play_on")
    assert in_front(table) == 15


def test_a_hand_that_ends_as_a_misdeal_is_played_again_from_the_same_button() -> None:
    table = dealt()
    table.report("misdeal")
    table.gather()
    assert table.tell(cmd.OpenHand()) is None
    assert hand_fact(table).button == 7
    assert hand_fact(table).hand != "h1"


def test_after_a_completed_hand_the_button_moves_on() -> None:
    table = dealt()
    table.act("2 fold, 3 fold, 5 fold, 7 fold, 9 fold")
    assert table.tell(cmd.PushPots()) is None
    assert table.tell(cmd.OpenHand()) is None
    assert hand_fact(table).button == 9


# -- exposed cards -------------------------------------------------------------------------------------------------------------


def test_two_exposed_cards_wait_for_one_burn_each() -> None:
    """X5: the first one is the flop's burn, the second one the turn's; neither is taken for a burn too many."""
    table = Driver()
    first = table.pitch(9, 1, 2, 3)[3]
    table.report("exposed", 3)
    table.pitch(5, 7, *ORDER)
    table.act(SA)
    table.take(first)
    [second] = table.pitch(3)
    table.report("exposed", 3)
    assert last(table) == ("X5", "floor")
    assert table.tell(cmd.Rule("X5", "replace_exposed")) is None
    table.wait(800)
    table.take(second)
    table.pitch(3)
    table.check_down()
    table.put(first, "burn")
    table.board(3)
    table.wait(1500)
    table.check_down()
    table.wait(900)
    table.put(second, "burn")
    table.board(1)
    table.wait(1500)
    assert [alert.rule for alert in table.alerts()] == ["X3", "X5"]
    assert {alert.state for alert in table.alerts()} == {"closed"}
    assert table.hand.procedure.street == "turn"


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("seat", [9, 1, 2])
def test_one_exposed_card_found_after_substantial_action_is_replaced(house: str, seat: int) -> None:
    """The deal can no longer be called back, wherever in the deal the card was: it is replaced, and it is the flop's burn."""
    table = Driver(house=house)
    table.deal()
    table.act(SA)
    table.report("exposed", seat)
    assert last(table) == ("X3", "replace_exposed")


@pytest.mark.parametrize("house", HOUSES)
def test_the_answer_that_it_was_the_first_card_comes_too_late_for_a_misdeal(house: str) -> None:
    table = dealt(house)
    table.report("exposed", 9)
    assert table.alert("X1").question == "first_off_deck"
    table.act(SA)
    table.answer("yes")
    assert table.alert("X1").state == "closed"
    assert last(table) == ("X3", "replace_exposed")
    assert not table.hand.procedure.misdeal


def test_a_stub_card_burned_while_an_exposed_card_waits_is_told() -> None:
    table = Driver()
    first = table.pitch(9, 1, 2, 3)[3]
    table.report("exposed", 3)
    table.pitch(5, 7, *ORDER)
    table.take(first)
    table.pitch(3)
    table.check_down()
    table.burn()
    assert last(table)[0] == "N8"


def test_x7_card_that_its_seat_had_read_is_the_burn() -> None:
    table = Driver()
    fallen = table.pitch(9, 1, 2, 3)[3]
    table.take(fallen)
    table.report("X7", 3)
    table.pitch(5, 7, *ORDER)
    table.wait(700)
    table.put(fallen, "burn")
    table.pitch(3)
    assert table.steps("X7") == {
        "deal_on": "done",
        "take_exposed": "done",
        "top_card_to": "done",
        "exposed_is_burn": "done",
    }
    assert len(table.hand.procedure.held[3]) == 2


@pytest.mark.parametrize("reported_after", [0, 1, 4])
def test_x7_unread_card_counts_as_dealt_whenever_it_is_reported(reported_after: int) -> None:
    table = Driver()
    table.pitch(9, 1, 2)
    fallen = table.next_card()
    table.where[fallen] = "floor"
    table.wait(600)
    rest = [5, 7, *ORDER]
    table.pitch(*rest[:reported_after])
    table.report("X7", 3)
    table.pitch(*rest[reported_after:])
    assert [alert.rule for alert in table.alerts()] == ["X7"]
    table.pitch(3)
    table.where.pop(fallen)
    table.wait(700)
    table.put(fallen, "burn")
    assert table.alert("X7").state == "closed"
    assert len(table.hand.procedure.held[3]) == 2


def test_x7_misread_leaves_no_card_behind() -> None:
    table = Driver()
    table.pitch(9, 1, 2)
    table.report("X7", 3)
    assert len(table.hand.procedure.held[3]) == 1
    assert table.tell(cmd.Respond("X7", "misread")) is None
    assert table.hand.procedure.held[3] == ()
    table.pitch(3, 5, 7, *ORDER)
    assert [alert.rule for alert in table.alerts()] == ["X7"]


def test_x7_first_card_of_the_deal_is_a_misdeal() -> None:
    table = Driver()
    table.report("X7", 9)
    assert last(table) == ("X1", "misdeal")


@pytest.mark.parametrize("house", HOUSES)
def test_two_cards_off_the_table_are_two_exposed_cards(house: str) -> None:
    table = Driver(house=house)
    table.pitch(9, 1, 2, 3)
    table.report("exposed", 3)
    table.report("X7", 5)
    assert last(table) == ("X4", "misdeal")


# -- hands of the wrong count ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize(
    ("row", "before", "after"),
    [("D5", "D5", "D6"), ("D6", "D5", "D6"), ("D8", "D8", "D10"), ("D10", "D8", "D10"), ("D9", "D9", "D10")],
)
def test_the_row_of_a_wrong_count_is_what_the_action_makes_of_it(
    house: str, row: str, before: str, after: str
) -> None:
    table = dealt(house)
    table.report(row, 3)
    assert last(table)[0] == before
    table = dealt(house)
    table.act(SA)
    table.report(row, 3)
    assert last(table) == (after, "kill_hand")
    assert 3 in table.hand.procedure.dead
    assert not table.hand.procedure.misdeal


@pytest.mark.parametrize("row", ["D5", "D6", "D7"])
def test_the_buttons_missing_card_is_a_row_of_its_own(row: str) -> None:
    table = Driver()
    table.pitch(*ORDER, 9, 1, 2, 3, 5)
    table.report(row, 7)
    assert last(table) == ("D7", "deal_missing")
    table.pitch(7)
    assert table.alert("D7").state == "closed"


def test_d7_at_another_seat_is_d5() -> None:
    table = dealt()
    table.report("D7", 3)
    assert last(table)[0] == "D5"


def test_two_extra_cards_reported_at_once_are_d9() -> None:
    table = dealt()
    assert table.tell(cmd.Report("D8", 3, count=2)) is None
    assert last(table) == ("D9", "misdeal")


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize(("dealt_so_far", "in_order"), [((9, 1, 2, 3), True), ((9, 1, 2, 3, 7), False)])
def test_d5_top_card_goes_on_only_in_sequence(
    house: str, dealt_so_far: tuple[int, ...], in_order: bool
) -> None:
    table = Driver(house=house)
    table.pitch(*ORDER, *dealt_so_far)
    table.report("D5", 5)
    goes_on = in_order and house in CASH
    assert last(table) == ("D5", "deal_missing" if goes_on else "misdeal")


def test_d5_is_asked_about_when_the_pace_left_no_time_for_the_card() -> None:
    table = Driver()
    table.pitch(*ORDER, 9, 1, 2)
    assert table.alerts() == []
    table.pitch(5, 7)
    table.wait(2000)
    assert (table.alert("D5").question, table.alert("D5").seat) == ("one_short", 3)
    table.answer("no")
    assert table.alert("D5").state == "closed"
    assert table.hand.procedure.marks[3] == ("short",)


def test_d5_is_not_asked_when_there_was_time_for_an_unread_card() -> None:
    table = Driver()
    table.pitch(*ORDER, 9, 1, 2)
    table.wait(600)
    table.pitch(5, 7)
    table.wait(3000)
    assert table.alerts() == []


def test_d5_question_is_answered_by_the_card_that_shows_late() -> None:
    table = Driver()
    table.pitch(*ORDER, 9, 1, 2)
    late = table.next_card()
    table.where[late] = "on its way"
    table.pitch(5, 7)
    table.wait(2000)
    assert table.alert("D5").question == "one_short"
    table.where.pop(late)
    table.put(late, "seat3")
    assert table.said() == [("D5", "probable", "withdrawn")]
    assert 3 not in table.hand.procedure.marks


def test_a_card_too_soon_for_an_answer_to_the_d5_question_is_judged_by_its_order() -> None:
    """Nobody sees a question, takes a card and pitches it within a second: seats 5 and 7 were served before seat 3."""
    table = Driver()
    table.pitch(*ORDER, 9, 1, 2, 5, 7)
    table.wait(300)
    assert table.alert("D5").question == "one_short"
    table.pitch(3)
    assert table.alert("D5").state == "withdrawn"
    assert table.alert("D4").question == "out_of_turn"


def test_d3_question_is_answered_by_the_card_that_shows_late() -> None:
    table = Driver()
    table.pitch(9, 1, 2)
    late = table.next_card()
    table.where[late] = "on its way"
    table.wait(200)
    table.pitch(5, 7, 9)
    assert table.alert("D3").question == "seat_in"
    table.where.pop(late)
    table.wait(100)
    table.put(late, "seat3")
    assert table.alert("D3").state == "withdrawn"


@pytest.mark.parametrize("house", HOUSES)
def test_an_extra_card_answered_after_substantial_action_kills_the_hand(house: str) -> None:
    table = dealt(house)
    table.pitch(9)
    assert table.alert("D8").question == "extra_card"
    table.act(SA)
    table.answer("yes")
    assert table.alert("D8").state == "withdrawn"
    assert last(table) == ("D10", "kill_hand")
    assert table.hand.procedure.preset_burn is None
    table.check_down()
    assert table.hand.procedure.step.kind == "burn"


@pytest.mark.parametrize("house", HOUSES)
def test_three_cards_taken_up_together_cannot_be_told_apart(house: str) -> None:
    table = Driver(house=house)
    held = table.deal()
    table.wait(1000)
    [extra] = table.pitch(9)
    table.wait(1500)
    for face in (extra, *held[9]):
        table.take(face)
    assert table.alert("D8").question == "extra_card"
    assert table.alert("D8").params["mixed"] == 1
    table.answer("yes")
    remedy = {"seed": "floor", "roberts": "floor", "wsop_cash": "extra_to_burn"}.get(house, "misdeal")
    assert last(table) == ("D8", remedy)


def test_an_extra_card_given_back_and_a_hand_lifted_later_are_nothing() -> None:
    table = Driver()
    held = table.deal()
    table.wait(1000)
    [extra] = table.pitch(9)
    table.wait(700)
    table.take(extra)
    assert table.said() == [("D8", "probable", "closed")]
    table.wait(3000)
    for face in held[9]:
        table.take(face)
    assert table.said() == [("D8", "probable", "closed")]
    for face in held[9]:
        put_back(table, face, "seat9")
    assert table.said() == [("D8", "probable", "closed")]


@pytest.mark.parametrize("house", HOUSES)
def test_d2_found_after_substantial_action_the_stray_cards_are_dead(house: str) -> None:
    table = Driver(house=house)
    faces = table.pitch(9, 1, 2, 3, 4)
    table.pitch(5, 7, *ORDER)
    table.act(SA)
    table.answer("no")
    assert last(table) == ("D2", "kill_hand")
    assert table.steps("D2")["hand_to_muck"] != "done"
    assert in_front(table) == 15
    put_back(table, faces[4], "muck")
    assert table.steps("D2")["hand_to_muck"] == "done"
    table.act("5 fold")
    assert table.alert("D2").state == "closed"


def test_a_stray_card_read_only_when_the_deal_is_over_is_asked_about_too() -> None:
    table = Driver()
    table.deal()
    table.pitch(4)
    assert table.said() == [("D2", "probable", "open")]
    assert table.alert("D2").seat == 4


def test_a_card_that_comes_to_an_empty_seat_long_behind_the_deal_or_behind_an_action_is_none_of_it() -> None:
    table = dealt()
    table.wait(2500)
    table.pitch(4)
    assert table.said() == []
    table = Driver()
    table.deal()
    table.act("2 raise 6")
    table.pitch(4)
    assert table.said() == []


# -- the button -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSES)
def test_d12_the_right_button_deals_again_with_its_own_blinds(house: str) -> None:
    table = dealt(house)
    table.act("2 raise 6")
    table.report("D12", 9)
    assert last(table) == ("D12", "correct_button")
    table.gather()
    table.pitch(1, 2, 3, 5, 7, 9, 1, 2, 3, 5, 7, 9)
    fact = hand_fact(table)
    assert (fact.button, fact.small_blind_seat, fact.big_blind_seat) == (9, 1, 2)
    assert [(post.seat, post.amount) for post in table.hand.procedure.opening.posts] == [(1, 1), (2, 2)]
    assert (in_front(table), table.hand.betting.to_act) == (3, 3)
    assert [alert.rule for alert in table.alerts()] == ["D12"]
    assert table.alert("D12").state == "closed"
    table.act("3 fold, 5 fold, 7 fold, 9 fold, 1 fold")
    assert table.tell(cmd.PushPots()) is None
    stacks = {seat: record.stack for seat, record in table.core.seats.records.items()}
    assert stacks == {1: 199, 2: 201, 3: 200, 5: 200, 7: 200, 9: 200}
    assert table.tell(cmd.OpenHand()) is None
    assert hand_fact(table).button == 1


def test_d12_who_enters_the_game_still_posts_for_it() -> None:
    """Seat 3 posts a big blind to enter and then has it, seat 5 posts one and a dead small one for what it missed."""
    table = Driver()
    opening = replace(
        table.hand.procedure.opening,
        hand="h2",
        posts=(
            ForcedBet(9, 1, "small_blind"),
            ForcedBet(1, 2, "big_blind"),
            ForcedBet(3, 2, "big_blind"),
            ForcedBet(5, 2, "big_blind"),
            ForcedBet(5, 1, "dead"),
        ),
    )
    table.deal()
    table.act("2 fold, 3 fold, 5 fold, 7 fold, 9 fold")
    assert table.tell(cmd.PushPots()) is None
    assert table.tell(cmd.OpenHand(opening)) is None
    table.deal()
    table.wait(1000)
    table.report("D12", 1)
    table.gather()
    table.pitch(2, 3, 5, 7, 9, 1, 2, 3, 5, 7, 9, 1)
    posts = [(post.seat, post.amount, post.kind) for post in table.hand.procedure.opening.posts]
    assert posts == [(2, 1, "small_blind"), (3, 2, "big_blind"), (5, 2, "big_blind"), (5, 1, "dead")]
    assert in_front(table) == 6


def test_d12_misread_puts_the_button_back() -> None:
    table = dealt()
    table.report("D12", 9)
    assert hand_fact(table).button == 9
    assert table.tell(cmd.Respond("D12", "misread")) is None
    assert hand_fact(table).button == 7
    assert table.hand.procedure.order == ORDER
    assert not table.hand.procedure.misdeal
    assert [post.seat for post in table.hand.procedure.opening.posts] == [9, 1]
    table.check_down()
    assert in_front(table) == 12


@pytest.mark.parametrize(
    ("house", "next_button"),
    [("seed", 5), ("roberts", 5), ("wsop_cash", 5), ("tda2024", 9), ("wsop_tournament", 9)],
)
def test_d12_after_action_the_hand_stands_and_the_house_says_whose_button_is_next(
    house: str, next_button: int
) -> None:
    """The button went past seat 5 to seat 7. RROP and WLA 113 set it right with the next hand, TDA 34-A does not back it up."""
    table = dealt(house)
    table.act(SA)
    table.report("D12", 5)
    assert last(table) == ("D12", "play_on")
    assert hand_fact(table).button == 7
    table.act("5 fold, 7 fold, 9 fold, 1 fold")
    table.street(3)
    table.act("2 bet 10, 3 fold")
    assert table.tell(cmd.PushPots()) is None
    assert table.tell(cmd.OpenHand()) is None
    assert hand_fact(table).button == next_button


# -- seat status -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSES)
def test_a_player_who_goes_away_in_the_deal_stays_dealt_in_at_a_tournament(house: str) -> None:
    table = Driver(house=house)
    table.pitch(9, 1)
    assert table.tell(cmd.SetSeat(3, "away")) is None
    assert (3 in table.hand.procedure.order) is (house in TOURNAMENTS)
    assert table.tell(cmd.SetSeat(5, "out")) is None
    assert 5 not in table.hand.procedure.order
    assert table.alerts() == []


@pytest.mark.parametrize("house", HOUSES)
def test_a_player_who_is_away_is_dealt_in_next_hand_at_a_tournament(house: str) -> None:
    table = dealt(house)
    assert table.tell(cmd.SetSeat(3, "away")) is None
    table.act("2 fold, 3 fold, 5 fold, 7 fold, 9 fold")
    assert table.tell(cmd.PushPots()) is None
    assert table.tell(cmd.OpenHand()) is None
    assert (3 in table.hand.procedure.order) is (house in TOURNAMENTS)
    assert table.core.seats.records[3].status == "away"


def test_a_seat_goes_out_before_the_deal_begins_again() -> None:
    table = dealt()
    table.report("D11", 5)
    assert last(table) == ("D11", "misdeal")
    table.gather()
    assert table.tell(cmd.SetSeat(5, "out")) is None
    table.pitch(9, 1, 2, 3, 7, 9, 1, 2, 3, 7)
    assert table.hand.procedure.order == (9, 1, 2, 3, 7)
    assert [alert.rule for alert in table.alerts()] == ["D11"]
    assert table.alert("D11").state == "closed"
    table.check_down()
    assert in_front(table) == 10


def test_a_seat_question_is_answered_by_the_status() -> None:
    table = Driver()
    table.pitch(9, 1, 2, 3, 4)
    assert table.alert("D2").question == "seat_in"
    assert table.tell(cmd.SetSeat(4, "in", 150)) is None
    assert table.alert("D2").state == "closed"
    assert table.hand.procedure.order == (9, 1, 2, 3, 4, 5, 7)
    table.pitch(5, 7, 9, 1, 2, 3, 4, 5, 7)
    assert table.said() == [("D2", "probable", "closed")]
    assert 4 in table.hand.bets.live


# -- where less is known -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("answer", ["yes", "no"])
def test_d10_third_card_read_after_substantial_action_is_asked_about(house: str, answer: str) -> None:
    table = dealt(house)
    table.act(SA)
    table.pitch(3)
    assert (table.alert("D10").question, table.alert("D10").seat) == ("extra_card", 3)
    table.answer(answer)
    assert table.said() == [("D10", *(("proven", "open") if answer == "yes" else ("probable", "withdrawn")))]
    assert (3 in table.hand.procedure.dead) is (answer == "yes")


def test_third_card_tapped_at_a_seat_without_a_reader() -> None:
    table = Driver(unread=["seat3"])
    table.pitch(9, 1, 2, 5, 7, 9, 1, 2, 5, 7)
    assert table.tell(cmd.TapZone("seat3", 2)) is None
    assert table.alerts() == []
    table.wait(500)
    assert table.tell(cmd.TapZone("seat3", 1)) is None
    assert table.alert("D8").question == "extra_card"


def test_x7_at_a_seat_without_a_reader_counts_no_card() -> None:
    table = Driver(unread=["seat3"])
    table.pitch(9, 1, 2)
    table.report("X7", 3)
    assert last(table) == ("X7", "replace_exposed")
    assert 3 not in table.hand.procedure.held


def test_a_card_that_slides_to_an_empty_seat_after_the_deal_is_no_irregularity_of_the_deal() -> None:
    table = dealt()
    table.pitch(4)
    assert table.alerts() == []


def test_a_passed_over_player_who_is_out_heads_up_leaves_nobody_to_play_against() -> None:
    table = Driver(seats=(2, 7), button=7)
    table.pitch(7, 7)
    assert (table.alert("D1").question, table.alert("D1").seat) == ("seat_in", 2)
    table.answer("no")
    assert table.alert("D1").state == "closed"
    assert table.hand.procedure.misdeal


def test_a_misdeal_while_a_missing_card_is_waited_for_asks_nothing_more() -> None:
    table = Driver(sensing=TABLE)
    table.pitch(*ORDER, 9, 1, 2)
    table.pace_ms = 900  # there was hardly time for the card that is missing: nothing is asked yet
    table.pitch(5)
    assert table.alerts() == []
    table.report("misdeal")
    table.wait(3000)
    assert table.alerts() == []


def test_key_pressed_twice_for_one_exposed_card_says_it_once() -> None:
    table = Driver()
    table.pitch(9, 1, 2)
    table.report("exposed", 2)
    table.report("exposed", 2)
    assert [alert.rule for alert in table.alerts()] == ["X3"]


def test_the_exposed_card_that_lay_alone_ticks_its_step_as_it_leaves_and_not_when_the_other_one_is_lifted() -> (
    None
):
    table = Driver()
    held = table.pitch(*ORDER)
    table.report("exposed", 2)
    second = table.pitch(*ORDER)[2]
    table.wait(700)
    assert table.steps("X3")["deal_on"] == "done"
    table.take(second)  # the player peeks at the card that lies face down
    assert table.steps("X3")["take_exposed"] == "current"
    table.put(second, "seat2")
    table.take(held[2])
    assert table.steps("X3") == {
        "deal_on": "done",
        "take_exposed": "done",
        "top_card_to": "current",
        "exposed_is_burn": "pending",
    }
    table.put(held[2], "seat2")  # it was only lifted
    assert table.steps("X3")["take_exposed"] == "current"
    table.take(held[2])
    table.pitch(2)
    assert table.steps("X3")["top_card_to"] == "done"


def test_exposed_card_reported_after_the_flop_or_in_a_misdeal_is_no_row_of_the_deal() -> None:
    table = dealt()
    table.check_down()
    table.street(3)
    assert table.tell(cmd.Report("exposed", 2)) == Refused("bad_command", {"reason": "deal_is_over"})
    assert table.alerts() == []
    table = dealt()
    table.report("misdeal")
    table.report("exposed", 2)
    assert table.alerts() == []


@pytest.mark.parametrize("alone", [True, False])
def test_replacement_given_while_the_player_holds_his_other_card_is_told_apart(alone: bool) -> None:
    """At once where the exposed card lay alone when it was reported; else at the burn."""
    table = Driver()
    held = table.pitch(*ORDER)
    if alone:
        table.report("exposed", 2)
    second = table.pitch(*ORDER)[2]
    if not alone:
        table.report("exposed", 2)
    table.take(held[2])  # the dealer takes the exposed one
    table.take(second)  # the player has looked at his other one and keeps it in hand
    table.pitch(2)
    assert (table.steps("X3")["take_exposed"] == "done") == alone
    table.wait(700)
    table.put(held[2], "burn")
    assert table.alert("X3").state == "closed"
    assert table.hand.procedure.preset_burn in table.hand.procedure.burns


def test_an_extra_card_within_the_deal_is_out_of_turn() -> None:
    table = Driver()
    table.pitch(*ORDER, 9, 1, 1)
    assert (table.alert("D4").question, table.alert("D4").seat) == ("out_of_turn", 1)
    table.answer("yes")
    assert last(table) == ("D4", "misdeal")


# -- cards that come back ---------------------------------------------------------------------------------------------------------


def test_a_burn_read_on_the_board_while_no_card_is_due_there_is_a_note_and_no_alert() -> None:
    table = dealt()
    table.act("2 raise 6, 3 call, 5 fold, 7 fold, 9 fold, 1 fold")
    burned = table.burn()
    table.board(3)
    table.wait(1000)
    table.put(burned, "board")
    assert table.said() == [("K11", "possible", "open")]
    table.check_down()
    second = table.burn()
    table.wait(1000)
    table.put(second, "board")
    assert table.said()[1:] == [("K11", "proven", "open")]


def test_a_burn_turned_where_a_card_is_due_is_proven() -> None:
    table = dealt()
    table.act("2 raise 6, 3 call, 5 fold, 7 fold, 9 fold, 1 fold")
    burned = table.burn()
    table.wait(1000)
    table.put(burned, "board")
    assert ("K11", "proven", "open") in table.said()
