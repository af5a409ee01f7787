"""By exception: a hand that lies in the muck has folded, however quickly the next one acts and is tapped."""

from __future__ import annotations

import pytest

from dealer_assist.domain import commands as cmd
from tests.table.driver import Driver


@pytest.mark.parametrize("gap_ms", [700, 1000, 1300, 1600, 2500])
@pytest.mark.parametrize("stack", [60, 200])
def test_a_quick_call_behind_a_fold_leaves_the_fold(gap_ms: int, stack: int) -> None:
    table = Driver(entry="by_exception", seats=(2, 3, 5), button=5, stacks={2: stack, 3: 60, 5: 60})
    held = table.deal()
    table.wait(3000)
    assert table.tell(cmd.Act(5, "raise", 60)) is None
    table.wait(1600)
    for face in held[2]:
        table.put(face, "muck")
    table.wait(gap_ms)
    assert table.tell(cmd.Act(3, "call")) is None
    table.wait(6000)
    assert table.hand.betting.is_folded(2)
    assert sum(table.hand.betting.contributed) == 121
    assert [alert for alert in table.alerts() if alert.evidence != "possible"] == []


@pytest.mark.parametrize("gap_ms", [900, 1300, 2000])
def test_a_quick_raise_behind_a_fold_leaves_the_fold(gap_ms: int) -> None:
    table = Driver(entry="by_exception", seats=(2, 3, 5, 7), button=2)
    held = table.deal()
    table.wait(3000)
    seat = table.hand.betting.to_act
    assert seat is not None
    assert table.tell(cmd.Act(seat, "raise", 8)) is None
    folder = table.hand.betting.to_act
    assert folder is not None
    table.wait(1500)
    for face in held[folder]:
        table.put(face, "muck")
    table.wait(300)
    raiser = table.hand.betting.to_act
    assert raiser is not None
    table.wait(gap_ms)
    assert table.tell(cmd.Act(raiser, "raise", 30)) is None
    table.wait(6000)
    assert table.hand.betting.is_folded(folder)
    assert table.hand.betting.bet_of(raiser) == 30
