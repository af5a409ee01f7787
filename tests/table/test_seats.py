"""Hands in a row at a table: posts in the right order, who enters, buy-ins, time, the first button, and all of it after a restart."""

from __future__ import annotations

import random

import msgspec
import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain import facts as fx
from dealer_assist.domain.commands import Refused
from dealer_assist.domain.table import ForcedBet, HandOpening
from dealer_assist.seating import Ledger
from dealer_assist.table import events as te
from tests.table.driver import Driver
from tests.table.test_resume import inputs_of, sections

CASH = ["seed", "roberts", "wsop_cash"]


def posts(table: Driver) -> list[tuple[int, str, int]]:
    return [(post.seat, post.kind, post.amount) for post in table.hand.betting.setup.posts]


def blinds(table: Driver) -> tuple[int, int | None, int | None]:
    """Button, small blind, big blind of the hand that is open, as the screen has them."""
    fact = next(fact for fact in table.core.snapshot() if isinstance(fact, fx.HandFact))
    assert fact.button is not None
    return fact.button, fact.small_blind_seat, fact.big_blind_seat


def play(table: Driver) -> None:
    """Deal the hand that is open; everybody folds to the last one; the pot goes, the cards are collected."""
    table.order = table.hand.procedure.order
    table.deal()
    for _ in range(12):
        seat = table.hand.betting.to_act
        if seat is None:
            break
        table.act(f"{seat} fold")
    assert table.tell(cmd.PushPots()) is None
    table.gather()
    table.wait(2000)


def next_hand(table: Driver) -> None:
    assert table.tell(cmd.OpenHand()) is None


def mark(table: Driver, seat: int) -> tuple[str, ...]:
    return next(
        fact.marks for fact in table.core.snapshot() if isinstance(fact, fx.SeatFact) and fact.seat == seat
    )


def notice(table: Driver, name: str) -> fx.NoticeFact | None:
    found = [
        fact
        for change in table.changes
        for fact in change.facts
        if isinstance(fact, fx.NoticeFact) and fact.id == name
    ]
    return found[-1] if found else None


# -- blinds ----------------------------------------------------------------------------------------------------------------------


def test_missed_blinds_are_one_and_a_half_big_blinds() -> None:
    """T-SO: at 1 and 2 three are posted, two live and one dead; S000-14."""
    table = Driver()  # 7 has the button, 9 and 1 the blinds
    play(table)
    assert table.tell(cmd.SetSeat(2, "away")) is None
    for _ in range(2):
        next_hand(table)
        play(table)
    assert mark(table, 2) == ("missed_small_blind", "missed_big_blind")
    assert table.tell(cmd.SetSeat(2, "in")) is None
    assert mark(table, 2) == ("missed_small_blind", "missed_big_blind", "waits_for_blind")
    next_hand(table)
    assert 2 not in table.hand.procedure.order  # he waits
    play(table)
    assert table.tell(cmd.PostNow(2)) is None
    assert mark(table, 2)[-1] == "posts"
    next_hand(table)
    assert posts(table)[2:] == [(2, "big_blind", 2), (2, "dead", 1)]
    assert table.hand.betting.bet_of(2) == 2
    assert sum(table.hand.betting.contributed) == 6
    assert mark(table, 2) == ()
    play(table)
    assert mark(table, 2) == ()


@pytest.mark.parametrize("house", ["roberts", "wsop_cash"])
def test_only_the_small_blind_was_missed(house: str) -> None:
    table = Driver(house=house)
    play(table)
    assert table.tell(cmd.SetSeat(1, "away")) is None  # he had the big blind
    next_hand(table)
    play(table)
    assert mark(table, 1) == ("missed_small_blind",)
    assert table.tell(cmd.SetSeat(1, "in")) is None
    assert table.tell(cmd.PostNow(1)) is None
    for _ in range(3):
        next_hand(table)
        if 1 in table.hand.procedure.order:
            break
        play(table)
    assert (1, "dead", 1) in posts(table)
    assert (1, "big_blind", 2) not in posts(table)


@pytest.mark.parametrize("house", CASH)
def test_a_new_player_waits_or_posts(house: str) -> None:
    table = Driver(house=house)
    play(table)
    assert table.tell(cmd.SitDown(10, 100)) is None
    next_hand(table)
    assert 10 not in table.hand.procedure.order  # between the button and the big blind
    play(table)
    if house != "wsop_cash":
        assert mark(table, 10) == ("waits_for_blind",)
        assert table.tell(cmd.PostNow(10)) is None
    for _ in range(2):
        next_hand(table)
        if 10 in table.hand.procedure.order:
            break
        play(table)
    assert 10 in table.hand.procedure.order
    mine = [entry for entry in posts(table) if entry[0] == 10]
    assert mine == ([] if house == "wsop_cash" else [(10, "big_blind", 2)])
    assert table.hand.betting.to_act != 10


@pytest.mark.parametrize("house", ["tda2024", "wsop_tournament"])
def test_at_a_tournament_who_is_away_posts_and_a_new_player_pays_nothing(house: str) -> None:
    table = Driver(house=house)
    play(table)
    assert table.tell(cmd.SetSeat(2, "away")) is None
    assert table.tell(cmd.SitDown(4, 150)) is None
    next_hand(table)
    assert blinds(table) == (9, 1, 2)
    assert 4 in table.hand.procedure.order
    assert posts(table) == [(1, "small_blind", 1), (2, "big_blind", 2)]


def test_dead_small_blind_and_dead_button() -> None:
    table = Driver(house="wsop_cash")
    assert blinds(table) == (7, 9, 1)
    play(table)
    assert table.tell(cmd.SetSeat(1, "out")) is None
    next_hand(table)
    assert blinds(table) == (9, None, 2)
    assert posts(table) == [(2, "big_blind", 2)]
    assert table.hand.betting.to_act == 3
    play(table)
    next_hand(table)
    assert blinds(table) == (1, 2, 3)
    assert table.hand.procedure.order == (2, 3, 5, 7, 9)
    play(table)
    assert table.alerts() == []


def test_the_moving_button_skips_the_empty_seat() -> None:
    table = Driver(house="seed")
    play(table)
    assert table.tell(cmd.SetSeat(9, "out")) is None
    next_hand(table)
    assert blinds(table) == (1, 2, 3)


def test_a_third_player_joins_two() -> None:
    table = Driver(house="wsop_cash", seats=(3, 8), button=3)
    assert blinds(table) == (3, 3, 8)
    play(table)
    assert table.tell(cmd.SitDown(5, 100)) is None
    seen = []
    for _ in range(4):
        next_hand(table)
        seen.append(blinds(table)[2])
        play(table)
    assert all(one != other for one, other in zip([8, *seen], seen, strict=False))
    assert 5 in seen


def test_a_hand_that_was_given_back_has_the_same_blinds_again() -> None:
    table = Driver(house="wsop_cash")
    play(table)
    next_hand(table)
    before = blinds(table), posts(table)
    table.report("misdeal")
    table.core.close()
    next_hand(table)
    assert (blinds(table), posts(table)) == before


def test_an_explicit_opening_goes_before_the_ledger() -> None:
    table = Driver()
    play(table)
    stacks = tuple([seat for seat in table.hand.procedure.opening.seats if seat.seat in (1, 5, 9)])
    assert table.tell(cmd.OpenHand(HandOpening("x", 5, stacks))) is None
    assert blinds(table) == (5, 9, 1)
    play(table)
    assert all(not mark(table, seat) for seat in range(1, 12))


# -- situations that other engines are tested with, or have got wrong -----------------------------------------------------------


def test_heads_up_the_button_acts_first_before_the_flop_and_last_after_it() -> None:
    """PokerKit issue 24, PyPokerEngine issue 82: blinds the wrong way round with two players."""
    table = Driver(seats=(3, 8), button=8)
    for small, big in ((8, 3), (3, 8), (8, 3)):
        assert blinds(table) == (small, small, big)
        table.gather()
        table.order = table.hand.procedure.order
        assert table.order == (big, small)  # the first card to the big blind
        table.deal()
        assert table.hand.betting.to_act == small
        table.act(f"{small} call, {big} check")
        table.street(3)
        assert table.hand.betting.to_act == big
        table.act(f"{big} bet 2, {small} fold")
        assert table.tell(cmd.PushPots()) is None
        next_hand(table)


def test_heads_up_with_only_a_big_blind_posted_the_button_opens() -> None:
    """PokerKit issue 31."""
    table = Driver(seats=(3, 8), button=8)
    play(table)
    stacks = table.hand.procedure.opening.seats
    opening = HandOpening("x", 8, stacks, (ForcedBet(3, 2, "big_blind"),))
    assert table.tell(cmd.OpenHand(opening)) is None
    assert table.hand.betting.to_act == 8


@pytest.mark.parametrize("house", ["wsop_cash", "wsop_tournament"])
def test_a_short_big_blind_is_all_in_and_the_blinds_go_on(house: str) -> None:
    """The blinds of a short stack: callers owe the whole one (WLA 154), and it counts as posted."""
    table = Driver(house=house, stacks={1: 1})
    assert posts(table)[-1] == (1, "big_blind", 2)
    assert table.hand.betting.is_all_in(1)
    table.order = table.hand.procedure.order
    table.deal()
    assert table.hand.betting.current_bet == 2
    table.act("2 call, 3 fold, 5 fold, 7 fold, 9 fold")
    for _ in range(3):
        table.street(3 if not table.hand.board_faces() else 1)
    table.showdown()
    next_hand(table)
    busted = table.core.seats.records[1].stack == 0
    assert blinds(table) == (9, None if busted else 1, 2)


@pytest.mark.parametrize("house", ["wsop_cash", "seed"])
def test_both_blinds_leave_together(house: str) -> None:
    table = Driver(house=house)
    play(table)
    assert table.tell(cmd.SetSeat(9, "out")) is None
    assert table.tell(cmd.SetSeat(1, "out")) is None
    next_hand(table)
    assert blinds(table) == ((9, None, 2) if house == "wsop_cash" else (2, 3, 5))
    play(table)
    next_hand(table)
    assert blinds(table) == ((1, 2, 3) if house == "wsop_cash" else (3, 5, 7))


# -- chips -----------------------------------------------------------------------------------------------------------------------


def test_buy_in_limits() -> None:
    table = Driver()  # seed: 20 to 100 big blinds
    fact = next(fact for fact in table.core.snapshot() if isinstance(fact, fx.TableFact))
    assert (fact.buy_in_min, fact.buy_in_max) == (40, 200)
    assert table.tell(cmd.SitDown(4, 39)) == Refused("buy_in_below", {"least": 40})
    assert table.tell(cmd.SitDown(4, 201)) == Refused("buy_in_above", {"most": 200})
    assert table.tell(cmd.SitDown(12, 100)) == Refused("bad_seat", {"seat": 12})
    assert table.tell(cmd.SitDown(5, 100)) == Refused("seat_taken", {"seat": 5})
    assert table.tell(cmd.SitDown(4, 40)) is None


@pytest.mark.parametrize(
    ("house", "least"), [("seed", 20), ("roberts", 40), ("wsop_cash", 20)], ids=["seed", "roberts", "wsop"]
)
def test_fixed_limit_buys_ten_bets(house: str, least: int) -> None:
    """T-BI; Robert's Rules count the maximum bet."""
    table = Driver(house=house, game="flhe")
    assert table.tell(cmd.SitDown(4, least - 1)) == Refused("buy_in_below", {"least": least})
    assert table.tell(cmd.SitDown(4, least)) is None


def test_a_full_table() -> None:
    table = Driver(house="wsop_cash")  # nine at most
    for seat in (4, 6, 8):
        assert table.tell(cmd.SitDown(seat, 100)) is None
    assert table.tell(cmd.SitDown(10, 100)) == Refused("table_full", {"most": 9})


def test_a_top_up_waits_for_the_end_of_the_hand() -> None:
    table = Driver(stacks={2: 60})
    assert table.tell(cmd.TopUp(2, 90)) is None
    assert table.hand.betting.stack_of(2) == 60
    assert table.tell(cmd.TopUp(2, -5)) == Refused("table_stakes", {"seat": 2})
    play(table)
    assert table.core.seats.records[2].stack == 150
    assert table.tell(cmd.TopUp(2, 51)) == Refused("buy_in_above", {"most": 50})
    assert table.tell(cmd.TopUp(2, 50)) is None
    assert table.core.seats.records[2].stack == 200
    assert [
        event for change in table.changes for event in change.events if isinstance(event, te.ChipsBought)
    ] == [te.ChipsBought(2, 90, 0)]


def test_what_is_above_the_buy_in_goes_back_and_a_top_up_can_be_taken_back() -> None:
    table = Driver(stacks={2: 150, 3: 100})
    assert table.tell(cmd.TopUp(2, 90)) is None
    assert table.tell(cmd.TopUp(3, 20)) is None
    assert table.tell(cmd.TopUp(3, 0)) is None
    play(table)
    assert table.core.seats.records[2].stack == 200
    assert table.core.seats.records[3].stack == 100
    assert notice(table, "top_up/2") == fx.NoticeFact("top_up/2", "top_up_back", {"seat": 2, "amount": 40})
    assert notice(table, "top_up/3") is None


@pytest.mark.parametrize(
    ("house", "minutes", "least", "most"),
    [
        ("seed", 60, 200, 200),  # S003-11: the maximum within 90 minutes
        ("seed", 91, 40, 200),
        ("wsop_cash", 60, 170, 200),  # WLA 62: the same amount within an hour
        ("wsop_cash", 61, 40, 200),
    ],
)
def test_the_return_rule(house: str, minutes: int, least: int, most: int) -> None:
    table = Driver(house=house, stacks={3: 170})
    play(table)
    assert table.tell(cmd.SetSeat(3, "out")) is None
    table.wait(minutes * 60_000)
    assert table.tell(cmd.SitDown(3, least - 1, returned_from=3)) == Refused("buy_in_below", {"least": least})
    assert table.tell(cmd.SitDown(3, most + 1, returned_from=3)) == Refused("buy_in_above", {"most": most})
    assert table.tell(cmd.SitDown(3, least, returned_from=3)) is None


def test_nobody_has_left_that_seat() -> None:
    assert Driver().tell(cmd.SitDown(4, 100, returned_from=6)) == Refused("nobody_left", {"seat": 6})


def test_who_owes_nothing_neither_posts_nor_waits() -> None:
    table = Driver()
    assert table.tell(cmd.PostNow(3)) == Refused("owes_nothing", {"seat": 3})
    assert table.tell(cmd.WaitForBlind(4)) == Refused("seat_not_in", {"seat": 4})
    assert table.tell(cmd.TopUp(4, 10)) == Refused("seat_not_taken", {"seat": 4})


# -- the dealer push ----------------------------------------------------------------------------------------------------------------


def test_time_is_paid_at_the_push_and_by_a_running_hand_at_its_end() -> None:
    table = Driver()
    table.core.seats.rules = msgspec.structs.replace(table.core.seats.rules, time_rake=6)
    assert table.tell(cmd.SitDown(4, 100)) is None
    assert table.tell(cmd.DealerPush("Olena")) is None
    assert table.core.seats.records[4].stack == 94
    assert table.hand.betting.stack_of(3) == 200
    assert notice(table, "dealer_push") == fx.NoticeFact("dealer_push", "dealer_push", {"dealer": "Olena"})
    play(table)
    stacks = {seat: record.stack for seat, record in table.core.seats.records.items()}
    assert stacks[3] == 194
    assert sum(stack or 0 for stack in stacks.values()) == 6 * 200 + 100 - 7 * 6
    assert notice(table, "time") == fx.NoticeFact(
        "time", "time_paid", {"seats": [1, 2, 3, 5, 7, 9], "amount": 36}
    )
    assert table.core.seats.ledger.time_taken == 42
    assert table.tell(cmd.DealerPush("Petar")) is None
    assert table.core.seats.ledger.pushes == 2
    assert table.core.seats.records[3].stack == 188


@pytest.mark.parametrize("house", ["tda2024", "wsop_tournament"])
def test_no_time_is_taken_at_a_tournament(house: str) -> None:
    table = Driver(house=house)
    table.core.seats.rules = msgspec.structs.replace(table.core.seats.rules, time_rake=6)
    assert table.tell(cmd.DealerPush("Olena")) is None
    play(table)
    assert sum(record.stack or 0 for record in table.core.seats.records.values()) == 1200


# -- the first button -----------------------------------------------------------------------------------------------------------------


def fresh(house: str) -> Driver:
    """A table at which nobody has played yet: four seats."""
    table = Driver(house=house)
    table.core.hand = None
    table.core.seats.ledger = Ledger()
    for seat in (2, 4, 6, 8):
        assert table.tell(cmd.SitDown(seat, 100)) is None
    return table


def test_first_button_suits_do_not_matter_and_equal_cards_draw_again() -> None:
    table = fresh("seed")
    assert table.tell(cmd.FirstButton({2: "Ks", 4: "Kh", 6: "9s", 8: "2c"})) is None
    assert notice(table, "first_button") == fx.NoticeFact("first_button", "draw_again", {"seats": [2, 4]})
    assert table.tell(cmd.FirstButton({2: "3c"})) == Refused("draw_missing", {"seats": [2, 4]})
    assert table.tell(cmd.FirstButton({2: "3c", 4: "9d"})) is None
    assert notice(table, "first_button") == fx.NoticeFact("first_button", "first_button", {"seat": 4})
    next_hand(table)
    assert blinds(table) == (4, 6, 8)
    assert 2 in table.hand.procedure.order


@pytest.mark.parametrize("house", ["roberts", "wsop_cash"])
def test_first_button_by_suit(house: str) -> None:
    table = fresh(house)
    assert table.tell(cmd.FirstButton({2: "Kh", 4: "Ks", 6: "Kd", 8: "Kc"})) is None
    next_hand(table)
    assert blinds(table) == (4, 6, 8)


def test_first_button_of_a_tournament_is_at_the_dealers_right() -> None:
    table = fresh("wsop_tournament")
    assert table.tell(cmd.FirstButton()) is None
    next_hand(table)
    assert blinds(table) == (8, 2, 4)


def test_the_button_is_drawn_for_once() -> None:
    table = Driver()
    assert table.tell(cmd.FirstButton({})) == Refused("hand_open")
    play(table)
    cards = dict(zip((1, 2, 3, 5, 7, 9), ("As", "2c", "3c", "4c", "5c", "6c"), strict=True))
    assert table.tell(cmd.FirstButton(cards)) == Refused("button_drawn")
    refused, _ = table.core.tell(cmd.FirstButton(cards), "floor", table.t_ms)
    assert refused is None
    next_hand(table)
    assert blinds(table) == (1, 2, 3)


def test_bad_draws() -> None:
    table = fresh("seed")
    assert table.tell(cmd.FirstButton({2: "Ks", 4: "Ks", 6: "9s", 8: "2c"})) == Refused("same_card")
    assert table.tell(cmd.FirstButton({2: "Ks", 4: "XX", 6: "9s", 8: "2c"})) == Refused(
        "bad_command", {"reason": "not_a_card"}
    )


# -- the journal ----------------------------------------------------------------------------------------------------------------------


def test_the_seats_are_the_same_after_a_restart() -> None:
    """What a closed hand left, then the inputs since: in a hand and between two."""
    table = Driver(house="roberts", stacks={3: 150})
    play(table)
    assert table.tell(cmd.SetSeat(2, "away")) is None
    next_hand(table)
    play(table)
    kept = [change.ledger for change in table.changes if change.ledger is not None][-1]
    stored = msgspec.json.decode(msgspec.json.encode(msgspec.to_builtins(kept, str_keys=True)), type=Ledger)
    assert stored == kept
    table.changes = []
    assert table.tell(cmd.SitDown(4, 100)) is None
    assert table.tell(cmd.SetSeat(2, "in")) is None
    assert table.tell(cmd.PostNow(2)) is None
    assert table.tell(cmd.TopUp(3, 10)) is None  # not twice when it is folded again
    between = taken_up(table, stored)
    assert between.core.seats.ledger == table.core.seats.ledger
    next_hand(table)
    assert table.tell(cmd.TopUp(5, 40)) is None
    assert table.tell(cmd.DealerPush("Olena")) is None
    running = taken_up(table, stored)
    assert running.core.seats.ledger == table.core.seats.ledger
    assert sections(running) == sections(table)
    assert posts(running) == posts(table)


def taken_up(table: Driver, ledger: Ledger) -> Driver:
    other = Driver(house=table.core.rules.house.name)
    other.core.hand = None
    other.core.seats.ledger = ledger
    other.core._screen.keep(other.core._screen.seats(None))
    other.core._screen.new_hand()
    other.core.resume(inputs_of(table), key_kept=True)
    other.t_ms = table.t_ms
    return other


# -- evenings -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", [*CASH, "tda2024", "wsop_tournament"])
def test_an_evening_with_people_who_come_and_go(house: str) -> None:
    """Twelve hands dealt card by card: nothing is said, no chip is lost, nobody has the big blind twice in a row."""
    rng = random.Random(f"evening/{house}")
    table = Driver(house=house)
    table.core.seats.rules = msgspec.structs.replace(table.core.seats.rules, time_rake=1)
    brought = 1200
    last = None
    for number in range(12):
        play(table)
        assert table.alerts() == []
        for seat in rng.sample(range(1, 12), 3):
            record = table.core.seats.ledger.seat(seat)
            if not record.seated:
                gone = record.stack or 0
                if table.tell(cmd.SitDown(seat, 100)) is None:
                    brought += 100 - gone
            elif table.tell(cmd.SetSeat(seat, rng.choice(["away", "in", "in"]))) is None:  # type: ignore[arg-type]
                table.tell(cmd.PostNow(seat))
        if number % 4 == 0:
            assert table.tell(cmd.DealerPush(f"dealer {number}")) is None
        ledger = table.core.seats.ledger
        assert sum(record.stack or 0 for record in ledger.seats.values()) + ledger.time_taken == brought
        next_hand(table)
        assert blinds(table)[2] not in (None, last)
        last = blinds(table)[2]
