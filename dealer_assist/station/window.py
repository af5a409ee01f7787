"""The station's window: places its parts, hands them each new state, and turns taps and keys into requests.

Needs no display: with the offscreen platform it draws the same. It decides nothing; what it knows it was told.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QResizeEvent

from dealer_assist.domain.commands import Act, CallFloor, Command, Respond
from dealer_assist.domain.equipment import Diagnose
from dealer_assist.domain.floor import DealerFact, FloorCommand
from dealer_assist.domain.history import HistoryCommand
from dealer_assist.domain.link import Result, ServerMessage
from dealer_assist.station import lettering, theme
from dealer_assist.station.alert_panel import AlertPanel
from dealer_assist.station.audio import Audio
from dealer_assist.station.badge_gate import BadgeGate
from dealer_assist.station.header import Header, SimulatedBanner
from dealer_assist.station.i18n import Translator
from dealer_assist.station.keyboard import Keyboard
from dealer_assist.station.lamps import LampBar
from dealer_assist.station.lost_panel import LostPanel
from dealer_assist.station.now_line import NowLine
from dealer_assist.station.pad import Pad
from dealer_assist.station.pages.floor import FloorPage
from dealer_assist.station.pages.host import Pages
from dealer_assist.station.scene.listing import SceneList
from dealer_assist.station.scene.view import TableView
from dealer_assist.station.sheet import Sheet
from dealer_assist.station.signals import Attention
from dealer_assist.station.sound import Sounds
from dealer_assist.station.theme import metrics_for
from dealer_assist.station.viewmodel import ViewState, fold, lost
from dealer_assist.station.window_sheets import SheetsOfWindow
from dealer_assist.station.wording import refusal

#: Milliseconds without an answer after which a tap is said to be unanswered.
ANSWER_MS: Final = 1000

#: What a page asks by itself, or answers where eyes are.
_OF_PAGES: Final = HistoryCommand | Diagnose | FloorCommand

#: Sends a command as seen at a seq; the id of the request, or None when it could not be sent.
Send = Callable[[Command, int], str | None]


def _send_nowhere(_command: Command, _after: int) -> str | None:
    return None


class StationWindow(SheetsOfWindow):
    """The dealer's screen. ``alert_shown`` carries the alert that came to the front, after it was painted into the layout."""

    alert_shown = Signal(object)

    def __init__(
        self,
        *,
        translator: Translator | None = None,
        language: str | None = None,
        mirrored: bool = False,
        animated: bool = True,
        simulate: bool = True,
        sounds: Sounds | None = None,
        clock: Callable[[], str] | None = None,
        size: tuple[int, int] = (1280, 800),
        text: float = 1.0,
    ) -> None:
        super().__init__()
        self.setObjectName("station")
        self.setWindowTitle("Dealer assistant")
        self.tr_ = translator or Translator(language or "en")
        if language:
            self.tr_.set_language(language)
        self._language_fixed = language is not None
        self._left_handed = self._mirrored = mirrored
        self._dealer: DealerFact | None = None
        self._simulate = simulate
        self._attention = Attention()
        self.audio = Audio(self, sounds, self._attention)
        self._clock = clock
        self._send: Send = _send_nowhere
        self._pending: dict[str, Command] = {}
        self.state = ViewState()
        self._text = text
        lettering.set_text_scale(text)
        self.metrics = metrics_for(*size, text)
        metrics = self.metrics
        self.header = Header(self, metrics)
        self.banner = SimulatedBanner(self)
        self.table = TableView(self, animated=animated)
        self.felt_list = SceneList(self, self.table)
        self.lamps = LampBar(self, metrics)
        self.now_line = NowLine(self)
        self.pad = Pad(self, metrics, mirrored=mirrored)
        self.panel = AlertPanel(self, metrics, animated=animated, attention=self._attention)
        self.make_sheets(metrics)
        self.pages = Pages(self, metrics)
        self.gate = BadgeGate(self.pages)
        #: whether the command that is being sent comes from the floor's page
        self.floor_speaks = False
        self.lost_panel = LostPanel(self)
        self._keyboard = Keyboard(self)
        self._wire()
        self.setMinimumSize(1024, 720)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.resize(*size)
        self._tick = QTimer(self)
        self._tick.setInterval(5_000)
        self._tick.timeout.connect(self._on_tick)
        if clock is not None:
            self._tick.start()
            self._on_tick()
        self._unanswered = QTimer(self)
        self._unanswered.setSingleShot(True)
        self._unanswered.setInterval(ANSWER_MS)
        self._unanswered.timeout.connect(self._on_unanswered)
        self._place()
        self._show()
        self.setFocus()

    def _wire(self) -> None:
        self.pad.command.connect(self.command)
        self.panel.command.connect(self.command)
        self.panel.stale.connect(self._on_stale)
        self.lamps.command.connect(self.command)
        self.lamps.sound_key.chosen.connect(self.audio.toggle_pause)
        self.audio.changed.connect(self._show_audio)
        self.pages.command.connect(self._on_page_command)
        self.header.language_chosen.connect(self.set_language)
        self.felt_list.seat_chosen.connect(self.table.seat_tapped)
        self.felt_list.board_chosen.connect(self.table.board_tapped)
        self.felt_list.left.connect(self.setFocus)
        self.wire_sheets()

    # -- the link ----------------------------------------------------------------------------------------------------------

    def set_sender(self, send: Send) -> None:
        """Who sends commands from here on."""
        self._send = send

    def receive(self, messages: tuple[ServerMessage, ...]) -> None:
        """Fold messages in and show the state after the last."""
        state = self.state
        for message in messages:
            if isinstance(message, Result):
                self._on_result(message)
            else:
                state = fold(state, message)
        if state.simulated and not self._simulate:
            state = ViewState(link="simulated", simulated=True)
        if state is not self.state:
            self.state = state
            self._show()

    def service_lost(self, _reason: str = "") -> None:
        """The connection is gone."""
        if self.state.link in ("version", "simulated"):
            return
        if self.state.link == "ready":
            self.audio.lost()
        self._pending.clear()
        self._unanswered.stop()
        self.state = lost(self.state)
        self._show()

    def _on_page_command(self, command: Command) -> None:
        """What is said on the floor's page is the floor's word."""
        self.floor_speaks = isinstance(self.pages.open, FloorPage)
        self.command(command)
        self.floor_speaks = False

    def command(self, command: Command) -> None:
        """Send what was tapped, as seen now."""
        request = self._send(command, self.state.seq) if self.state.link == "ready" else None
        if request is None:
            self.pad.say(self.tr_("ui.not_connected"))
            return
        self._pending[request] = command
        if isinstance(command, _OF_PAGES):
            return  # a page asks by itself; the pad goes on saying what it said
        self._unanswered.start()
        self.pad.say(self.tr_("pad.hint_sent"), waiting=True)

    def _on_result(self, result: Result) -> None:
        command = self._pending.pop(result.id, None)
        if command is None:
            return
        if not self._pending:
            self._unanswered.stop()
        if isinstance(command, _OF_PAGES):
            pass
        elif result.ok:
            if isinstance(command, Act):
                self.pad.clear_entry()
            self.pad.say("")
        else:
            self.pad.say(refusal(self.tr_, result.code, result.params))
        if result.ok and isinstance(command, CallFloor | Respond):
            self._note_floor(command)
        self.pages.answered(command, result)
        for sheet in self.sheets:
            sheet.answered(command, result)

    def _note_floor(self, command: CallFloor | Respond) -> None:
        """The floor is on its way: what it was called to is quiet from now on, and stays."""
        if isinstance(command, CallFloor):
            self._attention.floor_called()
        elif command.response == "call_floor":
            self._attention.floor_called(command.alert)
        self.panel.follow_attention()

    def _on_stale(self) -> None:
        """An alert's key meant something else by the time the finger was up."""
        self.pad.say(self.tr_("refusal.stale"))

    def _on_unanswered(self) -> None:
        if self._pending:
            self.pad.say(self.tr_("ui.no_answer"))

    # -- what is shown -----------------------------------------------------------------------------------------------------

    def set_language(self, language: str) -> None:
        """Switch every text, now."""
        self._language_fixed = True
        self.tr_.set_language(language)
        self.pad.say("")
        self._show()

    def _follow_dealer(self) -> None:
        """Who takes over finds the screen in his language and for his hand, as far as the staff file says; else as it was."""
        dealer = self.state.dealer
        if dealer is None or dealer == self._dealer:
            return
        self._dealer = dealer
        if dealer.language is not None:
            self._language_fixed = True
            self.tr_.set_language(dealer.language)
        self._mirrored = self._left_handed if dealer.hand is None else dealer.hand == "left"
        self.pad.mirror(mirrored=self._mirrored)

    def _show(self) -> None:
        self._follow_dealer()
        tr, state = self.tr_, self.state
        table = state.table
        if table is not None and not self._language_fixed:
            tr.set_language(table.language)
        ready = state.link == "ready"
        self.header.show_state(tr, state)
        self.banner.say(tr("ui.simulated"))
        self.pad.show_state(tr, state)
        self.now_line.show_state(tr, state, ahead=self.pad.ahead)
        self.lamps.show_state(tr, state)
        self.lost_panel.show_state(tr, state)
        self._attention.follow(state.alerts, over=state.hand_over)
        self.panel.show_alerts(tr, state.alerts, ready=ready, over=state.hand_over)
        # An alert must never be under a sheet, and the sheet's work may be overtaken by it.
        self._place()
        self.table.show_state(tr, state)
        self.felt_list.show_state(tr, state)
        self.pages.show_state(tr, state, ready=ready)
        self.gate.follow(state)
        for sheet in self.sheets:
            sheet.show_state(tr, state, ready=ready)
        self._announce()

    def _announce(self) -> None:
        """Sound for what newly asks for the dealer, and signal what is in front."""
        self.audio.show_alerts(self.state.alerts)
        self._show_audio()
        front = self.panel.alert
        if front is not None:
            self.alert_shown.emit(front)

    def _show_audio(self) -> None:
        self.lamps.show_audio(self.tr_, left_s=self.audio.left_s, able=self.audio.able)

    def _on_tick(self) -> None:
        if self._clock is not None:
            self.header.set_clock(self._clock())

    # -- geometry ----------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the new size out."""
        super().resizeEvent(event)
        self.metrics = metrics_for(self.width(), self.height(), self._text)
        self.pad.place(self.metrics)
        self.header.set_metrics(self.metrics)
        self.felt_list.set_text_px(self.metrics.px(26))
        self.lamps.set_metrics(self.metrics)
        self.panel.set_metrics(self.metrics)
        self.pages.set_metrics(self.metrics)
        for sheet in self.sheets:
            sheet.set_metrics(self.metrics)
        self._place()
        self.pad.refresh()

    def _place(self) -> None:
        metrics, width, height = self.metrics, self.width(), self.height()
        pad_left = 0 if self._mirrored else width - metrics.pad_w
        felt_left, felt_w = (metrics.pad_w, width - metrics.pad_w) if self._mirrored else (0, pad_left)
        margin = metrics.margin
        inner = pad_left + margin
        self.now_line.setGeometry(inner, margin, metrics.pad_w - 2 * margin, metrics.now_h - metrics.gap)
        self.pad.setGeometry(
            inner, margin + metrics.now_h, metrics.pad_w - 2 * margin, height - 2 * margin - metrics.now_h
        )
        top = metrics.gap // 2
        self.header.setGeometry(felt_left, top, felt_w, metrics.header_h)
        top += metrics.header_h + metrics.gap // 2
        self.banner.setVisible(self.state.simulated)
        if self.state.simulated:
            self.banner.setGeometry(felt_left, top, felt_w, metrics.banner_h)
            top += metrics.banner_h + metrics.gap // 2
        bottom = height - metrics.lamps_h
        self.lamps.setGeometry(felt_left, bottom, felt_w, metrics.lamps_h)
        content = QRect(felt_left, top, felt_w, bottom - top)
        self._place_content(content)

    def _place_content(self, content: QRect) -> None:
        """The felt; beside it the alert, if there is one; over it a sheet or the word that the table is lost."""
        gap = self.metrics.gap
        away = self.state.link in ("lost", "version", "simulated") or (
            self.state.link == "connecting" and not self.state.whole
        )
        view = content
        panel_w = max(round(content.width() * 0.53), 400)
        self.table.expect(content.width() - panel_w - gap, content.height())
        if self.state.alerts:
            if self._mirrored:
                panel = QRect(
                    content.right() + 1 - panel_w - gap, content.top(), panel_w, content.height() - gap
                )
                view = QRect(content.left(), content.top(), content.width() - panel_w - gap, content.height())
            else:
                panel = QRect(content.left() + gap, content.top(), panel_w, content.height() - gap)
                view = QRect(
                    panel.right() + 1, content.top(), content.width() - panel_w - gap, content.height()
                )
            shown = not self.panel.isHidden()
            self.panel.resize(panel.size())
            if shown:
                self.panel.move(panel.topLeft())
            else:
                self.panel.slide_in(panel.topLeft())
        else:
            self.panel.hide()
        self.table.setGeometry(view)
        self.felt_list.setGeometry(view)
        self.pages.place(content, view)
        for sheet in self.sheets:
            self._place_sheet(sheet, view.adjusted(gap, 0, -gap, -gap))
        self.lost_panel.setVisible(away)
        if away:
            tall = min(content.height() // 3, self.metrics.px(260))
            middle = QRect(0, 0, round(content.width() * 0.86), tall)
            middle.moveCenter(content.center() + QPoint(0, 0))
            self.lost_panel.setGeometry(middle)
            self.lost_panel.raise_()

    def _place_sheet(self, sheet: Sheet, room: QRect) -> None:
        """Beside the pad, where the hand is; a sheet is as tall as what is on it."""
        width = min(room.width(), self.metrics.px(980))
        left = room.left() if self._mirrored else room.right() + 1 - width
        sheet.room = room.height()
        sheet.setGeometry(left, room.top(), width, room.height())
        if not sheet.isHidden():
            sheet.arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground, and the pad's panel."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.GROUND))
        left = 0 if self._mirrored else self.width() - self.metrics.pad_w
        painter.fillRect(left, 0, self.metrics.pad_w, self.height(), QColor(theme.PANEL))
        edge = self.metrics.pad_w - 1 if self._mirrored else left
        painter.fillRect(edge, 0, 1, self.height(), QColor(theme.LINE))
        painter.end()

    # -- keyboard, pictures ------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Every key of the screen has one on the keyboard."""
        if not self._keyboard.pressed(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """A held key came up."""
        if not self._keyboard.released(event):
            super().keyReleaseEvent(event)

    def grab_png(self, path: Path | str) -> Path:
        """Write what the screen shows to a PNG file. Raises OSError when it cannot be written."""
        target = Path(path)
        if not self.grab().save(str(target), "PNG"):
            raise OSError(f"{target}: the picture could not be written")
        return target

    def shut(self) -> None:
        """Stop timers and sounds before the program ends."""
        self._tick.stop()
        self._unanswered.stop()
        self.audio.shut()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.close()
