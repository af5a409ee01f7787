"""Cards and tags of the simulated decks. Decks by seed and name.

Their UIDs look like ISO 15693 tags (E0 04 …), or where the readers know only ISO 14443 A like tags of that kind (04 …).

A card of deck A is named by its face ("As"), one of another deck with the deck before it ("B/As"), a card that belongs to no deck
of the table "foreign/1", "foreign/2", …
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
FACES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
#: The deck that is dealt from unless a script says otherwise, and the one that waits beside it.
FIRST_DECK: Final = "A"
OTHER_DECK: Final = "B"
#: So many cards of nobody's deck there are.
FOREIGN: Final = 20


def uid_of(face: str, seed: int, deck: str = FIRST_DECK, *, type_a: bool = False) -> bytes:
    """The tag of a card in a deck of ``seed``: 8 bytes, most significant first; 7 of ISO 14443 A with ``type_a``."""
    name = f"{seed}/{face}" if deck == FIRST_DECK else f"{seed}/{deck}/{face}"
    uid = b"\xe0\x04\x01\x50" + hashlib.sha256(name.encode()).digest()[:4]
    return _type_a(uid) if type_a else uid


def _type_a(uid: bytes) -> bytes:
    return b"\x04" + uid[2:]


def deck_of(seed: int) -> dict[str, bytes]:
    """Face → UID of the whole first deck."""
    return {face: uid_of(face, seed) for face in FACES}


def tags_of(seed: int, *, type_a: bool = False) -> dict[str, bytes]:
    """Name → UID of every card that can come to the table: both decks, and cards of none. ``type_a`` as in :func:`uid_of`."""
    other = {f"{OTHER_DECK}/{face}": uid_of(face, seed, OTHER_DECK) for face in FACES}
    foreign = {
        f"foreign/{number}": b"\xe0\x07" + hashlib.sha256(f"{seed}/foreign/{number}".encode()).digest()[:6]
        for number in range(1, FOREIGN + 1)
    }
    tags = {**deck_of(seed), **other, **foreign}
    return {name: _type_a(uid) for name, uid in tags.items()} if type_a else tags


def deck_map(
    seed: int,
    registered: Mapping[str, str],
    faces: Sequence[str] = FACES,
    deck: str = FIRST_DECK,
    *,
    type_a: bool = False,
) -> dict[str, str]:
    """UID in hex → face as the deck file says it; ``registered``: wrong registrations, card → the face it was registered as."""
    uids = {face: uid_of(face, seed, deck, type_a=type_a) for face in faces}
    return {uid.hex().upper(): registered.get(face, face) for face, uid in uids.items()}


def deck_name(card: str) -> str:
    """The deck that a card belongs to, by its name; "foreign" where it belongs to none."""
    return card.partition("/")[0] if "/" in card else FIRST_DECK


def shuffled(seed: str, first: tuple[str, ...] = (), faces: Sequence[str] = FACES) -> list[str]:
    """The order of the deck, top card first: ``first``, then the others by the seed."""
    rest = [face for face in faces if face not in first]
    random.Random(seed).shuffle(rest)
    return [*first, *rest]
