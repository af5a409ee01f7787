"""The next hand by another game of the table: a bomb pot is one key."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dealer_assist.domain.commands import OpenHand
from dealer_assist.station.i18n import Translator
from dealer_assist.station.sheet import Row, Sheet
from dealer_assist.station.theme import Metrics
from dealer_assist.station.viewmodel import ViewState
from dealer_assist.station.wording import game_name

#: more games than this at one table are not offered
MAX_GAMES = 8


class GameSheet(Sheet):
    """Opened where the table has more games than the pad has room for."""

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, "games", metrics)
        for index in range(MAX_GAMES):
            self.add_key(f"game-{index}", size=30)

    def show_state(self, tr: Translator, state: ViewState, *, ready: bool) -> None:
        """Go away when the hand has begun."""
        super().show_state(tr, state, ready=ready)
        if not self.isHidden() and not state.pad.can_open:
            self.close_sheet()

    def rows(self, tr: Translator, columns: int) -> list[Row]:
        """A key a game, two in a row."""
        self.title = tr("sheet.games")
        keys = []
        for index, game in enumerate(self.state.other_games[:MAX_GAMES]):
            key = self.keys[f"game-{index}"]
            key.say(game_name(tr, game))
            key.setEnabled(self.ready and self.state.pad.can_open)
            keys.append(key)
        return [(tr("sheet.games_more"), 24), *[keys[i : i + 2] for i in range(0, len(keys), 2)]]

    def on_key(self, code: str) -> None:
        """Open the hand and close."""
        kind, _, rest = code.partition("-")
        games = self.state.other_games
        if kind == "game" and int(rest) < len(games):
            self.command.emit(OpenHand(game=games[int(rest)]))
        self.close_sheet()
