"""Traces: deterministic, in order, and physically sound: what a reader of real antennas would have sent."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hw_sim.antennas import PILE_DEPTH
from hw_sim.cli import main

TESTS = Path(__file__).parents[1]
SAMPLE = TESTS / "data" / "pluribus_sample.phhs"
SCENARIOS = sorted((TESTS / "scenarios").glob("*.toml"))
DEMO = sorted((TESTS.parent / "hw_sim" / "demo").glob("*.toml"))

Line = dict[str, Any]


def trace(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[Line]:
    assert main(["trace", *arguments]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def hands(lines: list[Line]) -> Iterator[list[Line]]:
    """The lines of each hand, from its opening to its expect."""
    hand: list[Line] = []
    for line in lines:
        if "open_hand" in line:
            hand = []
        hand.append(line)
        if "expect" in line:
            yield hand


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> list[Line]:
    out = tmp_path_factory.mktemp("trace") / "sample.jsonl"
    assert main(["trace", str(SAMPLE), "-o", str(out)]) == 0
    return [json.loads(line) for line in out.read_text().splitlines()]


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    files = [str(SAMPLE), *map(str, SCENARIOS[:5])]
    outs = [tmp_path / name for name in ("one", "two", "other")]
    for out, seed in zip(outs, ("5", "5", "6"), strict=True):
        assert main(["trace", *files, "--seed", seed, "-o", str(out)]) == 0
    one, two, other = (out.read_bytes() for out in outs)
    assert one == two
    assert one != other


def test_a_hand_does_not_depend_on_the_hands_before_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Its cards and its pace come from its own name: one hand of a thousand can be looked at alone."""
    scenario = str(SCENARIOS[0])
    alone = trace(capsys, scenario)
    after = trace(capsys, str(SCENARIOS[1]), scenario)
    [first, second] = [list(hands(lines))[-1] for lines in (alone, after)]
    assert [line.get("uid") for line in first] == [line.get("uid") for line in second]


def test_the_header_names_table_devices_and_deck(sample: list[Line]) -> None:
    header = sample[0]
    assert header["trace"] == 1
    assert header["limits"] == {"small_blind": 50, "big_blind": 100, "ante": 0}
    zones = [zone for device in header["devices"] for zone in device["antennas"].values()]
    assert {"board", "board2", "board3", "burn", "muck", *(f"seat{seat}" for seat in range(1, 12))} == set(
        zones
    )
    cards = header["deck"]["cards"]
    assert header["deck"]["simulated"] is True
    assert len(cards) == len(set(cards.values())) == 52
    assert all(len(uid) == 16 and uid.startswith("E004") for uid in cards)


def test_a_wrong_registration_is_in_the_deck_map_only(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "k1.toml"
    path.write_text(
        'title = "K1"\ntable = { seats = [1, 2], button = 1, blinds = [1, 2], stacks = 9 }\n'
        'deck = "order:Ks 2h"\nregistered = { "2h" = "Ks" }\nscript = "deal"\n'
    )
    header, *lines = trace(capsys, str(path))
    faces = [header["deck"]["cards"][line["uid"]] for line in lines if line.get("msg") == "tag_arrived"]
    assert faces[:2] == ["Ks", "Ks"]
    assert "2h" not in header["deck"]["cards"].values()


def test_time_never_runs_backwards_and_a_scan_is_told_after_it_was_made(sample: list[Line]) -> None:
    last = 0
    for line in sample[1:]:
        assert line["t"] >= last
        last = line["t"]
        assert line.get("t_ms", 0) <= line["t"]


def test_each_antenna_keeps_to_its_own_scan_grid(sample: list[Line]) -> None:
    phases: dict[int, int] = {}
    for line in sample:
        if "antenna" in line:
            assert line["scan_period_ms"] == 100
            assert phases.setdefault(line["antenna"], line["t_ms"] % 100) == line["t_ms"] % 100
    assert len(set(phases.values())) == len(phases)


def test_a_tag_arrives_where_it_is_not_and_leaves_where_it_is_and_is_gone_at_the_end(
    sample: list[Line],
) -> None:
    """Undebounced reports of one antenna alternate; after the sweep no antenna sees anything."""
    for hand in hands(sample):
        seen: set[tuple[int, str]] = set()
        for line in hand:
            if "antenna" in line:
                key = (line["antenna"], line["uid"])
                assert (line["msg"] == "tag_arrived") is (key not in seen)
                seen ^= {key}
        assert not seen


def test_a_pile_is_read_three_cards_deep(sample: list[Line]) -> None:
    piles = {13: 0, 14: 0}
    for line in sample:
        if line.get("antenna") in piles:
            piles[line["antenna"]] += 1 if line["msg"] == "tag_arrived" else -1
            # what is covered falls silent in the scan in which the card above it is heard
            assert piles[line["antenna"]] <= PILE_DEPTH + 1


def test_a_tag_is_at_one_place_at_a_time(sample: list[Line]) -> None:
    for hand in hands(sample):
        where: dict[str, int] = {}
        for line in hand:
            if line.get("msg") == "tag_arrived":
                assert line["uid"] not in where
                where[line["uid"]] = line["antenna"]
            elif line.get("msg") == "tag_left":
                assert where.pop(line["uid"]) == line["antenna"]


def test_the_deal_has_the_pace_of_a_dealer(sample: list[Line]) -> None:
    for hand in hands(sample):
        pitches = [
            line["t_ms"] for line in hand if line.get("msg") == "tag_arrived" and line["antenna"] <= 11
        ][:12]
        gaps = [later - sooner for sooner, later in itertools.pairwise(pitches)]
        # 450 to 800 ms a card, give or take a scan
        assert all(350 <= gap <= 900 for gap in gaps)


def test_every_hand_is_opened_after_a_complete_shuffle_and_closed_by_what_the_source_says(
    sample: list[Line],
) -> None:
    assert sum("open_hand" in line for line in sample) == 64
    for index, line in enumerate(sample):
        if "open_hand" in line:
            verdict = sample[index - 1]
            assert (verdict["msg"], verdict["result"], verdict["count"]) == (
                "shuffler_verdict",
                "complete",
                52,
            )
    for hand in hands(sample):
        assert hand[-1]["expect"]["result"] == "completed"
        assert len(hand[-1]["expect"]["stacks"]) == 6


def test_a_tap_comes_after_its_act(sample: list[Line]) -> None:
    """A fold is in the muck, or on its way there, before the dealer taps it."""
    seat_of_tag: dict[str, int] = {}
    left: set[int] = set()
    for line in sample:
        if "open_hand" in line:
            seat_of_tag, left = {}, set()
        elif line.get("msg") == "tag_arrived" and line["antenna"] <= 11:
            seat_of_tag[line["uid"]] = line["antenna"]
        elif line.get("msg") == "tag_left" and line["antenna"] <= 11:
            left.add(line["antenna"])
        elif line.get("tap", {}).get("action") == "fold":
            assert line["tap"]["seat"] in left


def test_no_message_carries_an_order_of_cards(sample: list[Line]) -> None:
    assert {line["msg"] for line in sample if "msg" in line} == {
        "tag_arrived",
        "tag_left",
        "shuffler_state",
        "shuffler_verdict",
    }


@pytest.mark.parametrize("path", [*SCENARIOS, *DEMO], ids=lambda path: path.stem)
def test_every_scenario_plays_to_its_end(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = trace(capsys, str(path))
    assert lines[0]["source"] == path.name
    end = max(number for number, line in enumerate(lines) if "expect" in line)
    assert all(
        line.get("msg") == "tag_left" for line in lines[end + 1 :]
    )  # what still lay there is collected
    seen: set[tuple[int, str]] = set()
    for line in lines[: end + 1]:
        if "antenna" in line:
            seen ^= {(line["antenna"], line["uid"])}
    if lines[end]["expect"]["result"] == "completed":
        assert not seen


def test_a_scenario_that_looks_for_silence_gives_it_time(capsys: pytest.CaptureFixture[str]) -> None:
    near = next(path for path in SCENARIOS if path.stem.endswith("_near"))
    lines = trace(capsys, str(near))
    index = next(i for i, line in enumerate(lines) if line.get("expect_now") == {"silence": True})
    assert lines[index]["t"] - lines[index - 1]["t"] >= 4000


def test_a_hand_that_its_script_leaves_is_collected_before_the_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "left.toml"
    path.write_text(
        'title = "Left"\ntable = { seats = [1, 2], button = 1, blinds = [1, 2], stacks = 9 }\nscript = "deal"\n'
    )
    lines = trace(capsys, str(path), str(SCENARIOS[0]))
    [left, _] = [line["expect"]["result"] for line in lines if "expect" in line]
    assert left == "misdeal"
    second = [index for index, line in enumerate(lines) if "open_hand" in line][1]
    seen: set[tuple[int, str]] = set()
    for line in lines[:second]:
        if "antenna" in line:
            seen ^= {(line["antenna"], line["uid"])}
    assert not seen


def test_another_pace_moves_the_same_cards_at_other_times(capsys: pytest.CaptureFixture[str]) -> None:
    one, two, again = (trace(capsys, str(DEMO[0]), "--pace", pace) for pace in ("0", "1", "1"))
    assert two == again
    arrived = [
        [
            (line["antenna"], line["uid"])
            for line in lines
            if line.get("msg") == "tag_arrived" and line["antenna"] < 12
        ]
        for lines in (one, two)
    ]
    assert arrived[0] == arrived[1]
    assert [line["t"] for line in one[1:]] != [line["t"] for line in two[1:]]
