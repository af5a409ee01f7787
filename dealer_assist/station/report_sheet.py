"""The report sheet: what no reader sees and only the dealer can say."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import Report
from dealer_assist.station import theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.sheet import Row, Sheet, padded
from dealer_assist.station.theme import Metrics


class ReportSheet(Sheet):
    """Exposed card (seat, by whom), early card, misdeal (held), and the way to entering a card by hand."""

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, "report", metrics)
        self._by_player = False
        self.wants_card = False
        for code in ("by_dealer", "by_player", "early_card", "enter_card"):
            self.add_key(code)
        self.add_key("misdeal", role="stop", size=30, hold_ms=theme.HOLD_MS)
        for seat in range(1, 12):
            self.add_key(f"exposed-{seat}", role="amber", size=30)

    def open_sheet(self) -> None:
        """A fault is the dealer's unless he says otherwise."""
        self._by_player = False
        self.wants_card = False
        super().open_sheet()

    def rows(self, tr: Translator, columns: int) -> list[Row]:
        """Labels and keys from the top."""
        self.title = tr("sheet.report")
        seats = [fact.seat for fact in self.state.seats if fact.hand not in ("none", "folded", "mucked")]
        keys = self.keys
        keys["by_dealer"].say(tr("sheet.by_dealer"))
        keys["by_player"].say(tr("sheet.by_player"))
        keys["by_dealer"].set_role("plain" if self._by_player else "chosen")
        keys["by_player"].set_role("chosen" if self._by_player else "plain")
        for seat in seats:
            keys[f"exposed-{seat}"].say(str(seat), name=f"{tr('sheet.exposed')}: {tr('ui.seat', seat=seat)}")
        keys["early_card"].say(tr("sheet.early_card"))
        keys["enter_card"].say(tr("sheet.enter_card"))
        keys["misdeal"].say(tr("sheet.misdeal"), tr("sheet.misdeal_more"))
        for key in keys.values():
            key.setEnabled(self.ready or key.code == "close")
        rows: list[Row] = []
        if seats:
            rows.append((f"{tr('sheet.exposed')}. {tr('sheet.exposed_more')}", 24))
            rows.append([keys["by_dealer"], keys["by_player"]])
            rows.extend(padded([keys[f"exposed-{seat}"] for seat in seats], columns))
        rows.append((tr("sheet.early_card_more"), 24))
        rows.append([keys["early_card"], keys["enter_card"]])
        rows.append([keys["misdeal"]])
        return rows

    def on_key(self, code: str) -> None:
        """Send the report and close, or change who turned the card up."""
        if code in ("by_dealer", "by_player"):
            self._by_player = code == "by_player"
            self.arrange()
            return
        if code == "enter_card":
            self.wants_card = True
        elif code.startswith("exposed-"):
            seat = int(code.removeprefix("exposed-"))
            self.command.emit(Report("exposed", seat, "player" if self._by_player else "dealer"))
        elif code == "early_card":
            self.command.emit(Report("early_card"))
        elif code == "misdeal":
            self.command.emit(Report("misdeal"))
        self.close_sheet()
