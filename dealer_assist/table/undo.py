"""Corrections: taps taken back, amended, or moved to before what they explain. Reads are never undone, only judged again.

The dealer corrects within the running street, the floor in the whole hand.
"""

from __future__ import annotations

from typing import Final

import msgspec

from dealer_assist.betting import Taken
from dealer_assist.domain import commands as cmd
from dealer_assist.domain import facts as fx
from dealer_assist.domain.cards import CardRef
from dealer_assist.domain.commands import Actor, Refused
from dealer_assist.procedure import substantial
from dealer_assist.procedure.draft import Draft
from dealer_assist.table import inputs as inp
from dealer_assist.table import late_taps
from dealer_assist.table.decide import decide
from dealer_assist.table.hand import Hand
from dealer_assist.table.opening import Rules

_UNDOABLE: Final = (
    cmd.Act,
    cmd.SetStack,
    cmd.Irregular,
    cmd.Report,
    cmd.Answer,
    cmd.Respond,
    cmd.Tabled,
    cmd.Mucked,
    cmd.EnterCard,
    cmd.TapZone,
    cmd.Rule,
    cmd.SetPoint,
    cmd.Straddle,
    cmd.Unfold,
    cmd.LogEvent,
    cmd.Shuffled,
    cmd.RunIt,
)


class History:
    """The inputs of the running hand, each with the hand as it was before it."""

    def __init__(self) -> None:
        self._past: list[tuple[inp.Input, Hand]] = []
        #: the taps in the order in which they were made; a late one lies elsewhere among the inputs
        self._taps: list[inp.Input] = []

    def clear(self) -> None:
        """A new hand."""
        self._past = []
        self._taps = []

    def record(self, given: inp.Input, before: Hand) -> None:
        """An input was judged."""
        self._past.append((given, before))
        if isinstance(given, inp.Told):
            self._taps.append(given)

    def refs(self) -> set[CardRef]:
        """The references of the cards that the inputs are about."""
        return {given.ref for given, _ in self._past if isinstance(given, inp.CardPlaced)}

    # -- undo ------------------------------------------------------------------------------------------------------------------

    def undoable(self, hand: Hand | None) -> int | None:
        """The index of the input that Undo would take back now, or None."""
        if hand is None or hand.result:
            return None
        street, attempt = hand.betting.street, hand.procedure.attempt
        for tap in reversed(self._taps):
            index = self._place_of(tap)
            if index is None:
                continue
            given = self._past[index][0]
            after = self._past[index + 1][1] if index + 1 < len(self._past) else hand
            if after.betting.street != street or after.procedure.attempt != attempt:
                return None  # a tap that began the street itself is of it
            if isinstance(given, inp.Told) and isinstance(given.command, _UNDOABLE):
                return None if _cards_since(given.command, hand) else index
        return None

    def _place_of(self, tap: inp.Input) -> int | None:
        """Where a tap lies among the inputs, the last ones first; None when it was taken out."""
        for index in range(len(self._past) - 1, -1, -1):
            if self._past[index][0] is tap:
                return index
        return None

    def fact(self, hand: Hand | None) -> fx.UndoFact:
        """What the Undo key says."""
        index = self.undoable(hand)
        if index is None:
            return fx.UndoFact()
        given = self._past[index][0]
        assert isinstance(given, inp.Told)
        params = {name: value for name, value in msgspec.to_builtins(given.command).items() if name != "kind"}
        return fx.UndoFact(type(given.command).__struct_config__.tag, params)  # type: ignore[arg-type]

    def entered_by(self, hand: Hand | None) -> Actor | None:
        """Who entered what Undo would take back now; None where there is nothing."""
        index = self.undoable(hand)
        given = None if index is None else self._past[index][0]
        return given.actor if isinstance(given, inp.Told) else None

    def undo(self, hand: Hand | None, actor: Actor, t_ms: int) -> inp.Superseded | Refused:
        """The superseding input of Undo, or that there is nothing to take back."""
        index = self.undoable(hand)
        return Refused("nothing_to_undo") if index is None else inp.Superseded(index, actor, t_ms)

    # -- corrections -----------------------------------------------------------------------------------------------------------

    def correction(
        self, hand: Hand | None, command: cmd.Correct, actor: Actor, t_ms: int, rules: Rules
    ) -> inp.Superseded | Refused:
        """The superseding input that amends an earlier action of a seat, or why there is none."""
        if hand is None or hand.result:
            return Refused("hand_not_open")
        taken = [
            (number, entry) for number, entry in enumerate(hand.betting.log) if entry.seat == command.seat
        ]
        if not 0 <= command.back < len(taken):
            return Refused("not_correctable", {"seat": command.seat})
        number, entry = taken[-1 - command.back]
        index = self._source_of(hand, number)
        if index is None:
            return Refused("not_correctable", {"seat": command.seat})
        before = self._past[index][1]
        if actor != "floor" and before.betting.street != hand.betting.street:
            return Refused("floor_only", {"seat": command.seat})
        if actor != "floor" and not command.ruled and _low_pot_bet_stands(hand, number, command, rules):
            return Refused("amount_stands", {"seat": command.seat})
        given = self._past[index][0]
        act = cmd.Act(command.seat, command.action, command.to, command.counted, command.ruled)
        assumed = not _is_tap_of(given, entry)
        return inp.Superseded(index, actor, t_ms, instead=act, before=assumed)

    def _source_of(self, hand: Hand, number: int) -> int | None:
        """The input that brought entry ``number`` of the betting's log."""
        for index in range(len(self._past) - 1, -1, -1):
            if len(self._past[index][1].betting.log) <= number:
                return index
        return None

    def last_closing(self, hand: Hand) -> int | None:
        """The input, of this street or the one before it, whose assumptions closed a round; None once anybody acted after it."""
        log = hand.betting.log
        if not log or not log[-1].assumed or log[-1].street < hand.betting.street - 1:
            return None
        index = self._source_of(hand, len(log) - 1)
        return None if index is None or isinstance(self._past[index][0], inp.Told) else index

    def late(self, hand: Hand, told: inp.Told, rules: Rules) -> inp.Superseded | None:
        """The superseding input that puts a late tap before what it explains; None when it counts now (by exception)."""
        index: int | None = None
        if isinstance(told.command, cmd.Report):
            if told.command.row == "early_card":
                index = self.last_closing(hand)
        else:
            index = late_taps.place(self._past, hand, told, rules)
        if index is None:
            return None
        return inp.Superseded(index, told.actor, told.t_ms, instead=told.command, before=True)

    def late_after_all(self, hand: Hand, rules: Rules) -> inp.Superseded | None:
        """The superseding input that puts the last tap before what it explains, now that a card has closed its round; None: it stands."""
        found = late_taps.place_again(self._past, hand, rules)
        if found is None:
            return None
        now, index = found
        told = self._past[now][0]
        assert isinstance(told, inp.Told)
        t_ms = self._past[-1][0].t_ms
        return inp.Superseded(index, told.actor, t_ms, instead=told.command, before=True, without=now)

    def supersede(self, given: inp.Superseded, rules: Rules, hand: Hand) -> Hand | Refused:
        """Take an input out, or put another in its place or before it, and judge the later ones again.

        Returns the hand as it is then; Refused when the new command, or a later tap about chips or hands, would no longer be possible: then
        nothing is changed.
        """
        kept = list(self._past)
        first = [
            later
            for number, (later, _) in enumerate(self._past)
            if number >= given.index + (not given.before) and number != given.without
            if not _counted_anew(later, given.instead)
        ]
        hand = self._past[given.index][1]
        # A late tap counts from when it belongs; a report is about what came before it, and says nothing of what comes after.
        reports = isinstance(given.instead, cmd.Report)
        when_ms = given.t_ms if reports else self._past[given.index][0].t_ms
        if given.before and not reports:
            when_ms = late_taps.counts_from_ms(self._past, given.index)
        moved = given.without if given.before else given.index
        old = None if moved is None else self._past[moved][0]
        del self._past[given.index :]
        refused: Refused | None = None
        if given.instead is not None:
            told = inp.Told(given.instead, given.actor, when_ms)
            hand, refused = self._judge(hand, told, rules)
            if refused is None:
                self._tapped(told, old)
        seen = {later.ref: later.face for later in first if isinstance(later, inp.FaceRevealed)}
        for later in first:
            if refused is not None:
                break
            if not reports:
                hand = self._pass_time(hand, later.t_ms, rules, seen)
            hand, again = self._judge(hand, later, rules)
            if again is not None and given.instead is not None and _must_fit(later):
                refused = _not_any_more(later, again)
        if refused is not None:
            self._past = kept
            return refused
        return hand

    def _pass_time(self, hand: Hand, until_ms: int, rules: Rules, seen: dict[CardRef, str]) -> Hand:
        """What comes by itself before the next input: deadlines that the hand had not before, and faces it now asks for earlier or later.

        ``seen``: the faces that were revealed among the inputs; one that is not public any more stays out.
        """
        while True:
            last_ms = self._past[-1][0].t_ms if self._past else until_ms
            state = hand.procedure
            for ref in sorted((state.asked - state.faces.keys()) & seen.keys()):
                hand, _ = self._judge(hand, inp.FaceRevealed(ref, seen[ref], last_ms), rules)
            due_ms = hand.next_deadline_ms()
            if due_ms is None or due_ms > until_ms:
                return hand
            hand, _ = self._judge(hand, inp.TimePassed(max(due_ms, last_ms)), rules)
            if hand.next_deadline_ms() == due_ms:
                return hand

    def _tapped(self, told: inp.Told, old: inp.Input | None) -> None:
        """A tap that was moved or amended keeps its turn among the taps, a late one is the last that was made."""
        for number, tap in enumerate(self._taps):
            if tap is old:
                self._taps[number] = told
                return
        self._taps.append(told)

    def _judge(self, hand: Hand, given: inp.Input, rules: Rules) -> tuple[Hand, Refused | None]:
        after, _events, refused = decide(hand, given, rules)
        if refused is None:
            self._past.append((given, hand))
            return after, None
        return hand, refused


def _cards_since(command: cmd.Command, hand: Hand) -> bool:
    """Whether it was agreed to run the board more than once and a card has come since: that is not taken back (WLA 208)."""
    state = hand.procedure
    return isinstance(command, cmd.RunIt) and state.times > 1 and state.cards_out != state.agreed_at


def _low_pot_bet_stands(hand: Hand, number: int, command: cmd.Correct, rules: Rules) -> bool:
    """Whether a pot-limit bet that was too low can no longer be raised: there was substantial action behind it (TDA 52-B)."""
    log = hand.betting.log
    entry = log[number]
    if (
        hand.betting.setup.structure != "pot_limit"
        or command.to is None
        or entry.kind not in ("bet", "raise")
    ):
        return False
    if command.to <= entry.to or rules.house.parameters.pot_bet_too_low.value == "street":
        return False
    behind = [taken.kind for taken in log[number + 1 :] if taken.street == entry.street and taken.in_turn]
    return substantial.by_house(Draft(hand.procedure, hand.bets, rules.house))(behind)


def _is_tap_of(given: inp.Input, entry: Taken) -> bool:
    return (
        isinstance(given, inp.Told)
        and isinstance(given.command, cmd.Act)
        and given.command.seat == entry.seat
        and not entry.assumed
    )


def _counted_anew(given: inp.Input, instead: cmd.Command | None) -> bool:
    """Whether a tap set a stack that the corrected action counts again: its word is the later one."""
    return (
        isinstance(instead, cmd.Act)
        and instead.counted
        and isinstance(given, inp.Told)
        and isinstance(given.command, cmd.SetStack)
        and given.command.seat == instead.seat
    )


#: Taps that a correction must leave possible: what was done with chips and hands. What was said about alerts may fall away with them.
_MUST_FIT: Final = (
    cmd.Act,
    cmd.SetStack,
    cmd.Irregular,
    cmd.PushPots,
    cmd.Tabled,
    cmd.Mucked,
    cmd.Unfold,
    cmd.RunIt,
)


def _must_fit(given: inp.Input) -> bool:
    return isinstance(given, inp.Told) and isinstance(given.command, _MUST_FIT)


def _not_any_more(given: inp.Input, refused: Refused) -> Refused:
    assert isinstance(given, inp.Told)
    seat = getattr(given.command, "seat", 0)
    return Refused("not_correctable", {"seat": seat, "code": refused.code})


def fallen_away(before: Hand, after: Hand) -> list[fx.NoticeFact]:
    """A notice for each alert that a correction left without a cause: what was said of it is no longer so."""
    still = {
        (alert.rule, alert.seat) for alert in after.procedure.alerts.values() if alert.state != "withdrawn"
    }
    return [
        fx.NoticeFact(f"fell_away/{alert.rule}", "alert_fell_away", {"rule": alert.rule})
        for alert in before.procedure.alerts.values()
        if alert.evidence != "possible"
        and alert.state != "withdrawn"
        and (alert.rule, alert.seat) not in still
    ]
