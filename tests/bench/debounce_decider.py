"""The peer of the accuracy bench: a plain debounce-and-timeout decider over the same traces. For measuring only, no part of the product.

It is what one would write first. A card is where it has been read ``k`` times. What the plan has next is *missing* when something that
belongs after it has been lying there for ``timeout_ms``; two cards are *out of order* when the later one was first read more than
``margin_ms`` before the other. There are no degrees: what it finds it says, as proven. It has no memory of how well an antenna reads.

It judges what the bench injects: the order of the deal, burns, the number of board cards, and streets that are dealt while the betting
is open, by the rule ids of the catalogue (docs/irregularities.md).
"""

from __future__ import annotations

import copy
import heapq
from collections.abc import Callable, Iterable
from itertools import count
from typing import Final

import msgspec

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.table import LIVE_POSTS, HandOpening
from dealer_assist.table.ports import InventorySeen, TagArrived, TagLeft
from dealer_assist.table.trace import Entry, Expect, Header
from tests.bench.accuracy_score import Word

BOARD_CARDS: Final = (0, 3, 4, 5)
EARLY: Final = ("R1", "R2", "R3")


class Settings(msgspec.Struct, frozen=True):
    """``k`` reads place a card, ``timeout_ms`` after a later one a card is missing, ``margin_ms`` make an order wrong."""

    k: int = 2
    timeout_ms: int = 1200
    margin_ms: int = 200

    def __str__(self) -> str:
        return f"k {self.k}, {self.timeout_ms / 1000:g} s, {self.margin_ms / 1000:g} s"


FIXED: Final = Settings()
GRID: Final = tuple(
    Settings(k, timeout, margin)
    for k in (1, 2, 3)
    for timeout in (800, 1200, 1600, 2400, 3600)
    for margin in (100, 200, 400)
)


class _Sight(msgspec.Struct):
    """A tag on an antenna: how often it was read and when first, and since when it is there (None: it is not)."""

    first_ms: int
    reads: int
    since_ms: int | None
    period_ms: int
    placed: bool = False


class _Round:
    """Who still has to act, as the taps have it. ``street``: 0 before the flop."""

    def __init__(self, opening: HandOpening, order: tuple[int, ...]) -> None:
        self.street = 0
        self.live = list(order)
        self.stacks = {record.seat: record.stack for record in opening.seats}
        self.bets: dict[int, int] = {}
        for post in opening.posts:
            if post.kind in LIVE_POSTS:
                self.bets[post.seat] = self.bets.get(post.seat, 0) + post.amount
        self.broke: set[int] = set()
        self.pending = set(order)

    def take(self, act: cmd.Act) -> None:
        """An action was tapped."""
        self.pending.discard(act.seat)
        high = max(self.bets.values(), default=0)
        match act.action:
            case "fold":
                if act.seat in self.live:
                    self.live.remove(act.seat)
                return
            case "call":
                self.bets[act.seat] = high
            case "bet" | "raise":
                self.bets[act.seat] = act.to or high + 1
            case "all_in":
                stack = self.stacks.get(act.seat)
                told = act.to if act.to is not None else stack
                self.bets[act.seat] = high + 1 if told is None else told
                self.broke.add(act.seat)
        if self.bets.get(act.seat, 0) > high:
            self.pending = {seat for seat in self.live if seat != act.seat and seat not in self.broke}

    def follow(self, streets: int) -> None:
        """So many streets have been dealt: go on to the betting of the last one that may have begun."""
        while self.street < streets and not self.open():
            self.street += 1
            self.bets = {}
            able = {seat for seat in self.live if seat not in self.broke}
            self.pending = able if len(able) > 1 else set()

    def open(self) -> bool:
        """Whether somebody still has to act."""
        return len(self.live) > 1 and bool(self.pending)


class DebounceDecider:
    """Feed it the entries of a trace in order; each call returns what it has to say about the hand that is open."""

    def __init__(self, settings: Settings = FIXED) -> None:
        self.settings = settings
        self._antennas: dict[tuple[str, int], str] = {}
        self._deadlines: list[tuple[int, int, Callable[[], None]]] = []
        self._number = count()
        self._hand: _Hand | None = None
        self._now = 0
        self._clear()

    def _clear(self) -> None:
        self._sights: dict[tuple[str, bytes], _Sight] = {}
        self._deadlines.clear()

    def feed(self, entry: Entry) -> list[Word]:
        """Take one line."""
        self._pass_time(entry.t_ms)
        what = entry.what
        match what:
            case Header():
                self._antennas = {
                    (device.id, int(number)): zone
                    for device in what.devices
                    for number, zone in device.antennas.items()
                }
                self._hand = None
                self._clear()
                self._now = 0
            case HandOpening():
                self._hand = _Hand(what, self)
            case Expect():
                self._hand = None
            case TagArrived():
                self._arrived(what)
            case TagLeft():
                self._left(what)
            case InventorySeen():
                self._inventory(what)
            case cmd.Act():
                if self._hand is not None:
                    self._hand.acted(what)
            case cmd.Undo():
                if self._hand is not None:
                    self._hand.undone()
            case _:
                pass
        hand = self._hand
        return [] if hand is None else hand.take()

    def at(self, t_ms: int, call: Callable[[], None]) -> None:
        """Call when time has come so far."""
        heapq.heappush(self._deadlines, (t_ms, next(self._number), call))

    @property
    def now_ms(self) -> int:
        """The time of what is being judged."""
        return self._now

    def _pass_time(self, t_ms: int) -> None:
        while self._deadlines and self._deadlines[0][0] <= t_ms:
            due, _, call = heapq.heappop(self._deadlines)
            self._now = max(self._now, due)
            call()
        self._now = max(self._now, t_ms)

    # -- reads ---------------------------------------------------------------------------------------------------------------------

    def _arrived(self, seen: TagArrived) -> None:
        zone = self._antennas.get((seen.device, seen.antenna))
        if zone is None:
            return
        key = (zone, seen.uid)
        sight = self._sights.get(key)
        if sight is None:
            sight = self._sights[key] = _Sight(seen.t_ms, 0, None, seen.scan_period_ms)
        if sight.since_ms is not None:
            return
        sight.since_ms = seen.t_ms
        sight.reads += 1
        if not sight.placed:
            more = max(0, self.settings.k - sight.reads)
            # half a scan more, so that a report of the last of these scans is in
            due = seen.t_ms + more * sight.period_ms + (sight.period_ms // 2 if more else 0)
            since = seen.t_ms
            self.at(due, lambda: self._enough(key, since))
            if due <= self._now:
                self._pass_time(self._now)

    def _left(self, seen: TagLeft) -> None:
        zone = self._antennas.get((seen.device, seen.antenna))
        sight = None if zone is None else self._sights.get((zone, seen.uid))
        if sight is None or sight.since_ms is None:
            return
        if sight.period_ms > 0:
            sight.reads += max(0, (seen.t_ms - sight.since_ms) // sight.period_ms - 1)
        sight.since_ms = None

    def _inventory(self, seen: InventorySeen) -> None:
        zone = self._antennas.get((seen.device, seen.antenna))
        if zone is None:
            return
        place = (seen.device, seen.antenna, seen.t_ms, seen.scan, seen.scan_period_ms)
        device, antenna, *rest = place
        for (where, uid), sight in list(self._sights.items()):
            if where == zone and sight.since_ms is not None and uid not in seen.uids:
                self._left(TagLeft(device, antenna, uid, *rest))  # type: ignore[misc]
        for uid in seen.uids:
            self._arrived(TagArrived(device, antenna, uid, *rest))  # type: ignore[misc]

    def _enough(self, key: tuple[str, bytes], since_ms: int) -> None:
        """It has been there since: the reads that were wanted are in, unless it left meanwhile."""
        sight = self._sights.get(key)
        if sight is None or sight.placed or sight.since_ms != since_ms:
            return
        sight.placed = True
        if self._hand is not None:
            self._hand.placed(key[0], key[1], sight.first_ms)

    def forget(self) -> None:
        """A new hand: what lay there before is of no matter."""
        self._clear()


class _Hand:
    """One hand against its plan."""

    def __init__(self, opening: HandOpening, decider: DebounceDecider) -> None:
        self._decider = decider
        decider.forget()
        seats = sorted(record.seat for record in opening.seats)
        after = [seat for seat in seats if seat > opening.button]
        self._order = tuple(after + [seat for seat in seats if seat not in after])
        self._round = _Round(opening, self._order)
        self._before: list[_Round] = []
        self._first: dict[int, int] = {}
        self._held: dict[int, int] = {}
        self._known: set[bytes] = set()
        self._burns = 0
        self._board: list[int] = []
        self._streets = 0
        self._said: set[tuple[str, int | None]] = set()
        self._words: list[Word] = []

    def take(self) -> list[Word]:
        """What is new."""
        words = self._words
        if words:
            self._words = []
        return words

    def acted(self, act: cmd.Act) -> None:
        """A tap."""
        self._before.append(copy.deepcopy(self._round))
        self._round.take(act)
        self._round.follow(self._streets)

    def undone(self) -> None:
        """The last tap was wrong."""
        if self._before:
            self._round = self._before.pop()
            self._round.follow(self._streets)

    def placed(self, zone: str, uid: bytes, first_ms: int) -> None:
        """A card has been read often enough. Only its first place counts: from there it can be carried anywhere."""
        if uid in self._known:
            return
        self._known.add(uid)
        if zone.startswith("seat"):
            self._pitched(int(zone[4:]), first_ms)
        elif zone in ("burn", "gate"):
            self._burned(first_ms)
        elif zone == "board":
            self._laid(first_ms)

    def _say(self, rule: str, seat: int | None = None) -> None:
        if (rule, seat) not in self._said:
            self._said.add((rule, seat))
            self._words.append(Word(self._decider.now_ms, "proven", rule, seat))

    # -- the deal ------------------------------------------------------------------------------------------------------------------

    def _pitched(self, seat: int, first_ms: int) -> None:
        if seat not in self._order:
            self._say("D2", seat)
            return
        held = self._held.get(seat, 0)
        self._held[seat] = held + 1
        if held >= 2:
            self._say("D8", seat)
            return
        size = len(self._order)
        place = held * size + self._order.index(seat)
        self._first[place] = first_ms
        margin = self._decider.settings.margin_ms
        for other in self._first:
            before, after = (other, place) if other < place else (place, other)
            if before != after and self._first[after] + margin < self._first[before]:
                if before == 0:
                    self._say("D1", self._order[0])
                else:
                    self._say("D4", self._order[after % size])
        self._decider.at(first_ms + self._decider.settings.timeout_ms, lambda: self._missing(place))

    def _missing(self, place: int) -> None:
        """A card has lain there for so long: what belongs before it is there, or it was not dealt."""
        size = len(self._order)
        for earlier in range(place):
            if earlier not in self._first:
                rule = "D1" if earlier == 0 else "D3" if earlier < size else "D5"
                self._say(rule, self._order[earlier % size])

    # -- burns and board -----------------------------------------------------------------------------------------------------------

    def _burned(self, first_ms: int) -> None:
        self._burns += 1
        streets = self._streets
        if self._burns > streets + 1:
            self._say("N5")
        else:
            self._decider.at(first_ms + self._decider.settings.timeout_ms, lambda: self._early_burn(streets))

    def _early_burn(self, streets: int) -> None:
        if self._streets == streets and self._round.street == streets and self._round.open():
            self._say("N10")

    def _laid(self, first_ms: int) -> None:
        timeout_ms = self._decider.settings.timeout_ms
        street = self._streets
        before_ms = self._board[-1] if self._board else None
        self._board.append(first_ms)
        if len(self._board) <= BOARD_CARDS[street]:
            return
        if street == 3:
            self._say("R6")
            return
        at_once = before_ms is not None and first_ms - before_ms < timeout_ms
        if street == 1 and at_once and self._burns <= street:
            self._say("F1")
            return
        self._streets = street + 1
        self._round.follow(self._streets)
        self._decider.at(first_ms + timeout_ms, lambda: self._street_begun(street + 1))

    def _street_begun(self, street: int) -> None:
        """The first card of a street has lain there for so long: it had a burn before it, and the betting was over."""
        if self._burns < street:
            self._say("N1" if street == 1 else "N3")
        if self._round.street < street:
            self._say(EARLY[street - 1])


def words_of(entries: Iterable[Entry], settings: Settings = FIXED) -> dict[str, list[Word]]:
    """What the decider says of each hand of a trace; hands about which it is silent have no words."""
    decider = DebounceDecider(settings)
    told: dict[str, list[Word]] = {}
    hand = ""
    for entry in entries:
        if isinstance(entry.what, HandOpening):
            hand = entry.what.hand
            told[hand] = []
        words = decider.feed(entry)
        if words:
            told[hand].extend(words)
    return told
