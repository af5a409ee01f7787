"""Alerts and awards in plain lines, in the words of the screen: for a terminal beside it, or instead of it. Pure: no Qt."""

from __future__ import annotations

from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.facts import Push
from dealer_assist.station.i18n import Translator
from dealer_assist.station.wording import (
    alert_params,
    alert_question,
    alert_sentence,
    alert_title,
    alert_word,
    hand_name,
    pushed_from,
    rules_text,
    step_text,
)


def asked(tr: Translator, alert: Alert) -> str:
    """The open question: what to look at, and what is asked."""
    look = "" if alert.evidence == "proven" else f"{alert_sentence(tr, alert)} "
    return f"{look}{alert_question(tr, alert)} ({alert.rule})"


def alerted(tr: Translator, alert: Alert) -> tuple[str, ...]:
    """What happened, by which rule, and what is to be done."""
    lines = (f"{alert_word(tr, alert)} · {alert_sentence(tr, alert)} ({rules_text(tr, alert)})",)
    if alert.remedy is None:
        return lines
    return (*lines, f"{tr('generic.remedy')}: {tr.coded('remedy', alert.remedy, alert_params(alert))}")


def step_line(tr: Translator, alert: Alert, code: str) -> str:
    """One step of the recovery and how it stands."""
    step = next((step for step in alert.steps if step.code == code), None)
    return (
        tr.coded("step", code)
        if step is None
        else f"{step_text(tr, step, alert)} – {tr(f'alert.step_{step.state}')}"
    )


def ended(tr: Translator, alert: Alert) -> str:
    """An alert that is over, by its name."""
    title = alert_title(tr, alert)
    return (
        tr("ui.put_right", rule=alert.rule, title=title)
        if alert.state == "closed"
        else f"{alert.rule} {title}"
    )


def paid(tr: Translator, push: Push) -> str:
    """One award."""
    name = tr("ui.pot") if push.pot == 0 else tr("ui.side_pot", count=push.pot)
    return f"{pushed_from(tr, push, name)} {tr('pad.to_seat', seat=push.seat)}, {hand_name(tr, push)}"
