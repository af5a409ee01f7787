"""K1: two different tags of one face were read in one hand. One tag at two antennas is never K1: the zones hold that back."""

from __future__ import annotations

from dealer_assist.domain.alerts import Alert, Why
from dealer_assist.domain.zones import BOARD
from dealer_assist.procedure.draft import Draft


def same_card(draft: Draft, refs: tuple[str, ...], zone: str) -> None:
    """These cards have the face of another one of this hand, or one face. The floor looks before anything is refunded."""
    told = [alert for alert in draft.state.alerts.values() if alert.rule == "K1"]
    if any(ref in alert.why[0].reads for alert in told for ref in refs):
        return  # the floor has looked at this card
    draft.raise_alert(
        "K1",
        "probable",
        question="same_card_twice",
        params={"zone": zone},
        why=(Why("same_face", {"zone": zone}, reads=refs, weight=500),),
    )


def reported(draft: Draft) -> None:
    """The dealer sees two the same: no chip goes back before the floor has seen them too."""
    draft.raise_alert(
        "K1",
        "probable",
        question="same_card_twice",
        params={"zone": BOARD},
        why=(Why("dealer_reported", {"row": "K1"}, weight=1000),),
    )


def answered_same_card(draft: Draft, alert: Alert, answer: str) -> None:
    """Two cards the same? Yes: the deck is fouled and the hand is void. No: a wrong registration."""
    if answer == "yes":
        draft.prove(draft.set_alert(alert, answered="yes"))
    else:
        draft.withdraw(draft.set_alert(alert, answered="no"))
