"""A game as data: deck, hole cards, posts, streets, what makes a hand. A new game needs a TOML file and no code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal

import msgspec
from msgspec.structs import replace

from dealer_assist.domain.cards import STANDARD_52, Face
from dealer_assist.domain.table import STREETS, Street
from dealer_assist.domain.zones import BOARDS
from dealer_assist.procedure.state import Folds, PlanStep
from firmware_protocol.toml_errors import ConfigError, Document, Problem, refuse

Ranking = Literal["standard", "short_trips_over_straight", "short_straight_over_trips"]
Use = Literal["any", "two_and_three", "point_and_one"]

_EVENT: Final = re.compile(r"[a-z][a-z0-9_]*")

DECKS: Final[dict[str, tuple[Face, ...]]] = {
    "standard52": STANDARD_52,
    "short36": tuple([face for face in STANDARD_52 if face[0] not in "2345"]),
}


class StreetPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One street: how many cards are burned and turned on each board before its betting round, if it has one.

    ``discard``: cards that every live seat gives up, before or after the betting. ``point``: every live seat names its point card
    before it acts. ``window``: folded seats may buy their hands back before the betting.
    """

    name: Street
    burn: int = 0
    board: int = 0
    bet: bool = True
    discard: int = 0
    discard_when: Literal["before_bet", "after_bet"] = "before_bet"
    point: bool = False
    window: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.burn <= 1:
            raise ValueError("burn: expected 0 or 1 cards")
        if not 0 <= self.board <= 3:
            raise ValueError("board: expected 0 to 3 cards")
        if self.burn and not self.board:
            raise ValueError("burn: expected a board card behind it")
        if not 0 <= self.discard <= 4:
            raise ValueError("discard: expected 0 to 4 cards")
        if self.discard and self.discard_when == "after_bet" and not self.bet:
            raise ValueError("discard_when: expected before_bet on a street without betting")


class Game(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game.

    ``hole`` cards are dealt face down one at a time. ``use`` says which cards make a hand: any five, exactly two of the hand and
    three of the board, or the point card with at most one other. ``folded``: where folded cards go: to the muck, face up at the
    seat (Showtime), or kept face down there (Unfold). ``events``: names of what is played beside the cards and only logged.
    """

    name: str
    title: str
    deck: Literal["standard52", "short36"]
    betting: Literal["no_limit", "pot_limit", "fixed_limit"]
    hole: int
    max_seats: int
    use: Use
    street: tuple[StreetPlan, ...]
    boards: int = 1
    ranking: Ranking = "standard"
    posts: Literal["blinds", "antes", "antes_and_button_blind", "unfold"] = "blinds"
    folded: Folds = "muck"
    events: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        refuse(self._mistakes())

    def _mistakes(self) -> Iterator[str]:
        if not 1 <= self.hole <= 5:
            yield "hole: expected 1 to 5 cards"
        if not 2 <= self.max_seats <= 11:
            yield "max_seats: expected 2 to 11"
        if not 1 <= self.boards <= 2:
            yield "boards: expected 1 or 2"
        if not self.street or self.street[0].name != "preflop":
            yield "street: expected the first street to be 'preflop'"
            return
        if self.street[0].burn or self.street[0].board:
            yield "street: expected no burn and no board card before the flop"
        places = [STREETS.index(street.name) for street in self.street]
        if places != sorted(set(places)):
            yield "street: expected each street once, in the order preflop, flop, turn, river"
        if any(not _EVENT.fullmatch(name) for name in self.events):
            yield "events: expected names of small letters, digits and _, as x_ray"
        yield from self._of_cards()
        yield from self._of_choices()
        yield from self._of_unfold()

    def _of_cards(self) -> Iterator[str]:
        count = len(DECKS[self.deck])
        cards = self.max_seats * self.hole + sum(
            [street.burn + street.board * self.boards for street in self.street]
        )
        if cards > count:
            yield f"street: expected at most the {count} cards of the deck, the plan needs {cards} for {self.max_seats} seats"
        board = sum([street.board for street in self.street])
        if board != 5:
            yield f"street: expected 5 board cards in all, the plan turns {board}"
        if not any(street.bet for street in self.street):
            yield "street: expected a betting round"

    def _of_choices(self) -> Iterator[str]:
        if self.kept < 2:
            yield f"street: expected two cards or more to keep, the discards leave {self.kept}"
        if (self.use == "point_and_one") != any(street.point for street in self.street):
            yield "use: expected point_and_one exactly where a street sets the point card"
        if any(street.point and not street.bet for street in self.street):
            yield "street: expected betting on the street where the point card is named"
        if self.ranking != "standard" and self.deck != "short36":
            yield "ranking: expected standard for the whole deck"

    def _of_unfold(self) -> Iterator[str]:
        """The window, the fund and the hands that wait at their seats belong together; the window is the flop's (S000-24)."""
        windows = [street.name for street in self.street if street.window]
        if (self.posts == "unfold") != bool(windows):
            yield "posts: expected unfold exactly where a street has a window"
        if windows not in ([], ["flop"]):
            yield f"street: expected the window on the flop alone, found it on {', '.join(windows)}"
        if windows and self.folded != "kept":
            yield "folded: expected kept where a window buys hands back"
        if windows and not self.street[0].bet:
            yield "street: expected betting before the flop, where hands are folded that a window buys back"

    @property
    def kept(self) -> int:
        """How many cards a hand has at showdown."""
        return self.hole - sum([street.discard for street in self.street])

    @property
    def first_street(self) -> int:
        """The number of the first street with betting: 0 preflop."""
        return next(number for number, street in enumerate(self.street) if street.bet)

    @property
    def faces(self) -> tuple[Face, ...]:
        """The cards of the game."""
        return DECKS[self.deck]

    def plan(self) -> tuple[PlanStep, ...]:
        """The steps of a hand that goes to showdown, in order."""
        steps = [PlanStep("deal", "preflop", self.hole)]
        for street in self.street:
            steps += self._street(street)
        steps.append(PlanStep("show", self.street[-1].name, 0))
        return tuple(steps)

    def _street(self, street: StreetPlan) -> list[PlanStep]:
        steps = []
        if street.burn:
            steps.append(PlanStep("burn", street.name, street.burn))
        if street.board:
            steps += [PlanStep("board", street.name, street.board, zone) for zone in BOARDS[: self.boards]]
        discard = [PlanStep("discard", street.name, street.discard)] if street.discard else []
        if street.discard_when == "before_bet":
            steps += discard
        if street.window:
            steps.append(PlanStep("window", street.name, 0))
        if street.point:
            steps.append(PlanStep("point", street.name, 1))
        if street.bet:
            steps.append(PlanStep("bet", street.name, 0))
        if street.discard_when == "after_bet":
            steps += discard
        return steps


def load(document: Document, read: Callable[[str], Document]) -> Game:
    """The game of a file; ``extends`` takes over every key of another that the file does not have. Raises ConfigError."""
    data = _keys(document, read, (document.file,))
    try:
        return document.with_data(data).convert(Game)
    except ConfigError as error:
        raise ConfigError(document.file, [_placed(document, problem) for problem in error.problems]) from None


def _placed(document: Document, problem: Problem) -> Problem:
    """A mistake in what was taken over, which is right by itself, does not fit what this file says: told where it is taken over."""
    if "extends" not in document.data or re.split(r"[.\[]", problem.path)[0] in document.data:
        return problem
    place = document.place(("extends",))
    return replace(problem, line=place.line, column=place.column)


def _keys(document: Document, read: Callable[[str], Document], above: tuple[str, ...]) -> dict[str, Any]:
    data = {key: value for key, value in document.data.items() if key != "extends"}
    name = document.data.get("extends")
    if name is None:
        return data
    if not isinstance(name, str) or document.beside(name) in above:
        raise document.error_at(("extends",), "the name of a game that does not extend this one")
    name = document.beside(name)
    try:
        base = read(name)
    except ConfigError:
        raise
    except (ValueError, OSError) as error:
        raise document.error_at(("extends",), f"a game that there is ({error})") from None
    taken = _keys(base, read, (*above, name))
    base.with_data(taken).convert(Game)  # its own mistakes are told in its own file
    return {**taken, **data}
