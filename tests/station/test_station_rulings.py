"""Reports of every row, the floor's choice, notes, corrections, and what the games ask of a seat: by finger, to the command."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt

from dealer_assist.domain.commands import (
    Correct,
    OpenHand,
    PushPots,
    Report,
    Respond,
    Rule,
    SetPoint,
    Shuffled,
    Unfold,
)
from dealer_assist.domain.facts import AlertFact, HandFact, NoticeFact, NowFact, PadFact, Push
from dealer_assist.domain.link import Result, Update
from dealer_assist.station import canned, wording
from dealer_assist.station.canned_alerts import EARLY_TURN, FLOOR_CHOICE, FLOOR_RULED, NOTE
from dealer_assist.station.i18n import Translator
from dealer_assist.station.reportable import FAMILIES, seat_need
from tests.station.taps import Sent, tap


@pytest.fixture
def table(open_window):
    def make(name, **options):
        window = open_window(canned.STATES[name](), **options)
        sent = Sent()
        window.set_sender(sent)
        return window, sent

    return make


def settle(window, qtbot):
    window.receive((Result("99", ok=True), Update(window.state.seq + 1, 0, ())))
    qtbot.wait(1)


# -- reports ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["play", "stop"])
@pytest.mark.parametrize("family", FAMILIES)
def test_every_row_is_reported_by_one_tap_and_its_seat(table, qtbot, family, state):
    window, sent = table(state)
    sheet = window.report_sheet
    wanted = []
    for row in FAMILIES[family]:
        tap(qtbot, window.pad.keys["report"], sheet.keys["more"], sheet.keys[f"family-{family}"])
        for _ in range(9):
            if sheet.keys[f"row-{row}"].isVisible():
                break
            tap(qtbot, sheet.keys["next_page"])
        tap(qtbot, sheet.keys[f"row-{row}"])
        need = seat_need(row)
        assert sheet.isVisible() == (need != "none")
        if need == "needed":
            assert not sheet.keys["no_seat"].isVisible()
            tap(qtbot, sheet.keys["seat-3"])
        elif need == "optional":
            tap(qtbot, sheet.keys["no_seat"])
        wanted.append(Report(row, 3 if need == "needed" else None))
        assert not sheet.isVisible()
        settle(window, qtbot)
    assert sent == wanted


def test_the_common_reports_are_on_the_first_page(table, qtbot):
    window, sent = table("play")
    sheet, report = window.report_sheet, window.pad.keys["report"]
    for codes in (
        ("early_card",),
        ("boxed",),
        ("chop",),
        ("dead_hand", "seat-5"),
        ("exposed", "by_player", "exposed-2"),
        ("irregular", "row-A1", "seat-1"),
    ):
        tap(qtbot, report, *(sheet.keys[code] for code in codes))
        settle(window, qtbot)
    assert sent == [
        Report("early_card"),
        Report("boxed"),
        Report("chop"),
        Report("dead_hand", 5),
        Report("exposed", 2, "player"),
        Report("A1", 1),
    ]


def test_back_leads_to_where_one_came_from(table, qtbot):
    window, sent = table("play")
    sheet = window.report_sheet
    tap(qtbot, window.pad.keys["report"], sheet.keys["more"], sheet.keys["family-deck"], sheet.keys["row-K3"])
    tap(qtbot, sheet.keys["back"])
    assert sheet.keys["row-K3"].isVisible()
    tap(qtbot, sheet.keys["back"])
    assert sheet.keys["misdeal"].isVisible()
    assert sent == []


@pytest.mark.parametrize(("state", "family"), [("deal", "deal"), ("play", "board"), ("showdown", "showdown")])
def test_more_opens_where_the_hand_is(table, qtbot, state, family):
    window, _ = table(state)
    sheet = window.report_sheet
    tap(qtbot, window.pad.keys["report"], sheet.keys["more"])
    assert sheet.keys[f"family-{family}"].role == "chosen"


# -- the floor's choice ----------------------------------------------------------------------------------------------------


def test_the_floor_chooses_among_the_houses_options(table, qtbot):
    window, sent = table("floor-choice")
    panel = window.panel
    assert [key.text() for key in panel.options] == ["The hand is live", "The hand is dead", "Hand void"]
    assert not panel.keys["fixing"].isVisible() and panel.keys["call_floor"].isVisible()
    tap(qtbot, panel.options[0])
    assert sent == [Rule(FLOOR_CHOICE.id, "hand_live")]


def test_a_ruling_that_ends_the_hand_is_held(table, qtbot):
    window, sent = table("floor-choice")
    key = window.panel.options[2]
    tap(qtbot, key)
    assert key.hold_ms == 2000 and sent == []


def test_once_ruled_there_are_steps_and_no_options(table, qtbot):
    window, sent = table("floor-choice")
    window.receive((Update(2, 0, (AlertFact(FLOOR_RULED),)),))
    panel = window.panel
    assert not any(key.isVisible() for key in panel.options)
    assert "Floor ruled: The hand is live" in panel.accessibleDescription()
    tap(qtbot, panel.keys["fixing"])
    assert sent == [Respond(FLOOR_RULED.id, "fixing")]


def test_a_key_that_came_to_be_held_is_held_by_finger_too(table, qtbot):
    window, sent = table("stop")
    key = window.panel.keys["deal_on"]
    key.hold_ms = 100
    qtbot.mousePress(key, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: sent == [Respond(EARLY_TURN.id, "deal_on")])
    qtbot.mouseRelease(key, Qt.MouseButton.LeftButton)


def test_a_gap_of_the_house_names_the_rule_that_fills_it():
    tr = Translator("en")
    assert wording.rules_text(tr, FLOOR_CHOICE) == "House seed is silent; TDA24 65 · A9"
    assert wording.rules_text(tr, replace(FLOOR_CHOICE, gap=False)) == "House seed · TDA24 65 · A9"


def test_a_step_speaks_the_words_of_its_remedy():
    tr = Translator("en")
    step = EARLY_TURN.steps[3]
    assert wording.step_text(tr, step, EARLY_TURN).startswith("After the turn betting")
    other = replace(EARLY_TURN, remedy="reshuffle_turn")
    assert wording.step_text(tr, step, other).startswith("Shuffle the stub")


# -- notes -----------------------------------------------------------------------------------------------------------------


def test_a_note_is_a_quiet_line_and_never_a_sound(table, heard):
    window, _ = table("play", sounds=heard)
    window.receive((Update(2, 0, (AlertFact(NOTE),)),))
    assert not window.panel.isVisible() and heard == []
    (note,) = window.table.notices.value
    assert (note.text, note.level) == ("X6 · Card shown by a player", "low")
    window.receive((Update(3, 0, (HandFact("10482", 1, "betting", "turn", 7, 8, 9),)),))
    assert window.table.notices.value is None
    window.receive((Update(4, 0, (AlertFact(EARLY_TURN),)),))
    assert heard == ["high"]


# -- what is put right, and what games ask ---------------------------------------------------------------------------------


def test_the_last_action_of_a_seat_is_amended(table, qtbot):
    window, sent = table("play")
    sheet = window.seat_sheet
    window.table.seat_tapped.emit(2)
    tap(qtbot, sheet.keys["correct-check"])
    settle(window, qtbot)
    window.table.seat_tapped.emit(2)
    tap(qtbot, sheet.keys["back-1"], sheet.keys["correct-raise"])
    assert not sheet.keys["correct_send"].isEnabled()
    tap(qtbot, window.pad.keys["9"], window.pad.keys["0"], sheet.keys["correct_send"])
    assert sent == [Correct(2, "check"), Correct(2, "raise", 90, 1)]


def test_a_fold_can_be_taken_for_a_call_and_a_seat_without_action_for_nothing(table, qtbot):
    window, sent = table("play")
    window.table.seat_tapped.emit(3)
    tap(qtbot, window.seat_sheet.keys["correct-call"])
    settle(window, qtbot)
    window.table.seat_tapped.emit(1)
    assert not window.seat_sheet.keys["correct-fold"].isVisible()
    assert sent == [Correct(3, "call")]


def test_a_point_card_is_named_and_a_hand_bought_back(table, qtbot):
    window, sent = table("point")
    window.table.seat_tapped.emit(5)
    tap(qtbot, window.seat_sheet.keys["point-3"])
    settle(window, qtbot)
    window.table.seat_tapped.emit(3)
    assert not window.seat_sheet.keys["point-1"].isVisible()
    window.receive((Update(window.state.seq + 1, 0, (NowFact("window", {"seats": [3], "price": 30}),)),))
    tap(qtbot, window.seat_sheet.keys["unfold"])
    assert sent == [SetPoint(5, 3), Unfold(3)]


def test_the_seat_in_turn_names_its_point_card_with_one_tap(table, qtbot):
    window, sent = table("point")
    keys = window.pad.keys
    assert [keys[f"ask-{index}"].text() for index in range(3)] == [
        f"Seat 1: card {card}" for card in (1, 2, 3)
    ]
    tap(qtbot, keys["ask-1"])
    assert sent == [SetPoint(1, 2)]


def test_who_is_to_act_is_asked_first_and_gets_the_presets_back(table, qtbot):
    window, _ = table("point")
    keys = window.pad.keys
    pad = PadFact(5, False, 45, 90, 910, 270, 158, False)
    window.receive((Update(2, 0, (pad,)),))
    assert keys["ask-0"].text() == "Seat 5: card 1" and not keys["ready-0"].isVisible()
    window.receive((Update(3, 0, (NowFact("point", {"seats": [1, 2]}),)),))
    assert keys["ready-0"].isVisible() and not keys["ask-0"].isVisible()


def test_a_power_card_names_whom_it_is_played_on():
    tr = Translator("en")
    played = NoticeFact("event/4", "event", {"seat": 4, "name": "x_ray", "target": 7})
    assert wording.notice_text(tr, played) == "Seat 4: X-ray → seat 7"
    alone = replace(played, params={"seat": 4, "name": "reload", "target": 0})
    assert wording.notice_text(tr, alone) == "Seat 4: Reload"


def test_hands_are_bought_back_with_one_tap(table, qtbot):
    window, sent = table("window")
    keys = window.pad.keys
    assert not keys["ask-2"].isVisible() and not keys["ready-0"].isVisible()
    tap(qtbot, keys["ask-1"])
    assert sent == [Unfold(9)]


def test_pots_pushed_otherwise_are_sent_only_when_every_chip_is_shared_out(table, qtbot):
    window, sent = table("award")
    sheet = window.push_sheet
    tap(qtbot, window.pad.keys["pushed_otherwise"], sheet.keys["to-5"])
    tap(qtbot, *(sheet.keys[f"digit-{digit}"] for digit in "380"))
    assert sheet.left == 1140 and not sheet.keys["push_send"].isEnabled()
    tap(qtbot, sheet.keys["to-2"], sheet.keys["push_rest"])
    assert sheet.left == 0
    tap(qtbot, sheet.keys["digit-0"])
    assert sheet.left < 0 and not sheet.keys["push_send"].isEnabled()
    tap(qtbot, sheet.keys["digit-delete"], sheet.keys["push_send"])
    assert sent == [PushPots({5: 380, 2: 1140})]


def test_the_push_sheet_goes_with_its_award(table, qtbot):
    window, _ = table("award")
    tap(qtbot, window.pad.keys["pushed_otherwise"])
    window.receive((Update(2, 0, (PadFact(None, can_open=True), NowFact("idle"))),))
    assert not window.push_sheet.isVisible()


def test_a_deck_is_said_to_be_shuffled_and_another_game_is_one_key(table, qtbot):
    window, sent = table("deck")
    tap(qtbot, window.pad.keys["shuffled"])
    settle(window, qtbot)
    assert window.pad.keys["game-0"].text() == "Next hand: Bomb pot, two boards"
    tap(qtbot, window.pad.keys["game-0"])
    assert sent == [Shuffled(), OpenHand(game="bomb_pot_two_boards")]


def test_many_games_are_behind_one_key(table, qtbot):
    window, sent = table("games")
    tap(qtbot, window.pad.keys["other_game"], window.game_sheet.keys["game-2"])
    assert sent == [OpenHand(game="double")]


def test_where_there_is_one_game_and_a_good_deck_nothing_is_asked(table):
    window, _ = table("idle")
    keys = window.pad.keys
    assert not any(keys[code].isVisible() for code in ("shuffled", "game-0", "game-1", "other_game"))
    assert not any(keys[f"ready-{place}"].isVisible() for place in range(4)), "nobody bets"


def test_two_boards_lie_below_each_other_and_are_both_spoken(table):
    window, _ = table("two-boards")
    assert [item.value.face for item in window.table.boards[1][:3]] == ["As", "9h", "9d"]
    assert window.table.boards[1][0].box.top() > window.table.boards[0][0].box.bottom()
    assert "Board Kh 7s 2d Tc. Board 2 As 9h 9d" in window.table.accessibleDescription()
    assert window.now_line.line.detail == "face up, on board 2"
    assert "Bomb pot, two boards" in window.header.accessibleName()


@pytest.mark.parametrize(
    ("push", "line"),
    [
        (Push(0, 2, 50, "pair", {"rank": "K"}, board=2), "Pot, board 2: 50 → seat 2"),
        (Push(0, 2, 30, fund=True), "Unfold pot: 30 → seat 2"),
        (Push(0, 2, 18, odd=1), "Pot: 18 → seat 2, odd chip included"),
    ],
)
def test_awards_name_their_board_or_fund(push, line):
    assert wording.push_text(Translator("en"), push, 1)[0] == line
