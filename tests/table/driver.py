"""A table driven by movements: for tests of the procedure that need no antennas. Cards are named by face."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dealer_assist.composition import load_game, load_house
from dealer_assist.domain import commands as cmd
from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.cards import STANDARD_52
from dealer_assist.domain.commands import Refused
from dealer_assist.domain.rake import NO_RAKE, RakeTerms
from dealer_assist.domain.table import Entry, HandOpening, Limits, SeatStack, Tracking
from dealer_assist.procedure.alignment.sensing import CLEAN, SensingParameters
from dealer_assist.table.change import Change
from dealer_assist.table.core import Core
from dealer_assist.table.hand import Hand
from dealer_assist.table.opening import Rules
from dealer_assist.table.ports import Movement, Observation, TagPlaced, TagRemoved
from dealer_assist.table.seats import Seats
from dealer_assist.table.setup import Setup
from dealer_assist.table.vault import Vault

SEATS = (1, 2, 3, 5, 7, 9)
BUTTON = 7  # the deal goes 9, 1, 2, 3, 5, 7; seat 9 has the small blind, seat 1 the big one
ORDER = (9, 1, 2, 3, 5, 7)


def uid(face: str) -> bytes:
    """The tag of a card of the test deck."""
    return b"\xe0\x04\x01" + face.encode() + b"\0\0\0"


class NoZones:
    """A zone filter that has nothing to filter: the driver makes the movements itself."""

    def __init__(self, where: dict[str, str]) -> None:
        self.waiting: list[Movement] = []
        self._where = where

    def feed(self, observation: Observation) -> list[Movement]:
        return []

    def tick(self, t_ms: int) -> list[Movement]:
        out, self.waiting = self.waiting, []
        return out

    def next_deadline_ms(self) -> int | None:
        return 0 if self.waiting else None

    def occupied(self) -> dict[str, tuple[bytes, ...]]:
        zones = dict.fromkeys(self._where.values())
        return {zone: tuple([uid(face) for face, at in self._where.items() if at == zone]) for zone in zones}


class Driver:
    """Deals, taps and lets time pass at a table of six with blinds 1 and 2 and 200 chips each."""

    def __init__(
        self,
        *,
        seats: Sequence[int] = SEATS,
        button: int = BUTTON,
        stacks: dict[int, int | None] | None = None,
        registered: dict[str, str] | None = None,
        unread: Iterable[str] = (),
        house: str = "seed",
        game: str = "nlhe",
        entry: Entry = "every_action",
        tracking: Tracking = "full",
        rake: RakeTerms = NO_RAKE,
        sensing: SensingParameters = CLEAN,
    ) -> None:
        self.where: dict[str, str] = {}
        self.zones = NoZones(self.where)
        cards = {uid(face): face for face in STANDARD_52}
        for face, wrong in (registered or {}).items():
            cards[uid(face)] = wrong
        readers = {f"seat{seat}" for seat in range(1, 12)} | {"board", "board2", "board3", "burn", "muck"}
        setup = Setup(
            name="test",
            house=house,
            game=game,
            limits=Limits(1, 2),
            entry=entry,
            unit="1 chip",
            simulated=True,
            language="en",
            seats=tuple(range(1, 12)),
            readers=frozenset(readers - set(unread)),
            tracking=tracking,
            sensing=dict.fromkeys(readers, sensing),
        )
        self.core = Core(
            setup,
            Rules(
                load_house(house), load_game(game), Limits(1, 2), entry=entry, tracking=tracking, rake=rake
            ),
            Vault(cards, settle_ms=setup.settle_ms),
            self.zones,
            Seats({}),
            new_key=lambda hand: hand.encode().ljust(32, b"k"),
        )
        self.t_ms = 1000
        self.pace_ms = 600
        self.changes: list[Change] = []
        self.deck = iter(STANDARD_52)
        self.order = tuple(sorted(seats, key=lambda seat: (seat - button - 1) % 11))
        opening = HandOpening(
            "h1", button, tuple(SeatStack(seat, (stacks or {}).get(seat, 200)) for seat in sorted(seats))
        )
        assert self.tell(cmd.OpenHand(opening)) is None

    @property
    def hand(self) -> Hand:
        assert self.core.hand is not None
        return self.core.hand

    # -- physical acts ----------------------------------------------------------------------------------------------------------

    def wait(self, ms: int) -> None:
        self.t_ms += ms
        self.changes += self.core.tick(self.t_ms)

    def move(self, *movements: Movement) -> None:
        self.zones.waiting = list(movements)
        self.changes += self.core.tick(self.t_ms)

    def put(self, face: str, zone: str, *, late_ms: int = 0) -> str:
        """A card is put at a zone, read ``late_ms`` after it was put there."""
        old = self.where.get(face)
        first = self.t_ms + late_ms
        if old is not None:
            self.move(TagRemoved(old, uid(face), self.t_ms, self.t_ms))
        self.where[face] = zone
        self.move(TagPlaced(zone, uid(face), first - 100, first, first + 100))
        return face

    def take(self, face: str) -> None:
        """A card is taken up: it is at no zone."""
        self.move(TagRemoved(self.where.pop(face), uid(face), self.t_ms, self.t_ms + 500))

    def next_card(self) -> str:
        return next(face for face in self.deck if face not in self.where)

    def pitch(self, *seats: int) -> list[str]:
        faces = []
        for seat in seats:
            self.wait(self.pace_ms)
            faces.append(self.put(self.next_card(), f"seat{seat}"))
        return faces

    def deal(self) -> dict[int, list[str]]:
        """The whole deal, as it should be."""
        held: dict[int, list[str]] = {seat: [] for seat in self.order}
        for _ in range(self.hand.procedure.hole):
            for seat in self.order:
                held[seat] += self.pitch(seat)
        return held

    def burn(self) -> str:
        self.wait(900)
        return self.put(self.next_card(), "burn")

    def board(self, count: int) -> list[str]:
        self.wait(900)
        faces = []
        for _ in range(count):
            self.wait(80)
            faces.append(self.put(self.next_card(), "board"))
        return faces

    def gather(self) -> None:
        """Every card back to the deck."""
        self.wait(2000)
        for face in list(self.where):
            self.take(face)
        self.deck = iter(STANDARD_52)

    # -- people -------------------------------------------------------------------------------------------------------------------

    def tell(self, command: cmd.Command) -> Refused | None:
        refused, changes = self.core.tell(command, "dealer", self.t_ms)
        self.changes += changes
        return refused

    def act(self, text: str) -> None:
        """Actions as "2 call, 3 fold, 5 raise 8": each is accepted."""
        for part in text.split(","):
            words = part.split()
            self.wait(900)
            action = {"allin": "all_in"}.get(words[1], words[1])
            to = int(words[2]) if len(words) > 2 else None
            refused = self.tell(cmd.Act(int(words[0]), action, to))  # type: ignore[arg-type]
            assert refused is None, f"{part.strip()}: {refused}"

    def answer(self, answer: str) -> None:
        self.wait(1000)
        assert self.tell(cmd.Answer("", answer)) is None  # type: ignore[arg-type]

    def report(self, row: str, seat: int | None = None, by: str = "dealer") -> None:
        self.wait(500)
        assert self.tell(cmd.Report(row, seat, by)) is None  # type: ignore[arg-type]

    def check_down(self) -> None:
        """Everybody still in checks or calls until the round is complete."""
        for _ in range(40):
            seat = self.hand.betting.to_act
            if seat is None:
                return
            pad = next(fact for fact in self.core.snapshot() if type(fact).__name__ == "PadFact")
            self.act(f"{seat} {'check' if pad.can_check else 'call'}")  # type: ignore[attr-defined]

    def check_down_from(self, seat: int) -> None:
        """A street that may not have been read: this seat checks, then everybody else does."""
        self.act(f"{seat} check")
        self.check_down()

    # -- what it says ---------------------------------------------------------------------------------------------------------------

    def corrected(self) -> bool:
        """Whether an input was superseded: the events of the changes are then not those of the hand."""
        return any(type(change.input).__name__ == "Superseded" for change in self.changes)

    def alerts(self) -> list[Alert]:
        return list(self.hand.procedure.alerts.values())

    def said(self) -> list[tuple[str, str, str]]:
        return [(alert.rule, alert.evidence, alert.state) for alert in self.alerts()]

    def alert(self, rule: str) -> Alert:
        return next(alert for alert in reversed(self.alerts()) if alert.rule == rule)

    def steps(self, rule: str) -> dict[str, str]:
        return {step.code: step.state for step in self.alert(rule).steps}

    def showdown(self) -> None:
        """Every live hand is tabled; the pots are pushed."""
        for seat in self.hand.bets.live:
            self.wait(1000)
            assert self.tell(cmd.Tabled(seat)) is None
        assert self.hand.settlement is not None
        assert self.tell(cmd.PushPots()) is None

    def street(self, count: int) -> list[str]:
        """Burn, turn, let it lie."""
        self.burn()
        faces = self.board(count)
        self.wait(1500)
        return faces
