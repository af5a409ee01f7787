"""Faults of a line: between a device and its port, on the bytes and frames as they go by. Real time, as the line is real."""

from __future__ import annotations

import random
from collections import deque
from typing import Final

from hw_sim.faults import Fault
from hw_sim.ptys import PtyPort

_WHOLE: Final = 10_000
#: Beginnings that look like a frame and are none: a delimiter, then a length of run that nothing follows.
_FALSE_SYNC: Final = b"\x00\x05\x01\x02\x00\x0b\x01\xfe\x00\x00\x03\x05"


class FaultyLine:
    """A port with faults on its line; everything else is the port's. ``seed`` draws which frames are hit."""

    def __init__(self, port: PtyPort, *, seed: int) -> None:
        self.port = port
        self._rng = random.Random(f"line/{seed}")
        self._faults: dict[str, Fault] = {}
        self._held: bytes = b""
        self._heard: deque[int] = deque()
        self._queue: deque[tuple[float, bytes]] = deque()
        self._now_s = 0.0

    @property
    def plugged(self) -> bool:
        """Whether the cable is in."""
        return self.port.plugged

    def plug(self) -> None:
        """Put the cable in."""
        self.port.plug()

    def unplug(self) -> None:
        """Pull the cable: what was on the way is gone."""
        self.port.unplug()
        self._held = b""
        self._heard.clear()
        self._queue.clear()

    def set_fault(self, fault: Fault) -> None:
        """A fault of the line begins, or all end (``ok``); garbage is put on it once."""
        match fault.fault:
            case "ok":
                self._faults.clear()
                self.port.set_baud(None)
            case "garbage":
                self.port.write(self._garbage(fault.number("count"), fault.word("how")))
            case _:
                self._faults[fault.fault] = fault
                if fault.fault == "slow":
                    self.port.set_baud(fault.number("baud"))

    def end_fault(self, fault: Fault) -> None:
        """One fault ends."""
        if self._faults.get(fault.fault) is fault:
            del self._faults[fault.fault]
            if fault.fault == "slow":
                self.port.set_baud(None)

    def _garbage(self, count: int, how: str) -> bytes:
        match how:
            case "zeros":
                return bytes(count)
            case "false_sync":
                return (_FALSE_SYNC * (count // len(_FALSE_SYNC) + 1))[:count]
            case _:
                return self._rng.randbytes(count)

    # -- from the host ---------------------------------------------------------------------------------------------------------------

    def read(self) -> bytes:
        """What the device hears."""
        if "stuck" in self._faults:
            return b""
        data = self.port.read()
        if self._way("in"):
            return b""
        if "split" not in self._faults:
            data = bytes(self._heard) + data
            self._heard.clear()
            return data
        self._heard.extend(data)
        return bytes((self._heard.popleft(),)) if self._heard else b""

    def _way(self, which: str) -> bool:
        off = self._faults.get("off")
        return off is not None and off.word("way") in ("both", which)

    # -- to the host -----------------------------------------------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        """Put what the device says on the line, as broken as it is."""
        if not data or self._way("out"):
            return
        if self._faults.keys() & {"wrong", "intermittent", "double", "repeat", "reorder"} or self._held:
            data = b"".join(self._damaged(frame) for frame in data.split(b"\0") if frame)
        wait_s = 0.0
        if delayed := self._faults.get("delayed"):
            wait_s = delayed.number("ms") / 1000
        if merge := self._faults.get("merge"):
            span_s = merge.number("ms") / 1000
            wait_s = span_s - self._now_s % span_s
        if wait_s or self._queue:
            due_s = self._now_s + wait_s
            if self._queue:
                due_s = max(due_s, self._queue[-1][0])
            self._queue.append((due_s, data))
        else:
            self.port.write(data)

    def _damaged(self, frame: bytes) -> bytes:
        """The frames that go out in place of this one, each between zeros."""
        if self._hit("wrong"):
            at = self._rng.randrange(len(frame))
            flipped = frame[at] ^ 1 << self._rng.randrange(8)
            frame = frame[:at] + bytes((flipped or 0xFF,)) + frame[at + 1 :]
        if self._hit("intermittent"):
            at = self._rng.randrange(len(frame))
            frame = frame[:at] + frame[at + 1 :]
        if self._hit("double"):
            at = self._rng.randrange(len(frame))
            frame = frame[: at + 1] + frame[at:]
        whole = b"\0" + frame + b"\0"
        if self._hit("repeat"):
            whole += whole
        if self._held:
            whole, self._held = whole + self._held, b""
        elif self._hit("reorder"):
            whole, self._held = b"", whole
        return whole

    def _hit(self, name: str) -> bool:
        fault = self._faults.get(name)
        return fault is not None and self._rng.randrange(_WHOLE) < fault.number("share")

    def pump(self, now_s: float) -> None:
        """Let the line carry what it can by now (real seconds, monotonic)."""
        self._now_s = now_s
        while self._queue and self._queue[0][0] <= now_s:
            self.port.write(self._queue.popleft()[1])
        self.port.pump(now_s, at_most=1 if "split" in self._faults else None)
