"""Checking a deck: all its cards are read, one by one or spread out; those still unread are dead, those of no business here are named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from dealer_assist.domain.cards import Face
from dealer_assist.table.equipment.registration import ORDER

#: With more unread than this none is named: somebody lays down single cards to learn what they are.
MAX_NAMED: Final = 8
Checked = Literal["read", "seen_before", "other_deck", "unknown_card", "same_face"]


class CheckResult(msgspec.Struct, frozen=True):
    """What a check found. ``dead``: faces that were not read, none named where there are too many; ``foreign``: deck → cards of it.

    A foreign card's deck is "" where no deck of the table has it. ``twice``: faces that two tags have: a bad registration.
    """

    read: int
    of: int
    dead: tuple[Face, ...]
    foreign: dict[str, int]
    twice: int = 0

    @property
    def complete(self) -> bool:
        """Whether every card was read and no other."""
        return self.read == self.of and not self.foreign and not self.twice


class DeckCheck:
    """One deck being checked. ``cards``: tag → face; ``owners``: tag → deck of every deck that the table knows."""

    def __init__(
        self, deck: str, zone: str, cards: Mapping[bytes, Face], owners: Mapping[bytes, str]
    ) -> None:
        self.deck = deck
        self.zone = zone
        self._cards = dict(cards)
        self._owners = owners
        self._read: set[bytes] = set()
        self._foreign: dict[bytes, str] = {}

    def __repr__(self) -> str:
        return f"DeckCheck({self.deck!r}, {self.read} of {self.of} read)"

    @property
    def read(self) -> int:
        """How many cards of the deck were read."""
        return len(self._read)

    @property
    def of(self) -> int:
        """How many it has."""
        return len(self._cards)

    def lay(self, uid: bytes) -> tuple[Checked, str]:
        """A card is read: what it is, and the deck that it belongs to, "" for none."""
        if uid in self._cards:
            if uid in self._read:
                return "seen_before", self.deck
            self._read.add(uid)
            face = self._cards[uid]
            twin = any(other != uid and self._cards[other] == face for other in self._read)
            return ("same_face" if twin else "read"), self.deck
        deck = self._owners.get(uid, "")
        self._foreign[uid] = deck
        return ("other_deck" if deck else "unknown_card"), deck

    def result(self) -> CheckResult:
        """As it stands."""
        unread = [face for uid, face in self._cards.items() if uid not in self._read]
        dead = sorted(unread, key=ORDER.index) if len(unread) <= MAX_NAMED else []
        often = Counter(self._cards.values())
        return CheckResult(
            self.read,
            self.of,
            tuple(dead),
            dict(sorted(Counter(self._foreign.values()).items())),
            sum(1 for count in often.values() if count > 1),
        )
