"""What the simulated dealer says was paid: each award once, those of several boards apart."""

from __future__ import annotations

import io
from typing import Any

from hw_sim.report import Reporter


def push(seat: int, amount: int, board: int) -> dict[str, Any]:
    return {"pot": 0, "seat": seat, "amount": amount, "name": "pair", "params": {"rank": "A"}, "board": board}


def test_one_seat_that_wins_on_two_boards_is_paid_twice() -> None:
    out = io.StringIO()
    reporter = Reporter(out)
    pushes = [push(2, 202, 1), push(2, 201, 2)]
    now = {"kind": "now", "code": "push", "params": {}, "pushes": pushes}
    reporter.news([now])
    reporter.news([now])  # told again, it was paid once
    assert out.getvalue().splitlines() == [
        "  paid: 202 of the pot, board 1, to seat 2, pair",
        "  paid: 201 of the pot, board 2, to seat 2, pair",
    ]
    assert reporter.differences == []
