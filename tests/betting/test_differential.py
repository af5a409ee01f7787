"""Random hands against PokerKit and against the chip-by-chip oracle; 20,000 of them by ``make differential``."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from dealer_assist.betting import StructureName
from tests.betting.differential import play_both, play_one
from tests.betting.games import MIX, GameName, killed, random_game

HANDS = 40
# PokerKit ranks hands in Python: on a busy machine this takes its time.
pytestmark = pytest.mark.timeout(400)

#: What the hands of a game must reach, so that the comparison of the rest is known to be one.
REACHED: dict[tuple[GameName, StructureName], set[str]] = {
    ("texas", "no_limit"): {"D1"},
    ("texas", "pot_limit"): {"D1", "54-B"},
    ("texas", "fixed_limit"): {"D1"},
    ("omaha", "pot_limit"): {"54-B"},
    ("short", "no_limit"): set(),
}


@pytest.mark.parametrize(("name", "structure"), [each[:2] for each in MIX])
def test_every_decision_agrees_with_pokerkit_but_where_it_is_known_to_deviate(
    name: GameName, structure: StructureName
) -> None:
    seen: Counter[str] = Counter()
    for seed in range(HANDS):
        play_one(seed, seen, (name, structure))
    assert seen["hands"] == HANDS
    # The comparison must not hide in the waivers.
    assert seen["decisions with a waiver"] < seen["decisions"] // 8
    assert all(seen[waiver] for waiver in REACHED[name, structure]), seen


@pytest.mark.parametrize("structure", ["fixed_limit", "no_limit", "pot_limit"])
def test_kill_pots_agree_with_pokerkit(structure: StructureName) -> None:
    """PokerKit has no kill: a live post of twice the blind, or of one and a half, and bets of that size."""
    seen: Counter[str] = Counter()
    kills = 0
    for seed in range(HANDS):
        rng = random.Random(seed)
        game = killed(rng, random_game(rng, ("texas", structure)))
        kills += game.setup.kill > 0
        play_both(rng, game, seen)
    assert kills > HANDS // 2


# Without the phase that explains: it traces every line of PokerKit.
@settings(deadline=None, max_examples=40, phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink))
@given(st.randoms(use_true_random=False))
def test_any_hand_agrees_with_pokerkit(rng: random.Random) -> None:
    """The same, led by Hypothesis, which shrinks what it finds."""
    play_both(rng, random_game(rng), Counter())
