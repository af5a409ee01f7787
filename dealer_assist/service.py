"""The table service: builds a table from its configuration, runs it, and takes up a hand that was running when it was stopped.

Thread census: docs/architecture.md. Stop order: devices, session drained, socket, journal.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import resource
import secrets
import signal
import sys
import threading
import time
from pathlib import Path

import msgspec
from nacl.signing import SigningKey

from dealer_assist import logs
from dealer_assist.composition import (
    configured_decks,
    core_for_service,
    links_of,
    rake_error,
    recording_header,
    table_rules,
    terms_desk,
)
from dealer_assist.config.files import read_hex_key
from dealer_assist.config.table import SerialDevice as SerialSection
from dealer_assist.config.table import TableConfig, load_table_config
from dealer_assist.devices.clock import TableClock
from dealer_assist.devices.families import zone_parameters
from dealer_assist.devices.supervisor import DeviceSupervisor
from dealer_assist.devices.values import DevicesConfig, PcscDevice, SerialDevice
from dealer_assist.devices.zones import ZoneParameters
from dealer_assist.domain import facts as fx
from dealer_assist.domain.equipment import LinkView
from dealer_assist.domain.zones import PASSED, SHOWN
from dealer_assist.journal.adapter import JournalStore, TableSealer, row
from dealer_assist.journal.equipment_files import EquipmentFolder
from dealer_assist.journal.errors import JournalError
from dealer_assist.journal.floor_desk import floor_desk, is_floors
from dealer_assist.journal.keys import (
    DeckFileRefused,
    KeyFileError,
    RamKeyFile,
    decrypt_deck,
    load_or_create_signing_key,
)
from dealer_assist.journal.past_hands import history_from
from dealer_assist.journal.reader import StoredRow
from dealer_assist.journal.store import Journal, RotationNotice
from dealer_assist.proof_of_life import ProofOfLife, manager_of_this_process
from dealer_assist.seating import Ledger, SeatRecord
from dealer_assist.table.core import Core
from dealer_assist.table.deckfile import DeckFileError
from dealer_assist.table.equipment.desk import Desk
from dealer_assist.table.money import RakeUnfit
from dealer_assist.table.ports import LinkChanged, Observation
from dealer_assist.table.recording import Recorder
from dealer_assist.table.server import Server, SocketInUse
from dealer_assist.table.session import Session, resumable, running_hand
from dealer_assist.table.setup import Setup
from dealer_assist.table.shift_desk import SHIFT, ShiftDesk
from dealer_assist.table.terms_desk import TERMS

#: How often lamps and working zones are compared with what the screens know, in seconds.
LAMP_PERIOD_S = 0.2
#: How often at most a device's growing counts of faults are logged, in seconds.
FAULTS_PERIOD_S = 10.0
#: Of a device's counters, those that say that its line or its firmware is not well.
LINE_FAULTS = frozenset(
    {"garbage_bytes", "crc_errors", "oversize", "malformed", "forbidden", "overflows", "odd_parts"}
)
_HAND_CLOSED = "hand_closed"
#: Marks of the journal of which the last one counts.
_LAST_MARKS = frozenset({_HAND_CLOSED, SHIFT, TERMS})
_PR_SET_DUMPABLE = 4
_MCL_CURRENT, _MCL_FUTURE, _MCL_ONFAULT = 1, 2, 4
_CAP_IPC_LOCK = 14
_log = logs.get("service")


def harden() -> list[str]:
    """No core dump, no ptrace, memory locked where allowed (RELIABILITY SR-07). Returns what could not be had."""
    missing = []
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
        missing.append("dumpable")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not _may_lock_all() or libc.mlockall(_MCL_CURRENT | _MCL_FUTURE | _MCL_ONFAULT) != 0:
        missing.append("mlockall")
    return missing


def _may_lock_all() -> bool:
    """Whether memory may be locked without a limit: with one, what the service maps later would be refused instead of unlocked."""
    if resource.getrlimit(resource.RLIMIT_MEMLOCK)[0] == resource.RLIM_INFINITY:
        return True
    status = Path("/proc/self/status").read_text()
    effective = next(line for line in status.splitlines() if line.startswith("CapEff:"))
    return bool(int(effective.split()[1], 16) >> _CAP_IPC_LOCK & 1)


def _key_folder(config: TableConfig) -> Path:
    """A folder of this table on the RAM file system for the hand key. Tables that share a name do not share a key."""
    safe = "".join(letter if letter.isalnum() else "-" for letter in config.table.name)
    place = hashlib.sha256(os.fsencode(os.path.realpath(config.journal.folder))).hexdigest()[:12]
    return Path("/dev/shm") / f"dealer-assist-{os.getuid()}-{safe}-{place}"  # noqa: S108 - verified to be RAM and private at each use


class HandKeys:
    """The key of the running hand: random, on the RAM file system until the hand closes."""

    def __init__(self, folder: Path) -> None:
        self._file = RamKeyFile(folder)
        found = self._file.read()
        self._kept = dict([found]) if found is not None else {}
        #: the hand whose key outlived the process that made it
        self.survived = found[0] if found is not None else None

    def key(self, hand: str) -> bytes:
        """The key of a hand: the kept one when the service takes the hand up again, else a new one."""
        kept = self._kept.pop(hand, None)
        if kept is not None:
            return kept
        fresh = secrets.token_bytes(32)
        self._file.write(hand, fresh)
        return fresh

    def closed(self, hand: str) -> None:
        """The hand is over: its key is gone."""
        self._file.erase()


class TableService:
    """One table, running. ``simulate``: simulated devices are allowed, and every row and screen says so."""

    def __init__(self, config: TableConfig, *, simulate: bool) -> None:
        self.config = config
        self._simulated = simulate and config.simulation is not None
        self.speed = config.simulation.speed if self._simulated and config.simulation is not None else 1.0
        # every file that the configuration names is read before anything is made
        self._rules = table_rules(config)
        table_key = None if config.keys.table_key is None else read_hex_key(Path(config.keys.table_key))
        decrypt = None if table_key is None else functools.partial(decrypt_deck, key=table_key)
        decks = configured_decks(config, decrypt, simulated=self._simulated)
        self._sealer = TableSealer(read_hex_key(Path(config.keys.surveillance_public_key)))
        folder = Path(config.journal.folder)
        folder.mkdir(parents=True, exist_ok=True)
        signing_key = load_or_create_signing_key(folder / "signing.key", secrets.token_bytes)
        public = SigningKey(signing_key).verify_key
        (folder / "signing.pub").write_text(bytes(public).hex() + "\n")
        self._journal, self.rotation = Journal.open_or_rotate(
            folder / "journal.sqlite",
            clock_mono_ns=time.monotonic_ns,
            clock_utc_ns=time.time_ns,
            simulated=self._simulated,
            origin=_origin(config.table.name),
            signing_key=signing_key,
        )
        rows = self._journal.last_hand_rows()
        inputs = resumable((stored.kind, stored.name, stored.payload) for stored in rows)
        self._keys = HandKeys(_key_folder(config))
        ledger, marks, last_utc_ns = self._ledger()
        last_ms = max([ledger.t_ms, *[given.t_ms for given in inputs]])
        if running_hand(inputs) is None and last_utc_ns is not None:
            # between hands the time that the table was off counts: how long a player has been away is by the clock on the wall
            last_ms += max(0, time.time_ns() - last_utc_ns) // 1_000_000
        self.clock = TableClock(time.monotonic, speed=self.speed, start_ms=last_ms)
        self._supervisor: DeviceSupervisor | None = None
        self.core = self._build_core(ledger)
        files = EquipmentFolder(
            folder, table_key, simulated=self._simulated, random_bytes=secrets.token_bytes
        )
        recorder = Recorder(
            self.core,
            recording_header(config, self.core.setup, self._by_device, source=config.table.name),
        )
        terms = terms_desk(config, self._rules, self.core, recorder, marks.get(TERMS))
        self.desk = Desk(
            self.core,
            files,
            decks,
            self._antennas,
            simulated=self._simulated,
            utc_s=lambda: time.time_ns() // 1_000_000_000,
            links=self._links,
            recorder=recorder,
            new_key=lambda: secrets.token_bytes(32),
        )
        self.core.show(self.desk.first_facts())
        self._history = history_from(
            self.core,
            lambda: self.core.resume(inputs, key_kept=self._keys.survived == running_hand(inputs)),
            [stored.t_utc_ns for stored in rows if stored.hand == running_hand(inputs)],
            folder / "journal.sqlite",
        )
        self.floor = floor_desk(self.core, config, self._floor_rows, lambda: time.time_ns() // 1_000_000_000)
        del self._floor_rows  # of every hand that the journal has
        self.core.show(self.floor.first_facts())
        self.session = Session(
            self.core,
            JournalStore(self._journal),
            row,
            now_ms=self.clock.table_ms,
            speed=self.speed,
            on_hand_closed=self._keys.closed,
            desk=self.desk,
            recorder=recorder,
            history=self._history,
            floor=self.floor,
            terms=terms,
            shift=ShiftDesk(self.core, marks.get(SHIFT), utc_s=lambda: time.time_ns() // 1_000_000_000),
        )
        self._server = Server(
            Path(config.socket), self.session, table=config.table.name, simulated=self._simulated
        )
        self._lamps: dict[str, fx.DeviceFact] = {}
        self._working: frozenset[str] = frozenset()
        self._faults: dict[str, dict[str, int]] = {}
        self._stopping = threading.Event()
        self._lamp_turns = 0
        self._lamp_thread = threading.Thread(target=self._watch_lamps, name="lamps", daemon=True)

    # -- building --------------------------------------------------------------------------------------------------------------------

    def _build_core(self, ledger: Ledger) -> Core:
        config = self.config
        rules = self._rules
        self._antennas = config.antennas()
        setup = Setup(
            name=config.table.name,
            house=rules.house.name,
            game=rules.game.name,
            limits=config.stakes(),
            entry=rules.entry,
            tracking=rules.tracking,
            unit=config.table.unit,
            simulated=self._simulated,
            language=config.table.language,
            seats=tuple(config.seats),
            readers=frozenset(
                "burn" if zone == "gate" else zone for zone in self._antennas.values() if zone not in PASSED
            )
            | {"shoe" for device in config.devices if device.role == "shoe"},
            settle_ms=config.zones.settle_ms,
            shuffler=any(device.role == "shuffler" for device in config.devices),
            games=tuple(rules.games),
            dealers={dealer.badge: dealer.name for dealer in config.dealers},
        )
        zones = config.zones
        self._by_device = {
            device.serial: zone_parameters(
                device.family if isinstance(device, SerialSection) else None,
                speed=self.speed,
                gate_settle_ms=zones.gate_settle_ms,
                arrive_reads=zones.arrive_reads,
                leave_ms=zones.leave_ms,
            )
            for device in config.devices
        }
        parameters = ZoneParameters(gates=SHOWN & frozenset(self._antennas.values()))
        return core_for_service(
            setup,
            rules,
            self._antennas,
            {},
            ledger,
            decks={},
            parameters=parameters,
            by_device=self._by_device,
            sealer=self._sealer,
            new_key=self._keys.key,
        )

    def _links(self) -> tuple[LinkView, ...]:
        """What is known of the devices now, for diagnostics and receipts."""
        return () if self._supervisor is None else links_of(self.config, self._supervisor.status())

    def _ledger(self) -> tuple[Ledger, dict[str, bytes], int | None]:
        """The seats as the last closed hand left them, the last mark of each name, when the last row was written (UTC, ns; None: never).

        Seats that the configuration has no more are gone.
        """
        marks: dict[str, bytes] = {}
        last_utc_ns = None
        self._floor_rows: list[StoredRow] = []
        for stored in self._journal.read():
            last_utc_ns = stored.t_utc_ns
            if stored.kind == "mark" and stored.name in _LAST_MARKS:
                marks[stored.name] = stored.payload
            elif is_floors(stored):
                self._floor_rows.append(stored)
        closed = marks.get(_HAND_CLOSED)
        known = Ledger() if closed is None else msgspec.json.decode(closed, type=Ledger)
        seats = {seat: known.seats.get(seat, SeatRecord("out", None)) for seat in self.config.seats}
        return msgspec.structs.replace(known, seats=seats), marks, last_utc_ns

    # -- running ---------------------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Open the devices and the socket."""
        self._history.start()
        self.session.start()
        self._supervisor = DeviceSupervisor(
            devices_of(self.config, simulate=self._simulated), self._sink, self.clock
        )
        self._supervisor.start()
        self._server.start()
        self._lamp_thread.start()

    def stop(self) -> None:
        """Devices, session drained, socket, journal."""
        self._stopping.set()
        if self._lamp_thread.is_alive():
            self._lamp_thread.join()
        if self._supervisor is not None:
            self._supervisor.stop()
            self._tell_faults()
        if self.session.alive():
            self.session.stop()
        self._history.stop()
        self._server.stop()
        self._journal.close()

    def turns(self) -> dict[str, int]:
        """How often the session and the watch over the lamps have come round: counts that stand still are stuck."""
        return {"session": self.session.turns, "lamps": self._lamp_turns}

    def threads_alive(self) -> bool:
        """Whether nobody has died. A device that is away is no death: its thread looks for it."""
        devices = self._supervisor is None or self._supervisor.alive()
        return devices and self._history.alive() and self._server.alive() and self._lamp_thread.is_alive()

    def _sink(self, observation: Observation) -> None:
        if not isinstance(observation, LinkChanged):  # links are shown by the lamps, with role and zones
            self.session.observe(observation)
            return
        self.session.observe(observation)
        self._look()

    def _watch_lamps(self) -> None:
        told_s = time.monotonic()
        while not self._stopping.wait(LAMP_PERIOD_S):
            self._lamp_turns += 1
            self._look()
            if time.monotonic() - told_s >= FAULTS_PERIOD_S:
                told_s = time.monotonic()
                self._tell_faults()

    def _tell_faults(self) -> None:
        """Log the counts of a device whose line has been noisy since they were logged last."""
        if self._supervisor is None:
            return
        for status in self._supervisor.status():
            faults = {name: count for name, count in status.counters.items() if name in LINE_FAULTS and count}
            if faults and faults != self._faults.get(status.id):
                self._faults[status.id] = faults
                _log.warning("device_line_faults", device=status.id, counters=faults)

    def _look(self) -> None:
        """Tell the session about lamps and working zones that changed."""
        if self._supervisor is None:
            return
        lamps = {}
        working: set[str] = set()
        for status in self._supervisor.status():
            zones = tuple(
                "burn" if zone == "gate" else zone
                for (device, _), zone in self._antennas.items()
                if device == status.id
            )
            if status.role == "shoe" and "shoe" not in zones:
                zones = (*zones, "shoe")  # it counts there, whether or not it has an antenna
            lamps[status.id] = fx.DeviceFact(
                status.id, status.role, status.state, zones, status.detail, dict(status.params)
            )
            if status.state in ("ok", "connecting", "stale"):
                working.update(zone for zone in zones if zone not in PASSED or status.role == "shoe")
        if lamps != self._lamps or working != self._working:
            changed = [lamp for device, lamp in lamps.items() if lamp != self._lamps.get(device)]
            self._lamps, self._working = lamps, frozenset(working)
            # only those: the fact of a shuffler that has not changed tells of its last deck, which the lamp does not know
            self.session.devices(changed, self._working)


def _origin(name: str) -> str:
    return "table/" + "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in name)


def devices_of(config: TableConfig, *, simulate: bool) -> DevicesConfig:
    """The devices package's view of a configuration."""
    serial = []
    pcsc = []
    for device in config.devices:
        if isinstance(device, SerialSection):
            serial.append(
                SerialDevice(
                    id=device.serial,
                    serial=device.serial,
                    role=device.role,
                    family=device.family,
                    folder=device.folder,
                    address=device.address,
                    baud=device.baud,
                    antennas=tuple(sorted(device.antennas)),
                    keys={number: read_hex_key(Path(file)) for number, file in device.keys.items()},
                    eccel=device.eccel,
                    feig=device.feig,
                    pn532=device.pn532,
                    ascii_uid=device.ascii_uid,
                )
            )
        else:
            pcsc.append(
                PcscDevice(
                    id=device.serial,
                    reader=device.reader,
                    role=device.role,
                    scan_period_ms=device.scan_period_ms,
                    uid_order=device.uid_order,
                    setup=tuple(bytes.fromhex(command) for command in device.setup),
                )
            )
    simulation = config.simulation if simulate else None
    return DevicesConfig(
        serial=tuple(serial),
        pcsc=tuple(pcsc),
        pcsc_socket=simulation.pcsc_socket if simulation is not None else "",
        badge_key=b"" if config.keys.badge_key is None else read_hex_key(Path(config.keys.badge_key)),
        allow_simulated=simulate,
    )


def run_table(path: Path, *, simulate: bool) -> int:
    """Run a table until SIGTERM or Ctrl-C. Raises ConfigError; prints other refusals and returns 2."""
    config = load_table_config(path, simulate=simulate)
    logs.configure(config.log.format, config.log.level)
    logs.guard_unhandled()
    unhardened = harden()  # before any card is known
    try:
        service = TableService(config, simulate=simulate)
    except RakeUnfit as error:
        raise rake_error(path, error) from None
    except (SocketInUse, DeckFileError, DeckFileRefused, KeyFileError, JournalError) as error:
        print(error, file=sys.stderr)
        return 2
    for what in unhardened:
        _log.warning("hardening_missing", what=what)
    _tell_rotation(service.rotation)
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: stopping.set())
    manager = manager_of_this_process()
    proof = ProofOfLife(manager.patience_s)
    service.start()
    print(f"table {config.table.name}: ready on {config.socket}", flush=True)
    manager.ready(f"ready on {config.socket}")
    while not stopping.wait(0.2):
        if not service.session.alive():
            _log.error("session_died", **logs.failure(service.session.failure or RuntimeError()))
            service.stop()
            return 1
        now_s = time.monotonic()
        if service.threads_alive() and not proof.stuck(service.turns(), now_s):
            manager.lives(now_s)
    manager.stopping()
    service.stop()
    return 0


def _tell_rotation(notice: RotationNotice | None) -> None:
    if notice is not None:
        _log.error("journal_put_aside", path=str(notice.aside), row=notice.seq, code="journal_put_aside")
