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

    def __init__(self, records: dict[int, SeatRecord], *, button: int | None = None, hands: int = 0) -> None:
        self.records = dict(records)
        self.button = button
        self.hands = hands

    def playing(self) -> tuple[int, ...]:
        """Seats that are dealt in next: marked in, with chips."""
        return tuple(
            sorted(seat for seat, record in self.records.items() if record.status == "in" and record.stack)
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
        stacks = tuple(SeatStack(seat, self.records[seat].stack or 0) for seat in seats)
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

    def opened(self, opening: HandOpening) -> None:
        """A hand began: its stacks are what lies on the table."""
        self.button = opening.button
        self.hands += 1
        for record in opening.seats:
            self.records[record.seat] = SeatRecord("in", record.stack)

    def closed(self, stacks: Iterable[tuple[int, int]]) -> None:
        """A hand ended with these stacks."""
        for seat, stack in stacks:
            self.records[seat] = SeatRecord(self.records[seat].status, stack)
