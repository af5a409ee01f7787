"""A session with a floor desk: a real journal, a real staff file, real hashes; time that the test moves, no devices."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dealer_assist.config.staff import Person, Staff, StaffFile, save_staff
from dealer_assist.domain import floor as fl
from dealer_assist.domain.commands import Actor, Command
from dealer_assist.domain.facts import Fact, section
from dealer_assist.domain.link import Request, Result, ServerMessage, Snapshot, Update
from dealer_assist.journal.adapter import JournalStore, row
from dealer_assist.journal.floor_desk import is_floors
from dealer_assist.journal.pins import UidAndPin, pin_hash
from dealer_assist.journal.reader import StoredRow
from dealer_assist.journal.store import Journal
from dealer_assist.table.core import Core
from dealer_assist.table.floor.check import BadgeCheck, ProverThread
from dealer_assist.table.floor.desk import FloorDesk
from dealer_assist.table.ports import BadgeLeft, BadgeSeen
from dealer_assist.table.session import Session
from tests.journal.kit import settings

KEY = bytes(range(32))
PETAR, OLENA, MARIA = "9f3c-21b0-77aa", "0042-1111-aaaa", "5555-6666-7777"
PIN, MARIAS_PIN = "190374", "550162"
NOON_S = 1_800_000_000


def people(*, role: str = "floor") -> Staff:
    """Petar and Maria of the floor, and Olena who deals, in Ukrainian and with her left hand."""
    return Staff(
        staff=(
            Person(number=12, name="Olena", badge=OLENA, language="uk", hand="left"),
            Person(number=40, name="Petar", role=role, badge=PETAR, pin=_hash(PETAR, PIN)),
            Person(number=41, name="Maria", role="floor", badge=MARIA, pin=_hash(MARIA, MARIAS_PIN)),
        )
    )


_HASHES: dict[tuple[str, str], str] = {}


def _hash(badge: str, pin: str) -> str:
    return _HASHES.setdefault((badge, pin), pin_hash(KEY, badge, pin))


class Held:
    """A check that waits until it is let go: a card that dawdles."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.let_go = threading.Event()

    def prove(self, person: Person, pin: str) -> bool:
        self.asked.set()
        assert self.let_go.wait(20)
        return UidAndPin(KEY).prove(person, pin)


class FloorRig:
    """One table's session on ``core``; ``restart`` with another core goes on from the journal."""

    def __init__(
        self,
        folder: Path,
        core: Core,
        *,
        check: BadgeCheck | None = None,
        staffed: bool = True,
        equipment: Any = None,
    ) -> None:
        self.path = folder / "staff.toml"
        if staffed and not self.path.exists():
            save_staff(self.path, people())
        self.now_s = NOON_S
        self.t_ms = 1000
        self._folder = folder
        self._staffed = staffed
        self._equipment = equipment
        self._check = check or UidAndPin(KEY)
        self._count = 0
        self.begin(core)

    def begin(self, core: Core) -> None:
        self.core = core
        self.journal = Journal.open(self._folder / "journal.sqlite", **settings())
        prover = ProverThread(self._check) if self._staffed else None
        source = StaffFile(self.path) if self._staffed else None
        self.desk = FloorDesk(core, source=source, prover=prover, utc_s=lambda: self.now_s)
        rows = [stored for stored in self.rows() if is_floors(stored)]
        self.desk.take_up((stored.name, stored.payload, self.now_s) for stored in rows)
        core.show(self.desk.first_facts())
        self.facts: dict[tuple[str, str], Fact] = {}
        self.said: list[bytes] = []
        self.session = Session(
            core,
            JournalStore(self.journal),
            row,
            now_ms=lambda: self.t_ms,
            floor=self.desk,
            desk=self._equipment,
        )
        self.session.join(self._hear)
        self.session.start()
        self.until(lambda: ("floor_mode", "") in self.facts)

    def _hear(self, message: ServerMessage) -> None:
        if isinstance(message, Snapshot | Update):
            self.facts.update({section(fact): fact for fact in message.facts})

    def rows(self) -> list[StoredRow]:
        return list(self.journal.read())

    def close(self) -> None:
        self.session.stop()
        self.journal.close()

    def restart(self, core: Core) -> None:
        self.close()
        self.begin(core)

    # -- people --------------------------------------------------------------------------------------------------------------------

    def tap(self, badge: str) -> None:
        """Show a badge and put it away again."""
        self.lay(badge)
        self.take(badge)

    def lay(self, badge: str) -> None:
        self.session.observe(BadgeSeen("badges", self.t_ms, badge))

    def take(self, badge: str) -> None:
        self.session.observe(BadgeLeft("badges", self.t_ms, badge))

    def send(self, command: Command, actor: Actor = "dealer") -> list[Result]:
        """Ask, and do not wait."""
        self._count += 1
        answers: list[Result] = []
        self.session.ask(Request(f"r{self._count}", actor, 1 << 30, command), answers.append)
        return answers

    def ask(self, command: Command, actor: Actor = "dealer") -> Result:
        answers = self.send(command, actor)
        self.until(lambda: answers)
        return answers[0]

    def sign_in(self, badge: str = PETAR, pin: str = PIN) -> Result:
        self.tap(badge)
        return self.ask(fl.SignIn(pin))

    def wait(self, seconds: float) -> None:
        """Time passes, on both clocks."""
        self.now_s += int(seconds)
        self.t_ms += int(seconds * 1000)
        turns = self.session.turns
        self.until(lambda: self.session.turns >= turns + 2)

    # -- what is shown -------------------------------------------------------------------------------------------------------------

    @property
    def floor(self) -> fl.FloorModeFact:
        fact = self.facts["floor_mode", ""]
        assert isinstance(fact, fl.FloorModeFact)
        return fact

    def until(self, holds: Callable[[], Any]) -> None:
        end = time.monotonic() + 20
        while not holds():
            if self.session.failure is not None:
                raise self.session.failure
            assert time.monotonic() < end, "did not come"
            time.sleep(0.002)

    def marks(self, *names: str) -> list[str]:
        return [stored.name for stored in self.rows() if stored.kind == "mark" and stored.name in names]
