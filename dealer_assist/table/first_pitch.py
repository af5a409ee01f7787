"""Between two hands: the cards of one are swept, and the next begins with its first pitched card, whatever was tapped."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from dealer_assist.domain import commands as cmd
from dealer_assist.domain import facts as fx
from dealer_assist.domain.commands import Actor, Refused
from dealer_assist.domain.zones import seat_of
from dealer_assist.table import inputs as inp
from dealer_assist.table.deck_desk import DeckDesk
from dealer_assist.table.events import TableEvent
from dealer_assist.table.hand import Hand
from dealer_assist.table.lost_cards import LostCards
from dealer_assist.table.ports import TagPlaced, ZoneFilter
from dealer_assist.table.project import Section
from dealer_assist.table.seats import Seats
from dealer_assist.table.shoe_desk import ShoeDesk
from dealer_assist.table.vault import Vault

#: So many seats get a card that is not theirs, after all cards were gone: somebody deals. One may be a card that was laid down beside.
DEALS: Final = 3
#: … within so many ms.
DEALS_WITHIN_MS: Final = 10_000


class FirstPitch:
    """The part of a table that knows when a hand is really over (see :class:`~dealer_assist.table.core.Core`)."""

    hand: Hand | None
    seats: Seats
    vault: Vault
    zones: ZoneFilter
    _deck: DeckDesk
    _shoe: ShoeDesk
    _lost: LostCards
    #: every card has gone since the hand came to its end, or since its last card was laid down
    _swept: bool
    #: the cards that may be the first ones of a deal that nobody has opened
    _pitched: list[TagPlaced]

    if TYPE_CHECKING:

        def _running(self) -> bool: ...

        def _tell(self, command: cmd.Command, actor: Actor) -> Refused | None: ...

        def _placed(self, movement: TagPlaced) -> None: ...

        def close(self, *, unsettled: bool = False) -> None:
            """End the running hand."""

        def _show(
            self,
            given: inp.Input | None,
            events: Iterable[TableEvent],
            facts: Iterable[fx.Fact],
            *,
            gone: Iterable[Section] = (),
        ) -> None: ...

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
        if self._swept:
            return
        self._swept = not any(self.zones.occupied().values())
        if self._swept and (not self._running() or self._decided()):
            self._collected()

    def _collected(self) -> None:
        """The deck is no longer in play: what shuffler and shoe say from now on is of the next hand."""
        self._deck.hand_over()
        self._shoe.hand_over()

    def _lying(self) -> dict[str, tuple[bytes, ...]]:
        """The tags that lay about before the cards that open the hand."""
        pitched = {movement.uid for movement in self._pitched}
        return {
            zone: tuple([uid for uid in uids if uid not in pitched])
            for zone, uids in self.zones.occupied().items()
        }

    def _between_hands(self, movement: TagPlaced) -> bool:
        """Whether a card that is laid down belongs to no hand: no hand is open, and it opens none.

        Once a hand is decided no seat gets a card any more: one that does, and is not its own, is the first card of the next deal. So
        it is in a hand that nobody has settled when all its cards were gone, but not before several seats have got one. A seat may get
        by chance what it had: that says nothing by itself, and is the first card if the next one is.
        """
        if not self._running():
            return not self._opened([movement])
        seat = seat_of(movement.zone)
        decided = self._decided()
        if seat is None:
            if not decided:
                self._swept = bool(self._pitched) and self._swept  # a board card: the hand goes on
            return False
        if not decided and not (self._swept and self._may_be_left()):
            return False
        its_own = self._is_of(seat, movement.uid)
        if not self._swept:
            return not its_own
        since_ms = movement.t_ms - DEALS_WITHIN_MS
        pitched = [*[old for old in self._pitched if old.t_ms > since_ms], movement]
        self._pitched = pitched
        others = {old.zone for old in pitched if not self._is_of(_seat(old), old.uid)}
        if len(others) < (1 if decided else DEALS):
            return not its_own or bool(others)
        return not (self._opened(pitched) if decided else self._left_unsettled(pitched))

    def _is_of(self, seat: int, uid: bytes) -> bool:
        ref = self.vault.known(uid)
        return ref is not None and self.hand is not None and self.hand.procedure.owner.get(ref) == seat

    def _may_be_left(self) -> bool:
        """Whether the open hand has been played: one in which nobody has acted is dealt again (a misdeal that nobody told)."""
        hand = self.hand
        played = hand is not None and bool(hand.betting.log) and not hand.procedure.misdeal
        return played and not self._lost.waiting

    def _opened(self, pitched: list[TagPlaced]) -> bool:
        """Whether these cards open the next hand; all but the last one are then its first cards."""
        if seat_of(pitched[0].zone) is None or not self._swept or not self.seats.can_open():
            return False
        self._pitched = pitched
        try:
            opened = self._tell(cmd.OpenHand(), "dealer") is None
        finally:
            self._pitched = []
        if opened:
            for movement in pitched[:-1]:
                self._placed(movement)
        return opened

    def _left_unsettled(self, pitched: list[TagPlaced]) -> bool:
        """The next hand is dealt, and nobody has said who won this one: what it left to those who were in it is not known."""
        hand = self.hand
        assert hand is not None
        seats = list(hand.bets.live)
        self.close(unsettled=True)
        self._collected()
        opened = self._opened(pitched)
        told = fx.NoticeFact("unsettled", "hand_unsettled", {"hand": hand.procedure.hand, "seats": seats})
        self._show(None, (), [told])
        return opened


def _seat(movement: TagPlaced) -> int:
    seat = seat_of(movement.zone)
    assert seat is not None
    return seat
