"""Ready amounts: what a bet or raise will most likely be, a key each, so that a dealer seldom has to type. Pure.

What they are was counted on 5,097 hands of the Pluribus match and 2,860 of a home game, bets and raises that are no all-in: of the
opening raises three of four are among the three commonest of their table; of the bets behind the flop two of three (home game) are half,
three quarters or the whole of the pot; of the raises of a bet no amount stands out, three times the bet (one of ten) is the commonest.
The smallest is no ready amount: the key for a bet or raise says it while nothing is typed.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from dealer_assist.domain.facts import PadFact, SeatFact

if TYPE_CHECKING:
    from collections.abc import Iterable

ReadyKind = Literal["open", "triple", "quadruple", "third", "half_pot", "three_quarters", "whole_pot"]
#: Opening raises of the table that are remembered.
OPENS_KEPT: Final = 24
#: A row of the pad.
ROOM: Final = 4


class Ready(msgspec.Struct, frozen=True):
    """A key's amount: what it is, and the total in front of the seat in the smallest unit."""

    kind: ReadyKind
    to: int


def ready_amounts(
    pad: PadFact,
    street: str,
    opens: tuple[int, ...],
    blinds: tuple[int, int],
    highest_bet: int,
    *,
    pot_limits: bool = False,
) -> tuple[Ready, ...]:
    """The ready amounts of the seat that the pad is about, the smallest first; none where nobody may raise.

    Parts of the pot are those that the facts give. ``opens``: earlier opening raises, the latest last. ``blinds``: small and big.
    ``highest_bet``: the largest bet in front of a seat. ``pot_limits``: the most is the pot and not the seat's stack, which all-in says.
    """
    if pad.seat is None or pad.min_to is None:
        return ()
    found: list[Ready] = []
    half, whole = pad.half_pot_to, pad.pot_to
    if street == "preflop" and 0 < highest_bet <= blinds[1]:
        small, big = blinds
        first = [-(-5 * big // (2 * small)) * small if small else 0, 3 * big, whole or 0, 4 * big, 5 * big]
        found = [Ready("open", to) for to in (*_commonest(opens), *first)]
    elif half is not None and whole is not None:
        if pad.is_bet:
            found = [
                Ready("half_pot", half),
                Ready("three_quarters", pad.three_quarter_pot_to or 0),
                Ready("whole_pot", whole),
                Ready("third", pad.third_pot_to or 0),
            ]
        else:
            found = [Ready("triple", 3 * highest_bet), Ready("whole_pot", whole), Ready("half_pot", half)]
            found.append(Ready("quadruple", 4 * highest_bet))
    least, most = pad.min_to, pad.max_to
    fit: dict[int, Ready] = {}
    for each in found:
        if each.to > least and (most is None or each.to < most or (pot_limits and each.to == most)):
            fit.setdefault(each.to, each)
    return tuple(sorted(list(fit.values())[:ROOM], key=lambda each: each.to))


def _commonest(opens: tuple[int, ...]) -> list[int]:
    """The commonest first, the latest of equally common ones."""
    latest = {to: number for number, to in enumerate(opens)}
    counted = Counter(opens)
    return sorted(counted, key=lambda to: (-counted[to], -latest[to]))


def with_open(
    opens: tuple[int, ...], street: str, before: Iterable[SeatFact], after: Iterable[SeatFact]
) -> tuple[int, ...]:
    """The opening raises, and one more where the first raise of a hand came between two states of it; the latest last."""
    if street != "preflop" or any(fact.last_action == "raise" for fact in before):
        return opens
    raised = [fact.bet for fact in after if fact.last_action == "raise"]
    return (*opens, raised[0])[-OPENS_KEPT:] if len(raised) == 1 else opens
