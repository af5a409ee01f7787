"""The desk for decks and antennas: carries out what people ask for between hands, and says how far it is.

It belongs to the session's thread, beside the core, which it mutes while something is set up: a card that is laid on a seat's antenna to
calibrate it begins no hand. What it keeps goes through :class:`~dealer_assist.table.equipment.files.EquipmentFiles`. Nothing that it
returns holds a tag, or a face but those that its facts may name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, get_args

import msgspec

from dealer_assist.domain import equipment as eq
from dealer_assist.domain.commands import Actor
from dealer_assist.domain.facts import Fact, NoticeFact
from dealer_assist.table.core import Core
from dealer_assist.table.deckfile import Deck
from dealer_assist.table.equipment.antennas import Antennas
from dealer_assist.table.equipment.calibration import Calibration, CheckedReads
from dealer_assist.table.equipment.checking import DeckCheck
from dealer_assist.table.equipment.deckbook import DeckBook
from dealer_assist.table.equipment.files import EquipmentFiles, NotStored
from dealer_assist.table.equipment.reads import AntennaKey
from dealer_assist.table.equipment.registration import Registration
from dealer_assist.table.equipment.set_ups import Outcome, SetUps, no
from dealer_assist.table.ports import Observation, ShufflerChanged
from dealer_assist.table.recording import Recorder

OF_THE_DESK: Final = get_args(eq.EquipmentCommand)
#: Codes of a shuffler's verdict that is no full deck.
_WRONG_COUNT: Final = frozenset({"short", "long", "duplicate"})


#: How often the register is looked at for decks that have been in use too long.
REGISTER_EVERY_S: Final = 60


#: A set-up of which nothing is heard for so long was forgotten: it is left off, so that it never holds up a game (table ms).
FORGOTTEN_MS: Final = 5 * 60_000
#: How long the table waits before it tries to store again what could not be stored: a failing disk may take seconds to say so.
STORE_AGAIN_S: Final = 30


class Desk(SetUps):
    """One table's desk. ``utc_s``: the time of the day in seconds; ``simulated``: decks that are registered here are no real ones.

    ``new_key``: 32 random bytes, for each recording that is saved.
    """

    def __init__(
        self,
        core: Core,
        files: EquipmentFiles,
        configured: Iterable[Deck],
        antennas: Mapping[AntennaKey, str],
        *,
        simulated: bool,
        utc_s: Callable[[], int],
        links: Callable[[], Sequence[eq.LinkView]] = tuple,
        recorder: Recorder | None = None,
        new_key: Callable[[], bytes] = bytes,
    ) -> None:
        self._core = core
        self._files = files
        self._simulated = simulated
        self._recorder = recorder
        self._new_key = new_key
        self._utc_s = utc_s
        self._book = DeckBook(files, configured, utc_s())
        self.antennas = Antennas(antennas, files, links)
        self._receipts = list(files.receipts())
        self._registration: Registration | None = None
        self._check: DeckCheck | None = None
        self._dealer = ""
        self._checked = CheckedReads()
        self._calibration: Calibration | None = None
        self._actor: Actor = "dealer"
        self._note = ""
        self._params: dict[str, str | int] = {}
        self._pending = Outcome()
        self._deck_seen: str | None = None
        #: a disk that has failed is not asked again before
        self._deck_again_s = 0
        self._register_shown_s = utc_s()
        self._active_ms = 0
        self._use_decks()
        self._core.sensing = self.antennas.sensing()

    @property
    def busy(self) -> bool:
        """Whether something is being set up."""
        return not (self._registration is None and self._check is None and self._calibration is None)

    def first_facts(self) -> list[Fact]:
        """What the screens get when the service starts."""
        return [eq.SetupFact(), self._book.fact(self._utc_s()), *self.antennas.facts()]

    # -- commands ------------------------------------------------------------------------------------------------------------------

    def tell(self, command: Any, actor: Actor, t_ms: int) -> Outcome:
        """Carry out a command, or say why not; a refused one changes nothing."""
        self._active_ms = t_ms
        try:
            return self._told(command, actor, t_ms)
        except NotStored as error:
            return no("not_stored", reason=error.reason)

    def leave_off(self, t_ms: int) -> Outcome:
        """Somebody wants to play: what is being set up is left off. A registration is gone on with later."""
        if not self.busy:
            return Outcome()
        left = self.tell(eq.SetupStep("pause"), self._actor, t_ms)
        if left.refused is None:
            return left
        # how far it is could not be written into the register; the cards themselves were kept one by one
        self._end()
        self._say(left.refused.code, **left.refused.params)
        return Outcome([self._fact(t_ms)])

    def _told(self, command: Any, actor: Actor, t_ms: int) -> Outcome:
        match command:
            case eq.Diagnose():
                return Outcome(self.antennas.diagnose(command.seconds, t_ms))
            case eq.AskReceipt():
                return self._receipt(command.number)
            case eq.SaveTrace():
                return self._save_trace()
            case eq.SetDeck():
                return self._set_deck(command, actor)
            case eq.SetupStep():
                return self._step(command, actor, t_ms)
            case _:
                pass
        if self._core.hand_running():
            return no("in_a_hand")
        if self.busy:
            return no("set_up_running")
        self._actor = actor
        match command:
            case eq.RegisterDeck():
                return self._register(command, t_ms)
            case eq.CheckDeck():
                return self._begin_check(command, t_ms)
            case eq.Calibrate():
                return self._calibrate(command, t_ms)
            case _:
                return no("bad_command", reason="command")

    def _receipt(self, number: int) -> Outcome:
        found = [receipt for receipt in self._receipts if number in (0, receipt.number)]
        if not found:
            return no("no_receipt", number=number)
        return Outcome(params={"receipt": msgspec.to_builtins(found[-1])})

    def _save_trace(self) -> Outcome:
        """The recording as it stands, to a file of the table's own; the journal keeps that it was taken.

        It is taken here; put into words and onto the disk it is later, in another thread: the table does not wait for it.
        """
        if self._recorder is None or not self._recorder.hands:
            return no("nothing_recorded")
        taken, hands, key = self._recorder.taken(), self._recorder.hands, self._new_key()
        counters = {
            link.device: {name: count for name, count in link.counters.items() if count}
            for link in self.antennas.links()
        }
        name = f"{self.utc(self._utc_s()).replace(':', '')}.jsonl"

        def write() -> Outcome:
            lines = list(taken.lines(key, {name: found for name, found in counters.items() if found}))
            try:
                path = self._files.save_trace(name, lines)
            except NotStored as error:
                return no("not_stored", reason=error.reason)
            told = {"path": path, "hands": hands, "lines": len(lines)}
            return Outcome(params=told, marks=[("trace_saved", told)])

        return Outcome(later=write)

    def _set_deck(self, command: eq.SetDeck, actor: Actor) -> Outcome:
        if self._core.hand_running() and command.deck == self._core.vault.deck:
            return no("deck_in_play", deck=command.deck)
        if self._registration is not None or self._check is not None:
            return no("set_up_running")
        now_s = self._utc_s()
        refused = self._book.move(command.deck, command.state, now_s, by=actor, reason=command.reason)
        if refused is not None:
            return Outcome(refused=refused)
        self._use_decks()
        clears: list[Fact] = []
        if command.state not in ("registered", "in_use"):
            clears.append(NoticeFact(f"deck_off/{command.deck}", "", {}))
        return Outcome([self._book.fact(now_s), *clears], [self._mark(command.deck)])

    # -- calibration ---------------------------------------------------------------------------------------------------------------

    def _calibrate(self, command: eq.Calibrate, t_ms: int) -> Outcome:
        for zone in command.zones:
            if zone not in self.antennas.zones():
                return no("no_such_zone", zone=zone)
        self._calibration = self.antennas.calibration(command.zones, t_ms)
        self._begin("")
        self._say("")
        return Outcome([self._fact(t_ms)], [("calibration_begun", {"zones": list(command.zones)})])

    def _calibrated(self, calibration: Calibration, t_ms: int) -> Outcome:
        """All that is there was touched: the figures are in force."""
        now_s = self._utc_s()
        kept = self.antennas.keep(list(calibration.measured.values()), self.utc(now_s))
        self._sense()
        self._end()
        self._say("calibrated", fingerprint=kept.fingerprint)
        return Outcome([self._fact(t_ms), *self.antennas.facts()], [("calibration", kept)])

    # -- steps of what is going on -------------------------------------------------------------------------------------------------

    def _step(self, command: eq.SetupStep, actor: Actor, t_ms: int) -> Outcome:
        if self._registration is not None:
            return self._step_registration(self._registration, command, t_ms)
        if self._check is not None:
            return self._step_check(self._check, command, t_ms)
        if self._calibration is not None:
            return self._step_calibration(self._calibration, command, t_ms)
        return no("nothing_set_up")

    def _step_calibration(self, calibration: Calibration, command: eq.SetupStep, t_ms: int) -> Outcome:
        match command.do:
            case "skip" if calibration.skip(t_ms):
                if calibration.target is None:
                    return self._calibrated(calibration, t_ms)
            case "back" if calibration.back_one(t_ms):
                pass
            case "finish":
                return self._calibrated(calibration, t_ms)
            case "cancel" | "pause":
                self._end()
                self._say("cancelled", deck="")
                return Outcome([self._fact(t_ms)])
            case _:
                return no("no_such_step", do=command.do)
        self._say(calibration.note, **calibration.params)
        return Outcome([self._fact(t_ms)])

    # -- what devices say ----------------------------------------------------------------------------------------------------------

    def hear(self, observation: Observation) -> None:
        """Take what a device says, after the core did; what comes of it is told by :meth:`tick`."""
        self.antennas.hear(observation)
        if isinstance(observation, ShufflerChanged):
            self._hear_shuffler(observation)

    def tick(self, t_ms: int) -> Outcome:
        """Let time pass."""
        if self.busy and t_ms - self._active_ms > FORGOTTEN_MS:
            left = self.leave_off(t_ms)
            self._pending.facts += left.facts
            self._pending.marks += left.marks
        ended = self.antennas.tick(t_ms, dealt=not self.busy)
        if self._check is not None:
            cards = self._book.faces(self._check.deck) or {}
            for stay in ended:
                if stay.uid in cards:
                    self._checked.add(stay)
        if self._calibration is not None:
            for stay in ended:
                self._calibration.ended(stay)
            if self._calibration.tick(self.antennas.reads, t_ms):
                self._say(self._calibration.note, **self._calibration.params)
                if self._calibration.target is None:
                    try:
                        done = self._calibrated(self._calibration, t_ms)
                    except NotStored as error:
                        self._end()
                        self._say("not_stored", reason=error.reason)
                        done = Outcome()
                    self._pending.facts += done.facts
                    self._pending.marks += done.marks
        if self.antennas.drifted():
            self._sense()
        self._look_at_deck()
        now_s = self._utc_s()
        if now_s - self._register_shown_s >= REGISTER_EVERY_S:
            self._register_shown_s = now_s
            self._pending.facts.append(self._book.fact(now_s))
        return self._take(t_ms)

    def _take(self, t_ms: int) -> Outcome:
        """What there is to tell since it was last taken."""
        pending, self._pending = self._pending, Outcome()
        pending.facts += [*self.antennas.look(t_ms), *self.antennas.notices(), self._fact(t_ms)]
        return pending

    def _hear_shuffler(self, said: ShufflerChanged) -> None:
        """A wrong count: the deck goes off the table. Which one is known where only one can have been in the shuffler."""
        wrong = said.state in _WRONG_COUNT or (said.count is not None and said.count != said.expected)
        if not wrong:
            return
        in_play = self._core.vault.deck if self._core.hand_running() else None
        playable = [
            deck for deck in self._book.names() if self._book.register.playable(deck) and deck != in_play
        ]
        deck = playable[0] if len(playable) == 1 else ""
        params = {"deck": deck, "count": said.count or 0, "expected": said.expected or 0}
        if deck:
            self._pending.marks.append(("deck_counted_wrong", params))
            try:
                self._book.counted_wrong(deck)
            except NotStored as error:
                params["reason"] = error.reason
        else:
            self._pending.marks.append(("deck_counted_wrong", params))
        code = "deck_off_table" if deck else "some_deck_off_table"
        self._pending.facts += [
            NoticeFact(f"deck_off/{deck}", code, params),
            self._book.fact(self._utc_s()),
        ]

    def _look_at_deck(self) -> None:
        """The first card of a hand says which deck is in use."""
        deck = self._core.vault.deck if self._core.hand_running() else None
        if deck == self._deck_seen or (deck is not None and self._utc_s() < self._deck_again_s):
            return
        self._deck_seen = deck
        if deck is None:
            return
        now_s = self._utc_s()
        try:
            if self._book.dealt_from(deck, now_s):
                self._pending.facts.append(self._book.fact(now_s))
                self._pending.marks.append(self._mark(deck))
        except NotStored:
            self._deck_seen = None
            self._deck_again_s = now_s + STORE_AGAIN_S
