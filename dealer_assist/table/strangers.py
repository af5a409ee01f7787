"""Tags of no deck in play: a card of the other deck, of another table, a phone, a badge."""

from __future__ import annotations

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

    def notice(self) -> fx.NoticeFact:
        """What the screen says; the notice goes with the tag."""
        code = "other_deck" if self.other_deck else "unknown_card"
        if self.gone:
            return fx.NoticeFact(f"unknown/{self.zone}", "", {})
        return fx.NoticeFact(f"unknown/{self.zone}", code, {"zone": self.zone})

    def input(self, t_ms: int) -> inp.StrangeCard | None:
        """What there is to judge: only where cards lie."""
        if self.zone not in WHERE_CARDS_LIE:
            return None
        return inp.StrangeCard(self.zone, self.other_deck, t_ms, self.ref, gone=self.gone)
