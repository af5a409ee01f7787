"""The page of past hands: what it asks the table for, the hand step by step, and that the hand being dealt goes on beside it."""

from __future__ import annotations

from itertools import combinations
from typing import get_args

import msgspec
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from dealer_assist.domain.commands import CallFloor, Command
from dealer_assist.domain.equipment import EquipmentCommand
from dealer_assist.domain.facts import HandFact, NowFact, SeatFact
from dealer_assist.domain.floor import FloorCommand
from dealer_assist.domain.history import (
    AskHands,
    AskReplay,
    HandsPage,
    HistoryCommand,
    ReplayPage,
    ReplayStep,
)
from dealer_assist.domain.link import Result, Update
from dealer_assist.domain.shift import ShiftCommand
from dealer_assist.domain.terms import SetTable
from dealer_assist.station import canned
from dealer_assist.station.canned_history import HANDS, REPLAY, STEPS
from dealer_assist.station.i18n import LANGUAGES, Translator
from dealer_assist.station.pages.past_hands import _ROWS
from dealer_assist.station.pages.replay import happened
from dealer_assist.station.shots import fill, make
from dealer_assist.station.viewmodel import ViewState

#: what is said and asked beside the hands
OUTSIDE_HANDS = (*get_args(EquipmentCommand | FloorCommand | HistoryCommand | ShiftCommand), SetTable)


class Table:
    """A window with the page open, and the table's side of what it asks."""

    def __init__(self, window) -> None:
        self.window = window
        self.sent = []
        window.set_sender(self._send)
        self.page = window.pages.open_page("history")

    def _send(self, command, _after):
        self.sent.append(command)
        return str(len(self.sent))

    def tell(self, told, code=""):
        params = {} if told is None else msgspec.to_builtins(told, str_keys=True)
        self.window.receive((Result(str(len(self.sent)), ok=not code, code=code, params=params),))

    def open_hand(self, number=1, told=REPLAY):
        self.tell(HANDS)
        self.page.keys[f"hand-{number}"].click()
        self.tell(told)

    def felt(self):
        """The seats as the felt shows them."""
        return self.page.scene.accessibleDescription()


@pytest.fixture
def table(open_window):
    def make(name="play", **options):
        return Table(open_window(canned.STATES[name](), **options))

    return make


def test_the_list_is_asked_for_leaf_by_leaf(table):
    at = table("idle")
    assert at.sent == [AskHands(0, _ROWS)] and "Reading…" in at.page.labels
    at.tell(HANDS)
    rows = [key.accessibleName() for code, key in at.page.keys.items() if code.startswith("hand-")]
    assert rows[1].startswith("#10481") and "pot 1 480" in rows[1].replace("\u202f", " ").replace("\xa0", " ")
    assert "D9, N10" in rows[2] and "misdeal" in rows[3] and "running now" in rows[0]
    assert not at.page.keys["newer"].isEnabled()
    at.page.keys["older"].click()
    assert at.sent[-1] == AskHands(8077, _ROWS)
    at.tell(HandsPage(HANDS.hands[-1:]))
    assert not at.page.keys["older"].isEnabled() and not at.page.keys["hand-1"].isVisible()
    at.page.keys["newer"].click()
    assert at.sent[-1] == AskHands(0, _ROWS)


def test_the_newest_hands_are_asked_for_again_when_there_is_another(table):
    at = table()
    at.tell(HANDS)
    hand = next(fact for fact in canned.STATES["play"]() if isinstance(fact, HandFact))
    for seq, fact in enumerate((replace(hand, street="turn"), replace(hand, phase="closed")), 2):
        at.window.receive((Update(seq, 0, (fact,)),))
    assert at.sent == [AskHands(0, _ROWS)] * 2, "once, as it closes"


def test_a_hand_step_by_step_is_drawn_by_the_scene_of_live_play(table):
    at = table()
    live = at.window.table.accessibleDescription()
    at.open_hand()
    assert at.sent[-1] == AskReplay(9120, 0, "10481")
    assert at.page.scene.isVisible() and any(label.startswith("1 / 5") for label in at.page.labels)
    at.page.keys["next"].click()
    assert any("Card exposed" in label for label in at.page.labels)
    at.page.keys["last"].click()
    assert "Ks Kd" in at.felt() and "Kh 7s 2d Tc 4h" in at.felt()
    assert any("PUSH 270" in label for label in at.page.labels)
    assert any("Seat 5 mucked" in label for label in at.page.labels)
    at.page.keys["back"].click()
    assert "Ks" not in at.felt()
    assert any("Seat 2 bet 45" in label for label in at.page.labels)
    at.page.keys["first"].click()
    assert not at.page.keys["back"].isEnabled()
    assert at.window.table.accessibleDescription() == live, "the hand being dealt is shown as it was"
    at.page.keys["to_list"].click()
    assert not at.page.scene.isVisible() and at.page.keys["hand-1"].isVisible()


def test_the_last_step_says_who_won_and_not_what_comes_next(table):
    at = table()
    won = SeatFact(2, "in", "none", 1440, 0, 0, 0, to_act=False, won=270)
    over = HandFact("10481", 1, "closed", "river", 7, 8, 9)
    step = ReplayStep(70_000, "push_pots", (won, over, NowFact("idle", {"result": "completed"})))
    at.open_hand(told=replace(REPLAY, of=len(STEPS) + 1, steps=(*STEPS, step)))
    at.page.keys["last"].click()
    assert "seat 2 +270" in at.page.labels and not any("READY" in label for label in at.page.labels)
    given_back = replace(step, facts=(replace(over, phase="void"), NowFact("idle", {"result": "void"})))
    at.page.keys["to_list"].click()
    at.open_hand(told=replace(REPLAY, of=len(STEPS) + 1, steps=(*STEPS, given_back)))
    at.page.keys["last"].click()
    assert "hand void" in at.page.labels


def test_a_mucked_hand_is_backs_or_nothing_at_every_step(table):
    at = table()
    at.open_hand()
    for number in range(len(STEPS)):
        at.page.go_to(number)
        state = at.page.tape.states[number]
        assert state.seat(5).tabled == ()
        value = at.page.scene.cards[5].value
        assert value is None or value.faces == ()


def test_steps_that_come_in_pages_are_put_together(table):
    at = table()
    at.open_hand(told=replace(REPLAY, steps=STEPS[:2]))
    assert at.sent[-1] == AskReplay(9120, 2, "10481")
    assert any(label.startswith("1 / 5") for label in at.page.labels)
    at.tell(replace(REPLAY, first=2, steps=STEPS[2:]))
    assert at.page.tape.whole and len(at.sent) == 3
    whole = table()
    whole.open_hand()
    assert [state.facts for state in at.page.tape.states] == [state.facts for state in whole.page.tape.states]


def test_the_next_alert_is_a_tap_away_and_a_finger_goes_anywhere(table, qtbot):
    at = table()
    at.open_hand()
    assert at.page.tape.alerts == {1: "medium"}
    at.page.keys["alert"].click()
    assert at.page.at == 1
    slider = at.page.slider
    QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() - 3, 20))
    assert at.page.at == len(STEPS) - 1
    at.page.keys["alert"].click()
    assert at.page.at == 1, "from the beginning again"
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert at.page.at == 2
    QTest.keyClick(at.window, Qt.Key.Key_W)
    qtbot.waitUntil(lambda: at.page.at == 1)


def test_the_pad_goes_on_beside_it(table, qtbot):
    at = table()
    at.window.pad.keys["9"].click()
    at.window.pad.keys["0"].click()
    at.open_hand()
    assert at.window.pad.entry == "90", "what the page asks for clears nothing that was typed"
    QTest.keyClick(at.window, Qt.Key.Key_L)
    qtbot.waitUntil(lambda: at.sent[-1] == CallFloor())


def test_a_running_hand_is_followed_as_far_as_it_has_come(table):
    at = table()
    running = ReplayPage(0, "10482", 0, 2, STEPS[:2])
    at.open_hand(0, running)
    assert at.sent[-1] == AskReplay(0, 0, "10482")
    at.page.keys["last"].click()
    assert at.sent[-1] == AskReplay(0, 2, "10482") and at.page.at == 1
    at.tell(replace(running, first=2, of=3, steps=STEPS[2:3]))
    assert at.page.at == 2 and len(at.page.tape.states) == 3
    at.page.keys["next"].click()
    at.tell(replace(running, first=3, of=4, steps=STEPS[3:4]))
    assert at.page.at == 3
    at.page.keys["next"].click()
    assert at.sent[-1] == AskReplay(0, 4, "10482")
    at.tell(None, "no_such_hand")
    assert "not there" in at.page.note and at.page.scene.isVisible(), "it has ended; what is known stays"


def test_what_cannot_be_read_is_said_and_nothing_is_shown(table):
    at = table("idle")
    at.tell(None, "history_unavailable")
    assert "cannot be read" in at.page.note
    at.page.close_page()
    at.page = at.window.pages.open_page("history")
    at.tell(HANDS)
    at.page.keys["hand-1"].click()
    at.window.receive(
        (Result(str(len(at.sent)), ok=True, params={"steps": [{"kind": "of another version"}]}),)
    )
    assert not at.page.scene.isVisible() and "no replay" in at.page.note


def test_a_table_that_comes_back_is_asked_again(table):
    at = table()
    at.window.service_lost()
    fill(at.window, canned.STATES["play"]())
    assert at.sent == [AskHands(0, _ROWS)] * 2


def test_the_largest_table_has_room(table):
    at = table(size=(1280, 800), language="bg")
    table_fact = next(fact for fact in STEPS[0].facts if type(fact).__struct_config__.tag == "table")
    seats = tuple(range(1, 12))
    full = [SeatFact(seat, "in", "live", 12_345, 40, 2, 2, to_act=seat == 3) for seat in seats]
    others = [fact for fact in STEPS[0].facts if not isinstance(fact, SeatFact) and fact is not table_fact]
    step = ReplayStep(0, "open_hand", (replace(table_fact, seats=seats), *full, *others))
    at.open_hand(told=replace(REPLAY, of=1, steps=(step,)))
    assert at.page.scene.plates[11].isVisible()
    assert all(item.fits for item in at.page.scene.shown_items())
    assert at.page.text_fits()


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut_off_however_large_the_text(dressed, qtbot, language):
    for name, scale in (("page-history", 150), ("page-history-alert", 100), ("page-history-alert", 150)):
        window = make(name, (1280, 800), language, scale)
        page = window.pages.open
        assert page.text_fits(), (name, page.labels)
        shown = [key for key in page.keys.values() if key.isVisible()]
        assert shown and all(key.text_fits() and key.height() >= 56 for key in shown)
        assert all(page.rect().contains(part.geometry()) for part in shown)
        parts = [*shown, page.scene, page.slider] if page.scene.isVisible() else shown
        for one, other in combinations(parts, 2):
            assert not one.geometry().intersects(other.geometry()), (one.objectName(), other.objectName())
        window.shut()
    qtbot.wait(1)


def test_everything_that_can_happen_in_a_hand_has_words():
    tr = Translator("en")
    told = {str(kind.__struct_config__.tag) for kind in get_args(Command)}
    told -= {str(kind.__struct_config__.tag) for kind in OUTSIDE_HANDS}
    seen = ("card_placed", "card_removed", "card_glimpsed", "strange_card", "card_left_lying", "card_exited")
    by_itself = ("face_revealed", "time_passed", "readers_known", "deck_known", "sensing_known", "undo")
    for code in (*told, *seen, *by_itself):
        assert tr.has(f"did.{code}") or tr.has(f"undo.{code}"), code
    assert happened(
        tr, ReplayStep(0, "late", (), (), {"what": "act", "seat": 3, "action": "fold"}), ViewState()
    ) == ("Entered late: seat 3 fold")
