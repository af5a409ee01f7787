"""The thread of all PC/SC readers: its own status loop, a fresh context after any error, and the truth asked anew each second.

A reader here is a gate: it shows one card at a time as antenna 1 of its device.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import Final

from dealer_assist import logs
from dealer_assist.devices.clock import TableClock
from dealer_assist.devices.lamp import Lamp, Sink
from dealer_assist.devices.scard import (
    STATE_GONE,
    STATE_PRESENT,
    STATE_UNAWARE,
    CardFault,
    Context,
    ServiceLost,
)
from dealer_assist.devices.values import DeviceStatus, PcscDevice
from dealer_assist.table.ports import InventorySeen, LinkState, ScanFailed, TagArrived, TagLeft

RECONCILE_MS: Final = 1000
"""How often states are asked for as they are, not as they change: events get lost, two readers make each other deaf."""

BACK_OFF_S: Final = (0.1, 0.2, 0.4, 0.8, 1.6, 2.0)
_RETRY_MS: Final = 100
_MAX_QUICK_RETRIES: Final = 10
_ANTENNA: Final = 1
_SOCKET_VARIABLE: Final = "PCSCLITE_CSOCK_NAME"
SIMULATED_NAME: Final = "Virtual PCD"
"""What vsmartcard's reader driver calls itself: no real card ever lies on such a reader."""

_log = logs.get("devices")


class _Gate:
    """One reader: what it is, what lies on it, what pcscd said last."""

    def __init__(self, device: PcscDevice, lamp: Lamp) -> None:
        self.device = device
        self.lamp = lamp
        self.name = ""
        self.known = STATE_UNAWARE
        self.uid: bytes | None = None
        self.cards = -1
        self.retries = 0
        self.scan = 0
        self.seen = False
        self.counters: dict[str, int] = {}

    def forget_reader(self) -> None:
        """The reader is away; what lay on it is for the next inventory to say."""
        self.name = ""
        self.known = STATE_UNAWARE
        self.cards = -1
        self.retries = 0
        self.seen = False


class PcscThread:
    """Watches the readers of a table from one thread. :meth:`start` once, :meth:`stop` once."""

    def __init__(
        self,
        devices: Sequence[PcscDevice],
        sink: Sink,
        clock: TableClock,
        *,
        socket: str = "",
        allow_simulated: bool = False,
    ) -> None:
        self._sink = sink
        self._clock = clock
        self._socket = socket
        self._allow_simulated = allow_simulated
        self._gates = [_Gate(device, Lamp(device.id, "reader", sink, clock)) for device in devices]
        self._stop = threading.Event()
        self._inventory = threading.Event()
        self._lock = threading.Lock()
        self._context: Context | None = None
        self._thread = threading.Thread(target=self._run, name="pcsc", daemon=True)

    def start(self) -> None:
        """Begin. The client library reads the socket's name from the environment at its first context, once a process."""
        if self._socket:
            os.environ[_SOCKET_VARIABLE] = self._socket
        self._thread.start()

    def stop(self, timeout_s: float = 5.0) -> bool:
        """End the thread; whether it has ended."""
        self._stop.set()
        self._interrupt()
        if self._thread.ident is not None:
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def request_inventory(self) -> None:
        """Say again what lies on every reader."""
        self._inventory.set()
        self._interrupt()

    def statuses(self) -> list[DeviceStatus]:
        """The lamps of all readers."""
        return [gate.lamp.status() for gate in self._gates]

    def _interrupt(self) -> None:
        with self._lock:
            if self._context is not None:
                self._context.cancel()

    # ------------------------------------------------------------ the thread

    def _run(self) -> None:
        for gate in self._gates:
            gate.lamp.show("connecting")
        failures = 0
        while not self._stop.is_set():
            began_ms = self._clock.host_ms()
            try:
                self._watch()
            except ServiceLost as lost:
                self._lose("lost", "no_service", f"{lost.code & 0xFFFFFFFF:08X}")
            except Exception as error:  # noqa: BLE001 - a thread that dies silently is what this module is there to prevent
                _log.error("device_thread_failed", device="pcsc", **logs.failure(error))
                self._lose("fault", "failed", type(error).__name__)
            else:
                continue
            failures = 0 if self._clock.host_ms() - began_ms > RECONCILE_MS else failures + 1
            self._stop.wait(BACK_OFF_S[min(failures, len(BACK_OFF_S) - 1)])

    def _lose(self, state: LinkState, detail: str, code: str) -> None:
        for gate in self._gates:
            gate.forget_reader()
            if gate.lamp.status().state != "refused":
                gate.lamp.show(state, detail, code=code)

    def _watch(self) -> None:
        """One context, until an error or the end."""
        context = Context()
        with self._lock:
            self._context = context
        try:
            while not self._stop.is_set():
                self._match(context)
                self._reconcile(context)
        except ServiceLost:
            # A cancelled wait looks like a lost service; when we did it ourselves it is not one.
            if not self._stop.is_set() and not self._inventory.is_set():
                raise
        finally:
            with self._lock:
                self._context = None
            context.release()

    def _match(self, context: Context) -> None:
        """Find each device's reader by its name."""
        names = context.readers()
        for gate in self._gates:
            if gate.name in names:
                continue
            gate.forget_reader()
            found = [name for name in names if gate.device.reader in name]
            if len(found) != 1:
                gate.lamp.show("lost", "ambiguous_reader" if found else "no_reader")
            elif SIMULATED_NAME in found[0] and not self._allow_simulated:
                gate.lamp.show("refused", "simulated_not_allowed")
            else:
                gate.name = found[0]
                gate.lamp.identify(model=found[0], serial="", firmware="")

    def _reconcile(self, context: Context) -> None:
        """The states as they are now, then their changes for a second."""
        until_ms = self._clock.host_ms() + RECONCILE_MS
        if self._inventory.is_set():
            self._inventory.clear()
            for gate in self._gates:
                gate.seen = False
        for gate in self._gates:
            gate.known = STATE_UNAWARE
        while not self._stop.is_set() and not self._inventory.is_set():
            watched = [gate for gate in self._gates if gate.name]
            left_ms = until_ms - self._clock.host_ms()
            if left_ms <= 0:
                return
            if not watched:
                self._stop.wait(min(left_ms, 500) / 1000)
                return
            if any(0 < gate.retries <= _MAX_QUICK_RETRIES for gate in watched):
                left_ms = min(left_ms, _RETRY_MS)
            states = context.changes([(gate.name, gate.known) for gate in watched], left_ms)
            for gate, (_, state) in zip(watched, states or [(g.name, g.known) for g in watched], strict=True):
                self._take(context, gate, state)
            if not all(gate.name for gate in watched):
                return  # one is gone: look for it

    def _take(self, context: Context, gate: _Gate, state: int) -> None:
        if state & STATE_GONE:
            gate.forget_reader()
            gate.lamp.show("lost", "no_reader")
            return
        gate.known = state
        cards = state >> 16 & 0xFFFF
        if not state & STATE_PRESENT:
            gate.retries = 0
            gate.cards = cards
            self._settle(gate, None)
        elif gate.cards != cards or gate.retries or not gate.seen:
            self._read(context, gate, state, cards)

    def _read(self, context: Context, gate: _Gate, state: int, cards: int) -> None:
        if gate.seen and gate.cards not in (cards, -1):
            self._settle(gate, None)  # what lay here came away in between, whatever is read next
        try:
            uid = context.uid(gate.name, state, gate.counters)
        except CardFault as fault:
            gate.counters[fault.reason] = gate.counters.get(fault.reason, 0) + 1
            gate.lamp.count(dict(gate.counters))
            gate.retries += 1
            if fault.reason == "removed":
                return  # the status will say so
            gate.scan += 1
            gate.lamp.show("ok")
            period = gate.device.scan_period_ms
            self._sink(
                ScanFailed(gate.device.id, _ANTENNA, self._clock.table_ms(), gate.scan, period, fault.reason)
            )
            return
        gate.retries = 0
        gate.cards = cards
        self._settle(gate, uid)

    def _settle(self, gate: _Gate, uid: bytes | None) -> None:
        """Tell what lies on the reader now: everything the first time, the difference later."""
        t_ms, period, device = self._clock.table_ms(), gate.device.scan_period_ms, gate.device.id
        gate.scan += 1
        if not gate.seen:
            gate.seen = True
            gate.uid = uid
            gate.lamp.count(dict(gate.counters))
            gate.lamp.show("ok")
            uids = () if uid is None else (uid,)
            self._sink(InventorySeen(device, _ANTENNA, uids, t_ms, gate.scan, period))
            return
        if uid == gate.uid:
            return
        if gate.uid is not None:
            self._sink(TagLeft(device, _ANTENNA, gate.uid, t_ms, gate.scan, period))
        gate.uid = uid
        if uid is not None:
            self._sink(TagArrived(device, _ANTENNA, uid, t_ms, gate.scan, period))
