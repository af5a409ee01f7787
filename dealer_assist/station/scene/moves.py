"""What moved between two states of the table: cards out of the stub and to the muck, chips to the pot and out of it.

Pure: facts in, moves out. It knows numbers of backs and public faces and nothing else, so that no movement can tell more of a hidden
card than its back does; a card that leaves is a back, whatever it was. A move is decoration: where things are is said by the state.
"""

from __future__ import annotations

from typing import NamedTuple

from dealer_assist.domain.facts import SeatFact
from dealer_assist.station.viewmodel import ViewState

Place = tuple[str, int, int]
STUB: Place = ("stub", 0, 0)
BURNS: Place = ("burns", 0, 0)
MUCK: Place = ("muck", 0, 0)
POTS: Place = ("pots", 0, 0)
#: more burnt cards than this at once are not seen one by one
_MOST_BURNS = 3
_GAVE_UP = ("folded", "mucked")


class Move(NamedTuple):
    """A thing that goes from one place to another. ``what``: card, back, bet, chips.

    ``stays``: the thing lies at its target in the new state and comes from ``origin``; otherwise it is seen leaving and is gone.
    """

    what: str
    origin: Place
    target: Place
    stays: bool


def hand_place(seat: int, slot: int) -> Place:
    """A card of a seat's hand, from 0."""
    return ("hand", seat, slot)


def board_place(board: int, slot: int) -> Place:
    """A card of a board (from 1), from 0."""
    return ("board", board, slot)


def bet_place(seat: int) -> Place:
    """The chips in front of a seat."""
    return ("bet", seat, 0)


def plate_place(seat: int) -> Place:
    """A seat's own chips."""
    return ("plate", seat, 0)


class Lying(NamedTuple):
    """A hand as it lies: public faces, and as many backs beside them."""

    backs: int
    faces: tuple[str, ...]

    @property
    def number(self) -> int:
        """Cards in all."""
        return self.backs + len(self.faces)


def lying(state: ViewState, seat: int) -> Lying:
    """What lies in front of a seat: latched backs; of a hand that is tabled the faces, and backs for what is not read yet."""
    fact = state.seat(seat)
    if fact is None:
        return Lying(0, ())
    if fact.tabled:
        return Lying(max(0, min(fact.cards, fact.due) - len(fact.tabled)), fact.tabled)
    return Lying(state.backs.get(seat, 0), ())


def moves(old: ViewState, new: ViewState) -> tuple[Move, ...]:
    """What is seen to move. Nothing when the table was not seen before: a screen that comes back is at once as it is."""
    if old.link != "ready" or new.link != "ready" or old.table is None or new.table is None:
        return ()
    same_deal = _deal_of(old) == _deal_of(new) and not new.between_hands
    found: list[Move] = []
    for seat in sorted({fact.seat for fact in (*old.seats, *new.seats)}):
        before, after = old.seat(seat), new.seat(seat)
        found += _cards(old, new, seat, to_muck=same_deal and after is not None and after.hand in _GAVE_UP)
        found += _chips(old, new, seat, before, after)
    found += _board(old, new)
    burnt = min(new.board.burns - old.board.burns, _MOST_BURNS) if same_deal else 0
    found += [Move("back", STUB, BURNS, stays=False)] * max(0, burnt)
    return tuple(found)


def _deal_of(state: ViewState) -> tuple[str, int] | None:
    return (state.hand.hand, state.hand.attempt) if state.hand else None


def _cards(old: ViewState, new: ViewState, seat: int, *, to_muck: bool) -> list[Move]:
    before, after = lying(old, seat).number, lying(new, seat).number
    dealt = [Move("card", STUB, hand_place(seat, slot), stays=True) for slot in range(before, after)]
    away = MUCK if to_muck else STUB
    return dealt + [Move("back", hand_place(seat, slot), away, stays=False) for slot in range(after, before)]


def _board(old: ViewState, new: ViewState) -> list[Move]:
    found = []
    for board in range(1, max(old.boards, new.boards) + 1):
        before = sum(card.board == board for card in old.board.cards)
        after = sum(card.board == board for card in new.board.cards)
        found += [Move("card", STUB, board_place(board, slot), stays=True) for slot in range(before, after)]
        found += [Move("back", board_place(board, slot), STUB, stays=False) for slot in range(after, before)]
    return found


def _chips(
    old: ViewState, new: ViewState, seat: int, before: SeatFact | None, after: SeatFact | None
) -> list[Move]:
    was, now = before.bet if before else 0, after.bet if after else 0
    found = []
    if now > was:
        found.append(Move("bet" if not was else "chips", plate_place(seat), bet_place(seat), stays=not was))
    elif was > now:
        taken_back = before is not None and after is not None and _grew(before, after) >= was - now
        away = plate_place(seat) if taken_back or _gathered(new) < _gathered(old) else POTS
        found.append(Move("chips" if now else "bet", bet_place(seat), away, stays=False))
    if after is not None and after.won > (before.won if before else 0):
        found.append(Move("chips", POTS, plate_place(seat), stays=False))
    return found


def _grew(before: SeatFact, after: SeatFact) -> int:
    return (after.stack or 0) - (before.stack or 0)


def _gathered(state: ViewState) -> int:
    return sum(pot.amount for pot in state.pot.pots)
