"""Wrong actions at the table: what chips and words come to, actions before their turn, raises given up, and amounts that stand."""

from __future__ import annotations

from typing import Any

import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain import facts as fx
from dealer_assist.domain.commands import Refused
from tests.table.driver import Driver


def table(house: str = "tda2024", **keys: Any) -> Driver:
    driver = Driver(house=house, **keys)
    driver.deal()
    return driver


def on_the_flop(house: str = "tda2024", **keys: Any) -> Driver:
    """Seats 1, 2 and 5 are left, 19 in the pot; seat 1 begins."""
    driver = table(house, **keys)
    driver.act("2 raise 6, 3 fold, 5 call, 7 fold, 9 fold, 1 call")
    driver.street(3)
    return driver


def notices(driver: Driver) -> dict[str, dict[str, Any]]:
    return {fact.code: fact.params for fact in driver.core.snapshot() if isinstance(fact, fx.NoticeFact)}


def pad(driver: Driver) -> fx.PadFact:
    return next(fact for fact in driver.core.snapshot() if isinstance(fact, fx.PadFact))


def taken(driver: Driver) -> list[tuple[int, str, int]]:
    return [(entry.seat, entry.kind, entry.to) for entry in driver.hand.betting.actions_on(1)]


def test_one_chip_without_a_word_is_a_call_and_the_rest_goes_back() -> None:
    driver = on_the_flop()
    driver.act("1 bet 10")
    assert driver.tell(cmd.Irregular(2, chips=(25,))) is None
    assert taken(driver)[-1] == (2, "call", 10)
    assert notices(driver)["amount_back"] == {
        "seat": 2,
        "action": "call",
        "to": 10,
        "back": 15,
        "owes": 0,
        "rule": "TDA 44",
        "reason": "overchip",
        "string": False,
    }
    assert driver.tell(cmd.Undo()) is None
    assert taken(driver) == [(1, "bet", 10)]


def test_half_of_a_raise_is_brought_to_a_whole_one() -> None:
    driver = on_the_flop()
    driver.act("1 bet 10")
    assert driver.tell(cmd.Irregular(2, chips=(5, 5, 5))) is None
    assert taken(driver)[-1] == (2, "raise", 20)
    assert driver.hand.betting.last_full_raise == 10


def test_too_few_chips_against_a_raise_are_for_the_floor() -> None:
    driver = on_the_flop()
    driver.act("1 bet 10, 2 raise 30")
    assert driver.tell(cmd.Irregular(5, chips=(5, 5))) is None
    assert driver.hand.betting.to_act == 5
    assert notices(driver)["amount_floor"]["to"] == 30
    driver.act("5 call")


def test_who_said_check_against_a_bet_is_offered_no_raise_until_he_has_acted() -> None:
    driver = on_the_flop()
    driver.act("1 bet 10")
    assert driver.tell(cmd.Irregular(2, "check")) is None
    assert notices(driver)["amount_check"]["to"] == 10
    assert (pad(driver).seat, pad(driver).min_to, pad(driver).call) == (2, None, 10)
    assert driver.tell(cmd.Undo()) is None
    assert pad(driver).min_to == 20, "taken back, it never was"
    assert driver.tell(cmd.Irregular(2, "check")) is None
    driver.act("2 call, 5 raise 40, 1 call")
    assert pad(driver).min_to == 70, "it was about that turn"


def test_the_floors_word_on_a_call_or_a_fold_waits_for_a_signature() -> None:
    driver = on_the_flop()
    driver.act("1 bet 10, 2 raise 30")
    assert driver.tell(cmd.Irregular(5, chips=(5, 5))) is None
    assert driver.tell(cmd.Act(5, "call", ruled=True)) is None
    assert taken(driver)[-1] == (5, "call", 30)
    assert [(each.option, each.seat, each.by) for each in driver.hand.rulings] == [
        ("ruled_call", 5, "dealer")
    ]


def test_what_nobody_understood_leaves_every_choice() -> None:
    driver = on_the_flop()
    driver.act("1 bet 10")
    assert driver.tell(cmd.Irregular(2, unclear=True)) is None
    assert notices(driver)["amount_unclear"]["rule"] == "TDA 57"
    assert (pad(driver).seat, pad(driver).min_to) == (2, 20)


def test_a_number_with_several_meanings_is_read_by_the_pot() -> None:
    driver = on_the_flop()
    driver.act("1 check")
    assert driver.tell(cmd.Irregular(2, "bet", 1, unclear=True)) is None
    assert taken(driver)[-1] == (2, "bet", 10), "100 would be more than the pot of 19"


def test_what_is_not_read_is_refused_and_changes_nothing() -> None:
    driver = on_the_flop()
    before = driver.hand
    assert driver.tell(cmd.Irregular(1)) == Refused("nothing_pushed")
    assert driver.tell(cmd.Irregular(3, "call")) == Refused("bad_seat", {"seat": 3})
    assert driver.tell(cmd.Irregular(1, chips=(500,))) == Refused("above_stack", {"max_to": 194})
    assert driver.hand == before


# -- before its turn (A1: TDA 53-A) --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", ["seed", "roberts", "tda2024", "wsop_cash", "wsop_tournament"])
def test_an_action_before_its_turn_is_found_and_kept(house: str) -> None:
    driver = on_the_flop(house)
    driver.act("1 check")
    assert driver.tell(cmd.Irregular(5, "bet", 12)) is None
    assert driver.alert("A1").evidence == "proven"
    assert driver.hand.betting.to_act == 2
    assert taken(driver) == [(1, "check", 0)]


def test_it_binds_when_nothing_has_changed() -> None:
    driver = on_the_flop()
    driver.act("1 check")
    assert driver.tell(cmd.Irregular(5, "bet", 12)) is None
    driver.act("2 check")
    assert taken(driver)[-1] == (5, "bet", 12)
    assert driver.hand.betting.to_act == 1
    assert driver.alert("A1").state == "closed"


def test_a_call_before_its_turn_is_of_the_bet_as_it_is() -> None:
    driver = on_the_flop()
    driver.act("1 bet 10")
    assert driver.tell(cmd.Irregular(5, "call")) is None
    driver.act("2 call")
    assert taken(driver)[-1] == (5, "call", 10)
    assert driver.hand.bets.complete


def test_where_the_bet_has_changed_it_has_every_choice() -> None:
    driver = on_the_flop()
    driver.act("1 check")
    assert driver.tell(cmd.Irregular(5, "check")) is None
    driver.act("2 bet 10")
    assert driver.hand.betting.to_act == 5
    assert pad(driver).min_to == 20
    driver.act("5 raise 40")


def test_where_the_house_says_so_who_checked_before_his_turn_is_offered_no_raise() -> None:
    driver = on_the_flop("roberts")
    driver.act("1 check")
    assert driver.tell(cmd.Irregular(5, "check")) is None
    driver.act("2 bet 10")
    assert driver.hand.betting.to_act == 5
    assert pad(driver).min_to is None
    assert pad(driver).call == 10
    driver.act("5 call")
    assert driver.alert("A1").state == "closed"
    driver.act("1 raise 30, 2 call")
    assert pad(driver).min_to == 50, "what it gave up was that turn"


def test_several_before_their_turn_follow_in_order() -> None:
    driver = on_the_flop()
    assert driver.tell(cmd.Irregular(2, "check")) is None
    assert driver.tell(cmd.Irregular(5, "check")) is None
    driver.act("1 check")
    assert taken(driver) == [(1, "check", 0), (2, "check", 0), (5, "check", 0)]


def test_an_action_before_its_turn_is_undone() -> None:
    driver = on_the_flop()
    driver.act("1 check")
    before = driver.hand.betting
    assert driver.tell(cmd.Irregular(5, "bet", 12)) is None
    assert driver.tell(cmd.Undo()) is None
    assert driver.hand.kept == {}
    assert driver.hand.betting == before
    driver.act("2 check, 5 check")


def test_a_street_ends_what_was_kept() -> None:
    driver = on_the_flop()
    driver.act("1 bet 10")
    assert driver.tell(cmd.Irregular(5, "call")) is None
    driver.act("2 fold")
    assert driver.hand.kept == {}


# -- amounts that were wrong (A4, A5: TDA 52) ------------------------------------------------------------------------------------


def test_a_raise_too_small_is_brought_up_on_the_street_and_stands_after_it() -> None:
    driver = on_the_flop()
    driver.act("1 bet 60, 2 raise 120, 5 call")
    assert driver.tell(cmd.Correct(2, "raise", 100)) == Refused("below_minimum", {"min_to": 120})
    driver.act("1 call")
    driver.street(1)
    refused, _ = driver.core.tell(cmd.Correct(2, "raise", 100, ruled=True), "floor", driver.t_ms)
    assert refused is None
    assert taken(driver) == [(1, "bet", 60), (2, "raise", 100), (5, "call", 100), (1, "call", 100)]
    assert sum(driver.hand.betting.contributed) == 19 + 300


def test_an_amount_that_stands_gives_no_new_right_to_raise() -> None:
    driver = on_the_flop()
    assert driver.tell(cmd.Act(1, "bet", 60)) is None
    assert driver.tell(cmd.Act(2, "raise", 100, ruled=True)) is None
    driver.act("5 call")
    assert pad(driver).min_to is None, "40 more are no full raise of 60"


def test_a_wrong_amount_is_never_more_than_there_is() -> None:
    driver = on_the_flop()
    refused = driver.tell(cmd.Act(1, "bet", 500, ruled=True))
    assert refused == Refused("above_stack", {"max_to": 194})


@pytest.mark.parametrize(("house", "stands"), [("tda2024", True), ("wsop_cash", False), ("roberts", False)])
def test_a_pot_bet_from_too_low_a_count_stands_once_others_have_acted(house: str, stands: bool) -> None:
    driver = on_the_flop(house, game="plhe")
    driver.act("1 bet 16")
    assert driver.tell(cmd.Correct(1, "bet", 19)) is None, "nobody has acted behind it"
    driver.act("2 call, 5 call")
    assert driver.tell(cmd.Correct(1, "bet", 17)) is None, "too high is put right on the whole street"
    refused = driver.tell(cmd.Correct(1, "bet", 19))
    assert refused == (Refused("amount_stands", {"seat": 1}) if stands else None)
    refused, _ = driver.core.tell(cmd.Correct(1, "bet", 19), "floor", driver.t_ms)
    assert refused is None
    assert sum(driver.hand.betting.contributed) == 19 + 3 * 19
