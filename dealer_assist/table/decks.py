"""Which deck is in play, and whether it was shuffled since it was last dealt from (EVIDENCE I1–I5).

A shuffler says when a shuffle began and when its count is complete. With two decks in turn that is about the deck that is not in
play. Without a shuffler, or while it is down, people shuffle by hand and nobody is asked.
"""

from __future__ import annotations

from typing import Final

import msgspec

from dealer_assist.procedure.state import DeckState

#: What a shuffler says that is no longer about a finished shuffle.
_BUSY: Final = frozenset({"loading", "shuffling"})
#: A deck that was shuffled before any card of it was seen.
_NOT_SEEN_YET: Final = ""
_VERDICTS: Final = frozenset({"complete", "short", "long", "unreadable", "duplicate"})


class DeckNews(msgspec.Struct, frozen=True):
    """What is known of the deck of the running or the next hand; ``count`` and ``expected`` of a bad count."""

    state: DeckState
    count: int | None = None
    expected: int | None = None


class DecksStanding(msgspec.Struct, frozen=True):
    """What is known of all decks of a table: state and news by name, the one in play, whether the shuffler works."""

    states: dict[str, DeckState] = {}
    news: dict[str, DeckNews] = {}
    in_play: str | None = None
    working: bool = True


class Decks:
    """The decks of a table. ``shuffler``: whether one is set up; ``two``: whether two decks alternate."""

    def __init__(self, *, shuffler: bool, two: bool = False) -> None:
        self._shuffler = shuffler
        self._two = two
        self._states: dict[str, DeckState] = {}
        self._news: dict[str, DeckNews] = {}
        self._in_play: str | None = None
        self._working = True
        #: said of the only deck while it was believed to be in play: it had been collected
        self._meanwhile: DeckNews | None = None

    def standing(self) -> DecksStanding:
        """What is known now, for a recording."""
        return DecksStanding(dict(self._states), dict(self._news), self._in_play, self._working)

    def take_up(self, known: DecksStanding) -> None:
        """Go on from what a recording says."""
        self._states = dict(known.states)
        self._news = dict(known.news)
        self._in_play = known.in_play
        self._working = known.working

    def use(self, decks: frozenset[str]) -> None:
        """The table plays with these decks from now on: what was known of others says nothing any more."""
        self._two = len(decks) > 1
        for known in (self._states, self._news):
            for deck in [deck for deck in known if deck not in decks and deck != _NOT_SEEN_YET]:
                del known[deck]

    def shuffler_says(self, state: str, count: int | None, expected: int | None) -> None:
        """A state or a verdict of the shuffler."""
        if state in ("jam", "door_open"):
            return  # whatever it was doing is not complete; people who shuffle by hand instead say so
        self._working = state != "fault"  # out of order: from now on people shuffle by hand
        if state == "idle" and not self._states:
            self._set(DeckNews("used"))  # it was not asked to shuffle anything yet
        elif state == "ready" and not any(known == "short" for known in self._states.values()):
            self._set(DeckNews("ready"))
        elif state in _BUSY:
            self._set(DeckNews("shuffling"))
        elif state in _VERDICTS:
            good = state == "complete" and (count is None or count == expected)
            self._set(DeckNews("ready" if good else "short", count, expected))

    def shuffled_by_hand(self) -> None:
        """People shuffled the deck that is dealt next."""
        self._set(DeckNews("ready"))

    def link(self, *, up: bool) -> None:
        """The shuffler is there, or not: then people shuffle by hand."""
        self._working = up

    def _set(self, news: DeckNews) -> None:
        """With a hand running it is about the other deck, between hands about the one that was dealt from last."""
        if self._in_play is not None and not self._two:
            self._meanwhile = news
        for deck in self._about():
            self._states[deck] = news.state
            self._news[deck] = news

    def _about(self) -> list[str]:
        if self._in_play is not None:
            others = [deck for deck in self._states if deck != self._in_play]
            return others or ([_NOT_SEEN_YET] if self._two else [])
        used = [deck for deck, state in self._states.items() if state != "ready"]
        return used or list(self._states) or [_NOT_SEEN_YET]

    def next_hand(self) -> DeckNews:
        """What is known before the first card of a hand shows which deck it is dealt from."""
        if not self._shuffler or not self._working:
            return DeckNews("unknown")
        if not self._states:
            return DeckNews("unknown")
        if any(state == "ready" for state in self._states.values()):
            return DeckNews("ready")
        return self.short() or next(iter(self._news.values()))

    def short(self) -> DeckNews | None:
        """The bad count of a deck that was not counted well since, or None."""
        return next((news for news in self._news.values() if news.state == "short"), None)

    def dealt_from(self, deck: str) -> DeckNews:
        """The first card of a hand came from this deck: what is known of it. From now on it is used."""
        if self._in_play == deck:
            return DeckNews("ready")
        self._in_play = deck
        self._meanwhile = None
        known = deck if deck in self._states else _NOT_SEEN_YET
        self._states.pop(known, None)
        news = self._news.pop(known, DeckNews("unknown"))
        self._states[deck] = "used"
        self._news[deck] = DeckNews("used")
        if not self._shuffler or not self._working:
            return DeckNews("unknown")
        return news

    def hand_over(self) -> None:
        """The deck in play was collected."""
        self._in_play = None
        if self._meanwhile is not None:
            self._set(self._meanwhile)
            self._meanwhile = None
