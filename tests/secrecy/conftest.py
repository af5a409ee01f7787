"""What the proofs share: folders for hand keys in RAM, and the two runs that are compared and searched."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from tests.secrecy.hands import Dealt, exchanged, real_hands
from tests.secrecy.replayed import replayed
from tests.secrecy.table_run import Left, run

HANDS = 200


class TwoRuns(msgspec.Struct):
    """The hands as they were dealt, what they left, and what they left with the hidden faces exchanged."""

    hands: tuple[Dealt, ...]
    first: Left
    second: Left

    def __repr__(self) -> str:
        return f"TwoRuns({len(self.hands)} hands)"


@pytest.fixture
def key_folder() -> Iterator[Callable[[], Path]]:
    """Make folders of our own in RAM; they are gone at the end."""
    made: list[Path] = []

    def make() -> Path:
        made.append(Path(tempfile.mkdtemp(prefix="secrecy-", dir="/dev/shm")))
        return made[-1]

    yield make
    for folder in made:
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def two_runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoRuns]:
    """Two hundred hands at one table, and the same ones with the hidden faces exchanged."""
    folder = tmp_path_factory.mktemp("secrecy")
    keys = [Path(tempfile.mkdtemp(prefix="secrecy-", dir="/dev/shm")) for _ in range(2)]
    hands = real_hands(HANDS)
    public = {hand.name: set(replayed(hand, hand.cards).public) for hand in hands}
    decks = [hand.cards for hand in hands]
    others = [exchanged(hand.cards, public[hand.name], seed) for seed, hand in enumerate(hands)]
    left = [
        run(folder / name, key, hands, {uid: face for deck in dealt for uid, face in deck.items()})
        for name, key, dealt in zip("ab", keys, (decks, others), strict=True)
    ]
    yield TwoRuns(hands, *left)
    for key in keys:
        shutil.rmtree(key)
