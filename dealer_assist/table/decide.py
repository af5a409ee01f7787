"""``decide(hand, input) -> events``: one input of a running hand against procedure and betting together. Pure."""

from __future__ import annotations

from dealer_assist.betting import Action
from dealer_assist.domain.commands import Refused
from dealer_assist.domain.zones import MUCK
from dealer_assist.procedure import engine
from dealer_assist.procedure import events as pe
from dealer_assist.procedure.rules import muck
from dealer_assist.procedure.rules.muck import holds_cards
from dealer_assist.procedure.state import Exit
from dealer_assist.table import events as te
from dealer_assist.table import inputs as inp
from dealer_assist.table.action import settle_turns, take
from dealer_assist.table.decision import Decision
from dealer_assist.table.events import TableEvent
from dealer_assist.table.hand import Hand
from dealer_assist.table.opening import Rules
from dealer_assist.table.rulings import note_ruling
from dealer_assist.table.told import told


def decide(hand: Hand, given: inp.Input, rules: Rules) -> tuple[Hand, list[TableEvent], Refused | None]:
    """Judge one input. A refused command decides nothing."""
    decision = Decision(hand, rules, given.t_ms)
    match given:
        case inp.CardPlaced():
            changed = decision.place(
                given.ref,
                given.zone,
                since_ms=given.since_ms,
                first_ms=given.first_ms,
                t_ms=given.t_ms,
                same_face=given.same_face,
                in_game=given.in_game,
            )
            if given.zone == MUCK:
                _reached_muck(decision, given.ref)
            if changed:
                decision.follow()
        case inp.CardGlimpsed():
            decision.judge(
                lambda draft: engine.glimpsed(draft, given.ref, given.zone, given.first_ms, given.t_ms)
            )
        case inp.CardRemoved():
            draft = decision.draft()
            engine.removed(draft, given.ref, given.zone, given.t_ms, last_ms=given.last_ms)
            decision.adopt(draft)
            if draft.events:
                decision.follow()
        case inp.Told():
            refused = told(decision, given.command)
            if refused is not None:
                return hand, [], refused
            note_ruling(decision, hand, given)
            decision.follow()
        case inp.TimePassed():
            _time_passed(decision)
        case inp.FaceRevealed():
            if not _public(hand, given.ref):
                return hand, [], None  # what made it public was undone
            decision.judge(lambda draft: engine.face_shown(draft, given.ref, given.face, given.t_ms))
            decision.follow()
        case inp.ReadersKnown():
            decision.emit(pe.ReadersChanged(given.zones))
            decision.judge(lambda draft: engine.settle(draft, given.t_ms))
            decision.follow()
        case inp.DeckKnown():
            decision.judge(
                lambda draft: engine.deck_known(draft, given.state, given.count, given.expected, given.t_ms)
            )
        case inp.SensingKnown():
            decision.emit(pe.AntennasKnown(given.sensing))
        case inp.StrangeCard():
            draft = decision.draft()
            if given.gone:
                engine.foreign_gone(draft, given.ref, given.t_ms)
            else:
                engine.foreign(draft, given.ref, given.zone, given.t_ms, other_deck=given.other_deck)
            decision.adopt(draft)
        case inp.CardLeftLying():
            decision.judge(lambda draft: engine.left_lying(draft, given.ref, given.seat))
        case inp.CardExited():
            exit_ = Exit(given.exit_ms, given.face, given.missed)
            decision.judge(lambda draft: engine.exited(draft, exit_, given.t_ms))
        case inp.Superseded():
            raise ValueError("a superseded input is not judged: the inputs after it are, again")
    if decision.events:
        settle_turns(decision)
    return decision.hand, decision.events, None


def _public(hand: Hand, ref: str) -> bool:
    return ref in hand.procedure.asked or any(ref in refs for refs in hand.tabled.values())


def _time_passed(decision: Decision) -> None:
    decision.judge(lambda draft: engine.time_passed(draft, decision.t_ms))
    due = decision.hand.fold_due_ms
    seat = decision.hand.betting.to_act
    if due is not None and due <= decision.t_ms and seat is not None:
        take(decision, Action(seat, "fold", assumed=True))
    clock = decision.hand.running_clock()
    if clock is not None and not decision.hand.clock_over and clock.until_ms <= decision.t_ms:
        decision.emit(te.ClockRanOut(clock.seat))
    decision.follow()


def _reached_muck(decision: Decision, ref: str) -> None:
    """A card of a live hand in the muck is a fold, in or out of turn, known from one card (DESIGN §4 Zones)."""
    hand = decision.hand
    seat = hand.procedure.owner.get(ref)
    if seat is None or hand.settlement is not None or seat not in hand.bets.live:
        return
    if holds_cards(hand.procedure, seat):
        return  # a discard
    draft = decision.draft()
    if decision.leads(seat):
        muck.tabled_hand_mucked(draft, seat)
        engine.settle(draft, decision.t_ms)
        decision.adopt(draft)
        return
    if muck.protected(draft, seat):
        muck.hand_mucked(draft, seat, decision.t_ms)
        engine.settle(draft, decision.t_ms)
        decision.adopt(draft)
        return
    muck.everything_swept(draft, decision.t_ms)
    decision.adopt(draft)
    if hand.procedure.step.kind == "show" or hand.bets.runout:
        if seat not in hand.tabled and seat not in hand.mucked and len(hand.bets.live) - len(hand.mucked) > 1:
            decision.emit(te.SeatMucked(seat))
