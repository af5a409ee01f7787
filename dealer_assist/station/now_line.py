"""The Now line: one big line above the pad, always in the same place."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from dealer_assist.station import lettering, theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.viewmodel import ViewState
from dealer_assist.station.wording import Line, now_line

_LEFT = Qt.AlignmentFlag.AlignLeft


class NowLine(QWidget):
    """What comes next, in words that can be read at arm's length."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("now-line")
        self._line = Line("", "")
        self._trouble = False
        self._clock = 0
        self._clock_s = 0
        self._since = QElapsedTimer()
        self._ticking = QTimer(self)
        self._ticking.setInterval(250)
        self._ticking.timeout.connect(self._on_tick)

    @property
    def line(self) -> Line:
        """What it says."""
        return self._line

    def show_state(self, tr: Translator, state: ViewState, *, ahead: int | None = None) -> None:
        """Show the next step of a state. ``ahead``: the seat that is being entered ahead of the one in turn (by exception)."""
        line = now_line(tr, state)
        if ahead is not None and state.link == "ready":
            line = Line(tr("now.act", seat=ahead), tr("now_detail.ahead"))
        self._follow_clock(state)
        trouble = state.link in ("lost", "version", "simulated") or (
            state.now is not None and state.now.code == "unavailable"
        )
        if (line, trouble) != (self._line, self._trouble):
            self._line, self._trouble = line, trouble
            self.setAccessibleName(f"{line.title}. {line.detail}")
            self.update()

    def _follow_clock(self, state: ViewState) -> None:
        """Count down from when the clock was first heard of, as long as it runs."""
        params = state.now.params if state.now is not None and state.link == "ready" else {}
        running = 0 if params.get("clock_over") else int(params.get("clock") or 0)
        if running != self._clock:
            self._clock, self._clock_s = running, int(params.get("clock_s") or 0)
            if running:
                self._since.start()
                self._ticking.start()
            else:
                self._ticking.stop()

    @property
    def seconds_left(self) -> int | None:
        """What is left of a clock that runs, in seconds, None where none does."""
        if not self._clock:
            return None
        return max(0, self._clock_s - self._since.elapsed() // 1000)

    @property
    def detail(self) -> str:
        """The smaller line, with the clock behind it."""
        left = self.seconds_left
        return self._line.detail if left is None else f"{self._line.detail} · {left // 60}:{left % 60:02}"

    def _on_tick(self) -> None:
        self.update()

    def text_fits(self) -> bool:
        """Whether both lines are inside."""
        return all(fitted.fits for fitted, _ in self._layout())

    def _layout(self) -> tuple[tuple[lettering.Fitted, QRectF], ...]:
        width, height = float(self.width()), float(self.height())
        upper = QRectF(0, 0, width, height * 0.65)
        lower = QRectF(0, height * 0.65, width, height * 0.35)
        title = lettering.fit(
            self._line.title, width, upper.height(), round(height * 0.44), weight=800, max_lines=2, min_px=15
        )
        detail = lettering.fit(
            self.detail, width, lower.height(), round(height * 0.28), max_lines=2, min_px=13
        )
        return (title, upper), (detail, lower)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Title white, detail gold; red when there is no help to be had."""
        painter = QPainter(self)
        (title, upper), (detail, lower) = self._layout()
        lettering.paint(painter, title, upper, theme.HIGH if self._trouble else theme.TEXT, _LEFT)
        lettering.paint(painter, detail, lower, theme.GOLD, _LEFT)
        painter.end()
