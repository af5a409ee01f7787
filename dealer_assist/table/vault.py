"""The vault: the only code that sees a tag's UID and the card's face together.

It turns a UID into a reference that is random per hand (HMAC-SHA256 under the hand key) and answers predicates. A face leaves it in
two ways only: sealed to surveillance at first sight, and in :meth:`Vault.reveal_board` or :meth:`Vault.reveal_tabled` once the
procedure has made the card public and the vault's own conditions hold. Nothing here prints.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import deque
from collections.abc import Container, Iterable, Mapping
from typing import Protocol

import msgspec

from dealer_assist.domain.cards import CardRef, Face, HiddenCard
from dealer_assist.domain.zones import BOARDS
from dealer_assist.table.ports import TagGlimpsed

#: How the tokens of a recording begin: a card of the game, and one that the game does not have.
_IN_GAME, _NOT_IN_GAME = "#", "!"
_TOKENS = frozenset((_IN_GAME, _NOT_IN_GAME))
#: Reads before the first card that are kept.
_GLIMPSES_AT_MOST = 64
#: More than any input gives; without a recording nobody takes them.
_TOLD_AT_MOST = 256


class SealBox(Protocol):
    """Encrypts one sighting to surveillance: fixed size, whatever the card."""

    def seal(self, *, hand: str, zone: str, card: str, uid: bytes, time_ms: int) -> bytes:
        """Return the sealed box."""


class Sighting(msgspec.Struct, frozen=True):
    """What the vault says of a tag at a zone: its reference, or that the tag belongs to no deck in play.

    ``in_game`` False: the game of this hand has no such card. ``other_deck``: a card of the table's other deck. ``stranger``: the
    reference of a tag of no deck in play, None where it says nothing: it is known to be no card, or left from the last hand.
    """

    ref: CardRef | None
    same_face: bool = False
    in_game: bool = True
    other_deck: bool = False
    stranger: CardRef | None = None
    #: the deck that a stranger belongs to, where it is one that may not be dealt from
    barred: str = ""


class Vault:
    """Identities of one table. ``cards``: UID → face of its decks; ``decks``: UID → deck, where there is more than one."""

    def __init__(
        self,
        cards: Mapping[bytes, Face],
        *,
        decks: Mapping[bytes, str] | None = None,
        deck_names: Iterable[str] = (),
        sealer: SealBox | None = None,
        settle_ms: int = 600,
    ) -> None:
        self._cards = {uid: HiddenCard(face) for uid, face in cards.items()}
        self._decks = dict(decks or {})
        self._names = frozenset(deck_names)
        self._barred: dict[bytes, str] = {}
        self._deck: str | None = None
        self._game_faces: frozenset[Face] | None = None
        self._sealer = sealer
        self._settle_ms = settle_ms
        self._keyed = hmac.new(b"", digestmod=hashlib.sha256)
        self._hand = ""
        self._refs: dict[bytes, CardRef] = {}
        self._uids: dict[CardRef, bytes] = {}
        self._zones: dict[CardRef, dict[str, int]] = {}
        #: references whose face was given; UID → how often its card came again under another reference
        self._public: set[CardRef] = set()
        self._again: dict[bytes, int] = {}
        self._by_face: dict[tuple[str, Face], CardRef] = {}
        self._strangers: dict[bytes, CardRef] = {}
        self._left_lying: dict[bytes, str] = {}
        self._glimpses: deque[TagGlimpsed] = deque(maxlen=_GLIMPSES_AT_MOST)
        self._no_cards: set[bytes] = set()
        self._boxes: list[tuple[str, bytes]] = []
        self._told: deque[tuple[bytes, Face | None]] = deque(maxlen=_TOLD_AT_MOST)

    def __repr__(self) -> str:
        return "<vault>"

    def use(
        self, cards: Mapping[bytes, Face], decks: Mapping[bytes, str], barred: Mapping[bytes, str]
    ) -> None:
        """The decks of the table are these from now on; ``barred``: tags of known decks that may not be dealt from."""
        self._cards = {uid: HiddenCard(face) for uid, face in cards.items()}
        self._decks = dict(decks)
        self._names = frozenset(decks.values())
        self._barred = dict(barred)

    def bar(self, barred: Mapping[bytes, str]) -> None:
        """Tags of known decks that may not be dealt from."""
        self._barred = dict(barred)

    def begin_hand(self, hand: str, key: bytes, faces: Iterable[Face] | None = None) -> None:
        """Forget the last hand's references; those of this hand come from ``key`` (32 random bytes, as secret as the cards).

        ``faces``: the cards of its game; None: every card.
        """
        self._game_faces = None if faces is None else frozenset(faces)
        self._deck = None
        self._keyed = hmac.new(key, digestmod=hashlib.sha256)
        self._hand = hand
        self._refs = {}
        self._uids = {}
        self._zones = {}
        self._public = set()
        self._again = {}
        self._by_face = {}
        self._strangers = {}
        self._left_lying = {}
        self._glimpses.clear()

    def end_hand(self) -> None:
        """Forget the key and every reference: the same card is another one in the next hand."""
        self.begin_hand("", b"")

    def deck_of(self, uid: bytes) -> str | None:
        """The deck that a tag belongs to; "" where the table has one; None for a tag of no deck."""
        return self._decks.get(uid, "") if uid in self._cards else None

    @property
    def two_decks(self) -> bool:
        """Whether the table has more decks than one."""
        return len(self.deck_names()) > 1

    @property
    def deck(self) -> str | None:
        """The deck of this hand, known by its first card."""
        return self._deck

    @property
    def strangers_only(self) -> int:
        """How many tags of no deck in play this hand has seen, as long as it has seen no card of one."""
        return 0 if self._deck is not None else len(self._strangers)

    def known(self, uid: bytes) -> CardRef | None:
        """The reference that a tag has in this hand already; None where none was needed yet."""
        return self._refs.get(uid)

    def ref(self, uid: bytes) -> CardRef | None:
        """The reference of a tag in this hand, None for a tag of no deck in play."""
        ref = self._refs.get(uid)
        if ref is None:
            if uid not in self._cards:
                return None
            ref = self._reference(uid)
            self._refs[uid] = ref
            self._uids[ref] = uid
        return ref

    def _reference(self, uid: bytes) -> CardRef:
        keyed = self._keyed.copy()
        keyed.update(uid)
        again = self._again.get(uid, 0)
        if again:
            keyed.update(again.to_bytes(4, "big"))
        return keyed.digest()[:8].hex()

    def _rename(self, ref: CardRef) -> None:
        """A card that was public went back into the stub: where it comes again it is another card, which nobody knows."""
        uid = self._uids.get(ref)
        if ref not in self._public or uid is None or self._refs.get(uid) != ref:
            return
        del self._refs[uid]
        self._again[uid] = self._again.get(uid, 0) + 1
        self._by_face = {face: other for face, other in self._by_face.items() if other != ref}

    def keep(self, refs: Iterable[CardRef]) -> None:
        """These cards are known by where they lie or go, they were not shuffled in: a drawn flop card, a board after an undo."""
        for ref in refs:
            uid = self._uids.get(ref)
            if uid is not None and uid not in self._refs:
                self._refs[uid] = ref
                self._again[uid] -= 1

    def resumed(self, refs: Container[CardRef]) -> None:
        """The references that were in use before the service stopped: cards that had come again go on under their last one."""
        for uid in self._cards:
            while True:
                self._again[uid] = self._again.get(uid, 0) + 1
                if self._reference(uid) not in refs:
                    break
            self._again[uid] -= 1
            self._refs.pop(uid, None)
            self.ref(uid)

    # -- for the recording, which stands for tags and faces by tokens ------------------------------------------------------------

    def deck_names(self) -> frozenset[str]:
        """The decks of the table, as far as they have names."""
        return self._names | frozenset(self._decks.values())

    def generation(self, uid: bytes) -> int:
        """How often this hand has taken a tag's card for another one."""
        return self._again.get(uid, 0)

    def take_told(self) -> list[tuple[bytes, Face | None]]:
        """The tags whose face was given since the last call, with it; None for a card that the hand's game does not have."""
        told = list(self._told)
        self._told.clear()
        return told

    def twin(self, uid: bytes, others: Iterable[bytes]) -> bytes | None:
        """One of ``others`` that is registered as the same card of the same deck, or None."""
        card = self._cards.get(uid)
        if card is None:
            return None
        deck = self._decks.get(uid)
        for other in others:
            known = self._cards.get(other)
            if (
                other != uid
                and known is not None
                and known.face == card.face
                and self._decks.get(other) == deck
            ):
                return other
        return None

    def barred_deck(self, uid: bytes) -> str:
        """The deck of a tag that may not be dealt from, "" for none."""
        return self._barred.get(uid, "")

    def is_no_card(self, uid: bytes) -> bool:
        """Whether people looked and found no card."""
        return uid in self._no_cards

    def no_cards(self, uids: Iterable[bytes]) -> None:
        """People had looked before: these are no cards."""
        self._no_cards.update(uids)

    # -- strangers ---------------------------------------------------------------------------------------------------------------

    def stranger(self, uid: bytes) -> CardRef | None:
        """The reference of a tag that was seen in this hand and belongs to no deck in play; None for any other."""
        return self._strangers.get(uid)

    def no_card(self, ref: CardRef) -> None:
        """People looked: the tag of no deck is a phone, a badge. It says nothing any more, in later hands too."""
        for uid, stranger in self._strangers.items():
            if stranger == ref and uid not in self._cards:
                self._no_cards.add(uid)

    def left_lying(self, uid: bytes, zone: str) -> None:
        """A card of the last hand lies here as this one begins: it does not say which deck is in play."""
        self._left_lying[uid] = zone

    def _strange(self, uid: bytes, zone: str, *, other_deck: bool) -> Sighting:
        if uid in self._no_cards or self._left_lying.get(uid) == zone:
            return Sighting(None, other_deck=other_deck)
        return Sighting(
            None,
            other_deck=other_deck,
            stranger=self._strangers.setdefault(uid, self._reference(uid)),
            barred=self._barred.get(uid, ""),
        )

    def recognise(self, uid: bytes, candidates: Mapping[CardRef, Face | None]) -> CardRef | None:
        """After the hand key was lost: which reference of the hand, of those that lay where this tag lies, it goes on under.

        A candidate whose face is public is that card or none; one without a face stands for any hidden card. None: no candidate.
        """
        card = self._cards.get(uid)
        if card is None or uid in self._refs:
            return None
        ref = next((ref for ref, face in candidates.items() if face == card.face), None)
        if ref is None:
            ref = next((ref for ref, face in candidates.items() if face is None), None)
        if ref is not None:
            self._refs[uid] = ref
            self._uids[ref] = uid
        return ref

    def placed(self, uid: bytes, zone: str, first_ms: int) -> Sighting:
        """A tag lies at a zone. Sealed at its first sight there; ``same_face``: another tag of this hand has its face."""
        deck = self.deck_of(uid)
        if deck is None:
            return self._strange(uid, zone, other_deck=False)
        if self._deck is None:
            if uid in self._left_lying and self.two_decks:
                return Sighting(None, other_deck=True)
            self._deck = deck
        if deck != self._deck:
            return self._strange(uid, zone, other_deck=True)
        ref = self.ref(uid)
        assert ref is not None
        card = self._cards[uid]
        if not self._in_game(card.face):
            self._told.append((uid, None))
            return Sighting(ref, in_game=False)
        zones = self._zones.get(ref)
        if zones is None:
            self._zones[ref] = {zone: first_ms}
        elif zone in zones:
            return Sighting(ref)
        else:
            zones[zone] = first_ms
        if self._sealer is not None:
            box = self._sealer.seal(hand=self._hand, zone=zone, card=card.face, uid=uid, time_ms=first_ms)
            self._boxes.append((self._hand, box))
        other = self._by_face.setdefault((deck, card.face), ref)
        return Sighting(ref, same_face=other != ref)

    def glimpsed(self, seen: TagGlimpsed) -> CardRef | None:
        """The reference of a tag that was read once: only of the deck that this hand is known to be dealt from.

        One read may be a ghost: nothing is sealed, and where a card lay is not changed by it. Before the first card lies anywhere the
        deck is not known yet: see :meth:`first_glimpses`.
        """
        if self._deck is None:
            self._glimpses.append(seen)
            return None
        return self.ref(seen.uid) if self.deck_of(seen.uid) == self._deck else None

    def first_glimpses(self) -> list[TagGlimpsed]:
        """What was read once before the first card lay there, to be looked up again now that it does."""
        seen = list(self._glimpses)
        self._glimpses.clear()
        return seen

    def _in_game(self, face: Face) -> bool:
        """Whether the game has such a card. A token stands for a hidden one (see :mod:`dealer_assist.table.recording`)."""
        if face[0] in _TOKENS:
            return face[0] == _IN_GAME
        return self._game_faces is None or face in self._game_faces

    def back_in_stub(self, refs: Iterable[CardRef]) -> None:
        """These cards were shuffled into the stub: they may come again anywhere, and where they lay says nothing any more."""
        for ref in refs:
            self._zones.pop(ref, None)
            self._rename(ref)

    def left(self, ref: CardRef, zone: str, *, back_in_stub: bool) -> None:
        """A card left a zone. One that went back into the stub may come again anywhere: its past there is forgotten."""
        zones = self._zones.get(ref)
        if zones is not None and back_in_stub:
            zones.pop(zone, None)
            if not zones:
                self._rename(ref)

    def forget_places(self) -> None:
        """The cards were gathered for a new deal of the same hand: where they lay says nothing any more, nor which deck it was."""
        self._zones = {}
        self._deck = None
        for ref in tuple(self._public):
            self._rename(ref)

    def reveal_board(self, ref: CardRef, t_ms: int) -> Face | None:
        """The face of a board card: it lay on the board and nowhere else in this hand, still for the settle time."""
        zones = self._zones.get(ref)
        if zones is None or len(zones) != 1:
            return None
        (zone, first_ms), *_ = zones.items()
        if zone not in BOARDS or t_ms - first_ms < self._settle_ms:
            return None
        return self._shown(ref)

    def reveal_tabled(self, ref: CardRef, seat_zone: str) -> Face | None:
        """The face of a hole card that its player tabled: it was dealt to that seat."""
        zones = self._zones.get(ref)
        if zones is None or seat_zone not in zones:
            return None
        return self._shown(ref)

    def _shown(self, ref: CardRef) -> Face | None:
        face = self._cards[self._uids[ref]].face
        if face[0] in _TOKENS:
            return None  # a recording does not say what its table had not seen by then
        self._public.add(ref)
        self._told.append((self._uids[ref], face))
        return face

    def take_boxes(self) -> list[tuple[str, bytes]]:
        """The sealed sightings since the last call, for the journal."""
        boxes, self._boxes = self._boxes, []
        return boxes
