"""What other engines publish as their test tables: the situations, played here; where a table is wrong, the rule that says so.

Taken as situations and figures, in our own words: pokertools (aaurelions, 78e1323), scalapoker (eguneys, 93e1c73), texasholdem
(SirRender00, 84aaee0), rlcard (datamllab, d7d0a95), poker-ts (claudijo, 1214cd8), private_poker (theOGognf, c28621f), openpoker
(hpyhacking, 643193c), clubs (fschlatt, c8ce301), ddpoker (dougdonohoe, d91d542). Player 0 of a source has the button in all of them.
"""

from __future__ import annotations

import pytest

from dealer_assist.betting import (
    Action,
    BettingState,
    HandSetup,
    Post,
    Pot,
    Refusal,
    Settlement,
    act,
    award,
    blinds_and_antes,
    gathered_pots,
    hand_over,
    hand_rank,
    live,
    next_street,
    pots,
    round_complete,
    start,
    verify,
)
from tests.betting.kit import options, play, settled, table
from tests.betting.public_hands import BAD, GOOD, PublicHand


def seated(player: int, count: int) -> int:
    """The seat of a source's player: its button, player 0, is the last seat here."""
    return player or count


def opened(stacks: tuple[int, ...], blinds: tuple[int, int]) -> BettingState:
    """Stacks in the order of the source's players."""
    order = (*stacks[1:], stacks[0])
    return table(*order, blinds=blinds)


def acted(state: BettingState, line: str) -> BettingState | Refusal:
    """Carry out "player kind [to]", / for a street; the refusal of the last one."""
    count = len(state.setup.seats)
    streets = [street.split(",") for street in line.split("/")]
    for number, street in enumerate(streets):
        if number:
            state = next_street(state)
        for place, step in enumerate(street):
            words = step.split()
            to = int(words[2]) if len(words) > 2 else None
            action = Action(seated(int(words[0]), count), words[1], to)  # type: ignore[arg-type]
            refusal = verify(state, action)
            if refusal is not None:
                assert number == len(streets) - 1 and place == len(street) - 1, f"{step}: {refusal}"
                return refusal
            state = act(state, action)
    return state


def shown_down(hand: PublicHand, state: BettingState) -> Settlement:
    """Run the board out, table every live hand, settle."""
    while not hand_over(state) and state.street < 3:
        state = next_street(state)
    strength = {}
    if not hand_over(state):
        count = len(hand.stacks)
        held = {seated(player, count): text for player, text in enumerate(hand.cards.split())}
        strength = {seat: hand_rank(_cards(held[seat]), _cards(hand.board)) for seat in live(state)}
    return settled(state, strength)


def _cards(text: str) -> list[str]:
    return [text[at : at + 2] for at in range(0, len(text), 2)]


@pytest.mark.parametrize("name", GOOD)
def test_published_hands_pay_pot_by_pot_as_published(name: str) -> None:
    hand = GOOD[name]
    count = len(hand.stacks)
    state = acted(opened(hand.stacks, hand.blinds), hand.actions)
    assert isinstance(state, BettingState)
    outcome = shown_down(hand, state)
    paid = [(each.pot.amount, set(each.winners)) for each in reversed(outcome.pots)]
    assert paid == [(amount, {seated(each, count) for each in winners}) for amount, winners in hand.pots]
    assert outcome.returned == tuple((seated(player, count), amount) for player, amount in hand.returned)
    assert sum(outcome.stacks.values()) == sum(hand.stacks)


@pytest.mark.parametrize("name", BAD)
def test_published_mistakes_are_refused_where_they_are_made(name: str) -> None:
    hand = BAD[name]
    refusal = acted(opened(hand.stacks, hand.blinds), hand.actions)
    assert isinstance(refusal, Refusal)
    assert refusal.code == hand.refused


def test_all_in_over_an_all_in_opponent_is_no_raise() -> None:
    """texasholdem preflop_all_in_2 raises to 900 against an all-in of 100 and pays 800 as a pot of its own.

    At a table there is nobody to raise: the seat calls, or shoves and gets 800 back (table stakes).
    """
    state = play(table(900, 100, blinds=(2, 5)), "2 raise 100")
    assert verify(state, Action(1, "raise", 900)) == Refusal("nobody_to_raise")
    called = play(state, "1 all_in")
    assert called.stacks == (800, 0) and pots(called) == (Pot(200, (1, 2)),)


@pytest.mark.parametrize(("shove", "reopened"), [(99, False), (135, True)])
def test_short_all_ins_do_not_add_up_to_a_larger_least_raise(shove: int, reopened: bool) -> None:
    """texasholdem end_raise_all_in_4 and end_raise_exception_4 take 35 + 40, the sum of two short all-ins, for the last raise.

    TDA 43: the least raise is the largest full bet or raise of the round, here 50; TDA 47 lets the sum reopen, no more. Player 1 may
    make it 185, not only 210 (a fifth player has chips left: without him there is nobody to raise).
    """
    state = acted(
        opened((shove + 5, 400, 100, 80, 1000), (2, 5)),
        "3 call, 4 call, 0 call, 1 call, 2 check / 1 check, 2 check, 3 check, 4 check, 0 raise 10, 1 raise 60, 2 raise 95, 3 call,"
        " 4 call, 0 all_in",
    )
    assert isinstance(state, BettingState)
    offered = options(state)
    assert (offered.seat, offered.call, offered.can_raise) == (1, shove - 60, reopened)
    assert offered.min_to == (185 if reopened else None)


# --- TDA 47 as scalapoker transcribes it ---


@pytest.fixture
def example_1() -> BettingState:
    state = play(table(1000, 225, 1000, 300, 1000, blinds=(50, 100)), "3 call", "4 call", "5 call", "1 call")
    return play(state, "2 check", "next", "1 bet 100", "2 all_in", "3 call", "4 all_in", "5 call")


def test_example_1_a(example_1: BettingState) -> None:
    """The two short all-ins are a full raise for the bettor; the caller between them faces 75 of 100."""
    offered = options(example_1)
    assert (offered.seat, offered.call, offered.min_to, offered.max_to) == (1, 100, 300, 900)
    called = play(example_1, "1 call")
    assert (options(called).seat, options(called).call, options(called).can_raise) == (3, 75, False)


def test_example_1_b(example_1: BettingState) -> None:
    raised = options(play(example_1, "1 raise 300"))
    assert (raised.seat, raised.min_to, raised.max_to) == (3, 400, 900)


@pytest.fixture
def example_2() -> BettingState:
    state = table(40_000, 40_000, 40_000, 40_000, 7500, blinds=(2000, 4000))
    return play(state, "3 call", "4 fold", "5 all_in", "1 fold")


def test_example_2_a(example_2: BettingState) -> None:
    offered = options(example_2)
    assert (offered.seat, offered.call, offered.min_to, offered.max_to) == (2, 3500, 11_500, 40_000)
    called = options(play(example_2, "2 call"))
    assert (called.seat, called.call, called.can_raise) == (3, 3500, False)


def test_example_2_b(example_2: BettingState) -> None:
    raised = options(play(example_2, "2 raise 11500"))
    assert (raised.seat, raised.min_to, raised.max_to) == (3, 15_500, 40_000)


def test_short_all_in_of_the_big_blind_does_not_reopen() -> None:
    """200: a raise to 500, a call, the big blind all-in for 750 (250 of 300)."""
    state = play(table(1000, 750, 1000, blinds=(100, 200)), "3 raise 500", "1 call", "2 all_in")
    assert (options(state).seat, options(state).call, options(state).can_raise) == (3, 250, False)


@pytest.mark.parametrize(
    ("lines", "seat", "least", "most"),
    [
        # scalapoker RaiseTest and SidePotsTest: blinds 5/10, four stacks of 100; the last seat is player 0.
        ((), 3, 20, 100),
        (("3 raise 20", "4 call"), 1, 30, 100),
        (("3 raise 20", "4 call", "1 raise 30"), 2, 40, 100),
        (("3 raise 35",), 4, 60, 100),
        (("3 raise 35", "4 raise 60"), 1, 85, 100),
        (("3 raise 35", "4 call", "1 call", "2 call", "next"), 1, 10, 65),
        (("3 all_in",), None, None, None),
    ],
)
def test_raises_of_four_equal_stacks(
    lines: tuple[str, ...], seat: int | None, least: int | None, most: int | None
) -> None:
    state = play(table(100, 100, 100, 100, blinds=(5, 10)), *lines)
    if seat is None:
        assert state.last_full_raise == 90, "an all-in that is a full raise counts as one"
        return
    assert (options(state).seat, options(state).min_to, options(state).max_to) == (seat, least, most)
    assert least is not None
    assert verify(state, Action(seat, "raise", least - 1)) is not None


def test_all_in_of_less_than_a_full_raise_keeps_the_last_one() -> None:
    state = table(90, 80, 70, 60, 50, 100, blinds=(5, 10))
    state = play(state, "3 fold", "4 raise 45", "5 all_in")
    assert state.last_full_raise == 35
    assert options(state).min_to == 85


def test_large_raises_on_the_flop() -> None:
    flop = play(table(*[10_000] * 4, blinds=(100, 200)), "3 call", "4 call", "1 call", "2 check", "next")
    state = play(flop, "1 bet 600", "2 raise 1600", "3 raise 3600")
    assert (options(state).min_to, options(state).max_to) == (5600, 9800)
    called = options(play(state, "4 call"))
    assert (called.min_to, called.max_to) == (5600, 9800)


def test_side_pots_of_five_stacks_with_and_without_folds() -> None:
    """scalapoker: stacks 50 (button), 25, 125, 100, 75."""
    stacks = (25, 125, 100, 75, 50)
    state = play(table(*stacks), "3 all_in", "4 all_in", "5 all_in", "1 all_in", "2 call")
    assert [(pot.amount, len(pot.eligible)) for pot in pots(state)] == [(125, 5), (100, 4), (75, 3), (50, 2)]
    state = play(table(*stacks), "3 call", "4 call", "5 all_in", "1 all_in", "2 call", "3 fold", "4 call")
    assert pots(state) == (Pot(102, (1, 2, 4, 5)), Pot(75, (2, 4, 5)))


# --- payouts ---


def all_in_of_all(stacks: tuple[int, ...]) -> BettingState:
    seats = tuple(range(1, len(stacks) + 1))
    state = start(HandSetup(seats, seats[-1], stacks, (), 1))
    while state.to_act is not None:
        state = play(state, f"{state.to_act} all_in")
    return state


def net(state: BettingState, board: str, hands: str) -> list[int]:
    held = hands.split()
    strength = {seat: hand_rank(_cards(held[seat - 1]), _cards(board)) for seat in live(state)}
    outcome = settled(state, strength)
    return [
        outcome.stacks[seat] - stack
        for seat, stack in zip(state.setup.seats, state.setup.stacks, strict=True)
    ]


@pytest.mark.parametrize(
    ("stacks", "board", "hands", "expected"),
    [
        ((100, 200, 300, 400), "AsKsQs2s3s", "JsTs 4s5s 9sTc ThJc", [300, 100, -100, -300]),
        ((100, 200, 300, 400), "AhKhQsTs9s", "As4h Ad5h Kd6h Ks7h", [100, 300, -200, -200]),
        (
            (100, 200, 300, 400, 500, 600),
            "AsKsQdTd9c",
            "Ac2h Ad3h Kc2c Kd3c Qc2s Qh3s",
            [200, 600, -100, 100, -400, -400],
        ),
    ],
)
def test_all_ins_of_every_size_judged_pot_by_pot(
    stacks: tuple[int, ...], board: str, hands: str, expected: list[int]
) -> None:
    """rlcard, its judge's table (the queen of diamonds, twice in the source, is a heart here)."""
    assert net(all_in_of_all(stacks), board, hands) == expected


FLOP_BET = "1 bet 4, 4 fold, 5 call, 6 call, 0 call"
FOUR_CHECKS = " / 1 check, 5 check, 6 check, 0 check"
TWO_CHECKS = " / 1 check, 4 check"


@pytest.mark.parametrize(
    ("stacks", "actions", "total", "expected"),
    [
        (
            (200,) * 9,
            f"3 fold, 4 raise 5, 5 call, 6 call, 7 fold, 8 fold, 0 call, 1 call, 2 fold / {FLOP_BET}{2 * FOUR_CHECKS}",
            43,
            [12, -9, -2, 0, -5, 13, -9, 0, 0],
        ),
        (
            (20, 380, *[200] * 7),
            f"3 fold, 4 raise 50, 5 fold, 6 fold, 7 fold, 8 fold, 0 all_in, 1 call, 2 fold{3 * TWO_CHECKS}",
            122,
            [42, 10, -2, 0, -50, 0, 0, 0, 0],
        ),
        (
            (20, 380, 200, 200, 200, 35, 200, 365, 200),
            f"3 fold, 4 raise 45, 5 all_in, 6 fold, 7 fold, 8 fold, 0 all_in, 1 call, 2 fold{3 * TWO_CHECKS}",
            147,
            [7, -45, -2, 0, 26, 14, 0, 0, 0],
        ),
    ],
    ids=["split", "all-in", "all-in and split"],
)
def test_nine_handed_payouts(stacks: tuple[int, ...], actions: str, total: int, expected: list[int]) -> None:
    """clubs, its payouts: an odd chip of a split pot, of a main and of a side pot."""
    hands = ["6c8s", "AsAd", "Kd2h", "Th9c", "JsJc", "6h8d", "5c7d", "Qh2c", "3d4s"]
    if expected[4] > 0:
        hands[4] = "6d8h"
    hand = PublicHand((1, 2), stacks, actions, " ".join(hands), "4d5h7cAcKh")
    state = acted(opened(stacks, (1, 2)), actions)
    assert isinstance(state, BettingState)
    assert sum(pot.amount for pot in pots(state)) == total
    outcome = shown_down(hand, state)
    assert [outcome.stacks[seated(player, 9)] - stack for player, stack in enumerate(stacks)] == expected


BOARD, HELD = "As4d5d6d7d", {0: "3hAd", 1: "AhTd", 2: "2h9d"}


@pytest.mark.parametrize(
    ("stacks", "actions", "expected"),
    [
        ((200, 400, 600), "0 all_in, 1 all_in, 2 call", (600, 400, 200)),
        ((600, 400, 200), "0 all_in, 1 all_in, 2 all_in", (1200, 0, 0)),
        ((200, 200, 200), "0 all_in, 1 fold, 2 fold", (215, 195, 190)),
        ((200, 200, 200), "0 fold, 1 all_in, 2 all_in", (200, 400, 0)),
    ],
)
def test_early_showdowns(stacks: tuple[int, ...], actions: str, expected: tuple[int, ...]) -> None:
    """private_poker: rising and falling all-ins, one all-in that all fold to, two all-ins. Blinds 5/10."""
    hand = PublicHand((5, 10), stacks, actions, " ".join(HELD.values()), BOARD)
    state = acted(opened(stacks, (5, 10)), actions)
    assert isinstance(state, BettingState)
    outcome = shown_down(hand, state)
    assert tuple(outcome.stacks[seated(player, 3)] for player in range(3)) == expected


def test_choices_before_rising_and_falling_all_ins() -> None:
    rising = play(opened((200, 400, 600), (5, 10)), "3 all_in")
    assert (options(rising).call, options(rising).max_to) == (195, 400)
    rising = play(rising, "1 all_in")
    assert (options(rising).call, options(rising).can_raise) == (390, False)
    falling = play(opened((600, 400, 200), (5, 10)), "3 all_in")
    assert (options(falling).call, options(falling).can_raise) == (395, False)


def test_big_blind_that_its_blind_puts_all_in_is_asked_nothing() -> None:
    """private_poker plays it so; poker-ts offers the small blind a raise nobody can call and the all-in blind a check: no rule does."""
    state = table(10, 200, blinds=(5, 10))
    assert options(state).seat == 2 and not options(state).can_raise
    state = play(state, "2 call")
    assert round_complete(state)
    assert settled(state, {1: 1, 2: 2}).stacks == {1: 20, 2: 190}


def test_two_blinds_that_nobody_can_cover_need_no_betting() -> None:
    """poker-ts: both have 20 of 25 and 50."""
    state = table(20, 20, blinds=(25, 50))
    assert round_complete(state) and pots(state) == (Pot(40, (1, 2)),)


def test_three_unequal_bets_make_three_pots_or_give_back() -> None:
    """poker-ts: 20, 40, 60 in front make 60 and 40; the last 20 are a third pot there, and go back here."""
    state = play(table(20, 40, 60, posts=()), "1 check", "2 check", "3 raise 60", "1 all_in", "2 all_in")
    assert [pot.amount for pot in pots(state)] == [60, 40]
    assert settled(state, {1: 1, 2: 2, 3: 3}).returned == ((3, 20),)


# --- betting ---


def test_limp_around_with_all_ins() -> None:
    """openpoker: 10/20, button 20, small blind 80, big blind 60. Its least re-raise is the whole bet; TDA 43: the last raise, 20."""
    state = table(80, 60, 20, blinds=(10, 20))
    assert (options(state).call, options(state).can_raise) == (20, False)
    state = play(state, "3 call")
    assert (options(state).call, options(state).max_to) == (10, 80)
    state = play(state, "1 call")
    assert (options(state).call, options(state).min_to, options(state).max_to) == (0, 40, 60)
    state = play(state, "2 raise 40")
    assert (options(state).call, options(state).min_to, options(state).max_to) == (20, 60, 80)
    state = play(state, "1 raise 80")
    assert (options(state).call, options(state).can_raise) == (20, False)
    state = play(state, "2 call")
    assert pots(state) == (Pot(60, (1, 2, 3)), Pot(80, (1, 2)))


def test_heads_up_the_button_has_the_small_blind_and_the_big_blind_its_option() -> None:
    """openpoker: 10/20, 100 each."""
    state = table(100, 100, blinds=(10, 20))
    assert (options(state).seat, options(state).call, options(state).min_to) == (2, 10, 40)
    state = play(state, "2 call")
    assert (options(state).seat, options(state).can_check, options(state).min_to) == (1, True, 40)
    state = play(state, "1 raise 40")
    assert (options(state).call, options(state).min_to, options(state).max_to) == (20, 60, 100)
    flop = play(state, "2 call", "next")
    assert (options(flop).seat, options(flop).min_to, options(flop).max_to) == (1, 20, 60)


def test_short_all_in_after_a_raise_of_six() -> None:
    """clubs: 1/2, small blind 10 deep; raise to 8, all-in 10, the raise before was 6."""
    state = play(table(10, 390, *[200] * 4), "3 fold", "4 fold", "5 fold", "6 raise 8")
    assert (options(state).call, options(state).min_to, options(state).max_to) == (7, 10, 10)
    state = play(state, "1 all_in")
    assert (options(state).call, options(state).min_to) == (8, 16)
    state = play(state, "2 call")
    assert (options(state).seat, options(state).call, options(state).can_raise) == (6, 2, False)


def hand(structure: str, blinds: tuple[int, int], *stacks: int) -> BettingState:
    seats = tuple(range(1, len(stacks) + 1))
    posts = blinds_and_antes(seats, *blinds)
    return start(HandSetup(seats, seats[-1], stacks, posts, blinds[1], structure=structure))  # type: ignore[arg-type]


def test_pot_limit_opening() -> None:
    """clubs: 1/2, to 4 at least and 7 at most; after 4, to 6 and 15."""
    state = hand("pot_limit", (1, 2), *[200] * 6)
    assert (options(state).min_to, options(state).max_to) == (4, 7)
    state = play(state, "3 raise 4")
    assert (options(state).min_to, options(state).max_to) == (6, 15)


def test_four_bets_of_a_limit_round() -> None:
    """clubs: 1/2 limit; call, 4, 6, 8: the small blind owes 7 and may not raise."""
    state = play(hand("fixed_limit", (1, 2), *[200] * 6), "3 call", "4 raise 4", "5 raise 6", "6 raise 8")
    assert (options(state).call, options(state).can_raise, options(state).pot) == (7, False, 23)


def test_least_raises_of_several_sizes() -> None:
    """pokertools: 20 to 50 to 80; 2 to 6 to 10 to 18; a flop bet of 50 doubles."""
    state = play(table(*[1000] * 3, blinds=(10, 20)), "3 raise 50")
    assert options(state).min_to == 80
    assert options(play(state, "1 raise 80")).min_to == 110
    state = play(table(*[1000] * 3), "3 raise 6")
    assert options(state).min_to == 10
    state = play(state, "1 raise 10")
    assert options(state).min_to == 14
    assert options(play(state, "2 raise 18")).min_to == 26
    flop = play(table(1000, 1000, blinds=(5, 10)), "2 call", "1 check", "next", "1 bet 50")
    assert options(flop).min_to == 100


def test_short_all_in_is_called_before_the_next_raise_is_measured() -> None:
    """pokertools: 10 to 100, all-in 120: it lets the next raise be to 190, as in limit. TDA 43 example 2: 120 and the last raise, 210."""
    state = play(table(120, 1000, 1000, blinds=(5, 10)), "3 raise 100", "1 all_in")
    assert options(state).min_to == 210
    assert verify(state, Action(2, "raise", 190)) == Refusal("below_minimum", {"min_to": 210})


@pytest.mark.parametrize(
    ("invested", "expected"),
    [
        ((100, 100), [200]),
        ((100, 500), [200]),
        ((100, 300, 1000), [300, 400]),
        ((50, 100, 200, 500), [200, 150, 200]),
    ],
)
def test_side_pots_of_all_ins(invested: tuple[int, ...], expected: list[int]) -> None:
    """pokertools; what nobody matched is a pot of one seat there."""
    assert [pot.amount for pot in pots(all_in_of_all(invested))] == expected


def test_folded_chips_are_in_the_pot() -> None:
    state = play(table(200, 200, 200, posts=()), "1 bet 100", "2 call", "3 call", "next", "1 fold!")
    assert gathered_pots(state) == (Pot(300, (2, 3)),)


def test_uncalled_raise_comes_back_when_all_fold() -> None:
    """pokertools: 10/20, raise to 100, both fold: 80 back, 50 won."""
    outcome = settled(play(table(1000, 1000, 1000, blinds=(10, 20)), "3 raise 100", "1 fold", "2 fold"))
    assert outcome.returned == ((3, 80),)
    assert outcome.stacks[3] == 1030


def test_all_in_blind_wins_when_the_others_fold() -> None:
    """pokertools: the big blind of 10 is all-in by its blind."""
    state = play(table(500, 10, 500, blinds=(5, 10)), "3 fold", "1 fold")
    assert hand_over(state) and settled(state).stacks == {1: 495, 2: 15, 3: 500}
    state = play(table(100, 10, 100, blinds=(5, 10)), "3 raise 20", "1 fold")
    assert not hand_over(state) and state.to_act is None, "the board is run out for two"


@pytest.mark.parametrize(
    ("amount", "winners", "unit", "shares"),
    [
        (10, (1, 2, 3), 1, (4, 3, 3)),
        (11, (1, 2), 1, (6, 5)),
        (55, (2, 4), 5, (30, 25)),
        (35, (1, 2, 4), 5, (15, 10, 10)),
        (40, (1, 2, 4), 5, (15, 15, 10)),
    ],
)
def test_odd_chips_in_the_smallest_chip_clockwise_from_the_button(
    amount: int, winners: tuple[int, ...], unit: int, shares: tuple[int, ...]
) -> None:
    """pokertools in units of 1; ddpoker splits in the smallest chip at the table. TDA 20-A, WLA 148: one odd chip each."""
    seats = (1, 2, 3, 4)
    each, odd = divmod(amount, 4)
    # What does not divide by four comes from a dead post.
    posts = (Post(1, odd, "dead"),) if odd else ()
    state = start(HandSetup(seats, 4, (each + odd, each, each, each), posts, 1, unit))
    while state.to_act is not None:
        state = play(state, f"{state.to_act} all_in")
    outcome = award(state, {seat: 1 if seat in winners else 2 for seat in seats})
    assert isinstance(outcome, Settlement)
    assert outcome.pots[-1].shares == shares
