"""Real hands end with the stacks that the source gives: the sample in tests/data, the whole file where it is at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.betting.phh import hands, replay

SAMPLE = Path(__file__).parents[1] / "data" / "pluribus_sample.phhs"
WHOLE = Path(__file__).parents[3] / "shared" / "data" / "pluribus.phhs"

#: Hands whose source splits an odd chip in halves, by ``_source``.
HALF_CHIPS = {"pluribus/41b/204", "pluribus/75b/76", "pluribus/88/128", "pluribus/91/43"}


def test_sample_says_where_it_comes_from() -> None:
    head = SAMPLE.read_text(encoding="utf-8").split("\n[", 1)[0]
    assert "MIT" in head and "Pluribus" in head


@pytest.mark.parametrize(
    "path", [path for path in (SAMPLE, WHOLE) if path.exists()], ids=lambda path: path.stem
)
def test_hands_end_with_the_source_stacks_but_for_half_chips(path: Path) -> None:
    odd = set()
    seen = 0
    for hand in hands(path):
        seen += 1
        outcome = replay(hand)
        if list(outcome.stacks.values()) != hand["finishing_stacks"]:
            odd.add(hand["_source"])
            for ours, theirs in zip(outcome.stacks.values(), hand["finishing_stacks"], strict=True):
                assert abs(ours - theirs) <= 0.5, hand["_source"]
    assert (seen, odd) == ((64, set()) if path == SAMPLE else (5097, HALF_CHIPS))
