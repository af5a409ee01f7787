"""What people tell the table while a hand runs: actions, reports, answers, shown and given-up hands, cards entered by hand."""

from __future__ import annotations

from dealer_assist import betting
from dealer_assist.betting import ActionRefused
from dealer_assist.domain import commands as cmd
from dealer_assist.domain.alerts import Why
from dealer_assist.domain.cards import NotACard, parse_face
from dealer_assist.domain.commands import Refused
from dealer_assist.domain.table import Street
from dealer_assist.domain.zones import BOARD, BOARDS, BURN, seat_of, seat_zone
from dealer_assist.procedure import engine, said
from dealer_assist.procedure import events as pe
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.remedies.base import board_steps
from dealer_assist.procedure.rules import burns, entry
from dealer_assist.procedure.rules.board import read_late
from dealer_assist.procedure.state import State
from dealer_assist.table import events as te
from dealer_assist.table.action import act, call_clock, irregular, set_stack
from dealer_assist.table.decision import Decision
from dealer_assist.table.straddles import straddle

#: Cards that one tap can put at a zone: more than any wrong flop has.
_TAPPED_AT_MOST = 10


def told(decision: Decision, command: cmd.Command) -> Refused | None:
    """Carry out a command, or refuse it; what a refused one has put into ``decision`` is thrown away."""
    hand = decision.hand
    if hand.result:
        return Refused("hand_not_open")
    if hand.procedure.ended and not _fits_a_void_hand(command):
        return Refused("hand_complete")
    if hand.procedure.misdeal and isinstance(command, cmd.Tabled | cmd.Mucked | cmd.EnterCard):
        return Refused("hand_complete")
    t_ms = decision.t_ms
    match command:
        case cmd.Act():
            return act(decision, command)
        case cmd.Irregular():
            return irregular(decision, command)
        case cmd.SetStack():
            return set_stack(decision, command)
        case cmd.Report():
            return decision.judge(
                lambda draft: said.report(draft, command.row, command.seat, command.by, command.count, t_ms)
            )
        case cmd.Answer():
            return decision.judge(lambda draft: said.answer(draft, command.alert, command.answer, t_ms))
        case cmd.Respond():
            refused = decision.judge(lambda draft: said.respond(draft, command.alert, command.response, t_ms))
            if refused is None and command.response == "call_floor":
                decision.emit(te.FloorCalled())
            return refused
        case cmd.Rule():
            return decision.judge(lambda draft: said.rule(draft, command.alert, command.option, t_ms))
        case cmd.Correct():
            # the amended action itself is judged in its own place
            return decision.judge(lambda draft: said.corrected(draft, command.seat, t_ms))
        case cmd.SetSeat():
            return _seat_status(decision, command)
        case cmd.SetPoint():
            return decision.judge(lambda draft: said.set_point(draft, command.seat, command.card, t_ms))
        case cmd.Straddle():
            return straddle(decision, command)
        case cmd.Unfold():
            return _unfold(decision, command.seat)
        case cmd.LogEvent():
            return _log_event(decision, command)
        case cmd.Shuffled():
            return decision.judge(lambda draft: engine.deck_known(draft, "ready", None, None, t_ms))
        case cmd.CallClock():
            return call_clock(decision, command)
        case cmd.CallFloor():
            decision.emit(te.FloorCalled())
            return None
        case cmd.Void():
            decision.void()
            return None
        case cmd.RunIt():
            if _shown_hand_closes(decision):
                decision.assume_round()
            return decision.judge(lambda draft: said.run_it(draft, command.times, t_ms))
        case cmd.Tabled():
            return _table(decision, command.seat)
        case cmd.Mucked():
            return _give_up(decision, command.seat)
        case cmd.EnterCard():
            return _enter(decision, command)
        case cmd.TapZone():
            return _tap_zone(decision, command)
        case cmd.PushPots():
            return _push(decision, command)
        case _:
            return Refused("bad_command", {"reason": "not_in_a_hand"})


def _fits_a_void_hand(command: cmd.Command) -> bool:
    """A void hand takes its chips back and nothing else; a slip of the finger is undone, not answered again."""
    if isinstance(command, cmd.Respond):
        return command.response in ("call_floor", "fixing")
    return isinstance(command, cmd.PushPots | cmd.CallFloor | cmd.Void)


def _push(decision: Decision, command: cmd.PushPots) -> Refused | None:
    """The pots go. Chips pushed otherwise than the tabled hands say are told once (P3); pushed so again, they lie where they lie."""
    hand = decision.hand
    if hand.settlement is None and hand.procedure.ended not in ("void", "chopped"):
        return Refused("cannot_push", {"reason": "not_decided"})
    settlement = hand.settlement
    if command.to and settlement is not None and not hand.betting.setup.amounts:
        return _pushed_to(decision, command, settlement.awards)
    due = settlement.pushed() if settlement is not None else {}
    if not command.to or settlement is None or _as_words(command.to) == _as_words(due):
        decision.close()
        return None
    total = sum(due.values())
    unknown = [seat for seat in command.to if seat not in hand.betting.setup.seats]
    if unknown:
        return Refused("bad_seat", {"seat": unknown[0]})
    if sum(command.to.values()) != total or min(command.to.values()) < 0:
        return Refused("chips_elsewhere", {"sum": sum(command.to.values()), "pot": total})
    if not _decided_by_shown_hands(decision):
        decision.close(pushed=command.to)
        return None
    draft = decision.draft()
    told_before = draft.alert("P3", open_only=False)
    if told_before is None or told_before.params.get("to") != _as_words(command.to):
        _wrong_push(draft, command.to, due, settlement.stacks)
        decision.adopt(draft)
        return None
    decision.close(pushed=command.to)
    return None


def _pushed_to(decision: Decision, command: cmd.PushPots, awards: dict[int, int]) -> Refused | None:
    """Without amounts: to whom the pots went is compared, told once (P3) where that is somebody else."""
    got = {seat for seat, amount in command.to.items() if amount or seat in awards}
    draft = decision.draft()
    told_before = draft.alert("P3", open_only=False)
    if got == awards.keys() or told_before is not None or not _decided_by_shown_hands(decision):
        decision.close()
        return None
    params = {
        "to": dict.fromkeys(map(str, sorted(got)), 0),
        "due": dict.fromkeys(map(str, sorted(awards)), 0),
    }
    seat = next((seat for seat in sorted(got) if seat not in awards), None)
    why = (Why("pushed_otherwise", params, weight=1000),)
    draft.raise_alert("P3", "proven", seat=seat, params=params, why=why)
    decision.adopt(draft)
    return None


def _decided_by_shown_hands(decision: Decision) -> bool:
    """Whether every hand that was still in, and every one that wins, lies face up: with no other is a push ever compared."""
    hand = decision.hand
    left = [seat for seat in (*hand.bets.live, *hand.for_the_fund()) if seat not in hand.mucked]
    won = hand.settlement.pushed() if hand.settlement is not None else {}
    return not hand.bets.over and all(seat in hand.tabled for seat in (*left, *won))


def _wrong_push(draft: Draft, to: dict[int, int], due: dict[int, int], stacks: dict[int, int]) -> None:
    """Say where the chips went and where they belong, and what each seat has if they stay there."""
    seat = next((seat for seat in sorted(to) if to[seat] > due.get(seat, 0)), None)
    params = {"to": _as_words(to), "due": _as_words(due)}
    why = [Why("pushed_otherwise", params, weight=1000)]
    for other in sorted(to.keys() | due.keys()):
        got, won = to.get(other, 0), due.get(other, 0)
        if got == won:
            continue
        amounts = {"seat": other, "amount": got, "due": won}
        if other in stacks:
            why.append(Why("pushed_to", {**amounts, "stack": stacks[other] - won + got}, weight=1000))
        else:
            why.append(Why("pushed_to_uncounted", amounts, weight=1000))
    told_before = draft.alert("P3")
    if told_before is not None:
        draft.set_alert(told_before, seat=seat, params=params, why=tuple(why))
        return
    draft.raise_alert("P3", "proven", seat=seat, params=params, why=tuple(why))


def _as_words(amounts: dict[int, int]) -> dict[str, int]:
    return {str(seat): amount for seat, amount in sorted(amounts.items()) if amount}


def _seat_status(decision: Decision, command: cmd.SetSeat) -> Refused | None:
    """A seat is in or out after all, while the cards are dealt: its status is soft."""
    draft = decision.draft()
    away_is_in = decision.rules.house.parameters.away_is_dealt_in.value
    is_in = command.status == "in" or (command.status == "away" and away_is_in)
    said.seat_status(draft, command.seat, is_in=is_in, stack=command.stack, t_ms=decision.t_ms)
    decision.adopt(draft)
    return None


def _unfold(decision: Decision, seat: int) -> Refused | None:
    hand = decision.hand
    if hand.procedure.step.kind != "window":
        return Refused("no_window", {"seat": seat})
    if seat not in hand.betting.setup.seats or not hand.betting.is_folded(seat):
        return Refused("not_folded", {"seat": seat})
    try:
        decision.emit(te.Unfolded(seat))
    except ActionRefused as error:
        return error.refusal
    return None


def _log_event(decision: Decision, command: cmd.LogEvent) -> Refused | None:
    game = decision.rules.game_of(decision.hand.procedure.opening)
    if command.name not in game.events:
        return Refused("bad_command", {"reason": "unknown_event"})
    for seat in (command.seat, command.target):
        if seat is not None and seat not in decision.hand.procedure.order:
            return Refused("bad_seat", {"seat": seat})
    decision.emit(te.EventLogged(command.seat, command.name, command.target))
    return None


def _table(decision: Decision, seat: int) -> Refused | None:
    hand = decision.hand
    if _shown_hand_closes(decision):
        decision.assume_round()
        hand = decision.hand
    if (seat not in hand.bets.live and seat not in hand.for_the_fund()) or seat in hand.mucked:
        return Refused("bad_seat", {"seat": seat})
    if not (hand.procedure.step.kind == "show" or betting.no_more_betting(hand.betting) or hand.bets.over):
        return Refused("betting_not_over")
    if seat not in hand.tabled:
        decision.emit(te.SeatTabled(seat, _shown(hand.procedure, seat)))
    return None


def _shown_hand_closes(decision: Decision) -> bool:
    """Whether a hand that is turned up now says that the round is closed (by exception): no burn will, or somebody is all-in.

    Only where everybody who is pending can have acted: a slip of the finger must not turn up a hand.
    """
    if not decision.hand.may_show():
        return False
    checked = not decision.hand.bets.actions
    action_ms = entry.SHOWN_CHECK_MS if checked else entry.ACTION_MS
    return entry.could_have_acted(decision.draft(), decision.t_ms, action_ms=action_ms)


def _shown(state: State, seat: int) -> tuple[str, ...]:
    """The cards of a seat that it turns up. Where more were read there than a hand has, those that lie there now, if that is a hand.

    Where nobody knows which cards the seat has kept, none is shown: they are entered by hand. A discard is never turned up.
    """
    held = state.held.get(seat, ())
    if len(held) <= state.due:
        return held
    here = tuple([ref for ref in held if state.where.get(ref) == seat_zone(seat)])
    return here if len(here) == state.kept == state.hole else ()


def _give_up(decision: Decision, seat: int) -> Refused | None:
    hand = decision.hand
    if seat not in hand.bets.live or seat in hand.tabled:
        return Refused("bad_seat", {"seat": seat})
    if hand.procedure.step.kind != "show":
        return Refused("betting_not_over")
    if seat in hand.mucked:
        return None  # the muck has read it already
    if len(hand.bets.live) - len(hand.mucked) <= 1:
        return Refused("cannot_push", {"reason": "last_hand"})
    decision.emit(te.SeatMucked(seat))
    return None


def _enter(decision: Decision, command: cmd.EnterCard) -> Refused | None:
    hand = decision.hand
    state = hand.procedure
    try:
        face = parse_face(command.face)
    except NotACard:
        return Refused("not_a_card", {"text": command.face})
    if face in state.faces.values() or any(face in faces for faces in hand.entered.values()):
        return Refused("card_already_seen", {"card": face})
    if command.seat is not None:
        if command.seat not in hand.tabled:
            return Refused("betting_not_over")
        if len(hand.faces_of(command.seat)) >= state.kept:
            return Refused("bad_command", {"reason": "hand_is_complete"})
        decision.emit(te.CardEntered(face, command.seat))
        return None
    blank = _blank_slot(state)
    if blank is None and _entered_card_closes(decision):
        decision.assume_round()
        state = decision.hand.procedure
    decision.emit(te.CardEntered(face, None))
    if blank is not None:
        decision.emit(pe.FaceShown(blank, face))
    elif state.step.kind in ("board", "burn") or read_late(state):
        _lay_entered(decision, face)
    else:
        return Refused("bad_command", {"reason": "no_board_card_due"})
    decision.judge(lambda draft: engine.settle(draft, decision.t_ms))
    return None


def _entered_card_closes(decision: Decision) -> bool:
    """Whether a board card that the dealer enters says that the round is over, as one that is read does (by exception)."""
    hand = decision.hand
    state = hand.procedure
    if state.entry != "by_exception" or state.step.kind != "bet" or state.step == state.plan[-2]:
        return False
    return bool(hand.bets.pending) and entry.could_have_acted(decision.draft(), decision.t_ms)


def _blank_slot(state: State) -> str | None:
    """The first board card that lies there without a face although its street is complete: no street gets a face too many."""
    due = {(step.street, step.zone): step.count for step in state.base if step.kind == "board"}
    playing = [slot for slot in state.board if not slot.early]
    for slot in playing:
        here = (slot.street, slot.zone)
        street = [other for other in playing if (other.street, other.zone) == here]
        faced = sum(other.ref in state.faces for other in street)
        if slot.ref not in state.faces and faced < due.get(here, 0) <= len(street):
            return slot.ref
    return None


def _lay_entered(decision: Decision, face: str) -> None:
    """A board card that no reader saw: of a street that lacks one, or of the one that is due, whose burn is then behind it."""
    state = decision.hand.procedure
    late = read_late(state)
    if late is None and state.step.kind == "burn":
        draft = decision.draft()
        burns.skip_unread(draft)
        decision.adopt(draft)
    ref = f"entered{len(state.board)}"
    street = late or state.step.street
    zone = _short_board(state, street)
    decision.emit(pe.BoardCardLaid(ref, street, decision.t_ms, early=False, zone=zone))
    decision.emit(pe.FaceShown(ref, face))
    decision.emit(pe.DeadlineSet("board", decision.t_ms + state.settle_ms))


def _short_board(state: State, street: Street) -> str:
    """The board that still lacks a card of the street."""
    for board in board_steps(state, street):
        here = [
            slot
            for slot in state.board
            if (slot.street, slot.zone) == (board.street, board.zone) and not slot.early
        ]
        if len(here) < board.count:
            return board.zone
    return BOARD


def _tap_zone(decision: Decision, command: cmd.TapZone) -> Refused | None:
    """Cards put at a zone without a working reader: they count like read ones, without an identity."""
    state = decision.hand.procedure
    if command.zone in state.readers:
        return Refused("zone_has_reader", {"zone": command.zone})
    if command.zone not in (*BOARDS, BURN) and seat_of(command.zone) is None:
        return Refused("bad_command", {"reason": "unknown_zone"})
    if not 1 <= command.count <= _TAPPED_AT_MOST:
        return Refused("bad_command", {"reason": "count"})
    now_ms = decision.t_ms
    for number in range(command.count):
        ref = f"tapped.{command.zone}.{now_ms}.{number}"
        decision.place(ref, command.zone, since_ms=now_ms, first_ms=now_ms, t_ms=now_ms)
    return None
