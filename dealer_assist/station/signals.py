"""What sets the priorities of alerts apart beside colour, shape and word: flash rate, sound, and how long both go on. Pure.

The rates are those of alarms on patient monitors (IEC 60601-1-8: high 1.4 to 2.8 Hz and ten pulses, medium 0.4 to 0.8 Hz and three, low
steady and one or two), kept below the 2 Hz that nothing on this screen exceeds. They go on until the alert is taken in hand; it is
cleared only when what it is about is put right.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from dealer_assist.domain.alerts import Alert


class Signal(NamedTuple):
    """How a level asks for attention. ``half_ms``: time bright and time dim of its frame, 0: steady; ``again_s``: sounds again, 0: once."""

    sound: str
    half_ms: int
    again_s: int


#: level → signal. A question is heard once: it goes away by itself when the reads answer it.
SIGNALS: Final[dict[str, Signal]] = {
    "high": Signal("high", 300, 10),
    "medium": Signal("medium", 800, 30),
    "low": Signal("low", 0, 0),
    "question": Signal("question", 800, 0),
}
#: The most urgent first: of two sounds at once the earlier one is heard.
URGENCY: Final = ("high", "lost", "medium", "question", "low")


def signal_of(alert: Alert) -> Signal:
    """How this alert asks for attention."""
    return SIGNALS["question" if alert.evidence != "proven" else alert.priority]


class Attention:
    """Which alerts still ask for the dealer: not those he has taken in hand. These are quiet and steady, and stay until they are put right.

    He has when he said so, when he called the floor to it, when it was answered or ruled, or when a step was done after the alert came.
    """

    def __init__(self) -> None:
        #: id of a proven alert → the steps that were done when it came
        self._done: dict[str, int] = {}
        self._called: set[str] = set()
        self._over = False

    def follow(self, alerts: tuple[Alert, ...], *, over: bool = False) -> None:
        """These are up now. ``over``: the hand has ended; what it leaves up can be put right no more, and asks for nothing."""
        self._over = over
        proven = [alert for alert in alerts if alert.evidence == "proven"]
        self._done = {alert.id: self._done.get(alert.id, _done(alert)) for alert in proven}
        self._called &= self._done.keys()

    def floor_called(self, alert: str = "") -> None:
        """The floor comes: to this alert, or to all that are up."""
        self._called |= {alert} if alert else self._done.keys()

    def wanted(self, alert: Alert) -> bool:
        """Whether it still asks."""
        if self._over:
            return False
        if alert.question is not None:
            return True
        if alert.state == "fixing" or alert.ruled is not None or alert.id in self._called:
            return False
        return _done(alert) <= self._done.get(alert.id, 0)


def _done(alert: Alert) -> int:
    return sum(step.state == "done" for step in alert.steps)
