"""What the table expects from the outside: observations of devices, movements of tags, and where rows and facts go.

Times are ``t_ms``: table time in milliseconds, monotonic. Simulated time may run faster than the clock on the wall; nothing here
knows. UIDs occur only on this side of the vault: values that hold one never print it.
"""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

LinkState = Literal["ok", "connecting", "stale", "lost", "refused", "fault"]


class TagArrived(msgspec.Struct, frozen=True):
    """Undebounced: scan ``scan`` of an antenna saw a tag that its last clean scan had not seen."""

    device: str
    antenna: int
    uid: bytes
    t_ms: int
    scan: int
    scan_period_ms: int

    def __repr__(self) -> str:
        return f"TagArrived({self.device}, antenna {self.antenna}, t {self.t_ms} ms)"


class TagLeft(msgspec.Struct, frozen=True):
    """Undebounced: scan ``scan`` of an antenna, clean, no longer saw a tag."""

    device: str
    antenna: int
    uid: bytes
    t_ms: int
    scan: int
    scan_period_ms: int

    def __repr__(self) -> str:
        return f"TagLeft({self.device}, antenna {self.antenna}, t {self.t_ms} ms)"


class ScanFailed(msgspec.Struct, frozen=True):
    """A scan of an antenna gave no usable answer: what lies there is unknown, not gone."""

    device: str
    antenna: int
    t_ms: int
    scan: int
    scan_period_ms: int
    reason: str


class InventorySeen(msgspec.Struct, frozen=True):
    """Everything an antenna sees, complete: the base from which changes count."""

    device: str
    antenna: int
    uids: tuple[bytes, ...]
    t_ms: int
    scan: int
    scan_period_ms: int

    def __repr__(self) -> str:
        return (
            f"InventorySeen({self.device}, antenna {self.antenna}, {len(self.uids)} tags, t {self.t_ms} ms)"
        )


class ShufflerChanged(msgspec.Struct, frozen=True):
    """A shuffler's state or verdict: counts and states only."""

    device: str
    t_ms: int
    state: str
    count: int | None = None
    expected: int | None = None


class ShoeExit(msgspec.Struct, frozen=True):
    """A card left the shoe. ``number``: the exits since the shoe started, 1 for the first; ``face``: unknown, down or up.

    Which card it was no shoe says.
    """

    device: str
    t_ms: int
    number: int
    face: str = "unknown"


class ShoeChanged(msgspec.Struct, frozen=True):
    """Whether a shoe counts (``state`` "counting"), and the number of its newest exit."""

    device: str
    t_ms: int
    state: str
    exits: int = 0


class LinkChanged(msgspec.Struct, frozen=True):
    """A device's link state changed. ``detail`` is a code with parameters for the lamp's text."""

    device: str
    t_ms: int
    state: LinkState
    detail: str = ""
    params: dict[str, str | int] = {}


class DeviceRestarted(msgspec.Struct, frozen=True):
    """A device came back with another boot id: all that it saw must be seen anew."""

    device: str
    t_ms: int


class ForbiddenData(msgspec.Struct, frozen=True):
    """A device sent a message that must not exist (card order). Its payload was dropped unread."""

    device: str
    t_ms: int


class BadgeSeen(msgspec.Struct, frozen=True):
    """A person's badge was shown to a badge reader. ``badge``: a keyed hash of its UID, which no one gets to see.

    ``back``: it had only been away for a moment, as one does that is held at an angle.
    """

    device: str
    t_ms: int
    badge: str
    back: bool = False


class BadgeLeft(msgspec.Struct, frozen=True):
    """A badge is not at the reader any more."""

    device: str
    t_ms: int
    badge: str


Observation = (
    TagArrived
    | TagLeft
    | ScanFailed
    | InventorySeen
    | ShufflerChanged
    | ShoeExit
    | ShoeChanged
    | LinkChanged
    | DeviceRestarted
    | ForbiddenData
    | BadgeSeen
    | BadgeLeft
)


class TagPlaced(msgspec.Struct, frozen=True):
    """A tag lies at a zone, debounced. It came after ``since_ms`` (last clean scan without it) and by ``first_ms`` (first read)."""

    zone: str
    uid: bytes
    since_ms: int
    first_ms: int
    t_ms: int

    def __repr__(self) -> str:
        return f"TagPlaced({self.zone}, t {self.t_ms} ms)"


class TagRemoved(msgspec.Struct, frozen=True):
    """A tag has left a zone, debounced. It was last read at ``since_ms``."""

    zone: str
    uid: bytes
    since_ms: int
    t_ms: int

    def __repr__(self) -> str:
        return f"TagRemoved({self.zone}, t {self.t_ms} ms)"


class TagGlimpsed(msgspec.Struct, frozen=True):
    """One clean read of a tag that was not followed by a second, and the tag lies nowhere else: badly placed, or on its way.

    It was read at ``first_ms``; ``t_ms`` is when it was given up.
    """

    zone: str
    uid: bytes
    first_ms: int
    t_ms: int

    def __repr__(self) -> str:
        return f"TagGlimpsed({self.zone}, t {self.t_ms} ms)"


class ZoneTrouble(msgspec.Struct, frozen=True):
    """A zone cannot be trusted now. ``kind``: conflict (one tag at two zones), failing, mangled, clear."""

    zone: str
    kind: Literal["conflict", "failing", "mangled", "clear"]
    t_ms: int


Movement = TagPlaced | TagRemoved | TagGlimpsed | ZoneTrouble


class ZoneFilter(Protocol):
    """Turns undebounced observations into movements. Pure but for its own state; time comes with the calls."""

    def feed(self, observation: Observation) -> list[Movement]:
        """Take one observation; return what is now certain, oldest first."""

    def tick(self, t_ms: int) -> list[Movement]:
        """Let time pass up to ``t_ms``; return what became certain by it, oldest first."""

    def next_deadline_ms(self) -> int | None:
        """When :meth:`tick` could have something to say, or None."""

    def knows(self, uid: bytes) -> bool:
        """Whether a tag lies at a zone, came to one a moment ago or has just left it."""

    def mangled(self, uid: bytes) -> bool:
        """Whether no tag can have this UID."""

    def occupied(self) -> dict[str, tuple[bytes, ...]]:
        """The tags that lie at each zone now, debounced."""
