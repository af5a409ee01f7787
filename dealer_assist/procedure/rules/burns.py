"""Burns: two before a board card (N5–N7), the preset one forgotten (N8), and the burn that speaks too soon (N10).

A burn is the dealer saying that the round is closed.
"""

from __future__ import annotations

from typing import Final

from dealer_assist.domain.alerts import Alert, Why
from dealer_assist.domain.table import STREETS, Street
from dealer_assist.domain.zones import BURN
from dealer_assist.procedure import events as ev
from dealer_assist.procedure.alignment.sensing import sensing_of
from dealer_assist.procedure.alignment.street import burned_twice
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.remedies.base import burns_before, burns_due, extra_burn
from dealer_assist.procedure.rules import entry, exposed, muck, stands
from dealer_assist.procedure.rules.deal_watch import threshold
from dealer_assist.procedure.state import PlanStep, State

#: A burn, its street's card, and the next burn take a dealer this long at least; two burns on end come sooner.
BURN_TO_BURN_MS: Final = 2400


def next_street(state: State) -> Street:
    """The street after the running one: of the same board, or the first of the next one."""
    if state.runs_left and state.run_from is not None and state.street == STREETS[-1]:
        return state.run_from
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
    """A burn after its board card: it was passed over unread, and this is it. The latest such burn, where there are several."""
    state = draft.state
    for index in range(state.at - 1, -1, -1):
        step = state.plan[index]
        if step.kind == "burn" and not step.count and _may_have_burned(draft, step.street):
            _recount(draft, index, 1)
            draft.emit(ev.CardBurned(ref, spare=False))
            return True
    return False


def _may_have_burned(draft: Draft, street: Street) -> bool:
    """Whether the dealer has not said that no card was burned before this street; what was only asked about it falls away."""
    for alert in draft.state.alerts.values():
        if alert.rule not in ("N2", "N4") or alert.street != street or alert.state == "withdrawn":
            continue
        if alert.evidence == "proven":
            return False  # the dealer said that none was burned
        draft.withdraw(alert)
    return True


def burn_card(draft: Draft, ref: str, t_ms: int) -> None:
    """A card came to the burn spot. Called once its whereabouts are noted."""
    state = draft.state
    if ref in state.burns or ref in state.spare_burns or ref in state.dead_burns:
        return
    if ref in state.scrapped or state.misdeal:
        return
    if any(slot.ref == ref for slot in state.slots) and not _from_board(draft, ref):
        return
    if draft.state.pick_due and _of_the_four(draft, ref):
        picked(draft, ref)
        draft.deadline("board", t_ms + draft.state.settle_ms)
    state = draft.state
    if _is_preset(state, ref):
        _preset_burned(draft, ref)
        return
    if ref in state.owner:
        return  # a hand that was folded over the burn spot
    if state.step.kind != "burn" and _is_out(state, ref):
        draft.emit(ev.BurnDiscounted(ref))
        return  # it is put with the burns now
    if _set_aside(draft, ref):
        return
    draft.pass_unseen()
    state = draft.state
    step = state.step
    preset_waits = state.preset_burn not in (None, "?") and state.preset_burn not in state.burns
    if step.kind == "burn" and preset_waits and not _was_dealt(state, ref):
        _preset_forgotten(draft, ref)
    elif step.kind == "burn":
        draft.emit(ev.CardBurned(ref, spare=False))
    elif step.kind in ("board", "bet") and _read_late(draft, ref):
        return
    elif step.kind == "board" and not draft.laid(step):
        draft.emit(ev.CardBurned(ref, spare=False))
        _second_burn(draft, ref)
    elif step.kind in ("bet", "deal") or len(draft.laid(step)) == step.count:
        if entry.closes_round(draft, t_ms):
            return
        draft.emit(ev.CardBurned(ref, spare=True))
        draft.deadline("burn_early", max(t_ms, entry.waited_ms(draft, state.came_ms.get(ref, t_ms))))


def _from_board(draft: Draft, ref: str) -> bool:
    """A board card on the burn spot: it becomes the burn (N1, N3), the next one (F1, N6), or it is no burn at all (R7)."""
    state = draft.state
    slot = next(slot for slot in state.slots if slot.ref == ref)
    plays = not slot.early and ref in state.faces
    if ref in state.edge_burns:
        return False  # a board card that the burn spot reads at times
    if plays and not state.pick_due and not (state.step.kind == "burn" and state.street == slot.street):
        muck.board_swept(draft, ref, BURN)
        return False
    draft.emit(ev.BoardCardGone(ref))
    return True


def _of_the_four(draft: Draft, ref: str) -> bool:
    told = draft.alert("F1") or draft.alert("F4")
    return told is not None and any(ref in why.reads for why in told.why)


def picked(draft: Draft, ref: str) -> None:
    """The floor drew this card from a scrambled flop: it is the next burn, and the others are the flop."""
    draft.emit(ev.PickExpected(on=False))
    draft.emit(ev.PresetBurn(ref, None))


def _is_preset(state: State, ref: str) -> bool:
    if ref == state.preset_burn:
        return True
    if state.preset_burn == "?" and state.replacing is not None and state.owner.get(ref) == state.replacing:
        return True
    # a card that fell off the table was never read: the first new one on the burn spot is it
    return exposed.off_table_card(state) is not None and ref not in state.owner and not _was_dealt(state, ref)


def _was_dealt(state: State, ref: str) -> bool:
    """Whether this card came to a seat in this deal: exposed cards that were taken away wait for their burn, one a street."""
    return any(pitch.ref == ref for pitch in state.pitches)


def _is_out(state: State, ref: str) -> bool:
    """Whether this card was set as a burn and another one was burned in its place (see stands.burned_instead)."""
    stood = any(alert.rule == "N8" and alert.remedy == "play_on" for alert in state.alerts.values())
    drawn_from = [alert for alert in state.alerts.values() if alert.remedy == "scramble_four"]
    drawn = any(ref in why.reads for alert in drawn_from for why in alert.why)
    return stood and state.preset_burn is None and (drawn or _was_dealt(state, ref))


def _preset_burned(draft: Draft, ref: str) -> None:
    state = draft.state
    if state.preset_burn == "?":
        assert state.replacing is not None
        taken = ref if ref in state.owner else exposed.off_table_card(state) or ref
        draft.emit(ev.HoleCardTaken(taken, state.replacing))
    if state.preset_burn != ref:
        draft.emit(ev.PresetBurn(ref, None))
    draft.emit(ev.CardBurned(ref, spare=False))


def _set_aside(draft: Draft, ref: str) -> bool:
    """A card that was reported set aside (boxed, a joker) and is read only now: no burn."""
    state = draft.state
    if not state.scrap_due or state.step.kind == "burn":
        return False
    draft.emit(ev.CardScrapped(ref))
    draft.emit(ev.ScrapExpected(state.scrap_due - 1))
    return True


def _preset_forgotten(draft: Draft, ref: str) -> None:
    """The street's burn was set (X3, D8, a drawn card) and another card was burned."""
    if "N8" in draft.state.silenced:
        draft.emit(ev.CardBurned(ref, spare=False))
        draft.emit(ev.PresetBurn(None, None))
        return
    draft.emit(ev.CardBurned(ref, spare=True))
    street = draft.state.street
    draft.raise_alert(
        "N8",
        "proven",
        params={"street": street, "next": street},
        why=(Why("read_at", {"zone": "burn", "count": 1}, reads=(ref,), weight=500),),
    )


def _second_burn(draft: Draft, ref: str) -> None:
    state = draft.state
    due = burns_due(state)
    if len(state.burns) <= due:
        return  # a burn that was not read before, or the flop's own one read late
    preset = state.preset_burn is not None and state.burns[due - 1] == state.preset_burn
    if not preset and _board_unread(draft, ref):
        return
    draft.raise_alert(
        "N8" if preset else "N5",
        "probable",
        question="boxed",
        params={"street": state.street, "next": next_street(state)},
        why=(Why("read_at", {"zone": "burn", "count": len(state.burns)}, reads=(ref,), weight=300),),
    )


def _board_unread(draft: Draft, ref: str) -> bool:
    """Whether this is rather the next street's burn, and the one card of this street was never read.

    Two burns on end follow each other at once; where a pause lies between them, in which the street can have been played, it depends on
    how well the board is read.
    """
    state = draft.state
    if state.street == "flop" or len(state.burns) < 2:
        return False
    came_ms, before_ms = state.came_ms.get(ref), state.came_ms.get(state.burns[-2])
    if came_ms is None or before_ms is None or came_ms - before_ms < BURN_TO_BURN_MS:
        return False
    between_ms = came_ms - before_ms
    if not entry.could_have_played(draft, between_ms):
        return False
    antenna = sensing_of(state.sensing, state.step.zone)
    share = burned_twice(antenna, between_ms, hears=state.step.zone in state.where.values())
    return share < threshold(draft, draft.house.parameters.cost_missed_deal_s.value)


def burn_left(draft: Draft, ref: str) -> None:
    """A card left the burn spot. Piles hide, so this counts only for the newest burn while one too many lies there."""
    state = draft.state
    told = [alert for rule in ("N8", "N5", "N6") if (alert := draft.alert(rule)) is not None]
    if not told or ref not in (extra_burn(state), *told[0].why[0].reads):
        return
    if ref not in (*state.burns[-1:], *state.spare_burns):
        return
    if ref in state.spare_burns and told[0].rule != "N8":
        return
    draft.emit(ev.BurnTakenBack(ref))
    stands.burn_due_again(draft)
    if told[0].evidence == "probable":
        draft.set_alert(
            told[0], state="closed", question=None
        )  # put right before it was answered: the dealer's save


def edge_taken_back(draft: Draft, ref: str) -> bool:
    """A card that the burn spot read for a moment lies on the board, which lacks one: it was no burn. False: it is none of those."""
    state = draft.state
    if ref not in state.edge_burns or ref not in (*state.burns, *state.spare_burns):
        return False
    draft.emit(ev.BurnTakenBack(ref))
    stands.burn_due_again(draft)
    state = draft.state
    place = next((at for at in range(state.at - 1, -1, -1) if state.plan[at].kind == "burn"), None)
    if place is not None and state.plan[place].count and len(state.burns) < burns_before(state, place + 1):
        _recount(draft, place, 0)  # that street's burn was not read
    if not state.spare_burns:
        draft.deadline("burn_early", None)
        draft.withdraw_asked("N10")
    if len(state.burns) <= burns_due(state):
        draft.withdraw_asked("N5")
    return True


def board_shown(draft: Draft) -> bool:
    """The board lies there after two burns that the dealer confirmed: no longer N5 or N8. Returns whether it does not stand."""
    for rule in ("N5", "N8"):
        alert = draft.alert(rule)
        if alert is None or alert.evidence != "proven" or alert.street != draft.state.street:
            continue
        if extra_burn(draft.state) is None:
            continue
        draft.cancel_remedy(alert)
        draft.withdraw(alert)
        _shown_after_two(draft, alert)
        return any(slot.early for slot in draft.state.board)
    return False


def _shown_after_two(draft: Draft, alert: Alert) -> None:
    """N6 before anybody acted, N7 after: what the extra burn is depends on it."""
    street = alert.street
    rule = stands.row_now(draft, "N6", street)
    raised = draft.raise_alert(
        rule,
        "probable",
        street=street,
        params={"street": street, "next": alert.params["next"]},
        why=alert.why,
        answered="no",
    )
    if raised is None:
        return
    asks = rule == "N6" and street == "flop" and draft.house.rules[rule].not_faced is not None
    stands.extra_counts_for_nothing(draft, draft.prove(raised, question="turned_up" if asks else None))


def answered_boxed(draft: Draft, alert: Alert, answer: str) -> None:
    """Boxed card set aside? Yes: it is no burn, and nothing is wrong (K6). No: two burns; the second goes back."""
    alert = draft.set_alert(alert, answered="yes" if answer == "yes" else "no")
    state = draft.state
    if answer == "no":
        shown = any(slot.street == alert.street and not slot.early for slot in state.board)
        packet = stands.counted(draft, alert.street)  # too many cards came after them: ruled on together
        if shown and not packet and alert.rule != "N7" and stands.row_now(draft, "N6", alert.street) == "N6":
            draft.withdraw(alert)
            _shown_after_two(draft, alert)
        else:
            stands.extra_counts_for_nothing(draft, draft.prove(alert))
        return
    draft.set_alert(alert, question=None, state="closed")
    for ref in alert.why[0].reads:
        draft.emit(ev.CardScrapped(ref))
        draft.note("K6", alert.why[0], params={"count": 1})


def burned_early(draft: Draft) -> None:
    """The taps had their time: a burn lies there and seats still have to act."""
    state = draft.state
    if draft.round_complete or draft.bets.over or not state.spare_burns or state.step.kind != "bet":
        return
    if any(draft.alert(rule) for rule in ("R1", "R2", "R3", "N8")) or entry.tapping(draft, "burn_early"):
        return
    alert = draft.raise_alert(
        "N10",
        "probable",
        question="acted",
        params={"seats": list(draft.bets.pending), "next": next_street(state)},
        why=(
            Why("read_at", {"zone": "burn", "count": 1}, reads=state.spare_burns, weight=300),
            Why("seats_pending", {"seats": list(draft.bets.pending)}, weight=200),
        ),
    )
    if alert is not None and state.held_open == state.street:
        draft.prove(draft.set_alert(alert, answered="no"))  # the dealer has said so
