"""Hold'em hands: a number to compare, and a name as code and parameters. Ranks by phevaluator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from phevaluator import evaluate_cards

from dealer_assist.domain.cards import RANKS, SUITS, NotACard

_IDS: Final = {rank + suit: 4 * r + s for r, rank in enumerate(RANKS) for s, suit in enumerate(SUITS)}

#: The worst value of each kind of hand, from the best kind down (7,462 distinct five-card hands).
_KINDS: Final = (
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


def hand_rank(hole: Sequence[str], board: Sequence[str]) -> int:
    """The value of the best five of the given faces ("Ks"), 1 (royal flush) to 7462; lower is better, equal ties.

    Any of the hole cards may play. Raises NotACard, and ValueError unless there are five to seven cards, all different.
    """
    return int(evaluate_cards(*_ids(hole, board)))


def hand_name(hole: Sequence[str], board: Sequence[str]) -> tuple[str, dict[str, str]]:
    """The name of the best five: a code and the ranks in it, for a text in any language.

    royal_flush · straight_flush (high) · four_of_a_kind (rank) · full_house (trips, pair) · flush (high) · straight (high) ·
    three_of_a_kind (rank) · two_pair (high, low) · pair (rank) · high_card (high). Raises as :func:`hand_rank`.
    """
    ids = _ids(hole, board)
    value = int(evaluate_cards(*ids))
    kind = next(name for worst, name in _KINDS if value <= worst)
    ranks = sorted([card // 4 for card in ids], reverse=True)
    counts = {rank: ranks.count(rank) for rank in ranks}
    # The ranks of the pairs, trips and quads among all cards, the most frequent first, then the highest.
    groups = sorted(counts, key=lambda rank: (-counts[rank], -rank))
    match kind:
        case "royal_flush":
            return kind, {}
        case "straight_flush":
            return kind, {"high": RANKS[_straight_high({card // 4 for card in _flush(ids)})]}
        case "flush":
            return kind, {"high": RANKS[max(card // 4 for card in _flush(ids))]}
        case "straight":
            return kind, {"high": RANKS[_straight_high(set(ranks))]}
        case "full_house":
            pair = max(rank for rank in counts if counts[rank] >= 2 and rank != groups[0])
            return kind, {"trips": RANKS[groups[0]], "pair": RANKS[pair]}
        case "two_pair":
            return kind, {"high": RANKS[groups[0]], "low": RANKS[groups[1]]}
        case "high_card":
            return kind, {"high": RANKS[ranks[0]]}
        case _:
            return kind, {"rank": RANKS[groups[0]]}


def _ids(hole: Sequence[str], board: Sequence[str]) -> list[int]:
    try:
        ids = [_IDS[face] for face in (*hole, *board)]
    except KeyError as error:
        raise NotACard(str(error.args[0])) from None
    if not 5 <= len(ids) <= 7:
        raise ValueError(f"{len(ids)} cards: a hand is ranked from five to seven")
    if len(set(ids)) != len(ids):
        raise ValueError(f"a card twice among {' '.join((*hole, *board))}")
    return ids


def _flush(ids: list[int]) -> list[int]:
    suits = [card % 4 for card in ids]
    return [card for card in ids if suits.count(card % 4) >= 5]


def _straight_high(ranks: set[int]) -> int:
    """The top rank of the best straight among ``ranks``, which hold one; the wheel's is the five."""
    for high in range(12, 3, -1):
        if all(rank in ranks for rank in range(high - 4, high + 1)):
            return high
    return 3
