"""What the alerts of a hand came to: put right because the product said so, put right by the dealer first, or wrong."""

from __future__ import annotations

from dealer_assist.domain.alerts import Alert, Saves
from dealer_assist.procedure.draft import silence_of
from dealer_assist.procedure.state import State

#: What the first reason of an alert is called where the dealer has seen it before any reader.
_REPORTED = "dealer_reported"


def saves_of(hand: State) -> Saves:
    """Counts each alert of the hand once.

    Put right: proven, and closed by a checklist of which something was seen to be done: where no reader sees any step of it (chips
    pushed anew), nobody knows whether it was. A question that the dealer made needless before he
    answered it is his save, as what he reports is. One that is still open counts for nothing yet.
    """
    total = Saves()
    for alert in hand.alerts.values():
        total += _of(alert, silenced=silence_of(alert.rule, alert.seat) in hand.silenced)
    return total


def _of(alert: Alert, *, silenced: bool) -> Saves:
    if alert.state == "withdrawn":
        return Saves(misread=int(alert.evidence == "proven" and silenced))
    if alert.state != "closed":
        return Saves()
    if alert.evidence == "probable":
        return Saves(own=int(alert.answered is None))
    if alert.evidence != "proven" or not any(step.seen and step.state == "done" for step in alert.steps):
        return Saves()
    own = bool(alert.why) and alert.why[0].code == _REPORTED
    return Saves(told=int(not own), own=int(own))
