"""Simulated devices are used only where they are asked for: by the flag and by the configuration, at the service and at the station."""

from __future__ import annotations

import os
import re
import sqlite3
from pathlib import Path

import pytest

from dealer_assist.demo import program
from tests.e2e.rig import SCENARIOS, Part, Rig, refused

pytestmark = [pytest.mark.process, pytest.mark.timeout(180)]


def without_simulation(text: str, folder: Path) -> str:
    """The configuration as if the simulator's ports were real ones: no [simulation], no simulated deck, the folder at each device."""
    text = re.sub(r"(?ms)^\[simulation\]\n.*?\n\n", "", text)
    text = re.sub(r"(?ms)^\[\[decks\]\]\n.*?\n\n", "", text)
    return text.replace('transport = "serial"\n', f'transport = "serial"\nfolder = "{folder / "by-id"}"\n')


def test_a_simulated_table_is_refused_without_the_flag() -> None:
    with Rig() as rig:
        rig.simulator()
        rig.write_config()
        before = sorted(rig.folder.iterdir())
        line = rig.config.read_text().splitlines().index("[simulation]") + 1
        said = refused(program("dealer-assist"), "table", rig.config)
        assert said.startswith(f"{rig.config}:{line}:")
        assert "expected no simulated devices, or the flag --simulate" in said
        assert sorted(rig.folder.iterdir()) == before
        assert all(device["hosts"] == 0 for device in rig.control("status")["devices"].values())


def test_simulated_ports_that_pose_as_real_ones_are_refused_without_the_flag() -> None:
    with Rig() as rig:
        rig.simulator()
        rig.write_config(lambda text: without_simulation(text, rig.folder))
        before = sorted(rig.folder.iterdir())
        said = refused(program("dealer-assist"), "table", rig.config)
        lines = rig.config.read_text().splitlines()
        folders = [number for number, line in enumerate(lines, start=1) if line.startswith("folder = ")][1:]
        assert len(folders) == 2
        for number, problem in zip(folders, said.splitlines(), strict=True):
            assert problem.startswith(f"{rig.config}:{number}:")
            assert "expected a folder below /dev/serial" in problem
        assert sorted(rig.folder.iterdir()) == before


def test_the_flag_alone_lets_no_simulated_device_in() -> None:
    """Without [simulation] the lamps say that the devices are refused, and no session with them is ever begun."""
    with Rig() as rig:
        rig.simulator()
        rig.write_config(lambda text: without_simulation(text, rig.folder))
        service = rig.service()
        client = rig.client()
        rig.until(lambda: set(client.lamps().values()) == {"refused"}, "the lamps", service)
        screen = client.screen()
        assert client.hello["simulated"] is False
        for (kind, _), fact in screen.items():
            if kind == "device":
                assert (fact["state"], fact["detail"]) == ("refused", "simulated_not_allowed")
        assert all(device["hosts"] == 0 for device in rig.control("status")["devices"].values())
        assert service.stop() == 0
        journal = sqlite3.connect(f"file:{rig.journal}?mode=ro", uri=True)
        rows = journal.execute("SELECT kind, name, simulated FROM rows").fetchall()
        seals = journal.execute("SELECT count(*) FROM seals").fetchone()
        journal.close()
        assert set(rows) <= {("mark", "device", 0)}
        assert seals == (0,)


def test_with_flag_and_section_they_are_let_in() -> None:
    """The counterpart: the same devices, and a session with each."""
    with Rig() as rig:
        rig.simulator()
        rig.write_config()
        rig.service()
        client = rig.client()
        rig.until(lambda: set(client.lamps().values()) == {"ok"}, "the lamps")
        assert all(device["hosts"] == 1 for device in rig.control("status")["devices"].values())


def test_a_station_without_the_flag_shows_nothing_of_a_simulated_table() -> None:
    """Two stations at one table: the one that was started for simulated devices leaves a picture of the alert."""
    with Rig() as rig:
        simulator, _ = rig.table(SCENARIOS / "x3_exposed_replaced.toml", hold=True)
        allowed = rig.station()
        shots = rig.folder / "no-shots"
        command = [*program("dealer-assist"), "station", "--socket", str(rig.socket), "--language", "en"]
        command += ["--shots", str(shots), "--size", "1280x800"]
        other = Part("refusing", command, rig.folder, {**os.environ, "QT_QPA_PLATFORM": "offscreen"})
        rig.parts.append(other)
        rig.until(lambda: "ready" in other.out, "the other station's window", other)
        rig.deal()
        rig.played(simulator)
        rig.until(lambda: list(rig.shots.glob("*-X3-*.png")), "a picture of the alert", allowed)
        assert other.alive()
        assert list(shots.iterdir()) == []
