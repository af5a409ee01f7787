"""Entry by exception: burns and shown hands close the rounds, late taps find their place, and the pots are those of every action."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dealer_assist.cli import main as assist
from dealer_assist.domain import commands as cmd
from dealer_assist.domain import facts as fx
from dealer_assist.domain.commands import Refused
from dealer_assist.procedure.rules.muck import GIVEN_UP_MS
from hw_sim.cli import main as simulator
from tests.table.driver import Driver
from tests.table.test_resume import sections, taken_up

SAMPLE = Path(__file__).parents[1] / "data" / "pluribus_sample.phhs"
THINK_MS = 7000  # time enough for six seats


def table(**keys: Any) -> Driver:
    out = Driver(entry="by_exception", **keys)
    out.deal()
    return out


def give_up(driver: Driver, *seats: int) -> None:
    """Hands go to the muck, one after the other, without a tap."""
    for seat in seats:
        driver.wait(1200)
        for face in [face for face, zone in driver.where.items() if zone == f"seat{seat}"]:
            driver.put(face, "muck")
    driver.wait(100)


def log(driver: Driver, street: int) -> list[tuple[int, str, bool]]:
    """Who did what on a street, and whether it was assumed."""
    return [
        (taken.seat, taken.kind, taken.assumed) for taken in driver.hand.betting.log if taken.street == street
    ]


def marks(driver: Driver, seat: int) -> tuple[str, ...]:
    return next(
        fact.marks for fact in driver.core.snapshot() if isinstance(fact, fx.SeatFact) and fact.seat == seat
    )


def pad(driver: Driver) -> fx.PadFact:
    return next(fact for fact in driver.core.snapshot() if isinstance(fact, fx.PadFact))


def pot(driver: Driver) -> int:
    return sum(driver.hand.betting.contributed)


# -- what closes a round ----------------------------------------------------------------------------------------------------------------


def test_a_burn_closes_the_round_and_says_so_at_each_seat() -> None:
    driver = table()
    driver.act("2 raise 6")
    give_up(driver, 3, 7, 9)
    driver.wait(3000)
    assert log(driver, 0) == [(2, "raise", False), (3, "fold", True)]
    driver.burn()
    assert log(driver, 0)[2:] == [(5, "call", True), (7, "fold", True), (9, "fold", True), (1, "call", True)]
    assert "assumed" in marks(driver, 5)
    assert "assumed" not in marks(driver, 2)
    assert driver.hand.procedure.step.kind == "board"
    assert driver.alerts() == []


def take_up(driver: Driver, seat: int) -> list[str]:
    """The seat's cards leave their antenna and come to none."""
    faces = [face for face, zone in driver.where.items() if zone == f"seat{seat}"]
    for face in faces:
        driver.take(face)
    return faces


@pytest.mark.parametrize(("away_ms", "kind"), [(GIVEN_UP_MS, "fold"), (GIVEN_UP_MS - 1000, "call")])
def test_cards_that_no_antenna_has_seen_for_longer_than_a_look_are_given_up(away_ms: int, kind: str) -> None:
    """The muck did not read them; a bet was to be called."""
    driver = table()
    driver.act("2 raise 6")
    give_up(driver, 3, 7, 9)
    driver.wait(3000)
    take_up(driver, 5)
    driver.wait(away_ms)
    driver.burn()
    assert (5, kind, True) in log(driver, 0)
    assert (1, "call", True) in log(driver, 0)
    assert driver.alerts() == []


def test_one_card_that_lies_there_or_was_never_read_is_no_hand_given_up() -> None:
    driver = table()
    driver.act("2 raise 6")
    give_up(driver, 3, 7, 9)
    driver.put(take_up(driver, 5)[0], "seat5")
    driver.wait(2 * GIVEN_UP_MS)
    driver.burn()
    assert (5, "call", True) in log(driver, 0)


def test_nobody_gives_up_a_hand_that_he_may_check() -> None:
    driver = table()
    driver.act("2 call, 3 call, 5 call, 7 call, 9 call")
    take_up(driver, 1)
    driver.wait(2 * GIVEN_UP_MS)
    driver.burn()
    assert log(driver, 0)[-1] == (1, "check", True)


def test_a_board_card_without_a_burn_that_was_read_closes_it_too() -> None:
    driver = table(unread=("burn",))
    driver.act("2 raise 6")
    driver.wait(THINK_MS)
    driver.board(3)
    driver.wait(1500)
    assert driver.hand.betting.street == 1
    assert pot(driver) == 36
    assert driver.alerts() == []


def test_a_tapped_burn_closes_it_where_no_reader_is() -> None:
    driver = table(unread=("burn",))
    driver.act("2 raise 6")
    driver.wait(THINK_MS)
    assert driver.tell(cmd.TapZone("burn", 1)) is None
    assert driver.hand.procedure.step.kind == "board"
    assert pot(driver) == 36


def test_the_next_bet_says_what_those_before_it_did() -> None:
    driver = table()
    give_up(driver, 3)
    driver.wait(THINK_MS)
    driver.act("9 raise 12")
    assert log(driver, 0) == [
        (2, "call", True),
        (3, "fold", True),
        (5, "call", True),
        (7, "call", True),
        (9, "raise", False),
    ]


def test_an_entered_action_takes_the_assumption_off_its_seat() -> None:
    driver = table()
    driver.wait(THINK_MS)
    driver.act("9 raise 12")
    assert "assumed" in marks(driver, 5)
    driver.wait(THINK_MS)
    driver.act("5 raise 40")
    assert "assumed" not in marks(driver, 5)


def test_the_first_hand_shown_closes_the_river() -> None:
    driver = table()
    driver.act("2 raise 6")
    give_up(driver, 3, 7, 9, 1)
    for count in (3, 1, 1):
        driver.wait(THINK_MS)
        driver.street(count)
    driver.wait(THINK_MS)
    assert pad(driver).may_show == (2, 5)
    driver.act("2 bet 20")
    driver.wait(3000)
    assert (pad(driver).seat, pad(driver).showdown, pad(driver).may_show) == (5, (), (2, 5))
    assert driver.tell(cmd.Tabled(2)) is None
    assert (pad(driver).seat, pad(driver).showdown, pad(driver).may_show) == (None, (5,), ())
    assert log(driver, 3) == [(2, "bet", False), (5, "call", True)]
    give_up(driver, 5)  # a loser's hand, face down, without a tap
    assert driver.hand.settlement is not None
    assert driver.hand.settlement.awards == {2: 55}
    assert driver.tell(cmd.PushPots()) is None
    assert driver.alerts() == []


def test_a_board_card_that_nobody_read_closes_the_round_when_it_is_entered() -> None:
    driver = table()
    driver.act("2 raise 6")
    give_up(driver, 3, 7, 9, 1)
    driver.wait(THINK_MS)
    driver.street(3)
    driver.wait(THINK_MS)
    driver.act("2 bet 20")
    driver.wait(THINK_MS)  # the turn lies there, neither burn nor card was read
    assert driver.tell(cmd.EnterCard("Kd")) is None
    assert log(driver, 1) == [(2, "bet", False), (5, "call", True)]
    assert driver.hand.betting.street == 2
    assert driver.hand.board_faces()[-1] == "Kd"
    assert driver.alerts() == []
    driver.wait(THINK_MS)
    assert driver.tell(cmd.EnterCard("Qd")) is None
    driver.wait(THINK_MS)
    assert driver.tell(cmd.EnterCard("Jd")) == Refused("bad_command", {"reason": "no_board_card_due"})


def test_a_hand_turned_up_at_once_is_refused_and_a_moment_later_it_is_not() -> None:
    """A slip of the finger must turn up nothing: two players need a second to check a river, not more."""
    driver = table()
    driver.act("2 raise 6")
    give_up(driver, 3, 7, 9, 1)
    for count in (3, 1):
        driver.wait(THINK_MS)
        driver.street(count)
    driver.wait(THINK_MS)
    driver.burn()
    driver.board(1)
    driver.wait(700)
    assert driver.tell(cmd.Tabled(2)) == Refused("betting_not_over")
    driver.wait(400)
    assert driver.tell(cmd.Tabled(2)) is None


# -- the question at the burn --------------------------------------------------------------------------------------------------------------


def test_a_burn_too_soon_is_asked_about_at_once_and_before_a_card_is_turned() -> None:
    driver = table()
    driver.act("2 raise 6")
    driver.burn()  # five seats hold cards
    driver.wait(100)
    assert driver.said() == [("N10", "probable", "open")]
    assert driver.alert("N10").question == "acted"
    assert driver.alert("N10").params["seats"] == [3, 5, 7, 9, 1]


@pytest.mark.parametrize(("folds", "asked"), [((), True), ((3, 5, 7, 9), False)])
def test_only_seats_that_hold_their_cards_have_to_have_acted(folds: tuple[int, ...], asked: bool) -> None:
    driver = table()
    driver.act("2 raise 6")
    for seat in folds:
        for face in [face for face, zone in driver.where.items() if zone == f"seat{seat}"]:
            driver.put(face, "muck")
    driver.wait(900)
    driver.burn()
    driver.wait(100)
    assert bool(driver.alerts()) is asked


def test_time_for_all_who_are_pending_asks_nothing() -> None:
    """About one a second (DESIGN: taps are late, and a burn speaks)."""
    for wait_ms, asked in ((2000, True), (6000, False)):
        driver = table()
        driver.wait(wait_ms)
        driver.burn()  # 900 ms later; six seats are pending
        driver.wait(100)
        assert bool(driver.alerts()) is asked


def test_yes_assumes_and_no_leaves_the_round_open() -> None:
    for answer, kind in (("yes", "board"), ("no", "bet")):
        driver = table()
        driver.act("2 raise 6")
        driver.burn()
        driver.wait(100)
        driver.answer(answer)
        assert driver.hand.procedure.step.kind == kind
    assert driver.alert("N10").evidence == "proven"
    driver.act("3 raise 20")  # the betting goes on; the burn stays
    driver.wait(THINK_MS)
    driver.board(3)
    driver.wait(1500)
    assert driver.hand.betting.street == 1
    assert pot(driver) == 120
    assert len(driver.hand.procedure.burns) == 1
    assert driver.alert("N10").state == "closed"


def test_a_question_who_has_acted_names_those_that_still_have_not() -> None:
    driver = table()
    driver.burn()
    driver.wait(100)
    assert driver.alert("N10").params["seats"] == [2, 3, 5, 7, 9, 1]
    driver.act("2 raise 6, 3 call")
    alert = driver.alert("N10")
    assert alert.question == "acted"
    assert alert.params["seats"] == [5, 7, 9, 1]
    assert [why.params["seats"] for why in alert.why if why.code == "seats_pending"] == [[5, 7, 9, 1]]


# -- late taps ---------------------------------------------------------------------------------------------------------------------------


def on_the_flop() -> Driver:
    """Seats 2, 5 and 1 see the flop for 6."""
    driver = table()
    driver.act("2 raise 6")
    give_up(driver, 3, 7, 9)
    driver.wait(THINK_MS)
    driver.street(3)
    driver.wait(THINK_MS)
    assert pad(driver).may_show == ()  # a burn will close this round
    return driver


@pytest.mark.parametrize("cards", [0, 1])
def test_a_raise_tapped_after_the_burn_is_moved_before_it(cards: int) -> None:
    driver = on_the_flop()
    driver.burn()
    for _ in range(cards):
        driver.board(1)
    assert log(driver, 1) == [(1, "check", True), (2, "check", True), (5, "check", True)]
    driver.wait(300)
    assert driver.tell(cmd.Act(5, "bet", 10)) is None
    assert log(driver, 1)[:3] == [(1, "check", True), (2, "check", True), (5, "bet", False)]
    assert log(driver, 1)[3:] == [(1, "call", True), (2, "call", True)]
    assert pot(driver) == 19 + 30
    driver.wait(2000)
    assert driver.alerts() == []


def test_beyond_the_grace_it_is_an_action_of_now() -> None:
    driver = on_the_flop()
    driver.burn()
    driver.board(1)
    driver.wait(5000)
    assert driver.tell(cmd.Act(5, "bet", 10)) is None
    assert pot(driver) == 29
    assert log(driver, 2)[-1] == (5, "bet", False)


def test_a_late_tap_that_nothing_explains_is_refused_and_changes_nothing() -> None:
    driver = on_the_flop()
    give_up(driver, 1, 2)
    driver.wait(5000)
    hand = driver.hand
    assert hand.settlement is not None  # seat 5 has it
    assert driver.tell(cmd.Act(2, "bet", 10)) == Refused("hand_complete")
    assert driver.hand == hand


def test_a_bet_tapped_after_the_folds_to_it_is_moved_before_them() -> None:
    driver = on_the_flop()
    give_up(driver, 1, 5)
    driver.wait(200)
    assert driver.tell(cmd.Act(2, "bet", 10)) is None
    assert ("bet", False) in [(kind, assumed) for _, kind, assumed in log(driver, 1)]
    driver.wait(100)
    assert driver.hand.settlement is not None
    assert driver.hand.settlement.stacks[2] == 200 + 13


def test_the_hand_goes_on_the_same_after_a_restart() -> None:
    """The superseding inputs that place late taps are journalled like any correction."""
    driver = on_the_flop()
    driver.burn()
    driver.wait(200)
    assert driver.tell(cmd.Act(5, "bet", 10)) is None
    driver.board(1)
    driver.wait(1500)
    other = Driver(entry="by_exception")
    resumed = taken_up(driver, key=b"h1".ljust(32, b"k"), other=other)
    assert resumed.hand == driver.hand
    assert sections(resumed) == sections(driver)


# -- a card that was early all the same ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("streets", "row"), [(0, "R1"), (1, "R2"), (2, "R3")])
def test_the_report_opens_the_round_again(streets: int, row: str) -> None:
    driver = table()
    driver.act("2 raise 6")
    driver.wait(THINK_MS)
    for count in (3, 1)[:streets]:
        driver.street(count)
        driver.wait(THINK_MS)
    driver.street(3 if streets == 0 else 1)
    assert driver.hand.betting.street == streets + 1
    driver.report("early_card")
    alert = driver.alert(row)
    assert (alert.evidence, driver.hand.betting.street) == ("proven", streets)
    assert driver.hand.betting.to_act is not None
    assert not [taken for taken in driver.hand.betting.log if taken.street == streets and taken.assumed]
    assert driver.hand.procedure.step.kind == "bet"


def test_the_report_of_a_burn_alone_leaves_it_and_opens_the_round() -> None:
    driver = on_the_flop()
    driver.burn()
    driver.report("early_card")
    driver.wait(100)
    assert driver.alert("N10").evidence == "proven"
    assert log(driver, 1) == []
    driver.act("1 bet 10")
    driver.wait(THINK_MS)
    driver.board(1)
    driver.wait(1500)
    assert pot(driver) == 49
    assert driver.hand.betting.street == 2
    assert driver.alert("N10").state == "closed"


def test_nothing_is_opened_once_somebody_has_acted_after_it() -> None:
    driver = on_the_flop()
    driver.street(1)
    driver.wait(THINK_MS)
    driver.act("1 bet 10")
    driver.report("early_card")
    assert driver.hand.betting.street == 2
    assert log(driver, 1) == [(1, "check", True), (2, "check", True), (5, "check", True)]


# -- real hands ---------------------------------------------------------------------------------------------------------------------------


def replayed(folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> list[dict[str, Any]]:
    out = folder / "sample.jsonl"
    assert simulator(["trace", str(SAMPLE), *options, "-o", str(out)]) == 0
    code = assist(["replay", "--check", "--json", str(out)])
    told = capsys.readouterr()
    assert code == 0, told.err
    return [json.loads(line) for line in told.out.splitlines()]


@pytest.mark.parametrize("late", [(), ("--late-taps", "3000"), ("--late-taps", "3000", "--pace", "1")])
def test_the_pots_are_those_of_every_action(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], late: tuple[str, ...]
) -> None:
    entered = replayed(tmp_path, capsys)
    assumed = replayed(tmp_path, capsys, "--entry", "by_exception", *late)
    assert len(assumed) == 64
    assert [result["alerts"] for result in assumed] == [[]] * 64
    for name in ("result", "stacks", "awards"):
        assert [result[name] for result in assumed] == [result[name] for result in entered]
