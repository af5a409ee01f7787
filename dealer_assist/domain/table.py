"""What a table is set up as, and how one hand is opened."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

#: How action is entered: every one, or only bets, raises, all-ins, shown and pushed hands (the rest is assumed from cards and burns).
Entry = Literal["every_action", "by_exception"]
#: How much is tracked: every chip; the pot but no stacks; or only cards, without amounts.
Tracking = Literal["full", "pot", "cards"]
Street = Literal["preflop", "flop", "turn", "river"]
STREETS: tuple[Street, ...] = ("preflop", "flop", "turn", "river")


#: A hand's name is printable and not longer: each row of the journal has room for so much.
HAND_NAME_CHARS: Final = 100
#: Who pays the table's ante: each seat, or one for all of them, the big blind or the button.
AnteKind = Literal["each", "big_blind", "button"]
#: The next hand's limits are half as much again or twice as much, and the killer posts a blind of that size.
Kill = Literal["", "half", "full"]
#: What a forced bet is. Later big blinds of a hand than the first are live posts of players who enter.
ForcedKind = Literal[
    "ante", "small_blind", "big_blind", "straddle", "dead", "button_blind", "unfold_ante", "kill"
]
#: Posts that count toward the bet; the others lie in the pot.
LIVE_POSTS: Final = frozenset({"small_blind", "big_blind", "button_blind", "straddle", "kill"})
#: How a hand ends: played out; every chip goes back; or the next one was dealt before anybody said who won it (unsettled).
HandResult = Literal["completed", "misdeal", "void", "chopped", "unsettled"]


class Limits(msgspec.Struct, frozen=True):
    """Stakes in the smallest unit.

    ``ante``: what each seat antes, or what the one that ``ante_kind`` names pays for all. ``small_bet``: fixed limit's bet of the first
    two streets, 0 for the big blind; ``big_bet``: that of the last two, 0 for twice the small bet. ``bomb_ante``: what each seat antes
    in a bomb pot, 0 for the ante of each seat or else the big blind. ``kill``: the kill that the table plays.
    ``chips``: the kinds of chips in play, none where nobody said: pots are then split down to the smallest unit.
    """

    small_blind: int
    big_blind: int
    ante: int = 0
    ante_kind: AnteKind = "each"
    small_bet: int = 0
    big_bet: int = 0
    bomb_ante: int = 0
    kill: Kill = ""
    chips: tuple[int, ...] = ()

    def fixed_bets(self) -> tuple[int, int]:
        """The small and the big bet of a fixed-limit game, also where the table names none."""
        small = self.small_bet or self.big_blind
        return small, self.big_bet or 2 * small


class SeatStack(msgspec.Struct, frozen=True):
    """A dealt-in seat, 1 to 11, and its chips before posting, in the smallest unit; None: not known."""

    seat: int
    stack: int | None = None


class ForcedBet(msgspec.Struct, frozen=True):
    """A post that a seat makes before the first card, in the smallest unit.

    ``amount`` is what is wanted; a short stack posts what it has and is all-in. Antes and dead posts do not count toward the bet. A
    straddle is posted like the blind of another seat; a button blind is the one blind of a hand in which everybody antes. An unfold ante
    goes into a fund of its own and into no pot.
    """

    seat: int
    amount: int
    kind: ForcedKind


class Entering(msgspec.Struct, frozen=True):
    """What a seat pays to be dealt in: a new player, one who returns, one who moved his seat.

    ``live``: what must lie in front of it at least, a blind of its own included; it counts toward the bet. ``dead``: goes into the pot.
    """

    seat: int
    live: int = 0
    dead: int = 0


class HandOpening(msgspec.Struct, frozen=True):
    """Everything a hand starts from. ``seats`` are the dealt-in seats in any order; ``posts`` empty means: by the limits.

    ``game`` names the hand's game when it is not the table's (a bomb pot). ``bystanders``: seats that are not dealt in and their
    chips, for the case that one of them turns out to be in. ``kill``, ``killer``: this is a kill pot, and whose.
    """

    hand: str
    button: int
    seats: tuple[SeatStack, ...]
    posts: tuple[ForcedBet, ...] = ()
    game: str = ""
    bystanders: tuple[SeatStack, ...] = ()
    kill: Kill = ""
    killer: int | None = None
