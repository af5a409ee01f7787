"""Where everything on the felt goes: seats clockwise from the dealer's left, each with its cards, bet and button. Pure arithmetic.

The dealer sits at the bottom centre of the picture. A wide view has plates with number and stack side by side; a narrow one (beside an
alert) stands the table on end. Nothing overlaps: what could is placed by trying spots in order of preference.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF


class SeatPlace(NamedTuple):
    """The boxes of one seat."""

    plate: QRectF
    cards: QRectF
    bet: QRectF
    disc: QRectF


class TableGeometry(NamedTuple):
    """The boxes of the whole table. ``scale`` is 1.0 for a view of 1286 × 860, or 620 × 860 when ``narrow``.

    ``grow``: how much larger than drawn the seats are. ``boards``: a row of five for each board, the first on top; ``board_names``:
    left of each row, where there are several. ``burns`` and ``muck`` lie side by side in ``counters``, the ``stub`` on the tray.
    """

    scale: float
    grow: float
    narrow: bool
    felt: QRectF
    radius: float
    seats: dict[int, SeatPlace]
    boards: tuple[tuple[QRectF, ...], ...]
    board_names: tuple[QRectF, ...]
    street: QRectF
    pots: QRectF
    counters: QRectF
    stub: QRectF
    burns: QRectF
    muck: QRectF
    tray: QRectF
    notices: QRectF


_LEAST_PLATE = 0.95


class _Sizes(NamedTuple):
    plate: tuple[float, float]
    cards: tuple[float, float]
    bet: tuple[float, float]
    disc: float
    board: tuple[float, float, float]
    street_h: float
    pots_h: float
    counters: tuple[float, float]
    tray: tuple[float, float]
    gap: float
    #: the least width of the pots, where they are not to be as wide as the board
    pots_w: float = 0.0

    def with_text(self, text: float) -> _Sizes:
        """Room for larger text where there is nothing but text: the pots."""
        wide = 5 * self.board[0] + 4 * self.board[2]
        return self._replace(pots_h=self.pots_h * text, pots_w=wide * (1 + (text - 1) * 0.4))

    def grown(self, grow: float) -> _Sizes:
        """What belongs to the seats and the dealer, larger by a factor, or smaller: a plate then hardly, for it is read."""
        cards, bet, counters, tray = (
            (box[0] * grow, box[1] * grow) for box in (self.cards, self.bet, self.counters, self.tray)
        )
        plate = (self.plate[0] * max(grow, _LEAST_PLATE), self.plate[1] * max(grow, _LEAST_PLATE))
        return self._replace(
            plate=plate,
            cards=cards,
            bet=bet,
            disc=self.disc * grow,
            counters=counters,
            tray=tray,
            street_h=self.street_h * grow,
            pots_h=self.pots_h * max(1.0, grow * 0.9),
        )


_WIDE = _Sizes((172, 76), (106, 76), (104, 42), 40, (82, 116, 8), 36, 100, (350, 52), (190, 40), 8)
_NARROW = _Sizes((112, 76), (76, 48), (92, 34), 32, (70, 98, 5), 34, 96, (340, 46), (180, 38), 6)

#: how much larger than drawn the seats may be, and the board: the largest of both at which nothing touches is taken
_GROWTHS = (1.3, 1.2, 1.1, 1.0)
_BOARD_GROWTHS = {1: (1.35, 1.25, 1.15, 1.07, 1.0), 2: (1.15, 1.07, 1.0, 0.92, 0.85), 3: (1.0, 0.9, 0.8)}
#: how much a larger board counts beside larger seats
_BOARD_WEIGHT = 0.6
#: … where seats matter more than the board: little room, large text
_BOARD_SMALL = (0.92, 0.85)
#: how much the board may shrink, and how far it may move from the middle, before it would touch a seat
_SHRINKS = (1.0, 0.94, 0.88, 0.82, 0.76, 0.7, 0.64, 0.58)
#: … and how much further three boards may
_MORE_SHRINKS = (0.53, 0.48, 0.43, 0.38)
#: directions in which a bet or the button is tried around its seat's cards, inwards first
_TURNS = (0, 20, -20, 40, -40, 60, -60, 75, -75, 90, -90, 105, -105, 120, -120, 150, -150, 180)
#: how much nearer "clearly nearer" is, in squares
_CLEARLY = 0.75
#: … and how far from there: whose cards and bet it is must be seen, so they go round a corner only where there is no other way
#: (degrees, and whether a bet has to be nearer to its own seat's cards than to any other's)
_TOWARDS = ((30, True), (60, True), (100, True), (60, False), (100, False), (180, False))
_SHIFTS = (-0.02, -0.05, 0.01, -0.08, 0.04, -0.11, 0.07, -0.15, 0.1, -0.19, 0.13, -0.23, -0.27, -0.31)


def positions_of(seats: Iterable[int]) -> int:
    """How many seats the table has places for: six, nine, or as many as its highest seat."""
    highest = max(seats, default=9)
    if highest <= 6:
        return 6
    return max(9, highest)


def _path(box: QRectF, radius: float, distance: float) -> tuple[QPointF, QPointF]:
    """The point at a distance along a rounded box, clockwise from its bottom centre, and the direction inwards there."""
    across, down = box.width() - 2 * radius, box.height() - 2 * radius
    quarter = math.pi * radius / 2
    pieces = (across / 2, quarter, down, quarter, across, quarter, down, quarter, across / 2)
    index = 0
    while index < len(pieces) - 1 and distance > pieces[index]:
        distance -= pieces[index]
        index += 1
    corners = (
        (box.left() + radius, box.bottom() - radius, 90.0),
        (box.left() + radius, box.top() + radius, 180.0),
        (box.right() - radius, box.top() + radius, 270.0),
        (box.right() - radius, box.bottom() - radius, 0.0),
    )
    match index:
        case 0:
            return QPointF(box.center().x() - distance, box.bottom()), QPointF(0, -1)
        case 2:
            return QPointF(box.left(), box.bottom() - radius - distance), QPointF(1, 0)
        case 4:
            return QPointF(box.left() + radius + distance, box.top()), QPointF(0, 1)
        case 6:
            return QPointF(box.right(), box.top() + radius + distance), QPointF(-1, 0)
        case 8:
            return QPointF(box.right() - radius - distance, box.bottom()), QPointF(0, -1)
    x, y, start = corners[(index - 1) // 2]
    angle = math.radians(start + (math.degrees(distance / radius) if radius else 0))
    return QPointF(x + radius * math.cos(angle), y + radius * math.sin(angle)), QPointF(
        -math.cos(angle), -math.sin(angle)
    )


def _length(box: QRectF, radius: float) -> float:
    return 2 * (box.width() - 2 * radius) + 2 * (box.height() - 2 * radius) + 2 * math.pi * radius


def _box(centre: QPointF, width: float, height: float) -> QRectF:
    return QRectF(centre.x() - width / 2, centre.y() - height / 2, width, height)


def _beyond(box: QRectF, way: QPointF, width: float, height: float, gap: float) -> QRectF:
    """A box of the given size next to ``box`` in a direction, as near as the gap lets it."""
    steps = []
    if abs(way.x()) > 1e-6:
        steps.append((box.width() / 2 + width / 2 + gap) / abs(way.x()))
    if abs(way.y()) > 1e-6:
        steps.append((box.height() / 2 + height / 2 + gap) / abs(way.y()))
    return _box(box.center() + way * min(steps), width, height)


def _turned(way: QPointF, degrees: float) -> QPointF:
    angle = math.radians(degrees)
    cos, sin = math.cos(angle), math.sin(angle)
    return QPointF(way.x() * cos - way.y() * sin, way.x() * sin + way.y() * cos)


def _free(box: QRectF, taken: list[QRectF], bounds: QRectF) -> bool:
    return bounds.contains(box) and not any(box.intersects(other) for other in taken)


def _around(
    box: QRectF, way: QPointF, width: float, height: float, gap: float, most: int = 180
) -> Iterator[QRectF]:
    """Spots beside a box, at first in a direction, then turned away from it by at most so many degrees."""
    for turn in (turn for turn in _TURNS if abs(turn) <= most):
        for extra in (1.0, 3.0, 6.0):
            yield _beyond(box, _turned(way, turn), width, height, gap * extra)


class _Crowded(Exception):
    """No spot is free."""


def _first_free(spots: Iterator[QRectF], taken: list[QRectF], bounds: QRectF, *, must: bool) -> QRectF:
    """The first spot that is free. None is: the first of all, unless it ``must`` be free; then raises _Crowded."""
    first: QRectF | None = None
    for spot in spots:
        first = first or spot
        if _free(spot, taken, bounds):
            return spot
    if must or first is None:
        raise _Crowded
    return first


@lru_cache(maxsize=64)
def lay_out(width: int, height: int, count: int, boards: int = 1, text: float = 1.0) -> TableGeometry:
    """Place a table of ``count`` seats, with one to three boards below each other, in a view of the given size in pixels.

    Everything is as large as the table lets it be; ``text`` above 1.0 asks for more (it is how much larger text is to be).
    """
    narrow = width < height * 1.1
    more = [round(_GROWTHS[0] + step / 10, 2) for step in range(round((text - 1) * 8), 0, -1)]
    small = _BOARD_SMALL if narrow or text > 1 else ()
    pairs = [(grow, board) for grow in (*more, *_GROWTHS) for board in (*_BOARD_GROWTHS[boards], *small)]
    weight = _BOARD_WEIGHT if text == 1.0 else _BOARD_WEIGHT / 4
    pairs.sort(key=lambda pair: pair[0] + weight * pair[1], reverse=True)
    shrinks = (*_SHRINKS, *_MORE_SHRINKS) if boards > 2 else _SHRINKS
    for most, near in _TOWARDS[0 if narrow else 1 if text == 1.0 else 2 :]:
        sizes: list[tuple[float, tuple[float, ...]]] = [(grow, (board,)) for grow, board in pairs]
        last = (1.0, 0.92, 0.85, 0.78) if narrow or most == 180 else (1.0, 0.92)
        sizes += [(grow, shrinks) for grow in last]
        for grow, board_sizes in sizes:
            try:
                return _lay_out(width, height, count, boards, text, grow, board_sizes, most, near=near)
            except _Crowded:
                continue
    return _lay_out(width, height, count, boards, 1.0, 0.78, shrinks, None)


def _lay_out(
    width: int,
    height: int,
    count: int,
    boards: int,
    text: float,
    grow: float,
    board_sizes: tuple[float, ...],
    most: int | None,
    *,
    near: bool = False,
) -> TableGeometry:
    """Raises _Crowded where not everything has a spot of its own; with ``most`` None what has none lies over something else."""
    must = most is not None
    narrow = width < height * 1.1
    sizes = _NARROW if narrow else _WIDE
    sizes = (sizes.with_text(text) if text > 1 else sizes).grown(grow)
    k = min(width / (620 if narrow else 1286), height / (900 if narrow else 820))
    gap = sizes.gap * k
    # A strip below the table is kept for notices, so that one coming does not move the seats.
    strip = 46 * k + gap
    bounds = QRectF(0, 0, width, height - strip)
    plate_w, plate_h = sizes.plate[0] * k, sizes.plate[1] * k
    used_w = min(bounds.width(), (720 if narrow else 1500) * k)
    used_h = min(bounds.height(), (1060 if narrow else 980) * k)
    view = _box(bounds.center(), used_w, used_h)
    track = view.adjusted(plate_w / 2 + gap, plate_h / 2 + gap, -plate_w / 2 - gap, -plate_h / 2 - gap)
    radius = min(track.width(), track.height()) / 2 * (0.72 if narrow else 0.92)
    felt = track.adjusted(-plate_w * 0.22, -plate_h * 0.16, plate_w * 0.22, plate_h * 0.16)

    total = _length(track, radius)
    opening = max(plate_w + sizes.tray[0] * k + 4 * gap, total / (count + 1) * 1.25)
    spacing = (total - opening) / (count - 1)
    spots = {seat: _path(track, radius, opening / 2 + (seat - 1) * spacing) for seat in range(1, count + 1)}
    plates = {seat: _box(point, plate_w, plate_h) for seat, (point, _) in spots.items()}
    cards_w, cards_h = sizes.cards[0] * k, sizes.cards[1] * k
    tray_w, tray_h = sizes.tray[0] * k, sizes.tray[1] * k
    tray = _box(QPointF(felt.center().x(), felt.bottom() - tray_h / 2 - 8 * k), tray_w, tray_h)
    taken: list[QRectF] = []
    for box in (tray, *plates.values()):
        if must and not _free(box, taken, bounds):
            raise _Crowded
        taken.append(box)
    cards, ways = {}, {}
    for seat, (_, inwards) in spots.items():
        way = inwards
        if narrow and abs(way.x()) > 0.5:
            # A narrow table needs its width for the board: cards and bets go below their plate, above it at the bottom.
            way = QPointF(0, 1 if inwards.y() > -0.3 else -1)
        ways[seat] = way
        cards[seat] = _first_free(
            _around(plates[seat], way, cards_w, cards_h, gap, most or 180), taken, bounds, must=must
        )
        taken.append(cards[seat])

    counters = _counters(felt, sizes, k, taken, bounds, must=must)
    taken.append(counters)
    rows, names, street, pots = _middle(felt, sizes, k, taken, bounds, boards, board_sizes, must=must)
    taken += [*chain(*rows), *names, street, pots]
    discs, bets = {}, {}
    for seat, way in ways.items():
        tried = _around(cards[seat], way, sizes.bet[0] * k, sizes.bet[1] * k, gap, most or 180)
        if must:
            others = [box.center() for other, box in cards.items() if other != seat]
            tried = (
                spot for spot in tried if not near or _nearest(spot.center(), cards[seat].center(), others)
            )
        bets[seat] = _first_free(tried, taken, bounds, must=must)
        taken.append(bets[seat])
    for seat, way in ways.items():
        side = _turned(way, 90)
        beside = [
            _around(box, side, sizes.disc * k, sizes.disc * k, gap / 2)
            for box in (cards[seat], plates[seat], bets[seat])
        ]
        discs[seat] = _first_free(chain(*beside), taken, bounds, must=must)
    pots = _widened(pots, [*taken, *discs.values()], bounds)
    places = {seat: SeatPlace(plates[seat], cards[seat], bets[seat], discs[seat]) for seat in plates}
    notices = QRectF(gap, height - strip, width - 2 * gap, 46 * k)
    burns, muck = _piles(counters)
    stub = QRectF(tray.left() + 3, tray.top(), tray.height(), tray.height())
    return TableGeometry(
        k,
        grow,
        narrow,
        felt,
        radius + plate_h * 0.16,
        places,
        rows,
        names,
        street,
        pots,
        counters,
        stub,
        burns,
        muck,
        tray,
        notices,
    )


def _widened(box: QRectF, taken: list[QRectF], bounds: QRectF) -> QRectF:
    """As much wider and taller as there is room: several pots need it."""
    others = [other for other in taken if other != box]
    found = box
    for share in (0.05, 0.1, 0.15, 0.2, 0.25, 0.3):
        for wide, tall in ((share, 0.0), (share, share)):
            by, down = box.width() * wide / 2, box.height() * tall
            wider = box.adjusted(-by, 0, by, down)
            if wider.width() * wider.height() > found.width() * found.height() and _free(
                wider, others, bounds
            ):
                found = wider
    return found


def _nearest(spot: QPointF, own: QPointF, others: list[QPointF]) -> bool:
    """Whether a spot is clearly nearer to one point than to all others."""
    mine = _square(spot - own)
    return all(mine < _CLEARLY * _square(spot - other) for other in others)


def _square(way: QPointF) -> float:
    return way.x() * way.x() + way.y() * way.y()


def _piles(row: QRectF) -> tuple[QRectF, QRectF]:
    """Burns and muck, each with a word and a number beside it."""
    gap = row.height() * 0.16
    each = (row.width() - gap) / 2
    return (
        QRectF(row.left(), row.top(), each, row.height()),
        QRectF(row.left() + each + gap, row.top(), each, row.height()),
    )


def _counters(
    felt: QRectF, sizes: _Sizes, k: float, taken: list[QRectF], bounds: QRectF, *, must: bool
) -> QRectF:
    width, height = sizes.counters[0] * k, sizes.counters[1] * k
    tries = (
        _box(QPointF(felt.center().x(), felt.bottom() - rise * k), width * part, height)
        for part in (1.0, 0.9, 0.8, 0.7, 0.6)
        for rise in range(80, 320, 16)
    )
    return _first_free(tries, taken, bounds, must=must)


def _middle(
    felt: QRectF,
    sizes: _Sizes,
    k: float,
    taken: list[QRectF],
    bounds: QRectF,
    boards: int,
    board_sizes: tuple[float, ...],
    *,
    must: bool,
) -> tuple[tuple[tuple[QRectF, ...], ...], tuple[QRectF, ...], QRectF, QRectF]:
    """Street name, five cards a board and the pots under them, as large and as central as the seats let them.

    Several boards have their names left of them, in a column as wide as a card.
    """
    gap = sizes.gap * k
    # three boards reach far up and down: the button must still get past them
    beside = gap + (sizes.disc * k if boards > 2 else 0.0)
    sizes_tried = [
        (shrink, tall)
        for shrink in board_sizes
        for tall in ((1.0,) if shrink > 1.0 and must else (1.0, 0.8, 0.62))
    ]
    for shrink, tall in sizes_tried:
        card_w, card_h, between = (size * k * shrink for size in sizes.board)
        street_h, pots_h = sizes.street_h * k, sizes.pots_h * k * tall
        names_w = card_w + between if boards > 1 else 0.0
        width = names_w + 5 * card_w + 4 * between
        height = street_h + boards * (card_h + gap) + pots_h + gap
        wide = max(width, sizes.pots_w * k * tall)
        for shift in _SHIFTS:
            middle = _box(felt.center() + QPointF(0, shift * felt.height()), wide, height)
            last = not must and (shrink, tall) == sizes_tried[-1]
            if last or _free(middle.adjusted(-beside, -gap, beside, gap), taken, bounds):
                top = middle.top() + street_h + gap
                row_left = middle.center().x() - width / 2
                left = row_left + names_w
                tops = [top + number * (card_h + gap) for number in range(boards)]
                rows = tuple(
                    [
                        tuple(
                            [
                                QRectF(left + index * (card_w + between), y, card_w, card_h)
                                for index in range(5)
                            ]
                        )
                        for y in tops
                    ]
                )
                names = tuple([QRectF(row_left, y, card_w, card_h) for y in tops if boards > 1])
                street = QRectF(row_left, middle.top(), width, street_h)
                below = top + boards * (card_h + gap)
                return rows, names, street, QRectF(middle.left(), below, wide, pots_h)
    raise _Crowded
