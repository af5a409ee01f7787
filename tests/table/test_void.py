"""The floor voids a hand: at any point of it every chip goes back and the table is free for the next one; a dealer cannot."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.commands import Refused
from dealer_assist.domain.facts import NoticeFact
from dealer_assist.table import inputs as inp
from dealer_assist.table.events import FloorCalled
from tests.table.driver import SEATS, Driver
from tests.table.test_resume import taken_up
from tests.table.test_rules import dealt, on_flop


def chips(table: Driver) -> dict[int, int | None]:
    return {seat: table.core.seats.records[seat].stack for seat in SEATS}


def in_the_deal() -> Driver:
    table = Driver()
    table.pitch(9, 1, 3)
    return table


def asked() -> Driver:
    table = on_flop()
    table.act("9 bet 10")
    table.burn()
    table.wait(5000)
    assert table.alert("N10").question == "acted"
    return table


def awarded() -> Driver:
    table = dealt()
    table.act("2 raise 6, 3 fold, 5 fold, 7 fold, 9 fold, 1 fold")
    assert table.hand.settlement is not None
    return table


def misdealt() -> Driver:
    table = in_the_deal()
    table.report("misdeal")
    return table


@pytest.mark.parametrize("begun", [in_the_deal, dealt, on_flop, asked, awarded, misdealt])
def test_void_gives_every_chip_back_and_the_next_hand_opens(begun: Callable[[], Driver]) -> None:
    table = begun()
    refused, changes = table.core.tell(cmd.Void(), "floor", table.t_ms)
    assert refused is None
    assert changes
    assert table.hand.result == "void"
    assert chips(table) == dict.fromkeys(SEATS, 200)
    assert not [alert for alert in table.alerts() if alert.question]
    number = table.hand.procedure.hand
    assert table.tell(cmd.OpenHand()) is None
    assert table.hand.procedure.hand != number


def test_the_dealer_cannot_void_a_hand() -> None:
    table = dealt()
    assert table.tell(cmd.Void()) == Refused("floor_only")
    assert not table.hand.result


def test_a_hand_that_is_over_is_not_voided() -> None:
    table = awarded()
    assert table.tell(cmd.PushPots()) is None
    before = chips(table)
    assert table.core.tell(cmd.Void(), "floor", table.t_ms)[0] == Refused("hand_not_open")
    assert chips(table) == before


def test_the_floor_is_called_at_any_time() -> None:
    for table in (awarded(), in_the_deal()):
        assert table.tell(cmd.CallFloor()) is None
    table = awarded()
    assert table.tell(cmd.PushPots()) is None
    told = len(table.changes)
    assert table.tell(cmd.CallFloor()) is None, "about the hand that is over"
    (change,) = table.changes[told:]
    assert isinstance(change.input, inp.Told) and change.events == (FloorCalled(),)
    assert called(table)
    assert table.tell(cmd.Respond("h1/1", "call_floor")) is None, "about an alert that it has left"
    table.gather()
    table.wait(2000)
    assert table.tell(cmd.OpenHand()) is None
    assert not called(table)
    new = Driver()
    new.core.hand = None  # before the table's first hand
    assert new.tell(cmd.CallFloor()) is None
    assert called(new)


def test_a_hand_before_which_the_floor_was_called_is_taken_up_again() -> None:
    table = awarded()
    assert table.tell(cmd.PushPots()) is None
    told = len(table.changes)
    assert table.tell(cmd.CallFloor()) is None
    assert table.tell(cmd.OpenHand()) is None
    table.changes = table.changes[told:]
    assert taken_up(table, key=None).hand.procedure.hand == table.hand.procedure.hand


def called(table: Driver) -> bool:
    return any(isinstance(fact, NoticeFact) and fact.code == "floor_called" for fact in table.core.snapshot())
