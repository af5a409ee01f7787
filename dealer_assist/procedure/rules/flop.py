"""The board that is due: the flop's count (F1, F2) and the burn that was never read (N1), judged once the cards lie still."""

from __future__ import annotations

from dealer_assist.domain.alerts import Alert, Why
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.rules import burns
from dealer_assist.procedure.state import BoardSlot, State


def _laid(state: State, street: str) -> tuple[BoardSlot, ...]:
    return tuple(slot for slot in state.board if slot.street == street and not slot.early)


def due(state: State) -> int:
    """How many board cards the street of the current step has."""
    return next(
        (step.count for step in state.base if step.kind == "board" and step.street == state.street), 0
    )


def complete(state: State) -> bool:
    """Whether the board cards of the current street all lie there."""
    return len(_laid(state, state.street)) == due(state)


def read_late(state: State) -> bool:
    """Whether players act on a street of whose cards some were not read: the next one on the board is one of those."""
    return 0 < len(_laid(state, state.street)) < due(state)


def board_settled(draft: Draft) -> None:
    """The board has lain still for the settle time: judge it, and ask for the faces that are public now."""
    state = draft.state
    step = state.step
    laid = _laid(state, step.street)
    if step.kind == "burn":
        _burn_unread(draft, laid)
        return
    if step.kind == "bet" and step.street == "flop" and len(laid) > 3:
        _too_many(draft, laid)
        return
    if step.kind == "bet" and len(laid) == due(state):
        _ask_faces(draft, laid)
        return
    if step.kind != "board":
        return
    if len(laid) > step.count:
        if step.street == "flop":
            _too_many(draft, laid)
        return
    if len(laid) == step.count:
        _ask_faces(draft, laid)


def _ask_faces(draft: Draft, laid: tuple[BoardSlot, ...]) -> None:
    state = draft.state
    refs = tuple(slot.ref for slot in laid if slot.ref not in state.asked and slot.ref not in state.faces)
    if refs:
        draft.emit(ev.FaceAsked(refs))


def _too_many(draft: Draft, laid: tuple[BoardSlot, ...]) -> None:
    count = len(laid)
    rule = "F1" if count == 4 else "F2"
    four = draft.alert("F1")
    if rule == "F2" and four is not None and four.evidence == "probable":
        draft.withdraw(four)
    elif rule == "F2" and four is not None:
        return
    draft.raise_alert(
        rule,
        "probable",
        question="turned_up",
        street="flop",
        params={"count": count, "extra": count - 3, "next": "flop"},
        why=(
            Why(
                "read_at",
                {"zone": "board", "count": count},
                reads=tuple(slot.ref for slot in laid),
                weight=500,
            ),
        ),
    )


def _burn_unread(draft: Draft, laid: tuple[BoardSlot, ...]) -> None:
    """Board cards lie where a burn is due. Absence is no proof: the flop asks; later streets take the burn as unread."""
    state = draft.state
    street = state.step.street
    due = next(step.count for step in state.plan[state.at :] if step.kind == "board")
    if len(laid) < due:
        return
    if "burn" not in state.readers or street != "flop" or _no_question_left(draft, laid):
        pass_unread_burn(draft)
        return
    draft.raise_alert(
        "N1",
        "probable",
        question="burned",
        street="flop",
        params={"street": street, "count": len(laid), "next": "flop"},
        why=(
            Why(
                "read_at",
                {"zone": "board", "count": len(laid)},
                reads=tuple(slot.ref for slot in laid),
                weight=300,
            ),
            Why("not_read", {"zone": "burn"}, weight=200),
        ),
    )


def _no_question_left(draft: Draft, laid: tuple[BoardSlot, ...]) -> bool:
    """Whether the dealer deals on, or this is another flop than the one that was asked about: its burn went unread."""
    if "N1" in draft.state.silenced:
        return True
    alert = draft.alert("N1")
    if alert is None or alert.evidence != "proven":
        return False
    return {slot.ref for slot in laid} != set(alert.why[0].reads)


def burn_read_late(draft: Draft) -> None:
    """The flop's burn is there after all: the question falls away, and the board is judged as it lies."""
    alert = draft.alert("N1")
    if alert is not None and alert.evidence == "probable":
        draft.withdraw(alert)
        board_settled(draft)


def answered_burned(draft: Draft, alert: Alert, answer: str) -> None:
    """Was a card burned? Yes: it was not read. No: the flop stands where the burn should be; were the cards turned up?"""
    if answer == "no":
        draft.prove(draft.set_alert(alert, answered="no"), question="turned_up")
        return
    draft.set_alert(alert, answered="yes", question=None, state="closed")
    pass_unread_burn(draft)


def pass_unread_burn(draft: Draft) -> None:
    """Go on as if the burn had been read."""
    if draft.state.step.kind == "burn":
        burns.skip_unread(draft)
        board_settled(draft)


def answered_turned_up(draft: Draft, alert: Alert, answer: str) -> None:
    """Turned up? For F1 and F2 this is the proof; for a proven early card or missing burn it chooses the remedy."""
    ruling = draft.house.rules[alert.rule]
    if alert.evidence == "probable":
        alert = draft.set_alert(alert, answered="yes" if answer == "yes" else "no", question=None)
        if answer == "yes":
            draft.prove(alert)
        elif ruling.not_faced:
            draft.begin_remedy(draft.set_alert(alert, state="fixing"), ruling.not_faced)
        return
    alert = draft.set_alert(alert, question=None)
    if answer == "no" and ruling.not_faced:
        draft.begin_remedy(alert, ruling.not_faced)
