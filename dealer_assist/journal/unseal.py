"""Opening seals: for surveillance, with its private key, on its own machine.

Nothing that runs at a table imports this module.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, SealedBox

from dealer_assist.journal.reader import JournalReader
from dealer_assist.journal.sealing import SealedCard, unpack


class SealRefused(Exception):
    """A box that this key does not open, or that was altered."""


class HandStillOpen(Exception):
    """Cards of a hand that is not closed are not opened. Carries the hand."""

    def __init__(self, hand: str) -> None:
        self.hand = hand
        super().__init__(f"hand {hand} is not closed in this journal: its seals stay closed")


def open_seal(box: bytes, private_key: bytes) -> SealedCard:
    """Open one box with the 32-byte X25519 private key; raise :class:`SealRefused` when it does not fit."""
    try:
        return unpack(SealedBox(PrivateKey(private_key)).decrypt(box))
    except (CryptoError, ValueError):
        raise SealRefused("the seal does not open with this key") from None


def open_hand(path: Path, hand: str, private_key: bytes) -> Iterator[SealedCard]:
    """Every sealed card of a closed hand, in the order of sealing.

    Raise :class:`HandStillOpen` before anything is opened.
    """
    with JournalReader(path) as reader:
        if not reader.is_closed(hand):
            raise HandStillOpen(hand)
        boxes = [seal.box for seal in reader.seals() if seal.hand == hand]
    for box in boxes:
        yield open_seal(box, private_key)
