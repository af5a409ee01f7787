"""Pots of two boards."""

from __future__ import annotations

import pytest

from dealer_assist.betting import Post, Pot, Unawardable, award
from tests.betting.kit import play, settled, table


def test_each_board_awards_half_and_the_first_has_the_odd_chip() -> None:
    """C1: the odd chip goes to the first board."""
    state = play(table(50, 50, 50, posts=(Post(3, 1, "dead"),)), "1 bet 10", "2 call", "3 call")
    for _ in range(3):
        state = play(state, "next", "1 check", "2 check", "3 check")
    outcome = settled(state, [{1: 1, 2: 2, 3: 3}, {1: 9, 2: 2, 3: 3}])
    assert [(each.number, each.board, each.pot, each.winners, each.shares) for each in outcome.pots] == [
        (0, 1, Pot(16, (1, 2, 3)), (1,), (16,)),
        (0, 2, Pot(15, (1, 2, 3)), (2,), (15,)),
    ]
    assert outcome.awards == {1: 16, 2: 15}
    assert settled(state, [{1: 1, 2: 2, 3: 3}, {1: 1, 2: 2, 3: 3}]).awards == {1: 31}


def test_every_pot_is_halved_by_itself_and_its_halves_split_by_themselves() -> None:
    state = play(table(51, 200, 200, posts=()), "1 check", "2 bet 100", "3 call", "1 call")
    for _ in range(3):
        state = play(state, "next", "2 check", "3 check")
    outcome = settled(state, ({1: 1, 2: 5, 3: 5}, {1: 4, 2: 4, 3: 9}))
    assert [
        (each.number, each.board, each.pot.amount, each.winners, each.shares) for each in outcome.pots
    ] == [
        (1, 1, 49, (2, 3), (25, 24)),
        (1, 2, 49, (2,), (49,)),
        (0, 1, 77, (1,), (77,)),
        (0, 2, 76, (1, 2), (38, 38)),
    ]
    assert sum(outcome.stacks.values()) == 451


def test_halves_are_whole_chips() -> None:
    state = play(table(50, 50, posts=(Post(1, 5, "dead"),), unit=5), "1 bet 15", "2 call")
    for _ in range(3):
        state = play(state, "next", "1 check", "2 check")
    outcome = settled(state, [{1: 1, 2: 2}, {1: 2, 2: 1}])
    assert outcome.awards == {1: 20, 2: 15}


def test_uncontested_pot_is_not_halved() -> None:
    state = play(table(100, 100), "2 fold")
    outcome = settled(state, [{}, {}])
    assert [(each.board, each.shares) for each in outcome.pots] == [(0, (2,))]


def test_one_board_in_a_sequence_is_the_only_board() -> None:
    state = play(table(100, 100, posts=()), "1 all_in", "2 all_in")
    assert settled(state, [{1: 1, 2: 2}]) == settled(state, {1: 1, 2: 2})


def test_rake_comes_off_before_the_pot_is_halved() -> None:
    state = play(table(100, 100, posts=()), "1 all_in", "2 all_in")
    outcome = settled(state, [{1: 1, 2: 2}, {1: 2, 2: 1}], rake=5)
    assert outcome.awards == {1: 98, 2: 97}
    assert [each.pot.amount for each in outcome.pots] == [101, 99]
    outcome = settled(state, [{1: 1, 2: 2}, {1: 2, 2: 1}], rake=6)
    assert [(each.pot.amount, each.shares) for each in outcome.pots] == [(100, (97,)), (100, (97,))]
    assert award(state, [{1: 1, 2: 2}, {1: 2, 2: 1}]) == settled(state, [{1: 1, 2: 2}, {1: 2, 2: 1}], rake=0)


def test_board_for_which_nothing_is_tabled() -> None:
    state = play(table(100, 100, posts=()), "1 all_in", "2 all_in")
    assert award(state, [{1: 1, 2: 2}, {}]) == Unawardable(Pot(200, (1, 2)))
    with pytest.raises(ValueError, match="no board"):
        award(state, [])
