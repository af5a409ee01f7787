"""Bought readers of a simulated table, on serial ports or TCP.

Boards have up to eight antennas each. Hobby readers have less than a table needs, so that a table with them has a board for the rest: a
PN532 lists two tags, so there is one at each seat; a module that writes lines of text reads one, so there is one for the burns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Literal, Protocol

from hw_sim.antennas import Field
from hw_sim.ascii_uid import AsciiReader
from hw_sim.device import Line
from hw_sim.eccel import EccelBoard
from hw_sim.feig import GAP_MS, FeigReader
from hw_sim.live_files import BAUD
from hw_sim.physics import Movement
from hw_sim.pn532 import Pn532Reader
from hw_sim.ptys import PtyPort
from hw_sim.tcp_line import TcpLine

Family = Literal["own", "eccel", "eccel-tcp", "feig", "pn532", "ascii_uid"]
FAMILIES: Final[tuple[Family, ...]] = ("own", "eccel", "eccel-tcp", "feig", "pn532", "ascii_uid")
#: Families that read tags of ISO 14443 A and no others.
TYPE_A: Final[frozenset[Family]] = frozenset({"pn532", "ascii_uid"})
BOARD_SERIAL: Final = "SIM-READER-"
#: What FEIG readers are often set to.
FEIG_BAUD: Final = 38_400
ANTENNAS_A_BOARD: Final = 8
#: What sketches for such modules are mostly set to, and how a line of this one looks.
ASCII_BAUD: Final = 9600
ASCII_LINE: Final = r"R(?P<antenna>\d): (?P<uid>[0-9A-F]{8,20})"
#: A host that has been silent for so long in real ms, and speaks again, is counted anew.
SILENT_MS: Final = 2000

_Tags = Callable[[int], tuple[bytes, ...]]


class Board(Protocol):
    """A simulated reader that was bought, without its line."""

    def receive(self, data: bytes, now_ms: int) -> None:
        """Take bytes from the host."""

    def outgoing(self, now_ms: int) -> bytes:
        """What is to be said by now."""

    def fail(self, antenna: int) -> None:
        """The next look of this antenna comes to nothing."""


class SimBoard:
    """A bought reader on its line: it is asked, and answers from what its antennas read then."""

    def __init__(
        self,
        serial: str,
        port: Line,
        field: Field,
        make: Callable[[_Tags], Board],
    ) -> None:
        self.serial = serial
        self.port = port
        self.field = field
        self.hosts = 0
        self._make = make
        self._board = make(field.inventory)
        self._heard_ms = -SILENT_MS

    def reboot(self, real_ms: int) -> None:
        """The reader restarts: nothing is remembered, nothing is said about it."""
        self._board = self._make(self.field.inventory)

    def pump(self, real_ms: int, virtual_ms: int) -> None:
        """Look, take what came, say what is due."""
        for event in self.field.until(virtual_ms):
            if event.kind == "scan_failed":
                self._board.fail(event.antenna)
            elif event.kind == "restarted":
                self.reboot(real_ms)
        data = self.port.read()
        if data:
            self.hosts += real_ms - self._heard_ms >= SILENT_MS
            self._heard_ms = real_ms
            self._board.receive(data, virtual_ms)
        self.port.write(self._board.outgoing(virtual_ms))
        self.port.pump(real_ms / 1000)


class Boards:
    """The bought readers of a table, in the place of one of our own. ``antennas``: zone → number as that one would have them.

    ``field`` makes the antennas of one board, which count from 1.
    """

    def __init__(
        self,
        family: Family,
        antennas: Mapping[str, int],
        *,
        by_id: Path,
        speed: float,
        field: Callable[[dict[str, int]], Field],
    ) -> None:
        self.devices: dict[str, SimBoard] = {}
        self._fields: list[Field] = []
        self._entries: list[dict[str, Any]] = []
        zones = sorted(antennas, key=lambda zone: antennas[zone])
        small = [zone for zone in zones if _has_its_own(family, zone)]
        parts: list[tuple[Family, list[str]]] = [(family, [zone]) for zone in small]
        rest = [zone for zone in zones if zone not in small]
        # As many on each as on the others: a board with fewer antennas would be round sooner.
        boards = -(-len(rest) // ANTENNAS_A_BOARD)
        each = -(-len(rest) // max(1, boards))
        parts += [("eccel" if small else family, rest[k * each :][:each]) for k in range(boards)]
        for count, (kind, names) in enumerate(parts, start=1):
            part = {zone: number for number, zone in enumerate(names, 1)}
            board = field(part)
            self._fields.append(board)
            self._board(kind, f"{BOARD_SERIAL}{count}", part, board, by_id=by_id, speed=speed)

    def _board(
        self,
        family: Family,
        serial: str,
        antennas: dict[str, int],
        field: Field,
        *,
        by_id: Path,
        speed: float,
    ) -> None:
        entry = _entry(serial, antennas)
        # What a host waits for is real time, what it waits for happens in virtual time.
        if family == "feig":
            line: Line = PtyPort(by_id / serial, baud=FEIG_BAUD, speed=speed)
            keys: dict[str, Any] = {"multiplexer": True, "settle_ms": round(20 / speed)}
            entry |= {"family": "feig", "baud": FEIG_BAUD, "feig": keys}
            gap_ms = round(GAP_MS * max(1.0, speed))
            self.devices[serial] = SimBoard(serial, line, field, lambda tags: FeigReader(tags, gap_ms=gap_ms))
        elif family == "pn532":
            line = PtyPort(by_id / serial, baud=BAUD, speed=speed)
            entry |= {"family": "pn532", "baud": BAUD, "pn532": {"field_off_ms": round(6 / speed)}}
            self.devices[serial] = SimBoard(serial, line, field, Pn532Reader)
        elif family == "ascii_uid":
            line = PtyPort(by_id / serial, baud=ASCII_BAUD, speed=speed)
            keys = {"line": ASCII_LINE, "single": True}
            entry |= {"family": "ascii_uid", "baud": ASCII_BAUD, "ascii_uid": keys}
            self.devices[serial] = SimBoard(serial, line, field, AsciiReader)
        else:
            entry |= {"family": "eccel", "eccel": {"dwell_ms": round(10 / speed)}}
            if family == "eccel-tcp":
                tcp = line = TcpLine()
                entry["address"] = tcp.address
            else:
                line = PtyPort(by_id / serial, baud=BAUD, speed=speed)
                entry["baud"] = BAUD
            self.devices[serial] = SimBoard(serial, line, field, EccelBoard)
        self._entries.append(entry)

    def move(self, movement: Movement) -> None:
        """A card moves; each reader sees what concerns its antennas."""
        for field in self._fields:
            field.move(movement)

    def begin_hand(self, now_ms: int) -> None:
        """A hand begins."""
        for field in self._fields:
            field.begin_hand(now_ms)

    def read_for_ms(self, face: str, zone: str, now_ms: int) -> int:
        """For how long at the most the zone's antenna has read this card in this hand, but for flickers."""
        return max(field.read_for_ms(face, zone, now_ms) for field in self._fields)

    def entries(self) -> list[dict[str, Any]]:
        """What a table's configuration says of each."""
        return list(self._entries)


def _has_its_own(family: Family, zone: str) -> bool:
    """Whether a zone has a reader of its own at a table of this family."""
    return (family == "pn532" and zone.startswith("seat")) or (family == "ascii_uid" and zone == "burn")


def _entry(serial: str, antennas: Mapping[str, int]) -> dict[str, Any]:
    return {
        "serial": serial,
        "role": "reader",
        "transport": "serial",
        "antennas": {str(number): zone for zone, number in antennas.items()},
    }
