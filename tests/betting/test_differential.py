"""Random hands against PokerKit and against the chip-by-chip oracle; more by ``python -m tests.betting.differential N``."""

from __future__ import annotations

from collections import Counter

import pytest

from dealer_assist.betting import StructureName
from tests.betting.differential import play_one

HANDS = 300


def test_random_hands_agree_with_pokerkit_but_where_it_is_known_to_deviate() -> None:
    seen: Counter[str] = Counter()
    for seed in range(HANDS):
        play_one(seed, seen)
    # The comparison must not hide in the waivers.
    assert seen["D1"] < HANDS // 2
    assert seen["D2-D4"] + seen["D6"] + seen["idle raise"] + seen["idle check"] < HANDS // 4
    assert seen["D1"] and seen["D6"], "the random hands reach the waived places"


@pytest.mark.parametrize(
    ("structure", "waived"), [("pot_limit", {"54-B"}), ("fixed_limit", {"blind bet", "half bets"})]
)
def test_limited_hands_agree_with_pokerkit(structure: StructureName, waived: set[str]) -> None:
    """Pot-limit Omaha and limit hold'em: amounts, turns and chips."""
    seen: Counter[str] = Counter()
    for seed in range(HANDS):
        play_one(seed, seen, structure)
    assert seen["D1"] < HANDS // 2
    assert sum(seen.values()) - seen["D1"] < HANDS // 2
    assert all(seen[name] for name in waived), "the random hands reach the waived places"
