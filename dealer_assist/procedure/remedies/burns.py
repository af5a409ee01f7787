"""Remedies of burns: put back, kept, moved to the board, made up for on the next street."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from dealer_assist.domain.alerts import Alert, Step
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.remedies.base import (
    Remedy,
    back_to_burn,
    board_steps,
    burn_again_counts,
    burns_before,
    checklist,
    dealt_again,
    extra_burn,
    judge_board,
    next_burn,
    rows,
    unseen,
    use_spare_burn,
)
from dealer_assist.procedure.state import PlanStep

if TYPE_CHECKING:
    from dealer_assist.procedure.draft import Draft


def _keep_burn(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    here, coming = alert.street, str(alert.params["next"])
    use_spare_burn(draft, coming)
    return (
        unseen("leave_burn"),
        Step("finish_betting", {"street": here}),
        Step("no_second_burn", {"street": coming}),
    )


def _burn_two(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """A burn is missing: the next street takes two, so that it gets the card that was due to it (RROP #5, WLA 169)."""
    state = draft.state
    for place in range(state.at, len(state.plan)):
        step = state.plan[place]
        if step.kind == "burn" and not (place == state.at and step.street == alert.street):
            draft.rewrite((replace(step, count=step.count + 1), *state.plan[place + 1 :]), keep=place)
            return (Step("burn_two", {"street": step.street}),)
    return ()


def _shown_to_burn(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """RROP #5: the card that was turned is the burn, the next one is the board card."""
    back_to_burn(draft, alert.street)
    return (
        unseen("call_floor"),
        Step("shown_to_burn"),
        Step("next_card_board", {"street": alert.street}),
    )


def _extra_is_board(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """RROP #5: the second burn is the card that should have been turned; the one that was turned is the next burn."""
    state = draft.state
    street = alert.street
    extra = extra_burn(state)
    if extra is not None:
        draft.emit(ev.BurnTakenBack(extra))
    shown = tuple([slot.ref for slot in state.board if slot.street == street and not slot.early])
    draft.emit(ev.BoardJudged(shown, early=True))
    dealt_again(draft, street, PlanStep("gather", board_steps(state, street)[0].street, 0))
    later = next_burn(draft.state)
    if later is not None and shown:
        draft.emit(ev.PresetBurn(shown[-1], None))
    last = Step("shown_is_next_burn", {"street": street}) if later is not None else unseen("shown_is_dead")
    return (unseen("call_floor"), Step("shown_off_board"), Step("extra_to_board", {"street": street}), last)


def _shown_plays(draft: Draft, alert: Alert) -> None:
    """The card that was turned stays after all: it plays, and the second burn is one."""
    state = draft.state
    shown = tuple([slot.ref for slot in state.board if slot.early and slot.street == alert.street])
    draft.emit(ev.BoardJudged(shown, early=False))
    if state.preset_burn in shown:
        draft.emit(ev.PresetBurn(None, None))
    judge_board(draft)
    burn_again_counts(draft, alert)


def _extra_is_next_burn(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """The extra burn is the next street's, which takes none: left lying, or put back and burned again (RROP #5)."""
    burn_again_counts(draft, alert)
    for ref in draft.state.spare_burns:
        draft.emit(ev.SpareBurnUsed(ref))
    state = draft.state
    place = next_burn(state)
    if place is None:
        return ()
    step = state.plan[place]
    preset_waits = state.preset_burn is not None and state.preset_burn not in state.burns
    # It was not read: the next burn is passed over.
    if extra_burn(state) is None and step.count and not preset_waits:
        draft.rewrite((replace(step, count=step.count - 1), *state.plan[place + 1 :]), keep=place)
    return (unseen("leave_burn"), Step("no_second_burn", {"street": step.street}))


def _burn_again(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """The burn that was seen goes into the stub, which is shuffled, and another card is burned."""
    state = draft.state
    place = next((at for at in range(state.at, -1, -1) if state.plan[at].kind == "burn"), None)
    if state.spare_burns:
        place = next_burn(state)
    shown = place is not None and any(slot.street == state.plan[place].street for slot in state.board)
    if place is None or shown:
        return (unseen("call_floor"),)  # the board lies there: what was burned before it cannot be changed
    burn = state.plan[place]
    burned = state.spare_burns or state.burns[burns_before(state, place) :]
    for ref in burned:
        draft.emit(ev.BurnTakenBack(ref))
    draft.rewrite(
        (PlanStep("shuffle", burn.street, 0), replace(burn, count=1), *state.plan[place + 1 :]), keep=place
    )
    return (unseen("burn_to_stub"), unseen("shuffle_cut_stub"), Step("burn_anew", {"street": burn.street}))


REMEDIES: Final[dict[str, Remedy]] = {
    "put_burn_back": Remedy(rows("N5 N8"), checklist(Step("put_back_burn"))),
    "keep_burn": Remedy(rows("N10"), _keep_burn),
    "stands_burn_two": Remedy(rows("N2 N4"), _burn_two),
    "wrong_card_is_burn": Remedy(rows("N3"), _shown_to_burn),
    "extra_burn_is_board": Remedy(rows("N6"), _extra_is_board, _shown_plays),
    "extra_is_next_burn": Remedy(rows("N7 N8"), _extra_is_next_burn),
    "burn_again": Remedy(rows("N9"), _burn_again),
}
