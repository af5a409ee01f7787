"""Where every physical card is, and what an act does to them: movements with their virtual times. Faces never leave this process."""

from __future__ import annotations

import random

import msgspec

from hw_sim import steps as st

#: A hand carries a card for so long from place to place, in ms.
CARRY_MS = 300
SEAT_CARDS = 2


class Movement(msgspec.Struct, frozen=True):
    """A card leaves ``source`` at ``left_ms`` and lies at ``target`` from ``laid_ms``; places without antenna are "".

    ``unread``: the target's antenna never sees it (badly placed); ``late_ms``: it sees it so much later.
    """

    face: str
    source: str
    target: str
    left_ms: int
    laid_ms: int
    unread: bool = False
    late_ms: int = 0


class ImpossibleAct(ValueError):
    """A step that cannot be done with the cards as they lie. Says which and why."""


class Cards:
    """The cards of one hand. ``places``: place → faces in the order they came; the stub's first is its top."""

    def __init__(self, hand: st.Hand, rng: random.Random) -> None:
        self._hand = hand
        self._rng = rng
        self._order = hand.seats()
        self.places: dict[str, list[str]] = {"stub": list(hand.deck)}
        self._shuffles = 0

    def at(self, place: str) -> list[str]:
        """The faces at a place, oldest first."""
        return self.places.setdefault(place, [])

    def play(self, step: st.Step, now_ms: int) -> tuple[list[Movement], int]:
        """Do an act that begins at ``now_ms``; return the movements and when it is done. Taps, checks and waits are not acts."""
        match step:
            case st.Pitch():
                done = now_ms + self._rng.randint(450, 800)
                return [
                    self._put("stub", f"seat{step.seat}", done, unread=step.unread, late_ms=step.late_ms)
                ], done
            case st.DealRest():
                return self._deal_rest(step, now_ms)
            case st.Burn():
                done = now_ms + self._rng.randint(700, 1000)
                return [self._put("stub", "burn", done, unread=step.unread, late_ms=step.late_ms)], done
            case st.Board():
                return self._board(step, now_ms)
            case st.Move():
                return self._move(step, now_ms)
            case st.Fold():
                done = now_ms + 600
                faces = list(self.at(f"seat{step.seat}"))
                if not faces:
                    raise ImpossibleAct(f"seat {step.seat} holds no cards")
                return [self._carry(face, f"seat{step.seat}", "muck", now_ms + 100) for face in faces], done
            case st.Gather() | st.Sweep():
                return self._gather(now_ms)
            case st.Shuffle():
                self._shuffles += 1
                stub = self.at("stub")
                stub += self.at("aside")
                self.places["aside"] = []
                random.Random(f"{self._hand.name}/{self._shuffles}").shuffle(stub)
                return [], now_ms + 4000
            case _:
                raise ImpossibleAct(f"{type(step).__name__} is no act with cards")

    # -- the acts ------------------------------------------------------------------------------------------------------------------

    def _deal_rest(self, step: st.DealRest, now_ms: int) -> tuple[list[Movement], int]:
        movements: list[Movement] = []
        while True:
            held = [len(self.at(f"seat{seat}")) for seat in self._order]
            if min(held) >= SEAT_CARDS:
                return movements, now_ms
            now_ms += self._rng.randint(450, 800)
            seat = self._order[held.index(min(held))]
            movements.append(self._put("stub", f"seat{seat}", now_ms, late_ms=step.late_ms))

    def _board(self, step: st.Board, now_ms: int) -> tuple[list[Movement], int]:
        now_ms += self._rng.randint(700, 1000)
        movements: list[Movement] = []
        for number in range(step.count):
            unread = number >= step.count - step.unread
            late = step.late_ms if number == step.count - 1 else 0
            movements.append(self._put("stub", "board", now_ms, unread=unread, late_ms=late))
            now_ms += self._rng.randint(40, 100)
        return movements, now_ms

    def _move(self, step: st.Move, now_ms: int) -> tuple[list[Movement], int]:
        movements: list[Movement] = []
        source, _, number = step.source.partition(":")
        for _ in range(step.count):
            cards = self.at(source)
            if not cards:
                raise ImpossibleAct(f"move {step.source} {step.target}: no card lies at {source}")
            if number:
                if int(number) > len(cards):
                    raise ImpossibleAct(f"move {step.source}: only {len(cards)} cards lie at {source}")
                face = cards[int(number) - 1]
            else:
                face = cards[0] if source == "stub" else cards[-1]
            movements.append(self._carry(face, source, step.target.partition(":")[0], now_ms + 200))
            now_ms += 400
        return movements, now_ms + 200

    def _gather(self, now_ms: int) -> tuple[list[Movement], int]:
        movements: list[Movement] = []
        for place in [place for place, cards in self.places.items() if place != "stub" and cards]:
            now_ms += 250
            movements += [self._carry(face, place, "stub", now_ms) for face in list(self.at(place))]
        return movements, now_ms + 800

    def _put(
        self, source: str, target: str, laid_ms: int, *, unread: bool = False, late_ms: int = 0
    ) -> Movement:
        cards = self.at(source)
        if not cards:
            raise ImpossibleAct("the stub has no card left")
        face = cards.pop(0)
        self.at(target).append(face)
        return Movement(face, _antenna_place(source), target, laid_ms, laid_ms, unread, late_ms)

    def _carry(self, face: str, source: str, target: str, left_ms: int) -> Movement:
        self.at(source).remove(face)
        if target == "stub":
            # a card put back goes on top, where it came from; a gathered deck is shuffled anyway
            self.at(target).insert(0, face)
        else:
            self.at(target).append(face)
        return Movement(face, _antenna_place(source), _antenna_place(target), left_ms, left_ms + CARRY_MS)


def _antenna_place(place: str) -> str:
    return "" if place in ("stub", "aside") else place
