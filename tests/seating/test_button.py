"""Where button and blinds go: dead and moving button, busted players, heads-up, few and scattered seats."""

from __future__ import annotations

import pytest

from dealer_assist.seating import Ledger, Positions, SeatRecord, next_hand
from tests.seating.table import HOUSES, Table

DEAD = HOUSES["roberts_dead"]
MOVING = HOUSES["seed"]
TOURNAMENT = HOUSES["tournament"]


@pytest.mark.parametrize("rules", [DEAD, MOVING])
def test_everybody_stays(rules: object) -> None:
    table = Table(rules, (2, 5, 8, 11))  # type: ignore[arg-type]
    assert [table.play() for _ in range(5)] == [(2, 5, 8), (5, 8, 11), (8, 11, 2), (11, 2, 5), (2, 5, 8)]


def test_dead_the_big_blind_busts() -> None:
    table = Table(DEAD, (1, 2, 3, 4, 5))
    assert table.play(s3=0) == (1, 2, 3)
    assert table.play() == (2, None, 4)  # nobody is there for the small blind
    assert table.play() == (3, 4, 5)  # the button before an empty chair
    assert table.play() == (4, 5, 1)


def test_dead_the_small_blind_busts() -> None:
    table = Table(DEAD, (1, 2, 3, 4, 5))
    assert table.play(s2=0) == (1, 2, 3)
    assert table.play() == (2, 3, 4)
    assert table.play() == (3, 4, 5)


def test_dead_the_button_busts() -> None:
    table = Table(DEAD, (1, 2, 3, 4, 5))
    assert table.play(s1=0) == (1, 2, 3)
    assert [table.play() for _ in range(3)] == [(2, 3, 4), (3, 4, 5), (4, 5, 2)]


def test_dead_both_blinds_bust_in_one_hand() -> None:
    table = Table(DEAD, (1, 2, 3, 4, 5, 6))
    assert table.play(s2=0, s3=0) == (1, 2, 3)
    assert table.play() == (2, None, 4)
    assert table.play() == (3, 4, 5)
    assert table.play() == (4, 5, 6)


@pytest.mark.parametrize(
    ("busted", "after"),
    [
        ({"s3": 0}, (2, 4, 5)),  # the button moves on over no empty chair: 4 has let the big blind pass
        ({"s2": 0}, (3, 4, 5)),
        ({"s1": 0}, (2, 3, 4)),
    ],
)
def test_moving_button(busted: dict[str, int], after: tuple[int, int, int]) -> None:
    table = Table(MOVING, (1, 2, 3, 4, 5))
    assert table.play(**busted) == (1, 2, 3)
    assert table.play() == after


@pytest.mark.parametrize("rules", [DEAD, MOVING, TOURNAMENT])
def test_heads_up_the_button_has_the_small_blind(rules: object) -> None:
    table = Table(rules, (4, 9))  # type: ignore[arg-type]
    first = table.play()
    assert first[0] == first[1]
    for _ in range(4):
        now = table.play()
        assert now == (first[2], first[2], first[0])
        first = now


@pytest.mark.parametrize("rules", [DEAD, MOVING, TOURNAMENT])
@pytest.mark.parametrize("busted", [1, 2, 3])
def test_three_become_two_and_nobody_has_the_big_blind_again(rules: object, busted: int) -> None:
    table = Table(rules, (1, 2, 3))  # type: ignore[arg-type]
    while (last := table.play())[2] != 3:
        pass
    table.ledger = table.ledger.with_seat(busted, SeatRecord("in", 0))
    button, small, big = table.play()
    left = {1, 2, 3} - {busted}
    assert big in left - {last[2]}
    assert button == small
    assert {small, big} == left


@pytest.mark.parametrize("rules", [DEAD, MOVING, TOURNAMENT])
@pytest.mark.parametrize("third", [3, 5, 7, 1])
def test_two_become_three_and_nobody_has_the_big_blind_again(rules: object, third: int) -> None:
    table = Table(rules, (2, 6))  # type: ignore[arg-type]
    table.play()
    last = table.play()[2]
    table.sit(third)
    bigs = []
    for _ in range(6):
        hand = table.open()
        bigs.append(hand.positions.big)
        assert hand.positions.big != last
        last = hand.positions.big
        assert len({hand.positions.button, hand.small, hand.positions.big}) == len(hand.players)
        table.close()
    assert third in bigs[:3]


def test_a_hand_that_was_given_back_is_played_again_from_the_same_places() -> None:
    for rules in HOUSES.values():
        table = Table(rules, (1, 3, 5, 7))
        table.play()
        hand = table.open()
        table.close("misdeal")
        assert table.next() == hand
        table.open()
        table.close("void")
        assert table.next() == hand
        table.play()
        assert table.next() != hand


def test_a_hand_is_given_back_and_the_big_blind_leaves() -> None:
    table = Table(DEAD, (1, 2, 3, 4, 5))
    table.play()
    assert table.open().positions == Positions(2, 3, 4)
    table.close("misdeal")
    table.status("out", 4)
    assert table.play() == (2, 3, 5)


def test_a_wrong_button_is_set_right_with_the_next_hand() -> None:
    table = Table(MOVING, (1, 2, 3, 4))
    table.play()
    opening = table.open()
    from dealer_assist import seating

    assert table.opening is not None
    table.ledger, _ = seating.closed(table.ledger, table.opening, "completed", (), table.rules, button_next=1)
    assert opening.positions.button == 2
    assert table.next().positions == Positions(1, 2, 3)


def test_a_bomb_pot_leaves_the_blinds_where_they_are() -> None:
    table = Table(DEAD, (1, 2, 3, 4))
    table.play()
    hand = table.next()
    from msgspec.structs import replace

    from dealer_assist import seating
    from dealer_assist.domain.table import ForcedBet
    from tests.seating.table import opening_of

    antes = tuple([ForcedBet(seat, 5, "ante") for seat in hand.players])
    table.opening = replace(opening_of(hand, table.ledger, table.rules), posts=antes, game="bomb_pot")
    table.ledger = seating.opened(table.ledger, table.opening, table.rules)
    table.close()
    assert table.next() == hand


def test_a_game_without_blinds_moves_its_button_on() -> None:
    table = Table(HOUSES["seed"], (1, 4, 6))
    from msgspec.structs import replace

    table.rules = replace(table.rules, blinds=False)
    assert [table.play()[0] for _ in range(4)] == [1, 4, 6, 1]


def test_fewer_than_two_cannot_play() -> None:
    assert next_hand(Ledger({3: SeatRecord("in", 50), 4: SeatRecord("in", 0)}), DEAD) is None
    assert next_hand(Ledger({3: SeatRecord("in", 50), 4: SeatRecord("away", 50)}), DEAD) is None


def test_sparse_seats_of_a_large_table() -> None:
    table = Table(DEAD, (1, 6, 11))
    assert [table.play() for _ in range(4)] == [(1, 6, 11), (6, 11, 1), (11, 1, 6), (1, 6, 11)]
    table = Table(DEAD, range(1, 12))
    hands = [table.play() for _ in range(12)]
    assert [hand[2] for hand in hands] == [3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2, 3]
