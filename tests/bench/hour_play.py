"""Hands that nobody wrote down: what players of a low-stakes table do, drawn, as steps for the simulator."""

from __future__ import annotations

import random
from typing import Any, Final

import msgspec
from phevaluator import evaluate_cards

from dealer_assist.domain.table import HandOpening
from hw_sim import steps as st
from hw_sim.cards import shuffled
from hw_sim.entry import LIVE_POSTS, by_exception
from hw_sim.games import plan_of
from hw_sim.history import Course, closing

#: how often a player folds, calls, and raises: before the flop with nothing but blinds in front, facing a raise, and behind the flop
_OPENING: Final = (0.66, 0.86)
_FACING: Final = (0.55, 0.93)
_BETS: Final = 0.35
_MOST_RAISES: Final = 3
#: what the dealer counts in front of a player whose stack the table does not know
COUNTED: Final = 150
#: of the beaten hands at the showdown, thrown away face down
_MUCKS: Final = 0.7


class Players:
    """Draws what they do; ``chip``: amounts are whole chips of this value."""

    def __init__(self, seed: str, *, chip: int = 5) -> None:
        self._rng = random.Random(seed)
        self._chip = chip

    def hand(self, opening: HandOpening, game: str, blinds: tuple[int, int], house: str) -> Drawn:
        """A hand by the table's own opening, by exception."""
        plan = plan_of(game)
        deck = shuffled(f"{opening.hand}/{self._rng.random()}")
        told: dict[str, Any] = msgspec.to_builtins(opening)
        name = f"hour/{opening.hand}"
        hand = st.Hand(
            name,
            "hour",
            told,
            deck,
            (),
            {},
            *blinds,
            stakes={"bomb_ante": 5},
            house=house,
            game=game,
            plan=plan,
        )
        stacks = {record.seat: COUNTED if record.stack is None else record.stack for record in opening.seats}
        whole = dict(stacks)
        bets = dict.fromkeys(stacks, 0)
        for post in opening.posts:
            paid = min(post.amount, stacks[post.seat])
            stacks[post.seat] -= paid
            if post.kind in LIVE_POSTS:
                bets[post.seat] += paid
        order = hand.seats()
        bomb = plan.posts == "antes"
        course = Course(
            order,
            stacks,
            bets,
            0 if bomb else blinds[1],
            allin_faceup=False,
            raise_by=blinds[1],
            big_blind=blinds[1],
        )
        steps: list[st.Step] = [st.DealRest()]
        last_blind = max((at for at, seat in enumerate(order) if bets[seat]), default=-1)
        board: list[str] = []
        at = plan.hole * len(order)
        for street, cards in enumerate((0, 3, 1, 1)):
            if len(course.live) < 2:
                break
            if cards:
                burns = int(not (bomb and street == 1))
                dealt = course.street(cards)
                steps += dealt if burns else [step for step in dealt if not isinstance(step, st.Burn)]
                board += deck[at + burns : at + burns + cards]
                at += burns + cards
            if not (bomb and street == 0):
                first = last_blind + 1 if street == 0 else 0
                steps += self._round(course, [*order[first:], *order[:first]], preflop=street == 0)
        steps += self._end(course, order, deck, board)
        made = by_exception(msgspec.structs.replace(hand, steps=tuple(steps)))
        return Drawn(made, {seat: whole[seat] - course.stacks[seat] for seat in order})

    def _round(self, course: Course, order: list[int], *, preflop: bool) -> list[st.Step]:
        out: list[st.Step] = []
        raises = 0
        pending = [seat for seat in order if seat in course.live and course.stacks[seat]]
        if course.betting_over() and all(course.bets[seat] >= course.level for seat in pending):
            return out
        while pending and len(course.live) > 1:
            seat = pending.pop(0)
            action = self._choice(course, seat, raises, preflop=preflop)
            if action == "raise":
                to = self._amount(course, seat)
                if to is None:
                    action = "call"
                else:
                    out += course.act(seat, "raise", to)
                    raises += 1
                    turn = order.index(seat)
                    after = [*order[turn + 1 :], *order[:turn]]
                    pending = [other for other in after if other in course.live and course.stacks[other]]
                    continue
            out += course.act(seat, "check" if course.level <= course.bets[seat] else action)
        return out

    def _choice(self, course: Course, seat: int, raises: int, *, preflop: bool) -> str:
        drawn = self._rng.random()
        faces = course.level > course.bets[seat]
        if not faces:
            return "raise" if not preflop and drawn < _BETS else "check"
        folds, calls = _OPENING if preflop and raises == 0 else _FACING
        if drawn < folds:
            return "fold"
        return "call" if drawn < calls or raises >= _MOST_RAISES else "raise"

    def _amount(self, course: Course, seat: int) -> int | None:
        """A total in front: of a bet a share of the pot, of a raise about three times the bet; the last chips where most are in."""
        most = course.bets[seat] + course.stacks[seat]
        least = course.least_to(seat)
        if most <= course.level:
            return None
        pot = sum(course.bets.values()) + 10
        wanted = 3 * course.level if course.level else round(pot * self._rng.choice((0.5, 0.75, 1.0)))
        to = max(-(-wanted // self._chip) * self._chip, least)
        return most if to > 0.6 * most else to

    def _end(
        self, course: Course, order: tuple[int, ...], deck: tuple[str, ...], board: list[str]
    ) -> list[st.Step]:
        if len(course.live) < 2:
            # nobody taps what is plain: the next hand's first card says it
            return [_look(course.live), st.Sweep()]
        held = {seat: [deck[order.index(seat)], deck[order.index(seat) + len(order)]] for seat in course.live}
        rank = {seat: evaluate_cards(*cards, *board) for seat, cards in held.items()}
        best = min(rank.values())
        shown = [seat for seat in course.live if rank[seat] == best or self._rng.random() > _MUCKS]
        return [*course.showdown(shown), _look(shown), *closing()]


def _look(left: list[int]) -> st.Tap:
    """The hand is over, ``left`` are in it: the dealer looks whether the table knows."""
    return st.Tap({"kind": "look", "left": list(left)}, after_ms=1500)


class Drawn(msgspec.Struct, frozen=True):
    """A hand, and what each seat puts into its pots."""

    hand: st.Hand
    paid: dict[int, int]
