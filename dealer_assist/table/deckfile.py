"""Deck files: which tag is which card. As good as seeing every hand, so encrypted at rest unless the deck is marked simulated."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import msgspec

from dealer_assist.domain.cards import Face, NotACard, parse_face

_UID: Final = re.compile(r"(?:[0-9A-Fa-f]{2}){4,10}")


class DeckFileError(ValueError):
    """A deck file that cannot be used. Carries its name, the place in it, and what was expected. Never a card."""

    def __init__(self, file: str, place: str, expected: str) -> None:
        self.file = file
        self.place = place
        self.expected = expected
        # as the compiler says it where it is a line and a column: file:line:column
        super().__init__(f"{file}:{'' if place[0].isdigit() else ' '}{place}: {expected}")


class Deck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deck: its name, its back, and UID in hex → face."""

    deck: str
    back: str
    cards: dict[str, str]
    simulated: bool = False

    def __repr__(self) -> str:
        return f"Deck({self.deck!r}, {len(self.cards)} cards)"

    def by_uid(self) -> dict[bytes, Face]:
        """UID → face."""
        return {bytes.fromhex(uid): face for uid, face in self.cards.items()}


def read_deck(content: bytes, file: str, *, decrypt: Callable[[bytes], bytes] | None, simulate: bool) -> Deck:
    """Understand a deck file. ``decrypt`` opens one that is encrypted; None: there is no table key.

    Raises :class:`DeckFileError`: not a deck, encrypted without a key, in the clear although not simulated, or simulated where
    that is not allowed. A face may stand twice: a bad registration is found in play (K1) and must be loadable to be found.
    """
    plain = content
    encrypted = not content.lstrip().startswith(b"{")
    if encrypted:
        if decrypt is None:
            raise DeckFileError(
                file, "1:1", "an encrypted deck file needs keys.table_key in the table configuration"
            )
        plain = decrypt(content)
    try:
        deck = msgspec.json.decode(plain, type=Deck)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        place = "encrypted content" if encrypted else _place(content, str(error))
        raise DeckFileError(
            file, place, f"expected a deck {{deck, back, cards}}: {_without_values(str(error))}"
        ) from None
    if not encrypted and not deck.simulated:
        raise DeckFileError(
            file, "simulated", "a real deck must be encrypted with the table key; this file is in the clear"
        )
    if deck.simulated and not simulate:
        raise DeckFileError(file, "simulated", "a simulated deck is used only with --simulate")
    for number, (uid, face) in enumerate(deck.cards.items(), start=1):
        if _UID.fullmatch(uid) is None:
            raise DeckFileError(file, f"cards, entry {number}", "expected a UID of 4 to 10 bytes in hex")
        try:
            parse_face(face)
        except NotACard:
            raise DeckFileError(
                file, f"cards, entry {number}", "expected a card as rank and suit, like Ks"
            ) from None
    if len(deck.cards) != 52:
        raise DeckFileError(file, "cards", f"expected 52 cards, found {len(deck.cards)}")
    return deck


def _place(content: bytes, message: str) -> str:
    """line:column of a JSON error, from the byte position in its message."""
    found = re.search(r"byte (\d+)", message)
    if found is None:
        return "1:1"
    before = content[: int(found[1])]
    return f"{before.count(chr(10).encode()) + 1}:{len(before) - before.rfind(chr(10).encode())}"


def _without_values(message: str) -> str:
    """The decoder's sentence, which names types and keys, without the keys that the file itself has: UIDs are keys."""
    return re.sub(r"unknown field `.*`", "a key that is none of these", re.sub(r" - at `.*`", "", message))
