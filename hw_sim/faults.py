"""What can go wrong with the simulated hardware: one catalogue, one grammar, for scripts and for the control channel.

    fault COMPONENT FAULT [INSTANCE] [KEY=VALUE …]

The kinds of faults are those of PX4's failure injection (ok, off, stuck, garbage, wrong, slow, delayed, intermittent), and a few that
only card tables have. A fault that a component does not have, or that where it is asked for cannot do, is refused and never
pretended. docs/faults.md is made from this catalogue.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from hw_sim.script_words import Bad, ms, number, place

Where = Literal["trace", "live"]
Instance = Literal["none", "device", "zone", "card"]
KeyKind = Literal["time", "share", "count", "zone", "card", "word"]

BOTH: Final[frozenset[Where]] = frozenset(("trace", "live"))
LIVE: Final[frozenset[Where]] = frozenset(("live",))

_SHARE: Final = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,2}))?%")
_CARD: Final = re.compile(r"(?:seat(?:1[01]|[1-9])|board[23]?):[1-9]")
_DEVICES: Final = ("reader", "shuffler", "shoe")


class Key(msgspec.Struct, frozen=True):
    """A key of a fault. ``words``: what a word may be; ``default`` None: it must be given. ``high``: of counts."""

    name: str
    kind: KeyKind
    what: str
    default: int | str | None = None
    words: tuple[str, ...] = ()
    high: int = 100_000


class Entry(msgspec.Struct, frozen=True):
    """A fault of a component, and what it does. ``where``: whether a trace can hold it, or only real ports."""

    component: str
    fault: str
    what: str
    keys: tuple[Key, ...] = ()
    where: frozenset[Where] = LIVE

    @property
    def name(self) -> str:
        """Component and fault."""
        return f"{self.component} {self.fault}"


class Fault(msgspec.Struct, frozen=True):
    """A fault asked for, checked: ``params`` are complete. Shares are hundredths of a per cent, times ms.

    ``for_ms``: it ends by itself after so long; None: it does not.
    """

    component: str
    fault: str
    instance: str = ""
    params: dict[str, int | str] = {}
    for_ms: int | None = None

    def number(self, name: str) -> int:
        """A parameter that is a number."""
        return int(self.params[name])

    def word(self, name: str) -> str:
        """A parameter that is a word."""
        return str(self.params[name])


class Unsupported(Exception):
    """Where it was asked for this fault cannot be done; says what could."""

    def __init__(self, expected: str) -> None:
        self.expected = expected
        super().__init__(expected)


FOR: Final = Key("for", "time", "it ends by itself after this time", 0)
_PART: Final = Key("share", "share", "of the frames", 500)

#: Component → what its instance is, and which it is when none is named.
COMPONENTS: Final[Mapping[str, tuple[Instance, str]]] = {
    "line": ("device", "reader"),
    "port": ("device", "reader"),
    "reader": ("none", ""),
    "shuffler": ("none", ""),
    "shoe": ("none", ""),
    "antenna": ("zone", ""),
    "card": ("card", ""),
    "pcsc": ("none", ""),
}

CATALOGUE: Final[tuple[Entry, ...]] = (
    # -- bytes on the way between a device and the host
    Entry(
        "line",
        "off",
        "Half open: the port stays, bytes vanish",
        (Key("way", "word", "which", "both", ("both", "in", "out")),),
    ),
    Entry("line", "stuck", "The device takes nothing that the host writes; the port's buffer fills"),
    Entry(
        "line",
        "garbage",
        "Noise on the line, once: random bytes, zeros, or beginnings of frames that are none",
        (
            Key("count", "count", "bytes", 200),
            Key("how", "word", "what kind", "noise", ("noise", "zeros", "false_sync")),
        ),
    ),
    Entry("line", "wrong", "A bit of a frame flips, its checksum does not fit", (_PART,)),
    Entry("line", "intermittent", "A byte of a frame is lost", (_PART,)),
    Entry("line", "double", "A byte of a frame comes twice", (_PART,)),
    Entry("line", "repeat", "A whole frame comes twice", (_PART,)),
    Entry("line", "reorder", "A frame comes behind the one after it", (_PART,)),
    Entry("line", "split", "Every byte comes by itself"),
    Entry(
        "line",
        "merge",
        "Bytes are held and come all at once: events glued behind an acknowledgement",
        (Key("ms", "time", "held so long", 120),),
    ),
    Entry(
        "line", "slow", "The line carries fewer bits a second", (Key("baud", "count", "bits a second", 9600),)
    ),
    Entry(
        "line",
        "delayed",
        "Every byte comes late (16 ms: a USB adapter's latency timer)",
        (Key("ms", "time", "so late", 16),),
    ),
    # -- the adapter and its cable
    Entry("port", "off", "The cable is pulled: port and link are gone, whoever has it open gets an error"),
    Entry(
        "port",
        "intermittent",
        "A loose plug: out and in again and again",
        (Key("every", "time", "how often", 2000), Key("gone", "time", "out so long", 300)),
    ),
    Entry(
        "port",
        "renumber",
        "Out and in at once, and the port has another number, because the old one is still taken",
    ),
    Entry("port", "twin", "A second adapter claims the same serial number"),
    Entry("port", "stranger", "Another device hangs on the cable: it says another serial number"),
    # -- the reader's own program
    Entry("reader", "off", "It hangs: takes nothing, says nothing; the port stays"),
    Entry(
        "reader",
        "reboot",
        "It restarts, all forgotten",
        (Key("garbage", "count", "bytes of noise while it boots", 0),),
    ),
    Entry(
        "reader",
        "stuck",
        "It lives, but its scans stand still: it goes on telling what it saw last",
        where=BOTH,
    ),
    Entry("reader", "delayed", "Its reports come late, in order", (Key("ms", "time", "so late", 800),), BOTH),
    Entry(
        "reader",
        "overflow",
        "It has more to tell than it can keep: the oldest is dropped, and that is told",
        (Key("count", "count", "messages at once", 700),),
    ),
    Entry(
        "reader",
        "quiet",
        "It does not tell of cards that come; only an inventory lists them (tags left in their quiet state)",
        where=BOTH,
    ),
    Entry("reader", "version", "It restarts with firmware that speaks another major version of the protocol"),
    Entry("reader", "forbidden", "It sends a message with an order of cards, which must not exist"),
    # -- one antenna
    Entry("antenna", "off", "A broken coil: it reads nothing, and its scans are clean", where=BOTH),
    Entry("antenna", "stuck", "It goes on seeing what it saw when it got stuck", where=BOTH),
    Entry("antenna", "garbage", "Its replies are corrupt: the scan says nothing", where=BOTH),
    Entry(
        "antenna",
        "wrong",
        "The UIDs of cards that come are mangled",
        (Key("how", "word", "how", "truncated", ("truncated", "reversed", "cascade", "ones")),),
        BOTH,
    ),
    Entry("antenna", "delayed", "Cards are first read late", (Key("ms", "time", "so late", 800),), BOTH),
    Entry("antenna", "intermittent", "Scans miss cards", (Key("share", "share", "of scans", 3000),), BOTH),
    Entry("antenna", "ghost", "It reads a card that is not there, of no deck of this table", where=BOTH),
    Entry(
        "antenna",
        "neighbour",
        "It reads the cards of another place as well",
        (Key("of", "zone", "whose"),),
        BOTH,
    ),
    Entry(
        "antenna",
        "depth",
        "Of stacked cards it reads only the newest",
        (Key("cards", "count", "so many", 2, high=10),),
        BOTH,
    ),
    Entry("antenna", "double", "Every card that comes is told twice", where=BOTH),
    # -- one card
    Entry("card", "off", "It is not read where it lies", where=BOTH),
    Entry("card", "intermittent", "Scans miss it", (Key("share", "share", "of scans", 5000),), BOTH),
    Entry("card", "echo", "Another antenna reads it as well", (Key("at", "zone", "which"),), BOTH),
    Entry("card", "wrong", "Its tag and another card's are exchanged", (Key("with", "card", "whose"),), BOTH),
    # -- single-card readers
    Entry("pcsc", "off", "pcscd is killed"),
    Entry("pcsc", "stuck", "pcscd hangs: it takes calls and answers none"),
    Entry("pcsc", "restart", "pcscd ends and is started again at once"),
    Entry("pcsc", "gone", "The reader vanishes, pcscd stays"),
    Entry(
        "pcsc",
        "wrong",
        "The card answers with an error to everything",
        (Key("status", "word", "status word", "6300", ("6300", "6a81", "6f00", "9000")),),
    ),
    # -- the shuffler
    Entry("shuffler", "jam", "A jam", where=BOTH),
    Entry("shuffler", "door", "Its door is open", where=BOTH),
    Entry("shuffler", "not_ready", "It is still shuffling", where=BOTH),
    Entry("shuffler", "fault", "It reports a fault of its own", where=BOTH),
    Entry(
        "shuffler",
        "count",
        "It has counted another number of cards than the deck has",
        (Key("cards", "count", "so many", 51, high=255),),
        BOTH,
    ),
    Entry(
        "shuffler",
        "wrong",
        "It has found a card twice, or one that it cannot read",
        (Key("how", "word", "which", "duplicate", ("duplicate", "unreadable")),),
        BOTH,
    ),
    Entry("shuffler", "off", "It hangs; the port stays"),
    Entry("shuffler", "reboot", "It restarts in the middle of a shuffle, and the shuffle is lost"),
    # -- the shoe
    Entry("shoe", "blocked", "Something stands in its exit: it says so and counts nothing", where=BOTH),
    Entry("shoe", "open", "Its cover is open: it says so and counts nothing", where=BOTH),
    Entry("shoe", "fault", "It reports a fault of its own and counts nothing", where=BOTH),
    Entry(
        "shoe",
        "intermittent",
        "It misses cards",
        (Key("share", "share", "of the cards", 500),),
        BOTH,
    ),
    Entry(
        "shoe",
        "wrong",
        "Its face sensor takes one side for the other",
        (Key("share", "share", "of the cards", 500),),
        BOTH,
    ),
    Entry("shoe", "off", "It hangs; the port stays"),
    Entry("shoe", "reboot", "It restarts and counts from 1 again"),
)

_ENTRIES: Final = {(entry.component, entry.fault): entry for entry in CATALOGUE}


def entry_of(fault: Fault) -> Entry:
    """The catalogue's entry of a fault; of ``ok`` one that every component has."""
    if fault.fault == "ok":
        return Entry(fault.component, "ok", "Well again", where=BOTH)
    return _ENTRIES[fault.component, fault.fault]


def usage(component: str = "", fault: str = "") -> str:
    """What was expected, as far as it is known what was meant."""
    if component not in COMPONENTS:
        return f"fault COMPONENT FAULT [INSTANCE] [KEY=VALUE…], of {', '.join(COMPONENTS)}"
    entry = _ENTRIES.get((component, fault))
    if entry is None:
        known = [entry.fault for entry in CATALOGUE if entry.component == component]
        return f"a fault of {component}: ok, {', '.join(known)}"
    instance = {"none": "", "device": " [reader|shuffler|shoe]", "zone": " ZONE", "card": " PLACE:K"}
    keys = "".join(f" [{key.name}={_form(key)}]" for key in (*entry.keys, FOR))
    return f"fault {component} {fault}{instance[COMPONENTS[component][0]]}{keys}"


def _form(key: Key) -> str:
    match key.kind:
        case "time":
            return "TIME"
        case "share":
            return "N%"
        case "count":
            return "N"
        case "zone":
            return "ZONE"
        case "card":
            return "PLACE:K"
        case "word":
            return "|".join(key.words)


def parse(words: Sequence[str]) -> Fault:
    """The fault of a line, whose words follow ``fault``. Raises Bad."""
    if len(words) < 2:
        raise Bad(usage(words[0] if words else ""))
    component, fault, *rest = words
    plain = [word for word in rest if "=" not in word]
    keys = dict([word.split("=", 1) for word in rest if "=" in word])
    if len(plain) > 1 or len(keys) + len(plain) != len(rest):
        raise Bad(usage(component, fault))
    return _checked(component, fault, plain[0] if plain else "", keys)


def from_request(request: Mapping[str, Any]) -> Fault:
    """The fault of a request of the control channel: component, fault, instance, and keys as text. Raises Bad."""
    given = {name: value for name, value in request.items() if name != "do"}
    texts = {name: str(value) for name, value in given.items() if isinstance(value, str | int)}
    if texts.keys() != given.keys():
        raise Bad("texts and whole numbers")
    component, fault = texts.pop("component", ""), texts.pop("fault", "")
    return _checked(component, fault, texts.pop("instance", ""), texts)


def _checked(component: str, fault: str, instance: str, given: Mapping[str, str]) -> Fault:
    entry = _ENTRIES.get((component, fault))
    if component not in COMPONENTS or (entry is None and fault != "ok"):
        raise Bad(usage(component, fault))
    instance = _instance(component, fault, instance)
    if entry is None:
        if given:
            raise Bad(f"fault {component} ok, without keys")
        return Fault(component, fault, instance)
    known = {key.name: key for key in (*entry.keys, FOR)}
    if not given.keys() <= known.keys():
        raise Bad(usage(component, fault))
    params: dict[str, int | str] = {}
    for key in entry.keys:
        if key.name in given:
            params[key.name] = _value(key, given[key.name])
        elif key.default is None:
            raise Bad(usage(component, fault))
        else:
            params[key.name] = key.default
    for_ms = ms(given["for"]) if "for" in given else None
    return Fault(component, fault, instance, params, for_ms)


def _instance(component: str, fault: str, given: str) -> str:
    kind, default = COMPONENTS[component]
    match kind:
        case "none":
            if given:
                raise Bad(f"no instance: there is one {component}")
            return ""
        case "device":
            if given not in ("", *_DEVICES):
                raise Bad(f"a device: {', '.join(_DEVICES)}")
            return given or default
        case "zone":
            # all of them are well again
            return place(given, whole=True) if given or fault != "ok" else ""
        case "card":
            if not given and fault == "ok":
                return ""
            return _card(given)


def _card(text: str) -> str:
    if not _CARD.fullmatch(text):
        raise Bad("a card by its place, as seat4:1 or board:3")
    return text


def _value(key: Key, text: str) -> int | str:
    match key.kind:
        case "time":
            return ms(text)
        case "count":
            return number(text, 0, key.high)
        case "share":
            found = _SHARE.fullmatch(text)
            share = int(found[1]) * 100 + int((found[2] or "0").ljust(2, "0")) if found else 0
            if not 0 < share <= 10_000:
                raise Bad(f"{key.name}: a share above 0 % and up to 100 %, as 5% or 0.5%")
            return share
        case "zone":
            return place(text, whole=True)
        case "card":
            return _card(text)
        case "word":
            if text not in key.words:
                raise Bad(f"{key.name}: {', '.join(key.words)}")
            return text
