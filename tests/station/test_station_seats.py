"""The seat sheet and the table sheet: buy-ins, top-ups, blinds owed, the dealer push, the draw for the first button."""

from __future__ import annotations

from msgspec.structs import replace

from dealer_assist.domain.commands import (
    DealerPush,
    FirstButton,
    PostNow,
    SitDown,
    TopUp,
    WaitForBlind,
)
from dealer_assist.domain.facts import HandFact, NoticeFact, SeatFact, TableFact
from dealer_assist.station import canned
from dealer_assist.station.scene import values


def facts(seat: SeatFact | None = None, **of_table: object) -> tuple:  # type: ignore[type-arg]
    """A table between hands, one of its seats as given."""
    known = []
    for fact in canned.STATES["play"]():
        if isinstance(fact, TableFact):
            known.append(replace(fact, buy_in_min=40, buy_in_max=200, first_button="high_card", **of_table))
        elif isinstance(fact, HandFact):
            known.append(replace(fact, phase="idle"))
        elif seat is None or not isinstance(fact, SeatFact) or fact.seat != seat.seat:
            known.append(fact)
    return (*known, seat) if seat is not None else tuple(known)


def sent(window) -> list:
    commands = []
    window.command = commands.append
    for sheet in window.sheets:
        sheet.command.disconnect()
        sheet.command.connect(commands.append)
    return commands


def labels(sheet) -> str:
    return " ".join(" ".join(fitted.lines) for fitted, _, _ in sheet._labels)


def test_an_empty_seat_is_taken_within_the_limits(open_window):
    window = open_window(facts(SeatFact(4, "empty", "none", None, 0, 0, 0, to_act=False)))
    commands = sent(window)
    sheet = window.seat_sheet
    window._on_seat(4)
    assert not sheet.keys["sit_down"].isEnabled()
    assert "40" in labels(sheet)
    assert "200" in labels(sheet)
    assert sheet.keys["came_back"].isHidden()
    assert sheet.keys["stack"].isHidden(), "a stack alone would seat nobody"
    sheet.set_entry("150")
    sheet.keys["sit_down"].click()
    assert commands == [SitDown(4, 150)]


def test_who_left_comes_back_and_who_sits_there_tops_up(open_window):
    window = open_window(facts(SeatFact(4, "out", "none", 170, 0, 0, 0, to_act=False)))
    commands = sent(window)
    window._on_seat(4)
    window.seat_sheet.keys["chips"].click()
    window.seat_sheet.set_entry("170")
    window.seat_sheet.keys["came_back"].click()
    assert commands == [SitDown(4, 170, returned_from=4)]
    window = open_window(facts(SeatFact(4, "in", "none", 170, 0, 0, 0, to_act=False)))
    commands = sent(window)
    window._on_seat(4)
    window.seat_sheet.keys["chips"].click()
    window.seat_sheet.set_entry("30")
    assert window.seat_sheet.keys["sit_down"].isHidden()
    window.seat_sheet.keys["top_up"].click()
    assert commands == [TopUp(4, 30)]


def test_a_blind_that_is_owed_is_posted_or_waited_for(open_window):
    marks = ("missed_big_blind", "waits_for_blind")
    window = open_window(facts(SeatFact(4, "in", "none", 170, 0, 0, 0, to_act=False, marks=marks)))
    commands = sent(window)
    window._on_seat(4)
    window.seat_sheet.keys["posts_now"].click()
    window._on_seat(4)
    window.seat_sheet.keys["waits"].click()
    assert commands == [PostNow(4), WaitForBlind(4)]
    window = open_window(facts(SeatFact(4, "in", "none", 170, 0, 0, 0, to_act=False)))
    window._on_seat(4)
    assert window.seat_sheet.keys["posts_now"].isHidden()


def test_the_dealer_push_from_the_head_line(open_window):
    window = open_window(canned.STATES["play"]())
    commands = sent(window)
    window.header.table_key.click()
    sheet = window.table_sheet
    assert not sheet.isHidden()
    assert sheet.keys["draw_send"].isHidden()  # a hand is running
    sheet.keys["dealer_push"].click()
    assert not sheet.keys["push_send"].isEnabled()
    for digit in "17":
        window.pad.keys[digit].click()
    assert window.pad.keys["raise"].text() == "RAISE", "the number is not the action's"
    sheet.keys["push_send"].click()
    assert commands == [DealerPush("17")]
    assert sheet.isHidden()


def test_who_deals_now_is_told_as_news_not_as_a_warning(open_window):
    window = open_window(
        (*canned.STATES["idle"](), NoticeFact("dealer_push", "dealer_push", {"dealer": "Olena K."}))
    )
    (told,) = [one for one in values.notices(window.tr_, window.state) if "Olena K." in one.text]
    assert told.level == "low"


def test_the_draw_for_the_first_button_is_seat_by_seat(open_window):
    known = facts()
    window = open_window(known)
    commands = sent(window)
    window.header.table_key.click()
    sheet = window.table_sheet
    sheet.keys["draw"].click()
    seats = sheet.drawing
    assert len(seats) > 1
    ranks = "AKQJT98765432"
    sheet.keys[f"draw-{seats[0]}"].click()
    for number, _ in enumerate(seats):
        assert not sheet.keys["draw_send"].isEnabled()
        sheet.keys[f"rank-{ranks[number]}"].click()
        sheet.keys["suit-s"].click()
    sheet.keys["draw_send"].click()
    assert commands == [FirstButton({seat: f"{ranks[i]}s" for i, seat in enumerate(seats)})]
    again = NoticeFact("first_button", "draw_again", {"seats": list(seats[:2])})
    window = open_window((*known, again))
    window.header.table_key.click()
    assert window.table_sheet.drawing == seats[:2]


def test_at_a_tournament_the_button_is_at_the_dealers_right(open_window):
    known = [
        replace(fact, first_button="right_of_dealer") if isinstance(fact, TableFact) else fact
        for fact in facts()
    ]
    window = open_window(tuple(known))
    commands = sent(window)
    window.header.table_key.click()
    window.table_sheet.keys["draw"].click()
    window.table_sheet.keys["draw_send"].click()
    assert commands == [FirstButton({})]
