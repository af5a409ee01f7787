"""``decide(hand, input) -> events``: one input of a running hand against procedure and betting together.

Pure. The procedure sees the betting only as :class:`Bets`; whenever its plan reaches the next street, the betting is moved on, and
the other way round, until nothing moves any more.
"""

from __future__ import annotations

from msgspec.structs import replace

from dealer_assist import betting
from dealer_assist.betting import Action, ActionRefused, HandSetup, Post, Settlement
from dealer_assist.domain import commands as cmd
from dealer_assist.domain.cards import NotACard, parse_face
from dealer_assist.domain.commands import Refused
from dealer_assist.domain.facts import Push
from dealer_assist.domain.table import STREETS, HandOpening
from dealer_assist.domain.zones import BOARD, BURN, seat_of
from dealer_assist.procedure import engine
from dealer_assist.procedure import events as pe
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.evolve import opened
from dealer_assist.procedure.game import Game
from dealer_assist.procedure.house import House
from dealer_assist.procedure.rules import same_card
from dealer_assist.procedure.state import State
from dealer_assist.table import events as te
from dealer_assist.table import inputs as inp
from dealer_assist.table.events import TableEvent
from dealer_assist.table.hand import Hand, bets_view, evolve, final_stacks


class Rules:
    """The house and the game that a table plays by."""

    __slots__ = ("big_blind", "game", "house", "unit")

    def __init__(self, house: House, game: Game, big_blind: int, unit: int = 1) -> None:
        self.house = house
        self.game = game
        self.big_blind = big_blind
        self.unit = unit


def deal_order(opening: HandOpening) -> tuple[int, ...]:
    """The dealt-in seats clockwise from the first left of the button, the button last."""
    return tuple(
        sorted((record.seat for record in opening.seats), key=lambda seat: (seat - opening.button - 1) % 11)
    )


def hand_setup(opening: HandOpening, order: tuple[int, ...], rules: Rules) -> HandSetup:
    """The betting's start; seats whose chips are not known stay out of it."""
    stacks = {record.seat: record.stack for record in opening.seats}
    seats = tuple(seat for seat in order if seat in stacks)
    posts = tuple(Post(post.seat, post.amount, post.kind) for post in opening.posts if post.seat in seats)
    return HandSetup(
        seats,
        opening.button,
        tuple(stacks[seat] for seat in seats),
        posts,
        big_blind=rules.big_blind,
        unit=rules.unit,
    )


def open_hand(
    opening: HandOpening, rules: Rules, readers: frozenset[str], settle_ms: int, t_ms: int
) -> tuple[Hand, list[TableEvent]]:
    """Begin a hand. Raises :class:`betting.BadSetup` when the opening cannot be played."""
    order = deal_order(opening)
    first = engine.open_hand(opening, order, rules.game, readers, settle_ms, t_ms)
    second = te.BettingStarted(hand_setup(opening, order, rules))
    state = betting.start(second.setup)
    return Hand(procedure=opened(first), betting=state, bets=bets_view(state)), [first, second]


class Decision:
    """One input being decided: the hand so far and the events."""

    __slots__ = ("events", "hand", "rules", "t_ms")

    def __init__(self, hand: Hand, rules: Rules, t_ms: int) -> None:
        self.hand = hand
        self.rules = rules
        self.t_ms = t_ms
        self.events: list[TableEvent] = []

    def emit(self, event: TableEvent) -> None:
        """Apply an event and keep it."""
        self.hand = evolve(self.hand, event)
        self.events.append(event)

    def draft(self) -> Draft:
        """A working copy of the procedure with the betting as it is now."""
        return Draft(self.hand.procedure, self.hand.bets, self.rules.house)

    def adopt(self, draft: Draft) -> None:
        """Take over what the procedure decided."""
        if draft.events:
            self.events.extend(draft.events)
            self.hand = replace(self.hand, procedure=draft.state)
        if draft.assume_closed:
            self._assume_round()
        for event in draft.events:
            if isinstance(event, (pe.OrderCorrected, pe.CardsGathered)):
                self._restart_betting()

    # -- keeping both sides in step --------------------------------------------------------------------------------------------

    def follow(self) -> None:
        """Move betting and plan on until they agree; then see whether the hand is decided."""
        while True:
            state = self.hand.procedure
            if state.ended or state.misdeal:
                return
            if self.hand.betting.to_act is None and not self.hand.bets.over and state.step.kind == "bet":
                if STREETS.index(state.step.street) <= self.hand.betting.street:
                    break
                self.emit(te.StreetBegun(self.hand.betting.street + 1))
                draft = self.draft()
                engine.bets_changed(draft, self.t_ms)
                self.adopt(draft)
                continue
            break
        self._await_fold()
        self._award_if_decided()

    def _assume_round(self) -> None:
        """The dealer says that the pending seats have acted: fold where the cards are gone, else check or call."""
        for _ in range(2 * len(self.hand.betting.setup.seats)):
            seat = self.hand.betting.to_act
            legal = betting.legal(self.hand.betting)
            if seat is None or legal is None:
                break
            if self._gone(seat):
                kind = "fold"
            else:
                kind = "check" if legal.can_check else "call"
            self.emit(te.ActionTaken(Action(seat, kind, assumed=True), self.t_ms))  # type: ignore[arg-type]
        draft = self.draft()
        engine.bets_changed(draft, self.t_ms)
        self.adopt(draft)

    def _gone(self, seat: int) -> bool:
        state = self.hand.procedure
        return any(ref in state.mucked for ref in state.held.get(seat, ()))

    def _restart_betting(self) -> None:
        """Every chip is back: the deal began again, or the dealt-in seats were corrected."""
        state = self.hand.procedure
        if self.hand.betting.log and not state.misdeal:
            return
        self.emit(te.BettingStarted(hand_setup(state.opening, state.order, self.rules)))

    def _await_fold(self) -> None:
        """A seat whose turn it is and whose cards lie in the muck has folded; its tap has some time to say so first."""
        seat = self.hand.betting.to_act
        if seat is not None and self._gone(seat):
            if self.hand.fold_due_ms is None:
                self.emit(te.FoldAwaited(self.t_ms + int(self.rules.house.parameters.tap_grace_s * 1000)))
        elif self.hand.fold_due_ms is not None:
            self.emit(te.FoldAwaited(None))

    # -- the end of the hand ---------------------------------------------------------------------------------------------------

    def _award_if_decided(self) -> None:
        hand = self.hand
        if hand.settlement is not None or hand.result:
            return
        if hand.bets.over:
            outcome = betting.award(hand.betting, {})
        elif hand.procedure.step.kind == "show":
            strength = self._strength()
            if strength is None:
                return
            outcome = betting.award(hand.betting, strength)
        else:
            return
        if isinstance(outcome, Settlement):
            self.emit(te.PotsAwarded(outcome, self._pushes(outcome)))

    def _strength(self) -> dict[int, int] | None:
        """Seat → hand value once every live seat has shown or given up; None while one still has to."""
        hand = self.hand
        waiting = [seat for seat in hand.bets.live if seat not in hand.mucked]
        if len(waiting) == 1:
            return {waiting[0]: 1}  # the last live hand need not show (TDA 17-B)
        board = hand.board_faces()
        shown = [face for seat in waiting for face in hand.faces_of(seat)] + list(board)
        if len(set(shown)) != len(shown):
            self._card_twice()
            return None
        strength = {}
        for seat in waiting:
            faces = hand.faces_of(seat)
            if seat not in hand.tabled or len(faces) < hand.procedure.hole or len(board) < 5:
                return None
            strength[seat] = betting.hand_rank(faces, board)
        return strength

    def _card_twice(self) -> None:
        """The same card lies face up twice: a wrong entry, a wrong registration or a fouled deck. The floor looks (K1)."""
        draft = self.draft()
        if not any(alert.rule == "K1" for alert in draft.state.alerts.values()):
            same_card.same_card(draft, "", BOARD)
            self.adopt(draft)

    def _pushes(self, settlement: Settlement) -> tuple[Push, ...]:
        board = self.hand.board_faces()
        pushes = []
        for award in settlement.pots:
            for seat, amount in zip(award.winners, award.shares, strict=True):
                faces = self.hand.faces_of(seat)
                if len(faces) >= self.hand.procedure.hole and len(board) == 5:
                    name, params = betting.hand_name(faces, board)
                    pushes.append(Push(award.number, seat, amount, name, dict(params)))
                else:
                    pushes.append(Push(award.number, seat, amount))
        return tuple(pushes)

    def close(self) -> None:
        """End the hand as what it was."""
        hand = self.hand
        if hand.result:
            return
        if hand.procedure.ended == "void":
            result = "void"
        elif hand.settlement is not None:
            result = "completed"
        else:
            result = "misdeal"
        if not hand.procedure.ended:
            draft = self.draft()
            engine.end(draft, result)  # type: ignore[arg-type]
            self.adopt(draft)
        closed = te.HandClosed(hand.procedure.hand, result, ())  # type: ignore[arg-type]
        stacks = final_stacks(evolve(self.hand, closed))
        self.emit(te.HandClosed(hand.procedure.hand, result, tuple(sorted(stacks.items()))))  # type: ignore[arg-type]


def decide(hand: Hand, given: inp.Input, rules: Rules) -> tuple[Hand, list[TableEvent], Refused | None]:
    """Judge one input. A refused command decides nothing."""
    decision = Decision(hand, rules, given.t_ms)
    match given:
        case inp.CardPlaced():
            draft = decision.draft()
            engine.placed(
                draft,
                given.ref,
                given.zone,
                given.since_ms,
                given.first_ms,
                given.t_ms,
                same_face=given.same_face,
            )
            decision.adopt(draft)
            if given.zone == "muck":
                _reached_muck(decision, given.ref)
            if draft.events:
                decision.follow()
        case inp.CardRemoved():
            draft = decision.draft()
            engine.removed(draft, given.ref, given.zone, given.t_ms)
            decision.adopt(draft)
            if draft.events:
                decision.follow()
        case inp.Told():
            refused = _told(decision, given.command)
            if refused is not None:
                return hand, [], refused
            decision.follow()
        case inp.TimePassed():
            _time_passed(decision)
        case inp.FaceRevealed():
            draft = decision.draft()
            engine.face_shown(draft, given.ref, given.face, given.t_ms)
            decision.adopt(draft)
            decision.follow()
        case inp.ReadersKnown():
            decision.emit(pe.ReadersChanged(given.zones))
            draft = decision.draft()
            engine.settle(draft, given.t_ms)
            decision.adopt(draft)
            decision.follow()
        case inp.Superseded():
            raise ValueError("a superseded input is not judged: the inputs after it are, again")
    return decision.hand, decision.events, None


def _time_passed(decision: Decision) -> None:
    draft = decision.draft()
    engine.time_passed(draft, decision.t_ms)
    decision.adopt(draft)
    due = decision.hand.fold_due_ms
    seat = decision.hand.betting.to_act
    if due is not None and due <= decision.t_ms and seat is not None:
        _take(decision, Action(seat, "fold", assumed=True))
    decision.follow()


def _reached_muck(decision: Decision, ref: str) -> None:
    """A card of a live hand in the muck is a fold, in or out of turn, known from one card (DESIGN §4 Zones)."""
    hand = decision.hand
    seat = hand.procedure.owner.get(ref)
    if seat is None or hand.settlement is not None or seat not in hand.bets.live:
        return
    if hand.procedure.step.kind == "show":
        if seat not in hand.tabled and seat not in hand.mucked and len(hand.bets.live) - len(hand.mucked) > 1:
            decision.emit(te.SeatMucked(seat))


def _take(decision: Decision, action: Action) -> Refused | None:
    refusal = betting.verify(decision.hand.betting, action)
    if refusal is not None:
        return Refused(refusal.code, refusal.params)
    try:
        decision.emit(te.ActionTaken(action, decision.t_ms))
    except ActionRefused as error:  # pragma: no cover - verify has said so already
        return Refused(error.refusal.code, error.refusal.params)
    draft = decision.draft()
    engine.bets_changed(draft, decision.t_ms)
    decision.adopt(draft)
    return None


def _told(decision: Decision, command: cmd.Command) -> Refused | None:
    hand = decision.hand
    if hand.result:
        return Refused("hand_not_open")
    match command:
        case cmd.Act():
            return _act(decision, command)
        case cmd.Report():
            draft = decision.draft()
            refused = engine.report(draft, command.row, command.seat, command.by, decision.t_ms)
            decision.adopt(draft)
            return refused
        case cmd.Answer():
            draft = decision.draft()
            refused = engine.answer(draft, command.alert, command.answer, decision.t_ms)
            decision.adopt(draft)
            return refused
        case cmd.Respond():
            draft = decision.draft()
            refused = engine.respond(draft, command.alert, command.response, decision.t_ms)
            decision.adopt(draft)
            if refused is None and command.response == "call_floor":
                decision.emit(te.FloorCalled())
            return refused
        case cmd.CallFloor():
            decision.emit(te.FloorCalled())
            return None
        case cmd.Tabled():
            return _table(decision, command.seat)
        case cmd.Mucked():
            return _give_up(decision, command.seat)
        case cmd.EnterCard():
            return _enter(decision, command)
        case cmd.TapZone():
            return _tap_zone(decision, command)
        case cmd.PushPots():
            if hand.settlement is None and hand.procedure.ended != "void":
                return Refused("cannot_push", {"reason": "not_decided"})
            decision.close()
            return None
        case _:
            return Refused("bad_command", {"reason": "not_in_a_hand"})


def _act(decision: Decision, command: cmd.Act) -> Refused | None:
    hand = decision.hand
    if hand.procedure.misdeal or hand.procedure.ended:
        return Refused("hand_complete")
    if command.seat not in hand.betting.setup.seats:
        return Refused("bad_seat", {"seat": command.seat})
    if command.action == "fold" and hand.betting.is_folded(command.seat):
        return None  # the cards said so already
    if hand.betting.to_act is None and not hand.bets.over:
        draft = decision.draft()
        if engine.board_acted_on(draft, decision.t_ms):
            decision.adopt(draft)
            decision.follow()
    if (
        command.action == "fold"
        and command.seat != decision.hand.betting.to_act
        and command.seat in decision.hand.bets.live
    ):
        if decision.hand.bets.complete or len(decision.hand.bets.live) < 2:
            return Refused("hand_complete")
        decision.emit(te.FoldedOutOfTurn(command.seat, assumed=False))
        draft = decision.draft()
        engine.bets_changed(draft, decision.t_ms)
        decision.adopt(draft)
        return None
    return _take(decision, Action(command.seat, command.action, command.to))


def _table(decision: Decision, seat: int) -> Refused | None:
    hand = decision.hand
    if seat not in hand.bets.live or seat in hand.mucked:
        return Refused("bad_seat", {"seat": seat})
    if not (hand.procedure.step.kind == "show" or betting.no_more_betting(hand.betting) or hand.bets.over):
        return Refused("betting_not_over")
    if seat not in hand.tabled:
        decision.emit(te.SeatTabled(seat, hand.procedure.held.get(seat, ())))
    return None


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
        decision.emit(te.CardEntered(face, command.seat))
        return None
    decision.emit(te.CardEntered(face, None))
    blank = _blank_slot(state)
    if blank is not None:
        decision.emit(pe.FaceShown(blank, face))
    elif state.step.kind in ("board", "burn"):
        _lay_entered(decision, face)
    else:
        return Refused("bad_command", {"reason": "no_board_card_due"})
    draft = decision.draft()
    engine.settle(draft, decision.t_ms)
    decision.adopt(draft)
    return None


def _blank_slot(state: State) -> str | None:
    """The first board card that lies there without a face although its street is complete."""
    due = {step.street: step.count for step in state.base if step.kind == "board"}
    playing = [slot for slot in state.board if not slot.early]
    for slot in playing:
        complete = sum(other.street == slot.street for other in playing) >= due.get(slot.street, 0)
        if complete and slot.ref not in state.faces:
            return slot.ref
    return None


def _lay_entered(decision: Decision, face: str) -> None:
    """A board card that no reader saw: it lies there now, and its burn, if one is due, is behind it."""
    state = decision.hand.procedure
    step = state.step
    if step.kind == "burn":
        decision.emit(pe.StepReached(state.at + 1))
    ref = f"entered{len(state.board)}"
    decision.emit(pe.BoardCardLaid(ref, step.street, decision.t_ms, early=False))
    decision.emit(pe.FaceShown(ref, face))
    decision.emit(pe.DeadlineSet("board", decision.t_ms + state.settle_ms))


def _tap_zone(decision: Decision, command: cmd.TapZone) -> Refused | None:
    """Cards put at a zone without a working reader: they count like read ones, without an identity."""
    state = decision.hand.procedure
    if command.zone in state.readers:
        return Refused("zone_has_reader", {"zone": command.zone})
    if command.zone not in (BOARD, BURN) and seat_of(command.zone) is None:
        return Refused("bad_command", {"reason": "unknown_zone"})
    draft = decision.draft()
    for number in range(command.count):
        ref = f"tapped.{command.zone}.{decision.t_ms}.{number}"
        engine.placed(draft, ref, command.zone, decision.t_ms, decision.t_ms, decision.t_ms)
    decision.adopt(draft)
    return None
