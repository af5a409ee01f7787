"""All decks that a table knows: which tag is of which deck, which may be dealt from, their register. Like the vault it never prints."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from dealer_assist.domain.cards import Face
from dealer_assist.domain.commands import Refused
from dealer_assist.domain.equipment import DeckLife, DecksFact
from dealer_assist.table.deckfile import Deck
from dealer_assist.table.equipment.files import EquipmentFiles
from dealer_assist.table.equipment.register import DeckEntry, DeckRegister, moved


class InPlay(msgspec.Struct, frozen=True):
    """What the vault works with: tag → face of the decks that may be dealt from, tag → deck, and tag → deck of those that may not."""

    cards: dict[bytes, Face]
    decks: dict[bytes, str]
    barred: dict[bytes, str]

    def __repr__(self) -> str:
        return f"InPlay({len(self.cards)} cards, {len(self.barred)} barred)"


class DeckBook:
    """Decks of the configuration and decks that were registered here. A deck that was registered here goes before one of its name."""

    def __init__(self, files: EquipmentFiles, configured: Iterable[Deck], now_s: int) -> None:
        self._files = files
        self._decks: dict[str, dict[bytes, Face]] = {}
        register = files.load_register()
        for deck in [*configured, *files.load_decks()]:
            self._decks[deck.deck] = deck.by_uid()
            entry = register.entry(deck.deck)
            if entry is None or entry.state == "unfinished":
                # its file is there whole: the power went before the register heard of it
                entry = DeckEntry(deck.deck, deck.back, "registered", now_s, len(deck.cards))
            register = register.with_entry(replace(entry, cards=len(deck.cards)))
        self.register = register

    def __repr__(self) -> str:
        return f"DeckBook({len(self._decks)} decks)"

    def names(self) -> tuple[str, ...]:
        """The decks whose cards are known."""
        return tuple(self._decks)

    def faces(self, deck: str) -> dict[bytes, Face] | None:
        """Tag → face of a deck."""
        return self._decks.get(deck)

    def owners(self) -> dict[bytes, str]:
        """Tag → deck, of every deck that is known."""
        return {uid: deck for deck, cards in self._decks.items() for uid in cards}

    def in_play(self) -> InPlay:
        """What may be dealt, and what may not."""
        cards: dict[bytes, Face] = {}
        decks: dict[bytes, str] = {}
        barred: dict[bytes, str] = {}
        for deck, faces in self._decks.items():
            if self.register.playable(deck):
                cards.update(faces)
                decks.update(dict.fromkeys(faces, deck))
            else:
                barred.update(dict.fromkeys(faces, deck))
        # a tag that was registered again with another deck belongs to that one
        return InPlay(cards, decks, {uid: deck for uid, deck in barred.items() if uid not in cards})

    def fact(self, now_s: int) -> DecksFact:
        """The register as it may be shown."""
        return DecksFact(self.register.view(now_s))

    # -- changes, kept before they count -----------------------------------------------------------------------------------------

    def begun(self, name: str, back: str, cards: int, now_s: int, by: str) -> None:
        """A registration goes on: how many cards there are. A deck that is known under this name stays what it is until then."""
        if name in self._decks:
            return
        entry = self.register.entry(name) or DeckEntry(name, back, "unfinished", now_s)
        self._keep(self.register.with_entry(replace(entry, cards=cards, by=by)))

    def forget(self, name: str) -> None:
        """A registration was cancelled: an unfinished deck is no deck."""
        entry = self.register.entry(name)
        if entry is not None and entry.state == "unfinished":
            self._keep(
                DeckRegister({deck: kept for deck, kept in self.register.decks.items() if deck != name})
            )

    def add(self, deck: Deck, now_s: int, by: str) -> None:
        """A deck is registered. Raises NotStored, and nothing has changed then."""
        self._files.save_deck(deck)
        self._files.drop_unfinished(deck.deck)
        entry = DeckEntry(
            deck.deck, deck.back, "registered", now_s, len(deck.cards), registered_s=now_s, by=by
        )
        self._keep(self.register.with_entry(entry))
        self._decks[deck.deck] = deck.by_uid()

    def move(self, name: str, state: DeckLife, now_s: int, *, by: str, reason: str = "") -> Refused | None:
        """A deck comes to another state. Raises NotStored."""
        register = moved(self.register, name, state, now_s, by=by, reason=reason)
        if isinstance(register, Refused):
            return register
        self._keep(register)
        return None

    def dealt_from(self, name: str, now_s: int) -> bool:
        """The first card of a hand came from this deck: from now on it is in use. Returns whether it was not before."""
        entry = self.register.entry(name)
        if entry is None or entry.state != "registered":
            return False
        return self.move(name, "in_use", now_s, by="table") is None

    def checked(self, name: str, now_s: int) -> None:
        """The deck was checked and is complete."""
        entry = self.register.entry(name)
        if entry is not None:
            self._keep(self.register.with_entry(replace(entry, checked_s=now_s)))

    def counted_wrong(self, name: str) -> None:
        """A shuffler counted it otherwise."""
        entry = self.register.entry(name)
        if entry is not None:
            self._keep(self.register.with_entry(replace(entry, wrong_counts=entry.wrong_counts + 1)))

    def _keep(self, register: DeckRegister) -> None:
        self._files.save_register(register)
        self.register = register
