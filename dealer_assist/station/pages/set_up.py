"""The table's set-up on one page: who sits where with how much, and what is played: house, game, blinds and ante.

A stack is typed and its seat tapped; with nothing typed a tap takes a seat from in to away to out. What is played is chosen and then sent
as a whole: it counts from the next hand on.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import Command, SetSeat, SetStack
from dealer_assist.domain.facts import SeatFact, TableFact
from dealer_assist.domain.link import Result
from dealer_assist.domain.terms import SetTable
from dealer_assist.domain.zones import SEATS
from dealer_assist.station import lettering, shapes, theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.keys import Key
from dealer_assist.station.pages.page import Leaves, Page
from dealer_assist.station.pages.rows import house_name
from dealer_assist.station.seat_chips import plays
from dealer_assist.station.theme import Metrics
from dealer_assist.station.wording import game_name, refusal

View = Literal["seats", "terms"]
#: A tap takes a seat on to its next state.
NEXT: Final[dict[str, Literal["in", "away", "out"]]] = {
    "empty": "in",
    "out": "in",
    "in": "away",
    "away": "out",
}
_SHAPES: Final = {
    "in": ("circle", theme.GOOD),
    "away": ("diamond", theme.MEDIUM),
    "out": ("outline", theme.QUIET),
    "empty": ("outline", theme.OFF),
}
_AMOUNTS: Final = ("small_blind", "big_blind", "ante")
#: Games and houses in a row, and their letters: those of seats, which are never shown beside them.
_CHOICES: Final = 4
_GAME_LETTERS: Final = "QWER"
_HOUSE_LETTERS: Final = "TYUI"
_LETTERS: Final = "QWERTYUIOPH"


class SeatKey(Key):
    """A seat of the set-up: its number, its state by shape and word, its stack."""

    seat = ""
    status: str = "empty"
    word = ""
    stack = ""

    def show_seat(self, seat: str, status: str, word: str, stack: str, name: str) -> None:
        """Set what it shows."""
        self.seat, self.status, self.word, self.stack = seat, status, word, stack
        self.setAccessibleName(name)
        self.setAccessibleDescription(self.shortcut_hint)
        self.update()

    def _lines(self) -> list[tuple[lettering.Fitted, QRectF, str]]:
        box = QRectF(self.rect()).adjusted(10, 4, -10, -4)
        number = QRectF(box.left(), box.top(), box.width() * 0.5, box.height() * 0.46)
        word = QRectF(
            box.left() + box.height() * 0.34,
            number.bottom(),
            box.width() - box.height() * 0.34,
            box.height() * 0.26,
        )
        stack = QRectF(box.left(), box.top() + box.height() * 0.7, box.width(), box.height() * 0.3)
        ink = theme.QUIET if self.status in ("out", "empty") else theme.TEXT
        large, small = round(self.px * 1.4), round(self.px * 0.86)
        return [
            (lettering.fit(self.seat, number.width(), number.height(), large, weight=800), number, ink),
            (lettering.fit(self.word, word.width(), word.height(), small, weight=600), word, theme.QUIET),
            (
                lettering.fit(self.stack, stack.width(), stack.height(), self.px, weight=700),
                stack,
                theme.GOLD,
            ),
        ]

    def text_fits(self) -> bool:
        """Whether every line is inside."""
        return all(fitted.fits for fitted, _, _ in self._lines())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Plate, shape, lines."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        focus = self.hasFocus()
        painter.setPen(QPen(QColor(theme.GOLD if focus else theme.LINE), 3 if focus else 1.5))
        ground = (
            theme.KEY_DOWN if self.isDown() else theme.KEY if self.status in ("in", "away") else theme.KEY_OFF
        )
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(box, 12, 12)
        lines = self._lines()
        shape, colour = _SHAPES.get(self.status, _SHAPES["empty"])
        word = lines[1][1]
        size = word.height() * 0.8
        shapes.draw(painter, shape, QPointF(word.left() - size * 0.75, word.center().y()), size, colour)
        for fitted, room, ink in lines:
            lettering.paint(painter, fitted, room, ink, Qt.AlignmentFlag.AlignLeft)
        if self.shortcut_hint and self.isEnabled():
            painter.setFont(theme.font(max(11, round(self.px * 0.5)), 600))
            painter.setPen(theme.colour(theme.TEXT, 0.7))
            corner = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            painter.drawText(box.adjusted(0, 4, -9, 0), corner, self.shortcut_hint)
        painter.end()


class SetUpPage(Page):
    """Opened from the table's menu."""

    name = "set_up"
    behind_badge = True

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, metrics)
        self._view: View = "seats"
        self._wanted = SetTable()
        self._houses, self._games = Leaves(), Leaves()
        for seat, letter in zip(SEATS, _LETTERS, strict=True):
            code = f"seat-{seat}"
            key = SeatKey(self, code, px=metrics.text_px(28), shortcut=letter)
            key.chosen.connect(self._on_key)
            key.hide()
            self.keys[code], self._sizes[code] = key, 28
        self.add_key("seats", size=28, shortcut="S")
        self.add_key("terms", size=28, shortcut="G")
        self.add_key("everybody", size=26, shortcut="A")
        for code, letter in zip(_AMOUNTS, "BVC", strict=True):
            self.add_key(code, size=26, shortcut=letter)
        self.add_key("other_houses", size=24, shortcut="M")
        self.add_key("other_games", size=24, shortcut="X")
        self.add_key("send", role="go", size=30, shortcut="⏎")
        for number, (one, other) in enumerate(zip(_GAME_LETTERS, _HOUSE_LETTERS, strict=True)):
            self.add_key(f"game-{number}", size=25, shortcut=one)
            self.add_key(f"house-{number}", size=25, shortcut=other)

    def opened(self) -> None:
        """Begin with the seats; nothing is changed yet."""
        self._view, self._wanted = "seats", SetTable()

    def answered(self, command: Command, result: Result) -> None:
        """A refusal is said; what was taken is what is played."""
        if self.tr_ is None or not isinstance(command, SetTable | SetSeat | SetStack):
            return
        if not result.ok:
            self.say(refusal(self.tr_, result.code, result.params))
        elif isinstance(command, SetTable):
            self._wanted = SetTable()
            self.say(self.tr_("page_set_up.set"))

    def lay_out(self, tr: Translator, box: QRectF) -> None:
        """The chosen part; below, the keys for both."""
        gap, key_h = self.gap, self.key_h
        last = QRectF(box.left(), box.bottom() - key_h, box.width(), key_h)
        body = QRectF(box.left(), box.top(), box.width(), last.top() - gap - box.top())
        if self._view == "seats":
            codes = self._seats(tr, body)
        else:
            codes = self._terms(tr, body)
        self.put_row(["seats", "terms", *codes], last)
        for view in ("seats", "terms"):
            self.keys[view].say(tr(f"page_set_up.{view}"))
            self.keys[view].set_role("chosen" if view == self._view else "plain")

    # -- seats -------------------------------------------------------------------------------------------------------------

    def _seats(self, tr: Translator, box: QRectF) -> list[str]:
        gap = self.gap
        table = self.state.table
        seats = table.seats if table is not None else ()
        help_h = self.px(64)
        amount = int(self.entry) if self.entry else None
        counted = self.state.tracking == "full"
        states = {"first": tr("ui.in"), "second": tr("ui.away"), "third": tr("ui.out")}
        said = tr("page_set_up.tap_status" if counted else "page_set_up.tap_only", states)
        if amount is not None and counted:
            said = tr("page_set_up.tap_stack", amount=amount)
        ink = theme.GOLD if amount is not None and counted else theme.QUIET
        self.write(said, QRectF(box.left(), box.top(), box.width(), help_h), 26, ink=ink, weight=600, lines=2)
        across = 3 if len(seats) <= 6 else 4
        rows = max(1, -(-len(seats) // across))
        sum_h = self.px(48) if counted else 0
        height = min(self.px(190), (box.height() - help_h - sum_h - gap * rows) / rows)
        width = (box.width() - gap * (across - 1)) / across
        for index, seat in enumerate(seats):
            left = box.left() + (index % across) * (width + gap)
            top = box.top() + help_h + gap + (index // across) * (height + gap)
            self._seat(tr, seat, QRectF(left, top, width, height))
        sum_box = QRectF(box.left(), box.top() + help_h + rows * (height + gap), box.width(), 0)
        sum_box.setBottom(box.bottom())
        if counted:
            stacks = [fact.stack for fact in self.state.seats if fact.status in ("in", "away")]
            total = sum(stack for stack in stacks if stack is not None)
            text = tr("page_set_up.chips", total=total)
            if None in stacks:
                text = f"{text} · {tr('page_set_up.not_counted', count=stacks.count(None))}"
            self.write(text, QRectF(sum_box.left(), sum_box.top(), sum_box.width(), sum_h), 28, weight=600)
        if not counted:
            return []
        everybody = self.keys["everybody"]
        everybody.say(
            tr("page_set_up.everybody", amount=amount)
            if amount is not None
            else tr("page_set_up.everybody_none")
        )
        everybody.setEnabled(self.ready and amount is not None and bool(self._playing()))
        return ["everybody"]

    def _seat(self, tr: Translator, seat: int, box: QRectF) -> None:
        key = self.keys[f"seat-{seat}"]
        assert isinstance(key, SeatKey)
        self.put(key.code, box)
        fact = self.state.seat(seat)
        status = fact.status if fact is not None else "empty"
        stack = ""
        if self.state.tracking == "full" and fact is not None and status != "empty":
            stack = tr("ui.no_stack") if fact.stack is None else tr.number(fact.stack)
        word = tr(f"ui.{status}")
        key.show_seat(str(seat), status, word, stack, f"{tr('ui.seat', seat=seat)}: {word} {stack}".strip())
        key.setEnabled(self.ready)

    def _playing(self) -> list[SeatFact]:
        return [fact for fact in self.state.seats if fact.status in ("in", "away")]

    def _stack(self, fact: SeatFact | None, seat: int, amount: int) -> Command:
        """A stack: of the running hand what is behind, else what the seat sits with."""
        if plays(self.state, fact):
            return SetStack(seat, amount)
        seated = fact is not None and fact.status in ("in", "away", "out")
        return SetSeat(seat, fact.status if fact is not None and seated else "in", amount)  # type: ignore[arg-type]

    # -- house, game, limits -----------------------------------------------------------------------------------------------

    def _terms(self, tr: Translator, box: QRectF) -> list[str]:
        table = self.state.table
        if table is None:
            return []
        gap, key_h = self.gap, self.key_h
        line_h = self.px(50)
        between = self.state.between_hands
        top = box.top()
        for what, names in (("game", table.games), ("house", table.houses or (table.house,))):
            title = QRectF(box.left(), top, box.width(), line_h)
            self.write(tr(f"page_set_up.{what}"), title, 27, weight=700)
            top += line_h
            top = self._choose(tr, what, names, table, QRectF(box.left(), top, box.width(), key_h)) + gap
        self.write(tr("page_set_up.limits"), QRectF(box.left(), top, box.width(), line_h), 27, weight=700)
        top += line_h
        self.put_row(list(_AMOUNTS), QRectF(box.left(), top, box.width(), key_h))
        for code in _AMOUNTS:
            wanted = getattr(self._wanted, code)
            shown = getattr(table, code) if wanted is None else wanted
            key = self.keys[code]
            key.say(tr(f"page_set_up.{code}"), tr.number(shown))
            key.set_role("plain" if wanted is None else "chosen")
            key.setEnabled(self.ready and between)
        top += key_h + gap
        said = QRectF(box.left(), top, box.width(), min(self.px(64), max(line_h, box.bottom() - top)))
        text = tr("page_set_up.limits_help") if between else tr("page_set_up.in_hand")
        self.write(text, said, 25, ink=theme.QUIET if between else theme.MEDIUM, lines=2)
        changed = self._wanted != SetTable()
        for number, word in enumerate(("now", "next") if changed else ("now",)):
            line = QRectF(box.left(), said.bottom() + number * line_h, box.width(), line_h)
            if line.bottom() <= box.bottom() + 1:
                ink = theme.TEXT if word == "now" else theme.GOLD
                self.write(self._sum(tr, table, word), line, 27, ink=ink, weight=600)
        send = self.keys["send"]
        send.say(tr("page_set_up.send"))
        send.setEnabled(self.ready and between and self._wanted != SetTable())
        return ["send"]

    def _sum(self, tr: Translator, table: TableFact, word: str) -> str:
        """What is played now, or would be played next."""
        wanted = self._wanted if word == "next" else SetTable()
        small, big, ante = [
            getattr(table, code) if getattr(wanted, code) is None else getattr(wanted, code)
            for code in _AMOUNTS
        ]
        limits = "/".join(tr.number(amount) for amount in (small, big, *([ante] if ante else [])))
        params = {
            "name": game_name(tr, wanted.game or table.game),
            "limits": limits,
            "house": house_name(tr, wanted.house or table.house),
        }
        return tr(f"page_set_up.{word}", params)

    def _choose(
        self, tr: Translator, what: str, names: tuple[str, ...], table: TableFact, box: QRectF
    ) -> float:
        """A row of names, the one that counts lit; a key to turn over where there are more. Returns where it ends."""
        leaves = self._games if what == "game" else self._houses
        more = f"other_{what}s"
        room = _CHOICES
        shown = leaves.cut(names, room if len(names) <= room else room - 1)
        codes = [f"{what}-{number}" for number in range(len(shown))]
        self.put_row([*codes, more] if leaves.count > 1 else codes, box)
        wanted = getattr(self._wanted, what) or getattr(table, what)
        between = self.state.between_hands
        for code, name in zip(codes, shown, strict=True):
            key = self.keys[code]
            key.say(game_name(tr, name) if what == "game" else house_name(tr, name))
            key.set_role("chosen" if name == wanted else "plain")
            key.setEnabled(self.ready and between)
        self.keys[more].say(tr("sheet.next_page", page=leaves.at + 1, pages=leaves.count))
        return box.bottom()

    # -- taps --------------------------------------------------------------------------------------------------------------

    def on_key(self, code: str) -> None:
        """A seat's next state or its stack; a choice; the whole of it."""
        self.note = ""
        kind, _, rest = code.partition("-")
        amount = int(self.entry) if self.entry else None
        table = self.state.table
        if code in ("seats", "terms"):
            self._view = "seats" if code == "seats" else "terms"
        elif kind == "seat":
            self._tapped(int(rest), amount)
        elif code == "everybody" and amount is not None:
            for fact in self._playing():
                self.command.emit(self._stack(fact, fact.seat, amount))
            self.number_used.emit()
        elif code in ("other_houses", "other_games"):
            leaves = self._houses if code == "other_houses" else self._games
            leaves.at = (leaves.at + 1) % leaves.count
        elif code in _AMOUNTS:
            self._wanted = msgspec.structs.replace(self._wanted, **{code: amount})
            self.number_used.emit()
        elif code == "send":
            self.command.emit(self._wanted)
        elif kind in ("house", "game") and table is not None:
            names = table.games if kind == "game" else table.houses or (table.house,)
            leaves = self._games if kind == "game" else self._houses
            room = _CHOICES if len(names) <= _CHOICES else _CHOICES - 1
            name = leaves.cut(names, room)[int(rest)]
            self._wanted = msgspec.structs.replace(
                self._wanted, **{kind: "" if name == getattr(table, kind) else name}
            )
        self.arrange()

    def _tapped(self, seat: int, amount: int | None) -> None:
        fact = self.state.seat(seat)
        if amount is not None and self.state.tracking == "full":
            self.command.emit(self._stack(fact, seat, amount))
            self.number_used.emit()
            return
        self.command.emit(SetSeat(seat, NEXT[fact.status if fact is not None else "empty"]))
