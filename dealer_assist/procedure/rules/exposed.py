"""X1–X7: a hole card turned up in the deal. No antenna sees which way a card faces: the dealer reports it, or a shoe's face sensor asks.

X1: the first card off the deck. X2: the second. X3: exactly one other (X3b: the button's last). X4: two or more before substantial
action, X5: after it. X7: off the table, which is as good as turned up. A card that a player turned up himself plays on (X6).
"""

from __future__ import annotations

from dealer_assist.domain.alerts import Alert, Why
from dealer_assist.domain.zones import seat_zone
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.state import OFF_TABLE, State
from dealer_assist.procedure.substantial import reached


def reported(draft: Draft, seat: int, *, off_table: bool = False, first: bool | None = None) -> None:
    """The dealer says that a dealing fault exposed a hole card of this seat, or that it fell off the table (X7).

    ``first``: whether it was the first card of the deal, where that is known.
    """
    state = draft.state
    if state.misdeal:
        return  # it is said already
    for alert in state.alerts.values():
        if alert.question == "exposed" and alert.seat == seat:
            draft.set_alert(alert, answered="yes", question=None, state="closed")  # he answers by his report
    if state.folds == "face_up" and seat not in draft.bets.live:
        return  # folded hands lie face up in this game
    if off_table:
        _count_off_table(draft, seat)
    state = draft.state
    cards = len(state.held.get(seat, ()))
    if told_already(state, seat):
        return  # the key was pressed twice for one card
    why = (Why("dealer_reported", {"row": "exposed", "seat": seat}, weight=1000),)
    draft.emit(ev.Exposed(seat))
    state = draft.state
    if len(state.exposed) >= draft.house.parameters.exposed_total_misdeal.value:
        if reached(draft):
            _single(draft, "X5", seat, why)  # too late for a misdeal: the floor says which card is the burn
            return
        for rule in ("X2", "X3", "X3b", "X7"):
            single = draft.alert(rule)
            if single is not None:
                draft.cancel_remedy(single)
                draft.withdraw(single)
        draft.raise_alert(
            "X4",
            "proven",
            seat=seat,
            params={"seat": seat, "count": len(state.exposed)},
            why=why,
            answered="yes",
        )
        return
    index = state.order.index(seat) + 1
    misdeal_first = draft.house.parameters.exposed_misdeal_first_n.value
    if index <= misdeal_first and reached(draft):
        _single(draft, "X3", seat, why)  # the deal can no longer be called back
        return
    if index == 1 and misdeal_first >= 1 and first is None and _second_round(state):
        draft.raise_alert(
            "X1",
            "probable",
            question="first_off_deck",
            seat=seat,
            params={"seat": seat},
            why=why,
        )
        return
    rule = "X1" if first else _row(state, seat, cards)
    if rule == "X3" and off_table:
        rule = "X7"
    _single(draft, rule, seat, why)


def _row(state: State, seat: int, cards: int) -> str:
    """The row of an exposed card of a seat that has so many."""
    if cards <= 1:
        return {1: "X1", 2: "X2"}.get(state.order.index(seat) + 1, "X3")
    return "X3b" if seat == state.order[-1] and cards >= state.hole else "X3"


def told_already(state: State, seat: int) -> bool:
    """Whether the dealer has said of every card of a seat that it was exposed, or of one of them while it lies there alone."""
    return state.exposed.count(seat) >= max(1, len(state.held.get(seat, ())))


def ask(draft: Draft, seat: int, number: int, name: str) -> None:
    """A shoe saw this seat's card leave face up: the dealer looks. ``number``: of the card in the deal; ``name``: of its exit."""
    state = draft.state
    rule = "X1" if number == 1 else _row(state, seat, len(state.held.get(seat, ())))
    if len(state.exposed) + 1 >= draft.house.parameters.exposed_total_misdeal.value:
        rule = "X4"
    draft.raise_alert(
        rule,
        "probable",
        question="exposed",
        seat=seat,
        params={"seat": seat, "exit": name, "number": number},
        why=(Why("left_face_up", {"number": number}, weight=400),),
        street="preflop",
    )


def answered_exposed(draft: Draft, alert: Alert, answer: str) -> None:
    """Exposed? Yes: as if the dealer had reported it. No: it was turned down, or the shoe saw wrong."""
    seat = alert.seat
    assert seat is not None
    draft.set_alert(alert, answered="yes" if answer == "yes" else "no", question=None, state="closed")
    if answer == "yes" and seat in draft.state.order:
        reported(draft, seat, first=alert.params["number"] == 1)


def off_table_card(state: State) -> str | None:
    """The name of the card that fell off the table and has not been read since, while it waits to become the burn."""
    if state.preset_burn is not None and state.preset_burn.startswith(OFF_TABLE):
        return state.preset_burn
    held = (
        state.held.get(state.replacing, ())
        if state.replacing is not None and state.preset_burn == "?"
        else ()
    )
    return next((ref for ref in held if ref.startswith(OFF_TABLE)), None)


def _count_off_table(draft: Draft, seat: int) -> None:
    """The card counts as dealt to its seat, read there or not, so that the deal goes on in its order."""
    state = draft.state
    if seat_zone(seat) not in state.readers:
        return
    here = state.order.index(seat)
    others = [len(state.held.get(other, ())) for other in (*state.order[here + 1 :], state.order[here - 1])]
    due = max(others) if here else min(others) + 1
    if len(state.held.get(seat, ())) < min(due, state.hole):
        name = f"{OFF_TABLE}{seat}.{len(state.exposed)}"
        draft.emit(ev.CardPitched(name, seat, state.t_ms, state.t_ms))


def by_player(draft: Draft, seat: int | None) -> None:
    """A player turned his own card up: it plays, and nobody mends anything (X6)."""
    own = {} if seat is None else {"seat": seat}
    draft.note("X6", Why("dealer_reported", {"row": "X6", **own}, weight=1000), seat=seat, params=own)


def _second_round(state: State) -> bool:
    """Whether the first seat can have its second card, read or not: the first round is over, as far as it was read."""
    held = state.held
    return (
        state.step.kind != "deal"
        or any(len(cards) >= 2 for cards in held.values())
        or all(held.get(seat) for seat in state.order)
    )


def _single(draft: Draft, rule: str, seat: int, why: tuple[Why, ...]) -> None:
    draft.raise_alert(
        rule,
        "proven",
        seat=seat,
        params={"seat": seat},
        why=why,
        street="preflop",
        answered="yes",
    )


def answered_first_off_deck(draft: Draft, alert: Alert, answer: str) -> None:
    """Was it the first card of the deal? Yes: X1. No, or too late to call the deal back: as any other card, X3."""
    if answer == "yes" and not reached(draft):
        draft.prove(draft.set_alert(alert, answered="yes"))
        return
    draft.set_alert(alert, answered="yes" if answer == "yes" else "no", question=None, state="closed")
    assert alert.seat is not None
    _single(draft, "X3", alert.seat, alert.why)


def exposed_card_found(draft: Draft) -> None:
    """Which card was exposed shows itself: the one of the two that is gone when the replacement lies there.

    Are both gone, because the player holds the other one, it is the one that lay alone when it was reported.
    """
    state = draft.state
    seat = state.replacing
    if seat is None or state.preset_burn != "?":
        return
    cards = state.held.get(seat, ())
    if len(cards) <= state.due:
        return
    away = [ref for ref in cards if state.where.get(ref) != f"seat{seat}"]
    if len(away) > 1:
        away = [ref for ref in away if ref == _lay_alone(state, seat)]
    if len(away) == 1:
        draft.emit(ev.HoleCardTaken(away[0], seat))
        draft.emit(ev.PresetBurn(away[0], None))


def _lay_alone(state: State, seat: int) -> str | None:
    """The only card that the seat had when one was reported, by its checklist."""
    steps = [step for alert in state.alerts.values() if alert.seat == seat for step in alert.steps]
    return next((step.params.get("card") for step in steps if step.code == "take_exposed"), None)
