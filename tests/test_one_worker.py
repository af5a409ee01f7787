"""Tests that share a service or a long run stay on one worker: the mark is seen by whoever hands tests out."""

from __future__ import annotations

import pytest


@pytest.mark.xdist_group("canary")
def test_the_group_of_a_test_is_part_of_its_identity(request: pytest.FixtureRequest) -> None:
    """Seen to fail with pytest 9.2.0 and pytest-xdist 3.8.0, which hands out by identity and changed it in vain."""
    grouping = hasattr(request.config, "workerinput") and request.config.getvalue("loadgroup")
    assert request.node.nodeid.endswith("@canary") is bool(grouping)
