"""The five cards that a game lets a hand play, and the value of five cards in its ranking.

A card is an id here: four times its rank (0 the deuce … 12 the ace) and its suit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import Final, Literal

from phevaluator import evaluate_cards

from dealer_assist.domain.cards import RANKS, SUITS, NotACard

Use = Literal["any", "two_and_three", "point_and_one"]
Ranking = Literal["standard", "short_trips_over_straight", "short_straight_over_trips"]

WHOLE_BOARD: Final = 5
OMAHA_HOLE: Final = 4

_IDS: Final = {rank + suit: 4 * r + s for r, rank in enumerate(RANKS) for s, suit in enumerate(SUITS)}
#: The lowest id of the 36-card deck, a six.
_SIX: Final = _IDS["6c"]

#: The worst standard value of each kind of hand, from the best kind down (7,462 distinct five-card hands).
_STANDARD: Final = (
    (1, "royal_flush"),
    (10, "straight_flush"),
    (166, "four_of_a_kind"),
    (322, "full_house"),
    (1599, "flush"),
    (1609, "straight"),
    (2467, "three_of_a_kind"),
    (3325, "two_pair"),
    (6185, "pair"),
    (7462, "high_card"),
)
_FLUSH_FIRST: Final = ("royal_flush", "straight_flush", "four_of_a_kind", "flush", "full_house")
_ORDERS: Final[dict[Ranking, tuple[str, ...]]] = {
    "short_trips_over_straight": (
        *_FLUSH_FIRST,
        "three_of_a_kind",
        "straight",
        "two_pair",
        "pair",
        "high_card",
    ),
    "short_straight_over_trips": (
        *_FLUSH_FIRST,
        "straight",
        "three_of_a_kind",
        "two_pair",
        "pair",
        "high_card",
    ),
}
#: Standard values of the straight flush and the straight to the nine: those of A-6-7-8-9 in a short ranking.
_NINE_HIGH: Final = (6, 1605)
_SHORT_WHEEL: Final = frozenset(RANKS.index(rank) for rank in "A6789")


def _tables(order: Sequence[str]) -> tuple[dict[str, int], tuple[tuple[int, str], ...]]:
    """For kinds in this order: what turns a standard value of a kind into the ranking's, and the worst value of each kind."""
    spans: dict[str, tuple[int, int]] = {}
    before = 0
    for worst, kind in _STANDARD:
        spans[kind] = (before, worst)
        before = worst
    shifts: dict[str, int] = {}
    worsts: list[tuple[int, str]] = []
    below = 0
    for kind in order:
        first, last = spans[kind]
        shifts[kind] = below - first
        below += last - first
        worsts.append((below, kind))
    return shifts, tuple(worsts)


_TABLES: Final = {ranking: _tables(order) for ranking, order in _ORDERS.items()}


def kind_of(value: int, ranking: Ranking) -> str:
    """The kind of hand that a value of ``ranking`` stands for."""
    worsts = _STANDARD if ranking == "standard" else _TABLES[ranking][1]
    return next(kind for worst, kind in worsts if value <= worst)


def value_of(five: Sequence[int], ranking: Ranking) -> int:
    """The value of five cards: 1 is best."""
    value = int(evaluate_cards(*five))
    if ranking == "standard":
        return value
    if {card // 4 for card in five} == _SHORT_WHEEL:
        value = _NINE_HIGH[0] if len({card % 4 for card in five}) == 1 else _NINE_HIGH[1]
    return value + _TABLES[ranking][0][kind_of(value, "standard")]


def fives(
    hole: Sequence[int], board: Sequence[int], use: Use, point: str | None
) -> Iterator[tuple[int, ...]]:
    """Every five cards that may be played; one five may come more than once."""
    if use == "two_and_three":
        return (two + three for two in combinations(hole, 2) for three in combinations(board, 3))
    if use == "any":
        return combinations((*hole, *board), 5)
    # Together with the board: one hole card, or the point card and one other. None, with a whole board, is among both.
    pairs: list[tuple[int, ...]] = [(card,) for card in hole]
    if point is not None:
        pairs = [(_IDS[point], card) for card in hole if card != _IDS[point]] or pairs
    return chain.from_iterable([combinations((*pair, *board), 5) for pair in pairs])


def checked(
    hole: Sequence[str], board: Sequence[str], use: Use, ranking: Ranking, point: str | None
) -> tuple[list[int], list[int]]:
    """The ids of a hand and a board that the game can rank. Raises NotACard and ValueError."""
    if use == "any":
        ids = card_ids(hole, board)
    else:
        fewest = 2 if use == "two_and_three" else 1
        if not (fewest <= len(hole) <= 5 and 3 <= len(board) <= WHOLE_BOARD):
            raise ValueError(
                f"{len(hole)} and {len(board)} cards: {use} ranks {fewest} to 5 hole cards with 3 to 5 of the board"
            )
        ids = _ids(hole, board)
    if point is not None and point not in hole:
        raise ValueError(f"the point card {point} is not among {' '.join(hole)}")
    if use == "point_and_one" and len(board) + (1 if point is None or len(hole) == 1 else 2) < 5:
        raise ValueError(f"{len(board)} cards on the board: fewer than five may be played")
    if ranking != "standard" and min(ids) < _SIX:
        raise ValueError(f"a card below six in a short deck: {' '.join((*hole, *board))}")
    return ids[: len(hole)], ids[len(hole) :]


def card_ids(hole: Sequence[str], board: Sequence[str]) -> list[int]:
    """The ids of five to seven different cards. Raises NotACard and ValueError."""
    ids = _ids(hole, board)
    if not 5 <= len(ids) <= 7:
        raise ValueError(f"{len(ids)} cards: a hand is ranked from five to seven")
    return ids


def _ids(hole: Sequence[str], board: Sequence[str]) -> list[int]:
    try:
        ids = [_IDS[face] for face in (*hole, *board)]
    except KeyError as error:
        raise NotACard(str(error.args[0])) from None
    if len(set(ids)) != len(ids):
        raise ValueError(f"a card twice among {' '.join((*hole, *board))}")
    return ids
