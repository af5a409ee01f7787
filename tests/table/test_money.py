"""Which chips an amount is paid in."""

from __future__ import annotations

import pytest

from dealer_assist.composition import load_house
from dealer_assist.domain.table import Limits
from dealer_assist.table.money import odd_chip, paid_in, smallest_chip


@pytest.mark.parametrize(
    ("amount", "chips", "kinds"),
    [
        (10, (5, 25), (5,)),
        (2, (1, 5), (1,)),
        (30, (1, 5, 25), (25, 5)),
        (60, (20, 50), (20,)),  # the largest first would leave 10
        (3, (5, 25), ()),
        (0, (5,), ()),
    ],
)
def test_kinds_of_chips(amount: int, chips: tuple[int, ...], kinds: tuple[int, ...]) -> None:
    assert paid_in(amount, chips) == kinds


@pytest.mark.parametrize(
    ("blinds", "chips", "game", "used"),
    [
        ((5, 10), (1, 5, 25), 1, 5),
        ((2, 5), (1, 5, 25), 1, 1),
        ((25, 50), (5, 25, 100), 5, 25),
        ((5, 10), (), 1, 1),
    ],
)
def test_odd_chip_of_the_game_and_of_the_blinds(
    blinds: tuple[int, int], chips: tuple[int, ...], game: int, used: int
) -> None:
    """TDA 20 against WLA26 152."""
    limits = Limits(*blinds, chips=chips)
    assert smallest_chip(limits) == game
    assert odd_chip(limits, load_house("tda2024")) == game
    assert odd_chip(limits, load_house("wsop_cash")) == used
