"""Antennas that now and then miss a card: how often, and that nothing else changes."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from hw_sim.antennas import Field, TagEvent
from hw_sim.cards import deck_of
from hw_sim.cli import main
from hw_sim.noise import NoisyField
from hw_sim.physics import Movement

ANTENNAS = {"seat1": 1, "seat2": 2, "board": 12, "muck": 14}
TAGS = deck_of(1)
SAMPLE = Path(__file__).parents[1] / "data" / "pluribus_sample.phhs"
MOVES = [
    Movement("As", "", "seat1", 1000, 1000),
    Movement("Kd", "", "seat2", 1600, 1600),
    Movement("2c", "", "board", 4000, 4000),
    Movement("As", "seat1", "muck", 61_000, 61_300),
    Movement("Kd", "seat2", "", 62_000, 62_300),
]


def events(field: Field, steps: Iterable[int]) -> list[TagEvent]:
    for move in MOVES:
        field.move(move)
    return list(itertools.chain.from_iterable(field.until(t_ms) for t_ms in steps))


def noisy(rate: float, seed: int = 3) -> NoisyField:
    return NoisyField(ANTENNAS, TAGS, miss_rate=rate, rng=random.Random(seed))


def test_reports_alternate_and_time_goes_forward() -> None:
    told = events(noisy(0.2), range(0, 90_000, 37))
    assert [event.t_ms for event in told] == sorted(event.t_ms for event in told)
    for key in {(event.antenna, event.uid) for event in told}:
        kinds = [event.kind for event in told if (event.antenna, event.uid) == key]
        assert all(kind == ("tag_left" if index % 2 else "tag_arrived") for index, kind in enumerate(kinds))


@pytest.mark.parametrize("rate", [0.01, 0.05, 0.2])
def test_a_card_is_missed_as_often_as_the_rate_says(rate: float) -> None:
    table = noisy(rate)
    table.move(Movement("As", "", "seat1", 0, 0))
    missed, since = 0, None
    for event in table.until(2_000_000):
        if event.kind == "tag_left":
            since = event.t_ms
        elif since is not None:
            missed += (event.t_ms - since) // 100
            since = None
    assert missed / 20_000 == pytest.approx(rate, rel=0.15)


def test_first_reads_and_final_absence_are_those_of_a_clean_antenna() -> None:
    clean, bad = (
        events(Field(ANTENNAS, TAGS), range(0, 90_000, 500)),
        events(noisy(0.1), range(0, 90_000, 500)),
    )

    def first(told: list[TagEvent]) -> dict[tuple[int, bytes], int]:
        out: dict[tuple[int, bytes], int] = {}
        for event in told:
            out.setdefault((event.antenna, event.uid), event.t_ms)
        return out

    assert first(clean) == first(bad)
    gone = {key for key in first(bad) if [e.kind for e in bad if (e.antenna, e.uid) == key][-1] == "tag_left"}
    assert {(1, TAGS["As"]), (2, TAGS["Kd"])} <= gone


def test_how_often_it_is_asked_changes_nothing() -> None:
    assert events(noisy(0.1), [*range(0, 90_000, 11), 90_000]) == events(noisy(0.1), [90_000])


def test_a_missed_card_is_not_in_the_inventory() -> None:
    table = noisy(0.5)
    table.move(Movement("As", "", "seat1", 0, 0))
    for t_ms in range(0, 5000, 50):
        told = table.until(t_ms)
        if told:
            assert (TAGS["As"] in table.inventory(1)) is (told[-1].kind == "tag_arrived")


@pytest.mark.parametrize("rate", [0.0, 1.0, -0.1])
def test_a_rate_lies_between_0_and_1(rate: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        noisy(rate)


def test_a_trace_with_misses_is_repeatable_and_is_checked_like_any_other(tmp_path: Path) -> None:
    outs = [tmp_path / name for name in ("clean", "one", "two")]
    for out, more in zip(outs, ([], ["--miss-rate", "0.05"], ["--miss-rate", "0.05"]), strict=True):
        assert main(["trace", str(SAMPLE), "--hands", "3", "-o", str(out), *more]) == 0
    clean, one, two = (out.read_text() for out in outs)
    assert one == two
    assert len(one.splitlines()) > len(clean.splitlines())
    last = 0
    for line in map(json.loads, one.splitlines()):
        assert line.get("t", last) >= last
        last = line.get("t", last)


@pytest.mark.parametrize("text", ["1", "-0.1", "much"])
def test_a_wrong_rate_is_told(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["trace", str(SAMPLE), "--miss-rate", text])
    assert ended.value.code == 2
    assert "from 0 to below 1" in capsys.readouterr().err
