"""Where every physical card is, and what an act does to them: movements with their virtual times. Faces never leave this process."""

from __future__ import annotations

import random

from hw_sim import steps as st
from hw_sim.cards import FIRST_DECK, FOREIGN, OTHER_DECK, deck_name, shuffled
from hw_sim.handling import STAY_MS, cards_of, laid
from hw_sim.movement import Movement, ShoeExit

__all__ = ["AWAY", "BOX", "CARRY_MS", "UNSEEN", "Cards", "ImpossibleAct", "Movement", "ShoeExit"]

#: A hand carries a card for so long from place to place, in ms.
CARRY_MS = 300
#: Where the deck waits that is not dealt from.
BOX = "box"
#: Cards that a dealer gathers lie anywhere but here.
AWAY = frozenset(("stub", BOX, "off"))
#: A pitched card has left the shoe so long before it lies, in ms.
FLIGHT_MS = 250
#: Places that no antenna reads.
UNSEEN = frozenset(("stub", "aside", "off", BOX))


class ImpossibleAct(ValueError):
    """A step that cannot be done with the cards as they lie. Says which and why."""


class Cards:
    """The cards of one hand. ``places``: place → faces in the order they came; the stub's first is its top."""

    def __init__(self, hand: st.Hand, rng: random.Random) -> None:
        self._hand = hand
        self._rng = rng
        self._order = hand.seats()
        self.places: dict[str, list[str]] = {"stub": list(hand.deck)}
        self._deck = FIRST_DECK
        self._shuffles = 0
        self._foreign = 0
        self._odd: set[str] = set()
        if hand.decks > 1:
            order = shuffled(f"deck/{OTHER_DECK}/{hand.name}", (), hand.plan.faces)
            self.places[BOX] = [f"{OTHER_DECK}/{face}" for face in order]

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
                stays = self._hand.plan.folded != "muck" and not step.showdown
                return self._give_up(step.seat, None, now_ms, stays=stays)
            case st.Discard():
                return self._give_up(step.seat, step.count, now_ms)
            case st.UseDeck():
                return self._use_deck(step, now_ms)
            case st.Stranger():
                if not self.at(BOX):
                    raise ImpossibleAct("the other deck has no card left")
                return [self._carry(self.at(BOX)[0], BOX, step.place, now_ms + 200)], now_ms + 600
            case st.Foreign():
                return self._bring_foreign(step, now_ms)
            case st.LayDeck() | st.Touch():
                return self._handle(step, now_ms)
            case st.Gather() | st.Sweep():
                return self._gather(now_ms)
            case st.ShoeOdd():
                self._odd.add(step.kind)
                return [], now_ms
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
            if min(held) >= self._hand.plan.hole:
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
            movements.append(self._put("stub", step.zone, now_ms, unread=unread, late_ms=late))
            now_ms += self._rng.randint(40, 100)
        return movements, now_ms

    def _handle(self, step: st.LayDeck | st.Touch, now_ms: int) -> tuple[list[Movement], int]:
        if self.left_out():
            raise ImpossibleAct("cards lie on the table: a deck is handled as a whole")
        if isinstance(step, st.Touch):
            movements, done_ms = laid(self.at("stub")[-1:], step.place, now_ms + 200, stay_ms=step.stay_ms)
        else:
            if step.deck != self._deck and not self.at(BOX):
                raise ImpossibleAct("the other deck has no cards here")
            cards = cards_of(step.deck)
            stay_ms = min(STAY_MS, step.each_ms // 2)
            movements, done_ms = laid(cards, step.place, now_ms + 200, each_ms=step.each_ms, stay_ms=stay_ms)
        return movements, done_ms + 200

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

    def _give_up(
        self, seat: int, count: int | None, now_ms: int, *, stays: bool = False
    ) -> tuple[list[Movement], int]:
        place = f"seat{seat}"
        faces = list(self.at(place))
        if not faces:
            raise ImpossibleAct(f"seat {seat} holds no cards")
        if count is not None:
            if count > len(faces):
                raise ImpossibleAct(f"seat {seat} holds only {len(faces)} cards")
            faces = faces[-count:]
        movements = [] if stays else [self._carry(face, place, "muck", now_ms + 100) for face in faces]
        return movements, now_ms + 600

    def _use_deck(self, step: st.UseDeck, now_ms: int) -> tuple[list[Movement], int]:
        if step.name != self._deck:
            self.places["stub"], self.places[BOX] = self.at(BOX), self.at("stub")
            self._deck = step.name
        return [], now_ms + 1500

    def _bring_foreign(self, step: st.Foreign, now_ms: int) -> tuple[list[Movement], int]:
        movements: list[Movement] = []
        for _ in range(step.count):
            self._foreign += 1
            if self._foreign > FOREIGN:
                raise ImpossibleAct(f"there are only {FOREIGN} foreign cards")
            card = f"foreign/{self._foreign}"
            self.at("off").append(card)
            movements.append(self._carry(card, "off", step.place, now_ms + 200))
            now_ms += 400
        return movements, now_ms + 200

    def _gather(self, now_ms: int) -> tuple[list[Movement], int]:
        movements: list[Movement] = []
        for place in [place for place, cards in self.places.items() if place not in AWAY and cards]:
            now_ms += 250
            movements += [self._carry(face, place, self._home(face), now_ms) for face in list(self.at(place))]
        return movements, now_ms + 800

    def _home(self, card: str) -> str:
        """Where a card goes that is gathered: its own deck, whichever is dealt from; one of no deck leaves the table."""
        deck = deck_name(card)
        return "stub" if deck == self._deck else BOX if deck in (FIRST_DECK, OTHER_DECK) else "off"

    def left_out(self) -> bool:
        """Whether cards still lie where they must be gathered from."""
        return any(cards for place, cards in self.places.items() if place not in AWAY)

    def _put(
        self, source: str, target: str, laid_ms: int, *, unread: bool = False, late_ms: int = 0
    ) -> Movement:
        cards = self.at(source)
        if not cards:
            raise ImpossibleAct("the stub has no card left")
        face = cards.pop(0)
        self.at(target).append(face)
        return Movement(
            face,
            _antenna_place(source),
            _antenna_place(target),
            laid_ms,
            laid_ms,
            unread,
            late_ms,
            self._exit(laid_ms) if source == "stub" else None,
        )

    def _exit(self, laid_ms: int) -> ShoeExit:
        """How the next card off the stub passes the exit of a shoe."""
        odd, self._odd = self._odd, set()
        counts = 1 + ("extra" in odd) - ("miss" in odd)
        return ShoeExit(laid_ms - FLIGHT_MS, "up" in odd, counts)

    def _carry(self, face: str, source: str, target: str, left_ms: int) -> Movement:
        self.at(source).remove(face)
        if target == "stub":
            # a card put back goes on top, where it came from; a gathered deck is shuffled anyway
            self.at(target).insert(0, face)
        else:
            self.at(target).append(face)
        return Movement(
            face,
            _antenna_place(source),
            _antenna_place(target),
            left_ms,
            left_ms + CARRY_MS,
            exit=self._exit(left_ms + CARRY_MS) if source == "stub" else None,
        )


def _antenna_place(place: str) -> str:
    return "" if place in UNSEEN else place
