"""A table and its dealer in one process, in virtual time: the simulator's antennas on one side, the product's core on the other.

The dealer looks at what the table asks and answers as it is: nothing in these hands is wrong but what their script says.
"""

from __future__ import annotations

import copy
import random
from collections import deque
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from dealer_assist.composition import core_for_trace
from dealer_assist.domain import commands as cmd
from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.facts import AlertFact, BoardFact, NoticeFact, NowFact, SeatFact
from dealer_assist.domain.table import HandOpening
from dealer_assist.table.change import Change
from dealer_assist.table.core import Core
from dealer_assist.table.decision import Decision
from dealer_assist.table.events import HandClosed
from dealer_assist.table.kills import as_told
from dealer_assist.table.seats import with_own_posts
from dealer_assist.table.trace import Entry, Header, read
from hw_sim import steps as st
from hw_sim.noise import Profile
from hw_sim.physics import Movement
from hw_sim.trace import TraceWorld

#: What an honest dealer answers where nothing went wrong. The seat that is asked about is looked at (``seat_in``).
_YES: Final = frozenset({"burned", "acted", "acted_any", "hands_up", "deck_shuffled"})
#: Questions about something that is not there, and rules that miss a card that lies there: the dealer looks, and says so.
_PRESUMES: Final = frozenset({"boxed", "turned_up", "exposed", "board_swept", "extra_card", "out_of_turn"})
_LACKS: Final = frozenset({"D1", "D3", "D4", "D5"})
_LOOKS_MS: Final = (1500, 3500)
#: Refusals after which a dealer taps again, so much later and so often at the most.
_TAPS_AGAIN: Final = frozenset({"betting_not_over", "cannot_push"})
_AGAIN_MS: Final = (1000, 2000)
_TRIES: Final = 4


class Said(msgspec.Struct):
    """Something that the table told the dealer: when (ms from the hand's first card or from its last), what, and how it ended."""

    t_ms: int
    kind: str
    what: str
    seat: int | None = None
    street: str = ""
    end: str = ""


class HourWorld(TraceWorld):
    """A :class:`~hw_sim.director.World` whose devices and taps go straight into a core; the table opens its own hands."""

    def __init__(self, profile: Profile, *, seed: int, games: tuple[str, ...]) -> None:
        super().__init__(self._hear, seed=seed, profile=profile)
        self._raw: deque[str] = deque()
        self._entries: Iterator[Entry] = read("hour", self._lines())
        self._games = games
        self._rng = random.Random(f"hour/{seed}")
        self._answers: list[tuple[int, cmd.Command, Said]] = []
        self._core: Core | None = None
        self._dealt: frozenset[int] = frozenset()
        self._marks: set[tuple[int, str]] = set()
        self._told: dict[tuple[str, str], Said] = {}
        self._board: list[str] = []
        self.said: list[Said] = []

    @property
    def core(self) -> Core:
        """The table."""
        assert self._core is not None, "the header comes first"
        return self._core

    def seat_down(self, table: st.Hand) -> None:
        """The table is set up, as its hands are played: its blinds, its house, its way of entry."""
        self._head(table)

    # -- the table hears -----------------------------------------------------------------------------------------------------

    def _lines(self) -> Iterator[str]:
        while True:
            yield self._raw.popleft()

    def _hear(self, line: str) -> None:
        self._raw.append(line)
        entry = next(self._entries)
        match entry.what:
            case Header() if self._core is None:
                seats = tuple(range(1, 10))
                self._core = core_for_trace(
                    msgspec.structs.replace(entry.what, games=self._games, seats=seats), None
                )
            case Header():
                pass  # another game's hand at the same table
            case _:
                self._listen(self.core.observe(entry.what))  # type: ignore[arg-type]

    def tell(self, command: cmd.Command, now_ms: int) -> str:
        """The dealer taps; what is refused is told to him. Returns the code of the refusal, "" when it was taken."""
        self._listen(self.core.tick(now_ms))
        refused, changes = self.core.tell(command, "dealer", now_ms)
        if refused is not None:
            name = str(msgspec.to_builtins(command)["kind"])
            facts = self.core.snapshot()
            now = next(fact for fact in facts if isinstance(fact, NowFact))
            self._say("refused", f"{name}: {refused.code}", getattr(command, "seat", None), now.code)
        self._listen(changes)
        return "" if refused is None else refused.code

    # -- what it says --------------------------------------------------------------------------------------------------------

    def _listen(self, changes: list[Change]) -> None:
        for change in changes:
            for fact in change.facts:
                match fact:
                    case AlertFact(alert):
                        self._alert(alert)
                    case NoticeFact(name, code) if code:
                        self._say("notice", code, key=("notice", f"{name}/{code}"))
                    case SeatFact():
                        self._mark(fact)
                    case _:
                        pass

    def _mark(self, fact: SeatFact) -> None:
        for mark in fact.marks:
            if (fact.seat, mark) not in self._marks:
                self._marks.add((fact.seat, mark))
                self._say("mark", mark, fact.seat)

    def _alert(self, alert: Alert) -> None:
        key = ("alert", f"{alert.id}/{alert.question or alert.evidence}")
        if alert.evidence == "possible" and alert.question is None:
            return  # a mark at the seat says it
        kind = "question" if alert.question else "alert"
        what = f"{alert.rule} {alert.question or ('STOP' if alert.stop else 'note' if not alert.steps else 'told')}"
        said = self._say(kind, what, alert.seat, alert.street, key=key)
        for (_, name), earlier in self._told.items():
            if name.startswith(f"{alert.id}/"):
                answered = f", answered {alert.answered}" if alert.answered else ""
                earlier.end = f"{alert.state}{answered}"
        if said is not None and alert.state == "open":
            due_ms = self.core.t_ms + self._rng.randint(*_LOOKS_MS)
            self._answers.append((due_ms, self._reply(alert), said))

    def _reply(self, alert: Alert) -> cmd.Command:
        if alert.question is None or alert.question in _PRESUMES or alert.rule in _LACKS:
            return cmd.Respond(alert.id, "misread")
        yes = alert.seat in self._dealt if alert.question == "seat_in" else alert.question in _YES
        return cmd.Answer(alert.id, "yes" if yes else "no")

    def _say(
        self,
        kind: str,
        what: str,
        seat: int | None = None,
        street: str = "",
        *,
        key: tuple[str, str] | None = None,
    ) -> Said | None:
        if key is not None and key in self._told:
            return None
        said = Said(self.core.t_ms, kind, what, seat, street)
        self.said.append(said)
        if key is not None:
            self._told[key] = said
        return said

    def moves(self, movements: list[Movement]) -> None:
        """Antennas see them, and so does the dealer what he turns up."""
        super().moves(movements)
        self._board += [movement.face for movement in movements if movement.target == "board"]

    # -- World ---------------------------------------------------------------------------------------------------------------

    def prepare(self, hand: st.Hand, now_ms: int) -> int:
        """A hand begins: who is dealt in is known to the dealer."""
        self._dealt = frozenset(hand.seats())
        self._told.clear()
        self._board.clear()
        return super().prepare(hand, now_ms)

    def open_hand(self, hand: st.Hand, now_ms: int) -> int:
        """The shuffler delivers. Nobody taps: the hand begins with its first card."""
        now_ms = self.shuffler(hand, st.ShufflerState("ready"), now_ms)
        now_ms = self.shuffler(hand, st.ShufflerVerdict(len(hand.plan.faces)), now_ms)
        self._marks.clear()
        return self.until(now_ms + 400)

    def until(self, t_ms: int) -> int:
        """Let time pass; the dealer answers what he was asked, if it still is."""
        while self._answers and min(due for due, *_ in self._answers) <= t_ms:
            soonest = min(self._answers, key=lambda answer: answer[0])
            self._answers.remove(soonest)
            due_ms, command, said = soonest
            super().until(due_ms)
            self._listen(self.core.tick(due_ms))
            if said.end.startswith("open"):
                self.tell(command, due_ms)
        super().until(t_ms)
        if self._core is not None:
            self._listen(self.core.tick(t_ms))
        return t_ms

    def tap(self, tap: st.Tap, now_ms: int) -> int:
        """The dealer taps."""
        self.until(now_ms)
        if tap.command["kind"] == "look":
            return self._look(tap.command["left"], now_ms)
        command = msgspec.convert(tap.command, cmd.Command)
        for _ in range(_TRIES):
            if self.tell(command, now_ms) not in _TAPS_AGAIN:
                break
            now_ms = self.until(now_ms + self._rng.randint(*_AGAIN_MS))
            self._enter_board(now_ms)
        return now_ms

    def _look(self, left: list[int], now_ms: int) -> int:
        """The hand is over. Where the line still asks for seats that have given up, their cards were not read: the dealer says so."""
        for _ in range(len(self._dealt)):
            now = next(fact for fact in self.core.snapshot() if isinstance(fact, NowFact))
            seat = now.params.get("seat") if now.code == "act" else None
            if now.code == "show":
                seat = next((other for other in now.params["seats"] if other not in left), None)
            if seat is None or seat in left:
                break
            self._say("extra", f"{now.code}: gave up unread", seat)
            self.tell(cmd.Act(seat, "fold") if now.code == "act" else cmd.Mucked(seat), now_ms)
            now_ms = self.until(now_ms + self._rng.randint(600, 1200))
        return now_ms

    def _enter_board(self, now_ms: int) -> None:
        """A board card that lies there is not on the screen: the dealer enters it."""
        board = next(fact for fact in self.core.snapshot() if isinstance(fact, BoardFact))
        shown = {card.face for card in board.cards}
        for face in self._board:
            if face not in shown and len(board.cards) < len(self._board):
                self.tell(cmd.EnterCard(face), now_ms)

    def close_hand(self, hand: st.Hand, now_ms: int) -> int:
        """The cards are in the shuffler."""
        return self.until(now_ms + 1500)

    def next_opening(self, game: str = "") -> HandOpening:
        """Who is dealt in by the table, and who posts."""
        core, seats = self.core, copy.copy(self.core.seats)
        hand = core.hand
        if hand is not None and not hand.result:  # its end will be what the next deal makes of it
            decision = Decision(hand, core.rules, core.t_ms)
            decision.close(unsettled=hand.settlement is None)
            end = next(event for event in decision.events if isinstance(event, HandClosed))
            posts = hand.betting.setup.posts
            seats.closed(hand.procedure, posts, end.result, end.stacks, t_ms=core.t_ms, button_next=None)
        own = seats.next_hand()
        assert own is not None
        opening = seats.opening_of(own)
        told = as_told(opening, cmd.OpenHand(game=game), core.hand)
        assert isinstance(told, HandOpening)
        return with_own_posts(told, own, core.rules)


def spelled(said: Said) -> dict[str, Any]:
    """As data."""
    found: dict[str, Any] = msgspec.to_builtins(said)
    return found
