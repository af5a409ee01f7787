"""One input being decided: procedure and betting side by side, the events so far, and the two kept in step.

Pure. The procedure sees the betting only as :class:`Bets`; whenever its plan reaches the next street, the betting is moved on, and
the other way round, until nothing moves any more.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from dealer_assist import betting
from dealer_assist.betting import Action, HandSetup, Post, Settlement
from dealer_assist.domain.facts import Push
from dealer_assist.domain.table import STREETS, ForcedBet, HandOpening, Limits
from dealer_assist.domain.zones import BOARD
from dealer_assist.procedure import engine
from dealer_assist.procedure import events as pe
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.evolve import opened
from dealer_assist.procedure.game import Game
from dealer_assist.procedure.house import House
from dealer_assist.procedure.rules import same_card
from dealer_assist.table import events as te
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


def with_posts(opening: HandOpening, limits: Limits) -> HandOpening:
    """The opening as it is when it names its posts, otherwise with the blinds and antes of the table."""
    if opening.posts:
        return opening
    posts = betting.blinds_and_antes(deal_order(opening), limits.small_blind, limits.big_blind, limits.ante)
    return replace(opening, posts=tuple(ForcedBet(post.seat, post.amount, post.kind) for post in posts))


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


_CHIPS_BACK: Final = frozenset({pe.OrderCorrected, pe.CardsGathered})


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
            if type(event) in _CHIPS_BACK:
                self._restart_betting()

    # -- keeping both sides in step --------------------------------------------------------------------------------------------

    def follow(self) -> None:
        """Move betting and plan on until they agree; then see whether the hand is decided."""
        while True:
            hand = self.hand
            state = hand.procedure
            if state.ended or state.misdeal:
                return
            if hand.betting.to_act is not None or hand.bets.over:
                break
            step = state.step
            if step.kind != "bet" or STREETS.index(step.street) <= hand.betting.street:
                break
            self.emit(te.StreetBegun(hand.betting.street + 1))
            draft = self.draft()
            engine.bets_changed(draft, self.t_ms)
            self.adopt(draft)
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
        return not state.mucked.isdisjoint(state.held.get(seat, ()))

    def _restart_betting(self) -> None:
        """Every chip is back: the deal began again, or the dealt-in seats were corrected."""
        state = self.hand.procedure
        if self.hand.betting.log and not state.misdeal:
            return
        self.emit(te.BettingStarted(hand_setup(state.opening, state.order, self.rules)))

    def _await_fold(self) -> None:
        """A seat whose turn it is and whose cards lie in the muck has folded; its tap has some time to say so first."""
        hand = self.hand
        seat = hand.betting.to_act
        if seat is not None and self._gone(seat):
            if hand.fold_due_ms is None:
                self.emit(te.FoldAwaited(self.t_ms + int(self.rules.house.parameters.tap_grace_s * 1000)))
        elif hand.fold_due_ms is not None:
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
            if seat not in hand.tabled or len(faces) != hand.procedure.hole or len(board) != 5:
                return None  # too few are known, or too many lie there: the floor rules on such a hand
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
