"""Remedies of burns: put back, kept, moved to the board, made up for on the next street."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from dealer_assist.domain.alerts import Alert, Step
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.remedies.base import (
    Remedy,
    board_steps,
    checklist,
    index,
    rows,
    unseen,
    use_spare_burn,
)
from dealer_assist.procedure.remedies.base import after as rest_after
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


def _extra_is_board(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """RROP #5: the second burn is the card that should have been turned; the one that was turned is the next burn."""
    state = draft.state
    street = alert.street
    extra = state.burns[-1] if state.burns else None
    if extra is not None:
        draft.emit(ev.BurnTakenBack(extra))
    shown = tuple([slot.ref for slot in state.board if slot.street == street and not slot.early])
    draft.emit(ev.BoardJudged(shown, early=True))
    place = index(draft.state, "board", street)
    assert place is not None
    tail = (PlanStep("gather", street, 0), *board_steps(state, street), *rest_after(state, "board", street))
    draft.rewrite(tail, keep=place)
    later = any(step.kind == "burn" for step in rest_after(draft.state, "board", street))
    if later and shown:
        draft.emit(ev.PresetBurn(shown[-1], None))
    last = Step("shown_is_next_burn", {"street": street}) if later else unseen("shown_is_dead")
    return (unseen("call_floor"), Step("shown_off_board"), Step("extra_to_board", {"street": street}), last)


def _extra_is_next_burn(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """The extra burn lies where it is and is the next street's, which takes none."""
    for ref in draft.state.spare_burns:
        draft.emit(ev.SpareBurnUsed(ref))
    return (
        unseen("leave_burn"),
        Step("no_second_burn", {"street": str(alert.params.get("next", alert.street))}),
    )


def _burn_again(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """The burn that was seen goes into the stub, which is shuffled, and another card is burned."""
    state = draft.state
    street = alert.street
    if state.burns:
        draft.emit(ev.BurnTakenBack(state.burns[-1]))
    place = index(draft.state, "board", street)
    burn = next((step for step in state.base if step.kind == "burn" and step.street == street), None)
    if place is None or burn is None:
        return (unseen("call_floor"),)
    first = min(place, draft.state.at)
    draft.rewrite((PlanStep("shuffle", burn.street, 0), burn, *draft.state.plan[place:]), keep=first)
    return (unseen("burn_to_stub"), unseen("shuffle_cut_stub"), Step("burn_anew", {"street": street}))


REMEDIES: Final[dict[str, Remedy]] = {
    "put_burn_back": Remedy(rows("N5 N8"), checklist(Step("put_back_burn"))),
    "keep_burn": Remedy(rows("N10"), _keep_burn),
    "stands_burn_two": Remedy(rows("N2 N4"), _burn_two),
    "wrong_card_is_burn": Remedy(
        rows("N3"), checklist(unseen("call_floor"), Step("shown_to_burn"), Step("next_card_board"))
    ),
    "extra_burn_is_board": Remedy(rows("N6"), _extra_is_board),
    "extra_is_next_burn": Remedy(rows("N4 N7 N8"), _extra_is_next_burn),
    "burn_again": Remedy(rows("N9"), _burn_again),
}
