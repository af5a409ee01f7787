"""What the house takes: the rake's figure, drops by thresholds, from which pot it comes, and that it is never too much."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as hs
from msgspec.structs import replace

from dealer_assist.betting import (
    Action,
    BettingState,
    Drop,
    HandSetup,
    Legal,
    RakeSchedule,
    Unawardable,
    act,
    award,
    blinds_and_antes,
    hand_over,
    house_take,
    legal,
    live,
    next_street,
    pots,
    start,
    taken,
    taken_of_each,
    verify,
)
from tests.betting.kit import play, settled, table
from tests.betting.test_betting_properties import setups

#: T-RK, of S003: 5 %, at most 3, in steps of a quarter. In cents.
SEED = RakeSchedule(percent_e2=500, cap=300, step=25)


@pytest.mark.parametrize(
    ("pot", "rake"),
    [(499, 0), (500, 25), (999, 25), (1000, 50), (1900, 75), (4700, 225), (5999, 275), (6000, 300), (100000, 300)],
)  # fmt: skip
def test_rake_of_the_seed_documents(pot: int, rake: int) -> None:
    """T-RK: rounded down to a step, capped."""
    assert taken(SEED, pot, 6, flop_seen=True) == (rake, ())


def test_no_flop_no_drop() -> None:
    """PEERS 5.1 bug 21: a pot of any size that ends before the flop is not raked, unless the house rakes it."""
    assert taken(SEED, 100000, 6, flop_seen=False) == (0, ())
    always = RakeSchedule(percent_e2=500, cap=300, step=25, no_flop_no_drop=False)
    assert taken(always, 100000, 6, flop_seen=False) == (300, ())


def test_cap_by_number_of_players_dealt_in() -> None:
    schedule = RakeSchedule(1000, cap=600, caps_by_players=((2, 100), (4, 300)))
    found = [taken(schedule, 10000, players, flop_seen=True)[0] for players in (2, 3, 4, 5, 9)]
    assert found == [100, 300, 300, 600, 600]
    assert taken(RakeSchedule(1000), 10000, 9, flop_seen=True) == (1000, ()), "no cap"


def test_a_cap_between_two_steps_is_rounded_down() -> None:
    assert taken(RakeSchedule(1000, cap=60, step=25), 10000, 9, flop_seen=True) == (50, ())


def test_drops_stand_beside_the_rake_and_each_has_its_threshold() -> None:
    drops = (Drop("jackpot", 100, 1000), Drop("promotion", 50, 2000), Drop("jackpot", 100, 3000))
    schedule = RakeSchedule(500, cap=300, step=25, drops=drops)
    assert taken(schedule, 999, 9, flop_seen=True) == (25, ())
    assert taken(schedule, 1000, 9, flop_seen=True) == (50, (("jackpot", 100),))
    assert taken(schedule, 2000, 9, flop_seen=True) == (100, (("jackpot", 100), ("promotion", 50)))
    assert taken(schedule, 3000, 9, flop_seen=True) == (150, (("jackpot", 200), ("promotion", 50)))
    assert taken(schedule, 3000, 9, flop_seen=False) == (0, ()), "no flop: no jackpot drop either"
    always = RakeSchedule(500, drops=(Drop("jackpot", 100, 1000, needs_flop=False),))
    assert taken(always, 3000, 9, flop_seen=False) == (0, (("jackpot", 100),))


def test_a_pot_that_cannot_pay_a_drop_pays_what_it_has() -> None:
    schedule = RakeSchedule(5000, step=5, drops=(Drop("jackpot", 100), Drop("promotion", 5)))
    assert taken(schedule, 50, 9, flop_seen=True) == (25, (("jackpot", 25),))


@pytest.mark.parametrize(
    "wrong",
    [
        {"percent_e2": -1},
        {"percent_e2": 10001},
        {"percent_e2": 500, "step": 0},
        {"percent_e2": 500, "cap": -1},
        {"percent_e2": 500, "caps_by_players": ((4, 1), (2, 1))},
        {"percent_e2": 500, "caps_by_players": ((2, -1),)},
    ],
)
def test_a_schedule_that_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="expected"):
        RakeSchedule(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected"):
        Drop("jackpot", -1)


_caps = hs.lists(hs.tuples(hs.integers(2, 11), hs.integers(0, 500)), max_size=3, unique_by=lambda cap: cap[0])
_schedules = hs.builds(
    RakeSchedule,
    hs.integers(0, 10000),
    hs.none() | hs.integers(0, 1000),
    hs.sampled_from([1, 5, 25, 100]),
    hs.booleans(),
    _caps.map(lambda caps: tuple(sorted(caps))),
    hs.lists(
        hs.builds(
            Drop,
            hs.sampled_from(["jackpot", "promotion"]),
            hs.integers(0, 200),
            hs.integers(0, 3000),
            hs.booleans(),
        ),
        max_size=4,
    ).map(tuple),
)


@given(_schedules, hs.integers(0, 10000), hs.integers(0, 500), hs.integers(2, 11), hs.booleans())
def test_never_more_than_the_pot_never_less_for_a_larger_one(
    schedule: RakeSchedule, pot: int, more: int, players: int, flop: bool
) -> None:
    rake, drops = taken(schedule, pot, players, flop)
    whole = rake + sum(amount for _, amount in drops)
    assert 0 <= whole <= pot
    assert rake % schedule.step == 0
    cap = schedule.cap_for(players)
    assert cap is None or rake <= cap
    assert rake * 10000 <= pot * schedule.percent_e2
    larger, larger_drops = taken(schedule, pot + more, players, flop)
    assert larger >= rake
    assert larger + sum(amount for _, amount in larger_drops) >= whole


def test_the_main_pot_pays_first() -> None:
    assert taken_of_each((300, 50), 30) == (30, 0)
    assert taken_of_each((20, 50, 50), 100) == (20, 50, 30)


def raked(schedule: RakeSchedule, *stacks: int, unit: int = 1, blinds: tuple[int, int] = (1, 2)) -> HandSetup:
    """A set-up whose pots are raked."""
    seats = tuple(range(1, len(stacks) + 1))
    return HandSetup(
        seats, seats[-1], stacks, blinds_and_antes(seats, *blinds, 0), blinds[1], unit, rake=schedule
    )


def test_one_cap_a_hand_with_side_pots() -> None:
    """PEERS D7: a cap of 5 with three pots takes 5, not 15; all of it out of the main pot."""
    state = play(
        start(raked(RakeSchedule(1000, cap=5), 100, 200, 300, 300)),
        "3 all_in", "4 all_in", "1 all_in", "2 all_in",
    )  # fmt: skip
    assert [pot.amount for pot in pots(state)] == [400, 300, 200]
    rake, drops = house_take(state, flop_seen=True)
    assert (rake, drops) == (5, ())
    outcome = settled(state, {1: 1, 2: 2, 3: 3, 4: 3}, rake)
    assert outcome.awards == {1: 395, 2: 300, 3: 100, 4: 100}
    assert [(each.number, each.taken) for each in outcome.pots] == [(2, 0), (1, 0), (0, 5)]


def test_the_uncalled_bet_is_back_before_anything_is_taken() -> None:
    schedule = RakeSchedule(1000, drops=(Drop("jackpot", 1, 20),))
    state = play(start(raked(schedule, 100, 100, 100)), "3 raise 6", "1 fold", "2 call", "next")
    state = play(state, "2 bet 50", "3 fold")
    assert house_take(state, flop_seen=True) == (1, ()), "13 of the pot; the bet of 50 is his own"
    outcome = settled(state, rake=1)
    assert outcome.returned == ((2, 50),)
    assert outcome.stacks[2] == 100 - 6 + 12


def test_the_figure_grows_with_the_pot_and_does_not_count_bets_in_front() -> None:
    state = start(raked(RakeSchedule(1000, no_flop_no_drop=False), 500, 500, 500))
    assert house_take(state, flop_seen=False) == (0, ())
    state = play(state, "3 raise 10", "1 call", "2 call")
    assert house_take(state, flop_seen=False) == (3, ())
    state = play(state, "next", "1 bet 100")
    assert house_take(state, flop_seen=True) == (3, ())
    state = play(state, "2 call", "3 call")
    assert house_take(state, flop_seen=True) == (33, ())
    assert house_take(table(100, 100), flop_seen=True) == (0, ()), "a table without a schedule"


def test_drops_come_out_of_the_pot_and_are_no_award() -> None:
    state = play(table(100, 100), "2 all_in", "1 all_in")
    outcome = award(state, {1: 1, 2: 2}, 10, drops=(("jackpot", 2), ("promotion", 1)))
    assert not isinstance(outcome, Unawardable)
    assert (outcome.rake, outcome.drops) == (10, (("jackpot", 2), ("promotion", 1)))
    assert outcome.awards == {1: 187}
    whole = sum(each.pot.amount for each in outcome.pots)
    assert whole == sum(outcome.awards.values()) + outcome.rake + sum(amount for _, amount in outcome.drops)
    for rake, drops in (
        (201, ()),
        (200, (("jackpot", 1),)),
        (0, (("jackpot", -1),)),
        (-1, (("jackpot", 1),)),
    ):
        with pytest.raises(ValueError, match="rake"):
            award(state, {1: 1, 2: 2}, rake, drops=drops)


def test_what_is_left_of_a_raked_pot_is_split_in_the_smallest_chips() -> None:
    """TDA 20: the smallest chip in play is 5; 105 less 5 of rake is 10 chips each, 110 less 5 has one odd chip."""
    state = play(start(raked(SEED, 50, 50, 50, unit=5, blinds=(5, 10))), "3 fold", "1 all_in", "2 all_in")
    assert settled(state, {1: 1, 2: 1}, 0).awards == {1: 50, 2: 50}
    state = play(
        start(raked(SEED, 50, 50, 60, unit=5, blinds=(5, 10))), "3 raise 20", "1 all_in", "2 call", "3 call"
    )
    outcome = settled(state, {1: 1, 2: 1, 3: 9}, 5)
    assert outcome.awards == {1: 75, 2: 70}, "145: the odd chip to the first left of the button"


@settings(deadline=None, max_examples=120)
@given(setups(), _schedules, hs.booleans(), hs.data())
def test_every_raked_hand_keeps_its_chips(
    setup: HandSetup, schedule: RakeSchedule, flop: bool, data: hs.DataObject
) -> None:
    """What was put in is awards, rake, drops and what was returned, whatever is taken and however the pots are shared."""
    choose = data.draw(hs.randoms(use_true_random=False))
    state = start(replace(setup, rake=schedule))
    while not (state.to_act is None and (hand_over(state) or state.street == 3)):
        options = legal(state)
        if options is None:
            state = next_street(state)
            continue
        kinds = [
            "fold",
            "check" if options.can_check else "call",
            "call" if options.call else "check",
            "all_in",
        ]
        state = act(
            state, Action(options.seat, choose.choice([kind for kind in kinds if _may(state, options, kind)]))
        )  # type: ignore[arg-type]
    rake, drops = house_take(state, flop_seen=flop)
    boards = [{seat: choose.randint(1, 2) for seat in live(state)} for _ in range(choose.randint(1, 3))]
    gave_up = tuple(choose.sample(live(state), choose.randint(0, len(live(state)))))
    outcome = award(state, boards, rake, {}, drops=drops, given_up=gave_up)
    if isinstance(outcome, Unawardable):
        assert outcome.code == "fund_nothing_tabled"
        return
    took = rake + sum(amount for _, amount in drops)
    assert sum(outcome.stacks.values()) + took == sum(setup.stacks)
    assert sum(each.pot.amount for each in outcome.pots) == sum(outcome.awards.values()) + took
    assert sum(each.taken for each in outcome.pots) == took
    assert min(outcome.stacks.values()) >= 0
    for each in outcome.pots:
        assert sum(each.shares) + each.taken == each.pot.amount
        assert max(each.shares) - min(each.shares) < 2 * setup.unit, (
            "one odd chip each, and what is less than one"
        )
        if len(set(each.pot.eligible) - set(gave_up)) > 1:
            assert not set(each.winners) & set(gave_up), "nobody wins what he gave up while others want it"


def _may(state: BettingState, options: Legal, kind: str) -> bool:
    return verify(state, Action(options.seat, kind)) is None  # type: ignore[arg-type]


def test_a_side_pot_that_both_gave_up_is_the_last_one_s() -> None:
    """TDA 17-B: the last who could win a pot need not show, and cannot give it away to a seat that has no part in it."""
    state = play(
        table(30, 100, 100), "3 raise 6", "1 all_in", "2 call", "3 call", "next",
        "2 bet 20", "3 call", "next", "2 check", "3 check", "next", "2 check", "3 check",
    )  # fmt: skip
    assert isinstance(award(state, {1: 1}), Unawardable)
    outcome = award(state, {1: 1}, given_up=(3, 2))
    assert not isinstance(outcome, Unawardable)
    assert outcome.awards == {1: 90, 2: 40}
    one = award(state, {1: 2, 2: 1}, given_up=(3,))
    assert not isinstance(one, Unawardable)
    assert one.awards == {2: 130}
