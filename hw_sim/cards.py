"""Physical cards of a simulated deck: a printed face, and a tag whose identity has nothing to do with it."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from functools import cache
from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
#: The 52 printed faces, as "As".
FACES: Final[tuple[str, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
_KNOWN: Final = frozenset(FACES)


def is_face(text: str) -> bool:
    """Whether ``text`` names a card of the deck, as "Td"."""
    return text in _KNOWN


@cache
def uid_of(face: str, deck: str = "A") -> str:
    """The tag of a card in upper-case hex: an ISO 15693 UID of 8 bytes that tells nothing of the face."""
    digest = hashlib.sha256(f"simulated deck {deck}/{face}".encode()).digest()
    return "E00401" + digest[:5].hex().upper()


def shuffled(seed: str) -> list[str]:
    """All 52 cards in an order that depends on ``seed`` alone, the top card first."""
    deck = list(FACES)
    random.Random(f"deck/{seed}").shuffle(deck)
    return deck


def stacked(first: Sequence[str], seed: str) -> list[str]:
    """The cards ``first`` on top, in that order; the rest of the deck below them in an order that depends on ``seed``."""
    on_top = set(first)
    return [*first, *(face for face in shuffled(seed) if face not in on_top)]
