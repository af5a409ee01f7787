from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest

from dealer_assist.domain.commands import (
    Act,
    Answer,
    CallFloor,
    Correct,
    EnterCard,
    Mucked,
    OpenHand,
    PushPots,
    Report,
    Respond,
    SetSeat,
    SetStack,
    Tabled,
    TapZone,
    Undo,
)
from dealer_assist.domain.facts import (
    AheadOffer,
    AlertFact,
    BoardCard,
    BoardFact,
    HandFact,
    NowFact,
    PadFact,
    PotFact,
    PotView,
    SeatFact,
)
from dealer_assist.domain.link import Hello, Result, Snapshot, Update
from dealer_assist.station import canned
from dealer_assist.station.alert_panel import AlertPanel
from dealer_assist.station.app import Shots, state_name
from dealer_assist.station.canned_alerts import BOXED, EARLY_TURN, EARLY_TURN_ASKED
from dealer_assist.station.first_alert import draw_ahead
from dealer_assist.station.keys import Key
from dealer_assist.station.scene import cards, items
from dealer_assist.station.window import StationWindow


class Sent(list):
    """Takes what the window sends, and answers nothing."""

    def __call__(self, command, after) -> str:
        self.append((command, after))
        return str(len(self))

    @property
    def commands(self):
        return [command for command, _ in self]


@pytest.fixture
def table(open_window):
    def make(name, **options):
        window = open_window(canned.STATES[name](), **options)
        sent = Sent()
        window.set_sender(sent)
        return window, sent

    return make


def settle(window, qtbot, *more: object):
    """The tap was taken: the next one may come."""
    window.receive((Result(str(len(window._pending) + 99), ok=True), Update(window.state.seq + 1, 0, more)))
    qtbot.wait(1)


def tap(window, qtbot, key):
    qtbot.mouseClick(key, Qt.MouseButton.LeftButton)


def test_the_keypad_fills_the_raise_and_sends_it_as_seen_at_the_last_seq(table, qtbot):
    window, sent = table("play")
    for code in ("1", "3", "5"):
        tap(window, qtbot, window.pad.keys[code])
    assert window.pad.keys["raise"].text() == "RAISE TO 135"
    tap(window, qtbot, window.pad.keys["raise"])
    assert sent == [(Act(5, "raise", 135), 1)]


@pytest.mark.parametrize(
    ("code", "command"),
    [
        ("fold", Act(5, "fold")),
        ("call", Act(5, "call")),
        ("all_in", Act(5, "all_in")),
        ("raise", Act(5, "raise", 90)),
        ("undo", Undo()),
        ("call_floor", CallFloor()),
    ],
)
def test_each_action_key_sends_its_command(table, qtbot, code, command):
    window, sent = table("play")
    tap(window, qtbot, window.pad.keys[code])
    assert sent.commands == [command]


def test_check_and_bet_take_the_place_of_call_and_raise(table, qtbot):
    window, sent = table("play")
    window.receive((Update(2, 0, (PadFact(5, True, 0, 10, 910, 225, 112, True),)),))
    assert (window.pad.keys["call"].text(), window.pad.keys["raise"].text()) == ("CHECK", "BET 10")
    tap(window, qtbot, window.pad.keys["call"])
    assert sent == [(Act(5, "check"), 2)]


def test_a_ready_amount_is_sent_and_takes_the_place_of_what_is_typed(table, qtbot):
    window, sent = table("play")  # 45 to call into a pot of 225
    keys = [window.pad.keys[f"ready-{place}"] for place in range(4)]
    assert [(key.text(), key.sub) for key in keys] == [
        ("3×", "135"),
        ("½ pot", "158"),
        ("4×", "180"),
        ("Pot", "270"),
    ]
    tap(window, qtbot, window.pad.keys["2"])
    tap(window, qtbot, keys[1])  # a finger that slips while it types sends nothing
    assert sent == []
    assert window.pad.keys["raise"].text() == "RAISE TO 158"
    for code in ("0", "0"):
        tap(window, qtbot, window.pad.keys[code])
    assert window.pad.display.hint == "more than 910 believed: count it"
    assert window.pad.keys["raise"].text() == f"RAISE TO {window.tr_.number(15800)}, COUNTED"
    tap(window, qtbot, window.pad.keys["raise"])
    assert sent.commands == [Act(5, "raise", 15800, counted=True)]
    window, sent = table("play")
    tap(window, qtbot, window.pad.keys["ready-3"])
    assert sent.commands == [Act(5, "raise", 270)]


def test_opening_raises_of_the_table_are_ready(table, qtbot):
    """What players of a table open for is on its keys from the next hand on, the commonest of the last two dozen."""
    window, sent = table("deal")
    blinds = (
        SeatFact(1, "in", "live", 95, 5, 2, 2, to_act=False),
        SeatFact(2, "in", "live", 90, 10, 2, 2, to_act=False),
    )
    pad = PadFact(3, False, 10, 20, 400, 35, 22)
    for number in range(3):
        hand = HandFact(f"h{number}", 1, "betting", "preflop", 9, 1, 2)
        acted = SeatFact(3, "in", "live", 300, 0, 2, 2, to_act=True)
        window.receive((Snapshot(10 + 2 * number, (window.state.table, hand, *blinds, acted, pad)),))
        raised = replace(acted, bet=33, last_action="raise", to_act=False)
        window.receive((Update(11 + 2 * number, 0, (raised,)),))
    hand = HandFact("h4", 1, "betting", "preflop", 9, 1, 2)
    window.receive(
        (Snapshot(30, (window.state.table, hand, *blinds, replace(raised, bet=0, last_action=""), pad)),)
    )
    assert [window.pad.keys[f"ready-{place}"].sub for place in range(4)] == ["25", "30", "33", "35"]
    tap(window, qtbot, window.pad.keys["ready-2"])
    assert sent.commands == [Act(3, "raise", 33)]


def test_more_than_the_pot_allows_is_no_matter_of_a_count(table, qtbot):
    window, sent = table("play")
    window.receive((Update(2, 0, (PadFact(5, False, 45, 90, 270, 270, 158),)),))
    for code in ("9", "00"):
        tap(window, qtbot, window.pad.keys[code])
    assert not window.pad.keys["raise"].isEnabled()
    assert window.pad.display.hint == "at most 270"
    assert sent == []


def test_an_all_in_is_for_what_was_counted(table, qtbot):
    window, sent = table("play")
    for code in ("1", "7", "5"):
        tap(window, qtbot, window.pad.keys[code])
    assert window.pad.keys["all_in"].text() == "ALL-IN 175"
    tap(window, qtbot, window.pad.keys["all_in"])
    assert sent.commands == [Act(5, "all_in", 175, counted=True)]


def test_a_stack_that_is_not_known_has_no_upper_limit_and_asks_for_a_count(table, qtbot):
    window, sent = table("play")
    seat = replace(window.state.seat(5), stack=None)
    window.receive((Update(2, 0, (seat, PadFact(5, False, 45, 90, None, 270, 158))),))
    assert window.pad.keys["all_in"].text() == "ALL-IN: COUNT"
    tap(window, qtbot, window.pad.keys["all_in"])
    assert sent == [] and window.pad.message == "Count the all-in and type it."
    for code in ("9", "9", "00"):
        tap(window, qtbot, window.pad.keys[code])
    tap(window, qtbot, window.pad.keys["raise"])
    assert sent.commands == [Act(5, "raise", 9900)]


def test_the_chips_behind_a_seat_are_set_in_the_hand(table, qtbot):
    window, sent = table("play")
    window.table.seat_tapped.emit(5)
    tap(window, qtbot, window.seat_sheet.keys["chips"])
    for code in ("7", "00"):
        tap(window, qtbot, window.pad.keys[code])
    tap(window, qtbot, window.seat_sheet.keys["stack"])
    settle(window, qtbot)
    window.table.seat_tapped.emit(5)
    tap(window, qtbot, window.seat_sheet.keys["chips"])
    tap(window, qtbot, window.seat_sheet.keys["unknown_stack"])
    assert sent.commands == [SetStack(5, 700), SetStack(5, None)]


def test_where_only_cards_are_tracked_no_amount_is_asked_for(table, qtbot):
    window, sent = table("play")
    cards = replace(window.state.table, tracking="cards")
    window.receive((Update(2, 0, (cards, PadFact(5, True), NowFact("betting", {"street": "flop"}))),))
    assert not window.pad.keys["fold"].isEnabled()
    assert not window.pad.keys["call"].isEnabled()
    tap(window, qtbot, window.pad.keys["raise"])
    settle(window, qtbot)
    tap(window, qtbot, window.pad.keys["all_in"])
    assert sent.commands == [Act(5, "raise"), Act(5, "all_in")]


def test_a_second_tap_waits_for_the_first(table, qtbot):
    window, sent = table("play")
    tap(window, qtbot, window.pad.keys["call"])
    tap(window, qtbot, window.pad.keys["call"])
    assert len(sent) == 1
    settle(window, qtbot)
    tap(window, qtbot, window.pad.keys["call"])
    assert len(sent) == 2


def test_a_refusal_says_why_in_the_language_of_the_screen(table, qtbot):
    window, _ = table("play", language="uk")
    tap(window, qtbot, window.pad.keys["call"])
    window.receive((Result("1", ok=False, code="below_minimum", params={"min_to": 1200}),))
    assert window.pad.display.hint == "Щонайменше 1\u202f200."
    assert window.pad.keys["call"].isEnabled()


def test_an_entry_is_forgotten_when_the_turn_goes_on(table, qtbot):
    window, _ = table("play")
    tap(window, qtbot, window.pad.keys["9"])
    window.receive((Update(2, 0, (PadFact(1, False, 45, 90, 380),)),))
    assert window.pad.entry == ""


def test_languages_switch_live_and_all_names_stay(table, qtbot):
    window, _ = table("stop")
    tap(window, qtbot, window.header.keys["uk"])
    assert window.now_line.line.title == "ХІД: МІСЦЕ 5"
    assert window.pad.keys["fold"].text() == "ФОЛД"
    assert window.panel.keys["misread"].text() == "Ні, хибне зчитування"
    assert "СТОП" in window.panel.accessibleName()
    assert window.banner.text == "СИМУЛЬОВАНІ ПРИСТРОЇ"
    assert [key.text() for key in window.header.keys.values()] == [
        "Български",
        "Українська",
        "Русский",
        "English",
    ]
    tap(window, qtbot, window.header.keys["en"])
    assert window.pad.keys["fold"].text() == "FOLD"


def test_the_table_chooses_the_language_until_a_person_does(open_window):
    facts = canned.STATES["play"]()
    window = open_window(language=None)
    ukrainian = tuple(
        replace(fact, language="uk") if type(fact).__name__ == "TableFact" else fact for fact in facts
    )
    window.receive((Snapshot(1, ukrainian),))
    assert window.pad.keys["fold"].text() == "ФОЛД"
    window.set_language("en")
    window.receive((Snapshot(2, ukrainian),))
    assert window.pad.keys["fold"].text() == "FOLD"


def test_the_banner_is_there_for_simulated_devices_only(open_window):
    assert not open_window(canned.STATES["play"]()).banner.isVisible()
    window = open_window(canned.STATES["idle"]())
    assert window.banner.isVisible() and window.banner.text == "SIMULATED DEVICES"


def test_a_simulated_table_is_refused_unless_it_was_asked_for(qtbot, dressed):
    window = StationWindow(language="en", animated=False, simulate=False)
    window.show()
    window.receive((Hello(1, "7", simulated=True), Snapshot(1, canned.STATES["play"]())))
    assert window.lost_panel.isVisible() and "simulated" in window.lost_panel.more
    assert window.state.seats == ()
    window.shut()
    qtbot.wait(1)


@pytest.mark.parametrize(
    ("key", "command"),
    [
        (Qt.Key.Key_F, Act(5, "fold")),
        (Qt.Key.Key_C, Act(5, "call")),
        (Qt.Key.Key_A, Act(5, "all_in")),
        (Qt.Key.Key_R, Act(5, "raise", 90)),
        (Qt.Key.Key_U, Undo()),
        (Qt.Key.Key_L, CallFloor()),
    ],
)
def test_the_keyboard_does_what_the_keys_do(table, qtbot, key, command):
    window, sent = table("play")
    qtbot.keyClick(window, key)
    qtbot.waitUntil(lambda: sent.commands == [command])


def test_digits_and_enter_make_a_raise(table, qtbot):
    window, sent = table("play")
    for key in (Qt.Key.Key_2, Qt.Key.Key_0, Qt.Key.Key_0):
        qtbot.keyClick(window, key)
        qtbot.wait(120)  # a key of the screen is down for a tenth of a second
    assert window.pad.entry == "200"
    qtbot.keyClick(window, Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: window.pad.entry == "20")
    qtbot.keyClick(window, Qt.Key.Key_0)
    qtbot.waitUntil(lambda: window.pad.entry == "200")
    qtbot.keyClick(window, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: sent.commands == [Act(5, "raise", 200)])


def test_letters_of_a_ukrainian_layout_count_by_their_place(table, qtbot):
    window, sent = table("play")
    where_f_is = QKeyEvent(QEvent.Type.KeyPress, ord("А"), Qt.KeyboardModifier.NoModifier, "а")
    window.keyPressEvent(where_f_is)
    qtbot.waitUntil(lambda: sent.commands == [Act(5, "fold")])


def test_tab_reaches_the_keys_and_space_presses_them(table, qtbot):
    window, sent = table("play")
    key = window.pad.keys["fold"]
    key.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(key, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: sent.commands == [Act(5, "fold")])


# -- alerts ------------------------------------------------------------------------------------------------------------


def test_a_question_has_yes_and_no_and_says_what_to_look_at(table, qtbot):
    window, sent = table("question")
    panel = window.panel
    assert panel.isVisible() and panel.keys["yes"].isVisible() and not panel.keys["fixing"].isVisible()
    assert "Have seats 5 and 1 acted?" in panel.accessibleDescription()
    tap(window, qtbot, panel.keys["no"])
    assert sent == [(Answer(EARLY_TURN_ASKED.id, "no"), 1)]


def test_y_and_n_answer(table, qtbot):
    window, sent = table("question")
    qtbot.keyClick(window, Qt.Key.Key_Y)
    qtbot.waitUntil(lambda: sent.commands == [Answer(EARLY_TURN_ASKED.id, "yes")])


@pytest.mark.parametrize(
    ("code", "key"), [("fixing", Qt.Key.Key_F1), ("misread", Qt.Key.Key_F2), ("call_floor", Qt.Key.Key_F3)]
)
def test_the_responses_by_finger_and_by_key(table, qtbot, code, key):
    window, sent = table("stop")
    tap(window, qtbot, window.panel.keys[code])
    settle(window, qtbot)
    qtbot.keyClick(window, key)
    qtbot.waitUntil(lambda: sent.commands == [Respond(EARLY_TURN.id, code)] * 2)


def test_steps_are_spoken_with_their_state(table, qtbot):
    window, _ = table("stop")
    spoken = window.panel.accessibleDescription()
    assert "1. Set the card aside, face up: done." in spoken
    assert "2. Finish the flop betting: now." in spoken
    assert "5. Deal the river without burning: to do." in spoken


def test_a_new_stop_comes_to_the_front(table, qtbot):
    window, _ = table("play")
    window.receive((Update(2, 0, (AlertFact(BOXED),)),))
    assert window.panel.alert.rule == "N5"
    window.receive((Update(3, 0, (AlertFact(EARLY_TURN),)),))
    assert window.panel.alert.rule == "R2"
    window.receive(
        (
            Update(
                4,
                0,
                (
                    AlertFact(replace(EARLY_TURN, state="closed")),
                    AlertFact(replace(BOXED, state="withdrawn")),
                ),
            ),
        )
    )
    assert not window.panel.isVisible()
    assert any("fixed: " in notice.text for notice in window.table.notices.value)


def hold(key, qtbot, ms):
    QTest.mousePress(key, Qt.MouseButton.LeftButton)
    qtbot.wait(ms)
    reached = key.progress
    QTest.mouseRelease(key, Qt.MouseButton.LeftButton)
    return reached


def test_a_misdeal_is_held_and_letting_go_takes_it_back(table, qtbot):
    window, sent = table("deal")
    tap(window, qtbot, window.pad.keys["report"])
    key = window.report_sheet.keys["misdeal"]
    assert key.hold_ms == 2000
    key.hold_ms = 400
    assert hold(key, qtbot, 100) > 0
    qtbot.wait(500)
    assert sent == []
    QTest.mousePress(key, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: sent.commands == [Report("misdeal")])
    QTest.mouseRelease(key, Qt.MouseButton.LeftButton)
    assert not window.report_sheet.isVisible()


def test_dealing_on_over_a_stop_is_held_too(table, qtbot):
    window, sent = table("stop")
    key = window.panel.keys["deal_on"]
    assert key.hold_ms == 2000
    tap(window, qtbot, key)
    assert sent == []
    key.hold_ms = 100
    key.press_by_key()
    qtbot.waitUntil(lambda: sent.commands == [Respond(EARLY_TURN.id, "deal_on")])


# -- sheets, showdown, hand ------------------------------------------------------------------------------------------------


def test_an_exposed_card_is_reported_with_seat_and_who(table, qtbot):
    window, sent = table("deal")
    tap(window, qtbot, window.pad.keys["report"])
    tap(window, qtbot, window.report_sheet.keys["exposed-3"])
    settle(window, qtbot)
    tap(window, qtbot, window.pad.keys["report"])
    tap(window, qtbot, window.report_sheet.keys["by_player"])
    tap(window, qtbot, window.report_sheet.keys["exposed-7"])
    assert sent.commands == [Report("exposed", 3, "dealer"), Report("exposed", 7, "player")]


def test_escape_closes_a_sheet(table, qtbot):
    window, _ = table("play")
    qtbot.keyClick(window, Qt.Key.Key_I)
    qtbot.waitUntil(window.report_sheet.isVisible)
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert window.open_sheet is None


def test_a_board_card_is_entered_by_hand(table, qtbot):
    window, sent = table("trouble")
    place = window.table.geometry_now.boards[0][3].center().toPoint()
    qtbot.mouseClick(window.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.card_sheet.isVisible() and not window.card_sheet.keys["enter"].isEnabled()
    for key in (Qt.Key.Key_1, Qt.Key.Key_H, Qt.Key.Key_Return):
        qtbot.keyClick(window, key)
        qtbot.wait(150)
    assert sent.commands == [EnterCard("Th", None)]


def test_at_the_showdown_seats_table_muck_and_missing_faces_are_entered(table, qtbot):
    window, sent = table("showdown")
    rows = window.pad.showdown.rows
    tap(window, qtbot, rows[1][0])
    settle(window, qtbot)
    tap(window, qtbot, rows[1][1])
    settle(window, qtbot)
    tap(window, qtbot, rows[5][0])
    assert sent.commands == [Tabled(1), Mucked(1)]
    assert window.card_sheet.isVisible() and window.card_sheet.seat == 5
    assert not window.pad.keys["go"].isEnabled()


def test_the_award_names_pots_seats_and_hands_and_is_pushed_by_one_key(table, qtbot):
    window, sent = table("award")
    lines = [(line, hand) for _, line, hand in window.pad.showdown.pushes]
    assert lines == [
        ("Side 1: 380 → seat 2", "two pair, kings and sevens"),
        ("Main: 1\u202f140 → seat 2", "two pair, kings and sevens"),
    ]
    tap(window, qtbot, window.pad.keys["go"])
    assert sent.commands == [PushPots()]


def test_the_next_hand_is_one_key(table, qtbot):
    window, sent = table("idle")
    qtbot.keyClick(window, Qt.Key.Key_D)
    qtbot.waitUntil(lambda: sent.commands == [OpenHand()])


def test_a_seat_goes_away_or_gets_its_stack(table, qtbot):
    window, sent = table("idle")
    window.table.seat_tapped.emit(4)
    tap(window, qtbot, window.seat_sheet.keys["chips"])
    for code in ("7", "00"):
        tap(window, qtbot, window.pad.keys[code])
    tap(window, qtbot, window.seat_sheet.keys["stack"])
    settle(window, qtbot)
    spot = window.table.geometry_now.seats[2].plate.center().toPoint()
    qtbot.mouseClick(window.table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(spot))
    tap(window, qtbot, window.seat_sheet.keys["out"])
    assert sent.commands == [SetSeat(4, "away", 700), SetSeat(2, "out")]


def test_a_zone_without_a_reader_is_tapped(table, qtbot):
    window, sent = table("trouble")
    assert not window.lamps.keys["muck"].isVisible()
    tap(window, qtbot, window.lamps.keys["burn"])
    assert sent.commands == [TapZone("burn")]


# -- secrecy ---------------------------------------------------------------------------------------------------------------


def test_no_face_is_drawn_or_spoken_for_a_hidden_card(table):
    window, _ = table("question")
    hidden = [item for item in window.table.boards[0] if item.value.kind == "back"]
    assert len(hidden) == 1 and hidden[0].value.face is None
    assert all(item.value.faces == () for item in window.table.cards.values() if item.value is not None)
    spoken = window.table.accessibleDescription()
    assert "Kh 7s 2d" in spoken
    for face in ("As", "Ks", "9c"):
        assert face not in spoken


def test_the_picture_is_the_same_whatever_the_hidden_cards_are(open_window):
    """There is nothing in a fact to tell two hidden cards apart: two windows of the same facts are equal to the pixel."""
    one, other = (open_window(canned.STATES["question"]()) for _ in range(2))
    assert one.grab().toImage() == other.grab().toImage()


def test_an_unread_board_card_is_a_back_until_it_is_public(table):
    window, _ = table("play")
    window.receive((Update(2, 0, (BoardFact((BoardCard("Kh"), BoardCard(None)), 1, 0),)),))
    assert [item.value.kind for item in window.table.boards[0]] == ["face", "back", "empty", "empty", "empty"]


def test_backs_stay_while_a_player_looks_at_his_cards(table):
    window, _ = table("play")
    lifted = SeatFact(5, "in", "live", 910, 0, 0, 2, to_act=True)
    window.receive((Update(2, 0, (lifted,)),))
    assert window.table.cards[5].value == cards.CardsValue(2, ())
    window.receive((Update(3, 0, (replace(lifted, hand="folded"),)),))
    assert window.table.cards[5].value is None


# -- odds and ends ---------------------------------------------------------------------------------------------------------


def test_each_of_several_pots_names_the_seats_that_can_win_it(table):
    window, _ = table("full-ring")
    assert [(pill.label, pill.figure, pill.seats) for pill in window.table.pots.value] == [
        ("Main", "12\u202f600", (1, 2, 3, 4, 5)),
        ("Side 1", "8\u202f240", (1, 2, 3, 5)),
        ("Side 2", "1\u202f600", (2, 3)),
        ("bets", "+11\u202f250", ()),
    ]
    assert window.table.pots.fits


@pytest.mark.parametrize(
    ("language", "labels"),
    [
        ("en", ["Pot", "Rake", "Jackpot drop", "Promotion drop", "bad beat"]),
        ("uk", ["Банк", "Рейк", "На джекпот", "На промо", "bad beat"]),
    ],
)
def test_rake_and_each_drop_stand_beside_the_pots(table, language, labels):
    window, _ = table("award", language=language)
    drops = (("jackpot", 100), ("promotion", 50), ("bad_beat", 25))
    window.receive((Update(2, 0, (PotFact((PotView(1370, (2, 5)),), 0, 1370, 75, drops),)),))
    pills = window.table.pots.value
    assert [pill.label for pill in pills] == labels
    assert [pill.figure for pill in pills] == ["1\u202f370", "75", "100", "50", "25"]
    window.grab()
    assert window.table.pots.fits


def test_whose_turn_it_is_has_a_plate_of_its_own(table):
    window, _ = table("play")
    tones = {seat: plate.value.tone for seat, plate in window.table.plates.items() if plate.value is not None}
    assert [seat for seat, tone in tones.items() if tone == "turn"] == [5]
    assert isinstance(window.table.plates[5], items.Plate)


def test_unknown_codes_from_a_newer_service_are_shown_and_do_no_harm(table):
    from dealer_assist.domain.alerts import Alert, Step, Why
    from dealer_assist.domain.facts import DeviceFact, NoticeFact, NowFact, UndoFact

    window, _ = table("play", language="uk")
    odd = Alert(
        "z",
        "Q7",
        "proven",
        "low",
        "open",
        False,
        "flop",
        None,
        "h",
        "s",
        {},
        "who",
        None,
        "cure",
        (Step("dance"),),
        (Why("felt"),),
    )
    seat = SeatFact(2, "in", "live", None, 5, 1, 2, to_act=False, last_action="kill", marks=("odd",))
    window.receive(
        (
            Update(
                2,
                0,
                (
                    AlertFact(odd),
                    NowFact("odd", {"x": 1}),
                    UndoFact("odd"),
                    seat,
                    DeviceFact("d", "laser", "melting"),
                    NoticeFact("n", "odd"),
                ),
            ),
        )
    )
    window.grab()
    assert window.panel.isVisible() and window.panel.text_fits()


def test_pictures_are_left_for_what_is_new(open_window, tmp_path):
    window = open_window(canned.STATES["play"]())
    shots = Shots(window, tmp_path)
    for seq, alert in enumerate(
        (EARLY_TURN_ASKED, EARLY_TURN_ASKED, EARLY_TURN, replace(EARLY_TURN, state="closed")), 2
    ):
        window.receive((Update(seq, 0, (AlertFact(alert),)),))
    assert [path.name for path in shots.taken] == ["01-R2-question.png", "02-R2-step-2.png"]
    assert all(path.stat().st_size > 10_000 for path in shots.taken)
    assert state_name(replace(EARLY_TURN, steps=())) == "stop"


def test_a_picture_that_cannot_be_written_is_an_error(open_window, tmp_path):
    with pytest.raises(OSError, match="could not be written"):
        open_window().grab_png(tmp_path / "missing" / "x.png")


def test_left_handers_have_the_pad_on_the_left(table):
    window, _ = table("stop", mirrored=True)
    assert window.pad.x() < window.table.x() < window.panel.x()


def test_every_control_has_a_name(table):
    for name in ("play", "stop-question", "showdown", "idle", "trouble"):
        window, _ = table(name)
        assert all(key.accessibleName() for key in window.findChildren(Key) if key.isVisible())


def test_by_exception_a_bet_of_a_seat_further_on_is_told_at_that_seat(table, qtbot):
    window, sent = table("play")
    other = next(fact.seat for fact in window.state.seats if fact.hand == "live" and fact.seat != 5)
    own = replace(window.state.table, entry="by_exception")
    ahead = (AheadOffer(other, can_check=False, call=45, min_to=90, max_to=380),)
    window.receive((Update(2, 0, (own, replace(window.state.pad, ahead=ahead))),))
    for command in (Act(other, "raise", 150), Act(other, "all_in", 150, counted=True)):
        window.table.seat_tapped.emit(other)
        assert window.now_line.line.title == f"ACTION: SEAT {other}"
        assert window.pad.display.shown.plate == str(other)
        for code in ("1", "5", "0"):
            tap(window, qtbot, window.pad.keys[code])
        tap(window, qtbot, window.pad.keys[command.action])
        assert sent.commands[-1] == command
        window.receive((Result(str(len(sent)), ok=False, code="stale"),))
        assert window.pad.entry == "150" and window.seat_sheet.isVisible(), "it was not taken: try again"
        tap(window, qtbot, window.pad.keys[command.action])
        window.receive((Result(str(len(sent)), ok=True),))
        assert not window.seat_sheet.isVisible() and window.pad.display.shown.plate == "5"
    window.table.seat_tapped.emit(3)
    assert window.pad.display.shown.plate == "5", "seat 3 has folded"


def test_by_exception_a_hand_that_is_turned_up_closes_the_last_round(table, qtbot):
    window, sent = table("play")
    key = window.seat_sheet.keys["tabled"]
    window.table.seat_tapped.emit(2)
    assert not key.isVisible(), "the round is open and a burn will close it"
    window.receive((Update(2, 0, (replace(window.state.pad, may_show=(2, 5)),)),))
    window.table.seat_tapped.emit(3)
    assert not key.isVisible(), "seat 3 has folded"
    window.table.seat_tapped.emit(2)
    tap(window, qtbot, key)
    assert sent.commands == [Tabled(2)]
    assert window.pad.keys["raise"].isVisible(), "until then a bet may still come"


def test_a_wrong_amount_that_stands_is_entered_as_ruled(table, qtbot):
    window, sent = table("play")
    seat = next(fact for fact in window.state.seats if fact.last_action in ("bet", "raise", "call"))
    window.table.seat_tapped.emit(seat.seat)
    tap(window, qtbot, window.seat_sheet.keys["ruled"])
    tap(window, qtbot, window.seat_sheet.keys["correct-raise"])
    for code in ("7", "7"):
        tap(window, qtbot, window.pad.keys[code])
    tap(window, qtbot, window.seat_sheet.keys["correct_send"])
    assert sent.commands == [Correct(seat.seat, "raise", 77, ruled=True)]


def test_what_the_first_alert_needs_is_drawn_ahead_and_nobody_sees_it(open_window, qtbot):
    window = open_window(canned.STATES["play"]())
    before = window.grab().toImage()
    draw_ahead(window)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert window.findChildren(AlertPanel) == [window.panel]
    assert window.panel.alert is None and not window.panel.isVisible()
    assert window.grab().toImage() == before
