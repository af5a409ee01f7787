"""Remedies: what the house does about an irregularity, as a rewriting of the plan and a checklist that ticks itself off.

A remedy ``begin``s by rewriting the rest of the plan and returns its steps; ``cancel`` puts back what it set aside beside the plan.
Each step has one check on what has been seen since; a step that no reader sees ticks at the next one that is (DESIGN §4).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from dealer_assist.domain.alerts import Alert, Step
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.state import PlanStep, State

if TYPE_CHECKING:
    from dealer_assist.procedure.draft import Draft


def _nothing(draft: Draft, alert: Alert) -> None:
    return None


class Remedy(msgspec.Struct, frozen=True):
    """How a remedy starts, and how it is taken back."""

    begin: Callable[[Draft, Alert], tuple[Step, ...]]
    cancel: Callable[[Draft, Alert], None] = _nothing


# -- helpers on the plan ---------------------------------------------------------------------------------------------------


def _index(state: State, kind: str, street: str) -> int | None:
    """The last step of this kind and street in the plan."""
    for index in range(len(state.plan) - 1, -1, -1):
        if state.plan[index].kind == kind and state.plan[index].street == street:
            return index
    return None


def _passed(state: State, kind: str, street: str) -> bool:
    index = _index(state, kind, street)
    return index is not None and state.at > index


def _after(state: State, kind: str, street: str) -> tuple[PlanStep, ...]:
    index = _index(state, kind, street)
    return state.plan[index + 1 :] if index is not None else ()


def _early(state: State) -> tuple[str, ...]:
    return tuple(slot.ref for slot in state.board if slot.early)


def _unseen(code: str, **params: int | str) -> Step:
    return Step(code, dict(params), seen=False)


# -- the deal --------------------------------------------------------------------------------------------------------------


def _misdeal(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    draft.emit(ev.MisdealDeclared(on=True))
    return (
        _unseen("stop_pitching"),
        _unseen("say_misdeal"),
        Step("gather_all", {"attempt": draft.state.attempt}),
        _unseen("shuffle_cut"),
        Step("redeal", {"seat": draft.state.order[0], "attempt": draft.state.attempt}),
    )


def _not_misdeal(draft: Draft, alert: Alert) -> None:
    draft.emit(ev.MisdealDeclared(on=False))


def _replace_exposed(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    seat = alert.seat
    assert seat is not None
    draft.emit(ev.PresetBurn("?", seat))
    return (
        Step("deal_on"),
        Step("take_exposed", {"seat": seat}),
        Step("top_card_to", {"seat": seat}),
        Step("exposed_is_burn"),
    )


def _no_preset(draft: Draft, alert: Alert) -> None:
    draft.emit(ev.PresetBurn(None, None))


def _extra_to_burn(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    seat = alert.seat
    assert seat is not None
    extra = draft.state.held[seat][-1]
    draft.emit(ev.HoleCardTaken(extra, seat))
    draft.emit(ev.PresetBurn(extra, None))
    return (Step("return_extra", {"seat": seat}), Step("extra_is_burn"))


# -- burns and board -------------------------------------------------------------------------------------------------------


def _reflop(draft: Draft, *, burn: bool) -> None:
    """All board cards go back: gather, shuffle, then the flop anew."""
    state = draft.state
    flop = tuple(slot.ref for slot in state.board if slot.street == "flop")
    draft.emit(ev.BoardJudged(flop, early=True))
    first = _index(state, "burn" if burn else "board", "flop")
    assert first is not None
    tail = [PlanStep("gather", "flop", 0), PlanStep("shuffle", "flop", 0)]
    if burn:
        tail.append(PlanStep("burn", "flop", 1))
    tail.append(PlanStep("board", "flop", 3))
    draft.rewrite((*tail, *_after(state, "board", "flop")), keep=first)


def _board_plays(draft: Draft, alert: Alert) -> None:
    draft.emit(ev.BoardJudged(_early(draft.state), early=False))


def _board_waits(draft: Draft, alert: Alert) -> None:
    """An early card stays early until the round is closed; only the plan goes back (see early.round_closed)."""


def _reflop_burn_first(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    _reflop(draft, burn=True)
    return (
        Step("gather_board"),
        _unseen("shuffle_cut_stub"),
        Step("burn_one"),
        Step("new_flop"),
    )


def _top_is_burn(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    return (Step("move_top_to_burn"), Step("add_next_card"))


def _put_burn_back(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    return (Step("put_back_burn"),)


def _use_spare_burn(draft: Draft, street: str) -> tuple[PlanStep, ...]:
    """The burn that was taken too soon counts for ``street``: the step it fulfils, none when it was never read."""
    for ref in draft.state.spare_burns:
        draft.emit(ev.SpareBurnUsed(ref))
    state = draft.state
    taken = len(state.burns) > _burns_due(state)
    return tuple(step for step in state.base if taken and step.kind == "burn" and step.street == street)


def _keep_burn(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    here, coming = alert.street, str(alert.params["next"])
    _use_spare_burn(draft, coming)
    return (
        _unseen("leave_burn"),
        Step("finish_betting", {"street": here}),
        Step("no_second_burn", {"street": coming}),
    )


def _reflop_no_burn(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    _reflop(draft, burn=False)
    return (Step("gather_board"), _unseen("shuffle_cut_stub"), Step("new_flop_no_burn"))


def _resume(draft: Draft, alert: Alert, *tail: PlanStep, rest: str | None = None) -> None:
    """After the betting that is running: ``tail``, then what follows the board of ``rest``, by default the early card's street."""
    state = draft.state
    here, coming = alert.street, str(alert.params["next"])
    index = _index(state, "bet", here)
    assert index is not None
    draft.rewrite((*tail, *_after(state, "board", rest or coming)), keep=index + 1)


def _early_flop(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    burn = _use_spare_burn(draft, "flop")
    _resume(draft, alert, *burn, PlanStep("shuffle", "flop", 0), PlanStep("board", "flop", 3))
    return (
        Step("set_aside", {"count": len(_early(draft.state))}),
        Step("finish_betting", {"street": alert.street}),
        _unseen("shuffle_cut_stub"),
        Step("new_flop_no_burn"),
    )


def _river_as_turn(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """S001 E6: the early burn lies dead, a new burn and what would have been the river in the turn's place, then a river unburned."""
    turn = (PlanStep("burn", "turn", 1), PlanStep("board", "turn", 1), PlanStep("bet", "turn", 0))
    river = (PlanStep("shuffle", "river", 0), PlanStep("board", "river", 1))
    _resume(draft, alert, *turn, *river, rest="river")
    return (
        Step("set_aside", {"count": len(_early(draft.state))}),
        Step("finish_betting", {"street": alert.street}),
        Step("burn_and_turn"),
        _unseen("shuffle_with_aside"),
        Step("river_no_burn"),
    )


def _reshuffle_river(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    burn = _use_spare_burn(draft, "river")
    _resume(draft, alert, *burn, PlanStep("shuffle", "river", 0), PlanStep("board", "river", 1))
    return (
        Step("set_aside", {"count": len(_early(draft.state))}),
        Step("finish_betting", {"street": alert.street}),
        _unseen("shuffle_with_aside"),
        Step("river_no_burn"),
    )


def _put_back_in_order(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """Nothing was faced: the cards go back on the stub as they came off it, the burn stays, nothing is shuffled."""
    if alert.rule.startswith("F"):
        flop = [slot.ref for slot in draft.state.board if slot.street == "flop"]
        draft.emit(ev.BoardJudged(tuple(flop[:3]), early=False))
        draft.emit(ev.BoardJudged(tuple(flop[3:]), early=True))
        return (Step("put_back", {"count": len(flop) - 3}),)
    coming = str(alert.params["next"])
    count = len(_early(draft.state))
    burn = _use_spare_burn(draft, coming)
    board = next(step for step in draft.state.base if step.kind == "board" and step.street == coming)
    _resume(draft, alert, *burn, PlanStep("gather", board.street, 0), board)
    return (
        Step("put_back", {"count": count}),
        Step("finish_betting", {"street": alert.street}),
    )


def _void(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    draft.emit(ev.HandEnded("void"))
    done = [Step(code, state="done", seen=False) for code in ("freeze", "floor_confirms", "refund")]
    return (*done, _unseen("new_setup"))


REMEDIES: Final[dict[str, Remedy]] = {
    "misdeal": Remedy(_misdeal, _not_misdeal),
    "replace_exposed": Remedy(_replace_exposed, _no_preset),
    "extra_to_burn": Remedy(_extra_to_burn, _no_preset),
    "void": Remedy(_void),
    "reflop_burn_first": Remedy(_reflop_burn_first, _board_plays),
    "top_is_burn": Remedy(_top_is_burn),
    "put_burn_back": Remedy(_put_burn_back),
    "keep_burn": Remedy(_keep_burn),
    "reflop_no_burn": Remedy(_reflop_no_burn, _board_plays),
    "early_flop": Remedy(_early_flop, _board_waits),
    "river_as_turn": Remedy(_river_as_turn, _board_waits),
    "reshuffle_river": Remedy(_reshuffle_river, _board_waits),
    "put_back_in_order": Remedy(_put_back_in_order, _board_waits),
}

# -- the checks ------------------------------------------------------------------------------------------------------------


def _exposed_taken(state: State, step: Step) -> bool:
    return state.preset_burn not in (None, "?")


def _burn_is_preset(state: State, step: Step) -> bool:
    return state.preset_burn is not None and state.preset_burn in state.burns


def _burns_due(state: State) -> int:
    return sum(step.count for step in state.plan[: state.at + 1] if step.kind == "burn")


CHECKS: Final[dict[str, Callable[[State, Step], bool]]] = {
    "gather_all": lambda state, step: state.gathered or state.attempt > step.params["attempt"],
    "redeal": lambda state, step: state.attempt > step.params["attempt"],
    "deal_on": lambda state, step: state.at > 0,
    "take_exposed": _exposed_taken,
    "top_card_to": lambda state, step: (
        _exposed_taken(state, step) and len(state.held.get(step.params["seat"], ())) >= state.hole
    ),
    "exposed_is_burn": _burn_is_preset,
    "return_extra": lambda state, step: (
        state.preset_burn is None or state.where.get(state.preset_burn) != f"seat{step.params['seat']}"
    ),
    "extra_is_burn": _burn_is_preset,
    "gather_board": lambda state, step: not _early(state),
    "burn_one": lambda state, step: _passed(state, "burn", "flop"),
    "new_flop": lambda state, step: _passed(state, "board", "flop"),
    "new_flop_no_burn": lambda state, step: _passed(state, "board", "flop"),
    "move_top_to_burn": lambda state, step: _passed(state, "burn", "flop"),
    "add_next_card": lambda state, step: _passed(state, "board", "flop"),
    "put_back_burn": lambda state, step: len(state.burns) <= _burns_due(state),
    "finish_betting": lambda state, step: _passed(state, "bet", step.params["street"]),
    "no_second_burn": lambda state, step: _passed(state, "board", step.params["street"]),
    "set_aside": lambda state, step: not _early(state),
    "put_back": lambda state, step: not _early(state),
    "burn_and_turn": lambda state, step: _passed(state, "board", "turn"),
    "river_no_burn": lambda state, step: _passed(state, "board", "river"),
}


def checked(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """The checklist as it stands now: seen steps by their checks, unseen ones and passed-over ones by what came after them."""
    state = draft.state
    done = [step.state == "done" or (step.seen and CHECKS[step.code](state, step)) for step in alert.steps]
    last = max((index for index, is_done in enumerate(done) if is_done), default=-1)
    steps = list(alert.steps)
    # X2, X3: replacement and burn may come in any order, so an undone seen step before a done one stays open there
    any_order = alert.remedy == "replace_exposed"
    current = False
    for index, step in enumerate(steps):
        if done[index] or (index < last and not step.seen):
            new = "done"
        elif index < last and not any_order:
            new = "skipped"
        elif current:
            new = "pending"
        else:
            new, current = "current", True
        if step.state != new:
            steps[index] = replace(step, state=new)
    return tuple(steps)
