"""The table view: builds the items once and follows the state. A tap on a seat or the board is a signal."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, TypeVar

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import QFrame, QGraphicsScene, QGraphicsView, QWidget

from dealer_assist.domain.zones import SEATS
from dealer_assist.station import lettering, theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.scene import cards, items, pills, values
from dealer_assist.station.scene.geometry import TableGeometry, lay_out, positions_of
from dealer_assist.station.scene.motion import CARD_MS, CHIPS_MS, Motion
from dealer_assist.station.scene.moves import Move, Place, lying, moves
from dealer_assist.station.scene.pixmaps import Pixmaps
from dealer_assist.station.viewmodel import ViewState
from dealer_assist.station.wording import table_summary

_MAX_BOARDS: Final = 3
_FONTS_CHANGED: Final = (
    QEvent.Type.FontChange,
    QEvent.Type.ApplicationFontChange,
    QEvent.Type.StyleChange,
    QEvent.Type.PaletteChange,
    QEvent.Type.ApplicationPaletteChange,
)
#: pictures of the empty table that are kept
_GROUNDS: Final = 3
#: Milliseconds after which nothing else wants to be done.
_IDLE_MS: Final = 400
_NOWHERE: Final = QRectF(0, 0, 1, 1)
_T = TypeVar("_T", bound=items.Item)


class TableView(QGraphicsView):
    """The felt. ``seat_tapped`` carries a seat number; ``board_tapped`` a tap on the board."""

    seat_tapped = Signal(int)
    board_tapped = Signal()

    def __init__(self, parent: QWidget, *, animated: bool = False) -> None:
        super().__init__(parent)
        self.setObjectName("table-view")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontSavePainterState)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontAdjustForAntialiasing)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.SmartViewportUpdate)
        self._scene = QGraphicsScene(self)
        self._scene.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        self.setScene(self._scene)
        self.motion = Motion(self, self._scene, enabled=animated)
        self.pixmaps = Pixmaps()
        self._grounds: dict[int, tuple[TableGeometry, QPixmap]] = {}
        self._expected = (0, 0)
        self._expecting = QTimer(self)
        self._expecting.setSingleShot(True)
        self._expecting.setInterval(_IDLE_MS)
        self._expecting.timeout.connect(self._prepare)
        self._state: ViewState | None = None
        self._tr: Translator | None = None
        self._place: TableGeometry | None = None
        self._settled = False
        self.tray = self._item(items.Tray, 0)
        self.plates = {seat: self._item(items.Plate, 1) for seat in SEATS}
        self.stub, self.burns, self.muck = (self._item(cards.Pile, 1) for _ in range(3))
        self.boards = tuple(
            tuple(self._item(cards.BoardCard, 2) for _ in range(5)) for _ in range(_MAX_BOARDS)
        )
        self.board_names = tuple(self._item(pills.BoardName, 1) for _ in range(_MAX_BOARDS))
        self.street = self._item(pills.StreetName, 1)
        self.pots = self._item(pills.Pills, 3)
        self.cards = {seat: cards.Hand(self._card) for seat in SEATS}
        self.bets = {seat: self._item(items.Bet, 5) for seat in SEATS}
        self.disc = self._item(items.Disc, 6)
        self.notices = self._item(pills.Notices, 1)
        # Seen only on their way: the picture of a back, and of a chip.
        self._back = self._item(cards.Card, 0)
        self._chip = self._item(items.Chip, 0)

    def _item(self, kind: Callable[[Pixmaps], _T], level: int) -> _T:
        item = kind(self.pixmaps)
        item.setZValue(level)
        self._scene.addItem(item)
        return item

    def _card(self) -> cards.Card:
        return self._item(cards.Card, 4)

    @property
    def geometry_now(self) -> TableGeometry:
        """The table's boxes at the present size."""
        return self._geometry(self.width(), self.height())

    def _geometry(self, width: int, height: int) -> TableGeometry:
        seats = self._state.table.seats if self._state and self._state.table else ()
        boards = self._state.boards if self._state is not None else 1
        return lay_out(
            max(width, 200),
            max(height, 200),
            positions_of(seats),
            min(boards, _MAX_BOARDS),
            lettering.text_scale(),
        )

    def expect(self, width: int, height: int) -> None:
        """A size that the view will be given without warning, beside an alert: what it needs then is prepared when there is time."""
        if (width, height) != self._expected:
            self._expected = width, height
            self._expecting.start()

    def _prepare(self) -> None:
        """Lay the table out as it will be and back again: pictures and fonts are there when they are wanted."""
        self._expecting.stop()
        if self._state is None or not self._state.whole or self._expected == (0, 0):
            return
        if self.motion.moving:
            self._expecting.start()
            return
        place = self._geometry(*self._expected)
        self._ground(place, *self._expected)
        self._arrange(place)
        self._arrange()

    def shown_items(self) -> list[items.Item]:
        """Every item that is to be seen."""
        return [item for item in self._scene.items() if isinstance(item, items.Item) and item.isVisible()]

    # -- events ------------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The table follows the view."""
        super().resizeEvent(event)
        self._scene.setSceneRect(QRectF(0, 0, self.width(), self.height()))
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        """Other fonts or colours: nothing that was drawn is good any more."""
        super().changeEvent(event)
        if event.type() in _FONTS_CHANGED:
            lettering.forget()
            self.redraw()

    def event(self, event: QEvent) -> bool:
        """Another screen: as many pixels as it has."""
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.redraw()
        return super().event(event)

    def redraw(self) -> None:
        """Draw everything anew."""
        self.pixmaps.forget()
        for item in self._scene.items():
            if isinstance(item, items.Item):
                item.forget()
        self._grounds.clear()
        self._arrange()
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A tap on a seat's plate or on the board."""
        spot = QPointF(event.position())
        place = self.geometry_now
        for seat, boxes in place.seats.items():
            if boxes.plate.contains(spot) and self.plates[seat].isVisible():
                self.seat_tapped.emit(seat)
                return
        for board in place.boards:
            if board[0].united(board[-1]).contains(spot):
                self.board_tapped.emit()
                return

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """Ground and table, from the one picture of them."""
        size = self.viewport().size()
        ground = self._ground(self.geometry_now, size.width(), size.height())
        ratio = ground.devicePixelRatio()
        whole = QRectF(rect).toAlignedRect()
        source = QRectF(whole.x() * ratio, whole.y() * ratio, whole.width() * ratio, whole.height() * ratio)
        painter.drawPixmap(QRectF(whole), ground, source)

    def _ground(self, place: TableGeometry, width: int, height: int) -> QPixmap:
        """The picture of the empty table; two or three are kept, for an alert comes and goes."""
        found = self._grounds.get(id(place))
        ratio = self.pixmaps.ratio
        if found is not None and found[0] is place and found[1].devicePixelRatio() == ratio:
            return found[1]
        picture = QPixmap(math.ceil(width * ratio), math.ceil(height * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(QColor(theme.GROUND))
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        items.draw_table(painter, place.felt, place.radius, place.scale)
        painter.end()
        while len(self._grounds) >= _GROUNDS:
            del self._grounds[next(iter(self._grounds))]
        self._grounds[id(place)] = place, picture
        return picture

    # -- the state ---------------------------------------------------------------------------------------------------------

    def show_state(self, tr: Translator, state: ViewState) -> None:
        """Show a state. What moved since the last one is seen to move."""
        before, self._tr, self._state = self._state, tr, state
        self.setAccessibleName(
            tr("phase." + state.phase) if tr.has("phase." + state.phase) else tr("generic.now")
        )
        self.setAccessibleDescription(table_summary(tr, state))
        found: tuple[Move, ...] = ()
        if (
            before is not None
            and self.motion.enabled
            and self.isVisible()
            and before.facts is not state.facts
        ):
            found = moves(before, state)
        if found and self.geometry_now is not self._place:
            found = ()  # where things came from is nowhere any more
        leaving = [
            (move, self._centre_of(move.origin), self._picture_of(move)) for move in found if not move.stays
        ]
        self._arrange()
        if state.whole and (before is None or not before.whole):
            self._prepare()  # now, before anything moves
        for move, start, picture in leaving:
            lasts_ms = CHIPS_MS if move.what in ("bet", "chips") else CARD_MS
            self.motion.leave(move.origin, picture, start, self._centre_of(move.target), lasts_ms)
        for move in found:
            item = self._item_of(move.target)
            if move.stays and item is not None:
                start = self.motion.take_over(move.target) or self._centre_of(move.origin)
                self.motion.glide(item, start, CHIPS_MS if move.what == "bet" else CARD_MS)

    def _item_of(self, place: Place) -> items.Item | None:
        kind, number, slot = place
        match kind:
            case "hand":
                return self.cards[number].items[slot] if slot < len(self.cards[number].items) else None
            case "board":
                first = self._state.board.common if self._state is not None and number > 1 else 0
                row = self.boards[number - 1] if number <= len(self.boards) else ()
                return row[first + slot] if first + slot < len(row) else None
            case "bet":
                return self.bets[number]
            case "plate":
                return self.plates[number]
            case _:
                return {"stub": self.stub, "burns": self.burns, "muck": self.muck, "pots": self.pots}[kind]

    def _centre_of(self, place: Place) -> QPointF:
        """Where a place is seen; of a pile the pile itself, not its words."""
        item = self._item_of(place)
        if item is None:
            return self.stub.box.center()
        if place[0] in ("burns", "muck"):
            return QPointF(item.box.left() + item.box.height() * 0.36, item.box.center().y())
        if place[0] == "pots" and not item.isVisible() and self._place is not None:
            return self._place.pots.center()
        return item.centre

    def _picture_of(self, move: Move) -> QPixmap:
        """What is seen of a thing that goes: a back for every card, chips with their amount as they were in front of the seat."""
        item = self._item_of(move.origin)
        if move.what == "bet" and item is not None and item.isVisible():
            return item.pixmap()
        return self._chip.pixmap() if move.what in ("bet", "chips") else self._back.pixmap()

    # -- placing -----------------------------------------------------------------------------------------------------------

    def _arrange(self, at: TableGeometry | None = None) -> None:
        tr, state = self._tr, self._state
        if tr is None or state is None:
            return
        self.pixmaps.ratio = self.motion.ratio = self.devicePixelRatioF()
        place = at or self.geometry_now
        self._settled = place is not self._place
        if self._settled:
            # Another table or another size: everything is somewhere else, and nothing of it moved.
            self.motion.settle()
            self._place = place
            self.viewport().update()
        k, seats_k = place.scale, place.scale * place.grow
        for seat in self.plates:
            self._arrange_seat(tr, state, seat, place)
        button = state.hand.button if state.hand is not None else None
        boxes = place.seats.get(button) if button is not None else None
        self._put(self.disc, boxes.disc if boxes else _NOWHERE, seats_k, "D" if boxes else None)
        self._arrange_middle(tr, state, place)
        self.tray.put(place.tray, seats_k, tr("ui.dealer"))
        self.notices.put(place.notices, k, values.notices(tr, state) or None)
        sample = next(iter(place.seats.values()))
        ((box, _),) = cards.fan(sample.cards, cards.CardsValue(1, ()))
        self._back.put(box, seats_k, cards.CardLook(None, 0.0, 1.0))
        chip = sample.bet.height() * 0.66
        self._chip.put(QRectF(0, 0, chip, chip), seats_k, 1)
        self._back.setVisible(False)
        self._chip.setVisible(False)

    def _put(self, item: items.Item, box: QRectF, scale: float, value: Any) -> None:
        """Place an item; where it is seen already and is to be elsewhere it glides."""
        seen = item.centre if item.isVisible() and value is not None else None
        gliding = seen is not None and not self._settled and item.box.center() != box.center()
        if seen is None or gliding:
            self.motion.still(item)
        on_its_way = self.motion.is_moving(item)
        item.put(box, scale, value)
        if seen is not None and (gliding or on_its_way):
            if gliding:
                self.motion.glide(item, seen, CARD_MS)
            else:
                item.show_at(seen)

    def _arrange_seat(self, tr: Translator, state: ViewState, seat: int, place: TableGeometry) -> None:
        hand = self.cards[seat]
        if seat not in place.seats:
            for item in (self.plates[seat], self.bets[seat]):
                self._put(item, _NOWHERE, 1.0, None)
            hand.put(self._put, _NOWHERE, 1.0, None)
            return
        boxes, k = place.seats[seat], place.scale * place.grow
        fact = state.seat(seat)
        self.plates[seat].put(boxes.plate, k, values.plate(tr, state, seat, fact, narrow=place.narrow))
        laid = lying(state, seat)
        hand.put(self._put, boxes.cards, k, cards.CardsValue(*laid) if laid.number else None)
        bet = tr.number(fact.bet) if fact is not None and fact.bet else None
        self._put(self.bets[seat], boxes.bet, k, bet)

    def _arrange_middle(self, tr: Translator, state: ViewState, place: TableGeometry) -> None:
        k = place.scale
        larger = k * max(1.0, place.boards[0][0].height() / (116 * k))
        for number, row in enumerate(self.boards, 1):
            name = self.board_names[number - 1]
            if number > len(place.boards):
                for item in (*row, name):
                    self._put(item, _NOWHERE, 1.0, None)
                continue
            places = zip(row, place.boards[number - 1], values.board_row(tr, state, number), strict=True)
            for item, box, value in places:
                self._put(item, box, k, value)
            if place.board_names:
                name.put(place.board_names[number - 1], k, tr("ui.board_number", board=number))
            else:
                name.put(_NOWHERE, 1.0, None)
        self.street.put(place.street, k * place.grow, values.street(tr, state))
        self.pots.put(place.pots, larger, values.pots(tr, state))
        for pile, box, pile_value in zip(
            (self.stub, self.burns, self.muck),
            (place.stub, place.burns, place.muck),
            values.piles(tr, state),
            strict=True,
        ):
            pile.put(box, k * place.grow, pile_value)
