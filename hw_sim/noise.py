"""Noise profiles: how well antennas read, how players handle their cards and how dealers tap. Values only; nothing is drawn here.

``fine``, ``table`` and ``bad`` are the reference noise of the project: hit rates and badly placed cards are given, the other figures are
assumptions (LIMITATIONS.md says which). ``clean`` is the simulator without any of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import msgspec

#: Scan periods and piles of antennas without noise.
SCAN_PERIOD_MS: Final = 100
#: Cards of a pile that an antenna reads, from the top.
PILE_DEPTH: Final = 3


class Sensing(msgspec.Struct, frozen=True):
    """What antennas do. Shares and rates are probabilities; times in virtual ms.

    ``hit``: a scan reads a card that lies well. ``badly_placed``: of the cards laid down, read by ``badly_placed_hit`` of the scans
    for as long as they lie there. ``pairs``: of the second cards of a hand, laid so that both fail together; ``pair_hit`` of the
    scans read both, the others neither. ``border``: of the cards laid down, close to a neighbour's antenna, which reads them in
    ``border_hit`` of its scans. ``fly_by``: of the cards that fly, read once by an antenna on their way.
    ``outage_every_ms``: mean time between two outages of an antenna; ``cover_every_ms``: of a card that lies, between two times that
    something covers it; 0: never. Both last ``run_ms`` (least, most). ``corrupt``: of the scans, replies that say nothing.
    ``muck_rest_ms``: how long a fold rests on the muck antenna before it is moved off; (0, 0): it stays there.
    ``reboots_per_hand``: of the reader, which is silent for ``boot_ms``. ``pile_depth``: cards that are read of a pile.
    """

    scan_period_ms: int = SCAN_PERIOD_MS
    hit: float = 1.0
    badly_placed: float = 0.0
    badly_placed_hit: float = 0.05
    pairs: float = 0.0
    pair_hit: float = 1.0
    border: float = 0.0
    border_hit: float = 0.0
    fly_by: float = 0.0
    outage_every_ms: int = 0
    cover_every_ms: int = 0
    run_ms: tuple[int, int] = (1000, 10_000)
    corrupt: float = 0.0
    muck_rest_ms: tuple[int, int] = (0, 0)
    reboots_per_hand: float = 0.0
    boot_ms: int = 2000
    pile_depth: int = PILE_DEPTH


class Manners(msgspec.Struct, frozen=True):
    """What people do. Shares are probabilities; times in virtual ms.

    ``early_lifts``: of the cards pitched, taken up within ``lift_after_ms`` and laid back. ``peeks``: of the hands dealt, squeezed
    once the deal is over. ``think_ms``: before a player acts, least and most, mostly little. ``settle_ms``: from the last card of
    the deal to the first action. ``taps_late_ms``: the most by which a tap comes late, and its median. ``forgotten``: of the
    actions, not tapped until the table asks; ``wrong``: tapped wrong, undone and tapped anew.
    """

    early_lifts: float
    lift_after_ms: int
    lifted_ms: tuple[int, int]
    peeks: float
    think_ms: tuple[int, int]
    settle_ms: tuple[int, int]
    taps_late_ms: tuple[int, int]
    forgotten: float
    wrong: float


class Profile(msgspec.Struct, frozen=True):
    """A named noise. ``manners`` None: people act at once and tap as soon as they have acted."""

    name: str
    sensing: Sensing
    manners: Manners | None = None


#: The people of every noisy profile.
PEOPLE: Final = Manners(
    early_lifts=0.02,
    lift_after_ms=900,
    lifted_ms=(800, 3500),
    peeks=0.4,
    think_ms=(300, 3000),
    settle_ms=(1500, 2500),
    taps_late_ms=(3000, 800),
    forgotten=1 / 200,
    wrong=1 / 200,
)


def _reference(*, hit: float, badly_placed: float, poor: float, pair_hit: float, every_min: float) -> Sensing:
    """The reference antennas; ``poor`` scales what is rare at a good table, ``every_min`` minutes lie between two outages."""
    return Sensing(
        scan_period_ms=200,
        hit=hit,
        badly_placed=badly_placed,
        pairs=0.02 * poor,
        pair_hit=pair_hit,
        border=0.002 * poor,
        border_hit=0.08,
        fly_by=0.004 * poor,
        outage_every_ms=int(every_min * 60_000),
        cover_every_ms=int(every_min * 60_000),
        corrupt=0.005,
        muck_rest_ms=(1000, 2500),
        reboots_per_hand=0.001,
        pile_depth=2,
    )


PROFILES: Final[Mapping[str, Profile]] = MappingProxyType(
    {
        profile.name: profile
        for profile in (
            Profile("clean", Sensing()),
            Profile(
                "fine",
                _reference(hit=0.98, badly_placed=0.0005, poor=1, pair_hit=0.85, every_min=30),
                PEOPLE,
            ),
            Profile(
                "table",
                _reference(hit=0.95, badly_placed=0.005, poor=2, pair_hit=0.75, every_min=10),
                PEOPLE,
            ),
            Profile(
                "bad", _reference(hit=0.80, badly_placed=0.02, poor=5, pair_hit=0.5, every_min=3), PEOPLE
            ),
        )
    }
)
CLEAN: Final = PROFILES["clean"]


def misses(rate: float) -> Profile:
    """Antennas whose scans miss a card with this probability and do nothing else; people are as without noise."""
    return Profile("misses", Sensing(hit=1.0 - rate)) if rate else CLEAN
