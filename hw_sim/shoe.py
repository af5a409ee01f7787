"""A simulated shoe: it counts the cards that leave it, with a face sensor it sees which way each faces, and now and then it errs.

Two cards that stick together are counted as one; the face sensor takes one side for the other. How often is not known of any real
shoe [unverified], so it is a parameter; a scenario says where it happens instead.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from typing import Final, Literal

import msgspec

from hw_sim import steps as st
from hw_sim.physics import Movement, ShoeExit

Face = Literal["unknown", "down", "up"]
#: How often a shoe errs in each way, unless said otherwise.
NO_ERRORS: Final = 0.0
COUNTING: Final = "counting"


class Counted(msgspec.Struct, frozen=True):
    """What the shoe tells of one exit: its number since it started, and the face."""

    t_ms: int
    number: int
    face: Face


def from_shoe(hand: st.Hand, shoe: str | None) -> st.Hand:
    """The hand dealt from a shoe that ``counts``, or ``sees`` faces, too; None: as its file says."""
    if shoe is None or hand.shoe:
        return hand
    return msgspec.structs.replace(hand, before=(st.ShoeOn(faces=shoe == "sees"), *hand.before))


class ShoeSensor:
    """Counts the exits of movements. ``error_rate``: of 1, so many cards are not counted, and so many faces are taken for the other.

    ``tell``: where a change of ``state`` goes, with the time; only while that is ``counting`` exits are told. They have their numbers
    all the same, so that a host sees that it has missed some.
    """

    def __init__(self, *, sees_faces: bool, error_rate: float = NO_ERRORS, seed: int = 1) -> None:
        if not 0.0 <= error_rate < 1.0:
            raise ValueError("an error rate lies between 0 and 1")
        self.sees_faces = sees_faces
        self._usual = error_rate
        self.miss_rate = self.wrong_rate = error_rate
        self._rng = random.Random(f"shoe/{seed}")
        self._due: list[tuple[int, int, ShoeExit]] = []
        self._order = 0
        self.number = 0
        self.state = COUNTING
        self.tell: Callable[[str, int], None] | None = None

    def move(self, movement: Movement) -> None:
        """A card moves; where it comes off the stub it passes the exit, maybe later than now."""
        if movement.exit is not None:
            self._order += 1
            heapq.heappush(self._due, (movement.exit.t_ms, self._order, movement.exit))

    def due_ms(self) -> int | None:
        """When the next card passes."""
        return self._due[0][0] if self._due else None

    def until(self, t_ms: int) -> list[Counted]:
        """What was counted and told up to ``t_ms``, in order."""
        out: list[Counted] = []
        while self._due and self._due[0][0] <= t_ms:
            when, _, exit_ = heapq.heappop(self._due)
            for _ in range(0 if self._errs(self.miss_rate) else exit_.counts):
                self.number += 1
                if self.state == COUNTING:
                    out.append(Counted(when, self.number, self._face(exit_)))
        return out

    def says(self, state: str, t_ms: int) -> None:
        """Its state is another one now: ``counting``, ``blocked``, ``open`` or ``fault``."""
        if state != self.state:
            self.state = state
            if self.tell is not None:
                self.tell(state, t_ms)

    def well(self, t_ms: int) -> None:
        """It counts, and errs as often as it always did."""
        self.miss_rate = self.wrong_rate = self._usual
        self.says(COUNTING, t_ms)

    def restart(self) -> None:
        """The shoe starts anew: it counts from 1 again."""
        self.number = 0

    def _errs(self, rate: float) -> bool:
        return bool(rate) and self._rng.random() < rate

    def _face(self, exit_: ShoeExit) -> Face:
        if not self.sees_faces:
            return "unknown"
        return "up" if exit_.up != self._errs(self.wrong_rate) else "down"
