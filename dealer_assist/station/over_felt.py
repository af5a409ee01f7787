"""What sheets and pages have in common: they lie over the felt, follow the window's state, have keys with letters, may want numbers."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import Command
from dealer_assist.domain.link import Result
from dealer_assist.station.i18n import Translator
from dealer_assist.station.keys import Key
from dealer_assist.station.theme import Metrics
from dealer_assist.station.viewmodel import ViewState


class OverFelt(QWidget):
    """Base of both. ``number_wanted``: it wants the keypad, or wants it no longer; ``number_used``: what was typed has been taken over."""

    command = Signal(object)
    closed = Signal()
    number_wanted = Signal()
    number_used = Signal()

    def __init__(self, parent: QWidget, name: str, metrics: Metrics) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._metrics = metrics
        self.tr_: Translator | None = None
        self.state = ViewState()
        self.ready = True
        self.entry = ""
        self.keys: dict[str, Key] = {}
        self._sizes: dict[str, int] = {}

    def arrange(self) -> None:
        """Place everything anew."""
        raise NotImplementedError

    def show_state(self, tr: Translator, state: ViewState, *, ready: bool) -> None:
        """Follow the state."""
        self.tr_, self.state, self.ready = tr, state, ready
        if self.isVisible():
            self.arrange()

    def answered(self, command: Command, result: Result) -> None:
        """What became of a command that was sent from anywhere on the screen."""

    def set_metrics(self, metrics: Metrics) -> None:
        """Follow the window's size."""
        self._metrics = metrics
        for code, key in self.keys.items():
            key.px = metrics.text_px(self._sizes[code])

    def key_for(self, letter: str) -> Key | None:
        """The key that a letter of the keyboard stands for here."""
        return next(
            (key for key in self.keys.values() if letter and key.shortcut_hint == letter and key.isVisible()),
            None,
        )
