"""The register of a table's decks: when each came into use, went off the table, was checked, was put aside, and by whom.

It holds no tag and no card. Times are seconds of UTC and are given. Decks in use for more than 24 hours are listed (205 CMR 146.49(2)),
decks under investigation are kept intact (25 CFR 543.10), a deck that a shuffler counted wrong goes off the table (COMAR 36.05.03.27 C).
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from dealer_assist.domain.commands import Refused
from dealer_assist.domain.equipment import DeckLife, DeckView

DAY_S: Final = 24 * 3600
#: From which state a deck may come to which. What is destroyed stays so.
ALLOWED: Final[dict[DeckLife, frozenset[DeckLife]]] = {
    "unfinished": frozenset({"registered", "retired"}),
    "registered": frozenset({"in_use", "out", "quarantine", "retired"}),
    "in_use": frozenset({"out", "quarantine", "retired"}),
    "out": frozenset({"in_use", "quarantine", "retired"}),
    "quarantine": frozenset({"out", "retired"}),
    "retired": frozenset(),
}
#: Decks that may be dealt from.
PLAYABLE: Final = frozenset({"registered", "in_use"})


class DeckEntry(msgspec.Struct, frozen=True):
    """One deck. ``reason``: what was said when it came to its state; ``by``: who said it."""

    deck: str
    back: str
    state: DeckLife
    since_s: int
    cards: int = 52
    registered_s: int = 0
    in_use_since_s: int = 0
    checked_s: int = 0
    wrong_counts: int = 0
    reason: str = ""
    by: str = ""


class DeckRegister(msgspec.Struct, frozen=True):
    """The decks by name, in the order in which they came."""

    decks: dict[str, DeckEntry] = {}

    def entry(self, deck: str) -> DeckEntry | None:
        """A deck's entry."""
        return self.decks.get(deck)

    def with_entry(self, entry: DeckEntry) -> DeckRegister:
        """The register with this entry in place of the deck's old one."""
        return DeckRegister({**self.decks, entry.deck: entry})

    def playable(self, deck: str) -> bool:
        """Whether a deck may be dealt from."""
        entry = self.decks.get(deck)
        return entry is not None and entry.state in PLAYABLE

    def view(self, now_s: int) -> tuple[DeckView, ...]:
        """As it may be shown."""
        return tuple([_view(entry, now_s) for entry in self.decks.values()])


def _view(entry: DeckEntry, now_s: int) -> DeckView:
    long = entry.state == "in_use" and now_s - entry.in_use_since_s > DAY_S
    return DeckView(
        entry.deck,
        entry.back,
        entry.state,
        entry.cards,
        entry.since_s,
        entry.registered_s,
        entry.in_use_since_s,
        entry.checked_s,
        long_in_use=long,
        wrong_counts=entry.wrong_counts,
        reason=entry.reason,
    )


def moved(
    register: DeckRegister, deck: str, state: DeckLife, now_s: int, *, by: str, reason: str = ""
) -> DeckRegister | Refused:
    """A deck comes to another state. Only the floor takes one out of quarantine; that needs a reason, as putting it there does."""
    entry = register.entry(deck)
    if entry is None:
        return Refused("no_such_deck", {"deck": deck})
    if entry.state == state:
        return Refused("deck_is_already", {"deck": deck, "life": state})
    if state not in ALLOWED[entry.state]:
        return Refused("deck_cannot", {"deck": deck, "life": state, "was": entry.state})
    if entry.state == "quarantine" and by == "dealer":
        return Refused("deck_floor_only", {"deck": deck})
    if "quarantine" in (state, entry.state) and not reason.strip():
        return Refused("reason_needed", {"deck": deck})
    in_use = now_s if state == "in_use" else 0 if state in ("out", "registered") else entry.in_use_since_s
    return register.with_entry(
        replace(entry, state=state, since_s=now_s, in_use_since_s=in_use, reason=reason, by=by)
    )
