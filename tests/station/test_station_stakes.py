"""Straddles and kill pots at the station: offered while nobody has acted, one tap, to the command."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dealer_assist.domain.commands import OpenHand, Straddle
from dealer_assist.domain.facts import Fact, PadFact, StraddleOffer, UndoFact
from dealer_assist.domain.link import Result, Update
from dealer_assist.station import canned
from tests.station.taps import Sent, tap


@pytest.fixture
def table(open_window):
    def make(name, **options):
        window = open_window(canned.STATES[name](), **options)
        sent = Sent()
        window.set_sender(sent)
        return window, sent

    return make


def shows(window, *facts: Fact):
    window.receive((Update(window.state.seq + 1, 0, facts),))


OFFERS = (StraddleOffer(3, 200, 200), StraddleOffer(5, 200, 200))
MANY = tuple(StraddleOffer(seat, 200, 9000) for seat in (1, 3, 5, 7))


def test_a_straddle_is_one_key_while_the_cards_are_dealt(table, qtbot):
    window, sent = table("deal")
    keys = window.pad.keys
    assert not keys["ask-0"].isVisible()
    shows(window, PadFact(None, straddles=OFFERS))
    assert keys["ask-0"].text() == "Straddle, seat 3"
    assert "200" in keys["ask-0"].accessibleName()
    assert not keys["ask-2"].isVisible()
    tap(qtbot, keys["ask-1"])
    assert sent == [Straddle(5, 200)]


def test_where_any_seat_may_it_is_reached_by_a_tap_on_the_seat(table, qtbot):
    window, sent = table("deal")
    shows(window, PadFact(None, straddles=MANY))
    assert not window.pad.keys["ask-0"].isVisible()
    window.table.seat_tapped.emit(3)
    key = window.seat_sheet.keys["straddle"]
    assert key.text() == "Straddle 200"
    tap(qtbot, key)
    assert sent == [Straddle(3)]


def test_an_amount_that_was_typed_is_the_straddle(table, qtbot):
    window, sent = table("play")
    pad = replace(window.state.pad, straddles=MANY)
    shows(window, pad)
    window.table.seat_tapped.emit(7)
    tap(qtbot, window.seat_sheet.keys["straddle_more"])
    tap(qtbot, *(window.pad.keys[digit] for digit in "50"), window.pad.keys["0"])
    assert window.seat_sheet.keys["straddle"].text() == "Straddle 500"
    tap(qtbot, window.seat_sheet.keys["straddle"])
    assert sent == [Straddle(7, 500)]


def test_seats_that_may_not_straddle_are_not_asked(table):
    window, _ = table("play")
    shows(window, replace(window.state.pad, straddles=OFFERS))
    window.table.seat_tapped.emit(1)
    assert not window.seat_sheet.keys["straddle"].isVisible()


def test_undo_and_refusals_say_it_in_words(table, qtbot):
    window, _ = table("play")
    shows(window, UndoFact("straddle", {"seat": 3, "amount": 200}))
    assert "straddle of seat 3" in window.pad.keys["undo"].text()
    tap(qtbot, window.pad.keys["fold"])
    window.receive((Result("1", ok=False, code="straddle_stands", params={"by": 3}),))
    assert window.pad.message == "Seat 3 has straddled already: one is all."


@pytest.mark.parametrize(("kill", "text"), [("half", "HALF KILL"), ("full", "KILL")])
def test_the_header_says_that_the_pot_is_killed(table, kill, text):
    window, _ = table("play")
    assert "KILL" not in window.header.accessibleName()
    shows(window, replace(window.state.hand, kill=kill))
    assert f" {text} " in window.header.accessibleName()


@pytest.mark.parametrize(("kill", "text"), [("half", "Next hand: half kill"), ("full", "Next hand: kill")])
def test_the_next_hand_is_a_kill_pot_by_one_key_where_the_table_plays_them(table, qtbot, kill, text):
    window, sent = table("idle")
    keys = window.pad.keys
    assert not keys["kill"].isVisible()
    shows(window, replace(window.state.table, kill=kill))
    assert keys["kill"].text() == text
    tap(qtbot, keys["kill"])
    assert sent == [OpenHand(kill=kill)]
