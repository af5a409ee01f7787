"""Journals on real files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from nacl.public import PrivateKey

from dealer_assist.journal.sealing import Sealer
from dealer_assist.journal.store import Journal
from tests.journal.kit import SURVEILLANCE_KEY, Opener, settings


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the journal of a test lies."""
    return tmp_path / "table.sqlite"


@pytest.fixture
def open_journal(path: Path) -> Iterator[Opener]:
    """Opens journals, at ``path`` unless told otherwise, and closes them after the test."""
    opened: list[Journal] = []

    def opener(at: Path = path, **changed: Any) -> Journal:
        journal = Journal.open(at, **settings(**changed))
        opened.append(journal)
        return journal

    yield opener
    for journal in opened:
        journal.close()


@pytest.fixture
def sealer() -> Sealer:
    """Seals to the surveillance key of these tests."""
    return Sealer(bytes(PrivateKey(SURVEILLANCE_KEY).public_key))
