"""The page that opens and closes the table: what it shows, and that it stops nothing."""

from __future__ import annotations

from msgspec.structs import replace

from dealer_assist.domain.facts import DeviceFact, HandFact
from dealer_assist.domain.link import Result
from dealer_assist.domain.shift import CloseTable, OpenTable
from tests.station.page_kit import show


def test_a_table_is_opened_with_or_without_a_count(at):
    window, page, sent = at("page-shift-first")
    assert "1 deck was never checked" in page.labels
    assert "1 deck has been in use for more than 24 h" in page.labels
    page.keys["open"].click()
    for digit in ("5", "00"):
        window.pad.keys[digit].click()
    assert "Chips in the tray: 500" in page.labels
    page.keys["open"].click()
    assert sent == [OpenTable(), OpenTable(500)]
    window.receive((Result("2", ok=False, code="table_is_open"),))
    assert page.note == "The table is open already."


def test_what_is_amiss_before_the_first_hand_is_said(at, qtbot):
    window, page, _ = at("page-shift-first")
    show(window, qtbot, DeviceFact("burn-1", "reader", "lost", ("burn",)))
    assert "1 device needs attention" in page.labels


def test_a_shift_shows_its_figures_and_what_is_still_open(at, qtbot):
    window, page, sent = at("page-shift")
    shown = page.labels
    for text in (
        "214",
        "3",
        "4",
        "9",
        "7",
        "1",
        "4 574".replace(" ", window.tr_("format.group")),
        "2 decks are on the table",
    ):
        assert text in shown, text
    assert any("Jackpot drop 214" in label for label in shown)
    page.keys["close_table"].click()
    assert sent == []  # held, not tapped
    page.keys["close_table"].hold_ms = 50
    page.keys["close_table"].pressed.emit()
    qtbot.waitUntil(lambda: bool(sent), timeout=5000)
    assert sent == [CloseTable()]


def test_it_closes_between_hands_only(at, qtbot):
    window, page, _ = at("page-shift")
    show(window, qtbot, HandFact("1", 1, "betting", "flop", 7, 8, 9))
    page = window.pages.open_page("shift")
    assert not page.keys["close_table"].isEnabled()


def test_the_head_line_says_that_a_table_is_closed(at, qtbot):
    window, page, _ = at("page-shift-closed")
    assert "CLOSED" in window.header.accessibleName()
    assert any(label.startswith("Closed · ") for label in page.labels)
    show(window, qtbot, replace(window.state.shift, open=True))
    assert "CLOSED" not in window.header.accessibleName()
