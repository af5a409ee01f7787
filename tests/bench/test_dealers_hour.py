"""An hour of a dealer's life with antennas that read everything: late and wrong taps, a push, a player back, and hardly a word."""

from __future__ import annotations

from tests.bench.accuracy_run import source_hands
from tests.bench.bench_taps import FILES, HANDS_FULL, SAMPLES, count, trace_of
from tests.bench.dealers_hour import BACK, PUSHED, Hour
from tests.bench.presser import Presser


def test_with_antennas_that_read_an_hour_asks_what_the_dealer_did_and_every_pot_is_right():
    hands = Hour(1, "clean").run()
    assert len(hands) >= 28
    assert [hand.wrong for hand in hands if hand.wrong] == []
    said = [
        (hand.number, told.kind, told.what) for hand in hands for told in hand.said if told.kind != "mark"
    ]
    asked = [told for told in said if told[1] in ("question", "alert", "extra")]
    assert {number for number, *_ in asked} <= {BACK}, asked
    assert (BACK, "question", "D2 seat_in") in asked  # he was dealt in before anybody told the table
    assert (PUSHED, "notice", "dealer_push") in said
    assert not any(what == "hand_unsettled" for *_, what in said)


def test_real_hands_are_told_on_the_station_s_own_keys_and_end_as_they_did(qapp):
    presser = Presser()
    for _, sample in FILES:
        file = SAMPLES / sample
        won: dict[str, set[int]] = {}
        part = source_hands(file)[:12]
        counted = count(trace_of(file, part, "by_exception", won), "by_exception", presser, won)
        assert counted.wrong == []
        assert sum(counted.moments[when] for when in HANDS_FULL) == 0
        assert 2 <= sum(counted.hands) / len(counted.hands) <= 9
    presser.close()
