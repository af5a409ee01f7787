"""The catalogue of faults: its grammar, what each does to bytes, ports, antennas and cards, and what is refused."""

from __future__ import annotations

import contextlib
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_protocol.framing import Counters, Framer, encode_frame
from hw_sim import steps as st
from hw_sim.antennas import Field, TagEvent
from hw_sim.fault_desk import FaultDesk
from hw_sim.fault_field import GHOST, FaultyField, mangled
from hw_sim.fault_line import FaultyLine
from hw_sim.faults import CATALOGUE, COMPONENTS, Fault, Unsupported, entry_of, from_request, parse, usage
from hw_sim.movement import Movement
from hw_sim.physics import ShoeExit
from hw_sim.ptys import PtyPort
from hw_sim.script_words import Bad
from hw_sim.shoe import ShoeSensor

ANTENNAS = {"seat4": 4, "seat5": 5, "board": 12, "muck": 14}
CARDS = ("As", "Kd", "7c", "2h", "9s")
TAGS = {card: bytes.fromhex("E00401500000") + bytes((0x10, number)) for number, card in enumerate(CARDS)}


def asked(line: str) -> Fault:
    return parse(line.split())


# -- the grammar -----------------------------------------------------------------------------------------------------------------------


def test_a_line_is_a_fault_with_all_its_parameters() -> None:
    assert asked("line wrong shuffler share=0.5% for=2s") == Fault(
        "line", "wrong", "shuffler", {"share": 50}, 2000
    )
    assert asked("line wrong") == Fault("line", "wrong", "reader", {"share": 500})
    assert asked("antenna neighbour seat5 of=seat4").params == {"of": "seat4"}
    assert asked("card ok") == Fault("card", "ok")


def test_a_request_is_the_same_fault_as_a_line() -> None:
    request = {
        "do": "fault",
        "component": "antenna",
        "fault": "depth",
        "instance": "muck",
        "cards": 2,
        "for": "1s",
    }
    assert from_request(request) == asked("antenna depth muck cards=2 for=1s")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", "fault COMPONENT"),
        ("line", "fault of line: ok, off, stuck"),
        ("lime off", "fault COMPONENT"),
        ("line melt", "a fault of line"),
        ("line wrong gate", "a device: reader, shuffler, shoe"),
        ("line wrong share=101%", "share"),
        ("line wrong share=0%", "share"),
        ("line wrong share=5", "share"),
        ("line wrong chare=5%", r"\[share=N%\]"),
        ("line wrong reader reader", "fault line wrong"),
        ("line ok for=1s", "without keys"),
        ("line garbage how=loud", "noise, zeros, false_sync"),
        ("line garbage count=many", "a number"),
        ("antenna off", "a place"),
        ("antenna off seat12", "a place"),
        ("antenna neighbour seat4", "of=ZONE"),
        ("card off seat4", "a card by its place"),
        ("card wrong seat4:1 with=seat5", "a card by its place"),
        ("reader off seat4", "no instance"),
        ("port off for=soon", "a time"),
    ],
)
def test_what_is_no_fault_is_told_with_what_was_expected(line: str, expected: str) -> None:
    with pytest.raises(Bad, match=expected):
        parse(line.split())


def test_a_request_takes_texts_and_numbers_only() -> None:
    with pytest.raises(Bad, match="texts"):
        from_request({"component": "line", "fault": "wrong", "share": [5]})


def test_every_component_can_be_well_again_and_every_fault_says_how_it_is_asked_for() -> None:
    assert {entry.component for entry in CATALOGUE} == set(COMPONENTS)
    for entry in CATALOGUE:
        assert usage(entry.component, entry.fault).startswith(f"fault {entry.name}")
        assert entry.what
        assert entry.where <= {"trace", "live"}
    assert len({entry.name for entry in CATALOGUE}) == len(CATALOGUE)


# -- what is refused -------------------------------------------------------------------------------------------------------------------


def field(*, seed: int = 1) -> FaultyField:
    return FaultyField(Field(ANTENNAS, TAGS), ANTENNAS, TAGS, seed=seed)


def test_a_trace_refuses_every_fault_that_it_cannot_hold() -> None:
    desk = FaultDesk("trace", field(), None)
    for entry in CATALOGUE:
        if "trace" not in entry.where:
            with pytest.raises(Unsupported, match="real ports only"):
                desk.apply(_plain(entry.component, entry.fault), 0, 0)


def _plain(component: str, fault: str) -> Fault:
    instance = {"none": "", "device": "", "zone": "seat4", "card": "seat4:1"}[COMPONENTS[component][0]]
    keys = {"neighbour": ["of=seat5"], "echo": ["at=seat5"]}
    extra = ["with=seat5:1"] if (component, fault) == ("card", "wrong") else keys.get(fault, [])
    return parse([component, fault, *([instance] if instance else []), *extra])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("shuffler jam", "a table with a shuffler"),
        ("pcsc off", "burn-gate pcsc"),
        ("port off shoe", "a device of this table"),
        ("antenna off seat9", "an antenna at: seat4, seat5, board, muck"),
        ("antenna neighbour seat4 of=seat9", "an antenna at"),
        ("card off seat4:1", "a card that lies there: 0 at seat4"),
        ("reader reboot for=2s", "happens once"),
    ],
)
def test_what_a_world_does_not_have_cannot_be_broken_in_it(line: str, expected: str) -> None:
    desk = FaultDesk("live", field(), None)
    with pytest.raises(Unsupported, match=expected):
        desk.apply(asked(line), 0, 0)


def test_a_fault_ends_when_its_time_is_over() -> None:
    told: list[st.Says] = []
    desk = FaultDesk("live", field(), lambda says, now_ms: told.append(says))
    desk.apply(asked("shuffler jam for=2s"), 1000, 1000)
    assert desk.next_ms() == 3000
    desk.tick(2999, 2999)
    assert told == [st.ShufflerState("jam")]
    desk.tick(3000, 3000)
    assert told == [st.ShufflerState("jam"), st.ShufflerState("idle")]
    assert desk.next_ms() is None


def test_well_again_takes_back_the_end_of_what_was_broken() -> None:
    told: list[st.Says] = []
    desk = FaultDesk("live", field(), lambda says, now_ms: told.append(says))
    desk.apply(asked("shuffler door for=2s"), 0, 0)
    desk.apply(asked("shuffler ok"), 500, 500)
    desk.tick(5000, 5000)
    assert told == [st.ShufflerState("door_open"), st.ShufflerState("idle")]


# -- antennas and cards ----------------------------------------------------------------------------------------------------------------


class Table:
    """Cards on antennas: ``lay`` and ``take`` at a time, ``seen`` what the reader has told up to one."""

    def __init__(self) -> None:
        self.field = field()
        self.events: list[TagEvent] = []

    def lay(self, card: str, zone: str, t_ms: int, source: str = "") -> None:
        self.field.move(Movement(card, source, zone, t_ms, t_ms))

    def take(self, card: str, zone: str, t_ms: int) -> None:
        self.field.move(Movement(card, zone, "", t_ms, t_ms))

    def broken(self, line: str, t_ms: int) -> None:
        self.seen(t_ms)
        self.field.set_fault(asked(line), t_ms)

    def seen(self, t_ms: int) -> dict[int, list[bytes]]:
        """What the host believes to lie on each antenna, from what it was told."""
        self.events += self.field.until(t_ms)
        lies: dict[int, list[bytes]] = {number: [] for number in ANTENNAS.values()}
        for event in self.events:
            if event.kind == "tag_arrived" and event.uid not in lies[event.antenna]:
                lies[event.antenna].append(event.uid)
            elif event.kind == "tag_left":
                lies[event.antenna].remove(event.uid)
        return lies

    def count(self, kind: str, antenna: int) -> int:
        return sum(event.kind == kind and event.antenna == antenna for event in self.events)


@pytest.fixture
def table() -> Table:
    """Two cards at seat 4, one at seat 5."""
    made = Table()
    made.lay("As", "seat4", 0)
    made.lay("Kd", "seat4", 10)
    made.lay("7c", "seat5", 20)
    assert made.seen(500) == {4: [TAGS["As"], TAGS["Kd"]], 5: [TAGS["7c"]], 12: [], 14: []}
    return made


def test_without_faults_every_report_is_that_of_the_antennas() -> None:
    plain, faulty = Field(ANTENNAS, TAGS), field()
    for each in (plain, faulty):
        each.move(Movement("As", "", "seat4", 0, 0))
        each.move(Movement("As", "seat4", "muck", 900, 1200))
    assert faulty.until(5000) == plain.until(5000)
    assert faulty.inventory(14) == plain.inventory(14)


def test_a_dead_antenna_reads_nothing_and_comes_back(table: Table) -> None:
    table.broken("antenna off seat4", 500)
    assert table.seen(1000)[4] == []
    table.broken("antenna ok seat4", 1000)
    assert table.seen(1500)[4] == [TAGS["As"], TAGS["Kd"]]


def test_a_stuck_antenna_goes_on_seeing_what_it_saw(table: Table) -> None:
    table.broken("antenna stuck seat4", 500)
    table.take("As", "seat4", 600)
    assert table.seen(3000)[4] == [TAGS["As"], TAGS["Kd"]]
    table.broken("antenna ok", 3000)
    assert table.seen(3500)[4] == [TAGS["Kd"]]


def test_corrupt_replies_are_told_as_such_and_take_nothing_away(table: Table) -> None:
    table.broken("antenna garbage seat4", 500)
    assert table.seen(1500)[4] == [TAGS["As"], TAGS["Kd"]]
    assert 9 <= table.count("scan_failed", 4) <= 11
    assert table.count("scan_failed", 5) == 0


@pytest.mark.parametrize("how", ["truncated", "reversed", "cascade", "ones"])
def test_a_mangled_uid_is_that_of_no_card_and_only_of_cards_that_come(table: Table, how: str) -> None:
    from dealer_assist.devices.spots import is_mangled

    table.broken(f"antenna wrong seat4 how={how}", 500)
    table.lay("2h", "seat4", 700)
    seen = table.seen(1200)[4]
    assert seen[:2] == [TAGS["As"], TAGS["Kd"]]
    assert seen[2] == mangled(TAGS["2h"], how) != TAGS["2h"]
    assert is_mangled(seen[2])
    table.broken("antenna ok seat4", 1200)
    assert table.seen(2000)[4] == [TAGS["As"], TAGS["Kd"], TAGS["2h"]]


def test_a_slow_antenna_reads_cards_late(table: Table) -> None:
    table.broken("antenna delayed board ms=800ms", 500)
    table.lay("2h", "board", 600)
    assert table.seen(1350)[12] == []
    assert table.seen(1600)[12] == [TAGS["2h"]]


def test_misses_come_as_often_as_asked_for(table: Table) -> None:
    table.broken("antenna intermittent seat5 share=30%", 500)
    table.seen(60_500)
    # of 600 scans 30 % miss; a run of misses is one going and one coming back: 600 x 0.3 x 0.7
    assert 90 <= table.count("tag_left", 5) <= 165
    assert table.count("tag_left", 4) == 0


def test_a_ghost_a_neighbour_and_a_double(table: Table) -> None:
    table.broken("antenna ghost board", 500)
    table.broken("antenna neighbour seat5 of=seat4", 500)
    table.broken("antenna double muck", 500)
    table.lay("2h", "muck", 600)
    seen = table.seen(1200)
    assert seen[12] == [GHOST]
    assert set(seen[5]) == {TAGS["As"], TAGS["Kd"], TAGS["7c"]}
    assert table.count("tag_arrived", 14) == 2
    assert GHOST not in TAGS.values()


def test_a_pile_is_read_as_deep_as_asked_for(table: Table) -> None:
    table.broken("antenna depth seat4 cards=1", 500)
    assert table.seen(1000)[4] == [TAGS["Kd"]]


def test_a_card_that_is_not_read_is_read_again_where_it_goes(table: Table) -> None:
    table.broken("card off seat4:1", 500)
    assert table.seen(1000)[4] == [TAGS["Kd"]]
    table.lay("As", "muck", 1100, source="seat4")
    assert table.seen(1600)[14] == [TAGS["As"]]


def test_a_card_is_read_by_another_antenna_as_well_until_it_leaves(table: Table) -> None:
    table.broken("card echo seat4:2 at=seat5", 500)
    assert table.seen(1000)[5] == [TAGS["7c"], TAGS["Kd"]]
    table.take("Kd", "seat4", 1100)
    assert table.seen(1600)[5] == [TAGS["7c"]]


def test_two_cards_exchange_their_tags(table: Table) -> None:
    table.broken("card wrong seat4:1 with=seat5:1", 500)
    seen = table.seen(1200)
    assert set(seen[4]) == {TAGS["7c"], TAGS["Kd"]}
    assert seen[5] == [TAGS["As"]]
    table.broken("card ok", 1200)
    assert set(table.seen(2000)[4]) == {TAGS["As"], TAGS["Kd"]}


def test_a_card_that_is_missed_by_itself(table: Table) -> None:
    table.broken("card intermittent seat4:1 share=50%", 500)
    table.seen(10_000)
    left = {event.uid for event in table.events if event.kind == "tag_left"}
    assert left == {TAGS["As"]}


def test_a_reader_that_is_stuck_sees_nothing_new_and_one_that_is_quiet_lists_it(table: Table) -> None:
    table.broken("reader stuck", 500)
    table.lay("2h", "board", 600)
    assert table.seen(1500)[12] == []
    assert table.field.inventory(12) == ()
    table.broken("reader ok", 1500)
    table.broken("reader quiet", 1600)
    assert table.seen(2000)[12] == [TAGS["2h"]], "what came before was told"
    table.lay("9s", "board", 2100)
    assert table.seen(3000)[12] == [TAGS["2h"]]
    assert set(table.field.inventory(12)) == {TAGS["2h"], TAGS["9s"]}


def test_the_same_seed_misses_the_same() -> None:
    def reports(seed: int) -> list[TagEvent]:
        one = field(seed=seed)
        one.move(Movement("As", "", "seat4", 0, 0))
        one.set_fault(asked("antenna intermittent seat4 share=40%"), 0)
        return one.until(5000)

    assert reports(3) == reports(3) != reports(4)


# -- lines and ports -------------------------------------------------------------------------------------------------------------------


class Wire:
    """A port with faults, and a host's end that takes its frames apart."""

    def __init__(self, folder: Path) -> None:
        self.port = PtyPort(folder / "by-id" / "SIM-1", baud=1_000_000, speed=1.0)
        self.line = FaultyLine(self.port, seed=1)
        self.link = folder / "by-id" / "SIM-1"
        self.host = os.open(self.link, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)
        self.counters = Counters()
        self._framer = Framer(self.counters)
        self.now_s = 0.0

    def close(self) -> None:
        os.close(self.host)
        self.port.unplug()

    def heard(self, turns: int = 40, turn_s: float = 0.001) -> bytes:
        data = b""
        for _ in range(turns):
            self.now_s += turn_s
            self.line.pump(self.now_s)
            with contextlib.suppress(BlockingIOError):
                data += os.read(self.host, 4096)
        return data

    def bodies(self, data: bytes) -> list[bytes]:
        return list(self._framer.feed(data))


@pytest.fixture
def wire(tmp_path: Path) -> object:
    made = Wire(tmp_path)
    made.heard(2)
    yield made
    made.close()


BODIES = [bytes((1, number)) * 12 for number in range(40)]


def say(wire: Wire) -> None:
    for body in BODIES:
        wire.line.write(encode_frame(body))


def test_a_whole_line_carries_everything(wire: Wire) -> None:
    say(wire)
    assert wire.bodies(wire.heard()) == BODIES


def test_a_half_open_line_carries_nothing_one_way_or_both(wire: Wire) -> None:
    wire.line.set_fault(asked("line off way=out"))
    say(wire)
    os.write(wire.host, b"x")
    assert (wire.heard(), wire.line.read()) == (b"", b"x")
    wire.line.set_fault(asked("line ok"))
    wire.line.set_fault(asked("line off way=in"))
    wire.line.write(b"y")
    os.write(wire.host, b"x")
    assert (wire.heard(), wire.line.read()) == (b"y", b"")
    assert wire.line.plugged


def test_a_device_that_takes_nothing_leaves_it_in_the_port(wire: Wire) -> None:
    wire.line.set_fault(asked("line stuck"))
    os.write(wire.host, b"waits")
    assert wire.line.read() == b""
    wire.line.set_fault(asked("line ok"))
    assert wire.line.read() == b"waits"


def _wrong(wire: Wire, bodies: list[bytes]) -> bool:
    return (
        wire.counters.crc_errors + wire.counters.malformed + wire.counters.oversize > 5 and len(bodies) < 40
    )


def _lost(wire: Wire, bodies: list[bytes]) -> bool:
    return _wrong(wire, bodies) and bodies == [body for body in BODIES if body in bodies]


def _twice(wire: Wire, bodies: list[bytes]) -> bool:
    return len(bodies) > 45 and sorted(set(bodies)) == sorted(BODIES)


def _swapped(wire: Wire, bodies: list[bytes]) -> bool:
    return bodies != sorted(bodies) and len(bodies) >= 39 and set(bodies) <= set(BODIES)


@pytest.mark.parametrize(
    ("line", "holds"),
    [
        ("line wrong share=40%", _wrong),
        ("line intermittent share=40%", _lost),
        ("line double share=40%", _wrong),
        ("line repeat share=40%", _twice),
        ("line reorder share=40%", _swapped),
    ],
)
def test_frames_are_hit_as_often_as_asked_for(
    wire: Wire, line: str, holds: Callable[[Wire, list[bytes]], bool]
) -> None:
    wire.line.set_fault(asked(line))
    say(wire)
    bodies = wire.bodies(wire.heard())
    assert holds(wire, bodies), (len(bodies), wire.counters)


def test_bytes_come_one_at_a_time_or_all_at_once(wire: Wire) -> None:
    wire.line.set_fault(asked("line split"))
    wire.line.write(encode_frame(BODIES[0]))
    assert len(wire.heard(turns=10)) == 10
    wire.line.set_fault(asked("line ok"))
    wire.heard()
    wire.line.set_fault(asked("line merge ms=100ms"))
    while round(wire.now_s * 1000) % 100:
        wire.heard(1)
    wire.line.write(b"first")
    assert wire.heard(50) == b""
    wire.line.write(b"second")
    assert wire.heard(60) == b"firstsecond"


def test_a_latency_timer_and_a_slow_line_delay(wire: Wire) -> None:
    wire.line.set_fault(asked("line delayed ms=16ms"))
    wire.line.write(b"late")
    assert wire.heard(15) == b""
    assert wire.heard(5) == b"late"
    wire.line.set_fault(asked("line ok"))
    wire.line.set_fault(asked("line slow baud=9600"))
    wire.line.write(bytes(960))
    assert 85 <= len(wire.heard(turns=100)) <= 97
    wire.line.set_fault(asked("line ok"))
    assert len(wire.heard(turns=30)) > 860


@pytest.mark.parametrize("how", ["noise", "zeros", "false_sync"])
def test_behind_garbage_the_next_frame_is_heard(wire: Wire, how: str) -> None:
    wire.line.set_fault(asked(f"line garbage count=333 how={how}"))
    wire.line.write(b"\0" + encode_frame(BODIES[3]))
    data = wire.heard()
    assert len(data) > 333
    assert wire.bodies(data)[-1] == BODIES[3]
    assert how == "zeros" or wire.counters.garbage_bytes > 100


def test_a_renumbered_port_is_another_one_and_the_old_one_hangs_up(wire: Wire) -> None:
    before = wire.link.readlink()
    wire.port.renumber()
    assert wire.link.readlink() != before
    with pytest.raises(OSError, match="Input/output error"):
        os.write(wire.host, b"x") or os.read(wire.host, 1)


def test_a_twin_takes_the_name_as_well(wire: Wire) -> None:
    wire.line.unplug()
    wire.port.rename(("usb-Sim_SIM-1-if00",))
    wire.line.plug()
    twin = wire.port.another("usb-Sim_SIM-1-if01")
    assert sorted(os.listdir(wire.link.parent)) == ["usb-Sim_SIM-1-if00", "usb-Sim_SIM-1-if01"]
    twin.unplug()
    wire.line.unplug()
    wire.port.rename(())
    wire.line.plug()
    assert os.listdir(wire.link.parent) == ["SIM-1"]


def test_faults_of_a_line_end_one_by_one(wire: Wire) -> None:
    wrong, slow = asked("line wrong share=100%"), asked("line slow baud=9600")
    wire.line.set_fault(wrong)
    wire.line.set_fault(slow)
    wire.line.end_fault(slow)
    wire.line.end_fault(wrong)
    say(wire)
    assert wire.bodies(wire.heard()) == BODIES


def test_entries_of_well_again_are_everywhere() -> None:
    for component in COMPONENTS:
        assert entry_of(Fault(component, "ok")).where == {"trace", "live"}


def test_random_words_are_a_fault_or_refused_in_words() -> None:
    rng = random.Random(5)
    words = [
        *COMPONENTS,
        *(entry.fault for entry in CATALOGUE),
        "seat4",
        "seat4:1",
        "reader",
        "share=5%",
        "for=1s",
        "=",
        "ms=x",
    ]
    refused = taken = 0
    for _ in range(3000):
        line = [rng.choice(words) for _ in range(rng.randrange(6))]
        try:
            fault = parse(line)
        except Bad as error:
            refused += bool(error.expected)
        else:
            taken += set(fault.params) == {key.name for key in entry_of(fault).keys}
    assert refused + taken == 3000
    assert taken > 10


# -- the shoe --------------------------------------------------------------------------------------------------------------------------


def shoe_desk() -> tuple[FaultDesk, ShoeSensor, list[tuple[str, int]]]:
    told: list[tuple[str, int]] = []
    sensor = ShoeSensor(sees_faces=True)
    sensor.tell = lambda state, t_ms: told.append((state, t_ms))
    desk = FaultDesk("trace", field(), None)
    desk.add_shoe(sensor)
    return desk, sensor, told


def passed(sensor: ShoeSensor, first_ms: int, count: int) -> list[tuple[int, str]]:
    for number in range(count):
        t_ms = first_ms + 500 * number
        sensor.move(Movement("As", "", "seat4", t_ms, t_ms, exit=ShoeExit(t_ms)))
    return [(exit_.number, exit_.face) for exit_ in sensor.until(first_ms + 500 * count)]


@pytest.mark.parametrize("state", ["blocked", "open", "fault"])
def test_a_shoe_that_does_not_count_says_so_and_shows_later_what_it_missed(state: str) -> None:
    desk, sensor, told = shoe_desk()
    assert passed(sensor, 0, 2) == [(1, "down"), (2, "down")]
    desk.apply(asked(f"shoe {state} for=2s"), 1000, 1000)
    assert passed(sensor, 1100, 2) == []
    desk.tick(3000, 3000)
    assert told == [(state, 1000), ("counting", 3000)]
    assert passed(sensor, 3100, 1) == [(5, "down")]


def test_a_shoe_can_miss_every_card_and_see_every_face_wrong() -> None:
    desk, sensor, _ = shoe_desk()
    desk.apply(asked("shoe wrong share=100%"), 0, 0)
    assert passed(sensor, 0, 2) == [(1, "up"), (2, "up")]
    desk.apply(asked("shoe intermittent share=100%"), 1000, 1000)
    assert passed(sensor, 1000, 5) == []
    desk.apply(asked("shoe ok"), 4000, 4000)
    assert passed(sensor, 4000, 1) == [(3, "down")]


def test_a_table_without_a_shoe_has_none_that_could_break() -> None:
    desk = FaultDesk("trace", field(), None)
    with pytest.raises(Unsupported, match="a table with a shoe"):
        desk.apply(asked("shoe blocked"), 0, 0)
    with pytest.raises(Unsupported, match="real ports only"):
        desk.apply(asked("shoe reboot"), 0, 0)
