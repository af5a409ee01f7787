"""The forced bets that the simulator knows are those that the table works out: the dealer of a scenario posts nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_assist.composition import core_for_trace
from dealer_assist.replay import Replay
from dealer_assist.table.change import Change
from dealer_assist.table.events import BettingStarted
from dealer_assist.table.trace import read
from hw_sim.scenario import load_scenario
from hw_sim.steps import Hand
from hw_sim.trace import TraceWorld

SCENARIOS = sorted((Path(__file__).parents[1] / "scenarios").glob("*.toml"))


def posted(hand: Hand) -> list[tuple[int, int, str]]:
    """What the table posts when this hand is opened without a word about posts."""
    lines: list[str] = []
    world = TraceWorld(lines.append)
    world.open_hand(hand, world.prepare(hand, 1000))
    out: list[tuple[int, int, str]] = []

    def watch(change: Change) -> None:
        for event in change.events:
            if isinstance(event, BettingStarted):
                out.extend((post.seat, post.amount, post.kind) for post in event.setup.posts)

    list(Replay(lambda header: core_for_trace(header, None), watch=watch).feed(read("opening", lines)))
    return out


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_simulator_and_table_post_the_same(path: Path) -> None:
    hand = load_scenario(path)
    assert posted(hand) == [(post["seat"], post["amount"], post["kind"]) for post in hand.posts()]


HALF_A_KILL = '''title = "Half a kill is rounded up to whole chips"
house = "seed"
game = "nlhe"
table = { seats = [1, 2, 3], button = 3, blinds = [5, 15], stacks = 400, kill = "half", killer = 3, chips = [5, 25] }
deck = "seed:1"
script = """
deal
"""
'''


def test_half_a_kill_is_rounded_up_to_whole_chips_by_both(tmp_path: Path) -> None:
    file = tmp_path / "half.toml"
    file.write_text(HALF_A_KILL)
    hand = load_scenario(file)
    assert hand.posts()[-1] == {"seat": 3, "amount": 25, "kind": "kill"}
    assert posted(hand)[-1] == (3, 25, "kill")
