"""A flop of two cards that nobody reports (F3): the third was not read, or it is not there. The odds ask, the dealer's answer proves."""

from __future__ import annotations

from typing import Final

from dealer_assist.domain.alerts import Alert, Explanation, Why
from dealer_assist.procedure.alignment.density import log_of
from dealer_assist.procedure.alignment.sensing import WHOLE, sensing_of
from dealer_assist.procedure.alignment.street import short
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.rules.deal_watch import threshold
from dealer_assist.procedure.state import BoardSlot

#: So long behind the second card it is weighed whether a third one lies there unread. A dealer who sees that it was not read enters it
#: within 4 s, and the first tap of the betting, which says that the flop is complete, comes within 6 s [assumptions].
LOOKS_MS: Final = (6000, 8000)
DEADLINE: Final = "flop_short"
#: What was said of the cards of a flop: somebody has looked at them, or one is no card of the deck and lies there all the same.
_OTHER: Final = frozenset({"F1", "F2", "F4", "K1", "K2", "K3", "K11", "R7"})


def watch(draft: Draft) -> None:
    """The board has lain still: a flop that lacks a card is looked at again; a question whose card lies there falls away."""
    laid = _two(draft)
    if laid is None:
        lapse(draft)
    elif DEADLINE not in draft.state.deadlines:
        _look_again(draft, laid, draft.now_ms)


def lapse(draft: Draft) -> None:
    """The third card lies there, or players act on a flop that they see: nothing is asked about it."""
    alert = draft.alert("F3")
    if alert is not None and alert.evidence == "probable":
        draft.withdraw(alert)
    if DEADLINE in draft.state.deadlines:
        draft.deadline(DEADLINE, None)


def still_short(draft: Draft) -> None:
    """The third card had its time to be read."""
    laid = _two(draft)
    if laid is None:
        return
    state, zone = draft.state, draft.state.step.zone
    now_ms = max(draft.now_ms, laid[-1].first_ms)
    share = short(sensing_of(state.sensing, zone), now_ms - laid[-1].first_ms)
    ask = threshold(draft, draft.house.parameters.cost_missed_deal_s.value)
    if share < ask:
        _look_again(draft, laid, now_ms)
        return
    weight = log_of(share) - log_of(max(1, WHOLE - share))
    draft.raise_alert(
        "F3",
        "probable",
        question="third_card",
        params={"street": "flop", "count": len(laid), "next": "flop"},
        why=(
            Why(
                "read_at", {"zone": zone, "count": len(laid)}, reads=tuple([s.ref for s in laid]), weight=300
            ),
            Why("odds", {"share": share // 100, "ask": ask // 100}, weight=max(1, weight * 100 // 1024)),
        ),
        explanations=(
            Explanation("two_flop", {"street": "flop"}, share),
            Explanation("third_unread", {"street": "flop"}, WHOLE - share),
        ),
    )


def answered_third_card(draft: Draft, alert: Alert, answer: str) -> None:
    """Is the third card there? Yes: it was not read. No: it is dealt, as the house says."""
    if answer == "no":
        draft.prove(draft.set_alert(alert, answered="no"))
    else:
        draft.set_alert(alert, answered="yes", question=None, state="closed")


def _two(draft: Draft) -> list[BoardSlot] | None:
    """The cards of a flop that lacks its last one, where the antenna that reads them would tell of it."""
    state, step = draft.state, draft.state.step
    if step.kind != "board" or step.street != "flop" or step.count < 2 or state.misdeal or state.pick_due:
        return None
    laid = draft.laid(step)
    if len(laid) != step.count - 1 or any(state.where.get(slot.ref) != step.zone for slot in laid):
        return None
    if step.zone not in state.readers or sensing_of(state.sensing, step.zone).poor:
        return None
    if any(alert.street == "flop" and alert.rule in _OTHER for alert in state.alerts.values()):
        return None
    seen = {slot.ref for slot in laid}
    since_ms = min([slot.first_ms for slot in laid])
    if any(g.zone == step.zone and g.first_ms >= since_ms and g.ref not in seen for g in state.glimpses):
        return None  # it was read there once
    told = draft.alert("F3", open_only=False)
    return None if told is not None and told.state != "withdrawn" else laid


def _look_again(draft: Draft, laid: list[BoardSlot], now_ms: int) -> None:
    looks = [laid[-1].first_ms + ms for ms in LOOKS_MS if laid[-1].first_ms + ms > now_ms]
    if looks:
        draft.deadline(DEADLINE, looks[0])
