"""Traces: what devices sent and what people tapped, as JSON lines in virtual time (docs/traces.md).

Reading is typed: a bad line names its file, line and what was expected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec

from dealer_assist.domain.commands import Actor, Command
from dealer_assist.domain.facts import DeviceFact
from dealer_assist.domain.rake import NO_RAKE, RakeTerms
from dealer_assist.domain.table import Entry as EntryMode
from dealer_assist.domain.table import HandOpening, Limits, Tracking
from dealer_assist.procedure.alignment.sensing import SensingParameters
from dealer_assist.seating import Ledger
from dealer_assist.table.decks import DecksStanding
from dealer_assist.table.ports import (
    DeviceRestarted,
    ForbiddenData,
    InventorySeen,
    LinkChanged,
    LinkState,
    Observation,
    ScanFailed,
    ShoeChanged,
    ShoeExit,
    ShufflerChanged,
    TagArrived,
    TagLeft,
)
from dealer_assist.table.shoe_desk import ShoeStanding
from dealer_assist.table.trace_header import expected_of


class TraceError(ValueError):
    """A line of a trace is not what it must be. Carries the place and the expectation."""

    def __init__(self, source: str, line: int, expected: str) -> None:
        self.source = source
        self.line = line
        self.expected = expected
        super().__init__(f"{source}:{line}: {expected}")


class TraceDevice(msgspec.Struct, frozen=True):
    """A device of the table: antenna number (as text) → zone."""

    id: str
    role: str
    antennas: dict[str, str] = {}
    scan_period_ms: int = 100


class TraceDeck(msgspec.Struct, frozen=True):
    """The deck map, UID in hex → face; only in traces of simulated tables."""

    name: str
    simulated: bool
    cards: dict[str, str]

    def __repr__(self) -> str:
        return f"TraceDeck({self.name!r}, {len(self.cards)} cards)"


class Recorded(msgspec.Struct, frozen=True):
    """How a table stood where its recording begins, between two hands: seats, decks, shoe, antennas.

    ``barred``: tag → deck that may not be dealt from; ``no_cards``: tags that people have found to be none.
    """

    ledger: Ledger
    swept: bool = True
    decks: DecksStanding = DecksStanding()
    shoe: ShoeStanding = ShoeStanding()
    sensing: dict[str, SensingParameters] = {}
    barred: dict[str, str] = {}
    no_cards: tuple[str, ...] = ()


class Lamps(msgspec.Struct, frozen=True):
    """The lamps of devices that changed, and the zones that have a working reader."""

    facts: tuple[DeviceFact, ...]
    readers: frozenset[str]


class Sensed(msgspec.Struct, frozen=True):
    """How the antennas read from the next hand on, by zone."""

    sensing: dict[str, SensingParameters]


class Header(msgspec.Struct, frozen=True):
    """First line: format, table, house, game, devices, deck. Another may follow anywhere."""

    trace: int
    house: str
    game: str
    limits: Limits
    devices: tuple[TraceDevice, ...]
    deck: TraceDeck | None = None
    decks: tuple[TraceDeck, ...] = ()
    source: str = ""
    table: str = "T1"
    entry: EntryMode = "every_action"
    tracking: Tracking = "full"
    unit: str = "1 chip"
    rake: RakeTerms = NO_RAKE
    #: further games that single hands are played by; seats, where the antennas do not say them
    games: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    settle_ms: int = 600
    #: device → how its reads become movements
    zones: dict[str, dict[str, int]] = {}
    #: of a recording: how the table stood; t is then the time up to which its table had judged, before it heard the line
    recorded: Recorded | None = None
    #: how well its antennas read: a family; a recording says it of each zone
    sensing: Literal["clean", "fine", "table", "bad"] = "table"

    def all_decks(self) -> tuple[TraceDeck, ...]:
        """The decks of the table: one, or two that alternate."""
        return self.decks or (() if self.deck is None else (self.deck,))


class Expect(msgspec.Struct, frozen=True):
    """What the source says of the hand: closes it. None: it does not say.

    ``stacks`` may be fractions where the source splits chips. ``pots``: before rake, main first; a single one may be all pots of the
    hand. ``returned``, ``awards``: seat → uncalled bets back, chips won. ``odd_chips``: stacks and awards may differ by so many chips,
    which the source gives to other seats than the rules do.
    """

    result: str = "completed"
    attempts: int = 1
    stacks: dict[str, int | float | None] = {}
    alerts: tuple[dict[str, Any], ...] | None = None
    pots: tuple[int, ...] | None = None
    returned: dict[str, int] | None = None
    awards: dict[str, int] | None = None
    rake: int | None = None
    drops: dict[str, int] | None = None
    odd_chips: int = 0


class Line(msgspec.Struct, frozen=True):
    """One line: exactly one of header, opening, device message, tap, check, or end."""

    t: int = 0
    trace: int | None = None
    open_hand: HandOpening | None = None
    dev: str | None = None
    msg: str | None = None
    antenna: int = 0
    uid: str = ""
    uids: tuple[str, ...] = ()
    t_ms: int = 0
    scan: int = 0
    scan_period_ms: int = 100
    reason: str = ""
    state: str = ""
    result: str = ""
    count: int | None = None
    expected: int | None = None
    number: int = 0
    face: Literal["unknown", "down", "up"] = "unknown"
    params: dict[str, str | int] = {}
    lamps: tuple[DeviceFact, ...] | None = None
    readers: frozenset[str] = frozenset()
    counters: dict[str, int] = {}
    reads: dict[str, SensingParameters] | None = None
    tap: Command | None = None
    actor: Actor = "simulated"
    refused: str = ""
    expect_now: dict[str, Any] | None = None
    scenario_line: int = 0
    expect: Expect | None = None

    def __repr__(self) -> str:
        return f"Line(t {self.t} ms)"


class Entry(msgspec.Struct, frozen=True):
    """A line understood: ``what`` is what it says."""

    t_ms: int
    line: int
    what: Header | HandOpening | Observation | Command | Expect | Lamps | Sensed | dict[str, Any]
    #: of a tap that must be refused: the code
    refused: str = ""
    #: of a check: the line of the scenario that it comes from; 0: none
    scenario_line: int = 0
    #: of a tap: who made it
    actor: Actor = "simulated"


_LINE = msgspec.json.Decoder(Line)
_HEADER = msgspec.json.Decoder(Header)


def read(source: str, lines: Iterable[bytes | str]) -> Iterator[Entry]:
    """Understand a trace, line by line. Raises :class:`TraceError`."""
    last = 0
    started = False
    for number, raw in enumerate(lines, start=1):
        if not raw.strip():
            continue
        try:
            line = _LINE.decode(raw)
            if line.trace is not None:
                if line.trace != 1:
                    raise TraceError(source, number, f"expected trace format 1, found {line.trace}")
                started = True
                last = 0
                header = _HEADER.decode(raw)
                expected = expected_of(header)
                if expected is not None:
                    raise TraceError(source, number, f"expected {expected}")
                yield Entry(0, number, header)
                continue
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            raise TraceError(source, number, f"expected a trace line: {error}") from None
        except RecursionError:
            raise TraceError(source, number, "expected lists and objects nested less deep") from None
        if not started:
            raise TraceError(source, number, 'expected the header first, as {"trace": 1, …}')
        if line.t < last:
            raise TraceError(source, number, f"expected t of {last} or later, found {line.t}")
        last = line.t
        try:
            if line.msg == "line_faults":
                continue  # what went wrong on a line, for people
            yield Entry(line.t, number, _understood(line), line.refused, line.scenario_line, actor=line.actor)
        except ValueError as error:
            raise TraceError(source, number, str(error)) from None


def _understood(
    line: Line,
) -> HandOpening | Observation | Command | Expect | Lamps | Sensed | dict[str, Any]:
    if line.lamps is not None:
        return Lamps(line.lamps, line.readers)
    if line.reads is not None:
        return Sensed(line.reads)
    if line.dev is not None:
        return _observation(line.dev, line)
    for what in (line.open_hand, line.tap, line.expect_now, line.expect):
        if what is not None:
            return what
    raise ValueError("expected one of open_hand, dev, tap, expect_now, expect")


def _observation(device: str, line: Line) -> Observation:
    match line.msg:
        case "tag_arrived":
            return TagArrived(
                device, line.antenna, bytes.fromhex(line.uid), line.t_ms, line.scan, line.scan_period_ms
            )
        case "tag_left":
            return TagLeft(
                device, line.antenna, bytes.fromhex(line.uid), line.t_ms, line.scan, line.scan_period_ms
            )
        case "scan_failed":
            return ScanFailed(device, line.antenna, line.t_ms, line.scan, line.scan_period_ms, line.reason)
        case "inventory":
            uids = tuple(bytes.fromhex(uid) for uid in line.uids)
            return InventorySeen(device, line.antenna, uids, line.t_ms, line.scan, line.scan_period_ms)
        case "link":
            state = msgspec.convert(line.state, LinkState)
            return LinkChanged(device, line.t_ms, state, line.reason, line.params)
        case "forbidden":
            return ForbiddenData(device, line.t_ms)
        case "restarted":
            return DeviceRestarted(device, line.t_ms)
        case "shuffler_state":
            return ShufflerChanged(device, line.t_ms, line.state)
        case "shuffler_verdict":
            return ShufflerChanged(device, line.t_ms, line.result, line.count, line.expected)
        case "shoe_exit":
            return ShoeExit(device, line.t_ms, line.number, line.face)
        case "shoe_state":
            return ShoeChanged(device, line.t_ms, line.state, line.count or 0)
        case _:
            raise ValueError(
                f"unknown message {line.msg!r} of device {device}: expected tag_arrived, tag_left, scan_failed, …"
            )
