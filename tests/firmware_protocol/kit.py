"""A host and a device joined by two lines that behave as badly as a test wants. Time jumps from deadline to deadline."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable

from firmware_protocol.device import DeviceLink, inventory_messages
from firmware_protocol.events import MessageReceived
from firmware_protocol.host import HostLink
from firmware_protocol.messages import (
    ALL_ANTENNAS,
    DeviceKind,
    Identify,
    InventoryDone,
    InventoryRequest,
    Overflow,
    ShufflerState,
    ShufflerStatus,
    TagArrived,
)

NONCE = 0x5EED0001
BOOT = 0xB0070001
UID = bytes.fromhex("e004010000000002")


def identity(**changes) -> Identify:
    fields = {
        "major": 1,
        "minor": 0,
        "boot_id": BOOT,
        "kind": DeviceKind.READER,
        "model": "TR-12",
        "serial": "R1-0001",
        "firmware": "1.0.0",
        "antennas": 3,
        "scan_period_ms": 50,
    }
    return Identify(**{**fields, **changes})


def arrived(number: int) -> TagArrived:
    return TagArrived(antenna=number % 3 + 1, t_ms=number, scan=number, scan_period_ms=50, uid=UID)


class Line:
    """One direction. ``mangle`` turns what is written into portions with a delay each; order is kept, as on a wire."""

    def __init__(self, mangle: Callable[[bytes], list[tuple[int, bytes]]] | None = None) -> None:
        self.mangle = mangle or (lambda data: [(0, data)])
        self.queue: deque[tuple[int, bytes]] = deque()
        self.cut = False
        self.written = b""

    def write(self, data: bytes, now_ms: int) -> None:
        self.written += data
        if not self.cut:
            for delay_ms, portion in self.mangle(data):
                earliest = self.queue[-1][0] if self.queue else now_ms
                self.queue.append((max(earliest, now_ms + delay_ms), portion))

    def read(self, now_ms: int) -> list[bytes]:
        portions = []
        while self.queue and self.queue[0][0] <= now_ms:
            portions.append(self.queue.popleft()[1])
        return portions

    def next_ms(self) -> int | None:
        return self.queue[0][0] if self.queue else None


class Bench:
    """Both ends, what each told its user, and a device that answers inventory requests."""

    def __init__(
        self,
        up: Line | None = None,
        down: Line | None = None,
        *,
        device: Identify | None = None,
        link: Callable[..., DeviceLink] = DeviceLink,
        host: Callable[..., HostLink] = HostLink,
    ) -> None:
        self.now = 0
        self.up = up or Line()
        self.down = down or Line()
        self.host: HostLink | None = host(0, nonce=NONCE)
        self.device: DeviceLink | None = link(0, identity=device or identity())
        self.host_events: list[object] = []
        self.device_events: list[object] = []
        self.answers = True
        self.tags = {1: [UID], 2: [], 3: [bytes([9, 9, 9, number]) for number in range(40)]}

    def run(self, duration_ms: int) -> None:
        """Go on for ``duration_ms``, waking each end only for what comes in and for its own deadlines."""
        end = self.now + duration_ms
        self._write()
        spins = 0
        while True:
            wake = [self.up.next_ms(), self.down.next_ms()]
            wake += [side.next_deadline_ms() for side in (self.host, self.device) if side is not None]
            due = min((t for t in wake if t is not None), default=end)
            if due > end:
                break
            spins = spins + 1 if due <= self.now else 0
            assert spins < 1000, "an end asks to be called again and again at one moment"
            if due >= end and due > self.now:
                self.now = end
                break
            self.now = max(self.now, due)
            self._step()
        self.now = end

    def until(self, condition: Callable[[], bool], limit_ms: int = 60_000, step_ms: int = 10) -> None:
        end = self.now + limit_ms
        while not condition():
            assert self.now < end, f"not within {limit_ms} ms"
            self.run(step_ms)

    def emit(self, first: int, count: int, *, every_ms: int = 0) -> None:
        for number in range(first, first + count):
            self.device.send(arrived(number), self.now)
            if every_ms:
                self.run(every_ms)

    def _step(self) -> None:
        for portion in self.up.read(self.now) or [b""]:
            if self.host is not None:
                self.host_events += self.host.receive(portion, self.now)
                self._write()
        for portion in self.down.read(self.now) or [b""]:
            if self.device is not None:
                told = self.device.receive(portion, self.now)
                self.device_events += told
                for event in told:
                    if isinstance(event, MessageReceived) and self.answers:
                        self._answer(event.message)
                self._write()

    def _write(self) -> None:
        if self.host is not None and (data := self.host.outgoing(self.now)):
            self.down.write(data, self.now)
        if self.device is not None and (data := self.device.outgoing(self.now)):
            self.up.write(data, self.now)

    def _answer(self, request: InventoryRequest) -> None:
        if self.device.identity.kind is DeviceKind.SHUFFLER:
            self.device.send(ShufflerState(self.now, ShufflerStatus.IDLE), self.now)
        else:
            for antenna, uids in self.tags.items():
                if request.antenna in (antenna, ALL_ANTENNAS):
                    for message in inventory_messages(
                        request.request_id, antenna, t_ms=self.now, scan=1, scan_period_ms=50, uids=uids
                    ):
                        self.device.send(message, self.now)
        self.device.send(InventoryDone(request.request_id), self.now)

    # ------------------------------------------------------------ what tests ask

    def host_messages(self, kind: type) -> list:
        return [
            event.message
            for event in self.host_events
            if isinstance(event, MessageReceived) and isinstance(event.message, kind)
        ]

    def told(self, kind: type) -> list:
        return [event for event in self.host_events if isinstance(event, kind)]

    def scans(self) -> list[int]:
        return [message.scan for message in self.host_messages(TagArrived)]

    def lost(self) -> int:
        return sum(message.lost for message in self.host_messages(Overflow))


# ---------------------------------------------------------------- lines


def whole(seed: int) -> Line:
    return Line()


def single_bytes(seed: int) -> Line:
    return Line(lambda data: [(0, data[at : at + 1]) for at in range(len(data))])


def odd_portions(seed: int) -> Line:
    rng = random.Random(seed)

    def mangle(data: bytes) -> list[tuple[int, bytes]]:
        portions = []
        while data:
            size = rng.randrange(1, 9)
            portions.append((rng.randrange(3), data[:size]))
            data = data[size:]
        return portions

    return Line(mangle)


def delayed(seed: int) -> Line:
    rng = random.Random(seed)
    return Line(lambda data: [(rng.randrange(5, 120), data)])


def duplicated(seed: int) -> Line:
    rng = random.Random(seed)
    return Line(lambda data: [(0, data)] * (2 if rng.random() < 0.3 else 1))


def lossy(seed: int, loss: float = 0.2) -> Line:
    """Frames vanish, one by one."""
    rng = random.Random(seed)

    def mangle(data: bytes) -> list[tuple[int, bytes]]:
        frames = [frame + b"\0" for frame in data.split(b"\0") if frame]
        return [(rng.randrange(2, 10), frame) for frame in frames if rng.random() >= loss]

    return Line(mangle)


def noisy(seed: int, rate: float = 0.004) -> Line:
    """Bytes are flipped, lost and made up; at this rate some 15 % of frames are hit."""
    rng = random.Random(seed)

    def mangle(data: bytes) -> list[tuple[int, bytes]]:
        out = bytearray()
        for byte in data:
            dice = rng.random()
            if dice < rate / 3:
                continue
            out.append(byte ^ (1 << rng.randrange(8)) if dice < rate else byte)
            if rng.random() < rate / 3:
                out.append(rng.randrange(256))
        return [(rng.randrange(2, 10), bytes(out))]

    return Line(mangle)


def bursts(seed: int) -> Line:
    """Now and then everything within a write is garbage."""
    rng = random.Random(seed)
    return Line(lambda data: [(3, rng.randbytes(len(data)) if rng.random() < 0.1 else data)])


LINES = {
    line.__name__: line
    for line in (whole, single_bytes, odd_portions, delayed, duplicated, lossy, noisy, bursts)
}
