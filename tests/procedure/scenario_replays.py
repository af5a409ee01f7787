"""Every scenario under every house of its own, replayed in this process from traces in memory.

The same expectations as tests/hw_sim/test_scenario_replay.py holds through both commands under one house each, in a tenth of the time:
what `make coverage` and `make mutation` run. Not collected by itself (no test_ in its name): `make coverage` names it.

``REPLAY_HOUSES=one`` in the environment plays each scenario under one of its houses, spread over them: enough to catch nearly every change
of a rule, in a quarter of the time.
"""

from __future__ import annotations

import os
import tomllib
from functools import cache
from pathlib import Path
from unittest.mock import patch
from zlib import crc32

import pytest

from dealer_assist import composition
from dealer_assist.domain.facts import AlertFact
from dealer_assist.replay import Replay
from dealer_assist.table.change import Change
from dealer_assist.table.core import Core
from dealer_assist.table.trace import Entry, Header, read
from hw_sim.director import play
from hw_sim.hands import load_hands
from hw_sim.trace import TraceWorld
from tests.procedure.alert_checks import check_alert

SCENARIOS = Path(__file__).parents[1] / "scenarios"
_house = cache(composition.load_house)
_game = cache(composition.load_game)


def plays(*, one: bool) -> list[tuple[str, str]]:
    """Scenarios with their houses; ``one``: one of them each, always the same."""
    found = []
    for path in sorted(SCENARIOS.glob("*.toml")):
        keys = tomllib.loads(path.read_text(encoding="utf-8"))
        houses = keys.get("houses", [keys.get("house", "seed")])
        if one:
            houses = [houses[crc32(path.stem.encode()) % len(houses)]]
        found += [(path.stem, house) for house in houses]
    return found


@cache
def entries(name: str, house: str) -> tuple[Entry, ...]:
    """The trace of a scenario, read back."""
    lines: list[str] = []
    world = TraceWorld(lines.append)
    now_ms = 1000
    for hand in load_hands([SCENARIOS / f"{name}.toml"], house, None):
        now_ms = play(hand, world, now_ms)
    return tuple(read(name, "".join(lines).encode().splitlines()))


def core(header: Header) -> Core:
    """A table in memory; houses and games are read once."""
    with patch.object(composition, "load_house", _house), patch.object(composition, "load_game", _game):
        return composition.core_for_trace(header, None)


def watch(change: Change) -> None:
    """Look at every alert."""
    for fact in change.facts:
        if isinstance(fact, AlertFact):
            check_alert(fact.alert)


@pytest.mark.parametrize(("name", "house"), plays(one=os.environ.get("REPLAY_HOUSES") == "one"))
def test_scenario_goes_as_it_says(name: str, house: str) -> None:
    results = list(Replay(core, watch=watch).feed(entries(name, house)))
    assert results
    assert [line for result in results for line in result.differences] == []
