"""Cards: the public face as a two-letter code, and the hidden card that never prints itself."""

from __future__ import annotations

from typing import Final

import msgspec

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"

#: A face that is public, as rank and suit: "Ks", "Td". Only public cards travel in this form.
Face = str

#: A card of the running hand without its identity: random per hand, see the vault.
CardRef = str

STANDARD_52: Final[tuple[Face, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
_FACES: Final = frozenset(STANDARD_52)


class NotACard(ValueError):
    """A text that is not rank and suit. Carries the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(f"{text!r} is not a card: expected a rank of {RANKS} and a suit of {SUITS}, as 'Ks'")


def parse_face(text: str) -> Face:
    """Return the face named by ``text`` ("Ks"); raise :class:`NotACard` otherwise."""
    if text not in _FACES:
        raise NotACard(text)
    return text


class HiddenCard(msgspec.Struct, frozen=True):
    """A card that nobody has turned face up. Only the vault holds these; it prints as ``<card>``."""

    face: Face

    def __repr__(self) -> str:
        return "<card>"

    __str__ = __repr__
