"""Reads become movements: what is certain, when, and what is never made up."""

from __future__ import annotations

from dealer_assist.devices.zones import ZoneParameters, Zones
from dealer_assist.table.ports import (
    DeviceRestarted,
    InventorySeen,
    LinkChanged,
    LinkState,
    Movement,
    ScanFailed,
    ShufflerChanged,
    TagArrived,
    TagGlimpsed,
    TagLeft,
    TagPlaced,
    TagRemoved,
    ZoneTrouble,
)

A = bytes.fromhex("E0040150A1B2C3D4")
B = bytes.fromhex("E0040150A1B2C3D5")
C = bytes.fromhex("E0040150A1B2C3D6")
DEV = "reader-1"
OTHER = "reader-2"
GATE = "gate-1"
ANTENNAS = {
    (DEV, 1): "seat1",
    (DEV, 2): "seat2",
    (DEV, 13): "muck",
    (DEV, 21): "board",
    (DEV, 22): "board",
    (OTHER, 1): "seat7",
    (GATE, 1): "burn",
}


def zones(**changes: int) -> Zones:
    return Zones(ANTENNAS, parameters=ZoneParameters(gates=frozenset({"burn"}), **changes))


def on(uid: bytes, t_ms: int, antenna: int = 1, device: str = DEV) -> TagArrived:
    return TagArrived(device, antenna, uid, t_ms, t_ms // 100, 100)


def off(uid: bytes, t_ms: int, antenna: int = 1, device: str = DEV) -> TagLeft:
    return TagLeft(device, antenna, uid, t_ms, t_ms // 100, 100)


def failed(t_ms: int, antenna: int = 1, device: str = DEV) -> ScanFailed:
    return ScanFailed(device, antenna, t_ms, t_ms // 100, 100, "crc")


def inventory(t_ms: int, *uids: bytes, antenna: int = 1, device: str = DEV) -> InventorySeen:
    return InventorySeen(device, antenna, uids, t_ms, t_ms // 100, 100)


def link(state: LinkState, t_ms: int, device: str = DEV) -> LinkChanged:
    return LinkChanged(device, t_ms, state)


def run(z: Zones, *observations: object, until: int = 20_000) -> list[Movement]:
    out: list[Movement] = []
    for observation in observations:
        out += z.feed(observation)  # type: ignore[arg-type]
    out += z.tick(until)
    return out


def test_a_tag_is_placed_when_the_second_scan_has_not_lost_it() -> None:
    z = zones()
    assert z.feed(on(A, 1000)) == []
    assert z.next_deadline_ms() == 1130
    assert z.tick(1129) == []
    assert z.tick(1200) == [TagPlaced("seat1", A, 900, 1000, 1130)]
    assert z.next_deadline_ms() is None
    assert z.occupied()["seat1"] == (A,)
    assert z.occupied()["seat2"] == ()


def test_one_read_alone_is_a_glimpse_and_places_nothing() -> None:
    z = zones()
    assert run(z, on(A, 1000), off(A, 1100)) == [TagGlimpsed("seat1", A, 1000, 1630)]
    assert z.occupied()["seat1"] == ()
    assert z.next_deadline_ms() is None


def test_a_card_that_passes_an_antenna_on_its_way_is_no_glimpse() -> None:
    """It has come to lie elsewhere by the time that nobody reads it there again."""
    z = zones()
    assert run(z, on(A, 1000, 2), off(A, 1100, 2), on(A, 1100)) == [TagPlaced("seat1", A, 1000, 1100, 1230)]


def test_two_reads_with_a_miss_between_place_it_and_the_first_read_counts() -> None:
    z = zones()
    assert run(z, on(A, 1000), off(A, 1100), on(A, 1200), until=1230) == [
        TagPlaced("seat1", A, 900, 1000, 1230)
    ]


def test_removed_only_after_time_and_misses_and_last_read_is_named() -> None:
    z = zones()
    run(z, on(A, 1000), until=1500)
    assert z.feed(off(A, 2000)) == []
    assert z.tick(2529) == []
    assert z.tick(2530) == [TagRemoved("seat1", A, 1900, 2530)]
    assert z.occupied()["seat1"] == ()


def test_slow_antennas_need_their_misses_whatever_the_time() -> None:
    z = zones(leave_misses=3)
    slow = TagArrived(DEV, 1, A, 1000, 1, 400)
    assert run(z, slow, until=1500) == [TagPlaced("seat1", A, 600, 1000, 1430)]
    z.feed(TagLeft(DEV, 1, A, 3000, 6, 400))
    assert z.tick(3829) == []
    assert z.tick(3830) == [TagRemoved("seat1", A, 2600, 3830)]


def test_a_flicker_is_nothing() -> None:
    z = zones()
    run(z, on(A, 1000), until=1500)
    assert run(z, off(A, 2000), on(A, 2100), off(A, 2200), on(A, 2700)) == []
    assert z.occupied()["seat1"] == (A,)


def test_a_return_after_the_leave_time_is_a_removal_and_a_new_placement_though_nobody_ticked() -> None:
    z = zones()
    run(z, on(A, 1000), until=1500)
    assert run(z, off(A, 2000), on(A, 2600)) == [
        TagRemoved("seat1", A, 1900, 2530),
        TagPlaced("seat1", A, 2500, 2600, 2730),
    ]


def test_failed_scans_are_neither_reads_nor_misses() -> None:
    z = zones()
    # The second scan failed: the third has to confirm.
    assert run(z, on(A, 1000), failed(1100), until=1229) == []
    assert z.tick(1230) == [TagPlaced("seat1", A, 900, 1000, 1230)]
    # A corrupt reply is not a removal, however long it lasts.
    z.feed(off(A, 2000))
    for t_ms in range(2100, 8000, 100):
        assert all(not isinstance(m, TagRemoved) for m in run(z, failed(t_ms), until=t_ms))
    assert z.occupied()["seat1"] == (A,)
    assert TagRemoved("seat1", A, 1900, 8430) in z.tick(9000)


def test_the_interval_of_an_arrival_reaches_back_over_failed_scans() -> None:
    z = zones()
    placed = run(z, failed(800), failed(900), on(A, 1000))
    assert placed == [TagPlaced("seat1", A, 700, 1000, 1130)]


def test_failing_and_clear() -> None:
    z = zones()
    out = run(z, *(failed(t_ms) for t_ms in range(1000, 2000, 100)))
    assert out == [ZoneTrouble("seat1", "failing", 1400), ZoneTrouble("seat1", "clear", 2400)]
    assert z.counts.failed_scans == 10


def test_a_card_carried_from_seat_to_muck_moves_without_the_slow_removal() -> None:
    z = zones()
    run(z, on(A, 1000), until=1500)
    out = run(z, off(A, 2000), on(A, 2100, 13))
    assert out == [TagRemoved("seat1", A, 1900, 2230), TagPlaced("muck", A, 2000, 2100, 2230)]


def test_read_at_the_new_zone_before_the_old_one_lost_it_is_a_move_within_the_leave_time() -> None:
    z = zones()
    run(z, on(A, 1000), until=1500)
    out = run(z, on(A, 2000, 13), off(A, 2300))
    assert out == [TagRemoved("seat1", A, 2200, 2430), TagPlaced("muck", A, 1900, 2000, 2430)]


def test_a_single_miss_at_the_old_zone_does_not_move_a_card_that_bleeds() -> None:
    z = zones()
    run(z, on(A, 1000), until=1500)
    out = run(z, on(A, 2000, 2), off(A, 2300), on(A, 2400))
    assert out == [ZoneTrouble("seat2", "conflict", 2500)]
    assert z.occupied()["seat1"] == (A,)
    assert z.occupied()["seat2"] == ()


def test_conflict_keeps_the_card_and_ends_when_one_of_the_two_loses_it() -> None:
    z = zones()
    run(z, on(A, 1000), until=1500)
    assert run(z, on(A, 2000, 2), until=5000) == [ZoneTrouble("seat2", "conflict", 2500)]
    assert run(z, off(A, 6000, 2), until=7000) == [ZoneTrouble("seat2", "clear", 6530)]
    assert run(z, on(A, 8000, 2), until=9000) == [ZoneTrouble("seat2", "conflict", 8500)]
    assert run(z, off(A, 10_000), until=11_000) == [
        TagRemoved("seat1", A, 9900, 10_530),
        TagPlaced("seat2", A, 7900, 8000, 10_530),
        ZoneTrouble("seat2", "clear", 10_530),
    ]
    assert z.counts.conflicts == 2


def test_antennas_of_one_zone_are_one_place() -> None:
    z = zones()
    out = run(z, on(A, 1000, 21), on(A, 1100, 22), off(A, 1200, 21), until=5000)
    assert out == [TagPlaced("board", A, 900, 1000, 1130)]
    assert run(z, off(A, 6000, 22), on(A, 6200, 21), until=9000) == []
    assert run(z, off(A, 9000, 21), until=9600) == [TagRemoved("board", A, 8900, 9530)]


def test_impossible_uids_are_counted_and_make_the_zone_doubtful_for_a_while() -> None:
    bad = [
        b"",
        b"\x01\x02\x03",
        A[:5],
        bytes.fromhex("88040C12FFFFFF"),
        b"\x00" * 8,
        b"\xff" * 4,
        A[::-1],
        bytes.fromhex("88040C12"),
    ]
    z = zones()
    out: list[Movement] = []
    for k, uid in enumerate(bad):
        out += run(z, on(uid, 1000 + 100 * k), off(uid, 1050 + 100 * k), until=1060 + 100 * k)
    out += run(z, inventory(1800, b"\xff" * 7))
    assert out == [ZoneTrouble("seat1", "mangled", 1000), ZoneTrouble("seat1", "clear", 3800)]
    assert z.counts.mangled == len(bad) + 1
    assert z.occupied()["seat1"] == ()


def test_four_seven_and_ten_byte_uids_are_cards() -> None:
    z = zones()
    uids = (bytes.fromhex("01020304"), bytes.fromhex("04A1B2C3D4E5F6"), bytes(range(10)))
    out = run(z, *(on(uid, 1000) for uid in uids))
    assert [m.uid for m in out if isinstance(m, TagPlaced)] == list(uids)


def test_antennas_without_a_zone_and_other_messages_are_left_alone() -> None:
    z = zones()
    assert (
        run(z, on(A, 1000, 99), on(A, 1000, 1, "nobody"), failed(1000, 99), inventory(1000, A, antenna=99))
        == []
    )
    assert run(z, link("lost", 1000, "nobody"), DeviceRestarted("nobody", 1000)) == []
    assert run(z, ShufflerChanged("shuffler-1", 1000, "ready")) == []
    assert z.counts.unmapped == 4


def test_inventory_finds_what_was_missed_and_misses_what_is_gone() -> None:
    z = zones()
    run(z, inventory(500), on(A, 1000), until=1500)
    out = run(z, inventory(5000, B))
    assert out == [TagPlaced("seat1", B, 500, 5000, 5130), TagRemoved("seat1", A, 4900, 5530)]
    assert run(z, inventory(21_000, B), until=25_000) == []


def test_nothing_is_removed_by_a_lost_link_and_the_next_inventory_decides() -> None:
    z = zones()
    run(z, on(A, 1000), on(B, 1000), on(C, 1000, 2), until=1500)
    out = run(z, off(A, 2000), off(C, 2000, 2), link("lost", 2200), until=60_000)
    assert out == []
    out = run(z, link("ok", 60_000), until=61_000)
    assert out == []
    out = run(z, inventory(61_100, A), inventory(61_100, antenna=2), until=70_000)
    assert out == [TagRemoved("seat1", B, 1000, 61_630), TagRemoved("seat2", C, 1900, 61_630)]
    assert z.occupied()["seat1"] == (A,)


def test_a_restart_keeps_the_hand_until_the_inventory() -> None:
    z = zones()
    run(z, on(A, 1000), until=1500)
    assert run(z, DeviceRestarted(DEV, 3000), until=9000) == []
    assert run(z, inventory(9000, A, B), until=9900) == [TagPlaced("seat1", B, 1500, 9000, 9130)]
    assert z.occupied()["seat1"] == (A, B)


def test_a_single_read_before_a_loss_waits_for_the_inventory() -> None:
    z = zones()
    assert run(z, on(A, 1000), on(B, 1000, 2), link("lost", 1050), until=4000) == []
    out = run(z, link("ok", 4000), inventory(4100, A), inventory(4100, antenna=2), until=9000)
    assert out == [TagPlaced("seat1", A, 900, 1000, 4130), TagGlimpsed("seat2", B, 1000, 4630)]


def test_a_silence_that_ends_goes_on_where_it_was() -> None:
    z = zones()
    run(z, on(A, 1000), until=1500)
    assert run(z, off(A, 2000), on(B, 2000), link("stale", 2050), until=3000) == []
    assert run(z, link("ok", 3000), until=3500) == [TagPlaced("seat1", B, 1900, 2000, 3130)]
    assert z.tick(4000) == [TagRemoved("seat1", A, 1900, 3530)]


def test_a_card_seen_elsewhere_while_its_old_reader_is_away_has_moved() -> None:
    z = zones()
    run(z, on(A, 1000), until=1500)
    z.feed(link("lost", 3000))
    assert run(z, on(A, 4000, 1, OTHER), until=5000) == [
        TagRemoved("seat1", A, 1500, 4130),
        TagPlaced("seat7", A, 3900, 4000, 4130),
    ]


def test_a_gate_places_at_once_and_leaving_it_is_no_movement() -> None:
    z = zones()
    assert z.feed(on(A, 1000, 1, GATE)) == [TagPlaced("burn", A, 900, 1000, 1000)]
    assert run(z, off(A, 1600, 1, GATE), on(A, 2300, 1, GATE), off(A, 2900, 1, GATE), until=3800) == []
    assert z.occupied()["burn"] == (A,)
    assert z.tick(5000) == []
    assert z.occupied()["burn"] == ()
    # Another hand, the same card: shown anew.
    assert z.feed(on(A, 90_000, 1, GATE)) == [TagPlaced("burn", A, 89_900, 90_000, 90_000)]


def test_a_card_shown_at_a_gate_before_its_old_zone_missed_it_is_placed_there() -> None:
    z = zones()
    run(z, on(A, 1000, 13), until=1500)
    out = run(z, on(A, 2000, 1, GATE), off(A, 2200, 13), off(A, 2250, 1, GATE), until=5000)
    assert out == [TagRemoved("muck", A, 2100, 2330), TagPlaced("burn", A, 1900, 2000, 2330)]
    assert z.occupied()["burn"] == ()


def test_a_card_from_the_gate_read_elsewhere_was_never_removed_from_it() -> None:
    z = zones()
    z.feed(on(A, 1000, 1, GATE))
    assert run(z, off(A, 1500, 1, GATE), on(A, 1700, 13)) == [TagPlaced("muck", A, 1600, 1700, 1830)]


def test_nothing_is_kept_of_tags_that_are_gone() -> None:
    z = zones()
    for k in range(300):
        uid = b"\xe0" + k.to_bytes(7, "big")
        run(z, on(uid, 1000 * k + 1000), off(uid, 1000 * k + 1100), until=1000 * k + 1000)
    z.tick(10_000_000)
    assert z.next_deadline_ms() is None
    assert not z._tags
    assert not any(zone.spots for zone in z._zones.values())


def slow(uid: bytes, t_ms: int, antenna: int = 1) -> TagArrived:
    return TagArrived(OTHER, antenna, uid, t_ms, t_ms // 400, 400)


def both(**changes: ZoneParameters) -> Zones:
    """Two readers: one looks every 100 ms, the other every 400."""
    table = Zones(ANTENNAS, by_device=changes)
    table.feed(inventory(0))
    table.feed(InventorySeen(OTHER, 1, (), 0, 0, 400))
    return table


def test_what_was_laid_first_is_placed_first_whoever_reads_it() -> None:
    table = both()
    out: list[Movement] = []
    # laid at 1010 before the slow reader, which sees it at 1400, and at 1200 before the fast one
    out += table.feed(on(B, 1200, 2))
    out += table.feed(slow(A, 1400))
    out += table.tick(4000)
    assert [(seen.zone, seen.uid) for seen in out if isinstance(seen, TagPlaced)] == [
        ("seat7", A),
        ("seat2", B),
    ]


def test_a_reader_that_is_lost_holds_nobody_back() -> None:
    table = both()
    table.feed(link("lost", 500, OTHER))
    table.feed(on(B, 1200, 2))
    (placed,) = table.tick(1330)
    assert isinstance(placed, TagPlaced)
    assert placed.t_ms == 1330


def test_parameters_are_each_devices_own() -> None:
    table = both(**{OTHER: ZoneParameters(leave_ms=2000, slack_ms=100)})
    table.feed(on(A, 1000))
    table.feed(slow(B, 1000))
    assert len([seen for seen in table.tick(3000) if isinstance(seen, TagPlaced)]) == 2
    table.feed(off(A, 3100))
    table.feed(TagLeft(OTHER, 1, B, 3200, 8, 400))
    (gone,) = table.tick(5000)
    assert (gone.zone, gone.t_ms) == ("seat1", 3630)
    (gone,) = table.tick(6000)
    assert (gone.zone, gone.t_ms) == ("seat7", 5300)
