"""What chips and words come to: cases as the rules tell them (TDA 40 to 45, 51 to 57), each by its numbers."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as hs
from msgspec.structs import replace

from dealer_assist.betting import (
    UNKNOWN_STACK,
    Action,
    AmountRules,
    BettingState,
    Pushed,
    Refusal,
    RuledAmount,
    act,
    legal,
    live,
    next_street,
    ruled_amount,
    start,
    verify,
)
from tests.betting.kit import play, table

TDA = AmountRules()


def post_flop(*lines: str, blinds: tuple[int, int] = (250, 500), seats: int = 4) -> BettingState:
    """The flop of a hand in which everybody called."""
    state = table(*[50_000] * seats, blinds=blinds)
    while state.to_act is not None:
        can = legal(state)
        assert can is not None
        state = act(state, Action(can.seat, "check" if can.can_check else "call"))
    return play(next_street(state), *lines)


def ruled(state: BettingState, *, rules: AmountRules = TDA, **keys: Any) -> RuledAmount:
    out = ruled_amount(rules, state, Pushed(state.to_act or 0, **keys))
    assert isinstance(out, RuledAmount)
    return out


def plain(out: RuledAmount) -> tuple[str, int, str]:
    """What it is, the total in front, and the rule."""
    return ("floor" if out.action is None else out.action.kind), out.to, out.rule


OPENED_1000 = ("1 bet 1000",)


@pytest.mark.parametrize(
    ("lines", "keys", "expected"),
    [
        # TDA 43: a bet of 1,000; 1,400 is a call unless raise was said, 1,500 is a raise to 2,000.
        (OPENED_1000, {"amount": 1400}, ("call", 1000, "TDA 43")),
        (OPENED_1000, {"amount": 1500}, ("raise", 2000, "TDA 43")),
        (OPENED_1000, {"chips": (500, 500, 100, 100, 100, 100)}, ("call", 1000, "TDA 43")),
        (OPENED_1000, {"chips": (500, 500, 500)}, ("raise", 2000, "TDA 43")),
        (OPENED_1000, {"chips": (1000, 500)}, ("raise", 2000, "TDA 43")),
        (OPENED_1000, {"chips": (1000, 1000, 500)}, ("raise", 2500, "TDA 43")),
        (OPENED_1000, {"said": "raise", "chips": (1000, 100)}, ("raise", 2000, "TDA 42")),
        (OPENED_1000, {"said": "raise", "amount": 1400}, ("raise", 2000, "TDA 52-A")),
        (OPENED_1000, {"said": "raise", "amount": 2600}, ("raise", 2600, "TDA 40")),
        # TDA 44: one chip without a word calls; with no bet to the player it is a bet of all of it.
        (("1 bet 600",), {"chips": (1000,)}, ("call", 600, "TDA 44")),
        (("1 bet 600",), {"chips": (5000,)}, ("call", 600, "TDA 44")),
        (("1 check",), {"chips": (1000,)}, ("bet", 1000, "TDA 44")),
        (("1 bet 600",), {"said": "raise", "chips": (5000,)}, ("raise", 5000, "TDA 42")),
        # TDA 45: every chip is needed for the call …
        (("1 bet 1200",), {"chips": (1000, 1000)}, ("call", 1200, "TDA 45")),
        (("1 bet 1100",), {"chips": (1000, 500)}, ("call", 1100, "TDA 45")),
        (("1 bet 525",), {"chips": (500, 100)}, ("call", 525, "TDA 45")),
        # … and where one is not, half of a raise decides.
        (("1 bet 1200",), {"chips": (500, 500, 500, 500)}, ("raise", 2400, "TDA 43")),
        (("1 bet 525",), {"chips": (500, 25, 25, 25, 25)}, ("call", 525, "TDA 43")),
        (("1 bet 525",), {"chips": (500, 100, 100, 100)}, ("raise", 1050, "TDA 43")),
        # TDA 42: a second motion goes back, unless raise was said and the first one was the call.
        (OPENED_1000, {"chips": (1000,), "more": (1000,)}, ("call", 1000, "TDA 41")),
        (OPENED_1000, {"chips": (500, 500), "more": (1000, 1000)}, ("call", 1000, "TDA 41")),
        (OPENED_1000, {"said": "raise", "chips": (1000,), "more": (1000, 500)}, ("raise", 2500, "TDA 42")),
        (OPENED_1000, {"said": "raise", "chips": (1000,), "more": (500,)}, ("raise", 2000, "TDA 42")),
        (OPENED_1000, {"said": "raise", "chips": (1000, 1000), "more": (5000,)}, ("raise", 2000, "TDA 42")),
        (("1 check",), {"chips": (500,), "more": (500,)}, ("bet", 500, "TDA 44")),
        # TDA 40: call was said first, the chips are a call.
        (OPENED_1000, {"said": "call", "chips": (1000, 1000, 1000)}, ("call", 1000, "TDA 40")),
        (OPENED_1000, {"said": "call", "chips": (500,)}, ("call", 1000, "TDA 40")),
        (OPENED_1000, {"said": "all_in"}, ("raise", 49_500, "TDA 40")),
        # TDA 51-B: too few chips are the whole call against the opening bet …
        (OPENED_1000, {"chips": (500,)}, ("call", 1000, "TDA 51-B")),
        (OPENED_1000, {"amount": 100}, ("call", 1000, "TDA 51-B")),
        # … and for the floor against a raise with others in.
        (("1 bet 1000", "2 raise 2500"), {"chips": (1000,)}, ("floor", 2500, "TDA 51-B")),
        # TDA 52-A: a bet below the minimum is brought to it.
        (("1 check",), {"chips": (100, 100)}, ("bet", 500, "TDA 52-A")),
        (("1 check",), {"said": "bet", "amount": 300}, ("bet", 500, "TDA 52-A")),
        (("1 check",), {"chips": (500, 500, 100)}, ("bet", 1100, "TDA 40")),
    ],
)
def test_no_limit(lines: tuple[str, ...], keys: dict[str, Any], expected: tuple[str, int, str]) -> None:
    state = post_flop(*lines)
    kind, to, rule = plain(ruled(state, **keys))
    assert (kind, to, rule) == (expected if keys != {"said": "all_in"} else ("all_in", 49_500, "TDA 40"))


def test_a_raise_before_the_flop_is_measured_against_the_raise_before_it() -> None:
    """Blinds 250 and 500, a raise to 1,100: half of 600 more is asked for, not half of 1,100."""
    state = play(table(*[20_000] * 4, blinds=(250, 500)), "3 raise 1100")
    assert plain(ruled(state, chips=(1000, 500))) == ("call", 1100, "TDA 45")
    assert plain(ruled(state, chips=(500, 500, 100, 100, 100, 100))) == ("raise", 1700, "TDA 43")
    assert plain(ruled(state, chips=(500, 500, 100, 100, 100))) == ("call", 1100, "TDA 43")


def test_chips_in_front_from_before_count() -> None:
    """The big blind of 500 faces 1,500 and adds one chip of 5,000, or two of 500."""
    state = play(table(*[20_000] * 4, blinds=(250, 500)), "3 raise 1500", "4 fold", "1 fold")
    assert plain(ruled(state, chips=(5000,))) == ("call", 1500, "TDA 44")
    assert plain(ruled(state, chips=(500, 500))) == ("call", 1500, "TDA 41")
    assert plain(ruled(state, chips=(500, 500, 500))) == ("raise", 2500, "TDA 43")


def test_the_option_of_the_big_blind() -> None:
    state = play(table(*[20_000] * 3, blinds=(250, 500)), "3 call", "1 call")
    assert state.to_act == 2
    assert plain(ruled(state, chips=(100,))) == ("check", 500, "TDA 43")
    assert plain(ruled(state, chips=(500,))) == ("raise", 1000, "TDA 40")
    assert plain(ruled(state, chips=(100, 100, 100))) == ("raise", 1000, "TDA 43")


def test_what_goes_back_and_what_is_owed() -> None:
    state = post_flop("1 bet 1000")
    over = ruled(state, chips=(5000,))
    assert (over.back, over.owes) == (4000, 0)
    short = ruled(state, chips=(500, 500, 500))
    assert (short.back, short.owes) == (0, 500)
    string = ruled(state, chips=(1000,), more=(1000,))
    assert (string.back, string.owes, string.also) == (1000, 0, "string_bet")


def test_a_house_that_wants_the_whole_raise() -> None:
    state = post_flop("1 bet 1000")
    strict = AmountRules(half_raises=False)
    assert plain(ruled(state, rules=strict, chips=(500, 500, 500))) == ("call", 1000, "TDA 43")
    assert plain(ruled(state, rules=strict, chips=(500, 500, 500, 500))) == ("raise", 2000, "TDA 43")


def test_a_house_that_leaves_every_undercall_to_the_floor() -> None:
    state = post_flop("1 bet 1000")
    out = ruled(state, rules=AmountRules(undercall="floor"), chips=(500,))
    assert out.action is None
    assert out.owes == 500


def test_heads_up_too_few_chips_are_a_call_against_a_raise_too() -> None:
    state = post_flop("1 bet 1000", "2 raise 2500", seats=2)
    assert plain(ruled(state, chips=(1000,))) == ("call", 2500, "TDA 51-B")


def test_the_last_chips_are_an_all_in_call() -> None:
    state = play(table(20_000, 20_000, 800, blinds=(250, 500)), "3 call", "1 raise 2000", "2 fold")
    out = ruled(state, chips=(100, 100, 100))
    assert out.action == Action(3, "call")
    assert act(state, out.action).is_all_in(3)


def test_no_raise_is_read_where_none_is_left() -> None:
    """A short all-in does not reopen (TDA 47): what would be a raise is the call, the rest goes back."""
    state = play(
        table(20_000, 20_000, 20_000, 700, blinds=(250, 500)), "3 call", "4 all_in", "1 fold", "2 call"
    )
    out = ruled(state, chips=(500, 500, 500))
    assert plain(out) == ("call", 700, "TDA 47")
    assert out.back == 1300


def test_a_pot_limit_bet_above_the_pot_is_the_pot() -> None:
    state = post_flop()
    state = replace(state, setup=replace(state.setup, structure="pot_limit"))
    out = ruled(state, chips=(1000, 1000, 500))
    assert plain(out) == ("bet", 2000, "TDA 52-B")
    assert out.back == 500


def test_fixed_limit_half_a_bet_is_a_raise_and_the_rest_goes_back() -> None:
    state = table(*[20_000] * 4, blinds=(50, 100))
    state = start(replace(state.setup, structure="fixed_limit"))
    assert plain(ruled(state, chips=(100, 25, 25))) == ("raise", 200, "TDA 43")
    assert plain(ruled(state, chips=(100, 25))) == ("call", 100, "TDA 43")
    out = ruled(state, chips=(100, 100, 100))
    assert plain(out) == ("raise", 200, "TDA 43")
    assert out.back == 100


def test_an_unknown_stack_says_all_in_with_its_count() -> None:
    setup = replace(table(*[UNKNOWN_STACK] * 3).setup, unknown=(1, 2, 3))
    state = start(setup)
    assert ruled_amount(TDA, state, Pushed(3, "all_in")) == Refusal("count_needed", {"call": 2})
    assert ruled(state, said="all_in", amount=175).action == Action(3, "all_in", 175)


@pytest.mark.parametrize(
    ("pushed", "code"),
    [
        (Pushed(2, "call"), "not_to_act"),
        (Pushed(1), "nothing_pushed"),
        (Pushed(1, chips=(100_000,)), "above_stack"),
        (Pushed(1, amount=50_000), "above_stack"),
        (Pushed(1, "check"), None),
    ],
)
def test_what_cannot_be_read_is_refused(pushed: Pushed, code: str | None) -> None:
    out = ruled_amount(TDA, post_flop(), pushed)
    assert (out.code if isinstance(out, Refusal) else None) == code


def test_who_says_check_against_a_bet_may_call_or_fold() -> None:
    out = ruled(post_flop("1 bet 600"), said="check")
    assert (plain(out), out.owes, out.reason) == (("floor", 600, "TDA 55"), 600, "check_facing_bet")


@pytest.mark.parametrize(
    ("lines", "amount", "expected"),
    [
        # TDA 57, its own example: blinds of 200 and 400, "I bet five" is 500, or 5,000 once the pot holds as much
        ((), 5, ("bet", 500, "TDA 57")),
        (("1 bet 2000", "2 call", "3 call"), 5, ("raise", 5000, "TDA 57")),
        (("1 bet 500",), 5, ("call", 500, "TDA 57")),
        ((), 7, ("bet", 700, "TDA 57")),
    ],
)
def test_a_number_with_several_meanings_is_the_highest_that_the_pot_covers(
    lines: tuple[str, ...], amount: int, expected: tuple[str, int, str]
) -> None:
    state = post_flop(*lines, blinds=(200, 400))
    assert sum(state.contributed) < 5000 or lines
    assert plain(ruled(state, amount=amount, unclear=True)) == expected


def test_where_the_pot_covers_none_of_the_meanings_the_least_counts() -> None:
    assert plain(ruled(post_flop(blinds=(200, 400), seats=2), amount=9, unclear=True)) == (
        "bet",
        900,
        "TDA 57",
    )


def test_words_and_gestures_that_nobody_understands_are_nothing_yet() -> None:
    out = ruled(post_flop("1 bet 600"), unclear=True)
    assert (out.action, out.to, out.owes, out.reason) == (None, 0, 0, "unclear")


@settings(max_examples=200, deadline=None)
@given(hs.integers(0, 10**9))
def test_every_reading_is_an_action_that_is_taken(seed: int) -> None:
    """Whatever was said and pushed, the reading is legal, and chips pushed are those in front, those that go back and those owed."""
    rng = random.Random(seed)
    state = table(*[rng.randint(200, 5000) for _ in range(rng.randint(2, 6))], blinds=(25, 50))
    structure = rng.choice(["no_limit", "pot_limit", "fixed_limit"])
    state = start(replace(state.setup, structure=structure))
    for _ in range(60):
        if state.to_act is None:
            if len(live(state)) < 2 or state.street == 3:
                return
            state = next_street(state)
            continue
        seat = state.to_act
        chips = tuple(rng.choice((25, 100, 500)) for _ in range(rng.randint(0, 4)))
        more = tuple(rng.choice((25, 100)) for _ in range(rng.choice((0, 0, 2))))
        said = rng.choice(("", "", "call", "raise", "bet", "all_in", "check"))
        amount = rng.choice((None, None, rng.randint(1, 2000)))
        rules = AmountRules(rng.random() < 0.5, rng.choice(("call", "floor")))
        unclear = rng.random() < 0.1
        told = Pushed(seat, said, amount, chips, more, unclear)  # type: ignore[arg-type]
        out = ruled_amount(rules, state, told)
        if isinstance(out, Refusal):
            state = act(state, Action(seat, "fold"))
            continue
        assert out.back == 0 or out.owes == 0
        assert (
            state.bet_of(seat) + sum(chips) + sum(more) == out.to + out.back - out.owes or out.action is None
        )
        if out.action is None:
            can = legal(state)
            assert can is not None
            state = act(state, Action(seat, "check" if can.can_check else "call"))
            continue
        assert verify(state, out.action) is None, (out, told)
        after = act(state, out.action)
        assert after.bet_of(seat) == out.to or after.to_act is None
        state = after
