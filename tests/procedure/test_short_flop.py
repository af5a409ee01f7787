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
    for case in ("glimpsed", "poor", "covered"):
        table = two_cards(BAD if case == "poor" else FINE)
        if case == "glimpsed":
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
