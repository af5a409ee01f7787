"""The engine: one input at a time against the plan. An input that fulfils the step that is due meets no rule.

Every function takes a :class:`Draft`, emits what it decides and leaves the plan and the checklists settled. Times are table
milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.commands import Refused
from dealer_assist.domain.table import HandOpening
from dealer_assist.domain.zones import BOARD, BURN, MUCK, seat_of
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.game import Game
from dealer_assist.procedure.remedies import checked
from dealer_assist.procedure.rules import (
    burns,
    deal_order,
    early,
    exposed,
    extra_cards,
    flop,
    same_card,
)
from dealer_assist.procedure.state import State


def open_hand(
    opening: HandOpening,
    order: tuple[int, ...],
    game: Game,
    readers: frozenset[str],
    settle_ms: int,
    t_ms: int,
) -> ev.HandOpened:
    """The event that opens a hand. ``order``: dealt-in seats clockwise from the first left of the button."""
    return ev.HandOpened(opening, order, game.hole, game.plan(), tuple(sorted(readers)), settle_ms, t_ms)


# -- movements -------------------------------------------------------------------------------------------------------------


def placed(
    draft: Draft,
    ref: str,
    zone: str,
    since_ms: int,
    first_ms: int,
    t_ms: int,
    *,
    same_face: bool = False,
) -> None:
    """A card lies at a zone: it came after ``since_ms`` and by ``first_ms``. ``same_face``: another card has its face."""
    state = draft.state
    if state.ended:
        return
    seat = seat_of(zone)
    if state.misdeal and state.gathered and seat is not None:
        _deal_again(draft)
        state = draft.state
    was = state.where.get(ref)
    if was == zone:
        return
    draft.emit(ev.CardLies(ref, zone))
    if same_face:
        same_card.same_card(draft, ref, zone)
    if seat is not None:
        _at_seat(draft, ref, seat, since_ms, first_ms)
    elif zone == BOARD:
        _at_board(draft, ref, first_ms, t_ms)
    elif zone in (BURN, "gate"):
        burns.burn_card(draft, ref, t_ms)
        flop.burn_read_late(draft) if draft.state.step.kind == "burn" and draft.state.burns else None
    elif zone == MUCK:
        draft.emit(ev.CardMucked(ref, state.owner.get(ref)))
    settle(draft, t_ms)


def _deal_again(draft: Draft) -> None:
    """The first card of a new deal: what was asked about the old one has no object any more, and its misdeal is mended."""
    for alert in draft.state.alerts.values():
        if alert.state in ("open", "fixing") and alert.remedy != "misdeal" and alert.rule != "K1":
            draft.withdraw(alert)
    draft.emit(ev.DealBegunAgain(draft.state.attempt + 1))
    _tick_checklists(draft)


def _at_seat(draft: Draft, ref: str, seat: int, since_ms: int, first_ms: int) -> None:
    state = draft.state
    owner = state.owner.get(ref)
    if owner == seat:
        return  # lifted and laid down again
    if (
        owner is not None
        or ref in state.mucked
        or ref in state.burns
        or any(slot.ref == ref for slot in state.board)
    ):
        draft.mark(seat, "doubtful", on=True)  # a card of another place: the floor's eye, not a verdict (K11)
        return
    deal_order.pitched(draft, ref, seat, since_ms, first_ms)


def _at_board(draft: Draft, ref: str, first_ms: int, t_ms: int) -> None:
    state = draft.state
    if state.misdeal or any(slot.ref == ref for slot in state.board):
        return
    if ref in state.owner or ref in state.burns or ref in state.spare_burns or ref in state.mucked:
        return  # it came from a seat, a burn or the muck: shown as a back, no board card
    step = state.step
    if step.kind == "gather":
        for slot in state.board:
            if slot.early:
                draft.emit(ev.BoardCardGone(slot.ref))
        draft.advance()
    if draft.state.step.kind == "shuffle":
        draft.emit(ev.StepReached(draft.state.at + 1))
    step = draft.state.step
    if step.kind == "board" and state.spare_burns and flop.complete(state):
        early.early_board_card(
            draft, ref, first_ms, t_ms
        )  # a card after another burn is the next street's (F1)
    elif step.kind in ("board", "burn") or (step.kind == "bet" and flop.read_late(state)):
        draft.emit(ev.BoardCardLaid(ref, step.street, first_ms, early=False))
        draft.deadline("board", max(first_ms + state.settle_ms, t_ms))
    elif step.kind in ("bet", "deal") and _was_entered(state):
        return
    elif step.kind == "bet" and step.street == "flop" and not draft.bets.actions and not state.spare_burns:
        draft.emit(ev.BoardCardLaid(ref, "flop", first_ms, early=False))
        draft.deadline("board", max(first_ms + state.settle_ms, t_ms))
    elif step.kind in ("bet", "deal") and step.street != "river":
        early.early_board_card(draft, ref, first_ms, t_ms)


def _was_entered(state: State) -> bool:
    """Whether a card that is read on the board now can be one that a person put there by entry or tap, not taken up yet."""
    slots = {slot.ref for slot in state.board}
    by_hand = sum(ref.startswith(("entered", "tapped")) for ref in slots)
    if not by_hand:
        return False
    read = sum(zone == BOARD and ref not in slots for ref, zone in state.where.items())
    return read <= by_hand


def removed(draft: Draft, ref: str, zone: str, t_ms: int) -> None:
    """A card has left a zone. From a seat it is in the player's hand; a pile that falls silent has not left (burn, muck)."""
    state = draft.state
    if state.ended or state.where.get(ref) != zone:
        return
    if zone == MUCK:
        return
    draft.emit(ev.CardLeft(ref, zone))
    if zone == BOARD:
        _left_board(draft, ref, t_ms)
    elif zone == BURN:
        burns.burn_left(draft, ref)
    elif seat_of(zone) is not None:
        extra_cards.extra_left(draft, ref)
    settle(draft, t_ms)


def _left_board(draft: Draft, ref: str, t_ms: int) -> None:
    slot = next((slot for slot in draft.state.board if slot.ref == ref), None)
    if slot is None:
        return
    extra = draft.alert("F1") or draft.alert("F2")
    if slot.early or draft.state.misdeal or slot.ref not in draft.state.faces:
        draft.emit(ev.BoardCardGone(ref))
        if extra is not None and extra.evidence == "probable" and extra.remedy is None:
            laid = [other for other in draft.state.board if other.street == "flop"]
            if len(laid) <= 3:
                draft.set_alert(extra, state="closed", question=None)  # the dealer's save
        if draft.state.step.kind == "board":
            draft.deadline("board", t_ms + draft.state.settle_ms)


def _anything_out(state: State) -> bool:
    """Whether a reader still sees a card at a seat or on the board; a card of a zone without a reader is never seen to leave."""
    return any(
        (zone == BOARD or seat_of(zone) is not None) and zone in state.readers
        for zone in state.where.values()
    )


# -- the betting, time, faces ------------------------------------------------------------------------------------------------


def bets_changed(draft: Draft, t_ms: int) -> None:
    """The betting moved on: ``draft.bets`` is the new view."""
    if not draft.state.ended:
        settle(draft, t_ms)


def board_acted_on(draft: Draft, t_ms: int) -> bool:
    """A player acts on a street whose cards lie there but were not judged yet: they stand (N2), whatever was asked about them.

    Returns whether the plan now waits for that street's betting.
    """
    _left_lying(draft)
    state = draft.state
    step = state.step
    if state.ended or step.kind not in ("burn", "board"):
        return False
    laid = [slot for slot in state.board if slot.street == step.street and not slot.early]
    if not laid and BOARD in state.readers:
        return False
    for rule in ("N1", "F1", "F2"):
        alert = draft.alert(rule)
        if alert is not None and alert.evidence == "probable":
            draft.withdraw(alert)
    bet = next(index for index in range(state.at, len(state.plan)) if state.plan[index].kind == "bet")
    refs = tuple(slot.ref for slot in laid if slot.ref not in state.asked)
    if refs and len(laid) == next(later.count for later in state.plan[state.at :] if later.kind == "board"):
        draft.emit(ev.FaceAsked(refs))
    if step.kind == "burn":
        burns.skip_unread(draft)
    draft.emit(ev.StepReached(bet))
    settle(draft, t_ms)
    return True


def _left_lying(draft: Draft) -> None:
    """Cards that were to go back on the stub in order and come again were left where they lay: they are that street's."""
    state = draft.state
    if state.ended or state.step.kind != "gather" or state.plan[state.at + 1].kind != "board":
        return
    early_cards = tuple([slot.ref for slot in state.board if slot.early])
    if len(early_cards) == state.plan[state.at + 1].count:
        draft.emit(ev.BoardJudged(early_cards, early=False))
        draft.advance()


def time_passed(draft: Draft, t_ms: int) -> None:
    """Judge every deadline that is due by ``t_ms``."""
    state = draft.state
    if state.ended:
        return
    due = sorted((when, name) for name, when in state.deadlines.items() if when <= t_ms)
    if not due:
        return
    for _, name in due:
        draft.deadline(name, None)
        _DEADLINES[name](draft)
    settle(draft, t_ms)


_DEADLINES: Final[dict[str, Callable[[Draft], None]]] = {
    "board": flop.board_settled,
    "burn_early": burns.burned_early,
    "board_early": early.board_early,
}


def face_shown(draft: Draft, ref: str, face: str, t_ms: int) -> None:
    """The face of a card that is public now."""
    draft.emit(ev.FaceShown(ref, face))
    settle(draft, t_ms)


# -- what people say ---------------------------------------------------------------------------------------------------------

_ANSWERS: Final[dict[str, Callable[[Draft, Alert, str], None]]] = {
    "seat_in": deal_order.answered_seat_in,
    "first_card": lambda draft, alert, answer: _plain(draft, alert, answer, proof="no"),
    "out_of_turn": lambda draft, alert, answer: _plain(draft, alert, answer, proof="yes"),
    "extra_card": extra_cards.answered_extra_card,
    "first_off_deck": exposed.answered_first_off_deck,
    "same_card_twice": same_card.answered_same_card,
    "burned": flop.answered_burned,
    "boxed": burns.answered_boxed,
    "acted": early.answered_acted,
    "turned_up": flop.answered_turned_up,
}


def _plain(draft: Draft, alert: Alert, answer: str, *, proof: str) -> None:
    alert = draft.set_alert(alert, answered="yes" if answer == "yes" else "no")
    if answer == proof:
        draft.prove(alert)
    else:
        draft.set_alert(alert, state="closed", question=None)


def find_alert(state: State, name: str) -> Alert | None:
    """An alert by id, by rule (the newest that is open), or "" for the open question that matters most."""
    if name in state.alerts:
        return state.alerts[name]
    living = [alert for alert in state.alerts.values() if alert.state in ("open", "fixing")]
    if name:
        return next((alert for alert in reversed(living) if alert.rule == name), None)
    asking = [alert for alert in living if alert.question is not None]
    rank = {"high": 2, "medium": 1, "low": 0}
    return max(reversed(asking), key=lambda alert: rank[alert.priority], default=None)


def answer(draft: Draft, name: str, given: Literal["yes", "no"], t_ms: int) -> Refused | None:
    """The answer to an open question."""
    alert = find_alert(draft.state, name)
    if alert is None:
        return Refused("unknown_alert", {"alert": name})
    if alert.question is None:
        return Refused("no_question", {"alert": name})
    _ANSWERS[alert.question](draft, alert, given)
    settle(draft, t_ms)
    return None


def respond(
    draft: Draft,
    name: str,
    response: Literal["fixing", "misread", "call_floor", "deal_on"],
    t_ms: int,
) -> Refused | None:
    """One of the four keys of an alert. None of them blocks anything."""
    alert = find_alert(draft.state, name) if name else _most_urgent(draft.state)
    if alert is None or alert.state not in ("open", "fixing"):
        return Refused("unknown_alert", {"alert": name})
    match response:
        case "fixing":
            question = alert.question if alert.evidence != "proven" else None
            draft.set_alert(
                alert,
                state="fixing" if alert.evidence == "proven" else alert.state,
                question=question,
            )
        case "misread" | "deal_on":
            draft.cancel_remedy(alert)
            draft.set_alert(
                alert,
                state="withdrawn" if response == "misread" else "dealt_on",
                question=None,
            )
            draft.emit(ev.RuleSilenced(alert.rule))
            if alert.rule == "N1":
                flop.pass_unread_burn(draft)
            early.cards_play(draft, alert)
        case "call_floor":
            pass  # the session tells the floor; the alert stays as it is
    settle(draft, t_ms)
    return None


def _most_urgent(state: State) -> Alert | None:
    living = [alert for alert in state.alerts.values() if alert.state in ("open", "fixing")]
    rank = {"high": 2, "medium": 1, "low": 0}
    return max(
        reversed(living),
        key=lambda alert: (alert.evidence == "proven", rank[alert.priority]),
        default=None,
    )


def report(draft: Draft, row: str, seat: int | None, by: str, t_ms: int) -> Refused | None:
    """The dealer reports what no reader sees."""
    state = draft.state
    match row:
        case "exposed":
            if seat is None or seat not in state.order:
                return Refused("bad_seat", {"seat": seat or 0})
            if by == "dealer":
                exposed.reported(draft, seat)
        case "early_card":
            if draft.round_complete:
                return Refused("betting_over", {})
            early.board_early(draft)
            burns.burned_early(draft)
            for rule in ("R1", "R2", "R3", "N10"):
                alert = draft.alert(rule)
                if alert is not None and alert.question == "acted":
                    early.answered_acted(draft, alert, "no")
        case "misdeal":
            if not state.misdeal:
                draft.emit(ev.MisdealDeclared(on=True))
    settle(draft, t_ms)
    return None


def end(draft: Draft, result: Literal["completed", "misdeal", "void"]) -> None:
    """Close the hand: open questions fall away, proven alerts stand as they are."""
    for alert in draft.state.alerts.values():
        if alert.state in ("open", "fixing") and alert.evidence != "proven":
            draft.withdraw(alert)
    draft.emit(ev.HandEnded(result))


# -- after every input ---------------------------------------------------------------------------------------------------------


def settle(draft: Draft, t_ms: int) -> None:
    """Move the plan on, let checklists tick, let questions fall away that the plan has answered."""
    state = draft.state
    if state.ended:
        return
    if state.misdeal and not state.gathered and not _anything_out(state):
        draft.emit(ev.CardsGathered())
    if state.replacing is not None:
        exposed.exposed_card_found(draft)
    before = state.at
    kind = draft.state.step.kind
    if kind == "bet" and draft.round_complete:
        early.round_closed(draft)
        kind = draft.state.step.kind
    draft.advance()
    state = draft.state
    if state.at != before:
        if kind == "deal" and state.step.kind != "deal":
            deal_order.deal_over(draft)
        step = state.step
        if step.kind == "board":
            laid = [slot.first_ms for slot in state.board if slot.street == step.street and not slot.early]
            if laid and "board" not in state.deadlines:
                draft.deadline("board", max(max(laid) + state.settle_ms, t_ms))
    if state.alerts:
        _tick_checklists(draft)


def _tick_checklists(draft: Draft) -> None:
    for alert in draft.state.alerts.values():
        if alert.remedy is None or alert.state not in ("open", "fixing"):
            continue
        steps = checked(draft, alert)
        done = all(step.state in ("done", "skipped") for step in steps)
        if steps != alert.steps or done:
            draft.set_alert(
                alert,
                steps=steps,
                state="closed" if done else alert.state,
                question=alert.question if not done else None,
            )
