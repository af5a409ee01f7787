"""What readers do not see is entered by hand: tap zones, unread cards, hands tabled without a reader; and the hand that opens itself."""

from __future__ import annotations

from dealer_assist.domain import commands as cmd
from dealer_assist.domain.cards import STANDARD_52
from dealer_assist.domain.facts import NoticeFact, SeatFact
from dealer_assist.table.events import HandClosed
from tests.table.driver import Driver, uid


def test_board_without_a_reader_is_entered_card_by_card() -> None:
    table = Driver(unread=("board", "burn"))
    table.deal()
    table.check_down()
    for street in (("Ks", "7d", "2h"), ("9h",), ("Js",)):
        for face in street:
            table.wait(800)
            assert table.tell(cmd.EnterCard(face)) is None
        table.check_down()
    assert table.hand.board_faces() == ("Ks", "7d", "2h", "9h", "Js")
    table.showdown()
    assert table.hand.result == "completed"
    assert table.alerts() == []


def test_tapped_board_takes_its_faces_afterwards() -> None:
    table = Driver(unread=("board", "burn"))
    table.deal()
    table.check_down()
    assert table.tell(cmd.TapZone("burn")) is None
    assert table.tell(cmd.TapZone("board", 3)) is None
    table.act("9 check")
    for face in ("Ks", "7d", "2c"):
        assert table.tell(cmd.EnterCard(face)) is None
    assert table.hand.board_faces() == ("Ks", "7d", "2c")


def test_one_unread_card_of_the_flop_is_entered_and_the_others_show_themselves() -> None:
    table = Driver()
    table.deal()
    table.check_down()
    table.burn()
    table.board(2)
    table.wait(2000)
    assert table.hand.board_faces() == ()
    assert table.tell(cmd.EnterCard("As")) is None
    table.wait(1000)
    assert len(table.hand.board_faces()) == 3
    assert table.hand.procedure.step.kind == "bet"
    assert table.alerts() == []


def test_zone_with_a_reader_is_not_tapped() -> None:
    table = Driver()
    refused = table.tell(cmd.TapZone("burn"))
    assert refused is not None
    assert refused.code == "zone_has_reader"


def test_card_that_is_already_there_is_refused() -> None:
    table = Driver(unread=("board", "burn"))
    table.deal()
    table.check_down()
    assert table.tell(cmd.EnterCard("Ks")) is None
    refused = table.tell(cmd.EnterCard("Ks"))
    assert refused is not None
    assert refused.code == "card_already_seen"


def test_card_entered_that_a_player_then_tables_asks_the_floor_and_pays_nobody() -> None:
    table = Driver(unread=("board", "burn"))
    held = table.deal()
    table.check_down()
    for street in (("Ks", "7d", held[1][0]), ("9h",), ("Js",)):
        for face in street:
            assert table.tell(cmd.EnterCard(face)) is None  # nobody can know yet: the hole card is hidden
        table.check_down()
    for seat in table.hand.bets.live:
        assert table.tell(cmd.Tabled(seat)) is None
    assert table.alert("K1").question == "same_card_twice"
    faces = [table.hand.procedure.faces[ref] for ref in table.alert("K1").why[0].reads]
    assert faces == [held[1][0]] * 2  # the two that show it, for the floor to look at
    assert table.hand.settlement is None
    table.answer("yes")
    assert table.tell(cmd.PushPots()) is None
    assert table.hand.result == "void"


def test_seat_without_a_reader_tables_its_hand_by_entry() -> None:
    table = Driver(unread=("seat2",))
    for _ in range(2):
        table.pitch(*(seat for seat in table.order if seat != 2))
    table.act("2 raise 6, 3 fold, 5 fold, 7 fold, 9 fold, 1 call")
    table.street(3)
    table.check_down()
    table.street(1)
    table.check_down()
    table.street(1)
    table.check_down()
    assert table.tell(cmd.Tabled(1)) is None
    assert table.tell(cmd.Tabled(2)) is None
    assert table.hand.settlement is None
    for face in ("As", "Ah"):
        assert table.tell(cmd.EnterCard(face, 2)) is None
    assert table.hand.settlement is not None
    assert table.alerts() == []


def test_next_hand_opens_itself_at_its_first_pitch() -> None:
    table = Driver()
    table.deal()
    table.act("2 raise 6, 3 fold, 5 fold, 7 fold, 9 fold, 1 fold")
    assert table.tell(cmd.PushPots()) is None
    assert table.hand.result == "completed"
    table.put("2c", "muck")
    assert table.hand.result == "completed"  # from award to first pitch every zone is mute
    table.gather()
    table.wait(3000)
    first = table.core.hand
    table.put("4h", "seat1")
    assert table.core.hand is not first
    assert table.hand.procedure.opening.button == 9
    assert table.hand.procedure.order[0] == 1
    stacks = {record.seat: record.stack for record in table.hand.procedure.opening.seats}
    assert stacks == {1: 198, 2: 203, 3: 200, 5: 200, 7: 200, 9: 199}
    assert marks(table) == {}  # the card that opened the hand was not left lying from the last one
    table.pitch(*table.hand.procedure.order[1:], *table.hand.procedure.order)
    table.wait(3000)
    assert marks(table) == {}
    assert table.alerts() == []


def marks(table: Driver) -> dict[int, tuple[str, ...]]:
    """The quiet marks at the seats."""
    facts = [fact for fact in table.core.snapshot() if isinstance(fact, SeatFact)]
    return {fact.seat: fact.marks for fact in facts if fact.marks}


def test_next_hand_opens_itself_though_nobody_tapped_that_the_pots_are_pushed() -> None:
    table = Driver(entry="by_exception")
    table.deal()
    table.act("2 raise 6")
    for seat in (3, 5, 7, 9, 1):
        for face in [face for face, zone in table.where.items() if zone == f"seat{seat}"]:
            table.put(face, "muck")
    table.wait(5000)
    decided = table.core.hand
    assert decided is not None
    assert decided.settlement is not None
    assert not decided.result
    table.put("2c", "seat9")  # the cards are not collected yet: one that falls is no deal
    table.wait(2000)
    assert table.hand.procedure.hand == decided.procedure.hand
    assert table.alerts() == []
    table.gather()
    table.wait(3000)
    table.put("4h", "seat1")
    assert table.hand.procedure.hand != decided.procedure.hand
    stacks = {record.seat: record.stack for record in table.hand.procedure.opening.seats}
    assert stacks == {1: 198, 2: 203, 3: 200, 5: 200, 7: 200, 9: 199}
    table.pitch(*table.hand.procedure.order[1:], *table.hand.procedure.order)
    table.wait(3000)
    assert table.alerts() == []


def showdown_nobody_told() -> Driver:
    """Seats 2 and 5 have checked a river that nobody told the winner of; the cards are collected."""
    table = Driver(entry="by_exception")
    table.deal()
    table.act("2 raise 6")
    for seat in (3, 7, 9, 1):
        for face in [face for face, zone in table.where.items() if zone == f"seat{seat}"]:
            table.put(face, "muck")
    for count in (3, 1, 1):
        table.wait(7000)
        table.street(count)
    table.wait(7000)
    table.gather()
    table.wait(3000)
    assert table.hand.settlement is None
    return table


def test_a_hand_that_nobody_settled_is_left_when_the_next_one_is_dealt() -> None:
    table = showdown_nobody_told()
    left = table.hand.procedure.hand
    for seat, face in ((1, "4h"), (2, "5h")):
        table.wait(600)
        table.put(face, f"seat{seat}")
    assert table.hand.procedure.hand == left  # two cards could be laid down there by anybody
    table.wait(600)
    table.put("6h", "seat3")
    assert table.hand.procedure.hand != left
    assert table.hand.procedure.opening.button == 9
    assert [pitch.seat for pitch in table.hand.procedure.pitches] == [1, 2, 3]
    stacks = {record.seat: record.stack for record in table.hand.procedure.opening.seats}
    assert stacks == {
        1: 198,
        2: None,
        3: 200,
        5: None,
        7: 200,
        9: 199,
    }  # who won the 15 in the pot nobody has said
    closed = next(
        event for change in table.changes for event in change.events if isinstance(event, HandClosed)
    )
    assert closed.result == "unsettled"
    notices = [fact for fact in table.core.snapshot() if isinstance(fact, NoticeFact) and fact.code]
    assert [(fact.code, fact.params) for fact in notices] == [
        ("hand_unsettled", {"hand": left, "seats": [2, 5]})
    ]
    table.pitch(*table.hand.procedure.order[3:], *table.hand.procedure.order)
    table.wait(3000)
    assert table.alerts() == []


def test_a_seat_that_gets_what_it_had_is_dealt_in_like_the_others() -> None:
    table = showdown_nobody_told()
    left = table.hand
    face = next(
        face for face in STANDARD_52 if left.procedure.owner.get(table.core.vault.ref(uid(face)) or "") == 1
    )
    for seat, card in ((1, face), (2, "Qh"), (3, "Kh"), (5, "Ah")):
        table.wait(600)
        table.put(card, f"seat{seat}")
    assert table.hand.procedure.hand != left.procedure.hand
    assert [pitch.seat for pitch in table.hand.procedure.pitches] == [1, 2, 3, 5]
    assert table.alerts() == []


def test_a_hand_in_which_nobody_has_acted_is_dealt_again() -> None:
    table = Driver(entry="by_exception")
    table.deal()
    name = table.hand.procedure.hand
    table.gather()
    table.wait(3000)
    for seat, face in ((1, "4h"), (2, "5h"), (3, "6h"), (5, "7h")):
        table.wait(600)
        table.put(face, f"seat{seat}")
    assert table.hand.procedure.hand == name


def test_an_award_that_is_taken_back_goes_on_as_the_same_hand() -> None:
    table = Driver()
    held = table.deal()
    table.act("2 raise 6, 3 fold, 5 fold, 7 fold, 9 fold, 1 fold")
    name = table.hand.procedure.hand
    for faces in held.values():
        for face in faces:
            table.take(face)
    assert table.tell(cmd.Undo()) is None  # seat 1 had not folded
    assert table.hand.settlement is None
    for face in held[1]:
        table.put(face, "seat1")
    table.act("1 call")
    assert table.hand.procedure.hand == name
    assert not table.hand.result


def test_hand_in_the_muck_before_its_turn_folds_when_the_turn_comes() -> None:
    table = Driver()
    held = table.deal()
    table.put(held[5][0], "muck")
    table.wait(6000)
    assert not table.hand.betting.is_folded(5)
    table.act("2 call, 3 call")
    table.wait(4500)
    assert table.hand.betting.is_folded(5)
    assert table.hand.betting.to_act == 7
