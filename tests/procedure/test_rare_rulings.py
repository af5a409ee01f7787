"""Rulings that few hands need: points, run-outs, the river, answers that come when the plan has moved on."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_assist.composition import load_game, load_house
from dealer_assist.domain import commands as cmd
from dealer_assist.domain.commands import Refused
from firmware_protocol.toml_errors import ConfigError
from tests.procedure.test_game_files import GAME
from tests.table.driver import Driver
from tests.table.test_rules import dealt, on_flop, play_to_end


def early_turn(**setup: object) -> Driver:
    """A seat has checked, a burn and a turn card lie there, and R2 asks."""
    table = on_flop(**setup)
    table.act("9 check")
    table.burn()
    table.board(1)
    table.wait(6000)
    assert table.alert("R2").question == "acted"
    return table


# -- points ---------------------------------------------------------------------------------------------------------------


def test_a_point_card_is_one_of_the_seats_own_in_a_game_that_has_points() -> None:
    table = dealt()
    assert table.tell(cmd.SetPoint(9, 1)) == Refused("bad_command", {"reason": "no_point_card"})
    table = Driver(game="double")
    table.pitch(9, 1, 2, 3, 5, 7, 9)
    assert table.tell(cmd.SetPoint(4, 1)) == Refused("bad_seat", {"seat": 4})
    assert table.tell(cmd.SetPoint(9, 0)) == Refused("bad_seat", {"seat": 9})
    assert table.tell(cmd.SetPoint(9, 4)) == Refused("bad_seat", {"seat": 9})
    assert table.tell(cmd.SetPoint(9, 3)) == Refused("bad_command", {"reason": "card_not_read"})
    assert table.tell(cmd.SetPoint(9, 2)) is None
    assert table.hand.procedure.chosen[9] == (table.hand.procedure.held[9][1],)


# -- run-outs -------------------------------------------------------------------------------------------------------------


def all_in(**setup: object) -> Driver:
    table = dealt(**setup)
    table.act("2 allin, 3 call, 5 fold, 7 fold, 9 fold, 1 fold")
    assert table.hand.bets.runout
    return table


@pytest.mark.parametrize(
    ("answer", "evidence", "state"), [("yes", "probable", "closed"), ("no", "proven", "open")]
)
def test_hands_of_a_run_out_are_asked_about_after_the_burn(answer: str, evidence: str, state: str) -> None:
    """Yes: only the taps are missing. No: they are turned up now."""
    table = all_in(house="tda2024")
    table.burn()
    table.wait(5000)
    alert = table.alert("A12")
    assert (alert.question, alert.params) == ("hands_up", {"seats": [2, 3]})
    table.answer(answer)
    alert = table.alerts()[-1]
    assert (alert.evidence, alert.state, alert.answered) == (evidence, state, answer)


def test_hands_of_a_run_out_have_their_time_from_the_burn_on() -> None:
    """Before the burn nobody asks; what happens meanwhile gives no more time."""
    table = all_in(house="tda2024")
    table.wait(12000)
    assert table.said() == []
    table.burn()
    table.wait(3000)
    lifted = next(face for face, zone in table.where.items() if zone == "seat2")
    table.take(lifted)
    table.put(lifted, "seat2")
    assert table.said() == []
    table.wait(1100)
    assert table.alert("A12").question == "hands_up"


def test_nothing_is_too_late_in_a_run_out() -> None:
    """R8: nobody can have acted, so the ruling before action holds."""
    table = all_in(house="tda2024")
    table.burn()
    table.board(3)
    table.wait(1500)
    table.report("N1")
    ruling = load_house("tda2024").rules["N1"]
    assert table.alerts()[-1].rule == "N1"
    assert table.alerts()[-1].remedy in (ruling.remedy, ruling.not_faced)


@pytest.mark.parametrize("house", ["seed", "tda2024", "wsop_cash"])
@pytest.mark.parametrize("acted", [False, True])
def test_d7_the_buttons_own_action_counts(house: str, acted: bool) -> None:
    table = dealt(house=house)
    table.act("2 call, 3 call, 5 call")
    if acted:
        table.act("7 call")
    table.report("D7", 7)
    ruling = load_house(house).rules["D7"]
    if ruling.after_action is not None and ruling.after_sa is None:
        assert table.alerts()[-1].remedy == (ruling.after_action if acted else ruling.remedy)
    assert table.alerts()[-1].rule == "D7"


# -- the street after -----------------------------------------------------------------------------------------------------


def test_r4_on_the_river_is_about_the_card_that_came_before_the_turns_betting_was_over() -> None:
    table = on_flop()
    for _ in range(2):
        table.check_down()
        table.street(1)
    table.act("9 check")
    table.report("R4", 1)
    if table.alert("R4").options:
        assert table.tell(cmd.Rule("R4", "redo_street")) is None
    assert table.alerts()[-1].steps[-1].code == "river_no_burn"


def test_taps_that_come_after_the_question_answer_it() -> None:
    table = early_turn()
    table.act("1 check, 2 check, 3 check, 5 check, 7 check")
    assert (table.alerts()[0].rule, table.alerts()[0].state) == ("R2", "withdrawn")
    table.wait(2000)
    play_to_end(table)


@pytest.mark.parametrize("house", ["seed", "roberts", "wsop_cash", "tda2024", "wsop_tournament"])
@pytest.mark.parametrize("when", ["asked", "proven", "after the bets"])
def test_an_early_card_that_is_dealt_on_plays(house: str, when: str) -> None:
    table = early_turn(house=house)
    if when != "asked":
        table.answer("no")
    if when == "after the bets":
        table.check_down()
    assert table.tell(cmd.Respond("R2", "deal_on")) is None
    table.check_down()
    table.wait(3000)
    assert table.hand.procedure.street in ("turn", "river")
    turn = [slot for slot in table.hand.procedure.board if slot.street == "turn"]
    assert len(turn) == 1
    assert not turn[0].early
    assert len(table.hand.procedure.burns) >= 1


def test_n6_put_back_in_order_that_was_a_misread_leaves_the_flop() -> None:
    table = dealt()
    table.check_down()
    table.burn()
    table.burn()
    flop = table.board(3)
    table.wait(1500)
    table.answer("no")
    if table.alerts()[-1].question == "turned_up":
        table.answer("no")
    alert = table.alerts()[-1]
    assert (alert.rule, alert.remedy) == ("N6", "put_back_in_order")
    assert table.tell(cmd.Respond("N6", "misread")) is None
    table.wait(1500)
    assert table.hand.board_faces() == tuple(flop)


def test_two_burns_before_the_flop_that_are_bet_on_unasked() -> None:
    """Nothing of the flop lies there when the dealer taps on: the question stays as it is."""
    table = dealt()
    table.check_down()
    table.burn()
    table.burn()
    assert table.said() == [("N5", "probable", "open")]
    refused = table.tell(cmd.Act(9, "check"))
    assert [alert.rule for alert in table.alerts()] == ["N5"] or refused is not None


# -- files ----------------------------------------------------------------------------------------------------------------


def test_a_window_buys_back_what_was_folded_before_the_flop(tmp_path: Path) -> None:
    text = GAME.replace("hole = 2", 'hole = 2\nposts = "unfold"\nfolded = "kept"')
    text = text.replace('name = "flop"', 'name = "flop"\nwindow = true')
    path = tmp_path / "mine.toml"
    path.write_text(text)
    assert load_game(str(path)).posts == "unfold"
    path.write_text(text.replace('name = "preflop"', 'name = "preflop"\nbet = false'))
    with pytest.raises(ConfigError, match="expected betting before the flop"):
        load_game(str(path))


def test_a_game_that_extends_a_file_that_is_no_toml(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text("name = \n")
    path = tmp_path / "mine.toml"
    path.write_text(f'name = "mine"\nextends = "{tmp_path / "base.toml"}"\n')
    with pytest.raises(ConfigError, match=r"base\.toml:1"):
        load_game(str(path))
