"""Plays a hand step by step in virtual time, on whatever world it is given: a trace being written, or devices on real ports."""

from __future__ import annotations

from collections import deque
from typing import Final, Protocol

import msgspec

from hw_sim import steps as st
from hw_sim.entry import Chips
from hw_sim.noise import PEOPLE, Manners
from hw_sim.people import People
from hw_sim.physics import Cards, Movement
from hw_sim.scenario import jitter
from hw_sim.truth import KNOWN_MS, Departure, Truth


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

    def read_for_ms(self, face: str, zone: str, now_ms: int) -> int:
        """For how long at the most an antenna has read a card at its zone in this hand, but for flickers."""

    def check(self, check: st.Check, now_ms: int) -> int:
        """Something must hold; returns the time when it did, or when patience ended."""

    def fault(self, fault: st.Fault, now_ms: int) -> None:
        """Something happens to a device."""

    def break_down(self, step: st.Inject, now_ms: int) -> None:
        """A fault of the catalogue begins or ends."""

    def close_hand(self, hand: st.Hand, now_ms: int) -> int:
        """The hand is over: compare with what was expected; returns the time now."""


class Habits(msgspec.Struct, frozen=True):
    """How the hands of a run are played, besides what they say.

    ``pace`` picks the jitter of the dealer's hands: the same cards and acts, a little sooner or later. ``late_taps_ms``: each tap
    comes up to so much after its act, in the order of the acts, and the cards do not wait for it. ``manners``: people do more
    than that (None: they act at once); ``seed`` picks what they do.
    """

    pace: int = 0
    late_taps_ms: int = 0
    manners: Manners | None = None
    seed: int = 1


PLAIN: Final = Habits()
#: A board card that was not read for longer in one piece is not shown on a dealer's screen.
_SHOWN_MS: Final = 1000


def play(
    hand: st.Hand, world: World, now_ms: int, habits: Habits = PLAIN, *, truth: Truth | None = None
) -> int:
    """Play one hand from ``now_ms``; returns the time when it is over. ``truth`` is told what goes wrong on purpose."""
    return _Course(hand, world, habits, truth).run(now_ms)


def begin(hand: st.Hand, world: World, now_ms: int) -> tuple[Cards, int]:
    """Play what the hand says and leave it so, open, the cards where they lie; returns them, and the time."""
    course = _Course(hand, world, PLAIN, None)
    now_ms = course.begin(now_ms)
    return course.cards, now_ms


class _Course:
    """The course of one hand: acts one after the other, and the taps that are still to be made."""

    def __init__(self, hand: st.Hand, world: World, habits: Habits, truth: Truth | None) -> None:
        name = f"{hand.name}/{habits.pace}" if habits.pace else hand.name
        self._hand = hand
        self._world = world
        self.cards = Cards(hand, jitter(name))
        self._rng = jitter(f"taps/{name}")
        self._late_rng = jitter(f"late/{name}")
        self._late_ms = habits.late_taps_ms
        self._people = People(habits.manners, f"{habits.seed}/{name}") if habits.manners else None
        self._truth = truth
        self._taps: deque[tuple[int, st.Tap]] = deque()
        #: a tap that the dealer forgot, and when it was due
        self._forgotten: tuple[int, st.Tap] | None = None
        self._slips = not any(isinstance(step, st.Departs) for step in hand.steps)
        self._chips = Chips(hand)
        self._board = 0
        self._dealing = False
        self._acted = False
        self._tabled: list[int] = []
        self._moved: list[Movement] = []
        self._departure: Departure | None = None

    def begin(self, now_ms: int) -> int:
        """All that the hand says; it stays open."""
        hand, world = self._hand, self._world
        now_ms = world.prepare(hand, now_ms)
        for step in hand.before:
            now_ms = self._do(step, now_ms)
        now_ms = world.open_hand(hand, now_ms)
        for step in hand.steps:
            if self._people is not None:
                now_ms = self._wait_for_people(self._people, step, now_ms)
            now_ms = self._do(step, now_ms)
        return self._until(self._tapped(now_ms) + 1200)

    def run(self, now_ms: int) -> int:
        """All that the hand says, and its end."""
        hand, world, cards = self._hand, self._world, self.cards
        now_ms = world.close_hand(hand, self.begin(now_ms))
        if self._departure is not None and self._truth is not None:
            self._truth.departure(hand.name, self._departure, now_ms)
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
            case st.Inject():
                world.break_down(step, now_ms)
                return now_ms
            case st.ShoeOn():
                return now_ms  # a table's shoe is there for the whole hand
            case st.ShufflerState() | st.ShufflerVerdict():
                return world.shuffler(self._hand, step, now_ms)
            case st.Departs():
                self._departure = Departure(step, self._moved)
                return now_ms
            case st.Stops():
                return self._stop(step, now_ms)
            case _:
                self._forgotten_is_asked(step, now_ms)
                movements, done_ms = self.cards.play(step, now_ms)
                self._moved += movements
                if self._departure is not None:
                    self._departure.goes_on(movements, done_ms)
                if self._people is not None and isinstance(step, st.Pitch | st.DealRest):
                    movements = movements + self._people.lifts(movements)
                world.moves(movements)
                return self._until(done_ms)

    # -- people ----------------------------------------------------------------------------------------------------------------------

    def _wait_for_people(self, people: People, step: st.Step, now_ms: int) -> int:
        """The time that people take before a step."""
        match step:
            case st.Pitch() | st.DealRest():
                self._dealing = True
            case st.Board():
                self._board += step.count
                self._chips.step(step)
            case st.Fold(showdown=False):
                self._acted = True
                return self._thinks(people, now_ms)
            case st.Tap() if step.command["kind"] == "act":
                # the cards of a fold have moved before its tap
                if self._acted:
                    self._acted = False
                else:
                    return self._thinks(people, now_ms)
            case _:
                pass
        return now_ms

    def _thinks(self, people: People, now_ms: int) -> int:
        if not self._dealing:
            return self._until(now_ms + people.think_ms())
        self._dealing = False
        hands = {f"seat{seat}": list(self.cards.at(f"seat{seat}")) for seat in self._hand.seats()}
        self._world.moves(people.peeks(hands, now_ms))
        return self._until(now_ms + people.settle_ms())

    def _stop(self, step: st.Stops, now_ms: int) -> int:
        """The dealer stops; the floor comes and voids the hand."""
        people = self._people or People(PEOPLE, self._hand.name)
        departure = self._departure
        assert departure is not None, "a dealer stops behind a departure"
        if departure.t_ms is None:
            departure.goes_on([], now_ms)
        match step.next_step:
            case "board":
                ahead_ms = self._rng.randint(700, 1000)
            case "first_action":
                ahead_ms = people.settle_ms()
            case _:
                ahead_ms = 900 + people.think_ms()
        departure.next_step_ms = now_ms + ahead_ms
        now_ms = self._until(self._tapped(now_ms + people.floor_ms()))
        departure.void_ms = now_ms
        return self._world.tap(st.Tap({"kind": "void"}), now_ms)

    # -- taps ------------------------------------------------------------------------------------------------------------------------

    def _tap(self, tap: st.Tap, now_ms: int) -> int:
        people = self._people
        if people is None and not self._late_ms:
            return self._world.tap(tap, now_ms)
        if tap.command["kind"] == "push_pots":
            # pots are pushed as the screen says, which it does once every hand is tapped
            now_ms = self._until(self._tapped(now_ms))
            if people is not None:
                now_ms = self._enter_unread(people, now_ms)
        if tap.command["kind"] == "tabled":
            self._tabled.append(tap.command["seat"])
        if tap.command["kind"] == "run_it":
            # the dealer asks before the next card, and it comes when all have agreed
            return self._world.tap(tap, self._until(self._tapped(now_ms)))
        late_ms = people.late_ms() if people is not None else self._late_rng.randint(0, self._late_ms)
        if people is not None and tap.command["kind"] == "act" and not tap.refused:
            slip = people.slip() if self._slips else ""
            if slip == "wrong_tap":
                return self._tap_wrong(people, tap, now_ms + late_ms)
            self._chips.step(tap)
            if slip == "forgotten_tap" and self._forgotten is None:
                self._forgotten = (now_ms + late_ms, tap)
                return now_ms
        due_ms = max(self._tapped(now_ms, before_ms=late_ms), now_ms + late_ms)
        self._taps.append((due_ms, tap))
        return now_ms

    def _enter_unread(self, people: People, now_ms: int) -> int:
        """Before a contested pot goes the dealer sees which cards the table has not read, and enters them."""
        if not self._tabled:
            return now_ms
        places: list[tuple[str, int | None]] = [
            ("board", None),
            *[(f"seat{seat}", seat) for seat in self._tabled],
        ]
        entered = False
        for place, seat in places:
            for face in self.cards.at(place):
                needed_ms = KNOWN_MS if seat else _SHOWN_MS
                if self._world.read_for_ms(face, place, now_ms) < needed_ms:
                    command = {"kind": "enter_card", "face": face, **({"seat": seat} if seat else {})}
                    now_ms = self._world.tap(st.Tap(command), self._until(now_ms + people.enter_ms()))
                    entered = True
        return self._until(now_ms + people.enter_ms()) if entered else now_ms

    def _mistaken(self, tap: st.Tap) -> st.Tap:
        """What a slipping finger taps in its place: another thing that the seat could do."""
        action = "fold"
        if tap.command["action"] == "fold":
            action = "call" if self._chips.faces_bet(tap.command["seat"]) else "check"
        return st.Tap({"kind": "act", "seat": tap.command["seat"], "action": action})

    def _tap_wrong(self, people: People, tap: st.Tap, now_ms: int) -> int:
        """A wrong tap, undone and made anew; the dealer does nothing else meanwhile."""
        wrong = self._mistaken(tap)
        self._chips.step(tap)
        due_ms = now_ms = self._until(self._tapped(now_ms))
        to_undo_ms, anew_ms = people.undo_ms()
        now_ms = self._world.tap(wrong, now_ms)
        now_ms = self._world.tap(st.Tap({"kind": "undo"}), self._until(now_ms + to_undo_ms))
        now_ms = self._world.tap(tap, self._until(now_ms + anew_ms))
        self._tell_slip("wrong_tap", tap, due_ms, now_ms)
        return now_ms

    def _forgotten_is_asked(self, step: st.Step, now_ms: int) -> None:
        """Cards go on though a tap is missing: the table asks a while later. Where only bets are tapped it cannot."""
        if self._forgotten is not None and self._people is not None and isinstance(step, st.Burn | st.Board):
            asks = self._hand.entry == "every_action"
            self._remembers(now_ms + (self._people.asked_ms() if asks else 0))

    def _remembers(self, at_ms: int) -> None:
        if self._forgotten is None:
            return
        due_ms, tap = self._forgotten
        self._forgotten = None
        made_ms = max(self._tapped(at_ms), at_ms, due_ms)
        self._taps.append((made_ms, tap))
        self._tell_slip("forgotten_tap", tap, due_ms, made_ms)

    def _tell_slip(self, kind: str, tap: st.Tap, due_ms: int, made_ms: int) -> None:
        if self._truth is not None:
            street = {0: "preflop", 3: "flop", 4: "turn"}.get(self._board, "river")
            self._truth.slip(self._hand.name, kind, tap.command["seat"], street, due_ms, made_ms)

    def _tapped(self, now_ms: int, *, before_ms: int = 0) -> int:
        """When every tap so far is made, at the soonest now. A forgotten one comes at the latest with the next, ``before_ms`` away."""
        if self._forgotten is not None:
            self._remembers(now_ms + before_ms)
        return max(now_ms, self._taps[-1][0]) if self._taps else now_ms

    def _until(self, t_ms: int) -> int:
        while self._taps and self._taps[0][0] <= t_ms:
            due_ms, tap = self._taps.popleft()
            t_ms = max(t_ms, self._world.tap(tap, self._world.until(due_ms)))
        return self._world.until(t_ms)
