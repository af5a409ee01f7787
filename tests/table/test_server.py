"""Where a table service listens: what is in the way, and what only looks like it."""

from __future__ import annotations

import socket
import stat
from pathlib import Path
from typing import Any, cast

import pytest

from dealer_assist.table.server import Server, SocketInUse


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
