"""What no type says of a trace's header: numbers of antennas, names of zones, tags and faces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from dealer_assist.domain.cards import NotACard, parse_face
from dealer_assist.domain.zones import ZONES

if TYPE_CHECKING:
    from dealer_assist.table.trace import Header

#: No time of a zone is longer.
_LONGEST_MS: Final = 600_000
_UID: Final = re.compile(r"(?:[0-9A-Fa-f]{2}){4,10}")
#: A face of a recording that never became public: a card of the game, or one that is not in it.
_HIDDEN_FACE: Final = re.compile(r"[#!][0-9a-f]{12}")


def expected_of(header: Header) -> str | None:
    """What was expected in place of the first thing that cannot be; None: all can. Says nothing that a card could be told from."""
    return next(_mistakes(header), None)


def _mistakes(header: Header) -> Iterator[str]:
    for device in header.devices:
        for number, zone in device.antennas.items():
            if not (number.isascii() and number.isdigit() and 0 <= int(number) < 1000):
                yield f'antennas of {device.id!r}: a number as "1", found {number!r}'
            if zone not in ZONES:
                yield f'antenna {number} of {device.id!r}: a zone as "seat1" or "board", found {zone!r}'
    for deck in header.all_decks():
        if not all(map(_UID.fullmatch, deck.cards)):
            yield f"deck {deck.name!r}: UIDs of 4 to 10 bytes in hex"
        if not all(map(_is_face, deck.cards.values())):
            yield f'deck {deck.name!r}: cards as rank and suit, like "Ks"'
    for name, found in header.zones.items():
        if not all(0 <= value <= _LONGEST_MS for value in found.values()):
            yield f"zones of {name!r}: numbers from 0 to {_LONGEST_MS}"
    if header.recorded is not None:
        if not all(map(_UID.fullmatch, (*header.recorded.barred, *header.recorded.no_cards))):
            yield "recorded: tags of 4 to 10 bytes in hex"


def _is_face(text: str) -> bool:
    if _HIDDEN_FACE.fullmatch(text):
        return True
    try:
        parse_face(text)
    except NotACard:
        return False
    return True
