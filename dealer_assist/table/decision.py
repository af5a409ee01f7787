"""One input being decided: procedure and betting side by side, the events so far, and the two kept in step.

Pure. The procedure sees the betting only as :class:`Bets`; whenever its plan reaches the next street, the betting is moved on, and
the other way round, until nothing moves any more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from dealer_assist import betting
from dealer_assist.betting import Action, Settlement
from dealer_assist.domain.cards import CardRef
from dealer_assist.domain.facts import Push
from dealer_assist.domain.table import STREETS, HandOpening, HandResult
from dealer_assist.domain.zones import BOARD, Zone
from dealer_assist.procedure import engine
from dealer_assist.procedure import events as pe
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.evolve import opened
from dealer_assist.procedure.rules import muck, same_card
from dealer_assist.procedure.rules.muck import given_up_unread, holds_cards
from dealer_assist.table import events as te
from dealer_assist.table.events import TableEvent
from dealer_assist.table.hand import Hand, bets_view, evolve, final_stacks
from dealer_assist.table.opening import Rules, deal_order, hand_setup, posts_by_limits


def open_hand(
    opening: HandOpening, rules: Rules, readers: frozenset[str], settle_ms: int, t_ms: int
) -> tuple[Hand, list[TableEvent]]:
    """Begin a hand. Raises :class:`betting.BadSetup` when the opening cannot be played."""
    order = deal_order(opening)
    game = rules.game_of(opening)
    first = engine.open_hand(
        opening,
        order,
        game,
        readers,
        settle_ms,
        t_ms,
        entry=rules.entry,
        house=rules.house.name,
        fingerprint=rules.fingerprint,
        run_it_rule=rules.run_it,
        hands_up=rules.house.parameters.allin_faceup.value,
    )
    second = te.BettingStarted(hand_setup(opening, order, rules))
    state = betting.start(second.setup)
    return Hand(procedure=opened(first), betting=state, bets=bets_view(state)), [first, second]


#: Events of the procedure that change the betting, or what was won.
_FOR_THE_BETTING: Final = frozenset(
    {
        pe.OrderCorrected,
        pe.ButtonCorrected,
        pe.CardsGathered,
        pe.HandKilled,
        pe.HandRevived,
        pe.MisdealDeclared,
        pe.FirstBoardCounts,
    }
)


T = TypeVar("T")


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

    def judge(self, by: Callable[[Draft], T]) -> T:
        """Let the procedure judge, take over what it decides, and return what it says."""
        draft = self.draft()
        said = by(draft)
        self.adopt(draft)
        return said

    def adopt(self, draft: Draft) -> None:
        """Take over what the procedure decided."""
        if draft.events:
            self.events.extend(draft.events)
            self.hand = replace(self.hand, procedure=draft.state)
        for event in draft.events:
            if type(event) in _FOR_THE_BETTING:
                self._to_betting(event)
        if draft.assume_closed:
            self.assume_round()

    def place(
        self,
        ref: CardRef,
        zone: Zone,
        *,
        since_ms: int,
        first_ms: int,
        t_ms: int,
        same_face: bool = False,
        in_game: bool = True,
    ) -> bool:
        """A card lies at a zone; one that closes the round (by exception) is judged after it. Returns whether anything came of it."""
        for closed in (False, True):
            draft = self.draft()
            engine.placed(draft, ref, zone, since_ms, first_ms, t_ms, same_face=same_face, in_game=in_game)
            if closed or not draft.closed_by_card:
                break
            self.assume_round()
        self.adopt(draft)
        return bool(draft.events)

    def _to_betting(self, event: pe.ProcedureEvent) -> None:
        match event:
            case pe.HandKilled():
                self._kill(event.seat)
            case pe.HandRevived():
                mucked = tuple([seat for seat in self.hand.mucked if seat != event.seat])
                self.hand = replace(self.hand, mucked=mucked)
                self._open_pots()
            case pe.FirstBoardCounts():
                self._open_pots()
            case pe.MisdealDeclared():
                if event.on:
                    self._open_pots()
            case pe.ButtonCorrected():
                self._post_anew()
            case _:
                self._restart_betting()

    def _kill(self, seat: int) -> None:
        """A dead hand; the last one that is left cannot be killed.

        At the showdown it has only given up what another hand can win: a pot in which nobody else is left is its own already.
        """
        hand = self.hand
        if hand.procedure.step.kind == "show" and seat in hand.bets.live:
            if seat not in hand.mucked and len(hand.bets.live) - len(hand.mucked) > 1:
                self._open_pots()
                self.emit(te.SeatMucked(seat))
            return
        if seat in hand.for_the_fund() or (seat in hand.bets.live and len(hand.bets.live) > 1):
            self._open_pots()
            self.emit(te.HandDead(seat))
            draft = self.draft()
            engine.bets_changed(draft, self.t_ms)
            self.adopt(draft)

    def _open_pots(self) -> None:
        if self.hand.settlement is not None:
            self.emit(te.AwardTakenBack())

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
            if (
                step.kind not in ("bet", *engine.BEFORE_BET)
                or STREETS.index(step.street) <= hand.betting.street
            ):
                break
            self.emit(te.StreetBegun(hand.betting.street + 1))
            draft = self.draft()
            engine.bets_changed(draft, self.t_ms)
            self.adopt(draft)
        self._await_fold()
        self._award_if_decided()

    def assume_action(self) -> bool:
        """The seat to act has acted: folded where its cards are gone, else checked or called. False: nobody is to act.

        Gone are cards in the muck and, where there is a bet to call, those that left their antenna: the muck reads a fold less surely than
        a seat reads its cards. Nobody gives up a hand that he may check.
        """
        seat = self.hand.betting.to_act
        legal = betting.legal(self.hand.betting)
        if seat is None or legal is None:
            return False
        if self._gone(seat) or (
            not legal.can_check and given_up_unread(self.hand.procedure, seat, self.t_ms)
        ):
            kind = "fold"
        else:
            kind = "check" if legal.can_check else "call"
        self.emit(te.ActionTaken(Action(seat, kind, assumed=True), self.t_ms))  # type: ignore[arg-type]
        return True

    def assume_round(self) -> None:
        """A burn, a shown hand or the dealer says that the round is closed: every pending seat has acted."""
        for _ in range(2 * len(self.hand.betting.setup.seats)):
            if not self.assume_action():
                break
        draft = self.draft()
        engine.bets_changed(draft, self.t_ms)
        self.adopt(draft)

    def _gone(self, seat: int) -> bool:
        return not holds_cards(self.hand.procedure, seat)

    def _restart_betting(self) -> None:
        """Every chip is back: the deal began again, or the dealt-in seats were corrected. Hands folded or killed in that deal stay so."""
        state = self.hand.procedure
        gone = () if state.misdeal else self.hand.betting.log
        if any(taken.kind != "fold" for taken in gone):
            return  # any other action ends the deal
        self.emit(te.BettingStarted(hand_setup(state.opening, state.order, self.rules)))
        for taken in gone:
            if taken.seat not in self.hand.bets.live or len(self.hand.bets.live) < 2:
                continue
            if taken.killed:
                self.emit(te.HandDead(taken.seat))
            elif self.hand.betting.to_act is not None:
                self.emit(te.FoldedOutOfTurn(taken.seat, assumed=taken.assumed))
        if gone:
            draft = self.draft()
            engine.bets_changed(draft, self.t_ms)
            self.adopt(draft)

    def _post_anew(self) -> None:
        """The button moved: who posts what follows from the limits again. The chips move when the deal begins again.

        Who enters the game still posts for that; a straddle is taken back with the deal, and may be posted anew.
        """
        state = self.hand.procedure
        entering = betting.entering_of(self.hand.betting.setup.posts)
        posts = posts_by_limits(state.opening, state.order, self.rules, entering=entering)
        self.emit(pe.OrderCorrected(state.order, (), posts))

    def _await_fold(self) -> None:
        """A seat whose turn it is and whose cards lie in the muck has folded; its tap has some time to say so first."""
        hand = self.hand
        seat = hand.betting.to_act
        if seat is not None and self._gone(seat) and not muck.misdeal_asked(hand.procedure):
            if hand.fold_due_ms is None:
                self.emit(te.FoldAwaited(self.t_ms + self._tap_grace_ms()))
        elif hand.fold_due_ms is not None:
            self.emit(te.FoldAwaited(None))

    def _tap_grace_ms(self) -> int:
        """How long a fold's tap is waited for; by exception none comes."""
        if self.rules.entry == "by_exception":
            return 0
        return int(self.rules.house.parameters.tap_grace_s.value * 1000)

    # -- the end of the hand ---------------------------------------------------------------------------------------------------

    def _award_if_decided(self) -> None:
        if self._no_longer_shown_down():
            self.emit(te.AwardTakenBack())
        hand = self.hand
        if hand.settlement is not None or hand.result:
            return
        alone = hand.bets.over and not hand.bets.playing_on
        if not alone and hand.procedure.step.kind != "show" and not self._given_up_in_runout():
            return
        strengths = [{}] if alone else self._strengths()  # the only hand left wins whatever it is
        if strengths is None:
            return
        fund = {seat: value for seat, value in strengths[0].items() if seat in hand.for_the_fund()}
        rake, drops = betting.house_take(hand.betting, flop_seen=hand.flop_seen)
        given_up = () if alone else hand.mucked
        outcome = betting.award(hand.betting, strengths, rake, fund, drops=drops, given_up=given_up)
        if isinstance(outcome, Settlement):
            self.emit(te.PotsAwarded(outcome, self._pushes(outcome)))
            draft = self.draft()
            engine.bets_changed(draft, self.t_ms)
            self.adopt(draft)

    def _no_longer_shown_down(self) -> bool:
        """Whether shown hands had won the pots and the board is dealt again after all: they are won by the board that lies there then."""
        hand = self.hand
        if hand.settlement is None or hand.result or hand.bets.over:
            return False
        return hand.procedure.step.kind != "show" and not self._given_up_in_runout()

    def _given_up_in_runout(self) -> bool:
        """Everybody is all-in or called, and all hands but one were given up before the board was complete."""
        hand = self.hand
        return hand.bets.runout and len(hand.bets.live) - len(hand.mucked) == 1

    def _strengths(self) -> list[dict[int, int]] | None:
        """For each board, seat → hand value once every hand has shown or given up; None while one still has to."""
        hand = self.hand
        live = () if hand.bets.over else hand.bets.live
        waiting = [seat for seat in (*live, *hand.for_the_fund()) if seat not in hand.mucked]
        if len(waiting) == 1 and not hand.for_the_fund():
            return [{waiting[0]: 1}]  # the last live hand need not show (TDA 17-B)
        boards = [hand.board_faces(zone) for zone in hand.boards()]
        shown = [face for seat in waiting for face in hand.faces_of(seat)]
        shown += hand.board_public()
        if len(set(shown)) != len(shown):
            self._card_twice({face for face in shown if shown.count(face) > 1})
            return None
        for seat in waiting:
            if seat not in hand.tabled or len(hand.faces_of(seat)) != hand.procedure.kept:
                return None  # too few are known, or too many lie there: the floor rules on such a hand
        if any(len(faces) != 5 for faces in boards):
            return None
        return [{seat: betting.hand_rank(*self._five(seat, faces)) for seat in waiting} for faces in boards]

    def leads(self, seat: int) -> bool:
        """Whether a seat has tabled its hand, others still have to, and no hand with as much in the pots beats it on every board."""
        hand = self.hand
        if hand.procedure.step.kind != "show" or seat not in hand.tabled or hand.settlement is not None:
            return False
        boards = [hand.board_faces(zone) for zone in hand.boards()]
        shown = [other for other in hand.tabled if len(hand.faces_of(other)) == hand.procedure.kept]
        if seat not in shown or any(len(faces) != 5 for faces in boards):
            return False
        paid = dict(zip(hand.betting.setup.seats, hand.betting.contributed, strict=True))
        rivals = [other for other in shown if paid[other] >= paid[seat]]
        ranks = [
            {other: betting.hand_rank(*self._five(other, faces)) for other in rivals} for faces in boards
        ]
        return any(by_seat[seat] == min(by_seat.values()) for by_seat in ranks)

    def _five(self, seat: int, board: tuple[str, ...]) -> tuple[Any, ...]:
        """What ranks and names a hand: its cards, the board, and the game's way to put five together."""
        game = self.rules.game_of(self.hand.procedure.opening)
        point = self.hand.point_of(seat) if game.use == "point_and_one" else None
        use = "any" if game.use == "point_and_one" and point is None else game.use
        return self.hand.faces_of(seat), board, use, self.rules.ranking(game), point

    def _card_twice(self, faces: set[str]) -> None:
        """Cards lie face up twice: a wrong entry, a wrong registration or a fouled deck. The floor looks (K1)."""
        draft = self.draft()
        refs = tuple([ref for ref, face in draft.state.faces.items() if face in faces])
        same_card.same_card(draft, refs, BOARD)
        self.adopt(draft)

    def _pushes(self, settlement: Settlement) -> tuple[Push, ...]:
        hand = self.hand
        boards = [hand.board_faces(zone) for zone in hand.boards()]
        pushes = []
        for award in (*settlement.pots, *settlement.fund):
            fund = award in settlement.fund
            faces = boards[max(award.board - 1, 0)]
            for seat, amount in zip(award.winners, award.shares, strict=True):
                odd = amount - min(award.shares)
                push = Push(award.number, seat, amount, board=award.board, fund=fund, odd=odd)
                if len(hand.faces_of(seat)) == hand.procedure.kept and len(faces) == 5:
                    name, params = betting.hand_name(*self._five(seat, faces))
                    push = replace(push, name=name, params=dict(params))
                elif not hand.bets.over:
                    push = replace(push, name="last_hand")  # it need not show (TDA 17-B)
                pushes.append(push)
        return tuple(pushes)

    def void(self) -> None:
        """The floor takes the whole hand back."""
        if not self.hand.procedure.ended:
            draft = self.draft()
            draft.emit(pe.HandEnded("void"))
            self.adopt(draft)
        self.close()

    def close(self, pushed: dict[int, int] | None = None, *, unsettled: bool = False) -> None:
        """End the hand as what it was. ``pushed``: where the chips went, when not as awarded: the chips on the table win.

        ``unsettled``: its cards are gone, and nobody has said who won it.
        """
        hand = self.hand
        if hand.result:
            return
        result: HandResult
        if hand.procedure.ended in ("void", "chopped"):
            result = hand.procedure.ended
        elif hand.settlement is not None and not hand.procedure.misdeal:
            result = "completed"
        elif unsettled:
            result = "unsettled"
        else:
            result = "misdeal"
        draft = self.draft()
        if hand.procedure.ended:
            engine.refunded(draft)
        else:
            engine.end(draft, result)
        self.adopt(draft)
        closed = te.HandClosed(hand.procedure.hand, result, ())
        stacks = final_stacks(evolve(self.hand, closed))
        if pushed is not None and hand.settlement is not None:
            awards = hand.settlement.pushed()
            for seat, stack in stacks.items():
                if stack is not None:
                    stacks[seat] = stack - awards.get(seat, 0) + pushed.get(seat, 0)
        self.emit(te.HandClosed(hand.procedure.hand, result, tuple(sorted(stacks.items()))))
