"""Messages of our wire protocol become observations on the table's clock."""

from __future__ import annotations

from dealer_assist.devices.clock import DeviceClock, TableClock
from dealer_assist.table.ports import (
    InventorySeen,
    Observation,
    ScanFailed,
    ShoeChanged,
    ShoeExit,
    ShufflerChanged,
    TagArrived,
    TagLeft,
)
from firmware_protocol import messages as wire


class Translator:
    """One device's messages. Inventories that come in parts are put together; a part that does not fit drops what was begun."""

    def __init__(self, device: str, clock: TableClock) -> None:
        self._device = device
        self._table = clock
        self._clock = DeviceClock()
        self._parts: dict[int, tuple[int, int, list[bytes]]] = {}
        self.odd_parts = 0

    def restart(self) -> None:
        """The device began anew: its clock, too."""
        self._clock.reset()
        self.new_session()

    def new_session(self) -> None:
        """What a broken session had begun to say is not continued."""
        self._parts.clear()

    def observation(self, message: wire.Message) -> Observation | None:
        """What the message says of the table, or None. Times are never later than now."""
        if isinstance(message, wire.TagArrived):
            return TagArrived(
                self._device,
                message.antenna,
                message.uid,
                self._time(message.t_ms),
                message.scan,
                message.scan_period_ms,
            )
        if isinstance(message, wire.TagLeft):
            return TagLeft(
                self._device,
                message.antenna,
                message.uid,
                self._time(message.t_ms),
                message.scan,
                message.scan_period_ms,
            )
        if isinstance(message, wire.ScanFailed):
            return ScanFailed(
                self._device,
                message.antenna,
                self._time(message.t_ms),
                message.scan,
                message.scan_period_ms,
                message.reason.value,
            )
        if isinstance(message, wire.Inventory):
            return self._inventory(message)
        if isinstance(message, wire.ShufflerState):
            return ShufflerChanged(self._device, self._time(message.t_ms), message.state.value)
        if isinstance(message, wire.ShufflerVerdict):
            return ShufflerChanged(
                self._device, self._time(message.t_ms), message.result.value, message.count, message.expected
            )
        if isinstance(message, wire.ShoeExit):
            return ShoeExit(self._device, self._time(message.t_ms), message.number, message.face.value)
        if isinstance(message, wire.ShoeState):
            return ShoeChanged(self._device, self._time(message.t_ms), message.state.value, message.exits)
        return None

    def _time(self, device_ms: int) -> int:
        now_ms = self._table.table_ms()
        self._clock.sample(device_ms, now_ms)
        return self._clock.to_table(device_ms, now_ms)

    def _inventory(self, message: wire.Inventory) -> InventorySeen | None:
        uids = list(message.uids)
        if message.part > 1:
            begun = self._parts.pop(message.antenna, None)
            if begun is None or begun[:2] != (message.scan, message.part - 1):
                self.odd_parts += 1
                return None
            uids = begun[2] + uids
        if message.part < message.parts:
            self._parts[message.antenna] = (message.scan, message.part, uids)
            return None
        return InventorySeen(
            self._device,
            message.antenna,
            tuple(uids),
            self._time(message.t_ms),
            message.scan,
            message.scan_period_ms,
        )
