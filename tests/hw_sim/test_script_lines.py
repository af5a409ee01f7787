"""Script lines: the command, check or act that each becomes, and the blocks that only some houses play."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st_

from hw_sim import steps as st
from hw_sim.script import ScriptError, parse_script
from hw_sim.script_acts import ACTS
from hw_sim.script_taps import ACTIONS, TAPS


def only(line: str) -> st.Step:
    [step] = parse_script(line).steps
    return step


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("report exposed 5", {"kind": "report", "row": "exposed", "seat": 5, "by": "dealer"}),
        ("report exposed 5 player", {"kind": "report", "row": "exposed", "seat": 5, "by": "player"}),
        ("report early_card", {"kind": "report", "row": "early_card"}),
        ("report D6 4", {"kind": "report", "row": "D6", "seat": 4, "by": "dealer"}),
        ("report boxed count 4", {"kind": "report", "row": "boxed", "count": 4}),
        ("report A13 2 player", {"kind": "report", "row": "A13", "seat": 2, "by": "player"}),
        (
            "report D9 2 count 3",
            {"kind": "report", "row": "D9", "seat": 2, "by": "dealer", "count": 3},
        ),
        ("report dead_hand 7", {"kind": "report", "row": "dead_hand", "seat": 7, "by": "dealer"}),
        ("report chop", {"kind": "report", "row": "chop"}),
        ("rule play_on", {"kind": "rule", "alert": "", "option": "play_on"}),
        ("rule scramble_four F1", {"kind": "rule", "alert": "F1", "option": "scramble_four"}),
        ("correct 5 fold", {"kind": "correct", "seat": 5, "action": "fold"}),
        ("correct 5 raise 40", {"kind": "correct", "seat": 5, "action": "raise", "to": 40}),
        (
            "correct 5 bet 12 ruled back 2",
            {"kind": "correct", "seat": 5, "action": "bet", "to": 12, "ruled": True, "back": 2},
        ),
        ("correct 3 allin", {"kind": "correct", "seat": 3, "action": "all_in"}),
        ("3 allin 175", {"kind": "act", "seat": 3, "action": "all_in", "to": 175}),
        ("3 raise 260 counted", {"kind": "act", "seat": 3, "action": "raise", "to": 260, "counted": True}),
        ("3 call 80 counted", {"kind": "act", "seat": 3, "action": "call", "to": 80, "counted": True}),
        ("3 raise 14 ruled", {"kind": "act", "seat": 3, "action": "raise", "to": 14, "ruled": True}),
        ("stack 3 260", {"kind": "set_stack", "seat": 3, "behind": 260}),
        ("stack 3 unknown", {"kind": "set_stack", "seat": 3, "behind": None}),
        ("irregular 3 chips 500", {"kind": "irregular", "seat": 3, "chips": [500]}),
        ("irregular 3 said 1400", {"kind": "irregular", "seat": 3, "said": "", "amount": 1400}),
        (
            "irregular 3 said raise chips 10 then 25 25",
            {"kind": "irregular", "seat": 3, "said": "raise", "chips": [10], "more": [25, 25]},
        ),
        ("point 3 2", {"kind": "set_point", "seat": 3, "card": 2}),
        ("unfold 4", {"kind": "unfold", "seat": 4}),
        ("5 straddle", {"kind": "straddle", "seat": 5}),
        ("sit 4 100", {"kind": "sit_down", "seat": 4, "buy_in": 100}),
        ("sit 4 100 from 6", {"kind": "sit_down", "seat": 4, "buy_in": 100, "returned_from": 6}),
        ("top_up 4 0", {"kind": "top_up", "seat": 4, "amount": 0}),
        ("posts 4", {"kind": "post_now", "seat": 4}),
        ("waits 4", {"kind": "wait_for_blind", "seat": 4}),
        ("draw 2 Ks 4 9h", {"kind": "first_button", "cards": {"2": "Ks", "4": "9h"}}),
        ("draw", {"kind": "first_button", "cards": {}}),
        ("dealer 17", {"kind": "dealer_push", "dealer": "17"}),
        ("next", {"kind": "open_hand"}),
        ("5 straddle 4", {"kind": "straddle", "seat": 5, "amount": 4}),
        ("event 2 clone", {"kind": "event", "seat": 2, "name": "clone"}),
        ("event 2 x_ray 5", {"kind": "event", "seat": 2, "name": "x_ray", "target": 5}),
        ("shuffled", {"kind": "shuffled"}),
        ("answer yes", {"kind": "answer", "alert": "", "answer": "yes"}),
        ("answer no R2", {"kind": "answer", "alert": "R2", "answer": "no"}),
        ("respond deal_on N5", {"kind": "respond", "alert": "N5", "response": "deal_on"}),
        ("tap board2 3", {"kind": "tap_zone", "zone": "board2", "count": 3}),
        ("run it 2", {"kind": "run_it", "times": 2}),
        ("undo", {"kind": "undo"}),
    ],
)
def test_a_tap_becomes_its_command(line: str, command: dict[str, Any]) -> None:
    step = only(line)
    assert isinstance(step, st.Tap)
    assert step.command == command


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (
            "expect options F1 scramble_four reflop_no_burn",
            {"options": ["scramble_four", "reflop_no_burn"], "rule": "F1"},
        ),
        ("expect mark 5 last_hand_card", {"mark": [5, "last_hand_card"]}),
        ("expect no_mark 5", {"no_mark": 5}),
        ("expect notice shuffler unknown_card", {"notice": ["shuffler", "unknown_card"]}),
        ("expect assumed 3 fold", {"assumed": [3, "fold"]}),
        ("expect ruled F1 scramble_four", {"rule": "F1", "ruled": "scramble_four"}),
        ("expect source F1 TDA 39", {"rule": "F1", "source": "TDA 39"}),
        ("expect now step set_aside", {"now": "step", "step_code": "set_aside"}),
        ("expect now act", {"now": "act"}),
        ("expect hand 4 folded", {"hand": [4, "folded"]}),
        ("expect R2 proven", {"rule": "R2", "evidence": "proven"}),
        ("expect N10 withdrawn", {"rule": "N10", "state": "withdrawn"}),
        ("expect no D6", {"no": "D6"}),
    ],
)
def test_an_expectation_becomes_its_check(line: str, wanted: dict[str, Any]) -> None:
    step = only(line)
    assert isinstance(step, st.Check)
    assert step.wanted == wanted


@pytest.mark.parametrize(
    ("line", "act"),
    [
        ("board 3 on 2", st.Board(3, zone="board2")),
        ("board 1 on 3", st.Board(1, zone="board3")),
        ("board 3 on 2 unread 1 late 2s", st.Board(3, 1, 2000, "board2")),
        ("discard 4", st.Discard(4, 1)),
        ("discard 4 2", st.Discard(4, 2)),
        ("deck B", st.UseDeck("B")),
        ("foreign seat3", st.Foreign("seat3", 1)),
        ("foreign stub 2", st.Foreign("stub", 2)),
        ("stranger board", st.Stranger("board")),
        ("move burn board2", st.Move("burn", "board2")),
        ("move muck seat3 2", st.Move("muck", "seat3", 2)),
        ("move stub gate", st.Move("stub", "gate")),
        ("move board2:1 off", st.Move("board2:1", "off")),
        ("shuffler jam", st.ShufflerState("jam")),
        ("verdict 51", st.ShufflerVerdict(51)),
        ("verdict 36 36 duplicate", st.ShufflerVerdict(36, 36, "duplicate")),
    ],
)
def test_an_act_becomes_its_step(line: str, act: st.Step) -> None:
    assert only(line) == act


def test_pots_may_be_pushed_otherwise_than_shown() -> None:
    tap, sweep = parse_script("push to 2 40 5 38").steps
    assert isinstance(tap, st.Tap) and tap.command == {"kind": "push_pots", "to": {"2": 40, "5": 38}}
    assert isinstance(sweep, st.Sweep)


@pytest.mark.parametrize(
    "line",
    [
        "report Z1",
        "report D6 12",
        "report D6 4 twice",
        "report boxed count",
        "report dead_hand",
        "rule",
        "rule mix four F1 now",
        "correct 5",
        "correct 5 raise",
        "correct 5 bet 4 on monday",
        "3 call 80",
        "3 fold counted 4",
        "stack 3",
        "stack 3 many",
        "irregular 3",
        "irregular 3 said sing",
        "irregular 3 chips",
        "point 3",
        "point 3 9",
        "unfold",
        "5 straddle four",
        "5 straddle 4 4",
        "refused",
        "refused straddle_is",
        "refused straddle_is deal",
        "refused straddle is 5 straddle 3",
        "event 2",
        "shuffled now",
        "push 2 40",
        "push to 2",
        "push to 2 40 2 38",
        "answer yes please",
        "respond fixing r2",
        "discard 4 9",
        "deck C",
        "foreign nowhere",
        "foreign seat3:1",
        "stranger",
        "move seat3 moon",
        "board 3 on 4",
        "shuffler asleep",
        "verdict",
        "verdict many",
        "verdict 1 2 3",
        "verdict 51 sorted",
        "expect options F1",
        "expect mark 5",
        "expect no_mark",
        "expect assumed 3 sleep",
        "expect hand 4 lost",
        "expect source F1",
    ],
)
def test_what_is_no_line_is_told_with_its_column_and_what_was_expected(line: str) -> None:
    with pytest.raises(ScriptError) as caught:
        parse_script(f"deal\n  {line}")
    [(index, column, expected, found)] = caught.value.mistakes
    assert (index, column, found) == (1, 3, line)
    assert expected


def test_a_tap_that_must_be_refused_moves_no_card() -> None:
    assert only("refused straddle_is 5 straddle 3") == st.Tap(
        {"kind": "straddle", "seat": 5, "amount": 3}, after_ms=900, refused="straddle_is"
    )
    assert only("refused not_to_act 5 fold") == st.Tap(
        {"kind": "act", "seat": 5, "action": "fold"}, after_ms=600, refused="not_to_act"
    )


BLOCKS = """deal
when roberts seed
report misdeal
otherwise
1 fold
end
push
"""


@pytest.mark.parametrize(("house", "kind"), [("seed", "report"), ("roberts", "report"), ("tda2024", "act")])
def test_a_block_is_played_by_its_houses_and_the_other_part_by_all_others(house: str, kind: str) -> None:
    script = parse_script(BLOCKS, house, ("seed", "roberts", "tda2024"))
    taps = [step.command["kind"] for step in script.steps if isinstance(step, st.Tap)]
    assert taps == [kind, "push_pots"]


def test_expectations_of_the_end_belong_to_their_house() -> None:
    text = "when seed\nexpect end misdeal\notherwise\npush\nexpect stack 1 30\nend"
    assert parse_script(text, "seed", ("seed", "roberts")).final == {"result": "misdeal"}
    other = parse_script(text, "roberts", ("seed", "roberts"))
    assert other.final == {"stacks": {"1": 30}}
    assert other.pushed


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("when nowhere\nend", 0),
        ("when\nend", 0),
        ("when seed\ndeal", 0),
        ("deal\nend", 1),
        ("otherwise", 0),
        ("when seed\nwhen seed\nend", 1),
        ("when seed\notherwise\notherwise\nend", 2),
        ("when seed\nbourn\nend", 1),
        ("when roberts\nbourn\nend", 1),  # not played, and still wrong
    ],
)
def test_a_wrong_block_is_told_with_its_line(text: str, line: int) -> None:
    with pytest.raises(ScriptError) as caught:
        parse_script(text, "seed", ("seed", "roberts"))
    assert [mistake[0] for mistake in caught.value.mistakes] == [line]


@pytest.mark.parametrize(
    ("text", "leading"),
    [
        ("deal\nburn", 0),
        ("shuffler ready\nwait 1s\nverdict 52\nwait 2s\ndeal", 3),
        ("move stub seat3\nopen\ndeal", 1),
        ("shuffler ready\nopen\nverdict 52", 1),
        ("open\nshuffler ready\ndeal", 0),
        ("when roberts\nopen\nend\ndeal 1\nopen\ndeal", 1),
    ],
)
def test_what_stands_above_open_or_is_the_shufflers_comes_before_the_hand(text: str, leading: int) -> None:
    assert parse_script(text, "seed", ("seed", "roberts")).leading() == leading


def test_a_hand_is_opened_once() -> None:
    with pytest.raises(ScriptError) as caught:
        parse_script("open\ndeal\nopen")
    assert [mistake[0] for mistake in caught.value.mistakes] == [2]


WORDS = st_.sampled_from(
    (
        *(*ACTS, *TAPS, *ACTIONS, "expect", "when", "otherwise", "end", "open", "seed"),
        *("on", "to", "count", "number", "#", "é", "²", "yes", "B", "As", "flop", "exposed", "player"),
        *("0", "2", "11", "12", "40", "2s", "-1", "seat3", "seat3:1", "board2", "stub", "off"),
        *("unread", "late", "F1", "D6", "proven", "silence", "mark", "options"),
        "9" * 5000,
        "9" * 400 + "s",
    )
)


@settings(max_examples=300, deadline=None)
@given(st_.lists(st_.lists(WORDS, max_size=7).map(" ".join), max_size=6).map("\n".join))
def test_any_words_are_steps_or_told_with_their_line(text: str) -> None:
    try:
        script = parse_script(text)
    except ScriptError as error:
        lines = text.splitlines()
        for index, column, expected, found in error.mistakes:
            assert lines[index][column - 1 :].startswith(found)
            assert expected
    else:
        assert len(script.steps) == len(script.lines)
        assert list(script.lines) == sorted(script.lines)
        assert 0 <= script.leading() <= len(script.steps)
