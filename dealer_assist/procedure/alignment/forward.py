"""The forward pass: how much weight a course of pitches has, given what was read, summed over all times at which they can have come.

A *course* is a list of seats in the order in which they get their cards. A :class:`Path` is one way to match the cards that were
read with a beginning of a course; its *front* is where, in cells of time, its last card can have come to lie, and with what weight.
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import accumulate, repeat
from operator import attrgetter, mul, rshift
from typing import Final

import msgspec

from dealer_assist.domain.cards import CardRef
from dealer_assist.procedure.alignment.density import (
    CELL_MS,
    GAP_UNIT,
    LEAVE_MS,
    LOG_2,
    UNIT,
    Gap,
    Other,
    lateness,
    log_of,
    silence,
)
from dealer_assist.procedure.alignment.sensing import WHOLE, SensingParameters

#: At most so many paths of one course are followed, and none that has less than 2^-BEAM_BITS of the weight of the best.
BEAM: Final = 24
BEAM_BITS: Final = 18
#: A card that was read twice and comes from no pitch of the course: one in a million.
STRAY_BITS: Final = 20
#: A card that was read once on its way to another seat is read there soon. Where it still lies nowhere after so long, it would have to
#: be one of those that go unread as well: so many bits less likely.
ON_ITS_WAY_MS: Final = 1000
_UNREAD_TOO_BITS: Final = 6
#: How seldom a shoe with an exit sensor miscounts (two cards that stick together), and how long a card is on its way from it at most
#: [unverified]: a pitched card slides less than a metre. Longer than from pitch to pitch, and the exits would say nothing of the order.
UNSEEN_BY_SHOE: Final = 200
FLIGHT_CELLS: Final = 600 // CELL_MS
#: Cells before the first card; what has less than 2^-TRIM_BITS of its heaviest cell at an end is left out.
FRONT_CELLS: Final = 80
#: A card is read so long after it came at most: longer than anything covers a seat.
LATEST_CELLS: Final = 30_000 // CELL_MS
TRIM_BITS: Final = 14
#: A front's heaviest cell has so many bits.
_FULL: Final = 32
_SCALE: Final = (GAP_UNIT * UNIT).bit_length() - 1
_LOG: Final = attrgetter("log")
#: A card at a seat without an antenna lies unread for as long as it likes.
_BLIND: Final = (UNIT,)
#: Where a front has moved to: its new start and weights, by how much its exponent changed, the logarithm of the weights, and the bits of
#: the sights that lie before it. None: nowhere.
_Moved = tuple[int, list[int], int, int, int] | None
#: What stands for a move that was not worked out yet.
_UNKNOWN: Final = (0, [0], 0, 0, 0)


class Sight(msgspec.Struct, frozen=True):
    """A card that was read at a seat: after ``since_ms`` and by ``first_ms``. ``solid`` False: one read, and no second."""

    ref: CardRef
    seat: int
    since_ms: int
    first_ms: int
    solid: bool = True


class Path(msgspec.Struct, frozen=True, gc=False):
    """One way to match. ``front``: weights of the cells from ``start`` on, times 2^``exponent``; ``used``: bits of the sights matched.

    ``silent``: bits of the seats of the pitches that are matched with none.
    ``trail``: of each pitch, the card it is matched with or None, and the logarithm of the path's weight behind it; ``log``: the last one.
    """

    start: int
    front: list[int]
    exponent: int
    used: int
    silent: int
    trail: tuple[tuple[CardRef | None, int], ...]
    log: int = 0

    def weight(self) -> tuple[int, int]:
        """The weight of the path: a whole number and its exponent of two."""
        return sum(self.front), self.exponent


class Scene:
    """What was read of one deal, in cells from its first card on. ``antennas``: of the seats that are watched; others are blind.

    ``lifted``: seat → since when one of its cards is not read any more: what more lay there may have been taken up with it.
    ``heard``: seat → since when another card of it has lain there and was never missed for long: nothing covered it since.
    ``exits``: when each card left the shoe, where one counts; None for a card that it counted without a time.
    """

    def __init__(
        self,
        sights: Sequence[Sight],
        antennas: Mapping[int, SensingParameters],
        gap: Gap,
        now_ms: int,
        *,
        lifted: Mapping[int, int] | None = None,
        heard: Mapping[int, int] | None = None,
        exits: Sequence[int | None] | None = None,
    ) -> None:
        self.sights = sorted(sights, key=lambda sight: (sight.first_ms, sight.seat, sight.ref))
        self.antennas = antennas
        self.gap = gap
        self.now_ms = now_ms
        #: seat → so many cells ago one of its cards was taken up
        self._lifted = {
            seat: max(0, now_ms - since_ms) // CELL_MS for seat, since_ms in (lifted or {}).items()
        }
        first_ms = self.sights[0].first_ms if self.sights else now_ms
        self.zero_ms = (first_ms // CELL_MS - FRONT_CELLS) * CELL_MS
        self.now = (now_ms - self.zero_ms) // CELL_MS
        self._exits = (
            None if exits is None else [None if t_ms is None else self._cell(t_ms) for t_ms in exits]
        )
        self.seen_at = [self._cell(sight.first_ms) for sight in self.sights]
        self.solid = sum(1 << index for index, sight in enumerate(self.sights) if sight.solid)
        #: of each sight, the bits of those of its seat that were read first in the same scan
        self._together = [
            sum(
                1 << number
                for number, other in enumerate(self.sights)
                if number != index and (other.seat, other.first_ms) == (sight.seat, sight.first_ms)
            )
            for index, sight in enumerate(self.sights)
        ]
        #: (id of a path, seat) → the ways on from it, with the next pitch read and unread: departures go the same way for a while.
        #: Every path that was followed is in here, so that no other one gets its id.
        self._read_ways: dict[tuple[int, int], list[Path]] = {}
        self._unread_ways: dict[tuple[int, int], list[Path]] = {}
        self._crossed_ways: dict[tuple[int, int], list[Path]] = {}
        #: every front: kept, so that no other one gets its id. A front belongs to one start.
        self._fronts: list[list[int]] = []
        #: id of a front → the weights of the next card behind it
        self._gaps: dict[int, list[int]] = {}
        #: (id of a front, how many pitches the shoe counts up to it, sight, what is known of the seat's other card) → where it moves to by
        #: a pitch that was read as this sight; the same for an unread one, with the table of its silence in place of the sight. Many
        #: paths share a front: courses differ by the seat of an unread card, and antennas are alike.
        self._moves: dict[tuple[int, int, int, str], _Moved] = {}
        #: (seat, whether another of its cards went unread) → the weights of a card that lies there unread, the oldest first
        self._silences: dict[tuple[int, bool], tuple[int, ...]] = {}
        #: bits of sights → what reads that belong to no pitch cost
        self._left_over: dict[int, int] = {0: 0}
        heard_ms = heard or {}
        #: the seats that nothing covers now, and the bits of the sights before which nothing did
        self._heard = frozenset(
            [seat for seat, since_ms in heard_ms.items() if since_ms <= now_ms - LEAVE_MS]
        )
        self._uncovered = sum(
            1 << index
            for index, sight in enumerate(self.sights)
            if heard_ms.get(sight.seat, now_ms) <= sight.since_ms - LEAVE_MS
        )
        self._at_seat: dict[int, list[int]] = {}
        for index, sight in enumerate(self.sights):
            self._at_seat.setdefault(sight.seat, []).append(index)

    def _cell(self, t_ms: int) -> int:
        return (t_ms - self.zero_ms) // CELL_MS

    def begin(self) -> Path:
        """Before the first card: it can have come at any time in the last seconds before one was read."""
        cells = FRONT_CELLS // 4
        last = self.seen_at[0] if self.sights else self.now
        front = [1 << (_FULL - 1)] * cells
        self._fronts.append(front)
        return Path(last - cells - self.gap.first, front, -_FULL - 5, 0, 0, ())

    def next_at(self, seat: int, used: int) -> int | None:
        """The card at a seat that was read first of those not matched."""
        for index in self._at_seat.get(seat, ()):
            if not used >> index & 1:
                return index
        return None

    # -- a step ------------------------------------------------------------------------------------------------------------

    def pitch(self, path: Path, seat: int, turns: int) -> list[Path]:
        """The ways in which the next pitch of a course, to this seat, goes on from a path.

        ``turns``: how many pitches later the seat has its next turn. The card that was read there cannot be that one's when it was
        read before then: in this case the pitch is not taken for one that went unread.
        """
        key = (id(path), seat)
        antenna = self.antennas.get(seat)
        read: list[Path] = []
        index = None if antenna is None else self.next_at(seat, path.used)
        if antenna is not None and index is not None:
            if key not in self._read_ways:
                self._read_ways[key] = self._all_read(path, index, antenna)
            read = self._read_ways[key]
            if read and self.seen_at[index] < path.start + turns * self.gap.least:
                return read
        if antenna is None or index is None:
            return self._with_unread(path, seat)
        return read + self._crossed(path, index, antenna) + self._with_unread(path, seat)

    def _crossed(self, path: Path, index: int, antenna: SensingParameters) -> list[Path]:
        """The pitch was the card that was read there later, and the one that was read first is that of a later turn."""
        seat = self.sights[index].seat
        later = self.next_at(seat, path.used | 1 << index)
        if later is None or not self.sights[later].solid or self.seen_at[later] == self.seen_at[index]:
            return []
        key = (id(path), seat)
        if key not in self._crossed_ways:
            self._crossed_ways[key] = self._read(path, later, antenna)
        return self._crossed_ways[key]

    def _all_read(self, path: Path, index: int, antenna: SensingParameters) -> list[Path]:
        """The pitch was the card that was read there first, or that one was a ghost and it was the one after it."""
        ways = self._read(path, index, antenna)
        sight = self.sights[index]
        after = None if sight.solid else self.next_at(sight.seat, path.used | 1 << index)
        if after is not None:
            exponent = path.exponent - self._ghost_bits(sight)
            without = msgspec.structs.replace(path, exponent=exponent, used=path.used | 1 << index)
            ways += self._read(without, after, antenna)
        return ways

    def _read(self, path: Path, index: int, antenna: SensingParameters) -> list[Path]:
        sight = self.sights[index]
        other: Other = ""
        if path.used & self._together[index]:
            other = "together"
        elif path.silent >> sight.seat & 1:
            other = "silent"
        key = (id(path.front), 0 if self._exits is None else len(path.trail), index, other)
        moved = self._moves.get(key, _UNKNOWN)
        if moved is _UNKNOWN:
            high = self.seen_at[index]
            low = max(path.start + self.gap.first, high - LATEST_CELLS)  # a pause may be as long as it likes
            moved = None
            if high >= low:
                heard = self._uncovered >> index & 1 != 0
                late = lateness(antenna, solid=sight.solid, other=other, heard=heard)
                since = min(self._cell(sight.since_ms), high - 1)
                moved = self._moved(path, low, _falling(late, since - low + 1, high - low + 1))
            self._moves[key] = moved
        return self._behind(path, moved, path.used | 1 << index, path.silent, sight.ref)

    def _with_unread(self, path: Path, seat: int) -> list[Path]:
        """The way on with a pitch to a seat that was not read: none, or one."""
        key = (id(path), seat)
        ways = self._unread_ways.get(key)
        if ways is None:
            ways = self._unread_ways[key] = self._unread(path, seat)
        return ways

    def _unread(self, path: Path, seat: int) -> list[Path]:
        silent = self._silence(seat, other=path.silent >> seat & 1 != 0)
        key = (id(path.front), 0 if self._exits is None else len(path.trail), id(silent), "")
        moved = self._moves.get(key, _UNKNOWN)
        if moved is _UNKNOWN:
            low = path.start + self.gap.first
            high = min(self.now, path.start + len(path.front) + self.gap.last)
            moved = None
            if high >= low:
                moved = self._moved(path, low, _falling(silent, self.now - low, high - low + 1))
            self._moves[key] = moved
        return self._behind(path, moved, path.used, path.silent | 1 << seat, None)

    def _silence(self, seat: int, *, other: bool) -> tuple[int, ...]:
        """The weights of a card that lies unread at a seat: the same object for seats whose antennas are alike."""
        found = self._silences.get((seat, other))
        if found is None:
            antenna = self.antennas.get(seat)
            if antenna is None:
                found = _BLIND
            else:
                lifted, heard = self._lifted.get(seat), seat in self._heard
                found = silence(antenna, lifted=lifted, other=other, heard=heard)
            self._silences[seat, other] = found
        return found

    def _by_shoe(self, path: Path, low: int, weights: Sequence[int]) -> Sequence[int]:
        """The weights as far as the shoe bears the pitch out: that many cards have left it, this one a moment before it lay there."""
        exits = self._exits
        if exits is None:
            return weights
        number = len(path.trail)
        if number >= len(exits):
            return [weight // UNSEEN_BY_SHOE for weight in weights]
        left = exits[number]
        if left is None:
            return weights
        return [
            weight if left <= cell <= left + FLIGHT_CELLS else weight // UNSEEN_BY_SHOE
            for cell, weight in enumerate(weights, low)
        ]

    def _uncounted(self, path: Path) -> int:
        """How many cards left the shoe, long enough ago to lie somewhere, that are no pitch of the path."""
        if self._exits is None:
            return 0
        return sum(left is None or left + FLIGHT_CELLS < self.now for left in self._exits[len(path.trail) :])

    def _timed(self, path: Path) -> bool:
        """Whether the shoe says when the next pitch of a path was: the pace of the deal then says nothing more."""
        number = len(path.trail)
        return self._exits is not None and number < len(self._exits) and self._exits[number] is not None

    def _moved(self, path: Path, low: int, weights: Sequence[int]) -> _Moved:
        """Where the front of a path moves to by a pitch that has these weights in the cells from ``low`` on."""
        gap, front = self.gap, path.front
        first_at = low - path.start  # cells from the beginning of the front
        if self._exits is not None:
            weights = self._by_shoe(path, low, weights)
        if self._exits is not None and self._timed(path):
            out = []
            before = sum(front[:first_at])
            for at, weight in enumerate(weights, first_at):
                out.append(before * weight * GAP_UNIT // FLIGHT_CELLS)
                if at < len(front):
                    before += front[at]
            return self._trimmed(low, out)
        gaps = self._gaps.get(id(front))
        if gaps is None:
            gaps = self._gaps[id(front)] = _gaps_behind(front, gap)
        begin = first_at - gap.first
        here = gaps[begin : begin + len(weights)]
        here += gaps[-1:] * (len(weights) - len(here))
        return self._trimmed(low, list(map(mul, here, weights)))

    def _trimmed(self, low: int, out: list[int]) -> _Moved:
        most = max(out, default=0)
        if not most:
            return None
        least = most >> TRIM_BITS
        begin, end = 0, len(out)
        while out[begin] <= least:
            begin += 1
        while out[end - 1] <= least:
            end -= 1
        shift = most.bit_length() - _FULL
        if shift > 0:
            front = list(map(rshift, out[begin:end], repeat(shift)))
        else:
            front = [weight << -shift for weight in out[begin:end]]
        self._fronts.append(front)
        earlier = (1 << bisect_left(self.seen_at, low + begin + self.gap.first)) - 1
        return low + begin, front, shift - _SCALE, log_of(sum(front)), earlier

    def _behind(self, path: Path, moved: _Moved, used: int, silent: int, ref: CardRef | None) -> list[Path]:
        """The path behind a pitch by which its front has moved: none, or one.

        Cards that were read before that pitch and belong to none of the path cost their share.
        """
        if moved is None:
            return []
        start, front, bits, log, earlier = moved
        exponent = path.exponent + bits
        log += exponent * LOG_2
        trail = (*path.trail, (ref, log))
        if strays := earlier & ~used:
            exponent -= self._left_over_bits(strays)
            used |= earlier
        return [Path(start, front, exponent, used, silent, trail, log)]

    # -- ends --------------------------------------------------------------------------------------------------------------

    def glimpsed_bits(self, path: Path) -> int:
        """What the cards cost that were read once and that a path leaves out."""
        return self._left_over_bits(((1 << len(self.sights)) - 1) & ~path.used & ~self.solid)

    def _left_over_bits(self, sights: int) -> int:
        """What reads that belong to no pitch cost; ``sights``: their bits."""
        bits = self._left_over.get(sights)
        if bits is None:
            bits = self._left_over[sights] = sum(
                STRAY_BITS if sight.solid else self._ghost_bits(sight)
                for index, sight in enumerate(self.sights)
                if sights >> index & 1
            )
        return bits

    def _ghost_bits(self, sight: Sight) -> int:
        """What it costs that a card was read once where it never came to lie."""
        antenna = self.antennas.get(sight.seat)
        ghost = antenna.ghost if antenna is not None else 1
        bits = max(1, (WHOLE // max(1, ghost)).bit_length() - 1)
        return bits + _UNREAD_TOO_BITS if self.now_ms - sight.first_ms >= ON_ITS_WAY_MS else bits

    def complete(self, path: Path) -> bool:
        """Whether every card that was read twice is matched."""
        return not self.solid & ~path.used

    def ended(self, path: Path, rest: Sequence[int]) -> tuple[int, int]:
        """The weight of a path with what has not been read: cards left over, and pitches that have not come or went unread."""
        total = self._waiting(path, more=bool(rest))
        if rest and (further := self._with_unread(path, rest[0])):
            total = add(total, self._waiting(further[0], more=len(rest) > 1))
        return total

    def _waiting(self, path: Path, *, more: bool) -> tuple[int, int]:
        """The weight of a path whose next pitch has not come yet; there is none when ``more`` is False. Cards left over cost theirs."""
        shoe = UNSEEN_BY_SHOE ** self._uncounted(path)
        exponent = path.exponent - self._left_over_bits(~path.used)
        if not more:
            return sum(path.front) // shoe, exponent
        outlasting = _falling(self.gap.longer, self.now - path.start, len(path.front))
        return sum(map(mul, path.front, outlasting)) // shoe, exponent - (GAP_UNIT.bit_length() - 1)


def _falling(table: tuple[int, ...], since: int, count: int) -> tuple[int, ...]:
    """``count`` entries of a table of cells, from ``since`` downwards: the last one stands for all beyond it, the first for all below 0."""
    most = len(table) - 1
    if 0 <= since <= most:
        falling = table[since::-1] if since < count else table[since : since - count : -1]
        return falling + table[:1] * (count - len(falling))
    return tuple([table[max(0, min(most, since - at))] for at in range(count)])


def _gaps_behind(front: list[int], gap: Gap) -> list[int]:
    """The weight with which the next card comes ``gap.first`` cells behind the beginning of a front, and each cell later.

    The sum over every cell of the front times the gap from there: as one product of two whole numbers, each with 64 bits a cell.
    A front has 32 bits and a gap 16, so that no sum comes near them. What lies farther back than the longest usual gap has paused;
    the last weight, of a pause from wherever the card lay, stands for all cells behind it.
    """
    size, usual = len(front), len(gap.weights)
    paused = int.from_bytes(struct.pack(f"<{size}Q", *accumulate(front)), "little") * gap.pause
    product = int.from_bytes(struct.pack(f"<{size}Q", *front), "little") * gap.packed + (paused << 64 * usual)
    return list(struct.unpack(f"<{size + usual}Q", product.to_bytes(8 * (size + usual), "little")))


def add(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """The sum of two weights with exponents, exact down to 2^-64 of the heavier one."""
    if not one[0]:
        return other
    if not other[0]:
        return one
    if one[1] < other[1]:
        one, other = other, one
    apart = one[1] - other[1]
    if apart > 64:
        return one[0], one[1]
    total = (one[0] << apart) + other[0]
    excess = max(0, total.bit_length() - 96)
    return total >> excess, other[1] + excess


def best_of(paths: list[Path]) -> list[Path]:
    """The paths of a beam: the heaviest, and none that is far below them; of equal ones, the first."""
    if len(paths) < 2:
        return paths
    best = sorted(paths, key=_LOG, reverse=True)[:BEAM]
    floor = best[0].log - BEAM_BITS * LOG_2
    if best[-1].log >= floor:
        return best
    return [path for path in best if path.log >= floor]
