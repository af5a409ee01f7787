"""The table's hold on its seats: the ledger of :mod:`dealer_assist.seating`, and what it means in this table's openings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from dealer_assist import betting, seating
from dealer_assist.domain.table import HandOpening, HandResult, SeatStack
from dealer_assist.procedure.state import State
from dealer_assist.seating import Ledger, NextHand, Positions, SeatingRules, SeatRecord
from dealer_assist.table.opening import Rules, deal_order, posts_by_limits
from dealer_assist.table.saves import saves_of

__all__ = ["SeatRecord", "Seats", "seating_rules", "with_own_posts"]


def seating_rules(rules: Rules) -> SeatingRules:
    """What the house says about seats, blinds and buy-ins, in amounts of this table."""
    parameters, limits, game = rules.house.parameters, rules.limits, rules.game
    bets = dict(zip(("small_bet", "big_bet"), limits.fixed_bets(), strict=True))
    fixed = game.betting == "fixed_limit"
    least = parameters.buyin_min_limit.value * bets[parameters.buyin_min_limit_of.value]
    most = 0 if fixed else parameters.buyin_max_nl.value * limits.big_blind
    if not fixed:
        least = parameters.buyin_min_nl.value * limits.big_blind
    if parameters.new_player_posts.value == "dealt_in":  # a tournament sells no chips at the table
        least = most = 0
    return SeatingRules(
        limits.small_blind,
        limits.big_blind,
        button_type=parameters.button_type.value,
        first_button=parameters.first_button.value,
        new_player_posts=parameters.new_player_posts.value,
        missed_blinds=parameters.missed_blinds.value,
        away_is_dealt_in=parameters.away_is_dealt_in.value,
        fixed_limit=fixed,
        blinds=game.posts in ("blinds", "unfold"),
        buy_in_min=least,
        buy_in_max=most,
        return_within_min=parameters.return_within_min.value,
        return_rule=parameters.return_rule.value,
        max_seats=min(parameters.max_seats.value, game.max_seats),
        time_rake=rules.time_rake,
        unit=rules.unit,
    )


class Seats:
    """The ledger as it stands; changed by hands that open and close, and by what people do at the seats."""

    #: set by the table, from its house and limits
    rules: SeatingRules

    def __init__(
        self,
        records: Mapping[int, SeatRecord] | None = None,
        *,
        button: int | None = None,
        hands: int = 0,
        ledger: Ledger | None = None,
    ) -> None:
        last = None if button is None else Positions(button, None, None)
        self.ledger = ledger or Ledger(dict(records or {}), hands=hands, last=last)

    @property
    def records(self) -> dict[int, SeatRecord]:
        """Seat → record."""
        return self.ledger.seats

    def can_open(self) -> bool:
        """Whether two seats or more can be dealt in."""
        return len(seating.playing(self.ledger, self.rules)) >= 2

    def next_hand(self) -> NextHand | None:
        """Who is dealt in next, and where the blinds stand; None with fewer than two."""
        return seating.next_hand(self.ledger, self.rules)

    def opening_of(self, hand: NextHand) -> HandOpening:
        """The opening of the next hand, its posts not written out yet."""
        stacks = tuple([SeatStack(seat, self.records[seat].stack) for seat in hand.players])
        return HandOpening(str(self.ledger.hands + 1), hand.positions.button, stacks)

    def bystanders(self, dealt_in: set[int]) -> tuple[SeatStack, ...]:
        """Seats with known chips that are not dealt in: one of them may turn out to be."""
        return tuple(
            [
                SeatStack(seat, record.stack)
                for seat, record in sorted(self.records.items())
                if seat not in dealt_in and record.stack
            ]
        )

    def marks(self, seat: int) -> tuple[str, ...]:
        """The quiet marks of a seat that is not in the hand."""
        return seating.marks(self.ledger.seat(seat), self.rules)

    def set_stack(self, seat: int, stack: int | None) -> None:
        """What a seat has now; None: nobody knows."""
        self.ledger = self.ledger.with_seat(seat, replace(self.ledger.seat(seat), stack=stack))

    def opened(self, opening: HandOpening) -> None:
        """A hand began, its posts written out."""
        self.ledger = seating.opened(self.ledger, opening, self.rules)

    def closed(
        self,
        hand: State,
        posts: tuple[betting.Post, ...],
        result: HandResult,
        stacks: Iterable[tuple[int, int | None]],
        *,
        t_ms: int,
        button_next: int | None,
    ) -> seating.Closing:
        """A hand ended, as it was dealt and posted in the end; returns what came on the table and off it then."""
        known = {record.seat: record for record in hand.opening.seats}
        dealt_in = tuple([known.get(seat, SeatStack(seat)) for seat in sorted(hand.order)])
        final = replace(hand.opening, seats=dealt_in, posts=posts)
        ledger, closing = seating.closed(
            self.ledger, final, result, stacks, self.rules, button_next=button_next
        )
        self.ledger = replace(ledger, t_ms=t_ms, saves=ledger.saves + saves_of(hand))
        return closing


def with_own_posts(opening: HandOpening, hand: NextHand, rules: Rules) -> HandOpening:
    """The opening of the table's next hand with its posts: blinds where they stand, dead ones left out, and what those pay who enter."""
    if opening.game and opening.game not in rules.games:
        return opening  # it is refused for that
    big = hand.positions.big
    blinds = None if big is None else (hand.small, big)
    posts = posts_by_limits(opening, deal_order(opening), rules, blinds=blinds, entering=hand.entering)
    return replace(opening, posts=posts)
