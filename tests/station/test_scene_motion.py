"""What moves on the felt: from facts alone, to where things are, never later than they are, and nothing that says more than a back."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from dealer_assist.domain.facts import BoardCard, BoardFact, HandFact, PotFact, PotView, SeatFact
from dealer_assist.domain.link import LINK_VERSION, Hello, Snapshot, Update
from dealer_assist.station import canned
from dealer_assist.station.scene.moves import (
    BURNS,
    MUCK,
    POTS,
    STUB,
    Move,
    bet_place,
    board_place,
    hand_place,
    moves,
    plate_place,
)
from dealer_assist.station.shots import fill
from dealer_assist.station.viewmodel import ViewState, fold, lost
from dealer_assist.station.window import StationWindow


def state_of(facts):
    state = ViewState()
    for message in (Hello(LINK_VERSION, "7", simulated=False), Snapshot(1, facts)):
        state = fold(state, message)
    return state


def after(state, *facts: object):
    return fold(state, Update(state.seq + 1, 0, facts))


PLAY = canned.STATES["play"]()
POT = PotFact((PotView(180, (1, 2, 5)),), 45, 225)


# -- what is seen to move, from facts alone ----------------------------------------------------------------------------------


def test_a_card_that_is_dealt_comes_from_the_stub():
    old = state_of(canned.STATES["deal"]())
    new = after(old, replace(old.seat(2), cards=2))
    assert moves(old, new) == (Move("card", STUB, hand_place(2, 1), stays=True),)


def test_a_fold_goes_to_the_muck_as_backs_and_a_misdeal_back_to_the_stub():
    old = state_of(PLAY)
    folded = after(old, replace(old.seat(5), hand="folded", cards=0))
    assert moves(old, folded) == (
        Move("back", hand_place(5, 0), MUCK, stays=False),
        Move("back", hand_place(5, 1), MUCK, stays=False),
    )
    gone = [replace(seat, hand="none", cards=0, bet=0) for seat in old.seats]
    misdealt = after(old, HandFact("10482", 1, "misdeal", "flop", 7, 8, 9), BoardFact((), 1, 6), *gone)
    cards = [move for move in moves(old, misdealt) if move.what == "back"]
    assert {move.target for move in cards} == {STUB} and len(cards) == 9


def test_a_tabled_hand_leaves_as_backs_too():
    old = state_of(canned.STATES["award"]())
    assert old.seat(2).tabled
    new = after(
        old,
        HandFact("10483", 1, "deal", "preflop", 8, 9, 1),
        replace(old.seat(2), tabled=(), hand="none", cards=0),
    )
    assert Move("back", hand_place(2, 0), STUB, stays=False) in moves(old, new)


@pytest.mark.parametrize(
    ("pots", "stack", "target"),
    [
        (PotFact((PotView(225, (1, 2, 5)),), 0, 225), 1215, POTS),
        (PotFact((PotView(180, (1, 2, 5)),), 0, 180), 1260, plate_place(2)),
    ],
)
def test_a_bet_goes_into_the_pot_or_back_to_its_seat_as_the_stack_says(pots, stack, target):
    old = state_of(PLAY)
    new = after(old, pots, replace(old.seat(2), bet=0, stack=stack))
    assert moves(old, new) == (Move("bet", bet_place(2), target, stays=False),)


def test_bets_burns_board_and_winnings():
    old = state_of(PLAY)
    raised = after(old, replace(old.seat(2), bet=90, stack=1170), replace(old.seat(5), bet=90, stack=820))
    assert moves(old, raised) == (
        Move("chips", plate_place(2), bet_place(2), stays=False),
        Move("bet", plate_place(5), bet_place(5), stays=True),
    )
    cards = (*old.board.cards, BoardCard("9c"))
    turned = after(old, BoardFact(cards, 2, 6))
    assert moves(old, turned) == (
        Move("card", STUB, board_place(1, 3), stays=True),
        Move("back", STUB, BURNS, stays=False),
    )
    won = after(old, replace(old.seat(2), won=225, stack=1440))
    assert moves(old, won) == (Move("chips", POTS, plate_place(2), stays=False),)


def test_nothing_moves_while_a_player_looks_at_his_cards_nor_when_a_screen_comes_back():
    old = state_of(PLAY)
    lifted = after(old, replace(old.seat(5), cards=0))
    assert moves(old, lifted) == () == moves(lifted, after(lifted, old.seat(5)))
    back = fold(lost(old), Snapshot(9, canned.STATES["award"]()))
    assert moves(lost(old), back) == () == moves(ViewState(), old)


# -- on the felt ---------------------------------------------------------------------------------------------------------------


class Table:
    """An animated window whose time a test tells."""

    def __init__(self, qtbot, name="play", **options) -> None:
        self.now_ms = 1000.0
        self.window = StationWindow(animated=True, clock=lambda: "21:47", **options)
        self.view = self.window.table
        self.motion = self.view.motion
        self.motion.set_clock(lambda: self.now_ms)
        self.window.show()
        fill(self.window, canned.STATES[name]())
        qtbot.wait(1)
        self.seq = 1

    def tell(self, *facts: object):
        self.seq += 1
        self.window.receive((Update(self.seq, 0, facts),))

    def seat(self, number):
        return self.window.state.seat(number)

    def frame(self, ms):
        self.now_ms += ms
        self.motion.step()


@pytest.fixture
def table(qtbot, dressed):
    made = []

    def make(name="play", **options):
        made.append(Table(qtbot, name, **{"language": "en", **options}))
        return made[-1]

    yield make
    for one in made:
        one.window.shut()
    qtbot.wait(1)


def near(one, other):
    return (one - other).manhattanLength() <= 1.5


def test_a_dealt_card_flies_from_the_stub_and_arrives(table):
    here = table("deal")
    here.tell(replace(here.seat(2), cards=2))
    first, second = here.view.cards[2].items[:2]
    assert near(second.centre, here.view.stub.box.center()) and here.motion.moving
    here.frame(60)
    assert not near(second.centre, second.box.center()) and not near(
        second.centre, here.view.stub.box.center()
    )
    here.frame(1000)
    assert near(second.centre, second.box.center()) and near(first.centre, first.box.center())
    assert here.motion.moving == 0


def test_words_and_amounts_are_true_before_anything_has_moved(table):
    here = table()
    here.tell(POT, replace(here.seat(5), bet=90, stack=820, to_act=False), replace(here.seat(2), won=7))
    assert here.motion.moving
    assert (here.view.bets[5].value, here.view.plates[5].value.stack) == ("90", "820")
    assert here.view.plates[2].value.tone == "won"
    here.tell(PotFact((PotView(315, (1, 2, 5)),), 0, 315), replace(here.seat(5), bet=0))
    assert here.view.pots.value[0].figure == "315" and here.view.bets[5].value is None


def test_a_new_fact_turns_a_flight_round_from_where_it_has_got_to(table):
    here = table()
    seat = here.seat(5)
    here.tell(replace(seat, hand="folded", cards=0))
    assert len(here.motion.leaving) == 2 and here.view.cards[5].value is None
    here.frame(40)
    spots = [item.sceneBoundingRect().center() for item in here.motion.leaving]
    here.tell(seat)
    assert here.motion.leaving == ()
    backs = here.view.cards[5].items[:2]
    assert all(near(back.centre, spot) for back, spot in zip(backs, spots, strict=True))
    here.frame(1000)
    assert all(near(back.centre, back.box.center()) for back in backs)


def test_the_button_that_is_on_its_way_is_sent_elsewhere_in_mid_flight(table):
    here = table()
    here.tell(HandFact("10482", 1, "betting", "flop", 1, 8, 9))
    here.frame(50)
    spot = here.view.disc.centre
    here.tell(HandFact("10482", 1, "betting", "flop", 9, 8, 9))
    assert near(here.view.disc.centre, spot)
    here.frame(1000)
    assert near(here.view.disc.centre, here.view.geometry_now.seats[9].disc.center())


def test_only_backs_and_chips_are_seen_leaving_and_below_all_that_is_there(table):
    here = table("award")
    here.tell(
        HandFact("10483", 1, "deal", "preflop", 8, 9, 1),
        replace(here.seat(2), tabled=(), hand="none", cards=0, won=0),
    )
    back = here.view._back.pixmap().cacheKey()
    assert here.motion.leaving and {item.pixmap().cacheKey() for item in here.motion.leaving} == {back}
    lowest = min(item.zValue() for item in (here.view.pots, here.view.boards[0][0], here.view.plates[1]))
    assert all(item.zValue() < lowest for item in here.motion.leaving)


def test_another_layout_ends_all_movement_and_no_animation_means_none(table, qtbot):
    here = table("deal")
    here.tell(replace(here.seat(2), cards=2))
    assert here.motion.moving
    here.window.resize(1500, 900)
    qtbot.wait(1)
    assert here.motion.moving == 0
    for item in here.view.shown_items():
        assert near(item.centre, item.box.center())
    here.motion.enabled = False
    here.tell(BoardFact((BoardCard("Kh"), BoardCard("7s")), 1, 6), replace(here.seat(5), bet=5))
    assert here.motion.moving == 0 and here.view.bets[5].isVisible()


def test_cards_that_fly_while_an_alert_takes_half_the_felt_arrive_where_they_are_now(table):
    here = table()
    here.window.receive((Snapshot(9, canned.STATES["stop"]()),))
    assert here.view.boards[0][3].value.early
    here.frame(1000)
    assert here.motion.moving == 0
    for item in here.view.shown_items():
        assert near(item.centre, item.box.center())


def test_a_language_is_switched_while_cards_fly(table):
    here = table("deal")
    here.tell(replace(here.seat(2), cards=2))
    here.frame(40)
    second = here.view.cards[2].items[1]
    spot = second.centre
    here.window.set_language("uk")
    assert here.view.burns.value.label == here.window.tr_("ui.burns") == "Спалені"
    assert near(second.centre, spot) and here.motion.is_moving(second)
    here.frame(1000)
    assert near(second.centre, second.box.center())


def test_pictures_are_drawn_once_and_again_for_other_fonts_or_another_screen(table, qtbot):
    here = table("full-ring")
    here.window.grab()
    made = here.view.pixmaps.made
    here.tell(replace(here.seat(2), to_act=False), replace(here.seat(3), to_act=True))
    here.frame(1000)
    here.window.grab()
    assert here.view.pixmaps.made == made + 2  # two plates
    here.tell(replace(here.seat(2), to_act=True), replace(here.seat(3), to_act=False))
    assert here.view.pixmaps.made == made + 2
    QApplication.sendEvent(here.view, QEvent(QEvent.Type.FontChange))
    assert here.view.pixmaps.made > made + 25
    made = here.view.pixmaps.made
    QApplication.sendEvent(here.view, QEvent(QEvent.Type.DevicePixelRatioChange))
    assert here.view.pixmaps.made > made + 25


def test_up_to_seven_cards_of_a_hand_stay_in_their_box(table):
    here = table()
    for due in (1, 4, 5, 7):
        hand = SeatFact(5, "in", "live", 910, 0, due, due, to_act=True)
        here.tell(hand)
        here.frame(1000)
        cards = [item for item in here.view.cards[5].items if item.isVisible()]
        assert len(cards) == due
        box = here.view.geometry_now.seats[5].cards.adjusted(-3, -3, 3, 3)
        assert all(box.contains(card.box) for card in cards)
        faces = ("As", "Td", "9c", "9h", "2h", "Ks", "Qs")[:due]
        here.tell(replace(hand, hand="tabled", tabled=faces))
        assert all(box.contains(card.box) for card in cards)
        assert here.view.cards[5].value.faces == faces
