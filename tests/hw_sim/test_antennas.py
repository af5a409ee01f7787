"""What antennas report of moving cards: nothing but changes, each on the scan grid, and never more than physics lets them read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as hs

from hw_sim.antennas import PILE_DEPTH, SCAN_PERIOD_MS, Field, TagEvent
from hw_sim.cards import FACES, deck_of
from hw_sim.physics import Movement

ANTENNAS = {"seat1": 1, "seat2": 2, "board": 12, "burn": 13, "muck": 14}
TAGS = deck_of(1)


def field() -> Field:
    return Field(ANTENNAS, TAGS)


def told(events: list[TagEvent]) -> list[tuple[str, int]]:
    return [(event.kind, event.antenna) for event in events]


def laid(face: str, target: str, t_ms: int, **how: object) -> Movement:
    return Movement(face, "", target, t_ms, t_ms, **how)  # type: ignore[arg-type]


def test_a_card_is_reported_when_it_comes_and_when_it_leaves() -> None:
    table = field()
    table.move(laid("As", "seat1", 1000))
    assert told(table.until(999)) == []
    assert told(table.until(1200)) == [("tag_arrived", 1)]
    assert table.inventory(1) == (TAGS["As"],)
    table.move(Movement("As", "seat1", "board", 2000, 2300))
    assert told(table.until(3000)) == [("tag_left", 1), ("tag_arrived", 12)]
    assert table.inventory(1) == ()


def test_a_card_that_comes_and_goes_between_two_scans_was_never_there() -> None:
    table = field()
    table.move(laid("As", "seat1", 1010))
    table.move(Movement("As", "seat1", "", 1050, 1350))
    assert table.until(5000) == []


def test_an_unread_card_is_silent_also_when_it_leaves() -> None:
    table = field()
    table.move(laid("As", "seat1", 1000, unread=True))
    table.move(Movement("As", "seat1", "muck", 3000, 3300))
    assert told(table.until(5000)) == [("tag_arrived", 14)]


def test_a_late_card_is_read_late_or_never_when_it_is_gone_by_then() -> None:
    table = field()
    table.move(laid("As", "seat1", 1000, late_ms=800))
    table.move(laid("Ks", "seat2", 1000, late_ms=3000))
    table.move(Movement("Ks", "seat2", "muck", 2000, 2300))
    events = table.until(9000)
    assert told(events) == [("tag_arrived", 1), ("tag_arrived", 14)]
    assert events[0].t_ms >= 1800


def test_a_pile_is_read_three_deep_and_deeper_cards_speak_again() -> None:
    table = field()
    for number, face in enumerate(("As", "Ks", "Qs", "Js")):
        table.move(laid(face, "muck", 1000 + 1000 * number))
    assert told(table.until(10_000)) == [
        ("tag_arrived", 14),
        ("tag_arrived", 14),
        ("tag_arrived", 14),
        ("tag_left", 14),
        ("tag_arrived", 14),
    ]
    assert table.inventory(14) == tuple(TAGS[face] for face in ("Ks", "Qs", "Js"))
    table.move(Movement("Js", "muck", "", 11_000, 11_300))
    assert [(event.kind, event.uid) for event in table.until(20_000)] == [
        ("tag_left", TAGS["Js"]),
        ("tag_arrived", TAGS["As"]),
    ]


MOVES = hs.lists(
    hs.tuples(
        hs.sampled_from(FACES[:8]),
        hs.sampled_from([*ANTENNAS, ""]),
        hs.integers(0, 700),
        hs.integers(0, 400),
        hs.booleans(),
        hs.sampled_from([0, 0, 0, 150, 900]),
    ),
    max_size=40,
)


@given(MOVES, hs.integers(1, 1500))
def test_reports_are_changes_on_the_scan_grid_whatever_moves(
    moves: list[tuple[str, str, int, int, bool, int]], pause_ms: int
) -> None:
    table = field()
    at = dict.fromkeys(FACES, "")
    movements = []
    now = 1000
    for face, target, gap, carry, unread, late in moves:
        now += gap
        if at[face] == target:
            continue
        movements.append(Movement(face, at[face], target, now, now + carry, unread, late))
        now += carry
        at[face] = target
    events: list[TagEvent] = []
    for movement in movements:
        table.move(movement)
        events += table.until(movement.left_ms - pause_ms)
    events += table.until(now + 10_000)

    assert [event.t_ms for event in events] == sorted(event.t_ms for event in events)
    present: dict[int, set[bytes]] = {number: set() for number in ANTENNAS.values()}
    for event in events:
        assert event.scan == event.t_ms // SCAN_PERIOD_MS
        assert (event.uid in present[event.antenna]) == (event.kind == "tag_left")
        (present[event.antenna].discard if event.kind == "tag_left" else present[event.antenna].add)(
            event.uid
        )
        if event.antenna in (13, 14) and event.kind == "tag_arrived":
            assert len(present[event.antenna]) <= PILE_DEPTH
    for number, uids in present.items():
        assert set(table.inventory(number)) == uids
    last_unread = {movement.face: movement.unread for movement in movements}
    for face, place in at.items():
        if place in ("seat1", "seat2", "board") and not last_unread[face]:
            assert TAGS[face] in present[ANTENNAS[place]]
    for place in ("seat1", "seat2", "board"):
        lying = {TAGS[face] for face, where in at.items() if where == place}
        assert present[ANTENNAS[place]] <= lying
    assert table.due_ms() is None


@given(MOVES)
def test_the_reports_do_not_depend_on_how_often_one_asks(
    moves: list[tuple[str, str, int, int, bool, int]],
) -> None:
    at_once, often = field(), field()
    at = dict.fromkeys(FACES, "")
    now = 1000
    for face, target, gap, carry, unread, late in moves:
        now += gap
        if at[face] != target:
            movement = Movement(face, at[face], target, now, now + carry, unread, late)
            at_once.move(movement)
            often.move(movement)
            now += carry
            at[face] = target
    events = [event for t_ms in range(0, now + 3000, 50) for event in often.until(t_ms)]
    assert events == at_once.until(now + 3000)
