"""The pad: nothing moves, the keypad has one owner, a key does what it meant as the finger came down; the sheet of irregular action."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import (
    Act,
    CallClock,
    DealerPush,
    Irregular,
    Mucked,
    OpenHand,
    PushPots,
    Report,
    RunIt,
    SitDown,
    Tabled,
    TopUp,
    Undo,
)
from dealer_assist.domain.facts import (
    AlertFact,
    DeviceFact,
    NoticeFact,
    NowFact,
    PadFact,
    StraddleOffer,
    UndoFact,
)
from dealer_assist.domain.floor import DealerFact
from dealer_assist.domain.link import Result, Update
from dealer_assist.station import canned, canned_pad, pad
from dealer_assist.station.canned_alerts import EARLY_TURN
from dealer_assist.station.irregular_sheet import KINDS
from dealer_assist.station.keys import BOUNCE_MS, Key
from dealer_assist.station.pad import REACTION_MS
from dealer_assist.station.pad_means import table_keys
from dealer_assist.station.pad_place import places
from dealer_assist.station.shots import SIZES, fill
from dealer_assist.station.theme import metrics_for
from tests.station.taps import Sent, tap

#: keys that a table has or has not, as it is set up
OF_TABLES = ("shuffled", "game-0", "game-1", "other_game", "kill")


@pytest.fixture
def table(open_window):
    def make(name, **options):
        window = open_window((canned.STATES | canned_pad.STATES)[name](), **options)
        sent = Sent()
        window.set_sender(sent)
        return window, sent

    return make


def number(window, qtbot, digits):
    tap(qtbot, *(window.pad.keys[digit] for digit in digits))


def shows(window, *facts: object):
    window.receive((Update(window.state.seq + 1, 0, facts),))


def answered(window, sent, *facts: object):
    """The service takes the newest command."""
    shows(window, *facts)
    window.receive((Result(str(len(sent)), ok=True),))


# -- nothing moves ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mirrored", [False, True])
def test_no_key_of_the_pad_is_ever_elsewhere(open_window, mirrored):
    """Of one hand side, over every canned state: shown or not, a key has one place; those of a table, as it is set up."""
    window = open_window(mirrored=mirrored)
    found: dict[object, QRect] = {}
    for make in (canned.STATES | canned_pad.STATES).values():
        fill(window, make())
        of_table = table_keys(window.state.table)
        for code, key in window.pad.keys.items():
            if code in OF_TABLES and code not in of_table:
                assert not key.isVisible(), "no key of this table"
                continue
            name = (code, of_table) if code in OF_TABLES else code
            assert found.setdefault(name, key.geometry()) == key.geometry(), name
        for part in (window.pad.display, window.now_line, window.pad):
            assert found.setdefault(part.objectName(), part.geometry()) == part.geometry()
        shown = [key for key in window.pad.keys.values() if key.isVisible()]
        for one, other in combinations(shown, 2):
            assert not one.geometry().intersects(other.geometry()), (one.code, other.code)


def test_the_left_hand_has_the_mirror_image_and_the_same_digits():
    metrics = metrics_for(1920, 1080)
    right, left = (places(metrics, mirrored=mirrored) for mirrored in (False, True))
    assert right["fold"] == left["call"] and right["raise"] == left["all_in"]
    assert right["irregular"] == left["call_floor"]
    assert all(right[digit] == left[digit] for digit in "0123456789")


@pytest.mark.parametrize("size", SIZES)
def test_keys_are_a_thumb_wide_and_apart(size):
    metrics = metrics_for(*size)
    place = places(metrics, mirrored=False, between=("shuffled", "game-0", "game-1"))
    least, apart = (72, 12) if size[1] > 1000 else (56, 8)
    boxes = [
        box for code, box in place.items() if code not in ("listing", "display", "go", "pushed_otherwise")
    ]
    assert all(box.width() >= least and box.height() >= least for box in boxes)
    rows: dict[int, list[QRect]] = {}
    for code in (
        "7",
        "8",
        "9",
        "ready-0",
        "ready-1",
        "ready-2",
        "ready-3",
        "fold",
        "call",
        "irregular",
        "report",
    ):
        rows.setdefault(place[code].top(), []).append(place[code])
    for row in rows.values():
        row.sort(key=QRect.left)
        for one, other in pairwise(row):
            assert other.left() - one.right() - 1 >= apart


# -- one owner of the keypad --------------------------------------------------------------------------------------------------


def test_a_dealers_number_is_never_an_amount(table, qtbot):
    """Typed while another dealer takes over, 12 was once shown as a raise to 12 beside it."""
    window, sent = table("pad-play")
    number(window, qtbot, "135")
    tap(qtbot, window.header.table_key, window.table_sheet.keys["dealer_push"])
    number(window, qtbot, "12")
    pad = window.pad
    assert pad.display.shown.plate == "Dealer no." and pad.display.value == "12"
    assert pad.keys["raise"].text() == "RAISE" and not pad.keys["raise"].isEnabled()
    assert pad.keys["all_in"].text() == "ALL-IN" and not pad.keys["all_in"].isEnabled()
    assert pad.keys["fold"].isEnabled() and pad.keys["call"].isEnabled(), "they carry no number"
    assert all(key.role == "digit_lent" for code, key in pad.keys.items() if code.isdigit())
    tap(qtbot, window.table_sheet.keys["push_send"])
    assert sent == [DealerPush("12")]
    assert pad.display.value == "135" and pad.keys["raise"].text() == "RAISE TO 135"


def test_a_sheet_that_wants_no_number_leaves_the_keypad_alone(table, qtbot):
    window, _ = table("pad-play")
    tap(qtbot, window.pad.keys["report"])
    number(window, qtbot, "95")
    assert window.pad.keys["raise"].text() == "RAISE TO 95" and window.pad.keys["raise"].isEnabled()
    window.table.seat_tapped.emit(4)
    assert window.pad.lent_for == ""
    tap(qtbot, window.seat_sheet.keys["chips"])
    assert window.pad.lent_for == "Seat 4: chips" and window.pad.lent_entry == ""
    tap(qtbot, window.seat_sheet.keys["back"])
    assert window.pad.lent_for == "" and window.pad.entry == "95"


def test_a_page_borrows_the_keypad_for_as_long_as_it_says(table, qtbot):
    window, _ = table("idle")
    lent = {}
    for name in window.pages.kinds:
        page = window.pages.open_page(name)
        assert page is not None
        assert window.pad.lent_for == page.number_for, name
        lent[name] = window.pad.lent_for
        window.pages.close()
        assert window.pad.lent_for == ""
    assert lent["decks"] and not lent["history"], (
        "a deck is named by a number; past hands are read while a hand runs"
    )


def test_the_turn_goes_on_while_a_number_is_typed_for_another(table, qtbot):
    window, _ = table("pad-play")
    window.table.seat_tapped.emit(4)
    tap(qtbot, window.seat_sheet.keys["chips"])
    number(window, qtbot, "70")
    shows(window, PadFact(1, False, 45, 90, 380, 270, 158))
    assert window.pad.lent_entry == "70"
    assert window.seat_sheet.keys["stack"].text() == "Stack is 70"


# -- taps -------------------------------------------------------------------------------------------------------------------


def mouse(key: QWidget, kind, at_ms):
    place = QPointF(key.rect().center())
    event = QMouseEvent(
        kind,
        place,
        QPointF(key.mapToGlobal(key.rect().center())),
        Qt.MouseButton.LeftButton,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    event.setTimestamp(at_ms)
    (key.mouseDoubleClickEvent if kind == QMouseEvent.Type.MouseButtonDblClick else key.mousePressEvent)(
        event
    )


def test_a_key_does_what_it_meant_when_the_finger_came_down(table):
    window, sent = table("pad-play")
    call = window.pad.keys["call"]
    QTest.mousePress(call, Qt.MouseButton.LeftButton)
    shows(window, PadFact(1, False, 45, 90, 380, 270, 158))
    QTest.mouseRelease(call, Qt.MouseButton.LeftButton)
    assert sent == []
    assert "changed" in window.pad.message


def test_undo_takes_back_only_what_it_said(table):
    window, sent = table("pad-play")
    undo = window.pad.keys["undo"]
    QTest.mousePress(undo, Qt.MouseButton.LeftButton)
    shows(window, UndoFact("act", {"seat": 5, "action": "call"}))
    QTest.mouseRelease(undo, Qt.MouseButton.LeftButton)
    assert sent == []
    QTest.mouseClick(undo, Qt.MouseButton.LeftButton)
    assert sent == [Undo()]


@pytest.fixture
def people(monkeypatch):
    """Whoever taps needs as long as people do to see what the table just did."""
    monkeypatch.setattr(pad, "REACTION_MS", REACTION_MS)


def test_a_finger_on_its_way_when_the_table_moves_on_alone_does_nothing_to_the_next_seat(table, people):
    """The table has assumed the fold that the dealer was about to tap: the tap is not the next seat's fold."""
    window, sent = table("pad-play")
    fold = window.pad.keys["fold"]
    shows(window, PadFact(1, False, 45, 90, 380, 270, 158))
    QTest.mouseClick(fold, Qt.MouseButton.LeftButton)
    assert sent == []
    assert "changed" in window.pad.message
    QTest.qWait(REACTION_MS)
    QTest.mouseClick(fold, Qt.MouseButton.LeftButton)
    assert sent == [Act(1, "fold")]


@pytest.mark.parametrize("by_key", [True, False])
def test_a_call_of_another_amount_than_stood_on_the_key_is_not_sent(table, by_key):
    """The bet before it was corrected while the finger was down: the same seat, the same key, other chips."""
    window, sent = table("pad-play")
    call, fact = window.pad.keys["call"], window.state.pad
    if by_key:
        QTest.keyPress(window, Qt.Key.Key_C)
    else:
        QTest.mousePress(call, Qt.MouseButton.LeftButton)
    shows(window, replace(fact, call=200, min_to=355))
    if by_key:
        QTest.keyRelease(window, Qt.Key.Key_C)
        QTest.qWait(150)  # a key that is pressed stays down for a moment
    else:
        QTest.mouseRelease(call, Qt.MouseButton.LeftButton)
    assert sent == []
    assert "changed" in window.pad.message


def test_who_types_while_something_else_is_told_is_not_refused(table, monkeypatch):
    """A lamp, a card that was lifted: the keys mean what they meant, and what is typed is typed."""
    monkeypatch.setattr(pad, "REACTION_MS", 60_000)
    window, sent = table("pad-play")
    seat = window.state.pad.seat
    shows(window, DeviceFact("r9", "reader", "ok"))
    for digit in "120":
        window.pad.keys[digit].click()
    QTest.mouseClick(window.pad.keys["raise"], Qt.MouseButton.LeftButton)
    assert sent == [Act(seat, "bet" if window.state.pad.is_bet else "raise", 120)]


def test_a_finger_on_its_way_to_fold_does_not_push_the_pots(table, people):
    window, sent = table("pad-play")
    shows(window, PadFact(None, can_push=True))
    go = window.pad.keys["go"]
    assert go.isVisible() and go.isEnabled()
    QTest.mouseClick(go, Qt.MouseButton.LeftButton)
    assert sent == []
    QTest.qWait(REACTION_MS)
    QTest.mouseClick(go, Qt.MouseButton.LeftButton)
    assert sent == [PushPots()]


def test_the_second_of_two_quick_taps_does_not_meet_the_key_that_came_in_between(table):
    """A double tap on CALL must not push the pots that stand there a moment later."""
    window, _ = table("award")
    go = window.pad.keys["go"]
    mouse(go, QMouseEvent.Type.MouseButtonDblClick, 1_000)
    assert not go.isDown()


def test_a_shaking_finger_is_one_tap_and_two_quick_ones_are_two(table):
    window, _ = table("pad-play")
    call, digit = window.pad.keys["call"], window.pad.keys["5"]
    mouse(call, QMouseEvent.Type.MouseButtonPress, 1_000)
    call.setDown(False)
    mouse(call, QMouseEvent.Type.MouseButtonDblClick, 1_000 + BOUNCE_MS - 1)
    assert not call.isDown()
    mouse(call, QMouseEvent.Type.MouseButtonDblClick, 1_000 + BOUNCE_MS)
    assert call.isDown()
    mouse(digit, QMouseEvent.Type.MouseButtonPress, 2_000)
    digit.setDown(False)
    mouse(digit, QMouseEvent.Type.MouseButtonDblClick, 2_060)
    assert digit.isDown(), "55 is typed with one finger"


def test_how_often_to_run_it_has_a_place_for_each_number(table, qtbot):
    window, sent = table("run-it")
    keys = [window.pad.keys[f"ask-{index}"] for index in range(3)]
    assert [key.isEnabled() for key in keys] == [False, True, True], "once is what stands"
    tap(qtbot, keys[1])
    assert sent == [RunIt(2)]
    answered(window, sent, replace(window.state.board, runs=2))
    assert [key.isEnabled() for key in keys] == [True, False, True]


def test_the_tables_own_keys_keep_their_places_whether_the_deck_waits_or_not(table, qtbot):
    window, sent = table("pad-between")
    keys = window.pad.keys
    before = keys["game-0"].geometry()
    shows(window, NoticeFact("deck", ""))
    assert keys["game-0"].geometry() == before and not keys["shuffled"].isEnabled()
    qtbot.keyClick(window, Qt.Key.Key_B)
    qtbot.waitUntil(lambda: sent == [OpenHand(game="bomb_pot")])


def test_every_action_of_the_pad_has_a_key_of_the_keyboard(open_window):
    window = open_window()
    for make in (canned.STATES | canned_pad.STATES).values():
        fill(window, make())
        shown = [key for code, key in window.pad.keys.items() if key.isVisible() and code not in "0123456789"]
        letters = [key.shortcut_hint for key in shown if key.code not in ("00", "delete")]
        assert all(letters) and len(set(letters)) == len(letters)


def test_at_the_showdown_a_seats_number_tables_and_with_shift_mucks(table, qtbot):
    window, sent = table("pad-showdown-many")
    keys = window.pad.showdown.rows[4]
    assert [key.shortcut_hint for key in keys] == ["4", "⇧4"]
    qtbot.keyClick(window, Qt.Key.Key_4)
    qtbot.waitUntil(lambda: sent == [Tabled(4)])
    answered(window, sent)
    for text, seat in (("%", 5), ("?", 7)):  # Shift and 5 on a Latin layout, Shift and 7 on a Cyrillic one
        event = QKeyEvent(QKeyEvent.Type.KeyPress, ord(text), Qt.KeyboardModifier.ShiftModifier, text)
        window.keyPressEvent(event)
        qtbot.waitUntil(lambda seat=seat: sent[-1] == Mucked(seat))
        answered(window, sent)


def test_seats_and_board_are_tapped_by_the_keyboard(table, qtbot):
    window, _ = table("pad-play")
    qtbot.keyClick(window, Qt.Key.Key_4, Qt.KeyboardModifier.AltModifier)
    assert window.seat_sheet.isVisible() and window.seat_sheet.seat == 4 and window.pad.entry == ""
    qtbot.keyClick(window, Qt.Key.Key_B, Qt.KeyboardModifier.AltModifier)
    assert window.card_sheet.isVisible() and not window.seat_sheet.isVisible()


def test_what_is_typed_outlives_everything_but_the_action(table, qtbot):
    window, sent = table("pad-play")
    number(window, qtbot, "135")
    tap(qtbot, window.pad.keys["call_floor"])
    window.receive((Result(str(len(sent)), ok=True),))
    assert window.pad.entry == "135"
    tap(qtbot, window.pad.keys["raise"])
    window.receive((Result(str(len(sent)), ok=True),))
    assert window.pad.entry == ""


# -- irregular action ---------------------------------------------------------------------------------------------------------


def irregular(window, qtbot, *codes: str):
    tap(qtbot, window.pad.keys["irregular"], *(window.irregular_sheet.keys[code] for code in codes))


def test_one_large_chip_is_three_taps_and_the_ruling_is_shown_with_house_and_rule(table, qtbot):
    window, sent = table("pad-play")
    irregular(window, qtbot, "kind-overchip", "chip-3")
    assert sent == [Irregular(5, "", None, (500,))]
    told = {
        "seat": 5,
        "action": "call",
        "to": 45,
        "back": 455,
        "owes": 0,
        "rule": "TDA 44",
        "reason": "overchip",
    }
    answered(window, sent, NoticeFact("amount/5", "amount_back", told))
    sheet = window.irregular_sheet
    said = [" ".join(fitted.lines) for fitted, _, _ in sheet._labels]
    assert said == [
        "Seat 5: the ruling",
        "CALL: 45 IN FRONT",
        "455 go back to the player",
        "One chip, no word: a call, however large the chip.",
        "House seed · TDA 44",
    ]
    tap(qtbot, sheet.keys["done"])
    assert not sheet.isVisible() and len(sent) == 1


def test_a_ruling_is_taken_back_with_one_tap(table, qtbot):
    window, sent = table("pad-play")
    irregular(window, qtbot, "kind-overchip", "chip-3")
    answered(window, sent, NoticeFact("amount/5", "amount_ruled", {"seat": 5, "action": "call", "to": 45}))
    tap(qtbot, window.irregular_sheet.keys["undo"])
    assert sent[-1] == Undo()


def test_what_was_said_and_pushed_is_told_chip_by_chip(table, qtbot):
    window, sent = table("pad-play")
    irregular(window, qtbot, "kind-mismatch", "word-raise", "chip-2", "chip-1")
    number(window, qtbot, "140")
    assert window.pad.display.shown.plate == "Seat 5: said"
    tap(qtbot, window.irregular_sheet.keys["read"])
    assert sent == [Irregular(5, "raise", 140, (100, 25))]


def test_where_no_chips_are_named_their_values_are_typed(table, qtbot):
    window, sent = table("play")
    irregular(window, qtbot, "kind-second_motion")
    sheet = window.irregular_sheet
    for amount, code in (("25", "typed_chip"), ("25", "typed_chip"), ("", "second"), ("100", "typed_chip")):
        number(window, qtbot, amount)
        tap(qtbot, sheet.keys[code])
        assert window.pad.lent_entry == ""
    tap(qtbot, sheet.keys["read"])
    assert sent == [Irregular(5, "", None, (25, 25), (100,))]


def test_out_of_turn_asks_whose_it_was(table, qtbot):
    window, sent = table("pad-play")
    irregular(window, qtbot, "kind-out_of_turn", "seat-1", "word-call", "read")
    assert sent == [Irregular(1, "call")]


def test_unclear_words_are_told_with_their_number_or_without(table, qtbot):
    window, sent = table("pad-play")
    irregular(window, qtbot, "kind-unclear", "word-bet")
    number(window, qtbot, "5")
    tap(qtbot, window.irregular_sheet.keys["read"])
    answered(window, sent)
    tap(qtbot, window.irregular_sheet.keys["done"])
    irregular(window, qtbot, "kind-unclear", "nobody_knows")
    assert sent == [Irregular(5, "bet", 5, unclear=True), Irregular(5, unclear=True)]


def test_a_check_that_faces_a_bet_is_one_key_and_the_floors_word_the_next(table, qtbot):
    window, sent = table("pad-play")
    irregular(window, qtbot, "kind-check_facing_bet")
    told = {"seat": 5, "action": "", "to": 45, "owes": 45, "rule": "TDA 55", "reason": "check_facing_bet"}
    answered(window, sent, NoticeFact("amount/5", "amount_check", told))
    keys = window.irregular_sheet.keys
    assert keys["floor_call"].text() == "Floor ruled: CALL 45"
    tap(qtbot, keys["floor_fold"])
    assert sent == [Irregular(5, "check"), Act(5, "fold", ruled=True)], "it waits for a signature"


def test_a_reading_that_was_refused_says_why_on_the_sheet(table, qtbot):
    window, sent = table("pad-play")
    irregular(window, qtbot, "kind-overchip", "chip-4")
    window.receive((Result(str(len(sent)), ok=False, code="above_stack", params={"max_to": 910}),))
    sheet = window.irregular_sheet
    assert sheet.isVisible()
    assert "910" in " ".join(" ".join(fitted.lines) for fitted, _, _ in sheet._labels)


def test_the_floors_other_word_leads_to_the_correction(table, qtbot):
    window, sent = table("pad-play")
    irregular(window, qtbot, "kind-overchip", "chip-3")
    seat = replace(window.state.seat(5), last_action="call")
    answered(
        window, sent, seat, NoticeFact("amount/5", "amount_ruled", {"seat": 5, "action": "call", "to": 45})
    )
    tap(qtbot, window.irregular_sheet.keys["otherwise"])
    sheet = window.seat_sheet
    assert sheet.isVisible() and sheet.seat == 5 and sheet.keys["ruled"].role == "chosen"


def test_anything_else_leads_to_the_rows_of_the_catalogue(table, qtbot):
    window, _ = table("pad-play")
    irregular(window, qtbot, "rows")
    assert window.report_sheet.isVisible() and window.report_sheet.keys["row-A14"].isVisible()


def test_every_kind_has_a_key_and_can_be_told(table, qtbot):
    window, _ = table("pad-play")
    irregular(window, qtbot)
    assert all(window.irregular_sheet.keys[f"kind-{kind}"].isVisible() for kind in KINDS)
    tap(qtbot, window.pad.keys["irregular"])
    assert not window.irregular_sheet.isVisible(), "the key that opens it closes it"


# -- ready amounts ----------------------------------------------------------------------------------------------------------------


def amounts(window) -> list[tuple[str, str]]:
    keys = [window.pad.keys[f"ready-{place}"] for place in range(4)]
    return [(key.text(), key.sub) for key in keys if key.isVisible()]


def test_parts_of_the_pot_are_the_tables_and_none_is_made_of_others(table):
    """A pot of 12 at a least bet of 10: half of it is told as the least, and three quarters, of which that says nothing, not at all."""
    window, _ = table("pad-play")
    shows(window, PadFact(5, True, 0, 10, 910, 12, 10, True))
    assert amounts(window) == [("Pot", "12")]
    parts = PadFact(5, True, 0, 10, 910, 225, 112, True, third_pot_to=75, three_quarter_pot_to=168)
    shows(window, parts)
    assert amounts(window) == [("⅓ pot", "75"), ("½ pot", "112"), ("¾ pot", "168"), ("Pot", "225")]


def test_the_pot_is_a_key_where_it_is_the_most_and_not_where_the_stack_is(table):
    window, _ = table("pad-play")
    shows(window, PadFact(5, True, 0, 10, 225, 225, 112, True))
    assert ("Pot", "225") in amounts(window), "pot limit"
    shows(window, replace(window.state.seat(5), stack=225))
    assert ("Pot", "225") not in amounts(window), "all-in says that"


# -- table life ----------------------------------------------------------------------------------------------------------------


def test_a_seat_change_is_a_tap_on_the_new_seat_and_one_on_the_old(table, qtbot):
    window, sent = table("pad-play")
    shows(window, replace(window.state.seat(8), status="out", stack=640))
    window.table.seat_tapped.emit(6)
    tap(qtbot, window.seat_sheet.keys["moved-8"])
    assert sent == [SitDown(6, 640, returned_from=8)]


def test_a_dead_hand_is_held_at_its_seat(table, qtbot):
    window, sent = table("pad-play")
    window.table.seat_tapped.emit(1)
    key = window.seat_sheet.keys["dead_hand"]
    assert key.hold_ms == 2000
    tap(qtbot, key)
    assert sent == []
    key.hold_ms = 50
    key.press_by_key()
    qtbot.waitUntil(lambda: sent == [Report("dead_hand", 1)])


def test_a_straddle_of_the_least_is_one_tap_at_its_seat(table, qtbot):
    window, _ = table("deal")
    shows(window, PadFact(None, straddles=(StraddleOffer(1, 20, 20),)))
    window.table.seat_tapped.emit(1)
    assert not window.seat_sheet.keys["straddle_more"].isVisible(), "there is one size"


# -- words -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["uk", "ru", "bg"])
def test_every_word_of_the_pad_and_its_sheets_is_whole(open_window, language):
    """In the smallest window; one for all states, as a dealer sees them one after the other."""
    window = open_window(language=language)
    todo = [(make, None) for make in canned_pad.STATES.values()] + list(canned_pad.ACTIONS.values())
    beside = [
        (lambda make=make: canned_pad.changed(make(), AlertFact(EARLY_TURN)), act) for make, act in todo
    ]
    if language == "bg":
        todo += beside  # the narrow room beside an alert, in the longest words
    for make, act in todo:
        window.pad.clear_entry()
        fill(window, make())
        if act is not None:
            act(window)
        parts = [
            window.pad.display,
            window.now_line,
            *[sheet for sheet in window.sheets if sheet.isVisible()],
        ]
        assert all(part.text_fits() for part in parts), make
        for key in window.findChildren(Key):
            assert not key.isVisible() or (key.text_fits() and key.accessibleName()), (key.code, key.text())
        sheet = window.open_sheet
        if sheet is not None:
            assert sheet.y() + sheet.height() <= window.lamps.y()
            assert all(key.height() >= 56 for key in sheet.keys.values() if key.isVisible())
            sheet.close_sheet()
        window._pending.clear()


def test_a_shuffler_that_is_down_is_a_shuffle_by_hand(table):
    window, _ = table("pad-shuffler-down")
    assert window.now_line.line == ("READY", "shuffler down: shuffle by hand")
    assert window.pad.keys["go"].isEnabled(), "nobody waits for it"
    shows(window, DeviceFact("shuffler-1", "shuffler", "ok", (), "complete"))
    assert window.now_line.line.detail == "next hand when you are ready"


def test_a_top_up_that_waits_is_taken_back_at_the_seat(table, qtbot):
    window, sent = table("pad-play")
    shows(window, replace(window.state.seat(5), marks=("top_up",)))
    window.table.seat_tapped.emit(5)
    tap(qtbot, window.seat_sheet.keys["chips"], window.seat_sheet.keys["no_top_up"])
    assert sent == [TopUp(5, 0)]


def test_the_clock_is_two_taps_and_counts_down_until_the_table_says_that_it_is_over(table, qtbot):
    window, sent = table("pad-play")
    window.table.seat_tapped.emit(5)
    assert not window.seat_sheet.keys["clock"].isVisible(), "this house has none"
    shows(window, replace(window.state.table, clock_s=30))
    tap(qtbot, window.seat_sheet.keys["clock"])
    assert sent == [CallClock(5)]
    running = {"seat": 5, "call": 45, "clock": 77, "clock_s": 30, "clock_over": False}
    shows(window, NowFact("act", running))
    assert window.now_line.seconds_left in (29, 30)
    assert window.now_line.detail.startswith("45 to call · 0:")
    shows(window, NowFact("act", {**running, "clock_over": True}))
    assert window.now_line.seconds_left is None
    assert window.now_line.line.detail == "Time is up: the hand is dead. Fold."
    shows(window, NowFact("act", {**running, "call": 0, "clock_over": True}))
    assert window.now_line.line.detail == "Time is up: it is a check."
    shows(window, NowFact("act", {"seat": 1, "call": 45}))
    assert window.now_line.detail == "45 to call"


# -- who deals ---------------------------------------------------------------------------------------------------------------------


def test_a_push_brings_the_dealers_language_and_hand_and_his_number_stays_typed(table, qtbot):
    window, _ = table("pad-play")
    number(window, qtbot, "13")
    fold = window.pad.keys["fold"]
    right = (window.pad.x(), fold.x())
    shows(window, DealerFact("17", "uk", "left"))
    assert fold.text() == "ФОЛД" and window.pad.x() < window.table.x() and fold.x() > right[1]
    assert window.pad.entry == "13", "the hand goes on"
    window.set_language("en")
    shows(window, UndoFact())
    assert fold.text() == "FOLD", "the same dealer may choose otherwise"
    shows(window, DealerFact("18"))
    assert (window.pad.x(), fold.x()) == right and fold.text() == "FOLD", "nothing is known of dealer 18"


def test_a_left_handed_station_stays_so_for_who_says_nothing(table):
    window, _ = table("pad-play", mirrored=True)
    left = window.pad.x()
    shows(window, DealerFact("17", None, "right"))
    assert window.pad.x() > left
    shows(window, DealerFact("18"))
    assert window.pad.x() == left
