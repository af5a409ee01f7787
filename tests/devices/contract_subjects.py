"""The families under the contract. A new one is an entry in SUBJECTS: its driver, its twin in the simulator, and how it is configured."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Protocol

from dealer_assist.config.readers import AsciiKeys, EccelKeys, FeigKeys, Pn532Keys
from dealer_assist.devices.clock import TableClock
from dealer_assist.devices.driver import Driver, Failed, Scanned
from dealer_assist.devices.families import FAMILIES, driver_of
from dealer_assist.devices.scans import ScanDiff
from dealer_assist.devices.translate import Translator
from dealer_assist.devices.values import SerialDevice
from dealer_assist.table.ports import Observation
from firmware_protocol import events
from firmware_protocol.host import HostLink
from hw_sim.antennas import Field
from hw_sim.ascii_uid import AsciiReader
from hw_sim.device import SimReader
from hw_sim.eccel import EccelBoard
from hw_sim.feig import FeigReader
from hw_sim.pn532 import Pn532Reader
from tests.devices.contract import Host, Subject, Twin


class DriverHost:
    """A driver with what makes observations of its scans."""

    def __init__(self, device: SerialDevice) -> None:
        self.notes: list[str] = []
        self.driver: Driver = driver_of(device, self.notes.append)
        self._scans = ScanDiff("reader", period_ms=FAMILIES[device.family].period_ms)

    def opened(self, now_ms: int) -> None:
        self.driver.opened(now_ms)
        self._scans.forget()

    def receive(self, data: bytes, now_ms: int) -> list[Observation]:
        out: list[Observation] = []
        for seen in self.driver.receive(data, now_ms):
            match seen:
                case Scanned(antenna, uids, t_ms):
                    out += self._scans.scanned(antenna, uids, t_ms)
                case Failed(antenna, t_ms, reason):
                    out += self._scans.failed(antenna, t_ms, reason)
        return out

    def outgoing(self, now_ms: int) -> bytes:
        return self.driver.outgoing(now_ms)

    def next_deadline_ms(self) -> int | None:
        return self.driver.next_deadline_ms()


class Board(Protocol):
    """A simulated reader that was bought: its antennas are asked what lies on them."""

    def receive(self, data: bytes, now_ms: int) -> None: ...
    def outgoing(self, now_ms: int) -> bytes: ...
    def due_ms(self) -> int | None: ...


MakeBoard = Callable[[Callable[[int], tuple[bytes, ...]]], Board]


class BoardTwin:
    """A simulated reader that answers what it is asked; its cards are those of a Field."""

    def __init__(self, field: Field, make: MakeBoard) -> None:
        self._field = field
        self._board = make(field.inventory)

    def exchange(self, data: bytes, now_ms: int) -> bytes:
        self._field.until(now_ms)
        if data:
            self._board.receive(data, now_ms)
        return self._board.outgoing(now_ms)

    def due_ms(self) -> int | None:
        return self._board.due_ms()


# ---------------------------------------------------------------- our own protocol


class _Pipe:
    """The port of a simulated device, in memory."""

    def __init__(self) -> None:
        self.inward = b""
        self.outward = b""

    def read(self) -> bytes:
        data, self.inward = self.inward, b""
        return data

    def write(self, data: bytes) -> None:
        self.outward += data

    def pump(self, now_s: float) -> None:
        pass


class OwnTwin:
    """A simulated reader of our own protocol."""

    def __init__(self, field: Field) -> None:
        self._field = field
        self._pipe = _Pipe()
        self._device = SimReader("R1", self._pipe, field, 3, 0)  # type: ignore[arg-type]

    def exchange(self, data: bytes, now_ms: int) -> bytes:
        self._pipe.inward += data
        self._device.pump(now_ms, now_ms)
        out, self._pipe.outward = self._pipe.outward, b""
        return out

    def due_ms(self) -> int | None:
        times = [self._field.due_ms(), self._device.link.next_deadline_ms()]
        return min((time for time in times if time is not None), default=None)


class OwnHost:
    """The host's link, as :class:`dealer_assist.devices.serial_reader.SerialReader` drives it."""

    def __init__(self) -> None:
        self._now_ms = 0
        self._clock = TableClock(lambda: self._now_ms / 1000)
        self._translator = Translator("reader", self._clock)
        self._link = HostLink(0, nonce=7)

    def opened(self, now_ms: int) -> None:
        pass

    def receive(self, data: bytes, now_ms: int) -> list[Observation]:
        self._now_ms = now_ms
        out: list[Observation] = []
        for event in self._link.receive(data, now_ms):
            if isinstance(event, events.Ready):
                self._translator.new_session()
            elif isinstance(event, events.MessageReceived):
                observation = self._translator.observation(event.message)
                if observation is not None:
                    out.append(observation)
        return out

    def outgoing(self, now_ms: int) -> bytes:
        return self._link.outgoing(now_ms)

    def next_deadline_ms(self) -> int | None:
        return self._link.next_deadline_ms()


# ---------------------------------------------------------------- the list


def iso_15693(number: int) -> bytes:
    return b"\xe0\x04\x01" + random.Random(number).randbytes(4) + bytes((number,))


def iso_14443(number: int) -> bytes:
    return b"\x04" + random.Random(number).randbytes(5) + bytes((number,))


def of_driver(
    name: str,
    device: SerialDevice,
    make: MakeBoard,
    uid: Callable[[int], bytes],
    *,
    most: int = 3,
    real_stay_ms: int = 700,
) -> Subject:
    def host() -> Host:
        return DriverHost(device)

    def twin(field: Field) -> Twin:
        return BoardTwin(field, make)

    return Subject(name, device.antennas, uid, host, twin, device, most=most, real_stay_ms=real_stay_ms)


_ECCEL = EccelKeys(dwell_ms=5, answer_ms=80)
_PN532 = Pn532Keys(answer_ms=90)
_NUMBERED = AsciiKeys(line=r"R(?P<antenna>\d): (?P<uid>[0-9A-F]{8,20})", absent_ms=1300)
_FEIG = FeigKeys(answer_ms=90, multiplexer=True, settle_ms=5, reset_every_ms=700)

SUBJECTS: dict[str, Subject] = {
    subject.name: subject
    for subject in (
        Subject(
            "own",
            (1, 2, 3),
            iso_15693,
            OwnHost,
            OwnTwin,
            SerialDevice(id="reader", serial="R1", antennas=(1, 2, 3)),
        ),
        of_driver(
            "eccel",
            SerialDevice(id="reader", serial="R1", family="eccel", antennas=(1, 2, 8), eccel=_ECCEL),
            EccelBoard,
            iso_14443,
        ),
        of_driver(
            "feig",
            SerialDevice(id="reader", serial="R1", family="feig", antennas=(1, 4, 7), feig=_FEIG),
            lambda tags: FeigReader(tags, page=2),
            iso_15693,
        ),
        of_driver(
            "pn532",
            SerialDevice(id="reader", serial="R1", family="pn532", antennas=(1,), pn532=_PN532),
            Pn532Reader,
            iso_14443,
            most=2,
        ),
        of_driver(
            "ascii_uid",
            SerialDevice(
                id="reader", serial="R1", family="ascii_uid", antennas=(1, 2, 5), ascii_uid=_NUMBERED
            ),
            lambda tags: AsciiReader(tags, antennas=(1, 2, 5)),
            iso_14443,
            most=1,
            real_stay_ms=2000,
        ),
    )
}

#: Settings of one family that must not matter to the contract.
VARIANTS: dict[str, Subject] = {
    subject.name: subject
    for subject in itertools.chain(
        (
            of_driver(
                f"feig {form} {order}, one antenna, {'only new' if only_new else 'all'}",
                SerialDevice(
                    id="reader",
                    serial="R1",
                    family="feig",
                    antennas=(1,),
                    feig=FeigKeys(answer_ms=90, frames=form, crc_order=order, bus_address=address),
                ),
                lambda tags, address=address, order=order, only_new=only_new: FeigReader(
                    tags,
                    multiplexer=False,
                    address=address if address != 255 else 3,
                    only_new=only_new,
                    high_first=order == "high_first",
                ),
                iso_15693,
                most=6,
            )
            for form, order, address, only_new in (
                ("standard", "low_first", 255, False),
                ("advanced", "low_first", 3, True),
                ("advanced", "high_first", 3, False),
            )
        ),
        (
            of_driver(
                f"eccel, one antenna, {'polling' if polling_ms else 'asked'}",
                SerialDevice(
                    id="reader",
                    serial="R1",
                    family="eccel",
                    antennas=(1,),
                    eccel=EccelKeys(answer_ms=80, polling_ms=polling_ms),
                ),
                lambda tags: EccelBoard(tags, multiplexed=False),
                iso_14443,
                most=6,
            )
            for polling_ms in (0, 100)
        ),
        (
            of_driver(
                "pn532, a clone that lists each tag three times",
                SerialDevice(id="reader", serial="R1", family="pn532", antennas=(1,), pn532=_PN532),
                lambda tags: Pn532Reader(tags, lists_each=3),
                iso_14443,
                most=2,
            ),
            of_driver(
                "ascii_uid, one antenna, spaces",
                SerialDevice(
                    id="reader",
                    serial="R1",
                    family="ascii_uid",
                    antennas=(1,),
                    ascii_uid=AsciiKeys(absent_ms=1300),
                ),
                lambda tags: AsciiReader(tags, style="spaced"),
                iso_14443,
                most=1,
            ),
        ),
    )
}
