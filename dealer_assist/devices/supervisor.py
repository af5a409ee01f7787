"""All devices of a table: started together, stopped together, one lamp each."""

from __future__ import annotations

from collections.abc import Callable

from dealer_assist import logs
from dealer_assist.devices.clock import TableClock
from dealer_assist.devices.lamp import Sink
from dealer_assist.devices.pcsc import PcscThread
from dealer_assist.devices.polled_reader import PolledReader
from dealer_assist.devices.serial_reader import SerialReader, random_nonce
from dealer_assist.devices.values import DevicesConfig, DeviceStatus

_log = logs.get("devices")


class DeviceSupervisor:
    """One thread a device.

    Observations go to ``sink``, from those threads, in each device's own order; none comes after :meth:`stop`. ``nonce`` gives
    a random number from 1 to 2**32 - 1 for each session of a link. Simulated devices are refused unless the configuration
    allows them in so many words. Raises ValueError where two devices have one id or one serial number.
    """

    def __init__(
        self,
        config: DevicesConfig,
        sink: Sink,
        clock: TableClock,
        *,
        nonce: Callable[[], int] = random_nonce,
    ) -> None:
        ids = [device.id for device in config.serial] + [device.id for device in config.pcsc]
        serials = [device.serial for device in config.serial]
        for what, names in (("id", ids), ("serial number", serials)):
            twice = {name for name in names if names.count(name) > 1}
            if twice:
                raise ValueError(f"two devices with the {what} {min(twice)!r}: expected one each")
        allowed = config.allow_simulated
        self._readers: list[SerialReader | PolledReader] = [
            SerialReader(device, sink, clock, nonce=nonce, allow_simulated=allowed)
            if device.family == "own"
            else PolledReader(device, sink, clock, allow_simulated=allowed)
            for device in config.serial
        ]
        self._pcsc = [
            PcscThread(
                device,
                sink,
                clock,
                socket=config.pcsc_socket,
                badge_key=config.badge_key,
                allow_simulated=config.allow_simulated,
            )
            for device in config.pcsc
        ]

    def _all(self) -> list[SerialReader | PolledReader | PcscThread]:
        return [*self._readers, *self._pcsc]

    def start(self) -> None:
        """Begin to look for all devices. Once."""
        for reader in self._all():
            reader.start()

    def stop(self) -> bool:
        """End all threads; whether all have ended. Nothing is told to the sink any more."""
        for reader in self._all():
            reader.ask_to_stop()
        ended = [reader.stop() for reader in self._all()]
        if not all(ended):
            _log.error("device_threads_left", count=ended.count(False))
        return all(ended)

    def alive(self) -> bool:
        """Whether every thread is there. One that waits for its device, or for pcscd, is."""
        return all(reader.alive() for reader in self._all())

    def status(self) -> tuple[DeviceStatus, ...]:
        """The lamps, in the order of the configuration."""
        return tuple([reader.status() for reader in self._all()])

    def request_inventory(self) -> None:
        """Ask every device what lies there: when a hand is taken up again after a restart of this service, for instance."""
        for reader in self._all():
            reader.request_inventory()
