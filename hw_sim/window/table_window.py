"""The window of a table dealt by hand: the cards, a deal at the usual pace, and the devices with their cables."""

from __future__ import annotations

import random
from typing import Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeySequence, QPainter, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QGraphicsView,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from hw_sim import steps as st
from hw_sim.badges import KNOWN
from hw_sim.cards import FACES
from hw_sim.live import LiveWorld
from hw_sim.physics import Movement
from hw_sim.window.model import BOARD, HandTable
from hw_sim.window.players import Players
from hw_sim.window.scene import TableScene

#: How often the devices get their turn, in real ms.
TURN_MS: Final = 2
#: A pitch takes so long, in virtual ms (the usual pace of a dealer).
PITCH_MS: Final = (450, 800)
_STYLE: Final = """
QWidget { background: #20242b; color: #eef3f9; font-family: Inter, "Noto Sans", sans-serif; font-size: 15px; }
QPushButton { background: #37404d; border: 0; border-radius: 6px; padding: 9px 12px; }
QPushButton:hover { background: #45505f; }
QPushButton:disabled { color: #8b97a6; }
QLabel#stripe { background: #ffb020; color: #14181f; font-weight: 700; padding: 5px; }
QLabel#heading { color: #aebccd; padding-top: 10px; }
"""
_SHUFFLER: Final = {"Jam": "jam", "Door open": "door_open", "Not ready": "idle"}


class TableWindow(QWidget):
    """What a hand does here, the antennas of ``world`` see. ``button``: the seat with the dealer button at first."""

    def __init__(
        self, world: LiveWorld, table: HandTable, *, seed: int, button: int, players: Players | None = None
    ) -> None:
        super().__init__()
        self.world = world
        self.table = table
        self._players = players
        self._rng = random.Random(f"pitch/{seed}")
        self._devices: dict[str, tuple[QLabel, QPushButton]] = {}
        self.held = False
        self.setWindowTitle("Simulated table: deal by hand")
        self.setStyleSheet(_STYLE)
        self.scene = TableScene(table, lift=self._lift, lay=self._lay, turn=table.turn)
        self.scene.set_button(button)
        self.view = QGraphicsView(self.scene)
        self.view.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.view.setFrameShape(QGraphicsView.Shape.NoFrame)
        self.view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setAccessibleName("The table: drag cards, double click turns one over")
        side = QVBoxLayout()
        side.setSpacing(8)
        side.setContentsMargins(4, 4, 14, 14)
        self.keys: dict[str, QPushButton] = {}
        self._add_deal(side, button)
        self._add_shuffler(side)
        self._add_badges(side)
        self._add_devices(side)
        side.addStretch(1)
        help_line = QLabel(
            "Drag a card. Double click turns it over.\nClick on a seat's felt: nobody sits there.\n"
            "Readers never see which way a card faces."
        )
        help_line.setWordWrap(True)
        side.addWidget(help_line)
        stripe = self.stripe = QLabel("SIMULATED HARDWARE")
        stripe.setObjectName("stripe")
        stripe.setAlignment(Qt.AlignmentFlag.AlignCenter)
        stripe.setWordWrap(True)
        columns = QHBoxLayout()
        columns.addWidget(self.view, 1)
        columns.addLayout(side)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(stripe)
        whole.addLayout(columns, 1)
        self._turns = QTimer(self)
        self._turns.timeout.connect(self._turn)
        self._turns.start(TURN_MS)
        self._pitches = QTimer(self)
        self._pitches.setSingleShot(True)
        self._pitches.timeout.connect(self._pitch_next)
        self._each = 0

    # -- what is on the side -----------------------------------------------------------------------------------------------------------

    def _key(self, name: str, word: str, shortcut: str, does: object) -> QPushButton:
        key = QPushButton(f"{word}  ({shortcut})" if shortcut else word)
        key.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        key.clicked.connect(does)
        if shortcut:
            QShortcut(QKeySequence(shortcut), self).activated.connect(key.click)
        self.keys[name] = key
        return key

    def _add_deal(self, side: QVBoxLayout, button: int) -> None:
        side.addWidget(_heading("Cards"))
        spot = QHBoxLayout()
        spot.addWidget(QLabel("Button at seat"))
        self.button_seat = QSpinBox()
        self.button_seat.setRange(min(self.table.seats), max(self.table.seats))
        self.button_seat.setValue(button)
        self.button_seat.valueChanged.connect(self.scene.set_button)
        spot.addWidget(self.button_seat)
        spot.addWidget(QLabel("cards each"))
        self.cards_each = QSpinBox()
        self.cards_each.setRange(1, 4)
        self.cards_each.setValue(2)
        spot.addWidget(self.cards_each)
        side.addLayout(spot)
        grid = QGridLayout()
        grid.addWidget(self._key("shuffle", "Gather and shuffle", "S", self._shuffle), 0, 0, 1, 2)
        grid.addWidget(self._key("deal", "Deal", "D", self._deal), 1, 0)
        grid.addWidget(self._key("pause", "Stop dealing", "Esc", self._stop_deal), 1, 1)
        grid.addWidget(self._key("burn", "Burn", "B", lambda: self._pitch("burn")), 2, 0)
        grid.addWidget(self._key("board", "Board card", "N", lambda: self._pitch(BOARD)), 2, 1)
        side.addLayout(grid)

    def _add_shuffler(self, side: QVBoxLayout) -> None:
        if self.world.shuffling is None:
            return
        side.addWidget(_heading("Shuffler"))
        grid = QGridLayout()
        for index, (word, state) in enumerate(_SHUFFLER.items()):
            key = self._key(
                f"shuffler-{state}",
                word,
                "",
                lambda _=False, state=state: self._says(st.ShufflerState(state)),
            )
            grid.addWidget(key, index // 2, index % 2)
        short = self._key(
            "shuffler-short", "One card short", "", lambda: self._says(st.ShufflerVerdict(len(FACES) - 1))
        )
        grid.addWidget(short, 1, 1)
        side.addLayout(grid)

    def _add_badges(self, side: QVBoxLayout) -> None:
        """Badges to show to the table, and one to leave lying there."""
        if self.world.badges is None:
            return
        side.addWidget(_heading("Badges: show to the reader"))
        grid = QGridLayout()
        for column, name in enumerate(KNOWN):
            key = self._key(
                f"badge-{name}", name.capitalize(), "", lambda _=False, name=name: self._tap(name)
            )
            grid.addWidget(key, 0, column)
        stays = self._key("badge-stays", "", "", self._badge_stays)
        grid.addWidget(stays, 1, 0, 1, len(KNOWN))
        side.addLayout(grid)
        self._show_badge()

    def _add_devices(self, side: QVBoxLayout) -> None:
        side.addWidget(_heading("Devices"))
        grid = QGridLayout()
        for row, serial in enumerate(self.world.status()["devices"]):
            name = QLabel(serial)
            plug = self._key(f"plug-{serial}", "", "", lambda _=False, serial=serial: self._plug(serial))
            grid.addWidget(name, 2 * row, 0, 1, 3)
            grid.addWidget(plug, 2 * row + 1, 0)
            for column, (fault, word) in enumerate((("reboot", "Restart"), ("garbage", "Noise")), start=1):
                key = self._key(
                    f"{fault}-{serial}",
                    word,
                    "",
                    lambda _=False, fault=fault, serial=serial: self.world.inject(fault, serial, 200),
                )
                grid.addWidget(key, 2 * row + 1, column)
            self._devices[serial] = (name, plug)
        side.addLayout(grid)
        self._show_devices()

    def hold(self, on: bool) -> None:
        """While it is held somebody else deals: nobody can take a card, and ``world`` gets its turns elsewhere."""
        self.held = on
        self.view.setEnabled(not on)
        for key in self.keys.values():
            key.setEnabled(not on)

    # -- what a hand does --------------------------------------------------------------------------------------------------------------

    def _moved(self, movements: list[Movement]) -> None:
        self.world.moves(movements)

    def _lift(self, card: str) -> None:
        self._moved(self.table.lift(card, self.world.now_ms()))

    def _lay(self, place: str | None) -> None:
        now_ms = self.world.now_ms()
        self._moved(self.table.lay(place, now_ms) if place is not None else self.table.lay_back(now_ms))

    def _pitch(self, place: str) -> None:
        self._moved(self.table.pitch(place, self.world.now_ms()))
        self.scene.show_cards()

    def _shuffle(self) -> None:
        """All cards together; the shuffler says that the deck is complete and ready."""
        self._stop_deal()
        self._moved(self.table.gather(self.world.now_ms()))
        self.scene.show_cards()
        self._says(st.ShufflerState("ready"))
        self._says(st.ShufflerVerdict(len(FACES)))

    def _deal(self) -> None:
        self._each = self.cards_each.value()
        self._pitch_next()

    def _stop_deal(self) -> None:
        self._pitches.stop()

    def _pitch_next(self) -> None:
        seat = self.table.next_seat(self.scene.button, self._each)
        if seat is None or self.table.top() is None:
            return
        self._pitch(f"seat{seat}")
        if self.table.next_seat(self.scene.button, self._each) is None:
            return  # what is taken from a seat later is not dealt again
        self._pitches.start(round(self._rng.randint(*PITCH_MS) / self.world.speed))

    # -- devices -----------------------------------------------------------------------------------------------------------------------

    def _says(self, says: st.Says) -> None:
        self.world.shuffler_says(says, len(FACES))

    def _tap(self, name: str) -> None:
        self.world.show_badge({"do": "tap_badge", "badge": name})

    def _badge_stays(self) -> None:
        """The floor lays his badge down, or takes it away."""
        assert self.world.badges is not None
        self.world.badges.lay("" if self.world.badges.lies else KNOWN[-1])
        self._show_badge()

    def _show_badge(self) -> None:
        if self.world.badges is not None:
            lies = self.world.badges.lies
            self.keys["badge-stays"].setText(
                f"Take badge away: {lies}" if lies else "Floor: leave it lying there"
            )

    def _plug(self, serial: str) -> None:
        plugged = self.world.status()["devices"][serial]["plugged"]
        self.world.inject("unplug" if plugged else "plug", serial)
        self._show_devices()

    def _show_devices(self) -> None:
        for serial, state in self.world.status()["devices"].items():
            name, plug = self._devices[serial]
            says = (
                "unplugged"
                if not state["plugged"]
                else "connected"
                if state["hosts"]
                else "waits for a table"
            )
            name.setText(f"{serial}: {says}")
            plug.setText("Unplug" if state["plugged"] else "Plug in")

    def _turn(self) -> None:
        if self.held:
            return
        self.world.turn()
        if self._players is not None:
            self._players.pump()
            button = self._players.button()
            if button is not None and button != self.scene.button:
                self.button_seat.setValue(button)
        self._show_devices()
        self._show_badge()
        if self.world.control.quitting:
            self.close()

    # -- Qt ----------------------------------------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """The whole table in view."""
        super().showEvent(event)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The whole table in view."""
        super().resizeEvent(event)
        self._fit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Nothing is dealt and nothing is said any more."""
        self._pitches.stop()
        self._turns.stop()
        super().closeEvent(event)

    def _fit(self) -> None:
        self.view.fitInView(self.scene.sceneRect(), Qt.AspectRatioMode.KeepAspectRatio)


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName("heading")
    return label
