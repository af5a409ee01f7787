"""The Qt binding is the one that was measured, and does not eat references to None.

PySide6 6.12.0 drops one reference to ``None`` at every call that returns nothing, on interpreters where None is counted (3.11 and
before): some thousand calls, and the process aborts. The whole 6.11 line is clean.
"""

from __future__ import annotations

import sys
from importlib import metadata

import PySide6
from PySide6.QtCore import QObject, QTimer

CALLS = 2000
#: Other things come and go meanwhile; a binding that drops references loses CALLS.
TOLERANCE = 200


def test_void_calls_keep_their_references_to_none() -> None:
    thing = QObject()
    timer = QTimer(thing)
    before = sys.getrefcount(None)
    for _ in range(CALLS // 2):
        thing.setObjectName("x")
        timer.setInterval(1000)
    assert abs(sys.getrefcount(None) - before) < TOLERANCE


def test_the_binding_is_of_the_line_that_was_measured() -> None:
    version = tuple(int(part) for part in PySide6.__version__.split(".")[:3])
    assert (6, 11, 3) <= version < (6, 12)
    assert metadata.version("PySide6-Essentials") == metadata.version("shiboken6") == PySide6.__version__


def test_only_the_essentials_are_installed() -> None:
    installed = {
        (distribution.metadata["Name"] or "").lower().replace("_", "-")
        for distribution in metadata.distributions()
    }
    assert not installed & {"pyside6", "pyside6-addons"}


def test_the_interpreter_is_the_one_that_was_measured() -> None:
    assert sys.version_info[:2] == (3, 11)
