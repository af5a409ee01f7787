"""The thread of one PC/SC reader: its own status loop, a fresh context after any error, and the truth asked anew each second.

Each reader has a thread and a context of its own: an exchange with a reader that dawdles cannot be broken off, and must not make the
others deaf.
"""

from __future__ import annotations

import os
import threading
from typing import Final

from dealer_assist import logs
from dealer_assist.devices.clock import TableClock
from dealer_assist.devices.lamp import Lamp, Sink
from dealer_assist.devices.pcsc_reader import PcscReader
from dealer_assist.devices.scard import MAX_READERS, NO_PERMISSION, Context, ServiceLost
from dealer_assist.devices.values import DeviceStatus, PcscDevice
from dealer_assist.table.ports import LinkState

RECONCILE_MS: Final = 1000
"""How often the state is asked for as it is, not as it changes, and the card is read anew: events get lost, and pcscd does not notice
one card in the place of another where it only looks every 0.4 s."""
HANG_MS: Final = 3000
"""How long the thread may be away in one call before its reader counts as not answering: pcscd hangs, or the reader does."""

LOOK_MS: Final = 500
"""How often a reader is looked for that is not there, or that pcscd lists without knowing its state."""
STOP_LOOK_S: Final = 0.05
BACK_OFF_S: Final = (0.1, 0.2, 0.4, 0.8, 1.6, 2.0)
_SOCKET_VARIABLE: Final = "PCSCLITE_CSOCK_NAME"
SIMULATED_NAME: Final = "Virtual PCD"
"""What vsmartcard's reader driver calls itself: no real card ever lies on such a reader."""

_log = logs.get("devices")


class PcscThread:
    """Watches one reader. :meth:`start` once, :meth:`stop` once; the other methods from any thread."""

    def __init__(
        self,
        device: PcscDevice,
        sink: Sink,
        clock: TableClock,
        *,
        socket: str = "",
        badge_key: bytes = b"",
        allow_simulated: bool = False,
    ) -> None:
        self._device = device
        self._clock = clock
        self._socket = socket
        self._allow_simulated = allow_simulated
        self._lamp = Lamp(device.id, "reader" if device.role == "gate" else "badge", sink, clock)
        self._reader = PcscReader(device, self._lamp, sink, clock, badge_key=badge_key)
        self._stop = threading.Event()
        self._inventory = threading.Event()
        self._lock = threading.Lock()
        self._context: Context | None = None
        self._turned_ms = clock.host_ms()
        self._thread = threading.Thread(target=self._run, name=f"pcsc {device.id}", daemon=True)

    def start(self) -> None:
        """Begin. The client library reads the socket's name from the environment at its first context, once a process."""
        if self._socket:
            os.environ[_SOCKET_VARIABLE] = self._socket
        self._turned_ms = self._clock.host_ms()
        self._thread.start()

    def ask_to_stop(self) -> None:
        """Let the thread end soon; does not wait."""
        self._stop.set()
        self._interrupt()

    def stop(self, timeout_s: float = 5.0) -> bool:
        """End the thread; whether it has ended."""
        self._stop.set()
        until_ms = self._clock.host_ms() + int(timeout_s * 1000)
        while self._thread.is_alive() and self._clock.host_ms() < until_ms:
            self._interrupt()  # one that comes just before the wait begins is lost
            self._thread.join(STOP_LOOK_S)
        return not self._thread.is_alive()

    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def request_inventory(self) -> None:
        """Say again what lies on the reader."""
        self._inventory.set()
        self._interrupt()

    def status(self) -> DeviceStatus:
        """The reader's lamp. A thread that is stuck in a call cannot say so: whoever looks at the lamp finds it out."""
        away_ms = self._clock.host_ms() - self._turned_ms
        if self._thread.is_alive() and away_ms > HANG_MS and self._lamp.status().state == "ok":
            self._lamp.show("stale", "service_hangs")
        return self._lamp.status()

    def _interrupt(self) -> None:
        with self._lock:
            if self._context is not None:
                self._context.cancel()

    # ------------------------------------------------------------ the thread

    def _run(self) -> None:
        self._lamp.show("connecting")
        failures = 0
        while not self._stop.is_set():
            began_ms = self._turned_ms = self._clock.host_ms()
            try:
                self._watch()
            except ServiceLost as lost:
                detail = "no_permission" if lost.code == NO_PERMISSION else "no_service"
                self._lose("lost", detail, f"{lost.code & 0xFFFFFFFF:08X}")
            except Exception as error:  # noqa: BLE001 - a thread that dies silently is what this module is there to prevent
                _log.error("device_thread_failed", device=self._device.id, **logs.failure(error))
                self._lose("fault", "failed", type(error).__name__)
            else:
                continue
            now_ms = self._turned_ms = self._clock.host_ms()
            failures = 0 if now_ms - began_ms > RECONCILE_MS else failures + 1
            self._stop.wait(BACK_OFF_S[min(failures, len(BACK_OFF_S) - 1)])

    def _lose(self, state: LinkState, detail: str, code: str) -> None:
        self._reader.forget()
        if self._lamp.status().state != "refused":
            self._lamp.show(state, detail, code=code)

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
        """Find the reader by its name."""
        names = context.readers()
        if self._reader.name in names:
            return
        self._reader.forget()
        found = [name for name in names if self._device.reader in name]
        if len(found) > 1:
            self._lamp.show("lost", "ambiguous_reader")
        elif not found:
            # pcscd drops readers beyond its limit without a word
            self._lamp.show("lost", "too_many_readers" if len(names) >= MAX_READERS else "no_reader")
        elif SIMULATED_NAME in found[0] and not self._allow_simulated:
            self._lamp.show("refused", "simulated_not_allowed")
        else:
            self._reader.bind(found[0])

    def _reconcile(self, context: Context) -> None:
        """The state as it is now, then its changes for a second."""
        reader = self._reader
        until_ms = self._clock.host_ms() + RECONCILE_MS
        if self._inventory.is_set():
            self._inventory.clear()
            reader.retell()
        reader.look_again()
        while not self._stop.is_set() and not self._inventory.is_set():
            now_ms = self._turned_ms = self._clock.host_ms()
            left_ms = until_ms - now_ms
            if left_ms <= 0:
                return
            if not reader.name:
                self._stop.wait(min(left_ms, LOOK_MS) / 1000)
                return
            states = context.changes([(reader.name, reader.known)], reader.patience_ms(left_ms))
            self._turned_ms = self._clock.host_ms()
            reader.see(context, reader.known if states is None else states[0][1])
