"""Departures from the procedure that readers can see, put into hands that were dealt right: one a hand, named by its row of the catalogue.

A departure stays within one step of the hand (the deal, a burn, the cards of a street); the hand goes on to the end of that step, and
there the dealer stops.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Final, Literal

from msgspec.structs import replace

from hw_sim import steps as st

#: Seats that a table may have beside those that play.
_SEATS: Final = range(1, 10)
_NO_BURN: Final = {"flop": "N1", "turn": "N3", "river": "N3"}
_EARLY: Final = {"preflop": "R1", "flop": "R2", "turn": "R3"}
_STREETS: Final = {3: "flop", 4: "turn", 5: "river"}
_ALL_SEATS: Final = 11


def departed(hand: st.Hand, rng: random.Random) -> st.Hand | None:
    """The hand with one departure, any that it has room for; None where it has room for none.

    Only hands whose whole deal is one step and in which nothing is checked: histories, not scenarios.
    """
    if sum(isinstance(step, st.DealRest) for step in hand.steps) != 1 or hand.plan.hole != 2:
        return None
    if any(isinstance(step, st.Check | st.Pitch | st.Move) for step in hand.steps):
        return None
    course = _Course(hand)
    # a weighted order: the largest of u ** (1 / weight) comes first (Efraimidis and Spirakis 2006)
    drawn = sorted((rng.random() ** (1 / often), maker.__name__, maker) for maker, often in _MAKERS)
    for _, _, maker in reversed(drawn):
        steps = maker(course, rng)
        if steps is not None:
            stacks = {str(record["seat"]): record["stack"] for record in hand.opening["seats"]}
            return replace(hand, steps=tuple(steps), expect={"result": "void", "stacks": stacks})
    return None


class _Street:
    """A burn and the board cards behind it. ``at``: the index of the burn; ``acts``: indices of the actions on the street before it."""

    def __init__(self, name: str, at: int, count: int, acts: list[int]) -> None:
        self.name = name
        self.at = at
        self.count = count
        self.acts = acts


class _Course:
    """A hand, taken apart."""

    def __init__(self, hand: st.Hand) -> None:
        self.steps = list(hand.steps)
        self.deal_at = next(index for index, step in enumerate(self.steps) if isinstance(step, st.DealRest))
        self.order = hand.seats()
        self.positions = [*self.order, *self.order]
        self.empty = [seat for seat in _SEATS if seat not in self.order]
        self.streets = list(self._streets())
        self.second_deck = hand.decks > 1

    def dealt(self, seats: list[int]) -> list[st.Step]:
        """Everything up to the deal, and a deal in this order."""
        return [*self.steps[: self.deal_at], *[st.Pitch(seat) for seat in seats]]

    def _streets(self) -> Iterator[_Street]:
        """The streets with a betting round before them and behind them: where all is all-in nothing is said of them here."""
        acts: list[int] = []
        board = 0
        for index, step in enumerate(self.steps):
            if isinstance(step, st.Tap) and step.command["kind"] == "act":
                acts.append(index)
            elif isinstance(step, st.Burn):
                follows = self.steps[index + 1]
                if not isinstance(follows, st.Board):
                    return
                board += follows.count
                rest = self.steps[index + 2 :]
                ahead = next((step for step in rest if isinstance(step, st.Tap | st.Burn)), None)
                played = isinstance(ahead, st.Tap) and ahead.command["kind"] == "act"
                if acts and played and board in _STREETS:
                    yield _Street(_STREETS[board], index, follows.count, acts)
                acts = []


_Maker = Callable[[_Course, random.Random], "list[st.Step] | None"]


def _stop(
    *steps: st.Step, ahead: Literal["first_action", "action", "board"] = "first_action"
) -> list[st.Step]:
    return [*steps, st.Stops(ahead)]


# -- the deal ----------------------------------------------------------------------------------------------------------------------


def _deal(course: _Course, seats: list[int], at: int, departs: st.Departs) -> list[st.Step]:
    """A deal in this order; what is wrong about it begins with its card ``at``."""
    steps = course.dealt(seats)
    steps.insert(course.deal_at + at, departs)
    return _stop(*steps)


def _skip(course: _Course, rng: random.Random) -> list[st.Step]:
    """A seat is passed over, and the deal goes on behind it. In the second round it is a card short when the deal is over."""
    count = len(course.order)
    at = rng.randrange(2 * count)
    seat = course.positions[at]
    if at == 0:
        rule = "D1"
        also: tuple[str, ...] = ("D3", "D5")
    elif at < count:
        rule, also = "D3", ("D5", *(("D7",) if at == count - 1 else ()))
    elif at == 2 * count - 1:
        rule, also = "D7", ("D5",)
    else:
        rule, also = "D5", ("D3",)
    seats = [*course.positions[:at], *course.positions[at + 1 :]]
    # behind the last card nothing comes that could show that one is missing
    last = at == 2 * count - 1
    return _deal(course, seats, at, st.Departs("skip", rule, "preflop", also, seat, readable=not last))


def _double(course: _Course, rng: random.Random) -> list[st.Step]:
    """A seat gets two cards one after the other. In the first round it is passed over in the second, else it has one too many."""
    count = len(course.order)
    at = rng.randrange(2 * count)
    seats = list(course.positions)
    seats.insert(at + 1, seats[at])
    if at < count:
        del seats[at + 1 + count]
        # for the last seat before the first one in order: its second card comes before all others of the round
        departs = st.Departs("double", "D4", "preflop", ("D8", "D3"), course.positions[at], before=1, cards=1)
    else:
        departs = st.Departs("double", "D8", "preflop", ("D4",), course.positions[at], before=1, cards=1)
    return _deal(course, seats, at + 1, departs)


def _swap(course: _Course, rng: random.Random) -> list[st.Step]:
    """Two seats in a row get their cards the wrong way round."""
    count = len(course.order)
    at = rng.randrange(count) + rng.choice((0, count))
    at -= 1 if (at + 1) % count == 0 else 0
    seats = list(course.positions)
    seats[at], seats[at + 1] = seats[at + 1], seats[at]
    also = ("D1", "D3") if at == 0 else ("D3",)
    return _deal(course, seats, at, st.Departs("swap", "D4", "preflop", also, seats[at], cards=2))


def _wrong_first(course: _Course, rng: random.Random) -> list[st.Step] | None:
    """The deal begins with another seat than the first left of the button, and goes round from there."""
    if len(course.order) < 3:
        return None
    by = rng.choice((1, len(course.order) - 1))
    seats = [*course.order[by:], *course.order[:by]] * 2
    return _deal(
        course, seats, 0, st.Departs("wrong_first", "D1", "preflop", ("D3", "D4"), course.order[0], cards=1)
    )


def _stray(course: _Course, rng: random.Random) -> list[st.Step] | None:
    """A card goes to a seat that is not in the hand."""
    if not course.empty:
        return None
    seat = rng.choice(course.empty)
    # it goes where a card would go if the seat were in, never first of all
    at = sum((other - seat) % _ALL_SEATS > (course.order[0] - seat) % _ALL_SEATS for other in course.order)
    at = max(1, at) + rng.choice((0, len(course.order)))
    seats = list(course.positions)
    seats.insert(at, seat)
    return _deal(course, seats, at, st.Departs("stray", "D2", "preflop", ("D1", "D11"), seat, cards=1))


def _overdealt(course: _Course, rng: random.Random) -> list[st.Step]:
    """The deal goes on for a card too many."""
    seats = [*course.positions, course.order[0]]
    departs = st.Departs("overdealt", "D8", "preflop", ("D4",), course.order[0], cards=1)
    return _deal(course, seats, len(course.positions), departs)


def _mixed_deal(course: _Course, rng: random.Random) -> list[st.Step] | None:
    """A card of the other deck is among those that are dealt."""
    if not course.second_deck:
        return None
    at = rng.randrange(len(course.positions))
    seat = course.positions[at]
    steps = course.dealt(course.positions)
    steps[course.deal_at + at] = st.Stranger(f"seat{seat}")
    steps.insert(course.deal_at + at, st.Departs("mixed_deck", "K2", "preflop", (), seat, cards=1))
    return _stop(*steps)


# -- burns and boards --------------------------------------------------------------------------------------------------------------


def _street(course: _Course, rng: random.Random, *names: str) -> _Street | None:
    streets = [street for street in course.streets if not names or street.name in names]
    return rng.choice(streets) if streets else None


def _no_burn(course: _Course, rng: random.Random) -> list[st.Step] | None:
    """Board cards without a burn."""
    street = _street(course, rng)
    if street is None:
        return None
    departs = st.Departs("no_burn", _NO_BURN[street.name], street.name, cards=street.count)
    return _stop(*course.steps[: street.at], departs, st.Board(street.count), ahead="action")


def _late_burn(course: _Course, rng: random.Random) -> list[st.Step] | None:
    """The board cards first, then the burn."""
    street = _street(course, rng)
    if street is None:
        return None
    departs = st.Departs("late_burn", _NO_BURN[street.name], street.name, cards=street.count + 1)
    return _stop(*course.steps[: street.at], departs, st.Board(street.count), st.Burn(), ahead="action")


def _two_burns(course: _Course, rng: random.Random) -> list[st.Step] | None:
    """Two cards are burned."""
    street = _street(course, rng)
    if street is None:
        return None
    departs = st.Departs("two_burns", "N5", street.name, ("N6",), before=1, cards=1)
    return _stop(*course.steps[: street.at + 1], departs, st.Burn(), ahead="board")


def _four_on_the_flop(course: _Course, rng: random.Random) -> list[st.Step] | None:
    return _too_many(course, rng, "four_flop", "F1", ("F2", "F4"), "flop")


def _two_on_the_turn(course: _Course, rng: random.Random) -> list[st.Step] | None:
    return _too_many(course, rng, "two_cards", "R6", (), "turn", "river")


def _too_many(
    course: _Course, rng: random.Random, kind: str, rule: str, also: tuple[str, ...], *names: str
) -> list[st.Step] | None:
    """A card too many on the board."""
    street = _street(course, rng, *names)
    if street is None:
        return None
    count = street.count + 1
    departs = st.Departs(kind, rule, street.name, also, cards=count)
    return _stop(*course.steps[: street.at + 1], departs, st.Board(count), ahead="action")


def _two_on_the_flop(course: _Course, rng: random.Random) -> list[st.Step] | None:
    """A flop of two cards."""
    street = _street(course, rng, "flop")
    if street is None:
        return None
    departs = st.Departs("two_flop", "F3", street.name, cards=2)
    return _stop(*course.steps[: street.at + 1], departs, st.Board(2), ahead="action")


def _early_street(course: _Course, rng: random.Random) -> list[st.Step] | None:
    """The next street is dealt while seats still have to act."""
    cut = _cut(course, rng)
    if cut is None:
        return None
    street, running, at = cut
    departs = st.Departs("early_street", _EARLY[running], running, ("N10",), cards=street.count + 1)
    return _stop(*course.steps[:at], departs, st.Burn(), st.Board(street.count), ahead="action")


def _early_burn(course: _Course, rng: random.Random) -> list[st.Step] | None:
    """A card is burned while seats still have to act."""
    cut = _cut(course, rng)
    if cut is None:
        return None
    _, running, at = cut
    return _stop(
        *course.steps[:at], st.Departs("early_burn", "N10", running, cards=1), st.Burn(), ahead="board"
    )


def _cut(course: _Course, rng: random.Random) -> tuple[_Street, str, int] | None:
    """A street, the one that is running before it, and the index at which one or more of its actions are left out."""
    street = _street(course, rng)
    if street is None:
        return None
    at = rng.choice(street.acts)
    # the act before the tap: the cards of a fold, or the time that it takes
    at -= 1 if isinstance(course.steps[at - 1], st.Fold | st.Wait) else 0
    running = {"flop": "preflop", "turn": "flop", "river": "turn"}[street.name]
    return street, running, at


def _from_the_muck(course: _Course, rng: random.Random) -> list[st.Step] | None:
    """A folded card is picked up with the stub and lies in the flop."""
    street = _street(course, rng, "flop")
    if street is None or not any(isinstance(step, st.Fold) for step in course.steps[: street.at]):
        return None
    departs = st.Departs("from_muck", "K11", street.name, cards=1)
    begun = course.steps[: street.at + 1]
    return _stop(*begun, st.Board(2), departs, st.Move("muck", "board"), ahead="action")


def _mixed_board(course: _Course, rng: random.Random) -> list[st.Step] | None:
    """The last board card of a street is of the other deck."""
    street = _street(course, rng)
    if street is None or not course.second_deck:
        return None
    before: list[st.Step] = [st.Board(street.count - 1)] if street.count > 1 else []
    departs = st.Departs("mixed_deck", "K2", street.name, cards=1)
    return _stop(*course.steps[: street.at + 1], *before, departs, st.Stranger("board"), ahead="action")


#: What may go wrong, and how often beside the others: a seat is passed over more easily than a card comes from the muck.
_MAKERS: Final[tuple[tuple[_Maker, int], ...]] = (
    (_skip, 4),
    (_double, 2),
    (_swap, 2),
    (_wrong_first, 2),
    (_stray, 1),
    (_overdealt, 1),
    (_mixed_deal, 1),
    (_no_burn, 2),
    (_two_burns, 2),
    (_late_burn, 1),
    (_early_street, 2),
    (_early_burn, 1),
    (_four_on_the_flop, 1),
    (_two_on_the_flop, 1),
    (_two_on_the_turn, 1),
    (_from_the_muck, 1),
    (_mixed_board, 1),
)


def injected(hand: st.Hand, *, share: float, seed: int) -> st.Hand:
    """The hand as it is dealt where a ``share`` of the hands departs from the procedure; ``seed`` picks which and how.

    Every hand then has a second deck at its table, so that nothing outside of it tells which hands depart.
    """
    hand = replace(hand, decks=2)
    rng = random.Random(f"irregular/{seed}/{hand.name}")
    if rng.random() >= share:
        return hand
    return departed(hand, rng) or hand
