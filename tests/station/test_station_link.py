"""The window on a real Unix socket."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from dealer_assist.domain.commands import Act, Answer
from dealer_assist.domain.facts import AlertFact, NowFact, PadFact, PotFact, PotView
from dealer_assist.domain.link import Update
from dealer_assist.station import canned
from dealer_assist.station.app import run_station
from dealer_assist.station.canned_alerts import EARLY_TURN_ASKED
from dealer_assist.station.link import TableLink


@pytest.fixture
def station(service, open_window, qtbot):
    window = open_window()
    link = TableLink(service.path, id_prefix="test")
    window.set_sender(lambda command, after: link.send(command, after=after))
    link.received.connect(window.receive)
    link.lost.connect(window.service_lost)
    link.start()
    qtbot.waitUntil(lambda: window.state.link == "ready", timeout=10_000)
    yield window
    link.stop()


def test_the_whole_state_comes_with_the_connection(station):
    assert station.state.seq == 100
    assert station.now_line.line.title == "ACTION: SEAT 5"
    assert not station.lost_panel.isVisible()


def test_an_alert_slides_in_and_its_answer_goes_out_as_seen(station, service, qtbot):
    pad = station.pad.geometry()
    service.update(AlertFact(EARLY_TURN_ASKED))
    qtbot.waitUntil(station.panel.isVisible, timeout=10_000)
    assert station.pad.geometry() == pad
    qtbot.mouseClick(station.panel.keys["no"], Qt.MouseButton.LeftButton)
    request = service.next_request()
    assert (request.command, request.after, request.actor) == (
        Answer(EARLY_TURN_ASKED.id, "no"),
        101,
        "dealer",
    )
    service.answer(request)
    service.update(gone=(("alert", EARLY_TURN_ASKED.id),))
    qtbot.waitUntil(lambda: not station.panel.isVisible(), timeout=10_000)


def test_a_stale_tap_is_said_to_be_one(station, service, qtbot):
    qtbot.mouseClick(station.pad.keys["call"], Qt.MouseButton.LeftButton)
    request = service.next_request()
    assert request.command == Act(5, "call") and request.after == 100
    assert not station.pad.keys["call"].isEnabled()
    service.answer(request, ok=False, code="stale")
    qtbot.waitUntil(lambda: station.pad.message.startswith("The table changed"), timeout=10_000)
    assert station.pad.keys["call"].isEnabled()


def test_a_tap_without_an_answer_is_named(station, service, qtbot):
    station._unanswered.setInterval(50)
    qtbot.mouseClick(station.pad.keys["call"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "No answer" in station.pad.message, timeout=10_000)


def test_requests_have_ids_of_their_own(station, service, qtbot):
    ids = set()
    for _ in range(3):
        qtbot.mouseClick(station.pad.keys["call"], Qt.MouseButton.LeftButton)
        request = service.next_request()
        ids.add(request.id)
        service.answer(request)
        qtbot.waitUntil(station.pad.keys["call"].isEnabled, timeout=10_000)
    assert len(ids) == 3


def test_a_lost_service_is_shown_and_a_new_one_gives_the_whole_state(station, service, qtbot):
    service.stop()
    qtbot.waitUntil(station.lost_panel.isVisible, timeout=10_000)
    assert station.now_line.line.title == "NO CONNECTION"
    assert not station.pad.keys["call"].isEnabled()
    station.command(Act(5, "call"))
    assert station.pad.message == "Not sent: no connection to the table."
    service.seq = 7
    service.facts = canned._with(
        canned.STATES["play"](),
        PotFact((PotView(999, (1, 2)),), 0, 999),
        NowFact("burn", {"street": "turn"}),
        PadFact(None),
    )
    service.start()
    qtbot.waitUntil(lambda: station.state.link == "ready", timeout=10_000)
    assert station.state.seq == 7 and station.state.pot.total == 999
    assert station.now_line.line.title == "BURN ONE"
    assert not station.lost_panel.isVisible()


def test_a_gap_in_the_updates_is_healed_by_a_new_snapshot(station, service, qtbot):
    service.seq = 200
    service.facts = canned.STATES["award"]()
    service.say(Update(105, 0, (NowFact("burn", {"street": "turn"}),)))
    qtbot.waitUntil(lambda: station.state.seq == 200, timeout=10_000)
    assert station.now_line.line.title == "PUSH THE POTS"


@pytest.mark.parametrize("noise", [b"\xff\xfe\n", b"{}\n", b'{"type":"update","seq":"x"}\n', b"[1,2\n"])
def test_noise_on_the_socket_is_healed_too(station, service, qtbot, noise):
    service.seq = 300
    service.raw(noise)
    qtbot.waitUntil(lambda: station.state.seq == 300, timeout=10_000)


def test_another_version_is_named_and_nothing_is_shown_as_current(service, open_window, qtbot):
    service.version = 99
    window = open_window()
    link = TableLink(service.path, id_prefix="test")
    link.received.connect(window.receive)
    link.lost.connect(window.service_lost)
    link.start()
    qtbot.waitUntil(lambda: window.state.link == "version", timeout=10_000)
    link.stop()
    assert "99" in window.lost_panel.more


def test_a_link_without_a_service_stops_at_once(tmp_path):
    link = TableLink(tmp_path / "nobody.sock", id_prefix="test")
    link.start()
    assert link.send(Act(1, "fold"), after=0) is None
    link.stop()
    link.stop()


def test_the_program_runs_until_it_is_told_to_end(service, dressed, tmp_path, capsys, qtbot):
    from PySide6.QtCore import QTimer

    service.facts = canned.STATES["question"]()
    seen = []

    def ready(window):
        def look():
            if window.panel.isVisible():
                seen.append(window.state.seq)
                dressed.quit()
            else:
                QTimer.singleShot(20, look)

        QTimer.singleShot(20, look)

    code = run_station(
        service.path, language="uk", shots=tmp_path / "shots", size=(1280, 800), simulate=True, on_ready=ready
    )
    assert code == 0 and seen == [100]
    assert capsys.readouterr().out == "ready\n"
    assert [path.name for path in (tmp_path / "shots").iterdir()] == ["01-R2-question.png"]
