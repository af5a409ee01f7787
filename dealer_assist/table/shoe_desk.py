"""What the table does with the exits of a shoe: inputs for the running hand, and whether the shoe is a witness of it at all."""

from __future__ import annotations

from typing import Final

import msgspec

from dealer_assist.procedure.state import CardFace
from dealer_assist.table import inputs as inp
from dealer_assist.table.ports import DeviceRestarted, Observation, ShoeChanged, ShoeExit

ZONE: Final = "shoe"
#: The first card of a deal leaves the shoe so long before its seat has read it, at most (ms): a hand begins at its first pitched card.
LEAD_MS: Final = 2500
_FACES: Final[dict[str, CardFace]] = {"down": "down", "up": "up"}


class ShoeStanding(msgspec.Struct, frozen=True):
    """The number of the last exit, whether the shoe counts, and whether it has missed something in this hand."""

    last: int | None = None
    counting: bool = True
    hole: bool = False


class ShoeDesk:
    """Between the shoe and the hand that is dealt from it. Exits are numbered, so that one that was lost on the way is known."""

    def __init__(self) -> None:
        self._last: int | None = None
        self._counting = True
        #: something left the shoe that it did not count: it is no witness until the next hand
        self._hole = False
        self._before: list[inp.CardExited] = []

    def standing(self) -> ShoeStanding:
        """What is known of the shoe, for a recording."""
        return ShoeStanding(self._last, self._counting, self._hole)

    def take_up(self, known: ShoeStanding) -> None:
        """Go on from what a recording says."""
        self._last, self._counting, self._hole = known.last, known.counting, known.hole

    @property
    def counts(self) -> bool:
        """Whether what the shoe says can be held against what the antennas say."""
        return self._counting and not self._hole

    def working(self, zones: frozenset[str]) -> frozenset[str]:
        """The zones that have a working reader, the shoe only while it counts."""
        return zones if self.counts else zones - {ZONE}

    def hear(self, observation: Observation, role: str) -> bool:
        """Take what a device says of the shoe; returns whether it counts now and did not before, or the other way round."""
        counted = self.counts
        match observation:
            case ShoeChanged(state=state, exits=exits):
                self._counting = state == "counting"
                self._hole = self._hole or not self._counting
                if self._last is None:
                    self._last = exits
            case DeviceRestarted() if role == ZONE:
                self._last = None
                self._hole = True  # nobody knows what left it while it was away
            case _:
                return False
        return self.counts != counted

    def exited(self, exit_: ShoeExit, t_ms: int) -> inp.CardExited:
        """One exit as an input; it is kept for a hand that is not open yet, too."""
        missed = 0 if self._last is None else max(0, exit_.number - self._last - 1)
        self._last = exit_.number
        given = inp.CardExited(exit_.t_ms, _FACES.get(exit_.face, "unknown"), max(t_ms, exit_.t_ms), missed)
        self._before = [old for old in self._before if old.exit_ms > exit_.t_ms - LEAD_MS] + [given]
        return given

    def as_a_hand_begins(self, t_ms: int) -> list[inp.Input]:
        """The cards that left for a hand before it was open."""
        before, self._before = self._before, []
        return [
            inp.CardExited(given.exit_ms, given.face, t_ms)
            for given in before
            if given.exit_ms > t_ms - LEAD_MS
        ]

    def hand_over(self) -> None:
        """What the shoe has missed was of the hand that is over."""
        self._hole = not self._counting
        self._before = []
