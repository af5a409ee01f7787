"""PokerKit beside our engine, decision by decision, with each of its deviations waived at the very amount it is about.

A waived amount is not ignored: what PokerKit says there is held against the formula of its deviation, and what we say against the rule.
Where a deviation would lead PokerKit's hand away from the real one, the hand is led back at that action (``_mend``), so that
everything after it is compared again.

- D1: behind a short big blind, or a short kill, PokerKit asks only for what was posted, and raises over that. Waived: the amount to call
  and the least and most raise, until somebody has put in the full blind.
- D2, D3, D4, D5: PokerKit's reopening. Waived: whether a seat that has acted may raise again; the walked record of
  :mod:`tests.betting.oracle` decides. Where we say it may, PokerKit is told so, and its amounts are compared.
- Half bets (with D5): PokerKit lets every all-in of a limited round count as a raise and never completes one. Waived: the amount of
  the raise over an all-in of less than half a bet.
- 54-B: before the flop PokerKit's pot holds a short or dead small blind as it is; TDA 54-B counts it in full. Waived: the most raise,
  which must be exactly so much more.
- D6: PokerKit gives the odd chips of a pot to its first winner, and joins pots once the hands between them are beaten. Waived: who of
  tied seats gets them; PokerKit's stacks must be exactly what that mistake makes (:meth:`Beside.expected`).
- Idle raise: PokerKit refuses a raise that no opponent has the chips to match. No rule does: at a table stacks are counted when it
  matters (TDA 43, 47 ask for the size and for a reopened round alone). It is made here, PokerKit's seat calls, and the hand must
  end with the same stacks: it comes back.
- Idle check: PokerKit asks the last seat with chips to check to opponents who are all all-in, where there is nothing to decide; and it
  does not ask a seat for its option (a live post's) when no opponent has more than is bet, where it may check, fold or raise idly.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections import Counter
from collections.abc import Sequence
from typing import Any

from pokerkit import (
    Automation,
    BettingStructure,
    Deck,
    Mode,
    OmahaHoldemHand,
    Opening,
    ShortDeckHoldemHand,
    StandardHighHand,
    State,
    Street,
)

from dealer_assist.betting import (
    Action,
    BettingState,
    HandSetup,
    Legal,
    gathered_pots,
    live,
    no_more_betting,
    pots,
    start,
    verify,
)
from dealer_assist.betting.structure import bet_size
from tests.betting.games import Game
from tests.betting.oracle import has_acted, may_raise_again

AUTOMATIONS = tuple(
    set(Automation) - {Automation.CARD_BURNING, Automation.HOLE_DEALING, Automation.BOARD_DEALING}
)
STRUCTURES = {
    "no_limit": BettingStructure.NO_LIMIT,
    "pot_limit": BettingStructure.POT_LIMIT,
    "fixed_limit": BettingStructure.FIXED_LIMIT,
}
HANDS = {"texas": StandardHighHand, "omaha": OmahaHoldemHand, "short": ShortDeckHoldemHand}


def posted(setup: HandSetup, kind: str) -> tuple[int, int] | None:
    """Index of the seat and amount of the first post of this kind."""
    for post in setup.posts:
        if post.kind == kind:
            return setup.seats.index(post.seat), post.amount
    return None


class Beside:
    """One hand of PokerKit that follows ours. ``met`` counts the waivers that were needed."""

    def __init__(self, game: Game, met: Counter[str]) -> None:
        self.game, self.setup, self.met = game, game.setup, met
        setup = self.setup
        opened = start(setup)
        #: What everybody owes before the first raise, and the least bet of a street without limit.
        self.level = max(setup.big_blind, setup.kill)
        self.streets = self._streets(opened)
        self.structure = STRUCTURES[setup.structure]
        self.state: Any = self._create()
        #: D1: nobody has put in what the big blind should be.
        self.short_blind = opened.current_bet > max(self.state.bets) and opened.current_bet == self.level
        #: Index of a seat → what its idle raise put in front beyond PokerKit's call.
        self.idle: dict[int, int] = {}
        #: The last bet of a limited round that counts.
        self.full_level = opened.current_bet
        self._open_window()

    def _streets(self, opened: BettingState) -> tuple[Street, ...]:
        setup = self.setup
        limited = setup.structure == "fixed_limit"
        first = bet_size(setup, 0) if limited else self.level
        if not limited and any(post.kind == "straddle" for post in setup.posts):
            # PokerKit knows no straddle, only a larger blind: how much it raises by is the house's, in both.
            first = opened.last_full_raise
        cap = setup.max_bets if limited else None
        # Before the flop PokerKit does not count the blind as the first bet.
        blind = (cap - 1 if opened.current_bet else cap) if cap else None
        hole = (False,) * self.game.hole_cards
        sizes = [bet_size(setup, street) if limited else self.level for street in range(4)]
        return (
            Street(False, hole, 0, False, Opening.POSITION, first, blind),
            *[
                Street(True, (), 3 if street == 1 else 1, False, Opening.POSITION, sizes[street], cap)
                for street in (1, 2, 3)
            ],
        )

    def _create(self) -> State:
        setup = self.setup
        count = len(setup.seats)
        antes, blinds = [0] * count, [0] * count
        big_seen = False
        for post in setup.posts:
            index = setup.seats.index(post.seat)
            if post.kind in {"ante", "dead"}:
                antes[index] += post.amount
            else:
                # A live post, and a kill, is a blind that does not move the start of the action.
                live_post = post.kind == "kill" or (post.kind == "big_blind" and big_seen)
                blinds[index] = -post.amount if live_post else post.amount
                big_seen = big_seen or post.kind == "big_blind"
        if count == 2:
            # PokerKit reads a pair of posts as those of the other seat.
            antes.reverse()
            blinds.reverse()
        return State(
            AUTOMATIONS,
            Deck.SHORT_DECK_HOLDEM if self.game.name == "short" else Deck.STANDARD,
            (HANDS[self.game.name],),
            self.streets,
            self.structure,
            len(set(antes)) == 1,
            antes,
            blinds,
            0,
            setup.stacks,
            count,
            mode=Mode.CASH_GAME,
            starting_board_count=self.game.boards,
        )

    def deal(self) -> None:
        """Everybody's cards."""
        for index in range(len(self.setup.seats)):
            self.state.deal_hole("".join(self.game.hole(index)))

    def next_street(self, ours: BettingState) -> None:
        """The cards of the street that ours has just begun."""
        self._close_window()
        self.idle.clear()
        self.full_level = 0
        assert list(self.state.stacks) == list(ours.stacks), "stacks at the start of a street"
        theirs = [(pot.unraked_amount, pot.player_indices) for pot in self.state.pots]
        formed = [
            (pot.amount, tuple([self.setup.seats.index(seat) for seat in pot.eligible]))
            for pot in gathered_pots(ours)
        ]
        assert theirs == formed, f"gathered pots {formed}, not {theirs}"
        self.state.burn_card("??")
        for board in range(self.game.boards):
            self.state.deal_board("".join(self.game.board_cards(board, ours.street)))

    def nobody_to_act(self, ours: BettingState) -> None:
        """We wait for nobody; neither must PokerKit, but for an idle check."""
        if self.state.actor_index is not None and (no_more_betting(ours) or self.idle):
            self.met["idle check"] += 1
            assert self.state.checking_or_calling_amount == 0
            assert not self.state.can_complete_bet_or_raise_to()
            self.state.check_or_call()
        assert self.state.actor_index is None, (
            f"we wait for nobody, PokerKit for index {self.state.actor_index}"
        )

    def skips(self, ours: BettingState, options: Legal) -> bool:
        """Whether PokerKit leaves this seat out, rightly as far as chips go."""
        index = self.setup.seats.index(options.seat)
        if self.state.actor_index == index:
            return False
        idle = options.can_check and all(total <= ours.current_bet for _, total in self._totals(ours, index))
        self.met["idle check"] += idle
        return idle

    def compare(self, ours: BettingState, options: Legal) -> bool:
        """Hold the whole decision against PokerKit's. Returns whether PokerKit can follow a raise."""
        theirs, setup = self.state, self.setup
        index = theirs.actor_index
        assert index is not None, f"we wait for seat {options.seat}, PokerKit for nobody"
        assert setup.seats[index] == options.seat, "whose turn"
        for at, (bet, stack) in enumerate(zip(ours.bets, ours.stacks, strict=True)):
            excess = self.idle.get(at, 0)
            assert (bet - excess, stack + excess) == (theirs.bets[at], theirs.stacks[at]), "in front, behind"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert theirs.can_fold() and verify(ours, Action(options.seat, "fold")) is None
        assert theirs.can_check_or_call()
        assert options.can_check == (verify(ours, Action(options.seat, "check")) is None)
        assert options.can_check != (verify(ours, Action(options.seat, "call")) is None)
        assert options.can_check == (options.call == 0)
        if self.short_blind:
            return self._compare_short_blind(ours, options)
        assert theirs.checking_or_calling_amount == options.call, "to call"
        may = self._compare_right_to_raise(ours, options)
        if not may:
            return False
        if not options.can_raise:
            return True
        return self._compare_amounts(ours, options)

    def _compare_short_blind(self, ours: BettingState, options: Legal) -> bool:
        """D1."""
        self.met["D1"] += 1
        theirs, big = self.state, self.level
        index, top = theirs.actor_index, max(theirs.bets)
        bet, stack = theirs.bets[index], theirs.stacks[index]
        totals = self._totals(ours, index)
        alone = not any(behind for behind, _ in totals)
        assert theirs.checking_or_calling_amount == min(stack, top - bet), "D1: to call"
        assert options.call == min(stack, (top if alone else big) - bet), "D1: to call by the rule"
        may: bool = theirs.can_complete_bet_or_raise_to()
        assert may == (bet + stack > top and any(total > top for _, total in totals)), "D1: may raise"
        assert options.can_raise == (bet + stack > big and not alone and self.setup.max_bets > 1), (
            "D1: may raise"
        )
        if options.can_raise:
            whole = bet + stack
            by = bet_size(self.setup, 0) if self.setup.structure == "fixed_limit" else big
            most = whole
            if self.setup.structure == "pot_limit":
                most = big + theirs.total_pot_amount + self._missing() + big - bet
            elif self.setup.structure == "fixed_limit":
                most = big + by
            assert options.min_to == min(whole, big + by), "D1: least raise by the rule"
            assert options.max_to == min(whole, most), "D1: most raise by the rule"
        return may

    def _totals(self, ours: BettingState, index: int) -> list[tuple[int, int]]:
        """Behind, and in all this street, of the other live seats."""
        return [
            (stack, bet + stack)
            for at, (bet, stack, out) in enumerate(zip(ours.bets, ours.stacks, ours.folded, strict=True))
            if not out and at != index
        ]

    def _compare_right_to_raise(self, ours: BettingState, options: Legal) -> bool:
        theirs = self.state
        may: bool = theirs.can_complete_bet_or_raise_to()
        if may == options.can_raise:
            if not may:
                over = ours.current_bet + 1
                assert verify(ours, Action(options.seat, "raise", over)) is not None
                assert not theirs.can_complete_bet_or_raise_to(over)
            return may
        if options.can_raise and all(
            total <= ours.current_bet for _, total in self._totals(ours, theirs.actor_index)
        ):
            self.met["idle raise"] += 1
            return False
        self.met["D5" if self.setup.structure == "fixed_limit" else "D2-D4"] += 1
        assert has_acted(ours), "raising allowed"
        assert may_raise_again(ours) == options.can_raise, "reopening"
        if not options.can_raise:
            return True
        theirs.consecutive_short_all_in_amounts.clear()
        if self.setup.structure == "fixed_limit":
            theirs.completion_betting_or_raising_amount = 0
        assert theirs.can_complete_bet_or_raise_to(), "PokerKit can be told that it is reopened"
        return True

    def _compare_amounts(self, ours: BettingState, options: Legal) -> bool:
        theirs, setup = self.state, self.setup
        index, top = theirs.actor_index, max(theirs.bets)
        whole = theirs.bets[index] + theirs.stacks[index]
        least = theirs.min_completion_betting_or_raising_to_amount
        most = theirs.max_completion_betting_or_raising_to_amount
        assert options.min_to is not None and options.max_to is not None
        if setup.structure == "fixed_limit" and top != self.full_level:
            size = bet_size(setup, ours.street)
            assert least == most == min(whole, top + size), "half bets"
            assert options.min_to == options.max_to == min(whole, self.full_level + size), (
                "half bets by the rule"
            )
            if least != options.min_to:
                self.met["half bets"] += 1
                return False
        assert least == options.min_to, "least raise"
        if setup.structure == "pot_limit":
            missing = self._missing() if ours.street == 0 else 0
            pot = 2 * top - theirs.bets[index] + theirs.total_pot_amount
            assert most == min(whole, max(least, pot))
            assert options.max_to == options.pot_to == min(whole, max(least, pot + missing)), "54-B"
            self.met["54-B"] += most != options.max_to
        else:
            assert most == options.max_to, "most"
        for to in {least - 1, least, (least + most) // 2, most, options.max_to + 1}:
            legal = verify(ours, Action(options.seat, "raise", to)) is None
            assert legal == theirs.can_complete_bet_or_raise_to(to), f"raise to {to}"
        return True

    def _missing(self) -> int:
        """TDA 54-B: what the blinds lack of their full amounts."""
        big = posted(self.setup, "big_blind")
        button = posted(self.setup, "button_blind")
        if big is None:
            return 0 if button is None else max(0, self.setup.big_blind - self.state.bets[button[0]])
        small = posted(self.setup, "small_blind")
        full = self.setup.small_blind or (small[1] if small else self.setup.big_blind // 2)
        if self.setup.round_small_blind:
            full = self.setup.big_blind
        there = self.state.bets[small[0]] if small else 0
        killer = posted(self.setup, "kill")
        kill = max(0, self.setup.kill - self.state.bets[killer[0]]) if killer else 0
        return max(0, full - there) + max(0, self.setup.big_blind - self.state.bets[big[0]]) + kill

    def act(self, before: BettingState, action: Action, after: BettingState, may_raise: bool) -> None:
        """Do what our engine has just done."""
        theirs = self.state
        index = theirs.actor_index
        to = after.bets[index]
        raised = after.current_bet > before.current_bet
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # folding a hand that could check is allowed
            if action.kind == "fold":
                theirs.fold()
                return
        if not raised and to <= max(theirs.bets):
            theirs.check_or_call()
            return
        if not may_raise:
            theirs.check_or_call()
            self.idle[index] = to - (before.bets[index] + (before.stacks[index] - theirs.stacks[index]))
            return
        theirs.complete_bet_or_raise_to(to)
        self._mend(before, to, raised, all_in=after.stacks[index] == 0)

    def _mend(self, before: BettingState, to: int, raised: bool, all_in: bool) -> None:
        """Lead PokerKit back to the real hand after an action behind a short blind, or an all-in in limit."""
        theirs, setup = self.state, self.setup
        if self.short_blind:
            theirs.completion_betting_or_raising_amount = max(0, to - self.level)
            theirs.completion_betting_or_raising_count = int(raised)
            theirs.consecutive_short_all_in_amounts.clear()
            if to >= self.level:
                self._close_window()
        if setup.structure == "fixed_limit" and raised:
            size = bet_size(setup, before.street)
            over = to - self.full_level
            if (2 * over if setup.half_raise else over) >= size:
                self.full_level = to
            else:
                assert all_in
                theirs.completion_betting_or_raising_count -= 1

    def _open_window(self) -> None:
        """While D1 holds, PokerKit takes a call of the full blind as a raise of any size."""
        if self.short_blind:
            any_size = dataclasses.replace(
                self.streets[0],
                min_completion_betting_or_raising_amount=1,
                max_completion_betting_or_raising_count=None,
            )
            self.state.streets = (any_size, *self.streets[1:])
            self.state.betting_structure = BettingStructure.NO_LIMIT

    def _close_window(self) -> None:
        if self.short_blind:
            self.short_blind = False
            self.state.streets = self.streets
            self.state.betting_structure = self.structure

    def expected(self, ours: BettingState, strengths: Sequence[dict[int, int]]) -> dict[int, int]:
        """The stacks that PokerKit's way with odd chips and joined pots makes of our pots (D6)."""
        formed = pots(ours)
        stacks = dict(zip(self.setup.seats, ours.stacks, strict=True))
        excess = sum(ours.contributed) - sum(pot.amount for pot in formed)
        if excess:
            stacks[max(zip(ours.bets, self.setup.seats, strict=True))[1]] += excess
        alive = live(ours)
        if len(alive) == 1:
            stacks[alive[0]] += sum(pot.amount for pot in formed)
            return stacks
        best = [
            {
                seat
                for seat in pot.eligible
                if strength[seat] == min(strength[other] for other in pot.eligible)
            }
            for pot in formed
            for strength in strengths
        ]
        can_win = set().union(*best)
        joined: list[tuple[tuple[int, ...], int]] = []
        for pot in formed:
            eligible = tuple([seat for seat in pot.eligible if seat in can_win])
            amount = pot.amount
            if joined and joined[-1][0] == eligible:
                amount += joined.pop()[1]
            joined.append((eligible, amount))
        for eligible, amount in joined:
            for board, strength in enumerate(strengths):
                part = amount // len(strengths) + (0 if board else amount % len(strengths))
                top = min(strength[seat] for seat in eligible)
                winners = [seat for seat in eligible if strength[seat] == top]
                for place, seat in enumerate(winners):
                    stacks[seat] += part // len(winners) + (0 if place else part % len(winners))
        return stacks
