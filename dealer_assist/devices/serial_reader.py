"""The thread of one serial device: find its port, speak with it, say what it sees, and start over when the cable is pulled."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from dealer_assist import logs
from dealer_assist.devices.clock import TableClock
from dealer_assist.devices.faults import LinkLost
from dealer_assist.devices.lamp import Lamp, Sink
from dealer_assist.devices.recent import Recent
from dealer_assist.devices.serial_port import SerialPort, Waker, find_port, is_simulated_folder
from dealer_assist.devices.translate import Translator
from dealer_assist.devices.values import DeviceStatus, SerialDevice
from dealer_assist.table.ports import DeviceRestarted, ForbiddenData, LinkState
from firmware_protocol import events
from firmware_protocol.errors import QueueFull
from firmware_protocol.host import HostLink, HostState
from firmware_protocol.messages import DeviceKind, Identify, Overflow

BACK_OFF_MS: Final = (100, 200, 400, 800, 1600, 2000)
ANSWER_MS: Final = 5000
"""How long an open port may stay without an answer, or a device silent, before the port is opened anew (host time)."""
INVENTORY_EVERY_MS: Final = 30_000
"""How often everything is asked for anew, whatever changes were told (host time)."""
SIMULATED_MODEL: Final = "SIM"
"""How the models of simulated devices begin."""
_IDLE_MS: Final = 500
_PTY: Final = Path("/dev/pts")

_log = logs.get("devices")


class _Refused(Exception):
    """What hangs on the port is not to be used."""

    def __init__(self, detail: str, **params: str | int) -> None:
        self.detail = detail
        self.params = params
        super().__init__(detail)


class _Failed(Exception):
    """The link gave up although the port is there."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def random_nonce() -> int:
    """A random number that names a session, 1 to 2**32 - 1."""
    return secrets.randbelow((1 << 32) - 1) + 1


class SerialReader:
    """:meth:`start` once, :meth:`stop` once; the other methods from any thread."""

    def __init__(
        self,
        device: SerialDevice,
        sink: Sink,
        clock: TableClock,
        *,
        nonce: Callable[[], int] = random_nonce,
        allow_simulated: bool = False,
    ) -> None:
        self._device = device
        self._sink = sink
        self._clock = clock
        self._nonce = nonce
        self._allow_simulated = allow_simulated
        self._lamp = Lamp(device.id, device.role, sink, clock)
        self._translator = Translator(device.id, clock)
        self._recent = Recent()
        self._link: HostLink | None = None
        self._before: dict[str, int] = {}
        self._boot_id: int | None = None
        self._antennas = 0
        self._silent_since_ms: int | None = None
        self._inventory_ms = 0
        self._well = False
        self._stop = threading.Event()
        self._ask = threading.Event()
        self._waker = Waker()
        self._thread = threading.Thread(target=self._run, name=f"serial {device.id}", daemon=True)

    # ------------------------------------------------------------ any thread

    def start(self) -> None:
        """Begin to look for the device."""
        self._thread.start()

    def ask_to_stop(self) -> None:
        """Let the thread end soon; does not wait."""
        self._stop.set()
        self._waker.wake()

    def stop(self, timeout_s: float = 5.0) -> bool:
        """End the thread; whether it has ended."""
        self.ask_to_stop()
        if self._thread.ident is not None:
            self._thread.join(timeout_s)
        if self._thread.is_alive():
            return False
        self._waker.close()
        return True

    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def request_inventory(self) -> None:
        """Ask the device for everything that it sees, as soon as there is a session."""
        self._ask.set()
        self._waker.wake()

    def status(self) -> DeviceStatus:
        """The lamp, with the counters of the link's faults."""
        return msgspec.structs.replace(self._lamp.status(), counters=self._counters())

    def _counters(self) -> dict[str, int]:
        counters = dict(self._before)
        link = self._link
        if link is not None:
            for name, count in link.counters.as_dict().items():
                counters[name] = counters.get(name, 0) + count
        counters["odd_parts"] = self._translator.odd_parts
        return counters

    # ------------------------------------------------------------ the thread

    def _run(self) -> None:
        self._lamp.show("connecting")
        failures = 0
        while not self._stop.is_set():
            self._well = False
            try:
                self._use_port()
            except LinkLost as lost:
                self._give_up("lost", lost.reason)
            except _Refused as refused:
                self._drop_link()
                self._give_up("refused", refused.detail, **refused.params)
            except _Failed as failed:
                self._give_up("fault", failed.reason)
            except Exception as error:  # noqa: BLE001 - a device's thread outlives whatever its device does
                _log.error("device_thread_failed", device=self._device.id, **logs.failure(error))
                self._drop_link()
                self._give_up("fault", "failed", error=type(error).__name__)
            failures = 0 if self._well else failures + 1
            if not self._stop.is_set():
                self._waker.wait(BACK_OFF_MS[min(failures, len(BACK_OFF_MS) - 1)])

    def _give_up(self, state: LinkState, detail: str, **params: str | int) -> None:
        if self._well or state == "fault":
            _log.warning(
                "link_last_frames", device=self._device.id, detail=detail, frames=self._recent.lines()
            )
        self._lamp.show(state, detail, **params)

    def _drop_link(self) -> None:
        """Forget a session that was not with our device, or that cannot be trusted."""
        self._before = {name: count for name, count in self._counters().items() if name != "odd_parts"}
        self._link = None

    def _use_port(self) -> None:
        folder = Path(self._device.folder)
        if not self._allow_simulated and is_simulated_folder(folder):
            raise _Refused("simulated_not_allowed")
        path = find_port(folder, self._device.serial)
        # No device of a real table is a pseudo-terminal.
        if not self._allow_simulated and path.resolve().parent == _PTY:
            raise _Refused("simulated_not_allowed")
        port = SerialPort(path, self._device.baud, self._waker)
        try:
            self._speak(port)
        finally:
            port.close()

    def _speak(self, port: SerialPort) -> None:
        """One open port, until it is gone or the thread is to end."""
        now_ms = self._clock.host_ms()
        link = self._link
        if link is None:
            link = self._link = HostLink(
                now_ms, nonce=self._nonce(), keys=self._device.keys, random=secrets.token_bytes
            )
        else:
            # The same link goes on: it knows what it took last, so that nothing is told twice or lost.
            link.restart(now_ms, nonce=self._nonce())
        self._recent.add(now_ms, "port opened")
        self._silent_since_ms = now_ms
        while not self._stop.is_set():
            now_ms = self._clock.host_ms()
            self._ask_inventory(link, now_ms)
            data = link.outgoing(now_ms)
            if data:
                port.write(data)
            due_ms = link.next_deadline_ms()
            wait_ms = _IDLE_MS if due_ms is None else min(max(0, due_ms - now_ms), _IDLE_MS)
            data = port.read(wait_ms)
            now_ms = self._clock.host_ms()
            for event in link.receive(data, now_ms):
                self._take(event, now_ms)
            self._check_silence(link, now_ms)

    def _check_silence(self, link: HostLink, now_ms: int) -> None:
        state = link.state
        if self._silent_since_ms is None:
            if state is HostState.CONNECTING:
                # The device or the link broke the session off; a new one is being opened.
                self._silent_since_ms = now_ms
                self._lamp.show("connecting", "new_session")
        elif now_ms - self._silent_since_ms > ANSWER_MS and state is not HostState.REFUSED:
            raise LinkLost("silent" if self._well else "no_answer")

    def _ask_inventory(self, link: HostLink, now_ms: int) -> None:
        if link.state is not HostState.READY:
            return
        periodic = self._antennas > 0 and now_ms >= self._inventory_ms
        if not periodic and not self._ask.is_set():
            return
        self._ask.clear()
        self._inventory_ms = now_ms + INVENTORY_EVERY_MS
        try:
            link.request_inventory(now_ms)
        except QueueFull:
            self._recent.add(now_ms, "inventory request not sent: queue full")

    def _take(self, event: events.HostEvent, now_ms: int) -> None:
        match event:
            case events.MessageReceived(message):
                self._recent.add(now_ms, message)
                _log.traffic("frame", device=self._device.id, direction="in", frame=logs.frame(message))
                if isinstance(message, Overflow):
                    _log.warning("device_overflow", device=self._device.id, count=message.lost)
                observation = self._translator.observation(message)
                if observation is not None:
                    self._sink(observation)
            case events.Ready(identity):
                self._recent.add(now_ms, "ready")
                self._ready(identity, now_ms)
            case events.DeviceRestarted(new=new):
                self._recent.add(now_ms, "restarted")
                self._booted(new)
            case events.HeartbeatLost():
                self._recent.add(now_ms, "heartbeat lost")
                self._silent_since_ms = now_ms
                self._lamp.show("stale", "no_heartbeat")
            case events.HeartbeatRegained():
                self._recent.add(now_ms, "heartbeat regained")
                self._silent_since_ms = None
                self._show_ok()
            case events.SecurityRefused(error):
                self._recent.add(now_ms, "security refused")
                self._lamp.show("refused", error.reason, key=error.key_id)
            case events.VersionRefused(error):
                self._recent.add(now_ms, "version refused")
                host, device = (".".join(map(str, version)) for version in (error.host, error.device))
                self._lamp.show("refused", "protocol_version", host=host, device=device)
            case events.ForbiddenReceived(message_id, size):
                self._recent.add(now_ms, "forbidden message dropped")
                _log.warning("forbidden_data", device=self._device.id, message_id=message_id, size=size)
                self._sink(ForbiddenData(self._device.id, self._clock.table_ms()))
            case events.LinkFailed(reason):
                self._recent.add(now_ms, f"link failed: {reason}")
                raise _Failed(reason)
            case events.SnapshotComplete():
                self._recent.add(now_ms, "inventory complete")

    def _ready(self, identity: Identify, now_ms: int) -> None:
        if identity.model.upper().startswith(SIMULATED_MODEL) and not self._allow_simulated:
            raise _Refused("simulated_not_allowed")
        if identity.serial != self._device.serial:
            raise _Refused("wrong_serial", found=identity.serial)
        if (identity.kind is DeviceKind.SHUFFLER) != (self._device.role == "shuffler"):
            raise _Refused("wrong_kind", found=identity.kind.value)
        self._booted(identity.boot_id)
        self._translator.new_session()
        self._antennas = identity.antennas
        # The link asks for everything by itself when a session begins.
        self._inventory_ms = now_ms + INVENTORY_EVERY_MS
        self._ask.clear()
        self._silent_since_ms = None
        self._well = True
        self._lamp.identify(model=identity.model, serial=identity.serial, firmware=identity.firmware)
        self._show_ok()

    def _show_ok(self) -> None:
        """Well; and for as long as that is so, whether its line could be read or changed by somebody else."""
        self._lamp.show("ok", "" if self._device.keys else "not_secured")

    def _booted(self, boot_id: int) -> None:
        if self._boot_id is not None and boot_id != self._boot_id:
            self._translator.restart()
            self._sink(DeviceRestarted(self._device.id, self._clock.table_ms()))
        self._boot_id = boot_id
