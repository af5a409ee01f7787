"""When it is asked whether seats have acted: taps had their time from where the dealer reached for the first card of the next street."""

from __future__ import annotations

import pytest

from tests.procedure.test_edges import rules
from tests.table.test_rules import on_flop


@pytest.mark.parametrize(("cards", "row"), [(0, "N10"), (1, "R2")])
def test_the_burn_begins_the_wait_for_taps_also_of_the_question_about_the_card(cards: int, row: str) -> None:
    """4 s behind the moment when the dealer reached for the burn, which takes 0.6 s to lie there."""
    table = on_flop()
    table.act("9 check, 1 check")
    table.burn()
    burned_ms = table.t_ms
    if cards:
        table.board(cards)
    table.wait(burned_ms + 3300 - table.t_ms)
    assert rules(table) == []
    table.wait(200)
    assert rules(table) == [row]


def test_a_card_without_a_burn_begins_the_wait_itself() -> None:
    table = on_flop()
    table.act("9 check, 1 check")
    table.board(1)
    table.wait(3300)
    assert rules(table) == []
    table.wait(200)
    assert rules(table) == ["F4"]  # no second burn: it lay under the flop


def test_a_card_that_comes_long_after_its_burn_has_time_to_lie_still() -> None:
    table = on_flop()
    table.act("9 check, 1 check")
    table.burn()
    table.wait(2300)
    table.board(1)
    table.wait(500)
    assert rules(table) == []
    table.wait(300)
    assert rules(table) == ["R2"]


@pytest.mark.parametrize(("cards", "row"), [(0, "N10"), (1, "R2")])
def test_a_dealer_who_is_tapping_is_catching_up(cards: int, row: str) -> None:
    """Five of six taps come behind the burn, one each 0.9 s: it is asked 1.5 s behind the last of them, or nothing at all."""
    for taps in ("9 check, 1 check, 2 check, 3 check, 5 check", "9 check, 1 check, 2 check, 3 check"):
        table = on_flop()
        table.burn()
        if cards:
            table.board(cards)
        table.act(taps)
        assert rules(table) == []
        if taps.endswith("5 check"):
            table.act("7 check")
            table.wait(6000)
            assert rules(table) == []
        else:
            table.wait(1400)
            assert rules(table) == []
            table.wait(200)
            assert rules(table) == [row]
            assert table.alert(row).why[-1].params == {"seats": [5, 7]}
