"""From undebounced reads to movements of cards.

Readers report changes only: a scan of which nothing is said was clean and saw what the scan before it saw. So a tag that arrived
at scan n and has not left when scan n+1 must have been told has been read twice, and a tag that left is missed once more with
every scan period that passes. All times are table time (the device's own clock, mapped), so simulated time may run fast.

- A tag is *placed* at its second read, *removed* after a time and a number of clean misses; a flicker in between is nothing.
- A tag that was read once and no second time, and lies nowhere else, was *glimpsed*: no movement, but evidence.
- Failed scans are neither reads nor misses: they put both off.
- A tag lies at one zone. Read at two, it stays where it was, and the newer zone is in conflict; unless it leaves the older one:
  then it has moved, at once when the older zone has already missed it twice.
- A link that is lost or a device that restarted removes nothing: the device's next inventory decides.
- A *gate* is a place where a card is shown and laid aside: one report is a reading, leaving is no movement.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from dealer_assist.devices.deadlines import NEVER, Deadlines, Timed
from dealer_assist.devices.spots import (
    Antenna,
    Pace,
    Spot,
    Tag,
    ZoneCounts,
    ZoneParameters,
    ZoneState,
    is_mangled,
    set_leads,
)
from dealer_assist.table.ports import (
    DeviceRestarted,
    InventorySeen,
    LinkChanged,
    Movement,
    Observation,
    ScanFailed,
    TagArrived,
    TagGlimpsed,
    TagLeft,
    TagPlaced,
    TagRemoved,
    ZoneTrouble,
)

__all__ = ["ZoneCounts", "ZoneParameters", "Zones"]

_Trouble = Literal["conflict", "failing", "mangled"]

_DEFAULT: Final = ZoneParameters()
NO_DEVICES: Final[Mapping[str, ZoneParameters]] = {}


class Zones:
    """The zones of a table (see :class:`dealer_assist.table.ports.ZoneFilter`). Several antennas may serve one zone.

    ``parameters`` count for every device that ``by_device`` does not name; which zones are gates is told by them alone.

    No observation raises, and the outcome does not depend on how often :meth:`tick` is called.
    """

    __slots__ = ("_at", "_deadlines", "_devices", "_handlers", "_now", "_paces", "_tags", "_zones", "counts")

    def __init__(
        self,
        antennas: Mapping[tuple[str, int], str],
        *,
        parameters: ZoneParameters = _DEFAULT,
        by_device: Mapping[str, ZoneParameters] = NO_DEVICES,
    ) -> None:
        self.counts = ZoneCounts()
        self._zones: dict[str, ZoneState] = {}
        self._devices: dict[str, dict[int, Antenna]] = {}
        self._tags: dict[bytes, Tag] = {}
        self._deadlines = Deadlines()
        self._at = self._deadlines.at
        self._now = -NEVER
        self._paces: list[Pace] = []
        paces: dict[str, Pace] = {}
        bits: dict[str, int] = {}
        for (device, number), name in antennas.items():
            zone = self._zones.get(name)
            if zone is None:
                zone = self._zones[name] = ZoneState(name, len(self._zones), gate=name in parameters.gates)
            bits[name] = bits.get(name, 0) + 1
            pace = paces.get(device)
            if pace is None:
                pace = paces[device] = Pace(by_device.get(device, parameters))
            if not zone.gate and pace not in self._paces:
                self._paces.append(pace)
            self._devices.setdefault(device, {})[number] = Antenna(zone, 1 << (bits[name] - 1), pace)
        self._handlers: dict[type, Any] = {
            TagArrived: self._on_arrived,
            TagLeft: self._on_left,
            ScanFailed: self._on_failed,
            InventorySeen: self._on_inventory,
            LinkChanged: self._on_link,
            DeviceRestarted: self._on_restart,
        }

    # ------------------------------------------------------------ the port

    def feed(self, observation: Observation) -> list[Movement]:
        """Take one observation; return what is now certain, oldest first."""
        out: list[Movement] = []
        if self._deadlines.first_ms() <= observation.t_ms:
            out = self.tick(observation.t_ms)
        handler = self._handlers.get(type(observation))
        if handler is not None:
            handler(observation, out)
        return out

    def tick(self, t_ms: int) -> list[Movement]:
        """Let time pass up to ``t_ms`` (table time); return what became certain by it, oldest first."""
        out: list[Movement] = []
        deadlines = self._deadlines
        while (due := deadlines.first_ms()) <= t_ms:
            self._fire(deadlines.pop(), due, out)
        return out

    def next_deadline_ms(self) -> int | None:
        """When :meth:`tick` could have something to say, or None."""
        due = self._deadlines.first_ms()
        return None if due == NEVER else due

    def knows(self, uid: bytes) -> bool:
        """Whether a tag lies at a zone, came to one a moment ago or has just left it."""
        return uid in self._tags

    def mangled(self, uid: bytes) -> bool:
        """Whether no tag can have this UID."""
        return is_mangled(uid)

    def occupied(self) -> dict[str, tuple[bytes, ...]]:
        """The tags that lie at each zone now, debounced; a zone without any has an empty tuple."""
        return {
            name: tuple([uid for uid, spot in zone.spots.items() if spot.tag.at is spot])
            if zone.spots
            else ()
            for name, zone in self._zones.items()
        }

    # ------------------------------------------------------------ time

    def _stamp(self, t_ms: int) -> int:
        """The time of a movement: movements never run backwards, though devices' messages may cross."""
        self._now = max(self._now, t_ms)
        return self._now

    def _fire(self, timed: Timed, t_ms: int, out: list[Movement]) -> None:
        if isinstance(timed, Spot):
            if timed.left_ms is None:
                self._confirm(timed, t_ms, out)
            else:
                self._gone(timed, t_ms, out)
        elif isinstance(timed, Antenna):
            timed.failing = False
            self._relieve(timed.zone, t_ms, out)
        elif isinstance(timed, ZoneState):
            timed.mangled = False
            self._relieve(timed, t_ms, out)

    # ------------------------------------------------------------ observations

    def _antenna(self, seen: TagArrived | TagLeft | ScanFailed | InventorySeen) -> Antenna | None:
        antennas = self._devices.get(seen.device)
        antenna = antennas.get(seen.antenna) if antennas is not None else None
        if antenna is None:
            self.counts.unmapped += 1
        elif antenna.pace.period_ms != seen.scan_period_ms:
            antenna.pace.period_ms = seen.scan_period_ms
            set_leads(self._paces)
        return antenna

    def _on_arrived(self, seen: TagArrived, out: list[Movement]) -> None:
        antenna = self._antenna(seen)
        if antenna is not None:
            t_ms, period_ms = seen.t_ms, seen.scan_period_ms
            self._arrive(antenna, seen.uid, antenna.before(t_ms, period_ms), t_ms, period_ms, out)

    def _on_left(self, seen: TagLeft, out: list[Movement]) -> None:
        antenna = self._antenna(seen)
        if antenna is not None:
            spot = antenna.zone.spots.get(seen.uid)
            if spot is not None and spot.mask & antenna.bit:
                t_ms, period_ms = seen.t_ms, seen.scan_period_ms
                self._leave(spot, antenna, antenna.before(t_ms, period_ms), t_ms, period_ms, out)

    def _on_failed(self, seen: ScanFailed, out: list[Movement]) -> None:
        antenna = self._antenna(seen)
        if antenna is None:
            return
        self.counts.failed_scans += 1
        t_ms, period_ms = seen.t_ms, seen.scan_period_ms
        if 0 <= t_ms - antenna.failed_ms <= period_ms + period_ms // 2:
            antenna.failures += 1
        else:
            antenna.failures = 1
            antenna.failed_from_ms = t_ms
        antenna.failed_ms = t_ms
        for spot in antenna.zone.spots.values():
            if spot.antenna is antenna and spot.deadline != NEVER:
                if spot.left_ms is not None:
                    spot.deadline += period_ms
                    spot.release_ms += period_ms
                elif not spot.confirmed:
                    spot.deadline += period_ms
                    spot.failed += 1
        if antenna.failures >= antenna.p.failing_after:
            if not antenna.failing:
                antenna.failing = True
                self._trouble(antenna.zone, "failing", t_ms, out)
            self._at(antenna, t_ms + antenna.p.failing_after * period_ms)

    def _on_inventory(self, seen: InventorySeen, out: list[Movement]) -> None:
        antenna = self._antenna(seen)
        if antenna is None:
            return
        t_ms, period_ms, uids, bit = seen.t_ms, seen.scan_period_ms, seen.uids, antenna.bit
        since_ms = min(antenna.clean_ms, antenna.before(t_ms, period_ms))
        last_ms = since_ms if antenna.unknown else antenna.before(t_ms, period_ms)
        antenna.unknown = False
        antenna.zone.blind &= ~bit
        for uid, spot in list(antenna.zone.spots.items()):
            if spot.mask & bit:
                if uid not in uids:
                    self._leave(spot, antenna, last_ms, t_ms, period_ms, out)
                elif not spot.confirmed and spot.deadline == NEVER:
                    self._read_again(spot, t_ms)
            elif spot.left_ms is not None and spot.deadline == NEVER and spot.antenna is antenna:
                self._wait(spot, t_ms)
        for uid in uids:
            known = antenna.zone.spots.get(uid)
            if known is None or not known.mask & bit:
                self._arrive(antenna, uid, since_ms, t_ms, period_ms, out)
        antenna.clean_ms = t_ms

    def _on_link(self, seen: LinkChanged, out: list[Movement]) -> None:
        antennas = self._devices.get(seen.device)
        if antennas is None:
            return
        if seen.state != "ok":
            self._lose_sight(antennas, seen.t_ms, unknown=seen.state != "stale")
            if seen.state != "stale":
                for antenna in antennas.values():
                    antenna.pace.period_ms = antenna.pace.lead_ms = 0
                set_leads(self._paces)
            return
        for antenna in antennas.values():
            if not antenna.unknown and antenna.zone.blind & antenna.bit:
                antenna.zone.blind &= ~antenna.bit
                for spot in antenna.zone.spots.values():
                    if spot.antenna is antenna and spot.deadline == NEVER:
                        if spot.left_ms is not None:
                            self._wait(spot, seen.t_ms)
                        elif not spot.confirmed:
                            self._at(spot, seen.t_ms + spot.period_ms + antenna.p.slack_ms)

    def _on_restart(self, seen: DeviceRestarted, out: list[Movement]) -> None:
        antennas = self._devices.get(seen.device)
        if antennas is not None:
            self._lose_sight(antennas, seen.t_ms, unknown=True)

    def _lose_sight(self, antennas: dict[int, Antenna], t_ms: int, *, unknown: bool) -> None:
        """Nothing becomes certain by a silence: what was under way waits for the next inventory (or the end of the silence)."""
        for antenna in antennas.values():
            antenna.unknown = antenna.unknown or unknown
            antenna.zone.blind |= antenna.bit
            antenna.clean_ms = max(antenna.clean_ms, t_ms - antenna.p.link_doubt_ms)
            for spot in antenna.zone.spots.values():
                if spot.antenna is antenna and (spot.left_ms is not None or not spot.confirmed):
                    spot.deadline = NEVER

    # ------------------------------------------------------------ a tag at a zone

    def _arrive(
        self, antenna: Antenna, uid: bytes, since_ms: int, t_ms: int, period_ms: int, out: list[Movement]
    ) -> None:
        zone = antenna.zone
        spot = zone.spots.get(uid)
        if spot is None:
            tag = self._tags.get(uid)
            if tag is None:
                if is_mangled(uid):
                    self._on_mangled(antenna, t_ms, out)
                    return
                tag = self._tags[uid] = Tag(uid)
            spot = zone.spots[uid] = Spot(tag, antenna, since_ms, t_ms, period_ms)
            tag.spots.append(spot)
            more, lead_ms = antenna.p.arrive_reads - 1, antenna.pace.lead_ms
            if zone.gate or more <= 0 >= lead_ms:
                self._confirm(spot, t_ms, out)
            else:
                self._at(spot, t_ms + more * period_ms + antenna.p.slack_ms + lead_ms)
            return
        spot.mask |= antenna.bit
        if spot.left_ms is None:
            return
        spot.antenna = antenna
        spot.period_ms = period_ms
        spot.left_ms = None
        spot.deadline = NEVER
        if spot.tag.at is spot:
            return
        if spot.confirmed:
            self._at(spot, t_ms + antenna.p.slack_ms)
        else:
            self._read_again(spot, t_ms)

    def _read_again(self, spot: Spot, t_ms: int) -> None:
        """One read more. Even when it is the last that was needed, other zones may still have a word on the same scan."""
        spot.reads += 1
        spot.arrived_ms = t_ms
        spot.failed = 0
        p, pace = spot.antenna.p, spot.antenna.pace
        more = max(0, p.arrive_reads - spot.reads)
        due_ms = t_ms + more * spot.period_ms + p.slack_ms
        self._at(
            spot, max(due_ms, spot.first_ms + pace.needs_ms() + pace.lead_ms) if pace.lead_ms else due_ms
        )

    def _leave(
        self, spot: Spot, antenna: Antenna, last_ms: int, t_ms: int, period_ms: int, out: list[Movement]
    ) -> None:
        """A clean scan missed a tag that ``antenna`` saw before, last at ``last_ms``."""
        spot.mask &= ~antenna.bit
        spot.antenna = antenna
        spot.period_ms = period_ms
        if spot.mask:
            return
        if not spot.confirmed:
            if period_ms > 0:
                between = (last_ms - spot.arrived_ms + period_ms // 2) // period_ms
                spot.reads += max(0, between - spot.failed)
            if spot.reads >= antenna.p.arrive_reads:
                self._confirm(spot, t_ms, out)
        tag = spot.tag
        spot.last_ms = max(spot.first_ms, last_ms)
        if spot.zone.gate and tag.at is not spot:
            return  # shown and laid aside before the zone where it lay had missed it: still to be placed
        self._wait(spot, t_ms)
        if tag.at is spot and len(tag.spots) > 1:
            for other in tag.spots:
                if other is not spot and other.confirmed and not other.conflict and other.left_ms is None:
                    self._at(other, spot.release_ms)

    def _wait(self, spot: Spot, t_ms: int) -> None:
        """From ``t_ms`` on the spot is missed: start the time after which the tag is gone."""
        p = spot.antenna.p
        spot.left_ms = t_ms
        spot.release_ms = t_ms + spot.period_ms + p.slack_ms
        if spot.zone.gate:
            self._at(spot, t_ms + p.settle_ms + p.slack_ms)
        else:
            self._at(spot, t_ms + max(p.leave_ms, (p.leave_misses - 1) * spot.period_ms) + p.slack_ms)

    def _confirm(self, spot: Spot, t_ms: int, out: list[Movement]) -> None:
        """The tag has been read often enough here. Place it, unless another zone still has it."""
        spot.confirmed = True
        tag = spot.tag
        old = tag.at
        if old is None:
            self._place(spot, t_ms, out)
        elif old is spot or spot.conflict:
            return
        elif old.is_blind():
            old.last_ms = max(old.first_ms, old.antenna.clean_ms)
            self._take(old, t_ms, out)
            self._place(spot, t_ms, out)
        elif old.left_ms is not None:
            if t_ms >= old.release_ms:
                self._take(old, t_ms, out)
                self._place(spot, t_ms, out)
            else:
                self._at(spot, old.release_ms)
        elif t_ms < spot.first_ms + spot.antenna.p.leave_ms:
            self._at(spot, spot.first_ms + spot.antenna.p.leave_ms)
        else:
            spot.conflict = True
            self.counts.conflicts += 1
            self._trouble(spot.zone, "conflict", t_ms, out)
            if not spot.mask:
                self._wait(spot, t_ms)

    def _place(self, spot: Spot, t_ms: int, out: list[Movement]) -> None:
        spot.tag.at = spot
        t_ms = self._stamp(t_ms)
        # A device whose clock was set anew may have stamped a read later than now.
        first_ms = min(spot.first_ms, t_ms)
        out.append(TagPlaced(spot.zone.name, spot.tag.uid, min(spot.since_ms, first_ms), first_ms, t_ms))
        if spot.conflict:
            spot.conflict = False
            self._relieve(spot.zone, t_ms, out)
        if not spot.mask:
            self._wait(spot, t_ms)

    def _take(self, spot: Spot, t_ms: int, out: list[Movement]) -> None:
        """The tag lies here no more."""
        tag = spot.tag
        tag.at = None
        if not spot.zone.gate:
            t_ms = self._stamp(t_ms)
            out.append(TagRemoved(spot.zone.name, tag.uid, min(spot.last_ms, t_ms), t_ms))
        self._forget(spot)

    def _gone(self, spot: Spot, t_ms: int, out: list[Movement]) -> None:
        tag = spot.tag
        if tag.at is not spot:
            if not spot.confirmed and tag.at is None:
                now_ms = self._stamp(t_ms)
                out.append(TagGlimpsed(spot.zone.name, tag.uid, min(spot.first_ms, now_ms), now_ms))
            self._forget(spot)
            if spot.conflict:
                spot.conflict = False
                self._relieve(spot.zone, t_ms, out)
            return
        self._take(spot, t_ms, out)
        others = [other for other in tag.spots if other.confirmed and other.left_ms is None]
        if others:
            self._place(min(others, key=lambda other: (other.first_ms, other.rank)), t_ms, out)

    def _forget(self, spot: Spot) -> None:
        tag = spot.tag
        spot.deadline = NEVER
        del spot.zone.spots[tag.uid]
        tag.spots.remove(spot)
        if not tag.spots:
            del self._tags[tag.uid]

    # ------------------------------------------------------------ trouble

    def _on_mangled(self, antenna: Antenna, t_ms: int, out: list[Movement]) -> None:
        zone = antenna.zone
        self.counts.mangled += 1
        if not zone.mangled:
            zone.mangled = True
            self._trouble(zone, "mangled", t_ms, out)
        self._at(zone, t_ms + antenna.p.mangled_hold_ms)

    def _trouble(self, zone: ZoneState, kind: _Trouble, t_ms: int, out: list[Movement]) -> None:
        zone.troubles += 1
        out.append(ZoneTrouble(zone.name, kind, self._stamp(t_ms)))

    def _relieve(self, zone: ZoneState, t_ms: int, out: list[Movement]) -> None:
        """One trouble of a zone is over; ``clear`` is said when the last is."""
        zone.troubles -= 1
        if not zone.troubles:
            out.append(ZoneTrouble(zone.name, "clear", self._stamp(t_ms)))
