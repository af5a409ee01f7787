"""What players and a dealer do with hands and fingers that no procedure writes down: they think, lift cards, tap late, forget, mistap."""

from __future__ import annotations

import math
import random
from typing import Literal

from hw_sim.noise import Manners
from hw_sim.physics import Movement

Slip = Literal["", "forgotten_tap", "wrong_tap"]
#: A dealer who is asked about a tap that he forgot: this long after the cards went on without it.
_ASKED_MS = (5500, 7500)
#: From a wrong tap to its undo, from there to the right one.
_UNDO_MS = (900, 2500)
_ANEW_MS = (500, 1200)
_ENTER_MS = (1200, 2500)
#: From the end of the deal to the last hand that is squeezed.
_PEEKS_WITHIN_MS = 6000
#: From here to the floor's void of a hand whose dealer has stopped.
_FLOOR_MS = (9000, 11_000)


class People:
    """The people of one hand. ``name`` seeds what they do."""

    def __init__(self, manners: Manners, name: str) -> None:
        self._manners = manners
        self._rng = random.Random(f"people/{name}")
        most, median = manners.taps_late_ms
        # u ** shape, u evenly in 0 to 1, has its median where .5 ** shape is
        self._late = (most, math.log(median / most) / math.log(0.5))

    def think_ms(self) -> int:
        """Before a player acts: mostly little."""
        least, most = self._manners.think_ms
        return least + int((most - least) * self._rng.random() ** 3)

    def settle_ms(self) -> int:
        """From the last card of the deal to the first action."""
        return self._rng.randint(*self._manners.settle_ms)

    def floor_ms(self) -> int:
        """From where the dealer stopped to the floor's void."""
        return self._rng.randint(*_FLOOR_MS)

    def late_ms(self) -> int:
        """How late a tap comes."""
        most, shape = self._late
        return int(most * self._rng.random() ** shape)

    def asked_ms(self) -> int:
        """How long the cards go on until a forgotten tap is asked for and made."""
        return self._rng.randint(*_ASKED_MS)

    def undo_ms(self) -> tuple[int, int]:
        """From a wrong tap to its undo, and from there to the right one."""
        return self._rng.randint(*_UNDO_MS), self._rng.randint(*_ANEW_MS)

    def enter_ms(self) -> int:
        """How long it takes to enter a card by hand."""
        return self._rng.randint(*_ENTER_MS)

    def slip(self) -> Slip:
        """What goes wrong with the tap of an action."""
        drawn = self._rng.random()
        if drawn < self._manners.forgotten:
            return "forgotten_tap"
        return "wrong_tap" if drawn < self._manners.forgotten + self._manners.wrong else ""

    def lifts(self, dealt: list[Movement]) -> list[Movement]:
        """Cards that were pitched to seats are taken up at once and laid back."""
        out: list[Movement] = []
        for movement in dealt:
            if movement.target.startswith("seat") and self._rng.random() < self._manners.early_lifts:
                up_ms = movement.laid_ms + self._rng.randint(0, self._manners.lift_after_ms)
                out += self._up_and_back([movement.face], movement.target, up_ms)
        return out

    def peeks(self, hands: dict[str, list[str]], now_ms: int) -> list[Movement]:
        """Players squeeze their cards, place → faces, once the deal is over."""
        out: list[Movement] = []
        for place, faces in hands.items():
            if faces and self._rng.random() < self._manners.peeks:
                out += self._up_and_back(faces, place, now_ms + self._rng.randint(200, _PEEKS_WITHIN_MS))
        return out

    def _up_and_back(self, faces: list[str], place: str, up_ms: int) -> list[Movement]:
        down_ms = up_ms + self._rng.randint(*self._manners.lifted_ms)
        up = [Movement(face, place, "", up_ms, up_ms) for face in faces]
        return [*up, *(Movement(face, "", place, down_ms, down_ms) for face in faces)]
