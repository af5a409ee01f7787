"""What the devices of a table are, as configuration names them, and what is known of each at a moment."""

from __future__ import annotations

from typing import Literal

import msgspec

from dealer_assist.config.readers import AsciiKeys, EccelKeys, Family, FeigKeys, Pn532Keys
from dealer_assist.table.ports import LinkState

Role = Literal["reader", "shuffler", "shoe"]


class SerialDevice(msgspec.Struct, frozen=True, kw_only=True):
    """A device on a serial port, or behind a TCP address.

    ``id``: its name at the table. ``serial``: the serial number that its port's link must bear, and its own identity too where it is
    one of our own. ``family``: whose protocol it speaks. ``folder``: where ports are linked by serial number. ``address``: host:port,
    in place of a port. ``baud``: bits a second. ``antennas``: those that are used; a bought reader is asked for no others.
    ``keys``: of its secured session, by number; without any the device is not secured, and its lamp says so.
    """

    id: str
    serial: str
    role: Role = "reader"
    family: Family = "own"
    folder: str = "/dev/serial/by-id"
    address: str = ""
    baud: int = 115_200
    antennas: tuple[int, ...] = ()
    keys: dict[int, bytes] = {}
    eccel: EccelKeys = EccelKeys()
    feig: FeigKeys = FeigKeys()
    pn532: Pn532Keys = Pn532Keys()
    ascii_uid: AsciiKeys = AsciiKeys()

    def __repr__(self) -> str:
        return (
            f"SerialDevice(id={self.id!r}, serial={self.serial!r}, role={self.role!r}, family={self.family!r}, "
            f"keys=<{len(self.keys)}>)"
        )


UidOrder = Literal["msb_first", "lsb_first"]


class PcscDevice(msgspec.Struct, frozen=True, kw_only=True):
    """A PC/SC reader for single cards. ``reader``: part of its name, which exactly one reader must have.

    ``role``: a gate reads the table's cards, as antenna 1; a badge reader tells only hashes of the badges of people.
    ``scan_period_ms``: how often such a reader looks for a card; 0: as its family does. ``uid_order``: how it gives the eight bytes of
    an ISO 15693 UID. ``setup``: commands to the reader itself, sent once with the first card after it came.
    """

    id: str
    reader: str
    role: Literal["gate", "badge"] = "gate"
    scan_period_ms: int = 0
    uid_order: UidOrder = "msb_first"
    setup: tuple[bytes, ...] = ()


class DevicesConfig(msgspec.Struct, frozen=True, kw_only=True):
    """All devices of a table. ``pcsc_socket``: pcscd's socket where it is not the system's own (PCSCLITE_CSOCK_NAME).

    ``badge_key``: what badges are hashed with, 32 bytes.
    """

    serial: tuple[SerialDevice, ...] = ()
    pcsc: tuple[PcscDevice, ...] = ()
    pcsc_socket: str = ""
    badge_key: bytes = b""
    allow_simulated: bool = False

    def __repr__(self) -> str:
        return f"DevicesConfig({len(self.serial)} serial, {len(self.pcsc)} PC/SC)"


class DeviceStatus(msgspec.Struct, frozen=True, kw_only=True):
    """A device's lamp. ``since_ms``: table time of its state; ``losses``: how often its link was lost; ``counters``: its faults."""

    id: str
    role: str
    state: LinkState
    detail: str = ""
    params: dict[str, str | int] = {}
    since_ms: int = 0
    losses: int = 0
    model: str = ""
    serial: str = ""
    firmware: str = ""
    counters: dict[str, int] = {}
