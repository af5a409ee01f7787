"""Deck faults: a deck that was not shuffled or is short (K5, K12), strange cards (K2, K3), cards that come back (K11, K13)."""

from __future__ import annotations

from dealer_assist.domain.alerts import Alert, AlertState, Why
from dealer_assist.domain.zones import BURN, MUCK, seat_of
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.rulings import chosen
from dealer_assist.procedure.state import DeckState


def deck_known(draft: Draft, deck: DeckState, count: int | None, expected: int | None) -> None:
    """What the shuffler or a person says about the deck of this hand, before or after its first card."""
    draft.emit(ev.DeckChanged(deck))
    if deck == "short":
        counted = draft.alert("K5")
        if counted is not None:
            draft.set_alert(counted, params={"count": count or 0, "expected": expected or 0})
        draft.raise_alert(
            "K5",
            "proven",
            params={"count": count or 0, "expected": expected or 0},
            why=(Why("shuffler_count", {"count": count or 0, "expected": expected or 0}, weight=1000),),
        )
    elif deck == "ready":
        draft.withdraw_asked("K12")
    if draft.state.pitches:
        first_card(draft)


def first_card(draft: Draft) -> None:
    """A card of this deck is dealt: it must have been shuffled since it was last used."""
    deck = draft.state.deck
    if deck in ("used", "shuffling"):
        draft.raise_alert(
            "K12",
            "probable",
            question="deck_shuffled",
            street="preflop",
            params={"deck": deck},
            why=(Why("no_shuffle", {"deck": deck}, weight=700),),
        )


def answered_deck_shuffled(draft: Draft, alert: Alert, answer: str) -> None:
    """Was it shuffled? Yes: by hand, the shuffler need not know. No: what is on the table goes back."""
    if answer == "yes":
        draft.set_alert(alert, answered="yes", question=None, state="closed")
        draft.emit(ev.DeckChanged("ready"))
        return
    draft.prove(draft.set_alert(alert, answered="no"))


def foreign(draft: Draft, ref: str, zone: str, *, other_deck: bool) -> None:
    """A tag lies at a zone that belongs to no deck of the table, or to the one that is not in play: that one is certain."""
    state = draft.state
    if zone == BURN and state.scrap_due:
        draft.emit(ev.ScrapExpected(state.scrap_due - 1))  # a joker that was reported, laid aside
        return
    if any(_is_about(alert, ref) and alert.answered == "no" for alert in state.alerts.values()):
        return  # the floor has looked at it
    alert = draft.raise_alert(
        "K2",
        "probable",
        question="foreign_card",
        seat=seat_of(zone),
        params={"zone": zone, **_seat(zone)},
        why=(
            Why(
                "other_deck" if other_deck else "unknown_tag",
                {"zone": zone},
                reads=(ref,),
                weight=1000 if other_deck else 300,
            ),
        ),
    )
    if alert is not None and other_deck:
        _mixed(draft, alert)


def foreign_reported(draft: Draft) -> None:
    """The dealer holds a card with another back."""
    why = Why("dealer_reported", {"row": "K2"}, weight=1000)
    alert = draft.alert("K2") or draft.raise_alert("K2", "probable", why=(why,))
    if alert is not None and alert.evidence == "probable":
        _mixed(draft, alert)


def instead_of_foreign(draft: Draft, seat: int | None) -> None:
    """The strange tag is a joker, says the dealer (K3): nobody asks about another deck any more."""
    alert = draft.alert("K2")
    if alert is not None and alert.evidence == "probable" and seat in (None, alert.seat):
        draft.withdraw(alert)


def _mixed(draft: Draft, alert: Alert) -> None:
    """Certain, and still no chip goes back before the floor has seen it by eye: a void hand waits for that answer."""
    asks = chosen(draft, alert) == "void"
    draft.prove(alert, question="foreign_card" if asks else None)


def foreign_gone(draft: Draft, ref: str) -> None:
    """The tag was taken away before anybody answered: a phone, a badge on its way."""
    alert = draft.alert("K2")
    if alert is not None and alert.evidence == "probable" and _is_about(alert, ref):
        draft.withdraw(alert)


def _is_about(alert: Alert, ref: str) -> bool:
    return alert.rule == "K2" and bool(ref) and ref in alert.why[0].reads


def answered_foreign_card(draft: Draft, alert: Alert, answer: str) -> None:
    """A card of another deck? Yes: as the house rules. No: a phone, a badge, a loose tag."""
    if answer == "yes":
        draft.prove(draft.set_alert(alert, answered="yes"))
        return
    draft.cancel_remedy(alert)
    state: AlertState = "withdrawn" if alert.evidence == "proven" else "closed"
    draft.set_alert(alert, answered="no", question=None, state=state)


def not_in_game(draft: Draft, ref: str, zone: str) -> None:
    """A card that this game does not have: a joker, a five in a short deck. It does not play."""
    draft.emit(ev.CardScrapped(ref))
    if draft.state.misdeal or zone == MUCK:
        return
    if not draft.state.pitches and seat_of(zone) is not None:
        first_card(draft)
    draft.raise_alert(
        "K3",
        "proven",
        seat=seat_of(zone),
        params={"zone": zone, **_seat(zone)},
        why=(Why("not_in_game", {"zone": zone}, reads=(ref,), weight=1000),),
    )


def came_back(draft: Draft, ref: str, zone: str) -> None:
    """A card that was mucked or burned in this hand lies at a seat or on the board."""
    noted = draft.alert("K11")
    if noted is not None and noted.evidence == "possible":
        draft.withdraw(noted)
    draft.raise_alert(
        "K11",
        "proven",
        seat=seat_of(zone),
        params={"zone": zone, **_seat(zone)},
        why=(Why("came_back", {"zone": zone}, reads=(ref,), weight=800),),
    )


def read_beside(draft: Draft, ref: str, zone: str) -> None:
    """A burnt or mucked card is read on the board while no card is due there: it lies at the edge of the next antenna. A quiet note."""
    draft.note("K11", Why("came_back", {"zone": zone}, reads=(ref,), weight=100), params={"zone": zone})


def left_lying(draft: Draft, ref: str, seat: int) -> None:
    """A card of the last hand still lies at a seat when the new one begins: a quiet mark until it is picked up."""
    zone = f"seat{seat}"
    draft.emit(ev.CardLies(ref, zone, draft.state.t_ms))
    draft.emit(ev.CardScrapped(ref))
    draft.mark(seat, "last_hand_card", on=True)
    why = Why("read_at", {"zone": zone, "count": 1}, reads=(ref,), weight=300)
    draft.note("K13", why, seat=seat, params={"seat": seat, "zone": zone})


def taken_up(draft: Draft, ref: str, zone: str) -> None:
    """A card that did not play leaves a zone: it may come again."""
    draft.emit(ev.CardFreed(ref))
    seat = seat_of(zone)
    if seat is not None and not any(draft.state.where.get(other) == zone for other in draft.state.scrapped):
        draft.mark(seat, "last_hand_card", on=False)


def _seat(zone: str) -> dict[str, int]:
    seat = seat_of(zone)
    return {} if seat is None else {"seat": seat}
