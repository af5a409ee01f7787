"""Cards and tags of the simulated deck. One deck a seed; its UIDs look like ISO 15693 tags (E0 04 …)."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping
from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
FACES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)


def uid_of(face: str, seed: int) -> bytes:
    """The tag of a card in the deck of ``seed``: 8 bytes, most significant first."""
    digest = hashlib.sha256(f"{seed}/{face}".encode()).digest()
    return b"\xe0\x04\x01\x50" + digest[:4]


def deck_of(seed: int) -> dict[str, bytes]:
    """Face → UID of the whole deck."""
    return {face: uid_of(face, seed) for face in FACES}


def deck_map(seed: int, registered: Mapping[str, str]) -> dict[str, str]:
    """UID in hex → face as the deck file says it; ``registered``: wrong registrations, card → the face it was registered as."""
    return {uid.hex().upper(): registered.get(face, face) for face, uid in deck_of(seed).items()}


def shuffled(seed: str, first: tuple[str, ...] = ()) -> list[str]:
    """The order of the deck, top card first: ``first``, then the others by the seed."""
    rest = [face for face in FACES if face not in first]
    random.Random(seed).shuffle(rest)
    return [*first, *rest]
