"""Burns and boards off the beaten track: cards that move half way, rulings that meet the next street."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.procedure.alignment.sensing import TABLE
from tests.procedure.test_edges import appear, rules
from tests.procedure.test_late_and_strange import exposed_card_aside
from tests.table.driver import Driver
from tests.table.test_rules import dealt, on_flop, play_to_end

HOUSES = ("seed", "roberts", "tda2024", "wsop_cash", "wsop_tournament")


def to_flop(**setup: object) -> Driver:
    table = dealt(**setup)
    table.check_down()
    return table


def kinds(table: Driver) -> tuple[str, str]:
    step = table.hand.procedure.step
    return step.kind, step.street


def two_burns(table: Driver, count: int) -> None:
    """Two burns that the dealer owns up to, and the street behind them."""
    table.burn()
    table.burn()
    table.answer("no")
    table.board(count)
    table.wait(1500)


def own_house(tmp_path: Path, *lines: str) -> str:
    path = tmp_path / "mine.toml"
    path.write_text("\n".join(['name = "mine"', 'title = "Mine"', 'extends = "seed"', *lines, ""]))
    return str(path)


# -- the row of a report --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("acted", [False, True])
@pytest.mark.parametrize("street", ["flop", "turn", "river"])
@pytest.mark.parametrize("row", ["N1", "N2", "N3", "N4"])
def test_a_missed_burn_is_the_row_of_its_street_and_time(row: str, street: str, acted: bool) -> None:
    """N1 and N2 are the flop's, N3 and N4 those of the streets after it; who says that it was acted on is believed."""
    table = on_flop()
    for _ in range(("flop", "turn", "river").index(street)):
        table.check_down()
        table.street(1)
    if acted:
        table.act("9 check")
    table.report(row)
    late = acted or row in ("N2", "N4")
    assert rules(table) == [("N2" if late else "N1") if street == "flop" else "N4" if late else "N3"]
    assert table.alerts()[0].street == street


@pytest.mark.parametrize(("actions", "row"), [("9 check", "N1"), ("9 check, 1 bet 2", "N2")])
def test_a_house_that_waits_for_substantial_action_hears_a_report_as_late(
    tmp_path: Path, actions: str, row: str
) -> None:
    house = own_house(
        tmp_path, "[parameters]", 'no_burn_deadline = { value = "substantial_action", source = "house" }'
    )
    table = on_flop(house=house)
    table.act(actions)
    table.report("N1")
    assert rules(table) == [row]


@pytest.mark.parametrize("house", HOUSES)
def test_a_missed_burn_of_the_turn_is_not_asked_about_twice(house: str) -> None:
    """Whether the card was turned up matters for a flop alone."""
    table = on_flop(house=house)
    table.check_down()
    table.board(1)
    table.wait(4000)
    assert table.alert("N3").question == "burned"
    table.answer("no")
    assert (table.alert("N3").evidence, table.alert("N3").question) == ("proven", None)


# -- two burns ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", ["seed", "roberts", "wsop_cash"])
def test_two_burns_that_were_proven_are_proven_when_they_are_acted_on(house: str) -> None:
    table = to_flop(house=house)
    two_burns(table, 3)
    assert (table.alerts()[-1].rule, table.alerts()[-1].question) == ("N6", "turned_up")
    table.act("9 check")
    turned = table.alerts()[-1]
    assert (turned.rule, turned.evidence, turned.question, turned.answered) == ("N7", "proven", None, "no")
    assert turned.street == "flop"


@pytest.mark.parametrize("house", ["seed", "roberts", "wsop_cash"])
def test_two_burns_that_are_acted_on_are_told_of_no_more_once_the_dealer_deals_on(house: str) -> None:
    table = to_flop(house=house)
    two_burns(table, 3)
    table.act("9 check")
    assert (table.alerts()[-1].rule, table.alerts()[-1].state) == ("N7", "open")
    assert table.tell(cmd.Respond("N7", "deal_on")) is None
    table.check_down()
    assert kinds(table) == ("burn", "turn")
    two_burns(table, 1)
    assert table.alerts()[-1].rule == "N6"
    table.act("9 check")
    assert rules(table).count("N7") == 1
    assert table.alert("N6").state == "withdrawn"
    play_to_end(table)


@pytest.mark.parametrize(
    ("house", "after"),
    [
        ("seed", "board"),
        ("roberts", "board"),
        ("wsop_cash", "board"),
        ("tda2024", "burn"),
        ("wsop_tournament", "burn"),
    ],
)
def test_the_set_burn_that_came_second_leaves_the_first_as_the_house_says(house: str, after: str) -> None:
    """Another card was burned, then the one that was set; bet on at once. One of them is the next street's, or lies dead."""
    table, aside = exposed_card_aside(house=house)
    table.burn()
    table.put(aside, "burn")
    assert (table.alerts()[-1].rule, table.alerts()[-1].evidence) == ("N8", "proven")
    table.board(3)
    assert table.tell(cmd.Act(9, "check")) is None
    assert table.hand.procedure.spare_burns == ()
    table.check_down()
    assert kinds(table) == (after, "turn")
    assert rules(table).count("N8") == 1


@pytest.mark.parametrize(("row", "house"), [(row, house) for row in ("N6", "N7") for house in HOUSES])
def test_an_extra_burn_that_is_reported_lies_dead_where_the_house_lets_the_board_stand(
    row: str, house: str
) -> None:
    table = to_flop(house=house)
    table.burn()
    table.burn()
    table.board(3)
    table.report(row)
    told = table.alert(row)
    assert told.evidence == "proven"
    if told.remedy == "play_on":
        assert (len(table.hand.procedure.burns), len(table.hand.procedure.dead_burns)) == (1, 1)
    elif told.remedy == "extra_is_next_burn":
        assert (len(table.hand.procedure.burns), len(table.hand.procedure.dead_burns)) == (2, 0)


def test_a_set_burn_that_the_dealer_says_was_forgotten_is_compared_no_more() -> None:
    """Another card was burned and not read; the house lets it stand. The card that was set waits for no later street."""
    table, _ = exposed_card_aside(house="tda2024")
    table.board(3)
    table.wait(3000)
    if table.alerts()[-1].question == "burned":
        table.answer("yes")
    table.act("9 check")
    table.report("N8")
    assert (table.alerts()[-1].rule, table.alerts()[-1].remedy) == ("N8", "play_on")
    assert table.hand.procedure.preset_burn is None
    table.check_down()
    table.street(1)
    assert rules(table).count("N8") == 1
    play_to_end(table)


def test_n8_that_was_dealt_on_is_silent_about_a_drawn_card_too() -> None:
    """The exposed card was forgotten and the dealer deals on; then the drawn card of a scrambled flop is forgotten as well."""
    table, _ = exposed_card_aside(house="tda2024")
    table.burn()
    assert table.tell(cmd.Respond("N8", "deal_on")) is None
    flop = table.board(4)
    table.wait(1500)
    table.answer("yes")
    assert table.hand.procedure.pick_due
    table.take(flop[3])
    table.wait(3000)
    assert table.hand.procedure.preset_burn is not None
    table.check_down()
    assert kinds(table) == ("burn", "turn")
    table.burn()
    assert rules(table).count("N8") == 1
    assert kinds(table) == ("board", "turn")
    assert table.hand.procedure.preset_burn is None
    assert len(table.hand.procedure.burns) == 2
    assert table.hand.procedure.spare_burns == ()
    play_to_end(table)


@pytest.mark.parametrize("where", ["flop", "turn"])
def test_a_report_that_the_set_burn_was_forgotten_is_about_the_street_it_was_set_for(where: str) -> None:
    """An exposed card is the flop's burn, whenever it is said."""
    table, aside = exposed_card_aside()
    table.put(aside, "burn")
    table.board(3)
    table.wait(1500)
    if where == "turn":
        table.check_down()
        table.street(1)
    table.report("N8")
    assert table.alerts()[-1].street == "flop"


@pytest.mark.parametrize("where", ["flop", "turn"])
def test_a_report_about_the_drawn_card_is_about_the_turn_once_it_lies_there(where: str) -> None:
    table = to_flop(house="tda2024")
    table.burn()
    flop = table.board(4)
    table.wait(1500)
    table.answer("yes")
    table.take(flop[0])
    table.wait(3000)
    assert not table.hand.procedure.pick_due
    if where == "turn":
        table.check_down()
        table.wait(900)
        table.put(flop[0], "burn")
        table.board(1)
        table.wait(1500)
    table.report("N8")
    assert table.alerts()[-1].street == where


# -- cards half way -------------------------------------------------------------------------------------------------------


def test_a_fourth_card_on_its_way_to_the_muck_when_somebody_acts_is_being_put_right() -> None:
    """It was read there before the board missed it: what is half mended is not ruled on anew."""
    table = to_flop()
    table.burn()
    flop = table.board(4)
    table.wait(1500)
    assert table.said() == [("F1", "probable", "open")]
    appear(table, flop[3], "muck")
    table.tell(cmd.Act(9, "check"))
    assert "F4" not in rules(table)


def test_a_flop_card_that_is_straightened_when_somebody_acts_still_lies_there() -> None:
    table = to_flop()
    table.burn()
    table.burn()
    flop = table.board(3)
    table.wait(1500)
    assert table.alerts()[-1].rule == "N5"
    table.take(flop[0])
    table.act("9 check")
    assert (table.alerts()[-1].rule, table.alerts()[-1].evidence) == ("N7", "probable")


def test_an_early_card_that_is_put_with_the_burns_is_off_the_board() -> None:
    table = on_flop()
    table.act("9 check")
    table.burn()
    [early] = table.board(1)
    table.wait(100)
    appear(table, early, "burn")
    assert [slot.street for slot in table.hand.procedure.board] == ["flop"] * 3
    assert "R7" not in rules(table)


def test_one_of_four_that_is_put_with_the_burns_is_no_swept_board() -> None:
    """No face was shown yet: the dealer only takes back what was too many."""
    table = to_flop()
    table.burn()
    flop = table.board(4)
    table.wait(200)
    appear(table, flop[3], "burn")
    assert "R7" not in rules(table)
    assert len(table.hand.procedure.board) == 3


@pytest.mark.parametrize("house", ["tda2024", "wsop_cash", "wsop_tournament"])
def test_only_one_of_the_four_is_the_drawn_card(house: str) -> None:
    """Bet on, the four are scrambled all the same (F4); another card on the burn spot was not drawn."""
    table = to_flop(house=house)
    table.burn()
    flop = table.board(4)
    table.act("9 check")
    table.wait(3000)
    alert = table.alert("F4")
    if alert.evidence == "probable":
        table.answer("yes")
    if table.alert("F4").remedy != "scramble_four":
        assert table.tell(cmd.Rule("F4", "scramble_four")) is None
    assert table.hand.procedure.pick_due
    other = table.next_card()
    table.put(other, "burn")
    assert table.hand.procedure.pick_due
    table.take(other)
    table.put(flop[2], "burn")
    assert not table.hand.procedure.pick_due
    assert table.hand.procedure.preset_burn is not None


@pytest.mark.parametrize("fixing", [False, True])
def test_a_card_that_seemed_drawn_and_comes_back_was_not(fixing: bool) -> None:
    table = to_flop(house="tda2024")
    table.burn()
    flop = table.board(4)
    table.wait(1500)
    table.answer("yes")
    if fixing:
        assert table.tell(cmd.Respond("F1", "fixing")) is None
    table.take(flop[1])
    table.wait(3000)
    assert not table.hand.procedure.pick_due
    table.put(flop[1], "board")
    assert table.hand.procedure.pick_due
    table.wait(5000)
    assert table.hand.procedure.pick_due  # all four lie there: none was drawn
    table.take(flop[2])
    table.wait(3000)
    assert not table.hand.procedure.pick_due


def test_an_exposed_card_that_is_laid_on_the_board_is_no_scramble() -> None:
    table, aside = exposed_card_aside(house="tda2024")
    table.burn()
    table.put(aside, "board")
    assert not table.hand.procedure.pick_due
    assert aside in table.where


# -- early cards ----------------------------------------------------------------------------------------------------------


def test_a_board_card_in_the_deal_is_asked_about() -> None:
    table = Driver()
    table.pitch(9, 1, 2)
    table.board(1)
    table.wait(6000)
    assert [(alert.rule, alert.question) for alert in table.alerts()] == [("R1", "acted")]
    table.answer("no")
    assert table.alert("R1").evidence == "proven"


def test_a_burn_too_early_asks_nothing_about_cards() -> None:
    table = on_flop()
    table.act("9 check")
    table.burn()
    table.wait(6000)
    assert table.alert("N10").question == "acted"
    table.answer("no")
    assert (table.alert("N10").evidence, table.alert("N10").question) == ("proven", None)


@pytest.mark.parametrize("said", ["R1", "R2", "R3"])
def test_a_second_burn_beside_a_card_that_is_early_is_no_row_of_its_own(said: str) -> None:
    table = dealt()
    for count in (3, 1)[: ("R1", "R2", "R3").index(said)]:
        table.check_down()
        table.street(count)
    seat = table.hand.betting.to_act
    table.act(f"{seat} {'call' if said == 'R1' else 'check'}")
    table.burn()
    table.board(3 if said == "R1" else 1)
    table.wait(8000)
    assert rules(table) == [said]
    table.answer("no")
    table.burn()
    table.wait(8000)
    assert rules(table) == [said]


def test_r4_after_the_early_card_was_set_aside_is_about_the_street_that_was_running() -> None:
    """The flop came too soon and was taken away; whoever acted on it acted before the flop."""
    table = dealt()
    table.act("2 call")
    table.burn()
    flop = table.board(3)
    table.wait(6000)
    table.answer("no")
    assert table.alert("R1").evidence == "proven"
    for face in flop:
        table.take(face)
    table.wait(1500)
    assert table.tell(cmd.Report("R4", 2)) is None
    assert table.alert("R4").street == "preflop"


@pytest.mark.parametrize("game", ["split"])
def test_an_early_card_of_the_second_board_lies_there(game: str) -> None:
    table = dealt(game=game)
    table.check_down()
    table.burn()
    for zone in ("board", "board2"):
        for _ in range(3):
            table.wait(80)
            table.put(table.next_card(), zone)
    table.wait(1500)
    assert table.said() == []
    table.act(f"{table.hand.betting.to_act} check")
    table.burn()
    table.wait(80)
    table.put(table.next_card(), "board2")
    table.wait(6000)
    early = [slot for slot in table.hand.procedure.board if slot.early]
    assert [slot.zone for slot in early] == ["board2"]
    assert rules(table)[-1] == "R2"


def test_a_fourth_card_under_the_flop_of_the_second_board_is_that_boards() -> None:
    table = dealt(game="split")
    table.check_down()
    table.burn()
    for zone in ("board", "board2"):
        for _ in range(3):
            table.wait(80)
            table.put(table.next_card(), zone)
    table.wait(1500)
    table.act(f"{table.hand.betting.to_act} bet 2")
    table.put(table.next_card(), "board2")
    table.wait(6000)
    assert rules(table) == ["F4"]
    assert table.alert("F4").why[0].params["zone"] == "board2"
    assert [slot.zone for slot in table.hand.procedure.board].count("board2") == 4


# -- one more -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["deal_on", "misread"])
def test_a_card_too_many_that_was_let_pass_says_what_the_next_one_is(said: str) -> None:
    """Dealt on, the first card is the turn and a third one does not play either; a misread leaves it open which card it is."""
    table = on_flop()
    table.check_down()
    table.burn()
    turn = table.board(2)
    table.wait(1500)
    assert rules(table) == ["R6"]
    assert table.tell(cmd.Respond("R6", said)) is None  # type: ignore[arg-type]
    table.board(1)
    table.wait(1500)
    assert rules(table) == ["R6"]
    playing = [slot for slot in table.hand.procedure.board if slot.street == "turn" and not slot.early]
    assert len(playing) == (1 if said == "deal_on" else 3)
    if said == "deal_on":
        assert table.hand.board_faces()[-1] == turn[0]
        play_to_end(table)


# -- burns that are read late ---------------------------------------------------------------------------------------------


def unread_turn(answer: str | None, **setup: object) -> Driver:
    """A turn whose burn was not read, and which has been acted on (N4)."""
    table = on_flop(**setup)
    table.check_down()
    table.board(1)
    table.wait(4000)
    assert rules(table) == ["N3"]
    table.act("9 check")
    if answer is not None:
        table.answer(answer)
    return table


def test_a_burn_of_the_turn_that_is_read_after_the_action_was_taken() -> None:
    table = unread_turn(None)
    assert (table.alerts()[-1].rule, table.alerts()[-1].evidence) == ("N4", "probable")
    table.burn()
    assert table.alerts()[-1].state == "withdrawn"
    assert (len(table.hand.procedure.burns), table.hand.procedure.spare_burns) == (2, ())
    table.check_down()
    assert kinds(table) == ("burn", "river")
    play_to_end(table)


def test_a_burn_that_was_not_taken_is_not_read_late_on_the_turn() -> None:
    """The dealer has said so: the card on the burn spot is one too soon."""
    table = unread_turn("no")
    assert (table.alerts()[-1].rule, table.alerts()[-1].evidence) == ("N4", "proven")
    table.burn()
    assert len(table.hand.procedure.burns) == 1
    assert len(table.hand.procedure.spare_burns) == 1


def test_a_burn_that_was_not_taken_after_all_a_misread_can_be_read_late() -> None:
    table = unread_turn("no", house="tda2024")
    if table.alerts()[-1].state in ("open", "fixing"):
        assert table.tell(cmd.Respond(table.alerts()[-1].id, "misread")) is None
        table.burn()
        assert len(table.hand.procedure.burns) == 2


def test_two_burns_while_an_exposed_card_is_still_with_its_player_are_two_burns() -> None:
    """Which card is to be the burn is not known yet: neither of the two was set (N5, not N8)."""
    table = Driver()
    table.pitch(9, 1, 2)
    table.report("exposed", 2)
    table.pitch(3, 5, 7, 9, 1, 2, 3, 5, 7)
    table.wait(1000)
    table.check_down()
    table.burn()
    table.burn()
    assert rules(table) == ["X3", "N5"]


def test_too_many_turn_cards_that_are_reported_after_two_burns_are_ruled_on_once() -> None:
    table = on_flop()
    table.check_down()
    table.burn()
    table.burn()
    table.board(2)
    table.report("R6")
    assert table.said()[0][::2] == ("N5", "withdrawn")
    assert table.alerts()[-1].rule == "R6"


def test_a_burn_of_an_earlier_street_that_is_read_late_is_no_second_one() -> None:
    """Something covered the burn spot for two streets: both burns are read at once behind the turn card, and nothing is asked."""
    table = to_flop(sensing=TABLE)
    flop_burn = table.next_card()
    table.where[flop_burn] = "unread"
    table.board(3)
    table.act("9 check")
    table.check_down()
    turn_burn = table.next_card()
    table.where[turn_burn] = "unread"
    table.board(1)
    table.act("9 check")
    table.where.pop(flop_burn)
    table.where.pop(turn_burn)
    table.put(turn_burn, "burn")
    table.put(flop_burn, "burn")
    table.wait(6000)
    assert rules(table) == []
    state = table.hand.procedure
    assert (len(state.burns), state.spare_burns) == (2, ())
