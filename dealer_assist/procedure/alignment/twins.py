"""What a set of antennas can never tell apart: a departure, and a hand as planned in which one card was not read.

Both are played step by step; what the antennas tell of each is compared (the twin plant of discrete-event diagnosis). Only which
card was read where, and in which order, counts here: times and glimpses make one of two twins likelier, never impossible.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

#: Seats of the hand that is played: enough for a first, a middle and a last one.
SEATS: Final = ("A", "B", "C", "D")
HOLE: Final = 2
_STREETS: Final = (("flop", 3), ("turn", 1), ("river", 1))

#: The standard sets of antennas: what they are called, the zones they read, whether a shoe counts the cards.
SETS: Final[tuple[tuple[str, frozenset[str], bool], ...]] = (
    ("seats only", frozenset({"seat"}), False),
    ("seats and board", frozenset({"seat", "board"}), False),
    ("seats, board, burn and muck", frozenset({"seat", "board", "burn", "muck"}), False),
    ("the same, and a shoe that counts", frozenset({"seat", "board", "burn", "muck"}), True),
    ("seats and board, burns shown at a gate", frozenset({"seat", "board", "gate"}), False),
)


class Act(msgspec.Struct, frozen=True):
    """One thing that happens: a card to a ``place``, or a tap that ends a round. ``zone``: the kind of antenna that reads it there."""

    step: str
    zone: str
    place: str = ""

    @property
    def card(self) -> bool:
        """Whether a card moves."""
        return self.zone != "tap"


class Twin(msgspec.Struct, frozen=True):
    """A departure and when it shows: at ``told``, "" for never. ``alone``: when it shows if not one card goes unread."""

    name: str
    told: str
    alone: str


def planned() -> tuple[Act, ...]:
    """The hand as it should go."""
    deal = [Act(f"card {number + 1} of the deal", "seat", seat) for number, seat in enumerate(SEATS * HOLE)]
    acts = [*deal, Act("the first action", "tap", "preflop")]
    for street, count in _STREETS:
        acts.append(Act(f"the burn before the {street}", "burn"))
        acts += [Act(f"the {street}", "board", street)] * count
        acts.append(Act(f"the betting on the {street}", "tap", street))
    return (*acts, Act("the end of the hand", "tap", "end"))


def departed() -> Iterator[tuple[str, tuple[Act, ...]]]:
    """Every departure, with how the hand goes then."""
    plan = planned()
    count = len(SEATS)
    for name, place in (
        ("first seat skipped in the first round", 0),
        ("a middle seat skipped in the first round", 1),
        ("last seat skipped in the first round", count - 1),
        ("first seat skipped in the second round", count),
        ("a middle seat skipped in the second round", count + 1),
        ("last seat skipped in the second round", 2 * count - 1),
    ):
        yield name, _without(plan, place)
    yield "two seats served in the other order, first round", _swapped(plan, 1)
    yield "two seats served in the other order, second round", _swapped(plan, count + 1)
    yield "two cards in a row to a seat, the next seat's among them", _instead(plan, 2, SEATS[1])
    turned = SEATS[1:] + SEATS[:1]
    deal = tuple(
        [Act(f"card {number + 1} of the deal", "seat", seat) for number, seat in enumerate(turned * HOLE)]
    )
    yield "the deal begun at the second seat", (*deal, *plan[len(deal) :])
    extra = Act("one card too many", "seat", SEATS[0])
    yield "one card too many to the first seat", (*plan[: 2 * count], extra, *plan[2 * count :])
    for street, _ in _STREETS:
        burn = next(index for index, act in enumerate(plan) if act.step == f"the burn before the {street}")
        yield f"no burn before the {street}", _without(plan, burn)
        yield f"two burns before the {street}", (*plan[:burn], plan[burn], *plan[burn:])
    flop = next(index for index, act in enumerate(plan) if act.place == "flop")
    yield "four cards on the flop", (*plan[:flop], plan[flop], *plan[flop:])
    yield "two cards on the flop", _without(plan, flop)


def _without(acts: tuple[Act, ...], place: int) -> tuple[Act, ...]:
    return (*acts[:place], *acts[place + 1 :])


def _swapped(acts: tuple[Act, ...], place: int) -> tuple[Act, ...]:
    return (*acts[:place], acts[place + 1], acts[place], *acts[place + 2 :])


def _instead(acts: tuple[Act, ...], place: int, seat: str) -> tuple[Act, ...]:
    return (*acts[:place], Act(acts[place].step, "seat", seat), *acts[place + 1 :])


def _told(
    acts: tuple[Act, ...], zones: frozenset[str], *, shoe: bool, unread: int | None
) -> list[tuple[str, str]]:
    """What is heard of a hand, each with the step at which it is heard; the card number ``unread`` is not read."""
    heard = []
    for number, act in enumerate(acts):
        zone = "gate" if act.zone == "burn" and "gate" in zones else act.zone
        if act.card and shoe:
            heard.append(("shoe", act.step))
        if zone == "tap":
            heard.append((f"tap {act.place}", act.step))
        elif zone in zones and number != unread:
            # a board is one antenna: which street a card is of, only the cards before it say
            heard.append((f"{zone} {act.place if zone == 'seat' else ''}", act.step))
    return heard


def shows(acts: tuple[Act, ...], zones: frozenset[str], *, shoe: bool, misses: int) -> str:
    """The step at which a hand can no longer be one as planned with so many cards unread (0 or 1); "" for never."""
    plan = planned()
    mine = _told(acts, zones, shoe=shoe, unread=None)
    unread: list[int | None] = [None]
    if misses:
        unread += [number for number, act in enumerate(plan) if act.card]
    longest = 0
    for missed in unread:
        other = _told(plan, zones, shoe=shoe, unread=missed)
        same = 0
        for one, two in zip(mine, other, strict=False):
            if one[0] != two[0]:
                break
            same += 1
        if same == len(mine) == len(other):
            return ""
        longest = max(longest, same)
    return mine[longest][1] if longest < len(mine) else "the end of the hand"


def twins(zones: frozenset[str], *, shoe: bool) -> list[Twin]:
    """Every departure with the step at which this set of antennas can tell it."""
    return [
        Twin(name, shows(acts, zones, shoe=shoe, misses=1), shows(acts, zones, shoe=shoe, misses=0))
        for name, acts in departed()
    ]
