"""What the proofs share: folders for hand keys in RAM, and the two runs that are compared and searched."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from tests.secrecy.hands import Dealt, exchanged, real_hands
from tests.secrecy.replayed import replayed
from tests.secrecy.table_run import Left, all_cards, run

HANDS = 200


class TwoRuns(msgspec.Struct):
    """The hands as they were dealt, what they left, and what they left with the hidden faces exchanged."""

    hands: tuple[Dealt, ...]
    first: Left
    second: Left

    def __repr__(self) -> str:
        return f"TwoRuns({len(self.hands)} hands)"


@contextlib.contextmanager
def folders_in_ram() -> Iterator[Callable[[], Path]]:
    """Makes folders on the RAM file system; they are gone at the end."""
    with contextlib.ExitStack() as made:
        yield lambda: Path(made.enter_context(tempfile.TemporaryDirectory(prefix="secrecy-", dir="/dev/shm")))


@pytest.fixture
def key_folder() -> Iterator[Callable[[], Path]]:
    """Make folders of our own in RAM."""
    with folders_in_ram() as make:
        yield make


@pytest.fixture(scope="session")
def two_runs(tmp_path_factory: pytest.TempPathFactory) -> TwoRuns:
    """Two hundred hands at one table, and the same ones with the hidden faces exchanged."""
    folder = tmp_path_factory.mktemp("secrecy")
    hands = real_hands(HANDS)
    other = {
        uid: face
        for seed, hand in enumerate(hands)
        for uid, face in exchanged(hand.cards, set(replayed(hand, hand.cards).public), seed).items()
    }
    with folders_in_ram() as make:
        first, second = (
            run(folder / name, make(), hands, cards)
            for name, cards in (("a", all_cards(hands)), ("b", other))
        )
    return TwoRuns(hands, first, second)
