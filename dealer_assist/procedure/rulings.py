"""Which remedy of the house an irregularity gets: what was faced, where it is, and how far the action has gone decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.table import STREETS, Street
from dealer_assist.domain.zones import seat_zone
from dealer_assist.procedure import substantial

if TYPE_CHECKING:
    from dealer_assist.procedure.draft import Draft
    from dealer_assist.procedure.state import State


def chosen(draft: Draft, alert: Alert) -> str:
    """The remedy that the house prescribes for this alert as the hand stands now."""
    ruling = draft.house.rules[alert.rule]
    if ruling.after_sa is not None and _too_late(draft, alert):
        return ruling.after_sa
    if ruling.after_action is not None and _acted(draft, alert):
        return ruling.after_action
    if ruling.on_flop is not None and alert.street == "flop":
        return ruling.on_flop
    if ruling.elsewhere is not None and not _at_the_named_place(draft.state, alert):
        return ruling.elsewhere
    if ruling.mixed is not None and alert.params.get("mixed"):
        return ruling.mixed
    return ruling.remedy


def may_stop(draft: Draft, alert: Alert, remedy: str) -> bool:
    """Whether STOP is in place (DESIGN §4): never where everything stands, and of hands in the muck only for an all-in one."""
    if remedy == "play_on":
        return False
    return alert.rule != "A9" or alert.seat in draft.bets.all_in


def _at_the_named_place(state: State, alert: Alert) -> bool:
    """Whether it happened where the rule says: a missing card (D5) at the seat next in order, an extra one at the first seat.

    A card of a board that is run more than once may only lie on the wrong board (P8).
    """
    if alert.rule == "P8":
        return "lies_on" not in alert.params
    if alert.rule != "D5":
        return alert.seat == state.order[0]
    if alert.seat not in state.order:
        return False
    behind = state.order[state.order.index(alert.seat) + 1 :]
    return all(
        seat_zone(seat) in state.readers and len(state.held.get(seat, ())) < state.hole for seat in behind
    )


def _too_late(draft: Draft, alert: Alert) -> bool:
    """Whether there was substantial action since: for the deal, or behind a seat that was passed over."""
    if alert.rule == "A2":
        return substantial.behind(draft, alert.seat, alert.params["count"])
    return substantial.reached(draft)


def _acted(draft: Draft, alert: Alert) -> bool:
    """Whether it is too late for the remedy: somebody has acted on the street, or on the hand of a card that does not belong (K)."""
    bets = draft.bets
    if alert.rule == "D7":  # the button's own action counts (TDA 37)
        return bets.street != "preflop" or alert.seat in bets.actors
    # an amount stands once its street is over (TDA 52, RROP: before the round ends)
    if alert.rule in ("A4", "A5"):
        begun = bets.complete and draft.state.step.kind == "board"
        return begun or (alert.seat not in bets.actors and alert.seat not in bets.pending[:1])
    if alert.rule[0] != "K":
        return acted(draft, alert.street)
    later = bets.street != "preflop"
    if alert.rule == "K3":
        return alert.seat is not None and (later or alert.seat in bets.actors)
    return later or bool(bets.actions)


def acted(draft: Draft, about: Street) -> bool:
    """Whether somebody has acted since this street was dealt; in a run-out nobody can (R8)."""
    if draft.bets.runout:
        return False
    here = STREETS.index(draft.bets.street) - STREETS.index(about)
    return here > 0 or (here == 0 and bool(draft.bets.actions))
