"""What the table does with news of its decks: inputs for the running hand, and a notice while none runs."""

from __future__ import annotations

from collections.abc import Mapping

from dealer_assist.domain import facts as fx
from dealer_assist.domain.zones import seat_of
from dealer_assist.table import inputs as inp
from dealer_assist.table.decks import DeckNews, Decks, DecksStanding
from dealer_assist.table.hand import Hand
from dealer_assist.table.ports import LinkChanged, Observation, ShufflerChanged
from dealer_assist.table.vault import Vault


class DeckDesk:
    """Between the shuffler, the vault, which knows the deck of a card, and the hand that is dealt from it."""

    def __init__(self, vault: Vault, *, shuffler: bool) -> None:
        self._vault = vault
        self._decks = Decks(shuffler=shuffler, two=vault.two_decks)

    def hear(self, observation: Observation, role: str) -> bool:
        """Take what a device says; returns whether it was about the decks."""
        match observation:
            case ShufflerChanged():
                self._decks.shuffler_says(observation.state, observation.count, observation.expected)
            case LinkChanged() if role == "shuffler":
                self._decks.link(up=observation.state == "ok")
            case _:
                return False
        return True

    def standing(self) -> DecksStanding:
        """What is known of the decks, for a recording."""
        return self._decks.standing()

    def take_up(self, known: DecksStanding) -> None:
        """Go on from what a recording says."""
        self._decks.take_up(known)

    def use(self, decks: frozenset[str]) -> None:
        """The table plays with these decks from now on."""
        self._decks.use(decks)

    def shuffled_by_hand(self) -> None:
        """People shuffled the deck that is dealt next."""
        self._decks.shuffled_by_hand()

    def hand_over(self) -> None:
        """The deck in play was collected."""
        self._decks.hand_over()

    def before_first_card(self, hand: Hand | None, t_ms: int) -> list[inp.Input]:
        """News for a hand that is open and not yet dealt."""
        if hand is None or hand.procedure.pitches or self._vault.deck is not None:
            return []
        news = self._decks.next_hand()
        return [] if news.state == hand.procedure.deck else [_known(news, t_ms)]

    def as_a_hand_begins(self, occupied: Mapping[str, tuple[bytes, ...]], t_ms: int) -> list[inp.Input]:
        """What is known before the first card: the deck, and cards of the last hand that still lie at a seat."""
        news = self._decks.next_hand()
        inputs: list[inp.Input] = [] if news.state == "unknown" else [_known(news, t_ms)]
        for zone, uids in occupied.items():
            seat = seat_of(zone)
            for uid in uids if seat is not None else ():
                ref = self._vault.ref(uid)
                if ref is not None and seat is not None:
                    self._vault.left_lying(uid, zone)
                    inputs.append(inp.CardLeftLying(ref, seat, t_ms))
        return inputs

    def first_card(self, hand: Hand | None, t_ms: int) -> list[inp.Input]:
        """The first card of a hand says which deck it is."""
        if hand is None:
            return []
        news = self._decks.dealt_from(self._vault.deck or "")
        return [] if news.state in ("unknown", hand.procedure.deck) else [_known(news, t_ms)]

    def notice(self, *, running: bool) -> fx.NoticeFact:
        """What the screen says of the decks: one is short, or the one that is dealt next was not shuffled. An empty code: nothing."""
        short = self._decks.short()
        if short is not None:
            params = {"count": short.count or 0, "expected": short.expected or 0}
            return fx.NoticeFact("deck", "deck_short", params)
        news = self._decks.next_hand()
        if news.state in ("used", "shuffling") and not running:
            return fx.NoticeFact("deck", "deck_not_shuffled", {})
        return fx.NoticeFact("deck", "", {})


def _known(news: DeckNews, t_ms: int) -> inp.DeckKnown:
    return inp.DeckKnown(news.state, t_ms, news.count, news.expected)
