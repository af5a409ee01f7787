"""Plays a hand step by step in virtual time, on whatever world it is given: a trace being written, or devices on real ports."""

from __future__ import annotations

from typing import Any, Protocol

from hw_sim import steps as st
from hw_sim.physics import Cards, Movement
from hw_sim.scenario import jitter


class World(Protocol):
    """Where a hand is played. Times are virtual ms."""

    def open_hand(self, hand: st.Hand, now_ms: int) -> int:
        """A new hand begins; returns the time when it is open."""

    def moves(self, movements: list[Movement]) -> None:
        """Cards move; their times may lie ahead."""

    def until(self, t_ms: int) -> int:
        """Let time pass; returns the time now (a live world may be later)."""

    def tap(self, command: dict[str, Any], now_ms: int) -> int:
        """The dealer taps; returns the time now."""

    def check(self, check: st.Check, now_ms: int) -> int:
        """Something must hold; returns the time when it did, or when patience ended."""

    def fault(self, fault: st.Fault, now_ms: int) -> None:
        """Something happens to a device."""

    def close_hand(self, hand: st.Hand, now_ms: int) -> int:
        """The hand is over: compare with what was expected; returns the time now."""


def play(hand: st.Hand, world: World, now_ms: int, *, pace: int = 0) -> int:
    """Play one hand from ``now_ms``; returns the time when it is over.

    ``pace`` picks the jitter of the dealer's hands: the same cards and acts, a little sooner or later.
    """
    name = f"{hand.name}/{pace}" if pace else hand.name
    cards = Cards(hand, jitter(name))
    rng = jitter(f"taps/{name}")
    now_ms = world.open_hand(hand, now_ms)
    for step in hand.steps:
        match step:
            case st.Tap():
                now_ms = world.until(now_ms + max(0, step.after_ms + rng.randint(-150, 150)))
                now_ms = world.tap(step.command, now_ms)
            case st.Wait():
                now_ms = world.until(now_ms + step.ms)
            case st.Check():
                now_ms = world.until(now_ms + step.settle_ms)
                now_ms = world.check(step, now_ms)
            case st.Fault():
                world.fault(step, now_ms)
            case _:
                movements, done_ms = cards.play(step, now_ms)
                world.moves(movements)
                now_ms = world.until(done_ms)
    now_ms = world.until(now_ms + 1200)
    now_ms = world.close_hand(hand, now_ms)
    if any(faces for place, faces in cards.places.items() if place != "stub"):
        # a script that leaves the hand before its end: the cards are collected for the next one all the same
        movements, done_ms = cards.play(st.Sweep(), now_ms)
        world.moves(movements)
        now_ms = world.until(done_ms)
    return now_ms
