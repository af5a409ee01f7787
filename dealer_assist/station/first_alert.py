"""The first alert of an evening comes as fast as the others: what it needs of fonts and measures is there before."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QTimer

from dealer_assist.station.alert_panel import AlertPanel
from dealer_assist.station.canned_alerts import EARLY_TURN, EARLY_TURN_ASKED
from dealer_assist.station.window import StationWindow

#: When it is drawn after the station was ready, in ms: the first screen comes first.
AFTER_MS: Final = 300


def draw_ahead_soon(window: StationWindow) -> None:
    """Draw a question and a STOP into a picture that nobody sees, once the station has time; some 25 ms of work."""
    QTimer.singleShot(AFTER_MS, window, lambda: draw_ahead(window))


def draw_ahead(window: StationWindow) -> None:
    """Draw them now, on a panel of their own: that of the window, its alerts and its sounds stay as they are."""
    if window.state.alerts:
        return  # the first alert is here already
    panel = AlertPanel(window, window.metrics, animated=False)
    panel.resize(window.table.width() // 2, window.table.height())
    for alert in (EARLY_TURN_ASKED, EARLY_TURN):
        panel.show_alerts(window.tr_, (alert,), ready=True)
        panel.grab()
    panel.show_alerts(window.tr_, (), ready=True)
    panel.setParent(None)
    panel.deleteLater()
