"""A table of players for tests of the seating: hands are opened by what the ledger says, and chips change hands."""

from __future__ import annotations

from collections.abc import Iterable

from dealer_assist import seating
from dealer_assist.domain.table import ForcedBet, HandOpening, SeatStack
from dealer_assist.seating import Ledger, NextHand, SeatingRules, SeatRecord

CASH = SeatingRules(1, 2, buy_in_min=40, buy_in_max=200, return_within_min=90)
#: The five houses as far as seats and blinds go.
HOUSES = {
    "seed": CASH,
    "roberts": SeatingRules(1, 2, missed_blinds="post_all", first_button="high_card_by_suit"),
    "roberts_dead": SeatingRules(1, 2, button_type="dead", missed_blinds="post_all"),
    "wsop_cash": SeatingRules(
        1, 2, button_type="dead", new_player_posts="free", missed_blinds="big_blind_live"
    ),
    "tournament": SeatingRules(
        1,
        2,
        button_type="dead",
        new_player_posts="dealt_in",
        away_is_dealt_in=True,
        first_button="right_of_dealer",
    ),
}


class Table:
    """A ledger, and what was posted in each hand."""

    def __init__(self, rules: SeatingRules = CASH, seats: Iterable[int] = (), stack: int = 100) -> None:
        self.rules = rules
        self.ledger = Ledger({seat: SeatRecord("in", stack) for seat in seats})
        self.opening: HandOpening | None = None
        self.t_ms = 0

    # -- people --------------------------------------------------------------------------------------------------------------------

    def sit(self, seat: int, buy_in: int = 100, returned_from: int | None = None) -> None:
        self.ledger = seating.sit_down(
            self.ledger, self.rules, seat, buy_in, self.t_ms, returned_from=returned_from
        )

    def status(self, status: str, *seats: int) -> None:
        for seat in seats:
            self.ledger = seating.set_status(self.ledger, self.rules, seat, status, None, self.t_ms)  # type: ignore[arg-type]

    def posts(self, *seats: int) -> None:
        for seat in seats:
            self.ledger = seating.choose(self.ledger, self.rules, seat, posts=True, t_ms=self.t_ms)

    def top_up(self, seat: int, amount: int) -> None:
        in_hand = [] if self.opening is None else [dealt.seat for dealt in self.opening.seats]
        self.ledger = seating.top_up(self.ledger, self.rules, seat, amount, self.t_ms, in_hand=in_hand)

    # -- hands ---------------------------------------------------------------------------------------------------------------------

    def next(self) -> NextHand:
        found = seating.next_hand(self.ledger, self.rules)
        assert found is not None
        return found

    def open(self) -> NextHand:
        """Open the hand that is next."""
        hand = self.next()
        self.opening = opening_of(hand, self.ledger, self.rules)
        self.ledger = seating.opened(self.ledger, self.opening, self.rules)
        return hand

    def close(self, result: str = "completed", **chips: int) -> seating.Closing:
        """Close it; ``chips``: what seats have at the end, as ``s3=20``."""
        opening = self.opening
        assert opening is not None
        stacks = {dealt.seat: dealt.stack for dealt in opening.seats}
        stacks |= {int(seat[1:]): stack for seat, stack in chips.items()}
        self.opening = None
        self.ledger, closing = seating.closed(
            self.ledger,
            opening,
            result,  # type: ignore[arg-type]
            stacks.items(),
            self.rules,
        )
        return closing

    def play(self, **chips: int) -> tuple[int, int | None, int | None]:
        """A whole hand: where the button stood, who posted the small blind, who the big one."""
        hand = self.open()
        self.close("completed", **chips)
        return hand.positions.button, hand.small, hand.positions.big

    def marks(self, seat: int) -> tuple[str, ...]:
        return seating.marks(self.ledger.seat(seat), self.rules)


def opening_of(hand: NextHand, ledger: Ledger, rules: SeatingRules) -> HandOpening:
    posts = []
    if hand.small is not None:
        posts.append(ForcedBet(hand.small, rules.small_blind, "small_blind"))
    if hand.positions.big is not None:
        posts.append(ForcedBet(hand.positions.big, rules.big_blind, "big_blind"))
    for entry in hand.entering:
        if entry.live:
            posts.append(ForcedBet(entry.seat, entry.live, "big_blind"))
        if entry.dead:
            posts.append(ForcedBet(entry.seat, entry.dead, "dead"))
    seats = tuple([SeatStack(seat, ledger.seats[seat].stack or 0) for seat in hand.players])
    return HandOpening(str(ledger.hands + 1), hand.positions.button, seats, tuple(posts))
