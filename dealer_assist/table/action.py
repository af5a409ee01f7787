"""Actions and counts at the table: what a seat does, what a count of its chips says, and who has acted before it (by exception)."""

from __future__ import annotations

from dealer_assist import betting
from dealer_assist.betting import Action, ActionRefused
from dealer_assist.domain import commands as cmd
from dealer_assist.domain.commands import Refused
from dealer_assist.domain.table import STREETS
from dealer_assist.procedure import engine, said
from dealer_assist.table import events as te
from dealer_assist.table.decision import Decision
from dealer_assist.table.opening import amount_rules


def take(decision: Decision, action: Action, *, counted: bool = False) -> Refused | None:
    """Take an action of the seat whose turn it is, or refuse it. ``counted``: its amount wins over what the seat was thought to have."""
    other, behind = betting.recount(decision.hand.betting, action, counted=counted)
    if other:
        refused = _rebase(decision, action.seat, behind, "counted")
        if refused is not None:
            return refused
        if action.kind == "all_in" or (action.kind == "call" and behind is not None):
            action = Action(action.seat, "all_in", assumed=action.assumed)
    try:
        decision.emit(te.ActionTaken(action, decision.t_ms))
    except ActionRefused as error:
        return error.refusal
    decision.judge(lambda draft: engine.bets_changed(draft, decision.t_ms))
    return None


def act(decision: Decision, command: cmd.Act) -> Refused | None:
    """A player's action as it was entered."""
    hand = decision.hand
    if hand.procedure.misdeal or hand.procedure.ended:
        return Refused("hand_complete")
    if command.seat not in hand.betting.setup.seats:
        return Refused("bad_seat", {"seat": command.seat})
    if command.action == "fold" and hand.betting.is_folded(command.seat):
        return None  # the cards said so already
    _prepare(decision, command.seat)
    if (
        command.action == "fold"
        and command.seat != decision.hand.betting.to_act
        and command.seat in decision.hand.bets.live
    ):
        if decision.hand.bets.complete or len(decision.hand.bets.live) < 2:
            return Refused("hand_complete")
        decision.emit(te.FoldedOutOfTurn(command.seat, assumed=False))
        decision.judge(lambda draft: engine.bets_changed(draft, decision.t_ms))
        return None
    amounts = hand.betting.setup.amounts
    if (
        not amounts
        and command.seat != decision.hand.betting.to_act
        and command.seat in decision.hand.bets.live
    ):
        return _told_anyway(decision, command)
    to = command.to if amounts else None
    action = Action(command.seat, command.action, to, ruled=command.ruled)
    return take(decision, action, counted=command.counted)


def _told_anyway(decision: Decision, command: cmd.Act) -> Refused | None:
    """Without amounts nobody knows who still has to act: an all-in is told all the same, a check or call says nothing new."""
    if command.action == "all_in":
        decision.emit(te.AllInSaid(command.seat))
        decision.judge(lambda draft: engine.bets_changed(draft, decision.t_ms))
    elif command.action not in ("check", "call"):
        return Refused("not_to_act", {"to_act": decision.hand.betting.to_act or 0})
    return None


def irregular(decision: Decision, command: cmd.Irregular) -> Refused | None:
    """What a seat said and pushed, read by the house. Before its turn it is kept, and the dealer is told (A1)."""
    hand = decision.hand
    if hand.procedure.misdeal or hand.procedure.ended:
        return Refused("hand_complete")
    if command.seat not in hand.bets.live:
        return Refused("bad_seat", {"seat": command.seat})
    if not hand.betting.setup.amounts:
        return Refused("no_amounts")
    _prepare(decision, command.seat)
    state = decision.hand.betting
    if state.to_act is not None and state.to_act != command.seat:
        if command.seat not in decision.hand.bets.pending:
            return Refused("not_to_act", {"to_act": state.to_act})
        decision.emit(te.ActionKept(command.seat, command, state.current_bet))
        decision.judge(lambda draft: said.report(draft, "A1", command.seat, "dealer", 1, decision.t_ms))
        return None
    return read_amount(decision, command)


def call_clock(decision: Decision, command: cmd.CallClock) -> Refused | None:
    """The clock is called on a seat whose turn it is: from now it has the house's seconds (TDA 29). Nothing is done when they are over."""
    seconds = decision.rules.house.parameters.clock_s.value
    if not seconds:
        return Refused("no_clock")
    if command.seat not in decision.hand.bets.live:
        return Refused("bad_seat", {"seat": command.seat})
    _prepare(decision, command.seat)
    state = decision.hand.betting
    if state.to_act != command.seat or decision.hand.procedure.step.kind != "bet":
        return Refused("not_to_act", {"to_act": state.to_act or 0})
    until_ms = decision.t_ms + seconds * 1000
    decision.emit(te.ClockCalled(command.seat, seconds, until_ms, len(state.log)))
    return None


def read_amount(decision: Decision, command: cmd.Irregular) -> Refused | None:
    """The house reads what the seat to act did, and it is done."""
    rules = amount_rules(decision.rules.house)
    pushed = betting.Pushed(
        command.seat, command.said, command.amount, command.chips, command.more, command.unclear
    )
    ruled = betting.ruled_amount(rules, decision.hand.betting, pushed)
    if isinstance(ruled, Refused):
        return ruled
    action = ruled.action
    string = ruled.also is not None
    decision.emit(
        te.AmountRuled(
            command.seat,
            None if action is None else action.kind,
            ruled.to,
            ruled.back,
            ruled.owes,
            ruled.reason,
            ruled.rule,
            string,
        )
    )
    return None if action is None else take(decision, action)


def settle_turns(decision: Decision) -> None:
    """After an input: who gave up his raise, and whose turn has come that had acted before it."""
    if decision.hand.procedure.alerts or decision.hand.betting.passive or decision.hand.call_or_fold:
        _give_up_raises(decision)
    while decision.hand.kept:
        state = decision.hand.betting
        kept = None if state.to_act is None else decision.hand.kept.get(state.to_act)
        if kept is None or decision.hand.procedure.step.kind != "bet":
            return
        binding = state.current_bet == kept.level
        decision.emit(te.KeptActionDue(kept.seat, binding))
        if binding and read_amount(decision, kept.command) is None:
            decision.follow()


def _give_up_raises(decision: Decision) -> None:
    """The seats that a ruling, still to be carried out, lets only check, call or fold on this street."""
    hand = decision.hand
    street = STREETS[hand.betting.street]
    seats = {
        int(step.params["seat"])
        for alert in hand.procedure.alerts.values()
        if alert.state in ("open", "fixing")
        for step in alert.steps
        if step.code == "call_or_fold"
        and step.state in ("pending", "current")
        and step.params["street"] == street
    }
    seats.update(hand.call_or_fold)
    given_up = tuple([seat for seat in hand.bets.live if seat in seats])
    if given_up != hand.betting.passive:
        decision.emit(te.RaiseGivenUp(given_up))


def _prepare(decision: Decision, seat: int) -> None:
    """What an action of this seat says of what came before it."""
    hand = decision.hand
    if (hand.betting.to_act is None and not hand.bets.over) or hand.procedure.step.kind in engine.BEFORE_BET:
        draft = decision.draft()
        if engine.board_acted_on(draft, decision.t_ms):
            decision.adopt(draft)
            decision.follow()
    if decision.rules.entry == "by_exception":
        _assume_before(decision, seat)


def set_stack(decision: Decision, command: cmd.SetStack) -> Refused | None:
    """So much lies behind a seat of the hand now."""
    if decision.rules.tracking == "cards":
        return Refused("no_amounts")
    if command.seat not in decision.hand.betting.setup.seats:
        return Refused("bad_seat", {"seat": command.seat})
    if command.behind is not None and command.behind < 0:
        return Refused("bad_command", {"reason": "stack"})
    if decision.hand.settlement is not None:
        decision.emit(te.AwardTakenBack())  # awarded again with the stacks as they are
    refused = _rebase(decision, command.seat, command.behind, "set")
    if refused is None:
        decision.judge(lambda draft: engine.bets_changed(draft, decision.t_ms))
    return refused


def _rebase(decision: Decision, seat: int, behind: int | None, why: te.RebasedWhy) -> Refused | None:
    believed = decision.hand.betting.known_stack_of(seat)
    try:
        decision.emit(te.StackRebased(seat, behind, believed, why))
    except ActionRefused as error:
        return error.refusal
    return None


def _assume_before(decision: Decision, seat: int) -> None:
    """By exception: the seats before the one that is entered now have folded, checked or called."""
    if seat not in decision.hand.bets.live:
        return
    for _ in range(len(decision.hand.betting.setup.seats)):
        if decision.hand.betting.to_act in (seat, None):
            return
        decision.assume_action()
