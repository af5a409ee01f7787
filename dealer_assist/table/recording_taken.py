"""A recording that was taken, as the lines of a trace: opaque tags and faces in place of the numbers that stood for them.

It is a copy of what the table goes on recording, so that a thread of its own can write it down: sixty thousand lines take a while, and the
disk may take longer.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from dealer_assist.domain import facts as fx
from dealer_assist.table.trace import Header, Recorded, TraceDeck

#: Where the tags of a line go. Quotes within a text are written otherwise, so that these stand nowhere else.
_NO_TAG: Final = b'"uid":""'
_NO_TAGS: Final = b'"uids":[]'


class Card(msgspec.Struct):
    """What stands for a tag: the deck it belongs to (None for none), whose face it shares, the face if that became public."""

    deck: str | None
    twin: int
    chunk: int
    barred: str = ""
    mangled: bool = False
    no_card: bool = False
    in_game: bool = True
    face: str | None = None

    def __repr__(self) -> str:
        return f"Card(deck {self.deck!r})"


class Item(msgspec.Struct):
    """One line to be: JSON, with the numbers of the tags that it names in ``cards``. It is small, and holds no tag.

    ``stands``: it only says how the table stood when its chunk began.
    """

    t_ms: int
    line: bytes
    cards: tuple[int, ...] | None = None
    stands: bool = False


class Chunk(msgspec.Struct):
    """From the end of one hand to the end of the next. ``begins``: how the table stood; ``joined``: nothing is missing before it."""

    number: int
    begins: Recorded
    t_ms: int
    joined: bool
    header: Header
    items: list[Item] = []
    hands: int = 0


class Taken:
    """``chunks`` and ``cards`` are the taker's own; ``lamps``: the line with which the time of taking is told."""

    def __init__(
        self,
        chunks: list[Chunk],
        cards: Mapping[int, Card],
        deck_names: Sequence[str],
        t_ms: int,
        lamps: dict[str, Any],
        *,
        simulated: bool,
    ) -> None:
        self._chunks = chunks
        self._cards = cards
        self._deck_names = deck_names
        self._t_ms = t_ms
        self._lamps = lamps
        self._simulated = simulated

    def __repr__(self) -> str:
        return "<recording>"

    def lines(self, key: bytes, counters: Mapping[str, Mapping[str, int]] | None = None) -> Iterator[bytes]:
        """The trace. ``key``: random, of this recording alone; ``counters``: device → what went wrong on its line."""
        groups: list[list[Chunk]] = []
        for chunk in self._chunks:
            if groups and chunk.joined:
                groups[-1].append(chunk)
            else:
                groups.append([chunk])
        for number, group in enumerate(groups):
            if not any(chunk.hands for chunk in group):
                continue  # nobody played before the next set-up, or since the last one
            yield _json(self._head(group, key))
            for position, chunk in enumerate(group):
                for item in chunk.items:
                    if position and item.stands:
                        continue  # how the table stood follows from what came before
                    yield self._line(item, key)
            if number == len(groups) - 1:
                last_ms = max(self._t_ms, group[-1].items[-1].t_ms)
                yield _json({"t": last_ms, **self._lamps})  # time has passed up to here
                for device, faults in (counters or {}).items():
                    yield _json({"t": last_ms, "dev": device, "msg": "line_faults", "counters": dict(faults)})

    def _line(self, item: Item, key: bytes) -> bytes:
        # put together from its bytes: the table waits for as long as sixty thousand of these take
        line = b'{"t":%d,%b\n' % (item.t_ms, item.line[1:])
        if item.cards is None:
            return line
        tags = [self._tag(number, key) for number in item.cards]
        if _NO_TAGS in line:
            return line.replace(_NO_TAGS, b'"uids":' + msgspec.json.encode(tags), 1)
        return line.replace(_NO_TAG, b'"uid":' + msgspec.json.encode(tags[0]), 1)

    def _head(self, group: list[Chunk], key: bytes) -> Header:
        used = {number for chunk in group for item in chunk.items for number in item.cards or ()}
        decks: dict[str, dict[str, str]] = {deck: {} for deck in self._deck_names}
        barred: dict[str, str] = {}
        no_cards: list[str] = []
        public = {card.twin: card.face for card in self._cards.values() if card.face is not None}
        for number in sorted(used):
            card = self._cards[number]
            tag = self._tag(number, key)
            if card.deck is not None:
                decks.setdefault(card.deck, {})[tag] = public.get(card.twin) or self._face(card, key)
            elif card.barred:
                barred[tag] = card.barred
            if card.no_card:
                no_cards.append(tag)
        listed = tuple([TraceDeck(name, self._simulated, cards) for name, cards in decks.items()])
        begins = replace(group[0].begins, barred=barred, no_cards=tuple(no_cards))
        return replace(group[0].header, decks=listed, recorded=begins)

    def _tag(self, number: int, key: bytes) -> str:
        """An opaque tag, in the form of a real one; of a garbled one, garbled."""
        token = hmac.digest(key, f"tag {number}".encode(), "sha256")[:6].hex().upper()
        return f"88{token[:6]}" if self._cards[number].mangled else f"E007{token}"

    def _face(self, card: Card, key: bytes) -> str:
        """An opaque face, the same for two cards of one face; "!" before one that the game does not have."""
        token = hmac.digest(key, f"face {card.twin}".encode(), "sha256")[:6].hex()
        return f"{'#' if card.in_game else '!'}{token}"


def _json(value: Any) -> bytes:
    return msgspec.json.encode(value) + b"\n"


def lamps(facts: Iterable[fx.DeviceFact], readers: frozenset[str]) -> dict[str, Any]:
    """The lamps of devices and the zones that work, as a line has them."""
    return {"lamps": [msgspec.to_builtins(fact) for fact in facts], "readers": sorted(readers)}
