"""The sheets of the window: which one is open, what opens it, and whose number the keypad types."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from dealer_assist.station.card_entry import CardEntry
from dealer_assist.station.game_sheet import GameSheet
from dealer_assist.station.i18n import Translator
from dealer_assist.station.irregular_sheet import IrregularSheet
from dealer_assist.station.push_sheet import PushSheet
from dealer_assist.station.report_sheet import ReportSheet
from dealer_assist.station.seat_sheet import SeatSheet
from dealer_assist.station.sheet import Sheet
from dealer_assist.station.table_sheet import TableSheet
from dealer_assist.station.theme import Metrics
from dealer_assist.station.viewmodel import ViewState

if TYPE_CHECKING:
    from dealer_assist.domain.commands import Command
    from dealer_assist.station.audio import Audio
    from dealer_assist.station.header import Header
    from dealer_assist.station.now_line import NowLine
    from dealer_assist.station.pad import Pad
    from dealer_assist.station.pages.host import Pages
    from dealer_assist.station.scene.view import TableView


class SheetsOfWindow(QWidget):
    """The part of the station's window that has to do with sheets (see :class:`~dealer_assist.station.window.StationWindow`)."""

    tr_: Translator
    state: ViewState
    pad: Pad
    pages: Pages
    header: Header
    table: TableView
    now_line: NowLine
    audio: Audio

    if TYPE_CHECKING:

        def command(self, command: Command) -> None:
            """Send what was tapped."""

    def make_sheets(self, metrics: Metrics) -> None:
        """Make them, all hidden."""
        self.report_sheet = ReportSheet(self, metrics)
        self.card_sheet = CardEntry(self, metrics)
        self.seat_sheet = SeatSheet(self, metrics)
        self.push_sheet = PushSheet(self, metrics)
        self.game_sheet = GameSheet(self, metrics)
        self.table_sheet = TableSheet(self, metrics)
        self.irregular_sheet = IrregularSheet(self, metrics)

    def wire_sheets(self) -> None:
        """What opens them, and where their commands and numbers go."""
        for sheet in self.sheets:
            sheet.command.connect(self.command)
            sheet.number_wanted.connect(self._lend)
            sheet.number_used.connect(self.pad.clear_lent)
        self.header.table_wanted.connect(self._on_table)
        self.pad.report_wanted.connect(partial(self._on_toggle, self.report_sheet))
        self.pad.cards_wanted.connect(self._on_cards_wanted)
        self.pad.irregular_wanted.connect(self._on_irregular)
        self.pad.entry_changed.connect(self._on_number)
        self.pad.ahead_changed.connect(self._on_ahead)
        self.pad.games_wanted.connect(partial(self._on_toggle, self.game_sheet))
        self.pad.push_wanted.connect(partial(self._on_toggle, self.push_sheet))
        self.pages.changed.connect(self._lend)
        self.pages.number_used.connect(self.pad.clear_lent)
        self.table_sheet.page_wanted.connect(self.pages.open_page)
        self.table_sheet.loudness_wanted.connect(self._on_loudness)
        self.table.seat_tapped.connect(self._on_seat)
        self.table.board_tapped.connect(self._on_board)
        self.report_sheet.closed.connect(self._on_report_closed)
        self.seat_sheet.closed.connect(self._on_seat_closed)
        self.irregular_sheet.closed.connect(self._on_irregular_closed)

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """The sheets, of which at most one is open."""
        return (
            self.report_sheet,
            self.card_sheet,
            self.seat_sheet,
            self.push_sheet,
            self.game_sheet,
            self.table_sheet,
            self.irregular_sheet,
        )

    @property
    def open_sheet(self) -> Sheet | None:
        """The sheet that is open."""
        return next((sheet for sheet in self.sheets if not sheet.isHidden()), None)

    def _open(self, sheet: Sheet) -> None:
        for other in self.sheets:
            if other is not sheet:
                other.hide()
        if sheet is not self.seat_sheet:
            self.pad.choose(None)
        sheet.show_state(self.tr_, self.state, ready=self.state.link == "ready")

    def _on_toggle(self, sheet: Sheet) -> None:
        """A key of the pad opens its sheet, and closes it again."""
        if not sheet.isHidden():
            sheet.close_sheet()
            return
        self._open(sheet)
        sheet.open_sheet()

    def _on_report_closed(self) -> None:
        if self.report_sheet.wants_card:
            self._on_board()

    def _on_table(self) -> None:
        """The head line's key opens the table's own sheet, and closes it again."""
        if not self.table_sheet.isHidden():
            self.table_sheet.close_sheet()
            return
        self._open(self.table_sheet)
        self.table_sheet.loudness = self.audio.loudness
        self.table_sheet.open_for(self.pages.names)

    def _on_loudness(self, loudness: int) -> None:
        self.audio.set_loudness(loudness)
        self.table_sheet.loudness = self.audio.loudness
        self.table_sheet.arrange()

    def _on_irregular(self) -> None:
        """The pad's key opens the sheet for the seat in turn, and closes it again."""
        if not self.irregular_sheet.isHidden():
            self.irregular_sheet.close_sheet()
            return
        self._open(self.irregular_sheet)
        self.irregular_sheet.open_for(self.state.pad.seat)

    def _on_irregular_closed(self) -> None:
        if self.irregular_sheet.wants_rows:
            self._open(self.report_sheet)
            self.report_sheet.open_actions()
        elif self.irregular_sheet.corrects is not None:
            self._open(self.seat_sheet)
            self.seat_sheet.open_for(self.irregular_sheet.corrects, ruled=True)

    def _on_seat(self, seat: int) -> None:
        """A tap on a seat opens its sheet; by exception the pad is that seat's, to enter it ahead of its turn."""
        self._open(self.seat_sheet)
        self.seat_sheet.open_for(seat)
        self.pad.choose(seat)

    def _on_ahead(self) -> None:
        self.now_line.show_state(self.tr_, self.state, ahead=self.pad.ahead)

    def _lend(self) -> None:
        """The keypad is for the sheet or the page that wants a number, or for the action; a PIN is not typed where it is seen."""
        sheet, page = self.open_sheet, self.pages.open
        owner = sheet or page
        barred = sheet is None and page is not None and page.keeps_digits
        self.pad.lend(owner.number_for if owner is not None else "", barred=barred)

    def _on_number(self, entry: str) -> None:
        """What is typed goes to who has borrowed the keypad."""
        sheet = self.open_sheet
        if sheet is not None:
            sheet.set_entry(entry)
        else:
            self.pages.set_entry(entry)

    def _on_seat_closed(self) -> None:
        self.pad.choose(None)
        if self.seat_sheet.wants_card:
            self._on_cards_wanted(self.seat_sheet.seat)

    def _on_board(self) -> None:
        self._open(self.card_sheet)
        self.card_sheet.open_for(None)

    def _on_cards_wanted(self, seat: int) -> None:
        self._open(self.card_sheet)
        self.card_sheet.open_for(seat)
