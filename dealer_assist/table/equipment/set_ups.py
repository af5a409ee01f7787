"""What the desk does with decks: register one, check one. See :mod:`dealer_assist.table.equipment.desk`."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import msgspec

from dealer_assist.domain import equipment as eq
from dealer_assist.domain.cards import NotACard, parse_face
from dealer_assist.domain.commands import Actor, Refused
from dealer_assist.domain.facts import Fact
from dealer_assist.table.core import Core
from dealer_assist.table.deckfile import Deck
from dealer_assist.table.equipment.antennas import Antennas
from dealer_assist.table.equipment.calibration import Calibration, CheckedReads
from dealer_assist.table.equipment.checking import DeckCheck
from dealer_assist.table.equipment.deckbook import DeckBook
from dealer_assist.table.equipment.files import EquipmentFiles, NotStored, Unfinished
from dealer_assist.table.equipment.receipts import Receipt
from dealer_assist.table.equipment.registration import ORDER, Registration
from dealer_assist.table.ports import Movement, TagPlaced, ZoneTrouble
from dealer_assist.table.recording import Recorder


class Outcome(msgspec.Struct):
    """What came of a command, a read or of time: what the result tells, facts to show, marks for the journal, a refusal.

    ``later``: what is still to be done, in another thread and without the table, and what comes of that.
    """

    facts: list[Fact] = []
    marks: list[tuple[str, Any]] = []
    params: dict[str, Any] = {}
    refused: Refused | None = None
    later: Callable[[], Outcome] | None = None


def no(code: str, **params: str | int) -> Outcome:
    """A refusal."""
    return Outcome(refused=Refused(code, params))


class SetUps:
    """The part of a desk that registers and checks decks, and what it shares with the rest."""

    antennas: Antennas
    _core: Core
    _files: EquipmentFiles
    _book: DeckBook
    _simulated: bool
    _utc_s: Callable[[], int]
    _actor: Actor
    _dealer: str
    _receipts: list[Receipt]
    _checked: CheckedReads
    _pending: Outcome
    _registration: Registration | None
    _check: DeckCheck | None
    _calibration: Calibration | None
    _note: str
    _recorder: Recorder | None
    _active_ms: int
    _params: dict[str, str | int]

    def _mark(self, deck: str) -> tuple[str, Any]:
        """A deck's entry, for the journal."""
        return "deck", self._book.register.entry(deck)

    def utc(self, now_s: int) -> str:
        """A time of the day as receipts have it."""
        return dt.datetime.fromtimestamp(now_s, dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    # -- registration --------------------------------------------------------------------------------------------------------------

    def _register(self, command: eq.RegisterDeck, t_ms: int) -> Outcome:
        if command.zone not in self.antennas.zones():
            return no("no_such_zone", zone=command.zone)
        if not self._files.can_keep_decks(simulated=self._simulated):
            return no("no_table_key")
        entry = self._book.register.entry(command.deck)
        if entry is not None and entry.state in ("quarantine", "retired"):
            return no("deck_cannot", deck=command.deck, life="registered", was=entry.state)
        if command.deck in self._book.names() and not command.again:
            return no("deck_exists", deck=command.deck)
        left = self._files.load_unfinished(command.deck)
        if left is None:
            registration = Registration(command.deck, command.back, command.zone)
        else:
            registration = Registration(
                command.deck, left.deck.back or command.back, command.zone, left.deck.by_uid(), left.order
            )
        self._book.begun(command.deck, registration.back, len(registration.cards), self._utc_s(), self._actor)
        self._registration = registration
        lying = self._begin(command.zone)
        self._say("clear_zone" if lying else "resumed" if left is not None else "", count=lying)
        marks = [("registration", {"deck": command.deck, "cards": len(registration.cards)})]
        return Outcome([self._fact(t_ms), self._book.fact(self._utc_s())], marks)

    def _lay(self, registration: Registration, placed: TagPlaced) -> None:
        """A card was laid down to be registered."""
        if placed.zone != registration.zone:
            return
        owner = self._book.owners().get(placed.uid, registration.deck)
        if owner != registration.deck:
            self._say("other_deck", deck=owner)
            return
        laid = registration.lay(placed.uid, placed.since_ms, placed.first_ms)
        self._say(laid)
        if laid in ("laid", "two_at_once", "complete"):
            self._keep_unfinished(registration)
        if laid == "complete":
            self._registered(registration)

    def _keep_unfinished(self, registration: Registration) -> None:
        next_face = registration.next
        self._files.save_unfinished(
            Unfinished(
                self._deck_of(registration),
                registration.zone,
                0 if next_face is None else ORDER.index(next_face),
            )
        )

    def _deck_of(self, registration: Registration) -> Deck:
        cards = {uid.hex().upper(): face for uid, face in registration.cards.items()}
        return Deck(registration.deck, registration.back, cards, self._simulated)

    def _registered(self, registration: Registration) -> None:
        """All 52 are there."""
        now_s = self._utc_s()
        self._book.add(self._deck_of(registration), now_s, self._actor)
        self._end()
        self._use_decks()
        self._pending.facts += [self._book.fact(now_s)]
        self._pending.marks.append(self._mark(registration.deck))
        self._say("registered", deck=registration.deck)

    # -- check ---------------------------------------------------------------------------------------------------------------------

    def _begin_check(self, command: eq.CheckDeck, t_ms: int) -> Outcome:
        if command.zone and command.zone not in self.antennas.zones():
            return no("no_such_zone", zone=command.zone)
        if command.deck and self._book.faces(command.deck) is None:
            return no("no_such_deck", deck=command.deck)
        if not self._book.names():
            return no("no_such_deck", deck="")
        self._check = DeckCheck(
            command.deck, command.zone, self._book.faces(command.deck) or {}, self._book.owners()
        )
        self._checked = CheckedReads()
        self._dealer = command.dealer
        self._begin(command.zone)
        self._say("")
        for zone, uids in self._core.zones.occupied().items():
            for uid in uids if command.zone in ("", zone) else ():
                self._read(self._check, uid)
        return Outcome([self._fact(t_ms)], [("deck_check", {"deck": command.deck, "dealer": command.dealer})])

    def _read(self, check: DeckCheck, uid: bytes) -> None:
        """A card was read in a check; the first one says which deck it is, where nobody did."""
        if not check.deck:
            owner = self._book.owners().get(uid, "")
            faces = self._book.faces(owner)
            if faces is None:
                self._say("unknown_card", deck="")
                return
            check = self._check = DeckCheck(owner, check.zone, faces, self._book.owners())
        found, deck = check.lay(uid)
        self._say(found, deck=deck)

    def _finish_check(self, check: DeckCheck, t_ms: int) -> Outcome:
        """The receipt is stored last: where something could not be stored the check goes on, and no receipt was given."""
        result = check.result()
        now_s = self._utc_s()
        zone = check.zone or next(
            (zone for zone in ("muck", "gate", "board") if zone in self.antennas.zones()), ""
        )
        link = self.antennas.link_of(self.antennas.device_of(zone))
        entry = self._book.register.entry(check.deck)
        receipt = Receipt(
            self._receipts[-1].number + 1 if self._receipts else 1,
            self._core.setup.name,
            self.utc(now_s),
            check.deck,
            "" if entry is None else entry.back,
            self._dealer or self._actor,
            link.maker,
            link.model,
            link.serial,
            link.firmware,
            "complete" if result.complete else "not_complete",
            result.read,
            result.of,
            result.dead,
            result.foreign,
            result.twice,
            self._simulated,
        )
        if result.complete:
            self._book.checked(check.deck, now_s)
        for ended in self.antennas.tick(t_ms, dealt=False):
            self._checked.add(ended)
        self.antennas.keep(self._checked.refine(self.antennas.measured), receipt.t_utc)
        self._checked = CheckedReads()  # they are in the figures now, also where the receipt cannot be stored
        self._files.add_receipt(receipt)
        self._receipts.append(receipt)
        self._sense()
        self._end()
        self._say(
            f"check_{receipt.result}", deck=check.deck, read=result.read, of=result.of, number=receipt.number
        )
        return Outcome(
            [self._fact(t_ms), self._book.fact(now_s), *self.antennas.facts()],
            [("receipt", receipt)],
            {"receipt": msgspec.to_builtins(receipt)},
        )

    def _step_registration(self, registration: Registration, command: eq.SetupStep, t_ms: int) -> Outcome:
        done = True
        match command.do:
            case "skip":
                done = registration.skip()
            case "back":
                done = registration.back_one()
            case "face":
                try:
                    face = parse_face(command.face)
                except NotACard:
                    return no("not_a_card", text=command.face)
                if not registration.go_to(face):
                    return no("face_registered", card=face)
            case "finish" if registration.next is None:
                self._registered(registration)  # all are there, and could not be stored before
                return Outcome([self._fact(t_ms)])
            case "finish":
                return no("cards_missing", count=52 - len(registration.cards))
            case "cancel":
                self._files.drop_unfinished(registration.deck)
                self._book.forget(registration.deck)
                self._end()
                self._say("cancelled", deck=registration.deck)
                return Outcome([self._fact(t_ms), self._book.fact(self._utc_s())])
            case "pause":
                self._book.begun(
                    registration.deck, registration.back, len(registration.cards), self._utc_s(), self._actor
                )
                self._end()
                self._say("paused", deck=registration.deck, count=len(registration.cards))
                return Outcome([self._fact(t_ms), self._book.fact(self._utc_s())])
        if not done:
            return no("no_such_step", do=command.do)
        self._keep_unfinished(registration)
        self._say("")
        return Outcome([self._fact(t_ms)])

    def _step_check(self, check: DeckCheck, command: eq.SetupStep, t_ms: int) -> Outcome:
        match command.do:
            case "finish" if check.deck:
                return self._finish_check(check, t_ms)
            case "cancel" | "pause":
                self._end()
                self._say("cancelled", deck=check.deck)
                return Outcome([self._fact(t_ms)])
            case _:
                return no("no_such_step", do=command.do)

    def _moved(self, movement: Movement) -> None:
        """A card came or went while something is set up."""
        if isinstance(movement, ZoneTrouble):
            if movement.kind == "mangled":
                self._say("mangled", zone=movement.zone)
            return
        if not isinstance(movement, TagPlaced):
            return
        self._active_ms = movement.t_ms
        try:
            if self._registration is not None:
                self._lay(self._registration, movement)
            elif self._check is not None and self._check.zone in ("", movement.zone):
                self._read(self._check, movement.uid)
        except NotStored as error:
            self._say("not_stored", reason=error.reason)

    # -- the state of the desk -----------------------------------------------------------------------------------------------------

    def _begin(self, zone: str) -> int:
        """Something is set up from now on; returns how many cards lie at the zone."""
        self._core.begin_set_up(self._moved)
        return len(self._core.zones.occupied().get(zone, ()))

    def _end(self) -> None:
        self._registration = None
        self._check = None
        self._calibration = None
        self._core.end_set_up()

    def _sense(self) -> None:
        """The antennas read otherwise than before: it counts from the next hand on."""
        self._core.sensing = self.antennas.sensing()
        if self._recorder is not None:
            self._recorder.sensed(self._core.sensing)

    def _use_decks(self) -> None:
        in_play = self._book.in_play()
        self._core.use_decks(in_play.cards, in_play.decks, in_play.barred)

    def _say(self, note: str, **params: str | int) -> None:
        self._note, self._params = note, params

    def _fact(self, t_ms: int) -> eq.SetupFact:
        """What is going on, for the screens."""
        if self._registration is not None:
            r = self._registration
            return eq.SetupFact(
                "registration",
                r.deck,
                r.zone,
                len(r.cards),
                len(ORDER),
                r.next or "",
                self._note,
                self._params,
                r.faces,
            )
        if self._check is not None:
            c = self._check
            return eq.SetupFact("check", c.deck, c.zone, c.read, c.of, "", self._note, self._params)
        if self._calibration is not None:
            going = self._calibration
            target = going.target
            zone = "" if target is None else going.measured[target].zone
            touches = going.touches()
            return eq.SetupFact(
                "calibration", "", zone, going.done, going.of, zone, self._note, self._params, (), touches
            )
        return eq.SetupFact(note=self._note, params=self._params)
