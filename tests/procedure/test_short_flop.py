"""F3 by the antennas: two cards of a flop are read and the third is not, for longer than a card goes unread."""

from __future__ import annotations

import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.procedure.alignment.sensing import BAD, FINE, TABLE, SensingParameters
from dealer_assist.procedure.alignment.street import short
from dealer_assist.table.ports import TagGlimpsed
from tests.procedure.test_board_watch import to_flop
from tests.procedure.test_edges import kinds, rules
from tests.table.driver import Driver, uid
from tests.table.test_rules import play_to_end
from tests.table.test_run_it import before_the_flop, lay, rest, run


def two_cards(sensing: SensingParameters = FINE) -> Driver:
    """A burn and two cards of the flop, read."""
    table = to_flop(sensing=sensing)
    table.burn()
    table.board(2)
    return table


@pytest.mark.parametrize(("sensing", "quiet_ms", "asked_ms"), [(FINE, 5900, 6100), (TABLE, 7900, 8100)])
def test_it_is_asked_as_soon_as_an_unread_card_is_the_less_likely_one(
    sensing: SensingParameters, quiet_ms: int, asked_ms: int
) -> None:
    table = two_cards(sensing)
    table.wait(quiet_ms)
    assert rules(table) == []
    table.wait(asked_ms - quiet_ms)
    assert (rules(table), table.alert("F3").question) == (["F3"], "third_card")
    assert [told.code for told in table.alert("F3").explanations] == ["two_flop", "third_unread"]


def test_no_proves_it_and_the_third_card_is_dealt() -> None:
    table = two_cards()
    table.wait(6500)
    table.answer("no")
    assert (table.alert("F3").evidence, table.alert("F3").remedy) == ("proven", "turn_third")
    table.board(1)
    table.wait(1500)
    assert table.alert("F3").state == "closed"
    assert kinds(table) == ("bet", "flop")
    play_to_end(table)


def test_yes_closes_it_and_it_is_not_asked_again() -> None:
    table = two_cards()
    table.wait(6500)
    table.answer("yes")
    table.wait(10_000)
    assert [alert.state for alert in table.alerts()] == ["closed"]


@pytest.mark.parametrize("comes", ["read", "entered", "acted_on"])
def test_it_falls_away_where_the_third_card_is_read_entered_or_acted_on(comes: str) -> None:
    table = two_cards()
    table.wait(6500)
    if comes == "read":
        table.board(1)
    elif comes == "entered":
        assert table.tell(cmd.EnterCard(table.next_card())) is None
    else:
        table.act("9 check")
    table.wait(1500)
    assert table.alert("F3").state == "withdrawn"
    assert kinds(table) == ("bet", "flop")


def test_nothing_is_asked_of_a_card_that_was_read_once_or_where_the_antenna_says_nothing() -> None:
    for case in ("glimpsed", "glimpsed_first", "poor", "covered"):
        table = two_cards(BAD if case == "poor" else FINE)
        if case == "glimpsed_first":
            table = to_flop(sensing=FINE)
            table.burn()
            table.wait(900)
            third = table.next_card()
            table.move(TagGlimpsed("board", uid(third), table.t_ms - 70, table.t_ms + 700))
            table.where[third] = "unread"
            table.put(table.next_card(), "board")
            table.wait(80)
            table.put(table.next_card(), "board")
            del table.where[third]
        elif case == "glimpsed":
            third = table.next_card()
            table.move(TagGlimpsed("board", uid(third), table.t_ms, table.t_ms + 700))
        elif case == "covered":
            for face in [face for face, zone in table.where.items() if zone == "board"]:
                table.take(face)
        table.wait(10_000)
        assert rules(table) == [], case


def test_the_odds_grow_with_the_silence_and_are_less_where_cards_lie_badly() -> None:
    told = [short(TABLE, lain_ms) for lain_ms in (0, 2000, 8000)]
    assert told == sorted(told)
    assert told[0] < 100
    assert short(FINE, 2000) > 2 * short(TABLE, 2000)


def test_a_burn_that_was_read_over_the_board_is_no_third_card() -> None:
    table = to_flop(sensing=FINE)
    table.wait(900)
    table.move(TagGlimpsed("board", uid(table.next_card()), table.t_ms, table.t_ms + 700))
    table.burn()
    table.board(2)
    table.wait(6500)
    assert rules(table) == ["F3"]


@pytest.mark.parametrize("said", ["yes", "no"])
def test_what_was_said_of_one_board_is_not_said_of_the_next(said: str) -> None:
    """It is run twice before the flop, and both flops lack a card."""
    table = before_the_flop(sensing=FINE)
    assert run(table, 2) is None
    lay(table, "board", 2)
    table.wait(5000)
    table.answer(said)
    third = table.next_card()
    if said == "yes":
        assert table.tell(cmd.EnterCard(third)) is None
        table.where[third] = "unread"
    else:
        table.put(third, "board")
    table.wait(1500)
    assert table.alert("F3").state == "closed"
    rest(table, "board", (1, 1))
    lay(table, "board2", 2)
    table.wait(5000)
    assert [(alert.rule, alert.state, alert.params["run"]) for alert in table.alerts()] == [
        ("F3", "closed", 1),
        ("F3", "open", 2),
    ]


def test_a_flop_that_is_dealt_again_is_another_one() -> None:
    table = to_flop(sensing=FINE)
    table.burn()
    five = table.board(5)
    table.wait(1500)
    table.answer("yes")
    assert (rules(table), table.alert("F2").remedy) == (["F2"], "reflop_no_burn")
    for face in five:
        table.take(face)
    table.wait(5000)
    table.board(2)
    table.wait(6500)
    assert rules(table) == ["F2", "F3"]


def test_a_question_that_fell_away_says_nothing_of_the_flop() -> None:
    """Four cards were read, one of them in passing; then two lie there."""
    table = to_flop(sensing=FINE)
    table.burn()
    flop = table.board(4)
    table.wait(1500)
    assert rules(table) == ["F1"]
    assert table.tell(cmd.Respond("F1", "misread")) is None
    for face in flop[2:]:
        table.take(face)
    table.wait(8000)
    assert (table.alert("F1").state, rules(table)) == ("withdrawn", ["F1", "F3"])


def test_a_flop_whose_burn_was_not_read_lacks_a_card_all_the_same() -> None:
    table = to_flop(sensing=FINE)
    table.board(2)
    table.wait(6500)
    assert (rules(table), table.alert("F3").street) == (["F3"], "flop")
    table.answer("no")
    table.board(1)
    table.wait(1500)
    assert table.said() == [("F3", "proven", "closed"), ("N1", "probable", "open")]
    table.answer("yes")
    table.act("9 check")
    assert kinds(table) == ("bet", "flop")
