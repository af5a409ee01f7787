"""The state of one hand's procedure: its plan, where every seen card is, what is being asked and mended. Immutable.

Cards are references that are random per hand; a face is here only once it is public. Dictionaries are never changed in place.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.cards import CardRef, Face
from dealer_assist.domain.table import STREETS, Entry, HandOpening, HandResult, Street
from dealer_assist.domain.zones import BOARD, BOARDS, Zone
from dealer_assist.procedure.alignment.sensing import SensingParameters

#: gather: the board zone must be cleared · shuffle: no reader sees it, passes at the next step that is seen · discard: every live
#: seat gives cards to the muck · point: every live seat names its point card · window: folded seats may buy their hands back
StepKind = Literal["deal", "bet", "burn", "board", "gather", "shuffle", "discard", "point", "window", "show"]
#: where folded cards go: the muck, face up at the seat (Showtime), face down at the seat (Unfold)
Folds = Literal["muck", "face_up", "kept"]
#: a card that fell off the table before its seat read it goes by a name that begins so until it is read
OFF_TABLE: Final = "off."
#: unknown: nobody says · used: dealt from and not shuffled since · shuffling · short: the last count was wrong · ready
DeckState = Literal["unknown", "used", "shuffling", "short", "ready"]
#: which way a card faced when it left the shoe; unknown without a face sensor
CardFace = Literal["unknown", "down", "up"]


class PlanStep(msgspec.Struct, frozen=True):
    """One step of the plan: ``count`` cards of ``kind`` for ``street``.

    ``zone``: the board that a board step is about; in a hand that is run more than once a burn step says it, too.
    """

    kind: StepKind
    street: Street
    count: int
    zone: Zone = BOARD


class Pitch(msgspec.Struct, frozen=True):
    """A card seen at a seat: it came after ``since_ms`` and by ``first_ms``."""

    ref: CardRef
    seat: int
    since_ms: int
    first_ms: int


class Glimpse(msgspec.Struct, frozen=True):
    """One read of a card that was not followed by a second."""

    ref: CardRef
    zone: Zone
    first_ms: int


class BoardSlot(msgspec.Struct, frozen=True):
    """A card on a board zone. ``early``: it was turned before its time and does not play."""

    ref: CardRef
    street: Street
    first_ms: int
    early: bool = False
    zone: Zone = BOARD


class Exit(msgspec.Struct, frozen=True):
    """A card that left the shoe at ``t_ms``. ``missed``: so many left before it, nobody knows when (the line was too full)."""

    t_ms: int
    face: CardFace = "unknown"
    missed: int = 0


class Bets(msgspec.Struct, frozen=True):
    """What the procedure needs to know of the betting on ``street``.

    ``actions``: kinds of its voluntary actions, in turn; ``all_in``: live seats without chips; ``runout``: nobody can bet any more;
    ``shown``: seats that tabled their hands; ``awarded``: it is decided who gets the pots.
    """

    street: Street
    complete: bool
    over: bool
    pending: tuple[int, ...]
    live: tuple[int, ...]
    actions: tuple[str, ...] = ()
    all_in: tuple[int, ...] = ()
    runout: bool = False
    shown: tuple[int, ...] = ()
    awarded: bool = False
    #: when the last action was entered, in table ms
    entered_ms: int = 0
    #: the seat that bet or raised last on this street
    aggressor: int | None = None
    #: the seats of ``actions``
    actors: tuple[int, ...] = ()
    #: cards are dealt on although one hand is left: others play for the unfold fund
    playing_on: bool = False


NO_BETS = Bets("preflop", complete=False, over=False, pending=(), live=())


class RunItRule(msgspec.Struct, frozen=True):
    """How often a house lets the rest of the board be dealt (1: once, as always), and to how many players at most."""

    times: int = 1
    players: int = 11


class State(msgspec.Struct, frozen=True):
    """One hand. ``order``: the dealt-in seats, clockwise from the first one left of the button; ``at``: index of the current step."""

    hand: str
    attempt: int
    opening: HandOpening
    order: tuple[int, ...]
    hole: int
    #: cards of a hand at showdown: fewer than ``hole`` in a game with discards
    kept: int
    plan: tuple[PlanStep, ...]
    #: the game's plan before any remedy rewrote it; a redeal starts from it
    base: tuple[PlanStep, ...]
    folds: Folds = "muck"
    entry: Entry = "every_action"
    #: how many cards the deck of the game has
    cards: int = 52
    #: the street whose round the dealer said is not closed yet: no burn closes it
    held_open: Street | None = None
    #: when the dealer said so: cards that come later may close it
    held_at_ms: int = 0
    at: int = 0
    readers: frozenset[Zone] = frozenset()
    settle_ms: int = 600
    #: how well the antennas read, as it was known when the hand was opened
    sensing: dict[Zone, SensingParameters] = {}
    t_ms: int = 0
    pitches: tuple[Pitch, ...] = ()
    #: reads of cards that did not come to lie there, oldest first
    glimpses: tuple[Glimpse, ...] = ()
    held: dict[int, tuple[CardRef, ...]] = {}
    where: dict[CardRef, Zone] = {}
    #: since when a card that was read lies nowhere that is read, in table milliseconds
    away_ms: dict[CardRef, int] = {}
    #: when such a card was read last, in table milliseconds, where that is known: earlier than it was told to be away
    last_ms: dict[CardRef, int] = {}
    #: when a card was first read where it lies or lay last, in table milliseconds
    came_ms: dict[CardRef, int] = {}
    #: cards that the burn spot read for a moment only and then no more: they may lie at its edge, on the board
    edge_burns: frozenset[CardRef] = frozenset()
    owner: dict[CardRef, int] = {}
    board: tuple[BoardSlot, ...] = ()
    burns: tuple[CardRef, ...] = ()
    #: burns that an irregularity took too soon and that the remedy lets stand for a later street
    spare_burns: tuple[CardRef, ...] = ()
    #: burns too many that lie dead: they count for no street
    dead_burns: frozenset[CardRef] = frozenset()
    mucked: frozenset[CardRef] = frozenset()
    faces: dict[CardRef, Face] = {}
    asked: frozenset[CardRef] = frozenset()
    exposed: tuple[int, ...] = ()
    #: the card that must be the flop's burn (X2, X3, D8), "?" while it is not yet known which
    preset_burn: CardRef | None = None
    replacing: int | None = None
    #: seats whose hands are dead by ruling (D6, D10, …)
    dead: frozenset[int] = frozenset()
    #: cards that do not play and count as nothing: boxed, jokers, cards that were taken out
    scrapped: frozenset[CardRef] = frozenset()
    #: reported cards set aside that no reader has seen yet: the next one too many is such a card
    scrap_due: int = 0
    #: the floor is to draw one of too many flop cards (TDA 39-A)
    pick_due: bool = False
    #: seats whose action was amended
    corrected: tuple[int, ...] = ()
    #: seats that named their point card, or gave their discards without a reader seeing it
    chosen: dict[int, tuple[CardRef, ...]] = {}
    #: how many times the stub was shuffled in this hand: what was known of its order before is void
    reshuffles: int = 0
    deck: DeckState = "unknown"
    #: counts what was seen to happen: the steps no reader sees tick when it moves on
    progress: int = 0
    #: alert id → progress, street and number of actions when its remedy began
    begun: dict[str, tuple[int, str, int]] = {}
    alerts: dict[str, Alert] = {}
    #: alert id → the plan before its remedy rewrote it
    shelved: dict[str, tuple[PlanStep, ...]] = {}
    #: alert id → when its question about the order of the deal came up, in table milliseconds
    asked_ms: dict[str, int] = {}
    silenced: frozenset[str] = frozenset()
    marks: dict[int, tuple[str, ...]] = {}
    deadlines: dict[str, int] = {}
    #: what the house allows; what the players agreed on: the boards from ``run_from`` on are dealt so many times
    run_it: RunItRule = RunItRule()
    hands_up: bool = False
    times: int = 1
    run_from: Street | None = None
    #: ``cards_out`` when they agreed
    agreed_at: int = 0
    #: which of them is being dealt; the plan has the steps of this one and of those before it
    run: int = 1
    #: the own cards of the boards that are finished; ``board`` has what is common to all and the cards of the running one
    finished: tuple[BoardSlot, ...] = ()
    #: there was a dispute: the first board alone counts (WLA 210)
    first_only: bool = False
    #: the cards that left the shoe since the deal began, oldest first; none where no shoe counts (``"shoe" in readers``)
    exits: tuple[Exit, ...] = ()
    misdeal: bool = False
    gathered: bool = False
    ended: HandResult | Literal[""] = ""

    @property
    def step(self) -> PlanStep:
        """The step that is due now."""
        return self.plan[self.at]

    @property
    def slots(self) -> tuple[BoardSlot, ...]:
        """Every card on any board; of one board from left to right."""
        return (*self.board, *self.finished)

    @property
    def runs_left(self) -> int:
        """How many boards are still to be dealt after the running one."""
        return 0 if self.first_only else self.times - self.run

    @property
    def cards_out(self) -> int:
        """How many burns and board cards lie there."""
        return len(self.burns) + len(self.spare_burns) + len(self.dead_burns) + len(self.slots)

    def run_zone(self, run: int) -> Zone:
        """The board of a run, 1 for the first."""
        return BOARDS[run - 1]

    def common(self, street: Street) -> bool:
        """Whether the cards of a street are common to all boards: they lay there before it was agreed to run it more than once."""
        return self.run_from is None or STREETS.index(street) < STREETS.index(self.run_from)

    @property
    def due(self) -> int:
        """How many cards a hand has now: the hole cards less the discards that are behind it."""
        return self.hole - sum([step.count for step in self.plan[: self.at] if step.kind == "discard"])

    @property
    def street(self) -> Street:
        """The street of the current step."""
        return self.plan[self.at].street
