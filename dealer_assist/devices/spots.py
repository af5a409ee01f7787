"""What the zone filter is told and what it remembers: parameters, antennas, zones, tags, and the spot where tag and zone meet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from dealer_assist.devices.deadlines import NEVER, Timed


class ZoneParameters(msgspec.Struct, frozen=True):
    """How reads become movements. Times in ms.

    ``arrive_reads``: reads that place a tag (1 to 10). ``leave_ms`` and ``leave_misses``: what removes it, both. ``slack_ms``:
    how late a message may be. ``settle_ms``: how long a card is away from a gate before it may be shown there anew.
    ``failing_after``: failed scans in a row that make an antenna's zone doubtful, and clean ones that end it.
    ``mangled_hold_ms``: how long a zone stays doubtful after an impossible UID. ``link_doubt_ms``: how long before a loss was
    noticed a device may have been silent.
    """

    arrive_reads: int = 2
    leave_ms: int = 500
    leave_misses: int = 2
    slack_ms: int = 30
    settle_ms: int = 1000
    failing_after: int = 5
    mangled_hold_ms: int = 2000
    link_doubt_ms: int = 1500
    gates: frozenset[str] = frozenset()


class ZoneCounts(msgspec.Struct):
    """What the filter left out: impossible UIDs, reports of antennas without a zone, tags at two zones, failed scans."""

    mangled: int = 0
    unmapped: int = 0
    conflicts: int = 0
    failed_scans: int = 0


_UID_SIZES: Final = frozenset((4, 7, 8, 10))


def is_mangled(uid: bytes) -> bool:
    """Whether no tag can have this UID: a wrong length, a cascade tag kept (88…), all 00 or FF, or ISO 15693 back to front."""
    size = len(uid)
    if size not in _UID_SIZES:
        return True
    first = uid[0]
    if first == 0x88 and size in (4, 7):
        return True
    if first in (0x00, 0xFF) and uid.count(first) == size:
        return True
    return size == 8 and first != 0xE0 and uid[7] == 0xE0


class ZoneState(Timed):
    """A zone. ``blind`` are the bits of antennas that are out of sight; the deadline ends the trouble with mangled UIDs."""

    __slots__ = ("blind", "gate", "mangled", "name", "spots", "troubles")

    def __init__(self, name: str, rank: int, *, gate: bool) -> None:
        super().__init__(rank)
        self.name = name
        self.gate = gate
        self.spots: dict[bytes, Spot] = {}
        self.blind = 0
        self.troubles = 0
        self.mangled = False


MAX_LEAD_MS: Final = 800
"""No longer is a fast device held back: a reader that looks more seldom than that cannot tell an order anyway."""


class Pace:
    """How fast a device looks: its parameters, and the scan period that it told last (0 before it has told any)."""

    __slots__ = ("lead_ms", "p", "period_ms")

    def __init__(self, p: ZoneParameters) -> None:
        self.p = p
        self.period_ms = 0
        self.lead_ms = 0

    def needs_ms(self) -> int:
        """From the first read of a tag until it is placed."""
        return (self.p.arrive_reads - 1) * self.period_ms + self.p.slack_ms


def set_leads(paces: Iterable[Pace]) -> None:
    """Let fast devices wait for slow ones: what was laid first is placed first, whoever reads it.

    A device that looks every 100 ms would otherwise place a card before a slower one has looked at the seat that was served before.
    """
    known = [pace for pace in paces if pace.period_ms]
    most_ms = max((pace.needs_ms() for pace in known), default=0)
    slowest_ms = max((pace.period_ms for pace in known), default=0)
    for pace in known:
        lead_ms = most_ms - pace.needs_ms() + slowest_ms - pace.period_ms
        pace.lead_ms = min(lead_ms, MAX_LEAD_MS)


class Antenna(Timed):
    """An antenna of a zone. The deadline ends the trouble with failed scans. ``pace`` and ``p``: its device's.

    ``clean_ms`` is the last time at which all that it saw was known for certain; ``unknown`` until an inventory says it anew.
    """

    __slots__ = (
        "bit",
        "clean_ms",
        "failed_from_ms",
        "failed_ms",
        "failing",
        "failures",
        "p",
        "pace",
        "unknown",
        "zone",
    )

    def __init__(self, zone: ZoneState, bit: int, pace: Pace) -> None:
        super().__init__(zone.rank)
        self.zone = zone
        self.pace = pace
        self.p = pace.p
        self.bit = bit
        self.clean_ms = 0
        self.unknown = False
        self.failing = False
        self.failures = 0
        self.failed_from_ms = -NEVER
        self.failed_ms = -NEVER

    def before(self, t_ms: int, period_ms: int) -> int:
        """The last clean scan before the scan at ``t_ms``: failed ones right before it do not count."""
        if 0 <= t_ms - self.failed_ms <= period_ms + period_ms // 2:
            return self.failed_from_ms - period_ms
        return t_ms - period_ms


class Tag:
    """A tag that some zone sees or saw a moment ago. ``at`` is the spot where it counts as lying."""

    __slots__ = ("at", "spots", "uid")

    def __init__(self, uid: bytes) -> None:
        self.uid = uid
        self.at: Spot | None = None
        self.spots: list[Spot] = []


class Spot(Timed):
    """A tag at a zone: one read, read twice (``confirmed``), lying there (``tag.at``), or just left (``left_ms``).

    ``mask`` are the bits of the antennas that see it now. ``release_ms``: from then on, after it left, another zone may have it.
    """

    __slots__ = (
        "antenna",
        "arrived_ms",
        "confirmed",
        "conflict",
        "failed",
        "first_ms",
        "last_ms",
        "left_ms",
        "mask",
        "period_ms",
        "reads",
        "release_ms",
        "since_ms",
        "tag",
        "zone",
    )

    def __init__(self, tag: Tag, antenna: Antenna, since_ms: int, t_ms: int, period_ms: int) -> None:
        self.deadline = NEVER
        self.queued = NEVER
        self.rank = antenna.rank
        self.tag = tag
        self.zone = antenna.zone
        self.antenna = antenna
        self.mask = antenna.bit
        self.since_ms = since_ms
        self.first_ms = t_ms
        self.arrived_ms = t_ms
        self.period_ms = period_ms
        self.reads = 1
        self.failed = 0
        self.confirmed = False
        self.conflict = False
        self.left_ms: int | None = None
        self.last_ms = t_ms
        self.release_ms = NEVER

    def is_blind(self) -> bool:
        """Whether every antenna that saw the tag here is out of sight."""
        return self.mask != 0 and not self.mask & ~self.zone.blind
