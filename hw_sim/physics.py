"""Where each physical card is, and how a dealer's acts move it: seeded, in virtual time, with the rhythm of a live table.

The rhythm (milliseconds): a pitch every 450 to 800, a burn or a board after 700 to 1100, board cards within 300 of each other, a
folded hand in the muck 600 after it left the seat. The same deck, seed and acts give the same movements to the millisecond.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

#: A card between two places: no antenna is near.
AIR: Final = "air"
STUB: Final = "stub"
BOARD: Final = "board"
BURN: Final = "burn"
MUCK: Final = "muck"
ASIDE: Final = "aside"


class Pitch(msgspec.Struct, frozen=True, tag=True):
    """One card from the top of the stub to a seat. ``late_ms``: the antenna reads it so much later; None: never there."""

    seat: int
    late_ms: int | None = 0


class Burn(msgspec.Struct, frozen=True, tag=True):
    """The top card to the burn spot."""

    late_ms: int | None = 0


class Board(msgspec.Struct, frozen=True, tag=True):
    """``count`` cards from the stub to the board, as one packet."""

    count: int
    late_ms: int | None = 0


class Fold(msgspec.Struct, frozen=True, tag=True):
    """Every card of a seat to the muck."""

    seat: int


class Move(msgspec.Struct, frozen=True, tag=True):
    """``count`` cards from one place to another, newest first; ``index`` (from 1) picks the one that came there as n-th."""

    source: str
    target: str
    count: int = 1
    index: int | None = None
    late_ms: int | None = 0


class Gather(msgspec.Struct, frozen=True, tag=True):
    """Every card back under the stub."""


class Sweep(msgspec.Struct, frozen=True, tag=True):
    """The hand is over: every card back to the deck, quickly."""


class Shuffle(msgspec.Struct, frozen=True, tag=True):
    """The stub, with whatever was put back into it, in a new order."""


class Show(msgspec.Struct, frozen=True, tag=True):
    """A seat turns its cards up where they lie: nothing that an antenna could see."""

    seat: int


Physical = Pitch | Burn | Board | Fold | Move | Gather | Sweep | Shuffle | Show


class Movement(msgspec.Struct, frozen=True):
    """A card changes place at ``t_ms``. ``late_ms``: how much later its new antenna reads it; None: not at all."""

    t_ms: int
    card: str
    source: str
    target: str
    late_ms: int | None = 0


class Played(msgspec.Struct, frozen=True):
    """What an act did: movements in order of time, and when it was over."""

    movements: tuple[Movement, ...]
    end_ms: int


class Impossible(ValueError):
    """An act that this table cannot do now. ``expected`` and ``found`` make the sentence."""

    def __init__(self, expected: str, found: str) -> None:
        self.expected = expected
        self.found = found
        super().__init__(f"expected {expected}, found {found}")


class Table:
    """The cards on and around one table. ``deck``: the stub, top card first."""

    def __init__(self, deck: Sequence[str], seed: str) -> None:
        self.stub = list(deck)
        self._places: dict[str, list[str]] = {}
        self._random = random.Random(f"table/{seed}")

    def at(self, place: str) -> tuple[str, ...]:
        """The cards at a place in the order in which they came; of the stub, the top card first."""
        return tuple(self.stub if place == STUB else self._places.get(place, ()))

    def apply(self, act: Physical, at_ms: int) -> Played:
        """Do ``act``, beginning at ``at_ms``. Raises :class:`Impossible`, and then nothing has moved."""
        moves = sorted(self._moves(act, at_ms), key=lambda move: move.t_ms)
        end_ms = moves[-1].t_ms if moves else at_ms
        match act:
            case Shuffle():
                self._random.shuffle(self.stub)
                end_ms = at_ms + self._random.randint(4000, 6000)
            case Show():
                end_ms = at_ms + self._random.randint(500, 900)
        return Played(tuple(moves), end_ms)

    def _moves(self, act: Physical, at_ms: int) -> Iterable[Movement]:
        between = self._random.randint
        match act:
            case Pitch(seat=seat, late_ms=late_ms):
                return self._from_stub(1, f"seat{seat}", (at_ms + between(450, 800),), late_ms)
            case Burn(late_ms=late_ms):
                return self._from_stub(1, BURN, (at_ms + between(700, 1100),), late_ms)
            case Board(count=count, late_ms=late_ms):
                first = at_ms + between(700, 1100)
                times = sorted(first + between(0, 300) for _ in range(count))
                return self._from_stub(count, BOARD, times, late_ms)
            case Fold(seat=seat):
                return self._fold(seat, at_ms + between(200, 400))
            case Move():
                return self._move(act, at_ms)
            case Gather():
                return tuple(self._collect(at_ms + 800, 300))
            case Sweep():
                return tuple(self._collect(at_ms + 400, 120))
        return ()

    def _from_stub(
        self, count: int, target: str, times: Sequence[int], late_ms: int | None
    ) -> list[Movement]:
        if len(self.stub) < count:
            raise Impossible(f"{count} cards in the stub", str(len(self.stub)))
        cards, self.stub = self.stub[:count], self.stub[count:]
        self._places.setdefault(target, []).extend(cards)
        return [Movement(t_ms, card, STUB, target, late_ms) for card, t_ms in zip(cards, times, strict=True)]

    def _fold(self, seat: int, leave_ms: int) -> list[Movement]:
        place = f"seat{seat}"
        cards = self._places.pop(place, [])
        if not cards:
            raise Impossible(f"cards at seat {seat}", "none")
        self._places.setdefault(MUCK, []).extend(cards)
        lifted = [Movement(leave_ms, card, place, AIR) for card in cards]
        return lifted + [Movement(leave_ms + 600, card, AIR, MUCK) for card in cards]

    def _move(self, act: Move, at_ms: int) -> list[Movement]:
        cards = self._taken(act)
        self._put(cards, act.target)
        t_ms = at_ms + self._random.randint(600, 900)
        if act.source == STUB:
            return [
                Movement(t_ms + 150 * number, card, STUB, act.target, act.late_ms)
                for number, card in enumerate(cards)
            ]
        moves = []
        for number, card in enumerate(cards):
            leave_ms = t_ms + 150 * number
            moves.append(Movement(leave_ms, card, act.source, AIR))
            moves.append(
                Movement(leave_ms + self._random.randint(450, 650), card, AIR, act.target, act.late_ms)
            )
        return moves

    def _taken(self, act: Move) -> list[str]:
        """Take the cards out of their place, in the order in which they are lifted: from the top."""
        pile = self.stub if act.source == STUB else self._places.get(act.source, [])
        if act.index is not None:
            if not 1 <= act.index <= len(pile):
                raise Impossible(f"a card {act.index} at {act.source}", f"{len(pile)} cards")
            return [pile.pop(act.index - 1)]
        if len(pile) < act.count:
            raise Impossible(f"{act.count} cards at {act.source}", str(len(pile)))
        if act.source == STUB:
            cards = pile[: act.count]
            del pile[: act.count]
            return cards
        cards = pile[len(pile) - act.count :]
        del pile[len(pile) - act.count :]
        return cards[::-1]

    def _put(self, cards: Sequence[str], target: str) -> None:
        if target == STUB:
            for card in cards:
                self.stub.insert(0, card)
        else:
            self._places.setdefault(target, []).extend(cards)

    def _collect(self, t_ms: int, pace_ms: int) -> Iterator[Movement]:
        """A place after the other; the cards of one place in one grip."""
        for place, cards in self._places.items():
            if cards:
                yield from (Movement(t_ms, card, place, STUB) for card in cards)
                t_ms += pace_ms + self._random.randint(0, 100)
                self.stub.extend(cards)
        self._places = {}
