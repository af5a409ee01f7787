"""The station as a program: a Qt application, the window, the link, and a clean end."""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTime, QTimer
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.commands import Command
from dealer_assist.station import theme
from dealer_assist.station.first_alert import draw_ahead_soon
from dealer_assist.station.link import TableLink
from dealer_assist.station.sound import Sounds
from dealer_assist.station.window import StationWindow

_DEFAULT_SIZE: Final = (1280, 800)


class Shots(QObject):
    """Leaves a picture for each alert or question that newly comes to the front, named by its rule and state."""

    def __init__(self, window: StationWindow, folder: Path) -> None:
        super().__init__(window)
        self._window = window
        self._folder = folder
        self._taken: dict[tuple[str, str], Path] = {}
        folder.mkdir(parents=True, exist_ok=True)
        window.alert_shown.connect(self._on_alert)

    @property
    def taken(self) -> tuple[Path, ...]:
        """The pictures so far."""
        return tuple(self._taken.values())

    def _on_alert(self, alert: Alert) -> None:
        what = state_name(alert)
        if (alert.id, what) in self._taken:
            return
        name = f"{len(self._taken) + 1:02d}-{re.sub(r'[^A-Za-z0-9]', '', alert.rule)}-{what}.png"
        self._taken[alert.id, what] = self._window.grab_png(self._folder / name)


def state_name(alert: Alert) -> str:
    """How far an alert has come, for the name of a picture: question, stop, alert, or step-2 and so on."""
    if alert.evidence != "proven":
        return "question"
    if alert.question:
        return f"question-{alert.question.replace('_', '-')}"
    done = sum(step.state == "done" for step in alert.steps)
    if done:
        return f"step-{min(done + 1, len(alert.steps))}"
    return "stop" if alert.stop else "alert"


def application() -> QApplication:
    """The one QApplication of the process, dressed in the station's colours."""
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication([sys.argv[0]])
    palette = app.palette()
    palette.setColor(QPalette.ColorRole.Window, QColor(theme.GROUND))
    palette.setColor(QPalette.ColorRole.WindowText, QColor(theme.TEXT))
    app.setPalette(palette)
    app.setFont(theme.font(18))
    return app


def time_of_day() -> str:
    """The clock on the wall, hours and minutes."""
    return QTime.currentTime().toString("HH:mm")


def run_station(
    socket_path: Path | str,
    *,
    language: str | None = None,
    mirrored: bool = False,
    shots: Path | None = None,
    size: tuple[int, int] | None = None,
    simulate: bool = False,
    text_scale: int = 100,
    still: bool = False,
    loudness: int = 3,
    on_ready: Callable[[StationWindow], None] | None = None,
) -> int:
    """Show the dealer's screen until it is closed or the process is told to end.

    ``language`` None: the table's. ``size`` None: the full screen. ``simulate``: show a table whose devices are simulated; without it
    such a table is refused. ``shots``: a folder for a picture of each alert. ``text_scale``: percent, 100 to 150.
    ``still``: nothing moves. ``loudness``: of alerts, 1 to 5.
    Prints ``ready`` once the window is up and the table service has spoken. Returns the exit code.
    """
    app = application()
    offscreen = app.platformName() == "offscreen"
    sounds = Sounds(enabled=not offscreen, loudness=loudness)
    sounds.prepare()
    window = StationWindow(
        language=language,
        mirrored=mirrored,
        simulate=simulate,
        animated=not (offscreen or still),
        sounds=sounds,
        clock=time_of_day,
        size=size or _DEFAULT_SIZE,
        text=text_scale / 100,
    )
    if shots is not None:
        Shots(window, Path(shots))
    link = TableLink(socket_path, id_prefix=f"station-{os.getpid()}")

    def send(command: Command, after: int) -> str | None:
        return link.send(command, after=after, actor="floor" if window.floor_speaks else None)

    window.set_sender(send)
    link.received.connect(window.receive)
    link.lost.connect(window.service_lost)

    if size is None and not offscreen:
        window.showFullScreen()
    else:
        window.show()
    stop = _end_on_signals(app)

    heard: list[bool] = []

    def hears_the_table(_messages: object) -> None:
        if (
            not heard
        ):  # what else has come meanwhile is delivered all the same, whether or not it is disconnected
            heard.append(True)
            draw_ahead_soon(window)
            print("ready", flush=True)  # noqa: T201 - whoever started the station waits for this line

    link.received.connect(hears_the_table)
    link.start()
    if on_ready is not None:
        on_ready(window)
    freeze_memory()
    code = app.exec()
    # Quitting closed the last window, which asked to quit once more; that would end the next event loop of the process.
    QCoreApplication.removePostedEvents(app, QEvent.Type.Quit.value)
    stop()
    link.stop()
    window.shut()
    return code


def freeze_memory() -> None:
    """Leave what the start made, some 40,000 objects, out of every later collection, which would take longer than a frame."""
    gc.collect()
    gc.freeze()


def _end_on_signals(app: QApplication) -> Callable[[], None]:
    """Let SIGTERM and SIGINT end the event loop. Python sees a signal only when it runs: a timer lets it."""
    waker = QTimer(app)
    waker.timeout.connect(_breathe)
    waker.start(200)

    def end(_number: int, _frame: FrameType | None) -> None:
        app.quit()

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}

    def restore() -> None:
        waker.stop()
        for number, handler in before.items():
            signal.signal(number, handler)

    return restore


def _breathe() -> None:
    """Nothing: it only gives the interpreter a moment."""
