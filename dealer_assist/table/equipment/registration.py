"""Registering a deck: each card once on one antenna, in an order that the screen announces. So nobody has to say which card it is.

The next face is no hidden card: the deck lies open on the table. Which tag a card has stays in here and in the deck's file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from dealer_assist.domain.cards import Face

#: As decks come out of their box: spades, hearts, clubs, diamonds, each from the ace to the king.
ORDER: Final[tuple[Face, ...]] = tuple(rank + suit for suit in "shcd" for rank in "A23456789TJQK")
#: What became of a card that was laid down.
Laid = Literal["laid", "seen_before", "two_at_once", "complete"]


class Registration:
    """One deck being registered. ``cards``: tag → face of what an interrupted registration had come to."""

    def __init__(
        self, deck: str, back: str, zone: str, cards: Mapping[bytes, Face] | None = None, order: int = 0
    ) -> None:
        self.deck = deck
        self.back = back
        self.zone = zone
        self.cards: dict[bytes, Face] = dict(cards or {})
        self._at = order
        #: what "back" takes back, the newest last: a card that was laid, or where the order stood before a skip
        self._steps: list[bytes | int] = list(self.cards)
        self._last_first_ms: int | None = None
        #: the card of that moment, while it counts
        self._newest: bytes | None = None

    def __repr__(self) -> str:
        return f"Registration({self.deck!r}, {len(self.cards)} cards)"

    @property
    def faces(self) -> tuple[Face, ...]:
        """The faces that are registered, as decks come out of their box."""
        return tuple(sorted(self.cards.values(), key=ORDER.index))

    @property
    def next(self) -> Face | None:
        """The face to lay down now, the skipped ones behind the others; None: all 52 are there."""
        done = set(self.cards.values())
        for face in (*ORDER[self._at :], *ORDER[: self._at]):
            if face not in done:
                return face
        return None

    def lay(self, uid: bytes, since_ms: int, first_ms: int) -> Laid:
        """A card lies there: it came after ``since_ms`` and by ``first_ms``.

        two_at_once: nobody can say which of two cards came first; neither counts, both are to be laid down again.
        """
        if uid in self.cards:
            return "seen_before"
        last, self._last_first_ms = self._last_first_ms, max(first_ms, self._last_first_ms or first_ms)
        if last is not None and since_ms < last:
            if self._newest is not None and self._steps[-1:] == [self._newest]:
                self.back_one()
            self._newest = None
            return "two_at_once"
        face = self.next
        if face is None:
            return "complete"
        self.cards[uid] = face
        self._steps.append(uid)
        self._newest = uid
        self._at = ORDER.index(face)
        return "complete" if self.next is None else "laid"

    def skip(self) -> bool:
        """This card is not at hand: it comes again at the end. False: it is the only one left."""
        face = self.next
        if face is None or len(self.cards) == len(ORDER) - 1:
            return False
        self._steps.append(self._at)
        self._at = (ORDER.index(face) + 1) % len(ORDER)
        return True

    def back_one(self) -> bool:
        """The last card or skip does not count. False: there is none."""
        if not self._steps:
            return False
        step = self._steps.pop()
        if isinstance(step, bytes):
            self._at = ORDER.index(self.cards.pop(step))
        else:
            self._at = step
        return True

    def go_to(self, face: Face) -> bool:
        """Go on with this face. False: a card is registered as it already; "back" takes that one back."""
        if face in self.cards.values():
            return False
        self._steps.append(self._at)
        self._at = ORDER.index(face)
        return True
