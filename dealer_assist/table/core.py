"""The table without threads, files or sockets: observations and commands in, inputs, events and facts out.

Replay and the table service run this same code. Not thread-safe: one writer. Time comes with every call, in table milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dealer_assist import betting
from dealer_assist.domain import commands as cmd
from dealer_assist.domain import facts as fx
from dealer_assist.domain.commands import Actor, Refused
from dealer_assist.domain.table import HandOpening
from dealer_assist.domain.zones import BOARDS, BURN, MUCK, PASSED, seat_zone
from dealer_assist.procedure import events as pe
from dealer_assist.table import events as te
from dealer_assist.table import inputs as inp
from dealer_assist.table import project
from dealer_assist.table.change import FOR_THE_VAULT, OF_THE_DEVICE, QUIET, Change, Changes, ends_undo
from dealer_assist.table.corrections import Corrections
from dealer_assist.table.decide import decide
from dealer_assist.table.decision import Decision, open_hand
from dealer_assist.table.deck_desk import DeckDesk
from dealer_assist.table.events import TableEvent
from dealer_assist.table.finished import finished
from dealer_assist.table.first_pitch import FirstPitch
from dealer_assist.table.hand import Hand
from dealer_assist.table.kills import as_told
from dealer_assist.table.lost_cards import LostCards
from dealer_assist.table.muted import Muted
from dealer_assist.table.opening import Rules, opening_refused, written_out
from dealer_assist.table.ports import (
    Movement,
    Observation,
    ShoeExit,
    TagGlimpsed,
    TagPlaced,
    TagRemoved,
    ZoneFilter,
    ZoneTrouble,
)
from dealer_assist.table.project import Section
from dealer_assist.table.reveals import Reveals
from dealer_assist.table.screen import Screen
from dealer_assist.table.seat_desk import OF_THE_SEATS, SeatDesk
from dealer_assist.table.seats import Seats, seating_rules, with_own_posts
from dealer_assist.table.setup import Setup
from dealer_assist.table.shoe_desk import ShoeDesk
from dealer_assist.table.strangers import Stranger
from dealer_assist.table.undo import History
from dealer_assist.table.vault import Vault


class Core(Corrections, SeatDesk, FirstPitch, Muted):
    """One table."""

    def __init__(
        self,
        setup: Setup,
        rules: Rules,
        vault: Vault,
        zones: ZoneFilter,
        seats: Seats,
        *,
        new_key: Callable[[str], bytes],
    ) -> None:
        self.setup = setup
        self.rules = rules
        self.vault = vault
        self.zones = zones
        self.seats = seats
        seats.rules = seating_rules(rules)
        self.hand: Hand | None = None
        #: the hand before it
        self.before: Hand | None = None
        self.t_ms = 0
        self.readers = setup.readers
        #: how well the antennas read; what is set here counts from the next hand on
        self.sensing = dict(setup.sensing)
        self._new_key = new_key
        self._screen = Screen(setup, seats, rules.house.parameters.clock_s.value)
        self._history = History()
        self._reveals = Reveals(vault, setup.settle_ms)
        self._deck = DeckDesk(vault, shuffler=setup.shuffler)
        self._shoe = ShoeDesk()
        self._working = setup.readers
        self._lost = LostCards(vault)
        self._swept = True
        self._pitched = []
        self._changes = Changes()
        self._set_up = None

    # -- the outside -------------------------------------------------------------------------------------------------------------

    def snapshot(self) -> tuple[fx.Fact, ...]:
        """Every section once."""
        return self._screen.facts()

    def next_deadline_ms(self) -> int | None:
        """When :meth:`tick` has something to do, or None."""
        own = None if self.hand is None else self.hand.next_deadline_ms()
        times = (self.zones.next_deadline_ms(), own, self._reveals.next_ms())
        return min([time for time in times if time is not None], default=None)

    def observe(self, observation: Observation) -> list[Change]:
        """Take what a device says."""
        self._pass_time(observation.t_ms)
        movements = self.zones.feed(observation)
        if movements:
            self._move(movements)
        if isinstance(observation, OF_THE_DEVICE):
            self._show(None, (), [self._screen.device(observation)])
            self._hear_shuffler(observation)
            if self._shoe.hear(observation, self._screen.role_of(observation.device)):
                self._know_readers()
        elif isinstance(observation, ShoeExit):
            exited = self._shoe.exited(observation, self.t_ms)
            if self._running() and not self._over():
                self._judge(exited)
        else:
            self._hear_badge(observation)
        return self._changes.take()

    def tick(self, t_ms: int) -> list[Change]:
        """Let time pass."""
        self._pass_time(t_ms)
        return self._changes.take()

    def tell(self, command: cmd.Command, actor: Actor, t_ms: int) -> tuple[Refused | None, list[Change]]:
        """Take a command; a refused one changes nothing."""
        self._pass_time(t_ms)
        return self._tell(command, actor), self._changes.take()

    def set_devices(self, facts: Iterable[fx.DeviceFact], readers: frozenset[str]) -> list[Change]:
        """The device lamps, and the zones that have a working reader now."""
        self._show(None, (), facts)
        self._working = readers
        self._know_readers()
        return self._changes.take()

    def _know_readers(self) -> None:
        readers = self._shoe.working(self._working)
        if readers != self.readers:
            self.readers = readers
            if self._running():
                self._judge(inp.ReadersKnown(tuple(sorted(readers)), self.t_ms))

    def resume(self, inputs: Iterable[inp.Input], *, key_kept: bool = True) -> list[Change]:
        """Fold the journalled inputs of a hand that was running when the service stopped; nothing is journalled again. Returns the changes.

        ``key_kept`` False: the hand key did not survive (a power cut). Cards are then known by where they lie; the others are new ones.
        """
        for given in inputs:
            self.t_ms = max(self.t_ms, given.t_ms)
            if isinstance(given, inp.Superseded):
                before = self.hand
                assert before is not None
                hand = self._history.supersede(given, self.rules, before)
                assert isinstance(hand, Hand), "a correction that was stored had been judged"
                self._show_corrected(before, hand)
            elif isinstance(given, inp.Told) and isinstance(given.command, cmd.OpenHand):
                assert given.command.opening is not None
                self._open(given.command.opening, given.actor)
            elif isinstance(given, inp.Told) and isinstance(given.command, OF_THE_SEATS):
                self._at_the_seats(given.command, given.actor)
            elif self.hand is not None:
                self._judge(given, live=False)
        changes = self._changes.take()
        running = self._hand_running()
        if running is None:
            return changes
        state = running.procedure
        self._screen.fallen_away(running)
        self._screen.keep([*self._screen.hand(running), self._history.fact(running)])
        self._reveals.ask(state.asked - state.faces.keys(), self.t_ms)
        if key_kept:
            self.vault.resumed(self._history.refs())
        else:
            self._lost.begin(state)
        return changes

    # -- time ----------------------------------------------------------------------------------------------------------------------

    def _pass_time(self, t_ms: int) -> None:
        while True:
            zones = self.zones.next_deadline_ms()
            due = t_ms + 1 if zones is None else zones
            own = None if self.hand is None else self.hand.next_deadline_ms()
            if own is not None and own < due:
                due = own
            reveal = self._reveals.next_ms()
            if reveal is not None and reveal < due:
                due = reveal
            if due > t_ms:
                break
            self.t_ms = max(self.t_ms, due)
            if zones == due:
                self._move(self.zones.tick(due))
            elif own == due:
                self._judge(inp.TimePassed(self.t_ms))
            else:
                self._reveal_due()
        self.t_ms = max(self.t_ms, t_ms)

    # -- movements -----------------------------------------------------------------------------------------------------------------

    def _move(self, movements: Iterable[Movement]) -> None:
        for movement in movements:
            if isinstance(movement, ZoneTrouble):
                self._show(None, (), [self._screen.trouble(movement)])
            if self._set_up is not None:
                self._set_up(movement)
            elif isinstance(movement, TagPlaced):
                self._placed(movement)
            elif isinstance(movement, TagRemoved):
                self._removed(movement)
            elif isinstance(movement, TagGlimpsed):
                self._glimpsed(movement)

    def _running(self) -> bool:
        return self.hand is not None and not self.hand.result

    def _placed(self, movement: TagPlaced) -> None:
        if movement.zone in PASSED or self._between_hands(movement):
            return
        if self.hand is not None:
            self._lost.recognise(movement, self.hand.procedure.faces)
        first = self.vault.deck is None
        sighting = self.vault.placed(movement.uid, movement.zone, movement.first_ms)
        if sighting.ref is None:
            if sighting.stranger is not None:
                seen = Stranger(movement.zone, sighting.stranger, sighting.other_deck, barred=sighting.barred)
                self._strange(seen)
            return
        if first and self._running():
            self._tell_deck(self._deck.first_card(self._hand_running(), self.t_ms))
            for earlier in self.vault.first_glimpses():
                self._glimpsed(earlier)
        self._judge(
            inp.CardPlaced(
                sighting.ref,
                movement.zone,
                movement.since_ms,
                movement.first_ms,
                max(movement.t_ms, self.t_ms),
                sighting.same_face,
                sighting.in_game,
            )
        )
        if movement.zone in (MUCK, BURN, *BOARDS):
            self._late_after_all()

    def _glimpsed(self, movement: TagGlimpsed) -> None:
        """One read says nothing by itself; where a card is missing it is weighed."""
        ref = self.vault.glimpsed(movement) if self._running() else None
        if ref is not None:
            self._judge(
                inp.CardGlimpsed(ref, movement.zone, movement.first_ms, max(movement.t_ms, self.t_ms))
            )

    def _hear_shuffler(self, observation: Observation) -> None:
        if self._deck.hear(observation, self._screen.role_of(observation.device)):
            self._tell_deck(self._deck.before_first_card(self._hand_running(), self.t_ms))
            self._show_deck()

    def _tell_deck(self, inputs: Iterable[inp.Input]) -> None:
        for given in inputs:
            self._judge(given)

    def _tell_sensing(self) -> None:
        if (
            self.readers != self.setup.readers
        ):  # stored, so that who takes the hand up again knows why there were taps
            self._judge(inp.ReadersKnown(tuple(sorted(self.readers)), self.t_ms))
        if self.sensing:
            self._judge(inp.SensingKnown(dict(self.sensing), self.t_ms))

    def _show_deck(self) -> None:
        notice = self._deck.notice(running=self._running())
        if notice.code or self._screen.has(("notice", notice.id)):
            self._show(None, (), [notice])

    def _hand_running(self) -> Hand | None:
        return self.hand if self._running() else None

    def _removed(self, movement: TagRemoved) -> None:
        self._see_swept()
        if not self._running():
            return
        stranger = self.vault.stranger(movement.uid)
        if stranger is not None:
            self._strange(Stranger(movement.zone, stranger, gone=True))
            return
        ref = self.vault.ref(movement.uid)
        if ref is not None and self.hand is not None and self.hand.procedure.where.get(ref) == movement.zone:
            if movement.zone != MUCK:
                gone_ms = max(movement.t_ms, self.t_ms)
                self._judge(inp.CardRemoved(ref, movement.zone, gone_ms, movement.since_ms))

    # -- commands ------------------------------------------------------------------------------------------------------------------

    def _tell(self, command: cmd.Command, actor: Actor) -> Refused | None:
        match command:
            case cmd.OpenHand() if self._set_up is not None:
                return Refused("set_up_running")
            case cmd.OpenHand():
                if command.opening is None and self._running():
                    refused = self._close_for_next()  # the next hand starts from what this one leaves
                    if refused is not None:
                        return refused
                own = None if command.opening is not None else self.seats.next_hand()
                opening = command.opening if own is None else self.seats.opening_of(own)
                if opening is None:
                    return Refused("bad_command", {"reason": "too_few_seats"})
                wanted = as_told(opening, command, self.hand)
                if own is not None and not isinstance(wanted, Refused):
                    wanted = with_own_posts(wanted, own, self.rules)
                refused = wanted if isinstance(wanted, Refused) else self._open(wanted, actor)
                if refused is None:
                    self._tell_sensing()
                    self._tell_deck(self._deck.as_a_hand_begins(self._lying(), self.t_ms))
                    self._tell_deck(self._shoe.as_a_hand_begins(self.t_ms))
                return refused
            case _ if isinstance(command, OF_THE_SEATS):
                return self._at_the_seats(command, actor)
            case cmd.Void() if actor == "dealer":
                return Refused("floor_only")
            case cmd.Undo():
                return self._amend(self._history.undo(self.hand, actor, self.t_ms))
            case cmd.Correct():
                given = self._history.correction(self.hand, command, actor, self.t_ms, self.rules)
                return self._amend(given, inp.Told(command, actor, self.t_ms))
            case cmd.Shuffled() if not self._running():
                self._deck.shuffled_by_hand()
                self._show_deck()
                return None
            case cmd.CallFloor() | cmd.Respond(response="call_floor") if not self._running():
                called = te.FloorCalled()  # a dispute goes on
                self._show(inp.Told(command, actor, self.t_ms), [called], [project.notice(called)])
                return None
            case _:
                if self.hand is None:
                    return Refused("hand_not_open")
                if isinstance(command, cmd.Shuffled):
                    self._deck.shuffled_by_hand()
                told = inp.Told(command, actor, self.t_ms)
                refused = None if self._came_late(told) else self._judge(told)
                self._late_after_all()
                return refused

    def _open(self, opening: HandOpening, actor: Actor) -> Refused | None:
        if self._running():
            refused = self._close_for_next()
            if refused is not None:
                return refused
        refused = opening_refused(opening, self.rules)
        if refused is not None:
            return refused
        opening = written_out(opening, self.rules, self.seats.bystanders)
        try:
            hand, events = open_hand(opening, self.rules, self.setup.readers, self.setup.settle_ms, self.t_ms)
        except betting.BadSetup as error:
            return Refused("bad_command", {"reason": error.code})
        game = self.rules.game_of(opening)
        self.vault.begin_hand(opening.hand, self._new_key(opening.hand), game.faces)
        self.seats.opened(opening)
        gone = self._screen.new_hand()
        self.before, self.hand = self.hand, hand
        self._history.clear()
        self._reveals.clear()
        self._lost.clear()
        self._swept = False
        told = inp.Told(cmd.OpenHand(opening), actor, self.t_ms)
        self._show(told, events, [*self._screen.hand(hand), fx.UndoFact()], gone=gone)
        return None

    def _close_for_next(self) -> Refused | None:
        """A hand that is decided, misdealt or void gives way to the next one; any other is still running."""
        hand = self.hand
        assert hand is not None
        if hand.settlement is None and not hand.procedure.misdeal and not hand.procedure.ended:
            return Refused("hand_open")
        self.close()
        return None

    def close(self, *, unsettled: bool = False) -> None:
        """End the running hand as what it is: completed when it was awarded, otherwise a misdeal or void, or ``unsettled``."""
        hand = self.hand
        if hand is None or hand.result:
            return
        decision = Decision(hand, self.rules, self.t_ms)
        decision.close(unsettled=unsettled)
        self.hand = decision.hand
        self._after(None, decision.events)

    # -- judging -------------------------------------------------------------------------------------------------------------------

    def _judge(self, given: inp.Input, *, live: bool = True) -> Refused | None:
        hand = self.hand
        assert hand is not None
        after, events, refused = decide(hand, given, self.rules)
        if refused is not None:
            return refused
        self._history.record(given, hand)
        self.hand = after
        self._after(given, events)
        if live:
            for event in events:
                if type(event) in FOR_THE_VAULT:
                    self._ask_vault(event)
        return None

    def _after(self, given: inp.Input | None, events: list[TableEvent]) -> None:
        hand = self.hand
        assert hand is not None
        facts: list[fx.Fact] = []
        more: list[TableEvent] = []
        tapped = type(given) is inp.Told
        for event in events:
            tapped = tapped or ends_undo(event, hand)
            if type(event) in QUIET:
                continue
            match event:
                case te.HandClosed():
                    more, notices = self._after_the_hand(hand, event)
                    facts += notices
                    self.vault.end_hand()
                    if not self._swept:
                        self._collected()
                    self._reveals.clear()
                    facts += self._screen.seats(hand)
                case _ if isinstance(event, project.Noticed):
                    facts.append(project.notice(event))
                case _:
                    self._reveals.hear(event, hand.procedure)
        if tapped:
            facts.append(self._history.fact(hand))
        changed = self._screen.draw(hand, project.touched(hand, events))
        changed += self._screen.keep(facts)
        over = hand if hand.result else None
        ledger = self.seats.ledger if over else None
        played = finished(over, self.rules, self.setup) if over else None
        events = [*events, *more]
        self._changes.keep(self.t_ms, given, events, changed, ledger=ledger, played=played, over=over)

    def _ask_vault(self, event: TableEvent) -> None:
        match event:
            case pe.FaceAsked():
                self._reveals.ask(event.refs, self.t_ms)
                self._reveal_due()
            case te.SeatTabled():
                self._reveal_tabled(event.seat, event.refs)
            case _:
                pass

    def _reveal_tabled(self, seat: int, refs: Iterable[str]) -> None:
        for ref in refs:
            face = self.vault.reveal_tabled(ref, seat_zone(seat))
            if face is not None:
                self._judge(inp.FaceRevealed(ref, face, self.t_ms))

    def _reveal_due(self) -> None:
        while self.hand is not None and (revealed := self._reveals.take(self.hand, self.t_ms)) is not None:
            ref, face = revealed
            self._judge(inp.FaceRevealed(ref, face, self.t_ms))

    def _show(
        self,
        given: inp.Input | None,
        events: Iterable[TableEvent],
        facts: Iterable[fx.Fact],
        *,
        gone: Iterable[Section] = (),
    ) -> None:
        """Keep a change: facts that are as they were before are left out."""
        self._changes.keep(self.t_ms, given, events, self._screen.keep(facts), gone)
