"""What stands in an alert, laid out: word and title, the sentence, the steps, house and rule, and why. Nothing here is drawn or tapped.

The text shrinks until everything is inside. Where it is crowded the reasons give way before the steps become hard to read; a key of the
panel shows them in the steps' place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from PySide6.QtCore import QRectF

from dealer_assist.domain.alerts import Alert
from dealer_assist.station import alert_words, lettering, theme, wording
from dealer_assist.station.i18n import Translator
from dealer_assist.station.theme import Metrics

#: how large the text can be drawn
_SHRINKS: Final = (1.14, 1.07, 1.0, 0.95, 0.9, 0.86, 0.82, 0.78, 0.74, 0.7, 0.66, 0.62, 0.58)


class Block(NamedTuple):
    """A piece of text in its place. ``marker``: what is drawn beside it: icon, step, weight, share; ``value``: its number, or state."""

    fitted: lettering.Fitted
    box: QRectF
    ink: str
    marker: str = ""
    value: str = ""
    state: str = ""


class Laid(NamedTuple):
    """A text laid out. ``whole``: everything is inside. ``told``: whether the reasons are among it, each on a line of its own."""

    blocks: tuple[Block, ...]
    whole: bool
    told: bool


def lay_out(tr: Translator, alert: Alert, room: QRectF, metrics: Metrics, *, aside: float, why: bool) -> Laid:
    """Everything that is to be read, within ``room``. ``aside``: width beside the title that is a key's; ``why``: reasons, not steps."""
    laid = Laid((), whole=False, told=False)
    for reasons, sizes in _ways(alert, why=why):
        laid = _Flow(tr, alert, room, metrics, sizes[0], aside).flow(reasons, steps=not why)
        if not laid.whole:
            continue
        low, high = 0, len(sizes) - 1
        while low < high:  # the largest at which it is whole: every try costs the measuring of all words
            middle = (low + high + 1) // 2
            tried = _Flow(tr, alert, room, metrics, sizes[middle], aside).flow(reasons, steps=not why)
            if tried.whole:
                low, laid = middle, tried
            else:
                high = middle - 1
        break
    return laid


def _ways(alert: Alert, *, why: bool) -> Iterator[tuple[str, list[float]]]:
    """How much is said of the reasons, and the sizes for that, the smallest first."""
    sizes = sorted({*lettering.scales(), *_SHRINKS})
    if why:
        yield "each", sizes
        return
    spacious = 1.0 if alert.steps else 0.82
    yield "each", [size for size in sizes if size >= spacious]
    yield "short", [size for size in sizes if size >= 0.82]
    yield "none", [size for size in sizes if size <= 0.9]


class _Flow:
    """One try: text from the top downwards, the question from the bottom upwards."""

    def __init__(
        self,
        tr: Translator,
        alert: Alert,
        room: QRectF,
        metrics: Metrics,
        shrink: float,
        aside: float,
    ) -> None:
        self._tr, self._alert, self._room, self._metrics = tr, alert, room, metrics
        self._shrink, self._aside = shrink, aside
        self._blocks: list[Block] = []
        self._y = room.top()

    def flow(self, reasons: str, *, steps: bool) -> Laid:
        tr, alert = self._tr, self._alert
        self._head()
        self._add(wording.alert_sentence(tr, alert), 28, 500, theme.TEXT, after=14)
        remedy = wording.remedy_text(tr, alert)
        if remedy and steps:
            self._add(remedy, 28, 700, theme.GOLD, after=10)
        for number, step in enumerate(alert.steps if steps else (), 1):
            current = step.state == "current"
            self._add(
                wording.step_text(tr, step, alert),
                27,
                700 if current else 500,
                theme.TEXT if current else theme.QUIET,
                after=11,
                indent=52,
                marker="step",
                value=str(number),
                state=step.state,
            )
        self._y += self._metrics.px(4)
        if reasons == "each":
            self._each_reason()
        self._add(wording.rules_text(tr, alert), 20, 500, theme.QUIET, after=4)
        if reasons == "short" and alert.why:
            said = "; ".join(wording.why_text(tr, why) for why in alert.why)
            self._add(f"{tr('alert.why')} {said}", 20, 500, theme.QUIET, after=4)
        self._question()
        return Laid(tuple(self._blocks), self._y <= self._room.bottom(), reasons == "each")

    def _head(self) -> None:
        px, room, alert = self._px, self._room, self._alert
        accent = theme.LEVELS[wording.alert_level(alert)][0]
        icon = px(70)
        x = room.left() + icon + self._metrics.px(18)
        width = room.right() - x - self._aside
        word = self._text(wording.alert_word(self._tr, alert), width, 28, 800)
        title = self._text(wording.alert_title(self._tr, alert), width, 40, 700)
        y = self._y
        self._blocks += [
            Block(word, QRectF(x, y, width, word.height), accent, marker="icon", value=str(icon)),
            Block(title, QRectF(x, y + word.height, width, title.height), theme.TEXT),
        ]
        tall = max(word.height + title.height, icon, self._aside and max(56, self._metrics.px(72)))
        self._y = y + tall + px(12)

    def _each_reason(self) -> None:
        """The two best explanations with what each is worth, then every sign with how much it counts."""
        tr, alert = self._tr, self._alert
        for place, explanation in enumerate(alert.explanations):
            self._add(
                alert_words.explanation_text(tr, explanation, best=not place),
                24,
                500 if place else 700,
                theme.QUIET if place else theme.TEXT,
                after=18,
                marker="share",
                value=str(explanation.share),
            )
        for why in alert.why:
            sign = why.code != alert_words.SUM
            self._add(
                wording.why_text(tr, why),
                22,
                500,
                theme.QUIET,
                after=6,
                indent=72 if sign else 0,
                marker="weight" if sign else "",
                value=str(alert_words.strength(why)),
            )
        self._y += self._px(6)

    def _question(self) -> None:
        tr, alert, room = self._tr, self._alert, self._room
        asked = wording.alert_question(tr, alert)
        if not asked and wording.waits_for_floor(alert):
            asked = tr("alert.floor_decides")
        if not asked:
            return
        size = 36 if alert.evidence == "proven" else 46
        text = self._text(asked, room.width(), size, 800)
        box = QRectF(room.left(), room.bottom() - text.height, room.width(), text.height)
        self._blocks.append(Block(text, box, theme.GOLD))
        self._y += text.height + self._metrics.px(10)

    def _add(
        self,
        text: str,
        size: float,
        weight: int,
        ink: str,
        *,
        after: float,
        indent: float = 0,
        marker: str = "",
        value: str = "",
        state: str = "",
    ) -> None:
        left = self._px(indent) if indent else 0
        width = self._room.width() - left
        fitted = self._text(text, width, size, weight)
        least = self._px(34) if marker == "step" else 0
        height = max(fitted.height, least) + (self._px(10) if marker == "share" else 0)
        box = QRectF(self._room.left() + left, self._y, width, height)
        self._blocks.append(Block(fitted, box, ink, marker, value, state))
        self._y += height + self._px(after)

    def _px(self, size: float) -> int:
        return self._metrics.px(size * self._shrink)

    def _text(self, text: str, width: float, size: float, weight: int) -> lettering.Fitted:
        return lettering.fit(
            text, width, 10_000, self._px(size), weight=weight, max_lines=12, min_px=10, scaled=False
        )
