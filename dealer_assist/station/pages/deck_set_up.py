"""The part of the decks' page that is up while a deck is being registered or checked, and the receipt of a check."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import Command
from dealer_assist.domain.equipment import SetupFact, SetupStep
from dealer_assist.station import shapes, theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.pages.faces import FACES, ROWS, FaceKey, draw_count, draw_one, draw_progress
from dealer_assist.station.pages.page import RIGHT, Page
from dealer_assist.station.pages.rows import deck_name
from dealer_assist.station.scene.cards import draw_face
from dealer_assist.station.theme import HOLD_MS, Metrics

#: Notes that say that all is well; any other one asks for something.
_WELL: Final = frozenset({"", "laid", "read", "resumed", "complete"})
Receipt = dict[str, Any]
#: How a sign of what was found is drawn: colour, and the mark in it.
_SIGNS: Final = {
    "circle": (theme.GOOD, "tick"),
    "diamond": (theme.MEDIUM, "!"),
    "triangle": (theme.HIGH, "!"),
}


def _sign(painter: QPainter, name: str, spot: QPointF, size: float) -> None:
    colour, mark = _SIGNS[name]
    shapes.draw(painter, name, spot, size, colour, mark)


class DeckSetUp(Page):
    """Registration, check and receipt."""

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, metrics)
        self.receipt: Receipt | None = None
        self._finishing = False
        self.add_key("skip", size=28, shortcut="N")
        self.add_key("back", size=28, shortcut="B")
        self.add_key("pause", size=28, shortcut="P")
        self.add_key("cancel", role="stop", size=28, shortcut="X", hold_ms=HOLD_MS)
        self.add_key("finish", role="go", size=30, shortcut="⏎")
        self.add_key("leave_check", size=28, shortcut="L")
        self.add_key("receipt_done", role="go", size=30, shortcut="⏎")
        for face in FACES:
            code = f"face-{face}"
            key = FaceKey(self, code, px=metrics.text_px(20))
            key.chosen.connect(self._on_key)
            key.hide()
            self.keys[code] = key
            self._sizes[code] = 20

    # -- registration ------------------------------------------------------------------------------------------------------

    def lay_out_registration(self, tr: Translator, box: QRectF, fact: SetupFact) -> None:
        """The fifty-two cards, what to lay down next, and what went wrong."""
        gap = self.gap
        keys_top = box.bottom() - self.key_h
        said_h = max(self.px(150), box.height() * 0.2)
        grid = QRectF(box.left(), box.top(), box.width(), keys_top - gap * 2 - said_h - box.top())
        done = frozenset(fact.faces)
        step_x, step_y = grid.width() / 13, grid.height() / 4
        for number, row in enumerate(ROWS):
            for column, face in enumerate(row):
                key = self.keys[f"face-{face}"]
                assert isinstance(key, FaceKey)
                cell = QRectF(
                    grid.left() + column * step_x + 2,
                    grid.top() + number * step_y + 2,
                    step_x - 4,
                    step_y - 4,
                )
                self.put(key.code, cell)
                state = "done" if face in done else "next" if face == fact.next else "missing"
                name = tr("page_decks.card", rank=face[0], suit=tr(f"suit.{face[1]}"))
                key.show_card(state, tr(f"page_decks.card_{state}", card=name))  # type: ignore[arg-type]
                key.setEnabled(self.ready)
        said = QRectF(box.left(), grid.bottom() + gap, box.width(), said_h)
        self.panel(said)
        inner = said.adjusted(gap * 2, gap, -gap * 2, -gap)
        card_w = inner.height() * 0.72
        if fact.next:
            card = QRectF(inner.left(), inner.top(), card_w, inner.height())
            self.draw(partial(draw_one, card=card, face=fact.next, state="next"))
        text = QRectF(inner.left() + card_w + gap * 2, inner.top(), 0, inner.height())
        text.setRight(inner.right())
        line_h = text.height() / 3
        title = tr("page_decks.lay_next", zone=fact.zone) if fact.next else tr("setup_note.complete")
        self.write(title, QRectF(text.left(), text.top(), text.width(), line_h), 34, weight=700)
        self._note(tr, fact, QRectF(text.left(), text.top() + line_h, text.width(), line_h))
        count_w = text.width() * 0.3
        last = QRectF(text.left(), text.top() + 2 * line_h, count_w, line_h)
        self.write(tr("page_decks.of", done=fact.done, of=fact.of), last, 28, ink=theme.GOLD, weight=700)
        bar = QRectF(text.left() + count_w, last.center().y() - 7, text.width() - count_w, 14)
        self.draw(partial(draw_progress, box=bar, done=fact.done, of=fact.of))
        self.put_row(
            ["skip", "back", "pause", "cancel"], QRectF(box.left(), keys_top, box.width(), self.key_h)
        )
        for code in ("skip", "back", "pause"):
            self.keys[code].say(tr(f"page_decks.{code}"))
            self.keys[code].setEnabled(self.ready)
        self.keys["cancel"].say(tr("page_decks.cancel"))
        self.keys["cancel"].setEnabled(self.ready)
        if not fact.next:
            self.keys["skip"].setEnabled(False)
            self.put("finish", self.keys["skip"].geometry().toRectF()).say(tr("page_decks.keep"))
            self._placed.discard("skip")

    # -- check -------------------------------------------------------------------------------------------------------------

    def lay_out_check(self, tr: Translator, box: QRectF, fact: SetupFact) -> None:
        """As many backs as cards were read: none is named before the end."""
        gap = self.gap
        keys_top = box.bottom() - self.key_h
        head_h = self.px(60)
        deck = deck_name(tr, fact.deck)
        title = tr("page_decks.checking", deck=deck) if fact.deck else tr("page_decks.checking_any")
        self.write(title, QRectF(box.left(), box.top(), box.width() * 0.66, head_h), 32, weight=700)
        self.write(
            tr("page_decks.of", done=fact.done, of=fact.of or 52),
            QRectF(box.left() + box.width() * 0.66, box.top(), box.width() * 0.34, head_h),
            40,
            ink=theme.GOLD,
            weight=700,
            align=RIGHT,
        )
        help_h = self.px(70)
        said_h = self.px(64)
        grid = QRectF(
            box.left(),
            box.top() + head_h + gap,
            box.width(),
            keys_top - gap * 3 - said_h - help_h - head_h - box.top(),
        )
        self.draw(partial(draw_count, box=grid, done=fact.done, of=fact.of or 52))
        self._note(tr, fact, QRectF(box.left(), grid.bottom() + gap, box.width(), said_h))
        helped = QRectF(box.left(), grid.bottom() + gap + said_h, box.width(), help_h)
        self.write(tr("page_decks.check_help"), helped, 24, ink=theme.QUIET, lines=2)
        self.put_row(["finish", "leave_check"], QRectF(box.left(), keys_top, box.width(), self.key_h))
        self.keys["finish"].say(tr("page_decks.finish"))
        self.keys["finish"].setEnabled(self.ready and bool(fact.of))
        self.keys["leave_check"].say(tr("page_decks.leave_check"))
        self.keys["leave_check"].setEnabled(self.ready)

    def finish_when_all_read(self, fact: SetupFact) -> None:
        """All were read: there is nothing to wait for."""
        whole = fact.what == "check" and fact.of > 0 and fact.done == fact.of
        if whole and not self._finishing and self.isVisible() and self.ready:
            self._finishing = True
            self.command.emit(SetupStep("finish"))
        elif not whole:
            self._finishing = False

    def _note(self, tr: Translator, fact: SetupFact, box: QRectF) -> None:
        """What was last seen; what is wrong stands out by its shape and colour."""
        well = fact.note in _WELL
        params = dict(fact.params)
        if isinstance(params.get("deck"), str):
            params["deck"] = deck_name(tr, str(params["deck"]))
        text = tr.coded("setup_note", fact.note, params) if fact.note else ""
        if not well:
            spot = QPointF(box.left() + box.height() / 2, box.center().y())
            self.draw(partial(_sign, name="diamond", spot=spot, size=box.height() * 0.7))
            box = box.adjusted(box.height() + self.gap, 0, 0, 0)
        ink = theme.QUIET if well else theme.MEDIUM
        self.write(text, box, 28, ink=ink, weight=500 if well else 700, lines=2)

    # -- receipt -----------------------------------------------------------------------------------------------------------

    def lay_out_receipt(self, tr: Translator, box: QRectF, receipt: Receipt) -> None:
        """What a card inspection machine prints, on the screen: the result first."""
        gap = self.gap
        whole = receipt["result"] == "complete"
        head_h = self.px(96)
        head = QRectF(box.left(), box.top(), box.width(), head_h)
        accent, ground, shape = theme.LEVELS["good" if whole else "high"]
        self.panel(head, ground)
        spot = QPointF(head.left() + gap + head_h / 2, head.center().y())
        self.draw(partial(_sign, name=shape, spot=spot, size=head_h * 0.6))
        result = tr(f"page_decks.{receipt['result']}", deck=deck_name(tr, receipt["deck"]))
        said = head.adjusted(head_h + gap * 2, 0, -gap, 0)
        self.write(result, said, 36, ink=accent, weight=700, lines=2)
        rows = [
            ("cards", f"{receipt['read']} / {receipt['of']}"),
            ("foreign", self._foreign(tr, receipt)),
            ("dealer", str(receipt["dealer"])),
            ("time", str(receipt["t_utc"]).replace("T", " ").replace("Z", " UTC")),
            (
                "device",
                " · ".join(str(receipt[key]) for key in ("maker", "model", "firmware") if receipt[key]),
            ),
            ("serial", str(receipt["serial"])),
        ]
        top = head.bottom() + gap
        dead = tuple(receipt["dead"])
        keys_top = box.bottom() - self.key_h
        line_h = (keys_top - gap - top - (self.px(150) if dead else 0)) / (len(rows) + 1)
        title = tr("page_decks.receipt_number", number=receipt["number"])
        self.write(title, QRectF(box.left(), top, box.width(), line_h), 28, weight=700)
        for number, (code, text) in enumerate(rows, 1):
            line = QRectF(box.left(), top + number * line_h, box.width() * 0.3, line_h)
            self.write(tr(f"page_decks.receipt_{code}"), line, 25, ink=theme.QUIET)
            value = QRectF(line.right() + gap, line.top(), box.width() * 0.7 - gap, line_h)
            self.write(text or "–", value, 25, weight=600)
        if dead:
            line = QRectF(box.left(), keys_top - gap - self.px(150), box.width() * 0.3, self.px(150))
            self.write(tr("page_decks.receipt_dead"), line, 25, ink=theme.MEDIUM, weight=600, lines=2)
            height = self.px(140)
            for number, face in enumerate(dead):
                left = line.right() + gap + number * (height * 0.72 + 8)
                card = QRectF(left, line.top(), height * 0.72, height)
                self.draw(partial(draw_face, box=card, face=face))
        self.put("receipt_done", QRectF(box.left(), keys_top, box.width(), self.key_h)).say(
            tr("page_decks.receipt_done")
        )

    def _foreign(self, tr: Translator, receipt: Receipt) -> str:
        parts = [
            tr("page_decks.foreign", count=count, deck=deck_name(tr, deck) or tr("receipt.no_deck"))
            for deck, count in receipt["foreign"].items()
        ]
        return ", ".join(parts)

    # -- both --------------------------------------------------------------------------------------------------------------

    def step(self, code: str, fact: SetupFact) -> bool:
        """A key of a set-up that is going on; whether it was one."""
        kind, _, rest = code.partition("-")
        command: Command | None = None
        if code in ("skip", "back", "pause", "cancel", "finish"):
            command = SetupStep(code)  # type: ignore[arg-type]
        elif code == "leave_check":
            command = SetupStep("cancel")
        elif kind == "face" and rest != fact.next:
            command = SetupStep("face", rest)
        if command is not None:
            self.command.emit(command)
        return command is not None or kind == "face"
