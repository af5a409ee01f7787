"""The decks' page: what each tap asks the table for, and what the page says of it."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest

from dealer_assist.domain.equipment import (
    AskReceipt,
    CheckDeck,
    DecksFact,
    DeckView,
    RegisterDeck,
    SetDeck,
    SetupFact,
    SetupStep,
)
from dealer_assist.domain.floor import FloorModeFact
from dealer_assist.domain.link import Result
from dealer_assist.station.pages.faces import FACES
from dealer_assist.station.theme import HOLD_MS
from tests.station.page_kit import show


def test_a_deck_is_registered_under_the_next_free_number_of_its_colour(at):
    window, page, sent = at("page-decks")
    page.keys["new"].click()
    page.keys["back-blue"].click()
    assert any("blue 3" in label for label in page.labels)
    page.keys["begin"].click()
    window.pad.keys["7"].click()
    page.keys["zone-gate"].click()
    page.keys["begin"].click()
    assert sent == [RegisterDeck("blue 3", "blue", "muck"), RegisterDeck("blue 7", "blue", "gate")]


def test_a_registration_shows_each_card_and_its_keys_are_its_steps(at, qtbot):
    window, page, sent = at("page-decks-register")
    states = {face: page.keys[f"face-{face}"].state for face in FACES}
    assert [states[face] for face in ("As", "8h", "7c", "Kd")] == ["done", "missing", "next", "missing"]
    assert sum(state == "done" for state in states.values()) == 31
    assert "31 of 52" in page.labels
    for code in ("skip", "back", "pause", "face-8h", "face-7c"):
        page.keys[code].click()
    assert sent == [SetupStep("skip"), SetupStep("back"), SetupStep("pause"), SetupStep("face", "8h")]
    assert page.keys["face-8h"].accessibleName() == "eight of hearts: not yet"
    page.keys["cancel"].click()
    assert len(sent) == 4  # what is forgotten for good is held
    window.receive((Result("4", ok=False, code="face_registered", params={"card": "8h"}),))
    assert page.labels[1] == "8h is registered already. Take that step back first."
    done = SetupFact(note="registered", params={"deck": "green 1"})
    show(window, qtbot, done)
    assert page.keys["new"].isVisible() and not page.keys["skip"].isVisible()
    assert "Deck green 1 is registered." in page.labels


def test_the_head_line_says_that_cards_are_no_hands_meanwhile(at, qtbot):
    window, _, _ = at("page-decks-register")
    assert "DECK REGISTRATION" in window.header.accessibleName()
    show(window, qtbot, SetupFact())
    assert "DECK" not in window.header.accessibleName()


def test_what_is_wrong_with_a_card_is_said_and_marked(at):
    _, page, _ = at("page-decks-two")
    assert "Two cards at once: take both away, and lay down one at a time." in page.labels


def test_a_check_names_no_card_until_it_is_finished_and_then_shows_the_receipt(at, qtbot):
    window, page, sent = at("page-decks-check")
    assert not any(page.keys[f"face-{face}"].isVisible() for face in FACES)
    assert "That is a card of deck blue 1." in page.labels
    page.keys["finish"].click()
    receipt = {"number": 3, "result": "not_complete", "deck": "red 2", "read": 51, "of": 52, "dead": ["4h"]}
    receipt |= {"foreign": {}, "dealer": "17", "t_utc": "2026-11-30T18:20:00Z", "back": "red"}
    receipt |= {"maker": "", "model": "", "serial": "", "firmware": "", "simulated": True, "table": "7"}
    window.receive((Result("1", ok=True, params={"receipt": receipt}),))
    show(window, qtbot, SetupFact(note="check_not_complete", params={"deck": "red 2"}))
    assert sent == [SetupStep("finish")]
    assert "Deck red 2 is not complete. Do not deal from it." in page.labels
    page.keys["receipt_done"].click()
    assert page.keys["new"].isVisible()


def test_a_check_in_which_all_are_read_is_finished_once(at, qtbot):
    window, _, sent = at("page-decks-check")
    for _ in range(3):
        show(window, qtbot, SetupFact("check", "red 2", "", 52, 52, "", "read"))
    assert sent == [SetupStep("finish")]


@pytest.mark.parametrize(
    ("row", "code", "command"),
    [
        (0, "out", SetDeck("red 1", "out")),
        (0, "check", CheckDeck("red 1")),
        (2, "use", SetDeck("red 2", "in_use")),
        (2, "again", RegisterDeck("red 2", "red", "muck", again=True)),
        (4, "go_on", RegisterDeck("green 1", "green", "muck")),
    ],
)
def test_what_can_be_done_with_a_deck_follows_its_state(at, row, code, command):
    _, page, sent = at("page-decks")
    page.keys[f"deck-{row}"].click()
    page.keys[code].click()
    assert sent == [command]


def test_a_quarantine_has_a_reason_in_and_out(at, qtbot):
    window, page, sent = at("page-decks")
    page.keys["deck-2"].click()
    page.keys["quarantine"].click()
    page.keys["reason-marked_card"].click()
    show(window, qtbot, DecksFact((DeckView("red 2", "red", "quarantine", reason="marked_card"),)))
    assert "Marked card" in page.keys["deck-0"].accessibleName()
    page.keys["out"].click()
    page.keys["reason-floor_asked"].click()
    assert sent == [SetDeck("red 2", "quarantine", "marked_card"), SetDeck("red 2", "out", "floor_asked")]


def test_destroying_a_deck_is_held_for_two_seconds(at, qtbot):
    _, page, sent = at("page-decks")
    page.keys["deck-2"].click()
    key = page.keys["retire"]
    key.click()
    assert sent == []
    key.hold_ms = 60
    key.pressed.emit()
    qtbot.waitUntil(lambda: bool(sent), timeout=5000)
    assert sent == [SetDeck("red 2", "retired")]
    assert HOLD_MS == 2000


def test_a_new_set_up_is_two_taps_and_sends_the_old_one_off(at):
    _, page, sent = at("page-decks")
    page.keys["set"].click()
    page.keys["begin"].click()
    assert sent == [
        SetDeck("red 1", "out"),
        SetDeck("blue 1", "out"),
        SetDeck("red 2", "in_use"),
        SetDeck("blue 2", "in_use"),
    ]


def test_the_last_receipt_is_asked_for_and_a_missing_one_is_said(at):
    window, page, sent = at("page-decks")
    page.keys["last"].click()
    window.receive((Result("1", ok=False, code="no_receipt", params={"number": 0}),))
    assert sent == [AskReceipt()]
    assert page.labels[1] == "There is no such receipt."


def test_the_keyboard_does_what_the_keys_do(at, qtbot):
    window, page, sent = at("page-decks-register")
    for number, letter in enumerate("NBP", 1):
        QTest.keyClick(window, letter)
        qtbot.waitUntil(lambda number=number: len(sent) == number, timeout=5000)
    assert sent == [SetupStep("skip"), SetupStep("back"), SetupStep("pause")]
    assert page.isVisible()


def test_what_is_the_floors_asks_for_his_badge_and_the_decks_come_back(at, qtbot):
    window, page, sent = at("page-decks")
    show(window, qtbot, FloorModeFact(configured=True))
    page.keys["new"].click()
    page.keys["begin"].click()
    window.receive((Result("1", ok=False, code="floor_not_signed_in"),))
    assert len(sent) == 1 and window.pages.open.name == "floor"
    show(window, qtbot, FloorModeFact(configured=True, name="Olena", number="1"))
    assert window.pages.open is page


def test_a_registration_that_was_begun_here_is_left_off_with_the_page_and_another_ones_is_not(at, qtbot):
    _, page, sent = at("page-decks-register")
    page.keys["close"].click()
    assert sent == []  # somebody registers at a terminal
    window, page, sent = at("page-decks")
    page.keys["new"].click()
    page.keys["begin"].click()
    show(window, qtbot, SetupFact("registration", "red 3", "muck", 0, 52, "As"))
    page.keys["close"].click()
    assert sent == [RegisterDeck("red 3", "red", "muck"), SetupStep("pause")]
