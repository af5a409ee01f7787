"""Opening and closing the table: what to look at before the first hand, what came of the shift, what is still open at its end."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import Command
from dealer_assist.domain.link import Result
from dealer_assist.domain.shift import CloseTable, Matter, OpenTable, ShiftFact, open_matters
from dealer_assist.station import shapes, theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.pages.page import CENTRE, Page
from dealer_assist.station.pages.rows import house_name, moment
from dealer_assist.station.theme import HOLD_MS, Metrics
from dealer_assist.station.wording import drop_name, game_name, refusal

#: What a line of the list shows in front: well, look at it, or only said.
_SIGNS: Final = {
    "well": ("circle", theme.GOOD, "tick"),
    "look": ("diamond", theme.MEDIUM, "!"),
    "said": ("outline", theme.QUIET, ""),
}
Line = tuple[str, str]


def _sign(painter: QPainter, kind: str, spot: QPointF, size: float) -> None:
    name, colour, mark = _SIGNS[kind]
    shapes.draw(painter, name, spot, size, colour, mark)


class ShiftPage(Page):
    """Opened from the table's menu."""

    name = "shift"
    behind_badge = True

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, metrics)
        self.add_key("open", role="go", size=34, shortcut="⏎")
        self.add_key("close_table", role="stop", size=34, shortcut="C", hold_ms=HOLD_MS)

    def answered(self, command: Command, result: Result) -> None:
        """A refusal is said."""
        if isinstance(command, OpenTable | CloseTable) and not result.ok and self.tr_ is not None:
            self.say(refusal(self.tr_, result.code, result.params))

    def on_key(self, code: str) -> None:
        """Open or close, with the tray as it is typed."""
        self.say("")
        tray = int(self.entry) if self.entry else None
        self.command.emit(OpenTable(tray) if code == "open" else CloseTable(tray))
        self.number_used.emit()

    def lay_out(self, tr: Translator, box: QRectF) -> None:
        """Two columns, and the one key."""
        fact, gap = self.state.shift or ShiftFact(), self.gap
        keys_top = box.bottom() - self.key_h
        tray_h = self.px(70)
        body = QRectF(box.left(), box.top(), box.width(), keys_top - gap - tray_h - box.top())
        ever = fact.opened_s > 0
        if ever:
            self._figures(tr, fact, QRectF(body.left(), body.top(), body.width(), body.height() * 0.6))
            body.setTop(body.top() + body.height() * 0.6 + gap)
        if fact.open:
            self._list(
                tr,
                tr("page_shift.still_open"),
                self._matters(tr, open_matters(self.state.facts.values())),
                body,
            )
        elif ever:
            self._list(tr, tr("page_shift.was_open"), self._matters(tr, fact.matters), body)
        else:
            self._list(tr, tr("page_shift.before"), self.checks(tr), body)
        tray = QRectF(box.left(), keys_top - gap / 2 - tray_h, box.width(), tray_h)
        typed = tr("page_shift.tray", amount=int(self.entry)) if self.entry else tr("page_shift.tray_none")
        self.write(typed, tray, 30, ink=theme.GOLD if self.entry else theme.QUIET, weight=700, lines=2)
        code = "close_table" if fact.open else "open"
        key = self.put(code, QRectF(box.left(), keys_top, box.width(), self.key_h))
        key.say(tr(f"page_shift.{code}"))
        key.setEnabled(self.ready and (not fact.open or self.state.between_hands))

    # -- before the first hand ---------------------------------------------------------------------------------------------

    def checks(self, tr: Translator) -> list[Line]:
        """What a dealer looks at before the first hand: house, game, limits, decks, antennas, devices."""
        lines: list[Line] = []
        table = self.state.table
        if table is not None:
            params = {
                "house": house_name(tr, table.house),
                "name": game_name(tr, table.game),
                "limits": f"{tr.number(table.small_blind)}/{tr.number(table.big_blind)}",
            }
            lines.append((tr("page_shift.check_game", params), "said"))
        decks = [deck for deck in self.state.decks if deck.state in ("registered", "in_use")]
        unchecked = sum(not deck.checked_s for deck in decks)
        if not decks:
            lines.append((tr("page_shift.no_decks"), "look"))
        elif unchecked:
            lines.append((tr("page_shift.decks_unchecked", count=unchecked), "look"))
        else:
            lines.append((tr("page_shift.decks_checked", count=len(decks)), "well"))
        old = sum(deck.long_in_use for deck in decks)
        if old:
            lines.append((tr("page_shift.decks_long", count=old), "look"))
        unmeasured = sum(antenna.state in ("unmeasured", "missing") for antenna in self.state.antennas)
        poor = sum(antenna.state == "poor" for antenna in self.state.antennas)
        if unmeasured:
            lines.append((tr("page_shift.antennas_unmeasured", count=unmeasured), "look"))
        elif poor:
            lines.append((tr("page_shift.antennas_poor", count=poor), "look"))
        elif self.state.antennas:
            lines.append((tr("page_shift.antennas_good", count=len(self.state.antennas)), "well"))
        away = sum(device.state not in ("ok", "plain_line") for device in self.state.devices)
        if away:
            lines.append((tr("matter.devices", count=away), "look"))
        elif self.state.devices:
            lines.append((tr("page_shift.devices_well", count=len(self.state.devices)), "well"))
        return lines

    # -- the shift ---------------------------------------------------------------------------------------------------------

    def _figures(self, tr: Translator, fact: ShiftFact, box: QRectF) -> None:
        """When and by whom; hands, alerts, saves, chips."""
        gap = self.gap
        line_h = self.px(52)
        when = tr("page_shift.since", when=moment(tr, fact.opened_s)) if fact.open else ""
        if not fact.open:
            when = tr("page_shift.from_to", when=moment(tr, fact.opened_s), until=moment(tr, fact.closed_s))
        by = tr(f"page_shift.by_{fact.by}") if fact.by in ("floor", "dealer", "simulated") else ""
        if not by:
            by = tr("page_shift.by_number", dealer=fact.by) if fact.by else tr("page_shift.by_hand")
        self.write(f"{when} · {by}", QRectF(box.left(), box.top(), box.width(), line_h), 28, weight=600)
        tiles = [
            ("hands", tr.number(fact.hands), theme.TEXT),
            ("off", tr.number(fact.off), theme.TEXT),
            ("stops", tr.number(fact.stops), theme.TEXT),
            ("questions", tr.number(fact.questions), theme.TEXT),
            ("saves_told", tr.number(fact.saves.told), theme.GOOD),
            ("saves_own", tr.number(fact.saves.own), theme.GOOD),
            ("misread", tr.number(fact.saves.misread), theme.MEDIUM if fact.saves.misread else theme.TEXT),
            ("rake", tr.number(fact.rake + sum(amount for _, amount in fact.drops)), theme.GOLD),
        ]
        if self.state.tracking == "cards":
            tiles = tiles[:-1]
        across = 4
        rows = -(-len(tiles) // across)
        top = box.top() + line_h + gap / 2
        chips_h = self.px(70)
        height = (box.bottom() - chips_h - top - gap * rows) / rows
        width = (box.width() - gap * (across - 1)) / across
        for number, (code, text, ink) in enumerate(tiles):
            left = box.left() + (number % across) * (width + gap)
            tile = QRectF(left, top + (number // across) * (height + gap), width, height)
            self.panel(tile, theme.WELL)
            upper = QRectF(tile.left(), tile.top() + 2, tile.width(), tile.height() * 0.56)
            self.write(text, upper, 46, ink=ink, weight=700, align=CENTRE)
            lower = QRectF(tile.left() + 6, upper.bottom() - 4, tile.width() - 12, tile.height() * 0.4)
            self.write(tr(f"page_shift.{code}"), lower, 23, ink=theme.QUIET, align=CENTRE, lines=2)
        chips = QRectF(box.left(), box.bottom() - chips_h, box.width(), chips_h)
        self.write(self._chips(tr, fact), chips, 24, ink=theme.QUIET, lines=2)

    def _chips(self, tr: Translator, fact: ShiftFact) -> str:
        """What the tray held, and what was taken of the pots, each by its name."""
        parts = []
        if fact.tray is not None:
            parts.append(tr("page_shift.tray_open", amount=fact.tray))
        if fact.tray_closed is not None:
            parts.append(tr("page_shift.tray_closed", amount=fact.tray_closed))
        if fact.drops:
            parts.append(f"{tr('ui.rake')} {tr.number(fact.rake)}")
            parts += [f"{drop_name(tr, name)} {tr.number(amount)}" for name, amount in fact.drops]
        if fact.time:
            parts.append(tr("page_shift.time", amount=fact.time))
        return " · ".join(parts)

    def _matters(self, tr: Translator, matters: tuple[Matter, ...]) -> list[Line]:
        lines = [(tr(f"matter.{matter.code}", matter.params), "look") for matter in matters]
        return lines or [(tr("page_shift.nothing_open"), "well")]

    def _list(self, tr: Translator, title: str, lines: list[Line], box: QRectF) -> None:
        """Lines with a sign each, in two columns where one is too short."""
        head_h = self.px(50)
        self.write(title, QRectF(box.left(), box.top(), box.width(), head_h), 28, weight=700)
        room = box.height() - head_h
        columns = 1 if len(lines) * self.px(64) <= room else 2
        rows = max(1, -(-len(lines) // columns))
        height = min(self.px(72), room / rows)
        width = (box.width() - self.gap * (columns - 1)) / columns
        for number, (text, kind) in enumerate(lines):
            left = box.left() + (number // rows) * (width + self.gap)
            top = box.top() + head_h + (number % rows) * height
            size = min(height * 0.6, self.px(40))
            spot = QPointF(left + size * 0.6, top + height / 2)
            self.draw(partial(_sign, kind=kind, spot=spot, size=size))
            said = QRectF(left + size * 1.5, top, width - size * 1.5, height)
            self.write(text, said, 27, weight=600 if kind == "look" else 500, lines=2)
