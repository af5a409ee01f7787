"""Who sits down and leaves, with how many chips: buy-in limits, table stakes, top-ups, the return rule, time."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from dealer_assist.domain.facts import SeatStatus
from dealer_assist.seating.debts import may_choose
from dealer_assist.seating.values import Departure, Ledger, SeatingRules, SeatRecord, SeatsRefused

MS_PER_MIN = 60_000


def sit_down(
    ledger: Ledger,
    rules: SeatingRules,
    seat: int,
    buy_in: int,
    t_ms: int,
    *,
    returned_from: int | None = None,
) -> Ledger:
    """A player takes an empty seat with ``buy_in`` chips; raises :class:`SeatsRefused`.

    Into a running game he comes as a new player. ``returned_from``: the seat that he left before. Within the house's time he brings back
    what he left with, or the maximum (S003-11, WLA 62), and owes what passed him.
    """
    old = ledger.seat(seat)
    if old.seated:
        raise SeatsRefused("seat_taken", seat=seat)
    if len([record for record in ledger.seats.values() if record.seated]) >= rules.max_seats:
        raise SeatsRefused("table_full", most=rules.max_seats)
    if buy_in < 1:
        raise SeatsRefused("bad_command", reason="stack")
    departure = None if returned_from is None else _departure(ledger, returned_from)
    if returned_from is not None and departure is None:
        raise SeatsRefused("nobody_left", seat=returned_from)
    low, high = buy_in_limits(ledger, rules, t_ms, returned_from=returned_from)
    if buy_in < low:
        raise SeatsRefused("buy_in_below", least=low)
    if high and buy_in > high:
        raise SeatsRefused("buy_in_above", most=high)
    left = ledger.seat(returned_from) if returned_from is not None else old
    back = departure is not None and left.status == "out"
    record = SeatRecord(
        "in",
        buy_in,
        missed_small=back and left.missed_small,
        missed_big=back and left.missed_big,
        new=ledger.begun and (departure is None or returned_from != seat),
    )
    seats = {**ledger.seats, seat: record}
    if returned_from is not None and returned_from != seat and back:
        seats[returned_from] = SeatRecord("empty", None)
    departed = tuple([each for each in ledger.departed if each is not departure])
    return replace(ledger, seats=seats, departed=departed, t_ms=t_ms)


def buy_in_limits(
    ledger: Ledger, rules: SeatingRules, t_ms: int, *, returned_from: int | None = None
) -> tuple[int, int]:
    """The least and the most that a player may sit down with; 0: no limit. A tournament sells no chips at the table."""
    if rules.tournament:
        return 0, 0
    low, high = rules.buy_in_min, rules.buy_in_max
    departure = None if returned_from is None else _departure(ledger, returned_from)
    if departure is None or t_ms - departure.t_ms > rules.return_within_min * MS_PER_MIN:
        return low, high
    if rules.return_rule == "same_amount":
        return departure.stack, max(high, departure.stack) if high else 0
    if rules.return_rule == "maximum" and high:
        return high, high
    return low, high


def set_status(
    ledger: Ledger, rules: SeatingRules, seat: int, status: SeatStatus, stack: int | None, t_ms: int
) -> Ledger:
    """A seat is in, away or out from now on, with ``stack`` chips when they are given.

    Who is out keeps his chips on the record: it may have been a slip of the finger. When he is back in with them he owes what passed him.
    """
    old = ledger.seat(seat)
    returns = old.status == "out" and bool(old.stack)
    now_seated = status in ("in", "away")
    new = old.new
    if now_seated and not old.seated:
        new = old.new if returns else ledger.begun
    keeps = old.seated or returns
    record = SeatRecord(
        status,
        old.stack if stack is None else stack,
        missed_small=keeps and old.missed_small,
        missed_big=keeps and old.missed_big,
        new=new,
        posts=old.posts and now_seated,
        queued=old.queued,
        time_due=old.time_due,
    )
    departed = ledger.departed
    if status == "out" and old.seated and old.stack:
        within = rules.return_within_min * MS_PER_MIN
        departed = tuple([each for each in departed if each.seat != seat and t_ms - each.t_ms <= within])
        departed = (*departed, Departure(seat, old.stack, t_ms))
    elif now_seated and returns:
        departed = tuple([each for each in departed if each.seat != seat])
    return replace(ledger, seats={**ledger.seats, seat: record}, departed=departed, t_ms=t_ms)


def top_up(
    ledger: Ledger, rules: SeatingRules, seat: int, amount: int, t_ms: int, *, in_hand: Collection[int] = ()
) -> Ledger:
    """A player buys ``amount`` chips more; raises :class:`SeatsRefused`.

    With cards in front of him they wait for the end of the hand (S004-15, A15), 0 takes back what waits; otherwise they come on the
    table at once. He stays within the buy-in. Chips do not come off the table (table stakes).
    """
    record = ledger.seat(seat)
    if not record.seated:
        raise SeatsRefused("seat_not_taken", seat=seat)
    if amount < 0:
        raise SeatsRefused("table_stakes", seat=seat)
    if seat in in_hand:
        queued = record.queued + amount if amount else 0
        return replace(ledger.with_seat(seat, replace(record, queued=queued)), t_ms=t_ms)
    if amount == 0:
        raise SeatsRefused("bad_command", reason="stack")
    stack = record.stack or 0
    if not rules.tournament:
        if rules.buy_in_max and stack + amount > rules.buy_in_max:
            raise SeatsRefused("buy_in_above", most=max(0, rules.buy_in_max - stack))
        if stack + amount < rules.buy_in_min and stack == 0:
            raise SeatsRefused("buy_in_below", least=rules.buy_in_min)
    filled = replace(record, stack=None if record.stack is None else stack + amount)
    return replace(ledger.with_seat(seat, filled), t_ms=t_ms)


def choose(ledger: Ledger, rules: SeatingRules, seat: int, *, posts: bool, t_ms: int) -> Ledger:
    """A player who owes something posts it as soon as he may, or waits for the big blind; raises :class:`SeatsRefused`."""
    record = ledger.seat(seat)
    if record.status != "in":
        raise SeatsRefused("seat_not_in", seat=seat)
    if not may_choose(record, rules):
        raise SeatsRefused("owes_nothing", seat=seat)
    return replace(ledger.with_seat(seat, replace(record, posts=posts)), t_ms=t_ms)


def dealer_push(
    ledger: Ledger, rules: SeatingRules, dealer: str, t_ms: int, *, in_hand: Collection[int] = ()
) -> tuple[Ledger, tuple[tuple[int, int], ...]]:
    """Another dealer takes over; each seat that plays pays its time, where the house takes time: (seat, amount).

    Chips in a hand that is running stay there: its seats pay at its end. A seat pays no more than it has. None in a tournament.
    """
    pushed = replace(ledger, dealer=dealer, pushes=ledger.pushes + 1, t_ms=t_ms)
    if rules.tournament or not rules.time_rake:
        return pushed, ()
    seats = dict(ledger.seats)
    paid = []
    for seat, record in sorted(ledger.seats.items()):
        if seat in in_hand:
            seats[seat] = replace(record, time_due=record.time_due + rules.time_rake)
        elif record.status == "in" and record.has_chips:
            amount = rules.time_rake if record.stack is None else min(rules.time_rake, record.stack)
            seats[seat] = replace(record, stack=None if record.stack is None else record.stack - amount)
            paid.append((seat, amount))
    time = sum([amount for _, amount in paid])
    return replace(pushed, seats=seats, time_taken=ledger.time_taken + time), tuple(paid)


def _departure(ledger: Ledger, seat: int) -> Departure | None:
    return next((each for each in reversed(ledger.departed) if each.seat == seat), None)
