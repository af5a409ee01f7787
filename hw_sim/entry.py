"""The same hand as it is entered at another table: by exception, without stacks, or without amounts."""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec.structs import replace

from hw_sim import steps as st

#: Stands for a stack that nobody knows: no hand takes so much.
_ENDLESS: Final = 10**12
#: Posts that count towards what a player has to call; the others lie in the pot.
LIVE_POSTS: Final = frozenset(("small_blind", "big_blind", "straddle", "button_blind", "kill"))


def by_exception(hand: st.Hand) -> st.Hand:
    """The hand without the taps of checks, calls, folds and mucked hands; a call that is all-in is tapped. The acts take as long.

    A call that names what it is, because it is more than anybody holds against it, is tapped too.

    A fold is tapped in games whose folded hands stay at their seats: no muck tells of it.
    """
    chips = Chips(hand)
    steps = tuple(chips.step(step) for step in hand.steps)
    return replace(hand, entry="by_exception", steps=steps)


Tracking = Literal["full", "pot", "cards"]

#: Checks of chips, which a table that tracks only cards cannot make.
_OF_CHIPS: Final = frozenset(("pot", "stack", "push", "rake", "drop", "odd"))


def tracked(hand: st.Hand, tracking: Tracking) -> st.Hand:
    """The hand at a table that tracks no stacks (pot), or no amounts at all (cards).

    Without stacks an all-in, and a call that is one, is tapped with its count; what is expected of stacks is left out. Only with cards
    the rounds close by burns and folds, as by exception, and nothing is expected of chips.
    """
    if tracking == "full":
        return hand
    if tracking == "cards":
        return _without(replace(by_exception(hand), tracking=tracking), _OF_CHIPS)
    chips = Chips(hand)
    return _without(
        replace(hand, tracking=tracking, steps=tuple([chips.counted(step) for step in hand.steps])),
        frozenset(("stack",)),
    )


def _without(hand: st.Hand, checks: frozenset[str]) -> st.Hand:
    """The hand without these checks, and without expected stacks."""
    steps = tuple(
        [step for step in hand.steps if not (isinstance(step, st.Check) and checks & step.wanted.keys())]
    )
    gone = {"stacks"} if checks == {"stack"} else {"stacks", "rake", "drops", "pots", "returned", "awards"}
    expect = {key: value for key, value in hand.expect.items() if key not in gone}
    return replace(hand, steps=steps, expect=expect)


class Chips:
    """What lies in front of each seat and what is behind it: as much betting as it takes to know a call for all-in."""

    def __init__(self, hand: st.Hand) -> None:
        self._stacks = {
            record["seat"]: _ENDLESS if record["stack"] is None else record["stack"]
            for record in hand.opening["seats"]
        }
        self._bets = dict.fromkeys(self._stacks, 0)
        self._folds_stay = hand.plan.folded != "muck"
        for post in hand.posts():
            paid = min(post["amount"], self._stacks[post["seat"]])
            self._stacks[post["seat"]] -= paid
            if post["kind"] in LIVE_POSTS:
                self._bets[post["seat"]] += paid
        # a blind that is all-in for less is called at the full blind
        blinds = [post for post in hand.posts() if post["kind"] in LIVE_POSTS]
        full = {"big_blind": hand.big_blind, "small_blind": hand.small_blind}
        self._level = max((max(post["amount"], full.get(post["kind"], 0)) for post in blinds), default=0)

    def faces_bet(self, seat: int) -> bool:
        """Whether this seat has something to call."""
        return self._level > self._bets.get(seat, 0)

    def step(self, step: st.Step) -> st.Step:
        """The step as it is made: a tap that nobody makes is the time that its act takes."""
        self._street(step)
        if not isinstance(step, st.Tap) or step.refused:
            return step
        match step.command:
            case {"kind": "act", "seat": seat, "action": "call"} if seat in self._stacks:
                allin = self._pay(seat, self._level)
                return step if allin or "to" in step.command else st.Wait(step.after_ms)
            case {"kind": "straddle", "seat": seat} if seat in self._stacks:
                self._pay(seat, step.command.get("amount", 0) or 2 * self._level)
            case {"kind": "act", "action": "fold"} if self._folds_stay:
                pass
            case {"kind": "act", "action": "check" | "fold" | "call"} | {"kind": "mucked"}:
                return st.Wait(step.after_ms)
            case {"kind": "act", "seat": seat, "action": "bet" | "raise", "to": to} if seat in self._stacks:
                self._pay(seat, to)
            case {"kind": "act", "seat": seat, "action": "all_in"} if seat in self._stacks:
                self._pay(seat, step.command.get("to") or self._bets[seat] + self._stacks[seat])
            case _:
                pass
        return step

    def counted(self, step: st.Step) -> st.Step:
        """The step where nobody knows the stacks: who is all-in has his chips counted."""
        self._street(step)
        if not isinstance(step, st.Tap) or step.refused:
            return step
        command: dict[str, Any] = step.command
        match command:
            case {"kind": "act", "seat": seat, "action": "call"} if seat in self._stacks:
                short = self._bets[seat] + self._stacks[seat] < self._level
                self._pay(seat, self._level)
                if short:
                    return replace(step, command={**command, "action": "all_in", "to": self._bets[seat]})
            case {"kind": "act", "seat": seat, "action": "bet" | "raise", "to": to} if seat in self._stacks:
                self._pay(seat, to)
                if self._stacks[seat] == 0:
                    return replace(step, command={**command, "action": "all_in"})
            case {"kind": "act", "seat": seat, "action": "all_in"} if seat in self._stacks:
                self._pay(seat, command.get("to") or self._bets[seat] + self._stacks[seat])
                return replace(step, command={**command, "to": self._bets[seat]})
            case _:
                pass
        return step

    def _street(self, step: st.Step) -> None:
        if isinstance(step, st.Board):
            self._bets = dict.fromkeys(self._bets, 0)
            self._level = 0

    def _pay(self, seat: int, total: int) -> bool:
        """A seat puts chips in up to ``total`` in front of it; whether those were its last."""
        added = max(0, min(total - self._bets[seat], self._stacks[seat]))
        self._stacks[seat] -= added
        self._bets[seat] += added
        self._level = max(self._level, self._bets[seat])
        return bool(self._stacks[seat] == 0)
