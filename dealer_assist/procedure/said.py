"""What people say: answers, the keys of an alert, reports of what no reader sees, the floor's rulings, seats and points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.commands import Refused
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.catalogue import ROWS
from dealer_assist.procedure.draft import Draft, silence_of
from dealer_assist.procedure.engine import settle
from dealer_assist.procedure.rules import (
    board,
    board_reports,
    burns,
    deal_order,
    deck,
    early,
    exposed,
    extra_cards,
    reported,
    same_card,
    short_flop,
    stands,
)
from dealer_assist.procedure.rules import run_it as runs
from dealer_assist.procedure.state import State
from dealer_assist.procedure.substantial import reached

_ANSWERS: Final[dict[str, Callable[[Draft, Alert, str], None]]] = {
    "seat_in": deal_order.answered_seat_in,
    "first_card": lambda draft, alert, answer: _plain(draft, alert, answer, proof="no"),
    "out_of_turn": lambda draft, alert, answer: _plain(draft, alert, answer, proof="yes"),
    "one_short": extra_cards.answered_one_short,
    "extra_card": extra_cards.answered_extra_card,
    "first_off_deck": exposed.answered_first_off_deck,
    "exposed": exposed.answered_exposed,
    "same_card_twice": same_card.answered_same_card,
    "foreign_card": deck.answered_foreign_card,
    "deck_shuffled": deck.answered_deck_shuffled,
    "burned": board.answered_burned,
    "boxed": burns.answered_boxed,
    "acted": early.answered_acted,
    "turned_up": board.answered_turned_up,
    "third_card": short_flop.answered_third_card,
    "board_swept": lambda draft, alert, answer: _plain(draft, alert, answer, proof="yes"),
    "misdeal_called": lambda draft, alert, answer: _plain(draft, alert, answer, proof="yes"),
    "hand_back": lambda draft, alert, answer: _plain(draft, alert, answer, proof="yes"),
    "hands_up": lambda draft, alert, answer: _plain(draft, alert, answer, proof="no"),
    "wrong_board": runs.answered_wrong_board,
}


def _plain(draft: Draft, alert: Alert, answer: str, *, proof: str) -> None:
    """One answer proves the row, with the other one nothing is wrong."""
    if answer == proof:
        draft.prove(draft.set_alert(alert, answered=answer))
    else:
        draft.set_alert(alert, answered=answer, question=None, state="closed")


_RANK: Final = {"high": 2, "medium": 1, "low": 0}


def find_alert(state: State, name: str) -> Alert | None:
    """An alert by id, by rule (the newest that is open), or "" for the open question that matters most."""
    if name in state.alerts:
        return state.alerts[name]
    living = [alert for alert in state.alerts.values() if alert.state in ("open", "fixing")]
    if name:
        return next((alert for alert in reversed(living) if alert.rule == name), None)
    asking = [alert for alert in living if alert.question is not None]
    return max(reversed(asking), key=lambda alert: _RANK[alert.priority], default=None)


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
            if alert.evidence == "proven":
                draft.set_alert(alert, state="fixing")
        case "misread" | "deal_on":
            draft.cancel_remedy(alert)
            draft.set_alert(
                alert,
                state="withdrawn" if response == "misread" else "dealt_on",
                question=None,
                options=(),
            )
            draft.emit(ev.RuleSilenced(silence_of(alert.rule, alert.seat)))
            if alert.rule in ("N1", "N3"):
                board.pass_unread_burn(draft, alert.street)
            if alert.rule in ("N5", "N6", "N7", "N8"):
                stands.told_otherwise(draft, alert)
            if alert.rule in stands.COUNTED and response == "deal_on":
                board.let_lie(draft, alert)
            early.cards_play(draft, alert)
        case "call_floor":
            pass  # the session tells the floor; the alert stays as it is
    settle(draft, t_ms)
    return None


def _most_urgent(state: State) -> Alert | None:
    living = [alert for alert in state.alerts.values() if alert.state in ("open", "fixing")]
    return max(
        reversed(living),
        key=lambda alert: (alert.evidence == "proven", _RANK[alert.priority]),
        default=None,
    )


def rule(draft: Draft, name: str, option: str, t_ms: int) -> Refused | None:
    """The floor's choice among the options of a discretionary ruling; it can be changed for another one."""
    waiting = [
        alert for alert in draft.state.alerts.values() if alert.options and alert.state in ("open", "fixing")
    ]
    if name:
        waiting = [alert for alert in waiting if name in (alert.id, alert.rule)]
    if not waiting:
        return Refused("no_options", {"alert": name})
    alert = waiting[-1]
    if option not in alert.options:
        return Refused("bad_option", {"option": option, "options": list(alert.options)})
    options = alert.options
    alert = draft.set_alert(alert, ruled=option, question=None)
    alert = draft.begin_remedy(alert, option)
    draft.set_alert(alert, options=options)
    if option == "play_on":
        board.let_lie(draft, alert)
    settle(draft, t_ms)
    return None


#: Words for the commonest reports → the row they stand for.
WORDS: Final = {"boxed": "K6", "scrap": "K3", "dead_hand": "A14", "chop": "A17"}


def report(draft: Draft, row: str, seat: int | None, by: str, count: int, t_ms: int) -> Refused | None:
    """Somebody reports what no reader sees: a word of the report key, or a row of the catalogue."""
    row = WORDS.get(row, row)
    refused = _report(draft, row, seat, by, count, t_ms)
    if refused is None:
        settle(draft, t_ms)
    return refused


def _report(draft: Draft, row: str, seat: int | None, by: str, count: int, t_ms: int) -> Refused | None:
    state = draft.state
    needed = row == "exposed" or (row in ROWS and ROWS[row].seat == "needed")
    if seat is None and needed:
        return Refused("bad_seat", {"seat": 0})
    if seat is not None and seat not in state.order and row not in _OF_ANY_SEAT:
        return Refused("bad_seat", {"seat": seat})
    match row:
        case "exposed" | "X1" | "X2" | "X3" | "X3b" | "X4" | "X7" if by == "dealer":
            assert seat is not None
            if state.street != "preflop":
                return Refused("bad_command", {"reason": "deal_is_over"})
            exposed.reported(draft, seat, off_table=row == "X7")
        case "exposed" | "X1" | "X2" | "X3" | "X3b" | "X4" | "X6":
            exposed.by_player(draft, seat)
        case "early_card" | "R1" | "R2" | "R3" | "A3":
            return _early_card(draft, row, t_ms)
        case "misdeal":
            if reached(draft):
                reported.row(
                    draft, "A18", None, 1
                )  # too late: the house says what becomes of it, in every set the deal stands
            elif not state.misdeal:
                draft.emit(ev.MisdealDeclared(on=True))
        case "A17" if draft.bets.street != "preflop" or any(kind != "fold" for kind in draft.bets.actions):
            return Refused("bad_command", {"reason": "more_than_blinds"})
        case _ if board_reports.nothing_there(draft, row):
            return Refused("bad_command", {"reason": "no_board_yet"})
        case _ if row in ROWS:
            reported.row(draft, row, seat, count)
        case _:
            return Refused("bad_row", {"row": row})
    return None


#: Reports that may name a seat which is not dealt in.
_OF_ANY_SEAT: Final = frozenset({"D1", "D2", "D11", "D12", "D13", "A15", "K13"})


def _early_card(draft: Draft, row: str, t_ms: int) -> Refused | None:
    """The betting is not over: a burn or board card that lies there is early, whatever else a burn would say (by exception)."""
    if draft.round_complete:
        return Refused("betting_over", {})
    if draft.state.step.kind == "bet":
        draft.emit(ev.HeldOpen(draft.state.street, t_ms))
    early.board_early(draft)
    burns.burned_early(draft)
    for name in ("R1", "R2", "R3", "N10"):
        alert = draft.alert(name)
        if alert is not None and alert.question == "acted":
            early.not_over(draft, alert)
    if row == "A3" and not any(draft.alert(name) for name in ("R1", "R2", "R3", "N10")):
        reported.row(draft, row, None, 1)  # the street has begun and no card of it lies there yet
    return None


def seat_status(draft: Draft, seat: int, *, is_in: bool, stack: int | None, t_ms: int) -> None:
    """A seat is in after all, or out: its status is soft while the cards are dealt, or are to be dealt again; the deal goes on."""
    state = draft.state
    dealing = state.step.kind == "deal" or state.misdeal
    if state.ended or not dealing or (seat in state.order) == is_in:
        return
    if is_in:
        deal_order.join(draft, seat, stack)
    elif len(state.order) > 2:
        deal_order.leave(draft, seat)
    for alert in draft.state.alerts.values():
        if alert.question == "seat_in" and alert.seat == seat and alert.state == "open":
            draft.set_alert(alert, state="closed", question=None, answered="yes" if is_in else "no")
    settle(draft, t_ms)


def set_point(draft: Draft, seat: int, card: int, t_ms: int) -> Refused | None:
    """A seat names its point card by the order in which its cards came, counted from 1 (Double Hold'em)."""
    held = draft.state.held.get(seat, ())
    if seat not in draft.bets.live or not 1 <= card <= draft.state.due:
        return Refused("bad_seat", {"seat": seat})
    if not any(step.kind == "point" for step in draft.state.plan):
        return Refused("bad_command", {"reason": "no_point_card"})
    if card > len(held):
        return Refused("bad_command", {"reason": "card_not_read"})
    draft.emit(ev.CardsChosen(seat, (held[card - 1],)))
    settle(draft, t_ms)
    return None


def run_it(draft: Draft, times: int, t_ms: int) -> Refused | None:
    """All agreed to run the rest of the board so many times; 1: they take it back."""
    if not 1 <= times <= 3:
        return Refused("bad_command", {"reason": "count"})
    reason = runs.why_not(draft.state, draft.bets, times)
    if reason:
        return Refused("cannot_run_it", {"reason": reason, "count": times})
    runs.agree(draft, times)
    settle(draft, t_ms)
    return None


def corrected(draft: Draft, seat: int, t_ms: int) -> None:
    """An action of this seat was amended: steps that wait for that are done."""
    draft.emit(ev.ActionCorrected(seat))
    settle(draft, t_ms)
