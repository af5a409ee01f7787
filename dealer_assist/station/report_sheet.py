"""The report sheet: what no reader sees and only a person can say. The common ones big; behind "More…" every row of the catalogue."""

from __future__ import annotations

from typing import Final, Literal

from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import Report
from dealer_assist.domain.zones import SEATS
from dealer_assist.station import theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.keys import Key
from dealer_assist.station.reportable import FAMILIES, seat_need
from dealer_assist.station.sheet import Row, Sheet, padded
from dealer_assist.station.theme import Metrics

Page = Literal["main", "exposed", "seat", "rows"]
_ROWS: Final = tuple(row for rows in FAMILIES.values() for row in rows)
_PAGES: Final = ("exposed", "irregular", "more", "back", "next_page", "no_seat")
#: keys of the first page that report at once
_SENT: Final = ("early_card", "boxed", "chop")


class ReportSheet(Sheet):
    """A page of common reports; one for the seat where a report is about one; and the catalogue by family, one tap a row."""

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, "report", metrics)
        self._by_player = False
        self._page: Page = "main"
        self._family = "deal"
        self._part = 0
        self._parts = 1
        self._row = ""
        self.wants_card = False
        for code in ("by_dealer", "by_player", *_PAGES, *_SENT, "dead_hand", "enter_card"):
            self.add_key(code, size=28 if code in (*_SENT, "exposed", "dead_hand", "irregular") else 26)
        self.add_key("misdeal", role="stop", size=30, hold_ms=theme.HOLD_MS)
        for seat in SEATS:
            self.add_key(f"exposed-{seat}", role="amber", size=30)
            self.add_key(f"seat-{seat}", role="amber", size=30)
        for family in FAMILIES:
            self.add_key(f"family-{family}", size=24)
        for row in _ROWS:
            self.add_key(f"row-{row}", size=22)

    def open_sheet(self) -> None:
        """A fault is the dealer's unless he says otherwise."""
        self._by_player = False
        self._page = "main"
        self.wants_card = False
        super().open_sheet()

    def open_actions(self) -> None:
        """Open at the rows about actions."""
        self.open_sheet()
        self._turn("irregular")

    # -- pages -------------------------------------------------------------------------------------------------------------

    def rows(self, tr: Translator, columns: int) -> list[Row]:
        """Labels and keys from the top."""
        for key in self.keys.values():
            key.setEnabled(self.ready or key.code in ("close", "back", "more", "next_page"))
        for code in (
            "back",
            "irregular",
            "more",
            "dead_hand",
            "boxed",
            "chop",
            "early_card",
            "enter_card",
        ):
            self.keys[code].say(tr(f"sheet.{code}"))
        match self._page:
            case "exposed":
                self.title = tr("sheet.exposed")
                return [*self._exposed(tr, columns), [self.keys["back"]]]
            case "seat":
                return self._seat_rows(tr, columns)
            case "rows":
                return self._catalogue(tr, columns)
            case _:
                return self._main(tr, columns)

    def _main(self, tr: Translator, columns: int) -> list[Row]:
        self.title = tr("sheet.report")
        keys = self.keys
        keys["exposed"].say(tr("sheet.exposed"))
        keys["misdeal"].say(tr("sheet.misdeal"), tr("sheet.misdeal_more"))
        common = ["early_card", "boxed", "dead_hand", "irregular", "chop", "enter_card"]
        rows: list[Row] = []
        if self.state.phase == "deal" and self._holding():
            rows += self._exposed(tr, columns)
            rows.append((tr("sheet.early_card_more"), 24))
        else:
            common.insert(0, "exposed")
        common.append("more")
        rows += padded([keys[code] for code in common], 3 if len(rows) else 2)
        rows.append([keys["misdeal"]])
        return rows

    def _holding(self) -> list[int]:
        return [fact.seat for fact in self.state.seats if fact.hand not in ("none", "folded", "mucked")]

    def _exposed(self, tr: Translator, columns: int) -> list[Row]:
        keys, seats = self.keys, self._holding()
        keys["by_dealer"].say(tr("sheet.by_dealer"))
        keys["by_player"].say(tr("sheet.by_player"))
        keys["by_dealer"].set_role("plain" if self._by_player else "chosen")
        keys["by_player"].set_role("chosen" if self._by_player else "plain")
        for seat in seats:
            keys[f"exposed-{seat}"].say(str(seat), name=f"{tr('sheet.exposed')}: {tr('ui.seat', seat=seat)}")
        label = f"{tr('sheet.exposed')}. {tr('sheet.exposed_more')}"
        return [
            (label, 24),
            [keys["by_dealer"], keys["by_player"]],
            *padded([keys[f"exposed-{seat}"] for seat in seats], columns),
        ]

    def _seat_rows(self, tr: Translator, columns: int) -> list[Row]:
        """Which seat a report is about."""
        named = self._row in _ROWS
        self.title = tr(f"rule.{self._row}.title") if named else tr(f"sheet.{self._row}")
        own = f"sheet.which_seat_{self._row}"
        asked = tr(own if tr.has(own) else "sheet.which_seat")
        seats = [fact.seat for fact in self.state.seats if fact.status != "empty"]
        if self._row == "dead_hand":
            seats = self._holding() or seats
        keys = []
        for seat in seats:
            key = self.keys[f"seat-{seat}"]
            key.say(str(seat), name=f"{self.title}: {tr('ui.seat', seat=seat)}")
            keys.append(key)
        rows: list[Row] = [(asked, 28), *padded(keys, columns)]
        last = [self.keys["back"]]
        if seat_need(self._row) == "optional":
            self.keys["no_seat"].say(tr("sheet.no_seat"))
            last.append(self.keys["no_seat"])
        return [*rows, last]

    def _catalogue(self, tr: Translator, columns: int) -> list[Row]:
        """A family's rows, as many as fit; the rest a key further."""
        self.title = tr("sheet.report")
        tabs = []
        for family in FAMILIES:
            tab = self.keys[f"family-{family}"]
            tab.say(tr(f"sheet.family_{family}"))
            tab.set_role("chosen" if family == self._family else "outline")
            tabs.append(tab)
        tab_rows = padded(tabs, 5 if columns > 5 else 3)
        across = 3 if columns > 5 else 2
        gap = self._metrics.gap
        line = max(56, self._metrics.px(72)) + gap
        free = (
            (self.room or self.height())
            - 2 * (self._metrics.margin + 4)
            - max(56, self._metrics.px(72))
            - gap
        )
        lines = max(1, int(free // line) - len(tab_rows) - 1)
        rows = FAMILIES[self._family]
        self._parts = -(-len(rows) // (lines * across))
        self._part %= self._parts
        each = -(-len(rows) // self._parts)
        keys: list[Key] = []
        for row in rows[self._part * each : (self._part + 1) * each]:
            key = self.keys[f"row-{row}"]
            key.say(f"{row} {tr(f'rule.{row}.title')}")
            keys.append(key)
        last = [self.keys["back"]]
        if self._parts > 1:
            self.keys["next_page"].say(tr("sheet.next_page", page=self._part + 1, pages=self._parts))
            last.append(self.keys["next_page"])
        return [*tab_rows, *[keys[i : i + across] for i in range(0, len(keys), across)], last]

    # -- taps --------------------------------------------------------------------------------------------------------------

    def on_key(self, code: str) -> None:
        """Turn a page, or send the report and close."""
        kind, _, rest = code.partition("-")
        if code in ("by_dealer", "by_player"):
            self._by_player = code == "by_player"
            self.arrange()
        elif code in ("exposed", "more", "irregular", "back"):
            self._turn(code)
        elif kind == "family":
            self._family, self._part = rest, 0
            self.arrange()
        elif code == "next_page":
            self._part += 1
            self.arrange()
        elif kind == "row" or code == "dead_hand":
            self._report(rest or code)
        else:
            self._finish(code, kind, rest)

    def _turn(self, code: str) -> None:
        if code == "back":
            self._page = "rows" if self._page == "seat" and self._row in _ROWS else "main"
        else:
            self._page = "exposed" if code == "exposed" else "rows"
            self._family = "action" if code == "irregular" else self._family_now()
            self._part = 0
        self.arrange()

    def _family_now(self) -> str:
        """Where the hand is, is where the trouble most often is."""
        if self.state.phase in ("showdown", "award", "closed"):
            return "showdown"
        hand = self.state.hand
        return "board" if hand is not None and hand.street not in ("", "preflop") else "deal"

    def _report(self, row: str) -> None:
        if seat_need(row) == "none":
            self.command.emit(Report(row))
            self.close_sheet()
            return
        self._row, self._page = row, "seat"
        self.arrange()

    def _finish(self, code: str, kind: str, rest: str) -> None:
        if code == "enter_card":
            self.wants_card = True
        elif kind == "exposed":
            self.command.emit(Report("exposed", int(rest), "player" if self._by_player else "dealer"))
        elif kind == "seat":
            self.command.emit(Report(self._row, int(rest)))
        elif code == "no_seat":
            self.command.emit(Report(self._row))
        elif code in (*_SENT, "misdeal"):
            self.command.emit(Report(code))
        self.close_sheet()
