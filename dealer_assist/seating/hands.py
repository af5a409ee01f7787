"""The ledger through a hand: opened, closed, given back. What was posted is what counts, whoever was to post it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from dealer_assist.domain.table import HandOpening, HandResult
from dealer_assist.domain.zones import SEATS, distance
from dealer_assist.seating.debts import seated_again, settled
from dealer_assist.seating.positions import after, between, next_hand
from dealer_assist.seating.values import GivenBack, Ledger, Positions, SeatingRules, SeatRecord


class ToppedUp(msgspec.Struct, frozen=True):
    """Chips that a seat bought during a hand: ``amount`` came on the table, ``back`` were too many and go back to the player."""

    seat: int
    amount: int
    back: int = 0


class Closing(msgspec.Struct, frozen=True):
    """What came on the table and off it when a hand was over. ``time_paid``: (seat, amount)."""

    topped_up: tuple[ToppedUp, ...] = ()
    time_paid: tuple[tuple[int, int], ...] = ()


def opened(ledger: Ledger, opening: HandOpening, rules: SeatingRules) -> Ledger:
    """A hand began: its stacks are what lies on the table. Its posts are written out in ``opening``."""
    mine = next_hand(ledger, rules)
    own = (
        mine is not None
        and mine.positions.button == opening.button
        and set(mine.players) == {record.seat for record in opening.seats}
    )
    base = replace(ledger, before=None, own=own, drawing=())
    seats = {**base.seats}
    for dealt in opening.seats:
        old = base.seat(dealt.seat)
        away = rules.away_is_dealt_in and old.status == "away"
        seats[dealt.seat] = replace(old, status="away" if away else "in", stack=dealt.stack)
    going = replace(_counted(base, opening, rules), hands=base.hands + 1, before=base)
    return replace(going, seats=_with_debts(seats, going.seats))


def closed(
    ledger: Ledger,
    opening: HandOpening,
    result: HandResult,
    stacks: Iterable[tuple[int, int | None]],
    rules: SeatingRules,
    *,
    button_next: int | None = None,
) -> tuple[Ledger, Closing]:
    """A hand ended. ``opening``: as it stands at the end, with who turned out to be in and the right button.

    A hand that was given back is played again from the same positions, and nothing that was owed is paid. ``button_next``: where a
    wrong button that stood is set right (RROP misdeals (g), WLA 113). Then bought chips come on the table, and time is paid.
    """
    base = ledger.before or replace(ledger, before=None)
    if result in ("misdeal", "void"):
        positions = positions_of(base, opening, rules)
        players = tuple(sorted([record.seat for record in opening.seats]))
        end = base if positions is None else replace(base, again=GivenBack(positions, players))
    else:
        end = _counted(base, opening, rules)
        if button_next is not None:
            end = replace(end, next_button=button_next, again=None)
    dealt_in = {record.seat for record in opening.seats}
    kept = {
        seat: record
        for seat, record in end.seats.items()
        if seat in dealt_in or not ledger.seat(seat).new  # another one has sat down there meanwhile
    }
    seats = _with_debts(ledger.seats, kept)
    for seat, stack in stacks:
        seats[seat] = replace(seats.get(seat, SeatRecord("in", None)), stack=stack)
    after_it = replace(
        ledger,
        seats=seats,
        last=end.last,
        next_button=end.next_button,
        again=end.again,
        before=None,
        own=True,
    )
    return _chips_moved(after_it, rules)


def positions_of(base: Ledger, opening: HandOpening, rules: SeatingRules) -> Positions | None:
    """Where button and blinds of a hand stood, by its posts; None where it had no blinds though the table's game has (bomb pot)."""
    button = opening.button
    if not rules.blinds:
        return Positions(button, None, None)
    posted: dict[str, int] = {}
    for post in opening.posts:
        posted.setdefault(post.kind, post.seat)  # later big blinds are posts of players who enter
    big = posted.get("big_blind")
    if big is None:
        return None
    small = posted.get("small_blind")
    if small is not None:
        return Positions(button, small, big)
    dealt_in = [record.seat for record in opening.seats]
    if len(dealt_in) == 2 or distance(button, big) == 1:
        return Positions(button, button, big)
    if not rules.small_blind:
        return Positions(button, after(button, dealt_in), big)
    last = base.last.big if base.last is not None else None
    if last is not None and between(button, last, big):
        return Positions(button, last, big)
    return Positions(button, after(button, SEATS), big)


def _counted(base: Ledger, opening: HandOpening, rules: SeatingRules) -> Ledger:
    """The ledger behind a hand that counts: its positions are the last ones, debts are paid, and who was passed has missed a blind.

    A hand without blinds in a game that has them leaves everything where it was: the next hand has the blinds that this one did not.
    """
    positions = positions_of(base, opening, rules)
    if positions is None:
        return base
    players = {record.seat for record in opening.seats}
    passed_big, passed_small = _passed_over(base, positions, rules) if base.own else (set(), set())
    if rules.tournament:
        seats = seated_again(base.seats, players)
    else:
        seats = settled(base.seats, players, passed_big=passed_big, passed_small=passed_small)
    return replace(base, seats=seats, last=positions, next_button=None, again=None)


def _passed_over(base: Ledger, now: Positions, rules: SeatingRules) -> tuple[set[int], set[int]]:
    """Seats that the big and the small blind have gone by since the last hand; in a first hand, those they began behind."""
    if now.big is None or now.small is None:
        return set(), set()
    last = base.last
    if last is None or last.big is None or last.small is None or base.next_button is not None:
        return _passed(now.button, now.big), _passed(now.button, now.small)
    # the small blind was due where the big one was, also where two players are left and it goes elsewhere
    small = {last.big, *_passed(last.small, last.big)}
    if rules.button_type == "moving":
        small |= {now.small, *_passed(last.small, now.small)}
    return _passed(last.big, now.big), small


def _passed(start: int, end: int) -> set[int]:
    """The seats strictly between the blind of the last hand and that of this one; none where it did not move."""
    return set() if start == end else {seat for seat in SEATS if between(start, seat, end)}


def _with_debts(seats: dict[int, SeatRecord], owing: dict[int, SeatRecord]) -> dict[int, SeatRecord]:
    """``seats`` with what they owe by ``owing``; whether a debt is posted is as it was said last."""
    merged = dict(seats)
    for seat, record in owing.items():
        now = seats.get(seat, record)
        merged[seat] = replace(
            now,
            new=record.new,
            missed_small=record.missed_small,
            missed_big=record.missed_big,
            posts=now.posts and not record.established,
        )
    return merged


def _chips_moved(ledger: Ledger, rules: SeatingRules) -> tuple[Ledger, Closing]:
    """The hand is over: time is paid, then bought chips come on the table, as many as the buy-in allows (S004-15: between hands)."""
    seats = dict(ledger.seats)
    topped_up, paid = [], []
    for seat, record in sorted(ledger.seats.items()):
        stack, due, bought = record.stack, record.time_due, record.queued
        if not due and not bought:
            continue
        if due:
            amount = due if stack is None else min(due, stack)
            stack = None if stack is None else stack - amount
            paid.append((seat, amount))
        if bought:
            room = rules.buy_in_max - (stack or 0) if rules.buy_in_max and not rules.tournament else bought
            amount = max(0, min(bought, room)) if record.seated else 0
            stack = None if stack is None else stack + amount
            topped_up.append(ToppedUp(seat, amount, bought - amount))
        seats[seat] = replace(record, stack=stack, time_due=0, queued=0)
    time = sum([amount for _, amount in paid])
    return (
        replace(ledger, seats=seats, time_taken=ledger.time_taken + time),
        Closing(tuple(topped_up), tuple(paid)),
    )
