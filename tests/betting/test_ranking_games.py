"""Hands of other games: Omaha, short deck, Double Hold'em."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from pokerkit import Card, OmahaHoldemHand, ShortDeckHoldemHand

from dealer_assist.betting import Ranking, Use, hand_name, hand_rank
from dealer_assist.domain.cards import RANKS, STANDARD_52, NotACard

SHORT_36 = tuple(face for face in STANDARD_52 if RANKS.index(face[0]) >= RANKS.index("6"))
SHORT: tuple[Ranking, ...] = ("short_trips_over_straight", "short_straight_over_trips")


def split_cards(text: str) -> tuple[list[str], list[str]]:
    """Hole cards and board of "Ks Kd | 2c 3c 4c"."""
    hole, board = text.split("|")
    return hole.split(), board.split()


def rank(text: str, use: Use = "any", ranking: Ranking = "standard", point: str | None = None) -> int:
    return hand_rank(*split_cards(text), use, ranking, point)


def name(
    text: str, use: Use = "any", ranking: Ranking = "standard", point: str | None = None
) -> tuple[str, dict[str, str]]:
    return hand_name(*split_cards(text), use, ranking, point)


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("As Kd 7h 2c | Ks Qs Js Ts 3d", ("straight", {"high": "A"})),  # one spade is no flush
        ("As Ks Kh Kd | Ad 2c 7h 9s Jc", ("pair", {"rank": "A"})),
        ("9c 9d 9h 9s | Ad 2c 7h Ks Jc", ("pair", {"rank": "9"})),  # only two of the four play
        ("As 2s 8d 9d | 3s 4s 5s Kh Kd", ("straight_flush", {"high": "5"})),
        ("As Ks 8d 9d | Qs Js Ts 2h 2d", ("royal_flush", {})),
        ("Ah 3d 8d 2c | Ks Qs 7s 6s 5h", ("high_card", {"high": "A"})),
        ("Kc Kd 2h 3h | Ks 7d 7c 9h 5d", ("full_house", {"trips": "K", "pair": "7"})),
        ("Kc Kd 2h 3h 4h | Ks 7d 7c 9h 5d", ("full_house", {"trips": "K", "pair": "7"})),
    ],
)
def test_omaha_plays_exactly_two_and_three(cards: str, expected: tuple[str, dict[str, str]]) -> None:
    assert name(cards, "two_and_three") == expected


def test_omaha_ranks_as_an_independent_evaluator_does() -> None:
    rng = random.Random(5)
    for count in (2, 3, 4, 4, 4, 5):
        for _ in range(15):
            cards = rng.sample(STANDARD_52, 5 + 2 * count)
            board = cards[:5]
            hands = (cards[5 : 5 + count], cards[5 + count :])
            ours = [hand_rank(hand, board, "two_and_three") for hand in hands]
            theirs = [
                OmahaHoldemHand.from_game(list(Card.parse("".join(hand))), list(Card.parse("".join(board))))
                for hand in hands
            ]
            assert (ours[0] < ours[1]) == (theirs[0] > theirs[1])
            assert (ours[0] == ours[1]) == (theirs[0] == theirs[1])
            label = theirs[0].entry.label.value.lower().replace(" ", "_")
            found = hand_name(hands[0], board, "two_and_three")[0]
            assert found == {"one_pair": "pair"}.get(label, label) or found == "royal_flush"


def test_omaha_of_a_shorter_board() -> None:
    """An award before the river, as after a dispute: the best of what lies there."""
    assert name("As Ad 7h 2c | Ah Kd Ks", "two_and_three") == ("full_house", {"trips": "A", "pair": "K"})
    hole, board = split_cards("Qs Jd 7h 2c | Ah Kd Td 7c")
    assert hand_rank(hole, board, "two_and_three") == min(
        hand_rank(two, three) for two in combinations(hole, 2) for three in combinations(board, 3)
    )


def test_short_deck_as_an_independent_evaluator_ranks_it() -> None:
    """PokerKit's short deck has a straight over trips (WLA 369)."""
    rng = random.Random(9)
    for _ in range(150):
        cards = rng.sample(SHORT_36, 9)
        hands, board = (cards[:2], cards[2:4]), cards[4:]
        ours = [hand_rank(hand, board, ranking="short_straight_over_trips") for hand in hands]
        theirs = [
            ShortDeckHoldemHand.from_game(list(Card.parse("".join(hand))), list(Card.parse("".join(board))))
            for hand in hands
        ]
        assert (ours[0] < ours[1]) == (theirs[0] > theirs[1])
        assert (ours[0] == ours[1]) == (theirs[0] == theirs[1])
        label = theirs[0].entry.label.value.lower().replace(" ", "_")
        found = hand_name(hands[0], board, ranking="short_straight_over_trips")[0]
        assert found == {"one_pair": "pair"}.get(label, label) or found == "royal_flush"


@pytest.mark.parametrize("ranking", SHORT)
def test_short_flush_beats_a_full_house_and_not_four(ranking: Ranking) -> None:
    flush = rank("6s 7s | 9s Ts Qs Ad Kh", ranking=ranking)
    full = rank("Ac As | Ad Kh Kd 7c 8d", ranking=ranking)
    four = rank("6c 6s | 6d 6h Kd 7c 8d", ranking=ranking)
    assert four < flush < full
    assert name("6s 7s | 9s Ts Qs Ad Kh", ranking=ranking) == ("flush", {"high": "Q"})


def test_short_trips_and_straight_by_name() -> None:
    """S000-18 against WLA 369; seven cards that hold both are worth the better one."""
    trips, straight, both = "Ac As | Ad Kh Jd 7c 8d", "9c Tc | Jd Qh Kd 6c 6d", "Tc Td | Th Jd Qh Kd 9s"
    assert rank(trips, ranking=SHORT[0]) < rank(straight, ranking=SHORT[0])
    assert rank(trips, ranking=SHORT[1]) > rank(straight, ranking=SHORT[1])
    assert name(both, ranking=SHORT[0]) == ("three_of_a_kind", {"rank": "T"})
    assert name(both, ranking=SHORT[1]) == ("straight", {"high": "K"})


@pytest.mark.parametrize("ranking", SHORT)
def test_short_ace_plays_below_the_six(ranking: Ranking) -> None:
    """WLA 366: A-6-7-8-9 is the lowest straight."""
    low = "As 6d | 7h 8c 9d Kc Qd"
    assert name(low, ranking=ranking) == ("straight", {"high": "9"})
    assert rank("6s Td | 7h 8c 9d Kc Qd", ranking=ranking) < rank(low, ranking=ranking)
    assert name("As 6s | 7s 8s 9s Ah Ad", ranking=ranking) == ("straight_flush", {"high": "9"})
    assert rank("Ts 6s | 7s 8s 9s Ah Ad", ranking=ranking) < rank("As 6s | 7s 8s 9s Ah Ad", ranking=ranking)
    assert rank("As 6s | 7s 8s 9s Ah Ad", ranking=ranking) < rank("Ac Ad | Ah As Kd Kc Qd", ranking=ranking)
    assert name("As Ks | Qs Js Ts Ah Ad", ranking=ranking) == ("royal_flush", {})
    assert rank("As Ks | Qs Js Ts Ah Ad", ranking=ranking) == 1


def test_double_holdem_plays_the_point_card_and_one() -> None:
    """The worked example of the game: 9c 9h 2c on 9s 4c 3c."""
    cards = "9c 9h 2c | 9s 4c 3c Ac Kd"
    assert name(cards, "point_and_one", point="9c") == ("flush", {"high": "A"})
    assert name(cards, "point_and_one", point="9h") == ("three_of_a_kind", {"rank": "9"})
    turn = "9c 9h 2c | 9s 4c 3c"
    assert name(turn, "point_and_one", point="9c") == ("three_of_a_kind", {"rank": "9"})
    assert name(turn, "point_and_one", point="9h") == ("three_of_a_kind", {"rank": "9"})
    assert name(turn, "point_and_one", point="2c")[0] == "pair"


def test_double_holdem_never_plays_both_other_cards() -> None:
    """Aces in the hole, the point on the deuce: one ace plays, with the deuce or alone."""
    cards = "As Ad 2h | Kc Jd 9h 7c 5s"
    assert name(cards, "point_and_one", point="2h") == ("high_card", {"high": "A"})
    assert name(cards, "point_and_one", point="As") == ("pair", {"rank": "A"})
    assert rank(cards, "point_and_one", point="2h") == min(
        hand_rank((other, "2h"), split_cards(cards)[1]) for other in ("As", "Ad")
    )


def test_double_holdem_without_a_point_card_plays_one_hole_card_or_none() -> None:
    cards = "As Ad 2h | Kc Jd 9h 7c 5s"
    assert name(cards, "point_and_one") == ("high_card", {"high": "A"})
    assert rank("2c 3d 4h | As Ks Qs Js Ts", "point_and_one") == 1
    assert name("As 3d 4h | Ks Qs Js Ts 2d", "point_and_one") == ("royal_flush", {})


def test_fewest_cards_that_are_a_hand() -> None:
    assert name("As Ks | Ad Kd 2c", "two_and_three")[0] == "two_pair"
    assert name("As Ks Qs | Ad Kd 2c", "point_and_one", point="Ks")[0] == "two_pair"
    assert name("As Ks Qs | Ad Kd 2c 3c", "point_and_one") == ("pair", {"rank": "A"})
    assert name("As | Ad Kd 2c 3c", "point_and_one", point="As") == ("pair", {"rank": "A"})


@pytest.mark.parametrize(
    ("cards", "use", "ranking", "point", "match"),
    [
        ("As | 2c 3c 4c 5c 6c", "two_and_three", "standard", None, "two_and_three"),
        ("As Ks | 2c 3c", "two_and_three", "standard", None, "3 to 5"),
        ("As Ks Qs | 2c 3c 4c 5c 6c 7c", "two_and_three", "standard", None, "3 to 5"),
        ("As Ks Qs Js Ts 9s | 2c 3c 4c 5c 6c", "two_and_three", "standard", None, "2 to 5"),
        ("As | 2c 3c 4c", "point_and_one", "standard", "As", "fewer than five"),
        ("As Ks Qs | 2c 3c 4c", "point_and_one", "standard", "2c", "point card 2c"),
        ("As Ks Qs | 2c 3c 4c", "point_and_one", "standard", None, "fewer than five"),
        ("As Ks | 6c 7c 5d Td Kd", "any", "short_straight_over_trips", None, "below six"),
        ("As Ks As Kd | 2c 3c 4c", "two_and_three", "standard", None, "twice"),
        ("As Ks Qs | 6c 7c 8d Td Kd", "any", "short_straight_over_trips", None, "five to seven"),
    ],
)
def test_cards_that_no_game_ranks(
    cards: str, use: Use, ranking: Ranking, point: str | None, match: str
) -> None:
    for ask in (rank, name):
        with pytest.raises(ValueError, match=match):
            ask(cards, use, ranking, point)


def test_not_a_card_in_other_games() -> None:
    with pytest.raises(NotACard, match="'1s'"):
        rank("1s Ks Qs Js | 2c 3c 4c", "two_and_three")
