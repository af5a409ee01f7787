"""Calibration and diagnostics on the picture of the table."""

from __future__ import annotations

from itertools import combinations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRectF

from dealer_assist.domain.equipment import (
    AntennasFact,
    AntennaView,
    Calibrate,
    Diagnose,
    LinksFact,
    LinkView,
    SaveTrace,
    SetupFact,
    SetupStep,
)
from dealer_assist.domain.facts import DeviceFact, HandFact, NoticeFact
from dealer_assist.domain.link import LINK_VERSION, Hello, Result, Snapshot
from dealer_assist.station import canned_pages
from dealer_assist.station.pages.diagnostics import NO_FAULTS
from dealer_assist.station.pages.table_picture import lay_out
from firmware_protocol.framing import Counters
from tests.station.page_kit import show


def spot(page, zone):
    key = next(key for key, spot in page.spots.items() if spot.zone == zone)
    return page.keys[page.code_of(key)]


OWN = ("muck", "burn", "gate", "stub", "shoe", "check", "badge")


@pytest.mark.parametrize("boards", [1, 5])
@pytest.mark.parametrize("own", range(0, 8, 3))
@pytest.mark.parametrize("seats", [0, 1, 2, 6, 9, 11])
def test_no_two_antennas_lie_over_each_other(seats, own, boards):
    zones = [*(f"seat{seat}" for seat in range(1, seats + 1)), *["board"] * boards, "board2", *OWN[:own]]
    box = QRectF(10, 10, 830, 440)
    spots = lay_out(box, [(("r", number), zone) for number, zone in enumerate(zones)], (116, 58))
    assert len(spots) == len(zones)
    for one, other in combinations(spots, 2):
        assert not one.box.intersects(other.box), (one.zone, one.number, other.zone, other.number)
    for one in spots:
        assert box.adjusted(-0.5, -0.5, 0.5, 0.5).contains(one.box), one.zone


def test_seats_go_clockwise_from_the_dealers_left(at):
    _, page, _ = at("page-calibration")
    one, five, nine = (spot(page, f"seat{seat}").geometry().center() for seat in (1, 5, 9))
    assert one.x() < five.x() < nine.x() and five.y() < one.y()


def test_calibration_begins_with_all_or_with_the_places_that_were_tapped(at):
    _, page, sent = at("page-calibration")
    assert page.keys["begin"].text() == "Measure 13 antennas"
    page.keys["begin"].click()
    spot(page, "seat3").click()
    spot(page, "muck").click()
    assert page.keys["begin"].text() == "Measure 2 antennas"
    page.keys["begin"].click()
    spot(page, "muck").click()
    page.keys["begin"].click()
    assert [sorted(command.zones) for command in sent] == [[], ["muck", "seat3"], ["seat3"]]
    assert all(isinstance(command, Calibrate) for command in sent)


def test_the_antenna_to_touch_is_lit_those_done_are_ticked_and_keys_take_steps(at, qtbot):
    window, page, sent = at("page-calibration-going")
    assert [spot(page, f"seat{seat}").state for seat in (1, 3, 5, 7, 8)] == [
        "good",
        "poor",
        "missing",
        "now",
        "waiting",
    ]
    assert spot(page, "seat7").lit and not spot(page, "seat6").lit
    assert "Lay any card here and let it lie: seat 7" in page.labels
    assert "6 of 13" in page.labels
    for code in ("skip", "back", "keep", "leave"):
        page.keys[code].click()
    assert sent == [SetupStep("skip"), SetupStep("back"), SetupStep("finish"), SetupStep("cancel")]
    window.receive((Result("1", ok=False, code="no_such_step", params={"do": "skip"}),))
    assert page.note
    show(window, qtbot, SetupFact(note="calibrated", params={"fingerprint": "4f1c09aa72de"}))
    assert page.keys["begin"].isVisible() and not page.keys["skip"].isVisible()


def test_diagnostics_ask_for_the_live_view_and_give_it_up(at):
    window, page, sent = at("page-diagnostics")
    assert sent == [Diagnose(600)]
    window.pad.keys["7"].click()
    window.receive((Result("1", ok=True),))
    assert window.pad.entry == "7"  # nobody tapped: what is typed stays
    page.keys["close"].click()
    assert sent == [Diagnose(600), Diagnose(0)]


def test_a_table_that_came_back_is_asked_again(at, qtbot):
    window, _, sent = at("page-diagnostics")
    window.service_lost()
    window.receive(
        (
            Hello(LINK_VERSION, "7", simulated=False),
            Snapshot(9, canned_pages.STATES["page-diagnostics"].facts()),
        )
    )
    qtbot.wait(1)
    assert sent == [Diagnose(600), Diagnose(600)]


def test_each_antenna_says_how_many_cards_lie_there_and_what_is_wrong(at, qtbot):
    window, page, _ = at("page-diagnostics")
    assert spot(page, "seat2").accessibleName() == "Seat 2: 2 cards"
    assert spot(page, "seat9").accessibleName() == "Seat 9: empty"
    assert spot(page, "muck").state == "away"  # its reader is lost
    assert "Entered by hand, nothing reads there: Burn" in page.labels
    show(window, qtbot, DeviceFact("burn-1", "burn_gate", "ok", ("burn",)))
    assert "Reduced checking: Muck" in page.labels
    assert spot(page, "muck").state == "poor"
    show(window, qtbot, NoticeFact("reduced/muck", ""))
    assert not any(label.startswith("Reduced") for label in page.labels)


def test_nothing_that_is_shown_is_a_card_or_a_tag(at, qtbot):
    window, page, _ = at("page-diagnostics")
    known = set(AntennaView.__struct_fields__)
    assert not known & {"uid", "face", "card", "tag"}
    view = AntennaView("reader-1", 1, "seat2", "good", 1)
    show(window, qtbot, AntennasFact((view,)))
    assert spot(page, "seat2").accessibleName() == "Seat 2: 1 card"
    show(window, qtbot, AntennasFact((replace(view, cards=None),)))
    assert spot(page, "seat2").accessibleName() == "Seat 2: –"


def test_figures_and_devices_have_views_of_their_own_and_turn_over(at, qtbot):
    window, page, sent = at("page-diagnostics")
    page.keys["figures"].click()
    assert "96.4 %" in page.labels and "Seat 3" in page.labels
    assert page.keys["later"].isVisible()
    page.keys["later"].click()
    assert any(label.startswith("Muck") for label in page.labels) and "63.1 %" in page.labels
    page.keys["devices"].click()
    assert "timeouts" not in page.keys["device-1"].accessibleName()
    assert "no answers 41" in page.keys["device-1"].accessibleName()
    assert "lost 3 times" in page.keys["device-1"].accessibleName()
    show(window, qtbot, LinksFact())
    assert "Waiting for the devices…" in page.labels
    page.keys["save"].click()
    window.receive((Result("2", ok=True, params={"hands": 3, "path": "/a/now.jsonl", "lines": 9}),))
    assert sent[-1] == SaveTrace() and page.note == "The recording of 3 hands is saved: now.jsonl"


def test_diagnostics_stay_open_while_a_hand_begins(at, qtbot):
    window, page, _ = at("page-diagnostics")
    show(window, qtbot, HandFact("1", 1, "closed", "river", 7, 8, 9))
    show(window, qtbot, HandFact("2", 1, "deal", "preflop", 8, 9, 1))
    assert window.pages.open is page


def test_a_calibration_that_was_begun_here_is_left_off_with_the_page(at, qtbot):
    _, page, sent = at("page-calibration-going")
    page.keys["skip"].click()
    page.keys["close"].click()
    assert sent == [SetupStep("skip"), SetupStep("pause")]


def test_every_fault_that_a_line_counts_has_its_words_and_being_alive_is_none(at, qtbot):
    window, page, _ = at("page-diagnostics")
    page.keys["devices"].click()
    counters = dict.fromkeys(Counters().as_dict(), 7)
    for name in counters.keys() - NO_FAULTS:
        assert window.tr_.has(f"counter.{name}"), name
    well = LinkView("r", "reader", "ok", counters=dict.fromkeys(NO_FAULTS, 7))
    show(window, qtbot, LinksFact((well, LinkView("s", "reader", "ok", counters={"gaps": 7, "frames": 900}))))
    assert "no faults" in page.keys["device-0"].accessibleName()
    assert page.keys["device-1"].accessibleName().endswith("gaps 7")
