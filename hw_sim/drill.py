"""Drills for a dealer school: a scenario is dealt up to its irregularity, a person puts it right, and what was done is scored. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from hw_sim import steps as st

Outcome = Literal["put_right", "called_a_misread", "dealt_on", "not_finished"]

#: What a drill is worth: the right answers, the steps of the recovery, and nothing new going wrong.
ANSWER_POINTS: Final = 30
STEP_POINTS: Final = 50
CLEAN_POINTS: Final = 20
_OVER: Final[dict[str, Outcome]] = {
    "closed": "put_right",
    "withdrawn": "called_a_misread",
    "dealt_on": "dealt_on",
}


class NoDrill(ValueError):
    """A scenario that cannot be a drill. Says why."""


class Drill(msgspec.Struct, frozen=True):
    """``hand``: the scenario up to where the person takes over. ``rule``: what is to be put right; ``answers``: the scenario's own."""

    hand: st.Hand
    rule: str
    answers: tuple[str, ...]

    @property
    def exposed(self) -> tuple[int, ...]:
        """Seats whose newest card has been turned up, as the script has the dealer report."""
        taps = [step.command for step in self.hand.steps if isinstance(step, st.Tap)]
        return tuple([tap["seat"] for tap in taps if tap.get("row") == "exposed" and tap.get("seat")])


def drill_of(hand: st.Hand) -> Drill:
    """The drill that a scenario makes. Raises NoDrill."""
    if hand.plan.boards > 1 or hand.decks > 1 or hand.shoe:
        raise NoDrill(f"{hand.source}: a drill has one board, one deck and no shoe")
    cut = next((index for index, step in enumerate(hand.steps) if _speaks(step)), None)
    if cut is None:
        raise NoDrill(
            f"{hand.source}: nothing is asked or alerted: expected a line like `expect D4 probable`"
        )
    behind = hand.steps[cut:]
    rule = next(
        (step.wanted["rule"] for step in behind if isinstance(step, st.Check) and "rule" in step.wanted), ""
    )
    if not rule:
        raise NoDrill(f"{hand.source}: expected a line that names the rule, like `expect D4 probable`")
    taps = [step.command for step in behind if isinstance(step, st.Tap)]
    if any(tap["kind"] == "respond" and tap.get("response") in ("misread", "deal_on") for tap in taps):
        raise NoDrill(f"{hand.source}: nothing is put right in it")
    answers = tuple([str(tap["answer"]) for tap in taps if tap["kind"] == "answer"])
    return Drill(msgspec.structs.replace(hand, steps=hand.steps[:cut]), rule, answers)


def _speaks(step: st.Step) -> bool:
    return isinstance(step, st.Check) and (
        "question" in step.wanted or step.wanted.get("evidence") in ("probable", "proven")
    )


class Score(msgspec.Struct, frozen=True):
    """What came of a drill. Times in ms from the alert on. ``further``: rules that were raised after it."""

    rule: str
    outcome: Outcome
    noticed_ms: int | None
    done_ms: int
    wrong_answers: int
    steps: int
    steps_done: int
    further: tuple[str, ...]

    @property
    def points(self) -> int:
        """0 to 100. Who called it a misread, or dealt on, gets nothing for it."""
        if self.outcome in ("called_a_misread", "dealt_on"):
            return 0
        answered = max(0, ANSWER_POINTS - self.wrong_answers * ANSWER_POINTS // 2)
        share = self.steps_done / self.steps if self.steps else float(self.outcome == "put_right")
        clean = CLEAN_POINTS if not self.further and self.outcome == "put_right" else 0
        return (answered if self.noticed_ms is not None else 0) + round(STEP_POINTS * share) + clean

    def line(self) -> str:
        """In one line of words."""
        said = [f"{self.rule}: {self.outcome.replace('_', ' ')}, {self.points} points"]
        if self.noticed_ms is not None:
            said.append(
                f"taken up after {self.noticed_ms / 1000:.1f} s, over after {self.done_ms / 1000:.1f} s"
            )
        if self.steps:
            said.append(f"{self.steps_done} of {self.steps} steps")
        if self.wrong_answers:
            said.append(f"{self.wrong_answers} wrong answer{'s' if self.wrong_answers > 1 else ''}")
        if self.further:
            said.append(f"raised besides: {', '.join(self.further)}")
        return "; ".join(said)


class Judge:
    """Watches the alerts of a drill. :meth:`look` at each change and now and then; ``score`` is there when it is over."""

    def __init__(self, drill: Drill, patience_ms: int) -> None:
        self._drill = drill
        self._patience_ms = patience_ms
        self._began_ms: int | None = None
        self._noticed_ms: int | None = None
        self._main = ""
        self._last: dict[str, Any] = {}
        self._known: set[str] = set()
        self._answered = 0
        self._wrong = 0
        self._further: list[str] = []
        self.score: Score | None = None

    def look(self, alerts: Mapping[str, Mapping[str, Any]], now_ms: int) -> None:
        """Take in the alerts of the hand, by id, as they stand now."""
        if self.score is not None:
            return
        for key, alert in alerts.items():
            if key not in self._known and alert["evidence"] != "possible":
                self._known.add(key)
                if self._main:
                    self._further.append(alert["rule"])
                elif alert["rule"] == self._drill.rule:
                    self._main, self._began_ms = key, now_ms
        if self._began_ms is None:
            return
        alert = dict(alerts.get(self._main, {**self._last, "state": "closed"}))
        self._take(alert, now_ms)
        self._last = alert
        outcome = _OVER.get(alert["state"])
        if outcome is None and now_ms - self._began_ms > self._patience_ms:
            outcome = "not_finished"
        if outcome is not None:
            self._close(outcome, alert, now_ms)

    def _take(self, alert: Mapping[str, Any], now_ms: int) -> None:
        was, asked = self._last.get("answered"), self._last.get("question")
        answer = alert.get("answered")
        if answer is not None and (was is None or (asked is not None and alert.get("question") != asked)):
            due = self._drill.answers[self._answered : self._answered + 1]
            self._wrong += due not in ((), (answer,))
            self._answered += 1
        touched = answer is not None or alert["state"] != "open"
        started = any(step["state"] == "done" for step in alert.get("steps", ()))
        if self._noticed_ms is None and (touched or started):
            self._noticed_ms = now_ms

    def _close(self, outcome: Outcome, alert: Mapping[str, Any], now_ms: int) -> None:
        assert self._began_ms is not None
        steps = alert.get("steps", ())
        noticed = self._noticed_ms - self._began_ms if self._noticed_ms is not None else None
        self.score = Score(
            rule=self._drill.rule,
            outcome=outcome,
            noticed_ms=noticed,
            done_ms=now_ms - self._began_ms,
            wrong_answers=self._wrong,
            steps=len(steps),
            steps_done=sum(step["state"] == "done" for step in steps),
            further=tuple(self._further),
        )
