"""The felt as a list, beside the picture: what a screen reader reads and the keyboard walks through. It shows when it has the focus."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QStringListModel, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPalette
from PySide6.QtWidgets import QFrame, QListView, QWidget

from dealer_assist.station import lettering, theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.scene.words import Line, lines
from dealer_assist.station.viewmodel import ViewState

_WALK: Final = (
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
)


class SceneList(QListView):
    """A line for each thing on the felt, in step with the facts and the language, always there for assistive programs.

    It lies under the picture, where Tab or F7 reaches it; with the focus it lies over the picture, to be read. Enter on a line is a tap
    on that seat or board (``seat_chosen``, ``board_chosen``); Escape goes back.
    """

    seat_chosen = Signal(int)
    board_chosen = Signal()
    left = Signal()

    def __init__(self, parent: QWidget, over: QWidget) -> None:
        super().__init__(parent)
        self._over = over
        self.lines: tuple[Line, ...] = ()
        self.setObjectName("felt-list")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(True)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAutoFillBackground(True)
        palette = self.palette()
        for role, ink in (
            (QPalette.ColorRole.Base, theme.PANEL),
            (QPalette.ColorRole.Text, theme.TEXT),
            (QPalette.ColorRole.Highlight, theme.GOLD),
            (QPalette.ColorRole.HighlightedText, theme.INK),
        ):
            palette.setColor(role, QColor(ink))
        self.setPalette(palette)
        self._model = QStringListModel(self)
        self.setModel(self._model)
        self.activated.connect(self._on_chosen)
        self.clicked.connect(self._on_chosen)
        self.stackUnder(over)

    def show_state(self, tr: Translator, state: ViewState) -> None:
        """Change what has changed; the line that is being read stays the current one."""
        self.lines = lines(tr, state)
        if self.accessibleName() != tr("felt.list"):
            self.setAccessibleName(tr("felt.list"))
        texts = [line.text for line in self.lines]
        model = self._model
        if model.rowCount() > len(texts):
            model.removeRows(len(texts), model.rowCount() - len(texts))
        elif model.rowCount() < len(texts):
            model.insertRows(model.rowCount(), len(texts) - model.rowCount())
        for row, text in enumerate(texts):
            index = model.index(row)
            if model.data(index, Qt.ItemDataRole.DisplayRole) != text:
                model.setData(index, text)

    def set_text_px(self, px: int) -> None:
        """The size of the lines as drawn; the text scale enlarges it."""
        self.setFont(theme.font(round(px * lettering.text_scale()), 500))
        self.setSpacing(max(2, px // 6))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Come up over the picture, at what comes next."""
        super().focusInEvent(event)
        self._over.stackUnder(self)
        here = self.currentIndex()
        self.setCurrentIndex(here if here.isValid() else self._model.index(0))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Go down again."""
        super().focusOutEvent(event)
        self.stackUnder(self._over)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk through the lines, choose one, go back; every other key is the window's, as always."""
        if event.key() in _WALK:
            super().keyPressEvent(event)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_chosen(self.currentIndex())
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            event.ignore()

    def _on_chosen(self, index: QModelIndex) -> None:
        if not 0 <= index.row() < len(self.lines):
            return
        line = self.lines[index.row()]
        if line.seat:
            self.left.emit()
            self.seat_chosen.emit(line.seat)
        elif line.board:
            self.left.emit()
            self.board_chosen.emit()
