"""The table dealt by hand: what a hand does in the window, a reader says on its port."""

from __future__ import annotations

import os
import select
import time

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from firmware_protocol.events import MessageReceived
from firmware_protocol.host import HostLink
from firmware_protocol.messages import ShufflerVerdict, TagArrived, TagLeft
from hw_sim.cards import tags_of
from hw_sim.device import KEY_NUMBER
from hw_sim.live import READER_SERIAL, SHUFFLER_SERIAL, LiveWorld
from hw_sim.report import Reporter
from hw_sim.window.model import BOARD, STUB, HandTable
from hw_sim.window.table_window import TableWindow

SEED = 3
FACES = {uid: card for card, uid in tags_of(SEED).items()}


class Host:
    """A host on a device's port, as the table service is one."""

    def __init__(self, world, serial, folder) -> None:
        key = bytes.fromhex((folder / f"{serial}.key").read_text().strip())
        self._port = os.open(folder / "by-id" / serial, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self._link = HostLink(0, nonce=77, keys={KEY_NUMBER: key}, random=os.urandom)
        self._world = world
        self.heard = []

    def listen(self, until, seconds=20.0):
        """Talk, with the window alive, until ``until`` is content with what was heard."""
        end = time.monotonic() + seconds
        while not until(self.heard):
            assert time.monotonic() < end, f"not heard in time, but {self.heard}"
            now = int(time.monotonic() * 1000)
            data = self._link.outgoing(now)
            if data:
                os.write(self._port, data)
            QTest.qWait(2)
            if select.select([self._port], [], [], 0)[0]:
                for event in self._link.receive(os.read(self._port, 4096), now):
                    if isinstance(event, MessageReceived):
                        self.heard.append(event.message)

    def close(self):
        os.close(self._port)


@pytest.fixture
def window(qtbot, tmp_path, capsys):
    world = LiveWorld(tmp_path, None, speed=20, seed=SEED, gate=False, reporter=Reporter(None, as_json=False))
    shown = TableWindow(world, HandTable(world.seats, SEED), seed=SEED, button=7)
    shown.resize(1180, 760)
    shown.show()
    shown.folder = tmp_path
    yield shown
    shown.close()
    world.close()


@pytest.fixture
def reader(window):
    host = Host(window.world, READER_SERIAL, window.folder)
    yield host
    host.close()


def drag(window, card, place):
    """The left button down on a card, moved, and up over a place."""
    view = window.view
    start = view.mapFromScene(window.scene.cards[card].pos())
    end = view.mapFromScene(window.scene.boxes[place].center())
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=start)
    for share in (0.3, 0.7, 1.0):
        QTest.mouseMove(view.viewport(), start + QPoint(*(round(share * d) for d in (end - start).toTuple())))
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=end)


def arrivals(heard):
    return [(FACES[message.uid], message.antenna) for message in heard if isinstance(message, TagArrived)]


def test_a_card_dragged_from_the_stub_is_read_where_it_is_laid(window, reader):
    top = window.table.top()
    drag(window, top, "seat3")
    assert window.table.place_of(top) == "seat3"
    reader.listen(lambda heard: (top, 3) in arrivals(heard))
    drag(window, top, "muck")
    reader.listen(lambda heard: (top, 14) in arrivals(heard))
    assert any(isinstance(message, TagLeft) and message.antenna == 3 for message in reader.heard)


def test_a_card_dropped_beside_the_table_goes_back(window):
    top = window.table.top()
    view = window.view
    QTest.mousePress(
        view.viewport(), Qt.MouseButton.LeftButton, pos=view.mapFromScene(window.scene.cards[top].pos())
    )
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=view.mapFromScene(600, 20))
    assert window.table.top() == top


def test_the_deal_serves_every_seat_from_the_button_s_left(window, qtbot):
    order = []
    window.table.empty = {2, 4}
    pitch = window.table.pitch

    def watched(place, now_ms):
        order.append(place)
        return pitch(place, now_ms)

    window.table.pitch = watched
    window.keys["deal"].click()
    qtbot.waitUntil(lambda: len(order) == 14, timeout=20_000)
    assert order == [f"seat{seat}" for seat in (8, 9, 1, 3, 5, 6, 7)] * 2
    assert [len(window.table.places[f"seat{seat}"]) for seat in range(1, 10)] == [2, 0, 2, 0, 2, 2, 2, 2, 2]


def test_a_card_that_is_taken_after_the_deal_is_not_dealt_again(window, qtbot):
    window.table.empty = {2, 3, 4, 5, 6, 8, 9}
    window.keys["deal"].click()
    qtbot.waitUntil(lambda: len(window.table.places[STUB]) == 48, timeout=20_000)
    drag(window, window.table.places["seat7"][0].card, "aside")
    qtbot.wait(300)
    assert len(window.table.places[STUB]) == 48


def test_a_double_click_turns_a_card_over_and_no_reader_sees_it(window):
    window.keys["board"].click()
    (lying,) = window.table.places[BOARD]
    assert lying.face_up
    spot = window.view.mapFromScene(window.scene.cards[lying.card].pos())
    QTest.mouseDClick(window.view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert not window.table.places[BOARD][0].face_up


def test_gathered_the_deck_is_whole_and_the_shuffler_says_so(window, qtbot):
    shuffler = Host(window.world, SHUFFLER_SERIAL, window.folder)
    window.keys["deal"].click()
    qtbot.waitUntil(lambda: len(window.table.places["seat8"]) == 1, timeout=20_000)
    window.keys["shuffle"].click()
    assert len(window.table.places[STUB]) == 52
    assert len({lying.card for lying in window.table.places[STUB]}) == 52
    shuffler.listen(lambda heard: any(isinstance(m, ShufflerVerdict) and m.count == 52 for m in heard))
    shuffler.close()


def test_a_device_is_unplugged_and_plugged_in_again(window):
    key = window.keys[f"plug-{READER_SERIAL}"]
    key.click()
    assert key.text() == "Plug in"
    assert not (window.folder / "by-id" / READER_SERIAL).exists()
    key.click()
    assert key.text() == "Unplug"
    assert (window.folder / "by-id" / READER_SERIAL).exists()
