"""What a remedy is, and the few things that all of them do to a plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from dealer_assist.domain.alerts import Alert, Step
from dealer_assist.domain.zones import BOARDS, BURN
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.state import BoardSlot, PlanStep, State

if TYPE_CHECKING:
    from dealer_assist.procedure.draft import Draft


def nothing(draft: Draft, alert: Alert) -> None:
    """There is nothing beside the plan to put back."""


class Remedy(msgspec.Struct, frozen=True):
    """How a remedy starts, how it is taken back, and which rows of the catalogue it can mend. ``of_seat``: only with a seat."""

    rows: frozenset[str]
    begin: Callable[[Draft, Alert], tuple[Step, ...]]
    cancel: Callable[[Draft, Alert], None] = nothing
    of_seat: bool = False


def rows(text: str) -> frozenset[str]:
    """Row ids from words."""
    return frozenset(text.split())


def unseen(code: str, **params: int | str) -> Step:
    """A step that no reader sees."""
    return Step(code, dict(params), seen=False)


def checklist(*steps: Step) -> Callable[[Draft, Alert], tuple[Step, ...]]:
    """A remedy that changes no plan: these steps, each about the alert's seat where it has one."""

    def begin(draft: Draft, alert: Alert) -> tuple[Step, ...]:
        own = {} if alert.seat is None else {"seat": alert.seat}
        return tuple([Step(step.code, {**own, **step.params}, seen=step.seen) for step in steps])

    return begin


# -- helpers on the plan ---------------------------------------------------------------------------------------------------


def index(state: State, kind: str, street: str) -> int | None:
    """The last step of this kind and street in the plan."""
    for place in range(len(state.plan) - 1, -1, -1):
        if state.plan[place].kind == kind and state.plan[place].street == street:
            return place
    return None


def passed(state: State, kind: str, street: str) -> bool:
    """Whether the plan is past its last step of this kind and street."""
    place = index(state, kind, street)
    return place is not None and state.at > place


def after(state: State, kind: str, street: str) -> tuple[PlanStep, ...]:
    """What follows the last step of this kind and street."""
    place = index(state, kind, street)
    return state.plan[place + 1 :] if place is not None else ()


def early(state: State) -> tuple[str, ...]:
    """Cards on the board that do not play."""
    return tuple([slot.ref for slot in state.board if slot.early])


def burns_due(state: State) -> int:
    """Burns that belong to the streets up to the current step."""
    return burns_before(state, state.at + 1)


def burns_before(state: State, place: int) -> int:
    """Burns that belong to the steps before this place in the plan."""
    return sum(step.count for step in state.plan[:place] if step.kind == "burn")


def extra_burn(state: State) -> str | None:
    """The burn that is one too many now, as far as it was read."""
    if len(state.burns) > burns_due(state):
        return state.burns[-1]
    return state.spare_burns[-1] if state.spare_burns else None


def next_burn(state: State) -> int | None:
    """Where the next burn is in the plan, behind the current step or at it; None when none is to come."""
    return next(
        (place for place in range(state.at, len(state.plan)) if state.plan[place].kind == "burn"), None
    )


def judge_board(draft: Draft) -> None:
    """The board is judged again as it lies: its cards play after all."""
    state = draft.state
    if state.board:
        draft.deadline("board", max(slot.first_ms for slot in state.board) + state.settle_ms)


def burn_again_counts(draft: Draft, alert: Alert) -> None:
    """The extra burn that this alert is about lies there and counted for nothing: it is a burn again."""
    state = draft.state
    for why in alert.why:
        for ref in why.reads:
            if ref not in state.burns and ref not in state.spare_burns and state.where.get(ref) == BURN:
                draft.emit(ev.CardBurned(ref, spare=False))


def back_to_burn(draft: Draft, street: str) -> None:
    """The plan goes back to the burn of a street: one of the cards that lie there becomes it."""
    state = draft.state
    place = index(state, "burn", street)
    if place is None or (state.at == place and state.plan[place].count):
        return
    draft.rewrite((replace(state.plan[place], count=1), *state.plan[place + 1 :]), keep=place)


def zone_of(alert: Alert) -> str | None:
    """The board that an alert is about, where its reads say so."""
    return next((why.params["zone"] for why in alert.why if why.params.get("zone") in BOARDS), None)


def dealt_again(draft: Draft, street: str, *before: PlanStep) -> None:
    """The board of a street is dealt once more, after ``before``; its burn, read or not, is behind it."""
    state = draft.state
    board = board_steps(state, street)
    last = index(state, "board", street)
    burn = index(state, "burn", street)
    assert last is not None, "a street that has no board is not dealt again"
    first = last - len(board) + 1
    plan = list(state.plan)
    if burn is not None and len(state.burns) < burns_before(state, burn) + plan[burn].count:
        plan[burn] = replace(plan[burn], count=0)
    draft.emit(ev.PlanRewritten((*plan[:first], *before, *board, *plan[last + 1 :]), min(state.at, first)))


def board_steps(state: State, street: str) -> tuple[PlanStep, ...]:
    """The game's board steps of a street."""
    return tuple([step for step in state.base if step.kind == "board" and step.street == street])


def lies_right(state: State, slot: BoardSlot) -> bool:
    """Whether a board card lies on its board; where that board has no antenna, on any that has one."""
    where = state.where.get(slot.ref)
    return where == slot.zone or (slot.zone not in state.readers and where in BOARDS)


def resume(draft: Draft, alert: Alert, *tail: PlanStep, rest: str | None = None) -> None:
    """After the betting that is running: ``tail``, then what follows the board of ``rest``, by default the early card's street."""
    state = draft.state
    here, coming = alert.street, str(alert.params["next"])
    place = index(state, "bet", here)
    if place is None:  # a street without betting: after its last step
        place = max(number for number, step in enumerate(state.plan) if step.street == here)
    draft.rewrite((*tail, *after(state, "board", rest or coming)), keep=place + 1)


def use_spare_burn(draft: Draft, street: str) -> tuple[PlanStep, ...]:
    """The burn that was taken too soon counts for ``street``: the step it fulfils, none when it was never read."""
    for ref in draft.state.spare_burns:
        draft.emit(ev.SpareBurnUsed(ref))
    state = draft.state
    place = index(state, "burn", street)
    taken = len(state.burns) > (burns_due(state) if place is None else burns_before(state, place))
    return tuple(step for step in state.base if taken and step.kind == "burn" and step.street == street)
