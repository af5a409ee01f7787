"""D5 to D10: hands of the wrong count. One extra card is asked about; two or more are a hard fact (DESIGN §4 tier 1).

Which row it is, time, number and button say: before substantial action a deal can still be put right or called back (D5, D8, D9),
afterwards the hand is dead (D6, D10), and the button's missing card is a row of its own (D7).
"""

from __future__ import annotations

from typing import Final

from dealer_assist.domain.alerts import Alert, Why
from dealer_assist.domain.zones import seat_zone
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.substantial import reached

_TOO_FEW: Final = ("D5", "D6", "D7")
_TOO_MANY: Final = ("D8", "D9", "D10")


def row_of(draft: Draft, row: str, seat: int | None, count: int) -> str:
    """The row that a wrong count at this seat is as the hand stands now, whatever it was taken for; any other row is itself."""
    late = reached(draft)
    if row in _TOO_FEW:
        if seat == draft.state.opening.button:
            return "D7"
        return "D6" if late else "D5"
    if row in _TOO_MANY:
        if late:
            return "D10"
        return "D9" if row == "D9" or count >= 2 else "D8"
    return row


def same_count(draft: Draft, row: str, seat: int | None) -> list[Alert]:
    """What was asked about the same wrong count under another row."""
    family = next((rows for rows in (_TOO_FEW, _TOO_MANY) if row in rows), ())
    asked = [draft.alert(other) for other in family if other != row]
    return [
        alert for alert in asked if alert is not None and alert.seat == seat and alert.evidence != "proven"
    ]


def answered_count(draft: Draft, alert: Alert) -> None:
    """The count is wrong by the card that was asked about, the dealer says so: the row that it is by now is proven."""
    row = row_of(draft, alert.rule, alert.seat, 1)
    alert = draft.set_alert(alert, answered="yes")
    if row == alert.rule:
        draft.prove(alert)
        return
    draft.withdraw(alert)
    draft.raise_alert(
        row,
        "proven",
        seat=alert.seat,
        street="preflop",
        params=alert.params,
        why=alert.why,
        answered="yes",
    )


def answered_one_short(draft: Draft, alert: Alert, answer: str) -> None:
    """One card short at seat k? Yes proves; no: its card was not read."""
    if answer == "yes":
        answered_count(draft, alert)
    else:
        draft.set_alert(alert, answered="no", question=None, state="closed")


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
            params={"seat": seat},
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


def extra_left(draft: Draft, ref: str, zone: str, t_ms: int) -> None:
    """A seat with a card too many gave one back: it belongs to nobody. Done before the answer, it is the dealer's save."""
    state = draft.state
    if _taken_up_together(draft, ref, zone, t_ms):
        return
    seat = state.owner.get(ref)
    if state.misdeal or seat is None or seat == state.replacing or len(state.held[seat]) <= state.hole:
        return  # in a game with discards a hand may hold more than is due: which card is given up shows in the muck
    draft.emit(ev.HoleCardTaken(ref, seat))
    for rule in ("D8", "D10"):
        alert = draft.alert(rule)
        if alert is not None and alert.evidence == "probable" and alert.seat == seat:
            params = {**alert.params, "left": ref, "left_ms": t_ms}
            draft.set_alert(alert, state="closed", question=None, params=params)


def _taken_up_together(draft: Draft, ref: str, zone: str, t_ms: int) -> bool:
    """Not one card was given back but the whole hand was taken up, and nobody can tell the extra one any more: asked again."""
    state = draft.state
    alert = draft.alert("D8", open_only=False)
    if alert is None or alert.seat is None or zone != seat_zone(alert.seat):
        return False
    if alert.params.get("mixed") and alert.evidence == "probable" and alert.state == "open":
        return True  # the rest of the hand
    if "left_ms" not in alert.params:
        return False
    left, left_ms = alert.params["left"], alert.params["left_ms"]
    if t_ms - left_ms > state.settle_ms or left == ref or left in state.where or alert.state != "closed":
        return False
    draft.emit(ev.CardPitched(left, alert.seat, left_ms, left_ms))
    params = {key: value for key, value in alert.params.items() if key not in ("left", "left_ms")}
    draft.set_alert(alert, state="open", question="extra_card", params={**params, "mixed": 1})
    return True


def answered_extra_card(draft: Draft, alert: Alert, answer: str) -> None:
    """Three cards at seat k? Yes proves; the remedy depends on whether it is the first seat (S001 E8)."""
    if answer == "no":
        draft.withdraw(draft.set_alert(alert, answered="no"))
        return
    answered_count(draft, alert)
