"""Hold'em hands: a number to compare, and a name as code and parameters. Ranks by phevaluator.

Which cards of a hand may play (``use``), what beats what (``ranking``) and the point card are the game's:
:mod:`dealer_assist.betting.legal_five` knows the fives that a game allows.
"""

from __future__ import annotations

from collections.abc import Sequence

from phevaluator import evaluate_cards, evaluate_omaha_cards

from dealer_assist.betting.legal_five import (
    OMAHA_HOLE,
    WHOLE_BOARD,
    Ranking,
    Use,
    card_ids,
    checked,
    fives,
    kind_of,
    value_of,
)
from dealer_assist.domain.cards import RANKS


def hand_rank(
    hole: Sequence[str],
    board: Sequence[str],
    use: Use = "any",
    ranking: Ranking = "standard",
    point: str | None = None,
) -> int:
    """The value of the best five that the game allows of the given faces ("Ks"), from 1; lower is better, equal ties.

    ``use``: "any" of the cards; "two_and_three": exactly two hole cards and three of the board (Omaha); "point_and_one": any of the
    board with no hole card, any one, or two of which one is ``point`` (Double Hold'em); with no point card set, none or any one.
    ``ranking``: "standard", or that of the 36-card deck, where a flush beats a full house, A-6-7-8-9 is a straight and trips beat a
    straight (S000-18) or a straight beats trips (WLA 369). Values of different rankings do not compare.

    Raises NotACard, and ValueError: too few or too many cards, a card twice, a point card that is not in the hand, or a card
    below six in a short ranking.
    """
    if use == "any" and ranking == "standard":
        return int(evaluate_cards(*card_ids(hole, board)))
    own, common = checked(hole, board, use, ranking, point)
    if use == "two_and_three" and ranking == "standard" and len(common) == WHOLE_BOARD:
        if len(own) == OMAHA_HOLE:
            return int(evaluate_omaha_cards(*common, *own))
        if len(own) == OMAHA_HOLE + 1:
            return min([int(evaluate_omaha_cards(*common, *own[:at], *own[at + 1 :])) for at in range(5)])
    return min([value_of(five, ranking) for five in fives(own, common, use, point)])


def hand_name(
    hole: Sequence[str],
    board: Sequence[str],
    use: Use = "any",
    ranking: Ranking = "standard",
    point: str | None = None,
) -> tuple[str, dict[str, str]]:
    """The name of the best five: a code and the ranks in it, for a text in any language.

    royal_flush · straight_flush (high) · four_of_a_kind (rank) · full_house (trips, pair) · flush (high) · straight (high) ·
    three_of_a_kind (rank) · two_pair (high, low) · pair (rank) · high_card (high). Raises as :func:`hand_rank`.
    """
    if use == "any" and ranking == "standard":
        ids = card_ids(hole, board)
        return _named(kind_of(int(evaluate_cards(*ids)), ranking), ids, ranking)
    own, common = checked(hole, board, use, ranking, point)
    value, five = min([(value_of(five, ranking), five) for five in fives(own, common, use, point)])
    return _named(kind_of(value, ranking), list(five), ranking)


def _named(kind: str, ids: list[int], ranking: Ranking) -> tuple[str, dict[str, str]]:
    """``kind``, the best that ``ids`` hold, with the ranks that make it."""
    ranks = sorted([card // 4 for card in ids], reverse=True)
    counts = {rank: ranks.count(rank) for rank in ranks}
    # The ranks of the pairs, trips and quads among all cards, the most frequent first, then the highest.
    groups = sorted(counts, key=lambda rank: (-counts[rank], -rank))
    match kind:
        case "royal_flush":
            return kind, {}
        case "straight_flush":
            return kind, {"high": RANKS[_straight_high({card // 4 for card in _flush(ids)}, ranking)]}
        case "flush":
            return kind, {"high": RANKS[max(card // 4 for card in _flush(ids))]}
        case "straight":
            return kind, {"high": RANKS[_straight_high(set(ranks), ranking)]}
        case "full_house":
            pair = max(rank for rank in counts if counts[rank] >= 2 and rank != groups[0])
            return kind, {"trips": RANKS[groups[0]], "pair": RANKS[pair]}
        case "two_pair":
            return kind, {"high": RANKS[groups[0]], "low": RANKS[groups[1]]}
        case "high_card":
            return kind, {"high": RANKS[ranks[0]]}
        case _:
            return kind, {"rank": RANKS[groups[0]]}


def _flush(ids: list[int]) -> list[int]:
    suits = [card % 4 for card in ids]
    return [card for card in ids if suits.count(card % 4) >= 5]


def _straight_high(ranks: set[int], ranking: Ranking) -> int:
    """The top rank of the best straight among ``ranks``, which hold one; that of the ace played low: the five, short deck the nine."""
    for high in range(12, 3, -1):
        if all(rank in ranks for rank in range(high - 4, high + 1)):
            return high
    return 3 if ranking == "standard" else 7
