"""What every test stands on: no display, no surprises from Qt, strict logs, nothing left running."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator

import pytest

from dealer_assist import logs

# Before anything imports Qt. A test that wants a real window says so by its own environment.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Fonts and widgets look the same whatever desktop the tests are run from.
os.environ["QT_STYLE_OVERRIDE"] = "Fusion"
os.environ["QT_QPA_PLATFORMTHEME"] = ""


@pytest.fixture(autouse=True)
def _strict_logs() -> None:
    """A log call with a field that is not on the list fails the test that made it."""
    logs.configure("console", "traffic", strict=True)


@pytest.fixture(autouse=True)
def _no_leaked_threads() -> Iterator[None]:
    """A test that leaves a thread behind fails: the next one would meet its ports, sockets or database."""
    before = set(threading.enumerate())
    yield
    for thread in set(threading.enumerate()) - before:
        # Those that were told to stop get a moment to do so.
        thread.join(5)
    left = [
        thread.name for thread in set(threading.enumerate()) - before if not thread.name.startswith("Dummy-")
    ]
    assert not left, f"threads left running: {', '.join(sorted(left))}"


@pytest.fixture(autouse=True)
def _no_leaked_windows() -> Iterator[None]:
    """A test that leaves a visible window or a running QThread behind fails. Costs nothing where Qt is not loaded."""
    yield
    if "PySide6.QtWidgets" not in sys.modules:
        return
    from PySide6.QtCore import QThread
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance()
    if not isinstance(application, QApplication):
        return
    visible = [type(widget).__name__ for widget in application.topLevelWidgets() if widget.isVisible()]
    for widget in application.topLevelWidgets():
        widget.close()
    running = [type(thread).__name__ for thread in application.findChildren(QThread) if thread.isRunning()]
    assert not visible, f"windows left open: {', '.join(visible)}"
    assert not running, f"threads of Qt left running: {', '.join(running)}"
