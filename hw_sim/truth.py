"""The side file of a noisy trace: what was injected into it and which taps slipped, one JSON object a line (docs/traces.md)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

import msgspec

from hw_sim import steps as st
from hw_sim.physics import Movement

#: Read for so long at a place, that is twice, a card is known to be there; a single read may be a card that flies by.
KNOWN_MS: Final = 200
_EARLY: Final = {"preflop": "R1", "flop": "R2", "turn": "R3"}


class Departure:
    """A departure as it happens."""

    def __init__(self, step: st.Departs, before: list[Movement]) -> None:
        self.step = step
        self.t_ms: int | None = None
        self.next_step_ms = 0
        self.void_ms = 0
        self._evidence = before[-step.before :] if step.before else []
        self._wanted = step.cards

    def goes_on(self, movements: list[Movement], now_ms: int) -> None:
        """An act of it: the first says when it began."""
        if self.t_ms is None:
            self.t_ms = movements[0].laid_ms if movements else now_ms
        taken = movements[: self._wanted]
        self._evidence += taken
        self._wanted -= len(taken)

    def readable(self, read_for_ms: Callable[[str, str, int], int]) -> bool:
        """Whether the cards that show it were read where they lay."""
        return self.step.readable and all(
            read_for_ms(card.face, card.target, self.void_ms) >= KNOWN_MS for card in self._evidence
        )


class Truth:
    """Writes the lines. ``read_for_ms``: for how long the antenna of a zone has read a card in the running hand, by a time."""

    def __init__(self, write: Callable[[str], object], read_for_ms: Callable[[str, str, int], int]) -> None:
        self._write = write
        self._read_for_ms = read_for_ms

    def slip(self, hand: str, kind: str, seat: int, street: str, due_ms: int, made_ms: int) -> None:
        """A tap that was forgotten until asked for, or wrong, undone and made anew at ``made_ms``."""
        # what a table may ask where a tap is missing: of the burn, or of the card behind it
        rules = ["N10", *([_EARLY[street]] if street in _EARLY else [])] if kind == "forgotten_tap" else []
        self._line({"hand": hand, "slip": kind, "rules": rules, "seat": seat, "t": due_ms, "made_t": made_ms})

    def departure(self, hand: str, departure: Departure, end_ms: int) -> None:
        """A hand with a departure is over."""
        told = msgspec.to_builtins(departure.step)
        self._line(
            {
                "hand": hand,
                **{key: told[key] for key in ("kind", "rule", "also", "seat", "street")},
                "t": departure.t_ms,
                "next_step_t": departure.next_step_ms,
                "void_t": departure.void_ms,
                "end_t": end_ms,
                "readable": departure.readable(self._read_for_ms),
            }
        )

    def _line(self, told: dict[str, Any]) -> None:
        self._write(json.dumps(told, separators=(",", ":")) + "\n")
