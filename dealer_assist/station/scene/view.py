"""The table view: builds the items once and follows the state. A tap on a seat or the board is a signal."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QFrame, QGraphicsScene, QGraphicsView, QWidget

from dealer_assist.domain.facts import SeatFact
from dealer_assist.domain.zones import SEATS
from dealer_assist.station import theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.scene import cards, items, pills
from dealer_assist.station.scene.geometry import TableGeometry, lay_out, positions_of
from dealer_assist.station.viewmodel import ViewState
from dealer_assist.station.wording import (
    alert_title,
    drop_name,
    mark_text,
    notice_text,
    pot_name,
    table_summary,
)

_MAX_BOARDS = 3
#: notices of what somebody did, not of what is wrong
_CALM = frozenset(
    {"floor_called", "pot_unclaimed", "alert_fell_away", "hand_identified", "hand_not_identified", "event"}
)
_T = TypeVar("_T", bound=items.Item)


class TableView(QGraphicsView):
    """The felt. ``seat_tapped`` carries a seat number; ``board_tapped`` a tap on the board."""

    seat_tapped = Signal(int)
    board_tapped = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("table-view")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setBackgroundBrush(QColor(theme.GROUND))
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scene = QGraphicsScene(self)
        self.setScene(self._scene)
        self._state: ViewState | None = None
        self._tr: Translator | None = None
        self.felt = self._item(items.Felt())
        self.plates = {seat: self._item(items.Plate()) for seat in SEATS}
        self.cards = {seat: self._item(cards.SeatCards()) for seat in self.plates}
        self.bets = {seat: self._item(items.Bet()) for seat in self.plates}
        self.disc = self._item(items.Disc())
        self.boards = tuple(
            tuple(self._item(cards.BoardCard()) for _ in range(5)) for _ in range(_MAX_BOARDS)
        )
        self.board_names = tuple(self._item(pills.BoardName()) for _ in range(_MAX_BOARDS))
        self.street = self._item(pills.StreetName())
        self.pots = self._item(pills.Pills())
        self.counters = self._item(pills.SmallPills())
        self.tray = self._item(items.Tray())
        self.notices = self._item(pills.Notices())

    def _item(self, item: _T) -> _T:
        self._scene.addItem(item)
        return item

    @property
    def geometry_now(self) -> TableGeometry:
        """The table's boxes at the present size."""
        seats = self._state.table.seats if self._state and self._state.table else ()
        boards = self._state.boards if self._state is not None else 1
        return lay_out(max(self.width(), 200), max(self.height(), 200), positions_of(seats), boards)

    def shown_items(self) -> list[items.Item]:
        """Every item that is to be seen."""
        return [item for item in self._scene.items() if isinstance(item, items.Item) and item.isVisible()]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The table follows the view."""
        super().resizeEvent(event)
        self._scene.setSceneRect(QRectF(0, 0, self.width(), self.height()))
        self._arrange()

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

    def show_state(self, tr: Translator, state: ViewState) -> None:
        """Show a state."""
        self._tr, self._state = tr, state
        self.setAccessibleName(
            tr("phase." + state.phase) if tr.has("phase." + state.phase) else tr("generic.now")
        )
        self.setAccessibleDescription(table_summary(tr, state))
        self._arrange()

    # -- placing -----------------------------------------------------------------------------------------------------------

    def _arrange(self) -> None:
        tr, state = self._tr, self._state
        if tr is None or state is None:
            return
        place = self.geometry_now
        k = place.scale
        self.felt.put(place.felt, k, place.radius)
        for seat in self.plates:
            self._arrange_seat(tr, state, seat, place)
        hand = state.hand
        button = hand.button if hand is not None else None
        disc = place.seats[button].disc if button in place.seats else place.counters
        self.disc.put(disc, k, "D" if button in place.seats else None)
        self._arrange_middle(tr, state, place)
        self.tray.put(place.tray, k, tr("ui.dealer"))
        self.notices.put(place.notices, k, _notices(tr, state) or None)

    def _arrange_seat(self, tr: Translator, state: ViewState, seat: int, place: TableGeometry) -> None:
        if seat not in place.seats:
            for item in (self.plates[seat], self.cards[seat], self.bets[seat]):
                item.put(QRectF(0, 0, 1, 1), 1.0, None)
            return
        boxes, k = place.seats[seat], place.scale
        fact = state.seat(seat)
        self.plates[seat].put(boxes.plate, k, _plate(tr, state, seat, fact, narrow=place.narrow))
        laid = None
        if fact is not None and (fact.tabled or state.backs.get(seat)):
            laid = cards.CardsValue(state.backs.get(seat, 0), fact.tabled)
        self.cards[seat].put(boxes.cards, k, laid)
        self.bets[seat].put(boxes.bet, k, tr.number(fact.bet) if fact is not None and fact.bet else None)

    def _arrange_middle(self, tr: Translator, state: ViewState, place: TableGeometry) -> None:
        k = place.scale
        for number, row in enumerate(self.boards, 1):
            name = self.board_names[number - 1]
            if number > len(place.boards):
                for item in (*row, name):
                    item.put(QRectF(0, 0, 1, 1), 1.0, None)
                continue
            self._arrange_board(tr, state, place, number)
            if place.board_names:
                name.put(place.board_names[number - 1], k, tr("ui.board_number", board=number))
            else:
                name.put(QRectF(0, 0, 1, 1), 1.0, None)
        hand = state.hand
        running = hand is not None and state.phase not in ("idle", "closed")
        self.street.put(place.street, k, _street(tr, state) if running else None)
        self.pots.put(place.pots, k, _pots(tr, state))
        counters = (
            pills.Pill(tr("ui.burns"), tr.number(state.board.burns)),
            pills.Pill(tr("ui.mucked"), tr.number(state.board.mucked)),
        )
        self.counters.put(place.counters, k, counters)

    def _arrange_board(self, tr: Translator, state: ViewState, place: TableGeometry, number: int) -> None:
        """A board's row. The cards that all boards begin with lie on the first; below them the others have no places."""
        laid = [card for card in state.board.cards if card.board == number]
        first = state.board.common if number > 1 else 0
        for index, item in enumerate(self.boards[number - 1]):
            value: cards.BoardCardValue | None = cards.BoardCardValue("empty", None, False, "")
            if index < first:
                value = None
            elif index - first < len(laid):
                card = laid[index - first]
                kind = "back" if card.face is None else "face"
                value = cards.BoardCardValue(kind, card.face, card.early, tr("ui.early"))
            item.put(place.boards[number - 1][index], place.scale, value)


def _notices(tr: Translator, state: ViewState) -> tuple[pills.Notice, ...]:
    notices = [
        pills.Notice(notice_text(tr, notice), "low" if notice.code in _CALM else "medium")
        for notice in state.notices
    ]
    done = state.put_right
    if done is not None and not state.alerts:
        notices.append(pills.Notice(tr("ui.put_right", rule=done.rule, title=alert_title(tr, done)), "good"))
    note = state.noted
    if note is not None:
        notices.append(pills.Notice(tr("ui.noted", rule=note.rule, title=alert_title(tr, note)), "low"))
    return tuple(notices)


def _street(tr: Translator, state: ViewState) -> str:
    hand = state.hand
    assert hand is not None
    if hand.phase in ("misdeal", "void", "chopped", "showdown", "award", "deal"):
        return tr.coded("phase", hand.phase).upper()
    return tr(f"street_cap.{hand.street}") if tr.has(f"street_cap.{hand.street}") else hand.street.upper()


def _pots(tr: Translator, state: ViewState) -> tuple[pills.Pill, ...] | None:
    pot = state.pot
    if not pot.total:
        return None
    count = len(pot.pots)
    views = []
    for index, view in enumerate(pot.pots):
        figure = tr.number(view.amount)
        label = pot_name(tr, index, count)
        if index and view.eligible:
            label = f"{label} ({', '.join(str(seat) for seat in view.eligible)})"
        views.append(pills.Pill(label, figure))
    if pot.in_front and not views:
        views.append(pills.Pill(tr("ui.pot"), tr.number(pot.total)))
    elif pot.in_front:
        views.append(pills.Pill(tr("ui.in_front"), f"+{tr.number(pot.in_front)}"))
    if pot.rake:
        views.append(pills.Pill(tr("ui.rake"), tr.number(pot.rake)))
    views += [pills.Pill(drop_name(tr, name), tr.number(amount)) for name, amount in pot.drops]
    return tuple(views)


def _plate(
    tr: Translator, state: ViewState, seat: int, fact: SeatFact | None, *, narrow: bool
) -> items.PlateValue:
    if fact is None or fact.status == "empty":
        return items.PlateValue(seat, "", tr("ui.empty"), "", "empty", narrow)
    stack = tr("ui.no_stack") if fact.stack is None else tr.number(fact.stack)
    mark = mark_text(tr, fact.marks[0], fact) if fact.marks else ""
    if fact.status in ("away", "out") and fact.hand in ("none", "folded"):
        return items.PlateValue(seat, stack, tr(f"ui.{fact.status}"), mark, "away", narrow)
    caption = tr.coded("action", fact.last_action) if fact.last_action else _blind(tr, state, seat)
    tone = "live"
    if fact.won:
        tone, caption = "won", tr("ui.won", amount=fact.won)
    elif fact.to_act:
        tone = "turn"
    elif fact.hand in ("folded", "mucked", "none") and state.phase not in ("idle", "closed"):
        tone = "folded"
        if fact.hand in ("folded", "mucked"):
            caption = tr("action.fold" if fact.hand == "folded" else "pad.mucked_done")
    return items.PlateValue(seat, stack, caption, mark, tone, narrow)


def _blind(tr: Translator, state: ViewState, seat: int) -> str:
    hand = state.hand
    if hand is None or state.phase in ("idle", "closed"):
        return ""
    if seat == hand.small_blind_seat:
        return tr("blind.small")
    return tr("blind.big") if seat == hand.big_blind_seat else ""
