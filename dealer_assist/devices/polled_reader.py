"""A bought reader on its port or behind its address: a driver is run, and its scans become what the table hears."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from dealer_assist import logs
from dealer_assist.devices.clock import TableClock
from dealer_assist.devices.driver import NO_ANSWER, Driver, Failed, Identified, Note, Scanned, Seen
from dealer_assist.devices.families import FAMILIES, driver_of, parity_of, quiet_ms
from dealer_assist.devices.faults import LinkLost
from dealer_assist.devices.lamp import Sink
from dealer_assist.devices.port_thread import (
    ANSWER_MS,
    IDLE_MS,
    INVENTORY_EVERY_MS,
    SIMULATED_MODEL,
    Port,
    PortThread,
    Refused,
)
from dealer_assist.devices.scans import ScanDiff
from dealer_assist.devices.values import DeviceStatus, SerialDevice

STALE_MS: Final = 800
"""A reader that is asked and says nothing for so long is shown as such (host time)."""
PLAIN_LINE: Final = "plain_line"
"""The detail of a reader that is well: its maker gave its line no secrecy and no proof of who speaks."""

_log = logs.get("devices")


class PolledReader(PortThread):
    """``driver`` makes the driver of the device; it lives as long as this does, so that its counters do."""

    def __init__(
        self,
        device: SerialDevice,
        sink: Sink,
        clock: TableClock,
        *,
        allow_simulated: bool = False,
        driver: Callable[[SerialDevice, Note], Driver] = driver_of,
    ) -> None:
        super().__init__(device, sink, clock, allow_simulated=allow_simulated, parity=parity_of(device))
        facts = FAMILIES[device.family]
        self._listens = facts.listens
        self._stale_ms = STALE_MS + quiet_ms(device)
        self._driver = driver(device, self._note)
        self._scans = ScanDiff(device.id, period_ms=int(facts.period_ms * max(1.0, clock.speed)))
        self._heard_ms = 0
        self._inventory_ms = 0

    def status(self) -> DeviceStatus:
        """The lamp, with the counters of the line's and the reader's faults."""
        return msgspec.structs.replace(self._lamp.status(), counters=self._driver.counters())

    def _note(self, text: str) -> None:
        """What a driver says of a frame: never a UID."""
        self._recent.add(self._clock.host_ms(), text)

    def speak(self, port: Port) -> None:
        """One open line, until it is gone or the thread is to end."""
        driver = self._driver
        now_ms = self._clock.host_ms()
        self._note("port opened")
        driver.opened(now_ms)
        self._scans.forget()
        self._heard_ms = now_ms
        self._inventory_ms = now_ms + INVENTORY_EVERY_MS
        if self._listens:
            # All that can be known of it before a card comes: its port is there.
            self._alive(now_ms)
        while not self._stop.is_set():
            now_ms = self._clock.host_ms()
            self._ask_inventory(now_ms)
            data = driver.outgoing(now_ms)
            if data:
                port.write(data)
            due_ms = driver.next_deadline_ms()
            wait_ms = IDLE_MS if due_ms is None else min(max(0, due_ms - now_ms), IDLE_MS)
            data = port.read(wait_ms)
            now_ms = self._clock.host_ms()
            for seen in driver.receive(data, now_ms):
                self._take(seen, now_ms)
            self._check_silence(now_ms)

    def _ask_inventory(self, now_ms: int) -> None:
        if now_ms < self._inventory_ms and not self._ask.is_set():
            return
        self._ask.clear()
        self._inventory_ms = now_ms + INVENTORY_EVERY_MS
        self._driver.request_inventory(now_ms)
        self._scans.tell_all()

    def _take(self, seen: Seen, now_ms: int) -> None:
        match seen:
            case Scanned(antenna, uids, t_ms):
                self._alive(now_ms)
                for observation in self._scans.scanned(antenna, uids, self._clock.at(t_ms)):
                    self._sink(observation)
            case Failed(antenna, t_ms, reason):
                if reason != NO_ANSWER:
                    self._alive(now_ms)
                elif not self._well:
                    return  # it has not said a word on this line: the lamp says that, once
                for observation in self._scans.failed(antenna, self._clock.at(t_ms), reason):
                    self._sink(observation)
            case Identified(model, serial, firmware):
                simulated = any(text.upper().startswith(SIMULATED_MODEL) for text in (model, firmware))
                if simulated and not self._allow_simulated:
                    raise Refused("simulated_not_allowed")
                self._note("identified")
                self._lamp.identify(model=model, serial=serial, firmware=firmware)
                self._alive(now_ms)

    def _alive(self, now_ms: int) -> None:
        """The reader has said something."""
        self._heard_ms = now_ms
        self._well = True
        self._lamp.show("ok", PLAIN_LINE)

    def _check_silence(self, now_ms: int) -> None:
        if self._listens:
            return
        silent_ms = now_ms - self._heard_ms
        if silent_ms > ANSWER_MS:
            raise LinkLost("silent" if self._well else "no_answer")
        if silent_ms > self._stale_ms and self._well:
            self._lamp.show("stale", "no_heartbeat")
