"""The one place that builds real objects: games and houses from their files, a table's core, the service, the station."""

from __future__ import annotations

import importlib.util
import socket as socket_module
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec

from dealer_assist.config.files import read as read_file
from dealer_assist.config.table import SerialDevice, TableConfig, load_table_config
from dealer_assist.devices.families import FAMILIES
from dealer_assist.devices.values import DeviceStatus
from dealer_assist.devices.zones import ZoneParameters, Zones
from dealer_assist.domain.equipment import LinkView
from dealer_assist.domain.table import Limits
from dealer_assist.domain.zones import SHOWN
from dealer_assist.procedure import game as game_files
from dealer_assist.procedure import house_files
from dealer_assist.procedure.alignment.sensing import FAMILIES as SENSING
from dealer_assist.procedure.game import Game
from dealer_assist.procedure.house import House
from dealer_assist.seating import Ledger
from dealer_assist.table.core import Core
from dealer_assist.table.deckfile import Deck, DeckFileError, read_deck
from dealer_assist.table.money import RakeUnfit
from dealer_assist.table.opening import Rules
from dealer_assist.table.recording import Recorder
from dealer_assist.table.seats import Seats
from dealer_assist.table.setup import Setup
from dealer_assist.table.terms_desk import Terms, TermsDesk
from dealer_assist.table.trace import Header, TraceDevice
from dealer_assist.table.vault import SealBox, Vault
from firmware_protocol import toml_errors


class UnknownName(ValueError):
    """No house or game of this name. Carries the kind, the name and the names there are."""

    def __init__(self, kind: str, name: str, known: list[str]) -> None:
        self.kind = kind
        self.name = name
        self.known = known
        super().__init__(
            f"unknown {kind} {name!r}: expected one of {', '.join(known)}"
            + (", or a path of a .toml file" if kind in ("house", "game") else "")
        )


def _named(kind: str, folder: str, name: str) -> tuple[str, str]:
    """The text of a house or game by its name, or of a file by its path, and what to call it in an error."""
    if name.endswith(".toml"):
        path = Path(name)
        return str(path), path.read_text(encoding="utf-8")
    known = _names(folder)
    if name not in known:
        raise UnknownName(kind, name, [other for other in known if other not in house_files.FILLERS])
    file = resources.files("dealer_assist.procedure") / folder / f"{name}.toml"
    return file.name, file.read_text(encoding="utf-8")


def _names(folder: str) -> list[str]:
    """The houses or games that come with the product."""
    files = (resources.files("dealer_assist.procedure") / folder).iterdir()
    return sorted(entry.name.removesuffix(".toml") for entry in files if entry.name.endswith(".toml"))


def _document(kind: str, folder: str, name: str) -> toml_errors.Document:
    source, text = _named(kind, folder, name)
    return toml_errors.parse(text, source)


def own_name(folder: str, name: str, document: toml_errors.Document) -> toml_errors.Document:
    """The document of a house or game; a file of somebody's own may not call itself as one that comes with the product."""
    called = document.data.get("name")
    ours = resources.files("dealer_assist.procedure") / folder / f"{called}.toml"
    is_file = name not in _names(folder) and Path(str(ours)) != Path(name).resolve()
    if is_file and called in _names(folder):
        raise document.error_at(("name",), f"a name of its own, there is a {called} already")
    return document


def load_house(name: str) -> House:
    """A house by name ("seed") or path. Raises UnknownName, OSError, or ConfigError with file, line and column."""
    if name in house_files.FILLERS:
        raise UnknownName(
            "house", name, [other for other in _names("houses") if other not in house_files.FILLERS]
        )
    return _read_house(name) if name.endswith(".toml") else _our_house(name)


def _read_house(name: str) -> House:
    document = own_name("houses", name, _document("house", "houses", name))
    return house_files.load(document, lambda other: _document("house", "houses", other))


#: The houses and games that come with the product are read once: their files stay as they are while a program runs.
_our_house = cache(_read_house)


def load_game(name: str) -> Game:
    """A game by name ("nlhe") or path. Raises as :func:`load_house`."""
    return _read_game(name) if name.endswith(".toml") else _our_game(name)


def _read_game(name: str) -> Game:
    document = own_name("games", name, _document("game", "games", name))
    return game_files.load(document, lambda other: _document("game", "games", other))


_our_game = cache(_read_game)


def table_rules(config: TableConfig) -> Rules:
    """House, game, further games and limits of a table's configuration. Raises as :func:`load_house`, and RakeUnfit."""
    return _rules(config, config.stakes())


def _rules(config: TableConfig, limits: Limits) -> Rules:
    others = [load_game(name) for name in config.games]
    return Rules(
        load_house(config.house),
        load_game(config.game),
        limits,
        games={game.name: game for game in others},
        entry=config.entry,
        tracking=config.tracking,
        rake=config.rake,
    )


def rules_by(config: TableConfig, terms: Terms) -> Rules:
    """The rules of a table that plays by other terms than its configuration says. Raises ValueError, OSError and RakeUnfit."""
    games = [name for name in dict.fromkeys((config.game, *config.games)) if name != terms.game]
    changed = msgspec.structs.replace(config, house=terms.house, game=terms.game, games=tuple(games))
    try:
        return _rules(changed, terms.limits)
    except toml_errors.ConfigError as error:
        raise ValueError(str(error)) from error


def terms_desk(
    config: TableConfig, rules: Rules, core: Core, recorder: Recorder | None, mark: bytes | None
) -> TermsDesk:
    """What the table plays by, and what people may choose: the houses that come with the product, the table's own, and its games."""
    houses = {name: name for name in _names("houses") if name not in house_files.FILLERS}
    sources = (config.game, *config.games)
    return TermsDesk(
        core,
        recorder,
        Terms(config.house, config.game, config.stakes()),
        houses={rules.house.name: config.house, **houses, rules.house.name: config.house},
        games={load_game(source).name: source for source in dict.fromkeys(sources)},
        make=lambda terms: rules_by(config, terms),
        mark=mark,
    )


def rake_error(path: Path, error: RakeUnfit) -> toml_errors.ConfigError:
    """A rake that the table cannot pay, with its place in the table's file."""
    keys = [int(key) if key.isdigit() else key for key in error.key.split(".")]
    return read_file(path).error_at(("rake", *keys), error.expected, error.found)


def core_for_trace(header: Header, house: str | None) -> Core:
    """A table in memory for a trace: no journal, no seals, hand keys from the hand's name so that a replay is identical."""
    rules = Rules(
        load_house(house or header.house),
        load_game(header.game),
        header.limits,
        entry=header.entry,
        tracking=header.tracking,
        rake=header.rake,
        games={game.name: game for game in map(load_game, header.games)},
    )
    antennas = {
        (device.id, int(number)): zone
        for device in header.devices
        for number, zone in device.antennas.items()
    }
    gates = SHOWN & frozenset(antennas.values())
    readers = _readers(antennas) | {"shoe" for device in header.devices if device.role == "shoe"}
    seats = header.seats or tuple(sorted(int(zone[4:]) for zone in readers if zone.startswith("seat")))
    setup = Setup(
        name=header.table,
        house=rules.house.name,
        game=header.game,
        limits=header.limits,
        entry=rules.entry,
        tracking=rules.tracking,
        unit=header.unit,
        simulated=True,
        language="en",
        seats=seats,
        readers=readers,
        shuffler=any(device.role == "shuffler" for device in header.devices),
        settle_ms=header.settle_ms,
        games=tuple(rules.games),
        sensing=dict.fromkeys(readers, SENSING[header.sensing]),
    )
    decks = header.all_decks()
    cards = {bytes.fromhex(uid): face for deck in decks for uid, face in deck.cards.items()}
    recorded = header.recorded
    named = len(decks) > 1 or recorded is not None
    names = {bytes.fromhex(uid): deck.name for deck in decks for uid in deck.cards} if named else {}
    vault = Vault(
        cards,
        decks=names,
        deck_names=[deck.name for deck in decks] if named else (),
        settle_ms=setup.settle_ms,
    )
    by_device = {device: msgspec.convert(found, ZoneParameters) for device, found in header.zones.items()}
    zones = Zones(antennas, parameters=ZoneParameters(gates=gates), by_device=by_device)
    core = Core(setup, rules, vault, zones, Seats({}), new_key=lambda hand: hand.encode().ljust(32, b"\0"))
    if recorded is not None:
        vault.bar({bytes.fromhex(uid): deck for uid, deck in recorded.barred.items()})
        vault.no_cards(map(bytes.fromhex, recorded.no_cards))
        core.take_up(recorded)
    return core


def recording_header(
    config: TableConfig, setup: Setup, by_device: Mapping[str, ZoneParameters], *, source: str
) -> Header:
    """All of a recording's header that does not change while the service runs."""
    return Header(
        1,
        config.house,
        config.game,
        setup.limits,
        tuple(
            TraceDevice(
                device.serial,
                device.role,
                {
                    str(number): zone
                    for (owner, number), zone in config.antennas().items()
                    if owner == device.serial
                },
            )
            for device in config.devices
        ),
        source=source,
        table=setup.name,
        entry=config.entry,
        tracking=config.tracking,
        unit=setup.unit,
        rake=config.rake,
        games=tuple(config.games),
        seats=setup.seats,
        settle_ms=setup.settle_ms,
        zones={
            device: {name: value for name, value in msgspec.structs.asdict(found).items() if name != "gates"}
            for device, found in by_device.items()
        },
    )


def _readers(antennas: Mapping[tuple[str, int], str]) -> frozenset[str]:
    """The zones that antennas cover; a gate is how burns are read."""
    return frozenset("burn" if zone == "gate" else zone for zone in antennas.values())


def core_for_service(
    setup: Setup,
    rules: Rules,
    antennas: Mapping[tuple[str, int], str],
    cards: Mapping[bytes, str],
    ledger: Ledger,
    *,
    decks: Mapping[bytes, str],
    parameters: ZoneParameters,
    by_device: Mapping[str, ZoneParameters],
    sealer: SealBox | None,
    new_key: Callable[[str], bytes],
) -> Core:
    """A live table: identities sealed at birth, hand keys from the system's randomness."""
    vault = Vault(cards, decks=decks, sealer=sealer, settle_ms=setup.settle_ms)
    return Core(
        setup,
        rules,
        vault,
        Zones(antennas, parameters=parameters, by_device=by_device),
        Seats(ledger=ledger),
        new_key=new_key,
    )


def configured_decks(
    config: TableConfig, decrypt: Callable[[bytes], bytes] | None, *, simulated: bool
) -> list[Deck]:
    """The decks that a table's configuration names. ``decrypt`` opens encrypted ones. Raises DeckFileError."""
    decks: dict[str, Deck] = {}
    for entry in config.decks:
        deck = read_deck(Path(entry.file).read_bytes(), entry.file, decrypt=decrypt, simulate=simulated)
        if deck.deck in decks:
            raise DeckFileError(entry.file, "deck", f"a name that no other deck has, found {deck.deck} again")
        decks[deck.deck] = deck
    return list(decks.values())


def links_of(config: TableConfig, status: Iterable[DeviceStatus]) -> tuple[LinkView, ...]:
    """What is known of the devices, for diagnostics and receipts; the maker is that of the family that the configuration names."""
    makers = {
        device.serial: FAMILIES[device.family].maker
        for device in config.devices
        if isinstance(device, SerialDevice) and device.family in FAMILIES
    }
    return tuple(
        LinkView(
            one.id,
            one.role,
            one.state,
            one.detail,
            one.losses,
            makers.get(one.id, ""),
            one.model,
            one.serial,
            one.firmware,
            one.counters,
        )
        for one in status
    )


def demo_hands() -> list[Path]:
    """The scenario files of the demo, in order; they lie with the simulator."""
    spec = importlib.util.find_spec("hw_sim")
    if spec is None or spec.origin is None:
        raise FileNotFoundError(2, "the hardware simulator is not installed", "hw_sim")
    return sorted((Path(spec.origin).parent / "demo").glob("*.toml"))


def check_file(path: Path, *, simulate: bool) -> str:
    """Check one configuration file by what it is: a house, a game, or a table. Returns what it is; raises ConfigError."""
    try:
        document = toml_errors.parse(path.read_bytes(), str(path))
    except OSError as error:
        raise toml_errors.unreadable(str(path), error) from error
    keys, base = document.data.keys(), document.data.get("extends")
    if "script" in keys:
        what = "a scenario (`hw-sim trace` checks it)"
        raise document.error_at((), "a table configuration, a house or a game", what)
    if keys & {"rules", "parameters", "gaps"} or base in _names("houses"):
        return f"house {load_house(str(path)).name}"
    # One that extends another may state as little as it likes, but `extends` itself; a table has none of these keys.
    if keys & ({*Game.__struct_fields__, "extends"} - {"name", "title"}):
        return f"game {load_game(str(path)).name}"
    config = load_table_config(path, simulate=simulate)
    try:
        table_rules(config)
    except RakeUnfit as error:
        raise rake_error(path, error) from None
    return f"table {config.table.name}"


def open_station(
    socket: Path,
    *,
    config: Path | None,
    language: str | None,
    mirrored: bool,
    shots: Path | None,
    size: str | None,
    simulate: bool,
    text_scale: int = 100,
    still: bool = False,
    loudness: int = 3,
) -> int:
    """Open the dealer's screen; start a table service first, detached, when none answers and ``config`` is given."""
    from dealer_assist.station.app import run_station  # noqa: PLC0415 - Qt, which only a screen needs

    offered = _size(size)
    if config is not None and not _answers(socket):
        load_table_config(config, simulate=simulate)
        command = [
            sys.executable,
            "-m",
            "dealer_assist.cli",
            "table",
            str(config),
            *(["--simulate"] if simulate else []),
        ]
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    return run_station(
        socket,
        language=language,
        mirrored=mirrored,
        shots=shots,
        size=offered,
        simulate=simulate,
        text_scale=text_scale,
        still=still,
        loudness=loudness,
    )


def _size(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit()) or int(width) < 1280 or int(height) < 800:
        raise UnknownName("size", text, ["1280x800", "1920x1080"])
    return int(width), int(height)


def _answers(path: Path) -> bool:
    with socket_module.socket(socket_module.AF_UNIX, socket_module.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True
