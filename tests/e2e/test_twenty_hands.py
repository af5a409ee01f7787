"""Twenty real hands, from the devices' ports through the table service's process to a station's: silent, right, on record."""

from __future__ import annotations

import sqlite3
import tomllib

import pytest

from tests.e2e.rig import Rig, chosen_hands

pytestmark = [pytest.mark.process, pytest.mark.timeout(240)]

#: Hands of the sample with few actions: walks and steals, some to a later street, four to the showdown.
HANDS = (1, 2, 7, 14, 15, 16, 20, 25, 26, 27, 28, 29, 36, 38, 40, 48, 50, 54, 56, 57)


def test_twenty_hands_are_silent_paid_to_the_chip_and_on_record() -> None:
    with Rig(speed=16) as rig:
        path = chosen_hands(rig.folder, HANDS)
        sources = [hand["_source"] for hand in tomllib.loads(path.read_text()).values()]
        assert len(sources) == 20
        simulator = rig.simulator(path, arguments=("--hands", "20"))
        rig.write_config()
        service = rig.service()
        station = rig.station()
        client = rig.client()
        assert client.hello["simulated"]
        assert client.fact("table")["simulated"]
        rig.played(simulator)  # compares result, stacks and that nothing was said

        told = simulator.lines()
        assert [line["hand"] for line in told if line["what"] == "end"] == sources
        assert {line["what"] for line in told} <= {"hand", "paid", "end"}
        assert not any(kind == "alert" for kind, _ in client.pump().sections)
        assert station.alive()
        assert service.alive()
        assert list(rig.shots.glob("*.png")) == []
        assert station.stop() == 0
        assert service.stop() == 0
        assert "sound" in rig.verified()
        with sqlite3.connect(f"file:{rig.journal}?mode=ro", uri=True) as journal:
            assert journal.execute("SELECT DISTINCT simulated FROM rows").fetchall() == [(1,)]
            closed = journal.execute("SELECT hand FROM rows WHERE name = 'hand_closed' AND kind = 'mark'")
            assert [hand for (hand,) in closed] == sources
        journal.close()
