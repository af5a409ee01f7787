"""The felt in words: complete, in step with facts and language, reached by the keyboard, without a hidden card."""

from __future__ import annotations

from functools import cache

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible

from dealer_assist.domain.facts import BoardCard, BoardFact, PotFact, PotView
from dealer_assist.domain.link import LINK_VERSION, Hello, Snapshot, Update
from dealer_assist.station import canned, lettering
from dealer_assist.station.i18n import LANGUAGES, Translator
from dealer_assist.station.scene.words import lines
from dealer_assist.station.viewmodel import ViewState, fold


def state_of(name):
    state = ViewState()
    for message in (Hello(LINK_VERSION, "7", simulated=False), Snapshot(1, canned.STATES[name]())):
        state = fold(state, message)
    return state


@cache
def translator(language):
    return Translator(language)


def texts(state, language="en"):
    return [line.text for line in lines(translator(language), state)]


def test_each_seat_board_pot_and_pile_has_its_line():
    assert texts(state_of("play")) == [
        "ACTION: SEAT 5. 45 to call",
        "Seat 1, 380, 2 cards face down",
        "Seat 2, 1\u202f215, bet, bet 45, 2 cards face down",
        "Seat 3, 640, fold",
        "Seat 4, away, 220",
        "Seat 5, 910, to act, 2 cards face down",
        "Seat 6, empty",
        "Seat 7, 2\u202f040, fold",
        "Seat 8, out, —, SB",
        "Seat 9, 75, BB, fold",
        "Button at seat 7",
        "Board: king of hearts, seven of spades, two of diamonds",
        "Burns: 1",
        "Mucked: 6",
        "Pot: 180, seats 1, 2 and 5",
        "bets: 45",
    ]


def test_side_pots_say_who_is_in_each():
    found = texts(state_of("full-ring"), "uk")
    assert "Сайд 1: 8\u202f240, місця 1, 2, 3 і 5" in found and "Сайд 2: 1\u202f600, місця 2 і 3" in found


def test_a_hidden_card_is_only_counted():
    question = texts(state_of("question"))
    assert "Board: king of hearts, seven of spades, two of diamonds, 1 card not read" in question
    shown = texts(state_of("showdown"))
    assert "Seat 2, 835, shows king of diamonds, seven of diamonds" in shown
    assert "Seat 5, 0, shows ace of spades, 1 card face down" in shown
    assert "Seat 1, 0, 2 cards face down" in shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_state_has_lines_in_every_language(language):
    for name in canned.STATES:
        state = state_of(name)
        found = texts(state, language)
        assert len(found) >= 1 + len(state.seats) + 1 + state.boards and all(found), name


def test_the_list_follows_facts_and_language_and_assistive_programs_can_read_it(open_window):
    window = open_window(canned.STATES["play"]())
    inside = QAccessible.queryAccessibleInterface(window.felt_list)

    def read():
        return [inside.child(row).text(QAccessible.Text.Name) for row in range(inside.childCount())]

    assert inside.text(QAccessible.Text.Name) == "The table in words"
    assert not inside.state().invisible
    assert read() == texts(window.state)
    window.receive((Update(2, 0, (PotFact((PotView(225, (1, 2)), PotView(45, (2, 5))), 0, 270),)),))
    assert read() == texts(window.state) and "Side 1: 45, seats 2 and 5" in read()
    window.set_language("bg")
    assert read() == texts(window.state, "bg")
    assert inside.text(QAccessible.Text.Name) == "Масата с думи"


def test_the_keyboard_walks_through_the_list_and_goes_on_working(open_window, qtbot):
    window = open_window(canned.STATES["play"]())
    felt, table = window.felt_list, window.table
    order = window.children()
    assert order.index(felt) < order.index(table)  # below the picture
    qtbot.keyClick(window, Qt.Key.Key_F7)
    qtbot.waitUntil(felt.hasFocus)
    order = window.children()
    assert order.index(felt) > order.index(table) and felt.geometry() == table.geometry()
    assert felt.currentIndex().row() == 0
    for _ in range(3):
        qtbot.keyClick(felt, Qt.Key.Key_Down)
    assert felt.lines[felt.currentIndex().row()].seat == 3
    window.receive((Update(2, 0, (replace(window.state.seat(3), marks=("assumed",)),)),))
    assert felt.lines[felt.currentIndex().row()].text == "Seat 3, 640, fold, assumed"
    qtbot.keyClick(felt, Qt.Key.Key_4)
    qtbot.waitUntil(lambda: window.pad.entry == "4")
    qtbot.keyClick(felt, Qt.Key.Key_Return)
    assert window.seat_sheet.isVisible() and window.seat_sheet.seat == 3 and not felt.hasFocus()
    order = window.children()
    assert order.index(felt) < order.index(table)


def test_the_list_is_whole_at_150_percent(qtbot, open_window):
    window = open_window(canned.STATES["full-ring"](), language="ru", text=1.5)
    window.receive((Update(2, 0, (BoardFact((BoardCard("Kh"), BoardCard(None)), 1, 0),)),))
    felt = window.felt_list
    felt.setFocus()
    qtbot.wait(1)
    assert felt.font().pixelSize() == round(window.metrics.px(26) * 1.5)
    for row, line in enumerate(felt.lines):
        felt.scrollTo(felt.model().index(row))
        box = felt.visualRect(felt.model().index(row))
        needed = felt.fontMetrics().boundingRect(
            0,
            0,
            felt.viewport().width() - 2 * felt.spacing() - 8,
            9999,
            int(Qt.TextFlag.TextWordWrap),
            line.text,
        )
        assert box.height() >= needed.height() and felt.viewport().rect().contains(box), line.text


def test_a_text_scale_is_between_one_and_one_and_a_half(dressed):
    before = lettering.text_scale()
    for scale in (0.9, 1.6):
        with pytest.raises(ValueError, match=r"1\.0 to 1\.5 expected"):
            lettering.set_text_scale(scale)
    assert lettering.text_scale() == before
    lettering.set_text_scale(1.5)
    assert lettering.scales() == (1.5, 1.4, 1.3, 1.2, 1.1, 1.0)
    assert lettering.fit("9", 500, 500, 20).font.pixelSize() == 30
    lettering.set_text_scale(before)
