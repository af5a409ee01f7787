"""By exception: a hand that is turned up closes the round where no burn will, and only when the others can have acted."""

from __future__ import annotations

import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.commands import Refused
from tests.table.driver import Driver


@pytest.mark.parametrize("house", ["seed", "roberts", "tda2024", "wsop_cash", "wsop_tournament"])
def test_hands_turned_up_before_the_burn_close_an_all_in_round(house: str) -> None:
    table = Driver(entry="by_exception", house=house, stacks={2: 60})
    held = table.deal()
    table.wait(2500)
    assert table.tell(cmd.Act(2, "all_in")) is None
    for seat in (3, 5, 7, 9):
        table.wait(1500)
        for face in held[seat]:
            table.put(face, "muck")
    table.wait(3000)  # seat 1 calls and has chips left: that is not tapped
    assert table.tell(cmd.Tabled(2)) is None
    assert table.tell(cmd.Tabled(1)) is None
    for count in (3, 1, 1):
        table.street(count)
    table.wait(5000)
    assert [alert for alert in table.alerts() if alert.evidence != "possible"] == []
    assert table.hand.settlement is not None
    assert sum(table.hand.settlement.awards.values()) == 121
    assert table.tell(cmd.PushPots()) is None


def test_a_slip_on_tabled_turns_nothing_up_while_many_are_to_act() -> None:
    table = Driver(entry="by_exception")
    table.deal()
    table.wait(7000)
    for count in (3, 1, 1):
        table.street(count)
        table.wait(7000)
    assert table.tell(cmd.Act(2, "bet", 50)) is None
    table.wait(300)
    assert table.tell(cmd.Tabled(5)) == Refused("betting_not_over")
    assert table.hand.faces_of(5) == ()
    assert not set(table.hand.procedure.faces.values()) & {
        face for face, zone in table.where.items() if zone == "seat5"
    }
