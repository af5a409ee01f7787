"""Plays a hand step by step in virtual time, on whatever world it is given: a trace being written, or devices on real ports."""

from __future__ import annotations

from collections import deque
from typing import Protocol

from hw_sim import steps as st
from hw_sim.physics import Cards, Movement
from hw_sim.scenario import jitter


class World(Protocol):
    """Where a hand is played. Times are virtual ms."""

    def prepare(self, hand: st.Hand, now_ms: int) -> int:
        """The table is made ready for a hand; returns the time now."""

    def shuffler(self, hand: st.Hand, says: st.Says, now_ms: int) -> int:
        """The shuffler says something; returns the time now."""

    def open_hand(self, hand: st.Hand, now_ms: int) -> int:
        """A new hand begins; returns the time when it is open."""

    def moves(self, movements: list[Movement]) -> None:
        """Cards move; their times may lie ahead."""

    def until(self, t_ms: int) -> int:
        """Let time pass; returns the time now (a live world may be later)."""

    def tap(self, tap: st.Tap, now_ms: int) -> int:
        """The dealer taps; returns the time now."""

    def check(self, check: st.Check, now_ms: int) -> int:
        """Something must hold; returns the time when it did, or when patience ended."""

    def fault(self, fault: st.Fault, now_ms: int) -> None:
        """Something happens to a device."""

    def close_hand(self, hand: st.Hand, now_ms: int) -> int:
        """The hand is over: compare with what was expected; returns the time now."""


def play(hand: st.Hand, world: World, now_ms: int, *, pace: int = 0, late_taps_ms: int = 0) -> int:
    """Play one hand from ``now_ms``; returns the time when it is over.

    ``pace`` picks the jitter of the dealer's hands: the same cards and acts, a little sooner or later. ``late_taps_ms``: each tap
    comes up to so much after its act, in the order of the acts, and the cards do not wait for it.
    """
    return _Course(hand, world, pace, late_taps_ms).run(now_ms)


class _Course:
    """The course of one hand: acts one after the other, and the taps that are still to be made."""

    def __init__(self, hand: st.Hand, world: World, pace: int, late_taps_ms: int) -> None:
        name = f"{hand.name}/{pace}" if pace else hand.name
        self._hand = hand
        self._world = world
        self._cards = Cards(hand, jitter(name))
        self._rng = jitter(f"taps/{name}")
        self._late_rng = jitter(f"late/{name}")
        self._late_ms = late_taps_ms
        self._taps: deque[tuple[int, st.Tap]] = deque()

    def run(self, now_ms: int) -> int:
        hand, world, cards = self._hand, self._world, self._cards
        now_ms = world.prepare(hand, now_ms)
        for step in hand.before:
            now_ms = self._do(step, now_ms)
        now_ms = world.open_hand(hand, now_ms)
        for step in hand.steps:
            now_ms = self._do(step, now_ms)
        now_ms = self._until(self._tapped(now_ms) + 1200)
        now_ms = world.close_hand(hand, now_ms)
        if cards.left_out():
            # a script that leaves the hand before its end: the cards are collected for the next one all the same
            movements, done_ms = cards.play(st.Sweep(), now_ms)
            world.moves(movements)
            now_ms = world.until(done_ms)
        return now_ms

    def _do(self, step: st.Step, now_ms: int) -> int:
        world = self._world
        match step:
            case st.Tap():
                now_ms = self._until(now_ms + max(0, step.after_ms + self._rng.randint(-150, 150)))
                return self._tap(step, now_ms)
            case st.Wait():
                return self._until(now_ms + step.ms)
            case st.Check():
                now_ms = self._until(self._tapped(now_ms) + step.settle_ms)
                return world.check(step, now_ms)
            case st.Fault():
                world.fault(step, now_ms)
                return now_ms
            case st.ShoeOn():
                return now_ms  # a table's shoe is there for the whole hand
            case st.ShufflerState() | st.ShufflerVerdict():
                return world.shuffler(self._hand, step, now_ms)
            case _:
                movements, done_ms = self._cards.play(step, now_ms)
                world.moves(movements)
                return self._until(done_ms)

    def _tap(self, tap: st.Tap, now_ms: int) -> int:
        if not self._late_ms:
            return self._world.tap(tap, now_ms)
        if tap.command["kind"] == "push_pots":
            # pots are pushed as the screen says, which it does once every hand is tapped
            now_ms = self._until(self._tapped(now_ms))
        if tap.command["kind"] == "run_it":
            # the dealer asks before the next card, and it comes when all have agreed
            return self._world.tap(tap, self._until(self._tapped(now_ms)))
        due_ms = max(self._tapped(now_ms), now_ms + self._late_rng.randint(0, self._late_ms))
        self._taps.append((due_ms, tap))
        return now_ms

    def _tapped(self, now_ms: int) -> int:
        """When every tap so far is made, at the soonest now."""
        return max(now_ms, self._taps[-1][0]) if self._taps else now_ms

    def _until(self, t_ms: int) -> int:
        while self._taps and self._taps[0][0] <= t_ms:
            due_ms, tap = self._taps.popleft()
            t_ms = max(t_ms, self._world.tap(tap, self._world.until(due_ms)))
        return self._world.until(t_ms)
