from __future__ import annotations

import pytest

from dealer_assist.domain.commands import Refused
from dealer_assist.table.equipment.checking import MAX_NAMED, DeckCheck
from dealer_assist.table.equipment.register import DAY_S, DeckEntry, DeckRegister, moved
from dealer_assist.table.equipment.registration import ORDER, Registration


def uid(number: int) -> bytes:
    return b"\xe0\x04\x01\x50" + number.to_bytes(4, "big")


def registration() -> Registration:
    return Registration("Red 1", "red", "muck")


def lay(deck: Registration, number: int, at_ms: int) -> str:
    """A card that comes alone: the scan before did not have it."""
    return deck.lay(uid(number), at_ms - 100, at_ms)


def test_fifty_two_cards_in_the_announced_order_make_a_deck():
    deck = registration()
    assert deck.next == "As"
    said = [lay(deck, number, 1000 * number + 1000) for number in range(52)]
    assert said == ["laid"] * 51 + ["complete"]
    assert deck.next is None
    assert [deck.cards[uid(number)] for number in range(52)] == list(ORDER)
    assert len(set(ORDER)) == 52 and ORDER[:3] == ("As", "2s", "3s")


def test_the_same_card_twice_counts_once():
    deck = registration()
    lay(deck, 0, 1000)
    assert lay(deck, 0, 5000) == "seen_before"
    assert deck.next == "2s"


def test_two_cards_in_one_scan_are_both_laid_down_again():
    deck = registration()
    lay(deck, 0, 1000)
    assert deck.lay(uid(1), 1900, 2000) == "laid"
    assert deck.lay(uid(2), 1900, 2000) == "two_at_once"
    assert deck.next == "2s" and len(deck.cards) == 1
    assert deck.lay(uid(3), 1950, 2005) == "two_at_once", "a third one of the same moment is no better"
    assert deck.next == "2s" and len(deck.cards) == 1, "and costs no other card"
    assert [lay(deck, number, at_ms) for number, at_ms in ((2, 5000), (1, 6000))] == ["laid", "laid"]
    assert deck.cards[uid(2)] == "2s"


def test_a_skipped_card_comes_again_at_the_end_and_the_last_one_cannot_be_skipped():
    deck = registration()
    assert deck.skip() and deck.next == "2s"
    for number in range(51):
        lay(deck, number, 1000 * number + 1000)
    assert deck.next == "As"
    assert not deck.skip()
    assert lay(deck, 51, 90_000) == "complete"


def test_one_step_back_takes_back_a_card_or_a_skip():
    deck = registration()
    lay(deck, 0, 1000)
    deck.skip()
    assert deck.next == "3s"
    assert deck.back_one() and deck.next == "2s"
    assert deck.back_one() and deck.next == "As" and not deck.cards
    assert not deck.back_one()


def test_a_face_can_be_named_unless_a_card_has_it():
    deck = registration()
    assert deck.go_to("Kd")
    lay(deck, 0, 1000)
    assert deck.cards[uid(0)] == "Kd"
    assert deck.next == "As"
    assert not deck.go_to("Kd")


def test_an_interrupted_registration_goes_on():
    deck = registration()
    for number in range(7):
        lay(deck, number, 1000 * number + 1000)
    again = Registration("Red 1", "red", "muck", deck.cards, order=7)
    assert again.next == "8s"
    assert lay(again, 3, 500) == "seen_before"
    assert again.back_one() and again.next == "7s"


def test_it_does_not_print_what_it_knows():
    deck = registration()
    lay(deck, 0, 1000)
    assert "e004" not in repr(deck).lower() and "As" not in repr(deck)


# -- check ---------------------------------------------------------------------------------------------------------------------


CARDS = {uid(number): face for number, face in enumerate(ORDER)}
OWNERS = {**dict.fromkeys(CARDS, "Red 1"), uid(900): "Blue 1"}


def test_a_check_names_dead_cards_and_foreign_ones():
    check = DeckCheck("Red 1", "", CARDS, OWNERS)
    for number in range(52):
        if ORDER[number] not in ("7s", "Kd"):
            assert check.lay(uid(number))[0] == "read"
    assert check.lay(uid(0)) == ("seen_before", "Red 1")
    assert check.lay(uid(900)) == ("other_deck", "Blue 1")
    assert check.lay(uid(901)) == ("unknown_card", "")
    result = check.result()
    assert (result.read, result.of, result.dead) == (50, 52, ("7s", "Kd"))
    assert result.foreign == {"": 1, "Blue 1": 1}
    assert not result.complete


def test_with_many_unread_none_is_named():
    check = DeckCheck("Red 1", "", CARDS, OWNERS)
    for number in range(52 - MAX_NAMED - 1):
        check.lay(uid(number))
    assert check.result().dead == ()
    check.lay(uid(51))
    assert len(check.result().dead) == MAX_NAMED


def test_two_tags_of_one_face_are_no_complete_deck():
    cards = {**CARDS, uid(51): "As"}
    check = DeckCheck("Red 1", "", cards, OWNERS)
    said = [check.lay(uid(number))[0] for number in range(52)]
    assert said[:51] == ["read"] * 51 and said[51] == "same_face"
    assert check.result().twice == 1 and not check.result().complete


# -- register ------------------------------------------------------------------------------------------------------------------


def register(state: str = "registered") -> DeckRegister:
    return DeckRegister({"Red 1": DeckEntry("Red 1", "red", state, 1000)})


@pytest.mark.parametrize(
    ("state", "to", "by", "reason", "code"),
    [
        ("registered", "in_use", "dealer", "", ""),
        ("in_use", "out", "dealer", "", ""),
        ("out", "in_use", "dealer", "", ""),
        ("in_use", "quarantine", "dealer", "marked ace", ""),
        ("in_use", "quarantine", "dealer", "", "reason_needed"),
        ("quarantine", "in_use", "floor", "cleared", "deck_cannot"),
        ("quarantine", "out", "dealer", "cleared", "deck_floor_only"),
        ("quarantine", "out", "floor", "", "reason_needed"),
        ("quarantine", "out", "floor", "cleared", ""),
        ("retired", "in_use", "floor", "", "deck_cannot"),
        ("out", "out", "dealer", "", "deck_is_already"),
    ],
)
def test_a_deck_goes_from_state_to_state(state, to, by, reason, code):
    after = moved(register(state), "Red 1", to, 2000, by=by, reason=reason)
    assert (after.code if isinstance(after, Refused) else "") == code
    if not code:
        assert after.decks["Red 1"].state == to and after.decks["Red 1"].since_s == 2000


def test_a_deck_in_quarantine_may_not_be_dealt():
    assert register("in_use").playable("Red 1")
    assert not register("quarantine").playable("Red 1") and not register("out").playable("Red 1")
    assert not register().playable("Blue 1")


def test_a_deck_in_use_for_more_than_a_day_is_listed():
    used = moved(register(), "Red 1", "in_use", 5000, by="dealer")
    assert [view.long_in_use for view in used.view(5000 + DAY_S)] == [False]
    assert [view.long_in_use for view in used.view(5001 + DAY_S)] == [True]
    rested = moved(moved(used, "Red 1", "out", 6000, by="dealer"), "Red 1", "in_use", 90_000, by="dealer")
    assert [view.long_in_use for view in rested.view(5001 + DAY_S)] == [False]
