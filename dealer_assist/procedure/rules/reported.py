"""Rows that a person reports: the report is the proof; what else the row knows from the hand goes into its parameters."""

from __future__ import annotations

from typing import Any, Final

from dealer_assist.domain.alerts import Why
from dealer_assist.domain.table import Street
from dealer_assist.domain.zones import BOARD, seat_zone
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.catalogue import ROWS
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.rules import board_reports, deck, extra_cards, same_card

#: Rows about the deal, whatever street it is by now.
_DEAL: Final = frozenset(row_id for row_id in ROWS if row_id[0] in "XD" or row_id in ("K12", "A18"))


def row(draft: Draft, name: str, seat: int | None, count: int) -> None:
    """Raise the row; what was asked about the same thing gives way to it."""
    if name == "K1":
        same_card.reported(draft)
        return
    if name == "K2":
        deck.foreign_reported(draft)
        return
    name = extra_cards.row_of(draft, board_reports.row_of(draft, name), seat, count)
    for other in extra_cards.same_count(draft, name, seat):
        draft.withdraw(other)
    board_reports.instead(draft, name)
    if name == "K3":
        deck.instead_of_foreign(draft, seat)
    asked = draft.alert(name)
    if asked is not None and not ROWS[name].note and asked.evidence != "proven":
        if seat is None or asked.seat in (None, seat):
            draft.prove(draft.set_alert(asked, answered="yes", question=None))
            return
        draft.withdraw(asked)  # the dealer has looked: it is another seat
    if name == "K6":
        _boxed(draft, count)
        return
    if name == "A10":
        _by_player(draft, seat)
    about: Street = "preflop" if name in _DEAL else board_reports.street_of(draft, name)
    told = {"row": name} if seat is None else {"row": name, "seat": seat}
    why = Why("dealer_reported", told, reads=board_reports.cards(draft.state, name, about), weight=1000)
    raised = draft.raise_alert(
        name,
        "proven",
        seat=seat,
        street=about,
        params=_params(draft, name, about, seat, count),
        why=(why,),
        answered="yes",
    )
    board_reports.reported(draft, raised)


def _by_player(draft: Draft, seat: int | None) -> None:
    """The player mucked his hand himself: what was said about the dealer's killing it (A9) has no object."""
    killed = draft.alert("A9")
    if killed is not None and killed.seat == seat:
        draft.cancel_remedy(killed)
        draft.withdraw(killed)


def _params(draft: Draft, name: str, about: Street, seat: int | None, count: int) -> dict[str, Any]:
    state = draft.state
    due = sum([step.count for step in state.base if step.kind == "board" and step.street == about])
    laid = sum(slot.street == about for slot in state.board)
    params: dict[str, Any] = {
        "street": about,
        "next": board_reports.coming(state, name, about),
        "count": laid or count,
        "extra": max(0, laid - due),
        "zone": BOARD,
    }
    if name in ("A2", "K7"):
        params["count"] = count
    if seat is not None:
        params["seat"] = seat
        params["zone"] = seat_zone(seat) if name[0] == "K" else BOARD
    return params


def _boxed(draft: Draft, count: int) -> None:
    """One boxed card is set aside and the next one plays (K6); two or more are a matter for the house (K7)."""
    before = sum(alert.rule == "K6" for alert in draft.state.alerts.values())
    if before + count >= 2:
        row(draft, "K7", None, before + count)
        return
    draft.emit(ev.ScrapExpected(draft.state.scrap_due + 1))
    draft.note("K6", Why("dealer_reported", {"row": "K6"}, weight=1000), params={"count": 1})
