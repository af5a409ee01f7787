"""The courses that a deal can have taken: as planned, or with one departure. Each departure has a prior and the words for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

#: skip: one pitch left out · out: a seat left out from here on, as it is when it does not play · double: two in a row to a seat, the
#: next one in its stead (``robbed``), the seat's own later one left out (``early``), or one too many (``extra``) · swap: two pitches in
#: the other order · late: a seat passed over and served after two or three others · astray: a card to the seat beside the one that was
#: due · start: the first card to the wrong seat, the rest after it
Kind = Literal["skip", "out", "robbed", "early", "extra", "swap", "late", "astray", "start"]

#: Priors in 1/1,000,000 of a hand: of one departure of this kind anywhere in a deal. Nobody has published how often dealers err
#: [unverified]; figures for practised manual work (.003 to .02 slips a task, most put right at once) would be ten times less. On
#: simulated deals these find a tenth more skips at the same number of false questions: what keeps those rare is the time that a card
#: takes, not the prior. A seat left out altogether is nearly always a wrong status.
PRIORS: Final[dict[Kind, int]] = {
    "skip": 6000,
    "out": 4000,
    "robbed": 1500,
    "early": 1500,
    "extra": 1000,
    "swap": 3000,
    "late": 1500,
    "astray": 1000,
    "start": 4000,
}
#: The same of a deal that fits nothing: from one of its pitches on, cards come to any seat at any time.
UNEXPLAINED: Final = 100
MILLION: Final = 1_000_000


class Departure(msgspec.Struct, frozen=True):
    """One departure: pitch ``place`` (from 0) is the first that is otherwise than planned, ``rest`` what is dealt from there on.

    ``seat``: whom it is about; ``due``: who should have had that card.
    """

    kind: Kind
    place: int
    seat: int
    due: int
    rest: tuple[int, ...]
    #: in 1/1,000,000 of a hand
    prior: int


def departures(order: tuple[int, ...], hole: int) -> Iterator[Departure]:
    """Every course with one departure, of a deal of ``hole`` cards to each seat of ``order``."""
    plan = order * hole
    whole = len(plan)
    for place in range(whole):
        yield from _at(order, plan, place)
    for seat in order:
        rest = tuple([other for other in plan if other != seat])
        place = order.index(seat)
        yield Departure("out", place, seat, seat, rest[place:], PRIORS["out"] // len(order))
    for turn in range(1, len(order)):
        turned = (order[turn:] + order[:turn]) * hole
        # mostly at the seat behind the first one, then at the one before it: the button
        share = 60 if turn == 1 else 20 if turn == len(order) - 1 else 20 // (len(order) - 2)
        yield Departure("start", 0, turned[0], order[0], turned, PRIORS["start"] * share // 100)


def _at(order: tuple[int, ...], plan: tuple[int, ...], place: int) -> Iterator[Departure]:
    seat, after = plan[place], plan[place + 1 :]
    whole, count = len(plan), len(order)
    # who passes over the first seat has begun at the wrong one, and mostly goes round from there
    skipped = PRIORS["skip"] * 2 // 3 if place == 0 else PRIORS["skip"]
    yield Departure("skip", place, seat, seat, after, skipped // whole)
    if not after:
        return
    following = after[0]
    if following != seat:
        yield Departure(
            "swap", place, following, seat, (following, seat, *after[1:]), PRIORS["swap"] // whole
        )
    for others in (2, 3):
        if len(after) >= others and seat not in after[:others]:
            rest = (*after[:others], seat, *after[others:])
            yield Departure("late", place, following, seat, rest, PRIORS["late"] // whole // 2)
    # two in a row: the departure shows at the pitch after the seat's own
    yield Departure("robbed", place + 1, seat, following, (seat, *after[1:]), PRIORS["robbed"] // whole)
    yield Departure("extra", place + 1, seat, following, (seat, *after), PRIORS["extra"] // whole)
    own = count - 1  # the seat's next own pitch, counted in ``after``
    if own < len(after):
        left = (*after[:own], *after[own + 1 :])
        yield Departure("early", place + 1, seat, following, (seat, *left), PRIORS["early"] // whole)
    if count > 2:
        here = order.index(seat)
        yield Departure(
            "astray", place, order[here - 1], seat, (order[here - 1], *after), PRIORS["astray"] // whole // 2
        )
        beside = order[(here + 1) % count]
        yield Departure("astray", place, beside, seat, (beside, *after), PRIORS["astray"] // whole // 2)
