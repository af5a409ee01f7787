"""The station's program, which also says where its keys are: ``python -m tests.e2e.told_station TABLE_SOCKET PLACES_SOCKET``.

It runs :func:`dealer_assist.station.app.run_station`, for a finger that has seen what it touches: it asks first, and needs no time to
react. Whoever connects to the second socket is told once, in JSON, what can be
touched now: each key that is enabled and not covered at its middle, by the name of what it lies on and its own, with that spot.
"""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QSocketNotifier
from PySide6.QtWidgets import QWidget

from dealer_assist.station import pad
from dealer_assist.station.app import run_station
from dealer_assist.station.keys import Key
from dealer_assist.station.window import StationWindow


def spot(window: QWidget, of: QWidget, at: QPoint) -> list[int] | None:
    """Where a point of a widget lies on the display; None when something else lies over it."""
    here = of.mapTo(window, at)
    on_top = window.childAt(here)
    if on_top is None or not (on_top is of or of.isAncestorOf(on_top)):
        return None
    there = window.mapToGlobal(here)
    return [there.x(), there.y()]


def places(window: StationWindow) -> dict[str, Any]:
    """What can be touched, and which state of the table is shown."""
    found: dict[str, list[int]] = {}
    for key in window.findChildren(Key):
        if not (key.isVisible() and key.isEnabled()):
            continue
        owner = key.parentWidget()
        there = spot(window, key, key.rect().center())
        if there is not None and owner is not None:
            found[f"{owner.objectName()}/{key.code}"] = there
    felt = window.table
    for seat, boxes in felt.geometry_now.seats.items():
        there = spot(window, felt, boxes.plate.center().toPoint())
        if there is not None:
            found[f"felt/seat-{seat}"] = there
    page = window.pages.open
    return {
        "seq": window.state.seq,
        "link": window.state.link,
        "places": found,
        "page": "" if page is None else page.name,
        "note": "" if page is None else page.note,
        "says": window.pad.message,
        "alerts": [alert.rule for alert in window.state.alerts],
    }


class Telling:
    """Answers on a Unix socket, in the thread of the window."""

    def __init__(self, window: StationWindow, path: Path) -> None:
        self._window = window
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.bind(str(path))
        self._socket.listen(8)
        self._notifier = QSocketNotifier(self._socket.fileno(), QSocketNotifier.Type.Read)
        self._notifier.activated.connect(self._on_asked)

    def _on_asked(self) -> None:
        connection, _ = self._socket.accept()
        with connection:
            connection.sendall(json.dumps(places(self._window)).encode())


def main() -> int:
    """Run until told to end."""
    table, telling = Path(sys.argv[1]), Path(sys.argv[2])
    kept: list[Telling] = []
    pad.REACTION_MS = 0
    return run_station(
        table,
        language="en",
        size=(1280, 800),
        simulate=True,
        still=True,
        on_ready=lambda window: kept.append(Telling(window, telling)),
    )


if __name__ == "__main__":
    sys.exit(main())
