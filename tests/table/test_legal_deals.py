"""Any legal hand: silent when it is read well, and never stopped when some cards are not read and the taps are late."""

from __future__ import annotations

import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as hs

from tests.table.random_hands import Dealt, replayed

HOUSES = ("seed", "roberts", "tda2024", "wsop_cash", "wsop_tournament")
_seats = hs.lists(hs.integers(1, 11), min_size=2, max_size=9, unique=True).map(
    lambda seats: tuple(sorted(seats))
)
_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


@settings(max_examples=60, deadline=None, suppress_health_check=_SLOW)
@given(_seats, hs.data(), hs.integers(0, 10**6), hs.sampled_from(HOUSES), hs.integers(0, 50))
def test_a_legal_hand_is_dealt_in_silence_and_paid(
    seats: tuple[int, ...], data: hs.DataObject, seed: int, house: str, pace: int
) -> None:
    button = data.draw(hs.sampled_from(seats))
    result = replayed(Dealt(random.Random(seed), seats=seats, button=button, house=house).hand(), pace=pace)
    assert result.alerts == []
    assert result.differences == []
    assert result.result == "completed"


@settings(max_examples=40, deadline=None, suppress_health_check=_SLOW)
@given(_seats, hs.data(), hs.integers(0, 10**6), hs.sampled_from(HOUSES), hs.integers(0, 50))
def test_missed_reads_and_late_taps_prove_nothing(
    seats: tuple[int, ...], data: hs.DataObject, seed: int, house: str, pace: int
) -> None:
    button = data.draw(hs.sampled_from(seats))
    missed = data.draw(hs.frozensets(hs.integers(0, 2 * len(seats) + 7), max_size=3))
    late_ms = data.draw(hs.sampled_from((0, 0, 1000, 3000)))
    hand = Dealt(random.Random(seed), seats=seats, button=button, house=house, missed=missed).hand()
    result = replayed(
        hand, pace=pace, late_taps_ms=late_ms, miss_rate=data.draw(hs.sampled_from((0.0, 0.02)))
    )
    assert [alert for alert in result.alerts if alert["evidence"] == "proven"] == []
