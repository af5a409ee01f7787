"""The state of one device's link: told once when it changes, kept for whoever asks."""

from __future__ import annotations

import threading
from collections.abc import Callable

import msgspec

from dealer_assist import logs
from dealer_assist.devices.clock import TableClock
from dealer_assist.devices.values import DeviceStatus
from dealer_assist.table.ports import LinkChanged, LinkState, Observation

Sink = Callable[[Observation], None]
"""Where observations go. Called from the devices' threads; it must neither block for long nor raise."""

_log = logs.get("devices")


class Lamp:
    """Written by the device's own thread, read by any."""

    def __init__(self, device: str, role: str, sink: Sink, clock: TableClock) -> None:
        self._lock = threading.Lock()
        self._sink = sink
        self._clock = clock
        self._told = False
        self._status = DeviceStatus(id=device, role=role, state="connecting", since_ms=clock.table_ms())

    def status(self) -> DeviceStatus:
        """What is known now."""
        with self._lock:
            return self._status

    def show(self, state: LinkState, detail: str = "", **params: str | int) -> None:
        """Tell the table when the state, or its reason, is another than before."""
        t_ms = self._clock.table_ms()
        with self._lock:
            old = self._status
            if self._told and (old.state, old.detail, old.params) == (state, detail, params):
                return
            self._told = True
            lost = old.state in ("ok", "stale") and state not in ("ok", "stale")
            self._status = msgspec.structs.replace(
                old,
                state=state,
                detail=detail,
                params=params,
                since_ms=t_ms,
                losses=old.losses + lost,
            )
        _log.info("link_changed", device=old.id, state=state, detail=detail)
        self._sink(LinkChanged(old.id, t_ms, state, detail, params))

    def identify(self, *, model: str, serial: str, firmware: str) -> None:
        """What the device says it is."""
        with self._lock:
            self._status = msgspec.structs.replace(
                self._status, model=model, serial=serial, firmware=firmware
            )

    def count(self, counters: dict[str, int]) -> None:
        """The counters of the link's faults, as of now."""
        with self._lock:
            self._status = msgspec.structs.replace(self._status, counters=counters)
