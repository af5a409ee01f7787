"""Run it twice or three times: who may, what is dealt in which order, what each board awards, and what can go wrong on a further board."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.commands import Refused
from dealer_assist.procedure.rules import run_it as runs
from dealer_assist.procedure.state import RunItRule
from tests.table.driver import Driver
from tests.table.test_resume import sections, taken_up

ZONES = ("board", "board2", "board3")
ALL_IN = "2 raise 6, 3 fold, 5 allin, 7 fold, 9 fold, 1 fold, 2 call"


def before_the_flop(house: str = "wsop_cash", **more: Any) -> Driver:
    """Seats 2 and 5 all-in before the flop."""
    table = Driver(house=house, **more)
    table.deal()
    table.act(ALL_IN)
    return table


def on_the_flop(house: str = "wsop_cash", **more: Any) -> Driver:
    """Seats 2 and 5 all-in on the flop."""
    table = Driver(house=house, **more)
    table.deal()
    table.act("2 call, 3 fold, 5 call, 7 fold, 9 fold, 1 check")
    table.street(3)
    table.act("1 fold, 2 bet 10, 5 allin, 2 call")
    return table


def run(table: Driver, times: int) -> Refused | None:
    table.wait(700)
    return table.tell(cmd.RunIt(times))


def lay(table: Driver, zone: str, count: int, *, burn: bool = True) -> list[str]:
    """Burn, then so many cards on a board."""
    if burn:
        table.burn()
    table.wait(900)
    faces = []
    for _ in range(count):
        table.wait(80)
        faces.append(table.put(table.next_card(), zone))
    table.wait(1500)
    return faces


def rest(table: Driver, zone: str, counts: tuple[int, ...]) -> list[str]:
    """The rest of one board."""
    return [face for count in counts for face in lay(table, zone, count)]


def show(table: Driver) -> None:
    for seat in table.hand.bets.live:
        table.wait(600)
        assert table.tell(cmd.Tabled(seat)) is None


def fact(table: Driver, kind: str) -> Any:
    return next(fact for fact in table.core.snapshot() if type(fact).__name__ == kind)


def refused_for(refused: Refused | None) -> str:
    assert refused is not None and refused.code == "cannot_run_it"
    return str(refused.params["reason"])


# -- who may ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("house", "most"), [("wsop_cash", 3), ("seed", 3), ("roberts", 3), ("tda2024", 0)])
def test_the_house_says_how_often(house: str, most: int) -> None:
    table = before_the_flop(house)
    assert fact(table, "PadFact").run_it == most
    refused = run(table, 3)
    assert refused is None if most else refused_for(refused) == "house"
    assert table.hand.procedure.times == (3 if most else 1)


@pytest.mark.parametrize("times", [0, 4, -1])
def test_only_once_twice_or_three_times(times: int) -> None:
    refused = run(before_the_flop(), times)
    assert refused is not None and refused.code == "bad_command"


def test_not_while_somebody_still_has_to_act_or_can_bet() -> None:
    table = Driver(house="wsop_cash", stacks={5: 40})
    table.deal()
    table.act("2 raise 6, 3 call, 5 allin, 7 fold, 9 fold, 1 fold, 2 call")
    assert refused_for(run(table, 2)) == "betting_open"
    table.act("3 call")  # seats 2 and 3 have chips behind: they can bet
    assert fact(table, "PadFact").run_it == 0
    assert refused_for(run(table, 2)) == "nobody_all_in"


def test_not_after_the_river_and_not_within_a_street() -> None:
    table = before_the_flop()
    table.burn()
    table.board(2)
    assert refused_for(run(table, 2)) == "street_begun"
    table = before_the_flop()
    for count in (3, 1, 1):
        table.street(count)
    assert refused_for(run(table, 2)) == "street_begun"
    assert fact(table, "PadFact").run_it == 0


def test_not_in_a_game_with_two_boards_or_with_a_discard_to_come() -> None:
    for game in ("split", "crazy_pineapple"):
        table = Driver(house="wsop_cash", game=game)
        table.deal()
        table.act(ALL_IN)
        assert fact(table, "PadFact").run_it == 0
        assert refused_for(run(table, 2)) == "game"


def test_it_may_be_agreed_on_later_streets_of_the_run_out() -> None:
    table = before_the_flop()
    table.street(3)
    table.street(1)
    assert run(table, 2) is None
    board = fact(table, "BoardFact")
    assert (board.runs, board.common) == (2, 4)


def test_taken_back_or_changed_until_the_next_card_and_not_after_it() -> None:
    table = before_the_flop()
    assert run(table, 2) is None
    assert fact(table, "UndoFact").code == "run_it"
    assert table.tell(cmd.Undo()) is None
    assert table.hand.procedure.times == 1
    assert run(table, 2) is None
    assert run(table, 3) is None
    assert run(table, 1) is None
    assert table.hand.procedure.times == 1
    assert run(table, 2) is None
    table.burn()
    assert fact(table, "UndoFact").code == ""
    assert table.tell(cmd.Undo()) == Refused("nothing_to_undo")
    assert refused_for(run(table, 1)) == "cards_dealt"
    assert refused_for(run(table, 3)) == "cards_dealt"
    assert table.hand.procedure.times == 2


def test_a_burn_that_lies_there_already_is_the_first_boards() -> None:
    table = before_the_flop()
    table.burn()
    assert run(table, 2) is None
    assert run(table, 1) is None  # nothing has come since
    assert run(table, 2) is None
    lay(table, "board", 3, burn=False)
    rest(table, "board", (1, 1))
    rest(table, "board2", (3, 1, 1))
    assert table.said() == []
    assert len(table.hand.procedure.burns) == 6


def test_a_house_may_let_only_two_players_do_it() -> None:
    table = Driver(house="wsop_cash")
    table.deal()
    table.act("2 raise 6, 3 allin, 5 call, 7 fold, 9 fold, 1 fold, 2 call")
    state, bets = table.hand.procedure, table.hand.bets
    assert (runs.most_times(state, bets), runs.why_not(state, bets, 2)) == (3, "")
    state = replace(state, run_it=RunItRule(3, players=2))  # Apollonia
    assert (runs.most_times(state, bets), runs.why_not(state, bets, 2)) == (0, "players")


def test_where_only_cards_are_tracked_it_is_run_all_the_same() -> None:
    table = Driver(house="wsop_cash", tracking="cards")
    table.deal()
    for seat, action in ((2, "all_in"), (3, "fold"), (5, "call"), (7, "fold"), (9, "fold"), (1, "fold")):
        table.wait(900)
        assert table.tell(cmd.Act(seat, action)) is None  # type: ignore[arg-type]
    assert run(table, 2) is None
    rest(table, "board", (3, 1, 1))
    rest(table, "board2", (3, 1, 1))
    show(table)
    assert table.said() == []
    pushes = fact(table, "NowFact").pushes
    assert [push.board for push in pushes] == sorted([push.board for push in pushes])
    assert {push.board for push in pushes} == {1, 2}


def test_too_few_cards_in_the_stub() -> None:
    table = Driver(house="wsop_cash", game="short", seats=(1, 2, 3, 4, 5, 7, 9), button=7)
    assert table.hand.procedure.cards == 36
    short = [face for face in table.deck if face[0] not in "2345"]
    table.deck = iter(short)
    table.deal()  # 14 of 36: 22 are left, two boards of eight fit, three do not
    while (seat := table.hand.betting.to_act) is not None:
        table.act(f"{seat} {'allin' if seat in (1, 2) else 'fold'}")
    assert fact(table, "PadFact").run_it == 2
    assert refused_for(run(table, 3)) == "stub"
    assert run(table, 2) is None


# -- what is dealt -----------------------------------------------------------------------------------------------------------


def test_three_boards_before_the_flop_each_finished_before_the_next() -> None:
    table = before_the_flop()
    assert run(table, 3) is None
    assert fact(table, "NowFact").code == "show"  # the hands first
    show(table)
    boards = []
    for number, zone in enumerate(ZONES, 1):
        for street, count in (("flop", 3), ("turn", 1), ("river", 1)):
            now = fact(table, "NowFact")
            assert (now.code, now.params) == ("burn", {"street": street, "run": number})
            table.burn()
            now = fact(table, "NowFact")
            assert (now.code, now.params["board"], now.params["run"]) == ("board", number, number)
            boards += lay(table, zone, count, burn=False)
    hand = table.hand
    assert table.said() == []
    assert [hand.board_faces(zone) for zone in ZONES] == [
        tuple(boards[:5]),
        tuple(boards[5:10]),
        tuple(boards[10:]),
    ]
    assert len(hand.procedure.burns) == 9
    assert hand.settlement is not None
    assert sorted({award.board for award in hand.settlement.pots}) == [1, 2, 3]
    assert sum(hand.settlement.stacks.values()) == 6 * 200


def test_the_flop_is_common_to_both_boards() -> None:
    table = on_the_flop()
    assert run(table, 2) is None
    first = rest(table, "board", (1, 1))
    assert fact(table, "NowFact").params == {"street": "turn", "run": 2}
    second = rest(table, "board2", (1, 1))
    show(table)
    hand = table.hand
    flop = hand.board_faces("board")[:3]
    assert hand.board_faces("board") == (*flop, *first)
    assert hand.board_faces("board2") == (*flop, *second)
    assert table.said() == []
    assert hand.settlement is not None and hand.settlement.awards
    fact_now = fact(table, "NowFact")
    assert {push.board for push in fact_now.pushes} == {1, 2}
    assert all(push.name for push in fact_now.pushes)


def test_one_antenna_reads_all_boards_where_the_others_have_none() -> None:
    table = before_the_flop(unread=("board2", "board3"))
    assert run(table, 2) is None
    rest(table, "board", (3, 1, 1))
    assert fact(table, "NowFact").params == {"street": "flop", "run": 2}
    second = rest(table, "board", (3, 1, 1))
    assert table.said() == []
    assert table.hand.board_faces("board2") == tuple(second)
    show(table)
    assert table.hand.settlement is not None


def test_a_board_without_an_antenna_is_entered_by_hand() -> None:
    table = on_the_flop(unread=("board2",))
    assert run(table, 2) is None
    rest(table, "board", (1, 1))
    for _ in range(2):
        table.burn()
        table.wait(900)
        assert table.tell(cmd.EnterCard(table.next_card())) is None
        table.wait(1500)
    show(table)
    assert table.said() == []
    assert len(table.hand.board_faces("board2")) == 5
    assert table.hand.settlement is not None


# -- what goes wrong ---------------------------------------------------------------------------------------------------------


def test_a_missed_burn_on_the_second_board_is_asked_and_names_the_board() -> None:
    table = on_the_flop()
    assert run(table, 2) is None
    rest(table, "board", (1, 1))
    lay(table, "board2", 1, burn=False)
    table.wait(3000)
    alert = table.alert("N3")
    assert (alert.evidence, alert.question) == ("probable", "burned")
    assert (alert.params["street"], alert.params["run"]) == ("turn", 2)
    table.answer("no")  # RROP 5: the card is the burn, the next one the turn
    assert table.alert("N3").evidence == "proven"
    wrong = table.hand.board_faces("board2")
    turn = next(slot.ref for slot in table.hand.procedure.board if slot.zone == "board2")
    assert turn and wrong is not None
    face = next(face for face, zone in table.where.items() if zone == "board2")
    table.put(face, "burn")
    lay(table, "board2", 1, burn=False)
    assert table.alert("N3").state == "closed"
    lay(table, "board2", 1)
    show(table)
    assert table.hand.settlement is not None
    assert len(table.hand.procedure.burns) == 5


def test_two_burns_before_the_second_boards_turn() -> None:
    table = on_the_flop()
    assert run(table, 2) is None
    rest(table, "board", (1, 1))
    table.burn()
    second = table.burn()
    table.wait(1500)
    alert = table.alert("N5")
    assert (alert.question, alert.params["run"]) == ("boxed", 2)
    table.answer("no")
    table.take(second)
    assert table.alert("N5").state in ("closed", "fixing")
    rest(table, "board2", (1, 1))
    show(table)
    assert table.hand.settlement is not None


def test_the_extra_burn_of_the_first_boards_river_counts_for_the_second_board() -> None:
    table = on_the_flop()
    assert run(table, 2) is None
    lay(table, "board", 1)
    table.burn()
    table.burn()
    table.answer("no")
    alert = table.alert("N5")
    assert (alert.params["next"], alert.params["next_run"]) == ("turn", 2)


def test_two_cards_on_the_turn_of_the_second_board() -> None:
    table = on_the_flop()
    assert run(table, 2) is None
    rest(table, "board", (1, 1))
    lay(table, "board2", 2)
    alert = table.alert("R6")
    assert (alert.question, alert.street, alert.params["run"]) == ("turned_up", "turn", 2)


def test_a_card_on_the_wrong_board_is_asked_about_and_goes_where_it_belongs() -> None:
    table = on_the_flop()
    assert run(table, 2) is None
    lay(table, "board", 1)
    (river,) = lay(table, "board2", 1)  # board 1 is not finished
    table.wait(2500)
    alert = table.alert("P8")
    assert (alert.evidence, alert.question) == ("probable", "wrong_board")
    assert (alert.params["board"], alert.params["lies_on"]) == (1, 2)
    table.answer("no")
    assert table.steps("P8") == {"card_to_board": "current"}
    table.put(river, "board")
    assert table.alert("P8").state == "closed"
    assert table.hand.board_faces("board")[-1] == river
    rest(table, "board2", (1, 1))
    show(table)
    assert table.hand.settlement is not None


def test_a_card_slid_down_in_time_is_nothing() -> None:
    table = on_the_flop()
    assert run(table, 2) is None
    rest(table, "board", (1, 1))
    table.burn()
    table.wait(900)
    turn = table.put(table.next_card(), "board")
    table.wait(900)
    table.put(turn, "board2")
    table.wait(4000)
    lay(table, "board2", 1)
    show(table)
    assert table.said() == []
    assert table.hand.settlement is not None


# -- a dispute ---------------------------------------------------------------------------------------------------------------


def test_in_a_dispute_the_first_board_counts_and_no_more_is_dealt() -> None:
    table = on_the_flop()
    assert run(table, 2) is None
    first = rest(table, "board", (1, 1))
    lay(table, "board2", 1)
    table.report("P8")
    show(table)
    hand = table.hand
    assert hand.boards() == ("board",)
    assert hand.settlement is not None
    assert {award.board for award in hand.settlement.pots} == {0}
    assert hand.board_faces("board")[3:] == tuple(first)
    assert fact(table, "NowFact").code in ("push", "step")
    assert table.tell(cmd.PushPots()) is None


def test_a_dispute_on_the_first_board_finishes_it() -> None:
    table = on_the_flop()
    assert run(table, 3) is None
    lay(table, "board", 1)
    table.report("P8")
    lay(table, "board", 1)
    assert table.hand.procedure.step.kind == "show"
    show(table)
    assert table.hand.settlement is not None
    assert table.hand.boards() == ("board",)


def test_a_dispute_after_the_award_awards_anew_and_may_fall_away() -> None:
    table = on_the_flop()
    assert run(table, 2) is None
    rest(table, "board", (1, 1))
    rest(table, "board2", (1, 1))
    show(table)
    both = table.hand.settlement
    assert both is not None
    table.report("P8")
    first = table.hand.settlement
    assert first is not None and {award.board for award in first.pots} == {0}
    assert table.tell(cmd.Respond("P8", "misread")) is None
    assert table.hand.settlement == both


def test_a_dispute_taken_back_deals_on_where_it_was() -> None:
    table = on_the_flop()
    assert run(table, 2) is None
    rest(table, "board", (1, 1))
    lay(table, "board2", 1)
    table.report("P8")
    assert table.hand.procedure.step.kind == "show"
    assert table.tell(cmd.Respond("P8", "misread")) is None
    assert fact(table, "NowFact").params == {"street": "river", "run": 2}
    lay(table, "board2", 1)
    show(table)
    assert table.hand.boards() == ("board", "board2")
    assert table.hand.settlement is not None


# -- taken up again, corrected, by exception -----------------------------------------------------------------------------------


@pytest.mark.parametrize("key", [b"h1".ljust(32, b"k"), None])
def test_a_hand_is_taken_up_again_in_the_middle_of_its_second_board(key: bytes | None) -> None:
    table = on_the_flop()
    assert run(table, 2) is None
    rest(table, "board", (1, 1))
    lay(table, "board2", 1)
    other = taken_up(table, key=key, other=Driver(house="wsop_cash"))
    assert other.hand == table.hand
    assert sections(other) == sections(table)
    assert fact(other, "NowFact").params == {"street": "river", "run": 2}
    lay(other, "board2", 1)
    show(other)
    assert other.said() == []
    assert other.hand.settlement is not None


def test_an_action_that_made_it_possible_is_not_amended_away() -> None:
    table = on_the_flop()
    assert run(table, 2) is None
    lay(table, "board", 1)
    refused, _ = table.core.tell(cmd.Correct(5, "call"), "floor", table.t_ms)
    assert refused is not None and refused.code == "not_correctable"
    assert table.hand.procedure.times == 2


def test_by_exception_it_says_that_the_all_in_was_called() -> None:
    table = Driver(house="wsop_cash", entry="by_exception")
    table.deal()
    table.act("2 raise 6, 5 allin")
    for seat in (3, 7, 9, 1):
        for face in [face for face, zone in table.where.items() if zone == f"seat{seat}"]:
            table.put(face, "muck")
    table.wait(5000)
    assert run(table, 2) is None
    assert table.hand.betting.is_all_in(2)
    rest(table, "board", (3, 1, 1))
    rest(table, "board2", (3, 1, 1))
    show(table)
    assert table.said() == []
    assert table.hand.settlement is not None


def test_by_exception_it_says_nothing_of_seats_that_cannot_have_acted_yet() -> None:
    table = Driver(house="wsop_cash", entry="by_exception")
    table.deal()
    table.act("2 allin")
    table.wait(-700)
    assert refused_for(run(table, 2)) == "betting_open"


def test_a_hand_given_up_in_the_run_out_ends_it() -> None:
    table = on_the_flop()
    assert run(table, 2) is None
    lay(table, "board", 1)
    for face in [face for face, zone in table.where.items() if zone == "seat5"]:
        table.put(face, "muck")
    table.wait(3000)
    assert table.hand.procedure.times == 2


def test_a_quick_dealer_burns_and_turns_before_the_last_card_was_judged() -> None:
    table = on_the_flop()
    assert run(table, 3) is None
    for zone in ZONES:
        for _ in range(2):
            table.wait(260)
            table.put(table.next_card(), "burn")
            table.wait(260)
            table.put(table.next_card(), zone)
    table.wait(3000)
    show(table)
    assert table.said() == []
    hand = table.hand
    assert [len(hand.board_faces(zone)) for zone in ZONES] == [5, 5, 5]
    assert len(hand.procedure.burns) == 7
    assert hand.settlement is not None


def test_a_river_read_late_after_the_next_boards_burn() -> None:
    table = on_the_flop()
    assert run(table, 2) is None
    lay(table, "board", 1)
    table.burn()
    table.wait(900)
    river = table.next_card()
    table.where[river] = "hand"
    table.wait(800)
    table.put(river, "board")
    table.wait(100)
    table.burn()
    lay(table, "board2", 1, burn=False)
    lay(table, "board2", 1)
    show(table)
    assert table.said() == []
    assert table.hand.settlement is not None
