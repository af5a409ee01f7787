"""A table as the service composes it, driven in virtual time: sealer, journal on the disk, hand key in RAM, session, socket, logs.

Only the clocks are not real: the journal's stand still, and the session's move when the trace does. Everything that the run leaves
is kept for comparison and search.
"""

from __future__ import annotations

import hashlib
import socket
import sqlite3
from collections.abc import Callable, Iterable
from io import StringIO
from pathlib import Path

import msgspec
from nacl.public import PrivateKey

from dealer_assist import logs
from dealer_assist.composition import core_for_service, core_for_trace
from dealer_assist.devices.clock import TableClock
from dealer_assist.devices.serial_reader import SerialReader
from dealer_assist.devices.values import SerialDevice
from dealer_assist.devices.zones import ZoneParameters
from dealer_assist.domain import commands as cmd
from dealer_assist.domain.link import Request, Result, ServerMessage, Snapshot, Update
from dealer_assist.domain.table import HandOpening
from dealer_assist.domain.zones import BOARDS
from dealer_assist.journal.adapter import JournalStore, TableSealer, row
from dealer_assist.journal.keys import RamKeyFile
from dealer_assist.journal.past_hands import JournalHands
from dealer_assist.journal.store import Journal
from dealer_assist.seating import Ledger, SeatRecord
from dealer_assist.table.chronicle import Chronicle
from dealer_assist.table.core import Core
from dealer_assist.table.hand_history import HandHistory
from dealer_assist.table.ports import (
    Observation,
    ShoeChanged,
    ShoeExit,
    ShufflerChanged,
    TagArrived,
    TagLeft,
)
from dealer_assist.table.server import Server
from dealer_assist.table.session import Session
from firmware_protocol import events
from firmware_protocol import messages as wire
from tests.secrecy.hands import Cards, Dealt

SURVEILLANCE = PrivateKey(hashlib.sha256(b"surveillance of the secrecy tests").digest())
SIGNING_KEY = hashlib.sha256(b"signing key of the secrecy tests").digest()
_SHOWS = cmd.Tabled | cmd.Mucked | cmd.PushPots
_MESSAGE = msgspec.json.Decoder(ServerMessage)

Plant = Callable[[Core], None]


class Line(msgspec.Struct, frozen=True):
    """A line of the socket: during which hand it came, and the faces that people at the table could see by then."""

    hand: str
    face_up: frozenset[str]
    text: bytes


class Left(msgspec.Struct):
    """Everything that a run leaves. ``moments``: hand → lines that had come just before its showdown or award.

    Of seals and checkpoints the columns that are not sealed: no box, and no hash that depends on one.
    """

    lines: list[Line] = []
    log: str = ""
    rows: list[tuple[object, ...]] = []
    checkpoints: list[tuple[object, ...]] = []
    seals: list[tuple[object, ...]] = []
    moments: dict[str, int] = {}
    #: what lay in a file at some time: name, content
    files: list[tuple[str, bytes]] = []

    def __repr__(self) -> str:
        return f"Left({len(self.lines)} lines, {len(self.rows)} rows)"

    def messages(self, until: int | None = None) -> tuple[ServerMessage, ...]:
        """The socket's messages, decoded."""
        return tuple(_MESSAGE.decode(line.text) for line in self.lines[:until])


class _Client:
    """The dealer's end of the socket."""

    def __init__(self, path: Path, left: Left) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(30)
        self._socket.connect(str(path))
        self._lines = self._socket.makefile("rb")
        self._left = left
        self._seq = 0
        self._asked = 0
        self.hand = ""
        self.face_up: frozenset[str] = frozenset()
        while not isinstance(self._read(), Snapshot):
            pass

    def tell(self, command: cmd.Command) -> Result:
        """Send a tap as the simulated dealer does; its fate, after everything that was sent before it."""
        self._asked += 1
        request = Request(str(self._asked), "simulated", self._seq, command)
        self._socket.sendall(msgspec.json.encode(request) + b"\n")
        while True:
            message = self._read()
            if isinstance(message, Result):
                assert message.id == request.id
                return message

    def caught_up(self) -> None:
        """Wait until the session has judged all that it was given: a tap that it refuses changes nothing."""
        assert self.tell(cmd.SetSeat(0, "in")).code == "bad_seat"

    def close(self) -> None:
        self._lines.close()
        self._socket.close()

    def _read(self) -> ServerMessage:
        text = self._lines.readline()
        assert text, "the service hung up"
        self._left.lines.append(Line(self.hand, self.face_up, text))
        message = _MESSAGE.decode(text)
        if isinstance(message, Update | Snapshot):
            self._seq = message.seq
        return message


class TableRun:
    """One table from start to stop. Folders are the caller's; ``keys`` must be on a RAM file system."""

    def __init__(self, folder: Path, keys: Path, first: Dealt, cards: Cards, plant: Plant) -> None:
        self.left = Left()
        self._folder = folder
        self._keys = keys
        self._tap_ms = 0
        self._wire_ms = 0
        self._log = StringIO()
        logs.configure("json", "traffic", stream=self._log, now=lambda: "")
        self._journal = Journal.open(
            folder / "journal.sqlite",
            clock_mono_ns=lambda: 0,
            clock_utc_ns=lambda: 0,
            simulated=True,
            origin="table/T1",
            signing_key=SIGNING_KEY,
        )
        self._key_file = RamKeyFile(keys)
        core = self._core(first, cards)
        plant(core)
        chronicle = Chronicle(core.snapshot(), lambda: 0)
        self._history = HandHistory(chronicle, JournalHands(folder / "journal.sqlite"))
        self._session = Session(
            core,
            JournalStore(self._journal),
            row,
            now_ms=lambda: self._tap_ms,
            on_hand_closed=lambda hand: self._key_file.erase(),
            history=self._history,
        )
        self._server = Server(folder / "table.sock", self._session, table="T1", simulated=True)
        clock = TableClock(lambda: self._wire_ms / 1000)
        self._readers = {
            device.id: SerialReader(
                SerialDevice(id=device.id, serial=device.id),
                self._session.observe,
                clock,
                nonce=lambda: 1,
                allow_simulated=True,
            )
            for device in first.header.devices
        }
        self._session.start()
        self._server.start()
        self._client = _Client(folder / "table.sock", self.left)

    def _core(self, first: Dealt, cards: Cards) -> Core:
        """The trace's table, built as the service builds it."""
        table = core_for_trace(first.header, None)
        antennas = {
            (device.id, int(number)): zone
            for device in first.header.devices
            for number, zone in device.antennas.items()
        }
        return core_for_service(
            table.setup,
            table.rules,
            antennas,
            cards,
            Ledger({seat: SeatRecord("out", None) for seat in table.setup.seats}),
            decks=first.decks(),
            parameters=ZoneParameters(),
            by_device={},
            sealer=TableSealer(bytes(SURVEILLANCE.public_key)),
            new_key=self._new_key,
        )

    def _new_key(self, hand: str) -> bytes:
        key = hashlib.sha256(f"hand key of {hand}".encode()).digest()
        self._key_file.write(hand, key)
        return key

    # -- driving ---------------------------------------------------------------------------------------------------------------------

    def play(self, hand: Dealt) -> None:
        """Send what the devices of this hand send, and tap what its dealer taps."""
        zones = {int(number): zone for number, zone in hand.header.devices[0].antennas.items()}
        public: set[str] = set()
        held: dict[str, set[str]] = {}
        for entry in hand.entries:
            what = entry.what
            if isinstance(what, Observation):
                if isinstance(what, TagArrived) and what.uid in hand.cards:
                    zone = zones[what.antenna]
                    (public if zone in BOARDS else held.setdefault(zone, set())).add(hand.cards[what.uid])
                self._say(what)
                continue
            if self._client.hand == hand.name:
                self._client.face_up = frozenset(public)
            self._client.caught_up()
            if isinstance(what, _SHOWS) and hand.name not in self.left.moments:
                self.left.moments[hand.name] = len(self.left.lines)
                self._keep_files("during the hand")
            if isinstance(what, HandOpening):
                self._client.hand = hand.name
                what = cmd.OpenHand(what)
            if isinstance(what, cmd.Tabled):
                public |= held.get(f"seat{what.seat}", set())
            if isinstance(what, cmd.EnterCard):
                public.add(what.face)
            self._client.face_up = frozenset(public)
            self._tap_ms = entry.t_ms
            if isinstance(what, cmd.Command):
                self._client.tell(what)
            self._client.caught_up()

    def _say(self, what: Observation) -> None:
        """What a device says, through its reader's own code."""
        self._wire_ms = what.t_ms
        message = _on_the_wire(what)
        self._readers[what.device]._take(events.MessageReceived(message), what.t_ms)

    # -- the end -----------------------------------------------------------------------------------------------------------------------

    def stop(self) -> Left:
        """Stop as the service does, and read what is left."""
        self._client.caught_up()
        for reader in self._readers.values():
            reader._give_up("fault", "failed")  # leaves the last frames in the log
        self._client.caught_up()
        self._keep_files("running")
        self._client.close()
        for reader in self._readers.values():
            reader.stop()
        self._session.stop()
        self._server.stop()
        self._journal.close()
        self._keep_files("stopped")
        self.left.log = self._log.getvalue()
        self._read_journal()
        return self.left

    def _keep_files(self, when: str) -> None:
        for path in [*self._keys.iterdir(), *(self._folder.iterdir() if when != "during the hand" else ())]:
            if path.is_file():
                self.left.files.append((f"{path.name} {when}", path.read_bytes()))

    def _read_journal(self) -> None:
        db = sqlite3.connect(self._folder / "journal.sqlite")
        self.left.rows = db.execute("SELECT * FROM rows ORDER BY seq").fetchall()
        self.left.checkpoints = db.execute(
            "SELECT seq, hand, journal_seq, journal_root, note, seals_seq FROM checkpoints ORDER BY seq"
        ).fetchall()
        self.left.seals = db.execute("SELECT seq, hand, length(box) FROM seals ORDER BY seq").fetchall()
        db.close()


def _on_the_wire(what: Observation) -> wire.Message:
    match what:
        case TagArrived():
            return wire.TagArrived(what.antenna, what.t_ms, what.scan, what.scan_period_ms, what.uid)
        case TagLeft():
            return wire.TagLeft(what.antenna, what.t_ms, what.scan, what.scan_period_ms, what.uid)
        case ShufflerChanged(count=None):
            return wire.ShufflerState(what.t_ms, wire.ShufflerStatus(what.state))
        case ShufflerChanged(count=int(count), expected=int(expected)):
            return wire.ShufflerVerdict(what.t_ms, wire.ShufflerResult(what.state), count, expected)
        case ShoeExit():
            return wire.ShoeExit(what.t_ms, what.number, wire.ShoeFace(what.face))
        case ShoeChanged():
            return wire.ShoeState(what.t_ms, wire.ShoeStatus(what.state), what.exits)
        case _:
            raise AssertionError(f"traces of the simulator hold no {type(what).__name__}")


def run(
    folder: Path, keys: Path, hands: Iterable[Dealt], cards: Cards, plant: Plant = lambda core: None
) -> Left:
    """Play hands at one table whose deck files say ``cards``; everything that is left."""
    hands = list(hands)
    folder.mkdir(parents=True)
    table = TableRun(folder, keys, hands[0], cards, plant)
    for hand in hands:
        table.play(hand)
    return table.stop()


def all_cards(hands: Iterable[Dealt]) -> Cards:
    """The decks of all hands together, as they were dealt."""
    return {uid: face for hand in hands for uid, face in hand.cards.items()}
