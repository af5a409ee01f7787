"""What the station's tests share: a service on a real Unix socket, windows without animation, and a watch on threads."""

from __future__ import annotations

import contextlib
import queue
import socket
import threading

import msgspec
import pytest

from dealer_assist.domain.link import LINK_VERSION, Hello, Request, Result, Snapshot, Update
from dealer_assist.station import canned, canned_pages, pad
from dealer_assist.station.app import application
from dealer_assist.station.shots import fill
from dealer_assist.station.window import StationWindow


class FakeService:
    """The other end of the socket: says what a test tells it, and keeps the requests that came."""

    def __init__(self, path) -> None:
        self.path = path
        self.requests: queue.Queue[Request] = queue.Queue()
        self.facts = canned.STATES["play"]()
        self.seq = 100
        self.version = LINK_VERSION
        self._listener: socket.socket | None = None
        self._clients: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()

    def start(self):
        self.path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(str(self.path))
        self._listener.listen()
        self._begin(self._accept, self._listener)

    def stop(self):
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        with self._lock:
            clients, self._clients = self._clients, []
        for client in clients:
            with contextlib.suppress(OSError):  # the station may have hung up first
                client.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)
        self._threads.clear()
        self.path.unlink(missing_ok=True)

    def _begin(self, target, *args: object):
        thread = threading.Thread(target=target, args=args, name="fake-service", daemon=True)
        thread.start()
        self._threads.append(thread)

    def _accept(self, listener):
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            self._say(client, Hello(self.version, "7", simulated=False), Snapshot(self.seq, self.facts))
            with self._lock:
                self._clients.append(client)
            self._begin(self._read, client)

    def _read(self, client):
        with client, client.makefile("rb") as lines:
            for line in lines:
                self.requests.put(msgspec.json.decode(line, type=Request))

    @staticmethod
    def _say(client, *messages: object) -> None:
        client.sendall(b"".join(msgspec.json.encode(message) + b"\n" for message in messages))

    def say(self, *messages: object):
        with self._lock:
            for client in self._clients:
                with contextlib.suppress(OSError):
                    self._say(client, *messages)

    def raw(self, data):
        with self._lock:
            for client in self._clients:
                client.sendall(data)

    def update(self, *facts: object, gone=()):
        self.seq += 1
        self.say(Update(self.seq, 0, facts, gone))

    def answer(self, request, ok=True, code="", **params):
        self.say(Result(request.id, ok, code, params))

    def next_request(self):
        return self.requests.get(timeout=10)


class Heard(list):
    """Sounds, as names; what is played is over at once."""

    able = True
    loudness = 3

    def play(self, name) -> None:
        self.append(name)

    def poll(self):
        return False

    def hush(self) -> None:
        self.append("")

    def close(self) -> None:
        """Nothing runs."""


@pytest.fixture
def heard():
    return Heard()


@pytest.fixture
def service(tmp_path):
    fake = FakeService(tmp_path / "table.sock")
    fake.start()
    yield fake
    fake.stop()


@pytest.fixture(scope="session")
def dressed(qapp):
    """The session's application in the station's clothes."""
    return application()


@pytest.fixture
def open_window(qtbot, dressed):
    """Make windows that show a snapshot; they are closed at the end."""
    windows = []

    def make(
        facts=None,
        *,
        size=(1280, 800),
        language="en",
        mirrored=False,
        clock=lambda: "21:47",
        sounds=None,
        animated=False,
        text=1.0,
    ):
        window = StationWindow(
            language=language,
            animated=animated,
            mirrored=mirrored,
            clock=clock,
            size=size,
            sounds=sounds,
            text=text,
        )
        windows.append(window)
        window.show()
        if facts is not None:
            fill(window, facts)
        qtbot.wait(1)
        return window

    yield make
    for window in windows:
        window.shut()
    qtbot.wait(1)


@pytest.fixture
def at(open_window):
    """A window with a page open on a canned state, and the commands that it sends."""

    def make(name, **options):
        wanted = canned_pages.STATES[name]
        window = open_window(wanted.facts(), **options)
        sent = []
        window.set_sender(lambda command, _after: sent.append(command) or str(len(sent)))
        return window, window.pages.open_page(wanted.page), sent

    return make


@pytest.fixture(autouse=True)
def has_looked(monkeypatch):
    """Whoever taps in a test has seen what the table just did; how long that takes people is tested where it matters."""
    monkeypatch.setattr(pad, "REACTION_MS", 0)


@pytest.fixture(autouse=True)
def no_thread_left():
    """Nothing of the station runs on after a test."""
    yield
    left = [
        thread.name for thread in threading.enumerate() if thread.name in ("station-link", "fake-service")
    ]
    assert left == []
