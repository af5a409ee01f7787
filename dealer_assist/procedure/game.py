"""A game as data: deck, hole cards, streets. A new game needs a TOML file and no code."""

from __future__ import annotations

from typing import Literal

import msgspec

from dealer_assist.domain.table import Street
from dealer_assist.procedure.state import PlanStep


class StreetPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One street: how many cards are burned and turned before its betting round."""

    name: Street
    burn: int
    board: int

    def __post_init__(self) -> None:
        if not 0 <= self.burn <= 1:
            raise ValueError("burn: expected 0 or 1 cards")
        if not 0 <= self.board <= 3:
            raise ValueError("board: expected 0 to 3 cards")


class Game(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game. ``hole`` cards are dealt face down one at a time; ``use`` says which cards make a hand."""

    name: str
    title: str
    deck: Literal["standard52"]
    betting: Literal["no_limit"]
    hole: int
    max_seats: int
    use: Literal["any"]
    street: tuple[StreetPlan, ...]

    def __post_init__(self) -> None:
        if not 1 <= self.hole <= 5:
            raise ValueError("hole: expected 1 to 5 cards")
        if not 2 <= self.max_seats <= 11:
            raise ValueError("max_seats: expected 2 to 11")
        cards = self.max_seats * self.hole + sum(street.burn + street.board for street in self.street)
        if cards > 52:
            raise ValueError(
                f"street: the plan needs {cards} cards for {self.max_seats} seats, expected at most 52"
            )
        if not self.street or self.street[0].name != "preflop":
            raise ValueError("street: expected the first street to be 'preflop'")
        names = [street.name for street in self.street]
        if len(set(names)) != len(names):
            raise ValueError("street: expected each street once")

    def plan(self) -> tuple[PlanStep, ...]:
        """The steps of a hand that goes to showdown, in order."""
        steps = [PlanStep("deal", "preflop", self.hole)]
        for street in self.street:
            if street.burn:
                steps.append(PlanStep("burn", street.name, street.burn))
            if street.board:
                steps.append(PlanStep("board", street.name, street.board))
            steps.append(PlanStep("bet", street.name, 0))
        steps.append(PlanStep("show", self.street[-1].name, 0))
        return tuple(steps)
