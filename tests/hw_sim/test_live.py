"""Hands on real ports against the real table service: cables pulled, noise on the line, and a service killed in mid-hand."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from nacl.public import PrivateKey

from dealer_assist.demo import played_by, table_toml

pytestmark = [pytest.mark.process, pytest.mark.timeout(180)]

PATIENCE_S = 90.0
SPEED = "8"
DEMO = Path(__file__).parents[2] / "hw_sim" / "demo"
SCENARIOS = Path(__file__).parents[1] / "scenarios"

HEAD = '''title = "{title}"
table = {{ seats = [1, 2, 3], button = 1, blinds = [1, 2], stacks = 100 }}
deck = "order:Ah Kd 7c As Kh 2d 9s Ad 8c 3s 4h 5d 6c 9c"
script = """
'''
PLAY = """deal
1 raise 6
2 call
3 call
{one}burn
board 3
{two}2 check
3 check
1 bet 10
2 call
3 fold
burn
board 1
2 check
1 check
burn
board 1
2 bet 20
1 fold
expect silence
push
expect stack 1 84
expect stack 2 122
expect stack 3 94
\"\"\"
"""


class Table:
    """A simulator and a table service, each a process, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.simulator: subprocess.Popen[str] | None = None
        self.service: subprocess.Popen[bytes] | None = None
        self.lines: list[str] = []
        self._heard = threading.Condition()
        self._listener: threading.Thread | None = None

    def start(self, *files: Path, arguments: tuple[str, ...] = ()) -> None:
        command = [sys.executable, "-m", "hw_sim.cli", "run", *map(str, files), "--folder", str(self.folder)]
        command += ["--socket", str(self.folder / "t.sock"), "--speed", SPEED, *arguments]
        with (self.folder / "sim.err").open("w") as errors:
            self.simulator = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        self._listener = threading.Thread(target=self._listen)
        self._listener.start()
        self.hear("ready")
        key = bytes(PrivateKey.generate().public_key).hex()
        (self.folder / "surveillance.pub").write_text(key + "\n")
        devices = json.loads((self.folder / "devices.json").read_text())
        played = played_by(list(files))
        text = table_toml("Test", self.folder, self.folder / "t.sock", devices, language="en", played=played)
        (self.folder / "table.toml").write_text(text)
        self.serve()

    def serve(self) -> None:
        command = [
            sys.executable,
            "-m",
            "dealer_assist.cli",
            "table",
            str(self.folder / "table.toml"),
            "--simulate",
        ]
        with (self.folder / "table.log").open("ab") as log:
            self.service = subprocess.Popen(command, stdout=log, stderr=log)

    def _listen(self) -> None:
        assert self.simulator is not None
        assert self.simulator.stdout is not None
        for line in self.simulator.stdout:
            with self._heard:
                self.lines.append(line.rstrip())
                self._heard.notify_all()

    def hear(self, words: str) -> None:
        with self._heard:
            assert self._heard.wait_for(lambda: any(words in line for line in self.lines), PATIENCE_S), (
                self.told()
            )

    def told(self) -> str:
        log = (
            (self.folder / "table.log").read_text(errors="replace")
            if (self.folder / "table.log").exists()
            else ""
        )
        return "\n".join([*self.lines, (self.folder / "sim.err").read_text(), *log.splitlines()[-10:]])

    def ended(self) -> int:
        assert self.simulator is not None
        return self.simulator.wait(PATIENCE_S)

    def close(self) -> None:
        for process in (self.simulator, self.service):
            if process is not None and process.poll() is None:
                process.terminate()
                try:
                    process.wait(15)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
        if self._listener is not None:
            self._listener.join()
        if self.simulator is not None and self.simulator.stdout is not None:
            self.simulator.stdout.close()


@pytest.fixture
def table() -> Iterator[Table]:
    with tempfile.TemporaryDirectory(prefix="live-") as short:  # a Unix socket's path has room for 107 bytes
        made = Table(Path(short))
        yield made
        made.close()


def scenario(folder: Path, name: str, title: str, *, one: str = "", two: str = "") -> Path:
    path = folder / f"{name}.toml"
    path.write_text(HEAD.format(title=title) + PLAY.format(one=one, two=two))
    return path


def test_a_clean_hand_is_silent_and_paid_to_the_chip(table: Table) -> None:
    table.start(scenario(table.folder, "clean", "A clean hand"))
    assert table.ended() == 0, table.told()
    assert any("paid: 38 of the pot to seat 2" in line for line in table.lines), table.told()


def test_a_raked_hand_is_paid_without_what_the_house_takes(table: Table) -> None:
    """The running table is raked by its scenario's terms, and the chips of the odd one are the scenario's."""
    table.start(SCENARIOS / "rake_drop_thresholds.toml")
    assert table.ended() == 0, table.told()
    assert any("paid: 54 of the pot to seat 2" in line for line in table.lines), table.told()


def test_a_reader_that_is_pulled_out_and_put_in_again_loses_no_card(table: Table) -> None:
    """The flop is dealt while the cable is out: the inventory tells it."""
    two = "wait 3s\nplug SIM-READER-1\nwait 12s\ngarbage SIM-READER-1 500\nunplug SIM-SHUFFLER-1\nwait 4s\nplug SIM-SHUFFLER-1\n"
    table.start(scenario(table.folder, "cable", "A cable is pulled", one="unplug SIM-READER-1\n", two=two))
    assert table.ended() == 0, table.told()
    log = (table.folder / "table.log").read_text()
    assert "state=lost" in log


def test_an_irregularity_is_recovered_and_reported_as_json(table: Table) -> None:
    table.start(DEMO / "3_exposed_hole_card.toml", arguments=("--json",))
    assert table.ended() == 0, table.told()
    said: list[dict[str, Any]] = [json.loads(line) for line in table.lines if line.startswith("{")]
    [alert] = [record for record in said if record["what"] == "alert"]
    assert (alert["rule"], alert["seat"], alert["remedy"]) == ("X3", 5, "replace_exposed")
    assert [record["step"] for record in said if record["what"] == "step"] == [
        "deal_on",
        "take_exposed",
        "top_card_to",
        "exposed_is_burn",
    ]
    end = said[-1]
    assert (end["what"], end["result"], end["stacks"]["5"]) == ("end", "completed", 192)


def test_a_shoe_is_a_witness_over_its_own_line(table: Table) -> None:
    """What left it is counted on its port, in its own time; the cards are read on another."""
    table.start(SCENARIOS / "d3_seat_skipped_shoe.toml", arguments=("--json",))
    assert table.ended() == 0, table.told()
    said = [json.loads(line) for line in table.lines if line.startswith("{")]
    [asked] = [record for record in said if record["what"] == "asked"]
    assert (asked["rule"], asked["seat"]) == ("D3", 2)
    assert {"not_read", "shoe_count"} <= {why["code"] for why in asked["fact"]["why"]}
    devices = json.loads((table.folder / "devices.json").read_text())["devices"]
    assert [device["role"] for device in devices] == ["reader", "shuffler", "shoe"]


def test_what_differs_from_the_script_ends_with_1_and_is_told(table: Table) -> None:
    path = scenario(table.folder, "wrong", "A wrong expectation")
    path.write_text(path.read_text().replace("expect stack 2 122", "expect stack 2 129"))
    table.start(path)
    assert table.ended() == 1, table.told()
    assert any("DIFFERS: stack of seat 2 122, expected 129" in line for line in table.lines), table.told()


def test_a_service_that_is_killed_in_mid_hand_goes_on_where_it_was(table: Table) -> None:
    table.start(scenario(table.folder, "killed", "The service is killed", two="wait 20s\n"))
    table.hear("Hand killed")
    # 20 s of virtual time lie between the flop and the first check: the kill falls between them or a little before
    time.sleep(2.0)
    assert table.service is not None
    table.service.send_signal(signal.SIGKILL)
    table.service.wait()
    table.hear("the table service is gone")
    table.serve()
    table.hear("the table service is back")
    assert table.ended() == 0, table.told()


def test_a_service_that_never_comes_is_told(tmp_path: Path) -> None:
    """Ctrl-C, or an end asked for, takes the ports away."""
    with tempfile.TemporaryDirectory(prefix="live-") as short:
        folder = Path(short)
        command = [sys.executable, "-m", "hw_sim.cli", "run", str(DEMO / "1_clean_no_showdown.toml")]
        command += ["--folder", str(folder), "--socket", str(folder / "none.sock")]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert process.stdout is not None
        assert process.stdout.readline().startswith("ready")
        process.terminate()
        assert process.wait(PATIENCE_S) == 130
        process.stdout.close()
        assert [path.name for path in (folder / "by-id").iterdir() if path.is_symlink()] == []


def test_a_table_with_noise_plays_on_real_ports(table: Table) -> None:
    """Antennas miss, reply corruptly and restart, players lift cards, taps come late: every chip is where the script has it."""
    text = scenario(table.folder, "noisy", "A hand with noise").read_text()
    (table.folder / "noisy.toml").write_text(text.replace("expect silence\n", ""))
    table.start(table.folder / "noisy.toml", arguments=("--noise", "table", "--seed", "3"))
    assert table.ended() == 0, table.told()
    assert any("paid: 38 of the pot to seat 2" in line for line in table.lines), table.told()
    devices = json.loads((table.folder / "devices.json").read_text())["devices"]
    assert devices[0]["role"] == "reader"
