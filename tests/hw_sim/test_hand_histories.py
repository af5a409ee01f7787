"""Hand histories in PHH: who posts, how cards fall, and the house's show order instead of the source's."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from firmware_protocol.toml_errors import ConfigError
from hw_sim import steps as st
from hw_sim.cli import main
from hw_sim.phh import load_phh

SAMPLE = Path(__file__).parents[1] / "data" / "pluribus_sample.phhs"

THREE = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200, 200]
actions = [
  "d dh p1 AsKs", "d dh p2 QdQc", "d dh p3 7h2c",
  "p3 cbr 6", "p1 cc", "p2 cc",
  "d db 2s3d4h", "p1 cbr 10", "p2 cc", "p3 f",
  "d db 5c", "p1 cc", "p2 cbr 20", "p1 cc",
  "d db 6c", "p1 cc", "p2 cbr 40", "p1 cc",
  "p1 sm AsKs", "p2 sm QdQc",
]
"""

ALL_IN = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200, 200]
actions = [
  "d dh p1 AsKs", "d dh p2 QdQc", "d dh p3 7h2c",
  "p3 f", "p1 cbr 200", "p2 cc",
  "p2 sm QdQc", "p1 sm AsKs",
  "d db 2s3d4h", "d db 5c", "d db 6c",
]
"""

HEADS_UP = """variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 150]
actions = ["d dh p1 AsKs", "d dh p2 QdQc", "p2 cbr 6", "p1 f"]
"""


def read(folder: Path, text: str, *, allin_faceup: bool = False) -> st.Hand:
    path = folder / "hand.phh"
    path.write_text(text)
    [hand] = load_phh(path, allin_faceup=allin_faceup)
    return hand


def taps(hand: st.Hand, *kinds: str) -> list[dict[str, Any]]:
    return [step.command for step in hand.steps if isinstance(step, st.Tap) and step.command["kind"] in kinds]


def test_player_n_sits_in_seat_n_and_the_last_has_the_button(tmp_path: Path) -> None:
    hand = read(tmp_path, THREE)
    assert hand.opening["button"] == 3
    assert hand.seats() == (1, 2, 3)
    assert hand.opening["posts"] == [
        {"seat": 1, "amount": 1, "kind": "small_blind"},
        {"seat": 2, "amount": 2, "kind": "big_blind"},
    ]


def test_heads_up_the_button_has_the_small_blind_and_the_other_the_first_card(tmp_path: Path) -> None:
    hand = read(tmp_path, HEADS_UP)
    assert hand.opening["button"] == 2
    assert hand.opening["posts"] == [
        {"seat": 2, "amount": 1, "kind": "small_blind"},
        {"seat": 1, "amount": 2, "kind": "big_blind"},
    ]
    assert hand.deck[:4] == ("As", "Qd", "Ks", "Qc")


def test_antes_and_straddles_are_posted(tmp_path: Path) -> None:
    text = THREE.replace("antes = [0, 0, 0]", "antes = [1, 1, 1]").replace("[1, 2, 0]", "[1, 2, 4]")
    posts = read(tmp_path, text).opening["posts"]
    assert [post["kind"] for post in posts] == [
        "ante",
        "ante",
        "ante",
        "small_blind",
        "big_blind",
        "straddle",
    ]


def test_cards_fall_one_at_a_time_and_burns_are_cards_that_nobody_holds(tmp_path: Path) -> None:
    hand = read(tmp_path, THREE)
    assert hand.deck[:6] == ("As", "Qd", "7h", "Ks", "Qc", "2c")
    assert hand.deck[7:10] == ("2s", "3d", "4h")
    assert (hand.deck[11], hand.deck[13]) == ("5c", "6c")
    assert sorted(hand.deck) == sorted(set(hand.deck))
    assert len(hand.deck) == 52


def test_calls_and_checks_bets_and_raises_are_told_apart(tmp_path: Path) -> None:
    acts = [(act["seat"], act["action"], act.get("to")) for act in taps(read(tmp_path, THREE), "act")]
    assert acts[:7] == [
        (3, "raise", 6),
        (1, "call", None),
        (2, "call", None),
        (1, "bet", 10),
        (2, "call", None),
        (3, "fold", None),
        (1, "check", None),
    ]


def test_the_last_aggressor_shows_first_whatever_the_source_has(tmp_path: Path) -> None:
    assert [tap["seat"] for tap in taps(read(tmp_path, THREE), "tabled")] == [2, 1]


def test_without_a_bet_on_the_river_the_first_seat_left_of_the_button_shows_first(tmp_path: Path) -> None:
    text = THREE.replace('"p1 cc", "p2 cbr 40", "p1 cc"', '"p1 cc", "p2 cc"')
    assert [tap["seat"] for tap in taps(read(tmp_path, text), "tabled")] == [1, 2]


def test_a_hand_that_the_source_mucks_is_mucked(tmp_path: Path) -> None:
    hand = read(tmp_path, THREE.replace('"p1 sm AsKs"', '"p1 sm"'))
    assert [(tap["kind"], tap["seat"]) for tap in taps(hand, "tabled", "mucked")] == [
        ("tabled", 2),
        ("mucked", 1),
    ]


@pytest.mark.parametrize("faceup", [True, False])
def test_all_in_hands_are_tabled_before_the_run_out_where_the_house_says_so(
    tmp_path: Path, faceup: bool
) -> None:
    hand = read(tmp_path, ALL_IN, allin_faceup=faceup)
    order = [
        "board" if isinstance(step, st.Board) else step.command["kind"]
        for step in hand.steps
        if isinstance(step, st.Board) or (isinstance(step, st.Tap) and step.command["kind"] == "tabled")
    ]
    tabled, board = ["tabled"] * 2, ["board"] * 3
    assert order == (tabled + board if faceup else board + tabled)


def test_the_house_of_the_command_decides_by_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hand.phh"
    path.write_text(ALL_IN)
    house = tmp_path / "open.toml"
    house.write_text("[parameters]\nallin_faceup = true\n")
    assert main(["trace", str(path), "--house", str(house)]) == 0
    first_tabled, first_board = capsys.readouterr().out.split('"tabled"')[0], '"antenna":12'
    assert first_board not in first_tabled
    assert main(["trace", str(path)]) == 0
    assert first_board in capsys.readouterr().out.split('"tabled"')[0]


def test_the_sample_is_read_whole_with_its_own_end() -> None:
    tables = [table for table in tomllib.loads(SAMPLE.read_text()).values() if isinstance(table, dict)]
    hands = list(load_phh(SAMPLE, allin_faceup=False))
    assert len(hands) == len(tables) == 64
    for hand, table in zip(hands, tables, strict=True):
        assert hand.name == table["_source"]
        assert list(hand.expect["stacks"].values()) == table["finishing_stacks"]
        assert hand.expect["alerts"] == []


def test_a_limit_takes_the_first_hands() -> None:
    assert len(list(load_phh(SAMPLE, allin_faceup=False, limit=3))) == 3


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('variant = "NT"', 'variant = "PO"', 1),
        ("[200, 200, 200]", "[200, 200]", 2),  # three antes, then, are one too many
        ("[200, 200, 200]", "[200, 200, 1.5]", 5),
        ('"p3 cbr 6"', '"p3 jump 6"', 8),
        ('"p3 cbr 6"', '"p3 cbr six"', 8),
        ('"p3 cbr 6"', '"p4 cbr 6"', 8),
        ('"d db 5c"', '"d db 5x"', 10),
        ('"p1 cbr 10"', '"p3 f", "p3 cc"', 9),
        ('variant = "NT"', 'variant = "NT', 1),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, old: str, new: str, line: int) -> None:
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, THREE.replace(old, new, 1))
    assert caught.value.line == line
    assert caught.value.expected


def test_a_mistake_in_a_later_hand_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hands.phhs"
    path.write_text(f"[1]\n{THREE}\n[2]\n{THREE.replace('p3 cbr 6', 'p3 jump 6')}")
    assert main(["trace", str(path)]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert f"{path}:24:" in error
