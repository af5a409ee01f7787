"""The devices alone, as a process of their own: what it writes at its start, and the control channel beside them."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

pytestmark = pytest.mark.process

PATIENCE_S = 20.0


class Devices:
    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "hw_sim.cli", "run", "--folder", str(folder), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.first = self.process.stdout.readline().strip()
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(PATIENCE_S)
        self._socket.connect(str(folder / "control"))
        self._lines: IO[str] = self._socket.makefile("r")

    def raw(self, line: str) -> dict[str, Any]:
        self._socket.sendall(line.encode() + b"\n")
        answer: dict[str, Any] = json.loads(self._lines.readline())
        return answer

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        return self.raw(json.dumps({"do": do, **fields}))

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(PATIENCE_S)
        self._lines.close()
        self._socket.close()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="sim-") as short:  # a Unix socket's path has room for 107 bytes
        yield Path(short)


@pytest.fixture
def devices(folder: Path) -> Iterator[Devices]:
    made = Devices(folder)
    yield made
    made.close()


def test_it_says_ready_and_leaves_what_a_table_needs_to_know(devices: Devices) -> None:
    assert devices.first == f"ready {devices.folder}"
    deck = json.loads((devices.folder / "deck.json").read_text())
    assert deck["simulated"] is True
    assert len(deck["cards"]) == 52
    written = json.loads((devices.folder / "devices.json").read_text())
    serials = {device["serial"]: device for device in written["devices"]}
    assert {device["role"] for device in serials.values()} == {"reader", "shuffler"}
    for serial in serials:
        assert (devices.folder / "by-id" / serial).resolve().is_char_device()


def test_a_folder_of_simulated_ports_says_so_itself(devices: Devices) -> None:
    assert (devices.folder / "by-id" / "SIMULATED").exists()


def test_cables_are_pulled_and_put_in_by_request(devices: Devices) -> None:
    serial = "SIM-READER-1"
    link = devices.folder / "by-id" / serial
    before = link.resolve()
    assert devices.ask("status")["devices"][serial]["plugged"] is True
    assert devices.ask("unplug", device=serial)["ok"]
    assert not link.is_symlink()
    assert devices.ask("status")["devices"][serial]["plugged"] is False
    assert devices.ask("unplug", device=serial)["ok"]
    assert devices.ask("plug", device=serial)["ok"]
    assert link.resolve().is_char_device()
    assert before.name
    assert devices.ask("status")["devices"][serial]["plugged"] is True


def test_a_hand_is_paused_stepped_and_resumed(devices: Devices) -> None:
    assert devices.ask("pause")["ok"]
    assert devices.ask("status")["paused"] is True
    assert devices.ask("step")["ok"]
    assert devices.ask("resume")["ok"]
    assert devices.ask("status")["paused"] is False


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "[]",
        "{}",
        '{"do": 7}',
        '{"do": "explode", "device": "SIM-READER-1"}',
        '{"do": "unplug"}',
        '{"do": "unplug", "device": "nothing"}',
        '{"do": "garbage", "device": "SIM-READER-1", "count": "many"}',
        '{"do": "garbage", "device": "SIM-READER-1", "count": -1}',
        '{"do": "garbage", "device": "SIM-READER-1", "count": 1e9}',
        '{"do": "garbage", "device": ["SIM-READER-1"]}',
    ],
)
def test_a_request_that_makes_no_sense_is_answered_and_changes_nothing(devices: Devices, line: str) -> None:
    answer = devices.raw(line)
    assert answer["ok"] is False
    assert answer["expected"]
    assert devices.ask("garbage", device="SIM-READER-1", count=300)["ok"]
    assert devices.ask("status")["ok"]


def test_quit_ends_it_with_0_and_takes_the_ports_away(devices: Devices) -> None:
    assert devices.ask("quit")["ok"]
    assert devices.process.wait(PATIENCE_S) == 0
    assert [path.name for path in (devices.folder / "by-id").iterdir() if path.is_symlink()] == []
    assert not (devices.folder / "control").exists()


def test_hands_need_a_socket_to_tap_on(folder: Path) -> None:
    demo = sorted((Path(__file__).parents[2] / "hw_sim" / "demo").glob("*.toml"))
    ended = subprocess.run(
        [sys.executable, "-m", "hw_sim.cli", "run", str(demo[0]), "--folder", str(folder / "new")],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 2
    assert "--socket" in ended.stderr
    assert not (folder / "new").exists()


def test_a_mistake_in_a_file_is_told_before_any_port_is_opened(folder: Path) -> None:
    bad = folder / "bad.toml"
    bad.write_text(
        'title = "x"\ntable = { seats = [1, 2], button = 1, blinds = [1, 2], stacks = 9 }\nscript = "deel"\n'
    )
    ended = subprocess.run(
        [
            sys.executable,
            "-m",
            "hw_sim.cli",
            "run",
            str(bad),
            "--folder",
            str(folder / "new"),
            "--socket",
            "x",
        ],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 2
    assert f"{bad}:3:" in ended.stderr
    assert not (folder / "new").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--speed", "0"), "a number above 0"),
        (("--speed", "fast"), "a number above 0"),
        (("--hands", "0"), "a number above 0"),
    ],
)
def test_a_wrong_argument_is_told(folder: Path, arguments: tuple[str, ...], told: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "hw_sim.cli", "run", "--folder", str(folder / "new"), *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 2
    assert told in ended.stderr
    assert not (folder / "new").exists()


def test_hands_of_games_with_other_decks_are_told_before_any_port_is_opened(folder: Path) -> None:
    paths = []
    for game in ("nlhe", "short"):
        path = folder / f"{game}.toml"
        path.write_text(
            f'title = "x"\ngame = "{game}"\nscript = "deal"\n'
            "table = { seats = [1, 11], button = 1, blinds = [1, 2], ante = 1, stacks = 9 }\n"
        )
        paths.append(str(path))
    ended = subprocess.run(
        [
            sys.executable,
            "-m",
            "hw_sim.cli",
            "run",
            *paths,
            "--folder",
            str(folder / "new"),
            "--socket",
            "x",
        ],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 2
    assert ended.stderr.startswith("short.toml: expected the same deck")
    assert not (folder / "new").exists()


def test_nothing_breaks_unless_faults_are_let_in(folder: Path) -> None:
    devices = Devices(folder)
    try:
        answer = devices.ask("fault", component="line", fault="off")
        assert answer == {"ok": False, "expected": "hw-sim run --faults: without it nothing breaks"}
        assert devices.ask("unplug", device="SIM-READER-1")["ok"], "a cable can always be pulled"
    finally:
        devices.close()


def test_faults_are_asked_for_while_devices_run(folder: Path) -> None:
    devices = Devices(folder, "--faults")
    link = folder / "by-id" / "SIM-READER-1"
    try:
        assert devices.ask("fault", component="port", fault="off") == {"ok": True}
        assert not link.is_symlink()
        assert devices.ask("fault", component="port", fault="ok") == {"ok": True}
        before = link.readlink()
        assert devices.ask("fault", component="port", fault="renumber", instance="reader") == {"ok": True}
        assert link.readlink() != before
        assert devices.ask(
            "fault", component="antenna", fault="depth", instance="muck", cards=2, **{"for": "1s"}
        ) == {"ok": True}
        assert devices.ask("fault", component="pcsc", fault="off") == {
            "ok": False,
            "expected": "a table with a PC/SC reader (hw-sim run --burn-gate pcsc)",
        }
        assert "a fault of line" in devices.ask("fault", component="line", fault="melt")["expected"]
        assert "texts" in devices.ask("fault", component=["line"], fault="off")["expected"]
        assert "fault COMPONENT" in devices.ask("fault")["expected"]
    finally:
        devices.close()
