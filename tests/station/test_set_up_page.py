"""The table's set-up on one page: seats, stacks, house, game and limits."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from dealer_assist.domain.commands import SetSeat, SetStack
from dealer_assist.domain.facts import HandFact, SeatFact
from dealer_assist.domain.link import Result
from dealer_assist.domain.terms import SetTable
from tests.station.page_kit import show


def typed(window, text):
    for digit in text:
        window.pad.keys[digit].click()


def test_a_tap_takes_a_seat_from_in_to_away_to_out_and_back(at):
    _, page, sent = at("page-set_up")
    for seat in (1, 4, 8, 6):  # in, away, out, empty
        page.keys[f"seat-{seat}"].click()
    assert sent == [SetSeat(1, "away"), SetSeat(4, "out"), SetSeat(8, "in"), SetSeat(6, "in")]


def test_a_stack_is_typed_and_its_seat_tapped(at):
    window, page, sent = at("page-set_up")
    typed(window, "640")
    assert "Tap the seat that has 640." in page.labels
    page.keys["seat-1"].click()
    assert window.pad.lent_entry == ""  # the next one can be typed at once
    typed(window, "55")
    page.keys["seat-6"].click()
    assert sent == [SetSeat(1, "in", 640), SetSeat(6, "in", 55)]


def test_a_misdealt_hand_that_is_not_over_has_the_stacks_of_a_hand(at, qtbot):
    """The table would refuse what a seat sits with: the hand's chips have not gone back yet."""
    window, page, sent = at("page-set_up")
    hand = HandFact("h7", 7, "misdeal", "preflop", 2, 3, 4)
    seat = next(fact for fact in window.state.seats if fact.seat == 1)
    show(window, qtbot, hand, replace(seat, hand="live"))
    typed(window, "640")
    page.keys["seat-1"].click()
    assert sent == [SetStack(1, 640)]


def test_everybody_gets_the_same_with_one_key(at):
    window, page, sent = at("page-set_up")
    assert not page.keys["everybody"].isEnabled()
    typed(window, "200")
    page.keys["everybody"].click()
    playing = [fact for fact in window.state.seats if fact.status in ("in", "away")]
    assert sent == [SetSeat(fact.seat, fact.status, 200) for fact in playing] and len(sent) == 7


def test_the_chips_on_the_table_are_added_up_and_what_is_not_counted_is_said(at):
    window, page, _ = at("page-set_up-typed")
    total = sum(1_000 * seat for seat in range(1, 12) if seat not in (2, 9))
    assert f"Chips on the table: {window.tr_.number(total)} · 2 stacks not counted" in page.labels


def test_in_a_hand_a_stack_is_what_is_behind_now(at, qtbot):
    window, page, sent = at("page-set_up")
    page.close_page()
    show(
        window,
        qtbot,
        HandFact("1", 1, "betting", "flop", 7, 8, 9),
        SeatFact(1, "in", "live", 380, 20, 2, 2, to_act=True),
    )
    page = window.pages.open_page("set_up")
    typed(window, "300")
    page.keys["seat-1"].click()
    assert sent == [SetStack(1, 300)]
    page.keys["terms"].click()
    assert not page.keys["big_blind"].isEnabled() and not page.keys["send"].isEnabled()
    assert "A hand is running: this can be changed after it." in page.labels


def test_house_game_and_limits_are_sent_as_a_whole(at, qtbot):
    window, page, sent = at("page-set_up-terms")
    page.keys["terms"].click()
    assert not page.keys["send"].isEnabled()
    page.keys["game-1"].click()
    page.keys["other_houses"].click()
    page.keys["house-0"].click()
    typed(window, "20")
    page.keys["big_blind"].click()
    assert page.keys["big_blind"].sub == "20"
    page.keys["send"].click()
    assert sent == [SetTable(house="wsop_cash", game="omaha", big_blind=20)]
    window.receive((Result("1", ok=False, code="rake_unfit"),))
    assert page.note == "The table’s rake does not go with these limits."
    assert page.keys["send"].isEnabled()
    page.keys["send"].click()
    window.receive((Result("2", ok=True),))
    show(window, qtbot, replace(window.state.table, house="wsop_cash", game="omaha", big_blind=20))
    assert page.note == "Counts from the next hand on." and not page.keys["send"].isEnabled()
    assert page.keys["house-0"].role == "chosen"


def test_what_is_chosen_and_what_is_taken_back_is_no_change(at):
    window, page, _ = at("page-set_up-terms")
    page.keys["terms"].click()
    page.keys["game-1"].click()
    page.keys["game-0"].click()
    typed(window, "20")
    page.keys["ante"].click()
    page.keys["ante"].click()
    assert not page.keys["send"].isEnabled()


def test_letters_do_what_the_keys_do_and_none_stands_for_two(at, qtbot):
    window, page, sent = at("page-set_up-terms")
    for view in ("seats", "terms"):
        page.keys[view].click()
        shown = [key.shortcut_hint for key in page.keys.values() if key.isVisible() and key.shortcut_hint]
        assert len(shown) == len(set(shown)), shown
    page.keys["game-1"].click()
    QTest.keyClick(window, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(sent) == 1, timeout=5000)
    page.keys["seats"].click()
    QTest.keyClick(window, "Q")
    qtbot.waitUntil(lambda: len(sent) == 2, timeout=5000)
    assert sent == [SetTable(game="omaha"), SetSeat(1, "away")]
