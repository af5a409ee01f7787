"""Whatever devices say, in whatever order: nothing raises, nothing is made up, and placing and removing alternate."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from dealer_assist.devices.zones import ZoneParameters, Zones
from dealer_assist.table.ports import (
    DeviceRestarted,
    InventorySeen,
    LinkChanged,
    Movement,
    Observation,
    ScanFailed,
    TagArrived,
    TagLeft,
    TagPlaced,
    TagRemoved,
    ZoneTrouble,
)

UIDS = [b"\xe0\x04" + bytes([k]) * 6 for k in range(4)] + [b"\xff" * 4, b"\x88" + b"\x01" * 6, b""]
DEVICES = ["r1", "r2", "gate"]
ANTENNAS = {
    ("r1", 1): "seat1",
    ("r1", 2): "board",
    ("r1", 3): "board",
    ("r2", 1): "muck",
    ("gate", 1): "burn",
}

uids = st.sampled_from(UIDS)
devices = st.sampled_from(DEVICES)
antennas = st.integers(0, 4)
times = st.integers(-1000, 12_000)
scans = st.integers(0, 10)
periods = st.sampled_from([0, 20, 100, 250])
anything: st.SearchStrategy[Observation] = st.one_of(
    st.builds(TagArrived, devices, antennas, uids, times, scans, periods),
    st.builds(TagLeft, devices, antennas, uids, times, scans, periods),
    st.builds(ScanFailed, devices, antennas, times, scans, periods, st.just("crc")),
    st.builds(InventorySeen, devices, antennas, st.lists(uids, max_size=4).map(tuple), times, scans, periods),
    st.builds(
        LinkChanged,
        devices,
        times,
        st.sampled_from(["ok", "connecting", "stale", "lost", "refused", "fault"]),
    ),
    st.builds(DeviceRestarted, devices, times),
)


def fresh() -> Zones:
    return Zones(ANTENNAS, parameters=ZoneParameters(gates=frozenset({"burn"})))


def check(movements: list[Movement], seen: set[bytes]) -> set[tuple[str, bytes]]:
    """Returns what lies where after the movements, gates left out."""
    lying: set[tuple[str, bytes]] = set()
    troubled: set[str] = set()
    last = None
    for m in movements:
        assert last is None or m.t_ms >= last
        last = m.t_ms
        if isinstance(m, ZoneTrouble):
            if m.kind == "clear":
                assert m.zone in troubled
                troubled.remove(m.zone)
            else:
                troubled.add(m.zone)
        if isinstance(m, TagPlaced | TagRemoved):
            assert m.uid in seen
            assert m.zone in ANTENNAS.values()
            assert m.since_ms <= m.t_ms
        if isinstance(m, TagPlaced):
            assert m.since_ms <= m.first_ms <= m.t_ms
            if m.zone != "burn":
                assert (m.zone, m.uid) not in lying
                assert all(uid != m.uid for _, uid in lying), "one card at two zones"
                lying.add((m.zone, m.uid))
        elif isinstance(m, TagRemoved):
            assert (m.zone, m.uid) in lying
            lying.remove((m.zone, m.uid))
    return lying


@settings(max_examples=400, deadline=None)
@given(st.lists(st.tuples(anything, st.integers(0, 400)), max_size=40))
def test_no_sequence_raises_invents_or_breaks_the_alternation(steps: list[tuple[Observation, int]]) -> None:
    z = fresh()
    seen: set[bytes] = set()
    out: list[Movement] = []
    now = 0
    for observation, wait in steps:
        if isinstance(observation, TagArrived):
            seen.add(observation.uid)
        elif isinstance(observation, InventorySeen):
            seen.update(observation.uids)
        out += z.feed(observation)
        now += wait
        out += z.tick(now)
        due = z.next_deadline_ms()
        assert due is None or due > now
        lying = check(out, seen)
        occupied = {(zone, uid) for zone, here in z.occupied().items() for uid in here}
        assert {pair for pair in occupied if pair[0] != "burn"} == lying
    # Left alone for long enough, every zone is clear of troubles but for tags that still lie at two.
    out += z.tick(10**9)
    check(out, seen)
    assert z.next_deadline_ms() is None


SCAN = 100

presence = st.lists(
    st.tuples(st.booleans(), st.booleans(), st.booleans(), st.booleans()), min_size=2, max_size=30
)


def changes(scan: int, before: tuple[bool, ...], now: tuple[bool, ...]) -> list[Observation]:
    """What a device says of one scan in which the tags at (antenna, uid) became ``now``."""
    places = list(itertools.product([("r1", 1), ("r2", 1)], UIDS[:2]))
    t_ms = 1000 + SCAN * scan
    out: list[Observation] = []
    for ((device, antenna), uid), was, is_ in zip(places, before, now, strict=True):
        if is_ and not was:
            out.append(TagArrived(device, antenna, uid, t_ms, scan, SCAN))
        elif was and not is_:
            out.append(TagLeft(device, antenna, uid, t_ms, scan, SCAN))
    return out


def play(scans_: list[list[Observation]], tick_every: int | None) -> list[Movement]:
    z = fresh()
    out: list[Movement] = []
    for scan, observations in enumerate(scans_):
        if tick_every is not None:
            for t_ms in range(1000 + SCAN * (scan - 1), 1000 + SCAN * scan, tick_every):
                out += z.tick(t_ms)
        for observation in observations:
            out += z.feed(observation)
    return out + z.tick(100_000)


def unordered(movements: list[Movement]) -> list[Movement]:
    """Cards of one moment have no order; what happens to one card keeps its own."""
    order = {TagRemoved: 0, TagPlaced: 1}
    return sorted(
        movements, key=lambda m: (m.t_ms, getattr(m, "uid", b""), order.get(type(m), 2), m.zone, repr(m))
    )


@settings(max_examples=300, deadline=None)
@given(presence, st.randoms(use_true_random=False))
def test_the_order_inside_a_scan_changes_nothing(rows: list[tuple[bool, ...]], random) -> None:
    states = [(False,) * 4, *rows]
    told = [changes(k, a, b) for k, (a, b) in enumerate(itertools.pairwise(states))]
    shuffled = [random.sample(one, len(one)) for one in told]
    assert unordered(play(told, 10)) == unordered(play(shuffled, 10))


@settings(max_examples=300, deadline=None)
@given(presence, st.sampled_from([1, 7, 50, 99]))
def test_how_often_time_is_told_changes_nothing(rows: list[tuple[bool, ...]], every: int) -> None:
    states = [(False,) * 4, *rows]
    told = [changes(k, a, b) for k, (a, b) in enumerate(itertools.pairwise(states))]
    assert play(told, None) == play(told, every)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(1, 5), min_size=2, max_size=20))
def test_flickers_shorter_than_the_leave_time_change_nothing(lengths: list[int]) -> None:
    z = fresh()
    uid = UIDS[0]
    assert z.feed(TagArrived("r1", 1, uid, 0, 0, SCAN)) == []
    assert len(z.tick(500)) == 1
    t_ms = 1000
    for k, length in enumerate(lengths):
        kind = TagArrived if k % 2 else TagLeft
        assert z.feed(kind("r1", 1, uid, t_ms, 0, SCAN)) == []
        assert z.tick(t_ms + 10) == []
        t_ms += SCAN * length
    if len(lengths) % 2:
        z.feed(TagArrived("r1", 1, uid, t_ms, 0, SCAN))
    assert z.tick(100_000) == []
    assert z.occupied()["seat1"] == (uid,)
