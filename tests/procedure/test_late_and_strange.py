"""What comes late, twice, or where nothing should: the edges of the rules that no scenario goes along."""

from __future__ import annotations

import pytest

from dealer_assist.composition import load_house
from dealer_assist.domain import commands as cmd
from dealer_assist.domain.commands import Refused
from dealer_assist.procedure.substantial import STRATEGIES
from tests.table.driver import Driver
from tests.table.test_deck_rows import TwoDecks, uid_b
from tests.table.test_rules import dealt, on_flop, play_to_end


def kinds(table: Driver) -> tuple[str, str]:
    step = table.hand.procedure.step
    return step.kind, step.street


def exposed_card_aside(**setup: object) -> tuple[Driver, str]:
    """Seat 2's exposed card was taken away and waits for the flop's burn; the betting before the flop is over."""
    table = Driver(**setup)  # type: ignore[arg-type]
    faces = table.pitch(9, 1, 2)
    table.report("exposed", 2)
    table.pitch(3, 5, 7, 9, 1, 2, 3, 5, 7)
    table.take(faces[2])
    table.pitch(2)
    table.check_down()
    return table, faces[2]


# -- the burn that was set ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", ["seed", "roberts", "wsop_cash", "tda2024", "wsop_tournament"])
def test_n8_that_is_bet_on_at_once_stands(house: str) -> None:
    """The card that was burned is the flop's burn, the one that was set is none any more (E-10)."""
    table, _ = exposed_card_aside(house=house)
    table.burn()
    assert table.alert("N8").remedy == "put_burn_back"
    table.board(3)
    assert table.tell(cmd.Act(9, "check")) is None
    assert table.alerts()[-1].rule == "N8"
    assert table.alerts()[-1].remedy == "play_on"
    assert table.hand.procedure.spare_burns == ()
    assert len(table.hand.procedure.burns) == 1
    assert table.hand.procedure.preset_burn is None
    table.check_down()
    assert kinds(table) == ("burn", "turn")


@pytest.mark.parametrize(
    ("house", "remedy", "after"),
    [
        ("seed", "extra_is_next_burn", "board"),
        ("roberts", "extra_is_next_burn", "board"),
        ("wsop_cash", "extra_is_next_burn", "board"),
        ("tda2024", "play_on", "burn"),
        ("wsop_tournament", "play_on", "burn"),
    ],
)
def test_a_second_burn_behind_the_one_that_was_set_gets_the_ruling_after_action(
    house: str, remedy: str, after: str
) -> None:
    """Bet on at once, the flop stands; the second burn is the next street's (RROP #5), or lies dead."""
    table, aside = exposed_card_aside(house=house)
    table.put(aside, "burn")
    table.burn()
    table.answer("no")
    assert (table.alert("N8").evidence, table.alert("N8").remedy) == ("proven", "put_burn_back")
    table.board(3)
    assert table.tell(cmd.Act(9, "check")) is None
    assert (table.alerts()[-1].rule, table.alerts()[-1].remedy) == ("N8", remedy)
    table.check_down()
    assert kinds(table) == (after, "turn")


def test_n8_dealt_on_once_is_not_asked_about_again() -> None:
    table, _ = exposed_card_aside()
    burned = table.burn()
    assert table.tell(cmd.Respond("N8", "deal_on")) is None
    table.take(burned)
    table.put(burned, "burn")
    assert [alert.rule for alert in table.alerts()].count("N8") == 1
    table.board(3)
    table.wait(1500)
    play_to_end(table)


@pytest.mark.parametrize("order", ["set first", "set last"])
def test_two_burns_of_which_one_was_set_are_no_n5(order: str) -> None:
    table, aside = exposed_card_aside()
    if order == "set first":
        table.put(aside, "burn")
        table.burn()
        assert table.alerts()[-1].rule == "N8"
        assert table.alerts()[-1].evidence == "probable"
        assert table.alerts()[-1].question == "boxed"
    else:
        table.burn()
        table.put(aside, "burn")
        assert table.alerts()[-1].rule == "N8"
        assert table.alerts()[-1].evidence == "proven"
    assert table.alerts()[-1].params == {"street": "flop", "next": "flop" if order == "set last" else "turn"}
    assert "N5" not in {alert.rule for alert in table.alerts()}


# -- cards of other places -------------------------------------------------------------------------------------------------


def test_a_card_of_another_seat_leaves_a_mark_and_says_nothing() -> None:
    table = dealt()
    lost = next(face for face, zone in table.where.items() if zone == "seat3")
    table.put(lost, "seat5")
    assert table.said() == []
    assert table.hand.procedure.marks[5] == ("doubtful",)
    table.put(lost, "seat3")
    assert table.said() == []


def test_a_folded_card_at_a_seat_after_a_misdeal_is_being_collected() -> None:
    table = dealt()
    hand = [face for face, zone in table.where.items() if zone == "seat2"]
    for face in hand:
        table.put(face, "muck")
    table.act("2 fold")
    table.report("misdeal")
    table.put(hand[0], "seat3")
    assert "K11" not in {alert.rule for alert in table.alerts()}


def test_a_strange_card_in_the_muck_plays_nowhere_and_is_no_matter() -> None:
    table = Driver(game="short")
    table.deck = iter([face for face in table.deck if face[0] not in "2345"])
    table.put("2c", "muck")
    assert table.said() == []
    table.pitch(9, 1, 2)
    table.wait(600)
    table.put("3c", "seat3")
    assert table.said() == [("K3", "proven", "open")]
    alert = table.alert("K3")
    assert (alert.seat, alert.params) == (3, {"zone": "seat3", "seat": 3})


def test_a_strange_card_of_a_misdealt_hand_is_no_matter() -> None:
    table = Driver(game="short")
    table.deck = iter([face for face in table.deck if face[0] not in "2345"])
    table.pitch(9, 1)
    table.report("misdeal")
    table.put("2c", "seat3")
    assert "K3" not in {alert.rule for alert in table.alerts()}


def test_a_strange_card_at_a_seat_that_has_its_own_cards_is_only_taken_away() -> None:
    """The seat lacks nothing, so it gets no card for it; the alert waits until the strange one is gone."""
    table = Driver(game="short")
    table.deck = iter([face for face in table.deck if face[0] not in "2345"])
    table.deal()
    table.wait(600)
    table.put("2c", "seat3")
    assert table.steps("K3") == {"card_out": "current"}
    table.act("9 call, 1 call")
    assert table.said() == [("K3", "proven", "open")]
    table.take("2c")
    assert table.said() == [("K3", "proven", "closed")]
    play_to_end(table)


def test_two_of_a_face_that_the_floor_found_right_leave_other_twins_to_be_asked_about() -> None:
    """A wrong registration is dismissed once; the next card with the face of another one is a question of its own."""
    table = Driver(registered={"2c": "As", "3c": "Kd"})
    table.deck = iter(
        ["As", "2c", "Kd", "3c", *[face for face in table.deck if face not in ("As", "2c", "Kd", "3c")]]
    )
    table.pitch(9, 1)
    assert table.alert("K1").question == "same_card_twice"
    table.answer("no")
    table.pitch(2)
    assert len(table.alerts()) == 1
    table.pitch(3)
    asked = table.alerts()
    assert [(alert.rule, alert.state) for alert in asked] == [("K1", "withdrawn"), ("K1", "open")]
    assert asked[0].why[0].reads != asked[1].why[0].reads


def test_the_first_card_of_a_deck_is_asked_about_although_it_is_a_strange_one() -> None:
    """The deck was just used and its first card is one that this game does not have: both are said."""
    table = TwoDecks()
    table.shuffler("ready", 52)
    table.play()
    table.open()
    table.tag_at(uid_b("As"), "seat9")
    assert {alert.rule for alert in table.alerts()} & {"K12", "K2"}


# -- after the end ---------------------------------------------------------------------------------------------------------


def test_nothing_is_judged_once_the_hand_is_over() -> None:
    table = dealt()
    table.act("2 raise 6, 3 fold, 5 fold, 7 fold, 9 fold, 1 fold")
    assert table.tell(cmd.PushPots()) is None
    assert table.hand.result == "completed"
    before = table.hand.procedure
    table.board(5)
    table.put(table.next_card(), "burn")
    table.put(table.next_card(), "muck")
    table.wait(10000)
    assert table.hand.procedure.alerts == before.alerts
    assert table.hand.procedure.board == before.board
    assert table.tell(cmd.Report("F1")) == Refused("hand_not_open", {})


def test_a_void_hand_hears_nothing_but_the_chips() -> None:
    table = dealt()
    table.report("K1")
    table.answer("yes")
    assert table.alert("K1").evidence == "proven"
    before = table.hand.procedure
    assert before.ended == "void"
    table.put(table.next_card(), "seat3")
    table.board(3)
    table.put(table.next_card(), "muck")
    table.wait(10000)
    assert [alert.rule for alert in table.alerts()] == [alert.rule for alert in before.alerts.values()]
    assert table.tell(cmd.PushPots()) is None
    assert table.hand.result == "void"
    assert {record.stack for record in table.core.seats.records.values()} == {200}


def test_a_burn_on_the_river_while_a_seat_is_to_act_says_so_once() -> None:
    """N10 gives way to what has been said about the early card already."""
    table = on_flop()
    table.check_down()
    table.street(1)
    table.act("9 check")
    table.burn()
    table.wait(8000)
    table.board(1)
    table.wait(8000)
    rules = [alert.rule for alert in table.alerts()]
    assert rules == ["N10", "R3"]
    table.answer("no")
    table.wait(8000)
    assert [alert.rule for alert in table.alerts()] == rules


def test_the_dealer_says_that_the_betting_is_not_over_before_a_burn_is_read() -> None:
    """The report holds the round open: a burn after it needs no question."""
    table = on_flop()
    table.act("9 check")
    table.report("early_card")
    table.burn()
    table.wait(8000)
    alert = table.alert("N10")
    assert (alert.evidence, alert.answered, alert.question) == ("proven", "no", None)
    assert alert.params == {"seats": [1, 2, 3, 5, 7], "next": "turn"}


# -- substantial action ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "roberts", "tda", "wsop_cash"),
    [
        ("", False, False, False),
        ("fold", False, False, False),
        ("raise", False, False, False),
        ("fold fold", True, False, False),
        ("check check", True, False, False),
        ("check fold", True, False, True),
        ("fold check", True, False, True),
        ("call fold", True, True, True),
        ("fold call", True, True, True),
        ("call call", True, True, True),
        ("bet raise", True, True, True),
        ("bet bet", True, True, True),
        ("raise raise", True, True, True),
        ("all_in all_in", True, True, True),
        ("fold fold fold", True, True, True),
        ("check check check", True, True, True),
        ("fold fold fold fold", True, True, True),
    ],
)
def test_substantial_action(actions: str, roberts: bool, tda: bool, wsop_cash: bool) -> None:
    """Robert's: two players; TDA 36: two with chips, or three; WLA 109: three, or two that are not two folds or two checks."""
    found = {name: strategy(actions.split()) for name, strategy in STRATEGIES.items()}
    assert found == {"roberts": roberts, "tda": tda, "wsop_cash": wsop_cash}


@pytest.mark.parametrize(("told", "too_late"), [(1, False), (2, True), (3, True)])
def test_a2_how_many_have_acted_behind_the_seat_that_was_passed_over(told: int, too_late: bool) -> None:
    """Actions that are not entered yet count as the dealer tells them."""
    table = dealt(house="tda2024")
    table.act("2 call")
    assert table.tell(cmd.Report("A2", 3, count=told)) is None
    alert, ruling = table.alert("A2"), load_house("tda2024").rules["A2"]
    assert (alert.seat, alert.params["count"]) == (3, told)
    assert ruling.after_sa not in (None, ruling.remedy)
    assert alert.remedy == (ruling.after_sa if too_late else ruling.remedy)


def test_a2_actions_that_are_entered_count_by_themselves() -> None:
    """Seat 3 folded in turn; a call and a raise behind it are substantial action, whatever number is told."""
    table = dealt(house="tda2024")
    table.act("2 call, 3 call, 5 call, 7 raise 8")
    assert table.tell(cmd.Report("A2", 3, count=1)) is None
    assert table.alert("A2").remedy == load_house("tda2024").rules["A2"].after_sa
