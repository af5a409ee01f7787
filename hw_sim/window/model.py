"""Where the cards of a table dealt by hand lie. Pure: what antennas see of a change is returned, times are arguments."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from hw_sim.cards import FACES
from hw_sim.physics import UNSEEN, Movement

STUB: Final = "stub"
STRANGERS: Final = "off"
BOARD: Final = "board"
#: So many cards of no deck lie ready to be brought among the others.
STRANGER_CARDS: Final = 4


class Lying(msgspec.Struct, frozen=True):
    """A card somewhere, and whether its face can be seen."""

    card: str
    face_up: bool = False


class HandTable:
    """The cards of one table. The stub's first card is its top.

    ``seats``: the places where hands are dealt to. ``empty``: those of them that get no cards when all are dealt to.

    Readers cannot see which way a card faces, so turning one over changes nothing for them.
    """

    def __init__(self, seats: Iterable[int], seed: int) -> None:
        self.seats = tuple(seats)
        self._rng = random.Random(f"by hand/{seed}")
        self.places: dict[str, list[Lying]] = {STUB: [Lying(face) for face in self._shuffled()]}
        for place in (*(f"seat{seat}" for seat in self.seats), BOARD, "burn", "muck", "aside"):
            self.places[place] = []
        self.places[STRANGERS] = [Lying(f"foreign/{number}") for number in range(1, STRANGER_CARDS + 1)]
        self.empty: set[int] = set()
        self._lifted: tuple[Lying, str] | None = None

    def _shuffled(self) -> list[str]:
        order = list(FACES)
        self._rng.shuffle(order)
        return order

    def take_over(self, places: Mapping[str, Iterable[str]]) -> None:
        """The cards lie as somebody else has laid them, those of the board face up; places that are not here are left out."""
        for place in self.places:
            if place != STRANGERS:
                self.places[place] = [Lying(card, face_up=place == BOARD) for card in places.get(place, ())]

    def place_of(self, card: str) -> str | None:
        """Where a card lies; None while it is in a hand."""
        return next(
            (place for place, cards in self.places.items() if any(lying.card == card for lying in cards)),
            None,
        )

    def top(self) -> str | None:
        """The card on top of the stub."""
        cards = self.places[STUB]
        return cards[0].card if cards else None

    def lift(self, card: str, now_ms: int) -> list[Movement]:
        """Take a card up. It is in the hand until :meth:`lay`. Raises KeyError when it lies nowhere."""
        place = self.place_of(card)
        if place is None:
            raise KeyError(card)
        lying = next(lying for lying in self.places[place] if lying.card == card)
        self.places[place].remove(lying)
        self._lifted = (lying, place)
        return [Movement(card, _seen(place), "", now_ms, now_ms)] if _seen(place) else []

    def lay(self, place: str, now_ms: int) -> list[Movement]:
        """Lay the card down that is in the hand: face up on the board, face down on the stub, as it is elsewhere."""
        assert self._lifted is not None, "no card is in the hand"
        lying, _ = self._lifted
        self._lifted = None
        if place == BOARD:
            lying = Lying(lying.card, face_up=True)
        elif place in (STUB, STRANGERS):
            lying = Lying(lying.card)
        if place == STUB:
            self.places[place].insert(0, lying)
        else:
            self.places[place].append(lying)
        return [Movement(lying.card, "", _seen(place), now_ms, now_ms)] if _seen(place) else []

    def lay_back(self, now_ms: int) -> list[Movement]:
        """Lay the card where it was taken from: it was dropped where no place is."""
        assert self._lifted is not None, "no card is in the hand"
        return self.lay(self._lifted[1], now_ms)

    def turn(self, card: str) -> None:
        """Turn a card over. The top of the stub too: a boxed card."""
        place = self.place_of(card)
        if place is not None:
            self.places[place] = [
                Lying(lying.card, not lying.face_up) if lying.card == card else lying
                for lying in self.places[place]
            ]

    def pitch(self, place: str, now_ms: int) -> list[Movement]:
        """The top card of the stub goes to a place; nothing when the stub is empty."""
        card = self.top()
        if card is None:
            return []
        return [*self.lift(card, now_ms), *self.lay(place, now_ms)]

    def next_seat(self, button: int, each: int) -> int | None:
        """The seat whose card is next: clockwise from the button's left, one card at a time; None when all have ``each``."""
        players = [seat for seat in self.seats if seat not in self.empty]
        order = sorted(players, key=lambda seat: (seat <= button, seat))
        held = {seat: len(self.places[f"seat{seat}"]) for seat in order}
        least = min(held.values(), default=each)
        return next((seat for seat in order if held[seat] == least), None) if least < each else None

    def gather(self, now_ms: int) -> list[Movement]:
        """All cards back into the deck, which is shuffled; strangers go back beside it."""
        movements = []
        for place, cards in self.places.items():
            if place not in (STUB, STRANGERS) and _seen(place):
                movements += [Movement(lying.card, place, "", now_ms, now_ms) for lying in cards]
        for place in self.places:
            self.places[place] = []
        self.places[STUB] = [Lying(face) for face in self._shuffled()]
        self.places[STRANGERS] = [Lying(f"foreign/{number}") for number in range(1, STRANGER_CARDS + 1)]
        return movements


def _seen(place: str) -> str:
    """The antenna's place, or nothing where none reads."""
    return "" if place in UNSEEN else place
