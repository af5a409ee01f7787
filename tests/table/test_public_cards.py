"""What is known of a public card ends when it goes back into the stub: no reference names it again."""

from __future__ import annotations

import pytest

from dealer_assist.domain import commands as cmd
from tests.table.driver import Driver


def flop_again(row: str) -> tuple[Driver, list[str], dict[str, str]]:
    """A flop that everybody has seen goes back, the stub is shuffled, and another flop comes."""
    table = Driver(house="roberts", seats=(1, 2, 3), button=3)
    table.deal()
    table.check_down()
    flop = table.street(3)
    table.wait(2000)
    public = dict(table.hand.procedure.faces)
    assert set(public.values()) == set(flop)
    table.report(row)
    for alert in table.alerts():
        if alert.options:
            assert table.tell(cmd.Rule(alert.id, "redo_street")) is None
    for face in flop:
        table.take(face)
    table.wait(4000)
    table.board(3)
    table.wait(3000)
    table.check_down()
    return table, flop, public


@pytest.mark.parametrize("row", ["R8"])
def test_a_card_that_was_public_is_a_hidden_one_after_a_shuffle(row: str) -> None:
    table, flop, public = flop_again(row)
    burned = table.put(flop[0], "burn")
    assert table.hand.procedure.burns
    assert table.hand.procedure.burns[-1] not in public
    assert burned in flop
    table.board(1)
    table.wait(2000)
    assert len(table.hand.board_faces()) == 4
    assert [alert.rule for alert in table.alerts() if alert.rule == "K1"] == []


def test_a_public_card_that_comes_again_on_the_board_is_shown_again() -> None:
    table, flop, public = flop_again("R8")
    table.burn()
    table.wait(900)
    table.put(flop[1], "board")
    table.wait(3000)
    assert table.hand.board_faces()[-1] == flop[1]
    refs = [ref for ref, face in table.hand.procedure.faces.items() if face == flop[1]]
    assert len(refs) == 1
    assert refs[0] not in public
