"""Games with discards: what a player has given up is never shown and never counts, whether or not a reader saw it go."""

from __future__ import annotations

import pytest

from dealer_assist.domain import commands as cmd
from tests.table.driver import Driver


def to_the_flop(game: str) -> tuple[Driver, dict[int, list[str]]]:
    table = Driver(game=game, seats=(1, 2, 3), button=1)
    return table, table.deal()


def give_up(table: Driver, held: dict[int, list[str]], count: int, unread: tuple[int, ...]) -> None:
    for seat, faces in held.items():
        for face in faces[-count:]:
            if seat in unread:
                table.take(face)
            else:
                table.put(face, "muck")


@pytest.mark.parametrize(
    ("game", "count", "street"),
    [("irish", 2, "flop"), ("crazy_pineapple", 1, "flop"), ("pineapple", 1, "preflop")],
)
@pytest.mark.parametrize("lifted", [True, False])
def test_discards_that_no_reader_saw_are_not_shown(game: str, count: int, street: str, lifted: bool) -> None:
    table, held = to_the_flop(game)
    table.check_down()
    if street == "preflop":
        give_up(table, held, count, unread=(2,))
        table.street(3)
        table.check_down()
    else:
        table.street(3)
        table.check_down()
        give_up(table, held, count, unread=(2,))
    for _ in range(2):
        table.street(1)
        table.check_down()
    kept = held[2][:-count]
    if lifted:
        for face in kept:
            table.take(face)
    table.wait(1000)
    assert table.tell(cmd.Tabled(2)) is None
    assert not set(table.hand.faces_of(2)) & set(held[2][-count:])
    assert not [alert for alert in table.alerts() if alert.evidence != "possible"]
    for face in kept:
        if face not in table.hand.faces_of(2):
            assert table.tell(cmd.EnterCard(face, 2)) is None
    for seat in (3, 1):
        assert table.tell(cmd.Tabled(seat)) is None
    assert set(table.hand.faces_of(2)) == set(kept)
    assert table.tell(cmd.PushPots()) is None


@pytest.mark.parametrize("game", ["irish", "pineapple", "crazy_pineapple"])
@pytest.mark.parametrize("house", ["seed", "tda2024"])
def test_hands_turned_up_before_their_discards_are_the_cards_that_stay(game: str, house: str) -> None:
    table = Driver(game=game, house=house, seats=(1, 2, 3), button=3)
    held = table.deal()
    count = table.hand.procedure.hole - table.hand.procedure.kept
    table.act("3 allin, 1 call, 2 fold")
    for face in held.pop(2):
        table.put(face, "muck")
    assert table.tell(cmd.Tabled(3)) is None
    assert table.tell(cmd.Tabled(1)) is None
    if game == "pineapple":
        give_up(table, held, count, unread=())
    table.street(3)
    if game != "pineapple":
        give_up(table, held, count, unread=())
    table.street(1)
    table.street(1)
    table.wait(5000)
    assert set(table.hand.faces_of(1)) == set(held[1][:-count])
    assert table.tell(cmd.PushPots()) is None
