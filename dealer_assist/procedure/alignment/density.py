"""Densities as integers: how long a dealer takes from card to card, how late a card is read, how long one goes unread.

Time is cut into cells of :data:`CELL_MS`. A weight is a probability times :data:`UNIT`; products are cut back by shifts, so that
the same reads give the same odds on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal

import msgspec

from dealer_assist.procedure.alignment.sensing import WHOLE, SensingParameters

CELL_MS: Final = 100
#: One as a weight.
UNIT: Final = 1 << 20
#: Milliseconds between two pitched cards until the deal has shown its own pace (dealers: 450 to 800).
USUAL_PACE_MS: Final = 620
#: More scans than these are as many.
MOST_SCANS: Final = 400
#: How long an antenna reads nothing while a hand or a phone lies above it, at most.
DEAF_MS: Final = 10_000
#: A dealer pauses now and then (a word with a player, a card that slid): the share of gaps, and how long at most.
PAUSE: Final = 300
PAUSE_MS: Final = 8000
#: How long a player holds a card that he took up before it was read twice, in ms, least and most.
HELD_MS: Final = (800, 4400)
#: Of the cards that were taken up before they were read twice, those that were not read at all: he reached for them within half a scan
#: on average, and within one and a half before the second.
_HELD_UNREAD: Final = 3
#: Of the hands one of whose cards is taken up, one in so many has another one with it that was not read.
_TAKEN_WITH: Final = 4
#: What lies at a seat and is covered is told to have left after so long at most, with the zones' parameters of every family: while
#: another card of the seat lies there, nothing has covered it for longer.
LEAVE_MS: Final = 1500

#: (part of the pace in 1/1000, relative weight): of a pace that was measured in this deal, and of the usual one.
_MEASURED: Final = (
    (480, 1),
    (580, 30),
    (660, 400),
    (730, 1000),
    (1290, 1000),
    (1420, 200),
    (1650, 20),
    (1900, 0),
)
_USUAL: Final = (
    (350, 1),
    (480, 40),
    (580, 300),
    (700, 1000),
    (1300, 1000),
    (1500, 300),
    (1900, 30),
    (2300, 0),
)
#: Gaps that measure the pace: this many at least, and what the usual one counts beside them.
_GAPS_AT_LEAST: Final = 3
_USUAL_COUNTS: Final = 2


class Gap(msgspec.Struct, frozen=True):
    """From one card to the next: ``weights`` of the cells ``first`` …, then ``pause`` for each cell up to a longest pause.

    ``packed``: the same weights in one number, 64 bits each. ``longer``: the weight of a gap of so many cells or more, of which
    even the longest pause is none that cannot be. The whole is :data:`GAP_UNIT`.
    """

    first: int
    weights: tuple[int, ...]
    packed: int
    pause: int
    longer: tuple[int, ...]
    #: what a card takes at the least where several are pitched on end
    least: int

    @property
    def last(self) -> int:
        """The last cell of ``weights``."""
        return self.first + len(self.weights) - 1


#: The weight of all gaps together.
GAP_UNIT: Final = UNIT >> 4
#: What is left for a pause that has no end: the dealer was called away.
_ENDLESS: Final = GAP_UNIT // 1000


def pace_of(gaps_ms: Sequence[int]) -> tuple[int, bool]:
    """The pace of a deal by the times from one card to the next, and whether it was measured in it.

    Only between seats that are served one after the other: elsewhere a card may have gone unread, and twice the pace be one gap.
    """
    gaps = [gap for gap in gaps_ms if gap > 0]
    if len(gaps) < _GAPS_AT_LEAST:
        return USUAL_PACE_MS, False
    middle = sorted(gaps)[len(gaps) // 2]
    usual = [gap for gap in gaps if 2 * gap > middle and 5 * gap < 8 * middle]
    if len(usual) < _GAPS_AT_LEAST:
        return USUAL_PACE_MS, False
    total = sum(usual) + _USUAL_COUNTS * USUAL_PACE_MS
    pace = total // (len(usual) + _USUAL_COUNTS)
    return max(200, min(2000, pace // 20 * 20)), True


@lru_cache(maxsize=256)
def gap_of(pace_ms: int, *, measured: bool) -> Gap:
    """The density of the time between two cards at this pace."""
    points = _MEASURED if measured else _USUAL
    first = points[0][0] * pace_ms // 1000 // CELL_MS
    last = points[-1][0] * pace_ms // 1000 // CELL_MS
    # two times that lie somewhere in their cells: the density around the distance of the cells
    raw = [
        sum([share * _between(points, half * CELL_MS * 500 // pace_ms) for half, share in _around(2 * cell)])
        for cell in range(first, last + 1)
    ]
    total = sum(raw)
    share = GAP_UNIT * (WHOLE - PAUSE) // WHOLE
    weights = tuple([weight * share // total for weight in raw])
    pause = max(1, GAP_UNIT * PAUSE // WHOLE * CELL_MS // PAUSE_MS)
    cells = PAUSE_MS // CELL_MS
    longer = [
        max(_ENDLESS, sum(weights[max(0, at - first) :]) + pause * (cells - at)) for at in range(cells + 1)
    ]
    packed = sum([weight << 64 * number for number, weight in enumerate(weights)])
    return Gap(first, weights, packed, pause, tuple(longer), max(first, pace_ms // 2 // CELL_MS))


def _around(half: int) -> tuple[tuple[int, int], ...]:
    return (half - 1, 1), (half, 2), (half + 1, 1)


def _between(points: tuple[tuple[int, int], ...], at: int) -> int:
    """The weight at a place, by a straight line between the points around it."""
    if at <= points[0][0]:
        return points[0][1]
    for before, point in pairwise(points):
        if at <= point[0]:
            span, over = point[0] - before[0], at - before[0]
            return before[1] + (point[1] - before[1]) * over // span
    return 0


@lru_cache(maxsize=256)
def _powers(base: int) -> tuple[int, ...]:
    """A share to the power of 0, 1, 2, … as weights: made once, for a table of weights asks for each of them."""
    powers = [UNIT]
    for _ in range(MOST_SCANS):
        powers.append(powers[-1] * base // WHOLE)
    return tuple(powers)


def _power(base: int, times: int) -> int:
    """A share to the power of a count, as a weight."""
    return _powers(base)[min(times, MOST_SCANS)]


#: What is known of another card at the same seat: it went unread, or was read first in the same scan. What covers a seat covers both
#: cards: then its cards are not late one by one.
Other = Literal["", "silent", "together"]
#: How often a card that goes unread for more than a scan or two does so because something covers its seat, among all reasons.
_COVERED: Final = UNIT // 4


@lru_cache(maxsize=256)
def lateness(
    antenna: SensingParameters, *, solid: bool, other: Other = "", heard: bool = False
) -> tuple[int, ...]:
    """The weights of a card that came 0, 1, 2, … cells before the last scan without it was over; the last stands for all before.

    At 0 it came behind that scan, and the first one that could read it did. ``heard``: another card of the seat lay there all the
    time, so that nothing can have covered it for long.
    """
    missed = [
        read_late(antenna, scans, heard=heard) if solid else glimpsed_late(antenna, scans)
        for scans in range(MOST_SCANS)
    ]
    if other == "together":
        missed = [max(weight, _covered(antenna, scans)) for scans, weight in enumerate(missed)]
    elif other == "silent":
        of_each = antenna.period_ms * UNIT // DEAF_MS
        missed = [
            max(weight, _covered(antenna, scans) * of_each // UNIT) for scans, weight in enumerate(missed)
        ]
    return (missed[0], *[missed[scans + 1] for scans in _scans(antenna, MOST_SCANS - 1)[1:]])


@lru_cache(maxsize=1024)
def silence(
    antenna: SensingParameters, *, lifted: int | None = None, other: bool = False, heard: bool = False
) -> tuple[int, ...]:
    """The weights of a card that lies unread for 0, 1, 2, … cells; the last stands for all that are more.

    ``lifted``: so many cells ago another card of the hand was taken up, and this one may have been with it: until then it lay there.
    ``other``: another one went unread. ``heard``: another card of the seat lies there, so that nothing can have covered it for long.
    """
    silent = [
        max(unread(antenna, scans, heard=heard), _covered(antenna, scans) if other else 0)
        for scans in range(MOST_SCANS)
    ]
    lain = [silent[scans] for scans in _scans(antenna, MOST_SCANS)]
    if lifted is None:
        return tuple(lain)
    with_it = [weight // _TAKEN_WITH for weight in lain[: max(0, len(lain) - lifted)]]
    return tuple(lain[:lifted]) + tuple(map(max, lain[lifted:], with_it))


def _covered(antenna: SensingParameters, scans: int) -> int:
    """The weight of a seat's being covered for so many scans more, where another card of it went unread before."""
    return _COVERED * max(0, DEAF_MS - scans * antenna.period_ms) // DEAF_MS


def _scans(antenna: SensingParameters, count: int) -> list[int]:
    """How many scans 0, 1, 2, … cells have, up to the first with the last of ``count`` scans."""
    found = [0]
    while found[-1] < count - 1:
        found.append(min(count - 1, len(found) * CELL_MS // antenna.period_ms))
    return found


def read_late(antenna: SensingParameters, missed: int, *, heard: bool = False) -> int:
    """The weight of a card that is read twice, for the first time after so many scans that missed it; ``heard``: see :func:`lateness`."""
    well = WHOLE - antenna.bad - antenna.deaf
    good = well * antenna.hit // WHOLE * _power(WHOLE - antenna.hit, missed) // WHOLE
    # a badly placed card that was read must be read again soon: about three scans have a chance
    again = min(WHOLE, 3 * antenna.bad_hit)
    badly = antenna.bad * antenna.bad_hit * again * _power(WHOLE - antenna.bad_hit, missed) // WHOLE**3
    deaf = 0
    if 0 < missed * antenna.period_ms < (LEAVE_MS if heard else DEAF_MS):
        deaf = antenna.deaf * UNIT // WHOLE * antenna.period_ms // DEAF_MS
    least, most = (held_ms // antenna.period_ms for held_ms in HELD_MS)
    taken_up = antenna.lifted * UNIT // WHOLE // _HELD_UNREAD
    held = taken_up // (most - least + 1) if least <= missed <= most else 0
    return good + badly + deaf + held


def glimpsed_late(antenna: SensingParameters, missed: int) -> int:
    """The weight of a card that is read once, after so many scans that missed it, and not again."""
    badly = antenna.bad * antenna.bad_hit * _power(WHOLE - antenna.bad_hit, missed) // WHOLE**2
    lifted = antenna.lifted * antenna.hit * _power(WHOLE - antenna.hit, missed) // WHOLE**2
    return badly + lifted


def unread(antenna: SensingParameters, scans: int, *, heard: bool = False) -> int:
    """The weight of a card that so many scans have not read; ``heard``: see :func:`silence`."""
    well = WHOLE - antenna.bad - antenna.deaf
    good = well * _power(WHOLE - antenna.hit, scans) // WHOLE
    badly = antenna.bad * _power(WHOLE - antenna.bad_hit, scans) // WHOLE
    lasting = max(0, (LEAVE_MS if heard else DEAF_MS) - scans * antenna.period_ms)
    deaf = antenna.deaf * UNIT // WHOLE * lasting // DEAF_MS
    least, most = (held_ms // antenna.period_ms for held_ms in HELD_MS)
    still = min(most - least + 1, max(0, most - scans))
    held = antenna.lifted * UNIT // WHOLE // _HELD_UNREAD * still // (most - least + 1)
    return min(UNIT, good + badly + deaf + held)


_LOG_BITS: Final = 8
#: 1024 times the natural logarithm of 1 + k/256.
_LOGS: Final = (
    0, 4, 8, 12, 16, 20, 24, 28, 32, 35, 39, 43, 47, 51, 55, 58, 62, 66, 70, 73, 77, 81, 84, 88, 92, 95, 99, 103, 106, 110,
    113, 117, 121, 124, 128, 131, 135, 138, 142, 145, 149, 152, 156, 159, 162, 166, 169, 173, 176, 179, 183, 186, 189, 193,
    196, 199, 203, 206, 209, 212, 216, 219, 222, 225, 228, 232, 235, 238, 241, 244, 248, 251, 254, 257, 260, 263, 266, 269,
    272, 275, 278, 282, 285, 288, 291, 294, 297, 300, 303, 306, 308, 311, 314, 317, 320, 323, 326, 329, 332, 335, 338, 341,
    343, 346, 349, 352, 355, 358, 360, 363, 366, 369, 372, 374, 377, 380, 383, 385, 388, 391, 394, 396, 399, 402, 404, 407,
    410, 413, 415, 418, 421, 423, 426, 428, 431, 434, 436, 439, 442, 444, 447, 449, 452, 454, 457, 460, 462, 465, 467, 470,
    472, 475, 477, 480, 482, 485, 487, 490, 492, 495, 497, 500, 502, 505, 507, 509, 512, 514, 517, 519, 521, 524, 526, 529,
    531, 533, 536, 538, 541, 543, 545, 548, 550, 552, 555, 557, 559, 562, 564, 566, 568, 571, 573, 575, 578, 580, 582, 584,
    587, 589, 591, 593, 596, 598, 600, 602, 605, 607, 609, 611, 613, 616, 618, 620, 622, 624, 626, 629, 631, 633, 635, 637,
    639, 642, 644, 646, 648, 650, 652, 654, 656, 659, 661, 663, 665, 667, 669, 671, 673, 675, 677, 679, 681, 683, 685, 688,
    690, 692, 694, 696, 698, 700, 702, 704, 706, 708,
)  # fmt: skip
#: 1024 times the natural logarithm of 2.
LOG_2: Final = 710


def log_of(weight: int, exponent: int = 0) -> int:
    """The natural logarithm of ``weight`` · 2^``exponent`` in 1/1024 nat; the weight must be positive."""
    bits = weight.bit_length()
    shift = bits - 1 - _LOG_BITS
    head = weight >> shift if shift >= 0 else weight << -shift
    return (bits - 1 + exponent) * LOG_2 + _LOGS[head - (1 << _LOG_BITS)]
