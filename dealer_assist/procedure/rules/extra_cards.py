"""D8, D9, D10: more cards than the deal has. One extra is asked about; two or more distinct ones are a hard fact (DESIGN §4 tier 1)."""

from __future__ import annotations

from dealer_assist.domain.alerts import Alert, Why
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.substantial import reached


def extra_card(draft: Draft, seat: int) -> None:
    """A seat shows one card more than it is due; the card already counts to its hand."""
    state = draft.state
    if state.replacing == seat and len(state.held[seat]) == state.due + 1:
        return  # the replacement of an exposed card; that one is on its way out
    if reached(draft):
        draft.raise_alert(
            "D10",
            "probable",
            question="extra_card",
            seat=seat,
            params={"seat": seat, "count": 1},
            why=(Why("third_card", {"seat": seat}, reads=(state.held[seat][-1],), weight=300),),
        )
        return
    counted = [other for other in state.order if f"seat{other}" in state.readers or other in state.held]
    due = len(counted) * state.due
    total = sum(len(cards) for cards in state.held.values())
    why = Why("third_card", {"seat": seat}, reads=(state.held[seat][-1],), weight=300)
    if state.step.kind == "deal" and total <= due:
        draft.raise_alert(
            "D4",
            "probable",
            question="out_of_turn",
            seat=seat,
            params={"seat": seat, "due": seat},
            why=(why,),
        )
    elif total <= due + 1:
        draft.raise_alert(
            "D8",
            "probable",
            question="extra_card",
            seat=seat,
            params={"seat": seat, "count": 1},
            why=(why,),
        )
    else:
        one = draft.alert("D8")
        if one is not None:
            draft.withdraw(one)
        draft.raise_alert(
            "D9",
            "proven",
            seat=seat,
            params={"seat": seat, "count": total - due},
            why=(why,),
        )


def extra_left(draft: Draft, ref: str) -> None:
    """A seat with a card too many gave one back: it belongs to nobody. Done before the answer, it is the dealer's save."""
    state = draft.state
    seat = state.owner.get(ref)
    if state.misdeal or seat is None or seat == state.replacing or len(state.held[seat]) <= state.due:
        return
    draft.emit(ev.HoleCardTaken(ref, seat))
    for rule in ("D8", "D10"):
        alert = draft.alert(rule)
        if alert is not None and alert.evidence == "probable" and alert.seat == seat:
            draft.set_alert(alert, state="closed", question=None)


def answered_extra_card(draft: Draft, alert: Alert, answer: str) -> None:
    """Three cards at seat k? Yes proves; the remedy depends on whether it is the first seat (S001 E8)."""
    alert = draft.set_alert(alert, answered="yes" if answer == "yes" else "no")
    if answer == "no":
        draft.withdraw(alert)
        return
    draft.prove(alert)
