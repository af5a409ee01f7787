"""The pages of the window: at most one is open. It makes way for an alert and for the first card of a hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, QRect, Signal
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import Command
from dealer_assist.domain.link import Result
from dealer_assist.station.i18n import Translator
from dealer_assist.station.pages.page import Page
from dealer_assist.station.pages.registry import PAGES
from dealer_assist.station.theme import Metrics
from dealer_assist.station.viewmodel import ViewState


def _open_to_all(_page: type[Page]) -> bool:
    return True


class Pages(QObject):
    """Opens and closes pages by name. ``command`` carries what was tapped on one; ``changed``: one came or went.

    ``number_used``: what was typed for one has been used; ``badge_wanted``: what was tapped on this page is the floor's.
    ``gate`` is asked before a page opens; False: it has asked for the badge itself, and opens the page when that has been shown.
    """

    command = Signal(object)
    changed = Signal()
    number_used = Signal()
    badge_wanted = Signal(str)

    def __init__(self, window: QWidget, metrics: Metrics, kinds: Sequence[type[Page]] = PAGES) -> None:
        super().__init__(window)
        self._window = window
        self._metrics = metrics
        self.kinds = {kind.name: kind for kind in kinds}
        self._made: dict[str, Page] = {}
        self._open = ""
        self._tr: Translator | None = None
        self._state = ViewState()
        self._ready = False
        self._entry = ""
        self._room = (QRect(), QRect())
        self.gate: Callable[[type[Page]], bool] = _open_to_all

    @property
    def open(self) -> Page | None:
        """The page that is open, be it put aside for an alert."""
        return self._made.get(self._open)

    @property
    def names(self) -> tuple[str, ...]:
        """The pages in the order of the menu."""
        return tuple(self.kinds)

    def open_page(self, name: str) -> Page | None:
        """Open a page in place of the one that is open; None: the gate keeps it shut."""
        kind = self.kinds[name]
        if self._open == name:
            return self._made[name]
        if not self.gate(kind):
            return None
        self.close()
        page = self._made.get(name)
        if page is None:
            page = self._made[name] = kind(self._window, self._metrics)
            page.command.connect(self.command)
            page.number_used.connect(self.number_used)
            page.badge_wanted.connect(partial(self.badge_wanted.emit, name))
            page.closed.connect(self._on_closed)
            page.number_wanted.connect(self.changed)
        page.set_metrics(self._metrics)
        page.entry = self._entry
        if self._tr is not None:
            page.show_state(self._tr, self._state, ready=self._ready)
        page.setGeometry(self._room[0])
        page.open_page()
        self._open = name
        self._place()
        self.changed.emit()
        return page

    def close(self) -> None:
        """Close the page that is open."""
        page = self.open
        if page is not None:
            page.close_page()

    def show_state(self, tr: Translator, state: ViewState, *, ready: bool) -> None:
        """Follow the state; the first pitched card closes a page that has no business in a hand."""
        begun = self._state.between_hands and not state.between_hands and self._state.whole
        self._tr, self._state, self._ready = tr, state, ready
        page = self.open
        if page is None:
            return
        if begun and not page.stays_in_hand:
            page.close_page()
            return
        page.show_state(tr, state, ready=ready)
        self._place()

    def place(self, content: QRect, beside: QRect) -> None:
        """The room over the felt, and what an alert leaves of it."""
        self._room = (content, beside)
        self._place()

    def _place(self) -> None:
        page = self.open
        if page is None:
            return
        alert = bool(self._state.alerts)
        page.setGeometry(self._room[1] if alert else self._room[0])
        page.setVisible(page.beside_alert or not alert)
        if page.isVisible():
            page.arrange()

    def set_metrics(self, metrics: Metrics) -> None:
        """Follow the window's size."""
        self._metrics = metrics
        if self.open is not None:
            self.open.set_metrics(metrics)

    def set_entry(self, entry: str) -> None:
        """Follow the keypad."""
        self._entry = entry
        if self.open is not None:
            self.open.set_entry(entry)

    def answered(self, command: Command, result: Result) -> None:
        """What became of a command."""
        if self.open is not None:
            self.open.answered(command, result)

    def _on_closed(self) -> None:
        self._open = ""
        self.changed.emit()
