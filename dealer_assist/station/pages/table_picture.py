"""The table from above with its antennas where they lie: a key for each, for calibration and diagnostics."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QRadialGradient

from dealer_assist.domain.equipment import AntennaView
from dealer_assist.domain.zones import BOARDS, seat_of
from dealer_assist.station import lettering, shapes, theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.keys import Key

#: Device and number of an antenna.
AntennaKey = tuple[str, int]
#: State of an antenna → shape, colour and mark.
STATES: Final[dict[str, tuple[str, str, str]]] = {
    "good": ("circle", theme.GOOD, "tick"),
    "poor": ("diamond", theme.MEDIUM, "!"),
    "unmeasured": ("ring", theme.QUIET, ""),
    "missing": ("cross", theme.HIGH, ""),
    "waiting": ("outline", theme.QUIET, ""),
    "now": ("circle", theme.GOLD, ""),
    "away": ("triangle", theme.HIGH, "!"),
}
#: The seats lie on the rail from the dealer's left to his right, clockwise; degrees from the right, counter-clockwise.
_FIRST, _LAST = 222.0, -42.0
_ACROSS: Final = 4


class Spot(NamedTuple):
    """Where an antenna is drawn, and which of its zone's it is: 0 where the zone has one only."""

    key: AntennaKey
    zone: str
    number: int
    box: QRectF


def lay_out(
    box: QRectF, antennas: Iterable[tuple[AntennaKey, str]], plate: tuple[float, float]
) -> list[Spot]:
    """Share the felt out: seats around it, boards in the middle, the dealer's own places before him. ``plate``: width and height of one."""
    zones: dict[str, list[AntennaKey]] = {}
    for key, zone in antennas:
        zones.setdefault(zone, []).append(key)
    width, height = plate
    middle = box.center()
    spots: list[Spot] = []
    seats = sorted(seat for seat in map(seat_of, zones) if seat is not None)
    steps = max(1, len(seats) - 1)
    for index, seat in enumerate(seats):
        angle = math.radians(_FIRST + (_LAST - _FIRST) * index / steps) if len(seats) > 1 else math.pi / 2
        x = middle.x() + (box.width() - width) / 2 * math.cos(angle)
        y = middle.y() - (box.height() - height) / 2 * math.sin(angle)
        spots += _of_zone(f"seat{seat}", zones, QRectF(x - width / 2, y - height / 2, width, height))
    boards = [zone for zone in BOARDS if zone in zones]
    gap = height * 0.2
    top = middle.y() - height * 0.75 - (len(boards) - 1) * (height + gap) / 2
    for row, zone in enumerate(boards):
        wide = min(box.width() - 2.5 * width, width * max(1.2, 0.86 * len(zones[zone])))
        spots += _of_zone(
            zone, zones, QRectF(middle.x() - wide / 2, top + row * (height + gap), wide, height)
        )
    own = [zone for zone in zones if seat_of(zone) is None and zone not in BOARDS]
    bottom = box.bottom() - height
    while own:
        left, right = _between(spots, QRectF(box.left(), bottom, box.width(), height), gap)
        fits = max(1, min(_ACROSS, int((right - left) / (width * 0.8 + gap))))
        names, own = own[:fits], own[fits:]
        each = min((right - left) / len(names), width + gap)
        start = middle.x() - each * len(names) / 2
        for column, zone in enumerate(names):
            spots += _of_zone(
                zone, zones, QRectF(start + column * each + gap / 2, bottom, each - gap, height)
            )
        bottom -= height + gap
    return spots


def _between(spots: Sequence[Spot], row: QRectF, gap: float) -> tuple[float, float]:
    """How far a row of the dealer's own places may reach to both sides of the middle: up to the seats that lie at its height."""
    half = row.width() * 0.36
    middle = row.center().x()
    for spot in spots:
        beside = spot.box.adjusted(-gap, -gap / 2, gap, gap / 2)
        if beside.top() < row.bottom() and beside.bottom() > row.top():
            half = min(half, max(abs(beside.center().x() - middle) - beside.width() / 2, 0.0))
    return middle - half, middle + half


def _of_zone(zone: str, zones: Mapping[str, Sequence[AntennaKey]], box: QRectF) -> list[Spot]:
    """The antennas of a zone side by side."""
    keys = sorted(zones[zone])
    each = box.width() / len(keys)
    gap = 0 if len(keys) == 1 else 4
    return [
        Spot(
            key,
            zone,
            index + 1 if len(keys) > 1 else 0,
            QRectF(box.left() + index * each + gap / 2, box.top(), each - gap, box.height()),
        )
        for index, key in enumerate(keys)
    ]


def draw_felt(painter: QPainter, box: QRectF) -> None:
    """The felt with its rail, and where the dealer sits."""
    painter.setPen(QPen(QColor(theme.RAIL_EDGE), 3))
    painter.setBrush(QColor(theme.RAIL))
    painter.drawRoundedRect(box, box.height() * 0.48, box.height() * 0.48)
    inner = box.adjusted(10, 10, -10, -10)
    felt = QRadialGradient(box.center(), box.width() / 2)
    felt.setColorAt(0, QColor(theme.FELT_LIGHT))
    felt.setColorAt(1, QColor(theme.FELT_DARK))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(felt)
    painter.drawRoundedRect(inner, inner.height() * 0.48, inner.height() * 0.48)


class SpotKey(Key):
    """An antenna on the picture: its place, what is said of it, its state as a shape; gold while it is the one to touch."""

    title = ""
    said = ""
    state = "unmeasured"
    lit = False
    picked = False

    def show_spot(
        self, title: str, said: str, state: str, *, lit: bool = False, picked: bool = False
    ) -> None:
        """Set what it shows."""
        self.title, self.said, self.state, self.lit, self.picked = title, said, state, lit, picked
        self.setAccessibleName(f"{title}: {said}" if said else title)
        self.update()

    def _lines(self) -> list[tuple[lettering.Fitted, QRectF, str]]:
        box = QRectF(self.rect()).adjusted(5, 2, -5, -2)
        ink = theme.INK if self.lit else theme.TEXT
        half = box.height() / 2
        sign = half * 0.9
        upper = QRectF(box.left() + sign, box.top(), box.width() - sign, half)
        lower = QRectF(box.left(), box.top() + half, box.width(), half)
        return [
            (
                lettering.fit(self.title, upper.width(), half, self.px, weight=700, max_lines=2, min_px=10),
                upper,
                ink,
            ),
            (
                lettering.fit(self.said, lower.width(), half, round(self.px * 0.86), weight=600),
                lower,
                theme.INK if self.lit else theme.QUIET,
            ),
        ]

    def text_fits(self) -> bool:
        """Whether both lines are inside."""
        return all(fitted.fits for fitted, _, _ in self._lines())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Plate, shape, lines."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        edge = theme.TEXT if self.picked or self.hasFocus() else theme.LINE
        painter.setPen(QPen(QColor(edge), 3 if self.picked or self.hasFocus() else 1.5))
        ground = theme.GOLD if self.lit else theme.KEYS["chosen"][0] if self.picked else theme.PLATE
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(box, 9, 9)
        name, colour, mark = STATES[self.state]
        size = box.height() * 0.36
        spot = QPointF(box.left() + size * 0.62, box.top() + box.height() * 0.27)
        shapes.draw(painter, name, spot, size, theme.INK if self.lit else colour, mark)
        for fitted, room, ink in self._lines():
            lettering.paint(painter, fitted, room, ink)
        painter.end()


def spot_title(tr: Translator, spot: Spot) -> str:
    """How a place is called on the picture."""
    seat = seat_of(spot.zone)
    if seat is not None:
        name = tr("ui.seat", seat=seat)
    else:
        name = tr(f"zone_cap.{spot.zone}") if tr.has(f"zone_cap.{spot.zone}") else spot.zone
    return f"{name} {spot.number}" if spot.number else name


def keyed(antennas: Iterable[AntennaView]) -> list[tuple[AntennaKey, str]]:
    """Antennas as :func:`lay_out` takes them."""
    return [((antenna.device, antenna.antenna), antenna.zone) for antenna in antennas]
