"""Straddles, kill pots and bomb pots at the table: entered, refused, taken back, and what the screen says of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dealer_assist.composition import load_game, load_house
from dealer_assist.domain import commands as cmd
from dealer_assist.domain import facts as fx
from dealer_assist.domain.commands import Refused
from dealer_assist.domain.table import ForcedBet, HandOpening, Limits, SeatStack, Tracking
from dealer_assist.table.core import Core
from dealer_assist.table.opening import Rules
from dealer_assist.table.seats import Seats
from dealer_assist.table.setup import Setup
from tests.table.driver import BUTTON, SEATS, Driver
from tests.table.test_resume import sections, taken_up


def fact(table: Driver, kind: type[Any], seat: int | None = None) -> Any:
    """The section of that kind as it is shown; of this seat."""
    return next(
        fact
        for fact in table.core.snapshot()
        if isinstance(fact, kind) and (seat is None or getattr(fact, "seat", None) == seat)
    )


def offered(table: Driver) -> dict[int, int]:
    return {offer.seat: offer.least for offer in fact(table, fx.PadFact).straddles}


def test_under_the_gun_straddles_and_the_screen_follows() -> None:
    """Seat 9 has the small blind, seat 1 the big one; seat 2 straddles, seat 3 is first."""
    table = Driver()
    assert offered(table) == {2: 4}
    assert table.tell(cmd.Straddle(2)) is None
    assert (fact(table, fx.SeatFact, 2).bet, fact(table, fx.SeatFact, 2).stack) == (4, 196)
    assert fact(table, fx.PotFact).total == 7
    assert offered(table) == {}
    table.deal()
    assert fact(table, fx.NowFact) == fx.NowFact("act", {"seat": 3, "call": 4})
    assert fact(table, fx.PadFact).min_to == 8, "by the house: twice the straddle"
    table.act("3 call, 5 fold, 7 fold, 9 fold, 1 fold")
    pad = fact(table, fx.PadFact)
    assert (pad.seat, pad.can_check) == (2, True)


def test_straddle_may_still_be_entered_when_the_cards_are_out_and_not_once_somebody_acted() -> None:
    table = Driver()
    table.deal()
    assert fact(table, fx.PadFact).seat == 2
    assert table.tell(cmd.Straddle(2, 4)) is None
    assert fact(table, fx.PadFact).seat == 3
    assert table.tell(cmd.Undo()) is None
    table.act("2 fold")
    assert offered(table) == {}
    assert table.tell(cmd.Straddle(2, 4)) == Refused("straddle_too_late", {"seat": 2})
    assert table.tell(cmd.Straddle(3, 4)) == Refused("straddle_too_late", {"seat": 3})


def test_undo_takes_the_straddle_back_and_its_chips() -> None:
    table = Driver()
    before = fact(table, fx.SeatFact, 2)
    assert table.tell(cmd.Straddle(2, 4)) is None
    assert fact(table, fx.UndoFact) == fx.UndoFact("straddle", {"seat": 2, "amount": 4})
    assert table.tell(cmd.Undo()) is None
    assert fact(table, fx.SeatFact, 2) == before
    assert offered(table) == {2: 4}
    table.deal()
    assert fact(table, fx.NowFact) == fx.NowFact("act", {"seat": 2, "call": 2})


@pytest.mark.parametrize(
    ("house", "seat", "amount", "refused"),
    [
        ("seed", 7, 4, Refused("straddle_not_from_here", {"seat": 7})),
        ("seed", 2, 6, Refused("straddle_is", {"amount": 4})),
        ("seed", 4, 0, Refused("bad_seat", {"seat": 4})),
        ("seed", 2, -4, Refused("bad_command", {"reason": "amount"})),
        ("tda2024", 2, 4, Refused("no_straddles")),
        ("wsop_tournament", 2, 4, Refused("no_straddles")),
        ("wsop_cash", 5, 4, Refused("straddle_not_from_here", {"seat": 5})),
    ],
)
def test_refused_with_the_houses_reason(house: str, seat: int, amount: int, refused: Refused) -> None:
    table = Driver(house=house)
    shown = table.core.snapshot()
    assert table.tell(cmd.Straddle(seat, amount)) == refused
    assert table.core.snapshot() == shown


def test_button_straddles_in_a_cash_house_and_the_small_blind_opens() -> None:
    """WLA 22."""
    table = Driver(house="wsop_cash")
    assert offered(table) == {2: 4, 7: 4}
    assert table.tell(cmd.Straddle(7)) is None
    table.deal()
    table.act("9 call, 1 call, 2 fold, 3 fold, 5 fold")
    assert (fact(table, fx.PadFact).seat, fact(table, fx.PadFact).can_check) == (7, True)


def test_first_seat_straddles_the_buttons_straddle_where_the_house_knows_that() -> None:
    table = Driver(house="wsop_cash")
    assert table.tell(cmd.Straddle(7)) is None
    assert offered(table) == {2: 8}
    assert table.tell(cmd.Straddle(2)) is None
    table.deal()
    assert fact(table, fx.NowFact) == fx.NowFact("act", {"seat": 3, "call": 8})


def test_straddle_stands_when_the_deal_begins_again() -> None:
    """A misdeal keeps the posts (X1); nobody straddles while the cards are gathered."""
    table = Driver()
    assert table.tell(cmd.Straddle(2)) is None
    table.pitch(9, 1)
    table.report("misdeal")
    assert table.tell(cmd.Straddle(2)) == Refused("hand_complete")
    table.gather()
    table.deal()
    assert fact(table, fx.SeatFact, 2).bet == 4
    assert fact(table, fx.NowFact) == fx.NowFact("act", {"seat": 3, "call": 4})


def test_no_straddle_in_a_hand_of_antes() -> None:
    table = Driver(game="flopmania")
    assert offered(table) == {}
    assert table.tell(cmd.Straddle(2)) == Refused("no_blinds_to_straddle")


@pytest.fixture
def mississippi(tmp_path: Path) -> str:
    """A house in which any seat may straddle, and a straddle be straddled."""
    path = tmp_path / "mine.toml"
    path.write_text(
        'name = "mine"\ntitle = "Mine"\nextends = "wsop_cash"\n[parameters]\n'
        'straddle = { value = "any_seat", source = "own" }\nstraddle_raise = { value = "difference", source = "own" }\n',
        encoding="utf-8",
    )
    return str(path)


def test_mississippi_straddle_begins_left_of_it(mississippi: str) -> None:
    table = Driver(house=mississippi)
    assert offered(table) == dict.fromkeys((9, 1, 2, 3, 5, 7), 4)
    assert table.tell(cmd.Straddle(5, 7)) is None
    assert offered(table) == dict.fromkeys((9, 1, 2, 3, 7), 14)
    assert table.tell(cmd.Straddle(9, 13)) == Refused("straddle_at_least", {"amount": 14})
    assert table.tell(cmd.Straddle(9, 201)) == Refused("straddle_above_stack", {"amount": 201, "stack": 200})
    table.deal()
    assert fact(table, fx.NowFact) == fx.NowFact("act", {"seat": 7, "call": 7})
    assert fact(table, fx.PadFact).min_to == 12, "7 and the 5 that the straddle was more"
    table.act("7 fold, 9 fold, 1 fold, 2 call, 3 fold")
    assert (fact(table, fx.PadFact).seat, fact(table, fx.PadFact).can_check) == (5, True)


def test_straddle_over_a_straddle_in_that_house(mississippi: str) -> None:
    table = Driver(house=mississippi)
    for seat, amount in ((3, 4), (9, 8), (3, 20)):
        assert table.tell(cmd.Straddle(seat, amount)) is None
    assert {seat: fact(table, fx.SeatFact, seat).bet for seat in (9, 1, 3)} == {9: 8, 1: 2, 3: 20}
    table.deal()
    assert fact(table, fx.NowFact) == fx.NowFact("act", {"seat": 5, "call": 20})


def test_straddle_is_there_when_the_hand_is_taken_up_again() -> None:
    table = Driver(house="wsop_cash")
    assert table.tell(cmd.Straddle(2)) is None
    assert table.tell(cmd.Undo()) is None
    assert table.tell(cmd.Straddle(7)) is None
    assert table.tell(cmd.Straddle(2)) is None
    table.deal()
    table.act("3 call, 5 fold")
    other = taken_up(table, key=b"h1".ljust(32, b"k"), other=Driver(house="wsop_cash"))
    assert other.hand == table.hand
    assert sections(other) == sections(table)


@pytest.mark.parametrize("tracking", ["pot", "cards"])
def test_straddle_moves_the_start_whatever_is_tracked(tracking: Tracking) -> None:
    table = Driver(tracking=tracking)
    assert table.tell(cmd.Straddle(2)) is None
    table.deal()
    assert fact(table, fx.PadFact).seat == 3


def test_who_straddles_and_turns_out_to_be_out_takes_it_back() -> None:
    """The seat is out while the cards are dealt: its posts go, and the blinds are as they were."""
    table = Driver()
    assert table.tell(cmd.Straddle(2)) is None
    table.pitch(9, 1)
    assert table.tell(cmd.SetSeat(2, "away")) is None
    assert fact(table, fx.PotFact).total == 3
    table.pitch(3, 5, 7, 9, 1, 3, 5, 7)
    assert fact(table, fx.NowFact) == fx.NowFact("act", {"seat": 3, "call": 2})


# -- kill pots and bomb pots -----------------------------------------------------------------------------------------------------------


class Table(Driver):
    """A table of six with these limits that plays bomb pots besides its own game."""

    def __init__(self, limits: Limits, game: str = "nlhe", house: str = "seed") -> None:
        self.limits, self.game, self.house = limits, game, house
        super().__init__()
        readers = self.core.readers
        setup = Setup(
            name="test",
            house=house,
            game=game,
            limits=limits,
            entry="every_action",
            unit="1 chip",
            simulated=True,
            language="en",
            seats=tuple(range(1, 12)),
            readers=readers,
            games=(game, "bomb_pot"),
        )
        rules = Rules(load_house(house), load_game(game), limits, games={"bomb_pot": load_game("bomb_pot")})
        self.core = Core(
            setup,
            rules,
            self.core.vault,
            self.zones,
            Seats({}),
            new_key=lambda hand: hand.encode().ljust(32, b"k"),
        )

    def open(self, **more: Any) -> Refused | None:
        opening = HandOpening("h2", BUTTON, tuple(SeatStack(seat, 200) for seat in SEATS), **more)
        return self.tell(cmd.OpenHand(opening))

    def in_front(self) -> dict[int, int]:
        return {seat: fact(self, fx.SeatFact, seat).bet for seat in SEATS}


@pytest.mark.parametrize(
    ("limits", "bets"),
    [
        (Limits(5, 10, small_bet=10, big_bet=20), (10, 10, 20, 20)),
        (Limits(5, 10), (10, 10, 20, 20)),
        (Limits(1, 3, small_bet=3, big_bet=6), (3, 3, 6, 6)),
    ],
)
def test_bets_of_fixed_limit_are_the_tables(limits: Limits, bets: tuple[int, ...]) -> None:
    """T-FL3, T-FL4."""
    table = Table(limits, game="flhe")
    assert table.open() is None
    table.deal()
    pad = fact(table, fx.PadFact)
    assert pad.min_to == pad.max_to == limits.big_blind + bets[0]
    table.act("2 call, 3 fold, 5 fold, 7 fold, 9 fold, 1 check")
    for count, bet in zip((3, 1, 1), bets[1:], strict=True):
        table.street(count)
        assert fact(table, fx.PadFact).min_to == fact(table, fx.PadFact).max_to == bet
        table.act(f"1 bet {bet}, 2 call")


def test_kill_pot_of_fixed_limit_doubles_the_limits_for_this_hand() -> None:
    table = Table(Limits(5, 10, small_bet=10, big_bet=20), game="flhe")
    assert table.open(kill="full", killer=5) is None
    assert table.in_front() == {9: 5, 1: 10, 5: 20, 2: 0, 3: 0, 7: 0}
    table.deal()
    pad = fact(table, fx.PadFact)
    assert (pad.seat, pad.call, pad.min_to) == (2, 20, 40)


def test_half_kill_of_no_limit_is_a_bigger_blind() -> None:
    table = Table(Limits(5, 10))
    assert table.open(kill="half", killer=1) is None
    assert table.in_front()[1] == 15
    assert fact(table, fx.HandFact).kill == "half"
    table.deal()
    pad = fact(table, fx.PadFact)
    assert (pad.call, pad.min_to) == (15, 30)


def test_one_key_makes_the_next_hand_a_kill_pot_of_who_won_the_last() -> None:
    table = Table(Limits(1, 2))
    assert table.tell(cmd.OpenHand(kill="full")) == Refused("bad_command", {"reason": "too_few_seats"})
    assert table.open() is None
    table.deal()
    table.act("2 fold, 3 raise 6, 5 fold, 7 fold, 9 fold, 1 fold")
    assert table.tell(cmd.PushPots()) is None
    table.gather()
    assert table.tell(cmd.OpenHand(kill="full")) is None
    assert table.hand.procedure.opening.killer == 3
    assert fact(table, fx.SeatFact, 3).bet == 4
    table.deal()
    assert fact(table, fx.PadFact).seat == 3, "left of the big blind; the killer acts in his turn"
    table.act("3 check, 5 fold, 7 fold, 9 fold, 1 fold, 2 call")


def test_nobody_kills_after_a_big_blind_that_came_back() -> None:
    """The small blind is dead and everybody folds: the big blind is uncalled, no pot was won."""
    table = Table(Limits(1, 2))
    seats = tuple([SeatStack(seat, 200) for seat in (1, 2, 3)])
    assert table.tell(cmd.OpenHand(HandOpening("h", 3, seats, (ForcedBet(1, 2, "big_blind"),)))) is None
    table.deal()
    table.act("2 fold, 3 fold")
    assert table.hand.settlement is not None
    assert table.hand.settlement.awards == {}
    assert table.tell(cmd.PushPots()) is None
    assert table.tell(cmd.OpenHand(kill="full")) == Refused("no_killer")


def test_kill_without_a_seat_to_kill_is_refused() -> None:
    table = Table(Limits(1, 2))
    assert table.open(kill="full", killer=4) == Refused("no_killer")
    assert table.open(kill="full") == Refused("no_killer")
    assert table.open(kill="full", killer=3, game="bomb_pot") == Refused("no_blinds_to_kill")
    assert table.open() is None


@pytest.mark.parametrize(
    ("limits", "each"),
    [
        (Limits(1, 2), 2),
        (Limits(1, 2, ante=1), 1),
        (Limits(1, 2, ante=2, ante_kind="big_blind", bomb_ante=10), 10),
        (Limits(1, 2, ante=4, ante_kind="button"), 2),
    ],
)
def test_bomb_pot_takes_the_tables_own_ante_for_it(limits: Limits, each: int) -> None:
    table = Table(limits)
    assert table.open(game="bomb_pot") is None
    assert fact(table, fx.PotFact).total == 6 * each
    assert offered(table) == {}


@pytest.mark.parametrize(
    ("kind", "stacks"),
    [
        ("each", {9: 197, 1: 196, 7: 198}),
        ("big_blind", {9: 199, 1: 196, 7: 200}),
        ("button", {9: 199, 1: 198, 7: 198}),
    ],
)
def test_ante_of_each_kind(kind: str, stacks: dict[int, int]) -> None:
    table = Table(Limits(1, 2, ante=2, ante_kind=kind))  # type: ignore[arg-type]
    assert table.open() is None
    assert {seat: fact(table, fx.SeatFact, seat).stack for seat in stacks} == stacks
    assert fact(table, fx.TableFact).ante_kind == kind
