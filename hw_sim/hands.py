"""Hands from files: scenarios (.toml), hand histories in PHH (.phh, .phhs) and in Open Hand History (.ohh, .json, .jsonl)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from hw_sim.entry import Tracking, by_exception, tracked
from hw_sim.houses import habits_of
from hw_sim.ohh import SUFFIXES, load_ohh
from hw_sim.phh import load_phh
from hw_sim.scenario import HOUSE, load_scenario
from hw_sim.steps import Hand


def load_hands(
    files: Sequence[Path],
    house: str | None,
    limit: int | None,
    entry: str | None = None,
    tracking: Tracking | None = None,
) -> Iterator[Hand]:
    """The hands of all files, in order, with the taps that their entry needs; ``entry``, ``tracking`` None: each scenario's own.

    ``house`` None: each scenario's first, and ``seed`` for histories; otherwise one of the houses of every scenario. ``limit``: at
    most so many of a history. Raises OSError, UnknownHouse, or ConfigError with file, line and column.
    """
    for path in files:
        if path.suffix in (".phh", ".phhs", *SUFFIXES):
            name = house or HOUSE
            habits = habits_of(name)
            hands = (
                load_ohh(path, habits, limit=limit)
                if path.suffix in SUFFIXES
                else load_phh(path, allin_faceup=habits.allin_faceup, limit=limit)
            )
            for hand in hands:
                named = replace(hand, house=name)
                known = tracked(named, tracking or "full")
                again = entry == "by_exception" and known.entry != entry
                yield by_exception(known) if again else known
        else:
            hand = load_scenario(path, house, entry, tracking)
            habits_of(hand.house)
            yield hand
