"""Whatever cards and people do: nothing raises, chips are conserved, folding the events gives the same hand, undo undoes."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as hs

from dealer_assist import betting
from dealer_assist.composition import load_game
from dealer_assist.domain import commands as cmd
from dealer_assist.domain.cards import STANDARD_52
from dealer_assist.domain.rake import NO_RAKE, DropTerms, PlayersCap, RakeTerms
from dealer_assist.procedure.catalogue import ROWS
from dealer_assist.procedure.events import HandOpened
from dealer_assist.procedure.evolve import opened
from dealer_assist.procedure.remedies import REMEDIES
from dealer_assist.table.events import BettingStarted
from dealer_assist.table.hand import Hand, bets_view, evolve, final_stacks
from dealer_assist.table.seat_desk import OF_THE_SEATS
from tests.table.driver import SEATS, Driver

ZONES = [*(f"seat{seat}" for seat in (*SEATS, 4, 11)), "board", "burn", "muck"]
_cards = hs.sampled_from(STANDARD_52[:24])
_seats = hs.sampled_from((*SEATS, 4))
_alerts = hs.sampled_from(["", "", "", "X3", "N10", "R2", "F1", "nothing"])

_moves = hs.one_of(
    hs.tuples(hs.just("put"), _cards, hs.sampled_from(ZONES), hs.sampled_from([0, 0, 300])),
    hs.tuples(hs.just("take"), _cards),
    hs.tuples(hs.just("wait"), hs.sampled_from([50, 400, 900, 4500])),
    hs.tuples(hs.just("deal")),
    hs.tuples(hs.just("down")),
    hs.tuples(hs.just("burn")),
    hs.tuples(hs.just("board"), hs.integers(1, 4)),
    hs.tuples(hs.just("gather")),
    hs.tuples(hs.just("rule"), hs.integers(0, 3)),
)
RAKED = RakeTerms(
    schedule="own",
    percent=10,
    cap=30,
    no_flop_no_drop=False,
    caps_by_players=(PlayersCap(players=3, cap=7),),
    drops=(
        DropTerms(name="jackpot", amount=2, from_pot=20),
        DropTerms(name="jackpot", amount=5, from_pot=90),
    ),
    chop=1,
)
_tables = hs.fixed_dictionaries(
    {
        "house": hs.sampled_from(["seed", "roberts", "tda2024", "wsop_cash", "wsop_tournament"]),
        "game": hs.sampled_from(
            ["nlhe", "nlhe", "nlhe", "flhe", "irish", "double", "split", "unfold", "flopmania", "power_up"]
        ),
        "entry": hs.sampled_from(["every_action", "every_action", "by_exception"]),
        "rake": hs.sampled_from([NO_RAKE, RAKED]),
    }
)
_taps = hs.one_of(
    hs.builds(
        cmd.Act,
        _seats,
        hs.sampled_from(["fold", "check", "call", "bet", "raise", "all_in"]),
        hs.none() | hs.integers(0, 250),
    ),
    hs.builds(
        cmd.Report,
        hs.sampled_from([*ROWS, "exposed", "early_card", "misdeal", "boxed", "scrap", "dead_hand", "chop"]),
        hs.none() | _seats,
        hs.sampled_from(["dealer", "dealer", "player"]),
        hs.integers(1, 2),
    ),
    hs.builds(cmd.Rule, _alerts, hs.sampled_from(sorted(REMEDIES))),
    hs.builds(
        cmd.Correct,
        _seats,
        hs.sampled_from(["fold", "check", "call", "bet", "raise", "all_in"]),
        hs.none() | hs.integers(0, 250),
        hs.integers(0, 2),
    ),
    hs.builds(cmd.SetSeat, _seats, hs.sampled_from(["in", "away", "out"])),
    hs.builds(cmd.TopUp, _seats, hs.integers(-5, 60)),
    hs.builds(cmd.PostNow, _seats),
    hs.builds(cmd.WaitForBlind, _seats),
    hs.builds(cmd.FirstButton, hs.dictionaries(_seats, _cards, max_size=3)),
    hs.builds(cmd.DealerPush, hs.just("7")),
    hs.builds(cmd.SetPoint, _seats, hs.integers(1, 3)),
    hs.builds(cmd.Unfold, _seats),
    hs.builds(cmd.Straddle, _seats, hs.sampled_from([0, 0, 4, 8, 300, -1])),
    hs.builds(cmd.LogEvent, _seats, hs.sampled_from(["clone", "intel", "nothing"])),
    hs.builds(cmd.PushPots, hs.just({}) | hs.dictionaries(_seats, hs.integers(0, 400), max_size=2)),
    hs.just(cmd.Shuffled()),
    hs.builds(cmd.Answer, _alerts, hs.sampled_from(["yes", "no"])),
    hs.builds(cmd.Respond, _alerts, hs.sampled_from(["fixing", "misread", "call_floor", "deal_on"])),
    hs.builds(cmd.Tabled, _seats),
    hs.builds(cmd.Mucked, _seats),
    hs.builds(cmd.EnterCard, _cards, hs.none() | _seats),
    hs.builds(cmd.TapZone, hs.sampled_from(ZONES), hs.integers(1, 3)),
    hs.just(cmd.Undo()),
    hs.just(cmd.CallFloor()),
    hs.just(cmd.Void()),
)
_script = hs.lists(_moves | _taps, max_size=40)


def play(table: Driver, what: object) -> None:
    if isinstance(what, tuple) and what[0] in ("deal", "burn", "board"):
        needed = table.hand.procedure.hole * len(table.order) if what[0] == "deal" else 4
        if len(table.where) + needed > len(STANDARD_52):
            return  # the stub would not last
    match what:
        case ("put", str(face), str(zone), int(late)):
            table.wait(200)
            if table.where.get(face) != zone:
                table.put(face, zone, late_ms=late)
        case ("take", str(face)):
            table.wait(200)
            if face in table.where:
                table.take(face)
        case ("wait", int(ms)):
            table.wait(ms)
        case ("deal",):
            table.deal()
        case ("down",):
            for _ in range(12):
                seat = table.hand.betting.to_act
                if seat is None:
                    break
                if (
                    table.tell(cmd.Act(seat, "check")) is not None
                    and table.tell(cmd.Act(seat, "call")) is not None
                ):
                    break
        case ("burn",):
            table.burn()
        case ("board", int(count)):
            table.board(count)
        case ("gather",):
            table.gather()
        case ("rule", int(number)):
            for alert in table.alerts():
                if alert.options and alert.state in ("open", "fixing"):
                    table.tell(cmd.Rule(alert.id, alert.options[number % len(alert.options)]))
        case _:
            table.tell(what)  # type: ignore[arg-type]


def driver(setup: dict[str, Any]) -> Driver:
    """A table of this house, game and way of entry; three seats where the game has no more."""
    most = load_game(setup["game"]).max_seats
    return Driver(seats=SEATS[:most], button=SEATS[: min(most, 5)][-1], **setup)


def house_got(hand: Hand) -> int:
    """Rake and drops of a hand that is over; nothing of one that was given back, unless the house takes a chop's."""
    if hand.result != "completed" or hand.settlement is None:
        return sum(hand.chop_paid().values())
    return hand.settlement.rake + sum(amount for _, amount in hand.settlement.drops)


def folded(table: Driver) -> Hand:
    """The hand again, from its events alone."""
    hand: Hand | None = None
    first: HandOpened | None = None
    for change in table.changes:
        for event in change.events:
            if isinstance(event, HandOpened):
                first, hand = event, None
            elif hand is None:
                assert first is not None
                assert isinstance(event, BettingStarted)
                state = betting.start(event.setup)
                hand = Hand(procedure=opened(first), betting=state, bets=bets_view(state))
            else:
                hand = evolve(hand, event)
    assert hand is not None
    return hand


@settings(
    max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(_tables, _script)
def test_nothing_raises_and_chips_are_conserved(setup: dict[str, Any], script: list[object]) -> None:
    table = driver(setup)
    for what in script:
        play(table, what)
        state = table.hand.betting
        assert sum(state.stacks) + sum(state.contributed) + betting.unfold_fund(state) == sum(
            state.setup.stacks
        )
        assert min(state.stacks) >= 0
        for fact in table.core.snapshot():
            assert fact is not None
    if table.hand.result:
        assert sum(final_stacks(table.hand).values()) + house_got(table.hand) == sum(
            record.stack for record in table.hand.procedure.opening.seats
        )
    if not table.corrected():
        assert folded(table) == table.hand


@settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(_tables, _script, _taps)
def test_undo_is_as_if_never_entered(setup: dict[str, Any], script: list[object], tap: object) -> None:
    table = driver(setup)
    for what in script:
        play(table, what)
    table.wait(0)  # what is due by now is not of the tap
    before = table.hand
    sections = {
        repr(fact) for fact in table.core.snapshot() if type(fact).__name__ not in ("UndoFact", "NoticeFact")
    }
    if isinstance(tap, (cmd.Undo, cmd.CallFloor, cmd.Correct, *OF_THE_SEATS)) or table.hand.result:
        return
    if table.tell(tap) is not None or table.hand.result:  # type: ignore[arg-type]
        return
    if table.hand.betting.street != before.betting.street or table.tell(cmd.Undo()) is not None:
        return
    assert table.hand == before
    now = {
        repr(fact) for fact in table.core.snapshot() if type(fact).__name__ not in ("UndoFact", "NoticeFact")
    }
    assert now == sections
