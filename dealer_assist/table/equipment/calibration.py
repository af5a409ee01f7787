"""Calibration: each antenna is touched with any card, and its hit rate, its period and the neighbours it bleeds to are measured.

A deck check refines the figures with its 52 cards, and says how many are laid so that they are hardly read. Few scans say little: every
figure leans on what is usual until there are enough (:data:`~dealer_assist.procedure.alignment.sensing.TABLE`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from dealer_assist.domain.equipment import AntennaView, TouchState, TouchView
from dealer_assist.procedure.alignment.sensing import TABLE, WHOLE, SensingParameters
from dealer_assist.table.equipment.reads import AntennaKey, Ended, Reads, Stay

#: A card stays on each antenna for so many scans, and at least for so long.
HOLD_SCANS: Final = 30
HOLD_MS: Final = 2_000
#: A card that lies somewhere else than it was asked for so long is at the wrong antenna, and not only heard there.
ELSEWHERE_MS: Final = 1_000
#: How many scans, cards laid there and cards laid elsewhere the usual figures are worth.
_HIT_WEIGHT: Final = 10
_PLACED_WEIGHT: Final = 400
_GHOST_WEIGHT: Final = 400
#: A card counts as badly placed when it lay for so many scans and less than half of them read it.
_PLACED_SCANS: Final = 8


class Measured(msgspec.Struct, frozen=True):
    """What is known of one antenna: ``hits`` of ``scans`` that should have read a card.

    ``ghosts`` of ``elsewhere`` cards were read here although they lay at another antenna.

    ``badly`` of ``placed`` cards were laid so that they were hardly read. ``missing``: it was skipped at the calibration.
    """

    device: str
    antenna: int
    zone: str
    hits: int = 0
    scans: int = 0
    ghosts: int = 0
    elsewhere: int = 0
    placed: int = 0
    badly: int = 0
    scan_period_ms: int = 0
    bleeds_to: tuple[str, ...] = ()
    missing: bool = False

    @property
    def key(self) -> AntennaKey:
        """Device and number."""
        return self.device, self.antenna

    def sensing(self) -> SensingParameters:
        """What it comes to."""
        return _sensing([self])

    def view(self, cards: int | None = None) -> AntennaView:
        """As it may be shown."""
        found = self.sensing()
        known = self.scans > 0
        state: Literal["good", "poor", "unmeasured", "missing"] = "unmeasured"
        if self.missing:
            state = "missing"
        elif known:
            state = "poor" if found.poor else "good"
        return AntennaView(
            self.device,
            self.antenna,
            self.zone,
            state,
            cards,
            self.scans,
            found.hit if known else 0,
            found.bad if known else 0,
            found.ghost if known else 0,
            self.scan_period_ms,
            self.bleeds_to,
        )


def _sensing(antennas: Sequence[Measured]) -> SensingParameters:
    """What antennas come to together, as whole numbers; what is usual where there are few scans."""
    hits = sum(one.hits for one in antennas)
    scans = sum(one.scans for one in antennas)
    ghosts = sum(one.ghosts for one in antennas)
    elsewhere = sum(one.elsewhere for one in antennas)
    placed = sum(one.placed for one in antennas)
    badly = sum(one.badly for one in antennas)
    period_ms = max((one.scan_period_ms for one in antennas), default=0)
    return SensingParameters(
        hit=max(1, (WHOLE * hits + TABLE.hit * _HIT_WEIGHT) // (scans + _HIT_WEIGHT)),
        bad=(WHOLE * badly + TABLE.bad * _PLACED_WEIGHT) // (placed + _PLACED_WEIGHT),
        ghost=(WHOLE * ghosts + TABLE.ghost * _GHOST_WEIGHT) // (elsewhere + _GHOST_WEIGHT),
        period_ms=period_ms or TABLE.period_ms,
    )


def sensing_of(antennas: Iterable[Measured]) -> dict[str, SensingParameters]:
    """The parameters of the zones that were measured, each from its antennas together."""
    zones: dict[str, list[Measured]] = {}
    for one in antennas:
        if one.scans and not one.missing:
            zones.setdefault(one.zone, []).append(one)
    return {zone: _sensing(found) for zone, found in zones.items()}


def poor_zones(antennas: Iterable[Measured]) -> frozenset[str]:
    """Zones whose silence says nothing."""
    return frozenset(zone for zone, found in sensing_of(antennas).items() if found.poor)


def fingerprint(antennas: Sequence[Measured]) -> str:
    """Twelve hex digits that stand for these figures."""
    return hashlib.sha256(msgspec.json.encode(antennas)).hexdigest()[:12]


def _hold_ms(period_ms: int) -> int:
    return max(HOLD_MS, HOLD_SCANS * period_ms)


def _long_enough(over: Ended) -> bool:
    """Whether a card lay long enough, although it was lifted before anybody looked."""
    return over.last_ms - over.first_ms >= _hold_ms(over.period_ms)


class Calibration:
    """Antennas touched one after the other. ``known``: what is known of all of them; ``wanted``: which are to be touched."""

    def __init__(self, known: Sequence[Measured], wanted: Sequence[AntennaKey], t_ms: int) -> None:
        self.measured = {one.key: one for one in known}
        self._wanted = list(wanted)
        self._done: list[tuple[AntennaKey, dict[AntennaKey, Measured]]] = []
        self._since_ms = t_ms
        #: stays at any antenna that ended since this antenna was asked for
        self._over: list[Ended] = []
        self.note = ""
        self.params: dict[str, str | int] = {}

    @property
    def done(self) -> int:
        """How many antennas are touched or skipped."""
        return len(self._done)

    @property
    def of(self) -> int:
        """How many there are to touch."""
        return len(self._wanted)

    @property
    def target(self) -> AntennaKey | None:
        """The antenna to touch now; None: all are done."""
        return self._wanted[len(self._done)] if len(self._done) < len(self._wanted) else None

    def touches(self) -> tuple[TouchView, ...]:
        """The antennas in their order: what those came to that are done, the one to touch now, those that wait."""
        views = []
        for number, key in enumerate(self._wanted):
            one = self.measured[key]
            state: TouchState = "now" if number == self.done else "waiting"
            if number < self.done:
                state = one.view().state
            views.append(TouchView(one.device, one.antenna, one.zone, state))
        return tuple(views)

    def tick(self, reads: Reads, t_ms: int) -> bool:
        """Look how the card lies; whether there is something to tell."""
        target = self.target
        if target is None:
            return False
        stay = next((stay for stay in reads.stays(target) if stay.gap_ms is None and self._new(stay)), None)
        if stay is None:
            lain = next((over for over in self._over if over.antenna == target and _long_enough(over)), None)
            if lain is None:
                return self._elsewhere(reads, target, t_ms)
            self._take(reads, target, lain.uid, lain.period_ms, (lain.hits, lain.scans), t_ms)
            return True
        hits, scans, first_ms = self._counted(target, stay, t_ms)
        if t_ms - first_ms < _hold_ms(stay.period_ms):
            return self._say("holding", zone=self.measured[target].zone)
        self._take(reads, target, stay.uid, stay.period_ms, (hits, scans), t_ms)
        return True

    def _counted(self, target: AntennaKey, stay: Stay, t_ms: int) -> tuple[int, int, int]:
        """Hits, scans, and since when: here a long silence is a miss too, since the card is told to lie still."""
        hits, scans = stay.counted(t_ms)
        parts = [over for over in self._over if over.antenna == target and over.uid == stay.uid]
        first_ms = min([stay.first_ms, *[part.first_ms for part in parts]])
        if parts:
            hits += sum(part.hits + 1 for part in parts)
            scans = (t_ms - first_ms) // max(1, stay.period_ms)
        return min(hits, scans), scans, first_ms

    def ended(self, ended: Ended) -> None:
        """A card has left an antenna."""
        if ended.first_ms >= self._since_ms:
            self._over.append(ended)

    def _begin(self, t_ms: int) -> None:
        """The next antenna is asked for."""
        self._since_ms = t_ms
        self._over.clear()

    def _new(self, stay: Stay) -> bool:
        """Whether a card was laid down since this antenna was asked for."""
        return stay.first_ms >= self._since_ms

    def _elsewhere(self, reads: Reads, target: AntennaKey, t_ms: int) -> bool:
        for key, one in self.measured.items():
            if key == target:
                continue
            if any(self._new(stay) and t_ms - stay.first_ms >= ELSEWHERE_MS for stay in reads.stays(key)):
                return self._say("other_antenna", zone=one.zone, antenna=one.antenna)
        return False

    def _say(self, note: str, **params: str | int) -> bool:
        changed = (self.note, self.params) != (note, params)
        self.note, self.params = note, params
        return changed

    def _take(
        self,
        reads: Reads,
        target: AntennaKey,
        uid: bytes,
        period_ms: int,
        counted: tuple[int, int],
        t_ms: int,
    ) -> None:
        before = dict(self.measured)
        bleeds: list[str] = []
        for key, other in before.items():
            if key == target or other.zone == before[target].zone:
                continue
            heard = any(found.uid == uid for found in reads.stays(key)) or any(
                gone.antenna == key and gone.uid == uid for gone in self._over
            )
            if heard:
                bleeds.append(other.zone)
            self.measured[key] = replace(other, ghosts=other.ghosts + heard, elsewhere=other.elsewhere + 1)
        old = before[target]
        self.measured[target] = replace(
            old,
            hits=counted[0],
            scans=counted[1],
            scan_period_ms=period_ms,
            bleeds_to=tuple(dict.fromkeys(bleeds)),
            missing=False,
        )
        self._done.append((target, before))
        self._begin(t_ms)
        view = self.measured[target].view()
        self._say(view.state, zone=old.zone, percent=view.hit_per_10k // 100)

    def skip(self, t_ms: int) -> bool:
        """The antenna is not there, or works no more. False: none is waited for."""
        target = self.target
        if target is None:
            return False
        self._done.append((target, dict(self.measured)))
        self.measured[target] = replace(self.measured[target], hits=0, scans=0, missing=True)
        self._begin(t_ms)
        self._say("skipped", zone=self.measured[target].zone)
        return True

    def back_one(self, t_ms: int) -> bool:
        """The last antenna is touched again. False: there is none."""
        if not self._done:
            return False
        _, self.measured = self._done.pop()
        self._begin(t_ms)
        self._say("")
        return True


class CheckedReads:
    """How a deck's 52 cards were read while the deck was checked."""

    def __init__(self) -> None:
        self._cards: dict[tuple[AntennaKey, bytes], Ended] = {}

    def add(self, ended: Ended) -> None:
        """A stay of one of its cards; several stays of a card at an antenna are one: it was hardly read."""
        key = (ended.antenna, ended.uid)
        before = self._cards.get(key)
        if before is not None:
            between = max(0, (ended.first_ms - before.last_ms) // max(1, ended.period_ms))
            ended = replace(
                ended,
                first_ms=before.first_ms,
                hits=before.hits + ended.hits + 1,
                scans=before.scans + between + ended.scans,
            )
        self._cards[key] = ended

    def refine(self, measured: Sequence[Measured]) -> list[Measured]:
        """The figures of the antennas with what these cards add."""
        found = {one.key: one for one in measured}
        for (key, _), card in self._cards.items():
            one = found.get(key)
            if one is None:
                continue
            badly = card.scans >= _PLACED_SCANS and 2 * card.hits < card.scans
            well = (0, 0) if badly else (card.hits, card.scans)
            found[key] = replace(
                one,
                hits=one.hits + well[0],
                scans=one.scans + well[1],
                placed=one.placed + 1,
                badly=one.badly + badly,
                scan_period_ms=card.period_ms,
                missing=False,
            )
        return list(found.values())
