"""Where the desk keeps what outlives the service: decks, their register, receipts, the calibration, traces. A port: see the journal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

from dealer_assist.procedure.alignment.sensing import SensingParameters
from dealer_assist.table.deckfile import Deck
from dealer_assist.table.equipment.calibration import Measured
from dealer_assist.table.equipment.receipts import Receipt
from dealer_assist.table.equipment.register import DeckRegister


class NotStored(Exception):
    """A file could not be written, or what must go on is damaged. Carries a code for the reason; never what was to be written."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class Unfinished(msgspec.Struct, frozen=True):
    """A registration that was left off: what there is of the deck, and where its order stood."""

    deck: Deck
    zone: str
    order: int


class CalibrationFile(msgspec.Struct, frozen=True):
    """What was measured of the antennas. ``fingerprint``: of antennas and figures, so that a record can say which it was judged by."""

    t_utc: str
    fingerprint: str
    antennas: tuple[Measured, ...]
    sensing: dict[str, SensingParameters]


class EquipmentFiles(Protocol):
    """Writing is durable when a call returns; raises :class:`NotStored`."""

    def can_keep_decks(self, *, simulated: bool) -> bool:
        """Whether a deck file may be written: there is a key to encrypt it with, or the deck is simulated."""

    def load_register(self) -> DeckRegister:
        """The register, empty where there is none."""

    def save_register(self, register: DeckRegister) -> None:
        """Keep it."""

    def load_decks(self) -> list[Deck]:
        """Every deck that was registered here."""

    def save_deck(self, deck: Deck) -> None:
        """Keep a deck, encrypted unless it is simulated."""

    def load_unfinished(self, deck: str) -> Unfinished | None:
        """A registration that was left off."""

    def save_unfinished(self, unfinished: Unfinished) -> None:
        """Keep a registration as it stands, as a deck is kept."""

    def drop_unfinished(self, deck: str) -> None:
        """Forget it."""

    def receipts(self) -> Sequence[Receipt]:
        """All receipts, oldest first."""

    def add_receipt(self, receipt: Receipt) -> None:
        """Keep a receipt."""

    def load_calibration(self) -> CalibrationFile | None:
        """The calibration in force."""

    def save_calibration(self, calibration: CalibrationFile) -> None:
        """Keep it in place of the last one."""

    def save_trace(self, name: str, lines: Iterable[bytes]) -> str:
        """Write a trace; returns its path."""
