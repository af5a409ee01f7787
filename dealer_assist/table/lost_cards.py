"""After a lost hand key (a power cut): the cards of the hand are known again by where they lie, as far as that goes."""

from __future__ import annotations

from collections.abc import Mapping

from dealer_assist.domain.cards import CardRef, Face
from dealer_assist.procedure.state import State
from dealer_assist.table.ports import TagPlaced
from dealer_assist.table.vault import Vault


class LostCards:
    """References whose tags nobody knows any more, each with the zone where it lay."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._zones: dict[CardRef, str] = {}

    def begin(self, state: State) -> None:
        """No tag of this hand is known any more."""
        self._zones = dict(state.where)

    def clear(self) -> None:
        """Another hand."""
        self._zones = {}

    @property
    def waiting(self) -> bool:
        """Whether cards of the hand are still to be known again."""
        return bool(self._zones)

    def recognise(self, movement: TagPlaced, faces: Mapping[CardRef, Face]) -> None:
        """A tag lies where lost cards lay: it goes on as one of them."""
        here = {ref: faces.get(ref) for ref, zone in self._zones.items() if zone == movement.zone}
        if not here:
            return
        ref = self._vault.recognise(movement.uid, here)
        if ref is not None:
            del self._zones[ref]
