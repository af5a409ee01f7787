"""Simulated devices of our own protocol: a reader with its antennas, a shuffler and a shoe, each a device role on a port."""

from __future__ import annotations

import secrets
from typing import Final

from firmware_protocol import messages as fm
from firmware_protocol.device import DeviceLink, inventory_messages
from firmware_protocol.events import HostConnected, MessageReceived
from hw_sim import steps as st
from hw_sim.antennas import SCAN_PERIOD_MS, Field
from hw_sim.ptys import PtyPort
from hw_sim.shoe import ShoeSensor

#: Models of simulated devices begin so; the product refuses them without its flag.
MODEL: Final = "SIM"
#: Under which a simulated device has its key.
KEY_NUMBER: Final = 1


def _identity(
    kind: fm.DeviceKind, serial: str, antennas: int, boot_id: int, scan_period_ms: int
) -> fm.Identify:
    return fm.Identify(
        major=fm.MAJOR,
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
        self, serial: str, kind: fm.DeviceKind, port: PtyPort, antennas: int, real_ms: int, key: bytes | None
    ) -> None:
        self.serial = serial
        self.port = port
        self.kind = kind
        self.hosts = 0
        self._antennas = antennas
        self._keys = {} if key is None else {KEY_NUMBER: key}
        self.link = self._booted(real_ms)

    def _booted(self, real_ms: int) -> DeviceLink:
        who = _identity(self.kind, self.serial, self._antennas, secrets.randbits(32), self.scan_period_ms)
        return DeviceLink(real_ms, identity=who, keys=self._keys, random=secrets.token_bytes)

    def reboot(self, real_ms: int) -> None:
        """The device restarts: a new boot id, nothing remembered but its key."""
        self.link = self._booted(real_ms)

    def pump(self, real_ms: int, virtual_ms: int) -> None:
        """Take what came, say what is due."""
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
        port: PtyPort,
        field: Field,
        antennas: int,
        real_ms: int,
        key: bytes | None = None,
    ) -> None:
        self.field = field
        self.scan_period_ms = field.scan_period_ms
        super().__init__(serial, fm.DeviceKind.READER, port, antennas, real_ms, key)

    def pump(self, real_ms: int, virtual_ms: int) -> None:
        """Report what the antennas saw up to now, then talk."""
        for event in self.field.until(virtual_ms):
            where = (event.antenna, event.t_ms, event.scan, self.scan_period_ms)
            match event.kind:
                case "tag_arrived":
                    self.link.send(fm.TagArrived(*where, event.uid), real_ms)
                case "tag_left":
                    self.link.send(fm.TagLeft(*where, event.uid), real_ms)
                case "scan_failed":
                    self.link.send(fm.ScanFailed(*where, fm.ScanFailure.CRC), real_ms)
                case "restarted":
                    self.reboot(real_ms)
                case _:
                    pass  # the host asks for the inventory of a reader that restarted
        super().pump(real_ms, virtual_ms)

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

    def __init__(self, serial: str, port: PtyPort, real_ms: int, key: bytes | None = None) -> None:
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
        self, serial: str, port: PtyPort, sensor: ShoeSensor, real_ms: int, key: bytes | None = None
    ) -> None:
        super().__init__(serial, fm.DeviceKind.SHOE, port, 0, real_ms, key)
        self.sensor = sensor
        self.state = fm.ShoeStatus.COUNTING

    def pump(self, real_ms: int, virtual_ms: int) -> None:
        """Report what left it up to now, then talk."""
        for counted in self.sensor.until(virtual_ms):
            if self.state is fm.ShoeStatus.COUNTING:
                self.link.send(fm.ShoeExit(counted.t_ms, counted.number, fm.ShoeFace(counted.face)), real_ms)
        super().pump(real_ms, virtual_ms)

    def says(self, state: fm.ShoeStatus, real_ms: int, virtual_ms: int) -> None:
        """Its state is another one now; only while it is ``counting`` it counts."""
        self.state = state
        self.link.send(fm.ShoeState(virtual_ms, state, self.sensor.number), real_ms)

    def reboot(self, real_ms: int) -> None:
        """It counts from 1 again."""
        self.sensor.restart()
        super().reboot(real_ms)

    def answer_inventory(self, request: fm.InventoryRequest, real_ms: int, virtual_ms: int) -> None:
        """Its state; it has no antennas."""
        self.link.send(fm.ShoeState(virtual_ms, self.state, self.sensor.number), real_ms)
        super().answer_inventory(request, real_ms, virtual_ms)
