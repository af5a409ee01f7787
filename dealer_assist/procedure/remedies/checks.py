"""The check of every step of a recovery: has what was seen since fulfilled it?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from dealer_assist.domain.alerts import Alert, Step
from dealer_assist.domain.table import STREETS
from dealer_assist.domain.zones import BOARDS, seat_zone
from dealer_assist.procedure.remedies.base import board_steps, burns_due, early, lies_right, passed
from dealer_assist.procedure.state import State

if TYPE_CHECKING:
    from dealer_assist.procedure.draft import Draft


def _exposed_found(state: State) -> bool:
    return state.preset_burn not in (None, "?")


def _exposed_taken(state: State, step: Step) -> bool:
    """Whether the exposed card is gone: at once where it is known which of the two it is, else when its replacement lies there.

    No antenna sees which card lies face up, and a player who peeks at the other one lifts a card too.
    """
    if _exposed_found(state):
        return True
    card = step.params.get("card")
    return (
        card is not None
        and state.preset_burn == "?"
        and state.where.get(card) != seat_zone(step.params["seat"])
    )


def _put_down_again(state: State, step: Step) -> bool:
    """Whether the exposed card lies at its seat again: the player had lifted it."""
    return step.code == "take_exposed" and state.preset_burn == "?" and not _exposed_taken(state, step)


def _burn_is_preset(state: State) -> bool:
    return state.preset_burn is not None and state.preset_burn in state.burns


def _left_seat(state: State, seat: int) -> bool:
    zone = seat_zone(seat)
    return not any(state.where.get(ref) == zone for ref in state.held.get(seat, ()))


def _hand_gone(state: State, seat: int) -> bool:
    """Whether neither the seat's hand lies there any more nor cards that belong to nobody (D2)."""
    zone = seat_zone(seat)
    strays = any(
        place == zone and ref not in state.owner and ref not in state.scrapped
        for ref, place in state.where.items()
    )
    return not strays and _left_seat(state, seat)


def _flop_count(state: State) -> int:
    return sum(slot.street == "flop" and not slot.early for slot in state.board)


def _board_known(state: State) -> bool:
    """Whether the faces of every street that lies there are known, of one too many cards as many as it has.

    A street that is played on lies there, though nothing has read it.
    """
    laid = [slot for slot in state.board if not slot.early]
    blank = {(slot.street, slot.zone) for slot in laid if slot.ref not in state.faces}
    played = STREETS.index(state.street) - (state.step.kind in ("burn", "board"))
    blank |= {
        (step.street, step.zone)
        for step in state.base
        if step.kind == "board" and STREETS.index(step.street) <= played
    }
    return all(
        sum((slot.street, slot.zone, slot.ref in state.faces) == (street, step.zone, True) for slot in laid)
        >= step.count
        for street, zone in blank
        for step in board_steps(state, street)
        if step.zone == zone
    )


def _flops_right(state: State) -> bool:
    """Whether each board on which the flop lies has as many cards of it as it should."""
    laid = [slot.zone for slot in state.board if slot.street == "flop" and not slot.early]
    return all(laid.count(step.zone) in (0, step.count) for step in board_steps(state, "flop"))


def _was_passive(draft: Draft, seat: int, street: str) -> bool:
    """Whether the seat has acted on this street since, and did not raise."""
    bets = draft.bets
    return bets.street == street and seat not in bets.pending and bets.aggressor != seat


def _flop_due(state: State) -> int:
    return sum(step.count for step in board_steps(state, "flop"))


Check = Callable[["Draft", Step], bool]

#: Step code → whether it is done. Steps that no reader sees have no check; ``deal_goes_on`` is done by whatever happens next.
CHECKS: Final[dict[str, Check]] = {
    "gather_all": lambda draft, step: draft.state.gathered or draft.state.attempt > step.params["attempt"],
    "redeal": lambda draft, step: draft.state.attempt > step.params["attempt"],
    "deal_on": lambda draft, step: draft.state.at > 0,
    "first_card": lambda draft, step: bool(draft.state.pitches),
    "take_exposed": lambda draft, step: _exposed_taken(draft.state, step),
    "top_card_to": lambda draft, step: (
        _exposed_found(draft.state) and len(draft.state.held.get(step.params["seat"], ())) >= draft.state.hole
    ),
    "missing_card_to": lambda draft, step: (
        len(draft.state.held.get(step.params["seat"], ())) >= draft.state.hole
    ),
    "exposed_is_burn": lambda draft, step: _burn_is_preset(draft.state),
    "return_extra": lambda draft, step: (
        draft.state.preset_burn is None
        or draft.state.where.get(draft.state.preset_burn) != seat_zone(step.params["seat"])
    ),
    "extra_is_burn": lambda draft, step: _burn_is_preset(draft.state),
    "hand_to_muck": lambda draft, step: _hand_gone(draft.state, step.params["seat"]),
    # the deck
    "card_out": lambda draft, step: (
        not any(draft.state.where.get(ref) == step.params["zone"] for ref in draft.state.scrapped)
    ),
    "fresh_deck": lambda draft, step: draft.state.deck == "ready",
    "finish_hand": lambda draft, step: draft.bets.awarded or draft.bets.over,
    "floor_confirms": lambda draft, step: False,  # done by the floor's answer
    "refund": lambda draft, step: False,  # done when the hand is closed
    "pick_up": lambda draft, step: (
        seat_zone(step.params["seat"]) not in [draft.state.where.get(ref) for ref in draft.state.scrapped]
    ),
    "card_known": lambda draft, step: _board_known(draft.state),
    "floor_rules": lambda draft, step: False,  # done by the ruling itself
    # burns and board
    "gather_board": lambda draft, step: not early(draft.state),
    "burn_one": lambda draft, step: passed(draft.state, "burn", "flop"),
    "burn_two": lambda draft, step: passed(draft.state, "burn", step.params["street"]),
    "burn_anew": lambda draft, step: passed(draft.state, "burn", step.params["street"]),
    "new_flop": lambda draft, step: passed(draft.state, "board", "flop"),
    "new_flop_no_burn": lambda draft, step: passed(draft.state, "board", "flop"),
    "move_top_to_burn": lambda draft, step: passed(draft.state, "burn", "flop"),
    "move_one_to_burn": lambda draft, step: passed(draft.state, "burn", "flop"),
    "shown_to_burn": lambda draft, step: draft.state.step.kind != "burn",
    "add_next_card": lambda draft, step: passed(draft.state, "board", "flop"),
    "next_card_board": lambda draft, step: passed(draft.state, "board", step.params["street"]),
    "add_third": lambda draft, step: _flop_count(draft.state) >= _flop_due(draft.state),
    "floor_picks": lambda draft, step: not draft.state.pick_due and _flops_right(draft.state),
    "picked_is_burn": lambda draft, step: _burn_is_preset(draft.state),
    "put_back_burn": lambda draft, step: (
        not draft.state.spare_burns and len(draft.state.burns) <= burns_due(draft.state)
    ),
    "shown_off_board": lambda draft, step: not early(draft.state),
    "extra_to_board": lambda draft, step: passed(draft.state, "board", step.params["street"]),
    "shown_is_next_burn": lambda draft, step: _burn_is_preset(draft.state),
    "finish_betting": lambda draft, step: passed(draft.state, "bet", step.params["street"]),
    "no_second_burn": lambda draft, step: passed(draft.state, "board", step.params["street"]),
    "set_aside": lambda draft, step: not early(draft.state),
    "put_back": lambda draft, step: not early(draft.state),
    "burn_and_turn": lambda draft, step: passed(draft.state, "board", "turn"),
    "turn_no_burn": lambda draft, step: passed(draft.state, "board", "turn"),
    "river_no_burn": lambda draft, step: passed(draft.state, "board", "river"),
    "street_no_burn": lambda draft, step: passed(draft.state, "board", step.params["street"]),
    "rebuild_board": lambda draft, step: all(
        lies_right(draft.state, slot) for slot in draft.state.slots if not slot.early
    ),
    "card_to_board": lambda draft, step: all(
        lies_right(draft.state, slot)
        for slot in draft.state.slots
        if draft.state.where.get(slot.ref, slot.zone) in BOARDS
    ),
    # action
    "acts_in_turn": lambda draft, step: step.params["seat"] not in draft.bets.pending,
    "call_or_fold": lambda draft, step: _was_passive(draft, step.params["seat"], step.params["street"]),
    "stands_if_unchanged": lambda draft, step: step.params["seat"] not in draft.bets.pending,
    "betting_done": lambda draft, step: draft.bets.complete,
    "fix_amount": lambda draft, step: (
        step.params["seat"] in draft.state.corrected
        or (not step.params["entered"] and step.params["seat"] not in draft.bets.pending)
    ),
    "hand_back": lambda draft, step: (
        not _left_seat(draft.state, step.params["seat"])
        or (not step.params["shown"] and step.params["seat"] in draft.bets.shown)
    ),
    "turn_hands_up": lambda draft, step: set(draft.bets.live) <= set(draft.bets.shown),
    "table_both": lambda draft, step: step.params["seat"] in draft.bets.shown,
}

#: Remedies whose seen steps may come in any order: an undone one before a done one stays open.
_ANY_ORDER: Final = frozenset({"replace_exposed"})


#: Steps that a card which was set as the next burn is burned.
_BURNS_PRESET: Final = frozenset({"exposed_is_burn", "extra_is_burn", "picked_is_burn", "shown_is_next_burn"})


def _given_up(state: State, step: Step) -> bool:
    """Whether the card of this step is no longer to be burned: its street came after another burn (N8)."""
    if step.code not in _BURNS_PRESET or state.preset_burn is not None:
        return False
    return passed(state, "burn", step.params.get("street", "flop"))


def _moved_on(draft: Draft, alert: Alert) -> bool:
    began = draft.state.begun.get(alert.id)
    if began is None:
        return False
    progress, street, actions = began
    return draft.state.progress > progress or (draft.bets.street, len(draft.bets.actions)) != (
        street,
        actions,
    )


def checked(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """The checklist as it stands now: seen steps by their checks, unseen ones and passed-over ones by what came after them."""
    moved_on = _moved_on(draft, alert)
    done = [
        (step.state == "done" and not _put_down_again(draft.state, step))
        or (step.code == "deal_goes_on" and moved_on)
        or (step.code == "call_floor" and alert.ruled is not None)
        or (step.seen and step.code in CHECKS and CHECKS[step.code](draft, step))
        for step in alert.steps
    ]
    if moved_on and all(is_done or not step.seen for step, is_done in zip(alert.steps, done, strict=True)):
        # nothing that is seen follows the last ones: they tick at whatever is seen next
        done = [True] * len(done)
    last = max((place for place, is_done in enumerate(done) if is_done), default=-1)
    steps = list(alert.steps)
    current = False
    for place, step in enumerate(steps):
        if done[place] or (place < last and not step.seen):
            new = "done"
        elif (place < last and alert.remedy not in _ANY_ORDER) or _given_up(draft.state, step):
            new = "skipped"
        elif current:
            new = "pending"
        else:
            new, current = "current", True
        if step.state != new:
            steps[place] = replace(step, state=new)
    return tuple(steps)
