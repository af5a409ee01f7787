"""What people do at the seats, between hands and during one.

In and away, buy-ins, top-ups, blinds that are owed, the first button, the dealer push.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from dealer_assist import seating
from dealer_assist.domain import commands as cmd
from dealer_assist.domain import facts as fx
from dealer_assist.domain.commands import Actor, Refused
from dealer_assist.seating import SeatsRefused
from dealer_assist.table import events as te
from dealer_assist.table import inputs as inp
from dealer_assist.table.events import TableEvent
from dealer_assist.table.hand import Hand
from dealer_assist.table.opening import Rules, seat_refused
from dealer_assist.table.ports import BadgeSeen, Observation
from dealer_assist.table.project import Section
from dealer_assist.table.screen import Screen
from dealer_assist.table.seats import Seats
from dealer_assist.table.setup import Setup

#: Commands about seats; they count between hands, too.
OF_THE_SEATS: Final = (
    cmd.SetSeat,
    cmd.SetStack,
    cmd.SitDown,
    cmd.TopUp,
    cmd.PostNow,
    cmd.WaitForBlind,
    cmd.FirstButton,
    cmd.DealerPush,
)


class SeatDesk:
    """The part of a table that keeps its seats (see :class:`~dealer_assist.table.core.Core`)."""

    hand: Hand | None
    rules: Rules
    setup: Setup
    seats: Seats
    t_ms: int
    _screen: Screen

    if TYPE_CHECKING:

        def _hand_running(self) -> Hand | None: ...

        def _judge(self, given: inp.Input, *, live: bool = True) -> Refused | None: ...

        def _show(
            self,
            given: inp.Input | None,
            events: Iterable[TableEvent],
            facts: Iterable[fx.Fact],
            *,
            gone: Iterable[Section] = (),
        ) -> None: ...

    def _at_the_seats(self, command: cmd.Command, actor: Actor) -> Refused | None:
        """Carry out one of ``OF_THE_SEATS``, or refuse it."""
        match command:
            case cmd.SetSeat():
                return self._set_seat(command, actor)
            case cmd.SetStack():
                return self._set_stack(command, actor)
            case cmd.SitDown() | cmd.TopUp() | cmd.PostNow() | cmd.WaitForBlind():
                if command.seat not in self.setup.seats:
                    return Refused("bad_seat", {"seat": command.seat})
        try:
            events, facts = self._done(command, actor)
        except SeatsRefused as error:
            return error.refusal
        self._show(inp.Told(command, actor, self.t_ms), events, facts)
        return None

    def _done(self, command: cmd.Command, actor: Actor) -> tuple[list[TableEvent], list[fx.Fact]]:
        """Change the ledger; raises SeatsRefused."""
        desk, rules, t_ms = self.seats, self.seats.rules, self.t_ms
        running = self._hand_running()
        in_hand = () if running is None else running.procedure.order
        match command:
            case cmd.SitDown():
                self._sit_down(command, in_hand)
            case cmd.TopUp():
                if self.rules.tracking != "full":
                    raise SeatsRefused("no_amounts")
                desk.ledger = seating.top_up(
                    desk.ledger, rules, command.seat, command.amount, t_ms, in_hand=in_hand
                )
            case cmd.PostNow() | cmd.WaitForBlind():
                posts = isinstance(command, cmd.PostNow)
                desk.ledger = seating.choose(desk.ledger, rules, command.seat, posts=posts, t_ms=t_ms)
            case cmd.FirstButton():
                return [], self._draw(command, actor)
            case cmd.DealerPush():
                return self._push_dealer(command, in_hand)
            case _:
                raise AssertionError(f"{type(command).__name__} is no command about seats")
        changed = [command.seat]
        if isinstance(command, cmd.SitDown) and command.returned_from in self.setup.seats:
            changed.append(command.returned_from)  # who moves leaves his old seat empty
        return [], [self._screen.seat(self.hand, seat) for seat in dict.fromkeys(changed)]

    def _sit_down(self, command: cmd.SitDown, in_hand: tuple[int, ...]) -> None:
        desk = self.seats
        if command.seat in in_hand:
            raise SeatsRefused("seat_taken", seat=command.seat)
        desk.ledger = seating.sit_down(
            desk.ledger,
            desk.rules,
            command.seat,
            command.buy_in,
            self.t_ms,
            returned_from=command.returned_from,
        )
        if self.rules.tracking != "full":
            desk.set_stack(command.seat, None)

    def _draw(self, command: cmd.FirstButton, actor: Actor) -> list[fx.Fact]:
        """The draw for the first button: who has it, or who draws again."""
        if self._hand_running() is not None:
            raise SeatsRefused("hand_open")
        desk = self.seats
        desk.ledger = seating.first_button(
            desk.ledger, desk.rules, command.cards, self.t_ms, anew=actor == "floor"
        )
        if desk.ledger.drawing:
            return [fx.NoticeFact("first_button", "draw_again", {"seats": list(desk.ledger.drawing)})]
        told = fx.NoticeFact("first_button", "first_button", {"seat": desk.ledger.next_button})
        return [told, *self._screen.seats(self.hand)]

    def dealer_shown(self, observation: Observation) -> str | None:
        """The dealer whose badge was shown, where that is another one than deals: a push. None for all else."""
        if not isinstance(observation, BadgeSeen) or observation.back:
            return None
        dealer = self.setup.dealers.get(observation.badge)
        return dealer if dealer != self.seats.ledger.dealer else None

    def _hear_badge(self, observation: Observation) -> None:
        """A dealer's badge pushes the one before; his own again is no push, and one that nobody has is told by its name."""
        if not isinstance(observation, BadgeSeen) or observation.back:
            return
        if observation.badge not in self.setup.dealers and observation.badge not in self.setup.other_badges:
            told = fx.NoticeFact("badge", "unknown_badge", {"badge": observation.badge})
            # shown twice it is told twice: somebody waits for it, to enrol it
            self._show(None, (), [fx.NoticeFact("badge", "", {})])
            self._show(None, (), [told])
            return
        if self._screen.has(("notice", "badge")):
            self._show(None, (), [fx.NoticeFact("badge", "", {})])
        dealer = self.dealer_shown(observation)
        if dealer is not None:
            self._at_the_seats(cmd.DealerPush(dealer), "dealer")

    def _push_dealer(
        self, command: cmd.DealerPush, in_hand: tuple[int, ...]
    ) -> tuple[list[TableEvent], list[fx.Fact]]:
        desk = self.seats
        desk.ledger, paid = seating.dealer_push(
            desk.ledger, desk.rules, command.dealer, self.t_ms, in_hand=in_hand
        )
        events: list[TableEvent] = [te.DealerPushed(command.dealer, desk.ledger.pushes)]
        notice = fx.NoticeFact("dealer_push", "dealer_push", {"dealer": command.dealer})
        if paid:
            events.append(te.TimePaid(paid))
        return events, [notice, *self._time(paid), *[self._screen.seat(self.hand, seat) for seat, _ in paid]]

    @staticmethod
    def _time(paid: tuple[tuple[int, int], ...]) -> list[fx.Fact]:
        """What was paid for time, all together."""
        if not paid:
            return []
        params = {"seats": [seat for seat, _ in paid], "amount": sum([amount for _, amount in paid])}
        return [fx.NoticeFact("time", "time_paid", params)]

    def _after_the_hand(self, hand: Hand, event: te.HandClosed) -> tuple[list[TableEvent], list[fx.Fact]]:
        """The ledger behind a hand: stacks, blinds, bought chips on the table, time off it."""
        rebalanced = button_set_right(hand, self.rules)
        closing = self.seats.closed(
            hand.procedure,
            hand.betting.setup.posts,
            event.result,
            event.stacks,
            t_ms=self.t_ms,
            button_next=rebalanced,
        )
        events: list[TableEvent] = [
            te.ChipsBought(bought.seat, bought.amount, bought.back) for bought in closing.topped_up
        ]
        if closing.time_paid:
            events.append(te.TimePaid(closing.time_paid))
        back: list[fx.Fact] = [
            fx.NoticeFact(
                f"top_up/{bought.seat}", "top_up_back", {"seat": bought.seat, "amount": bought.back}
            )
            for bought in closing.topped_up
            if bought.back
        ]
        return events, [*back, *self._time(closing.time_paid)]

    def _set_seat(self, command: cmd.SetSeat, actor: Actor) -> Refused | None:
        hand = self._hand_running()
        refused = seat_refused(
            command, self.setup.seats, hand.procedure.opening if hand is not None else None
        )
        if refused is not None:
            return refused
        self.seats.ledger = seating.set_status(
            self.seats.ledger, self.seats.rules, command.seat, command.status, command.stack, self.t_ms
        )
        told = inp.Told(command, actor, self.t_ms)
        if hand is not None and (hand.procedure.step.kind == "deal" or hand.procedure.misdeal):
            refused = self._judge(told)
            self._show(None, (), [self._screen.seat(self.hand, command.seat)])
            return refused
        self._show(told, (), [self._screen.seat(self.hand, command.seat)])
        return None

    def _set_stack(self, command: cmd.SetStack, actor: Actor) -> Refused | None:
        """Of a seat in the running hand it is judged; of any other it is what the next hand starts from."""
        hand = self._hand_running()
        told = inp.Told(command, actor, self.t_ms)
        if hand is not None and command.seat in hand.betting.setup.seats:
            return self._judge(told)
        if command.seat not in self.setup.seats:
            return Refused("bad_seat", {"seat": command.seat})
        if self.rules.tracking != "full" and command.behind is not None:
            return Refused("no_amounts")
        if command.behind is not None and command.behind < 0:
            return Refused("bad_command", {"reason": "stack"})
        self.seats.set_stack(command.seat, command.behind)
        self._screen.rebased.add(command.seat)
        self._show(told, (), [self._screen.seat(self.hand, command.seat)])
        return None


def button_set_right(hand: Hand, rules: Rules) -> int | None:
    """Where the next button stands when a wrong one stood after substantial action, so that every seat gets each position.

    Only where the house says so (RROP misdeals (g), WLA 113; not TDA 34-A); None: the button goes on from where it was.
    """
    if rules.house.parameters.wrong_button_next_hand.value != "rebalance":
        return None
    for alert in hand.procedure.alerts.values():
        if alert.rule == "D12" and alert.remedy == "play_on" and alert.state == "closed":
            if alert.seat is not None:
                return alert.seat
    return None
