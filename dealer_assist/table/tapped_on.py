"""Which section of the screen a command was tapped on: when that has changed since the screen showed it, the tap meant something else."""

from __future__ import annotations

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.equipment import SetupStep
from dealer_assist.table.project import PAD, Section


def tapped_on(command: cmd.Command) -> Section | None:
    """The section; None where it does not matter what the screen showed."""
    match command:
        case cmd.Act() | cmd.OpenHand() | cmd.PushPots() | cmd.Straddle():
            return PAD
        case cmd.Answer(alert=alert) | cmd.Respond(alert=alert):
            return "alert", alert
        case cmd.Undo():
            return "undo", ""
        case cmd.Correct(seat=seat):
            return "seat", str(seat)  # its actions are counted from the last one
        case SetupStep():
            return "setup", ""
        case _:
            return None
