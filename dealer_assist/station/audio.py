"""What is heard of alerts: each once as it comes, urgent ones again until they are taken in hand; and a pause that ends itself."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from dealer_assist.domain.alerts import Alert
from dealer_assist.station.signals import Attention, signal_of
from dealer_assist.station.sound import Sounds

#: The longest that sounds can be paused, in seconds.
PAUSE_S: Final = 120


class Audio(QObject):
    """Decides what is played. ``changed``: the pause, what is left of it, or whether a sound can be made is another than before.

    ``attention``: which alerts are not taken in hand yet. ``clock``: seconds that only go forward.
    """

    changed = Signal()

    def __init__(
        self,
        parent: QObject,
        sounds: Sounds | None,
        attention: Attention,
        *,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        super().__init__(parent)
        self._sounds = sounds
        self._attention = attention
        self._clock = clock
        self._alerts: tuple[Alert, ...] = ()
        self._heard: dict[tuple[str, str, str], float] = {}
        self._pause_ends: float | None = None
        self._shown: tuple[int, bool] = (0, self.able)
        self._timer = QTimer(self)
        self._timer.setInterval(250)
        self._timer.timeout.connect(self.tick)

    @property
    def able(self) -> bool:
        """Whether a sound can be made."""
        return self._sounds is not None and self._sounds.able

    @property
    def left_s(self) -> int:
        """Seconds that the pause still lasts, 0 when sounds are heard."""
        if self._pause_ends is None:
            return 0
        return max(0, min(PAUSE_S, -int(-(self._pause_ends - self._clock()) // 1)))

    def show_alerts(self, alerts: tuple[Alert, ...]) -> None:
        """These are up now: what is new, or newly asks, is heard."""
        self._alerts = alerts
        now = self._clock()
        heard: dict[tuple[str, str, str], float] = {}
        for alert in alerts:
            key = (alert.id, alert.evidence, alert.question or "")
            heard[key] = self._heard.get(key, now)
            if key not in self._heard:
                self._play(signal_of(alert).sound)
        self._heard = heard
        self._keep_time()
        self._tell()

    def lost(self) -> None:
        """The table service is gone."""
        self._play("lost")
        self._keep_time()

    def toggle_pause(self) -> None:
        """Pause every sound for at most ``PAUSE_S``, or end the pause."""
        if self._pause_ends is None:
            self._pause_ends = self._clock() + PAUSE_S
            if self._sounds is not None:
                self._sounds.hush()
        else:
            self._end_pause()
        self._tell()
        self._keep_time()

    def set_loudness(self, loudness: int) -> None:
        """How loud from here on, 1 to 5, and one sound to hear it by."""
        if self._sounds is not None:
            self._sounds.loudness = loudness
            self._play("question")
            self._keep_time()

    @property
    def loudness(self) -> int:
        """How loud sounds are, 1 to 5; 0 when there are none."""
        return self._sounds.loudness if self._sounds is not None else 0

    def tick(self) -> None:
        """Time has passed: the pause may be over, a sound due again."""
        if self._pause_ends is not None and self._clock() >= self._pause_ends:
            self._end_pause()
        if self._pause_ends is None:
            self._again()
        self._keep_time()
        self._tell()

    def shut(self) -> None:
        """The program ends."""
        self._timer.stop()
        if self._sounds is not None:
            self._sounds.close()

    def _end_pause(self) -> None:
        """What nobody has taken in hand meanwhile is heard at once."""
        self._pause_ends = None
        self._heard = dict.fromkeys(self._heard, float("-inf"))

    def _again(self) -> None:
        now = self._clock()
        for alert in self._alerts:
            key = (alert.id, alert.evidence, alert.question or "")
            signal = signal_of(alert)
            if self._goes_on(alert) and now - self._heard.get(key, now) >= signal.again_s:
                self._heard[key] = now
                self._play(signal.sound)

    def _play(self, name: str) -> None:
        if self._sounds is not None and self._pause_ends is None:
            self._sounds.play(name)

    def _tell(self) -> None:
        shown = (self.left_s, self.able)
        if shown != self._shown:
            self._shown = shown
            self.changed.emit()

    def _goes_on(self, alert: Alert) -> bool:
        return bool(signal_of(alert).again_s) and self._attention.wanted(alert)

    def _keep_time(self) -> None:
        """The timer runs while there is something to wait for."""
        playing = self._sounds is not None and self._sounds.poll()
        goes_on = self._sounds is not None and any(self._goes_on(alert) for alert in self._alerts)
        if self._pause_ends is None and not playing and not goes_on:
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()
