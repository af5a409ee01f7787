"""Remedies of deck faults: a void hand, a card set aside, a deck counted or changed, the stub put right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dealer_assist.domain.alerts import Alert, Step
from dealer_assist.domain.zones import BURN
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.catalogue import ROWS
from dealer_assist.procedure.remedies.base import Remedy, checklist, rows, unseen
from dealer_assist.procedure.state import PlanStep

if TYPE_CHECKING:
    from dealer_assist.procedure.draft import Draft


def _void(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """Every chip goes back once the floor has seen it by eye (K1 step 2). Until then cards and chips stay where they are."""
    if alert.answered != "yes" and alert.ruled != "void":
        return (unseen("freeze"), Step("floor_confirms"), unseen("refund"), unseen("new_setup"))
    draft.emit(ev.HandEnded("void"))
    done = [Step(code, state="done", seen=False) for code in ("freeze", "floor_confirms")]
    return (*done, Step("refund"), unseen("new_setup"))


def _shuffle_now(draft: Draft) -> None:
    """The stub is shuffled before the next card that comes from it: nothing known of its order is true any more."""
    state = draft.state
    for place in range(state.at, len(state.plan)):
        step = state.plan[place]
        if step.kind == "shuffle":
            return
        if step.kind in ("burn", "board", "deal") and (place > state.at or step.kind != "deal"):
            draft.rewrite((PlanStep("shuffle", step.street, 0), *state.plan[place:]), keep=place)
            return


def _reshuffle_stub(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    _shuffle_now(draft)
    return (unseen("stub_cards_only"), unseen("shuffle_cut_stub"), Step("deal_goes_on"))


def _reshuffle_all(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """RP-4 (3): muck and burns are in the mix, so every one of their cards can come again."""
    _shuffle_now(draft)
    state = draft.state
    mix = (*sorted(state.mucked | state.dead_burns), *state.burns, *state.spare_burns)
    draft.emit(ev.MuckShuffledIn(mix))
    return (unseen("stub_and_muck"), unseen("shuffle_cut_stub"), Step("deal_goes_on"))


def _take_out(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """The card does not play. Where it came from nobody knows, so the stub is shuffled."""
    for ref in _read(alert):
        draft.emit(ev.CardScrapped(ref, burned=ref in draft.state.burns))
    _shuffle_now(draft)
    zone = alert.params.get("zone", "")
    return (
        unseen("call_floor"),
        Step("card_out", {"zone": zone}),
        unseen("shuffle_cut_stub"),
        *_replaced(draft, alert),
    )


def _scrap(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """The card does not play: it is laid aside, and where a seat lacks one for it the seat gets the next card after the round."""
    if _read(alert):
        zone = str(alert.params.get("zone", ""))
        if zone != BURN:
            return (Step("card_out", {"zone": zone}), *_replaced(draft, alert))
        aside = unseen("set_aside_scrap")
    else:
        count = int(alert.params.get("count") or 1) if alert.rule == "K7" else 1
        draft.emit(ev.ScrapExpected(draft.state.scrap_due + count))
        aside = unseen("set_aside_scrap")
    return (aside, *(_replaced(draft, alert) or (Step("deal_goes_on"),)))


def _read(alert: Alert) -> tuple[str, ...]:
    """The cards that the alert rests on, as far as readers saw them."""
    return alert.why[0].reads


def _replaced(draft: Draft, alert: Alert) -> tuple[Step, ...]:
    """The card that a seat gets in place of one that does not play, while nobody has acted; none where it has all of its own."""
    seat, state = alert.seat, draft.state
    if seat is None or seat not in state.order or alert.street != "preflop" or draft.bets.actions:
        return ()
    if len(state.held.get(seat, ())) >= state.hole:
        return ()
    return (Step("missing_card_to", {"seat": seat}),)


REMEDIES: Final[dict[str, Remedy]] = {
    "void": Remedy(rows("K1 K2 K7 K8 R6"), _void),
    "scrap": Remedy(rows("K3 K6 K7 X7"), _scrap),
    "count_deck": Remedy(rows("K4 K5 K9"), checklist(Step("finish_hand"), unseen("count_deck"))),
    "change_deck": Remedy(
        rows("K2 K5"),
        checklist(unseen("do_not_deal"), unseen("check_shuffler"), unseen("other_deck"), Step("fresh_deck")),
    ),
    "rebuild_stub": Remedy(
        rows("K8 A16 K2"), checklist(unseen("call_floor"), unseen("rebuild_stub"), Step("deal_goes_on"))
    ),
    "reshuffle_stub": Remedy(rows("K8 A16 K2"), _reshuffle_stub),
    "reshuffle_all": Remedy(rows("K8 A16 K2"), _reshuffle_all),
    "take_out": Remedy(rows("K2 K11"), _take_out),
    "pick_up": Remedy(rows("K13"), checklist(Step("pick_up")), of_seat=True),
    "re_present": Remedy(rows("K10"), checklist(Step("card_known"))),
    "play_on": Remedy(frozenset(ROWS), checklist()),
    "floor": Remedy(frozenset(ROWS), checklist(unseen("call_floor"), Step("floor_rules"))),
}
