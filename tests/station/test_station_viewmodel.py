from __future__ import annotations

import msgspec
from msgspec.structs import replace

from dealer_assist.domain.alerts import Alert
from dealer_assist.domain.facts import AlertFact, DeviceFact, HandFact, NoticeFact, PadFact, PotFact, SeatFact
from dealer_assist.domain.link import Hello, Result, Snapshot, Update
from dealer_assist.station import canned
from dealer_assist.station.canned_alerts import BOXED, EARLY_TURN, EARLY_TURN_ASKED, EXPOSED
from dealer_assist.station.entry import raise_to, typed
from dealer_assist.station.viewmodel import ViewState, fold, lost

SEAT = SeatFact(3, "in", "live", 100, 0, 2, 2, to_act=False)


def snapshot(*facts: object, seq=1):
    return fold(ViewState(), Snapshot(seq, facts))


def test_a_snapshot_replaces_everything_that_was_known():
    first = snapshot(SEAT, NoticeFact("a", "floor_called"))
    second = fold(first, Snapshot(9, (PotFact((), 0, 7),)))
    assert second.seats == () and second.notices == () and second.pot.total == 7
    assert (second.seq, second.link) == (9, "ready")


def test_an_update_replaces_its_sections_and_drops_what_is_gone():
    state = snapshot(SEAT, AlertFact(EARLY_TURN))
    state = fold(state, Update(2, 0, (replace(SEAT, bet=40),), (("alert", EARLY_TURN.id),)))
    assert state.seat(3).bet == 40
    assert state.alerts == ()
    assert state.seq == 2


def test_results_change_no_state():
    state = snapshot(SEAT)
    assert fold(state, Result("x", ok=True)) is state


def test_a_service_of_another_version_is_named():
    state = fold(ViewState(), Hello(99, "7", simulated=False))
    assert (state.link, state.version) == ("version", 99)


def test_a_simulated_table_stays_marked_whatever_the_facts_say():
    state = fold(ViewState(), Hello(1, "7", simulated=True))
    state = fold(state, Snapshot(1, (canned.STATES["play"]()[0],)))
    assert state.simulated


def test_a_lost_service_keeps_what_was_known():
    state = lost(snapshot(SEAT))
    assert state.link == "lost" and state.seat(3) is not None


def hand(name="h1", attempt=1, phase="betting"):
    return HandFact(name, attempt, phase, "flop", 1, 2, 3)


def test_backs_are_latched_while_a_player_lifts_his_cards_and_go_with_the_fold():
    state = snapshot(hand(), SEAT)
    assert state.backs[3] == 2
    state = fold(state, Update(2, 0, (replace(SEAT, cards=0),)))
    assert state.backs[3] == 2
    state = fold(state, Update(3, 0, (replace(SEAT, cards=0, hand="folded"),)))
    assert state.backs[3] == 0


def test_backs_are_not_carried_into_the_next_deal():
    state = snapshot(hand(), SEAT)
    for opened in (hand("h2"), hand("h1", attempt=2)):
        after = fold(state, Update(2, 0, (opened, replace(SEAT, cards=0))))
        assert after.backs[3] == 0


def test_stops_come_first_then_priority_then_what_is_proven():
    state = snapshot(AlertFact(BOXED), AlertFact(EXPOSED), AlertFact(EARLY_TURN))
    assert [alert.rule for alert in state.alerts] == ["R2", "X3", "N5"]


def test_closed_and_merely_possible_alerts_do_not_take_the_panel():
    possible = replace(BOXED, evidence="possible", question=None)
    closed = replace(EXPOSED, state="closed")
    state = snapshot(AlertFact(possible), AlertFact(closed), AlertFact(replace(EARLY_TURN, state="dealt_on")))
    assert state.alerts == ()
    assert state.put_right == closed


def test_zones_of_a_device_that_does_not_work_are_tapped():
    state = snapshot(
        DeviceFact("a", "reader", "ok", ("seat1", "board")),
        DeviceFact("b", "reader", "lost", ("burn",)),
        DeviceFact("c", "reader", "stale", ("muck",)),
    )
    assert state.tap_zones == ("burn",)


def test_a_row_of_the_showdown_stays_when_its_seat_has_tabled():
    tabled = replace(SEAT, hand="tabled", tabled=("As", "Kd"))
    state = snapshot(hand(phase="showdown"), tabled, PadFact(None, showdown=(5,)))
    assert state.showdown_seats == (3, 5)


def test_every_canned_fact_survives_the_socket():
    for name, make in canned.STATES.items():
        message = Snapshot(1, make())
        decoded = msgspec.json.decode(msgspec.json.encode(message), type=Snapshot)
        assert decoded == message, name


def test_the_entry_takes_digits_without_leading_zeros_and_with_an_end():
    entry = ""
    for key in ("0", "00", "1", "00", "5"):
        entry = typed(entry, key)
    assert entry == "1005"
    assert typed(entry, "delete") == "100"
    assert len(typed("123456789", "9")) == 9


def test_the_raise_key_follows_the_limits_of_the_facts():
    pad = PadFact(5, False, 45, 90, 910)
    assert raise_to("", pad) == (90, "default")
    assert raise_to("89", pad) == (89, "low")
    assert raise_to("90", pad) == (90, "ok")
    assert raise_to("911", pad) == (911, "high")
    assert raise_to("100", PadFact(5, False, 45)) == (None, "none")


def test_a_question_is_shown_as_one():
    assert isinstance(EARLY_TURN_ASKED, Alert)
    assert snapshot(AlertFact(EARLY_TURN_ASKED)).alerts[0].question == "acted"
