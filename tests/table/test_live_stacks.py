"""A live table: stacks that nobody has counted, counts that win over what was believed, and tables that track less than every chip."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain import facts as fx
from dealer_assist.domain.commands import Refused
from dealer_assist.table import events as te
from dealer_assist.table.hand import final_stacks
from tests.table.driver import ORDER, SEATS, Driver
from tests.table.test_resume import sections, taken_up

NOBODY: dict[int, int | None] = dict.fromkeys(SEATS)
FALSE_CHIPS = 10**9  # more than any chips on a table


def seat(driver: Driver, number: int) -> fx.SeatFact:
    return next(
        fact for fact in driver.core.snapshot() if isinstance(fact, fx.SeatFact) and fact.seat == number
    )


def the(driver: Driver, kind: type[Any]) -> Any:
    return next(fact for fact in driver.core.snapshot() if isinstance(fact, kind))


def numbers(value: Any) -> list[int]:
    """Every integer in it."""
    if isinstance(value, bool):
        return []
    if isinstance(value, int):
        return [value]
    if isinstance(value, dict):
        return [found for each in value.values() for found in numbers(each)]
    return [found for each in value for found in numbers(each)] if isinstance(value, list) else []


def table(**keys: Any) -> Driver:
    driver = Driver(**keys)
    driver.deal()
    return driver


# -- stacks that nobody has counted --------------------------------------------------------------------------------------------------


def test_a_hand_with_no_stack_known_is_played_to_the_chip() -> None:
    driver = table(stacks=NOBODY)
    driver.act("2 raise 700, 3 call, 5 fold, 7 fold, 9 fold, 1 call")
    driver.street(3)
    driver.act("1 check, 2 bet 1500, 3 call, 1 fold")
    driver.street(1)
    driver.act("2 check, 3 check")
    driver.street(1)
    driver.act("2 check, 3 check")
    assert the(driver, fx.PotFact).total == 5101
    driver.showdown()
    assert sum(driver.hand.settlement.awards.values()) == 5101  # type: ignore[union-attr]
    assert final_stacks(driver.hand) == dict.fromkeys(SEATS)
    assert driver.said() == []


def test_what_is_not_known_is_neither_shown_nor_offered() -> None:
    driver = table(stacks=NOBODY)
    assert all(seat(driver, number).stack is None for number in SEATS)
    pad = the(driver, fx.PadFact)
    assert (pad.seat, pad.min_to, pad.max_to) == (2, 4, None)
    driver.act("2 raise 700, 3 call, 5 fold, 7 fold, 9 fold, 1 fold")
    driver.street(3)
    driver.act("2 bet 300, 3 fold")
    assert driver.tell(cmd.PushPots()) is None
    facts = [msgspec.to_builtins(fact) for change in driver.changes for fact in change.facts]
    assert facts
    assert max(numbers(facts)) < FALSE_CHIPS
    stored = [msgspec.to_builtins(event) for change in driver.changes for event in change.events]
    started = [event for event in stored if event["event"] == "betting_started"]
    assert all(event["setup"]["unknown"] for event in started)
    for event in started:
        del event["setup"]["stacks"]  # the sentinel, where `unknown` names the seat
    assert max(numbers(stored)) < FALSE_CHIPS


def test_a_counted_all_in_fixes_the_stack_and_everything_follows() -> None:
    driver = table(stacks=NOBODY)
    assert driver.tell(cmd.Act(2, "all_in")) == Refused("count_needed", {"call": 2})
    driver.act("2 allin 175, 3 call, 5 raise 600, 7 fold, 9 fold, 1 fold")
    assert seat(driver, 2).hand == "all_in"
    assert "rebased" in seat(driver, 2).marks
    driver.act("3 allin 400")
    assert the(driver, fx.PotFact).in_front == 200, "uncalled"
    pots = [(pot.amount, pot.eligible) for pot in the(driver, fx.PotFact).pots]
    assert pots == [(528, (2, 3, 5)), (450, (3, 5))]
    for _ in range(2):
        driver.street(3 if not driver.hand.board_faces() else 1)
    driver.street(1)
    driver.showdown()
    stacks = final_stacks(driver.hand)
    assert stacks[5] is None
    assert stacks[2] is not None
    assert stacks[3] is not None


def test_the_next_hand_carries_on_what_is_not_known() -> None:
    driver = table(stacks={**NOBODY, 3: 200})
    driver.act("2 raise 6, 3 call, 5 fold, 7 fold, 9 fold, 1 fold")
    driver.street(3)
    driver.act("2 check, 3 bet 20, 2 fold")
    assert driver.tell(cmd.PushPots()) is None
    assert driver.core.seats.records[3].stack == 209
    assert driver.core.seats.records[2].stack is None
    driver.gather()
    assert driver.tell(cmd.OpenHand()) is None
    stacks = {record.seat: record.stack for record in driver.hand.procedure.opening.seats}
    assert stacks == {**NOBODY, 3: 209}


def test_a_misdeal_gives_back_what_was_counted() -> None:
    driver = Driver()
    driver.pitch(*ORDER)
    assert driver.tell(cmd.SetStack(3, 260)) is None
    driver.report("misdeal")
    assert driver.tell(cmd.OpenHand()) is None
    assert driver.core.seats.records[3].stack == 260
    assert driver.core.seats.records[5].stack == 200


# -- counts ------------------------------------------------------------------------------------------------------------------------------


def test_more_than_believed_is_refused_until_it_is_counted() -> None:
    driver = table()
    assert driver.tell(cmd.Act(2, "raise", 260)) == Refused("above_stack", {"max_to": 200})
    assert driver.tell(cmd.Act(2, "all_in", 260, counted=True)) is None
    assert driver.hand.betting.current_bet == 260
    assert seat(driver, 2).stack == 0
    assert "rebased" in seat(driver, 2).marks
    event = next(
        event for change in driver.changes for event in change.events if isinstance(event, te.StackRebased)
    )
    assert event == te.StackRebased(2, 260, 200, "counted")


def test_a_count_is_undone_with_its_action() -> None:
    driver = table()
    before = driver.hand.betting
    assert driver.tell(cmd.Act(2, "raise", 260, counted=True)) is None
    assert seat(driver, 2).stack is None
    assert driver.tell(cmd.Undo()) is None
    assert driver.hand.betting == before
    assert "rebased" not in seat(driver, 2).marks


def test_a_stack_is_set_in_the_hand_and_undone() -> None:
    driver = table()
    driver.act("2 raise 6")
    assert driver.tell(cmd.SetStack(2, 300)) is None
    assert seat(driver, 2).stack == 300
    assert driver.hand.betting.setup.stacks[driver.hand.betting.setup.seats.index(2)] == 306
    assert driver.tell(cmd.SetStack(3, None)) is None
    assert seat(driver, 3).stack is None
    assert the(driver, fx.UndoFact).code == "set_stack"
    assert driver.tell(cmd.Undo()) is None
    assert driver.tell(cmd.Undo()) is None
    assert (seat(driver, 2).stack, seat(driver, 3).stack) == (194, 200)


def test_a_stack_is_set_between_hands_and_marked() -> None:
    driver = table()
    driver.act("2 fold, 3 fold, 5 fold, 7 fold, 9 fold")
    assert driver.tell(cmd.PushPots()) is None
    assert driver.tell(cmd.SetStack(3, 555)) is None
    assert seat(driver, 3).stack == 555
    assert seat(driver, 3).marks == ("rebased",)
    assert driver.tell(cmd.SetStack(5, None)) is None
    driver.gather()
    assert driver.tell(cmd.OpenHand()) is None
    stacks = {record.seat: record.stack for record in driver.hand.procedure.opening.seats}
    assert (stacks[3], stacks[5]) == (555, None)
    assert seat(driver, 3).marks == ()


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (cmd.SetStack(2, -1), "bad_command"),
        (cmd.SetStack(11, 50), None),
        (cmd.SetStack(12, 50), "bad_seat"),
        (cmd.SetStack(2, 0), "no_chips"),
    ],
)
def test_what_cannot_be_a_stack_is_refused(command: cmd.SetStack, code: str | None) -> None:
    driver = table()
    refused = driver.tell(command)
    assert (None if refused is None else refused.code) == code


def test_the_last_seat_to_act_with_nothing_behind_closes_the_round() -> None:
    driver = table()
    driver.act("2 raise 6, 3 fold, 5 fold, 7 fold, 9 fold")
    assert driver.tell(cmd.SetStack(1, 0)) is None
    assert driver.hand.betting.to_act is None
    assert [(pot.amount, pot.eligible) for pot in the(driver, fx.PotFact).pots] == [(5, (1, 2))]
    assert the(driver, fx.NowFact).code == "burn"


def test_hidden_chips_behind_an_all_in_do_not_play_unless_the_floor_makes_them_part_of_it() -> None:
    driver = table(stacks={2: 60})
    driver.act("2 allin, 3 call, 5 fold, 7 fold, 9 fold, 1 fold")
    assert driver.tell(cmd.SetStack(2, 25)) is None
    assert seat(driver, 2).hand == "all_in"
    assert driver.hand.betting.current_bet == 60
    assert seat(driver, 2).stack == 25
    refused, _ = driver.core.tell(cmd.Correct(2, "all_in", 85, counted=True), "floor", driver.t_ms)
    assert refused is None
    assert driver.hand.betting.current_bet == 85
    assert driver.hand.betting.bet_of(3) == 85


def test_a_count_survives_a_restart() -> None:
    driver = table(stacks=NOBODY)
    driver.act("2 allin 175, 3 raise 500")
    assert driver.tell(cmd.SetStack(5, 90)) is None
    again = taken_up(driver, key=b"h1".ljust(32, b"k"))
    assert sections(again) == sections(driver)


# -- less than every chip ------------------------------------------------------------------------------------------------------------------


def test_at_pot_stacks_are_not_known_whatever_the_opening_says() -> None:
    driver = table(tracking="pot")
    assert all(seat(driver, number).stack is None for number in SEATS)
    driver.act("2 raise 600, 3 call, 5 fold, 7 fold, 9 fold, 1 fold")
    assert the(driver, fx.PotFact).total == 1203
    assert the(driver, fx.TableFact).tracking == "pot"


def test_at_cards_no_amount_is_told_and_rounds_close_by_burns_and_folds() -> None:
    driver = table(tracking="cards")
    assert driver.hand.procedure.entry == "by_exception"
    assert the(driver, fx.NowFact).code == "betting"
    for number in (5, 7):
        driver.wait(2000)
        for face in [face for face, zone in driver.where.items() if zone == f"seat{number}"]:
            driver.put(face, "muck")
    driver.wait(4000)
    driver.street(3)
    assert set(driver.hand.bets.live) == {1, 2, 3, 9}
    driver.wait(6000)
    driver.act("1 bet, 2 allin")
    assert seat(driver, 2).hand == "all_in"
    driver.wait(6000)
    driver.street(1)
    driver.wait(6000)
    driver.street(1)
    driver.wait(6000)
    for number in driver.hand.bets.live:
        driver.wait(1000)
        assert driver.tell(cmd.Tabled(number)) is None
    assert driver.hand.settlement is not None
    now = the(driver, fx.NowFact)
    assert now.code == "push"
    assert {push.amount for push in now.pushes} == {0}
    assert all(push.name for push in now.pushes)
    assert driver.tell(cmd.PushPots()) is None
    assert driver.hand.result == "completed"
    assert final_stacks(driver.hand) == dict.fromkeys(SEATS)
    assert driver.said() == []
    assert the(driver, fx.PotFact) == fx.PotFact((), 0, 0)
    facts = [fact for change in driver.changes for fact in change.facts]
    assert all(fact.stack is None and fact.bet == 0 for fact in facts if isinstance(fact, fx.SeatFact))
    assert all(fact.total == 0 for fact in facts if isinstance(fact, fx.PotFact))


def test_at_cards_no_stack_is_set() -> None:
    driver = table(tracking="cards")
    assert driver.tell(cmd.SetStack(2, 50)) == Refused("no_amounts")


def test_a_stack_is_set_while_the_pots_wait_to_be_pushed() -> None:
    driver = table()
    driver.act("2 raise 6, 3 fold, 5 fold, 7 fold, 9 fold, 1 fold")
    assert driver.hand.settlement is not None
    assert driver.tell(cmd.SetStack(2, 300)) is None
    assert the(driver, fx.NowFact).code == "push"
    assert driver.tell(cmd.PushPots()) is None
    assert driver.core.seats.records[2].stack == 309


def test_a_straddle_of_a_stack_that_is_not_known_has_no_upper_limit(tmp_path: Path) -> None:
    free = tmp_path / "free.toml"
    free.write_text(
        'name = "free"\ntitle = "Free"\nextends = "seed"\n[parameters]\nstraddle = { value = "any_seat", source = "house" }\n'
    )
    driver = Driver(house=str(free), stacks={**NOBODY, 2: 90})
    most = {offer.seat: offer.most for offer in the(driver, fx.PadFact).straddles}
    assert most[2] == 90
    assert set(most.values()) == {90, None}
    assert driver.tell(cmd.Straddle(3, 700)) is None
