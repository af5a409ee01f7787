"""Legal hands of any table, dealt, bet, shown and pushed as they should be, as steps of the simulator."""

from __future__ import annotations

import random
from typing import Any

from dealer_assist import betting
from dealer_assist.betting import Action
from dealer_assist.composition import core_for_trace, load_game, load_house
from dealer_assist.domain.table import HandOpening, Limits, SeatStack
from dealer_assist.replay import HandResult, Replay
from dealer_assist.table.opening import Rules, deal_order, hand_setup
from dealer_assist.table.trace import read
from hw_sim import steps as st
from hw_sim.director import Habits, play
from hw_sim.noise import misses
from hw_sim.trace import TraceWorld

STREETS = (("flop", 3), ("turn", 1), ("river", 1))


class Dealt:
    """A legal hand being made. ``missed``: numbers of the cards from the stub (from 0) that no antenna ever reads."""

    def __init__(
        self,
        rng: random.Random,
        *,
        seats: tuple[int, ...],
        button: int,
        house: str = "seed",
        missed: frozenset[int] = frozenset(),
    ) -> None:
        self.rng = rng
        self.house = house
        self.missed = missed
        self.opening = HandOpening(
            "h", button, tuple([SeatStack(seat, rng.choice((20, 60, 200, 1000))) for seat in seats])
        )
        self.order = deal_order(self.opening)
        self.rules = Rules(load_house(house), load_game("nlhe"), Limits(1, 2))
        self.betting = betting.start(hand_setup(self.opening, self.order, self.rules))
        self.deck = list(shuffled(rng))
        self.next = 0
        self.held: dict[int, list[str]] = {seat: [] for seat in self.order}
        self.unread: dict[int, list[str]] = {}
        self.board: list[str] = []
        self.tabled: list[int] = []
        self.steps: list[st.Step] = []

    def hand(self) -> st.Hand:
        """The whole hand."""
        for _ in range(2):
            for seat in self.order:
                face, missed = self._card()
                self.held[seat].append(face)
                if missed:
                    self.unread.setdefault(seat, []).append(face)
                self.steps.append(st.Pitch(seat, unread=missed))
        self._round()
        for _, count in STREETS:
            if betting.hand_over(self.betting):
                break
            self._turn_up_when_all_in()
            self._street(count)
            if not betting.no_more_betting(self.betting):
                self.betting = betting.next_street(self.betting)
                self._round()
        if not betting.hand_over(self.betting):
            self._showdown()
        self.steps += [st.Tap({"kind": "push_pots"}, after_ms=1000), st.Sweep()]
        return st.Hand(
            name=f"random/{self.rng.random()}",
            source="random",
            opening={
                "hand": "h",
                "button": self.opening.button,
                "seats": [{"seat": seat.seat, "stack": seat.stack} for seat in self.opening.seats],
            },
            deck=tuple(self.deck),
            steps=tuple(self.steps),
            expect={"result": "completed", "attempts": 1},
            small_blind=1,
            big_blind=2,
            house=self.house,
        )

    def _card(self) -> tuple[str, bool]:
        number = self.next
        self.next += 1
        return self.deck[number], number in self.missed

    def _round(self) -> None:
        while (legal := betting.legal(self.betting)) is not None:
            seat = legal.seat
            choices = ["fold", "call", "call"] if legal.call else ["check", "check", "check"]
            if legal.can_raise:
                choices += ["raise"]
            kind: Any = self.rng.choice(choices)
            to = None
            if kind == "raise":
                assert legal.min_to is not None
                assert legal.max_to is not None
                to = self.rng.choice((legal.min_to, min(legal.max_to, 3 * legal.min_to), legal.max_to))
                kind = "bet" if legal.is_bet else "raise"
            self.betting = betting.act(self.betting, Action(seat, kind, to))
            if kind == "fold":
                self.steps.append(st.Fold(seat))
            else:
                self.steps.append(st.Wait(self.rng.randint(500, 1500)))
            command = {"kind": "act", "seat": seat, "action": kind}
            if to is not None:
                command["to"] = to
            self.steps.append(st.Tap(command, after_ms=500))

    def _turn_up_when_all_in(self) -> None:
        if self.rules.house.parameters.allin_faceup.value and betting.no_more_betting(self.betting):
            self._table([seat for seat in betting.live(self.betting) if seat not in self.tabled])

    def _street(self, count: int) -> None:
        _, missed = self._card()
        self.steps.append(st.Burn(unread=missed))
        cards = [self._card() for _ in range(count)]
        self.board += [face for face, _ in cards]
        unread = [face for face, missed in cards if missed]
        # the simulator leaves the last ones unread: which of three lies badly makes no difference to anybody
        self.steps += [st.Board(count, unread=len(unread)), st.Wait(900)]
        faces = [face for face, _ in cards]
        for face in faces[count - len(unread) :]:
            self.steps.append(st.Tap({"kind": "enter_card", "face": face}, after_ms=1500))

    def _table(self, seats: list[int]) -> None:
        for seat in seats:
            self.tabled.append(seat)
            self.steps.append(st.Tap({"kind": "tabled", "seat": seat}, after_ms=900))
            for face in self.unread.get(seat, ()):
                self.steps.append(st.Tap({"kind": "enter_card", "face": face, "seat": seat}, after_ms=1500))

    def _showdown(self) -> None:
        order = [seat for seat in betting.showdown_order(self.betting) if seat not in self.tabled]
        self._table(order)


def shuffled(rng: random.Random) -> list[str]:
    """A deck."""
    deck = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
    rng.shuffle(deck)
    return deck


def replayed(hand: st.Hand, *, pace: int = 0, late_taps_ms: int = 0, miss_rate: float = 0.0) -> HandResult:
    """What the product makes of a hand."""
    lines: list[str] = []
    world = TraceWorld(lines.append, profile=misses(miss_rate))
    play(hand, world, 1000, Habits(pace=pace, late_taps_ms=late_taps_ms))
    replay = Replay(lambda header: core_for_trace(header, None))
    return list(replay.feed(read("random", "".join(lines).splitlines())))[-1]
