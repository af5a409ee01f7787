"""Random all-in hands that are run two or three times: chips add up, and each board awards what an oracle and PokerKit say it does."""

from __future__ import annotations

import random
import warnings

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from phevaluator import evaluate_cards
from pokerkit import Automation, Mode, NoLimitTexasHoldem

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.cards import STANDARD_52
from dealer_assist.procedure.catalogue import ROWS
from tests.table.driver import Driver
from tests.table.test_run_it import on_the_flop, run

ZONES = ("board", "board2", "board3")
COUNTS = {"preflop": (3, 1, 1), "flop": (1, 1), "turn": (1,)}
STREETS = tuple(COUNTS)


class Played:
    """A hand that was played to its end, with every card in the order in which it left the deck."""

    def __init__(self, seed: int, players: int, times: int, street: str) -> None:
        self.dice = random.Random(seed)
        self.times = times
        seats = sorted(self.dice.sample(range(1, 12), players))
        self.stacks = {seat: self.dice.randint(3, 90) for seat in seats}
        button = self.dice.choice(seats)
        self.table = Driver(house="wsop_cash", seats=seats, button=button, stacks=self.stacks)
        deck = list(STANDARD_52)
        self.dice.shuffle(deck)
        self.table.deck = iter(deck)
        self.held = self.table.deal()
        self.common: list[str] = []
        self.burns: list[str] = []
        for number, count in enumerate(COUNTS["preflop"][: STREETS.index(street)]):
            if number == 0 or self.table.hand.betting.to_act is not None:
                self.table.check_down()
            if self.table.hand.bets.runout:
                break  # the blinds have put somebody all-in already
            self.street(self.common, "board", count)
        self.all_in()

    def all_in(self) -> None:
        """Everybody is all-in, calls or folds; two at least are left."""
        table = self.table
        while (seat := table.hand.betting.to_act) is not None:
            table.wait(900)
            if len(table.hand.bets.live) > 2 and self.dice.random() < 0.25:
                assert table.tell(cmd.Act(seat, "fold")) is None
            elif table.tell(cmd.Act(seat, "all_in")) is not None:
                assert table.tell(cmd.Act(seat, "call")) is None
        table.wait(900)

    def street(self, faces: list[str], zone: str, count: int) -> None:
        self.burns.append(self.table.burn())
        self.table.wait(900)
        for _ in range(count):
            self.table.wait(80)
            faces.append(self.table.put(self.table.next_card(), zone))
        self.table.wait(1500)

    def run_out(self) -> list[list[str]]:
        """The boards, each with the cards that are common to all."""
        left = COUNTS["preflop"][{0: 0, 3: 1, 4: 2}[len(self.common)] :]
        boards = []
        for zone in ZONES[: self.times]:
            own: list[str] = []
            for count in left:
                self.street(own, zone, count)
            boards.append([*self.common, *own])
        for seat in self.table.hand.bets.live:
            self.table.wait(600)
            assert self.table.tell(cmd.Tabled(seat)) is None
        return boards


def parts(amount: int, ways: int) -> list[int]:
    """Equal shares, all that is odd to the first."""
    return [amount - amount // ways * (ways - 1), *[amount // ways] * (ways - 1)]


def pots_of(hand: Played) -> tuple[dict[int, int], list[tuple[list[int], int]]]:
    """Chips that are not in any pot, and each pot with the seats that can win it, main first."""
    state = hand.table.hand.betting
    order = state.setup.seats
    paid = dict(zip(order, state.contributed, strict=True))
    live = [seat for seat in order if not state.is_folded(seat)]
    chips = {seat: hand.stacks[seat] - paid[seat] for seat in order}
    top = sorted(paid.values())[-2]  # what nobody called goes back
    for seat in order:
        chips[seat] += max(0, paid[seat] - top)
        paid[seat] = min(paid[seat], top)
    below = 0
    pots: list[tuple[list[int], int]] = []
    for level in sorted({paid[seat] for seat in live}):
        can_win = [seat for seat in live if paid[seat] >= level]
        pots.append((can_win, sum([max(0, min(put, level) - below) for put in paid.values()])))
        below = level
    can_win, amount = pots[-1]
    pots[-1] = (can_win, amount + sum([max(0, put - below) for put in paid.values()]))
    return chips, pots


def winners_of(hand: Played, can_win: list[int], board: list[str]) -> list[int]:
    ranks = {seat: evaluate_cards(*hand.held[seat], *board) for seat in can_win}
    return [seat for seat in can_win if ranks[seat] == min(ranks.values())]


def oracle(hand: Played, boards: list[list[str]]) -> dict[int, int]:
    """Chips after the hand, each pot and each board computed by itself."""
    chips, pots = pots_of(hand)
    for can_win, amount in pots:
        for part, board in zip(parts(amount, len(boards)), boards, strict=True):
            winners = winners_of(hand, can_win, board)
            each, odd = divmod(part, len(winners))
            for place, seat in enumerate(winners):
                chips[seat] += each + (place < odd)
    return chips


def as_pokerkit_does(hand: Played, boards: list[list[str]]) -> dict[int, int]:
    """The same with two habits of PokerKit 0.7.7.

    All odd chips of a part go to its first winner (D6). Pots are merged that the same seats are left in once the hands that win
    nothing are killed, so that two odd chips of two pots become an even one (here every pot is split by itself, P5).
    """
    chips, pots = pots_of(hand)
    paid = {seat for can_win, _ in pots for board in boards for seat in winners_of(hand, can_win, board)}
    merged: list[tuple[list[int], int]] = []
    for can_win, amount in pots:
        left = [seat for seat in can_win if seat in paid]
        before = merged.pop()[1] if merged and merged[-1][0] == left else 0
        merged.append((left, before + amount))
    for can_win, amount in merged:
        for part, board in zip(parts(amount, len(boards)), boards, strict=True):
            winners = winners_of(hand, can_win, board)
            for share, seat in zip(parts(part, len(winners)), winners, strict=True):
                chips[seat] += share
    return chips


def pokerkit(hand: Played, boards: list[list[str]]) -> dict[int, int]:
    """The same hand there. The count is selected without a player's index: with one it is taken for the count (0.7.7)."""
    order = hand.table.hand.betting.setup.seats
    state = NoLimitTexasHoldem.create_state(
        (
            Automation.ANTE_POSTING,
            Automation.BET_COLLECTION,
            Automation.BLIND_OR_STRADDLE_POSTING,
            Automation.HAND_KILLING,
            Automation.CHIPS_PUSHING,
            Automation.CHIPS_PULLING,
        ),
        True,
        0,
        (1, 2),
        2,
        tuple(hand.stacks[seat] for seat in order),
        len(order),
        mode=Mode.CASH_GAME,
    )
    for number in range(len(order)):
        state.deal_hole("".join(hand.held[order[number]]))
    log = list(hand.table.hand.betting.log)
    burns = iter(hand.burns)
    cards = iter([*hand.common, *[face for board in boards for face in board[len(hand.common) :]]])
    while state.status:
        if state.can_select_runout_count():
            state.select_runout_count(hand.times)
        elif state.can_show_or_muck_hole_cards():
            state.show_or_muck_hole_cards(True)
        elif state.can_burn_card():
            state.burn_card(next(burns))
        elif state.can_deal_board():
            count = state.board_dealing_count
            state.deal_board("".join([next(cards) for _ in range(count)]))
        else:
            taken = log.pop(0)
            match taken.kind:
                case "fold":
                    state.fold()
                case "bet" | "raise" if state.can_complete_bet_or_raise_to(taken.to):
                    state.complete_bet_or_raise_to(taken.to)
                case _:  # nobody is left who could call more: there a raise is none, here the rest comes back
                    state.check_or_call()
    assert not log
    return dict(zip(order, state.stacks, strict=True))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(0, 10**9),
    players=st.integers(2, 6),
    times=st.sampled_from((2, 3)),
    street=st.sampled_from(STREETS),
)
def test_each_board_awards_its_part(seed: int, players: int, times: int, street: str) -> None:
    hand = Played(seed, players, times, street)
    table = hand.table
    assert table.hand.bets.runout
    assert table.tell(cmd.RunIt(times)) is None
    boards = hand.run_out()
    settlement = table.hand.settlement
    assert table.said() == []
    assert settlement is not None
    assert sum(settlement.stacks.values()) == sum(hand.stacks.values())  # type: ignore[arg-type]
    assert min(settlement.stacks.values()) >= 0  # type: ignore[type-var]
    assert sum([award.pot.amount for award in settlement.pots]) == sum(settlement.awards.values())
    assert settlement.stacks == oracle(hand, boards)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert pokerkit(hand, boards) == as_pokerkit_does(hand, boards)


def _anything(table: Driver, dice: random.Random) -> None:
    """A burn, a card on some board, or something that somebody says."""
    state = table.hand.procedure
    match dice.randrange(9):
        case 0 | 1 | 2:
            table.burn()
        case 3 | 4 | 5:
            zone = state.run_zone(state.run if dice.random() < 0.7 else dice.randint(1, state.times))
            table.wait(700)
            table.put(table.next_card(), zone)
            table.wait(1500)
        case 6:
            row = dice.choice(list(ROWS))
            table.wait(500)
            table.tell(cmd.Report(row, dice.choice((2, 5)) if ROWS[row].seat != "none" else None))
        case 7:
            table.wait(800)
            table.tell(cmd.Answer("", dice.choice(("yes", "no"))))
        case _:
            said = (cmd.Undo(), cmd.Respond("", "misread"), cmd.Tabled(2), cmd.Tabled(5), cmd.RunIt(1))
            table.tell(dice.choice(said))


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10**9), times=st.sampled_from((2, 3)))
def test_whatever_is_dealt_and_said_chips_add_up(seed: int, times: int) -> None:
    dice = random.Random(seed)
    table = on_the_flop()
    assert run(table, times) is None
    for _ in range(16):
        _anything(table, dice)
        settlement = table.hand.settlement
        if settlement is not None:
            assert sum(settlement.stacks.values()) == 6 * 200  # type: ignore[arg-type]
    state = table.hand.procedure
    assert 1 <= state.run <= max(1, state.times)
    assert len({slot.ref for slot in state.slots}) == len(state.slots)
    table.core.snapshot()


def test_agreement_falls_away_when_somebody_has_chips_left_after_all() -> None:
    """Counted after it was agreed: there is betting to come, and nobody is asked to turn his hand up."""
    table = Driver(house="wsop_cash", stacks={5: 6})
    table.deal()
    table.act("2 raise 6, 3 fold, 5 call, 7 fold, 9 fold, 1 fold")
    table.wait(700)
    assert table.tell(cmd.RunIt(2)) is None
    assert table.tell(cmd.SetStack(5, 40)) is None
    assert table.hand.procedure.times == 1
    shown = {type(fact).__name__: fact for fact in table.core.snapshot()}
    assert shown["NowFact"].code == "burn"  # type: ignore[union-attr]
    table.street(3)
    table.act("2 check, 5 bet 40, 2 call")
    table.wait(700)
    assert table.tell(cmd.RunIt(2)) is None
    for undone in (cmd.Undo(), cmd.Undo()):
        assert table.tell(undone) is None
    assert table.hand.betting.to_act == 2
