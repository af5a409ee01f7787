"""D1–D5: the deal goes one card at a time, clockwise from the first seat left of the button; nobody is skipped or served twice.

A card that was not read is not a card that was not dealt: order is judged by intervals (an order fits → nothing is wrong) and by what
the shoe counted, without one by the pace of the pitch, and even then it is only asked about. Rounds that are over with a seat empty ask
"Seat 4 in?" first, because the commonest cause is a wrong status (PROCEDURES D1–D3).
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from dealer_assist.domain.alerts import Alert, Why
from dealer_assist.domain.table import SeatStack
from dealer_assist.domain.zones import clockwise, seat_zone
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.rules import shoe
from dealer_assist.procedure.rules.extra_cards import extra_card
from dealer_assist.procedure.state import Pitch, State

#: Milliseconds between two pitches until the deal has shown its own pace (EVIDENCE §2: 450 to 800).
USUAL_PACE_MS: Final = 620
#: How long after the last card of the deal a card that was only read late has time to show.
LATE_READ_MS: Final = 1500
#: A gap below this many paces leaves no room for a card that was pitched but not read.
NO_ROOM: Final = 1.4


def readable(state: State) -> tuple[int, ...]:
    """The dealt-in seats whose zone has a working reader, in the order of the deal."""
    return tuple([seat for seat in state.order if seat_zone(seat) in state.readers])


def pitched(draft: Draft, ref: str, seat: int, since_ms: int, first_ms: int) -> None:
    """A card that was not seen before came to a seat."""
    state = draft.state
    if seat not in state.order:
        _stray(draft, ref, seat)
        return
    held = len(state.held.get(seat, ()))
    seats = readable(state)
    if seat not in seats:  # tapped: it says how many cards lie there, not when they came
        draft.emit(ev.CardPitched(ref, seat, since_ms, first_ms))
        if held >= state.due and not state.misdeal:
            extra_card(draft, seat)
        return
    count = len(seats)
    # with the card that was taken away since (X3): the replacement is a card behind the deal
    served = sum(pitch.seat == seat for pitch in state.pitches)
    position = served * count + seats.index(seat)
    in_order = position == len(state.pitches) and held < state.due
    draft.emit(ev.CardPitched(ref, seat, since_ms, first_ms))
    if in_order or state.misdeal:
        return
    if state.alerts and _shown_late(draft, seat):
        _settle_marks(draft)
        return
    if held < state.due and seat in _owed(state):
        _settle_marks(draft)
        return  # its round's card, or the one in place of the card that does not play: either may come now
    if position == count * state.hole - 1 and state.step.kind == "deal":
        draft.deadline("deal_end", first_ms + LATE_READ_MS)
    if held >= state.due:
        extra_card(draft, seat)
        return
    if state.step.kind != "deal":
        _settle_marks(draft)
        return
    _judge(draft, Pitch(ref, seat, since_ms, first_ms), position, seats)
    _settle_marks(draft)


def _owed(state: State) -> set[int | None]:
    """Seats that get a card in place of one that does not play (K3, K11)."""
    return {
        alert.seat
        for alert in state.alerts.values()
        if alert.state in ("open", "fixing") and any(step.code == "missing_card_to" for step in alert.steps)
    }


def _shown_late(draft: Draft, seat: int) -> bool:
    """A card that was missed shows after all: the question about it is settled. True: and there is nothing more to judge.

    Behind the last card of the deal (D5) it was read late or the dealer has put it right himself; within the deal its order counts.
    """
    for rule in ("D1", "D3", "D5"):
        alert = draft.alert(rule)
        if alert is None or alert.seat != seat or alert.evidence != "probable":
            continue
        if alert.question in ("one_short", "seat_in"):
            draft.withdraw(alert)
            return rule == "D5"
    return False


def _positions(state: State, seats: tuple[int, ...]) -> dict[int, Pitch]:
    """Position in the deal → the pitch seen there; a seat's cards count in the order they came."""
    counts: dict[int, int] = {}
    positions = {}
    for pitch in state.pitches:
        if pitch.seat in seats:
            round_no = counts.get(pitch.seat, 0)
            counts[pitch.seat] = round_no + 1
            positions[round_no * len(seats) + seats.index(pitch.seat)] = pitch
    return positions


def _pace_ms(positions: dict[int, Pitch]) -> float:
    gaps = sorted(
        positions[index + 1].first_ms - pitch.first_ms
        for index, pitch in positions.items()
        if index + 1 in positions
    )
    gaps = [gap for gap in gaps if gap > 0]
    return float(gaps[len(gaps) // 2]) if len(gaps) >= 3 else float(USUAL_PACE_MS)


def _no_room_before(positions: dict[int, Pitch], position: int) -> bool:
    """Whether the pitch at ``position`` came so soon after the one seen before it that none can lie between unread."""
    pitch = positions[position]
    before = [other.first_ms for other in positions.values() if other.first_ms < pitch.first_ms]
    return bool(before) and pitch.first_ms - max(before) < NO_ROOM * _pace_ms(positions)


def _judge(draft: Draft, card: Pitch, position: int, seats: tuple[int, ...]) -> None:
    positions = _positions(draft.state, seats)
    sooner = sorted(
        index for index, pitch in positions.items() if index > position and pitch.first_ms <= card.since_ms
    )
    if sooner:
        _came_after(draft, card, position, sooner, positions)
        return
    unseen = [index for index in range(position) if index not in positions]
    count = len(seats)
    first_round = [index for index in unseen if index < count]
    unread = shoe.unread(draft.state, card.first_ms)
    if unread is not None and unread >= len(unseen):
        return  # as many cards left the shoe as are missing: dealt, and not read
    if position < count:
        if unread == 0:
            _passed_over(draft, first_round, positions, seats, card.first_ms)
    elif first_round:
        tail = [
            index for index in range(count) if index not in positions and index > _last_seen(positions, count)
        ]
        if len(tail) >= 2:
            _ask_out_of_turn(draft, card.seat, seats[tail[0]])
        else:
            _round_over(draft, first_round, positions, seats, card.first_ms)


def _passed_over(
    draft: Draft, missing: list[int], positions: dict[int, Pitch], seats: tuple[int, ...], t_ms: int
) -> None:
    """Every card that left the shoe was read, and two seats behind one that has none have theirs."""
    owed = _owed(draft.state)
    for index in missing:
        if seats[index] not in owed and sum(other > index for other in positions) >= 2:
            first_of_deal = not any(other < index for other in positions)
            if _ask_seat_in(draft, seats[index], first=first_of_deal, t_ms=t_ms):
                return


def _ask_seat_in(draft: Draft, seat: int, *, first: bool, t_ms: int) -> bool:
    """Seat k in? ``first``: it is the first of the deal. Returns whether it is asked now."""
    why = [Why("not_read", {"zone": f"seat{seat}"}, weight=200)]
    if shoe.unread(draft.state, t_ms) == 0:
        why.append(shoe.why(draft.state, t_ms))
    asked = draft.raise_alert(
        "D1" if first else "D3",
        "probable",
        question="seat_in",
        seat=seat,
        params={"seat": seat},
        why=tuple(why),
    )
    return asked is not None


def _last_seen(positions: dict[int, Pitch], count: int) -> int:
    return max((index for index in positions if index < count), default=-1)


def _came_after(
    draft: Draft,
    card: Pitch,
    position: int,
    sooner: list[int],
    positions: dict[int, Pitch],
) -> None:
    """Cards that belong after this one lay there before it came."""
    unread = shoe.unread(draft.state, positions[sooner[0]].first_ms)
    if unread:
        return  # this card had left the shoe before that one was read: it was only read late
    if position == 0:
        if unread == 0 or len(sooner) >= 2:  # one alone can be the first card read late
            draft.raise_alert(
                "D1",
                "probable",
                question="first_card",
                seat=card.seat,
                params={"seat": card.seat},
                why=(_order_why(positions[sooner[0]].seat, card.seat),),
            )
        return
    first = sooner[0]
    if unread == 0 or _no_room_before(positions, first):
        _ask_out_of_turn(draft, positions[first].seat, card.seat)


def _ask_out_of_turn(draft: Draft, seat: int, passed_over: int) -> None:
    draft.raise_alert(
        "D4",
        "probable",
        question="out_of_turn",
        seat=seat,
        params={"seat": seat, "due": passed_over},
        why=(_order_why(seat, passed_over),),
    )


def _order_why(first: int, second: int) -> Why:
    return Why("order", {"first": first, "second": second}, weight=300)


def _round_over(
    draft: Draft,
    missing: list[int],
    positions: dict[int, Pitch],
    seats: tuple[int, ...],
    t_ms: int,
) -> None:
    """The second round has begun and a seat has no card: skipped, or its card was not read."""
    owed = _owed(draft.state)
    none_unread = shoe.unread(draft.state, t_ms) == 0
    for index in missing:
        if seats[index] in owed:
            continue
        after = min((other for other in positions if other > index), default=None)
        first_of_deal = not any(other < index for other in positions)
        if after is None or not (none_unread or first_of_deal or _gap_too_short(index, positions)):
            continue
        if _ask_seat_in(draft, seats[index], first=first_of_deal, t_ms=t_ms):
            return


def _gap_too_short(index: int, positions: dict[int, Pitch]) -> bool:
    """Whether the seen pitches on both sides leave no time for every one that is missing between them."""
    before = max(other for other in positions if other < index)
    after = min(other for other in positions if other > index)
    gap = positions[after].first_ms - positions[before].first_ms
    return gap < (after - before - 1 + NO_ROOM - 1) * _pace_ms(positions)


def _stray(draft: Draft, ref: str, seat: int) -> None:
    """A seat that is marked out holds a card: ask for its status before anything else."""
    state = draft.state
    if state.misdeal or state.step.kind != "deal":
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
    seats = readable(state)
    held = [len(state.held.get(seat, ())) for seat in seats]
    over = state.step.kind != "deal"
    for index, seat in enumerate(seats):
        due = state.due if over else max(held[index:], default=0)
        draft.mark(seat, "short", on=held[index] < due)


def deal_over(draft: Draft) -> None:
    """The deal gave way to the betting: a seat that shows too few cards keeps a mark."""
    _settle_marks(draft)


def one_short(draft: Draft) -> None:
    """The last card of the deal has been seen a while and a seat shows one too few: was there time for its card to go by unread?"""
    state = draft.state
    seats = readable(state)
    if state.misdeal or state.step.kind != "deal" or not seats:
        return
    positions = _positions(state, seats)
    count = len(seats)
    t_ms = max([pitch.first_ms for pitch in state.pitches], default=state.t_ms)
    unread = shoe.unread(state, t_ms)
    for index, seat in enumerate(seats):
        place = (state.hole - 1) * count + index
        if place in positions or len(state.held.get(seat, ())) != state.hole - 1 or seat in _owed(state):
            continue
        seen_around = any(other < place for other in positions) and any(other > place for other in positions)
        if not unread and seen_around and (unread == 0 or _gap_too_short(place, positions)):
            counted = (shoe.why(state, t_ms),) if unread == 0 else ()
            draft.raise_alert(
                "D5",
                "probable",
                question="one_short",
                seat=seat,
                params={"seat": seat},
                why=(Why("not_read", {"zone": f"seat{seat}"}, weight=200), *counted),
            )
            return
