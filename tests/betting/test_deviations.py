"""The nine known deviations of PokerKit, each with its answer, ours, and the rule.

PokerKit's answers are asserted so that a version that answers otherwise is noticed: then the deviation leaves this list and the waivers of
:mod:`tests.betting.pokerkit_side`.
"""

from __future__ import annotations

from typing import Any

from pokerkit import (
    Automation,
    FixedLimitTexasHoldem,
    Mode,
    NoLimitTexasHoldem,
    State,
)

from dealer_assist.betting import (
    BettingState,
    HandSetup,
    Post,
    RakeSchedule,
    award,
    blinds_and_antes,
    forced_bets,
    house_take,
    pots,
    start,
)
from dealer_assist.composition import load_house
from dealer_assist.domain.table import Limits
from tests.betting.kit import options, play, settled, table

DEEP = 100_000
#: Everything of PokerKit that is not an action, but for the showdown where a test shows or mucks itself.
AUTOMATIONS = tuple(
    set(Automation) - {Automation.CARD_BURNING, Automation.HOLE_DEALING, Automation.BOARD_DEALING}
)


def theirs(stacks: tuple[int, ...], blinds: tuple[int, ...], big: int, ante: Any = 0, **more: Any) -> Any:
    """PokerKit's no-limit hand, unknown cards dealt."""
    automations = more.pop("automations", AUTOMATIONS)
    uniform = not isinstance(ante, dict)
    state = NoLimitTexasHoldem.create_state(
        automations, uniform, ante, blinds, big, stacks, len(stacks), mode=Mode.CASH_GAME, **more
    )
    for _ in stacks:
        state.deal_hole("????")
    return state


def may_raise(state: State) -> bool:
    return state.can_complete_bet_or_raise_to()


def flop(state: Any, *cards: str) -> None:
    state.burn_card("??")
    state.deal_board("".join(cards))


def limit_hand(*stacks: int, posts: tuple[Post, ...] = (), blinds: tuple[int, int] = (5, 10)) -> BettingState:
    seats = tuple(range(1, len(stacks) + 1))
    return start(
        HandSetup(
            seats,
            seats[-1],
            stacks,
            posts or blinds_and_antes(seats, *blinds),
            blinds[1],
            structure="fixed_limit",
        )
    )


def test_d1_short_big_blind_is_called_in_full() -> None:
    """WLA 154 (2024: 150): the big blind has 3 of 10; the first seat owes 10 and raises to 20 at least."""
    kit = theirs((1000, 3, 1000, 1000), (5, 10), 10)
    assert kit.actor_index == 2
    assert (kit.checking_or_calling_amount, kit.min_completion_betting_or_raising_to_amount) == (5, 15)
    ours = options(table(1000, 3, 1000, 1000, blinds=(5, 10)))
    assert (ours.seat, ours.call, ours.min_to) == (3, 10, 20)


def test_d2_short_all_in_does_not_reopen_for_the_limper() -> None:
    """TDA 47 example 2-A, WLA 171, WT 96: 2000/4000, limp, all-in 7500, the big blind calls; the limper may not raise."""
    stacks = (DEEP, DEEP, DEEP, 7500)
    kit = theirs(stacks, (2000, 4000), 4000)
    kit.check_or_call()
    kit.complete_bet_or_raise_to(7500)
    kit.fold()
    kit.check_or_call()
    assert kit.actor_index == 2 and may_raise(kit)
    ours = play(table(*stacks, blinds=(2000, 4000)), "3 call", "4 all_in", "1 fold", "2 call")
    assert (options(ours).seat, options(ours).can_raise) == (3, False)


def test_d3_short_all_in_bet_does_not_reopen_for_the_checker() -> None:
    """WLA 171: the big blind is 50; check, all-in bet 20, call; the checker may call or fold."""
    stacks = (DEEP, 70, DEEP)
    kit = theirs(stacks, (25, 50), 50)
    for _ in stacks:
        kit.check_or_call()
    flop(kit, "2c", "3d", "4h")
    kit.check_or_call()
    kit.complete_bet_or_raise_to(20)
    kit.check_or_call()
    assert kit.actor_index == 0 and may_raise(kit)
    ours = play(
        table(*stacks, blinds=(25, 50)),
        "3 call",
        "1 call",
        "2 check",
        "next",
        "1 check",
        "2 all_in",
        "3 call",
    )
    assert (options(ours).seat, options(ours).call, options(ours).can_raise) == (1, 20, False)


def test_d4_short_all_ins_that_add_up_reopen_for_the_raiser() -> None:
    """TDA 47-A: 25/50, raise to 100, all-ins 125, 160 and 200: the raiser faces 100, more than the raise of 50."""
    stacks = (DEEP, 200, DEEP, 125, 160, DEEP)
    kit = theirs(stacks, (25, 50), 50)
    for to in (100, 125, 160, None, 0, 200):
        if to is None:
            kit.check_or_call()
        elif to:
            kit.complete_bet_or_raise_to(to)
        else:
            kit.fold()
    assert kit.actor_index == 2 and not may_raise(kit)
    ours = play(
        table(*stacks, blinds=(25, 50)), "3 raise 100", "4 all_in", "5 all_in", "6 call", "1 fold", "2 all_in"
    )
    assert (options(ours).seat, options(ours).can_raise, options(ours).min_to) == (3, True, 250)


def test_d5_half_a_bet_all_in_counts_as_a_bet_in_limit() -> None:
    """WLA 129, RROP, TDA 47 (50 %): 10 bet, called, all-in 16, called: the bettor may raise, to 26."""
    stacks = (1000, 1000, 26, 1000)
    kit = FixedLimitTexasHoldem.create_state(
        AUTOMATIONS, True, 0, (5, 10), 10, 20, stacks, 4, mode=Mode.CASH_GAME
    )
    for _ in stacks:
        kit.deal_hole("????")
    for _ in stacks:
        kit.check_or_call()
    flop(kit, "2c", "3d", "4h")
    kit.complete_bet_or_raise_to(10)
    kit.check_or_call()
    kit.complete_bet_or_raise_to(16)
    kit.check_or_call()
    assert kit.actor_index == 0 and not may_raise(kit)
    ours = play(limit_hand(*stacks), "3 call", "4 call", "1 call", "2 check", "next")
    ours = play(ours, "1 bet 10", "2 call", "3 all_in", "4 call")
    assert (options(ours).seat, options(ours).call, options(ours).min_to, options(ours).max_to) == (
        1,
        6,
        26,
        26,
    )


def test_d5_less_than_half_a_bet_all_in_does_not() -> None:
    """The same root as D2: a limp and an all-in of 13 over 10; PokerKit lets the limper raise."""
    stacks = (1000, 1000, 1000, 13)
    kit = FixedLimitTexasHoldem.create_state(
        AUTOMATIONS, True, 0, (5, 10), 10, 20, stacks, 4, mode=Mode.CASH_GAME
    )
    for _ in stacks:
        kit.deal_hole("????")
    kit.check_or_call()
    kit.complete_bet_or_raise_to(13)
    kit.check_or_call()
    kit.check_or_call()
    assert kit.actor_index == 2 and may_raise(kit)
    ours = play(limit_hand(*stacks), "3 call", "4 all_in", "1 call", "2 call")
    assert (options(ours).seat, options(ours).call, options(ours).can_raise) == (3, 3, False)


def test_d6_odd_chips_go_one_each() -> None:
    """TDA 20-A, WLA 148: three winners of 11 get 4, 4, 3, clockwise from the button."""
    kit = NoLimitTexasHoldem.create_state(
        AUTOMATIONS, False, {3: 2}, (1, 2, 3), 3, (3, 3, 3, 5), 4, mode=Mode.CASH_GAME
    )
    for cards in ("2c3c", "2d3d", "2h3h", "KsKd"):
        kit.deal_hole(cards)
    kit.fold()
    kit.check_or_call()
    kit.check_or_call()
    for cards in ("AhKhQh", "Jh", "Th"):
        flop(kit, cards)
    assert list(kit.stacks) == [5, 3, 3, 3]
    state = play(table(3, 3, 3, 5, posts=(Post(4, 2, "dead"),)), "1 all_in", "2 all_in", "3 all_in", "4 fold")
    assert settled(state, {1: 1, 2: 1, 3: 1}).awards == {1: 4, 2: 4, 3: 3}


def test_d7_rake_cap_is_a_cap_a_hand() -> None:
    """WLA26 31: 10 %, at most 5 a hand; three pots of 400, 300 and 200 pay 5 in all, not 5 each."""

    def rake(amount: int, _: State) -> tuple[int, int]:
        taken = min(amount // 10, 5)
        return taken, amount - taken

    stacks = (100, 200, 300, 300)
    kit = NoLimitTexasHoldem.create_state(
        AUTOMATIONS, True, 0, (1, 2), 2, stacks, 4, mode=Mode.CASH_GAME, rake=rake
    )
    for cards in ("AcAd", "KcKd", "QcQd", "7c2d"):
        kit.deal_hole(cards)
    kit.complete_bet_or_raise_to(300)
    for _ in range(3):
        kit.check_or_call()
    for cards in ("5s8h9h", "Js", "3d"):
        flop(kit, cards)
    assert sum(stacks) - sum(kit.stacks) == 15
    seats = (1, 2, 3, 4)
    schedule = RakeSchedule(1000, cap=5)
    ours = start(HandSetup(seats, 4, stacks, blinds_and_antes(seats, 1, 2), 2, rake=schedule))
    ours = play(ours, "3 raise 300", "4 call", "1 call", "2 call", "next", "next", "next")
    assert [pot.amount for pot in pots(ours)] == [400, 300, 200]
    rake_taken, drops = house_take(ours, flop_seen=True)
    outcome = award(ours, {1: 1, 2: 2, 3: 3, 4: 4}, rake_taken, drops=drops)
    assert rake_taken == 5 and not drops
    assert sum(outcome.stacks.values()) == sum(stacks) - 5  # type: ignore[union-attr]


def test_d8_big_blind_before_big_blind_ante() -> None:
    """TDA RP-11 (2024): the big blind has 5 chips, the ante is 5, the blind 5: the blind is posted, not the ante."""
    kit = theirs((100, 5, 100), (2, 5), 5, ante={1: 5})
    assert list(kit.bets) == [2, 0, 0]
    limits = Limits(2, 5, 5, ante_kind="big_blind")
    posts = forced_bets("blinds", (1, 2, 3), limits, button=3)
    ours = table(100, 5, 100, blinds=(2, 5), posts=posts)
    assert (ours.bets, ours.antes) == ((2, 5, 0), (0, 0, 0))


def test_d9_all_in_hands_are_tabled() -> None:
    """TDA 16, WT: in a tournament an all-in hand cannot be mucked once the action is over.

    PokerKit lets the loser muck. Here the houses of tournaments want all-in hands up (A12; scenario a12_hands_face_down), and a
    hand that was not tabled wins nothing.
    """
    automations = tuple(set(AUTOMATIONS) - {Automation.HOLE_CARDS_SHOWING_OR_MUCKING})
    kit = NoLimitTexasHoldem.create_state(
        automations, True, 0, (1, 2), 2, (100, 100), 2, mode=Mode.TOURNAMENT
    )
    kit.deal_hole("AcAd")
    kit.deal_hole("7c2d")
    kit.complete_bet_or_raise_to(100)
    kit.check_or_call()
    assert kit.all_in_status
    assert kit.can_show_or_muck_hole_cards(False)
    kit.show_or_muck_hole_cards(False)
    assert not all(kit.statuses), "mucked"
    for house, wanted in (("tda2024", True), ("wsop_tournament", True), ("seed", False)):
        assert load_house(house).parameters.allin_faceup.value is wanted
    ours = play(table(100, 100), "2 all_in", "1 call", "next", "next", "next")
    assert settled(ours, {1: 7}).awards == {1: 200}


def test_raise_that_nobody_can_match_is_made_and_comes_back() -> None:
    """None of the nine: the button is all-in for 10, the big blind has 8 in all and has still to act.

    PokerKit lets the small blind only call. No rule forbids the raise (TDA 43 asks for its size, TDA 47 for a reopened round); what
    nobody can match goes back before the pots are formed (table stakes).
    """
    stacks = (1000, 8, 10)
    kit = theirs(stacks, (1, 2), 2)
    kit.complete_bet_or_raise_to(10)
    assert kit.actor_index == 0 and not may_raise(kit)
    ours = play(table(*stacks), "3 all_in")
    assert options(ours).min_to == 18
    ours = play(ours, "1 raise 100", "2 call", "next")
    assert ours.returned == ((1, 90),)
    assert [pot.amount for pot in pots(ours)] == [24, 4]
