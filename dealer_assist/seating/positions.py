"""Where button and blinds go next, and who is dealt in. Pure functions of the ledger and the house's rules.

Both buttons keep one promise: nobody has the big blind twice in a row (TDA 34-B says it of heads-up).

- **Dead button** (TDA 32, WLA 155, RROP): the big blind goes to the next player; the small blind to where the big blind was, the button
  to where the small blind was, whether anybody sits there or not. So everybody who stays pays each blind once an orbit.
- **Moving button** (S000-04, RROP): the button goes to the next player, the blinds to the two after him. Who leaves may let another
  one pass a blind by; that is how this button is.
- **Heads-up** the button has the small blind (TDA 34-B, WLA 157), and the big blind decides who that is.

A player who owes something comes in where the big blind reaches him, or behind it by a post; never on the button or between button
and big blind (S000-13, RROP). In a tournament he is dealt in wherever he sits, but not between button and small blind.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from dealer_assist.domain.zones import MAX_SEATS, distance
from dealer_assist.seating.debts import entry_of
from dealer_assist.seating.values import Ledger, NextHand, Positions, SeatingRules


def after(start: int, seats: Iterable[int]) -> int:
    """The first of ``seats`` clockwise behind ``start``; ``start`` itself comes last. ValueError without any."""
    return min(seats, key=lambda seat: distance(start + 1, seat))


def before(start: int, seats: Iterable[int]) -> int:
    """The first of ``seats`` counterclockwise from ``start``; ``start`` itself comes last. ValueError without any."""
    return min(seats, key=lambda seat: distance(seat, start - 1))


def between(start: int, seat: int, end: int) -> bool:
    """Whether ``seat`` lies clockwise strictly between ``start`` and ``end``; the whole circle but ``start`` where they are one."""
    whole = distance(start, end) or MAX_SEATS
    return 0 < distance(start, seat) < whole


def playing(ledger: Ledger, rules: SeatingRules) -> tuple[int, ...]:
    """Seats whose players want to be dealt in, or are while they are away (TDA 30), and have chips; in rising order."""
    dealt_in = ("in", "away") if rules.away_is_dealt_in else ("in",)
    return tuple(
        sorted(
            [seat for seat, record in ledger.seats.items() if record.status in dealt_in and record.has_chips]
        )
    )


def next_hand(ledger: Ledger, rules: SeatingRules) -> NextHand | None:
    """The next hand; None when fewer than two can be dealt in."""
    wanting = playing(ledger, rules)
    if len(wanting) < 2:
        return None
    if not rules.blinds:
        return NextHand(Positions(_plain_button(ledger, rules, wanting), None, None), wanting)
    again = ledger.again
    if again is not None and len(both := set(again.players) & set(wanting)) > 1:
        wanting = tuple(sorted(both))
    established = [seat for seat in wanting if ledger.seat(seat).established]
    positions = _positions(ledger, rules, wanting, established)
    if positions is None:
        # the game has come to an end and begins anew with all who are here: nobody owes anything
        return NextHand(_anew(ledger, wanting), wanting)
    entering, players = [], set(established)
    for seat in wanting:
        record = ledger.seat(seat)
        if record.established:
            continue
        if seat == positions.big:
            players.add(seat)
        elif _may_enter(positions, seat, rules):
            entry = entry_of(seat, record, rules)
            if entry is not None:
                players.add(seat)
                entering.append(entry)
    order = sorted(entering, key=lambda entry: distance(positions.button + 1, entry.seat))
    return NextHand(
        positions, tuple(sorted(players)), tuple([entry for entry in order if entry.live or entry.dead])
    )


def _plain_button(ledger: Ledger, rules: SeatingRules, seats: Collection[int]) -> int:
    """The button of a game without blinds goes from player to player."""
    if ledger.again is not None and ledger.again.positions.button in seats:
        return ledger.again.positions.button
    if ledger.next_button is not None:
        return after(ledger.next_button - 1, seats)
    return first_seat(rules, seats) if ledger.last is None else after(ledger.last.button, seats)


def first_seat(rules: SeatingRules, seats: Collection[int]) -> int:
    """The button where nobody has drawn for it: at the dealer's right in a tournament (WT 85), otherwise the lowest number."""
    return max(seats) if rules.first_button == "right_of_dealer" else min(seats)


def _positions(
    ledger: Ledger, rules: SeatingRules, wanting: Collection[int], established: Collection[int]
) -> Positions | None:
    """Where the next hand is played; None when it cannot go on from the last one."""
    if len(established) < 2:
        return None
    again = None if ledger.again is None else ledger.again.positions
    last = ledger.last
    if again is not None and _fits(again, rules, wanting, established):
        return again
    if ledger.next_button is not None:
        return from_button(ledger.next_button, wanting, established)
    if last is None:
        start = first_seat(rules, established) if again is None else again.button
        return from_button(start, wanting, established)
    if last.big is None or last.small is None:
        return from_button(last.button + 1, wanting, established)
    if rules.button_type == "dead":
        return _dead(last.small, last.big, wanting, established)
    return _moving(last.button, last.big, wanting, established)


def _fits(
    again: Positions, rules: SeatingRules, wanting: Collection[int], established: Collection[int]
) -> bool:
    """Whether a hand that was given back can be played from the same positions."""
    if again.big not in wanting:
        return False
    if (again.button == again.small) != (len({*established, again.big}) == 2):
        return False
    missing = {again.button, again.small} - set(established)
    return not missing or (rules.button_type == "dead" and again.button != again.small)


def from_button(start: int, wanting: Collection[int], established: Collection[int]) -> Positions:
    """The button at the first seat from ``start`` on that owes nothing, the blinds at those behind it."""
    button = after(start - 1, established)
    if len(established) == 2:
        return Positions(button, button, after(button, established))
    small = after(button, established)
    return Positions(button, small, after(small, wanting))


def _anew(ledger: Ledger, seats: Collection[int]) -> Positions:
    """All who are here begin together; who had the big blind last does not have it again."""
    if ledger.last is None or ledger.last.big is None:
        return from_button(min(seats) if ledger.last is None else ledger.last.button + 1, seats, seats)
    big = after(ledger.last.big, seats)
    small = before(big, seats)
    return Positions(small if len(seats) == 2 else before(small, seats), small, big)


def _heads_up(big: int, seats: Collection[int]) -> Positions:
    other = after(big, seats)
    return Positions(other, other, big)


def _dead(
    last_small: int, last_big: int, wanting: Collection[int], established: Collection[int]
) -> Positions:
    big = after(last_big, wanting)
    players = {*established, big}
    if len(players) == 2:
        return _heads_up(big, players)
    # with so few players that the button would stand at the big blind it goes to the player before the small one
    button = before(last_big, players) if last_small == big else last_small
    return Positions(button, last_big, big)


def _moving(
    last_button: int, last_big: int, wanting: Collection[int], established: Collection[int]
) -> Positions:
    button = after(last_button, established)
    small = after(button, established)
    big = after(small, wanting)
    if len(established) == 2 and big == button:
        return _heads_up(after(last_big, established), established)
    if big == last_big:  # somebody has come back in front of it
        big = after(last_big, wanting)
        small = before(big, established)
        button = before(small, established)
    return Positions(button, small, big)


def _may_enter(positions: Positions, seat: int, rules: SeatingRules) -> bool:
    """Whether a seat that owes something can be dealt in here by a post (S000-13, RROP: blinds are not made up before the big blind)."""
    button, small, big = positions.button, positions.small, positions.big
    assert small is not None
    assert big is not None
    if button == small:  # heads-up: a third comes in with the big blind
        return False
    if rules.tournament:
        return not between(button, seat, small)
    return seat != button and not between(button, seat, big)
