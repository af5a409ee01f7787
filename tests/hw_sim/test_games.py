"""Games as data: how many cards each deals, from which deck, onto which boards, and who posts."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from firmware_protocol.toml_errors import ConfigError
from hw_sim import games
from hw_sim.cards import FACES
from hw_sim.cli import main
from hw_sim.games import UnknownGame, plan_of
from hw_sim.live import antennas_for
from hw_sim.scenario import load_scenario

BOARDS = (12, 15)


def write(folder: Path, game: str, script: str, *more: str, seats: str = "[1, 2, 3]", ante: int = 1) -> Path:
    path = folder / "hand.toml"
    lines = [
        'title = "A hand"',
        f'game = "{game}"',
        f"table = {{ seats = {seats}, button = 3, blinds = [1, 2], ante = {ante}, stacks = 200 }}",
        *more,
        f'script = """\n{script}"""',
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def trace(path: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert main(["trace", str(path), *arguments]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def arrived(lines: list[dict[str, Any]]) -> Counter[int]:
    return Counter(line["antenna"] for line in lines if line.get("msg") == "tag_arrived")


@pytest.mark.parametrize(
    ("game", "hole"),
    [("nlhe", 2), ("flhe", 2), ("short", 2), ("irish", 4), ("double", 3), ("omaha", 4), ("pineapple", 3)],
)
def test_a_game_deals_its_own_number_of_cards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str, hole: int
) -> None:
    lines = trace(write(tmp_path, game, "deal\n"), capsys)
    assert arrived(lines) == {1: hole, 2: hole, 3: hole}
    assert lines[0]["game"] == game


def test_a_short_deck_has_36_cards_from_six_to_ace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header, *lines = trace(write(tmp_path, "short", "deal\nburn\nboard 3\n"), capsys)
    faces = set(header["deck"]["cards"].values())
    assert faces == {face for face in FACES if face[0] not in "2345"}
    assert {line["uid"] for line in lines if "uid" in line} <= set(header["deck"]["cards"])
    [verdict] = [line for line in lines if line.get("msg") == "shuffler_verdict"]
    assert (verdict["count"], verdict["expected"], verdict["result"]) == (36, 36, "complete")


def test_a_card_that_the_game_does_not_have_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_scenario(write(tmp_path, "short", "deal\n", 'deck = "order:2c"'))
    assert caught.value.line == 4


@pytest.mark.parametrize(
    ("game", "posts"),
    [
        ("nlhe", ["ante", "ante", "ante", "small_blind", "big_blind"]),
        ("flopmania", ["ante", "ante", "ante"]),
        ("short", ["ante", "ante", "ante", "button_blind"]),
        ("unfold", ["small_blind", "big_blind"] + ["unfold_ante"] * 3),
    ],
)
def test_a_game_says_who_posts_what(tmp_path: Path, game: str, posts: list[str]) -> None:
    hand = load_scenario(write(tmp_path, game, "deal\n"))
    assert [post["kind"] for post in hand.posts()] == posts
    assert [post["seat"] for post in hand.posts() if post["kind"] == "button_blind"] in ([], [3])


def test_antes_that_a_game_needs_must_be_given(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_scenario(write(tmp_path, "flopmania", "deal\n", ante=0))
    assert caught.value.path == "table.ante"


def test_the_second_board_has_an_antenna_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = trace(write(tmp_path, "split", "deal\nburn\nboard 3\nboard 3 on 2\n"), capsys)
    assert lines[0]["devices"][0]["antennas"]["15"] == "board2"
    found = arrived(lines)
    assert [found[number] for number in BOARDS] == [3, 3]


@pytest.mark.parametrize(("game", "muck"), [("nlhe", 2), ("showtime", 0), ("unfold", 0)])
def test_a_folded_hand_stays_at_its_seat_where_the_game_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str, muck: int
) -> None:
    lines = trace(write(tmp_path, game, "deal\n1 fold\n"), capsys)
    assert arrived(lines)[14] == muck
    assert [line["tap"]["action"] for line in lines if "tap" in line] == ["fold"]


def test_a_hand_mucked_at_the_showdown_goes_to_the_muck_in_any_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert arrived(trace(write(tmp_path, "showtime", "deal\nmuck 1\n"), capsys))[14] == 2


def test_a_discard_is_the_last_cards_of_a_seat_and_no_tap(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = trace(write(tmp_path, "irish", "deal\ndiscard 2 2\n"), capsys)
    at_seat = [line["uid"] for line in lines if line.get("msg") == "tag_arrived" and line["antenna"] == 2]
    gone = [line["uid"] for line in lines if line.get("msg") == "tag_arrived" and line["antenna"] == 14]
    assert gone == at_seat[2:]
    assert not [line for line in lines if "tap" in line]


@pytest.mark.parametrize("line", ["discard 2 3", "discard 5"])
def test_a_seat_cannot_discard_what_it_does_not_hold(tmp_path: Path, line: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_scenario(write(tmp_path, "nlhe", f"deal\n{line}\n"))
    assert caught.value.line == 6


def test_an_unknown_game_is_told_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_scenario(write(tmp_path, "badugi", "deal\n"))
    assert caught.value.line == 2
    assert "nlhe" in caught.value.expected


def test_a_game_has_the_keys_of_the_one_it_extends_and_no_circle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "four.toml").write_text('deck = "short36"\nhole = 4\nboards = 2\n')
    (tmp_path / "five.toml").write_text('extends = "four"\nhole = 5\n')
    (tmp_path / "round.toml").write_text('extends = "about"\n')
    (tmp_path / "about.toml").write_text('extends = "round"\n')
    monkeypatch.setattr(games, "procedure_folder", lambda kind: tmp_path)
    plan = plan_of("five")
    assert (plan.hole, plan.boards, len(plan.faces)) == (5, 2, 36)
    with pytest.raises(UnknownGame):
        plan_of("round")


# -- decks, strange cards, shuffler ---------------------------------------------------------------------------------------------------


def test_two_decks_are_in_the_header_only_where_both_come_to_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, *_ = trace(write(tmp_path, "nlhe", "deck A\ndeal\n"), capsys)
    assert "decks" not in one
    two, *lines = trace(write(tmp_path, "nlhe", "deck B\ndeal\n"), capsys)
    assert "deck" not in two
    first, other = two["decks"]
    assert (first["name"], other["name"], first["simulated"], other["simulated"]) == ("A", "B", True, True)
    assert first["cards"] == one["deck"]["cards"]
    assert sorted(other["cards"].values()) == sorted(FACES)
    assert not first["cards"].keys() & other["cards"].keys()
    assert {line["uid"] for line in lines if "uid" in line} <= other["cards"].keys()


def test_a_gathered_deck_stays_its_own_deck_and_the_other_is_dealt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header, *lines = trace(write(tmp_path, "nlhe", "deal 1\ndeck B\ngather\ndeal\n"), capsys)
    first, other = (set(deck["cards"]) for deck in header["decks"])
    read = [line["uid"] for line in lines if line.get("msg") == "tag_arrived"]
    assert read[0] in first
    assert len(set(read[1:]) & other) == len(read[1:]) == 6


def test_a_card_of_the_other_deck_and_one_of_no_deck_have_tags_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header, *lines = trace(write(tmp_path, "nlhe", "stranger seat1\nforeign board 2\ngather\n"), capsys)
    first, other = (set(deck["cards"]) for deck in header["decks"])
    at = {
        antenna: [line["uid"] for line in lines if line.get("antenna") == antenna and "arr" in line["msg"]]
        for antenna in (1, 12)
    }
    assert set(at[1]) <= other
    assert len(set(at[12])) == 2 and not set(at[12]) & (first | other)


def test_a_card_put_on_the_stub_is_the_next_one_dealt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header, *lines = trace(write(tmp_path, "nlhe", "stranger stub\ndeal 1\n"), capsys)
    [uid] = [line["uid"] for line in lines if line.get("msg") == "tag_arrived"]
    assert uid in header["decks"][1]["cards"]


def test_a_card_off_the_table_is_read_nowhere_and_not_gathered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = trace(write(tmp_path, "nlhe", "deal 1\nmove seat1 off\ngather\nmove off seat2\n"), capsys)
    assert arrived(lines) == {1: 1, 2: 1}


def test_a_gate_is_a_device_where_a_card_is_shown_to_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header, *lines = trace(write(tmp_path, "nlhe", "deal 1\nmove stub gate\nmove gate burn\n"), capsys)
    assert header["devices"][2] == {
        "id": "gate-1",
        "role": "gate",
        "antennas": {"1": "gate"},
        "scan_period_ms": 100,
    }
    told = [(line["dev"], line["msg"]) for line in lines if line.get("dev") in ("gate-1", "reader-1")]
    assert told[1:3] == [("gate-1", "tag_arrived"), ("gate-1", "tag_left")]
    times = [line["t"] for line in lines]
    assert times == sorted(times)


def test_what_the_shuffler_says_first_comes_before_the_hand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = "shuffler shuffling\nwait 1s\nverdict 51\ndeal 1\nverdict 52 52 duplicate\n"
    lines = trace(write(tmp_path, "nlhe", script, 'shuffler = "script"'), capsys)
    told = [
        line.get("state") or line.get("result") or ("open" if "open_hand" in line else "") for line in lines
    ]
    assert [word for word in told if word] == ["shuffling", "short", "open", "duplicate"]


def test_a_table_without_a_shuffler_has_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header, *lines = trace(write(tmp_path, "nlhe", "shuffled\ndeal\n", 'shuffler = "none"'), capsys)
    assert [device["role"] for device in header["devices"]] == ["reader"]
    assert not [line for line in lines if line.get("dev") == "shuffler-1"]
    with pytest.raises(ConfigError) as caught:
        load_scenario(write(tmp_path, "nlhe", "deal\nverdict 52\n", 'shuffler = "none"'))
    assert caught.value.line == 7


# -- live devices ---------------------------------------------------------------------------------------------------------------------


def test_live_readers_have_the_antennas_that_the_hands_need(tmp_path: Path) -> None:
    plain = antennas_for([load_scenario(write(tmp_path, "nlhe", "deal\n"))])
    assert set(plain) == {"board", "burn", "muck", *(f"seat{seat}" for seat in range(1, 10))}
    assert antennas_for([]) == plain
    two = antennas_for([load_scenario(write(tmp_path, "split", "deal\n"))])
    assert two == {**plain, "board2": 15}
    wide = antennas_for([load_scenario(write(tmp_path, "nlhe", "deal\n", seats="[1, 10, 11]"))])
    assert wide == {**plain, "seat10": 10, "seat11": 11}


def test_a_card_may_lie_at_a_seat_before_the_hand_is_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = trace(write(tmp_path, "nlhe", "move stub seat3\nopen\ndeal 1 2\n"), capsys)
    at = next(index for index, line in enumerate(lines) if "open_hand" in line)
    assert arrived(lines[:at]) == {3: 1}
    assert arrived(lines[at:]) == {1: 1, 2: 1}
