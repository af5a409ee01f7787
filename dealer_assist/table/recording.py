"""The recording of a table's last minutes: what devices said and people tapped, in a ring in memory, written to a trace on request.

A trace may leave the table, so it tells nothing that its people could not see. Tags become opaque ones, another one whenever a card comes
anew out of the deck: in each hand, and within one when a card that was public went back into the stub. A card's face is a token too,
and its own only when it became public in that hand. Numbers stand for tags until then, in the order of their appearance, so that two
deals that look the same give the same trace, whatever the cards. While decks and antennas are set up nothing is recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from dealer_assist.domain import commands as cmd
from dealer_assist.domain import facts as fx
from dealer_assist.domain.commands import Actor, Command
from dealer_assist.domain.table import Limits
from dealer_assist.procedure.alignment.sensing import SensingParameters
from dealer_assist.table import events as te
from dealer_assist.table import inputs as inp
from dealer_assist.table import ports
from dealer_assist.table.change import Change
from dealer_assist.table.core import Core
from dealer_assist.table.hand import Hand, final_stacks
from dealer_assist.table.recording_taken import Card, Chunk, Item, Taken, lamps
from dealer_assist.table.trace import Header

#: How far back the recording goes, in table ms, and how many lines it has at most.
WINDOW_MS: Final = 15 * 60_000
MOST_LINES: Final = 60_000
_AntennaKey = tuple[str, int]


class Recorder:
    """Belongs to the session's thread: told of every input before the core gets it, and of what came of it.

    ``header``: all of a trace's header that does not change with the cards.
    """

    def __init__(
        self, core: Core, header: Header, *, window_ms: int = WINDOW_MS, most_lines: int = MOST_LINES
    ) -> None:
        self._core = core
        self._header = header
        self._simulated = core.setup.simulated
        self._window_ms = window_ms
        self._most_lines = most_lines
        self._chunks: list[Chunk] = []
        self._count = 0
        self._cards: dict[int, Card] = {}
        self._named = 0
        #: tag → what stands for it, until it comes anew
        self._present: dict[bytes, int] = {}
        #: what stands for a tag in this hand (or between two), by tag and how often it came anew
        self._known: dict[tuple[bytes, int], int] = {}
        self._lying: dict[_AntennaKey, dict[bytes, None]] = {}
        self._scans: dict[_AntennaKey, tuple[int, int]] = {}
        self._lamps: dict[str, fx.DeviceFact] = {}
        self._readers = core.setup.readers
        self._joined = False
        self._wants_chunk = not core.hand_running()

    # -- what goes in ----------------------------------------------------------------------------------------------------------------

    def observed(self, observation: ports.Observation) -> None:
        """A device says something; the core has not heard it yet."""
        if self._begun():
            fields = _message(observation)
            if fields is not None:
                self._add(fields, self._numbers(observation))
            dealer = self._core.dealer_shown(observation)
            if dealer is not None:
                # Whose badge it is, no trace says; that he pushed the dealer before is said as if he had tapped it.
                self.told(cmd.DealerPush(dealer), "dealer", observation.t_ms, "")
        self._see(observation)

    def before(self) -> None:
        """A person's command comes; the core has not heard it yet."""
        self._begun()

    def told(self, command: Command, actor: Actor, t_ms: int, refused: str) -> None:
        """A person's command that the core has taken, or refused with a code. Openings are told by :meth:`after`, written out."""
        if isinstance(command, cmd.OpenHand) or self._wants_chunk or not self._chunks:
            return
        fields: dict[str, Any] = {"tap": msgspec.to_builtins(command, str_keys=True)}
        if actor != "simulated":
            fields["actor"] = actor
        if refused:
            fields["refused"] = refused
        self._add(fields, t_ms=max(t_ms, self._core.t_ms))

    def devices(self, facts: Iterable[fx.DeviceFact], readers: frozenset[str]) -> None:
        """The lamps and the working zones, before the core is told."""
        told = list(facts)
        self._lamps.update({fact.id: fact for fact in told})
        self._readers = readers
        if self._begun():
            self._add(lamps(told, readers))

    def sensed(self, sensing: Mapping[str, SensingParameters]) -> None:
        """The antennas read otherwise than before; it counts from the next hand on."""
        if self._begun():
            self._add({"reads": msgspec.to_builtins(dict(sensing))})

    def after(self, changes: Iterable[Change]) -> None:
        """What came of it: hands that opened and closed, cards that became public."""
        for uid, face in self._core.vault.take_told():
            card = self._cards.get(self._present.get(uid, 0))
            if card is not None and face is not None:
                card.face = face
            elif card is not None:
                card.in_game = False
        for change in changes:
            given = change.input
            if isinstance(given, inp.Told) and isinstance(given.command, cmd.OpenHand):
                self._opened(given.command)
            for event in change.events:
                if isinstance(event, te.HandClosed):
                    self._closed(event)

    def plays_by(self, house: str, game: str, limits: Limits, games: Sequence[str]) -> None:
        """The table plays by these from the next hand on: what comes is another recording."""
        self._header = replace(self._header, house=house, game=game, limits=limits, games=tuple(games))
        self.interrupted()

    def interrupted(self) -> None:
        """Decks or antennas were set up: what comes is another recording."""
        self._joined = False
        self._wants_chunk = True

    # -- hands -----------------------------------------------------------------------------------------------------------------------

    def _opened(self, command: cmd.OpenHand) -> None:
        """What lies in a field since the last hand ended goes on under its number: the first card opens the hand."""
        self._known = {key: number for key, number in self._known.items() if self._core.zones.knows(key[0])}
        if self._chunks and not self._wants_chunk:
            self._add({"open_hand": msgspec.to_builtins(command.opening, str_keys=True)})
            self._chunks[-1].hands += 1

    def _closed(self, event: te.HandClosed) -> None:
        core = self._core
        hand = core.hand
        if hand is not None and hand.procedure.hand != event.hand:
            hand = core.before  # the first card of the next hand has ended it
        if self._chunks and not self._wants_chunk and hand is not None:
            self._add({"expect": _expect(hand)})
        self._known = {}
        self._wants_chunk = not core.hand_running()

    # -- tags ------------------------------------------------------------------------------------------------------------------------

    def _numbers(self, observation: ports.Observation) -> tuple[int, ...] | None:
        match observation:
            case ports.TagArrived():
                return (self._number(observation.uid),)
            case ports.TagLeft():
                return (self._number(observation.uid, stays=True),)
            case ports.InventorySeen():
                return tuple([self._number(uid) for uid in observation.uids])
            case _:
                return None

    def _number(self, uid: bytes, *, stays: bool = False) -> int:
        """What stands for a tag: the same as long as it lies somewhere, and wherever the vault takes it for the same card."""
        current = self._present.get(uid)
        if current is not None and current in self._cards and (stays or self._core.zones.knows(uid)):
            number = current
        else:
            key = (uid, self._core.vault.generation(uid))
            found = self._known.get(key)
            number = self._new_card(uid) if found is None or found not in self._cards else found
            self._known[key] = number
            self._present[uid] = number
        self._cards[number].chunk = self._count
        return number

    def _new_card(self, uid: bytes) -> int:
        vault = self._core.vault
        self._named += 1
        number = self._named
        twin = number
        others = {other: known for (other, _), known in self._known.items() if known in self._cards}
        same = vault.twin(uid, others)
        if same is not None:
            twin = self._cards[others[same]].twin
        self._cards[number] = Card(
            vault.deck_of(uid),
            twin,
            self._count,
            vault.barred_deck(uid),
            mangled=self._core.zones.mangled(uid),
            no_card=vault.is_no_card(uid),
        )
        return number

    def _see(self, observation: ports.Observation) -> None:
        """Which tags each antenna sees, for the beginning of a recording."""
        match observation:
            case ports.TagArrived():
                self._antenna(observation)[observation.uid] = None
            case ports.TagLeft():
                self._antenna(observation).pop(observation.uid, None)
            case ports.InventorySeen():
                seen = self._antenna(observation)
                seen.clear()
                seen.update(dict.fromkeys(observation.uids))
            case _:
                pass

    def _antenna(self, seen: ports.TagArrived | ports.TagLeft | ports.InventorySeen) -> dict[bytes, None]:
        key = (seen.device, seen.antenna)
        self._scans[key] = seen.scan, seen.scan_period_ms
        return self._lying.setdefault(key, {})

    # -- chunks ----------------------------------------------------------------------------------------------------------------------

    def _begun(self) -> bool:
        """Whether something is recorded now; between hands a new chunk begins where one is wanted."""
        if self._core.setting_up:
            self.interrupted()
            return False
        if self._wants_chunk and not self._core.hand_running():
            self._begin()
        return bool(self._chunks) and not self._wants_chunk

    def _begin(self) -> None:
        self._count += 1
        t_ms = self._core.t_ms
        joined = self._joined and bool(self._chunks)
        chunk = Chunk(self._count, self._core.standing(), t_ms, joined, self._header)
        line = msgspec.json.encode(lamps(self._lamps.values(), self._readers))
        chunk.items.append(Item(t_ms, line, stands=True))
        for (device, antenna), uids in self._lying.items():
            if uids:
                scan, period_ms = self._scans[device, antenna]
                seen = ports.InventorySeen(device, antenna, tuple(uids), t_ms, scan, period_ms)
                fields = _message(seen)
                assert fields is not None
                chunk.items.append(Item(t_ms, msgspec.json.encode(fields), self._numbers(seen), stands=True))
        self._chunks.append(chunk)
        self._wants_chunk = False
        self._joined = True
        self._forget_old(t_ms)

    def _forget_old(self, t_ms: int) -> None:
        """Hands that lie longer back than the window, or that are more lines than it holds together with what is recorded now."""
        chunks = self._chunks
        lines = self.kept
        old = 0
        while old < len(chunks) - 1 and (
            chunks[old + 1].t_ms < t_ms - self._window_ms or lines > self._most_lines
        ):
            lines -= len(chunks[old].items)
            old += 1
        if not old:
            return
        del chunks[:old]
        first = chunks[0].number
        self._cards = {number: card for number, card in self._cards.items() if card.chunk >= first}

    def _add(
        self, fields: dict[str, Any], cards: tuple[int, ...] | None = None, t_ms: int | None = None
    ) -> None:
        chunk = self._chunks[-1]
        if len(chunk.items) >= self._most_lines:
            # a hand that never ends: it cannot be replayed without its beginning
            self._chunks.clear()
            self.interrupted()
            return
        line = msgspec.json.encode(fields)
        chunk.items.append(Item(self._core.t_ms if t_ms is None else t_ms, line, cards))
        self._forget_old(self._core.t_ms)
        chunk_age_ms = self._core.t_ms - chunk.t_ms
        if not self._core.hand_running() and chunk.hands == 0 and chunk_age_ms > self._window_ms:
            self._wants_chunk = True  # nobody plays: what lies long back says nothing

    # -- what comes out --------------------------------------------------------------------------------------------------------------

    @property
    def hands(self) -> int:
        """How many hands the recording has."""
        return sum(chunk.hands for chunk in self._chunks)

    @property
    def kept(self) -> int:
        """How many lines are kept."""
        return sum(len(chunk.items) for chunk in self._chunks)

    def taken(self) -> Taken:
        """The recording as it stands now: what goes on does not change it, and any thread may write it down."""
        return Taken(
            [replace(chunk, items=list(chunk.items)) for chunk in self._chunks],
            {number: replace(card) for number, card in self._cards.items()},
            tuple(self._core.vault.deck_names()),
            self._core.t_ms,
            lamps((), self._readers),
            simulated=self._simulated,
        )


def _message(seen: ports.Observation) -> dict[str, Any] | None:
    """A device's message as a line of a trace, its tags left open; None for what no trace holds: people's badges."""
    fields: dict[str, Any] = {"dev": seen.device}
    match seen:
        case ports.TagArrived() | ports.TagLeft() | ports.ScanFailed() | ports.InventorySeen():
            fields |= {"antenna": seen.antenna, "t_ms": seen.t_ms, "scan": seen.scan}
            fields["scan_period_ms"] = seen.scan_period_ms
    match seen:
        case ports.TagArrived():
            return {**fields, "msg": "tag_arrived", "uid": ""}
        case ports.TagLeft():
            return {**fields, "msg": "tag_left", "uid": ""}
        case ports.ScanFailed():
            return {**fields, "msg": "scan_failed", "reason": seen.reason}
        case ports.InventorySeen():
            return {**fields, "msg": "inventory", "uids": []}
        case ports.ShufflerChanged(count=None):
            return {**fields, "msg": "shuffler_state", "t_ms": seen.t_ms, "state": seen.state}
        case ports.ShufflerChanged():
            counts = {"result": seen.state, "count": seen.count, "expected": seen.expected}
            return {**fields, "msg": "shuffler_verdict", "t_ms": seen.t_ms, **counts}
        case ports.ShoeExit():
            return {**fields, "msg": "shoe_exit", "t_ms": seen.t_ms, "number": seen.number, "face": seen.face}
        case ports.ShoeChanged():
            return {
                **fields,
                "msg": "shoe_state",
                "t_ms": seen.t_ms,
                "state": seen.state,
                "count": seen.exits,
            }
        case ports.LinkChanged():
            told = {"state": seen.state, "reason": seen.detail, "params": dict(seen.params)}
            return {**fields, "msg": "link", "t_ms": seen.t_ms, **told}
        case ports.DeviceRestarted():
            return {**fields, "msg": "restarted", "t_ms": seen.t_ms}
        case ports.ForbiddenData():
            return {**fields, "msg": "forbidden", "t_ms": seen.t_ms}
        case _:
            return None


def _expect(hand: Hand) -> dict[str, Any]:
    """How the hand ended: what a replay of it is held against."""
    alerts = [alert for alert in hand.procedure.alerts.values() if alert.evidence != "possible"]
    return {
        "result": hand.result,
        "attempts": hand.procedure.attempt,
        "stacks": {str(seat): stack for seat, stack in sorted(final_stacks(hand).items())},
        "alerts": [{"rule": alert.rule, "evidence": alert.evidence} for alert in alerts],
    }
