"""What a player has bet when he said one thing and pushed another, said nothing, or pushed twice (TDA 40 to 45, 51, 52, 55, 57; A4 to A8).

Pure: the state of the betting, what was said and pushed, and how the house reads it. Nothing is carried out here.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from dealer_assist.betting.rounds import legal, live
from dealer_assist.betting.structure import STRUCTURES
from dealer_assist.betting.turn import owed_level
from dealer_assist.betting.values import Action, ActionKind, BettingState, Refusal

Said = Literal["", "check", "call", "bet", "raise", "all_in"]
Reason = Literal[
    "declared_call",
    "declared_amount",
    "declared_raise",
    "all_in",
    "exact_call",
    "overchip",
    "overchip_bet",
    "every_chip_needed",
    "half_or_more",
    "less_than_half",
    "bet_as_pushed",
    "below_minimum",
    "above_maximum",
    "no_raise_left",
    "undercall",
    "undercall_floor",
    "string_bet",
    "check",
    "check_facing_bet",
    "two_meanings",
    "unclear",
]

#: The rule behind each reading, as TDA numbers it.
TDA: Final[dict[Reason, str]] = {
    "declared_call": "TDA 40",
    "declared_amount": "TDA 40",
    "declared_raise": "TDA 42",
    "all_in": "TDA 40",
    "exact_call": "TDA 41",
    "overchip": "TDA 44",
    "overchip_bet": "TDA 44",
    "every_chip_needed": "TDA 45",
    "half_or_more": "TDA 43",
    "less_than_half": "TDA 43",
    "bet_as_pushed": "TDA 40",
    "below_minimum": "TDA 52-A",
    "above_maximum": "TDA 52-B",
    "no_raise_left": "TDA 47",
    "undercall": "TDA 51-B",
    "undercall_floor": "TDA 51-B",
    "string_bet": "TDA 42",
    "check": "TDA 40",
    "check_facing_bet": "TDA 55",
    "two_meanings": "TDA 57",
    "unclear": "TDA 57",
}
#: A number can have left out so many noughts: "five" for 5,000,000.
_NOUGHTS_AT_MOST: Final = 6


class Pushed(msgspec.Struct, frozen=True):
    """What a seat said and put out, in this order. Amounts in the smallest unit.

    ``said``: the word, "" for none; ``amount``: the number that was said, the total in front. ``chips``: the value of each chip of the
    first motion, those in front from before not among them; ``more``: of a second motion. ``unclear``: the number can mean several
    amounts ("five"), or without one: nobody can say what the words or the gesture meant.
    """

    seat: int
    said: Said = ""
    amount: int | None = None
    chips: tuple[int, ...] = ()
    more: tuple[int, ...] = ()
    unclear: bool = False


class AmountRules(msgspec.Struct, frozen=True):
    """How a house reads chips. ``half_raises``: half of a raise or more is a whole one (TDA 43); otherwise only a whole one is.

    ``undercall``: too few chips silently pushed are a whole call against the opening bet or heads-up (TDA 51-B), or always for
    the floor to rule on.
    """

    half_raises: bool = True
    undercall: Literal["call", "floor"] = "call"


class RuledAmount(msgspec.Struct, frozen=True):
    """What it was: an action, with ``to`` the total in front after it.

    ``back``: chips that go back to the player, ``owes``: chips that he still puts in. ``action`` None: it is not settled yet, the floor
    or the player says what it is; a call or a fold, but where it was ``unclear``. ``also``: another rule that the reading met on its way
    (a second motion that does not count).
    """

    action: Action | None
    to: int
    back: int
    owes: int
    reason: Reason
    also: Reason | None = None

    @property
    def rule(self) -> str:
        """The rule that this rests on."""
        return TDA[self.reason]


def ruled_amount(rules: AmountRules, state: BettingState, pushed: Pushed) -> RuledAmount | Refusal:
    """Read what the seat to act did.

    Refusal: not_to_act (to_act), nothing_pushed, above_stack (max_to),
    count_needed (call: all-in of a stack that is not known).
    """
    if pushed.seat != state.to_act:
        return Refusal("not_to_act", {"to_act": state.to_act or 0})
    if not pushed.said and not pushed.chips and pushed.amount is None and not pushed.unclear:
        return Refusal("nothing_pushed")
    whole = state.bet_of(pushed.seat) + state.stack_of(pushed.seat)
    put = state.bet_of(pushed.seat) + sum(pushed.chips) + sum(pushed.more)
    if max(put, pushed.amount or 0) > whole:
        return Refusal("above_stack", {"max_to": whole})
    if pushed.said == "all_in" and pushed.seat in state.setup.unknown and not (pushed.amount or pushed.chips):
        return Refusal("count_needed", {"call": min(state.current_bet, whole) - state.bet_of(pushed.seat)})
    return _Reading(rules, state, pushed).ruled()


class _Reading:
    """One reading: what the seat has, what it owes, and what raises are open to it."""

    def __init__(self, rules: AmountRules, state: BettingState, pushed: Pushed) -> None:
        self.rules = rules
        self.state = state
        self.pushed = pushed
        index = state.setup.seats.index(pushed.seat)
        actors = len(state.bets) - state.folded.count(True) - state.all_in.count(True)
        self.bet = state.bets[index]
        self.whole = self.bet + state.stacks[index]
        self.level = owed_level(state.bets, state.current_bet, actors, index)
        self.call = min(self.level, self.whole)
        can = legal(state)
        assert can is not None
        self.can_raise = can.can_raise
        self.structure = STRUCTURES[state.setup.structure]
        self.most = self.structure.most_to(state, index)
        self.least = min(self.structure.least_to(state), self.most)
        self.first = sum(pushed.chips)
        self.all = self.first + sum(pushed.more)

    def ruled(self) -> RuledAmount:
        pushed = self.pushed
        if pushed.unclear:
            return self._unclear()
        if pushed.said == "all_in":
            return self._all_in()
        if pushed.said == "call":
            return self._call("declared_call")
        if pushed.said == "check":
            return self._check()
        if pushed.amount is not None:
            return self._declared(pushed.amount)
        if pushed.said in ("bet", "raise"):
            return self._declared_raise()
        return self._silent()

    def _all_in(self) -> RuledAmount:
        """All of it; of a stack that is not known, what was said or pushed."""
        known = self.pushed.seat not in self.state.setup.unknown
        to = self.whole if known else self.pushed.amount or self.bet + self.all
        if to <= self.call:
            return self._done(Action(self.pushed.seat, "all_in", None if known else to), to, "all_in")
        return self._raise(to, "all_in")

    def _check(self) -> RuledAmount:
        """Who says check although he faces a bet may call or fold, and not raise (TDA 55)."""
        if self.call == self.bet:
            return self._call("check")
        there = self.bet + self.all
        return RuledAmount(
            None, self.call, max(0, there - self.call), max(0, self.call - there), "check_facing_bet"
        )

    def _unclear(self) -> RuledAmount:
        """A number that can mean several amounts is the highest of them that the pot covers (TDA 57), the least where it covers none."""
        amount = self.pushed.amount
        meanings = []
        if amount is not None:
            meanings = [amount * 10**noughts for noughts in range(_NOUGHTS_AT_MOST + 1)]
            meanings = [each for each in meanings if self.least <= each <= self.most or each == self.call]
        if not meanings:
            return RuledAmount(None, self.bet, self.all, 0, "unclear")
        pot = sum(self.state.contributed)
        to = max([each for each in meanings if each <= pot], default=min(meanings))
        return self._call("two_meanings") if to == self.call else self._raise(to, "two_meanings")

    def _declared(self, amount: int) -> RuledAmount:
        """A number that was said binds like as many chips (TDA 40); with the word raise, as a raise."""
        if self.pushed.said in ("bet", "raise") or not self.call - self.bet:
            return self._raise(amount, "declared_amount")
        if amount < self.call:
            return self._undercall(amount)
        if amount == self.call:
            return self._call("declared_amount")
        return self._half(amount, "declared_amount")

    def _declared_raise(self) -> RuledAmount:
        """Raise was said first: the chips of one motion, or the exact call and one more motion (TDA 42)."""
        total = self.bet + self.first
        if self.pushed.more and total == self.call:
            return self._raise(self.bet + self.all, "declared_raise")
        ruled = self._raise(max(total, self.least), "declared_raise")
        return self._with_string(ruled)

    def _silent(self) -> RuledAmount:
        """Chips without a word: the first motion counts (TDA 42), read by its chips (TDA 43 to 45)."""
        total = self.bet + self.first
        return self._with_string(self._of_chips(total))

    def _of_chips(self, total: int) -> RuledAmount:
        chips = self.pushed.chips
        if self.call == self.bet:
            if self.state.current_bet == 0:
                return self._raise(total, "overchip_bet" if len(chips) == 1 else "bet_as_pushed")
            return self._half(total, "bet_as_pushed")
        if total < self.call:
            return self._undercall(total)
        if total == self.call:
            return self._call("exact_call")
        if len(chips) == 1:
            return self._call("overchip")
        if total - min(chips) < self.call:
            return self._call("every_chip_needed")
        return self._half(total, "half_or_more")

    def _half(self, total: int, reason: Reason) -> RuledAmount:
        """More than the call: a raise from half of one on, a whole one at least; less is a call (TDA 43)."""
        full = self.structure.least_to(self.state) - self.level
        over = total - self.level
        if (2 * over if self.rules.half_raises else over) >= full:
            return self._raise(total, reason if total >= self.least else "half_or_more")
        if self.call == self.bet:
            return self._passive("check", "less_than_half")
        return self._call("less_than_half")

    def _undercall(self, total: int) -> RuledAmount:
        """Too few chips: the whole call against the opening bet or heads-up, otherwise as the floor rules (TDA 51-B)."""
        if total >= self.whole:
            return self._call("all_in")
        here = self.state.actions_on(self.state.street)
        raises = sum(taken.kind in ("bet", "raise") for taken in here)
        opening = raises <= (0 if self.state.street == 0 else 1)
        if self.rules.undercall == "call" and (opening or len(live(self.state)) == 2):
            return self._call("undercall")
        return RuledAmount(None, self.call, 0, max(0, self.call - total), "undercall_floor")

    def _raise(self, total: int, reason: Reason) -> RuledAmount:
        """A bet or raise to ``total``, brought to what the structure and the stack allow."""
        if not self.can_raise and not (reason == "all_in" and total <= self.level):
            return (
                self._call("no_raise_left")
                if self.call > self.bet
                else self._passive("check", "no_raise_left")
            )
        to = min(total, self.whole)
        if to > self.most:
            to = self.most
            reason = "above_maximum" if self.state.setup.structure == "pot_limit" else reason
        elif to < self.least:
            short = reason
            to = self.least
            reason = short if short in ("half_or_more", "declared_raise") else "below_minimum"
        kind: ActionKind = "raise" if self.state.current_bet else "bet"
        if self.pushed.said == "all_in" and to == total and not self.pushed.unclear:
            kind = "all_in"
        return self._done(Action(self.pushed.seat, kind, to), to, reason)

    def _call(self, reason: Reason) -> RuledAmount:
        if self.call == self.bet:
            return self._passive("check", reason)
        return self._done(Action(self.pushed.seat, "call"), self.call, reason)

    def _passive(self, kind: ActionKind, reason: Reason) -> RuledAmount:
        return self._done(Action(self.pushed.seat, kind), self.bet, reason)

    def _done(self, action: Action, to: int, reason: Reason) -> RuledAmount:
        there = self.bet + self.all
        return RuledAmount(action, to, max(0, there - to), max(0, to - there), reason)

    def _with_string(self, ruled: RuledAmount) -> RuledAmount:
        """The second motion goes back."""
        if not self.pushed.more:
            return ruled
        return msgspec.structs.replace(ruled, also="string_bet")
