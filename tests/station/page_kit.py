"""What the tests of the station's pages share beside the fixture ``at``."""

from __future__ import annotations

from dealer_assist.domain.link import Update
from dealer_assist.station.window import StationWindow


def show(window: StationWindow, qtbot, *facts: object) -> None:
    """Let the table say something, and the window draw it."""
    window.receive((Update(window.state.seq + 1, 0, facts),))
    qtbot.wait(1)
