"""R1–R3: a board card before the betting of the street is complete.

The read may be early only because the taps are late: it waits ``tap_grace_s``, and a tap that closes the round settles it silently.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from dealer_assist.domain.alerts import Alert, Why
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.rules import board, entry
from dealer_assist.procedure.rules.burns import next_street
from dealer_assist.procedure.state import BoardSlot

_RULES: Final = {"preflop": "R1", "flop": "R2", "turn": "R3"}


def early_board_card(draft: Draft, ref: str, zone: str, first_ms: int, t_ms: int) -> None:
    """A new card lies on the board while seats still have to act."""
    if entry.closes_round(draft, t_ms):
        return
    state = draft.state
    draft.emit(ev.BoardCardLaid(ref, next_street(state), first_ms, early=True, zone=zone))
    draft.deadline("burn_early", None)  # one question about both: the one about the card
    asked = draft.alert("N10")
    grace_ms = entry.grace_ms(draft)
    lies_ms = t_ms + min(state.settle_ms, grace_ms)
    came = [state.came_ms[burn] for burn in state.spare_burns if burn in state.came_ms]
    waited_ms = entry.waited_ms(draft, min([first_ms, *came]))
    draft.deadline("board_early", lies_ms if asked else max(lies_ms, waited_ms))


def board_early(draft: Draft) -> None:
    """The taps had their time and the round is still open."""
    state = draft.state
    early = tuple(slot for slot in state.board if slot.early)
    if draft.round_complete or draft.bets.over or not early or state.step.kind not in ("bet", "deal"):
        return
    if entry.tapping(draft, "board_early"):
        return
    rule = _RULES.get(state.street)
    if rule is None or draft.alert("R4") is not None:
        return
    if rule == "R2" and not state.spare_burns and state.burns:
        _under_the_flop(draft, early)
        return
    draft.withdraw_asked("N10")
    pending = list(draft.bets.pending)
    alert = draft.raise_alert(
        rule,
        "probable",
        question="acted",
        seat=pending[0] if pending else None,
        params={"seats": pending, "count": len(early), "next": next_street(state)},
        why=(
            Why(
                "read_at",
                {"zone": "board", "count": len(state.board)},
                reads=(early[-1].ref,),
                weight=400,
            ),
            Why("seats_pending", {"seats": pending}, weight=200),
        ),
    )
    if alert is not None and state.held_open == state.street:
        not_over(draft, alert)  # the dealer has said so already


def still_pending(draft: Draft) -> None:
    """A tap came: a question whether seats have acted names those that still have not."""
    pending = list(draft.bets.pending)
    for rule in ("N10", *_RULES.values()):
        alert = draft.alert(rule)
        if not pending or alert is None or alert.question != "acted":
            continue
        why = tuple(
            replace(each, params={"seats": pending}) if each.code == "seats_pending" else each
            for each in alert.why
        )
        named = {"seats": pending} if "seats" in alert.params else {}
        seat = alert.seat if alert.seat is None else pending[0]
        draft.set_alert(alert, seat=seat, params={**alert.params, **named}, why=why)


def _under_the_flop(draft: Draft, cards: tuple[BoardSlot, ...]) -> None:
    """A fourth card after a bet, and the burn spot, which has read this hand's burn, shows no second one: it lay under the flop (F4)."""
    for slot in cards:
        draft.emit(ev.BoardCardGone(slot.ref))
        draft.emit(ev.BoardCardLaid(slot.ref, "flop", slot.first_ms, early=False, zone=slot.zone))
    board.board_settled(draft)


def answered_acted(draft: Draft, alert: Alert, answer: str) -> None:
    """Have these seats acted? Yes: their taps are missing and are assumed. No: the card is early."""
    if answer == "yes":
        draft.set_alert(alert, answered="yes", question=None, state="closed")
        draft.assume_closed = True
    else:
        not_over(draft, alert)


def not_over(draft: Draft, alert: Alert) -> None:
    """The betting is not over, the dealer says so: the burn or the card is early. Of a card it matters whether it was turned up."""
    question = None if alert.rule == "N10" else "turned_up"
    draft.prove(draft.set_alert(alert, answered="no"), question=question)


def cards_play(draft: Draft, alert: Alert) -> None:
    """The dealer deals on: early cards that lie there when their round is over already are that street's cards."""
    state = draft.state
    cards = [slot for slot in state.board if slot.early and slot.street != alert.street]
    if not cards or (state.step.kind == "bet" and not draft.round_complete):
        return
    for ref in state.spare_burns:
        draft.emit(ev.SpareBurnUsed(ref))
    draft.emit(ev.BoardJudged(tuple([slot.ref for slot in cards]), early=False))
    draft.deadline("board", max(slot.first_ms for slot in cards) + state.settle_ms)


def round_closed(draft: Draft) -> None:
    """The betting is complete: a question about early cards falls away, and cards no ruling holds back play."""
    state = draft.state
    ruled = False
    for rule in ("N10", "R1", "R2", "R3"):
        alert = draft.alert(rule)
        if alert is None:
            continue
        if alert.evidence == "probable":
            draft.withdraw(alert)
        elif rule != "N10":
            ruled = True
    acted_on = draft.alert("R4")
    if acted_on is not None and acted_on.ruled in (None, "redo_street"):
        ruled = True  # a card that was acted on too early: the floor says whether it plays
    draft.deadline("burn_early", None)
    draft.deadline("board_early", None)
    if ruled:
        return
    for ref in state.spare_burns:
        draft.emit(ev.SpareBurnUsed(ref))
    coming = next_street(state)
    early = tuple(slot.ref for slot in state.board if slot.early and slot.street == coming)
    if early:
        draft.emit(ev.BoardJudged(early, early=False))
