"""What is fuzzed: every parser of bytes or files, as a function of bytes that returns when the input was taken or refused as it should be.

A target raises for anything else: an exception that the parser does not document, or a promise that does not hold. Inputs may be
anything; where bytes on a line carry checksums that no change survives, the target frames the input itself.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import socket
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from dealer_assist import cli
from dealer_assist.composition import UnknownName, check_file
from dealer_assist.config.files import read_hex_key
from dealer_assist.domain.link import Request, Result, ServerMessage, Snapshot
from dealer_assist.journal.keys import DeckFileRefused, decrypt_deck
from dealer_assist.table.deckfile import DeckFileError, read_deck
from dealer_assist.table.server import Server
from dealer_assist.table.trace import TraceError, read
from firmware_protocol import dump, frames, messages, secure
from firmware_protocol.device import DeviceLink
from firmware_protocol.errors import ProtocolError
from firmware_protocol.framing import MAX_BODY, Framer, encode_frame
from firmware_protocol.host import HostLink
from firmware_protocol.toml_errors import ConfigError
from hw_sim.cards import tags_of
from hw_sim.control import Control
from hw_sim.faults import Fault, entry_of
from hw_sim.handling import NotHandled, asked
from hw_sim.hands import load_hands
from hw_sim.houses import UnknownHouse
from hw_sim.physics import ImpossibleAct
from tests.fuzz import readers

ROOT: Final = Path(__file__).parents[2]
KEY: Final = bytes(range(32))
IDENTITY: Final = messages.Identify(
    major=messages.MAJOR,
    minor=messages.MINOR,
    boot_id=7,
    kind=messages.DeviceKind.READER,
    model="FUZZ",
    serial="F-0001",
    firmware="1",
    antennas=14,
    scan_period_ms=100,
)
NONCE: Final = 0x0BADCAFE


def _random(count: int) -> bytes:
    return bytes(count)


# ---------------------------------------------------------------- our own protocol


def framing(data: bytes) -> None:
    """A line of any bytes, in two portions: every body that comes out is found again."""
    whole, parts = Framer(), Framer()
    bodies = whole.feed(data)
    middle = len(data) // 2
    assert parts.feed(data[:middle]) + parts.feed(data[middle:]) == bodies
    for body in bodies:
        assert 0 < len(body) <= MAX_BODY
        assert Framer().feed(encode_frame(body)) == [body]
        frames.parse(body)


def message(data: bytes) -> None:
    """A message of any bytes is refused, or is as it is declared and can be written again."""
    try:
        decoded = messages.decode(data)
    except ProtocolError:
        return
    again = messages.encode(decoded)
    assert messages.decode(again) == decoded


def orders(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """What happens to a link: (order, value, bytes). Order 0 takes ``value`` bytes, others none."""
    at = 0
    while at + 1 < len(data):
        order, value = data[at] % 5, data[at + 1]
        at += 2
        portion = data[at : at + min(value, MAX_BODY)] if order == 0 else b""
        at += len(portion)
        yield order, value, portion


def _live(link: Any, data: bytes, *, framed: bool, tell: Callable[[int, int], None]) -> None:
    """Drive an end of a link; what it says is whole frames."""
    now_ms = 1000
    for order, value, portion in orders(data):
        match order:
            case 0:
                link.receive(encode_frame(portion) if framed and portion else portion, now_ms)
            case 1:
                said = Framer()
                said.feed(link.outgoing(now_ms))
                assert said.counters.crc_errors == said.counters.garbage_bytes == 0
            case 2:
                with contextlib.suppress(ProtocolError):
                    tell(value, now_ms)
            case _:
                now_ms += value if order == 3 else value * 64
                link.receive(b"", now_ms)
                link.next_deadline_ms()


def _device(data: bytes, *, framed: bool, keys: dict[int, bytes]) -> None:
    link = DeviceLink(1000, identity=IDENTITY, keys=keys, random=_random)

    def tell(value: int, now_ms: int) -> None:
        link.send(
            messages.TagArrived(value % 14 + 1, now_ms, now_ms // 100, 100, b"\xe0\x04" + bytes(6)), now_ms
        )

    _live(link, data, framed=framed, tell=tell)


def _host(data: bytes, *, framed: bool, keys: dict[int, bytes]) -> None:
    link = HostLink(1000, nonce=NONCE, keys=keys, random=_random)

    def tell(value: int, now_ms: int) -> None:
        if value % 16:
            link.request_inventory(now_ms)
        else:
            link.restart(now_ms)

    _live(link, data, framed=framed, tell=tell)


def device_line(data: bytes) -> None:
    """A device on a line of any bytes."""
    _device(data, framed=False, keys={})


def device_bodies(data: bytes) -> None:
    """A device whose host sends any bodies."""
    _device(data, framed=True, keys={})


def device_secured(data: bytes) -> None:
    """A device with a key whose host sends any bodies."""
    _device(data, framed=True, keys={1: KEY})


def host_line(data: bytes) -> None:
    """A host on a line of any bytes."""
    _host(data, framed=False, keys={})


def host_bodies(data: bytes) -> None:
    """A host whose device sends any bodies."""
    _host(data, framed=True, keys={})


def host_secured(data: bytes) -> None:
    """A host with a key whose device sends any bodies."""
    _host(data, framed=True, keys={1: KEY})


def channel(data: bytes) -> None:
    """Nothing that the other side has not sealed is opened, and what it has sealed is, once."""
    ours = secure.Channel(7, seal_key=KEY, open_key=KEY[::-1])
    theirs = secure.Channel(7, seal_key=KEY[::-1], open_key=KEY)
    assert ours.open(data) is None
    if data:
        sealed = theirs.seal(data[:MAX_BODY])
        assert ours.open(sealed) == data[:MAX_BODY]
        assert ours.open(sealed) is None


def dumped(data: bytes) -> None:
    """Any recording can be described; only a file that should be hexadecimal may be refused."""
    for form in ("raw", "auto", "hex"):
        with contextlib.suppress(dump.NotHex):
            for line in dump.lines(data, form=form):
                assert "\n" not in line


# ---------------------------------------------------------------- files


def trace(data: bytes) -> None:
    """A trace of any bytes is understood, or refused with its line."""
    with contextlib.suppress(TraceError):
        for entry in read("fuzz", data.splitlines(keepends=True)):
            repr(entry)


def replay(data: bytes) -> None:
    """A trace through the whole core: played to its end, or refused in one sentence. Exit code 2 says which."""
    path = _file("trace.jsonl", data)
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()) as errors:
        code = cli.main(["replay", str(path), "--check"])
    assert code in (0, 1) or (code == 2 and errors.getvalue().strip()), code


def deck(data: bytes) -> None:
    """A deck file, in the clear and encrypted; no refusal shows a tag."""
    for decrypt in (None, lambda blob: decrypt_deck(blob, KEY)):
        with contextlib.suppress(DeckFileError, DeckFileRefused):
            read_deck(data, "fuzz", decrypt=decrypt, simulate=True)


@cache
def _folder() -> Path:
    folder = tempfile.TemporaryDirectory(prefix="fuzz-")
    _KEPT.append(folder)
    return Path(folder.name)


_KEPT: Final[list[Any]] = []


def _file(name: str, data: bytes) -> Path:
    path = _folder() / f"{os.getpid()}-{name}"
    path.write_bytes(data)
    return path


def key_file(data: bytes) -> None:
    """A key file."""
    with contextlib.suppress(ValueError):
        assert len(read_hex_key(_file("key", data))) == 32


def _told(error: ConfigError) -> None:
    """A mistake has a place and a sentence."""
    assert error.line >= 1 and error.column >= 1 and str(error)


def configuration(data: bytes) -> None:
    """A configuration file: table, house or game, by what is in it."""
    for simulate in (True, False):
        try:
            check_file(_file("any.toml", data), simulate=simulate)
        except ConfigError as error:
            _told(error)
        except UnknownName:
            pass


def _hands(name: str, data: bytes) -> None:
    try:
        for hand in load_hands([_file(name, data)], None, 5):
            assert hand.name
    except ConfigError as error:
        _told(error)
    except (UnknownHouse, ImpossibleAct):
        pass


def scenario(data: bytes) -> None:
    """A scenario."""
    _hands("fuzz.toml", data)


def phh(data: bytes) -> None:
    """Hand histories in PHH."""
    _hands("fuzz.phhs", data)


def ohh(data: bytes) -> None:
    """Open Hand History."""
    _hands("fuzz.ohh.jsonl", data)


# ---------------------------------------------------------------- sockets


class _Asked:
    """Takes the place of a session: says yes to every request that could be understood."""

    def ask(self, request: Request, reply: Callable[[Result], None]) -> None:
        reply(Result(request.id, ok=True))

    def join(self, deliver: Callable[[ServerMessage], None]) -> None:
        deliver(Snapshot(0, ()))

    def leave(self, deliver: Callable[[ServerMessage], None]) -> None:
        pass


class _Table:
    """A server on a socket, and a client that is still served after whatever it sent."""

    def __init__(self) -> None:
        path = _folder() / f"{os.getpid()}.sock"
        self._server = Server(path, _Asked(), table="fuzz", simulated=True)  # type: ignore[arg-type]
        self._server.start()
        self._client = socket.socket(socket.AF_UNIX)
        self._client.settimeout(5)
        self._client.connect(str(path))
        self._lines = self._client.makefile("rb")
        self._lines.readline(), self._lines.readline()
        self._count = 0

    def take(self, line: bytes) -> None:
        self._count += 1
        mine = f"own-{self._count}"
        good = {"id": mine, "actor": "dealer", "after": 0, "command": {"kind": "undo"}}
        self._client.sendall(line + b"\n" + json.dumps(good).encode() + b"\n")
        first, second = (json.loads(self._lines.readline()) for _ in range(2))
        assert first["type"] == second["type"] == "result"
        assert (second["id"], second["ok"]) == (mine, True), "the line behind it was not taken"

    def close(self) -> None:
        """End the client, and the server with its threads."""
        self._lines.close()
        self._client.close()
        self._server.stop()


_table = cache(_Table)


def command(data: bytes) -> None:
    """A line of a client of the table's socket is answered, and so is the next one."""
    line = data.replace(b"\n", b" ")[:60_000]
    _table().take(line)


class _World:
    """Takes the place of the devices on the simulator's control channel."""

    def status(self) -> dict[str, Any]:
        return {"devices": ["SIM-READER-1"]}

    def step(self) -> None:
        pass

    def pause(self, on: bool) -> None:
        pass

    def inject(self, what: str, device: str, count: int) -> bool:
        return bool(what) and device == "SIM-READER-1" and count >= 0

    def break_by(self, fault: Fault) -> str:
        return "" if entry_of(fault).fault == fault.fault else "another fault"

    def handle(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            movements, done_ms = asked(request, {"board": 12, "muck": 14}, tags_of(1), 1000)
        except NotHandled as refused:
            return {"ok": False, "expected": refused.expected}
        assert done_ms >= 1000 and all(movement.laid_ms >= 1000 for movement in movements)
        return {"ok": True}


@cache
def _control() -> tuple[Control, socket.socket]:
    path = _folder() / f"{os.getpid()}.control"
    served = Control(path, _World())  # type: ignore[arg-type]
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(5)
    client.connect(str(path))
    served.pump()
    return served, client


def control(data: bytes) -> None:
    """A request on the simulator's control channel is answered with yes, or with what was expected."""
    served, client = _control()
    line = data.replace(b"\n", b" ")[:3000]
    client.sendall(line + b"\n")
    served.pump()
    answer = msgspec.json.decode(client.recv(1 << 16))
    assert answer["ok"] is True or answer["expected"]


def close() -> None:
    """End what targets have begun: sockets, threads, files."""
    if _table.cache_info().currsize:
        _table().close()
        _table.cache_clear()
    if _control.cache_info().currsize:
        served, client = _control()
        client.close()
        served.close()
        _control.cache_clear()
    while _KEPT:
        _KEPT.pop().cleanup()
    _folder.cache_clear()


class Target(NamedTuple):
    """A parser, words that its inputs are made of, and inputs to begin from beside those of the corpus."""

    run: Callable[[bytes], None]
    words: tuple[bytes, ...] = ()
    seeds: tuple[bytes, ...] = ()


_JSON: Final = (
    b"{",
    b"}",
    b"[",
    b"]",
    b'"',
    b":",
    b",",
    b"null",
    b"-1",
    b"1e400",
    b"99999999999999999999",
    b"[" * 3000,
    b"\\ud800",
    b"\xff",
)
_TOML: Final = (
    b"[",
    b"]",
    b"=",
    b'"',
    b"'''",
    b"\n",
    b"{",
    b"}",
    b"#",
    b"-1",
    b"inf",
    b"nan",
    b"[" * 2000,
    b"\xff",
    b"\\u0000",
    b".",
)
_ORDERS: Final = (b"\0\1", b"\1\xff", b"\2\1", b"\3\xff", b"\4\x10", b"\4\xff")

TARGETS: Final[dict[str, Target]] = {
    "framing": Target(framing, (b"\0", b"\1", b"\xff")),
    "message": Target(message),
    "device_line": Target(device_line, _ORDERS),
    "device_bodies": Target(device_bodies, _ORDERS),
    "device_secured": Target(device_secured, _ORDERS),
    "host_line": Target(host_line, _ORDERS),
    "host_bodies": Target(host_bodies, _ORDERS),
    "host_secured": Target(host_secured, _ORDERS),
    "channel": Target(channel),
    "dump": Target(dumped, (b"\0", b"0", b"af ", b"\n")),
    "trace": Target(trace, (*_JSON, b'"t":', b'"tap":', b'"dev":', b'"uid":', b'"trace":1')),
    "replay": Target(replay, (*_JSON, b'"tap":', b'"seat":', b'"uid":', b'"t":', b'"kind":"undo"')),
    "deck": Target(deck, _JSON),
    "key_file": Target(key_file, (b"00", b"\n", b"zz")),
    "configuration": Target(configuration, _TOML),
    "scenario": Target(
        scenario, (*_TOML, b"deal\n", b"burn\n", b"board 3\n", b"expect ", b"answer no\n", b"fault ")
    ),
    "phh": Target(phh, (*_TOML, b"[1]\n", b"'d dh p1 AsAh'", b"p1 f", b"cbr 99999999999999999999", b"????")),
    "ohh": Target(ohh, _JSON),
    "command": Target(command, (*_JSON, b'"kind":"act"', b'"kind":"open_hand"', b'"seat":-1')),
    "control": Target(
        control, (*_JSON, b'"do":"garbage"', b'"count":', b'"do":"fault"', b'"do":"lay"', b'"do":"touch"')
    ),
    **{
        name: Target(run, (b"\xff\0\0", b"\x40\0\0", b"\xf5", b"\x02\0"), readers.seeds(name))
        for name, run in readers.targets().items()
    },
}
