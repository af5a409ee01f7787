"""The clock on a seat: the house's seconds, what the screen is told, and what ends it."""

from __future__ import annotations

import msgspec
import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain import facts as fx
from dealer_assist.domain.commands import Refused
from tests.table.driver import Driver


def on_the_flop(**keys: object) -> Driver:
    driver = Driver(**keys)  # type: ignore[arg-type]
    driver.deal()
    driver.act("2 raise 6, 3 fold, 5 call, 7 fold, 9 fold, 1 call")
    driver.street(3)
    return driver


def now(driver: Driver) -> dict[str, object]:
    return next(fact for fact in driver.core.snapshot() if isinstance(fact, fx.NowFact)).params


@pytest.mark.parametrize(("house", "seconds"), [("tda2024", 30), ("wsop_cash", 70)])
def test_a_seat_has_the_houses_seconds_and_then_the_screen_says_so(house: str, seconds: int) -> None:
    driver = on_the_flop(house=house)
    table = next(fact for fact in driver.core.snapshot() if isinstance(fact, fx.TableFact))
    assert table.clock_s == seconds
    assert driver.tell(cmd.CallClock(1)) is None
    assert (now(driver)["clock_s"], now(driver)["clock_over"]) == (seconds, False)
    driver.wait(seconds * 1000 - 1)
    assert now(driver)["clock_over"] is False
    driver.wait(1)
    assert now(driver)["clock_over"] is True
    driver.wait(60_000)
    assert driver.hand.betting.to_act == 1, "nothing is done by itself"
    driver.act("1 check")
    assert "clock" not in now(driver)


def test_an_action_ends_it_and_undo_of_that_brings_the_seat_back_without_a_new_one() -> None:
    driver = on_the_flop(house="tda2024")
    driver.act("1 bet 10")
    assert driver.tell(cmd.CallClock(2)) is None
    first = now(driver)["clock"]
    driver.act("2 call")
    assert "clock" not in now(driver)
    driver.wait(60_000)
    assert "clock" not in now(driver)
    assert driver.tell(cmd.Undo()) is None
    assert now(driver).get("clock") == first, "it is the same clock, and its time has passed"
    driver.wait(1000)
    assert now(driver)["clock_over"] is True


def test_it_is_called_again_for_the_next_seat_and_not_for_one_that_waits() -> None:
    driver = on_the_flop(house="tda2024")
    assert driver.tell(cmd.CallClock(5)) == Refused("not_to_act", {"to_act": 1})
    assert driver.tell(cmd.CallClock(3)) == Refused("bad_seat", {"seat": 3})
    assert driver.tell(cmd.CallClock(1)) is None
    driver.act("1 check")
    assert driver.tell(cmd.CallClock(2)) is None
    driver.wait(30_000)
    assert now(driver)["clock_over"] is True and driver.hand.betting.to_act == 2


def test_by_exception_it_says_that_those_before_have_acted() -> None:
    driver = on_the_flop(house="tda2024", entry="by_exception")
    assert driver.tell(cmd.CallClock(5)) is None
    assert (driver.hand.betting.to_act, now(driver)["seat"]) == (5, 5)


def test_where_the_house_has_no_clock_it_is_refused() -> None:
    driver = on_the_flop(house="tda2024")
    house = driver.core.rules.house
    none = msgspec.structs.replace(house.parameters.clock_s, value=0)
    driver.core.rules.house = msgspec.structs.replace(
        house, parameters=msgspec.structs.replace(house.parameters, clock_s=none)
    )
    assert driver.tell(cmd.CallClock(1)) == Refused("no_clock")
