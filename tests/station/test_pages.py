"""Pages over the felt: they open from the head line, follow the keypad and the keyboard, and make way for an alert and for a hand."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtTest import QTest

from dealer_assist.domain.commands import CallFloor
from dealer_assist.domain.facts import AlertFact, HandFact
from dealer_assist.domain.link import Result, Update
from dealer_assist.station import canned
from dealer_assist.station.canned_alerts import EARLY_TURN
from dealer_assist.station.pages.host import Pages
from dealer_assist.station.pages.page import Leaves, Page
from dealer_assist.station.shots import fill


class Plain(Page):
    name = "set_up"

    def __init__(self, parent, metrics) -> None:
        super().__init__(parent, metrics)
        self.add_key("floor", shortcut="F")
        self.add_key("other")
        self.heard = []

    def lay_out(self, tr, box):
        self.put_row(["floor", "other"], QRectF(box.left(), box.top(), box.width(), self.key_h))
        for code in ("floor", "other"):
            self.keys[code].say(code)
        self.write(f"typed {self.entry}", QRectF(box.left(), box.top() + 100, box.width(), 60))

    def on_key(self, code):
        if code == "floor":
            self.command.emit(CallFloor())

    def answered(self, command, result):
        self.heard.append((command, result.code))


class Staying(Plain):
    stays_in_hand = True


class Beside(Plain):
    beside_alert = True
    behind_badge = True


@pytest.fixture
def at(open_window):
    """A window between hands with one page."""

    def make(kind, name="idle", **options):
        window = open_window(None, **options)
        pages = Pages(window, window.metrics, [kind])
        pages.command.connect(window.command)
        pages.changed.connect(window._lend)
        window.table_sheet.page_wanted.disconnect()
        window.table_sheet.page_wanted.connect(pages.open_page)
        window.pages = pages
        sent = []
        window.set_sender(lambda command, _after: sent.append(command) or str(len(sent)))
        fill(window, canned.STATES[name]())
        return window, sent

    return make


def show(window, qtbot, *facts: object):
    window.receive((Update(window.state.seq + 1, 0, facts),))
    qtbot.wait(1)


def test_a_page_opens_from_the_menu_over_the_felt_and_leaves_the_pad_free(at, qtbot):
    window, sent = at(Plain)
    window.header.table_key.click()
    window.table_sheet.keys["page-set_up"].click()
    page = window.pages.open
    assert page.isVisible() and window.open_sheet is None
    assert not page.geometry().intersects(window.pad.geometry())
    assert not page.geometry().intersects(window.lamps.geometry())
    assert page.geometry().contains(window.table.geometry().adjusted(20, 20, -20, -20))
    assert page.accessibleName() == window.tr_("page.set_up")
    page.keys["floor"].click()
    window.receive((Result("1", ok=False, code="stale"),))
    assert sent == [CallFloor()] and page.heard == [(CallFloor(), "stale")]
    page.keys["close"].click()
    assert window.pages.open is None and not page.isVisible()


def test_the_keyboard_reaches_a_page_and_the_keypad_stays_the_pads(at, qtbot):
    window, sent = at(Plain)
    QTest.keyClick(window, Qt.Key.Key_T)
    qtbot.waitUntil(window.table_sheet.isVisible)
    QTest.keyClick(window, Qt.Key.Key_Q)
    qtbot.waitUntil(lambda: window.pages.open is not None)
    page = window.pages.open
    QTest.keyClick(window, Qt.Key.Key_F)
    QTest.keyClick(window, Qt.Key.Key_7)
    qtbot.waitUntil(lambda: sent == [CallFloor()] and page.labels[-1] == "typed 7")
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.pages.open is None


def test_an_alert_puts_a_page_aside_and_gives_it_back(at, qtbot):
    window, _ = at(Staying, "play")
    page = window.pages.open_page("set_up")
    show(window, qtbot, AlertFact(EARLY_TURN))
    assert not page.isVisible() and window.panel.isVisible() and window.pages.open is page
    window.receive((Update(window.state.seq + 1, 0, (), (("alert", EARLY_TURN.id),)),))
    qtbot.wait(1)
    assert page.isVisible()


def test_a_page_that_stays_beside_an_alert_is_never_under_it(at, qtbot):
    window, _ = at(Beside, "stop")
    page = window.pages.open_page("set_up")
    assert page.isVisible() and not page.geometry().intersects(window.panel.geometry())


def test_the_first_pitch_gives_the_felt_back_unless_the_page_belongs_in_a_hand(at, qtbot):
    for kind, stays in ((Plain, False), (Staying, True)):
        window, _ = at(kind)
        window.pages.open_page("set_up")
        show(window, qtbot, HandFact("10483", 1, "deal", "preflop", 8, 9, 1))
        assert (window.pages.open is not None) == stays


def test_a_page_opened_in_a_hand_is_not_shut_by_what_happens_in_it(at, qtbot):
    window, _ = at(Plain, "play")
    window.pages.open_page("set_up")
    show(window, qtbot, HandFact("10482", 1, "showdown", "river", 7, 8, 9))
    assert window.pages.open is not None


def test_a_gate_can_keep_a_page_shut(at):
    window, _ = at(Beside)
    asked = []
    window.pages.gate = lambda kind: asked.append(kind) or not kind.behind_badge
    assert window.pages.open_page("set_up") is None
    assert asked == [Beside] and window.pages.open is None


def test_leaves_turn_over_and_stop_at_the_ends():
    leaves, items = Leaves(), tuple(range(7))
    assert leaves.cut(items, 3) == (0, 1, 2) and leaves.count == 3
    leaves.turn(1)
    leaves.turn(1)
    leaves.turn(1)
    assert leaves.cut(items, 3) == (6,)
    assert leaves.cut(items[:2], 3) == (0, 1)
    leaves.turn(-1)
    assert leaves.at == 0
