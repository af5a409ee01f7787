"""The run-out and after it: hands that must be turned up (A12), cards dealt although nobody is left to play (P9)."""

from __future__ import annotations

from dealer_assist.domain.alerts import Why
from dealer_assist.procedure.draft import Draft


def watch_hands(draft: Draft, t_ms: int) -> None:
    """Everybody is all-in: where the house wants the hands up, they have time for it until the next card lies there."""
    state = draft.state
    if not draft.house.parameters.allin_faceup.value or set(draft.bets.live) <= set(draft.bets.shown):
        return
    if state.step.kind == "board" and "hands_down" not in state.deadlines:
        draft.deadline("hands_down", t_ms + int(draft.house.parameters.tap_grace_s.value * 1000))


def hands_down(draft: Draft) -> None:
    """A burn was taken, the taps had their time, and hands are still face down."""
    bets = draft.bets
    down = [seat for seat in bets.live if seat not in bets.shown]
    if not down or not bets.runout or bets.awarded:
        return
    draft.raise_alert(
        "A12",
        "probable",
        question="hands_up",
        params={"seats": down},
        why=(Why("hands_down", {"seats": down}, weight=300),),
    )


def dealt_on(draft: Draft, ref: str) -> None:
    """One hand is left and a card is dealt: no more cards are (TDA 28). Collected cards cross the antennas too, so it is a mark."""
    state = draft.state
    if (
        ref in state.owner
        or ref in state.mucked
        or ref in state.burns
        or any(slot.ref == ref for slot in state.slots)
    ):
        return
    draft.note("P9", Why("one_hand_left", {}, reads=(ref,), weight=200))
