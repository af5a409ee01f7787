"""What happens at a table, one step at a time: physical acts, taps, checks, waits. Scenarios and hand histories become these."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from hw_sim import faults
from hw_sim.games import GamePlan

BoardZone = Literal["board", "board2", "board3"]


class Pitch(msgspec.Struct, frozen=True):
    """One card from the top of the stub to a seat. ``late_ms``: first read so much later; ``unread``: never read there."""

    seat: int
    unread: bool = False
    late_ms: int = 0


class DealRest(msgspec.Struct, frozen=True):
    """The deal from where it is to its end, one card at a time in the proper order."""

    late_ms: int = 0


class Burn(msgspec.Struct, frozen=True):
    """The top card to the burn spot."""

    unread: bool = False
    late_ms: int = 0


class Board(msgspec.Struct, frozen=True):
    """Cards from the top of the stub to the board, or to the second or third one; the last ``unread`` of them are never read."""

    count: int
    unread: int = 0
    late_ms: int = 0
    zone: BoardZone = "board"


class Move(msgspec.Struct, frozen=True):
    """Cards from one place to another: seatN, seatN:K, board, board:K, board2, board3, burn, gate, muck, aside, off, stub (its top)."""

    source: str
    target: str
    count: int = 1


class Gather(msgspec.Struct, frozen=True):
    """Every card back into the deck."""


class Shuffle(msgspec.Struct, frozen=True):
    """The stub, with what was put back into it, in a new order."""


class Fold(msgspec.Struct, frozen=True):
    """A seat gives up its hand: to the muck, unless the game leaves folded hands where they are. ``showdown``: always to the muck."""

    seat: int
    showdown: bool = False


class Discard(msgspec.Struct, frozen=True):
    """A seat's last ``count`` cards to the muck, together."""

    seat: int
    count: int = 1


class UseDeck(msgspec.Struct, frozen=True):
    """From now on cards come from this deck; the other one waits beside."""

    name: Literal["A", "B"]


class Stranger(msgspec.Struct, frozen=True):
    """A card of the deck that waits beside gets to a place."""

    place: str


class Foreign(msgspec.Struct, frozen=True):
    """Cards that belong to no deck of the table get to a place."""

    place: str
    count: int = 1


class LayDeck(msgspec.Struct, frozen=True):
    """Each card of a deck on a place and away again, one after the other, ``each_ms`` apart: a registration, a deck check."""

    deck: Literal["A", "B"]
    place: str
    each_ms: int


class Touch(msgspec.Struct, frozen=True):
    """A card of the deck lies on a place for ``stay_ms``, and is taken away again: a calibration."""

    place: str
    stay_ms: int


class Sweep(msgspec.Struct, frozen=True):
    """All cards are collected after the hand."""


class Tap(msgspec.Struct, frozen=True):
    """The dealer's tap: a command as the socket takes it. ``after_ms``: how long after the act before it.

    ``refused``: the code that the table must refuse it with, empty for a tap that it takes.
    """

    command: dict[str, Any]
    after_ms: int = 0
    refused: str = ""


class Check(msgspec.Struct, frozen=True):
    """Something must hold now, or within ``within_ms``; ``settle_ms``: let so much time pass first."""

    wanted: dict[str, Any]
    within_ms: int = 8000
    settle_ms: int = 0
    line: int = 0


class Wait(msgspec.Struct, frozen=True):
    """Let time pass."""

    ms: int


class Fault(msgspec.Struct, frozen=True):
    """Something happens to a device: unplug, plug, garbage (``count`` bytes)."""

    kind: str
    device: str
    count: int = 0


class ShoeOn(msgspec.Struct, frozen=True):
    """The table has a shoe, whose exits follow from what comes off the stub; ``faces``: it has a face sensor."""

    faces: bool = False


class ShoeOdd(msgspec.Struct, frozen=True):
    """The next card leaves the shoe otherwise: ``miss`` (it is not counted), ``up`` (face up), ``extra`` (one more is counted)."""

    kind: Literal["miss", "up", "extra"]


class Departs(msgspec.Struct, frozen=True):
    """From here on the hand departs from the procedure: with the next act.

    ``kind``, ``rule``, ``also``, ``seat``, ``street``: what it is, as the side file of a trace names it (docs/traces.md). ``before``
    and ``cards``: so many cards before it and from now on must be read to tell it. ``readable``: False where no antenna can tell it.
    """

    kind: str
    rule: str
    street: str
    also: tuple[str, ...] = ()
    seat: int | None = None
    before: int = 0
    cards: int = 0
    readable: bool = True


class Stops(msgspec.Struct, frozen=True):
    """The dealer stops and the floor voids the hand. ``next_step``: what would have come next."""

    next_step: Literal["first_action", "action", "board"]


class Inject(msgspec.Struct, frozen=True):
    """A fault of the catalogue begins or ends. ``text``: its line; ``line``: where that stands in the file."""

    fault: faults.Fault
    text: str
    line: int = 0


class ShufflerState(msgspec.Struct, frozen=True):
    """The shuffler says what it does, in a word of the protocol."""

    state: str


class ShufflerVerdict(msgspec.Struct, frozen=True):
    """The shuffler says what it counted. ``expected`` None: as many as the game has; ``result`` "": as the numbers say."""

    count: int
    expected: int | None = None
    result: str = ""

    def message(self, deck: int) -> tuple[str, int, int]:
        """Result, count and expected of the message, for a game of ``deck`` cards."""
        expected = deck if self.expected is None else self.expected
        told = "complete" if self.count == expected else "short" if self.count < expected else "long"
        return self.result or told, self.count, expected


Act = (
    Pitch
    | DealRest
    | Burn
    | Board
    | Move
    | Gather
    | Shuffle
    | Fold
    | Discard
    | UseDeck
    | Stranger
    | Foreign
    | LayDeck
    | Touch
    | Sweep
    | ShoeOdd
)
Says = ShufflerState | ShufflerVerdict
Step = Act | Tap | Check | Wait | Fault | Inject | Says | ShoeOn | Departs | Stops


class Hand(msgspec.Struct, frozen=True):
    """A hand to play: its opening as the socket takes it, the deck from the top, the steps, and what must come of it.

    ``stakes``: what the table's limits say besides the blinds and the ante, as a trace's header has it.
    ``before``: what happens before the hand is opened. ``shuffler``: auto (a complete deck comes before the hand), script
    (only what the steps say) or none (the table has none). ``decks``: 2 where both decks of the table come to it. ``rake``: how
    its table rakes, as a trace's header says it; ``chips``: the kinds of chips in play.
    """

    name: str
    source: str
    opening: dict[str, Any]
    deck: tuple[str, ...]
    steps: tuple[Step, ...]
    expect: dict[str, Any]
    small_blind: int
    big_blind: int
    ante: int = 0
    stakes: dict[str, Any] = {}
    house: str = "seed"
    game: str = "nlhe"
    entry: str = "every_action"
    tracking: str = "full"
    unit: str = "1 chip"
    rake: dict[str, Any] = {}
    chips: tuple[int, ...] = ()
    registered: dict[str, str] = {}
    title: str = ""
    plan: GamePlan = GamePlan()
    before: tuple[Step, ...] = ()
    shuffler: Literal["auto", "script", "none"] = "auto"
    decks: int = 1
    houses: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    incident: str = ""
    case: str = ""
    faults: bool = False

    def seats(self) -> tuple[int, ...]:
        """Dealt-in seats, clockwise from the first left of the button."""
        button = self.opening["button"]
        return tuple(
            sorted(
                (record["seat"] for record in self.opening["seats"]),
                key=lambda seat: (seat - button - 1) % 11,
            )
        )

    def posts(self) -> list[dict[str, Any]]:
        """The forced bets: as the source has them, or by the game and the hand's limits. Heads-up the button has the small blind."""
        if self.opening.get("posts"):
            return list(self.opening["posts"])
        seats = self.seats()
        # these antes are what a folded hand may be bought back for
        ante = "unfold_ante" if self.plan.posts == "unfold" else "ante"
        antes = [{"seat": seat, "amount": self.ante, "kind": ante} for seat in seats if self.ante]
        who = self.stakes.get("ante_kind", "each")
        match self.plan.posts:
            case "antes":
                return antes
            case "antes_and_button_blind":
                # the button is the last of the seats, unless it is dead
                button = [seat for seat in seats if seat == self.opening["button"]]
                return antes + [
                    {"seat": seat, "amount": self.big_blind, "kind": "button_blind"} for seat in button
                ]
        blinds = seats[::-1] if len(seats) == 2 else seats[:2]
        posts: list[dict[str, Any]] = [
            *(antes if who == "each" and self.plan.posts == "blinds" else []),
            {"seat": blinds[0], "amount": self.small_blind, "kind": "small_blind"},
            {"seat": blinds[1], "amount": self.big_blind, "kind": "big_blind"},
        ]
        if self.plan.posts == "blinds" and who != "each":
            # one pays the ante for all, behind its blind
            payer = blinds[1] if who == "big_blind" else self.opening["button"]
            posts += [post for post in antes if post["seat"] == payer]
        return posts + self._kill(posts) + (antes if self.plan.posts == "unfold" else [])

    def _kill(self, posts: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The blind of the seat that kills the pot, half of it rounded up to whole chips: what its own blind lacks of it."""
        killer, kill = self.opening.get("killer"), self.opening.get("kill")
        if not kill:
            return []
        chip = min(self.chips, default=1)
        whole = 2 * self.big_blind if kill == "full" else -(-3 * self.big_blind // (2 * chip)) * chip
        posted = sum(
            post["amount"]
            for post in posts
            if post["seat"] == killer and post["kind"] in ("small_blind", "big_blind")
        )
        return [{"seat": killer, "amount": whole - posted, "kind": "kill"}]

    @property
    def shoe(self) -> Literal["", "counts", "sees"]:
        """Whether its table has a shoe, and whether that sees which way a card faces."""
        found = [step for step in (*self.before, *self.steps) if isinstance(step, ShoeOn)]
        return "" if not found else "sees" if any(step.faces for step in found) else "counts"

    def places(self) -> frozenset[str]:
        """The places that its steps name."""
        named: set[str] = set()
        for step in self.steps:
            match step:
                case Move():
                    named |= {step.source.partition(":")[0], step.target.partition(":")[0]}
                case Board():
                    named.add(step.zone)
                case Stranger() | Foreign():
                    named.add(step.place)
                case _:
                    pass
        return frozenset(named)
