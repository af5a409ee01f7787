"""What the screen shows, folded from the messages of the socket. Pure: no Qt, no clock.

The facts are kept as they came; what a screen needs and no fact says is added: the backs a seat has shown since the deal (a player who
lifts his cards must not make them flicker), alerts that ended since the hand began, and what players of this table open for.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeVar, cast

import msgspec
from msgspec.structs import replace

from dealer_assist.domain.alerts import Alert, Saves
from dealer_assist.domain.equipment import (
    AntennasFact,
    AntennaView,
    DecksFact,
    DeckView,
    LinksFact,
    LinkView,
    SetupFact,
)
from dealer_assist.domain.facts import (
    AlertFact,
    BoardFact,
    DeviceFact,
    Fact,
    HandFact,
    NoticeFact,
    NowFact,
    PadFact,
    PotFact,
    SavesFact,
    SeatFact,
    TableFact,
    UndoFact,
    section,
)
from dealer_assist.domain.floor import DealerFact, FloorModeFact
from dealer_assist.domain.link import LINK_VERSION, Hello, ServerMessage, Snapshot, Update
from dealer_assist.domain.shift import ShiftFact
from dealer_assist.domain.table import Kill, Tracking
from dealer_assist.station.ready import with_open

LinkState = Literal["connecting", "ready", "lost", "version", "simulated"]
_F = TypeVar("_F", bound=Fact)
_EMPTY: Final[Mapping[tuple[str, str], Fact]] = MappingProxyType({})
_SHOWN_STATES: Final = ("open", "fixing")
#: Device states in which a zone still counts by itself: the table service draws the same line.
_WORKING: Final = ("ok", "connecting", "stale")
#: phases in which no hand is played
_BETWEEN: Final = ("idle", "closed", "misdeal", "void", "chopped")
_PRIORITY: Final = {"high": 0, "medium": 1, "low": 2}


class ViewState(msgspec.Struct, frozen=True):
    """Everything the screen shows. ``backs`` holds the latched number of backs by seat; ``version`` the service's link version.

    ``opens``: the last opening raises at these blinds, the latest last.
    """

    link: LinkState = "connecting"
    seq: int = 0
    simulated: bool = False
    version: int = LINK_VERSION
    whole: bool = False
    facts: Mapping[tuple[str, str], Fact] = _EMPTY
    backs: Mapping[int, int] = MappingProxyType({})
    opens: tuple[int, ...] = ()

    def _one(self, kind: type[_F]) -> _F | None:
        key = (cast("str", kind.__struct_config__.tag), "")
        return cast("_F | None", self.facts.get(key))

    def _all(self, kind: type[_F]) -> tuple[_F, ...]:
        return tuple(fact for fact in self.facts.values() if isinstance(fact, kind))

    @property
    def table(self) -> TableFact | None:
        """The table's set-up."""
        return self._one(TableFact)

    @property
    def hand(self) -> HandFact | None:
        """Where the hand is."""
        return self._one(HandFact)

    @property
    def phase(self) -> str:
        """The hand's phase; idle where there is none."""
        return self.hand.phase if self.hand else "idle"

    @property
    def dealer(self) -> DealerFact | None:
        """Who deals, and what he has the screen like."""
        return self._one(DealerFact)

    @property
    def floor(self) -> FloorModeFact:
        """Who is signed in as the floor, and what waits for him."""
        return self._one(FloorModeFact) or FloorModeFact()

    @property
    def board(self) -> BoardFact:
        """The board, empty when nothing was said."""
        return self._one(BoardFact) or BoardFact((), 0, 0)

    @property
    def pot(self) -> PotFact:
        """The pots, empty when nothing was said."""
        return self._one(PotFact) or PotFact((), 0, 0)

    @property
    def now(self) -> NowFact | None:
        """The one big line."""
        return self._one(NowFact)

    @property
    def pad(self) -> PadFact:
        """The legal actions; nothing is legal when nothing was said."""
        return self._one(PadFact) or PadFact(None)

    @property
    def undo(self) -> UndoFact:
        """What Undo takes back."""
        return self._one(UndoFact) or UndoFact()

    @property
    def setup(self) -> SetupFact:
        """What is being set up; nothing when nothing was said."""
        return self._one(SetupFact) or SetupFact()

    @property
    def between_hands(self) -> bool:
        """Whether no hand is played."""
        return self.phase in _BETWEEN

    @property
    def hand_over(self) -> bool:
        """Whether the last hand has ended and the next one has not begun: nothing of it can be answered any more."""
        return self.now is not None and self.now.code == "idle"

    @property
    def shift(self) -> ShiftFact | None:
        """The table's shift; None when nothing was said."""
        return self._one(ShiftFact)

    @property
    def decks(self) -> tuple[DeckView, ...]:
        """The table's decks, as its register has them."""
        fact = self._one(DecksFact)
        return () if fact is None else fact.decks

    @property
    def antennas(self) -> tuple[AntennaView, ...]:
        """The table's antennas."""
        fact = self._one(AntennasFact)
        return () if fact is None else fact.antennas

    @property
    def links(self) -> tuple[LinkView, ...]:
        """The devices' links, while somebody diagnoses."""
        fact = self._one(LinksFact)
        return () if fact is None else fact.links

    @property
    def saves(self) -> Saves:
        """What the alerts of this table came to."""
        fact = self._one(SavesFact)
        return fact.saves if fact is not None else Saves()

    @property
    def seats(self) -> tuple[SeatFact, ...]:
        """The seats in order of their numbers."""
        return tuple(sorted(self._all(SeatFact), key=lambda fact: fact.seat))

    def seat(self, number: int) -> SeatFact | None:
        """One seat."""
        return cast("SeatFact | None", self.facts.get(("seat", str(number))))

    @property
    def devices(self) -> tuple[DeviceFact, ...]:
        """The devices in the order in which they were named."""
        return self._all(DeviceFact)

    @property
    def notices(self) -> tuple[NoticeFact, ...]:
        """Notices that say something."""
        return tuple(fact for fact in self._all(NoticeFact) if fact.code)

    @property
    def alerts(self) -> tuple[Alert, ...]:
        """Alerts and questions to show: proven before asked, then by priority, the newest first; never a mere possibility."""
        found = [fact.alert for fact in self._all(AlertFact)]
        shown = [alert for alert in reversed(found) if is_shown(alert)]
        return tuple(sorted(shown, key=_urgency))

    def alert(self, name: str) -> Alert | None:
        """An alert of the hand by its id, whatever its state."""
        fact = self.facts.get(("alert", name))
        return fact.alert if isinstance(fact, AlertFact) else None

    @property
    def put_right(self) -> Alert | None:
        """The newest alert of the hand that was proven and is closed, and had something to put right."""
        return next((alert for alert in self._closed if alert.steps), None)

    @property
    def noted(self) -> Alert | None:
        """The newest note: proven and closed at once, with nothing to do. Gone with its street."""
        street = self.hand.street if self.hand is not None else ""
        for alert in self._closed:
            if not alert.steps and (not street or alert.street == street):
                return alert
        return None

    @property
    def _closed(self) -> tuple[Alert, ...]:
        found = [fact.alert for fact in reversed(self._all(AlertFact))]
        return tuple([alert for alert in found if alert.state == "closed" and alert.evidence == "proven"])

    @property
    def tracking(self) -> Tracking:
        """How much the table tracks."""
        return "full" if self.table is None else self.table.tracking

    @property
    def other_games(self) -> tuple[str, ...]:
        """Games of the table beside its own: one of them can be the next hand's."""
        table = self.table
        return tuple([game for game in table.games if game != table.game]) if table is not None else ()

    @property
    def kill(self) -> Kill:
        """The kill that the table plays, empty for none: the next hand can be one."""
        return self.table.kill if self.table is not None else ""

    @property
    def deck_waits(self) -> bool:
        """Whether the table waits to hear that the deck was shuffled."""
        told = self.now is not None and self.now.code == "deck_not_ready"
        return told or any(notice.code == "deck_not_shuffled" for notice in self.notices)

    @property
    def boards(self) -> int:
        """How many boards there are: as many as are to be run, or two as soon as a card lies on the second or is due there."""
        due = self.now.params.get("board", 1) if self.now is not None and self.now.code == "board" else 1
        return max([due, self.board.runs, *[card.board for card in self.board.cards]])

    @property
    def tap_zones(self) -> tuple[str, ...]:
        """Zones whose cards are entered by hand: no device that reads them works."""
        devices = self.devices
        read = {zone for device in devices if device.state in _WORKING for zone in device.zones}
        known = dict.fromkeys(zone for device in devices for zone in device.zones)
        return tuple(zone for zone in known if zone not in read)

    @property
    def showdown_seats(self) -> tuple[int, ...]:
        """Seats that can show or muck, and those that did: a row must not move under a finger."""
        if self.phase not in ("showdown", "award"):
            return self.pad.showdown
        done = [fact.seat for fact in self.seats if fact.hand in ("tabled", "mucked")]
        return tuple(sorted({*self.pad.showdown, *done}))


def is_shown(alert: Alert) -> bool:
    """Whether an alert takes the panel: it is open and more than a possibility, which is only a mark at the seat."""
    return alert.state in _SHOWN_STATES and (alert.evidence != "possible" or alert.question is not None)


def _urgency(alert: Alert) -> tuple[int, int, int]:
    return (0 if alert.stop else 1, _PRIORITY[alert.priority], 0 if alert.evidence == "proven" else 1)


def fold(state: ViewState, message: ServerMessage) -> ViewState:
    """The next state. A result changes nothing here; an update out of order is the link's concern."""
    match message:
        case Hello():
            known = message.version == LINK_VERSION
            link: LinkState = "connecting" if known else "version"
            return replace(state, link=link, simulated=message.simulated, version=message.version)
        case Snapshot():
            facts = {section(fact): fact for fact in message.facts}
            return _settled(state, replace(state, link="ready", whole=True, seq=message.seq), facts)
        case Update():
            facts = dict(state.facts)
            for kind, key in message.gone:
                facts.pop((kind, key), None)
            for fact in message.facts:
                facts[section(fact)] = fact
            return _settled(state, replace(state, seq=message.seq), facts)
        case _:
            return state


def lost(state: ViewState) -> ViewState:
    """The service is gone. What was last known stays, and is marked as such."""
    return replace(state, link="lost")


def _settled(old: ViewState, new: ViewState, facts: dict[tuple[str, str], Fact]) -> ViewState:
    new = replace(new, facts=MappingProxyType(facts))
    table = new.table
    simulated = new.simulated or (table is not None and table.simulated)
    return replace(
        new, backs=MappingProxyType(_latched(old, new)), simulated=simulated, opens=_opens(old, new)
    )


def _opens(old: ViewState, new: ViewState) -> tuple[int, ...]:
    """What players of this table open for; other blinds begin anew."""
    blinds = [state.table.big_blind for state in (old, new) if state.table is not None]
    if len(set(blinds)) > 1:
        return ()
    if _deal_of(old) != _deal_of(new) or new.hand is None:
        return old.opens
    return with_open(old.opens, new.hand.street, old.seats, new.seats)


def _deal_of(state: ViewState) -> tuple[str, int] | None:
    return (state.hand.hand, state.hand.attempt) if state.hand else None


def _latched(old: ViewState, new: ViewState) -> dict[int, int]:
    """Backs stay on the screen from the deal to the fold, whatever is lifted meanwhile."""
    same_deal = _deal_of(old) == _deal_of(new) and not new.between_hands
    backs = {}
    for seat in new.seats:
        before = old.backs.get(seat.seat, 0) if same_deal else 0
        if seat.hand in ("live", "all_in"):
            backs[seat.seat] = min(max(before, seat.cards), max(seat.due, seat.cards))
        elif seat.hand == "none" and seat.cards:
            backs[seat.seat] = seat.cards
        else:
            backs[seat.seat] = 0
    return backs
