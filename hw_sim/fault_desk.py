"""Where faults are put in and taken out: each goes to the part that it is of, and ends when its time is over.

What a world does not have (a shuffler, a single-card reader) cannot be broken in it: that is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from firmware_protocol import messages as fm
from hw_sim import steps as st
from hw_sim.device import SimDevice, SimReader
from hw_sim.fault_field import FaultyField
from hw_sim.fault_line import FaultyLine
from hw_sim.faults import Fault, Unsupported, Where, entry_of
from hw_sim.gate import BurnGate
from hw_sim.ptys import PtyPort
from hw_sim.shoe import ShoeSensor

#: The serial number of a device that is not the table's.
STRANGER: Final = "SIM-STRANGER-9"
#: A major version of the protocol that no host speaks.
OTHER_MAJOR: Final = 99
#: Faults that happen once and leave nothing to end.
_ONCE: Final = frozenset(
    (
        ("line", "garbage"),
        ("port", "renumber"),
        ("reader", "reboot"),
        ("reader", "overflow"),
        ("reader", "forbidden"),
        ("pcsc", "restart"),
        ("shuffler", "count"),
        ("shuffler", "wrong"),
        ("shuffler", "reboot"),
        ("shoe", "reboot"),
    )
)

Says = Callable[[st.Says, int], None]


class FaultDesk:
    """The faults of one world. ``says`` lets its shuffler say something at a time; None: it has none.

    A trace has fields only: no line, no port, no device that could hang.
    """

    def __init__(self, where: Where, field: FaultyField, says: Says | None) -> None:
        self._where = where
        self._field = field
        self._says = says
        self._devices: dict[str, tuple[SimDevice, FaultyLine]] = {}
        self._gate: BurnGate | None = None
        self._sensor: ShoeSensor | None = None
        self._twins: dict[str, PtyPort] = {}
        self._serials: dict[str, str] = {}
        #: faults that end by themselves, and when; loose plugs, and when they come out or go in
        self._ends: list[tuple[int, Fault]] = []
        self._loose: dict[str, tuple[Fault, int]] = {}
        #: what is broken of PC/SC
        self._pcsc_broken: set[str] = set()

    def add(self, role: str, device: SimDevice, line: FaultyLine) -> None:
        """A device on a port."""
        self._devices[role] = (device, line)

    def add_gate(self, gate: BurnGate) -> None:
        """A single-card reader."""
        self._gate = gate

    def add_shoe(self, sensor: ShoeSensor | None) -> None:
        """The exit sensor of a shoe; None: the table has none."""
        self._sensor = sensor

    # -- in and out ------------------------------------------------------------------------------------------------------------------

    def apply(self, fault: Fault, now_ms: int, real_ms: int) -> None:
        """A fault begins, or all of an instance end. Raises Unsupported, and nothing has changed."""
        if self._where not in entry_of(fault).where:
            raise Unsupported("one that a trace can hold: this one happens on real ports only (hw-sim run)")
        if fault.for_ms is not None and (fault.component, fault.fault) in _ONCE:
            raise Unsupported(f"no for=: {fault.component} {fault.fault} happens once")
        self._begin(fault, now_ms, real_ms)
        if fault.fault == "ok":
            kept = [
                (end, old)
                for end, old in self._ends
                if old.component != fault.component or fault.instance not in ("", old.instance)
            ]
            self._ends = kept
        elif fault.for_ms is not None:
            self._ends.append((now_ms + fault.for_ms, fault))

    def next_ms(self) -> int | None:
        """When a fault ends by itself next."""
        return min([end for end, _ in self._ends], default=None)

    def tick(self, now_ms: int, real_ms: int) -> None:
        """Time has passed up to ``now_ms`` (virtual)."""
        for end_ms, fault in sorted(self._ends, key=lambda item: item[0]):
            if end_ms <= now_ms:
                self._ends.remove((end_ms, fault))
                self._end(fault, end_ms, real_ms)
        for role, (fault, due_ms) in list(self._loose.items()):
            if due_ms <= now_ms:
                line = self._line(role)
                if line.plugged:
                    line.unplug()
                    wait_ms = fault.number("gone")
                else:
                    line.plug()
                    wait_ms = max(1, fault.number("every") - fault.number("gone"))
                self._loose[role] = (fault, now_ms + wait_ms)

    def _begin(self, fault: Fault, now_ms: int, real_ms: int) -> None:
        match fault.component:
            case "line":
                self._line(fault.instance).set_fault(fault)
            case "port":
                self._port(fault, now_ms, real_ms)
            case "reader":
                self._reader(fault, now_ms, real_ms)
            case "shuffler":
                self._shuffler(fault, now_ms, real_ms)
            case "shoe":
                self._shoe(fault, now_ms, real_ms)
            case "pcsc":
                self._pcsc(fault)
            case _:
                self._field.set_fault(fault, now_ms)

    def _end(self, fault: Fault, now_ms: int, real_ms: int) -> None:
        match fault.component:
            case "line":
                self._line(fault.instance).end_fault(fault)
            case "antenna" | "card":
                self._field.end_fault(fault, now_ms)
            case "reader" if fault.fault in ("stuck", "quiet"):
                self._field.end_fault(fault, now_ms)
            case _:
                self._begin(Fault(fault.component, "ok", fault.instance), now_ms, real_ms)

    def _line(self, role: str) -> FaultyLine:
        return self._device(role)[1]

    def _device(self, role: str) -> tuple[SimDevice, FaultyLine]:
        found = self._devices.get(role)
        if found is None:
            raise Unsupported(f"a device of this table: {', '.join(self._devices)}")
        return found

    # -- one component each ----------------------------------------------------------------------------------------------------------

    def _port(self, fault: Fault, now_ms: int, real_ms: int) -> None:
        role = fault.instance
        device, line = self._device(role)
        self._loose.pop(role, None)
        match fault.fault:
            case "ok":
                self._whole_again(role, device, line, real_ms)
            case "off":
                line.unplug()
            case "intermittent":
                self._loose[role] = (fault, now_ms)
            case "renumber":
                line.port.renumber()
            case "twin":
                line.unplug()
                first, second = (f"usb-Sim_{device.serial}-if0{number}" for number in (0, 1))
                line.port.rename((first,))
                line.plug()
                self._twins[role] = line.port.another(second)
            case _:
                line.unplug()
                self._serials.setdefault(role, device.serial)
                device.serial = STRANGER
                device.reboot(real_ms)
                line.plug()

    def _whole_again(self, role: str, device: SimDevice, line: FaultyLine, real_ms: int) -> None:
        """The cable is in, the device is the right one, and nobody else bears its number."""
        twin = self._twins.pop(role, None)
        if twin is not None:
            twin.unplug()
            line.unplug()
            line.port.rename(())
        if role in self._serials:
            line.unplug()
            device.serial = self._serials.pop(role)
            device.reboot(real_ms)
        line.plug()

    def _reader(self, fault: Fault, now_ms: int, real_ms: int) -> None:
        if fault.fault in ("stuck", "quiet"):
            self._field.set_fault(fault, now_ms)
            return
        reader, line = self._device("reader")
        assert isinstance(reader, SimReader)
        match fault.fault:
            case "ok":
                self._field.set_fault(fault, now_ms)
                reader.hangs = False
                reader.late_ms = 0
                if reader.major != fm.MAJOR:
                    reader.major = fm.MAJOR
                    reader.reboot(real_ms)
            case "off":
                reader.hangs = True
            case "reboot":
                line.write(bytes((29 * at + 7) % 256 for at in range(fault.number("garbage"))))
                reader.reboot(real_ms)
            case "delayed":
                reader.late_ms = fault.number("ms")
            case "overflow":
                for _ in range(fault.number("count")):
                    reader.link.send(fm.LogText("busy"), real_ms)
            case "version":
                reader.major = OTHER_MAJOR
                reader.reboot(real_ms)
            case _:
                reader.link.say_forbidden(bytes(52))

    def _shuffler(self, fault: Fault, now_ms: int, real_ms: int) -> None:
        if self._says is None:
            raise Unsupported("a table with a shuffler")
        match fault.fault:
            case "ok":
                if "shuffler" in self._devices:
                    self._device("shuffler")[0].hangs = False
                self._says(st.ShufflerState("idle"), now_ms)
            case "jam" | "fault":
                self._says(st.ShufflerState(fault.fault), now_ms)
            case "door":
                self._says(st.ShufflerState("door_open"), now_ms)
            case "not_ready":
                self._says(st.ShufflerState("shuffling"), now_ms)
            case "count":
                self._says(st.ShufflerVerdict(fault.number("cards")), now_ms)
            case "wrong":
                self._says(st.ShufflerVerdict(52, None, fault.word("how")), now_ms)
            case "off":
                self._device("shuffler")[0].hangs = True
            case _:
                self._says(st.ShufflerState("shuffling"), now_ms)
                self._device("shuffler")[0].reboot(real_ms)
                self._says(st.ShufflerState("idle"), now_ms)

    def _shoe(self, fault: Fault, now_ms: int, real_ms: int) -> None:
        sensor = self._sensor
        if sensor is None:
            raise Unsupported("a table with a shoe (shoe on)")
        match fault.fault:
            case "ok":
                if "shoe" in self._devices:
                    self._device("shoe")[0].hangs = False
                sensor.well(now_ms)
            case "intermittent":
                sensor.miss_rate = fault.number("share") / 10_000
            case "wrong":
                sensor.wrong_rate = fault.number("share") / 10_000
            case "off":
                self._device("shoe")[0].hangs = True
            case "reboot":
                self._device("shoe")[0].reboot(real_ms)
            case _:
                sensor.says(fault.fault, now_ms)

    def _pcsc(self, fault: Fault) -> None:
        if self._gate is None:
            raise Unsupported("a table with a PC/SC reader (hw-sim run --burn-gate pcsc)")
        match fault.fault:
            case "ok":
                self._pcsc_whole_again(self._gate)
                return
            case "off":
                self._gate.pcscd("kill")
            case "stuck":
                self._gate.pcscd("hang")
            case "restart":
                self._gate.pcscd("kill")
                self._gate.pcscd("start")
            case "gone":
                self._gate.pcscd("start_bare")
            case _:
                self._gate.answers(fault.word("status"))
        self._pcsc_broken.add(fault.fault)

    def _pcsc_whole_again(self, gate: BurnGate) -> None:
        """Only what is broken is mended: a card that told lies tells the truth on the reader where it lies."""
        if "wrong" in self._pcsc_broken:
            gate.answers("")
        if self._pcsc_broken & {"off", "gone"}:
            gate.pcscd("start")
        elif "stuck" in self._pcsc_broken:
            gate.pcscd("go_on")
        self._pcsc_broken.clear()
