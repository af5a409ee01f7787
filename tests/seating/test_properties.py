"""Long evenings with people who come, go, bust and buy: what holds in every hand of every house."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as hs
from msgspec.structs import replace

from dealer_assist import seating
from dealer_assist.seating import NextHand, SeatRecord
from tests.seating.table import HOUSES, Table

_SEATS = hs.integers(1, 11)
_deeds = hs.lists(
    hs.tuples(
        hs.sampled_from(["sit", "away", "in", "out", "post", "wait", "top_up", "push", "nothing", "nothing"]),
        _SEATS,
    ),
    max_size=3,
)
_hand = hs.tuples(
    _deeds, hs.sampled_from(["completed"] * 9 + ["misdeal"]), _SEATS, _SEATS, hs.integers(1, 300)
)
_evening = hs.tuples(hs.sets(_SEATS, min_size=2), hs.lists(_hand, min_size=10, max_size=40))
_TIME = 3


class Evening(Table):
    """Plays an evening, and keeps every hand that counted."""

    def __init__(self, house: str, seats: set[int]) -> None:
        super().__init__(replace(HOUSES[house], time_rake=_TIME), seats)
        self.bought = 100 * len(seats)
        self.taken_home = 0
        self.hands: list[NextHand] = []
        self.here: list[dict[int, SeatRecord]] = []
        self.first_deal: dict[int, SeatRecord] = {}
        self.at_first_deal: list[dict[int, SeatRecord]] = []
        #: which player sits at each seat, as a number; and who sat where before each hand
        self.player: dict[int, int] = dict.fromkeys(range(1, 12), 0)
        self.players: list[dict[int, int]] = []

    def deed(self, what: str, seat: int) -> None:
        self.t_ms += 60_000
        record = self.ledger.seat(seat)
        before = self.chips()
        in_hand = [] if self.opening is None else [dealt.seat for dealt in self.opening.seats]
        try:
            match what:
                case "push":
                    self.ledger, _ = seating.dealer_push(
                        self.ledger, self.rules, "7", self.t_ms, in_hand=in_hand
                    )
                case "sit" if seat not in in_hand:
                    self.taken_home += record.stack or 0 if not record.seated else 0
                    self.sit(seat)
                    self.bought += 100
                    self.player[seat] += 1
                case "away" | "in" if record.status in ("in", "away") or record.stack:
                    self.status(what, seat)
                case "out" if record.seated:
                    self.status(what, seat)
                case "post" | "wait":
                    self.ledger = seating.choose(
                        self.ledger, self.rules, seat, posts=what == "post", t_ms=self.t_ms
                    )
                case "top_up":
                    self.top_up(seat, 50)
                    self.bought += self.chips() - before
        except seating.SeatsRefused:
            if what == "sit":
                self.taken_home -= record.stack or 0 if not record.seated else 0

    def chips(self) -> int:
        return sum(record.stack or 0 for record in self.ledger.seats.values())

    def hand(self, during: list[tuple[str, int]], result: str, winner: int, loser: int, amount: int) -> None:
        if seating.next_hand(self.ledger, self.rules) is None:
            return
        if self.ledger.again is None:  # a hand that is played again has the players of its first deal
            self.first_deal = dict(self.ledger.seats)
        seats_before, who = dict(self.ledger.seats), dict(self.player)
        hand = self.open()
        players = hand.players
        stacks = {seat: self.ledger.seats[seat].stack or 0 for seat in players}
        won, lost = players[winner % len(players)], players[loser % len(players)]
        if result == "completed" and won != lost:
            moved = min(amount, stacks[lost])
            stacks[won] += moved
            stacks[lost] -= moved
        for what, seat in during:
            self.deed(what, seat)
        closing = self.close(result, **{f"s{seat}": stack for seat, stack in stacks.items()})
        self.bought += sum(bought.amount for bought in closing.topped_up)
        if result == "completed":
            self.hands.append(hand)
            self.here.append(seats_before)
            self.at_first_deal.append(self.first_deal)
            self.players.append(who)


def evening(house: str, seats: set[int], hands: list[tuple]) -> Evening:  # type: ignore[type-arg]
    table = Evening(house, seats)
    for deeds, result, winner, loser, amount in hands:
        for what, seat in deeds[::2]:
            table.deed(what, seat)
        table.hand(deeds[1::2], result, winner, loser, amount)
    return table


def stays(table: Evening, first: int, last: int, seat: int) -> bool:
    """Whether a seat's player was in, with chips, owing nothing, before each of these hands."""
    return all(
        (record := before.get(seat)) is not None
        and record.status == "in"
        and record.stack
        and record.established
        for before in [*table.here[first : last + 1], *table.at_first_deal[first : last + 1]]
    )


@pytest.mark.parametrize("house", HOUSES)
@settings(max_examples=40, deadline=None)
@given(_evening)
def test_button_and_blinds_are_lawful(house: str, night: tuple) -> None:  # type: ignore[type-arg]
    table = evening(house, *night)
    for number, hand in enumerate(table.hands):
        button, small, big = hand.positions.button, hand.positions.small, hand.positions.big
        assert big in hand.players
        assert len(set(hand.players)) == len(hand.players) >= 2
        for seat in hand.players:
            record = table.here[number][seat]
            assert record.has_chips
            assert record.status == "in" or (record.status == "away" and table.rules.away_is_dealt_in)
        if len(hand.players) == 2:
            assert button == small
            assert {small, big} == set(hand.players)
            assert not hand.entering
            continue
        assert len({button, small, big}) == 3
        order = sorted(hand.players, key=lambda seat: (seat - button - 1) % 11)
        blinds = [seat for seat in (small, big) if seat in hand.players]
        assert order[: len(blinds)] == blinds, "the blinds are the first seats behind the button"
        if table.rules.button_type == "moving":
            assert {button, small} <= set(hand.players)
        for entry in hand.entering:
            assert entry.seat in order[len(blinds) :], "who posts to come in sits behind the big blind"
            assert entry.seat != button


@pytest.mark.parametrize("house", HOUSES)
@settings(max_examples=40, deadline=None)
@given(_evening)
def test_nobody_has_the_big_blind_twice_in_a_row(house: str, night: tuple) -> None:  # type: ignore[type-arg]
    table = evening(house, *night)
    for before, after in pairwise(table.hands):
        assert before.positions.big != after.positions.big


@pytest.mark.parametrize("house", ["roberts_dead", "wsop_cash", "tournament"])
@settings(max_examples=40, deadline=None)
@given(_evening)
def test_who_stays_pays_each_blind_once_an_orbit(house: str, night: tuple) -> None:  # type: ignore[type-arg]
    table = evening(house, *night)
    bigs: dict[int, list[int]] = defaultdict(list)
    for number, hand in enumerate(table.hands):
        assert hand.positions.big is not None
        bigs[hand.positions.big].append(number)
    for seat, numbers in bigs.items():
        for first, last in pairwise(numbers):
            window = table.hands[first : last + 1]
            if any(len(hand.players) == 2 for hand in window) or not stays(table, first, last, seat):
                continue
            assert window[1].small == seat, "the small blind follows the big one"
            for other in range(1, 12):
                if other != seat and stays(table, first, last, other):
                    assert [hand.positions.big for hand in window].count(other) == 1
                    assert [hand.small for hand in window[1:]].count(other) == 1


@pytest.mark.parametrize("house", ["seed", "roberts", "roberts_dead", "wsop_cash"])
@settings(max_examples=40, deadline=None)
@given(_evening)
def test_nobody_escapes_a_blind(house: str, night: tuple) -> None:  # type: ignore[type-arg]
    """Who was passed by the big blind pays a live one before he plays again, or is the big blind himself."""
    table = evening(house, *night)
    owes: set[tuple[int, int]] = set()
    last: int | None = None
    for number, hand in enumerate(table.hands):
        big, here, who = hand.positions.big, table.here[number], table.players[number]
        assert big is not None
        dealt_in = {(seat, who[seat]) for seat in hand.players}
        settled = [record for record in here.values() if record.status == "in" and record.established]
        goes_on = len([record for record in settled if record.stack]) > 1
        paid = {
            (seat, who[seat]) for seat in [big, *[entry.seat for entry in hand.entering if entry.live >= 2]]
        }
        if goes_on:
            assert not owes & dealt_in - paid
        owes -= dealt_in
        if last is not None and goes_on:
            for seat, record in here.items():
                passed = 0 < (seat - last) % 11 < ((big - last) % 11 or 11)
                if passed and (record.seated or record.stack) and not record.new and seat not in hand.players:
                    owes.add((seat, who[seat]))
        last = big


@pytest.mark.parametrize("house", HOUSES)
@settings(max_examples=30, deadline=None)
@given(_evening)
def test_chips_are_conserved(house: str, night: tuple) -> None:  # type: ignore[type-arg]
    table = evening(house, *night)
    assert table.chips() == table.bought - table.taken_home - table.ledger.time_taken
    assert (table.ledger.time_taken == 0) or not table.rules.tournament
    assert all((record.stack or 0) >= 0 for record in table.ledger.seats.values())


@settings(max_examples=30, deadline=None)
@given(_evening)
def test_who_waits_is_dealt_in_within_an_orbit(night: tuple) -> None:  # type: ignore[type-arg]
    table = evening("roberts_dead", *night)
    waiting = [seat for seat, record in table.ledger.seats.items() if record.status == "in" and record.stack]
    dealt: set[int] = set()
    for _ in range(12):
        if seating.next_hand(table.ledger, table.rules) is None:
            return
        dealt |= set(table.open().players)
        table.close()
    assert set(waiting) <= dealt
