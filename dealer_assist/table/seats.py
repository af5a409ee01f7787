"""The seats of a table between hands: who is in, with how many chips, and where the button goes next."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from dealer_assist.domain.facts import SeatStatus
from dealer_assist.domain.table import HandOpening, Limits, SeatStack


class SeatRecord(msgspec.Struct, frozen=True):
    """A seat: its status, and its chips in the smallest unit, None when not known."""

    status: SeatStatus
    stack: int | None


class Seats:
    """Seats, button and the number of the last hand. Changed by hands that open and close, and by ``SetSeat``."""

    #: the next button is the first seat that plays after this one
    button: int | None
    #: whether a player who is away is dealt in all the same (tournaments: TDA 30)
    away_is_dealt_in: bool

    def __init__(self, records: dict[int, SeatRecord], *, button: int | None = None, hands: int = 0) -> None:
        self.records = dict(records)
        self.button = button
        self.hands = hands
        self.away_is_dealt_in = False

    def playing(self) -> tuple[int, ...]:
        """Seats that are dealt in next: marked in, or away where that counts as in, with chips."""
        dealt_in = ("in", "away") if self.away_is_dealt_in else ("in",)
        return tuple(
            sorted(
                seat
                for seat, record in self.records.items()
                if record.status in dealt_in and record.stack != 0
            )
        )

    def can_open(self) -> bool:
        """Whether two seats or more can be dealt in."""
        return len(self.playing()) >= 2

    def next_opening(self, limits: Limits) -> HandOpening | None:
        """The next hand: the button one seat on, everybody who plays with what he has. None with fewer than two."""
        seats = self.playing()
        if len(seats) < 2:
            return None
        last = self.button or 0
        button = next((seat for seat in seats if seat > last), seats[0])
        stacks = tuple(SeatStack(seat, self.records[seat].stack) for seat in seats)
        return HandOpening(str(self.hands + 1), button, stacks)

    def bystanders(self, dealt_in: set[int]) -> tuple[SeatStack, ...]:
        """Seats with known chips that are not dealt in: one of them may turn out to be."""
        return tuple(
            [
                SeatStack(seat, record.stack)
                for seat, record in sorted(self.records.items())
                if seat not in dealt_in and record.stack
            ]
        )

    def set(self, seat: int, status: SeatStatus, stack: int | None) -> None:
        """Change a seat's status, and its chips when given."""
        old = self.records.get(seat, SeatRecord("empty", None))
        self.records[seat] = SeatRecord(status, old.stack if stack is None else stack)

    def set_stack(self, seat: int, stack: int | None) -> None:
        """What a seat has now; None: nobody knows."""
        old = self.records.get(seat, SeatRecord("empty", None))
        self.records[seat] = SeatRecord(old.status, stack)

    def opened(self, opening: HandOpening) -> None:
        """A hand began: its stacks are what lies on the table."""
        self.button = opening.button
        self.hands += 1
        for record in opening.seats:
            old = self.records.get(record.seat)
            away = self.away_is_dealt_in and old is not None and old.status == "away"
            self.records[record.seat] = SeatRecord("away" if away else "in", record.stack)

    def closed(self, stacks: Iterable[tuple[int, int | None]], button: int) -> None:
        """A hand ended with these stacks; the next button is the first seat that plays after ``button``."""
        self.button = button
        for seat, stack in stacks:
            self.records[seat] = SeatRecord(self.records[seat].status, stack)
