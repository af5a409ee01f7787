"""Hand ranks and names."""

from __future__ import annotations

import random

import pytest
from pokerkit import Card, StandardHighHand

from dealer_assist.betting import hand_name, hand_rank
from dealer_assist.domain.cards import STANDARD_52, NotACard

BOARD = ("2c", "7d", "9h", "Jc", "Kc")


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("As Ks Qs Js Ts 2c 3d", ("royal_flush", {})),
        ("9s Ks Qs Js Ts As As", None),
        ("9s Ks Qs Js Ts 2c 3d", ("straight_flush", {"high": "K"})),
        ("As 2s 3s 4s 5s Ad 6d", ("straight_flush", {"high": "5"})),
        ("8s 8d 8h 8c As Ad Ah", ("four_of_a_kind", {"rank": "8"})),
        ("8s 8d 8h As Ad Ah 2c", ("full_house", {"trips": "A", "pair": "8"})),
        ("8s 8d 8h As Ad Kh Kc", ("full_house", {"trips": "8", "pair": "A"})),
        ("2s 8s 9s Js Qs Ad Kh", ("flush", {"high": "Q"})),
        ("As 2d 3h 4c 5s 9d 9h", ("straight", {"high": "5"})),
        ("Ts Jd Qh Kc As 9d 8h", ("straight", {"high": "A"})),
        ("Qs Qd Qh Kc 5s 9d 8h", ("three_of_a_kind", {"rank": "Q"})),
        ("Ks Kd 7h 7c 2s 2d Ah", ("two_pair", {"high": "K", "low": "7"})),
        ("4s 4d 7h Tc 2s Jd Ah", ("pair", {"rank": "4"})),
        ("Qs Kd Ah 2c 3s 9d 8h", ("high_card", {"high": "A"})),
    ],
)
def test_names(cards: str, name: tuple[str, dict[str, str]] | None) -> None:
    faces = cards.split()
    if name is None:
        with pytest.raises(ValueError, match="twice"):
            hand_name(faces[:2], faces[2:])
    else:
        assert hand_name(faces[:2], faces[2:]) == name


def test_wheel_and_broadway_are_straights_and_the_wrap_is_not() -> None:
    """T-EV1."""
    assert hand_name(("As", "2d"), ("3h", "4c", "5s"))[0] == "straight"
    assert hand_name(("Ts", "Jd"), ("Qh", "Kc", "As"))[0] == "straight"
    assert hand_name(("Qs", "Kd"), ("Ah", "2c", "3s"))[0] == "high_card"


def test_playing_the_board_is_a_tie() -> None:
    board = ("As", "Ks", "Qs", "Js", "Ts")
    assert hand_rank(("2c", "3d"), board) == hand_rank(("4c", "5d"), board) == 1


def test_lower_is_better() -> None:
    assert hand_rank(("Ac", "Qc"), BOARD) < hand_rank(("Kd", "Kh"), BOARD) < hand_rank(("As", "Ad"), BOARD)


@pytest.mark.parametrize("hole", [("As",), ("As", "Ad", "Ah")])
def test_wrong_number_of_cards(hole: tuple[str, ...]) -> None:
    board = BOARD if len(hole) > 2 else BOARD[:3]
    with pytest.raises(ValueError, match="five to seven"):
        hand_rank(hole, board)


def test_not_a_card() -> None:
    with pytest.raises(NotACard, match="'1s'"):
        hand_rank(("1s", "Ad"), BOARD)


def test_same_order_as_an_independent_evaluator() -> None:
    rng = random.Random(11)
    for _ in range(150):
        cards = rng.sample(STANDARD_52, 9)
        ours = [hand_rank(cards[at : at + 2], cards[4:]) for at in (0, 2)]
        theirs = [
            StandardHighHand.from_game(
                list(Card.parse("".join(cards[at : at + 2]))), list(Card.parse("".join(cards[4:])))
            )
            for at in (0, 2)
        ]
        assert (ours[0] < ours[1]) == (theirs[0] > theirs[1])
        assert (ours[0] == ours[1]) == (theirs[0] == theirs[1])
        label = theirs[0].entry.label.value.lower().replace(" ", "_")
        name = hand_name(cards[:2], cards[4:])[0]
        assert name == {"one_pair": "pair"}.get(label, label) or (name, label) == (
            "royal_flush",
            "straight_flush",
        )
