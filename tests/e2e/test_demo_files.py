"""The demo's table is the one that its scenarios are played at."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from dealer_assist.demo import BadScenario, played_by

SCENARIOS = Path(__file__).parent.parent / "scenarios"


def test_house_game_and_entry_are_the_scenarios_own() -> None:
    assert played_by([SCENARIOS / "game_crazy_pineapple.toml"])["game"] == "crazy_pineapple"
    assert played_by([SCENARIOS / "a12_hands_face_down.toml"])["house"] == "tda2024"
    assert played_by([SCENARIOS / "by_exception_clean.toml"])["entry"] == "by_exception"
    raked = played_by([SCENARIOS / "rake_drop_thresholds.toml"])["rake"]
    assert tomllib.loads(f"rake = {raked}")["rake"]["drops"][0] == {
        "name": "jackpot",
        "amount": 1,
        "from_pot": 20,
    }
    chips = played_by([SCENARIOS / "p5_odd_chip_of_five.toml"])["limits"]
    assert tomllib.loads(chips)["chips"] == [5, 25, 100]
    fixed = tomllib.loads(played_by([SCENARIOS / "kill_full_limit.toml"])["limits"])
    assert fixed == {"small_blind": 5, "big_blind": 10, "small_bet": 10, "big_bet": 20, "kill": "full"}
    assert played_by([SCENARIOS / "live_tracking_cards.toml"])["tracking"] == "cards"


def test_one_table_cannot_play_two_games() -> None:
    with pytest.raises(BadScenario, match="crazy_pineapple"):
        played_by([SCENARIOS / "clean_showdown.toml", SCENARIOS / "game_crazy_pineapple.toml"])
