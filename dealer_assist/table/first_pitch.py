"""Between two hands: the cards of one are swept, and the next begins with its first pitched card, whatever was tapped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.commands import Actor, Refused
from dealer_assist.domain.zones import seat_of
from dealer_assist.table.deck_desk import DeckDesk
from dealer_assist.table.hand import Hand
from dealer_assist.table.ports import TagPlaced, ZoneFilter
from dealer_assist.table.seats import Seats
from dealer_assist.table.shoe_desk import ShoeDesk
from dealer_assist.table.vault import Vault


class FirstPitch:
    """The part of a table that knows when a hand is really over (see :class:`~dealer_assist.table.core.Core`)."""

    hand: Hand | None
    seats: Seats
    vault: Vault
    zones: ZoneFilter
    _deck: DeckDesk
    _shoe: ShoeDesk
    _swept: bool
    #: the tag whose arrival opens a hand, while it does
    _opens_with: bytes | None

    if TYPE_CHECKING:

        def _running(self) -> bool: ...

        def _tell(self, command: cmd.Command, actor: Actor) -> Refused | None: ...

    def _decided(self) -> bool:
        """Whether the open hand has come to its end, and only the tap that says so is missing."""
        hand = self.hand
        if hand is None or hand.result:
            return False
        return hand.settlement is not None or bool(hand.procedure.ended)

    def _over(self) -> bool:
        """Whether no hand runs, or one whose cards are collected."""
        return not self._running() or (self._decided() and self._swept)

    def _see_swept(self) -> None:
        """A card went: perhaps it was the last one that lay anywhere."""
        if self._running() and not self._decided():
            self._swept = False  # an award that was taken back
            return
        if self._swept:
            return
        self._swept = not any(self.zones.occupied().values())
        if self._swept:
            self._collected()

    def _collected(self) -> None:
        """The deck is no longer in play: what shuffler and shoe say from now on is of the next hand."""
        self._deck.hand_over()
        self._shoe.hand_over()

    def _lying(self) -> dict[str, tuple[bytes, ...]]:
        """The tags that lay about before the card that opens the hand."""
        opens = self._opens_with
        lying = self.zones.occupied()
        if opens is None:
            return lying
        return {zone: tuple([uid for uid in uids if uid != opens]) for zone, uids in lying.items()}

    def _between_hands(self, movement: TagPlaced) -> bool:
        """Whether a card that is laid down belongs to no hand: no hand is open, and it opens none.

        Once a hand is decided no seat gets a card any more: one that does, and is not its own, is the first card of the next deal.
        """
        decided = self._decided()
        if self._running() and not decided:
            return False
        seat = seat_of(movement.zone)
        if decided and (seat is None or self._is_of(seat, movement.uid)):
            return False
        return not self._first_pitch(movement)

    def _is_of(self, seat: int, uid: bytes) -> bool:
        ref = self.vault.ref(uid)
        return ref is not None and self.hand is not None and self.hand.procedure.owner.get(ref) == seat

    def _first_pitch(self, movement: TagPlaced) -> bool:
        """Whether the card opens the next hand."""
        if seat_of(movement.zone) is None or not self._swept or not self.seats.can_open():
            return False
        self._opens_with = movement.uid
        try:
            return self._tell(cmd.OpenHand(), "dealer") is None
        finally:
            self._opens_with = None
