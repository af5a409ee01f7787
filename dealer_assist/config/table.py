"""A table's file, loaded: each key for itself, then how the keys must fit together and to what lies on the disk.

Nothing is opened but the files that the configuration names, and nothing is changed.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from importlib import resources
from pathlib import Path
from typing import Any, Final

import msgspec

from dealer_assist.config.device_checks import family_mistakes, is_loopback, pcsc_mistakes
from dealer_assist.config.files import read, read_hex_key
from dealer_assist.config.limits import limit_mistakes
from dealer_assist.config.sections import (
    BOARD_ANTENNAS,
    BY_ID,
    DeckEntry,
    JournalSection,
    PcscDevice,
    SerialDevice,
    SimulationSection,
    TableConfig,
)
from dealer_assist.domain.rake import NO_RAKE, RakeTerms
from dealer_assist.domain.zones import BOARD, MUCK, ZONES, seat_of
from firmware_protocol.toml_check import KeyPath, nearest, one_of, shown
from firmware_protocol.toml_errors import ConfigError, Document, Problem

__all__ = [
    "ConfigError",
    "PcscDevice",
    "SerialDevice",
    "TableConfig",
    "examine_table_config",
    "load_table_config",
]

#: sockaddr_un.sun_path of Linux holds 108 bytes with the closing zero.
MAX_SOCKET_PATH_BYTES: Final = 107
#: Zones that may have several antennas: a board is long, a muck is wide. Elsewhere a second one is a mistake.
SHARED_ZONES: Final = frozenset({BOARD, MUCK}) | BOARD_ANTENNAS


def load_table_config(
    path: Path,
    *,
    simulate: bool,
    houses: Collection[str] | None = None,
    games: Collection[str] | None = None,
) -> TableConfig:
    """The configuration of a table, all file names absolute; raise :class:`ConfigError` with the place of every mistake.

    ``houses`` and ``games`` are the names there are, by default those that come with the product. Without ``simulate`` a
    ``[simulation]`` is a mistake.
    """
    document, config, problems = examine_table_config(path, simulate=simulate, houses=houses, games=games)
    if problems:
        raise ConfigError(document.file, problems)
    return config


def examine_table_config(
    path: Path,
    *,
    simulate: bool,
    houses: Collection[str] | None = None,
    games: Collection[str] | None = None,
) -> tuple[Document, TableConfig, list[Problem]]:
    """As :func:`load_table_config`, but how keys fit together and to the disk is returned; only a file that is none raises."""
    houses = _shipped("houses") if houses is None else houses
    games = _shipped("games") if games is None else games
    document = read(path)
    config = _absolute(document.convert(TableConfig), path.absolute().parent)
    return (
        document,
        config,
        list(_Checks(document, config, simulate=simulate, houses=houses, games=games).all()),
    )


#: A set of rules that only fills the gaps of others: no table plays by it.
_FILLER: Final = "practice"


def _shipped(folder: str) -> frozenset[str]:
    """Names of the houses or games that come with the product. They are read as data: configuration knows no procedure."""
    files = resources.files("dealer_assist") / "procedure" / folder
    names = (entry.name for entry in files.iterdir())
    return frozenset(name.removesuffix(".toml") for name in names if name.endswith(".toml")) - {_FILLER}


def _absolute(config: TableConfig, folder: Path) -> TableConfig:
    """File names made absolute, and what an empty name stands for filled in."""

    def at(name: str) -> str:
        return os.path.normpath(folder / name) if name else ""

    simulation = config.simulation
    if simulation is not None:
        simulation = msgspec.structs.replace(
            simulation, folder=at(simulation.folder), pcsc_socket=at(simulation.pcsc_socket)
        )
    ports = simulation.folder if simulation is not None else BY_ID
    devices: list[SerialDevice | PcscDevice] = []
    for device in config.devices:
        if isinstance(device, SerialDevice):
            keys = {number: at(file) for number, file in device.keys.items()}
            devices.append(msgspec.structs.replace(device, folder=at(device.folder) or ports, keys=keys))
        else:
            antennas = device.antennas or {1: "badge" if device.role == "badge" else "gate"}
            devices.append(msgspec.structs.replace(device, antennas=antennas))
    return msgspec.structs.replace(
        config,
        house=at(config.house) if config.house.endswith(".toml") else config.house,
        game=at(config.game) if config.game.endswith(".toml") else config.game,
        games=tuple([at(name) if name.endswith(".toml") else name for name in config.games]),
        decks=tuple(DeckEntry(file=at(deck.file)) for deck in config.decks),
        devices=tuple(devices),
        journal=JournalSection(folder=at(config.journal.folder)),
        keys=msgspec.structs.replace(
            config.keys,
            surveillance_public_key=at(config.keys.surveillance_public_key),
            table_key=at(config.keys.table_key) if config.keys.table_key is not None else None,
            badge_key=at(config.keys.badge_key) if config.keys.badge_key is not None else None,
        ),
        socket=at(config.socket),
        simulation=simulation,
        staff=None
        if config.staff is None
        else msgspec.structs.replace(config.staff, file=at(config.staff.file)),
    )


class _Checks:
    """How the keys of one file fit together."""

    def __init__(
        self,
        document: Document,
        config: TableConfig,
        *,
        simulate: bool,
        houses: Collection[str],
        games: Collection[str],
    ) -> None:
        self._wrong = document.problem
        self._config = config
        self._simulate = simulate
        self._houses = houses
        self._games = games

    def all(self) -> Iterator[Problem]:
        """Every mistake, in no particular order."""
        yield from self._rules()
        yield from self._seats()
        yield from self._chips()
        yield from self._rake()
        yield from self._decks()
        yield from self._names_of_devices()
        yield from self._families()
        yield from self._pcsc()
        yield from self._antennas()
        yield from self._simulation(self._config.simulation)
        yield from self._paths()

    def _rules(self) -> Iterator[Problem]:
        for key, name, known in (
            ("house", self._config.house, self._houses),
            ("game", self._config.game, self._games),
            *(("games", name, self._games) for name in self._config.games),
        ):
            if name.endswith(".toml"):
                yield from self._file((key,), name)
            elif name not in known:
                expected = f"{one_of(sorted(known))} or a .toml file" + nearest(name, known)
                yield self._wrong((key,), expected, shown(name))

    def _seats(self) -> Iterator[Problem]:
        limits, seats = self._config.limits, self._config.seats
        for key, expected in limit_mistakes(limits):
            yield self._wrong(("limits", key), expected)
        if len(seats) > limits.max_seats:
            expected = f"at most {limits.max_seats} seats (limits.max_seats)"
            yield self._wrong(("seats",), expected, f"{len(seats)}")
        yield from self._twice("a seat once", {("seats", index): seat for index, seat in enumerate(seats)})

    def _chips(self) -> Iterator[Problem]:
        limits = self._config.limits
        kinds: dict[KeyPath, Any] = {
            ("limits", "chips", index): chip for index, chip in enumerate(limits.chips)
        }
        yield from self._twice("each kind of chip once", kinds)

    def _rake(self) -> Iterator[Problem]:
        """Which keys go with which schedule; whether the figures can be paid is seen with the house."""
        rake = self._config.rake
        for key in RakeTerms.__struct_fields__:
            if key == "schedule" or getattr(rake, key) == getattr(NO_RAKE, key):
                continue
            wanted = "house" if key == "per_money_unit" else "own"
            if rake.schedule != wanted:
                expected = f'nothing, or schedule = "{wanted}": this one is "{rake.schedule}"'
                yield self._wrong(("rake", key), expected)

    def _decks(self) -> Iterator[Problem]:
        files: dict[KeyPath, Any] = {
            ("decks", index, "file"): deck.file for index, deck in enumerate(self._config.decks)
        }
        for path, file in files.items():
            yield from self._file(path, file)
        yield from self._twice("a deck file once", files)

    def _names_of_devices(self) -> Iterator[Problem]:
        serials: dict[KeyPath, Any] = {}
        readers: dict[KeyPath, Any] = {}
        for index, device in enumerate(self._config.devices):
            serials["devices", index, "serial"] = device.serial
            if isinstance(device, PcscDevice):
                readers["devices", index, "reader"] = device.reader
        yield from self._twice("a serial number that no other device has", serials)
        yield from self._twice("a reader that no other device uses", readers)

    def _families(self) -> Iterator[Problem]:
        """Which keys go with which family of serial devices."""
        for index, device in enumerate(self._config.devices):
            if isinstance(device, SerialDevice):
                for path, expected in family_mistakes(device):
                    yield self._wrong(("devices", index, *path), expected)

    def _pcsc(self) -> Iterator[Problem]:
        """Readers for single cards and badges, and whose badges they are."""
        config = self._config
        readers = [(k, each) for k, each in enumerate(config.devices) if isinstance(each, PcscDevice)]
        for index, device in readers:
            for keys, expected in pcsc_mistakes(device):
                yield self._wrong(("devices", index, *keys), expected)
        if config.keys.badge_key is None and any(device.role == "badge" for _, device in readers):
            yield self._wrong(("keys",), "badge_key: badges are known by a keyed hash only", "none")
        dealers = list(enumerate(config.dealers))
        names: dict[KeyPath, Any] = {("dealers", k, "name"): each.name for k, each in dealers}
        badges: dict[KeyPath, Any] = {("dealers", k, "badge"): each.badge for k, each in dealers}
        yield from self._twice("each dealer once", names)
        yield from self._twice("a badge that no other dealer has", badges)
        yield from self._staff()

    def _staff(self) -> Iterator[Problem]:
        """The staff file: a mistake in it is told with its own place when the table begins."""
        staff = self._config.staff
        if staff is None:
            return
        yield from self._file(("staff", "file"), staff.file)
        if self._config.keys.badge_key is None:
            yield self._wrong(("keys",), "badge_key: PINs and badges are known by keyed hashes only", "none")
        if not any(device.role == "badge" for device in self._config.devices):
            yield self._wrong(
                ("staff",), 'a device with role = "badge" beside it: nobody could sign in', "none"
            )

    def _antennas(self) -> Iterator[Problem]:
        taken: dict[str, str] = {}
        for index, device in enumerate(self._config.devices):
            where: KeyPath = ("devices", index, "antennas")
            if device.role == "shuffler" and device.antennas:
                yield self._wrong(where, "no antennas at a shuffler: it reports counts and states")
            if device.role == "reader" and not device.antennas:
                expected = 'which zone each antenna reads, as { 1 = "seat1", 10 = "board" }'
                yield self._wrong(where, expected)
            for number, zone in device.antennas.items():
                yield from self._antenna((*where, str(number)), zone, taken)
                taken.setdefault(zone, f"antenna {number} of {device.serial}")

    def _antenna(self, path: KeyPath, zone: str, taken: dict[str, str]) -> Iterator[Problem]:
        known = ZONES | BOARD_ANTENNAS
        if zone not in known:
            expected = (
                "a zone: seat1 to seat11, board, board1 to board5, board2 and board3 alone for further boards, "
                "burn, muck, stub, gate, shoe, check, button or badge"
            )
            yield self._wrong(path, expected + nearest(zone, sorted(known)))
        elif zone in taken and zone not in SHARED_ZONES:
            yield self._wrong(path, "one antenna a zone", f"{shown(zone)}, which {taken[zone]} reads")
        elif (seat := seat_of(zone)) is not None and seat not in self._config.seats:
            seats = ", ".join(map(str, sorted(self._config.seats)))
            yield self._wrong(path, f"a seat of the table: {seats}")

    def _simulation(self, simulation: SimulationSection | None) -> Iterator[Problem]:
        if self._simulate:
            return
        if simulation is not None:
            yield self._wrong(
                ("simulation",), "no simulated devices, or the flag --simulate", "simulated devices"
            )
            return
        for index, device in enumerate(self._config.devices):
            if not isinstance(device, SerialDevice):
                continue
            if device.address:
                if is_loopback(device.address):
                    expected = "a reader on another machine: one on this machine is simulated and needs the flag --simulate"
                    yield self._wrong(("devices", index, "address"), expected)
            elif not device.folder.startswith("/dev/serial/"):
                expected = (
                    "a folder below /dev/serial: others hold simulated ports and need the flag --simulate"
                )
                yield self._wrong(("devices", index, "folder"), expected)

    def _paths(self) -> Iterator[Problem]:
        keys, journal = self._config.keys, Path(self._config.journal.folder)
        public = keys.surveillance_public_key
        yield from self._hex_key(("keys", "surveillance_public_key"), public, "a public key")
        of_devices: dict[KeyPath, Any] = {
            ("devices", index, "keys", str(number)): file
            for index, device in enumerate(self._config.devices)
            if isinstance(device, SerialDevice)
            for number, file in device.keys.items()
        }
        for path, file in of_devices.items():
            yield from self._hex_key(path, file, "a key")
        yield from self._twice("a key that no other device and number has", of_devices)
        if keys.badge_key is not None:
            yield from self._hex_key(("keys", "badge_key"), keys.badge_key, "a key")
        if keys.table_key is not None:
            yield from self._file(("keys", "table_key"), keys.table_key)
        if journal.exists() and not journal.is_dir():
            yield self._wrong(("journal", "folder"), "a folder", "something else of that name")
        if len(os.fsencode(self._config.socket)) > MAX_SOCKET_PATH_BYTES:
            expected = f"a socket whose whole path has at most {MAX_SOCKET_PATH_BYTES} bytes"
            yield self._wrong(("socket",), expected, f"{len(os.fsencode(self._config.socket))} bytes")

    def _hex_key(self, path: KeyPath, name: str, what: str) -> Iterator[Problem]:
        try:
            read_hex_key(Path(name))
        except OSError as error:
            yield self._wrong(path, "a readable file", _reason(error))
        except ValueError:
            yield self._wrong(path, f"a file with {what} of 64 hex digits", "something else in it")

    def _file(self, path: KeyPath, name: str) -> Iterator[Problem]:
        try:
            with Path(name).open("rb"):
                pass
        except OSError as error:
            yield self._wrong(path, "a readable file", _reason(error))

    def _twice(self, expected: str, values: dict[KeyPath, Any]) -> Iterator[Problem]:
        seen: dict[Any, KeyPath] = {}
        for path, value in values.items():
            if value in seen:
                yield self._wrong(path, expected, f"{shown(value)} again")
            seen.setdefault(value, path)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
