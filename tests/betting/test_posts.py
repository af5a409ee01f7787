"""The forced bets of a hand: who posts what, in which order, and what a short stack covers first."""

from __future__ import annotations

import pytest

from dealer_assist.betting import (
    BettingState,
    HandSetup,
    Killer,
    Post,
    blinds_and_antes,
    forced_bets,
    no_more_betting,
    pending,
    pots,
    start,
    uncalled,
)
from dealer_assist.domain.table import Entering, Kill, Limits
from tests.betting.kit import options, play

ORDER = (4, 7, 2, 9)


def begin(
    posts: tuple[Post, ...], stacks: tuple[int, ...] = (100,) * 4, big_blind: int = 10, **more: object
) -> BettingState:
    """A hand of ORDER with the button at seat 9."""
    return start(HandSetup(ORDER, 9, stacks, posts, big_blind, **more))  # type: ignore[arg-type]


def test_antes_of_all_come_before_the_blinds() -> None:
    assert forced_bets("blinds", ORDER, Limits(5, 10, 1), button=9) == (
        *(Post(seat, 1, "ante") for seat in ORDER),
        Post(4, 5, "small_blind"),
        Post(7, 10, "big_blind"),
    )


def test_big_blind_ante_comes_behind_the_blind() -> None:
    """TDA RP-11, PEERS D8: what a short stack has covers its blind first."""
    posts = forced_bets("blinds", ORDER, Limits(5, 10, 10, ante_kind="big_blind"), button=9)
    assert posts == (Post(4, 5, "small_blind"), Post(7, 10, "big_blind"), Post(7, 10, "ante"))
    short = begin(posts, (100, 13, 100, 100))
    assert (short.bets, short.antes) == ((5, 10, 0, 0), (0, 3, 0, 0))
    shorter = begin(posts, (100, 8, 100, 100))
    assert (shorter.bets, shorter.antes) == ((5, 8, 0, 0), (0, 0, 0, 0))
    assert options(shorter).call == 10, "the others owe the full blind (WLA 154)"


def test_short_big_blind_ante_can_be_won_by_who_posted_it() -> None:
    """Seat 7 is all-in for its blind and a part of the ante: it can win all that it put in, and as much of each stake."""
    posts = forced_bets("blinds", ORDER, Limits(5, 10, 10, ante_kind="big_blind"), button=9)
    state = play(begin(posts, (100, 13, 100, 100)), "2 call", "9 fold", "4 call")
    assert [(pot.amount, pot.eligible) for pot in pots(state)] == [(33, (4, 7, 2))]


@pytest.mark.parametrize(("button", "paid"), [(9, (0, 0, 0, 10)), (None, (0, 0, 0, 0))])
def test_button_ante_is_paid_by_the_button_and_by_nobody_where_it_is_dead(
    button: int | None, paid: tuple[int, ...]
) -> None:
    posts = forced_bets("blinds", ORDER, Limits(5, 10, 10, ante_kind="button"), button=button)
    state = begin(posts)
    assert (state.antes, state.bets) == (paid, (5, 10, 0, 0))


def test_heads_up_the_button_covers_its_blind_before_its_ante() -> None:
    posts = forced_bets("blinds", (2, 9), Limits(5, 10, 10, ante_kind="button"), button=9)
    assert posts == (Post(9, 5, "small_blind"), Post(2, 10, "big_blind"), Post(9, 10, "ante"))
    state = start(HandSetup((2, 9), 9, (100, 8), posts, 10))
    assert (state.bets, state.antes) == ((10, 5), (0, 3))


def test_dead_small_blind_is_not_posted() -> None:
    posts = forced_bets("blinds", ORDER, Limits(5, 10), blinds=(None, 4), button=9)
    assert posts == (Post(4, 10, "big_blind"),)
    assert begin(posts).to_act == 7


def test_button_may_be_ahead_of_the_blinds_of_a_seat_that_left() -> None:
    """Seat 9 has the button, the small blind sat between it and seat 4 and left: seat 4 has the big blind."""
    state = begin(forced_bets("blinds", ORDER, Limits(5, 10), blinds=(None, 4), button=9))
    assert pending(state) == (7, 2, 9, 4)
    flop = play(state, "7 call", "2 fold", "9 call", "4 check", "next")
    assert flop.to_act == 4


def test_several_enter_each_with_what_is_live_before_what_is_dead() -> None:
    """T-SO at 1/2: two who missed both blinds post 2 live and 1 dead each; they act in turn and may check."""
    entering = (Entering(2, live=2, dead=1), Entering(9, live=2, dead=1))
    posts = forced_bets("blinds", ORDER, Limits(1, 2), entering=entering, button=9)
    assert posts == (
        *blinds_and_antes(ORDER, 1, 2),
        Post(2, 2, "big_blind"),
        Post(2, 1, "dead"),
        Post(9, 2, "big_blind"),
        Post(9, 1, "dead"),
    )
    state = begin(posts, big_blind=2)
    assert (state.to_act, options(state).can_check, options(state).pot) == (2, True, 9)
    assert pending(play(state, "2 check")) == (9, 4, 7)
    short = begin(posts, (100, 100, 2, 100), big_blind=2)
    assert (short.bets[2], short.dead[2]) == (2, 0)


def test_who_enters_in_the_small_blind_posts_up_to_what_is_owed() -> None:
    """The small blind is a part of the live post: 1 of 2, and 1 more; the missed small blind is dead."""
    posts = forced_bets("blinds", ORDER, Limits(1, 2), entering=(Entering(4, live=2, dead=1),), button=9)
    assert posts[2:] == (Post(4, 1, "big_blind"), Post(4, 1, "dead"))
    state = begin(posts, big_blind=2)
    assert state.bets == (2, 2, 0, 0)
    assert options(state).call == 2


def test_who_enters_in_the_big_blind_owes_no_live_post_besides() -> None:
    posts = forced_bets("blinds", ORDER, Limits(1, 2), entering=(Entering(7, live=2),), button=9)
    assert posts == blinds_and_antes(ORDER, 1, 2)


@pytest.mark.parametrize("kind", ["antes", "antes_and_button_blind"])
def test_where_all_ante_nobody_enters_by_a_post_or_kills(kind: str) -> None:
    plain = forced_bets(kind, ORDER, Limits(1, 2, 3))  # type: ignore[arg-type]
    assert plain == forced_bets(
        kind,  # type: ignore[arg-type]
        ORDER,
        Limits(1, 2, 3),
        entering=(Entering(2, live=2),),
        killer=Killer(2, "full"),
    )


def test_a_game_of_antes_takes_the_big_blind_where_the_table_has_no_ante() -> None:
    assert forced_bets("antes", (1, 2), Limits(1, 2)) == (Post(1, 2, "ante"), Post(2, 2, "ante"))


# -- kill pots -------------------------------------------------------------------------------------------------------------------------


def killed(seat: int, kill: Kill, stacks: tuple[int, ...] = (1000,) * 4, **more: object) -> BettingState:
    """A killed pot at blinds 5 and 10 of fixed limit 10/20, unless ``more`` says otherwise."""
    posts = forced_bets("blinds", ORDER, Limits(5, 10), killer=Killer(seat, kill), button=9)
    size = {"half": 15, "full": 20}[kill]
    fields = {"structure": "fixed_limit", "small_bet": size, "big_bet": 2 * size, "kill": size, **more}
    return begin(posts, stacks, **fields)


def test_full_kill_doubles_the_limits_and_is_live() -> None:
    """RROP kill pots: twice the big blind, the limits double; the killer acts in his turn and may raise (rule 2)."""
    state = killed(9, "full")
    assert state.bets == (5, 10, 0, 20)
    assert pending(state) == (2, 9, 4, 7)
    assert (options(state).call, options(state).min_to, options(state).max_to) == (20, 40, 40)
    state = play(state, "2 call")
    assert options(state).can_check and options(state).can_raise
    state = play(state, "9 check", "4 call", "7 fold", "next")
    assert (state.to_act, options(state).min_to) == (4, 20)
    turn = play(state, "4 check", "2 check", "9 check", "next")
    assert options(turn).min_to == 40


def test_half_kill_is_one_and_a_half_and_rounds_up_to_whole_chips() -> None:
    assert killed(2, "half").bets == (5, 10, 15, 0)
    odd = forced_bets("blinds", ORDER, Limits(2, 5), killer=Killer(2, "half"), unit=1)
    assert odd[-1] == Post(2, 8, "kill")
    assert forced_bets("blinds", ORDER, Limits(5, 25), killer=Killer(2, "half"), unit=5)[-1].amount == 40


def test_killer_in_a_blind_posts_what_is_missing() -> None:
    state = killed(7, "full")
    assert state.bets == (5, 20, 0, 0)
    assert pending(state) == (2, 9, 4, 7)
    assert killed(4, "full").bets == (20, 10, 0, 0)


def test_kill_counts_as_the_first_bet_of_the_cap() -> None:
    """Kill 20, then 40, 60, 80 and no more."""
    state = play(killed(9, "full"), "2 raise 40", "9 raise 60", "4 raise 80", "7 call")
    assert not options(state).can_raise


def test_short_kill_is_owed_in_full() -> None:
    state = killed(9, "full", (1000, 1000, 1000, 12))
    assert (state.bets[3], options(state).call) == (12, 20)


@pytest.mark.parametrize(("structure", "most"), [("no_limit", 1000), ("pot_limit", 20 + 35 + 20)])
def test_kill_of_no_limit_is_a_bigger_big_blind(structure: str, most: int) -> None:
    state = killed(9, "full", structure=structure)
    assert (options(state).call, options(state).min_to, options(state).max_to) == (20, 40, most)
    flop = play(state, "2 call", "9 check", "4 fold", "7 fold", "next")
    assert options(flop).min_to == 20


def test_short_kill_counts_in_full_for_a_pot_bet() -> None:
    """TDA 54-B: 12 of 20 is in; the pot counts 5 + 10 + 20."""
    assert options(killed(9, "full", (1000, 1000, 1000, 12), structure="pot_limit")).max_to == 75


# -- short stacks ----------------------------------------------------------------------------------------------------------------------


def test_alone_against_blinds_that_are_all_in_nobody_owes_more_than_can_be_won() -> None:
    posts = forced_bets("blinds", ORDER, Limits(5, 10, 2), button=9)
    state = play(begin(posts, (4, 6, 100, 100)), "2 fold")
    assert options(state).call == 4, "the most that another seat has in front"
    state = play(state, "9 call")
    assert no_more_betting(state) and uncalled(state) is None
    assert [(pot.amount, pot.eligible) for pot in pots(state)] == [(8 + 6, (4, 7, 9)), (4, (7, 9))]


def test_every_stack_may_be_gone_with_the_posts() -> None:
    posts = forced_bets("blinds", ORDER, Limits(5, 10, 3), button=9)
    state = begin(posts, (3, 8, 3, 2))
    assert state.stacks == (0, 0, 0, 0)
    assert no_more_betting(state)
