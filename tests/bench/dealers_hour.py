"""An hour of a dealer's life: what the table asks him and tells him while nothing, or next to nothing, is wrong.

``python -m tests.bench.dealers_hour [--seeds 1 2 3]`` (docs/dealers_hour.md). Virtual time; the antennas read and the people tap
and handle cards as in the reference noise ``table``, at a pace of 30 to 35 hands an hour, by exception, and nobody taps a push that is
plain. In every hour a player goes and comes back, the dealer is pushed in mid-hand, a player changes seats, chips are bought, and one
hand is a bomb pot. In every second hour the player who came back is dealt in before anybody tells the table.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from typing import Final

import msgspec

from dealer_assist.domain import commands as cmd
from hw_sim import steps as st
from hw_sim.director import Habits, play
from hw_sim.noise import PEOPLE, PROFILES
from tests.bench.hour_play import COUNTED, Drawn, Players
from tests.bench.hour_world import HourWorld, Said

HOUSE: Final = "seed"
BLINDS: Final = (1, 2)
BUY_IN: Final = 200
TOP_UP_BELOW: Final = 80
SEATED: Final = (1, 2, 3, 4, 5, 6, 7, 8)
FREE: Final = 9
HOUR_MS: Final = 3_600_000
#: players of a live table think longer than those of the reference; between two hands chips are counted and the deck changed
THINK_MS: Final = (700, 14_000)
GAP_MS: Final = (35_000, 65_000)
AWAY, BACK, PUSHED, MOVES, BOMB = 5, 8, 12, 17, 23


class HandTold(msgspec.Struct):
    """A hand of the hour."""

    number: int
    name: str
    what: str
    seconds: float
    result: str
    wrong: str = ""
    said: list[Said] = []


class Hour:
    """One hour at one table."""

    def __init__(self, seed: int, profile: str) -> None:
        noise = PROFILES[profile]
        # a card that is taken up before any scan saw it is noise, too
        people = noise.manners or msgspec.structs.replace(PEOPLE, early_lifts=0.0)
        self._manners = msgspec.structs.replace(people, think_ms=THINK_MS)
        self._seed = seed
        self._rng = random.Random(f"hour/{seed}")
        self._world = HourWorld(noise, seed=seed, games=("bomb_pot",))
        self._players = Players(f"players/{seed}")
        self._t_ms = 1000
        self._away = 0
        self.hands: list[HandTold] = []

    def run(self) -> list[HandTold]:
        """Play it."""
        world = self._world
        world.seat_down(
            st.Hand(
                "table",
                "hour",
                {},
                (),
                (),
                {},
                *BLINDS,
                stakes={"bomb_ante": 5},
                house=HOUSE,
                entry="by_exception",
            )
        )
        for seat in SEATED:
            self._tell(cmd.SitDown(seat, BUY_IN))
        while self._t_ms < HOUR_MS:
            self._one(len(self.hands) + 1)
        return self.hands

    def _tell(self, command: cmd.Command) -> None:
        self._t_ms = self._world.until(self._t_ms + 1200)
        self._world.tell(command, self._t_ms)

    def _one(self, number: int) -> None:
        world = self._world
        began_ms = self._t_ms
        what = self._before(number)
        game = "bomb_pot" if number == BOMB else ""
        opening = world.next_opening(game)
        if what == "player back, not told":
            behind = world.core.seats.ledger.seat(self._away).stack
            seats = sorted(
                [*opening.seats, type(opening.seats[0])(self._away, behind)], key=lambda record: record.seat
            )
            opening = msgspec.structs.replace(opening, seats=tuple(seats))
        drawn = self._players.hand(opening, game or "nlhe", BLINDS, HOUSE)
        hand = drawn.hand
        if number == PUSHED:
            steps = [
                *hand.steps[:3],
                st.Tap({"kind": "dealer_push", "dealer": "17"}, after_ms=800),
                *hand.steps[3:],
            ]
            hand, what = msgspec.structs.replace(hand, steps=tuple(steps)), "dealer push in mid-hand"
        if game:
            self._tell(cmd.OpenHand(game=game))
        pace = self._seed * 1000 + number
        self._t_ms = play(hand, world, self._t_ms, Habits(pace=pace, manners=self._manners, seed=self._seed))
        self.hands.append(self._judged(number, what or ("bomb pot" if game else ""), began_ms, drawn))
        world.said = []
        self._t_ms = world.until(self._t_ms + self._rng.randint(*GAP_MS))

    def _before(self, number: int) -> str:
        """What people do before a hand."""
        world = self._world
        ledger = world.core.seats.ledger
        for seat in (*SEATED, FREE):
            stack = ledger.seat(seat).stack
            if ledger.seat(seat).status != "empty" and stack is None:
                self._tell(cmd.SetStack(seat, COUNTED))
            if ledger.seat(seat).status == "in" and stack is not None and stack < TOP_UP_BELOW:
                self._tell(cmd.TopUp(seat, BUY_IN - stack))
        hand = world.core.hand
        if number == AWAY and hand is not None:
            self._away = next(seat for seat in reversed(hand.procedure.order) if seat in SEATED)
            self._tell(cmd.SetSeat(self._away, "away"))  # who had the button: no blind passes him soon
            return "player away"
        if number == BACK:
            if self._seed % 2:
                return "player back, not told"
            self._tell(cmd.SetSeat(self._away, "in"))
            return "player back"
        if number == MOVES:
            seat = next(seat for seat in SEATED if seat != self._away and ledger.seat(seat).status == "in")
            least, most = world.core.seats.rules.buy_in_min, world.core.seats.rules.buy_in_max
            stack = min(most, max(least, ledger.seat(seat).stack or BUY_IN))
            self._tell(cmd.SetSeat(seat, "out"))
            self._tell(
                cmd.SitDown(FREE, stack, returned_from=seat if stack == ledger.seat(seat).stack else None)
            )
            self._tell(cmd.PostNow(FREE))
            return "seat change"
        return ""

    def _judged(self, number: int, what: str, began_ms: int, drawn: Drawn) -> HandTold:
        world = self._world
        hand = world.core.hand
        assert hand is not None
        wrong = ""
        if hand.settlement is None:
            wrong = f"not decided: {hand.procedure.step.kind}"
        else:
            put_in = dict(zip(hand.betting.setup.seats, hand.betting.contributed, strict=True))
            if _called(put_in) != _called(drawn.paid):
                wrong = f"the pots are {put_in}, put in was {drawn.paid}"
        result = hand.result or ("decided" if hand.settlement is not None else "open")
        seconds = (self._t_ms - began_ms) / 1000
        return HandTold(number, hand.procedure.hand, what, seconds, result, wrong, world.said)


def _called(paid: dict[int, int]) -> dict[int, int]:
    """What is in the pots: without what nobody called."""
    *_, second, _most = sorted([0, 0, *paid.values()])
    return {seat: min(amount, second) for seat, amount in paid.items() if amount}


def main() -> int:
    """Play the hours and say what was said; 1 where a pot was wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seeds", type=int, nargs="*", default=[1, 2, 3, 4])
    parser.add_argument("--noise", choices=("clean", "fine", "table", "bad"), default="table")
    given = parser.parse_args()
    failed = False
    for seed in given.seeds:
        hands = Hour(seed, given.noise).run()
        counted = Counter(
            (said.kind, said.what) for hand in hands for said in hand.said if said.kind != "mark"
        )
        marks = Counter(said.what for hand in hands for said in hand.said if said.kind == "mark")
        print(f"== seed {seed}: {len(hands)} hands; {dict(marks)}")
        for (kind, what), count in counted.most_common():
            print(f"  {count} x {kind} {what}")
        for hand in hands:
            if hand.wrong or hand.what or any(said.kind != "mark" for said in hand.said):
                print(
                    f"  hand {hand.number} {hand.name} {hand.what} {hand.seconds:.0f} s {hand.result} {hand.wrong}"
                )
                for said in hand.said:
                    if said.kind != "mark" or said.what != "assumed":
                        print(
                            f"      {said.t_ms / 1000:.1f} {said.kind} {said.what} seat {said.seat} {said.street} -> {said.end}"
                        )
            failed |= bool(hand.wrong)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
