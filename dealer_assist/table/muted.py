"""A table whose decks and antennas are set up: cards move, and nothing of it is a hand. And what it plays with and by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from dealer_assist.domain import facts as fx
from dealer_assist.domain.cards import Face
from dealer_assist.domain.commands import Refused
from dealer_assist.domain.table import Limits
from dealer_assist.procedure.alignment.sensing import SensingParameters
from dealer_assist.table import inputs as inp
from dealer_assist.table.change import Change, Changes
from dealer_assist.table.deck_desk import DeckDesk
from dealer_assist.table.events import TableEvent
from dealer_assist.table.hand import Hand
from dealer_assist.table.opening import Rules
from dealer_assist.table.ports import Movement, ZoneFilter
from dealer_assist.table.project import Section
from dealer_assist.table.screen import Screen
from dealer_assist.table.seats import Seats, seating_rules
from dealer_assist.table.setup import Setup
from dealer_assist.table.shoe_desk import ShoeDesk
from dealer_assist.table.strangers import Stranger, unknown_deck
from dealer_assist.table.trace import Recorded
from dealer_assist.table.vault import Vault


class Muted:
    """The part of a table that is there for its set-up (see :class:`~dealer_assist.table.core.Core`)."""

    setup: Setup
    rules: Rules
    seats: Seats
    hand: Hand | None
    sensing: dict[str, SensingParameters]
    vault: Vault
    zones: ZoneFilter
    t_ms: int
    _screen: Screen
    _deck: DeckDesk
    _shoe: ShoeDesk
    _changes: Changes
    _swept: bool
    #: who is told of movements while something is set up
    _set_up: Callable[[Movement], None] | None

    if TYPE_CHECKING:

        def _running(self) -> bool: ...

        def _know_readers(self) -> None: ...

        def _judge(self, given: inp.Input, *, live: bool = True) -> Refused | None: ...

        def _show(
            self,
            given: inp.Input | None,
            events: Iterable[TableEvent],
            facts: Iterable[fx.Fact],
            *,
            gone: Iterable[Section] = (),
        ) -> None: ...

    def hand_running(self) -> bool:
        """Whether a hand is open and not over."""
        return self._running()

    @property
    def setting_up(self) -> bool:
        """Whether something is set up."""
        return self._set_up is not None

    def standing(self) -> Recorded:
        """How the table stands between two hands, for a recording."""
        return Recorded(
            self.seats.ledger, self._swept, self._deck.standing(), self._shoe.standing(), dict(self.sensing)
        )

    def take_up(self, recorded: Recorded) -> None:
        """Go on from where a recording begins."""
        self.seats.ledger = recorded.ledger
        self._swept = recorded.swept
        self._deck.take_up(recorded.decks)
        self._shoe.take_up(recorded.shoe)
        self.sensing = dict(recorded.sensing)
        self._screen.keep(self._screen.seats(None))
        self._know_readers()
        self._changes.take()

    def begin_set_up(self, moved: Callable[[Movement], None]) -> None:
        """From now on movements are told to ``moved`` only; no hand begins."""
        self._set_up = moved

    def end_set_up(self) -> None:
        """Cards that move are a hand again, once those that lie about are swept."""
        self._set_up = None
        self._swept = not any(self.zones.occupied().values())

    def use_decks(
        self, cards: Mapping[bytes, Face], decks: Mapping[bytes, str], barred: Mapping[bytes, str]
    ) -> None:
        """The decks that may be dealt from are these from now on. ``barred``: tags of decks that may not."""
        self.vault.use(cards, decks, barred)
        self._deck.use(frozenset(decks.values()))

    def may_play_by(self, houses: tuple[str, ...]) -> None:
        """The houses that people may choose; shown from now on."""
        self._screen.houses = houses
        self._screen.keep([self._screen.table(self.setup)])

    def play_by(self, rules: Rules, limits: Limits) -> list[fx.Fact]:
        """House, game and limits are these from the next hand on. Returns what the screens are to show."""
        self.rules = rules
        self.seats.rules = seating_rules(rules)
        self.setup = replace(
            self.setup,
            house=rules.house.name,
            game=rules.game.name,
            limits=limits,
            games=tuple(rules.games),
        )
        hand = self.hand if self._running() else None
        self._screen.clock_s = rules.house.parameters.clock_s.value
        return [self._screen.table(self.setup), *self._screen.seats(hand)]

    def show(self, facts: Iterable[fx.Fact], marks: Iterable[tuple[str, Any]] = ()) -> list[Change]:
        """Facts and journal marks that come from beside the hand; facts that are as they were are left out."""
        self._changes.keep(self.t_ms, None, (), self._screen.keep(facts), marks=marks)
        return self._changes.take()

    def _strange(self, stranger: Stranger) -> None:
        """A tag of no deck in play came or went: a notice, and where cards lie also something to judge."""
        notice = stranger.notice()
        if notice.code or self._screen.has(("notice", notice.id)):
            self._show(None, (), [notice])
        given = stranger.input(self.t_ms)
        if given is not None and self._running():
            self._judge(given)
        if not stranger.gone:
            self._show(None, (), unknown_deck(self.vault.strangers_only, stranger.barred))
