"""Cards that are read where they do not lie: at the edge of the burn spot, at the seat of a hand that is mucked, or on no board at all."""

from __future__ import annotations

import msgspec
import pytest

from dealer_assist.procedure.alignment.sensing import FINE, TABLE
from dealer_assist.procedure.events import CardLeft, CardLies
from dealer_assist.procedure.evolve import evolve
from dealer_assist.table.inputs import CardRemoved
from dealer_assist.table.ports import TagGlimpsed, TagRemoved
from tests.procedure.test_board_watch import to_flop
from tests.procedure.test_edges import kinds, rules
from tests.table.driver import ORDER, Driver, uid
from tests.table.test_rules import on_flop


def short_flop(table: Driver) -> str:
    """A flop whose third card is not read, and is acted on; returns that card."""
    table.burn()
    table.board(2)
    third = table.next_card()
    table.where[third] = "off"
    table.wait(1500)
    table.act("9 check")
    del table.where[third]
    return third


def test_a_board_card_that_the_burn_spot_reads_for_a_moment_is_no_burn() -> None:
    """It is the flop card that was missing, and the turn's burn is not the second one."""
    table = to_flop(sensing=TABLE)
    third = short_flop(table)
    table.put(third, "burn")
    table.wait(300)
    table.take(third)
    table.wait(800)
    table.put(third, "board")
    table.wait(1500)
    assert rules(table) == ["K10"]
    assert [slot.street for slot in table.hand.procedure.board] == ["flop"] * 3
    table.put(third, "burn")  # and once more
    table.put(third, "board")
    table.check_down()
    assert kinds(table) == ("burn", "turn")
    table.street(1)
    table.check_down()
    assert kinds(table) == ("burn", "river")
    assert rules(table) == ["K10"]


def at_edge(table: Driver, third: str, *lies_ms: int) -> None:
    """The burn spot reads a card that lies on the board, so long each time."""
    for ms in lies_ms:
        table.put(third, "burn")
        table.wait(ms)
        table.take(third)
        table.wait(800)


def test_it_is_none_either_once_the_round_is_closed() -> None:
    """Its read is the turn's burn until the board reads it; then that burn is due again."""
    table = to_flop(sensing=TABLE)
    third = short_flop(table)
    table.check_down()
    at_edge(table, third, 300)
    assert kinds(table) == ("board", "turn")
    table.put(third, "board")
    table.wait(1500)
    assert kinds(table) == ("burn", "turn")
    assert [slot.street for slot in table.hand.procedure.board] == ["flop"] * 3
    table.street(1)
    table.check_down()
    table.street(1)
    assert (rules(table), len(table.hand.procedure.burns)) == (["K10"], 3)


@pytest.mark.parametrize("then", ["burn", "turn"])
def test_the_real_burn_of_the_turn_may_be_read_behind_it_or_not_at_all(then: str) -> None:
    table = to_flop(sensing=TABLE)
    third = short_flop(table)
    table.check_down()
    at_edge(table, third, 300)
    if then == "burn":
        table.burn()
        assert rules(table) == ["K10", "N5"]
    else:
        table.board(1)
        table.wait(1500)
    table.put(third, "board")
    table.wait(1500)
    assert [alert.state for alert in table.alerts() if alert.rule == "N5"] == ["withdrawn"] * (then == "burn")
    if then == "burn":
        table.board(1)
        table.wait(1500)
    assert [slot.street for slot in table.hand.procedure.board].count("flop") == 3
    table.check_down()
    table.street(1)
    assert kinds(table) == ("bet", "river")
    assert [rule for rule in rules(table) if rule != "N5"] == ["K10"]


def test_what_was_asked_about_an_early_burn_falls_away_with_it() -> None:
    table = to_flop(sensing=TABLE)
    third = short_flop(table)
    table.put(third, "burn")
    table.wait(300)
    table.take(third)
    table.wait(5000)
    assert table.alert("N10").state == "open"
    table.put(third, "board")
    assert table.alert("N10").state == "withdrawn"
    table.wait(6000)
    assert rules(table) == ["K10", "N10"]


def test_nothing_is_asked_of_a_burn_that_was_taken_back_in_time() -> None:
    table = to_flop(sensing=TABLE)
    third = short_flop(table)
    at_edge(table, third, 300)
    table.put(third, "board")
    assert "burn_early" not in table.hand.procedure.deadlines


@pytest.mark.parametrize("closed", [False, True])
def test_a_card_that_is_laid_on_the_burn_spot_again_and_stays_is_a_burn(*, closed: bool) -> None:
    table = to_flop(sensing=TABLE)
    third = short_flop(table)
    if closed:
        table.check_down()
    at_edge(table, third, 300, 8000)
    table.put(third, "board")
    assert "K11" in rules(table)


@pytest.mark.parametrize(("last_ms", "strange"), [(500, False), (1500, True)])
def test_how_long_the_burn_spot_read_it_goes_by_its_last_read(last_ms: int, *, strange: bool) -> None:
    """A reader family that is slow to tell that a card is gone tells of it 2 s after its first read."""
    table = to_flop(sensing=TABLE)
    third = short_flop(table)
    table.check_down()
    table.put(third, "burn")
    first_ms = table.t_ms
    table.wait(2000)
    table.move(TagRemoved("burn", uid(third), first_ms + last_ms, table.t_ms))
    del table.where[third]
    assert list(table.hand.procedure.last_ms.values()) == [first_ms + last_ms]
    table.put(third, "board")
    assert ("K11" in rules(table)) == strange


def test_a_burn_that_lay_there_and_lies_on_the_board_came_back() -> None:
    table = to_flop(sensing=TABLE)
    third = short_flop(table)
    table.check_down()
    table.put(third, "burn")
    table.wait(3000)
    table.put(third, "board")
    assert "K11" in rules(table)


def test_a_card_of_a_mucked_hand_that_its_seat_reads_once_more_is_its_own() -> None:
    """The seat's second card was read only once when it was dealt: nobody knows whose it is when it is mucked."""
    for seen in (True, False):
        table = Driver()
        first = table.pitch(*ORDER)[3]
        table.pitch(9, 1, 2)
        second = table.next_card()
        if seen:
            table.move(TagGlimpsed("seat3", uid(second), table.t_ms, table.t_ms + 100))
        table.where[second] = "muck"
        table.pitch(5, 7)
        del table.where[second]
        table.put(first, "muck")
        table.put(second, "muck")
        table.put(second, "seat3")
        assert "K11" not in rules(table)


def test_a_card_of_nobody_from_the_muck_at_a_seat_that_lacks_none_came_back() -> None:
    table = on_flop()
    strange = table.put(table.next_card(), "muck")
    table.put(strange, "seat3")
    assert "K11" in rules(table)


def second_burn(table: Driver, pause_ms: int, acts: str = "") -> list[str]:
    """The turn's burn, and another one so long after it; before both, these acts on the flop."""
    if acts:
        table.act(acts)
    table.check_down()
    table.burn()
    table.wait(pause_ms)
    table.burn()
    return rules(table)


def test_a_burn_long_after_the_one_before_it_follows_a_board_card_that_was_not_read() -> None:
    """Six players check it in six seconds, two in two; all-in nobody has to."""
    assert second_burn(on_flop(sensing=TABLE), 5500) == []
    assert second_burn(on_flop(sensing=TABLE), 2000, "9 bet 2, 1 fold, 2 fold, 3 fold, 5 fold, 7 call") == []
    all_in = "9 allin, 1 allin, 2 allin, 3 allin, 5 allin, 7 allin"
    assert second_burn(on_flop(sensing=TABLE), 2000, all_in) == []


def test_a_burn_before_anybody_can_have_acted_is_the_second_one() -> None:
    table = on_flop(sensing=TABLE)
    assert second_burn(table, 2500) == ["N5"]
    table.answer("no")
    table.take(next(face for face in reversed(table.where) if table.where[face] == "burn"))
    assert len(table.hand.procedure.burns) == 2


def test_two_burns_on_end_are_asked_about_and_after_a_pause_where_board_cards_are_hardly_ever_missed() -> (
    None
):
    assert second_burn(on_flop(sensing=TABLE), 0) == ["N5"]
    assert second_burn(on_flop(sensing=FINE), 5500) == ["N5"]


def test_a_burn_spot_that_hears_its_older_burns_no_more_says_nothing_of_a_missing_one() -> None:
    for silent in (True, False):
        table = on_flop(sensing=FINE)
        table.check_down()
        if silent:
            table.take(next(face for face, zone in table.where.items() if zone == "burn"))
        table.board(1)
        table.wait(9000)
        assert rules(table) == ([] if silent else ["N3"])


def test_journals_that_do_not_keep_first_and_last_reads_are_judged_without_them() -> None:
    given = msgspec.json.decode(
        b'{"input": "card_removed", "ref": "c", "zone": "burn", "t_ms": 9}', type=CardRemoved
    )
    assert given.last_ms == 0
    state = on_flop().hand.procedure
    state = evolve(state, CardLies("c", "burn", 5000))
    assert state.came_ms["c"] == 5000
    assert evolve(state, CardLeft("c", "burn", 6400)).edge_burns == {"c"}
    assert evolve(state, CardLeft("c", "burn", 6600)).edge_burns == set()
    state = evolve(state, CardLies("c", "burn"))
    assert "c" not in state.came_ms
    assert evolve(state, CardLeft("c", "burn", 300)).edge_burns == set()


@pytest.mark.parametrize("before_ms", [200, 4000])
def test_a_board_card_that_the_muck_reads_a_moment_before_is_the_boards(before_ms: int) -> None:
    """Its face stays hidden all the same until a person enters it: a card that was read in the muck may be a folded one."""
    table = on_flop()
    table.check_down()
    table.burn()
    turn = table.next_card()
    table.put(turn, "muck")
    table.wait(before_ms)
    table.put(turn, "board")
    table.wait(1500)
    table.act("9 check")
    assert rules(table) == []
    assert kinds(table) == ("bet", "turn")
    assert len(table.hand.procedure.board) == 4
    assert len(table.hand.board_faces()) == 3


def test_a_card_that_lay_in_the_muck_is_no_board_card() -> None:
    table = on_flop()
    stray = table.next_card()
    table.put(stray, "muck")
    table.check_down()
    table.burn()
    table.wait(5000)
    table.put(stray, "board")
    table.wait(1500)
    assert rules(table) == ["K11"]
