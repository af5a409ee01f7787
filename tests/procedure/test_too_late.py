"""What is too late when: rulings that depend on who has acted, and where STOP is in place."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_assist.composition import load_house
from dealer_assist.domain import commands as cmd
from tests.procedure.test_board_watch import own_house, to_flop
from tests.table.test_rules import dealt, on_flop

# -- what is too late -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", ["tda2024", "wsop_tournament"])
@pytest.mark.parametrize("when", ["before", "acted", "flop"])
def test_d7_is_put_right_until_the_button_has_acted(house: str, when: str) -> None:
    table = dealt(house=house)
    table.act("2 call, 3 call, 5 call")
    if when != "before":
        table.act("7 call")
    if when == "flop":
        table.check_down()
        table.street(3)
    table.report("D7", 7)
    assert table.alerts()[-1].remedy == ("deal_missing" if when == "before" else "kill_hand")


@pytest.mark.parametrize("row", ["A4", "A5"])
@pytest.mark.parametrize("house", ["roberts", "tda2024", "wsop_cash"])
def test_an_amount_can_be_put_right_until_the_next_card(house: str, row: str) -> None:
    """RROP: before the round ends, TDA 52: once the street is over it stands."""
    game = "plhe" if row == "A5" else "nlhe"
    table = dealt(house=house, game=game)
    table.act("2 raise 6")
    table.report(row, 2)
    assert table.alert(row).remedy == "fix_amount"
    table = dealt(house=house, game=game)
    table.act("2 raise 6")
    table.check_down()
    table.report(row, 2)
    assert table.alert(row).remedy == "fix_amount"
    table = dealt(house=house, game=game)
    table.act("2 raise 6")
    table.check_down()
    table.burn()
    table.report(row, 2)
    assert table.alert(row).remedy == "play_on"


def test_an_amount_of_a_seat_that_is_not_next_is_one_of_a_street_before() -> None:
    table = on_flop(house="roberts")
    table.report("A4", 1)  # seat 9 is to act
    assert table.alert("A4").remedy == "play_on"
    table = on_flop(house="roberts")
    table.report("A4", 9)
    assert table.alert("A4").remedy == "fix_amount"


@pytest.mark.parametrize("house", ["roberts", "wsop_cash"])
@pytest.mark.parametrize(
    ("when", "remedy"), [("before", "scrap"), ("acted", "kill_hand"), ("flop", "kill_hand")]
)
def test_a_joker_kills_a_hand_that_has_acted(house: str, when: str, remedy: str) -> None:
    table = dealt(house=house)
    if when != "before":
        table.act("2 call, 3 call")
    if when == "flop":
        table.check_down()
        table.street(3)
    table.report("K3", 3)
    assert table.alert("K3").remedy == remedy


@pytest.mark.parametrize(("when", "remedy"), [("before", "misdeal"), ("acted", "scrap"), ("flop", "scrap")])
def test_two_boxed_cards_void_the_deal_before_action_only(when: str, remedy: str) -> None:
    table = dealt(house="roberts")
    if when == "acted":
        table.act("2 call")
    if when == "flop":
        table.check_down()
        table.street(3)
    assert table.tell(cmd.Report("boxed", count=2)) is None
    assert table.alert("K7").remedy == remedy


def test_a_complaint_about_the_cut_comes_too_late_on_the_flop() -> None:
    table = on_flop(house="roberts")
    table.report("D14")
    assert table.alert("D14").remedy == "play_on"


def test_a_two_card_flop_of_a_run_out_is_never_acted_on() -> None:
    table = dealt(house="tda2024")
    table.act("2 allin, 3 call, 5 fold, 7 fold, 9 fold, 1 fold")
    assert table.hand.bets.runout
    table.burn()
    table.board(2)
    table.wait(3000)
    table.report("F3")
    assert table.alert("F3").remedy == load_house("tda2024").rules["F3"].remedy


# -- STOP -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("remedy", "stop"), [("reflop_burn_first", True), ("play_on", False)])
def test_where_everything_stands_nobody_is_stopped(tmp_path: Path, remedy: str, stop: bool) -> None:
    line = f'{{ remedy = "{remedy}", source = "house", priority = "high", stop = true }}'
    table = to_flop(house=own_house(tmp_path, "[rules]", f"N1 = {line}"))
    table.board(3)
    table.wait(1500)
    table.answer("no")
    assert (table.alert("N1").remedy, table.alert("N1").stop) == (remedy, stop)


@pytest.mark.parametrize("all_in", [False, True])
def test_stop_is_for_an_all_in_hand_in_the_muck_and_for_no_other(all_in: bool) -> None:
    table = dealt(house="tda2024")
    table.act("2 allin" if all_in else "2 raise 10")
    if all_in:
        table.act("3 call, 5 fold, 7 fold, 9 fold, 1 fold")
    for face in [face for face, zone in table.where.items() if zone == "seat2"]:
        table.put(face, "muck")
    table.wait(6000)
    assert table.alert("A9").evidence == "proven"
    assert table.alert("A9").stop is all_in


@pytest.mark.parametrize(("counts", "row"), [(True, "N2"), (False, "N1")])
def test_a_check_and_a_fold_are_substantial_action_where_the_house_says_so(
    tmp_path: Path, counts: bool, row: str
) -> None:
    """TDA's own example counts them, its text does not; a check alone is not enough either way."""
    value = str(counts).lower()
    house = own_house(
        tmp_path,
        "[parameters]",
        'no_burn_deadline = { value = "substantial_action", source = "house" }',
        'substantial_action = { value = "tda", source = "house" }',
        f'check_and_fold_is_action = {{ value = {value}, source = "house" }}',
    )
    table = on_flop(house=house)
    table.act("9 check, 1 fold")
    table.report("N1")
    assert table.alerts()[-1].rule == row
    table = on_flop(house=house)
    table.act("9 check, 1 check")
    table.report("N1")
    assert table.alerts()[-1].rule == "N1"


@pytest.mark.parametrize(
    ("actions", "told", "too_late"),
    [
        ("2 call, 3 call, 5 fold", 1, False),
        ("2 call, 3 call, 5 fold, 7 fold", 2, False),
        ("2 call, 3 call, 5 fold, 7 call", 2, True),
    ],
)
def test_a2_only_what_was_done_behind_the_seat_counts(actions: str, told: int, too_late: bool) -> None:
    """TDA: two folds are no substantial action, and what was done before the seat had its turn is none of it."""
    table = dealt(house="tda2024")
    table.act(actions)
    assert table.tell(cmd.Report("A2", 3, count=told)) is None
    ruling = load_house("tda2024").rules["A2"]
    assert table.alert("A2").remedy == (ruling.after_sa if too_late else ruling.remedy)
