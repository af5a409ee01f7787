"""Fuzz targets keep sockets, threads and files between inputs; no test leaves any behind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fuzz.targets import close


@pytest.fixture(autouse=True)
def _nothing_left() -> Iterator[None]:
    yield
    close()
