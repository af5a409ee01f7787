"""A hand step by step: the screens as they were, what was done before each, and the slider that goes through them."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSlider, QWidget

from dealer_assist.domain.history import ReplayPage, ReplayStep
from dealer_assist.domain.link import Snapshot, Update
from dealer_assist.station import shapes, theme
from dealer_assist.station.i18n import Translator
from dealer_assist.station.viewmodel import ViewState, fold
from dealer_assist.station.wording import alert_level, told_text

_MS_PER_S: Final = 1000


class Tape:
    """The steps of a hand, each with the screen as it was after it. ``of``: how many there are, those not yet told included."""

    def __init__(self, row: int, hand: str) -> None:
        self.row = row
        self.hand = hand
        self.of = 0
        self.steps: list[ReplayStep] = []
        self.states: list[ViewState] = []
        #: step → level of an alert that is new there
        self.alerts: dict[int, str] = {}

    @property
    def whole(self) -> bool:
        """Whether every step is there."""
        return len(self.states) >= self.of > 0

    def add(self, page: ReplayPage) -> None:
        """Take the steps of a page that follows what is there; any other page is not for this tape."""
        if page.row != self.row or page.hand != self.hand or page.first != len(self.states):
            return
        self.of = page.of
        for step in page.steps:
            number = len(self.states)
            before = self.states[-1] if self.states else ViewState()
            message = (
                Update(number + 1, step.t_ms, step.facts, step.gone) if number else Snapshot(1, step.facts)
            )
            state = fold(before, message)
            known = {(alert.id, alert.evidence) for alert in before.alerts}
            new = [alert for alert in state.alerts if (alert.id, alert.evidence) not in known]
            if new:
                self.alerts[number] = alert_level(new[0])
            self.steps.append(step)
            self.states.append(state)

    def next_alert(self, at: int) -> int | None:
        """The next step after ``at`` at which an alert is new, from the beginning again after the last; None: there is none."""
        later = [number for number in self.alerts if number > at]
        return min(later or self.alerts, default=None)


def since_begin(step: ReplayStep) -> str:
    """When a step was, after the hand's first one: +1:07."""
    seconds = step.t_ms // _MS_PER_S
    return f"+{seconds // 60}:{seconds % 60:02}"


def happened(tr: Translator, step: ReplayStep, state: ViewState) -> str:
    """What was done or seen, in one line; empty for what followed from the step before."""
    code, params = step.cause, step.params
    if not code:
        return ""
    if code in ("late", "correct") and "what" in params:
        told = told_text(tr, str(params["what"]), params, state)
        return tr(f"did.{code}", what=told)
    if tr.has(f"did.{code}"):
        return tr(f"did.{code}", params)
    told = told_text(tr, code, params, state)
    return told[:1].upper() + told[1:]


class StepSlider(QSlider):
    """Goes through the steps under a finger: it jumps to where it is touched. A tick of its level's colour marks each new alert."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setObjectName("step-slider")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSingleStep(1)
        self.setPageStep(10)
        self._alerts: dict[int, str] = {}
        self.hide()

    def show_tape(self, tape: Tape, at: int) -> None:
        """Follow a tape; nothing is told of it."""
        self._alerts = tape.alerts
        blocked = self.blockSignals(True)
        self.setRange(0, max(0, len(tape.states) - 1))
        self.setValue(at)
        self.blockSignals(blocked)
        self.update()

    def spot_of(self, number: int) -> float:
        """Where a step lies, in pixels from the left."""
        side = self.height() / 2
        return side + (self.width() - 2 * side) * number / max(1, self.maximum())

    def _step_at(self, x: float) -> int:
        side = self.height() / 2
        share = (x - side) / max(1.0, self.width() - 2 * side)
        return round(min(1.0, max(0.0, share)) * self.maximum())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Jump to the finger."""
        self.setSliderDown(True)
        self.setValue(self._step_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the finger."""
        if self.isSliderDown():
            self.setValue(self._step_at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Stay."""
        self.setSliderDown(False)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The line, what is behind, the alerts, the handle."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, tall = self.height() / 2, max(8.0, self.height() * 0.16)
        here = self.spot_of(self.value())
        left, right = self.spot_of(0), self.spot_of(self.maximum())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.KEY))
        painter.drawRoundedRect(QRectF(left, middle - tall / 2, right - left, tall), tall / 2, tall / 2)
        painter.setBrush(QColor("#33507c"))
        painter.drawRoundedRect(QRectF(left, middle - tall / 2, here - left, tall), tall / 2, tall / 2)
        painter.setPen(QPen(QColor(theme.GOLD if self.hasFocus() else theme.GROUND), 3))
        painter.setBrush(QColor(theme.TEXT))
        radius = self.height() * 0.26
        painter.drawEllipse(QPointF(here, middle), radius, radius)
        for number, level in self._alerts.items():
            accent, _, shape = theme.LEVELS[level]
            shapes.draw(painter, shape, QPointF(self.spot_of(number), middle), self.height() * 0.36, accent)
        painter.end()
