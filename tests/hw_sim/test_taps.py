"""What is tapped and when: entry by exception, and taps that come late while the cards go on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hw_sim.cli import main

SAMPLE = Path(__file__).parents[1] / "data" / "pluribus_sample.phhs"
HEAD = 'title = "A hand"\ntable = { seats = [1, 2, 3], button = 3, blinds = [1, 2], stacks = { 1 = 30, 2 = 100, 3 = 100 } }\n'
SCRIPT = """deal
3 raise 6
1 call
2 call
burn
board 3
1 check
2 bet 50
3 fold
1 call               # all-in for 24
burn
board 1
burn
board 1
show 2
muck 1
push
"""

Line = dict[str, Any]


def trace(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[Line]:
    assert main(["trace", *arguments]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def scenario(folder: Path, *keys: str) -> str:
    path = folder / "hand.toml"
    path.write_text(HEAD + "".join(f"{key}\n" for key in keys) + f'script = """\n{SCRIPT}"""\n')
    return str(path)


def taps(lines: list[Line]) -> list[tuple[Any, ...]]:
    return [
        (tap["kind"], tap.get("seat"), tap.get("action"))
        for tap in (line["tap"] for line in lines if "tap" in line)
    ]


BY_EXCEPTION = [
    ("act", 3, "raise"),
    ("act", 2, "bet"),
    ("act", 1, "call"),
    ("tabled", 2, None),
    ("push_pots", None, None),
]


@pytest.mark.parametrize(
    ("keys", "options"), [(['entry = "by_exception"'], []), ([], ["--entry", "by_exception"])]
)
def test_by_exception_only_bets_all_ins_shown_hands_and_pushes_are_tapped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], keys: list[str], options: list[str]
) -> None:
    lines = trace(capsys, scenario(tmp_path, *keys), *options)
    assert lines[0]["entry"] == "by_exception"
    assert taps(lines) == BY_EXCEPTION


def test_by_exception_the_cards_move_all_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = scenario(tmp_path)
    moved = [
        [
            (line["msg"], line["antenna"], line["uid"])
            for line in trace(capsys, path, *options)
            if "uid" in line
        ]
        for options in ([], ["--entry", "by_exception"])
    ]
    assert moved[0] == moved[1]


def test_histories_by_exception_have_no_tap_of_a_check_or_fold(capsys: pytest.CaptureFixture[str]) -> None:
    every = trace(capsys, str(SAMPLE), "--hands", "30")
    lines = trace(capsys, str(SAMPLE), "--hands", "30", "--entry", "by_exception")
    assert every[0]["entry"] == "every_action"
    kept = taps(lines)
    assert not [tap for tap in kept if tap[2] in ("check", "fold") or tap[0] == "mucked"]
    loud = ("bet", "raise", "all_in")
    assert [tap for tap in kept if tap[2] in loud or tap[0] == "tabled"] == [
        tap for tap in taps(every) if tap[2] in loud or tap[0] == "tabled"
    ]
    assert sum(tap[0] == "push_pots" for tap in kept) == 30


def cards(lines: list[Line], until: int) -> list[tuple[int, str, int]]:
    return [
        (line["t"], line["uid"], line["antenna"]) for line in lines if "uid" in line and line["t"] <= until
    ]


def test_late_taps_keep_their_order_and_the_cards_do_not_wait_for_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = scenario(tmp_path)
    on_time, late, again = (trace(capsys, path, *more) for more in ([], *[["--late-taps", "3000"]] * 2))
    assert late == again
    assert taps(late) == taps(on_time)
    due, made = (
        [line["t"] for line in lines if "tap" in line][:-1] for lines in (on_time, late)
    )  # the last is the push, which waits for the hands to be tapped
    assert made != due
    assert all(0 <= came - act <= 3000 + 12 for act, came in zip(due, made, strict=True))
    assert cards(on_time, until=due[-1]) == cards(late, until=due[-1])
    times = [line["t"] for line in late[1:]]
    assert times == sorted(times)


def test_a_check_waits_until_the_taps_before_it_are_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hand.toml"
    path.write_text(HEAD + 'script = """\ndeal\n3 raise 6\n1 call\nexpect pot 14\n"""\n')
    for number in range(5):
        lines = trace(capsys, str(path), "--late-taps", "5000", "--pace", str(number))
        order = [key for line in lines for key in ("tap", "expect_now") if key in line]
        assert order == ["tap", "tap", "expect_now"]


def test_the_sample_with_late_taps_and_missed_reads_is_written_whole(tmp_path: Path) -> None:
    out = tmp_path / "late.jsonl"
    arguments = ["trace", str(SAMPLE), "--late-taps", "3000", "--miss-rate", "0.02", "-o", str(out)]
    assert main(arguments) == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert sum("expect" in line for line in lines) == sum("open_hand" in line for line in lines) == 64
    times = [line["t"] for line in lines[1:]]
    assert times == sorted(times)
    open_taps = 0
    for line in lines:
        open_taps += 1 if "open_hand" in line else 0
        open_taps -= 1 if line.get("tap", {}).get("kind") == "push_pots" else 0
        if "expect" in line:
            assert open_taps == 0  # the hand is closed by its last tap, late or not
    first = out.read_bytes()
    assert main(arguments) == 0
    assert out.read_bytes() == first


@pytest.mark.parametrize("text", ["-1", "soon", "999999"])
def test_a_wrong_lateness_is_told(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["trace", str(SAMPLE), "--late-taps", text])
    assert ended.value.code == 2
    assert "from 0 to" in capsys.readouterr().err
