"""Which remedy of the house an irregularity gets: what was faced, where it is, and how far the action has gone decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.table import STREETS
from dealer_assist.procedure import substantial

if TYPE_CHECKING:
    from dealer_assist.procedure.draft import Draft


def chosen(draft: Draft, alert: Alert) -> str:
    """The remedy that the house prescribes for this alert as the hand stands now."""
    ruling = draft.house.rules[alert.rule]
    if ruling.after_sa is not None and substantial.reached(draft):
        return ruling.after_sa
    if ruling.after_action is not None and _acted(draft, alert):
        return ruling.after_action
    if ruling.on_flop is not None and alert.street == "flop":
        return ruling.on_flop
    if ruling.elsewhere is not None and alert.seat != draft.state.order[0]:
        return ruling.elsewhere
    return ruling.remedy


def _acted(draft: Draft, alert: Alert) -> bool:
    """Whether somebody has acted since the street of the alert was dealt; in a run-out nobody can (R8)."""
    if draft.bets.runout:
        return False
    here, about = STREETS.index(draft.bets.street), STREETS.index(alert.street)
    return here > about or (here == about and bool(draft.bets.actions))
