"""D8, D9: more cards than the deal has. One extra is asked about; two or more distinct ones are a hard fact (DESIGN §4 tier 1)."""

from __future__ import annotations

from dealer_assist.domain.alerts import Alert, Why
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.substantial import STRATEGIES


def after_substantial_action(draft: Draft) -> bool:
    """Whether the deal can no longer be called back."""
    if draft.state.street != "preflop":
        return True
    return STRATEGIES[draft.house.parameters.substantial_action](draft.bets.actions)


def extra_card(draft: Draft, seat: int) -> None:
    """A seat shows one card more than it is due; the card already counts to its hand."""
    state = draft.state
    if state.replacing == seat and len(state.held[seat]) == state.hole + 1:
        return  # the replacement of an exposed card; that one is on its way out
    if after_substantial_action(draft):
        draft.mark(seat, "doubtful", on=True)  # a dead hand is the floor's (D10)
        return
    counted = [other for other in state.order if f"seat{other}" in state.readers or other in state.held]
    due = len(counted) * state.hole
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
    if state.misdeal or seat is None or seat == state.replacing or len(state.held[seat]) <= state.hole:
        return
    draft.emit(ev.HoleCardTaken(ref, seat))
    alert = draft.alert("D8")
    if alert is not None and alert.evidence == "probable" and alert.seat == seat:
        draft.set_alert(alert, state="closed", question=None)


def answered_extra_card(draft: Draft, alert: Alert, answer: str) -> None:
    """Three cards at seat k? Yes proves; the remedy depends on whether it is the first seat (S001 E8)."""
    alert = draft.set_alert(alert, answered="yes" if answer == "yes" else "no")
    if answer == "no":
        draft.withdraw(alert)
        return
    ruling = draft.house.rules[alert.rule]
    first_seat = alert.seat == draft.state.order[0]
    draft.prove(
        alert,
        remedy=None if first_seat or ruling.elsewhere is None else ruling.elsewhere,
    )
