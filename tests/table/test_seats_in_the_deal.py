"""Who is dealt in is soft while the cards are pitched, also when somebody has acted already: betting and deal are of the same seats."""

from __future__ import annotations

from dealer_assist.domain import commands as cmd
from dealer_assist.domain import facts as fx
from tests.table.driver import Driver
from tests.table.test_resume import sections, taken_up


def now(table: Driver) -> fx.NowFact:
    return next(fact for fact in table.core.snapshot() if isinstance(fact, fx.NowFact))


def rest_of_the_deal(table: Driver) -> None:
    while now(table).code == "deal":
        table.pitch(now(table).params["seat"])


def test_seat_that_is_out_has_no_turn_although_somebody_folded_before() -> None:
    table = Driver()
    table.pitch(9, 1)
    assert table.tell(cmd.Act(9, "fold")) is None
    assert table.tell(cmd.SetSeat(2, "out")) is None
    assert table.hand.betting.setup.seats == table.hand.procedure.order == (9, 1, 3, 5, 7)
    assert table.hand.bets.live == (1, 3, 5, 7)
    rest_of_the_deal(table)
    assert now(table) == fx.NowFact("act", {"seat": 3, "call": 2})
    table.act("3 fold, 5 fold, 7 fold")
    assert table.hand.settlement is not None
    assert table.hand.settlement.awards == {1: 2}  # the small blind, and as much of the big one
    assert table.hand.settlement.stacks[9] == 199


def test_seat_that_is_in_after_all_has_its_turn_although_somebody_folded_before() -> None:
    table = Driver()
    table.pitch(9, 1)
    table.act("3 fold")
    assert table.tell(cmd.SetSeat(4, "in", 300)) is None
    assert table.hand.betting.setup.seats == table.hand.procedure.order == (9, 1, 2, 3, 4, 5, 7)
    rest_of_the_deal(table)
    table.act("2 fold, 4 raise 6, 5 fold, 7 fold, 9 fold, 1 fold")
    assert table.hand.settlement is not None
    assert table.hand.settlement.stacks[4] == 303


def test_big_blind_that_folded_and_is_out_leaves_its_blind_to_the_next_seat() -> None:
    table = Driver()
    table.pitch(9, 1)
    table.act("1 fold")
    assert table.tell(cmd.SetSeat(1, "out")) is None
    assert table.hand.betting.setup.seats == (9, 2, 3, 5, 7)
    assert table.hand.bets.live == (9, 2, 3, 5, 7)
    assert table.hand.betting.contributed == (1, 2, 0, 0, 0)


def test_taken_up_again_and_taken_back() -> None:
    table = Driver()
    table.pitch(9, 1)
    table.act("5 fold")
    assert table.tell(cmd.SetSeat(3, "out")) is None
    rest_of_the_deal(table)
    other = taken_up(table, key=b"h1".ljust(32, b"k"))
    assert other.hand == table.hand
    assert sections(other) == sections(table)
    assert table.tell(cmd.Undo()) is None
    assert not table.hand.betting.is_folded(5)
    assert table.hand.betting.setup.seats == (9, 1, 2, 5, 7)
