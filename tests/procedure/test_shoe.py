"""What a shoe adds to a deal: how many cards left it, and which of them face up. It asks, it proves nothing, and it may be silent."""

from __future__ import annotations

import pytest

from dealer_assist.domain import commands as cmd
from dealer_assist.procedure.alignment.sensing import TABLE
from dealer_assist.table.ports import DeviceRestarted, ShoeChanged, ShoeExit
from tests.table.driver import ORDER, Driver

FLIGHT_MS = 250


class FromShoe(Driver):
    """A table that is dealt from a shoe with a face sensor."""

    def __init__(self, **options: object) -> None:
        self.number = 0
        super().__init__(**{"sensing": TABLE, **options})  # type: ignore[arg-type]
        self.core.set_devices((), self.core.readers | {"shoe"})

    def exit(self, face: str = "down", *, lost: int = 0) -> None:
        """A card leaves the shoe; ``lost``: so many exits before it never came through."""
        self.number += 1 + lost
        self.changes += self.core.observe(ShoeExit("shoe", self.t_ms, self.number, face))

    def shoe(self, *seats: int, face: str = "down", unread: bool = False, late_ms: int = 0) -> None:
        """One card from the shoe to each seat, the exit and then the read."""
        for seat in seats:
            self.wait(self.pace_ms - FLIGHT_MS)
            self.exit(face)
            self.wait(FLIGHT_MS)
            card = self.next_card()
            if not unread:
                self.put(card, f"seat{seat}", late_ms=late_ms)

    def witnessed(self) -> list[str]:
        """The rules of which something was said that rests on the shoe's count."""
        return [alert.rule for alert in self.alerts() if any(why.code == "shoe_count" for why in alert.why)]

    def asked(self) -> list[tuple[str, str | None, int | None]]:
        return [(alert.rule, alert.question, alert.seat) for alert in self.alerts() if alert.question]


# -- how many -----------------------------------------------------------------------------------------------------------------


def test_a_right_deal_from_a_shoe_is_silent_and_all_its_exits_are_known() -> None:
    table = FromShoe()
    table.shoe(*ORDER, *ORDER)
    assert table.said() == []
    exits = table.hand.procedure.exits
    assert len(exits) == 12
    assert [exit_.face for exit_ in exits] == ["down"] * 12
    assert table.hand.procedure.step.kind == "bet"


def test_two_seats_behind_one_that_the_shoe_counted_no_card_for_ask_about_it() -> None:
    table = FromShoe()
    table.shoe(9, 1, 3)
    assert table.asked() == []
    table.shoe(5)
    assert table.asked() == [("D3", "seat_in", 2)]
    assert table.witnessed() == ["D3"]
    table.answer("yes")
    assert table.alert("D3").evidence == "proven"


def test_no_corrects_the_seat_and_the_deal_goes_on() -> None:
    table = FromShoe()
    table.shoe(9, 1, 3, 5)
    table.answer("no")
    assert 2 not in table.hand.procedure.order
    table.shoe(7, 9, 1, 3, 5, 7)
    assert table.said() == [("D3", "probable", "closed")]
    assert table.hand.procedure.step.kind == "bet"


def test_the_first_seat_of_the_deal_passed_over_is_asked_about_within_the_round() -> None:
    table = FromShoe()
    table.shoe(1, 2, 3, 5, 7)
    assert [(rule, seat) for rule, _, seat in table.asked()] == [("D1", 9)]


@pytest.mark.parametrize("pace_ms", [450, 600, 800])
def test_a_card_that_left_the_shoe_and_was_not_read_is_asked_about_at_no_pace(pace_ms: int) -> None:
    table = FromShoe()
    table.pace_ms = pace_ms
    table.shoe(9, 1)
    table.shoe(2, unread=True)
    table.shoe(3, 5, 7, *ORDER)
    table.wait(3000)
    assert table.said() == []
    assert table.hand.procedure.marks == {2: ("short",)}


def test_the_same_deal_without_a_shoe_asks_where_the_pace_left_no_time() -> None:
    table = Driver()
    table.pitch(9, 1, 3, 5, 7, 9)
    assert ("D3", "probable", "open") in table.said()


def test_a_card_read_late_had_left_before_the_one_that_was_read_first() -> None:
    table = FromShoe()
    table.shoe(9, 1)
    table.wait(table.pace_ms - FLIGHT_MS)
    table.exit()  # seat 2's, read later
    late = table.next_card()
    table.deck = iter([face for face in table.deck if face != late])
    table.wait(FLIGHT_MS)
    table.shoe(3)
    table.put(late, "seat2", late_ms=200)
    table.shoe(5, 7)
    assert table.said() == []


def test_a_card_that_had_not_left_when_another_seat_was_served_came_out_of_turn() -> None:
    table = FromShoe()
    table.shoe(9, 1)
    table.wait(1500)  # so slow that the pace says nothing
    table.shoe(3, 2)
    assert table.asked() == [("D4", "out_of_turn", 3)]


def test_a_seat_without_its_second_card_is_asked_about_when_the_deal_is_over() -> None:
    table = FromShoe()
    table.shoe(*ORDER, 9, 1)
    table.wait(700)
    table.shoe(3, 5, 7)
    table.wait(3000)
    assert table.asked() == [("D5", "one_short", 2)]


def test_a_card_first_read_in_the_muck_was_dealt() -> None:
    """It folds before the time for late reads is over."""
    table = FromShoe()
    table.shoe(*ORDER, 9, 1, 2)
    table.shoe(3, unread=True)
    folded = table.next_card()
    table.deck = iter([face for face in table.deck if face != folded])
    table.shoe(5, 7)
    table.wait(300)
    table.put(folded, "muck")
    table.wait(3000)
    assert table.said() == []


def test_a_shoe_that_has_counted_too_few_is_no_witness_any_more() -> None:
    table = FromShoe()
    table.shoe(9)
    table.pitch(1)  # it stuck to seat 9's card
    table.shoe(2, 3)
    table.wait(table.pace_ms)  # seat 5's card: unread, and uncounted
    table.shoe(7, 9)
    assert table.asked() == []


def test_exits_that_were_lost_on_the_line_are_counted_all_the_same() -> None:
    table = FromShoe()
    table.shoe(9)
    table.pitch(1)  # this exit and the next never came through
    table.wait(FLIGHT_MS)
    table.wait(350)
    table.exit(lost=1)
    table.put(table.next_card(), "seat2")
    assert table.hand.procedure.exits[-1].missed == 1
    table.shoe(5, 7)
    assert table.asked() == [("D3", "seat_in", 3)]


def test_what_left_before_the_hand_was_open_is_of_this_hand_when_it_is_soon_enough() -> None:
    table = FromShoe()
    table.core.close()
    table.wait(60_000)
    table.exit()  # somebody tries the shoe
    table.wait(60_000)
    table.exit()  # the first card of the next deal
    table.wait(FLIGHT_MS)
    opening = table.hand.procedure.opening
    assert table.tell(cmd.OpenHand(opening.__class__("h2", 7, opening.seats))) is None
    assert [exit_.t_ms for exit_ in table.hand.procedure.exits] == [table.t_ms - FLIGHT_MS]


def test_a_deal_again_counts_anew() -> None:
    table = FromShoe()
    table.shoe(9, 1, 3, 5)
    table.answer("yes")
    table.gather()
    assert table.hand.procedure.exits == ()
    table.shoe(*ORDER, *ORDER)
    assert table.hand.procedure.attempt == 2
    assert len(table.hand.procedure.exits) == 12
    assert table.asked() == []


@pytest.mark.parametrize("state", ["blocked", "open", "fault"])
def test_a_shoe_that_does_not_count_is_no_witness_until_the_next_hand(state: str) -> None:
    table = FromShoe()
    table.shoe(9)
    table.core.observe(ShoeChanged("shoe", table.t_ms, state, table.number))
    assert "shoe" not in table.hand.procedure.readers
    table.shoe(1, 3)
    table.core.observe(ShoeChanged("shoe", table.t_ms, "counting", table.number))
    table.shoe(5)
    assert table.witnessed() == []  # the pace of the deal may ask all the same
    table.core.close()
    opening = table.hand.procedure.opening
    assert table.tell(cmd.OpenHand(opening.__class__("h2", 7, opening.seats))) is None
    table.core.set_devices((), table.core.readers | {"shoe"})
    assert "shoe" in table.hand.procedure.readers


def test_a_shoe_that_restarted_has_a_hole_in_its_count() -> None:
    table = FromShoe()
    table.core.set_devices([_shoe_fact()], table.core.readers)
    table.shoe(9)
    table.core.observe(DeviceRestarted("shoe", table.t_ms))
    table.number = 0
    table.shoe(1, 3, 5)
    assert table.witnessed() == []  # the pace of the deal may ask all the same
    assert [exit_.missed for exit_ in table.hand.procedure.exits] == [0] * 4


def _shoe_fact() -> object:
    from dealer_assist.domain.facts import DeviceFact

    return DeviceFact("shoe", "shoe", "ok", ("shoe",), "", {})


# -- face up ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "seat", "rule"),
    [((), 9, "X1"), ((9,), 1, "X2"), ((9, 1, 2), 3, "X3"), ((*ORDER, 9, 1, 2, 3, 5), 7, "X3b")],
)
def test_a_card_that_left_face_up_is_asked_about_at_the_seat_that_got_it(
    before: tuple[int, ...], seat: int, rule: str
) -> None:
    table = FromShoe()
    table.shoe(*before)
    table.shoe(seat, face="up")
    assert table.asked() == [(rule, "exposed", seat)]
    assert table.alert(rule).why[0].code == "left_face_up"
    table.answer("yes")
    proven = [alert for alert in table.alerts() if alert.evidence == "proven"]
    assert [(alert.rule, alert.seat) for alert in proven] == [(rule, seat)]
    assert table.hand.procedure.exposed == (seat,)


def test_answered_no_nothing_has_happened() -> None:
    table = FromShoe()
    table.shoe(9, 1, 2)
    table.shoe(3, face="up")
    table.answer("no")
    assert table.said() == [("X3", "probable", "closed")]
    table.shoe(5, 7, *ORDER)
    assert table.asked() == []
    assert table.hand.procedure.exposed == ()


def test_the_dealers_report_answers_the_question() -> None:
    table = FromShoe()
    table.shoe(9, 1, 2)
    table.shoe(3, face="up")
    table.report("exposed", 3)
    assert table.said() == [("X3", "probable", "closed"), ("X3", "proven", "open")]
    assert table.hand.procedure.exposed == (3,)


def test_who_has_reported_it_is_not_asked() -> None:
    table = FromShoe()
    table.shoe(9, 1, 2)
    table.wait(table.pace_ms)
    table.exit("up")
    table.report("exposed", 3)
    table.put(table.next_card(), "seat3")
    assert table.asked() == []
    assert table.hand.procedure.exposed == (3,)


def test_a_card_no_antenna_read_is_asked_about_at_the_seat_whose_turn_it_was() -> None:
    table = FromShoe()
    table.shoe(9, 1, 2)
    table.shoe(3, face="up", unread=True)
    assert table.asked() == []
    table.wait(2000)
    assert table.asked() == [("X3", "exposed", 3)]


def test_two_cards_face_up_are_asked_about_one_after_the_other_and_are_a_misdeal() -> None:
    table = FromShoe()
    table.shoe(9, 1, 2)
    table.shoe(3, 5, face="up")
    assert table.asked() == [("X3", "exposed", 3)]
    table.answer("yes")
    assert table.asked() == [("X4", "exposed", 5)]
    table.answer("yes")
    assert ("X4", "proven", "open") in table.said()
    assert table.alert("X4").remedy == "misdeal"


def test_without_a_face_sensor_nothing_is_asked() -> None:
    table = FromShoe()
    table.shoe(*ORDER, *ORDER, face="unknown")
    assert table.said() == []
