"""What the tests of the station tap with, and what takes the commands that come of it."""

from __future__ import annotations

from PySide6.QtCore import Qt

from dealer_assist.station.keys import Key


class Sent(list):
    """Takes what the window sends, and answers nothing."""

    def __call__(self, command, after) -> str:
        self.append(command)
        return str(len(self))


def tap(qtbot, *keys: Key):
    for key in keys:
        assert key.isVisible() and key.isEnabled(), key.objectName()
        qtbot.mouseClick(key, Qt.MouseButton.LeftButton)
