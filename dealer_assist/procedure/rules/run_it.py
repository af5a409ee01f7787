"""Run it twice or three times: the boards after the first one, and a card that lies on the wrong one (P8).

WLA 208–217: all agree before the river, somebody is all-in and nobody can bet any more. Board 1 is finished, then board 2 below it,
then board 3, each street with a burn of its own; what lay there before is common to all. In a dispute the first board counts (210).
"""

from __future__ import annotations

from typing import Final

from dealer_assist.domain.alerts import Alert, Why
from dealer_assist.domain.table import Street
from dealer_assist.domain.zones import BOARDS, Zone
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.remedies.base import lies_right
from dealer_assist.procedure.rules import board, stub
from dealer_assist.procedure.state import Bets, State

#: Steps that say that the game gives every hand something of its own on the way: it is dealt once.
_ONCE: Final = ("discard", "point", "window")
#: How long a card may lie on the wrong board, in ms after it has settled: it may be on its way down.
ASTRAY_MS: Final = 1500


def street_due(state: State) -> Street | None:
    """The first street of which no card lies there yet, in a hand whose board may still be dealt more than once; else None."""
    if state.misdeal or state.ended or state.run > 1:
        return None
    if len({step.zone for step in state.base if step.kind == "board"}) > 1:
        return None
    to_come = state.plan[state.at :]
    if any(step.kind in _ONCE for step in to_come) or to_come[0].kind not in ("burn", "board", "shuffle"):
        return None
    street = to_come[0].street
    return None if any(slot.street == street for slot in state.board) else street


def cards_needed(state: State, street: Street, times: int) -> int:
    """The cards that the boards take from this street on; a burn that lies there already is not needed again."""
    first = sum([step.count for step in state.plan[state.at :] if step.kind in ("burn", "board")])
    steps = [step for step in state.base if step.kind in ("burn", "board")]
    streets = [step.street for step in steps]
    each = sum([step.count for step in steps[streets.index(street) :]])
    return first + (times - 1) * each


def most_times(state: State, bets: Bets) -> int:
    """How many times the players may ask for now, 0 where none: the house, the hand and the stub allow it (A16)."""
    allowed = [times for times in range(2, state.run_it.times + 1) if not why_not(state, bets, times)]
    return max(allowed, default=0)


def why_not(state: State, bets: Bets, times: int) -> str:
    """Why it cannot be run so many times, as a code; "" when it can."""
    if _dealt_since(state):
        return "cards_dealt"
    if state.run_it.times < max(times, 2):
        return "house"
    if not bets.runout or bets.awarded:
        return "betting_open" if not bets.complete else "nobody_all_in"
    if len(bets.live) > state.run_it.players:
        return "players"
    street = street_due(state)
    if street is None:
        return _no_street(state)
    enough = cards_needed(state, street, times) <= stub.left(state, bets)
    return "" if enough and not state.first_only else "stub"


def _no_street(state: State) -> str:
    several = len({step.zone for step in state.base if step.kind == "board"}) > 1
    if several or any(step.kind in _ONCE for step in state.plan[state.at :]):
        return "game"
    return "street_begun"


def _dealt_since(state: State) -> bool:
    """Whether a card has come since it was agreed: it cannot be taken back or changed then."""
    return state.times > 1 and state.cards_out != state.agreed_at


def lapse(draft: Draft) -> None:
    """Somebody turns out to have chips left: there is betting to come, and what was agreed on falls away unless it is being dealt."""
    state, bets = draft.state, draft.bets
    if state.times > 1 and not (bets.runout or bets.over or bets.awarded or _dealt_since(state)):
        assert state.run_from is not None
        draft.emit(ev.RunItAgreed(1, state.run_from))


def agree(draft: Draft, times: int) -> None:
    """All agreed; 1: they take it back."""
    street = street_due(draft.state)
    assert street is not None, "asked before, see why_not"
    draft.emit(ev.RunItAgreed(times, street))


# -- the boards --------------------------------------------------------------------------------------------------------------


def next_board_due(draft: Draft) -> bool:
    """Whether a board is finished and another one is to come."""
    state = draft.state
    return state.step.kind == "show" and state.runs_left > 0 and draft.bets.runout and not draft.bets.awarded


def board_for(state: State, zone: Zone) -> Zone:
    """The board that a card counts for that was read at a board's antenna: the order of the stub says so, not the place."""
    if state.times == 1 or state.first_only:
        return zone
    here = state.run_zone(state.run)
    if state.runs_left and state.spare_burns and _last_street_lies(state):
        return state.run_zone(state.run + 1)  # burned and turned before the last card of this one was judged
    return here


def _last_street_lies(state: State) -> bool:
    last = [step.street for step in state.base if step.kind == "board"][-1]
    return state.street == last and board.complete(state)


def astray(state: State) -> tuple[str, ...]:
    """Board cards that lie on another board than the one they count for, where both have an antenna."""
    return tuple(
        [
            slot.ref
            for slot in state.slots
            if state.where.get(slot.ref) in BOARDS and not lies_right(state, slot)
        ]
    )


def laid(draft: Draft, ref: str, t_ms: int) -> None:
    """A card was read at a board: it lies right, or it has some time to get there."""
    if draft.state.times == 1:
        return
    if ref in astray(draft.state):
        draft.deadline("astray", t_ms + draft.state.settle_ms + ASTRAY_MS)
        return
    alert = draft.alert("P8")
    if alert is not None and alert.question == "wrong_board" and not astray(draft.state):
        draft.set_alert(alert, state="closed", question=None)  # the dealer's save


def still_astray(draft: Draft) -> None:
    """It had its time and lies on the wrong board."""
    state = draft.state
    cards = astray(state)
    if not cards:
        return
    slot = next(slot for slot in state.slots if slot.ref == cards[0])
    lies_on, due = (BOARDS.index(zone) + 1 for zone in (state.where[slot.ref], slot.zone))
    draft.raise_alert(
        "P8",
        "probable",
        question="wrong_board",
        street=slot.street,
        params={"lies_on": lies_on, "board": due, "street": slot.street, "run": due},
        why=(Why("read_at", {"zone": state.where[slot.ref], "count": len(cards)}, reads=cards, weight=400),),
    )


def answered_wrong_board(draft: Draft, alert: Alert, answer: str) -> None:
    """Does the card lie on the right board? No: it goes there; yes: its antenna reads too far."""
    if answer == "no":
        draft.prove(draft.set_alert(alert, answered="no", question=None))
    else:
        draft.set_alert(alert, answered="yes", question=None, state="closed")
