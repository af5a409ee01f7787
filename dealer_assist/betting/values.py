"""Values of the betting engine. All amounts are integers of the smallest unit; all are frozen.

Tuples that hold one entry a seat (stacks, bets, …) are aligned to ``HandSetup.seats``.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from dealer_assist.betting.rake import RakeSchedule
from dealer_assist.domain.commands import Refused
from dealer_assist.domain.table import ForcedBet, ForcedKind

#: Why an action was not carried out, as the table tells it.
Refusal = Refused
Post = ForcedBet
PostKind = ForcedKind
ActionKind = Literal["fold", "check", "call", "bet", "raise", "all_in"]
TakenKind = Literal["fold", "check", "call", "bet", "raise"]
StructureName = Literal["no_limit", "pot_limit", "fixed_limit"]
StraddleRule = Literal["none", "under_the_gun", "under_the_gun_or_button", "any_seat"]

#: Streets by index: 0 preflop, 1 flop, 2 turn, 3 river.
LAST_STREET = 3

#: Stands for a stack that is not known: more than any bet can ask for.
UNKNOWN_STACK = 10**12


class HandSetup(msgspec.Struct, frozen=True):
    """Everything the betting of one hand starts from.

    ``seats``: the dealt-in seats clockwise, the first one left of the button first, so that the last is the button, or the
    nearest dealt-in seat before a dead button. ``stacks``: aligned to seats, before posts. ``posts`` are taken in the order
    given; the order decides what a short stack covers first (big blind before big-blind ante: TDA RP-11), and the first
    ``big_blind`` is the hand's big blind, later ones are live posts of new players.
    ``big_blind``: the full big blind, which callers owe however short its poster is (WLA 154), and the smallest bet.
    ``unit``: the smallest chip in play, in which pots are split (TDA 20). ``straddle_raise``: the smallest raise over a
    straddle is what the straddle was more than the bet before it, at least the big blind (TDA 43), or the whole straddle (WLA26).

    Pot limit: ``small_blind``: the full small blind, 0 for half the big one; before the flop the pot counts every blind in full,
    however short or dead it is (TDA 54-B). ``round_small_blind``: it counts the small blind as a big one (WLA 191).
    Fixed limit: ``small_bet`` of the first two streets, 0 for the big blind; ``big_bet`` of the last two, 0 for twice the small
    bet; ``max_bets``: bets a round, the opening one or the big blind included; ``uncapped_headsup``: no such limit ever, as soon as
    two live seats are left (S000-07), or in rounds that begin with two (WLA 131); ``half_raise``: an all-in of half a bet or more
    over the last full bet counts as a raise (RROP), otherwise only a whole bet does.
    ``first_street``: 1 for a hand without betting before the flop; its posts are in the pot, and the first live seat left of the
    button begins.
    ``kill``: the whole blind of the seat that kills the pot, 0 where nobody does: callers owe it however short it is, and it is the
    least bet of no-limit and pot-limit streets. ``straddle``, ``restraddle``: who may straddle before the first action, and whether a
    straddle may be straddled. ``rake``: what the house takes of the pots, None for nothing.
    ``side_pots_show_first``: at the showdown, before seats that are all-in for less (RROP).
    ``unknown``: seats whose chips nobody has counted; their entry of ``stacks`` is :data:`UNKNOWN_STACK`. ``amounts`` False: no
    amounts are told, bets and calls are tokens that only say who still has to act.
    """

    seats: tuple[int, ...]
    button: int
    stacks: tuple[int, ...]
    posts: tuple[Post, ...]
    big_blind: int
    unit: int = 1
    structure: StructureName = "no_limit"
    straddle_raise: Literal["difference", "whole"] = "difference"
    small_blind: int = 0
    round_small_blind: bool = False
    small_bet: int = 0
    big_bet: int = 0
    max_bets: int = 4
    uncapped_headsup: Literal["never", "players_left", "round_starts"] = "never"
    half_raise: bool = True
    first_street: int = 0
    kill: int = 0
    straddle: StraddleRule = "none"
    restraddle: bool = False
    rake: RakeSchedule | None = None
    side_pots_show_first: bool = False
    unknown: tuple[int, ...] = ()
    amounts: bool = True


class Action(msgspec.Struct, frozen=True):
    """What a seat does. ``to``: its total in front this street after a bet or raise. ``assumed``: concluded, not entered.

    ``ruled``: a wrong bet or raise that stands by a ruling (TDA 52): too small, too large or not allowed, it is taken as it is.
    """

    seat: int
    kind: ActionKind
    to: int | None = None
    assumed: bool = False
    ruled: bool = False


class Taken(msgspec.Struct, frozen=True):
    """An action as it was carried out.

    ``to``: the seat's total in front after it; ``added``: chips it put in; ``all_in``: nothing left behind;
    ``in_turn`` False: a fold out of turn. ``killed``: no fold of the player's, the hand was declared dead. ``declared``: all-in was
    said; otherwise ``all_in`` is only what the count of its chips comes to.
    """

    seat: int
    kind: TakenKind
    to: int
    added: int
    all_in: bool
    street: int
    assumed: bool = False
    in_turn: bool = True
    killed: bool = False
    declared: bool = False


class UnfoldFund(msgspec.Struct, frozen=True):
    """What was paid into the fund of an Unfold hand.

    ``antes``: aligned to the seats. ``paid``: (seat, amount) of the hands bought back, in that order. ``dead``: seats of ``paid``
    whose hand was declared dead afterwards.
    """

    antes: tuple[int, ...]
    paid: tuple[tuple[int, int], ...] = ()
    dead: tuple[int, ...] = ()


class BettingState(msgspec.Struct, frozen=True):
    """Where the betting stands.

    ``street``: 0 preflop … 3 river. ``stacks``: chips behind. ``bets``: in front of the seat this street. ``contributed``:
    all chips put in this hand, those in front, antes and dead posts included, less what was returned and without the unfold fund.
    ``antes``, ``dead``:
    the parts of it that never counted toward a bet. ``all_in``: live with nothing behind (False once folded). ``acted``: has
    acted in turn this street. ``to_act``: the seat whose turn it is, None when the round is complete. ``current_bet``: what a
    seat must have in front to stay in. ``last_full_raise``: the least by which a raise must exceed it (TDA 43).
    ``aggressor``: who bet or raised last in the last round in which a bet was possible. ``returned``: uncalled bets already
    given back. ``log``: the actions so far; those of street ``k`` begin at ``street_starts[k]``. ``bets_made``: the big blind and
    the full bets and raises of this round. ``fund``: what was paid into the unfold fund, None in other games. ``passive``: seats to which a
    ruling offers no raise this street; who raises all the same is not stopped by it.
    """

    setup: HandSetup
    street: int
    stacks: tuple[int, ...]
    bets: tuple[int, ...]
    contributed: tuple[int, ...]
    folded: tuple[bool, ...]
    all_in: tuple[bool, ...]
    acted: tuple[bool, ...]
    to_act: int | None
    current_bet: int
    last_full_raise: int
    aggressor: int | None
    antes: tuple[int, ...]
    dead: tuple[int, ...]
    returned: tuple[tuple[int, int], ...] = ()
    log: tuple[Taken, ...] = ()
    street_starts: tuple[int, ...] = (0,)
    bets_made: int = 0
    fund: UnfoldFund | None = None
    passive: tuple[int, ...] = ()

    def stack_of(self, seat: int) -> int:
        """Chips behind ``seat``."""
        return self.stacks[self.setup.seats.index(seat)]

    def known_stack_of(self, seat: int) -> int | None:
        """Chips behind ``seat``, None when nobody has counted them."""
        return None if seat in self.setup.unknown else self.stack_of(seat)

    def bet_of(self, seat: int) -> int:
        """Chips in front of ``seat`` this street."""
        return self.bets[self.setup.seats.index(seat)]

    def is_folded(self, seat: int) -> bool:
        """Whether ``seat`` has folded."""
        return self.folded[self.setup.seats.index(seat)]

    def is_all_in(self, seat: int) -> bool:
        """Whether ``seat`` is live with nothing behind."""
        return self.all_in[self.setup.seats.index(seat)]

    def actions_on(self, street: int) -> tuple[Taken, ...]:
        """The actions of a street, in order; empty for a street not reached."""
        starts = self.street_starts
        if street >= len(starts):
            return ()
        return self.log[starts[street] : starts[street + 1] if street + 1 < len(starts) else None]


class Legal(msgspec.Struct, frozen=True):
    """What the seat to act may do. ``call``: chips to add, at most its stack.

    ``min_to`` … ``max_to``: the totals in front that a bet or raise may reach, None when ``can_raise`` is False; ``max_to`` is
    always allowed even where it is less than a full raise; ``max_to`` alone None: the stack is not known and nothing else limits it.
    ``is_bet``: it would be a bet, nothing was bet yet. ``pot``: all
    chips in the middle and in front. ``pot_to``, ``half_pot_to``: the total of a pot-sized and half-pot raise after calling
    (TDA 54), kept within the limits. ``third_pot_to``, ``three_quarter_pot_to``: likewise by a third and three quarters of the pot, rounded
    down, None where the limits do not allow them.
    """

    seat: int
    can_check: bool
    call: int
    min_to: int | None
    max_to: int | None
    can_raise: bool
    is_bet: bool
    pot: int
    pot_to: int | None = None
    half_pot_to: int | None = None
    third_pot_to: int | None = None
    three_quarter_pot_to: int | None = None


class ActionRefused(Exception):
    """Raised by ``act`` and its kin where ``verify`` would have given a refusal."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(f"{refusal.code} {refusal.params}")


class BadSetup(ValueError):
    """A hand cannot start from this set-up: a code and parameters."""

    def __init__(self, code: str, **params: Any) -> None:
        self.code = code
        self.params = params
        super().__init__(f"{code} {params}")


class Pot(msgspec.Struct, frozen=True):
    """One pot and the seats that can win it, clockwise from the button."""

    amount: int
    eligible: tuple[int, ...]


class PotAward(msgspec.Struct, frozen=True):
    """Who gets one pot, or the part of it that one of several boards awards.

    ``number`` 0 is the main pot; ``shares`` are aligned to ``winners``. ``board``: 1, 2 … of several boards, 0 where the only board
    or no showdown decides the whole pot. ``taken``: rake and drops that came out of it; the shares are what is left.
    """

    number: int
    pot: Pot
    winners: tuple[int, ...]
    shares: tuple[int, ...]
    board: int = 0
    taken: int = 0


class Settlement(msgspec.Struct, frozen=True):
    """The end of the hand.

    ``returned``: uncalled bets given back, no part of a pot or an award. ``pots``: in the order of awarding, the last formed
    first (WLA 153). ``awards``: seat → what it wins of the pots; sum of pots = sum of awards + rake + sum of drops. ``stacks``: seat
    → chips after all, where they are known. ``fund``: who gets the unfold fund, as ``pots``; ``fund_returned``: seat and amount of
    what comes out of it unplayed. ``drops``: name and amount of what is taken beside the rake.
    """

    returned: tuple[tuple[int, int], ...]
    pots: tuple[PotAward, ...]
    awards: dict[int, int]
    stacks: dict[int, int]
    rake: int = 0
    fund: tuple[PotAward, ...] = ()
    fund_returned: tuple[tuple[int, int], ...] = ()
    drops: tuple[tuple[str, int], ...] = ()

    def pushed(self) -> dict[int, int]:
        """Seat → what is pushed to it: its awards, and its part of the unfold fund."""
        whole = dict(self.awards)
        for each in self.fund:
            for seat, share in zip(each.winners, each.shares, strict=True):
                whole[seat] = whole.get(seat, 0) + share
        return whole


class Unawardable(msgspec.Struct, frozen=True):
    """No settlement: nobody tabled a hand that can win ``pot``, or (``pot`` None) a seat still has to act.

    fund_nothing_tabled: ``pot`` is a part of the unfold fund.
    """

    pot: Pot | None
    code: Literal["nothing_tabled", "fund_nothing_tabled", "betting_open"] = "nothing_tabled"
