"""Every irregularity of the catalogue, put into a legal deal at any table and any place, raises its own row and no other."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as hs

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.alerts import Alert
from dealer_assist.procedure.catalogue import ROWS
from tests.table.driver import Driver

HOUSES = ("seed", "roberts", "tda2024", "wsop_cash", "wsop_tournament")

#: What is done, and the answers that prove it.
Mutation = Callable[[Driver, hs.DataObject], None]
MUTATIONS: dict[str, tuple[Mutation, tuple[str, ...]]] = {}


def mutation(row: str, *answers: str) -> Callable[[Mutation], Mutation]:
    """Register the mutation of a row. It begins with an open hand and nothing dealt."""

    def register(function: Mutation) -> Mutation:
        MUTATIONS[row] = (function, answers)
        return function

    return register


def deal_but(table: Driver, order: list[int]) -> None:
    for seat in order:
        table.pitch(seat)


def clean_order(table: Driver) -> list[int]:
    return [*table.order, *table.order]


def dealt(table: Driver) -> None:
    table.deal()
    table.wait(1500)


def on_street(table: Driver, data: hs.DataObject, streets: tuple[str, ...]) -> str:
    """Play on, checks and calls only, until the betting of one of these streets is closed before its board."""
    street = data.draw(hs.sampled_from(streets))
    dealt(table)
    table.check_down()
    for coming, count in (("flop", 3), ("turn", 1), ("river", 1)):
        if coming == street:
            return street
        table.street(count)
        table.check_down()
    return street


COUNT = {"flop": 3, "turn": 1, "river": 1}


@mutation("X1")
def first_card_up(table: Driver, data: hs.DataObject) -> None:
    table.pitch(table.order[0])
    table.report("exposed", table.order[0])


@mutation("X3", "no")
def a_card_up(table: Driver, data: hs.DataObject) -> None:
    place = data.draw(hs.integers(2, 2 * len(table.order) - 2))
    order = clean_order(table)
    deal_but(table, order[: place + 1])
    table.report("exposed", order[place])


@mutation("X3b")
def last_card_up(table: Driver, data: hs.DataObject) -> None:
    deal_but(table, clean_order(table))
    table.report("exposed", table.order[-1])


@mutation("X4")
def two_cards_up(table: Driver, data: hs.DataObject) -> None:
    table.pitch(*table.order)
    table.report("exposed", table.order[-1])
    table.report("exposed", table.order[-2])


@mutation("D2", "no")
def card_to_a_seat_that_is_out(table: Driver, data: hs.DataObject) -> None:
    out = next(seat for seat in range(1, 12) if seat not in table.order)
    order = clean_order(table)
    place = data.draw(hs.integers(1, len(order) - 1))
    deal_but(table, order[:place])
    table.pitch(out)


@mutation("D3", "yes")
def a_seat_is_skipped(table: Driver, data: hs.DataObject) -> None:
    skipped = data.draw(hs.sampled_from(table.order[1:-1]))
    deal_but(table, [seat for seat in table.order if seat != skipped])
    table.pitch(table.order[0])


@mutation("D4", "yes")
def two_seats_are_swapped(table: Driver, data: hs.DataObject) -> None:
    order = clean_order(table)
    place = data.draw(hs.integers(1, len(table.order) - 2))
    order[place], order[place + 1] = order[place + 1], order[place]
    deal_but(table, order[: place + 2])


@mutation("D8", "yes")
def one_card_too_many(table: Driver, data: hs.DataObject) -> None:
    dealt(table)
    table.pitch(data.draw(hs.sampled_from(table.order)))


@mutation("D9")
def two_cards_too_many(table: Driver, data: hs.DataObject) -> None:
    dealt(table)
    first = data.draw(hs.sampled_from(table.order))
    table.pitch(first)
    table.tell(cmd.Answer("", "no"))
    table.pitch(first)


@mutation("D10", "yes")
def one_card_too_many_after_action(table: Driver, data: hs.DataObject) -> None:
    dealt(table)
    table.check_down()
    table.pitch(data.draw(hs.sampled_from(table.order)))


@mutation("N1", "no", "yes")
def flop_without_burn(table: Driver, data: hs.DataObject) -> None:
    dealt(table)
    table.check_down()
    table.board(3)
    table.wait(2500)


@mutation("N3", "no")
def street_without_burn(table: Driver, data: hs.DataObject) -> None:
    on_street(table, data, ("turn", "river"))
    table.board(1)
    table.wait(4500)


@mutation("N5", "no")
def two_burns(table: Driver, data: hs.DataObject) -> None:
    on_street(table, data, ("flop", "turn", "river"))
    table.burn()
    table.burn()


@mutation("N10", "no")
def burn_too_soon(table: Driver, data: hs.DataObject) -> None:
    street = on_street(table, data, ("flop", "turn", "river"))
    if street == "flop":
        table.burn()
        table.board(3)
        table.wait(1500)
    else:
        table.street(1)
    table.burn()
    table.wait(5000)


@mutation("F1", "yes")
def four_card_flop(table: Driver, data: hs.DataObject) -> None:
    dealt(table)
    table.check_down()
    table.burn()
    table.board(4)
    table.wait(1500)


@mutation("F2", "yes")
def five_card_flop(table: Driver, data: hs.DataObject) -> None:
    dealt(table)
    table.check_down()
    table.burn()
    table.board(5)
    table.wait(1500)


@mutation("R6", "yes")
def two_cards_on_a_street(table: Driver, data: hs.DataObject) -> None:
    on_street(table, data, ("turn", "river"))
    table.burn()
    table.board(2)
    table.wait(1500)


def early(table: Driver, streets: int, count: int) -> None:
    dealt(table)
    for number in range(streets):
        table.check_down()
        table.street(3 if number == 0 else 1)
    table.burn()
    table.board(count)
    table.wait(5000)


@mutation("R1", "no", "yes")
def early_flop(table: Driver, data: hs.DataObject) -> None:
    early(table, 0, 3)


@mutation("R2", "no", "yes")
def early_turn(table: Driver, data: hs.DataObject) -> None:
    early(table, 1, 1)


@mutation("R3", "no", "yes")
def early_river(table: Driver, data: hs.DataObject) -> None:
    early(table, 2, 1)


@mutation("K11")
def a_mucked_card_is_dealt(table: Driver, data: hs.DataObject) -> None:
    dealt(table)
    seat = table.hand.betting.to_act
    assert seat is not None
    folded = [face for face, zone in table.where.items() if zone == f"seat{seat}"]
    for face in folded:
        table.put(face, "muck")
    table.act(f"{seat} fold")
    table.check_down()
    table.burn()
    table.wait(900)
    table.put(folded[0], "board")


@mutation("A9")
def an_all_in_hand_is_mucked(table: Driver, data: hs.DataObject) -> None:
    dealt(table)
    seat = table.hand.betting.to_act
    table.act(f"{seat} allin")
    caller = table.hand.betting.to_act
    table.act(f"{caller} call")
    while table.hand.betting.to_act is not None:
        other = table.hand.betting.to_act
        for face in [face for face, zone in table.where.items() if zone == f"seat{other}"]:
            table.put(face, "muck")
        table.act(f"{other} fold")
    for face in [face for face, zone in table.where.items() if zone == f"seat{seat}"]:
        table.put(face, "muck")
    table.wait(5000)


@mutation("A18", "yes")
def everything_swept(table: Driver, data: hs.DataObject) -> None:
    dealt(table)
    for face in list(table.where):
        table.put(face, "muck")
    table.wait(5000)


@mutation("R7", "yes")
def the_board_is_swept(table: Driver, data: hs.DataObject) -> None:
    on_street(table, data, ("turn",))
    table.burn()
    table.board(1)
    table.wait(1500)
    table.put(next(face for face, zone in table.where.items() if zone == "board"), "muck")


def stands(alert: Alert) -> bool:
    """Whether an alert was not answered otherwise and did not fall away."""
    return alert.state != "withdrawn" and (alert.evidence == "proven" or alert.state != "closed")


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.function_scoped_fixture,
    ],
)
@pytest.mark.parametrize("row", sorted(MUTATIONS))
@given(
    hs.lists(hs.integers(1, 11), min_size=4, max_size=9, unique=True),
    hs.sampled_from(HOUSES),
    hs.integers(450, 800),
    hs.data(),
)
def test_an_irregularity_raises_its_own_row_and_no_other(
    row: str, seats: list[int], house: str, pace_ms: int, data: hs.DataObject
) -> None:
    mutate, answers = MUTATIONS[row]
    table = Driver(seats=sorted(seats), button=data.draw(hs.sampled_from(sorted(seats))), house=house)
    table.pace_ms = pace_ms
    mutate(table, data)
    for answer in answers:
        if any(alert.question for alert in table.alerts()):
            table.answer(answer)
    said = {(alert.rule, alert.evidence) for alert in table.alerts() if stands(alert)}
    assert said == {(row, "proven")}
    assert table.alert(row).stop == (table.core.rules.house.rules[row].stop and ROWS[row].stop)
