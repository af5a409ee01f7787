"""The state of one hand's procedure: its plan, where every seen card is, what is being asked and mended. Immutable.

Cards are references that are random per hand; a face is here only once it is public. Dictionaries are never changed in place.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.cards import CardRef, Face
from dealer_assist.domain.table import HandOpening, Street
from dealer_assist.domain.zones import Zone

#: gather: the board zone must be cleared · shuffle: no reader sees it, passes at the next step that is seen
StepKind = Literal["deal", "bet", "burn", "board", "gather", "shuffle", "show"]


class PlanStep(msgspec.Struct, frozen=True):
    """One step of the plan: ``count`` cards of ``kind`` for ``street``."""

    kind: StepKind
    street: Street
    count: int


class Pitch(msgspec.Struct, frozen=True):
    """A card seen at a seat: it came after ``since_ms`` and by ``first_ms``."""

    ref: CardRef
    seat: int
    since_ms: int
    first_ms: int


class BoardSlot(msgspec.Struct, frozen=True):
    """A card on the board zone. ``early``: it was turned before its time and does not play."""

    ref: CardRef
    street: Street
    first_ms: int
    early: bool = False


class Bets(msgspec.Struct, frozen=True):
    """What the procedure needs to know of the betting on ``street``. ``actions``: kinds of its voluntary actions, in turn."""

    street: Street
    complete: bool
    over: bool
    pending: tuple[int, ...]
    live: tuple[int, ...]
    actions: tuple[str, ...] = ()


NO_BETS = Bets("preflop", complete=False, over=False, pending=(), live=())


class State(msgspec.Struct, frozen=True):
    """One hand. ``order``: the dealt-in seats, clockwise from the first one left of the button; ``at``: index of the current step."""

    hand: str
    attempt: int
    opening: HandOpening
    order: tuple[int, ...]
    hole: int
    plan: tuple[PlanStep, ...]
    #: the game's plan before any remedy rewrote it; a redeal starts from it
    base: tuple[PlanStep, ...]
    at: int = 0
    readers: frozenset[Zone] = frozenset()
    settle_ms: int = 600
    t_ms: int = 0
    pitches: tuple[Pitch, ...] = ()
    held: dict[int, tuple[CardRef, ...]] = {}
    where: dict[CardRef, Zone] = {}
    owner: dict[CardRef, int] = {}
    board: tuple[BoardSlot, ...] = ()
    burns: tuple[CardRef, ...] = ()
    #: burns that an irregularity took too soon and that the remedy lets stand for a later street
    spare_burns: tuple[CardRef, ...] = ()
    mucked: frozenset[CardRef] = frozenset()
    faces: dict[CardRef, Face] = {}
    asked: frozenset[CardRef] = frozenset()
    exposed: tuple[int, ...] = ()
    #: the card that must be the flop's burn (X2, X3, D8), "?" while it is not yet known which
    preset_burn: CardRef | None = None
    replacing: int | None = None
    alerts: dict[str, Alert] = {}
    #: alert id → the plan before its remedy rewrote it
    shelved: dict[str, tuple[PlanStep, ...]] = {}
    silenced: frozenset[str] = frozenset()
    marks: dict[int, tuple[str, ...]] = {}
    deadlines: dict[str, int] = {}
    misdeal: bool = False
    gathered: bool = False
    ended: Literal["", "completed", "misdeal", "void"] = ""

    @property
    def step(self) -> PlanStep:
        """The step that is due now."""
        return self.plan[self.at]

    @property
    def street(self) -> Street:
        """The street of the current step."""
        return self.plan[self.at].street
