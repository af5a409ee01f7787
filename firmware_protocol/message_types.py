"""The messages of the wire protocol as values.

Made from messages.toml by firmware_protocol.generate; do not edit.
"""

from __future__ import annotations

import enum
from typing import Final

import msgspec

MAJOR: Final = 1
MINOR: Final = 2
FORBIDDEN_FIRST: Final = 0xD0
FORBIDDEN_LAST: Final = 0xDF


class DeviceKind(enum.StrEnum):
    """What a device is for."""

    READER = "reader"
    SHUFFLER = "shuffler"
    SHOE = "shoe"


class ScanFailure(enum.StrEnum):
    """Why a scan says nothing about what lies there."""

    COLLISION = "collision"
    CRC = "crc"
    TIMEOUT = "timeout"
    NO_FIELD = "no_field"
    OVERLOAD = "overload"


class ShufflerStatus(enum.StrEnum):
    """What a shuffler is doing."""

    IDLE = "idle"
    LOADING = "loading"
    SHUFFLING = "shuffling"
    READY = "ready"
    DELIVERED = "delivered"
    DOOR_OPEN = "door_open"
    JAM = "jam"
    FAULT = "fault"


class ShufflerResult(enum.StrEnum):
    """What a shuffler found when it counted a deck."""

    COMPLETE = "complete"
    SHORT = "short"
    LONG = "long"
    UNREADABLE = "unreadable"
    DUPLICATE = "duplicate"


class ShoeStatus(enum.StrEnum):
    """Whether a shoe counts what leaves it: blocked is something that stands in its exit, open a cover that is not closed."""

    COUNTING = "counting"
    BLOCKED = "blocked"
    OPEN = "open"
    FAULT = "fault"


class ShoeFace(enum.StrEnum):
    """Which way a card faced when it left a shoe.

    unknown: there is no face sensor, or it could not tell.
    """

    UNKNOWN = "unknown"
    DOWN = "down"
    UP = "up"


class IdentifyRequest(msgspec.Struct, frozen=True, gc=False, tag="identify_request"):
    """Opens a session.

    Repeated until the device answers; a nonce that the device does not know yet begins a session, the
    same one again does not. The layout of this message and of identify is the same in every major
    version.
    """

    #: protocol version of the host
    major: int
    minor: int
    #: 1 to 4294967295; names the session, new at each start of the host
    nonce: int
    #: the session that this one continues, 0 if none
    last_nonce: int = 0
    #: the last message the host took in that session
    last_seq: int = 0


class Identify(msgspec.Struct, frozen=True, gc=False, tag="identify"):
    """Answers identify_request."""

    #: protocol version of the device
    major: int
    minor: int
    #: new at each start of the device
    boot_id: int
    kind: DeviceKind
    #: at most 24 characters
    model: str
    #: at most 24 characters; the serial number of its port
    serial: str
    #: at most 24 characters
    firmware: str
    #: 0 to 254; numbered from 1; 0: it reads no tags
    antennas: int
    #: ms; from scan to scan of one antenna
    scan_period_ms: int
    #: of the request that is answered
    nonce: int = 0


class Heartbeat(msgspec.Struct, frozen=True, gc=False, tag="heartbeat"):
    """Says that a side is there.

    Sent each period whatever else is sent.
    """

    #: ms; monotonic, wraps
    uptime_ms: int
    #: of the device; from the host: the nonce of the session
    boot_id: int
    #: the newest sequence number its sender has sent, 0: none
    last_seq: int


class SecureChallenge(msgspec.Struct, frozen=True, gc=False, tag="secure_challenge"):
    """A device that has keys asks the host to prove that it has one of them.

    Follows each identify until the session of that nonce is secured.
    """

    #: 1 to 4294967295; of the request that is answered
    nonce: int
    #: 1 to 255; which of its keys the device means
    key_id: int
    #: random, new for each nonce
    challenge: bytes


class SecureAnswer(msgspec.Struct, frozen=True, gc=False, tag="secure_answer"):
    """Answers secure_challenge.

    Repeated until secure_ready comes.
    """

    #: 1 to 4294967295
    nonce: int
    #: random, new for each nonce
    answer: bytes
    #: that the host has the key
    proof: bytes


class SecureReady(msgspec.Struct, frozen=True, gc=False, tag="secure_ready"):
    """The device has begun the secured session.

    Answers each secure_answer with a right proof.
    """

    #: 1 to 4294967295
    nonce: int
    #: that the device has the key
    proof: bytes


class InventoryRequest(msgspec.Struct, frozen=True, gc=False, tag="inventory_request"):
    """Asks what lies on an antenna, or on all.

    Answered with inventory for each antenna (or scan_failed where none is possible) and inventory_done; a
    shuffler sends its shuffler_state, a shoe its shoe_state before all antennas, then inventory_done.
    """

    #: 1 to 65535
    request_id: int
    #: 1 to 255; 255: all
    antenna: int = 255


class Inventory(msgspec.Struct, frozen=True, gc=False, tag="inventory"):
    """Everything an antenna sees in one clean scan, in `parts` messages of at most 16 tags; an empty antenna sends one without tags.

    Changes count from the scan it names.
    """

    #: of the request, 0: sent unasked
    request_id: int
    #: 1 to 254
    antenna: int
    #: ms; device time of the scan, wraps
    t_ms: int
    #: number of the scan on this antenna
    scan: int
    #: ms
    scan_period_ms: int
    #: 1 to 255; 1 to parts
    part: int
    #: 1 to 255
    parts: int
    #: at most 16
    uids: tuple[bytes, ...]

    def __repr__(self) -> str:
        return (
            f"Inventory(request_id={self.request_id!r}, antenna={self.antenna!r}, t_ms={self.t_ms!r}, scan={self.scan!r},"
            f" scan_period_ms={self.scan_period_ms!r}, part={self.part!r}, parts={self.parts!r}, uids=<{len(self.uids)} UIDs>)"
        )


class InventoryDone(msgspec.Struct, frozen=True, gc=False, tag="inventory_done"):
    """Ends the answer to an inventory_request."""

    #: 1 to 65535
    request_id: int


class TagArrived(msgspec.Struct, frozen=True, gc=False, tag="tag_arrived"):
    """A clean scan saw a tag that the clean scan before it had not seen.

    Not debounced.
    """

    #: 1 to 254
    antenna: int
    #: ms; device time of the scan, wraps
    t_ms: int
    #: number of the scan on this antenna
    scan: int
    #: ms
    scan_period_ms: int
    uid: bytes

    def __repr__(self) -> str:
        return (
            f"TagArrived(antenna={self.antenna!r}, t_ms={self.t_ms!r}, scan={self.scan!r},"
            f" scan_period_ms={self.scan_period_ms!r}, uid=<{len(self.uid)} bytes>)"
        )


class TagLeft(msgspec.Struct, frozen=True, gc=False, tag="tag_left"):
    """A clean scan did not see a tag that the clean scan before it had seen.

    Not debounced.
    """

    #: 1 to 254
    antenna: int
    #: ms; device time of the scan, wraps
    t_ms: int
    #: number of the scan on this antenna
    scan: int
    #: ms
    scan_period_ms: int
    uid: bytes

    def __repr__(self) -> str:
        return (
            f"TagLeft(antenna={self.antenna!r}, t_ms={self.t_ms!r}, scan={self.scan!r},"
            f" scan_period_ms={self.scan_period_ms!r}, uid=<{len(self.uid)} bytes>)"
        )


class ScanFailed(msgspec.Struct, frozen=True, gc=False, tag="scan_failed"):
    """A scan that says nothing: neither a read nor a miss of any tag."""

    #: 1 to 254
    antenna: int
    #: ms; device time of the scan, wraps
    t_ms: int
    #: number of the scan on this antenna
    scan: int
    #: ms
    scan_period_ms: int
    reason: ScanFailure


class ShufflerState(msgspec.Struct, frozen=True, gc=False, tag="shuffler_state"):
    """A shuffler's state, at each change and in answer to inventory_request."""

    #: ms; device time, wraps
    t_ms: int
    state: ShufflerStatus


class ShufflerVerdict(msgspec.Struct, frozen=True, gc=False, tag="shuffler_verdict"):
    """What a shuffler counted.

    A number of cards, never which.
    """

    #: ms; device time, wraps
    t_ms: int
    result: ShufflerResult
    #: cards
    count: int
    #: cards
    expected: int


class ShoeExit(msgspec.Struct, frozen=True, gc=False, tag="shoe_exit"):
    """A card has left the shoe, one message a card.

    That one did and which way it faced, never which card.
    """

    #: ms; device time at which the sensor was free again, wraps
    t_ms: int
    #: 1 to 4294967295; counts the exits since the shoe started
    number: int
    face: ShoeFace


class ShoeState(msgspec.Struct, frozen=True, gc=False, tag="shoe_state"):
    """A shoe's state, at each change and in answer to inventory_request."""

    #: ms; device time, wraps
    t_ms: int
    state: ShoeStatus
    #: cards; the number of the newest exit, 0: none yet
    exits: int


class Overflow(msgspec.Struct, frozen=True, gc=False, tag="overflow"):
    """Stands for the oldest waiting messages, which the device had to drop.

    It has the number of the first of them and takes up the numbers of all: the next message is last_seq +
    1.
    """

    first_seq: int
    last_seq: int
    #: messages; 1 to 16384; 16384: that many or more
    lost: int


class LogText(msgspec.Struct, frozen=True, gc=False, tag="log_text"):
    """Diagnostics for people.

    Never a card, a UID or an order of cards; hosts keep it out of the journal.
    """

    #: at most 64 characters
    text: str


Message = (
    IdentifyRequest
    | Identify
    | Heartbeat
    | SecureChallenge
    | SecureAnswer
    | SecureReady
    | InventoryRequest
    | Inventory
    | InventoryDone
    | TagArrived
    | TagLeft
    | ScanFailed
    | ShufflerState
    | ShufflerVerdict
    | ShoeExit
    | ShoeState
    | Overflow
    | LogText
)
