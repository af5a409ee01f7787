"""The course of a hand that a history tells, as steps: who is in, with which bets and stacks, and who shows in the house's order.

What the kinds of histories have in common. A history says what players did; how a dealer of a house goes about it is added here:
folds into the muck, burns, hands tabled before a run-out where the house wants that, and the order of the showdown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from hw_sim import steps as st
from hw_sim.cards import FACES, shuffled

#: A card that a source does not know.
UNKNOWN: Final = "??"


class Course:
    """The course of one hand. ``stacks``: behind each seat once the posts are in; ``bets``: what of them counts as a bet.

    ``order``: the seats clockwise, the first left of the button first; ``level``: what must be in front of a seat to stay in;
    ``raise_by``: the least by which a raise must exceed it, at first; ``big_blind``: on later streets.
    ``allin_faceup``: hands are turned up once all are all-in and the betting is over.
    """

    def __init__(
        self,
        order: Sequence[int],
        stacks: Mapping[int, int],
        bets: Mapping[int, int],
        level: int,
        *,
        allin_faceup: bool,
        raise_by: int = 0,
        big_blind: int = 0,
    ) -> None:
        self.stacks = dict(stacks)
        self.bets = {seat: bets.get(seat, 0) for seat in order}
        self.level = level
        self.live = list(order)
        self.aggressor: int | None = None
        self._faceup = allin_faceup
        self._raise_by = raise_by
        self._big_blind = big_blind
        self._tabled: list[int] = []

    def pay(self, seat: int, total: int) -> None:
        """Chips of a seat go in until ``total`` lies in front of it, or its last."""
        added = min(total - self.bets[seat], self.stacks[seat])
        self.stacks[seat] -= added
        self.bets[seat] += added

    def least_to(self, seat: int) -> int:
        """The smallest total in front of ``seat`` that is a raise, or all that it has."""
        return min(self.level + self._raise_by, self.bets[seat] + self.stacks[seat])

    def act(self, seat: int, action: str, to: int = 0, *, ruled: bool = False) -> list[st.Step]:
        """What a seat does: fold, check, call, or raise (also bet) to ``to``; ``ruled``: a raise that stands by a ruling.

        Raises ValueError where it has folded.
        """
        command: dict[str, Any] = {"kind": "act", "seat": seat}
        if seat not in self.live:
            raise ValueError("a player who has not folded")
        match action:
            case "fold":
                self.live.remove(seat)
                return [st.Fold(seat), st.Tap({**command, "action": "fold"}, after_ms=600)]
            case "check" | "call":
                if action == "call" and self.level > max(
                    bet for other, bet in self.bets.items() if other != seat
                ):
                    # Behind a blind that is all-in for less: the whole of it is put in, whoever is left to win it.
                    command["to"] = min(self.level, self.bets[seat] + self.stacks[seat])
                self.pay(seat, max(self.level, self.bets[seat]))
                return [st.Wait(700), st.Tap({**command, "action": action}, after_ms=400)]
            case _:
                command["action"] = "raise" if self.level else "bet"
                self.pay(seat, to)
                self._raise_by = max(self._raise_by, to - self.level)
                self.level = max(self.level, to)
                self.aggressor = seat
                if ruled:
                    command["ruled"] = True
                return [st.Wait(1200), st.Tap({**command, "to": to}, after_ms=500)]

    def betting_over(self) -> bool:
        """Whether nobody can bet any more: at most one live seat has chips."""
        return sum(1 for seat in self.live if self.stacks[seat] > 0) <= 1

    def street(self, cards: int) -> list[st.Step]:
        """Burn and board cards of the next street, behind the hands that the house wants to see before them."""
        tabling: list[st.Step] = []
        if self.betting_over():
            if self._faceup:
                tabling = self._table([seat for seat in self._show_order() if seat not in self._tabled])
        else:
            self.aggressor = None
        self.bets = dict.fromkeys(self.bets, 0)
        self.level = 0
        self._raise_by = self._big_blind
        return [*tabling, st.Burn(), st.Board(cards), st.Wait(900)]

    def another_board(self, cards: int, run: int) -> list[st.Step]:
        """Burn and board cards of a street that is run again; ``run`` 2 or 3."""
        return [st.Burn(), st.Board(cards, zone="board2" if run == 2 else "board3"), st.Wait(900)]

    def showdown(self, shown: Iterable[int], winners: Iterable[int] = ()) -> list[st.Step]:
        """Live seats of ``shown`` are tabled in the house's order; the others muck after them. Nothing where one seat is left.

        ``winners``: a last hand that wins need not be shown; it is not mucked either.
        """
        if len(self.live) < 2:
            return []
        showing, won = set(shown), set(winners)
        order = [seat for seat in self._show_order() if seat not in self._tabled]
        out = self._table([seat for seat in order if seat in showing])
        for seat in order:
            if seat not in showing and (showing or seat not in won):
                out += [st.Fold(seat), st.Tap({"kind": "mucked", "seat": seat}, after_ms=700)]
        return out

    def _show_order(self) -> list[int]:
        if self.aggressor in self.live:
            at = self.live.index(self.aggressor)
            return self.live[at:] + self.live[:at]
        return list(self.live)

    def _table(self, seats: list[int]) -> list[st.Step]:
        self._tabled += seats
        return [st.Tap({"kind": "tabled", "seat": seat}, after_ms=900) for seat in seats]


def closing() -> list[st.Step]:
    """The end of every hand: the pots are pushed, the cards collected."""
    return [st.Tap({"kind": "push_pots"}, after_ms=1000), st.Sweep()]


def spare_cards(seed: str, known: Iterable[Sequence[str]]) -> list[str]:
    """The cards that the source does not name, in an order by ``seed``. Raises ValueError where a card is named twice."""
    named = [face for cards in known for face in cards if face != UNKNOWN]
    if len(set(named)) != len(named):
        raise ValueError("each card once")
    return [face for face in shuffled(seed) if face not in named]


def deck_of_hand(
    order: Sequence[int],
    holes: Mapping[int, Sequence[str]],
    boards: Iterable[Sequence[str]],
    spare: list[str],
) -> tuple[str, ...]:
    """The order of a deck that deals these cards, one at a time and with a burn before each street; ``spare`` fills the gaps."""
    rest = list(spare)

    def card(face: str) -> str:
        return rest.pop() if face == UNKNOWN else face

    def cards() -> Iterator[str]:
        for round_no in range(2):
            for seat in order:
                held = holes.get(seat, ())
                yield card(held[round_no] if round_no < len(held) else UNKNOWN)
        for board in boards:
            yield rest.pop()
            for face in board:
                yield card(face)

    first = tuple(cards())
    return first + tuple(rest)


def faces_of(cards: Iterable[str]) -> list[str]:
    """Cards by rank and suit, "??" where the source does not know. Raises ValueError."""
    faces = list(cards)
    if not all(face in FACES or face == UNKNOWN for face in faces):
        raise ValueError("cards as rank and suit, like AsKd")
    return faces
