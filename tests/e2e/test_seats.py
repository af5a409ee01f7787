"""Several hands at one table as processes: seats, blinds owed and bought chips outlive the table service."""

from __future__ import annotations

import sqlite3

import msgspec
import pytest

from dealer_assist.seating import Ledger
from tests.e2e.rig import SCENARIOS, Rig

pytestmark = [pytest.mark.process, pytest.mark.timeout(300)]


def test_five_hands_with_a_dead_button_and_a_restart() -> None:
    """The file's checks of button, blinds and marks hold on real ports; the service that starts again has the seats of the last one."""
    with Rig(speed=12) as rig:
        simulator = rig.simulator(SCENARIOS / "seats_dead_button.toml")
        rig.write_config(lambda text: text.replace('house = "seed"', 'house = "wsop_cash"'))
        service = rig.service()
        rig.played(simulator)
        seats = seats_of(rig)
        assert seats[1] == ("out", 201)
        assert service.stop() == 0
        service = rig.service()
        assert seats_of(rig) == seats
        assert service.stop() == 0
        assert "sound" in rig.verified()
        with sqlite3.connect(rig.journal) as journal:
            marks = journal.execute("SELECT payload FROM rows WHERE name = 'hand_closed' AND kind = 'mark'")
            ledgers = [msgspec.json.decode(payload, type=Ledger) for (payload,) in marks]
        assert len(ledgers) == 5
        assert (ledgers[1].seat(1).status, ledgers[3].seat(3).missed_big) == ("out", True)
        assert ledgers[4].seat(3).established
        assert sum(record.stack or 0 for record in ledgers[4].seats.values()) == 6 * 200


def seats_of(rig: Rig) -> dict[int, tuple[str, int | None]]:
    """Status and stack of each seat, as a client is told them."""
    client = rig.client()
    found = {
        int(seat): (fact["status"], fact["stack"])
        for (kind, seat), fact in client.sections.items()
        if kind == "seat"
    }
    client.close()
    return found
