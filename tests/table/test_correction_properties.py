"""Corrections of random hands: the state is that of a hand in which it had been entered right, or nothing has changed."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as hs

from dealer_assist import betting
from dealer_assist.betting import UNKNOWN_STACK
from dealer_assist.domain import commands as cmd
from dealer_assist.domain.commands import Refused
from dealer_assist.table.hand import Hand, final_stacks
from tests.table.driver import Driver

HOUSES = ("seed", "roberts", "tda2024", "wsop_cash", "wsop_tournament")
GAMES = ("nlhe", "plhe", "flhe")
Step = tuple[str, Any]


class Table:
    """A driver and the steps of its hand, so that another table can make the same ones."""

    def __init__(self, keys: dict[str, Any]) -> None:
        self.driver = Driver(**keys)
        self.driver.deal()

    @property
    def hand(self) -> Hand:
        return self.driver.hand

    def make(self, step: Step) -> Refused | None:
        """One step; whether it was refused."""
        kind, what = step
        if kind == "street":
            self.driver.street(what)
            return None
        self.driver.wait(900)
        return self.driver.tell(what)


def keys_of(rng: random.Random) -> dict[str, Any]:
    seats = sorted(rng.sample(range(1, 12), rng.randint(2, 6)))
    low, high = rng.choice([(3, 60), (40, 300), (200, 200)])
    stacks = {seat: None if rng.random() < 0.15 else rng.randint(low, high) for seat in seats}
    return {
        "seats": seats,
        "button": rng.choice(seats),
        "stacks": stacks,
        "house": rng.choice(HOUSES),
        "game": rng.choice(GAMES),
        "tracking": rng.choice(["full", "full", "full", "pot"]),
    }


def an_action(rng: random.Random, hand: Hand, seat: int) -> cmd.Act:
    """What the seat to act does, legal."""
    can = betting.legal(hand.betting)
    assert can is not None
    roll = rng.random()
    if roll < 0.12:
        return cmd.Act(seat, "fold")
    if can.min_to is not None and roll < 0.5:
        top = can.max_to if can.max_to is not None else can.min_to + 80
        to = min(
            max(can.min_to, rng.choice((can.min_to, can.min_to + rng.randint(0, 40), top))),
            max(top, can.min_to),
        )
        return cmd.Act(seat, "bet" if can.is_bet else "raise", to)
    if roll > 0.95:
        known = hand.betting.known_stack_of(seat)
        to = hand.betting.bet_of(seat) + rng.randint(1, 90)
        return cmd.Act(seat, "all_in", None if known is not None else to)
    return cmd.Act(seat, "check" if can.can_check else "call")


def any_action(rng: random.Random, seat: int) -> cmd.Act:
    """What a seat may be said to have done, legal or not."""
    kind = rng.choice(("fold", "check", "call", "bet", "raise", "raise", "all_in"))
    to = (
        rng.randint(1, 120) if kind in ("bet", "raise") or (kind == "all_in" and rng.random() < 0.4) else None
    )
    return cmd.Act(seat, kind, to, counted=kind == "all_in" and rng.random() < 0.3)  # type: ignore[arg-type]


def steps_of(rng: random.Random, table: Table) -> list[Step]:
    """A hand up to its showdown, or to where nobody is left, or somewhere before."""
    steps: list[Step] = []
    limit = rng.randint(2, 40)
    for _ in range(2 * limit):
        hand = table.hand
        if len(steps) >= limit:
            break
        if hand.settlement is not None or hand.procedure.step.kind == "show" or hand.bets.over:
            break
        seat = hand.betting.to_act
        if seat is None:
            step: Step = ("street", 3 if not hand.board_faces() else 1)
        elif rng.random() < 0.06:
            other = rng.choice(hand.betting.setup.seats)
            step = ("set", cmd.SetStack(other, rng.choice((None, rng.randint(1, 150)))))
        else:
            step = ("act", an_action(rng, hand, seat))
        if table.make(step) is None:
            steps.append(step)
    return steps


def check(hand: Hand) -> None:
    """Chips are conserved, nobody has less than none, every pot can be won."""
    state = hand.betting
    assert sum(state.stacks) + sum(state.contributed) == sum(state.setup.stacks)
    assert min(state.stacks) >= 0
    assert min(state.bets) >= 0
    for pot in betting.pots(state):
        assert pot.amount > 0
        assert pot.eligible
        assert set(pot.eligible) <= set(betting.live(state))
    assert sum(pot.amount for pot in betting.pots(state)) + (betting.uncalled(state) or (0, 0))[1] == sum(
        state.contributed
    )
    if hand.settlement is not None:
        assert all(0 <= (stack or 0) < UNKNOWN_STACK // 2 for stack in final_stacks(hand).values())


def no_false_chips(driver: Driver) -> None:
    """Nothing that stands for a stack nobody knows is shown or stored, but where the set-up names the seat."""
    shown = [msgspec.to_builtins(fact) for change in driver.changes for fact in change.facts]
    stored = [msgspec.to_builtins(event) for change in driver.changes for event in change.events]
    for event in stored:
        if "setup" in event:
            del event["setup"]["stacks"]
    assert max(_numbers([shown, stored, msgspec.to_builtins(driver.core.snapshot())])) < UNKNOWN_STACK // 1000


def _numbers(value: Any) -> list[int]:
    if isinstance(value, dict):
        return [found for each in value.values() for found in _numbers(each)]
    if isinstance(value, list | tuple):
        return [found for each in value for found in _numbers(each)]
    return [value] if isinstance(value, int) else []


def money(hand: Hand) -> Any:
    """All that is true of chips."""
    return hand.betting, hand.settlement


@settings(max_examples=120, deadline=None)
@given(hs.integers(0, 10**9))
def test_a_correction_is_as_if_it_had_been_entered_right_or_changes_nothing(seed: int) -> None:
    rng = random.Random(seed)
    keys = keys_of(rng)
    table = Table(keys)
    steps = steps_of(rng, table)
    acts = [number for number, (kind, _) in enumerate(steps) if kind == "act"]
    if not acts:
        return
    at = rng.choice(acts)
    seat = steps[at][1].seat
    other = any_action(rng, seat) if rng.random() < 0.7 else cmd.Act(seat, *_like(rng, steps[at][1]))
    later = [number for number in acts if number > at and steps[number][1].seat == seat]

    before = table.hand
    refused, _ = table.driver.core.tell(
        cmd.Correct(seat, other.action, other.to, len(later), other.counted), "floor", table.driver.t_ms
    )

    right = Table(keys)
    fits = True
    for number, step in enumerate(steps):
        if other.counted and number > at and step[0] == "set" and step[1].seat == seat:
            continue  # counted anew
        if right.make(("act", other) if number == at else step) is not None:
            fits = False
            break
    if fits:
        assert refused is None, (steps[at], other, refused)
        assert money(table.hand) == money(right.hand)
        check(table.hand)
    else:
        assert refused is not None, (steps[at], other)
        assert table.hand == before
    check(table.hand)
    no_false_chips(table.driver)


def _like(rng: random.Random, act: cmd.Act) -> tuple[Any, int | None]:
    """The same kind of action with another amount, or a passive one."""
    if act.to is not None and act.action != "all_in":
        return act.action, act.to + rng.choice((-4, -2, 2, 4, 10))
    return rng.choice((("call", None), ("check", None), ("fold", None)))


@settings(max_examples=60, deadline=None)
@given(hs.integers(0, 10**9))
def test_undo_goes_back_tap_by_tap_to_the_beginning_of_the_street(seed: int) -> None:
    rng = random.Random(seed)
    table = Table(keys_of(rng))
    states: list[Any] = []
    while len(states) < 12:
        hand = table.hand
        seat = hand.betting.to_act
        if seat is None:
            break
        before = (hand.betting, hand.kept)
        action = an_action(rng, hand, seat)
        if rng.random() < 0.2:
            told: cmd.Command = cmd.SetStack(rng.choice(hand.bets.live), rng.randint(1, 300))
        elif rng.random() < 0.2 and len(hand.bets.pending) > 1:
            told = cmd.Irregular(hand.bets.pending[-1], "call" if hand.betting.current_bet else "check")
        else:
            told = action
        table.driver.wait(900)
        if table.driver.tell(told) is None:
            states.append(before)
        if table.hand.betting.street:
            break
    for before in reversed(states):
        assert table.driver.tell(cmd.Undo()) is None
        assert (table.hand.betting, table.hand.kept) == before
    assert table.driver.tell(cmd.Undo()) == Refused("nothing_to_undo")


@pytest.mark.parametrize("seed", range(6))
def test_several_corrections_one_after_the_other(seed: int) -> None:
    """Every wrong entry put right: the hand that was meant."""
    rng = random.Random(seed)
    keys = keys_of(rng) | {"game": "nlhe"}
    meant = Table(keys)
    steps = steps_of(rng, meant)
    table = Table(keys)
    wrong: list[tuple[int, cmd.Act]] = []
    for step in steps:
        kind, what = step
        if kind == "act" and what.action in ("raise", "bet") and what.to > 4:
            less = cmd.Act(what.seat, what.action, what.to - 1)
            if table.make(("act", less)) is None:
                wrong.append((what.seat, what))
                refused, _ = table.driver.core.tell(
                    cmd.Correct(what.seat, what.action, what.to), "dealer", table.driver.t_ms
                )
                assert refused is None
                continue
        assert table.make(step) is None
    assert money(table.hand) == money(meant.hand)
