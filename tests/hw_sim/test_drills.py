"""Drills: what of a scenario becomes one, and how what a person does is scored."""

from __future__ import annotations

from pathlib import Path

import pytest

from hw_sim.drill import Drill, Judge, NoDrill, drill_of
from hw_sim.hands import load_hands

SCENARIOS = Path(__file__).parents[1] / "scenarios"
DEMO = Path(__file__).parents[2] / "hw_sim" / "demo"


def drill(name: str, folder: Path = SCENARIOS) -> Drill:
    (hand,) = load_hands([folder / f"{name}.toml"], None, None)
    return drill_of(hand)


def alert(
    evidence: str = "probable", state: str = "open", *, steps: str = "", **more: object
) -> dict[str, object]:
    """An alert of D4 as the socket tells it; ``steps``: a letter each, d(one), c(urrent) or p(ending)."""
    states = {"d": "done", "c": "current", "p": "pending"}
    told = {"rule": "D4", "evidence": evidence, "state": state, "answered": None, "question": None}
    return {**told, "steps": [{"state": states[letter]} for letter in steps], **more}


def judged(*looks: tuple[int, dict[str, dict[str, object]]], answers: tuple[str, ...] = ("yes",)) -> Judge:
    judge = Judge(Drill(drill("x3_exposed_replaced").hand, "D4", answers), patience_ms=60_000)
    for t_ms, alerts in looks:
        judge.look(alerts, t_ms)
    return judge


ASKED = {"a": alert(question="out_of_turn")}


def test_a_scenario_is_dealt_up_to_what_is_said_about_it() -> None:
    found = drill("5_early_turn", DEMO)
    (whole,) = load_hands([DEMO / "5_early_turn.toml"], None, None)
    assert found.rule == "N10"  # the burn speaks first
    assert found.hand.steps == whole.steps[: len(found.hand.steps)]
    assert 0 < len(found.hand.steps) < len(whole.steps)
    assert found.answers[0] == "no"


def test_who_reported_an_exposed_card_finds_it_face_up() -> None:
    assert drill("3_exposed_hole_card", DEMO).exposed == (5,)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("clean_showdown", "nothing is asked or alerted"),
        ("game_split", "one board"),
        ("d3_seat_skipped_shoe", "no shoe"),
    ],
)
def test_what_cannot_be_a_drill_is_refused_with_the_reason(name: str, why: str) -> None:
    with pytest.raises(NoDrill, match=f"{name}.toml: .*{why}"):
        drill(name)


def test_all_done_right_is_a_hundred_points() -> None:
    judge = judged(
        (1000, ASKED),
        (3500, {"a": alert("proven", answered="yes", steps="cp")}),
        (9000, {"a": alert("proven", "closed", answered="yes", steps="dd")}),
    )
    score = judge.score
    assert score is not None
    assert (score.points, score.outcome, score.noticed_ms, score.done_ms) == (100, "put_right", 2500, 8000)
    assert (score.steps, score.steps_done, score.wrong_answers, score.further) == (2, 2, 0, ())
    assert score.line() == "D4: put right, 100 points; taken up after 2.5 s, over after 8.0 s; 2 of 2 steps"


def test_a_wrong_answer_a_step_left_out_and_a_new_fault_cost_points() -> None:
    judge = judged(
        (0, ASKED),
        (1000, {"a": alert("proven", answered="no", steps="cp")}),
        (2000, {"a": alert("proven", "fixing", answered="no", steps="cp"), "b": {**alert(), "rule": "D8"}}),
        (5000, {"a": alert("proven", "closed", answered="no", steps="dp"), "b": {**alert(), "rule": "D8"}}),
    )
    assert judge.score is not None
    assert (judge.score.wrong_answers, judge.score.further, judge.score.points) == (1, ("D8",), 15 + 25)
    assert judge.score.line().endswith("1 wrong answer; raised besides: D8")


@pytest.mark.parametrize(("state", "outcome"), [("withdrawn", "called_a_misread"), ("dealt_on", "dealt_on")])
def test_who_waves_it_away_gets_nothing(state: str, outcome: str) -> None:
    judge = judged((0, ASKED), (900, {"a": alert(state=state)}))
    assert judge.score is not None
    assert (judge.score.outcome, judge.score.points) == (outcome, 0)


def test_an_alert_that_is_gone_is_over_as_it_stood() -> None:
    judge = judged((0, ASKED), (800, {"a": alert("proven", answered="yes", steps="dc")}), (1200, {}))
    assert judge.score is not None
    assert (judge.score.outcome, judge.score.steps_done) == ("put_right", 1)


def test_patience_ends() -> None:
    judge = judged((0, ASKED), (60_000, ASKED))
    assert judge.score is None
    judge.look(ASKED, 60_001)
    assert judge.score is not None
    assert (judge.score.outcome, judge.score.noticed_ms, judge.score.points) == ("not_finished", None, 0)


def test_what_is_only_a_mark_does_not_begin_it() -> None:
    assert judged((0, {"a": alert("possible", state="closed")}), (1, {})).score is None
