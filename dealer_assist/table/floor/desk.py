"""The floor's desk: badges that are shown, PINs, who is signed in and for how long, what only he may do, what he signs.

It belongs to the session's thread, beside the core. What it decides goes into the journal as marks before anybody sees it. A PIN is only
ever handed on to the :class:`~dealer_assist.table.floor.check.Prover`; a try is in the journal before it is checked, so that pulling
the plug gives nobody another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol

import msgspec

from dealer_assist.config.staff import Person, Staff
from dealer_assist.domain import floor as fl
from dealer_assist.domain.commands import Actor, Command, DealerPush, Refused, Undo
from dealer_assist.domain.facts import Fact
from dealer_assist.domain.table import STREETS
from dealer_assist.table.change import Change
from dealer_assist.table.core import Core
from dealer_assist.table.equipment.set_ups import Outcome, no
from dealer_assist.table.floor.book import Book
from dealer_assist.table.floor.check import Prover
from dealer_assist.table.floor.locks import Locks, Tries
from dealer_assist.table.floor.rights import floor_speaks, needs_floor
from dealer_assist.table.ports import BadgeLeft, BadgeSeen, LinkChanged, Observation

#: A badge that was shown is forgotten when no PIN follows for so long.
PIN_WITHIN_S: Final = 60
#: A badge that lay at the reader is away when it has not come back for so long, in table ms.
BADGE_GONE_MS: Final = 1500
#: The marks of the journal from which :meth:`FloorDesk.take_up` goes on.
MARKS: Final = frozenset(
    {
        "pin_tried",
        "pin_wrong",
        "floor_signed_in",
        "floor_signed_out",
        "ruling_unsigned",
        "rulings_signed",
        "hand_alerts",
    }
)


class StaffSource(Protocol):
    """A staff file (see :class:`dealer_assist.config.staff.StaffFile`)."""

    staff: Staff
    wrong: str

    @property
    def arrived(self) -> bool:
        """Whether there is something for :meth:`look` to take over."""

    def look(self) -> bool:
        """Take over what has changed; whether anything is other than before. It waits for nothing."""


class Who(msgspec.Struct, frozen=True):
    """A person in a mark of the journal. ``why``: of a sign-out."""

    number: int
    name: str
    why: str = ""


class WrongPin(msgspec.Struct, frozen=True):
    """A try in the journal, with what it led to."""

    number: int
    wrong: int = 0
    locked_until_s: int = 0


class _Shown(msgspec.Struct, frozen=True):
    """A floor badge that waits for its PIN."""

    person: Person
    device: str
    until_s: int


class _SignedIn(msgspec.Struct, frozen=True):
    """Floor mode. ``device``: the reader at which his badge still lies, "" where he has put it away."""

    person: Person
    since_s: int
    until_s: int
    device: str


class FloorDesk:
    """One table's. ``source`` None: a table without a staff file, where everything is as it was before there were any.

    ``tries``: so many wrong PINs in a row lock a badge. ``session_s``: floor mode ends when nobody touches anything for so long.
    ``utc_s``: the time of the day in seconds.
    """

    def __init__(
        self,
        core: Core,
        *,
        source: StaffSource | None,
        prover: Prover | None,
        utc_s: Callable[[], int],
        tries: int = 3,
        session_s: int = 300,
        dealers: dict[str, str] | None = None,
    ) -> None:
        self._core = core
        self._source = source
        self._prover = prover
        self._utc_s = utc_s
        self._session_s = session_s
        self._own_dealers = dict(dealers or {})
        self._locks = Locks(tries)
        self._tries = tries
        self._book = Book()
        #: which badge lies at which reader, and since when it is away
        self._lying: dict[str, str] = {}
        self._gone_ms: int | None = None
        self._shown: _Shown | None = None
        self._checking: tuple[_Shown, str] | None = None
        self._started = False
        self._signed_in: _SignedIn | None = None
        self._note = ""
        self._pending = Outcome()
        self._looked_s = utc_s()
        self._know_staff()

    def __repr__(self) -> str:
        return "FloorDesk()"

    # -- rights ----------------------------------------------------------------------------------------------------------------------

    @property
    def configured(self) -> bool:
        """Whether the table has a staff file: what is the floor's needs badge and PIN then."""
        return self._source is not None

    def forbids(self, command: Command, actor: Actor) -> Refused | None:
        """Why this may not be done now: it is the floor's, and nobody is signed in."""
        if not self.configured or self._signed_in is not None:
            return None
        undone = isinstance(command, Undo) and self._core.undoes_floor()
        if actor == "floor" or needs_floor(command) or undone:
            return Refused("floor_not_signed_in")
        return None

    def actor_of(self, command: Command, actor: Actor) -> Actor:
        """Who speaks: the floor, for what is his, while he is signed in. It is a sign that he is there."""
        if self._signed_in is None or not (actor == "floor" or floor_speaks(command)):
            return actor
        self._stay()
        return "floor"

    def named(self, command: Command) -> Command:
        """A dealer who is pushed in by his staff number has his name, as by his badge."""
        if not isinstance(command, DealerPush) or self._source is None:
            return command
        person = next((one for one in self._source.staff.staff if str(one.number) == command.dealer), None)
        return command if person is None or not person.active else DealerPush(person.name)

    def stop(self) -> None:
        """No PIN is checked any more."""
        if self._prover is not None:
            self._prover.stop()

    # -- commands ----------------------------------------------------------------------------------------------------------------------

    def tell(self, command: Command) -> Outcome | None:
        """Carry out one of the floor's commands, or say why not. None: its fate is told by :meth:`proved`."""
        match command:
            case fl.AskShift(before=before):
                alerts, count = self._book.page(before)
                return Outcome(params={"alerts": msgspec.to_builtins(alerts), "of": count})
            case fl.AskActions(seat=seat):
                return Outcome(params={"seat": seat, "actions": msgspec.to_builtins(self._actions(seat))})
            case _ if not self.configured:
                return no("no_staff")
            case fl.SignIn(pin=pin):
                return self._sign_in(pin)
            case fl.SignOut():
                return self._sign_out("signed_out")
            case _ if self._signed_in is None:
                return no("floor_not_signed_in")
            case fl.StaySignedIn():
                self._stay()
                return Outcome([self._fact()])
            case fl.SignOff(rulings=rulings):
                return self._sign_off(rulings)
            case _:
                raise AssertionError(f"{type(command).__name__} is no command of the floor's")

    def _actions(self, seat: int) -> list[fl.SeatAction]:
        """What the seat has done in the running hand, the last first."""
        hand = self._core.hand
        log = () if hand is None or hand.result else hand.betting.log
        return [
            fl.SeatAction(STREETS[taken.street], taken.kind, taken.to, taken.all_in, taken.assumed)
            for taken in reversed(log)
            if taken.seat == seat
        ]

    def _sign_in(self, pin: str) -> Outcome | None:
        if self._checking is not None:
            return no("pin_being_checked")
        self._look()
        shown = self._shown
        if shown is None:
            return no("show_badge")
        person = shown.person
        if person.pin is None:
            return no("no_pin", name=person.name)
        until_s = self._locks.of(person.number).locked_until_s
        if until_s > self._utc_s():
            return Outcome(refused=self._locked(person, until_s))
        self._checking = shown, pin
        self._started = False
        self._note = ""
        self._pending.marks.append(("pin_tried", WrongPin(person.number)))
        return None

    def begin_check(self, done: Callable[[bool], None]) -> None:
        """The try is in the journal: check it. ``done`` is called from another thread."""
        if self._checking is None or self._started:
            return
        self._started = True
        shown, pin = self._checking
        assert self._prover is not None, "a table with a staff file has something to prove PINs with"
        self._prover.start(shown.person, pin, done)

    def leave_check(self) -> bool:
        """The try could not be stored: nothing is checked. False where the check has begun before."""
        if self._started:
            return False
        self._checking = None
        return True

    def proved(self, right: bool) -> Outcome:
        """What the check came to."""
        assert self._checking is not None
        shown, _ = self._checking
        self._checking = None
        now_s, number = self._utc_s(), shown.person.number
        if right and self._still(shown.person):
            self._locks.right(number)
            self._shown = None
            marks = self._left("signed_in_anew")
            badge = shown.person.badge
            device = shown.device if self._lying.get(shown.device) == badge else ""
            self._gone_ms = None
            self._note = ""
            self._signed_in = _SignedIn(shown.person, now_s, now_s + self._session_s, device)
            marks.append(("floor_signed_in", Who(number, shown.person.name)))
            return Outcome([self._fact()], marks)
        tries = self._locks.wrong(number, now_s)
        mark = ("pin_wrong", WrongPin(number, tries.wrong, tries.locked_until_s))
        if tries.locked_until_s:
            self._note = "locked"
            refused = self._locked(shown.person, tries.locked_until_s)
        else:
            self._note = "wrong_pin"
            refused = Refused("wrong_pin", {"count": self._locks.left(number)})
        return Outcome([self._fact()], [mark], refused=refused)

    def _locked(self, person: Person, until_s: int) -> Refused:
        """In whole minutes, rounded up."""
        minutes = -(-(until_s - self._utc_s()) // 60)
        return Refused("badge_locked", {"name": person.name, "until_s": until_s, "count": minutes})

    def _still(self, person: Person) -> bool:
        """Whether the staff file still has him as it had him when his badge was shown."""
        return self._source is not None and self._source.staff.of_number(person.number) == person

    def _sign_out(self, why: str) -> Outcome:
        self._shown = None
        marks = self._left(why)
        self._note = why if marks else ""
        return Outcome([self._fact()], marks)

    def _left(self, why: str) -> list[tuple[str, Any]]:
        """Floor mode ends, if it was on."""
        left, self._signed_in = self._signed_in, None
        if left is None:
            return []
        return [("floor_signed_out", Who(left.person.number, left.person.name, why))]

    def _sign_off(self, rulings: tuple[int, ...]) -> Outcome:
        assert self._signed_in is not None
        self._stay()
        person = self._signed_in.person
        signed = self._book.sign(rulings, person.number, person.name)
        if signed is None:
            return no("nothing_to_sign")
        return Outcome([self._fact()], [("rulings_signed", signed)], params={"count": len(signed.rulings)})

    def _stay(self) -> None:
        if self._signed_in is not None:
            until_s = self._utc_s() + self._session_s
            self._signed_in = msgspec.structs.replace(self._signed_in, until_s=until_s)

    # -- badges ----------------------------------------------------------------------------------------------------------------------

    def hear(self, observation: Observation) -> None:
        """Take what a reader says of badges, after the core did; what comes of it is told by :meth:`tick`."""
        match observation:
            case BadgeSeen(device=device, badge=badge):
                self._lying[device] = badge
                self._came(device, badge)
            case BadgeLeft(device=device):
                self._away(device, observation.t_ms)
            case LinkChanged(device=device, state=state) if device in self._lying and state != "ok":
                self._away(device, observation.t_ms)

    def _came(self, device: str, badge: str) -> None:
        if self._signed_in is not None and self._signed_in.person.badge == badge:
            self._gone_ms = None
            self._stay()
            return
        self._look()
        person = self._source.staff.of_badge(badge) if self._source is not None else None
        if person is None or person.role != "floor" or self._checking is not None:
            return
        self._shown = _Shown(person, device, self._utc_s() + PIN_WITHIN_S)
        self._note = ""

    def _away(self, device: str, t_ms: int) -> None:
        self._lying.pop(device, None)
        if self._signed_in is not None and self._signed_in.device == device:
            self._gone_ms = t_ms

    # -- what passes -------------------------------------------------------------------------------------------------------------------

    def after(self, changes: Iterable[Change]) -> list[tuple[str, Any]]:
        """What came of an input; returns what the journal keeps of hands that are over."""
        marks: list[tuple[str, Any]] = []
        for change in changes:
            if change.over is not None:
                marks += self._book.close(change.over, self._utc_s())
        return marks

    def tick(self, t_ms: int, *, busy: bool = False) -> Outcome:
        """Let time pass. ``busy``: decks or antennas are being set up, which is a sign that somebody is there."""
        now_s = self._utc_s()
        if now_s != self._looked_s:
            if now_s < self._looked_s:
                self._clock_set_back(self._looked_s - now_s)
            self._looked_s = now_s
            self._each_second(now_s, busy=busy)
        elif self._source is not None and self._source.arrived:
            self._look()
        if self._gone_ms is not None and t_ms - self._gone_ms >= BADGE_GONE_MS:
            self._gone_ms = None
            self._end("badge_left")
        if self.configured:
            self._book.see(self._core.hand, now_s)
        pending, self._pending = self._pending, Outcome()
        pending.facts += [self._fact(), self._dealer()]
        return pending

    def _clock_set_back(self, by_s: int) -> None:
        """What runs out does so when it would have: floor mode must not stay open for hours, nor a badge locked."""
        if self._signed_in is not None:
            until_s = self._signed_in.until_s - by_s
            self._signed_in = msgspec.structs.replace(self._signed_in, until_s=until_s)
        if self._shown is not None:
            self._shown = msgspec.structs.replace(self._shown, until_s=self._shown.until_s - by_s)
        self._locks.set_back(by_s)

    def _each_second(self, now_s: int, *, busy: bool) -> None:
        self._look()
        if busy:
            self._stay()
        if self._signed_in is not None and now_s >= self._signed_in.until_s:
            self._end("timed_out")
        if self._shown is not None and self._checking is None and now_s >= self._shown.until_s:
            self._shown = None
            self._note = "badge_timed_out"

    def _look(self) -> None:
        """What is new of the staff, if anything."""
        if self._source is not None and self._source.look():
            self._know_staff()

    def _end(self, why: str) -> None:
        marks = self._left(why)
        if marks:
            self._note = why
            self._pending.marks += marks

    def _know_staff(self) -> None:
        """Whose badge is whose from now on. Who is not what he was is signed out."""
        if self._source is None:
            return
        people = [person for person in self._source.staff.staff if person.active]
        badges = {person.badge: person for person in people if person.badge is not None}
        dealers = {badge: person.name for badge, person in badges.items() if person.role == "dealer"}
        self._core.setup = msgspec.structs.replace(
            self._core.setup,
            dealers={**self._own_dealers, **dealers},
            other_badges=frozenset(badges) - frozenset(dealers),
        )
        known = [{"number": one.number, "role": one.role, "badge": one.badge or ""} for one in people]
        self._pending.marks.append(("staff_known", {"people": known, "wrong": self._source.wrong}))
        if self._shown is not None and self._checking is None:
            owner = self._source.staff.of_badge(self._shown.person.badge or "")
            floors = owner is not None and owner.role == "floor"
            self._shown = msgspec.structs.replace(self._shown, person=owner) if floors else None
        if self._signed_in is not None and not self._still(self._signed_in.person):
            self._end("retired")

    # -- facts -------------------------------------------------------------------------------------------------------------------------

    def first_facts(self) -> list[Fact]:
        """What the screens get when the service starts."""
        return [self._fact(), self._dealer()]

    def _fact(self) -> fl.FloorModeFact:
        shown, here, now_s = self._shown, self._signed_in, self._utc_s()
        lock = Tries() if shown is None else self._locks.of(shown.person.number)
        hand = self._core.hand
        alerts = () if hand is None or hand.result else hand.procedure.alerts.values()
        return fl.FloorModeFact(
            configured=self.configured,
            badge="" if shown is None else shown.person.name,
            badge_until_s=0 if shown is None else shown.until_s,
            checking=self._checking is not None,
            locked_until_s=lock.locked_until_s if lock.locked_until_s > now_s else 0,
            tries_left=0 if shown is None else self._locks.left(shown.person.number),
            name="" if here is None else here.person.name,
            number=0 if here is None else here.person.number,
            since_s=0 if here is None else here.since_s,
            until_s=0 if here is None else here.until_s,
            note=self._note,
            file_wrong="" if self._source is None else self._source.wrong,
            rule_on=tuple(
                [
                    alert.id
                    for alert in alerts
                    if alert.options and alert.ruled is None and alert.state in ("open", "fixing")
                ]
            ),
            unsigned=self._book.unsigned if self.configured else (),
        )

    def _dealer(self) -> fl.DealerFact:
        name = self._core.seats.ledger.dealer
        people = () if self._source is None else self._source.staff.staff
        person = next((one for one in people if one.active and one.name == name), None)
        if person is None:
            return fl.DealerFact(name)
        return fl.DealerFact(name, person.language, person.hand)

    # -- the journal's marks -------------------------------------------------------------------------------------------------------------

    def take_up(self, marks: Iterable[tuple[str, bytes, int]]) -> None:
        """Go on from the journal: name, payload and time (UTC, s) of its marks, in order. Floor mode does not outlive the service."""
        now_s = self._utc_s()
        here: Who | None = None
        for name, payload, t_s in marks:
            match name:
                case "pin_tried":
                    self._locks.wrong(msgspec.json.decode(payload, type=WrongPin).number, t_s)
                case "pin_wrong":
                    wrong = msgspec.json.decode(payload, type=WrongPin)
                    self._locks.put(wrong.number, Tries(wrong.wrong, wrong.locked_until_s))
                case "floor_signed_in":
                    here = msgspec.json.decode(payload, type=Who)
                    self._locks.right(here.number)
                case "floor_signed_out":
                    here = None
                case _:
                    self._book.take_up(name, payload, now_s)
        self._locks.no_longer_than_due(now_s)
        if here is not None:
            self._note = "restarted"
            self._pending.marks.append(("floor_signed_out", Who(here.number, here.name, "restarted")))
