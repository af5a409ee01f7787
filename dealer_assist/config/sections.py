"""What one table is set up as: the Structs of its file. How they must fit together is in :mod:`dealer_assist.config.table`.

Times carry their unit in the name; money is in the table's smallest unit. Names of files and folders are relative to the
configuration file and absolute once it is loaded.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from dealer_assist.config.limits import LimitsSection, stakes
from dealer_assist.config.readers import Address, AsciiKeys, EccelKeys, Family, FeigKeys, Pn532Keys
from dealer_assist.domain.languages import Language
from dealer_assist.domain.rake import NO_RAKE, RakeTerms
from dealer_assist.domain.table import Entry, Limits, Tracking
from dealer_assist.domain.zones import BADGE, BOARD, BOARD2, BOARD3, Zone

#: The folder in which udev links serial ports by the serial number of what is plugged in.
BY_ID: Final = "/dev/serial/by-id"
#: One antenna a board card, where a table has that: to the procedure the board is one zone then. ``board2`` and ``board3`` without
#: any other of these are no such antennas: they are the second and the third board, of two-board games and of boards that are run
#: more than once.
BOARD_ANTENNAS: Final = frozenset(f"board{number}" for number in range(1, 6))
_FURTHER_BOARDS: Final = frozenset({BOARD2, BOARD3})

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=60, description="a name of 1 to 60 characters")]
FileName = Annotated[str, msgspec.Meta(min_length=1, description="the name of a file")]
FolderName = Annotated[str, msgspec.Meta(min_length=1, description="the name of a folder")]
DeviceId = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._:\-]{0,63}\Z",
        description="1 to 64 letters, digits and . _ : - that begin with a letter or digit",
    ),
]
Badge = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[0-9a-f]{4}(-[0-9a-f]{4}){2}\Z",
        description='a badge as a table names it, "9f3c-21b0-77aa"',
    ),
]
AntennaNumber = Annotated[int, msgspec.Meta(ge=0, le=255)]
KeyNumber = Annotated[int, msgspec.Meta(ge=1, le=255)]


class TableSection(msgspec.Struct, frozen=True, kw_only=True):
    """``unit`` says what the smallest unit of money is: "chip", "cent", "0.01 EUR"."""

    name: Name
    language: Language = "en"
    unit: Name = "chip"


class DeckEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A deck that may be in play: its deck file."""

    file: FileName


class SerialDevice(msgspec.Struct, frozen=True, kw_only=True, tag="serial", tag_field="transport"):
    """A device on a serial port that is found by the serial number on its link, which names it everywhere.

    ``family``: whose protocol it speaks. ``folder`` holds links to ports by serial number; empty: udev's, or the simulation's.
    ``address``: reached over TCP instead, "host:port"; ``serial`` only names it then. ``baud``: bits a second. ``antennas`` says which
    zone each antenna reads. ``keys``: files with the keys of its secured session, by the number that the device gives each; without
    any its line is not secured. The other keys are each of one family: see :mod:`dealer_assist.config.readers`.
    """

    serial: DeviceId
    role: Literal["reader", "shuffler", "shoe"] = "reader"
    family: Family = "own"
    folder: str = ""
    address: Address = ""
    baud: Literal[9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600] = 115200
    antennas: dict[AntennaNumber, Zone] = {}
    keys: dict[KeyNumber, FileName] = {}
    eccel: EccelKeys = EccelKeys()
    feig: FeigKeys = FeigKeys()
    pn532: Pn532Keys = Pn532Keys()
    ascii_uid: AsciiKeys = AsciiKeys()

    @property
    def transport(self) -> Literal["serial"]:
        """How it is reached."""
        return "serial"


class PcscDevice(msgspec.Struct, frozen=True, kw_only=True, tag="pcsc", tag_field="transport"):
    """A PC/SC reader for single cards. ``reader`` is a part of its name that no other reader's name has.

    ``serial`` names it at the table and in the journal; PC/SC does not know it. It has one antenna, number 1: the burn gate, a shoe's
    exit, or the spot where a deck is checked. With ``role`` badge it reads the badges of people.
    ``scan_period_ms``: how often such a reader looks for a card; 0: as its family does. ``uid_order``: how it gives the bytes of an
    ISO 15693 UID. ``setup``: what the reader is told once with the first card after it came, as its maker's manual has it: a buzzer
    that is switched off, polling of its own. Commands to a reader begin with FF; a card never gets them.
    """

    serial: DeviceId
    reader: Name
    role: Literal["gate", "badge"] = "gate"
    antennas: dict[Annotated[int, msgspec.Meta(ge=1, le=1)], Literal["gate", "shoe", "check", "badge"]] = {}
    scan_period_ms: Annotated[int, msgspec.Meta(ge=0, le=2000)] = 0
    uid_order: Literal["msb_first", "lsb_first"] = "msb_first"
    setup: tuple[
        Annotated[
            str,
            msgspec.Meta(
                pattern=r"^[Ff]{2}([0-9A-Fa-f]{2}){3,60}\Z",
                description='a command to the reader in hex that begins with FF, as "FF00520000"',
            ),
        ],
        ...,
    ] = ()

    @property
    def transport(self) -> Literal["pcsc"]:
        """How it is reached."""
        return "pcsc"


class ZonesSection(msgspec.Struct, frozen=True, kw_only=True):
    """How reads become movements.

    ``arrive_reads`` reads place a card; ``leave_ms`` of clean misses remove it: at every device, in place of its family's figures. A
    board card is shown when it has lain still for ``settle_ms``; a card may be shown to a gate again after ``gate_settle_ms``.
    """

    arrive_reads: Annotated[int, msgspec.Meta(ge=1, le=10)] | None = None
    leave_ms: Annotated[int, msgspec.Meta(ge=100, le=5000)] | None = None
    settle_ms: Annotated[int, msgspec.Meta(ge=100, le=5000)] = 600
    gate_settle_ms: Annotated[int, msgspec.Meta(ge=100, le=5000)] = 1000


class JournalSection(msgspec.Struct, frozen=True, kw_only=True):
    """Where the table's journal lies."""

    folder: FolderName


class DealerEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A dealer whose badge pushes the one before. ``badge``: its name as the table shows it when nobody has it, ``9f3c-21b0-77aa``."""

    name: Name
    badge: Badge


class StaffSection(msgspec.Struct, frozen=True, kw_only=True):
    """Whose badge is whose, and who may sign in as the floor; with it, what is the floor's needs badge and PIN (docs/staff.md).

    ``session_s``: floor mode ends when nobody has touched anything for so long. ``tries``: so many wrong PINs in a row lock a badge.
    """

    file: FileName
    session_s: Annotated[int, msgspec.Meta(ge=30, le=3600)] = 300
    tries: Annotated[int, msgspec.Meta(ge=1, le=10)] = 3


class KeysSection(msgspec.Struct, frozen=True, kw_only=True):
    """Key files.

    ``surveillance_public_key``: hidden cards are sealed to it. ``table_key``: opens encrypted deck files.
    ``badge_key``: what badges are hashed with; the same at every table of a house, so that a badge has one name.
    """

    surveillance_public_key: FileName
    table_key: FileName | None = None
    badge_key: FileName | None = None


class SimulationSection(msgspec.Struct, frozen=True, kw_only=True):
    """Simulated devices, only legal where they are asked for.

    ``folder`` holds their ports as links by serial number, ``pcsc_socket`` is the socket of the simulator's own pcscd, ``speed``
    simulated time per real time.
    """

    folder: FolderName
    pcsc_socket: str = ""
    speed: Annotated[float, msgspec.Meta(gt=0, le=100)] = 1.0


class LogSection(msgspec.Struct, frozen=True, kw_only=True):
    """``traffic`` adds the frames of devices below debug, UIDs blanked."""

    format: Literal["console", "json"] = "console"
    level: Literal["traffic", "debug", "info", "warning", "error"] = "info"


class TableConfig(msgspec.Struct, frozen=True, kw_only=True):
    """A table. ``house`` and ``game`` are names, or files that end in .toml; ``games``: what single hands can be played by besides."""

    table: TableSection
    limits: LimitsSection
    journal: JournalSection
    keys: KeysSection
    socket: FileName
    house: Name = "seed"
    game: Name = "nlhe"
    games: tuple[Name, ...] = ()
    entry: Entry = "every_action"
    tracking: Tracking = "full"
    seats: Annotated[
        tuple[Annotated[int, msgspec.Meta(ge=1, le=11)], ...],
        msgspec.Meta(min_length=2, max_length=11, description="a list of 2 to 11 seat numbers from 1 to 11"),
    ]
    decks: tuple[DeckEntry, ...] = ()
    devices: tuple[SerialDevice | PcscDevice, ...] = ()
    dealers: tuple[DealerEntry, ...] = ()
    staff: StaffSection | None = None
    zones: ZonesSection = ZonesSection()
    rake: RakeTerms = NO_RAKE
    simulation: SimulationSection | None = None
    log: LogSection = LogSection()

    def stakes(self) -> Limits:
        """The limits as the table speaks of them."""
        return stakes(self.limits)

    def antennas(self) -> dict[tuple[str, int], Zone]:
        """Which zone of cards each antenna reads, by the device's serial number and the antenna's own."""
        zones = {zone for device in self.devices for zone in device.antennas.values()}
        one_board = BOARD_ANTENNAS if zones & (BOARD_ANTENNAS - _FURTHER_BOARDS) else frozenset()
        return {
            (device.serial, number): BOARD if zone in one_board else zone
            for device in self.devices
            for number, zone in device.antennas.items()
            if zone != BADGE
        }
