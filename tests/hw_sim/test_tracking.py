"""The same scenarios at tables that track no stacks, or no amounts: clean hands in silence, and what needs no chips is found."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from dealer_assist import composition
from dealer_assist.domain import facts as fx
from dealer_assist.replay import HandResult, Replay
from dealer_assist.table.change import Change
from dealer_assist.table.core import Core
from dealer_assist.table.trace import Header, read
from hw_sim.director import play
from hw_sim.entry import Tracking
from hw_sim.hands import load_hands
from hw_sim.steps import Hand, Tap, Wait
from hw_sim.trace import TraceWorld

SCENARIOS = Path(__file__).parents[1] / "scenarios"
_house = cache(composition.load_house)
_game = cache(composition.load_game)


def core(header: Header) -> Core:
    with patch.object(composition, "load_house", _house), patch.object(composition, "load_game", _game):
        return composition.core_for_trace(header, None)


def replayed(name: str, tracking: Tracking, entry: str | None = None) -> tuple[HandResult, list[fx.Fact]]:
    """The hand of a scenario at such a table, and all facts that were shown."""
    lines: list[str] = []
    world = TraceWorld(lines.append)
    now_ms = 1000
    for hand in load_hands([SCENARIOS / f"{name}.toml"], None, None, entry, tracking):
        now_ms = play(_unhurried(hand), world, now_ms)
    shown: list[fx.Fact] = []

    def watch(change: Change) -> None:
        shown.extend(change.facts)

    results = list(Replay(core, watch=watch).feed(read(name, "".join(lines).encode().splitlines())))
    assert len(results) == 1
    return results[0], shown


def _unhurried(hand: Hand) -> Hand:
    """Players take their time: where nobody taps a check, a second is what it takes."""
    slow = [
        replace(step, after_ms=step.after_ms + 1000) if isinstance(step, Tap) else step for step in hand.steps
    ]
    return replace(
        hand, steps=tuple([Wait(step.ms + 1000) if isinstance(step, Wait) else step for step in slow])
    )


def keys(name: str) -> dict[str, object]:
    return tomllib.loads((SCENARIOS / f"{name}.toml").read_text(encoding="utf-8"))


NAMES = sorted(path.stem for path in SCENARIOS.glob("*.toml"))
CLEAN = [name for name in NAMES if name.startswith("clean_")]
GAMES = [name for name in NAMES if name.startswith("game_") and not keys(name).get("expect")]


@pytest.mark.parametrize("tracking", ["pot", "cards"])
@pytest.mark.parametrize("name", CLEAN + GAMES)
def test_clean_hands_are_silent(name: str, tracking: Tracking) -> None:
    result, shown = replayed(name, tracking)
    assert result.differences == []
    assert [alert for alert in result.alerts if alert["evidence"] != "possible"] == []
    assert result.result == "completed"
    stacks = {fact.stack for fact in shown if isinstance(fact, fx.SeatFact)}
    assert tracking == "pot" or stacks == {None}


@pytest.mark.parametrize("name", CLEAN)
def test_a_cash_table_counts_no_stacks_and_taps_only_bets(name: str) -> None:
    """By exception and without stacks, as a cash table works: silent, and every pot to the chip."""
    result, _ = replayed(name, "pot", "by_exception")
    whole, _ = replayed(name, "full")
    assert result.awards == whole.awards
    assert result.pots == whole.pots
    assert result.result == "completed"
    assert [alert for alert in result.alerts if alert["evidence"] != "possible"] == []


#: What needs every action or its amount, and why: without amounts checks and calls are not told, so that nobody can say whether somebody
#: has acted, or still has to, before a second each has passed.
NEEDS_ACTIONS = {
    "a18_answered_no": "a misdeal is asked about before substantial action only",
    "a18_left_there": "",
    "a18_misdeal_called": "",
    "d10_extra_found_after_action": "found after substantial action",
    "d6_hand_grabbed": "",
    "d6_too_few_after_action": "",
    "misdeal_called_too_late": "",
    "x5_second_exposed_after_action": "",
    "n4_reported_as_n3": "the street was acted on",
    "n3_floor_lets_it_stand": "",
    "i12_burn_with_seat_to_act": "a burn closes the round when everybody had his time",
    "n10_burn_too_early": "",
    "n10_second_burn": "",
    "n10_taps_missing": "",
    "r1_all_fold_behind": "",
    "r1_early_flop": "",
    "r1_one_card": "",
    "r1_packet_down": "",
    "r2_early_turn": "",
    "r2_misread": "",
    "r2_packet_down": "",
    "r2_taps_missing": "",
    "r3_early_river": "",
    "live_before_its_turn": "whose turn it is, no table without actions knows",
    "live_before_its_turn_changed": "",
    "i10_side_pot_to_short_stack": "who can win a side pot is a matter of amounts",
}


def wanted(name: str) -> set[str]:
    alerts = keys(name).get("expect", {}).get("alerts", [])  # type: ignore[attr-defined]
    return set(alerts)


IRREGULAR = [name for name in NAMES if wanted(name)]


@pytest.mark.parametrize("tracking", ["pot", "cards"])
@pytest.mark.parametrize("part", range(4))
def test_irregularities_that_need_no_chips_are_found(part: int, tracking: Tracking) -> None:
    missed = {}
    for name in IRREGULAR[part::4]:
        if tracking == "cards" and name in NEEDS_ACTIONS:
            continue
        result, _ = replayed(name, tracking)
        said = {f"{alert['rule']} {alert['evidence']}" for alert in result.alerts}
        if not wanted(name) <= said:
            missed[name] = (wanted(name), said)
    assert missed == {}


def test_what_is_left_out_exists() -> None:
    assert NEEDS_ACTIONS.keys() <= set(IRREGULAR)
