"""Tags of no deck in play: a card of the other deck, of another table, a phone, a badge."""

from __future__ import annotations

from typing import Final

import msgspec

from dealer_assist.domain import facts as fx
from dealer_assist.table import inputs as inp
from dealer_assist.table.change import WHERE_CARDS_LIE


class Stranger(msgspec.Struct, frozen=True):
    """Such a tag at a zone, under a reference of its own; ``gone``: it was taken away."""

    zone: str
    ref: str
    other_deck: bool = False
    gone: bool = False
    #: the deck that it belongs to, which may not be dealt from; "" for none
    barred: str = ""

    def notice(self) -> fx.NoticeFact:
        """What the screen says; the notice goes with the tag."""
        code = "other_deck" if self.other_deck else "unknown_card"
        if self.gone:
            return fx.NoticeFact(f"unknown/{self.zone}", "", {})
        if self.barred:
            return fx.NoticeFact(
                f"unknown/{self.zone}", "barred_card", {"zone": self.zone, "deck": self.barred}
            )
        return fx.NoticeFact(f"unknown/{self.zone}", code, {"zone": self.zone})

    def input(self, t_ms: int) -> inp.StrangeCard | None:
        """What there is to judge: only where cards lie."""
        if self.zone not in WHERE_CARDS_LIE:
            return None
        return inp.StrangeCard(self.zone, self.other_deck, t_ms, self.ref, gone=self.gone)


#: So many cards of no deck in play, and not one of a deck: it is no single card that strayed here.
_A_DECK: Final = 2


def unknown_deck(strangers: int, barred: str) -> list[fx.NoticeFact]:
    """What the screen says when a hand is dealt from a deck that nobody registered, or from one that may not be dealt: ``barred``."""
    if strangers < _A_DECK:
        return []
    if barred:
        return [fx.NoticeFact("deck_unknown", "barred_deck", {"deck": barred})]
    return [fx.NoticeFact("deck_unknown", "unknown_deck", {})]
