"""A serial device of our own protocol: speak with it, say what it sees, and know it again when it comes back."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import msgspec

from dealer_assist import logs
from dealer_assist.devices import port_thread
from dealer_assist.devices.clock import TableClock
from dealer_assist.devices.faults import LinkLost
from dealer_assist.devices.lamp import Sink
from dealer_assist.devices.port_thread import (
    ANSWER_MS,
    IDLE_MS,
    INVENTORY_EVERY_MS,
    SIMULATED_MODEL,
    LinkFailed,
    Port,
    PortThread,
    Refused,
)
from dealer_assist.devices.translate import Translator
from dealer_assist.devices.values import DeviceStatus, SerialDevice
from dealer_assist.table.ports import DeviceRestarted, ForbiddenData
from firmware_protocol import events
from firmware_protocol.errors import QueueFull
from firmware_protocol.host import HostLink, HostState
from firmware_protocol.messages import Identify, Overflow
from firmware_protocol.probe import Probe

_log = logs.get("devices")


def random_nonce() -> int:
    """A random number that names a session, 1 to 2**32 - 1."""
    return secrets.randbelow((1 << 32) - 1) + 1


class SerialReader(PortThread):
    """A device of our own protocol (:mod:`firmware_protocol`)."""

    knows_itself = True

    def __init__(
        self,
        device: SerialDevice,
        sink: Sink,
        clock: TableClock,
        *,
        nonce: Callable[[], int] = random_nonce,
        allow_simulated: bool = False,
    ) -> None:
        super().__init__(device, sink, clock, allow_simulated=allow_simulated)
        self._nonce = nonce
        self._translator = Translator(device.id, clock)
        self._link: HostLink | None = None
        self._before: dict[str, int] = {}
        self._boot_id: int | None = None
        self._antennas = 0
        self._silent_since_ms: int | None = None
        self._inventory_ms = 0

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

    def distrust(self) -> None:
        """Forget a session that was not with our device, or that cannot be trusted: its counts stay."""
        self._before = {name: count for name, count in self._counters().items() if name != "odd_parts"}
        self._link = None

    def speak(self, port: Port) -> None:
        """One open port, until it is gone or the thread is to end."""
        now_ms = self._clock.host_ms()
        link = self._link
        if link is None:
            link = self._link = HostLink(
                now_ms,
                nonce=self._nonce(),
                keys=self._device.keys,
                random=secrets.token_bytes,
                accepts=self._is_ours,
            )
            link.tap(self._frame)
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
            wait_ms = IDLE_MS if due_ms is None else min(max(0, due_ms - now_ms), IDLE_MS)
            data = port.read(wait_ms)
            now_ms = self._clock.host_ms()
            for event in link.receive(data, now_ms):
                self._take(event, now_ms)
            if link.securing:
                self._lamp.show("connecting", "securing")
            self._check_silence(link, now_ms)

    def is_here(self, port: Port) -> bool:
        """Ask who is there, for at most ``PROBE_MS``."""
        now_ms = self._clock.host_ms()
        end_ms = now_ms + port_thread.PROBE_MS
        probe = Probe(now_ms, nonce=self._nonce())
        while now_ms < end_ms and not self._stop.is_set():
            data = probe.outgoing(now_ms)
            if data:
                port.write(data)
            found = probe.receive(port.read(max(0, min(probe.next_deadline_ms(), end_ms) - now_ms)))
            if found is not None:
                self._recent.add(self._clock.host_ms(), "ours" if self._is_ours(found) else "another device")
                return self._is_ours(found)
            now_ms = self._clock.host_ms()
        return False

    def _frame(self, incoming: bool, body: bytes) -> None:
        self._recent.frame(self._clock.host_ms(), body, incoming=incoming)

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
            case events.IdentityRefused(identity):
                self._recent.add(now_ms, "another device")
                raise self._why_not(identity)
            case events.SecurityRefused(error):
                self._recent.add(now_ms, "security refused")
                self._lamp.show("refused", error.reason, key=error.key_id)
            case events.VersionRefused(error):
                self._recent.add(now_ms, "version refused")
                host, device = (".".join(map(str, version)) for version in (error.host, error.device))
                update = "firmware" if error.device < error.host else "table"
                self._lamp.show("refused", "protocol_version", host=host, device=device, update=update)
            case events.ForbiddenReceived(message_id, size):
                self._recent.add(now_ms, "forbidden message dropped")
                _log.warning("forbidden_data", device=self._device.id, message_id=message_id, size=size)
                self._sink(ForbiddenData(self._device.id, self._clock.table_ms()))
            case events.LinkFailed(reason):
                self._recent.add(now_ms, f"link failed: {reason}")
                raise LinkFailed(reason)
            case events.SnapshotComplete():
                self._recent.add(now_ms, "inventory complete")

    def _is_ours(self, identity: Identify) -> bool:
        simulated = identity.model.upper().startswith(SIMULATED_MODEL)
        return (
            identity.serial == self._device.serial
            and identity.kind.value == self._device.role
            and (self._allow_simulated or not simulated)
        )

    def _why_not(self, identity: Identify) -> Refused:
        """Why a device is not ours."""
        if identity.model.upper().startswith(SIMULATED_MODEL) and not self._allow_simulated:
            return Refused("simulated_not_allowed")
        if identity.serial != self._device.serial:
            return Refused("wrong_serial", found=identity.serial)
        return Refused("wrong_kind", found=identity.kind.value)

    def _ready(self, identity: Identify, now_ms: int) -> None:
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
