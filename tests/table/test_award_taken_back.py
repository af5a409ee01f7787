"""An award is of the board that lies there: where the board is dealt again, the pots are won anew."""

from __future__ import annotations

import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain import facts as fx
from dealer_assist.domain.commands import Refused
from tests.table.driver import Driver


def shown_down(house: str = "seed") -> Driver:
    """Seats 1 and 2 have tabled and play the board, five diamonds."""
    table = Driver(house=house)
    table.deal()
    table.act("2 call, 3 fold, 5 fold, 7 fold, 9 fold, 1 check")
    for count in (3, 1, 1):
        table.street(count)
        table.act("1 check, 2 check")
    for seat in (1, 2):
        table.wait(900)
        assert table.tell(cmd.Tabled(seat)) is None
    assert table.hand.settlement is not None
    return table


def pad(table: Driver) -> fx.PadFact:
    return next(fact for fact in table.core.snapshot() if isinstance(fact, fx.PadFact))


def test_pots_are_won_by_the_river_that_is_dealt_again() -> None:
    """R4 under the seed rules: the early river does not play, the stub is shuffled, another one comes."""
    table = shown_down()
    river = table.hand.board_faces()[-1]
    assert table.hand.settlement is not None and set(table.hand.settlement.awards) == {1, 2}
    table.report("R4")
    assert table.hand.settlement is None
    assert not pad(table).can_push
    assert table.tell(cmd.PushPots()) == Refused("cannot_push", {"reason": "not_decided"})
    table.take(river)
    table.wait(900)
    assert table.tell(cmd.Shuffled()) is None
    table.put("Ts", "board")
    table.wait(2000)
    assert len(table.hand.board_faces()) == 5
    # no flush any more: seat 2 has tens and fours
    assert table.hand.settlement is not None
    assert table.hand.settlement.awards == {2: 5}
    assert table.tell(cmd.PushPots()) is None
    assert table.hand.chips[2] == 203


@pytest.mark.parametrize("row", ["F2", "F4", "R8"])
@pytest.mark.parametrize("house", ["seed", "wsop_cash"])
def test_no_award_without_a_whole_board(row: str, house: str) -> None:
    table = shown_down(house)
    assert table.tell(cmd.Report(row)) is None
    whole = len(table.hand.board_faces()) == 5
    assert (table.hand.settlement is not None) == whole
    assert pad(table).can_push == whole


def test_award_stands_while_cards_are_gathered_before_the_push() -> None:
    table = shown_down()
    before = table.hand.settlement
    table.gather()
    assert table.hand.settlement == before
    assert table.tell(cmd.PushPots()) is None


@pytest.mark.parametrize("response", ["misread", "deal_on"])
def test_hand_goes_on_when_a_wrong_flop_was_reported_by_mistake_in_a_runout(response: str) -> None:
    """The plan of before comes back, at a round that is long closed."""
    table = Driver()
    table.deal()
    table.act("2 call, 3 fold, 5 call, 7 fold, 9 fold, 1 fold")
    table.street(3)
    table.act("2 bet 10, 5 allin, 2 call")
    table.street(1)
    table.report("F2")
    table.wait(900)
    assert table.tell(cmd.Respond("", response)) is None  # type: ignore[arg-type]
    table.street(1)
    table.showdown()
    assert table.hand.result == "completed"
