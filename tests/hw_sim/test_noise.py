"""Antennas with noise: each effect as often as its profile says, alone and at every way of asking; nothing where none is asked for."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as hs

from hw_sim.antennas import Field, TagEvent
from hw_sim.cards import FACES, deck_of
from hw_sim.cli import main
from hw_sim.noise import PROFILES, Sensing, misses
from hw_sim.noisy_field import NoisyField, field_of, neighbours
from hw_sim.physics import Movement

ANTENNAS = {"seat1": 1, "seat2": 2, "seat3": 3, "board": 12, "burn": 13, "muck": 14}
TAGS = deck_of(1)
SAMPLE = Path(__file__).parents[1] / "data" / "pluribus_sample.phhs"
NOISY = ("fine", "table", "bad")
MOVES = [
    Movement("As", "", "seat1", 1000, 1000),
    Movement("Kd", "", "seat2", 1600, 1600),
    Movement("Qd", "", "seat1", 2200, 2200),
    Movement("2c", "", "board", 4000, 4000),
    Movement("As", "seat1", "muck", 61_000, 61_300),
    Movement("Kd", "seat2", "", 62_000, 62_300),
]


def noisy(seed: str = "3", **sensing: float) -> NoisyField:
    return NoisyField(ANTENNAS, TAGS, Sensing(scan_period_ms=200, **sensing), seed=seed)  # type: ignore[arg-type]


def events(field: Field, steps: Iterable[int]) -> list[TagEvent]:
    for move in MOVES:
        field.move(move)
    return list(itertools.chain.from_iterable(field.until(t_ms) for t_ms in steps))


def lay(field: Field, face: str, zone: str, t_ms: int) -> None:
    field.move(Movement(face, "", zone, t_ms, t_ms))


def take(field: Field, face: str, zone: str, t_ms: int) -> None:
    field.move(Movement(face, zone, "", t_ms, t_ms))


def spans(told: Sequence[TagEvent], antenna: int, face: str, end_ms: int) -> list[tuple[int, int]]:
    """When this card was read at this antenna: from, to."""
    out: list[tuple[int, int]] = []
    since: int | None = None
    for event in told:
        if event.antenna != antenna or event.uid != TAGS[face]:
            continue
        if event.kind == "tag_arrived":
            assert since is None
            since = event.t_ms
        elif event.kind == "tag_left":
            assert since is not None
            out.append((since, event.t_ms))
            since = None
    return out if since is None else [*out, (since, end_ms)]


def share_of(spans: Sequence[tuple[int, int]], from_ms: int, to_ms: int) -> float:
    return sum(end - begin for begin, end in spans) / (to_ms - from_ms)


def about(share: float, n: int) -> object:
    """Within four standard errors of a share of ``n`` independent draws."""
    return pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / n) + 1 / n)


# -- one effect at a time ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hit", [0.98, 0.95, 0.8, 0.3])
def test_a_card_that_lies_well_is_read_as_often_as_the_hit_rate_says(hit: float) -> None:
    table = noisy(hit=hit)
    lay(table, "As", "seat1", 0)
    end_ms = 4_000_000
    found = share_of(spans(table.until(end_ms), 1, "As", end_ms), 0, end_ms)
    assert found == about(hit, end_ms // 200)


@pytest.mark.parametrize("hit", [0.95, 0.8])
def test_misses_are_coins_and_no_runs(hit: float) -> None:
    table = noisy(hit=hit)
    lay(table, "As", "seat1", 0)
    end_ms = 4_000_000
    read = spans(table.until(end_ms), 1, "As", end_ms)
    gaps = [(begin - end) // 200 for (_, end), (begin, _) in itertools.pairwise(read)]
    assert sum(gap == 1 for gap in gaps) / len(gaps) == about(hit, len(gaps))


@pytest.mark.parametrize(("share", "hit"), [(0.02, 0.05), (0.2, 0.05)])
def test_badly_placed_cards_are_as_many_as_the_profile_says_and_stay_so(share: float, hit: float) -> None:
    table = noisy(badly_placed=share, badly_placed_hit=hit)
    stays, stay_ms, poor, read_ms = 1500, 20_000, 0, 0
    for stay in range(stays):
        at_ms = stay * 2 * stay_ms
        lay(table, "As", "seat1", at_ms)
        take(table, "As", "seat1", at_ms + stay_ms)
        read = sum(
            end - begin
            for begin, end in spans(table.until(at_ms + 2 * stay_ms - 1), 1, "As", at_ms + stay_ms)
        )
        if read < 0.6 * stay_ms:
            poor += 1
            read_ms += read
    assert poor / stays == about(share, stays)
    assert read_ms / (poor * stay_ms) == about(hit, poor * stay_ms // 200)


def test_two_cards_of_a_hand_may_fail_together() -> None:
    share, hit = 0.3, 0.5
    hands, stay_ms, together = 600, 10_000, 0
    table = noisy(pairs=share, pair_hit=hit)
    for hand in range(hands):
        at_ms = hand * 2 * stay_ms
        for face in ("As", "Kd"):
            lay(table, face, "seat2", at_ms)
            take(table, face, "seat2", at_ms + stay_ms)
        told = table.until(at_ms + 2 * stay_ms - 1)
        both = [spans(told, 2, face, at_ms + stay_ms) for face in ("As", "Kd")]
        assert both[0] == both[1]
        together += share_of(both[0], at_ms, at_ms + stay_ms) < 0.9
    assert together / hands == about(share, hands)


def test_a_card_that_is_left_of_a_pair_is_read_as_it_lies() -> None:
    table = noisy(pairs=1.0, pair_hit=0.2)
    lay(table, "As", "seat2", 0)
    lay(table, "Kd", "seat2", 0)
    take(table, "As", "seat2", 10_000)
    read = spans(table.until(100_000), 2, "Kd", 100_000)
    assert read[-1][1] - read[-1][0] > 88_000


def test_a_card_at_the_border_is_read_by_a_neighbour_too_and_leaves_it_when_it_is_taken() -> None:
    share, hit, cards, stay_ms = 0.2, 0.3, 500, 20_000
    table = noisy(border=share, border_hit=hit)
    ghosts, read_ms = 0, 0
    for card in range(cards):
        at_ms = card * 2 * stay_ms
        lay(table, "As", "seat2", at_ms)
        take(table, "As", "seat2", at_ms + stay_ms)
        told = table.until(at_ms + 2 * stay_ms - 1)
        found = [spans(told, antenna, "As", at_ms + stay_ms + 200) for antenna in (1, 3)]
        assert not spans(told, 12, "As", at_ms)
        assert spans(told, 2, "As", 0)
        assert not (found[0] and found[1])
        ghosts += bool(found[0] or found[1])
        read_ms += sum(end - begin for begin, end in found[0] + found[1])
        assert all(end <= at_ms + stay_ms + 400 for _, end in found[0] + found[1])
    assert ghosts / cards == about(share, cards)
    assert read_ms / (ghosts * stay_ms) == pytest.approx(hit, rel=0.1)


def test_a_card_that_flies_by_is_read_once_and_before_it_lies() -> None:
    share, cards = 0.2, 1000
    table = noisy(fly_by=share)
    seen = 0
    for card in range(cards):
        at_ms = 1000 + card * 10_000
        lay(table, "As", "seat2", at_ms)
        take(table, "As", "seat2", at_ms + 5000)
        told = table.until(at_ms + 9000)
        ghosts = [span for antenna in (1, 3) for span in spans(told, antenna, "As", 0)]
        assert all(end - begin == 200 and at_ms - 500 < begin < at_ms + 200 for begin, end in ghosts)
        assert len(ghosts) < 2
        seen += len(ghosts)
    assert seen / cards == about(share, cards)


@pytest.mark.parametrize("what", ["outage_every_ms", "cover_every_ms"])
def test_misses_come_in_runs_of_1_to_10_seconds(what: str) -> None:
    every_ms = 60_000
    table = noisy(**{what: every_ms})
    for face in ("As", "Kd"):
        lay(table, face, "seat1", 0)
    end_ms = 60_000_000
    read = [spans(table.until(end_ms), 1, face, end_ms) for face in ("As", "Kd")]
    gaps = [begin - end for (_, end), (begin, _) in itertools.pairwise(read[0])]
    assert all(800 <= gap <= 10_200 for gap in gaps)
    # from the end of one to the beginning of the next, and then 5.5 s long
    assert len(gaps) == pytest.approx(end_ms / (every_ms + 5500), rel=4 / math.sqrt(1000))
    assert sum(gaps) / len(gaps) == pytest.approx(5500, rel=0.1)


def test_an_outage_takes_all_cards_of_an_antenna_and_a_covered_card_no_other() -> None:
    out, covered = noisy(outage_every_ms=60_000), noisy(cover_every_ms=60_000)
    both = []
    for table in (out, covered):
        for face in ("As", "Kd"):
            lay(table, face, "seat1", 0)
        told = table.until(6_000_000)
        both.append([spans(told, 1, face, 6_000_000) for face in ("As", "Kd")])
    assert both[0][0] == both[0][1]
    assert both[1][0] != both[1][1]


def test_corrupt_replies_are_told_and_are_neither_reads_nor_misses() -> None:
    table = noisy(corrupt=0.005)
    lay(table, "As", "seat1", 0)
    told = table.until(4_000_000)
    failed = [event for event in told if event.kind == "scan_failed"]
    assert len(failed) / (len(ANTENNAS) * 20_000) == about(0.005, len(ANTENNAS) * 20_000)
    assert {event.antenna for event in failed} == set(ANTENNAS.values())
    assert [event.kind for event in told if event.uid] == ["tag_arrived"]


def test_a_card_that_comes_in_a_corrupt_scan_is_told_by_the_next_clean_one() -> None:
    table = noisy(corrupt=0.5)
    for number in range(40):
        lay(table, "As", "seat1", 1000 + number * 20_000)
        take(table, "As", "seat1", 11_000 + number * 20_000)
    told = [event for event in table.until(900_000) if event.antenna == 1]
    failed = {event.t_ms for event in told if event.kind == "scan_failed"}
    cards = [event for event in told if event.uid]
    assert [event.kind for event in cards] == ["tag_arrived", "tag_left"] * 40
    for number, event in enumerate(cards):
        due_ms = 1000 + number * 10_000
        scan = due_ms + (14 - due_ms) % 200
        while scan in failed:
            scan += 200
        assert event.t_ms == scan


def test_piles_are_read_two_deep_and_deeper_cards_come_back() -> None:
    table = noisy(pile_depth=2)
    for number, face in enumerate(("As", "Kd", "2c")):
        lay(table, face, "burn", number * 1000)
    table.until(5000)
    assert set(table.inventory(13)) == {TAGS["Kd"], TAGS["2c"]}
    take(table, "2c", "burn", 6000)
    table.until(8000)
    assert set(table.inventory(13)) == {TAGS["As"], TAGS["Kd"]}


def test_a_fold_rests_on_the_muck_antenna_and_is_then_moved_off() -> None:
    sensing = Sensing(scan_period_ms=200, muck_rest_ms=(1000, 2500))
    table = NoisyField(ANTENNAS, TAGS, sensing, seed="1")
    for number in range(200):
        lay(table, "As", "muck", number * 10_000)
    read = spans(table.until(2_000_000), 14, "As", 0)
    rests = [end - begin for begin, end in read]
    assert len(rests) == 200
    assert 800 <= min(rests) <= 1400
    assert 2100 <= max(rests) <= 2700


def test_a_reader_that_restarts_says_so_and_then_all_that_lies_there() -> None:
    table = noisy()
    table.reboot(5000)
    lay(table, "As", "seat1", 1000)
    lay(table, "Kd", "seat2", 6000)
    take(table, "As", "seat1", 8000)
    told = table.until(20_000)
    assert [(event.kind, event.t_ms) for event in told[:2]] == [("tag_arrived", 1014), ("restarted", 7000)]
    inventory = {event.antenna: event.uids for event in told[2:] if event.kind == "inventory"}
    assert inventory == dict.fromkeys(ANTENNAS.values(), ()) | {1: (TAGS["As"],), 2: (TAGS["Kd"],)}
    assert [(event.kind, event.antenna) for event in told if event.t_ms > 7000] == [("tag_left", 1)]


def test_a_reader_restarts_in_as_many_hands_as_the_profile_says() -> None:
    table = noisy(reboots_per_hand=0.05)
    for hand in range(2000):
        table.begin_hand(hand * 60_000)
    restarts = [event.t_ms for event in table.until(2001 * 60_000) if event.kind == "restarted"]
    assert len(restarts) / 2000 == about(0.05, 2000)


def test_a_card_that_is_taken_up_before_it_was_read_never_is() -> None:
    table = noisy(border=1.0, border_hit=1.0)
    lay(table, "As", "seat1", 1020)
    take(table, "As", "seat1", 1200)
    lay(table, "Kd", "seat3", 9000)
    take(table, "Kd", "seat3", 5000)
    assert [event for event in table.until(30_000) if event.antenna in (1, 3)] == []


def test_seats_are_close_to_the_seats_beside_them() -> None:
    assert neighbours("seat1") == ("seat2",)
    assert neighbours("seat5") == ("seat4", "seat6")
    assert neighbours("seat11") == ("seat10",)
    assert neighbours("board2") == ()
    assert all(zone in neighbours(other) for zone in ("board", "burn", "muck") for other in neighbours(zone))


# -- all together --------------------------------------------------------------------------------------------------------------------


def test_without_noise_it_is_the_plain_field() -> None:
    assert type(field_of(ANTENNAS, TAGS, PROFILES["clean"].sensing, seed=1)) is Field
    assert type(field_of(ANTENNAS, TAGS, misses(0.0).sensing, seed=1)) is Field
    plain, quiet = Field(ANTENNAS, TAGS), NoisyField(ANTENNAS, TAGS, Sensing(), seed="1")
    assert events(plain, range(0, 90_000, 500)) == events(quiet, range(0, 90_000, 500))


_acts = hs.lists(
    hs.tuples(
        hs.sampled_from(FACES[:6]), hs.sampled_from(["", *ANTENNAS]), hs.integers(0, 900), hs.integers(0, 400)
    ),
    max_size=30,
)


@given(_acts, hs.sampled_from(NOISY), hs.integers(0, 99), hs.integers(1, 700))
def test_whatever_moves_reports_alternate_and_time_goes_forward_and_asking_changes_nothing(
    acts: list[tuple[str, str, int, int]], profile: str, seed: int, stride: int
) -> None:
    fields = [NoisyField(ANTENNAS, TAGS, PROFILES[profile].sensing, seed=str(seed)) for _ in range(2)]
    told: list[list[TagEvent]] = [[], []]
    where: dict[str, str] = {}
    t_ms = 0
    for face, zone, wait_ms, carry_ms in acts:
        t_ms += wait_ms
        for field, out in zip(fields, told, strict=True):
            field.move(Movement(face, where.get(face, ""), zone, t_ms, t_ms + carry_ms))
            out.extend(field.until(t_ms))
        where[face] = zone
    end_ms = t_ms + 20_000
    for at_ms in range(t_ms, end_ms, stride):
        told[0] += fields[0].until(at_ms)
    told[0] += fields[0].until(end_ms)
    told[1] += fields[1].until(end_ms)
    assert told[0] == told[1]
    times = [event.t_ms for event in told[0]]
    assert times == sorted(times)
    seen: set[tuple[int, bytes]] = set()
    for event in told[0]:
        key = (event.antenna, event.uid)
        if event.kind == "tag_arrived":
            assert key not in seen
            seen.add(key)
        elif event.kind == "tag_left":
            seen.remove(key)
    assert seen == {(antenna, uid) for antenna in ANTENNAS.values() for uid in fields[0].inventory(antenna)}


def test_another_seed_is_another_noise() -> None:
    sensing = PROFILES["bad"].sensing
    first, again, other = (
        events(NoisyField(ANTENNAS, TAGS, sensing, seed=seed), [90_000]) for seed in ("1", "1", "2")
    )
    assert first == again != other


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


@pytest.mark.parametrize("seed", ["1", "2", "3", "4"])
def test_a_card_that_is_taken_up_leaves_nothing_at_its_neighbour_however_soon(seed: str) -> None:
    """Laid and taken up between two scans of the neighbour, it is read there no more, and not in every hand from then on."""
    for up_ms in range(1000, 1400, 5):
        field = noisy(seed, border=1.0, border_hit=1.0)
        lay(field, "As", "seat2", 1000)
        take(field, "As", "seat2", up_ms)
        field.until(3000)
        field.reboot(3100)
        assert all(TAGS["As"] not in event.uids for event in field.until(9000)), up_ms
