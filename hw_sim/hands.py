"""Hands from files, whatever their kind: scenarios (.toml) and hand histories (.phh, .phhs)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from hw_sim.houses import habits_of
from hw_sim.phh import load_phh
from hw_sim.scenario import load_scenario
from hw_sim.steps import Hand


def load_hands(files: Sequence[Path], house: str | None, limit: int | None) -> Iterator[Hand]:
    """The hands of all files, in order.

    ``house`` None: each file's own, or ``seed``; ``limit``: at most so many of a history. Raises OSError, UnknownHouse, or ConfigError
    with file, line and column.
    """
    for path in files:
        if path.suffix in (".phh", ".phhs"):
            habits = habits_of(house or "seed")
            yield from load_phh(path, allin_faceup=habits.allin_faceup, limit=limit)
        else:
            hand = load_scenario(path)
            habits_of(house or hand.house)
            yield hand
