"""What seats owe: blinds that passed them while they were away, what a new player posts, and what is paid once a hand is opened."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from dealer_assist.domain.table import Entering
from dealer_assist.seating.values import SeatingRules, SeatRecord


def entry_of(seat: int, record: SeatRecord, rules: SeatingRules) -> Entering | None:
    """What a seat pays to be dealt in behind the big blind; None: its player waits for the big blind.

    New (S000-13, RROP): a live big blind, or he waits. WLA: nothing in no-limit and pot-limit, a live big blind in fixed limit.
    Missed blinds, where he does not wait: one and a half big blinds, one live, half a one dead (S000-14; only the small one missed:
    the dead half [inferred]); or each that he missed, the big blind live, the small one dead (RROP; WLA 160: the rest dead).
    Orbits are not counted: each blind is made up once (RROP).
    """
    if rules.tournament:
        return Entering(seat)
    if record.new and not (record.missed_small or record.missed_big):
        if rules.new_player_posts == "free" and not rules.fixed_limit:
            return Entering(seat)
        return Entering(seat, live=rules.big_blind) if record.posts else None
    if not record.posts:
        return None
    live = rules.big_blind if record.missed_big else 0
    if rules.missed_blinds == "one_and_a_half":
        half = rules.big_blind // 2
        return Entering(seat, live, half - half % rules.unit)
    return Entering(seat, live, rules.small_blind if record.missed_small else 0)


def may_choose(record: SeatRecord, rules: SeatingRules) -> bool:
    """Whether a seat has to post or to wait."""
    if rules.tournament or record.established:
        return False
    return record.missed_small or record.missed_big or rules.new_player_posts != "free" or rules.fixed_limit


def marks(record: SeatRecord, rules: SeatingRules) -> tuple[str, ...]:
    """The quiet marks of a seat: what it missed, and whether it posts or waits."""
    if not record.seated:
        return ()
    found = []
    if record.missed_small:
        found.append("missed_small_blind")
    if record.missed_big:
        found.append("missed_big_blind")
    if record.status == "in" and may_choose(record, rules):
        found.append("posts" if record.posts else "waits_for_blind")
    if record.queued:
        found.append("top_up")
    return tuple(found)


def settled(
    seats: Mapping[int, SeatRecord],
    players: Collection[int],
    *,
    passed_big: Collection[int] = (),
    passed_small: Collection[int] = (),
) -> dict[int, SeatRecord]:
    """The seats once a hand is opened so: who is dealt in owes nothing any more, whom a blind passed has missed it.

    A player without chips misses it too, and one who has left with his chips, if he comes back. A new player who lets it pass has missed
    nothing (RROP).
    """
    after = dict(seats)
    for seat, record in seats.items():
        if seat in players:
            after[seat] = replace(record, new=False, missed_small=False, missed_big=False, posts=False)
        elif not record.new and (record.seated or (record.status == "out" and record.stack)):
            after[seat] = replace(
                record,
                missed_small=record.missed_small or seat in passed_small,
                missed_big=record.missed_big or seat in passed_big,
            )
    return after


def seated_again(seats: Mapping[int, SeatRecord], players: Collection[int]) -> dict[int, SeatRecord]:
    """The seats of a tournament once a hand is opened: who was not dealt in comes in like one who sits down."""
    return {
        seat: replace(record, new=seat not in players and record.status != "empty")
        for seat, record in seats.items()
    }
