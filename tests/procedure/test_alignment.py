"""The alignment: what explains the reads best, whatever their order, and how sure it is."""

from __future__ import annotations

import random
from itertools import accumulate, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer_assist.procedure.alignment.courses import MILLION, PRIORS, departures
from dealer_assist.procedure.alignment.deal import Odds, odds
from dealer_assist.procedure.alignment.density import GAP_UNIT, UNIT, gap_of, log_of, pace_of, unread
from dealer_assist.procedure.alignment.forward import Sight
from dealer_assist.procedure.alignment.sensing import BAD, CLEAN, FINE, TABLE, SensingParameters
from dealer_assist.procedure.alignment.street import unburned
from dealer_assist.procedure.alignment.twins import SETS, twins
from dealer_assist.procedure.alignment.words import shares
from dealer_assist.table import events as te
from dealer_assist.table.hand import evolve
from tests.table.driver import ORDER as SEATS
from tests.table.driver import Driver

ORDER = (1, 2, 3, 4, 5, 6)
PLAN = ORDER * 2
PERIOD = TABLE.period_ms


def reads(course: tuple[int, ...], rng: random.Random, missing: frozenset[int] = frozenset()) -> list[Sight]:
    """What antennas that miss nothing but some pitches read of a course."""
    t_ms, sights = 10_000, []
    for number, seat in enumerate(course):
        t_ms += rng.randint(450, 800)
        phase = seat * 37 % PERIOD
        first_ms = t_ms + (phase - t_ms) % PERIOD
        if number not in missing:
            sights.append(Sight(f"c{number}", seat, first_ms - PERIOD, first_ms))
    return sights


def weigh(
    sights: list[Sight],
    *,
    wait_ms: int = PERIOD,
    antenna: SensingParameters = TABLE,
    lifted: dict[int, int] | None = None,
    heard: dict[int, int] | None = None,
) -> Odds:
    now_ms = max(sight.first_ms for sight in sights) + wait_ms
    return odds(ORDER, 2, sights, dict.fromkeys(ORDER, antenna), now_ms, lifted=lifted, heard=heard)


def word(found: Odds) -> tuple[str, int]:
    share, likeliest = shares(found, PLAN, len(ORDER))[0]
    assert share > 0
    return likeliest.rule, likeliest.seat


# -- what it finds ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_a_deal_as_planned_is_as_planned(seed: int) -> None:
    assert weigh(reads(PLAN, random.Random(seed))).planned > 9900


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("course", "said"),
    [
        (PLAN[:2] + PLAN[3:], ("D3", 3)),
        ((*PLAN[:2], 4, 3, *PLAN[4:]), ("D4", 4)),
        ((*PLAN[:3], 3, *PLAN[4:]), ("D4", 3)),
        ((ORDER[1:] + ORDER[:1]) * 2, ("D1", 1)),
    ],
    ids=["skip", "swap", "double", "wrong start"],
)
def test_a_departure_is_found_and_named(course: tuple[int, ...], said: tuple[str, int], seed: int) -> None:
    found = weigh(reads(course, random.Random(seed)), wait_ms=1500)
    assert found.departed > 5000
    assert word(found) == said


@pytest.mark.parametrize("place", [2, 8])
def test_most_skips_are_told_by_time_alone_and_hardly_an_unread_card_is_taken_for_one(place: int) -> None:
    """The pace of 450 to 800 ms leaves some gaps that fit one card as well as two."""
    found = false = 0
    for seed in range(24):
        found += (
            weigh(reads(PLAN[:place] + PLAN[place + 1 :], random.Random(seed)), wait_ms=1500).departed > 5000
        )
        false += weigh(reads(PLAN, random.Random(seed), frozenset({place})), wait_ms=1500).departed > 5000
    assert found >= 16
    assert false == 0


def test_cards_in_no_order_at_all_are_unexplained_and_not_silence() -> None:
    """Two cards to the third seat, one to the sixth, and so on: no single departure deals like this."""
    found = weigh(reads((3, 6, 3, 1, 5, 2, 6), random.Random(3)))
    assert found.departed > 9000
    assert found.courses[0].unexplained


def test_a_missing_card_that_had_its_time_is_an_unread_one() -> None:
    for place in range(1, len(PLAN) - 1):
        found = weigh(reads(PLAN, random.Random(place), frozenset({place})), wait_ms=1500)
        assert found.planned > 5000, place


def test_a_glimpse_at_the_seat_makes_a_skip_unlikelier() -> None:
    sights = reads(PLAN[:2] + PLAN[3:], random.Random(1))
    seen = Sight("c?", 3, sights[2].first_ms - 300, sights[2].first_ms - 100, solid=False)
    assert weigh([*sights, seen], wait_ms=1500).planned > 10 * weigh(sights, wait_ms=1500).planned


def test_nothing_covered_a_seat_whose_first_card_lies_there_all_the_time() -> None:
    """Seat 4's second card is not read: with its first one read all along, it lies badly or was not dealt, and no hand lies above it."""
    sights = reads(PLAN[:9] + PLAN[10:], random.Random(4))
    since_ms = {sight.seat: sight.first_ms for sight in reversed(sights)}
    covered = weigh(sights, wait_ms=2000)
    uncovered = weigh(sights, wait_ms=2000, heard=since_ms)
    assert uncovered.planned < covered.planned // 2
    # a first card that was away until a moment ago says nothing
    again = weigh(sights, wait_ms=2000, heard=since_ms | {4: sights[-1].first_ms + 1500})
    assert again.planned == covered.planned


def test_a_card_read_late_beside_one_that_was_read_all_the_time_was_hardly_covered() -> None:
    sights = reads(PLAN, random.Random(6))
    late = sights[8]
    sights[8] = Sight(late.ref, late.seat, late.since_ms + 1600, late.first_ms + 1600)
    since_ms = {sight.seat: sight.first_ms for sight in sights[:6]}
    covered, uncovered = (
        weigh(sights, antenna=FINE, heard=heard).courses[0].trail[-1][1] for heard in (None, since_ms)
    )
    assert (
        uncovered < covered - 200
    )  # a card held up for a moment is as likely as a hand above the seat, and only that is left


def test_a_hand_taken_up_hides_only_a_card_that_was_unread_until_then() -> None:
    """Seat 4 has its first card in hand when the second one is due, or looks at it three seconds later: so long that one lay there."""
    sights = reads(PLAN[:9] + PLAN[10:], random.Random(4))
    due_ms = sights[8].first_ms + 600
    at_once = weigh(sights, wait_ms=4000, lifted={4: due_ms - 400})
    later = weigh(sights, wait_ms=4000, lifted={4: due_ms + 4000})
    never = weigh(sights, wait_ms=4000)
    assert at_once.planned > 5 * later.planned
    assert later.planned < 2 * never.planned


def test_a_glimpse_that_still_lies_nowhere_is_the_seats_own_card_and_not_one_on_its_way() -> None:
    """Seat 1's first card lies badly and is glimpsed once: the deal did not begin at seat 2."""
    sights = reads(PLAN[1:8], random.Random(2))
    glimpse = Sight("c?", 1, sights[4].first_ms, sights[4].first_ms + PERIOD, solid=False)
    without = weigh(sights, wait_ms=1500)
    assert weigh([*sights, glimpse], wait_ms=1500).planned > without.planned
    assert weigh([*sights, glimpse], wait_ms=1500).planned > 9000


def spaced(gaps_ms: list[int], missing: frozenset[int]) -> list[Sight]:
    """What is read of the planned deal at these gaps."""
    times = accumulate(gaps_ms, initial=10_000)
    return [
        Sight(f"c{number}", seat, t_ms - PERIOD, t_ms)
        for number, (seat, t_ms) in enumerate(zip(PLAN, times, strict=True))
        if number not in missing
    ]


@pytest.mark.parametrize(
    ("gap_ms", "shown", "least"), [(480, False, 5000), (420, True, 9900)], ids=["still", "shown again"]
)
def test_what_covers_a_seat_covers_both_its_cards(gap_ms: int, shown: bool, least: int) -> None:
    """Neither card of a seat is read while a hand lies over it, and both are in the scan after: that is no rarer than one card unread."""
    hurried = [620, gap_ms, gap_ms, 620, 620, 620, 620, gap_ms, gap_ms, 620, 620]
    sights = spaced(hurried, frozenset({2, 8}))
    if shown:
        shown_ms = sights[-1].first_ms + 300
        sights += [Sight(ref, 3, shown_ms - PERIOD, shown_ms) for ref in ("c2", "c8")]
    assert weigh(sights, wait_ms=100).planned > least


def test_a_ghost_at_a_seat_hides_none_of_its_cards() -> None:
    """The next seat's card was read there once as it flew by: the seat's own one is another card."""
    sights = reads(PLAN[:9], random.Random(5))
    own = sights[2]
    ghost = Sight("c3", 3, own.first_ms - 300, own.first_ms - 100, solid=False)
    found = weigh([*sights, ghost])
    assert found.planned > 9900
    assert not any(course.unexplained for course in found.courses)


def test_a_card_that_was_covered_for_nearly_the_longest_time_is_one_of_the_deal() -> None:
    sights = reads(PLAN, random.Random(3), frozenset({0}))
    late_ms = sights[0].first_ms + 8_500  # the seat's own second card was read long before
    found = weigh([*sights, Sight("c0", 1, late_ms - PERIOD, late_ms)])
    assert found.planned > 5000


def test_a_shoe_that_counted_no_card_makes_a_skip_certain() -> None:
    sights = reads(PLAN[:2] + PLAN[3:], random.Random(1))
    exits = [sight.first_ms - 400 for sight in sights]
    antennas = dict.fromkeys(ORDER, TABLE)
    now_ms = sights[-1].first_ms + 2000
    without = odds(ORDER, 2, sights, antennas, now_ms)
    counted = odds(ORDER, 2, sights, antennas, now_ms, exits=exits)
    assert counted.departed >= without.departed
    assert counted.departed > 9900


def test_worse_antennas_make_it_surer_of_nothing() -> None:
    sights = reads(PLAN[:2] + PLAN[3:], random.Random(2))
    told = [weigh(sights, antenna=antenna).departed for antenna in (CLEAN, FINE, TABLE, BAD)]
    assert told == sorted(told, reverse=True)


def test_a_blind_seat_says_nothing_by_its_silence() -> None:
    sights = reads(PLAN, random.Random(4), frozenset({2, 8}))
    antennas = {seat: TABLE for seat in ORDER if seat != 3}
    now_ms = sights[-1].first_ms + PERIOD
    assert odds(ORDER, 2, sights, antennas, now_ms).planned > 9000


# -- properties ---------------------------------------------------------------------------------------------------------------


@settings(max_examples=6, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(0, 11), st.integers(1, 12))
def test_the_order_of_the_reports_changes_nothing(rng: random.Random, missing: int, count: int) -> None:
    sights = reads(PLAN, random.Random(rng.randint(0, 9)), frozenset({missing}))[:count]
    mixed = list(sights)
    rng.shuffle(mixed)
    assert weigh(mixed) == weigh(sights)


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10_000))
def test_more_reads_of_a_planned_deal_never_make_it_much_less_likely(seed: int) -> None:
    sights = reads(PLAN, random.Random(seed))
    planned = [weigh(sights[: number + 1]).planned for number in range(len(sights))]
    assert all(after >= before - 300 for before, after in pairwise(planned))


@settings(max_examples=5, deadline=None)
@given(st.integers(0, len(SEATS) * 2 - 1), st.sampled_from([CLEAN, FINE, TABLE, BAD]))
def test_a_single_missed_card_proves_nothing(missing: int, antenna: SensingParameters) -> None:
    table = Driver(sensing=antenna)
    for number, seat in enumerate(SEATS * 2):
        if number == missing:
            table.wait(table.pace_ms)
            next(table.deck)
        else:
            table.pitch(seat)
    table.wait(8000)
    assert all(alert.evidence != "proven" for alert in table.alerts())
    assert not table.hand.procedure.misdeal


@settings(max_examples=3, deadline=None)
@given(st.permutations(SEATS * 2))
def test_the_events_fold_to_the_state_that_was_lived_through(course: list[int]) -> None:
    table = Driver(sensing=TABLE)
    opened = table.hand
    table.pitch(*course[:9])
    table.wait(5000)
    events = [event for change in table.changes for event in change.events]
    folded = opened
    for event in events:
        if not isinstance(event, te.HandClosed):
            folded = evolve(folded, event)
    assert folded.procedure == table.hand.procedure


def test_the_odds_are_these_whole_numbers_on_every_machine() -> None:
    sights = [
        Sight("a", 1, 9800, 10_000),
        Sight("b", 2, 10_500, 10_700),
        Sight("c", 4, 11_150, 11_350),
        Sight("d", 5, 11_800, 12_000),
        Sight("e", 6, 12_400, 12_600),
    ]
    found = weigh(sights, wait_ms=300)
    told = [
        (course.departure.kind if course.departure else "planned", course.share)
        for course in found.courses[:3]
    ]
    assert told == GOLDEN


GOLDEN = [("out", 5362), ("skip", 4025), ("late", 499)]


# -- the parts ------------------------------------------------------------------------------------------------------------------


def test_the_logarithm_is_that_of_a_table() -> None:
    assert log_of(1) == 0
    assert log_of(UNIT) == 20 * 710
    assert abs(log_of(3) - 1125) <= 4
    assert log_of(5, -3) == log_of(5) - 3 * 710


@pytest.mark.parametrize("pace_ms", [300, 620, 1200])
def test_the_weights_of_a_gap_are_a_whole(pace_ms: int) -> None:
    gap = gap_of(pace_ms, measured=True)
    assert 0 <= GAP_UNIT - gap.longer[0] < GAP_UNIT // 50
    assert list(gap.longer) == sorted(gap.longer, reverse=True)


def test_the_pace_is_measured_once_three_gaps_are_known() -> None:
    assert pace_of([350, 350]) == (620, False)
    pace_ms, measured = pace_of([350] * 5)
    assert measured
    assert 350 <= pace_ms <= 440


def test_silence_says_more_the_longer_it_lasts() -> None:
    weights = [unread(TABLE, scans) for scans in range(60)]
    assert weights == sorted(weights, reverse=True)
    assert weights[0] == UNIT


def test_priors_leave_nearly_every_hand_as_planned() -> None:
    assert sum(PRIORS.values()) < MILLION // 25
    for departure in departures(ORDER, 2):
        assert departure.prior > 0
        assert PLAN[: departure.place] + departure.rest != PLAN


def test_a_burn_that_was_not_read_is_missed_the_surer_the_longer_it_would_have_lain() -> None:
    told = [unburned(TABLE, lain_ms, glimpsed=False, hears=False) for lain_ms in (1000, 4000, 8000, 12_000)]
    assert told == sorted(told)
    assert told[0] < 5000 < told[-1]
    # a silence of the antenna lasts from 1 to 10 s: after 8 s it is seldom the reason
    assert unburned(TABLE, 8300, glimpsed=False, hears=False) >= 7500
    assert unburned(FINE, 5200, glimpsed=False, hears=False) >= 7400
    assert unburned(TABLE, 12_000, glimpsed=True, hears=False) < 5000
    assert unburned(CLEAN, 1500, glimpsed=False, hears=False) >= 5000
    assert unburned(TABLE, 4000, glimpsed=False, hears=True) > unburned(
        TABLE, 4000, glimpsed=False, hears=False
    )


# -- what cannot be told ----------------------------------------------------------------------------------------------------------


def test_what_no_antenna_can_tell_is_named() -> None:
    by_set = {name: {twin.name: twin for twin in twins(zones, shoe=shoe)} for name, zones, shoe in SETS}
    last = "last seat skipped in the second round"
    assert by_set["seats only"][last].told == ""
    assert by_set["seats only"][last].alone == "the first action"
    assert by_set["the same, and a shoe that counts"][last].told == "the first action"
    assert by_set["seats only"]["two burns before the turn"].alone == ""
    assert (
        by_set["seats, board, burn and muck"]["two burns before the turn"].told == "the burn before the turn"
    )
    assert by_set["seats and board"]["four cards on the flop"].told == "the flop"
