"""Two ends of a link on a line that behaves badly in a repeatable way, in virtual time."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Sequence

from firmware_protocol.device import DeviceLink
from firmware_protocol.events import DeviceEvent, HostEvent, MessageReceived
from firmware_protocol.host import HostLink
from firmware_protocol.messages import (
    DeviceKind,
    Identify,
    Inventory,
    InventoryDone,
    InventoryRequest,
    Message,
    TagArrived,
)

Line = Callable[[bytes, random.Random], Sequence[tuple[int, bytes]]]
"""What becomes of some bytes: portions, each with the ms that it takes."""


def identity(
    *, boot_id: int = 0xB0070001, kind: DeviceKind = DeviceKind.READER, antennas: int = 2, major: int = 1
) -> Identify:
    return Identify(major, 0, boot_id, kind, "TR-12", "R1-0001", "1.0.0", antennas, 50)


def uid(number: int) -> bytes:
    return bytes.fromhex("e0040100") + number.to_bytes(4, "big")


def arrived(number: int) -> TagArrived:
    return TagArrived(1 + number % 2, number, number, 50, uid(number))


def whole(data: bytes, rng: random.Random) -> Sequence[tuple[int, bytes]]:
    return [(1, data)]


def bytewise(data: bytes, rng: random.Random) -> Sequence[tuple[int, bytes]]:
    return [(1, data[at : at + 1]) for at in range(len(data))]


def delayed(data: bytes, rng: random.Random) -> Sequence[tuple[int, bytes]]:
    return [(180, data)]


def duplicated(data: bytes, rng: random.Random) -> Sequence[tuple[int, bytes]]:
    return [(1, data), (1, data), (rng.randrange(1, 60), data)]


def corrupting(data: bytes, rng: random.Random) -> Sequence[tuple[int, bytes]]:
    """Of five frames one is lost, damaged in one bit, cut short or led by noise."""
    out = []
    for frame in data.split(b"\0"):
        if not frame:
            continue
        damaged = bytearray(frame)
        if rng.random() < 0.2:
            match rng.randrange(4):
                case 0:
                    continue
                case 1:
                    damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
                case 2:
                    del damaged[rng.randrange(len(damaged)) :]
                case _:
                    damaged[:0] = rng.randbytes(rng.randrange(1, 40))
        out.append((1, bytes(damaged) + b"\0"))
    return out


def jittery(data: bytes, rng: random.Random) -> Sequence[tuple[int, bytes]]:
    """Portions of any size, some swallowed, some turned into noise."""
    out = []
    while data:
        size = rng.randrange(1, 24)
        portion, data = data[:size], data[size:]
        chance = rng.random()
        if chance < 0.02:
            continue
        out.append((rng.randrange(1, 30), rng.randbytes(size) if chance < 0.04 else portion))
    return out


LINES: dict[str, Line] = {
    line.__name__: line for line in (whole, bytewise, delayed, duplicated, corrupting, jittery)
}


class Wire:
    """A host and a device joined by ``line``. ``cut``: nothing comes through. The device answers inventory requests."""

    def __init__(
        self,
        line: Line = whole,
        *,
        seed: int = 1,
        device: Identify | None = None,
        nonce: int = 0x5EED0001,
        capacity: int = 512,
    ) -> None:
        self.now = 1000
        self.line = line
        self.cut = False
        self.rng = random.Random(seed)
        self.lying: tuple[bytes, ...] = ()
        self.host_events: list[HostEvent] = []
        self.device_events: list[DeviceEvent] = []
        self.capacity = capacity
        self.host = HostLink(self.now, nonce=nonce)
        self.device = DeviceLink(self.now, identity=device or identity(), capacity=capacity)
        self._way: list[tuple[int, int, bool, bytes]] = []
        self._order = 0
        self._free = {True: self.now, False: self.now}

    def new_host(self, nonce: int) -> None:
        self.host = HostLink(self.now, nonce=nonce)

    def new_device(self, who: Identify) -> None:
        self.device = DeviceLink(self.now, identity=who, capacity=self.capacity)

    def run(self, for_ms: int, until: Callable[[], bool] | None = None) -> bool:
        """Let time pass, by deadlines and arrivals alone; whether ``until`` came true."""
        end = self.now + for_ms
        while True:
            self._step()
            if until is not None and until():
                return True
            times = [self._way[0][0]] if self._way else []
            times += [
                d for d in (self.host.next_deadline_ms(), self.device.next_deadline_ms()) if d is not None
            ]
            upcoming = max(min(times, default=end), self.now + 1)
            if upcoming > end:
                self.now = end
                return until is None
            self.now = upcoming

    def messages(self) -> list[Message]:
        return [event.message for event in self.host_events if isinstance(event, MessageReceived)]

    def arrivals(self) -> list[int]:
        return [m.t_ms for m in self.messages() if isinstance(m, TagArrived)]

    def told(self, kind: type) -> list[HostEvent]:
        return [event for event in self.host_events if isinstance(event, kind)]

    def _step(self) -> None:
        to_host = [b""]
        to_device = [b""]
        while self._way and self._way[0][0] <= self.now:
            _, _, for_host, data = heapq.heappop(self._way)
            (to_host if for_host else to_device).append(data)
        for data in to_host:
            self.host_events += self.host.receive(data, self.now)
        for data in to_device:
            for event in self.device.receive(data, self.now):
                self.device_events.append(event)
                self._answer(event)
        self._send(self.host.outgoing(self.now), for_host=False)
        self._send(self.device.outgoing(self.now), for_host=True)

    def _answer(self, event: DeviceEvent) -> None:
        if isinstance(event, MessageReceived) and isinstance(event.message, InventoryRequest):
            asked = event.message
            for antenna in range(1, self.device.identity.antennas + 1):
                if asked.antenna in (antenna, 255):
                    uids = self.lying if antenna == 1 else ()
                    self.device.send(Inventory(asked.request_id, antenna, 0, 1, 50, 1, 1, uids), self.now)
            self.device.send(InventoryDone(asked.request_id), self.now)

    def _send(self, data: bytes, *, for_host: bool) -> None:
        if not data or self.cut:
            return
        for delay_ms, portion in self.line(data, self.rng):
            # A line keeps the order of its bytes.
            at = self._free[for_host] = max(self._free[for_host], self.now + delay_ms)
            self._order += 1
            heapq.heappush(self._way, (at, self._order, for_host, portion))
