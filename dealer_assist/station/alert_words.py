"""Why, in words: what may have happened and how likely that is, how much each sign counts, and all of an alert read aloud. No Qt."""

from __future__ import annotations

from typing import Final

from dealer_assist.domain.alerts import Alert, Explanation, Why
from dealer_assist.station import wording
from dealer_assist.station.i18n import Translator

#: weights in 1/100 nat from which a sign counts much and very much: it makes the one 3 or 20 times likelier against the other
_COUNTS: Final = (100, 300)
#: The reason that is no sign of its own but what all signs come to.
SUM: Final = "odds"


def strength(why: Why) -> int:
    """How much a sign counts: 1 a little, 2 much, 3 very much."""
    return 1 + sum(abs(why.weight) >= least for least in _COUNTS)


def share(explanation: Explanation) -> int:
    """How likely it is, in 1/100: never certain, and never impossible."""
    return min(99, max(1, round(explanation.share / 100)))


def explanation_text(tr: Translator, explanation: Explanation, *, best: bool) -> str:
    """What may have happened, and how likely it is."""
    code = explanation.code
    if code == "as_planned" and not explanation.params.get("count"):
        code = "as_planned_all"
    what = tr.coded("explains", code, {"count": 1, **explanation.params})
    return tr("alert.best" if best else "alert.rival", what=what, share=share(explanation))


def spoken(tr: Translator, alert: Alert) -> list[str]:
    """Sentence, remedy, steps with their state, the question, and why."""
    steps = [
        f"{index}. {wording.step_text(tr, step, alert)}: {tr(f'alert.step_{step.state}')}."
        for index, step in enumerate(alert.steps, 1)
    ]
    explanations = [
        explanation_text(tr, explanation, best=not place)
        for place, explanation in enumerate(alert.explanations)
    ]
    whys = [_why_spoken(tr, why) for why in alert.why]
    reasons = [f"{tr('alert.why')} {'; '.join([*explanations, *whys])}."] if explanations or whys else []
    said = [wording.alert_sentence(tr, alert), wording.remedy_text(tr, alert), *steps]
    return [*said, wording.alert_question(tr, alert), wording.rules_text(tr, alert), *reasons]


def _why_spoken(tr: Translator, why: Why) -> str:
    said = wording.why_text(tr, why)
    return said if why.code == SUM else f"{said} ({tr(f'alert.weight_{strength(why)}')})"
