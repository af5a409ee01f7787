"""The floor's page: badge and PIN without an echo, the gate before other pages, rulings, the shift's alerts, corrections."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import Correct, Rule, Void
from dealer_assist.domain.facts import AlertFact, DeviceFact, NoticeFact
from dealer_assist.domain.floor import (
    AskActions,
    AskShift,
    FloorModeFact,
    SeatAction,
    SignIn,
    SignOff,
    SignOut,
    StaySignedIn,
)
from dealer_assist.domain.link import Result, Update
from dealer_assist.station import canned, canned_floor
from dealer_assist.station.canned_alerts import FLOOR_CHOICE
from dealer_assist.station.pages.floor import FloorPage
from dealer_assist.station.scene.words import lines

OUT = FloorModeFact(configured=True)
SHOWN = replace(OUT, badge="Petar D.", badge_until_s=1_800_000_060, tries_left=3)
INSIDE = replace(OUT, name="Petar D.", number=40, until_s=1_800_000_300)


@pytest.fixture
def at(open_window, qtbot):
    """A window in a canned state with these facts, and what it sends."""

    def start(name, *facts: object):
        window = open_window((*canned.STATES[name](), *facts))
        sent = []
        window.set_sender(lambda command, _after: sent.append(command) or str(len(sent)))
        return window, sent

    return start


def show(window, qtbot, *facts: object):
    window.receive((Update(window.state.seq + 1, 0, facts),))
    qtbot.wait(1)


def taps(page, digits):
    for digit in digits:
        page.keys[f"pin-{digit}"].click()


def type_keys(window, *keys: Qt.Key):
    for key in keys:
        QTest.keyClick(window, key)
        QTest.qWait(130)  # a key that is pressed stays down for a moment


def told(window):
    """All that a screen reader could be told."""
    parts = [window, *window.findChildren(QWidget)]
    return [text for part in parts for text in (part.accessibleName(), part.accessibleDescription())]


def test_a_floor_badge_opens_the_page_and_a_pin_signs_in(at, qtbot):
    window, sent = at("play", OUT)
    show(window, qtbot, SHOWN)
    page = window.pages.open
    assert isinstance(page, FloorPage) and page.isVisible()
    assert not page.keys["pin_ok"].isEnabled()
    taps(page, "19037")
    page.keys["pin_delete"].click()
    assert page.digits == 4
    taps(page, "74")
    page.keys["pin_ok"].click()
    assert sent == [SignIn("190374")] and page.digits == 0
    show(window, qtbot, replace(SHOWN, checking=True))
    assert not page.keys["pin-1"].isEnabled() and "The PIN is being checked…" in page.labels
    window.receive((Result("1", ok=False, code="wrong_pin", params={"count": 2}),))
    assert page.note == "Wrong PIN. 2 tries left."
    show(window, qtbot, INSIDE)
    assert page.note == "" and not page.keys["pin-1"].isVisible()
    assert "Floor: Petar D." in window.lamps.accessibleName(), "the dealer sees that floor mode is on"
    page.keys["sign_out"].click()
    assert SignOut() in sent
    show(window, qtbot, replace(OUT, note="signed_out"))
    assert page.note == "Signed out."


def test_the_keyboard_types_the_pin_and_nothing_of_it_reaches_the_pad(at, qtbot):
    window, sent = at("play", SHOWN)
    page = window.pages.open_page("floor")
    keys = [getattr(Qt.Key, f"Key_{digit}") for digit in "2804155"]
    type_keys(window, *keys, Qt.Key.Key_Backspace, Qt.Key.Key_Return)
    assert sent == [SignIn("280415")]
    assert window.pad.entry == "" and page.digits == 0


def test_a_pin_that_is_typed_before_its_badge_was_read_goes_nowhere(at, qtbot):
    """Nor does one whose badge was forgotten meanwhile: the pad would show it, and Enter would bet it."""
    window, sent = at("play", OUT)
    window.pages.open_page("floor")
    type_keys(window, *[getattr(Qt.Key, f"Key_{digit}") for digit in "28"], Qt.Key.Key_Return)
    assert (window.pad.entry, sent) == ("", [])
    show(window, qtbot, SHOWN)
    type_keys(window, Qt.Key.Key_0)
    show(window, qtbot, replace(OUT, note="badge_timed_out"))
    type_keys(window, Qt.Key.Key_4, Qt.Key.Key_Backspace, Qt.Key.Key_1, Qt.Key.Key_Return)
    assert (window.pad.entry, sent) == ("", [])
    window.pages.open.keys["close"].click()
    type_keys(window, Qt.Key.Key_4)
    assert window.pad.entry == "4"


def test_a_pin_that_is_tapped_on_the_pad_is_not_shown_there(at, qtbot):
    window, sent = at("play", OUT)
    show(window, qtbot, SHOWN)
    digits = [window.pad.keys[code] for code in "1903740"]
    for key in digits:
        key.click()
    assert window.pad.entry == "" and not any(key.isEnabled() for key in digits)
    assert window.pad.keys["fold"].isEnabled(), "the dealer goes on"
    show(window, qtbot, INSIDE)
    assert all(key.isEnabled() for key in digits)
    show(window, qtbot, replace(OUT, note="signed_out"))
    if window.pages.open is not None:
        window.pages.close()
    digits[0].click()
    assert window.pad.entry == "1" and sent == []


def test_a_pin_is_typed_as_fast_as_one_types(at, qtbot):
    window, sent = at("play", SHOWN)
    window.pages.open_page("floor")
    for digit in "112200":
        QTest.keyClick(window, getattr(Qt.Key, f"Key_{digit}"))
    type_keys(window, Qt.Key.Key_Return)
    assert sent == [SignIn("112200")]


def test_what_is_typed_is_neither_seen_nor_told(at, qtbot):
    """Two PINs of one length leave the same picture and the same words; what was begun is forgotten with the page."""
    window, sent = at("play", SHOWN)
    page = window.pages.open_page("floor")
    left = []
    for pin in ("111111", "987420"):
        taps(page, pin)
        page.setFocus()
        qtbot.wait(1)
        assert page.digits == 6 and "6 digits typed" in page.labels
        left.append((window.grab().toImage(), told(window), page.labels))
        assert not [text for text in left[-1][1] if pin in text]
        assert pin not in repr(page)
        page.keys["close"].click()
        page = window.pages.open_page("floor")
        assert page.digits == 0
    assert left[0] == left[1]
    taps(page, "98")
    show(window, qtbot, replace(SHOWN, badge="Maria"))
    assert page.digits == 0, "another badge was shown"
    assert sent == []


def test_a_page_behind_the_badge_opens_when_somebody_has_signed_in(at, qtbot):
    window, _sent = at("idle", OUT)
    assert window.pages.open_page("diagnostics") is None
    page = window.pages.open
    assert isinstance(page, FloorPage) and "Show the floor badge to the reader" in page.labels
    show(window, qtbot, SHOWN)
    show(window, qtbot, INSIDE)
    assert window.pages.open.name == "diagnostics"
    show(window, qtbot, replace(INSIDE, until_s=INSIDE.until_s + 60))
    assert window.pages.open.name == "diagnostics"
    show(window, qtbot, replace(OUT, note="timed_out"))
    assert window.pages.open is None, "what is the floor's is closed with floor mode"
    assert window.pages.open_page("diagnostics") is None
    window.pages.open.keys["close"].click()
    show(window, qtbot, INSIDE)
    assert window.pages.open is None, "who left the page wants nothing any more"
    assert window.pages.open_page("diagnostics") is not None


def test_a_table_without_a_staff_file_opens_every_page(at, qtbot):
    window, _ = at("idle", FloorModeFact())
    assert window.pages.open_page("diagnostics") is not None
    page = window.pages.open_page("floor")
    assert any("No floor badges" in label for label in page.labels)
    assert page.keys["tab-shift"].isVisible() and not page.keys["sign_off"].isVisible()
    spoke = []
    window.set_sender(lambda _command, _after: spoke.append(window.floor_speaks) or "1")
    page.keys["tab-shift"].click()
    window.pad.keys["call_floor"].click()
    assert spoke == [True, False], "the floor's page speaks for the floor, the pad does not"


def test_the_felt_comes_back_when_no_pin_follows(at, qtbot):
    window, _ = at("play", OUT)
    show(window, qtbot, SHOWN)
    assert window.pages.open is not None
    show(window, qtbot, replace(OUT, note="badge_timed_out"))
    assert window.pages.open is None


def test_the_floor_rules_beside_the_alert_and_signs(at, qtbot):
    waiting = replace(INSIDE, rule_on=(FLOOR_CHOICE.id,), unsigned=canned_floor._UNSIGNED)
    window, sent = at("play", AlertFact(FLOOR_CHOICE), waiting)
    page = window.pages.open_page("floor")
    assert page.isVisible() and window.panel.isVisible()
    assert not page.geometry().intersects(window.panel.geometry())
    page.keys["option-1"].click()
    assert sent == [Rule(FLOOR_CHOICE.id, "kill_hand"), StaySignedIn()]
    assert page.keys["option-2"].hold_ms and page.keys["void"].hold_ms
    page.keys["sign_off"].click()
    assert sent[2:] == [SignOff((3, 4))], "what he has before him, and nothing that comes meanwhile"
    window.receive((Result("3", ok=True, params={"count": 2}),))
    assert page.note == "Signed: 2 rulings."
    page.keys["void"].chosen.emit("void")
    assert sent[3:] == [Void()]


def test_the_alerts_of_the_shift_with_what_came_of_them(at, qtbot):
    window, sent = at("idle", INSIDE)
    page = window.pages.open_page("floor")
    page.keys["tab-shift"].click()
    assert sent[0] == AskShift() and "Reading…" in page.labels
    alerts = msgspec.to_builtins(canned_floor._SHIFT)
    window.receive((Result("1", ok=True, params={"alerts": alerts, "of": 5}),))
    assert "settled, 2 of 2 steps; the dealer entered: The hand is live" in page.labels
    assert "settled, 2 of 2 steps; the floor ruled: The hand is dead" in page.labels
    assert any("Player skipped, seat 7" in label for label in page.labels)


def test_what_is_corrected_is_the_action_that_was_chosen_and_no_later_one(at, qtbot):
    """Actions are counted from the last one: when the seat acts again the list is another one."""
    window, sent = at("play", INSIDE)
    page = window.pages.open_page("floor")
    page.keys["tab-correct"].click()
    page.keys["seat-2"].click()
    told = {"seat": 2, "actions": msgspec.to_builtins([SeatAction("flop", "bet", 45)])}
    window.receive((Result(str(len(sent)), ok=True, params=told),))
    page.keys["line-0"].click()
    page.keys["action-fold"].click()
    assert page.keys["correct"].isEnabled()
    asked = len(sent)
    seat = window.state.seat(2)
    show(window, qtbot, replace(seat, cards=seat.cards - 1))
    assert page.keys["correct"].isVisible() and len(sent) == asked, "a card was lifted, that is all"
    show(window, qtbot, replace(seat, bet=90, last_action="raise"))
    assert sent[asked:] == [AskActions(2)]
    assert not page.keys["correct"].isVisible() and not page.keys["line-0"].isVisible()


def test_any_action_of_the_hand_is_corrected(at, qtbot):
    window, sent = at("play", INSIDE)
    page = window.pages.open_page("floor")
    page.keys["tab-correct"].click()
    assert window.pad.lent_for == "Corrected total"
    page.keys["seat-2"].click()
    assert sent[-1] == AskActions(2)
    actions = [SeatAction("flop", "bet", 45), SeatAction("preflop", "call", 10, assumed=True)]
    told = {"seat": 2, "actions": msgspec.to_builtins(actions)}
    window.receive((Result(str(len(sent)), ok=True, params=told),))
    assert [cell.text for cell in page.keys["line-1"].cells] == ["PRE-FLOP", "call 10", "assumed"]
    page.keys["line-1"].click()
    page.keys["action-raise"].click()
    assert not page.keys["correct"].isEnabled(), "a raise needs an amount"
    for digit in "30":
        window.pad.keys[digit].click()
    assert page.keys["correct"].text() == "Correct: raise 30"
    page.keys["correct"].click()
    assert sent[-1] == Correct(2, "raise", 30, 1)
    window.receive((Result(str(len(sent)), ok=False, code="not_correctable", params={"seat": 2}),))
    assert page.note
    page.keys["tab-rulings"].click()
    assert window.pad.lent_for == ""


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_the_longest_name_hides_no_device_that_needs_somebody(at, qtbot, size):
    long = "Maria-Konstantina " * 3 + "Petrow"
    assert len(long) == 60
    lost = DeviceFact("BOARD-1", "reader", "lost", ("board",), "no_port")
    window, _ = at(
        "play", lost, replace(INSIDE, name=long), NoticeFact("dealer_push", "dealer_push", {"dealer": long})
    )
    window.resize(*size)
    qtbot.wait(1)
    assert window.lamps.text_fits()
    shown = [lamp.state for _, _, lamp in window.lamps.shown]
    assert shown[0] == "floor" and "lost" in shown
    assert long in window.lamps.accessibleName(), "in full where there is room"
    assert window.table.notices.fits


def test_more_notices_than_there_is_room_for_stay_readable_and_what_is_wrong_goes_last(at, qtbot):
    wrong = [NoticeFact(f"zone{n}", "reduced_checking", {"zone": f"seat{n}"}) for n in range(1, 10)]
    calm = [NoticeFact("floor", "floor_called"), NoticeFact("identified", "hand_identified", {"seat": 3})]
    window, _ = at("play", *calm, *wrong)
    notices = window.table.notices
    assert notices.fits and 2 < notices.hidden < 11
    window.resize(1920, 1080)
    qtbot.wait(1)
    assert notices.fits
    spoken = [line.text for line in lines(window.tr_, window.state)]
    assert len([text for text in spoken if text.startswith("Reduced checking")]) == 9, "in words, all of them"
    window.receive((Update(window.state.seq + 1, 0, tuple(replace(one, code="") for one in wrong)),))
    qtbot.wait(1)
    assert notices.hidden == 0
