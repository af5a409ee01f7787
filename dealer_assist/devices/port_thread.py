"""The thread of one serial device, whatever it speaks: find its port, hand it over, and start anew when the cable is pulled."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Final, Protocol

from dealer_assist import logs
from dealer_assist.config.device_checks import is_loopback
from dealer_assist.devices.clock import TableClock
from dealer_assist.devices.faults import LinkLost
from dealer_assist.devices.lamp import Lamp, Sink
from dealer_assist.devices.recent import Recent
from dealer_assist.devices.serial_port import SerialPort, Waker, find_ports, is_simulated_folder
from dealer_assist.devices.tcp_port import TcpPort
from dealer_assist.devices.values import SerialDevice
from dealer_assist.table.ports import LinkState

BACK_OFF_MS: Final = (100, 200, 400, 800, 1600, 2000)
ANSWER_MS: Final = 5000
"""How long an open port may stay without an answer, or a device silent, before the port is opened anew (host time)."""
PROBE_MS: Final = 2500
"""The same where several ports are tried in turn (host time): a board that restarts when its port is opened takes up to two seconds
(the boot loader of an Arduino)."""
INVENTORY_EVERY_MS: Final = 30_000
"""How often everything is asked for anew, whatever changes were told (host time)."""
SIMULATED_MODEL: Final = "SIM"
"""How the models of simulated devices begin."""
IDLE_MS: Final = 500
_PTY: Final = Path("/dev/pts")

_log = logs.get("devices")


class Refused(Exception):
    """What hangs on the port is not to be used."""

    def __init__(self, detail: str, **params: str | int) -> None:
        self.detail = detail
        self.params = params
        super().__init__(detail)


class LinkFailed(Exception):
    """The link gave up although the port is there."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class Port(Protocol):
    """An open line. Every method but :meth:`close` raises LinkLost and nothing else."""

    def read(self, timeout_ms: int) -> bytes:
        """Bytes that came, waiting up to ``timeout_ms`` for the first."""

    def write(self, data: bytes) -> None:
        """Write all bytes, for a moment at most."""

    def close(self) -> None:
        """Give the line back."""


class PortThread:
    """:meth:`start` once, :meth:`stop` once; the other methods from any thread. What is spoken is the subclass's :meth:`speak`."""

    #: whether the device says by itself which one it is, so that where several ports could be its own each may be tried
    knows_itself = False

    def __init__(
        self,
        device: SerialDevice,
        sink: Sink,
        clock: TableClock,
        *,
        allow_simulated: bool,
        parity: str = "none",
    ) -> None:
        self._device = device
        self._sink = sink
        self._clock = clock
        self._allow_simulated = allow_simulated
        self._parity = parity
        self._lamp = Lamp(device.id, device.role, sink, clock)
        self._recent = Recent()
        self._well = False
        #: the name of the port on which the device was last
        self._port_name = ""
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

    # ------------------------------------------------------------ what a subclass says

    def speak(self, port: Port) -> None:
        """One open port, until it is gone or the thread is to end. Sets ``_well`` once the device has answered."""
        raise NotImplementedError

    def is_here(self, port: Port) -> bool:
        """Whether the device hangs on this port, one of several. Asks no more than that, so that another device is not disturbed."""
        raise NotImplementedError

    def distrust(self) -> None:
        """Forget what was begun with a link that cannot be trusted."""

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
            except Refused as refused:
                self._give_up("refused", refused.detail, **refused.params)
            except LinkFailed as failed:
                self._give_up("fault", failed.reason)
            except Exception as error:  # noqa: BLE001 - a device's thread outlives whatever its device does
                _log.error("device_thread_failed", device=self._device.id, **logs.failure(error))
                self.distrust()
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

    def _use_port(self) -> None:
        if self._device.address:
            self._use(self._tcp())
            return
        folder = Path(self._device.folder)
        if not self._allow_simulated and is_simulated_folder(folder):
            raise Refused("simulated_not_allowed")
        paths = find_ports(folder, self._device.serial)
        if len(paths) == 1:
            self._use(self._open(paths[0]))
        elif self.knows_itself:
            self._try(sorted(paths, key=lambda path: path.name != self._port_name))
        else:
            raise LinkLost("ambiguous_port")

    def _try(self, paths: list[Path]) -> None:
        """Whose port is it? Nothing but the device's own word tells. A port that somebody else has open is somebody else's."""
        for path in paths:
            if self._stop.is_set():
                return
            try:
                port = self._open(path)
            except LinkLost:
                continue
            try:
                here = self.is_here(port)
            except LinkLost:
                here = False
            except BaseException:
                port.close()
                raise
            if here:
                self._port_name = path.name
                self._use(port)
                return
            port.close()
        raise LinkLost("none_of_ports")

    def _open(self, path: Path) -> Port:
        # No device of a real table is a pseudo-terminal.
        if not self._allow_simulated and path.resolve().parent == _PTY:
            raise Refused("simulated_not_allowed")
        return SerialPort(path, self._device.baud, self._waker, parity=self._parity)

    def _use(self, port: Port) -> None:
        try:
            self.speak(port)
        finally:
            port.close()

    def _tcp(self) -> Port:
        # No reader of a real table listens on the table's own machine.
        if not self._allow_simulated and is_loopback(self._device.address):
            raise Refused("simulated_not_allowed")
        port = TcpPort(self._device.address, self._waker)
        try:
            if not self._allow_simulated and port.on_this_machine():
                raise Refused("simulated_not_allowed")
        except BaseException:
            port.close()
            raise
        return port
