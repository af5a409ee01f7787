"""Noisy traces: what people do in them, what is injected into them and named beside them, and that all of it is repeatable."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from dealer_assist.composition import core_for_trace
from dealer_assist.replay import Replay
from dealer_assist.table.trace import read
from hw_sim.cli import main
from hw_sim.noise import PEOPLE, PROFILES
from hw_sim.people import People

SAMPLE = Path(__file__).parents[1] / "data" / "pluribus_sample.phhs"
ZONE = {12: "board", 13: "burn", 14: "muck", **{seat: f"seat{seat}" for seat in range(1, 12)}}
#: sha256 of the sample's trace without noise, as it was before there was any
CLEAN = "aa8033ef01a98727de0518c68db9c2feaa8c0f33fa3e924de2875267f5ba388a"

Line = dict[str, Any]


class Run:
    """A trace and its side file."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.path = folder / "trace.jsonl"
        side = folder / "truth.jsonl"
        assert main(["trace", str(SAMPLE), "-o", str(self.path), "--truth", str(side), *options]) == 0
        self.bytes = (self.path.read_bytes(), side.read_bytes())
        self.lines: list[Line] = [json.loads(line) for line in self.bytes[0].splitlines()]
        told: list[Line] = [json.loads(line) for line in self.bytes[1].splitlines()]
        self.slips = [line for line in told if "slip" in line]
        self.truths = {line["hand"]: line for line in told if "kind" in line}
        self.faces: dict[str, str] = {}
        for line in self.lines:
            for deck in line.get("decks", [line["deck"]] if "deck" in line else []):
                self.faces |= {uid: f"{deck['name']}/{face}" for uid, face in deck["cards"].items()}

    def hands(self) -> dict[str, list[Line]]:
        """The lines of each hand, from its opening to the next one."""
        out: dict[str, list[Line]] = {}
        lines: list[Line] = []
        for line in self.lines:
            if "open_hand" in line:
                lines = out[line["open_hand"]["hand"]] = []
            lines.append(line)
        return out


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return Run(tmp_path_factory.mktemp("table"), "--noise", "table", "--seed", "7")


@pytest.fixture(scope="module")
def irregular(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return Run(tmp_path_factory.mktemp("irregular"), "--noise", "fine", "--seed", "5", "--irregular", "1")


def taps(lines: list[Line], kind: str = "act") -> list[Line]:
    return [line for line in lines if line.get("tap", {}).get("kind") == kind]


# -- without noise ---------------------------------------------------------------------------------------------------------------------


def test_without_noise_a_trace_is_byte_for_byte_what_it_was(tmp_path: Path) -> None:
    outs = []
    for number, options in enumerate(([], ["--noise", "clean"], ["--miss-rate", "0"])):
        out = tmp_path / f"{number}.jsonl"
        assert main(["trace", str(SAMPLE), "-o", str(out), *options]) == 0
        assert not out.with_name(f"{out.name}.irregular.jsonl").exists()
        outs.append(out.read_bytes())
    assert outs[0] == outs[1] == outs[2]
    header, rest = outs[0].split(b"\n", 1)
    told = json.loads(header)
    assert told.pop("sensing") == "clean"  # what the header says since then
    before = json.dumps(told, separators=(",", ":")).encode() + b"\n" + rest
    assert hashlib.sha256(before).hexdigest() == CLEAN


# -- noise ---------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [["--noise", "bad"], ["--noise", "table", "--irregular", "0.5"]])
def test_the_same_seed_gives_the_same_bytes_and_another_one_others(
    tmp_path: Path, options: list[str]
) -> None:
    runs = []
    for number, seed in enumerate(("3", "3", "4")):
        (tmp_path / str(number)).mkdir()
        runs.append(Run(tmp_path / str(number), "--hands", "20", *options, "--seed", seed).bytes)
    assert runs[0] == runs[1]
    assert runs[0][0] != runs[2][0]


def test_a_table_is_scanned_in_200_ms_and_time_never_runs_back(table: Run) -> None:
    assert table.lines[0]["devices"][0]["scan_period_ms"] == 200
    times = [line["t"] for line in table.lines[1:]]
    assert times == sorted(times)
    scans: dict[int, set[int]] = {}
    for line in table.lines:
        if "antenna" in line:
            assert line["scan_period_ms"] == 200
            scans.setdefault(line["antenna"], set()).add(line["t_ms"] % 200)
    assert all(len(phases) == 1 for phases in scans.values())
    assert len(set.union(*scans.values())) == len(scans)


@pytest.mark.parametrize("seed", range(1, 12))
def test_a_trace_begins_with_its_header(tmp_path: Path, seed: int) -> None:
    run = Run(tmp_path, "--hands", "1", "--noise", "bad", "--seed", str(seed))
    assert "trace" in run.lines[0]


def test_the_header_says_nothing_of_the_noise(table: Run, irregular: Run) -> None:
    assert set(table.lines[0]) == {
        "trace", "source", "table", "house", "game", "entry", "unit", "limits", "devices", "deck", "sensing"
    }  # fmt: skip
    text = irregular.bytes[0].decode()
    assert not any(word in text for word in ('kind":"skip', "noise", "irregular", "slip"))


@pytest.mark.parametrize("profile", ["fine", "table", "bad"])
def test_corrupt_replies_and_misses_are_as_the_profile_says(tmp_path: Path, profile: str) -> None:
    run = Run(tmp_path, "--noise", profile, "--seed", "2")
    begin, end = run.lines[1]["t"], run.lines[-1]["t"]
    scans = (end - begin) / 200 * 16
    failed = sum(line.get("msg") == "scan_failed" for line in run.lines)
    assert failed / scans == pytest.approx(0.005, abs=4 * math.sqrt(0.005 / scans))
    # flickers of one scan, of cards at seats
    hit = PROFILES[profile].sensing.hit
    left: dict[tuple[int, str], int] = {}
    since: dict[tuple[int, str], int] = {}
    read_ms = gaps = 0
    for line in run.lines:
        key = (line.get("antenna", 0), line.get("uid", ""))
        if not 1 <= key[0] <= 11:
            continue
        if line["msg"] == "tag_arrived":
            gaps += line["t_ms"] - left.get(key, -1) == 200
            since[key] = line["t_ms"]
        elif line["msg"] == "tag_left":
            left[key] = line["t_ms"]
            read_ms += line["t_ms"] - since[key]
    # of the reads, so many are followed by a miss and then by a read
    assert gaps / (read_ms / 200) == pytest.approx((1 - hit) * hit, rel=0.12)


def test_folds_rest_on_the_muck_antenna_for_a_second_at_least(table: Run) -> None:
    since: dict[str, int] = {}
    last: dict[str, int] = {}
    for line in table.lines:
        if line.get("antenna") == 14 and "uid" in line:
            if line["msg"] == "tag_arrived" and line["t_ms"] - last.get(line["uid"], -9999) > 3000:
                since[line["uid"]] = line["t_ms"]
            last[line["uid"]] = line["t_ms"]
            if line["msg"] == "tag_left":
                assert line["t_ms"] - since[line["uid"]] <= 2800


def test_taps_come_late_by_0_to_3_seconds_and_half_of_them_within_800_ms() -> None:
    late = sorted(People(PEOPLE, str(number)).late_ms() for number in range(4000))
    assert 0 <= late[0] < 20
    assert 2900 < late[-1] <= 3000
    assert 720 < late[2000] < 880


def test_cards_do_not_wait_for_late_taps_and_the_push_does(table: Run) -> None:
    """Of two hands that fold behind each other the second lies in the muck before the first is tapped, now and then."""
    overtaken = 0
    for lines in table.hands().values():
        muck = [line["t"] for line in lines if line.get("msg") == "tag_arrived" and line["antenna"] == 14]
        pushed = [line["t"] for line in taps(lines, "push_pots")]
        folds = [line["t"] for line in taps(lines) if line["tap"]["action"] == "fold"]
        overtaken += any(sum(t < fold for t in muck) > 2 * number + 2 for number, fold in enumerate(folds))
        assert len(pushed) == 1
        assert all(line["t"] <= pushed[0] for line in lines if "tap" in line)
    assert overtaken > 5


def test_most_taps_are_made_in_the_order_of_the_acts_and_every_hand_ends_as_its_source_says(
    table: Run,
) -> None:
    results = list(
        Replay(lambda header: core_for_trace(header, None)).feed(read("t", table.bytes[0].splitlines()))
    )
    assert len(results) == 64
    # a card that the dealer enters though the table has read it after all is no harm
    harmless = ("alerts", "card_already_seen")
    wrong = [
        line
        for result in results
        for line in result.differences
        if not any(word in line for word in harmless)
    ]
    assert wrong == []


def test_forgotten_and_wrong_taps_are_one_in_200_each(tmp_path_factory: pytest.TempPathFactory) -> None:
    acts, slips = 0, Counter[str]()
    for seed in range(6):
        run = Run(tmp_path_factory.mktemp("slips"), "--noise", "fine", "--seed", str(seed))
        slips.update(slip["slip"] for slip in run.slips)
        acts += len(taps(run.lines)) - sum(slip["slip"] == "wrong_tap" for slip in run.slips)
        hands = run.hands()
        for slip in run.slips:
            assert slip["made_t"] >= slip["t"]
            made = [tap for tap in taps(hands[slip["hand"]]) if tap["t"] == slip["made_t"]]
            assert slip["seat"] in [tap["tap"]["seat"] for tap in made]
            undone = len(taps(hands[slip["hand"]], "undo"))
            wrong = sum(other["slip"] == "wrong_tap" for other in run.slips if other["hand"] == slip["hand"])
            assert undone == wrong
            if slip["slip"] == "forgotten_tap":
                assert slip["rules"][0] == "N10"
    for kind in ("forgotten_tap", "wrong_tap"):
        assert slips[kind] / acts == pytest.approx(1 / 200, abs=4 * math.sqrt(1 / 200 / acts))


def test_a_wrong_tap_is_another_action_of_the_seat_that_is_undone(tmp_path: Path) -> None:
    for seed in range(1, 30):
        run = Run(tmp_path, "--noise", "fine", "--seed", str(seed))
        for slip in run.slips:
            if slip["slip"] != "wrong_tap":
                continue
            lines = [line for line in run.hands()[slip["hand"]] if "tap" in line]
            at = next(index for index, line in enumerate(lines) if line["t"] == slip["made_t"])
            wrong, undo, right = (line["tap"] for line in lines[at - 2 : at + 1])
            assert undo == {"kind": "undo"}
            assert wrong["seat"] == right["seat"] == slip["seat"]
            assert wrong["action"] != right["action"]
            return
    pytest.fail("no wrong tap in 29 runs")


# -- what is injected --------------------------------------------------------------------------------------------------------------


def test_every_hand_of_a_history_can_be_made_irregular_and_is_voided(irregular: Run) -> None:
    hands = irregular.hands()
    assert set(irregular.truths) == set(hands)
    for name, truth in irregular.truths.items():
        assert truth["t"] < truth["next_step_t"] < truth["void_t"] < truth["end_t"]
        lines = hands[name]
        [void] = taps(lines, "void")
        assert void["t"] == truth["void_t"]
        assert not [line for line in lines if "tap" in line and line["t"] > truth["void_t"]]
        assert not taps(lines, "push_pots")
        expect = next(line["expect"] for line in lines if "expect" in line)
        assert expect["result"] == "void"
        opening = lines[0]["open_hand"]
        assert expect["stacks"] == {str(seat["seat"]): seat["stack"] for seat in opening["seats"]}
        assert opening["hand"] == name


def test_a_void_hand_gives_every_chip_back_in_the_product(irregular: Run) -> None:
    results = list(
        Replay(lambda header: core_for_trace(header, None)).feed(read("i", irregular.bytes[0].splitlines()))
    )
    assert [line for result in results for line in result.differences] == []
    assert {result.result for result in results} == {"void"}


def test_every_kind_comes_and_names_a_row(tmp_path_factory: pytest.TempPathFactory) -> None:
    kinds: dict[str, set[str]] = {}
    readable = Counter[bool]()
    for seed in range(4):
        folder = tmp_path_factory.mktemp("kinds")
        run = Run(folder, "--noise", "fine", "--seed", str(seed), "--irregular", "1")
        for truth in run.truths.values():
            kinds.setdefault(truth["kind"], set()).add(truth["rule"])
            readable[truth["readable"]] += 1
            assert truth["rule"] not in truth["also"]
    assert kinds.keys() >= {
        "skip", "double", "swap", "wrong_first", "stray", "overdealt", "mixed_deck", "no_burn", "late_burn", "two_burns",
        "four_flop", "two_flop", "two_cards", "early_street", "early_burn", "from_muck",
    }  # fmt: skip
    assert kinds["no_burn"] == {"N1", "N3"}
    assert kinds["early_street"] >= {"R1", "R2"}
    assert readable[True] > 10 * readable[False] > 0


@pytest.mark.parametrize("share", ["0.1", "0.5"])
def test_a_share_of_the_hands_is_irregular_and_no_other(
    tmp_path_factory: pytest.TempPathFactory, share: str
) -> None:
    count = hands = 0
    for seed in range(6):
        run = Run(
            tmp_path_factory.mktemp("share"), "--noise", "clean", "--seed", str(seed), "--irregular", share
        )
        count += len(run.truths)
        hands += len(run.hands())
        voided = {name for name, lines in run.hands().items() if taps(lines, "void")}
        assert voided == set(run.truths)
        assert all("decks" in line for line in run.lines if "trace" in line)
    wanted = float(share)
    assert count / hands == pytest.approx(wanted, abs=4 * math.sqrt(wanted * (1 - wanted) / hands))


def dealt(run: Run, name: str) -> list[int]:
    """The seats in the order in which the deal served them, by the first reads of an antenna without noise."""
    seen: set[str] = set()
    order = []
    for line in run.hands()[name]:
        if line.get("msg") == "tag_arrived" and line["antenna"] <= 11 and line["uid"] not in seen:
            seen.add(line["uid"])
            order.append(line["antenna"])
    return order


def test_what_was_done_is_what_the_side_file_says(tmp_path: Path) -> None:
    """Read from clean antennas: the order of the deal, the burns and the cards of the board are wrong as they are said to be."""
    run = Run(tmp_path, "--noise", "clean", "--seed", "1", "--irregular", "1")
    checked = Counter[str]()
    for name, truth in run.truths.items():
        lines = run.hands()[name]
        opening = lines[0]["open_hand"]
        seats = sorted(record["seat"] for record in opening["seats"])
        button = opening["button"]
        order = [seat for seat in seats if seat > button] + [seat for seat in seats if seat <= button]
        served = dealt(run, name)
        cards = Counter(
            ZONE[line["antenna"]]
            for line in lines
            if line.get("msg") == "tag_arrived" and line["antenna"] > 11
        )
        seat = truth["seat"]
        match truth["kind"]:
            case "skip":
                assert len(served) == 2 * len(order) - 1
                assert served.count(seat) == 1
            case "double":
                at = next(i for i, (one, two) in enumerate(itertools.pairwise(served)) if one == two)
                assert served[at] == seat
            case "swap":
                wrong = [one for one, right in zip(served, [*order, *order], strict=True) if one != right]
                assert len(wrong) == 2
                assert wrong[0] == seat
            case "wrong_first":
                assert served[0] != order[0] == seat
                assert served[: len(order)] == served[len(order) :]
            case "stray":
                assert seat in served
                assert seat not in order
            case "overdealt":
                assert served == [*order, *order, order[0]]
            case "two_burns":
                assert cards["burn"] >= {"flop": 2, "turn": 3, "river": 4}[truth["street"]] - 1
            case "four_flop" | "two_flop":
                assert cards["board"] == {"four_flop": 4, "two_flop": 2}[truth["kind"]]
            case "two_cards":
                assert cards["board"] == {"turn": 5, "river": 6}[truth["street"]]
            case "no_burn":
                assert cards["burn"] == {"flop": 0, "turn": 1, "river": 2}[truth["street"]]
            case "mixed_deck":
                others = [line for line in lines if run.faces.get(line.get("uid", ""), "").startswith("B/")]
                assert others
            case _:
                continue
        checked[truth["kind"]] += 1
    assert checked.keys() >= {
        "skip",
        "double",
        "swap",
        "wrong_first",
        "stray",
        "overdealt",
        "no_burn",
        "two_burns",
    }


def test_a_scenario_is_never_made_irregular(tmp_path: Path) -> None:
    scenario = Path(__file__).parents[1] / "scenarios" / "clean_showdown.toml"
    out = tmp_path / "t.jsonl"
    assert main(["trace", str(scenario), "--irregular", "1", "-o", str(out)]) == 0
    assert out.with_name("t.jsonl.irregular.jsonl").read_text() == ""
    assert not taps([json.loads(line) for line in out.read_text().splitlines()], "void")


# -- the command line ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--irregular", "0.5"], "needs --truth FILE"),
        (["--irregular", "1.5"], "from 0 to below 1"),
        (["--noise", "loud"], "invalid choice"),
        (["--noise", "bad", "--miss-rate", "0.1"], "not allowed with"),
        (["--noise", "bad", "--late-taps", "100"], "late taps of its own"),
    ],
)
def test_what_does_not_go_together_is_told(
    options: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["trace", str(SAMPLE), *options])
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


def test_a_side_file_that_cannot_be_written_leaves_no_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "t.jsonl"
    side = tmp_path / "missing" / "truth.jsonl"
    assert main(["trace", str(SAMPLE), "--noise", "fine", "-o", str(out), "--truth", str(side)]) == 2
    assert "truth.jsonl" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
