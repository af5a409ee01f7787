"""Chips on the table add up at every moment: what was put in is pots, rake, drops and what was returned."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from msgspec.structs import replace

from dealer_assist.composition import core_for_trace
from dealer_assist.domain import facts as fx
from dealer_assist.replay import Replay
from dealer_assist.table.change import Change
from dealer_assist.table.trace import read
from hw_sim import steps as st
from hw_sim.director import play
from hw_sim.trace import TraceWorld
from tests.table.driver import SEATS
from tests.table.random_hands import Dealt

HOUSES = ("seed", "roberts", "tda2024", "wsop_cash", "wsop_tournament")
RAKES: tuple[dict[str, Any], ...] = (
    {"schedule": "own", "percent": 10, "cap": 5},
    {"schedule": "own", "percent": 5.5, "no_flop_no_drop": False},
    {
        "schedule": "own",
        "percent": 10,
        "cap": 20,
        "step": 2,
        "caps_by_players": [{"players": 3, "cap": 4}],
        "drops": [
            {"name": "jackpot", "amount": 1, "from_pot": 10},
            {"name": "promotion", "amount": 2, "from_pot": 40, "needs_flop": False},
        ],
    },
    {"schedule": "house", "per_money_unit": 4},
    {},
)


class Screen:
    """What the screen shows, and that it adds up after every change."""

    def __init__(self, chips: int) -> None:
        self.chips = chips
        self.sections: dict[tuple[str, str], fx.Fact] = {}
        self.checked = 0
        self.rakes: list[int] = []

    def take(self, change: Change) -> None:
        for fact in change.facts:
            self.sections[fx.section(fact)] = fact
        hand = self.sections.get(("hand", ""))
        pot = self.sections.get(("pot", ""))
        if not isinstance(hand, fx.HandFact) or not isinstance(pot, fx.PotFact) or not hand.hand:
            return
        seats = [fact for fact in self.sections.values() if isinstance(fact, fx.SeatFact)]
        stacks = sum(seat.stack or 0 for seat in seats)
        taken = pot.rake + sum(amount for _, amount in pot.drops)
        in_front = sum(seat.bet for seat in seats)
        assert pot.total == sum(view.amount for view in pot.pots) + pot.in_front
        assert pot.in_front == in_front
        if hand.phase in ("award", "closed"):
            won = sum(seat.won for seat in seats)
            assert stacks - won + pot.total + taken == self.chips
            assert won == pot.total
        else:
            assert stacks + pot.total + taken == self.chips
        if hand.phase == "award":
            now = self.sections["now", ""]
            assert isinstance(now, fx.NowFact)
            assert sum(push.amount for push in now.pushes) == pot.total
        assert not self.rakes or pot.rake >= self.rakes[-1], "the figure never falls"
        self.rakes.append(pot.rake)
        self.checked += 1


@pytest.mark.parametrize("seed", range(40))
def test_chips_on_the_table_add_up_at_every_moment(seed: int) -> None:
    rng = random.Random(f"rake/{seed}")
    seats = tuple(sorted(rng.sample(SEATS, rng.randint(2, len(SEATS)))))
    dealt = Dealt(rng, seats=seats, button=rng.choice(seats), house=HOUSES[seed % len(HOUSES)])
    hand: st.Hand = replace(dealt.hand(), rake=RAKES[seed // len(HOUSES) % len(RAKES)])
    chips = sum(record.stack or 0 for record in dealt.opening.seats)
    lines: list[str] = []
    world = TraceWorld(lines.append)
    play(hand, world, 1000)
    screen = Screen(chips)
    replay = Replay(lambda header: core_for_trace(header, None), watch=screen.take)
    (result,) = replay.feed(read("random", "".join(lines).splitlines()))
    assert result.differences == []
    assert result.result == "completed"
    assert screen.checked > 5
    taken = result.rake + sum(result.drops.values())
    assert sum(stack or 0 for stack in result.stacks.values()) + taken == chips
    returned = sum(result.returned.values())
    pots = sum(pot["amount"] for pot in result.pots)
    assert pots == sum(result.awards.values()) + taken
    contributed = chips - sum(stack or 0 for stack in result.stacks.values()) + sum(result.awards.values())
    assert contributed == pots
    assert returned >= 0
    header = json.loads(lines[0])
    if not header.get("rake"):
        assert taken == 0
