"""Antennas with noise: every effect of a :class:`~hw_sim.noise.Sensing`, drawn from one seed.

Between two changes of anything, whether a scan reads a card is the same coin thrown each time; so only the scans at which the outcome
turns are drawn, by their distance. After each change (a card comes or goes, something covers it, an outage) the coin is another one and
is thrown anew, which for a coin without memory is the same.
"""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Mapping
from enum import IntEnum
from typing import Final, NamedTuple

from hw_sim.antennas import Field, TagEvent
from hw_sim.noise import Sensing
from hw_sim.physics import CARRY_MS, Movement

#: When within a hand a reader may restart, in ms behind its opening.
_REBOOT_WITHIN_MS: Final = 40_000
#: Antennas close to each other; seats are close to the seats beside them.
_CLOSE: Final = {"board": ("burn", "muck"), "burn": ("board", "muck"), "muck": ("burn", "board")}
_SEATS: Final = 11


def neighbours(zone: str) -> tuple[str, ...]:
    """The zones whose antennas lie beside this one's."""
    if not zone.startswith("seat"):
        return _CLOSE.get(zone, ())
    seat = int(zone[4:])
    return tuple([f"seat{other}" for other in (seat - 1, seat + 1) if 1 <= other <= _SEATS])


class _Lot:
    """Cards that an antenna reads or misses together: one, or the two of a hand. ``ghost``: it lies at a neighbour, or flies by."""

    __slots__ = ("covered", "ghost", "hits", "seen", "turn")

    def __init__(self, face: str, hit: float, *, ghost: bool = False) -> None:
        #: card → how likely a scan is to read it where it lies alone
        self.hits = {face: hit}
        self.ghost = ghost
        self.covered = False
        self.seen = False
        #: counts its draws: a turn that was drawn before another draw is void
        self.turn = 0


class _Coming:
    """A card on its way to an antenna. ``hit``: how it will lie; ``pair``: it will lie with the other card of its hand."""

    __slots__ = ("face", "gone", "hit", "pair")

    def __init__(self, face: str, hit: float, *, pair: bool) -> None:
        self.face = face
        self.hit = hit
        self.pair = pair
        #: it was taken up before it got there
        self.gone = False


class _Ghost:
    """A card that an antenna reads which lies elsewhere, or flies by. ``of``: that card; ``lot``: what it is at the antenna, once it is."""

    __slots__ = ("face", "gone", "hit", "lot", "of")

    def __init__(self, face: str, hit: float, of: _Coming | None = None) -> None:
        self.face = face
        self.hit = hit
        self.of = of
        self.lot: _Lot | None = None
        #: it was over before the antenna scanned
        self.gone = False


class _Turn(NamedTuple):
    """At this scan the outcome for a lot turns, unless it was drawn anew since."""

    lot: _Lot
    number: int


class _Do(IntEnum):
    """What happens at a scan, in the order in which it does."""

    OUT = 0
    IN_AGAIN = 1
    LEAVE = 2
    ARRIVE = 3
    GHOST_GONE = 4
    GHOST = 5
    COVER = 6
    UNCOVER = 7
    TURN = 8
    LOOK = 9
    CORRUPT = 10


class NoisyField(Field):
    """A :class:`Field` with noise. The same movements and the same ``seed`` give the same reports, however often it is asked."""

    def __init__(
        self, antennas: Mapping[str, int], tags: Mapping[str, bytes], sensing: Sensing, *, seed: str
    ) -> None:
        super().__init__(antennas, tags)
        self.scan_period_ms = sensing.scan_period_ms
        self._sensing = sensing
        # what is drawn when a card moves, and what is drawn as time goes by: neither depends on how often the field is asked
        self._laying = random.Random(f"laying/{seed}")
        self._scanning = random.Random(f"scanning/{seed}")
        self._heap: list[tuple[int, int, _Do, int, object]] = []
        self._lots: dict[int, list[_Lot]] = {number: [] for number in antennas.values()}
        self._out: set[int] = set()
        self._coming: dict[tuple[int, str], list[tuple[int, _Coming]]] = {}
        #: card at an antenna → the neighbour's antenna that reads it too
        self._bordering: dict[tuple[int, str], tuple[int, _Ghost]] = {}
        self._close = {
            number: [antennas[other] for other in neighbours(zone) if other in antennas]
            for zone, number in antennas.items()
        }
        self._seats = {number for zone, number in antennas.items() if zone.startswith("seat")}
        self._muck = antennas.get("muck")
        self._reboots: list[int] = []
        self._booting_until = 0
        for number in antennas.values():
            self._plan_outage(number, 0)
            self._plan_corrupt(number, 0)

    # -- what moves ------------------------------------------------------------------------------------------------------------------

    def begin_hand(self, now_ms: int) -> None:
        """A hand begins: the reader restarts in it, or it does not."""
        super().begin_hand(now_ms)
        if self._laying.random() < self._sensing.reboots_per_hand:
            self.reboot(now_ms + self._laying.randrange(_REBOOT_WITHIN_MS))

    def reboot(self, t_ms: int) -> None:
        """The reader restarts at ``t_ms``: it is silent for its boot time, then tells all that it reads."""
        heapq.heappush(self._reboots, t_ms)

    def move(self, movement: Movement) -> None:
        """A card moves; its reports are due later."""
        face = movement.face
        source = self._antennas.get(movement.source)
        if source is not None:
            self._goes(source, face, movement.left_ms)
        target = self._antennas.get(movement.target)
        if target is None:
            return
        laid_ms = movement.laid_ms + movement.late_ms
        self._fly(target, face, movement.laid_ms)
        if movement.unread:
            return
        self._comes(target, face, laid_ms)
        rest = self._sensing.muck_rest_ms
        if target == self._muck and rest[1]:
            self._taken(target, face, laid_ms + self._laying.randint(*rest))

    def _comes(self, antenna: int, face: str, laid_ms: int) -> None:
        sensing, draw = self._sensing, self._laying.random
        hit = sensing.badly_placed_hit if draw() < sensing.badly_placed else sensing.hit
        pair = antenna in self._seats and draw() < sensing.pairs
        when = self._next_scan(antenna, laid_ms)
        coming = _Coming(face, hit, pair=pair)
        self._coming.setdefault((antenna, face), []).append((when, coming))
        self._at(when, antenna, _Do.ARRIVE, coming)
        close = self._close[antenna]
        if draw() < sensing.border and close:
            other = close[self._laying.randrange(len(close))]
            ghost = _Ghost(face, sensing.border_hit, coming)
            self._bordering[antenna, face] = other, ghost
            self._at(self._next_scan(other, laid_ms), other, _Do.GHOST, ghost)

    def _goes(self, antenna: int, face: str, left_ms: int) -> None:
        """A card is taken up: what was still to come of it here never does."""
        when = self._next_scan(antenna, left_ms)
        for due, coming in self._coming.pop((antenna, face), ()):
            coming.gone = due >= when
        self._taken(antenna, face, left_ms)

    def _taken(self, antenna: int, face: str, left_ms: int) -> None:
        self._at(self._next_scan(antenna, left_ms), antenna, _Do.LEAVE, face)
        bordering = self._bordering.pop((antenna, face), None)
        if bordering is not None:
            other, ghost = bordering
            self._at(self._next_scan(other, left_ms), other, _Do.GHOST_GONE, ghost)

    def _fly(self, target: int, face: str, laid_ms: int) -> None:
        """A card flies to its place, and an antenna on its way may read it once."""
        close = self._close[target]
        if not close or self._laying.random() >= self._sensing.fly_by:
            return
        other = close[self._laying.randrange(len(close))]
        when = self._next_scan(other, laid_ms - self._laying.randrange(CARRY_MS))
        ghost = _Ghost(face, 1.0)
        self._at(when, other, _Do.GHOST, ghost)
        self._at(when + self.scan_period_ms, other, _Do.GHOST_GONE, ghost)

    # -- time ------------------------------------------------------------------------------------------------------------------------

    def due_ms(self) -> int | None:
        """When the next report may be due."""
        due_ms = self._heap[0][0] if self._heap else None
        if self._booting_until or self._reboots:  # seldom
            booted = [self._booting_until] if self._booting_until else []
            return min([*booted, *self._reboots[:1], *([] if due_ms is None else [due_ms])])
        return due_ms

    def until(self, t_ms: int) -> list[TagEvent]:
        """The reports up to ``t_ms``, in order."""
        events: list[TagEvent] = []
        while (due_ms := self.due_ms()) is not None and due_ms <= t_ms:
            if self._booting_until == due_ms:
                self._booted(events)
            elif self._reboots and self._reboots[0] == due_ms:
                self._restart(heapq.heappop(self._reboots))
            else:
                self._scan(due_ms, self._heap[0][1], events)
        return events

    def _restart(self, at_ms: int) -> None:
        self._booting_until = at_ms + self._sensing.boot_ms
        for antenna in self._told:
            self._told[antenna] = []

    def _booted(self, events: list[TagEvent]) -> None:
        """The reader is back. Its first scan of each antenna is the inventory that the host asks for."""
        now_ms, self._booting_until = self._booting_until, 0
        scan = now_ms // self.scan_period_ms
        events.append(TagEvent(now_ms, "restarted", 0, b"", scan))
        for antenna, lots in self._lots.items():
            self._draw_all(antenna, lots, now_ms)
            self._told[antenna] = self._seen(antenna)
            for face in self._told[antenna]:
                self._read_from(now_ms, antenna, face)
            uids = tuple([self._tags[face] for face in self._told[antenna]])
            events.append(TagEvent(now_ms, "inventory", antenna, b"", scan, uids))

    def _scan(self, when: int, antenna: int, events: list[TagEvent]) -> None:
        """All that happens at one scan of one antenna, and what it then reports."""
        heap, lots = self._heap, self._lots[antenna]
        turned: list[_Lot] = []
        anew = corrupt = False
        while heap and heap[0][0] == when and heap[0][1] == antenna:
            _, _, do, _, what = heapq.heappop(heap)
            match do:
                case _Do.TURN:
                    assert isinstance(what, _Turn)
                    if what.lot.turn == what.number:
                        turned.append(what.lot)
                case _Do.CORRUPT:
                    corrupt = True
                    self._plan_corrupt(antenna, when)
                case _Do.LOOK:
                    anew = True
                case _:
                    anew = self._change(do, antenna, lots, what, when) or anew
        if when < self._booting_until:
            return  # drawn when it is back
        if corrupt:
            events.append(TagEvent(when, "scan_failed", antenna, b"", when // self.scan_period_ms))
            self._at(when + self.scan_period_ms, antenna, _Do.LOOK, None)
            return
        if anew:
            self._draw_all(antenna, lots, when)
        else:
            for lot in turned:
                lot.seen = not lot.seen
                self._draw_turn(antenna, lot, when, self._rate(antenna, lot, lots))
        self._tell(when, antenna, self._seen(antenna), events)

    def _change(self, do: _Do, antenna: int, lots: list[_Lot], what: object, when: int) -> bool:
        """Something of the antenna becomes otherwise; whether it did."""
        match do:
            case _Do.ARRIVE:
                assert isinstance(what, _Coming)
                if what.gone:
                    return False
                self._forget_coming(antenna, what, when)
                self._lay(antenna, lots, what, when)
            case _Do.LEAVE:
                return _take(lots, str(what))
            case _Do.GHOST:
                assert isinstance(what, _Ghost)
                if what.gone or (what.of is not None and what.of.gone):
                    return False
                what.lot = _Lot(what.face, what.hit, ghost=True)
                lots.append(what.lot)
            case _Do.GHOST_GONE:
                assert isinstance(what, _Ghost)
                what.gone = True
                if what.lot is None:
                    return False
                lots.remove(what.lot)
                what.lot.turn += 1
            case _Do.OUT:
                self._out.add(antenna)
            case _Do.IN_AGAIN:
                self._out.discard(antenna)
                self._plan_outage(antenna, when)
            case _:
                assert isinstance(what, _Lot)
                if what not in lots:
                    return False
                what.covered = do is _Do.COVER
                if not what.covered:
                    self._plan_cover(antenna, what, when)
        return True

    def _forget_coming(self, antenna: int, coming: _Coming, when: int) -> None:
        key = (antenna, coming.face)
        rest = [item for item in self._coming.get(key, ()) if item[0] > when]
        if rest:
            self._coming[key] = rest
        else:
            self._coming.pop(key, None)

    def _lay(self, antenna: int, lots: list[_Lot], coming: _Coming, when: int) -> None:
        _take(lots, coming.face)
        cards = [lot for lot in lots if not lot.ghost]
        if coming.pair and len(cards) == 1 and len(cards[0].hits) == 1:
            cards[0].hits[coming.face] = coming.hit
            return
        lot = _Lot(coming.face, coming.hit)
        lots.append(lot)
        self._plan_cover(antenna, lot, when)

    # -- what is read ----------------------------------------------------------------------------------------------------------------

    def _rate(self, antenna: int, lot: _Lot, lots: list[_Lot]) -> float:
        """How likely a scan is to read these cards, as all lies now."""
        if lot.covered or antenna in self._out:
            return 0.0
        if antenna in self._piles and not lot.ghost:
            cards = [other for other in lots if not other.ghost]
            if cards.index(lot) < len(cards) - self._sensing.pile_depth:
                return 0.0
        together = self._sensing.pair_hit if len(lot.hits) > 1 else 1.0
        return min(together, *lot.hits.values())

    def _seen(self, antenna: int) -> list[str]:
        # a card that came to a neighbour may still be a ghost of where it lay before
        return list(dict.fromkeys([face for lot in self._lots[antenna] if lot.seen for face in lot.hits]))

    def _draw_all(self, antenna: int, lots: list[_Lot], when: int) -> None:
        for lot in lots:
            rate = self._rate(antenna, lot, lots)
            lot.seen = self._scanning.random() < rate
            self._draw_turn(antenna, lot, when, rate)

    def _draw_turn(self, antenna: int, lot: _Lot, when: int, rate: float) -> None:
        """At which scan after ``when`` the outcome is another one for the first time."""
        lot.turn += 1
        scans = _scans_until(1.0 - rate if lot.seen else rate, self._scanning)
        if scans:
            self._at(when + scans * self.scan_period_ms, antenna, _Do.TURN, _Turn(lot, lot.turn))

    # -- what comes by itself --------------------------------------------------------------------------------------------------------

    def _plan_outage(self, antenna: int, from_ms: int) -> None:
        self._plan_run(antenna, from_ms, self._sensing.outage_every_ms, (_Do.OUT, _Do.IN_AGAIN), None)

    def _plan_cover(self, antenna: int, lot: _Lot, from_ms: int) -> None:
        self._plan_run(antenna, from_ms, self._sensing.cover_every_ms, (_Do.COVER, _Do.UNCOVER), lot)

    def _plan_run(
        self, antenna: int, from_ms: int, every_ms: int, what: tuple[_Do, _Do], lot: _Lot | None
    ) -> None:
        if not every_ms:
            return
        begin_ms = from_ms + int(self._scanning.expovariate(1.0 / every_ms))
        end_ms = begin_ms + self._scanning.randint(*self._sensing.run_ms)
        begin, end = (self._next_scan(antenna, t_ms) for t_ms in (begin_ms, end_ms))
        self._at(begin, antenna, what[0], lot)
        self._at(end, antenna, what[1], lot)

    def _plan_corrupt(self, antenna: int, from_ms: int) -> None:
        scans = _scans_until(self._sensing.corrupt, self._scanning)
        if scans:
            at_ms = self._next_scan(antenna, from_ms + 1) + (scans - 1) * self.scan_period_ms
            self._at(at_ms, antenna, _Do.CORRUPT, None)

    def _at(self, when: int, antenna: int, do: _Do, what: object) -> None:
        self._count += 1
        heapq.heappush(self._heap, (when, antenna, do, self._count, what))


def field_of(antennas: Mapping[str, int], tags: Mapping[str, bytes], sensing: Sensing, *, seed: int) -> Field:
    """The antennas of a reader: a plain field where there is no noise. Each reader of a table draws its own."""
    if sensing == Sensing():
        return Field(antennas, tags)
    return NoisyField(antennas, tags, sensing, seed=f"{seed}/{min(antennas, default='')}")


def _take(lots: list[_Lot], face: str) -> bool:
    """The card is taken from where it lies; whether it lay there."""
    for lot in lots:
        if not lot.ghost and face in lot.hits:
            del lot.hits[face]
            if not lot.hits:
                lots.remove(lot)
                lot.turn += 1
            return True
    return False


def _scans_until(chance: float, rng: random.Random) -> int:
    """After how many throws of a coin with this chance it falls so for the first time; 0: never."""
    if chance <= 0.0:
        return 0
    if chance >= 1.0:
        return 1
    return 1 + int(math.log(1.0 - rng.random()) / math.log1p(-chance))
