"""D1–D5: the deal goes one card at a time, clockwise from the first seat left of the button; nobody is skipped or served twice.

A card that was not read is not a card that was not dealt: what departs from the order is weighed against all that readers miss (see
:mod:`deal_watch`) and then only asked about. A seat without a card is asked "Seat 4 in?" first, because the commonest cause is a wrong
status (PROCEDURES D1–D3).
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from dealer_assist.domain.alerts import Alert, Why
from dealer_assist.domain.table import SeatStack
from dealer_assist.domain.zones import clockwise
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.rules import deal_watch
from dealer_assist.procedure.rules.extra_cards import extra_card
from dealer_assist.procedure.state import State

#: How long behind the last card of the deal a card of it may first be read at a seat that is marked out.
STRAY_LATE_MS: Final = 1500
#: A dealer who is asked about a missing card needs so long at least until it lies there [unverified]: to see, to take it, to pitch it.
ANSWER_MS: Final = 1200


def pitched(draft: Draft, ref: str, seat: int, since_ms: int, first_ms: int, t_ms: int) -> None:
    """A card that was not seen before came to a seat."""
    state = draft.state
    if seat not in state.order:
        _stray(draft, ref, seat, first_ms)
        return
    held = len(state.held.get(seat, ()))
    seats = deal_watch.readable(state)
    if seat not in seats:  # tapped: it says how many cards lie there, not when they came
        draft.emit(ev.CardPitched(ref, seat, since_ms, first_ms))
        if held >= state.due and not state.misdeal:
            extra_card(draft, seat)
        return
    count = len(seats)
    # with the card that was taken away since (X3): the replacement is a card behind the deal
    served = sum(pitch.seat == seat for pitch in state.pitches)
    position = served * count + seats.index(seat)
    in_order = position == sum(pitch.seat in seats for pitch in state.pitches) and held < state.due
    draft.emit(ev.CardPitched(ref, seat, since_ms, first_ms))
    if (in_order and deal_watch.DEADLINE not in state.deadlines) or state.misdeal:
        return
    if state.alerts and _shown_late(draft, seat, first_ms):
        _settle_marks(draft)
        return
    if held < state.due and seat in deal_watch.owed(state):
        _settle_marks(draft)
        return  # its round's card, or the one in place of the card that does not play: either may come now
    if held >= state.due:
        extra_card(draft, seat)
        return
    if state.step.kind != "deal":
        _settle_marks(draft)
        return
    deal_watch.watch(draft, max(t_ms, first_ms))
    _settle_marks(draft)


def _shown_late(draft: Draft, seat: int, first_ms: int) -> bool:
    """A card that was missed shows after all: the question about it is settled. True: and there is nothing more to judge.

    Long behind the last card of the deal (D5) it was read late or the dealer has put it right himself; within the deal, and where it
    came too soon to be an answer to the question, its order counts.
    """
    for rule in ("D1", "D3", "D5"):
        alert = draft.alert(rule)
        if alert is None or alert.seat != seat or alert.evidence != "probable":
            continue
        if alert.question in ("one_short", "seat_in"):
            draft.withdraw(alert)
            asked_ms = draft.state.asked_ms.get(alert.id, 0)
            return rule == "D5" and first_ms > asked_ms + ANSWER_MS
    return False


def _stray(draft: Draft, ref: str, seat: int, first_ms: int) -> None:
    """A seat that is marked out holds a card: ask for its status before anything else.

    Also of a card that is read for good only when the deal is over already, as long as nobody has acted: what comes to such a seat
    later is no card of the deal.
    """
    state = draft.state
    if state.misdeal or (state.step.kind != "deal" and not _of_the_deal(draft, first_ms)):
        return
    first = not state.pitches
    draft.raise_alert(
        "D1" if first else "D2",
        "probable",
        question="seat_in",
        seat=seat,
        params={"seat": seat, "stray": 1},
        why=(Why("read_at", {"zone": f"seat{seat}", "count": 1}, reads=(ref,), weight=300),),
    )


def _of_the_deal(draft: Draft, first_ms: int) -> bool:
    """Whether a card that was first read then, behind the last one of the deal, may have been pitched in it and read late."""
    state = draft.state
    if state.step.kind != "bet" or state.street != "preflop" or draft.bets.actions or not state.pitches:
        return False
    return first_ms <= max(pitch.first_ms for pitch in state.pitches) + STRAY_LATE_MS


def answered_seat_in(draft: Draft, alert: Alert, answer: str) -> None:
    """Seat k in? A stray card: yes corrects the status, no proves. A seat passed over: yes proves, no corrects."""
    seat = alert.seat
    assert seat is not None
    state = draft.state
    if alert.params.get("stray"):
        if answer == "yes":
            draft.set_alert(alert, answered="yes", question=None, state="closed")
            join(draft, seat)
        else:
            draft.prove(draft.set_alert(alert, answered="no"))
        return
    if answer == "yes":
        draft.prove(draft.set_alert(alert, answered="yes"))
    else:
        draft.set_alert(alert, answered="no", question=None, state="closed")
        if len(state.order) > 2:
            leave(draft, seat)
        else:
            draft.emit(ev.MisdealDeclared(on=True))  # nobody is left to play against: everything goes back


def join(draft: Draft, seat: int, stack: int | None = None) -> None:
    """A seat is in after all: the cards that lie there are its own."""
    state = draft.state
    known = [record for record in state.opening.bystanders if record.seat == seat]
    joined = tuple(known) if known and stack is None else (SeatStack(seat, stack),)
    if any(record.seat == seat for record in state.opening.seats):
        joined = ()
    draft.emit(ev.OrderCorrected(_with_seat(state, seat), joined, state.opening.posts))
    for ref, zone in state.where.items():
        if zone == f"seat{seat}" and ref not in state.owner and ref not in state.scrapped:
            draft.emit(ev.CardPitched(ref, seat, state.t_ms, state.t_ms))


def leave(draft: Draft, seat: int) -> None:
    """A seat is out after all. Its big blind was the next seat's; a small blind is simply not there."""
    draft.mark(seat, "short", on=False)
    order = tuple([other for other in draft.state.order if other != seat])
    here = draft.state.order.index(seat)
    heir = order[here % len(order)]
    posts = tuple(
        [
            replace(post, seat=heir) if post.seat == seat and post.kind == "big_blind" else post
            for post in draft.state.opening.posts
            if post.seat != seat or post.kind == "big_blind"
        ]
    )
    draft.emit(ev.OrderCorrected(order, (), posts))


def _with_seat(state: State, seat: int) -> tuple[int, ...]:
    """The dealt-in seats with one more, clockwise from the first left of the button."""
    return clockwise(state.opening.button, (*state.order, seat))


def _settle_marks(draft: Draft) -> None:
    """A quiet mark at each seat that has fewer cards than one that was served after it."""
    state = draft.state
    seats = deal_watch.readable(state)
    held = [len(state.held.get(seat, ())) for seat in seats]
    over = state.step.kind != "deal"
    for index, seat in enumerate(seats):
        due = state.due if over else max(held[index:], default=0)
        draft.mark(seat, "short", on=held[index] < due)


def deal_over(draft: Draft) -> None:
    """The deal gave way to the betting: a seat that shows too few cards keeps a mark."""
    _settle_marks(draft)
