"""Movement on the felt: things glide to where they belong, things that go are seen going. Where they belong is never in doubt.

A glide changes only where an item is painted; a new state gives it a new end while it is on its way. Nothing waits for a movement:
each is over after its time, however few frames there were, and all can be ended at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QGraphicsPixmapItem, QGraphicsScene

from dealer_assist.station.scene.items import Item
from dealer_assist.station.scene.moves import Place

#: Milliseconds of a frame: 60 a second.
FRAME_MS: Final = 16
#: Milliseconds that a card flies, and chips.
CARD_MS: Final = 180.0
CHIPS_MS: Final = 260.0
#: what goes is seen below everything that is there: it hides nothing that is true
_BELOW: Final = 0.5


def _now_ms() -> float:
    return time.monotonic() * 1000


class _Glide(NamedTuple):
    start: QPointF
    begin_ms: float
    lasts_ms: float


class _Leaving(NamedTuple):
    item: QGraphicsPixmapItem
    half: QPointF
    start: QPointF
    end: QPointF
    begin_ms: float
    lasts_ms: float


class Motion(QObject):
    """Moves things of one scene. With ``enabled`` False everything is at once where it belongs.

    ``step`` is called by a timer as long as something moves.
    """

    def __init__(self, parent: QObject, scene: QGraphicsScene, *, enabled: bool) -> None:
        super().__init__(parent)
        self.enabled = enabled
        self.ratio = 1.0
        self._scene = scene
        self._clock_ms: Callable[[], float] = _now_ms
        self._glides: dict[Item, _Glide] = {}
        self._leaving: dict[tuple[Place, int], _Leaving] = {}
        self._count = 0
        self._timed = True
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self.step)

    @property
    def moving(self) -> int:
        """How many things are on their way."""
        return len(self._glides) + len(self._leaving)

    @property
    def leaving(self) -> tuple[QGraphicsPixmapItem, ...]:
        """What is seen going and is no longer there in truth."""
        return tuple(flight.item for flight in self._leaving.values())

    def set_clock(self, clock_ms: Callable[[], float]) -> None:
        """Who is asked for the time; frames then come from ``step`` alone."""
        self._clock_ms = clock_ms
        self._timed = False
        self._timer.stop()

    def is_moving(self, item: Item) -> bool:
        """Whether an item is on its way."""
        return item in self._glides

    def glide(self, item: Item, start: QPointF, lasts_ms: float) -> None:
        """Let an item come from ``start`` (its centre) to where it belongs."""
        if not self.enabled:
            return
        self._glides[item] = _Glide(QPointF(start), self._clock_ms(), lasts_ms)
        item.show_at(start)
        self._run()

    def still(self, item: Item) -> None:
        """An item is where it belongs, now."""
        if self._glides.pop(item, None) is not None:
            item.show_at(item.box.center())

    def leave(self, origin: Place, pixmap: QPixmap, start: QPointF, end: QPointF, lasts_ms: float) -> None:
        """Show a picture going from ``start`` to ``end``, where it vanishes."""
        if not self.enabled:
            return
        item = QGraphicsPixmapItem(pixmap)
        item.setZValue(_BELOW)
        size = pixmap.deviceIndependentSize()
        self._count += 1
        flight = _Leaving(
            item,
            QPointF(size.width() / 2, size.height() / 2),
            QPointF(start),
            QPointF(end),
            self._clock_ms(),
            lasts_ms,
        )
        self._leaving[origin, self._count] = flight
        self._place(flight, 0.0)
        self._scene.addItem(item)
        self._run()

    def take_over(self, origin: Place) -> QPointF | None:
        """What left this place comes back: where it has got to; it is seen no more. None when nothing did."""
        for key, flight in self._leaving.items():
            if key[0] == origin:
                spot = flight.item.pos() + flight.half
                self._scene.removeItem(flight.item)
                del self._leaving[key]
                return spot
        return None

    def step(self) -> None:
        """One frame."""
        now_ms = self._clock_ms()
        for item, glide in list(self._glides.items()):
            done = min(1.0, (now_ms - glide.begin_ms) / glide.lasts_ms)
            end = item.box.center()
            if done >= 1.0:
                del self._glides[item]
                item.show_at(end)
            else:
                item.show_at(glide.start + (end - glide.start) * _eased(done))
        for key, flight in list(self._leaving.items()):
            done = (now_ms - flight.begin_ms) / flight.lasts_ms
            if done >= 1.0:
                self._scene.removeItem(flight.item)
                del self._leaving[key]
            else:
                self._place(flight, _eased(done))
        if not self.moving:
            self._timer.stop()

    def settle(self) -> None:
        """Everything where it belongs, at once."""
        for item in list(self._glides):
            self.still(item)
        for flight in self._leaving.values():
            self._scene.removeItem(flight.item)
        self._leaving.clear()
        self._timer.stop()

    def _place(self, flight: _Leaving, done: float) -> None:
        spot = flight.start + (flight.end - flight.start) * done - flight.half
        flight.item.setPos(
            round(spot.x() * self.ratio) / self.ratio, round(spot.y() * self.ratio) / self.ratio
        )

    def _run(self) -> None:
        if self._timed and not self._timer.isActive():
            self._timer.start()


def _eased(done: float) -> float:
    """Quick at first, then slower: a thing that is thrown."""
    left = 1.0 - done
    return 1.0 - left * left * left
