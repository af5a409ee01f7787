"""A desk on a table in memory: antennas of the simulator, files in a folder, time that the test moves."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from dealer_assist.composition import core_for_service, core_for_trace
from dealer_assist.devices.zones import ZoneParameters
from dealer_assist.domain import equipment as eq
from dealer_assist.domain.facts import Fact, section
from dealer_assist.domain.table import Limits
from dealer_assist.journal.equipment_files import EquipmentFolder
from dealer_assist.seating import Ledger
from dealer_assist.table.core import Core
from dealer_assist.table.deckfile import Deck
from dealer_assist.table.equipment.desk import Desk
from dealer_assist.table.equipment.set_ups import Outcome
from dealer_assist.table.ports import Observation, TagArrived, TagLeft
from dealer_assist.table.trace import Header, TraceDevice
from hw_sim.antennas import SCAN_PERIOD_MS, Field
from hw_sim.cards import tags_of
from hw_sim.handling import cards_of, laid
from hw_sim.movement import Movement
from hw_sim.noise import misses
from hw_sim.noisy_field import field_of

ANTENNAS = {"seat1": 1, "seat2": 2, "board": 12, "muck": 14}
TAGS = tags_of(1)
KEY = bytes(range(32))
NOON_S = 1_800_000_000


@functools.cache
def _table() -> Core:
    """Set-up and rules, read once."""
    header = Header(
        trace=1,
        house="seed",
        game="nlhe",
        limits=Limits(1, 2),
        devices=(TraceDevice("R1", "reader", {str(n): zone for zone, n in ANTENNAS.items()}),),
    )
    return core_for_trace(header, None)


class DeskRig:
    """The desk of one table. ``links`` are what the devices say they are."""

    def __init__(
        self, folder: Path, *, simulated: bool = False, key: bytes | None = KEY, miss_rate: float = 0.0
    ) -> None:
        like = _table()
        self.core = core_for_service(
            like.setup,
            like.rules,
            {("R1", number): zone for zone, number in ANTENNAS.items()},
            {},
            Ledger({}),
            decks={},
            parameters=ZoneParameters(),
            by_device={},
            sealer=None,
            new_key=lambda hand: hand.encode().ljust(32),
        )
        self.now_s = NOON_S
        self.t_ms = 1000
        self.field: Field = field_of(ANTENNAS, TAGS, misses(miss_rate).sensing, seed=3)
        self.folder = folder
        self.files = EquipmentFolder(
            folder, key, simulated=simulated, random_bytes=lambda count: bytes(range(count))
        )
        link = eq.LinkView("R1", "reader", "ok", maker="Maker", model="M1", serial="SN-1", firmware="1.2")
        self.desk = Desk(
            self.core,
            self.files,
            (),
            {("R1", number): zone for zone, number in ANTENNAS.items()},
            simulated=simulated,
            utc_s=lambda: self.now_s,
            links=lambda: (link,),
        )
        self.facts: dict[tuple[str, str], Fact] = {}
        self.marks: list[tuple[str, Any]] = []
        self.said: list[str] = []
        self._keep(Outcome(self.desk.first_facts()))

    def _keep(self, told: Outcome) -> None:
        for fact in told.facts:
            self.facts[section(fact)] = fact
        self.marks += told.marks
        note = self.set_up.note
        if note and self.said[-1:] != [note]:
            self.said.append(note)

    @property
    def set_up(self) -> eq.SetupFact:
        fact = self.facts["setup", ""]
        assert isinstance(fact, eq.SetupFact)
        return fact

    def decks(self) -> dict[str, eq.DeckView]:
        fact = self.facts["decks", ""]
        assert isinstance(fact, eq.DecksFact)
        return {view.deck: view for view in fact.decks}

    def tell(self, command: Any, actor: Any = "dealer") -> Outcome:
        self.core.tick(self.t_ms)
        told = self.desk.tell(command, actor, self.t_ms)
        self._keep(told)
        return told

    def code(self, command: Any, actor: Any = "dealer") -> str:
        """What a command is refused with, "" for nothing."""
        refused = self.tell(command, actor).refused
        return "" if refused is None else refused.code

    def hear(self, observation: Observation) -> None:
        self.core.observe(observation)
        self.desk.hear(observation)

    def until(self, t_ms: int) -> None:
        """Let time pass as the session does, in small steps, with what the antennas see."""
        while self.t_ms < t_ms:
            self.t_ms = min(self.t_ms + 50, t_ms)
            for event in self.field.until(self.t_ms):
                kind = TagArrived if event.kind == "tag_arrived" else TagLeft
                self.hear(kind("R1", event.antenna, event.uid, event.t_ms, event.scan, SCAN_PERIOD_MS))
            self.core.tick(self.t_ms)
            self._keep(self.desk.tick(self.t_ms))

    def lay(self, *cards: str, zone: str = "muck", each_ms: int = 1000, stay_ms: int = 500) -> None:
        """Lay cards there and take each away again."""
        movements, done_ms = laid(cards, zone, self.t_ms + 200, each_ms=each_ms, stay_ms=stay_ms)
        for movement in movements:
            self.field.move(movement)
        self.until(done_ms + 700)

    def put(self, *cards: str, zone: str, for_ms: int = 3000) -> None:
        """Lay cards there, one after the other, and leave them."""
        for number, card in enumerate(cards):
            at_ms = self.t_ms + 200 + 600 * number
            self.field.move(Movement(card, "", zone, at_ms, at_ms))
        self.until(self.t_ms + for_ms)


def with_decks(folder: Path, *names: str) -> DeskRig:
    """A table at which decks of these names are registered: the first of the simulator's decks, and its other one."""
    files = DeskRig(folder).files
    for name, deck in zip(names, "AB", strict=False):
        cards = {TAGS[card].hex().upper(): card[-2:] for card in cards_of(deck)}
        files.save_deck(Deck(name, "red", cards))
    rig = DeskRig(folder)
    assert [view.deck for view in rig.decks().values()] == sorted(names)
    return rig
