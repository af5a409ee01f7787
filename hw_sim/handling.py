"""Cards in somebody's hand between hands: each card of a deck laid on an antenna and taken away, an antenna touched with a card.

What registration, deck check and calibration need. As scenario lines (``lay``, ``touch``) and on the control channel:
{"do": "lay", "zone": "muck", "deck": "A"} or {"cards": ["As", "2s"]}, with "each_ms" and "stay_ms"; {"do": "touch", "zone": "seat3"},
with "card" and "stay_ms". Answered with the virtual time at which it is done.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any, Final

from hw_sim.cards import FIRST_DECK, OTHER_DECK
from hw_sim.movement import Movement

#: As a registration announces them: spades, hearts, clubs, diamonds, each from ace to king.
ORDER: Final = tuple(rank + suit for suit in "shcd" for rank in "A23456789TJQK")
#: From one card to the next, and how long each lies.
EACH_MS: Final = 1_600
STAY_MS: Final = 700
#: How long a card lies on an antenna that is calibrated: 30 scans of a slow reader.
TOUCH_MS: Final = 9_000
_LONGEST_MS: Final = 600_000


class NotHandled(ValueError):
    """A request that cannot be done. ``expected`` says what could be."""

    def __init__(self, expected: str) -> None:
        self.expected = expected
        super().__init__(expected)


def cards_of(deck: str) -> tuple[str, ...]:
    """The names of a deck's cards, in that order."""
    return ORDER if deck == FIRST_DECK else tuple(f"{deck}/{face}" for face in ORDER)


def laid(
    cards: Sequence[str], zone: str, now_ms: int, *, each_ms: int = EACH_MS, stay_ms: int = STAY_MS
) -> tuple[list[Movement], int]:
    """Each card on ``zone`` and away again, one after the other from ``now_ms``; the movements, and when the last one is away."""
    movements: list[Movement] = []
    for number, card in enumerate(cards):
        at_ms = now_ms + number * each_ms
        movements.append(Movement(card, "", zone, at_ms, at_ms))
        movements.append(Movement(card, zone, "", at_ms + stay_ms, at_ms + stay_ms))
    return movements, now_ms + max(0, len(cards) - 1) * each_ms + stay_ms


def asked(
    request: dict[str, Any], zones: Container[str], names: Container[str], now_ms: int
) -> tuple[list[Movement], int]:
    """What a request of the control channel comes to. Raises :class:`NotHandled`."""
    zone = str(request.get("zone", ""))
    if zone not in zones:
        raise NotHandled("a zone that an antenna reads, as muck or seat3")
    if request["do"] == "touch":
        card = request.get("card", ORDER[0])
        if not isinstance(card, str) or card not in names:
            raise NotHandled('a card, as "As", "B/As" or "foreign/1"')
        return laid([card], zone, now_ms, stay_ms=_ms(request, "stay_ms", TOUCH_MS))
    deck = request.get("deck", FIRST_DECK)
    cards = request.get("cards")
    if cards is None:
        if deck not in (FIRST_DECK, OTHER_DECK):
            raise NotHandled(f"a deck {FIRST_DECK} or {OTHER_DECK}, or cards")
        cards = cards_of(deck)
    if not isinstance(cards, list | tuple) or any(
        not isinstance(card, str) or card not in names for card in cards
    ):
        raise NotHandled('cards, as ["As", "B/As", "foreign/1"]')
    return laid(
        cards,
        zone,
        now_ms,
        each_ms=_ms(request, "each_ms", EACH_MS),
        stay_ms=_ms(request, "stay_ms", STAY_MS),
    )


def _ms(request: dict[str, Any], key: str, usual: int) -> int:
    value = request.get(key, usual)
    if type(value) is not int or not 0 < value <= _LONGEST_MS:
        raise NotHandled(f"{key} from 1 to {_LONGEST_MS}")
    return value
