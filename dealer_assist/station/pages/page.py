"""Pages: what lies over the whole felt while the table is set up or looked into, and never over the pad.

A page is told the state as every part of the window is (:meth:`Page.show_state`), and says what was tapped by its signal ``command``. It
draws labels and pictures itself and has real keys; what does not fit on it goes to its next sheet of paper (:class:`Leaves`), never
under a scroll bar.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, TypeVar

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.equipment import SetupStep
from dealer_assist.station import lettering, theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.keys import Key
from dealer_assist.station.over_felt import OverFelt
from dealer_assist.station.theme import Metrics

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
CENTRE = Qt.AlignmentFlag.AlignCenter
#: letters of the keyboard that a key without one of its own may get, those of the pad's own keys last
_LETTERS = "QWETYOSGJZVNKBXPDHMUILACFR"
_T = TypeVar("_T")
#: Paints a part of a page.
Picture = Callable[[QPainter], None]


class Page(OverFelt):
    """Base of the pages. A subclass names itself, makes its keys in ``__init__`` and places everything in :meth:`lay_out`.

    ``name``: its texts are ``page.NAME`` (the title and the menu's word). ``behind_badge``: the window opens it only for the floor.
    ``stays_in_hand``: it may be looked at while a hand runs; any other page goes away when the first card is pitched.
    ``wants_number``: numbers are typed for it while it is open, unless it stays in a hand.
    ``beside_alert``: while an alert is up it stays, as narrow as the felt is then; any other page is put aside and comes back after it.
    """

    name: ClassVar[str] = ""
    behind_badge: ClassVar[bool] = False
    stays_in_hand: ClassVar[bool] = False
    beside_alert: ClassVar[bool] = False
    wants_number: ClassVar[bool] = True
    #: the keys that Enter and Backspace press while they can be seen
    enter: ClassVar[str] = ""
    erase: ClassVar[str] = ""

    #: what was tapped is the floor's: his badge is to be asked for, and the page is to come up again
    badge_wanted = Signal()

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, f"page-{self.name}", metrics)
        self.note = ""
        #: whether what is being set up at the table was asked for here
        self.sets_up = False
        self._labels: list[tuple[lettering.Fitted, QRectF, str, Qt.AlignmentFlag]] = []
        self._placed: set[str] = set()
        self._frame: list[tuple[QRectF, str]] = []
        self._pictures: list[Picture] = []
        self.add_key("close", shortcut="Esc")
        # it paints all of itself: the felt below need not be drawn
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.hide()

    # -- for subclasses ----------------------------------------------------------------------------------------------------

    def lay_out(self, tr: Translator, box: QRectF) -> None:
        """Place keys (:meth:`put`) and labels (:meth:`write`) in the body; keys that are not placed are hidden."""
        raise NotImplementedError

    def on_key(self, code: str) -> None:
        """A key was tapped, other than the one that closes."""

    def opened(self) -> None:
        """The page has come up: forget what was chosen when it was open before, ask for what it needs."""

    def left(self) -> None:
        """The page is being closed: give up what it asked for."""

    def leave_off(self, *what: str) -> None:
        """For :meth:`left`: what is being set up from here is left off, so that the next card that is pitched is a hand's again.

        What somebody else does, at a terminal, goes on.
        """
        if self.sets_up and self.ready and self.state.setup.what in what:
            self.command.emit(SetupStep("pause"))
        self.sets_up = False

    def add_key(
        self,
        code: str,
        *,
        role: str = "plain",
        size: int = 26,
        shortcut: str = "",
        sign: str = "",
        hold_ms: int = 0,
        lines: int = 2,
    ) -> Key:
        """A key of this page. Without a ``shortcut`` it gets a letter that is free, as long as there are any."""
        if not shortcut:
            taken = {key.shortcut_hint for key in self.keys.values()}
            shortcut = next((letter for letter in _LETTERS if letter not in taken), "")
        px = self._metrics.text_px(size)
        key = Key(
            self, code, role=role, px=px, shortcut=shortcut, sign=sign, hold_ms=hold_ms, max_lines=lines
        )
        self._sizes[code] = size
        key.chosen.connect(self._on_key)
        key.hide()
        self.keys[code] = key
        return key

    def put(self, code: str, box: QRectF) -> Key:
        """Place a key and show it."""
        key = self.keys[code]
        left, top = round(box.left()), round(box.top())
        key.setGeometry(left, top, round(box.right()) - left, round(box.bottom()) - top)
        self._placed.add(code)
        key.show()
        return key

    def put_row(self, codes: Sequence[str], box: QRectF) -> None:
        """Place keys side by side, all as wide."""
        gap = self._metrics.gap
        width = (box.width() - gap * (len(codes) - 1)) / max(1, len(codes))
        for index, code in enumerate(codes):
            self.put(code, QRectF(box.left() + index * (width + gap), box.top(), width, box.height()))

    def write(
        self,
        text: str,
        box: QRectF,
        size: int = 26,
        *,
        ink: str = theme.TEXT,
        weight: int = 500,
        align: Qt.AlignmentFlag = LEFT,
        lines: int = 1,
    ) -> lettering.Fitted:
        """Place a label. ``size`` as drawn for 1920 × 1080, smaller where it does not fit."""
        fitted = lettering.fit(
            text, box.width(), box.height(), self._metrics.text_px(size), weight=weight, max_lines=lines
        )
        self._labels.append((fitted, box, ink, align))
        return fitted

    def panel(self, box: QRectF, ground: str = theme.PLATE) -> None:
        """A rounded ground behind a part of the page."""
        self._frame.append((box, ground))

    def draw(self, picture: Picture) -> None:
        """Have a picture painted, before the labels."""
        self._pictures.append(picture)

    def px(self, size: float) -> int:
        """A length drawn for 1920 × 1080, at this window."""
        return self._metrics.px(size)

    @property
    def key_h(self) -> int:
        """How tall a key is at least: a thumb."""
        return max(56, self._metrics.px(84))

    @property
    def gap(self) -> int:
        """Between keys."""
        return self._metrics.gap

    # -- for the window ----------------------------------------------------------------------------------------------------

    def open_page(self) -> None:
        """Come up."""
        self.note = ""
        self.opened()
        self.show()
        self.raise_()
        self.arrange()

    def close_page(self) -> None:
        """Go away."""
        self.left()
        self.hide()
        self.closed.emit()

    def set_entry(self, entry: str) -> None:
        """Follow the keypad."""
        self.entry = entry
        if self.isVisible():
            self.arrange()

    def say(self, note: str) -> None:
        """Say something beside the title, until the next command."""
        if note != self.note:
            self.note = note
            if self.isVisible():
                self.arrange()

    @property
    def number_for(self) -> str:
        """What a number is for that is typed while the page is open; empty: the keypad stays with the action of the hand."""
        wanted = self.wants_number and not self.stays_in_hand and self.tr_ is not None
        return self.tr_(f"page.{self.name}") if wanted and self.tr_ is not None else ""

    @property
    def keeps_digits(self) -> bool:
        """Whether digits, and Enter of the keyboard, are never the pad's while this page is open: it asks for something secret."""
        return False

    def text_fits(self) -> bool:
        """Whether every label is inside."""
        return all(fitted.fits for fitted, _, _, _ in self._labels)

    @property
    def labels(self) -> tuple[str, ...]:
        """What is written on the page, line by line."""
        return tuple([" ".join(fitted.lines) for fitted, _, _, _ in self._labels])

    def arrange(self) -> None:
        """Place everything anew."""
        tr, gap = self.tr_, self.gap
        if tr is None or self.width() < 50:
            return
        margin = self._metrics.margin + 4
        box = QRectF(self.rect()).adjusted(margin, margin, -margin, -margin)
        title_h = max(56, self.px(72))
        self._labels, self._frame, self._pictures = [], [], []
        self._placed = {"close"}
        close_w = max(box.width() * 0.16, self.px(200))
        close = self.put("close", QRectF(box.right() - close_w, box.top(), close_w, title_h))
        close.say(tr("ui.close"))
        title = tr(f"page.{self.name}")
        room = box.width() - close_w - 2 * gap
        title_w = room * (0.42 if self.note else 1.0)
        self.write(title, QRectF(box.left(), box.top(), title_w, title_h), 40, weight=700, lines=2)
        if self.note:
            note = QRectF(box.left() + title_w + gap, box.top(), room - title_w, title_h)
            self.write(self.note, note, 26, ink=theme.GOLD, weight=600, align=RIGHT, lines=3)
        self.lay_out(tr, box.adjusted(0, title_h + gap, 0, 0))
        for code, key in self.keys.items():
            if code not in self._placed:
                key.hide()
        self.setAccessibleName(title)
        self.setAccessibleDescription(". ".join(line for line in self.labels[1:] if line))
        self.update()

    def _on_key(self, code: str) -> None:
        if code == "close":
            self.close_page()
        else:
            self.on_key(code)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out anew."""
        super().resizeEvent(event)
        if self.isVisible():
            self.arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Panel ground, frame, what the page draws, labels."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(theme.GROUND))
        painter.setPen(QPen(QColor(theme.LINE), 2))
        painter.setBrush(QColor(theme.PANEL))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(2, 2, -2, -2), 16, 16)
        painter.setPen(Qt.PenStyle.NoPen)
        for box, ground in self._frame:
            painter.setBrush(QColor(ground))
            painter.drawRoundedRect(box, 12, 12)
        for picture in self._pictures:
            painter.save()
            picture(painter)
            painter.restore()
        for fitted, box, ink, align in self._labels:
            lettering.paint(painter, fitted, box, ink, align)
        painter.end()


class Leaves:
    """Which part of a long list is shown: so many lines on a leaf, turned over by two keys."""

    def __init__(self) -> None:
        self.at = 0

    def cut(self, items: Sequence[_T], per_leaf: int) -> tuple[_T, ...]:
        """The lines of the leaf that is open."""
        per_leaf = max(1, per_leaf)
        self.count = max(1, -(-len(items) // per_leaf))
        self.at = max(0, min(self.at, self.count - 1))
        return tuple(items[self.at * per_leaf : (self.at + 1) * per_leaf])

    count: int = 1

    def turn(self, by: int) -> None:
        """Turn over, by +1 or -1, as far as there are leaves."""
        self.at = max(0, min(self.at + by, self.count - 1))
