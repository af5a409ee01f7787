"""Sheets: what the dealer opens for a moment over the felt. A title, a key to close, and keys in rows that fill the width."""

from __future__ import annotations

from typing import ClassVar, Final, NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QHideEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from dealer_assist.station import lettering, theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.keys import Key
from dealer_assist.station.over_felt import OverFelt
from dealer_assist.station.theme import Metrics

_LEFT = Qt.AlignmentFlag.AlignLeft
#: letters of the keyboard that the keys of a sheet get, those of the pad's own keys last
_LETTERS: Final = "QWEOSDGJKBVZPHMLXIAUCRF"


class Label(NamedTuple):
    """A line of text on a sheet: its size as drawn for 1920 × 1080."""

    text: str
    size: int
    ink: str = theme.QUIET
    weight: int = 500


#: a row of a sheet: keys, or a label, in short (text, size)
Row = list[Key] | tuple[str, int] | Label


class Sheet(OverFelt):
    """Base of the sheets: closes itself after a command, with Escape, or by its key.

    A sheet that wants a number borrows the keypad: in :meth:`rows` it says in ``number_for`` what the number is for, and finds it in
    ``entry``. ``enter`` names the key that Enter presses then.
    """

    #: whether the keys get letters of the keyboard by themselves
    lettered: ClassVar[bool] = True

    def __init__(self, parent: QWidget, name: str, metrics: Metrics) -> None:
        super().__init__(parent, f"sheet-{name}", metrics)
        self.title = ""
        self.room = 0
        self.number_for = ""
        self._wanted = ""
        self.enter = ""
        self._hugging = False
        self._labels: list[tuple[lettering.Fitted, QRectF, str]] = []
        self._label_scale = 1.0
        self._lettered: set[str] = set()
        self.add_key("close", shortcut="Esc")
        self.hide()

    def add_key(
        self,
        code: str,
        *,
        role: str = "plain",
        size: int = 26,
        shortcut: str = "",
        sign: str = "",
        hold_ms: int = 0,
    ) -> Key:
        """A key of this sheet."""
        key = Key(
            self,
            code,
            role=role,
            px=self._metrics.text_px(size),
            shortcut=shortcut,
            sign=sign,
            hold_ms=hold_ms,
        )
        self._sizes[code] = size
        if shortcut:
            self._lettered.add(code)
        key.chosen.connect(self.on_key)
        self.keys[code] = key
        return key

    def on_key(self, code: str) -> None:
        """A key was tapped; subclasses handle theirs first."""
        if code == "close":
            self.close_sheet()

    def close_sheet(self) -> None:
        """Go away."""
        self.hide()
        self.closed.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Give the keypad back."""
        super().hideEvent(event)
        self._want("")

    def set_entry(self, entry: str) -> None:
        """Follow the keypad while it is borrowed."""
        if entry != self.entry:
            self.entry = entry
            if self.isVisible():
                self.arrange()

    @property
    def typed(self) -> int | None:
        """The number that was typed for this sheet; None: none, or nothing but zeros."""
        return int(self.entry) if self.entry and int(self.entry) else None

    def use_number(self) -> None:
        """What was typed has been taken over: the keypad begins anew."""
        self.entry = ""
        self.number_used.emit()

    def _want(self, purpose: str) -> None:
        if purpose != self._wanted:
            self._wanted = purpose
            self.number_for = purpose
            self.number_wanted.emit()

    def open_sheet(self) -> None:
        """Come up."""
        self.entry = ""
        self.show()
        self.raise_()
        self.arrange()

    def rows(self, tr: Translator, columns: int) -> list[Row]:
        """What the sheet consists of, from the top; ``columns`` keys of a thumb's width go into a row."""
        raise NotImplementedError

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out anew."""
        super().resizeEvent(event)
        if self.isVisible() and not self._hugging:
            self.arrange()

    def text_fits(self) -> bool:
        """Whether every label is inside."""
        return all(fitted.fits for fitted, _, _ in self._labels)

    def arrange(self) -> None:
        """Place title, labels and keys; keys share the height that is left."""
        tr, metrics = self.tr_, self._metrics
        if tr is None or self.width() < 50:
            return
        margin, gap = metrics.margin + 4, metrics.gap
        box = QRectF(self.rect()).adjusted(margin, margin, -margin, -margin)
        thumb = max(64, metrics.px(96))
        self.number_for = ""
        rows = self.rows(tr, max(3, int((box.width() + gap) / (thumb + gap))))
        key_rows = [row for row in rows if isinstance(row, list)]
        labels = {id(row): Label(*row) for row in rows if isinstance(row, tuple)}
        title_h = max(56, metrics.px(72))
        # Labels are as large as they are to be, unless that would take the keys' height.
        for self._label_scale in lettering.scales():
            heights = {row: self._label(label, box.width()).height + 2 for row, label in labels.items()}
            free = (
                (self.room or self.height())
                - 2 * margin
                - title_h
                - sum(heights.values())
                - gap * len(rows)
                - gap
            )
            key_h = min(max(56, metrics.px(84)), int(free / max(1, len(key_rows))))
            if key_h >= max(56, metrics.px(76)):
                break
        close = self.keys["close"]
        close.say(tr("ui.close"))
        close_w = min(box.width() * 0.34, metrics.px(230))
        close.setGeometry(round(box.right() - close_w), round(box.top()), round(close_w), title_h)
        title_box = QRectF(box.left(), box.top(), box.width() - close_w - gap, title_h)
        title = lettering.fit(self.title, title_box.width(), title_h, metrics.px(40), weight=700, max_lines=2)
        self._labels = [(title, title_box, theme.TEXT)]
        used = {"close"}
        y = box.top() + title_h + gap
        for row in rows:
            if isinstance(row, tuple):
                label = labels[id(row)]
                fitted = self._label(label, box.width())
                self._labels.append((fitted, QRectF(box.left(), y, box.width(), heights[id(row)]), label.ink))
                y += heights[id(row)] + gap
                continue
            width = (box.width() - gap * (len(row) - 1)) / len(row)
            for index, key in enumerate(row):
                left = box.left() + index * (width + gap)
                key.setGeometry(round(left), round(y), round(left + width) - round(left), key_h)
                key.show()
                used.add(key.code)
            y += key_h + gap
        for code, key in self.keys.items():
            if code not in used:
                key.hide()
        if self.lettered:
            self._letter([key.code for row in key_rows for key in row])
        self.setAccessibleName(self.title)
        self._hugging = True
        self.resize(self.width(), round(y - gap + margin))
        self._hugging = False
        self.update()
        if self.isVisible():
            self._want(self.number_for)

    def _letter(self, codes: list[str]) -> None:
        """Give the keys that are there letters of the keyboard, in reading order."""
        taken = {self.keys[code].shortcut_hint for code in codes if code in self._lettered}
        free = [letter for letter in _LETTERS if letter not in taken]
        for code in codes:
            if code not in self._lettered:
                self.keys[code].set_shortcut(free.pop(0) if free else "")

    def _label(self, label: Label, width: float) -> lettering.Fitted:
        size = self._metrics.px(label.size * self._label_scale)
        return lettering.fit(label.text, width, 10_000, size, weight=label.weight, max_lines=4, scaled=False)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Panel ground, frame, labels."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.LINE), 2))
        painter.setBrush(QColor(theme.PANEL))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(2, 2, -2, -2), 16, 16)
        for fitted, box, ink in self._labels:
            lettering.paint(painter, fitted, box, ink, _LEFT)
        painter.end()


def padded(keys: list[Key], columns: int) -> list[list[Key]]:
    """Keys in rows of nearly equal length, none longer than ``columns``."""
    if not keys:
        return []
    lines = -(-len(keys) // columns)
    each = -(-len(keys) // lines)
    return [keys[i : i + each] for i in range(0, len(keys), each)]
