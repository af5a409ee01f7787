"""The station as it is, offscreen, with a watch on what it paints: ``python -m tests.bench.watched_station SOCKET [WxH]``.

Writes a JSON line on standard output for each first time that a frame showed something: ``whole`` (the first state), ``backs`` (a number of
backs at a seat), ``alert`` (a rule). ``at_s`` is the time on the machine's monotonic clock at which that frame was painted, which other
processes have too. Everything on the felt is kept moving all the time, so that each read comes into an animation.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[2]))

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QGraphicsView, QWidget

from dealer_assist.station.alert_panel import AlertPanel
from dealer_assist.station.app import run_station
from dealer_assist.station.scene.view import TableView
from dealer_assist.station.window import StationWindow

#: everything is sent round again before it has arrived
STIR_MS: Final = 120
FLIGHT_MS: Final = 180.0


class Watch:
    """Notes what each frame showed first."""

    def __init__(self) -> None:
        self.frames_ms: list[float] = []
        self._backs: dict[int, int] = {}
        self._alerts: set[tuple[str, str]] = set()
        self._whole = False
        self._window: StationWindow | None = None

    def ready(self, window: StationWindow) -> None:
        """The window is up: let its felt move."""
        self._window = window
        window.table.motion.enabled = True
        stir = QTimer(window)
        stir.timeout.connect(self._stir)
        stir.start(STIR_MS)

    def _stir(self) -> None:
        assert self._window is not None
        table = self._window.table
        start = table.stub.box.center()
        for item in table.shown_items():
            if item not in (table.stub, table.tray):
                table.motion.glide(item, start, FLIGHT_MS)

    def painted_table(self, table: TableView, took_s: float) -> None:
        """The felt has been painted."""
        at_s = time.monotonic()
        self.frames_ms.append(took_s * 1000)
        if self._window is None or table is not self._window.table or not self._window.state.whole:
            return
        if not self._whole:
            self._whole = True
            say(what="whole", at_s=at_s)
        for seat, hand in table.cards.items():
            backs = sum(item.isVisible() for item in hand.items)
            if backs != self._backs.get(seat, 0):
                self._backs[seat] = backs
                say(what="backs", seat=seat, backs=backs, at_s=at_s)

    def painted_alert(self, panel: AlertPanel) -> None:
        """The alert's panel has been painted."""
        alert = panel.alert
        if alert is not None and (alert.id, alert.evidence) not in self._alerts:
            self._alerts.add((alert.id, alert.evidence))
            say(what="alert", rule=alert.rule, at_s=time.monotonic())


def say(**line: Any) -> None:
    """One line, at once."""
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def watch_painting(watch: Watch) -> None:
    """Have the felt and the alert's panel tell of each frame."""
    paint_alert = AlertPanel.paintEvent

    def table_paints(table: TableView, event: QPaintEvent) -> None:
        begin_s = time.perf_counter()
        QGraphicsView.paintEvent(table, event)
        watch.painted_table(table, time.perf_counter() - begin_s)

    def alert_paints(panel: QWidget, event: QPaintEvent) -> None:
        assert isinstance(panel, AlertPanel)
        paint_alert(panel, event)
        watch.painted_alert(panel)

    TableView.paintEvent = table_paints  # type: ignore[method-assign]
    AlertPanel.paintEvent = alert_paints  # type: ignore[method-assign, assignment]


def main() -> int:
    """Run it until it is told to end, then tell how long painting took."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    width, _, height = (sys.argv[2] if len(sys.argv) > 2 else "1920x1080").partition("x")
    watch = Watch()
    watch_painting(watch)
    code = run_station(
        sys.argv[1], language="en", simulate=True, size=(int(width), int(height)), on_ready=watch.ready
    )
    say(what="frames", took_ms=[round(ms, 3) for ms in watch.frames_ms])
    return code


if __name__ == "__main__":
    raise SystemExit(main())
