"""Where a table service listens: what is in the way, and what only looks like it."""

from __future__ import annotations

import json
import os
import resource
import socket
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, cast

import pytest

from dealer_assist.domain.link import Request, Result, ServerMessage, Snapshot
from dealer_assist.table.server import MAX_CLIENTS, MAX_UNDER_WAY, Server, SocketInUse


def server(path: Path) -> Server:
    return Server(path, cast("Any", None), table="7", simulated=False)  # nobody connects: no session is asked


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    path = tmp_path / "run" / "table.sock"
    with pytest.raises(FileNotFoundError, match="no socket can be made here") as missing:
        server(path)
    assert missing.value.filename == str(path)


def test_a_file_in_the_way_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "table.key"
    path.write_text("secret")
    with pytest.raises(FileExistsError, match="expected a socket") as found:
        server(path)
    assert found.value.filename == str(path)
    assert path.read_text() == "secret"


def test_the_socket_of_a_dead_service_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "table.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    serving = server(path)
    serving.start()
    assert stat.S_IMODE(path.stat().st_mode) == 0o660
    serving.stop()


def test_a_living_service_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "table.sock"
    with socket.socket(socket.AF_UNIX) as living:
        living.bind(str(path))
        living.listen()
        with pytest.raises(SocketInUse):
            server(path)
        assert path.is_socket()


class Slow:
    """A session that answers when it is told to."""

    def __init__(self) -> None:
        self.asked: list[tuple[Request, Callable[[Result], None]]] = []
        self.comes = threading.Semaphore(0)

    def ask(self, request: Request, reply: Callable[[Result], None]) -> None:
        self.asked.append((request, reply))
        self.comes.release()

    def join(self, deliver: Callable[[ServerMessage], None]) -> None:
        deliver(Snapshot(0, ()))

    def leave(self, deliver: Callable[[ServerMessage], None]) -> None:
        """Nothing is told it any more."""


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[tuple[Slow, Path]]:
    session = Slow()
    path = tmp_path / "table.sock"
    serving = Server(path, cast("Any", session), table="7", simulated=False)
    serving.start()
    yield session, path
    assert serving.alive()
    serving.stop()


def client(path: Path) -> socket.socket:
    one = socket.socket(socket.AF_UNIX)
    one.connect(str(path))
    one.settimeout(10)
    return one


def served(one: socket.socket) -> bool:
    try:
        return b"hello" in one.recv(4096)
    except ConnectionError:
        return False


def test_there_are_so_many_clients_and_those_that_are_served_stay(slow: tuple[Slow, Path]) -> None:
    _, path = slow
    with ExitStack() as all_:
        first = [all_.enter_context(client(path)) for _ in range(MAX_CLIENTS)]
        assert all(served(one) for one in first)
        for _ in range(3):
            assert not served(all_.enter_context(client(path)))
        first[0].sendall(b"{}\n")
        told = b""  # its snapshot may have come with the hello
        while b"bad_command" not in told:
            told += first[0].recv(4096)
        first[1].close()
        for _ in range(200):  # its place is free once its threads have ended
            if served(all_.enter_context(client(path))):
                return
            threading.Event().wait(0.02)
        raise AssertionError("no place came free")


def test_a_system_without_files_to_give_lets_clients_in_later(slow: tuple[Slow, Path]) -> None:
    _, path = slow
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with socket.socket(socket.AF_UNIX) as first, socket.socket(socket.AF_UNIX) as one:
        with ExitStack() as all_:
            all_.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, one.fileno() + 64), hard))
            take_every_file(all_)
            first.connect(str(path))  # there is a file for it: the one that was put by when the waiting began
            one.connect(str(path))
            one.settimeout(0.5)
            with pytest.raises(TimeoutError):
                one.recv(10)
        one.settimeout(10)
        assert served(one)


def take_every_file(until: ExitStack) -> None:
    with suppress(OSError):
        while True:
            until.callback(os.close, os.dup(0))


def test_who_asks_without_end_waits_for_his_answers(slow: tuple[Slow, Path]) -> None:
    session, path = slow
    count = 5 * MAX_UNDER_WAY
    lines = b"".join(
        json.dumps({"id": str(number), "actor": "dealer", "after": 0, "command": {"kind": "undo"}}).encode()
        + b"\n"
        for number in range(count)
    )
    with client(path) as one, one.makefile("rb") as said:
        one.sendall(lines)
        for _ in range(MAX_UNDER_WAY):
            assert session.comes.acquire(timeout=10)
        assert not session.comes.acquire(timeout=0.3), "more are under way than may be"
        said.readline(), said.readline()
        for number in range(count):
            request, reply = session.asked[number]
            reply(Result(request.id, ok=True))
            assert json.loads(said.readline())["id"] == str(number)
            if number + MAX_UNDER_WAY < count:
                assert session.comes.acquire(timeout=10)
