"""Rows A1–A18 and P1–P9: what a scenario cannot play, because a tap is refused, comes late, or the game is not one of the files."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dealer_assist.composition import load_game, load_house
from dealer_assist.domain import commands as cmd
from dealer_assist.domain.commands import Refused
from dealer_assist.domain.facts import NoticeFact, SeatFact
from dealer_assist.domain.table import HandOpening, Limits, SeatStack
from dealer_assist.procedure import engine, said
from dealer_assist.procedure.alignment.sensing import TABLE
from dealer_assist.procedure.draft import Draft
from dealer_assist.procedure.evolve import opened
from dealer_assist.procedure.state import NO_BETS
from dealer_assist.table.opening import Rules
from tests.table.driver import ORDER, Driver
from tests.table.test_rules import chips, dealt, play_to_end

HOUSES = ("seed", "roberts", "tda2024", "wsop_cash", "wsop_tournament")


def seat_fact(table: Driver, seat: int) -> SeatFact:
    return next(fact for fact in table.core.snapshot() if isinstance(fact, SeatFact) and fact.seat == seat)


def at_showdown(**setup: object) -> tuple[Driver, dict[int, list[str]]]:
    """Seats 2 and 5 have checked to the end; the pot is 7."""
    table = Driver(**setup)  # type: ignore[arg-type]
    held = table.deal()
    table.act("2 call, 3 fold, 5 call, 7 fold, 9 fold, 1 fold")
    for face in (*held[3], *held[7], *held[9], *held[1]):
        table.put(face, "muck")
    for count in (3, 1, 1):
        table.street(count)
        table.act("2 check, 5 check")
    return table, held


# -- amounts ------------------------------------------------------------------------------------------------------------------------


def test_a4_a_correction_that_later_taps_do_not_allow_changes_nothing() -> None:
    table = dealt()
    table.act("2 raise 6, 3 raise 12, 5 fold")
    table.report("A4", 2)
    before = table.hand
    refused = table.tell(cmd.Correct(2, "raise", 30))  # the raise to 12 would be none any more
    assert refused is not None
    assert refused.code == "not_correctable"
    assert table.hand == before
    assert table.steps("A4") == {"fix_amount": "current"}


def test_a4_calls_after_the_amended_raise_are_calls_of_it() -> None:
    table = dealt()
    table.act("2 raise 4, 3 call, 5 call")
    table.report("A4", 2)
    assert table.tell(cmd.Correct(2, "raise", 6)) is None
    assert [table.hand.betting.bet_of(seat) for seat in (2, 3, 5)] == [6, 6, 6]
    assert table.alert("A4").state == "closed"
    play_to_end(table)


@pytest.mark.parametrize("status", ["in", "away"])
def test_a15_the_stack_of_a_dealt_in_seat_stays_while_the_hand_runs(status: str) -> None:
    table = dealt()
    refused = table.tell(cmd.SetSeat(5, status, 500))  # type: ignore[arg-type]
    assert refused is not None
    assert refused.code == "hand_open"
    assert table.hand.betting.stack_of(5) == 200
    play_to_end(table)
    assert table.tell(cmd.SetSeat(5, "in", 500)) is None  # between hands


def test_a15_a_seat_without_cards_may_buy_in() -> None:
    table = dealt()
    assert table.tell(cmd.SetSeat(4, "in", 500)) is None
    assert chips(table) == 1200 + 500
    assert table.alerts() == []


def test_a1_only_a_passive_action_ticks_the_step() -> None:
    table = dealt(house="roberts")
    table.report("A1", 3)
    table.act("2 call, 3 raise 8")
    assert table.steps("A1")["acts_in_turn"] == "done"
    assert table.steps("A1")["call_or_fold"] == "current"
    assert table.alert("A1").state == "open"


@pytest.mark.parametrize(
    ("house", "count", "remedy"),
    [(house, 1, "back_up") for house in HOUSES] + [(house, 2, "floor") for house in HOUSES],
)
def test_a2_is_for_the_floor_once_two_have_acted_behind_on_whatever_street(
    house: str, count: int, remedy: str
) -> None:
    table = dealt(house=house)
    table.check_down()
    table.street(3)
    assert table.tell(cmd.Report("A2", 9, "dealer", count)) is None
    assert table.alert("A2").remedy == remedy


def test_a3_is_no_row_of_its_own_when_a_card_of_the_next_street_lies_there() -> None:
    table = dealt()
    table.act("2 call")
    table.burn()
    table.report("A3")
    assert [alert.rule for alert in table.alerts()] == ["N10"]


# -- hands in the muck ------------------------------------------------------------------------------------------------------------


def test_a9_waits_for_taps_that_explain_it() -> None:
    table = Driver()
    held = table.deal()
    table.act("2 raise 6")
    for seat in (3, 5, 7, 9, 1):
        table.put(held[seat][0], "muck")
    table.put(held[2][0], "muck")  # the pot is his: the folds are tapped after it
    table.act("3 fold, 5 fold, 7 fold, 9 fold, 1 fold")
    table.wait(20_000)
    assert table.alerts() == []


def test_a9_says_yes_or_no_of_a_card_and_never_which_it_is() -> None:
    table = Driver(unread=[])
    held = table.deal()
    table.act("2 allin, 3 call, 5 fold, 7 fold, 9 fold, 1 fold")
    for face in held[2]:
        table.put(face, "muck")
    assert table.said() == [("A9", "proven", "open")]
    assert table.alert("A9").stop
    table.put(held[2][0], "gate")
    table.put(held[5][0], "gate")
    notices = [
        fact.code
        for change in table.changes
        for fact in change.facts
        if isinstance(fact, NoticeFact) and fact.id == "identified"
    ]
    assert notices == ["hand_identified", "hand_not_identified"]
    assert not table.hand.procedure.faces


def test_a9_a_tabled_hand_that_leads_is_protected_and_a_beaten_one_is_not() -> None:
    table, held = at_showdown()
    assert table.tell(cmd.Tabled(5)) is None
    table.put(held[5][0], "muck")
    assert table.said() == [("A9", "proven", "open")]
    other, held = at_showdown()
    assert other.tell(cmd.Tabled(2)) is None
    assert other.tell(cmd.Tabled(5)) is None
    winner = max(other.hand.settlement.awards)  # type: ignore[union-attr]
    loser = 7 - winner
    other.put(held[loser][0], "muck")  # decided: hands are cleared
    assert other.alerts() == []


def test_a10_takes_the_place_of_a9() -> None:
    table = Driver(house="tda2024")
    held = table.deal()
    table.act("2 raise 6")
    for face in held[2]:
        table.put(face, "muck")
    table.wait(5000)
    assert table.said() == [("A9", "proven", "open")]
    table.report("A10", 2)
    assert table.said() == [("A9", "proven", "withdrawn"), ("A10", "proven", "open")]


def test_a11_is_not_asked_about_a_hand_that_was_folded() -> None:
    table, held = at_showdown()
    for face in held[3]:
        table.put(face, "seat3")
    assert table.alerts() == []


def test_a_hand_given_up_in_the_run_out_leaves_the_pot_to_the_other_and_the_side_pot_where_it_is() -> None:
    table = Driver(stacks={5: 30})
    held = table.deal()
    table.act("2 raise 6, 3 fold, 5 allin, 7 fold, 9 fold, 1 call, 2 call")
    table.street(3)
    table.act("1 check, 2 bet 40, 1 call")
    table.street(1)
    table.act("1 check, 2 bet 50, 1 fold")
    for face in held[2]:
        table.put(face, "muck")  # he has forgotten the all-in
    assert table.hand.settlement is not None
    assert table.hand.settlement.awards == {5: 91, 2: 80}
    assert table.alerts() == []


# -- a misdeal called by voice --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("folded", [0, 1])
def test_a18_one_question_and_then_silence(folded: int) -> None:
    table = Driver()
    held = table.deal()
    table.act(", ".join(f"{seat} fold" for seat in ORDER[2 : 2 + folded]) or "2 fold")
    for seat in ORDER:
        table.put(held[seat][0], "muck")
    table.wait(30_000)
    assert table.said() == [("A18", "probable", "open")]
    assert table.hand.settlement is None  # nobody is taken to have folded before the answer
    table.answer("yes")
    assert table.hand.procedure.misdeal
    table.core.close()
    assert chips(table) == 1200


def test_a18_is_not_asked_when_late_taps_say_that_all_have_folded() -> None:
    table = Driver()
    held = table.deal()
    for seat in (2, 3, 5, 7, 9, 1):
        table.put(held[seat][0], "muck")  # the big blind throws his winning hand in
    table.pace_ms = 300
    for seat in (2, 3, 5, 7, 9):
        table.wait(500)
        assert table.tell(cmd.Act(seat, "fold")) is None
    table.wait(20_000)
    assert table.alerts() == []
    assert table.hand.settlement is not None
    assert table.hand.settlement.awards == {1: 3 - 1}


def test_a18_is_not_asked_after_substantial_action() -> None:
    table = Driver()
    held = table.deal()
    table.act("2 raise 6, 3 call")
    for seat in ORDER:
        table.put(held[seat][0], "muck")
    table.wait(30_000)
    assert "A18" not in [alert.rule for alert in table.alerts()]


# -- the stub ---------------------------------------------------------------------------------------------------------------------------


def omaha(count: int, unread: int = 0, house: str = "seed") -> Draft:
    """So many hands of four cards; eleven and the board take the whole deck. Dealt, before any action. ``unread``: of the last cards."""
    seats = tuple(range(1, count + 1))
    game = replace(load_game("omaha"), max_seats=11)
    opening = HandOpening("h1", count, tuple([SeatStack(seat, 200) for seat in seats]))
    rules = Rules(load_house(house), game, Limits(1, 2))
    readers = frozenset({f"seat{seat}" for seat in range(1, 12)} | {"board", "burn", "muck"})
    state = opened(engine.open_hand(opening, seats, game, readers, 600, 0))
    bets = replace(NO_BETS, live=seats, pending=seats)
    draft = Draft(state, bets, rules.house)
    for place in range(4 * count - unread):
        seat = seats[place % count]
        engine.placed(draft, f"{seat}.{place // count}", f"seat{seat}", 0, 0, 0)
    return draft


def eleven_of_omaha(unread: int = 0) -> Draft:
    """The whole deck is needed."""
    return omaha(11, unread)


def to_river(draft: Draft) -> None:
    """Burns and boards up to the betting of the turn, and that betting over."""
    place = 0
    for street, count in (("preflop", 0), ("flop", 3), ("turn", 1)):
        if count:
            place += 1
            engine.placed(draft, f"burn{place}", "burn", 0, 0, 10_000 * place)
            for number in range(count):
                ref = f"{street}{number}"
                engine.placed(draft, ref, "board", 0, 0, 10_000 * place + 100)
                engine.face_shown(draft, ref, f"{'23456789TJ'[place * 3 + number]}s", 10_000 * place + 200)
        draft.bets = replace(draft.bets, street=street, complete=True, pending=(), actions=("check",) * 3)
        engine.bets_changed(draft, 10_000 * place + 1000)


def test_a16_the_deck_is_just_enough() -> None:
    draft = eleven_of_omaha()
    to_river(draft)
    assert draft.state.step.kind == "burn"
    assert draft.state.street == "river"
    assert draft.alert("A16") is None


def test_a16_one_boxed_card_and_the_river_cannot_be_dealt() -> None:
    draft = eleven_of_omaha()
    assert said.report(draft, "boxed", None, "dealer", 1, 5000) is None
    to_river(draft)
    alert = draft.alert("A16")
    assert alert is not None
    assert (alert.evidence, alert.remedy) == ("proven", "floor")
    assert (alert.params["count"], alert.params["needed"]) == (1, 2)
    assert alert.options == ("play_on", "reshuffle_all")


def test_a16_a_joker_takes_no_card_from_the_stub() -> None:
    draft = eleven_of_omaha()
    assert said.report(draft, "scrap", None, "dealer", 1, 5000) is None
    to_river(draft)
    assert draft.alert("A16") is None


# -- the push -----------------------------------------------------------------------------------------------------------------------------


def test_p3_said_once_never_blocks_and_the_chips_on_the_table_win() -> None:
    table, _ = at_showdown()
    assert table.tell(cmd.Tabled(2)) is None
    assert table.tell(cmd.Tabled(5)) is None
    assert table.hand.settlement is not None
    pot = sum(table.hand.settlement.awards.values())
    winner = 2
    loser = 5
    wrong = {loser: pot}
    assert table.hand.settlement.awards != wrong
    assert table.tell(cmd.PushPots(wrong)) is None
    assert table.hand.result == ""
    assert table.said() == [("P3", "proven", "open")]
    assert table.tell(cmd.PushPots(wrong)) is None
    assert table.hand.result == "completed"
    assert len(table.alerts()) == 1
    assert seat_fact(table, loser).stack == 198 + pot
    assert seat_fact(table, loser).won == pot
    assert seat_fact(table, loser).marks == ("rebased",)
    assert seat_fact(table, winner).won == 0
    assert table.core.seats.records[loser].stack == 198 + pot
    assert chips(table) == 1200


def test_p3_is_not_said_of_a_hand_that_nobody_showed() -> None:
    table, _ = at_showdown()
    assert table.tell(cmd.Mucked(2)) is None
    assert table.hand.settlement is not None
    assert table.tell(cmd.PushPots({2: 7})) is None
    assert table.hand.result == "completed"
    assert table.alerts() == []


def test_p3_amounts_that_are_not_the_pots_are_refused() -> None:
    table, _ = at_showdown()
    assert table.tell(cmd.Tabled(2)) is None
    assert table.tell(cmd.Tabled(5)) is None
    refused = table.tell(cmd.PushPots({2: 6}))
    assert refused is not None
    assert refused.code == "chips_elsewhere"
    assert table.alerts() == []


def test_e21_after_the_push_the_reading_is_over() -> None:
    table, _ = at_showdown()
    assert table.tell(cmd.Tabled(2)) is None
    assert table.tell(cmd.Tabled(5)) is None
    assert table.tell(cmd.PushPots()) is None
    refused = table.tell(cmd.Report("P3", None))
    assert refused is not None
    assert refused.code == "hand_not_open"


def test_p9_a_report_makes_an_alert_of_the_mark() -> None:
    table = dealt()
    table.act("2 raise 6, 3 fold, 5 fold, 7 fold, 9 fold, 1 fold")
    table.burn()
    assert table.said() == [("P9", "possible", "open")]
    table.report("P9")
    assert table.alert("P9").evidence == "proven"
    assert table.tell(cmd.PushPots()) is None
    assert table.alert("P9").state == "closed"


@pytest.mark.parametrize("row", ["P1", "P5", "P7"])
def test_notes_are_never_alerts(row: str) -> None:
    table, _ = at_showdown()
    table.report(row)
    assert table.said() == [(row, "possible", "closed")]


@pytest.mark.parametrize(
    "actions", ["2 call", "2 raise 6", "2 fold, 3 fold, 5 fold, 7 fold, 9 call, 1 check"]
)
def test_nobody_but_the_blinds_chops(actions: str) -> None:
    """A slip of the finger does not give a pot back that others have bet into (A17)."""
    table = Driver()
    table.deal()
    table.act(actions)
    contributed = table.hand.betting.contributed
    refused = table.tell(cmd.Report("chop"))
    assert refused == Refused("bad_command", {"reason": "more_than_blinds"})
    assert table.hand.betting.contributed == contributed
    table.check_down()
    table.street(3)
    assert table.tell(cmd.Report("A17")) == refused


def test_blinds_chop_once_everybody_else_has_folded() -> None:
    table = Driver()
    table.deal()
    table.act("2 fold, 3 fold, 5 fold, 7 fold")
    table.report("chop")
    assert table.tell(cmd.PushPots()) is None
    assert table.hand.result == "chopped"
    assert set(table.hand.chips.values()) == {200}


def test_an_all_in_hand_that_gives_up_to_one_that_is_tabled_is_no_accident_though_the_rivers_burn_went_unread() -> (
    None
):
    table = Driver(sensing=TABLE)
    cards = table.deal()
    table.act("2 raise 6, 3 fold, 5 allin, 7 fold, 9 fold, 1 fold, 2 call")
    table.street(3)
    table.street(1)
    next(table.deck)  # burned, and not read
    table.board(1)
    table.wait(1500)
    assert table.hand.procedure.step.kind != "show"
    assert table.tell(cmd.Tabled(2)) is None
    for face in cards[5]:
        table.put(face, "muck")
    table.wait(5000)
    assert "A9" not in [alert.rule for alert in table.alerts()]
