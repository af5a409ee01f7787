"""What the house takes from a pot: the rake, and drops beside it for jackpots and promotions.

Pure integers of the smallest unit. What is taken is a figure of the whole hand, side pots together: a cap is a cap a hand (WLA26 31).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

#: ``RakeSchedule.percent_e2`` of the whole pot.
WHOLE_E2: Final = 10_000


class Drop(msgspec.Struct, frozen=True):
    """A fixed amount taken beside the rake once the pots hold ``from_pot``; ``needs_flop``: not from a hand that ends before the flop.

    Several drops of one name add up: one more at each threshold.
    """

    name: str
    amount: int
    from_pot: int = 0
    needs_flop: bool = True

    def __post_init__(self) -> None:
        if self.amount < 0 or self.from_pot < 0:
            raise ValueError(f"drop {self.name!r}: expected amounts of 0 or more")


class RakeSchedule(msgspec.Struct, frozen=True):
    """How much is raked. ``percent_e2``: hundredths of a percent of the pots, 0 to 10,000.

    ``step``: the rake is a multiple of it, rounded down, the cap too. ``cap``: the most of a hand, None for no limit.
    ``caps_by_players``: (most players, cap) with the players rising; the first that holds for the number dealt in replaces ``cap``.
    ``no_flop_no_drop``: a hand that ends before the flop is not raked. ``chop``: what is taken when the blinds chop.
    """

    percent_e2: int
    cap: int | None = None
    step: int = 1
    no_flop_no_drop: bool = True
    caps_by_players: tuple[tuple[int, int], ...] = ()
    drops: tuple[Drop, ...] = ()
    chop: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.percent_e2 <= WHOLE_E2:
            raise ValueError(f"percent_e2 {self.percent_e2}: expected 0 to {WHOLE_E2}")
        if self.step < 1:
            raise ValueError(f"step {self.step}: expected 1 or more")
        players = [most for most, _ in self.caps_by_players]
        if players != sorted(set(players)):
            raise ValueError(f"caps_by_players for {players}: expected rising numbers of players")
        if (
            min([0 if self.cap is None else self.cap, *[cap for _, cap in self.caps_by_players], self.chop])
            < 0
        ):
            raise ValueError("cap and chop: expected 0 or more")

    def cap_for(self, players_dealt_in: int) -> int | None:
        """The most that is raked of a hand with so many players dealt in."""
        for most, cap in self.caps_by_players:
            if players_dealt_in <= most:
                return cap
        return self.cap


def taken(
    schedule: RakeSchedule, pot_total: int, players_dealt_in: int, flop_seen: bool
) -> tuple[int, tuple[tuple[str, int], ...]]:
    """The rake and the drops, by name, of pots that hold ``pot_total`` after the uncalled bet is back.

    Never more than the pots hold: the rake first, then the drops in their order. A drop of nothing is left out.
    """
    rake = 0
    if flop_seen or not schedule.no_flop_no_drop:
        rake = pot_total * schedule.percent_e2 // WHOLE_E2
        cap = schedule.cap_for(players_dealt_in)
        if cap is not None:
            rake = min(rake, cap)
        rake -= rake % schedule.step
    left = pot_total - rake
    drops: dict[str, int] = {}
    for drop in schedule.drops:
        if pot_total < drop.from_pot or (drop.needs_flop and not flop_seen):
            continue
        amount = min(drop.amount, left)
        left -= amount
        if amount:
            drops[drop.name] = drops.get(drop.name, 0) + amount
    return rake, tuple(drops.items())


def taken_of_each(amounts: Iterable[int], to_take: int) -> tuple[int, ...]:
    """What comes out of each pot, the main one first.

    The main pot pays first [inferred: no set of rules says which]; the side pots only what it does not hold. Another order is made
    here and nowhere else.
    """
    shares = []
    for amount in amounts:
        share = min(amount, to_take)
        to_take -= share
        shares.append(share)
    return tuple(shares)
