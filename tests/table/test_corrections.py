"""Corrections: taps undone or amended, what followed judged again, all of it or nothing, and the same after a restart."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.domain import facts as fx
from dealer_assist.domain.commands import Refused
from dealer_assist.domain.table import ForcedBet, HandOpening, SeatStack
from dealer_assist.table.hand import Hand
from tests.table.driver import BUTTON, SEATS, Driver
from tests.table.test_resume import sections, taken_up

KEY = b"h1".ljust(32, b"k")


def to_the_flop(**keys: object) -> Driver:
    """Seats 2, 5 and 1 see the flop for 6 each; seat 1 acts first, seat 5 last."""
    table = Driver(**keys)  # type: ignore[arg-type]
    table.deal()
    table.act("2 raise 6, 3 fold, 5 call, 7 fold, 9 fold, 1 call")
    table.street(3)
    return table


def to_the_river(**keys: object) -> Driver:
    table = to_the_flop(**keys)
    for _ in range(2):
        table.act("1 check, 2 check, 5 check")
        table.street(1)
    return table


def pot(table: Driver) -> int:
    return sum(table.hand.betting.contributed)


def shown(table: Driver) -> set[str]:
    return {repr(fact) for fact in table.core.snapshot() if not isinstance(fact, fx.UndoFact | fx.NoticeFact)}


def notices(table: Driver) -> list[str]:
    facts = [fact for change in table.changes for fact in change.facts]
    return [
        fact.params["rule"]
        for fact in facts
        if isinstance(fact, fx.NoticeFact) and fact.code == "alert_fell_away"
    ]


# -- undo: as if never entered ----------------------------------------------------------------------------------------------------------


def asked(table: Driver) -> None:
    """Four cards lie on the flop: a question is open."""
    table.board(1)
    table.wait(1500)
    assert table.alert("F1").question == "turned_up"


def waiting_for_the_floor(table: Driver) -> None:
    table.report("D10", 5)
    assert table.alert("D10").evidence == "proven"


def nothing(table: Driver) -> None:
    """The hand as it is."""


def blind_board() -> Driver:
    table = Driver(unread=("board",))
    table.deal()
    table.act("2 raise 6, 3 fold, 5 call, 7 fold, 9 fold, 1 call")
    table.burn()
    return table


def at_the_window() -> Driver:
    table = Driver(game="unfold")
    table.core.close()
    seats = tuple(SeatStack(seat, 200) for seat in sorted(SEATS))
    posts = [ForcedBet(seat, 1, "unfold_ante") for seat in SEATS]
    posts += [ForcedBet(9, 1, "small_blind"), ForcedBet(1, 2, "big_blind")]
    assert table.tell(cmd.OpenHand(HandOpening("h2", BUTTON, seats, tuple(posts)))) is None
    table.deal()
    table.act("2 raise 6, 3 fold, 5 call, 7 fold, 9 fold, 1 call")
    table.street(3)
    return table


def at_the_point() -> Driver:
    table = Driver(game="double")
    table.deal()
    table.act("2 raise 6, 3 fold, 5 call, 7 fold, 9 fold, 1 call")
    table.street(3)
    return table


def at_power_up() -> Driver:
    table = Driver(game="power_up", seats=(1, 2, 3), button=3)
    table.deal()
    return table


def after_tabling() -> Driver:
    table = to_the_river()
    table.act("1 check, 2 check, 5 check")
    return table


TAPS: list[tuple[Callable[[], Driver], Callable[[Driver], None], cmd.Command]] = [
    (to_the_flop, nothing, cmd.Act(1, "bet", 10)),
    (to_the_flop, nothing, cmd.Act(1, "all_in")),
    (to_the_flop, nothing, cmd.Act(5, "fold")),  # out of turn
    (to_the_flop, nothing, cmd.Report("A9", 5)),
    (to_the_flop, nothing, cmd.Report("misdeal")),
    (to_the_flop, nothing, cmd.Report("K6")),
    (to_the_flop, asked, cmd.Answer("F1", "yes")),
    (to_the_flop, asked, cmd.Answer("F1", "no")),
    (to_the_flop, asked, cmd.Respond("F1", "misread")),
    (to_the_flop, asked, cmd.Respond("F1", "deal_on")),
    (to_the_flop, waiting_for_the_floor, cmd.Respond("D10", "fixing")),
    (after_tabling, nothing, cmd.Tabled(2)),
    (after_tabling, nothing, cmd.Mucked(5)),
    (blind_board, nothing, cmd.EnterCard("Ks")),
    (blind_board, nothing, cmd.TapZone("board", 3)),
    (at_the_window, nothing, cmd.Unfold(9)),
    (at_the_point, nothing, cmd.SetPoint(2, 1)),
    (at_power_up, nothing, cmd.LogEvent(2, "x_ray", 1)),
    (to_the_flop, nothing, cmd.Shuffled()),
]  # fmt: skip


@pytest.mark.parametrize(
    ("begin", "before", "tap"), TAPS, ids=lambda value: getattr(value, "__name__", repr(value))
)
def test_a_tap_undone_was_never_entered(
    begin: Callable[[], Driver], before: Callable[[Driver], None], tap: cmd.Command
) -> None:
    table = begin()
    before(table)
    table.wait(0)
    hand, facts = table.hand, shown(table)
    assert table.tell(tap) is None
    assert table.hand != hand or isinstance(tap, cmd.LogEvent | cmd.Shuffled)
    assert table.tell(cmd.Undo()) is None
    assert table.hand == hand
    assert shown(table) == facts


def test_what_was_read_after_the_tap_stays_read() -> None:
    """Seat 2's bet is undone after seat 5 has given up its cards: the cards lie where they lie, the bet was none."""
    table, twin = to_the_flop(), to_the_flop()
    for each in (table, twin):
        each.act("1 check")
    table.act("2 bet 10")
    twin.wait(900)
    for each in (table, twin):
        for face in [face for face, zone in each.where.items() if zone == "seat5"]:
            each.put(face, "muck")
    assert table.tell(cmd.Undo()) is None
    table.wait(10_000)
    twin.wait(10_000)
    assert table.hand == twin.hand
    assert shown(table) == shown(twin)


def test_undo_goes_back_through_the_street_tap_by_tap_and_no_further() -> None:
    table = to_the_flop()
    hands: list[Hand] = [table.hand]
    for action in ("1 check", "2 bet 10", "5 raise 30"):
        table.act(action)
        hands.append(table.hand)
    for hand in reversed(hands[:-1]):
        assert table.tell(cmd.Undo()) is None
        assert (table.hand.betting, table.hand.bets.pending) == (hand.betting, hand.bets.pending)
    assert table.tell(cmd.Undo()) == Refused("nothing_to_undo")


def test_an_alert_that_falls_away_says_so() -> None:
    table = to_the_flop()
    table.report("A9", 5)
    assert table.alert("A9").evidence == "proven"
    assert table.tell(cmd.Undo()) is None
    assert table.alerts() == []
    assert notices(table) == ["A9"]


# -- amending -----------------------------------------------------------------------------------------------------------------------------


def test_an_amended_bet_is_judged_with_what_followed() -> None:
    table = to_the_flop()
    table.act("1 check, 2 bet 10, 5 call, 1 call")
    assert pot(table) == 49
    assert table.tell(cmd.Correct(2, "bet", 25)) is None
    assert pot(table) == 19 + 75
    assert [taken.kind for taken in table.hand.betting.actions_on(1)] == ["check", "bet", "call", "call"]


def test_the_last_action_but_one_is_amended_by_its_number() -> None:
    table = to_the_flop()
    table.act("1 check, 2 bet 10, 5 raise 30, 1 fold, 2 call")
    assert table.tell(cmd.Correct(2, "bet", 12, back=1)) is None
    taken = [(taken.seat, taken.to) for taken in table.hand.betting.actions_on(1)]
    assert taken == [(1, 0), (2, 12), (5, 30), (1, 0), (2, 30)]


@pytest.mark.parametrize(
    ("correct", "code"),
    [
        (cmd.Correct(2, "bet", 40), "below_minimum"),  # the raise to 30 is none any more
        (cmd.Correct(2, "check"), "nothing_to_call"),
        (cmd.Correct(1, "fold"), "not_to_act"),
    ],
)
def test_a_later_tap_that_no_longer_fits_refuses_the_whole(correct: cmd.Correct, code: str) -> None:
    table = to_the_flop()
    table.act("1 check, 2 bet 10")
    if code == "below_minimum":
        table.act("5 raise 30")
    elif code == "nothing_to_call":
        table.act("5 call")
    else:
        table.act("5 fold, 1 call")
        correct = cmd.Correct(1, "fold", back=1)
    hand, facts, count = table.hand, shown(table), len(table.changes)
    refused = table.tell(correct)
    assert refused is not None
    assert refused.code == "not_correctable"
    assert table.hand == hand
    assert shown(table) == facts
    assert [change for change in table.changes[count:] if change.input is not None] == []
    assert table.tell(cmd.Undo()) is None  # the history is as it was, too


def test_an_amendment_that_is_itself_impossible_changes_nothing() -> None:
    table = to_the_flop()
    table.act("1 check, 2 bet 10")
    hand = table.hand
    assert table.tell(cmd.Correct(2, "bet", 1000)) == Refused("above_stack", {"max_to": 194})
    assert table.hand == hand


def test_a_hand_that_was_shown_keeps_a_correction_from_opening_its_round() -> None:
    """Seat 5's call was a raise, says the floor; but the hands lie face up, so that no betting can be due."""
    table = to_the_river()
    table.act("1 check, 2 bet 10, 5 call, 1 fold")
    for seat in (2, 5):
        assert table.tell(cmd.Tabled(seat)) is None
    hand = table.hand
    refused = tell_as(table, "floor", cmd.Correct(5, "raise", 40))
    assert refused is not None
    assert (refused.code, refused.params["code"]) == ("not_correctable", "betting_not_over")
    assert table.hand == hand


def test_the_dealer_amends_within_the_street_and_the_floor_in_the_whole_hand() -> None:
    table = to_the_flop()
    table.act("1 check, 2 bet 10, 5 call, 1 call")
    table.street(1)
    wanted = cmd.Correct(2, "bet", 16)
    assert table.tell(wanted) == Refused("floor_only", {"seat": 2})
    assert pot(table) == 49
    assert tell_as(table, "floor", wanted) is None
    assert pot(table) == 19 + 48
    assert table.hand.betting.street == 2


def tell_as(table: Driver, actor: str, command: cmd.Command) -> Refused | None:
    refused, changes = table.core.tell(command, actor, table.t_ms)  # type: ignore[arg-type]
    table.changes += changes
    return refused


def test_a_seat_that_has_not_acted_has_nothing_to_amend() -> None:
    table = to_the_flop()
    assert table.tell(cmd.Correct(3, "call", back=1)) == Refused("not_correctable", {"seat": 3})
    assert table.tell(cmd.Correct(8, "call")) == Refused("not_correctable", {"seat": 8})


def test_an_assumed_fold_is_amended() -> None:
    """Seat 5's cards were taken in by mistake: it had called. What lies in the muck, the floor puts right."""
    table = to_the_flop()
    table.act("1 check, 2 bet 10")
    for face in [face for face, zone in table.where.items() if zone == "seat5"]:
        table.put(face, "muck")
    table.wait(5000)
    assert table.hand.betting.is_folded(5)
    assert table.hand.betting.log[-1].assumed
    assert table.tell(cmd.Correct(5, "call")) is None
    assert not table.hand.betting.is_folded(5)
    assert pot(table) == 39


def test_what_was_assumed_by_exception_is_amended_before_what_assumed_it() -> None:
    table = Driver(entry="by_exception")
    table.deal()
    table.wait(6000)
    table.act("1 raise 12")  # seats 2, 3, 5, 7 and 9 are assumed to have called
    assert pot(table) == 2 * 5 + 12
    assert table.tell(cmd.Correct(5, "raise", 6)) is None
    assert [(taken.seat, taken.kind, taken.to) for taken in table.hand.betting.log] == [
        (2, "call", 2), (3, "call", 2), (5, "raise", 6), (7, "call", 6), (9, "call", 6), (1, "raise", 12),
    ]  # fmt: skip
    assert [taken.seat for taken in table.hand.betting.log if not taken.assumed] == [5, 1]


def test_a_round_that_a_burn_closed_by_exception_is_amended_before_the_burn() -> None:
    table = Driver(entry="by_exception")
    table.deal()
    table.wait(6000)
    table.act("2 raise 6")
    table.wait(6000)
    table.street(3)
    table.wait(16_000)
    table.burn()
    assert pot(table) == 36
    assert table.tell(cmd.Correct(5, "bet", 10)) is None  # seat 5 had bet, all called
    assert pot(table) == 36 + 60
    assert table.hand.procedure.step.kind == "board"
    assert table.alerts() == []


def test_an_alert_without_a_cause_falls_away_by_a_correction() -> None:
    """The turn lay there too soon; but seat 5 had called all the same."""
    table = to_the_flop()
    table.act("1 check, 2 bet 10, 5 raise 30, 1 fold")
    table.burn()
    table.board(1)
    table.wait(8000)
    assert table.alert("R2").evidence == "probable"
    assert table.tell(cmd.Correct(5, "call")) is None
    assert table.hand.betting.to_act is None
    assert [alert for alert in table.alerts() if alert.state not in ("withdrawn", "closed")] == []
    table.wait(2000)
    assert table.hand.betting.street == 2
    assert table.hand.board_faces() != ()


# -- after a restart --------------------------------------------------------------------------------------------------------------


def resumed(table: Driver, *, key: bytes | None = KEY) -> None:
    """A service that takes up this hand has the same hand, shows the same, and can go on."""
    other = taken_up(table, key=key)
    assert other.hand == table.hand
    assert sections(other) == sections(table)


@pytest.mark.parametrize("key", [KEY, None])
def test_a_corrected_hand_is_taken_up_as_it_was(key: bytes | None) -> None:
    table = to_the_flop()
    table.act("1 check, 2 bet 10, 5 call, 1 call")
    table.street(1)
    assert tell_as(table, "floor", cmd.Correct(2, "bet", 16)) is None
    table.act("1 check, 2 bet 20")
    assert table.tell(cmd.Undo()) is None
    assert table.tell(cmd.Correct(1, "bet", 9)) is None
    resumed(table, key=key)
    resumed_table = taken_up(table, key=key)
    resumed_table.act("2 fold, 5 fold")
    assert resumed_table.tell(cmd.PushPots()) is None
    assert resumed_table.hand.result == "completed"


def test_a_hand_with_alerts_that_fell_away_is_taken_up_as_it_was() -> None:
    table = to_the_flop()
    table.report("A9", 5)
    assert table.tell(cmd.Undo()) is None
    asked(table)
    table.answer("yes")
    assert table.tell(cmd.Undo()) is None
    table.answer("no")
    resumed(table)
