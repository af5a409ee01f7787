"""Burns: N5 (two before a board card) and the burn that speaks too soon, N10. A burn is the dealer saying that the round is closed."""

from __future__ import annotations

from dealer_assist.domain.alerts import Alert, Why
from dealer_assist.domain.table import STREETS, Street
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.state import PlanStep, State


def next_street(state: State) -> Street:
    """The street after the running one."""
    return STREETS[min(STREETS.index(state.street) + 1, len(STREETS) - 1)]


def skip_unread(draft: Draft) -> None:
    """The burn that is due was taken and not read: its step counts no card, so that the next one is not taken for it."""
    state = draft.state
    _recount(draft, state.at, 0)
    draft.emit(ev.StepReached(state.at + 1))


def _recount(draft: Draft, index: int, count: int) -> None:
    plan = list(draft.state.plan)
    plan[index] = PlanStep("burn", plan[index].street, count)
    draft.emit(ev.PlanRewritten(tuple(plan), draft.state.at))


def _read_late(draft: Draft, ref: str) -> bool:
    """A burn after its board card: the last one due was passed over unread, and this is it."""
    state = draft.state
    last = max((index for index in range(state.at) if state.plan[index].kind == "burn"), default=None)
    if last is None or state.plan[last].count:
        return False
    _recount(draft, last, 1)
    draft.emit(ev.CardBurned(ref, spare=False))
    return True


def burn_card(draft: Draft, ref: str, t_ms: int) -> None:
    """A card came to the burn spot. Called once its whereabouts are noted."""
    state = draft.state
    if ref in state.burns or ref in state.spare_burns or state.misdeal:
        return
    if ref == state.preset_burn or (state.preset_burn == "?" and state.owner.get(ref) == state.replacing):
        if state.preset_burn == "?":
            assert state.replacing is not None
            draft.emit(ev.HoleCardTaken(ref, state.replacing))
            draft.emit(ev.PresetBurn(ref, state.replacing))
        draft.emit(ev.CardBurned(ref, spare=False))
        return
    if ref in state.owner:
        return  # a hand that was folded over the burn spot
    if any(slot.ref == ref for slot in state.board):
        draft.emit(ev.BoardCardGone(ref))  # N1 not faced: the top of the three becomes the burn
    step = state.step
    if step.kind == "shuffle":
        step = state.plan[state.at + 1]
        draft.emit(ev.StepReached(state.at + 1))
    if step.kind == "burn":
        draft.emit(ev.CardBurned(ref, spare=False))
    elif step.kind in ("board", "bet") and _read_late(draft, ref):
        return
    elif step.kind == "board" and not _laid(state, step):
        draft.emit(ev.CardBurned(ref, spare=False))
        _second_burn(draft, ref)
    elif step.kind in ("bet", "deal") or len(_laid(state, step)) == step.count:
        draft.emit(ev.CardBurned(ref, spare=True))
        draft.deadline("burn_early", t_ms + int(draft.house.parameters.tap_grace_s * 1000))


def _laid(state: State, step: PlanStep) -> list[str]:
    return [slot.ref for slot in state.board if slot.street == step.street and not slot.early]


def _second_burn(draft: Draft, ref: str) -> None:
    if len(draft.state.burns) <= _due(draft.state):
        return  # a burn that was not read before, or the flop's own one read late
    draft.raise_alert(
        "N5",
        "probable",
        question="boxed",
        params={"street": draft.state.street},
        why=(
            Why(
                "read_at",
                {"zone": "burn", "count": len(draft.state.burns)},
                reads=(ref,),
                weight=300,
            ),
        ),
    )


def _due(state: State) -> int:
    return sum(step.count for step in state.plan[: state.at + 1] if step.kind == "burn")


def burn_left(draft: Draft, ref: str) -> None:
    """A card left the burn spot. Piles hide, so this counts only for the newest burn while one too many lies there."""
    state = draft.state
    alert = draft.alert("N5")
    if alert is None or not state.burns or state.burns[-1] != ref or len(state.burns) <= _due(state):
        return
    draft.emit(ev.BurnTakenBack(ref))
    if alert.evidence == "probable":
        draft.set_alert(
            alert, state="closed", question=None
        )  # put right before it was answered: the dealer's save


def answered_boxed(draft: Draft, alert: Alert, answer: str) -> None:
    """Boxed card set aside? Yes: it is no burn, and nothing is wrong (K6). No: two burns; the second goes back."""
    if answer == "no":
        draft.prove(draft.set_alert(alert, answered="no"))
        return
    draft.set_alert(alert, answered="yes", question=None, state="closed")
    if len(draft.state.burns) > _due(draft.state):
        draft.emit(ev.BurnTakenBack(draft.state.burns[-1]))


def burned_early(draft: Draft) -> None:
    """The taps had their time: a burn lies there and seats still have to act."""
    state = draft.state
    if draft.round_complete or draft.bets.over or not state.spare_burns or state.step.kind != "bet":
        return
    if any(draft.alert(rule) for rule in ("R1", "R2", "R3")):
        return
    draft.raise_alert(
        "N10",
        "probable",
        question="acted",
        params={"seats": list(draft.bets.pending), "next": next_street(state)},
        why=(
            Why(
                "read_at",
                {"zone": "burn", "count": 1},
                reads=state.spare_burns,
                weight=300,
            ),
            Why("seats_pending", {"seats": list(draft.bets.pending)}, weight=200),
        ),
    )
