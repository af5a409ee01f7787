"""The first button by high card: one card face up to each seat, the highest has the button."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from dealer_assist.domain.cards import NotACard, parse_face
from dealer_assist.seating.positions import first_seat, playing
from dealer_assist.seating.values import Ledger, SeatingRules, SeatsRefused

_RANKS = "23456789TJQKA"
#: Rising: spades are the highest (RROP, WLA 95 and 151).
_SUITS = "cdhs"


def first_button(
    ledger: Ledger, rules: SeatingRules, cards: Mapping[int, str], t_ms: int, *, anew: bool = False
) -> Ledger:
    """The button of the first hand by the cards that the seats drew; raises :class:`SeatsRefused`.

    Suits do not matter and equal cards draw again: ``drawing`` then names those seats (S004-03); or suits decide and nobody draws
    again (RROP, WLA 95, 151); or nobody draws, the button is at the dealer's right (WT 85). ``anew``: also into a running game.
    """
    if ledger.running and not anew:
        raise SeatsRefused("button_drawn")
    seats = playing(ledger, rules)
    if len(seats) < 2:
        raise SeatsRefused("bad_command", reason="too_few_seats")
    if rules.first_button == "right_of_dealer":
        return _at(ledger, first_seat(rules, seats), t_ms)
    due = tuple([seat for seat in ledger.drawing if seat in seats]) or seats
    other = sorted(set(cards) ^ set(due))
    if other:
        raise SeatsRefused("draw_missing", seats=list(due))
    values = {}
    for seat, face in cards.items():
        try:
            parse_face(face)
        except NotACard:
            raise SeatsRefused("bad_command", reason="not_a_card") from None
        values[seat] = (
            _RANKS.index(face[0]),
            _SUITS.index(face[1]) if rules.first_button == "high_card_by_suit" else 0,
        )
    if len(set(cards.values())) != len(cards):
        raise SeatsRefused("same_card")
    highest = max(values.values())
    winners = tuple(sorted([seat for seat, value in values.items() if value == highest]))
    if len(winners) > 1:
        return replace(ledger, drawing=winners, t_ms=t_ms)
    return _at(ledger, winners[0], t_ms)


def _at(ledger: Ledger, button: int, t_ms: int) -> Ledger:
    """The game begins here: nobody owes anything."""
    seats = {
        seat: replace(record, new=False, missed_small=False, missed_big=False, posts=False)
        for seat, record in ledger.seats.items()
    }
    return replace(ledger, seats=seats, last=None, again=None, next_button=button, drawing=(), t_ms=t_ms)
