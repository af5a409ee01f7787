"""Simulated devices of our own protocol: a reader with its antennas, a shuffler and a shoe, each a device role on a port."""

from __future__ import annotations

import secrets
from collections import deque
from typing import Final, Protocol

from firmware_protocol import messages as fm
from firmware_protocol.device import DeviceLink, inventory_messages
from firmware_protocol.events import HostConnected, MessageReceived
from hw_sim import steps as st
from hw_sim.antennas import SCAN_PERIOD_MS, Field
from hw_sim.shoe import ShoeSensor

#: Models of simulated devices begin so; the product refuses them without its flag.
MODEL: Final = "SIM"
#: Under which a simulated device has its key.
KEY_NUMBER: Final = 1


class Line(Protocol):
    """What a device is plugged into: a port, or one with faults on its line."""

    @property
    def plugged(self) -> bool:
        """Whether the cable is in."""

    def plug(self) -> None:
        """Put the cable in."""

    def unplug(self) -> None:
        """Pull the cable."""

    def read(self) -> bytes:
        """What the host has written."""

    def write(self, data: bytes) -> None:
        """Queue bytes for the line."""

    def pump(self, now_s: float) -> None:
        """Let the line carry what it can by now."""


class _SimLink(DeviceLink):
    """A device's end of a link that can also say what no device may."""

    def say_forbidden(self, payload: bytes) -> None:
        """Queue a message that the protocol forbids."""
        self._outbox.push(bytes((fm.FORBIDDEN_FIRST,)) + payload)


def _identity(
    kind: fm.DeviceKind, serial: str, antennas: int, boot_id: int, scan_period_ms: int, major: int
) -> fm.Identify:
    return fm.Identify(
        major=major,
        minor=fm.MINOR,
        boot_id=boot_id,
        kind=kind,
        model=f"{MODEL}-{kind.value.upper()}",
        serial=serial,
        firmware="1.0.0",
        antennas=antennas,
        scan_period_ms=scan_period_ms,
    )


class SimDevice:
    """A device on a port. Link timeouts run in real ms, what it reports in virtual ms.

    ``key``: of its secured session, under number :data:`KEY_NUMBER`; without one its line is not secured.
    """

    #: from one scan of an antenna to its next
    scan_period_ms: int = SCAN_PERIOD_MS

    def __init__(
        self, serial: str, kind: fm.DeviceKind, port: Line, antennas: int, real_ms: int, key: bytes | None
    ) -> None:
        self.serial = serial
        self.port = port
        self.kind = kind
        self.hosts = 0
        #: it takes nothing and says nothing
        self.hangs = False
        #: the major version of the protocol that its firmware speaks
        self.major = fm.MAJOR
        self._antennas = antennas
        self._keys = {} if key is None else {KEY_NUMBER: key}
        self.link = self._booted(real_ms)

    def _booted(self, real_ms: int) -> _SimLink:
        boot_id = secrets.randbits(32)
        who = _identity(self.kind, self.serial, self._antennas, boot_id, self.scan_period_ms, self.major)
        # a host of another version is told so and not asked to prove anything
        keys = self._keys if self.major == fm.MAJOR else {}
        return _SimLink(real_ms, identity=who, keys=keys, random=secrets.token_bytes)

    def reboot(self, real_ms: int) -> None:
        """The device restarts: a new boot id, nothing remembered but its key."""
        self.link = self._booted(real_ms)

    def pump(self, real_ms: int, virtual_ms: int) -> None:
        """Take what came, say what is due."""
        if self.hangs:
            self.port.pump(real_ms / 1000)
            return
        data = self.port.read()
        for event in self.link.receive(data, real_ms):
            if isinstance(event, MessageReceived) and isinstance(event.message, fm.InventoryRequest):
                self.answer_inventory(event.message, real_ms, virtual_ms)
            elif isinstance(event, HostConnected):
                self.hosts += 1
        self.port.write(self.link.outgoing(real_ms))
        self.port.pump(real_ms / 1000)

    def answer_inventory(self, request: fm.InventoryRequest, real_ms: int, virtual_ms: int) -> None:
        """A device without antennas has nothing to list."""
        self.link.send(fm.InventoryDone(request.request_id), real_ms)


class SimReader(SimDevice):
    """A reader: its antennas are a :class:`Field`."""

    def __init__(
        self,
        serial: str,
        port: Line,
        field: Field,
        antennas: int,
        real_ms: int,
        key: bytes | None = None,
    ) -> None:
        self.field = field
        self.scan_period_ms = field.scan_period_ms
        super().__init__(serial, fm.DeviceKind.READER, port, antennas, real_ms, key)
        #: reports come so late, in virtual ms
        self.late_ms = 0
        self._late: deque[tuple[int, fm.Message]] = deque()

    def pump(self, real_ms: int, virtual_ms: int) -> None:
        """Report what the antennas saw up to now, then talk."""
        for event in self.field.until(virtual_ms):
            where = (event.antenna, event.t_ms, event.scan, self.scan_period_ms)
            match event.kind:
                case "tag_arrived":
                    self._report(fm.TagArrived(*where, event.uid), real_ms, virtual_ms)
                case "tag_left":
                    self._report(fm.TagLeft(*where, event.uid), real_ms, virtual_ms)
                case "scan_failed":
                    self._report(fm.ScanFailed(*where, fm.ScanFailure.CRC), real_ms, virtual_ms)
                case "restarted":
                    self.reboot(real_ms)
                case _:
                    pass  # the host asks for the inventory of a reader that restarted
        while self._late and self._late[0][0] <= virtual_ms:
            self.link.send(self._late.popleft()[1], real_ms)
        super().pump(real_ms, virtual_ms)

    def _report(self, message: fm.Message, real_ms: int, virtual_ms: int) -> None:
        """Tell the host: at once, or as late as this reader is, behind what waits already."""
        if self.late_ms or self._late:
            due_ms = virtual_ms + self.late_ms
            self._late.append((max(due_ms, self._late[-1][0]) if self._late else due_ms, message))
        elif not self.hangs:
            self.link.send(message, real_ms)

    def reboot(self, real_ms: int) -> None:
        """It restarts: what it has not told is forgotten."""
        self._late.clear()
        super().reboot(real_ms)

    def answer_inventory(self, request: fm.InventoryRequest, real_ms: int, virtual_ms: int) -> None:
        """List every antenna that was asked for, also one that no zone uses: a host counts on all of them."""
        for number in range(1, self._antennas + 1):
            if request.antenna in (fm.ALL_ANTENNAS, number):
                for message in inventory_messages(
                    request.request_id,
                    number,
                    t_ms=virtual_ms,
                    scan=virtual_ms // self.scan_period_ms,
                    scan_period_ms=self.scan_period_ms,
                    uids=self.field.inventory(number),
                ):
                    self.link.send(message, real_ms)
        self.link.send(fm.InventoryDone(request.request_id), real_ms)


class SimShuffler(SimDevice):
    """A shuffler: states and counts, never an order."""

    def __init__(self, serial: str, port: Line, real_ms: int, key: bytes | None = None) -> None:
        super().__init__(serial, fm.DeviceKind.SHUFFLER, port, 0, real_ms, key)

    def says(self, says: st.Says, deck: int, real_ms: int, virtual_ms: int) -> None:
        """A state, or a count of a deck of ``deck`` cards."""
        match says:
            case st.ShufflerState(state):
                self.link.send(fm.ShufflerState(virtual_ms, fm.ShufflerStatus(state)), real_ms)
            case st.ShufflerVerdict():
                result, count, expected = says.message(deck)
                self.link.send(
                    fm.ShufflerVerdict(virtual_ms, fm.ShufflerResult(result), count, expected), real_ms
                )


class SimShoe(SimDevice):
    """A shoe: it tells each card that leaves it, and which way it faced, never which card. It reads no tags."""

    def __init__(
        self, serial: str, port: Line, sensor: ShoeSensor, real_ms: int, key: bytes | None = None
    ) -> None:
        super().__init__(serial, fm.DeviceKind.SHOE, port, 0, real_ms, key)
        self.sensor = sensor
        self._real_ms = real_ms
        sensor.tell = lambda _, virtual_ms: self._tell_state(virtual_ms)

    def pump(self, real_ms: int, virtual_ms: int) -> None:
        """Report what left it up to now, then talk."""
        self._real_ms = real_ms
        for counted in self.sensor.until(virtual_ms):
            self.link.send(fm.ShoeExit(counted.t_ms, counted.number, fm.ShoeFace(counted.face)), real_ms)
        super().pump(real_ms, virtual_ms)

    def reboot(self, real_ms: int) -> None:
        """It counts from 1 again."""
        self.sensor.restart()
        super().reboot(real_ms)

    def answer_inventory(self, request: fm.InventoryRequest, real_ms: int, virtual_ms: int) -> None:
        """Its state; it has no antennas."""
        self._real_ms = real_ms
        self._tell_state(virtual_ms)
        super().answer_inventory(request, real_ms, virtual_ms)

    def _tell_state(self, virtual_ms: int) -> None:
        state = fm.ShoeStatus(self.sensor.state)
        self.link.send(fm.ShoeState(virtual_ms, state, self.sensor.number), self._real_ms)
