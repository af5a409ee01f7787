"""The floor's rulings in a hand, and who entered them: what the dealer enters for the floor waits for a badge to sign it."""

from __future__ import annotations

from typing import Final, Literal

from dealer_assist.domain import commands as cmd
from dealer_assist.table import events as te
from dealer_assist.table import inputs as inp
from dealer_assist.table.decision import Decision
from dealer_assist.table.hand import Hand

#: What is said of an amount that stands by a ruling (TDA 52).
AMOUNT_STANDS = "amount_stands"
#: What is said where the floor ruled what an action was (TDA 51-B, 55).
RULED_ACTIONS: Final = {"fold": "ruled_fold", "call": "ruled_call", "check": "ruled_check"}


def note_ruling(decision: Decision, before: Hand, told: inp.Told) -> None:
    """Keep who entered the ruling that a command which was carried out is; nothing for all other commands."""
    by: Literal["dealer", "floor"] = "floor" if told.actor == "floor" else "dealer"
    match told.command:
        case cmd.Rule(option=option):
            was = before.procedure.alerts
            for alert in decision.hand.procedure.alerts.values():
                if alert.ruled == option and alert != was.get(alert.id):
                    decision.emit(te.RulingEntered(alert.id, alert.rule, option, alert.seat, by))
        case cmd.Act(seat=seat, action=action, ruled=True):
            option = RULED_ACTIONS.get(action, AMOUNT_STANDS)
            decision.emit(te.RulingEntered("", "", option, seat, by))
        case _:
            pass
