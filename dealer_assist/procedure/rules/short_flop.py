"""A flop of two cards that nobody reports (F3): the third was not read, or it is not there. The odds ask, the dealer's answer proves."""

from __future__ import annotations

from typing import Final

from dealer_assist.domain.alerts import Alert, Explanation, Why
from dealer_assist.procedure.alignment.sensing import WHOLE, sensing_of
from dealer_assist.procedure.alignment.street import short
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.rules.deal_watch import odds_why, threshold
from dealer_assist.procedure.state import BoardSlot, State

#: So long behind the second card it is weighed whether a third one lies there unread. A dealer who sees that it was not read enters it
#: within 4 s, and the first tap of the betting, which says that the flop is complete, comes within 6 s [assumptions].
LOOKS_MS: Final = (6000, 8000)
DEADLINE: Final = "flop_short"
#: What may be said of a card that is none of the deck's, or that came from elsewhere, and lies on the board all the same.
_STRANGE: Final = frozenset({"K1", "K2", "K3", "K11", "R7"})
#: With what was said of the cards of a flop: somebody has looked at them.
_SAID: Final = _STRANGE | {"F1", "F2", "F3", "F4"}


def watch(draft: Draft) -> None:
    """The board has lain still: a flop that lacks a card is looked at again; a question whose card lies there falls away."""
    laid = _two(draft)
    if laid is None:
        lapse(draft)
    elif DEADLINE not in draft.state.deadlines:
        _look_again(draft, laid, draft.now_ms)


def lapse(draft: Draft) -> None:
    """The third card lies there, or players act on a flop that they see: nothing is asked about it."""
    draft.withdraw_asked("F3")
    if DEADLINE in draft.state.deadlines:
        draft.deadline(DEADLINE, None)


def still_short(draft: Draft) -> None:
    """The third card had its time to be read."""
    laid = _two(draft)
    if laid is None:
        return
    state, zone = draft.state, laid[0].zone
    now_ms = max(draft.now_ms, laid[-1].first_ms)
    share = short(sensing_of(state.sensing, zone), now_ms - laid[-1].first_ms)
    ask = threshold(draft, draft.house.parameters.cost_missed_deal_s.value)
    if share < ask:
        _look_again(draft, laid, now_ms)
        return
    draft.raise_alert(
        "F3",
        "probable",
        question="third_card",
        params={"street": "flop", "count": len(laid), "next": "flop"},
        why=(
            Why(
                "read_at", {"zone": zone, "count": len(laid)}, reads=tuple([s.ref for s in laid]), weight=300
            ),
            odds_why(share, ask),
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
    if step.kind == "burn":
        step = state.plan[state.at + 1]  # its burn was not read, either, or was forgotten
    if step.kind != "board" or step.street != "flop" or step.count < 2 or state.misdeal or state.pick_due:
        return None
    laid = draft.laid(step)
    if len(laid) != step.count - 1 or any(state.where.get(slot.ref) != step.zone for slot in laid):
        return None
    if step.zone not in state.readers or sensing_of(state.sensing, step.zone).poor:
        return None
    if _spoken_of(state, laid) or _glimpsed(state, laid):
        return None
    return laid


def _spoken_of(state: State, laid: list[BoardSlot]) -> bool:
    """Whether something was said of these cards, or of one that lies beside them. Another board or an earlier flop says nothing of this."""
    refs, zone = {slot.ref for slot in laid}, laid[0].zone
    for alert in state.alerts.values():
        if alert.street != "flop" or alert.rule not in _SAID or alert.state == "withdrawn":
            continue
        if alert.params.get("run", state.run) != state.run:
            continue
        reads = [ref for why in alert.why for ref in why.reads]
        if any(ref in refs or state.where.get(ref) == zone for ref in reads):
            return True
        if alert.state != "closed" and (alert.rule in _STRANGE or not reads):
            return True
    return False


def _glimpsed(state: State, laid: list[BoardSlot]) -> bool:
    """Whether a card that lies nowhere was read there once: with the others, or a scan or two before them."""
    zone = laid[0].zone
    since_ms = min([slot.first_ms for slot in laid]) - 2 * sensing_of(state.sensing, zone).period_ms
    return any(
        glimpse.zone == zone
        and glimpse.first_ms >= since_ms
        and glimpse.ref not in state.where
        and glimpse.ref not in state.owner
        for glimpse in state.glimpses
    )


def _look_again(draft: Draft, laid: list[BoardSlot], now_ms: int) -> None:
    looks = [laid[-1].first_ms + ms for ms in LOOKS_MS if laid[-1].first_ms + ms > now_ms]
    if looks:
        draft.deadline(DEADLINE, looks[0])
