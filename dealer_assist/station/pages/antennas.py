"""What calibration and diagnostics share: the picture of the table with a key for each antenna."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QWidget

from dealer_assist.station.i18n import Translator
from dealer_assist.station.pages.page import Page
from dealer_assist.station.pages.table_picture import (
    AntennaKey,
    Spot,
    SpotKey,
    draw_felt,
    keyed,
    lay_out,
    spot_title,
)
from dealer_assist.station.theme import Metrics


class AntennaPage(Page):
    """Base of both. Keys are made for the antennas as they become known."""

    def __init__(self, parent: QWidget, metrics: Metrics) -> None:
        super().__init__(parent, metrics)
        self.spots: dict[AntennaKey, Spot] = {}

    def lay_out_picture(self, tr: Translator, box: QRectF) -> None:
        """Draw the felt, and place the antennas; :meth:`show_spot` says what each shows."""
        self.draw(
            partial(
                draw_felt,
                box=box.adjusted(box.width() * 0.03, self.px(34), -box.width() * 0.03, -self.px(34)),
            )
        )
        plate = (
            min(self.px(176), box.width() / 7.2),
            max(56.0, self.px(72), min(self.px(84), box.height() / 7.5)),
        )
        self.spots = {spot.key: spot for spot in lay_out(box, keyed(self.state.antennas), plate)}
        for spot in self.spots.values():
            code = self.code_of(spot.key)
            if code not in self.keys:
                key = SpotKey(self, code, px=self._metrics.text_px(24))
                key.chosen.connect(self._on_key)
                self.keys[code], self._sizes[code] = key, 24
            shown = self.put(code, spot.box)
            assert isinstance(shown, SpotKey)
            self.show_spot(tr, spot, shown, spot_title(tr, spot))

    def show_spot(self, tr: Translator, spot: Spot, key: SpotKey, title: str) -> None:
        """Say what an antenna shows."""
        raise NotImplementedError

    @staticmethod
    def code_of(key: AntennaKey) -> str:
        """The code of an antenna's key."""
        return f"antenna-{key[1]}-{key[0]}"

    def antenna_of(self, code: str) -> AntennaKey | None:
        """The antenna that a key stands for."""
        return next((key for key in self.spots if self.code_of(key) == code), None)
